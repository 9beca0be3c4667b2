/* expect: is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(((a, VEC, i)(b, VEC, i))), y = a)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x, &x) != SPARSE_OK;
}
