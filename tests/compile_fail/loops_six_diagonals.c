/* expect: k: more than 12 loops */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (minus(a, i), minus(b, i), minus(c, i), minus(d, i), minus(e, i), minus(f, i), i), (y, VEC, i),
              all((A, DIAGONALS, i, a), (B, DIAGONALS, i, b), (C, DIAGONALS, i, c), (D, DIAGONALS, i, d),
                  (E, DIAGONALS, i, e), (F, DIAGONALS, i, f)),
              y += A * B * C * D * E * F)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &A, &A, &A, &A, &A) != SPARSE_OK;
}
