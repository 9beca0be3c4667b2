/* expect: k: parallel(i): the output C is assembled, so where an entry goes depends on the iterations before */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i), j), (C, CSR, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
