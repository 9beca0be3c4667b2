/* expect: k: output x is built while the loops run; current(...) reads outputs that are dense, or update(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (x, SVEC, i), all((A, CSR, i, j), current(z, x, SVEC, j)), x += A * z)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    svec x = SPARSE_INIT(svec);
    return k(&x, &A) != SPARSE_OK;
}
