/* expect: k: operand A: its levels store j, a part of an index; slices and sums are of whole ones */
#include "types.h"

#define DIA dia, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIA)
SPARSE_KERNEL(k, (i, j), (s, double), all((A, DIA, plus(i, j), j)), s += A)

int main(void)
{
    double s = 0;
    dia A = SPARSE_INIT(dia);
    return k(&s, &A) != SPARSE_OK;
}
