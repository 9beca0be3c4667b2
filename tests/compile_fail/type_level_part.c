/* expect: k: div(i, 2) is no dimension, nor a part of one */
#include "sparse.h"

#define T k, ((i, j), (dense, div(i, 2)), (compressed, j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
