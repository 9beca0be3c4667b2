/* expect: k: 12 is no width of positions */
#include "sparse.h"

#define T k, ((i), (compressed, i)), double, 12, 32
SPARSE_TENSOR_FILL(T, 1) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
