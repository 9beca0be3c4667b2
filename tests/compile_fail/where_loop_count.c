/* expect: k: the loops of a workspace run over whole indices or blocks of them, and s is divided in another way */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, VEC, i), where((w, double), (count(s, 4)), all((z, VEC, s)), w += z)), y += w * x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x, &x) != SPARSE_OK;
}
