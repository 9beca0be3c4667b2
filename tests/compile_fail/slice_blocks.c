/* expect: k: operand A: its levels store i_block, a part of an index; slices and sums are of whole ones */
#include "types.h"

SPARSE_KERNEL(k, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i), all(slice(A, BSR, i, j)), y += A)

int main(void)
{
    bsr A = SPARSE_INIT(bsr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
