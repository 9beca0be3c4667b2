/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses, or, directly in all(...), a workspace where(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(where((w, VEC, j), (j), all((x, VEC, j)), w = x), both((A, CSR, i, j))), y += A * w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x, &A) != SPARSE_OK;
}
