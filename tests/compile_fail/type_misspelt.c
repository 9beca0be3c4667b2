/* expect: k: SPARSE_CRS is no encoding, as SPARSE_CSR or ((i, j), (dense, i), (compressed, j)) */
#include "sparse.h"

#define T k, SPARSE_CRS, double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
