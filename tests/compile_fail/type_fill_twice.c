/* expect: k: i is stored by one level, or by */
#include "sparse.h"

#define T k, ((i), (dense, i), (compressed, i)), double, 32, 32
SPARSE_TENSOR_FILL(T, 1) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
