/* reading.c: compares reading and writing of files with the loops that programs usually have. README.md in this directory
   explains the table.

   The readers by hand fill three arrays, of rows, columns and values, in the order of the file. The kit checks every byte,
   reports line and column of errors, and builds the tensor. CPU time is measured, with the file in the system's cache.
   Below each row are the MB of text per second, and the peak memory as a multiple of the tensor's size.

   Contents (search for the anchors)
     >>data    files, in a directory of their own
     >>kit     reading and writing with the kit
     >>hand    the loops by hand
     >>rows    the table: to add a row, add a line */
#include "bench.h"
#define SPARSE_FILES_ALL 1
#include "sparse_io.h"

SPARSE_TENSOR(csr, SPARSE_CSR, double, 32, 32)
SPARSE_TENSOR(csc, SPARSE_CSC, double, 32, 32)
SPARSE_TENSOR(coo, SPARSE_COO, double, 32, 32)
SPARSE_TENSOR(coo3, SPARSE_COO_3D, double, 32, 32)

/* >>data */

/* The form of the values, and the order of the entries. */
enum { DIGITS_17, DIGITS_6, INTEGERS, PATTERN };
enum { BY_ROWS, BY_COLUMNS };

typedef struct data {
    char path[64], out[64], size[32];
    const sparse_encoding *encoding;
    size_t rank, entries, bytes;
    int values;
    unsigned threads;
    const char *kind; /* the file extension, for files of another format */
    sparse_tensor t;  /* for writing */
    size_t used, peak;
} data;

static void make_file(data *d, const char *directory, int values, int order, size_t rank)
{
    bench_random r = {1};
    const size_t n = bench_size(1000000, 2000), each = 2;
    static const char *const fields[] = {"real", "real", "integer", "pattern"};
    d->values = values;
    d->rank = rank;
    d->entries = n * each;
    d->threads = 1;
    snprintf(d->path, sizeof d->path, "%s/in.%s", directory, rank == 3 ? "tns" : "mtx");
    snprintf(d->out, sizeof d->out, "%s/out.mtx", directory);
    FILE *const f = fopen(d->path, "wb");
    if (!f) exit(2);
    if (rank == 2)
        fprintf(f, "%%%%MatrixMarket matrix coordinate %s general\n%zu %zu %zu\n", fields[values], n, n,
                d->entries);
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        for (size_t k = 0; k < each; k++) {
            j += 1 + bench_below_n(&r, n / each - 1);
            fprintf(f, "%zu %zu", order == BY_ROWS ? i + 1 : j, order == BY_ROWS ? j : i + 1);
            if (rank == 3) fprintf(f, " %zu", 1 + bench_below_n(&r, 1000));
            if (values == DIGITS_17) fprintf(f, " %.17g", bench_value(&r));
            if (values == DIGITS_6) fprintf(f, " %.6g", bench_value(&r));
            if (values == INTEGERS) fprintf(f, " %d", (int)bench_below_n(&r, 2000) - 1000);
            fputc('\n', f);
        }
    }
    d->bytes = (size_t)ftell(f);
    fclose(f);
    snprintf(d->size, sizeof d->size, "%zu, %.0f MB", d->entries, 1e-6 * (double)d->bytes);
}

/* Adds an entry to the fingerprint: number of entries, sums over coordinates and values. */
static void sum_entry(double *result, size_t i, size_t j, double value)
{
    result[0] += 1;
    result[1] += 1e-6 * (double)(i % 1000 * (j % 1000));
    result[2] += value * (double)(1 + i % 7);
}

/* >>kit */
static void *counted_resize(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    data *const d = (data *)context;
    d->used += new_bytes - old_bytes;
    if (d->used > d->peak) d->peak = d->used;
    if (new_bytes > 0) return realloc(block, new_bytes);
    free(block);
    return NULL;
}

static void read_path(const data *d, sparse_tensor *t, const char *path)
{
    sparse_read_options o;
    memset(&o, 0, sizeof o);
    o.threads = d->threads;
    if (sparse_read(t, path, &o)) {
        fprintf(stderr, "bench: %s is not read\n", path);
        exit(2);
    }
}
static void read_kit(data *d, sparse_tensor *t) { read_path(d, t, d->path); }
static void run_kit(void *context, double *result)
{
    data *const d = (data *)context;
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = d->encoding;
    read_kit(d, &t);
    if (result[0] < 1) SPARSE_FOREACH(c, &t) sum_entry(result, c.dim[0], c.dim[1], SPARSE_VALUE(c, double));
    sparse_free(&t);
}
/* Reads the matrix from a file of this kind. */
static void run_kind(void *context, double *result)
{
    data *const d = (data *)context;
    char path[80];
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = d->encoding;
    snprintf(path, sizeof path, "%s.%s", d->path, d->kind);
    read_path(d, &t, path);
    if (result[0] < 1) SPARSE_FOREACH(c, &t) sum_entry(result, c.dim[0], c.dim[1], SPARSE_VALUE(c, double));
    sparse_free(&t);
}
static void run_kit_threads(void *context, double *result)
{
    data *const d = (data *)context;
    d->threads = 2;
    run_kit(context, result);
    d->threads = 1;
}
static void run_kit_write(void *context, double *result)
{
    data *const d = (data *)context;
    if (sparse_write(&d->t, d->out, NULL)) exit(2);
    result[0] = (double)d->t.val.length;
}

