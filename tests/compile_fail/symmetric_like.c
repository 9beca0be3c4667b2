/* expect: k: operand B stores one triangle, and beside it A must be dense, without blocks */
#include "types.h"

SPARSE_KERNEL(k, (i, j), like(A, C, CSR, i, j), all(symmetric(B, CSR, i, j)), C = B)

int main(void)
{
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A, &B) != SPARSE_OK;
}
