/* expect: k: operand x: a sum needs an index, and what is in parentheses is a constant */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, SVEC, plus((2))), (z, VEC, i)), y += x * z)

int main(void)
{
    svec x = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    return k(&y, &x, &z) != SPARSE_OK;
}
