/* expect: k: operand C: its levels store j below an index that the loops reach only after j; reorder the loops (j, i), or sparse_convert C if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (j, i), like(A, C, CSR, i, j), all((x, VEC, j)), C = A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    return k(&C, &A, &x) != SPARSE_OK;
}
