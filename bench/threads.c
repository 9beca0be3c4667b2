/* threads.c: compares one thread with two: in conversions, packing, sorting and reading, and in kernels with `parallel`.
   README.md in this directory explains the table.

   Both run the same call; their results must agree to the byte. Elapsed time is measured, so two cores must be idle. Goals:
   1, never slower; 1.8 if a thread computes more than it waits for memory.

   Contents (search for the anchors)
     >>storages  types and kernels
     >>runs      one for each kind of work
     >>rows      the table: to add a row, add a line */
static unsigned asked = 1; /* the number of threads that the kit may use */
#define SPARSE_THREADS asked
#include "bench.h"
#include "sparse.h"
#include "sparse_io.h"
#include "fingerprint.h"
#if defined(__GLIBC__)
    #include <limits.h>
    #include <malloc.h>
#endif
#ifdef _OPENMP
    #include <omp.h>
#endif

/* >>storages */
#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
#define ANY_ROWS                                                                                                            \
    anyhow, ((i, j), (compressed(nonunique, nonordered), i), (singleton(soa, nonunique, nonordered), j)), double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(ANY_ROWS)
SPARSE_TENSOR(csr64, SPARSE_CSR, double, 64, 64)
SPARSE_TENSOR(csc, SPARSE_CSC, double, 32, 32)
SPARSE_TENSOR(dcsr, SPARSE_DCSR, double, 32, 32)
SPARSE_TENSOR(coo, SPARSE_COO_SOA, double, 32, 32)
SPARSE_TENSOR(pairs, SPARSE_COO, double, 32, 32)
SPARSE_TENSOR(unsorted, ((i, j), (compressed(nonunique, nonordered), i), (singleton(nonunique, nonordered), j)), double, 32,
              32)
SPARSE_TENSOR(bsr, SPARSE_BSR(2, 2), double, 32, 32)
SPARSE_TENSOR(ell, SPARSE_ELL(16), double, 32, 32)
SPARSE_TENSOR(dia, SPARSE_DIA, double, 32, 32)
SPARSE_TENSOR(stripes, SPARSE_DIA_BLOCKS(512), double, 32, 32)
SPARSE_TENSOR(csb, SPARSE_CSB(65536), double, 32, 32)
SPARSE_TENSOR(coo3, SPARSE_COO_3D, double, 32, 32)
SPARSE_TENSOR(csf, SPARSE_CSF_3D, double, 32, 32)

