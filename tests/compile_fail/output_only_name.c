/* expect: k: operand s has no type: write (s, double), or (s, VEC, i) */
#include "types.h"

SPARSE_KERNEL(k, (i), (s), all((x, VEC, i)), s += x)

int main(void)
{
    double s = 0;
    vec x = SPARSE_INIT(vec);
    return k(&s, &x) != SPARSE_OK;
}
