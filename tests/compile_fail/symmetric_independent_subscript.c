/* expect: k: operand A stores one triangle, so its last two indices must be letters */
#include "types.h"

SPARSE_KERNEL(k, (l, independent(i), j, p), (Y, MAT, i, l), all((M, MAT, l, i), symmetric(A, CSR, i, plus(j, p)), (x, VEC, j), (f, VEC, p)), Y += A * x * f)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat M = SPARSE_INIT(mat), Y = SPARSE_INIT(mat);
    vec x = SPARSE_INIT(vec), f = SPARSE_INIT(vec);
    return k(&Y, &M, &A, &x, &f) != SPARSE_OK;
}
