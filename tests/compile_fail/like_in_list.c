/* expect: k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), ((s, double), like(A)), all((A, CSR, i, j)), s += A)

int main(void)
{
    double s = 0;
    csr A = SPARSE_INIT(csr);
    return k(&s, &A) != SPARSE_OK;
}
