/* expect: k: an index is missing among the loops: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (i, , j), (s, double), all((A, CSR, i, j)), s += A)

int main(void)
{
    double s = 0;
    csr A = SPARSE_INIT(csr);
    return k(&s, &A) != SPARSE_OK;
}
