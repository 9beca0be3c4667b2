/* expect: k: operand A stores one triangle, and beside it x must be dense, without blocks */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(symmetric(A, CSR, i, j), (x, SVEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    svec x = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
