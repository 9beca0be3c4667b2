/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), slice(A, CSR, i, j), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    const sparse_slice part[] = {{0, 1, 1}, {0, 1, 1}};
    return k(&y, &A, part) != SPARSE_OK;
}
