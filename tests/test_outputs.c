/* test_outputs.c: kernels whose output is assembled. The examples of document 003 with its results, arrays
   that must be exact to the byte, workspaces too large to be anything but hashed, memory that runs out at
   every point, and what is refused. The loops over all encodings are tested by generate_kernels.c.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
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

/* >>arrays: what a tensor stores, as text: "pos1 0 2 crd1 0 3 val 5 7", levels counted from 0 */
static char *print_array(char *to, const char *end, const sparse_buffer *b, unsigned bits)
{
    for (size_t n = 0; n < b->length && to + 24 < end; n++)
        to += snprintf(to, (size_t)(end - to), " %lu", (unsigned long)sparse_load(b->at, bits, n));
    return to;
}

static const char *arrays(const sparse_tensor *t)
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

static bool check_arrays(const sparse_tensor *t, const char *wanted, int line)
{
    const bool right = sparse_validate(t, NULL) == SPARSE_OK && strcmp(arrays(t), wanted) == 0;
    if (!right && failed < 20) printf("line %d: is     %s\n         wanted %s\n", line, arrays(t), wanted);
    return check(right, "the arrays", __FILE__, line);
}
#define CHECK_ARRAYS(C, wanted) check_arrays(&(C).t, wanted, __LINE__)

/* The kernel call succeeds, and its output C holds these arrays; C is empty again. */
#define CHECK_MAKES(C, call, wanted)                                                                         \
    do {                                                                                                     \
        (C).t.hooks = &counting;                                                                             \
        CHECK_RESULT(call, SPARSE_OK);                                                                       \
        CHECK_ARRAYS(C, wanted);                                                                             \
        sparse_free(&(C).t);                                                                                 \
    } while (0)

static void set_up(sparse_tensor *t, const size_t *dim, const double *values)
{
    t->hooks = &counting;
    CHECK_RESULT(sparse_pack_dense(t, dim, values), SPARSE_OK);
}

static bool same(double x, double y) { return x <= y && x >= y; }

static void check_books(void)
{
    if (!CHECK(books.live == 0 && books.mistakes == 0))
        printf("%lu blocks live, %lu mistakes\n", (unsigned long)books.live, (unsigned long)books.mistakes);
}

/* >>document 003: binary, unary, select */
#define BYTES   bytes, SPARSE_VECTOR, int8_t, 32, 32
#define INTS    ints, SPARSE_VECTOR, int32_t, 32, 32
#define LONGS   longs, SPARSE_VECTOR, int64_t, 32, 32
#define PATTERN pattern, SPARSE_CSR, int32_t, 32, 32
SPARSE_TENSOR(BYTES)
SPARSE_TENSOR(INTS)
SPARSE_TENSOR(LONGS)
SPARSE_TENSOR(PATTERN)

/* clang-format off */
/* binary, all in overlap: isEqual applied to intersecting elements only */
SPARSE_KERNEL(equal, (i), (C, BYTES, i), all((A, SVEC, i), (B, SVEC, i)), C = (int8_t)(A <= B && A >= B))
/* overlap, left, right: each an expression, the operand itself, or nothing */
SPARSE_KERNEL(add, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)), C = A + B)
SPARSE_KERNEL(regions, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)),
              C = has_A && has_B ? fmin(A, B) : has_A ? -A : 10 * B)
SPARSE_KERNEL(left_only, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)),
              C = has_B ? A * B : A; has_C = has_A)
SPARSE_KERNEL(right_only, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)),
              C = has_A ? fmin(A, B) : B; has_C = has_B)
SPARSE_KERNEL(no_overlap, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)),
              C = B - A; has_C = has_A != has_B)
/* A + B in the upper triangle, A - B in the lower one */
SPARSE_KERNEL(triangles, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)),
              C = !has_B ? A : j >= i ? A + B : A - B)
/* set difference; the values of B have another type and are never read */
SPARSE_KERNEL(minus, (i, j), (C, CSR, i, j), all((A, CSR, i, j), none((B, PATTERN, i, j))), C = A)
SPARSE_KERNEL(minus_regions, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, PATTERN, i, j)),
              C = A; has_C = !has_B)
/* unary: present and absent */
SPARSE_KERNEL(increment, (i), (C, SVEC, i), all((A, SVEC, i)), C = A + 1)
SPARSE_KERNEL(sign_of_presence, (i), (C, INTS, i), any((A, SVEC, i), (m1, int32_t)), C = has_A ? 1 : m1)
SPARSE_KERNEL(invert, (i), (C, LONGS, i), none((A, SVEC, i)), C = 1)
SPARSE_KERNEL(invert_regions, (i), (C, LONGS, i), any((A, SVEC, i), (c1, int64_t)), C = c1; has_C = !has_A)
/* select */
SPARSE_KERNEL(at_least_4, (i), (C, SVEC, i), all((A, SVEC, i)), C = A; has_C = A >= 4)
SPARSE_KERNEL(lower, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A; has_C = j < i)
SPARSE_KERNEL(lower_workspace, (j, i), (C, CSR, i, j), all((A, CSC, i, j)), C = A; has_C = j < i)
/* clang-format on */

/* | 5 . 1 . |     | 1 2 . . |
   | 3 . . . |     | . 7 . . |
   | 2 . . 3 |     | 4 8 . 6 | */
static const size_t n3x4[] = {3, 4}, n8[] = {8};
static const double a3x4[] = {5, 0, 1, 0, 3, 0, 0, 0, 2, 0, 0, 3},
                    b3x4[] = {1, 2, 0, 0, 0, 7, 0, 0, 4, 8, 0, 6};
static const double a8[] = {1, 0, 2, 0, 3, 0, 0, 4}, b8[] = {1, 5, 0, 0, 2, 0, 6, 4};

static void test_binary(void)
{
    const int32_t b[] = {1, 2, 0, 0, 0, 7, 0, 0, 4, 8, 0, 6};
    svec u = SPARSE_INIT(svec), v = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    pattern P = SPARSE_INIT(pattern);
    bytes q = SPARSE_INIT(bytes);
    set_up(&u.t, n8, a8), set_up(&v.t, n8, b8), set_up(&A.t, n3x4, a3x4), set_up(&B.t, n3x4, b3x4);
    P.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense(&P.t, n3x4, b), SPARSE_OK);
    CHECK_MAKES(q, equal(&q, &u, &v), "pos0 0 3 crd0 0 4 7 val 1 0 1");
    CHECK_MAKES(w, add(&w, &u, &v), "pos0 0 6 crd0 0 1 2 4 6 7 val 2 5 2 5 6 8");
    CHECK_MAKES(w, regions(&w, &u, &v), "pos0 0 6 crd0 0 1 2 4 6 7 val 1 50 -2 2 60 4");
    CHECK_MAKES(w, left_only(&w, &u, &v), "pos0 0 4 crd0 0 2 4 7 val 1 2 6 16");
    CHECK_MAKES(w, right_only(&w, &u, &v), "pos0 0 5 crd0 0 1 4 6 7 val 1 5 2 6 4");
    CHECK_MAKES(w, no_overlap(&w, &u, &v), "pos0 0 3 crd0 1 2 6 val 5 -2 6");
    CHECK_MAKES(C, triangles(&C, &A, &B), "pos1 0 3 5 8 crd1 0 1 2 0 1 0 1 3 val 6 2 1 3 7 -2 -8 9");
    CHECK_MAKES(C, minus(&C, &A, &P), "pos1 0 1 2 2 crd1 2 0 val 1 3");
    CHECK_MAKES(C, minus_regions(&C, &A, &P), "pos1 0 1 2 2 crd1 2 0 val 1 3");
    sparse_free(&u.t), sparse_free(&v.t), sparse_free(&A.t), sparse_free(&B.t), sparse_free(&P.t);
    check_books();
}

static void test_unary(void)
{
    svec u = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    ints n = SPARSE_INIT(ints);
    longs x = SPARSE_INIT(longs);
    set_up(&u.t, n8, a8);
    CHECK_MAKES(w, increment(&w, &u), "pos0 0 4 crd0 0 2 4 7 val 2 3 4 5");
    CHECK_MAKES(n, sign_of_presence(&n, &u, -1), "pos0 0 8 crd0 0 1 2 3 4 5 6 7 val 1 -1 1 -1 1 -1 -1 1");
    CHECK_MAKES(x, invert(&x, &u), "pos0 0 4 crd0 1 3 5 6 val 1 1 1 1");
    CHECK_MAKES(x, invert_regions(&x, &u, 1), "pos0 0 4 crd0 1 3 5 6 val 1 1 1 1");
    sparse_free(&u.t);
    check_books();
}

static void test_select(void)
{
    svec u = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    csc At = SPARSE_INIT(csc);
    const double b[] = {0, 4, -4, 3.5, 0, 9, 4.5, 0};
    set_up(&u.t, n8, b), set_up(&A.t, n3x4, b3x4), set_up(&At.t, n3x4, b3x4);
    CHECK_MAKES(w, at_least_4(&w, &u), "pos0 0 3 crd0 1 5 6 val 4 9 4.5");
    CHECK_MAKES(C, lower(&C, &A), "pos1 0 0 0 2 crd1 0 1 val 4 8");
    CHECK_MAKES(C, lower_workspace(&C, &At), "pos1 0 0 0 2 crd1 0 1 val 4 8");
    sparse_free(&u.t), sparse_free(&A.t), sparse_free(&At.t);
    check_books();
}

/* >>document 003: reduce, and the reductions that need no such help */
SPARSE_KERNEL(up_to_100, (i, j), from(1, c, SVEC, i), all((A, DCSR, i, j)), c = c * A > 100 ? 100 : c * A)
SPARSE_KERNEL(up_to_100_columns, (j, i), from(1, c, SVEC, i), all((A, CSC, i, j)),
              c = c * A > 100 ? 100 : c * A)
#define REDUCTION(name, initial, ...)                                                                        \
    SPARSE_KERNEL(name##_stored, (i, j), from(initial, r, INTS, i), all((A, PATTERN, i, j)),                 \
                  r = __VA_ARGS__)                                                                           \
    SPARSE_KERNEL(name##_plain, (i, j), from(initial, r, INTS, i), any((A, PATTERN, i, j), (zero, int)),     \
                  r = __VA_ARGS__)                                                                           \
    SPARSE_KERNEL(name##_total, (i, j), from(initial, r, int32_t), any((A, PATTERN, i, j), (zero, int)),     \
                  r = __VA_ARGS__)
/* clang-format off */
REDUCTION(sum, 0, r + A)
REDUCTION(product, 1, r * A)
REDUCTION(least, INT32_MAX, A < r ? A : r)
REDUCTION(most, INT32_MIN, A > r ? A : r)
REDUCTION(conjunction, -1, r & A)
REDUCTION(disjunction, 0, r | A)
REDUCTION(parity, 0, r ^ A)
/* clang-format on */
SPARSE_KERNEL(nearest, (i, j), from(HUGE_VAL, y, VEC, i), all((A, CSR, i, j)), y = fmin(y, A))
SPARSE_KERNEL(weight, (i, j), from(1, s, double), all((A, CSR, i, j)), s *= A)

#define CHECK_REDUCTION(name, stored, plain, total)                                                          \
    do {                                                                                                     \
        int32_t all = 12345;                                                                                 \
        CHECK_MAKES(r, name##_stored(&r, &A), "pos0 0 2 crd0 0 2 val " stored);                              \
        CHECK_MAKES(r, name##_plain(&r, &A, 0), "pos0 0 3 crd0 0 1 2 val " plain);                           \
        CHECK_RESULT(name##_total(&all, &A, 0), SPARSE_OK);                                                  \
        CHECK(all == total);                                                                                 \
    } while (0)

static void test_reduce(void)
{
    const size_t n4x4[] = {4, 4}, n3[] = {3};
    const double a[] = {2, 3, 0, 0, 0, 0, 0, 0, 20, 0, 30, 0, 0, 0, 0, 7};
    const int32_t b[] = {0, 6, 3, 0, 0, 0, 0, 0, 5, 1, 12, 9};
    dcsr D = SPARSE_INIT(dcsr);
    csc Dt = SPARSE_INIT(csc);
    svec c = SPARSE_INIT(svec);
    pattern A = SPARSE_INIT(pattern);
    ints r = SPARSE_INIT(ints);
    csr B = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    double s = -1;
    set_up(&D.t, n4x4, a), set_up(&Dt.t, n4x4, a), set_up(&B.t, n3x4, a3x4);
    set_up(&y.t, n3, b3x4);
    A.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense(&A.t, n3x4, b), SPARSE_OK);
    CHECK_MAKES(c, up_to_100(&c, &D), "pos0 0 3 crd0 0 2 3 val 6 100 7");
    CHECK_MAKES(c, up_to_100_columns(&c, &Dt), "pos0 0 3 crd0 0 2 3 val 6 100 7");
    CHECK_REDUCTION(sum, "9 27", "9 0 27", 36);
    CHECK_REDUCTION(product, "18 540", "0 0 540", 0);
    CHECK_REDUCTION(least, "3 1", "0 0 1", 0);
    CHECK_REDUCTION(most, "6 12", "6 0 12", 12);
    CHECK_REDUCTION(conjunction, "2 0", "0 0 0", 0);
    CHECK_REDUCTION(disjunction, "7 13", "7 0 13", 15);
    CHECK_REDUCTION(parity, "5 1", "5 0 1", 4);
    CHECK_MAKES(y, nearest(&y, &B), "val 1 3 2"); /* what y held before is gone */
    CHECK_RESULT(weight(&s, &B), SPARSE_OK);
    CHECK(same(s, 90));
    sparse_free(&D.t), sparse_free(&Dt.t), sparse_free(&A.t), sparse_free(&B.t);
    check_books();
}

/* >>casts, indices as values, comparisons, masks */
SPARSE_KERNEL(truncate_to_byte, (i), (C, BYTES, i), all((A, SVEC, i)), C = (int8_t)A)
SPARSE_KERNEL(halves, (i), (C, SVEC, i), all((A, BYTES, i)), C = A / 2.0)
SPARSE_KERNEL(places, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = (double)(10 * i + j))
SPARSE_KERNEL(places_everywhere, (i, j), (C, COO, i, j), any((A, CSR, i, j), (all, int)),
              C = A + (double)(10 * i + j))
SPARSE_KERNEL(not_less, (i), (C, BYTES, i), any((A, SVEC, i), (B, SVEC, i), (all, int)), C = (int8_t)(A >= B))
SPARSE_KERNEL(not_less_stored, (i), (C, BYTES, i), any((A, SVEC, i), (B, SVEC, i)), C = (int8_t)(A >= B))
SPARSE_KERNEL(masked, (i, j, k), (C, CSR, i, j), all((M, CSR, i, j), (A, CSR, i, k), (B, CSC, k, j)),
              C += A * B)
SPARSE_KERNEL(masked_rows, (i, k, j), (C, CSR, i, j), all((M, CSR, i, j), (A, CSR, i, k), (B, CSR, k, j)),
              C += A * B)
SPARSE_KERNEL(unmasked, (i, j, k), (C, CSR, i, j), all((A, CSR, i, k), (B, CSC, k, j), none((M, CSR, i, j))),
              C += A * B)
SPARSE_KERNEL(unmasked_rows, (i, k, j), (C, CSR, i, j),
              all((A, CSR, i, k), (B, CSR, k, j), none((M, CSR, i, j))), C += A * B)

static void test_statements(void)
{
    const double real[] = {1.75, 0, -2.5, 0, 127.9, 0, 0, 0};
    svec u = SPARSE_INIT(svec), v = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    bytes q = SPARSE_INIT(bytes), p = SPARSE_INIT(bytes);
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    set_up(&u.t, n8, real), set_up(&A.t, n3x4, a3x4);
    p.t.hooks = q.t.hooks = &counting;
    CHECK_RESULT(truncate_to_byte(&q, &u), SPARSE_OK);
    CHECK_ARRAYS(q, "pos0 0 3 crd0 0 2 4 val 1 -2 127");
    CHECK_MAKES(w, halves(&w, &q), "pos0 0 3 crd0 0 2 4 val 0.5 -1 63.5");
    CHECK_MAKES(C, places(&C, &A), "pos1 0 2 3 5 crd1 0 2 0 0 3 val 0 2 10 20 23");
    CHECK_MAKES(D, places_everywhere(&D, &A, 0),
                "pos0 0 12 crd0 0 0 0 1 0 2 0 3 1 0 1 1 1 2 1 3 2 0 2 1 2 2 2 3 "
                "val 5 1 3 3 13 11 12 13 22 21 22 26");
    sparse_free(&u.t);
    set_up(&u.t, n8, a8), set_up(&v.t, n8, b8);
    CHECK_MAKES(p, not_less(&p, &u, &v, 0), "pos0 0 8 crd0 0 1 2 3 4 5 6 7 val 1 0 1 1 1 1 0 1");
    CHECK_MAKES(p, not_less_stored(&p, &u, &v), "pos0 0 6 crd0 0 1 2 4 6 7 val 1 0 1 1 0 1");
    sparse_free(&u.t), sparse_free(&v.t), sparse_free(&A.t), sparse_free(&q.t);
    check_books();
}

/* | 1 . 2 |   | 3 . -3 |   | 9 . . |     A B = | 3 8 -3 |  8 = 2 * 4
   | . . . |   | . 5  . |   | 9 9 9 |           | .  . . |
   | . 1 . |   | . 4  . |   | . . 9 |           | .  5 . | */
static void test_masks(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 0, 2, 0, 0, 0, 0, 1, 0}, b[] = {3, 0, -3, 0, 5, 0, 0, 4, 0},
                 m[] = {9, 0, 0, 9, 9, 9, 0, 0, 9};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), M = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    csc Bt = SPARSE_INIT(csc);
    set_up(&A.t, n3x3, a), set_up(&B.t, n3x3, b), set_up(&Bt.t, n3x3, b), set_up(&M.t, n3x3, m);
    CHECK_MAKES(C, masked(&C, &M, &A, &Bt), "pos1 0 1 1 1 crd1 0 val 3");
    CHECK_MAKES(C, masked_rows(&C, &M, &A, &B), "pos1 0 1 1 1 crd1 0 val 3");
    CHECK_MAKES(C, unmasked(&C, &A, &Bt, &M), "pos1 0 2 2 3 crd1 1 2 1 val 8 -3 5");
    CHECK_MAKES(C, unmasked_rows(&C, &A, &B, &M), "pos1 0 2 2 3 crd1 1 2 1 val 8 -3 5");
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&Bt.t), sparse_free(&M.t);
    check_books();
}

