/* expect: k: tile(i): the loop has to be over all coordinates */
#include "types.h"

#define DIA dia, SPARSE_DIA, double, 32, 32
SPARSE_TENSOR(DIA)
SPARSE_KERNEL(k, (minus(j, i), tile(i, 64)), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    dia A = SPARSE_INIT(dia);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
