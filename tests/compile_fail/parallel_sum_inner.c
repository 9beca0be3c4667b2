/* expect: k: parallel_sum(j) must be the outermost loop */
#include "types.h"

SPARSE_KERNEL(k, (i, parallel_sum(j)), (s, double), all((A, CSR, i, j)), s += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    double s = 0;
    return k(&s, &A) != SPARSE_OK;
}
