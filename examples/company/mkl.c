/* mkl.c: a program may use the kit together with Intel MKL's sparse BLAS, as no names collide. This file declares
   the names of mkl_spblas.h itself, so that it compiles without MKL. */
typedef int MKL_INT;
typedef enum {
    SPARSE_STATUS_SUCCESS,
    SPARSE_STATUS_NOT_INITIALIZED,
    SPARSE_STATUS_ALLOC_FAILED,
    SPARSE_STATUS_INVALID_VALUE,
    SPARSE_STATUS_EXECUTION_FAILED,
    SPARSE_STATUS_INTERNAL_ERROR,
    SPARSE_STATUS_NOT_SUPPORTED
} sparse_status_t;
typedef enum {
    SPARSE_OPERATION_NON_TRANSPOSE = 10,
    SPARSE_OPERATION_TRANSPOSE,
    SPARSE_OPERATION_CONJUGATE_TRANSPOSE
} sparse_operation_t;
typedef enum {
    SPARSE_MATRIX_TYPE_GENERAL = 20,
    SPARSE_MATRIX_TYPE_SYMMETRIC,
    SPARSE_MATRIX_TYPE_HERMITIAN,
    SPARSE_MATRIX_TYPE_TRIANGULAR,
    SPARSE_MATRIX_TYPE_DIAGONAL,
    SPARSE_MATRIX_TYPE_BLOCK_TRIANGULAR,
    SPARSE_MATRIX_TYPE_BLOCK_DIAGONAL
} sparse_matrix_type_t;
typedef enum { SPARSE_INDEX_BASE_ZERO, SPARSE_INDEX_BASE_ONE } sparse_index_base_t;
typedef enum {
    SPARSE_FILL_MODE_LOWER = 40,
    SPARSE_FILL_MODE_UPPER,
    SPARSE_FILL_MODE_FULL
} sparse_fill_mode_t;
typedef enum { SPARSE_DIAG_NON_UNIT = 50, SPARSE_DIAG_UNIT } sparse_diag_type_t;
typedef enum { SPARSE_LAYOUT_ROW_MAJOR = 101, SPARSE_LAYOUT_COLUMN_MAJOR } sparse_layout_t;
typedef enum { SPARSE_VERBOSE_OFF = 70, SPARSE_VERBOSE_BASIC, SPARSE_VERBOSE_EXTENDED } verbose_mode_t;
typedef enum { SPARSE_MEMORY_NONE = 80, SPARSE_MEMORY_AGGRESSIVE } sparse_memory_usage_t;
typedef enum {
    SPARSE_STAGE_FULL_MULT = 90,
    SPARSE_STAGE_NNZ_COUNT,
    SPARSE_STAGE_FINALIZE_MULT
} sparse_request_t;
typedef struct sparse_matrix *sparse_matrix_t;
struct matrix_descr {
    sparse_matrix_type_t type;
    sparse_fill_mode_t mode;
    sparse_diag_type_t diag;
};
sparse_status_t mkl_sparse_d_create_csr(sparse_matrix_t *, sparse_index_base_t, MKL_INT, MKL_INT, MKL_INT *,
                                        MKL_INT *, MKL_INT *, double *);
/* names of Apple's Accelerate */
typedef enum { SPARSE_SUCCESS = 0, SPARSE_ILLEGAL_PARAMETER = -1000 } sparse_status;
typedef void *sparse_matrix_double;
typedef enum { SPARSE_NORM_ONE = 171, SPARSE_NORM_TWO, SPARSE_NORM_INF } sparse_norm;
sparse_matrix_double sparse_matrix_create_double(unsigned long rows, unsigned long columns);
sparse_status sparse_insert_entry_double(sparse_matrix_double, double, long, long);
sparse_status sparse_commit(void *);

#include <stdio.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

int main(void)
{
    static const MKL_INT rows[] = {0, 2, 3}, column[] = {0, 1, 1}; /* borrowed as MKL_INT */
    static const double value[] = {2, 1, 4}, x[] = {1, 10};
    const size_t dim[] = {2, 2};
    const sparse_status_t status = SPARSE_STATUS_SUCCESS;
    const sparse_arrays a = {.pos[1] = SPARSE_ARRAY(rows, 3), .crd[1] = SPARSE_ARRAY(column, 3), .val = SPARSE_ARRAY(value, 3)};
    csr A = SPARSE_INIT(csr);
    vec X = SPARSE_INIT(vec), Y = SPARSE_INIT(vec);
    sparse_result r = sparse_assemble(&A.t, dim, &a, SPARSE_BORROW, NULL);
    if (!r) r = vec_borrow(&X, dim, x);
    if (!r) r = spmv(&Y, &A, &X);
    if (!r) r = sparse_print(&Y.t, stdout);
    sparse_free(&Y.t);
    return r != SPARSE_OK || status != SPARSE_STATUS_SUCCESS;
}
