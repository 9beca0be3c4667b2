/* expect: k: no operand has the index j */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, CSR, i, j), all((a, SVEC, i)), C += a)

int main(void)
{
    csr C = SPARSE_INIT(csr);
    svec a = SPARSE_INIT(svec);
    return k(&C, &a) != SPARSE_OK;
}
