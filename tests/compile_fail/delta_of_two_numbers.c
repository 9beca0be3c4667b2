/* expect: gaps: 8, in delta(8, 4), is no property: these are nonunique, nonordered and soa; structured and packed have two numbers, delta one */
#include "types.h"

#define GAPS gaps, ((i), (delta(8, 4), i)), double, 32, 32
SPARSE_TENSOR(GAPS) /* here */

int main(void) { return 0; }
