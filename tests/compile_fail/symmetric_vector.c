/* expect: k: operand A stores one triangle, so its last two indices must be letters */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(symmetric(A, SVEC, i)), y += A)

int main(void)
{
    svec A = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
