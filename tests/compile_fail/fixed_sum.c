/* expect: computed k: a sum of indices leaves x, whose size is fixed */
#include "types.h"
#define W   w, SPARSE_CSR, double, 16, 8, fixed(64, 256)
#define IN  in, SPARSE_DENSE_1D, double, 16, 16, fixed(256)
#define OUT out, SPARSE_DENSE_1D, double, 16, 16, fixed(64)
SPARSE_TENSOR(W)
SPARSE_TENSOR(IN)
SPARSE_TENSOR(OUT)
SPARSE_KERNEL(k, (i, j), (y, OUT, i), all((A, W, i, j), (x, IN, plus(i, j))), y += A * x)

int main(void) { return 0; }
