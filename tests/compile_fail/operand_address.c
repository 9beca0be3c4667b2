/* expect: pasted k: &A is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((&A, CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
