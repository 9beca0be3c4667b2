/* outputs.c: compares kernels that assemble sparse results with loops written by hand and with libraries.

   make bench runs it; alone:
     g++ -O3 -march=native -I/usr/include/eigen3 -c bench/outputs_eigen.cc -o build/outputs_eigen.o
     gcc -O3 -march=native -DBENCH_EIGEN=1 -DBENCH_GRAPHBLAS=1 -I. bench/outputs.c build/outputs_eigen.o \
         -o build/outputs -lgraphblas -lm -lstdc++

   Every result is freed and allocated again in each run, from a heap that does not return memory to the system. Results are
   compared by their number of entries and by two sums. */
#include "bench.h"
#if defined(__GLIBC__)
    #include <limits.h>
    #include <malloc.h>
#endif

#include "sparse.h"

#ifndef BENCH_EIGEN
    #define BENCH_EIGEN 0
#endif
#ifndef BENCH_GRAPHBLAS
    #define BENCH_GRAPHBLAS 0
#endif
#if BENCH_GRAPHBLAS
    #include <GraphBLAS.h>
#endif

#define CSR csr, SPARSE_CSR, double, 32, 32
#define CSF csf, SPARSE_CSF_3D, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT mat, SPARSE_DENSE_2D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(VEC)
#define MARKS marks, SPARSE_DENSE_1D, uint8_t, 32, 32
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(MARKS)

SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(spgemm_ahead, (i, prefetch(k), j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)),
              C += A * B)
