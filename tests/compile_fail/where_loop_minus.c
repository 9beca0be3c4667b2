/* expect: k: the loop minus(s, i) needs the loop i inside it; there s follows from both */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((x, VEC, i), where((w, double), (minus(s, i)), all((z, VEC, s)), w += z)), y += w * x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x, &x) != SPARSE_OK;
}
