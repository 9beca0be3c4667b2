/* test_symmetric.c: operands that store one triangle, symmetric(), skew() and hermitian(), compared with loops over the full
   matrix: encodings, widths and types; several outputs and dimensions; continue, break, and statements that do not add;
   threads; sizes that do not fit. Values are small integers, so that sums are exact in any order. Entries are drawn on both
   sides of the diagonal; each also stands for its mirror image.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#include "workspaces.h"

#define CSC    csc, SPARSE_CSC, double, 64, 16
#define DCSC   dcsc, SPARSE_DCSC, double, 32, 32
#define SOA    soa, SPARSE_COO_SOA, double, 32, 32
#define BSR    bsr, SPARSE_BSR(2, 2), double, 32, 32
#define DIA    dia, SPARSE_DIA, double, 32, 32
#define ELL    ell, SPARSE_ELL(9), double, 32, 32
#define BITMAP bitmap_rows, SPARSE_BITMAP_ROWS, double, 32, 64
#define DELTA  delta_rows, SPARSE_CSR_DELTA(8), double, 32, 32
#define MANY   many, SPARSE_BATCHED_CSR, double, 32, 32
#define FIXED  square, SPARSE_CSR, double, 32, 32, fixed(3, 3)
#define THREE  three, SPARSE_DENSE_1D, double, 32, 32, fixed(3)
#define FCSR   fcsr, SPARSE_CSR, float, 16, 8
#define FVEC   fvec, SPARSE_DENSE_1D, float, 32, 32
#define BYTES  bytes, SPARSE_CSR, int8_t, 32, 32
#define ZCSR   zcsr, SPARSE_CSR, sparse_complex128, 32, 32
#define ZVEC   zvec, SPARSE_DENSE_1D, sparse_complex128, 32, 32
#define CCSR   ccsr, SPARSE_CSR, sparse_complex64, 32, 32
#define CVEC   cvec, SPARSE_DENSE_1D, sparse_complex64, 32, 32
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(DCSC)
SPARSE_TENSOR(SOA)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(ELL)
SPARSE_TENSOR(BITMAP)
SPARSE_TENSOR(DELTA)
SPARSE_TENSOR(MANY)
SPARSE_TENSOR(FIXED)
SPARSE_TENSOR(THREE)
SPARSE_TENSOR(FCSR)
SPARSE_TENSOR(FVEC)
SPARSE_TENSOR(BYTES)
SPARSE_TENSOR(ZCSR)
SPARSE_TENSOR(ZVEC)
SPARSE_TENSOR(CCSR)
SPARSE_TENSOR(CVEC)

/* >>encodings: A x with x at the second index, at the first one, and both products at once, together with the sum of all
   elements */
