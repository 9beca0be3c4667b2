/* test_sums.c: how often the loops of kernels run whose subscripts are sums: document 004's Figures 2, 3, 5 and 10, its
   other examples, and the bounds that it gives. A loop let(z, come_by(n)) inside of another one counts its iterations.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sparse.h"
#include "oracle.h"

static size_t visits[4];
static size_t come_by(size_t loop)
{
    visits[loop]++;
    return 0;
}

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define COO  coo, SPARSE_COO, double, 32, 32
#define BITS bits, SPARSE_BITMAP_ROWS, double, 32, 16
#define BIT_VECTOR bit_vector, SPARSE_BITMAP_VECTOR, double, 32, 8
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(BITS)
SPARSE_TENSOR(BIT_VECTOR)

/* so many numbers, of which about one in `rare` is not zero; a vector of them, or a matrix */
static double numbers[4096];
static void fill_numbers(size_t count, size_t rare)
{
    for (size_t k = 0; k < count; k++) numbers[k] = random_below(rare) == 0 ? (double)(k % 7 + 1) : 0;
}
static void pack(sparse_tensor *t, size_t rows, size_t columns)
{
    const size_t dim[2] = {rows, columns};
    CHECK_RESULT(sparse_pack_dense(t, dim, numbers), SPARSE_OK);
}
static void ones(vec *x, size_t size)
{
    CHECK_RESULT(sparse_allocate_dense(&x->t, &size), SPARSE_OK);
    for (size_t k = 0; k < size; k++) ((double *)x->t.val.at)[k] = 1;
}
static double at(const sparse_tensor *t, size_t k) { return ((const double *)t->val.at)[k]; }

/* Figures 2 and 3: A(i) = C(i+p) B(p). The outer loop comes by the offsets of non-empty subsections, and no other. */
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
    CHECK(visits[0] <= sparse_min(size, window * stored));
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
    CHECK(A.t.dim[0] == 9 && visits[0] == 4); /* 1, 2, 7 and 8 */
    for (size_t i = 0; i < 9; i++) CHECK((at(&A.t, i) > 0) == (i == 1 || i == 2 || i == 7 || i == 8));
    sparse_free(&C.t), sparse_free(&A.t), sparse_free(&B.t), sparse_free(&one.t);
}

/* Figure 10 (b): B(i+j+k); subsections of subsections. With coefficients, B(ei+fj+gk), and in a part of B, they are those
   that hold what a sum can be, and not only what lies between. */
#define THREE(name, view, TYPE, sum, ...)                                                                        \
    SPARSE_KERNEL(name, (i, let(z, come_by(0)), j, let(y, come_by(1)), k), (s, double),                          \
                  all(view(B, TYPE, sum), (u, VEC, i), (v, VEC, j), (w, VEC, k), (one, VEC, z), (two, VEC, y) __VA_ARGS__), \
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
    snprintf(subject, sizeof subject, "n %zu: %zu %zu %zu, steps %zu %zu %zu of %zu", n, a, b, c, step[0], step[1], step[2], part.stride);
    fill_numbers(n, rare);
    pack(&B.t, n, 1), pack(&C.t, n, 1), ones(&u, a), ones(&v, b), ones(&w, c), ones(&one, 1);
    memset(visits, 0, sizeof visits);
    const bool fits = a == 0 || b == 0 || c == 0 ||
                      (a - 1) * step[0] + (b - 1) * step[1] + (c - 1) * step[2] < (within ? part.size : n);
    const sparse_result wanted = fits ? SPARSE_OK : SPARSE_E_SHAPE;
    if (within) CHECK_RESULT(three_within(&s, &B, &part, &u, &v, &w, &one, &one, step[0], step[2]), wanted);
    else if (once) CHECK_RESULT(three(&s, &B, &u, &v, &w, &one, &one), wanted);
    else CHECK_RESULT(three_apart(&s, &B, &u, &v, &w, &one, &one, step[0], step[1], step[2]), wanted);
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
    if (within) CHECK_RESULT(three_bits_within(&of_bits, &C, &part, &u, &v, &w, &one, &one, step[0], step[2]), wanted);
    else CHECK_RESULT(three_bits(&of_bits, &C, &u, &v, &w, &one, &one, step[0], step[1], step[2]), wanted);
    CHECK(of_bits >= sum && of_bits <= sum && visits[0] == outer && visits[1] == inner);
    sparse_free(&B.t), sparse_free(&C.t), sparse_free(&u.t), sparse_free(&v.t), sparse_free(&w.t), sparse_free(&one.t);
}

/* Figures 5 and 10 (c): T(i+p, j+q), in the order of its levels and across them, of several storages */
#define ACROSS(name, TYPE)                                                                                       \
    SPARSE_KERNEL(name, (i, let(z, come_by(0)), j, let(y, come_by(1)), p, q), (O, MAT, i, j),                    \
                  all((T, TYPE, plus(i, p), plus(j, q)), (F, MAT, p, q), (one, VEC, z), (two, VEC, y)),          \
                  O += T * F * one * two)
#define ALONG(name, TYPE)                                                                                        \
    SPARSE_KERNEL(name, (i, let(z, come_by(0)), p, j, let(y, come_by(1)), q), (O, MAT, i, j),                    \
                  all((T, TYPE, plus(i, p), plus(j, q)), (F, MAT, p, q), (one, VEC, z), (two, VEC, y)),          \
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
    case ACROSS_CSR: CHECK_RESULT(across_csr(&O, &C, &F, &one, &one), SPARSE_OK); break;
    case ACROSS_DCSR: CHECK_RESULT(across_dcsr(&O, &D, &F, &one, &one), SPARSE_OK); break;
    case ACROSS_BITS: CHECK_RESULT(across_bits(&O, &B, &F, &one, &one), SPARSE_OK); break;
    case ALONG_CSR: CHECK_RESULT(along_csr(&O, &C, &F, &one, &one), SPARSE_OK); break;
    case ALONG_DCSR: CHECK_RESULT(along_dcsr(&O, &D, &F, &one, &one), SPARSE_OK); break;
    case ALONG_COO: CHECK_RESULT(along_coo(&O, &E, &F, &one, &one), SPARSE_OK); break;
    case ALONG_BITS: CHECK_RESULT(along_bits(&O, &B, &F, &one, &one), SPARSE_OK); break;
    case WAYS: break;
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
    snprintf(subject, sizeof subject, "way %d, %zu x %zu, %zu x %zu: %zu %zu of %zu %zu", (int)by, n, m, a, b,
             visits[0], visits[1], outer, inner);
    CHECK(visits[0] == outer && visits[1] == inner);
    sparse_free(&C.t), sparse_free(&D.t), sparse_free(&E.t), sparse_free(&B.t), sparse_free(&O.t), sparse_free(&F.t), sparse_free(&one.t);
}

/* T(i+p, j+q, k+r), all of whose levels are below several parents, these below several themselves, and dense levels among
   them: the loop over k comes by the places where the window holds something, and by no other. So it does where the window
   sticks out, by one, where it is dilated, in a part of T, and where a dense level is at one coordinate. */
