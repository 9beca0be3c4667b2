/* expect: k: operand w: count(j) is no index: these are letters a to z, and sums, as plus(i, (-1)) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSR, i, j), where((w, VEC, count(j)), (j), all((x, VEC, j)), w += x)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
