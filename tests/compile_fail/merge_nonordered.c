/* expect: k: operand b does not store i in order; it can drive a loop alone, but not be merged with another */
#include "types.h"

SPARSE_KERNEL(k, (i), (s, double), any((a, SVEC, i), (b, LOT, i)), s += a + b)

int main(void)
{
    svec a = SPARSE_INIT(svec);
    lot b = SPARSE_INIT(lot);
    double s = 0;
    return k(&s, &a, &b) != SPARSE_OK;
}
