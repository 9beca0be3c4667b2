/* expect: k: i is stored by one level, or by floordiv(i, 2) and below it mod(i, 2) */
#include "sparse.h"

#define T k, ((i, j), (dense, floordiv(i, 2)), (compressed, j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