#define OVER(t, loops, T, r, c)                                                                                             \
    SPARSE_KERNEL(rows_##t, loops, (y, VEC, i), all(symmetric(A, SPARSE_P_ID T, r, c), (x, VEC, j)), y += A * x)            \
    SPARSE_KERNEL(columns_##t, loops, (y, VEC, j), all((x, VEC, i), skew(A, SPARSE_P_ID T, r, c)), y += A * x)              \
    SPARSE_KERNEL(both_##t, loops, ((y, VEC, i), (w, VEC, j), (s, double)),                                                 \
                  all(hermitian(A, SPARSE_P_ID T, r, c), (x, VEC, j), (alpha, double)), y += A * x * (double)(1 + j);       \
                  w += alpha * A * (double)(1 + i); s += A * (double)(1 + i + 3 * j))
OVER(csr, (i, j), (CSR), i, j)
OVER(csr_down, (down(i), down(j)), (CSR), i, j)
OVER(csr_tiled, (tile(i, 2), j), (CSR), i, j)
OVER(csr_ahead, (i, prefetch(j)), (CSR), i, j)
OVER(csc, (j, i), (CSC), i, j)
OVER(csc_turned, (i, j), (CSC), j, i)
OVER(dcsr, (i, j), (DCSR), i, j)
OVER(dcsc, (j, i), (DCSC), i, j)
OVER(coo, (i, j), (COO), i, j)
OVER(soa, (i, j), (SOA), i, j)
OVER(mat, (i, j), (MAT), i, j)
OVER(mat_turned, (j, i), (MAT), i, j)
OVER(cols, (i, j), (COLS), i, j)
OVER(cd, (i, j), (CD), i, j)
OVER(bsr, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (BSR), i, j)
OVER(bsr_down, (floordiv(i, 2), floordiv(j, 2), mod(j, 2), mod(i, 2)), (BSR), i, j)
OVER(dia, (minus(j, i), i), (DIA), i, j)
OVER(ell, (count(i, 9), i, j), (ELL), i, j)
OVER(bitmap, (i, j), (BITMAP), i, j)
OVER(delta, (i, j), (DELTA), i, j)

enum { LARGEST = 9 };
typedef struct problem {
    size_t n;
    double half[LARGEST * LARGEST], x[LARGEST];
} problem;

/* Draws entries with chance 1 / `one_in`; never both of two elements that mirror each other. */
static void draw_problem(problem *p, size_t n, size_t one_in)
{
    p->n = n;
    random_array(p->half, n * n, one_in);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) p->half[random_below(2) ? i * n + j : j * n + i] = 0;
    for (size_t k = 0; k < n; k++) p->x[k] = (double)random_below(9) - 4;
}

/* Element (i, j) of the full matrix; the mirror image of an entry is `sign` times the entry. */
static double element(const problem *p, double sign, size_t i, size_t j)
{
    const double image = i == j ? 0 : sign * p->half[j * p->n + i];
    return p->half[i * p->n + j] + image;
}

/* y = A x, or A transposed times x. */
static void multiply(const problem *p, double sign, bool turned, double *y)
{
    for (size_t i = 0; i < p->n; i++) {
        y[i] = 0;
        for (size_t j = 0; j < p->n; j++) y[i] += (turned ? element(p, sign, j, i) : element(p, sign, i, j)) * p->x[j];
    }
}

/* The expected results of both_...(), for outputs that begin with zeros and alpha = 2. */
static double sum_both(const problem *p, double *y, double *w)
{
    double s = 0;
    for (size_t k = 0; k < p->n; k++) y[k] = w[k] = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            const double a = element(p, 1, i, j);
            y[i] += a * p->x[j] * (double)(1 + j);
            w[j] += 2 * a * (double)(1 + i);
            s += a * (double)(1 + i + 3 * j);
        }
    return s;
}

