/* expect: k: parallel(i): the loop merges sparse operands, so its iterations depend on each other */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i)), (y, VEC, i), any((a, SVEC, i), (b, SVEC, i)), y = a + b)

int main(void)
{
    svec a = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec);
    return k(&y, &a, &a) != SPARSE_OK;
}
