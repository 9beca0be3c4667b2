/* expect: k: row is not an index name: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (minus(j, i), i, row), (y, VEC, i), all((A, CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
