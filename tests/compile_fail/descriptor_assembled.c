/* expect: computed k: operand C has another encoding, value type, width or size than SPARSE_TENSOR gave to csr */
#include "types.h"

#define OTHER csr, SPARSE_CSR, double, 16, 32
/* here */ SPARSE_KERNEL(k, (i, j), (C, OTHER, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