SPARSE_KERNEL(spgemm_parallel, (parallel(i), k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(add, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)
SPARSE_KERNEL(ttv, (i, k, l), (T, DCSR, i, k), all((B, CSF, i, k, l), (x, VEC, l)), T += B * x)
SPARSE_KERNEL(sampled, (i, j, k), like(A, C, CSR, i, j), all((X, MAT, i, k), (Z, MAT, j, k)), C += A * X * Z)
SPARSE_KERNEL(sampled_unrolled, (i, unroll(j), k), like(A, C, CSR, i, j), all((X, MAT, i, k), (Z, MAT, j, k)),
              C += A * X * Z)
SPARSE_KERNEL(triangles, (i, k, j), (s, double), all((L, CSR, i, k), (U, CSR, k, j), (M, CSR, i, j)), s += L * U * M)
SPARSE_KERNEL(triangles_row, (i, k, j), (s, double),
              all((L, CSR, i, k), (U, CSR, k, j), where((w, VEC, j), (j), all((M, CSR, i, j)), w = M)), s += L * U * w)
SPARSE_KERNEL(masked, (i, prefetch(k), j), (C, CSR, i, j),
              all((A, CSR, i, k), (B, CSR, k, j), where((m, MARKS, j), (j), all((M, CSR, i, j)), m = 1)),
              if (m) C += A * B; else has_C = false)
SPARSE_KERNEL(times, (i, j), (C, CSR, i, j), all((A, CSR, i, j), (B, CSR, i, j)), C = A * B)

/* >>data */
typedef struct data {
    bench_csr a, b;
    csr A, B, C;
    void *eigen_a, *eigen_b;
    bench_csf tensor;
    csf B3;
    dcsr T;
    vec x;
    mat X, Z;
    char size[32];
} data;

/* The fingerprint of a matrix: the number of entries, the sum of values, the sum of values times (column + 1). */
enum { FINGERPRINT = 3 };
static void fingerprint(double *result, size_t entries, const uint32_t *crd, const double *val)
{
    double sum = 0, weighted = 0;
    for (size_t p = 0; p < entries; p += 1 + entries / 4096) { /* a sample only, as this is timed, too */
        sum += val[p];
        weighted += val[p] * (double)(crd[p] + 1);
    }
    result[0] = (double)entries;
    result[1] = sum;
    result[2] = weighted;
}

static csr tensor_of(const bench_csr *m)
{
    csr t = SPARSE_INIT(csr);
    sparse_arrays arrays;
    const size_t dim[2] = {m->rows, m->columns};
    memset(&arrays, 0, sizeof arrays);
    arrays.pos[1] = (sparse_array)SPARSE_ARRAY(m->pos, m->rows + 1);
    arrays.crd[1] = (sparse_array)SPARSE_ARRAY(m->crd, bench_csr_entries(m));
    arrays.val = (sparse_array)SPARSE_ARRAY(m->val, bench_csr_entries(m));
    if (sparse_assemble(&t.t, dim, &arrays, SPARSE_BORROW, NULL)) abort();
    return t;
}

/* >>kernels
   The kit allocates each result, as all contestants do. It would be faster if it reused the arrays of the last result. */
static csr *fresh(data *d)
{
    sparse_free(&d->C.t);
    return &d->C;
}
static void kit_result(data *d, sparse_result r, double *result)
{
    if (r != SPARSE_OK) {
        fprintf(stderr, "outputs: %s\n", sparse_message(r));
        exit(2);
    }
    fingerprint(result, d->C.t.val.length, (const uint32_t *)d->C.t.crd[1].at, (const double *)d->C.t.val.at);
}
static void kit_spgemm(void *context, double *result)
{
    data *d = (data *)context;
    kit_result(d, spgemm(fresh(d), &d->A, &d->B), result);
}
static void kit_spgemm_ahead(void *context, double *result)
{
    data *d = (data *)context;
    kit_result(d, spgemm_ahead(fresh(d), &d->A, &d->B), result);
}
static void kit_spgemm_parallel(void *context, double *result)
{
    data *d = (data *)context;
    kit_result(d, spgemm_parallel(fresh(d), &d->A, &d->B), result);
}
/* a first call without arrays returns their lengths, a second call fills them */
static void kit_spgemm_into(void *context, double *result)
{
    data *d = (data *)context;
    csr C = SPARSE_INIT(csr);
    sparse_result r = spgemm_into(&C, &d->A, &d->B);
    if (r == SPARSE_E_CAPACITY) {
        C.t.pos[1].at = malloc(C.t.pos[1].length * sizeof(uint32_t));
        C.t.crd[1].at = malloc(C.t.crd[1].length * sizeof(uint32_t));
        C.t.val.at = malloc(C.t.val.length * sizeof(double));
        r = spgemm_into(&C, &d->A, &d->B);
    }
    if (r != SPARSE_OK) exit(2);
    fingerprint(result, C.t.val.length, (const uint32_t *)C.t.crd[1].at, (const double *)C.t.val.at);
    free(C.t.pos[1].at), free(C.t.crd[1].at), free(C.t.val.at);
}
static void kit_add(void *context, double *result)
{
    data *d = (data *)context;
    kit_result(d, add(fresh(d), &d->A, &d->B), result);
}
static void kit_times(void *context, double *result)
{
    data *d = (data *)context;
    kit_result(d, times(fresh(d), &d->A, &d->B), result);
}

static void kit_sampled(void *context, double *result)
{
    data *d = (data *)context;
    kit_result(d, sampled(fresh(d), &d->A, &d->X, &d->Z), result);
}
static void kit_sampled_unrolled(void *context, double *result)
{
    data *d = (data *)context;
    kit_result(d, sampled_unrolled(fresh(d), &d->A, &d->X, &d->Z), result);
}

/* >>hand
   Gustavson's algorithm with a dense workspace. The columns of a row are collected in a list, which is sorted at the end of
   the row, short lists by insertion. If the row is dense enough, its columns are found by scanning the marks instead. */
typedef struct grown {
    uint32_t *pos, *crd;
    double *val;
    size_t room;
} grown;
static grown grown_open(size_t rows, size_t room)
{
    grown g = {(uint32_t *)malloc((rows + 1) * sizeof(uint32_t)), NULL, NULL, 0};
    g.room = room;
    g.crd = (uint32_t *)malloc(room * sizeof *g.crd);
    g.val = (double *)malloc(room * sizeof *g.val);
    g.pos[0] = 0;
    return g;
}
static void grown_reserve(grown *g, size_t entries)
{
    if (entries <= g->room) return;
    g->room = entries > 2 * g->room ? entries : 2 * g->room;
    g->crd = (uint32_t *)realloc(g->crd, g->room * sizeof *g->crd);
    g->val = (double *)realloc(g->val, g->room * sizeof *g->val);
}
static void grown_close(grown *g, size_t entries, double *result)
{
    fingerprint(result, entries, g->crd, g->val);
    free(g->pos), free(g->crd), free(g->val);
}
/* Sorts a short list by insertion. */
static void sort_list(uint32_t *list, size_t count)
{
    if (count > 64) qsort(list, count, sizeof *list, bench_compare_u32);
    else bench_sort_row(list, 0, count);
}
static void gustavson(void *context, double *result, bool scans)
{
    data *d = (data *)context;
    const bench_csr *a = &d->a, *b = &d->b;
    const size_t n = b->columns;
    double *restrict w = (double *)calloc(n, sizeof *w);
    bool *restrict has = (bool *)calloc(n, sizeof *has);
    uint32_t *restrict list = (uint32_t *)malloc(n * sizeof *list);
    grown c = grown_open(a->rows, bench_csr_entries(a) + bench_csr_entries(b));
    size_t entries = 0;
    for (size_t i = 0; i < a->rows; i++) {
        size_t count = 0;
        uint32_t least = UINT32_MAX, most = 0;
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
            const size_t k = a->crd[p];
            const double x = a->val[p];
            for (size_t q = b->pos[k]; q < b->pos[k + 1]; q++) {
                const uint32_t j = b->crd[q];
                if (!has[j]) {
                    has[j] = true;
                    list[count++] = j;
                    w[j] = x * b->val[q];
                    if (j < least) least = j;
                    if (j > most) most = j;
                } else
                    w[j] += x * b->val[q];
            }
        }
        grown_reserve(&c, entries + count);
        if (scans && count > 0 && count > (most - least) / 16)
            for (size_t j = least, m = 0; m < count; j++) {
                if (has[j]) list[m++] = (uint32_t)j;
            }
        else if (scans) sort_list(list, count);
        else qsort(list, count, sizeof *list, bench_compare_u32);
        for (size_t m = 0; m < count; m++) {
            const uint32_t j = list[m];
            c.crd[entries] = j;
            c.val[entries++] = w[j];
            has[j] = false;
        }
        c.pos[i + 1] = (uint32_t)entries;
    }
    free(w), free(has), free(list);
    grown_close(&c, entries, result);
}
/* sum of L(i,k) L(k,j) L(i,j): row i is marked once, and probed by each row k */
static void hand_triangles(void *context, double *result)
{
    data *d = (data *)context;
    const bench_csr *a = &d->a;
    double *row = (double *)calloc(a->columns, sizeof *row), sum = 0;
    for (size_t i = 0; i < a->rows; i++) {
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) row[a->crd[p]] = a->val[p];
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
            const size_t k = a->crd[p];
            for (size_t q = a->pos[k]; q < a->pos[k + 1]; q++) sum += a->val[p] * a->val[q] * row[a->crd[q]];
        }
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) row[a->crd[p]] = 0;
    }
    free(row);
    result[0] = sum;
}
static void kit_triangles(void *context, double *result)
{
    data *d = (data *)context;
    double sum = 0;
    if (triangles(&sum, &d->A, &d->A, &d->A) != SPARSE_OK) exit(2);
    result[0] = sum;
}
static void kit_triangles_row(void *context, double *result)
{
    data *d = (data *)context;
    double sum = 0;
    if (triangles_row(&sum, &d->A, &d->A, &d->A) != SPARSE_OK) exit(2);
    result[0] = sum;
}
/* C(i,j) = A(i,k) B(k,j) where A(i,j) is stored: row i of A is marked */
static void kit_masked(void *context, double *result)
{
    data *d = (data *)context;
    kit_result(d, masked(fresh(d), &d->A, &d->B, &d->A), result);
}
static void hand_masked(void *context, double *result)
{
    data *d = (data *)context;
    const bench_csr *a = &d->a, *b = &d->b;
    double *restrict w = (double *)calloc(b->columns, sizeof *w);
    uint8_t *restrict mark = (uint8_t *)calloc(b->columns, 1); /* 1: in the mask, 2: stored */
    grown c = grown_open(a->rows, bench_csr_entries(a));
    size_t n = 0;
    for (size_t i = 0; i < a->rows; i++) {
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) mark[a->crd[p]] = 1;
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
            const size_t k = a->crd[p];
            const double x = a->val[p];
            for (size_t q = b->pos[k]; q < b->pos[k + 1]; q++) {
                const uint32_t j = b->crd[q];
                if (mark[j]) mark[j] = 2, w[j] += x * b->val[q];
            }
        }
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
            const uint32_t j = a->crd[p];
            if (mark[j] == 2) c.crd[n] = j, c.val[n++] = w[j];
            mark[j] = 0, w[j] = 0;
        }
        c.pos[i + 1] = (uint32_t)n;
    }
    free(w), free(mark);
    grown_close(&c, n, result);
}
static void hand_spgemm(void *context, double *result) { gustavson(context, result, true); }
static void taco_spgemm(void *context, double *result) { gustavson(context, result, false); }

