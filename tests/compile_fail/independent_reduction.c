/* expect: k: independent(j): the output y does not have the index j, so iterations would write to the same place */
#include "types.h"

SPARSE_KERNEL(k, (i, independent(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
