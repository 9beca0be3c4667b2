/* expect: k: operand A: its levels store j below an index that the loops reach only after j; reorder the loops (j, i), or sparse_convert A if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (j, i), update(A, DCSR, i, j), all((x, VEC, j)), A *= x)

int main(void)
{
    dcsr A = SPARSE_INIT(dcsr);
    vec x = SPARSE_INIT(vec);
    return k(&A, &x) != SPARSE_OK;
}
