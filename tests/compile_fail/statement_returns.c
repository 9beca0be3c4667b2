/* expect: return */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), if (A < 0) return; y += A * x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    csr A = SPARSE_INIT(csr);
    return k(&y, &A, &x) != SPARSE_OK;
}
