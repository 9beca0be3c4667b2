/* graphblas.c: SuiteSparse:GraphBLAS, with as many threads as the problem allows. */
#include "peers.h"

#include <GraphBLAS.h>

static GrB_Matrix a, b, wide, sum;
static GrB_Vector x, y, shares; /* shares: what a vertex of rank 1 gives to each neighbour */
static bool initialised, checked;

static void check(GrB_Info info)
{
    if (info == GrB_SUCCESS) return;
    fprintf(stderr, "peers: GraphBLAS returns %d\n", (int)info);
    exit(2);
}
static GrB_Matrix copy(const bench_csr *m)
{
    const size_t entries = bench_csr_entries(m);
    GrB_Matrix g;
    GrB_Index *i = (GrB_Index *)malloc((entries + 1) * sizeof *i), *j = (GrB_Index *)malloc((entries + 1) * sizeof *j);
    if (!i || !j) exit(2);
    for (size_t r = 0; r < m->rows; r++)
        for (size_t p = m->pos[r]; p < m->pos[r + 1]; p++) i[p] = r, j[p] = m->crd[p];
    check(GrB_Matrix_new(&g, GrB_FP64, m->rows, m->columns));
    check(GrB_Matrix_build_FP64(g, i, j, m->val, entries, GrB_PLUS_FP64));
    check(GrB_Matrix_wait(g, GrB_MATERIALIZE));
    free(i), free(j);
    return g;
}
/* A dense matrix by rows with a copy of these values, which GraphBLAS then owns; or with zeros. */
static GrB_Matrix copy_dense(const double *val, size_t rows, size_t columns)
{
    GrB_Matrix g;
    const size_t bytes = rows * columns * sizeof *val;
    void *all = calloc(rows * columns + 1, sizeof *val);
    if (!all) exit(2);
    if (val) memcpy(all, val, bytes);
    check(GrB_Matrix_new(&g, GrB_FP64, rows, columns));
    check(GxB_Matrix_Option_set(g, GxB_FORMAT, GxB_BY_ROW));
    check(GxB_Matrix_pack_FullR(g, &all, bytes, false, NULL));
    return g;
}
static void begin(const problem *p, const char *operation)
{
    checked = false;
    if (!initialised) check(GrB_init(GrB_NONBLOCKING));
    initialised = true;
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, p->threads > 1 ? (int)p->threads : 1));
    if (p->a.rows) a = copy(&p->a);
    if (p->b.rows) b = copy(&p->b);
    if (strcmp(operation, "spmm") == 0) {
        wide = copy_dense(p->X, p->a.columns, p->columns);
        sum = copy_dense(NULL, p->a.rows, p->columns);
    }
    if (strcmp(operation, "pagerank") == 0) {
        check(GrB_Vector_new(&shares, GrB_FP64, p->a.rows));
        for (size_t i = 0; i < p->a.rows; i++) {
            const size_t degree = p->a.pos[i + 1] - p->a.pos[i];
            if (degree > 0) check(GrB_Vector_setElement_FP64(shares, RANK_STAY / (double)degree, i));
        }
        check(GrB_Vector_wait(shares, GrB_MATERIALIZE));
    }
    if (strcmp(operation, "spmv csr") == 0) {
        check(GrB_Vector_new(&x, GrB_FP64, p->a.columns));
        for (size_t j = 0; j < p->a.columns; j++) check(GrB_Vector_setElement_FP64(x, p->x[j], j));
        check(GrB_Vector_wait(x, GrB_MATERIALIZE));
        check(GrB_Vector_new(&y, GrB_FP64, p->a.rows));
        check(GrB_Vector_assign_FP64(y, NULL, NULL, 0, GrB_ALL, p->a.rows, NULL));
    }
}
static void end(void)
{
    GrB_Vector_free(&shares);
    GrB_Matrix_free(&a);
    GrB_Matrix_free(&b);
    GrB_Matrix_free(&wide);
    GrB_Matrix_free(&sum);
    GrB_Vector_free(&x);
    GrB_Vector_free(&y);
}
/* Completes a result, computes its fingerprint if results are compared, and frees it. */
static void printed(GrB_Matrix c, double *result)
{
    check(GrB_Matrix_wait(c, GrB_MATERIALIZE));
    if (result[0] < 1) {
        GrB_Index entries;
        check(GrB_Matrix_nvals(&entries, c));
        GrB_Index *j = (GrB_Index *)malloc((entries + 1) * sizeof *j);
        uint32_t *crd = (uint32_t *)malloc((entries + 1) * sizeof *crd);
        double *val = (double *)malloc((entries + 1) * sizeof *val);
        if (!j || !crd || !val) exit(2);
        check(GrB_Matrix_extractTuples_FP64(NULL, j, val, &entries, c));
        for (size_t p = 0; p < entries; p++) crd[p] = (uint32_t)j[p];
        fingerprint(result, entries, crd, val);
        free(j), free(crd), free(val);
    }
    GrB_Matrix_free(&c);
}
static GrB_Matrix fresh(const problem *p, size_t columns)
{
    GrB_Matrix c;
    check(GrB_Matrix_new(&c, GrB_FP64, p->a.rows, columns));
    return c;
}
/* Dense results stay in full storage and are added to; they are copied only when results are compared. */
static void spmv(void *context, double *result)
{
    const problem *p = (const problem *)context;
    check(GrB_mxv(y, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, a, x, NULL));
    check(GrB_Vector_wait(y, GrB_MATERIALIZE));
    for (size_t i = 0; !checked && i < p->a.rows; i++) check(GrB_Vector_extractElement_FP64(&result[i], y, i));
    checked = true;
}
static void spmm(void *context, double *result)
{
    const problem *p = (const problem *)context;
    check(GrB_mxm(sum, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, a, wide, NULL));
    check(GrB_Matrix_wait(sum, GrB_MATERIALIZE));
    for (size_t k = 0; !checked && k < p->length; k++)
        check(GrB_Matrix_extractElement_FP64(&result[k], sum, k / p->columns, k % p->columns));
    checked = true;
}
static void spgemm(void *context, double *result)
{
    const problem *p = (const problem *)context;
    GrB_Matrix c = fresh(p, p->b.columns);
    check(GrB_mxm(c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, b, NULL));
    printed(c, result);
}
static void add(void *context, double *result)
{
    GrB_Matrix c = fresh((const problem *)context, ((const problem *)context)->a.columns);
    check(GrB_Matrix_eWiseAdd_BinaryOp(c, NULL, NULL, GrB_PLUS_FP64, a, b, NULL));
    printed(c, result);
}
/* a .* (a b): the masked product, times the values of the mask */
static void masked(void *context, double *result)
{
    const problem *p = (const problem *)context;
    GrB_Matrix c = fresh(p, p->b.columns), ab = fresh(p, p->b.columns);
    check(GrB_mxm(ab, a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, b, GrB_DESC_S));
    check(GrB_Matrix_eWiseMult_BinaryOp(c, NULL, NULL, GrB_TIMES_FP64, ab, a, NULL));
    GrB_Matrix_free(&ab);
    printed(c, result);
}
static void triangles(void *context, double *result)
{
    const problem *p = (const problem *)context;
    double total = 0;
    GrB_Matrix c = fresh(p, p->a.columns);
    check(GrB_mxm(c, a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, a, GrB_DESC_S));
    check(GrB_Matrix_eWiseMult_BinaryOp(c, NULL, NULL, GrB_TIMES_FP64, c, a, NULL));
    check(GrB_Matrix_reduce_FP64(&total, NULL, GrB_PLUS_MONOID_FP64, c, NULL));
    GrB_Matrix_free(&c);
    *result += total;
}

