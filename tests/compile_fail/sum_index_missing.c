/* expect: k: operand x: an index is missing */
#include "types.h"

SPARSE_KERNEL(k, (i, q), (y, VEC, i), all((x, VEC, plus(, q)), (z, VEC, i)), y += x * z)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    return k(&y, &x, &z) != SPARSE_OK;
}
