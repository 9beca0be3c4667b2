/* test_workspaces.c: kernels with workspaces, where(), that are numbers or arrays. Results are compared with loops over
   dense arrays, for operands in several encodings and small shapes of all kinds. Also: memory runs out.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#include "workspaces.h"

/* >>mttkrp: A(i,j) += sum_k C(k,j) * (sum_l B(i,k,l) * D(l,j)) */
#define MTTKRP(name, T, L)                                                                                                  \
    SPARSE_KERNEL(name, (i, k, j), (A, MAT, i, j),                                                                          \
                  all(where((w, VEC, j), L, all((B, T, i, k, l), (D, MAT, l, j)), w += B * D), (C, MAT, k, j)), A += w * C)
MTTKRP(mttkrp_csf, CSF, (l, j))
MTTKRP(mttkrp_simd, CSF, (l, simd(j)))
MTTKRP(mttkrp_unrolled, CSF, (unroll(l), j))
MTTKRP(mttkrp_unrolled_coo, COO3, (unroll(l), simd(j)))
MTTKRP(mttkrp_unrolled_cube, CUBE, (unroll(l), j))
MTTKRP(mttkrp_coo, COO3, (l, j))
MTTKRP(mttkrp_cube, CUBE, (l, j))
MTTKRP(mttkrp_turned, CUBE, (j, l))
MTTKRP(mttkrp_mixed, MIXED, (l, j))
SPARSE_KERNEL(mttkrp_threads, (parallel(i), k, j), (A, MAT, i, j),
              all(where((w, VEC, j), (l, j), all((B, MIXED, i, k, l), (D, MAT, l, j)), w += B * D), (C, MAT, k, j)),
              A += w * C)

static void test_mttkrp(const shape_of *s)
{
    double b[VOLUME], c[VOLUME], d[VOLUME], a[VOLUME];
    draw_mttkrp(s, a, b, c, d);
    csf B1 = SPARSE_INIT(csf);
    coo3 B2 = SPARSE_INIT(coo3);
    cube B3 = SPARSE_INIT(cube);
    mixed B4 = SPARSE_INIT(mixed);
    mat A = SPARSE_INIT(mat), C = SPARSE_INIT(mat), D = SPARSE_INIT(mat);
    set_up(&B1.t, s->i, s->k, s->l, b);
    set_up(&B2.t, s->i, s->k, s->l, b);
    set_up(&B3.t, s->i, s->k, s->l, b);
    set_up(&B4.t, s->i, s->k, s->l, b);
    set_up(&C.t, s->k, s->j, 0, c);
    set_up(&D.t, s->l, s->j, 0, d);
    A.t.hooks = &counting;
#define TRY(kernel, B)                                                                                                      \
    CHECK_RESULT(kernel(&A, &B, &D, &C), SPARSE_OK);                                                                        \
    CHECK(holds(&A.t, a));                                                                                                  \
    sparse_free(&A.t);
    TRY(mttkrp_csf, B1)
    TRY(mttkrp_simd, B1)
    TRY(mttkrp_unrolled, B1)
    TRY(mttkrp_unrolled_coo, B2)
    TRY(mttkrp_unrolled_cube, B3)
    TRY(mttkrp_coo, B2)
    TRY(mttkrp_cube, B3)
    TRY(mttkrp_turned, B3)
    TRY(mttkrp_mixed, B4)
    TRY(mttkrp_threads, B4)
#undef TRY
    sparse_free(&B1.t);
    sparse_free(&B2.t);
    sparse_free(&B3.t);
    sparse_free(&B4.t);
    sparse_free(&C.t);
    sparse_free(&D.t);
}

