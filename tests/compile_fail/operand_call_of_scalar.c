/* expect: pasted k: f(x) is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((f(x), double), (z, VEC, i)), y += z)

int main(void)
{
    vec y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    return k(&y, 1, &z) != SPARSE_OK;
}
