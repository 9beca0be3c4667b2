/* expect: k: the operands must be all(...), any(...) or none(...) of operands in parentheses */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(where((w, double), (j), padded(A, CSR, plus(i, (1)), j), w += A), (x, VEC, i)), y = w * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
