/* expect: k: the loop minus(j, i) needs the loop i inside it; there j follows from both */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (i, minus(j, i)), (y, VEC, i), all((A, DIAGONALS, i, j)), y += A)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
