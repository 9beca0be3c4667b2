/* expect: k: j is stored by one level, or by floordiv(j, 2) and below it mod(j, 2) */
#include "sparse.h"

#define T k, ((i, j), (dense, i)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
