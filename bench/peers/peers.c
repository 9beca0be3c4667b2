/* peers.c: `make bench-peers`: each operation, on suitable data, with the kit and with all installed peers, in one process.
   README.md in this directory explains the table.

   bench-peers [words]: runs only rows whose names contain one of the words. */
#include "contest.h"

/* >>data
   Files are text in a directory of their own. */
static char directory[] = "/tmp/bench_peers_XXXXXX";

/* n[0] rows with two entries of n[1] digits; sorted by columns if n[2], else by rows */
static void matrix_file(problem *p, sizes n)
{
    bench_random r = {1};
    const size_t rows = scaled(n[0]);
    snprintf(p->path, sizeof p->path, "%s/in.mtx", directory);
    FILE *f = fopen(p->path, "wb");
    if (!f) exit(2);
    fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", rows, rows, 2 * rows);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0, j = 0; k < 2; k++) {
            j += 1 + bench_below_n(&r, rows / 2 - 1);
            fprintf(f, "%zu %zu %.*g\n", n[2] ? j : i + 1, n[2] ? i + 1 : j, (int)n[1], bench_value(&r));
        }
    snprintf(p->size, sizeof p->size, "%zu, %.0f MB", 2 * rows, 1e-6 * (double)ftell(f));
    fclose(f);
}
static void tensor_file(problem *p, sizes n)
{
    bench_random r = {2};
    const size_t rows = scaled(n[0]);
    snprintf(p->path, sizeof p->path, "%s/in.tns", directory);
    FILE *f = fopen(p->path, "wb");
    if (!f) exit(2);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0, j = 0; k < 2; k++) {
            j += 1 + bench_below_n(&r, rows / 2 - 1);
            fprintf(f, "%zu %zu %zu %.*g\n", i + 1, j, 1 + bench_below_n(&r, 1000), (int)n[1], bench_value(&r));
        }
    snprintf(p->size, sizeof p->size, "%zu, %.0f MB", 2 * rows, 1e-6 * (double)ftell(f));
    fclose(f);
}

/* >>rows */
enum result { NUMBER = 1, DENSE = 0, SPARSE = BENCH_FINGERPRINT };
typedef struct row {
    const char *workload, *operation, *against; /* against: the operation of the others; NULL: the same one */
    void (*fill)(problem *, sizes);
    size_t size[3];
    const sparse_encoding *storage; /* of A; NULL: no A, or `fill` makes it */
    enum result result;
    double goal;
    unsigned lines; /* which lines of the kit */
} row;

