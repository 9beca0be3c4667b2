/* expect: k: operand w has the wrong number of indices: its storage type vec has rank 1 */
#include "types.h"

SPARSE_KERNEL(k, (i, j, q), (y, VEC, i),
              all(where((w, VEC, let(s, plus(j, q), 4)), (s), all((A, CSR, i, s)), w = A), (F, MAT, j, q)), y += w * F)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    mat F = SPARSE_INIT(mat);
    return k(&y, &A, &F) != SPARSE_OK;
}
