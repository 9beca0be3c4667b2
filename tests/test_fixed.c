/* test_fixed.c: kernels over tensors with sizes fixed at compile time compute what they compute over ordinary tensors, for
   each encoding. A tensor of fixed sizes has only a pointer for each array.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sparse.h"

#include "oracle.h"

enum { ROWS = 12, COLUMNS = 20, TAPS = 3 };
#define SIZES fixed(ROWS, COLUMNS)
#define VEC   vec, SPARSE_DENSE_1D, double, 32, 32
#define X     x_t, SPARSE_DENSE_1D, double, 32, 32, fixed(COLUMNS)
#define Y     y_t, SPARSE_DENSE_1D, double, 32, 32, fixed(ROWS)
#define Z     z_t, SPARSE_DENSE_1D, double, 32, 32, fixed(COLUMNS - TAPS + 1)
#define TAP   tap_t, SPARSE_VECTOR, double, 16, 8, fixed(TAPS)
#define ANY   any_csr, SPARSE_CSR, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(X)
SPARSE_TENSOR(Y)
SPARSE_TENSOR(Z)
SPARSE_TENSOR(TAP)
SPARSE_TENSOR(ANY)
/* as long as a dimension can be: SIZE_MAX, and, where int has 16 bits, more than INT_MAX */
#define LONGEST longest, SPARSE_VECTOR, double, 0, 0, fixed(SIZE_MAX)
#define LONGER  longer, SPARSE_VECTOR, double, 16, 16, fixed(40000u)
SPARSE_TENSOR(LONGEST)
SPARSE_TENSOR(LONGER)
SPARSE_KERNEL(dot_longest, (i), (s, double), all((x, LONGEST, i), (y, LONGEST, i)), s += x * y)
SPARSE_KERNEL(dot_longer, (i), (s, double), all((x, LONGER, i), (y, LONGER, i)), s += x * y)

