/* test_sums_with_coefficients.c: subscripts that are sums with coefficients, times(a, i), over tensors of three dimensions
   and over slices of them; and the coefficient zero, times(0, i).

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sums_in_3d.h"

#define CSC csc, SPARSE_CSC, double, 32, 32
SPARSE_TENSOR(CSC)

/* T(i + a p, j + b q, k + c r), where T is a whole tensor, or a slice */
#define DEEP_IN(name, type, loops, ...)                                                                                     \
    SPARSE_KERNEL(name##_dilated_##type, loops, (O, CUBE, i, j, k),                                                         \
                  all((T, __VA_ARGS__, plus(i, times(a, p)), plus(j, times(b, q)), plus(k, times(c, r))), (F, CUBE, p, q, r),\
                      (one, VEC, z), (a, size_t), (b, size_t), (c, size_t)),                                                \
                  O += T * F * one)                                                                                         \
    SPARSE_KERNEL(name##_part_##type, loops, (O, CUBE, i, j, k),                                                            \
                  all(slice(T, __VA_ARGS__, plus(i, times(a, p)), plus(j, q), plus(k, times(c, r))), (F, CUBE, p, q, r),    \
                      (one, VEC, z), (a, size_t), (c, size_t)),                                                             \
                  O += T * F * one)                                                                                         \
    static void test_##name##_##type(const deep *x, size_t order, const type *T)                                            \
    {                                                                                                                       \
        cube O = SPARSE_INIT(cube);                                                                                         \
        check_deep(x, DILATED_DEEP, order, &O,                                                                              \
                   name##_dilated_##type(&O, T, &x->F, &x->one, x->step[0], x->step[1], x->step[2]));                       \
        check_deep(x, PART_DEEP, order, &O, name##_part_##type(&O, T, x->part, &x->F, &x->one, x->step[0], x->step[2]));    \
    }
#define DEEP(type, TYPE)                                                                                                    \
    DEEP_IN(all, type, (i, j, k, let(z, come_by(0)), p, q, r), TYPE)                                                        \
    DEEP_IN(last, type, (k, let(z, come_by(0)), i, j, p, q, r), TYPE)                                                       \
    static void test_deep_##type(deep *x)                                                                                   \
    {                                                                                                                       \
        type T = SPARSE_INIT(type);                                                                                         \
        CHECK_RESULT(sparse_pack_dense_untyped(&T.t, x->dim, numbers), SPARSE_OK);                                                  \
        test_all_##type(x, ALL_FIRST, &T), test_last_##type(x, LAST_FIRST, &T);                                 \
        sparse_free(&T.t);                                                                                                  \
    }
DEEP_TYPES(DEEP)
static void test_deep(const size_t dim[3], const size_t window[3])
{
    static deep x;
    make_deep(&x, dim, window);
    DEEP_TYPES(DEEP_RUN)
    sparse_free(&x.F.t), sparse_free(&x.one.t);
}

/* times(0, p): the subscript does not depend on p; another operand gives p its size. y(i) = sum of x(2i+1) w(p) over p */
#define NONE 0
#define NAUGHT(name, TYPE, sum, ...)                                                                                        \
    SPARSE_KERNEL(name, (__VA_ARGS__), (y, VEC, i), all((x, TYPE, sum), (w, VEC, p)), y += x * w)
NAUGHT(naught_inside, SVEC, plus(times(2, i), times(0, p), (1)), i, p)
NAUGHT(naught_outside, SVEC, plus(times(0, p), times(2, i), (1)), p, i)
NAUGHT(naught_named, SVEC, plus((1), times(2, i), times(NONE, p)), i, p)
NAUGHT(naught_dense, VEC, plus(times(2, i), (1), times(0, p)), i, p)
SPARSE_KERNEL(naught_within, (i, p), (y, VEC, i), all(slice(x, SVEC, plus(times(2, i), times(0, p))), (w, VEC, p)),
              y += x * w)
SPARSE_KERNEL(naught_beyond, (i, p), (y, VEC, i), all(padded(x, SVEC, plus(times(2, i), times(0, p), (1))), (w, VEC, p)),
              y += x * w)
SPARSE_KERNEL(naught_beyond_dense, (p, i), (y, VEC, i),
              all(padded(x, VEC, plus(times(2, i), times(0, p), (1))), (w, VEC, p)), y += x * w)
SPARSE_KERNEL(naught_either, (i, p), (y, VEC, i), any((x, SVEC, plus(times(0, p), times(2, i), (1))), (w, SVEC, p)),
              y += x * w)
SPARSE_KERNEL(naught_alone, (i, range(p, 3)), (y, VEC, i), all((x, SVEC, plus(times(2, i), times(0, p), (1)))), y += x)
static void check_naught(vec *y, double sum, sparse_result result)
{
    CHECK_RESULT(result, SPARSE_OK);
    for (size_t i = 0; i < y->t.val.length; i++) {
        const double wanted = 2 * i + 1 < 4096 ? sum * numbers[2 * i + 1] : 0;
        CHECK(at(&y->t, i) >= wanted && at(&y->t, i) <= wanted);
        ((double *)y->t.val.at)[i] = 0;
    }
}
static void test_naught(size_t n, size_t window, size_t rare)
{
    const sparse_slice odd = {1, n - 1, 1};
    svec x = SPARSE_INIT(svec), u = SPARSE_INIT(svec);
    vec d = SPARSE_INIT(vec), w = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);
    const double sum = (double)window;
    const size_t far = n / 2 + 4;
    snprintf(subject, sizeof subject, "n %zu, window %zu, one in %zu", n, window, rare);
    memset(numbers, 0, sizeof numbers);
    fill_numbers(n, rare);
    pack(&x.t, n, 1), pack(&d.t, n, 1), ones(&w, window);
    CHECK_RESULT(sparse_convert(&u.t, &w.t), SPARSE_OK);
    check_naught(&y, sum, naught_inside(&y, &x, &w));
    CHECK(y.t.dim[0] == n / 2);
    check_naught(&y, sum, naught_outside(&y, &x, &w));
    check_naught(&y, sum, naught_named(&y, &x, &w));
    check_naught(&y, sum, naught_dense(&y, &d, &w));
    check_naught(&y, sum, naught_within(&y, &x, &odd, &w));
    check_naught(&y, sum, naught_either(&y, &x, &u));
    check_naught(&y, 3, naught_alone(&y, &x));
    CHECK_RESULT(sparse_allocate_dense(&z.t, &far), SPARSE_OK);
    check_naught(&z, sum, naught_beyond(&z, &x, &w));
    check_naught(&z, sum, naught_beyond_dense(&z, &d, &w));
    CHECK_RESULT(naught_inside(&z, &x, &w), SPARSE_E_SHAPE);
    sparse_free(&x.t), sparse_free(&u.t), sparse_free(&d.t), sparse_free(&w.t), sparse_free(&y.t), sparse_free(&z.t);
}

/* O(i,j) = sum of T(i, 2j+q) F(p,q) over p and q. Every p reads row i of T. */
#define NAUGHTS(name, TYPE, ...)                                                                                            \
    SPARSE_KERNEL(name, (__VA_ARGS__), (O, MAT, i, j),                                                                      \
                  all((T, TYPE, plus(i, times(0, p)), plus(times(0, i), times(2, j), q)), (F, MAT, p, q)), O += T * F)
NAUGHTS(naughts_csr, CSR, i, p, j, q)
NAUGHTS(naughts_csc, CSC, j, q, p, i)
NAUGHTS(naughts_dcsr, DCSR, p, i, j, q)
NAUGHTS(naughts_coo, COO, i, j, q, p)
NAUGHTS(naughts_mat, MAT, q, p, j, i)
static void test_naughts(size_t n, size_t m, size_t a, size_t b)
{
    mat D = SPARSE_INIT(mat), F = SPARSE_INIT(mat);
    mat O[5] = {SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(mat)};
    csr R = SPARSE_INIT(csr);
    csc C = SPARSE_INIT(csc);
    dcsr E = SPARSE_INIT(dcsr);
    coo G = SPARSE_INIT(coo);
    const size_t window[2] = {a, b};
    snprintf(subject, sizeof subject, "%zu x %zu, window %zu x %zu", n, m, a, b);
    pack(&D.t, n, m), pack(&R.t, n, m), pack(&C.t, n, m), pack(&E.t, n, m), pack(&G.t, n, m);
    CHECK_RESULT(sparse_allocate_dense(&F.t, window), SPARSE_OK);
    for (size_t k = 0; k < a * b; k++) ((double *)F.t.val.at)[k] = (double)(k % 3 + 1);
    CHECK_RESULT(naughts_csr(&O[0], &R, &F), SPARSE_OK);
    CHECK_RESULT(naughts_csc(&O[1], &C, &F), SPARSE_OK);
    CHECK_RESULT(naughts_dcsr(&O[2], &E, &F), SPARSE_OK);
    CHECK_RESULT(naughts_coo(&O[3], &G, &F), SPARSE_OK);
    CHECK_RESULT(naughts_mat(&O[4], &D, &F), SPARSE_OK);
    for (size_t k = 0; k < 5; k++) {
        const size_t columns = b == 0 || b > m ? 0 : (m - b) / 2 + 1;
        CHECK(O[k].t.dim[0] == n && (O[k].t.dim[1] == columns || b == 0));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < columns; j++) {
                double sum = 0;
                for (size_t p = 0; p < a; p++)
                    for (size_t q = 0; q < b; q++) sum += numbers[i * m + 2 * j + q] * at(&F.t, p * b + q);
                CHECK(at(&O[k].t, i * columns + j) >= sum && at(&O[k].t, i * columns + j) <= sum);
            }
        sparse_free(&O[k].t);
    }
    sparse_free(&D.t), sparse_free(&R.t), sparse_free(&C.t), sparse_free(&E.t), sparse_free(&G.t), sparse_free(&F.t);
}

int main(void)
{
    for (size_t turn = 0; turn < 60; turn++) {
        size_t dim[3], filter[3];
        for (size_t d = 0; d < 3; d++) filter[d] = 1 + random_below(5), dim[d] = filter[d] + random_below(8);
        fill_numbers(dim[0] * dim[1] * dim[2], 1 + turn);
        test_deep(dim, filter);
    }
    for (size_t turn = 0; turn < 60; turn++) {
        test_naught(2 + random_below(40), turn % 4, 1 + turn % 9);
        const size_t n = 1 + random_below(12), m = 1 + random_below(12);
        fill_numbers(n * m, 1 + turn % 9);
        test_naughts(n, m, turn % 4, random_below(14));
    }
    return report("test_sums_with_coefficients");
}
