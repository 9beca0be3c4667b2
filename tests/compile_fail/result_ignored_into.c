/* expect: ignoring return */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    csr C = SPARSE_INIT(csr);
    (void)k_into(&C, &A);
    k_into(&C, &A); /* here */
    return 0;
}
