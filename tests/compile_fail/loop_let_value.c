/* expect: k: let(u) needs a second argument, as tile(u, 64), range(u, 3) or let(u, 2 * j) */
#include "types.h"

SPARSE_KERNEL(k, (i, let(u)), (y, VEC, i), all((x, VEC, u)), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
