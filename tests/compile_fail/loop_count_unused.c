/* expect: k: the loop count(i, 4) needs one operand that is stored so, and no other */
#include "types.h"


SPARSE_KERNEL(k, (count(i, 4), i, j), (y, VEC, i), all((A, CSR, i, j)), y += A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A) != SPARSE_OK;
}
