/* expect: k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i), ((s, double), like(a, x, SVEC, i)), all((b, VEC, i)), x += a * b; s += x)

int main(void)
{
    svec x = SPARSE_INIT(svec), a = SPARSE_INIT(svec);
    vec b = SPARSE_INIT(vec);
    double s = 0;
    return k(&s, &x, &a, &b) != SPARSE_OK;
}
