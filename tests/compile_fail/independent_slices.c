/* expect: k: independent(count(i, 4)): its iterations visit the same rows, so they would write to the same element */
#include "types.h"

#define SLICES slices, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(SLICES)
SPARSE_KERNEL(k, (l, independent(count(i, 4)), i, j), (Y, MAT, l, i), all((A, SLICES, i, j), (X, MAT, l, j)), Y += A * X)

int main(void)
{
    slices A = SPARSE_INIT(slices);
    mat X = SPARSE_INIT(mat), Y = SPARSE_INIT(mat);
    return k(&Y, &A, &X) != SPARSE_OK;
}
