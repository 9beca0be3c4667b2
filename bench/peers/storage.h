/* storage.h: the tensor types of the kit's operands and results. */
#ifndef BENCH_STORAGE_H
#define BENCH_STORAGE_H
#include "sparse_formats.h"

#define DSS_3D     ((i, j, k), (dense, i), (compressed, j), (compressed, k))
#define DSS_ALT_3D ((i, j, k), (dense, i), (compressed, k), (compressed, j))
#define VEC     vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT     mat, SPARSE_DENSE_2D, double, 32, 32
#define SV      sv, SPARSE_VECTOR, double, 32, 32
#define CSR     csr, SPARSE_CSR, double, 32, 32
#define LINKS   links, SPARSE_CSR, constant(double, 1), 32, 32
#define NUMBERS numbers, SPARSE_DENSE_1D, uint32_t, 32, 32
#define MARKS   marks, SPARSE_DENSE_1D, uint8_t, 32, 32
#define QUEUE   queue, ((i), (compressed(nonunique, nonordered), i)), uint8_t, 32, 32
#define CSC     csc, SPARSE_CSC, double, 32, 32
#define DCSR    dcsr, SPARSE_DCSR, double, 32, 32
#define DCSC    dcsc, SPARSE_DCSC, double, 32, 32
#define CD      cd, SPARSE_CD, double, 32, 32
#define COO     coo, SPARSE_COO_SOA, double, 32, 32
#define ANYHOW  anyhow, ((i, j), (compressed(nonunique, nonordered), i), (singleton(soa, nonunique, nonordered), j)), double, 32, 32
#define BSR     bsr, SPARSE_BSR(4, 4), double, 32, 32
#define ELL     ell, SPARSE_ELL(5), double, 32, 32
#define N2M4    n2m4, SPARSE_N_OF_M(2, 4), double, 32, 8
#define DIA     dia, SPARSE_DIA, double, 32, 32
#define DIAS    dias, SPARSE_DIA_BLOCKS(512), double, 32, 32
#define CSB     csb, SPARSE_CSB(65536), double, 32, 16
#define CSF     csf, SPARSE_CSF_3D, double, 32, 32
#define MG      mg, SPARSE_MODE_GENERIC_3D, double, 32, 32
#define DSS     dss, DSS_3D, double, 32, 32
#define DSS_ALT dss_alt, DSS_ALT_3D, double, 32, 32
#define COO3    coo3, SPARSE_COO_SOA_3D, double, 32, 32
/* COO with 2 to 5 dimensions, and CSF */
#define STORED(r, ...)                                                                                                    \
    SPARSE_TENSOR(tuples_##r, SPARSE_COO_SOA_ND(__VA_ARGS__), double, 32, 32)                                             \
    SPARSE_TENSOR(fibers_##r, SPARSE_CSF_ND(__VA_ARGS__), double, 32, 32)
STORED(2, i, j)
STORED(3, i, j, k)
STORED(4, i, j, k, l)
STORED(5, i, j, k, l, m)
enum { STORED_LEAST = 2, STORED_MOST = 5 };
static const sparse_encoding *const tuples[] = {&tuples_2_encoding, &tuples_3_encoding, &tuples_4_encoding, &tuples_5_encoding};
static const sparse_encoding *const fibers[] = {&fibers_2_encoding, &fibers_3_encoding, &fibers_4_encoding, &fibers_5_encoding};
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(SV)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(LINKS)
SPARSE_TENSOR(NUMBERS)
SPARSE_TENSOR(MARKS)
SPARSE_TENSOR(QUEUE)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(DCSC)
SPARSE_TENSOR(CD)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(ANYHOW)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(ELL)
SPARSE_TENSOR(N2M4)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(DIAS)
SPARSE_TENSOR(CSB)
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(MG)
SPARSE_TENSOR(DSS)
SPARSE_TENSOR(DSS_ALT)
SPARSE_TENSOR(COO3)

#endif /* BENCH_STORAGE_H */
