/* rsb.c: the team of librsb: products with dense vectors and matrices, with one thread. */
#include "peers.h"

#include <rsb.h>

static struct rsb_mtx_t *a;
static bool initialised;

static void check(rsb_err_t error)
{
    if (error == RSB_ERR_NO_ERROR) return;
    fprintf(stderr, "peers: librsb returns %d\n", (int)error);
    exit(2);
}
static void begin(const problem *p, const char *operation)
{
    const size_t entries = bench_csr_entries(&p->a);
    const rsb_int_t one = 1;
    rsb_err_t error;
    (void)operation;
    if (!initialised) check(rsb_lib_init(RSB_NULL_INIT_OPTIONS));
    initialised = true;
    check(rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &one));
    rsb_coo_idx_t *row = (rsb_coo_idx_t *)malloc((entries + 1) * sizeof *row);
    if (!row) exit(2);
    for (size_t i = 0; i < p->a.rows; i++)
        for (size_t q = p->a.pos[i]; q < p->a.pos[i + 1]; q++) row[q] = (rsb_coo_idx_t)i;
    a = rsb_mtx_alloc_from_coo_const(p->a.val, row, (const rsb_coo_idx_t *)p->a.crd, (rsb_nnz_idx_t)entries,
                                     RSB_NUMERICAL_TYPE_DOUBLE, (rsb_coo_idx_t)p->a.rows, (rsb_coo_idx_t)p->a.columns, 0, 0,
                                     RSB_FLAG_NOFLAGS, &error);
    check(error);
    free(row);
}
static void end(void)
{
    rsb_mtx_free(a);
    a = NULL;
}
static void spmv(void *context, double *result)
{
    const problem *p = (const problem *)context;
    const double one = 1;
    check(rsb_spmv(RSB_TRANSPOSITION_N, &one, a, p->x, 1, &one, result, 1));
}
static void spmm(void *context, double *result)
{
    const problem *p = (const problem *)context;
    const double one = 1;
    const rsb_nnz_idx_t columns = (rsb_nnz_idx_t)p->columns;
    check(rsb_spmm(RSB_TRANSPOSITION_N, &one, a, (rsb_coo_idx_t)columns, RSB_FLAG_WANT_ROW_MAJOR_ORDER, p->X, columns, &one,
                   result, columns));
}

static const peer peers[] = {{"spmv csr", "librsb", spmv}, {"spmm", "librsb", spmm}, {NULL, NULL, NULL}};
extern const contestants PEERS_TEAM;
const contestants PEERS_TEAM = {PEERS_NAME, false, TUNED, peers, begin, end, ONE_THREAD};
