/* kernels.c: kernels for scipy_kernels.py: make python F=examples/company/kernels.c */
#include "python.h"

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define CSC  csc, SPARSE_CSC, double, 32, 32
#define BSR  bsr, SPARSE_BSR(2, 2), double, 32, 32
#define ROWS rows, ((i, j), (dense, i), (compressed(nonunique, nonordered), j)), double, 32, 32
#define COO                                                                                                  \
    coo, ((i, j), (compressed(nonunique, nonordered), i), (singleton(nonunique, nonordered, soa), j)),       \
        double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(ROWS)
SPARSE_TENSOR(COO)

SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_rows, (i, j), (y, VEC, i), all((A, ROWS, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_csc, (j, i), (y, VEC, i), all((A, CSC, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_coo, (i, j), (y, VEC, i), all((A, COO, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bsr, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
              all((A, BSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmm, (i, unroll(j), k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(sddmm, (i, unroll(j), k), update(S, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), S += A * B)
SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(add3, (i, j), (D, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j), (C, CSR, i, j)),
              D = A + B + C)

PYTHON_KERNEL(spmv, vec, csr, vec)
PYTHON_KERNEL(spmv_rows, vec, rows, vec)
PYTHON_KERNEL(spmv_csc, vec, csc, vec)
PYTHON_KERNEL(spmv_coo, vec, coo, vec)
PYTHON_KERNEL(spmv_bsr, vec, bsr, vec)
PYTHON_KERNEL(spmm, mat, csr, mat)
PYTHON_KERNEL(sddmm, csr, mat, mat)
PYTHON_KERNEL(spgemm, csr, csr, csr)
PYTHON_KERNEL(add3, csr, csr, csr, csr)
