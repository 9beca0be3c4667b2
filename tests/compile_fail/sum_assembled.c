/* expect: k: output y is assembled, so give the sum with i a name of its own: the loop let(u, ...) makes it an index u */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, SVEC, plus(i, (1))), all((x, VEC, i)), y += x)

int main(void)
{
    svec y = SPARSE_INIT(svec);
    vec x = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
