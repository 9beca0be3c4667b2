/* expect: k: independent(j): the output C is assembled, in the order of its loops */
#include "types.h"

SPARSE_KERNEL(k, (i, independent(j)), (C, CSR, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
