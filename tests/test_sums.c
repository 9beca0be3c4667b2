/* test_sums.c: the results of kernels with sums as subscripts, and how often their loops run: Figures 2, 3, 5 and 10 of Liu
   et al. (2024), its other examples, and its bounds. A loop let(z, come_by(n)) counts the iterations of the loop around it.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sums.h"

#define BITS       bits, SPARSE_BITMAP_ROWS, double, 32, 16
#define BIT_VECTOR bit_vector, SPARSE_BITMAP_VECTOR, double, 32, 8
SPARSE_TENSOR(BITS)
SPARSE_TENSOR(BIT_VECTOR)

/* Figures 2 and 3: A(i) = C(i+p) B(p). The outer loop visits exactly the offsets of windows with an entry (the document
   calls them non-empty subsections). */
SPARSE_KERNEL(convolve, (i, let(z, come_by(0)), p), (A, VEC, i), all((C, SVEC, plus(i, p)), (B, VEC, p), (one, VEC, z)),
              A += C * B * one + 0 * (double)come_by(1))
static void test_offsets(size_t n, size_t window, size_t rare)
{
    svec C = SPARSE_INIT(svec);
    vec A = SPARSE_INIT(vec), B = SPARSE_INIT(vec), one = SPARSE_INIT(vec);
    size_t offsets = 0, pairs = 0, stored = 0;
    snprintf(subject, sizeof subject, "n %zu, window %zu, one in %zu", n, window, rare);
    fill_numbers(n, rare);
    pack(&C.t, n, 1), ones(&B, window), ones(&one, 1);
    memset(visits, 0, sizeof visits);
    CHECK_RESULT(convolve(&A, &C, &B, &one), SPARSE_OK);
    const size_t size = A.t.dim[0];
    CHECK(window == 0 || size == (n < window ? 0 : n - window + 1));
    for (size_t k = 0; k < n; k++) stored += numbers[k] > 0;
    for (size_t i = 0; i < size && window > 0; i++) {
        double sum = 0;
        size_t within = 0;
        for (size_t p = 0; p < window; p++) sum += numbers[i + p], within += numbers[i + p] > 0;
        offsets += within > 0, pairs += within;
        CHECK(at(&A.t, i) >= sum && at(&A.t, i) <= sum);
    }
    CHECK(visits[0] == offsets && visits[1] == pairs);
    CHECK(visits[0] <= sparse_p_min(size, window * stored));
    sparse_free(&C.t), sparse_free(&A.t), sparse_free(&B.t), sparse_free(&one.t);
}
static void test_figure_3(void)
{
    svec C = SPARSE_INIT(svec);
    vec A = SPARSE_INIT(vec), B = SPARSE_INIT(vec), one = SPARSE_INIT(vec);
    memset(numbers, 0, sizeof numbers);
    numbers[2] = 1, numbers[8] = 2, numbers[9] = 3;
    pack(&C.t, 10, 1), ones(&B, 2), ones(&one, 1);
    visits[0] = 0;
    CHECK_RESULT(convolve(&A, &C, &B, &one), SPARSE_OK);
    CHECK(A.t.dim[0] == 9 && visits[0] == 4); /* i = 1, 2, 7 and 8 */
    for (size_t i = 0; i < 9; i++) CHECK((at(&A.t, i) > 0) == (i == 1 || i == 2 || i == 7 || i == 8));
    sparse_free(&C.t), sparse_free(&A.t), sparse_free(&B.t), sparse_free(&one.t);
}

/* Figure 10 (b): B(i+j+k), subsections of subsections. With coefficients, B(ei+fj+gk), and in a slice of B, a window counts
   as non-empty only if it has an entry that the sum can reach, not just any entry between its ends. */
#define THREE(name, view, TYPE, sum, ...)                                                                                   \
    SPARSE_KERNEL(name, (i, let(z, come_by(0)), j, let(y, come_by(1)), k), (s, double),                                     \
                  all(view(B, TYPE, sum), (u, VEC, i), (v, VEC, j), (w, VEC, k), (one, VEC, z), (two, VEC, y)__VA_ARGS__),  \
                  s += B * u * v * w * one * two)
