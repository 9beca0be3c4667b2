/* expect: k: operand A: its levels store l below an index that the loops reach only after l; reorder the loops (i, l, m), or sparse_convert A if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (i, j, q), (C, MAT, i, j),
              all(where((s, double), (l, m), all((A, CSR, m, l), (x, VEC, i)), s += A * x), (E, MAT, i, j), (y, VEC, q)), C += s * y)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &x, &E, &y) != SPARSE_OK;
}
