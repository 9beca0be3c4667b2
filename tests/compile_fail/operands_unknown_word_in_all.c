/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(both((a, VEC, i), (b, VEC, i))), y = a)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x, &x) != SPARSE_OK;
}