#define TRY(tag, T, turned)                                                                                                 \
    do {                                                                                                                    \
        double wanted[LARGEST], besides[LARGEST], s = 0;                                                                    \
        T A = SPARSE_INIT(T);                                                                                               \
        vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), w = SPARSE_INIT(vec);                                               \
        set_up(&A.t, p->n, p->n, 1, p->half);                                                                               \
        set_up(&x.t, p->n, 1, 1, p->x);                                                                                     \
        multiply(p, 1, false, wanted);                                                                                      \
        CHECK_RESULT(rows_##tag(&y, &A, &x), SPARSE_OK);                                                                    \
        CHECK(holds(&y.t, wanted));                                                                                         \
        multiply(p, -1, !(turned), wanted);                                                                                 \
        sparse_free(&y.t);                                                                                                  \
        CHECK_RESULT(columns_##tag(&y, &x, &A), SPARSE_OK);                                                                 \
        CHECK(holds(&y.t, wanted));                                                                                         \
        sparse_free(&y.t);                                                                                                  \
        const double sum = sum_both(p, wanted, besides);                                                                    \
        CHECK_RESULT(both_##tag(&y, &w, &s, &A, &x, 2), SPARSE_OK);                                                         \
        CHECK(holds(&y.t, wanted));                                                                                         \
        CHECK(holds(&w.t, besides));                                                                                        \
        CHECK(s >= sum && s <= sum);                                                                                        \
        sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&w.t);                                         \
    } while (0)

static void test_encodings(const problem *p)
{
    TRY(csr, csr, false);
    TRY(csr_down, csr, false);
    TRY(csr_tiled, csr, false);
    TRY(csr_ahead, csr, false);
    TRY(csc, csc, false);
    TRY(csc_turned, csc, true);
    TRY(dcsr, dcsr, false);
    TRY(dcsc, dcsc, false);
    TRY(coo, coo, false);
    TRY(soa, soa, false);
    TRY(mat, mat, false);
    TRY(mat_turned, mat, false);
    TRY(cols, cols, false);
    TRY(cd, cd, false);
}

static void test_other_encodings(const problem *p)
{
    TRY(bsr, bsr, false);
    TRY(bsr_down, bsr, false);
    TRY(dia, dia, false);
    TRY(ell, ell, false);
    TRY(bitmap, bitmap_rows, false);
    TRY(delta, delta_rows, false);
}

/* >>forms: several right-hand sides, on either side and in threads; the full matrix as a dense one; a quadratic form;
   slices of vectors; statements that do not add; continue; break; a batch */
SPARSE_KERNEL(spmm, (i, j, k), (Y, MAT, i, k), all(symmetric(A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmm_outside, (parallel(k), i, j), (Y, MAT, i, k), all(symmetric(A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmm_inside, (i, j, parallel(k)), (Y, MAT, i, k), all(symmetric(A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmm_unrolled, (i, unroll(k), j), (Y, MAT, i, k), all(symmetric(A, MAT, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmm_turned, (k, i, j), (Y, COLS, k, i), all((X, COLS, k, j), symmetric(A, CSR, i, j)), Y += A * X)
SPARSE_KERNEL(whole, (i, j), (M, MAT, i, j), all(skew(A, CSR, i, j)), M = A)
SPARSE_KERNEL(whole_more, (i, j), update(M, MAT, i, j), all(symmetric(A, CSR, i, j)), M += 2 * A)
SPARSE_KERNEL(form, (parallel_sum(i), j), (s, double), all(symmetric(A, CSR, i, j), (x, VEC, j), (v, VEC, i)),
              s += v * A * x)
SPARSE_KERNEL(parts, (i, j), (y, VEC, i), all(symmetric(A, CSR, i, j), slice(x, VEC, j)), y += A * x)
SPARSE_KERNEL(greatest, (i, j), from(0, y, VEC, i), all(symmetric(A, CSR, i, j)), y = y > A ? y : A)
SPARSE_KERNEL(below, (i, j), ((y, VEC, i), (w, VEC, j)), all(symmetric(A, CSR, i, j)), y += A; w += A; if (j > i) continue;
              y += 100 * A)
SPARSE_KERNEL(until, (i, j), ((y, VEC, i), (w, VEC, j)), all(symmetric(A, CSR, i, j)), y += 1; w += 1; if (A > 4) break;
              y += 100)
SPARSE_KERNEL(ended, (i, j), (y, VEC, i), all(symmetric(A, CSR, i, j)), y += 1; if (A > 8) return SPARSE_E_ARGUMENT)
SPARSE_KERNEL(batch, (b, i, j), (y, MAT, b, i), all(symmetric(A, MANY, b, i, j), (x, MAT, b, j)), y += A * x)
SPARSE_KERNEL(beside, (i, j, k), (y, VEC, i), all(symmetric(A, CSR, i, j), (x, VEC, j), any((u, SVEC, k), (v, SVEC, k))),
              y += A * x * (u + 10 * v))
SPARSE_KERNEL(in_fixed, (i, j), (y, THREE, i), all(symmetric(A, FIXED, i, j), (x, THREE, j)), y += A * x)

/* a matrix of the vector x and of 3 x, as two columns or as two rows */
static void twice(const double *x, size_t n, bool below, double *both)
{
    for (size_t k = 0; k < 2 * n; k++) both[k] = below ? x[k % n] * (k < n ? 1 : 3) : x[k / 2] * (k % 2 ? 3 : 1);
}

static void test_several(const problem *p, const csr *A)
{
    double one[LARGEST], both[2 * LARGEST], wanted[2 * LARGEST];
    const size_t n = p->n;
    mat H = SPARSE_INIT(mat), X = SPARSE_INIT(mat), Y = SPARSE_INIT(mat);
    cols U = SPARSE_INIT(cols), V = SPARSE_INIT(cols);
    multiply(p, 1, false, one);
    twice(p->x, n, false, both), twice(one, n, false, wanted);
    set_up(&X.t, n, 2, 1, both);
    CHECK(spmm(&Y, A, &X) == SPARSE_OK && holds(&Y.t, wanted));
    sparse_free(&Y.t);
    CHECK(spmm_outside(&Y, A, &X) == SPARSE_OK && holds(&Y.t, wanted));
    sparse_free(&Y.t);
    CHECK(spmm_inside(&Y, A, &X) == SPARSE_OK && holds(&Y.t, wanted));
    sparse_free(&Y.t);
    set_up(&H.t, n, n, 1, p->half);
    CHECK(spmm_unrolled(&Y, &H, &X) == SPARSE_OK && holds(&Y.t, wanted));
    twice(p->x, n, true, both), twice(one, n, true, wanted);
    set_up(&U.t, 2, n, 1, both);
    CHECK(spmm_turned(&V, &U, A) == SPARSE_OK && holds(&V.t, wanted));
    sparse_free(&H.t), sparse_free(&X.t), sparse_free(&Y.t), sparse_free(&U.t), sparse_free(&V.t);
}

static void test_whole(const problem *p, const csr *A, const vec *x)
{
    double wanted[LARGEST * LARGEST], y[LARGEST], is = 0, s = 0;
    mat M = SPARSE_INIT(mat);
    for (size_t k = 0; k < p->n * p->n; k++) wanted[k] = element(p, -1, k / p->n, k % p->n);
    CHECK(whole(&M, A) == SPARSE_OK && holds(&M.t, wanted));
    for (size_t k = 0; k < p->n * p->n; k++) wanted[k] += 2 * element(p, 1, k / p->n, k % p->n);
    CHECK(whole_more(&M, A) == SPARSE_OK && holds(&M.t, wanted));
    multiply(p, 1, false, y);
    for (size_t k = 0; k < p->n; k++) s += p->x[k] * y[k];
    CHECK(form(&is, A, x, x) == SPARSE_OK && is >= s && is <= s);
    sparse_free(&M.t);
}

static void test_parts(const problem *p, const csr *A)
{
    double apart[2 * LARGEST + 1] = {0}, wanted[LARGEST];
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    const sparse_slice odd = {1, p->n, 2};
    for (size_t k = 0; k < p->n; k++) apart[2 * k + 1] = p->x[k];
    set_up(&x.t, 2 * p->n + 1, 1, 1, apart);
    multiply(p, 1, false, wanted);
    CHECK(parts(&y, A, &x, &odd) == SPARSE_OK && holds(&y.t, wanted));
    sparse_free(&y.t);
    for (size_t k = 0; k < p->n; k++) {
        wanted[k] = 0;
        for (size_t j = 0; j < p->n; j++) wanted[k] = fmax(wanted[k], element(p, 1, k, j));
    }
    CHECK(greatest(&y, A) == SPARSE_OK && holds(&y.t, wanted));
    sparse_free(&x.t), sparse_free(&y.t);
}

/* continue and break discard the change of w, which has the index of the innermost loop, and keep the changes made to y so
   far */
static void test_ends(const problem *p, const csr *A)
{
    double u[LARGEST] = {0}, v[LARGEST] = {0};
    const size_t n = p->n;
    vec y = SPARSE_INIT(vec), w = SPARSE_INIT(vec);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double a = element(p, 1, i, j);
            u[i] += j > i ? a : 101 * a;
            v[j] += j > i ? 0 : a;
        }
    CHECK(below(&y, &w, A) == SPARSE_OK && holds(&y.t, u) && holds(&w.t, v));
    sparse_free(&y.t), sparse_free(&w.t);
    for (size_t i = 0; i < n; i++) u[i] = v[i] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double a = p->half[i * n + j];
            if (a > 4) {
                u[j] += 1; /* the mirror image is computed first */
                break;
            }
            if (a > 0 && i != j) u[j] += 101, v[i] += 1;
            if (a > 0) u[i] += 101, v[j] += 1;
        }
    CHECK(until(&y, &w, A) == SPARSE_OK && holds(&y.t, u) && holds(&w.t, v));
    sparse_free(&y.t), sparse_free(&w.t);
}

/* operands with indices other than i and j may be sparse */
static void test_beside(const problem *p, const csr *A, const vec *x)
{
    static const double ones[] = {0, 1, 0, 1}, twos[] = {0, 2, 0, 0};
    double wanted[LARGEST];
    svec u = SPARSE_INIT(svec), v = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec);
    set_up(&u.t, 4, 1, 1, ones);
    set_up(&v.t, 4, 1, 1, twos);
    multiply(p, 1, false, wanted);
    for (size_t k = 0; k < p->n; k++) wanted[k] *= 22;
    CHECK(beside(&y, A, x, &u, &v) == SPARSE_OK && holds(&y.t, wanted));
    sparse_free(&u.t), sparse_free(&v.t), sparse_free(&y.t);
}

static void test_forms(const problem *p)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    set_up(&A.t, p->n, p->n, 1, p->half);
    set_up(&x.t, p->n, 1, 1, p->x);
    test_several(p, &A);
    test_whole(p, &A, &x);
    test_parts(p, &A);
    test_ends(p, &A);
    test_beside(p, &A, &x);
    sparse_free(&A.t), sparse_free(&x.t);
}

static void test_batch(const problem *p, const problem *q)
{
    double halves[2 * LARGEST * LARGEST], in[2 * LARGEST], wanted[2 * LARGEST];
    const size_t n = p->n;
    many A = SPARSE_INIT(many);
    mat x = SPARSE_INIT(mat), y = SPARSE_INIT(mat);
    for (size_t k = 0; k < n * n; k++) halves[k] = p->half[k], halves[n * n + k] = q->half[k];
    for (size_t k = 0; k < n; k++) in[k] = p->x[k], in[n + k] = q->x[k];
    multiply(p, 1, false, wanted), multiply(q, 1, false, wanted + n);
    set_up(&A.t, 2, n, n, halves);
    set_up(&x.t, 2, n, 1, in);
    CHECK(batch(&y, &A, &x) == SPARSE_OK && holds(&y.t, wanted));
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t);
}

/* >>types: float, bytes, complex numbers of both widths; fixed sizes */
SPARSE_KERNEL(in_float, (i, j), (y, FVEC, i), all(skew(A, FCSR, i, j), (x, FVEC, j)), y += A * x)
SPARSE_KERNEL(in_bytes, (i, j), (M, MAT, i, j), all(skew(A, BYTES, i, j)), M = A)
SPARSE_KERNEL(in_double, (i, j), (y, ZVEC, i), all(hermitian(A, ZCSR, i, j), (x, ZVEC, j)), y += A * x)
SPARSE_KERNEL(in_double_skew, (i, j), (y, ZVEC, i), all(skew(A, ZCSR, i, j), (x, ZVEC, j)), y += A * x)
SPARSE_KERNEL(in_single, (i, j), (y, CVEC, i), all(hermitian(A, CCSR, i, j), (x, CVEC, j)), y += A * x)

static void test_types(void)
{
    static const float half[] = {2, 0, 3, 0}, in[] = {10, 1};
    static const int8_t small[] = {0, -7, 0, 5};
    static const double turned[] = {0, -7, 7, 5};
    const size_t dim[] = {2, 2};
    fcsr A = SPARSE_INIT(fcsr);
    bytes B = SPARSE_INIT(bytes);
    fvec x = SPARSE_INIT(fvec), y = SPARSE_INIT(fvec);
    mat M = SPARSE_INIT(mat);
    CHECK(fcsr_pack_dense(&A, dim, half) == SPARSE_OK && fvec_pack_dense(&x, dim, in) == SPARSE_OK);
    CHECK(in_float(&y, &A, &x) == SPARSE_OK && ((float *)y.t.val.at)[0] == 17 && ((float *)y.t.val.at)[1] == 30);
    CHECK(bytes_pack_dense(&B, dim, small) == SPARSE_OK && in_bytes(&M, &B) == SPARSE_OK && holds(&M.t, turned));
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&M.t);
}

/* the matrix (2, -; 1 + 3i, 5) and the vector (1, i). Values are given as real and imaginary parts, as C++ writes complex
   numbers differently */
static void test_complex(void)
{
    static const double half[] = {2, 0, 0, 0, 1, 3, 5, 0}, in[] = {1, 0, 0, 1};
    static const double wanted[] = {5, 1, 1, 8}, skewed[] = {5, -1, 1, 8};
    float narrow[8], narrow_in[4];
    const size_t dim[] = {2, 2};
    for (size_t k = 0; k < 8; k++) narrow[k] = (float)half[k];
    for (size_t k = 0; k < 4; k++) narrow_in[k] = (float)in[k];
    zcsr A = SPARSE_INIT(zcsr);
    zvec x = SPARSE_INIT(zvec), y = SPARSE_INIT(zvec);
    ccsr B = SPARSE_INIT(ccsr);
    cvec u = SPARSE_INIT(cvec), v = SPARSE_INIT(cvec);
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim, half), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&x.t, dim, in), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, dim, narrow), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&u.t, dim, narrow_in), SPARSE_OK);
    CHECK(in_double(&y, &A, &x) == SPARSE_OK && memcmp(y.t.val.at, wanted, sizeof wanted) == 0);
    sparse_free(&y.t);
    CHECK(in_double_skew(&y, &A, &x) == SPARSE_OK && memcmp(y.t.val.at, skewed, sizeof skewed) == 0);
    CHECK_RESULT(in_single(&v, &B, &u), SPARSE_OK);
    for (size_t k = 0; k < 4; k++) CHECK((double)((float *)v.t.val.at)[k] == wanted[k]);
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&B.t), sparse_free(&u.t), sparse_free(&v.t);
}

