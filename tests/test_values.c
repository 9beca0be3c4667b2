/* test_values.c: values: 16-bit floating point, constants, complex numbers, requantisation, and wide sums of narrow types.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include <math.h>

#include "sparse.h"
#include "sparse_io.h"

#include "oracle.h"

/* The value of binary16 bits, from its definition. */
static double f16_value(unsigned bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double digits = (double)(bits & 1023), minus = bits >> 15 ? -1 : 1;
    return minus * (exponent ? ldexp(1024 + digits, exponent - 25) : ldexp(digits, -24));
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Every f16 converts to float and back. Numbers halfway between neighbours, and just above and below, round as in IEEE
   754. */
static void test_f16(void)
{
    size_t wrong = 0;
    for (unsigned b = 0; b < 65536; b++) {
        const sparse_f16 h = {(uint16_t)b};
        const float f = sparse_float_of_f16(h);
        const bool nan = (b & 0x7C00) == 0x7C00 && (b & 1023), infinite = (b & 0x7FFF) == 0x7C00;
        if (!nan && !infinite) wrong += (double)f < f16_value(b) || (double)f > f16_value(b);
        wrong += (nan && !isnan(f)) || (infinite && !isinf(f));
        const sparse_f16 back = sparse_f16_of_float(f);
        wrong += nan ? (back.bits & 0x7C00) != 0x7C00 || !(back.bits & 1023) : back.bits != b;
        if (nan || infinite || (b & 0x7FFF) >= 0x7BFF) continue;
        const double low = f16_value(b), high = f16_value(b + 1), middle = (low + high) / 2;
        const float at = (float)middle, below = nextafterf(at, (float)low), above = nextafterf(at, (float)high);
        wrong += sparse_f16_of_float(at).bits != (b & 1 ? b + 1 : b);
        wrong += sparse_f16_of_float(below).bits != b;
        wrong += sparse_f16_of_float(above).bits != b + 1;
    }
    CHECK(wrong == 0);
    CHECK(sparse_f16_of_float(65504).bits == 0x7BFF && sparse_f16_of_float(65519.996f).bits == 0x7BFF);
    CHECK(sparse_f16_of_float(65520).bits == 0x7C00 && sparse_f16_of_float(-1e30f).bits == 0xFC00);
    CHECK(sparse_f16_of_float(1e-30f).bits == 0 && sparse_f16_of_float(-0.0f).bits == 0x8000);
}

static void test_bf16(void)
{
    size_t wrong = 0;
    for (unsigned b = 0; b < 65536; b++) {
        const sparse_bf16 h = {(uint16_t)b};
        const float f = sparse_float_of_bf16(h);
        const bool special = (b & 0x7F80) == 0x7F80;
        /* where functions return floats in 80-bit registers (x87), a signalling NaN becomes a quiet one */
        const uint32_t quiet = special && (b & 127) ? (uint32_t)1 << 22 : 0;
        wrong += (bits_of(f) | quiet) != (b << 16 | quiet);
        wrong += sparse_bf16_of_float(f).bits != (special && (b & 127) ? b | 64 : b);
        if (special) continue;
        const uint32_t middle = b << 16 | 0x8000, around[3] = {middle - 1, middle, middle + 1};
        for (unsigned k = 0; k < 3; k++) {
            float x;
            memcpy(&x, &around[k], sizeof x);
            wrong += sparse_bf16_of_float(x).bits != (k == 0 ? b : k == 2 ? b + 1 : b & 1 ? b + 1 : b);
        }
    }
    CHECK(wrong == 0);
}

#define HALF half, ((i, j), (dense, i), (compressed, j)), sparse_f16, 32, 32
#define BRAIN brain, ((i, j), (dense, i), (compressed, j)), sparse_bf16, 32, 32
SPARSE_TENSOR(HALF)
SPARSE_TENSOR(BRAIN)

/* Tensors of 16-bit numbers: read, add duplicates, compare, write, print. */
static void test_storage(void)
{
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 0.1\n1 3 65519\n2 2 -3\n2 3 6e-8\n";
    half h = SPARSE_INIT(half), again = SPARSE_INIT(half);
    brain b = SPARSE_INIT(brain);
    const size_t dim[2] = {2, 3}, at[4] = {0, 1, 0, 1};
    bool equal = false;
    CHECK(half_encoding.kind == SPARSE_F16 && brain_encoding.kind == SPARSE_BF16 && half_encoding.value_size == 2);
    CHECK_RESULT(sparse_read_memory(&h.t, text, sizeof text - 1, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_read_memory(&b.t, text, sizeof text - 1, NULL), SPARSE_OK);
    const uint16_t *v = (const uint16_t *)h.t.val.at, *w = (const uint16_t *)b.t.val.at;
    CHECK(h.t.val.length == 4 && v[0] == 0x2E66 && v[1] == 0x7BFF && v[2] == 0xC200 && v[3] == 0x0001);
    CHECK(b.t.val.length == 4 && w[0] == 0x3DCD && w[1] == 0x4780 && w[2] == 0xC040);
    const sparse_f16 two[2] = {{0x6800}, {0x3C00}}; /* 2048 + 1 is 2048, ties to even */
    CHECK_RESULT(sparse_pack_untyped(&again.t, dim, 2, at, two, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK(again.t.val.length == 1 && ((const uint16_t *)again.t.val.at)[0] == 0x6800);
    FILE *f = tmpfile();
    if (CHECK(f != NULL)) {
        char line[200] = {0};
        size_t length = 0;
        CHECK_RESULT(sparse_write_stream(&h.t, f, NULL), SPARSE_OK);
        rewind(f);
        length = fread(line, 1, sizeof line - 1, f);
        CHECK(strstr(line, "1 1 0.1\n") && strstr(line, "1 3 6.55e+04\n") && strstr(line, "2 2 -3\n") && strstr(line, "2 3 6e-08\n"));
        CHECK_RESULT(sparse_read_memory(&again.t, line, length, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_equal(&h.t, &again.t, 0, &equal), SPARSE_OK);
        CHECK(equal);
        fclose(f);
    }
    static const char beyond[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 65520\n";
    CHECK_RESULT(sparse_read_memory(&h.t, beyond, strlen(beyond), NULL), SPARSE_E_VALUE_RANGE);
    sparse_free(&h.t);
    sparse_free(&again.t);
    sparse_free(&b.t);
}

/* In kernels 16-bit numbers are floats, and are rounded when they are stored. */
#define HVEC  hvec, SPARSE_DENSE_1D, sparse_f16, 32, 32
#define BVEC  bvec, SPARSE_DENSE_1D, sparse_bf16, 32, 32
#define FMAT  fmat, SPARSE_DENSE_2D, float, 32, 32
#define HMAT  hmat, SPARSE_DENSE_2D, sparse_f16, 32, 32
#define HBLOCK hblock, SPARSE_CD, sparse_f16, 32, 32
#define BLIST blist, SPARSE_COO, sparse_bf16, 32, 32
SPARSE_TENSOR(HVEC)
SPARSE_TENSOR(BVEC)
SPARSE_TENSOR(FMAT)
SPARSE_TENSOR(HMAT)
SPARSE_TENSOR(HBLOCK)
SPARSE_TENSOR(BLIST)
#define ONES ones, ((i, j), (dense, i), (compressed, j)), sparse_f16, 32, 32
SPARSE_TENSOR_FILL(ONES, {0x3C00})

SPARSE_KERNEL(multiply, (i, j), (y, HVEC, i), all((A, HALF, i, j), (x, BVEC, j)), y += A * x)
SPARSE_KERNEL(multiply_simd, (parallel(i), simd(j)), (y, BVEC, i), all((A, HALF, i, j), (x, BVEC, j)), y += A * x)
SPARSE_KERNEL(fill_half, (i), from(0.1F, y, HVEC, i), all((x, BVEC, i)), if (x > 2) y = x)
SPARSE_KERNEL(total, (i, j), (s, float), all((A, HALF, i, j)), s += A)
SPARSE_KERNEL(total_half, (i), (s, sparse_f16), all((x, HVEC, i), (alpha, sparse_bf16)), s += alpha * x)
SPARSE_KERNEL(total_brain, (i), from(0.5F, s, sparse_bf16), all((x, HVEC, i), (alpha, sparse_f16)), s += alpha * x)
SPARSE_KERNEL(scale, (i, j), update(A, HALF, i, j), all((x, BVEC, j)), A *= x)
SPARSE_KERNEL(add, (i, j), (C, HALF, i, j), any((A, HALF, i, j), (B, BRAIN, i, j)), C = A + B)
SPARSE_KERNEL(add_up, (i, j), (C, BLIST, i, j), any((A, HALF, i, j), (B, BRAIN, i, j)), C = A + B; has_C = A + B > 3)
SPARSE_KERNEL(add_blocks, (i, j), (C, HBLOCK, i, j), any((A, HALF, i, j), (B, BRAIN, i, j)), C += A + B)
SPARSE_KERNEL(add_dense, (i, j), (C, HMAT, i, j), any((A, HALF, i, j), (B, FMAT, i, j)), C = A + B)
SPARSE_KERNEL(product, (i, k, j), from(0.5F, C, HALF, i, j), all((A, HALF, i, k), (B, BRAIN, k, j)), C += A * B)
SPARSE_KERNEL(times, (i, j), (C, HALF, i, j), any((A, ONES, i, j), (B, HALF, i, j)), C = A * B)
typedef float o; /* a type may have a name of one letter, if no index has it */
SPARSE_KERNEL(add_given, (i), (y, HVEC, i), all((x, BVEC, i), (given, o)), y = x + given)

enum { SIDE = 9 };
static float f16(float x) { return sparse_float_of_f16(sparse_f16_of_float(x)); }
static float bf16(float x) { return sparse_float_of_bf16(sparse_bf16_of_float(x)); }
static bool same(float a, float b) { return bits_of(a) == bits_of(b) || (!(a < b) && !(b < a) && a <= b); }

/* Packs the numbers in a, rounded to the type of t; zeros are not stored. */
static void pack_numbers(sparse_tensor *t, const float *a, size_t volume)
{
    static const size_t dim[2] = {SIDE, SIDE};
    sparse_f16 h[SIDE * SIDE];
    sparse_bf16 b[SIDE * SIDE];
    const void *values = t->encoding->kind == SPARSE_F16 ? (const void *)h : t->encoding->kind == SPARSE_BF16 ? (const void *)b : (const void *)a;
    for (size_t k = 0; k < volume; k++) h[k] = sparse_f16_of_float(a[k]), b[k] = sparse_bf16_of_float(a[k]);
    CHECK_RESULT(sparse_pack_dense_untyped(t, dim, values), SPARSE_OK);
}

/* Element k of t as a dense array. */
static float number_of(const sparse_tensor *t, size_t k)
{
    static sparse_f16 h[SIDE * SIDE];
    sparse_bf16 b;
    CHECK_RESULT(sparse_unpack_dense_untyped(t, h), SPARSE_OK);
    memcpy(&b, &h[k], sizeof b);
    return t->encoding->kind == SPARSE_F16 ? sparse_float_of_f16(h[k]) : sparse_float_of_bf16(b);
}

static void test_kernels(void)
{
    float a[SIDE * SIDE], b[SIDE * SIDE], v[SIDE], sum = 0, said = 0;
    half A = SPARSE_INIT(half), C = SPARSE_INIT(half);
    brain B = SPARSE_INIT(brain);
    hvec y = SPARSE_INIT(hvec);
    bvec x = SPARSE_INIT(bvec), z = SPARSE_INIT(bvec);
    fmat F = SPARSE_INIT(fmat);
    hmat M = SPARSE_INIT(hmat);
    hblock K = SPARSE_INIT(hblock);
    blist L = SPARSE_INIT(blist);
    ones O = SPARSE_INIT(ones);
    size_t wrong = 0;
    for (size_t k = 0; k < SIDE * SIDE; k++) {
        a[k] = random_below(3) ? 0 : f16((float)random_below(1000) / 7 + 0.1F);
        b[k] = random_below(3) ? 0 : bf16((float)random_below(1000) / 9 + 0.1F);
        if (k < SIDE) v[k] = bf16((float)random_below(50) / 11);
    }
    pack_numbers(&A.t, a, SIDE * SIDE);
    pack_numbers(&B.t, b, SIDE * SIDE);
    pack_numbers(&F.t, b, SIDE * SIDE);
    pack_numbers(&x.t, v, SIDE);
    CHECK_RESULT(multiply(&y, &A, &x), SPARSE_OK);
    CHECK_RESULT(multiply_simd(&z, &A, &x), SPARSE_OK);
    CHECK_RESULT(total(&said, &A), SPARSE_OK);
    for (size_t i = 0; i < SIDE; i++) {
        float row = 0;
        for (size_t j = 0; j < SIDE; j++) row += a[SIDE * i + j] * v[j], sum += a[SIDE * i + j];
        wrong += !same(number_of(&y.t, i), f16(row));
        wrong += fabsf(number_of(&z.t, i) - row) > fabsf(row) / 128;
    }
    CHECK(wrong == 0 && same(said, sum));
    hvec sums = SPARSE_INIT(hvec);
    CHECK_RESULT(add_given(&sums, &x, 2), SPARSE_OK);
    for (size_t i = 0; i < SIDE; i++) CHECK(same(number_of(&sums.t, i), f16(v[i] + 2)));
    sparse_free(&sums.t);
    CHECK_RESULT(multiply(&y, &A, &x), SPARSE_OK); /* adds to y */
    CHECK_RESULT(add(&C, &A, &B), SPARSE_OK);
    CHECK_RESULT(add_up(&L, &A, &B), SPARSE_OK);
    CHECK_RESULT(add_blocks(&K, &A, &B), SPARSE_OK);
    CHECK_RESULT(add_dense(&M, &A, &F), SPARSE_OK);
    for (size_t i = 0; i < SIDE; i++) {
        float row = 0;
        for (size_t j = 0; j < SIDE; j++) row += a[SIDE * i + j] * v[j];
        float twice = f16(row);
        for (size_t j = 0; j < SIDE; j++) twice += a[SIDE * i + j] * v[j];
        wrong += !same(number_of(&y.t, i), f16(twice));
    }
    for (size_t k = 0; k < SIDE * SIDE; k++) {
        const float c = a[k] + b[k];
        wrong += !same(number_of(&C.t, k), f16(c)) || !same(number_of(&K.t, k), f16(c)) || !same(number_of(&M.t, k), f16(c));
        wrong += !same(number_of(&L.t, k), c > 3 ? bf16(c) : 0);
    }
    CHECK(wrong == 0);
    CHECK_RESULT(product(&C, &A, &B), SPARSE_OK);
    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = 0; j < SIDE; j++) {
            float c = 0.5F; /* rounded at each step, as it is stored in the workspace */
            bool any = false;
            for (size_t k = 0; k < SIDE; k++)
                if (a[SIDE * i + k] > 0 && b[SIDE * k + j] > 0) c = f16(c + a[SIDE * i + k] * b[SIDE * k + j]), any = true;
            wrong += !same(number_of(&C.t, SIDE * i + j), any ? c : 0);
        }
    CHECK(wrong == 0);
    pack_numbers(&O.t, b, SIDE * SIDE); /* the fill value is 1, so zeros are stored */
    CHECK_RESULT(times(&C, &O, &A), SPARSE_OK);
    for (size_t k = 0; k < SIDE * SIDE; k++) wrong += !same(number_of(&C.t, k), f16(f16(b[k]) * a[k]));
    CHECK_RESULT(scale(&A, &x), SPARSE_OK);
    for (size_t k = 0; k < SIDE * SIDE; k++) wrong += !same(number_of(&A.t, k), f16(a[k] * v[k % SIDE]));
    CHECK_RESULT(fill_half(&y, &x), SPARSE_OK);
    for (size_t k = 0; k < SIDE; k++) wrong += !same(number_of(&y.t, k), f16(v[k] > 2 ? v[k] : 0.1F));
    CHECK(wrong == 0);
    sparse_tensor *const all[] = {&A.t, &B.t, &C.t, &y.t, &x.t, &z.t, &F.t, &M.t, &K.t, &L.t, &O.t};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) sparse_free(all[k]);
}

/* A type with a constant value has no array of values. */
#define PATTERN pattern, SPARSE_CSR, constant(double, 2), 32, 32
#define PAIRS   pairs, SPARSE_COO, constant(double, 2), 32, 32
#define FLAGS   flags, SPARSE_VECTOR, constant(unsigned char, 3), 16, 8
#define TURNS   turns, SPARSE_BSR(1, 2), constant(sparse_complex64, 1), 32, 32
#define VEC     vec, SPARSE_DENSE_1D, double, 32, 32
#define CSR     csr, SPARSE_CSR, double, 32, 32
#define BYTES   bytes, SPARSE_DENSE_1D, unsigned char, 32, 32
SPARSE_TENSOR(PATTERN)
SPARSE_TENSOR(PAIRS)
SPARSE_TENSOR(FLAGS)
SPARSE_TENSOR(TURNS)
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(BYTES)
#define OTHERS others, SPARSE_CSR, constant(double, 5), 32, 32
SPARSE_TENSOR_FILL(OTHERS, 7)
SPARSE_KERNEL(count, (i, j), (y, VEC, i), all((A, PATTERN, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(unite, (i, j), (C, CSR, i, j), any((A, PATTERN, i, j), (B, CSR, i, j), (D, OTHERS, i, j)), C = A + 10 * B + 100 * D)
SPARSE_KERNEL(unite_lists, (i, j), (C, CSR, i, j), any((A, PAIRS, i, j), (B, PATTERN, i, j)), C = A + 10 * B)
SPARSE_KERNEL(without, (i, j), (C, CSR, i, j), all((B, CSR, i, j), none((A, PATTERN, i, j))), C = B)
SPARSE_KERNEL(sum_flags, (i), (s, int), any((a, FLAGS, i), (b, BYTES, i)), s += a + b)
SPARSE_KERNEL(square, (i, k, j), (C, CSR, i, j), all((A, PATTERN, i, k), (B, PATTERN, k, j)), C += A * B)

static void test_constants(void)
{
    static const double p[6] = {2, 0, 2, 0, 0, 2}, q[6] = {0, 1, 1, 0, 0, 0}, five[6] = {7, 5, 7, 7, 7, 5};
    static const double square_p[9] = {2, 0, 0, 0, 0, 2, 0, 2, 0};
    static const double wrong_p[6] = {2, 0, 3, 0, 0, 2};
    static const unsigned char f[5] = {0, 3, 0, 3, 3}, g[5] = {1, 1, 0, 0, 0};
    static const size_t dim[2] = {2, 3}, dim3[2] = {3, 3}, five_long[1] = {5}, at[4] = {0, 0, 1, 2}, again[4] = {1, 2, 1, 2};
    static const double three[3] = {1, 10, 100}, two[2] = {2, 2}, one[2] = {1, 1}, nothing[2] = {2, 0};
    double dense[9], x_at[6];
    unsigned char back[5];
    int flags_sum = 0;
    bool equal = false;
    pattern A = SPARSE_INIT(pattern), E = SPARSE_INIT(pattern);
    pairs P = SPARSE_INIT(pairs);
    csr B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    others D = SPARSE_INIT(others);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    flags v = SPARSE_INIT(flags);
    bytes w = SPARSE_INIT(bytes);
    sparse_arrays arrays;
    sparse_room room;
    sparse_tensor *const all[] = {&A.t, &E.t, &P.t, &B.t, &C.t, &D.t, &x.t, &y.t, &v.t, &w.t};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) all[k]->hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim, p), SPARSE_OK);
    CHECK(sparse_entries(&A.t) == 3 && A.t.val.at == NULL && sparse_bytes(&A.t) == 4 * (3 + 3));
    CHECK(sparse_storage_specifier(&A.t, SPARSE_VAL_MEM_SZ, 0) == 0);
    const sparse_view values = sparse_values(&A.t);
    CHECK(values.length == 3 && ((const double *)values.at)[2 * values.stride] >= 2);
    CHECK_RESULT(sparse_unpack_dense_untyped(&A.t, dense), SPARSE_OK);
    CHECK(memcmp(dense, p, sizeof p) == 0);
    CHECK_RESULT(sparse_pack_dense_untyped(&E.t, dim, wrong_p), SPARSE_E_CONSTANT);
    CHECK(sparse_entries(&E.t) == 0);
    CHECK_RESULT(sparse_pack_untyped(&E.t, dim, 2, at, nothing, SPARSE_DUPLICATES_SUM), SPARSE_E_CONSTANT);
    CHECK_RESULT(sparse_pack_untyped(&E.t, dim, 2, again, two, SPARSE_DUPLICATES_SUM), SPARSE_E_CONSTANT);
    CHECK_RESULT(sparse_pack_untyped(&E.t, dim, 2, again, one, SPARSE_DUPLICATES_SUM), SPARSE_OK); /* 1 + 1 */
    CHECK_RESULT(sparse_pack_untyped(&E.t, dim, 2, again, two, SPARSE_DUPLICATES_LAST), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&E.t, dim, p), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&A.t, &E.t, 0, &equal), SPARSE_OK);
    CHECK(equal);
    /* kernels */
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, dim, q), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&D.t, dim, five), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&x.t, dim + 1, three), SPARSE_OK);
    CHECK_RESULT(count(&y, &A, &x), SPARSE_OK);
    CHECK(((double *)y.t.val.at)[0] >= 202 && ((double *)y.t.val.at)[1] >= 200);
    CHECK_RESULT(unite(&C, &A, &B, &D), SPARSE_OK);
    CHECK_RESULT(sparse_unpack_dense_untyped(&C.t, dense), SPARSE_OK);
    for (size_t k = 0; k < 6; k++) x_at[k] = p[k] > 0 || q[k] > 0 || five[k] < 7 ? p[k] + 10 * q[k] + 100 * five[k] : 0;
    CHECK(memcmp(dense, x_at, sizeof x_at) == 0);
    CHECK_RESULT(sparse_convert(&P.t, &A.t), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&P.t, NULL), SPARSE_OK);
    CHECK_RESULT(unite_lists(&C, &P, &A), SPARSE_OK);
    CHECK_RESULT(sparse_unpack_dense_untyped(&C.t, dense), SPARSE_OK);
    for (size_t k = 0; k < 6; k++) x_at[k] = 11 * p[k];
    CHECK(memcmp(dense, x_at, sizeof x_at) == 0);
    CHECK_RESULT(without(&C, &B, &A), SPARSE_OK);
    CHECK(sparse_entries(&C.t) == 1);
    CHECK_RESULT(sparse_pack_dense_untyped(&E.t, dim3, square_p), SPARSE_OK);
    CHECK_RESULT(square(&C, &E, &E), SPARSE_OK);
    CHECK(sparse_entries(&C.t) == 3 && ((const double *)C.t.val.at)[2] >= 4);
    CHECK_RESULT(sparse_pack_dense_untyped(&v.t, five_long, f), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&w.t, five_long, g), SPARSE_OK);
    CHECK_RESULT(sum_flags(&flags_sum, &v, &w), SPARSE_OK);
    CHECK(flags_sum == 11);
    CHECK_RESULT(sparse_unpack_dense_untyped(&v.t, back), SPARSE_OK);
    CHECK(memcmp(back, f, sizeof f) == 0);
    /* conversion from a type with values and back; to another constant it is refused */
    CHECK_RESULT(sparse_convert(&B.t, &A.t), SPARSE_OK);
    CHECK(sparse_entries(&B.t) == 3 && ((const double *)B.t.val.at)[1] >= 2);
    CHECK_RESULT(sparse_convert(&E.t, &B.t), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&A.t, &E.t, 0, &equal), SPARSE_OK);
    CHECK(equal);
    ((double *)B.t.val.at)[1] = 0;
    CHECK_RESULT(sparse_convert(&E.t, &B.t), SPARSE_E_CONSTANT);
    CHECK(sparse_entries(&E.t) == 0);
    CHECK_RESULT(sparse_reorder_coo(&P.t, &P.t, SPARSE_HEAP_SORT), SPARSE_E_ALIAS);
    /* arrays */
    memset(&room, 0, sizeof room);
    CHECK_RESULT(sparse_disassemble(&A.t, &room), SPARSE_E_CAPACITY);
    CHECK(room.val.length == 3 && room.pos[1].length == 3 && room.crd[1].length == 3);
    arrays = sparse_arrays_of(&A.t);
    CHECK_RESULT(sparse_assemble(&E.t, dim, &arrays, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_copy(&E.t, &A.t), SPARSE_OK);
    CHECK(sparse_entries(&E.t) == 3);
    arrays.val.length = 2;
    CHECK_RESULT(sparse_assemble(&E.t, dim, &arrays, SPARSE_COPY, NULL), SPARSE_E_LENGTH);
    sparse_zero(&A.t);
    CHECK(sparse_entries(&A.t) == 3);
    /* files */
    static const char ones_file[] = "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1\n";
    static const char twos_file[] = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 2\n1 3 2\n2 3 2\n";
    CHECK_RESULT(sparse_read_memory(&E.t, ones_file, sizeof ones_file - 1, NULL), SPARSE_E_CONSTANT);
    CHECK_RESULT(sparse_read_memory(&E.t, twos_file, sizeof twos_file - 1, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&A.t, &E.t, 0, &equal), SPARSE_OK);
    CHECK(equal);
    /* a symmetric file with both triangles: their values are compared only if the type has values */
    static const char twins_file[] = "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n2 1 2\n1 2 2\n3 1 2\n1 3 2\n3 3 2\n";
    sparse_read_options lenient;
    memset(&lenient, 0, sizeof lenient);
    lenient.lenient = true;
    CHECK_RESULT(sparse_read_memory(&E.t, twins_file, sizeof twins_file - 1, &lenient), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&E.t, NULL), SPARSE_OK);
    CHECK(sparse_entries(&E.t) == 5);
    FILE *file = tmpfile();
    if (CHECK(file != NULL)) {
        char text[300] = {0};
        CHECK_RESULT(sparse_write_stream(&A.t, file, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_print(&A.t, file), SPARSE_OK);
        rewind(file);
        CHECK(fread(text, 1, sizeof text - 1, file) > 0);
        CHECK(strstr(text, "2 3 3\n1 1 2\n1 3 2\n2 3 2\n") && strstr(text, "nse = 3") && strstr(text, "values : ( 2, 2, 2 )"));
        fclose(file);
    }
    /* only numbers can be constants; a struct can only be a type of stored values */
    sparse_encoding e = pattern_encoding;
    e.kind = SPARSE_OPAQUE;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_VALUE_TYPE);
    CHECK(turns_encoding.kind == SPARSE_C64 && turns_encoding.constant && !sparse_same_encoding(&pattern_encoding, &csr_encoding));
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) sparse_free(all[k]);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Storage operations on types with a constant value. Also: a kernel compiled for native widths accepts a tensor whose
   encoding has native widths at run time. */
