/* expect: k: output C is assembled, and then has to be the only one */
#include "types.h"

SPARSE_KERNEL(k, (i, j), ((s, double), (C, CSR, i, j)), all((A, CSR, i, j)), C = A; s += A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    double s = 0;
    return k(&s, &C, &A) != SPARSE_OK;
}
