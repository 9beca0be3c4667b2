/* expect: k: double is a word or a type of C, and cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((double, CSR, i, j), (x, VEC, j)), y += x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
