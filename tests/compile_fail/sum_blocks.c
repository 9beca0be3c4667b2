/* expect: k: operand x: its levels store i, a part of an index; slices and sums are of whole ones */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((x, BSR, plus(i, (1)), j)), y += x)

int main(void)
{
    bsr x = SPARSE_INIT(bsr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
