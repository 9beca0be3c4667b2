/* expect: k: operand A: its levels store p, a part of an index; slices and sums are of whole ones */
#include "types.h"

#define PARTS parts, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(PARTS)
SPARSE_KERNEL(k, (i, p), (y, VEC, i), all((A, PARTS, i, plus(i, p)), (x, VEC, p)), y += A * x)

int main(void)
{
    parts A = SPARSE_INIT(parts);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
