/* expect: k: parallel_sum(i): the output x is a tensor, and not the sum that its shares are added to */
#include "types.h"

SPARSE_KERNEL(k, (parallel_sum(i), j), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)), x -= A * z)

int main(void)
{
    vec x = SPARSE_INIT(vec);
    csr A = SPARSE_INIT(csr);
    return k(&x, &A) != SPARSE_OK;
}
