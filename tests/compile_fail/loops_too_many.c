/* expect: k: more than 12 loops */
#include "types.h"

SPARSE_KERNEL(k, (a, b, c, d, e, f, g, h, i, j, l, m, n), (y, VEC, i), all((x, VEC, a)), y = x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
