/* expect: k: down(j): a loop of a workspace runs upwards; one around it can run down */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(where((s, double), (down(j)), all((A, CSR, i, j)), s += A)), y = s)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
