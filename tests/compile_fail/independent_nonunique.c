/* expect: k: independent(j): operand A may store j more than once, so iterations would write to the same place */
#include "types.h"

#define LISTS lists, ((i, j), (dense, i), (compressed(nonunique), j)), double, 32, 32
SPARSE_TENSOR(LISTS)
SPARSE_KERNEL(k, (i, independent(j)), (C, MAT, i, j), all((A, LISTS, i, j)), C += A)

int main(void)
{
    lists A = SPARSE_INIT(lists);
    mat C = SPARSE_INIT(mat);
    return k(&C, &A) != SPARSE_OK;
}
