/* arrays.c: multiplies, in place, a matrix and a vector whose arrays other code already holds.

       arrays */
#include <stdio.h>
#include "sparse.h"

/* rows one after the other; the columns in a row come in any order, and may come twice */
#define ROWS rows, ((i, j), (dense, i), (compressed(nonunique, nonordered), j)), double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(ROWS)
SPARSE_TENSOR(VEC)

SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, ROWS, i, j), (x, VEC, j)), y += A * x)

/* y(i) += A(i,j) * x(j) for an m x n matrix in compressed rows: nothing is copied, nothing is to be freed */
static sparse_result multiply(size_t m, size_t n, const int *rowptr, const int *colind, const double *val,
                              const double *x, double *y)
{
    const size_t dim[] = {m, n}, entries = (size_t)rowptr[m];
    rows A = SPARSE_INIT(rows);
    vec from = SPARSE_INIT(vec), to = SPARSE_INIT(vec);
    const sparse_arrays a = {.pos[1] = SPARSE_ARRAY(rowptr, m + 1),
                             .crd[1] = SPARSE_ARRAY(colind, entries),
                             .val = SPARSE_ARRAY(val, entries)};
    sparse_result r = sparse_assemble(&A.t, dim, &a, SPARSE_BORROW, NULL);
    if (!r) r = vec_borrow(&from, &dim[1], x);
    if (!r) r = vec_borrow(&to, &dim[0], y);
    if (!r) r = spmv(&to, &A, &from);
    return r;
}

int main(void)
{
    const int rowptr[] = {0, 2, 2, 5}, colind[] = {3, 0, 2, 1, 0};
    const double val[] = {4, 1, 7, 6, 5}, x[] = {1, 10, 100, 1000};
    double y[] = {0, 0, 0};
    sparse_result r = multiply(3, 4, rowptr, colind, val, x, y);
    if (r) fprintf(stderr, "%s\n", sparse_explain(r));
    else printf("%g %g %g\n", y[0], y[1], y[2]);
    return r != SPARSE_OK;
}
