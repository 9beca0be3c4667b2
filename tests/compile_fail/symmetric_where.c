/* expect: k: operand A stores one triangle, and a line with it cannot have where(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (y, VEC, i), all(where((s, double), (p), all((x, VEC, p)), s += x), symmetric(A, CSR, i, j)),
              y += A * s)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x, &A) != SPARSE_OK;
}
