/* expect: k: parallel_sum(minus(j, i)): loops over diagonals or slices have no shares; put it on another loop */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (parallel_sum(minus(j, i)), i), (s, double), all((A, DIAGONALS, i, j)), s += A)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    double s = 0;
    return k(&s, &A) != SPARSE_OK;
}
