/* expect: k: operand A: its levels store l below an index that the loops reach only after l; reorder the loops (l, m), or sparse_convert A if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j),
              all(where((s, double), (l, m), all((A, CSR, m, l)), s += A), (E, MAT, i, j)), C = s)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
