/* expect: k: two loops have the index l */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(where((w, double), (l, l), all((A, CSR, i, l)), w += A), (x, VEC, i)), y += w * x)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
