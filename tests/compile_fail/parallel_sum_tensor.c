/* expect: k: parallel_sum(i): the output y is a tensor, and not the sum that its shares are added to */
#include "types.h"

SPARSE_KERNEL(k, (parallel_sum(i), j), (y, VEC, j), all((A, CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
