/* expect: k: unroll(k): each iteration makes workspace w, so iterations cannot run together */
#include "types.h"

SPARSE_KERNEL(k, (i, unroll(k), j), (C, MAT, i, j),
              all(where((w, double), (j), all((E, MAT, k, j)), w += E), (A, CSR, i, k), (E2, MAT, k, j)), C += A * E2 / w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat C = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    return k(&C, &E, &A, &E) != SPARSE_OK;
}
