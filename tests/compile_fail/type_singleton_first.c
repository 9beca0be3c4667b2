/* expect: k: a singleton level stores one coordinate for each of a compressed level, and cannot be the first */
#include "sparse.h"

#define T k, ((i, j), (singleton(nonunique), i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
