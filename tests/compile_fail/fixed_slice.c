/* expect: k: the sizes of A are fixed, so it is neither assembled, sliced, nor given the pattern of an operand */
#include "types.h"
#define W   w, SPARSE_CSR, double, 16, 8, fixed(64, 256)
#define IN  in, SPARSE_DENSE_1D, double, 16, 16, fixed(256)
#define OUT out, SPARSE_DENSE_1D, double, 16, 16, fixed(64)
SPARSE_TENSOR(W)
SPARSE_TENSOR(IN)
SPARSE_TENSOR(OUT)
SPARSE_KERNEL(k, (i, j), (y, OUT, i), all(slice(A, W, i, j), (x, IN, j)), y += A * x)

int main(void) { return 0; }
