/* expect: k: down(j): the loop merges sparse operands, which runs upwards */
#include "types.h"

SPARSE_KERNEL(k, (i, down(j)), (y, VEC, i), any((A, CSR, i, j), (B, CSR, i, j)), y += A + B)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &A) != SPARSE_OK;
}
