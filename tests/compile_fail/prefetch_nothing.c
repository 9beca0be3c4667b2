/* expect: k: prefetch(j): nothing is reached through j but what the loop itself is over */
#include "types.h"

SPARSE_KERNEL(k, (i, prefetch(j)), (y, VEC, i), all((A, CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
