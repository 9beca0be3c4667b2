/* The storage types of the refused kernels. */
#ifndef TYPES_H
#define TYPES_H

#include "sparse.h"

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define CSC  csc, SPARSE_CSC, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define COO  coo, SPARSE_COO, double, 32, 32
#define BSR  bsr, SPARSE_BSR(2, 2), double, 32, 32
#define BAG  bag, ((i), (compressed(nonunique), i)), double, 32, 32
#define LOT  lot, ((i), (compressed(nonordered), i)), double, 32, 32
#define PILE pile, ((i, j), (batch, i), (compressed, j)), double, 32, 32
#define HEAP heap, ((i, j), (compressed(nonunique), i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(BAG)
SPARSE_TENSOR(LOT)
SPARSE_TENSOR(PILE)
SPARSE_TENSOR(HEAP)

#endif
