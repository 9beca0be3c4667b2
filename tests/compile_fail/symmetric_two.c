/* expect: k: two operands store one triangle, and a line can have one of them */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j), all(symmetric(A, CSR, i, j), symmetric(B, CSR, i, j)), C = A * B)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A, &A) != SPARSE_OK;
}