/* >>matrices: workspaces in different places, over matrices of several encodings */
#define MATRIX_KERNELS(t, T, I)                                                                                             \
    /* a scalar inside the loop: the sum of squares of a row */                                                             \
    SPARSE_KERNEL(squares_##t, (i), (y, VEC, i), all(where((s, double), (j), all((A, T, i, j)), s += A * A)),               \
                  y = s + (double)i)                                                                                        \
    /* a scalar and a union; the loops of a union hold the statement several times */                                       \
    SPARSE_KERNEL(joined_##t, (i), (y, VEC, i),                                                                             \
                  all(where((s, double), (j), all((A, T, i, j)), s += A), any((u, SVEC, i), (v, SVEC, i))),                 \
                  y = s + 10 * u + 100 * v)                                                                                 \
    /* one scalar outside all loops and one inside the first */                                                             \
    SPARSE_KERNEL(scaled_##t, (i, j), (C, CSR, i, j),                                                                       \
                  all(where((n, double), (m, l), all((E, T, m, l)), n += E),                                                \
                      where((s, double), (k), all((A, T, i, k)), s += A), (B, CSR, i, j)),                                  \
                  C = B * s + n)                                                                                            \
    SPARSE_KERNEL(scaled_threads_##t, (I, j), (C, CSR, i, j),                                                               \
                  all(where((n, double), (m, l), all((E, T, m, l)), n += E),                                                \
                      where((s, double), (k), all((A, T, i, k)), s += A), (B, CSR, i, j)),                                  \
                  C = B * s + n)                                                                                            \
    /* an initial value; the output is assembled from a dense workspace */                                                  \
    SPARSE_KERNEL(hops_##t, (i, j), (C, DCSR, i, j),                                                                        \
                  all(where(from(1000, w, VEC, j), (k, j), all((A, T, i, k), (E, MAT, k, j)), w = fmin(w, A + E))), C = w;  \
                  has_C = w < 1000)                                                                                         \
    /* a union computes the workspace, another operand drives the loop that reads it; the output is updated */              \
    SPARSE_KERNEL(sampled_##t, (i, j), update(C, CSR, i, j),                                                                \
                  all(where((w, VEC, j), (j), any((A, T, i, j), (E, T, i, j)), w = A + 10 * E)), C += w)                    \
    /* rank 2, column major, read transposed */                                                                             \
    SPARSE_KERNEL(                                                                                                          \
        turned_##t, (i, j), (C, MAT, i, j),                                                                                 \
        all(where((w, COLS, j, i), (k, l, j, i), all((A, T, k, l), (E, MAT, l, j), (F, MAT, k, i)), w += A * E * F)),       \
        C = w)                                                                                                              \
    /* the loop of the line merges levels; the workspace reads the levels below */                                          \
    SPARSE_KERNEL(rows_##t, (i), (y, VEC, i),                                                                               \
                  all(where((s, double), (k), any((A, T, i, k), (E, T, i, k)), s += A + 2 * E)), y = s)                     \
    /* an operand of the workspace has no index of its loops: a scalar, an array and a sparse workspace */                  \
    SPARSE_KERNEL(weighed_##t, (i), (y, VEC, i),                                                                            \
                  all(where((s, double), (j), any((A, T, i, j), (u, SVEC, i)), s += A + 10 * u)), y = s)                    \
    SPARSE_KERNEL(weighed_array_##t, (i, j), update(C, CSR, i, j),                                                          \
                  all(where((w, VEC, j), (j), all((A, T, i, j), (d, VEC, i)), w = A * d)), C += w)                          \
    SPARSE_KERNEL(weighed_stored_##t, (i, j), (C, CSR, i, j),                                                               \
                  all(where((w, SVEC, j), (j), all((A, T, i, j), (d, VEC, i)), w = A * d)), C = w)
MATRIX_KERNELS(csr, CSR, parallel(i))
MATRIX_KERNELS(dcsr, DCSR, parallel(i))
MATRIX_KERNELS(coo, COO, i) /* loops over COO rows cannot be parallel */
MATRIX_KERNELS(cd, CD, parallel(i))
MATRIX_KERNELS(mat, MAT, parallel(i))

/* Sets the values of rows with sum zero to 0, as it depends on the encoding whether the kernel visits these rows. */
static void forget(sparse_tensor *t, const double *sum)
{
    double *value = (double *)t->val.at;
    SPARSE_FOREACH(c, t)
    {
        if (sum[c.dim[0]] < 1) *value = 0;
        value++;
    }
}

