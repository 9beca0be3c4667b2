/* expect: pasted k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i), &(y, VEC, i), all((x, VEC, i)), y += x)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
