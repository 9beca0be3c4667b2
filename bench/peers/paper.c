/* paper.c: `make paper`: repeats experiments of published documents, with the kit, loops in the form of TACO, MLIR, and
   installed libraries. It prints Markdown, and draws figures in build/paper/.

     Table 1     reading and packing tensors                           Bik and others 2022, section 6.1
     Table 2     C(i,j) = A(i,k) B(k,j), all sparse                    section 6.2
     Table 3     y(i) = A(i,j) x(j), rows in a band, three storages    section 6.2
     Figure 4    X(i,j) = S(i,j) A(i,k) B(k,j), storages, strategies   section 6.2
     Table 4     MTTKRP                                                section 6.3
     Milestone   SpMV and sums compared with Eigen                     the proposal of 2020
     Growth      time per entry over sizes

   Data are generated from fixed seeds, with the kind and size that the documents give. Matrices of the milestone are read
   from the directory in the first argument, if they are there. Further arguments name the parts to run, as "Table 3"; by
   default all run. BENCH_LARGE=1: also the largest data in full size.

   Contents (search for the anchors)
     >>sheets        a table and its figure
     >>data          tensors like those of the documents
     >>experiments   a function for each
     >>growth        time per entry over sizes */
#include "contest.h"

#include "../chart.h"
#include "sparse_io.h"

static const char *data_directory = "";
static char directory[] = "/tmp/bench_paper_XXXXXX";

static bool is_large(void)
{
    const char *large = getenv("BENCH_LARGE");
    return large && *large == '1';
}

/* >>sheets
   A column is the least time of the peers whose names begin with `peers`, over all installed compilers; or the figure that
   the document prints, from its authors' machine. */
enum { COLUMNS = 10, ROWS = 12 };
typedef struct column {
    const char *title, *peers; /* peers NULL: the document's figures */
} column;
typedef struct sheet {
    const char *title, *file, *unit, *rows_are;
    column column[COLUMNS];
    bool lines, decades;  /* the kind of figure; a logarithmic axis */
    bool total;           /* the last column compares sums, not the best */
    size_t rows;
    char row[ROWS][48];
    double value[ROWS][COLUMNS]; /* 0: no value */
} sheet;

static double *begin_row(sheet *s, const char *name)
{
    if (s->rows == ROWS) exit(2);
    snprintf(s->row[s->rows], sizeof s->row[s->rows], "%s", name);
    if (isatty(2)) fprintf(stderr, "\r%s: %s\033[K", s->title, name);
    return s->value[s->rows++];
}
/* Runs a contest; writes milliseconds to columns [from, to) of the last row. length: of the result; 0: it is dense. */
static void measure(sheet *s, size_t from, size_t to, const char *operation, problem *p, size_t length)
{
    bench_contest c;
    memset(&c, 0, sizeof c);
    c.workload = operation;
    c.silent = true;
    c.length = length;
    contest(&c, operation, NULL, p, false);
    for (size_t k = from; k < to && s->column[k].title; k++)
        for (size_t n = 0; s->column[k].peers && c.contestant[n].run; n++) {
            double *value = &s->value[s->rows - 1][k];
            const double ms = 1e3 * bench_seconds[n];
            if (strncmp(c.contestant[n].name, s->column[k].peers, strlen(s->column[k].peers)) == 0 && ms > 0 &&
                (*value == 0 || ms < *value))
                *value = ms;
        }
}
static bool is_ours(const column *k) { return strncmp(k->title, "kit", 3) == 0; }
/* Prints a remark below a table: how our experiment differs from the document's, and why. */
static void remark(const char *what)
{
    printf("\n%s\n", what);
    fflush(stdout);
}
/* Prints the table, whose last column is the best time of the others divided by our best; draws its figure. */
static void print_sheet(const sheet *s)
{
    static chart c;
    char path[96];
    const column *k;
    memset(&c, 0, sizeof c);
    printf("\n## %s\n\n| %s |", s->title, s->rows_are);
    for (k = s->column; k->title; k++) printf(" %s |", k->title);
    printf(" others / kit |\n|---|");
    for (k = s->column; k->title; k++) printf("---|");
    printf("---|\n");
    for (size_t r = 0; r < s->rows; r++) {
        double ours = 0, others = 0;
        printf("| %s |", s->row[r]);
        for (k = s->column; k->title; k++) {
            const double v = s->value[r][k - s->column];
            double *best = is_ours(k) ? &ours : &others;
            if (v > 0) printf(v < 1000 ? " %.3g |" : " %.0f |", v);
            else printf(" |");
            if (k->peers && s->total) *best += v;
            else if (k->peers && v > 0 && (*best == 0 || v < *best)) *best = v;
        }
        if (ours > 0 && others > 0) printf(" %.2f |\n", others / ours);
        else printf(" |\n");
    }
    c.title = s->title, c.unit = s->unit, c.groups_are = s->rows_are;
    c.groups = s->rows, c.lines = s->lines, c.decades = s->decades;
    for (size_t r = 0; r < s->rows; r++) c.group[r] = s->row[r];
    for (k = s->column; k->title; k++) {
        if (!k->peers) continue;
        c.name[c.series] = k->title;
        for (size_t r = 0; r < s->rows; r++) c.value[c.series][r] = s->value[r][k - s->column];
        c.series++;
    }
    snprintf(path, sizeof path, "build/paper/%s.svg", s->file);
    if (bench_is_quick()) return;
    if (chart_draw(&c, path)) printf("\n![%s](%s.svg)\n", s->title, s->file);
    else printf("\n(%s cannot be written)\n", path);
    fflush(stdout);
}

