/* test_recurrences.c: kernels that read their own output, current(), in loops that run upwards or down().
   - Triangular solves over matrices of several encodings, widths and types. The solutions are small integers, so that sums are
     exact in any order. Also by level sets, with several threads.
   - Incomplete factorisations, Gauss-Seidel and dynamic programming, compared with dense loops.
   - Sizes that do not fit.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#include "workspaces.h"

#define CSC    csc, SPARSE_CSC, double, 64, 16
#define TALL   tall, SPARSE_CSR, double, 8, 64
#define FCSR   fcsr, SPARSE_CSR, float, 16, 8
#define FVEC   fvec, SPARSE_DENSE_1D, float, 32, 32
#define BSR    bsr, SPARSE_BSR(2, 2), double, 32, 32
#define DIA    dia, SPARSE_DIA, double, 32, 32
#define ELL    ell, SPARSE_ELL(13), double, 32, 32
#define BITMAP bitmap_rows, ((i, j), (dense, i), (bitmap, j)), double, 32, 64
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(TALL)
SPARSE_TENSOR(FCSR)
SPARSE_TENSOR(FVEC)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(ELL)
SPARSE_TENSOR(BITMAP)

/* >>solves: o is the outer loop over a matrix, n the inner one. GATHER: x(o) is computed from earlier elements x(n), with
   row o of the triangle. SCATTER: x(o) is subtracted from later elements x(n), which solves with the transpose. */
#define GATHER(name, loops, T, V, o, n, before)                                                                             \
    SPARSE_KERNEL(name, loops, (x, SPARSE_P_ID V, o), all((A, SPARSE_P_ID T, i, j), current(z, x, SPARSE_P_ID V, n)),       \
                  if (n before o) x -= A * z;                                                                               \
                  else if (n == o) x /= A)
#define SCATTER(name, loops, T, V, o, n, after)                                                                             \
    SPARSE_KERNEL(name, loops, (x, SPARSE_P_ID V, n), all((A, SPARSE_P_ID T, i, j), current(z, x, SPARSE_P_ID V, o)),       \
                  if (n == o) x /= A;                                                                                       \
                  else if (n after o) x -= A * z)
