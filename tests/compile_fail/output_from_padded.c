/* expect: k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), from(0, padded(A, MAT, i, j)), all((x, VEC, i)), A = x)

int main(void)
{
    mat A = SPARSE_INIT(mat);
    vec x = SPARSE_INIT(vec);
    return k(&A, &x) != SPARSE_OK;
}
