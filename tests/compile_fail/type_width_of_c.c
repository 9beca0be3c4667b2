/* expect: k: int is no width of positions */
#include "sparse.h"

#define T k, SPARSE_CSR, double, int, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
