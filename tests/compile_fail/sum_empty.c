/* expect: k: operand x: a sum needs an index */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, VEC, plus())), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
