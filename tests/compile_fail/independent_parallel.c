/* expect: k: parallel(l): independent(...) distributes its iterations to all threads; leave parallel out */
#include "types.h"

SPARSE_KERNEL(k, (parallel(l), independent(i), j), (Y, MAT, l, i), all((S, CSR, l, i), (A, CSR, i, j)), Y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr), S = SPARSE_INIT(csr);
    mat Y = SPARSE_INIT(mat);
    return k(&Y, &S, &A) != SPARSE_OK;
}
