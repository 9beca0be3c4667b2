/* expect: k: a workspace must be where((name, TYPE, indices), (loops), operands, statement) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j), all(where((w, VEC, j), (l, j), all((A, CSR, i, l), (E, MAT, l, j)))), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
