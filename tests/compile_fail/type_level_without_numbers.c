/* expect: k: operand A: kernels over this level type are not available */
#include "types.h"

#define T t, ((i, j), (dense, i), (structured, j)), double, 32, 32
SPARSE_TENSOR(T)
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, T, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    t A = SPARSE_INIT(t);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
