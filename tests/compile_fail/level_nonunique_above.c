/* expect: k: operand A: kernels over this level type are not available */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j), all((A, HEAP, i, j)), C = A)

int main(void)
{
    heap A = SPARSE_INIT(heap);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A) != SPARSE_OK;
}
