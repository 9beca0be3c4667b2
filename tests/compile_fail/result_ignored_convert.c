/* expect: ignoring return */
#include "types.h"

int main(void)
{
    csr A = SPARSE_INIT(csr);
    csc B = SPARSE_INIT(csc);
    (void)sparse_convert(&B.t, &A.t);
    sparse_convert(&B.t, &A.t); /* here */
    return 0;
}
