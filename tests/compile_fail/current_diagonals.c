/* expect: k: minus(j, i): the line reads current(...), so its iterations have to run one after the other, in order */
#include "types.h"

#define DIA dia, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIA)
SPARSE_KERNEL(k, (minus(j, i), i), (x, VEC, i), all((A, DIA, i, j), current(z, x, VEC, j)), if (j < i) x -= A * z)

int main(void)
{
    dia A = SPARSE_INIT(dia);
    vec x = SPARSE_INIT(vec);
    return k(&x, &A) != SPARSE_OK;
}
