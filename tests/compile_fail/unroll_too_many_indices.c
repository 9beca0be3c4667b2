/* expect: k: operand C has the wrong number of indices: its storage type mat has rank 2 */
#include "types.h"

SPARSE_KERNEL(k, (i, unroll(j), l), (C, MAT, i, l, l), all((A, CSR, i, j), (B, MAT, j, l)), C += A * B)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    mat B = SPARSE_INIT(mat), C = SPARSE_INIT(mat);
    return k(&C, &A, &B) != SPARSE_OK;
}
