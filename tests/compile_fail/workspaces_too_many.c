/* expect: k: more than 16 operands */
#include "types.h"

SPARSE_KERNEL(k, (i, k, j), (y, VEC, i),
              all((A, CSR, i, k), (B, CSR, k, j), (u, VEC, i), (v, VEC, i), (w, VEC, j), (x, VEC, j),
                  where((wa, VEC, j), (j), all((Ma, CSR, i, j)), wa = Ma),
                  where((wb, VEC, j), (j), all((Mb, CSR, i, j)), wb = Mb),
                  where((wc, VEC, j), (j), all((Mc, CSR, i, j)), wc = Mc),
                  where((wd, VEC, j), (j), all((Md, CSR, i, j)), wd = Md),
                  where((we, VEC, j), (j), all((Me, CSR, i, j)), we = Me)), y += A * B * wa * wb * wc * wd * we)

int main(void)
{
    csr x = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &x, &x, &y, &y, &y, &y, &x, &x, &x, &x, &x, &x) != SPARSE_OK;
}
