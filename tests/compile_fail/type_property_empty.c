/* expect: in compressed(), is no property: these are nonunique, nonordered and soa */
#include "sparse.h"

#define T k, ((i, j), (dense, i), (compressed(), j)), double, 32, 32
SPARSE_TENSOR(T) /* here */

int main(void) { return 0; }
