/* spmv.c: multiplies a matrix from a file by a vector of ones and adds up the result. This is the program of README.

       spmv [matrix.mtx] */
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)

SPARSE_KERNEL(fill, (i), (x, VEC, i), all((number, double)), x = number)
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(sum, (i), (s, double), all((x, VEC, i)), s += x)

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/plate.mtx";
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    double total = 0;
    sparse_io_error error = {0};
    sparse_result r = sparse_read(&A.t, path, &(sparse_read_options){.error = &error});
    if (!r) r = sparse_allocate_dense(&x.t, &A.t.dim[1]);
    if (!r) r = fill(&x, 1);
    if (!r) r = spmv(&y, &A, &x);
    if (!r) r = sum(&total, &y);
    if (r) fprintf(stderr, "%s\n", error.result ? error.message : sparse_explain(r));
    else printf("%s: %zu entries add up to %.15g\n", path, sparse_entries(&A.t), total);
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t);
    return r != SPARSE_OK;
}
