/* bench.h: contests between kernels, and the data they run on. Not part of the kit.

   A contest is one row of a table. Its contestants compute equal results: first a kernel of the kit, then the loops
   that it should match. Their results are compared first. Then all of them run alternately, for many rounds, so that
   noise affects all of them. A row shows the median time of the kernel, the median time of the fastest of the others,
   and the median over the rounds of (others / kernel).

   Contents (search for the anchors)
     >>setup       quick mode, memory
     >>contests    bench_contest, bench_run, bench_done
     >>random      bench_random and what is drawn from it
     >>matrices    uniform, banded, blocks, 27-point stencil, power-law, even rows, pruned, R-MAT, roads, row-band
     >>tensors     sparse vectors, a random 3-D tensor

   Environment: BENCH_QUICK=1 (small sizes, results are only compared), BENCH_SECONDS (seconds for a row, 1.5), BENCH_ROUNDS
   (least number of rounds, 7), BENCH_ALL=1 (all contestants below each row), BENCH_BUSY=1 (for busy machines: rows with
   several threads are timed by the CPU time of the calling thread). */
#ifndef BENCH_H
#define BENCH_H

#ifndef _POSIX_C_SOURCE
    #define _POSIX_C_SOURCE 200809L
#endif
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__GNUC__)
    #define BENCH_NOINLINE __attribute__((noinline))
    #define BENCH_UNUSED   __attribute__((unused))
#else
    #define BENCH_NOINLINE
    #define BENCH_UNUSED
#endif

/* >>setup */

static bool bench_is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}
/* Is this a smoke test, with tiny sizes, in which results are compared and nothing is timed? */
static bool bench_is_quick(void) { return bench_is_set("BENCH_QUICK"); }

/* A size of the full bench, or its small stand-in. */
BENCH_UNUSED static size_t bench_size(size_t full, size_t quick) { return bench_is_quick() ? quick : full; }

/* Allocates memory, or ends the program. */
static void *bench_allocate(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) {
        fprintf(stderr, "bench: out of memory (%zu x %zu bytes)\n", count, size);
        exit(2);
    }
    return block;
}

/* Seconds of a clock that only moves forward, and seconds that this thread has run. */
static double bench_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
BENCH_UNUSED static double bench_now(void) { return bench_clock(CLOCK_MONOTONIC); }

/* >>contests */

enum { BENCH_CONTESTANTS = 32, BENCH_ROUNDS = 400 };

/* One contestant. run gets the contest's context and writes its result to `result`, an array of its own. The array is zeroed
   before the results are compared, and not in the timed rounds. */
typedef struct bench_contestant {
    const char *name;
    void (*run)(void *context, double *result);
} bench_contestant;

/* One row of the table. */
typedef struct bench_contest {
    const char *workload, *size;
    double goal;             /* the lowest ratio that counts as ok; 0: the row is for information only */
    double tolerance;        /* relative to the largest element; 0: results must have equal bits */
    size_t length;           /* of the result */
    void *context;
    bench_contestant contestant[BENCH_CONTESTANTS]; /* the kernel, then the others; ends with a null run */
    size_t kernels;          /* the number of kernels, which come first; the fastest counts; 0: one */
    bool plain[BENCH_CONTESTANTS]; /* kernels without strategy words: the fastest is printed in columns of its own */
    bool regrets;            /* the table has these columns */
    bool all;                /* print every contestant on a line of its own */
    bool threads;            /* uses several threads */
    bool silent;             /* times are looked up in bench_seconds: no row is printed */
    bool drops;              /* slow contestants run once: three times as slow as the fastest of their side, or ten seconds */
} bench_contest;

static int bench_failures, bench_below, bench_rows;
static double bench_last_seconds; /* median time of the kernel of the last row */
static double bench_last_plain BENCH_UNUSED, bench_last_other BENCH_UNUSED; /* of its fastest plain kernel, fastest other; 0: none */
static double bench_seconds[BENCH_CONTESTANTS] BENCH_UNUSED; /* of each contestant; 0: not timed */

