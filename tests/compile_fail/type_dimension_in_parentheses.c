/* expect: k: (i) is no dimension: these are letters a to z */
#include "sparse.h"

#define T k, (((i), j), (dense, i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
