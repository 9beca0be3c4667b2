/* expect: k: operand w: its levels store j below an index that the loops reach only after j; reorder the loops (j, i), or sparse_convert w if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (j, i), (C, MAT, i, j),
              all(where((w, CSR, i, j), (i, l, j), all((A, CSR, i, l), (E, MAT, l, j)), w += A * E)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
