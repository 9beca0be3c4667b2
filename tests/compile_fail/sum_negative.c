/* expect: pasted k: operand A: -1 is no term of a sum: these are indices, times(2, i), and constants in parentheses */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSR, i, plus(j, -1))), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
