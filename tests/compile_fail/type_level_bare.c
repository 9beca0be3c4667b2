/* expect: k: dense is no level: these are a type and what it stores, in parentheses, as (compressed, j) */
#include "sparse.h"

#define T k, ((i, j), dense, compressed), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
