/* test_sums_beside_others.c: sums as subscripts together with other features of a line: slices, results at sums, index sets,
   where(), ELL operands; and sizes and strides whose products overflow size_t.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sums.h"

#define BITS bits, SPARSE_BITMAP_ROWS, double, 32, 16
SPARSE_TENSOR(BITS)

/* Sums as subscripts of a slice: T(a + s (2i+p), b + t (j+q)), by rows and by columns, with the loops in the order of the
   levels and in another one. */
#define CSC csc, SPARSE_CSC, double, 32, 32
SPARSE_TENSOR(CSC)
#define PART(name, TYPE, ...)                                                                                               \
    SPARSE_KERNEL(name, (__VA_ARGS__), (O, MAT, i, j),                                                                      \
                  all(slice(T, TYPE, plus(times(2, i), p), plus(j, q)), (F, MAT, p, q)), O += T * F)
PART(part_mat, MAT, i, j, p, q)
PART(part_csr, CSR, i, j, p, q)
PART(part_csc, CSC, j, q, i, p)
PART(part_dcsr, DCSR, i, p, q, j)
PART(part_deep, DCSR, i, j, p, q)
PART(part_bits, BITS, i, p, q, j)
static void test_parts(const sparse_slice slice[2], size_t n, size_t m, size_t a, size_t b)
{
    mat D = SPARSE_INIT(mat), F = SPARSE_INIT(mat);
    mat O[6] = {SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(mat)};
    csr R = SPARSE_INIT(csr);
    csc C = SPARSE_INIT(csc);
    dcsr E = SPARSE_INIT(dcsr);
    bits B = SPARSE_INIT(bits);
    const size_t window[2] = {a, b};
    const bool fits = a <= slice[0].size && b <= slice[1].size;
    const size_t rows = fits ? (slice[0].size - a) / 2 + 1 : 0, columns = fits ? slice[1].size - b + 1 : 0;
    snprintf(subject, sizeof subject, "%zu x %zu of %zu x %zu, window %zu x %zu", slice[0].size, slice[1].size, n, m, a, b);
    pack(&D.t, n, m), pack(&R.t, n, m), pack(&C.t, n, m), pack(&E.t, n, m), pack(&B.t, n, m);
    CHECK_RESULT(sparse_allocate_dense(&F.t, window), SPARSE_OK);
    for (size_t k = 0; k < a * b; k++) ((double *)F.t.val.at)[k] = (double)(k % 3 + 1);
    CHECK_RESULT(part_mat(&O[0], &D, slice, &F), SPARSE_OK);
    CHECK_RESULT(part_csr(&O[1], &R, slice, &F), SPARSE_OK);
    CHECK_RESULT(part_csc(&O[2], &C, slice, &F), SPARSE_OK);
    CHECK_RESULT(part_dcsr(&O[3], &E, slice, &F), SPARSE_OK);
    CHECK_RESULT(part_deep(&O[4], &E, slice, &F), SPARSE_OK);
    CHECK_RESULT(part_bits(&O[5], &B, slice, &F), SPARSE_OK);
    for (size_t k = 0; k < 6; k++) {
        CHECK(!fits || (O[k].t.dim[0] == rows && O[k].t.dim[1] == columns));
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++) {
                double sum = 0;
                for (size_t p = 0; p < a; p++)
                    for (size_t q = 0; q < b; q++)
                        sum +=
                            (double)((p * b + q) % 3 + 1) * numbers[(slice[0].offset + (2 * i + p) * slice[0].stride) * m +
                                                                    slice[1].offset + (j + q) * slice[1].stride];
                CHECK(at(&O[k].t, i * columns + j) >= sum && at(&O[k].t, i * columns + j) <= sum);
            }
        sparse_free(&O[k].t);
    }
    sparse_free(&D.t), sparse_free(&R.t), sparse_free(&C.t), sparse_free(&E.t), sparse_free(&B.t), sparse_free(&F.t);
}

