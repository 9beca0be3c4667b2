/* expect: k: operand w: let(s, j) is no index: these are letters a to z, and sums, as plus(i, (-1)) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSR, i, j), where((w, VEC, let(s, j)), (s), all((x, VEC, s)), w = x)),
              y += A * w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
