/* expect: k: operand y has no type: write (y, double), or (y, VEC, i) */
#include "types.h"

SPARSE_KERNEL(k, (tile(i, 4)), ((y), VEC, i), all((x, VEC, i)), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
