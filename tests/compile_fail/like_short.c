/* expect: k: an operand has no name: write (x, double), or (x, VEC, i) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), like(A), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    return k(&A) != SPARSE_OK;
}
