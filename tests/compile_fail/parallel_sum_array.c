/* expect: k: workspace w is an array, which the shares of a parallel sum would write at the same time */
#include "types.h"

SPARSE_KERNEL(k, (parallel_sum(i), j), (s, double),
              all((B, CSR, i, j), where((w, VEC, j), (j), all((A, CSR, i, j)), w = A)), s += B * w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    double s = 0;
    return k(&s, &A, &A) != SPARSE_OK;
}
