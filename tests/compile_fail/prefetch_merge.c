/* expect: k: prefetch(l): the loop has to be over one sparse operand alone */
#include "types.h"

SPARSE_KERNEL(k, (i, prefetch(l), j), (C, MAT, i, j), all((A, CSR, i, l), (B, CSR, i, l), (E, MAT, l, j)),
              C += A * B * E)

int main(void)
{
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &B, &E) != SPARSE_OK;
}