#define TEST_MATRICES(type)                                                                                                 \
    static void test_##type(const shape_of *s, const scene_of *x)                                                           \
    {                                                                                                                       \
        const size_t I = s->i, J = s->j;                                                                                    \
        double y[WIDE] = {0}, c[VOLUME] = {0}, total = 0, sum[WIDE] = {0};                                                  \
        bool has[VOLUME] = {false};                                                                                         \
        type A = SPARSE_INIT(type), E = SPARSE_INIT(type);                                                                  \
        csr B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);                                                                     \
        dcsr D = SPARSE_INIT(dcsr);                                                                                         \
        mat M = SPARSE_INIT(mat), F = SPARSE_INIT(mat), G = SPARSE_INIT(mat);                                               \
        svec u = SPARSE_INIT(svec), v = SPARSE_INIT(svec);                                                                  \
        vec z = SPARSE_INIT(vec), d = SPARSE_INIT(vec);                                                                     \
        set_up(&A.t, I, J, 0, x->a);                                                                                        \
        set_up(&E.t, I, J, 0, x->e);                                                                                        \
        set_up(&B.t, I, J, 0, x->b);                                                                                        \
        set_up(&M.t, J, I, 0, x->b);                                                                                        \
        set_up(&F.t, I, I, 0, x->e);                                                                                        \
        set_up(&u.t, I, 0, 0, x->u);                                                                                        \
        set_up(&v.t, I, 0, 0, x->v);                                                                                        \
        set_up(&d.t, I, 0, 0, x->v);                                                                                        \
        SPARSE_FOREACH(at, &A.t) has[at.dim[0] * J + at.dim[1]] = true;                                                     \
        C.t.hooks = D.t.hooks = G.t.hooks = z.t.hooks = &counting;                                                          \
        for (size_t i = 0; i < I; i++)                                                                                      \
            for (size_t j = 0; j < J; j++) {                                                                                \
                y[i] += x->a[i * J + j] * x->a[i * J + j];                                                                  \
                sum[i] += x->a[i * J + j];                                                                                  \
                total += x->e[i * J + j];                                                                                   \
            }                                                                                                               \
        /* rows without entries are visited only if the level of rows is dense */                                           \
        CHECK_RESULT(squares_##type(&z, &A), SPARSE_OK);                                                                    \
        for (size_t i = 0; i < I; i++)                                                                                      \
            if (y[i] > 0) y[i] += (double)i;                                                                                \
        for (size_t i = 0; i < I; i++) {                                                                                    \
            const double is = ((double *)z.t.val.at)[i];                                                                    \
            CHECK(is == y[i] || (y[i] == 0 && is == (double)i));                                                            \
        }                                                                                                                   \
        sparse_free(&z.t);                                                                                                  \
        CHECK_RESULT(joined_##type(&z, &A, &u, &v), SPARSE_OK);                                                             \
        for (size_t i = 0; i < I; i++) {                                                                                    \
            const double is = ((double *)z.t.val.at)[i], all = sum[i] + 10 * x->u[i] + 100 * x->v[i];                       \
            CHECK(x->u[i] + x->v[i] > 0 ? is == all || (sum[i] == 0 && is == 0) : is == 0);                                 \
        }                                                                                                                   \
        sparse_free(&z.t);                                                                                                  \
        CHECK_RESULT(rows_##type(&z, &A, &E), SPARSE_OK);                                                                   \
        for (size_t i = 0; i < I; i++) {                                                                                    \
            double all = 0;                                                                                                 \
            for (size_t j = 0; j < J; j++) all += x->a[i * J + j] + 2 * x->e[i * J + j];                                    \
            CHECK(((double *)z.t.val.at)[i] == all);                                                                        \
        }                                                                                                                   \
        sparse_free(&z.t);                                                                                                  \
        CHECK_RESULT(weighed_##type(&z, &A, &u), SPARSE_OK);                                                                \
        for (size_t i = 0; i < I; i++) CHECK(((double *)z.t.val.at)[i] == sum[i] + 10 * (double)J * x->u[i]);               \
        sparse_free(&z.t);                                                                                                  \
        for (size_t n = 0; n < I * J; n++) c[n] = x->a[n] * x->v[n / J];                                                    \
        CHECK_RESULT(weighed_stored_##type(&C, &A, &d), SPARSE_OK);                                                         \
        CHECK(holds(&C.t, c));                                                                                              \
        for (size_t n = 0; n < I * J; n++) c[n] = x->b[n] > 0 ? x->b[n] + x->a[n] * x->v[n / J] : 0;                        \
        CHECK_RESULT(sparse_copy(&C.t, &B.t), SPARSE_OK);                                                                   \
        CHECK_RESULT(weighed_array_##type(&C, &A, &d), SPARSE_OK);                                                          \
        CHECK(holds(&C.t, c));                                                                                              \
        for (size_t n = 0; n < I * J; n++) c[n] = x->b[n] > 0 && sum[n / J] > 0 ? x->b[n] * sum[n / J] + total : 0;         \
        CHECK_RESULT(scaled_##type(&C, &E, &A, &B), SPARSE_OK);                                                             \
        CHECK_RESULT(sparse_validate(&C.t, NULL), SPARSE_OK);                                                               \
        forget(&C.t, sum);                                                                                                  \
        CHECK(holds(&C.t, c));                                                                                              \
        CHECK_RESULT(scaled_threads_##type(&C, &E, &A, &B), SPARSE_OK);                                                     \
        forget(&C.t, sum);                                                                                                  \
        CHECK(holds(&C.t, c));                                                                                              \
        for (size_t i = 0; i < I; i++)                                                                                      \
            for (size_t j = 0; j < I; j++) {                                                                                \
                double least = 1000;                                                                                        \
                for (size_t k = 0; k < J; k++)                                                                              \
                    if (has[i * J + k]) least = fmin(least, x->a[i * J + k] + x->b[k * I + j]);                             \
                c[i * I + j] = least < 1000 ? least : 0;                                                                    \
            }                                                                                                               \
        CHECK_RESULT(hops_##type(&D, &A, &M), SPARSE_OK);                                                                   \
        CHECK_RESULT(sparse_validate(&D.t, NULL), SPARSE_OK);                                                               \
        CHECK(holds(&D.t, c));                                                                                              \
        for (size_t n = 0; n < I * J; n++) c[n] = x->b[n] > 0 ? x->b[n] + x->a[n] + 10 * x->e[n] : 0;                       \
        CHECK_RESULT(sampled_##type(&B, &A, &E), SPARSE_OK);                                                                \
        CHECK(holds(&B.t, c));                                                                                              \
        for (size_t i = 0; i < I; i++)                                                                                      \
            for (size_t j = 0; j < I; j++) {                                                                                \
                c[i * I + j] = 0;                                                                                           \
                for (size_t k = 0; k < I; k++)                                                                              \
                    for (size_t l = 0; l < J; l++) c[i * I + j] += x->a[k * J + l] * x->b[l * I + j] * x->e[k * I + i];     \
            }                                                                                                               \
        CHECK_RESULT(turned_##type(&G, &A, &M, &F), SPARSE_OK);                                                             \
        CHECK(holds(&G.t, c));                                                                                              \
        sparse_free(&z.t);                                                                                                  \
        sparse_tensor *const all[] = {&A.t, &E.t, &B.t, &C.t, &D.t, &M.t, &F.t, &G.t, &u.t, &v.t, &d.t};                    \
        for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);                                          \
        CHECK(books.live == 0 && books.mistakes == 0);                                                                      \
    }

TEST_MATRICES(csr)
TEST_MATRICES(dcsr)
TEST_MATRICES(coo)
TEST_MATRICES(cd)
TEST_MATRICES(mat)

/* >>windows: y(p) = the sum over i of x(i + p), 10 z(p,i) and so on. The loop of the line visits the windows of x that
   contain an entry, merged with the rows of other operands. */
SPARSE_KERNEL(windows_two, (p), (y, VEC, p),
              all(where((s, double), (i), any((x, SVEC, plus(i, p)), (z, DCSR, p, i)), s += x + 10 * z)), y = s)
SPARSE_KERNEL(windows_three, (p), (y, VEC, p),
              all(where((s, double), (i), any((x, SVEC, plus(i, p)), (z, DCSR, p, i), (u, COO, p, i)),
                        s += x + 10 * z + 100 * u)),
              y = s)

static void test_windows(const shape_of *s)
{
    double x[WIDE + WIDE] = {0}, z[VOLUME], two[VOLUME] = {0}, three[VOLUME] = {0};
    const size_t size = s->i + s->j > 0 ? s->i + s->j - 1 : 0;
    svec X = SPARSE_INIT(svec);
    dcsr Z = SPARSE_INIT(dcsr);
    coo U = SPARSE_INIT(coo);
    vec y = SPARSE_INIT(vec);
    if (s->i == 0 || s->j == 0) return;
    random_array(x, size, s->one_in);
    random_array(z, s->i * s->j, s->one_in ? s->one_in + 1 : 0);
    for (size_t p = 0; p < s->i; p++)
        for (size_t i = 0; i < s->j; i++) {
            two[p] += x[i + p] + 10 * z[p * s->j + i];
            three[p] += x[i + p] + 110 * z[p * s->j + i];
        }
    y.t.hooks = &counting;
    set_up(&X.t, size, 0, 0, x);
    set_up(&Z.t, s->i, s->j, 0, z);
    set_up(&U.t, s->i, s->j, 0, z);
    CHECK_RESULT(windows_two(&y, &X, &Z), SPARSE_OK);
    CHECK(holds(&y.t, two));
    CHECK_RESULT(windows_three(&y, &X, &Z, &U), SPARSE_OK);
    CHECK(holds(&y.t, three));
    sparse_free(&X.t), sparse_free(&Z.t), sparse_free(&U.t), sparse_free(&y.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* >>blocks: loops of a workspace over floordiv and mod of an index, as in the levels of its operand; sizes that are no
   multiple of the block */
#define BLOCKS blocks, SPARSE_BSR(2, 3), double, 32, 32
#define TWO4   two4, SPARSE_N_OF_M(4, 4), double, 32, 8
SPARSE_TENSOR(BLOCKS)
SPARSE_TENSOR(TWO4)
#define DIVIDED (floordiv(j, 4), mod(j, 4))
SPARSE_KERNEL(divided_number, (i), (y, VEC, i),
              all((x, VEC, i), where((s, double), DIVIDED, all((A, TWO4, i, j), (u, VEC, j)), s += A * u)), y = x + s)
SPARSE_KERNEL(divided_from, (parallel(i)), (y, VEC, i),
              all((x, VEC, i), where(from(1, s, double), DIVIDED, all((A, TWO4, i, j)), s += A)), y = x * s)
SPARSE_KERNEL(divided_array, (i, j), (y, VEC, i),
              all(where((w, VEC, j), DIVIDED, all((A, TWO4, i, j)), w += A), (u, VEC, j)), y += w * u)
SPARSE_KERNEL(divided_twice, (i), (y, VEC, i),
              all((x, VEC, i), where((s, double), DIVIDED, all((A, TWO4, i, j), (u, VEC, j)), s += A * u),
                  where((t, double), DIVIDED, all((B, TWO4, i, j)), t += B)), y = x + s * t)
SPARSE_KERNEL(divided_blocks, (floordiv(i, 2), mod(i, 2)), (y, VEC, i),
              all((x, VEC, i), where((s, double), (floordiv(j, 3), mod(j, 3)), all((A, BLOCKS, i, j), (u, VEC, j)), s += A * u)),
              y = x + s)
SPARSE_KERNEL(divided_rows, (i, k), (y, VEC, i),
              all(where((w, SVEC, k), (floordiv(j, 4), mod(j, 4), k), all((A, TWO4, i, j), (B, CSR, j, k)), w += A * B),
                  (u, VEC, k)), y += w * u)
static void test_blocks(const shape_of *s, const scene_of *x)
{
    double number[WIDE] = {0}, from[WIDE] = {0}, array[WIDE] = {0}, twice[WIDE] = {0}, rows[WIDE] = {0};
    csr C = SPARSE_INIT(csr);
    two4 A = SPARSE_INIT(two4);
    blocks B = SPARSE_INIT(blocks);
    vec v = SPARSE_INIT(vec), u = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    set_up(&A.t, s->i, s->j, 0, x->a);
    set_up(&B.t, s->i, s->j, 0, x->a);
    set_up(&v.t, s->i, 0, 0, x->u);
    set_up(&u.t, s->j, 0, 0, x->v);
    set_up(&C.t, s->j, s->j, 0, x->b);
    for (size_t i = 0; i < s->i; i++)
        for (size_t j = 0; j < s->j; j++)
            for (size_t k = 0; k < s->j; k++) rows[i] += x->a[i * s->j + j] * x->b[j * s->j + k] * x->v[k];
    for (size_t i = 0; i < s->i; i++) {
        double sum = 0, product = 0;
        for (size_t j = 0; j < s->j; j++) sum += x->a[i * s->j + j], product += x->a[i * s->j + j] * x->v[j];
        number[i] = x->u[i] + product, from[i] = x->u[i] * (1 + sum), array[i] = product, twice[i] = x->u[i] + product * sum;
    }
#define TRY(wanted, ...)                                                                                                    \
    y.t.hooks = &counting;                                                                                                  \
    CHECK_RESULT(__VA_ARGS__, SPARSE_OK);                                                                                   \
    CHECK(holds(&y.t, wanted));                                                                                             \
    sparse_free(&y.t);
    TRY(number, divided_number(&y, &v, &A, &u))
    TRY(from, divided_from(&y, &v, &A))
    TRY(array, divided_array(&y, &A, &u))
    TRY(twice, divided_twice(&y, &v, &A, &u, &A))
    TRY(rows, divided_rows(&y, &A, &C, &u))
    TRY(number, divided_blocks(&y, &v, &B, &u))
#undef TRY
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&v.t), sparse_free(&u.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* >>memory */
static void test_memory(void)
{
    double b[VOLUME], c[VOLUME];
    const double before = 7;
    random_array(b, 3 * 4 * 2, 2);
    random_array(c, 16, 2);
    csf B = SPARSE_INIT(csf);
    mat A = SPARSE_INIT(mat), C = SPARSE_INIT(mat), D = SPARSE_INIT(mat);
    set_up(&B.t, 3, 4, 2, b);
    set_up(&C.t, 4, 4, 0, c);
    set_up(&D.t, 2, 4, 0, c);
    set_up(&A.t, 3, 4, 0, b);
    *(double *)A.t.val.at = before;
    books.fail_at = books.calls + 1;
    CHECK_RESULT(mttkrp_csf(&A, &B, &D, &C), SPARSE_E_MEMORY);
    books.fail_at = 0;
    CHECK(*(double *)A.t.val.at == before);
    CHECK_RESULT(mttkrp_csf(&A, &B, &D, &C), SPARSE_OK);
    sparse_free(&A.t);
    sparse_free(&B.t);
    sparse_free(&C.t);
    sparse_free(&D.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

int main(void)
{
    for (size_t n = 0; n < 10 * SHAPES; n++) {
        scene_of x;
        const shape_of *s = draw_scene(n, &x);
        test_mttkrp(s);
        test_windows(s);
        test_csr(s, &x);
        test_dcsr(s, &x);
        test_coo(s, &x);
        test_cd(s, &x);
        test_mat(s, &x);
        test_blocks(s, &x);
    }
    test_memory();
    return report("test_workspaces");
}