/* >>tables: matrices and tensors of rank 3 at random, as grids (oracle.h), and kernels over them by brute
   force. The arrays that a kernel assembles are those that packing the same entries makes, to the byte. */
static grid grid_of(const sparse_encoding *e, size_t rows, size_t columns, size_t tubes)
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

static void coordinates_of(const grid *g, size_t place, size_t *i)
{
    for (size_t d = g->tensor.encoding->rank; d-- > 0; place /= g->dim[d]) i[d] = place % g->dim[d];
}

/* What is stored is stored along with the rest of its block. */
static void complete_blocks(grid *g)
{
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
static void pack_grid(grid *g)
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
    CHECK_RESULT(sparse_pack(&g->tensor, g->dim, count, coordinates, values, SPARSE_DUPLICATES_ERROR),
                 SPARSE_OK);
    free(coordinates);
    free(values);
}

/* About one in `one_in` entries, or none for 0, each -1, 1 or 2, so that sums of products often vanish. */
static grid random_grid(const sparse_encoding *e, size_t rows, size_t columns, size_t tubes, size_t one_in)
{
    static const double numbers[] = {-1, 1, 2};
    grid g = grid_of(e, rows, columns, tubes);
    for (size_t k = 0; k < g.volume; k++)
        if (one_in && random_below(one_in) == 0) g.has[k] = true, g.value[k] = numbers[random_below(3)];
    complete_blocks(&g);
    pack_grid(&g);
    return g;
}

static bool same_array(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

/* Do a and b store the same, array for array? */
static bool same_arrays(const sparse_tensor *a, const sparse_tensor *b)
{
    const sparse_encoding *e = a->encoding;
    bool is = same_array(&a->val, &b->val, e->value_size);
    for (unsigned d = 0; d < e->rank; d++) is = is && a->dim[d] == b->dim[d];
    for (unsigned l = 0; l < e->levels; l++)
        is = is && a->lvl[l] == b->lvl[l] && same_array(&a->pos[l], &b->pos[l], e->pos_bits / 8u) &&
             same_array(&a->crd[l], &b->crd[l], e->crd_bits / 8u);
    return is;
}

/* The tensor is what packing the grid makes; closes both. */
static bool check_grid(sparse_tensor *is, grid *wanted, int line)
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

/* A semiring: how terms are made of values, and sums of terms. */
typedef struct semiring {
    const char *name;
    double zero;
    double (*add)(double, double);
    double (*multiply)(double, double);
} semiring;

static double plus(double x, double y) { return x + y; }
static double times(double x, double y) { return x * y; }
static double first(double x, double y) { return (void)y, x; }
static double either(double x, double y) { return x < 0 || x > 0 || y < 0 || y > 0 ? 1 : 0; }
static double both(double x, double y) { return (x < 0 || x > 0) && (y < 0 || y > 0) ? 1 : 0; }
static const semiring plus_times = {"plus, times", 0, plus, times};

/* C = A B: stored where a term is; returns the number of zeros among the sums. */
static size_t multiply_grids(grid *c, const grid *a, const grid *b, const semiring *s)
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

/* >>products: into every encoding, by loops that append, that need one row of workspace, and more */
typedef sparse_result (*product)(sparse_tensor *C, const sparse_tensor *A, const sparse_tensor *B);
#define PRODUCT(name, C_, c, A_, a, B_, b, ...)                                                              \
    SPARSE_KERNEL(name, (__VA_ARGS__), (C, C_, i, j), all((A, A_, i, k), (B, B_, k, j)), C += A * B)         \
    static sparse_result run_##name(sparse_tensor *x, const sparse_tensor *y, const sparse_tensor *z)        \
    {                                                                                                        \
        return name((c *)x, (const a *)y, (const b *)z);                                                     \
    }
PRODUCT(csr_rows, CSR, csr, CSR, csr, CSR, csr, i, k, j)
PRODUCT(csr_dots, CSR, csr, CSR, csr, CSC, csc, i, j, k)
PRODUCT(csr_outer, CSR, csr, CSC, csc, CSR, csr, k, i, j)
PRODUCT(csr_columns, CSR, csr, CSC, csc, CSC, csc, j, k, i)
PRODUCT(dcsr_rows, DCSR, dcsr, DCSR, dcsr, CSR, csr, i, k, j)
PRODUCT(dcsr_dots, DCSR, dcsr, DCSR, dcsr, CSC, csc, i, j, k)
PRODUCT(dcsr_outer, DCSR, dcsr, CSC, csc, DCSR, dcsr, k, i, j)
PRODUCT(csc_columns, CSC, csc, CSC, csc, CSC, csc, j, k, i)
PRODUCT(csc_dots, CSC, csc, CSR, csr, CSC, csc, j, i, k)
PRODUCT(csc_rows, CSC, csc, CSR, csr, DCSR, dcsr, i, k, j)
PRODUCT(coo_rows, COO, coo, CSR, csr, CSR, csr, i, k, j)
PRODUCT(coo_dots, COO, coo, DCSR, dcsr, CSC, csc, i, j, k)
PRODUCT(coo_outer, COO, coo, CSC, csc, CSR, csr, k, i, j)
PRODUCT(soa_rows, SOA, soa, CSR, csr, CSR, csr, i, k, j)
PRODUCT(soa_dots, SOA, soa, CSR, csr, CSC, csc, i, j, k)
PRODUCT(soa_outer, SOA, soa, CSC, csc, CSR, csr, k, i, j)
PRODUCT(cd_rows, CD, cd, DCSR, dcsr, CSR, csr, i, k, j)
PRODUCT(cd_dots, CD, cd, CSR, csr, CSC, csc, i, j, k)
PRODUCT(cd_outer, CD, cd, CSC, csc, CSR, csr, k, i, j)
PRODUCT(cd_full, CD, cd, CD, cd, CD, cd, i, k, j)
PRODUCT(bsr_rows, BSR, bsr, BSR, bsr, BSR, bsr, floordiv(i, 2), floordiv(k, 2), floordiv(j, 2), mod(i, 2),
        mod(k, 2), mod(j, 2))

typedef struct product_case {
    const char *name;
    const sparse_encoding *c, *a, *b;
    product run;
} product_case;
/* clang-format off */
#define CASE(name, c, a, b) {#name, &c##_encoding, &a##_encoding, &b##_encoding, run_##name}
/* clang-format on */
static const product_case products[] = {
    CASE(csr_rows, csr, csr, csr),     CASE(csr_dots, csr, csr, csc),    CASE(csr_outer, csr, csc, csr),
    CASE(csr_columns, csr, csc, csc),  CASE(dcsr_rows, dcsr, dcsr, csr), CASE(dcsr_dots, dcsr, dcsr, csc),
    CASE(dcsr_outer, dcsr, csc, dcsr), CASE(csc_columns, csc, csc, csc), CASE(csc_dots, csc, csr, csc),
    CASE(csc_rows, csc, csr, dcsr),    CASE(coo_rows, coo, csr, csr),    CASE(coo_dots, coo, dcsr, csc),
    CASE(coo_outer, coo, csc, csr),    CASE(soa_rows, soa, csr, csr),    CASE(soa_dots, soa, csr, csc),
    CASE(soa_outer, soa, csc, csr),    CASE(cd_rows, cd, dcsr, csr),     CASE(cd_dots, cd, csr, csc),
    CASE(cd_outer, cd, csc, csr),      CASE(cd_full, cd, cd, cd),        CASE(bsr_rows, bsr, bsr, bsr),
};

/* m x k times k x n, each about one in so many: medium, with empty rows, empty, full, with sizes of 0 or 1,
   and rows of the workspace that end within and beyond its lines of 64 marks and pages of 4096 */
typedef struct extent {
    size_t m, k, n, one_in_a, one_in_b;
} extent;
static const extent extents[] = {
    {5, 6, 7, 2, 2},    {8, 6, 4, 3, 3},    {9, 9, 9, 12, 5},   {4, 5, 6, 0, 2},     {4, 5, 6, 2, 0},
    {3, 3, 3, 0, 0},    {4, 5, 6, 1, 1},    {1, 1, 1, 1, 1},    {0, 3, 4, 1, 1},     {4, 0, 3, 1, 1},
    {4, 3, 0, 1, 1},    {0, 0, 0, 1, 1},    {1, 9, 1, 2, 2},    {3, 4, 64, 2, 2},    {3, 4, 65, 1, 1},
    {64, 2, 3, 1, 1},   {70, 3, 130, 1, 1}, {2, 3, 4096, 1, 1}, {2, 2, 9001, 2, 30}, {7, 40, 9, 4, 4},
    {150, 5, 90, 9, 3}, {4097, 2, 2, 2, 1},
};

static void test_products(void)
{
    size_t vanished = 0;
    for (size_t n = 0; n < sizeof products / sizeof *products; n++)
        for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
            const product_case *p = &products[n];
            const extent *s = &extents[x];
            snprintf(subject, sizeof subject, "%s %lu %lu %lu", p->name, (unsigned long)s->m,
                     (unsigned long)s->k, (unsigned long)s->n);
            grid A = random_grid(p->a, s->m, s->k, 0, s->one_in_a),
                 B = random_grid(p->b, s->k, s->n, 0, s->one_in_b);
            grid C = grid_of(p->c, s->m, s->n, 0);
            sparse_tensor is = tensor_of(p->c);
            CHECK_RESULT(p->run(&is, &A.tensor, &B.tensor), SPARSE_OK);
            vanished += multiply_grids(&C, &A, &B, &plus_times);
            CHECK_GRID(&is, &C);
            close_grid(&A), close_grid(&B);
            check_books();
        }
    CHECK(vanished > 1000); /* sums that are 0, and stored */
}

/* The arrays of the same small product, spelled out:
   | 1 . 2 |   | 3 . -3 .|   | 3 8 -3 . |
   | . . . | * | . 5  . .| = | .  . . . |
   |-1 1 . |   | . 4  . .|   |-3 5  3 . |, and with b(1,0) = 3 the first of the last row becomes a stored 0 */
static void test_spelled(void)
{
    static const struct {
        const product_case *product;
        const char *normal, *cancelled, *empty, *no_rows, *no_columns;
    } spelled[] = {
        {&products[0], "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3",
         "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 0 5 3", "pos1 0 0 0 0 val", "pos1 0 val",
         "pos1 0 0 0 0 val"},
        {&products[4], "pos0 0 2 crd0 0 2 pos1 0 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3",
         "pos0 0 2 crd0 0 2 pos1 0 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 0 5 3", "pos0 0 0 pos1 0 val",
         "pos0 0 0 pos1 0 val", "pos0 0 0 pos1 0 val"},
        {&products[7], "pos1 0 2 4 6 6 crd1 0 2 0 2 0 2 val 3 -3 8 5 -3 3",
         "pos1 0 2 4 6 6 crd1 0 2 0 2 0 2 val 3 0 8 5 -3 3", "pos1 0 0 0 0 0 val", "pos1 0 0 0 0 0 val",
         "pos1 0 val"},
        {&products[10], "pos0 0 6 crd0 0 0 0 1 0 2 2 0 2 1 2 2 val 3 8 -3 -3 5 3",
         "pos0 0 6 crd0 0 0 0 1 0 2 2 0 2 1 2 2 val 3 8 -3 0 5 3", "pos0 0 0 val", "pos0 0 0 val",
         "pos0 0 0 val"},
        {&products[13], "pos0 0 6 crd0 0 0 0 2 2 2 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3",
         "pos0 0 6 crd0 0 0 0 2 2 2 crd1 0 1 2 0 1 2 val 3 8 -3 0 5 3", "pos0 0 0 val", "pos0 0 0 val",
         "pos0 0 0 val"},
        {&products[16], "pos0 0 2 crd0 0 2 val 3 8 -3 0 -3 5 3 0", "pos0 0 2 crd0 0 2 val 3 8 -3 0 0 5 3 0",
         "pos0 0 0 val", "pos0 0 0 val", "pos0 0 0 val"},
        {&products[20], "pos1 0 2 4 crd1 0 1 0 1 val 3 8 0 0 -3 0 0 0 -3 5 0 0 3 0 0 0",
         "pos1 0 2 4 crd1 0 1 0 1 val 3 8 0 0 -3 0 0 0 0 5 0 0 3 0 0 0", "pos1 0 0 0 val", "pos1 0 val",
         "pos1 0 0 0 val"},
    };
    const double a[] = {1, 0, 2, 0, 0, 0, -1, 1, 0}, b[] = {3, 0, -3, 0, 0, 5, 0, 0, 0, 4, 0, 0};
    const double b0[] = {3, 0, -3, 0, 3, 5, 0, 0, 0, 4, 0, 0}, none[12] = {0};
    const size_t dims[][2] = {{3, 3}, {3, 4}, {0, 3}, {3, 0}};
    for (size_t n = 0; n < sizeof spelled / sizeof *spelled; n++) {
        const product_case *p = spelled[n].product;
        const struct {
            const size_t *m, *n;
            const double *a, *b;
            const char *wanted;
        } runs[] = {
            {dims[0], dims[1], a, b, spelled[n].normal},
            {dims[0], dims[1], a, b0, spelled[n].cancelled},
            {dims[0], dims[1], a, none, spelled[n].empty},
            {dims[0], dims[1], none, b, spelled[n].empty},
            {dims[2], dims[1], none, b, spelled[n].no_rows},
            {dims[0], dims[3], a, none, spelled[n].no_columns},
        };
        for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
            sparse_tensor A = tensor_of(p->a), B = tensor_of(p->b), C = tensor_of(p->c);
            snprintf(subject, sizeof subject, "%s, run %lu", p->name, (unsigned long)r);
            CHECK_RESULT(sparse_pack_dense(&A, runs[r].m, runs[r].a), SPARSE_OK);
            CHECK_RESULT(sparse_pack_dense(&B, runs[r].n, runs[r].b), SPARSE_OK);
            CHECK_RESULT(p->run(&C, &A, &B), SPARSE_OK);
            check_arrays(&C, runs[r].wanted, __LINE__);
            sparse_free(&A), sparse_free(&B), sparse_free(&C);
            check_books();
        }
    }
}

