/* expect: k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i), (update(x, SVEC, i), (s, double)), all((a, SVEC, i)), x += a; s += a)

int main(void)
{
    svec x = SPARSE_INIT(svec), a = SPARSE_INIT(svec);
    double s = 0;
    return k(&x, &s, &a) != SPARSE_OK;
}