/* >>data */

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
/* p->A = a tensor of these sizes with about `entries` entries, in sorted COO. Low coordinates are more frequent, as in data
   about people; values are counts. */
static void tensor(problem *p, unsigned rank, const size_t *dim, size_t entries, uint64_t seed)
{
    bench_random r = {seed};
    uint64_t *key = (uint64_t *)bench_allocate(entries, sizeof *key);
    uint32_t *crd[STORED_MOST], pos[2] = {0, 0};
    double *val = (double *)bench_allocate(entries, sizeof *val);
    size_t count = 0;
    for (size_t e = 0; e < entries; e++)
        for (unsigned l = 0; l < rank; l++) {
            const double u = bench_unit(&r);
            key[e] = key[e] * dim[l] + (uint64_t)((double)dim[l] * u * sqrt(u));
        }
    qsort(key, entries, sizeof *key, compare_keys);
    for (size_t e = 0; e < entries; e++)
        if (count == 0 || key[count - 1] != key[e]) key[count++] = key[e];
    sparse_arrays arrays;
    memset(&arrays, 0, sizeof arrays);
    pos[1] = (uint32_t)count;
    arrays.pos[0] = (sparse_array)SPARSE_ARRAY(pos, 2);
    for (unsigned l = rank; l-- > 0;) {
        crd[l] = (uint32_t *)bench_allocate(count, sizeof **crd);
        for (size_t e = 0; e < count; e++) crd[l][e] = (uint32_t)(key[e] % dim[l]), key[e] /= dim[l];
        arrays.crd[l] = (sparse_array)SPARSE_ARRAY(crd[l], count);
    }
    for (size_t e = 0; e < count; e++) val[e] = 1 + (double)bench_below_n(&r, 20);
    arrays.val = (sparse_array)SPARSE_ARRAY(val, count);
    p->A.encoding = tuples[rank - STORED_LEAST];
    check(sparse_assemble(&p->A, dim, &arrays, SPARSE_COPY, NULL));
    for (unsigned l = 0; l < rank; l++) free(crd[l]);
    free(key), free(val);
}
/* a copy of a matrix in CSR or CSC */
static bench_csr copy_rows(const sparse_tensor *t)
{
    const bool by_rows = t->encoding != &csc_encoding;
    const size_t entries = t->val.length;
    bench_csr m = bench_csr_open(t->dim[by_rows ? 0 : 1], t->dim[by_rows ? 1 : 0], entries);
    memcpy(m.pos, t->pos[1].at, (m.rows + 1) * sizeof *m.pos);
    memcpy(m.crd, t->crd[1].at, entries * sizeof *m.crd);
    memcpy(m.val, t->val.at, entries * sizeof *m.val);
    return m;
}
/* a finite element matrix: a dense band around the diagonal, values with 17 digits */
static void elements(problem *p, size_t n, size_t half_width)
{
    have(p, bench_banded(n, half_width, 71));
    store(p, &tuples_2_encoding);
}

