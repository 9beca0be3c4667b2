/* expect: k: operand A: its levels store j, a part of an index; slices and sums are of whole ones */
#include "types.h"

#define ELL ell, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(ELL)
SPARSE_KERNEL(k, (i, j), (s, double), all((A, ELL, plus(i, j), j)), s += A)

int main(void)
{
    double s = 0;
    ell A = SPARSE_INIT(ell);
    return k(&s, &A) != SPARSE_OK;
}
