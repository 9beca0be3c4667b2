/* expect: k: the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), append(C, CSR, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A) != SPARSE_OK;
}