/* >>experiments */
static void table_1(void)
{
    static sheet s = {.title = "Table 1: sparse tensor input", .file = "table_1", .unit = "ms", .rows_are = "tensor",
                      .column = {{"MLIR read (printed)", NULL}, {"pack (printed)", NULL}, {"TACO read (printed)", NULL},
                                 {"pack (printed)", NULL}, {"kit read", "kit"}, {"TACO's reader", "TACO"},
                                 {"kit pack", "kit"}, {"TACO's packing", "TACO"}},
                      .decades = true, .total = true};
    static const struct {
        const char *name;
        unsigned rank;
        size_t dim[STORED_MOST], entries, divisor; /* of the number of entries, unless BENCH_LARGE */
        double printed[4];
    } inputs[] = {{"fidap011", 2, {16614, 16614}, 1091362, 1, {228, 136, 262, 142}},
                  {"nell-2", 3, {12092, 9184, 28818}, 76879419, 16, {9568, 2055, 13303, 6974}},
                  {"uber", 4, {183, 24, 1140, 1717}, 3309490, 1, {418, 107, 594, 398}},
                  {"vast-2015", 5, {165427, 11374, 2, 100, 89}, 26021945, 8, {3796, 1728, 5191, 2832}}};
    for (size_t n = 0; n < sizeof inputs / sizeof *inputs; n++) {
        const size_t entries = bench_size(inputs[n].entries / (is_large() ? 1 : inputs[n].divisor), 2000);
        char name[48];
        problem p;
        memset(&p, 0, sizeof p);
        if (inputs[n].rank == 2) elements(&p, bench_size(inputs[n].dim[0], 100), entries / inputs[n].dim[0] / 2);
        else tensor(&p, inputs[n].rank, inputs[n].dim, entries, 72 + n);
        snprintf(name, sizeof name, "%s, %.3g", inputs[n].name, (double)p.A.val.length);
        double *row = begin_row(&s, name);
        snprintf(p.path, sizeof p.path, "%s/in.%s", directory, inputs[n].rank == 2 ? "mtx" : "tns");
        check(sparse_write(&p.A, p.path, NULL));
        measure(&s, 4, 6, "read tuples", &p, BENCH_FINGERPRINT);
        measure(&s, 6, 8, "pack fibers", &p, BENCH_FINGERPRINT);
        memcpy(row, inputs[n].printed, sizeof inputs[n].printed);
        problem_free(&p);
    }
    print_sheet(&s);    remark("The document's files are not at hand: these have their sizes and numbers of entries (in full with BENCH_LARGE=1), a "
           "skewed random pattern, and are in the cache of the system. TACO's reader is getline, strtoul and strtod into "
           "tuples; its packing sorts them with qsort, though they are in order, and builds the levels; the kit reads with "
           "parsers of its own and checks every byte. The last column is of reading and packing together, as the document's.");
}

