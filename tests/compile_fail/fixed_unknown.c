/* expect: computed k: no operand of fixed sizes has index k by itself: write range(k, size) */
#include "types.h"
#define W   w, SPARSE_CSR, double, 16, 8, fixed(64, 256)
#define IN  in, SPARSE_DENSE_1D, double, 16, 16, fixed(400)
#define OUT out, SPARSE_DENSE_1D, double, 16, 16, fixed(64)
SPARSE_TENSOR(W)
SPARSE_TENSOR(IN)
SPARSE_TENSOR(OUT)
SPARSE_KERNEL(k, (i, k), (y, OUT, i), all((x, IN, plus(i, k))), y += x)

int main(void) { return 0; }
