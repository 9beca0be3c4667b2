/* expect: k: count(i, 4): the line reads current(...), so its iterations have to run one after the other, in order */
#include "types.h"

#define ELL ell, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(ELL)
SPARSE_KERNEL(k, (count(i, 4), i, j), (x, VEC, i), all((A, ELL, i, j), current(z, x, VEC, j)), if (j < i) x -= A * z)

int main(void)
{
    ell A = SPARSE_INIT(ell);
    vec x = SPARSE_INIT(vec);
    return k(&x, &A) != SPARSE_OK;
}
