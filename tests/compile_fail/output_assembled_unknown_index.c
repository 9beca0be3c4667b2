/* expect: k: operand C: no loop over index l */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, CSR, l, j), all((A, CSR, i, j)), C += A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
