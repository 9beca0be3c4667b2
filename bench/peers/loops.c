/* loops.c: the loops that TACO and MLIR generate for each operation, and loops as one would write them by hand. For one
   sparse operand, TACO and MLIR generate equal loops. For several, TACO's paper advances with `if (iA == i) pA++`; today
   TACO prints, and MLIR selects, `pA += iA == i`. TACO sorts the list of a row's columns.

   Contents (search for the anchors)
     >>results    arrays that are allocated in each run
     >>dense      dense results
     >>assembly   assembled results
     >>graphs     a number for each vertex
     >>convert    other encodings
     >>files      reading text
     >>team       the list of peers */
#include "../loops.h"
#include "peers.h"

/* The next loop is parallel if PEERS_PARALLEL is set. */
#if PEERS_PARALLEL
    #define BY_THREADS(text) _Pragma(text)
#else
    #define BY_THREADS(text)
#endif

#ifndef PEERS_TEAM
    #define PEERS_TEAM team_loops
#endif
#ifndef PEERS_NAME
    #define PEERS_NAME "C"
#endif

/* >>results */
#define RUN(name, ...)                                                                                                    \
    static void name(void *context, double *result)                                                                       \
    {                                                                                                                     \
        const problem *d = (const problem *)context;                                                                      \
        __VA_ARGS__;                                                                                                      \
    }
static void *room(size_t count, size_t size)
{
    void *block = malloc(count * size + 1);
    if (!block) exit(2);
    return block;
}
/* The arrays of a result: allocation, with pos[0] = 0; fingerprint and release. */
typedef struct assembled {
    uint32_t *pos, *crd;
    double *val;
    size_t room;
} assembled;
static assembled start(size_t rows, size_t entries)
{
    assembled c = {(uint32_t *)room(rows + 1, sizeof(uint32_t)), (uint32_t *)room(entries, sizeof(uint32_t)),
                   (double *)room(entries, sizeof(double)), entries};
    c.pos[0] = 0;
    return c;
}
static void reserve(assembled *c, size_t entries)
{
    if (entries <= c->room) return;
    c->room = entries > 2 * c->room ? entries : 2 * c->room;
    c->crd = (uint32_t *)realloc(c->crd, c->room * sizeof *c->crd);
    c->val = (double *)realloc(c->val, c->room * sizeof *c->val);
    if (!c->crd || !c->val) exit(2);
}
/* Tells the compiler that the array may be read; otherwise it removes the loop that fills it. */
static void show(const void *array) { __asm__ volatile("" : : "r"(array) : "memory"); }
static void finish(assembled *c, size_t entries, double *result)
{
    fingerprint(result, entries, c->crd, c->val);
    show(c->pos), show(c->crd), show(c->val);
    free(c->pos), free(c->crd), free(c->val);
}

/* >>dense */
#define AS_CSR   d->a.pos, d->a.crd, d->a.val
#define AS_LIST(k) d->v[k].entries, d->v[k].crd, d->v[k].val
#define DIM(k)   d->A.dim[k]
RUN(spmv_csr, hand_spmv(d->a.rows, AS_CSR, d->x, result))
RUN(spmv_csr_u32, hand_spmv_u32(d->a.rows, AS_CSR, d->x, result))
RUN(spmv_dcsr, hand_spmv_dcsr(POS(d->A, 0), CRD(d->A, 0), POS(d->A, 1), CRD(d->A, 1), VAL(d->A), d->x, result))
RUN(spmv_cd, hand_spmv_cd(DIM(1), POS(d->A, 0), CRD(d->A, 0), VAL(d->A), d->x, result))
LOOP static void blocks(size_t rows, LEVEL(2), IN(val), IN(x), OUT(y))
{
    for (size_t b = 0; b < rows / 4; b++)
        for (size_t p = pos2[b]; p < pos2[b + 1]; p++)
            for (size_t i = 0; i < 4; i++) {
                double s = y[4 * b + i];
                for (size_t j = 0; j < 4; j++) s += val[16 * p + 4 * i + j] * x[4 * crd2[p] + j];
                y[4 * b + i] = s;
            }
}
RUN(spmv_bsr, blocks(DIM(0), POS(d->A, 1), CRD(d->A, 1), VAL(d->A), d->x, result))
/* ELL as in libraries: padded rows; the k-th entries of all rows are adjacent */
LOOP static void ellpack(size_t rows, size_t slices, const uint32_t *restrict crd, IN(val), IN(x), OUT(y))
{
    for (size_t i = 0; i < rows; i++) {
        double s = y[i];
        for (size_t k = 0; k < slices; k++) s += val[k * rows + i] * x[crd[k * rows + i]];
        y[i] = s;
    }
}
RUN(spmv_ell, ellpack(DIM(0), 5, CRD(d->A, 2), VAL(d->A), d->x, result))
LOOP static void diagonals(size_t rows, size_t columns, size_t stored, const uint32_t *restrict crd, IN(val), IN(x), OUT(y))
{
    for (size_t k = 0; k < stored; k++) {
        const ptrdiff_t shift = (ptrdiff_t)crd[k] - (ptrdiff_t)(rows - 1);
        const size_t first = shift < 0 ? (size_t)-shift : 0;
        const size_t end = (ptrdiff_t)rows + shift > (ptrdiff_t)columns ? (size_t)((ptrdiff_t)columns - shift) : rows;
        const double *restrict from = x + shift;
        for (size_t i = first; i < end; i++) y[i] += val[k * rows + i] * from[i];
    }
}
RUN(spmv_dia, diagonals(DIM(0), DIM(1), d->A.crd[0].length, CRD(d->A, 0), VAL(d->A), d->x, result))
LOOP static void two_of_four(size_t rows, size_t columns, const uint8_t *restrict crd, IN(val), IN(x), OUT(y))
{
    for (size_t i = 0, p = 0; i < rows; i++) {
        double s = y[i];
        for (size_t j = 0; j < columns; j += 4, p += 2) s += val[p] * x[j + crd[p]] + val[p + 1] * x[j + crd[p + 1]];
        y[i] = s;
    }
}
RUN(spmv_n2m4, two_of_four(DIM(0), DIM(1), (const uint8_t *)d->A.crd[2].at, VAL(d->A), d->x, result))
RUN(spmm, hand_spmm(d->a.rows, d->columns, AS_CSR, d->X, result))
SPMM(hand_spmm_8, 8)
SPMM(hand_spmm_128, 128)
RUN(spmm_constant, (d->columns == 8     ? hand_spmm_8
                    : d->columns == 64  ? hand_spmm_64
                    : d->columns == 128 ? hand_spmm_128
                                        : hand_spmm)(d->a.rows, d->columns, AS_CSR, d->X, result))

