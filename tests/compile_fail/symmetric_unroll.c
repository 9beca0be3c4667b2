/* expect: k: unroll(j): operand A stores one triangle, so iterations add to the same elements; leave unroll out, or store both triangles */
#include "types.h"

SPARSE_KERNEL(k, (i, unroll(j), p), (y, MAT, i, p), all(symmetric(A, CSR, i, j), (x, MAT, j, p)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat x = SPARSE_INIT(mat), y = SPARSE_INIT(mat);
    return k(&y, &A, &x) != SPARSE_OK;
}
