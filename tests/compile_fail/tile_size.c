/* expect: k: tile(i) needs a second argument, as tile(i, 64), range(i, 3) or let(i, 2 * j) */
#include "types.h"

SPARSE_KERNEL(k, (tile(i), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    (void)x, (void)y;
    return k(&y, &A, &x) != SPARSE_OK;
}
