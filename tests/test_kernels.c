/* test_kernels.c: what a kernel line may hold, and what becomes of it when its operands are not as they
   should be. The loops themselves, over all encodings, are tested by generate_kernels.c.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#define _DEFAULT_SOURCE /* mmap, mprotect, sigaction */
#include "oracle.h"

#include "sparse.h"

#ifdef _OPENMP
    #include <omp.h>
#endif
#if defined(__unix__)
    #include <signal.h>
    #include <sys/mman.h>
    #include <unistd.h>
#endif

static unsigned long skipped;

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 16, 32
#define CSC  csc, SPARSE_CSC, double, 32, 16
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(CSC)

static const size_t n3[] = {3}, n4[] = {4}, n3x4[] = {3, 4}, n4x4[] = {4, 4};
static const double x4[] = {1, 2, 3, 4};
/* | 5 . 1 . |
   | . . . . |
   | 2 . . 3 | */
static const double a3x4[] = {5, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 3};

static void set_up(sparse_tensor *t, const size_t *dim, const double *values)
{
    t->hooks = &counting;
    CHECK_RESULT(sparse_pack_dense(t, dim, values), SPARSE_OK);
}

static bool same(double x, double y) { return x <= y && x >= y; }

static bool holds(const sparse_tensor *t, const double *wanted)
{
    size_t k = 0;
    SPARSE_FOREACH(c, t) if (!same(SPARSE_VALUE(c, double), wanted[k++])) return false;
    return true;
}

/* >>values: complex numbers, and a struct of the user's */
#define C64  c64, SPARSE_CSR, sparse_complex64, 8, 8
#define V64  v64, SPARSE_DENSE_1D, sparse_complex64, 8, 8
#define C128 c128, SPARSE_CSC, sparse_complex128, 8, 8
#define S128 s128, SPARSE_VECTOR, sparse_complex128, 8, 8
SPARSE_TENSOR(C64)
SPARSE_TENSOR(V64)
SPARSE_TENSOR(C128)
SPARSE_TENSOR(S128)
SPARSE_KERNEL(spmv64, (i, j), (y, V64, i), all((A, C64, i, j), (x, V64, j)), y += A * x)
SPARSE_KERNEL(dot128, (j, i), (s, sparse_complex128), all((A, C128, i, j), any((x, S128, i), (z, S128, j))),
              s += A * x + A * z)

static void test_complex(void)
{
    const size_t n2[] = {2}, n2x2[] = {2, 2};
    const float a[8] = {1, 2, 0, 0, 3, 0, 0, -1}, x[4] = {2, -1, 0, 5}, wanted[4] = {4, 3, 11, -3};
    const double b[8] = {1, 2, 0, 0, 3, 0, 0, -1}, u[4] = {2, -1, 0, 0}, v[4] = {0, 0, 0, 5};
    sparse_complex128 s;
    double parts[2] = {0, -3};
    c64 A = SPARSE_INIT(c64);
    v64 p = SPARSE_INIT(v64), y = SPARSE_INIT(v64);
    c128 B = SPARSE_INIT(c128);
    s128 q = SPARSE_INIT(s128), r = SPARSE_INIT(s128);
    CHECK_RESULT(sparse_pack_dense(&A.t, n2x2, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&p.t, n2, x), SPARSE_OK);
    CHECK_RESULT(spmv64(&y, &A, &p), SPARSE_OK);
    CHECK(memcmp(y.t.val.at, wanted, sizeof wanted) == 0);
    CHECK_RESULT(sparse_pack_dense(&B.t, n2x2, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&q.t, n2, u), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&r.t, n2, v), SPARSE_OK);
    memcpy(&s, parts, sizeof s);
    CHECK_RESULT(dot128(&s, &B, &q, &r), SPARSE_OK); /* -3i + (1+2i)(2-i) + -i * 5i */
    memcpy(parts, &s, sizeof s);
    CHECK(same(parts[0], 4 + 5) && same(parts[1], 3 - 3));
    sparse_free(&A.t), sparse_free(&p.t), sparse_free(&y.t), sparse_free(&B.t), sparse_free(&q.t),
        sparse_free(&r.t);
}

/* shortest paths over (min, +): a distance, and where it comes from */
typedef struct path {
    double length;
    uint32_t from;
} path;

static inline path shorter(path old, bool known, double length, size_t from)
{
    if (known && old.length <= length) return old;
    old.length = length;
    old.from = (uint32_t)from;
    return old;
}

#define PATHS  paths, SPARSE_DENSE_1D, path, 64, 64
#define SPATHS spaths, SPARSE_VECTOR, path, 64, 64
SPARSE_TENSOR(PATHS)
SPARSE_TENSOR(SPATHS)
SPARSE_KERNEL(relax, (i, j), (d, PATHS, j), all((A, CSR, i, j), (v, SPATHS, i)),
              d = shorter(d, d.length > 0, v.length + A, i))
SPARSE_KERNEL(best, (i), (d, PATHS, i), any((u, SPATHS, i), (v, SPATHS, i)),
              d = has_u ? shorter(u, true, has_v ? v.length : u.length, v.from) : v)

