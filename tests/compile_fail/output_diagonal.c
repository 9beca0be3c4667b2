/* expect: k: output C is dense, and its levels store j_diagonal: only an output with a sparse level can be converted from another order */
#include "types.h"
#define BAND band, ((i, j), (dense, minus(j, i)), (dense, i)), double, 32, 32
SPARSE_TENSOR(BAND)
SPARSE_KERNEL(k, (minus(j,i), i), (C, BAND, i, j), all((A, MAT, i, j)), C = A)
int main(void) { mat A = SPARSE_INIT(mat); band C = SPARSE_INIT(band); return k(&C, &A) != SPARSE_OK; }
