/* expect: k: tile(i): the output B is assembled, in the order of its loops */
#include "types.h"

SPARSE_KERNEL(k, (tile(i, 64), j), (B, CSR, i, j), all((A, CSR, i, j)), B += A)

int main(void)
{
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    (void)x, (void)y;
    return k(&B, &A) != SPARSE_OK;
}
