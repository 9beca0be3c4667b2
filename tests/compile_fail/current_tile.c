/* expect: k: tile(i): the line reads current(...), so its iterations have to run one after the other, in order */
#include "types.h"

SPARSE_KERNEL(k, (tile(i, 8), j), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)), if (j < i) x -= A * z)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    return k(&x, &A) != SPARSE_OK;
}
