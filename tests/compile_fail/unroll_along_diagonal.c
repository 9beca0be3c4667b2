/* expect: k: unroll(i) must be the loop around the innermost */
#include "types.h"

#define DIA dia, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIA)
SPARSE_KERNEL(k, (minus(j, i), unroll(i), k), (Y, MAT, i, k), all((A, DIA, i, j), (X, MAT, j, k)), Y += A * X)

int main(void)
{
    mat Y = SPARSE_INIT(mat);
    dia A = SPARSE_INIT(dia);
    mat X = SPARSE_INIT(mat);
    return k(&Y, &A, &X) != SPARSE_OK;
}
