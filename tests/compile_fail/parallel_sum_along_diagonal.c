/* expect: k: parallel_sum(i) must be the outermost loop */
#include "types.h"

#define DIA dia, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIA)
SPARSE_KERNEL(k, (minus(j, i), parallel_sum(i)), (s, double), all((A, DIA, i, j)), s += A)

int main(void)
{
    double s = 0;
    dia A = SPARSE_INIT(dia);
    return k(&s, &A) != SPARSE_OK;
}
