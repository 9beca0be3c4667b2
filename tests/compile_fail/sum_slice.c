/* expect: k: operand x: its levels store i, a part of an index; slices and sums are of whole ones, and one at a time */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(slice(x, VEC, plus(i, (1)))), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