#define WHOLE
THREE(three, WHOLE, SVEC, plus(i, j, k), )
THREE(three_apart, WHOLE, SVEC, plus(times(e, i), times(f, j), times(g, k)), , (e, size_t), (f, size_t), (g, size_t))
THREE(three_bits, WHOLE, BIT_VECTOR, plus(times(e, i), times(f, j), times(g, k)), , (e, size_t), (f, size_t), (g, size_t))
THREE(three_within, slice, SVEC, plus(times(e, i), j, times(g, k)), , (e, size_t), (g, size_t))
THREE(three_bits_within, slice, BIT_VECTOR, plus(times(e, i), j, times(g, k)), , (e, size_t), (g, size_t))
static void test_three(size_t n, const size_t size[3], const size_t step[3], sparse_slice part, size_t rare)
{
    svec B = SPARSE_INIT(svec);
    bit_vector C = SPARSE_INIT(bit_vector);
    vec u = SPARSE_INIT(vec), v = SPARSE_INIT(vec), w = SPARSE_INIT(vec), one = SPARSE_INIT(vec);
    const size_t a = size[0], b = size[1], c = size[2];
    const bool once = step[0] * step[1] * step[2] == 1, within = part.stride > 0;
    size_t outer = 0, inner = 0;
    double s = 0, sum = 0, of_bits = 0;
    snprintf(subject, sizeof subject, "n %zu: %zu %zu %zu, steps %zu %zu %zu of %zu", n, a, b, c, step[0], step[1], step[2],
             part.stride);
    fill_numbers(n, rare);
    pack(&B.t, n, 1), pack(&C.t, n, 1), ones(&u, a), ones(&v, b), ones(&w, c), ones(&one, 1);
    memset(visits, 0, sizeof visits);
    const bool fits =
        a == 0 || b == 0 || c == 0 || (a - 1) * step[0] + (b - 1) * step[1] + (c - 1) * step[2] < (within ? part.size : n);
    const sparse_result wanted = fits ? SPARSE_OK : SPARSE_E_SHAPE;
    if (within)
        CHECK_RESULT(three_within(&s, &B, &part, &u, &v, &w, &one, &one, step[0], step[2]), wanted);
    else if (once)
        CHECK_RESULT(three(&s, &B, &u, &v, &w, &one, &one), wanted);
    else
        CHECK_RESULT(three_apart(&s, &B, &u, &v, &w, &one, &one, step[0], step[1], step[2]), wanted);
    for (size_t i = 0; i < a && fits; i++) {
        bool any = false;
        for (size_t j = 0; j < b; j++) {
            bool here = false;
            for (size_t k = 0; k < c; k++) {
                const size_t at_b = i * step[0] + j * step[1] + k * step[2];
                const double x = numbers[within ? part.offset + part.stride * at_b : at_b];
                sum += x, here = here || x > 0;
            }
            inner += here, any = any || here;
        }
        outer += any;
    }
    CHECK(s >= sum && s <= sum && visits[0] == outer && visits[1] == inner);
    memset(visits, 0, sizeof visits);
    if (within)
        CHECK_RESULT(three_bits_within(&of_bits, &C, &part, &u, &v, &w, &one, &one, step[0], step[2]), wanted);
    else
        CHECK_RESULT(three_bits(&of_bits, &C, &u, &v, &w, &one, &one, step[0], step[1], step[2]), wanted);
    CHECK(of_bits >= sum && of_bits <= sum && visits[0] == outer && visits[1] == inner);
    sparse_free(&B.t), sparse_free(&C.t), sparse_free(&u.t), sparse_free(&v.t), sparse_free(&w.t), sparse_free(&one.t);
}

/* Figures 5 and 10 (c): T(i+p, j+q) in several encodings, with loops in the order of the levels and in another one. */
#define ACROSS(name, TYPE)                                                                                                  \
    SPARSE_KERNEL(name, (i, let(z, come_by(0)), j, let(y, come_by(1)), p, q), (O, MAT, i, j),                               \
                  all((T, TYPE, plus(i, p), plus(j, q)), (F, MAT, p, q), (one, VEC, z), (two, VEC, y)),                     \
                  O += T * F * one * two)
