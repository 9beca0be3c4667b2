/* The canonical kernels, in the widths and types of a controller. */
#define SPARSE_FREESTANDING 1
#include "sparse.h"

#define CSR   csr, SPARSE_CSR, float, 16, 8
#define CSC   csc, SPARSE_CSC, float, 16, 8
#define COO   coo, SPARSE_COO, float, 16, 16
#define BSR   bsr, SPARSE_BSR(2, 2), float, 16, 8
#define N2M4  n2m4, SPARSE_N_OF_M(2, 4), float, 16, 8
#define LIST  list, SPARSE_VECTOR, float, 16, 8
#define MAT   mat, SPARSE_DENSE_2D, float, 16, 16
#define VEC   vec, SPARSE_DENSE_1D, float, 16, 16
#define CSRI  csri, SPARSE_CSR, int8_t, 16, 8
#define VECI  veci, SPARSE_DENSE_1D, int8_t, 16, 16
#define VECL  vecl, SPARSE_DENSE_1D, int32_t, 16, 16
#define CSRD  csrd, SPARSE_CSR, double, 16, 8
#define VECD  vecd, SPARSE_DENSE_1D, double, 16, 16
#define N2M4I n2m4i, SPARSE_N_OF_M(2, 4), int8_t, 16, 8
#define P2M4I p2m4i, SPARSE_PACKED_N_OF_M(2, 4), int8_t, 16, 8
#define MASKI maski, SPARSE_BITMASK_ROWS, int8_t, 16, 32
#define CSRH  csrh, SPARSE_CSR, sparse_f16, 16, 8
#define CSRF  csrf, SPARSE_CSR, int8_t, 16, 8, fixed(4, 8)
#define VECF  vecf, SPARSE_DENSE_1D, int8_t, 16, 16, fixed(8)
#define SUMF  sumf, SPARSE_DENSE_1D, int32_t, 16, 16, fixed(4)
SPARSE_TENSOR(CSRF)
SPARSE_TENSOR(VECF)
SPARSE_TENSOR(SUMF)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(N2M4)
SPARSE_TENSOR(LIST)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(CSRI)
SPARSE_TENSOR(VECI)
SPARSE_TENSOR(VECL)
SPARSE_TENSOR(CSRH)
SPARSE_TENSOR(N2M4I)
SPARSE_TENSOR(P2M4I)
SPARSE_TENSOR(MASKI)
SPARSE_TENSOR(CSRD)
SPARSE_TENSOR(VECD)
SPARSE_KERNEL(spmv_csr, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_csc, (j, i), (y, VEC, i), all((A, CSC, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_coo, (i, j), (y, VEC, i), all((A, COO, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bsr, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
              all((A, BSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_n2m4, (i, floordiv(j, 4), mod(j, 4)), (y, VEC, i), all((A, N2M4, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_int8, (i, j), (y, VECL, i), all((A, CSRI, i, j), (x, VECI, j)), y += (int32_t)A * x)
SPARSE_KERNEL(spmv_fixed, (i, j), (y, SUMF, i), all((A, CSRF, i, j), (x, VECF, j)), y += (int32_t)A * x)
SPARSE_KERNEL(spmv_double, (i, j), (y, VECD, i), all((A, CSRD, i, j), (x, VECD, j)), y += A * x)
SPARSE_KERNEL(spmv_f16, (i, j), (y, VEC, i), all((A, CSRH, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(layer, (i), (y, VECI, i),
              all((zero, int32_t), (bias, VECL, i), (mult, VECL, i), (shift, VECL, i),
                  where((a, int32_t), (j), all((W, CSRI, i, j), (x, VECI, j)), a += (int32_t)W * x)),
              y = sparse_saturate_8(zero + sparse_requantize(a + bias, mult, shift)))
SPARSE_KERNEL(layer_n2m4, (i), (y, VECI, i),
              all((zero, int32_t), (bias, VECL, i), (mult, VECL, i), (shift, VECL, i),
                  where((a, int32_t), (floordiv(j, 4), mod(j, 4)), all((W, N2M4I, i, j), (x, VECI, j)),
                        a += (int32_t)W * x)),
              y = sparse_saturate_8(zero + sparse_requantize(a + bias, mult, shift)))
SPARSE_KERNEL(spmv_n2m4i, (i, floordiv(j, 4), mod(j, 4)), (y, VECL, i), all((A, N2M4I, i, j), (x, VECI, j)),
              y += (int32_t)A * x)
SPARSE_KERNEL(spmv_packed, (i, floordiv(j, 4), mod(j, 4)), (y, VECL, i), all((A, P2M4I, i, j), (x, VECI, j)),
              y += (int32_t)A * x)
SPARSE_KERNEL(spmv_bitmask, (i, j), (y, VECL, i), all((A, MASKI, i, j), (x, VECI, j)), y += (int32_t)A * x)
SPARSE_KERNEL(layer_bitmask, (i), (y, VECI, i),
              all((zero, int32_t), (bias, VECL, i), (mult, VECL, i), (shift, VECL, i),
                  where((a, int32_t), (j), all((W, MASKI, i, j), (x, VECI, j)), a += (int32_t)W * x)),
              y = sparse_saturate_8(zero + sparse_requantize(a + bias, mult, shift)))
SPARSE_KERNEL(spmm, (i, j, k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(dot, (i), (s, float), all((a, LIST, i), (b, LIST, i)), s += a * b)
SPARSE_KERNEL(sum, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)
SPARSE_KERNEL(masked, (i, j, k), (C, CSR, i, j), all((M, CSR, i, j), (A, CSR, i, k), (B, CSC, k, j)), C += M * A * B)
SPARSE_KERNEL(product, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(correlate, (i, k), (y, VEC, i), all((f, LIST, k), (x, VEC, plus(i, k))), y += f * x)
