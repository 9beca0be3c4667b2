/* expect: computed k: the loops and the levels of an operand divide an index into different parts */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (minus(j, k), k, i), (y, VEC, i), all((A, DIAGONALS, i, j), (x, VEC, k)), y += A * x)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
