/* expect: k: a comma is missing between two operands */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i),
              all(where((w, VEC, j), (j), all((A, CSR, i, j)), w = A)) (x, VEC, j), y += w * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