/* Graph algorithms, as in LAGraph. A vector over all vertices, filled with a value. */
static GrB_Vector everywhere(const problem *p, double value)
{
    GrB_Vector v;
    check(GrB_Vector_new(&v, GrB_FP64, p->a.rows));
    check(GrB_Vector_assign_FP64(v, NULL, NULL, value, GrB_ALL, p->a.rows, NULL));
    return v;
}
static size_t stored(GrB_Vector v)
{
    GrB_Index count;
    check(GrB_Vector_nvals(&count, v));
    return count;
}
static void copied_out(GrB_Vector v, const problem *p, double *result)
{
    if (result[0] > 0) return;
    GrB_Index count = p->a.rows, *i = (GrB_Index *)malloc(count * sizeof *i);
    double *val = (double *)malloc(count * sizeof *val), *all = (double *)malloc(count * sizeof *all);
    if (!i || !val || !all) exit(2);
    check(GrB_Vector_extractTuples_FP64(i, val, &count, v));
    for (size_t k = 0; k < p->a.rows; k++) all[k] = HUGE_VAL;
    for (size_t k = 0; k < count; k++) all[i[k]] = val[k];
    fingerprint_of(result, p->a.rows, all);
    free(i), free(val), free(all);
}
/* Breadth-first search: pushes from the front, q'A; with `pulls`, if the front is large, the other vertices look for it, A
   q. */
