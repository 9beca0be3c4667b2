/* expect: k: parallel(i): a parallel loop can assemble only one output */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i), j), ((C, CSR, i, j), (D, CSR, i, j)), all((A, CSR, i, j)), C = A; D = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr), D = SPARSE_INIT(csr);
    return k(&C, &D, &A) != SPARSE_OK;
}
