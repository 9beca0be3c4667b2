/* expect: k: 4, in structured(4), is no property */
#include "sparse.h"

#define T k, ((i, j), (dense, i), (structured(4), j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