/* >>hand */

/* Three arrays: rows, columns and values, in the order of the file. */
typedef struct triplets {
    uint32_t *i, *j;
    double *value;
    size_t count;
} triplets;

static triplets triplets_open(const data *d)
{
    triplets t = {(uint32_t *)malloc(4 * d->entries), (uint32_t *)malloc(4 * d->entries),
                  (double *)malloc(8 * d->entries), 0};
    if (!t.i || !t.j || !t.value) exit(2);
    return t;
}
static void triplets_close(triplets *t, double *result)
{
    if (result[0] < 1)
        for (size_t k = 0; k < t->count; k++) sum_entry(result, t->i[k], t->j[k], t->value[k]);
    free(t->i);
    free(t->j);
    free(t->value);
}
static FILE *open_entries(const data *d, char *line, size_t room)
{
    FILE *const f = fopen(d->path, "rb");
    for (size_t k = 0; f && k < (d->rank == 2 ? 2u : 0u); k++)
        if (!fgets(line, (int)room, f)) exit(2);
    if (!f) exit(2);
    return f;
}
static void run_fscanf(void *context, double *result)
{
    const data *const d = (const data *)context;
    char line[256];
    triplets t = triplets_open(d);
    FILE *const f = open_entries(d, line, sizeof line);
    unsigned i, j, k;
    double value = 1;
    for (; t.count < d->entries; t.count++) {
        const int read = d->values == PATTERN ? fscanf(f, "%u %u", &i, &j)
                         : d->rank == 3       ? fscanf(f, "%u %u %u %lf", &i, &j, &k, &value)
                                              : fscanf(f, "%u %u %lf", &i, &j, &value);
        if (read < 2) break;
        t.i[t.count] = i - 1;
        t.j[t.count] = j - 1;
        t.value[t.count] = value;
    }
    fclose(f);
    triplets_close(&t, result);
}
static void run_strtod(void *context, double *result)
{
    const data *const d = (const data *)context;
    char line[256], *at;
    triplets t = triplets_open(d);
    FILE *const f = open_entries(d, line, sizeof line);
    for (; t.count < d->entries && fgets(line, sizeof line, f); t.count++) {
        t.i[t.count] = (uint32_t)strtoul(line, &at, 10) - 1;
        t.j[t.count] = (uint32_t)strtoul(at, &at, 10) - 1;
        if (d->rank == 3) strtoul(at, &at, 10);
        t.value[t.count] = d->values == PATTERN ? 1 : strtod(at, NULL);
    }
    fclose(f);
    triplets_close(&t, result);
}
static void run_fprintf(void *context, double *result)
{
    const data *const d = (const data *)context;
    FILE *const f = fopen(d->out, "wb");
    if (!f) exit(2);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", d->t.dim[0], d->t.dim[1],
            d->t.val.length);
    const uint32_t *const pos = (const uint32_t *)d->t.pos[1].at, *const crd =
                                                                      (const uint32_t *)d->t.crd[1].at;
    const double *const value = (const double *)d->t.val.at;
    for (size_t i = 0; i < d->t.dim[0]; i++)
        for (uint32_t p = pos[i]; p < pos[i + 1]; p++)
            fprintf(f, "%zu %u %.17g\n", i + 1, crd[p] + 1, value[p]);
    fclose(f);
    result[0] = (double)d->t.val.length;
}

/* >>rows */
static void row_memory(data *d)
{
    const sparse_hooks hooks = {counted_resize, d};
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = d->encoding;
    t.hooks = &hooks;
    d->used = d->peak = 0;
    read_kit(d, &t);
    printf("    %.0f MB/s, memory %.2f times the result\n", 1e-6 * (double)d->bytes / bench_last_seconds,
           (double)d->peak / (double)sparse_bytes(&t));
    sparse_free(&t);
}