/* B in DSS. Its second level indexes the rows of X, its third the rows of Z. In one statement, and with a row of sums as a
   workspace (Kjolstad and others 2019). */
LOOP static void mttkrp(size_t rows, size_t columns, LEVEL(2), LEVEL(3), IN(val), IN(x), IN(z), OUT(y))
{
    for (size_t i = 0; i < rows; i++)
        for (size_t p2 = pos2[i]; p2 < pos2[i + 1]; p2++)
            for (size_t p3 = pos3[p2]; p3 < pos3[p2 + 1]; p3++) {
                const double b = val[p3];
                const size_t j = crd2[p2], k = crd3[p3];
                for (size_t r = 0; r < columns; r++) y[i * columns + r] += b * x[j * columns + r] * z[k * columns + r];
            }
}
LOOP static void mttkrp_row(size_t rows, size_t columns, LEVEL(2), LEVEL(3), IN(val), IN(x), IN(z), OUT(y))
{
    double *restrict row = (double *)room(columns, sizeof *row);
    for (size_t i = 0; i < rows; i++)
        for (size_t p2 = pos2[i]; p2 < pos2[i + 1]; p2++) {
            const size_t j = crd2[p2];
            memset(row, 0, columns * sizeof *row);
            for (size_t p3 = pos3[p2]; p3 < pos3[p2 + 1]; p3++) {
                const double b = val[p3];
                const size_t k = crd3[p3];
                for (size_t r = 0; r < columns; r++) row[r] += b * z[k * columns + r];
            }
            for (size_t r = 0; r < columns; r++) y[i * columns + r] += row[r] * x[j * columns + r];
        }
    free(row);
}
#define AS_DSS POS(d->A, 1), CRD(d->A, 1), POS(d->A, 2), CRD(d->A, 2), VAL(d->A)
RUN(mttkrp_dss, mttkrp(DIM(0), d->columns, AS_DSS, d->X, d->Z, result))
RUN(mttkrp_dss_row, mttkrp_row(DIM(0), d->columns, AS_DSS, d->X, d->Z, result))
RUN(mttkrp_alt, mttkrp(DIM(0), d->columns, AS_DSS, d->Z, d->X, result))
RUN(mttkrp_alt_row, mttkrp_row(DIM(0), d->columns, AS_DSS, d->Z, d->X, result))

RUN(sum3, *result = merge_sum3(AS_LIST(0), AS_LIST(1), AS_LIST(2), *result))
RUN(sum3_add, *result = merge_sum3_add(AS_LIST(0), AS_LIST(1), AS_LIST(2), *result))
RUN(union3, merge_union3(AS_LIST(0), AS_LIST(1), AS_LIST(2), result))
RUN(union3_add, merge_union3_add(AS_LIST(0), AS_LIST(1), AS_LIST(2), result))
RUN(dot, *result = merge_dot(AS_LIST(0), AS_LIST(1), *result))
RUN(dot_add, *result = merge_dot_add(AS_LIST(0), AS_LIST(1), *result))
/* row i is merged with each row k that it lists */
#define TRIANGLES(name, merge)                                                                                            \
    static void name(void *context, double *result)                                                                       \
    {                                                                                                                     \
        const bench_csr *a = &((const problem *)context)->a;                                                              \
        for (size_t i = 0; i < a->rows; i++)                                                                              \
            for (size_t p = a->pos[i], first = p, end = a->pos[i + 1]; p < end; p++) {                                    \
                const size_t k = a->crd[p], from = a->pos[k];                                                             \
                *result += a->val[p] * merge(end - first, a->crd + first, a->val + first, a->pos[k + 1] - from,           \
                                             a->crd + from, a->val + from, 0);                                            \
            }                                                                                                             \
    }
TRIANGLES(triangles, merge_dot)
TRIANGLES(triangles_add, merge_dot_add)
/* row i is marked once; each row k looks up its columns in the marks */
static void triangles_marked(void *context, double *result)
{
    const bench_csr *a = &((const problem *)context)->a;
    double sum = 0;
    BY_THREADS("omp parallel reduction(+ : sum)")
    {
        double *restrict row = (double *)calloc(a->columns + 1, sizeof *row);
        if (!row) exit(2);
        BY_THREADS("omp for schedule(dynamic, 64)")
        for (size_t i = 0; i < a->rows; i++) {
            for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) row[a->crd[p]] = a->val[p];
            for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
                const size_t k = a->crd[p];
                double part = 0;
                for (size_t q = a->pos[k]; q < a->pos[k + 1]; q++) part += a->val[q] * row[a->crd[q]];
                sum += a->val[p] * part;
            }
            for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) row[a->crd[p]] = 0;
        }
        free(row);
    }
    *result += sum;
}

