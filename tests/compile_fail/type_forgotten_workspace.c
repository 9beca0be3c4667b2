/* expect: unknown type name */
#include "types.h"

#define MADE made, SPARSE_VECTOR, double, 32, 32
/* here */ SPARSE_KERNEL(k, (i, j), (C, CSR, i, j), all(where((w, MADE, j), (k, j), all((A, CSR, i, k), (B, CSR, k, j)), w += A * B)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A, &A) != SPARSE_OK;
}
