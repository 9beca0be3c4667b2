/* expect: k: operand w: no loop over index let(s, j) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSR, i, j), where((w, VEC, let(s, j)), (s), all((x, VEC, s)), w = x)),
              y += A * w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