/* >>assembly */
#define UNION3(name, STEP)                                                                                                \
    LOOP static size_t name##_loop(LIST(a), LIST(b), LIST(c), assembled out)                                              \
    {                                                                                                                     \
        uint32_t *restrict crd = out.crd;                                                                                 \
        double *restrict val = out.val;                                                                                   \
        size_t n = 0;                                                                                                     \
        MERGE3(TO_ARRAYS, STEP)                                                                                           \
        return n;                                                                                                         \
    }                                                                                                                     \
    static void name(void *context, double *result)                                                                       \
    {                                                                                                                     \
        const problem *d = (const problem *)context;                                                                      \
        assembled c = start(0, d->v[0].entries + d->v[1].entries + d->v[2].entries);                                      \
        finish(&c, name##_loop(AS_LIST(0), AS_LIST(1), AS_LIST(2), c), result);                                           \
    }
#define TO_ARRAYS(i, value) (crd[n] = (i), val[n++] = (value))
UNION3(union3_sparse, STEP)
UNION3(union3_sparse_add, ADD)

#define ROWS_ADDED(name, STEP)                                                                                            \
    static void name(void *context, double *result)                                                                       \
    {                                                                                                                     \
        const problem *d = (const problem *)context;                                                                      \
        const uint32_t *restrict ca = d->a.crd, *restrict cb = d->b.crd;                                                  \
        const double *restrict va = d->a.val, *restrict vb = d->b.val;                                                    \
        assembled c = start(d->a.rows, bench_csr_entries(&d->a) + bench_csr_entries(&d->b));                              \
        uint32_t *restrict crd = c.crd;                                                                                   \
        double *restrict val = c.val;                                                                                     \
        size_t n = 0;                                                                                                     \
        for (size_t row = 0; row < d->a.rows; row++) {                                                                    \
            size_t pa = d->a.pos[row], pb = d->b.pos[row];                                                                \
            const size_t ea = d->a.pos[row + 1], eb = d->b.pos[row + 1];                                                  \
            PAIR(a, b, TO_ARRAYS, STEP) TAIL(a, TO_ARRAYS) TAIL(b, TO_ARRAYS)                                             \
            c.pos[row + 1] = (uint32_t)n;                                                                                 \
        }                                                                                                                 \
        finish(&c, n, result);                                                                                            \
    }
ROWS_ADDED(add, STEP)
ROWS_ADDED(add_add, ADD)

/* Gustavson's algorithm: a dense row of sums, and a list of its columns, which is sorted; if `scans` and the row is dense,
   the marks are scanned instead. */
static void gustavson(const problem *d, double *result, bool scans)
{
    const bench_csr *a = &d->a, *b = &d->b;
    double *restrict w = (double *)calloc(b->columns + 1, sizeof *w);
    bool *restrict has = (bool *)calloc(b->columns + 1, sizeof *has);
    uint32_t *restrict list = (uint32_t *)room(b->columns, sizeof *list);
    assembled c = start(a->rows, bench_csr_entries(a) + bench_csr_entries(b));
    size_t n = 0;
    if (!w || !has) exit(2);
    for (size_t i = 0; i < a->rows; i++) {
        size_t count = 0;
        uint32_t least = UINT32_MAX, most = 0;
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
            const size_t k = a->crd[p];
            const double x = a->val[p];
            for (size_t q = b->pos[k]; q < b->pos[k + 1]; q++) {
                const uint32_t j = b->crd[q];
                if (has[j]) w[j] += x * b->val[q];
                else {
                    has[j] = true;
                    list[count++] = j;
                    w[j] = x * b->val[q];
                    if (j < least) least = j;
                    if (j > most) most = j;
                }
            }
        }
        reserve(&c, n + count);
        if (!scans) qsort(list, count, sizeof *list, bench_compare_u32);
        else if (count > (most - least) / 16) {
            for (size_t j = least, m = 0; m < count; j++)
                if (has[j]) list[m++] = (uint32_t)j;
        } else if (count <= 64) bench_sort_row(list, 0, count);
        else qsort(list, count, sizeof *list, bench_compare_u32);
        for (size_t m = 0; m < count; m++) {
            const uint32_t j = list[m];
            c.crd[n] = j;
            c.val[n++] = w[j];
            has[j] = false;
        }
        c.pos[i + 1] = (uint32_t)n;
    }
    free(w), free(has), free(list);
    finish(&c, n, result);
}
RUN(spgemm, gustavson(d, result, false))
RUN(spgemm_scans, gustavson(d, result, true))

/* a .* (a b): the columns of row i are marked, and only marked sums are computed */
static void masked(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const bench_csr *a = &d->a, *b = &d->b;
    uint32_t *restrict at = (uint32_t *)calloc(b->columns + 1, sizeof *at); /* position in the row + 1 */
    double *restrict w = (double *)room(b->columns, sizeof *w);
    bool *restrict has = (bool *)room(b->columns, sizeof *has);
    assembled c = start(a->rows, bench_csr_entries(a));
    size_t n = 0;
    if (!at) exit(2);
    for (size_t i = 0; i < a->rows; i++) {
        const size_t first = a->pos[i], count = a->pos[i + 1] - first;
        for (size_t m = 0; m < count; m++) at[a->crd[first + m]] = (uint32_t)m + 1, w[m] = 0, has[m] = false;
        for (size_t p = first; p < first + count; p++)
            for (size_t q = b->pos[a->crd[p]]; q < b->pos[a->crd[p] + 1]; q++) {
                const size_t m = at[b->crd[q]];
                if (m) w[m - 1] += a->val[p] * b->val[q], has[m - 1] = true;
            }
        for (size_t m = 0; m < count; m++) {
            at[a->crd[first + m]] = 0;
            if (has[m]) c.crd[n] = a->crd[first + m], c.val[n++] = w[m] * a->val[first + m];
        }
        c.pos[i + 1] = (uint32_t)n;
    }
    free(at), free(w), free(has);
    finish(&c, n, result);
}

