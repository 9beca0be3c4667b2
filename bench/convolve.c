/* convolve.c: compares kernels whose operands are read at sums of indices with the dense loop nest and with loops in the
   form of TACO-UCF and of MLIR, written by hand (sections.h). It repeats the experiments of Liu and others 2024, "Compiler
   Support for Sparse Tensor Convolutions". Each is printed as a Markdown table and drawn in build/. README.md in this
   directory explains them.

     build/gcc/convolve                        everything
     build/gcc/convolve "Figure 17" threads    tables whose titles contain one of the words
     build/gcc/convolve count 1_ip 90 kit 2    a contestant runs twice, and nothing else is printed: for convolve.sh

   Contents (search for the anchors)
     >>kernels       the kernel lines
     >>data          operands
     >>contestants   an order of loops, and its contestants
     >>sheets        a table and its figure
     >>experiments   a function for each */
#include "bench.h"
#include "chart.h"
#include "sections.h"
#include "sparse.h"
#include "sparse_io.h"

#ifdef _OPENMP
enum { THREADED = 1 };
#else
enum { THREADED = 0 };
#endif

/* >>kernels
   Their names have the storage of the input and the order of the loops. */
#define VEC   vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT   mat, SPARSE_DENSE_2D, double, 32, 32
#define CUBE  cube, SPARSE_DENSE_3D, double, 32, 32
#define LIST  list, SPARSE_VECTOR, double, 32, 32
#define CSR   csr, SPARSE_CSR, double, 32, 32
#define CSC   csc, SPARSE_CSC, double, 32, 32
#define DCSR  dcsr, SPARSE_DCSR, double, 32, 32
#define COO   coo, SPARSE_COO_SOA, double, 32, 32
#define CD    cd, SPARSE_CD, double, 32, 32
#define CSF   csf, SPARSE_CSF_3D, double, 32, 32
#define DENSE_4D four, SPARSE_DENSE_4D, double, 32, 32
#define DDDC  dddc, ((n, h, w, c), (dense, n), (dense, h), (dense, w), (compressed, c)), double, 32, 32
#define DCCC  dccc, ((n, h, w, c), (dense, n), (compressed, h), (compressed, w), (compressed, c)), double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CUBE)
SPARSE_TENSOR(LIST)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(CD)
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(DENSE_4D)
#define DCSC  dcsc, SPARSE_DCSC, double, 32, 32
SPARSE_TENSOR(DDDC)
SPARSE_TENSOR(DCCC)
SPARSE_TENSOR(DCSC)

#define LINE_1(name, ...) SPARSE_KERNEL(name, (__VA_ARGS__), (A, VEC, i), all((I, LIST, plus(i, p)), (F, VEC, p)), A += I * F)
#define PLANE_2(name, TYPE, ...)                                                                                                 \
    SPARSE_KERNEL(name, (__VA_ARGS__), (A, MAT, i, j), all((I, TYPE, plus(i, p), plus(j, q)), (F, MAT, p, q)), A += I * F)
#define SPACE_3(name, ...)                                                                                                       \
    SPARSE_KERNEL(name, (__VA_ARGS__), (A, CUBE, i, j, k),                                                                       \
                  all((I, CSF, plus(i, p), plus(j, q), plus(k, r)), (F, CUBE, p, q, r)), A += I * F)
/* loops in stored order: they visit the stored entries, and compute the element of the output */
#define STORED_2(name, TYPE, ...)                                                                                                \
    SPARSE_KERNEL(name, (__VA_ARGS__), (A, MAT, i, j), all((I, TYPE, r, s), (F, MAT, p, q)), A += I * F)
