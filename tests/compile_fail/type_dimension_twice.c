/* expect: k: two dimensions are i */
#include "sparse.h"

#define T k, ((i, i), (dense, i), (compressed, i)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
