/* expect: k: operand A stores one triangle, and beside it C must be dense, without blocks */
#include "types.h"

SPARSE_KERNEL(k, (i, j), update(C, CSR, i, j), all(symmetric(A, CSR, i, j)), C += A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