static const row table[] = {
    {"union of 3 vectors to a sum", "sum3", NULL, lists, {10000000, 1000000}, NULL, NUMBER, 1, 0},
    {"union of 3 vectors to dense", "union3 dense", NULL, lists, {10000000, 1000000}, NULL, DENSE, 1, 0},
    {"union of 3 vectors to sparse", "union3 sparse", NULL, lists, {10000000, 1000000}, NULL, SPARSE, 1, 0},
    {"CSR + CSR", "add", NULL, uniforms, {250000, 16}, NULL, SPARSE, 1, 0},
    {"inner product", "dot", NULL, lists, {10000000, 1000000}, NULL, NUMBER, 1, 0},
    {"CSR x CSR, uniform 1%", "spgemm", NULL, percents, {1024}, NULL, SPARSE, 1.1, 0},
    {"CSR x CSR, uniform 1%", "spgemm", NULL, percents, {2048}, NULL, SPARSE, 1.1, 0},
    {"CSR x CSR, uniform 1%", "spgemm", NULL, percents, {4096}, NULL, SPARSE, 1.1, 0},
    {"CSR x CSR, power law", "spgemm", NULL, power_laws, {100000, 8}, NULL, SPARSE, 1.1, 0},
    {"CSR x CSR, 4 a row", "spgemm", NULL, uniforms, {1000000, 4}, NULL, SPARSE, 1.1, 0},
    {"CSR x CSR, band of 9", "spgemm", NULL, bandeds, {200000, 9}, NULL, SPARSE, 1.1, 0},
    {"CSR to CSC", "transpose", NULL, uniform, {250000, 16}, NULL, SPARSE, 1, 0},
    {"COO to CSR, sorted", "coo csr", NULL, uniform, {250000, 16}, &coo_encoding, SPARSE, 1, 0},
    {"COO to CSR, shuffled", "shuffled csr", NULL, shuffled, {250000, 16}, NULL, SPARSE, 1, 0},
    {"CSR to DCSR, 2 of 3 rows", "dcsr", NULL, gaps, {250000, 16}, NULL, SPARSE, 1, 0},
    {"CSR to DCSR, 2 of 3 rows, by hand", "dcsr", "dcsr counted", gaps, {250000, 16}, NULL, SPARSE, 1, 0},
    {"CSR to BSR", "bsr", NULL, blocks, {250000, 16}, NULL, SPARSE, 1, 0},
    {"CSR to DCSR, 1 of 20 rows", "dcsr", NULL, thin, {20000000}, NULL, SPARSE, 1.2, 0},
    {"CSR to DCSR, 1 of 20 rows, by hand", "dcsr", "dcsr counted", thin, {20000000}, NULL, SPARSE, 1, 0},
    {"SpMV CSR, uniform", "spmv csr", NULL, uniform, {1000000, 16}, NULL, DENSE, 1, 0},
    {"SpMV CSR, 27-point", "spmv csr", NULL, stencil, {100}, NULL, DENSE, 1, 0},
    {"SpMV CSR, band of 17", "spmv csr", NULL, banded, {1000000, 17}, NULL, DENSE, 1, 0},
    {"SpMV CSR, power law", "spmv csr", NULL, power_law, {1000000, 16}, NULL, DENSE, 1, 0},
    {"SpMV any encoding, uniform", "spmv any", "spmv csr", uniform, {1000000, 16}, NULL, DENSE, 1.25, 0},
    {"SpMV any encoding, uniform", "spmv any", "spmv csr", uniform, {4000000, 16}, NULL, DENSE, 1.25, 0},
    {"SpMV any encoding, 27-point", "spmv any diagonals", "spmv csr", stencil, {100}, NULL, DENSE, 1.25, 0},
    {"SpMV any encoding, 27-point", "spmv any diagonals", "spmv csr", stencil, {160}, NULL, DENSE, 1.25, 0},
    {"SpMV any encoding, band of 17", "spmv any diagonals", "spmv csr", banded, {1000000, 17}, NULL, DENSE, 1.25, 0},
    {"SpMV any encoding, band of 17", "spmv any diagonals", "spmv csr", banded, {4000000, 17}, NULL, DENSE, 1.25, 0},
    {"SpMV any encoding, power law", "spmv any", "spmv csr", power_law, {1000000, 16}, NULL, DENSE, 1.25, 0},
    {"SpMV any encoding, power law", "spmv any", "spmv csr", power_law, {4000000, 16}, NULL, DENSE, 1.25, 0},
    {"SpMV row band, CSR", "spmv csr", NULL, row_band, {1000000, 1000, 10000}, NULL, DENSE, 1, 0},
    {"SpMV row band, DCSR", "spmv dcsr", NULL, row_band, {1000000, 1000, 10000}, &dcsr_encoding, DENSE, 1, 0},
    {"SpMV row band, CD", "spmv cd", NULL, row_band, {1000000, 1000, 10000}, &cd_encoding, DENSE, 1, 0},
    {"SpMV BSR 4x4", "spmv bsr", NULL, blocks, {500000, 32}, &bsr_encoding, DENSE, 1, 0},
    {"SpMV ELL", "spmv ell", NULL, even_rows, {1000000, 5}, &ell_encoding, DENSE, 1, 0},
    {"SpMV DIA", "spmv dia", NULL, banded, {30000, 27}, &dia_encoding, DENSE, 1, 0},
    {"SpMV 2:4 as such", "spmv n2m4", NULL, pruned, {4000, 4000}, &n2m4_encoding, DENSE, 1, 0},
    {"SpMV 2:4 as CSR", "spmv csr", NULL, pruned, {4000, 4000}, NULL, DENSE, 1, 0},
    {"SpMM, 8 columns", "spmm", NULL, tall, {100000, 16, 8}, NULL, DENSE, 1.2, 0},
    {"SpMM, 64 columns", "spmm", NULL, tall, {100000, 16, 64}, NULL, DENSE, 1.2, 0},
    {"SpMM, 128 columns", "spmm", NULL, tall, {100000, 16, 128}, NULL, DENSE, 1.2, 0},
    {"SDDMM, depth 8", "sddmm csr", NULL, sampled, {4000, 100, 8}, &csr_encoding, SPARSE, 1.2, 0},
    {"SDDMM, depth 64", "sddmm csr", NULL, sampled, {4000, 100, 64}, &csr_encoding, SPARSE, 1.2, 0},
    {"SDDMM, depth 128", "sddmm csr", NULL, sampled, {4000, 100, 128}, &csr_encoding, SPARSE, 1.2, 0},
    {"MTTKRP, fibers of 5, rank 8", "mttkrp dss", NULL, cube, {2130, 5, 8}, &dss_encoding, DENSE, 1.2, 0},
    {"MTTKRP, fibers of 5, rank 32", "mttkrp dss", NULL, cube, {2130, 5, 32}, &dss_encoding, DENSE, 1.2, 0},
    {"MTTKRP, fibers of 5, rank 128", "mttkrp dss", NULL, cube, {2130, 5, 128}, &dss_encoding, DENSE, 1.2, 0},
    {"MTTKRP, fibers of 100, rank 8", "mttkrp dss", NULL, cube, {300, 100, 8}, &dss_encoding, DENSE, 1.2, 0},
    {"MTTKRP, fibers of 100, rank 32", "mttkrp dss", NULL, cube, {300, 100, 32}, &dss_encoding, DENSE, 1.2, 0},
    {"MTTKRP, fibers of 100, rank 128", "mttkrp dss", NULL, cube, {300, 100, 128}, &dss_encoding, DENSE, 1.2, 0},
    {"TTM, fibers of 8, rank 8", "ttm", NULL, cube, {1500, 8, 8}, NULL, SPARSE, 1.2, 0},
    {"TTM, fibers of 8, rank 32", "ttm", NULL, cube, {1500, 8, 32}, NULL, SPARSE, 1.2, 0},
    {"TTM, fibers of 8, rank 128", "ttm", NULL, cube, {1500, 8, 128}, NULL, SPARSE, 1.2, 0},
    {"TTM, fibers of 100, rank 8", "ttm", NULL, cube, {300, 100, 8}, NULL, SPARSE, 1.2, 0},
    {"TTM, fibers of 100, rank 32", "ttm", NULL, cube, {300, 100, 32}, NULL, SPARSE, 1.2, 0},
    {"TTM, fibers of 100, rank 128", "ttm", NULL, cube, {300, 100, 128}, NULL, SPARSE, 1.2, 0},
    {"TTV to sparse", "ttv", NULL, cube, {1500, 8}, NULL, SPARSE, 1, 0},
    {"triangles, R-MAT", "triangles", NULL, rmat, {17, 2000000}, NULL, NUMBER, 1.2, 0},
    {"triangles, R-MAT, by hand", "triangles", "triangles marked", rmat, {17, 2000000}, NULL, NUMBER, 0.95, 0},
    {"masked product, 16 a row", "masked", NULL, uniforms, {100000, 16}, NULL, SPARSE, 1.2, 0},
    {"masked product, 16 a row, by hand", "masked", "masked marked", uniforms, {100000, 16}, NULL, SPARSE, 0.95, 0},
    {"masked product, power law", "masked", NULL, power_laws, {100000, 8}, NULL, SPARSE, 1.2, 0},
    {"masked product, power law, by hand", "masked", "masked marked", power_laws, {100000, 8}, NULL, SPARSE, 0.95, 0},
    {"BFS, R-MAT", "bfs", NULL, rmat_graph, {20, 10000000}, NULL, SPARSE, 0.95, 0},
    {"shortest paths, R-MAT", "distances few", NULL, rmat_graph, {20, 10000000}, NULL, SPARSE, 0.95, 0},
    {"PageRank, R-MAT", "pagerank", NULL, rmat_graph, {20, 10000000}, NULL, SPARSE, 0.95, 0},
    {"BFS, roads", "bfs", NULL, road_graph, {1500}, NULL, SPARSE, 0.95, 0},
    {"shortest paths, roads", "distances", NULL, road_graph, {500}, NULL, SPARSE, 0.95, 0},
    {"PageRank, roads", "pagerank", NULL, road_graph, {1500}, NULL, SPARSE, 0.95, 0},
    {"read .mtx, 17 digits, by rows", "read mtx", NULL, matrix_file, {1000000, 17, 0}, NULL, SPARSE, 1.5, 0},
    {"read .mtx, 17 digits, by columns", "read mtx", NULL, matrix_file, {1000000, 17, 1}, NULL, SPARSE, 1.5, 0},
    {"read .mtx, 4 digits, by rows", "read mtx", NULL, matrix_file, {1000000, 4, 0}, NULL, SPARSE, 1.5, 0},
    {"read .tns, 17 digits", "read tns", NULL, tensor_file, {1000000, 17}, NULL, SPARSE, 1.5, 0},
    {"plain line, gcc -O2: SpMV", "spmv csr", NULL, uniform, {1000000, 16}, NULL, DENSE, 1, PLAIN},
    {"plain line, gcc -O2: SpMM 64", "spmm", NULL, tall, {100000, 16, 64}, NULL, DENSE, 1, PLAIN},
    {"plain line, gcc -O2: SDDMM", "sddmm csr", NULL, sampled, {4000, 100, 64}, &csr_encoding, SPARSE, 1, PLAIN},
    {"the same, SPARSE_TARGETS: SpMV", "spmv csr", NULL, uniform, {1000000, 16}, NULL, DENSE, 1, TARGETS},
    {"the same, SPARSE_TARGETS: SpMM 64", "spmm", NULL, tall, {100000, 16, 64}, NULL, DENSE, 1, TARGETS},
    {"the same, SPARSE_TARGETS: SDDMM", "sddmm csr", NULL, sampled, {4000, 100, 64}, &csr_encoding, SPARSE, 1, TARGETS},
};

