/* expect: k: 24 is no width of coordinates: 8, 16, 32, 64, or 0 for the width of size_t */
#include "sparse.h"

#define T k, SPARSE_CSR, double, 32, 24
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
