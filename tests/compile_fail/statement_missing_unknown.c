/* expect: k: the statement is missing, or the comma before it */
#include "types.h"

SPARSE_KERNEL(k, (i, j), y, all((A, CSR, i, j), (x, VEC, j)))

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
