/* expect: k: operand x: index i comes twice in a sum; use times(2, i) */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, VEC, plus(i, i))), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
