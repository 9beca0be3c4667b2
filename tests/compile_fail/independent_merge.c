/* expect: k: independent(j): the loop merges sparse operands, so its iterations depend on each other */
#include "types.h"

SPARSE_KERNEL(k, (i, independent(j)), (C, MAT, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)

int main(void)
{
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A, &B) != SPARSE_OK;
}