#define COLUMNS columns, SPARSE_CSC, constant(double, 2), 32, 32
#define NATIVE  native, SPARSE_CSR, constant(double, 2), 0, 0
SPARSE_TENSOR(COLUMNS)
SPARSE_TENSOR(NATIVE)
SPARSE_KERNEL(count_native, (i, j), (y, VEC, i), all((A, NATIVE, i, j), (x, VEC, j)), y += A * x)
static void expect_dense(const sparse_tensor *t, const double *wanted, size_t volume)
{
    double dense[16];
    CHECK_RESULT(sparse_validate(t, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_unpack_dense_untyped(t, dense), SPARSE_OK);
    CHECK(t->val.at == NULL && memcmp(dense, wanted, volume * sizeof *dense) == 0);
}
static void test_constant_operations(void)
{
    static const double p[6] = {2, 0, 2, 0, 0, 2}, turned[6] = {2, 0, 0, 0, 2, 2};
    static const double twice[12] = {2, 0, 2, 0, 0, 2, 2, 0, 2, 0, 0, 2}, part[2] = {2, 2}, three[3] = {1, 10, 100};
    static const size_t dim[2] = {2, 3}, other[2] = {3, 2}, places[4] = {1, 2, 0, 0};
    static const unsigned order[2] = {1, 0};
    static const double two = 2, one = 1;
    const sparse_slice slice[2] = {{0, 2, 1}, {2, 1, 1}};
    pattern A = SPARSE_INIT(pattern), B = SPARSE_INIT(pattern);
    columns C = SPARSE_INIT(columns);
    native N = SPARSE_INIT(native);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    sparse_tensor *const all[] = {&A.t, &B.t, &C.t, &N.t, &x.t, &y.t};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) all[k]->hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim, p), SPARSE_OK);
    CHECK_RESULT(sparse_transpose(&B.t, &A.t, order), SPARSE_OK);
    expect_dense(&B.t, turned, 6);
    CHECK_RESULT(sparse_reinterpret_map(&C.t, &A.t), SPARSE_OK);
    expect_dense(&C.t, turned, 6);
    const sparse_tensor *const both[2] = {&A.t, &A.t};
    CHECK_RESULT(sparse_concatenate(&B.t, 0, both, 2), SPARSE_OK);
    expect_dense(&B.t, twice, 12);
    CHECK_RESULT(sparse_reshape(&B.t, other, &A.t), SPARSE_OK);
    expect_dense(&B.t, p, 6);
    CHECK_RESULT(sparse_convert_slice(&B.t, &A.t, slice), SPARSE_OK);
    expect_dense(&B.t, part, 2);
    sparse_insertion s;
    memset(&s, 0, sizeof s);
    s.tensor = &B.t;
    CHECK_RESULT(sparse_insert_begin(&s, dim), SPARSE_OK);
    CHECK_RESULT(sparse_insert_untyped(&s, places, &two), SPARSE_OK);
    CHECK_RESULT(sparse_insert_untyped(&s, places + 2, &two), SPARSE_OK);
    CHECK_RESULT(sparse_insert_end(&s, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK(sparse_entries(&B.t) == 2);
    CHECK_RESULT(sparse_insert_begin(&s, dim), SPARSE_OK);
    CHECK_RESULT(sparse_insert_untyped(&s, places, &one), SPARSE_OK);
    CHECK_RESULT(sparse_insert_end(&s, SPARSE_DUPLICATES_ERROR), SPARSE_E_CONSTANT);
    sparse_encoding e = native_encoding;
    e.pos_bits = e.crd_bits = 0;
    N.t.encoding = &e;
    CHECK_RESULT(sparse_convert(&N.t, &A.t), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&x.t, dim + 1, three), SPARSE_OK);
    CHECK_RESULT(count_native(&y, &N, &x), SPARSE_OK);
    CHECK(((double *)y.t.val.at)[0] >= 202 && ((double *)y.t.val.at)[1] >= 200 && N.t.pos[1].length == 3);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) sparse_free(all[k]);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* The parts of complex numbers are compared separately: if one is infinite or NaN, the other is still compared within the
   tolerance. */
