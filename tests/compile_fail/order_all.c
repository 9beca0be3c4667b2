/* expect: k: operand A: its levels store i below an index that the loops reach only after i; reorder the loops (i, j), or sparse_convert A if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSC, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csc A = SPARSE_INIT(csc);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