static bool same_problem(const row *a, const row *b)
{
    return a && a->fill == b->fill && memcmp(a->size, b->size, sizeof a->size) == 0 && a->storage == b->storage;
}

/* >>bandwidth
   The fraction of the read bandwidth that kernels y += A x reach. Bytes are those of A in the encoding, and of x and y
   once. The bandwidth is that of memchr over as many bytes, in CPU time of one thread. */
static double seconds_to_read(size_t bytes)
{
    double sample[9];
    char *const block = (char *)malloc(bytes);
    if (!block) exit(2);
    memset(block, 1, bytes);
    for (size_t k = 0; k < 9; k++) {
        const double start = bench_clock(CLOCK_THREAD_CPUTIME_ID);
        if (memchr(block, 2, bytes)) exit(2);
        sample[k] = bench_clock(CLOCK_THREAD_CPUTIME_ID) - start;
    }
    free(block);
    return bench_median(sample, 9);
}
/* Encodings of A, by the names of the kit's lines, if they differ from the problem's encoding. */
static const struct {
    const char *line;
    const sparse_encoding *encoding;
} stored_as[] = {{"blocks of 65536", &csb_encoding}, {"blocks of diagonals", &dias_encoding}};
enum { STORED_AS = sizeof stored_as / sizeof *stored_as };

