/* expect: k: an index is missing among the loops: use letters a to z, and commas between them */
#include "types.h"

SPARSE_KERNEL(k, (), (s, double), all((x, double)), s += x)

int main(void)
{
    double s = 0;
    return k(&s, 1) != SPARSE_OK;
}
