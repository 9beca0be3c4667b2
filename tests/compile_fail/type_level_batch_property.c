/* expect: k: batch(soa) is no level type */
#include "sparse.h"

#define T k, ((b, i), (batch(soa), b), (dense, i)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
