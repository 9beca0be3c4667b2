/* expect: k: operand y: VECTOR is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i)), (y, VECTOR, i), all((x, VEC, i)), y = x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
