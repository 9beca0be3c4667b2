/* expect: k: output y is assembled, so give the sum with i a name of its own: the loop let(u, ...) makes it an index u */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, CSR, j, plus(i, (1))), all((A, MAT, i, j)), y += A)

int main(void)
{
    csr y = SPARSE_INIT(csr);
    mat A = SPARSE_INIT(mat);
    return k(&y, &A) != SPARSE_OK;
}
