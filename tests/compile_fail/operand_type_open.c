/* expect: k: operand A: t is not the descriptor of a storage type */
#include "types.h"

#define T t, (i, j), (dense, i), (compressed, j), double, 32, 32
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, T, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
