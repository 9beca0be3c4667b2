/* expect: computed k: operand A has another encoding, value type, width or size than SPARSE_TENSOR gave to tiles */
#include "types.h"

#define TILES                                                                                                               \
    tiles, ((i, j), (dense, floordiv(i, 33)), (compressed, floordiv(j, 2)), (dense, mod(i, 33)), (dense, mod(j, 2))),       \
        double, 32, 32
#define OTHER                                                                                                               \
    tiles, ((i, j), (dense, floordiv(j, 2)), (compressed, floordiv(i, 33)), (dense, mod(j, 2)), (dense, mod(i, 33))),       \
        double, 32, 32
SPARSE_TENSOR(TILES)
/* here */ SPARSE_KERNEL(k, (floordiv(j, 2), floordiv(i, 33), mod(j, 2), mod(i, 33)), (y, VEC, i), all((A, OTHER, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    tiles A = SPARSE_INIT(tiles);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
