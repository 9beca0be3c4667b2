/* expect: k: more than 3 levels */
#define SPARSE_MAX_LEVELS 3
#include "sparse.h"

#define T k, SPARSE_BSR(2, 2), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
