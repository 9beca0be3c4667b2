/* kernels.c: compares kernels of the kit with the best loops that we could write by hand for the same arrays, in this file,
   with the same flags. README.md in this directory explains how to run it, and its table.

   Contents (search for the anchors)
     >>kernels   the kernel lines
     >>data      the operands
     >>rows      the table: to add a row, add a line
     >>scaling   time per stored entry, over sizes */
#include "bench.h"
#include "chart.h"
#include "loops.h"
#include "sparse.h"

/* >>kernels */
#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define SV   sv, SPARSE_VECTOR, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define CD   cd, SPARSE_CD, double, 32, 32
#define CSF  csf, SPARSE_CSF_3D, double, 32, 32
#define BSR  bsr, SPARSE_BSR(4, 4), double, 32, 32
#define ELL  ell, SPARSE_ELL(5), double, 32, 32
#define N2M4 n2m4, SPARSE_N_OF_M(2, 4), double, 32, 8
#define P2M4 p2m4, SPARSE_PACKED_N_OF_M(2, 4), double, 32, 8
#define DIA  dia, SPARSE_DIA, double, 32, 32
#define CSB  csb, SPARSE_CSB(65536), double, 32, 16
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(SV)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(CD)
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(ELL)
SPARSE_TENSOR(N2M4)
SPARSE_TENSOR(P2M4)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(CSB)

SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_simd, (i, simd(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_parallel, (parallel(i), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dcsr, (i, j), (y, VEC, i), all((A, DCSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_cd, (i, j), (y, VEC, i), all((A, CD, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bsr, (floordiv(i, 4), floordiv(j, 4), mod(i, 4), mod(j, 4)), (y, VEC, i),
              all((A, BSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_ell, (i, count(i, 5), j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_n2m4, (i, floordiv(j, 4), mod(j, 4)), (y, VEC, i), all((A, N2M4, i, j), (x, VEC, j)),
              y += A * x)
SPARSE_KERNEL(spmv_packed, (i, floordiv(j, 4), mod(j, 4)), (y, VEC, i), all((A, P2M4, i, j), (x, VEC, j)),
              y += A * x)
SPARSE_KERNEL(spmv_dia, (minus(j, i), i), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_csb, (floordiv(i, 65536), floordiv(j, 65536), mod(i, 65536), mod(j, 65536)), (y, VEC, i),
              all((A, CSB, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dia_blocks, (floordiv(i, 16384), minus(j, i), mod(i, 16384)), (y, VEC, i),
              all((A, DIA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(fused, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j), (z, VEC, j), (w, VEC, i)),
              y += A * (x - z) * w)
SPARSE_KERNEL(spmm, (i, j, k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmm_unrolled, (i, unroll(j), k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(sddmm, (i, j, k), (Y, MAT, i, j), all((A, CSR, i, j), (X, MAT, i, k), (Z, MAT, j, k)),
              Y += A * X * Z)
SPARSE_KERNEL(ttv, (i, k, l), (Y, MAT, i, k), all((B, CSF, i, k, l), (x, VEC, l)), Y += B * x)
SPARSE_KERNEL(mttkrp, (i, k, l, j), (Y, MAT, i, j), all((B, CSF, i, k, l), (X, MAT, k, j), (Z, MAT, l, j)),
              Y += B * X * Z)
SPARSE_KERNEL(mttkrp_where, (i, k, j), (Y, MAT, i, j),
              all(where((w, VEC, j), (l, j), all((B, CSF, i, k, l), (Z, MAT, l, j)), w += B * Z), (X, MAT, k, j)),
              Y += w * X)
SPARSE_KERNEL(mttkrp_unrolled, (i, k, unroll(l), j), (Y, MAT, i, j),
              all((B, CSF, i, k, l), (X, MAT, k, j), (Z, MAT, l, j)), Y += B * X * Z)
SPARSE_KERNEL(mttkrp_where_unrolled, (i, k, j), (Y, MAT, i, j),
              all(where((w, VEC, j), (unroll(l), j), all((B, CSF, i, k, l), (Z, MAT, l, j)), w += B * Z), (X, MAT, k, j)),
              Y += w * X)
SPARSE_KERNEL(mttkrp_parallel, (parallel(i), k, l, j), (Y, MAT, i, j),
              all((B, CSF, i, k, l), (X, MAT, k, j), (Z, MAT, l, j)), Y += B * X * Z)
SPARSE_KERNEL(dot, (i), (s, double), all((a, SV, i), (b, SV, i)), s += a * b)
SPARSE_KERNEL(dot_rows, (i, j), (y, VEC, i), all((A, CSR, i, j), (G, CSR, i, j)), y += A * G)
SPARSE_KERNEL(sum2, (i), (s, double), any((a, SV, i), (b, SV, i)), s += a + b)
SPARSE_KERNEL(sum3, (i), (s, double), any((a, SV, i), (b, SV, i), (c, SV, i)), s += a + b + c)
SPARSE_KERNEL(union2, (i), (y, VEC, i), any((a, SV, i), (b, SV, i)), y = a + b)
SPARSE_KERNEL(union3, (i), (y, VEC, i), any((a, SV, i), (b, SV, i), (c, SV, i)), y = a + b + c)

/* Reads every byte once, as fast as one core can. */
BENCH_NOINLINE static uint64_t read_all(const void *at, size_t bytes)
{
    const unsigned char *byte = (const unsigned char *)at;
    uint64_t sum = 0;
    for (size_t k = 0; k + 8 <= bytes; k += 8) {
        uint64_t word;
        memcpy(&word, byte + k, sizeof word);
        sum += word;
    }
    return sum;
}

/* >>data
   The operands of all kernels; a row fills those that it needs. The outputs y and Y have only a shape; their values are in
   the contestant's array. */
/* clang-format off */
#define TENSORS(T) \
    T(csr, A) T(csr, G) T(dcsr, D) T(cd, E) T(bsr, F) T(ell, H) T(n2m4, N) T(p2m4, P) T(dia, L) T(csb, K) T(csf, B) T(sv, a) T(sv, b) T(sv, c) \
    T(vec, x) T(vec, z) T(vec, w) T(mat, X) T(mat, Z) T(vec, y) T(mat, Y)
#define MEMBER(type, name) type name;
#define EMPTY(type, name)  .name = SPARSE_INIT(type),
#define FREE(type, name)   sparse_free(&d->name.t);

typedef struct data {
    TENSORS(MEMBER)
    /* clang-format on */
    bench_csr matrix, another;
    bench_csf tensor;
    bench_vector list[3];
    char size[64]; /* as printed in the table */
} data;

static void data_free(data *d)
{
    TENSORS(FREE)
    bench_csr_free(&d->matrix);
    bench_csr_free(&d->another);
    bench_csf_free(&d->tensor);
    for (unsigned k = 0; k < 3; k++) bench_vector_free(&d->list[k]);
    *d = (data){TENSORS(EMPTY).size = ""};
}
static void check(sparse_result r)
{
    if (r == SPARSE_OK) return;
    fprintf(stderr, "bench: %s\n", sparse_message(r));
    exit(2);
}
static size_t scaled(size_t n) { return bench_size(n, n / 1000 + 1); }

static void random_dense(sparse_tensor *t, size_t rows, size_t columns)
{
    bench_random r = {rows + columns};
    check(sparse_allocate_dense(t, (size_t[]){rows, columns}));
    for (size_t k = 0; k < t->val.length; k++) ((double *)t->val.at)[k] = bench_value(&r);
}
/* t is an output of this shape. */
static void shape(sparse_tensor *t, size_t rows, size_t columns)
{
    static double nothing; /* replaced when a contestant runs */
    check(sparse_assemble(t, (size_t[]){rows, columns},
                          &(sparse_arrays){.val = SPARSE_ARRAY(&nothing, rows * columns)}, SPARSE_BORROW, NULL));
}
static void borrow(sparse_tensor *t, bench_csr m)
{
    const size_t entries = bench_csr_entries(&m);
    check(sparse_assemble(t, (size_t[]){m.rows, m.columns},
                          &(sparse_arrays){.pos[1] = SPARSE_ARRAY(m.pos, m.rows + 1),
                                           .crd[1] = SPARSE_ARRAY(m.crd, entries),
                                           .val = SPARSE_ARRAY(m.val, entries)},
                          SPARSE_BORROW, NULL));
}
static void have_matrix(data *d, bench_csr m)
{
    d->matrix = m;
    borrow(&d->A.t, m);
    random_dense(&d->x.t, m.columns, 1);
    random_dense(&d->z.t, m.columns, 1);
    random_dense(&d->w.t, m.rows, 1);
    shape(&d->y.t, m.rows, 1);
    snprintf(d->size, sizeof d->size, "%zu, %.1f per row", m.rows, (double)bench_csr_entries(&m) / (double)m.rows);
}

/* Functions that fill the data: of(d, sizes). The row gives the sizes; the comment on each function says what they mean. */
typedef const size_t *sizes; /* at most 4 */

static void uniform(data *d, sizes n)
{
    have_matrix(d, bench_uniform(scaled(n[0]), n[1], 1));
} /* rows, per row */
static void banded(data *d, sizes n) { have_matrix(d, bench_banded(scaled(n[0]), n[1] / 2, 2)); }
static void stencil(data *d, sizes n) { have_matrix(d, bench_stencil27(bench_size(n[0], 10), 3)); } /* side */
static void power_law(data *d, sizes n) { have_matrix(d, bench_power_law(scaled(n[0]), n[1], 4)); }
static void two_uniform(data *d, sizes n) /* rows, per row */
{
    uniform(d, n);
    d->another = bench_uniform(scaled(n[0]), n[1], 8);
    borrow(&d->G.t, d->another);
}
static void two_stencils(data *d, sizes n) /* side */
{
    stencil(d, n);
    d->another = bench_stencil27(bench_size(n[0], 10), 8);
    borrow(&d->G.t, d->another);
}
static void row_band(data *d, sizes n) /* rows, columns, full rows */
{
    have_matrix(d, bench_row_band(scaled(n[0]), n[1], scaled(n[2]), 5));
    check(sparse_convert(&d->D.t, &d->A.t));
    check(sparse_convert(&d->E.t, &d->A.t));
    snprintf(d->size, sizeof d->size, "%zu of %zu rows", d->D.t.crd[0].length, d->matrix.rows);
}
/* Matrices that suit an encoding: blocks of 4 x 4, rows of equal length, two entries in each four columns, diagonals. */
static void blocks(data *d, sizes n) /* rows, per row */
{
    have_matrix(d, bench_blocks(scaled(n[0]) / 4 * 4, 4, n[1] / 4, 31));
    check(sparse_convert(&d->F.t, &d->A.t));
}
static void even_rows(data *d, sizes n) /* rows, per row */
{
    have_matrix(d, bench_even_rows(scaled(n[0]), n[1], 33));
    check(sparse_convert(&d->H.t, &d->A.t));
}
static void pruned(data *d, sizes n) /* rows, columns */
{
    have_matrix(d, bench_pruned(bench_size(n[0], 40), n[1], 35));
    check(sparse_convert(&d->N.t, &d->A.t));
    check(sparse_convert(&d->P.t, &d->A.t));
}
static void diagonals(data *d, sizes n) /* rows, diagonals */
{
    banded(d, n);
    check(sparse_convert(&d->L.t, &d->A.t));
}
/* Far more columns than a cache holds, in a grid of blocks. */
static void blocked_uniform(data *d, sizes n) /* rows, per row */
{
    uniform(d, n);
    check(sparse_convert(&d->K.t, &d->A.t));
}
static void blocked_power_law(data *d, sizes n) /* rows, per row */
{
    power_law(d, n);
    check(sparse_convert(&d->K.t, &d->A.t));
}
static void tall(data *d, sizes n) /* rows, per row */
{
    uniform(d, n);
    random_dense(&d->X.t, d->matrix.columns, SPMM_COLUMNS);
    shape(&d->Y.t, d->matrix.rows, SPMM_COLUMNS);
}
static void sampled(data *d, sizes n) /* rows, per row */
{
    uniform(d, n);
    random_dense(&d->X.t, d->matrix.rows, SDDMM_DEPTH);
    random_dense(&d->Z.t, d->matrix.columns, SDDMM_DEPTH);
    shape(&d->Y.t, d->matrix.rows, d->matrix.columns);
}
static void have_tensor(data *d, size_t n, size_t fiber_length)
{
    sparse_arrays arrays = {.pos_base = 0};
    d->tensor = bench_random_csf(n, fiber_length, 6);
    for (unsigned l = 0; l < 3; l++) {
        arrays.pos[l] = (sparse_array)SPARSE_ARRAY(d->tensor.pos[l], l ? d->tensor.entries[l - 1] + 1 : 2);
        arrays.crd[l] = (sparse_array)SPARSE_ARRAY(d->tensor.crd[l], d->tensor.entries[l]);
    }
    arrays.val = (sparse_array)SPARSE_ARRAY(d->tensor.val, d->tensor.entries[2]);
    check(sparse_assemble(&d->B.t, d->tensor.size, &arrays, SPARSE_BORROW, NULL));
    snprintf(d->size, sizeof d->size, "%zu^3, %.2g entries", n, (double)d->tensor.entries[2]);
}
static void cube(data *d, sizes n) /* side, per fiber */
{
    have_tensor(d, bench_size(n[0], 40), n[1]);
    random_dense(&d->x.t, d->tensor.size[2], 1);
    shape(&d->Y.t, d->tensor.size[0], d->tensor.size[1]);
}
static void cube_and_factors(data *d, sizes n)
{
    have_tensor(d, bench_size(n[0], 40), n[1]);
    random_dense(&d->X.t, d->tensor.size[1], MTTKRP_COLUMNS);
    random_dense(&d->Z.t, d->tensor.size[2], MTTKRP_COLUMNS);
    shape(&d->Y.t, d->tensor.size[0], MTTKRP_COLUMNS);
}
static void have_lists(data *d, size_t size)
{
    sparse_tensor *const t[3] = {&d->a.t, &d->b.t, &d->c.t};
    for (unsigned k = 0; k < 3; k++) {
        bench_vector *v = &d->list[k];
        check(sparse_assemble(t[k], &size,
                              &(sparse_arrays){.pos[0] = SPARSE_ARRAY(v->pos, 2),
                                               .crd[0] = SPARSE_ARRAY(v->crd, v->entries),
                                               .val = SPARSE_ARRAY(v->val, v->entries)},
                              SPARSE_BORROW, NULL));
    }
    shape(&d->y.t, size, 1);
    snprintf(d->size, sizeof d->size, "%.2g, %.2g of %.2g", (double)d->list[0].entries,
             (double)d->list[1].entries, (double)size);
}
static void lists(data *d, sizes n) /* size, entries of a, b and c */
{
    for (unsigned k = 0; k < 3; k++)
        d->list[k] = bench_random_vector(scaled(n[0]), scaled(n[k + 1]), 7 + 2 * k);
    have_lists(d, scaled(n[0]));
}
static void runs(data *d, sizes n) /* size, entries, of a run */
{
    for (unsigned k = 0; k < 3; k++)
        d->list[k] = bench_clustered_vector(scaled(n[0]), scaled(n[1]), n[2], 17 + 2 * k);
    have_lists(d, scaled(n[0]));
}

/* >>rows
   Wrappers with one signature for kernels (run_NAME), loops by hand (hand_NAME) and merges (merge_NAME). */
/* clang-format off */
#define RUN(name, ...)                                     \
    static void name(void *context, double *result)        \
    {                                                      \
        data *d = (data *)context;                         \
        d->y.t.val.at = d->Y.t.val.at = result;            \
        __VA_ARGS__;                                       \
    }
#define POS(T, l)    (const uint32_t *)d->T.t.pos[l - 1].at
#define CRD(T, l)    (const uint32_t *)d->T.t.crd[l - 1].at
#define VAL(T)       (const double *)d->T.t.val.at
#define DIM(T, n)    d->T.t.dim[n - 1]
#define AS_CSR       POS(A, 2), CRD(A, 2), VAL(A)
#define AS_CSF       POS(B, 1), CRD(B, 1), POS(B, 2), CRD(B, 2), POS(B, 3), CRD(B, 3), VAL(B)
#define AS_LIST(a)   d->a.t.val.length, CRD(a, 1), VAL(a)

RUN(run_spmv, check(spmv(&d->y, &d->A, &d->x)))
RUN(run_spmv_simd, check(spmv_simd(&d->y, &d->A, &d->x)))
RUN(run_spmv_parallel, check(spmv_parallel(&d->y, &d->A, &d->x)))
RUN(run_hand_spmv, hand_spmv(DIM(A, 1), AS_CSR, VAL(x), result))
RUN(run_hand_spmv_u32, hand_spmv_u32(DIM(A, 1), AS_CSR, VAL(x), result))
RUN(run_hand_spmv_openmp, hand_spmv_openmp(DIM(A, 1), AS_CSR, VAL(x), result))
RUN(run_spmv_dcsr, check(spmv_dcsr(&d->y, &d->D, &d->x)))
RUN(run_spmv_cd, check(spmv_cd(&d->y, &d->E, &d->x)))
RUN(run_hand_spmv_dcsr, hand_spmv_dcsr(POS(D, 1), CRD(D, 1), POS(D, 2), CRD(D, 2), VAL(D), VAL(x), result))
RUN(run_hand_spmv_cd, hand_spmv_cd(DIM(E, 2), POS(E, 1), CRD(E, 1), VAL(E), VAL(x), result))
RUN(run_spmv_bsr, check(spmv_bsr(&d->y, &d->F, &d->x)))
RUN(run_spmv_ell, check(spmv_ell(&d->y, &d->H, &d->x)))
RUN(run_spmv_n2m4, check(spmv_n2m4(&d->y, &d->N, &d->x)))
RUN(run_spmv_packed, check(spmv_packed(&d->y, &d->P, &d->x)))
RUN(run_spmv_dia, check(spmv_dia(&d->y, &d->L, &d->x)))
RUN(run_spmv_csb, check(spmv_csb(&d->y, &d->K, &d->x)))
RUN(run_spmv_dia_blocks, check(spmv_dia_blocks(&d->y, &d->L, &d->x)))
RUN(run_fused, check(fused(&d->y, &d->A, &d->x, &d->z, &d->w)))
RUN(run_hand_fused, hand_fused(DIM(A, 1), AS_CSR, VAL(x), VAL(z), VAL(w), result))
RUN(run_hand_fused_after, hand_fused_after(DIM(A, 1), AS_CSR, VAL(x), VAL(z), VAL(w), result))
RUN(run_spmm, check(spmm(&d->Y, &d->A, &d->X)))
RUN(run_hand_spmm, hand_spmm(DIM(A, 1), DIM(X, 2), AS_CSR, VAL(X), result))
RUN(run_hand_spmm_64, hand_spmm_64(DIM(A, 1), DIM(X, 2), AS_CSR, VAL(X), result))
RUN(run_sddmm, check(sddmm(&d->Y, &d->A, &d->X, &d->Z)))
RUN(run_hand_sddmm, hand_sddmm(DIM(A, 1), DIM(A, 2), DIM(X, 2), AS_CSR, VAL(X), VAL(Z), result))
RUN(run_hand_sddmm_after, hand_sddmm_after(DIM(A, 1), DIM(A, 2), DIM(X, 2), AS_CSR, VAL(X), VAL(Z), result))
RUN(run_ttv, check(ttv(&d->Y, &d->B, &d->x)))
RUN(run_hand_ttv, hand_ttv(DIM(B, 2), AS_CSF, VAL(x), result))
RUN(run_mttkrp, check(mttkrp(&d->Y, &d->B, &d->X, &d->Z)))
RUN(run_mttkrp_where, check(mttkrp_where(&d->Y, &d->B, &d->Z, &d->X)))
RUN(run_mttkrp_unrolled, check(mttkrp_unrolled(&d->Y, &d->B, &d->X, &d->Z)))
RUN(run_mttkrp_where_unrolled, check(mttkrp_where_unrolled(&d->Y, &d->B, &d->Z, &d->X)))
RUN(run_spmm_unrolled, check(spmm_unrolled(&d->Y, &d->A, &d->X)))
RUN(run_mttkrp_parallel, check(mttkrp_parallel(&d->Y, &d->B, &d->X, &d->Z)))
RUN(run_hand_mttkrp, hand_mttkrp(DIM(X, 2), AS_CSF, VAL(X), VAL(Z), result))
RUN(run_hand_mttkrp_openmp, hand_mttkrp_openmp(DIM(X, 2), AS_CSF, VAL(X), VAL(Z), result))
RUN(run_hand_mttkrp_row, hand_mttkrp_row(DIM(X, 2), AS_CSF, VAL(X), VAL(Z), result))
RUN(run_dot, check(dot(result, &d->a, &d->b)))
RUN(run_merge_dot, *result = merge_dot(AS_LIST(a), AS_LIST(b), *result))
RUN(run_merge_dot_add, *result = merge_dot_add(AS_LIST(a), AS_LIST(b), *result))
RUN(run_dot_rows, check(dot_rows(&d->y, &d->A, &d->G)))
RUN(run_merge_dot_rows, merge_dot_rows(DIM(A, 1), AS_CSR, POS(G, 2), CRD(G, 2), VAL(G), result))
RUN(run_merge_dot_rows_add, merge_dot_rows_add(DIM(A, 1), AS_CSR, POS(G, 2), CRD(G, 2), VAL(G), result))
RUN(run_sum2, check(sum2(result, &d->a, &d->b)))
RUN(run_merge_sum2, *result = merge_sum2(AS_LIST(a), AS_LIST(b), *result))
RUN(run_merge_sum2_add, *result = merge_sum2_add(AS_LIST(a), AS_LIST(b), *result))
RUN(run_sum3, check(sum3(result, &d->a, &d->b, &d->c)))
RUN(run_merge_sum3, *result = merge_sum3(AS_LIST(a), AS_LIST(b), AS_LIST(c), *result))
RUN(run_merge_sum3_add, *result = merge_sum3_add(AS_LIST(a), AS_LIST(b), AS_LIST(c), *result))
RUN(run_union2, check(union2(&d->y, &d->a, &d->b)))
RUN(run_merge_union2, merge_union2(AS_LIST(a), AS_LIST(b), result))
RUN(run_merge_union2_add, merge_union2_add(AS_LIST(a), AS_LIST(b), result))
RUN(run_union3, check(union3(&d->y, &d->a, &d->b, &d->c)))
RUN(run_merge_union3, merge_union3(AS_LIST(a), AS_LIST(b), AS_LIST(c), result))
RUN(run_merge_union3_add, merge_union3_add(AS_LIST(a), AS_LIST(b), AS_LIST(c), result))

/* reads all bytes of the arrays that y += A * x reads, as fast as possible */
#define READ(buffer, size) read_all((buffer).at, (buffer).length * (size))
RUN(run_read, volatile uint64_t sum = READ(d->A.t.pos[1], 4) + READ(d->A.t.crd[1], 4) + READ(d->A.t.val, 8) +
                                      READ(d->x.t.val, 8) + read_all(result, d->y.t.val.length * 8);
    (void)sum)

enum output { SCALAR, VECTOR, MATRIX, UNCHECKED };
typedef struct row {
    const char *workload;
    void (*of)(data *, sizes);
    size_t size[4];
    enum output output;
    double goal;
    const char *other;
    void (*kernel)(void *, double *), (*loop[2])(void *, double *);
} row;

#ifdef __clang__
    #define UNION 1.7
#else
    #define UNION 2.0
#endif
#define LEVEL_WITH 0.97 /* within 3% */
#define UNPACK(...) __VA_ARGS__
#define SPMV_ROW(name, of, goal, other, kernel, loops, ...) \
    {"spmv " name, of, {__VA_ARGS__}, VECTOR, goal, other, kernel, {UNPACK loops}},
#define SPMV_ROWS(name, of, simd, ...)                                                                        \
    SPMV_ROW(name, of, LEVEL_WITH, "loop", run_spmv, (run_hand_spmv, run_hand_spmv_u32), __VA_ARGS__)         \
    SPMV_ROW(name " simd", of, simd, "scalar kernel", run_spmv_simd, (run_spmv), __VA_ARGS__)                 \
    SPMV_ROW(name " parallel", of, LEVEL_WITH, "OpenMP loop", run_spmv_parallel, (run_hand_spmv_openmp),      \
             __VA_ARGS__)
#define BANDWIDTH_ROWS(of, ...)                                                                               \
    {"spmv banded bandwidth", of, {__VA_ARGS__}, UNCHECKED, 0.65, "reading", run_spmv, {run_read}},           \
    {"spmv banded simd bandwidth", of, {__VA_ARGS__}, UNCHECKED, 0.65, "reading", run_spmv_simd, {run_read}},
#define MERGE_ROW(name, of, output, goal, kernel, merge, ...)                                                 \
    {name, of, {__VA_ARGS__}, output, goal, "merge, +=", kernel, {merge##_add}},                              \
    {name, of, {__VA_ARGS__}, output, 0, "merge, if", kernel, {merge}},
#define MERGE_ROWS(name, dot, sum, of, ...)                                                                   \
    MERGE_ROW("dot " name, of, SCALAR, dot, run_dot, run_merge_dot, __VA_ARGS__)                              \
    MERGE_ROW("union of 2 to sum " name, of, SCALAR, sum, run_sum2, run_merge_sum2, __VA_ARGS__)              \
    MERGE_ROW("union of 2 to dense " name, of, VECTOR, sum, run_union2, run_merge_union2, __VA_ARGS__)        \
    MERGE_ROW("union of 3 to sum " name, of, SCALAR, sum, run_sum3, run_merge_sum3, __VA_ARGS__)              \
    MERGE_ROW("union of 3 to dense " name, of, VECTOR, sum, run_union3, run_merge_union3, __VA_ARGS__)

static const row table[] = {
    SPMV_ROWS("uniform", uniform, 1.8, 1000000, 16)
    SPMV_ROWS("stencil", stencil, 1.0, 100)
    SPMV_ROWS("power-law", power_law, 1.0, 1000000, 16)
    SPMV_ROWS("banded", banded, 1.0, 1000000, 17)
    BANDWIDTH_ROWS(banded, 1000000, 17)
    {"spmv row-band CSR", row_band, {1000000, 1000, 10000}, VECTOR, LEVEL_WITH, "loop", run_spmv,
     {run_hand_spmv, run_hand_spmv_u32}},
    {"spmv row-band DCSR", row_band, {1000000, 1000, 10000}, VECTOR, LEVEL_WITH, "loop", run_spmv_dcsr,
     {run_hand_spmv_dcsr}},
    {"spmv row-band CD", row_band, {1000000, 1000, 10000}, VECTOR, LEVEL_WITH, "loop", run_spmv_cd,
     {run_hand_spmv_cd}},
    {"spmv BSR 4x4", blocks, {500000, 32}, VECTOR, 1, "CSR kernel", run_spmv_bsr, {run_spmv}},
    {"spmv ELL", even_rows, {1000000, 5}, VECTOR, 1, "CSR kernel", run_spmv_ell, {run_spmv}},
    {"spmv 2:4", pruned, {4000, 4000}, VECTOR, 1, "CSR kernel", run_spmv_n2m4, {run_spmv}},
    {"spmv 2:4 packed", pruned, {4000, 4000}, VECTOR, 0.9, "2:4 kernel", run_spmv_packed, {run_spmv_n2m4}},
    {"spmv CSB uniform", blocked_uniform, {1000000, 16}, VECTOR, 1.25, "CSR kernel", run_spmv_csb, {run_spmv}},
    {"spmv CSB power-law", blocked_power_law, {1000000, 16}, VECTOR, 1.25, "CSR kernel", run_spmv_csb, {run_spmv}},
    {"spmv DIA", diagonals, {30000, 27}, VECTOR, 1, "CSR kernel", run_spmv_dia, {run_spmv}},
    {"spmv DIA", diagonals, {1000000, 17}, VECTOR, 0, "CSR kernel", run_spmv_dia, {run_spmv}},
    {"spmv DIA in blocks", diagonals, {1000000, 17}, VECTOR, 0, "CSR kernel", run_spmv_dia_blocks, {run_spmv}},
    {"fused y += A * (x - z) * w", uniform, {1000000, 16}, VECTOR, LEVEL_WITH, "loop", run_fused,
     {run_hand_fused}},
    {"fused y += A * (x - z) * w", uniform, {1000000, 16}, VECTOR, 0, "loop, w after it", run_fused,
     {run_hand_fused_after}},
    {"spmm", tall, {100000, 16}, MATRIX, LEVEL_WITH, "loop", run_spmm, {run_hand_spmm}},
    {"spmm", tall, {100000, 16}, MATRIX, 0, "loop to a constant 64", run_spmm, {run_hand_spmm_64}},
    {"spmm unroll", tall, {100000, 16}, MATRIX, 1.0, "loop", run_spmm_unrolled, {run_hand_spmm}},
    {"spmm unroll", tall, {100000, 16}, MATRIX, 1.0, "loop to a constant 64", run_spmm_unrolled, {run_hand_spmm_64}},
    {"sddmm", sampled, {4000, 100}, MATRIX, LEVEL_WITH, "loop", run_sddmm, {run_hand_sddmm}},
    {"sddmm", sampled, {4000, 100}, MATRIX, 0, "loop, A after it", run_sddmm, {run_hand_sddmm_after}},
    {"ttv", cube, {2130, 5}, MATRIX, LEVEL_WITH, "loop", run_ttv, {run_hand_ttv}},
    {"mttkrp", cube_and_factors, {2130, 5}, MATRIX, LEVEL_WITH, "loop", run_mttkrp, {run_hand_mttkrp}},
    {"mttkrp", cube_and_factors, {2130, 5}, MATRIX, 0, "loop with a row of sums", run_mttkrp,
     {run_hand_mttkrp_row}},
    {"mttkrp unroll", cube_and_factors, {300, 100}, MATRIX, 1.0, "not unrolled", run_mttkrp_unrolled, {run_mttkrp}},
    {"mttkrp where", cube_and_factors, {300, 100}, MATRIX, 1.0, "one statement", run_mttkrp_where, {run_mttkrp}},
    {"mttkrp where unroll", cube_and_factors, {2130, 5}, MATRIX, 1.0, "one statement", run_mttkrp_where_unrolled,
     {run_mttkrp}},
    {"mttkrp where unroll", cube_and_factors, {300, 100}, MATRIX, 1.5, "one statement", run_mttkrp_where_unrolled,
     {run_mttkrp}},
    {"mttkrp where unroll", cube_and_factors, {300, 100}, MATRIX, 0, "loop with a row of 32 sums",
     run_mttkrp_where_unrolled, {run_hand_mttkrp_row}},
    {"mttkrp parallel", cube_and_factors, {2130, 5}, MATRIX, LEVEL_WITH, "OpenMP loop", run_mttkrp_parallel,
     {run_hand_mttkrp_openmp}},
    MERGE_ROWS("random", 1.5, UNION, lists, 10000000, 1000000, 1000000, 1000000)
    MERGE_ROWS("denser", 0, 0, lists, 10000000, 5000000, 5000000, 5000000)
    MERGE_ROWS("sparser", 0, 0, lists, 10000000, 100000, 100000, 100000)
    MERGE_ROWS("skewed", 0, 0, lists, 20000000, 1000, 10000000, 1000)
    MERGE_ROWS("in runs", 0, 0, runs, 10000000, 1000000, 16)
    MERGE_ROW("dot of rows", two_uniform, VECTOR, 0, run_dot_rows, run_merge_dot_rows, 10000, 4)
    MERGE_ROW("dot of rows", two_uniform, VECTOR, 0, run_dot_rows, run_merge_dot_rows, 10000, 16)
    MERGE_ROW("dot of rows", two_uniform, VECTOR, 0, run_dot_rows, run_merge_dot_rows, 1000, 16)
    MERGE_ROW("dot of rows", two_uniform, VECTOR, 0, run_dot_rows, run_merge_dot_rows, 1000, 64)
    MERGE_ROW("dot of rows, equal", two_stencils, VECTOR, 0, run_dot_rows, run_merge_dot_rows, 30)
};

/* clang-format on */

static char **wishes; /* the command-line arguments: a row runs if its name contains one of them */

static bool wanted(const char *workload)
{
    for (char **w = wishes; *w; w++)
        if (strstr(workload, *w)) return true;
    return !*wishes;
}
static void run_row(const row *r, data *d)
{
    const size_t length[] = {1, d->y.t.val.length, d->Y.t.val.length, d->y.t.val.length};
    bench_contest c = {.workload = r->workload,
                       .size = d->size,
                       .goal = r->goal,
                       .tolerance = 1e-11,
                       .length = length[r->output],
                       .context = d,
                       .contestant = {{"kernel", r->kernel}}};
    if (r->output == UNCHECKED) c.tolerance = HUGE_VAL;
    c.threads = strstr(r->workload, "parallel") != NULL;
    for (unsigned k = 0; k < 2; k++)
        c.contestant[k + 1] = (bench_contestant){k ? "loop, 32-bit positions" : r->other, r->loop[k]};
    bench_run(&c);
}

/* >>scaling
   Nanoseconds per stored entry of y += A * x, for 1e4 to 1e7 entries, or 1e8 if BENCH_LARGE=1; as a table,
   and drawn in build/time_per_entry.svg. */
enum { LINES = 2 };

static void scaling(data *d)
{
    static const char *const name[LINES] = {"uniform", "banded"};
    static void (*const of[LINES])(data *, sizes) = {uniform, banded};
    const char *large = getenv("BENCH_LARGE");
    const size_t decades = bench_is_quick() ? 1 : large && *large == '1' ? 5 : 4;
    chart c = {.title = "y += A x", .unit = "ns per stored entry", .groups_are = "stored entries", .groups = decades,
               .series = LINES, .group = {"1e4", "1e5", "1e6", "1e7", "1e8"}, .name = {"uniform", "banded"}, .lines = true};
    printf("\n%-12s %10s %10s   ns per stored entry, y += A * x\n", "entries", name[0], name[1]);
    for (size_t n = 0, entries = 10000; n < decades; n++, entries *= 10) {
        for (size_t l = 0; l < LINES; l++) {
            of[l](d, (size_t[]){entries / 16, 17 - (l == 0)});
            const row r = {name[l], of[l], {0}, VECTOR, 0, NULL, run_spmv, {NULL}};
            run_row(&r, d);
            c.value[l][n] = 1e9 * bench_last_seconds / (double)d->A.t.val.length;
            data_free(d);
        }
        if (!bench_is_quick()) printf("%-12zu %10.3f %10.3f\n", entries, c.value[0][n], c.value[1][n]);
    }
    if (bench_is_quick()) return;
    printf(chart_draw(&c, "build/time_per_entry.svg") ? "drawn in build/time_per_entry.svg\n"
                                                      : "build/time_per_entry.svg cannot be written\n");
}

int main(int argc, char **argv)
{
    static data d;
    const row *filled = NULL; /* the row for which d was filled */
    (void)argc;
    wishes = argv + 1;
    data_free(&d);
#ifdef _OPENMP
    omp_set_num_threads(2);
#endif
    bench_header("kernels against loops written by hand");
    for (const row *r = table; r < table + sizeof table / sizeof *table; r++) {
        if (!wanted(r->workload)) continue;
        if (!filled || filled->of != r->of || memcmp(filled->size, r->size, sizeof r->size) != 0) {
            data_free(&d);
            r->of(&d, r->size);
            filled = r;
        }
        run_row(r, &d);
    }
    data_free(&d);
    if (wanted("time per entry")) scaling(&d);
    return bench_done();
}
