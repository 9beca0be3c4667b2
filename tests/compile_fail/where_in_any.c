/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses, or, directly in all(...), a workspace where(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j),
              any(where((w, VEC, j), (l, j), all((A, CSR, i, l)), w += A), (E, MAT, i, j)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
