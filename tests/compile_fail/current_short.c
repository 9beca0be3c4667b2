/* expect: k: what an output has at this moment is current(name, output, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (x, VEC, i), all((A, CSR, i, j), current(x, j)), x -= A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    return k(&x, &A) != SPARSE_OK;
}
