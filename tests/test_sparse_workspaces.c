/* test_sparse_workspaces.c: kernels with sparse workspaces, where(). Results are compared with loops over dense arrays, for
   operands in several encodings and small shapes of all kinds. Also: memory, or positions of 8 bits, run out.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#include "workspaces.h"

/* >>mttkrp: A(i,j) += sum_k C(k,j) * (sum_l B(i,k,l) * D(l,j)). For each i, the inner sum of all k and j is a sparse
   matrix. */
#define BUILT_MTTKRP(name, T, W)                                                                                            \
    SPARSE_KERNEL(name, (i, k, j), (A, MAT, i, j),                                                                          \
                  all(where((w, W, k, j), (k, l, j), all((B, T, i, k, l), (D, MAT, l, j)), w += B * D), (C, MAT, k, j)),    \
                  A += w * C)
BUILT_MTTKRP(mttkrp_built, CSF, DCSR)
BUILT_MTTKRP(mttkrp_built_rows, COO3, CSR)
BUILT_MTTKRP(mttkrp_built_cube, CUBE, DCSR)

static void test_mttkrp(const shape_of *s)
{
    double b[VOLUME], c[VOLUME], d[VOLUME], a[VOLUME];
    draw_mttkrp(s, a, b, c, d);
    csf B1 = SPARSE_INIT(csf);
    coo3 B2 = SPARSE_INIT(coo3);
    cube B3 = SPARSE_INIT(cube);
    mat A = SPARSE_INIT(mat), C = SPARSE_INIT(mat), D = SPARSE_INIT(mat);
    set_up(&B1.t, s->i, s->k, s->l, b);
    set_up(&B2.t, s->i, s->k, s->l, b);
    set_up(&B3.t, s->i, s->k, s->l, b);
    set_up(&C.t, s->k, s->j, 0, c);
    set_up(&D.t, s->l, s->j, 0, d);
    A.t.hooks = &counting;
#define TRY(kernel, B)                                                                                                      \
    CHECK_RESULT(kernel(&A, &B, &D, &C), SPARSE_OK);                                                                        \
    CHECK(holds(&A.t, a));                                                                                                  \
    sparse_free(&A.t);
    TRY(mttkrp_built, B1)
    TRY(mttkrp_built_rows, B2)
    TRY(mttkrp_built_cube, B3)
#undef TRY
    sparse_free(&B1.t);
    sparse_free(&B2.t);
    sparse_free(&B3.t);
    sparse_free(&C.t);
    sparse_free(&D.t);
}

/* >>matrices: a sparse row of a product drives the loop over j: alone, merged with other operands, in threads, with an
   initial value. built_whole and built_rows store the whole product. */