#define UPWARDS(t, T, V, o, n)                                                                                              \
    GATHER(gather_##t, (o, n), T, V, o, n, <)                                                                               \
    SCATTER(scatter_##t, (o, n), T, V, o, n, >)
#define BOTH_WAYS(t, T, V, o, n)                                                                                            \
    UPWARDS(t, T, V, o, n)                                                                                                  \
    GATHER(gather_down_##t, (down(o), down(n)), T, V, o, n, >)                                                              \
    SCATTER(scatter_down_##t, (down(o), down(n)), T, V, o, n, <)
BOTH_WAYS(csr, (CSR), (VEC), i, j)
BOTH_WAYS(csc, (CSC), (VEC), j, i)
BOTH_WAYS(dcsr, (DCSR), (VEC), i, j)
BOTH_WAYS(tall, (TALL), (VEC), i, j)
BOTH_WAYS(fcsr, (FCSR), (FVEC), i, j)
BOTH_WAYS(mat, (MAT), (VEC), i, j)
BOTH_WAYS(cols, (COLS), (VEC), j, i)
UPWARDS(coo, (COO), (VEC), i, j)
UPWARDS(bitmap, (BITMAP), (VEC), i, j)
#define IN_BLOCKS(t, T, r, c)                                                                                               \
    GATHER(gather_##t, (floordiv(i, r), floordiv(j, c), mod(i, r), mod(j, c)), T, (VEC), i, j, <)                           \
    GATHER(gather_down_##t, (down(floordiv(i, r)), down(floordiv(j, c)), down(mod(i, r)), down(mod(j, c))), T, (VEC), i, j, \
           >)
IN_BLOCKS(bsr, (BSR), 2, 2)

enum { LARGEST = 13 };
typedef struct problem {
    size_t n;
    double a[LARGEST * LARGEST], x[LARGEST];
} problem;

/* Draws a matrix with a diagonal of 1, 2 and 4. Of the elements in both triangles, one in `one_in` is stored. */
static void draw_problem(problem *p, size_t n, size_t one_in)
{
    p->n = n;
    random_array(p->a, n * n, one_in);
    for (size_t k = 0; k < n; k++) p->a[k * n + k] = (double)(1u << random_below(3));
    for (size_t k = 0; k < n; k++) p->x[k] = (double)random_below(9) - 4;
}

/* Element (o, n) of the matrix, or of its transpose. */
static double element(const problem *p, bool turned, size_t o, size_t n)
{
    return turned ? p->a[n * p->n + o] : p->a[o * p->n + n];
}

/* b = T x, where T is the lower triangle, or the upper one. */
static void multiply(const problem *p, bool turned, bool upper, double *b)
{
    for (size_t o = 0; o < p->n; o++) {
        b[o] = 0;
        for (size_t n = 0; n < p->n; n++)
            if (upper ? n >= o : n <= o) b[o] += element(p, turned, o, n) * p->x[n];
    }
}

/* Does a vector hold the solution? */
static bool is_solved(const problem *p, const sparse_tensor *x)
{
    bool good = true;
    for (size_t k = 0; k < p->n; k++)
        good = good && (x->encoding->kind == SPARSE_F32 ? (double)((const float *)x->val.at)[k]
                                                        : ((const double *)x->val.at)[k]) == p->x[k];
    return good;
}

#define TRY(kernel, V, M, turned, upper)                                                                                    \
    do {                                                                                                                    \
        double right[LARGEST];                                                                                              \
        V x = SPARSE_INIT(V);                                                                                               \
        multiply(p, turned, upper, right);                                                                                  \
        set_up_values(&x.t, p->n, right);                                                                                   \
        CHECK_RESULT(kernel(&x, &M), SPARSE_OK);                                                                            \
        CHECK(is_solved(p, &x.t));                                                                                          \
        sparse_free(&x.t);                                                                                                  \
    } while (0)
#define TRY_UPWARDS(tag, V, M, columns)                                                                                     \
    TRY(gather_##tag, V, M, columns, false);                                                                                \
    TRY(scatter_##tag, V, M, !columns, false)
#define TRY_BOTH_WAYS(tag, V, columns)                                                                                      \
    do {                                                                                                                    \
        tag M = SPARSE_INIT(tag);                                                                                           \
        set_up_matrix(&M.t, p->n, p->a);                                                                                    \
        TRY_UPWARDS(tag, V, M, columns);                                                                                    \
        TRY(gather_down_##tag, V, M, columns, true);                                                                        \
        TRY(scatter_down_##tag, V, M, !columns, true);                                                                      \
        sparse_free(&M.t);                                                                                                  \
    } while (0)

/* Packs values, converted to float if the tensor stores floats. */
static void pack(sparse_tensor *t, const size_t *dim, size_t count, const double *values)
{
    float rounded[LARGEST * LARGEST];
    for (size_t k = 0; k < count; k++) rounded[k] = (float)values[k];
    t->hooks = &counting;
    const bool single = t->encoding->kind == SPARSE_F32;
    CHECK_RESULT(sparse_pack_dense_untyped(t, dim, single ? (const void *)rounded : (const void *)values), SPARSE_OK);
}

static void set_up_values(sparse_tensor *t, size_t n, const double *values)
{
    const size_t dim[] = {n};
    pack(t, dim, n, values);
}

static void set_up_matrix(sparse_tensor *t, size_t n, const double *values)
{
    const size_t dim[] = {n, n};
    pack(t, dim, n * n, values);
}

static void test_solves(const problem *p)
{
    TRY_BOTH_WAYS(csr, vec, false);
    TRY_BOTH_WAYS(csc, vec, true);
    TRY_BOTH_WAYS(dcsr, vec, false);
    TRY_BOTH_WAYS(tall, vec, false);
    TRY_BOTH_WAYS(fcsr, fvec, false);
    TRY_BOTH_WAYS(mat, vec, false);
    TRY_BOTH_WAYS(cols, vec, true);
    coo A1 = SPARSE_INIT(coo);
    bitmap_rows A2 = SPARSE_INIT(bitmap_rows);
    bsr A3 = SPARSE_INIT(bsr);
    set_up_matrix(&A1.t, p->n, p->a);
    set_up_matrix(&A2.t, p->n, p->a);
    set_up_matrix(&A3.t, p->n, p->a);
    TRY_UPWARDS(coo, vec, A1, false);
    TRY_UPWARDS(bitmap, vec, A2, false);
    TRY(gather_bsr, vec, A3, false, false);
    TRY(gather_down_bsr, vec, A3, false, true);
    sparse_free(&A1.t), sparse_free(&A2.t), sparse_free(&A3.t);
}

/* >>forms: a unit diagonal that is not stored; several right-hand sides; sums in workspaces; a count of the stored diagonal
   elements */
SPARSE_KERNEL(unit, (i, j), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)), if (j < i) x -= A * z)
SPARSE_KERNEL(several, (i, j, k), (X, MAT, i, k), all((A, CSR, i, j), current(Z, X, MAT, j, k)), if (j < i) X -= A * Z;
              else if (j == i) X /= A)
SPARSE_KERNEL(several_down, (down(i), down(j), k), (X, MAT, i, k), all((A, CSR, i, j), current(Z, X, MAT, j, k)),
              if (j > i) X -= A * Z;
              else if (j == i) X /= A)
SPARSE_KERNEL(apart, (i), (x, VEC, i),
              all(where((s, double), (j), all((A, CSR, i, j), current(z, x, VEC, j)), if (j < i) s += A * z),
                  where((d, double), (k), all((B, CSR, i, k)), if (k == i) d = B), (b, VEC, i)),
              x = (b - s) / d)
SPARSE_KERNEL(
    counted, (i, j), ((x, VEC, i), (solved, size_t)), all((A, CSR, i, j), current(z, x, VEC, j)), if (j < i) x -= A * z;
    else if (j == i) {
        x /= A;
        solved++;
    })

/* two outputs; z reads the first one, and must be read again after the inner loop has changed it */
SPARSE_KERNEL(
    beside, (j, i), ((x, VEC, i), (w, VEC, i)), all((A, CSC, i, j), current(z, x, VEC, j)), if (i == j) x /= A;
    else if (i > j) {
        x -= A * z;
        w += 1;
    })

static void test_beside(const problem *p)
{
    const size_t n = p->n;
    double right[LARGEST];
    csc A = SPARSE_INIT(csc);
    vec x = SPARSE_INIT(vec), w = SPARSE_INIT(vec);
    set_up_matrix(&A.t, n, p->a);
    multiply(p, false, false, right);
    set_up_values(&x.t, n, right);
    CHECK_RESULT(beside(&x, &w, &A), SPARSE_OK);
    CHECK(is_solved(p, &x.t));
    for (size_t i = 0; i < n; i++) {
        double count = 0;
        for (size_t j = 0; j < i; j++) count += p->a[i * n + j] != 0;
        CHECK(((double *)w.t.val.at)[i] == count);
    }
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&w.t);
}

static void test_forms(const problem *p)
{
    problem q = *p, *const given = &q;
    double right[LARGEST], both[2 * LARGEST];
    const size_t n = p->n, dim[] = {n, 2};
    size_t solved = 0;
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), b = SPARSE_INIT(vec), y = SPARSE_INIT(vec), w = SPARSE_INIT(vec);
    mat X = SPARSE_INIT(mat);
    set_up_matrix(&A.t, n, p->a);
    multiply(p, false, false, right);
    set_up_values(&b.t, n, right);
    CHECK_RESULT(apart(&x, &A, &A, &b), SPARSE_OK); /* x gets its size from the others */
    CHECK(is_solved(p, &x.t));
    CHECK_RESULT(counted(&b, &solved, &A), SPARSE_OK);
    CHECK(is_solved(p, &b.t) && solved == n);
    for (int down = 0; down < 2; down++) {
        multiply(p, false, down, right);
        for (size_t k = 0; k < n; k++) both[2 * k] = right[k], both[2 * k + 1] = -3 * right[k];
        pack(&X.t, dim, 2 * n, both);
        CHECK_RESULT((down ? several_down : several)(&X, &A), SPARSE_OK);
        for (size_t k = 0; k < n; k++)
            CHECK(((double *)X.t.val.at)[2 * k] == p->x[k] && ((double *)X.t.val.at)[2 * k + 1] == -3 * p->x[k]);
        sparse_free(&X.t);
    }
    sparse_free(&A.t);
    for (size_t k = 0; k < n; k++) given->a[k * n + k] = 1;
    multiply(given, false, false, right);
    set_up_values(&y.t, n, right);
    for (size_t k = 0; k < n; k++) given->a[k * n + k] = 0;
    set_up_matrix(&A.t, n, given->a);
    CHECK_RESULT(unit(&y, &A), SPARSE_OK);
    CHECK(is_solved(given, &y.t));
    solved = 0;
    set_up_values(&w.t, n, right); /* no diagonal is stored: nothing is divided, and the count is 0 */
    CHECK_RESULT(counted(&w, &solved, &A), SPARSE_OK);
    CHECK(solved == 0);
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&b.t), sparse_free(&y.t), sparse_free(&w.t);
}

/* >>sweeps: Gauss-Seidel, which reads new elements before the diagonal, and old ones after it; forwards and backwards */
SPARSE_KERNEL(sweep, (i), (x, VEC, i),
              all(where((s, double), (j), all((A, CSR, i, j), current(z, x, VEC, j)), if (j != i) s += A * z), (b, VEC, i),
                  (d, VEC, i)),
              x = (b - s) / d)
SPARSE_KERNEL(sweep_back, (down(i)), (x, VEC, i),
              all(where((s, double), (j), all((A, CSR, i, j), current(z, x, VEC, j)), if (j != i) s += A * z), (b, VEC, i),
                  (d, VEC, i)),
              x = (b - s) / d)

static void test_sweeps(const problem *p)
{
    const size_t n = p->n;
    double diagonal[LARGEST], right[LARGEST], is[LARGEST];
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), b = SPARSE_INIT(vec), d = SPARSE_INIT(vec);
    for (size_t k = 0; k < n; k++) diagonal[k] = p->a[k * n + k], right[k] = (double)k, is[k] = p->x[k];
    set_up_matrix(&A.t, n, p->a);
    set_up_values(&x.t, n, is);
    set_up_values(&b.t, n, right);
    set_up_values(&d.t, n, diagonal);
    CHECK_RESULT(sweep(&x, &A, &b, &d), SPARSE_OK);
    CHECK_RESULT(sweep_back(&x, &A, &b, &d), SPARSE_OK);
    for (size_t turn = 0; turn < 2 * n; turn++) {
        const size_t i = turn < n ? turn : 2 * n - 1 - turn;
        double s = 0;
        for (size_t j = 0; j < n; j++)
            if (j != i) s += p->a[i * n + j] * is[j];
        is[i] = (right[i] - s) / diagonal[i];
    }
    for (size_t k = 0; k < n; k++) CHECK(fabs(((double *)x.t.val.at)[k] - is[k]) <= 1e-12 * fabs(is[k]));
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&b.t), sparse_free(&d.t);
}

/* >>factors: incomplete factors with the pattern of the matrix. cholesky: row i of L ends with its diagonal. lu: row i of A
   has the row of L before the diagonal, and the row of U from the diagonal on. */
SPARSE_KERNEL(cholesky, (i, j, k), update(L, CSR, i, j), all(current(P, L, CSR, i, k), current(Q, L, CSR, j, k)),
              if (k < j) L -= P * Q;
              else if (j < i) L /= Q; else L = sqrt(L))
SPARSE_KERNEL(lu, (i, k, j), update(A, CSR, i, j), all(current(P, A, CSR, i, k), current(U, A, CSR, k, j)),
              if (k >= i || j < k) continue;
              if (j == k) A /= U; else A -= P * U)

/* The factorisation over dense arrays; elements that are not stored stay zero. */
static void factor_cholesky(double *a, const bool *stored, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            if (!stored[i * n + j]) continue;
            for (size_t k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = j < i ? a[i * n + j] / a[j * n + j] : sqrt(a[i * n + i]);
        }
}

static void factor_lu(double *a, const bool *stored, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            if (!stored[i * n + k]) continue;
            a[i * n + k] /= a[k * n + k];
            for (size_t j = k + 1; j < n; j++)
                if (stored[i * n + j]) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
}

static void check_factor(sparse_result (*factor)(csr *), void (*truth_of_factor)(double *, const bool *, size_t), double *a,
                         size_t n)
{
    bool stored[LARGEST * LARGEST];
    csr A = SPARSE_INIT(csr);
    set_up_matrix(&A.t, n, a);
    for (size_t k = 0; k < n * n; k++) stored[k] = a[k] != 0;
    CHECK_RESULT(factor(&A), SPARSE_OK);
    truth_of_factor(a, stored, n);
    SPARSE_FOREACH(c, &A.t)
    {
        const double wanted = a[c.dim[0] * n + c.dim[1]];
        CHECK(fabs(*(const double *)c.value - wanted) <= 1e-12 * fabs(wanted));
    }
    sparse_free(&A.t);
}

static void test_factors(const problem *p)
{
    const size_t n = p->n;
    double a[LARGEST * LARGEST];
    for (size_t k = 0; k < n * n; k++) a[k] = k / n >= k % n ? p->a[k] : 0;
    for (size_t k = 0; k < n; k++) a[k * n + k] = 1000;
    check_factor(cholesky, factor_cholesky, a, n);
    for (size_t k = 0; k < n * n; k++) a[k] = p->a[k];
    for (size_t k = 0; k < n; k++) a[k * n + k] = 100;
    check_factor(lu, factor_lu, a, n);
}

/* >>downwards: statements whose result depends on the order of the loops, in all kinds of loops; and a diagonal that is
   looked up before the loop reaches it */
SPARSE_KERNEL(down_both, (i, down(j)), (y, VEC, i), all((A, CSR, i, j), (B, CSR, i, j)), y = 3 * y + A * B)
SPARSE_KERNEL(down_none, (i, down(j)), (y, VEC, i), all((A, CSR, i, j), none((B, CSR, i, j))), y = 3 * y + A)
SPARSE_KERNEL(down_any, (down(i), j), (y, VEC, i), any((A, CSR, i, j), (B, CSR, i, j)), y = 3 * y + A + 2 * B)
SPARSE_KERNEL(down_full, (i, down(j)), (y, VEC, i), any((A, CSR, i, j), (x, VEC, j)), y = 3 * y + A + 2 * x)
SPARSE_KERNEL(down_bits, (i, down(j)), (y, VEC, i), all((A, BITMAP, i, j), (x, VEC, j)), y = 3 * y + A * x)
SPARSE_KERNEL(down_diagonals, (down(minus(j, i)), down(i)), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y = 3 * y + A * x)
SPARSE_KERNEL(down_slices, (down(count(i, 13)), down(i), down(j)), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(down_part, (down(i), down(j)), (y, VEC, i), all(slice(A, CSR, i, j), (x, VEC, j)), y = 3 * y + A * x)
SPARSE_KERNEL(ahead, (j, prefetch(i)), (x, VEC, i), all((A, CSR, j, i), current(z, x, VEC, j)), if (i == j) x /= A;
              else if (i > j) x -= A * z)

static void test_downwards(const problem *p)
{
    const size_t n = p->n;
    double other[LARGEST * LARGEST], wanted[8][LARGEST] = {{0}};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    dia D = SPARSE_INIT(dia);
    ell E = SPARSE_INIT(ell);
    bitmap_rows M = SPARSE_INIT(bitmap_rows);
    vec v = SPARSE_INIT(vec);
    random_array(other, n * n, 2);
    set_up_matrix(&A.t, n, p->a);
    set_up_matrix(&B.t, n, other);
    set_up_matrix(&D.t, n, p->a);
    set_up_matrix(&E.t, n, p->a);
    set_up_matrix(&M.t, n, p->a);
    set_up_values(&v.t, n, p->x);
    for (size_t i = n; i-- > 0;)
        for (size_t j = n; j-- > 0;) {
            const double a = p->a[i * n + j], b = other[i * n + j], c = p->a[i * n + n - 1 - j],
                         d = other[i * n + n - 1 - j];
            if (a != 0 && b != 0) wanted[0][i] = 3 * wanted[0][i] + a * b;
            if (a != 0 && b == 0) wanted[1][i] = 3 * wanted[1][i] + a;
            if (c != 0 || d != 0) wanted[2][i] = 3 * wanted[2][i] + c + 2 * d; /* this one runs upwards */
            wanted[3][i] = 3 * wanted[3][i] + a + 2 * p->x[j];
            if (a != 0) wanted[4][i] = 3 * wanted[4][i] + a * p->x[j];
            wanted[6][i] += a * p->x[j];
        }
    for (size_t k = n > 0 ? 2 * n - 1 : 0; k-- > 0;) { /* diagonal j - i = k + 1 - n, if it is stored */
        bool stored = false;
        for (size_t i = 0; i < n; i++) stored = stored || (i + k + 1 - n < n && p->a[i * n + i + k + 1 - n] != 0);
        for (size_t i = 0; i < n && stored; i++)
            if (i + k + 1 - n < n) wanted[5][i] = 3 * wanted[5][i] + p->a[i * n + i + k + 1 - n] * p->x[i + k + 1 - n];
    }
    for (size_t k = 0; k < 7; k++) {
        vec y = SPARSE_INIT(vec);
        y.t.hooks = &counting;
        CHECK_RESULT(k == 0   ? down_both(&y, &A, &B)
                     : k == 1 ? down_none(&y, &A, &B)
                     : k == 2 ? down_any(&y, &A, &B)
                     : k == 3 ? down_full(&y, &A, &v)
                     : k == 4 ? down_bits(&y, &M, &v)
                     : k == 5 ? down_diagonals(&y, &D, &v)
                              : down_slices(&y, &E, &v),
                     SPARSE_OK);
        for (size_t i = 0; i < n; i++) CHECK(((double *)y.t.val.at)[i] == wanted[k][i]);
        sparse_free(&y.t);
    }
    if (n > 2) {
        const sparse_slice part[] = {{1, n / 2, 2}, {0, n, 1}};
        vec y = SPARSE_INIT(vec);
        y.t.hooks = &counting;
        CHECK_RESULT(down_part(&y, &A, part, &v), SPARSE_OK);
        for (size_t i = 0; i < n / 2; i++) CHECK(((double *)y.t.val.at)[i] == wanted[4][1 + 2 * i]);
        sparse_free(&y.t);
    }
    sparse_free(&v.t);
    TRY(ahead, vec, A, true, false);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&D.t), sparse_free(&E.t), sparse_free(&M.t);
}

/* >>tables: the best local alignment of two words (Smith and Waterman); elements outside the table count as not stored, so
   zero. Also: prefix sums, and the number of paths through a maze whose free cells are stored */
SPARSE_KERNEL(align, (i, j), (H, MAT, i, j),
              all((a, VEC, i), (b, VEC, j),
                  any((gap, double), current(D, H, MAT, plus(i, (-1)), plus(j, (-1))), current(N, H, MAT, plus(i, (-1)), j),
                      current(W, H, MAT, i, plus(j, (-1))))),
              H = fmax(fmax(0, D + (a == b ? 3 : -3)), fmax(N, W) - gap))
SPARSE_KERNEL(add_up, (i), (x, VEC, i), any(current(z, x, VEC, plus(i, (-1)))), x += z)
SPARSE_KERNEL(ways, (i, j), update(M, CSR, i, j),
              any((start, double), current(N, M, CSR, plus(i, (-1)), j), current(W, M, CSR, i, plus(j, (-1)))),
              M = i + j == 0 ? start : N + W)

static void test_tables(void)
{
    static const double above[] = {3, 3, 2, 1, 3, 3, 4, 1, 2}, beside[] = {3, 3, 3, 2, 1, 1, 2, 2};
    enum { ROWS = sizeof above / sizeof *above, COLUMNS = sizeof beside / sizeof *beside };
    double best[ROWS + 1][COLUMNS + 1] = {{0}};
    const size_t dim[] = {ROWS, COLUMNS};
    vec a = SPARSE_INIT(vec), b = SPARSE_INIT(vec), x = SPARSE_INIT(vec);
    mat H = SPARSE_INIT(mat);
    set_up_values(&a.t, ROWS, above);
    set_up_values(&b.t, COLUMNS, beside);
    H.t.hooks = &counting;
    CHECK_RESULT(align(&H, &a, &b, 2), SPARSE_OK);
    CHECK(H.t.dim[0] == dim[0] && H.t.dim[1] == dim[1]);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) {
            const double diagonal = best[i][j] + (above[i] == beside[j] ? 3 : -3);
            best[i + 1][j + 1] = fmax(fmax(0, diagonal), fmax(best[i][j + 1], best[i + 1][j]) - 2);
            CHECK(((double *)H.t.val.at)[i * COLUMNS + j] == best[i + 1][j + 1]);
        }
    set_up_values(&x.t, ROWS, above);
    CHECK_RESULT(add_up(&x), SPARSE_OK);
    double sum = 0;
    for (size_t i = 0; i < ROWS; i++) CHECK(((double *)x.t.val.at)[i] == (sum += above[i]));
    sparse_free(&a.t), sparse_free(&b.t), sparse_free(&x.t), sparse_free(&H.t);
}

static void test_maze(void)
{
    static const double open[] = {1, 1, 0, 1, /**/ 1, 1, 1, 1, /**/ 0, 1, 1, 1, /**/ 1, 0, 1, 1};
    static const double wanted[] = {1, 1, 0, 0, /**/ 1, 2, 2, 2, /**/ 0, 2, 4, 6, /**/ 0, 0, 4, 10};
    csr M = SPARSE_INIT(csr);
    set_up_matrix(&M.t, 4, open);
    CHECK_RESULT(ways(&M, 1), SPARSE_OK);
    SPARSE_FOREACH(c, &M.t) CHECK(*(const double *)c.value == wanted[c.dim[0] * 4 + c.dim[1]]);
    sparse_free(&M.t);
}

/* >>shapes: an output that is read with current() has the same size at both subscripts; it has this size before, or gets it
   from other operands */
static void test_shapes(void)
{
    const size_t wide[] = {2, 3};
    const double values[6] = {1, 2, 3, 4, 5, 6};
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    pack(&A.t, wide, 6, values);
    CHECK_RESULT(gather_csr(&x, &A), SPARSE_E_SHAPE);
    sparse_free(&x.t);
    set_up_values(&y.t, 2, values);
    CHECK_RESULT(gather_csr(&y, &A), SPARSE_E_SHAPE);
    CHECK(((double *)y.t.val.at)[0] == 1 && ((double *)y.t.val.at)[1] == 2);
    sparse_free(&y.t), sparse_free(&A.t);
    set_up_matrix(&A.t, 2, values);
    CHECK_RESULT(gather_csr(&x, &A), SPARSE_OK); /* zeros solve with zeros */
    CHECK(x.t.dim[0] == 2 && ((double *)x.t.val.at)[0] == 0 && ((double *)x.t.val.at)[1] == 0);
    sparse_free(&x.t);
    CHECK_RESULT(gather_csr(NULL, &A), SPARSE_E_NULL);
    set_up_values(&x.t, 2, values);
    CHECK_RESULT(apart(&x, &A, &A, &x), SPARSE_E_ALIAS);
    sparse_free(&x.t), sparse_free(&A.t);
}

/* >>levels: solves by level sets, with the rows of a level in parallel: independent(). S(l,o) is stored if row o is in
   level l. */
#define BLOCKS blocks, ((i, j, k, l), (dense, i), (compressed, j), (dense, k), (dense, l)), double, 32, 32
SPARSE_TENSOR(BLOCKS)
#define LEVELS(t, T, V, o, n)                                                                                               \
    SPARSE_KERNEL(levels_##t, (l, independent(o), n), (x, SPARSE_P_ID V, o),                                                \
                  all((S, CSR, l, o), (A, SPARSE_P_ID T, i, j), current(z, x, SPARSE_P_ID V, n)),                           \
                  if (n < o) x -= A * z;                                                                                    \
                  else if (n == o) x /= A)                                                                                  \
    SPARSE_KERNEL(levels_down_##t, (l, independent(o), down(n)), (x, SPARSE_P_ID V, o),                                     \
                  all((S, CSR, l, o), (A, SPARSE_P_ID T, i, j), current(z, x, SPARSE_P_ID V, n)),                           \
                  if (n > o) x -= A * z;                                                                                    \
                  else if (n == o) x /= A)
LEVELS(csr, (CSR), (VEC), i, j)
LEVELS(csc, (CSC), (VEC), j, i)
LEVELS(tall, (TALL), (VEC), i, j)
LEVELS(fcsr, (FCSR), (FVEC), i, j)
LEVELS(mat, (MAT), (VEC), i, j)
LEVELS(cols, (COLS), (VEC), j, i)
SPARSE_KERNEL(levels_unit, (l, independent(i), j), (x, VEC, i), all((S, CSR, l, i), (A, CSR, i, j), current(z, x, VEC, j)),
              if (j < i) x -= A * z)
SPARSE_KERNEL(levels_several, (l, independent(i), j, k), (X, MAT, i, k),
              all((S, CSR, l, i), (A, CSR, i, j), current(Z, X, MAT, j, k)), if (j < i) X -= A * Z;
              else if (j == i) X /= A)
SPARSE_KERNEL(levels_blocks, (l, independent(i), j, p, q), (X, MAT, i, p),
              all((S, CSR, l, i), (A, BLOCKS, i, j, p, q), current(Z, X, MAT, j, q)),
              if (j < i || (j == i && q < p)) X -= A * Z;
              else if (j == i && q == p) X /= A)

/* Computes the levels S of a triangle of blocks of r x r elements: a block row is one level after the last one that it
   needs. */
static void set_up_levels(csr *S, const problem *p, bool turned, bool upper, size_t r)
{
    size_t level[LARGEST] = {0}, most = 0;
    const size_t n = p->n / r;
    double in[LARGEST * LARGEST] = {0};
    for (size_t k = 0; k < n; k++) {
        const size_t o = upper ? n - 1 - k : k;
        for (size_t e = upper ? o + 1 : 0; e < (upper ? n : o); e++)
            for (size_t b = 0; b < r * r; b++)
                if (element(p, turned, r * o + b / r, r * e + b % r) != 0 && level[o] <= level[e]) level[o] = level[e] + 1;
        if (level[o] >= most) most = level[o] + 1;
        in[level[o] * n + o] = 1;
    }
    const size_t dim[] = {most, n};
    pack(&S->t, dim, most * n, in);
}

#define TRY_LEVELS_AS(tag, V, M, turned, upper)                                                                             \
    do {                                                                                                                    \
        csr S = SPARSE_INIT(csr);                                                                                           \
        V x = SPARSE_INIT(V);                                                                                               \
        double right[LARGEST];                                                                                              \
        set_up_levels(&S, p, turned, upper, 1);                                                                             \
        multiply(p, turned, upper, right);                                                                                  \
        set_up_values(&x.t, p->n, right);                                                                                   \
        CHECK_RESULT(levels_##tag(&x, &S, &M), SPARSE_OK);                                                                  \
        CHECK(is_solved(p, &x.t));                                                                                          \
        sparse_free(&S.t), sparse_free(&x.t);                                                                               \
    } while (0)
#define TRY_LEVELS(tag, V, columns)                                                                                         \
    do {                                                                                                                    \
        tag M = SPARSE_INIT(tag);                                                                                           \
        set_up_matrix(&M.t, p->n, p->a);                                                                                    \
        TRY_LEVELS_AS(tag, V, M, columns, false);                                                                           \
        TRY_LEVELS_AS(down_##tag, V, M, columns, true);                                                                     \
        sparse_free(&M.t);                                                                                                  \
    } while (0)

/* With values that are rounded at each step, the result has the bits of a solve row by row. */
static void test_bits_of_levels(const problem *p, const csr *A, const csr *S)
{
    double right[LARGEST];
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    for (size_t k = 0; k < p->n; k++) right[k] = 1 / (3.0 + (double)k);
    set_up_values(&x.t, p->n, right);
    set_up_values(&y.t, p->n, right);
    CHECK_RESULT(gather_csr(&x, A), SPARSE_OK);
    CHECK_RESULT(levels_csr(&y, S, A), SPARSE_OK);
    CHECK(p->n == 0 || memcmp(x.t.val.at, y.t.val.at, p->n * sizeof(double)) == 0);
    sparse_free(&x.t), sparse_free(&y.t);
}

/* Two right-hand sides, and a unit diagonal, which is not stored. */
static void test_forms_of_levels(const problem *p)
{
    problem q = *p;
    const size_t n = p->n, dim[] = {n, 2};
    double right[LARGEST], both[2 * LARGEST];
    csr A = SPARSE_INIT(csr), S = SPARSE_INIT(csr);
    mat X = SPARSE_INIT(mat);
    vec y = SPARSE_INIT(vec);
    set_up_matrix(&A.t, n, p->a);
    set_up_levels(&S, p, false, false, 1);
    test_bits_of_levels(p, &A, &S);
    multiply(p, false, false, right);
    for (size_t k = 0; k < n; k++) both[2 * k] = right[k], both[2 * k + 1] = -3 * right[k];
    pack(&X.t, dim, 2 * n, both);
    CHECK_RESULT(levels_several(&X, &S, &A), SPARSE_OK);
    for (size_t k = 0; k < 2 * n; k++) CHECK(((double *)X.t.val.at)[k] == (k % 2 ? -3 : 1) * p->x[k / 2]);
    sparse_free(&A.t);
    for (size_t k = 0; k < n; k++) q.a[k * n + k] = 1;
    multiply(&q, false, false, right);
    set_up_values(&y.t, n, right);
    for (size_t k = 0; k < n; k++) q.a[k * n + k] = 0;
    set_up_matrix(&A.t, n, q.a);
    CHECK_RESULT(levels_unit(&y, &S, &A), SPARSE_OK);
    CHECK(is_solved(&q, &y.t));
    sparse_free(&A.t), sparse_free(&S.t), sparse_free(&X.t), sparse_free(&y.t);
}

/* Blocks of 2 x 2, with level sets of block rows: inside a diagonal block, the rows are solved in order. */
static void test_levels_of_blocks(const problem *p)
{
    problem q = {2 * (p->n / 2), {0}, {0}};
    const size_t half = q.n / 2, dim[] = {half, half, 2, 2}, wide[] = {half, 2};
    double in_blocks[LARGEST * LARGEST], right[LARGEST];
    blocks A = SPARSE_INIT(blocks);
    csr S = SPARSE_INIT(csr);
    mat X = SPARSE_INIT(mat);
    for (size_t i = 0; i < q.n; i++)
        for (size_t j = 0; j < q.n; j++) {
            q.a[i * q.n + j] = p->a[i * p->n + j];
            in_blocks[((i / 2 * half + j / 2) * 2 + i % 2) * 2 + j % 2] = q.a[i * q.n + j];
        }
    memcpy(q.x, p->x, sizeof q.x);
    multiply(&q, false, false, right);
    pack(&A.t, dim, q.n * q.n, in_blocks);
    pack(&X.t, wide, q.n, right);
    set_up_levels(&S, &q, false, false, 2);
    CHECK_RESULT(levels_blocks(&X, &S, &A), SPARSE_OK);
    CHECK(is_solved(&q, &X.t));
    sparse_free(&A.t), sparse_free(&S.t), sparse_free(&X.t);
}

static void test_levels(const problem *p)
{
#ifdef _OPENMP
    omp_set_num_threads(1 + (int)(p->n % 3));
#endif
    TRY_LEVELS(csr, vec, false);
    TRY_LEVELS(csc, vec, true);
    TRY_LEVELS(tall, vec, false);
    TRY_LEVELS(fcsr, fvec, false);
    TRY_LEVELS(mat, vec, false);
    TRY_LEVELS(cols, vec, true);
    test_forms_of_levels(p);
    test_levels_of_blocks(p);
}

int main(void)
{
    for (size_t round = 0; round < 120; round++) {
        problem p;
        draw_problem(&p, round < LARGEST ? round : random_below(LARGEST + 1), 1 + random_below(4));
        snprintf(subject, sizeof subject, "round %u, size %u", (unsigned)round, (unsigned)p.n);
        test_solves(&p);
        test_forms(&p);
        test_beside(&p);
        test_sweeps(&p);
        test_factors(&p);
        test_downwards(&p);
        test_levels(&p);
    }
    test_tables();
    test_maze();
    test_shapes();
    CHECK(books.live == 0 && books.mistakes == 0);
    return report("test_recurrences");
}
