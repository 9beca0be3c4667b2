/* kernels.h: shared by the tests of kernel lines: storage, a small matrix, functions that fill tensors and read their
   values. */
#ifndef TEST_KERNELS_H
#define TEST_KERNELS_H

#include "oracle.h"

#include "sparse.h"

#ifdef _OPENMP
    #include <omp.h>
#endif

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 16, 32
#define CSC  csc, SPARSE_CSC, double, 32, 16
#define CD   cd, SPARSE_CD, double, 32, 32
#define COO  coo, SPARSE_COO, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(CD)
SPARSE_TENSOR(COO)

static const size_t n3[] = {3}, n4[] = {4}, n3x4[] = {3, 4}, n4x4[] = {4, 4};
static const double x4[] = {1, 2, 3, 4};
/* | 5 . 1 . |
   | . . . . |
   | 2 . . 3 | */
static const double a3x4[] = {5, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 3};

static inline void set_up(sparse_tensor *t, const size_t *dim, const double *values)
{
    t->hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(t, dim, values), SPARSE_OK);
}

static inline bool same(double x, double y) { return x <= y && x >= y; }

static inline bool holds(const sparse_tensor *t, const double *wanted)
{
    size_t k = 0;
    SPARSE_FOREACH(c, t) if (!same(SPARSE_VALUE(c, double), wanted[k++])) return false;
    return true;
}

#endif
