/* expect: k: operand alpha: double is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(slice(alpha, double), (x, VEC, i)), y += alpha * x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
