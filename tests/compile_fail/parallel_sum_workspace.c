/* expect: k: parallel_sum(j): a loop of a workspace cannot be parallel; one around it can */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(where((s, double), (parallel_sum(j)), all((A, CSR, i, j)), s += A)), y = s)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
