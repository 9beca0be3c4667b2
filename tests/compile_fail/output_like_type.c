/* expect: k: operand C: (double) is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (i, j), like(A, C, (double)), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
