/* test_kernels.c: the features of a kernel line, and the errors for wrong operands. The loops over all encodings are tested
   by generate_kernels.c.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#define _DEFAULT_SOURCE /* mmap, mprotect, sigaction */
#include "kernels.h"
#if defined(__unix__)
    #include <signal.h>
    #include <sys/mman.h>
    #include <unistd.h>
#endif

static unsigned long skipped;

/* >>values: complex numbers, and a user-defined struct */
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
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, n2x2, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&p.t, n2, x), SPARSE_OK);
    CHECK_RESULT(spmv64(&y, &A, &p), SPARSE_OK);
    CHECK(memcmp(y.t.val.at, wanted, sizeof wanted) == 0);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, n2x2, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&q.t, n2, u), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&r.t, n2, v), SPARSE_OK);
    memcpy(&s, parts, sizeof s);
    CHECK_RESULT(dot128(&s, &B, &q, &r), SPARSE_OK); /* -3i + (1+2i)(2-i) + -i * 5i */
    memcpy(parts, &s, sizeof s);
    CHECK(same(parts[0], 4 + 5) && same(parts[1], 3 - 3));
    sparse_free(&A.t), sparse_free(&p.t), sparse_free(&y.t), sparse_free(&B.t), sparse_free(&q.t),
        sparse_free(&r.t);
}

