/* expect: k: workspace w is stored sparsely and made in a parallel loop, for which the output has to be assembled */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i), j), (C, MAT, i, j),
              all(where((w, SVEC, j), (l, j), all((A, CSR, i, l), (E, MAT, l, j)), w += A * E)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
