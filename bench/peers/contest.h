/* contest.h: problems, and contests between all peers of an operation. peers.h declares the peers. The Makefile finds those
   that are installed: PEERS_TEAMS is TEAM(kit_gcc) TEAM(loops_gcc) ...

   Contents (search for the anchors)
     >>teams      collecting the peers, running a contest
     >>problems   operands, filled from fixed seeds */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "peers.h"
#include "storage.h"
#if defined(__GLIBC__)
    #include <limits.h>
    #include <malloc.h>
#endif

/* >>teams */
#define TEAM(name) extern const contestants team_##name;
PEERS_TEAMS
#undef TEAM
#define TEAM(name) &team_##name,
static const contestants *const teams[] = {PEERS_TEAMS};
enum { TEAMS = sizeof teams / sizeof *teams };

static void check(sparse_result r)
{
    if (r == SPARSE_OK) return;
    fprintf(stderr, "bench: %s\n", sparse_message(r));
    exit(2);
}

/* Adds the peers of an operation to a contest: those of the kit, or the others. */
static void gather(bench_contest *c, size_t *count, const char *operation, const problem *p, bool kit, unsigned lines)
{
    static char names[BENCH_CONTESTANTS][80];
    for (size_t t = 0; t < TEAMS; t++) {
        bool opened = false;
        if (teams[t]->kit != kit || teams[t]->lines != lines) continue;
        if (teams[t]->threads == (p->threads > 1 ? ONE_THREAD : SEVERAL_THREADS)) continue;
        for (const peer *q = teams[t]->peers; q->name; q++) {
            if (strcmp(q->operation, operation) != 0) continue;
            if (*count + 1 == BENCH_CONTESTANTS) exit(2); /* the list ends with a null run */
            if (!opened && teams[t]->open) teams[t]->open(p, operation);
            opened = true;
            snprintf(names[*count], sizeof names[*count], "%s, %s", q->name, teams[t]->name);
            c->contestant[*count] = (bench_contestant){names[*count], q->run};
            c->plain[*count] = kit && (strcmp(q->name, "kit") == 0 || strcmp(q->name, "kit CSR") == 0);
            ++*count;
        }
    }
}
static void close_teams(void)
{
    for (size_t t = 0; t < TEAMS; t++)
        if (teams[t]->close) teams[t]->close();
}
/* Runs a contest of the kit's peers of `operation` with the others' peers of `against`; if that is NULL, of `operation`. */
static void contest(bench_contest *c, const char *operation, const char *against, problem *p, unsigned lines)
{
    size_t count = 0;
    gather(c, &count, operation, p, true, lines);
    c->kernels = count;
    gather(c, &count, against ? against : operation, p, false, TUNED);
    c->size = p->size;
    c->context = p;
    c->tolerance = 1e-9;
    if (!c->length) c->length = p->length;
    c->drops = true;
    bench_run(c);
    close_teams();
}

/* Makes the heap keep its memory, so that page faults are not timed. */
static void warm_heap(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}
/* Prints the machine of the measurements. */
static void print_machine(FILE *out, const char *before)
{
    char line[256] = "";
    FILE *f = fopen("/proc/cpuinfo", "rb");
    while (f && fgets(line, sizeof line, f) && strncmp(line, "model name", 10) != 0) continue;
    if (f) fclose(f);
    const char *name = strchr(line, ':');
    fprintf(out, "%s%s", before, name ? name + 2 : "an unknown machine\n");
    fprintf(out, "%steams:", before);
    for (size_t t = 0; t < TEAMS; t++) fprintf(out, "%s %s%s", t ? "," : "", teams[t]->kit ? "kit by " : "", teams[t]->name);
    fprintf(out, "\n");
}

/* >>problems
   fill(p, n): n are the sizes of the row. */
typedef const size_t *sizes;

static size_t scaled(size_t n) { return bench_size(n, n / 1000 + 4); }