/* sizes and strides whose products overflow size_t */
SPARSE_KERNEL(strided, (i), (s, double), all(slice(x, SVEC, plus(times(2, i)))), s += x)
SPARSE_KERNEL(as_many, (i), (s, double), all((x, SVEC, i), (y, VEC, i)), s += x * y)
SPARSE_KERNEL(as_wide, (range(i, size)), (s, double), all((x, SVEC, i), (size, size_t)), s += x)
SPARSE_KERNEL(below, (i, p), (y, VEC, i), all((x, SVEC, plus(i, p, (-1))), (w, VEC, p)), y += x * w)
SPARSE_KERNEL(nowhere, (i, p), (y, VEC, i), all((x, SVEC, plus(times(step, i), p)), (w, VEC, p), (step, size_t)), y += x * w)
SPARSE_KERNEL(far, (range(i, size)), (s, double), all(padded(x, SVEC, plus(times(4, i))), (size, size_t)), s += x)
static void test_hostile(void)
{
    const sparse_slice slice = {2, 1, (SIZE_MAX >> 1) + 1};
    svec x = SPARSE_INIT(svec);
    double s = 0;
    for (size_t k = 0; k < 8; k++) numbers[k] = (double)(k + 1);
    pack(&x.t, 8, 1);
    CHECK_RESULT(strided(&s, &x, &slice), SPARSE_OK);
    CHECK(s >= 3 && s <= 3);
    CHECK_RESULT(far(&s, &x, SIZE_MAX / 4 + 2), SPARSE_E_OVERFLOW);

    /* SIZE_MAX must be refused as a size: inside the kernel it marks an unknown size, which agrees with every other size */
    const size_t few = 2;
    vec y = SPARSE_INIT(vec);
    CHECK_RESULT(sparse_allocate_dense(&y.t, &few), SPARSE_OK);
    CHECK_RESULT(as_wide(&s, &x, SIZE_MAX), SPARSE_E_OVERFLOW);
    CHECK_RESULT(as_many(&s, &x, &y), SPARSE_E_SHAPE);
    vec w = SPARSE_INIT(vec);
    CHECK_RESULT(sparse_allocate_dense(&w.t, &few), SPARSE_OK);
    CHECK_RESULT(below(&y, &x, &w), SPARSE_E_SHAPE);
    CHECK_RESULT(nowhere(&y, &x, &w, 1), SPARSE_OK);
    CHECK_RESULT(nowhere(&y, &x, &w, 0), SPARSE_E_ARGUMENT);
    CHECK_RESULT(nowhere(&y, &x, &w, SIZE_MAX), SPARSE_E_ARGUMENT);
    sparse_free(&w.t);
    x.t.dim[0] = x.t.lvl[0] = SIZE_MAX;
    CHECK_RESULT(as_many(&s, &x, &y), SPARSE_E_OVERFLOW);
    sparse_free(&x.t);
    sparse_free(&y.t);
}

/* Sums and index sets on both sides: c(i+2) = a(i+5), C(i,j) = A(rows(i),j), D(rows(i),j) = A(i,j). Elements outside the
   result are dropped; other elements of a dense result keep their values. */
SPARSE_KERNEL(moved, (i, let(u, i + 2, 12)), (c, SVEC, u), all((a, SVEC, plus(i, (5)))), c = a)
SPARSE_KERNEL(added, (i, let(u, i + 2)), update(c, SVEC, u), all((a, SVEC, plus(i, (5)))), c += a)
SPARSE_KERNEL(placed, (i, let(u, 2 * i + 1)), (c, VEC, u), all((a, SVEC, plus(i, (5)))), c = a)
SPARSE_KERNEL(picked, (i, let(u, rows[i]), j), (C, CSR, i, j), all((one, VEC, i), (A, CSR, u, j), (rows, const size_t *)),
              C = A * one)
SPARSE_KERNEL(dealt, (i, let(u, rows[i], size), j), (D, CSR, u, j),
              all((A, CSR, i, j), (rows, const size_t *), (size, size_t)), D += A)
