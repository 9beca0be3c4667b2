/* expect: k: more than 16 operands, each index in blocks or slices being one more */
#include "types.h"

#define BLOCKS blocks, SPARSE_BSR(2, 2), double, 32, 32
SPARSE_TENSOR(BLOCKS)
SPARSE_KERNEL(k, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
              all((A, BLOCKS, i, j), (a, VEC, i), (b, VEC, i), (c, VEC, i), (d, VEC, i), (e, VEC, j), (f, VEC, j),
                  (g, VEC, j), (h, VEC, j), (x, VEC, j),
                  (l, VEC, i), (m, VEC, i), (n, VEC, i), (o, VEC, i)),
              y += A * a * b * c * d * e * f * g * h * x * l * m * n * o)

int main(void)
{
    blocks A = SPARSE_INIT(blocks);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x, &x) != SPARSE_OK;
}
