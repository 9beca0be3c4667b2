/* test_strategies.c: the strategy words parallel, simd, unroll, tile and prefetch: a kernel with a word gives the results
   of the kernel without it.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#include "kernels.h"

/* >>strategies: parallel loops give the bits of sequential loops, with any number of threads; simd loops add in another
   order */
#define F32V f32v, SPARSE_DENSE_1D, float, 16, 16
#define I32M i32m, SPARSE_CSR, int32_t, 16, 16
SPARSE_TENSOR(F32V)
SPARSE_TENSOR(I32M)

/* parallel_sum: the bits do not depend on the number of threads */
SPARSE_KERNEL(shares_of_dense, (parallel_sum(i)), from(0.5, s, double), all((x, VEC, i), (y, VEC, i)), s += x / y)
SPARSE_KERNEL(shares_of_sparse, (parallel_sum(i)), (s, float), all((a, SVEC, i), (b, SVEC, i)), s -= (float)(a / b))
SPARSE_KERNEL(shares_of_two, (parallel_sum(i), j), ((s, double), (n, int32_t)), all((A, DCSR, i, j), (x, VEC, j)),
              s += A / x; n += 1)
SPARSE_KERNEL(shares_of_rows, (parallel_sum(i)), (s, double),
              all((x, VEC, i), where((row, double), (j), all((A, CSR, i, j)), row += A)), s += row / x)
SPARSE_KERNEL(shares_of_tiles, (parallel_sum(i), tile(j, 3)), (s, double), all((A, MAT, i, j), (x, VEC, i)), s += A / x)

/* a kernel with plain loops, and with loops that have strategy words */
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
BOTH_WAYS(assembled_lanes, (i, j), (i, simd(j)), (c, SVEC, i), all((A, CSR, i, j)), c += A)
BOTH_WAYS(summed_lanes, (i, j, k), (i, j, simd(k)), update(A, CSR, i, j), all((B, MAT, i, k), (C, MAT, j, k)), A += B * C)
BOTH_WAYS(tiled_lanes, (i, j, k), (i, j, tile(k, 5)), update(A, CSR, i, j), all((B, MAT, i, k), (C, MAT, j, k)), A += B * C)
BOTH_WAYS(wide_tiles, (i, j, k), (i, j, tile(k, 5)), (C, MAT, i, k), all((A, CSR, i, j), (B, MAT, j, k)), C += A * B)
BOTH_WAYS(written_lanes, (i, j, k), (i, j, simd(k)), (C, MAT, i, k), all((A, CSR, i, j), (B, MAT, j, k)), C += A * B)
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

/* Runs both kernels of BOTH_WAYS, into u and v, and checks that these are equal. */
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