static void test_windows(void)
{
    svec a = SPARSE_INIT(svec), c = SPARSE_INIT(svec);
    vec d = SPARSE_INIT(vec), one = SPARSE_INIT(vec);
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr), D = SPARSE_INIT(csr);
    const size_t rows[4] = {3, 0, 9, 3};
    double back[24];
    fill_numbers(24, 2);
    pack(&a.t, 16, 1);
    CHECK_RESULT(moved(&c, &a), SPARSE_OK);
    CHECK(c.t.dim[0] == 12);
    CHECK_RESULT(sparse_unpack_dense_untyped(&c.t, back), SPARSE_OK);
    for (size_t u = 0; u < 12; u++) {
        const double wanted = u < 2 ? 0 : numbers[u + 3];
        CHECK(back[u] >= wanted && back[u] <= wanted);
    }
    const size_t stored = sparse_entries(&c.t);
    double sum[12];
    fill_numbers(24, 1);
    pack(&a.t, 16, 1);
    for (size_t u = 0; u < 12; u++) sum[u] = back[u] > 0 ? back[u] + numbers[u + 3] : 0; /* unstored: unchanged */
    CHECK_RESULT(added(&c, &a), SPARSE_OK);
    CHECK(stored > 0 && stored < 10 && sparse_entries(&c.t) == stored);
    CHECK_RESULT(sparse_unpack_dense_untyped(&c.t, back), SPARSE_OK);
    for (size_t u = 0; u < 12; u++) CHECK(back[u] >= sum[u] && back[u] <= sum[u]);
    ones(&d, 9);
    CHECK_RESULT(placed(&d, &a), SPARSE_OK);
    for (size_t u = 0; u < 9; u++) {
        const double moves = u % 2 ? numbers[u / 2 + 5] : 0, wanted = moves > 0 ? moves : 1;
        CHECK(at(&d.t, u) >= wanted && at(&d.t, u) <= wanted);
    }
    pack(&A.t, 4, 3), ones(&one, 4);
    CHECK_RESULT(picked(&C, &one, &A, rows), SPARSE_OK); /* there is no row 9 */
    CHECK_RESULT(sparse_unpack_dense_untyped(&C.t, back), SPARSE_OK);
    for (size_t k = 0; k < 12; k++) {
        const double wanted = k / 3 == 2 ? 0 : numbers[rows[k / 3] * 3 + k % 3];
        CHECK(back[k] >= wanted && back[k] <= wanted);
    }
    CHECK_RESULT(dealt(&D, &A, rows, 8), SPARSE_OK);
    CHECK(D.t.dim[0] == 8 && D.t.dim[1] == 3);
    CHECK_RESULT(sparse_unpack_dense_untyped(&D.t, back), SPARSE_OK);
    for (size_t k = 0; k < 24; k++) {
        const double wanted = k / 3 == 0 ? numbers[3 + k] : k / 3 == 3 ? numbers[k % 3] + numbers[9 + k % 3] : 0;
        CHECK(back[k] >= wanted && back[k] <= wanted);
    }
    sparse_free(&a.t), sparse_free(&c.t), sparse_free(&d.t), sparse_free(&one.t);
    sparse_free(&A.t), sparse_free(&C.t), sparse_free(&D.t);
}

/* An index set and a sum on one side: O(i,j) = A(rows(i),j+p) f(p); P(rows(i),j+p) = the maximum of the elements A(i,j) that
   meet there. */
SPARSE_KERNEL(picked_windows, (i, let(u, rows[i]), p, j), (O, MAT, i, j),
              all((one, VEC, i), (A, CSR, u, plus(j, p)), (f, VEC, p), (rows, const size_t *)), O += A * f * one)
SPARSE_KERNEL(greatest_dealt, (i, let(u, rows[i], 5), j, p, let(v, j + p, 4)), from(-1, P, CSR, u, v),
              all((A, CSR, i, j), (f, VEC, p), (rows, const size_t *)), if (A > P) P = A)
