/* expect: k: operand A: index i is repeated; use two indices and compare them in the statement */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((A, CSR, i, i)), y = A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
