/* expect: k: two operands have the name w */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i),
              all(where((w, SVEC, j), (k, j), all((A, CSR, i, k), (B, CSR, k, j)), w += A * B),
                  where((w, SVEC, j), (j), all((D, CSR, i, j)), w = D)),
              y += w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &A, &A) != SPARSE_OK;
}
