/* expect: computed k: current(z, x, ...): x is not an output of type mat */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (x, VEC, i), all((A, CSR, i, j), current(z, x, MAT, j, i)), x -= A * z)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    return k(&x, &A) != SPARSE_OK;
}
