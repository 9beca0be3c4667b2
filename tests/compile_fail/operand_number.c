/* expect: k: 2 is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((2, double), (A, CSR, i, j)), y += 2 * A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, 2, &A) != SPARSE_OK;
}