/* shortest paths over (min, +): a length, and the previous vertex */
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
    CHECK_RESULT(sparse_pack_untyped(&v.t, n3, 2, at, p, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&w.t, n3, 1, at + 1, p, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
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
    CHECK_RESULT(spmv(&zeroed, &A, &x), SPARSE_OK); /* a zeroed tensor is accepted as an output */
    CHECK(zeroed.t.encoding == &vec_encoding && holds(&zeroed.t, once));
    CHECK_RESULT(sparse_validate(&zeroed.t, NULL), SPARSE_OK);
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&zeroed.t), sparse_free(&zeroed.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* >>errors: every error leaves all operands unchanged */
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

/* Checks that the call has the given result and leaves t unchanged. */
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

    /* adjacent arrays of values are accepted, arrays that share a single value are refused */
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

    /* tensors whose header contradicts their arrays */
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

    /* a dense output that alone gives an index its size is allocated if its size is set */
    mat sized = SPARSE_INIT(mat);
    CHECK_REFUSED(fill_up(&sized, 4), SPARSE_E_UNSIZED, &sized.t);
    CHECK_RESULT(sparse_resize_dims(&sized.t, n3x4), SPARSE_OK);
    CHECK_RESULT(fill_up(&sized, 4), SPARSE_OK);
    for (size_t k = 0; k < 12; k++) CHECK(same(mat_values(&sized)[k], (double)k));
    sparse_free(&sized.t);

    /* an equal encoding with another name is accepted */
    sparse_encoding copy = csr_encoding;
    copy.name = "copy";
    other = A;
    other.t.encoding = &copy;
    CHECK_RESULT(spmv(&y, &other, &x), SPARSE_OK);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&u.t),
        sparse_free(&wrong.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Outputs that cannot be allocated: no memory leaks, and the output can be freed and used again. */
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
    CHECK_RESULT(sparse_pack_untyped(&a.t, huge, 1, at, one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&b.t, square_root, 1, at, one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(outer(&C, &b, &b), SPARSE_E_OVERFLOW); /* the number of values overflows */
    CHECK_RESULT(outer(&C, &a, &b), SPARSE_E_OVERFLOW); /* the number of bytes overflows */
    const size_t bytes[] = {half / 8};
    CHECK_RESULT(sparse_pack_untyped(&a.t, bytes, 1, at, one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(outer(&C, &a, &b), SPARSE_E_MEMORY); /* too many bytes for an array */
    CHECK(C.t.val.at == NULL && C.t.dim[0] == 0 && books.live == 0);
    sparse_free(&C.t), sparse_free(&a.t), sparse_free(&b.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* >>limits: 8 loops, 8 levels, 16 operands, over the scenes of oracle.h */
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
                  (E, DCSR, m, n), (F, CSR, n, o), (G, DCSR, o, p), (v, VEC, p), (w, SVEC, k), (x, VEC, l), (y, SVEC, m),
                  (z, VEC, n), (alpha, double), (beta, double)),
              s += u * A * B * C * D * E * F * G * v * w * x * y * z * alpha + beta;
              visit(i, j, k, l, m, n, o, p))
SPARSE_KERNEL(union15, (i), (s, SVEC, i),
              any((a, SVEC, i), (b, SVEC, i), (c, SVEC, i), (d, SVEC, i), (e, SVEC, i),
                  all((f, SVEC, i), (g, VEC, i), (h, SVEC, i)), (j, SVEC, i), (k, SVEC, i),
                  all((l, SVEC, i), any((m, SVEC, i), (n, SVEC, i), (o, SVEC, i), (p, SVEC, i)))),
              s = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f * g * h + 7 * j + 8 * k + 9 * l * (m + n + o + p);
              visit(i, 0, 0, 0, 0, 0, 0, 0))

SPARSE_KERNEL(multiples, (i),
              ((a, double), (b, double), (c, double), (d, double), (e, double), (f, double), (g, double), (h, double),
               (j, double), (k, double), (l, double), from(2, m, double), (n, double), (o, double), (p, double)),
              all((x, VEC, i)),
              a += x; b += 2 * x; c += 3 * x; d += 4 * x; e += 5 * x; f += 6 * x; g += 7 * x; h += 8 * x; j += 9 * x;
              k += 10 * x; l += 11 * x; m += 12 * x; n += 13 * x; o += 14 * x; p += 15 * x)

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
                 (const vec *)t[9], (const svec *)t[10], (const vec *)t[11], (const svec *)t[12], (const vec *)t[13],
                 s[14], s[15]);
}
static bool chain_is(double *out, const double *value, const bool *has, const size_t *index)
{
    double product = 1;
    (void)index;
    for (size_t n = 1; n <= 14; n++) product *= value[n];
    for (size_t n = 1; n <= 14; n++)
        if (!has[n]) return false;
    *out += product + value[15];
    return true;
}
static sparse_result run_union15(sparse_tensor *const *t, double *scalar)
{
    const svec *v[16];
    (void)scalar;
    for (size_t n = 1; n < 16; n++) v[n] = (const svec *)t[n];
    return union15((svec *)t[0], v[1], v[2], v[3], v[4], v[5], v[6], (const vec *)t[7], v[8], v[9], v[10], v[11], v[12], v[13],
                   v[14], v[15]);
}
static bool union15_is(double *out, const double *value, const bool *has, const size_t *index)
{
    static const double weight[16] = {0, 1, 2, 3, 4, 5, 0, 0, 0, 7, 8};
    bool live = (has[6] && has[7] && has[8]) || (has[11] && (has[12] || has[13] || has[14] || has[15]));
    double sum = 6 * value[6] * value[7] * value[8] + 9 * value[11] * (value[12] + value[13] + value[14] + value[15]);
    (void)index;
    for (size_t n = 1; n <= 10; n++) live = live || (weight[n] > 0 && has[n]), sum += weight[n] * value[n];
    if (live) *out = sum;
    return live;
}

/* no tensor: loops over ranges, and numbers as operands */
SPARSE_KERNEL(no_tensor, (range(i, n), range(j, 3)), (s, double), all((n, size_t), (a, double)), s += a * (double)(i + j))
static void test_no_tensor(void)
{
    double s = 1;
    CHECK_RESULT(no_tensor(&s, 4, 2), SPARSE_OK);
    CHECK(s >= 61 && s <= 61);
    CHECK_RESULT(no_tensor(&s, 0, 2), SPARSE_OK);
    CHECK(s >= 61 && s <= 61);
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
        {"chain", "ijklmnop", false, 16,
         {{NULL, "", false}, {&svec_encoding, "i", false}, {&csr_encoding, "ij", false}, {&dcsr_encoding, "jk", false}, {&csr_encoding, "kl", false},
          {&mat_encoding, "lm", false}, {&dcsr_encoding, "mn", false}, {&csr_encoding, "no", false}, {&dcsr_encoding, "op", false},
          {&vec_encoding, "p", false}, {&svec_encoding, "k", false}, {&vec_encoding, "l", false}, {&svec_encoding, "m", false},
          {&vec_encoding, "n", false}, {NULL, "", false}, {NULL, "", false}},
         run_chain, chain_is},
        {"union15", "i", false, 16,
         {{&svec_encoding, "i", false}, {&svec_encoding, "i", false}, {&svec_encoding, "i", false}, {&svec_encoding, "i", false},
          {&svec_encoding, "i", false}, {&svec_encoding, "i", false}, {&svec_encoding, "i", false}, {&vec_encoding, "i", false},
          {&svec_encoding, "i", false}, {&svec_encoding, "i", false}, {&svec_encoding, "i", false}, {&svec_encoding, "i", false},
          {&svec_encoding, "i", false}, {&svec_encoding, "i", false}, {&svec_encoding, "i", false}, {&svec_encoding, "i", false}},
         run_union15, union15_is},
    };
    /* clang-format on */
    for (size_t turn = 0; turn < 5; turn++) try_kernels(kernels, sizeof kernels / sizeof *kernels);
    vec x = SPARSE_INIT(vec);
    double sum[15] = {0};
    set_up(&x.t, n4, x4);
    CHECK_RESULT(multiples(&sum[0], &sum[1], &sum[2], &sum[3], &sum[4], &sum[5], &sum[6], &sum[7], &sum[8], &sum[9], &sum[10], &sum[11],
                        &sum[12], &sum[13], &sum[14], &x),
                 SPARSE_OK);
    for (size_t n = 0; n < 15; n++) CHECK(same(sum[n], 10 * (double)(n + 1) + (n == 11 ? 2 : 0)));
    sparse_free(&x.t);
}

/* Coordinates beyond 32 bits that differ only in their upper halves. */
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
    CHECK_RESULT(sparse_pack_untyped(&u.t, n, 3, at, a, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&v.t, n, 2, bt, b, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
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

/* >>cost: a kernel reads only a few pages of a vector with ten million entries if the other operand has one entry. The
   arrays are in protected pages; the handler counts each page that is touched, and unprotects it. */
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

    /* Checks that the call touches few pages. */
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
    CHECK_RESULT(sparse_pack_untyped(&tiny.t, n, 1, at, one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
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

/* >>lists: kernels over sparse vectors that are long, of very different lengths, or have runs, compared with dense arrays;
   coordinates of all widths */
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
/* Fills x with runs of nonzeros and of zeros, of random lengths up to `stored` and `absent`; only zeros from `end` on. */
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

/* break in every kind of loop that merges operands: no part of the merge visits later coordinates */
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

/* Checks y: a row ends where A * B (what = 0), or (A + B + D) * x, is greater than the limit. */
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

/* Batches: none at all, inconsistent parts, a tensor whose sizes were never set. */
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
    CHECK_RESULT(sparse_pack_untyped(&B.t, n0x3x4, 0, NULL, NULL, SPARSE_DUPLICATES_SUM), SPARSE_OK);
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
    CHECK_RESULT(sliced_spmv(&y, &A, of_a, &x, none), SPARSE_E_SHAPE); /* an empty slice has another size */
    CHECK_RESULT(sliced_spmv(&y, &A, of_a, &x, wide), SPARSE_E_ARGUMENT);
    of_a[1].size = 3;
    CHECK_RESULT(sliced_spmv(&y, &A, of_a, &x, of_x), SPARSE_E_SHAPE);
    CHECK(holds(&y.t, wanted));
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t);
}

/* >>presence: where the statement runs, and its has_A, has_B and values of A and B there */
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
/* is element k stored? in_rows 0: if it is not zero; 1: if its row is not zero; 2: always */
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

/* Several outputs, of which some have initial values: dense, assembled and scalar ones. */
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

/* A return in the statement ends the kernel with that result, for dense and assembled outputs; workspaces are freed. */
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

/* COO tensors with short and long segments of equal first coordinates: the number of entries in each slice and plane */
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
    CHECK_RESULT(sparse_pack_untyped(&A.t, dim3, n, at3, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&B.t, dim4, n, at4, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
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

/* After a failed kernel or sparse_assemble, sparse_explain returns this sentence; otherwise it returns the
   sparse_message. */
#define CHECK_EXPLAINED(call, sentence)                                                                      \
    do {                                                                                                     \
        const sparse_result explained = (call);                                                              \
        CHECK(strcmp(sparse_explain(explained), sentence) == 0);                                             \
        if (strcmp(sparse_explain(explained), sentence) != 0) puts(sparse_explain(explained));               \
    } while (0)
#define CUBE cube, SPARSE_DENSE_3D, double, 32, 32
SPARSE_TENSOR(CUBE)
SPARSE_KERNEL(explain_spread, (i, j), (y, VEC, j), all((x, VEC, i)), y += x)
SPARSE_KERNEL(explain_range, (range(i, 7), j), (y, VEC, i), all((A, CSR, i, j)), y += A)
SPARSE_KERNEL(explain_cube, (i, j, k), (y, VEC, i), all((T, CUBE, i, j, k), (x, VEC, k)), y += T * x)
SPARSE_KERNEL(explain_sum, (i, p), (y, VEC, i), all((x, VEC, plus(i, p)), (w, VEC, p)), y += x * w)
SPARSE_KERNEL(explain_below, (i), (y, VEC, i), all((x, VEC, plus(i, (-1)))), y += x)
SPARSE_KERNEL(explain_padded, (i, p), (y, VEC, i), all(padded(x, VEC, plus(times(2, i), p, (-1))), (w, VEC, p)),
              y += x * w)

static void test_explained(void)
{
    static const double values[90] = {1, 2, 3, 4, 5, 6, 7, 8};
    static double written[5];
    static const size_t dim[] = {2, 4}, ninety = 90, five = 5, box[] = {2, 2, 2};
    static const int64_t wide[] = {0, 1};
    static const uint32_t starts[] = {0, 1, 2}, backwards[] = {1, 0};
    static const float single[] = {1, 2};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    csc C = SPARSE_INIT(csc);
    cube T = SPARSE_INIT(cube);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), blank = SPARSE_INIT(vec);
    sparse_arrays a;
    memset(&a, 0, sizeof a);
    CHECK_RESULT(csr_pack_dense(&A, dim, values), SPARSE_OK);
    CHECK_RESULT(csc_pack_dense(&C, dim, values), SPARSE_OK);
    CHECK_RESULT(cube_pack_dense(&T, box, values), SPARSE_OK);
    CHECK_RESULT(vec_borrow(&x, &ninety, values), SPARSE_OK);
    CHECK_EXPLAINED(spmv(&blank, &A, &x), "spmv: x has 90 rows, A has 4 columns (index j)");
    CHECK_RESULT(vec_borrow(&x, &dim[1], values), SPARSE_OK);
    CHECK_RESULT(vec_borrow(&y, &five, written), SPARSE_OK);
    CHECK_EXPLAINED(spmv(&y, &A, &x), "spmv: A has 2 rows, y has 5 rows (index i)");
    CHECK_EXPLAINED(explain_sum(&y, &x, &x), "explain_sum: x has 4 rows, its sum of indices needs 8");
    CHECK_EXPLAINED(explain_below(&y, &x), "explain_below: x has 4 rows, its sum of indices begins below 0: use padded");
    CHECK_EXPLAINED(explain_padded(&blank, &x, &x),
                    "explain_padded: x has a sum with an index whose size no operand tells: resize the output first (index i)");
    CHECK_EXPLAINED(explain_cube(&blank, &T, &x), "explain_cube: x has 4 rows, T has 2 in dimension 2 (index k)");
    CHECK_EXPLAINED(explain_range(&blank, &A), "explain_range: range(i, ...) has 7 values, A has 2 rows (index i)");
    CHECK_EXPLAINED(explain_spread(&blank, &x),
                    "explain_spread: y: no operand gives an index of the output its size: resize the output first (index j)");
    CHECK_EXPLAINED(spmv(NULL, &A, &x), "spmv: y: a pointer that must not be null is null");
    CHECK_EXPLAINED(spmv(&blank, &B, &x), "spmv: A: the tensor holds no storage: pack, read or assemble it first");
    B.t = C.t;
    CHECK_EXPLAINED(spmv(&blank, &B, &x), "spmv: A is stored as csc, the kernel takes csr");
    CHECK_RESULT(vec_borrow(&y, &dim[0], vec_values(&x)), SPARSE_OK);
    CHECK_EXPLAINED(spmv(&y, &A, &x), "spmv: y shares memory with x");
    CHECK_EXPLAINED(SPARSE_E_MEMORY, "out of memory");
    CHECK_EXPLAINED(SPARSE_OK, "success");
    csr D = SPARSE_INIT(csr);
    static const size_t two[] = {2, 2};
    a.pos[1] = (sparse_array)SPARSE_ARRAY(starts, 3), a.crd[1] = (sparse_array)SPARSE_ARRAY(wide, 2);
    a.val = (sparse_array)SPARSE_ARRAY(values, 2);
    CHECK_EXPLAINED(sparse_assemble(&D.t, two, &a, SPARSE_COPY, NULL),
                    "csr: crd[1] has elements of int64_t, the tensor stores int32_t");
    a.crd[1] = (sparse_array)SPARSE_ARRAY(backwards, 2), a.val = (sparse_array)SPARSE_ARRAY(single, 2);
    CHECK_EXPLAINED(sparse_assemble(&D.t, two, &a, SPARSE_COPY, NULL), "csr: val has elements of float, the tensor stores double");
    a.val = (sparse_array)SPARSE_ARRAY(values, 2), a.pos[1].length = 2, a.crd[1].length = 2;
    CHECK_EXPLAINED(sparse_assemble(&D.t, two, &a, SPARSE_COPY, NULL),
                    "csr: pos[1], element 2: an array has the wrong length for its level");
    sparse_free(&A.t), sparse_free(&C.t), sparse_free(&T.t), sparse_free(&D.t), sparse_free(&y.t), sparse_free(&blank.t);
}

int main(void)
{
    test_explained();
    test_complex();
    test_batches();
    test_slices();
    test_struct();
    test_statements();
    test_outputs();
    test_errors();
    test_no_memory();
    test_no_tensor();
    test_limits();
    test_far();
    test_cost();
    test_lists();
    for (size_t one_in = 1; one_in < 9; one_in *= 2)
        for (size_t columns = 1; columns <= 90; columns += 1 + columns / 2) test_ending(20, columns, one_in);
    test_presence();
    for (size_t length = 1; length <= SEGMENT; length++) test_segments(length);
    test_lists_of_outputs();
    test_returns();
    printf("test_kernels: %lu passed, %lu failed, %lu skipped\n", passed, failed, skipped);
    return failed != 0;
}