static void table_2(void)
{
    static sheet s = {.title = "Table 2: SpMSpM, C(i,j) = A(i,k) B(k,j), uniform, density 0.01", .file = "table_2", .unit = "ms",
                      .rows_are = "n",
                      .column = {{"MLIR (printed)", NULL}, {"TACO (printed)", NULL}, {"kit", "kit"},
                                 {"TACO's form", "TACO"}, {"MLIR 16", "MLIR"}, {"Gustavson by hand", "Gustavson"},
                                 {"Eigen", "Eigen"}, {"GraphBLAS", "GraphBLAS"}},
                      .decades = true};
    static const double printed[][2] = {{3.7, 3.9}, {27.0, 29.1}, {224.4, 244.7}, {1775.1, 1900.4}};
    for (size_t n = 0; n < 4; n++) {
        problem p;
        char name[48];
        memset(&p, 0, sizeof p);
        percents(&p, (size_t[]){(size_t)1024 << n});
        snprintf(name, sizeof name, "%zu", p.a.rows);
        double *row = begin_row(&s, name);
        measure(&s, 2, COLUMNS, "spgemm", &p, BENCH_FINGERPRINT);
        memcpy(row, printed[n], sizeof printed[n]);
        problem_free(&p);
    }
    print_sheet(&s);
    remark("All run Gustavson's algorithm, most with a dense row of sums. They differ in how the columns of a row come into order: "
           "TACO's form sorts them with qsort; MLIR has a sort of its own, and then inserts entries one by one into arrays that "
           "grow; the loop by hand runs over marks where a row is dense, as these are (10 to 56 of 100). The matrices are the "
           "document's in kind and size.");
}

static void table_3(void)
{
    static sheet s = {.title = "Table 3: SpMV, y(i) = A(i,j) x(j), 1000 full rows", .file = "table_3", .unit = "ms",
                      .rows_are = "n and storage",
                      .column = {{"MLIR (printed)", NULL}, {"TACO (printed)", NULL}, {"kit", "kit,"}, {"kit simd", "kit simd"},
                                 {"TACO's form", "TACO"}, {"MLIR 16", "MLIR, LLVM 16 vl=0"}, {"MLIR 16 vl=8", "MLIR, LLVM 16 vl=8"},
                                 {"Eigen", "Eigen"}, {"librsb", "librsb"}},
                      .decades = true};
    static const struct {
        const char *name, *operation;
        const sparse_encoding *storage;
    } as[] = {{"CSR", "spmv csr", NULL}, {"DCSR", "spmv dcsr", &dcsr_encoding}, {"CDR", "spmv cd", &cd_encoding}};
    static const double printed[4][3][2] = {{{7.88, 10.99}, {7.85, 10.78}, {5.22, 6.62}},
                                            {{15.76, 19.77}, {15.69, 19.21}, {10.52, 11.90}},
                                            {{31.51, 38.63}, {31.41, 37.27}, {21.07, 24.79}},
                                            {{77.28, 77.55}, {72.19, 76.84}, {42.18, 47.07}}};
    for (size_t n = 0; n < 4; n++)
        for (size_t k = 0; k < 3; k++) {
            problem p;
            char name[48];
            const size_t rows = bench_size((size_t)8192 << n, 64);
            memset(&p, 0, sizeof p);
            have(&p, bench_row_band(rows, rows, bench_size(1000, 8), 5));
            if (as[k].storage) store(&p, as[k].storage);
            snprintf(name, sizeof name, "%zu %s", rows, as[k].name);
            double *row = begin_row(&s, name);
            measure(&s, 2, COLUMNS, as[k].operation, &p, 0);
            memcpy(row, printed[n][k], sizeof printed[n][k]);
            problem_free(&p);
        }
    print_sheet(&s);
    remark("CDR, compressed rows that are dense, reads 8 bytes for an entry where CSR and DCSR read 12, and needs no gather; "
           "between CSR and DCSR there is little, since empty rows cost little beside what the others hold. Sums in vector lanes "
           "(simd, vl=8) pay as long as the matrix comes faster than one addition after the other takes. Coordinates have 32 bits "
           "here; in the document, nothing is said of their width.");
}

