/* expect: k: 2 is not an index name: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (minus(j, 2), i), (s, double), all((A, CSR, i, j)), s += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    double s = 0;
    return k(&s, &A) != SPARSE_OK;
}
