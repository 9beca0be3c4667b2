/* expect: k: a workspace must be where((name, TYPE, indices), (loops), operands, statement) */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all(where(like(x, w, VEC, i), (i), all((x, VEC, i)), w = x)), y += w)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
