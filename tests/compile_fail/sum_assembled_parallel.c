/* expect: k: output C is assembled, so give the sum with v a name of its own: the loop let(u, ...) makes it an index u */
#include "types.h"

SPARSE_KERNEL(k, (parallel(v)), (C, SVEC, plus(v, (2))), all((x, SVEC, v)), C += x)

int main(void)
{
    svec x = SPARSE_INIT(svec), C = SPARSE_INIT(svec);
    return k(&C, &x) != SPARSE_OK;
}
