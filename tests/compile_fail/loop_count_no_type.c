/* expect: k: operand x: VECTOR is not the descriptor of a storage type */
#include "types.h"

#define SLICES slices, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(SLICES)
SPARSE_KERNEL(k, (count(i, 4), i, j), (y, VEC, i), all((A, SLICES, i, j), (x, VECTOR, i)), y += A * x)

int main(void)
{
    slices A = SPARSE_INIT(slices);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