#define CSF  csf, ((i, j, k), (compressed, i), (compressed, j), (compressed, k)), double, 32, 32
#define DCC  dcc, ((i, j, k), (dense, i), (compressed, j), (compressed, k)), double, 64, 16
#define DDC  ddc, ((i, j, k), (dense, i), (dense, j), (compressed, k)), double, 16, 32
#define CDC  cdc, ((i, j, k), (compressed, i), (dense, j), (compressed, k)), double, 32, 8
#define DDL  ddl, ((i, j, k), (dense, i), (dense, j), (loose_compressed, k)), double, 32, 64
#define BBC  bbc, ((i, j, k), (bitmap, i), (bitmap, j), (compressed, k)), double, 32, 16
#define CBB  cbb, ((i, j, k), (compressed, i), (bitmap, j), (bitmap, k)), double, 32, 64
#define CUBE cube, SPARSE_DENSE_3D, double, 32, 32
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(DCC)
SPARSE_TENSOR(DDC)
SPARSE_TENSOR(CDC)
SPARSE_TENSOR(DDL)
SPARSE_TENSOR(BBC)
SPARSE_TENSOR(CBB)
SPARSE_TENSOR(CUBE)
enum { PLAIN_DEEP, OUT_DEEP, DILATED_DEEP, PART_DEEP, DEEP_VIEWS };
typedef struct deep {
    size_t dim[3], size[DEEP_VIEWS][3], step[3], held[DEEP_VIEWS];
    double wanted[DEEP_VIEWS][4096];
    sparse_slice part[3];
    cube F;
    vec one;
} deep;
static void check_deep(const deep *x, size_t edge, cube *O, sparse_result result)
{
    CHECK_RESULT(result, SPARSE_OK);
    CHECK(visits[0] == x->held[edge] && O->t.val.length == x->size[edge][0] * x->size[edge][1] * x->size[edge][2]);
    for (size_t o = 0; o < O->t.val.length; o++) CHECK(at(&O->t, o) >= x->wanted[edge][o] && at(&O->t, o) <= x->wanted[edge][o]);
    visits[0] = 0;
    sparse_free(&O->t);
}
#define DEEP(type, TYPE)                                                                                         \
    SPARSE_KERNEL(deep_##type, (i, j, k, let(z, come_by(0)), p, q, r), (O, CUBE, i, j, k),                       \
                  all((T, TYPE, plus(i, p), plus(j, q), plus(k, r)), (F, CUBE, p, q, r), (one, VEC, z)), O += T * F * one) \
    SPARSE_KERNEL(out_##type, (i, j, k, let(z, come_by(0)), p, q, r), (O, CUBE, i, j, k),                        \
                  all(padded(T, TYPE, plus(i, p, (-1)), plus(j, q, (-1)), plus(k, r, (-1))), (F, CUBE, p, q, r), (one, VEC, z)), \
                  O += T * F * one)                                                                              \
    SPARSE_KERNEL(dilated_##type, (i, j, k, let(z, come_by(0)), p, q, r), (O, CUBE, i, j, k),                    \
                  all((T, TYPE, plus(i, times(a, p)), plus(j, times(b, q)), plus(k, times(c, r))), (F, CUBE, p, q, r), (one, VEC, z), \
                      (a, size_t), (b, size_t), (c, size_t)), O += T * F * one)                                  \
    SPARSE_KERNEL(part_##type, (i, j, k, let(z, come_by(0)), p, q, r), (O, CUBE, i, j, k),                       \
                  all(slice(T, TYPE, plus(i, times(a, p)), plus(j, q), plus(k, times(c, r))), (F, CUBE, p, q, r), (one, VEC, z), \
                      (a, size_t), (c, size_t)), O += T * F * one)                                               \
    static void test_deep_##type(deep *x)                                                                        \
    {                                                                                                            \
        type T = SPARSE_INIT(type);                                                                              \
        cube O = SPARSE_INIT(cube);                                                                              \
        CHECK_RESULT(sparse_pack_dense(&T.t, x->dim, numbers), SPARSE_OK);                                       \
        check_deep(x, PLAIN_DEEP, &O, deep_##type(&O, &T, &x->F, &x->one));                                               \
        CHECK_RESULT(sparse_allocate_dense(&O.t, x->size[OUT_DEEP]), SPARSE_OK);                                        \
        check_deep(x, OUT_DEEP, &O, out_##type(&O, &T, &x->F, &x->one));                                                \
        check_deep(x, DILATED_DEEP, &O, dilated_##type(&O, &T, &x->F, &x->one, x->step[0], x->step[1], x->step[2]));        \
        check_deep(x, PART_DEEP, &O, part_##type(&O, &T, x->part, &x->F, &x->one, x->step[0], x->step[2]));              \
        sparse_free(&T.t);                                                                                       \
    }
DEEP(csf, CSF)
DEEP(dcc, DCC)
DEEP(ddc, DDC)
DEEP(cdc, CDC)
DEEP(ddl, DDL)
DEEP(bbc, BBC)
DEEP(cbb, CBB)
/* O(i,j,k) = T(i+p, j, k+r) F(p,0,r) */
SPARSE_KERNEL(deep_row, (i, j, k, let(z, come_by(0)), p, l, r), (O, CUBE, i, j, k),
              all((T, DDC, plus(i, p), j, plus(k, r)), (F, CUBE, p, l, r), (one, VEC, z)), O += T * F * one)
static void test_deep(const size_t dim[3], const size_t window[3])
{
    static deep x;
    const cube none = SPARSE_INIT(cube);
    const vec nothing = SPARSE_INIT(vec);
    memset(&x, 0, sizeof x);
    x.F = none, x.one = nothing;
    for (size_t d = 0; d < 3; d++) {
        const size_t reach = window[d] - 1, most = reach > 0 ? (dim[d] - 1) / reach : 3;
        x.dim[d] = dim[d], x.size[PLAIN_DEEP][d] = dim[d] - reach, x.size[OUT_DEEP][d] = dim[d];
        x.step[d] = 1 + random_below(sparse_min(most, 3)), x.size[DILATED_DEEP][d] = dim[d] - x.step[d] * reach;
        const size_t within = (d == 1 ? 1 : x.step[d]) * reach, rest = dim[d] - within; /* what is not needed is left out */
        x.part[d].stride = 1 + random_below(within > 0 ? sparse_min((dim[d] - 1) / within, 3) : 3);
        x.part[d].offset = random_below(sparse_min(dim[d] - x.part[d].stride * within, rest));
        x.part[d].size = (dim[d] - 1 - x.part[d].offset) / x.part[d].stride + 1;
        x.size[PART_DEEP][d] = x.part[d].size - within;
    }
    snprintf(subject, sizeof subject, "%zu x %zu x %zu, window %zu x %zu x %zu", dim[0], dim[1], dim[2], window[0], window[1],
             window[2]);
    CHECK_RESULT(sparse_allocate_dense(&x.F.t, window), SPARSE_OK);
    for (size_t k = 0; k < window[0] * window[1] * window[2]; k++) ((double *)x.F.t.val.at)[k] = (double)(k % 5);
    ones(&x.one, 1);
    for (size_t view = 0; view < DEEP_VIEWS; view++)
        for (size_t o = 0; o < x.size[view][0] * x.size[view][1] * x.size[view][2]; o++) {
            const size_t place[3] = {o / (x.size[view][1] * x.size[view][2]), o / x.size[view][2] % x.size[view][1], o % x.size[view][2]};
            bool holds = false;
            for (size_t w = 0; w < window[0] * window[1] * window[2]; w++) {
                const size_t in_window[3] = {w / (window[1] * window[2]), w / window[2] % window[1], w % window[2]};
                size_t of_t = 0;
                bool inside = true;
                for (size_t d = 0; d < 3; d++) {
                    const size_t step = view < DILATED_DEEP || (view == PART_DEEP && d == 1) ? 1 : x.step[d];
                    size_t n = place[d] + step * in_window[d] - (view == OUT_DEEP);
                    if (view == PART_DEEP) n = x.part[d].offset + x.part[d].stride * n;
                    inside = inside && n < dim[d], of_t = of_t * dim[d] + n;
                }
                if (!inside) continue;
                x.wanted[view][o] += numbers[of_t] * (double)(w % 5), holds = holds || numbers[of_t] > 0;
            }
            x.held[view] += holds;
        }
    visits[0] = 0;
    test_deep_csf(&x), test_deep_dcc(&x), test_deep_ddc(&x), test_deep_cdc(&x), test_deep_ddl(&x);
    test_deep_bbc(&x), test_deep_cbb(&x);
    if (window[1] == 1) {
        ddc T = SPARSE_INIT(ddc);
        cube O = SPARSE_INIT(cube);
        CHECK_RESULT(sparse_pack_dense(&T.t, dim, numbers), SPARSE_OK);
        check_deep(&x, PLAIN_DEEP, &O, deep_row(&O, &T, &x.F, &x.one));
        sparse_free(&T.t);
    }
    sparse_free(&x.F.t), sparse_free(&x.one.t);
}

/* The same of four dimensions, h + o among them, as many loops as there can be; and the sum of all of it, over a dimension
   which takes hours if one comes by all its places. */
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
#define DEEPER(type, TYPE)                                                                                       \
    DEEPER_IN(deeper_##type, (O, FOUR, h, i, j, k), TYPE)                                                         \
    DEEPER_IN(whole_##type, (O, double), TYPE)                                                                    \
    static void test_deeper_##type(const deeper *x)                                                              \
    {                                                                                                            \
        type T = SPARSE_INIT(type);                                                                              \
        four O = SPARSE_INIT(four);                                                                              \
        double sum = 0;                                                                                          \
        CHECK_RESULT(sparse_pack(&T.t, x->dim, x->count, x->at, x->value, SPARSE_DUPLICATES_SUM), SPARSE_OK);    \
        CHECK_RESULT(whole_##type(&sum, &T, &x->F), SPARSE_OK);                                                  \
        CHECK(sum >= x->sum && sum <= x->sum);                                                                   \
        if (x->wanted.t.val.length) CHECK_RESULT(deeper_##type(&O, &T, &x->F), SPARSE_OK);                       \
        for (size_t n = 0; n < x->wanted.t.val.length; n++)                                                      \
            CHECK(at(&O.t, n) >= at(&x->wanted.t, n) && at(&O.t, n) <= at(&x->wanted.t, n));                     \
        sparse_free(&T.t), sparse_free(&O.t);                                                                    \
    }
#define DEEPER_IN(name, out, ...)                                                                                \
    SPARSE_KERNEL(name, (h, i, j, k, o, p, q, r), out,                                                           \
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
                            window[3] + random_below(8)}, dim[4] = {near[0], near[1], near[2], near[3] + far};
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
    for (size_t n = 0; n < count; n++) /* an entry is at place at_t - within of each window that holds it */
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

/* A part of a tensor, as if it were all of it: T(a + s (2i+p), b + t (j+q)), by rows and by columns, across the levels and
   along them. */
#define CSC csc, SPARSE_CSC, double, 32, 32
SPARSE_TENSOR(CSC)
#define PART(name, TYPE, ...)                                                                                    \
    SPARSE_KERNEL(name, (__VA_ARGS__), (O, MAT, i, j),                                                           \
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
                        sum += (double)((p * b + q) % 3 + 1) * numbers[(slice[0].offset + (2 * i + p) * slice[0].stride) * m +
                                                                       slice[1].offset + (j + q) * slice[1].stride];
                CHECK(at(&O[k].t, i * columns + j) >= sum && at(&O[k].t, i * columns + j) <= sum);
            }
        sparse_free(&O[k].t);
    }
    sparse_free(&D.t), sparse_free(&R.t), sparse_free(&C.t), sparse_free(&E.t), sparse_free(&B.t), sparse_free(&F.t);
}

/* sizes and strides whose products no size_t holds */
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

    /* a size that says that it is not known yet would agree with every other one */
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

/* times(0, p): what is read does not depend on p, which others give its size: y(i) = sum of x(2i+1) w(p) over p */
#define NONE 0
#define NAUGHT(name, TYPE, sum, ...)                                                                             \
    SPARSE_KERNEL(name, (__VA_ARGS__), (y, VEC, i), all((x, TYPE, sum), (w, VEC, p)), y += x * w)
NAUGHT(naught_inside, SVEC, plus(times(2, i), times(0, p), (1)), i, p)
NAUGHT(naught_outside, SVEC, plus(times(0, p), times(2, i), (1)), p, i)
NAUGHT(naught_named, SVEC, plus((1), times(2, i), times(NONE, p)), i, p)
NAUGHT(naught_dense, VEC, plus(times(2, i), (1), times(0, p)), i, p)
SPARSE_KERNEL(naught_within, (i, p), (y, VEC, i), all(slice(x, SVEC, plus(times(2, i), times(0, p))), (w, VEC, p)), y += x * w)
SPARSE_KERNEL(naught_beyond, (i, p), (y, VEC, i), all(padded(x, SVEC, plus(times(2, i), times(0, p), (1))), (w, VEC, p)),
              y += x * w)
SPARSE_KERNEL(naught_beyond_dense, (p, i), (y, VEC, i),
              all(padded(x, VEC, plus(times(2, i), times(0, p), (1))), (w, VEC, p)), y += x * w)
SPARSE_KERNEL(naught_either, (i, p), (y, VEC, i), any((x, SVEC, plus(times(0, p), times(2, i), (1))), (w, SVEC, p)), y += x * w)
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

/* O(i,j) = sum of T(i, 2j+q) F(p,q) over p and q, and the same of columns, by rows that any of p reads */
#define NAUGHTS(name, TYPE, ...)                                                                                 \
    SPARSE_KERNEL(name, (__VA_ARGS__), (O, MAT, i, j),                                                           \
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

/* the other examples of the document: A(i+j) B(i+k), A(2i+j), A(i,j) = B(i) + C(i+j), J(i,j+2) */
SPARSE_KERNEL(both, (i, j, k), (s, double), all((A, SVEC, plus(i, j)), (B, SVEC, plus(i, k)), (u, VEC, i), (v, VEC, j), (w, VEC, k)),
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
    CHECK_RESULT(sparse_unpack_dense(&S.t, back), SPARSE_OK);
    for (size_t k = 0; k < 40; k++) CHECK(back[k] >= numbers[k / 4 * 6 + k % 4 + 2] && back[k] <= numbers[k / 4 * 6 + k % 4 + 2]);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&u.t), sparse_free(&v.t), sparse_free(&w.t), sparse_free(&y.t);
    sparse_free(&M.t), sparse_free(&J.t), sparse_free(&S.t);
}

/* B(j+k, k+1): an index that comes in two levels has two names, and the second level is looked up; all but that is as often as
   a window of rows holds something */
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
            sum += k < 5 ? numbers[6 * (j + k) + k + 1] : 0; /* what lies outside is not there */
        }
        held += any;
    }
    CHECK(s >= sum && s <= sum && visits[0] == held);
    sparse_free(&B.t), sparse_free(&v.t), sparse_free(&w.t), sparse_free(&one.t);
}

/* windows and sets of indices on either side: c(i+2) = a(i+5), C(i,j) = A(rows(i),j), D(rows(i),j) = A(i,j); what lies
   outside of the result is dropped, and of a dense one the rest is kept */
SPARSE_KERNEL(moved, (i, let(u, i + 2, 12)), (c, SVEC, u), all((a, SVEC, plus(i, (5)))), c = a)
SPARSE_KERNEL(added, (i, let(u, i + 2)), update(c, SVEC, u), all((a, SVEC, plus(i, (5)))), c += a)
SPARSE_KERNEL(placed, (i, let(u, 2 * i + 1)), (c, VEC, u), all((a, SVEC, plus(i, (5)))), c = a)
SPARSE_KERNEL(picked, (i, let(u, rows[i]), j), (C, CSR, i, j), all((one, VEC, i), (A, CSR, u, j), (rows, const size_t *)), C = A * one)
SPARSE_KERNEL(dealt, (i, let(u, rows[i], size), j), (D, CSR, u, j), all((A, CSR, i, j), (rows, const size_t *), (size, size_t)), D += A)
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
    CHECK_RESULT(sparse_unpack_dense(&c.t, back), SPARSE_OK);
    for (size_t u = 0; u < 12; u++) {
        const double wanted = u < 2 ? 0 : numbers[u + 3];
        CHECK(back[u] >= wanted && back[u] <= wanted);
    }
    const size_t stored = sparse_entries(&c.t);
    double sum[12];
    fill_numbers(24, 1);
    pack(&a.t, 16, 1);
    for (size_t u = 0; u < 12; u++) sum[u] = back[u] > 0 ? back[u] + numbers[u + 3] : 0; /* the rest is not stored */
    CHECK_RESULT(added(&c, &a), SPARSE_OK);
    CHECK(stored > 0 && stored < 10 && sparse_entries(&c.t) == stored);
    CHECK_RESULT(sparse_unpack_dense(&c.t, back), SPARSE_OK);
    for (size_t u = 0; u < 12; u++) CHECK(back[u] >= sum[u] && back[u] <= sum[u]);
    ones(&d, 9);
    CHECK_RESULT(placed(&d, &a), SPARSE_OK);
    for (size_t u = 0; u < 9; u++) {
        const double moves = u % 2 ? numbers[u / 2 + 5] : 0, wanted = moves > 0 ? moves : 1;
        CHECK(at(&d.t, u) >= wanted && at(&d.t, u) <= wanted);
    }
    pack(&A.t, 4, 3), ones(&one, 4);
    CHECK_RESULT(picked(&C, &one, &A, rows), SPARSE_OK); /* there is no row 9 */
    CHECK_RESULT(sparse_unpack_dense(&C.t, back), SPARSE_OK);
    for (size_t k = 0; k < 12; k++) {
        const double wanted = k / 3 == 2 ? 0 : numbers[rows[k / 3] * 3 + k % 3];
        CHECK(back[k] >= wanted && back[k] <= wanted);
    }
    CHECK_RESULT(dealt(&D, &A, rows, 8), SPARSE_OK);
    CHECK(D.t.dim[0] == 8 && D.t.dim[1] == 3);
    CHECK_RESULT(sparse_unpack_dense(&D.t, back), SPARSE_OK);
    for (size_t k = 0; k < 24; k++) {
        const double wanted = k / 3 == 0 ? numbers[3 + k] : k / 3 == 3 ? numbers[k % 3] + numbers[9 + k % 3] : 0;
        CHECK(back[k] >= wanted && back[k] <= wanted);
    }
    sparse_free(&a.t), sparse_free(&c.t), sparse_free(&d.t), sparse_free(&one.t);
    sparse_free(&A.t), sparse_free(&C.t), sparse_free(&D.t);
}

/* a set of indices beside a sum on either side: O(i,j) = A(rows(i),j+p) f(p), and the greatest of all that meets in a place,
   P(rows(i),j+p) = A(i,j) */
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
    CHECK_RESULT(sparse_unpack_dense(&P.t, back), SPARSE_OK);
    for (size_t k = 0; k < 20; k++) CHECK(back[k] >= most[k] && back[k] <= most[k]);
    sparse_free(&O.t), sparse_free(&one.t), sparse_free(&f.t), sparse_free(&A.t), sparse_free(&P.t);
}

/* in what where() computes: rows that are added up first, by a loop of their own, and sums that are needed twice; a
   statement runs where the window holds something, as all(...) of its operands would let it */
SPARSE_KERNEL(rows_first, (i, j), (O, MAT, i, j),
              all(where((w, VEC, j), (p, j), all((I, CSR, plus(i, p), j), (f, VEC, p)), w += I * f), (b, VEC, j)), O = w * w + b)
SPARSE_KERNEL(squared, (i), (y, VEC, i),
              all(where((s, double), (p), all(padded(x, SVEC, plus(i, p, (-1))), (f, VEC, p)), s += x * f), (b, VEC, i)), y = s * s + b)
SPARSE_KERNEL(squared_window, (i, j), (O, MAT, i, j),
              all(where((s, double), (p, q), all((I, CSR, plus(i, p), plus(j, q)), (F, MAT, p, q)), s += I * F), (b, VEC, j)),
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
            const double sum = (i ? numbers[i - 1] : 0) + numbers[i] + (i + 1 < size ? numbers[i + 1] : 0), wanted = sum > 0 ? sum * sum + 1 : 0;
            CHECK(at(&y.t, i) >= wanted && at(&y.t, i) <= wanted);
        }
        sparse_free(&y.t), sparse_free(&b.t), ones(&b, 4);
    }
    sparse_free(&J.t), sparse_free(&x.t), sparse_free(&f.t), sparse_free(&b.t), sparse_free(&y.t), sparse_free(&O.t), sparse_free(&F.t);
}

