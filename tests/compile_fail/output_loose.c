/* expect: k: output C cannot be assembled: only dense levels, compressed ones, and the singletons of COO can */
#include "types.h"

#define LOOSE loose, ((i, j), (dense, i), (loose_compressed, j)), double, 32, 32
SPARSE_TENSOR(LOOSE)
SPARSE_KERNEL(k, (i, j), (C, LOOSE, i, j), all((A, CSR, i, j)), C = A)

int main(void)
{
    csr A = SPARSE_INIT(csr);
    loose C = SPARSE_INIT(loose);
    return k(&C, &A) != SPARSE_OK;
}
