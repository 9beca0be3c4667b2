/* expect: k: workspace w has the index i, and no loop over it comes after it is made */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j),
              all(where((w, VEC, i), (l), all((A, CSR, i, l)), w += A), (E, MAT, i, j)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
