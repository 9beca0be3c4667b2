/* expect: k: double alpha is a word or a type of C, and cannot name an operand */
#include "types.h"

SPARSE_KERNEL(k, (i), (y, VEC, i), all((double alpha, double)), y += alpha)

int main(void)
{
    vec y = SPARSE_INIT(vec);
    double alpha = 1;
    return k(&y, &alpha) != SPARSE_OK;
}
