/* expect: k: operand a does not store i in order, and the line reads current(...), whose loops run in order */
#include "types.h"

SPARSE_KERNEL(k, (i), (x, VEC, i), all((a, LOT, i), current(z, x, VEC, plus(i, (-1)))), x += a * z)

int main(void)
{
    lot a = SPARSE_INIT(lot);
    vec x = SPARSE_INIT(vec);
    return k(&x, &a) != SPARSE_OK;
}
