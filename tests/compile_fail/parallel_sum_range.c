/* expect: k: range(i, 8) is not an index name: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (parallel_sum(range(i, 8)), j), (s, double), all((A, CSR, i, j)), s += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    double s = 0;
    return k(&s, &A) != SPARSE_OK;
}
