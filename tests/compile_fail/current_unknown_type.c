/* expect: k: operand z: LINE is not the descriptor of a storage type */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (x, VEC, i), all((A, CSR, i, j), current(z, x, LINE, j)), x -= A * z)

int main(void)
{
    vec x = SPARSE_INIT(vec);
    csr A = SPARSE_INIT(csr);
    return k(&x, &A) != SPARSE_OK;
}