/* the merges that TACO prints: a loop with three cases, then two loops for the rest of either operand */
static void taco_add(void *context, double *result)
{
    data *d = (data *)context;
    const bench_csr *a = &d->a, *b = &d->b;
    grown c = grown_open(a->rows, bench_csr_entries(a) + bench_csr_entries(b));
    size_t n = 0;
    for (size_t i = 0; i < a->rows; i++) {
        size_t p = a->pos[i], q = b->pos[i];
        const size_t pe = a->pos[i + 1], qe = b->pos[i + 1];
        while (p < pe && q < qe) {
            const uint32_t ja = a->crd[p], jb = b->crd[q], j = ja < jb ? ja : jb;
            c.crd[n] = j;
            if (ja == j && jb == j) c.val[n++] = a->val[p] + b->val[q];
            else if (ja == j) c.val[n++] = a->val[p];
            else c.val[n++] = b->val[q];
            p += ja == j;
            q += jb == j;
        }
        for (; p < pe; p++) c.crd[n] = a->crd[p], c.val[n++] = a->val[p];
        for (; q < qe; q++) c.crd[n] = b->crd[q], c.val[n++] = b->val[q];
        c.pos[i + 1] = (uint32_t)n;
    }
    grown_close(&c, n, result);
}
static void taco_times(void *context, double *result)
{
    data *d = (data *)context;
    const bench_csr *a = &d->a, *b = &d->b;
    grown c = grown_open(a->rows, bench_csr_entries(a));
    size_t n = 0;
    for (size_t i = 0; i < a->rows; i++) {
        size_t p = a->pos[i], q = b->pos[i];
        const size_t pe = a->pos[i + 1], qe = b->pos[i + 1];
        while (p < pe && q < qe) {
            const uint32_t ja = a->crd[p], jb = b->crd[q], j = ja < jb ? ja : jb;
            if (ja == j && jb == j) c.crd[n] = j, c.val[n++] = a->val[p] * b->val[q];
            p += ja == j;
            q += jb == j;
        }
        c.pos[i + 1] = (uint32_t)n;
    }
    grown_close(&c, n, result);
}

