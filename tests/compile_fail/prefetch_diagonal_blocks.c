/* expect: the loop has to be over one sparse operand alone */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA_BLOCKS(4), double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (floordiv(i, 4), minus(j, i), prefetch(mod(i, 4))), (y, VEC, i), all((A, DIAGONALS, i, j), (x, VEC, j)),
              y += A * x)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
