/* expect: k: (C) is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i, j), like(A, (C), CSR, i, j), all((x, VEC, j)), C = A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    return k(&C, &A, &x) != SPARSE_OK;
}
