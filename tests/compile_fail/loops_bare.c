/* expect: k: the loops must be a list in parentheses */
#include "types.h"

SPARSE_KERNEL(k, i, (y, VEC, i), all((x, VEC, i)), y = x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