/* >>graphs
   Breadth-first search with a queue; if most edges leave the queue, the vertices not yet found look for one in it. */
static uint32_t *steps_from(const problem *d)
{
    uint32_t *steps = (uint32_t *)room(d->a.rows, sizeof *steps);
    memset(steps, 0xff, d->a.rows * sizeof *steps);
    steps[d->source] = 0;
    return steps;
}
static void bfs_queue(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const uint32_t *restrict pos = d->a.pos, *restrict crd = d->a.crd;
    uint32_t *restrict steps = steps_from(d), *restrict queue = (uint32_t *)room(d->a.rows, sizeof *queue);
    size_t end = 1;
    queue[0] = (uint32_t)d->source;
    for (size_t at = 0; at < end; at++) {
        const size_t i = queue[at];
        for (size_t p = pos[i]; p < pos[i + 1]; p++)
            if (steps[crd[p]] == UINT32_MAX) steps[crd[p]] = steps[i] + 1, queue[end++] = crd[p];
    }
    fingerprint_of_steps(result, d->a.rows, steps);
    free(steps), free(queue);
}
static void bfs_both(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const size_t n = d->a.rows, edges = bench_csr_entries(&d->a);
    const uint32_t *restrict pos = d->a.pos, *restrict crd = d->a.crd;
    uint32_t *restrict steps = steps_from(d), *restrict queue = (uint32_t *)room(n, sizeof *queue);
    uint64_t *restrict last = (uint64_t *)room(n / 64 + 1, 8), *restrict found = (uint64_t *)room(n / 64 + 1, 8);
    size_t begin = 0, end = 1, leaving = pos[d->source + 1] - pos[d->source];
    queue[0] = (uint32_t)d->source;
    for (uint32_t s = 1; begin < end; s++) {
        const size_t stop = end;
        if (leaving < edges / FRONT_PART) {
            leaving = 0;
            for (size_t at = begin; at < stop; at++)
                for (size_t p = pos[queue[at]]; p < pos[queue[at] + 1]; p++) {
                    const size_t j = crd[p];
                    if (steps[j] == UINT32_MAX) steps[j] = s, queue[end++] = (uint32_t)j, leaving += pos[j + 1] - pos[j];
                }
            begin = stop;
            continue;
        }
        memset(last, 0, (n / 64 + 1) * 8);
        for (size_t at = begin; at < stop; at++) last[queue[at] / 64] |= (uint64_t)1 << queue[at] % 64;
        for (leaving = edges; leaving >= edges / FRONT_PART; s++) {
            leaving = 0;
            memset(found, 0, (n / 64 + 1) * 8);
            for (size_t i = 0; i < n; i++)
                for (size_t p = pos[i]; steps[i] == UINT32_MAX && p < pos[i + 1]; p++)
                    if (last[crd[p] / 64] >> crd[p] % 64 & 1) {
                        steps[i] = s, found[i / 64] |= (uint64_t)1 << i % 64, leaving += pos[i + 1] - pos[i];
                        break;
                    }
            uint64_t *const swap = last;
            last = found, found = swap;
        }
        s--, begin = end = 0;
        for (size_t i = 0; i < n; i++)
            if (last[i / 64] >> i % 64 & 1) queue[end++] = (uint32_t)i;
    }
    fingerprint_of_steps(result, n, steps);
    free(steps), free(queue), free(last), free(found);
}
/* Bellman-Ford in rounds: vertices that got nearer relax the edges to their neighbours; each is in the queue of a round
   once. */
static void distances(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const size_t n = d->a.rows;
    const uint32_t *restrict pos = d->a.pos, *restrict crd = d->a.crd;
    const double *restrict val = d->a.val;
    double *restrict far = (double *)room(n, sizeof *far);
    uint32_t *restrict now = (uint32_t *)room(n, sizeof *now), *restrict next = (uint32_t *)room(n, sizeof *next);
    uint32_t *restrict listed = (uint32_t *)calloc(n, sizeof *listed); /* the last round */
    size_t count = 1;
    if (!listed) exit(2);
    for (size_t i = 0; i < n; i++) far[i] = HUGE_VAL;
    far[d->source] = 0;
    now[0] = (uint32_t)d->source;
    for (uint32_t round = 1; count > 0; round++) {
        size_t more = 0;
        for (size_t at = 0; at < count; at++) {
            const double so_far = far[now[at]];
            for (size_t p = pos[now[at]]; p < pos[now[at] + 1]; p++) {
                const size_t j = crd[p];
                if (!(so_far + val[p] < far[j])) continue;
                far[j] = so_far + val[p];
                if (listed[j] != round) listed[j] = round, next[more++] = (uint32_t)j;
            }
        }
        uint32_t *const swap = now;
        now = next, next = swap, count = more;
    }
    fingerprint_of(result, n, far);
    free(far), free(now), free(next), free(listed);
}
/* every rank is divided by the number of edges, then the neighbours' shares are added up */
static void pagerank(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const size_t n = d->a.rows;
    const uint32_t *restrict pos = d->a.pos, *restrict crd = d->a.crd;
    double *restrict rank = (double *)room(n, sizeof *rank), *restrict share = (double *)room(n, sizeof *share);
    for (size_t i = 0; i < n; i++) rank[i] = 1 / (double)n;
    for (size_t step = 0; step < RANK_STEPS; step++) {
        BY_THREADS("omp parallel for")
        for (size_t i = 0; i < n; i++) share[i] = pos[i + 1] > pos[i] ? RANK_STAY * rank[i] / (pos[i + 1] - pos[i]) : 0;
        BY_THREADS("omp parallel for schedule(dynamic, 1024)")
        for (size_t i = 0; i < n; i++) {
            double sum = (1 - RANK_STAY) / (double)n;
            for (size_t p = pos[i]; p < pos[i + 1]; p++) sum += share[crd[p]];
            rank[i] = sum;
        }
    }
    fingerprint_of(result, n, rank);
    free(rank), free(share);
}

