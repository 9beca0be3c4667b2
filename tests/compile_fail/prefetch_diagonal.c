/* expect: k: prefetch(i): the loop has to be over one sparse operand alone */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (minus(j, i), prefetch(i)), (y, VEC, i), all((A, DIAGONALS, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
