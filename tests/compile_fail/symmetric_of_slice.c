/* expect: k: an operand has one of the words slice, padded, current, symmetric, skew and hermitian */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(symmetric(slice(A, CSR, i, j))), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