static int bench_compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double bench_least(const double *sample, size_t count)
{
    double least = sample[0];
    for (size_t r = 1; r < count; r++) least = fmin(least, sample[r]);
    return least;
}
static double bench_median(const double *sample, size_t count)
{
    static double sorted[BENCH_ROUNDS];
    memcpy(sorted, sample, count * sizeof *sample);
    qsort(sorted, count, sizeof *sorted, bench_compare_doubles);
    return count % 2 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

/* Are two results equal, in all bits or within the tolerance? Prints the first difference. */
static bool bench_same(const bench_contest *c, const char *name, const double *x, const double *y)
{
    double largest = 0;
    if (c->tolerance == 0 && memcmp(x, y, c->length * sizeof *x) == 0) return true;
    for (size_t k = 0; k < c->length; k++) largest = fmax(largest, fmax(fabs(x[k]), fabs(y[k])));
    for (size_t k = 0; k < c->length; k++)
        if (!(fabs(x[k] - y[k]) <= c->tolerance * largest)) {
            printf("%s %s: %s and %s differ at %zu: %.17g %.17g\n", c->workload, c->size, c->contestant[0].name, name, k,
                   x[k], y[k]);
            return false;
        }
    return true;
}

BENCH_UNUSED static void bench_header(const char *title)
{
    printf("\n%s\n%-34s %-22s %9s %9s  %6s %5s %5s  %s\n", title, "workload", "size", "ours ms", "other ms", "ratio", "least",
           "goal", "best of the others");
    fflush(stdout);
}
/* Prints the header of a table with `regrets`. */
BENCH_UNUSED static void bench_header_of_regrets(const char *title)
{
    printf("\n%s\n%-34s %-22s %9s %9s %9s %6s  %6s %5s %5s  %s\n", title, "workload", "size", "plain ms", "ours ms", "other ms",
           "regret", "ratio", "least", "goal", "best of the others");
    fflush(stdout);
}
/* The median time of the fastest plain kernel; 0 if there is none. */
static double bench_plain_seconds(const bench_contest *c, const double *seconds, size_t kernels)
{
    double least = 0;
    for (size_t k = 0; k < kernels; k++)
        if (c->plain[k] && (least == 0 || seconds[k] < least)) least = seconds[k];
    return least;
}
/* Prints the times of a row: of the plain kernel, if the table shows it, of the kernel, of the others; and plain /
   kernel. */
static void bench_print_times(const bench_contest *c)
{
    const double plain = bench_last_plain, ours = bench_last_seconds, other = bench_last_other;
    if (c->regrets && plain > 0) printf(" %9.3f %9.3f %9.3f %6.2f", 1e3 * plain, 1e3 * ours, 1e3 * other, plain / ours);
    else if (c->regrets) printf(" %9s %9.3f %9.3f %6s", "-", 1e3 * ours, 1e3 * other, "-");
    else printf(" %9.3f %9.3f", 1e3 * ours, 1e3 * other);
}

static void bench_progress(const bench_contest *c, size_t round, size_t rounds)
{
    if (isatty(2)) fprintf(stderr, "\r%s %s: round %zu of %zu\033[K", c->workload, c->size, round, rounds);
}

/* Runs a contestant `repeats` times; returns seconds per run. One thread is measured in CPU time, which excludes other
   programs; several threads in elapsed time, unless BENCH_BUSY is set. */
static double bench_sample(const bench_contest *c, const bench_contestant *who, double *result, size_t repeats)
{
    const clockid_t clock = c->threads && !bench_is_set("BENCH_BUSY") ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    const double start = bench_clock(clock);
    for (size_t m = 0; m < repeats; m++) who->run(c->context, result);
    return (bench_clock(clock) - start) / (double)repeats;
}

/* Runs a contest and prints its row. */
BENCH_UNUSED static void bench_run(const bench_contest *c)
{
    static double sample[BENCH_CONTESTANTS][BENCH_ROUNDS], ratio[BENCH_ROUNDS];
    bool dropped[BENCH_CONTESTANTS] = {false};
    double *result[BENCH_CONTESTANTS] = {0}, seconds[BENCH_CONTESTANTS] = {0}, total = 0;
    const size_t kernels = c->kernels ? c->kernels : 1;
    size_t count = 0, rounds = 0, repeats = 1, best = kernels, ours = 0;
    const char *budget = getenv("BENCH_SECONDS"), *fewest = getenv("BENCH_ROUNDS");
    const size_t least_rounds = fewest && atoi(fewest) > 0 ? (size_t)atoi(fewest) : 7;
    while (count < BENCH_CONTESTANTS && c->contestant[count].run) count++;
    bench_rows++;
    bench_last_plain = bench_last_other = 0;
    memset(bench_seconds, 0, sizeof bench_seconds);
    for (size_t k = 0; k < count; k++) { /* compares the results, and times one run */
        result[k] = (double *)bench_allocate(c->length, sizeof(double));
        seconds[k] = bench_sample(c, &c->contestant[k], result[k], 1);
        total += seconds[k];
        if (k && !bench_same(c, c->contestant[k].name, result[0], result[k])) {
            bench_failures++;
            goto done;
        }
    }
    if (bench_is_quick()) {
        if (!c->silent) printf("%-34s %-22s same results\n", c->workload, c->size);
        fflush(stdout);
        goto done;
    }
    for (size_t k = 0; k < count && c->drops; k++) {
        const size_t from = k < kernels ? 0 : kernels, end = k < kernels ? kernels : count;
        double least = seconds[k];
        for (size_t n = from; n < end && n < count; n++) least = fmin(least, seconds[n]);
        dropped[k] = (seconds[k] > 0.05 && seconds[k] > 3 * least) || seconds[k] > 10;
        if (dropped[k]) total -= seconds[k];
    }
    rounds = (size_t)((budget ? atof(budget) : 1.5) / (total > 0.0 ? total : 1e-9));
    repeats = rounds > 60 ? rounds / 60 : 1; /* short runs are timed in groups */
    rounds /= repeats;
    if (rounds < least_rounds) rounds = least_rounds;
    if (rounds > BENCH_ROUNDS) rounds = BENCH_ROUNDS;
    for (size_t r = 0; r < rounds; r++) {
        bench_progress(c, r + 1, rounds);
        for (size_t n = 0; n < count; n++) { /* the next round runs in reverse order */
            const size_t k = r % 2 ? count - 1 - n : n;
            sample[k][r] = dropped[k] ? seconds[k] : bench_sample(c, &c->contestant[k], result[k], repeats);
        }
    }
    if (isatty(2)) fprintf(stderr, "\r\033[K");
    for (size_t k = 0; k < count; k++) seconds[k] = bench_median(sample[k], rounds);
    for (size_t k = 1; k < count; k++)
        if (k < kernels && seconds[k] < seconds[ours]) ours = k;
        else if (k > kernels && seconds[k] < seconds[best]) best = k;
    bench_last_seconds = seconds[ours];
    bench_last_plain = bench_plain_seconds(c, seconds, kernels);
    bench_last_other = count > kernels ? seconds[best] : 0;
    memcpy(bench_seconds, seconds, sizeof bench_seconds);
    if (c->silent) goto done;
    if (count > kernels) {
        for (size_t r = 0; r < rounds; r++) ratio[r] = sample[best][r] / sample[ours][r];
        const double won = bench_median(ratio, rounds);
        double side[2] = {HUGE_VAL, HUGE_VAL}; /* shortest runs: of the kit, of the others */
        for (size_t k = 0; k < count; k++) side[k >= kernels] = fmin(side[k >= kernels], bench_least(sample[k], rounds));
        printf("%-34s %-22s", c->workload, c->size);
        bench_print_times(c);
        printf("  %6.2f %5.2f", won, side[1] / side[0]);
        if (c->goal > 0) printf(" %5.2f  %-5s", c->goal, won >= c->goal ? "ok" : "BELOW");
        else printf("     -  -    ");
        printf(" %s", c->contestant[best].name);
        if (kernels > 1) printf("; %s", c->contestant[ours].name);
        printf("\n");
        if (c->goal > 0 && won < c->goal) bench_below++;
    }
    for (size_t k = 0; (c->all || bench_is_set("BENCH_ALL")) && k < count; k++) {
        for (size_t r = 0; r < rounds; r++) ratio[r] = sample[count - 1][r] / sample[k][r];
        printf("    %-42s least %9.3f median %9.3f  x%5.2f\n", c->contestant[k].name, 1e3 * bench_least(sample[k], rounds),
               1e3 * seconds[k], bench_median(ratio, rounds));
    }
    fflush(stdout);
done:
    for (size_t k = 0; k < count; k++) free(result[k]);
}

/* Prints the last line; returns the exit status: nonzero if a result was wrong. A slow row is not a failure. */
BENCH_UNUSED static int bench_done(void)
{
    if (bench_failures) printf("\n%d of %d rows have WRONG RESULTS\n", bench_failures, bench_rows);
    else if (bench_is_quick()) printf("\n%d rows, all results agree\n", bench_rows);
    else printf("\n%d rows, all results agree, %d below their goal\n", bench_rows, bench_below);
    return bench_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* >>random
   splitmix64 (Steele, Lea, Flood 2014): the same numbers from the same seed everywhere. */
typedef struct bench_random { uint64_t state; } bench_random;

static uint64_t bench_bits(bench_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
/* An integer in [0, n), n <= 2^32. */
static size_t bench_below_n(bench_random *r, size_t n) { return (size_t)(((bench_bits(r) >> 32) * (uint64_t)n) >> 32); }
/* A number in [0, 1), and one in [-1, 1). */
static double bench_unit(bench_random *r) { return (double)(bench_bits(r) >> 11) * 0x1p-53; }
static double bench_value(bench_random *r) { return 2 * bench_unit(r) - 1; }

BENCH_UNUSED static double *bench_dense(size_t length, uint64_t seed)
{
    bench_random r = {seed};
    double *x = (double *)bench_allocate(length, sizeof *x);
    for (size_t k = 0; k < length; k++) x[k] = bench_value(&r);
    return x;
}

/* >>matrices */

/* Compressed rows: row i is crd[p], val[p] for pos[i] <= p < pos[i + 1]. */
typedef struct bench_csr {
    size_t rows, columns;
    uint32_t *pos, *crd;
    double *val;
} bench_csr;

static bench_csr bench_csr_open(size_t rows, size_t columns, size_t capacity)
{
    bench_csr m = {rows, columns, NULL, NULL, NULL};
    m.pos = (uint32_t *)bench_allocate(rows + 1, sizeof *m.pos);
    m.crd = (uint32_t *)bench_allocate(capacity, sizeof *m.crd);
    m.val = (double *)bench_allocate(capacity, sizeof *m.val);
    return m;
}
static size_t bench_csr_entries(const bench_csr *m) { return m->pos[m->rows]; }
BENCH_UNUSED static void bench_csr_free(bench_csr *m)
{
    free(m->pos);
    free(m->crd);
    free(m->val);
    memset(m, 0, sizeof *m);
}
static int bench_compare_u32(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
/* Sorts the coordinates [p, q), drops repeated ones, and returns the new end. */
static size_t bench_sort_row(uint32_t *crd, size_t p, size_t q)
{
    size_t end = p;
    if (q - p > 32) qsort(crd + p, q - p, sizeof *crd, bench_compare_u32);
    else
        for (size_t k = p + 1; k < q; k++) {
            const uint32_t c = crd[k];
            size_t at = k;
            for (; at > p && crd[at - 1] > c; at--) crd[at] = crd[at - 1];
            crd[at] = c;
        }
    for (size_t k = p; k < q; k++)
        if (end == p || crd[end - 1] != crd[k]) crd[end++] = crd[k];
    return end;
}
static void bench_fill(bench_csr *m, uint64_t seed)
{
    bench_random r = {seed};
    for (size_t p = 0; p < bench_csr_entries(m); p++) m->val[p] = bench_value(&r);
}

/* rows x columns, with row_length uniformly drawn columns in every row (fewer if one is drawn twice). */
BENCH_UNUSED static bench_csr bench_uniform_wide(size_t rows, size_t columns, size_t row_length, uint64_t seed)
{
    bench_random r = {seed};
    bench_csr m = bench_csr_open(rows, columns, rows * row_length);
    for (size_t i = 0, p = 0; i < rows; i++) {
        for (size_t k = 0; k < row_length; k++) m.crd[p + k] = (uint32_t)bench_below_n(&r, columns);
        p = bench_sort_row(m.crd, p, p + row_length);
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, seed + 1);
    return m;
}
BENCH_UNUSED static bench_csr bench_uniform(size_t n, size_t row_length, uint64_t seed)
{
    return bench_uniform_wide(n, n, row_length, seed);
}
/* n x n, every entry with |i - j| <= half_width. */
BENCH_UNUSED static bench_csr bench_banded(size_t n, size_t half_width, uint64_t seed)
{
    bench_csr m = bench_csr_open(n, n, n * (2 * half_width + 1));
    for (size_t i = 0, p = 0; i < n; i++) {
        for (size_t j = i < half_width ? 0 : i - half_width; j < n && j <= i + half_width; j++) m.crd[p++] = (uint32_t)j;
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, seed);
    return m;
}
/* n x n in full blocks of side x side, `stored` of them in each row of blocks (fewer if one is drawn twice). */
BENCH_UNUSED static bench_csr bench_blocks(size_t n, size_t side, size_t stored, uint64_t seed)
{
    bench_random r = {seed};
    uint32_t at[64];
    bench_csr m = bench_csr_open(n, n, n * side * stored);
    for (size_t i = 0, p = 0, count = 0; i < n; i++) {
        for (size_t b = 0; b < stored && i % side == 0; b++) at[b] = (uint32_t)bench_below_n(&r, n / side);
        if (i % side == 0) count = bench_sort_row(at, 0, stored);
        for (size_t b = 0; b < count; b++)
            for (size_t j = 0; j < side; j++) m.crd[p++] = (uint32_t)(at[b] * side + j);
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, seed + 1);
    return m;
}
/* side^3 x side^3: every point of a grid with its up to 26 neighbours. */
BENCH_UNUSED static bench_csr bench_stencil27(size_t side, uint64_t seed)
{
    const size_t n = side * side * side;
    bench_csr m = bench_csr_open(n, n, n * 27);
    for (size_t i = 0, p = 0; i < n; i++) {
        const size_t z = i / (side * side), y = i / side % side, x = i % side;
        for (size_t k = 0; k < 27; k++) {
            const size_t u = x + k % 3, v = y + k / 3 % 3, w = z + k / 9; /* coordinates + 1 */
            if (u >= 1 && u <= side && v >= 1 && v <= side && w >= 1 && w <= side)
                m.crd[p++] = (uint32_t)(((w - 1) * side + v - 1) * side + u - 1);
        }
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, seed);
    return m;
}
/* n x n, about row_length entries per row on average; lengths of rows and popularity of columns follow
   power laws, as in a web graph: most rows are short, a few hold thousands. */
BENCH_UNUSED static bench_csr bench_power_law(size_t n, size_t row_length, uint64_t seed)
{
    bench_random r = {seed};
    const double most = (double)n / 16;
    uint32_t *length = (uint32_t *)bench_allocate(n, sizeof *length);
    size_t total = 0;
    for (size_t i = 0; i < n; i++) { /* Pareto, exponent 2.2: the mean is row_length */
        const double draw = 0.1667 * (double)row_length * pow(1 - bench_unit(&r), -1 / 1.2);
        length[i] = (uint32_t)fmin(draw < 1 ? 1 : draw, most < 1 ? 1 : most);
        total += length[i];
    }
    bench_csr m = bench_csr_open(n, n, total);
    for (size_t i = 0, p = 0; i < n; i++) {
        for (size_t k = 0; k < length[i]; k++) {
            const double u = bench_unit(&r);
            m.crd[p + k] = (uint32_t)((double)n * u * u * u); /* columns near 0 are popular */
        }
        p = bench_sort_row(m.crd, p, p + length[i]);
        m.pos[i + 1] = (uint32_t)p;
    }
    free(length);
    bench_fill(&m, seed + 1);
    return m;
}
/* n x n with row_length entries in every row: a window around the diagonal has as many parts, with one entry each. */
BENCH_UNUSED static bench_csr bench_even_rows(size_t n, size_t row_length, uint64_t seed)
{
    bench_random r = {seed};
    bench_csr m = bench_csr_open(n, n, n * row_length);
    const size_t part = 100 < n / row_length ? 100 : n / row_length, width = part * row_length;
    for (size_t i = 0, p = 0; i < n; i++) {
        const size_t from = i < width / 2 ? 0 : i - width / 2 + width > n ? n - width : i - width / 2;
        for (size_t k = 0; k < row_length; k++) m.crd[p++] = (uint32_t)(from + k * part + bench_below_n(&r, part));
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, seed + 1);
    return m;
}
/* rows x columns, two entries in each four columns of every row. */
BENCH_UNUSED static bench_csr bench_pruned(size_t rows, size_t columns, uint64_t seed)
{
    bench_random r = {seed};
    bench_csr m = bench_csr_open(rows, columns, rows * columns / 2);
    for (size_t i = 0, p = 0; i < rows; i++) {
        for (uint32_t j = 0; j < columns; j += 4) {
            const uint32_t a = (uint32_t)bench_below_n(&r, 4), b = (a + 1 + (uint32_t)bench_below_n(&r, 3)) % 4;
            m.crd[p++] = j + (a < b ? a : b);
            m.crd[p++] = j + (a < b ? b : a);
        }
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, seed + 1);
    return m;
}
/* The edges of an R-MAT graph (Chakrabarti, Zhan, Faloutsos 2004) with 2^scale nodes below the diagonal, as Graph500 draws
   them: quadrants of probability 0.57, 0.19, 0.19, 0.05. Edges drawn again and loops are dropped. */
BENCH_UNUSED static bench_csr bench_rmat(unsigned scale, size_t edges, uint64_t seed)
{
    bench_random r = {seed};
    const size_t n = (size_t)1 << scale;
    bench_csr m = bench_csr_open(n, n, edges);
    uint32_t *row = (uint32_t *)bench_allocate(edges, sizeof *row), *column = (uint32_t *)bench_allocate(edges, sizeof *column);
    for (size_t e = 0; e < edges; e++) {
        uint32_t i = 0, j = 0;
        for (unsigned k = 0; k < scale; k++) {
            const double u = bench_unit(&r);
            i = 2 * i + (u >= 0.76), j = 2 * j + (u >= 0.95 || (u >= 0.57 && u < 0.76));
        }
        row[e] = i > j ? i : j, column[e] = i > j ? j : i;
        if (i != j) m.pos[row[e] + 1]++;
    }
    for (size_t i = 0; i < n; i++) m.pos[i + 1] += m.pos[i];
    for (size_t e = 0; e < edges; e++) /* pos[i] runs to the start of the next row, where pos[i + 1] began */
        if (row[e] != column[e]) m.crd[m.pos[row[e]]++] = column[e];
    for (size_t i = 0, p = 0, start = 0; i < n; i++) {
        const size_t end = m.pos[i], sorted = bench_sort_row(m.crd, start, end);
        memmove(m.crd + p, m.crd + start, (sorted - start) * sizeof *m.crd);
        p += sorted - start, start = end;
        m.pos[i] = (uint32_t)p;
    }
    memmove(m.pos + 1, m.pos, n * sizeof *m.pos);
    m.pos[0] = 0;
    free(row), free(column);
    bench_fill(&m, seed + 1);
    return m;
}

/* m plus its transpose, where m is below the diagonal: each edge in both directions, with one random length in (0, 1]. */
BENCH_UNUSED static bench_csr bench_both_ways(const bench_csr *m, uint64_t seed)
{
    bench_random r = {seed};
    const size_t n = m->rows, edges = bench_csr_entries(m);
    bench_csr both = bench_csr_open(n, n, 2 * edges);
    for (size_t i = 0; i < n; i++) both.pos[i + 1] += m->pos[i + 1] - m->pos[i];
    for (size_t p = 0; p < edges; p++) both.pos[m->crd[p] + 1]++;
    for (size_t i = 0; i < n; i++) both.pos[i + 1] += both.pos[i];
    for (size_t i = 0; i < n; i++) /* pos[i] runs to the start of the next row; rows come in order, so columns do */
        for (size_t p = m->pos[i]; p < m->pos[i + 1]; p++) {
            const size_t j = m->crd[p];
            const double length = 1 - bench_unit(&r);
            both.crd[both.pos[i]] = (uint32_t)j, both.val[both.pos[i]++] = length;
            both.crd[both.pos[j]] = (uint32_t)i, both.val[both.pos[j]++] = length;
        }
    memmove(both.pos + 1, both.pos, n * sizeof *both.pos);
    both.pos[0] = 0;
    return both;
}
/* A road map, below the diagonal: the crossings of a grid of side x side, without one road in ten. */
BENCH_UNUSED static bench_csr bench_roads(size_t side, uint64_t seed)
{
    bench_random r = {seed};
    const size_t n = side * side;
    bench_csr m = bench_csr_open(n, n, 2 * n);
    for (size_t i = 0, p = 0; i < n; i++) {
        if (i >= side && bench_below_n(&r, 10)) m.crd[p++] = (uint32_t)(i - side);
        if (i % side && bench_below_n(&r, 10)) m.crd[p++] = (uint32_t)(i - 1);
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, seed + 1);
    return m;
}

/* rows x columns: `stored` rows in the middle are full, the others empty. */
BENCH_UNUSED static bench_csr bench_row_band(size_t rows, size_t columns, size_t stored, uint64_t seed)
{
    bench_csr m = bench_csr_open(rows, columns, stored * columns);
    const size_t first = (rows - stored) / 2;
    for (size_t i = 0, p = 0; i < rows; i++) {
        for (size_t j = 0; j < columns && i >= first && i < first + stored; j++) m.crd[p++] = (uint32_t)j;
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, seed);
    return m;
}

/* >>tensors */

/* A sparse vector: pos is {0, entries}. */
typedef struct bench_vector {
    size_t size, entries;
    uint32_t pos[2];
    uint32_t *crd;
    double *val;
} bench_vector;

static bench_vector bench_vector_open(size_t size, size_t capacity)
{
    bench_vector v = {size, 0, {0, 0}, NULL, NULL};
    v.crd = (uint32_t *)bench_allocate(capacity, sizeof *v.crd);
    v.val = (double *)bench_allocate(capacity, sizeof *v.val);
    return v;
}
static void bench_vector_close(bench_vector *v, size_t entries, uint64_t seed)
{
    bench_random r = {seed};
    v->entries = entries;
    v->pos[1] = (uint32_t)entries;
    for (size_t k = 0; k < entries; k++) v->val[k] = bench_value(&r);
}
BENCH_UNUSED static void bench_vector_free(bench_vector *v)
{
    free(v->crd);
    free(v->val);
    memset(v, 0, sizeof *v);
}
/* Exactly `entries` coordinates of [0, size), drawn uniformly (Knuth, algorithm S). */
BENCH_UNUSED static bench_vector bench_random_vector(size_t size, size_t entries, uint64_t seed)
{
    bench_random r = {seed};
    bench_vector v = bench_vector_open(size, entries);
    size_t p = 0;
    for (size_t i = 0; i < size && p < entries; i++)
        if (bench_below_n(&r, size - i) < entries - p) v.crd[p++] = (uint32_t)i;
    bench_vector_close(&v, p, seed + 1);
    return v;
}
/* Evenly spread runs of neighbouring coordinates: about `entries` in all, runs of run_length on average. */
BENCH_UNUSED static bench_vector bench_clustered_vector(size_t size, size_t entries, size_t run_length, uint64_t seed)
{
    bench_random r = {seed};
    bench_vector v = bench_vector_open(size, entries);
    const size_t mean_gap = (size - entries) / (entries / run_length + 1);
    size_t p = 0;
    for (size_t i = bench_below_n(&r, 2 * mean_gap + 1); i < size && p < entries; i += 1 + bench_below_n(&r, 2 * mean_gap + 1))
        for (size_t k = 1 + bench_below_n(&r, 2 * run_length - 1); k > 0 && i < size && p < entries; k--)
            v.crd[p++] = (uint32_t)i++;
    bench_vector_close(&v, p, seed + 1);
    return v;
}

/* A 3-D tensor, compressed in every dimension. */
typedef struct bench_csf {
    size_t size[3], entries[3]; /* of the dimensions; of the levels */
    uint32_t *pos[3], *crd[3];
    double *val;
} bench_csf;

BENCH_UNUSED static void bench_csf_free(bench_csf *t)
{
    for (unsigned l = 0; l < 3; l++) free(t->pos[l]), free(t->crd[l]);
    free(t->val);
    memset(t, 0, sizeof *t);
}
/* n x n x n: every slice has n / 4 random fibers, fewer if one is drawn twice, with fiber_length entries on average. */
BENCH_UNUSED static bench_csf bench_random_csf(size_t n, size_t fiber_length, uint64_t seed)
{
    bench_random r = {seed};
    const size_t fibers = n / 4, most[3] = {n, n * fibers, n * fibers * 2 * fiber_length};
    bench_csf t = {{n, n, n}, {0}, {NULL}, {NULL}, NULL};
    for (unsigned l = 0; l < 3; l++) {
        t.pos[l] = (uint32_t *)bench_allocate(l ? most[l - 1] + 1 : 2, sizeof **t.pos);
        t.crd[l] = (uint32_t *)bench_allocate(most[l], sizeof **t.crd);
    }
    t.val = (double *)bench_allocate(most[2], sizeof *t.val);
    for (size_t i = 0, k = 0, l = 0; i < n; i++) {
        const size_t first = k;
        t.crd[0][i] = (uint32_t)i;
        for (size_t f = 0; f < fibers; f++) t.crd[1][k + f] = (uint32_t)bench_below_n(&r, n);
        for (k = bench_sort_row(t.crd[1], first, first + fibers); t.entries[1] < k; t.entries[1]++) {
            const size_t start = l, length = 1 + bench_below_n(&r, 2 * fiber_length - 1);
            for (size_t f = 0; f < length; f++) t.crd[2][l + f] = (uint32_t)bench_below_n(&r, n);
            l = bench_sort_row(t.crd[2], start, start + length);
            t.pos[2][t.entries[1] + 1] = (uint32_t)l;
        }
        t.pos[1][i + 1] = (uint32_t)k;
        t.entries[2] = l;
    }
    t.entries[0] = t.pos[0][1] = (uint32_t)n;
    for (size_t p = 0; p < t.entries[2]; p++) t.val[p] = bench_value(&r);
    return t;
}

#endif /* BENCH_H */