static void figure_4(void)
{
    static sheet s = {.title = "Figure 4: SDDMM, X(i,j) = S(i,j) A(i,k) B(k,j), n = 4096, density 0.01, depth 64",
                      .file = "figure_4", .unit = "ms", .rows_are = "storage of S",
                      .column = {{"kit", "kit,"}, {"kit simd", "kit simd"}, {"kit unroll", "kit unroll"},
                                 {"kit where simd", "kit where"}, {"TACO's form", "TACO"}, {"by hand", "loop"},
                                 {"MLIR 16", "MLIR, LLVM 16 vl=0"}, {"MLIR 16 vl=8", "MLIR, LLVM 16 vl=8"}}};
    static const struct {
        const char *name, *operation;
        const sparse_encoding *storage;
    } as[] = {{"CSR", "sddmm csr", &csr_encoding}, {"DCSR", "sddmm dcsr", &dcsr_encoding}, {"CSC", "sddmm csc", &csc_encoding},
              {"DCSC", "sddmm dcsc", &dcsc_encoding}, {"COO", "sddmm coo", &coo_encoding}};
    for (size_t k = 0; k < sizeof as / sizeof *as; k++) {
        problem p;
        memset(&p, 0, sizeof p);
        sampled(&p, (size_t[]){4096, 41, 64});
        store(&p, as[k].storage);
        begin_row(&s, as[k].name);
        measure(&s, 0, COLUMNS, as[k].operation, &p, BENCH_FINGERPRINT);
        problem_free(&p);
    }
    print_sheet(&s);
    remark("The document searches storages and compiler options and finds vectors to matter most; so it is here, where storages "
           "differ by little, since the work is the dense rows that each entry takes, and strategies by much. `where simd` is "
           "a sum of its own, in vector lanes, times the entry; `unroll` runs four sums side by side, each in its order. What "
           "has no column was not written for that storage: TACO's form by rows only, MLIR for CSR and DCSR.");
}

static void table_4(void)
{
    static sheet s = {.title = "Table 4: MTTKRP, A(i,j) = B(i,k,l) D(l,j) C(k,j), sizes of nell-2, 42 columns",
                      .file = "table_4", .unit = "ms", .rows_are = "storage",
                      .column = {{"MLIR (printed)", NULL}, {"TACO (printed)", NULL}, {"kit", "kit,"}, {"kit unroll", "kit unroll"},
                                 {"kit where unroll", "kit where"}, {"TACO's form", "TACO"}, {"row of sums by hand", "loop"},
                                 {"MLIR 16", "MLIR, LLVM 16 vl=0"}, {"MLIR 16 vl=8", "MLIR, LLVM 16 vl=8"}}};
    static const double printed[2][2] = {{2340.82, 2587.81}, {1754.98, 1871.64}};
    const size_t entries = bench_size(is_large() ? 76879419 : 76879419 / 16, 2000);
    problem p;
    memset(&p, 0, sizeof p);
    tensor(&p, 3, (size_t[]){12092, 9184, 28818}, entries, 73);
    p.columns = 42;
    p.X = bench_dense(9184 * p.columns, 42);
    p.Z = bench_dense(28818 * p.columns, 43);
    p.length = 12092 * p.columns;
    for (size_t k = 0; k < 2; k++) {
        char name[48];
        store_again(&p, k ? &dss_alt_encoding : &dss_encoding);
        snprintf(name, sizeof name, "%s, %.3g entries", k ? "DSS-alt" : "DSS", (double)p.A.val.length);
        double *row = begin_row(&s, name);
        measure(&s, 2, COLUMNS, k ? "mttkrp alt" : "mttkrp dss", &p, 0);
        memcpy(row, printed[k], sizeof printed[k]);
    }
    problem_free(&p);
    print_sheet(&s);
    remark("A sixteenth of nell-2's entries unless BENCH_LARGE=1, at random places, so that most fibers have one entry and the two "
           "orders differ less than in the document. A workspace (`where`, the row of sums by hand) takes one of the two factors "
           "out of the innermost loop, and unrolling reads and writes the row of the result once for four entries: both pay "
           "where fibers are long, and cost where they are not. MLIR 16 vectorises the innermost dense loop by itself, with "
           "vl=8; so do the compilers of the others, which look for overlap of the arrays first where nothing rules it out.");
}

