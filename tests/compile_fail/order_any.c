/* expect: k: operand B: its levels store j below an index that the loops reach only after j; reorder the loops (j, i), or sparse_convert B if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (j, i), (C, MAT, i, j), any((A, CSC, i, j), (B, CSR, i, j)), C = A + B)

int main(void)
{
    csc A = SPARSE_INIT(csc);
    csr B = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A, &B) != SPARSE_OK;
}
