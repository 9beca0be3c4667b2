/* stack.c: all functions of the kit, and a call of each canonical kernel; stack.sh computes their stack usage. */
#define SPARSE_IMPLEMENTATION
#include "kernels.h"
#define CALL(name, parameters, ...)                                                                                         \
    sparse_result call_##name parameters;                                                                                   \
    sparse_result call_##name parameters { return name(__VA_ARGS__); }
CALL(spmv_csr, (vec * y, const csr *A, const vec *x), y, A, x)
CALL(spmv_csc, (vec * y, const csc *A, const vec *x), y, A, x)
CALL(spmv_coo, (vec * y, const coo *A, const vec *x), y, A, x)
CALL(spmv_bsr, (vec * y, const bsr *A, const vec *x), y, A, x)
CALL(spmv_n2m4, (vec * y, const n2m4 *A, const vec *x), y, A, x)
CALL(spmv_int8, (vecl * y, const csri *A, const veci *x), y, A, x)
CALL(spmm, (mat * Y, const csr *A, const mat *X), Y, A, X)
CALL(dot, (float *s, const list *a, const list *b), s, a, b)
CALL(correlate, (vec * y, const list *f, const vec *x), y, f, x)
CALL(sum, (csr * C, const csr *A, const csr *B), C, A, B)
CALL(sum_into, (csr * C, const csr *A, const csr *B), C, A, B)
CALL(masked, (csr * C, const csr *M, const csr *A, const csc *B), C, M, A, B)
CALL(product, (csr * C, const csr *A, const csr *B), C, A, B)
CALL(product_into, (csr * C, const csr *A, const csr *B), C, A, B)
/* assembly of a tensor whose type is known at compile time */
CALL(csr_borrow_arrays, (csr * A, const size_t *dim, const sparse_arrays *arrays), A, dim, arrays, NULL)
CALL(coo_borrow_arrays, (coo * A, const size_t *dim, const sparse_arrays *arrays), A, dim, arrays, NULL)
