/* test_sums_in_3d.c: kernels that read several levels of tensors with three and more dimensions at sums of indices: their
   results, how often their loops run, tensors in batches, and Figures 7 and 9 of Liu et al. (2024).

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sums_in_3d.h"

#define DEEP_IN(name, type, loops, ...)                                                                                     \
    SPARSE_KERNEL(name##_##type, loops, (O, CUBE, i, j, k),                                                                 \
                  all((T, __VA_ARGS__, plus(i, p), plus(j, q), plus(k, r)), (F, CUBE, p, q, r), (one, VEC, z)),             \
                  O += T * F * one)
#define DEEP_OUT(name, type, loops, ...)                                                                                    \
    SPARSE_KERNEL(                                                                                                          \
        name##_##type, loops, (O, CUBE, i, j, k),                                                                           \
        all(padded(T, __VA_ARGS__, plus(i, p, (-1)), plus(j, q, (-1)), plus(k, r, (-1))), (F, CUBE, p, q, r),            \
            (one, VEC, z)),                                                                                                 \
        O += T * F * one)
#define DEEP(type, TYPE)                                                                                                    \
    DEEP_IN(deep, type, (i, j, k, let(z, come_by(0)), p, q, r), TYPE)                                                       \
    DEEP_OUT(deep_out, type, (i, j, k, let(z, come_by(0)), p, q, r), TYPE)                                                  \
    DEEP_OUT(last_out, type, (k, let(z, come_by(0)), i, j, p, q, r), TYPE)                                                  \
    DEEP_IN(last, type, (k, let(z, come_by(0)), i, j, p, q, r), TYPE)                                                       \
    DEEP_IN(two, type, (j, k, let(z, come_by(0)), i, p, q, r), TYPE)                                                        \
    static void test_deep_##type(deep *x)                                                                                   \
    {                                                                                                                       \
        type T = SPARSE_INIT(type);                                                                                         \
        cube O = SPARSE_INIT(cube);                                                                                         \
        CHECK_RESULT(sparse_pack_dense_untyped(&T.t, x->dim, numbers), SPARSE_OK);                                                  \
        check_deep(x, PLAIN_DEEP, ALL_FIRST, &O, deep_##type(&O, &T, &x->F, &x->one));                                      \
        check_deep(x, PLAIN_DEEP, LAST_FIRST, &O, last_##type(&O, &T, &x->F, &x->one));                                     \
        check_deep(x, PLAIN_DEEP, TWO_FIRST, &O, two_##type(&O, &T, &x->F, &x->one));                                       \
        CHECK_RESULT(sparse_allocate_dense(&O.t, x->size[OUT_DEEP]), SPARSE_OK);                                            \
        check_deep(x, OUT_DEEP, ALL_FIRST, &O, deep_out_##type(&O, &T, &x->F, &x->one));                                    \
        check_deep(x, OUT_DEEP, LAST_FIRST, &O, last_out_##type(&O, &T, &x->F, &x->one));                                   \
        sparse_free(&T.t);                                                                                                  \
    }
DEEP_TYPES(DEEP)
/* O(i,j,k) = T(i+p, j, k+r) F(p,0,r) */
SPARSE_KERNEL(deep_row, (i, j, k, let(z, come_by(0)), p, l, r), (O, CUBE, i, j, k),
              all((T, DDC, plus(i, p), j, plus(k, r)), (F, CUBE, p, l, r), (one, VEC, z)), O += T * F * one)
static void test_deep(const size_t dim[3], const size_t window[3])
{
    static deep x;
    make_deep(&x, dim, window);
    DEEP_TYPES(DEEP_RUN)
    if (window[1] == 1) {
        ddc T = SPARSE_INIT(ddc);
        cube O = SPARSE_INIT(cube);
        CHECK_RESULT(sparse_pack_dense_untyped(&T.t, dim, numbers), SPARSE_OK);
        check_deep(&x, PLAIN_DEEP, ALL_FIRST, &O, deep_row(&O, &T, &x.F, &x.one));
        sparse_free(&T.t);
    }
    sparse_free(&x.F.t), sparse_free(&x.one.t);
}

