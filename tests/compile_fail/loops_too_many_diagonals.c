/* expect: k: more than 8 loops */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (minus(a, i), minus(b, i), minus(c, i), minus(d, i), i), (y, VEC, i),
              all((A, DIAGONALS, i, a), (B, DIAGONALS, i, b), (C, DIAGONALS, i, c), (D, DIAGONALS, i, d)),
              y += A * B * C * D)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &A, &A, &A) != SPARSE_OK;
}