SPARSE_KERNEL(list_stored, (s, range(p, 3), let(i, s - p)), (A, VEC, i), all((I, LIST, s), (F, VEC, p)), A += I * F)
STORED_2(csr_stored, CSR, r, s, range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
STORED_2(csc_stored, CSC, s, r, range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
STORED_2(dcsr_stored, DCSR, r, s, range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
STORED_2(coo_stored, COO, r, s, range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
SPARSE_KERNEL(csf_stored, (i, p, s, t, range(q, 3), let(j, s - q), range(r, 3), let(k, t - r)), (A, CUBE, i, j, k),
              all((I, CSF, plus(i, p), s, t), (F, CUBE, p, q, r)), A += I * F)
SPARSE_KERNEL(cd_known, (i, p, j, range(q, 3)), (A, MAT, i, j), all((I, CD, plus(i, p), plus(j, q)), (F, MAT, p, q)), A += I * F)
SPARSE_KERNEL(csr_sparse_stored, (i, p, s, range(q, 3), let(j, s - q, columns)), (A, CSR, i, j),
              all((I, CSR, plus(i, p), s), (F, MAT, p, q), (columns, size_t)), A += I * F)
/* in stored order, with prefetched elements of the output */
SPARSE_KERNEL(list_ahead, (prefetch(s), range(p, 3), let(i, s - p)), (A, VEC, i), all((I, LIST, s), (F, VEC, p)), A += I * F)
STORED_2(csr_ahead, CSR, r, prefetch(s), range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
STORED_2(csc_ahead, CSC, s, prefetch(r), range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
STORED_2(dcsr_ahead, DCSR, r, prefetch(s), range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
STORED_2(coo_ahead, COO, r, prefetch(s), range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
SPARSE_KERNEL(csf_ahead, (i, p, s, prefetch(t), range(q, 3), let(j, s - q), range(r, 3), let(k, t - r)), (A, CUBE, i, j, k),
              all((I, CSF, plus(i, p), s, t), (F, CUBE, p, q, r)), A += I * F)
/* along rows: the stored entries of a row of the window, and all their terms for one row of the output */
#define ROWS_2(name, TYPE)                                                                                                       \
    SPARSE_KERNEL(name, (i, range(p, 3), s, range(q, 3), let(j, s - q)), (A, MAT, i, j),                                         \
                  all((I, TYPE, plus(i, p), s), (F, MAT, p, q)), A += I * F)
ROWS_2(csr_rows, CSR)
ROWS_2(dcsr_rows, DCSR)
ROWS_2(coo_rows, COO)
SPARSE_KERNEL(csc_rows, (j, range(q, 3), r, range(p, 3), let(i, r - p)), (A, MAT, i, j),
              all((I, CSC, r, plus(j, q)), (F, MAT, p, q)), A += I * F)
SPARSE_KERNEL(csf_rows, (i, p, j, q, t, range(r, 3), let(k, t - r)), (A, CUBE, i, j, k),
              all((I, CSF, plus(i, p), plus(j, q), t), (F, CUBE, p, q, r)), A += I * F)
/* rows opened: a stored row is copied to an array, and added to all rows of the output that need it, with vector
   instructions */
#define OPENED_2(name, TYPE)                                                                                                     \
    SPARSE_KERNEL(name, (r, range(p, 3), let(i, r - p), j, range(q, 3)), (A, MAT, i, j),                                         \
                  all(where((w, VEC, let(s, plus(j, q))), (s), all((I, TYPE, r, s)), w = I), (F, MAT, p, q)), A += w * F)
OPENED_2(csr_opened, CSR)
OPENED_2(dcsr_opened, DCSR)
OPENED_2(coo_opened, COO)
SPARSE_KERNEL(csf_opened, (i, p, s, range(q, 3), let(j, s - q), k, range(r, 3)), (A, CUBE, i, j, k),
              all(where((w, VEC, let(t, plus(k, r))), (t), all((I, CSF, plus(i, p), s, t)), w = I), (F, CUBE, p, q, r)), A += w * F)
LINE_1(list_ip, i, p)
LINE_1(list_pi, p, i)
PLANE_2(csr_ijpq, CSR, i, j, p, q)
PLANE_2(csr_ipjq, CSR, i, p, j, q)
PLANE_2(csr_ipqj, CSR, i, p, q, j)
PLANE_2(csr_piqj, CSR, p, i, q, j)
PLANE_2(csr_pqij, CSR, p, q, i, j)
PLANE_2(csc_jqip, CSC, j, q, i, p)
PLANE_2(csc_jqpi, CSC, j, q, p, i)
PLANE_2(dcsr_ipjq, DCSR, i, p, j, q)
PLANE_2(dcsr_ipqj, DCSR, i, p, q, j)
PLANE_2(coo_ipjq, COO, i, p, j, q)
PLANE_2(coo_ipqj, COO, i, p, q, j)
PLANE_2(cd_ipjq, CD, i, p, j, q)
PLANE_2(cd_ipqj, CD, i, p, q, j)
SPARSE_KERNEL(csr_threads, (parallel(i), p, s, range(q, 3), let(j, s - q)), (A, MAT, i, j),
              all((I, CSR, plus(i, p), s), (F, MAT, p, q)), A += I * F)
SPACE_3(csf_ijkpqr, i, j, k, p, q, r)
SPACE_3(csf_ipjqkr, i, p, j, q, k, r)
SPACE_3(csf_ipjqrk, i, p, j, q, r, k)
SPACE_3(csf_piqjrk, p, i, q, j, r, k)
SPARSE_KERNEL(csr_sparse, (i, j, p, q), (A, CSR, i, j), all((I, CSR, plus(i, p), plus(j, q)), (F, MAT, p, q)), A += I * F)
SPARSE_KERNEL(csr_sparse_row, (i, p, q, j), (A, CSR, i, j), all((I, CSR, plus(i, p), plus(j, q)), (F, MAT, p, q)), A += I * F)
/* input, window and result sparse, in one encoding; the loops visit each element of the result, or the stored entries */
#define DUAL_2D(name, TYPE, ...)                                                                                                 \
    SPARSE_KERNEL(name, (__VA_ARGS__), (A, TYPE, i, j), all((I, TYPE, plus(i, p), plus(j, q)), (F, TYPE, p, q)), A += I * F)
#define DUAL_ROWS(name, TYPE)                                                                                                    \
    SPARSE_KERNEL(name, (i, p, s, q, let(j, s - q, extent)), (A, TYPE, i, j),                                                    \
                  all((I, TYPE, plus(i, p), s), (F, TYPE, p, q), (extent, size_t)), A += I * F)
DUAL_2D(csr_dual, CSR, i, j, p, q)
DUAL_2D(csc_dual, CSC, j, i, q, p)
DUAL_2D(dcsr_dual, DCSR, i, j, p, q)
DUAL_2D(coo_dual, COO, i, j, p, q)
DUAL_2D(cd_dual, CD, i, j, p, q)
SPARSE_KERNEL(ccc_dual, (i, j, k, p, q, r), (A, CSF, i, j, k),
              all((I, CSF, plus(i, p), plus(j, q), plus(k, r)), (F, CSF, p, q, r)), A += I * F)
DUAL_2D(csr_dual_rows, CSR, i, p, q, j)
DUAL_2D(csc_dual_rows, CSC, j, q, p, i)
DUAL_2D(dcsr_dual_rows, DCSR, i, p, q, j)
DUAL_2D(coo_dual_rows, COO, i, p, q, j)
DUAL_ROWS(csr_dual_line, CSR)
DUAL_ROWS(dcsr_dual_line, DCSR)
DUAL_ROWS(coo_dual_line, COO)
DUAL_2D(cd_dual_line, CD, i, p, q, j)
SPARSE_KERNEL(csc_dual_line, (j, q, r, p, let(i, r - p, extent)), (A, CSC, i, j),
              all((I, CSC, r, plus(j, q)), (F, CSC, p, q), (extent, size_t)), A += I * F)
SPARSE_KERNEL(ccc_dual_line, (i, p, j, q, t, r, let(k, t - r, extent)), (A, CSF, i, j, k),
              all((I, CSF, plus(i, p), plus(j, q), t), (F, CSF, p, q, r), (extent, size_t)), A += I * F)
#define LAYERS(name, TYPE, h, p, w, q, ...)                                                                                      \
    SPARSE_KERNEL(name, (__VA_ARGS__), (A, DENSE_4D, n, i, j, f),                                                                \
                  all((I, TYPE, n, plus(h, p), plus(w, q), c), (F, DENSE_4D, p, q, c, f)), A += I * F)
LAYERS(layer, DDDC, i, p, j, q, n, i, j, p, q, c, f)
LAYERS(layer_threads, DDDC, i, p, j, q, n, parallel(i), j, p, q, c, f)
LAYERS(layer_2, DDDC, times(2, i), p, times(2, j), q, n, i, j, p, q, c, f)
LAYERS(layer_rows, DDDC, i, p, j, q, n, i, p, q, j, c, f)
LAYERS(layer_2_rows, DDDC, times(2, i), p, times(2, j), q, n, i, p, q, j, c, f)
LAYERS(layer_compressed, DCCC, i, p, j, q, n, i, j, p, q, c, f)
LAYERS(layer_compressed_unrolled, DCCC, i, p, j, q, n, i, j, p, q, unroll(c), f)
/* the stored entries of a row of the image are added to all their elements in a row of the output; with stride 2, to every
   second */
#define LAYERS_STORED(name, h, place)                                                                                            \
    SPARSE_KERNEL(name, (n, i, p, w, c, q, let(j, place), f), (A, DENSE_4D, n, i, j, f),                                         \
                  all((I, DDDC, n, plus(h, p), w, c), (F, DENSE_4D, p, q, c, f)), A += I * F)
LAYERS_STORED(layer_stored, i, w - q)
LAYERS_STORED(layer_2_stored, times(2, i), (w - q) % 2 ? SIZE_MAX : (w - q) / 2)

/* along the stored pixels of a row of the image; each is added to all its elements of the row */
SPARSE_KERNEL(layer_compressed_rows, (n, i, p, w, q, let(j, w - q), c, f), (A, DENSE_4D, n, i, j, f),
              all((I, DCCC, n, plus(i, p), w, c), (F, DENSE_4D, p, q, c, f)), A += I * F)

SPARSE_KERNEL(layer_compressed_ahead, (n, i, p, prefetch(w), q, let(j, w - q), c, f), (A, DENSE_4D, n, i, j, f),
              all((I, DCCC, n, plus(i, p), w, c), (F, DENSE_4D, p, q, c, f)), A += I * F)

/* >>data
   The first members are for loops by hand, and point into the tensors below. Outputs have only a shape; their values are in
   the contestant's array. */
/* clang-format off */
#define TENSORS(T) \
    T(list, S) T(csr, R) T(csc, C) T(dcsr, D) T(coo, M) T(cd, E) T(csf, B) T(dddc, P) T(dccc, Q) \
    T(vec, f) T(mat, f2) T(cube, f3) T(four, f4) T(vec, a) T(mat, a2) T(cube, a3) T(four, a4) T(csr, sparse)
#define MEMBER(type, name) type name;
#define EMPTY(type, name)  d->name = (type)SPARSE_INIT(type);
#define FREE(type, name)   sparse_free(&d->name.t);
typedef struct data {
    problem loops;
    TENSORS(MEMBER)
    /* clang-format on */
    double *dense, *filter;
} data;

static void check(sparse_result r)
{
    if (r == SPARSE_OK) return;
    fprintf(stderr, "convolve: %s\n", sparse_message(r));
    exit(2);
}
static void begin(data *d)
{
    memset(d, 0, sizeof *d);
    TENSORS(EMPTY)
}
static void end(data *d)
{
    TENSORS(FREE)
    free(d->dense), free(d->filter);
}
static size_t volume(unsigned rank, const size_t *dim)
{
    size_t n = 1;
    for (unsigned l = 0; l < rank; l++) n *= dim[l];
    return n;
}
/* t is an output of these sizes. */
static void output(sparse_tensor *t, const size_t *dim)
{
    static double nothing; /* replaced when a contestant runs */
    check(sparse_assemble(t, dim, &(sparse_arrays){.val = SPARSE_ARRAY(&nothing, volume(t->encoding->rank, dim))}, SPARSE_BORROW, NULL));
}
/* Points the loops at the arrays of a tensor. */
static void as_stored(storage *as, const sparse_tensor *t)
{
    for (unsigned l = 0; l < t->encoding->levels; l++)
        as->of[l] = (level_arrays){(const uint32_t *)t->pos[l].at, (const uint32_t *)t->crd[l].at};
    as->val = (const double *)t->val.at;
}
static void store(data *d, const sparse_tensor *t) { as_stored(&d->loops.input_as, t); }
/* Draws an input with density `stored`, and a filter. */
static double *scattered(size_t count, double stored, uint64_t seed)
{
    bench_random r = {seed};
    double *x = (double *)bench_allocate(count, sizeof *x);
    for (size_t n = 0; n < count; n++)
        if (bench_unit(&r) < stored) x[n] = bench_value(&r);
    return x;
}
static void input(data *d, unsigned rank, size_t side, size_t window, double *dense)
{
    problem *s = &d->loops;
    begin(d);
    for (unsigned l = 0; l < 3; l++) {
        s->input[l] = l < rank ? side : 1;
        s->window[l] = l < rank ? window : 1;
        s->output[l] = l < rank ? side - window + 1 : 1;
    }
    s->dense = d->dense = dense;
    s->filter = d->filter = bench_dense(volume(3, s->window), 2);
    sparse_tensor *const filter[] = {&d->f.t, &d->f2.t, &d->f3.t}, *const result[] = {&d->a.t, &d->a2.t, &d->a3.t};
    check(sparse_pack_dense_untyped(filter[rank - 1], s->window, d->filter));
    output(result[rank - 1], s->output);
}
static void pack(data *d, sparse_tensor *t)
{
    check(sparse_pack_dense_untyped(t, d->loops.input, d->dense));
    store(d, t);
}
/* A layer of a network. The input has a margin of zeros if the window is wider than the stride. */
typedef struct layer_shape { size_t side, channels, window, stride, filters; } layer_shape;
static void network(data *d, layer_shape of, double stored)
{
    problem *s = &d->loops;
    const size_t margin = of.window / 2, padded = of.side + 2 * margin, out = (padded - of.window) / of.stride + 1;
    double *image = scattered(of.side * of.side * of.channels, stored, 1);
    begin(d);
    *s = (problem){{padded, padded, 1}, {out, out, 1}, {of.window, of.window, 1}, of.stride, of.channels, of.filters, NULL, NULL,
                 {{{NULL, NULL}}, NULL}, {{{NULL, NULL}}, NULL}, false};
    s->dense = d->dense = (double *)bench_allocate(padded * padded * of.channels, sizeof(double));
    for (size_t h = 0; h < of.side; h++)
        memcpy(d->dense + ((h + margin) * padded + margin) * of.channels, image + h * of.side * of.channels,
               of.side * of.channels * sizeof *image);
    free(image);
    s->filter = d->filter = bench_dense(of.window * of.window * of.channels * of.filters, 2);
    check(sparse_pack_dense_untyped(&d->f4.t, (size_t[]){of.window, of.window, of.channels, of.filters}, d->filter));
    output(&d->a4.t, (size_t[]){1, out, out, of.filters});
}
static void pack_image(data *d, sparse_tensor *t)
{
    check(sparse_pack_dense_untyped(t, (size_t[]){1, d->loops.input[0], d->loops.input[1], d->loops.channels}, d->dense));
    store(d, t);
}

/* >>contestants */
typedef void run(void *context, double *result);
#define KIT(name, ...)                                                                                                           \
    static void kit_##name(void *context, double *result)                                                                        \
    {                                                                                                                            \
        data *d = (data *)context;                                                                                               \
        d->a.t.val.at = d->a2.t.val.at = d->a3.t.val.at = d->a4.t.val.at = result;                                               \
        check(name(__VA_ARGS__));                                                                                                \
    }
#define KIT_SPARSE(name, ...)                                                                                                     \
    static void kit_##name(void *context, double *result)                                                                        \
    {                                                                                                                            \
        data *d = (data *)context;                                                                                               \
        sparse_free(&d->sparse.t);                                                                                               \
        check(name(&d->sparse, __VA_ARGS__));                                                                                    \
        sections_fingerprint(result, d->sparse.t.val.length, (const uint32_t *)d->sparse.t.crd[1].at, 0,                         \
                             (const double *)d->sparse.t.val.at);                                                                \
    }
KIT(list_stored, &d->a, &d->S, &d->f)
KIT(list_ahead, &d->a, &d->S, &d->f)
KIT(csr_ahead, &d->a2, &d->R, &d->f2)
KIT(csc_ahead, &d->a2, &d->C, &d->f2)
KIT(dcsr_ahead, &d->a2, &d->D, &d->f2)
KIT(coo_ahead, &d->a2, &d->M, &d->f2)
KIT(csf_ahead, &d->a3, &d->B, &d->f3)
KIT(layer_compressed_ahead, &d->a4, &d->Q, &d->f4)
KIT(csr_stored, &d->a2, &d->R, &d->f2)
KIT(csr_rows, &d->a2, &d->R, &d->f2)
KIT(csc_rows, &d->a2, &d->C, &d->f2)
KIT(dcsr_rows, &d->a2, &d->D, &d->f2)
KIT(coo_rows, &d->a2, &d->M, &d->f2)
KIT(csf_rows, &d->a3, &d->B, &d->f3)
KIT(csr_opened, &d->a2, &d->R, &d->f2)
KIT(dcsr_opened, &d->a2, &d->D, &d->f2)
KIT(coo_opened, &d->a2, &d->M, &d->f2)
KIT(csf_opened, &d->a3, &d->B, &d->f3)
KIT(csc_stored, &d->a2, &d->C, &d->f2)
KIT(dcsr_stored, &d->a2, &d->D, &d->f2)
KIT(coo_stored, &d->a2, &d->M, &d->f2)
KIT(csf_stored, &d->a3, &d->B, &d->f3)
KIT(cd_known, &d->a2, &d->E, &d->f2)
KIT(list_ip, &d->a, &d->S, &d->f)
KIT(list_pi, &d->a, &d->S, &d->f)
KIT(csr_ijpq, &d->a2, &d->R, &d->f2)
KIT(csr_ipjq, &d->a2, &d->R, &d->f2)
KIT(csr_ipqj, &d->a2, &d->R, &d->f2)
KIT(csr_piqj, &d->a2, &d->R, &d->f2)
KIT(csr_pqij, &d->a2, &d->R, &d->f2)
KIT(csr_threads, &d->a2, &d->R, &d->f2)
KIT(csc_jqip, &d->a2, &d->C, &d->f2)
KIT(csc_jqpi, &d->a2, &d->C, &d->f2)
KIT(dcsr_ipjq, &d->a2, &d->D, &d->f2)
KIT(dcsr_ipqj, &d->a2, &d->D, &d->f2)
KIT(coo_ipjq, &d->a2, &d->M, &d->f2)
KIT(coo_ipqj, &d->a2, &d->M, &d->f2)
KIT(cd_ipjq, &d->a2, &d->E, &d->f2)
KIT(cd_ipqj, &d->a2, &d->E, &d->f2)
KIT(csf_ijkpqr, &d->a3, &d->B, &d->f3)
KIT(csf_ipjqkr, &d->a3, &d->B, &d->f3)
KIT(csf_ipjqrk, &d->a3, &d->B, &d->f3)
KIT(csf_piqjrk, &d->a3, &d->B, &d->f3)
KIT(layer, &d->a4, &d->P, &d->f4)
KIT(layer_2, &d->a4, &d->P, &d->f4)
KIT(layer_rows, &d->a4, &d->P, &d->f4)
KIT(layer_2_rows, &d->a4, &d->P, &d->f4)
KIT(layer_threads, &d->a4, &d->P, &d->f4)
KIT(layer_compressed, &d->a4, &d->Q, &d->f4)
KIT(layer_stored, &d->a4, &d->P, &d->f4)
KIT(layer_2_stored, &d->a4, &d->P, &d->f4)
KIT(layer_compressed_unrolled, &d->a4, &d->Q, &d->f4)
KIT(layer_compressed_rows, &d->a4, &d->Q, &d->f4)
/* Input, window and result for each storage; input and window also compressed in all levels, for the forms. `loops` must be
   the first member. */
typedef struct dual {
    problem loops;
    csr csr[3];
    csc csc[3];
    dcsr dcsr[3];
    coo coo[3];
    cd cd[3];
    csf ccc[3];
    dcsc columns[2];
} dual;
#define KIT_DUAL(name, type, ...)                                                                                                \
    static void kit_##name(void *context, double *result)                                                                        \
    {                                                                                                                            \
        dual *d = (dual *)context;                                                                                               \
        sparse_tensor *const t = &d->type[2].t;                                                                                  \
        sparse_free(t);                                                                                                          \
        check(name(&d->type[2], &d->type[0], &d->type[1] __VA_ARGS__));                                                          \
        sections_fingerprint(result, t->val.length, (const uint32_t *)t->crd[t->encoding->levels - 1].at, d->loops.output[1],    \
                             (const double *)t->val.at);                                                                         \
    }
KIT_DUAL(csr_dual, csr, )
KIT_DUAL(csc_dual, csc, )
KIT_DUAL(dcsr_dual, dcsr, )
KIT_DUAL(coo_dual, coo, )
KIT_DUAL(cd_dual, cd, )
KIT_DUAL(ccc_dual, ccc, )
KIT_DUAL(csr_dual_rows, csr, )
KIT_DUAL(csc_dual_rows, csc, )
KIT_DUAL(dcsr_dual_rows, dcsr, )
KIT_DUAL(coo_dual_rows, coo, )
KIT_DUAL(csr_dual_line, csr, , d->loops.output[1])
KIT_DUAL(csc_dual_line, csc, , d->loops.output[0])
KIT_DUAL(dcsr_dual_line, dcsr, , d->loops.output[1])
KIT_DUAL(coo_dual_line, coo, , d->loops.output[1])
KIT_DUAL(cd_dual_line, cd, )
KIT_DUAL(ccc_dual_line, ccc, , d->loops.output[2])
KIT_SPARSE(csr_sparse, &d->R, &d->f2)
KIT_SPARSE(csr_sparse_row, &d->R, &d->f2)
KIT_SPARSE(csr_sparse_stored, &d->R, &d->f2, d->loops.output[1])

/* The contestants for an order of loops. Kernels of the kit: `kit` in this order; `line` in stored order; `rows` and
   `opened` along rows; `ahead` with prefetch. Loops: `dense` in this order, `best` in the order that the compiler optimises best. */
typedef struct order {
    const char *name;
    unsigned rank;
    run *kit, *line, *dense, *best, *searched, *sections, *rows, *opened, *ahead;
} order;
#define ORDER(rank, loops, best, storage, rows, opened)                                                                                   \
    {#rank "_" #loops, rank, kit_##storage##_##loops, kit_##storage##_stored, dense_##rank##_##loops, dense_##best, searched_##rank##_##loops,           \
     sections_##rank##_##loops, rows, opened, kit_##storage##_ahead}
#define ORDER_CSR(loops)                                                                                                         \
    {"2_" #loops,          2, kit_csr_##loops, kit_csr_stored, dense_2_##loops, dense_2_ipqj, searched_csr_##loops,                \
     sections_csr_##loops, kit_csr_rows, kit_csr_opened, kit_csr_ahead}
static const order orders[] = {ORDER(1, ip, 1_pi, list, NULL, NULL), ORDER(1, pi, 1_pi, list, NULL, NULL),      ORDER_CSR(ijpq),
                               ORDER_CSR(ipjq),               ORDER_CSR(ipqj),               ORDER_CSR(piqj),
                               ORDER_CSR(pqij),               ORDER(3, ijkpqr, 3_ipjqrk, csf, kit_csf_rows, kit_csf_opened), ORDER(3, ipjqkr, 3_ipjqrk, csf, kit_csf_rows, kit_csf_opened),
                               ORDER(3, ipjqrk, 3_ipjqrk, csf, kit_csf_rows, kit_csf_opened), ORDER(3, piqjrk, 3_ipjqrk, csf, kit_csf_rows, kit_csf_opened)};
enum { ORDERS = sizeof orders / sizeof *orders, PLANES = 5, FIRST_PLANE = 2 };
/* The name in a title: 2_ijpq -> 2-D, i j p q */
static const char *spaced(const char *name)
{
    static char text[32];
    size_t n = (size_t)snprintf(text, sizeof text, "%c-D, ", name[0]);
    for (const char *c = name + 2; *c; c++) n += (size_t)snprintf(text + n, sizeof text - n, "%c%s", *c, c[1] ? " " : "");
    return text;
}

/* >>sheets
   A row is a contest, a column a contestant. Two ratios follow: best dense nest / kit, and better form / kit. A ratio below
   its goal is bold. */
enum { KIT_COLUMN, LINE, DENSE, BEST, SEARCHED, SECTIONS_COLUMN, ROWS, OPENED, AHEAD, COLUMNS, SHEET_ROWS = 25 };
typedef struct sheet {
    const char *title, *file, *rows_are, *size;
    const char *column[COLUMNS]; /* NULL: the default */
    double least_dense[SHEET_ROWS]; /* goals for dense / kit; 0: none. The goal for forms / kit is 1.2 */
    double least_forms;
    bool threads;
    size_t rows;
    char row[SHEET_ROWS][16];
    double value[SHEET_ROWS][COLUMNS]; /* 0: no value */
} sheet;
static const char *const usual[COLUMNS] = {"kit", "kit, best line", "dense, same order", "dense, best order", "TACO-UCF's form", "MLIR's form",
                                            "kit, along rows", "kit, rows opened", "kit, asking ahead"};

static char **words; /* the arguments: only tables whose titles contain one of them */
static bool is_wanted(const char *title)
{
    bool wanted = !words[0];
    for (char **word = words; *word; word++) wanted = wanted || strstr(title, *word);
    return wanted;
}
static void measure(sheet *s, const char *name, void *d, run *const who[COLUMNS], size_t length, double least_dense)
{
    bench_contest c;
    size_t column[COLUMNS], count = 0;
    memset(&c, 0, sizeof c);
    for (size_t k = 0; k < COLUMNS; k++)
        if (who[k]) c.contestant[count] = (bench_contestant){s->column[k] ? s->column[k] : usual[k], who[k]}, column[count++] = k;
    c.workload = s->title, c.size = name, c.length = length, c.context = d;
    c.tolerance = 1e-11, c.silent = true, c.drops = true, c.threads = s->threads;
    snprintf(s->row[s->rows], sizeof s->row[0], "%s", name);
    bench_run(&c);
    for (size_t n = 0; n < count; n++) s->value[s->rows][column[n]] = 1e3 * bench_seconds[n];
    s->least_dense[s->rows++] = least_dense;
}
static double lesser(double x, double y) { return x == 0 || (y > 0 && y < x) ? y : x; }
static void print_ratio(double ratio, double goal)
{
    const bool below = goal > 0 && ratio < goal;
    bench_below += below;
    printf(below ? " **%.3g** |" : " %.3g |", ratio);
}
static void print_sheet(sheet *s)
{
    static chart c;
    char path[64];
    memset(&c, 0, sizeof c);
    if (bench_is_quick()) {
        if (bench_failures == 0) printf("%s: same results\n", s->title);
        return;
    }
    printf("\n## %s\n\n%s; milliseconds.\n\n| %s |", s->title, s->size, s->rows_are);
    c.title = s->title, c.unit = "ms", c.groups_are = s->rows_are, c.groups = s->rows, c.lines = c.decades = true;
    for (size_t k = 0; k < COLUMNS; k++) {
        double all = 0;
        for (size_t r = 0; r < s->rows; r++) all += s->value[r][k];
        if (all == 0) continue;
        c.name[c.series] = s->column[k] ? s->column[k] : usual[k];
        for (size_t r = 0; r < s->rows; r++) c.value[c.series][r] = s->value[r][k];
        printf(" %s |", c.name[c.series++]);
    }
    printf(" dense / kit | forms / kit |\n|---|");
    for (size_t k = 0; k < c.series + 2; k++) printf("---|");
    for (size_t r = 0; r < s->rows; r++) {
        const double *v = s->value[r], dense = lesser(v[DENSE], v[BEST]), form = lesser(v[SEARCHED], v[SECTIONS_COLUMN]),
                     kit = lesser(lesser(v[KIT_COLUMN], v[LINE]), lesser(lesser(v[ROWS], v[OPENED]), v[AHEAD]));
        c.group[r] = s->row[r];
        printf("\n| %s |", s->row[r]);
        for (size_t k = 0; k < c.series; k++) printf(" %.3g |", c.value[k][r]);
        if (kit == 0) {
            printf(" | |");
            continue;
        }
        if (dense > 0) print_ratio(dense / kit, s->least_dense[r]);
        else printf(" |");
        if (form > 0) print_ratio(form / kit, s->least_forms);
        else printf(" |");
    }
    snprintf(path, sizeof path, "build/convolve_%s.svg", s->file);
    printf(chart_draw(&c, path) ? "\n\n%s\n" : "\n\n%s cannot be written\n", path);
    fflush(stdout);
}

/* >>experiments */
static const double sparsities[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999};
enum { SPARSITIES = sizeof sparsities / sizeof *sparsities };
static const char *percent(double sparsity)
{
    static char text[16];
    snprintf(text, sizeof text, "%.4g %%", 100 * sparsity);
    return text;
}
static double dense_goal(double sparsity) { return sparsity >= 0.7 ? 1 : 0; }

/* The first layer, then both kinds of block of each stage. The document names 25 layers without their shapes. These shapes
   are from the network's paper (He and others 2016), with the stride in the 3 x 3 convolution, as in later
   implementations. */
static const layer_shape resnet[] = {
    {224, 3, 7, 2, 64},   {56, 64, 1, 1, 64},    {56, 64, 3, 1, 64},    {56, 64, 1, 1, 256},   {56, 64, 1, 1, 256},
    {56, 256, 1, 1, 64},  {56, 64, 3, 1, 64},    {56, 256, 1, 1, 128},  {56, 128, 3, 2, 128},  {28, 128, 1, 1, 512},
    {56, 256, 1, 2, 512}, {28, 512, 1, 1, 128},  {28, 128, 3, 1, 128},  {28, 512, 1, 1, 256},  {28, 256, 3, 2, 256},
    {14, 256, 1, 1, 1024}, {28, 512, 1, 2, 1024}, {14, 1024, 1, 1, 256}, {14, 256, 3, 1, 256},  {14, 1024, 1, 1, 512},
    {14, 512, 3, 2, 512}, {7, 512, 1, 1, 2048},  {14, 1024, 1, 2, 2048}, {7, 2048, 1, 1, 512},  {7, 512, 3, 1, 512}};
enum { LAYERS_COUNT = sizeof resnet / sizeof *resnet };
static layer_shape scaled_layer(layer_shape of)
{
    if (bench_is_quick()) of.side = 9, of.channels = of.channels > 5 ? 5 : of.channels, of.filters = 6;
    return of;
}

static void figure_15(void)
{
    static sheet s = {.title = "Figure 15: the layers of ResNet50, input 80 % sparse in DDDC", .file = "15", .rows_are = "layer",
                      .size = "One image, 8-byte numbers, loops n h w r q c f; of this storage, TACO-UCF's and MLIR's form are one",
                      .column = {[SECTIONS_COLUMN] = "TACO-UCF's and MLIR's form"}, .least_forms = 1.2};
    if (!is_wanted(s.title)) return;
    for (size_t n = 0; n < LAYERS_COUNT; n++) {
        data d;
        char name[16];
        network(&d, scaled_layer(resnet[n]), 0.2);
        pack_image(&d, &d.P.t);
        snprintf(name, sizeof name, "L%zu", n + 1);
        const bool half = d.loops.stride == 2;
        run *const who[COLUMNS] = {half ? kit_layer_2 : kit_layer, half ? kit_layer_2_stored : kit_layer_stored, dense_layer, NULL, NULL,
                                    sparse_layer, half ? kit_layer_2_rows : kit_layer_rows};
        measure(&s, name, &d, who, d.a4.t.val.length, 1);
        end(&d);
    }
    print_sheet(&s);
}

static void figure_16(const char *title, const char *file, layer_shape of)
{
    static const double at[] = {0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.984, 0.989, 0.995, 0.999};
    sheet s = {.title = title, .file = file, .rows_are = "sparsity",
               .size = "256 x 256 pixels, 64 channels, 8-byte numbers, loops n h w r q c f", .least_forms = 1.2};
    if (!is_wanted(s.title)) return;
    for (size_t n = 0; n < sizeof at / sizeof *at; n++) {
        data d;
        network(&d, scaled_layer(of), 1 - at[n]);
        pack_image(&d, &d.Q.t);
        run *const who[COLUMNS] = {kit_layer_compressed, kit_layer_compressed_unrolled, dense_layer, NULL, searched_layer, sections_layer,
                                    kit_layer_compressed_rows, NULL, kit_layer_compressed_ahead};
        measure(&s, percent(at[n]), &d, who, d.a4.t.val.length, dense_goal(at[n]));
        end(&d);
    }
    print_sheet(&s);
}

/* Makes the input for an order of loops, in the document's size, or with the given side. */
static void prepare(data *d, const order *o, size_t side, double stored)
{
    static const size_t full[] = {999999, 999, 99}, quick[] = {97, 31, 11};
    if (side == 0) side = bench_size(full[o->rank - 1], quick[o->rank - 1]);
    size_t count = 1;
    for (unsigned l = 0; l < o->rank; l++) count *= side;
    input(d, o->rank, side, 3, scattered(count, stored, 3));
    sparse_tensor *const stores[] = {&d->S.t, &d->R.t, &d->B.t};
    pack(d, stores[o->rank - 1]);
}
static void figure_17(void)
{
    for (const order *o = orders; o < orders + ORDERS; o++) {
        char title[96], file[16];
        snprintf(title, sizeof title, "Figure 17: %s", spaced(o->name));
        snprintf(file, sizeof file, "17_%s", o->name);
        sheet s = {.title = title, .file = file, .rows_are = "sparsity", .least_forms = 1.2,
                   .size = o->rank == 1   ? "999999 numbers in a sparse vector, a window of 3"
                           : o->rank == 2 ? "999 x 999 in CSR, a window of 3 x 3"
                                          : "99 x 99 x 99 in CSF, a window of 3 x 3 x 3"};
        if (!is_wanted(title)) continue;
        for (size_t n = 0; n < SPARSITIES; n++) {
            data d;
            prepare(&d, o, 0, 1 - sparsities[n]);
            run *const who[COLUMNS] = {o->kit, o->line, o->dense, o->best == o->dense ? NULL : o->best, o->searched, o->sections, o->rows, o->opened, o->ahead};
            measure(&s, percent(sparsities[n]), &d, who, volume(3, d.loops.output), dense_goal(sparsities[n]));
            end(&d);
        }
        print_sheet(&s);
    }
}

static void storages(void)
{
    static const double at[] = {0.7, 0.8, 0.9, 0.99, 0.999};
    static const struct {
        const char *name;
        run *kit, *line, *dense, *searched, *sections, *rows, *opened, *ahead;
        size_t offset; /* of the tensor */
    } rows[] = {{"CSR, i p j q", kit_csr_ipjq, kit_csr_stored, dense_2_ipjq, searched_csr_ipjq, sections_csr_ipjq, kit_csr_rows, kit_csr_opened, kit_csr_ahead, offsetof(data, R)},
                {"CSR, i p q j", kit_csr_ipqj, kit_csr_stored, dense_2_ipjq, searched_csr_ipqj, sections_csr_ipqj, kit_csr_rows, kit_csr_opened, kit_csr_ahead, offsetof(data, R)},
                {"CSC, j q i p", kit_csc_jqip, kit_csc_stored, dense_2_ipjq, searched_csc_jqip, sections_csc_jqip, kit_csc_rows, NULL, kit_csc_ahead, offsetof(data, C)},
                {"CSC, j q p i", kit_csc_jqpi, kit_csc_stored, dense_2_ipjq, searched_csc_jqpi, sections_csc_jqpi, kit_csc_rows, NULL, kit_csc_ahead, offsetof(data, C)},
                {"DCSR, i p j q", kit_dcsr_ipjq, kit_dcsr_stored, dense_2_ipjq, searched_dcsr_ipjq, sections_dcsr_ipjq, kit_dcsr_rows, kit_dcsr_opened, kit_dcsr_ahead, offsetof(data, D)},
                {"DCSR, i p q j", kit_dcsr_ipqj, kit_dcsr_stored, dense_2_ipjq, searched_dcsr_ipqj, sections_dcsr_ipqj, kit_dcsr_rows, kit_dcsr_opened, kit_dcsr_ahead, offsetof(data, D)},
                {"COO, i p j q", kit_coo_ipjq, kit_coo_stored, dense_2_ipjq, searched_coo_ipjq, sections_coo_ipjq, kit_coo_rows, kit_coo_opened, kit_coo_ahead, offsetof(data, M)},
                {"COO, i p q j", kit_coo_ipqj, kit_coo_stored, dense_2_ipjq, searched_coo_ipqj, sections_coo_ipqj, kit_coo_rows, kit_coo_opened, kit_coo_ahead, offsetof(data, M)},
                {"CD, i p j q", kit_cd_ipjq, kit_cd_known, dense_2_ipjq, searched_cd_ipjq, sections_cd_ipjq, NULL, NULL, NULL, offsetof(data, E)},
                {"CD, i p q j", kit_cd_ipqj, kit_cd_known, dense_2_ipjq, searched_cd_ipqj, sections_cd_ipqj, NULL, NULL, NULL, offsetof(data, E)}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        char title[64], file[16];
        const bool full = strncmp(rows[n].name, "CD", 2) == 0;
        const size_t side = bench_size(999, 31);
        snprintf(title, sizeof title, "2-D, storages: %s", rows[n].name);
        snprintf(file, sizeof file, "storage_%zu", n);
        sheet s = {.title = title, .file = file, .rows_are = full ? "sparsity of rows" : "sparsity", .least_forms = 1.2,
                   .size = "999 x 999, a window of 3 x 3"};
        if (!is_wanted(title)) continue;
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            data d;
            double *dense = scattered(side * side, full ? 1 : 1 - at[k], 4);
            bench_random r = {5};
            for (size_t i = 0; full && i < side; i++)
                if (bench_unit(&r) < at[k]) memset(dense + i * side, 0, side * sizeof *dense);
            input(&d, 2, side, 3, dense);
            pack(&d, (sparse_tensor *)(void *)((char *)&d + rows[n].offset));
            run *const who[COLUMNS] = {rows[n].kit, rows[n].line, rows[n].dense, dense_2_ipqj, rows[n].searched, rows[n].sections, rows[n].rows, rows[n].opened, rows[n].ahead};
            measure(&s, percent(at[k]), &d, who, volume(3, d.loops.output), dense_goal(at[k]));
            end(&d);
        }
        print_sheet(&s);
    }
}

static void sparse_results(void)
{
    static const double at[] = {0.9, 0.98, 0.99, 0.999};
    static const struct {
        const char *title, *file;
        run *kit;
    } lines[] = {{"Sparse results: CSR to CSR, i j p q", "sparse", kit_csr_sparse},
                 {"Sparse results: CSR to CSR, the kit i p q j", "sparse_row", kit_csr_sparse_row}};
    for (size_t n = 0; n < 2; n++) {
        sheet s = {.title = lines[n].title, .file = lines[n].file, .rows_are = "sparsity", .least_forms = 1.2,
                   .size = "999 x 999, a window of 3 x 3; the forms append entries in the order i j"};
        if (!is_wanted(s.title)) continue;
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            data d;
            prepare(&d, &orders[FIRST_PLANE], 0, 1 - at[k]);
            run *const who[COLUMNS] = {lines[n].kit, kit_csr_sparse_stored, NULL, NULL, searched_sparse, sections_sparse};
            measure(&s, percent(at[k]), &d, who, SECTIONS_FINGERPRINT, 0);
            end(&d);
        }
        print_sheet(&s);
    }
}

/* Half of the window is stored; in CD, two of its three rows. */
static void dual_sparse_results(void)
{
    static const double at[] = {0.9, 0.98, 0.99, 0.999};
    static const struct {
        const char *name;
        unsigned rank;
        run *kit, *line, *searched, *sections, *rows;
        size_t offset; /* of the tensors */
    } rows[] = {{"CSR, i j p q", 2, kit_csr_dual, kit_csr_dual_line, searched_dual_2, sections_dual_2, kit_csr_dual_rows, offsetof(dual, csr)},
                {"CSC, j i q p", 2, kit_csc_dual, kit_csc_dual_line, searched_dual_2, sections_dual_2, kit_csc_dual_rows, offsetof(dual, csc)},
                {"DCSR, i j p q", 2, kit_dcsr_dual, kit_dcsr_dual_line, searched_dual_2, sections_dual_2, kit_dcsr_dual_rows, offsetof(dual, dcsr)},
                {"COO, i j p q", 2, kit_coo_dual, kit_coo_dual_line, searched_dual_2, sections_dual_2, kit_coo_dual_rows, offsetof(dual, coo)},
                {"CD, i j p q", 2, kit_cd_dual, kit_cd_dual_line, searched_dual_2, sections_dual_2, NULL, offsetof(dual, cd)},
                {"CCC, i j k p q r", 3, kit_ccc_dual, kit_ccc_dual_line, searched_dual_3, sections_dual_3, NULL, offsetof(dual, ccc)}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        char title[64], file[16];
        const unsigned rank = rows[n].rank;
        const bool full = strncmp(rows[n].name, "CD", 2) == 0, turned = strncmp(rows[n].name, "CSC", 3) == 0;
        const size_t side = rank == 2 ? bench_size(999, 31) : bench_size(99, 11);
        snprintf(title, sizeof title, "Dual sparse: %s", rows[n].name);
        snprintf(file, sizeof file, "dual_%zu", n);
        sheet s = {.title = title, .file = file, .rows_are = full ? "sparsity of rows" : "sparsity", .least_forms = 1.2,
                   .size = rank == 2 ? "999 x 999, half of a window of 3 x 3 stored" : "99 x 99 x 99, half of a window of 3 x 3 x 3 stored"};
        if (!is_wanted(title)) continue;
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            dual d;
            memset(&d, 0, sizeof d);
            problem *p = &d.loops;
            for (unsigned l = 0; l < 3; l++) p->input[l] = l < rank ? side : 1, p->window[l] = l < rank ? 3 : 1, p->output[l] = l < rank ? side - 2 : 1;
            double *dense = scattered(volume(3, p->input), full ? 1 : 1 - at[k], 6), *window = scattered(volume(3, p->window), full ? 1 : 0.5, 9);
            bench_random r = {7};
            for (size_t i = 0; full && i < side; i++)
                if (bench_unit(&r) < at[k]) memset(dense + i * side, 0, side * sizeof *dense);
            if (full) memset(window + 3, 0, 3 * sizeof *window);
            for (unsigned t = 0; t < 3; t++) {
                d.csr[t] = (csr)SPARSE_INIT(csr), d.csc[t] = (csc)SPARSE_INIT(csc), d.dcsr[t] = (dcsr)SPARSE_INIT(dcsr);
                d.coo[t] = (coo)SPARSE_INIT(coo), d.cd[t] = (cd)SPARSE_INIT(cd), d.ccc[t] = (csf)SPARSE_INIT(csf);
            }
            for (unsigned t = 0; t < 2; t++) {
                const double *x = t ? window : dense;
                const size_t *dim = t ? p->window : p->input;
                d.columns[t] = (dcsc)SPARSE_INIT(dcsc);
                if (rank == 3) check(sparse_pack_dense_untyped(&d.ccc[t].t, dim, x));
                if (rank == 3) continue;
                check(sparse_pack_dense_untyped(&d.csr[t].t, dim, x)), check(sparse_pack_dense_untyped(&d.csc[t].t, dim, x));
                check(sparse_pack_dense_untyped(&d.dcsr[t].t, dim, x)), check(sparse_pack_dense_untyped(&d.coo[t].t, dim, x));
                check(sparse_pack_dense_untyped(&d.cd[t].t, dim, x)), check(sparse_pack_dense_untyped(&d.columns[t].t, dim, x));
            }
            for (unsigned t = 0; t < 2; t++) as_stored(t ? &p->filter_as : &p->input_as, rank == 3 ? &d.ccc[t].t : turned ? &d.columns[t].t : &d.dcsr[t].t);
            p->full = full;
            run *const who[COLUMNS] = {rows[n].kit, rows[n].line, NULL, NULL, rows[n].searched, rows[n].sections, rows[n].rows};
            measure(&s, percent(at[k]), &d, who, SECTIONS_FINGERPRINT, 0);
            for (unsigned t = 0; t < 3; t++) {
                sparse_free(&d.csr[t].t), sparse_free(&d.csc[t].t), sparse_free(&d.dcsr[t].t);
                sparse_free(&d.coo[t].t), sparse_free(&d.cd[t].t), sparse_free(&d.ccc[t].t);
                if (t < 2) sparse_free(&d.columns[t].t);
            }
            free(dense), free(window);
        }
        print_sheet(&s);
    }
}

/* A drawing of 20 random curves of width 2. */
static double *sketch(size_t side, uint64_t seed)
{
    bench_random r = {seed};
    double *x = (double *)bench_allocate(side * side, sizeof *x);
    for (size_t stroke = 0; stroke < 20; stroke++) {
        double row = bench_unit(&r) * (double)side, column = bench_unit(&r) * (double)side, way = 6.28 * bench_unit(&r);
        for (size_t step = 0; step < side / 2; step++) {
            way += 0.3 * bench_value(&r), row += sin(way), column += cos(way);
            if (row < 0 || column < 0 || row >= (double)side - 1 || column >= (double)side - 1) break;
            double *at = x + (size_t)row * side + (size_t)column;
            at[0] = at[1] = at[side] = at[side + 1] = 1;
        }
    }
    return x;
}
/* Reads a square matrix from the data directory, plain or gzipped; NULL if it is missing. */
static double *real_matrix(const char *directory, const char *name, size_t *side)
{
    static const char *const ending[] = {".mtx", ".mtx.gz"};
    for (size_t n = 0; n < 2; n++) {
        char path[512];
        csr A = SPARSE_INIT(csr);
        double *x = NULL;
        snprintf(path, sizeof path, "%s/matrices/%s%s", directory, name, ending[n]);
        if (!sparse_read(&A.t, path, NULL) && A.t.dim[0] == A.t.dim[1]) {
            *side = A.t.dim[0];
            x = (double *)bench_allocate(*side * *side, sizeof *x);
            check(sparse_unpack_dense_untyped(&A.t, x));
        }
        sparse_free(&A.t);
        if (x) return x;
    }
    return NULL;
}
static void figure_20(void)
{
    static const char *const matrices[] = {"bcsstk27", "dendrimer", "orani678"};
    const char *title = "Figure 20: orders of loops on patterns, 2-D in CSR", *directory = getenv("DATA");
    if (!is_wanted(title)) return;
    for (size_t n = 0; n < 4; n++) {
        data d;
        size_t side = bench_size(1111, 40);
        char what[96], name[160], file[16];
        double *dense = n < 3 ? real_matrix(directory ? directory : "../shared/data", matrices[n], &side) : sketch(side, 9);
        if (!dense) {
            printf("\n%s: %s is not there\n", title, matrices[n]);
            continue;
        }
        input(&d, 2, side, 3, dense);
        pack(&d, &d.R.t);
        const double zeros = 1 - (double)sparse_entries(&d.R.t) / (double)(side * side);
        snprintf(what, sizeof what, "%zu x %zu, %.4g %% of it zero, a window of 3 x 3", side, side, 100 * zeros);
        snprintf(name, sizeof name, "%s: %s", title, n < 3 ? matrices[n] : "a sketch");
        snprintf(file, sizeof file, "20_%zu", n);
        sheet s = {.title = name, .file = file, .rows_are = "order", .least_forms = 1.2, .size = what};
        for (const order *o = orders + FIRST_PLANE; o < orders + FIRST_PLANE + PLANES; o++) {
            run *const who[COLUMNS] = {o->kit, o->line, o->dense, dense_2_ipqj, o->searched, o->sections, o->rows, o->opened, o->ahead};
            measure(&s, spaced(o->name) + 5, &d, who, volume(3, d.loops.output), dense_goal(zeros));
        }
        print_sheet(&s);
        end(&d);
    }
}

/* Nanoseconds per stored entry, which should be constant from 1e4 to 1e7 entries. */
static void growth(void)
{
    static const struct {
        const char *name;
        size_t order;
        bool stored;
    } lines[] = {{"1-D, i p", 0, false}, {"1-D, stored order", 1, true}, {"2-D, i p j q", 3, false}, {"2-D, stored order", 4, true}};
    enum { LINES = sizeof lines / sizeof *lines, DECADES = 4 };
    const char *title = "Growth: nanoseconds for a stored entry, 80 % sparse";
    static chart c;
    const size_t decades = bench_is_quick() ? 1 : DECADES;
    if (!is_wanted(title)) return;
    c = (chart){.title = title, .unit = "ns", .groups_are = "stored entries", .groups = decades,
                .group = {"1e4", "1e5", "1e6", "1e7"}, .lines = true};
    for (size_t l = 0; l < LINES; l++) {
        const order *o = &orders[lines[l].order];
        sheet s = {.title = title, .rows_are = "entries"};
        for (size_t n = 0, entries = bench_size(10000, 100); n < decades; n++, entries *= 10) {
            data d;
            prepare(&d, o, o->rank == 1 ? entries * 5 : (size_t)sqrt((double)entries * 5), 0.2);
            run *const who[COLUMNS] = {lines[l].stored ? o->line : o->kit, NULL, NULL, NULL, NULL, o->sections};
            measure(&s, c.group[n], &d, who, volume(3, d.loops.output), 0);
            const double stored = (double)sparse_entries(o->rank == 1 ? &d.S.t : &d.R.t);
            c.value[l][n] = 1e6 * s.value[n][KIT_COLUMN] / stored;
            c.value[LINES + l][n] = 1e6 * s.value[n][SECTIONS_COLUMN] / stored;
            end(&d);
        }
        c.name[l] = lines[l].name, c.name[LINES + l] = lines[l].name;
    }
    c.series = 2 * LINES;
    if (bench_is_quick()) {
        printf("%s: same results\n", title);
        return;
    }
    static const char *const form[] = {"1-D, i p, MLIR's form", "1-D, p i, MLIR's form", "2-D, i p j q, MLIR's form",
                                       "2-D, i p q j, MLIR's form"};
    printf("\n## %s\n\n| entries |", title);
    for (size_t l = 0; l < c.series; l++) printf(" %s |", c.name[l] = l < LINES ? lines[l].name : form[l - LINES]);
    printf("\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t n = 0; n < decades; n++) {
        printf("| %s |", c.group[n]);
        for (size_t l = 0; l < c.series; l++) printf(" %.3g |", c.value[l][n]);
        printf("\n");
    }
    printf(chart_draw(&c, "build/convolve_growth.svg") ? "\nbuild/convolve_growth.svg\n" : "\nno figure can be written\n");
}

static void set_threads(int threads)
{
#ifdef _OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}
/* One thread compared with two, in elapsed time; needs OpenMP. */
static void threads(void)
{
    sheet s = {.title = "Two threads: layers of ResNet50, 80 % sparse in DDDC", .file = "threads", .rows_are = "layer", .threads = true,
               .size = "As in Figure 15, by the clock; `kit, one` is to be no faster", .least_forms = 0,
               .column = {"kit", NULL, "kit, one", "dense", NULL, "TACO-UCF's and MLIR's form"}};
    if (!is_wanted(s.title)) return;
    set_threads(2);
    for (size_t n = 0; n < LAYERS_COUNT; n++) {
        data d;
        char name[16];
        if (resnet[n].stride == 2) continue;
        network(&d, scaled_layer(resnet[n]), 0.2);
        pack_image(&d, &d.P.t);
        snprintf(name, sizeof name, "L%zu", n + 1);
        run *const who[COLUMNS] = {kit_layer_threads, NULL, kit_layer, dense_layer_threads, NULL, sparse_layer_threads};
        measure(&s, name, &d, who, d.a4.t.val.length, 1);
        end(&d);
    }
    print_sheet(&s);
    s = (sheet){.title = "Two threads: 2-D, CSR", .file = "threads_2", .rows_are = "sparsity", .threads = true,
                .size = "999 x 999, a window of 3 x 3, by the clock; the kit in stored order, rows of the output dealt out", .column = {"kit", NULL, "kit, one", NULL, NULL, "MLIR's form, one"}};
    for (size_t n = 2; n < SPARSITIES; n++) {
        data d;
        prepare(&d, &orders[FIRST_PLANE], 0, 1 - sparsities[n]);
        run *const who[COLUMNS] = {kit_csr_threads, NULL, kit_csr_stored, NULL, NULL, sections_csr_ipqj};
        measure(&s, percent(sparsities[n]), &d, who, volume(3, d.loops.output), 1);
        end(&d);
    }
    print_sheet(&s);
    set_threads(1);
}

/* count ORDER PERCENT WHO TIMES: runs one contestant TIMES times, and nothing else */
static int count(char **argument)
{
    const order *o = orders;
    data d;
    while (o < orders + ORDERS && strcmp(o->name, argument[0]) != 0) o++;
    if (o == orders + ORDERS) return EXIT_FAILURE;
    prepare(&d, o, o->rank == 1 ? bench_size(199999, 97) : 0, 1 - atof(argument[1]) / 100);
    const struct {
        const char *name;
        run *run;
    } who[] = {{"kit", o->kit}, {"line", o->line}, {"dense", o->dense}, {"searched", o->searched}, {"sections", o->sections}, {"rows", o->rows}, {"opened", o->opened}, {"ahead", o->ahead}};
    double *result = (double *)bench_allocate(volume(3, d.loops.output), sizeof *result);
    for (size_t n = 0; n < sizeof who / sizeof *who; n++)
        for (int k = 0; k < atoi(argument[3]) && strcmp(who[n].name, argument[2]) == 0 && who[n].run; k++)
            who[n].run(&d, result);
    free(result);
    end(&d);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "count") == 0) return count(argv + 2);
    words = argv + 1;
    setenv("BENCH_SECONDS", "0.4", 0);
    figure_15();
    figure_16("Figure 16: a layer in DCCC, a window of 1 x 1", "16_1", (layer_shape){256, 64, 1, 1, 64});
    figure_16("Figure 16: a layer in DCCC, a window of 3 x 3", "16_3", (layer_shape){256, 64, 3, 1, 64});
    figure_17();
    figure_20();
    storages();
    sparse_results();
    dual_sparse_results();
    growth();
    if (bench_is_quick() || THREADED) threads();
    return bench_done();
}
