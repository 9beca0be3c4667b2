/* expect: k: independent(b): the output s does not have the index b, so iterations would write to the same place */
#include "types.h"

SPARSE_KERNEL(k, (l, independent(b), i), (s, double), all((S, CSR, l, b), symmetric(A, MAT, b, i)), s += A)

int main(void)
{
    csr S = SPARSE_INIT(csr);
    mat A = SPARSE_INIT(mat);
    double s = 0;
    return k(&s, &S, &A) != SPARSE_OK;
}
