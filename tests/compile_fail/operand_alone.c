/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses, or, directly in all(...), a workspace where(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), (A, CSR, i, j), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
