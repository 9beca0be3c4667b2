/* sums.h: shared by the tests of kernels with sums of indices as subscripts: storage types, numbers to fill them, and
   come_by(n). A loop let(z, come_by(n)) counts the iterations of the loop around it in visits[n]. */
#ifndef TEST_SUMS_H
#define TEST_SUMS_H

#include "sparse.h"
#include "oracle.h"

static size_t visits[4];
static inline size_t come_by(size_t loop)
{
    visits[loop]++;
    return 0;
}

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define COO  coo, SPARSE_COO, double, 32, 32
#define CSF  csf, ((i, j, k), (compressed, i), (compressed, j), (compressed, k)), double, 32, 32
#define DCC  dcc, ((i, j, k), (dense, i), (compressed, j), (compressed, k)), double, 64, 16
#define CUBE cube, SPARSE_DENSE_3D, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(DCC)
SPARSE_TENSOR(CUBE)

/* An array of random numbers, of which about one in `rare` is not zero; vectors and matrices are made from it. */
static double numbers[4096];
static inline void fill_numbers(size_t count, size_t rare)
{
    for (size_t k = 0; k < count; k++) numbers[k] = random_below(rare) == 0 ? (double)(k % 7 + 1) : 0;
}
static inline void pack(sparse_tensor *t, size_t rows, size_t columns)
{
    const size_t dim[2] = {rows, columns};
    CHECK_RESULT(sparse_pack_dense_untyped(t, dim, numbers), SPARSE_OK);
}
static inline void ones(vec *x, size_t size)
{
    CHECK_RESULT(sparse_allocate_dense(&x->t, &size), SPARSE_OK);
    for (size_t k = 0; k < size; k++) ((double *)x->t.val.at)[k] = 1;
}
static inline double at(const sparse_tensor *t, size_t k) { return ((const double *)t->val.at)[k]; }

#endif
