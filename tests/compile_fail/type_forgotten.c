/* expect: unknown type name */
#include "types.h"

#define MADE made, SPARSE_CSR, double, 32, 32
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, MADE, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, NULL, &x) != SPARSE_OK;
}
