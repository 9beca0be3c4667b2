/* expect: k: operand x: no loop over index p */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, VEC, plus(i, times(0, p)))), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
