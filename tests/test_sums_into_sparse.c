/* test_sums_into_sparse.c: kernels with sums as subscripts and sparse results, in two and three dimensions: every encoding
   of the result with every encoding of an operand, all widths, all value types.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sums.h"

/* O(i,j) = I(s i + p, j + t q) F(p,q), where all three are sparse. With `padded`, I is read at s i + p - 1 and j + t q - 2;
   elements outside count as not stored. */
enum { SIDE = 15, IMAGE = SIDE * SIDE, FILTER = 16 }; /* small enough for positions of 8 bits */
typedef struct dual {
    size_t size[2], window[2], result[2], steps[2];
    double image[IMAGE], filter[FILTER], wanted[IMAGE];
} dual;

/* Functions for a value type: pack numbers as values; read the number that a sum of products stands for, of at most
   `most`. */
#define KIND(kind, most)                                                                                                    \
    static void pack_##kind(sparse_tensor *t, const size_t *dim, const double *numbers_of_t)                                \
    {                                                                                                                       \
        kind values[IMAGE];                                                                                                 \
        for (size_t k = 0; k < dim[0] * dim[1]; k++) values[k] = kind##_of(numbers_of_t[k]);                                \
        CHECK_RESULT(sparse_pack_dense_untyped(t, dim, values), SPARSE_OK);                                                         \
    }                                                                                                                       \
    static void check_##kind(const sparse_tensor *t, const dual *x, const char *what)                                       \
    {                                                                                                                       \
        kind values[IMAGE];                                                                                                 \
        snprintf(subject, sizeof subject, "%s, %zu x %zu, window %zu x %zu, steps %zu %zu", what, x->size[0], x->size[1],   \
                 x->window[0], x->window[1], x->steps[0], x->steps[1]);                                                     \
        CHECK_RESULT(sparse_validate(t, NULL), SPARSE_OK);                                                                  \
        if (!CHECK(t->dim[0] == x->result[0] && t->dim[1] == x->result[1])) return;                                         \
        CHECK_RESULT(sparse_unpack_dense_untyped(t, values), SPARSE_OK);                                                            \
        for (size_t k = 0; k < t->dim[0] * t->dim[1]; k++) {                                                                \
            const double is = number_of_##kind(values[k]), wanted = x->wanted[k] < most ? x->wanted[k] : most;              \
            CHECK(is >= wanted && is <= wanted);                                                                            \
        }                                                                                                                   \
    }
#define PLAIN(kind, most)                                                                                                   \
    typedef kind kind##_value;                                                                                              \
    static kind kind##_of(double x) { return (kind)x; }                                                                     \
    static double number_of_##kind(kind x) { return (double)x; }                                                            \
    KIND(kind, most)
#define HALF(kind, half)                                                                                                    \
    typedef float kind##_value;                                                                                             \
    static kind kind##_of(double x) { return kind##_of_float((float)x); }                                                   \
    static double number_of_##kind(kind x) { return (double)sparse_float_of_##half(x); }                                    \
    KIND(kind, 256)
/* The number x is stored as x + i x. The product of two of these is 2i times the product of the numbers. */
#define COMPLEX(kind, real)                                                                                                 \
    typedef kind kind##_value;                                                                                              \
    static kind kind##_of(double x)                                                                                         \
    {                                                                                                                       \
        const real parts[2] = {(real)x, (real)x};                                                                           \
        kind z;                                                                                                             \
        memcpy(&z, parts, sizeof z);                                                                                        \
        return z;                                                                                                           \
    }                                                                                                                       \
    static double number_of_##kind(kind z)                                                                                  \
    {                                                                                                                       \
        real parts[2];                                                                                                      \
        memcpy(parts, &z, sizeof z);                                                                                        \
        return parts[0] < 0 || parts[0] > 0 ? -1 : (double)parts[1] / 2;                                                    \
    }                                                                                                                       \
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

enum { ROWS = 11, COLUMNS = 9 }; /* of padded results */
/* Draws sizes, an image with about one nonzero in `rare`, and a filter; computes the result. No sum exceeds int8_t. */
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

