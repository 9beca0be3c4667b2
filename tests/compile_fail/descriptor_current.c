/* expect: computed k: operand z has another encoding, value type, width or size than SPARSE_TENSOR gave to vec */
#include "types.h"

#define OTHER vec, SPARSE_DENSE_1D, double, 64, 32
/* here */ SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, CSR, i, j), current(z, y, OTHER, j)), y += A * z)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
