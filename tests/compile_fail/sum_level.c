/* expect: k: operand A: sums are of levels that store coordinates, and this level type does not */
#include "../triangle.h"

#include "sparse.h"

#define VEC      vec, SPARSE_DENSE_1D, double, 32, 32
#define TRIANGLE triangle, ((i, j), (dense, i), (triangle, j)), double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(TRIANGLE)
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, TRIANGLE, i, plus(j, (1)))), y += A)

int main(void)
{
    triangle A = SPARSE_INIT(triangle);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
