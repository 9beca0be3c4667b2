/* expect: k: operand x has no type: write (x, double), or (x, VEC, i) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, )), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