#define MATRIX_KERNELS(t, T, I)                                                                                             \
    SPARSE_KERNEL(built_##t, (i, j), (y, VEC, i), all(PRODUCT_ROW(T), (K, T, i, j)), y += w * K)                            \
    SPARSE_KERNEL(built_ahead_##t, (i, prefetch(j)), (y, VEC, i), all(PRODUCT_ROW(T), (x, VEC, j)), y += w * x)             \
    SPARSE_KERNEL(built_either_##t, (i, j), (y, VEC, i), all(PRODUCT_ROW(T), any((K, T, i, j), (L, T, i, j))),              \
                  y += w * (K + L))                                                                                         \
    SPARSE_KERNEL(built_mask_##t, (I, j), (C, DCSR, i, j), all((K, T, i, j), PRODUCT_ROW(T)), C = w; has_C = K > 0)         \
    SPARSE_KERNEL(built_norm_##t, (I, j), (C, CSR, i, j),                                                                   \
                  all(where((s, double), (k, j), all((P, T, i, k), (Q, CSR, k, j)), s += P * Q), PRODUCT_ROW(T)),           \
                  C = w / s)                                                                                                \
    SPARSE_KERNEL(built_hops_##t, (i, j), (C, DCSR, i, j),                                                                  \
                  all(where(from(1000, w, SVEC, j), (k, j), all((A, T, i, k), (E, MAT, k, j)), w = fmin(w, A + E))), C = w) \
    SPARSE_KERNEL(built_whole_##t, (i, j), (y, VEC, i),                                                                     \
                  all((K, T, i, j), where((W, DCSR, i, j), (i, k, j), all((A, T, i, k), (N, CSR, k, j)), W += A * N)),      \
                  y += W * K)                                                                                               \
    SPARSE_KERNEL(built_rows_##t, (I, j), (y, VEC, i),                                                                      \
                  all((K, T, i, j), where((W, CSR, i, j), (i, k, j), all((A, T, i, k), (N, CSR, k, j)), W += A * N)),       \
                  y += W * K)
#define PRODUCT_ROW(...) where((w, SVEC, j), (k, j), all((A, __VA_ARGS__, i, k), (N, CSR, k, j)), w += A * N)
MATRIX_KERNELS(csr, CSR, parallel(i))
MATRIX_KERNELS(dcsr, DCSR, parallel(i))
MATRIX_KERNELS(coo, COO, i) /* loops over COO rows cannot be parallel */
MATRIX_KERNELS(cd, CD, parallel(i))
MATRIX_KERNELS(mat, MAT, parallel(i))

#define TEST_MATRICES(type)                                                                                                 \
    static void test_##type(const shape_of *s, const scene_of *x)                                                           \
    {                                                                                                                       \
        const size_t I = s->i, J = s->j;                                                                                    \
        double c[VOLUME] = {0}, rows[WIDE] = {0}, ahead[WIDE] = {0};                                                        \
        bool has[VOLUME] = {false};                                                                                         \
        size_t most = 0;                                                                                                    \
        type A = SPARSE_INIT(type), K = SPARSE_INIT(type);                                                                  \
        csr C = SPARSE_INIT(csr), N = SPARSE_INIT(csr);                                                                     \
        dcsr D = SPARSE_INIT(dcsr);                                                                                         \
        mat M = SPARSE_INIT(mat);                                                                                           \
        vec X = SPARSE_INIT(vec), z = SPARSE_INIT(vec);                                                                     \
        set_up(&A.t, I, J, 0, x->a);                                                                                        \
        set_up(&K.t, I, I, 0, x->e);                                                                                        \
        set_up(&N.t, J, I, 0, x->b);                                                                                        \
        set_up(&M.t, J, I, 0, x->b);                                                                                        \
        set_up(&X.t, I, 0, 0, x->u);                                                                                        \
        SPARSE_FOREACH(at, &A.t) has[at.dim[0] * J + at.dim[1]] = true;                                                     \
        C.t.hooks = D.t.hooks = z.t.hooks = &counting;                                                                      \
        for (size_t i = 0; i < I; i++)                                                                                      \
            for (size_t j = 0; j < I; j++) {                                                                                \
                double least = 1000;                                                                                        \
                for (size_t k = 0; k < J; k++)                                                                              \
                    if (has[i * J + k]) least = fmin(least, x->a[i * J + k] + x->b[k * I + j]);                             \
                c[i * I + j] = least < 1000 ? least : 0;                                                                    \
            }                                                                                                               \
        CHECK_RESULT(built_hops_##type(&D, &A, &M), SPARSE_OK);                                                             \
        CHECK_RESULT(sparse_validate(&D.t, NULL), SPARSE_OK);                                                               \
        CHECK(holds(&D.t, c));                                                                                              \
        for (size_t i = 0; i < I; i++)                                                                                      \
            for (size_t j = 0; j < I; j++) {                                                                                \
                double sum_of = 0;                                                                                          \
                bool met = false;                                                                                           \
                for (size_t k = 0; k < J; k++) {                                                                            \
                    sum_of += x->a[i * J + k] * x->b[k * I + j];                                                            \
                    met = met || (has[i * J + k] && x->b[k * I + j] > 0);                                                   \
                }                                                                                                           \
                rows[i] += sum_of * x->e[i * I + j];                                                                        \
                ahead[i] += sum_of * x->u[j];                                                                               \
                c[i * I + j] = x->e[i * I + j] > 0 ? sum_of : 0;                                                            \
                most += met && x->e[i * I + j] > 0;                                                                         \
            }                                                                                                               \
        CHECK_RESULT(built_mask_##type(&D, &K, &A, &N), SPARSE_OK);                                                         \
        CHECK_RESULT(sparse_validate(&D.t, NULL), SPARSE_OK);                                                               \
        CHECK(holds(&D.t, c) && D.t.val.length <= most);                                                                    \
        sparse_result (*const whole[])(vec *, const type *, const type *, const csr *) = {built_whole_##type,               \
                                                                                          built_rows_##type};               \
        for (size_t n = 0; n < 4; n++) {                                                                                    \
            sparse_free(&z.t);                                                                                              \
            CHECK_RESULT(n == 0  ? built_##type(&z, &A, &N, &K)                                                             \
                         : n < 3 ? whole[n - 1](&z, &K, &A, &N)                                                             \
                                 : built_either_##type(&z, &A, &N, &K, &K),                                                 \
                         SPARSE_OK);                                                                                        \
            for (size_t i = 0; i < I; i++) CHECK(((double *)z.t.val.at)[i] == (n == 3 ? 2 : 1) * rows[i]);                  \
        }                                                                                                                   \
        sparse_free(&z.t);                                                                                                  \
        CHECK_RESULT(built_ahead_##type(&z, &A, &N, &X), SPARSE_OK);                                                        \
        for (size_t i = 0; i < I; i++) CHECK(((double *)z.t.val.at)[i] == ahead[i]);                                        \
        sparse_free(&z.t);                                                                                                  \
        CHECK_RESULT(built_norm_##type(&C, &A, &N, &A, &N), SPARSE_OK);                                                     \
        CHECK_RESULT(sparse_validate(&C.t, NULL), SPARSE_OK);                                                               \
        SPARSE_FOREACH(at, &C.t)                                                                                            \
        {                                                                                                                   \
            double sum_of = 0, here = 0;                                                                                    \
            for (size_t j = 0; j < I; j++)                                                                                  \
                for (size_t k = 0; k < J; k++) {                                                                            \
                    const double term = x->a[at.dim[0] * J + k] * x->b[k * I + j];                                          \
                    sum_of += term;                                                                                         \
                    here += j == at.dim[1] ? term : 0;                                                                      \
                }                                                                                                           \
            CHECK(SPARSE_VALUE(at, double) == here / sum_of || sum_of == 0);                                                \
        }                                                                                                                   \
        sparse_tensor *const all[] = {&A.t, &K.t, &C.t, &N.t, &D.t, &M.t, &X.t, &z.t};                                      \
        for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);                                          \
        CHECK(books.live == 0 && books.mistakes == 0);                                                                      \
    }

TEST_MATRICES(csr)
TEST_MATRICES(dcsr)
TEST_MATRICES(coo)
TEST_MATRICES(cd)
TEST_MATRICES(mat)

/* Every allocation of a workspace fails once, and its positions run out: the kernel returns the error, without a leak. */
#define TINY tiny, SPARSE_VECTOR, double, 8, 16
SPARSE_TENSOR(TINY)
SPARSE_KERNEL(built_narrow, (i, j), (y, VEC, i),
              all(where((w, TINY, j), (k, j), all((A, CSR, i, k), (B, MAT, k, j)), w += A * B), (x, VEC, j)), y += w * x)
static void test_built_memory(void)
{
    enum { LONG = 300 };
    double a[2 * 2] = {1, 0, 2, 3}, b[2 * LONG], ones[LONG];
    for (size_t n = 0; n < LONG; n++) b[n] = 1, b[LONG + n] = 10, ones[n] = 1;
    const size_t of_a[] = {2, 2}, of_b[] = {2, LONG}, of_x = LONG;
    csr A = SPARSE_INIT(csr);
    dcsr C = SPARSE_INIT(dcsr);
    mat B = SPARSE_INIT(mat);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    A.t.hooks = C.t.hooks = B.t.hooks = x.t.hooks = y.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, of_a, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, of_b, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&x.t, &of_x, ones), SPARSE_OK);
    CHECK_RESULT(built_narrow(&y, &A, &B, &x), SPARSE_E_POSITION_WIDTH); /* 300 entries a row, positions of 8 bits */
    sparse_result r = SPARSE_E_MEMORY;
    size_t failures = 0;
    for (; r == SPARSE_E_MEMORY; failures++) {
        books.fail_at = books.calls + 1 + failures;
        r = built_hops_csr(&C, &A, &B);
        sparse_free(&C.t);
    }
    books.fail_at = 0;
    CHECK_RESULT(r, SPARSE_OK);
    CHECK(failures > 5);
    sparse_tensor *const all[] = {&A.t, &C.t, &B.t, &x.t, &y.t};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);
    CHECK(books.live == 0 && books.mistakes == 0);
}

int main(void)
{
    for (size_t n = 0; n < 10 * SHAPES; n++) {
        scene_of x;
        const shape_of *s = draw_scene(n, &x);
        test_mttkrp(s);
        test_csr(s, &x);
        test_dcsr(s, &x);
        test_coo(s, &x);
        test_cd(s, &x);
        test_mat(s, &x);
    }
    test_built_memory();
    return report("test_sparse_workspaces");
}
