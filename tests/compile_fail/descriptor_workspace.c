/* expect: computed where: operand w has another encoding, value type, width or size than SPARSE_TENSOR gave to made */
#include "types.h"

#define MADE made, SPARSE_VECTOR, double, 32, 32
#define OTHER made, SPARSE_VECTOR, double, 32, 64
SPARSE_TENSOR(MADE)
/* here */ SPARSE_KERNEL(k, (i, j), (C, CSR, i, j), all(where((w, OTHER, j), (k, j), all((A, CSR, i, k), (B, CSR, k, j)), w += A * B)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A, &A) != SPARSE_OK;
}
