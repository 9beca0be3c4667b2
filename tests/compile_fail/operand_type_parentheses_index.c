/* expect: k: operand x: (double) is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((A, VEC, i), (x, (double), i)), y = A * x)

int main(void)
{
    vec y = SPARSE_INIT(vec), A = SPARSE_INIT(vec);
    return k(&y, &A, &y) != SPARSE_OK;
}
