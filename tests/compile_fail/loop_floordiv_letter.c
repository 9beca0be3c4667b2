/* expect: k: plus(i, j) is not an index name: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (floordiv(plus(i, j), 2), mod(plus(i, j), 2)), (s, double), all((A, BSR, i, j)), s += A)

int main(void)
{
    bsr A = SPARSE_INIT(bsr);
    double s = 0;
    return k(&s, &A) != SPARSE_OK;
}
