/* expect: k: operand A: a sum needs an index */
#include "types.h"

SPARSE_KERNEL(k, (i, p), (y, VEC, i), all((A, CSR, i, plus(times(0, p), (2))), (w, VEC, p)), y += A * w)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec w = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &w) != SPARSE_OK;
}
