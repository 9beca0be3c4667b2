/* expect: k: operand x: index j is in blocks in the loops, but not in its levels */
#include "types.h"

SPARSE_KERNEL(k, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2), p), (y, VEC, i),
              all((A, BSR, i, j), (x, SVEC, plus(j, p)), (w, VEC, p)), y += A * x * w)

int main(void)
{
    bsr A = SPARSE_INIT(bsr);
    svec x = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec), w = SPARSE_INIT(vec);
    return k(&y, &A, &x, &w) != SPARSE_OK;
}
