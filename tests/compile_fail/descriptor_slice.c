/* expect: computed k: operand A has another encoding, value type, width or size than SPARSE_TENSOR gave to csr */
#include "types.h"

#define OTHER csr, SPARSE_CSR, double, 32, 64
/* here */ SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(slice(A, OTHER, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    sparse_slice s[2] = {{0, 0, 1}, {0, 0, 1}};
    return k(&y, &A, s, &x) != SPARSE_OK;
}
