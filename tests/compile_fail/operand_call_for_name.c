/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses, or, directly in all(...), a workspace where(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (s, double), all((slice(A, 0, 1), CSR, i, j)), s += A)

int main(void)
{
    double s = 0;
    csr A = SPARSE_INIT(csr);
    return k(&s, &A) != SPARSE_OK;
}