/* batches: a batch level and a dense level at padded sums. ahead: prefetch(j) must not prefetch c, which is read at a
   sum. */
#define BATCHED batched, SPARSE_BATCHED_CSR, double, 32, 32
SPARSE_TENSOR(BATCHED)
SPARSE_KERNEL(batches, (i, p, j, k), (O, CUBE, i, j, k),
              all(padded(T, BATCHED, plus(i, p, (-1)), plus(j, p), k), (F, VEC, p)), O += T * F)
SPARSE_KERNEL(ahead, (i, prefetch(j), k), (O, MAT, i, k), all((A, CSR, i, j), (B, MAT, j, k), (c, VEC, plus(k, i))),
              O += A * B * c)
/* In each batch, the loops over j and k visit exactly those positions whose window contains an entry. */
#define BATCHED_ROWS  batched_rows, ((i, j, k), (batch, i), (compressed, j), (compressed, k)), double, 16, 8
#define BATCHED_LOOSE batched_loose, ((i, j, k), (batch, i), (dense, j), (loose_compressed, k)), double, 8, 64
#define BATCHED_GRID  batched_grid, ((i, j, k, l), (batch, i), (batch, j), (dense, k), (compressed, l)), double, 32, 32
SPARSE_TENSOR(BATCHED_ROWS)
SPARSE_TENSOR(BATCHED_LOOSE)
SPARSE_TENSOR(BATCHED_GRID)
#define IN_BATCHES(type, TYPE)                                                                                              \
    SPARSE_KERNEL(across_##type, (i, j, k, let(z, come_by(0)), p, q), (O, CUBE, i, j, k),                                   \
                  all((T, TYPE, i, plus(j, p), plus(k, q)), (F, MAT, p, q), (one, VEC, z)), O += T * F * one)               \
    static void test_across_##type(const size_t dim[3])                                                                     \
    {                                                                                                                       \
        const size_t two[2] = {2, 2}, rows = dim[1] - 1, columns = dim[2] - 1;                                              \
        type T = SPARSE_INIT(type);                                                                                         \
        cube O = SPARSE_INIT(cube);                                                                                         \
        mat F = SPARSE_INIT(mat);                                                                                           \
        vec one = SPARSE_INIT(vec);                                                                                         \
        size_t held = 0;                                                                                                    \
        CHECK_RESULT(sparse_pack_dense_untyped(&T.t, dim, numbers), SPARSE_OK);                                                     \
        CHECK_RESULT(sparse_allocate_dense(&F.t, two), SPARSE_OK);                                                          \
        for (size_t n = 0; n < 4; n++) ((double *)F.t.val.at)[n] = (double)n;                                               \
        ones(&one, 1);                                                                                                      \
        visits[0] = 0;                                                                                                      \
        CHECK_RESULT(across_##type(&O, &T, &F, &one), SPARSE_OK);                                                           \
        for (size_t n = 0; n < dim[0] * rows * columns; n++) {                                                              \
            const double *x = &numbers[(n / (rows * columns) * dim[1] + n / columns % rows) * dim[2] + n % columns];        \
            const double sum = x[1] + 2 * x[dim[2]] + 3 * x[dim[2] + 1];                                                    \
            held += sum + x[0] > 0;                                                                                         \
            CHECK(at(&O.t, n) >= sum && at(&O.t, n) <= sum);                                                                \
        }                                                                                                                   \
        CHECK(visits[0] == held);                                                                                           \
        sparse_free(&T.t), sparse_free(&O.t), sparse_free(&F.t), sparse_free(&one.t);                                       \
    }
IN_BATCHES(batched, BATCHED)
IN_BATCHES(batched_rows, BATCHED_ROWS)
IN_BATCHES(batched_loose, BATCHED_LOOSE)
/* s = T(h+o, i, j+p, k+q) F(p,q): the batch level is read at a sum, too */
SPARSE_KERNEL(batches_open, (h, i, j, k, o, p, q), (s, double),
              all((T, BATCHED_GRID, plus(h, o), i, plus(j, p), plus(k, q)), (u, VEC, o), (F, MAT, p, q)), s += T * u * F)
static void test_batches(void)
{
    batched T = SPARSE_INIT(batched);
    batched_grid S = SPARSE_INIT(batched_grid);
    cube O = SPARSE_INIT(cube);
    vec F = SPARSE_INIT(vec), c = SPARSE_INIT(vec);
    csr A = SPARSE_INIT(csr);
    mat B = SPARSE_INIT(mat), P = SPARSE_INIT(mat), W = SPARSE_INIT(mat);
    const size_t dim[3] = {4, 3, 5}, dims[4] = {3, 2, 2, 5}, two[2] = {2, 2};
    double s = 0, whole = 0;
    fill_numbers(60, 2);
    CHECK_RESULT(sparse_pack_dense_untyped(&T.t, dim, numbers), SPARSE_OK);
    CHECK_RESULT(sparse_allocate_dense(&O.t, dim), SPARSE_OK);
    ones(&F, 3), ones(&c, 8);
    CHECK_RESULT(sparse_allocate_dense(&W.t, two), SPARSE_OK);
    for (size_t n = 0; n < 4; n++) ((double *)W.t.val.at)[n] = 1;
    CHECK_RESULT(batches(&O, &T, &F), SPARSE_OK);
    for (size_t n = 0; n < 60; n++) {
        double sum = 0;
        for (size_t p = 0; p < 3; p++) {
            const size_t i = n / 15 + p, j = n / 5 % 3 + p; /* i - 1 */
            sum += i > 0 && i <= 4 && j < 3 ? numbers[((i - 1) * 3 + j) * 5 + n % 5] : 0;
        }
        CHECK(at(&O.t, n) >= sum && at(&O.t, n) <= sum);
    }
    pack(&A.t, 4, 3), pack(&B.t, 3, 5);
    CHECK_RESULT(sparse_pack_dense_untyped(&S.t, dims, numbers), SPARSE_OK);
    CHECK_RESULT(batches_open(&s, &S, &F, &W), SPARSE_OK); /* o is as large as the batches */
    for (size_t n = 0; n < 60; n++) whole += numbers[n] * (n % 5 % 4 ? 2 : 1);
    CHECK(s >= whole && s <= whole);
    CHECK_RESULT(ahead(&P, &A, &B, &c), SPARSE_OK);
    for (size_t n = 0; n < 20; n++) {
        double sum = 0;
        for (size_t j = 0; j < 3; j++) sum += numbers[n / 5 * 3 + j] * numbers[j * 5 + n % 5];
        CHECK(at(&P.t, n) >= sum && at(&P.t, n) <= sum);
    }
    sparse_free(&T.t), sparse_free(&O.t), sparse_free(&F.t), sparse_free(&c.t);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&P.t), sparse_free(&S.t), sparse_free(&W.t);
}

