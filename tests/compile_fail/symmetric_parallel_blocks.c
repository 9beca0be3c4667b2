/* expect: k: parallel(i): operand A stores one triangle, so iterations add to the same elements; leave parallel out, or store both triangles */
#include "types.h"

SPARSE_KERNEL(k, (parallel(floordiv(i, 2)), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
              all(symmetric(A, BSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    bsr A = SPARSE_INIT(bsr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
