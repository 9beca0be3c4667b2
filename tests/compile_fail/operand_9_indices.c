/* expect: k: operand A has the wrong number of indices: its storage type mat has rank 2 */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, MAT, i, j, i, j, i, j, i, j, i)), y += A)

int main(void)
{
    mat A = SPARSE_INIT(mat);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