/* Prints the bandwidth for each encoding. Returns the time to read the bytes of the problem's own encoding; 0 if no line
   has it. */
static double print_bandwidth(const bench_contest *c, const problem *p)
{
    double reading_once = 0;
    double best[STORED_AS + 1] = {0};
    const char *name[STORED_AS + 1] = {NULL};
    for (size_t k = 0; k < c->kernels; k++) {
        size_t e = 0;
        while (e < STORED_AS && !strstr(c->contestant[k].name, stored_as[e].line)) e++;
        if (name[e] && best[e] <= bench_seconds[k]) continue;
        best[e] = bench_seconds[k], name[e] = c->contestant[k].name;
    }
    for (size_t e = 0; e <= STORED_AS; e++) {
        if (!name[e] || !(best[e] > 0)) continue;
        problem as = {.a = p->a};
        const bool other = e < STORED_AS || !p->A.encoding;
        if (other) store(&as, e < STORED_AS ? stored_as[e].encoding : &csr_encoding);
        const sparse_tensor *const t = other ? &as.A : &p->A;
        const size_t entries = p->a.rows ? bench_csr_entries(&p->a) : sparse_entries(t);
        const size_t bytes = sparse_bytes(t) + 8 * (t->dim[0] + t->dim[1]);
        if (other) sparse_free(&as.A);
        const double reading = seconds_to_read(bytes);
        if (e == STORED_AS) reading_once = reading;
        printf("    %-52s %5.1f bytes an entry, %5.1f GB/s, %.2f of reading as much, %.1f GB/s\n", name[e],
               (double)bytes / (double)entries, 1e-9 * (double)bytes / best[e], reading / best[e],
               1e-9 * (double)bytes / reading);
    }
    fflush(stdout);
    return reading_once;
}

