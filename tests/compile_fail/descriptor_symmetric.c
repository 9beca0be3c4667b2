/* expect: computed k: operand A has another encoding, value type, width or size than SPARSE_TENSOR gave to csr */
#include "types.h"

#define OTHER csr, SPARSE_CSR, double, 32, 64
/* here */ SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(symmetric(A, OTHER, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
