/* expect: k: unroll(j): the output y needs the index l of the innermost loop, or j, and that once at each coordinate */
#include "types.h"

SPARSE_KERNEL(k, (i, unroll(j), l), (y, VEC, i), all((A, CSR, i, j), (E, MAT, j, l)), y += A * E)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    mat E = SPARSE_INIT(mat);
    return k(&y, &A, &E) != SPARSE_OK;
}