/* the members of a tensor of fixed sizes, taken from a packed tensor */
#define POS(T, n)                (const T *)packed.t.pos[(n)-1].at
#define CRD(T, n)                (const T *)packed.t.crd[(n)-1].at
#define VALUES                   (const double *)packed.t.val.at
#define FORMAT(name, level, ...) name##_packed, level, double, 16, 8
/* TEST(name, encoding, loops, members): y = A * x three times: all sizes ordinary, all fixed, and only those of A fixed */
#define TEST(name, encoding, loops, ...)                                                                                    \
    SPARSE_TENSOR(name##_packed, encoding, double, 16, 8)                                                                   \
    SPARSE_TENSOR(name, encoding, double, 16, 8, SIZES)                                                                     \
    SPARSE_KERNEL(name##_wanted, loops, from(0, y, VEC, i),                                                                 \
                  all((A, name##_packed, encoding, double, 16, 8, i, j), (x, VEC, j)), y += A * x)                          \
    SPARSE_KERNEL(name##_alone, loops, from(0, y, Y, i), all((A, name, encoding, double, 16, 8, SIZES, i, j), (x, X, j)),   \
                  y += A * x)                                                                                               \
    SPARSE_KERNEL(name##_beside, loops, from(0, y, VEC, i),                                                                 \
                  all((A, name, encoding, double, 16, 8, SIZES, i, j), (x, VEC, j)), y += A * x)                            \
    static void test_##name(const double *dense, const double *in)                                                          \
    {                                                                                                                       \
        double wanted[ROWS] = {0}, found[ROWS], beside[ROWS];                                                               \
        const size_t dim[] = {ROWS, COLUMNS};                                                                               \
        name##_packed packed = SPARSE_INIT(name##_packed);                                                                  \
        vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), z = SPARSE_INIT(vec);                                               \
        CHECK(!name##_packed_pack_dense(&packed, dim, dense) && !vec_borrow(&x, &dim[1], in) &&                             \
              !vec_borrow(&y, dim, wanted) && !vec_borrow(&z, dim, beside));                                                \
        const name A = {__VA_ARGS__};                                                                                       \
        const x_t fixed_x = {in};                                                                                           \
        y_t fixed_y = {found};                                                                                              \
        for (size_t i = 0; i < ROWS; i++) found[i] = beside[i] = -1;                                                        \
        CHECK(!name##_wanted(&y, &packed, &x) && !name##_alone(&fixed_y, &A, &fixed_x) && !name##_beside(&z, &A, &x));      \
        CHECK(memcmp(wanted, found, sizeof wanted) == 0 && memcmp(wanted, beside, sizeof wanted) == 0);                     \
        z.t.dim[0]--;                                                                                                       \
        CHECK(name##_beside(&z, &A, &x) == SPARSE_E_SHAPE);                                                                 \
        z.t.dim[0]++;                                                                                                       \
        sparse_free(&packed.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&z.t);                                    \
    }
TEST(csr, SPARSE_CSR, (i, j), POS(uint16_t, 2), CRD(uint8_t, 2), VALUES)
TEST(csc, SPARSE_CSC, (j, i), POS(uint16_t, 2), CRD(uint8_t, 2), VALUES)
TEST(dcsr, SPARSE_DCSR, (i, j), POS(uint16_t, 1), CRD(uint8_t, 1), POS(uint16_t, 2), CRD(uint8_t, 2), VALUES)
TEST(coo, SPARSE_COO, (i, j), POS(uint16_t, 1), CRD(uint8_t, 1), VALUES)
TEST(coo_soa, SPARSE_COO_SOA, (i, j), POS(uint16_t, 1), CRD(uint8_t, 1), CRD(uint8_t, 2), VALUES)
TEST(bsr, SPARSE_BSR(2, 3), (floordiv(i, 2), floordiv(j, 3), mod(i, 2), mod(j, 3)), POS(uint16_t, 2), CRD(uint8_t, 2),
     VALUES)
TEST(n2m4, SPARSE_N_OF_M(2, 4), (i, floordiv(j, 4), mod(j, 4)), CRD(uint8_t, 3), VALUES)
TEST(packed2, SPARSE_PACKED_N_OF_M(2, 4), (i, floordiv(j, 4), mod(j, 4)), CRD(uint8_t, 3), VALUES)
TEST(delta, SPARSE_CSR_DELTA(3), (i, j), POS(uint16_t, 2), CRD(uint8_t, 2), VALUES)
TEST(bits, SPARSE_BITMAP_ROWS, (i, j), CRD(uint8_t, 2), VALUES)
TEST(mask, SPARSE_BITMASK_ROWS, (i, j), POS(uint16_t, 2), CRD(uint8_t, 2), VALUES)
TEST(full, SPARSE_DENSE_2D, (i, j), VALUES)

#define W      csr, SPARSE_CSR, double, 16, 8, SIZES
#define CONST  ones, SPARSE_CSR, constant(double, 1), 16, 8, SIZES
#define SQUARE square, SPARSE_CSR, double, 16, 8, fixed(ROWS, ROWS)
SPARSE_TENSOR(CONST)
SPARSE_TENSOR(SQUARE)
/* clang does not warn of a type of fixed sizes that no kernel of the file uses */
SPARSE_TENSOR(unused, SPARSE_CSR, double, 16, 8, SIZES)
SPARSE_KERNEL(convolve, (i, k), from(0, z, Z, i), all((f, TAP, k), (x, X, plus(i, k))), z += f * x)
SPARSE_KERNEL(copy, (i, j), (C, ANY, i, j), all((A, W, i, j)), C = A)
SPARSE_KERNEL(relu, (i), (y, Y, i), all((b, Y, i), where((a, double), (j), all((A, W, i, j), (x, X, j)), a += A * x)),
              y = a + b > 0 ? a + b : 0)
SPARSE_KERNEL(either, (i, j), (s, double), any((A, W, i, j), (B, W, i, j)), s += A - 2 * B)
SPARSE_KERNEL(scale, (i, j), update(A, W, i, j), all((factor, double)), A *= factor)
SPARSE_KERNEL(differences, (i), (x, X, i), any((y, X, i), padded(z, X, plus(i, (-1)))), x = y - z)
SPARSE_KERNEL(forward, (i), (x, Y, i),
              all((b, Y, i), where((s, double), (j), all((L, SQUARE, i, j), current(z, x, Y, j)), s += L * z)), x = b - s)
SPARSE_KERNEL(window, (i, range(p, TAPS)), from(0, z, Z, i), all((x, X, plus(i, p))), z += x)
SPARSE_KERNEL(count, (i, j), (s, double), all((A, CONST, i, j)), s += A)

static const uint16_t pos[ROWS + 1] = {0, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4};
static const uint8_t crd[] = {1, 19, 0, 7};
static const double val[] = {2, 3, -5, 7};

static void test_words(const double *in)
{
    static const uint16_t ends[] = {0, 2};
    static const uint8_t places[] = {0, 2};
    static const double taps[] = {1, -10};
    double out[COLUMNS], biased[ROWS] = {0}, bias[ROWS] = {0}, changed[] = {1, 2, 3, 4}, s = 0;
    const csr A = {pos, crd, val}, B = {pos, crd, changed};
    const ones O = {pos, crd};
    const tap_t f = {ends, places, taps};
    const x_t x = {in};
    const y_t b = {bias};
    z_t z = {out};
    y_t y = {biased};
    csr C = {pos, crd, changed};
    CHECK(!convolve(&z, &f, &x));
    for (size_t i = 0; i < COLUMNS - TAPS + 1; i++) CHECK(out[i] == in[i] - 10 * in[i + 2]);
    bias[2] = 1000;
    CHECK(!relu(&y, &b, &A, &x) && biased[0] == 2 * in[1] + 3 * in[19] && biased[2] == 1000 - 5 * in[0] && biased[1] == 0);
    CHECK(!either(&s, &A, &B) && s == 7 - 20);
    CHECK(!scale(&C, 3) && changed[0] == 3 && changed[3] == 12);
    CHECK(!window(&z, &x) && out[2] == in[2] + in[3] + in[4]);
    x_t less = {out};
    CHECK(!differences(&less, &x, &x) && out[0] == in[0] && out[5] == 1);
    static const uint16_t below[] = {0, 0, 1, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    static const uint8_t columns[] = {0, 1, 0, 2};
    const square L = {below, columns, val};
    for (size_t i = 0; i < ROWS; i++) bias[i] = (double)i + 1;
    CHECK(!forward(&y, &b, &L) && biased[1] == 2 - 2 && biased[2] == 3 && biased[3] == 4 + 5 - 21 && biased[4] == 5);
    s = 0;
    CHECK(!count(&s, &O) && s == 4);
    any_csr D = SPARSE_INIT(any_csr);
    CHECK(!copy(&D, &A) && D.t.dim[0] == ROWS && D.t.dim[1] == COLUMNS && D.t.val.length == 4);
    CHECK(any_csr_values(&D)[1] == 3);
    sparse_free(&D.t);
}

static void test_long(void)
{
#if SIZE_MAX > 0xffffffff
    static const uint64_t ends[] = {0, 2}, last[] = {3, SIZE_MAX - 1};
#else
    static const uint32_t ends[] = {0, 2}, last[] = {3, SIZE_MAX - 1};
#endif
    static const uint16_t ends16[] = {0, 2}, last16[] = {3, 39999};
    static const double values[] = {2, 3};
    const longest x = {ends, last, values};
    const longer y = {ends16, last16, values};
    double s = 0;
    CHECK(!dot_longest(&s, &x, &x) && s == 4 + 9);
    CHECK(!dot_longer(&s, &y, &y) && s == 2 * (4 + 9));
}

int main(void)
{
    double dense[ROWS * COLUMNS] = {0}, in[COLUMNS];
    for (size_t k = 0; k < ROWS * COLUMNS; k++)
        if (k % 4 == 0 || k % 12 == 3) dense[k] = (double)(k % 7 + 1);
    for (size_t j = 0; j < COLUMNS; j++) in[j] = (double)(j + 1);
    test_csr(dense, in), test_delta(dense, in), test_csc(dense, in), test_dcsr(dense, in), test_coo(dense, in);
    test_coo_soa(dense, in), test_bsr(dense, in), test_n2m4(dense, in), test_packed2(dense, in), test_bits(dense, in),
        test_mask(dense, in), test_full(dense, in);
    test_words(in);
    test_long();
    CHECK(sizeof(csr) == 3 * sizeof(void *) && sizeof(x_t) == sizeof(void *) && sizeof(ones) == 2 * sizeof(void *));
    printf("test_fixed: %lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
