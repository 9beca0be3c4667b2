/* expect: k: an operand has one of the words slice, padded, current, symmetric, skew and hermitian */
#include "types.h"

SPARSE_KERNEL(k, (i, p), (y, VEC, i), all(padded(slice(x, VEC, plus(i, p))), (w, VEC, p)), y += x * w)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), w = SPARSE_INIT(vec);
    return k(&y, &x, &w) != SPARSE_OK;
}
