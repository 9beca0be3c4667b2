/* expect: k: operand A: its levels store j_diagonal; the loops need minus(...) of this index, and the other one inside */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, DIAGONALS, i, j)), y += A)

int main(void)
{
    diagonals A = SPARSE_INIT(diagonals);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
