/* expect: k: down(i): operand A finds one position from the one before it, so the loop runs upwards */
#include "types.h"

SPARSE_KERNEL(k, (down(i), j), (y, VEC, i), all((A, COO, i, j)), y += A)

int main(void)
{
    coo A = SPARSE_INIT(coo);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
