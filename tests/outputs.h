/* outputs.h: shared by the tests of assembled outputs: storage, two small matrices, the arrays of a tensor as text, a check
   that a kernel makes given arrays, and random matrices as grids. */
#ifndef TEST_OUTPUTS_H
#define TEST_OUTPUTS_H

#include <math.h>
#include "oracle.h"

#include "sparse.h"

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define CSC  csc, SPARSE_CSC, double, 32, 16
#define DCSR dcsr, SPARSE_DCSR, double, 16, 32
#define COO  coo, SPARSE_COO, double, 32, 32
#define SOA  soa, SPARSE_COO_SOA, double, 64, 32
#define CD   cd, SPARSE_CD, double, 32, 32
#define BSR  bsr, SPARSE_BSR(2, 2), double, 32, 32
#define CSF  csf, SPARSE_CSF_3D, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(SOA)
SPARSE_TENSOR(CD)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(CSF)

/* >>arrays: the arrays of a tensor as text, such as "pos1 0 2 crd1 0 3 val 5 7"; levels count from 0 */
static inline char *print_array(char *to, const char *end, const sparse_buffer *b, unsigned bits)
{
    for (size_t n = 0; n < b->length && to + 24 < end; n++)
        to += snprintf(to, (size_t)(end - to), " %lu", (unsigned long)sparse_load(b->at, bits, n));
    return to;
}

static inline const char *arrays(const sparse_tensor *t)
{
    static char text[2000];
    const sparse_encoding *e = t->encoding;
    const char *end = text + sizeof text;
    char *to = text;
    *to = 0;
    for (unsigned l = 0; l < e->levels; l++) {
        if (t->pos[l].length) to += snprintf(to, (size_t)(end - to), "pos%u", l);
        to = print_array(to, end, &t->pos[l], e->pos_bits);
        if (t->pos[l].length) to += snprintf(to, (size_t)(end - to), " ");
        if (t->crd[l].length) to += snprintf(to, (size_t)(end - to), "crd%u", l);
        to = print_array(to, end, &t->crd[l], e->crd_bits);
        if (t->crd[l].length) to += snprintf(to, (size_t)(end - to), " ");
    }
    to += snprintf(to, (size_t)(end - to), "val");
    for (size_t n = 0; n < t->val.length && to + 24 < end; n++)
        to += snprintf(to, (size_t)(end - to), " %g",
                       number_at(e, (const char *)t->val.at + n * e->value_size));
    return text;
}

static inline bool check_arrays(const sparse_tensor *t, const char *wanted, int line)
{
    const bool right = sparse_validate(t, NULL) == SPARSE_OK && strcmp(arrays(t), wanted) == 0;
    if (!right && failed < 20) printf("line %d: is     %s\n         wanted %s\n", line, arrays(t), wanted);
    return check(right, "the arrays", __FILE__, line);
}
#define CHECK_ARRAYS(C, wanted) check_arrays(&(C).t, wanted, __LINE__)

/* Checks that the kernel call succeeds and that its output C holds these arrays; then empties C. */
#define CHECK_MAKES(C, call, wanted)                                                                         \
    do {                                                                                                     \
        (C).t.hooks = &counting;                                                                             \
        CHECK_RESULT(call, SPARSE_OK);                                                                       \
        CHECK_ARRAYS(C, wanted);                                                                             \
        sparse_free(&(C).t);                                                                                 \
    } while (0)

static inline void set_up(sparse_tensor *t, const size_t *dim, const double *values)
{
    t->hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(t, dim, values), SPARSE_OK);
}

static inline bool same(double x, double y) { return x <= y && x >= y; }

static inline void check_books(void)
{
    if (!CHECK(books.live == 0 && books.mistakes == 0))
        printf("%lu blocks live, %lu mistakes\n", (unsigned long)books.live, (unsigned long)books.mistakes);
}

/* >>tables: random matrices and tensors of rank 3, as grids (oracle.h), and brute-force kernels over them. The arrays that a
   kernel assembles must equal, byte for byte, the arrays made by packing the expected entries. */
static inline grid grid_of(const sparse_encoding *e, size_t rows, size_t columns, size_t tubes)
{
    const size_t dim[] = {rows, columns, tubes};
    grid g;
    memset(&g, 0, sizeof g);
    g.volume = 1;
    for (unsigned d = 0; d < e->rank; d++) g.volume *= g.dim[d] = dim[d];
    g.has = (bool *)calloc(g.volume + 1, sizeof *g.has);
    g.value = (double *)calloc(g.volume + 1, sizeof *g.value);
    if (!g.has || !g.value) abort();
    g.tensor = tensor_of(e);
    return g;
}

static inline void coordinates_of(const grid *g, size_t place, size_t *i)
{
    for (size_t d = g->tensor.encoding->rank; d-- > 0; place /= g->dim[d]) i[d] = place % g->dim[d];
}

/* Marks the rest of each block as stored if one of its elements is. For diagonals packing does this. */
static inline void complete_blocks(grid *g)
{
    if (level_of_map(g->tensor.encoding, SPARSE_MAP_MINUS) < g->tensor.encoding->levels) return;
    const unsigned sparse = sparse_levels(g->tensor.encoding);
    grid whole = *g; /* each block once */
    whole.has = (bool *)calloc(g->volume + 1, sizeof *g->has);
    if (!whole.has) abort();
    for (size_t k = 0; k < g->volume; k++) {
        size_t i[SPARSE_MAX_RANK];
        coordinates_of(g, k, i);
        if (g->has[k] && !whole.has[k]) mark_stored(&whole, i, sparse);
    }
    free(g->has);
    g->has = whole.has;
}

