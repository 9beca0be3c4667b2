/* expect: mine: floordiv(i) is no dimension, nor a part of one: floordiv(i, 2), mod(i, 2), minus(j, i), count(i, 4) */
#include "types.h"

SPARSE_TENSOR(mine, ((i, j), (dense, floordiv(i)), (compressed, j)), double, 32, 32) /* here */

int main(void) { return 0; }