#define PLANE plane, SPARSE_DENSE_1D, sparse_complex128, 32, 32
SPARSE_TENSOR(PLANE)
static void test_equal_parts(void)
{
    static const struct {
        double x[2], y[2];
        bool equal;
    } cases[] = {{{HUGE_VAL, 0}, {HUGE_VAL, -0.0}, true},      {{1, -HUGE_VAL}, {1 + 1e-12, -HUGE_VAL}, true},
                 {{(double)NAN, 1}, {(double)NAN, 1 + 1e-12}, true}, {{HUGE_VAL, 0}, {-HUGE_VAL, 0}, false},
                 {{HUGE_VAL, 0}, {HUGE_VAL, 1}, false},        {{(double)NAN, 0}, {0, 0}, false}};
    const size_t one = 1;
    plane x = SPARSE_INIT(plane), y = SPARSE_INIT(plane);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool equal = !cases[k].equal;
        CHECK_RESULT(sparse_pack_dense_untyped(&x.t, &one, cases[k].x), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&y.t, &one, cases[k].y), SPARSE_OK);
        CHECK_RESULT(sparse_equal(&x.t, &y.t, 1e-9, &equal), SPARSE_OK);
        CHECK(equal == cases[k].equal);
    }
    sparse_free(&x.t);
    sparse_free(&y.t);
}

