/* expect: k: parallel(minus(j, i)): its iterations visit the same rows, so they would write to the same element */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (parallel(minus(j, i)), i), (C, MAT, i, j), all((A, DIAGONALS, i, j)), C += A)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A) != SPARSE_OK;
}
