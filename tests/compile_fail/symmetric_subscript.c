/* expect: k: operand A stores one triangle, so its last two indices must be letters */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(symmetric(A, CSR, i, plus(j, (1)))), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
