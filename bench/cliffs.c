/* cliffs.c: finds shapes of matrices on which a statement is much slower than on others. Each statement runs on each shape.
   Its time per operation is compared with the median of the statement over all shapes. If it is more than twice the median,
   it is printed as a cliff, to be fixed, or explained in docs/notebook.md. With words on the command line, only statements
   run whose names contain one of them. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "../sparse.h"

#define CSR  csr, SPARSE_CSR, double, 32, 32
#define CSC  csc, SPARSE_CSC, double, 32, 32
#define COO  coo, SPARSE_COO, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define BSR  bsr, SPARSE_BSR(4, 4), double, 32, 32
#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)

/* The statements. y, z and Y are dense; B is the transpose of A. */
SPARSE_KERNEL(spmv_csr, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_csc, (j, i), (y, VEC, i), all((A, CSC, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_coo, (i, j), (y, VEC, i), all((A, COO, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dcsr, (i, j), (y, VEC, i), all((A, DCSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(transposed, (i, j), (z, VEC, j), all((A, CSR, i, j), (y, VEC, i)), z += A * y)
SPARSE_KERNEL(both, (i, j), ((y, VEC, i), (z, VEC, j)), all((A, CSR, i, j), (x, VEC, j), (u, VEC, i)), y += A * x;
              z += A * u)
SPARSE_KERNEL(spmm, (i, j, k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(sddmm, (i, j, k), like(A, C, CSR, i, j), all((Y, MAT, i, k), (X, MAT, j, k)), C += A * Y * X)
SPARSE_KERNEL(row_sums, (i, j), (y, VEC, i), all((A, CSR, i, j)), y += A)
SPARSE_KERNEL(largest, (i, j), from(0, y, VEC, i), all((A, CSR, i, j)), if (A > y) y = A)
SPARSE_KERNEL(column_sums, (i, j), (z, VEC, j), all((A, CSR, i, j)), z += A)
SPARSE_KERNEL(total, (i, j), (s, double), all((A, CSR, i, j)), s += A * A)
SPARSE_KERNEL(scaled, (i, j), like(A, C, CSR, i, j), all((y, VEC, i), (x, VEC, j)), C = A * y * x)
SPARSE_KERNEL(filtered, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), if (A < 0.5) continue; C = A)
SPARSE_KERNEL(sum, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)
SPARSE_KERNEL(times, (i, j), (C, CSR, i, j), all((A, CSR, i, j), (B, CSR, i, j)), C = A * B)
SPARSE_KERNEL(without, (i, j), (C, CSR, i, j), all((A, CSR, i, j), none((B, CSR, i, j))), C = A)
SPARSE_KERNEL(difference, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A - 2 * B)
SPARSE_KERNEL(either, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), if (has_A && has_B) continue; C = A + B)
SPARSE_KERNEL(spmv_simd, (i, simd(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(dcsr_transposed, (i, j), (z, VEC, j), all((A, DCSR, i, j), (y, VEC, i)), z += A * y)
SPARSE_KERNEL(spmm_csc, (j, i, k), (Y, MAT, i, k), all((A, CSC, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmm_dcsr, (i, j, k), (Y, MAT, i, k), all((A, DCSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmm_coo, (i, j, k), (Y, MAT, i, k), all((A, COO, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(coo_row_sums, (i, j), (y, VEC, i), all((A, COO, i, j)), y += A)
SPARSE_KERNEL(dcsr_total, (i, j), (s, double), all((A, DCSR, i, j)), s += A * A)
SPARSE_KERNEL(bilinear, (i, j), (s, double), all((A, CSR, i, j), (x, VEC, j), (y, VEC, i)), s += y * A * x)
SPARSE_KERNEL(inner, (i, j), (s, double), all((A, CSR, i, j), (B, CSR, i, j)), s += A * B)
SPARSE_KERNEL(csc_total, (j, i), (s, double), all((A, CSC, i, j)), s += A * A)
SPARSE_KERNEL(csc_row_sums, (j, i), (y, VEC, i), all((A, CSC, i, j)), y += A)
SPARSE_KERNEL(csc_column_sums, (j, i), (z, VEC, j), all((A, CSC, i, j)), z += A)
SPARSE_KERNEL(coo_total, (i, j), (s, double), all((A, COO, i, j)), s += A * A)
SPARSE_KERNEL(coo_column_sums, (i, j), (z, VEC, j), all((A, COO, i, j)), z += A)
SPARSE_KERNEL(coo_transposed, (i, j), (z, VEC, j), all((A, COO, i, j), (y, VEC, i)), z += A * y)
SPARSE_KERNEL(dcsr_row_sums, (i, j), (y, VEC, i), all((A, DCSR, i, j)), y += A)
SPARSE_KERNEL(dcsr_column_sums, (i, j), (z, VEC, j), all((A, DCSR, i, j)), z += A)
SPARSE_KERNEL(smallest, (i, j), from(1, y, VEC, i), all((A, CSR, i, j)), if (A < y) y = A)
SPARSE_KERNEL(norms, (i, j), (y, VEC, i), all((A, CSR, i, j)), y += A * A)
SPARSE_KERNEL(row_scaled, (i, j), like(A, C, CSR, i, j), all((y, VEC, i)), C = A * y)
SPARSE_KERNEL(sampled, (i, j), like(A, C, CSR, i, j), all((y, VEC, i), (x, VEC, j)), C = y * x)
SPARSE_KERNEL(copied, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(dcsr_scaled, (i, j), (C, DCSR, i, j), all((A, DCSR, i, j)), C = 2 * A)
SPARSE_KERNEL(sum_mixed, (i, j), (C, DCSR, i, j), any((A, DCSR, i, j), (B, CSR, i, j)), C = A + B)
SPARSE_KERNEL(inner_mixed, (i, j), (s, double), all((A, CSR, i, j), (B, DCSR, i, j)), s += A * B)
SPARSE_KERNEL(spmm_transposed, (i, j, k), (Z, MAT, j, k), all((A, CSR, i, j), (Y, MAT, i, k)), Z += A * Y)

enum { COLUMNS = 8, MOST = 12 };
/* one shape, with all operands and outputs of the statements */
typedef struct {
    const char *name;
    size_t dim[2], count, *at;
    double *value;
    csr A, B, like, out, packed;
    csc by_columns, to_csc;
    coo list, to_coo;
    dcsr rows, to_dcsr;
    bsr to_bsr;
    vec x, y, z, u;
    mat X, Y, Z;
} shape;

static sparse_result keep(double s) { return s < 1e300 ? SPARSE_OK : SPARSE_E_ARGUMENT; }
/* a statement whose output is a scalar */
#define OF_NUMBER(name, ...)                                                                                                \
    static sparse_result of_##name(shape *s)                                                                                \
    {                                                                                                                       \
        double sum = 0;                                                                                                     \
        const sparse_result result = name(&sum, __VA_ARGS__);                                                               \
        return result ? result : keep(sum);                                                                                 \
    }
OF_NUMBER(total, &s->A)
OF_NUMBER(csc_total, &s->by_columns)
OF_NUMBER(coo_total, &s->list)
OF_NUMBER(dcsr_total, &s->rows)
OF_NUMBER(inner, &s->A, &s->A)
OF_NUMBER(inner_mixed, &s->A, &s->rows)
OF_NUMBER(bilinear, &s->A, &s->x, &s->y)
/* STATEMENT(name, call): the call on the members of s */
#define STATEMENTS(DO)                                                                                                      \
    DO(spmv_csr, spmv_csr(&s->y, &s->A, &s->x))                                                                             \
    DO(spmv_csc, spmv_csc(&s->y, &s->by_columns, &s->x))                                                                    \
    DO(spmv_coo, spmv_coo(&s->y, &s->list, &s->x))                                                                          \
    DO(spmv_dcsr, spmv_dcsr(&s->y, &s->rows, &s->x))                                                                        \
    DO(transposed, transposed(&s->z, &s->A, &s->y))                                                                         \
    DO(both, both(&s->y, &s->z, &s->A, &s->x, &s->u))                                                                       \
    DO(spmm, spmm(&s->Y, &s->A, &s->X))                                                                                     \
    DO(sddmm, sddmm(&s->like, &s->A, &s->Y, &s->X))                                                                         \
    DO(row_sums, row_sums(&s->y, &s->A))                                                                                    \
    DO(largest, largest(&s->y, &s->A))                                                                                      \
    DO(column_sums, column_sums(&s->z, &s->A))                                                                              \
    DO(total, of_total(s))                                                                                                  \
    DO(scaled, scaled(&s->like, &s->A, &s->y, &s->x))                                                                       \
    DO(filtered, filtered(&s->out, &s->A))                                                                                  \
    DO(sum, sum(&s->out, &s->A, &s->B))                                                                                     \
    DO(times, times(&s->out, &s->A, &s->B))                                                                                 \
    DO(without, without(&s->out, &s->A, &s->B))                                                                             \
    DO(inner, of_inner(s))                                                                                                  \
    DO(to_csc, sparse_convert(&s->to_csc.t, &s->A.t))                                                                       \
    DO(to_coo, sparse_convert(&s->to_coo.t, &s->A.t))                                                                       \
    DO(to_dcsr, sparse_convert(&s->to_dcsr.t, &s->A.t))                                                                     \
    DO(to_bsr, sparse_convert(&s->to_bsr.t, &s->A.t))                                                                       \
    DO(from_csc, sparse_convert(&s->out.t, &s->by_columns.t))                                                               \
    DO(from_coo, sparse_convert(&s->out.t, &s->list.t))                                                                     \
    DO(difference, difference(&s->out, &s->A, &s->B))                                                                       \
    DO(either, either(&s->out, &s->A, &s->B))                                                                               \
    DO(spmv_simd, spmv_simd(&s->y, &s->A, &s->x))                                                                           \
    DO(dcsr_transposed, dcsr_transposed(&s->z, &s->rows, &s->y))                                                            \
    DO(spmm_csc, spmm_csc(&s->Y, &s->by_columns, &s->X))                                                                    \
    DO(spmm_dcsr, spmm_dcsr(&s->Y, &s->rows, &s->X))                                                                        \
    DO(spmm_coo, spmm_coo(&s->Y, &s->list, &s->X))                                                                          \
    DO(coo_row_sums, coo_row_sums(&s->y, &s->list))                                                                         \
    DO(dcsr_total, of_dcsr_total(s))                                                                                        \
    DO(bilinear, of_bilinear(s))                                                                                            \
    DO(csc_total, of_csc_total(s))                                                                                          \
    DO(csc_row_sums, csc_row_sums(&s->y, &s->by_columns))                                                                   \
    DO(csc_column_sums, csc_column_sums(&s->z, &s->by_columns))                                                             \
    DO(coo_total, of_coo_total(s))                                                                                          \
    DO(coo_column_sums, coo_column_sums(&s->z, &s->list))                                                                   \
    DO(coo_transposed, coo_transposed(&s->z, &s->list, &s->y))                                                              \
    DO(dcsr_row_sums, dcsr_row_sums(&s->y, &s->rows))                                                                       \
    DO(dcsr_column_sums, dcsr_column_sums(&s->z, &s->rows))                                                                 \
    DO(smallest, smallest(&s->y, &s->A))                                                                                    \
    DO(norms, norms(&s->y, &s->A))                                                                                          \
    DO(row_scaled, row_scaled(&s->like, &s->A, &s->y))                                                                      \
    DO(sampled, sampled(&s->like, &s->A, &s->y, &s->x))                                                                     \
    DO(copied, copied(&s->out, &s->A))                                                                                      \
    DO(dcsr_scaled, dcsr_scaled(&s->to_dcsr, &s->rows))                                                                     \
    DO(sum_mixed, sum_mixed(&s->to_dcsr, &s->rows, &s->B))                                                                  \
    DO(inner_mixed, of_inner_mixed(s))                                                                                      \
    DO(spmm_transposed, spmm_transposed(&s->Z, &s->A, &s->Y))                                                               \
    DO(from_dcsr, sparse_convert(&s->out.t, &s->rows.t))                                                                    \
    DO(from_bsr, sparse_convert(&s->out.t, &s->to_bsr.t))                                                                   \
    DO(coo_to_csc, sparse_convert(&s->to_csc.t, &s->list.t))                                                                \
    DO(csc_to_coo, sparse_convert(&s->to_coo.t, &s->by_columns.t))                                                          \
    DO(coo_to_dcsr, sparse_convert(&s->to_dcsr.t, &s->list.t))                                                              \
    DO(dcsr_to_coo, sparse_convert(&s->to_coo.t, &s->rows.t))                                                               \
    DO(csc_to_dcsr, sparse_convert(&s->to_dcsr.t, &s->by_columns.t))                                                        \
    DO(dcsr_to_csc, sparse_convert(&s->to_csc.t, &s->rows.t))                                                               \
    DO(packed, sparse_pack_untyped(&s->packed.t, s->dim, s->count, s->at, s->value, SPARSE_DUPLICATES_SUM))
#define RUN(name, call)                                                                                                     \
    static sparse_result run_##name(shape *s) { return call; }
STATEMENTS(RUN)
#define ROW(name, call) {#name, run_##name},
static const struct {
    const char *name;
    sparse_result (*run)(shape *);
} statement[] = {STATEMENTS(ROW)};
enum { STATEMENTS_COUNT = sizeof statement / sizeof *statement };

/* the shapes; place() computes where an entry is */
typedef struct {
    const char *name;
    size_t rows, columns, count; /* in thousands */
} form;
static const form forms[MOST] = {{"uniform", 100, 100, 1000},
                                 {"band", 100, 100, 1000},
                                 {"power law", 100, 100, 1000},
                                 {"one full row", 200, 200, 600},
                                 {"one full column", 200, 200, 600},
                                 {"hypersparse", 2000, 2000, 100},
                                 {"empty rows", 1000, 1000, 1000},
                                 {"blocks", 100, 100, 1000},
                                 {"tiny", 0, 0, 0},
                                 {"tall", 1000, 1, 2000},
                                 {"wide", 1, 1000, 2000},
                                 {"duplicates", 50, 50, 2000}};
static void place(const form *f, const size_t *dim, bench_random *r, size_t n, size_t *at)
{
    const size_t i = bench_below_n(r, dim[0]), j = bench_below_n(r, dim[1]);
    const char kind = f->name[0];
    at[0] = i, at[1] = j;
    if (strcmp(f->name, "band") == 0) at[1] = (i + bench_below_n(r, 10)) % dim[1];
    if (kind == 'p') at[0] = (size_t)((double)dim[0] * bench_unit(r) * bench_unit(r) * bench_unit(r) * bench_unit(r));
    if (strcmp(f->name, "one full row") == 0 && n % 3 == 0) at[0] = dim[0] / 2, at[1] = n / 3 % dim[1];
    if (strcmp(f->name, "one full column") == 0 && n % 3 == 0) at[1] = dim[1] / 2, at[0] = n / 3 % dim[0];
    if (kind == 'e') at[0] = i / 20 * 20;
    if (strcmp(f->name, "blocks") == 0) at[1] = ((i / 4 * 7919 + bench_below_n(r, 3) * 4001) * 4 + j % 4) % dim[1];
    if (kind == 'd') at[1] = (i + bench_below_n(r, 12)) % dim[1];
}

static sparse_result make(shape *s, const form *f, bool quick)
{
    const size_t scale = quick ? 10 : 1000;
    bench_random r = {88172645463325252u};
    s->name = f->name;
    s->dim[0] = f->rows > 0 ? f->rows * scale : 16;
    s->dim[1] = f->columns > 0 ? f->columns * scale : 16;
    s->count = f->count > 0 ? f->count * scale : 64;
    s->at = (size_t *)bench_allocate(2 * s->count, sizeof *s->at);
    s->value = (double *)bench_allocate(s->count, sizeof *s->value);
    for (size_t n = 0; n < s->count; n++) {
        place(f, s->dim, &r, n, s->at + 2 * n);
        s->value[n] = bench_unit(&r);
    }
    s->A.t.encoding = s->B.t.encoding = s->like.t.encoding = s->out.t.encoding = s->packed.t.encoding = &csr_encoding;
    s->by_columns.t.encoding = s->to_csc.t.encoding = &csc_encoding;
    s->list.t.encoding = s->to_coo.t.encoding = &coo_encoding;
    s->rows.t.encoding = s->to_dcsr.t.encoding = &dcsr_encoding;
    s->to_bsr.t.encoding = &bsr_encoding;
    s->x.t.encoding = s->y.t.encoding = s->z.t.encoding = s->u.t.encoding = &vec_encoding;
    s->X.t.encoding = s->Y.t.encoding = s->Z.t.encoding = &mat_encoding;
    const size_t X[] = {s->dim[1], COLUMNS}, Y[] = {s->dim[0], COLUMNS};
    sparse_result e = sparse_pack_untyped(&s->A.t, s->dim, s->count, s->at, s->value, SPARSE_DUPLICATES_SUM);
    for (size_t n = 0; n < s->count; n++)
        if (n % 2 == 0) s->at[2 * n + 1] = (s->at[2 * n + 1] + 1) % s->dim[1]; /* half of B has the pattern of A */
    if (!e) e = sparse_pack_untyped(&s->B.t, s->dim, s->count, s->at, s->value, SPARSE_DUPLICATES_SUM);
    if (!e) e = sparse_convert(&s->by_columns.t, &s->A.t);
    if (!e) e = sparse_convert(&s->list.t, &s->A.t);
    if (!e) e = sparse_convert(&s->rows.t, &s->A.t);
    if (!e) e = sparse_allocate_dense(&s->x.t, &s->dim[1]);
    if (!e) e = sparse_allocate_dense(&s->y.t, &s->dim[0]);
    if (!e) e = sparse_allocate_dense(&s->z.t, &s->dim[1]);
    if (!e) e = sparse_allocate_dense(&s->u.t, &s->dim[0]);
    if (!e) e = sparse_allocate_dense(&s->X.t, X);
    if (!e) e = sparse_allocate_dense(&s->Y.t, Y);
    if (!e) e = sparse_allocate_dense(&s->Z.t, X);
    return e;
}
static void drop(shape *s)
{
    sparse_tensor *const all[] = {&s->A.t,          &s->B.t,      &s->like.t, &s->out.t,    &s->packed.t,
                                  &s->by_columns.t, &s->to_csc.t, &s->list.t, &s->to_coo.t, &s->rows.t,
                                  &s->to_dcsr.t,    &s->to_bsr.t, &s->x.t,    &s->y.t,      &s->z.t,
                                  &s->u.t,          &s->X.t,      &s->Y.t,    &s->Z.t};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);
    free(s->at);
    free(s->value);
}

/* The number of operations of a statement: one for each entry that it reads, and a tenth for each row and column. */
static double operations(const shape *s, const char *name)
{
    const size_t entries = strcmp(name, "packed") == 0 ? s->count : s->A.t.val.length;
    return (double)entries + 0.1 * (double)(s->dim[0] + s->dim[1]);
}
/* Nanoseconds per operation: the shortest of some runs. A run of a tiny shape has many calls. */
static double measured(shape *s, size_t n, bool quick, sparse_result *result)
{
    const double work = operations(s, statement[n].name);
    const size_t calls = work < 1e4 ? (size_t)(1e5 / work) : 1, rounds = quick ? 1 : 5;
    double sample[5];
    for (size_t k = 0; k < rounds && !*result; k++) {
        const double begin = bench_clock(CLOCK_THREAD_CPUTIME_ID);
        for (size_t c = 0; c < calls && !*result; c++) *result = statement[n].run(s);
        sample[k] = (bench_clock(CLOCK_THREAD_CPUTIME_ID) - begin) * 1e9 / ((double)calls * work);
    }
    return *result ? 0 : bench_least(sample, rounds);
}

static bool is_asked(const char *name, int words, char **word)
{
    for (int w = 1; w < words; w++)
        if (strstr(name, word[w])) return true;
    return words < 2;
}

int main(int words, char **word)
{
    static double took[STATEMENTS_COUNT][MOST];
    const bool quick = bench_is_quick();
    int cliffs = 0;
    for (size_t f = 0; f < MOST; f++) {
        shape s;
        memset(&s, 0, sizeof s);
        sparse_result result = make(&s, &forms[f], quick);
        for (size_t n = 0; n < STATEMENTS_COUNT && !result; n++)
            if (is_asked(statement[n].name, words, word)) {
                took[n][f] = measured(&s, n, quick, &result);
                if (result) printf("%s on %s: ", statement[n].name, s.name);
            }
        if (result) return printf("%s\n", sparse_message(result)), 1;
        drop(&s);
    }
    printf("%-16s", "ns/operation");
    for (size_t f = 0; f < MOST; f++) printf(" %.8s", forms[f].name);
    printf("\n");
    for (size_t n = 0; n < STATEMENTS_COUNT; n++) {
        if (!is_asked(statement[n].name, words, word)) continue;
        printf("%-16s", statement[n].name);
        for (size_t f = 0; f < MOST; f++) printf(" %8.2f", took[n][f]);
        printf("\n");
    }
    for (size_t n = 0; n < STATEMENTS_COUNT && !quick; n++) {
        double sorted[MOST];
        memcpy(sorted, took[n], sizeof sorted);
        const double median = bench_median(sorted, MOST);
        for (size_t f = 0; f < MOST; f++)
            if (took[n][f] > 2 * median)
                printf("cliff: %s on %s: %.1f times the median\n", statement[n].name, forms[f].name, took[n][f] / median),
                    cliffs++;
    }
    printf("cliffs: %d\n", cliffs);
    return 0;
}
