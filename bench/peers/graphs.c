/* graphs.c: `make bench-graphs`: compares the kit, loops by hand and GraphBLAS in searches, ranks, triangles and masked
   products, on R-MAT graphs and road maps with 1e6 to 2e7 edges, with one thread and with two. README.md in this directory
   explains the table.

   bench-graphs [words]: runs only rows whose names contain one of the words. */
#include "contest.h"

/* A graph with edges in both directions; or its half below the diagonal, in which each triangle occurs once. */
static void road_half(problem *p, sizes n)
{
    have(p, bench_roads(bench_size(n[0], 20), 52));
    snprintf(p->size, sizeof p->size, "%.1e, %.1e edges", (double)p->a.rows, (double)bench_csr_entries(&p->a));
}
static void rmat_half(problem *p, sizes n)
{
    rmat(p, n);
    snprintf(p->size, sizeof p->size, "%.1e, %.1e edges", (double)p->a.rows, (double)bench_csr_entries(&p->a));
}
/* for a .* (a a) of the half below the diagonal */
static bench_csr copy_of(const bench_csr *m)
{
    const size_t entries = bench_csr_entries(m);
    bench_csr c = bench_csr_open(m->rows, m->columns, entries);
    memcpy(c.pos, m->pos, (m->rows + 1) * sizeof *c.pos);
    memcpy(c.crd, m->crd, entries * sizeof *c.crd);
    memcpy(c.val, m->val, entries * sizeof *c.val);
    return c;
}
static void road_pair(problem *p, sizes n) { road_half(p, n), p->b = copy_of(&p->a); }
static void rmat_pair(problem *p, sizes n) { rmat_half(p, n), p->b = copy_of(&p->a); }

typedef struct row {
    const char *workload, *operation;
    void (*fill)(problem *, sizes);
    size_t size[3];
    size_t length; /* length of the result */
} row;
/* On roads a search has thousands of rounds, and GraphBLAS visits all vertices in each. It does not take part in shortest
   paths there ("distances many"). The others take a minute for 2e7 edges, so that row has only 1e6. */
#define RMAT(scale, edges)                                                                                 \
    {"BFS, R-MAT", "bfs", rmat_graph, {scale, edges}, BENCH_FINGERPRINT},                                  \
    {"shortest paths, R-MAT", "distances few", rmat_graph, {scale, edges}, BENCH_FINGERPRINT},             \
    {"PageRank, R-MAT", "pagerank", rmat_graph, {scale, edges}, BENCH_FINGERPRINT},                        \
    {"triangles, R-MAT", "triangles marked", rmat_half, {scale, edges}, 1},                                \
    {"masked product, R-MAT", "masked marked", rmat_pair, {scale, edges}, BENCH_FINGERPRINT}
#define ROADS(side)                                                                                        \
    {"BFS, roads", "bfs", road_graph, {side}, BENCH_FINGERPRINT},                                          \
    {"PageRank, roads", "pagerank", road_graph, {side}, BENCH_FINGERPRINT},                                \
    {"triangles, roads", "triangles marked", road_half, {side}, 1},                                        \
    {"masked product, roads", "masked marked", road_pair, {side}, BENCH_FINGERPRINT}
static const row table[] = {RMAT(17, 1000000), RMAT(21, 20000000),
                            {"shortest paths, roads", "distances many", road_graph, {745}, BENCH_FINGERPRINT},
                            ROADS(745), ROADS(3330)};

enum { OURS, BY_HAND, LIBRARY, SIDES };
static const double goal[SIDES] = {0, 0.95, 1.2};

/* Prints a row with the fastest peer of each side: the kit, the loops, GraphBLAS. */
static void print_row(const row *r, const problem *p, const bench_contest *c)
{
    double best[SIDES] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const char *name[SIDES] = {"", "", ""};
    for (size_t k = 0; c->contestant[k].run; k++) {
        const char *const who = c->contestant[k].name;
        const int side = k < c->kernels ? OURS : strstr(who, "GraphBLAS") ? LIBRARY : BY_HAND;
        if (bench_seconds[k] > 0 && bench_seconds[k] < best[side]) best[side] = bench_seconds[k], name[side] = who;
    }
    printf("%-24s %-24s %7u %9.1f", r->workload, p->size, p->threads, 1e3 * best[OURS]);
    for (int side = BY_HAND; side < SIDES; side++) {
        const double ratio = best[side] / best[OURS];
        if (best[side] < HUGE_VAL) {
            printf(" %9.1f %6.2f %-5s", 1e3 * best[side], ratio, ratio >= goal[side] ? "ok" : "BELOW");
            bench_below += ratio < goal[side];
        } else printf(" %9s %6s %-5s", "-", "-", "-");
    }
    printf(" %s; %s; %s\n", name[OURS], name[BY_HAND], name[LIBRARY]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const row *filled = NULL;
    const double begun = bench_now();
    problem p;
    memset(&p, 0, sizeof p);
    setenv("BENCH_ROUNDS", "3", 0); /* rows may take seconds */
    warm_heap();
    print_machine(stdout, "");
    printf("\ngraphs: goals 0.95 of the loop by hand, 1.2 of GraphBLAS; of two threads by the clock\n%-24s %-24s %7s %9s %9s %6s %-5s %9s %6s\n",
           "kernel", "vertices, edges", "threads", "ours ms", "loop ms", "ratio", "", "GrB ms", "ratio");
    for (const row *r = table; r < table + sizeof table / sizeof *table; r++) {
        bool wanted = argc == 1;
        for (int k = 1; k < argc; k++) wanted = wanted || strstr(r->workload, argv[k]);
        if (!wanted) continue;
        if (!filled || filled->fill != r->fill || memcmp(filled->size, r->size, sizeof r->size) != 0) {
            problem_free(&p);
            r->fill(&p, r->size);
            filled = r;
        }
        for (p.threads = 1; p.threads <= 2; p.threads++) {
            bench_contest c;
            memset(&c, 0, sizeof c);
            c.workload = r->workload;
            c.length = r->length;
            c.threads = p.threads > 1;
            c.silent = !bench_is_quick();
            contest(&c, r->operation, NULL, &p, false);
            if (!bench_is_quick()) print_row(r, &p, &c);
        }
    }
    problem_free(&p);
    if (!bench_is_quick()) printf("\n%.0f minutes\n", (bench_now() - begun) / 60);
    return bench_done();
}
