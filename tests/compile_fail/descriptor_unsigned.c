/* expect: computed k: operand A has another encoding, value type, width or size than SPARSE_TENSOR gave to counts */
#include "types.h"

#define COUNTS counts, SPARSE_CSR, uint32_t, 32, 32
#define OTHER  counts, SPARSE_CSR, int32_t, 32, 32
SPARSE_TENSOR(COUNTS)
/* here */ SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, OTHER, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    counts A = SPARSE_INIT(counts);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
