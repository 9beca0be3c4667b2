/* expect: computed skew(A, ...) has values of a type with negative numbers */
#include "types.h"

#define BYTES bytes, SPARSE_CSR, uint8_t, 32, 32
SPARSE_TENSOR(BYTES)
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(skew(A, BYTES, i, j)), y += A)

int main(void)
{
    bytes A = SPARSE_INIT(bytes);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
