/* expect: k: an operand has no name: write (x, double), or (x, VEC, i) */
#include "types.h"

SPARSE_KERNEL(k, (i), (s, double), all((x, VEC, i), ()), s += x)

int main(void)
{
    double s = 0;
    vec x = SPARSE_INIT(vec);
    return k(&s, &x) != SPARSE_OK;
}
