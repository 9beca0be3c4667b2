/* test_row_workspaces.c: kernels whose workspace, where(), is a row. The kernel looks its elements up at the entries of
   other operands, and clears it for the next row: masks, sums, products that are read in part. Results are compared with
   loops over dense arrays, for operands in several encodings and small shapes of all kinds.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#include "workspaces.h"

/* >>batches: C(i,j,l) = M(j,l) * (sum_k B(i,j,k) * D(k,l)), with an inner loop in parallel. Each thread has a workspace of
   its own, which is empty before and after each iteration. */
SPARSE_KERNEL(batches_threads, (i, parallel(j), l), (C, CUBE, i, j, l),
              all((M, CSR, j, l), where((w, VEC, l), (k, l), all((B, CUBE, i, j, k), (D, CSR, k, l)), w += B * D)),
              C = M * w)

static void test_batches(const shape_of *s)
{
    double b[VOLUME], d[VOLUME], m[VOLUME], c[VOLUME] = {0};
    random_array(b, s->i * s->j * s->k, s->one_in);
    random_array(d, s->k * s->l, 2);
    random_array(m, s->j * s->l, 2);
    for (size_t i = 0; i < s->i; i++)
        for (size_t j = 0; j < s->j; j++)
            for (size_t k = 0; k < s->k; k++)
                for (size_t l = 0; l < s->l; l++)
                    c[(i * s->j + j) * s->l + l] += m[j * s->l + l] * b[(i * s->j + j) * s->k + k] * d[k * s->l + l];
    cube B = SPARSE_INIT(cube), C = SPARSE_INIT(cube);
    csr D = SPARSE_INIT(csr), M = SPARSE_INIT(csr);
    set_up(&B.t, s->i, s->j, s->k, b);
    set_up(&D.t, s->k, s->l, 0, d);
    set_up(&M.t, s->j, s->l, 0, m);
    C.t.hooks = &counting;
    CHECK_RESULT(batches_threads(&C, &M, &B, &D), SPARSE_OK);
    CHECK(holds(&C.t, c));
    sparse_free(&B.t);
    sparse_free(&C.t);
    sparse_free(&D.t);
    sparse_free(&M.t);
}

/* >>matrices. lookup: the workspace is a copy of a row. weighed: each of its values is a sum. masked: it is a mask.
   part_of: it is a row of a product, read at some elements only. both: there are two workspaces. */
#define MATRIX_KERNELS(t, T, I)                                                                                             \
    SPARSE_KERNEL(lookup_##t, (I, k, j), (y, VEC, i),                                                                       \
                  all((A, T, i, k), (N, CSR, k, j), where((w, VEC, j), (j), all((K, T, i, j)), w = K)), y += A * N * w)     \
    /* each value of w is a sum */                                                                                          \
    SPARSE_KERNEL(                                                                                                          \
        weighed_##t, (I, k, j), (y, VEC, i),                                                                                \
        all((A, T, i, k), (N, CSR, k, j), where((w, VEC, j), (j, l), all((K, T, i, j), (R, CSR, j, l)), w += K * R)),       \
        y += A * N * w)                                                                                                     \
    SPARSE_KERNEL(masked_##t, (I, k, j), (C, CSR, i, j),                                                                    \
                  all((A, T, i, k), (N, CSR, k, j), where((w, VEC, j), (j), all((K, T, i, j)), w = K)),                     \
                  if (w > 0) C += A * N;                                                                                    \
                  else has_C = false)                                                                                       \
    SPARSE_KERNEL(part_of_##t, (I, j), (C, CSR, i, j),                                                                      \
                  all((K, T, i, j), where((w, VEC, j), (k, j), all((A, T, i, k), (N, CSR, k, j)), w += A * N)), C = w;      \
                  has_C = w > 0 && K > 0)                                                                                   \
    SPARSE_KERNEL(both_##t, (i, k, j), (s, double),                                                                         \
                  all((A, T, i, k), (N, CSR, k, j), where((w, VEC, j), (j), all((K, T, i, j)), w += K),                     \
                      where((u, VEC, k), (k), any((E, T, i, k), (B, CSR, i, k)), u = E + B)),                               \
                  s += A * N * w * u)