/* C(i,j) = A(i,j) * X(i,k) * Z(j,k), with a copy of the pattern of A */
static void hand_sampled(void *context, double *result)
{
    data *d = (data *)context;
    const bench_csr *a = &d->a;
    const size_t depth = d->X.t.dim[1], entries = bench_csr_entries(a);
    const double *restrict x = (const double *)d->X.t.val.at, *restrict z = (const double *)d->Z.t.val.at;
    grown c = grown_open(a->rows, entries);
    memcpy(c.pos, a->pos, (a->rows + 1) * sizeof *c.pos);
    memcpy(c.crd, a->crd, entries * sizeof *c.crd);
    for (size_t i = 0; i < a->rows; i++)
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
            double sum = 0;
            for (size_t k = 0; k < depth; k++) sum += a->val[p] * x[i * depth + k] * z[a->crd[p] * depth + k];
            c.val[p] = sum;
        }
    grown_close(&c, entries, result);
}

/* the loops that one would write for T(i,k) = B(i,k,l) * x(l), into arrays that grow by the factor 2 */
static void hand_ttv(void *context, double *result)
{
    data *d = (data *)context;
    const bench_csf *b = &d->tensor;
    const double *x = (const double *)d->x.t.val.at;
    grown rows = grown_open(1, 16), c = grown_open(b->entries[0], 16);
    size_t n = 0, m = 0;
    for (size_t p = 0; p < b->entries[0]; p++) {
        const size_t start = n;
        for (size_t q = b->pos[1][p]; q < b->pos[1][p + 1]; q++) {
            double sum = 0;
            for (size_t r = b->pos[2][q]; r < b->pos[2][q + 1]; r++) sum += b->val[r] * x[b->crd[2][r]];
            if (b->pos[2][q] == b->pos[2][q + 1]) continue;
            grown_reserve(&c, n + 1);
            c.crd[n] = b->crd[1][q];
            c.val[n++] = sum;
        }
        if (n == start) continue;
        grown_reserve(&rows, m + 1);
        rows.crd[m++] = b->crd[0][p];
        c.pos[m] = (uint32_t)n;
    }
    rows.pos[1] = (uint32_t)m;
    free(rows.pos), free(rows.crd), free(rows.val);
    grown_close(&c, n, result);
}
static void kit_ttv(void *context, double *result)
{
    data *d = (data *)context;
    sparse_free(&d->T.t);
    if (ttv(&d->T, &d->B3, &d->x) != SPARSE_OK) exit(2);
    fingerprint(result, d->T.t.val.length, (const uint32_t *)d->T.t.crd[1].at, (const double *)d->T.t.val.at);
}