/* with a copied pattern; the entry inside the sum, as in the statement, or outside, as one would write by hand */
#define SDDMM(name, term, factor)                                                                                         \
    LOOP static void name##_rows(size_t rows, size_t depth, LEVEL(1), LEVEL(2), IN(s), IN(x), IN(z), OUT(y))              \
    {                                                                                                                     \
        for (size_t r = 0; r < rows; r++) {                                                                               \
            const size_t i = crd1 ? crd1[r] : r;                                                                          \
            for (size_t p = pos2[r]; p < pos2[r + 1]; p++) {                                                              \
                const size_t j = crd2[p];                                                                                 \
                double sum = 0;                                                                                           \
                for (size_t k = 0; k < depth; k++) sum += term x[i * depth + k] * z[j * depth + k];                       \
                y[p] = sum factor;                                                                                        \
            }                                                                                                             \
        }                                                                                                                 \
        (void)pos1;                                                                                                       \
    }                                                                                                                     \
    static void name(void *context, double *result)                                                                       \
    {                                                                                                                     \
        const problem *d = (const problem *)context;                                                                      \
        const size_t rows = d->A.pos[1].length - 1, entries = d->A.val.length;                                            \
        assembled c = start(rows, entries);                                                                               \
        memcpy(c.pos, d->A.pos[1].at, (rows + 1) * sizeof *c.pos);                                                        \
        memcpy(c.crd, d->A.crd[1].at, entries * sizeof *c.crd);                                                           \
        name##_rows(rows, d->columns, POS(d->A, 0), CRD(d->A, 0), POS(d->A, 1), CRD(d->A, 1), VAL(d->A), d->X, d->Z,      \
                    c.val);                                                                                               \
        finish(&c, entries, result);                                                                                      \
    }
SDDMM(sddmm, s[p] *, )
SDDMM(sddmm_after, , *s[p])

/* T(i,j) = B(i,j,k) x(k), into arrays that grow by the factor 2 */
static void ttv(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const uint32_t *pos1 = POS(d->A, 1), *pos2 = POS(d->A, 2), *crd2 = CRD(d->A, 2);
    assembled rows = start(1, 16), c = start(d->A.crd[0].length, 16);
    size_t n = 0;
    for (size_t p = 0; p < d->A.crd[0].length; p++) {
        reserve(&rows, p + 1);
        rows.crd[p] = CRD(d->A, 0)[p];
        for (size_t q = pos1[p]; q < pos1[p + 1]; q++) {
            double sum = 0;
            for (size_t r = pos2[q]; r < pos2[q + 1]; r++) sum += VAL(d->A)[r] * d->x[crd2[r]];
            reserve(&c, n + 1);
            c.crd[n] = CRD(d->A, 1)[q];
            c.val[n++] = sum;
        }
        c.pos[p + 1] = (uint32_t)n;
    }
    show(rows.pos), show(rows.crd);
    free(rows.pos), free(rows.crd), free(rows.val);
    finish(&c, n, result);
}
/* T(i,j,r) += B(i,j,k) Z(k,r), with a dense row for each fiber of B. A row is zeroed and added to in place, or computed in
   a row of sums and copied. */
LOOP static void ttm_rows(size_t fibers, size_t columns, LEVEL(3), IN(val), IN(z), OUT(t))
{
    for (size_t q = 0; q < fibers; q++) {
        for (size_t r = 0; r < columns; r++) t[q * columns + r] = 0;
        for (size_t p = pos3[q]; p < pos3[q + 1]; p++) {
            const double b = val[p];
            const size_t k = crd3[p];
            for (size_t r = 0; r < columns; r++) t[q * columns + r] += b * z[k * columns + r];
        }
    }
}
LOOP static void ttm_sums(size_t fibers, size_t columns, LEVEL(3), IN(val), IN(z), OUT(t))
{
    double *restrict row = (double *)room(columns, sizeof *row);
    for (size_t q = 0; q < fibers; q++) {
        memset(row, 0, columns * sizeof *row);
        for (size_t p = pos3[q]; p < pos3[q + 1]; p++) {
            const double b = val[p];
            const size_t k = crd3[p];
            for (size_t r = 0; r < columns; r++) row[r] += b * z[k * columns + r];
        }
        memcpy(t + q * columns, row, columns * sizeof *row);
    }
    free(row);
}
#define TTM(name)                                                                                                         \
    static void run_##name(void *context, double *result)                                                                 \
    {                                                                                                                     \
        const problem *d = (const problem *)context;                                                                      \
        const size_t rows = d->A.crd[0].length, fibers = d->A.crd[1].length;                                              \
        assembled c = start(rows, fibers);                                                                                \
        double *const val = (double *)room(fibers * d->columns, sizeof *val);                                             \
        uint32_t *const row = (uint32_t *)room(rows, sizeof *row);                                                        \
        memcpy(row, CRD(d->A, 0), rows * sizeof *row);                                                                    \
        memcpy(c.pos, POS(d->A, 1), (rows + 1) * sizeof *c.pos);                                                          \
        memcpy(c.crd, CRD(d->A, 1), fibers * sizeof *c.crd);                                                              \
        name(fibers, d->columns, POS(d->A, 2), CRD(d->A, 2), VAL(d->A), d->Z, val);                                       \
        fingerprint_of_blocks(result, fibers, d->columns, c.crd, val);                                                    \
        show(row), show(val), show(c.pos), show(c.crd);                                                                   \
        free(row), free(val), free(c.pos), free(c.crd), free(c.val);                                                      \
    }
