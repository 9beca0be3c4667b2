/* expect: computed t: the sizes in fixed(...) are whole numbers above 0 */
#include "types.h"
#define W   w, SPARSE_CSR, double, 16, 8, fixed(64, 256)
#define IN  in, SPARSE_DENSE_1D, double, 16, 16, fixed(256)
#define OUT out, SPARSE_DENSE_1D, double, 16, 16, fixed(64)
SPARSE_TENSOR(W)
SPARSE_TENSOR(IN)
SPARSE_TENSOR(OUT)
SPARSE_TENSOR(t, SPARSE_CSR, double, 16, 8, fixed(64, 0)) /* here */

int main(void) { return 0; }
