/* expect: k: 2 is no dimension, nor a part of one: floordiv(i, 2), mod(i, 2), minus(j, i), count(i, 4) */
#include "sparse.h"

#define T k, ((i, j), (compressed, minus(j, 2)), (dense, i)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
