/* expect: k: all, any and none nest more than three deep */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((a, VEC, i), any((b, VEC, i), all((c, VEC, i), any((d, VEC, i))))), y = a)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x, &x, &x, &x) != SPARSE_OK;
}