/* of an array that is made of a stored row, and read at a sum; it is emptied for the next row, and the sum has to fit */
#define OPENED(name, TYPE)                                                                                       \
    SPARSE_KERNEL(name, (r, range(p, 3), let(i, r - p), j, range(q, 2)), (O, MAT, i, j),                         \
                  all(where((w, VEC, let(s, plus(j, q))), (s), all((I, TYPE, r, s)), w = I), (F, MAT, p, q)), O += w * F)
OPENED(opened_csr, CSR)
OPENED(opened_dcsr, DCSR)
OPENED(opened_coo, COO)
SPARSE_KERNEL(opened_beside, (parallel(i), p, j, q), (O, MAT, i, j),
              all(where((w, VEC, let(s, plus(q, j))), (s), all((I, CSR, plus(i, p), s)), w = I), (F, MAT, p, q)), O += w * F)
SPARSE_KERNEL(opened_twice, (i, p, j, q), (O, MAT, i, j),
              all(where((w, VEC, let(s, plus(times(2, j), q, (constant)))), (s), all((I, CSR, plus(i, p), s)), w += 2 * I), (F, MAT, p, q),
                  (constant, ptrdiff_t)), O += w * F)
/* where it does not fit, a result that was there stays */
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
        CHECK_RESULT(sparse_pack_dense(&y.t, &size, numbers), SPARSE_OK);
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
        SPARSE_FOREACH(c, &y.t) CHECK(!(SPARSE_VALUE(c, double) < sum[c.dim[0] + 1]) && !(SPARSE_VALUE(c, double) > sum[c.dim[0] + 1]));
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
            CHECK_RESULT(line == 0 ? opened_csr(&O, &A, &F) : line == 1 ? opened_dcsr(&O, &B, &F) : line == 2 ? opened_coo(&O, &C, &F) : opened_beside(&O, &A, &F), SPARSE_OK);
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
            for (size_t w = 0; w < 6; w++) sum += 2 * numbers[(k / 3 + w / 2) * 7 + 2 * (k % 3) + w % 2 + 1] * (double)(w + 1);
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

