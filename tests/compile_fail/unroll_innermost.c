/* expect: k: unroll(j) must be the loop around the innermost */
#include "types.h"

SPARSE_KERNEL(k, (i, unroll(j)), (y, VEC, i), all((A, CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
