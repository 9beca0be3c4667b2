/* expect: k: operand A stores each row in several slots (i_count): it may stand in all(...), but not below any(...) or none(...) */
#include "types.h"

#define ELLPACK ellpack, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(ELLPACK)
SPARSE_KERNEL(k, (count(i, 4), i, j), (y, VEC, i), any((A, ELLPACK, i, j), (B, CSR, i, j)), y += A + B)

int main(void)
{
    ellpack A = SPARSE_INIT(ellpack);
    csr B = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &B) != SPARSE_OK;
}
