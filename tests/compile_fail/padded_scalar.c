/* expect: k: operand A: double is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(padded(A, double), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