/* beside an operand whose entries are dealt out to slices */
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
    CHECK_RESULT(sparse_pack_dense(&A.t, dim, numbers), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&x.t, &size, numbers), SPARSE_OK);
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

/* batches at sums that stick out, and the dense level below; what a loop fetches ahead is not what is read at sums */
#define BATCHED batched, SPARSE_BATCHED_CSR, double, 32, 32
SPARSE_TENSOR(BATCHED)
SPARSE_KERNEL(batches, (i, p, j, k), (O, CUBE, i, j, k), all(padded(T, BATCHED, plus(i, p, (-1)), plus(j, p), k), (F, VEC, p)),
              O += T * F)
SPARSE_KERNEL(ahead, (i, prefetch(j), k), (O, MAT, i, k), all((A, CSR, i, j), (B, MAT, j, k), (c, VEC, plus(k, i))),
              O += A * B * c)
/* in each of the batches the loops across levels come by the places where the window holds something, and by no other */
#define BATCHED_ROWS  batched_rows, ((i, j, k), (batch, i), (compressed, j), (compressed, k)), double, 16, 8
#define BATCHED_LOOSE batched_loose, ((i, j, k), (batch, i), (dense, j), (loose_compressed, k)), double, 8, 64
#define BATCHED_GRID  batched_grid, ((i, j, k, l), (batch, i), (batch, j), (dense, k), (compressed, l)), double, 32, 32
SPARSE_TENSOR(BATCHED_ROWS)
SPARSE_TENSOR(BATCHED_LOOSE)
SPARSE_TENSOR(BATCHED_GRID)
#define IN_BATCHES(type, TYPE)                                                                                   \
    SPARSE_KERNEL(across_##type, (i, j, k, let(z, come_by(0)), p, q), (O, CUBE, i, j, k),                        \
                  all((T, TYPE, i, plus(j, p), plus(k, q)), (F, MAT, p, q), (one, VEC, z)), O += T * F * one)    \
    static void test_across_##type(const size_t dim[3])                                                          \
    {                                                                                                            \
        const size_t two[2] = {2, 2}, rows = dim[1] - 1, columns = dim[2] - 1;                                   \
        type T = SPARSE_INIT(type);                                                                              \
        cube O = SPARSE_INIT(cube);                                                                              \
        mat F = SPARSE_INIT(mat);                                                                                \
        vec one = SPARSE_INIT(vec);                                                                              \
        size_t held = 0;                                                                                         \
        CHECK_RESULT(sparse_pack_dense(&T.t, dim, numbers), SPARSE_OK);                                          \
        CHECK_RESULT(sparse_allocate_dense(&F.t, two), SPARSE_OK);                                               \
        for (size_t n = 0; n < 4; n++) ((double *)F.t.val.at)[n] = (double)n;                                    \
        ones(&one, 1);                                                                                           \
        visits[0] = 0;                                                                                           \
        CHECK_RESULT(across_##type(&O, &T, &F, &one), SPARSE_OK);                                                \
        for (size_t n = 0; n < dim[0] * rows * columns; n++) {                                                   \
            const double *x = &numbers[(n / (rows * columns) * dim[1] + n / columns % rows) * dim[2] + n % columns]; \
            const double sum = x[1] + 2 * x[dim[2]] + 3 * x[dim[2] + 1];                                         \
            held += sum + x[0] > 0;                                                                              \
            CHECK(at(&O.t, n) >= sum && at(&O.t, n) <= sum);                                                     \
        }                                                                                                        \
        CHECK(visits[0] == held);                                                                                \
        sparse_free(&T.t), sparse_free(&O.t), sparse_free(&F.t), sparse_free(&one.t);                            \
    }
IN_BATCHES(batched, BATCHED)
IN_BATCHES(batched_rows, BATCHED_ROWS)
IN_BATCHES(batched_loose, BATCHED_LOOSE)
/* s = T(h+o, i, j+p, k+q) F(p,q), where the batches are at a sum as well */
SPARSE_KERNEL(batches_open, (h, i, j, k, o, p, q), (s, double), all((T, BATCHED_GRID, plus(h, o), i, plus(j, p), plus(k, q)), (u, VEC, o), (F, MAT, p, q)),
              s += T * u * F)
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
    CHECK_RESULT(sparse_pack_dense(&T.t, dim, numbers), SPARSE_OK);
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
    CHECK_RESULT(sparse_pack_dense(&S.t, dims, numbers), SPARSE_OK);
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
SPARSE_KERNEL(merged, (i, j, m, k, l), (s, double), all((B, DCSR, plus(i, j, k), plus(l, m)), (C, CSF, i, j, k), (W, MAT, l, m)),
              s += B * C * W)
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
    CHECK_RESULT(sparse_pack_dense(&B.t, of_b, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&R.t, of_b, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&C.t, size, c), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&W.t, of_w, w), SPARSE_OK);
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
    CHECK_RESULT(sparse_pack_dense(&B.t, &size[0], b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&C.t, &reach, c), SPARSE_OK);
    CHECK_RESULT(sparse_allocate_dense(&u.t, &size[1]), SPARSE_OK);
    CHECK_RESULT(spread(&A, &u, &B, &C), SPARSE_OK);
    CHECK(A.t.dim[0] == size[0] && A.t.dim[1] == size[1]);
    CHECK_RESULT(sparse_unpack_dense(&A.t, a), SPARSE_OK);
    for (size_t n = 0; n < size[0] * size[1]; n++) {
        const double wanted = b[n / size[1]] + c[n / size[1] + n % size[1]];
        CHECK(a[n] >= wanted && a[n] <= wanted);
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&u.t);
}

