/* expect: k: unroll(k): the output w is assembled, in the order of its loops */
#include "types.h"

SPARSE_KERNEL(k, (i, r), (C, CSR, i, r),
              all(where((w, SVEC, r), (unroll(k), r), all((A, CSR, i, k), (X, MAT, k, r)), w += A * X)), C = w)

int main(void)
{
    csr C = SPARSE_INIT(csr), A = SPARSE_INIT(csr);
    mat X = SPARSE_INIT(mat);
    return k(&C, &A, &X) != SPARSE_OK;
}
