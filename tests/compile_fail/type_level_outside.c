/* expect: k: q is none of the dimensions (i, j) */
#include "sparse.h"

#define T k, ((i, j), (dense, i), (compressed, q)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
