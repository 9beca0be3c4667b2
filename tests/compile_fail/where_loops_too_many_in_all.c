/* expect: k: more than 12 loops */
#include "types.h"

SPARSE_KERNEL(k, (a, b, c, d), (y, VEC, a),
              all((A, CSR, a, b), (B, CSR, c, d),
                  where((w, double), (e, f, g, h, l, m, n, o, p),
                        all((C, CSR, e, f), (D, CSR, g, h), (E, CSR, l, m), (F, CSR, n, o), (x, VEC, p)),
                        w += C * D * E * F * x)),
              y += w * A * B)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &A, &A, &A, &A, &A, &x) != SPARSE_OK;
}
