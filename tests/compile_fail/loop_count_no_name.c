/* expect: k: (2) is not a name; a macro, such as I of <complex.h>, cannot name an operand */
#include "types.h"

#define SLICES slices, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(SLICES)
SPARSE_KERNEL(k, (count(i, 4), i, j), (y, VEC, i), all((A, SLICES, i, j), ((2), VEC, i)), y += A)

int main(void)
{
    slices A = SPARSE_INIT(slices);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
