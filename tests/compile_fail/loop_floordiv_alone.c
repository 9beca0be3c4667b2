/* expect: k: the loop floordiv(i, 2) needs the loop mod(i, 2) inside it */
#include "types.h"

SPARSE_KERNEL(k, (floordiv(i, 2)), (y, VEC, i), all((x, VEC, i)), y = x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
