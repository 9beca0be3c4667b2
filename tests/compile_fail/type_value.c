/* expect: unknown type name */
#include "sparse.h"

#define T k, SPARSE_CSR, duoble, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