/* the sums of test_parallel_sums_with(), on one thread */
static struct {
    double dense, two, rows, tiles;
    float sparse;
} alone;
static void test_parallel_sums_with(int threads)
{
    enum { LENGTH = 600 };
    const size_t n[] = {LENGTH}, square[] = {LENGTH, 8};
    const double begins = 0.5;
    double rows[LENGTH] = {0}, dense = begins, sparse = 2, two = 3, entries = 4, of_rows = 5;
    double s = 0, t = 3, r = 5, u = 5;
    float f = 2;
    int32_t count = 4;
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    svec a = SPARSE_INIT(svec), b = SPARSE_INIT(svec);
    csr A = SPARSE_INIT(csr);
    dcsr B = SPARSE_INIT(dcsr);
    mat M = SPARSE_INIT(mat);
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
    snprintf(subject, sizeof subject, "sums, %d threads", threads);
    double xs[LENGTH], ys[LENGTH], sparsely[LENGTH], cells[LENGTH * 8];
    for (size_t i = 0; i < LENGTH; i++) xs[i] = 1 + (double)(i % 7) / 3, ys[i] = 3 + (double)(i % 5) / 7, sparsely[i] = i % 4 ? 0 : 1. / 3;
    for (size_t k = 0; k < LENGTH * 8; k++) cells[k] = k % 3 || k / 8 % 5 == 0 ? 0 : 1 + (double)(k % 11) / 9;
    set_up(&x.t, n, xs), set_up(&y.t, n, ys), set_up(&a.t, n, sparsely), set_up(&b.t, n, xs);
    const size_t n8[] = {8};
    set_up(&z.t, n8, xs), set_up(&A.t, square, cells), set_up(&B.t, square, cells), set_up(&M.t, square, cells);
    for (size_t i = 0; i < LENGTH; i++) dense += xs[i] / ys[i], sparse -= sparsely[i] / xs[i];
    for (size_t k = 0; k < LENGTH * 8; k++) two += cells[k] / xs[k % 8], entries += cells[k] > 0, rows[k / 8] += cells[k];
    for (size_t i = 0; i < LENGTH; i++) of_rows += rows[i] / xs[i];
    CHECK_RESULT(shares_of_dense(&s, &x, &y), SPARSE_OK);
    CHECK_RESULT(shares_of_sparse(&f, &a, &b), SPARSE_OK);
    CHECK_RESULT(shares_of_two(&t, &count, &B, &z), SPARSE_OK);
    CHECK_RESULT(shares_of_rows(&r, &x, &A), SPARSE_OK);
    CHECK_RESULT(shares_of_tiles(&u, &M, &x), SPARSE_OK);
    CHECK(s > dense - 1e-9 && s < dense + 1e-9 && t > two - 1e-9 && t < two + 1e-9 && r > of_rows - 1e-9 && r < of_rows + 1e-9);
    CHECK((double)f > sparse - 1e-3 && (double)f < sparse + 1e-3 && same(count, entries));
    CHECK(u > of_rows - 1e-9 && u < of_rows + 1e-9);
    if (threads == 1) alone.dense = s, alone.sparse = f, alone.two = t, alone.rows = r, alone.tiles = u;
    CHECK(same(s, alone.dense) && same((double)f, (double)alone.sparse) && same(t, alone.two) &&
          same(r, alone.rows) && same(u, alone.tiles));
    sparse_free(&x.t), sparse_free(&y.t), sparse_free(&z.t), sparse_free(&a.t), sparse_free(&b.t);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&M.t);
    CHECK(books.live == 0);
}

/* Rows of all lengths up to a few vector registers. */
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
    CHECK_RESULT(sparse_pack_dense_untyped(&f.t, n, floats), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&M.t, n5xn, integers), SPARSE_OK);
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

/* simd and tile on the innermost loop, where the loop around it is unrolled by default: rows of all lengths. */
static void test_inner_words(size_t length)
{
    const size_t n5x5[] = {5, 5}, n5xn[] = {5, length};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    svec a = SPARSE_INIT(svec), b = SPARSE_INIT(svec);
    mat X = SPARSE_INIT(mat), Y = SPARSE_INIT(mat), U = SPARSE_INIT(mat), V = SPARSE_INIT(mat);
    snprintf(subject, sizeof subject, "length %zu", length);
    set_up_random(&A.t, n5x5, 2, false);
    set_up_random(&X.t, n5xn, 1, false);
    set_up_random(&Y.t, n5xn, 1, false);
    CHECK_RESULT(sparse_copy(&B.t, &A.t), SPARSE_OK);
    CHECK_BOTH_WAYS(summed_lanes, A, B, &X, &Y);
    CHECK_BOTH_WAYS(tiled_lanes, A, B, &X, &Y);
    CHECK_BOTH_WAYS(written_lanes, U, V, &A, &X);
    CHECK_BOTH_WAYS(assembled_lanes, a, b, &A);
    CHECK_BOTH_WAYS(wide_tiles, U, V, &A, &X);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&X.t), sparse_free(&Y.t), sparse_free(&U.t), sparse_free(&V.t);
    sparse_free(&a.t), sparse_free(&b.t);
    CHECK(books.live == 0);
}

/* simd permits only reassociation: infinities and NaN are still right. */
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

/* Are the iterations really distributed over threads? Each waits, for at most ten seconds, until four have arrived. */
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

/* >>unroll: sums are added in the same order, so the results have the bits of loops that are not unrolled. The reference
   loops have tile(j, 64), one tile, as plain loops over one operand and all coordinates are unrolled by default. */
#define BAGS bags, ((i, j), (dense, i), (compressed(nonunique, nonordered), j)), double, 32, 32
#define BSR  bsr, SPARSE_BSR(2, 3), double, 32, 32
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

