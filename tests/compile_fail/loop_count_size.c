/* expect: computed k: the loops and the levels of an operand divide an index into different parts */
#include "types.h"

#define ELLPACK ellpack, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(ELLPACK)
SPARSE_KERNEL(k, (count(i, 5), i, j), (y, VEC, i), all((A, ELLPACK, i, j)), y += A)

int main(void)
{
    ellpack A = SPARSE_INIT(ellpack);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
