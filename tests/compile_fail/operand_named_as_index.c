/* expect: k: operand i has the name of an index */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((i, VEC, i)), y = i)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
