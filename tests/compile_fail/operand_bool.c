/* expect: is a word or a type of C, and cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((bool, VEC, i)), y = 1)

int main(void)
{
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &x) != SPARSE_OK;
}
