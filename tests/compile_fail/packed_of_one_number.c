/* expect: w: 4, in packed(4), is no property: these are nonunique, nonordered and soa; structured and packed have two numbers, delta one */
#include "types.h"

#define W w, ((i, j), (dense, i), (dense, floordiv(j, 4)), (packed(4), mod(j, 4))), double, 32, 32
SPARSE_TENSOR(W) /* here */

int main(void) { return 0; }
