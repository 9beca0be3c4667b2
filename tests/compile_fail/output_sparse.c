/* expect: k: output C is sparse: write update(C, ...) to change its stored values in place */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
