/* expect: k: the loops of a workspace run over whole indices, and l is divided */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j),
              all(where((s, double), (floordiv(l, 2), mod(l, 2)), all((A, CSR, i, l)), s += A), (E, MAT, i, j)), C = s)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
