/* expect: k: operand x: times(2, row) is no term of a sum: these are indices, times(2, i), and constants in parentheses */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, VEC, plus(i, times(2, row)))), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
