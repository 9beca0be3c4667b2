/* expect: k: operand A: its levels store j_diagonal, a part of an index; slices and sums are of whole ones */
#include "types.h"

#define PARTS parts, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(PARTS)
SPARSE_KERNEL(k, (minus(j, i), i), (y, VEC, i), all(slice(A, PARTS, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    parts A = SPARSE_INIT(parts);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
