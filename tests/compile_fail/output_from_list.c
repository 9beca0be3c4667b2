/* expect: k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), from(0, (y, VEC, i)), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
