/* expect: k: update and like are of tensors, and s is a scalar */
#include "types.h"

SPARSE_KERNEL(k, (i, j), update(s, double), all((A, CSR, i, j), (x, VEC, j)), s += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