static void test_struct(void)
{
    const size_t at[] = {0, 2};
    path p[2], q;
    csr A = SPARSE_INIT(csr);
    spaths v = SPARSE_INIT(spaths), w = SPARSE_INIT(spaths);
    paths d = SPARSE_INIT(paths), e = SPARSE_INIT(paths);
    memset(p, 0, sizeof p);
    p[0].length = 1, p[0].from = 7, p[1].length = 2, p[1].from = 8;
    set_up(&A.t, n3x4, a3x4);
    CHECK_RESULT(sparse_pack(&v.t, n3, 2, at, p, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_pack(&w.t, n3, 1, at + 1, p, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(relax(&d, &A, &v), SPARSE_OK);
    const path *is = (const path *)d.t.val.at;
    CHECK(same(is[0].length, 4) && is[0].from == 2 && same(is[1].length, 0) && same(is[2].length, 2) &&
          is[2].from == 0);
    CHECK(same(is[3].length, 5) && is[3].from == 2);
    CHECK_RESULT(best(&e, &v, &w), SPARSE_OK);
    is = (const path *)e.t.val.at;
    CHECK(same(is[0].length, 1) && is[0].from == 7 && same(is[1].length, 0) && is[1].from == 0);
    q = is[2];
    CHECK(same(q.length, 1) && q.from == 7);
    sparse_free(&A.t), sparse_free(&v.t), sparse_free(&w.t), sparse_free(&d.t), sparse_free(&e.t);
}

/* >>statements */
typedef double (*function)(double x, void *context);
typedef void *pointer;
typedef struct range {
    size_t low, high;
} range;

static double count_up(double x, void *context)
{
    ++*(size_t *)context;
    return x + (double)*(size_t *)context;
}

static double total;
SPARSE_KERNEL(apply, (i, j), (C, MAT, i, j), all((A, CSR, i, j), (f, function), (context, pointer)),
              C = f(A, context))
SPARSE_KERNEL(places, (i, j), (C, MAT, i, j), all((A, CSR, i, j)), C = A + 10 * (double)i + 100 * (double)j)
SPARSE_KERNEL(places_t, (j, i), (C, MAT, i, j), all((A, CSC, i, j)), C = A + 10 * (double)i + 100 * (double)j)
SPARSE_KERNEL(corner, (i, j), (s, double), all((A, CSR, i, j), (r, range)),
              if (i >= r.low && j < r.high) s += A)
SPARSE_KERNEL(several, (i, j), (s, double), all((A, CSR, i, j)), double t = A * A;
              for (int n = 0; n < 2; n++) t += 1, total += t; s += t)
SPARSE_KERNEL(fill_up, (i, j), (C, MAT, i, j), all((n, size_t)), C = (double)(n * i + j))
SPARSE_KERNEL(larger, (i), (m, double), all((x, VEC, i)), m = x > m ? x : m)
SPARSE_KERNEL(trace, (i, j), (s, double), all((A, CSR, i, j)), if (i == j) s += A)
SPARSE_KERNEL(square, (i, j), (s, double), all((A, CSR, i, j), (B, CSR, i, j)), s += A * B)

static void test_statements(void)
{
    csr A = SPARSE_INIT(csr);
    csc B = SPARSE_INIT(csc);
    mat C = SPARSE_INIT(mat);
    vec x = SPARSE_INIT(vec);
    size_t calls = 0;
    double s = 100;
    const range r = {1, 3};
    const double applied[] = {6, 0, 3, 0, 0, 0, 0, 0, 5, 0, 0, 7},
                 placed[] = {5, 0, 201, 0, 0, 0, 0, 0, 22, 0, 0, 323};
    const double filled[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    set_up(&A.t, n3x4, a3x4);
    set_up(&B.t, n3x4, a3x4);
    set_up(&x.t, n4, x4);
    CHECK_RESULT(apply(&C, &A, count_up, &calls), SPARSE_OK);
    CHECK(calls == 4 && holds(&C.t, applied));
    sparse_free(&C.t);
    CHECK_RESULT(places(&C, &A), SPARSE_OK);
    CHECK(holds(&C.t, placed));
    sparse_zero(&C.t);
    CHECK_RESULT(places_t(&C, &B), SPARSE_OK);
    CHECK(holds(&C.t, placed));
    CHECK_RESULT(corner(&s, &A, r), SPARSE_OK);
    CHECK(same(s, 102));
    s = 0;
    CHECK_RESULT(several(&s, &A), SPARSE_OK); /* t = 25, 1, 4, 9, each + 2 */
    CHECK(same(s, 47) && same(total, 39 + 8 + 4 + 39));
    CHECK_RESULT(fill_up(&C, 4), SPARSE_OK);
    CHECK(holds(&C.t, filled));
    s = 3.5;
    CHECK_RESULT(larger(&s, &x), SPARSE_OK);
    CHECK(same(s, 4));
    s = 0;
    CHECK_RESULT(trace(&s, &A), SPARSE_OK);
    CHECK(same(s, 5));
    s = 0;
    CHECK_RESULT(square(&s, &A, &A), SPARSE_OK); /* one tensor may be read twice */
    CHECK(same(s, 39));
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&x.t);
    CHECK(books.live == 0);
}

/* >>outputs */
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(outer, (i, j), (C, MAT, i, j), all((x, SVEC, i), (y, SVEC, j)), C = x * y)
SPARSE_KERNEL(scale, (i, j), update(A, CSR, i, j), all((x, VEC, i)), A *= x)
SPARSE_KERNEL(mask, (i, j), update(A, CSR, i, j), all((B, CSR, i, j)), A = B)

static void test_outputs(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    vec zeroed;
    const double once[] = {8, 0, 14}, twice[] = {16, 0, 28};
    memset(&zeroed, 0, sizeof zeroed);
    zeroed.t.hooks = y.t.hooks = &counting;
    set_up(&A.t, n3x4, a3x4);
    set_up(&x.t, n4, x4);
    const size_t live = books.live, calls = books.calls;
    CHECK_RESULT(spmv(&y, &A, &x), SPARSE_OK);
    CHECK(books.live == live + 1 && books.calls == calls + 1 && y.t.dim[0] == 3 && holds(&y.t, once));
    CHECK_RESULT(spmv(&y, &A, &x), SPARSE_OK);
    CHECK(books.calls == calls + 1 && holds(&y.t, twice));
    CHECK_RESULT(spmv(&zeroed, &A, &x), SPARSE_OK); /* a zeroed tensor will do as an output */
    CHECK(zeroed.t.encoding == &vec_encoding && holds(&zeroed.t, once));
    CHECK_RESULT(sparse_validate(&zeroed.t, NULL), SPARSE_OK);
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&zeroed.t), sparse_free(&zeroed.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* >>errors: every one leaves all operands as they were */
typedef struct state {
    sparse_tensor header;
    char values[256];
} state;

static state state_of(const sparse_tensor *t)
{
    state s;
    memset(&s, 0, sizeof s);
    memcpy(&s.header, t, sizeof *t);
    if (t->val.at) memcpy(s.values, t->val.at, t->val.length * sizeof(double));
    return s;
}

static bool is_unchanged(const sparse_tensor *t, const state *before)
{
    const state now = state_of(t);
    return memcmp(&now, before, sizeof now) == 0;
}

/* The call has the result, and t stays as it was. */
#define CHECK_REFUSED(call, result, t)                                                                       \
    do {                                                                                                     \
        const state before = state_of(t);                                                                    \
        CHECK_RESULT(call, result);                                                                          \
        CHECK(is_unchanged(t, &before));                                                                     \
    } while (0)

static void test_errors(void)
{
    csr A = SPARSE_INIT(csr), blank = SPARSE_INIT(csr), typeless, B = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec), u = SPARSE_INIT(vec);
    double s = 7;
    const double ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    memset(&typeless, 0, sizeof typeless);
    set_up(&A.t, n3x4, a3x4);
    set_up(&B.t, n4x4, ones);
    set_up(&x.t, n4, x4);
    set_up(&u.t, n3, x4);
    y.t.hooks = z.t.hooks = &counting;
    CHECK_REFUSED(spmv(NULL, &A, &x), SPARSE_E_NULL, &x.t);
    CHECK_REFUSED(spmv(&y, NULL, &x), SPARSE_E_NULL, &y.t);
    CHECK_REFUSED(spmv(&y, &A, NULL), SPARSE_E_NULL, &y.t);
    CHECK_RESULT(larger(NULL, &x), SPARSE_E_NULL);
    CHECK_RESULT(larger(&s, NULL), SPARSE_E_NULL);
    CHECK_REFUSED(spmv(&y, &blank, &x), SPARSE_E_EMPTY, &y.t);
    CHECK_REFUSED(spmv(&y, &A, &z), SPARSE_E_EMPTY, &y.t);
    CHECK_REFUSED(scale(&blank, &x), SPARSE_E_EMPTY, &blank.t);
    CHECK_REFUSED(fill_up(NULL, 4), SPARSE_E_NULL, &y.t);
    CHECK_REFUSED(spmv(&y, &typeless, &x), SPARSE_E_NO_ENCODING, &y.t);
    CHECK_REFUSED(scale(&typeless, &x), SPARSE_E_NO_ENCODING, &typeless.t);
    CHECK_REFUSED(spmv(&y, &B, &u), SPARSE_E_SHAPE, &y.t);
    CHECK_REFUSED(spmv(&x, &A, &x), SPARSE_E_SHAPE, &x.t);
    CHECK_REFUSED(scale(&A, &x), SPARSE_E_SHAPE, &A.t);
    CHECK_REFUSED(mask(&A, &B), SPARSE_E_SHAPE, &A.t);
    CHECK_REFUSED(spmv(&x, &B, &x), SPARSE_E_ALIAS, &x.t);
    CHECK_REFUSED(mask(&A, &A), SPARSE_E_ALIAS, &A.t);
    CHECK(same(s, 7) && books.live == 8);

    /* values side by side in memory are fine, a single one in common is not */
    double memory[8] = {5, 1, 2, 3, 1, 1, 1};
    csr front = A;
    vec back = u;
    front.t.val.at = memory, back.t.val.at = memory + 4;
    CHECK_RESULT(scale(&front, &back), SPARSE_OK);
    front.t.val.at = memory + 3, back.t.val.at = memory;
    CHECK_RESULT(scale(&front, &back), SPARSE_OK);
    front.t.val.at = memory + 2;
    CHECK_REFUSED(scale(&front, &back), SPARSE_E_ALIAS, &front.t);
    front.t.val.at = memory, back.t.val.at = memory + 3;
    CHECK_REFUSED(scale(&front, &back), SPARSE_E_ALIAS, &front.t);

    /* tensors whose header says what is not so */
    csr other = A;
    other.t.encoding = &dcsr_encoding;
    CHECK_REFUSED(spmv(&y, &other, &x), SPARSE_E_ENCODING, &y.t);
    CHECK_REFUSED(scale(&other, &u), SPARSE_E_ENCODING, &A.t);
    other = A;
    other.t.pos[1].at = NULL;
    CHECK_REFUSED(spmv(&y, &other, &x), SPARSE_E_EMPTY, &y.t);
    other = A;
    other.t.crd[1].at = NULL;
    CHECK_REFUSED(spmv(&y, &other, &x), SPARSE_E_NULL, &y.t);
    other = A;
    other.t.val.at = NULL;
    CHECK_REFUSED(spmv(&y, &other, &x), SPARSE_E_NULL, &y.t);
    vec wrong = SPARSE_INIT(vec);
    wrong.t.encoding = &svec_encoding;
    CHECK_REFUSED(spmv(&wrong, &A, &x), SPARSE_E_ENCODING, &wrong.t);

    /* an encoding of the same content under another name is the same */
    sparse_encoding copy = csr_encoding;
    copy.name = "copy";
    other = A;
    other.t.encoding = &copy;
    CHECK_RESULT(spmv(&y, &other, &x), SPARSE_OK);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&u.t),
        sparse_free(&wrong.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* An output that cannot be had: nothing is leaked, and the output can be freed and used again. */
static void test_no_memory(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    svec a = SPARSE_INIT(svec), b = SPARSE_INIT(svec);
    mat C = SPARSE_INIT(mat);
    set_up(&A.t, n3x4, a3x4);
    set_up(&x.t, n4, x4);
    y.t.hooks = C.t.hooks = &counting;
    books.fail_at = books.calls + 1;
    CHECK_RESULT(spmv(&y, &A, &x), SPARSE_E_MEMORY);
    CHECK(y.t.val.at == NULL && y.t.val.length == 0 && y.t.dim[0] == 0);
    books.fail_at = 0;
    sparse_free(&y.t);
    CHECK_RESULT(spmv(&y, &A, &x), SPARSE_OK);
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t);

    const size_t half = (size_t)1 << (sizeof(size_t) * 4 - 1), huge[] = {half}, square_root[] = {2 * half},
                 at[] = {0};
    const double one[] = {1};
    CHECK_RESULT(sparse_pack(&a.t, huge, 1, at, one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_pack(&b.t, square_root, 1, at, one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(outer(&C, &b, &b), SPARSE_E_OVERFLOW); /* the number of values, */
    CHECK_RESULT(outer(&C, &a, &b), SPARSE_E_OVERFLOW); /* that of their bytes, */
    const size_t bytes[] = {half / 8};
    CHECK_RESULT(sparse_pack(&a.t, bytes, 1, at, one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(outer(&C, &a, &b), SPARSE_E_MEMORY); /* and more than an array can have */
    CHECK(C.t.val.at == NULL && C.t.dim[0] == 0 && books.live == 0);
    sparse_free(&C.t), sparse_free(&a.t), sparse_free(&b.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* >>limits: 8 loops, 8 levels, 12 operands, in the scenes of the oracle */
/* clang-format off */
#define T8 t8, ((i, j, k, l, m, n, o, p), (dense, p), (compressed, i), (dense, k), (compressed, o), (compressed, j), \
                (dense, m), (compressed, n), (dense, l)), double, 32, 8
#define U8 u8, ((i, j, k, l, m, n, o, p), (compressed, p), (dense, i), (compressed, k), (compressed, o), (dense, j), \
                (compressed, m), (compressed, n), (compressed, l)), int16_t, 16, 16
#define D8 d8, ((i, j, k, l, m, n, o, p), (dense, i), (dense, j), (dense, k), (dense, l), (dense, m), (dense, n), \
                (dense, o), (dense, p)), double, 8, 8
/* clang-format on */
SPARSE_TENSOR(T8)
SPARSE_TENSOR(U8)
SPARSE_TENSOR(D8)
SPARSE_KERNEL(union8, (p, i, k, o, j, m, n, l), (C, D8, i, j, k, l, m, n, o, p),
              any((A, T8, i, j, k, l, m, n, o, p), (B, U8, i, j, k, l, m, n, o, p)), C = A + 100 * (double)B;
              visit(p, i, k, o, j, m, n, l))
SPARSE_KERNEL(intersection8, (p, i, k, o, j, m, n, l), update(A, T8, i, j, k, l, m, n, o, p),
              all((B, U8, i, j, k, l, m, n, o, p)), A += (double)B;
              visit(p, i, k, o, j, m, n, l))
SPARSE_KERNEL(chain, (i, j, k, l, m, n, o, p), (s, double),
              all((u, SVEC, i), (A, CSR, i, j), (B, DCSR, j, k), (C, CSR, k, l), (D, MAT, l, m),
                  (E, DCSR, m, n), (F, CSR, n, o), (G, DCSR, o, p), (v, VEC, p), (alpha, double),
                  (beta, double)),
              s += u * A * B * C * D * E * F * G * v * alpha + beta;
              visit(i, j, k, l, m, n, o, p))

static sparse_result run_union8(sparse_tensor *const *t, double *scalar)
{
    (void)scalar;
    return union8((d8 *)t[0], (const t8 *)t[1], (const u8 *)t[2]);
}
static bool union8_is(double *out, const double *value, const bool *has, const size_t *index)
{
    (void)index;
    if (has[1] || has[2]) *out = value[1] + 100 * value[2];
    return has[1] || has[2];
}
static sparse_result run_intersection8(sparse_tensor *const *t, double *scalar)
{
    (void)scalar;
    return intersection8((t8 *)t[0], (const u8 *)t[1]);
}
static bool intersection8_is(double *out, const double *value, const bool *has, const size_t *index)
{
    (void)index;
    if (has[1]) *out += value[1];
    return has[1];
}
static sparse_result run_chain(sparse_tensor *const *t, double *s)
{
    return chain(s, (const svec *)t[1], (const csr *)t[2], (const dcsr *)t[3], (const csr *)t[4],
                 (const mat *)t[5], (const dcsr *)t[6], (const csr *)t[7], (const dcsr *)t[8],
                 (const vec *)t[9], s[10], s[11]);
}
static bool chain_is(double *out, const double *value, const bool *has, const size_t *index)
{
    double product = 1;
    (void)index;
    for (size_t n = 1; n <= 10; n++) product *= value[n];
    for (size_t n = 1; n <= 10; n++)
        if (!has[n]) return false;
    *out += product + value[11];
    return true;
}

static void test_limits(void)
{
    /* clang-format off */
    static const kernel kernels[] = {
        {"union8", "pikojmnl", false, 3,
         {{&d8_encoding, "ijklmnop", false}, {&t8_encoding, "ijklmnop", false}, {&u8_encoding, "ijklmnop", false}},
         run_union8, union8_is},
        {"intersection8", "pikojmnl", true, 2,
         {{&t8_encoding, "ijklmnop", false}, {&u8_encoding, "ijklmnop", false}},
         run_intersection8, intersection8_is},
        {"chain", "ijklmnop", false, 12,
         {{NULL, "", false}, {&svec_encoding, "i", false}, {&csr_encoding, "ij", false}, {&dcsr_encoding, "jk", false}, {&csr_encoding, "kl", false},
          {&mat_encoding, "lm", false}, {&dcsr_encoding, "mn", false}, {&csr_encoding, "no", false}, {&dcsr_encoding, "op", false},
          {&vec_encoding, "p", false}, {NULL, "", false}, {NULL, "", false}},
         run_chain, chain_is},
    };
    /* clang-format on */
    for (size_t turn = 0; turn < 5; turn++) try_kernels(kernels, sizeof kernels / sizeof *kernels);
}

/* Coordinates beyond 32 bits, which differ in nothing but the upper half. */
#define FAR far_vec, SPARSE_VECTOR, double, 8, 64
SPARSE_TENSOR(FAR)
SPARSE_KERNEL(far_any, (i), (s, double), any((a, FAR, i), (b, FAR, i)), s += (a + 10 * b) * (double)(i >> 30))
SPARSE_KERNEL(far_all, (i), (s, double), all((a, FAR, i), (b, FAR, i)), s += a * b * (double)(i >> 30))
SPARSE_KERNEL(far_none, (i), (s, double), all((a, FAR, i), none((b, FAR, i))), s += a * (double)(i >> 30))

static void test_far(void)
{
    const double a[] = {1, 2, 3}, b[] = {4, 5};
    far_vec u = SPARSE_INIT(far_vec), v = SPARSE_INIT(far_vec);
    double s = 0;
    if (sizeof(size_t) < 8) return;
    const size_t one = 1, high = one << (sizeof(size_t) * 4), n[] = {8 * high};
    const size_t at[] = {7, high + 7, 5 * high}, bt[] = {high + 7, 3 * high + 7};
    CHECK_RESULT(sparse_pack(&u.t, n, 3, at, a, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_pack(&v.t, n, 2, bt, b, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(far_any(&s, &u, &v), SPARSE_OK);
    CHECK(same(s, 2 * 4 + 3 * 20 + 10 * (4 * 4 + 5 * 12)));
    s = 0;
    CHECK_RESULT(far_all(&s, &u, &v), SPARSE_OK);
    CHECK(same(s, 8 * 4));
    s = 0;
    CHECK_RESULT(far_none(&s, &u, &v), SPARSE_OK);
    CHECK(same(s, 3 * 20));
    sparse_free(&u.t), sparse_free(&v.t);
}

/* >>strategies: parallel loops give the very bits of sequential ones, at any number of threads; simd loops
   the same sums in another order */
#define F32V f32v, SPARSE_DENSE_1D, float, 16, 16
#define I32M i32m, SPARSE_CSR, int32_t, 16, 16
SPARSE_TENSOR(F32V)
SPARSE_TENSOR(I32M)

/* a kernel by the loops as they are, and by those with a strategy */
#define BOTH_WAYS(name, loops, strategic, ...)                                                               \
    SPARSE_KERNEL(name, loops, __VA_ARGS__)                                                                  \
    SPARSE_KERNEL(name##_s, strategic, __VA_ARGS__)
BOTH_WAYS(rows, (i, j), (parallel(i), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
BOTH_WAYS(stored_rows, (i, j), (parallel(i), j), (y, VEC, i), all((A, DCSR, i, j), (x, VEC, j)), y += A * x)
BOTH_WAYS(both_rows, (i, j), (parallel(i), j), (y, VEC, i),
          all((A, DCSR, i, j), any((B, CSR, i, j), (x, SVEC, i))), y += A * B + x / A)
BOTH_WAYS(common_rows, (i, j), (parallel(i), j), update(A, DCSR, i, j),
          all((B, DCSR, i, j), none((x, SVEC, i))), A += B / 3)
BOTH_WAYS(one_of_one, (i), (parallel(i)), (y, VEC, i), all((a, SVEC, i), any((b, SVEC, i))), y += 1 + a + b)
BOTH_WAYS(cells, (i, j), (i, parallel(j)), (C, MAT, i, j), all((A, CSR, i, j), (x, SVEC, j)), C += A / x)
BOTH_WAYS(lanes, (i, j), (i, simd(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
BOTH_WAYS(parallel_lanes, (i, j), (parallel(i), simd(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)),
          y += A * x)
BOTH_WAYS(dense_lanes, (i), (simd(i)), (s, double), all((x, VEC, i), (y, VEC, i)), s += x * y)
BOTH_WAYS(float_lanes, (i), (simd(i)), (s, float), all((x, F32V, i)), s += x)
BOTH_WAYS(integer_lanes, (i, j), (i, simd(j)), (s, int32_t), all((A, I32M, i, j)), s += A)
BOTH_WAYS(common_lanes, (i), (simd(i)), (s, double), all((x, SVEC, i), (y, SVEC, i)), s += x * y)
BOTH_WAYS(union_lanes, (i), (simd(i)), (s, double), any((x, SVEC, i), (y, SVEC, i)), s += x - y)
BOTH_WAYS(rest_lanes, (i), (simd(i)), (s, double), all((x, SVEC, i), none((y, SVEC, i))), s += x)
BOTH_WAYS(value_lanes, (i, j), (i, simd(j)), update(A, CSR, i, j), all((x, VEC, j)), A *= x)
BOTH_WAYS(largest_lanes, (i), (simd(i)), (s, double), all((x, VEC, i)), s = x > s ? x : s)

/* Fractions, so that sums depend on their order; or small integers, so that they do not. */
static void set_up_random(sparse_tensor *t, const size_t *dim, size_t one_in, bool fractions)
{
    static double values[64 * 64];
    size_t volume = 1;
    for (unsigned d = 0; d < t->encoding->rank; d++) volume *= dim[d];
    for (size_t k = 0; k < volume; k++) {
        const double n = (double)(1 + random_below(fractions ? 1000 : 9));
        values[k] = random_below(one_in) ? 0 : fractions ? 1 / n - 0.25 : n;
    }
    set_up(t, dim, values);
}

static bool same_values(const sparse_tensor *a, const sparse_tensor *b)
{
    return a->val.length == b->val.length &&
           (a->val.length == 0 || memcmp(a->val.at, b->val.at, a->val.length * sizeof(double)) == 0);
}

/* Both kernels of BOTH_WAYS, into the tensors u and v, which become the same. */
#define CHECK_BOTH_WAYS(name, u, v, ...)                                                                     \
    do {                                                                                                     \
        CHECK_RESULT(name(&u, __VA_ARGS__), SPARSE_OK);                                                      \
        CHECK_RESULT(name##_s(&v, __VA_ARGS__), SPARSE_OK);                                                  \
        CHECK(same_values(&u.t, &v.t));                                                                      \
    } while (0)
#define CHECK_SUM_BOTH_WAYS(name, type, ...)                                                                 \
    do {                                                                                                     \
        type s = 1, t = 1;                                                                                   \
        CHECK_RESULT(name(&s, __VA_ARGS__), SPARSE_OK);                                                      \
        CHECK_RESULT(name##_s(&t, __VA_ARGS__), SPARSE_OK);                                                  \
        CHECK(same((double)s, (double)t));                                                                   \
    } while (0)

static void test_parallel_with(int threads)
{
    const size_t n64[] = {64}, n64x64[] = {64, 64};
    csr B = SPARSE_INIT(csr);
    dcsr A = SPARSE_INIT(dcsr), U = SPARSE_INIT(dcsr), V = SPARSE_INIT(dcsr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    svec a = SPARSE_INIT(svec), b = SPARSE_INIT(svec);
    mat C = SPARSE_INIT(mat), D = SPARSE_INIT(mat);
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
    snprintf(subject, sizeof subject, "%d threads", threads);
    set_up_random(&A.t, n64x64, 5, true);
    set_up_random(&B.t, n64x64, 3, true);
    set_up_random(&U.t, n64x64, 3, true);
    set_up_random(&x.t, n64, 1, true);
    set_up_random(&a.t, n64, 2, true);
    set_up_random(&b.t, n64, 2, true);
    V.t.hooks = y.t.hooks = z.t.hooks = C.t.hooks = D.t.hooks = &counting;
    CHECK_RESULT(sparse_copy(&V.t, &U.t), SPARSE_OK);
    CHECK_BOTH_WAYS(rows, y, z, &B, &x);
    CHECK_BOTH_WAYS(stored_rows, y, z, &A, &x);
    CHECK_BOTH_WAYS(both_rows, y, z, &A, &B, &a);
    CHECK_BOTH_WAYS(common_rows, U, V, &A, &a);
    CHECK_BOTH_WAYS(one_of_one, y, z, &a, &b);
    CHECK_BOTH_WAYS(cells, C, D, &B, &a);
    sparse_free(&b.t), sparse_free(&A.t), sparse_free(&B.t), sparse_free(&U.t), sparse_free(&V.t), sparse_free(&x.t),
        sparse_free(&y.t);
    sparse_free(&z.t), sparse_free(&a.t), sparse_free(&C.t), sparse_free(&D.t);
    CHECK(books.live == 0);
}

/* Rows of all lengths up to a few vectors of lanes. */
static void test_simd_with(size_t length)
{
    const size_t n[] = {length}, n5xn[] = {5, length};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    i32m M = SPARSE_INIT(i32m);
    vec x = SPARSE_INIT(vec), w = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    svec a = SPARSE_INIT(svec), b = SPARSE_INIT(svec);
    f32v f = SPARSE_INIT(f32v);
    float floats[64];
    int32_t integers[5 * 64];
    for (size_t k = 0; k < length; k++) floats[k] = (float)random_below(9);
    for (size_t k = 0; k < 5 * length; k++) integers[k] = (int32_t)random_below(9);
    snprintf(subject, sizeof subject, "length %zu", length);
    set_up_random(&A.t, n5xn, 1 + random_below(3), false);
    set_up_random(&x.t, n, 1, false);
    set_up_random(&w.t, n, 1, false);
    set_up_random(&a.t, n, 2, false);
    set_up_random(&b.t, n, 1 + random_below(2), false);
    CHECK_RESULT(sparse_pack_dense(&f.t, n, floats), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&M.t, n5xn, integers), SPARSE_OK);
    CHECK_RESULT(sparse_copy(&B.t, &A.t), SPARSE_OK);
    CHECK_BOTH_WAYS(lanes, y, z, &A, &x);
    CHECK_BOTH_WAYS(parallel_lanes, y, z, &A, &x);
    CHECK_BOTH_WAYS(value_lanes, A, B, &x);
    CHECK_SUM_BOTH_WAYS(dense_lanes, double, &x, &w);
    CHECK_SUM_BOTH_WAYS(float_lanes, float, &f);
    CHECK_SUM_BOTH_WAYS(integer_lanes, int32_t, &M);
    CHECK_SUM_BOTH_WAYS(common_lanes, double, &a, &b);
    CHECK_SUM_BOTH_WAYS(union_lanes, double, &a, &b);
    CHECK_SUM_BOTH_WAYS(rest_lanes, double, &a, &b);
    CHECK_SUM_BOTH_WAYS(largest_lanes, double, &x);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&M.t), sparse_free(&x.t), sparse_free(&w.t),
        sparse_free(&y.t);
    sparse_free(&z.t), sparse_free(&a.t), sparse_free(&b.t), sparse_free(&f.t);
    CHECK(books.live == 0);
}

/* Reassociation is all that simd permits: what is not finite stays what it is. */
static void test_simd_infinity(void)
{
    double values[24], zero = 0, s = 0;
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    const size_t n[] = {24};
    for (size_t k = 0; k < 24; k++) values[k] = 1;
    set_up(&y.t, n, values);
    values[13] = 1 / zero;
    set_up(&x.t, n, values);
    CHECK_RESULT(dense_lanes_s(&s, &x, &y), SPARSE_OK);
    CHECK(s > DBL_MAX);
    ((double *)x.t.val.at)[3] = -1 / zero;
    s = 0;
    CHECK_RESULT(dense_lanes_s(&s, &x, &y), SPARSE_OK);
    CHECK(!(s <= 0) && !(s >= 0));
    sparse_free(&x.t), sparse_free(&y.t);
}

/* Do the threads share the iterations at all? Each waits, for ten seconds at most, until four are there. */
#ifdef _OPENMP
enum { TEAM = 4 };
static unsigned present;
static inline double meet(void)
{
    const double end = omp_get_wtime() + 10;
    unsigned met = 0;
    #pragma omp atomic
    present |= 1u << omp_get_thread_num();
    while (met != (1u << TEAM) - 1 && omp_get_wtime() < end) {
    #pragma omp atomic read
        met = present;
    }
    return met == (1u << TEAM) - 1;
}
SPARSE_KERNEL(meeting, (parallel(i)), (y, VEC, i), all((x, SVEC, i)), y = x + meet())
SPARSE_KERNEL(meeting_dense, (parallel(i)), (y, VEC, i), all((x, VEC, i)), y = x + meet())
static void test_threads(void)
{
    const size_t few[] = {TEAM};
    double ones[TEAM], sum = 0;
    svec x = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    omp_set_dynamic(0);
    omp_set_num_threads(TEAM);
    for (size_t k = 0; k < TEAM; k++) ones[k] = 1;
    set_up(&x.t, few, ones);
    CHECK_RESULT(meeting(&y, &x), SPARSE_OK);
    present = 0;
    CHECK_RESULT(meeting_dense(&z, &y), SPARSE_OK);
    for (size_t k = 0; k < TEAM; k++) sum += ((double *)z.t.val.at)[k];
    CHECK(same(sum, 3 * TEAM));
    sparse_free(&x.t), sparse_free(&y.t), sparse_free(&z.t);
}
#else
static void test_threads(void) {}
#endif

/* >>cost: what a kernel reads of a vector of ten million entries when another has one. Its arrays lie in
   pages that may not be touched; each page that is, is counted and let go. */
#if defined(__unix__)
enum { MANY = 10000000 };
SPARSE_KERNEL(dot, (i), (s, double), all((a, SVEC, i), (b, SVEC, i)), s += a * b)
SPARSE_KERNEL(dot3, (i), (s, double), all((a, SVEC, i), (b, SVEC, i), (c, SVEC, i)), s += a * b * c)
SPARSE_KERNEL(without, (i), (s, double), all((a, SVEC, i), none((b, SVEC, i))), s += a)
SPARSE_KERNEL(within, (i), (s, double), all((a, SVEC, i), any((b, SVEC, i), (c, SVEC, i))), s += a * b + c)
SPARSE_KERNEL(within_r, (i), (s, double), all(any((b, SVEC, i), (c, SVEC, i)), (a, SVEC, i)), s += a * b + c)
SPARSE_KERNEL(add_to, (i), update(a, SVEC, i), all((b, SVEC, i)), a += b)

static char *guarded;
static size_t guarded_bytes, page, touched;

static void on_touch(int number, siginfo_t *info, void *context)
{
    char *at = (char *)info->si_addr;
    (void)context;
    if (at < guarded || at >= guarded + guarded_bytes) {
        signal(number, SIG_DFL);
        return;
    }
    at = guarded + (size_t)(at - guarded) / page * page;
    if (mprotect(at, page, PROT_READ)) _exit(2);
    touched++;
}

static void guard(void)
{
    touched = 0;
    if (mprotect(guarded, guarded_bytes, PROT_NONE)) _exit(2);
}

    /* The pages that the call touches are few. */
    #define CHECK_CHEAP(call)                                                                                \
        do {                                                                                                 \
            guard();                                                                                         \
            CHECK_RESULT(call, SPARSE_OK);                                                                   \
            if (!CHECK(touched < 100))                                                                       \
                printf("  %s touches %zu pages of %zu\n", #call, touched, guarded_bytes / page);             \
        } while (0)

static void test_cost(void)
{
    static uint32_t pos[] = {0, MANY};
    const size_t n[] = {2 * (size_t)MANY}, at[] = {2 * (size_t)MANY - 2};
    const double one[] = {1};
    struct sigaction action, old_segv, old_bus;
    svec big = SPARSE_INIT(svec), tiny = SPARSE_INIT(svec);
    double s = 0;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_touch;
    action.sa_flags = SA_SIGINFO;
    page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t crd_bytes = (MANY * sizeof(uint32_t) + page - 1) / page * page;
    guarded_bytes = crd_bytes + MANY * sizeof(double);
    void *memory = mmap(NULL, guarded_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || sigaction(SIGSEGV, &action, &old_segv) ||
        sigaction(SIGBUS, &action, &old_bus)) {
        skipped++;
        return;
    }
    guarded = (char *)memory;
    for (size_t k = 0; k < MANY; k++) ((uint32_t *)memory)[k] = (uint32_t)(2 * k);
    CHECK_RESULT(sparse_pack(&tiny.t, n, 1, at, one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    big.t.dim[0] = big.t.lvl[0] = n[0];
    big.t.pos[0].at = pos, big.t.pos[0].length = 2;
    big.t.crd[0].at = guarded, big.t.crd[0].length = MANY;
    big.t.val.at = guarded + crd_bytes, big.t.val.length = MANY;
    CHECK_CHEAP(dot(&s, &tiny, &big));
    CHECK_CHEAP(dot(&s, &big, &tiny));
    CHECK_CHEAP(dot3(&s, &big, &tiny, &big));
    CHECK_CHEAP(without(&s, &tiny, &big));
    CHECK_CHEAP(within(&s, &tiny, &big, &big));
    CHECK_CHEAP(within_r(&s, &big, &big, &tiny));
    CHECK_CHEAP(add_to(&tiny, &big));
    sigaction(SIGSEGV, &old_segv, NULL);
    sigaction(SIGBUS, &old_bus, NULL);
    munmap(memory, guarded_bytes);
    sparse_free(&tiny.t);
}
#else
static void test_cost(void) { skipped++; }
#endif

/* >>lists: vectors that are long, skewed or have runs, against dense arrays; coordinates of all widths */
#define L8  l8, SPARSE_VECTOR, double, 16, 8
#define L16 l16, SPARSE_VECTOR, double, 16, 16
#define L32 l32, SPARSE_VECTOR, double, 32, 32
#define L64 l64, SPARSE_VECTOR, double, 64, 64
SPARSE_TENSOR(L8)
SPARSE_TENSOR(L16)
SPARSE_TENSOR(L32)
SPARSE_TENSOR(L64)
#define LIST_KERNELS(both, either, only, some, any3, A, B, C)                                                \
    SPARSE_KERNEL(both, (i), (s, double), all((a, A, i), (b, B, i)), s += a * b * (double)(i + 1))           \
    SPARSE_KERNEL(either, (i), (s, double), any((a, A, i), (b, B, i)), s += (a + 3 * b) * (double)(i + 1))   \
    SPARSE_KERNEL(only, (i), (s, double), all(any((a, A, i), (b, B, i)), (c, C, i)),                         \
                  s += (a + 3 * b) * c * (double)(i + 1))                                                    \
    SPARSE_KERNEL(some, (i), (s, double), all(any((a, A, i), (b, B, i)), none((c, C, i))),                   \
                  s += (a + 3 * b) * (double)(i + 1))                                                        \
    SPARSE_KERNEL(any3, (i), (s, double), any((a, A, i), (b, B, i), (c, C, i)),                              \
                  s += (a + 3 * b + 5 * c) * (double)(i + 1))
LIST_KERNELS(both_8, either_8, only_8, some_8, any3_8, L8, L8, L8)
LIST_KERNELS(both_16, either_16, only_16, some_16, any3_16, L16, L16, L16)
LIST_KERNELS(both_32, either_32, only_32, some_32, any3_32, L32, L32, L32)
LIST_KERNELS(both_64, either_64, only_64, some_64, any3_64, L64, L64, L64)
LIST_KERNELS(both_mixed, either_mixed, only_mixed, some_mixed, any3_mixed, L32, L16, L64)

enum { LIST_SIZE = 256 };
static unsigned list_random(unsigned below)
{
    static uint32_t last = 1;
    last = last * 1664525u + 1013904223u;
    return (last >> 8) % below;
}
/* runs of stored coordinates, and of others, of random lengths up to these; nothing beyond an end */
static void list_fill(double *x, unsigned stored, unsigned absent, size_t end)
{
    for (size_t i = 0; i < LIST_SIZE;) {
        for (unsigned n = 1 + list_random(stored); n > 0 && i < LIST_SIZE; n--, i++)
            x[i] = i < end ? 1 + list_random(9) : 0;
        for (unsigned n = list_random(absent); n > 0 && i < LIST_SIZE; n--) x[i++] = 0;
    }
}
#define LIST_CHECKS(both, either, only, some, any3, A, B, C, a, b, c, wanted)                                \
    do {                                                                                                     \
        const size_t dim[] = {LIST_SIZE};                                                                    \
        A u = SPARSE_INIT(A);                                                                                \
        B v = SPARSE_INIT(B);                                                                                \
        C w = SPARSE_INIT(C);                                                                                \
        double sum[5] = {0, 0, 0, 0, 0};                                                                     \
        set_up(&u.t, dim, a), set_up(&v.t, dim, b), set_up(&w.t, dim, c);                                    \
        CHECK_RESULT(both(&sum[0], &u, &v), SPARSE_OK);                                                      \
        CHECK_RESULT(either(&sum[1], &u, &v), SPARSE_OK);                                                    \
        CHECK_RESULT(only(&sum[2], &u, &v, &w), SPARSE_OK);                                                  \
        CHECK_RESULT(some(&sum[3], &u, &v, &w), SPARSE_OK);                                                  \
        CHECK_RESULT(any3(&sum[4], &u, &v, &w), SPARSE_OK);                                                  \
        for (unsigned k = 0; k < 5; k++) CHECK(same(sum[k], wanted[k]));                                     \
        sparse_free(&u.t), sparse_free(&v.t), sparse_free(&w.t);                                             \
    } while (0)
static void test_lists(void)
{
    static const unsigned lengths[][2] = {{1, 2}, {1, 4}, {1, 60}, {16, 16}, {40, 8}, {250, 2}, {3, 250}};
    enum { SHAPES = sizeof lengths / sizeof *lengths };
    for (unsigned trial = 0; trial < 3 * SHAPES * SHAPES; trial++) {
        double x[3][LIST_SIZE], wanted[5] = {0, 0, 0, 0, 0};
        const unsigned of[] = {trial % SHAPES, trial / SHAPES % SHAPES, list_random(SHAPES)};
        for (unsigned k = 0; k < 3; k++)
            list_fill(x[k], lengths[of[k]][0], lengths[of[k]][1],
                      list_random(2) * LIST_SIZE + list_random(LIST_SIZE));
        for (unsigned i = 0; i < LIST_SIZE; i++) {
            const double a = x[0][i], b = x[1][i], c = x[2][i], n = i + 1, sum = (a + 3 * b) * n;
            wanted[0] += a * b * n;
            wanted[1] += sum;
            wanted[2] += sum * c;
            if (c <= 0) wanted[3] += sum;
            wanted[4] += sum + 5 * c * n;
        }
        LIST_CHECKS(both_8, either_8, only_8, some_8, any3_8, l8, l8, l8, x[0], x[1], x[2], wanted);
        LIST_CHECKS(both_16, either_16, only_16, some_16, any3_16, l16, l16, l16, x[0], x[1], x[2], wanted);
        LIST_CHECKS(both_32, either_32, only_32, some_32, any3_32, l32, l32, l32, x[0], x[1], x[2], wanted);
        LIST_CHECKS(both_64, either_64, only_64, some_64, any3_64, l64, l64, l64, x[0], x[1], x[2], wanted);
        LIST_CHECKS(both_mixed, either_mixed, only_mixed, some_mixed, any3_mixed, l32, l16, l64, x[0], x[1],
                    x[2], wanted);
    }
}

/* >>unroll: the same sums in the same order, so the same results to the bit, as of loops one after the other, which
   those over one tile are; the plain line, over one operand and all coordinates, is unrolled as well */
#define CD   cd, SPARSE_CD, double, 32, 32
#define COO  coo, SPARSE_COO, double, 32, 32
#define BAGS bags, ((i, j), (dense, i), (compressed(nonunique, nonordered), j)), double, 32, 32
#define BSR  bsr, SPARSE_BSR(2, 3), double, 32, 32
SPARSE_TENSOR(CD)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(BAGS)
SPARSE_TENSOR(BSR)
#define TIMES(t, T)                                                                                          \
    SPARSE_KERNEL(times_rolled_##t, (i, k, tile(j, 64)), (C, MAT, i, j), all((A, T, i, k), (B, MAT, k, j)),  \
                  C += A * B)                                                                                \
    SPARSE_KERNEL(times_##t, (i, k, j), (C, MAT, i, j), all((A, T, i, k), (B, MAT, k, j)), C += A * B)       \
    SPARSE_KERNEL(times_unrolled_##t, (i, unroll(k), j), (C, MAT, i, j), all((A, T, i, k), (B, MAT, k, j)),  \
                  C += A * B)
TIMES(csr, CSR)
TIMES(dcsr, DCSR)
TIMES(cd, CD)
TIMES(coo, COO)
TIMES(mat, MAT)
TIMES(bags, BAGS)
SPARSE_KERNEL(times_rolled_bsr, (floordiv(i, 2), floordiv(k, 3), mod(i, 2), mod(k, 3), tile(j, 64)), (C, MAT, i, j),
              all((A, BSR, i, k), (B, MAT, k, j)), C += A * B)
SPARSE_KERNEL(times_bsr, (floordiv(i, 2), floordiv(k, 3), mod(i, 2), mod(k, 3), j), (C, MAT, i, j),
              all((A, BSR, i, k), (B, MAT, k, j)), C += A * B)
SPARSE_KERNEL(times_unrolled_bsr, (floordiv(i, 2), floordiv(k, 3), mod(i, 2), unroll(mod(k, 3)), j),
              (C, MAT, i, j), all((A, BSR, i, k), (B, MAT, k, j)), C += A * B)
/* two outputs; the outermost loop */
SPARSE_KERNEL(spread, (k, j), ((y, VEC, j), (C, MAT, k, j)), all((a, SVEC, k), (B, MAT, k, j)),
              y += a * B; C = a + B)
SPARSE_KERNEL(spread_unrolled, (unroll(k), j), ((y, VEC, j), (C, MAT, k, j)), all((a, SVEC, k), (B, MAT, k, j)),
              y += a * B; C = a + B)

/* an output over the unrolled loop: sums side by side */
#define APART(t, T)                                                                                          \
    SPARSE_KERNEL(sampled_rolled_##t, (i, k, tile(j, 64)), update(S, T, i, k),                               \
                  all((A, MAT, i, j), (B, MAT, k, j)), S += A * B)                                           \
    SPARSE_KERNEL(sampled_##t, (i, k, j), update(S, T, i, k), all((A, MAT, i, j), (B, MAT, k, j)), S += A * B) \
    SPARSE_KERNEL(sampled_unrolled_##t, (i, unroll(k), j), update(S, T, i, k),                               \
                  all((A, MAT, i, j), (B, MAT, k, j)), S += A * B)
APART(csr, CSR)
APART(dcsr, DCSR)
APART(cd, CD)
APART(coo, COO)
/* continue ends an iteration, and break those that are left of its own loop, not of those beside it */
#define LEAVING(t, way, loops)                                                                               \
    SPARSE_KERNEL(way##_times_##t, loops, (C, MAT, i, j), all((A, CSR, i, k), (B, MAT, k, j)),               \
                  C += A * B; if (B < 20) way; C += 1)                                                       \
    SPARSE_KERNEL(way##_sampled_##t, loops, update(S, CSR, i, k), all((A, MAT, i, j), (B, MAT, k, j)),       \
                  S += A * B; if (B < 20) way; S += 1)
LEAVING(rolled, continue, (i, k, tile(j, 64)))
LEAVING(plain, continue, (i, k, j))
LEAVING(unrolled, continue, (i, unroll(k), j))
LEAVING(rolled, break, (i, k, tile(j, 64)))
LEAVING(plain, break, (i, k, j))
LEAVING(unrolled, break, (i, unroll(k), j))
/* rows of a result that are dense, below ones that are assembled; all, and where a row wants to be there */
#define DENSE_ROWS(t, loops)                                                                                 \
    SPARSE_KERNEL(rows_##t, loops, (C, CD, i, j), all((A, CSR, i, k), (B, MAT, k, j)), C += A * B)           \
    SPARSE_KERNEL(some_##t, loops, (C, CD, i, j), all((A, CSR, i, k), (B, MAT, k, j)),                       \
                  if (B < 5) continue; C += A * B; has_C = B > 60)
/* below entries that a workspace gathers, as the sum over k is around them */
#define BANKS banks, ((i, l, j), (dense, i), (compressed, l), (dense, j)), double, 32, 32
SPARSE_TENSOR(BANKS)
#define GATHERED(t, loops)                                                                                   \
    SPARSE_KERNEL(gathered_##t, loops, (C, BANKS, i, l, j),                                                  \
                  all((A, CSR, i, k), (D, CSR, k, l), (E, MAT, l, m), (B, MAT, m, j)), C += A * D * E * B)
GATHERED(rolled, (i, k, l, m, simd(j)))
GATHERED(plain, (i, k, l, m, j))
GATHERED(unrolled, (i, k, l, unroll(m), j))
DENSE_ROWS(rolled, (i, k, simd(j)))
DENSE_ROWS(plain, (i, k, j))
DENSE_ROWS(unrolled, (i, unroll(k), j))
DENSE_ROWS(ahead, (i, prefetch(k), j))
SPARSE_KERNEL(plain_rows, (i, j), (y, VEC, i), all((B, MAT, i, j), (x, VEC, j)), y += B * x)
SPARSE_KERNEL(plain_rows_unrolled, (unroll(i), j), (y, VEC, i), all((B, MAT, i, j), (x, VEC, j)), y += B * x)

/* break in a loop that merges operands, in all the ways in which it does: what comes after is not visited, in no part of it */
#define ENDING(t, T)                                                                                                        \
    SPARSE_KERNEL(ending2_##t, (i, j), (y, VEC, i), any((A, T, i, j), (B, CSR, i, j)), if (A + B > limit) break; y += 3 * A + B) \
    SPARSE_KERNEL(ending_both_##t, (i, j), (y, VEC, i), all((A, T, i, j), (B, CSR, i, j)), if (A * B > limit) break; y += A * B) \
    SPARSE_KERNEL(ending3_##t, (i, j), (y, VEC, i), any((A, T, i, j), (B, CSR, i, j), (D, DCSR, i, j)),                    \
                  if (A + B + D > limit) break; y += 5 * A + 3 * B + D)                                                     \
    SPARSE_KERNEL(ending_within_##t, (i, j), (y, VEC, i), all(any((A, T, i, j), (B, CSR, i, j)), (x, VEC, j)),              \
                  if ((A + B) * x > limit) break; if (A > B) continue; y += (3 * A + B) * x)                                \
    SPARSE_KERNEL(ending_sum_##t, (i, j), (C, CSR, i, j), any((A, T, i, j), (B, CSR, i, j)), if (A + B > limit) break; C = 3 * A + B)
static double limit;
ENDING(csr, CSR)
ENDING(dcsr, DCSR)
ENDING(coo, COO)
ENDING(cd, CD)
SPARSE_KERNEL(ending_slice, (i, j), (y, VEC, i), any(slice(A, CSR, i, j), (B, CSR, i, j)), if (A + B > limit) break; y += 3 * A + B)

/* Where (A + B + D) * x is more than the limit, or A * B, its row ends. */
static void check_ending(const vec *y, const double *a, const double *b, const double *d, const double *x, const size_t *dim, int what)
{
    for (size_t i = 0; i < dim[0]; i++) {
        double sum = 0;
        for (size_t j = 0; j < dim[1]; j++) {
            const size_t n = i * dim[1] + j;
            const double D = what == 3 ? d[n] : 0, by = what == 1 ? x[j] : 1;
            if ((what == 0 ? a[n] * b[n] : (a[n] + b[n] + D) * by) > limit) break;
            if (what == 1 && a[n] > b[n]) continue;
            sum += (what == 0 ? a[n] * b[n] : what == 3 ? 5 * a[n] + 3 * b[n] + D : 3 * a[n] + b[n]) * by;
        }
        CHECK(same(((const double *)y->t.val.at)[i], sum));
    }
}

static void test_ending(size_t rows, size_t columns, size_t one_in)
{
    static double a[20 * 90], b[20 * 90], d[20 * 90], x[90];
    const size_t dim[] = {rows, columns};
    for (size_t n = 0; n < rows * columns; n++) {
        a[n] = random_below(one_in) ? 0 : (double)(1 + random_below(8));
        b[n] = random_below(one_in) || n % columns < columns / 4 ? 0 : (double)(1 + random_below(8));
        d[n] = random_below(one_in) || n % columns > columns / 2 ? 0 : (double)(1 + random_below(8));
    }
    for (size_t j = 0; j < columns; j++) x[j] = (double)random_below(3);
    csr A1 = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    dcsr D = SPARSE_INIT(dcsr);
    vec X = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    set_up(&A1.t, dim, a);
    set_up(&B.t, dim, b);
    set_up(&D.t, dim, d);
    set_up(&X.t, &dim[1], x);
    y.t.hooks = C.t.hooks = &counting;
#define TRY(type)                                                                                                           \
    {                                                                                                                       \
        type A = SPARSE_INIT(type);                                                                                         \
        A.t.hooks = &counting;                                                                                              \
        CHECK_RESULT(sparse_convert(&A.t, &A1.t), SPARSE_OK);                                                               \
        for (limit = 4; limit < 30; limit += 5) {                                                                           \
            CHECK_RESULT(ending2_##type(&y, &A, &B), SPARSE_OK);                                                            \
            check_ending(&y, a, b, d, x, dim, 2);                                                                           \
            sparse_free(&y.t);                                                                                              \
            CHECK_RESULT(ending_both_##type(&y, &A, &B), SPARSE_OK);                                                        \
            check_ending(&y, a, b, d, x, dim, 0);                                                                           \
            sparse_free(&y.t);                                                                                              \
            CHECK_RESULT(ending3_##type(&y, &A, &B, &D), SPARSE_OK);                                                        \
            check_ending(&y, a, b, d, x, dim, 3);                                                                           \
            sparse_free(&y.t);                                                                                              \
            CHECK_RESULT(ending_within_##type(&y, &A, &B, &X), SPARSE_OK);                                                  \
            check_ending(&y, a, b, d, x, dim, 1);                                                                           \
            sparse_free(&y.t);                                                                                              \
            CHECK_RESULT(ending_sum_##type(&C, &A, &B), SPARSE_OK);                                                         \
            double value[20] = {0};                                                                                         \
            SPARSE_FOREACH(c, &C.t) value[c.dim[0]] += SPARSE_VALUE(c, double);                                             \
            set_up(&y.t, dim, value);                                                                                       \
            check_ending(&y, a, b, d, x, dim, 2);                                                                           \
            sparse_free(&y.t);                                                                                              \
            sparse_free(&C.t);                                                                                              \
        }                                                                                                                   \
        sparse_free(&A.t);                                                                                                  \
    }
    TRY(csr)
    TRY(dcsr)
    TRY(coo)
    TRY(cd)
#undef TRY
    const sparse_slice whole[] = {{0, rows, 1}, {0, columns, 1}};
    limit = 9;
    CHECK_RESULT(ending_slice(&y, &A1, whole, &B), SPARSE_OK);
    check_ending(&y, a, b, d, x, dim, 2);
    sparse_free(&y.t);
    sparse_free(&A1.t);
    sparse_free(&B.t);
    sparse_free(&D.t);
    sparse_free(&X.t);
}

static void test_unroll_with(size_t rows, size_t inner, size_t columns, size_t one_in)
{
    static double a[40 * 40], b[40 * 40];
    const size_t ab[] = {rows, inner}, bc[] = {inner, columns};
    for (size_t n = 0; n < 40 * 40; n++) {
        a[n] = random_below(one_in) ? 0 : (double)(1 + random_below(1000)) / 7;
        b[n] = (double)random_below(1000) / 11;
    }
    csr A1 = SPARSE_INIT(csr);
    mat B = SPARSE_INIT(mat), C = SPARSE_INIT(mat), D = SPARSE_INIT(mat), E = SPARSE_INIT(mat);
    set_up(&A1.t, ab, a);
    set_up(&B.t, bc, b);
    C.t.hooks = D.t.hooks = E.t.hooks = &counting;
#define TRY(type)                                                                                            \
    {                                                                                                        \
        type A = SPARSE_INIT(type);                                                                          \
        A.t.hooks = &counting;                                                                               \
        CHECK_RESULT(sparse_convert(&A.t, &A1.t), SPARSE_OK);                                                \
        CHECK_RESULT(times_rolled_##type(&C, &A, &B), SPARSE_OK);                                            \
        CHECK_RESULT(times_unrolled_##type(&D, &A, &B), SPARSE_OK);                                          \
        CHECK_RESULT(times_##type(&E, &A, &B), SPARSE_OK);                                                   \
        CHECK(same_values(&C.t, &D.t) && same_values(&C.t, &E.t));                                           \
        sparse_free(&A.t);                                                                                   \
        sparse_free(&C.t);                                                                                   \
        sparse_free(&D.t);                                                                                   \
        sparse_free(&E.t);                                                                                   \
    }
    TRY(csr)
    TRY(dcsr)
    TRY(cd)
    TRY(coo)
    TRY(mat)
    TRY(bags)
    TRY(bsr)
#undef TRY
    mat L = SPARSE_INIT(mat);
    const size_t ac[] = {rows, columns};
    set_up(&L.t, ac, b);
#define TRY(type)                                                                                            \
    {                                                                                                        \
        type S = SPARSE_INIT(type), T = SPARSE_INIT(type), U = SPARSE_INIT(type);                            \
        S.t.hooks = T.t.hooks = U.t.hooks = &counting;                                                       \
        CHECK_RESULT(sparse_convert(&S.t, &A1.t), SPARSE_OK);                                                \
        CHECK_RESULT(sparse_convert(&T.t, &A1.t), SPARSE_OK);                                                \
        CHECK_RESULT(sparse_convert(&U.t, &A1.t), SPARSE_OK);                                                \
        CHECK_RESULT(sampled_rolled_##type(&S, &L, &B), SPARSE_OK);                                          \
        CHECK_RESULT(sampled_unrolled_##type(&T, &L, &B), SPARSE_OK);                                        \
        CHECK_RESULT(sampled_##type(&U, &L, &B), SPARSE_OK);                                                 \
        CHECK(same_values(&S.t, &T.t) && same_values(&S.t, &U.t));                                           \
        sparse_free(&S.t);                                                                                   \
        sparse_free(&T.t);                                                                                   \
        sparse_free(&U.t);                                                                                   \
    }
    TRY(csr)
    TRY(dcsr)
    TRY(cd)
    TRY(coo)
#undef TRY
#define TRY(way)                                                                                             \
    {                                                                                                        \
        csr S = SPARSE_INIT(csr), T = SPARSE_INIT(csr), U = SPARSE_INIT(csr);                                \
        S.t.hooks = T.t.hooks = U.t.hooks = &counting;                                                       \
        CHECK_RESULT(sparse_copy(&S.t, &A1.t), SPARSE_OK);                                                   \
        CHECK_RESULT(sparse_copy(&T.t, &A1.t), SPARSE_OK);                                                   \
        CHECK_RESULT(sparse_copy(&U.t, &A1.t), SPARSE_OK);                                                   \
        CHECK_RESULT(way##_sampled_rolled(&S, &L, &B), SPARSE_OK);                                           \
        CHECK_RESULT(way##_sampled_unrolled(&T, &L, &B), SPARSE_OK);                                         \
        CHECK_RESULT(way##_sampled_plain(&U, &L, &B), SPARSE_OK);                                            \
        CHECK(same_values(&S.t, &T.t) && same_values(&S.t, &U.t));                                           \
        CHECK_RESULT(way##_times_rolled(&C, &A1, &B), SPARSE_OK);                                            \
        CHECK_RESULT(way##_times_unrolled(&D, &A1, &B), SPARSE_OK);                                          \
        CHECK_RESULT(way##_times_plain(&E, &A1, &B), SPARSE_OK);                                             \
        CHECK(same_values(&C.t, &D.t) && same_values(&C.t, &E.t));                                           \
        sparse_tensor *const all[] = {&S.t, &T.t, &U.t, &C.t, &D.t, &E.t};                                   \
        for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);                           \
    }
    TRY(continue)
    TRY(break)
#undef TRY
    bool equal;
    cd R = SPARSE_INIT(cd), S = SPARSE_INIT(cd);
    R.t.hooks = S.t.hooks = &counting;
    CHECK_RESULT(times_rolled_csr(&C, &A1, &B), SPARSE_OK);
    CHECK_RESULT(rows_rolled(&R, &A1, &B), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&R.t, &C.t, 0, &equal), SPARSE_OK);
    CHECK(equal);
    sparse_free(&R.t);
    sparse_free(&C.t);
    CHECK_RESULT(some_rolled(&R, &A1, &B), SPARSE_OK);
#define TRY(way)                                                                                             \
    CHECK_RESULT(rows_##way(&S, &A1, &B), SPARSE_OK);                                                        \
    CHECK_RESULT(times_rolled_csr(&C, &A1, &B), SPARSE_OK);                                                  \
    CHECK_RESULT(sparse_equal(&S.t, &C.t, 0, &equal), SPARSE_OK);                                            \
    CHECK(equal);                                                                                            \
    sparse_free(&S.t);                                                                                       \
    sparse_free(&C.t);                                                                                       \
    CHECK_RESULT(some_##way(&S, &A1, &B), SPARSE_OK);                                                        \
    CHECK(same_values(&R.t, &S.t));                                                                          \
    CHECK_RESULT(sparse_equal(&R.t, &S.t, 0, &equal), SPARSE_OK);                                            \
    CHECK(equal);                                                                                            \
    sparse_free(&S.t);
    TRY(plain)
    TRY(unrolled)
    TRY(ahead)
#undef TRY
    sparse_free(&R.t);
    csr At = SPARSE_INIT(csr);
    mat E1 = SPARSE_INIT(mat);
    banks G = SPARSE_INIT(banks), H = SPARSE_INIT(banks), I1 = SPARSE_INIT(banks);
    G.t.hooks = H.t.hooks = I1.t.hooks = &counting;
    static const unsigned turned[] = {1, 0};
    CHECK_RESULT(sparse_transpose(&At.t, &A1.t, turned), SPARSE_OK);
    set_up(&E1.t, ab, a);
    CHECK_RESULT(gathered_rolled(&G, &A1, &At, &E1, &B), SPARSE_OK);
    CHECK_RESULT(gathered_plain(&H, &A1, &At, &E1, &B), SPARSE_OK);
    CHECK_RESULT(gathered_unrolled(&I1, &A1, &At, &E1, &B), SPARSE_OK);
    CHECK(same_values(&G.t, &H.t) && same_values(&G.t, &I1.t));
    CHECK_RESULT(sparse_equal(&G.t, &H.t, 0, &equal), SPARSE_OK);
    CHECK(equal);
    sparse_tensor *const made[] = {&At.t, &E1.t, &G.t, &H.t, &I1.t};
    for (size_t n = 0; n < sizeof made / sizeof *made; n++) sparse_free(made[n]);
    svec s = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec), z = SPARSE_INIT(vec), x = SPARSE_INIT(vec);
    y.t.hooks = z.t.hooks = &counting;
    set_up(&x.t, &bc[1], a);
    CHECK_RESULT(plain_rows(&y, &B, &x), SPARSE_OK);
    CHECK_RESULT(plain_rows_unrolled(&z, &B, &x), SPARSE_OK);
    CHECK(same_values(&y.t, &z.t));
    sparse_free(&x.t);
    sparse_free(&y.t);
    sparse_free(&z.t);
    sparse_free(&L.t);
    set_up(&s.t, bc, a);
    y.t.hooks = z.t.hooks = &counting;
    CHECK_RESULT(spread(&y, &C, &s, &B), SPARSE_OK);
    CHECK_RESULT(spread_unrolled(&z, &D, &s, &B), SPARSE_OK);
    CHECK(same_values(&C.t, &D.t) && same_values(&y.t, &z.t));
    sparse_tensor *const all[] = {&A1.t, &B.t, &C.t, &D.t, &s.t, &y.t, &z.t};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static void test_unroll(void)
{
    static const size_t sizes[] = {0, 1, 3, 4, 5, 17, 40};
    for (size_t n = 0; n < 7; n++)
        for (size_t m = 0; m < 7; m++)
            for (size_t one_in = 1; one_in < 9; one_in *= 2) test_unroll_with(6, sizes[n], sizes[m], one_in);
}

/* >>tiles: the same results, sums in the same order where the tiles are of the index that is not summed, for tiles
   that fill the dimension, that do not, and that are larger than it; with every other strategy around and inside */
SPARSE_KERNEL(whole, (i, k, j), (C, MAT, i, j), all((A, CSR, i, k), (E, MAT, k, j)), C += A * E)
SPARSE_KERNEL(tiled, (i, k, tile(j, 4)), (C, MAT, i, j), all((A, CSR, i, k), (E, MAT, k, j)), C += A * E)
SPARSE_KERNEL(tiled_by_threads, (parallel(i), k, tile(j, 4)), (C, MAT, i, j), all((A, CSR, i, k), (E, MAT, k, j)), C += A * E)
SPARSE_KERNEL(tiled_unrolled, (i, unroll(k), tile(j, 4)), (C, MAT, i, j), all((A, CSR, i, k), (E, MAT, k, j)), C += A * E)
SPARSE_KERNEL(tiled_rows, (tile(i, 3), k, tile(j, 4)), (C, MAT, i, j), all((A, CSR, i, k), (E, MAT, k, j)), C += A * E)
SPARSE_KERNEL(tiled_sum, (tile(k, 4), i), (s, double), all((E, MAT, k, i)), s += E)
SPARSE_KERNEL(tiled_follower, (tile(k, 4), i), (y, VEC, i), all((E, MAT, k, i), none((u, SVEC, k))), y += E)
SPARSE_KERNEL(follower, (k, i), (y, VEC, i), all((E, MAT, k, i), none((u, SVEC, k))), y += E)
SPARSE_KERNEL(tiled_by, (tile(k, step), i), (s, double), all((E, MAT, k, i), (step, size_t)), s += E)
SPARSE_KERNEL(tiled_by_none, (tile(k, 0), i), (s, double), all((E, MAT, k, i)), s += E)
SPARSE_KERNEL(tiled_workspace, (i, tile(j, 4)), from(0, C, MAT, i, j),
              all(where((w, VEC, j), (k, j), all((A, CSR, i, k), (E, MAT, k, j)), w += A * E)), C = w)

static void test_tiles_with(size_t rows, size_t inner, size_t columns)
{
    const size_t of_a[] = {rows, inner}, of_b[] = {inner, columns};
    double *a = (double *)malloc(((rows + 1) * inner + 1) * sizeof *a), *b = (double *)malloc((inner * columns + 1) * sizeof *b), sum = 0, all = 0;
    for (size_t k = 0; k < (rows + 1) * inner; k++) a[k] = random_below(3) ? 0 : 1 / (1 + (double)random_below(9));
    for (size_t k = 0; k < inner * columns; k++) all += b[k] = 1 + (double)random_below(9);
    csr A = SPARSE_INIT(csr);
    mat E = SPARSE_INIT(mat), C = SPARSE_INIT(mat), D = SPARSE_INIT(mat);
    vec y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    svec u = SPARSE_INIT(svec);
    set_up(&A.t, of_a, a), set_up(&E.t, of_b, b), set_up(&u.t, &inner, a);
    CHECK_RESULT(whole(&C, &A, &E), SPARSE_OK);
#define TRY(kernel)                                                                                          \
    CHECK_RESULT(kernel(&D, &A, &E), SPARSE_OK);                                                             \
    CHECK(rows * columns == 0 || holds(&D.t, (const double *)C.t.val.at));                                   \
    sparse_free(&D.t);
    TRY(tiled)
    TRY(tiled_by_threads)
    TRY(tiled_unrolled)
    TRY(tiled_rows)
    TRY(tiled_workspace)
#undef TRY
    CHECK_RESULT(tiled_sum(&sum, &E), SPARSE_OK);
    CHECK(!(sum < all) && !(sum > all));
    CHECK_RESULT(tiled_by(&sum, &E, 0), SPARSE_E_ARGUMENT);
    CHECK_RESULT(tiled_by_none(&sum, &E), SPARSE_E_ARGUMENT);
    for (size_t step = 1; step <= 3; step += 2) {
        sum = 0;
        CHECK_RESULT(tiled_by(&sum, &E, step), SPARSE_OK);
        CHECK(!(sum < all) && !(sum > all));
    }
    if (rows > 0) {
        CHECK_RESULT(follower(&y, &E, &u), SPARSE_OK);
        CHECK_RESULT(tiled_follower(&z, &E, &u), SPARSE_OK);
        CHECK(columns == 0 || holds(&z.t, (const double *)y.t.val.at));
    }
    sparse_free(&A.t), sparse_free(&E.t), sparse_free(&C.t), sparse_free(&y.t), sparse_free(&z.t), sparse_free(&u.t);
    free(a), free(b);
}

static void test_tiles(void)
{
    static const size_t sizes[] = {0, 1, 3, 4, 5, 8, 11};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        for (size_t m = 0; m < sizeof sizes / sizeof *sizes; m++) test_tiles_with(5, sizes[n], sizes[m]);
    test_tiles_with(0, 5, 5);
}

/* >>prefetch: the same results to the bit, whatever the shape: rows that are shorter than the way it looks ahead, empty
   rows at the end, nothing at all; through every encoding that can drive a loop */
#define AHEAD(t, T)                                                                                          \
    SPARSE_KERNEL(product_##t, (i, k, j), (D, CSR, i, j), all((A, T, i, k), (B, CSR, k, j)), D += A * B)     \
    SPARSE_KERNEL(product_ahead_##t, (i, prefetch(k), j), (D, CSR, i, j), all((A, T, i, k), (B, CSR, k, j)), \
                  D += A * B)                                                                                \
    SPARSE_KERNEL(vectors_##t, (i, k), ((y, VEC, i), (z, VEC, k)), all((A, T, i, k), (x, VEC, k)),           \
                  y += A * x; z += A)                                                                        \
    SPARSE_KERNEL(vectors_ahead_##t, (i, prefetch(k)), ((y, VEC, i), (z, VEC, k)),                           \
                  all((A, T, i, k), (x, VEC, k)), y += A * x; z += A)                                        \
    SPARSE_KERNEL(spread_##t, (i, k, j), (C, MAT, i, j), all((A, T, i, k), (E, MAT, k, j)), C += A * E)        \
    SPARSE_KERNEL(spread_ahead_##t, (i, prefetch(k), j), (C, MAT, i, j), all((A, T, i, k), (E, MAT, k, j)), \
                  C += A * E)
AHEAD(csr, CSR)
AHEAD(dcsr, DCSR)
AHEAD(coo, COO)
SPARSE_KERNEL(ahead_by_threads, (parallel(i), prefetch(k), j), (D, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), D += A * B)
/* the outermost loop; the parent of the level is dense below another; slices; a level below that is of slices */
SPARSE_KERNEL(picked, (k, j), (y, VEC, j), all((a, SVEC, k), (B, CSR, k, j)), y += a * B)
SPARSE_KERNEL(picked_ahead, (prefetch(k), j), (y, VEC, j), all((a, SVEC, k), (B, CSR, k, j)), y += a * B)
SPARSE_KERNEL(combined, (k, j), (y, VEC, j), all((a, SVEC, k), (E, MAT, k, j)), y += a * E)
SPARSE_KERNEL(combined_ahead, (prefetch(k), j), (y, VEC, j), all((a, SVEC, k), (E, MAT, k, j)), y += a * E)
SPARSE_KERNEL(summed, (k, j), (z, VEC, k), all((a, SVEC, k), (E, MAT, k, j)), z += a * E)
SPARSE_KERNEL(summed_ahead, (prefetch(k), j), (z, VEC, k), all((a, SVEC, k), (E, MAT, k, j)), z += a * E)
#define DDC ddc, ((i, j, k), (dense, i), (dense, j), (compressed, k)), double, 32, 32
SPARSE_TENSOR(DDC)
SPARSE_KERNEL(planes, (i, j, k), (C, MAT, i, j), all((F, DDC, i, j, k), (x, VEC, k)), C += F * x)
SPARSE_KERNEL(planes_ahead, (i, j, prefetch(k)), (C, MAT, i, j), all((F, DDC, i, j, k), (x, VEC, k)), C += F * x)
SPARSE_KERNEL(part_of, (i, k, j), (D, CSR, i, j), all(slice(A, CSR, i, k), (B, CSR, k, j)), D += A * B)
SPARSE_KERNEL(part_of_ahead, (i, prefetch(k), j), (D, CSR, i, j), all(slice(A, CSR, i, k), (B, CSR, k, j)), D += A * B)

static void same_matrix(const csr *A, const csr *B)
{
    const size_t rows = A->t.dim[0] + 1, entries = A->t.val.length;
    CHECK(B->t.dim[0] + 1 == rows && B->t.val.length == entries);
    CHECK(!memcmp(A->t.pos[1].at, B->t.pos[1].at, rows * sizeof(uint32_t)));
    CHECK(!entries || !memcmp(A->t.crd[1].at, B->t.crd[1].at, entries * sizeof(uint32_t)));
    CHECK(!entries || !memcmp(A->t.val.at, B->t.val.at, entries * sizeof(double)));
}

static void test_prefetch_with(size_t rows, size_t inner, size_t columns, size_t one_in)
{
    const size_t of_a[] = {rows, inner}, of_b[] = {inner, columns}, of_f[] = {rows, 3, inner};
    double *a = (double *)malloc(3 * rows * inner * sizeof *a), *b = (double *)malloc(inner * columns * sizeof *b);
    for (size_t k = 0; k < 3 * rows * inner; k++) a[k] = random_below(one_in) ? 0 : 1 + (double)random_below(9);
    for (size_t k = 0; k < inner * columns; k++) b[k] = random_below(3) ? 0 : 1 / (1 + (double)random_below(9));
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec), y2 = SPARSE_INIT(vec), z2 = SPARSE_INIT(vec);
    svec u = SPARSE_INIT(svec);
    mat E = SPARSE_INIT(mat), C = SPARSE_INIT(mat), C2 = SPARSE_INIT(mat);
    csr B = SPARSE_INIT(csr), D = SPARSE_INIT(csr), D2 = SPARSE_INIT(csr), P = SPARSE_INIT(csr);
    ddc F = SPARSE_INIT(ddc);
    set_up(&B.t, of_b, b), set_up(&E.t, of_b, b), set_up(&x.t, &inner, b), set_up(&u.t, &inner, a);
    set_up(&F.t, of_f, a), set_up(&P.t, of_a, a);
#define TRY(type)                                                                                            \
    {                                                                                                        \
        type A = SPARSE_INIT(type);                                                                          \
        set_up(&A.t, of_a, a);                                                                               \
        CHECK_RESULT(product_##type(&D, &A, &B), SPARSE_OK);                                                 \
        CHECK_RESULT(product_ahead_##type(&D2, &A, &B), SPARSE_OK);                                          \
        same_matrix(&D, &D2);                                                                                \
        CHECK_RESULT(vectors_##type(&y, &z, &A, &x), SPARSE_OK);                                             \
        CHECK_RESULT(vectors_ahead_##type(&y2, &z2, &A, &x), SPARSE_OK);                                     \
        CHECK(holds(&y2.t, (const double *)y.t.val.at) && holds(&z2.t, (const double *)z.t.val.at));         \
        CHECK_RESULT(spread_##type(&C, &A, &E), SPARSE_OK);                                                    \
        CHECK_RESULT(spread_ahead_##type(&C2, &A, &E), SPARSE_OK);                                             \
        CHECK(holds(&C2.t, (const double *)C.t.val.at));                                                     \
        sparse_free(&A.t);                                                                                   \
    }
    TRY(csr)
    TRY(dcsr)
    TRY(coo)
#undef TRY
    sparse_free(&y.t), sparse_free(&y2.t), sparse_free(&C.t), sparse_free(&C2.t);
    CHECK_RESULT(picked(&y, &u, &B), SPARSE_OK);
    CHECK_RESULT(picked_ahead(&y2, &u, &B), SPARSE_OK);
    CHECK(holds(&y2.t, (const double *)y.t.val.at));
    CHECK_RESULT(combined(&y, &u, &E), SPARSE_OK);
    CHECK_RESULT(combined_ahead(&y2, &u, &E), SPARSE_OK);
    CHECK(holds(&y2.t, (const double *)y.t.val.at));
    CHECK_RESULT(summed(&z, &u, &E), SPARSE_OK);
    CHECK_RESULT(summed_ahead(&z2, &u, &E), SPARSE_OK);
    CHECK(holds(&z2.t, (const double *)z.t.val.at));
    CHECK_RESULT(planes(&C, &F, &x), SPARSE_OK);
    CHECK_RESULT(planes_ahead(&C2, &F, &x), SPARSE_OK);
    CHECK(holds(&C2.t, (const double *)C.t.val.at));
    CHECK_RESULT(product_csr(&D, &P, &B), SPARSE_OK);
    CHECK_RESULT(ahead_by_threads(&D2, &P, &B), SPARSE_OK);
    same_matrix(&D, &D2);
    const size_t half = (rows + 1) / 2;
    const sparse_slice slice[] = {{0, half, 2}, {0, inner, 1}};
    CHECK_RESULT(part_of(&D, &P, slice, &B), SPARSE_OK);
    CHECK_RESULT(part_of_ahead(&D2, &P, slice, &B), SPARSE_OK);
    same_matrix(&D, &D2);
    sparse_free(&x.t), sparse_free(&y.t), sparse_free(&z.t), sparse_free(&y2.t), sparse_free(&z2.t), sparse_free(&u.t);
    sparse_free(&E.t), sparse_free(&C.t), sparse_free(&C2.t), sparse_free(&B.t), sparse_free(&D.t), sparse_free(&D2.t);
    sparse_free(&F.t), sparse_free(&P.t);
    free(a), free(b);
}

static void test_prefetch(void)
{
    static const size_t sizes[] = {1, 3, 20, 50};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        for (size_t one_in = 1; one_in < 200; one_in *= 4) test_prefetch_with(7, sizes[n], 5, one_in);
}

/* Batches: none, parts that do not go together, a tensor that was never given a size. */
#define BCSR bcsr, SPARSE_BATCHED_CSR, double, 32, 32
SPARSE_TENSOR(BCSR)
SPARSE_KERNEL(bspmv, (b, i, j), (y, MAT, b, i), all((A, BCSR, b, i, j), (x, MAT, b, j)), y += A * x)

static void test_batches(void)
{
    static const double a[24] = {1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 4};
    static const double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, wanted[6] = {9, 0, 6, 0, 20, 0};
    const size_t n2x3x4[] = {2, 3, 4}, n2x4[] = {2, 4}, n0x3x4[] = {0, 3, 4}, n0x4[] = {0, 4};
    bcsr A = SPARSE_INIT(bcsr), B = SPARSE_INIT(bcsr);
    mat X = SPARSE_INIT(mat), Y = SPARSE_INIT(mat), Z = SPARSE_INIT(mat);
    set_up(&A.t, n2x3x4, a), set_up(&X.t, n2x4, x);
    CHECK_RESULT(bspmv(&Y, &B, &X), SPARSE_E_SHAPE);
    CHECK_RESULT(bspmv(&Y, &A, &X), SPARSE_OK);
    CHECK(holds(&Y.t, wanted));
    A.t.val.length--;
    CHECK_RESULT(bspmv(&Y, &A, &X), SPARSE_E_LENGTH);
    A.t.val.length++;
    A.t.pos[2].length--;
    CHECK_RESULT(bspmv(&Y, &A, &X), SPARSE_E_LENGTH);
    A.t.pos[2].length++;
    CHECK_RESULT(sparse_pack(&B.t, n0x3x4, 0, NULL, NULL, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    sparse_free(&X.t), sparse_free(&Y.t);
    CHECK_RESULT(sparse_allocate_dense(&X.t, n0x4), SPARSE_OK);
    CHECK_RESULT(bspmv(&Z, &B, &X), SPARSE_OK);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&X.t), sparse_free(&Z.t);
}

/* Every other row of the first two columns of A, and the middle of x; slices that do not fit. */
SPARSE_KERNEL(sliced_spmv, (i, j), (y, VEC, i), all(slice(A, CSR, i, j), slice(x, VEC, j)), y += A * x)

static void test_slices(void)
{
    static const sparse_slice of_x[] = {{1, 2, 1}}, none[] = {{1, 0, 1}}, wide[] = {{1, 2, 3}};
    static const double wanted[] = {10, 4};
    sparse_slice of_a[] = {{0, 2, 2}, {0, 2, 1}};
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    set_up(&A.t, n3x4, a3x4), set_up(&x.t, n4, x4);
    CHECK_RESULT(sliced_spmv(&y, &A, of_a, &x, of_x), SPARSE_OK);
    CHECK(y.t.dim[0] == 2 && holds(&y.t, wanted));
    CHECK_RESULT(sliced_spmv(&y, &A, NULL, &x, of_x), SPARSE_E_NULL);
    CHECK_RESULT(sliced_spmv(&y, &A, of_a, &x, none), SPARSE_E_ARGUMENT);
    CHECK_RESULT(sliced_spmv(&y, &A, of_a, &x, wide), SPARSE_E_ARGUMENT);
    of_a[1].size = 3;
    CHECK_RESULT(sliced_spmv(&y, &A, of_a, &x, of_x), SPARSE_E_SHAPE);
    CHECK(holds(&y.t, wanted));
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t);
}

/* Y = A X over every second row and every third column of A, with loops that are unrolled: an entry between them has
   a lane that is left out. */
SPARSE_KERNEL(unrolled_slice, (i, unroll(k), j), (Y, MAT, i, j), all(slice(A, CSR, i, k), (X, MAT, k, j)), Y += A * X)

static void test_unrolled_slices(void)
{
    enum { ROWS = 12, INNER = 31, COLUMNS = 3, HALF = ROWS / 2, THIRD = 10 };
    static const size_t of_a[] = {ROWS, INNER}, of_x[] = {THIRD, COLUMNS};
    static const sparse_slice slice[] = {{1, HALF, 2}, {1, THIRD, 3}};
    double a[ROWS * INNER], x[THIRD * COLUMNS], wanted[HALF * COLUMNS] = {0};
    for (size_t k = 0; k < ROWS * INNER; k++) a[k] = k % (k / INNER + 2) ? (double)(k % 7 + 1) : 0;
    for (size_t k = 0; k < THIRD * COLUMNS; k++) x[k] = (double)(k % 5 + 1);
    for (size_t i = 0; i < HALF; i++)
        for (size_t k = 0; k < THIRD; k++)
            for (size_t j = 0; j < COLUMNS; j++)
                wanted[i * COLUMNS + j] += a[(1 + 2 * i) * INNER + 1 + 3 * k] * x[k * COLUMNS + j];
    csr A = SPARSE_INIT(csr);
    mat X = SPARSE_INIT(mat), Y = SPARSE_INIT(mat);
    set_up(&A.t, of_a, a), set_up(&X.t, of_x, x);
    CHECK_RESULT(unrolled_slice(&Y, &A, slice, &X), SPARSE_OK);
    CHECK(Y.t.dim[0] == HALF && Y.t.dim[1] == COLUMNS && holds(&Y.t, wanted));
    sparse_free(&A.t), sparse_free(&X.t), sparse_free(&Y.t);
}

/* Diagonals, their blocks, slices of rows and of operands: y = A x with loops in parallel and in lanes; rows that
   fill their slices, and rows that do not. */
#define DIA dia, SPARSE_DIA, double, 32, 32
#define ELL ell, SPARSE_ELL(12), double, 32, 32
#define LISTED listed, ((i), (dense, floordiv(i, 4)), (compressed, mod(i, 4))), double, 32, 32
SPARSE_TENSOR(LISTED)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(ELL)
SPARSE_KERNEL(rows_csr, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(along_dia, (minus(j, i), parallel(i)), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(sum_dense, (minus(j, i), i), (s, double), all((A, MAT, i, j)), s += A)
SPARSE_KERNEL(blocks_dia, (parallel(floordiv(i, 4)), minus(j, i), mod(i, 4)), (y, VEC, i),
              all((A, DIA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(listed_dia, (floordiv(i, 4), minus(j, i), mod(i, 4)), (y, VEC, i),
              all((A, DIA, i, j), (b, LISTED, i), (x, VEC, j)), y += A * b * x)
SPARSE_KERNEL(sum_dia, (minus(j, i), simd(i)), (s, double), all((A, DIA, i, j), (x, VEC, j)), s += A * x)
SPARSE_KERNEL(beside_dia, (floordiv(k, 4), minus(j, i), i, mod(k, 4)), (s, double), all((A, DIA, i, j), (b, LISTED, k)), s += A * b)
SPARSE_KERNEL(slices_ell, (count(i, 12), parallel(i), j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(rows_ell, (parallel(i), count(i, 12), j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(all_of_csr, (parallel(i), simd(j)), (y, VEC, i), all(slice(A, CSR, i, j), slice(x, VEC, j)), y += A * x)

static void test_derived(bool full)
{
    enum { ROWS = 21, COLUMNS = 30 };
    const size_t dim[] = {ROWS, COLUMNS}, columns[] = {COLUMNS};
    const sparse_slice of_a[] = {{0, ROWS, 1}, {0, COLUMNS, 1}}, of_x[] = {{0, COLUMNS, 1}};
    double a[ROWS * COLUMNS], b[COLUMNS], sum = 0, wanted_sum = 0;
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        const size_t i = k / COLUMNS, j = k % COLUMNS; /* 12 entries a row; in every third, unless full, 8 */
        a[k] = (i + j) % 5 < 2 && (full || i % 3 || j < 20) ? (double)(k % 5 + 1) : 0;
    }
    for (size_t k = 0; k < COLUMNS; k++) b[k] = (double)(k % 6);
    csr A = SPARSE_INIT(csr);
    dia D = SPARSE_INIT(dia);
    ell E = SPARSE_INIT(ell);
    vec x = SPARSE_INIT(vec), w = SPARSE_INIT(vec);
    set_up(&A.t, dim, a), set_up(&D.t, dim, a), set_up(&E.t, dim, a), set_up(&x.t, columns, b);
    CHECK((E.t.pos[2].length == E.t.val.length + 1) == full);
    CHECK_RESULT(rows_csr(&w, &A, &x), SPARSE_OK);
    const double *const wanted = (const double *)w.t.val.at;
    for (unsigned n = 0; n < 5; n++) {
        vec y = SPARSE_INIT(vec);
        CHECK_RESULT(n == 0   ? along_dia(&y, &D, &x)
                     : n == 1 ? blocks_dia(&y, &D, &x)
                     : n == 2 ? slices_ell(&y, &E, &x)
                     : n == 3 ? rows_ell(&y, &E, &x)
                              : all_of_csr(&y, &A, of_a, &x, of_x),
                     SPARSE_OK);
        CHECK(y.t.val.length == ROWS && holds(&y.t, wanted));
        sparse_free(&y.t);
    }
    CHECK_RESULT(sum_dia(&sum, &D, &x), SPARSE_OK);
    for (size_t k = 0; k < ROWS; k++) wanted_sum += wanted[k];
    CHECK(same(sum, wanted_sum));
    /* rows of a list, some of which a diagonal does not have */
    double rows[ROWS], scaled[ROWS];
    for (size_t k = 0; k < ROWS; k++) rows[k] = k % 7 == 3 ? 0 : (double)(k + 1), scaled[k] = rows[k] * wanted[k];
    listed L = SPARSE_INIT(listed);
    vec y = SPARSE_INIT(vec);
    set_up(&L.t, dim, rows);
    CHECK_RESULT(listed_dia(&y, &D, &L, &x), SPARSE_OK);
    CHECK(holds(&y.t, scaled));
    /* the parts of an index that no diagonal has */
    double all_of_rows = 0, all_of_a = 0;
    for (size_t k = 0; k < ROWS; k++) all_of_rows += rows[k];
    for (size_t k = 0; k < ROWS * COLUMNS; k++) all_of_a += a[k];
    sum = 0;
    CHECK_RESULT(beside_dia(&sum, &D, &L), SPARSE_OK);
    CHECK(same(sum, all_of_a * all_of_rows));
    /* all diagonals of a matrix that stores none of them, the first and the last too */
    mat B = SPARSE_INIT(mat);
    sum = all_of_a = 0;
    for (size_t k = 0; k < ROWS * COLUMNS; k++) all_of_a += a[k] = (double)(k + 1);
    set_up(&B.t, dim, a);
    CHECK_RESULT(sum_dense(&sum, &B), SPARSE_OK);
    CHECK(same(sum, all_of_a));
    sparse_free(&B.t);
    sparse_free(&L.t), sparse_free(&y.t);
    sparse_free(&A.t), sparse_free(&D.t), sparse_free(&E.t), sparse_free(&x.t), sparse_free(&w.t);
}

/* >>presence: what a statement is told of A and B wherever it runs: where it comes by, has_A, has_B and both values */
typedef double *sums;
#define TOLD s[0]++, s[1] += has_A, s[2] += has_B, s[3] += A, s[4] += B, s[5] += has_s, n++
#define PRESENCE(t, T)                                                                                       \
    SPARSE_KERNEL(both_of_##t, (i, j), (n, double), all((s, sums), (A, T, i, j), (B, T, i, j)), TOLD)        \
    SPARSE_KERNEL(one_of_##t, (i, j), (n, double), all((s, sums), (A, T, i, j), none((B, T, i, j))), TOLD)   \
    SPARSE_KERNEL(none_of_##t, (i, j), (n, double), all((s, sums), none((A, T, i, j), (B, T, i, j))), TOLD)  \
    SPARSE_KERNEL(not_both_of_##t, (i, j), (n, double), all((s, sums), none(all((A, T, i, j), (B, T, i, j)))), TOLD) \
    SPARSE_KERNEL(unless_##t, (i, j), (n, double), all((s, sums), any((A, T, i, j), none((B, T, i, j)))), TOLD)
PRESENCE(csr, CSR)
PRESENCE(dcsr, DCSR)
PRESENCE(cd, CD)
PRESENCE(mat, MAT)
#define TELLS(type, in_rows)                                                                                 \
    for (unsigned n = 0; n < 5; n++) {                                                                       \
        type A = SPARSE_INIT(type), B = SPARSE_INIT(type);                                                   \
        double told[6] = {0}, count = 0;                                                                     \
        set_up(&A.t, dim, a), set_up(&B.t, dim, b);                                                          \
        CHECK_RESULT(n == 0   ? both_of_##type(&count, told, &A, &B)                                         \
                     : n == 1 ? one_of_##type(&count, told, &A, &B)                                          \
                     : n == 2 ? none_of_##type(&count, told, &A, &B)                                         \
                     : n == 3 ? not_both_of_##type(&count, told, &A, &B)                                     \
                              : unless_##type(&count, told, &A, &B),                                         \
                     SPARSE_OK);                                                                             \
        CHECK(tells(n, in_rows, a, b, told) && same(count, told[0]));                                        \
        sparse_free(&A.t), sparse_free(&B.t);                                                                \
    }

enum { TOLD_ROWS = 9, TOLD_COLUMNS = 7 };
/* is the entry at k stored: if it is not zero, if its row is not, or in any case */
static bool is_stored(const double *values, size_t k, unsigned in_rows)
{
    const size_t begin = in_rows ? k - k % TOLD_COLUMNS : k, end = in_rows ? begin + TOLD_COLUMNS : k + 1;
    for (size_t at = begin; at < end; at++)
        if (values[at] > 0) return true;
    return in_rows == 2;
}
static bool tells(unsigned n, unsigned in_rows, const double *a, const double *b, const double *told)
{
    double wanted[6] = {0};
    for (size_t k = 0; k < TOLD_ROWS * TOLD_COLUMNS; k++) {
        const bool has_a = is_stored(a, k, in_rows), has_b = is_stored(b, k, in_rows);
        if (!(n == 0   ? has_a && has_b
              : n == 1 ? has_a && !has_b
              : n == 2 ? !has_a && !has_b
              : n == 3 ? !(has_a && has_b)
                       : has_a || !has_b))
            continue;
        wanted[0]++, wanted[1] += has_a, wanted[2] += has_b, wanted[3] += a[k], wanted[4] += b[k], wanted[5]++;
    }
    for (unsigned k = 0; k < 6; k++)
        if (!same(told[k], wanted[k])) return false;
    return true;
}

static void test_presence(void)
{
    static const size_t dim[] = {TOLD_ROWS, TOLD_COLUMNS};
    double a[TOLD_ROWS * TOLD_COLUMNS], b[TOLD_ROWS * TOLD_COLUMNS];
    for (size_t k = 0; k < TOLD_ROWS * TOLD_COLUMNS; k++) {
        const size_t row = k / TOLD_COLUMNS;
        a[k] = row % 4 != 1 && k % 3 != 0 ? (double)(k % 8 + 1) : 0;
        b[k] = row % 5 != 2 && k % 4 < 2 ? (double)(k % 6 + 1) : 0;
    }
    TELLS(csr, 0)
    TELLS(dcsr, 0)
    TELLS(cd, 1)
    TELLS(mat, 2)
}

/* Outputs of a list that begin with values of their own: dense, assembled, and scalar; in place and assembled. */
SPARSE_KERNEL(begun, (i), (from(4, y, VEC, i), (z, VEC, i), from(1, product, double)), all((a, SVEC, i)),
              y += a; z += a; product *= a)
SPARSE_KERNEL(begun_anew, (i), ((sum, double), from(7, b, SVEC, i), from(-1, y, VEC, i)), all((a, SVEC, i)),
              sum += a; b += a; y -= a)

static void test_lists_of_outputs(void)
{
    static const double a4[] = {0, 2, 0, 3}, y4[] = {4, 6, 4, 7}, b4[] = {0, 9, 0, 10}, less4[] = {-1, -3, -1, -4};
    vec y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    svec a = SPARSE_INIT(svec), b = SPARSE_INIT(svec);
    double product = 5, sum = 1;
    set_up(&a.t, n4, a4);
    CHECK_RESULT(begun(&y, &z, &product, &a), SPARSE_OK);
    CHECK(holds(&y.t, y4) && same(product, 6));
    SPARSE_FOREACH(c, &z.t) CHECK(same(SPARSE_VALUE(c, double), a4[c.dim[0]]));
    CHECK_RESULT(begun_anew(&sum, &b, &y, &a), SPARSE_OK);
    CHECK(same(sum, 6) && holds(&y.t, less4) && b.t.val.length == 2);
    SPARSE_FOREACH(c, &b.t) CHECK(same(SPARSE_VALUE(c, double), b4[c.dim[0]]));
    sparse_free(&a.t), sparse_free(&b.t), sparse_free(&y.t), sparse_free(&z.t);
}

/* A statement that returns ends the kernel with its result, in place and assembled; a workspace is freed. */
SPARSE_KERNEL(no_negative, (i, j), (y, VEC, i), all((A, CSR, i, j)),
              if (A < 0) return SPARSE_E_ARGUMENT;
              y += A)
SPARSE_KERNEL(no_negative_row, (i, j), (B, CSR, i, j),
              all(where((w, VEC, j), (j), all((A, CSR, i, j)), w = A), (C, CSR, i, j)),
              if (w < 0) return SPARSE_E_ARGUMENT;
              B = w + C)

static void test_returns(void)
{
    double values[] = {5, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 3};
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
        vec y = SPARSE_INIT(vec);
        if (wrong) values[8] = -2;
        set_up(&A.t, n3x4, values), B.t.hooks = &counting, y.t.hooks = &counting;
        CHECK_RESULT(no_negative(&y, &A), wrong ? SPARSE_E_ARGUMENT : SPARSE_OK);
        CHECK_RESULT(no_negative_row(&B, &A, &A), wrong ? SPARSE_E_ARGUMENT : SPARSE_OK);
        CHECK(B.t.val.length == (wrong ? 0 : 4));
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&y.t);
    }
}

/* lists of coordinates whose segments are short and long: of each slice and each plane, how many entries there are */
#define LIST3 list3, SPARSE_COO_3D, double, 32, 8
#define LIST4                                                                                                               \
    list4,                                                                                                                  \
        ((i, j, k, l), (compressed(nonunique), i), (singleton(nonunique), j), (singleton(nonunique), k), (singleton, l)),   \
        double, 32, 32
SPARSE_TENSOR(LIST3)
SPARSE_TENSOR(LIST4)
SPARSE_KERNEL(list3_slices, (i, j, k), (y, VEC, i), all((A, LIST3, i, j, k)), y += A)
SPARSE_KERNEL(list4_planes, (i, j, k, l), (Y, MAT, i, j), all((A, LIST4, i, j, k, l)), Y += A)
SPARSE_KERNEL(list4_slices, (i, j, k, l), (y, VEC, i), all((A, LIST4, i, j, k, l)), if (l == 2) break; y += A)
enum { SEGMENTS = 4, SEGMENT = 240 };
static void test_segments(size_t length)
{
    static size_t at3[SEGMENTS * SEGMENT * 3], at4[SEGMENTS * SEGMENT * 4];
    static double value[SEGMENTS * SEGMENT];
    const size_t wanted[SEGMENTS] = {length, 1, SEGMENT, length}, dim3[] = {SEGMENTS, 80, 3}, dim4[] = {SEGMENTS, 2, 80, 3};
    size_t n = 0;
    for (size_t i = 0; i < SEGMENTS; i++)
        for (size_t e = 0; e < wanted[i]; e++, n++) {
            at3[3 * n] = i, at3[3 * n + 1] = e / 3, at3[3 * n + 2] = e % 3;
            at4[4 * n] = i, at4[4 * n + 1] = e % 5 == 0, at4[4 * n + 2] = e / 3, at4[4 * n + 3] = e % 3;
            value[n] = 1;
        }
    list3 A = SPARSE_INIT(list3);
    list4 B = SPARSE_INIT(list4);
    vec y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    mat Y = SPARSE_INIT(mat);
    CHECK_RESULT(sparse_pack(&A.t, dim3, n, at3, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_pack(&B.t, dim4, n, at4, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(list3_slices(&y, &A), SPARSE_OK);
    CHECK_RESULT(list4_slices(&z, &B), SPARSE_OK);
    CHECK_RESULT(list4_planes(&Y, &B), SPARSE_OK);
    for (size_t i = 0; i < SEGMENTS; i++) {
        const size_t fifth = (wanted[i] + 4) / 5, third = wanted[i] / 3;
        CHECK((size_t)((const double *)y.t.val.at)[i] == wanted[i]);
        CHECK((size_t)((const double *)z.t.val.at)[i] == wanted[i] - third);
        CHECK((size_t)((const double *)Y.t.val.at)[2 * i + 1] == fifth);
        CHECK((size_t)((const double *)Y.t.val.at)[2 * i] == wanted[i] - fifth);
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&y.t), sparse_free(&z.t), sparse_free(&Y.t);
}

int main(void)
{
    test_complex();
    test_batches();
    test_slices();
    test_unrolled_slices();
    test_derived(true);
    test_derived(false);
    test_struct();
    test_statements();
    test_outputs();
    test_errors();
    test_no_memory();
    test_limits();
    test_far();
    for (int threads = 1; threads <= 4; threads++) test_parallel_with(threads);
    test_threads();
    for (size_t length = 0; length < 40; length++) test_simd_with(length);
    test_simd_infinity();
    test_cost();
    test_lists();
    for (size_t one_in = 1; one_in < 9; one_in *= 2)
        for (size_t columns = 1; columns <= 90; columns += 1 + columns / 2) test_ending(20, columns, one_in);
    test_unroll();
    test_tiles();
    test_prefetch();
    test_presence();
    for (size_t length = 1; length <= SEGMENT; length++) test_segments(length);
    test_lists_of_outputs();
    test_returns();
    printf("test_kernels: %lu passed, %lu failed, %lu skipped\n", passed, failed, skipped);
    return failed != 0;
}