/* Packs a grid into its tensor. */
static inline void pack_grid(grid *g)
{
    const sparse_encoding *e = g->tensor.encoding;
    size_t *coordinates = (size_t *)malloc((g->volume + 1) * e->rank * sizeof *coordinates), count = 0;
    char *values = (char *)malloc((g->volume + 1) * e->value_size);
    if (!coordinates || !values) abort();
    for (size_t k = g->volume; k-- > 0;) {
        if (!g->has[k]) continue;
        coordinates_of(g, k, coordinates + count * e->rank);
        put_number(e, values + count++ * e->value_size, (int)g->value[k]);
    }
    CHECK_RESULT(sparse_pack_untyped(&g->tensor, g->dim, count, coordinates, values, SPARSE_DUPLICATES_ERROR),
                 SPARSE_OK);
    free(coordinates);
    free(values);
}

/* About one in `one_in` elements is an entry, none if 0. Values are -1, 1 or 2, so that sums of products are often zero. */
static inline grid random_grid(const sparse_encoding *e, size_t rows, size_t columns, size_t tubes, size_t one_in)
{
    static const double numbers[] = {-1, 1, 2};
    grid g = grid_of(e, rows, columns, tubes);
    for (size_t k = 0; k < g.volume; k++)
        if (one_in && random_below(one_in) == 0) g.has[k] = true, g.value[k] = numbers[random_below(3)];
    complete_blocks(&g);
    pack_grid(&g);
    return g;
}

static inline bool same_array(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

/* Are the arrays of a and b equal? */
static inline bool same_arrays(const sparse_tensor *a, const sparse_tensor *b)
{
    const sparse_encoding *e = a->encoding;
    bool is = same_array(&a->val, &b->val, e->value_size);
    for (unsigned d = 0; d < e->rank; d++) is = is && a->dim[d] == b->dim[d];
    for (unsigned l = 0; l < e->levels; l++)
        is = is && a->lvl[l] == b->lvl[l] && same_array(&a->pos[l], &b->pos[l], e->pos_bits / 8u) &&
             same_array(&a->crd[l], &b->crd[l], e->crd_bits / 8u);
    return is;
}

/* Checks that the tensor equals the packed grid, array by array; frees both. */
static inline bool check_grid(sparse_tensor *is, grid *wanted, int line)
{
    complete_blocks(wanted);
    pack_grid(wanted);
    const bool right = sparse_validate(is, NULL) == SPARSE_OK && same_arrays(is, &wanted->tensor);
    if (!right && failed < 20) {
        printf("line %d: is     %s\n", line, arrays(is));
        printf("         wanted %s\n", arrays(&wanted->tensor));
    }
    sparse_free(is);
    close_grid(wanted);
    return check(right, "the arrays", __FILE__, line);
}
#define CHECK_GRID(is, wanted) check_grid(is, wanted, __LINE__)

/* A semiring: how a term is computed from two values, and how terms are added. */
typedef struct semiring {
    const char *name;
    double zero;
    double (*add)(double, double);
    double (*multiply)(double, double);
} semiring;

static inline double plus(double x, double y) { return x + y; }
static inline double times(double x, double y) { return x * y; }
static inline double first(double x, double y) { return (void)y, x; }
static inline double either(double x, double y) { return x < 0 || x > 0 || y < 0 || y > 0 ? 1 : 0; }
static inline double both(double x, double y) { return (x < 0 || x > 0) && (y < 0 || y > 0) ? 1 : 0; }
static const semiring plus_times = {"plus, times", 0, plus, times};

/* C = A B, where an element is stored if it has a term; returns the number of stored elements whose sum is zero. */
static inline size_t multiply_grids(grid *c, const grid *a, const grid *b, const semiring *s)
{
    size_t vanished = 0;
    for (size_t i = 0; i < a->dim[0]; i++)
        for (size_t j = 0; j < b->dim[1]; j++) {
            const size_t at = i * b->dim[1] + j;
            c->value[at] = s->zero;
            for (size_t k = 0; k < b->dim[0]; k++) {
                const size_t p = i * a->dim[1] + k, q = k * b->dim[1] + j;
                if (!a->has[p] || !b->has[q]) continue;
                c->has[at] = true;
                c->value[at] = s->add(c->value[at], s->multiply(a->value[p], b->value[q]));
            }
            vanished += c->has[at] && same(c->value[at], 0);
            if (!c->has[at]) c->value[at] = 0;
        }
    return vanished;
}

/* | 5 . 1 . |     | 1 2 . . |
   | 3 . . . |     | . 7 . . |
   | 2 . . 3 |     | 4 8 . 6 | */
static const size_t n3x4[] = {3, 4}, n8[] = {8};
static const double a3x4[] = {5, 0, 1, 0, 3, 0, 0, 0, 2, 0, 0, 3},
                    b3x4[] = {1, 2, 0, 0, 0, 7, 0, 0, 4, 8, 0, 6};
static const double a8[] = {1, 0, 2, 0, 3, 0, 0, 4}, b8[] = {1, 5, 0, 0, 2, 0, 6, 4};

/* clang-format off */
/* A + B in the upper triangle, A - B in the lower one */
SPARSE_KERNEL(triangles, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)),
              C = !has_B ? A : j >= i ? A + B : A - B)
SPARSE_KERNEL(lower, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A; has_C = j < i)
SPARSE_KERNEL(up_to_100, (i, j), from(1, c, SVEC, i), all((A, DCSR, i, j)), c = c * A > 100 ? 100 : c * A)
/* clang-format on */

#endif
