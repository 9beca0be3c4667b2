/* expect: k: operand A: index i is in blocks in the loops, but not in its levels */
#include "types.h"

SPARSE_KERNEL(k, (floordiv(i, 2), mod(i, 2), j), (C, MAT, i, j), all((A, DCSR, i, j)), C = A)

int main(void)
{
    dcsr A = SPARSE_INIT(dcsr);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A) != SPARSE_OK;
}
