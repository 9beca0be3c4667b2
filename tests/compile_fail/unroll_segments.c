/* expect: k: unroll(i): operand A stores several positions with one i */
#include "types.h"

SPARSE_KERNEL(k, (unroll(i), j), (y, VEC, j), all(where((s, double), (p), all((A, COO, i, p)), s += A), (x, VEC, j)), y += s * x)

int main(void)
{
    coo A = SPARSE_INIT(coo);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
