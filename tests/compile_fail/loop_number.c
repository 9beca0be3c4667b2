/* expect: k: parallel(i, 4) is not an index name: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (parallel(i, 4), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
