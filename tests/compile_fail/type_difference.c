/* expect: k: below minus(j, i), the next level stores i, or mod(i, 2) in blocks */
#include "sparse.h"

#define T k, ((i, j, b), (compressed, minus(j, i)), (dense, b), (dense, i)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
