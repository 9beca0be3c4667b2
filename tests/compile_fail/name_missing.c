/* expect: the name of a kernel comes first: SPARSE_KERNEL(name, (loops), output, operands, statement) */
#include "types.h"

SPARSE_KERNEL((i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    return 0;
}
