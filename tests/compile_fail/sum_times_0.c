/* expect: k: no operand has the index p */
#include "types.h"

SPARSE_KERNEL(k, (i, p), (y, VEC, i), all((x, VEC, plus(i, times(0, p)))), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
