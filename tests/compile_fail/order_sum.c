/* expect: k: operand A: its levels store plus(times(2, j), q, (-1)) below an index that the loops reach only after q; reorder the loops (p, j, q, i), or sparse_convert A if others need this order */
#include "types.h"

SPARSE_KERNEL(k, (p, j, q, i), (O, MAT, i, j), all((A, CSR, plus(i, p), plus(times(2, j), q, (-1))), (F, MAT, p, q)), O += A * F)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat F = SPARSE_INIT(mat), O = SPARSE_INIT(mat);
    return k(&O, &A, &F) != SPARSE_OK;
}
