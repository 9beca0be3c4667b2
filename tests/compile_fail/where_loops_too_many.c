/* expect: k: more than 12 loops */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i),
              all(where((w, double), (a, b, c, d, e, f, g, h, l, m, n, o, p, q, r, s, t, u), all((x, VEC, l)),
                        w += x),
                  (A, CSR, i, j)),
              y += w * A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