static void search(const problem *p, double *result, bool pulls)
{
    GrB_Vector steps, q;
    check(GrB_Vector_new(&steps, GrB_INT32, p->a.rows));
    check(GrB_Vector_new(&q, GrB_BOOL, p->a.rows));
    check(GxB_Vector_Option_set(steps, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
    check(GrB_Vector_setElement_BOOL(q, true, p->source));
    check(GrB_Vector_setElement_INT32(steps, 0, p->source));
    bool pull = false;
    for (int32_t s = 1; stored(q) > 0; s++) {
        pull = pulls && stored(q) > p->a.rows / (pull ? 512 : 32);
        check(GxB_Vector_Option_set(q, GxB_SPARSITY_CONTROL, pull ? GxB_BITMAP : GxB_SPARSE));
        if (pull) check(GrB_mxv(q, steps, NULL, GxB_ANY_PAIR_BOOL, a, q, GrB_DESC_RSC));
        else check(GrB_vxm(q, steps, NULL, GxB_ANY_PAIR_BOOL, q, a, GrB_DESC_RSC));
        check(GrB_Vector_assign_INT32(steps, q, NULL, s, GrB_ALL, p->a.rows, GrB_DESC_S));
    }
    copied_out(steps, p, result);
    GrB_Vector_free(&steps), GrB_Vector_free(&q);
}
static void bfs(void *context, double *result) { search((const problem *)context, result, false); }
static void bfs_pulled(void *context, double *result) { search((const problem *)context, result, true); }
/* Shortest paths: relaxes all edges in every round until no path gets shorter; or only the edges of vertices that got
   nearer. */
static void distances(void *context, double *result)
{
    const problem *p = (const problem *)context;
    GrB_Vector far = everywhere(p, HUGE_VAL), before;
    bool same = false;
    check(GrB_Vector_setElement_FP64(far, 0, p->source));
    check(GrB_Vector_dup(&before, far));
    while (!same) {
        GrB_Vector differ;
        check(GrB_Vector_new(&differ, GrB_BOOL, p->a.rows));
        check(GrB_mxv(far, NULL, GrB_MIN_FP64, GrB_MIN_PLUS_SEMIRING_FP64, a, before, NULL));
        check(GrB_Vector_eWiseMult_BinaryOp(differ, NULL, NULL, GrB_EQ_FP64, far, before, NULL));
        check(GrB_Vector_reduce_BOOL(&same, NULL, GrB_LAND_MONOID_BOOL, differ, NULL));
        check(GrB_Vector_assign(before, NULL, NULL, far, GrB_ALL, p->a.rows, NULL));
        GrB_Vector_free(&differ);
    }
    copied_out(far, p, result);
    GrB_Vector_free(&far), GrB_Vector_free(&before);
}
static void distances_front(void *context, double *result)
{
    const problem *p = (const problem *)context;
    GrB_Vector far = everywhere(p, HUGE_VAL), now, next, less;
    check(GrB_Vector_new(&now, GrB_FP64, p->a.rows));
    check(GrB_Vector_new(&next, GrB_FP64, p->a.rows));
    check(GrB_Vector_new(&less, GrB_BOOL, p->a.rows));
    check(GrB_Vector_setElement_FP64(far, 0, p->source));
    check(GrB_Vector_setElement_FP64(now, 0, p->source));
    while (stored(now) > 0) {
        check(GrB_vxm(next, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, now, a, NULL));
        check(GrB_Vector_eWiseMult_BinaryOp(less, NULL, NULL, GrB_LT_FP64, next, far, NULL));
        check(GrB_Vector_apply(now, less, NULL, GrB_IDENTITY_FP64, next, GrB_DESC_R));
        check(GrB_Vector_assign(far, now, NULL, now, GrB_ALL, p->a.rows, GrB_DESC_S));
    }
    copied_out(far, p, result);
    GrB_Vector_free(&far), GrB_Vector_free(&now), GrB_Vector_free(&next), GrB_Vector_free(&less);
}
static void pagerank(void *context, double *result)
{
    const problem *p = (const problem *)context;
    const double n = (double)p->a.rows;
    GrB_Vector rank = everywhere(p, 1 / n), share;
    check(GrB_Vector_new(&share, GrB_FP64, p->a.rows));
    for (unsigned step = 0; step < RANK_STEPS; step++) {
        check(GrB_Vector_eWiseMult_BinaryOp(share, NULL, NULL, GrB_TIMES_FP64, rank, shares, NULL));
        check(GrB_Vector_assign_FP64(rank, NULL, NULL, (1 - RANK_STAY) / n, GrB_ALL, p->a.rows, NULL));
        check(GrB_mxv(rank, NULL, GrB_PLUS_FP64, GxB_PLUS_SECOND_FP64, a, share, NULL));
    }
    copied_out(rank, p, result);
    GrB_Vector_free(&rank), GrB_Vector_free(&share);
}

static const peer peers[] = {
    {"spmv csr", "GraphBLAS", spmv},     {"spmm", "GraphBLAS", spmm},           {"spgemm", "GraphBLAS", spgemm},
    {"add", "GraphBLAS", add},           {"masked", "GraphBLAS", masked},       {"triangles", "GraphBLAS", triangles},
    {"masked marked", "GraphBLAS", masked}, {"triangles marked", "GraphBLAS", triangles},
    {"bfs", "GraphBLAS, push", bfs},     {"bfs", "GraphBLAS, push and pull", bfs_pulled},
    {"distances", "GraphBLAS, of a front", distances_front},
    {"distances few", "GraphBLAS", distances}, {"distances few", "GraphBLAS, of a front", distances_front},
    {"pagerank", "GraphBLAS", pagerank},
    {NULL, NULL, NULL}};
extern const contestants PEERS_TEAM;
const contestants PEERS_TEAM = {PEERS_NAME, false, TUNED, peers, begin, end, ANY_THREADS};