#define ALONG(name, TYPE)                                                                                                   \
    SPARSE_KERNEL(name, (i, let(z, come_by(0)), p, j, let(y, come_by(1)), q), (O, MAT, i, j),                               \
                  all((T, TYPE, plus(i, p), plus(j, q)), (F, MAT, p, q), (one, VEC, z), (two, VEC, y)),                     \
                  O += T * F * one * two)
ACROSS(across_csr, CSR)
ACROSS(across_dcsr, DCSR)
ACROSS(across_bits, BITS)
ALONG(along_csr, CSR)
ALONG(along_dcsr, DCSR)
ALONG(along_coo, COO)
ALONG(along_bits, BITS)
typedef enum way { ACROSS_CSR, ACROSS_DCSR, ACROSS_BITS, ALONG_CSR, ALONG_DCSR, ALONG_COO, ALONG_BITS, WAYS } way;
static void test_ways(way by, size_t n, size_t m, size_t a, size_t b)
{
    csr C = SPARSE_INIT(csr);
    dcsr D = SPARSE_INIT(dcsr);
    coo E = SPARSE_INIT(coo);
    bits B = SPARSE_INIT(bits);
    mat O = SPARSE_INIT(mat), F = SPARSE_INIT(mat);
    vec one = SPARSE_INIT(vec);
    const size_t dim[2] = {a, b}, rows = n - a + 1, columns = m - b + 1;
    const bool across = by < ALONG_CSR, dense = by != ACROSS_DCSR && by != ALONG_DCSR && by != ALONG_COO;
    size_t outer = 0, inner = 0;
    CHECK_RESULT(sparse_allocate_dense(&F.t, dim), SPARSE_OK);
    for (size_t k = 0; k < a * b; k++) ((double *)F.t.val.at)[k] = (double)(k % 3);
    ones(&one, 1), pack(&C.t, n, m), pack(&D.t, n, m), pack(&E.t, n, m), pack(&B.t, n, m);
    memset(visits, 0, sizeof visits);
    switch (by) {
    case ACROSS_CSR:
        CHECK_RESULT(across_csr(&O, &C, &F, &one, &one), SPARSE_OK);
        break;
    case ACROSS_DCSR:
        CHECK_RESULT(across_dcsr(&O, &D, &F, &one, &one), SPARSE_OK);
        break;
    case ACROSS_BITS:
        CHECK_RESULT(across_bits(&O, &B, &F, &one, &one), SPARSE_OK);
        break;
    case ALONG_CSR:
        CHECK_RESULT(along_csr(&O, &C, &F, &one, &one), SPARSE_OK);
        break;
    case ALONG_DCSR:
        CHECK_RESULT(along_dcsr(&O, &D, &F, &one, &one), SPARSE_OK);
        break;
    case ALONG_COO:
        CHECK_RESULT(along_coo(&O, &E, &F, &one, &one), SPARSE_OK);
        break;
    case ALONG_BITS:
        CHECK_RESULT(along_bits(&O, &B, &F, &one, &one), SPARSE_OK);
        break;
    case WAYS:
        break;
    }
    for (size_t i = 0; i < rows; i++) {
        bool any = dense;
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            size_t held = 0;
            for (size_t p = 0; p < a; p++) {
                bool row = false;
                for (size_t q = 0; q < b; q++) {
                    const double x = numbers[(i + p) * m + j + q];
                    sum += x * (double)((p * b + q) % 3), row = row || x > 0;
                }
                held += row;
            }
            inner += across ? held > 0 : held;
            CHECK(at(&O.t, i * columns + j) >= sum && at(&O.t, i * columns + j) <= sum);
        }
        for (size_t p = 0; p < a; p++)
            for (size_t j = 0; j < m; j++) any = any || numbers[(i + p) * m + j] > 0;
        outer += any;
    }
    snprintf(subject, sizeof subject, "way %d, %zu x %zu, %zu x %zu: %zu %zu of %zu %zu", (int)by, n, m, a, b, visits[0],
             visits[1], outer, inner);
    CHECK(visits[0] == outer && visits[1] == inner);
    sparse_free(&C.t), sparse_free(&D.t), sparse_free(&E.t), sparse_free(&B.t), sparse_free(&O.t), sparse_free(&F.t),
        sparse_free(&one.t);
}

