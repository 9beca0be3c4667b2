/* expect: k: operand B: its levels store i below an index that the loops reach only after i; reorder the loops (i, j), or sparse_convert B if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j), all((A, CSR, i, j), (B, CSC, i, j)), C = A * B)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    csc B = SPARSE_INIT(csc);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A, &B) != SPARSE_OK;
}
