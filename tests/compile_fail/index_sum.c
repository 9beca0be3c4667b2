/* expect: k: operand A: i + 1 is no index: these are letters a to z, and sums, as plus(i, (-1)) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSR, i + 1, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
