/* expect: k: operand x: double is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(padded(x, double)), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
