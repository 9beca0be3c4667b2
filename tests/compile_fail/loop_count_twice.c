/* expect: k: the loop count(i, 4) needs one operand that is stored so, and no other */
#include "types.h"

#define ELLPACK ellpack, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(ELLPACK)
SPARSE_KERNEL(k, (count(i, 4), i, j), (y, VEC, i), all((A, ELLPACK, i, j), (B, ELLPACK, i, j)), y += A * B)

int main(void)
{
    ellpack A = SPARSE_INIT(ellpack), B = SPARSE_INIT(ellpack);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &B) != SPARSE_OK;
}
