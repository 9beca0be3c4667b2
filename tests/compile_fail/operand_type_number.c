/* expect: pasted k: operand x: 2.0 is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, 2.0)), y += x)

int main(void)
{
    vec y = SPARSE_INIT(vec);
    double x = 1;
    return k(&y, &x) != SPARSE_OK;
}
