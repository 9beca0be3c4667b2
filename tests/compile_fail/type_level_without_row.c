/* expect: k: triangle has no SPARSE_P_LEVEL_ROW_triangle */
#include "../triangle.h"

#include "sparse.h"
#undef SPARSE_P_LEVEL_ROW_triangle

#define T   k, ((i, j), (dense, i), (triangle, j)), double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(T) /* here */
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(sum, (i, j), (y, VEC, i), all((A, T, i, j)), y += A)

int main(void)
{
    k A = SPARSE_INIT(k);
    vec y = SPARSE_INIT(vec);
    return sum(&y, &A) != SPARSE_OK;
}