static void milestone(void)
{
    static sheet sums = {.title = "Milestone: CSR + CSR, A + A transposed", .file = "milestone_sum", .unit = "ms",
                         .rows_are = "matrix",
                         .column = {{"kit", "kit"}, {"Eigen", "Eigen"}, {"GraphBLAS", "GraphBLAS"}, {"TACO's form", "TACO"},
                                    {"MLIR 16", "MLIR"}},
                         .decades = true},
                 products = {.title = "Milestone: SpMV", .file = "milestone_spmv", .unit = "ms", .rows_are = "matrix",
                             .column = {{"kit", "kit,"}, {"kit simd", "kit simd"}, {"Eigen", "Eigen"}, {"librsb", "librsb"},
                                        {"GraphBLAS", "GraphBLAS"}, {"TACO's form", "TACO"}, {"MLIR 16", "MLIR"}},
                             .decades = true};
    static const char *const files[] = {"bcsstk13", "rdb3200l", "watt_2", "plsk1919", "mhda416", "pde900"};
    size_t found = 0;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        problem p;
        csr rows = SPARSE_INIT(csr);
        csc columns = SPARSE_INIT(csc);
        char path[512];
        snprintf(path, sizeof path, "%s/matrices/%s.mtx", data_directory, files[k]);
        FILE *f = fopen(path, "rb");
        if (!f) continue;
        fclose(f);
        check(sparse_read(&rows.t, path, NULL));
        memset(&p, 0, sizeof p);
        have(&p, copy_rows(&rows.t));
        check(sparse_convert(&columns.t, &rows.t));
        p.b = copy_rows(&columns.t);
        begin_row(&products, files[k]);
        measure(&products, 0, COLUMNS, "spmv csr", &p, 0);
        begin_row(&sums, files[k]);
        measure(&sums, 0, COLUMNS, "add", &p, BENCH_FINGERPRINT);
        sparse_free(&rows.t), sparse_free(&columns.t);
        problem_free(&p);
        found++;
    }
    static const struct {
        const char *name;
        void (*fill)(problem *, sizes);
        size_t size[2];
    } made[] = {{"27-point", stencil, {40, 0}}, {"uniform", uniform, {20000, 16}}, {"power law", power_law, {20000, 16}}};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        problem p;
        memset(&p, 0, sizeof p);
        made[k].fill(&p, made[k].size);
        store(&p, &csc_encoding);
        p.b = copy_rows(&p.A);
        begin_row(&products, made[k].name);
        measure(&products, 0, COLUMNS, "spmv csr", &p, 0);
        begin_row(&sums, made[k].name);
        measure(&sums, 0, COLUMNS, "add", &p, BENCH_FINGERPRINT);
        problem_free(&p);
    }
    print_sheet(&products);
    print_sheet(&sums);
    if (!found) remark("No matrix of the Matrix Market was found: rows are of generated ones only. Their directory is the argument.");
    remark("The proposal asks for 90 of 100 of the speed of Eigen and MKL, on matrices from the Matrix Market, for these two "
           "kernels: 0.9 in the last column is its goal. MKL is not free software and was left out; librsb and GraphBLAS stand "
           "in. Matrices of a few thousand entries are in the cache, where calling a library costs as much as its loop.");
}

/* >>growth
   The time per entry of the kit over sizes. It should be constant, except for caches. */