/* an output with the index of the unrolled loop: several sums at once */
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
/* continue ends one iteration; break ends the remaining iterations of its own loop, not of the loops unrolled with it */
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
/* dense rows below an assembled level: all rows, and rows chosen by has_C */
#define DENSE_ROWS(t, loops)                                                                                 \
    SPARSE_KERNEL(rows_##t, loops, (C, CD, i, j), all((A, CSR, i, k), (B, MAT, k, j)), C += A * B)           \
    SPARSE_KERNEL(some_##t, loops, (C, CD, i, j), all((A, CSR, i, k), (B, MAT, k, j)),                       \
                  if (B < 5) continue; C += A * B; has_C = B > 60)
/* dense rows below entries that a workspace collects, as the loop over the summed index k is outside */
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

/* Lanes hold their sums as float, and round them to 16 bits once, as the rows behind the last four do. The rows that a
   level stores are lanes, too. */
#define HALVES halves, SPARSE_DENSE_1D, sparse_bf16, 32, 32
SPARSE_TENSOR(HALVES)
SPARSE_KERNEL(halves_of_rows, (i, j), (y, HALVES, i), all((B, MAT, i, j), (x, VEC, j)), y += (float)(B * x))
SPARSE_KERNEL(halves_of_stored, (i, j), (y, HALVES, i), all((B, CD, i, j), (x, VEC, j)), y += (float)(B * x))
SPARSE_KERNEL(sums_of_stored, (i, j), (y, VEC, i), all((B, CD, i, j), (x, VEC, j)), y += B * x)

static void test_sums_of_lanes(size_t rows, size_t columns)
{
    static double b[40 * 40], x_of[40];
    const size_t dim[] = {rows, columns};
    for (size_t n = 0; n < rows * columns; n++) b[n] = n / columns % 7 == 2 ? 0 : (double)(1 + random_below(1000)) / 7;
    for (size_t n = 0; n < columns; n++) x_of[n] = (double)random_below(1000) / 11;
    mat B = SPARSE_INIT(mat);
    cd S = SPARSE_INIT(cd);
    vec x = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    halves y[2] = {SPARSE_INIT(halves), SPARSE_INIT(halves)};
    set_up(&B.t, dim, b);
    set_up(&S.t, dim, b);
    set_up(&x.t, &dim[1], x_of);
    CHECK_RESULT(halves_of_rows(&y[0], &B, &x), SPARSE_OK);
    CHECK_RESULT(halves_of_stored(&y[1], &S, &x), SPARSE_OK);
    CHECK_RESULT(sums_of_stored(&z, &S, &x), SPARSE_OK);
    for (size_t i = 0; i < rows; i++) {
        float half = 0;
        double sum = 0;
        for (size_t j = 0; j < columns; j++) {
            half += (float)(b[i * columns + j] * x_of[j]);
            sum += b[i * columns + j] * x_of[j];
        }
        for (size_t n = 0; n < 2; n++)
            CHECK(((const sparse_bf16 *)y[n].t.val.at)[i].bits == sparse_bf16_of_float(half).bits);
        CHECK(((const double *)z.t.val.at)[i] == sum);
    }
    sparse_tensor *const all[] = {&B.t, &S.t, &x.t, &z.t, &y[0].t, &y[1].t};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);
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
    for (size_t rows = 0; rows < 40; rows += 3)
        for (size_t columns = 0; columns < 40; columns += 13) test_sums_of_lanes(rows, columns);
    static const size_t sizes[] = {0, 1, 3, 4, 5, 17, 40};
    for (size_t n = 0; n < 7; n++)
        for (size_t m = 0; m < 7; m++)
            for (size_t one_in = 1; one_in < 9; one_in *= 2) test_unroll_with(6, sizes[n], sizes[m], one_in);
}

/* >>tiles: equal results; if the tiled index is not summed, the sums are added in the same order. Tiles divide the
   dimension, do not divide it, or are larger; with every other strategy word outside and inside */
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