/* O(i,j) = I(s i + p, j + t q) F(p,q), all three of them sparse: whatever stores them, with every width of positions and
   coordinates and every kind of value. `padded` reads I at s i + p - 1 and j + t q - 2, where what lies outside is absent. */
enum { SIDE = 15, IMAGE = SIDE * SIDE, FILTER = 16 }; /* which positions of 8 bits count */
typedef struct dual {
    size_t size[2], window[2], result[2], steps[2];
    double image[IMAGE], filter[FILTER], wanted[IMAGE];
} dual;

/* A kind of value: from a number, and the number that a sum of products of such stands for, up to `most` */
#define KIND(kind, most)                                                                                         \
    static void pack_##kind(sparse_tensor *t, const size_t *dim, const double *numbers_of_t)                     \
    {                                                                                                            \
        kind values[IMAGE];                                                                                      \
        for (size_t k = 0; k < dim[0] * dim[1]; k++) values[k] = kind##_of(numbers_of_t[k]);                     \
        CHECK_RESULT(sparse_pack_dense(t, dim, values), SPARSE_OK);                                              \
    }                                                                                                            \
    static void check_##kind(const sparse_tensor *t, const dual *x, const char *what)                            \
    {                                                                                                            \
        kind values[IMAGE];                                                                                      \
        snprintf(subject, sizeof subject, "%s, %zu x %zu, window %zu x %zu, steps %zu %zu", what, x->size[0],    \
                 x->size[1], x->window[0], x->window[1], x->steps[0], x->steps[1]);                              \
        CHECK_RESULT(sparse_validate(t, NULL), SPARSE_OK);                                                       \
        if (!CHECK(t->dim[0] == x->result[0] && t->dim[1] == x->result[1])) return;                              \
        CHECK_RESULT(sparse_unpack_dense(t, values), SPARSE_OK);                                                 \
        for (size_t k = 0; k < t->dim[0] * t->dim[1]; k++) {                                                     \
            const double is = number_of_##kind(values[k]), wanted = x->wanted[k] < most ? x->wanted[k] : most;   \
            CHECK(is >= wanted && is <= wanted);                                                                 \
        }                                                                                                        \
    }
