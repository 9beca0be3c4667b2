/* expect: k: more than 8 dimensions */
#include "sparse.h"

#define T                                                                                                                       \
    k, ((a, b, c, d, e, f, g, h, i), (dense, a), (dense, b), (dense, c), (dense, d), (dense, e), (dense, f), (dense, g), (dense, h), \
        (dense, i)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