/* X(number, VALID or PADDED, encodings of O, I and F, bits of positions and of coordinates (exchanged for I), value type,
   loops). The loops follow the orders of the levels of I and F. The rows have every pair of encodings of O and I, all pairs
   of widths, and all value types. */
enum { VALID, PADDED };
#define DUALS(X)                                                                                                            \
    X(1, VALID, SPARSE_CSR, SPARSE_CSR, SPARSE_CSR, 8, 8, double, i, p, j, q)                                               \
    X(2, PADDED, SPARSE_CSR, SPARSE_DCSR, SPARSE_CSC, 8, 16, float, i, q, p, j)                                             \
    X(3, VALID, SPARSE_CSR, SPARSE_CSC, SPARSE_COO, 8, 32, truths, j, p, q, i)                                              \
    X(4, PADDED, SPARSE_CSR, SPARSE_COO, SPARSE_CD, 8, 64, int8_t, q, i, p, j)                                              \
    X(5, VALID, SPARSE_CSR, SPARSE_CD, SPARSE_DCSR, 16, 8, int16_t, p, i, q, j)                                             \
    X(6, PADDED, SPARSE_DCSR, SPARSE_CSR, SPARSE_CSC, 16, 16, int32_t, q, p, i, j)                                          \
    X(7, VALID, SPARSE_DCSR, SPARSE_DCSR, SPARSE_COO, 16, 32, int64_t, i, j, p, q)                                          \
    X(8, PADDED, SPARSE_DCSR, SPARSE_CSC, SPARSE_CD, 16, 64, uint8_t, q, j, p, i)                                           \
    X(9, VALID, SPARSE_DCSR, SPARSE_COO, SPARSE_DCSR, 32, 8, uint16_t, p, q, i, j)                                          \
    X(10, PADDED, SPARSE_DCSR, SPARSE_CD, SPARSE_CSR, 32, 16, uint32_t, i, p, q, j)                                         \
    X(11, VALID, SPARSE_CSC, SPARSE_CSR, SPARSE_COO, 32, 32, uint64_t, j, i, p, q)                                          \
    X(12, PADDED, SPARSE_CSC, SPARSE_DCSR, SPARSE_CD, 32, 64, sparse_f16, j, p, i, q)                                       \
    X(13, VALID, SPARSE_CSC, SPARSE_CSC, SPARSE_DCSR, 64, 8, sparse_bf16, j, p, q, i)                                       \
    X(14, PADDED, SPARSE_CSC, SPARSE_COO, SPARSE_CSR, 64, 16, sparse_complex64, p, j, i, q)                                 \
    X(15, VALID, SPARSE_CSC, SPARSE_CD, SPARSE_CSC, 64, 32, sparse_complex128, q, i, p, j)                                  \
    X(16, PADDED, SPARSE_COO, SPARSE_CSR, SPARSE_CD, 64, 64, double, i, q, p, j)                                            \
    X(17, VALID, SPARSE_COO, SPARSE_DCSR, SPARSE_DCSR, 0, 0, float, p, i, q, j)                                             \
    X(18, PADDED, SPARSE_COO, SPARSE_CSC, SPARSE_CSR, 8, 0, truths, p, q, j, i)                                             \
    X(19, VALID, SPARSE_COO, SPARSE_COO, SPARSE_CSC, 0, 16, sparse_bf16, q, i, p, j)                                        \
    X(20, PADDED, SPARSE_COO, SPARSE_CD, SPARSE_COO, 32, 0, sparse_complex64, i, p, j, q)                                   \
    X(21, VALID, SPARSE_CD, SPARSE_CSR, SPARSE_DCSR, 0, 64, int8_t, i, p, q, j)                                             \
    X(22, PADDED, SPARSE_CD, SPARSE_DCSR, SPARSE_CSR, 8, 8, uint64_t, p, q, i, j)                                           \
    X(23, VALID, SPARSE_CD, SPARSE_CSC, SPARSE_CSC, 16, 16, sparse_complex128, j, q, i, p)                                  \
    X(24, PADDED, SPARSE_CD, SPARSE_COO, SPARSE_COO, 64, 64, sparse_f16, p, i, j, q)                                        \
    X(25, VALID, SPARSE_CD, SPARSE_CD, SPARSE_CD, 32, 32, int32_t, j, p, i, q)                                              \
    X(26, VALID, SPARSE_CSR, SPARSE_BITMAP_ROWS, SPARSE_DCSR, 8, 16, double, i, p, j, q)                                    \
    X(27, PADDED, SPARSE_DCSR, SPARSE_BITMAP_ROWS, SPARSE_CSR, 16, 8, float, p, i, q, j)                                    \
    X(28, VALID, SPARSE_COO, SPARSE_BITMAP_ROWS, SPARSE_COO, 32, 64, int16_t, p, i, j, q)                                   \
    X(29, PADDED, SPARSE_CSR, SPARSE_BITMAP_ROWS, SPARSE_BITMAP_ROWS, 64, 32, double, i, j, p, q)