/* >>shapes: a matrix that is not square is refused, also if no other operand has its indices; fixed sizes */
static void test_shapes(void)
{
    static const double values[9] = {1, 0, 0, 2, 3, 0, 0, 4, 9}, wanted[3] = {21, 432, 940};
    double in[3] = {1, 10, 100};
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    mat M = SPARSE_INIT(mat);
    const uint32_t pos[] = {0, 1, 3, 5}, crd[] = {0, 0, 1, 1, 2};
    double half[] = {1, 2, 3, 4, 9}, out[3] = {0};
    square B = {pos, crd, half};
    three u = {in}, v = {out};
    set_up(&A.t, 2, 3, 1, values);
    set_up(&x.t, 3, 1, 1, in);
    CHECK_RESULT(rows_csr(&y, &A, &x), SPARSE_E_SHAPE);
    CHECK_RESULT(whole(&M, &A), SPARSE_E_SHAPE);
    CHECK(y.t.val.at == NULL && M.t.val.at == NULL);
    set_up(&A.t, 3, 3, 1, values);
    CHECK_RESULT(rows_csr(&x, &A, &x), SPARSE_E_ALIAS);
    CHECK_RESULT(rows_csr(&y, &A, NULL), SPARSE_E_NULL);
    CHECK_RESULT(ended(&y, &A), SPARSE_E_ARGUMENT);
    CHECK(in_fixed(&v, &B, &u) == SPARSE_OK && memcmp(out, wanted, sizeof out) == 0);
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t);
}

