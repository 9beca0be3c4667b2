/* expect: k: operand x: a sum needs levels that are ordered, the last of them unique */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, LOT, plus(i, (1)))), y += x)

int main(void)
{
    lot x = SPARSE_INIT(lot);
    vec y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
