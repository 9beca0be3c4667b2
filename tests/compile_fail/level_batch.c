/* expect: k: output C cannot be assembled: only dense levels, compressed ones, and the singletons of COO can */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, PILE, i, j), all((A, MAT, i, j)), C = A)

int main(void)
{
    mat A = SPARSE_INIT(mat);
    pile C = SPARSE_INIT(pile);
    return k(&C, &A) != SPARSE_OK;
}
