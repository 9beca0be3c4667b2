/* expect: k: operand A stores one triangle, and a line with it cannot have current(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (x, VEC, i), all(symmetric(A, CSR, i, j), current(z, x, VEC, j)), x += A * z)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    return k(&x, &A) != SPARSE_OK;
}
