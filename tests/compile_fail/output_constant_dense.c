/* expect: k: output y cannot be written: its storage type ones has a constant for a value */
#include "types.h"

#define ONES ones, SPARSE_DENSE_1D, constant(double, 1), 32, 32
SPARSE_TENSOR(ONES)
SPARSE_KERNEL(k, (i), (y, ONES, i), all((x, VEC, i)), y = x)

int main(void)
{
    vec x = SPARSE_INIT(vec);
    ones y = SPARSE_INIT(ones);
    return k(&y, &x) != SPARSE_OK;
}