MATRIX_KERNELS(csr, CSR, parallel(i))
MATRIX_KERNELS(dcsr, DCSR, parallel(i))
MATRIX_KERNELS(coo, COO, i) /* loops over COO rows cannot be parallel */
MATRIX_KERNELS(cd, CD, parallel(i))
MATRIX_KERNELS(mat, MAT, parallel(i))

#define TEST_MATRICES(type)                                                                                                 \
    static void test_##type(const shape_of *s, const scene_of *x)                                                           \
    {                                                                                                                       \
        const size_t I = s->i, J = s->j;                                                                                    \
        double c[VOLUME] = {0}, rows[WIDE] = {0}, weighed[WIDE] = {0}, both = 0, is_both = 0;                               \
        type A = SPARSE_INIT(type), E = SPARSE_INIT(type), K = SPARSE_INIT(type);                                           \
        csr B = SPARSE_INIT(csr), C = SPARSE_INIT(csr), N = SPARSE_INIT(csr);                                               \
        vec z = SPARSE_INIT(vec);                                                                                           \
        set_up(&A.t, I, J, 0, x->a);                                                                                        \
        set_up(&E.t, I, J, 0, x->e);                                                                                        \
        set_up(&K.t, I, I, 0, x->e);                                                                                        \
        set_up(&N.t, J, I, 0, x->b);                                                                                        \
        set_up(&B.t, I, J, 0, x->b);                                                                                        \
        C.t.hooks = z.t.hooks = &counting;                                                                                  \
        for (size_t i = 0; i < I; i++)                                                                                      \
            for (size_t j = 0; j < I; j++) {                                                                                \
                double sum_of = 0;                                                                                          \
                for (size_t k = 0; k < J; k++) {                                                                            \
                    const double term = x->a[i * J + k] * x->b[k * I + j];                                                  \
                    sum_of += term;                                                                                         \
                    both += term * x->e[i * I + j] * (x->e[i * J + k] + x->b[i * J + k]);                                   \
                }                                                                                                           \
                rows[i] += sum_of * x->e[i * I + j];                                                                        \
                for (size_t l = 0; l < J; l++) weighed[i] += sum_of * x->e[i * I + j] * x->b[j * J + l];                    \
                c[i * I + j] = x->e[i * I + j] > 0 ? sum_of : 0;                                                            \
            }                                                                                                               \
        CHECK_RESULT(lookup_##type(&z, &A, &N, &K), SPARSE_OK);                                                             \
        for (size_t i = 0; i < I; i++) CHECK(((double *)z.t.val.at)[i] == rows[i]);                                         \
        sparse_free(&z.t);                                                                                                  \
        CHECK_RESULT(weighed_##type(&z, &A, &N, &K, &B), SPARSE_OK);                                                        \
        for (size_t i = 0; i < I; i++) CHECK(((double *)z.t.val.at)[i] == weighed[i]);                                      \
        CHECK_RESULT(masked_##type(&C, &A, &N, &K), SPARSE_OK);                                                             \
        CHECK_RESULT(sparse_validate(&C.t, NULL), SPARSE_OK);                                                               \
        CHECK(holds(&C.t, c));                                                                                              \
        const size_t entries = C.t.val.length;                                                                              \
        CHECK_RESULT(part_of_##type(&C, &K, &A, &N), SPARSE_OK);                                                            \
        CHECK_RESULT(sparse_validate(&C.t, NULL), SPARSE_OK);                                                               \
        CHECK(holds(&C.t, c) && C.t.val.length <= entries);                                                                 \
        CHECK_RESULT(both_##type(&is_both, &A, &N, &K, &E, &B), SPARSE_OK);                                                 \
        CHECK(is_both == both);                                                                                             \
        sparse_tensor *const all[] = {&A.t, &E.t, &K.t, &B.t, &C.t, &N.t, &z.t};                                            \
        for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);                                          \
        CHECK(books.live == 0 && books.mistakes == 0);                                                                      \
    }

TEST_MATRICES(csr)
TEST_MATRICES(dcsr)
TEST_MATRICES(coo)
TEST_MATRICES(cd)
TEST_MATRICES(mat)

int main(void)
{
    for (size_t n = 0; n < 10 * SHAPES; n++) {
        scene_of x;
        const shape_of *s = draw_scene(n, &x);
        test_batches(s);
        test_csr(s, &x);
        test_dcsr(s, &x);
        test_coo(s, &x);
        test_cd(s, &x);
        test_mat(s, &x);
    }
    return report("test_row_workspaces");
}
