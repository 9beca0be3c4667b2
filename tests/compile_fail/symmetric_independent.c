/* expect: k: independent(j): operand A stores one triangle, so iterations add to the same elements; leave independent out, or store both triangles */
#include "types.h"

SPARSE_KERNEL(k, (i, independent(j)), (C, MAT, i, j), all(symmetric(A, MAT, i, j)), C = A)

int main(void)
{
    mat A = SPARSE_INIT(mat), C = SPARSE_INIT(mat);
    return k(&C, &A) != SPARSE_OK;
}
