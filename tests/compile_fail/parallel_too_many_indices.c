/* expect: k: operand y has the wrong number of indices: its storage type vec has rank 1 */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i), j), (y, VEC, i, i), all((A, CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