static void growth(void)
{
    static const struct {
        const char *name, *operation;
        void (*fill)(problem *, sizes);
        size_t a_row, most; /* entries in a row, 0: a vector; the largest number of entries, unless BENCH_LARGE */
        const sparse_encoding *storage;
        size_t result;
    } curves[] = {{"sum of 3 vectors", "sum3", lists, 0, 100000000, NULL, 1},
                  {"inner product", "dot", lists, 0, 100000000, NULL, 1},
                  {"SpMV, band", "spmv csr", banded, 17, 10000000, NULL, 0},
                  {"SpMV, uniform", "spmv csr", uniform, 16, 10000000, NULL, 0},
                  {"CSR + CSR", "add", uniforms, 16, 10000000, NULL, BENCH_FINGERPRINT},
                  {"CSR to CSC", "transpose", uniform, 16, 10000000, NULL, BENCH_FINGERPRINT},
                  {"COO to CSR", "coo csr", uniform, 16, 10000000, &coo_encoding, BENCH_FINGERPRINT}};
    static chart c = {.title = "Growth: time per stored entry of the operands", .unit = "ns", .groups_are = "stored entries",
                      .groups = 5, .series = sizeof curves / sizeof *curves, .group = {"1e4", "1e5", "1e6", "1e7", "1e8"},
                      .lines = true, .decades = true};
    const size_t decades = bench_is_quick() ? 1 : 5;
    printf("\n## Growth: ns per stored entry of the operands, the kit alone\n\n| kernel | 1e4 | 1e5 | 1e6 | 1e7 | 1e8 |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < c.series; k++) {
        c.name[k] = curves[k].name;
        printf("| %s |", curves[k].name);
        for (size_t n = 0, entries = 10000; n < decades; n++, entries *= 10) {
            problem p;
            bench_contest contest_of_one;
            size_t count = 0, stored = 0;
            if (entries > curves[k].most && !is_large()) {
                printf(" |");
                continue;
            }
            if (isatty(2)) fprintf(stderr, "\rGrowth: %s, %zu entries\033[K", curves[k].name, entries);
            memset(&p, 0, sizeof p);
            memset(&contest_of_one, 0, sizeof contest_of_one);
            const size_t rows = entries / (curves[k].a_row ? curves[k].a_row : 1);
            if (curves[k].a_row) curves[k].fill(&p, (size_t[]){rows, curves[k].a_row});
            else curves[k].fill(&p, (size_t[]){10 * (entries / 3), entries / 3});
            if (curves[k].storage) store(&p, curves[k].storage);
            gather(&contest_of_one, &count, curves[k].operation, &p, true, false);
            contest_of_one.workload = curves[k].name;
            contest_of_one.size = p.size;
            contest_of_one.tolerance = 1e-9;
            contest_of_one.kernels = count;
            contest_of_one.length = curves[k].result ? curves[k].result : p.length;
            contest_of_one.context = &p;
            contest_of_one.silent = true;
            bench_run(&contest_of_one);
            close_teams();
            for (unsigned v = 0; v < (strcmp(curves[k].operation, "dot") ? 3u : 2u); v++) stored += p.v[v].entries;
            if (p.a.rows) stored += bench_csr_entries(&p.a);
            if (p.b.rows) stored += bench_csr_entries(&p.b);
            if (!bench_is_quick()) c.value[k][n] = 1e9 * bench_last_seconds / (double)stored;
            printf(" %.3g |", c.value[k][n]);
            fflush(stdout);
            problem_free(&p);
        }
        printf("\n");
    }
    if (bench_is_quick()) return;
    if (chart_draw(&c, "build/paper/growth.svg")) printf("\n![growth](growth.svg)\n");
    remark("Operands of 1e8 entries are left out where there is no figure: matrices of that size and their results take up to 6 GB. "
           "BENCH_LARGE=1 has them.");
}

int main(int argc, char **argv)
{
    if (argc > 1) data_directory = argv[1];
    if (!mkdtemp(directory)) return 2;
    warm_heap();
    printf("# The experiments of the documents\n\nTimes in milliseconds, medians of rounds in which all run in turn, the best of "
           "the compilers that are there; one thread, 32-bit coordinates. `(printed)` is what the document has, for its machine "
           "(Xeon W2135, 3.7 GHz) and its data. The last column is the fastest of the others' times, of the kit's fastest.\n\n");
    print_machine(stdout, "    ");
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"Table 1", table_1}, {"Table 2", table_2},     {"Table 3", table_3}, {"Figure 4", figure_4},
                 {"Table 4", table_4}, {"Milestone", milestone}, {"Growth", growth}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        bool wanted = argc < 3;
        for (int n = 2; n < argc; n++) wanted = wanted || strcmp(parts[k].name, argv[n]) == 0;
        if (wanted) parts[k].run();
    }
    if (isatty(2)) fprintf(stderr, "\r\033[K");
    remove(directory);
    printf("\n");
    return bench_done();
}
