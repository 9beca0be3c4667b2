/* expect: computed k: operand A has another encoding, value type, width or size than SPARSE_TENSOR gave to few */
#include "types.h"

#define FEW few, SPARSE_DENSE_2D, double, 32, 32, fixed(2, 3)
#define OTHER few, SPARSE_DENSE_2D, double, 32, 32, fixed(2, 1073741827)
SPARSE_TENSOR(FEW)
/* the sizes differ by 2^30 */
/* here */ SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, OTHER, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    few A = {0};
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
