/* expect: k: unroll(i) must be the loop around the innermost */
#include "types.h"

SPARSE_KERNEL(k, (unroll(i), l, j), (C, MAT, i, j), all((A, CSR, i, l), (E, MAT, l, j)), C += A * E)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
