/* expect: k: nonuniqe, in compressed(nonuniqe), is no property: these are nonunique, nonordered and soa */
#include "sparse.h"

#define T k, ((i, j), (dense, i), (compressed(nonuniqe), j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
