/* expect: k: unroll(i): the loop has to be over all coordinates, or over one operand alone */
#include "types.h"

SPARSE_KERNEL(k, (unroll(i), j), (y, VEC, j), all((x, SVEC, i), none((z, SVEC, i)), (M, MAT, i, j)), y += x * M)

int main(void)
{
    svec x = SPARSE_INIT(svec);
    mat M = SPARSE_INIT(mat);
    vec y = SPARSE_INIT(vec);
    return k(&y, &x, &x, &M) != SPARSE_OK;
}
