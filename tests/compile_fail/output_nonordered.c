/* expect: k: output C is assembled in the order of i, which operand A does not store in order */
#include "types.h"

SPARSE_KERNEL(k, (i), (C, SVEC, i), all((A, LOT, i)), C = A)

int main(void)
{
    lot A = SPARSE_INIT(lot);
    svec C = SPARSE_INIT(svec);
    return k(&C, &A) != SPARSE_OK;
}
