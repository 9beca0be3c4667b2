/* expect: k: prefetch(q): the loop is over offsets at which something is stored, not over entries */
#include "types.h"

SPARSE_KERNEL(k, (i, p, prefetch(q), j), (C, MAT, i, j), all((A, CSR, plus(i, p), plus(j, q)), (E, MAT, p, q)), C += A * E)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
