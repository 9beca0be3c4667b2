/* expect: k: operand A: an index is missing */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (s, double), all((A, CSR, i, )), s += A)

int main(void)
{
    double s = 0;
    csr A = SPARSE_INIT(csr);
    return k(&s, &A) != SPARSE_OK;
}
