/* expect: k: unroll(j): the output C needs the index l of the innermost loop */
#include "types.h"

SPARSE_KERNEL(k, (i, unroll(j), l), (C, MAT, i, j), all((A, CSR, i, j), (E, MAT, j, l)), C += A * E)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
