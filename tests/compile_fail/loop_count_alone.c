/* expect: k: count(i) is not an index name: use letters a to z, and commas between them */
#include "types.h"

#define ELL ell, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(ELL)

SPARSE_KERNEL(k, (count(i), i, j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    ell A = SPARSE_INIT(ell);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
