/* expect: k: operand A stores one triangle, and a line with it cannot have let(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j, let(u, i + j, 9)), (y, VEC, u), all(symmetric(A, CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
