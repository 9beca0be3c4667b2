/* expect: k: independent(i) must be the second loop: the first one runs in order */
#include "types.h"

SPARSE_KERNEL(k, (independent(i), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
