/* graphblas.c: SuiteSparse:GraphBLAS, on one thread. */
#include "peers.h"

#include <GraphBLAS.h>

static GrB_Matrix a, b, wide, sum;
static GrB_Vector x, y;
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
/* A dense matrix by rows, of a copy of these values, which GraphBLAS takes over; or of zeros. */
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
    check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1));
    if (p->a.rows) a = copy(&p->a);
    if (p->b.rows) b = copy(&p->b);
    if (strcmp(operation, "spmm") == 0) {
        wide = copy_dense(p->X, p->a.columns, p->columns);
        sum = copy_dense(NULL, p->a.rows, p->columns);
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
    GrB_Matrix_free(&a);
    GrB_Matrix_free(&b);
    GrB_Matrix_free(&wide);
    GrB_Matrix_free(&sum);
    GrB_Vector_free(&x);
    GrB_Vector_free(&y);
}
/* A result is done, looked at if the check asks, and freed. */
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
/* Dense results stay where they are, in full storage, to be added to; the check sees them once. */
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
/* a .* (a b): the product below the mask, times the mask's own values */
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

static const peer peers[] = {
    {"spmv csr", "GraphBLAS", spmv},     {"spmm", "GraphBLAS", spmm},           {"spgemm", "GraphBLAS", spgemm},
    {"add", "GraphBLAS", add},           {"masked", "GraphBLAS", masked},       {"triangles", "GraphBLAS", triangles},
    {NULL, NULL, NULL}};
extern const team PEERS_TEAM;
const team PEERS_TEAM = {PEERS_NAME, false, false, peers, begin, end};
