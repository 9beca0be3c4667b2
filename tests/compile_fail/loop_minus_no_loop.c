/* expect: k: the loop minus(j, i) needs the loop i inside it; there j follows from both */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (minus(j, i)), (s, double), all((A, DIAGONALS, i, j)), s += A)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    double s = 0;
    return k(&s, &A) != SPARSE_OK;
}