/* >>summary
   Over the rows with a plain line and other peers: which is faster, and the regret of the plain line. */
static struct {
    int ahead, level, at_bandwidth, behind, regretted;
} summary;
static void count_row(double reading)
{
    const double plain = bench_last_plain, ratio = plain > 0 ? bench_last_other / plain : 0;
    if (!(ratio > 0)) return;
    if (ratio > 1.05) summary.ahead++;
    else if (ratio >= 0.95) summary.level++;
    else if (reading >= 0.95 * plain) summary.at_bandwidth++;
    else summary.behind++;
    summary.regretted += plain > 1.1 * bench_last_seconds;
}
static void print_summary(void)
{
    printf("\nplain lines: %d ahead of the best other, %d level with it (5%%), %d behind, but at 95%% of the read bandwidth, "
           "%d behind; %d take more than 1.1 of the kit's best form\n",
           summary.ahead, summary.level, summary.at_bandwidth, summary.behind, summary.regretted);
}

int main(int argc, char **argv)
{
    const size_t rows = sizeof table / sizeof *table;
    const row *filled = NULL;
    const double begun = bench_now();
    problem p;
    memset(&p, 0, sizeof p);
    if (!mkdtemp(directory)) return 2;
    setenv("BENCH_ROUNDS", "5", 0); /* rows may take a second */
    warm_heap();
    print_machine(stdout, "");
    bench_header_of_regrets("the kit and its peers, one thread; goal is what the best of the peers' times is to be, of the kit's");
    for (const row *r = table; r < table + rows; r++) {
        bool wanted = argc == 1;
        for (int k = 1; k < argc; k++) wanted = wanted || strstr(r->workload, argv[k]);
        if (!wanted) continue;
        if (isatty(2)) fprintf(stderr, "\rrow %zu of %zu, %.0f s: %s\033[K", (size_t)(r - table) + 1, rows, bench_now() - begun,
                               r->workload);
        if (!same_problem(filled, r)) {
            problem_free(&p);
            r->fill(&p, r->size);
            if (r->storage && p.a.rows) store(&p, r->storage);
            else if (r->storage) store_again(&p, r->storage);
            filled = r;
        }
        bench_contest c;
        memset(&c, 0, sizeof c);
        c.workload = r->workload;
        c.goal = r->goal;
        c.regrets = true;
        c.length = r->result;
        contest(&c, r->operation, r->against, &p, r->lines);
        const bool reads = strncmp(r->operation, "spmv", 4) == 0 && !bench_is_quick();
        count_row(reads ? print_bandwidth(&c, &p) : 0);
    }
    problem_free(&p);
    remove(directory);
    if (!bench_is_quick()) print_summary();
    if (!bench_is_quick()) printf("\n%.0f minutes\n", (bench_now() - begun) / 60);
    return bench_done();
}
