/* expect: k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i), like(a, s, double), all((x, VEC, i)), s += a * x)

int main(void)
{
    vec x = SPARSE_INIT(vec);
    double s = 0;
    return k(&s, 2, &x) != SPARSE_OK;
}
