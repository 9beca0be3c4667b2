/* expect: k: operand y: a sum needs an index, and what is in parentheses is a constant */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, (i)), all((x, SVEC, i)), y += x)

int main(void)
{
    svec x = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
