/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses, or, directly in all(...), a workspace where(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(slice((A, CSR, i, j)), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
