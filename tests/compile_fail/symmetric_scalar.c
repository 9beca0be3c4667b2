/* expect: k: operand A: double is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(symmetric(A, double), (x, VEC, i)), y += A * x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, 1.0, &x) != SPARSE_OK;
}
