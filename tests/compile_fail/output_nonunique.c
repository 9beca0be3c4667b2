/* expect: k: output C is assembled in the order of i, which operand A may store more than once in its last level */
#include "types.h"

SPARSE_KERNEL(k, (i), (C, SVEC, i), all((A, BAG, i)), C = A)

int main(void)
{
    bag A = SPARSE_INIT(bag);
    svec C = SPARSE_INIT(svec);
    return k(&C, &A) != SPARSE_OK;
}