/* Figure 7: B(i+j+k, l+m) with C(i,j,k). Figures 8 and 9: A(i,j) = B(i) + C(i+j), all sparse; j has the size of u. */
SPARSE_KERNEL(merged, (i, j, m, k, l), (s, double),
              all((B, DCSR, plus(i, j, k), plus(l, m)), (C, CSF, i, j, k), (W, MAT, l, m)), s += B * C * W)
SPARSE_KERNEL(merged_in_order, (i, j, k, l, m), (s, double),
              all((B, CSR, plus(i, j, k), plus(l, m)), (C, CSF, i, j, k), (W, MAT, l, m)), s += B * C * W)
SPARSE_KERNEL(spread, (i, j), (A, DCSR, i, j), all((u, VEC, j), any((B, SVEC, i), (C, SVEC, plus(i, j)))), A = B + C)
enum { ROOM = 40 };
static void fill_some(double *values, size_t count)
{
    for (size_t n = 0; n < count; n++) values[n] = random_below(2) ? (double)(1 + random_below(5)) : 0;
}
static void test_figure_7(const size_t size[5])
{
    const size_t rows = size[0] + size[1] + size[2] - 2, columns = size[3] + size[4] - 1;
    const size_t of_b[] = {rows, columns}, of_w[] = {size[3], size[4]};
    double b[ROOM], c[ROOM], w[ROOM], s = 0, in_order = 0, wanted = 0;
    dcsr B = SPARSE_INIT(dcsr);
    csr R = SPARSE_INIT(csr);
    csf C = SPARSE_INIT(csf);
    mat W = SPARSE_INIT(mat);
    fill_some(b, rows * columns), fill_some(c, size[0] * size[1] * size[2]), fill_some(w, size[3] * size[4]);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, of_b, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&R.t, of_b, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&C.t, size, c), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&W.t, of_w, w), SPARSE_OK);
    CHECK_RESULT(merged(&s, &B, &C, &W), SPARSE_OK);
    CHECK_RESULT(merged_in_order(&in_order, &R, &C, &W), SPARSE_OK);
    for (size_t n = 0; n < size[0] * size[1] * size[2]; n++)
        for (size_t o = 0; o < size[3] * size[4]; o++) {
            const size_t row = n / size[2] / size[1] + n / size[2] % size[1] + n % size[2];
            wanted += b[row * columns + o / size[4] + o % size[4]] * c[n] * w[o];
        }
    CHECK(s >= wanted && s <= wanted && in_order >= wanted && in_order <= wanted);
    sparse_free(&B.t), sparse_free(&R.t), sparse_free(&C.t), sparse_free(&W.t);
}
static void test_figure_9(const size_t size[2])
{
    const size_t reach = size[0] + size[1] - 1;
    double b[ROOM], c[ROOM], a[ROOM];
    svec B = SPARSE_INIT(svec), C = SPARSE_INIT(svec);
    vec u = SPARSE_INIT(vec);
    dcsr A = SPARSE_INIT(dcsr);
    fill_some(b, size[0]), fill_some(c, reach);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, &size[0], b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&C.t, &reach, c), SPARSE_OK);
    CHECK_RESULT(sparse_allocate_dense(&u.t, &size[1]), SPARSE_OK);
    CHECK_RESULT(spread(&A, &u, &B, &C), SPARSE_OK);
    CHECK(A.t.dim[0] == size[0] && A.t.dim[1] == size[1]);
    CHECK_RESULT(sparse_unpack_dense_untyped(&A.t, a), SPARSE_OK);
    for (size_t n = 0; n < size[0] * size[1]; n++) {
        const double wanted = b[n / size[1]] + c[n / size[1] + n % size[1]];
        CHECK(a[n] >= wanted && a[n] <= wanted);
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&u.t);
}

int main(void)
{
    for (size_t turn = 0; turn < 100; turn++) {
        size_t size[5];
        for (size_t d = 0; d < 5; d++) size[d] = 1 + random_below(3);
        test_figure_7(size);
        size[0] = 1 + random_below(8);
        test_figure_9(size);
    }
    for (size_t turn = 0; turn < 30; turn++) {
        size_t dim[3], filter[3];
        for (size_t d = 0; d < 3; d++) filter[d] = 1 + random_below(5), dim[d] = filter[d] + random_below(8);
        fill_numbers(dim[0] * dim[1] * dim[2], 1 + turn);
        test_deep(dim, filter);
    }
    test_batches();
    for (size_t turn = 0; turn < 60; turn++) {
        const size_t dim[3] = {1 + random_below(4), 2 + random_below(6), 2 + random_below(15)};
        snprintf(subject, sizeof subject, "%zu batches of %zu x %zu", dim[0], dim[1], dim[2]);
        fill_numbers(dim[0] * dim[1] * dim[2], 1 + turn);
        test_across_batched(dim), test_across_batched_rows(dim), test_across_batched_loose(dim);
    }
    return report("test_sums_in_3d");
}