#define PLAIN(kind, most)                                                                                        \
    typedef kind kind##_value;                                                                                   \
    static kind kind##_of(double x) { return (kind)x; }                                                          \
    static double number_of_##kind(kind x) { return (double)x; }                                                 \
    KIND(kind, most)
#define HALF(kind, half)                                                                                         \
    typedef float kind##_value;                                                                                  \
    static kind kind##_of(double x) { return kind##_of_float((float)x); }                                        \
    static double number_of_##kind(kind x) { return (double)sparse_float_of_##half(x); }                         \
    KIND(kind, 256)
/* x as x + i x, and so the product of two of them is 2i times that of the numbers */
#define COMPLEX(kind, real)                                                                                      \
    typedef kind kind##_value;                                                                                   \
    static kind kind##_of(double x)                                                                              \
    {                                                                                                            \
        const real parts[2] = {(real)x, (real)x};                                                                \
        kind z;                                                                                                  \
        memcpy(&z, parts, sizeof z);                                                                             \
        return z;                                                                                                \
    }                                                                                                            \
    static double number_of_##kind(kind z)                                                                       \
    {                                                                                                            \
        real parts[2];                                                                                           \
        memcpy(parts, &z, sizeof z);                                                                             \
        return parts[0] < 0 || parts[0] > 0 ? -1 : (double)parts[1] / 2;                                         \
    }                                                                                                            \
    KIND(kind, 256)
PLAIN(double, 256)
PLAIN(float, 256)
typedef bool truths; /* as bool itself may be a macro */
PLAIN(truths, 1)
PLAIN(int8_t, 127)
PLAIN(int16_t, 256)
PLAIN(int32_t, 256)
PLAIN(int64_t, 256)
PLAIN(uint8_t, 255)
PLAIN(uint16_t, 256)
PLAIN(uint32_t, 256)
PLAIN(uint64_t, 256)
HALF(sparse_f16, f16)
HALF(sparse_bf16, bf16)
COMPLEX(sparse_complex64, float)
COMPLEX(sparse_complex128, double)

enum { ROWS = 11, COLUMNS = 9 }; /* of results for which the image is padded */
/* An image in which one in `rare` is not zero, from which windows of any size make a result: none too large for int8_t. */
static void make_dual(dual *x, bool padded, size_t rare)
{
    memset(x, 0, sizeof *x);
    for (size_t d = 0; d < 2; d++) {
        x->window[d] = 1 + random_below(4), x->steps[d] = 1 + random_below(2);
        const size_t reach = d ? x->steps[d] * (x->window[d] - 1) + 1 : x->window[d];
        x->size[d] = reach + random_below(SIDE + 1 - reach);
        x->result[d] = padded ? (size_t)(d ? COLUMNS : ROWS) : (x->size[d] - reach) / (d ? 1 : x->steps[d]) + 1;
    }
    for (size_t k = 0; k < x->size[0] * x->size[1]; k++) x->image[k] = random_below(rare) ? 0 : (double)(k % 3 + 1);
    for (size_t k = 0; k < x->window[0] * x->window[1]; k++) x->filter[k] = random_below(3) ? (double)(k % 2 + 1) : 0;
    for (size_t o = 0; o < x->result[0] * x->result[1]; o++)
        for (size_t f = 0; f < x->window[0] * x->window[1]; f++) {
            const size_t i = x->steps[0] * (o / x->result[1]) + f / x->window[1] - padded,
                         j = o % x->result[1] + x->steps[1] * (f % x->window[1]) - 2 * padded;
            if (i < x->size[0] && j < x->size[1]) x->wanted[o] += x->image[i * x->size[1] + j] * x->filter[f];
        }
}

/* what sticks out, what stores O, I and F, widths of positions and coordinates (the other way round in I), the values, the loops, which
   follow the order of I and F; each storage of O beside each of I, all pairs of widths, all kinds of values */