TTM(ttm_rows)
TTM(ttm_sums)

/* >>convert */
static void sum_up(uint32_t *pos, size_t count)
{
    for (size_t i = 0; i < count; i++) pos[i + 1] += pos[i];
}
static void shift(uint32_t *pos, size_t count)
{
    memmove(pos + 1, pos, count * sizeof *pos);
    pos[0] = 0;
}
static void transpose(void *context, double *result)
{
    const bench_csr *a = &((const problem *)context)->a;
    assembled c = start(a->columns, bench_csr_entries(a));
    memset(c.pos, 0, (a->columns + 1) * sizeof *c.pos);
    for (size_t p = 0; p < bench_csr_entries(a); p++) c.pos[a->crd[p] + 1]++;
    sum_up(c.pos, a->columns);
    for (size_t i = 0; i < a->rows; i++)
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
            const size_t q = c.pos[a->crd[p]]++;
            c.crd[q] = (uint32_t)i;
            c.val[q] = a->val[p];
        }
    shift(c.pos, a->columns);
    finish(&c, bench_csr_entries(a), result);
}
static void coo_csr(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const size_t entries = d->A.val.length;
    assembled c = start(DIM(0), entries);
    memset(c.pos, 0, (DIM(0) + 1) * sizeof *c.pos);
    for (size_t p = 0; p < entries; p++) c.pos[CRD(d->A, 0)[p] + 1]++;
    sum_up(c.pos, DIM(0));
    memcpy(c.crd, CRD(d->A, 1), entries * sizeof *c.crd);
    memcpy(c.val, VAL(d->A), entries * sizeof *c.val);
    finish(&c, entries, result);
}
/* COO in any order to CSR: sorted by columns, then by rows */
static void shuffled_csr(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const size_t entries = d->A.val.length;
    const uint32_t *row = CRD(d->A, 0), *column = CRD(d->A, 1);
    struct entry { uint32_t row, column; double val; } *sorted = (struct entry *)room(entries, sizeof *sorted);
    uint32_t *at = (uint32_t *)calloc(DIM(1) + 1, sizeof *at);
    assembled c = start(DIM(0), entries);
    if (!at) exit(2);
    memset(c.pos, 0, (DIM(0) + 1) * sizeof *c.pos);
    for (size_t p = 0; p < entries; p++) c.pos[row[p] + 1]++, at[column[p] + 1]++;
    sum_up(at, DIM(1));
    sum_up(c.pos, DIM(0));
    for (size_t p = 0; p < entries; p++) sorted[at[column[p]]++] = (struct entry){row[p], column[p], VAL(d->A)[p]};
    for (size_t p = 0; p < entries; p++) {
        const size_t q = c.pos[sorted[p].row]++;
        c.crd[q] = sorted[p].column;
        c.val[q] = sorted[p].val;
    }
    shift(c.pos, DIM(0));
    free(at), free(sorted);
    finish(&c, entries, result);
}
/* CSR to DCSR: non-empty rows are counted first; or appended one by one, as TACO does */
static void dcsr(void *context, double *result)
{
    const bench_csr *a = &((const problem *)context)->a;
    const size_t entries = bench_csr_entries(a);
    size_t stored = 0;
    for (size_t i = 0; i < a->rows; i++) stored += a->pos[i] < a->pos[i + 1];
    assembled c = start(stored, entries);
    uint32_t *row = (uint32_t *)room(stored, sizeof *row);
    stored = 0;
    for (size_t i = 0; i < a->rows; i++)
        if (a->pos[i] < a->pos[i + 1]) row[stored] = (uint32_t)i, c.pos[++stored] = a->pos[i + 1];
    memcpy(c.crd, a->crd, entries * sizeof *c.crd);
    memcpy(c.val, a->val, entries * sizeof *c.val);
    show(row);
    free(row);
    finish(&c, entries, result);
}
static void dcsr_appended(void *context, double *result)
{
    const bench_csr *a = &((const problem *)context)->a;
    assembled rows = start(0, 1), c = start(0, 1);
    size_t n = 0, stored = 0, bounds = 1;
    for (size_t i = 0; i < a->rows; i++) {
        const size_t before = n;
        for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
            reserve(&c, n + 1);
            c.crd[n] = a->crd[p];
            c.val[n++] = a->val[p];
        }
        if (n == before) continue;
        if (stored + 1 >= bounds) {
            bounds *= 2;
            rows.crd = (uint32_t *)realloc(rows.crd, (bounds + 1) * sizeof *rows.crd);
            rows.pos = (uint32_t *)realloc(rows.pos, (bounds + 1) * sizeof *rows.pos);
            if (!rows.crd || !rows.pos) exit(2);
        }
        rows.crd[stored] = (uint32_t)i;
        rows.pos[++stored] = (uint32_t)n;
    }
    show(rows.pos), show(rows.crd);
    free(rows.pos), free(rows.crd), free(rows.val);
    finish(&c, n, result);
}
/* CSR to blocks of 4 x 4: a mark for each column of blocks has the position of its block */
static void bsr(void *context, double *result)
{
    const bench_csr *a = &((const problem *)context)->a;
    const size_t outer = (a->rows + 3) / 4, inner = (a->columns + 3) / 4;
    size_t *at = (size_t *)calloc(inner + 1, sizeof *at), blocks = 0;
    if (!at) exit(2);
    for (size_t b = 0; b < outer; b++)
        for (size_t p = a->pos[4 * b]; p < a->pos[4 * b + 4 < a->rows ? 4 * b + 4 : a->rows]; p++)
            if (at[a->crd[p] / 4] != b + 1) at[a->crd[p] / 4] = b + 1, blocks++;
    assembled c = start(outer, blocks);
    double *val = (double *)calloc(16 * blocks + 1, sizeof *val);
    memset(at, 0, (inner + 1) * sizeof *at);
    if (!val) exit(2);
    blocks = 0;
    for (size_t b = 0; b < outer; b++) {
        const size_t first = blocks, end = 4 * b + 4 < a->rows ? 4 * b + 4 : a->rows;
        for (size_t i = 4 * b; i < end; i++)
            for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++) {
                const uint32_t j = a->crd[p] / 4;
                if (at[j] <= first) c.crd[blocks++] = j, at[j] = blocks;
            }
        bench_sort_row(c.crd, first, blocks);
        for (size_t k = first; k < blocks; k++) at[c.crd[k]] = k + 1;
        for (size_t i = 4 * b; i < end; i++)
            for (size_t p = a->pos[i]; p < a->pos[i + 1]; p++)
                val[16 * (at[a->crd[p] / 4] - 1) + 4 * (i % 4) + a->crd[p] % 4] = a->val[p];
        c.pos[b + 1] = (uint32_t)blocks;
    }
    fingerprint_of_blocks(result, blocks, 16, c.crd, val);
    free(at), free(val), free(c.pos), free(c.crd), free(c.val);
}

