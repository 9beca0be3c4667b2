/* expect: k: operand A: its levels store j_diagonal; the loops need minus(...) of this index, and the other one inside */
#include "types.h"

#define DDIA ddia, ((i, j), (dense, minus(j, i)), (dense, i)), double, 32, 32
SPARSE_TENSOR(DDIA)
SPARSE_KERNEL(k, (i, j), (s, double), all((A, DDIA, i, j)), s += A)

int main(void)
{
    double s = 0;
    ddia A = SPARSE_INIT(ddia);
    return k(&s, &A) != SPARSE_OK;
}