/* Requantisation as gemmlowp and TFLite write it: with divisions that round towards zero. */
static int32_t double_high_product(int32_t a, int32_t b)
{
    const int64_t product = (int64_t)a * b, nudge = product >= 0 ? 1 << 30 : 1 - (1 << 30);
    return (int32_t)((product + nudge) / ((int64_t)1 << 31));
}
static int32_t divide_by_power(int32_t x, int exponent)
{
    const int64_t power = (int64_t)1 << exponent, twice = 2 * ((int64_t)x < 0 ? -(int64_t)x : x), nearest = (twice + power) / (2 * power);
    return (int32_t)(x < 0 ? -nearest : nearest); /* halves away from zero */
}
/* floor(product / 2^bits + 1/2), computed with divisions */
static int64_t divide_half_up(int64_t product, unsigned bits)
{
    const int64_t power = (int64_t)1 << bits, twice = product + power / 2;
    return twice / power - (twice % power < 0);
}
static int32_t random_32(void)
{
    static const int32_t special[] = {0, 1, -1, 2, -2, 3, -3, INT32_MAX, INT32_MIN, INT32_MIN + 1, 1 << 30, -(1 << 30), 127, -128};
    const size_t few = sizeof special / sizeof *special, which = random_below(3 * few), bits = random_below(32);
    const int32_t number = (int32_t)(uint32_t)(random_below((size_t)1 << 16) << 16 | random_below((size_t)1 << 16));
    return which < few ? special[which] : number / ((int32_t)1 << (bits < 31 ? bits : 30));
}
static void test_requantize(void)
{
    for (size_t turn = 0; turn < 200000; turn++) {
        const int32_t sum = random_32();
        int32_t multiplier = random_32(), shift = (int32_t)random_below(62) - 31;
        if (multiplier < 0) multiplier = -(multiplier + 1);
        if (shift > 0 && (sum >= (1 << (31 - shift)) || sum < -(1 << (31 - shift)))) shift = 0;
        const int32_t high = double_high_product(shift > 0 ? sum * (1 << shift) : sum, multiplier);
        CHECK(sparse_requantize(sum, multiplier, shift) == (shift < 0 ? divide_by_power(high, -shift) : high));
        CHECK(sparse_requantize_once(sum, multiplier, shift) == divide_half_up((int64_t)sum * multiplier, (unsigned)(31 - shift)));
        const int64_t wide = (int64_t)sum * ((int64_t)1 << random_below(15));
        const int32_t upper = multiplier < 0x7FFF0000 ? (multiplier + (1 << 15)) / 65536 : 0x7FFF;
        const int32_t least = shift > 0 ? 0 : shift;
        const int64_t exact = divide_half_up(wide * upper, (unsigned)(15 - least));
        if (exact >= INT32_MIN && exact <= INT32_MAX) CHECK(sparse_requantize_64(wide, multiplier, least) == exact);
    }
    /* by hand: 0.5 is rounded up, -0.5 to 0 in the first step, away from zero in the second */
    CHECK(sparse_requantize(1, 1 << 30, 0) == 1 && sparse_requantize(-1, 1 << 30, 0) == 0 && sparse_requantize(-3, 1 << 30, 0) == -1);
    CHECK(sparse_requantize(6, INT32_MAX, -2) == 2 && sparse_requantize(-6, INT32_MAX, -2) == -2);
    CHECK(sparse_requantize_once(6, INT32_MAX, -2) == 1 && sparse_requantize_once(-6, INT32_MAX, -2) == -1);
    CHECK(sparse_requantize(INT32_MAX, INT32_MAX, 0) == INT32_MAX - 1 && sparse_requantize(INT32_MIN, INT32_MAX, 0) == INT32_MIN + 1);
    CHECK(sparse_saturate_8(127) == 127 && sparse_saturate_8(128) == 127 && sparse_saturate_8(-128) == -128);
    CHECK(sparse_saturate_8(INT32_MIN) == -128 && sparse_saturate_16(40000) == 32767 && sparse_saturate_16(-40000) == -32768);
    CHECK(sparse_clamp(5, 0, 6) == 5 && sparse_clamp(-1, 0, 6) == 0 && sparse_clamp(7, 0, 6) == 6);
    CHECK(sparse_q15_of_sum((int64_t)-32768 * -32768) == 32767 && sparse_q15_of_sum(16384 * 16384) == 8192);
    CHECK(sparse_q15_of_sum(-1) == -1 && sparse_q15_of_sum(32767) == 0 && sparse_q15_of_sum(INT64_MIN) == -32768);
}

