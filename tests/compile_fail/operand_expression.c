/* expect: pasted k: A(i, j) is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A(i, j), CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