enum { VALID, PADDED };
#define DUALS(X)                                                                                                 \
    X(1, VALID, SPARSE_CSR, SPARSE_CSR, SPARSE_CSR, 8, 8, double, i, p, j, q)                                           \
    X(2, PADDED, SPARSE_CSR, SPARSE_DCSR, SPARSE_CSC, 8, 16, float, i, q, p, j)                                          \
    X(3, VALID, SPARSE_CSR, SPARSE_CSC, SPARSE_COO, 8, 32, truths, j, p, q, i)                                          \
    X(4, PADDED, SPARSE_CSR, SPARSE_COO, SPARSE_CD, 8, 64, int8_t, q, i, p, j)                                           \
    X(5, VALID, SPARSE_CSR, SPARSE_CD, SPARSE_DCSR, 16, 8, int16_t, p, i, q, j)                                         \
    X(6, PADDED, SPARSE_DCSR, SPARSE_CSR, SPARSE_CSC, 16, 16, int32_t, q, p, i, j)                                       \
    X(7, VALID, SPARSE_DCSR, SPARSE_DCSR, SPARSE_COO, 16, 32, int64_t, i, j, p, q)                                      \
    X(8, PADDED, SPARSE_DCSR, SPARSE_CSC, SPARSE_CD, 16, 64, uint8_t, q, j, p, i)                                        \
    X(9, VALID, SPARSE_DCSR, SPARSE_COO, SPARSE_DCSR, 32, 8, uint16_t, p, q, i, j)                                      \
    X(10, PADDED, SPARSE_DCSR, SPARSE_CD, SPARSE_CSR, 32, 16, uint32_t, i, p, q, j)                                      \
    X(11, VALID, SPARSE_CSC, SPARSE_CSR, SPARSE_COO, 32, 32, uint64_t, j, i, p, q)                                      \
    X(12, PADDED, SPARSE_CSC, SPARSE_DCSR, SPARSE_CD, 32, 64, sparse_f16, j, p, i, q)                                    \
    X(13, VALID, SPARSE_CSC, SPARSE_CSC, SPARSE_DCSR, 64, 8, sparse_bf16, j, p, q, i)                                   \
    X(14, PADDED, SPARSE_CSC, SPARSE_COO, SPARSE_CSR, 64, 16, sparse_complex64, p, j, i, q)                              \
    X(15, VALID, SPARSE_CSC, SPARSE_CD, SPARSE_CSC, 64, 32, sparse_complex128, q, i, p, j)                              \
    X(16, PADDED, SPARSE_COO, SPARSE_CSR, SPARSE_CD, 64, 64, double, i, q, p, j)                                         \
    X(17, VALID, SPARSE_COO, SPARSE_DCSR, SPARSE_DCSR, 0, 0, float, p, i, q, j)                                         \
    X(18, PADDED, SPARSE_COO, SPARSE_CSC, SPARSE_CSR, 8, 0, truths, p, q, j, i)                                          \
    X(19, VALID, SPARSE_COO, SPARSE_COO, SPARSE_CSC, 0, 16, sparse_bf16, q, i, p, j)                                    \
    X(20, PADDED, SPARSE_COO, SPARSE_CD, SPARSE_COO, 32, 0, sparse_complex64, i, p, j, q)                                \
    X(21, VALID, SPARSE_CD, SPARSE_CSR, SPARSE_DCSR, 0, 64, int8_t, i, p, q, j)                                         \
    X(22, PADDED, SPARSE_CD, SPARSE_DCSR, SPARSE_CSR, 8, 8, uint64_t, p, q, i, j)                                        \
    X(23, VALID, SPARSE_CD, SPARSE_CSC, SPARSE_CSC, 16, 16, sparse_complex128, j, q, i, p)                              \
    X(24, PADDED, SPARSE_CD, SPARSE_COO, SPARSE_COO, 64, 64, sparse_f16, p, i, j, q)                                     \
    X(25, VALID, SPARSE_CD, SPARSE_CD, SPARSE_CD, 32, 32, int32_t, j, p, i, q)                                           \
    X(26, VALID, SPARSE_CSR, SPARSE_BITMAP_ROWS, SPARSE_DCSR, 8, 16, double, i, p, j, q)                                 \
    X(27, PADDED, SPARSE_DCSR, SPARSE_BITMAP_ROWS, SPARSE_CSR, 16, 8, float, p, i, q, j)                                 \
    X(28, VALID, SPARSE_COO, SPARSE_BITMAP_ROWS, SPARSE_COO, 32, 64, int16_t, p, i, j, q)                                \
    X(29, PADDED, SPARSE_CSR, SPARSE_BITMAP_ROWS, SPARSE_BITMAP_ROWS, 64, 32, double, i, j, p, q)