/* >>threads: rows in blocks as high as the matrix's band is wide. A block then adds to its own rows and to those of the
   previous block, so every second block can run in parallel. The bits do not depend on the number of threads. */
#define ROWS rows, ((b, i, j), (dense, b), (compressed, i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(ROWS)
SPARSE_KERNEL(cut_rows, (i, let(b, i / each, count), j), (P, ROWS, b, i, j), all((A, CSR, i, j), (each, size_t), (count, size_t)),
              P = A)
SPARSE_KERNEL(alternate, (range(l, 2), b), (S, CSR, l, b), all((v, VEC, b)), S = v; has_S = b % 2 == l)
SPARSE_KERNEL(in_blocks, (l, independent(b), i, j), (y, VEC, i),
              all((S, CSR, l, b), symmetric(A, ROWS, b, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(in_blocks_and_sums, (l, independent(b), i, j), ((y, VEC, i), (t, VEC, b)),
              all((S, CSR, l, b), symmetric(A, ROWS, b, i, j), (x, VEC, j)), y += A * x; t += A)
/* an output with only the last index: continue undoes the statement for the entry, or for its mirror image */
SPARSE_KERNEL(by_last, (i, j, k), (w, VEC, k), all(symmetric(A, CSR, i, j), (X, MAT, j, k)), w += A * X; if (k > i) continue)
SPARSE_KERNEL(skew_in_blocks, (l, independent(b), i, j, k), (Y, MAT, i, k),
              all((S, CSR, l, b), skew(A, ROWS, b, i, j), (X, MAT, j, k)), Y += A * X)

enum { BANDED = 61 };
static void test_threads(size_t width)
{
    static double half[BANDED * BANDED], v[BANDED], X[2 * BANDED], wanted[BANDED], wanted_of_both[2 * BANDED], first[BANDED];
    double sums[BANDED] = {0}, last[2] = {0};
    const size_t n = BANDED, count = (n + width - 1) / width;
    csr A = SPARSE_INIT(csr), S = SPARSE_INIT(csr);
    rows P = SPARSE_INIT(rows);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), all = SPARSE_INIT(vec), t = SPARSE_INIT(vec);
    mat B = SPARSE_INIT(mat), C = SPARSE_INIT(mat);
    memset(half, 0, sizeof half), memset(wanted, 0, sizeof wanted), memset(wanted_of_both, 0, sizeof wanted_of_both);
    for (size_t i = 0; i < n; i++) v[i] = (double)random_below(9) - 4, X[2 * i] = v[i], X[2 * i + 1] = 3 * v[i];
    for (size_t i = 0; i < n; i++)
        for (size_t j = i < width ? 0 : i - width; j <= i; j++) {
            const double a = half[i * n + j] = random_below(2) ? (double)random_below(9) - 4 : 0;
            wanted[i] += a * v[j];
            wanted_of_both[2 * i] += a * v[j], wanted_of_both[2 * i + 1] += 3 * a * v[j];
            sums[i / width] += (i == j ? 1 : 2) * a;
            for (size_t k = 0; k < 2 && k <= i; k++) last[k] += a * X[2 * j + k];
            if (i == j) continue;
            for (size_t k = 0; k < 2 && k <= j; k++) last[k] += a * X[2 * i + k];
            wanted[j] += a * v[i];
            wanted_of_both[2 * j] -= a * v[i], wanted_of_both[2 * j + 1] -= 3 * a * v[i];
        }
    set_up(&A.t, n, n, 1, half);
    set_up(&x.t, n, 1, 1, v);
    set_up(&B.t, n, 2, 1, X);
    const size_t dim[] = {count};
    CHECK_RESULT(sparse_allocate_dense(&all.t, dim), SPARSE_OK);
    CHECK_RESULT(alternate(&S, &all), SPARSE_OK);
    CHECK_RESULT(cut_rows(&P, &A, width, count), SPARSE_OK);
    for (int threads = 1; threads <= 3; threads++) {
#ifdef _OPENMP
        omp_set_num_threads(threads);
#endif
        CHECK_RESULT(in_blocks(&y, &S, &P, &x), SPARSE_OK);
        CHECK(holds(&y.t, wanted));
        sparse_free(&y.t);
        CHECK_RESULT(in_blocks_and_sums(&y, &t, &S, &P, &x), SPARSE_OK);
        CHECK(holds(&y.t, wanted) && holds(&t.t, sums));
        sparse_free(&y.t), sparse_free(&t.t);
        CHECK_RESULT(by_last(&t, &A, &B), SPARSE_OK);
        CHECK(holds(&t.t, last));
        sparse_free(&t.t);
        CHECK_RESULT(skew_in_blocks(&C, &S, &P, &B), SPARSE_OK);
        CHECK(holds(&C.t, wanted_of_both));
        sparse_free(&C.t);
        for (size_t k = 0; k < n; k++) vec_values(&x)[k] = 1 / (3 + (double)k); /* rounded at each step */
        CHECK_RESULT(in_blocks(&y, &S, &P, &x), SPARSE_OK);
        if (threads == 1) memcpy(first, y.t.val.at, sizeof first);
        CHECK(memcmp(first, y.t.val.at, sizeof first) == 0);
        sparse_free(&y.t);
        memcpy(vec_values(&x), v, sizeof v);
    }
    sparse_free(&A.t), sparse_free(&S.t), sparse_free(&P.t), sparse_free(&x.t), sparse_free(&all.t), sparse_free(&B.t);
}

int main(void)
{
    for (size_t round = 0; round < 120; round++) {
        problem p, q;
        draw_problem(&p, round < LARGEST ? round : random_below(LARGEST + 1), 1 + random_below(4));
        draw_problem(&q, p.n, 2);
        snprintf(subject, sizeof subject, "round %u, size %u", (unsigned)round, (unsigned)p.n);
        test_encodings(&p);
        test_other_encodings(&p);
        if (p.n <= WIDE) test_forms(&p);
        if (p.n > 0) test_batch(&p, &q);
    }
    for (size_t width = 1; width < 12; width++) test_threads(width);
    test_types();
    test_complex();
    test_shapes();
    CHECK(books.live == 0 && books.mistakes == 0);
    return report("test_symmetric");
}
