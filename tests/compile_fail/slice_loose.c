/* expect: k: operand a: a slice needs levels that are ordered, the last of them unique */
#include "types.h"

#define LOOSE loose, ((i), (compressed(nonunique, nonordered), i)), double, 32, 32
SPARSE_TENSOR(LOOSE)
SPARSE_KERNEL(k, (i), (s, double), all(slice(a, LOOSE, i)), s += a)

int main(void)
{
    loose a = SPARSE_INIT(loose);
    double s = 0;
    return k(&s, &a) != SPARSE_OK;
}
