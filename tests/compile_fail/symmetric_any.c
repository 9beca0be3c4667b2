/* expect: k: operand A stores one triangle, and must stand in all(...), not in any(...) or none(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), any(symmetric(A, CSR, i, j), (B, MAT, i, j)), y += A + B)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat B = SPARSE_INIT(mat);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &B) != SPARSE_OK;
}
