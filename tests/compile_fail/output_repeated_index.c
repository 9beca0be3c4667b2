/* expect: k: operand C: index i is repeated; use two indices and compare them in the statement */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, CSR, i, i), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