/* >>files
   Lines are parsed with strtoul and strtod into an array that grows. That is the result, or it is sorted with qsort and
   packed, as in TACO. */
enum { TUPLE = 5 };
typedef struct entry { uint32_t crd[TUPLE]; double val; } entry;
static int compare_entries(const void *x, const void *y)
{
    const entry *a = (const entry *)x, *b = (const entry *)y;
    for (unsigned l = 0; l < TUPLE; l++)
        if (a->crd[l] != b->crd[l]) return a->crd[l] < b->crd[l] ? -1 : 1;
    return 0;
}
typedef struct entries {
    entry *all;
    size_t count, dim[TUPLE];
} entries;
/* Matrix files begin with a line of sizes, tensor files do not. */
static entries read_lines(const char *path, unsigned rank)
{
    char text[256], *at;
    size_t capacity = 1024;
    entries e = {(entry *)room(capacity, sizeof(entry)), 0, {0}};
    bool sizes = strstr(path, ".mtx") != NULL;
    FILE *f = fopen(path, "rb");
    if (!f) exit(2);
    while (fgets(text, sizeof text, f)) {
        if (text[0] == '%' || text[0] == '#') continue;
        at = text;
        if (sizes) {
            for (unsigned l = 0; l < rank; l++) e.dim[l] = strtoul(at, &at, 10);
            sizes = false;
            continue;
        }
        if (e.count == capacity) {
            capacity *= 2;
            e.all = (entry *)realloc(e.all, capacity * sizeof *e.all);
            if (!e.all) exit(2);
        }
        entry *next = &e.all[e.count++];
        memset(next->crd, 0, sizeof next->crd);
        for (unsigned l = 0; l < rank; l++) next->crd[l] = (uint32_t)(strtoul(at, &at, 10) - 1);
        next->val = strtod(at, NULL);
    }
    fclose(f);
    return e;
}
static void triplets(const problem *d, double *result, unsigned rank)
{
    entries e = read_lines(d->path, rank);
    if (result[0] < 1) {
        result[0] = 1 + (double)e.count;
        for (size_t p = 0; p < e.count; p++)
            result[1] += e.all[p].val, result[2] += e.all[p].val * (double)(e.all[p].crd[rank - 1] + 1);
    }
    free(e.all);
}
/* Packs sorted entries: a dense or compressed level of rows, and the last level. */
static void pack_rows(const problem *d, double *result, unsigned rank)
{
    entries e = read_lines(d->path, rank);
    qsort(e.all, e.count, sizeof *e.all, compare_entries);
    assembled c = start(e.dim[0], e.count);
    memset(c.pos, 0, (e.dim[0] + 1) * sizeof *c.pos);
    for (size_t p = 0; p < e.count; p++) {
        if (e.dim[0] > 0) c.pos[e.all[p].crd[0] + 1]++;
        c.crd[p] = e.all[p].crd[rank - 1];
        c.val[p] = e.all[p].val;
    }
    sum_up(c.pos, e.dim[0]);
    finish(&c, e.count, result);
    free(e.all);
}
RUN(read_mtx, pack_rows(d, result, 2))
RUN(read_mtx_triplets, triplets(d, result, 2))
RUN(read_tns, pack_rows(d, result, 3))
RUN(read_tns_triplets, triplets(d, result, 3))
RUN(read_tuples, triplets(d, result, d->A.encoding->rank))

