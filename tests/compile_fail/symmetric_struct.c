/* expect: computed hermitian(A, ...) has values of a real or complex type of C */
#include "types.h"

typedef struct pair {
    double re, im;
} pair;
#define PAIRS pairs, SPARSE_CSR, pair, 32, 32
SPARSE_TENSOR(PAIRS)
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(hermitian(A, PAIRS, i, j)), y += A.re)

int main(void)
{
    pairs A = SPARSE_INIT(pairs);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
