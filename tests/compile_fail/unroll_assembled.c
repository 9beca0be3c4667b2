/* expect: k: unroll(i): the output C is assembled, in the order of its loops */
#include "types.h"

SPARSE_KERNEL(k, (unroll(i), j), (C, CSR, i, j), all((E, MAT, i, j)), C = E)

int main(void)
{
    csr C = SPARSE_INIT(csr);
    mat E = SPARSE_INIT(mat);
    return k(&C, &E) != SPARSE_OK;
}
