/* expect: pasted k: the operands must be all(...), any(...) or none(...) of operands in parentheses, or, directly in all(...), a workspace where(...) */
#include "types.h"

SPARSE_KERNEL(k, (i, j), (C, CSR, i, j), all((A, CSR, i, j), !none((B, CSR, i, j))), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    return k(&C, &A, &B) != SPARSE_OK;
}
