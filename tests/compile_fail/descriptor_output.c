/* expect: computed k: operand y has another encoding, value type, width or size than SPARSE_TENSOR gave to vec */
#include "types.h"

#define OTHER vec, SPARSE_DENSE_1D, float, 32, 32
/* here */ SPARSE_KERNEL(k, (i, j), (y, OTHER, i), all((A, CSR, i, j), (x, VEC, j)), y += (float)(A * x))

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
