/* expect: k: dense(nonunique) is no level type */
#include "sparse.h"

#define T k, ((i, j), (dense(nonunique), i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
