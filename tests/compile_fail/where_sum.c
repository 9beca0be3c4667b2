/* expect: k: workspace w has a sum as a subscript, which only a dense vector has, as let(s, sum) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, MAT, i, j),
              all(where((w, VEC, plus(i, j)), (l, j), all((A, CSR, i, l), (E, MAT, l, j)), w += A * E)), C = w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &A, &E) != SPARSE_OK;
}