/* >>libraries */
#if BENCH_EIGEN
extern void *eigen_open(size_t rows, size_t columns, const uint32_t *pos, const uint32_t *crd, const double *val);
extern void eigen_close(void *matrix);
extern size_t eigen_multiply(const void *a, const void *b, const uint32_t **crd, const double **val);
static void eigen_spgemm(void *context, double *result)
{
    data *d = (data *)context;
    const uint32_t *crd;
    const double *val;
    if (!d->eigen_a) {
        d->eigen_a = eigen_open(d->a.rows, d->a.columns, d->a.pos, d->a.crd, d->a.val);
        d->eigen_b = eigen_open(d->b.rows, d->b.columns, d->b.pos, d->b.crd, d->b.val);
    }
    const size_t entries = eigen_multiply(d->eigen_a, d->eigen_b, &crd, &val);
    fingerprint(result, entries, crd, val);
}
#else
    #define eigen_spgemm NULL
#endif

#if BENCH_GRAPHBLAS
static GrB_Matrix graph_a, graph_b;
static GrB_Matrix graph_of(const bench_csr *m)
{
    const size_t entries = bench_csr_entries(m);
    GrB_Matrix g;
    GrB_Index *i = (GrB_Index *)malloc((entries + 1) * sizeof *i), *j = (GrB_Index *)malloc((entries + 1) * sizeof *j);
    for (size_t r = 0; r < m->rows; r++)
        for (size_t p = m->pos[r]; p < m->pos[r + 1]; p++) i[p] = r, j[p] = m->crd[p];
    GrB_Matrix_new(&g, GrB_FP64, m->rows, m->columns);
    GrB_Matrix_build_FP64(g, i, j, m->val, entries, GrB_PLUS_FP64);
    free(i), free(j);
    return g;
}
static void graph_open(const data *d)
{
    if (graph_a) return;
    graph_a = graph_of(&d->a);
    graph_b = graph_of(&d->b);
}
static void graph_threads(int threads) { GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads); }
static void graph_close(void)
{
    if (!graph_a) return;
    GrB_Matrix_free(&graph_a);
    GrB_Matrix_free(&graph_b);
}
static void graph_result(GrB_Matrix c, const double *same, double *result)
{
    GrB_Index entries;
    GrB_Matrix_wait(c, GrB_MATERIALIZE);
    GrB_Matrix_nvals(&entries, c);
    result[0] = (double)entries; /* opaque: only the number of entries is compared */
    result[1] = same[1];
    result[2] = same[2];
    GrB_Matrix_free(&c);
}
static double graph_same[FINGERPRINT];
static void graph_spgemm(void *context, double *result)
{
    GrB_Matrix c;
    const data *d = (const data *)context;
    graph_open(d);
    GrB_Matrix_new(&c, GrB_FP64, d->a.rows, d->b.columns);
    GrB_mxm(c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, graph_a, graph_b, NULL);
    fingerprint(graph_same, d->C.t.val.length, (const uint32_t *)d->C.t.crd[1].at, (const double *)d->C.t.val.at);
    graph_result(c, graph_same, result);
}
static void graph_add(void *context, double *result)
{
    GrB_Matrix c;
    const data *d = (const data *)context;
    graph_open(d);
    GrB_Matrix_new(&c, GrB_FP64, d->a.rows, d->b.columns);
    GrB_Matrix_eWiseAdd_BinaryOp(c, NULL, NULL, GrB_PLUS_FP64, graph_a, graph_b, NULL);
    fingerprint(graph_same, d->C.t.val.length, (const uint32_t *)d->C.t.crd[1].at, (const double *)d->C.t.val.at);
    graph_result(c, graph_same, result);
}
/* C<A> = A B; and the sum of A .* (A A) */
static void graph_masked(void *context, double *result)
{
    GrB_Matrix c;
    const data *d = (const data *)context;
    graph_open(d);
    GrB_Matrix_new(&c, GrB_FP64, d->a.rows, d->b.columns);
    GrB_mxm(c, graph_a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, graph_a, graph_b, GrB_DESC_S);
    fingerprint(graph_same, d->C.t.val.length, (const uint32_t *)d->C.t.crd[1].at, (const double *)d->C.t.val.at);
    graph_result(c, graph_same, result);
}
static void graph_triangles(void *context, double *result)
{
    GrB_Matrix c;
    const data *d = (const data *)context;
    graph_open(d);
    GrB_Matrix_new(&c, GrB_FP64, d->a.rows, d->a.columns);
    GrB_mxm(c, graph_a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, graph_a, graph_a, GrB_DESC_S);
    GrB_Matrix_eWiseMult_BinaryOp(c, NULL, NULL, GrB_TIMES_FP64, c, graph_a, NULL);
    GrB_Matrix_reduce_FP64(result, NULL, GrB_PLUS_MONOID_FP64, c, NULL);
    GrB_Matrix_free(&c);
}
#else
    #define graph_spgemm    NULL
    #define graph_add       NULL
    #define graph_masked    NULL
    #define graph_triangles NULL