static void problem_free(problem *p)
{
    bench_csr_free(&p->a), bench_csr_free(&p->b);
    for (unsigned k = 0; k < 3; k++) bench_vector_free(&p->v[k]);
    if (p->A.encoding) sparse_free(&p->A);
    free(p->x), free(p->X), free(p->Z);
    if (p->path[0]) remove(p->path);
    memset(p, 0, sizeof *p);
}
/* p->A = p->a in another encoding. */
BENCH_UNUSED static void store(problem *p, const sparse_encoding *e)
{
    const size_t entries = bench_csr_entries(&p->a);
    sparse_tensor rows = {.encoding = &csr_encoding};
    check(sparse_assemble(&rows, (size_t[]){p->a.rows, p->a.columns},
                          &(sparse_arrays){.pos[1] = SPARSE_ARRAY(p->a.pos, p->a.rows + 1),
                                           .crd[1] = SPARSE_ARRAY(p->a.crd, entries),
                                           .val = SPARSE_ARRAY(p->a.val, entries)},
                          SPARSE_BORROW, NULL));
    p->A.encoding = e;
    check(sparse_convert(&p->A, &rows));
}
static void have(problem *p, bench_csr m)
{
    p->a = m;
    p->length = m.rows;
    p->x = bench_dense(m.columns, 41);
    snprintf(p->size, sizeof p->size, "%zu, %.1f a row", m.rows, (double)bench_csr_entries(&m) / (double)m.rows);
}
BENCH_UNUSED static void uniform(problem *p, sizes n) { have(p, bench_uniform(scaled(n[0]), n[1], 1)); } /* rows, a row */
BENCH_UNUSED static void banded(problem *p, sizes n) { have(p, bench_banded(scaled(n[0]), n[1] / 2, 2)); }
BENCH_UNUSED static void stencil(problem *p, sizes n) { have(p, bench_stencil27(bench_size(n[0], 10), 3)); }
BENCH_UNUSED static void power_law(problem *p, sizes n) { have(p, bench_power_law(scaled(n[0]), n[1], 4)); }
BENCH_UNUSED static void blocks(problem *p, sizes n) { have(p, bench_blocks(scaled(n[0]) / 4 * 4, 4, n[1] / 4, 31)); }
BENCH_UNUSED static void even_rows(problem *p, sizes n) { have(p, bench_even_rows(scaled(n[0]), n[1], 33)); }
BENCH_UNUSED static void pruned(problem *p, sizes n) { have(p, bench_pruned(bench_size(n[0], 40), n[1], 35)); }
BENCH_UNUSED static void row_band(problem *p, sizes n) /* rows, columns, full rows */
{
    have(p, bench_row_band(scaled(n[0]), bench_size(n[1], 100), scaled(n[2]), 5));
    snprintf(p->size, sizeof p->size, "%zu of %zu rows", bench_csr_entries(&p->a) / p->a.columns, p->a.rows);
}
BENCH_UNUSED static void rmat(problem *p, sizes n) /* scale, edges */
{
    have(p, bench_rmat((unsigned)bench_size(n[0], 8), bench_size(n[1], 2000), 51));
    snprintf(p->size, sizeof p->size, "2^%zu, %.1e edges", n[0], (double)bench_csr_entries(&p->a));
}
/* graphs with each edge in both directions. R-MAT: scale, edges; roads: side of the grid */
static void both_ways(problem *p, bench_csr below)
{
    have(p, bench_both_ways(&below, 53));
    bench_csr_free(&below);
    for (size_t i = 0; i < p->a.rows; i++)
        if (p->a.pos[i + 1] - p->a.pos[i] > p->a.pos[p->source + 1] - p->a.pos[p->source]) p->source = i;
    snprintf(p->size, sizeof p->size, "%.1e, %.1e edges", (double)p->a.rows, (double)bench_csr_entries(&p->a) / 2);
}
BENCH_UNUSED static void rmat_graph(problem *p, sizes n)
{
    both_ways(p, bench_rmat((unsigned)bench_size(n[0], 8), bench_size(n[1], 2000), 51));
}
BENCH_UNUSED static void road_graph(problem *p, sizes n) { both_ways(p, bench_roads(bench_size(n[0], 20), 52)); }
/* two problems of one kind, in a and b */
#define PAIRS(name, make)                                                                                                 \
    BENCH_UNUSED static void name##s(problem *p, sizes n)                                                                 \
    {                                                                                                                     \
        name(p, n);                                                                                                       \
        p->b = make;                                                                                                      \
    }
