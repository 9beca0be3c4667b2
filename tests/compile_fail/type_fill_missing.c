/* expect: k: SPARSE_TENSOR_FILL lists a name, an encoding, the type of values, */
#include "sparse.h"

#define T k, ((i), (compressed, i)), double, 32, 32
SPARSE_TENSOR_FILL(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