/* >>prefetch: results with equal bits for all shapes: rows shorter than the prefetch distance, empty rows at the end, no
   entry; over every encoding that can drive a loop */
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
                  C += A * E)                                                                                \
    FOUND(found_##t, k, T)                                                                                   \
    FOUND(found_ahead_##t, prefetch(k), T)
/* prefetched elements whose index let() computes: in a row, in a column, whole rows, and below both an outer and an inner
   index */
#define FOUND(name, stored, ...)                                                                             \
    SPARSE_KERNEL(name, (i, stored, range(p, 3), let(u, k + 1 - p, 60)), ((C, MAT, i, u), (z, VEC, u)),      \
                  all((A, __VA_ARGS__, i, k), (x, VEC, k)), C += A * x; z += A)                              \
    SPARSE_KERNEL(name##_rows, (i, stored, let(u, k / 2), j), (C, MAT, i, j),                                \
                  all((A, __VA_ARGS__, i, k), (E, MAT, u, j)), C += A * E)                                   \
    SPARSE_KERNEL(name##_columns, (i, stored, let(u, k + 3, 60)), (C, MAT, u, i),                            \
                  all((A, __VA_ARGS__, i, k)), C += A)                                                       \
    SPARSE_KERNEL(name##_twice, (i, stored, range(p, 2), let(u, k + p, 60), range(q, 2), let(w, i + q, 9)),  \
                  (C, MAT, u, w), all((A, __VA_ARGS__, i, k)), C += A)
AHEAD(csr, CSR)
AHEAD(dcsr, DCSR)
AHEAD(coo, COO)
/* in blocks, of which the last pass the edge: elements, rows, and the first row of each block */
#define BLOCKS blocks, SPARSE_BSR(2, 3), double, 32, 32
SPARSE_TENSOR(BLOCKS)
#define IN_BLOCKS(name, columns)                                                                             \
    SPARSE_KERNEL(vectors_##name, (floordiv(i, 2), columns, mod(i, 2), mod(k, 3)), ((y, VEC, i), (z, VEC, k)), \
                  all((A, BLOCKS, i, k), (x, VEC, k)), y += A * x; z += A)                                   \
    SPARSE_KERNEL(spread_##name, (floordiv(i, 2), columns, mod(i, 2), mod(k, 3), j), (C, MAT, i, j),         \
                  all((A, BLOCKS, i, k), (E, MAT, k, j)), C += A * E)                                        \
    SPARSE_KERNEL(picked_##name, (floordiv(i, 2), columns, mod(i, 2), mod(k, 3), j), (C, MAT, i, j),         \
                  all((A, BLOCKS, i, k), (B, CSR, k, j)), C += A * B)
IN_BLOCKS(blocks, floordiv(k, 3))
IN_BLOCKS(ahead_blocks, prefetch(floordiv(k, 3)))
SPARSE_KERNEL(ahead_by_threads, (parallel(i), prefetch(k), j), (D, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), D += A * B)
/* prefetch on the outermost loop; with a dense parent level below another one; with slices, and levels below slices */
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
/* two loops prefetch around one let(); a workspace that holds a stored row as an array, of a tensor and of a slice, which is
   cleared entry by entry */
SPARSE_KERNEL(found_by_two, (i, k, j, let(u, j + 1, 9)), (z, VEC, u), all((A, CSR, i, k), (B, CSR, k, j)), z += A * B)
SPARSE_KERNEL(found_by_two_ahead, (i, prefetch(k), prefetch(j), let(u, j + 1, 9)), (z, VEC, u), all((A, CSR, i, k), (B, CSR, k, j)),
              z += A * B)
SPARSE_KERNEL(marked, (i, k, j), (C, MAT, i, j),
              all((A, CSR, i, k), (U, CSR, k, j), where((w, VEC, j), (j), all((M, CSR, i, j)), w = M)), C += A * U * w)
SPARSE_KERNEL(marked_by_part, (i, k, j), (C, MAT, i, j),
              all((A, CSR, i, k), (U, CSR, k, j), where((w, VEC, j), (j), all(slice(M, CSR, i, j)), w = M)), C += A * U * w)

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
    vec v = SPARSE_INIT(vec), v2 = SPARSE_INIT(vec);
    svec u = SPARSE_INIT(svec);
    mat E = SPARSE_INIT(mat), C = SPARSE_INIT(mat), C2 = SPARSE_INIT(mat);
    csr B = SPARSE_INIT(csr), D = SPARSE_INIT(csr), D2 = SPARSE_INIT(csr), P = SPARSE_INIT(csr);
    ddc F = SPARSE_INIT(ddc);
    set_up(&B.t, of_b, b), set_up(&E.t, of_b, b), set_up(&x.t, &inner, b), set_up(&u.t, &inner, a);
    set_up(&F.t, of_f, a), set_up(&P.t, of_a, a);
#define ALIKE(type, A)                                                                                       \
    CHECK_RESULT(vectors_##type(&y, &z, A, &x), SPARSE_OK);                                                  \
    CHECK_RESULT(vectors_ahead_##type(&y2, &z2, A, &x), SPARSE_OK);                                          \
    CHECK(holds(&y2.t, (const double *)y.t.val.at) && holds(&z2.t, (const double *)z.t.val.at));             \
    CHECK_RESULT(spread_##type(&C, A, &E), SPARSE_OK);                                                       \
    CHECK_RESULT(spread_ahead_##type(&C2, A, &E), SPARSE_OK);                                                \
    CHECK(holds(&C2.t, (const double *)C.t.val.at));
#define FOUND_ALIKE(type, what, ...)                                                                         \
    sparse_free(&C.t), sparse_free(&C2.t);                                                                   \
    CHECK_RESULT(found_##type##_##what(&C, __VA_ARGS__), SPARSE_OK);                                         \
    CHECK_RESULT(found_ahead_##type##_##what(&C2, __VA_ARGS__), SPARSE_OK);                                  \
    CHECK(holds(&C2.t, (const double *)C.t.val.at));                                                         \
    sparse_free(&C.t), sparse_free(&C2.t);
#define TRY(type)                                                                                            \
    {                                                                                                        \
        type A = SPARSE_INIT(type);                                                                          \
        set_up(&A.t, of_a, a);                                                                               \
        CHECK_RESULT(product_##type(&D, &A, &B), SPARSE_OK);                                                 \
        CHECK_RESULT(product_ahead_##type(&D2, &A, &B), SPARSE_OK);                                          \
        same_matrix(&D, &D2);                                                                                \
        ALIKE(type, &A)                                                                                      \
        sparse_free(&C.t), sparse_free(&C2.t), sparse_free(&v.t), sparse_free(&v2.t);                        \
        CHECK_RESULT(found_##type(&C, &v, &A, &x), SPARSE_OK);                                               \
        CHECK_RESULT(found_ahead_##type(&C2, &v2, &A, &x), SPARSE_OK);                                       \
        CHECK(holds(&C2.t, (const double *)C.t.val.at) && holds(&v2.t, (const double *)v.t.val.at));         \
        FOUND_ALIKE(type, rows, &A, &E)                                                                      \
        FOUND_ALIKE(type, columns, &A)                                                                       \
        FOUND_ALIKE(type, twice, &A)                                                                         \
        sparse_free(&A.t);                                                                                   \
    }
    TRY(csr)
    TRY(dcsr)
    TRY(coo)
#undef TRY
    blocks K = SPARSE_INIT(blocks);
    set_up(&K.t, of_a, a);
    ALIKE(blocks, &K)
#undef ALIKE
#undef FOUND_ALIKE
    CHECK_RESULT(picked_blocks(&C, &K, &B), SPARSE_OK);
    CHECK_RESULT(picked_ahead_blocks(&C2, &K, &B), SPARSE_OK);
    CHECK(holds(&C2.t, (const double *)C.t.val.at));
    sparse_free(&K.t);
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
    sparse_free(&z.t), sparse_free(&z2.t), sparse_free(&C.t), sparse_free(&C2.t);
    CHECK_RESULT(found_by_two(&z, &P, &B), SPARSE_OK);
    CHECK_RESULT(found_by_two_ahead(&z2, &P, &B), SPARSE_OK);
    CHECK(holds(&z2.t, (const double *)z.t.val.at));
    const sparse_slice whole[] = {{0, rows, 1}, {0, columns, 1}};
    CHECK_RESULT(marked(&C, &P, &B, &D), SPARSE_OK);
    CHECK_RESULT(marked_by_part(&C2, &P, &B, &D, whole), SPARSE_OK);
    CHECK(holds(&C2.t, (const double *)C.t.val.at));
    const size_t half = (rows + 1) / 2;
    const sparse_slice slice[] = {{0, half, 2}, {0, inner, 1}};
    CHECK_RESULT(part_of(&D, &P, slice, &B), SPARSE_OK);
    CHECK_RESULT(part_of_ahead(&D2, &P, slice, &B), SPARSE_OK);
    same_matrix(&D, &D2);
    sparse_free(&x.t), sparse_free(&y.t), sparse_free(&z.t), sparse_free(&y2.t), sparse_free(&z2.t), sparse_free(&u.t);
    sparse_free(&E.t), sparse_free(&C.t), sparse_free(&C2.t), sparse_free(&B.t), sparse_free(&D.t), sparse_free(&D2.t);
    sparse_free(&F.t), sparse_free(&P.t), sparse_free(&v.t), sparse_free(&v2.t);
    free(a), free(b);
}

/* prefetched rows, together with a bitmap that is read at a sum */
#define BITS bits, ((i), (bitmap, i)), double, 32, 32
SPARSE_TENSOR(BITS)
BOTH_WAYS(padded_bits, (i, let(u, i - 1, 4), j), (prefetch(i), let(u, i - 1, 4), j), (y, VEC, i),
          all((A, DCSR, i, j), (B, MAT, j, i), any(padded(b, BITS, plus(u, i)), (x, VEC, i))), y += A * B * (1 + b) * x)

static void test_padded_bits(void)
{
    dcsr A = SPARSE_INIT(dcsr);
    mat B = SPARSE_INIT(mat);
    bits b = SPARSE_INIT(bits);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    static const double a4x4[] = {1, 0, 2, 0, 0, 3, 0, 4, 0, 0, 5, 0, 6, 0, 0, 7}, b4[] = {0, 2, 0, 3};
    set_up(&A.t, n4x4, a4x4), set_up(&B.t, n4x4, a4x4), set_up(&b.t, n4, b4), set_up(&x.t, n4, x4);
    CHECK_BOTH_WAYS(padded_bits, y, z, &A, &B, &b, &x);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&b.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&z.t);
}

static void test_prefetch(void)
{
    test_padded_bits();
    static const size_t sizes[] = {1, 3, 20, 50};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        for (size_t one_in = 1; one_in < 200; one_in *= 4) test_prefetch_with(7, sizes[n], 5, one_in);
}

/* Y = A X over every second row and every third column of A, with unrolled loops: iterations for entries outside the slice
   are skipped. */
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

/* y = A x with parallel and simd loops over diagonals, blocks of diagonals, ELL and slices; ELL rows that are full, and
   rows that are not. */
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
        const size_t i = k / COLUMNS, j = k % COLUMNS; /* 12 entries in a row; unless full, 8 in every third */
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
    /* rows listed in a sparse vector; not every diagonal has all of them */
    double rows[ROWS], scaled[ROWS];
    for (size_t k = 0; k < ROWS; k++) rows[k] = k % 7 == 3 ? 0 : (double)(k + 1), scaled[k] = rows[k] * wanted[k];
    listed L = SPARSE_INIT(listed);
    vec y = SPARSE_INIT(vec);
    set_up(&L.t, dim, rows);
    CHECK_RESULT(listed_dia(&y, &D, &L, &x), SPARSE_OK);
    CHECK(holds(&y.t, scaled));
    /* parts of an index that no diagonal reaches */
    double all_of_rows = 0, all_of_a = 0;
    for (size_t k = 0; k < ROWS; k++) all_of_rows += rows[k];
    for (size_t k = 0; k < ROWS * COLUMNS; k++) all_of_a += a[k];
    sum = 0;
    CHECK_RESULT(beside_dia(&sum, &D, &L), SPARSE_OK);
    CHECK(same(sum, all_of_a * all_of_rows));
    /* a loop over all diagonals of a dense matrix, including the first and the last */
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

int main(void)
{
    test_unrolled_slices();
    test_derived(true);
    test_derived(false);
    for (int threads = 1; threads <= 4; threads++) test_parallel_with(threads), test_parallel_sums_with(threads);
    test_threads();
    for (size_t length = 0; length < 40; length++) test_simd_with(length);
    for (size_t length = 0; length < 20; length++) test_inner_words(length);
    test_simd_infinity();
    test_unroll();
    test_tiles();
    test_prefetch();
    return report("test_strategies");
}