static void test_sets_beside_sums(void)
{
    mat O = SPARSE_INIT(mat);
    vec one = SPARSE_INIT(vec), f = SPARSE_INIT(vec);
    csr A = SPARSE_INIT(csr), P = SPARSE_INIT(csr);
    const size_t rows[4] = {3, 0, 9, 3}; /* there is no row 9 */
    double back[20], most[20] = {0};
    fill_numbers(20, 2);
    pack(&A.t, 4, 5), ones(&one, 4), ones(&f, 2);
    CHECK_RESULT(picked_windows(&O, &one, &A, &f, rows), SPARSE_OK);
    CHECK(O.t.dim[0] == 4 && O.t.dim[1] == 4);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            const double *row = &numbers[rows[i] % 9 * 5 + j], wanted = i == 2 ? 0 : row[0] + row[1];
            CHECK(at(&O.t, 4 * i + j) >= wanted && at(&O.t, 4 * i + j) <= wanted);
        }
    CHECK_RESULT(greatest_dealt(&P, &A, &f, rows), SPARSE_OK);
    for (size_t k = 0; k < 40; k++) {
        const size_t i = k / 10, v = k / 2 % 5 + k % 2;
        double *place = &most[rows[i] % 9 * 4 + v % 4];
        if (i != 2 && v < 4 && numbers[k / 2] > *place) *place = numbers[k / 2];
    }
    CHECK(P.t.dim[0] == 5 && P.t.dim[1] == 4);
    CHECK_RESULT(sparse_unpack_dense_untyped(&P.t, back), SPARSE_OK);
    for (size_t k = 0; k < 20; k++) CHECK(back[k] >= most[k] && back[k] <= most[k]);
    sparse_free(&O.t), sparse_free(&one.t), sparse_free(&f.t), sparse_free(&A.t), sparse_free(&P.t);
}

/* Sums inside where(): rows_first adds up rows in a loop of its own; squared uses a sum twice. The outer statement runs
   where the window contains an entry, as if the operands of where() stood in all(...). */
SPARSE_KERNEL(rows_first, (i, j), (O, MAT, i, j),
              all(where((w, VEC, j), (p, j), all((I, CSR, plus(i, p), j), (f, VEC, p)), w += I * f), (b, VEC, j)),
              O = w * w + b)
SPARSE_KERNEL(squared, (i), (y, VEC, i),
              all(where((s, double), (p), all(padded(x, SVEC, plus(i, p, (-1))), (f, VEC, p)), s += x * f), (b, VEC, i)),
              y = s * s + b)
SPARSE_KERNEL(squared_window, (i, j), (O, MAT, i, j),
              all(where((s, double), (p, q), all((I, CSR, plus(i, p), plus(j, q)), (F, MAT, p, q)), s += I * F),
                  (b, VEC, j)),
              O = s * s + b)
static void test_where(void)
{
    csr J = SPARSE_INIT(csr);
    svec x = SPARSE_INIT(svec);
    vec f = SPARSE_INIT(vec), b = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    mat O = SPARSE_INIT(mat), F = SPARSE_INIT(mat);
    const size_t window[2] = {3, 2}, size = 20;
    ones(&f, 3), ones(&b, 4);
    CHECK_RESULT(sparse_allocate_dense(&F.t, window), SPARSE_OK);
    for (size_t k = 0; k < 6; k++) ((double *)F.t.val.at)[k] = (double)k + 1;
    for (size_t rare = 1; rare < 30; rare += 7) {
        fill_numbers(40, rare);
        pack(&J.t, 10, 4);
        CHECK_RESULT(rows_first(&O, &J, &f, &b), SPARSE_OK);
        CHECK(O.t.dim[0] == 8 && O.t.dim[1] == 4);
        for (size_t k = 0; k < 32; k++) {
            const double sum = numbers[k] + numbers[k + 4] + numbers[k + 8], wanted = sum * sum + 1;
            CHECK(at(&O.t, k) >= wanted && at(&O.t, k) <= wanted);
        }
        sparse_free(&O.t), sparse_free(&b.t), ones(&b, 3);
        CHECK_RESULT(squared_window(&O, &J, &F, &b), SPARSE_OK);
        CHECK(O.t.dim[0] == 8 && O.t.dim[1] == 3);
        for (size_t k = 0; k < 24; k++) {
            double sum = 0;
            for (size_t w = 0; w < 6; w++) sum += numbers[(k / 3 + w / 2) * 4 + k % 3 + w % 2] * (double)(w + 1);
            const double wanted = sum > 0 ? sum * sum + 1 : 0;
            CHECK(at(&O.t, k) >= wanted && at(&O.t, k) <= wanted);
        }
        sparse_free(&O.t), sparse_free(&b.t), ones(&b, size);
        pack(&x.t, size, 1);
        CHECK_RESULT(squared(&y, &x, &f, &b), SPARSE_OK);
        for (size_t i = 0; i < size; i++) {
            const double sum = (i ? numbers[i - 1] : 0) + numbers[i] + (i + 1 < size ? numbers[i + 1] : 0),
                         wanted = sum > 0 ? sum * sum + 1 : 0;
            CHECK(at(&y.t, i) >= wanted && at(&y.t, i) <= wanted);
        }
        sparse_free(&y.t), sparse_free(&b.t), ones(&b, 4);
    }
    sparse_free(&J.t), sparse_free(&x.t), sparse_free(&f.t), sparse_free(&b.t), sparse_free(&y.t), sparse_free(&O.t),
        sparse_free(&F.t);
}

