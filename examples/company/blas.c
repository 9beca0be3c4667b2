/* blas.c: dense parts by BLAS, sparse parts by kernels, on common arrays.

       blas

   The normal matrix of a sparse matrix times a dense one: G = (A X)' (A X). A kernel computes A X, and dgemm the
   product of the tall matrices; a kernel over dense operands computes it again for comparison. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 32, 32
#define MAT mat, SPARSE_DENSE_2D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(MAT)
SPARSE_KERNEL(set, (i, k), (X, MAT, i, k), all((shift, double)), X = 1 / ((double)(i + k) + shift))
SPARSE_KERNEL(spmm, (i, unroll(j), k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(gram, (i, k, l), (G, MAT, k, l), all((Y, MAT, i, k), (Z, MAT, i, l)), G += Y * Z)
SPARSE_KERNEL(largest, (k, l), (most, double), all((G, MAT, k, l)), most = fmax(most, fabs(G)))
SPARSE_KERNEL(farthest, (k, l), (most, double), all((G, MAT, k, l), (H, MAT, k, l)),
              most = fmax(most, fabs(G - H)))

int main(void)
{
    enum { COLUMNS = 16 };
    csr A = SPARSE_INIT(csr);
    mat X = SPARSE_INIT(mat), Y = SPARSE_INIT(mat), G = SPARSE_INIT(mat), H = SPARSE_INIT(mat);
    double most = 0, difference = 0;
    sparse_result r = sparse_read(&A.t, "examples/data/plate.mtx", NULL);
    if (!r) r = sparse_allocate_dense(&X.t, (size_t[]){A.t.dim[1], COLUMNS});
    if (!r) r = sparse_allocate_dense(&H.t, (size_t[]){COLUMNS, COLUMNS});
    if (!r) r = set(&X, 1);
    if (!r) r = spmm(&Y, &A, &X);
    if (!r) r = gram(&G, &Y, &Y);
    if (!r) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, COLUMNS, COLUMNS, (int)Y.t.dim[0], 1, Y.t.val.at,
                    COLUMNS, Y.t.val.at, COLUMNS, 0, H.t.val.at, COLUMNS);
        r = largest(&most, &G);
    }
    if (!r) r = farthest(&difference, &G, &H);
    if (r)
        fprintf(stderr, "blas: %s\n", sparse_explain(r));
    else
        printf("dgemm and kernel: difference %.0e of %.1e\n", difference, most);
    sparse_free(&A.t), sparse_free(&X.t), sparse_free(&Y.t), sparse_free(&G.t), sparse_free(&H.t);
    return r || !(difference < 1e-12 * most);
}