SPARSE_KERNEL(spmv, (parallel(i), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spgemm, (parallel(i), k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(add, (parallel(i), j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)

/* The input of a row's work, and its last result. */
typedef struct data {
    sparse_tensor from, to;
    size_t *at, count; /* coordinates of entries, rank by rank */
    double *val;
    vec x;
    char size[32], path[80];
} data;

static void check(sparse_result r)
{
    if (r == SPARSE_OK) return;
    fprintf(stderr, "bench: %s\n", sparse_message(r));
    exit(2);
}

/* >>runs
   The work of a row, and its two contestants, with one thread and with two. */
typedef void work(data *d);
static work *now;

static void with(unsigned threads, data *d, double *result)
{
    asked = threads;
#ifdef _OPENMP
    omp_set_num_threads((int)threads);
#endif
    sparse_free(&d->to);
    now(d);
    fingerprint(&d->to, result);
}
static void one(void *context, double *result) { with(1, (data *)context, result); }
static void two(void *context, double *result) { with(2, (data *)context, result); }

static void convert(data *d) { check(sparse_convert(&d->to, &d->from)); }
static void pack(data *d)
{
    check(sparse_pack_untyped(&d->to, d->from.dim, d->count, d->at, d->val, SPARSE_DUPLICATES_SUM));
}
static void sort(data *d) { check(sparse_reorder_coo(&d->to, &d->from, SPARSE_HYBRID_QUICK_SORT)); }
static void read_file(data *d)
{
    sparse_read_options o;
    memset(&o, 0, sizeof o);
    o.threads = asked;
    check(sparse_read(&d->to, d->path, &o));
}
#define AS(type, tensor) ((type *)(void *)&(tensor))
static void multiply(data *d) { check(spmv(AS(vec, d->to), AS(csr, d->from), &d->x)); }
static void square(data *d) { check(spgemm(AS(csr, d->to), AS(csr, d->from), AS(csr, d->from))); }
static void twice(data *d) { check(add(AS(csr, d->to), AS(csr, d->from), AS(csr, d->from))); }
/* The limit of memory: copies the array d->val, and finds its largest number; each thread does a part. Other rows with
   these ratios wait for memory. */
static void stream_copy(data *d)
{
    check(sparse_allocate_dense(&d->to, &d->count));
    const int team = (int)asked;
#ifdef _OPENMP
    #pragma omp parallel for
#endif
    for (int s = 0; s < team; s++) {
        const size_t first = d->count * (size_t)s / asked, last = d->count * (size_t)(s + 1) / asked;
        memcpy((double *)d->to.val.at + first, d->val + first, (last - first) * sizeof *d->val);
    }
}
static void stream_read(data *d)
{
    double largest[8] = {0};
    const size_t one = 1;
    const int team = (int)asked;
    check(sparse_allocate_dense(&d->to, &one));
#ifdef _OPENMP
    #pragma omp parallel for
#endif
    for (int s = 0; s < team; s++) {
        const size_t first = d->count * (size_t)s / asked, last = d->count * (size_t)(s + 1) / asked;
        double lane[8] = {0};
        for (size_t k = first; k + 8 <= last; k += 8)
            for (size_t l = 0; l < 8; l++) lane[l] = d->val[k + l] > lane[l] ? d->val[k + l] : lane[l];
        for (size_t l = 0; l < 8; l++) largest[s] = lane[l] > largest[s] ? lane[l] : largest[s];
    }
    double *const most = (double *)d->to.val.at;
    for (int s = 0; s < team; s++) *most = largest[s] > *most ? largest[s] : *most;
}

/* >>data
   d->from = a matrix with about `entries` entries, 16 in a row. */
static void have(data *d, const sparse_encoding *e, bench_csr m)
{
    const size_t dim[2] = {m.rows, m.columns}, entries = bench_csr_entries(&m);
    sparse_tensor rows;
    memset(&rows, 0, sizeof rows);
    rows.encoding = &csr_encoding;
    check(sparse_assemble(&rows, dim,
                          &(sparse_arrays){.pos[1] = SPARSE_ARRAY(m.pos, m.rows + 1),
                                           .crd[1] = SPARSE_ARRAY(m.crd, entries),
                                           .val = SPARSE_ARRAY(m.val, entries)},
                          SPARSE_BORROW, NULL));
    d->from.encoding = e;
    check(sparse_convert(&d->from, &rows));
    snprintf(d->size, sizeof d->size, "%.1e entries", (double)entries);
    bench_csr_free(&m);
}
static void uniform(data *d, const sparse_encoding *e, size_t entries)
{
    have(d, e, bench_uniform_wide(entries / 16, entries / 16, 16, 1));
}
static void banded(data *d, const sparse_encoding *e, size_t entries) { have(d, e, bench_banded(entries / 17, 8, 2)); }
static void power_law(data *d, const sparse_encoding *e, size_t entries)
{
    have(d, e, bench_power_law(entries / 16, 16, 4));
}
static void blocks(data *d, const sparse_encoding *e, size_t entries)
{
    have(d, e, bench_blocks(entries / 16 / 2 * 2, 2, 8, 31));
}
/* one of twenty rows has ten entries, the others none */
static void thin(data *d, const sparse_encoding *e, size_t entries)
{
    bench_random r = {7};
    bench_csr m = bench_csr_open(2 * entries, 10000, entries + 10);
    for (size_t i = 0, p = 0; i < m.rows; i++) {
        if (bench_below_n(&r, 20) == 0 && p + 10 <= entries)
            for (uint32_t k = 0; k < 10; k++) m.crd[p++] = 1000 * k + (uint32_t)bench_below_n(&r, 1000);
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, 8);
    have(d, e, m);
}

/* >>rows */
enum { BY_ROWS, SHUFFLED };
typedef struct row {
    const char *workload;
    work *run;
    void (*fill)(data *d, const sparse_encoding *e, size_t entries);
    const sparse_encoding *from, *to;
    int order;
    double goal;
} row;
static const row table[] = {
    {"stream, read", stream_read, banded, &csr_encoding, &vec_encoding, BY_ROWS, 1},
    {"stream, copied", stream_copy, banded, &csr_encoding, &vec_encoding, BY_ROWS, 1},
    {"COO to CSR", convert, uniform, &coo_encoding, &csr_encoding, BY_ROWS, 1},
    {"COO to CSR, shuffled", convert, uniform, &anyhow_encoding, &csr_encoding, SHUFFLED, 1.8},
    {"CSR to COO", convert, uniform, &csr_encoding, &coo_encoding, BY_ROWS, 1},
    {"CSR to CSC", convert, uniform, &csr_encoding, &csc_encoding, BY_ROWS, 1.8},
    {"CSR to CSC, band", convert, banded, &csr_encoding, &csc_encoding, BY_ROWS, 1},
    {"CSR to CSC, power law", convert, power_law, &csr_encoding, &csc_encoding, BY_ROWS, 1},
    {"CSR to DCSR, 1 of 20 rows", convert, thin, &csr_encoding, &dcsr_encoding, BY_ROWS, 1},
    {"DCSR to CSR, 1 of 20 rows", convert, thin, &dcsr_encoding, &csr_encoding, BY_ROWS, 1},
    {"CSR to BSR 2x2", convert, blocks, &csr_encoding, &bsr_encoding, BY_ROWS, 1},
    {"CSR to ELL", convert, uniform, &csr_encoding, &ell_encoding, BY_ROWS, 1},
    {"CSR to DIA", convert, banded, &csr_encoding, &dia_encoding, BY_ROWS, 1},
    {"CSR to DIA in blocks of 512", convert, banded, &csr_encoding, &stripes_encoding, BY_ROWS, 1},
    {"CSR to a grid of 65536", convert, uniform, &csr_encoding, &csb_encoding, BY_ROWS, 1},
    {"BSR 2x2 to CSR", convert, blocks, &bsr_encoding, &csr_encoding, BY_ROWS, 1},
    {"DIA to CSR", convert, banded, &dia_encoding, &csr_encoding, BY_ROWS, 1},
    {"CSR 32 to 64 bits", convert, uniform, &csr_encoding, &csr64_encoding, BY_ROWS, 1},
    {"pack CSR, by rows", pack, uniform, &csr_encoding, &csr_encoding, BY_ROWS, 1},
    {"pack CSR, shuffled", pack, uniform, &csr_encoding, &csr_encoding, SHUFFLED, 1},
    {"pack COO, shuffled", pack, uniform, &csr_encoding, &coo_encoding, SHUFFLED, 1},
    {"pack DCSR, shuffled", pack, uniform, &csr_encoding, &dcsr_encoding, SHUFFLED, 1},
    {"pack CSF, shuffled", pack, uniform, &csr_encoding, &csf_encoding, SHUFFLED, 1},
    {"sort COO", sort, uniform, &unsorted_encoding, &pairs_encoding, SHUFFLED, 1},
    {"read .mtx, 17 digits, by rows", read_file, uniform, &csr_encoding, &csr_encoding, BY_ROWS, 1.8},
    {"read .mtx, 17 digits, by columns", read_file, uniform, &csc_encoding, &csr_encoding, BY_ROWS, 1.8},
    {"read .mtx, 17 digits, to COO", read_file, uniform, &csr_encoding, &pairs_encoding, BY_ROWS, 1.8},
    {"y += A x, uniform", multiply, uniform, &csr_encoding, &vec_encoding, BY_ROWS, 1.8},
    {"y += A x, band", multiply, banded, &csr_encoding, &vec_encoding, BY_ROWS, 1},
    {"y += A x, power law", multiply, power_law, &csr_encoding, &vec_encoding, BY_ROWS, 1.8},
    {"C = A A, band", square, banded, &csr_encoding, &csr_encoding, BY_ROWS, 1},
    {"C = A A, power law", square, power_law, &csr_encoding, &csr_encoding, BY_ROWS, 1.8},
    {"C = A + A", twice, uniform, &csr_encoding, &csr_encoding, BY_ROWS, 1},
};

/* The entries of d->from as a coordinate list. If `rank` is 3, the third coordinate is random, below 1000. `shuffles`:
   unsorted. */
static void list(data *d, unsigned rank, bool shuffles)
{
    bench_random r = {5};
    d->at = (size_t *)bench_allocate(d->from.val.length * rank, sizeof *d->at);
    d->val = (double *)bench_allocate(d->from.val.length, sizeof *d->val);
    SPARSE_FOREACH(c, &d->from)
    {
        size_t *at = &d->at[rank * d->count];
        at[0] = c.dim[0], at[1] = c.dim[1];
        if (rank == 3) at[2] = bench_below_n(&r, 1000);
        d->val[d->count++] = SPARSE_VALUE(c, double);
    }
    for (size_t k = d->count; shuffles && k > 1; k--) {
        const size_t o = bench_below_n(&r, k);
        const double v = d->val[k - 1];
        d->val[k - 1] = d->val[o], d->val[o] = v;
        for (unsigned l = 0; l < rank; l++) {
            const size_t i = d->at[rank * (k - 1) + l];
            d->at[rank * (k - 1) + l] = d->at[rank * o + l], d->at[rank * o + l] = i;
        }
    }
}
/* d->from = COO in the order of the list */
static void put_in_order(data *d)
{
    list(d, 2, true);
    for (unsigned l = 0; l < 2; l++) {
        const sparse_p_column crd = sparse_p_crd(d->from.encoding, &d->from, l);
        for (size_t k = 0; k < d->count; k++) ((uint32_t *)crd.at)[k * crd.stride] = (uint32_t)d->at[2 * k + l];
    }
    memcpy(d->from.val.at, d->val, d->count * sizeof *d->val);
}

static void run_row(const row *r, size_t entries, const char *directory)
{
    data d;
    memset(&d, 0, sizeof d);
    r->fill(&d, r->from, entries);
    d.to.encoding = r->to;
    if (r->run == pack) {
        list(&d, r->to->rank, r->order == SHUFFLED);
        if (r->to->rank == 3) d.from.dim[2] = 1000;
    } else if (r->order == SHUFFLED)
        put_in_order(&d);
    if (r->run == stream_read || r->run == stream_copy) {
        d.count = 4 * entries;
        d.val = (double *)bench_allocate(d.count, sizeof *d.val);
        for (size_t k = 0; k < d.count; k++) d.val[k] = (double)k;
        snprintf(d.size, sizeof d.size, "%.0f MB", (double)(d.count * sizeof *d.val) / 1e6);
    }
    if (r->run == read_file) {
        snprintf(d.path, sizeof d.path, "%s/in.mtx", directory);
        check(sparse_write(&d.from, d.path, NULL));
    }
    if (r->run == multiply) {
        d.x = (vec)SPARSE_INIT(vec);
        check(sparse_allocate_dense(&d.x.t, &d.from.dim[1]));
        for (size_t j = 0; j < d.from.dim[1]; j++) ((double *)d.x.t.val.at)[j] = 1 / (double)(j % 1000 + 1);
    }
    now = r->run;
    const bench_contest c = {.workload = r->workload,
                             .size = d.size,
                             .goal = r->goal,
                             .length = PRINTS,
                             .context = &d,
                             .threads = true,
                             .contestant = {{"two threads", two}, {"one thread", one}}};
    bench_run(&c);
    if (d.path[0]) remove(d.path);
    sparse_free(&d.from), sparse_free(&d.to), sparse_free(&d.x.t);
    free(d.at), free(d.val);
}

/* threads [words]: only rows whose names contain one of the words. */
int main(int argc, char **argv)
{
    char directory[] = "/tmp/bench_threads_XXXXXX";
    if (!mkdtemp(directory)) return 2;
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
#ifndef _OPENMP
    printf("compiled without OpenMP: both have one thread\n");
#endif
    bench_header("two threads (ours) beside one (other), the same bytes; by the clock");
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        bool wanted = argc == 1;
        for (int a = 1; a < argc; a++) wanted = wanted || strstr(table[k].workload, argv[a]);
        if (wanted) run_row(&table[k], bench_size(4000000, 4000), directory);
    }
    remove(directory);
    return bench_done();
}
