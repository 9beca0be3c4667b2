/* expect: k: parallel(k): the output S does not have the index k, so iterations would write to the same place */
#include "types.h"

SPARSE_KERNEL(k, (i, j, parallel(k)), update(S, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), S += A * B)

int main(void)
{
    csr S = SPARSE_INIT(csr);
    mat A = SPARSE_INIT(mat);
    return k(&S, &A, &A) != SPARSE_OK;
}