/* >>elementwise: what needs no workspace; blocks, and rank 3 */
SPARSE_KERNEL(add_csr, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(add_coo, (i, j), (C, COO, i, j), any((A, CSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(add_soa, (i, j), (C, SOA, i, j), any((A, CSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(add_cd, (i, j), (C, CD, i, j), any((A, CSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(add_bsr, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (C, BSR, i, j),
              any((A, BSR, i, j), (B, BSR, i, j)), C = A + B)
SPARSE_KERNEL(turn, (i, j), (C, CSC, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(turn_dcsr, (j, i), (C, DCSR, i, j), all((A, CSC, i, j)), C = A)
#define TURNED turned, ((i, j, k), (compressed, k), (compressed, i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(TURNED)
SPARSE_KERNEL(add_csf, (i, j, k), (Z, CSF, i, j, k), any((X, CSF, i, j, k), (Y, CSF, i, j, k)), Z = X + Y)
SPARSE_KERNEL(ttm, (i, j, k, l), (Z, CSF, i, j, l), all((X, CSF, i, j, k), (M, CSR, k, l)), Z += X * M)
SPARSE_KERNEL(ttm_turned, (k, i, j, l), (Z, CSF, i, j, l), all((X, TURNED, i, j, k), (M, CSR, k, l)),
              Z += X * M)
SPARSE_KERNEL(ttv, (i, j, k), (Z, DCSR, i, j), all((X, CSF, i, j, k), (v, SVEC, k)), Z += X * v)

typedef sparse_result (*sum_of)(sparse_tensor *C, const sparse_tensor *A, const sparse_tensor *B);
#define SUM(name, c, a, b)                                                                                   \
    static sparse_result run_##name(sparse_tensor *x, const sparse_tensor *y, const sparse_tensor *z)        \
    {                                                                                                        \
        return name((c *)x, (const a *)y, (const b *)z);                                                     \
    }
SUM(add_csr, csr, csr, dcsr)
SUM(add_coo, coo, csr, dcsr)
SUM(add_soa, soa, csr, dcsr)
SUM(add_cd, cd, csr, dcsr)
SUM(add_bsr, bsr, bsr, bsr)
SUM(add_csf, csf, csf, csf)
static const product_case sums[] = {CASE(add_csr, csr, csr, dcsr), CASE(add_coo, coo, csr, dcsr),
                                    CASE(add_soa, soa, csr, dcsr), CASE(add_cd, cd, csr, dcsr),
                                    CASE(add_bsr, bsr, bsr, bsr),  CASE(add_csf, csf, csf, csf)};

static void test_sums(void)
{
    for (size_t n = 0; n < sizeof sums / sizeof *sums; n++)
        for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
            const extent *s = &extents[x];
            snprintf(subject, sizeof subject, "%s %lu", sums[n].name, (unsigned long)x);
            grid A = random_grid(sums[n].a, s->m, s->n, s->k, s->one_in_a);
            grid B = random_grid(sums[n].b, s->m, s->n, s->k, s->one_in_b);
            grid C = grid_of(sums[n].c, s->m, s->n, s->k);
            sparse_tensor is = tensor_of(sums[n].c);
            CHECK_RESULT(sums[n].run(&is, &A.tensor, &B.tensor), SPARSE_OK);
            for (size_t k = 0; k < C.volume; k++) {
                C.has[k] = A.has[k] || B.has[k];
                C.value[k] = A.value[k] + B.value[k];
            }
            CHECK_GRID(&is, &C);
            close_grid(&A), close_grid(&B);
            check_books();
        }
}

/* what is left out leaves no trace: no row, no slice, no block without an entry */
SPARSE_KERNEL(keep_dcsr, (i, j), (C, DCSR, i, j), all((A, CSR, i, j)), C = A; has_C = A > 1)
SPARSE_KERNEL(keep_coo, (i, j), (C, COO, i, j), all((A, CSR, i, j)), C = A; has_C = A > 1)
SPARSE_KERNEL(keep_csc, (i, j), (C, CSC, i, j), all((A, CSR, i, j)), C = A; has_C = A > 1)
SPARSE_KERNEL(keep_csf, (i, j, k), (Z, CSF, i, j, k), all((X, CSF, i, j, k)), Z = X; has_Z = X > 1)
typedef sparse_result (*choice)(sparse_tensor *C, const sparse_tensor *A);
#define KEEP(name, c, a)                                                                                     \
    static sparse_result run_##name(sparse_tensor *x, const sparse_tensor *y)                                \
    {                                                                                                        \
        return name((c *)x, (const a *)y);                                                                   \
    }
KEEP(keep_dcsr, dcsr, csr)
KEEP(keep_coo, coo, csr)
KEEP(keep_csc, csc, csr)
KEEP(keep_csf, csf, csf)

SPARSE_KERNEL(later_rows, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B;
              has_C = i > 0)

/* an entry that was left out of one row is not the beginning of one in the next */
static void test_left_out(void)
{
    const size_t n2x2[] = {2, 2};
    const double a[] = {5, 0, 3, 0}, b[] = {1, 0, 0, 0};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    set_up(&A.t, n2x2, a), set_up(&B.t, n2x2, b);
    CHECK_MAKES(C, later_rows(&C, &A, &B), "pos1 0 0 1 crd1 0 val 3");
    sparse_free(&A.t), sparse_free(&B.t);
    check_books();
}

static void test_choices(void)
{
    static const struct {
        const sparse_encoding *c, *a;
        choice run;
    } all[] = {{&dcsr_encoding, &csr_encoding, run_keep_dcsr},
               {&coo_encoding, &csr_encoding, run_keep_coo},
               {&csc_encoding, &csr_encoding, run_keep_csc},
               {&csf_encoding, &csf_encoding, run_keep_csf}};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
            const extent *s = &extents[x];
            snprintf(subject, sizeof subject, "choice %lu, %lu", (unsigned long)n, (unsigned long)x);
            grid A = random_grid(all[n].a, s->m, s->n, s->k, s->one_in_a),
                 C = grid_of(all[n].c, s->m, s->n, s->k);
            sparse_tensor is = tensor_of(all[n].c);
            CHECK_RESULT(all[n].run(&is, &A.tensor), SPARSE_OK);
            for (size_t k = 0; k < C.volume; k++)
                if (A.has[k] && A.value[k] > 1) C.has[k] = true, C.value[k] = A.value[k];
            CHECK_GRID(&is, &C);
            close_grid(&A);
            check_books();
        }
}

static void test_transposes(void)
{
    for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
        const extent *s = &extents[x];
        grid A = random_grid(&csr_encoding, s->m, s->n, 0, s->one_in_a);
        grid B = random_grid(&csc_encoding, s->m, s->n, 0, s->one_in_b);
        csc C = SPARSE_INIT(csc);
        dcsr D = SPARSE_INIT(dcsr);
        C.t.hooks = D.t.hooks = &counting;
        snprintf(subject, sizeof subject, "transposes %lu", (unsigned long)x);
        CHECK_RESULT(turn(&C, (const csr *)&A.tensor), SPARSE_OK);
        CHECK_RESULT(turn_dcsr(&D, (const csc *)&B.tensor), SPARSE_OK);
        sparse_tensor C2 = tensor_of(&csc_encoding), D2 = tensor_of(&dcsr_encoding);
        CHECK_RESULT(sparse_convert(&C2, &A.tensor), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&D2, &B.tensor), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C2));
        CHECK(same_arrays(&D.t, &D2));
        sparse_free(&C.t), sparse_free(&D.t), sparse_free(&C2), sparse_free(&D2), close_grid(&A),
            close_grid(&B);
        check_books();
    }
}

/* Z(i,j,l) = X(i,j,k) M(k,l), as CSF, by two orders of the loops; and X(i,j,k) v(k) */
static void test_rank_3(void)
{
    for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
        const extent *s = &extents[x];
        const size_t rows = s->m, columns = s->n < 200 ? s->n : 200, n = s->k;
        grid X = random_grid(&csf_encoding, rows, columns, n, s->one_in_a),
             Y = grid_of(&turned_encoding, rows, columns, n);
        grid M = random_grid(&csr_encoding, n, 5, 0, s->one_in_b),
             v = random_grid(&svec_encoding, n, 0, 0, s->one_in_b);
        grid Z = grid_of(&csf_encoding, rows, columns, 5), Z2 = grid_of(&csf_encoding, rows, columns, 5);
        grid W = grid_of(&dcsr_encoding, rows, columns, 0);
        sparse_tensor z = tensor_of(&csf_encoding), z2 = tensor_of(&csf_encoding),
                      w = tensor_of(&dcsr_encoding);
        memcpy(Y.has, X.has, X.volume * sizeof *X.has);
        memcpy(Y.value, X.value, X.volume * sizeof *X.value);
        pack_grid(&Y);
        snprintf(subject, sizeof subject, "rank 3, %lu", (unsigned long)x);
        CHECK_RESULT(ttm((csf *)&z, (const csf *)&X.tensor, (const csr *)&M.tensor), SPARSE_OK);
        CHECK_RESULT(ttm_turned((csf *)&z2, (const turned *)&Y.tensor, (const csr *)&M.tensor), SPARSE_OK);
        CHECK_RESULT(ttv((dcsr *)&w, (const csf *)&X.tensor, (const svec *)&v.tensor), SPARSE_OK);
        for (size_t at = 0; at < X.volume; at++) {
            const size_t ij = at / n, k = at % n;
            if (!X.has[at]) continue;
            for (size_t l = 0; l < 5; l++)
                if (M.has[k * 5 + l])
                    Z.has[ij * 5 + l] = true, Z.value[ij * 5 + l] += X.value[at] * M.value[k * 5 + l];
            if (v.has[k]) W.has[ij] = true, W.value[ij] += X.value[at] * v.value[k];
        }
        memcpy(Z2.has, Z.has, Z.volume * sizeof *Z.has);
        memcpy(Z2.value, Z.value, Z.volume * sizeof *Z.value);
        CHECK_GRID(&z, &Z);
        CHECK_GRID(&z2, &Z2);
        CHECK_GRID(&w, &W);
        close_grid(&X), close_grid(&Y), close_grid(&M), close_grid(&v);
        check_books();
    }
}

/* >>semirings: on a graph, two steps by rows and by inner products, against the same by brute force */
#define SEMIRING(name, zero, multiply_add)                                                                   \
    SPARSE_KERNEL(name##_rows, (i, k, j), from(zero, C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)),     \
                  C = multiply_add)                                                                          \
    SPARSE_KERNEL(name##_dots, (i, j, k), from(zero, C, CSR, i, j), all((A, CSR, i, k), (B, CSC, k, j)),     \
                  C = multiply_add)                                                                          \
    SUM(name##_rows, csr, csr, csr) SUM(name##_dots, csr, csr, csc)
/* clang-format off */
SEMIRING(plus_times, 0, C + A * B)
SEMIRING(min_plus, HUGE_VAL, fmin(C, A + B))
SEMIRING(max_min, -HUGE_VAL, fmax(C, fmin(A, B)))
SEMIRING(or_and, 0, C != 0 || (A != 0 && B != 0))
SEMIRING(plus_first, 0, C + A)
SEMIRING(times_max, 1, C * fmax(A, B)) /* not a semiring, but who minds */
/* clang-format on */

static void test_semirings(void)
{
    static const struct {
        semiring how;
        sum_of rows, dots;
    } all[] = {
        {{"plus, times", 0, plus, times}, run_plus_times_rows, run_plus_times_dots},
        {{"min, plus", HUGE_VAL, fmin, plus}, run_min_plus_rows, run_min_plus_dots},
        {{"max, min", -HUGE_VAL, fmax, fmin}, run_max_min_rows, run_max_min_dots},
        {{"or, and", 0, either, both}, run_or_and_rows, run_or_and_dots},
        {{"plus, first", 0, plus, first}, run_plus_first_rows, run_plus_first_dots},
        {{"times, max", 1, times, fmax}, run_times_max_rows, run_times_max_dots},
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        grid A = random_grid(&csr_encoding, 12, 12, 0, 4), B = random_grid(&csc_encoding, 12, 12, 0, 4);
        grid B2 = grid_of(&csr_encoding, 12, 12, 0);
        grid C = grid_of(&csr_encoding, 12, 12, 0), D = grid_of(&csr_encoding, 12, 12, 0);
        sparse_tensor c = tensor_of(&csr_encoding), d = tensor_of(&csr_encoding);
        memcpy(B2.has, B.has, B.volume * sizeof *B.has);
        memcpy(B2.value, B.value, B.volume * sizeof *B.value);
        pack_grid(&B2);
        snprintf(subject, sizeof subject, "%s", all[n].how.name);
        CHECK_RESULT(all[n].rows(&c, &A.tensor, &B2.tensor), SPARSE_OK);
        CHECK_RESULT(all[n].dots(&d, &A.tensor, &B.tensor), SPARSE_OK);
        multiply_grids(&C, &A, &B, &all[n].how);
        multiply_grids(&D, &A, &B, &all[n].how);
        CHECK_GRID(&c, &C);
        CHECK_GRID(&d, &D);
        close_grid(&A), close_grid(&B), close_grid(&B2);
        check_books();
    }
}

/* >>hashed workspaces: results of huge dimensions and few entries. The truth is the list of all terms, which
   packing adds up. */
#define WCSR  wcsr, SPARSE_CSR, double, 64, 64
#define WCSC  wcsc, SPARSE_CSC, double, 64, 64
#define WDCSR wdcsr, SPARSE_DCSR, double, 64, 64
#define WCOO  wcoo, SPARSE_COO, double, 64, 64
#define WCSF  wcsf, SPARSE_CSF_3D, double, 64, 64
#define BLOCK (dense, mod(i, 2)), (dense, mod(j, 2))
#define BSC   bsc, ((i, j), (dense, floordiv(j, 2)), (compressed, floordiv(i, 2)), BLOCK), double, 32, 32
#define DBSR  dbsr, ((i, j), (compressed, floordiv(i, 2)), (compressed, floordiv(j, 2)), BLOCK), double, 32, 32
SPARSE_TENSOR(WCSR)
SPARSE_TENSOR(WCSC)
SPARSE_TENSOR(WDCSR)
SPARSE_TENSOR(WCOO)
SPARSE_TENSOR(BSC)
SPARSE_TENSOR(DBSR)
SPARSE_TENSOR(WCSF)
PRODUCT(wide_rows, WCSR, wcsr, WCSR, wcsr, WCSR, wcsr, i, k, j)
PRODUCT(wide_outer, WDCSR, wdcsr, WCSC, wcsc, WCSR, wcsr, k, i, j)
PRODUCT(wide_coo, WCOO, wcoo, WCSC, wcsc, WCSR, wcsr, k, i, j)
PRODUCT(wide_mixed, WCSR, wcsr, WCSC, wcsc, WCSR, wcsr, k, i, j)
PRODUCT(wide_blocks, DBSR, dbsr, BSC, bsc, BSR, bsr, floordiv(k, 2), floordiv(i, 2), floordiv(j, 2),
        mod(i, 2), mod(k, 2), mod(j, 2))
SPARSE_KERNEL(wide_slices, (k, i, j, l), (Z, WCSF, i, j, l),
              all((A, WCSC, i, k), (B, WCSR, k, j), (v, SVEC, l)), Z += A * B * v)
static const product_case wide[] = {CASE(wide_rows, wcsr, wcsr, wcsr), CASE(wide_outer, wdcsr, wcsc, wcsr),
                                    CASE(wide_coo, wcoo, wcsc, wcsr), CASE(wide_mixed, wcsr, wcsc, wcsr),
                                    CASE(wide_blocks, dbsr, bsc, bsr)};

/* `count` entries, at 0, at the last coordinate, and at some in between that recur. */
static void scatter(sparse_tensor *t, size_t rows, size_t columns, size_t count)
{
    enum { POOL = 25, COUNT = 400 };
    static size_t at[2 * COUNT];
    static double values[COUNT];
    const size_t dim[] = {rows, columns};
    size_t pool[2][POOL] = {{0}};
    for (size_t d = 0; d < 2; d++)
        for (size_t n = 1; n < POOL; n++)
            pool[d][n] = n == 1 ? dim[d] - 1 : random_below(n < 9 && dim[d] > 300 ? 300 : dim[d]);
    for (size_t n = 0; n < count; n++) {
        at[2 * n] = pool[0][random_below(POOL)];
        at[2 * n + 1] = pool[1][random_below(POOL)];
        values[n] = random_below(2) ? 1 : -1;
    }
    CHECK_RESULT(sparse_pack(t, dim, count, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
}

/* C = A B, as packing makes it; of all terms or of those that are positive. */
static void pack_terms(sparse_tensor *C, const sparse_tensor *A, const sparse_tensor *B, bool all)
{
    const size_t most = A->val.length * B->val.length + 1, dim[] = {A->dim[0], B->dim[1]};
    size_t *at = (size_t *)malloc(2 * most * sizeof *at), count = 0;
    double *values = (double *)malloc(most * sizeof *values);
    if (!at || !values) abort();
    SPARSE_FOREACH(a, A)
    SPARSE_FOREACH(b, B)
    if (a.dim[1] == b.dim[0] && (all || SPARSE_VALUE(a, double) * SPARSE_VALUE(b, double) > 0)) {
        at[2 * count] = a.dim[0], at[2 * count + 1] = b.dim[1];
        values[count++] = 0 + SPARSE_VALUE(a, double) * SPARSE_VALUE(b, double); /* no -0 */
    }
    CHECK_RESULT(sparse_pack(C, dim, count, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    free(at);
    free(values);
}

static void try_wide(const product_case *p, size_t m, size_t n, size_t entries)
{
    sparse_tensor A = tensor_of(p->a), B = tensor_of(p->b), C = tensor_of(p->c), wanted = tensor_of(p->c);
    snprintf(subject, sizeof subject, "%s %lu x %lu, %lu entries", p->name, (unsigned long)m,
             (unsigned long)n, (unsigned long)entries);
    scatter(&A, m, 7, entries), scatter(&B, 7, n, entries);
    CHECK_RESULT(p->run(&C, &A, &B), SPARSE_OK);
    pack_terms(&wanted, &A, &B, true);
    CHECK_RESULT(sparse_validate(&C, NULL), SPARSE_OK);
    CHECK(same_arrays(&C, &wanted));
    sparse_free(&A), sparse_free(&B), sparse_free(&C), sparse_free(&wanted);
    check_books();
}

static void test_hashed(void)
{
    const size_t entries[] = {0, 1, 20, 60, 150, 400}, huge = (size_t)1 << 31;
    for (size_t n = 0; n < sizeof entries / sizeof *entries; n++) {
        const size_t e = entries[n];
        try_wide(&wide[0], 5, huge, e);
        try_wide(&wide[0], 1000, huge + 12345, e);
        try_wide(&products[20], 12, huge / 256, e); /* in blocks, a few rows of them one after the other */
        try_wide(&wide[3], 3, huge / 4, e);         /* 2-D, of which the outer level is dense */
        try_wide(&wide[0], 40, 100000, e); /* dense, and short lists where they do */
        try_wide(&wide[0], 1000, (size_t)1 << 17, e);
        try_wide(&products[20], 12, 1 << 18, e);
        for (size_t p = 1; p < sizeof wide / sizeof *wide; p++) try_wide(&wide[p], 600, 601, e);
        for (size_t p = 1; p < sizeof wide / sizeof *wide; p++) {
            try_wide(&wide[p], 1500, 1501, e);
            try_wide(&wide[p], (size_t)1 << 15, 40001, e);
        }
        if (sizeof(size_t) < 8) continue;
        try_wide(&wide[1], huge, huge, e);
        try_wide(&wide[2], huge, huge, e);
        try_wide(&wide[1], huge, 2 * (huge - 1), e);
    }
}

/* An array in place of the hash table is made when a quarter of its slots was inserted into that, and no row before. */
enum { SLOTS = 20000 };
static bool made_array;
static void *resize_and_note(void *context, void *memory, size_t old_bytes, size_t new_bytes)
{
    made_array = made_array || new_bytes == SLOTS * sizeof(double);
    return ledger_resize(context, memory, old_bytes, new_bytes);
}
static void test_array_pays(void)
{
    enum { EACH = 3, INNER = 7 };
    static const size_t rows[] = {SLOTS / 4 / EACH - 100, SLOTS / 4 / EACH + 100};
    static const sparse_hooks noting = {resize_and_note, &books};
    static size_t at[2 * SLOTS];
    static double values[SLOTS];
    for (size_t n = 0; n < 2; n++) {
        const size_t left[] = {rows[n], INNER}, right[] = {INNER, SLOTS};
        wcsr A = SPARSE_INIT(wcsr), B = SPARSE_INIT(wcsr), C = SPARSE_INIT(wcsr);
        subject[0] = 0;
        C.t.hooks = &noting;
        for (size_t k = 0; k < SLOTS; k++) values[k] = 1;
        for (size_t i = 0; i < rows[n]; i++) at[2 * i] = i, at[2 * i + 1] = i % INNER;
        CHECK_RESULT(sparse_pack(&A.t, left, rows[n], at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        for (size_t k = 0; k < INNER * EACH; k++) at[2 * k] = k / EACH, at[2 * k + 1] = (SLOTS - 1) / (EACH - 1) * (k % EACH);
        CHECK_RESULT(sparse_pack(&B.t, right, INNER * EACH, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        made_array = false;
        CHECK_RESULT(wide_rows(&C, &A, &B), SPARSE_OK);
        CHECK(made_array == (n == 1));
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
        check_books();
    }
}

/* A workspace of short lists, of which entries are left out: some terms, and some coordinates altogether. */
SPARSE_KERNEL(wide_plain, (i, k, j), (C, WCSR, i, j), all((A, WCSR, i, k), (B, WCSR, k, j)), C += A * B)
SPARSE_KERNEL(positive, (i, k, j), (C, WCSR, i, j), all((A, WCSR, i, k), (B, WCSR, k, j)), C += A * B; has_C = A * B > 0)
static void test_lists_left_out(void)
{
    for (size_t entries = 0; entries < 400; entries = 2 * entries + 3) {
        wcsr A = SPARSE_INIT(wcsr), B = SPARSE_INIT(wcsr), C = SPARSE_INIT(wcsr), wanted = SPARSE_INIT(wcsr);
        A.t.hooks = B.t.hooks = C.t.hooks = wanted.t.hooks = &counting;
        scatter(&A.t, 200, 7, entries), scatter(&B.t, 7, 100000, entries);
        CHECK_RESULT(positive(&C, &A, &B), SPARSE_OK);
        pack_terms(&wanted.t, &A.t, &B.t, false);
        CHECK(sparse_validate(&C.t, NULL) == SPARSE_OK && same_arrays(&C.t, &wanted.t));
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&wanted.t);
    }
    check_books();
}

/* Rows of which the workspace changes its kind: of few entries and of many, near each other and not, the same ones over
   and over; with arrays that are small, that pay after some rows, and that never do. `rows` and `column` of B are
   in order; the truth is a dense row. */
enum { KINDS = 8, ROWS = 90, TIMES = 12 };
static size_t columns_of_kind(unsigned kind, size_t columns, uint64_t *column)
{
    static const size_t count[KINDS] = {0, 1, 5, 40, 300, 2500, 700, 12};
    const bool near = kind == 3 || kind == 6;
    const size_t first = near ? random_below(columns - 900) : kind == 7 ? columns / 2 : 0;
    size_t length = 0;
    for (size_t j = 0; length < count[kind]; length++) {
        const size_t step = near || kind == 7 ? 1 : columns / count[kind];
        column[length] = first + j + (step > 1 ? random_below(step) : 0);
        j += step;
    }
    return length;
}
static void try_kinds(size_t columns, bool all)
{
    static uint64_t a_pos[ROWS + 1], a_crd[ROWS * TIMES], b_pos[KINDS * 4 + 1], b_crd[KINDS * 4 * 2500];
    static double a_val[ROWS * TIMES], b_val[KINDS * 4 * 2500];
    const size_t a_dim[] = {ROWS, KINDS * 4}, b_dim[] = {KINDS * 4, columns};
    wcsr A = SPARSE_INIT(wcsr), B = SPARSE_INIT(wcsr), C = SPARSE_INIT(wcsr);
    double *row = (double *)calloc(columns, sizeof *row);
    bool *is_in = (bool *)calloc(columns, sizeof *is_in);
    if (!row || !is_in) abort();
    snprintf(subject, sizeof subject, "rows of all kinds, %lu columns", (unsigned long)columns);
    for (size_t k = 0; k < KINDS * 4; k++) {
        b_pos[k + 1] = b_pos[k] + columns_of_kind((unsigned)k / 4, columns, b_crd + b_pos[k]);
        for (uint64_t p = b_pos[k]; p < b_pos[k + 1]; p++) b_val[p] = random_below(2) ? 1 : -2;
    }
    for (size_t i = 0; i < ROWS; i++) { /* for some rows of the result the same kind, then any */
        uint64_t p = a_pos[i];
        for (size_t k = 0; k < KINDS * 4 && p < a_pos[i] + TIMES; k++)
            if (i / 10 < KINDS ? k / 4 == i / 10 : random_below(4) == 0) {
                a_crd[p] = k;
                a_val[p++] = random_below(2) ? 1 : -1;
            }
        a_pos[i + 1] = p;
    }
    sparse_arrays a, b;
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
    a.pos[1].at = a_pos, a.pos[1].length = ROWS + 1;
    a.crd[1].at = a_crd, a.crd[1].length = a.val.length = (size_t)a_pos[ROWS];
    a.val.at = a_val;
    b.pos[1].at = b_pos, b.pos[1].length = KINDS * 4 + 1;
    b.crd[1].at = b_crd, b.crd[1].length = b.val.length = (size_t)b_pos[KINDS * 4];
    b.val.at = b_val;
    CHECK_RESULT(sparse_assemble(&A.t, a_dim, &a, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_assemble(&B.t, b_dim, &b, SPARSE_BORROW, NULL), SPARSE_OK);
    C.t.hooks = &counting;
    CHECK_RESULT(all ? wide_plain(&C, &A, &B) : positive(&C, &A, &B), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&C.t, NULL), SPARSE_OK);
    const uint64_t *pos = (const uint64_t *)C.t.pos[1].at, *crd = (const uint64_t *)C.t.crd[1].at;
    const double *val = (const double *)C.t.val.at;
    bool is_same = true;
    for (size_t i = 0; i < ROWS; i++) {
        size_t count = 0;
        for (uint64_t p = a_pos[i]; p < a_pos[i + 1]; p++)
            for (uint64_t q = b_pos[a_crd[p]]; q < b_pos[a_crd[p] + 1]; q++) {
                const double term = a_val[p] * b_val[q];
                if (!all && term <= 0) continue;
                row[b_crd[q]] += term;
                count += !is_in[b_crd[q]];
                is_in[b_crd[q]] = true;
            }
        is_same = is_same && pos[i + 1] - pos[i] == count;
        for (uint64_t p = pos[i]; p < pos[i + 1] && is_same; p++) {
            is_same = is_in[crd[p]] && same(val[p], row[crd[p]]);
            is_in[crd[p]] = false;
        }
        memset(row, 0, columns * sizeof *row);
        memset(is_in, 0, columns * sizeof *is_in);
    }
    CHECK(is_same);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    free(row), free(is_in);
    check_books();
}
static void test_kinds(void)
{
    static const size_t columns[] = {4000, 5000, 30000, 140000, 300000, 3000000};
    for (size_t n = 0; n < sizeof columns / sizeof *columns; n++) {
        try_kinds(columns[n], true);
        try_kinds(columns[n], false);
    }
}

/* A workspace over three levels, hashed: 2000 * 3000 * 8 keys */
static void test_hashed_rank_3(void)
{
    const double few[] = {0, 0, 2, 0, 0, 3, 0, 0};
    wcsc A = SPARSE_INIT(wcsc);
    wcsr B = SPARSE_INIT(wcsr);
    svec v = SPARSE_INIT(svec);
    wcsf Z = SPARSE_INIT(wcsf);
    sparse_tensor C = tensor_of(&wdcsr_encoding);
    A.t.hooks = B.t.hooks = Z.t.hooks = &counting;
    set_up(&v.t, n8, few);
    scatter(&A.t, 2000, 7, 60), scatter(&B.t, 7, 3000, 60);
    pack_terms(&C, &A.t, &B.t, true);
    CHECK_RESULT(wide_slices(&Z, &A, &B, &v), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&Z.t, NULL), SPARSE_OK);
    CHECK(Z.t.val.length == 2 * C.val.length);
    size_t n = 0;
    SPARSE_FOREACH(z, &Z.t)
    {
        const double x = ((const double *)C.val.at)[n / 2];
        CHECK(z.dim[2] == (n % 2 ? 5 : 2) && same(SPARSE_VALUE(z, double), (n % 2 ? 3 : 2) * x));
        n++;
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&v.t), sparse_free(&Z.t), sparse_free(&C);
    check_books();
}

/* Did the tensor give back all that it had? */
static bool is_empty(const sparse_tensor *t)
{
    bool is = t->val.at == NULL && t->val.length == 0;
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++)
        is = is && t->pos[l].at == NULL && t->crd[l].at == NULL && t->pos[l].length == 0 &&
             t->crd[l].length == 0;
    return is;
}

/* Keys that no size_t holds; and the same sizes where rows alone are in the workspace, which is fine. */
static void test_overflow(void)
{
    const size_t half = (size_t)1 << (sizeof(size_t) * 5);
    for (size_t p = 1; p < 3; p++) {
        sparse_tensor A = tensor_of(wide[p].a), B = tensor_of(wide[p].b), C = tensor_of(wide[p].c);
        scatter(&A, half, 7, 20), scatter(&B, 7, half, 20);
        CHECK_RESULT(wide[p].run(&C, &A, &B), SPARSE_E_OVERFLOW);
        CHECK(is_empty(&C));
        sparse_free(&A);
        sparse_free(&B);
        scatter(&A, 3, 7, 20), scatter(&B, 7, 5, 20);
        CHECK_RESULT(wide[p].run(&C, &A, &B), SPARSE_OK); /* it can be used again */
        CHECK(!is_empty(&C) && C.dim[0] == 3 && C.dim[1] == 5);
        sparse_free(&A), sparse_free(&B);
        scatter(&A, half, 7, 20), scatter(&B, 7, half, 20);
        CHECK_RESULT(wide[p].run(&C, &A, &B), SPARSE_E_OVERFLOW);
        CHECK(is_empty(&C));
        sparse_free(&A), sparse_free(&B), sparse_free(&C);
        check_books();
    }
    try_wide(&wide[0], 3, half, 100);
}

/* Parts whose lengths, times the parts to come or with an eighth more, exceed all sizes have no place in the whole. */
static void test_many_parts(void)
{
    static const size_t length[] = {SIZE_MAX / 2 + 1, SIZE_MAX / 9 * 8 + 8};
    sparse_builder all[3];
    size_t n = 0, at[SPARSE_P_BUFFERS];
    for (size_t k = 0; k < 2; k++) {
        memset(all, 0, sizeof all);
        sparse_builder *const whole = &all[2 - k];
        all[0].parts = 2 - k, all[0].ended = true;
        all[0].aside.encoding = &svec_encoding;
        all[0].aside.val.length = length[k];
        whole->t = &whole->aside;
        whole->aside.encoding = &svec_encoding;
        whole->aside.hooks = &counting;
        CHECK(!sparse_p_give_place(all, &n, at) && whole->number == 0);
        sparse_p_release(&counting, &whole->aside.val, sizeof(double));
    }
    check_books();
}

/* >>memory: every allocation fails in turn */
static void try_memory(const product_case *p, const sparse_tensor *A, const sparse_tensor *B)
{
    sparse_tensor wanted = tensor_of(p->c), A2 = tensor_of(p->a), B2 = tensor_of(p->b), C = tensor_of(p->c);
    const sparse_tensor header[] = {*A, *B};
    snprintf(subject, sizeof subject, "memory for %s", p->name);
    CHECK_RESULT(sparse_copy(&A2, A), SPARSE_OK);
    CHECK_RESULT(sparse_copy(&B2, B), SPARSE_OK);
    CHECK_RESULT(p->run(&wanted, A, B), SPARSE_OK);
    CHECK(wanted.val.length > 50);
    const size_t live = books.live;
    for (size_t n = 0, calls = 0; n <= 2; n++) { /* into an empty output, into one that holds a result, and into its own */
        if (n == 1) CHECK_RESULT(sparse_copy(&C, &wanted), SPARSE_OK);
        const void *const arrays_of[] = {C.val.at, C.crd[C.encoding->levels - 1].at};
        size_t took = books.calls;
        CHECK_RESULT(p->run(&C, A, B), SPARSE_OK);
        took = books.calls - took;
        CHECK(same_arrays(&C, &wanted) && (n > 0 ? took <= calls : took >= 3));
        CHECK(n < 2 || (C.val.at == arrays_of[0] && C.crd[C.encoding->levels - 1].at == arrays_of[1]));
        calls = took;
        for (size_t k = 1; k <= calls && n <= 1; k++) {
            sparse_free(&C);
            if (n == 1) CHECK_RESULT(sparse_copy(&C, &wanted), SPARSE_OK);
            books.fail_at = books.calls + k;
            CHECK_RESULT(p->run(&C, A, B), SPARSE_E_MEMORY);
            CHECK(books.calls >= books.fail_at);
            books.fail_at = 0;
            CHECK(is_empty(&C) && books.live == live && books.mistakes == 0);
            CHECK(memcmp(&header[0], A, sizeof *A) == 0 && memcmp(&header[1], B, sizeof *B) == 0);
            CHECK(same_arrays(A, &A2) && same_arrays(B, &B2));
            sparse_free(&C), sparse_free(&C);
            C = tensor_of(p->c);
        }
        if (n == 0) sparse_free(&C);
        if (n == 1) CHECK_RESULT(p->run(&C, A, B), SPARSE_OK);
    }
    sparse_free(&C), sparse_free(&wanted), sparse_free(&A2), sparse_free(&B2);
}

static void test_memory(void)
{
    for (size_t n = 0; n < sizeof sums / sizeof *sums; n++) {
        grid A = random_grid(sums[n].a, 20, 30, 5, 3), B = random_grid(sums[n].b, 20, 30, 5, 3);
        try_memory(&sums[n], &A.tensor, &B.tensor);
        close_grid(&A), close_grid(&B);
    }
    for (size_t n = 0; n < sizeof products / sizeof *products; n++) {
        grid A = random_grid(products[n].a, 30, 20, 0, 5), B = random_grid(products[n].b, 20, 90, 0, 5);
        try_memory(&products[n], &A.tensor, &B.tensor);
        close_grid(&A), close_grid(&B);
    }
    for (size_t n = 0; n < sizeof wide / sizeof *wide; n++) {
        sparse_tensor A = tensor_of(wide[n].a), B = tensor_of(wide[n].b);
        scatter(&A, 8001, 7, 100), scatter(&B, 7, n == 0 ? (size_t)1 << 31 : 8003, 150);
        try_memory(&wide[n], &A, &B);
        sparse_free(&A), sparse_free(&B);
        scatter(&A, 601, 7, 100), scatter(&B, 7, n == 0 ? 100000 : 603, 150);
        try_memory(&wide[n], &A, &B);
        sparse_free(&A), sparse_free(&B);
    }
    check_books();
}

/* Where a block has a most that it can have, an output is made as long as it fits with what a row may add, though its first
   rows are the longest, and promise more than can be had. */
static void test_scarce(void)
{
    enum { SIZE = 300, FULL = 40, BELOW = FULL * (FULL - 1) / 2, ABOVE = FULL * SIZE - BELOW + SIZE - FULL };
    static double a[SIZE * SIZE];
    const size_t dim[] = {SIZE, SIZE};
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    snprintf(subject, sizeof subject, "scarce memory");
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j < SIZE; j++) a[SIZE * i + j] = i < FULL || i == j ? 2 - (double)(i > j) : 0;
    A.t.hooks = C.t.hooks = D.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense(&A.t, dim, a), SPARSE_OK);
    for (size_t scarce = 2; scarce-- > 0;) {
        const sparse_result wanted = scarce ? SPARSE_E_MEMORY : SPARSE_OK;
        books.most = sizeof(double) * (scarce ? BELOW - 1 : BELOW + SIZE);
        CHECK_RESULT(lower(&C, &A), wanted);
        CHECK(scarce ? is_empty(&C.t) : C.t.val.length == BELOW && sparse_validate(&C.t, NULL) == SPARSE_OK);
        books.most = sizeof(double) * (scarce ? ABOVE - 1 : ABOVE + SIZE);
        CHECK_RESULT(keep_coo(&D, &A), wanted);
    }
    books.most = 0;
    sparse_free(&A.t), sparse_free(&C.t), sparse_free(&D.t);
    check_books();
}

/* Rows of one entry, each far from the one before, do without an array over all columns, however many there are. */
static void test_far_rows(void)
{
    enum { COLUMNS = 1 << 20, LENGTH = COLUMNS / 3 };
    const size_t a_dim[] = {LENGTH, 2}, b_dim[] = {2, COLUMNS}, at[] = {0, 0, 1, COLUMNS - 1};
    const double b[] = {3, 5};
    size_t *coordinates = (size_t *)malloc(2 * LENGTH * sizeof *coordinates), wrong = 0;
    double *a = (double *)malloc(LENGTH * sizeof *a);
    wcsr A = SPARSE_INIT(wcsr), B = SPARSE_INIT(wcsr), C = SPARSE_INIT(wcsr);
    snprintf(subject, sizeof subject, "rows far from each other");
    if (!coordinates || !a) abort();
    for (size_t i = 0; i < LENGTH; i++) coordinates[2 * i] = i, coordinates[2 * i + 1] = i % 2, a[i] = 2;
    A.t.hooks = B.t.hooks = C.t.hooks = &counting;
    CHECK_RESULT(sparse_pack(&A.t, a_dim, LENGTH, coordinates, a, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_pack(&B.t, b_dim, 2, at, b, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    books.most = sizeof(double) * COLUMNS - 1;
    CHECK_RESULT(wide_plain(&C, &A, &B), SPARSE_OK);
    books.most = 0;
    CHECK(C.t.val.length == LENGTH && sparse_validate(&C.t, NULL) == SPARSE_OK);
    for (size_t i = 0; i < C.t.val.length; i++)
        wrong += ((const double *)C.t.val.at)[i] != 2 * b[i % 2] || ((const uint64_t *)C.t.crd[1].at)[i] != at[2 * (i % 2) + 1];
    CHECK(wrong == 0);
    free(coordinates), free(a);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    check_books();
}

/* The lists of a workspace and the positions of an output fit exactly as well, where less than half as much again is left. */
#define SMALL small, SPARSE_CSR, int8_t, 32, 32
#define LISTS lists, SPARSE_DCSR, int8_t, 64, 8
SPARSE_TENSOR(SMALL)
SPARSE_TENSOR(LISTS)
SPARSE_KERNEL(turn_small, (j, i), (C, SMALL, i, j), all((A, CSC, i, j)), C = (int8_t)A)
SPARSE_KERNEL(list_rows, (i, j), (C, LISTS, i, j), all((A, SMALL, i, j)), C = A)
static void test_scarce_lists(void)
{
    enum { SIZE = 101, ALL = SIZE * SIZE };
    static double a[ALL];
    static int8_t b[ALL];
    const size_t dim[] = {SIZE, SIZE};
    csc A = SPARSE_INIT(csc);
    small B = SPARSE_INIT(small), C = SPARSE_INIT(small);
    lists D = SPARSE_INIT(lists);
    snprintf(subject, sizeof subject, "scarce memory for lists");
    for (size_t k = 0; k < ALL; k++) a[k] = 1, b[k] = k % (SIZE + 1) == 0;
    A.t.hooks = B.t.hooks = C.t.hooks = D.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense(&A.t, dim, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&B.t, dim, b), SPARSE_OK);
    for (size_t scarce = 2; scarce-- > 0;) {
        books.most = sizeof(size_t) * (ALL + 1 - scarce); /* the keys of all entries, and one to come */
        CHECK_RESULT(turn_small(&C, &A), scarce ? SPARSE_E_MEMORY : SPARSE_OK);
        books.most = sizeof(uint64_t) * (SIZE + 1 - scarce);
        CHECK_RESULT(list_rows(&D, &B), scarce ? SPARSE_E_MEMORY : SPARSE_OK);
    }
    books.most = 0;
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t);
    check_books();
}

/* Of n entries those are kept whose coordinate is below `first`: an output that comes to be a good part of what
   is expected of it has few growths, and none keeps much more room than it needs. Of rows with one or two entries as
   many results are expected as there are rows, and of entries as many dense rows. */
#define ROWED rowed, SPARSE_MODE_GENERIC_3D, double, 32, 32
SPARSE_TENSOR(ROWED)
SPARSE_KERNEL(into_rows, (i, j, r), (R, ROWED, i, j, r), all((D, DCSR, i, j), (v, VEC, r)), R += D * v)
SPARSE_KERNEL(begin_of, (i), (C, SVEC, i), all((A, SVEC, i), (first, size_t)), C = A; has_C = i < first)
static void test_room(void)
{
    enum { N = 4096 };
    static const size_t first[] = {0, 1, N / 9, N / 7, N / 2, N};
    const size_t n = N;
    static double a[N];
    svec u = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    for (size_t i = 0; i < n; i++) a[i] = (double)(i + 1);
    set_up(&u.t, &n, a);
    w.t.hooks = &counting;
    for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
        const size_t calls = books.calls;
        CHECK_RESULT(begin_of(&w, &u, first[k]), SPARSE_OK);
        CHECK(sparse_validate(&w.t, NULL) == SPARSE_OK && w.t.val.length == first[k]);
        CHECK(first[k] == 0 || memcmp(w.t.val.at, a, first[k] * sizeof *a) == 0);
        CHECK(w.t.val.capacity <= 2 * first[k] + 1 && w.t.crd[0].capacity <= 2 * first[k] + 1);
        CHECK(books.calls - calls <= 6);
    }
    const size_t rows[] = {3 * N, 3 * N};
    size_t *const at = (size_t *)malloc(2 * (3 * N / 2) * sizeof *at), entries = 3 * N / 2;
    double *const ones = (double *)malloc(entries * sizeof *ones);
    dcsr D = SPARSE_INIT(dcsr);
    if (!at || !ones) exit(1);
    for (size_t k = 0; k < entries; k++) at[2 * k] = 3 * (2 * k / 3), at[2 * k + 1] = k, ones[k] = 1;
    CHECK_RESULT(sparse_pack(&D.t, rows, entries, at, ones, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK(D.t.crd[0].length == N);
    const size_t calls = books.calls;
    CHECK_RESULT(up_to_100(&w, &D), SPARSE_OK);
    CHECK(w.t.val.length == N && w.t.val.capacity == N && w.t.crd[0].capacity == N && books.calls - calls <= 5);
    const size_t three = 3;
    vec v = SPARSE_INIT(vec);
    rowed R = SPARSE_INIT(rowed);
    set_up(&v.t, &three, a);
    R.t.hooks = &counting;
    CHECK_RESULT(into_rows(&R, &D, &v), SPARSE_OK);
    CHECK(R.t.val.length == 3 * entries && R.t.val.capacity == 3 * entries && R.t.crd[1].capacity == entries);
    sparse_free(&v.t), sparse_free(&R.t);
    free(at), free(ones), sparse_free(&D.t);
    sparse_free(&u.t), sparse_free(&w.t);
    check_books();
}

/* >>statuses */
#define SHORT_CSR  short_csr, SPARSE_CSR, double, 8, 16 /* at most 255 entries */
#define SHORT_DCSR short_dcsr, SPARSE_DCSR, double, 8, 16
#define SHORT_COO  short_coo, SPARSE_COO, double, 8, 16
#define SHORT_BSR  short_bsr, SPARSE_BSR(2, 2), double, 8, 16
#define NARROW     narrow, SPARSE_CSR, double, 32, 8 /* at most 256 columns */
#define NARROW_COO narrow_coo, SPARSE_COO, double, 32, 8
SPARSE_TENSOR(SHORT_CSR)
SPARSE_TENSOR(SHORT_DCSR)
SPARSE_TENSOR(SHORT_COO)
SPARSE_TENSOR(SHORT_BSR)
SPARSE_TENSOR(NARROW)
SPARSE_TENSOR(NARROW_COO)
SPARSE_KERNEL(shorten, (i, j), (C, SHORT_CSR, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(shorten_coo, (i, j), (C, SHORT_COO, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(shorten_bsr, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (C, SHORT_BSR, i, j),
              all((A, BSR, i, j)), C = A)
SPARSE_KERNEL(shorten_turned, (j, i), (C, SHORT_DCSR, i, j), all((A, CSC, i, j)), C = A)
SPARSE_KERNEL(narrow_down, (i, j), (C, NARROW, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(narrow_down_coo, (i, j), (C, NARROW_COO, i, j), all((A, CSR, i, j)), C = A)

/* A call on an output that holds something, and what becomes of it. */
#define CHECK_COPY(c, call, result)                                                                          \
    do {                                                                                                     \
        (c).t.hooks = &counting;                                                                             \
        CHECK_RESULT(call, result);                                                                          \
        CHECK(is_empty(&(c).t) == ((result) != SPARSE_OK));                                                  \
        if ((result) == SPARSE_OK) CHECK_RESULT(sparse_validate(&(c).t, NULL), SPARSE_OK);                   \
    } while (0)

static void test_widths(void)
{
    short_csr C = SPARSE_INIT(short_csr);
    short_coo D = SPARSE_INIT(short_coo);
    short_bsr E = SPARSE_INIT(short_bsr);
    short_dcsr F = SPARSE_INIT(short_dcsr);
    narrow G = SPARSE_INIT(narrow);
    narrow_coo H = SPARSE_INIT(narrow_coo);
    static const struct {
        size_t rows, columns, one_in;
        sparse_result shortened, blocks;
    } runs[] = {
        {15, 17, 1, SPARSE_OK, SPARSE_OK}, /* 255 */
        {16, 16, 1, SPARSE_E_POSITION_WIDTH, SPARSE_OK},
        {1, 256, 1, SPARSE_E_POSITION_WIDTH, SPARSE_OK},
        {256, 1, 1, SPARSE_E_POSITION_WIDTH, SPARSE_OK},
        {50, 300, 1, SPARSE_E_POSITION_WIDTH, SPARSE_E_POSITION_WIDTH},
        {30, 34, 1, SPARSE_E_POSITION_WIDTH, SPARSE_OK},               /* 255 blocks */
        {32, 31, 1, SPARSE_E_POSITION_WIDTH, SPARSE_E_POSITION_WIDTH}, /* 256 */
        {700, 500, 2000, SPARSE_OK, SPARSE_OK},
    };
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) {
        const size_t rows = runs[n].rows, columns = runs[n].columns;
        grid A = random_grid(&csr_encoding, rows, columns, 0, runs[n].one_in);
        grid B = random_grid(&bsr_encoding, rows, columns, 0, runs[n].one_in);
        grid At = random_grid(&csc_encoding, rows, columns, 0, runs[n].one_in);
        snprintf(subject, sizeof subject, "%lu x %lu", (unsigned long)rows, (unsigned long)columns);
        CHECK_COPY(C, shorten(&C, (const csr *)&A.tensor), runs[n].shortened);
        CHECK_COPY(D, shorten_coo(&D, (const csr *)&A.tensor), runs[n].shortened);
        CHECK_COPY(E, shorten_bsr(&E, (const bsr *)&B.tensor), runs[n].blocks);
        CHECK_COPY(F, shorten_turned(&F, (const csc *)&At.tensor), runs[n].shortened);
        CHECK_COPY(G, narrow_down(&G, (const csr *)&A.tensor),
                   columns > 256 ? SPARSE_E_COORDINATE_WIDTH : SPARSE_OK);
        CHECK_COPY(H, narrow_down_coo(&H, (const csr *)&A.tensor),
                   rows > 256 || columns > 256 ? SPARSE_E_COORDINATE_WIDTH : SPARSE_OK);
        close_grid(&A), close_grid(&B), close_grid(&At);
    }
    sparse_free(&C.t), sparse_free(&D.t), sparse_free(&E.t), sparse_free(&F.t), sparse_free(&G.t),
        sparse_free(&H.t);
    check_books();
}

/* The call is refused, and C holds what it held. */
#define CHECK_REFUSED(c, call, result)                                                                       \
    do {                                                                                                     \
        const sparse_tensor before = (c).t;                                                                  \
        CHECK_RESULT(call, result);                                                                          \
        CHECK(memcmp(&before, &(c).t, sizeof before) == 0);                                                  \
        CHECK_ARRAYS(c, "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3");                                  \
    } while (0)

static void test_refusals(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 0, 2, 0, 0, 0, -1, 1, 0}, b[] = {3, 0, -3, 0, 5, 0, 0, 4, 0};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr), D = SPARSE_INIT(csr),
        blank = SPARSE_INIT(csr);
    csr untyped, wrong = SPARSE_INIT(csr);
    memset(&untyped, 0, sizeof untyped);
    wrong.t.encoding = &dcsr_encoding;
    D.t.hooks = C.t.hooks = untyped.t.hooks = &counting;
    set_up(&A.t, n3x3, a), set_up(&B.t, n3x3, b);
    CHECK_RESULT(csr_rows(&C, &A, &B), SPARSE_OK);
    const size_t live = books.live;
    CHECK_REFUSED(C, csr_rows(&C, &C, &B), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(&C, &A, &C), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(&C, &C, &C), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(NULL, &A, &B), SPARSE_E_NULL);
    CHECK_REFUSED(C, csr_rows(&C, NULL, &B), SPARSE_E_NULL);
    CHECK_REFUSED(C, csr_rows(&C, &A, NULL), SPARSE_E_NULL);
    CHECK_REFUSED(C, csr_rows(&C, &blank, &B), SPARSE_E_EMPTY);
    CHECK_REFUSED(C, csr_rows(&C, &A, &untyped), SPARSE_E_NO_ENCODING);
    CHECK_REFUSED(C, csr_rows(&C, &A, &wrong), SPARSE_E_ENCODING);
    CHECK_RESULT(csr_rows(&wrong, &A, &B), SPARSE_E_ENCODING);
    CHECK(wrong.t.encoding == &dcsr_encoding && is_empty(&wrong.t));
    set_up(&D.t, n3x4, a3x4);
    CHECK_REFUSED(C, csr_rows(&C, &D, &A), SPARSE_E_SHAPE);
    sparse_free(&D.t);

    csr shared = C; /* another tensor with the memory of an operand */
    CHECK_REFUSED(C, csr_rows(&shared, &A, &C), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(&shared, &C, &B), SPARSE_E_ALIAS);
    CHECK(memcmp(&shared, &C, sizeof C) == 0 && books.live == live);
    csr lent = SPARSE_INIT(csr); /* values of its own, at the coordinates of the output */
    const double ones[] = {1, 1, 1, 1, 1, 1};
    sparse_arrays own = sparse_arrays_of(&C.t);
    own.val.at = ones;
    CHECK_RESULT(sparse_assemble(&lent.t, n3x3, &own, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK_REFUSED(C, csr_rows(&C, &A, &lent), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(&C, &lent, &B), SPARSE_E_ALIAS);
    CHECK_RESULT(csr_rows(&lent, &A, &C), SPARSE_OK); /* which only loses what it has borrowed */
    sparse_free(&lent.t);

    /* the same output again, with the same result, and with others; a zeroed one will do, too */
    CHECK_RESULT(csr_rows(&C, &A, &B), SPARSE_OK);
    CHECK_ARRAYS(C, "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3");
    CHECK_RESULT(csr_rows(&C, &B, &A), SPARSE_OK);
    CHECK_ARRAYS(C, "pos1 0 3 3 3 crd1 0 1 2 val 6 -3 6");
    CHECK_RESULT(triangles(&C, &A, &B), SPARSE_OK);
    CHECK_ARRAYS(C, "pos1 0 2 3 5 crd1 0 2 1 0 1 val 4 -1 5 -1 -3");
    CHECK(books.live == live);
    CHECK_RESULT(csr_rows(&untyped, &A, &B), SPARSE_OK);
    CHECK(untyped.t.encoding == &csr_encoding);
    CHECK_ARRAYS(untyped, "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3");
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&untyped.t), sparse_free(&untyped.t);
    check_books();
}

/* >>value types: A B by rows, and A + B; | 1 2 |  | 5 . |  of numbers of all kinds, and of structs
                                          | . 3 |  | 6 7 | */
#define TYPED(type, VALUE, TYPE)                                                                             \
    SPARSE_TENSOR(TYPE)                                                                                      \
    SPARSE_KERNEL(multiply_##type, (i, k, j), (C, TYPE, i, j), all((A, TYPE, i, k), (B, TYPE, k, j)),        \
                  C = (VALUE)(C + A * B))                                                                    \
    SPARSE_KERNEL(add_##type, (i, j), (C, TYPE, i, j), any((A, TYPE, i, j), (B, TYPE, i, j)),                \
                  C = (VALUE)(A + B))                                                                        \
    static void test_##type(void)                                                                            \
    {                                                                                                        \
        const size_t n2x2[] = {2, 2};                                                                        \
        const VALUE a[] = {1, 2, 0, 3}, b[] = {5, 0, 6, 7}, ab[] = {17, 14, 18, 21}, sum[] = {6, 2, 6, 10};  \
        type A = SPARSE_INIT(type), B = SPARSE_INIT(type), C = SPARSE_INIT(type);                            \
        A.t.hooks = B.t.hooks = C.t.hooks = &counting;                                                       \
        CHECK_RESULT(sparse_pack_dense(&A.t, n2x2, a), SPARSE_OK);                                           \
        CHECK_RESULT(sparse_pack_dense(&B.t, n2x2, b), SPARSE_OK);                                           \
        CHECK_RESULT(multiply_##type(&C, &A, &B), SPARSE_OK);                                                \
        CHECK(C.t.val.length == 4 && memcmp(C.t.val.at, ab, sizeof ab) == 0);                                \
        CHECK_RESULT(add_##type(&C, &A, &B), SPARSE_OK);                                                     \
        CHECK(C.t.val.length == 4 && memcmp(C.t.val.at, sum, sizeof sum) == 0);                              \
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);                                             \
        check_books();                                                                                       \
    }
#define F32 f32, SPARSE_CSR, float, 32, 32
#define I8  i8, SPARSE_DCSR, int8_t, 16, 8
#define U16 u16, SPARSE_CSR, uint16_t, 8, 8
#define I64 i64, SPARSE_CSR, int64_t, 32, 64
TYPED(f32, float, F32)
TYPED(i8, int8_t, I8)
TYPED(u16, uint16_t, U16)
TYPED(i64, int64_t, I64)

#define C128 c128, SPARSE_CSR, sparse_complex128, 32, 32
SPARSE_TENSOR(C128)
SPARSE_KERNEL(multiply_c128, (i, k, j), (C, C128, i, j), all((A, C128, i, k), (B, C128, k, j)), C += A * B)
SPARSE_KERNEL(add_c128, (i, j), (C, C128, i, j), any((A, C128, i, j), (B, C128, i, j)), C = A + B)

static bool same_parts(const sparse_tensor *t, const double *wanted)
{
    double is[8] = {0};
    bool good = t->val.length == 4;
    if (good) memcpy(is, t->val.at, sizeof is);
    for (size_t n = 0; n < 8; n++) good = good && same(is[n], wanted[n]);
    return good;
}

/* | 1+2i 2 |   | 2-i . |   | 4+13i  2 |
   | .   -i | * | 5i  1 | = | 5     -i | */
static void test_complex(void)
{
    const size_t n2x2[] = {2, 2};
    const double a[] = {1, 2, 2, 0, 0, 0, 0, -1}, b[] = {2, -1, 0, 0, 0, 5, 1, 0};
    const double ab[] = {4, 13, 2, 0, 5, 0, 0, -1}, sum[] = {3, 1, 2, 0, 0, 5, 1, -1};
    c128 A = SPARSE_INIT(c128), B = SPARSE_INIT(c128), C = SPARSE_INIT(c128);
    A.t.hooks = B.t.hooks = C.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense(&A.t, n2x2, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&B.t, n2x2, b), SPARSE_OK);
    CHECK_RESULT(multiply_c128(&C, &A, &B), SPARSE_OK);
    CHECK(same_parts(&C.t, ab));
    CHECK_RESULT(add_c128(&C, &A, &B), SPARSE_OK);
    CHECK(same_parts(&C.t, sum));
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    check_books();
}

/* roads between towns, and the shortest ways over one or two of them */
typedef struct road {
    double length;
    uint32_t legs;
    uint32_t via;
} road;
static const road no_way = {1e300, 0, 0};
#define ROADS roads, SPARSE_CSR, road, 32, 32
SPARSE_TENSOR(ROADS)
/* clang-format off */
SPARSE_KERNEL(through, (i, k, j), from(no_way, C, ROADS, i, j), all((A, ROADS, i, k), (B, ROADS, k, j)),
              if (A.length + B.length < C.length) C.length = A.length + B.length, C.legs = A.legs + B.legs,
              C.via = (uint32_t)k)
SPARSE_KERNEL(shorter, (i, j), (C, ROADS, i, j), any((A, ROADS, i, j), (B, ROADS, i, j)),
              if (!has_B || (has_A && A.length <= B.length)) C = A; else C = B; C.legs += 10)
/* clang-format on */

static bool is_road(const roads *C, size_t n, double length, uint32_t legs, uint32_t via)
{
    const road *r = (const road *)C->t.val.at + n;
    return same(r->length, length) && r->legs == legs && r->via == via;
}

/* 0 to 1: 3, 0 to 2: 9, 1 to 2: 4, 2 to 2: 1 */
static void test_structs(void)
{
    const size_t n3x3[] = {3, 3}, at[] = {0, 1, 0, 2, 1, 2, 2, 2};
    const road given[] = {{3, 1, 0}, {9, 1, 0}, {4, 1, 0}, {1, 1, 0}};
    roads A = SPARSE_INIT(roads), B = SPARSE_INIT(roads), C = SPARSE_INIT(roads);
    A.t.hooks = B.t.hooks = C.t.hooks = &counting;
    CHECK_RESULT(sparse_pack(&A.t, n3x3, 4, at, given, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(through(&B, &A, &A), SPARSE_OK); /* 0 to 2: 7 by 1, 1 to 2: 5 by 2, 2 to 2: 2 by 2 */
    CHECK(B.t.val.length == 3 && is_road(&B, 0, 7, 2, 1) && is_road(&B, 1, 5, 2, 2) &&
          is_road(&B, 2, 2, 2, 2));
    CHECK_RESULT(shorter(&C, &A, &B), SPARSE_OK);
    CHECK(C.t.val.length == 4 && is_road(&C, 0, 3, 11, 0) && is_road(&C, 1, 7, 12, 1));
    CHECK(is_road(&C, 2, 4, 11, 0) && is_road(&C, 3, 1, 11, 0));
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    check_books();
}

/* what is not stored is 7.5: in unions, merged and left over, in complements, and in a result of the same type */
#define LEVEL level, SPARSE_CSR, double, 32, 32
SPARSE_TENSOR_FILL(LEVEL, 7.5)
SPARSE_KERNEL(lesser, (i, j), (C, LEVEL, i, j), any((A, LEVEL, i, j), (B, LEVEL, i, j)), C = A < B ? A : B)
SPARSE_KERNEL(everywhere, (i, j), (C, MAT, i, j), any((A, LEVEL, i, j), none((B, LEVEL, i, j))), C = A)
static void test_fill(void)
{
    const size_t n2x3[] = {2, 3};
    const double a[] = {1, 9, 7.5, 7.5, 3, 4}, b[] = {7.5, 8, 7.5, 2, 7.5, 5}, both[] = {1, 8, 7.5, 2, 3, 4};
    double all[6];
    level A = SPARSE_INIT(level), B = SPARSE_INIT(level), C = SPARSE_INIT(level);
    mat D = SPARSE_INIT(mat);
    set_up(&A.t, n2x3, a), set_up(&B.t, n2x3, b);
    C.t.hooks = D.t.hooks = &counting;
    CHECK_MAKES(C, lesser(&C, &A, &B), "pos1 0 2 5 crd1 0 1 0 1 2 val 1 8 2 3 4");
    CHECK_RESULT(lesser(&C, &A, &B), SPARSE_OK);
    CHECK_RESULT(sparse_unpack_dense(&C.t, all), SPARSE_OK);
    CHECK(memcmp(all, both, sizeof all) == 0);
    CHECK_RESULT(everywhere(&D, &A, &A), SPARSE_OK);
    CHECK(memcmp(D.t.val.at, a, sizeof a) == 0);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t);
    check_books();
}

/* several outputs in one traversal */
SPARSE_KERNEL(totals, (i, j), ((r, VEC, i), (c, VEC, j), (t, double), (n, size_t)), all((A, CSR, i, j)), r += A; c += A;
              t += A; n++)
static void test_several(void)
{
    const size_t n2x3[] = {2, 3}, n2x2[] = {2, 2};
    const double a[] = {1, 2, 0, 0, 3, 4}, rows[] = {3, 7}, columns[] = {1, 5, 4};
    csr A = SPARSE_INIT(csr);
    vec r = SPARSE_INIT(vec), c = SPARSE_INIT(vec);
    double t = 0;
    size_t n = 0;
    set_up(&A.t, n2x3, a);
    r.t.hooks = c.t.hooks = &counting;
    CHECK_RESULT(totals(&r, &c, &t, &n, &A), SPARSE_OK);
    CHECK(r.t.val.length == 2 && memcmp(r.t.val.at, rows, sizeof rows) == 0);
    CHECK(c.t.val.length == 3 && memcmp(c.t.val.at, columns, sizeof columns) == 0);
    CHECK(n == 4 && t > 9.5 && t < 10.5);
    sparse_free(&r.t), sparse_free(&c.t);
    vec square = SPARSE_INIT(vec);
    const double b[] = {1, 2, 3, 4};
    set_up(&A.t, n2x2, b);
    square.t.hooks = &counting;
    CHECK_RESULT(totals(&square, &square, &t, &n, &A), SPARSE_E_ALIAS);
    sparse_free(&A.t), sparse_free(&square.t);
    check_books();
}

/* outputs of all kinds in one traversal: each is what a kernel of its own makes, and has_C goes for C alone */
SPARSE_KERNEL(both_halves, (i, j), ((L, CSR, i, j), (s, double), (U, DCSR, i, j), (r, VEC, i)), all((A, CSR, i, j)),
              L = A; has_L = j <= i; U = 2 * A; has_U = j > i; s += A; r += A)
SPARSE_KERNEL(lower_half, (i, j), (L, CSR, i, j), all((A, CSR, i, j)), L = A; has_L = j <= i)
SPARSE_KERNEL(upper_half, (i, j), (U, DCSR, i, j), all((A, CSR, i, j)), U = 2 * A; has_U = j > i)
SPARSE_KERNEL(products_both, (i, k, j), ((n, size_t), (C, CSR, i, j), (D, CSC, i, j), (E, COO, i, j), (r, VEC, k)),
              all((A, CSR, i, k), (B, CSR, k, j)), C += A * B; D += A; E += B; has_E = B > 1; n++; r += B)
SPARSE_KERNEL(product_c, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(product_d, (i, k, j), (D, CSC, i, j), all((A, CSR, i, k), (B, CSR, k, j)), D += A)
SPARSE_KERNEL(product_e, (i, k, j), (E, COO, i, j), all((A, CSR, i, k), (B, CSR, k, j)), E += B; has_E = B > 1)
SPARSE_KERNEL(rows_side_by_side, (parallel(i), j), ((r, VEC, i), (L, CSR, i, j)), all((A, CSR, i, j)),
              L = A; has_L = j <= i; r += A)
SPARSE_KERNEL(add_both, (i, j), ((S, CSR, i, j), (D, COO, i, j)), any((A, CSR, i, j), (B, CSR, i, j)),
              S = A + B; D = A - B; has_D = has_A && has_B)
SPARSE_KERNEL(sum_alone, (i, j), (S, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), S = A + B)
SPARSE_KERNEL(difference_alone, (i, j), (D, COO, i, j), any((A, CSR, i, j), (B, CSR, i, j)),
              D = A - B; has_D = has_A && has_B)
static void test_mixed(void)
{
    for (size_t n = 0; n < 12; n++) {
        const size_t size = n == 0 ? 1 : 3 * n, stored = n % 4 == 3 ? 0 : 3;
        grid a = random_grid(&csr_encoding, size, size, 0, stored), b = random_grid(&csr_encoding, size, size, 0, stored);
        csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr), C1 = SPARSE_INIT(csr);
        csc D = SPARSE_INIT(csc), D1 = SPARSE_INIT(csc);
        coo E = SPARSE_INIT(coo), E1 = SPARSE_INIT(coo);
        dcsr U = SPARSE_INIT(dcsr), U1 = SPARSE_INIT(dcsr);
        vec r = SPARSE_INIT(vec), q = SPARSE_INIT(vec);
        double s = 0, sum = 0;
        size_t count = 0, live;
        A.t = a.tensor, B.t = b.tensor;
        C.t.hooks = C1.t.hooks = D.t.hooks = D1.t.hooks = E.t.hooks = E1.t.hooks = &counting;
        U.t.hooks = U1.t.hooks = r.t.hooks = q.t.hooks = &counting;
        SPARSE_FOREACH(x, &A.t) sum += SPARSE_VALUE(x, double);
        CHECK_RESULT(both_halves(&C, &s, &U, &r, &A), SPARSE_OK);
        CHECK_RESULT(lower_half(&C1, &A), SPARSE_OK);
        CHECK_RESULT(upper_half(&U1, &A), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C1.t) && same_arrays(&U.t, &U1.t) && same(s, sum));
        CHECK_RESULT(rows_side_by_side(&q, &C, &A), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C1.t) && memcmp(r.t.val.at, q.t.val.at, size * sizeof(double)) == 0);
        CHECK_RESULT(add_both(&C, &E, &A, &B), SPARSE_OK);
        CHECK_RESULT(sum_alone(&C1, &A, &B), SPARSE_OK);
        CHECK_RESULT(difference_alone(&E1, &A, &B), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C1.t) && same_arrays(&E.t, &E1.t));
        sparse_free(&r.t);
        CHECK_RESULT(products_both(&count, &C, &D, &E, &r, &A, &B), SPARSE_OK);
        CHECK_RESULT(product_c(&C1, &A, &B), SPARSE_OK);
        CHECK_RESULT(product_d(&D1, &A, &B), SPARSE_OK);
        CHECK_RESULT(product_e(&E1, &A, &B), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C1.t) && same_arrays(&D.t, &D1.t) && same_arrays(&E.t, &E1.t));
        CHECK(count >= C.t.val.length);
        live = books.live;
        for (size_t fail = 1;; fail++) { /* only what gives memory back may fail; else all outputs are empty */
            books.fail_at = books.calls + fail;
            const sparse_result result = products_both(&count, &C, &D, &E, &r, &A, &B);
            const bool came = books.calls < books.fail_at;
            books.fail_at = 0;
            if (came) break;
            if (result == SPARSE_OK) {
                CHECK(same_arrays(&C.t, &C1.t) && same_arrays(&D.t, &D1.t) && same_arrays(&E.t, &E1.t));
                continue;
            }
            CHECK_RESULT(result, SPARSE_E_MEMORY);
            CHECK(C.t.val.at == NULL && D.t.val.at == NULL && E.t.val.at == NULL);
        }
        CHECK(books.live == live && same_arrays(&C.t, &C1.t) && same_arrays(&E.t, &E1.t));
        CHECK_RESULT(products_both(&count, &C, &D, &E, &r, &C, &B), SPARSE_E_ALIAS);
        sparse_free(&C.t), sparse_free(&C1.t), sparse_free(&D.t), sparse_free(&D1.t), sparse_free(&E.t);
        sparse_free(&E1.t), sparse_free(&U.t), sparse_free(&U1.t), sparse_free(&r.t), sparse_free(&q.t);
        close_grid(&a), close_grid(&b);
    }
    check_books();
}

/* two outputs in arrays of the caller: what is missing of either is told, and what is there is kept */
static void test_mixed_into(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 2, 0, 3, 0, 4, 0, 5, 6}, b[] = {0, 2, 1, 0, 0, 4, 1, 0, 2};
    uint32_t pos[4], crd[9], root[2], pair[18];
    double val[9], more[9];
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), S = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    set_up(&A.t, n3x3, a), set_up(&B.t, n3x3, b);
    S.t.hooks = D.t.hooks = &counting;
    const size_t calls = books.calls;
    CHECK_RESULT(add_both_into(&S, &D, &A, &B), SPARSE_E_CAPACITY);
    CHECK(S.t.pos[1].length == 4 && S.t.crd[1].length == 8 && S.t.val.length == 8);
    CHECK(D.t.pos[0].length == 2 && D.t.crd[0].length == 6 && D.t.val.length == 3);
    S.t.pos[1].at = pos, S.t.crd[1].at = crd, S.t.val.at = val;
    S.t.pos[1].length = 4, S.t.crd[1].length = S.t.val.length = 9;
    D.t.pos[0].length = D.t.crd[0].length = D.t.val.length = 0;
    CHECK_RESULT(add_both_into(&S, &D, &A, &B), SPARSE_E_CAPACITY);
    CHECK_ARRAYS(S, "pos1 0 3 5 8 crd1 0 1 2 0 2 0 1 2 val 1 4 1 3 8 1 5 8");
    D.t.pos[0].at = root, D.t.crd[0].at = pair, D.t.val.at = more;
    D.t.pos[0].length = 2, D.t.crd[0].length = 18, D.t.val.length = 9;
    CHECK_RESULT(add_both_into(&S, &D, &A, &B), SPARSE_OK);
    CHECK_ARRAYS(S, "pos1 0 3 5 8 crd1 0 1 2 0 2 0 1 2 val 1 4 1 3 8 1 5 8");
    CHECK_ARRAYS(D, "pos0 0 3 crd0 0 1 1 2 2 2 val 0 0 4");
    CHECK(books.calls == calls); /* the hooks were asked for nothing */
    sparse_free(&A.t), sparse_free(&B.t);
    check_books();
}

/* arrays that the output owns are not the caller's: refused, and they stay, also where the result is made aside */
SPARSE_KERNEL(row_pairs, (i, j), (C, CD, i, j), all((A, CSR, i, j)), C += A)
static void test_into_owned(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 2, 0, 3, 0, 4, 0, 5, 6};
    csr A = SPARSE_INIT(csr), S = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    cd C = SPARSE_INIT(cd);
    set_up(&A.t, n3x3, a), set_up(&S.t, n3x3, a), set_up(&D.t, n3x3, a), set_up(&C.t, n3x3, a);
    const size_t live = books.live;
    CHECK_RESULT(add_both_into(&S, &D, &A, &A), SPARSE_E_ARGUMENT);
    CHECK_RESULT(row_pairs_into(&C, &A), SPARSE_E_ARGUMENT);
    CHECK(books.live == live && same_arrays(&S.t, &A.t) && sparse_entries(&D.t) == 6 && sparse_entries(&C.t) == 9);
    cd aside = SPARSE_INIT(cd);
    aside.t.hooks = &counting;
    const size_t calls = books.calls;
    CHECK_RESULT(row_pairs_into(&aside, &A), SPARSE_E_CAPACITY);
    CHECK(books.calls > calls && books.live == live && aside.t.val.length == 9); /* rows are made aside, and copied */
    sparse_free(&A.t), sparse_free(&S.t), sparse_free(&D.t), sparse_free(&C.t);
    check_books();
}

/* arrays that the output has borrowed are left to whom they belong, also by results without an entry */
static void test_anew_beside_borrowed(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 2, 0, 3, 0, 4, 0, 5, 6}, none[9] = {0};
    csr A = SPARSE_INIT(csr), S = SPARSE_INIT(csr), lender = SPARSE_INIT(csr), wanted = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    S.t.hooks = D.t.hooks = wanted.t.hooks = &counting;
    set_up(&lender.t, n3x3, a);
    for (unsigned full = 0; full < 2; full++) {
        const sparse_arrays lent = sparse_arrays_of(&lender.t);
        set_up(&A.t, n3x3, full ? a : none);
        CHECK_RESULT(sparse_assemble(&S.t, n3x3, &lent, SPARSE_BORROW, NULL), SPARSE_OK);
        CHECK_RESULT(add_both(&S, &D, &A, &A), SPARSE_OK);
        CHECK_RESULT(add_both(&wanted, &D, &A, &A), SPARSE_OK);
        CHECK(same_arrays(&S.t, &wanted.t) && S.t.crd[1].at != lender.t.crd[1].at && S.t.val.at != lender.t.val.at);
        sparse_free(&S.t);
        set_up(&wanted.t, n3x3, a);
        CHECK(same_arrays(&lender.t, &wanted.t));
        sparse_free(&A.t), sparse_free(&wanted.t);
    }
    sparse_free(&lender.t), sparse_free(&D.t);
    check_books();
}

/* A product in arrays of the caller with any room: how many entries it has is told, and what there is room for is there. */
SPARSE_KERNEL(times_with_room, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)

static void test_product_into(size_t rows, size_t columns, size_t entries)
{
    static size_t at[2 * 300];
    static double value[300];
    static uint32_t pos[41], crd[3000];
    static double val[3000];
    const size_t of_a[] = {rows, rows}, of_b[] = {rows, columns};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    for (size_t n = 0; n < entries; n++) at[2 * n] = random_below(rows), at[2 * n + 1] = random_below(rows), value[n] = 1 + (double)n;
    A.t.hooks = B.t.hooks = C.t.hooks = &counting;
    CHECK_RESULT(sparse_pack(&A.t, of_a, entries, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    for (size_t n = 0; n < entries; n++) at[2 * n + 1] = random_below(20) * (columns / 20);
    CHECK_RESULT(sparse_pack(&B.t, of_b, entries, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(times_with_room(&C, &A, &B), SPARSE_OK);
    const size_t stored = C.t.val.length, length = rows + 1;
    CHECK(stored > 0 && stored <= 3000);
    for (size_t room = 0; room <= stored; room += 1 + room / 4) {
        csr D = SPARSE_INIT(csr);
        D.t.pos[1].at = pos, D.t.crd[1].at = crd, D.t.val.at = val;
        D.t.pos[1].length = length, D.t.crd[1].length = D.t.val.length = room;
        CHECK_RESULT(times_with_room_into(&D, &A, &B), room < stored ? SPARSE_E_CAPACITY : SPARSE_OK);
        CHECK(D.t.val.length == stored && D.t.crd[1].length == stored && D.t.pos[1].length == length);
        D.t.crd[1].length = D.t.val.length = stored;
        CHECK_RESULT(times_with_room_into(&D, &A, &B), SPARSE_OK);
        CHECK(memcmp(crd, C.t.crd[1].at, stored * sizeof *crd) == 0 && memcmp(val, C.t.val.at, stored * sizeof *val) == 0);
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    check_books();
}

/* >>like: outputs that store what an operand does, in every encoding that a kernel can run over */
#define LOOSE   loose, ((i, j), (dense, i), (loose_compressed, j)), double, 32, 32
#define TWO4    two4, SPARSE_N_OF_M(2, 4), double, 32, 8
SPARSE_TENSOR(LOOSE)
SPARSE_TENSOR(TWO4)
#define LIKE(TYPE, type, ...)                                                                                \
    SPARSE_KERNEL(like_##type, (__VA_ARGS__), like(A, C, TYPE, i, j), all((x, VEC, j)),                      \
                  C = C + A * x + (double)i)                                                                 \
    static sparse_result run_like_##type(sparse_tensor *C, const sparse_tensor *A, const vec *x)             \
    {                                                                                                        \
        return like_##type((type *)C, (const type *)A, x);                                                   \
    }
LIKE(CSR, csr, parallel(i), j)
LIKE(CSC, csc, j, i)
LIKE(DCSR, dcsr, i, j)
LIKE(COO, coo, i, j)
LIKE(SOA, soa, i, j)
LIKE(CD, cd, i, j)
LIKE(LOOSE, loose, i, j)
LIKE(MAT, mat, i, j)
LIKE(BSR, bsr, floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2))
LIKE(TWO4, two4, i, floordiv(j, 4), mod(j, 4))
SPARSE_KERNEL(like_csf, (i, j, k), like(A, C, CSF, i, j, k), all((x, VEC, k)), C = A * x)
SPARSE_KERNEL(like_sampled, (i, j, k), like(S, C, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), C += S * A * B)
SPARSE_KERNEL(like_masked, (i, k, j), like(M, C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
static const struct like_case {
    sparse_result (*run)(sparse_tensor *C, const sparse_tensor *A, const vec *x);
    const sparse_encoding *encoding;
} likes[] = {{run_like_csr, &csr_encoding},     {run_like_csc, &csc_encoding},   {run_like_dcsr, &dcsr_encoding},
             {run_like_coo, &coo_encoding},     {run_like_soa, &soa_encoding},   {run_like_cd, &cd_encoding},
             {run_like_loose, &loose_encoding}, {run_like_mat, &mat_encoding},   {run_like_bsr, &bsr_encoding},
             {run_like_two4, &two4_encoding}};

static void try_like(const struct like_case *p, const size_t *dim, const double *a, const vec *x)
{
    sparse_tensor A = tensor_of(p->encoding), C = tensor_of(p->encoding), wanted = tensor_of(p->encoding);
    const double *factor = (const double *)x->t.val.at;
    set_up(&A, dim, a);
    CHECK_RESULT(sparse_copy(&wanted, &A), SPARSE_OK);
    SPARSE_FOREACH(c, &wanted)
    SPARSE_VALUE(c, double) = SPARSE_VALUE(c, double) * factor[c.dim[1]] + (double)c.dim[0];
    const size_t calls = books.calls, live = books.live;
    CHECK_RESULT(p->run(&C, &A, x), SPARSE_OK);
    CHECK(sparse_validate(&C, NULL) == SPARSE_OK && same_arrays(&C, &wanted));
    const size_t needed = books.calls - calls;
    CHECK_RESULT(p->run(&C, &A, x), SPARSE_OK); /* again, in the memory that is there */
    CHECK(books.calls == calls + needed && same_arrays(&C, &wanted));
    for (size_t n = 1; n <= needed; n++) {
        sparse_free(&C);
        books.fail_at = books.calls + n;
        CHECK_RESULT(p->run(&C, &A, x), SPARSE_E_MEMORY);
        books.fail_at = 0;
        CHECK(books.live == live && is_empty(&C));
    }
    CHECK_RESULT(p->run(&A, &A, x), SPARSE_E_ALIAS);
    sparse_free(&A), sparse_free(&C), sparse_free(&wanted);
}

/* One output after the other, of patterns that get smaller, to nothing, and larger again. */
static void try_like_again(const struct like_case *p, const vec *x)
{
    static const size_t sizes[][2] = {{6, 12}, {5, 12}, {5, 12}, {3, 12}, {2, 12}, {6, 12}};
    static const size_t one_in[] = {1, 3, 7, 0, 3, 2};
    sparse_tensor C = tensor_of(p->encoding);
    const double *factor = (const double *)x->t.val.at;
    for (size_t s = 0; s < sizeof one_in / sizeof *one_in; s++) {
        sparse_tensor A = tensor_of(p->encoding), wanted = tensor_of(p->encoding);
        double a[72] = {0};
        for (size_t n = 0; n < sizes[s][0] * 12 && one_in[s]; n++) /* at most two of four */
            if (n / 2 % one_in[s] == 0 && n % 4 < 2) a[n] = (double)n + 1;
        set_up(&A, sizes[s], a);
        CHECK_RESULT(sparse_copy(&wanted, &A), SPARSE_OK);
        SPARSE_FOREACH(c, &wanted)
        SPARSE_VALUE(c, double) = SPARSE_VALUE(c, double) * factor[c.dim[1]] + (double)c.dim[0];
        CHECK_RESULT(p->run(&C, &A, x), SPARSE_OK);
        CHECK(sparse_validate(&C, NULL) == SPARSE_OK && same_arrays(&C, &wanted));
        sparse_free(&A), sparse_free(&wanted);
    }
    sparse_free(&C);
}

static void test_like(void)
{
    static const size_t sizes[][2] = {{1, 4}, {3, 8}, {5, 12}, {6, 4}};
    const double b[] = {1, -1, 2, 3, 0.5, 4, 7, 8, -2, 5, 6, 9}, few[] = {0, 0, 2, 0, 0, 3, 0, 0};
    const size_t n2x2x2[] = {2, 2, 2}, n2[] = {2}, n3x3[] = {3, 3};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned full = 0; full < 2; full++) {
            double a[72] = {0};
            vec x = SPARSE_INIT(vec);
            set_up(&x.t, &sizes[s][1], b);
            for (size_t n = 0; n < sizes[s][0] * sizes[s][1] && full; n++) /* at most two of four */
                if ((n * 7 / 4 + n % 4) % 3 == 0 && n % 4 != 3) a[n] = (double)n + 1;
            for (size_t n = 0; n < sizeof likes / sizeof *likes; n++) try_like(&likes[n], sizes[s], a, &x);
            sparse_free(&x.t);
        }
    const size_t n12[] = {12};
    vec factors = SPARSE_INIT(vec);
    set_up(&factors.t, n12, b);
    for (size_t n = 0; n < sizeof likes / sizeof *likes; n++) try_like_again(&likes[n], &factors);
    sparse_free(&factors.t);
    csf X = SPARSE_INIT(csf), Z = SPARSE_INIT(csf);
    csr S = SPARSE_INIT(csr), C = SPARSE_INIT(csr), A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    mat P = SPARSE_INIT(mat), Q = SPARSE_INIT(mat);
    vec x = SPARSE_INIT(vec);
    set_up(&X.t, n2x2x2, few), set_up(&x.t, n2, b);
    CHECK_MAKES(Z, like_csf(&Z, &X, &x), "pos0 0 2 crd0 0 1 pos1 0 1 2 crd1 1 0 pos2 0 1 2 crd2 0 1 val 2 -3");
    sparse_free(&X.t), sparse_free(&x.t);
    const double s3[] = {1, 0, 0, 0, 0, 2, 3, 1, 0};
    set_up(&S.t, n3x3, s3), set_up(&P.t, n3x3, b), set_up(&Q.t, n3x3, s3);
    set_up(&A.t, n3x3, s3), set_up(&B.t, n3x3, s3);
    CHECK_MAKES(C, like_sampled(&C, &S, &P, &Q), "pos1 0 1 2 4 crd1 0 2 0 1 val 1 19 21 -4");
    CHECK_MAKES(C, like_masked(&C, &S, &A, &B), "pos1 0 1 2 4 crd1 0 2 0 1 val 1 0 3 0");
    sparse_free(&S.t), sparse_free(&P.t), sparse_free(&Q.t), sparse_free(&A.t), sparse_free(&B.t);
    check_books();
}

/* >>lists: levels that are neither unique nor ordered take what comes by as it comes; and what is passed over */
#define LIST  list, ((i), (compressed(nonunique, nonordered), i)), double, 32, 32
#define BAGS  bags, ((i, j), (dense, i), (compressed(nonunique, nonordered), j)), double, 32, 32
#define PAIRS pairs, ((i, j), (compressed(nonunique, nonordered), i), (singleton(nonunique, nonordered), j)), double, 32, 32
#define SETS  sets, ((i, j), (compressed(nonunique, nonordered), i), (singleton, j)), double, 32, 32 /* no two are alike */
#define TAILS tails, ((i, j), (compressed(nonunique), i), (singleton(nonunique, nonordered), j)), double, 32, 32
SPARSE_TENSOR(LIST)
SPARSE_TENSOR(BAGS)
SPARSE_TENSOR(PAIRS)
SPARSE_TENSOR(SETS)
SPARSE_TENSOR(TAILS)
/* clang-format off */
SPARSE_KERNEL(columns_listed, (i, j), (s, LIST, j), all((A, CSR, i, j)), s = A)
SPARSE_KERNEL(some_listed, (i, j), ((s, LIST, j), (met, VEC, j)), all((A, CSR, i, j)),
              if (met > 0) continue; met = 1; s = A)
SPARSE_KERNEL(bagged, (i, k, j), (C, BAGS, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(bagged_again, (i, j), (C, BAGS, i, j), all((A, BAGS, i, j)), C = A; has_C = A > 2)
SPARSE_KERNEL(paired, (j, i), (P, PAIRS, i, j), all((A, CSC, i, j)), P = A)
SPARSE_KERNEL(set_of, (k, i, j), (S, SETS, i, j), all((A, CSC, i, k), (B, CSR, k, j)), S += A * B)
SPARSE_KERNEL(tailed, (i, k, j), (P, TAILS, i, j), all((A, CSR, i, k), (B, CSR, k, j)), P += A * B)
SPARSE_KERNEL(bagged_parallel, (parallel(i), k, j), (C, BAGS, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(passed_sum, (i, j), ((C, CSR, i, j), (y, VEC, j)), any((A, CSR, i, j), (B, CSR, i, j)),
              if (A > 4 || B > 7) continue; C = A + B; y += 1)
SPARSE_KERNEL(passed_common, (i, j), ((C, CSR, i, j), (y, VEC, j)), all((A, CSR, i, j), (B, CSR, i, j)),
              y += 1; if (A > 4) continue; C = A + B)
SPARSE_KERNEL(passed_products, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)),
              if (A * B > 9) continue; C += A * B)
SPARSE_KERNEL(first_of_rows, (i, j), (y, VEC, i), all((A, CSR, i, j)), y = A; break)
SPARSE_KERNEL(ended_rows, (i, j), ((C, CSR, i, j), (y, VEC, j)), all((A, CSR, i, j)), C = A; y += A; if (A < 2 || j == 3) break)
/* clang-format on */

static void test_listed(void)
{
    const double b4x4[] = {1, 2, 0, 0, 0, 7, 0, 0, 4, 8, 0, 6, 0, 0, 3, 0};
    const size_t n4x4[] = {4, 4};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), D = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    csc E = SPARSE_INIT(csc);
    vec y = SPARSE_INIT(vec);
    list s = SPARSE_INIT(list);
    bags p = SPARSE_INIT(bags), q = SPARSE_INIT(bags);
    pairs P = SPARSE_INIT(pairs);
    sets S = SPARSE_INIT(sets);
    tails Q = SPARSE_INIT(tails);
    set_up(&A.t, n3x4, a3x4), set_up(&B.t, n3x4, b3x4), set_up(&D.t, n4x4, b4x4), set_up(&E.t, n3x4, a3x4);
    p.t.hooks = y.t.hooks = &counting;
    CHECK_MAKES(s, columns_listed(&s, &A), "pos0 0 5 crd0 0 2 0 0 3 val 5 1 3 2 3");
    CHECK_RESULT(sparse_allocate_dense(&y.t, &n3x4[1]), SPARSE_OK);
    CHECK_MAKES(s, some_listed(&s, &y, &A), "pos0 0 3 crd0 0 2 3 val 5 1 3");
    CHECK_RESULT(bagged(&p, &A, &D), SPARSE_OK);
    CHECK(strcmp(arrays(&p.t), "pos1 0 5 7 10 crd1 0 1 0 1 3 0 1 0 1 2 val 5 10 4 8 6 3 6 2 4 9") == 0);
    CHECK_MAKES(q, bagged_again(&q, &p), "pos1 0 5 7 9 crd1 0 1 0 1 3 0 1 1 2 val 5 10 4 8 6 3 6 4 9");
    CHECK_MAKES(q, bagged_parallel(&q, &A, &D), "pos1 0 5 7 10 crd1 0 1 0 1 3 0 1 0 1 2 val 5 10 4 8 6 3 6 2 4 9");
    CHECK_MAKES(P, paired(&P, &E), "pos0 0 5 crd0 0 0 1 0 2 0 0 2 2 3 val 5 3 2 1 3");
    CHECK_MAKES(S, set_of(&S, &E, &D), "pos0 0 8 crd0 0 0 0 1 0 3 1 0 1 1 2 0 2 1 2 2 val 9 18 6 3 6 2 4 9");
    CHECK_MAKES(Q, tailed(&Q, &A, &D),
                "pos0 0 10 crd0 0 0 0 1 0 0 0 1 0 3 1 0 1 1 2 0 2 1 2 2 val 5 10 4 8 6 3 6 2 4 9");
    sparse_zero(&y.t);
    CHECK_MAKES(C, passed_sum(&C, &y, &A, &B), "pos1 0 2 4 6 crd1 1 2 0 1 0 3 val 2 1 3 7 6 9");
    CHECK(strcmp(arrays(&y.t), "val 2 2 1 1") == 0);
    sparse_zero(&y.t);
    CHECK_MAKES(C, passed_common(&C, &y, &A, &B), "pos1 0 0 0 2 crd1 0 3 val 6 9");
    CHECK(strcmp(arrays(&y.t), "val 1 0 0 1") == 0);
    CHECK_MAKES(C, passed_products(&C, &A, &D), "pos1 0 3 5 8 crd1 0 1 3 0 1 0 1 2 val 9 8 6 3 6 2 4 9");
    sparse_free(&y.t);
    CHECK_MAKES(C, ended_rows(&C, &y, &A), "pos1 0 1 2 3 crd1 0 0 0 val 5 3 2");
    CHECK(strcmp(arrays(&y.t), "val 10 0 0 0") == 0);
    sparse_free(&y.t);
    CHECK_RESULT(first_of_rows(&y, &A), SPARSE_OK);
    CHECK(strcmp(arrays(&y.t), "val 5 3 2") == 0);
    sparse_free(&y.t), sparse_free(&p.t);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&D.t), sparse_free(&E.t);
    check_books();
}

/* >>many at once: up to 11 outputs, one less than the operands that a line can have; every other one begins with a number */
#define OUTPUTS_1 (a, double)
#define OUTPUTS_2 OUTPUTS_1, from(20, b, double)
#define OUTPUTS_3 OUTPUTS_2, (c, double)
#define OUTPUTS_4 OUTPUTS_3, from(40, d, double)
#define OUTPUTS_5 OUTPUTS_4, (e, double)
#define OUTPUTS_6 OUTPUTS_5, from(60, f, double)
#define OUTPUTS_7 OUTPUTS_6, (g, double)
#define OUTPUTS_8 OUTPUTS_7, from(80, h, double)
#define OUTPUTS_9 OUTPUTS_8, (j, double)
#define OUTPUTS_10 OUTPUTS_9, from(100, k, double)
#define OUTPUTS_11 OUTPUTS_10, (l, double)
#define SUMS_1 a += 1 * x
#define SUMS_2 SUMS_1, b += 2 * x
#define SUMS_3 SUMS_2, c += 3 * x
#define SUMS_4 SUMS_3, d += 4 * x
#define SUMS_5 SUMS_4, e += 5 * x
#define SUMS_6 SUMS_5, f += 6 * x
#define SUMS_7 SUMS_6, g += 7 * x
#define SUMS_8 SUMS_7, h += 8 * x
#define SUMS_9 SUMS_8, j += 9 * x
#define SUMS_10 SUMS_9, k += 10 * x
#define SUMS_11 SUMS_10, l += 11 * x
#define SUMS(n) SPARSE_KERNEL(sums_##n, (i), (OUTPUTS_##n), all((x, VEC, i)), SUMS_##n)
SUMS(2)
SUMS(3)
SUMS(4)
SUMS(5)
SUMS(6)
SUMS(7)
SUMS(8)
SUMS(9)
SUMS(10)
SUMS(11)

static void test_eleven(void)
{
    const size_t three = 3;
    const double ones[] = {1, 1, 1};
    double s[11];
    vec x = SPARSE_INIT(vec);
    CHECK_RESULT(sparse_pack_dense(&x.t, &three, ones), SPARSE_OK);
#define TRY(n, ...)                                                                                                \
    for (size_t k = 0; k < 11; k++) s[k] = -1;                                                                               \
    CHECK_RESULT(sums_##n(__VA_ARGS__, &x), SPARSE_OK);                                                                        \
    for (int k = 1; k <= n; k++) CHECK((long)s[k - 1] == (k % 2 ? 3 * k - 1 : 13 * k));
    TRY(2, &s[0], &s[1])
    TRY(3, &s[0], &s[1], &s[2])
    TRY(4, &s[0], &s[1], &s[2], &s[3])
    TRY(5, &s[0], &s[1], &s[2], &s[3], &s[4])
    TRY(6, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5])
    TRY(7, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6])
    TRY(8, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7])
    TRY(9, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], &s[8])
    TRY(10, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], &s[8], &s[9])
    TRY(11, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], &s[8], &s[9], &s[10])
#undef TRY
    sparse_free(&x.t);
}

/* Rows in an order of the caller's: let(u, rows[i]) is no loop to what comes out in order, wherever it stands; of a row that
   is not there, nothing comes. C(i,j) = A(rows[i],j), also of all that A has there of X(i,j,k), and a product with it */
#define CHOSEN(TYPE, type)                                                                                                   \
    SPARSE_KERNEL(chosen_##type, (i, let(u, rows[i]), j), (C, TYPE, i, j),                                                   \
                  all((one, VEC, i), (A, CSR, u, j), (rows, const size_t *)), C = A * one)                                   \
    SPARSE_KERNEL(chosen_twice_##type, (let(s, 0), parallel(i), let(u, rows[i], size), let(w, u), j), (C, TYPE, i, j),       \
                  all((one, VEC, i), (v, VEC, s), (A, CSR, w, j), (rows, const size_t *), (size, size_t)), C = A * one * v)  \
    SPARSE_KERNEL(chosen_apart_##type, (parallel(i), let(u, rows[i]), j), (C, TYPE, i, j),                                   \
                  all((one, VEC, i), (A, CSR, u, j), (rows, const size_t *)), C = A * one)                                   \
    SPARSE_KERNEL(chosen_product_##type, (i, let(u, rows[i]), k, j), (C, TYPE, i, j),                                        \
                  all((one, VEC, i), (A, CSR, u, k), (B, CSR, k, j), (rows, const size_t *)), C += A * B * one)
#define CHOSEN_TYPES(X) X(CSR, csr) X(DCSR, dcsr) X(COO, coo) X(SOA, soa) X(CD, cd)
CHOSEN_TYPES(CHOSEN)
SPARSE_KERNEL(chosen_planes, (i, let(u, rows[i]), j, k), (C, CSF, i, j, k),
              all((one, VEC, i), (X, CSF, u, j, k), (rows, const size_t *)), C = X * one)
SPARSE_KERNEL(chosen_fibers, (i, j, let(u, rows[j]), k), (C, CSF, i, j, k),
              all((one, VEC, j), (zero, VEC, i), (A, CSR, u, k), (rows, const size_t *)), C = A * one + zero)
SPARSE_KERNEL(chosen_out, (i, let(u, rows[i], size), j), (C, CSR, u, j),
              all((A, CSR, i, j), (rows, const size_t *), (size, size_t)), C += A)

static void check_chosen(const sparse_tensor *is, const sparse_encoding *e, const size_t *dim, size_t count,
                         const size_t *places, const double *values)
{
    sparse_tensor wanted = tensor_of(e);
    CHECK_RESULT(sparse_pack(&wanted, dim, count, places, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK(sparse_validate(is, NULL) == SPARSE_OK && same_arrays(is, &wanted));
    sparse_free(&wanted);
}

static void test_chosen(void)
{
    enum { TALL = 23, M = 17, N = 11 };
    for (size_t one_in = 1; one_in < 8; one_in += 2) {
        static size_t places[3 * 23 * 23 * 11], rows[TALL], dim[3] = {TALL, N, N}, size = M;
        static double values[23 * 23 * 11];
        grid A = random_grid(&csr_encoding, M, N, 0, one_in), B = random_grid(&csr_encoding, N, N, 0, one_in);
        vec one = SPARSE_INIT(vec), zero = SPARSE_INIT(vec), v = SPARSE_INIT(vec);
        size_t count = 0, made = 0, length = 1, planes = 0;
        CHECK_RESULT(sparse_allocate_dense(&one.t, &dim[0]), SPARSE_OK);
        CHECK_RESULT(sparse_allocate_dense(&zero.t, &dim[1]), SPARSE_OK);
        CHECK_RESULT(sparse_allocate_dense(&v.t, &length), SPARSE_OK);
        ((double *)v.t.val.at)[0] = 1;
        for (size_t i = 0; i < TALL; i++) {
            ((double *)one.t.val.at)[i] = 1;
            rows[i] = i % 5 == 4 ? (size_t)M + i : random_below(M);
        }
        for (size_t i = 0; i < TALL; i++)
            for (size_t j = 0; rows[i] < M && j < N; j++) {
                const size_t at = rows[i] * N + j;
                if (!A.has[at]) continue;
                places[2 * count] = i, places[2 * count + 1] = j;
                values[count++] = A.value[at];
            }
        snprintf(subject, sizeof subject, "chosen, 1 in %lu", (unsigned long)one_in);
#define TRY(TYPE, type)                                                                                                      \
    {                                                                                                                        \
        type D = SPARSE_INIT(type);                                                                                          \
        CHECK_RESULT(chosen_##type(&D, &one, (const csr *)&A.tensor, rows), SPARSE_OK);                                      \
        check_chosen(&D.t, &type##_encoding, dim, count, places, values);                                                    \
        CHECK_RESULT(chosen_twice_##type(&D, &one, &v, (const csr *)&A.tensor, rows, size), SPARSE_OK);                      \
        check_chosen(&D.t, &type##_encoding, dim, count, places, values);                                                    \
        CHECK_RESULT(chosen_apart_##type(&D, &one, (const csr *)&A.tensor, rows), SPARSE_OK);                                \
        check_chosen(&D.t, &type##_encoding, dim, count, places, values);                                                    \
        sparse_free(&D.t);                                                                                                   \
    }
        CHOSEN_TYPES(TRY)
#undef TRY
        vec none = SPARSE_INIT(vec);
        csr C = SPARSE_INIT(csr);
        length = 0;
        CHECK_RESULT(sparse_allocate_dense(&none.t, &length), SPARSE_OK);
        CHECK_RESULT(chosen_twice_csr(&C, &one, &none, (const csr *)&A.tensor, rows, size), SPARSE_OK);
        check_chosen(&C.t, &csr_encoding, dim, 0, places, values);
        csf F = SPARSE_INIT(csf);
        static size_t fibers[3 * 23 * 23 * 11];
        static double ends[23 * 23 * 11];
        const size_t cube[3] = {N, TALL, N};
        for (size_t i = 0; i < N; i++)
            for (size_t k = 0; k < count; k++, planes++) {
                fibers[3 * planes] = i, fibers[3 * planes + 1] = places[2 * k], fibers[3 * planes + 2] = places[2 * k + 1];
                ends[planes] = values[k];
            }
        CHECK_RESULT(chosen_fibers(&F, &one, &zero, (const csr *)&A.tensor, rows), SPARSE_OK);
        check_chosen(&F.t, &csf_encoding, cube, planes, fibers, ends);
        for (size_t i = 0; i < TALL; i++)
            for (size_t k = 0; rows[i] < M && k < N; k++)
                for (size_t j = 0; A.has[rows[i] * N + k] && j < N; j++) {
                    if (!B.has[k * N + j]) continue;
                    places[2 * made] = i, places[2 * made + 1] = j;
                    values[made++] = A.value[rows[i] * N + k] * B.value[k * N + j];
                }
#define TRY(TYPE, type)                                                                                                      \
    {                                                                                                                        \
        type D = SPARSE_INIT(type);                                                                                          \
        CHECK_RESULT(chosen_product_##type(&D, &one, (const csr *)&A.tensor, (const csr *)&B.tensor, rows), SPARSE_OK);      \
        check_chosen(&D.t, &type##_encoding, dim, made, places, values);                                                     \
        sparse_free(&D.t);                                                                                                   \
    }
        CHOSEN_TYPES(TRY)
#undef TRY
        grid X = random_grid(&csf_encoding, M, N, N, one_in);
        size_t entries = 0;
        for (size_t i = 0; i < TALL; i++)
            for (size_t at = 0; rows[i] < M && at < (size_t)N * N; at++) {
                if (!X.has[rows[i] * N * N + at]) continue;
                fibers[3 * entries] = i, fibers[3 * entries + 1] = at / N, fibers[3 * entries + 2] = at % N;
                ends[entries++] = X.value[rows[i] * N * N + at];
            }
        CHECK_RESULT(chosen_planes(&F, &one, (const csf *)&X.tensor, rows), SPARSE_OK);
        check_chosen(&F.t, &csf_encoding, dim, entries, fibers, ends);
        const size_t given[2] = {TALL, N};
        count = 0;
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < N; j++) {
                if (!A.has[i * N + j] || rows[i] >= TALL) continue;
                places[2 * count] = rows[i], places[2 * count + 1] = j;
                values[count++] = A.value[i * N + j];
            }
        CHECK_RESULT(chosen_out(&C, (const csr *)&A.tensor, rows, TALL), SPARSE_OK);
        check_chosen(&C.t, &csr_encoding, given, count, places, values);
        sparse_free(&C.t), sparse_free(&F.t), sparse_free(&one.t), sparse_free(&zero.t), sparse_free(&v.t);
        sparse_free(&none.t), close_grid(&A), close_grid(&B), close_grid(&X);
    }
    check_books();
}

int main(void)
{
    test_listed();
    test_binary();
    test_unary();
    test_select();
    test_reduce();
    test_statements();
    test_masks();
    test_products();
    test_spelled();
    test_sums();
    test_choices();
    test_left_out();
    test_several();
    test_eleven();
    test_mixed();
    test_mixed_into();
    test_into_owned();
    test_anew_beside_borrowed();
    test_product_into(40, 40, 300);
    test_product_into(40, 2000000, 150);
    test_like();
    test_fill();
    test_transposes();
    test_rank_3();
    test_chosen();
    test_semirings();
    test_hashed();
    test_array_pays();
    test_lists_left_out();
    test_kinds();
    test_hashed_rank_3();
    test_overflow();
    test_many_parts();
    test_memory();
    test_scarce();
    test_far_rows();
    test_scarce_lists();
    test_room();
    test_widths();
    test_refusals();
    test_f32(), test_i8(), test_u16(), test_i64();
    test_complex();
    test_structs();
    return report("outputs");
}
