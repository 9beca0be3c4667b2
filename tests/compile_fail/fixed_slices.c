/* expect: t: sizes are fixed of levels over dimensions and their blocks only */
#include "types.h"
#define W   w, SPARSE_CSR, double, 16, 8, fixed(64, 256)
#define IN  in, SPARSE_DENSE_1D, double, 16, 16, fixed(256)
#define OUT out, SPARSE_DENSE_1D, double, 16, 16, fixed(64)
SPARSE_TENSOR(W)
SPARSE_TENSOR(IN)
SPARSE_TENSOR(OUT)
SPARSE_TENSOR(t, SPARSE_ELL(8), double, 16, 8, fixed(64, 64)) /* here */

int main(void) { return 0; }