/* 16-bit scalar outputs are summed in float */
static void test_scalars(void)
{
    enum { N = 3000 };
    hvec x = SPARSE_INIT(hvec);
    sparse_f16 s = sparse_f16_of_float(1);
    sparse_bf16 b = sparse_bf16_of_float(7);
    CHECK(sparse_allocate_dense(&x.t, (size_t[]){N}) == SPARSE_OK);
    for (size_t k = 0; k < N; k++) ((sparse_f16 *)x.t.val.at)[k] = sparse_f16_of_float(1);
    CHECK(total_half(&s, &x, sparse_bf16_of_float(2)) == SPARSE_OK && sparse_float_of_f16(s) == 6000); /* of 6001 */
    CHECK(total_brain(&b, &x, sparse_f16_of_float(0.5F)) == SPARSE_OK && sparse_float_of_bf16(b) == 1504); /* of 1500.5 */
    sparse_free(&x.t);
}

/* Duplicates of 16-bit numbers are added in float and rounded once, in every operation and encoding. */
static void test_duplicates(void)
{
    enum { ENTRIES = 9000 };
    static const char *const formats[] = {"(i, j) -> (i : dense, j : compressed)", "(i, j) -> (j : dense, i : compressed)",
                                          "(i, j) -> (i : compressed(nonunique), j : singleton)", "(i, j) -> (i : dense, j : dense)",
                                          "(i, j) -> (i : compressed, j : compressed)", "(i, j) -> (i : dense, j : bitmap)",
                                          "(i, j) -> (j - i : compressed, i : dense)", "(i, j) -> (i : dense, j : delta(2))",
                                          "(i, j) -> (i : dense, j floordiv 5 : dense, j mod 5 : packed[5, 5])"};
    static const size_t dim[] = {4, 5};
    static size_t at[2 * ENTRIES];
    static uint16_t all[ENTRIES];
    static char text[ENTRIES * 8 + 100];
    for (int kind = 0; kind < 2; kind++)
        for (int order = 0; order < 2; order++)
            for (size_t f = 0; f < 2 * (sizeof formats / sizeof *formats); f++) {
                sparse_encoding e = kind ? brain_encoding : half_encoding;
                sparse_tensor t = {.encoding = &e};
                uint16_t dense[20];
                size_t length = (size_t)sprintf(text, "%%%%MatrixMarket matrix coordinate real general\n4 5 %d\n", ENTRIES);
                for (size_t k = 0; k < ENTRIES; k++) { /* 3,000 at each of three elements, interleaved or not */
                    const size_t place = order ? k % 3 : k / (ENTRIES / 3);
                    at[2 * k] = place + 1, at[2 * k + 1] = 2 * place;
                    all[k] = kind ? 0x3F80 : 0x3C00;
                    length += (size_t)sprintf(text + length, "%zu %zu 1\n", place + 2, 2 * place + 1);
                }
                CHECK_RESULT(sparse_parse_encoding(formats[f / 2], &e, NULL), SPARSE_OK);
                if (f & 1) CHECK_RESULT(sparse_read_memory(&t, text, length, NULL), SPARSE_OK);
                else CHECK_RESULT(sparse_pack_untyped(&t, dim, ENTRIES, at, all, SPARSE_DUPLICATES_SUM), SPARSE_OK);
                CHECK_RESULT(sparse_unpack_dense_untyped(&t, dense), SPARSE_OK);
                for (size_t place = 0; place < 3; place++) /* 3008 is the bf16 nearest to 3000 */
                    CHECK(dense[5 * (place + 1) + 2 * place] == (kind ? sparse_bf16_of_float(3008).bits : sparse_f16_of_float(3000).bits));
                sparse_free(&t);
            }
}

