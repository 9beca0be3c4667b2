/* expect: k: prefetch(j): the loop has to be over one sparse operand alone */
#include "types.h"

SPARSE_KERNEL(k, (i, prefetch(j)), (y, VEC, i), any((A, CSR, i, j), (B, CSR, i, j)), y += A + B)

int main(void)
{
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &B) != SPARSE_OK;
}
