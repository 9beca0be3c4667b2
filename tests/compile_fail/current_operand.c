/* expect: computed k: current(z, A, ...): A is not an output of type csr */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (x, VEC, i), all((A, CSR, i, j), current(z, A, CSR, i, j)), x -= A * z)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    return k(&x, &A) != SPARSE_OK;
}
