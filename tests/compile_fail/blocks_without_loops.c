/* expect: k: operand A: index i is in blocks in its levels, which need the loops floordiv(i, 2) and mod(i, 2) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j), all((A, BSR, i, j)), C = A)

int main(void)
{
    bsr A = SPARSE_INIT(bsr);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A) != SPARSE_OK;
}
