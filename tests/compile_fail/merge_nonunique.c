/* expect: k: operand b may store i more than once in its last level; it cannot be merged with another */
#include "types.h"

SPARSE_KERNEL(k, (i), (s, double), any((a, SVEC, i), (b, BAG, i)), s += a + b)

int main(void)
{
    svec a = SPARSE_INIT(svec);
    bag b = SPARSE_INIT(bag);
    double s = 0;
    return k(&s, &a, &b) != SPARSE_OK;
}
