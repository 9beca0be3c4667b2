/* expect: k: output C cannot be written: its storage type graph has a constant for a value */
#include "types.h"

#define GRAPH graph, SPARSE_CSR, constant(double, 1), 32, 32
SPARSE_TENSOR(GRAPH)
SPARSE_KERNEL(k, (i, j), like(A, C, GRAPH, i, j), all((x, VEC, j)), C += A * x)

int main(void)
{
    graph A = SPARSE_INIT(graph), C = SPARSE_INIT(graph);
    vec x = SPARSE_INIT(vec);
    return k(&C, &A, &x) != SPARSE_OK;
}