/* Workspaces and scalars that sum over an index hold 8-bit and 16-bit values in wider types. Otherwise the sum of 3,000 ones
   would stop at 2,048 in f16 and at 256 in bf16, and would overflow in 8 bits. */
#define ROWS_OF_ONES 3000
#define I8VEC  i8vec, SPARSE_DENSE_1D, int8_t, 32, 32
#define U8VEC  u8vec, SPARSE_DENSE_1D, uint8_t, 32, 32
#define I16VEC i16vec, SPARSE_DENSE_1D, int16_t, 32, 32
#define U16VEC u16vec, SPARSE_DENSE_1D, uint16_t, 32, 32
#define I8CSR  i8csr, SPARSE_CSR, int8_t, 32, 32
#define DVEC   dvec, SPARSE_DENSE_1D, double, 32, 32
#define DMAT   dmat, SPARSE_DENSE_2D, double, 32, 32
SPARSE_TENSOR(I8VEC)
SPARSE_TENSOR(U8VEC)
SPARSE_TENSOR(I16VEC)
SPARSE_TENSOR(U16VEC)
SPARSE_TENSOR(I8CSR)
SPARSE_TENSOR(DVEC)
SPARSE_TENSOR(DMAT)
#define COLUMN_SUMS(type, TYPE, MATRIX)                                                                                     \
    SPARSE_KERNEL(columns_##type, (j), (y, DVEC, j), all(where((w, TYPE, j), (i, j), all((A, MATRIX, i, j)), w += A)), y = (double)w) \
    SPARSE_KERNEL(begun_##type, (parallel(j)), (y, DVEC, j),                                                                \
                  all(where(from(1, w, TYPE, j), (i, j), all((A, MATRIX, i, j)), w += 2 * A)), y = (double)w)                       \
    SPARSE_KERNEL(shifted_##type, (j), (y, DVEC, j),                                                                        \
                  all(where((w, TYPE, let(s, plus(j, (1)))), (i, s), all((A, MATRIX, i, s)), w += A), (y0, DVEC, j)), y = (double)w + y0)
COLUMN_SUMS(f16, HVEC, HALF)
COLUMN_SUMS(bf16, BVEC, HALF)
COLUMN_SUMS(i8, I8VEC, I8CSR)
COLUMN_SUMS(u8, U8VEC, I8CSR)
COLUMN_SUMS(i16, I16VEC, I8CSR)
COLUMN_SUMS(u16, U16VEC, I8CSR)
/* workspaces cleared for each row; scalar workspaces; partial sums of threads */
SPARSE_KERNEL(rows_by_columns, (r, j), (Y, DMAT, r, j),
              all(where((w, HVEC, j), (i, j), all((R, HALF, r, i), (A, HALF, i, j)), w += R * A)), Y = (double)w)
SPARSE_KERNEL(assembled_rows, (r, j), (Y, BRAIN, r, j),
              all(where((w, BVEC, j), (i, j), all((R, HALF, r, i), (A, HALF, i, j)), w += R * A)), Y = w / 3)
SPARSE_KERNEL(all_f16, (j), (y, DVEC, j), all(where((w, sparse_f16), (i, k), all((A, HALF, i, k)), w += A), (y0, DVEC, j)), y = (double)w + y0)
SPARSE_KERNEL(all_i8, (j), (y, DVEC, j), all(where((w, int8_t), (i, k), all((A, I8CSR, i, k)), w += A), (y0, DVEC, j)), y = (double)w + y0)
SPARSE_KERNEL(shares_bf16, (parallel_sum(i), j), (s, sparse_bf16), all((A, HALF, i, j)), s += A)
SPARSE_KERNEL(marks_u8, (j), (y, DVEC, j), all(where((w, U8VEC, j), (j), all((x, DVEC, j)), w = (uint8_t)(int)x), (y0, DVEC, j)), y = (double)w + y0)

/* Packs a matrix of ones, with `each` columns. */
static void pack_ones(sparse_tensor *t, size_t rows, size_t each)
{
    const size_t dim[] = {rows, each};
    static size_t at[2 * ROWS_OF_ONES][2];
    static sparse_f16 h[2 * ROWS_OF_ONES];
    static int8_t n[2 * ROWS_OF_ONES];
    for (size_t k = 0; k < rows * each; k++)
        at[k][0] = k / each, at[k][1] = k % each, h[k] = sparse_f16_of_float(1), n[k] = 1;
    CHECK_RESULT(sparse_pack_untyped(t, dim, rows * each, &at[0][0], t->encoding->kind == SPARSE_F16 ? (void *)h : (void *)n,
                                     SPARSE_DUPLICATES_SUM),
                 SPARSE_OK);
}

static bool are_all(const dvec *y, double wanted)
{
    bool all = y->t.val.length > 0;
    for (size_t k = 0; k < y->t.val.length; k++) all = all && !(dvec_values(y)[k] < wanted) && !(dvec_values(y)[k] > wanted);
    return all;
}

static void test_wide_workspaces(void)
{
    half A = SPARSE_INIT(half), R = SPARSE_INIT(half);
    i8csr N = SPARSE_INIT(i8csr);
    brain C = SPARSE_INIT(brain);
    dmat Y = SPARSE_INIT(dmat);
    const size_t one[] = {1}, two[] = {2};
    dvec zero = SPARSE_INIT(dvec), y = SPARSE_INIT(dvec), zeros = SPARSE_INIT(dvec);
    sparse_bf16 s = {0};
    pack_ones(&A.t, ROWS_OF_ONES, 2);
    pack_ones(&N.t, ROWS_OF_ONES, 2);
    pack_ones(&R.t, 2, ROWS_OF_ONES);
    CHECK_RESULT(sparse_allocate_dense(&zero.t, one), SPARSE_OK);
    CHECK_RESULT(sparse_allocate_dense(&zeros.t, two), SPARSE_OK);
#define TRY(type, A)                                                                                                        \
    CHECK_RESULT(columns_##type(&y, &A), SPARSE_OK);                                                                        \
    CHECK(are_all(&y, ROWS_OF_ONES));                                                                                       \
    sparse_free(&y.t);                                                                                                      \
    CHECK_RESULT(begun_##type(&y, &A), SPARSE_OK);                                                                          \
    CHECK(are_all(&y, 2 * ROWS_OF_ONES + 1));                                                                               \
    sparse_free(&y.t);                                                                                                      \
    CHECK_RESULT(shifted_##type(&y, &A, &zero), SPARSE_OK);                                                                 \
    CHECK(are_all(&y, ROWS_OF_ONES));                                                                                       \
    sparse_free(&y.t)
    TRY(f16, A);
    TRY(bf16, A);
    TRY(i8, N);
    TRY(u8, N);
    TRY(i16, N);
    TRY(u16, N);
#undef TRY
    CHECK_RESULT(rows_by_columns(&Y, &R, &A), SPARSE_OK);
    for (size_t k = 0; k < Y.t.val.length; k++) CHECK(dmat_values(&Y)[k] >= ROWS_OF_ONES && dmat_values(&Y)[k] <= ROWS_OF_ONES);
    CHECK_RESULT(assembled_rows(&C, &R, &A), SPARSE_OK);
    CHECK(same(number_of(&C.t, 0), bf16(ROWS_OF_ONES / 3)) && sparse_entries(&C.t) == 4);
    CHECK_RESULT(all_f16(&y, &A, &zero), SPARSE_OK);
    CHECK(are_all(&y, 2 * ROWS_OF_ONES));
    CHECK_RESULT(all_i8(&y, &N, &zero), SPARSE_OK);
    CHECK(are_all(&y, 2 * ROWS_OF_ONES));
    sparse_free(&y.t);
    CHECK_RESULT(shares_bf16(&s, &A), SPARSE_OK);
    CHECK(same(sparse_float_of_bf16(s), bf16(2 * ROWS_OF_ONES)));
    dvec_values(&zero)[0] = 258; /* without a sum, the workspace keeps its type */
    CHECK_RESULT(marks_u8(&y, &zero, &zero), SPARSE_OK);
    CHECK(are_all(&y, 260));
    sparse_free(&A.t), sparse_free(&R.t), sparse_free(&N.t), sparse_free(&C.t), sparse_free(&Y.t);
    sparse_free(&zero.t), sparse_free(&zeros.t), sparse_free(&y.t);
}

int main(void)
{
    test_duplicates();
    test_scalars();
    test_f16();
    test_requantize();
    test_bf16();
    test_storage();
    test_kernels();
    test_wide_workspaces();
    test_constants();
    test_constant_operations();
    test_equal_parts();
    return report("test_values");
}
