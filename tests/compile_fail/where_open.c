/* expect: k: a workspace has a loop over i and is made inside one over i */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j),
              all(where((s, double), (i), all((A, CSR, i, j)), s += A), (E, MAT, i, j)), C = s)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
