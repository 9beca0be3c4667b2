/* expect: k: output C cannot be written: its storage type ones has a constant for a value */
#include "types.h"

#define ONES ones, SPARSE_CSR, constant(double, 1), 32, 32
SPARSE_TENSOR(ONES)
SPARSE_KERNEL(k, (i, j), update(C, ONES, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    ones C = SPARSE_INIT(ones);
    return k(&C, &A) != SPARSE_OK;
}
