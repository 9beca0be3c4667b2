/* expect: pasted k: 1.0f is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"
#define I (1.0f)
SPARSE_KERNEL(k, (i, j), (I, VEC, i), all(slice(A, CSR, i, j), (x, VEC, j)), I += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
