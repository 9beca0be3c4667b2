/* expect: k: parallel(i): the output s does not have the index i, so iterations would write to the same place */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i)), (s, double), all((x, VEC, i)), s += x)

int main(void)
{
    vec x = SPARSE_INIT(vec);
    double s = 0;
    return k(&s, &x) != SPARSE_OK;
}