#define VALID_i i
#define VALID_j j
#define VALID_p p
#define VALID_q q
#define PADDED_i range(i, ROWS)
#define PADDED_j range(j, COLUMNS)
#define PADDED_p p
#define PADDED_q q
#define VALID_IMAGE(...) (I, __VA_ARGS__, plus(times(s, i), p), plus(j, times(t, q)))
#define PADDED_IMAGE(...) padded(I, __VA_ARGS__, plus(times(s, i), p, (-1)), plus(j, times(t, q), (-2)))
#define DUAL(n, EDGE, OUT, IN, WINDOW, pos, crd, kind, a, b, c, d)                                               \
    SPARSE_TENSOR(out##n, OUT, kind, pos, crd)                                                                   \
    SPARSE_TENSOR(in##n, IN, kind, crd, pos)                                                                     \
    SPARSE_TENSOR(window##n, WINDOW, kind, pos, crd)                                                             \
    SPARSE_KERNEL(convolve##n, (EDGE##_##a, EDGE##_##b, EDGE##_##c, EDGE##_##d), (O, out##n, OUT, kind, pos, crd, i, j), \
                  all(EDGE##_IMAGE(in##n, IN, kind, crd, pos), (F, window##n, WINDOW, kind, pos, crd, p, q),     \
                      (s, size_t), (t, size_t)),                                                                 \
                  O = (kind##_value)(O + I * F))                                                                 \
    static void dual##n(size_t rare)                                                                             \
    {                                                                                                            \
        static dual x;                                                                                           \
        out##n O = SPARSE_INIT(out##n);                                                                          \
        in##n I = SPARSE_INIT(in##n);                                                                            \
        window##n F = SPARSE_INIT(window##n);                                                                    \
        make_dual(&x, EDGE == PADDED, rare);                                                                     \
        pack_##kind(&I.t, x.size, x.image), pack_##kind(&F.t, x.window, x.filter);                               \
        CHECK_RESULT(convolve##n(&O, &I, &F, x.steps[0], x.steps[1]), SPARSE_OK);                                \
        check_##kind(&O.t, &x, #OUT " = " #IN " * " #WINDOW);                                                    \
        sparse_free(&O.t), sparse_free(&I.t), sparse_free(&F.t);                                                 \
    }
DUALS(DUAL)

#define RUN(n, ...) dual##n(rare);
static void test_dual(size_t rare) { DUALS(RUN) }

/* the same of three dimensions, the encoding CCC among them, and what is stored in the opposite order */
#define CCC_KJI ccc_kji, ((i, j, k), (compressed, k), (compressed, j), (compressed, i)), double, 16, 8
#define COO3 coo3, SPARSE_COO_3D, double, 16, 8
SPARSE_TENSOR(CCC_KJI)
SPARSE_TENSOR(COO3)
#define DUAL3(name, OUT, IN, WINDOW, ...)                                                                        \
    SPARSE_KERNEL(name, (__VA_ARGS__), (O, OUT, i, j, k),                                                        \
                  all(padded(I, IN, plus(times(2, i), p, (-1)), plus(j, q), plus(times(2, k), r, (-1))), (F, WINDOW, p, q, r)), O += I * F)
DUAL3(dual_ccc, CSF, CSF, CSF, range(i, 4), p, range(j, 3), q, range(k, 5), r)
DUAL3(dual_coo3, COO3, COO3, CSF, p, q, r, range(i, 4), range(j, 3), range(k, 5))
DUAL3(dual_dcc, DCC, CSF, COO3, range(i, 4), p, range(j, 3), q, r, range(k, 5))
DUAL3(dual_kji, CCC_KJI, CCC_KJI, CSF, p, q, range(k, 5), r, range(j, 3), range(i, 4))
static void test_dual_3d(size_t rare)
{
    enum { RESULT = 4 * 3 * 5 };
    const size_t dim[3] = {8, 4, 9}, window[3] = {3, 2, 2};
    double image[8 * 4 * 9], filter[12], wanted[RESULT] = {0}, is[RESULT];
    csf I = SPARSE_INIT(csf), F = SPARSE_INIT(csf), O = SPARSE_INIT(csf);
    coo3 I3 = SPARSE_INIT(coo3), F3 = SPARSE_INIT(coo3), O3 = SPARSE_INIT(coo3);
    ccc_kji Ik = SPARSE_INIT(ccc_kji), Ok = SPARSE_INIT(ccc_kji);
    dcc Od = SPARSE_INIT(dcc);
    sparse_tensor *const images[] = {&I.t, &I3.t, &Ik.t}, *const filters[] = {&F.t, &F3.t}, *const results[] = {&O.t, &O3.t, &Od.t, &Ok.t};
    for (size_t n = 0; n < 8 * 4 * 9; n++) image[n] = random_below(rare) ? 0 : (double)(n % 5 + 1);
    for (size_t n = 0; n < 12; n++) filter[n] = random_below(3) ? (double)(n % 3 + 1) : 0;
    for (size_t n = 0; n < RESULT; n++)
        for (size_t f = 0; f < 12; f++) {
            const size_t i = 2 * (n / 15) + f / 4 - 1, j = n / 5 % 3 + f / 2 % 2, k = 2 * (n % 5) + f % 2 - 1;
            if (i < 8 && j < 4 && k < 9) wanted[n] += image[(i * 4 + j) * 9 + k] * filter[f];
        }
    for (size_t t = 0; t < 3; t++) CHECK_RESULT(sparse_pack_dense(images[t], dim, image), SPARSE_OK);
    for (size_t t = 0; t < 2; t++) CHECK_RESULT(sparse_pack_dense(filters[t], window, filter), SPARSE_OK);
    CHECK_RESULT(dual_ccc(&O, &I, &F), SPARSE_OK);
    CHECK_RESULT(dual_coo3(&O3, &I3, &F), SPARSE_OK);
    CHECK_RESULT(dual_dcc(&Od, &I, &F3), SPARSE_OK);
    CHECK_RESULT(dual_kji(&Ok, &Ik, &F), SPARSE_OK);
    for (size_t t = 0; t < 4; t++) {
        snprintf(subject, sizeof subject, "result %zu, one in %zu", t, rare);
        CHECK_RESULT(sparse_validate(results[t], NULL), SPARSE_OK);
        CHECK(results[t]->dim[0] == 4 && results[t]->dim[1] == 3 && results[t]->dim[2] == 5);
        CHECK_RESULT(sparse_unpack_dense(results[t], is), SPARSE_OK);
        for (size_t n = 0; n < RESULT; n++) CHECK(is[n] >= wanted[n] && is[n] <= wanted[n]);
        sparse_free(results[t]);
    }
    for (size_t t = 0; t < 3; t++) sparse_free(images[t]);
    for (size_t t = 0; t < 2; t++) sparse_free(filters[t]);
}

int main(void)
{
    const size_t window[] = {0, 1, 2, 3, 5, 40};
    for (size_t k = 0; k < sizeof window / sizeof *window; k++)
        for (size_t rare = 1; rare <= 27; rare *= 3)
            for (size_t n = 0; n <= 300; n = 3 * n + 1) test_offsets(n, window[k], rare);
    test_figure_3();
    for (size_t turn = 0; turn < 100; turn++) {
        size_t size[5];
        for (size_t d = 0; d < 5; d++) size[d] = 1 + random_below(3);
        test_figure_7(size);
        size[0] = 1 + random_below(8);
        test_figure_9(size);
    }
    for (size_t turn = 0; turn < 100; turn++) {
        const size_t n = 1 + random_below(60), size[3] = {random_below(30), random_below(8), random_below(5)}, once[3] = {1, 1, 1};
        const size_t step[3] = {1 + random_below(4), 1 + random_below(4), 1 + random_below(4)}, by_one[3] = {step[0], 1, step[2]};
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
    for (size_t turn = 0; turn < 60; turn++) {
        size_t dim[3], filter[3];
        for (size_t d = 0; d < 3; d++) filter[d] = 1 + random_below(5), dim[d] = filter[d] + random_below(8);
        fill_numbers(dim[0] * dim[1] * dim[2], 1 + turn);
        test_deep(dim, filter);
    }
    for (size_t turn = 0; turn < 100; turn++) test_deeper(turn % 2 ? (size_t)4000000000u : 0);
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
    for (size_t turn = 0; turn < 60; turn++) {
        test_naught(2 + random_below(40), turn % 4, 1 + turn % 9);
        const size_t n = 1 + random_below(12), m = 1 + random_below(12);
        fill_numbers(n * m, 1 + turn % 9);
        test_naughts(n, m, turn % 4, random_below(14));
    }
    for (size_t turn = 0; turn < 40; turn++) {
        test_dual(1 + turn % 9);
        test_dual_3d(1 + turn % 9);
    }
    test_examples();
    for (size_t rare = 1; rare < 40; rare += 3) test_twice(30, 4, rare), test_twice(30, 7, rare);
    test_windows();
    test_sets_beside_sums();
    test_hostile();
    test_where();
    test_kept();
    test_opened();
    test_beside_slices();
    test_batches();
    for (size_t turn = 0; turn < 60; turn++) {
        const size_t dim[3] = {1 + random_below(4), 2 + random_below(6), 2 + random_below(15)};
        snprintf(subject, sizeof subject, "%zu batches of %zu x %zu", dim[0], dim[1], dim[2]);
        fill_numbers(dim[0] * dim[1] * dim[2], 1 + turn);
        test_across_batched(dim), test_across_batched_rows(dim), test_across_batched_loose(dim);
    }
    return report("test_sums");
}