/* A workspace that holds a stored row as an array and is read at a sum. It is cleared for the next row; the sum must fit. */
#define OPENED(name, TYPE)                                                                                                  \
    SPARSE_KERNEL(name, (r, range(p, 3), let(i, r - p), j, range(q, 2)), (O, MAT, i, j),                                    \
                  all(where((w, VEC, let(s, plus(j, q))), (s), all((I, TYPE, r, s)), w = I), (F, MAT, p, q)), O += w * F)
OPENED(opened_csr, CSR)
OPENED(opened_dcsr, DCSR)
OPENED(opened_coo, COO)
SPARSE_KERNEL(opened_beside, (parallel(i), p, j, q), (O, MAT, i, j),
              all(where((w, VEC, let(s, plus(q, j))), (s), all((I, CSR, plus(i, p), s)), w = I), (F, MAT, p, q)), O += w * F)
SPARSE_KERNEL(opened_twice, (i, p, j, q), (O, MAT, i, j),
              all(where((w, VEC, let(s, plus(times(2, j), q, (constant)))), (s), all((I, CSR, plus(i, p), s)), w += 2 * I),
                  (F, MAT, p, q), (constant, ptrdiff_t)),
              O += w * F)
/* if the sum does not fit, an existing result stays unchanged */
#define KEPT(name, ...)                                                                                                     \
    SPARSE_KERNEL(name, __VA_ARGS__, (y, SVEC, i),                                                                          \
                  all(where((w, VEC, let(s, plus(i, (1)))), (r, s), all((I, CSR, r, s)), w += I), (b, VEC, i)), y += w * b)
