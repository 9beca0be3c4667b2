/* expect: k: independent(j): operand A stores j as differences or bits, which are read one after the other */
#include "types.h"

#define GAPS gaps, ((i, j), (dense, i), (delta(8), j)), double, 32, 32
SPARSE_TENSOR(GAPS)
SPARSE_KERNEL(k, (i, independent(j)), (C, MAT, i, j), all((A, GAPS, i, j)), C += A)

int main(void)
{
    gaps A = SPARSE_INIT(gaps);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A) != SPARSE_OK;
}