static void graph_close(void) {}
static void graph_threads(int threads) { (void)threads; }
#endif

/* >>rows */
static void begin(data *d, bench_csr a, bench_csr b)
{
    memset(d, 0, sizeof *d);
    d->a = a;
    d->b = b;
    d->A = tensor_of(&d->a);
    d->B = tensor_of(&d->b);
    d->C = (csr)SPARSE_INIT(csr);
}
static void end(data *d)
{
    graph_close();
#if BENCH_EIGEN
    if (d->eigen_a) eigen_close(d->eigen_a), eigen_close(d->eigen_b);
#endif
    sparse_free(&d->A.t), sparse_free(&d->B.t), sparse_free(&d->C.t);
    bench_csr_free(&d->a), bench_csr_free(&d->b);
}
static bool on_threads;
static char **words; /* the command-line arguments: a row runs if its name contains one of them */
static bool is_wanted(const char *workload)
{
    bool wanted = !words[1];
    for (char **word = words + 1; *word; word++) wanted = wanted || strstr(workload, *word);
    return wanted;
}
static void contest(data *d, const char *workload, double goal, const bench_contestant *who, size_t count)
{
    bench_contest c;
    memset(&c, 0, sizeof c);
    if (!d->size[0])
        snprintf(d->size, sizeof d->size, "n %zu, %.1e stored", d->a.rows, (double)bench_csr_entries(&d->a));
    c.workload = workload;
    c.size = d->size;
    c.goal = goal;
    c.tolerance = 1e-12;
    c.length = FINGERPRINT;
    c.context = d;
    c.all = !bench_is_quick();
    c.threads = on_threads;
    for (size_t n = 0, at = 0; n < count; n++)
        if (who[n].run) c.contestant[at++] = who[n];
    if (is_wanted(workload)) bench_run(&c);
    end(d);
}
static void products(data *d, const char *workload)
{
    static const bench_contestant who[] = {{"spgemm", kit_spgemm},
                                           {"Eigen", eigen_spgemm},
                                           {"GraphBLAS", graph_spgemm},
                                           {"by hand, list sorted (TACO)", taco_spgemm},
                                           {"by hand, list sorted or marks scanned", hand_spgemm}};
    contest(d, workload, 1.1, who, sizeof who / sizeof *who);
}
/* products that read rows of B in random order, also with prefetch(k) */
static void far_products(data *d, const char *workload)
{
    static const bench_contestant who[] = {{"spgemm, prefetch(k)", kit_spgemm_ahead},
                                           {"spgemm", kit_spgemm},
                                           {"Eigen", eigen_spgemm},
                                           {"GraphBLAS", graph_spgemm},
                                           {"by hand, list sorted (TACO)", taco_spgemm},
                                           {"by hand, list sorted or marks scanned", hand_spgemm}};
    contest(d, workload, 1.1, who, sizeof who / sizeof *who);
}
/* Goals: counting first and then filling may take 1.5 times as long; two threads should be faster than two of GraphBLAS.
   How much faster they are than one depends on the load of the machine. */
