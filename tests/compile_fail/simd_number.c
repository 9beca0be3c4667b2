/* expect: k: simd(3, 4) is not an index name: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (simd(3, 4)), (y, VEC, i), all((x, VEC, i)), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