PAIRS(uniform, bench_uniform(scaled(n[0]), n[1], 61))
PAIRS(banded, bench_banded(scaled(n[0]), n[1] / 2, 62))
PAIRS(power_law, bench_power_law(scaled(n[0]), n[1], 64))
BENCH_UNUSED static void percents(problem *p, sizes n) /* rows; density 1 % */
{
    have(p, bench_uniform(bench_size(n[0], 128), bench_size(n[0], 128) / 100 + 1, 1));
    p->b = bench_uniform(bench_size(n[0], 128), bench_size(n[0], 128) / 100 + 1, 2);
}
/* every third row is empty */
BENCH_UNUSED static void gaps(problem *p, sizes n)
{
    uniform(p, n);
    for (size_t i = 0, q = 0, first = 0; i < p->a.rows; i++) {
        const size_t end = p->a.pos[i + 1];
        if (i % 3 != 1)
            for (size_t r = first; r < end; r++, q++) p->a.crd[q] = p->a.crd[r], p->a.val[q] = p->a.val[r];
        p->a.pos[i + 1] = (uint32_t)q;
        first = end;
    }
}
/* rows; one in twenty has ten entries, the others none */
BENCH_UNUSED static void thin(problem *p, sizes n)
{
    const size_t rows = scaled(n[0]);
    bench_random r = {7};
    bench_csr m = bench_csr_open(rows, 10000, rows);
    for (size_t i = 0, q = 0; i < rows; i++) {
        if (q + 10 <= rows && bench_below_n(&r, 20) == 0)
            for (uint32_t k = 0; k < 10; k++) m.crd[q++] = 1000 * k + (uint32_t)bench_below_n(&r, 1000);
        m.pos[i + 1] = (uint32_t)q;
    }
    bench_fill(&m, 8);
    have(p, m);
}
BENCH_UNUSED static void shuffled(problem *p, sizes n)
{
    bench_random r = {5};
    uniform(p, n);
    store(p, &anyhow_encoding);
    uint32_t *row = (uint32_t *)p->A.crd[0].at, *column = (uint32_t *)p->A.crd[1].at;
    double *val = (double *)p->A.val.at;
    for (size_t k = p->A.val.length; k > 1; k--) {
        const size_t o = bench_below_n(&r, k);
        const uint32_t i = row[k - 1], j = column[k - 1];
        const double v = val[k - 1];
        row[k - 1] = row[o], column[k - 1] = column[o], val[k - 1] = val[o];
        row[o] = i, column[o] = j, val[o] = v;
    }
}
/* a matrix, and dense matrices with n[2] columns: a X; a .* (X Z') */
BENCH_UNUSED static void tall(problem *p, sizes n)
{
    uniform(p, n);
    p->columns = n[2];
    p->X = bench_dense(p->a.columns * p->columns, 42);
    p->length = p->a.rows * p->columns;
}
BENCH_UNUSED static void sampled(problem *p, sizes n)
{
    have(p, bench_uniform(bench_size(n[0], 100), bench_size(n[1], 10), 1));
    p->columns = n[2];
    p->X = bench_dense(p->a.rows * p->columns, 42);
    p->Z = bench_dense(p->a.columns * p->columns, 43);
}
/* three vectors of size n[0] with n[1] entries each */
BENCH_UNUSED static void lists(problem *p, sizes n)
{
    for (unsigned k = 0; k < 3; k++) p->v[k] = bench_random_vector(scaled(n[0]), scaled(n[1]), 7 + 2 * k);
    p->length = scaled(n[0]);
    snprintf(p->size, sizeof p->size, "%.2g each, of %.2g", (double)p->v[0].entries, (double)p->v[0].size);
}
/* a cube in CSF, n[1] entries in a fiber on average; with dense matrices of n[2] columns, or a vector */
BENCH_UNUSED static void cube(problem *p, sizes n)
{
    bench_csf t = bench_random_csf(bench_size(n[0], 24), n[1], 6);
    sparse_arrays arrays;
    memset(&arrays, 0, sizeof arrays);
    for (unsigned l = 0; l < 3; l++) {
        arrays.pos[l] = (sparse_array)SPARSE_ARRAY(t.pos[l], l ? t.entries[l - 1] + 1 : 2);
        arrays.crd[l] = (sparse_array)SPARSE_ARRAY(t.crd[l], t.entries[l]);
    }
    arrays.val = (sparse_array)SPARSE_ARRAY(t.val, t.entries[2]);
    p->A.encoding = &csf_encoding;
    check(sparse_assemble(&p->A, t.size, &arrays, SPARSE_COPY, NULL));
    p->columns = n[2];
    p->x = bench_dense(t.size[2], 41);
    if (n[2]) p->X = bench_dense(t.size[1] * n[2], 42), p->Z = bench_dense(t.size[2] * n[2], 43);
    p->length = t.size[0] * n[2];
    snprintf(p->size, sizeof p->size, "%zu^3, %.2g entries", t.size[0], (double)t.entries[2]);
    bench_csf_free(&t);
}
/* converts p->A to another encoding */
BENCH_UNUSED static void store_again(problem *p, const sparse_encoding *e)
{
    sparse_tensor t = {.encoding = e};
    check(sparse_convert(&t, &p->A));
    sparse_free(&p->A);
    p->A = t;
}

#endif /* BENCH_CONTEST_H */
