/* expect: k: parallel(i): operand A stores one triangle, so iterations add to the same elements; leave parallel out, or store both triangles */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i), j), (y, VEC, i), all(symmetric(A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
