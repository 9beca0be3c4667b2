/* expect: k: (1.0f) is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"
#define I (1.0f)
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((I, CSR, i, j), (x, VEC, j)), y += I * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