KEPT(opened_kept, (i))
KEPT(opened_kept_beside, (parallel(i)))
static void test_kept(void)
{
    csr A = SPARSE_INIT(csr);
    svec y = SPARSE_INIT(svec), before = SPARSE_INIT(svec);
    vec b = SPARSE_INIT(vec);
    const size_t size = 7;
    fill_numbers(70, 2);
    pack(&A.t, 10, 7);
    for (unsigned beside = 0; beside < 2; beside++) {
        CHECK_RESULT(sparse_pack_dense_untyped(&y.t, &size, numbers), SPARSE_OK);
        CHECK_RESULT(sparse_copy(&before.t, &y.t), SPARSE_OK);
        ones(&b, 7);
        CHECK_RESULT(beside ? opened_kept_beside(&y, &A, &b) : opened_kept(&y, &A, &b), SPARSE_E_SHAPE);
        bool equal = false;
        CHECK_RESULT(sparse_equal(&y.t, &before.t, 0, &equal), SPARSE_OK);
        CHECK(equal);
        sparse_free(&b.t), sparse_free(&y.t), sparse_free(&before.t), ones(&b, 6);
        CHECK_RESULT(beside ? opened_kept_beside(&y, &A, &b) : opened_kept(&y, &A, &b), SPARSE_OK);
        double sum[7] = {0};
        for (size_t k = 0; k < 70; k++) sum[k % 7] += numbers[k];
        SPARSE_FOREACH(c, &y.t)
        CHECK(!(SPARSE_VALUE(c, double) < sum[c.dim[0] + 1]) && !(SPARSE_VALUE(c, double) > sum[c.dim[0] + 1]));
        CHECK(y.t.dim[0] == 6);
        sparse_free(&b.t), sparse_free(&y.t);
    }
    sparse_free(&A.t);
}
static void test_opened(void)
{
    csr A = SPARSE_INIT(csr);
    dcsr B = SPARSE_INIT(dcsr);
    coo C = SPARSE_INIT(coo);
    mat O = SPARSE_INIT(mat), F = SPARSE_INIT(mat), P = SPARSE_INIT(mat);
    const size_t window[2] = {3, 2}, size[2] = {8, 6}, wide[2] = {8, 7}, half[2] = {8, 3};
    CHECK_RESULT(sparse_allocate_dense(&F.t, window), SPARSE_OK);
    for (size_t k = 0; k < 6; k++) ((double *)F.t.val.at)[k] = (double)k + 1;
    for (size_t rare = 1; rare < 30; rare += 7) {
        fill_numbers(70, rare);
        pack(&A.t, 10, 7), pack(&B.t, 10, 7), pack(&C.t, 10, 7);
        for (size_t line = 0; line < 4; line++) {
            CHECK_RESULT(sparse_allocate_dense(&O.t, size), SPARSE_OK);
            CHECK_RESULT(line == 0   ? opened_csr(&O, &A, &F)
                         : line == 1 ? opened_dcsr(&O, &B, &F)
                         : line == 2 ? opened_coo(&O, &C, &F)
                                     : opened_beside(&O, &A, &F),
                         SPARSE_OK);
            for (size_t k = 0; k < 48; k++) {
                double sum = 0;
                for (size_t w = 0; w < 6; w++) sum += numbers[(k / 6 + w / 2) * 7 + k % 6 + w % 2] * (double)(w + 1);
                CHECK(at(&O.t, k) >= sum && at(&O.t, k) <= sum);
            }
            sparse_free(&O.t);
        }
        CHECK_RESULT(sparse_allocate_dense(&P.t, half), SPARSE_OK);
        CHECK_RESULT(opened_twice(&P, &A, &F, 1), SPARSE_OK);
        for (size_t k = 0; k < 24; k++) {
            double sum = 0;
            for (size_t w = 0; w < 6; w++)
                sum += 2 * numbers[(k / 3 + w / 2) * 7 + 2 * (k % 3) + w % 2 + 1] * (double)(w + 1);
            CHECK(at(&P.t, k) >= sum && at(&P.t, k) <= sum);
        }
        CHECK_RESULT(opened_twice(&P, &A, &F, 2), SPARSE_E_SHAPE);
        CHECK_RESULT(opened_twice(&P, &A, &F, -1), SPARSE_E_SHAPE);
        sparse_free(&P.t);
    }
    CHECK_RESULT(sparse_allocate_dense(&O.t, wide), SPARSE_OK);
    CHECK_RESULT(opened_csr(&O, &A, &F), SPARSE_E_SHAPE);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&O.t), sparse_free(&F.t);
}

/* with an ELL operand, whose entries are distributed over slices */
#define ELL ell, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(ELL)
SPARSE_KERNEL(beside_slices, (count(i, 4), i, j, p), (y, VEC, i), all((A, ELL, i, j), (x, SVEC, plus(j, p)), (w, VEC, p)),
              y += A * x * w)
static void test_beside_slices(void)
{
    ell A = SPARSE_INIT(ell);
    svec x = SPARSE_INIT(svec);
    vec w = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    const size_t dim[2] = {6, 4}, size = 6;
    fill_numbers(24, 3);
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim, numbers), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&x.t, &size, numbers), SPARSE_OK);
    ones(&w, 3);
    CHECK_RESULT(beside_slices(&y, &A, &x, &w), SPARSE_OK);
    for (size_t i = 0; i < 6; i++) {
        double sum = 0;
        for (size_t j = 0; j < 4; j++)
            for (size_t p = 0; p < 3; p++) sum += numbers[i * 4 + j] * numbers[j + p];
        CHECK(at(&y.t, i) >= sum && at(&y.t, i) <= sum);
    }
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&w.t), sparse_free(&y.t);
}

int main(void)
{
    for (size_t turn = 0; turn < 100; turn++) {
        sparse_slice slice[2];
        size_t dim[2];
        for (size_t d = 0; d < 2; d++) {
            slice[d].offset = random_below(4), slice[d].size = 1 + random_below(10), slice[d].stride = 1 + random_below(3);
            dim[d] = slice[d].offset + (slice[d].size - 1) * slice[d].stride + 1 + random_below(4);
        }
        fill_numbers(dim[0] * dim[1], 1 + turn % 20);
        test_parts(slice, dim[0], dim[1], 1 + random_below(4), 1 + random_below(4));
    }
    test_windows();
    test_sets_beside_sums();
    test_where();
    test_kept();
    test_opened();
    test_beside_slices();
    test_hostile();
    return report("test_sums_beside_others");
}
