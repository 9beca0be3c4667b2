/* expect: k: output y is assembled in the order of i, which operand x does not store in order */
#include "types.h"

#define LOOSE loose, ((i), (compressed(nonunique, nonordered), i)), double, 32, 32
SPARSE_TENSOR(LOOSE)
SPARSE_KERNEL(k, (i), (y, SVEC, i), all((x, LOOSE, i)), y += x)

int main(void)
{
    loose x = SPARSE_INIT(loose);
    svec y = SPARSE_INIT(svec);
    return k(&y, &x) != SPARSE_OK;
}
