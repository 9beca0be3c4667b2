/* expect: k: unroll(i): the innermost loop, over j, has to be over all coordinates */
#include "types.h"

SPARSE_KERNEL(k, (unroll(i), j), (C, MAT, i, j), all((A, CSR, i, j), (E, MAT, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