static void phases(data *d, const char *workload)
{
    static const bench_contestant who[] = {{"spgemm_into, twice", kit_spgemm_into}, {"spgemm", kit_spgemm}};
    contest(d, workload, 1 / 1.5, who, sizeof who / sizeof *who);
}
static void threads(data *d, const char *workload)
{
    static const bench_contestant who[] = {
        {"spgemm, parallel", kit_spgemm_parallel}, {"spgemm", kit_spgemm}, {"GraphBLAS, two threads", graph_spgemm}};
    on_threads = true;
    graph_threads(2);
    contest(d, workload, 1.1, who, sizeof who / sizeof *who);
    graph_threads(1);
    on_threads = false;
}
static void counts(data *d, const char *workload)
{
    static const bench_contestant who[] = {{"triangles, a row in a workspace", kit_triangles_row},
                                           {"triangles, rows merged", kit_triangles},
                                           {"GraphBLAS", graph_triangles},
                                           {"by hand, row i marked once", hand_triangles}};
    contest(d, workload, 0.95, who, sizeof who / sizeof *who);
}
static void masks(data *d, const char *workload)
{
    static const bench_contestant who[] = {
        {"masked", kit_masked}, {"GraphBLAS", graph_masked}, {"by hand, row i marked once", hand_masked}};
    contest(d, workload, 0.95, who, sizeof who / sizeof *who);
}
static void sums(data *d, const char *workload)
{
    static const bench_contestant who[] = {{"add", kit_add}, {"GraphBLAS", graph_add}, {"branchy merge (TACO)", taco_add}};
    contest(d, workload, 2, who, sizeof who / sizeof *who);
}
static void vectors(data *d, const char *workload, size_t n, size_t fiber)
{
    static const bench_contestant who[] = {{"ttv", kit_ttv}, {"by hand, arrays that double", hand_ttv}};
    sparse_arrays arrays;
    begin(d, bench_banded(2, 1, 1), bench_banded(2, 1, 1));
    d->tensor = bench_random_csf(n, fiber, 13);
    d->B3 = (csf)SPARSE_INIT(csf);
    d->T = (dcsr)SPARSE_INIT(dcsr);
    d->x = (vec)SPARSE_INIT(vec);
    memset(&arrays, 0, sizeof arrays);
    for (unsigned l = 0; l < 3; l++) {
        arrays.pos[l] = (sparse_array)SPARSE_ARRAY(d->tensor.pos[l], (l ? d->tensor.entries[l - 1] : 1) + 1);
        arrays.crd[l] = (sparse_array)SPARSE_ARRAY(d->tensor.crd[l], d->tensor.entries[l]);
    }
    arrays.val = (sparse_array)SPARSE_ARRAY(d->tensor.val, d->tensor.entries[2]);
    if (sparse_assemble(&d->B3.t, d->tensor.size, &arrays, SPARSE_BORROW, NULL)) abort();
    snprintf(d->size, sizeof d->size, "n %zu, %.1e stored", n, (double)d->tensor.entries[2]);
    double *x = bench_dense(n, 14);
    if (sparse_pack_dense_untyped(&d->x.t, &n, x)) abort();
    free(x);
    contest(d, workload, 1, who, sizeof who / sizeof *who);
    sparse_free(&d->B3.t), sparse_free(&d->T.t), sparse_free(&d->x.t);
    bench_csf_free(&d->tensor);
}
static void samples(data *d, const char *workload, bench_contestant kit, size_t depth)
{
    const bench_contestant who[] = {kit, {"by hand, the pattern copied", hand_sampled}};
    const size_t x_dim[] = {d->a.rows, depth}, z_dim[] = {d->a.columns, depth};
    double *x = bench_dense(d->a.rows * depth, 15), *z = bench_dense(d->a.columns * depth, 16);
    d->X = d->Z = (mat)SPARSE_INIT(mat);
    if (sparse_pack_dense_untyped(&d->X.t, x_dim, x) || sparse_pack_dense_untyped(&d->Z.t, z_dim, z)) abort();
    free(x), free(z);
    contest(d, workload, 0.97, who, sizeof who / sizeof *who);
    sparse_free(&d->X.t), sparse_free(&d->Z.t);
}
static void intersections(data *d, const char *workload)
{
    static const bench_contestant who[] = {{"times", kit_times}, {"branchy merge (TACO)", taco_times}};
    contest(d, workload, 1.5, who, sizeof who / sizeof *who);
}

