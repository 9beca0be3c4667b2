/* expect: k: simd(j): operand A stores one triangle, so iterations add to the same elements; leave simd out, or store both triangles */
#include "types.h"

SPARSE_KERNEL(k, (i, simd(j)), (y, VEC, i), all(skew(A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
