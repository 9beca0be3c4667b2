/* expect: unknown type name */
#include "types.h"

#define MADE made, SPARSE_CSR, double, 32, 32
SPARSE_KERNEL(k, (i, j), (C, MADE, i, j), any((A, MADE, i, j), (B, MADE, i, j)), C = A + B)
SPARSE_KERNEL(again, (i, j), (y, VEC, i), all(slice(A, MADE, i, j), (x, VEC, j)), y += A * x)

int main(void) { return k(NULL, NULL, NULL) != SPARSE_OK; }
