/* expect: k: parallel(count(i, 4)): its iterations visit the same rows, so they would write to the same element */
#include "types.h"

#define SLICES slices, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(SLICES)
SPARSE_KERNEL(k, (parallel(count(i, 4)), i, j), (y, VEC, i), all((A, SLICES, i, j), slice(B, MAT, i, j)), y += A * B)

int main(void)
{
    slices A = SPARSE_INIT(slices);
    mat B = SPARSE_INIT(mat);
    vec y = SPARSE_INIT(vec);
    const sparse_slice part[2] = {{0, 4, 1}, {0, 4, 1}};
    return k(&y, &A, &B, part) != SPARSE_OK;
}
