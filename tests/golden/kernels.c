/* The canonical kernels. golden/NAME.txt has the loops of each, so that a change of the line compiler shows in a diff. */
#include "sparse.h"

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define CUBE cube, SPARSE_DENSE_3D, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define CSC  csc, SPARSE_CSC, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define COO  coo, SPARSE_COO, double, 32, 32
#define CD   cd, SPARSE_CD, double, 32, 32
#define CSF  csf, SPARSE_CSF_3D, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CUBE)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(CD)
SPARSE_TENSOR(CSF)
#define EDGES edges, SPARSE_CSR, constant(double, 1), 32, 32
#define HCSR  hcsr, SPARSE_CSR, sparse_f16, 32, 32
#define HVEC  hvec, SPARSE_DENSE_1D, sparse_f16, 32, 32
SPARSE_TENSOR(EDGES)
SPARSE_TENSOR(HCSR)
SPARSE_TENSOR(HVEC)

/* y(i) = A(i,j) * x(j) */
SPARSE_KERNEL(spmv_csr, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_csc, (j, i), (y, VEC, i), all((A, CSC, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dcsr, (i, j), (y, VEC, i), all((A, DCSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_cd, (i, j), (y, VEC, i), all((A, CD, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_sparse, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, SVEC, j)), y += A * x)
SPARSE_KERNEL(spmv_parallel, (parallel(i), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_simd, (i, simd(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

SPARSE_KERNEL(spmv_edges, (i, j), (y, VEC, i), all((A, EDGES, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_half, (i, j), (y, HVEC, i), all((A, HCSR, i, j), (x, HVEC, j)), y += A * x)

/* Blocks, with prefetched rows of the other operand; two of each four; diagonals, and diagonals in blocks of rows; ELL
   slices; batches; a slice of an operand */
#define BSR  bsr, SPARSE_BSR(4, 4), double, 32, 32
#define N2M4 n2m4, SPARSE_N_OF_M(2, 4), double, 32, 8
#define P2M4 p2m4, SPARSE_PACKED_N_OF_M(2, 4), double, 32, 8
#define DIA  dia, SPARSE_DIA, double, 32, 32
#define ELL  ell, SPARSE_ELL(4), double, 32, 32
#define BCSR bcsr, SPARSE_BATCHED_CSR, double, 32, 32
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(N2M4)
SPARSE_TENSOR(P2M4)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(ELL)
SPARSE_TENSOR(BCSR)
SPARSE_KERNEL(spmv_bsr, (floordiv(i, 4), prefetch(floordiv(j, 4)), mod(i, 4), mod(j, 4)), (y, VEC, i),
              all((A, BSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_n2m4, (i, floordiv(j, 4), mod(j, 4)), (y, VEC, i), all((A, N2M4, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_packed, (i, floordiv(j, 4), mod(j, 4)), (y, VEC, i), all((A, P2M4, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dia, (minus(j, i), i), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dia_blocks, (floordiv(i, 64), minus(j, i), mod(i, 64)), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)),
              y += A * x)
SPARSE_KERNEL(spmv_ell, (count(i, 4), i, j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_batched, (b, i, j), (y, MAT, b, i), all((A, BCSR, b, i, j), (x, MAT, b, j)), y += A * x)
SPARSE_KERNEL(spmv_slice, (i, j), (y, VEC, i), all(slice(A, CSR, i, j), (x, VEC, j)), y += A * x)

/* y(i) = x(i+p) * f(p), also with a stride and beyond the edges; O(i,j) = I(i+p,j+q) * F(p,q) */
SPARSE_KERNEL(convolve, (i, p), (y, VEC, i), all((x, SVEC, plus(i, p)), (f, VEC, p)), y += x * f)
SPARSE_KERNEL(convolve_padded, (i, p), (y, VEC, i), all(padded(x, SVEC, plus(times(2, i), p, (-1))), (f, VEC, p)),
              y += x * f)
SPARSE_KERNEL(convolve_csr, (i, p, j, q), (O, MAT, i, j), all((I, CSR, plus(i, p), plus(j, q)), (F, MAT, p, q)), O += I * F)
SPARSE_KERNEL(convolve_dcsr, (i, j, p, q), (O, MAT, i, j), all((I, DCSR, plus(i, p), plus(j, q)), (F, MAT, p, q)),
              O += I * F)
SPARSE_KERNEL(convolve_coo, (i, p, j, q), (O, MAT, i, j), all((I, COO, plus(i, p), plus(j, q)), (F, MAT, p, q)), O += I * F)
SPARSE_KERNEL(convolve_sparse, (i, p, j, q), (O, DCSR, i, j), all((I, DCSR, plus(i, p), plus(j, q)), (F, DCSR, p, q)),
              O += I * F)
SPARSE_KERNEL(convolve_found, (i, p, s, q, let(j, s - q, 100)), (O, CSR, i, j), all((I, CSR, plus(i, p), s), (F, MAT, p, q)),
              O += I * F)

/* s = a(i) * b(i), s = a(i) * b(i) * c(i) */
SPARSE_KERNEL(dot2, (i), (s, double), all((a, SVEC, i), (b, SVEC, i)), s += a * b)
SPARSE_KERNEL(dot3, (i), (s, double), all((a, SVEC, i), (b, SVEC, i), (c, SVEC, i)), s += a * b * c)

/* y(i) = a(i) + b(i), y(i) = a(i) + b(i) + c(i), C(i,j) = A(i,j) + x(i), C(i,j) = A(i,j) + x(i) * y(i) */
SPARSE_KERNEL(union2, (i), (y, VEC, i), any((a, SVEC, i), (b, SVEC, i)), y = a + b)
SPARSE_KERNEL(union3, (i), (y, VEC, i), any((a, SVEC, i), (b, SVEC, i), (c, SVEC, i)), y = a + b + c)
SPARSE_KERNEL(union_rows, (i, j), (C, MAT, i, j), any((A, DCSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(broadcast, (i, j), (C, MAT, i, j), any((A, CSR, i, j), (x, SVEC, i)), C = A + x)
SPARSE_KERNEL(broadcast_product, (i, j), (C, MAT, i, j), any((A, CSR, i, j), all((x, SVEC, i), (y, SVEC, i))), C = A + x * y)

/* where A is stored and B is not; where a or b is stored, and c */
SPARSE_KERNEL(difference, (i, j), (C, MAT, i, j), all((A, CSR, i, j), none((B, CSR, i, j))), C = A)
SPARSE_KERNEL(either_and, (i), (y, VEC, i), all(any((a, SVEC, i), (b, SVEC, i)), (c, SVEC, i)), y = (a + b) * c)

/* the intersection of a union with an intersection, which drives the loop, and with another union, where the first one
   does */
SPARSE_KERNEL(either_and_both, (i), (s, double), all(any((a, SVEC, i), (b, SVEC, i)), all((c, SVEC, i), (d, SVEC, i))),
              s += (a + b) * c * d)
SPARSE_KERNEL(either_and_either, (i), (s, double), all(any((a, SVEC, i), (b, SVEC, i)), any((c, SVEC, i), (d, SVEC, i))),
              s += (a + b) * (c + d))

/* A(i,j) = B(i,k,l) * C(k,j) * D(l,j), S(i,j) *= A(i,k) * B(j,k), C(i,j) = A(i,j,k) * x(k) */
SPARSE_KERNEL(mttkrp, (i, k, l, j), (A, MAT, i, j), all((B, CSF, i, k, l), (C, MAT, k, j), (D, MAT, l, j)), A += B * C * D)
SPARSE_KERNEL(triangles, (i, k, j), (s, double),
              all((L, CSR, i, k), (U, CSR, k, j), where((w, VEC, j), (j), all((M, CSR, i, j)), w = M)), s += L * U * w)
SPARSE_KERNEL(triangles_parallel, (parallel(i), k, j), (s, VEC, i),
              all((L, CSR, i, k), (U, CSR, k, j), where((w, VEC, j), (j), all((M, CSR, i, j)), w = M)), s += L * U * w)
SPARSE_KERNEL(mttkrp_row, (i, k, j), (A, MAT, i, j),
              all(where((w, VEC, j), (l, j), all((B, CSF, i, k, l), (D, MAT, l, j)), w += B * D), (C, MAT, k, j)),
              A += w * C)
SPARSE_KERNEL(product_row, (i, j, l), (y, VEC, i),
              all(where((w, SVEC, j), (k, j), all((A, CSR, i, k), (B, CSR, k, j)), w += A * B), (C, CSR, j, l), (x, VEC, l)),
              y += w * C * x)
SPARSE_KERNEL(spgemm_prefetch, (i, prefetch(k), j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(convolve_prefetch, (s, prefetch(r), range(p, 3), let(i, r - p), range(q, 3), let(j, s - q)), (O, MAT, i, j),
              all((I, CSC, r, s), (F, MAT, p, q)), O += I * F)
SPARSE_KERNEL(spmm_unrolled, (i, unroll(k), j), (C, MAT, i, j), all((A, CSR, i, k), (B, MAT, k, j)), C += A * B)
SPARSE_KERNEL(spmm_prefetch, (i, prefetch(k), j), (C, MAT, i, j), all((A, CSR, i, k), (B, MAT, k, j)), C += A * B)
SPARSE_KERNEL(spmm_tiled, (i, k, tile(j, 64)), (C, MAT, i, j), all((A, CSR, i, k), (B, MAT, k, j)), C += A * B)
SPARSE_KERNEL(spmm_plain, (i, k, j), (C, MAT, i, j), all((A, CSR, i, k), (B, MAT, k, j)), C += A * B)
SPARSE_KERNEL(spmm_range, (i, k, range(j, 8)), (C, MAT, i, j), all((A, CSR, i, k), (B, MAT, k, j)), C += A * B)
SPARSE_KERNEL(spmm_transposed, (i, k, j), (C, MAT, k, j), all((A, CSR, i, k), (B, MAT, i, j)), C += A * B)
SPARSE_KERNEL(sddmm, (i, j, k), update(S, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), S += A * B)
SPARSE_KERNEL(ttv, (i, j, k), (C, MAT, i, j), all((A, CSF, i, j, k), (x, VEC, k)), C += A * x)

/* recurrences: L x = b by rows and by columns, U x = b by rows; an incomplete factor on its pattern */
SPARSE_KERNEL(solve_lower, (i, j), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)), if (j < i) x -= A * z;
              else if (j == i) x /= A)
SPARSE_KERNEL(solve_columns, (j, i), (x, VEC, i), all((A, CSC, i, j), current(z, x, VEC, j)), if (i == j) x /= A;
              else if (i > j) x -= A * z)
SPARSE_KERNEL(solve_upper, (down(i), down(j)), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)),
              if (j > i) x -= A * z;
              else if (j == i) x /= A)
SPARSE_KERNEL(factor, (i, j, k), update(A, CSR, i, j), all(current(P, A, CSR, i, k), current(Q, A, CSR, j, k)),
              if (k < j) A -= P * Q;
              else if (j < i) A /= Q; else A = sqrt(A))

/* assembled: C = A + B by rows; C = A B with a workspace, in parallel parts, and as inner products into COO */
SPARSE_KERNEL(sum_csr, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)
SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(spgemm_parallel, (parallel(i), k, j), (C, DCSR, i, j), all((A, DCSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(products_coo, (i, j, k), (C, COO, i, j), all((A, CSR, i, k), (B, CSC, k, j)), C += A * B)

/* SpMV over the remaining encodings */
#define SOA    soa, SPARSE_COO_SOA, double, 32, 32
#define BITMAP bitmaps, SPARSE_BITMAP_ROWS, double, 32, 32
#define BITMASK bitmasks, SPARSE_BITMASK_ROWS, double, 32, 32
#define LOOSE  loose, ((i, j), (dense, i), (loose_compressed, j)), double, 32, 32
#define BCOO   bcoo, SPARSE_BATCHED_COO, double, 32, 32
SPARSE_TENSOR(SOA)
SPARSE_TENSOR(BITMAP)
SPARSE_TENSOR(BITMASK)
SPARSE_TENSOR(LOOSE)
SPARSE_TENSOR(BCOO)
SPARSE_KERNEL(spmv_coo, (i, j), (y, VEC, i), all((A, COO, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_coo_soa, (i, j), (y, VEC, i), all((A, SOA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bitmap, (i, j), (y, VEC, i), all((A, BITMAP, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bitmask, (i, j), (y, VEC, i), all((A, BITMASK, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bitmask_sparse, (i, j), (y, VEC, i), all((A, BITMASK, i, j), (x, SVEC, j)), y += A * x)
SPARSE_KERNEL(spmm_bitmask, (i, j, k), (Y, MAT, i, k), all((A, BITMASK, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmv_loose, (i, j), (y, VEC, i), all((A, LOOSE, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_loose_sparse, (i, j), (y, VEC, i), all((A, LOOSE, i, j), (x, SVEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bitmap_sparse, (i, j), (y, VEC, i), all((A, BITMAP, i, j), (x, SVEC, j)), y += A * x)
SPARSE_KERNEL(spmv_batched_coo, (b, i, j), (y, MAT, b, i), all((A, BCOO, b, i, j), (x, MAT, b, j)), y += A * x)

/* one triangle: an output kept in a register, and one that is not; symmetric, skew and Hermitian mirror images */
SPARSE_KERNEL(spmv_symmetric, (i, j), (y, VEC, i), all(symmetric(A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmm_skew, (i, j, k), (Y, MAT, i, k), all(skew(A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmv_hermitian_coo, (i, j), (y, VEC, i), all(hermitian(A, COO, i, j), (x, VEC, j)), y += A * x)
