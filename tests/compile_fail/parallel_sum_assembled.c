/* expect: k: parallel_sum(i): the output C is a tensor, and not the sum that its shares are added to */
#include "types.h"

SPARSE_KERNEL(k, (parallel_sum(i), j), (C, CSR, i, j), all((A, CSR, i, j)), C += A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