/* T(h+o, i+p, j+q, k+r): four dimensions and the greatest number of loops. Also the sum over a dimension so long that a loop
   over all its positions would take hours. */
#define CSF4 csf4, ((h, i, j, k), (compressed, h), (compressed, i), (compressed, j), (compressed, k)), double, 32, 32
#define DCCC dccc, ((h, i, j, k), (dense, h), (compressed, i), (compressed, j), (compressed, k)), double, 8, 32
#define DDDC dddc, ((h, i, j, k), (dense, h), (dense, i), (dense, j), (compressed, k)), double, 32, 64
#define DCDC dcdc, ((h, i, j, k), (dense, h), (compressed, i), (dense, j), (compressed, k)), double, 16, 32
#define FOUR four, SPARSE_DENSE_4D, double, 32, 32
SPARSE_TENSOR(CSF4)
SPARSE_TENSOR(DCCC)
SPARSE_TENSOR(DDDC)
SPARSE_TENSOR(DCDC)
SPARSE_TENSOR(FOUR)
typedef struct deeper {
    const size_t *dim, *at;
    const double *value;
    size_t count;
    four F, wanted;
    double sum;
} deeper;
#define DEEPER(type, TYPE)                                                                                                  \
    DEEPER_IN(deeper_##type, (O, FOUR, h, i, j, k), TYPE)                                                                   \
    DEEPER_IN(whole_##type, (O, double), TYPE)                                                                              \
    static void test_deeper_##type(const deeper *x)                                                                         \
    {                                                                                                                       \
        type T = SPARSE_INIT(type);                                                                                         \
        four O = SPARSE_INIT(four);                                                                                         \
        double sum = 0;                                                                                                     \
        CHECK_RESULT(sparse_pack_untyped(&T.t, x->dim, x->count, x->at, x->value, SPARSE_DUPLICATES_SUM), SPARSE_OK);               \
        CHECK_RESULT(whole_##type(&sum, &T, &x->F), SPARSE_OK);                                                             \
        CHECK(sum >= x->sum && sum <= x->sum);                                                                              \
        if (x->wanted.t.val.length) CHECK_RESULT(deeper_##type(&O, &T, &x->F), SPARSE_OK);                                  \
        for (size_t n = 0; n < x->wanted.t.val.length; n++)                                                                 \
            CHECK(at(&O.t, n) >= at(&x->wanted.t, n) && at(&O.t, n) <= at(&x->wanted.t, n));                                \
        sparse_free(&T.t), sparse_free(&O.t);                                                                               \
    }
#define DEEPER_IN(name, out, ...)                                                                                           \
    SPARSE_KERNEL(name, (h, i, j, k, o, p, q, r), out,                                                                      \
                  all((T, __VA_ARGS__, plus(h, o), plus(i, p), plus(j, q), plus(k, r)), (F, FOUR, o, p, q, r)), O += T * F)
DEEPER(csf4, CSF4)
DEEPER(dccc, DCCC)
DEEPER(dddc, DDDC)
DEEPER(dcdc, DCDC)
static void test_deeper(size_t far)
{
    enum { FEW = 40 };
    const size_t window[4] = {1 + random_below(3), 1 + random_below(3), 1 + random_below(3), 1 + random_below(3)};
    const size_t near[4] = {window[0] + random_below(3), window[1] + random_below(3), window[2] + random_below(3),
                            window[3] + random_below(8)},
                 dim[4] = {near[0], near[1], near[2], near[3] + far};
    const size_t count = random_below(FEW);
    size_t at_t[FEW][4], size[4];
    double value[FEW];
    deeper x = {dim, at_t[0], value, count, SPARSE_INIT(four), SPARSE_INIT(four), 0};
    snprintf(subject, sizeof subject, "%zu entries of %zu x %zu x %zu x %zu, window %zu x %zu x %zu x %zu", count, dim[0],
             dim[1], dim[2], dim[3], window[0], window[1], window[2], window[3]);
    for (size_t d = 0; d < 4; d++) size[d] = dim[d] - window[d] + 1;
    for (size_t n = 0; n < count; n++) {
        for (size_t d = 0; d < 4; d++) at_t[n][d] = random_below(near[d]);
        if (random_below(2)) at_t[n][3] += far;
        value[n] = (double)(1 + n % 7);
    }
    CHECK_RESULT(sparse_allocate_dense(&x.F.t, window), SPARSE_OK);
    for (size_t n = 0; n < x.F.t.val.length; n++) ((double *)x.F.t.val.at)[n] = (double)(n % 5);
    if (far == 0) CHECK_RESULT(sparse_allocate_dense(&x.wanted.t, size), SPARSE_OK);
    for (size_t n = 0; n < count; n++) /* an entry at at_t is in the windows that begin at at_t - offset */
        for (size_t m = 0; m < x.F.t.val.length; m++) {
            size_t place = 0, step = 1, rest = m;
            bool inside = true;
            for (size_t d = 4; d-- > 0; step *= size[d], rest /= window[d]) {
                const size_t from = at_t[n][d] - rest % window[d];
                inside = inside && from < size[d];
                place += from * step;
            }
            if (!inside) continue;
            x.sum += value[n] * at(&x.F.t, m);
            if (far == 0) ((double *)x.wanted.t.val.at)[place] += value[n] * at(&x.F.t, m);
        }
    test_deeper_csf4(&x), test_deeper_dccc(&x), test_deeper_dddc(&x), test_deeper_dcdc(&x);
    sparse_free(&x.F.t), sparse_free(&x.wanted.t);
}

/* the other examples of the document: A(i+j) B(i+k), A(2i+j), A(i,j) = B(i) + C(i+j), J(i,j+2) */
SPARSE_KERNEL(both, (i, j, k), (s, double),
              all((A, SVEC, plus(i, j)), (B, SVEC, plus(i, k)), (u, VEC, i), (v, VEC, j), (w, VEC, k)),
              s += A * B * u * v * w)
SPARSE_KERNEL(doubled, (i, j), (y, VEC, i), all((A, SVEC, plus(times(2, i), j)), (v, VEC, j)), y += A * v)
SPARSE_KERNEL(either, (i, j), (A, MAT, i, j), any((B, SVEC, i), (C, SVEC, plus(i, j))), A = B + C)
SPARSE_KERNEL(shifted, (i, j), (A, CSR, i, j), all((I, VEC, i), (J, CSR, i, plus(j, (2)))), A = I * J)
static void test_examples(void)
{
    svec A = SPARSE_INIT(svec), B = SPARSE_INIT(svec);
    vec u = SPARSE_INIT(vec), v = SPARSE_INIT(vec), w = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    mat M = SPARSE_INIT(mat);
    csr J = SPARSE_INIT(csr), S = SPARSE_INIT(csr);
    double s = 0, sum = 0, back[64];
    const size_t dim[2] = {12, 5};
    fill_numbers(64, 3);
    pack(&A.t, 16, 1), pack(&B.t, 12, 1), ones(&u, 10), ones(&v, 4), ones(&w, 3);
    CHECK_RESULT(both(&s, &A, &B, &u, &v, &w), SPARSE_OK);
    for (size_t i = 0; i < 10; i++)
        for (size_t j = 0; j < 4; j++)
            for (size_t k = 0; k < 3; k++) sum += numbers[i + j] * numbers[i + k];
    CHECK(s >= sum && s <= sum);
    CHECK_RESULT(doubled(&y, &A, &v), SPARSE_OK);
    CHECK(y.t.dim[0] == 7);
    for (size_t i = 0; i < y.t.dim[0]; i++) {
        sum = 0;
        for (size_t j = 0; j < 4; j++) sum += numbers[2 * i + j];
        CHECK(at(&y.t, i) >= sum && at(&y.t, i) <= sum);
    }
    CHECK_RESULT(sparse_allocate_dense(&M.t, dim), SPARSE_OK);
    CHECK_RESULT(either(&M, &B, &A), SPARSE_OK);
    for (size_t k = 0; k < 60; k++) {
        sum = numbers[k / 5] + numbers[k / 5 + k % 5];
        CHECK(at(&M.t, k) >= sum && at(&M.t, k) <= sum);
    }
    pack(&J.t, 10, 6);
    CHECK_RESULT(shifted(&S, &u, &J), SPARSE_OK);
    CHECK(S.t.dim[0] == 10 && S.t.dim[1] == 4);
    CHECK_RESULT(sparse_unpack_dense_untyped(&S.t, back), SPARSE_OK);
    for (size_t k = 0; k < 40; k++)
        CHECK(back[k] >= numbers[k / 4 * 6 + k % 4 + 2] && back[k] <= numbers[k / 4 * 6 + k % 4 + 2]);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&u.t), sparse_free(&v.t), sparse_free(&w.t), sparse_free(&y.t);
    sparse_free(&M.t), sparse_free(&J.t), sparse_free(&S.t);
}

/* y(i) = A(i+p,i+q) u(p) v(q), and y(i) = x(i+p) z(2i+q) u(p) v(q). If only sums give index i a size, it is the largest size
   that fits into all of them. If y already has a size, it must fit. */
SPARSE_KERNEL(both_fit, (i, p, q), (y, VEC, i), all((A, CSR, plus(i, p), plus(i, q)), (u, VEC, p), (v, VEC, q)),
              y += A * u * v)
SPARSE_KERNEL(both_fit_dense, (i, p, q), (y, VEC, i), all((A, MAT, plus(i, p), plus(i, q)), (u, VEC, p), (v, VEC, q)),
              y += A * u * v)
SPARSE_KERNEL(both_fit_apart, (i, p, q), (y, VEC, i),
              all((x, SVEC, plus(i, p)), (z, VEC, plus(times(2, i), q)), (u, VEC, p), (v, VEC, q)), y += x * z * u * v)
SPARSE_KERNEL(none_known, (i, p, q), (y, VEC, i), all((A, CSR, plus(i, p), plus(i, q))), y += A)
static void test_several_sums(size_t n, size_t m, size_t a, size_t b)
{
    csr A = SPARSE_INIT(csr);
    mat D = SPARSE_INIT(mat);
    svec x = SPARSE_INIT(svec);
    vec y = SPARSE_INIT(vec), z = SPARSE_INIT(vec), u = SPARSE_INIT(vec), v = SPARSE_INIT(vec);
    const size_t rows = a > n ? 0 : n - a + 1, columns = b > m ? 0 : m - b + 1, size = sparse_p_min(rows, columns);
    const size_t apart = sparse_p_min(rows, (columns + 1) / 2), more = size + 1;
    snprintf(subject, sizeof subject, "%zu x %zu, window %zu x %zu", n, m, a, b);
    fill_numbers(n * m, 2);
    pack(&A.t, n, m), pack(&D.t, n, m), pack(&x.t, n, 1), ones(&z, m), ones(&u, a), ones(&v, b);
    for (size_t line = 0; line < 2; line++) {
        CHECK_RESULT(line ? both_fit(&y, &A, &u, &v) : both_fit_dense(&y, &D, &u, &v), SPARSE_OK);
        if (!CHECK(y.t.dim[0] == size)) continue;
        for (size_t i = 0; i < size; i++) {
            double sum = 0;
            for (size_t p = 0; p < a; p++)
                for (size_t q = 0; q < b; q++) sum += numbers[(i + p) * m + i + q];
            CHECK(at(&y.t, i) >= sum && at(&y.t, i) <= sum);
        }
        sparse_free(&y.t);
    }
    CHECK_RESULT(both_fit_apart(&y, &x, &z, &u, &v), SPARSE_OK);
    CHECK(y.t.dim[0] == apart);
    for (size_t i = 0; i < apart; i++) {
        double sum = 0;
        for (size_t p = 0; p < a; p++) sum += (double)b * numbers[i + p];
        CHECK(at(&y.t, i) >= sum && at(&y.t, i) <= sum);
    }
    sparse_free(&y.t);
    CHECK_RESULT(none_known(&y, &A), SPARSE_E_SHAPE);
    CHECK_RESULT(sparse_allocate_dense(&y.t, &more), SPARSE_OK);
    CHECK_RESULT(both_fit(&y, &A, &u, &v), SPARSE_E_SHAPE);
    sparse_free(&A.t), sparse_free(&D.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&z.t), sparse_free(&u.t),
        sparse_free(&v.t);
}

/* B(j+k, k+1): k occurs in two levels; let(u, k + 1) looks the second one up. The loop over j runs once for each window of
   rows that contains an entry. */
SPARSE_KERNEL(skewed, (j, let(z, come_by(0)), k, let(u, k + 1)), (s, double),
              all((B, DCSR, plus(j, k), u), (v, VEC, j), (w, VEC, k), (one, VEC, z)), s += B * v * w * one)
static void test_twice(size_t rows, size_t window, size_t rare)
{
    dcsr B = SPARSE_INIT(dcsr);
    vec v = SPARSE_INIT(vec), w = SPARSE_INIT(vec), one = SPARSE_INIT(vec);
    double s = 0, sum = 0;
    size_t held = 0;
    snprintf(subject, sizeof subject, "%zu rows, window %zu, one in %zu", rows, window, rare);
    fill_numbers(rows * 6, rare);
    pack(&B.t, rows, 6), ones(&v, rows - window + 1), ones(&w, window), ones(&one, 1);
    memset(visits, 0, sizeof visits);
    CHECK_RESULT(skewed(&s, &B, &v, &w, &one), SPARSE_OK);
    for (size_t j = 0; j + window <= rows; j++) {
        bool any = false;
        for (size_t k = 0; k < window; k++) {
            for (size_t c = 0; c < 6; c++) any = any || numbers[6 * (j + k) + c] > 0;
            sum += k < 5 ? numbers[6 * (j + k) + k + 1] : 0; /* no element outside */
        }
        held += any;
    }
    CHECK(s >= sum && s <= sum && visits[0] == held);
    sparse_free(&B.t), sparse_free(&v.t), sparse_free(&w.t), sparse_free(&one.t);
}

int main(void)
{
    const size_t window[] = {0, 1, 2, 3, 5, 40};
    for (size_t k = 0; k < sizeof window / sizeof *window; k++)
        for (size_t rare = 1; rare <= 27; rare *= 3)
            for (size_t n = 0; n <= 300; n = 3 * n + 1) test_offsets(n, window[k], rare);
    test_figure_3();
    for (size_t turn = 0; turn < 100; turn++) {
        const size_t n = 1 + random_below(60), size[3] = {random_below(30), random_below(8), random_below(5)},
                     once[3] = {1, 1, 1};
        const size_t step[3] = {1 + random_below(4), 1 + random_below(4), 1 + random_below(4)},
                     by_one[3] = {step[0], 1, step[2]};
        const sparse_slice whole = {0, 0, 0};
        sparse_slice part = {random_below(4), 1 + random_below(90), 1 + random_below(3)};
        test_three(n, size, once, whole, 1 + turn % 9);
        test_three(n + random_below(120), size, step, whole, 1 + turn % 50);
        test_three(part.offset + (part.size - 1) * part.stride + 1 + random_below(9), size, by_one, part, 1 + turn % 50);
    }
    for (size_t turn = 0; turn < 60; turn++) {
        const size_t a = 1 + random_below(4), b = 1 + random_below(4), n = a + random_below(12), m = b + random_below(12);
        fill_numbers(n * m, 1 + turn % 9);
        for (int by = ACROSS_CSR; by < WAYS; by++) test_ways((way)by, n, m, a, b);
    }
    for (size_t turn = 0; turn < 100; turn++) test_deeper(turn % 2 ? (size_t)4000000000u : 0);
    test_examples();
    for (size_t turn = 0; turn < 256; turn++)
        test_several_sums(1 + turn % 4, 1 + turn / 4 % 4, 1 + turn / 16 % 4, 1 + turn / 64 % 4);
    for (size_t rare = 1; rare < 40; rare += 3) test_twice(30, 4, rare), test_twice(30, 7, rare);
    return report("test_sums");
}
