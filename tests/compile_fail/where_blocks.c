/* expect: computed k: the loops and the levels of an operand divide an index into different parts */
#include "types.h"

#define TWO4 two4, SPARSE_N_OF_M(2, 4), double, 32, 8
SPARSE_TENSOR(TWO4)
SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, VEC, i), where((s, double), (floordiv(l, 8), mod(l, 8)), all((A, TWO4, i, l)), s += A)), y = x + s)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    two4 A = SPARSE_INIT(two4);
    return k(&y, &x, &A) != SPARSE_OK;
}