int main(int argc, char **argv)
{
    data d;
    (void)argc;
    words = argv;
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
#if BENCH_GRAPHBLAS
    GrB_init(GrB_NONBLOCKING);
#endif
    graph_threads(1);
    bench_header("tensor times vector, CSF -> DCSR");
    vectors(&d, "TTV, fibers of 8", bench_size(1500, 24), 8);
    vectors(&d, "TTV, fibers of 2", bench_size(2000, 24), 2);
    const bench_contestant plain = {"sampled", kit_sampled}, unrolled = {"sampled, unrolled", kit_sampled_unrolled};
    bench_header("sampled products of dense matrices, CSR like an operand");
    begin(&d, bench_uniform(bench_size(4000, 100), 40, 1), bench_banded(2, 1, 1));
    samples(&d, "SDDMM, 64 columns", plain, 64);
    begin(&d, bench_uniform(bench_size(4000, 100), 40, 1), bench_banded(2, 1, 1));
    samples(&d, "SDDMM, 64 columns, unroll", unrolled, 64);
    begin(&d, bench_uniform(bench_size(100000, 100), 16, 1), bench_banded(2, 1, 1));
    samples(&d, "SDDMM, 8 columns", plain, 8);
    bench_header("products of sparse matrices, CSR x CSR -> CSR");
    for (size_t n = bench_size(1024, 128); n <= bench_size(8192, 256); n *= 2) {
        begin(&d, bench_uniform(n, n / 100 + 1, 1), bench_uniform(n, n / 100 + 1, 2));
        products(&d, "SpGEMM, uniform 0.01");
    }
    for (size_t n = bench_size(20000, 500); n <= bench_size(2000000, 500); n *= 10) {
        begin(&d, bench_banded(n, 4, 3), bench_banded(n, 4, 4));
        products(&d, "SpGEMM, band of 9");
    }
    begin(&d, bench_banded(bench_size(100000, 500), 8, 3), bench_banded(bench_size(100000, 500), 8, 4));
    products(&d, "SpGEMM, band of 17");
    begin(&d, bench_blocks(bench_size(100000, 500), 8, 3, 5), bench_blocks(bench_size(100000, 500), 8, 3, 6));
    products(&d, "SpGEMM, 3 blocks of 8 a row");
    begin(&d, bench_power_law(bench_size(100000, 500), 8, 5), bench_power_law(bench_size(100000, 500), 8, 6));
    products(&d, "SpGEMM, power-law");
    for (size_t n = bench_size(10000, 500); n <= bench_size(100000, 500); n *= 10) {
        begin(&d, bench_uniform(n, 16, 7), bench_uniform(n, 16, 8));
        products(&d, "SpGEMM, uniform, 16 a row");
    }
    for (size_t row = 4; row > 0; row /= 2) {
        begin(&d, bench_uniform(bench_size(1000000, 2000), row, 7), bench_uniform(bench_size(1000000, 2000), row, 8));
        far_products(&d, row == 4   ? "SpGEMM, hypersparse, 4 a row"
                         : row == 2 ? "SpGEMM, hypersparse, 2 a row"
                                    : "SpGEMM, hypersparse, 1 a row");
    }
    begin(&d, bench_uniform(bench_size(3000000, 2000), 1, 7), bench_uniform(bench_size(3000000, 2000), 1, 8));
    far_products(&d, "SpGEMM, hypersparse, 1 a row");
    for (size_t columns = bench_size(100000, 5000); columns <= bench_size(10000000, 5000); columns *= 10) {
        begin(&d, bench_uniform(bench_size(1000, 100), 10, 9),
              bench_uniform_wide(bench_size(1000, 100), columns, 1000, 10));
        products(&d, "SpGEMM, rows of 1000");
    }
    begin(&d, bench_power_law(bench_size(100000, 500), 8, 5), bench_banded(2, 1, 1));
    counts(&d, "triangles, power-law");
    begin(&d, bench_power_law(bench_size(100000, 500), 8, 5), bench_power_law(bench_size(100000, 500), 8, 6));
    masks(&d, "masked product, power-law");
    begin(&d, bench_uniform(bench_size(100000, 500), 16, 7), bench_uniform(bench_size(100000, 500), 16, 8));
    masks(&d, "masked product, 16 a row");
    begin(&d, bench_uniform(bench_size(4096, 128), 41, 1), bench_uniform(bench_size(4096, 128), 41, 2));
    phases(&d, "SpGEMM in two phases");
    begin(&d, bench_uniform(bench_size(4096, 128), 41, 1), bench_uniform(bench_size(4096, 128), 41, 2));
    threads(&d, "SpGEMM parallel");
    begin(&d, bench_banded(bench_size(100000, 500), 8, 3), bench_banded(bench_size(100000, 500), 8, 4));
    threads(&d, "SpGEMM parallel, banded");
    bench_header("sums and elementwise products, CSR and CSR -> CSR");
    for (size_t n = bench_size(10000, 100); n <= bench_size(1000000, 1000); n *= 10) {
        begin(&d, bench_uniform(n, 16, 9), bench_uniform(n, 16, 10));
        sums(&d, "A + B, uniform");
    }
    begin(&d, bench_uniform_wide(bench_size(10000, 100), 10000, 1000, 11),
          bench_uniform_wide(bench_size(10000, 100), 10000, 1000, 12));
    sums(&d, "A + B, rows of 1000");
    begin(&d, bench_uniform_wide(bench_size(10000, 100), 10000, 1000, 11),
          bench_uniform_wide(bench_size(10000, 100), 10000, 1000, 12));
    intersections(&d, "A .* B, rows of 1000");
    return bench_done();
}
