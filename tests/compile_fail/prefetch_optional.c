/* expect: k: prefetch(j): the loop has to be over one sparse operand alone */
#include "types.h"

#define ROWS rows, ((i, j), (compressed, i), (dense, j)), double, 32, 32
SPARSE_TENSOR(ROWS)
SPARSE_KERNEL(k, (i, prefetch(j)), (y, VEC, j), any((A, ROWS, i, j), (x, SVEC, i)), y += A)

int main(void)
{
    rows A = SPARSE_INIT(rows);
    svec x = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec);
    return k(&y, &A, &x) != SPARSE_OK;
}
