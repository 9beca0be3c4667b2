/* expect: k: operand a: a slice needs levels that are ordered, the last of them unique */
#include "types.h"

SPARSE_KERNEL(k, (i), (s, double), all(slice(a, LOT, i)), s += a)

int main(void)
{
    lot a = SPARSE_INIT(lot);
    double s = 0;
    return k(&s, &a) != SPARSE_OK;
}
