/* expect: k: parallel(i): operand a stores i as differences or bits, which are read one after the other */
#include "types.h"

#define GAPS gaps, ((i), (delta(8), i)), double, 32, 32
SPARSE_TENSOR(GAPS)
SPARSE_KERNEL(k, (parallel(i)), (x, VEC, i), all((a, GAPS, i)), x += a)

int main(void)
{
    gaps a = SPARSE_INIT(gaps);
    vec x = SPARSE_INIT(vec);
    return k(&x, &a) != SPARSE_OK;
}
