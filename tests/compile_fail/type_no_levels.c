/* expect: k: the encoding has dimensions, but no levels */
#include "sparse.h"

#define T k, ((i, j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
