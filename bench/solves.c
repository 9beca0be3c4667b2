/* solves.c: compares triangular solves with current() and down() with loops written by hand, and with Eigen and CXSparse if
   they are linked; and products with one stored triangle of a symmetric matrix with products with the full matrix.
   README.md in this directory explains the table.

     g++ -O3 -march=native -I/usr/include/eigen3 -c bench/solves_eigen.cc -o build/solves_eigen.o
     gcc -O3 -march=native -DBENCH_EIGEN=1 -DBENCH_CXSPARSE=1 -I. -I/usr/include/suitesparse bench/solves.c \
         build/solves_eigen.o -o build/solves -lcxsparse -lm -lstdc++

   Contents (search for the anchors)
     >>kernels   of the kit
     >>others    the loops by hand, Eigen, CXSparse
     >>data      triangles
     >>rows      the table: to add a row, add a line */
#include "bench.h"
#include "sparse.h"
#ifndef BENCH_EIGEN
    #define BENCH_EIGEN 0
#endif
#ifndef BENCH_CXSPARSE
    #define BENCH_CXSPARSE 0
#endif
#if BENCH_CXSPARSE
    #include <cs.h>
#endif

/* >>kernels */
#define CSR csr, SPARSE_CSR, double, 32, 32
#define CSC csc, SPARSE_CSC, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(VEC)
/* The matrices store only one triangle, so an element off the diagonal is in it. By columns the diagonal comes first. Its
   element of x is kept in a scalar output, so that the loop need not read it from the vector that it writes. */
SPARSE_KERNEL(lower_rows, (i, j), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)), if (j == i) x /= A;
              else x -= A * z)
SPARSE_KERNEL(lower_columns, (j, i), ((x, VEC, i), (at, double)), all((A, CSC, i, j)), if (i == j) at = x /= A;
              else x -= A * at)
SPARSE_KERNEL(upper_rows, (down(i), down(j)), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)), if (j == i) x /= A;
              else x -= A * z)
SPARSE_KERNEL(upper_columns, (down(j), down(i)), ((x, VEC, i), (at, double)), all((A, CSC, i, j)), if (i == j) at = x /= A;
              else x -= A * at)

