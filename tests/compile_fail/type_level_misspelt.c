/* expect: k: dens is no level type: these are dense, compressed, loose_compressed */
#include "sparse.h"

#define T k, ((i, j), (dens, i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
