/* expect: k: parallel(j): the output C is assembled, so only the outermost loop, over its outermost level, can be parallel */
#include "types.h"

SPARSE_KERNEL(k, (i, parallel(j)), (C, CSR, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