/* Packs unsorted entries with all levels compressed; copies and sorts them first. */
static void pack_fibers(void *context, double *result)
{
    const problem *d = (const problem *)context;
    const unsigned rank = d->A.encoding->rank;
    const size_t count = d->A.val.length;
    entry *all = (entry *)room(count, sizeof *all);
    uint32_t *pos[TUPLE] = {NULL}, *crd[TUPLE] = {NULL};
    size_t stored[TUPLE] = {0};
    for (size_t p = 0; p < count; p++) {
        memset(all[p].crd, 0, sizeof all[p].crd);
        for (unsigned l = 0; l < rank; l++) all[p].crd[l] = CRD(d->A, l)[p];
        all[p].val = VAL(d->A)[p];
    }
    qsort(all, count, sizeof *all, compare_entries);
    double *val = (double *)room(count, sizeof *val);
    for (unsigned l = 0; l < rank; l++) {
        pos[l] = (uint32_t *)room(count + 1, sizeof **pos);
        crd[l] = (uint32_t *)room(count, sizeof **crd);
        pos[l][0] = 0;
    }
    for (size_t p = 0; p < count; p++) {
        unsigned l = 0; /* the first level at which this entry differs from the previous one */
        while (p > 0 && l + 1 < rank && all[p].crd[l] == all[p - 1].crd[l]) l++;
        for (; l < rank; l++) {
            if (l + 1 < rank) pos[l + 1][stored[l]] = (uint32_t)stored[l + 1];
            crd[l][stored[l]++] = all[p].crd[l];
        }
        val[p] = all[p].val;
    }
    pos[0][1] = (uint32_t)stored[0];
    for (unsigned l = 1; l < rank; l++) pos[l][stored[l - 1]] = (uint32_t)stored[l];
    fingerprint(result, count, crd[rank - 1], val);
    for (unsigned l = 0; l < rank; l++) free(pos[l]), free(crd[l]);
    free(val), free(all);
}

/* >>team */
static void begin(const problem *p, const char *operation)
{
    (void)operation;
    PEERS_THREADS(p);
}
static const peer peers[] = {
    {"spmv csr", "TACO's, MLIR's loop", spmv_csr},
    {"spmv csr", "loop, 32-bit positions", spmv_csr_u32},
    {"spmv dcsr", "TACO's, MLIR's loop", spmv_dcsr},
    {"spmv cd", "TACO's, MLIR's loop", spmv_cd},
    {"spmv bsr", "TACO's loop", spmv_bsr},
    {"spmv ell", "loop over padded rows", spmv_ell},
    {"spmv dia", "loop", spmv_dia},
    {"spmv n2m4", "loop", spmv_n2m4},
    {"spmm", "TACO's, MLIR's loop", spmm},
    {"spmm", "loop to a constant", spmm_constant},
    {"mttkrp dss", "TACO's, MLIR's loop", mttkrp_dss},
    {"mttkrp dss", "loop with a row of sums", mttkrp_dss_row},
    {"mttkrp alt", "TACO's, MLIR's loop", mttkrp_alt},
    {"mttkrp alt", "loop with a row of sums", mttkrp_alt_row},
    {"sum3", "TACO's merge, if", sum3},
    {"sum3", "TACO's, MLIR's merge, +=", sum3_add},
    {"union3 dense", "TACO's merge, if", union3},
    {"union3 dense", "TACO's, MLIR's merge, +=", union3_add},
    {"union3 sparse", "TACO's merge, if", union3_sparse},
    {"union3 sparse", "TACO's, MLIR's merge, +=", union3_sparse_add},
    {"dot", "TACO's merge, if", dot},
    {"dot", "TACO's, MLIR's merge, +=", dot_add},
    {"add", "TACO's merge, if", add},
    {"add", "TACO's, MLIR's merge, +=", add_add},
    {"triangles", "TACO's merge, if", triangles},
    {"triangles", "TACO's, MLIR's merge, +=", triangles_add},
    {"triangles marked", "loop, row i marked once", triangles_marked},
    {"masked marked", "loop, row i marked once", masked},
    {"bfs", "loop by a queue", bfs_queue},
    {"bfs", "loop by a queue, or by who is not found", bfs_both},
    {"distances", "loop by queues", distances},
    {"distances few", "loop by queues", distances},
    {"distances many", "loop by queues", distances},
    {"pagerank", "loop", pagerank},
    {"spgemm", "TACO's loop, list sorted", spgemm},
    {"spgemm", "Gustavson's loop, list or marks", spgemm_scans},
    {"sddmm csr", "TACO's loop, pattern copied", sddmm},
    {"sddmm csr", "loop, entry after the sum", sddmm_after},
    {"sddmm dcsr", "TACO's loop, pattern copied", sddmm},
    {"sddmm dcsr", "loop, entry after the sum", sddmm_after},
    {"ttv", "TACO's loop, arrays that double", ttv},
    {"ttm", "TACO's loop, pattern copied", run_ttm_rows},
    {"ttm", "loop with a row of sums, pattern copied", run_ttm_sums},
    {"transpose", "TACO's loop, counted", transpose},
    {"coo csr", "TACO's loop, counted", coo_csr},
    {"shuffled csr", "loops, two counting sorts", shuffled_csr},
    {"dcsr counted", "loop, counted", dcsr},
    {"dcsr", "TACO's loop, appended", dcsr_appended},
    {"bsr", "loop, counted", bsr},
    {"read mtx", "strtod, sorted and packed (TACO)", read_mtx},
    {"read mtx", "strtod into triplets", read_mtx_triplets},
    {"read tns", "strtod, sorted and packed (TACO)", read_tns},
    {"read tns", "strtod into triplets", read_tns_triplets},
    {"read tuples", "TACO's reader: strtod into tuples", read_tuples},
    {"pack fibers", "TACO's packing: qsort, then levels", pack_fibers},
    {NULL, NULL, NULL}};
extern const contestants PEERS_TEAM;
const contestants PEERS_TEAM = {PEERS_NAME, false, TUNED, peers, begin, NULL, PEERS_PARALLEL ? SEVERAL_THREADS : ONE_THREAD};
