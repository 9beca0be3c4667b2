/* expect: k: operand w: no loop over index j */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j),
              all(where((w, VEC, j), (l), all((A, CSR, i, l)), w += A), (E, MAT, i, j)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
