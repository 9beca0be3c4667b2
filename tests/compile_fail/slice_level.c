/* expect: k: operand A: slices are of levels that store coordinates, and this level type does not */
#include "../triangle.h"

#include "sparse.h"

#define VEC      vec, SPARSE_DENSE_1D, double, 32, 32
#define TRIANGLE triangle, ((i, j), (dense, i), (triangle, j)), double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(TRIANGLE)
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(slice(A, TRIANGLE, i, j)), y += A)

int main(void)
{
    triangle A = SPARSE_INIT(triangle);
    vec y = SPARSE_INIT(vec);
    const sparse_slice part[2] = {{0, 2, 1}, {0, 2, 1}};
    return k(&y, &A, part) != SPARSE_OK;
}
