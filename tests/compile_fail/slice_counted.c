/* expect: k: operand A: its levels store i_count, a part of an index; slices and sums are of whole ones */
#include "types.h"

#define PARTS parts, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(PARTS)
SPARSE_KERNEL(k, (count(i, 4), i, j), (y, VEC, i), all(slice(A, PARTS, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    parts A = SPARSE_INIT(parts);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
