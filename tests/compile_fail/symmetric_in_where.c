/* expect: k: operand A stores one triangle, and a line with it cannot have where(...) */
#include "types.h"

SPARSE_KERNEL(k, (p), (y, VEC, p), all(where((s, double), (i, j), all(symmetric(A, CSR, i, j)), s += A), (x, VEC, p)),
              y += x * s)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
