/* expect: k: operand A stores one triangle, and the subscripts of x beside it must be letters */
#include "types.h"

SPARSE_KERNEL(k, (i, j, p), (y, VEC, i), all(symmetric(A, CSR, i, j), (x, VEC, plus(j, p)), (f, VEC, p)), y += A * x * f)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x, &x) != SPARSE_OK;
}
