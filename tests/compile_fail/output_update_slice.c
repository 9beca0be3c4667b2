/* expect: k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), update(slice(A, CSR, i, j)), all((x, VEC, i)), A *= x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    const sparse_slice part[] = {{0, 1, 1}, {0, 1, 1}};
    return k(&A, part, &x) != SPARSE_OK;
}
