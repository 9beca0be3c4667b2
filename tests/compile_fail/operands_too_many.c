/* expect: k: more than 16 operands */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i),
              all(any((a, VEC, i), (b, VEC, i), (c, VEC, i), (d, VEC, i), (e, VEC, i), (f, VEC, i)),
                  any((g, VEC, i), (h, VEC, i), (o, VEC, i), (p, VEC, i), (q, VEC, i), (r, VEC, i)),
                  any((s, VEC, i), (t, VEC, i), (u, VEC, i), (v, VEC, i))), y = a)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x) != SPARSE_OK;
}