SPARSE_KERNEL(whole, (i, j), from(0, y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(half, (i, j), from(0, y, VEC, i), all(symmetric(A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(lower, (i, j), (L, CSR, i, j), all((A, CSR, i, j)), L = A; has_L = j <= i)

/* A triangle by rows or by columns (`outer`), the right side, and the operands of the kernels. */
typedef struct data {
    bench_csr outer;
    double *right;
    csr rows;
    csc columns;
    char size[48];
} data;

static vec start(const data *d, double *result)
{
    vec x = SPARSE_INIT(vec);
    const size_t dim[] = {d->outer.rows};
    memcpy(result, d->right, d->outer.rows * sizeof *result);
    if (vec_borrow(&x, dim, result)) abort();
    return x;
}
#define KIT(kernel, ...)                                                                                                    \
    static void kit_##kernel(void *context, double *result)                                                                 \
    {                                                                                                                       \
        const data *d = (const data *)context;                                                                              \
        vec x = start(d, result);                                                                                           \
        if (kernel(&x, __VA_ARGS__)) abort();                                                                               \
    }
KIT(lower_rows, &d->rows)
KIT(lower_columns, &(double){0}, &d->columns)
KIT(upper_rows, &d->rows)
KIT(upper_columns, &(double){0}, &d->columns)

/* >>others */
typedef void solver(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x);

static void loop_lower_rows(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    for (size_t i = 0; i < n; i++) {
        double sum = x[i];
        size_t p = pos[i];
        for (; p + 1 < pos[i + 1]; p++) sum -= val[p] * x[crd[p]];
        x[i] = sum / val[p];
    }
}
static void loop_lower_columns(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    for (size_t j = 0; j < n; j++) {
        const double at = x[j] /= val[pos[j]];
        for (size_t p = pos[j] + 1; p < pos[j + 1]; p++) x[crd[p]] -= val[p] * at;
    }
}
static void loop_upper_rows(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    for (size_t i = n; i-- > 0;) {
        double sum = x[i];
        for (size_t p = pos[i + 1]; --p > pos[i];) sum -= val[p] * x[crd[p]];
        x[i] = sum / val[pos[i]];
    }
}
static void loop_upper_columns(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    for (size_t j = n; j-- > 0;) {
        size_t p = pos[j + 1] - 1;
        const double at = x[j] /= val[p];
        while (p-- > pos[j]) x[crd[p]] -= val[p] * at;
    }
}
#define OTHER(name)                                                                                                         \
    static void run_##name(void *context, double *result)                                                                   \
    {                                                                                                                       \
        const data *d = (const data *)context;                                                                              \
        (void)start(d, result);                                                                                             \
        name(d->outer.rows, d->outer.pos, d->outer.crd, d->outer.val, result);                                              \
    }
OTHER(loop_lower_rows)
OTHER(loop_lower_columns)
OTHER(loop_upper_rows)
OTHER(loop_upper_columns)
#if BENCH_EIGEN
extern solver eigen_lower_rows, eigen_lower_columns, eigen_upper_rows, eigen_upper_columns;
OTHER(eigen_lower_rows)
OTHER(eigen_lower_columns)
OTHER(eigen_upper_rows)
OTHER(eigen_upper_columns)
#else
    #define run_eigen_lower_rows    NULL
    #define run_eigen_lower_columns NULL
    #define run_eigen_upper_rows    NULL
    #define run_eigen_upper_columns NULL
#endif
#if BENCH_CXSPARSE
/* CXSparse stores columns; it sees a matrix by rows as the transpose. */
    #define BY_CXSPARSE(name, function)                                                                                     \
        static void name(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)                  \
        {                                                                                                                   \
            const cs_di T = {                                                                                               \
                (int)pos[n], (int)n, (int)n, (int *)(uintptr_t)pos, (int *)(uintptr_t)crd, (double *)(uintptr_t)val, -1};   \
            if (!function(&T, x)) abort();                                                                                  \
        }                                                                                                                   \
        OTHER(name)
BY_CXSPARSE(cxsparse_lower_rows, cs_di_utsolve)
BY_CXSPARSE(cxsparse_lower_columns, cs_di_lsolve)
BY_CXSPARSE(cxsparse_upper_rows, cs_di_ltsolve)
BY_CXSPARSE(cxsparse_upper_columns, cs_di_usolve)
#else
    #define run_cxsparse_lower_rows    NULL
    #define run_cxsparse_lower_columns NULL
    #define run_cxsparse_upper_rows    NULL
    #define run_cxsparse_upper_columns NULL
#endif

/* >>data */
/* The pattern of an incomplete factor of a grid of n x n points with five points each: its lower triangle by rows. */
static bench_csr grid(size_t n, size_t z)
{
    bench_csr m = bench_csr_open(n * n, n * n, 3 * n * n);
    (void)z;
    for (size_t i = 0, p = 0; i < n * n; i++) {
        if (i >= n) m.crd[p++] = (uint32_t)(i - n);
        if (i % n) m.crd[p++] = (uint32_t)(i - 1);
        m.crd[p++] = (uint32_t)i;
        m.pos[i + 1] = (uint32_t)p;
    }
    return m;
}

/* n rows with a diagonal and up to `each` columns, drawn uniformly from the 2000 before it. */
static bench_csr drawn(size_t n, size_t each)
{
    bench_random r = {29};
    bench_csr m = bench_csr_open(n, n, n * (each + 1));
    for (size_t i = 0, p = 0; i < n; i++) {
        const size_t from = p, width = i < 2000 ? i : 2000;
        for (size_t k = 0; k < each && width > 0; k++) m.crd[p++] = (uint32_t)(i - 1 - bench_below_n(&r, width));
        p = bench_sort_row(m.crd, from, p);
        m.crd[p++] = (uint32_t)i;
        m.pos[i + 1] = (uint32_t)p;
    }
    return m;
}

/* Rotates the pattern by 180 degrees, which makes a lower triangle an upper one. */
static void turn(bench_csr *m)
{
    const size_t entries = bench_csr_entries(m), n = m->rows;
    for (size_t p = 0; p < entries / 2; p++) {
        const uint32_t c = m->crd[p];
        m->crd[p] = m->crd[entries - 1 - p], m->crd[entries - 1 - p] = c;
    }
    for (size_t p = 0; p < entries; p++) m->crd[p] = (uint32_t)(n - 1 - m->crd[p]);
    for (size_t i = 0; i < n / 2 + 1; i++) {
        const uint32_t c = m->pos[i];
        m->pos[i] = (uint32_t)entries - m->pos[n - i], m->pos[n - i] = (uint32_t)entries - c;
    }
}

/* Draws small values and a diagonal of 4, so that the solution stays moderate. */
static void open_data(data *d, bench_csr triangle, bool turned)
{
    bench_random r = {31};
    d->outer = triangle;
    if (turned) turn(&d->outer);
    const size_t n = triangle.rows, entries = bench_csr_entries(&d->outer), dim[] = {n, n};
    d->right = (double *)bench_allocate(n, sizeof *d->right);
    for (size_t i = 0; i < n; i++) {
        d->right[i] = bench_value(&r);
        for (size_t p = d->outer.pos[i]; p < d->outer.pos[i + 1]; p++)
            d->outer.val[p] = d->outer.crd[p] == i ? 4 : bench_value(&r);
    }
    d->rows = (csr)SPARSE_INIT(csr), d->columns = (csc)SPARSE_INIT(csc);
    const sparse_arrays lent = {.pos[1] = SPARSE_ARRAY(d->outer.pos, n + 1),
                                .crd[1] = SPARSE_ARRAY(d->outer.crd, entries),
                                .val = SPARSE_ARRAY(d->outer.val, entries)};
    if (sparse_assemble(&d->rows.t, dim, &lent, SPARSE_BORROW, NULL) ||
        sparse_assemble(&d->columns.t, dim, &lent, SPARSE_BORROW, NULL))
        abort();
    snprintf(d->size, sizeof d->size, "%zu rows, %.1f a row", n, (double)entries / (double)n);
}

static void close_data(data *d)
{
    free(d->right);
    bench_csr_free(&d->outer);
}

/* A symmetric matrix, full and as its lower triangle: n x n x n grid points with their 26 neighbours. */
typedef struct cube {
    bench_csr all;
    csr whole, half;
    vec x;
} cube;

static void open_cube(cube *c, size_t n)
{
    c->all = bench_csr_open(n * n * n, n * n * n, 27 * n * n * n);
    size_t p = 0;
    for (size_t i = 0; i < n * n * n; i++) {
        for (size_t k = 0; k < 27; k++) {
            const size_t a = i / (n * n) + k / 9 - 1, b = i / n % n + k / 3 % 3 - 1, e = i % n + k % 3 - 1;
            if (a < n && b < n && e < n) c->all.crd[p++] = (uint32_t)((a * n + b) * n + e);
        }
        c->all.pos[i + 1] = (uint32_t)p;
    }
    const size_t dim[] = {n * n * n, n * n * n};
    for (size_t i = 0; i < dim[0]; i++)
        for (p = c->all.pos[i]; p < c->all.pos[i + 1]; p++) c->all.val[p] = 1 + (double)((i + c->all.crd[p]) % 7);
    c->whole = (csr)SPARSE_INIT(csr), c->half = (csr)SPARSE_INIT(csr);
    c->x = (vec)SPARSE_INIT(vec);
    const sparse_arrays lent = {.pos[1] = SPARSE_ARRAY(c->all.pos, dim[0] + 1),
                                .crd[1] = SPARSE_ARRAY(c->all.crd, p),
                                .val = SPARSE_ARRAY(c->all.val, p)};
    if (sparse_assemble(&c->whole.t, dim, &lent, SPARSE_BORROW, NULL) || lower(&c->half, &c->whole) ||
        sparse_allocate_dense(&c->x.t, dim))
        abort();
    for (size_t i = 0; i < dim[0]; i++) vec_values(&c->x)[i] = 1 + (double)(i % 5);
}

static void run_half(void *context, double *result)
{
    const cube *c = (const cube *)context;
    vec y = SPARSE_INIT(vec);
    if (vec_borrow(&y, c->whole.t.dim, result) || half(&y, &c->half, &c->x)) abort();
}
static void run_whole(void *context, double *result)
{
    const cube *c = (const cube *)context;
    vec y = SPARSE_INIT(vec);
    if (vec_borrow(&y, c->whole.t.dim, result) || whole(&y, &c->whole, &c->x)) abort();
}

static void row_symmetric(void)
{
    cube d;
    char size[48];
    open_cube(&d, bench_is_quick() ? 7 : 64);
    snprintf(size, sizeof size, "%zu rows, %.1f a row", d.all.rows, (double)bench_csr_entries(&d.all) / (double)d.all.rows);
    const bench_contest c = {.workload = "product, symmetric",
                             .size = size,
                             .goal = 1.4,
                             .length = d.all.rows,
                             .context = &d,
                             .contestant = {{"symmetric()", run_half}, {"whole matrix", run_whole}}};
    bench_run(&c);
    bench_csr_free(&d.all);
    sparse_free(&d.half.t), sparse_free(&d.x.t);
}

/* >>rows */
int main(int argc, char **argv)
{
    static const struct {
        const char *workload;
        bool turned;
        void (*kit)(void *, double *), (*loop)(void *, double *), (*eigen)(void *, double *), (*cxsparse)(void *, double *);
    } rows[] = {
        {"lower, rows", false, kit_lower_rows, run_loop_lower_rows, run_eigen_lower_rows, run_cxsparse_lower_rows},
        {"upper, rows", true, kit_upper_rows, run_loop_upper_rows, run_eigen_upper_rows, run_cxsparse_upper_rows},
        {"lower, columns", true, kit_lower_columns, run_loop_lower_columns, run_eigen_lower_columns,
         run_cxsparse_lower_columns},
        {"upper, columns", false, kit_upper_columns, run_loop_upper_columns, run_eigen_upper_columns,
         run_cxsparse_upper_columns},
    };
    static const struct {
        const char *pattern;
        bench_csr (*make)(size_t n, size_t each);
        size_t n, quick, each;
    } patterns[] = {{"grid", grid, 400, 9, 0}, {"16 a row", drawn, 60000, 70, 16}, {"64 a row", drawn, 20000, 70, 64}};
    bench_header("Triangular solves");
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++)
        for (size_t w = 0; w < sizeof rows / sizeof *rows; w++) {
            char workload[64];
            data d;
            snprintf(workload, sizeof workload, "%s, %s", rows[w].workload, patterns[k].pattern);
            if (argc > 1 && !strstr(workload, argv[1])) continue;
            open_data(&d, patterns[k].make(bench_is_quick() ? patterns[k].quick : patterns[k].n, patterns[k].each),
                      rows[w].turned);
            const bench_contest c = {
                .workload = workload,
                .size = d.size,
                .goal = 0.95,
                .tolerance = 1e-9,
                .length = d.outer.rows,
                .context = &d,
                .contestant = {{"kit", rows[w].kit},
                               {"loop", rows[w].loop},
                               {rows[w].eigen ? "Eigen" : "CXSparse", rows[w].eigen ? rows[w].eigen : rows[w].cxsparse},
                               {"CXSparse", rows[w].eigen ? rows[w].cxsparse : NULL}}};
            bench_run(&c);
            close_data(&d);
        }
    if (argc == 1 || strstr("product, symmetric", argv[1])) row_symmetric();
    return bench_done();
}
