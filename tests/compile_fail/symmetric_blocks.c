/* expect: k: operand A stores one triangle, and beside it x must be dense, without blocks */
#include "types.h"

#define BLOCKS blocks, ((i), (dense, floordiv(i, 2)), (dense, mod(i, 2))), double, 32, 32
SPARSE_TENSOR(BLOCKS)
SPARSE_KERNEL(k, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
              all(symmetric(A, BSR, i, j), (x, BLOCKS, j)), y += A * x)

int main(void)
{
    bsr A = SPARSE_INIT(bsr);
    blocks x = SPARSE_INIT(blocks);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
