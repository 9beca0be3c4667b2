/* expect: k: floordiv(i, 2) floordiv(j, 2) is not an index name: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (floordiv(i, 2) floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
              all((A, BSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