/* Files of other formats, each compared with the same matrix as a Matrix Market file. */
static void rows_of_kinds(data *d, const char *directory, const char *chosen)
{
    static const struct {
        const char *kind;
        const sparse_encoding *encoding;
        int values;
        double goal;
    } rows[] = {{"tns", &csr_encoding, DIGITS_17, 0.5},  {"xtns", &csr_encoding, DIGITS_17, 0.9},
                {"smtx", &csr_encoding, PATTERN, 0.5},   {"rb", &csc_encoding, DIGITS_17, 0.4},
                {"npz", &csr_encoding, DIGITS_17, 0.9},  {"sptensor", &csr_encoding, DIGITS_17, 0.9},
                {"edges", &csr_encoding, DIGITS_17, 0.5}, {"csv", &csr_encoding, DIGITS_17, 0.4},
                {"mtx.gz", &csr_encoding, DIGITS_17, 0.2}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char workload[40], path[80];
        if (!SPARSE_ZLIB && strcmp(rows[k].kind, "mtx.gz") == 0) continue;
        snprintf(workload, sizeof workload, "read .%s, %s", rows[k].kind, rows[k].encoding->name);
        if (chosen && !strstr(workload, chosen)) continue;
        make_file(d, directory, rows[k].values, rows[k].encoding == &csc_encoding ? BY_COLUMNS : BY_ROWS, 2);
        d->encoding = rows[k].encoding;
        d->kind = rows[k].kind;
        sparse_tensor t;
        memset(&t, 0, sizeof t);
        t.encoding = d->encoding;
        read_kit(d, &t);
        snprintf(path, sizeof path, "%s.%s", d->path, d->kind);
        if (sparse_write(&t, path, NULL)) exit(2);
        sparse_free(&t);
        const bench_contest c = {.workload = workload,
                                 .size = d->size,
                                 .goal = rows[k].goal,
                                 .tolerance = 1e-12,
                                 .length = 3,
                                 .context = d,
                                 .contestant = {{"kit", run_kind}, {"Matrix Market", run_kit}}};
        bench_run(&c);
        remove(path);
        remove(d->path);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *workload;
        int values, order;
        size_t rank;
        const sparse_encoding *encoding;
        double goal;
    } rows[] = {{"read CSR, 17 digits", DIGITS_17, BY_ROWS, 2, &csr_encoding, 2.5},
                {"read CSR, 17 digits, by columns", DIGITS_17, BY_COLUMNS, 2, &csr_encoding, 1.5},
                {"read CSR, 6 digits", DIGITS_6, BY_ROWS, 2, &csr_encoding, 2.5},
                {"read CSR, 6 digits, by columns", DIGITS_6, BY_COLUMNS, 2, &csr_encoding, 1.5},
                {"read CSR, integers", INTEGERS, BY_ROWS, 2, &csr_encoding, 2.5},
                {"read CSR, pattern", PATTERN, BY_ROWS, 2, &csr_encoding, 2.5},
                {"read CSR, pattern, by columns", PATTERN, BY_COLUMNS, 2, &csr_encoding, 1.5},
                {"read COO, 17 digits", DIGITS_17, BY_ROWS, 2, &coo_encoding, 2.5},
                {"read COO, 17 digits, by columns", DIGITS_17, BY_COLUMNS, 2, &coo_encoding, 1.5},
                {"read .tns, COO, 17 digits", DIGITS_17, BY_ROWS, 3, &coo3_encoding, 2.5}};
    char directory[] = "/tmp/bench_files_XXXXXX";
    data d;
    memset(&d, 0, sizeof d);
    if (!mkdtemp(directory)) return 2;
    bench_header("Files: the kit against loops of the C library");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (argc > 1 && !strstr(rows[k].workload, argv[1])) continue;
        make_file(&d, directory, rows[k].values, rows[k].order, rows[k].rank);
        d.encoding = rows[k].encoding;
        const bench_contest c = {
            .workload = rows[k].workload,
            .size = d.size,
            .goal = rows[k].goal,
            .tolerance = 1e-12,
            .length = 3,
            .context = &d,
            .contestant = {{"kit", run_kit}, {"fscanf", run_fscanf}, {"fgets, strtod", run_strtod}}};
        bench_run(&c);
        if (!bench_is_quick()) row_memory(&d);
        remove(d.path);
    }
    if (argc == 1) {
        make_file(&d, directory, DIGITS_17, BY_ROWS, 2);
        d.encoding = &csr_encoding;
        const bench_contest two = {.workload = "read CSR, 17 digits, parallel",
                                   .size = d.size,
                                   .goal = 1.8,
                                   .length = 3,
                                   .context = &d,
                                   .threads = true,
                                   .contestant = {{"two threads", run_kit_threads}, {"one thread", run_kit}}};
        bench_run(&two);
        d.t.encoding = d.encoding;
        read_kit(&d, &d.t);
        const bench_contest write = {.workload = "write CSR, 17 digits",
                                     .size = d.size,
                                     .goal = 2,
                                     .length = 1,
                                     .context = &d,
                                     .contestant = {{"kit", run_kit_write}, {"fprintf", run_fprintf}}};
        bench_run(&write);
        if (!bench_is_quick()) printf("    %.0f MB/s\n", 1e-6 * (double)d.bytes / bench_last_seconds);
        sparse_free(&d.t);
        remove(d.path);
        remove(d.out);
    }
    rows_of_kinds(&d, directory, argc > 1 ? argv[1] : NULL);
    remove(directory);
    return bench_done();
}
