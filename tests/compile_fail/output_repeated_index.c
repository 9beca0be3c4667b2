/* expect: k: operand C: index i is repeated; the loop let(u, i) makes an index u of it, too */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, CSR, i, i), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
