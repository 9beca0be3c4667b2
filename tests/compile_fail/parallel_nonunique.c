/* expect: k: parallel(i): operand A may store i more than once, so iterations would write to the same place */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i), j), (y, VEC, i), all((A, COO, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    coo A = SPARSE_INIT(coo);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
