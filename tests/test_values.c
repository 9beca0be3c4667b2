/* test_values.c: numbers of 16 bits, and storage of values.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include <math.h>

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

/* Every number there and back; halfway between neighbours, and just beside, rounds as IEEE 754 says. */
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
        wrong += bits_of(f) != b << 16;
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

/* Read, add up, compare, write, print. */
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
    CHECK_RESULT(sparse_pack(&again.t, dim, 2, at, two, SPARSE_DUPLICATES_SUM), SPARSE_OK);
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
    CHECK_RESULT(sparse_read_memory(&h.t, "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 65520\n", 64, NULL), SPARSE_E_VALUE_RANGE);
    sparse_free(&h.t);
    sparse_free(&again.t);
    sparse_free(&b.t);
}

int main(void)
{
    test_f16();
    test_bf16();
    test_storage();
    return report("test_values");
}
