/* expect: k: a descriptor lists a name, an encoding, the type of values, and the widths of positions and coordinates, as csr, SPARSE_CSR, double, 32, 32 */
#include "sparse.h"

#define T k, SPARSE_CSR, double, 32
SPARSE_TENSOR(T) /* here */

int main(void)
{
    k A = SPARSE_INIT(k);
    sparse_free(&A.t);
    return 0;
}