#define VALID_i           i
#define VALID_j           j
#define VALID_p           p
#define VALID_q           q
#define PADDED_i          range(i, ROWS)
#define PADDED_j          range(j, COLUMNS)
#define PADDED_p          p
#define PADDED_q          q
#define VALID_IMAGE(...)  (I, __VA_ARGS__, plus(times(s, i), p), plus(j, times(t, q)))
#define PADDED_IMAGE(...) padded(I, __VA_ARGS__, plus(times(s, i), p, (-1)), plus(j, times(t, q), (-2)))
#define DUAL(n, EDGE, OUT, IN, WINDOW, pos, crd, kind, a, b, c, d)                                                          \
    SPARSE_TENSOR(out##n, OUT, kind, pos, crd)                                                                              \
    SPARSE_TENSOR(in##n, IN, kind, crd, pos)                                                                                \
    SPARSE_TENSOR(window##n, WINDOW, kind, pos, crd)                                                                        \
    SPARSE_KERNEL(convolve##n, (EDGE##_##a, EDGE##_##b, EDGE##_##c, EDGE##_##d), (O, out##n, OUT, kind, pos, crd, i, j),    \
                  all(EDGE##_IMAGE(in##n, IN, kind, crd, pos), (F, window##n, WINDOW, kind, pos, crd, p, q), (s, size_t),   \
                      (t, size_t)),                                                                                         \
                  O = (kind##_value)(O + I * F))                                                                            \
    static void dual##n(size_t rare)                                                                                        \
    {                                                                                                                       \
        static dual x;                                                                                                      \
        out##n O = SPARSE_INIT(out##n);                                                                                     \
        in##n I = SPARSE_INIT(in##n);                                                                                       \
        window##n F = SPARSE_INIT(window##n);                                                                               \
        make_dual(&x, EDGE == PADDED, rare);                                                                                \
        pack_##kind(&I.t, x.size, x.image), pack_##kind(&F.t, x.window, x.filter);                                          \
        CHECK_RESULT(convolve##n(&O, &I, &F, x.steps[0], x.steps[1]), SPARSE_OK);                                           \
        check_##kind(&O.t, &x, #OUT " = " #IN " * " #WINDOW);                                                               \
        sparse_free(&O.t), sparse_free(&I.t), sparse_free(&F.t);                                                            \
    }
DUALS(DUAL)

#define RUN(n, ...) dual##n(rare);
static void test_dual(size_t rare){DUALS(RUN)}

/* Three dimensions: among the encodings are CCC, and CCC with its levels in the opposite order. */
#define CCC_KJI ccc_kji, ((i, j, k), (compressed, k), (compressed, j), (compressed, i)), double, 16, 8
#define COO3    coo3, SPARSE_COO_3D, double, 16, 8
SPARSE_TENSOR(CCC_KJI) SPARSE_TENSOR(COO3)
#define DUAL3(name, OUT, IN, WINDOW, ...)                                                                                   \
    SPARSE_KERNEL(                                                                                                          \
        name, (__VA_ARGS__), (O, OUT, i, j, k),                                                                             \
        all(padded(I, IN, plus(times(2, i), p, (-1)), plus(j, q), plus(times(2, k), r, (-1))), (F, WINDOW, p, q, r)),       \
        O += I * F)
    DUAL3(dual_ccc, CSF, CSF, CSF, range(i, 4), p, range(j, 3), q, range(k, 5), r)
        DUAL3(dual_coo3, COO3, COO3, CSF, p, q, r, range(i, 4), range(j, 3), range(k, 5))
            DUAL3(dual_dcc, DCC, CSF, COO3, range(i, 4), p, range(j, 3), q, r, range(k, 5))
                DUAL3(dual_kji, CCC_KJI, CCC_KJI, CSF, p, q, range(k, 5), r, range(j, 3),
                      range(i, 4)) static void test_dual_3d(size_t rare)
{
    enum { RESULT = 4 * 3 * 5 };
    const size_t dim[3] = {8, 4, 9}, window[3] = {3, 2, 2};
    double image[8 * 4 * 9], filter[12], wanted[RESULT] = {0}, is[RESULT];
    csf I = SPARSE_INIT(csf), F = SPARSE_INIT(csf), O = SPARSE_INIT(csf);
    coo3 I3 = SPARSE_INIT(coo3), F3 = SPARSE_INIT(coo3), O3 = SPARSE_INIT(coo3);
    ccc_kji Ik = SPARSE_INIT(ccc_kji), Ok = SPARSE_INIT(ccc_kji);
    dcc Od = SPARSE_INIT(dcc);
    sparse_tensor *const images[] = {&I.t, &I3.t, &Ik.t}, *const filters[] = {&F.t, &F3.t},
                         *const results[] = {&O.t, &O3.t, &Od.t, &Ok.t};
    for (size_t n = 0; n < 8 * 4 * 9; n++) image[n] = random_below(rare) ? 0 : (double)(n % 5 + 1);
    for (size_t n = 0; n < 12; n++) filter[n] = random_below(3) ? (double)(n % 3 + 1) : 0;
    for (size_t n = 0; n < RESULT; n++)
        for (size_t f = 0; f < 12; f++) {
            const size_t i = 2 * (n / 15) + f / 4 - 1, j = n / 5 % 3 + f / 2 % 2, k = 2 * (n % 5) + f % 2 - 1;
            if (i < 8 && j < 4 && k < 9) wanted[n] += image[(i * 4 + j) * 9 + k] * filter[f];
        }
    for (size_t t = 0; t < 3; t++) CHECK_RESULT(sparse_pack_dense_untyped(images[t], dim, image), SPARSE_OK);
    for (size_t t = 0; t < 2; t++) CHECK_RESULT(sparse_pack_dense_untyped(filters[t], window, filter), SPARSE_OK);
    CHECK_RESULT(dual_ccc(&O, &I, &F), SPARSE_OK);
    CHECK_RESULT(dual_coo3(&O3, &I3, &F), SPARSE_OK);
    CHECK_RESULT(dual_dcc(&Od, &I, &F3), SPARSE_OK);
    CHECK_RESULT(dual_kji(&Ok, &Ik, &F), SPARSE_OK);
    for (size_t t = 0; t < 4; t++) {
        snprintf(subject, sizeof subject, "result %zu, one in %zu", t, rare);
        CHECK_RESULT(sparse_validate(results[t], NULL), SPARSE_OK);
        CHECK(results[t]->dim[0] == 4 && results[t]->dim[1] == 3 && results[t]->dim[2] == 5);
        CHECK_RESULT(sparse_unpack_dense_untyped(results[t], is), SPARSE_OK);
        for (size_t n = 0; n < RESULT; n++) CHECK(is[n] >= wanted[n] && is[n] <= wanted[n]);
        sparse_free(results[t]);
    }
    for (size_t t = 0; t < 3; t++) sparse_free(images[t]);
    for (size_t t = 0; t < 2; t++) sparse_free(filters[t]);
}

int main(void)
{
    for (size_t turn = 0; turn < 40; turn++) {
        test_dual(1 + turn % 9);
        test_dual_3d(1 + turn % 9);
    }
    return report("test_sums_into_sparse");
}
