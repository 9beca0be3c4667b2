/* expect: k: range(p) needs a second argument, as tile(p, 64), range(p, 3) or let(p, 2 * j) */
#include "types.h"

SPARSE_KERNEL(k, (i, range(p)), (y, VEC, i), all((x, VEC, plus(i, p))), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
