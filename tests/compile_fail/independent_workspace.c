/* expect: k: independent(j): a loop of a workspace cannot be parallel; one around it can */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j),
              all(where((w, VEC, j), (l, independent(j)), all((A, CSR, i, l), (E, MAT, l, j)), w += A * E)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
