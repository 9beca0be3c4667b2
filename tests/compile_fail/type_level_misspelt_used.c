/* expect: t: densse is no level type: these are dense, compressed, loose_compressed */
#include "types.h"

#define T t, ((i, j), (densse, i), (compresed(nonunique), j)), double, 32, 32
SPARSE_TENSOR(T) /* here */
SPARSE_KERNEL(k, (i, j), (y, VEC, i), all((A, T, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    t A = SPARSE_INIT(t);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
