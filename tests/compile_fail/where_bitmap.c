/* expect: k: workspace w has other levels than dense ones and compressed ones that are unique and ordered */
#include "types.h"

#define BITS bits, ((i), (bitmap, i)), double, 32, 32
SPARSE_TENSOR(BITS)

SPARSE_KERNEL(k, (i, j), (y, VEC, i),
              all(where((w, BITS, j), (l, j), all((A, CSR, i, l), (E, MAT, l, j)), w += A * E), (x, VEC, j)), y += w * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat E = SPARSE_INIT(mat);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &E, &x) != SPARSE_OK;
}
