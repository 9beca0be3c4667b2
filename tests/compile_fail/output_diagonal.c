/* expect: k: output C cannot be assembled: its levels store j_diagonal */
#include "types.h"

#define DIAGONALS diagonals, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIAGONALS)
SPARSE_KERNEL(k, (minus(j, i), i), (C, DIAGONALS, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    diagonals C = SPARSE_INIT(diagonals);
    return k(&C, &A) != SPARSE_OK;
}
