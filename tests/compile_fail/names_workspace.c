/* expect: k: two operands have the name x */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i),
              all(where((w, double), (l), all((x, VEC, l)), w += x), (A, CSR, i, j), (x, VEC, j)),
              y += w * A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
