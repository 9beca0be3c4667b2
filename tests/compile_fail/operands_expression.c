/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), A && x, y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
