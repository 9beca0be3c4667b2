/* expect: k: output C is built while the loops run; current(...) reads outputs that are dense, or update(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), like(A, C, CSR, i, j), all(current(z, C, CSR, i, j)), C = A - z)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
