/* test_progress.c: a kernel calls SPARSE_PROGRESS in each iteration of its outermost loop, with the position and the end of
   the loop. It does not change results.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include <stddef.h>

static void progress(size_t at, size_t size);
#define SPARSE_PROGRESS(at, size) progress(at, size)
#include "sparse.h"

#include "oracle.h"

static size_t calls, last, total, mistakes;
static void progress(size_t at, size_t size)
{
    mistakes += at >= size || (calls > 0 && (at <= last || size != total));
    calls++, last = at, total = size;
}

#define CSR  csr, SPARSE_CSR, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define BSR  bsr, SPARSE_BSR(2, 2), double, 32, 32
#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(MAT)
SPARSE_KERNEL(rows, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(few_rows, (i, j), (y, VEC, i), all((A, DCSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(either, (i, j), (y, VEC, i), any((A, DCSR, i, j), (B, DCSR, i, j)), y += A + B)
SPARSE_KERNEL(blocks, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i), all((A, BSR, i, j), (x, VEC, j)),
              y += A * x)
SPARSE_KERNEL(dense, (i, j), (y, VEC, i), all((X, MAT, i, j), (x, VEC, j)), y += X * x)
SPARSE_KERNEL(stored, (i, j), (y, VEC, j), all((a, SVEC, i), (X, MAT, i, j)), y += a * X)
SPARSE_KERNEL(assembled, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(alone, (i), (s, double), all((x, VEC, i)), s += x)

enum { N = 11 };
#ifdef __OPTIMIZE_SIZE__
enum { BY_FOUR = N }; /* no loop is unrolled */
#else
enum { BY_FOUR = N / 4 + N % 4 };
#endif

/* Checks that progress was called `count` times, the last time with `at` and `size`, and that y has the wanted sums. */
static void expect(const char *name, size_t count, size_t at, size_t size, double *y, const double *wanted)
{
    snprintf(subject, sizeof subject, "%s", name);
    CHECK(calls == count);
    CHECK(calls == 0 || (last == at && total == size));
    CHECK(mistakes == 0);
    for (size_t i = 0; i < N; i++) CHECK(y[i] <= wanted[i] && y[i] >= wanted[i]);
    for (size_t i = 0; i < N; i++) y[i] = 0;
    calls = mistakes = 0;
}

int main(void)
{
    const size_t dim[2] = {N, N};
    double full[N * N] = {0}, ones[N], sums[N] = {0}, twice[N], column_sums[N] = {0}, s = 0;
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    dcsr D = SPARSE_INIT(dcsr);
    bsr B = SPARSE_INIT(bsr);
    mat X = SPARSE_INIT(mat);
    svec a = SPARSE_INIT(svec);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    for (size_t i = 0; i < N; i++) ones[i] = 1;
    for (size_t i = 0; i < N; i++) /* rows 0, 3, 6 and 9 have no entry */
        for (size_t j = 0; i % 3 && j < N; j += 2) full[i * N + j] = (double)(i + j);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) sums[i] += full[i * N + j], column_sums[j] += full[i * N + j];
    for (size_t i = 0; i < N; i++) twice[i] = 2 * sums[i];
    CHECK_RESULT(csr_pack_dense(&A, dim, full), SPARSE_OK);
    CHECK_RESULT(dcsr_pack_dense(&D, dim, full), SPARSE_OK);
    CHECK_RESULT(bsr_pack_dense(&B, dim, full), SPARSE_OK);
    CHECK_RESULT(mat_pack_dense(&X, dim, full), SPARSE_OK);
    CHECK_RESULT(vec_pack_dense(&x, dim, ones), SPARSE_OK);
    CHECK_RESULT(svec_pack_dense(&a, dim, ones), SPARSE_OK);
    CHECK_RESULT(rows(&y, &A, &x), SPARSE_OK);
    expect("rows", N, N - 1, N, vec_values(&y), sums);
    CHECK_RESULT(few_rows(&y, &D, &x), SPARSE_OK);
    expect("stored rows", 7, N - 1, N, vec_values(&y), sums);
    CHECK_RESULT(either(&y, &D, &D), SPARSE_OK);
    expect("a union", 7, N - 1, N, vec_values(&y), twice);
    CHECK_RESULT(blocks(&y, &B, &x), SPARSE_OK);
    expect("blocks", (N + 1) / 2, N / 2, (N + 1) / 2, vec_values(&y), sums);
    CHECK_RESULT(dense(&y, &X, &x), SPARSE_OK); /* four rows at a time, then one at a time */
    expect("dense rows", BY_FOUR, N - 1, N, vec_values(&y), sums);
    CHECK_RESULT(stored(&y, &a, &X), SPARSE_OK);
    expect("stored entries", BY_FOUR, N - 1, N, vec_values(&y), column_sums);
    CHECK_RESULT(assembled(&C, &A), SPARSE_OK);
    CHECK(calls == N && last == N - 1 && total == N);
    calls = 0;
    CHECK_RESULT(alone(&s, &x), SPARSE_OK);
    CHECK(calls == 0 && s >= (double)N && s <= (double)N);
    sparse_free(&A.t), sparse_free(&C.t), sparse_free(&D.t), sparse_free(&B.t), sparse_free(&X.t), sparse_free(&a.t);
    sparse_free(&x.t), sparse_free(&y.t);
    printf("test_progress: %lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
