/* expect: k: operand C: kernels over this level type are not available */
#include "types.h"

#define BAGS bags, ((i, j, k), (compressed(nonunique), i), (compressed, j), (compressed, k)), double, 32, 32
#define CUBE cube, SPARSE_DENSE_3D, double, 32, 32
SPARSE_TENSOR(BAGS)
SPARSE_TENSOR(CUBE)
SPARSE_KERNEL(k, (i, j, k), (C, BAGS, i, j, k), all((A, CUBE, i, j, k)), C = A)

int main(void)
{
    bags C = SPARSE_INIT(bags);
    cube A = SPARSE_INIT(cube);
    return k(&C, &A) != SPARSE_OK;
}
