/* sparse_io.h: sparse tensors from files, to files, and on paper.

   Part of the sparse kit, and its only header that touches <stdio.h>. It reads Matrix Market (.mtx, .mm,
   .ttx), FROSTT (.tns), extended FROSTT (.xtns) and .smtx (DLMC), writes the first three, prints the arrays
   of a tensor and draws its nonzeros. A file is not trusted: whatever its bytes, the outcome is a valid
   tensor, or a sparse_result with a sentence that names line and column, and no memory is taken on the word
   of a header. Numbers are rounded correctly, and mean the same in every locale.

       #include "sparse.h"
       #include "sparse_io.h"

       #define CSR csr, SPARSE_CSR, double, 32, 32
       SPARSE_TENSOR(CSR)

       int main(int argc, char **argv)
       {
           csr A = SPARSE_INIT(csr);
           sparse_io_error error;
           sparse_read_options options = {0};
           options.error = &error;
           if (argc < 2 || sparse_read(&A.t, argv[1], &options) != SPARSE_OK) {
               fprintf(stderr, "%s\n", argc < 2 ? "usage: show matrix.mtx" : error.message);
               return 1; // matrix.mtx:7:3: the coordinate "9" is beyond its dimension, of size 4
           }
           sparse_print(&A.t, stdout);
           sparse_free(&A.t);
           return 0;
       }

   sparse_read(t, path, options)                  a file into a tensor, whose encoding is set
   sparse_read_memory(t, text, length, options)   the same from memory
   sparse_write(t, path, options)                 a tensor into a file: all of it, or nothing
   sparse_write_stream(t, out, options)           the same into an open stream
   sparse_print(t, out)                           the arrays of a tensor, as sparse_tensor.print shows them
   sparse_spy(t, path)                            the nonzeros of a matrix, as an SVG picture

   Options may be null, which is the same as zeroed: the defaults.

   READ OPTION      DEFAULT  MEANING
   format           auto     what the file is: by its first line, then by the extension of its name
   lenient          false    true accepts what many files get wrong: %MatrixMarket, blanks or a byte-order
                             mark before the banner, text after the value of a Matrix Market entry, the
                             exponents of Fortran (1.5D+01), entries above the diagonal of symmetric files
   stored_half      false    symmetric, skew-symmetric and Hermitian files are expanded to both triangles,
                             the diagonal once; true keeps the lower triangle that the file stores
   duplicates       sum      what sparse_pack does with entries of equal coordinates
   drop_zeros       false    numbers that the file spells out are stored, zeros too, also those of array
                             files; true leaves zeros out (before duplicates are summed)
   allow_overflow   false    1E9999, or 1e99 into float, is SPARSE_E_VALUE_RANGE; true reads an infinity.
                             (Numbers too small are rounded to 0; integers never overflow silently.)
   zero_based       false    the coordinates of the file start at 0 (.smtx files: always)
   dim              null     the sizes of a .tns file that does not state them; null takes the largest
                             coordinates, which loses empty tails
   error            null     where to put what went wrong, for a person

   WRITE OPTION     DEFAULT  MEANING
   format           auto     by the extension of the name; a stream: Matrix Market
   error            null     as above

   Values are converted to the type of the tensor: pattern entries are 1, real numbers become complex; an
   integer type takes real numbers that are integers, but not from a file that promised integers and
   breaks the promise; complex into real is refused. A `vector`, or a matrix of one column, goes into
   tensors of rank 1 and 2. The imaginary part of a Hermitian diagonal is kept as it is.

   Contents (search for the anchors)
     >>options    sparse_read_options, sparse_write_options, sparse_io_error
     >>numbers    decimal to binary, correctly rounded, and back
     >>reader     the text, where it is wrong, lines and words
     >>entries    collecting coordinates and values
     >>market     Matrix Market
     >>frostt     FROSTT and extended FROSTT
     >>smtx       DLMC
     >>read       sparse_read, sparse_read_memory
     >>write      sparse_write, sparse_write_stream
     >>print      sparse_print
     >>spy        sparse_spy
*/
#ifndef SPARSE_IO_H
#define SPARSE_IO_H

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sparse_formats.h"

#if FLT_RADIX != 2 || DBL_MANT_DIG != 53 || FLT_MANT_DIG != 24
    #error sparse_io.h: float and double must be the binary32 and binary64 of IEEE 754
#endif

/* >>options */

typedef enum sparse_file_format {
    SPARSE_FILE_AUTO,
    SPARSE_FILE_MATRIX_MARKET,
    SPARSE_FILE_FROSTT,
    SPARSE_FILE_FROSTT_EXTENDED,
    SPARSE_FILE_SMTX
} sparse_file_format;

/* What went wrong, and where. Line and column (in bytes) count from 1; 0: no place in the text. */
typedef struct sparse_io_error {
    sparse_result result;
    size_t line, column;
    char message[352]; /* "cage.mtx:17:3: ...", a sentence for a person */
} sparse_io_error;

typedef struct sparse_read_options {
    sparse_file_format format;
    bool lenient;
    bool stored_half;
    bool drop_zeros;
    bool allow_overflow;
    bool zero_based;
    sparse_duplicates duplicates;
    const size_t *dim;
    sparse_io_error *error;
} sparse_read_options;

typedef struct sparse_write_options {
    sparse_file_format format;
    sparse_io_error *error;
} sparse_write_options;

/* `return` early what is not SPARSE_OK. */
#define SPARSE_P_TRY(call)                                                                                   \
    do {                                                                                                     \
        const sparse_result sparse_p_result = (call);                                                        \
        if (sparse_p_result != SPARSE_OK) return sparse_p_result;                                            \
    } while (0)

/* Fills in the error of the options, if there is one, and returns the result. */
static inline sparse_result sparse_p_tell(sparse_io_error *error, sparse_result result, const char *name,
                                          size_t line, size_t column, const char *sentence)
{
    if (error == NULL) return result;
    const size_t length = strlen(name), most = 100; /* of a long path, the end is what tells */
    const char *const dots = length > most ? "..." : "";
    if (length > most) name += length - most;
    error->result = result;
    error->line = line;
    error->column = column;
    if (line > 0)
        snprintf(error->message, sizeof error->message, "%s%s:%zu:%zu: %s", dots, name, line, column,
                 sentence);
    else
        snprintf(error->message, sizeof error->message, "%s%s: %s", dots, name, sentence);
    return result;
}

/* >>numbers
   The way of Clinger ("How to read floating point numbers accurately", 1990): a product of 64 bits with a
   bound on its error almost always decides how to round; where it cannot, because the number lies that
   close to the middle of two neighbours, integers of unlimited size compare it with the middle. No step
   uses floating-point arithmetic, so that neither the locale, the rounding mode nor the extra precision
   of the x87 can change the result. */

/* A number as it is spelt: digits * 10^exponent, and a little more if nonzero digits did not fit. */
typedef struct sparse_p_decimal {
    uint64_t digits;         /* the first 19 significant digits */
    int64_t exponent;        /* of ten */
    const char *first, *end; /* all digits in the text, with the point among them */
    int count;               /* how many digits are in `digits` */
    bool negative;
    bool more;    /* nonzero digits follow those in `digits` */
    bool integer; /* neither point nor exponent: digits only */
    bool infinite, nan;
} sparse_p_decimal;

static inline bool sparse_p_spells_zero(const sparse_p_decimal *n)
{
    return n->digits == 0 && !n->infinite && !n->nan;
}

static inline bool sparse_p_is_digit(char c) { return c >= '0' && c <= '9'; }

static inline char sparse_p_lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

/* The length of `word` (in lower case) if the text starts with it in any case, else 0. */
static inline size_t sparse_p_prefix(const char *at, const char *end, const char *word)
{
    size_t n = 0;
    for (; word[n] != '\0'; ++n)
        if (at + n == end || sparse_p_lower(at[n]) != word[n]) return 0;
    return n;
}

/* Reads digits as an integer; returns the end of them, null if there are none. */
static inline const char *sparse_p_natural(const char *at, const char *end, uint64_t *n, bool *fits)
{
    const char *const start = at;
    uint64_t sum = 0;
    bool fit = true;
    for (; at < end && sparse_p_is_digit(*at); ++at) {
        const unsigned digit = (unsigned)(*at - '0');
        fit &= sum < UINT64_MAX / 10 || (sum == UINT64_MAX / 10 && digit <= UINT64_MAX % 10);
        sum = sum * 10 + digit;
    }
    *n = sum;
    *fits = fit;
    return at > start ? at : NULL;
}

/* Reads the digits and the point of a number; returns the end of them, null if there are no digits. */
static inline const char *sparse_p_scan_digits(const char *at, const char *end, sparse_p_decimal *n)
{
    const char *const start = at, *point = NULL;
    uint64_t digits = 0;
    int count = 0;
    const char *dropped = NULL; /* the first digit that did not fit */
    for (; at < end; ++at) {
        if (sparse_p_is_digit(*at)) {
            if (count < 19) {
                digits = digits * 10 + (unsigned)(*at - '0');
                count += digits != 0;
            } else {
                if (dropped == NULL) dropped = at;
                n->more |= *at != '0';
            }
        } else if (*at == '.' && point == NULL) {
            point = at;
        } else {
            break;
        }
    }
    if (at - start == (point != NULL)) return NULL;
    /* where the units of `digits` stand, less where the units of the number stand */
    const char *const units = point != NULL ? point : at, *const last = dropped != NULL ? dropped : at;
    n->exponent = units - last + (point != NULL && last > point);
    n->digits = digits;
    n->count = count;
    n->first = start;
    n->end = at;
    n->integer = point == NULL;
    return at;
}

/* Reads a number: "-2.8E2" -> -28 * 10^1; returns the end of it, or null if it is none. */
static inline const char *sparse_p_scan(const char *at, const char *end, bool fortran, sparse_p_decimal *n)
{
    memset(n, 0, sizeof *n);
    if (at < end && (*at == '-' || *at == '+')) n->negative = *at++ == '-';
    if (at < end && '9' < *at) {
        n->nan = sparse_p_prefix(at, end, "nan") != 0;
        n->infinite = sparse_p_prefix(at, end, "inf") != 0;
        if (n->nan) return at + strlen("nan");
        if (n->infinite) return at + strlen(sparse_p_prefix(at, end, "infinity") ? "infinity" : "inf");
        return NULL;
    }
    at = sparse_p_scan_digits(at, end, n);
    if (at == NULL || at == end) return at;
    const char mark = sparse_p_lower(*at);
    if (mark != 'e' && !(fortran && mark == 'd')) return at;
    n->integer = false;
    const bool signed_exponent = ++at < end && (*at == '-' || *at == '+');
    const bool negative = signed_exponent && *at == '-';
    uint64_t exponent;
    bool fits;
    at = sparse_p_natural(at + signed_exponent, end, &exponent, &fits);
    if (!fits || exponent > INT32_MAX) exponent = INT32_MAX; /* beyond all bounds anyway */
    n->exponent += negative ? -(int64_t)exponent : (int64_t)exponent;
    return at;
}

/* An integer of up to 3072 bits; both sides of the closest decisions of double need fewer than 2700. */
typedef struct sparse_p_big {
    size_t length;
    uint32_t word[96]; /* the least first, the last one not zero */
} sparse_p_big;

/* b = b * factor + term */
static inline void sparse_p_big_step(sparse_p_big *b, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;
    for (size_t i = 0; i < b->length; ++i) {
        carry += (uint64_t)b->word[i] * factor;
        b->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0 && b->length < sizeof b->word / sizeof b->word[0]) b->word[b->length++] = (uint32_t)carry;
}

/* b = b * base^n, for the bases 2 and 5 */
static inline void sparse_p_big_scale(sparse_p_big *b, uint32_t base, int64_t n)
{
    const uint32_t base13 = base == 5 ? 1220703125u : 8192u;
    for (; n >= 13; n -= 13) sparse_p_big_step(b, base13, 0);
    for (; n > 0; --n) sparse_p_big_step(b, base, 0);
}

/* Is a number, with all of its digits, less than (-1), equal to (0) or greater than (1) m * 2^k? */
static inline int sparse_p_compare(const sparse_p_decimal *n, uint64_t m, int k)
{
    sparse_p_big a, b;
    int64_t exponent = n->exponent, count = 0;
    bool more = false;
    a.length = 0;
    for (const char *at = n->first; at < n->end; ++at) {
        if (*at == '.' || (count == 0 && *at == '0')) continue;
        if (count == 768) { /* no middle of two doubles has more digits: whether more follow is enough */
            more |= *at != '0';
            continue;
        }
        sparse_p_big_step(&a, 10, (uint32_t)(*at - '0'));
        if (++count > n->count) --exponent;
    }
    if (more) {
        sparse_p_big_step(&a, 10, 1);
        --exponent;
    }
    b.word[0] = (uint32_t)m;
    b.word[1] = (uint32_t)(m >> 32);
    b.length = b.word[1] != 0 ? 2 : 1;
    /* a * 10^exponent <> b * 2^k, with negative powers moved to the other side */
    sparse_p_big_scale(exponent < 0 ? &b : &a, 5, exponent < 0 ? -exponent : exponent);
    sparse_p_big_scale(exponent < k ? &b : &a, 2, exponent < k ? k - exponent : exponent - k);
    if (a.length != b.length) return a.length < b.length ? -1 : 1;
    for (size_t i = a.length; i-- > 0;)
        if (a.word[i] != b.word[i]) return a.word[i] < b.word[i] ? -1 : 1;
    return 0;
}

/* m * 2^e; normalized: the top bit of m is set */
typedef struct sparse_p_scaled {
    uint64_t m;
    int e;
} sparse_p_scaled;

/* m * 2^e, for m other than 0 */
static inline sparse_p_scaled sparse_p_normalized(uint64_t m, int e)
{
#if defined(__GNUC__)
    const int zeros = __builtin_clzll(m);
#else
    const int zeros = 64 - (int)sparse_p_width(m);
#endif
    const sparse_p_scaled x = {m << zeros, e - zeros};
    return x;
}

/* a * b of normalized numbers, short of the product by less than one in the last place of m */
static inline sparse_p_scaled sparse_p_product(sparse_p_scaled a, sparse_p_scaled b)
{
    const uint64_t a0 = (uint32_t)a.m, a1 = a.m >> 32, b0 = (uint32_t)b.m, b1 = b.m >> 32;
    const uint64_t low = a0 * b0, left = a1 * b0 + (low >> 32), right = a0 * b1 + (uint32_t)left;
    sparse_p_scaled x = {a1 * b1 + (left >> 32) + (right >> 32), a.e + b.e + 64};
    if (x.m >> 63 == 0) {
        x.m = x.m << 1 | (right >> 31 & 1);
        --x.e;
    }
    return x;
}

/* x * 10^q, for -364 <= q < 336: two products, with an exact power and one rounded to nearest. */
static inline sparse_p_scaled sparse_p_times_power_of_ten(sparse_p_scaled x, int q)
{
    static const uint64_t five[28] = {1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u,
        9765625u, 48828125u, 244140625u, 1220703125u, 6103515625u, 30517578125u, 152587890625u,
        762939453125u, 3814697265625u, 19073486328125u, 95367431640625u, 476837158203125u,
        2384185791015625u, 11920928955078125u, 59604644775390625u, 298023223876953125u,
        1490116119384765625u, 7450580596923828125u};
    static const sparse_p_scaled ten28[25] = { /* 10^(28 * (i - 13)) */
        {0xE1AFA13AFBD14D6Eu, -1273}, {0xE3E27A444D8D98B8u, -1180}, {0xE61ACF033D1A45DFu, -1087},
        {0xE858AD248F5C22CAu, -994}, {0xEA9C227723EE8BCBu, -901}, {0xECE53CEC4A314EBEu, -808},
        {0xEF340A98172AACE5u, -715}, {0xF18899B1BC3F8CA2u, -622}, {0xF3E2F893DEC3F126u, -529},
        {0xF64335BCF065D37Du, -436}, {0xF8A95FCF88747D94u, -343}, {0xFB158592BE068D2Fu, -250},
        {0xFD87B5F28300CA0Eu, -157}, {0x8000000000000000u, -63}, {0x813F3978F8940984u, 30},
        {0x82818F1281ED44A0u, 123}, {0x83C7088E1AAB65DBu, 216}, {0x850FADC09923329Eu, 309},
        {0x865B86925B9BC5C2u, 402}, {0x87AA9AFF79042287u, 495}, {0x88FCF317F22241E2u, 588},
        {0x8A5296FFE33CC930u, 681}, {0x8BAB8EEFB6409C1Au, 774}, {0x8D07E33455637EB3u, 867},
        {0x8E679C2F5E44FF8Fu, 960}};
    const int big = (q + 364) / 28, small = (q + 364) % 28;
    return sparse_p_product(sparse_p_product(x, sparse_p_normalized(five[small], small)), ten28[big]);
}

/* Is x, cut by its last `drop` bits to m, to be rounded up? x is the number n but for the error. */
static inline bool sparse_p_rounds_up(const sparse_p_decimal *n, sparse_p_scaled x, uint64_t error, int drop,
                                      uint64_t m)
{
    if (drop > 65) return false; /* less than half of the least number there is */
    if (drop <= 64) {
        const uint64_t half = (uint64_t)1 << (drop - 1), rest = x.m & (half - 1 + half);
        if ((rest < half ? half - rest : rest - half) > error) return rest > half;
    }
    const int side = sparse_p_compare(n, 2 * m + 1, x.e + drop - 1);
    return side > 0 || (side == 0 && (m & 1) != 0);
}

/* The magnitude of a number other than 0, rounded to the nearest m * 2^e with m <= 2^bits and e >= least,
   ties to even m. */
static inline sparse_p_scaled sparse_p_rounded(const sparse_p_decimal *n, int bits, int least)
{
    sparse_p_scaled x = sparse_p_normalized(n->digits, 0);
    /* In units of the last place, each worth at most 2^-63 of x: digits that did not fit come to less than
       one before normalizing; the products lose 1, 1/2 (the power) and 1. In the result, twice the sum. */
    const uint64_t error = n->more ? ((uint64_t)2 << -x.e) + 5 : 5;
    x = sparse_p_times_power_of_ten(x, (int)n->exponent);
    const int drop = x.e + 64 - bits > least ? 64 - bits : least - x.e;
    const uint64_t m = drop < 64 ? x.m >> drop : 0;
    const sparse_p_scaled y = {m + sparse_p_rounds_up(n, x, error, drop, m), x.e + drop};
    return y;
}

/* m * 2^e as the bits of a double, for numbers that a double can hold and e >= -1074 */
static inline uint64_t sparse_p_bits(sparse_p_scaled number)
{
    if (number.m == 0) return 0;
    const sparse_p_scaled x = sparse_p_normalized(number.m, number.e);
    const int e = x.e + 11, gap = e < -1074 ? -1074 - e : 0; /* below the least normal number */
    return ((uint64_t)(e + gap + 1074) << 52) + (x.m >> 11 >> gap);
}

static inline bool sparse_p_is_complex(const sparse_encoding *e)
{
    return e->kind == SPARSE_C64 || e->kind == SPARSE_C128;
}

/* A floating-point type: its binary digits, the exponent of the least number and the first one too large, the
   decimal digits that it keeps and those that tell its numbers apart. */
typedef struct sparse_p_real_type {
    int bits, least, beyond, digits, most;
    double normal; /* the least number with all its digits */
} sparse_p_real_type;

/* Which of the types: an index of sparse_p_real_types. */
enum { SPARSE_P_DOUBLE, SPARSE_P_SINGLE, SPARSE_P_HALF, SPARSE_P_BRAIN };
static const sparse_p_real_type sparse_p_real_types[] = {{53, -1074, 1024, 15, 17, DBL_MIN},
                                                         {24, -149, 128, 6, 9, (double)FLT_MIN},
                                                         {11, -24, 16, 3, 5, 6.103515625e-5},
                                                         {8, -133, 128, 2, 4, (double)FLT_MIN}};

static inline unsigned sparse_p_real_type_of(sparse_kind kind)
{
    switch (kind) {
    case SPARSE_F32:
    case SPARSE_C64: return SPARSE_P_SINGLE;
    case SPARSE_F16: return SPARSE_P_HALF;
    case SPARSE_BF16: return SPARSE_P_BRAIN;
    default: return SPARSE_P_DOUBLE;
    }
}

/* The number as a double that holds one of the type; false if it is beyond its range, when *value is infinite. */
static inline bool sparse_p_to_real(const sparse_p_decimal *n, unsigned type, double *value)
{
    const uint64_t infinity = (uint64_t)0x7FF << 52; /* bits order as the numbers do */
    const uint64_t beyond = (uint64_t)(1023 + sparse_p_real_types[type].beyond) << 52;
    uint64_t bits = n->nan ? infinity | (uint64_t)1 << 51 : n->infinite ? infinity : 0;
    bool fits = true;
    if (n->digits != 0 && n->exponent >= -342) { /* what is smaller rounds to 0 */
        bits = infinity;
        if (n->exponent <= 308)
            bits = sparse_p_bits(sparse_p_rounded(n, sparse_p_real_types[type].bits, sparse_p_real_types[type].least));
        fits = bits < beyond;
        if (!fits) bits = infinity;
    }
    bits |= (uint64_t)n->negative << 63;
    memcpy(value, &bits, sizeof *value);
    return fits;
}

/* The number as an integer of `width` bits, in two's complement; false if it is none, or too large. */
static inline bool sparse_p_to_integer(const sparse_p_decimal *n, int width, bool is_signed, uint64_t *value)
{
    uint64_t v = n->digits;
    int64_t e = n->integer ? 0 : n->exponent;
    bool fits = !n->more && !n->infinite && !n->nan;
    if (n->integer) sparse_p_natural(n->first, n->end, &v, &fits); /* up to 20 digits */
    for (; v != 0 && e < 0 && fits; ++e) {
        fits = v % 10 == 0;
        v /= 10;
    }
    for (; v != 0 && e > 0 && fits; --e) {
        fits = v <= UINT64_MAX / 10;
        v *= 10;
    }
    const uint64_t most = UINT64_MAX >> (64 - width + is_signed);
    *value = n->negative ? 0 - v : v;
    return fits && v <= (!n->negative ? most : is_signed ? most + 1 : 0);
}

/* Stores a number, its real and imaginary part, as one value; false if it does not fit. */
static inline bool sparse_p_to_value(const sparse_p_decimal part[2], sparse_kind kind, bool allow_overflow,
                                     void *value)
{
    unsigned char *const at = (unsigned char *)value;
    if (kind <= SPARSE_U64) {
        uint64_t v64;
        const bool fits = sparse_p_to_integer(&part[0], 8 << ((int)kind % 4), kind < SPARSE_U8, &v64);
        const uint32_t v32 = (uint32_t)v64;
        const uint16_t v16 = (uint16_t)v64;
        switch ((int)kind % 4) {
        case 0: *at = (unsigned char)v64; break;
        case 1: memcpy(at, &v16, sizeof v16); break;
        case 2: memcpy(at, &v32, sizeof v32); break;
        default: memcpy(at, &v64, sizeof v64); break;
        }
        return fits;
    }
    const unsigned type = sparse_p_real_type_of(kind);
    bool fits = true;
    for (size_t i = 0; i < (kind == SPARSE_C64 || kind == SPARSE_C128 ? 2u : 1u); ++i) {
        double x;
        fits &= sparse_p_to_real(&part[i], type, &x);
        if (sparse_p_is_half(kind))
            sparse_p_store_half(kind, at, (float)x);
        else if (type == SPARSE_P_SINGLE) {
            const float f = (float)x;
            memcpy(at + i * sizeof f, &f, sizeof f);
        } else {
            memcpy(at + i * sizeof x, &x, sizeof x);
        }
    }
    return fits || allow_overflow;
}

/* Writes the shortest decimal that reads back as the same number: %.15g (6 for float, 3 and 2 for 16 bits), or as many digits
   more as it takes; for subnormal numbers, whose digits are fewer, from one on. */
static inline void sparse_p_spell_real(double x, unsigned which, char text[32])
{
    const sparse_p_real_type *const type = &sparse_p_real_types[which];
    int digits = x > -type->normal && x < type->normal ? 1 : type->digits;
    for (;; ++digits) {
        snprintf(text, 32, "%.*g", digits, x);
        char *to = text; /* the decimal point of the locale, whatever its bytes, becomes a point */
        for (const char *at = text; *at != '\0'; ++at) {
            const bool kept = sparse_p_is_digit(*at) || strchr("+-einfa", *at) != NULL;
            if (kept || to == text || to[-1] != '.') *to++ = (char)(kept ? *at : '.');
        }
        *to = '\0';
        sparse_p_decimal n;
        double back;
        if (digits == type->most || sparse_p_scan(text, to, false, &n) != to) return;
        if (sparse_p_to_real(&n, which, &back) && memcmp(&back, &x, sizeof x) == 0) return;
    }
}

/* Writes part 0 or 1 (the imaginary one) of the value at `at`, which has its natural type. */
static inline void sparse_p_spell(sparse_kind kind, const void *at, size_t part, char text[32])
{
#define SPARSE_P_SPELL(type, call)                                                                           \
    {                                                                                                        \
        type x;                                                                                              \
        memcpy(&x, (const char *)at + part * sizeof x, sizeof x);                                            \
        call;                                                                                                \
        break;                                                                                               \
    }
    switch (kind) {
    case SPARSE_I8: SPARSE_P_SPELL(int8_t, snprintf(text, 32, "%d", x))
    case SPARSE_I16: SPARSE_P_SPELL(int16_t, snprintf(text, 32, "%d", x))
    case SPARSE_I32: SPARSE_P_SPELL(int32_t, snprintf(text, 32, "%ld", (long)x))
    case SPARSE_I64: SPARSE_P_SPELL(int64_t, snprintf(text, 32, "%lld", (long long)x))
    case SPARSE_U8: SPARSE_P_SPELL(uint8_t, snprintf(text, 32, "%d", x))
    case SPARSE_U16: SPARSE_P_SPELL(uint16_t, snprintf(text, 32, "%d", x))
    case SPARSE_U32: SPARSE_P_SPELL(uint32_t, snprintf(text, 32, "%lu", (unsigned long)x))
    case SPARSE_U64: SPARSE_P_SPELL(uint64_t, snprintf(text, 32, "%llu", (unsigned long long)x))
    case SPARSE_F32:
    case SPARSE_C64: SPARSE_P_SPELL(float, sparse_p_spell_real((double)x, sparse_p_real_type_of(kind), text))
    case SPARSE_F64:
    case SPARSE_C128: SPARSE_P_SPELL(double, sparse_p_spell_real(x, sparse_p_real_type_of(kind), text))
    case SPARSE_F16:
    case SPARSE_BF16: sparse_p_spell_real((double)sparse_p_load_half(kind, at), sparse_p_real_type_of(kind), text); break;
    case SPARSE_OPAQUE: snprintf(text, 32, "?"); break;
    }
#undef SPARSE_P_SPELL
}

/* >>reader
   The whole text is in memory and every access is checked against its end. Lines end in LF, CR LF or CR.
   Where an error is found, its line and column are counted anew from the beginning. */

/* The words of a banner, in the order of the lists that sparse_p_read_banner gives. */
enum { SPARSE_P_OBJECT_MATRIX, SPARSE_P_OBJECT_VECTOR, SPARSE_P_OBJECT_TENSOR };
enum { SPARSE_P_FIELD_REAL, SPARSE_P_FIELD_DOUBLE, SPARSE_P_FIELD_INTEGER, SPARSE_P_FIELD_COMPLEX,
       SPARSE_P_FIELD_PATTERN };
enum { SPARSE_P_SYMMETRY_GENERAL, SPARSE_P_SYMMETRY_SYMMETRIC, SPARSE_P_SYMMETRY_SKEW,
       SPARSE_P_SYMMETRY_HERMITIAN };

typedef struct sparse_p_reader {
    sparse_tensor *t;
    sparse_read_options o;
    const char *name;             /* of the source, for messages */
    const char *begin, *at, *end; /* the text, and how far it has been read */
    const char *line, *value;     /* where the line and the value begin that were read last */
    char comment;                 /* starts a line to be skipped */

    int object, field, symmetry; /* what the banner says */
    bool array;
    size_t base;                 /* the least coordinate in the file, 1 or 0 */
    size_t rank, parts;          /* numbers of an entry: coordinates, and 0 to 2 for the value */
    size_t dim[SPARSE_MAX_RANK]; /* sizes; SIZE_MAX while they are inferred, */
    size_t max[SPARSE_MAX_RANK]; /* from the sizes that the entries ask for */
    bool inferred;
    size_t next[SPARSE_MAX_RANK]; /* coordinates of the next value of an array */
    size_t announced;             /* entries, by the size line */

    sparse_buffer coordinates, values; /* of the entries, rank coordinates and one value for each */
    size_t count;
    size_t fault; /* the entry that cannot be packed, once that is known, and why */
    sparse_result why;
} sparse_p_reader;

/* What is wrong at a place in the text (null: at none); returns the result for `return` to pass on. */
static inline sparse_result sparse_p_fail(const sparse_p_reader *r, const char *place, sparse_result result,
                                          const char *format, ...)
{
    if (r->o.error == NULL) return result;
    char sentence[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (place == NULL) return sparse_p_tell(r->o.error, result, r->name, 0, 0, sentence);
    size_t line = 1;
    const char *start = r->begin;
    for (const char *at = r->begin; at < place; ++at)
        if (*at == '\n' || (*at == '\r' && !(at + 1 < r->end && at[1] == '\n'))) {
            ++line;
            start = at + 1;
        }
    return sparse_p_tell(r->o.error, result, r->name, line, (size_t)(place - start) + 1, sentence);
}

static inline bool sparse_p_is_space(char c) { return c == ' ' || c == '\t'; }

/* Is this where a line, or a word, ends? */
static inline bool sparse_p_ends_line(const char *at, const char *end)
{
    return at == end || *at == '\n' || *at == '\r';
}
static inline bool sparse_p_ends_word(const char *at, const char *end)
{
    return sparse_p_ends_line(at, end) || sparse_p_is_space(*at);
}

static inline void sparse_p_skip_blanks(sparse_p_reader *r)
{
    const char *at = r->at;
    while (at < r->end && sparse_p_is_space(*at)) ++at;
    r->at = at;
}

static inline void sparse_p_skip_line(sparse_p_reader *r)
{
    const char *at = r->at;
    while (!sparse_p_ends_line(at, r->end)) ++at;
    r->at = at;
}

/* Goes to the first word of the next line that is neither empty nor a comment; false at the end of the
   text. Where a line has been read to its end, that is the next one; where one starts, that one. */
static inline bool sparse_p_next_line(sparse_p_reader *r)
{
    for (;; ++r->at) {
        sparse_p_skip_blanks(r);
        if (r->at < r->end && *r->at == r->comment) sparse_p_skip_line(r);
        if (r->at == r->end || !sparse_p_ends_line(r->at, r->end)) break;
    }
    r->line = r->at;
    return r->at < r->end;
}

/* The words of a line, from here on. */
static inline size_t sparse_p_count_words(const sparse_p_reader *r)
{
    size_t count = 0;
    for (const char *at = r->at; !sparse_p_ends_line(at, r->end); ++at)
        count += !sparse_p_is_space(*at) && sparse_p_ends_word(at + 1, r->end);
    return count;
}

/* The word that the reader is at, fit for a message. */
typedef struct sparse_p_quote {
    char text[32];
} sparse_p_quote;

static inline sparse_p_quote sparse_p_quoted(const sparse_p_reader *r)
{
    sparse_p_quote q;
    size_t n = 0;
    q.text[n++] = '"';
    for (const char *at = r->at; n < sizeof q.text - 2 && !sparse_p_ends_word(at, r->end); ++at)
        q.text[n++] = (char)(*at >= ' ' && *at <= '~' ? *at : '?');
    q.text[n++] = '"';
    q.text[n] = '\0';
    return q;
}

/* Reads a line of sizes, `least` to `most` of them; *count says how many it held. */
static inline sparse_result sparse_p_read_sizes(sparse_p_reader *r, const char *what, size_t least,
                                                size_t most, size_t size[], size_t *count)
{
    size_t n = 0;
    if (!sparse_p_next_line(r))
        return sparse_p_fail(r, r->end, SPARSE_E_HEADER, "the file ends before the %s", what);
    for (; sparse_p_skip_blanks(r), !sparse_p_ends_line(r->at, r->end); ++n) {
        uint64_t value;
        bool fits;
        const char *end = sparse_p_natural(r->at, r->end, &value, &fits);
        const bool comma = end != NULL && end < r->end && *end == ',' && r->o.format == SPARSE_FILE_SMTX;
        if (end == NULL || !(comma || sparse_p_ends_word(end, r->end)))
            return sparse_p_fail(r, r->at, SPARSE_E_HEADER, "%s is not a size", sparse_p_quoted(r).text);
        if (n == most)
            return sparse_p_fail(r, r->at, SPARSE_E_HEADER, "the %s must end after %zu numbers", what, most);
        size[n] = (size_t)value;
        if (!fits || size[n] != value)
            return sparse_p_fail(r, r->at, SPARSE_E_OVERFLOW, "%s exceeds all sizes",
                                 sparse_p_quoted(r).text);
        r->at = end + comma;
    }
    if (n < least)
        return sparse_p_fail(r, r->at, SPARSE_E_HEADER, "the %s has %zu numbers, but needs %zu", what, n,
                             least);
    *count = n;
    return SPARSE_OK;
}

/* >>entries */

static inline const char *sparse_p_type_name(const sparse_p_reader *r)
{
    return r->t->encoding->name != NULL ? r->t->encoding->name : "the tensor";
}

/* Refuses a rank that differs from the tensor's. A vector is a matrix of one column, and the reverse. */
static inline sparse_result sparse_p_check_rank(const sparse_p_reader *r)
{
    const size_t rank = r->t->encoding->rank;
    const bool column = r->rank != 0 && r->rank <= 2 && rank <= 2 && r->dim[1] == 1;
    if (r->rank == rank || column) return SPARSE_OK;
    return sparse_p_fail(r, r->line, SPARSE_E_SHAPE, "the rank of the file is %zu, that of %s is %zu",
                         r->rank, sparse_p_type_name(r), rank);
}

/* Refuses sizes that the coordinates of the tensor are too narrow for. */
static inline sparse_result sparse_p_check_width(const sparse_p_reader *r, const size_t dim[])
{
    size_t lvl[SPARSE_MAX_LEVELS];
    const sparse_result result = sparse_level_sizes(r->t->encoding, dim, lvl);
    if (result == SPARSE_OK) return result;
    return sparse_p_fail(r, r->line, result, "the %d-bit coordinates of %s cannot reach that far",
                         (int)sparse_crd_bits(r->t->encoding), sparse_p_type_name(r));
}

/* Refuses a shape that the tensor cannot have. */
static inline sparse_result sparse_p_check_shape(const sparse_p_reader *r)
{
    SPARSE_P_TRY(sparse_p_check_rank(r));
    return r->inferred ? SPARSE_OK : sparse_p_check_width(r, r->dim);
}

/* Makes room for so many entries. */
static inline sparse_result sparse_p_reserve(sparse_p_reader *r, size_t entries)
{
    const sparse_encoding *const e = r->t->encoding;
    sparse_result result = sparse_p_enlarge(r->t->hooks, &r->coordinates, entries, e->rank * sizeof(size_t));
    if (!result) result = sparse_p_enlarge(r->t->hooks, &r->values, entries, e->value_size);
    if (result) sparse_p_fail(r, NULL, result, "%s", sparse_message(result));
    return result;
}

/* Takes note of the announced number of entries, unless the rest of the text cannot hold them: a word
   takes two bytes or more, itself and what ends it. */
static inline sparse_result sparse_p_announce(sparse_p_reader *r, size_t entries, size_t words)
{
    const size_t left = (size_t)(r->end - r->at);
    if (entries > (left / 2 + 1) / words)
        return sparse_p_fail(r, r->line, SPARSE_E_COUNT,
                             "%zu entries are announced, but only %zu bytes follow", entries, left);
    const bool twice = r->symmetry != SPARSE_P_SYMMETRY_GENERAL && !r->o.stored_half;
    r->announced = entries;
    return sparse_p_reserve(r, twice ? 2 * entries : entries);
}

/* Says what is wrong with the coordinate of dimension d that the reader is at. */
static inline sparse_result sparse_p_bad_coordinate(const sparse_p_reader *r, size_t d)
{
    uint64_t n;
    bool fits;
    const bool negative = r->at < r->end && *r->at == '-';
    const char *const end = sparse_p_natural(r->at + negative, r->end, &n, &fits);
    const sparse_p_quote word = sparse_p_quoted(r);
    if (sparse_p_ends_line(r->at, r->end))
        return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "the line ends before coordinate %zu of %zu", d + 1,
                             r->rank);
    if (end == NULL || !sparse_p_ends_word(end, r->end))
        return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s is not a coordinate", word.text);
    if (negative || n < r->base)
        return sparse_p_fail(r, r->at, SPARSE_E_COORDINATE, "the coordinate %s is less than %zu%s", word.text,
                             r->base, negative ? "" : ": does the file count from 0 (option zero_based)?");
    return sparse_p_fail(r, r->at, SPARSE_E_COORDINATE,
                         "the coordinate %s is beyond its dimension, of size %zu", word.text, r->dim[d]);
}

/* Reads a coordinate of dimension d. */
static inline sparse_result sparse_p_read_coordinate(sparse_p_reader *r, size_t d, size_t *c)
{
    uint64_t n;
    bool fits;
    sparse_p_skip_blanks(r);
    const char *const end = sparse_p_natural(r->at, r->end, &n, &fits);
    if (end == NULL || !fits || n - r->base >= r->dim[d] || !sparse_p_ends_word(end, r->end))
        return sparse_p_bad_coordinate(r, d);
    *c = (size_t)(n - r->base);
    r->at = end;
    return SPARSE_OK;
}

/* Reads the numbers of a value: none (a pattern's is 1), one, or real and imaginary part. */
static inline sparse_result sparse_p_read_value(sparse_p_reader *r, sparse_p_decimal part[2])
{
    memset(part, 0, 2 * sizeof *part);
    if (r->parts == 0) part[0].digits = 1;
    sparse_p_skip_blanks(r);
    r->value = r->at;
    for (size_t i = 0; i < r->parts; ++i) {
        sparse_p_skip_blanks(r);
        const char *const end = sparse_p_scan(r->at, r->end, r->o.lenient, &part[i]);
        if (end == NULL || !sparse_p_ends_word(end, r->end))
            return sparse_p_ends_line(r->at, r->end)
                       ? sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "the line ends before its value")
                       : sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s is not a number",
                                       sparse_p_quoted(r).text);
        r->at = end;
    }
    return SPARSE_OK;
}

/* Sizes that are inferred grow with an entry. */
static inline sparse_result sparse_p_infer_sizes(sparse_p_reader *r, const size_t c[])
{
    bool grown = false;
    for (size_t d = 0; d < r->rank; ++d)
        if (r->max[d] <= c[d]) {
            r->max[d] = c[d] + 1;
            grown = true;
        }
    return grown ? sparse_p_check_width(r, r->max) : SPARSE_OK;
}

/* Adds an entry, whose coordinates start at 0, to those collected. */
static inline sparse_result sparse_p_add_entry(sparse_p_reader *r, const size_t c[],
                                               const sparse_p_decimal part[2])
{
    const sparse_encoding *const e = r->t->encoding;
    if (r->inferred) SPARSE_P_TRY(sparse_p_infer_sizes(r, c));
    if (r->count >= r->values.capacity) SPARSE_P_TRY(sparse_p_reserve(r, r->count + r->count / 2 + 64));
    unsigned char *const value = (unsigned char *)r->values.at + r->count * e->value_size;
    const bool promised = r->field == SPARSE_P_FIELD_INTEGER && e->kind <= SPARSE_U64;
    if ((promised && !part[0].integer) || !sparse_p_to_value(part, e->kind, r->o.allow_overflow, value))
        return sparse_p_fail(r, r->value, SPARSE_E_VALUE_RANGE, "the value does not fit the value type of %s",
                             sparse_p_type_name(r));
    if (r->o.drop_zeros && sparse_p_is_fill(e, value)) return SPARSE_OK;
    if (r->count == r->fault) return sparse_p_fail(r, r->line, r->why, "%s", sparse_message(r->why));
    size_t *const to = (size_t *)r->coordinates.at + r->count++ * e->rank;
    for (size_t d = 0; d < e->rank; ++d) to[d] = c[d];
    return SPARSE_OK;
}

/* Turns an entry into its mirror image: A(j, i) = A(i, j), -A(i, j) or conj(A(i, j)). */
static inline void sparse_p_mirror(const sparse_p_reader *r, size_t c[], sparse_p_decimal part[2])
{
    const size_t row = c[0];
    c[0] = c[1];
    c[1] = row;
    part[0].negative ^= r->symmetry == SPARSE_P_SYMMETRY_SKEW;
    part[1].negative ^= r->symmetry == SPARSE_P_SYMMETRY_SKEW || r->symmetry == SPARSE_P_SYMMETRY_HERMITIAN;
}

/* Reads the rest of an entry, from its value to the end of its line, and adds it; if the file is
   symmetric, with its mirror image. */
static inline sparse_result sparse_p_finish_entry(sparse_p_reader *r, size_t c[])
{
    sparse_p_decimal part[2];
    SPARSE_P_TRY(sparse_p_read_value(r, part));
    sparse_p_skip_blanks(r);
    if (r->o.lenient && r->o.format == SPARSE_FILE_MATRIX_MARKET) sparse_p_skip_line(r);
    if (!sparse_p_ends_line(r->at, r->end))
        return sparse_p_fail(r, r->at, SPARSE_E_ENTRY, "%s should not follow the entry",
                             sparse_p_quoted(r).text);
    if (r->symmetry == SPARSE_P_SYMMETRY_GENERAL) return sparse_p_add_entry(r, c, part);
    if (c[0] < c[1]) {
        if (!r->o.lenient)
            return sparse_p_fail(r, r->line, SPARSE_E_SYMMETRY,
                                 "the entry is above the diagonal of a symmetric matrix");
        sparse_p_mirror(r, c, part);
    }
    const bool zero = sparse_p_spells_zero(&part[0]) && sparse_p_spells_zero(&part[1]);
    if (r->symmetry == SPARSE_P_SYMMETRY_SKEW && c[0] == c[1] && !zero)
        return sparse_p_fail(r, r->line, SPARSE_E_SYMMETRY,
                             "the diagonal of a skew-symmetric matrix must be zero");
    SPARSE_P_TRY(sparse_p_add_entry(r, c, part));
    if (c[0] == c[1] || r->o.stored_half) return SPARSE_OK;
    sparse_p_mirror(r, c, part);
    return sparse_p_add_entry(r, c, part);
}

/* Reads a line that holds one entry, "3 1 0.5". */
static inline sparse_result sparse_p_read_entry(sparse_p_reader *r)
{
    size_t c[SPARSE_MAX_RANK] = {0};
    for (size_t d = 0; d < r->rank; ++d) SPARSE_P_TRY(sparse_p_read_coordinate(r, d, &c[d]));
    return sparse_p_finish_entry(r, c);
}

/* Reads a line that holds one value of an array, whose coordinates follow from its place: the first
   dimension is the fastest, and of a symmetric matrix there is only the lower triangle. */
static inline sparse_result sparse_p_read_array_entry(sparse_p_reader *r)
{
    size_t c[SPARSE_MAX_RANK], d = 0;
    memcpy(c, r->next, sizeof c);
    while (d < r->rank && ++r->next[d] == r->dim[d]) r->next[d++] = 0;
    const size_t least = r->next[1] + (r->symmetry == SPARSE_P_SYMMETRY_SKEW);
    if (r->symmetry != SPARSE_P_SYMMETRY_GENERAL && r->next[0] < least) r->next[0] = least;
    return sparse_p_finish_entry(r, c);
}

/* Reads the entries that a size line has announced: as many lines, then the end of the text. */
static inline sparse_result sparse_p_read_entries(sparse_p_reader *r)
{
    for (size_t n = 0; n < r->announced; ++n) {
        if (!sparse_p_next_line(r))
            return sparse_p_fail(r, r->end, SPARSE_E_COUNT, "the file ends after %zu of %zu entries", n,
                                 r->announced);
        SPARSE_P_TRY(r->array ? sparse_p_read_array_entry(r) : sparse_p_read_entry(r));
    }
    if (sparse_p_next_line(r))
        return sparse_p_fail(r, r->at, SPARSE_E_COUNT, "more follows the %zu entries of the file",
                             r->announced);
    return SPARSE_OK;
}

/* >>market
   Boisvert, Pozo, Remington: "The Matrix Market Exchange Formats: Initial Design" (NISTIR 5935, 1996);
   the object `vector` and, from TACO, the object `tensor`, whose size line has as many sizes as it takes. */

/* Goes past the first word of a Matrix Market file; false if it is not there. */
static inline bool sparse_p_skip_tag(sparse_p_reader *r)
{
    r->at = r->begin;
    if (r->o.lenient) {
        r->at += sparse_p_prefix(r->at, r->end, "\xEF\xBB\xBF"); /* the byte-order mark in UTF-8 */
        sparse_p_skip_blanks(r);
    }
    const char *const tag =
        r->o.lenient && sparse_p_prefix(r->at, r->end, "%m") ? "%matrixmarket" : "%%matrixmarket";
    const size_t length = sparse_p_prefix(r->at, r->end, tag);
    r->at += length;
    return length > 0 && sparse_p_ends_word(r->at, r->end);
}

/* Reads a word of the banner, which must be in a list: "array" of "coordinate array" -> *index = 1. */
static inline sparse_result sparse_p_read_keyword(sparse_p_reader *r, const char *what, const char *list,
                                                  int *index)
{
    sparse_p_skip_blanks(r);
    *index = 0;
    for (const char *word = list; *word != '\0'; ++*index) {
        const size_t length = strcspn(word, " ");
        size_t n = 0;
        while (n < length && r->at + n < r->end && sparse_p_lower(r->at[n]) == word[n]) ++n;
        if (n == length && sparse_p_ends_word(r->at + n, r->end)) {
            r->at += n;
            return SPARSE_OK;
        }
        word += length + (word[length] == ' ');
    }
    return sparse_p_fail(r, r->at, SPARSE_E_BANNER, "the banner's %s must be one of: %s", what, list);
}

/* Refuses banners that contradict themselves, and values that the tensor's type cannot have. */
static inline sparse_result sparse_p_check_banner(const sparse_p_reader *r)
{
    const sparse_kind kind = r->t->encoding->kind;
    const bool skew = r->symmetry == SPARSE_P_SYMMETRY_SKEW;
    const char *wrong = NULL;
    if (!sparse_p_ends_line(r->at, r->end))
        wrong = "the banner must end after five words";
    else if (r->array && r->parts == 0)
        wrong = "an array cannot be a pattern";
    else if (r->symmetry != SPARSE_P_SYMMETRY_GENERAL && r->object != SPARSE_P_OBJECT_MATRIX)
        wrong = "only a matrix can have a symmetry";
    else if (skew && r->parts == 0)
        wrong = "a pattern cannot be skew-symmetric";
    else if (r->symmetry == SPARSE_P_SYMMETRY_HERMITIAN && r->parts != 2)
        wrong = "only a complex matrix can be Hermitian";
    if (wrong != NULL) return sparse_p_fail(r, r->at, SPARSE_E_BANNER, "%s", wrong);
    if (r->parts == 2 && !sparse_p_is_complex(r->t->encoding))
        wrong = "complex values do not go into real ones";
    else if (skew && kind >= SPARSE_U8 && kind <= SPARSE_U64)
        wrong = "the values of a skew-symmetric matrix do not go into unsigned ones";
    return wrong != NULL ? sparse_p_fail(r, r->at, SPARSE_E_VALUE_TYPE, "%s", wrong) : SPARSE_OK;
}

/* Reads the first line, "%%MatrixMarket matrix coordinate real general". */
static inline sparse_result sparse_p_read_banner(sparse_p_reader *r)
{
    int format;
    if (!sparse_p_skip_tag(r))
        return sparse_p_fail(r, r->begin, SPARSE_E_BANNER, "the first line must start with %%%%MatrixMarket");
    SPARSE_P_TRY(sparse_p_read_keyword(r, "object", "matrix vector tensor", &r->object));
    SPARSE_P_TRY(sparse_p_read_keyword(r, "format", "coordinate array", &format));
    SPARSE_P_TRY(sparse_p_read_keyword(r, "field", "real double integer complex pattern", &r->field));
    SPARSE_P_TRY(
        sparse_p_read_keyword(r, "symmetry", "general symmetric skew-symmetric hermitian", &r->symmetry));
    sparse_p_skip_blanks(r);
    r->array = format == 1;
    r->parts = r->field == SPARSE_P_FIELD_PATTERN ? 0 : r->field == SPARSE_P_FIELD_COMPLEX ? 2 : 1;
    return sparse_p_check_banner(r);
}

/* Counts the values of an array, which for 0 x N are none. */
static inline sparse_result sparse_p_array_length(const sparse_p_reader *r, size_t *length)
{
    size_t n = 1;
    for (size_t d = 0; d < r->rank; ++d) {
        if (r->dim[d] != 0 && n > SIZE_MAX / r->dim[d])
            return sparse_p_fail(r, r->line, SPARSE_E_OVERFLOW,
                                 "the array has more values than can be counted");
        n *= r->dim[d];
    }
    if (r->symmetry != SPARSE_P_SYMMETRY_GENERAL)
        n = (n - r->dim[0]) / 2 + (r->symmetry == SPARSE_P_SYMMETRY_SKEW ? 0 : r->dim[0]);
    *length = n;
    return SPARSE_OK;
}

/* Reads the size line: the sizes and, of coordinate files, the number of entries. */
static inline sparse_result sparse_p_read_size_line(sparse_p_reader *r)
{
    const size_t counts = r->array ? 0 : 1;
    const size_t least = counts + (r->object == SPARSE_P_OBJECT_MATRIX ? 2 : 1);
    const size_t most = r->object == SPARSE_P_OBJECT_TENSOR ? counts + SPARSE_MAX_RANK : least;
    size_t size[SPARSE_MAX_RANK + 1], n;
    SPARSE_P_TRY(sparse_p_read_sizes(r, "size line", least, most, size, &n));
    r->rank = n - counts;
    memcpy(r->dim, size, r->rank * sizeof *size);
    if (r->symmetry != SPARSE_P_SYMMETRY_GENERAL && r->dim[0] != r->dim[1])
        return sparse_p_fail(r, r->line, SPARSE_E_HEADER, "a symmetric matrix must be square, not %zu by %zu",
                             r->dim[0], r->dim[1]);
    SPARSE_P_TRY(sparse_p_check_shape(r));
    if (!r->array) return sparse_p_announce(r, size[n - 1], r->rank + r->parts);
    SPARSE_P_TRY(sparse_p_array_length(r, &n));
    return sparse_p_announce(r, n, r->parts);
}

static inline sparse_result sparse_p_read_market(sparse_p_reader *r)
{
    r->comment = '%';
    SPARSE_P_TRY(sparse_p_read_banner(r));
    SPARSE_P_TRY(sparse_p_read_size_line(r));
    r->next[0] = r->symmetry == SPARSE_P_SYMMETRY_SKEW ? 1 : 0;
    return sparse_p_read_entries(r);
}

/* >>frostt
   frostt.io/tensors/file-formats.html. A file states nothing: the first line with an entry tells the rank.
   ParTI's files start with a line for the rank and one for the sizes instead, which no entry can be taken
   for. The extended format of MLIR has one line for rank and number of entries and one for the sizes;
   since it can be mistaken for entries, its first line must be a comment that says so, or the caller.
   Entries of a complex tensor may have two numbers for the value. */

/* Is the first line that of the extended format, with # or, as older tools write it, with ; in front? */
static inline bool sparse_p_is_extended(const sparse_p_reader *r)
{
    static const char *const line[] = {"# extended frostt format", "; extended frostt format"};
    return sparse_p_prefix(r->begin, r->end, line[0]) != 0 || sparse_p_prefix(r->begin, r->end, line[1]) != 0;
}

/* Does the next entry have a complex value? */
static inline bool sparse_p_frostt_is_complex(sparse_p_reader *r)
{
    return sparse_p_is_complex(r->t->encoding) && sparse_p_next_line(r) &&
           sparse_p_count_words(r) == r->rank + 2;
}

/* Reads the sizes of r->rank dimensions. */
static inline sparse_result sparse_p_read_dims(sparse_p_reader *r)
{
    size_t n;
    SPARSE_P_TRY(sparse_p_check_rank(r)); /* there is no room for more sizes */
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of sizes", r->rank, r->rank, r->dim, &n));
    return sparse_p_check_shape(r);
}

static inline sparse_result sparse_p_read_extended(sparse_p_reader *r)
{
    size_t size[2], n;
    r->comment = '#';
    if (r->begin < r->end && *r->begin == ';') sparse_p_skip_line(r);
    SPARSE_P_TRY(sparse_p_read_sizes(r, "line of rank and number of entries", 2, 2, size, &n));
    r->rank = size[0];
    SPARSE_P_TRY(sparse_p_read_dims(r));
    r->parts = sparse_p_frostt_is_complex(r) ? 2 : 1;
    SPARSE_P_TRY(sparse_p_announce(r, size[1], r->rank + r->parts));
    return sparse_p_read_entries(r);
}

/* Finds out rank and sizes: from the text, from the options, or from the first entry and then the rest. */
static inline sparse_result sparse_p_read_frostt_shape(sparse_p_reader *r)
{
    const size_t columns = sparse_p_next_line(r) ? sparse_p_count_words(r) : 0;
    size_t n;
    if (columns == 0 && r->o.dim == NULL)
        return sparse_p_fail(r, r->end, SPARSE_E_HEADER, "without an entry the file does not tell its rank");
    if (columns == 1) {
        SPARSE_P_TRY(sparse_p_read_sizes(r, "line of the rank", 1, 1, &r->rank, &n));
        return sparse_p_read_dims(r);
    }
    r->rank = r->t->encoding->rank;
    if (columns != 0 && !sparse_p_frostt_is_complex(r)) r->rank = columns - 1;
    SPARSE_P_TRY(sparse_p_check_rank(r));
    r->inferred = r->o.dim == NULL;
    if (!r->inferred) memcpy(r->dim, r->o.dim, r->t->encoding->rank * sizeof *r->dim);
    for (size_t d = 0; r->inferred && d < r->rank; ++d) {
        r->dim[d] = SIZE_MAX;
        r->max[d] = 0;
    }
    return sparse_p_check_shape(r);
}

static inline sparse_result sparse_p_read_frostt(sparse_p_reader *r)
{
    r->comment = '#';
    SPARSE_P_TRY(sparse_p_read_frostt_shape(r));
    r->parts = sparse_p_frostt_is_complex(r) ? 2 : 1;
    while (sparse_p_next_line(r)) {
        const sparse_result result = sparse_p_read_entry(r);
        if (result == SPARSE_OK) continue;
        r->at = r->line;
        const size_t columns = sparse_p_count_words(r), wanted = r->rank + r->parts;
        if (result == SPARSE_E_ENTRY && columns != wanted)
            sparse_p_fail(r, r->line, result, "the line has %zu columns, not %zu", columns, wanted);
        return result;
    }
    if (r->inferred) memcpy(r->dim, r->max, sizeof r->dim);
    return SPARSE_OK;
}

/* >>smtx
   The format of the Deep Learning Matrix Collection: "rows, cols, nnz", the row offsets on one line, the
   column indices on the next; a pattern that counts from 0. Two readers walk along the two long lines. */

/* Reads the next row offset, from `least` to `most`. */
static inline sparse_result sparse_p_read_offset(sparse_p_reader *r, size_t least, size_t most,
                                                 size_t *offset)
{
    uint64_t n;
    bool fits;
    sparse_p_skip_blanks(r);
    const char *const end = sparse_p_natural(r->at, r->end, &n, &fits);
    if (end == NULL || !fits || n < least || n > most || !sparse_p_ends_word(end, r->end))
        return sparse_p_fail(r, r->at, SPARSE_E_POSITIONS, "%s is no row offset from %zu to %zu",
                             sparse_p_quoted(r).text, least, most);
    *offset = (size_t)n;
    r->at = end;
    return SPARSE_OK;
}

/* Reads all rows: an offset from the one line, then so many column indices from the other. */
static inline sparse_result sparse_p_read_smtx_rows(sparse_p_reader *offsets, sparse_p_reader *columns)
{
    sparse_p_decimal one[2];
    size_t c[SPARSE_MAX_RANK] = {0}, from, to;
    SPARSE_P_TRY(sparse_p_read_value(columns, one));
    SPARSE_P_TRY(sparse_p_read_offset(offsets, 0, 0, &from));
    for (; c[0] < columns->dim[0]; ++c[0]) {
        SPARSE_P_TRY(sparse_p_read_offset(offsets, from, columns->announced, &to));
        for (; from < to; ++from) {
            SPARSE_P_TRY(sparse_p_read_coordinate(columns, 1, &c[1]));
            SPARSE_P_TRY(sparse_p_add_entry(columns, c, one));
        }
    }
    if (from == columns->announced) return SPARSE_OK;
    return sparse_p_fail(offsets, offsets->at, SPARSE_E_POSITIONS,
                         "the last row offset is %zu, but there are %zu entries", from, columns->announced);
}

/* Refuses what follows the numbers of a line. */
static inline sparse_result sparse_p_smtx_line_end(sparse_p_reader *r, const char *what, sparse_result result)
{
    sparse_p_skip_blanks(r);
    if (sparse_p_ends_line(r->at, r->end)) return SPARSE_OK;
    return sparse_p_fail(r, r->at, result, "%s is one %s too many", sparse_p_quoted(r).text, what);
}

static inline sparse_result sparse_p_read_smtx(sparse_p_reader *r)
{
    size_t size[3], n;
    r->comment = '%';
    r->field = SPARSE_P_FIELD_PATTERN;
    r->base = 0;
    r->rank = 2;
    SPARSE_P_TRY(sparse_p_read_sizes(r, "size line", 3, 3, size, &n));
    memcpy(r->dim, size, r->rank * sizeof *size);
    SPARSE_P_TRY(sparse_p_check_shape(r));
    SPARSE_P_TRY(sparse_p_announce(r, size[2], 1));
    if (!sparse_p_next_line(r))
        return sparse_p_fail(r, r->end, SPARSE_E_COUNT, "the file ends before its row offsets");
    sparse_p_reader offsets = *r;
    sparse_p_skip_line(r);
    if (size[2] > 0) sparse_p_next_line(r);
    SPARSE_P_TRY(sparse_p_read_smtx_rows(&offsets, r));
    SPARSE_P_TRY(sparse_p_smtx_line_end(&offsets, "row offset", SPARSE_E_POSITIONS));
    SPARSE_P_TRY(sparse_p_smtx_line_end(r, "column index", SPARSE_E_COUNT));
    if (sparse_p_next_line(r))
        return sparse_p_fail(r, r->at, SPARSE_E_COUNT, "more follows the column indices");
    return SPARSE_OK;
}

/* >>read */

/* The format that the extension of a file name stands for. */
static inline sparse_file_format sparse_p_extension_format(const char *path)
{
    static const struct {
        const char *text;
        sparse_file_format format;
    } known[] = {{".mtx", SPARSE_FILE_MATRIX_MARKET}, {".mm", SPARSE_FILE_MATRIX_MARKET},
                 {".ttx", SPARSE_FILE_MATRIX_MARKET}, {".tns", SPARSE_FILE_FROSTT},
                 {".xtns", SPARSE_FILE_FROSTT_EXTENDED}, {".smtx", SPARSE_FILE_SMTX}};
    const char *const dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof known / sizeof *known; ++i)
        if (sparse_p_prefix(dot, dot + strlen(dot), known[i].text) == strlen(dot)) return known[i].format;
    return SPARSE_FILE_AUTO;
}

/* The name of the method by which the text is compressed, null if by none. */
static inline const char *sparse_p_compression(const sparse_p_reader *r)
{
    static const char *const magic[][2] = {{"\x1F\x8B", "gzip"}, {"\x28\xB5\x2F\xFD", "zstd"},
                                           {"\xFD\x37zXZ", "xz"}, {"BZh", "bzip2"}, {"PK\x03\x04", "zip"}};
    for (size_t i = 0; i < sizeof magic / sizeof *magic; ++i) {
        const size_t length = strlen(magic[i][0]);
        if ((size_t)(r->end - r->begin) >= length && memcmp(r->begin, magic[i][0], length) == 0)
            return magic[i][1];
    }
    return NULL;
}

/* Reads the text into the lists of coordinates and values. */
static inline sparse_result sparse_p_parse(sparse_p_reader *r)
{
    r->at = r->line = r->value = r->begin;
    r->object = r->field = r->symmetry = 0;
    r->array = r->inferred = false;
    r->base = r->o.zero_based ? 0 : 1;
    r->rank = r->parts = r->announced = r->count = 0;
    for (size_t d = 0; d < SPARSE_MAX_RANK; ++d) {
        r->dim[d] = r->max[d] = 1;
        r->next[d] = 0;
    }
    switch (r->o.format) {
    case SPARSE_FILE_MATRIX_MARKET: return sparse_p_read_market(r);
    case SPARSE_FILE_FROSTT: return sparse_p_read_frostt(r);
    case SPARSE_FILE_FROSTT_EXTENDED: return sparse_p_read_extended(r);
    case SPARSE_FILE_SMTX: return sparse_p_read_smtx(r);
    case SPARSE_FILE_AUTO: break;
    }
    return sparse_p_fail(r, NULL, SPARSE_E_FILE_FORMAT,
                         "neither the first line nor the name tells the format");
}

/* Packs the first `count` of the entries collected. */
static inline sparse_result sparse_p_pack_entries(sparse_p_reader *r, size_t count)
{
    return sparse_pack(r->t, r->dim, count, (const size_t *)r->coordinates.at, r->values.at, r->o.duplicates);
}

/* Packing has failed. If that is because of an entry, the shortest list that cannot be packed ends with
   it: finds it by bisection, and reads the text again up to there, to say where it is. */
static inline sparse_result sparse_p_blame(sparse_p_reader *r, sparse_result why)
{
    if (why != SPARSE_E_DUPLICATE && why != SPARSE_E_FULL && why != SPARSE_E_POSITION_WIDTH)
        return sparse_p_fail(r, NULL, why, "%s", sparse_message(why));
    size_t good = 0, bad = r->count;
    while (bad - good > 1) {
        const size_t middle = good + (bad - good) / 2;
        if (sparse_p_pack_entries(r, middle) == why)
            bad = middle;
        else
            good = middle;
    }
    sparse_free(r->t);
    r->fault = bad - 1;
    r->why = why;
    return sparse_p_parse(r);
}

/* What the text is: by its first line, or else by its name. */
static inline sparse_file_format sparse_p_detect(sparse_p_reader *r)
{
    if (sparse_p_skip_tag(r)) return SPARSE_FILE_MATRIX_MARKET;
    if (sparse_p_is_extended(r)) return SPARSE_FILE_FROSTT_EXTENDED;
    return sparse_p_extension_format(r->name);
}

/* Reads a text that has a name. */
static inline sparse_result sparse_p_read_text(sparse_tensor *t, const char *name, const char *text,
                                               size_t length, const sparse_read_options *options)
{
    sparse_p_reader r;
    memset(&r, 0, sizeof r);
    if (options != NULL) r.o = *options;
    r.t = t;
    r.name = name;
    r.begin = text;
    r.end = text + length;
    r.fault = SIZE_MAX;
    if (t->encoding->kind == SPARSE_OPAQUE)
        return sparse_p_fail(&r, NULL, SPARSE_E_VALUE_TYPE, "no file holds values of the type of %s",
                             sparse_p_type_name(&r));
    const char *const method = sparse_p_compression(&r);
    if (method != NULL)
        return sparse_p_fail(&r, NULL, SPARSE_E_COMPRESSED_FILE, "compressed input (%s): decompress it first",
                             method);
    if (r.o.format == SPARSE_FILE_AUTO) r.o.format = sparse_p_detect(&r);
    sparse_result result = sparse_p_parse(&r);
    if (result == SPARSE_OK) {
        result = sparse_p_pack_entries(&r, r.count);
        if (result != SPARSE_OK) sparse_p_blame(&r, result);
    }
    sparse_p_release(t->hooks, &r.coordinates, t->encoding->rank * sizeof(size_t));
    sparse_p_release(t->hooks, &r.values, t->encoding->value_size);
    return result;
}

/* Can something be read into t? Clears the error. */
static inline sparse_result sparse_p_check_target(const sparse_tensor *t, const char *name, const void *text,
                                                  const sparse_read_options *options)
{
    sparse_io_error *const error = options != NULL ? options->error : NULL;
    const sparse_result result =
        t != NULL && text != NULL ? sparse_encoding_check(t->encoding) : SPARSE_E_NULL;
    sparse_p_tell(error, result, name, 0, 0, sparse_message(result));
    return result;
}

/* t = the tensor in a text of `length` bytes. t has its encoding (SPARSE_INIT); it becomes the tensor that
   is read, or stays as it is where the text is refused, or becomes empty where its storage cannot be
   built. Errors: E_FILE_FORMAT, E_COMPRESSED_FILE, E_BANNER, E_HEADER, E_SHAPE (rank), E_VALUE_TYPE,
   E_COUNT, E_ENTRY, E_COORDINATE, E_COORDINATE_WIDTH, E_SYMMETRY, E_VALUE_RANGE, E_POSITIONS (of .smtx),
   E_OVERFLOW; those of sparse_pack. */
static inline sparse_result sparse_read_memory(sparse_tensor *t, const char *text, size_t length,
                                               const sparse_read_options *options)
{
    SPARSE_P_TRY(sparse_p_check_target(t, "memory", text, options));
    return sparse_p_read_text(t, "memory", text, length, options);
}

/* Appends the rest of a stream to an array of characters. */
static inline sparse_result sparse_p_load_stream(FILE *in, const sparse_hooks *hooks, sparse_buffer *text)
{
    for (;;) {
        if (text->length == text->capacity) {
            const size_t capacity =
                text->capacity < SIZE_MAX / 2 ? text->capacity + text->capacity / 2 + 65536 : SIZE_MAX;
            SPARSE_P_TRY(sparse_p_enlarge(hooks, text, capacity, 1));
        }
        const size_t n = fread((char *)text->at + text->length, 1, text->capacity - text->length, in);
        if (n == 0) return ferror(in) ? SPARSE_E_READ : SPARSE_OK;
        text->length += n;
    }
}

/* t = the tensor in a file; as sparse_read_memory, and E_OPEN, E_READ. */
static inline sparse_result sparse_read(sparse_tensor *t, const char *path,
                                        const sparse_read_options *options)
{
    sparse_buffer text = {NULL, 0, 0};
    SPARSE_P_TRY(sparse_p_check_target(t, path != NULL ? path : "", path, options));
    FILE *const in = fopen(path, "rb");
    sparse_result result = in != NULL ? sparse_p_load_stream(in, t->hooks, &text) : SPARSE_E_OPEN;
    if (in != NULL) fclose(in);
    if (result == SPARSE_OK)
        result = sparse_p_read_text(t, path, (const char *)text.at, text.length, options);
    else if (options != NULL)
        sparse_p_tell(options->error, result, path, 0, 0, sparse_message(result));
    sparse_p_release(t->hooks, &text, 1);
    return result;
}

/* >>write */

/* A file in the making: it has a temporary name beside its target until it is complete. */
typedef struct sparse_p_file {
    FILE *out;
    const char *path; /* the target */
    sparse_buffer name;
} sparse_p_file;

static inline sparse_result sparse_p_create(sparse_p_file *f, const char *path, const sparse_hooks *hooks)
{
    memset(f, 0, sizeof *f);
    f->path = path;
    SPARSE_P_TRY(sparse_p_allocate(hooks, &f->name, strlen(path) + 16, 1));
    for (int i = 0; f->out == NULL && i < 100; ++i) { /* x: not a file that is there already */
        snprintf((char *)f->name.at, f->name.length, "%s.%d.tmp", path, i);
        f->out = fopen((const char *)f->name.at, "wbx");
    }
    if (f->out == NULL) sparse_p_release(hooks, &f->name, 1);
    return f->out != NULL ? SPARSE_OK : SPARSE_E_OPEN;
}

/* Closes the file, and gives it its name if everything went well, or else removes it. */
static inline sparse_result sparse_p_complete(sparse_p_file *f, sparse_result result,
                                              const sparse_hooks *hooks)
{
    const char *const name = (const char *)f->name.at;
    const bool written = !ferror(f->out);
    if ((fclose(f->out) != 0 || !written) && result == SPARSE_OK) result = SPARSE_E_WRITE;
#if defined(_WIN32)
    if (result == SPARSE_OK) remove(f->path); /* rename does not replace there */
#endif
    if (result == SPARSE_OK && rename(name, f->path) != 0) result = SPARSE_E_WRITE;
    if (result != SPARSE_OK) remove(name);
    sparse_p_release(hooks, &f->name, 1);
    return result;
}

/* The end of a line: a value, or its real and imaginary part. */
static inline void sparse_p_write_value(const sparse_encoding *e, const void *value, FILE *out)
{
    char text[32];
    sparse_p_spell(e->kind, value, 0, text);
    fputs(text, out);
    if (sparse_p_is_complex(e)) {
        sparse_p_spell(e->kind, value, 1, text);
        fprintf(out, " %s", text);
    }
    fputc('\n', out);
}

/* The entries in storage order; a vector is a matrix of one column where `column` says "1 ". */
static inline void sparse_p_write_entries(const sparse_tensor *t, const char *column, FILE *out)
{
    SPARSE_FOREACH(c, t)
    {
        for (size_t d = 0; d < t->encoding->rank; ++d) fprintf(out, "%zu ", c.dim[d] + 1);
        fputs(column, out);
        sparse_p_write_value(t->encoding, c.value, out);
    }
}

/* The values of a dense tensor, the first dimension fastest. */
static inline void sparse_p_write_array(const sparse_tensor *t, FILE *out)
{
    const sparse_encoding *const e = t->encoding;
    size_t volume = 0, i[SPARSE_MAX_RANK] = {0}, lvl[SPARSE_MAX_LEVELS];
    if (t->val.length > 0) sparse_p_volume(e->rank, t->dim, &volume);
    for (; volume > 0; --volume) {
        size_t p = 0, d = 0;
        sparse_p_to_lvl(e, t->dim, i, lvl);
        for (size_t l = 0; l < e->levels; ++l) p = p * t->lvl[l] + lvl[l];
        sparse_p_write_value(e, sparse_p_value_at(t, p), out);
        while (d < e->rank && ++i[d] == t->dim[d]) i[d++] = 0;
    }
}

/* The entries that sparse_p_write_entries writes; those of the storage but for the padding of blocks. */
static inline size_t sparse_p_count_entries(const sparse_tensor *t)
{
    size_t n = 0;
    SPARSE_FOREACH(c, t) { ++n; }
    return n;
}

static inline void sparse_p_write_market(const sparse_tensor *t, FILE *out)
{
    const sparse_encoding *const e = t->encoding;
    const bool array = sparse_p_is_dense(e);
    const char *const field = e->kind <= SPARSE_U64 ? "integer" : sparse_p_is_complex(e) ? "complex" : "real";
    fprintf(out, "%%%%MatrixMarket %s %s %s general\n", e->rank <= 2 ? "matrix" : "tensor",
            array ? "array" : "coordinate", field);
    for (size_t d = 0; d < e->rank; ++d) fprintf(out, "%s%zu", d > 0 ? " " : "", t->dim[d]);
    if (e->rank == 1) fputs(" 1", out);
    if (!array) fprintf(out, " %zu", sparse_p_count_entries(t));
    fputc('\n', out);
    if (array)
        sparse_p_write_array(t, out);
    else
        sparse_p_write_entries(t, e->rank == 1 ? "1 " : "", out);
}

static inline void sparse_p_write_frostt(const sparse_tensor *t, bool extended, FILE *out)
{
    const size_t rank = t->encoding->rank;
    if (extended) {
        fprintf(out, "# extended FROSTT format\n%zu %zu\n", rank, sparse_p_count_entries(t));
        for (size_t d = 0; d < rank; ++d) fprintf(out, "%zu%c", t->dim[d], d + 1 < rank ? ' ' : '\n');
    }
    sparse_p_write_entries(t, "", out);
}

/* Writes t to a stream: Matrix Market, which for dense tensors is an array and for ranks above 2 has TACO's
   object `tensor`; FROSTT, which does not state sizes, so that empty tails are lost; or extended FROSTT.
   What is written reads back as the same tensor, bit for bit but for the payload of NaNs.
   Errors: E_EMPTY, E_VALUE_TYPE for opaque values, E_FILE_FORMAT, E_WRITE. */
static inline sparse_result sparse_write_stream(const sparse_tensor *t, FILE *out,
                                                const sparse_write_options *options)
{
    const sparse_file_format format = options != NULL ? options->format : SPARSE_FILE_AUTO;
    sparse_result result = out != NULL ? sparse_p_check_source(t) : SPARSE_E_NULL;
    if (!result && (t->encoding->kind == SPARSE_OPAQUE || t->encoding->fill)) result = SPARSE_E_VALUE_TYPE;
    if (!result && format == SPARSE_FILE_SMTX) result = SPARSE_E_FILE_FORMAT;
    if (!result && format <= SPARSE_FILE_MATRIX_MARKET) sparse_p_write_market(t, out);
    if (!result && format > SPARSE_FILE_MATRIX_MARKET)
        sparse_p_write_frostt(t, format == SPARSE_FILE_FROSTT_EXTENDED, out);
    if (!result && (fflush(out) != 0 || ferror(out))) result = SPARSE_E_WRITE;
    return options != NULL ? sparse_p_tell(options->error, result, "stream", 0, 0, sparse_message(result))
                           : result;
}

/* Writes t to a file, which appears under its name when it is complete. Errors: those of
   sparse_write_stream; E_OPEN where no file can be made beside the target; E_MEMORY. */
static inline sparse_result sparse_write(const sparse_tensor *t, const char *path,
                                         const sparse_write_options *options)
{
    sparse_write_options o = {SPARSE_FILE_AUTO, NULL};
    sparse_p_file file;
    if (options != NULL) o.format = options->format;
    sparse_result result = path != NULL ? sparse_p_check_source(t) : SPARSE_E_NULL;
    if (!result && o.format == SPARSE_FILE_AUTO) o.format = sparse_p_extension_format(path);
    if (!result && o.format == SPARSE_FILE_AUTO) result = SPARSE_E_FILE_FORMAT;
    if (!result) result = sparse_p_create(&file, path, t->hooks);
    if (!result) result = sparse_p_complete(&file, sparse_write_stream(t, file.out, &o), t->hooks);
    if (options != NULL)
        sparse_p_tell(options->error, result, path != NULL ? path : "", 0, 0, sparse_message(result));
    return result;
}

/* >>print */

/* A list of numbers: "( 0, 2, 3 )". */
static inline void sparse_p_print_indices(const char *name, size_t level, const sparse_buffer *b,
                                          unsigned bits, FILE *out)
{
    fprintf(out, "%s[%zu] : (", name, level);
    for (size_t p = 0; p < b->length; ++p)
        fprintf(out, "%s%zu", p > 0 ? ", " : " ", sparse_load(b->at, bits, p));
    fputs(" )\n", out);
}

static inline void sparse_p_print_sizes(const char *name, const size_t size[], size_t count, FILE *out)
{
    fprintf(out, "%s = (", name);
    for (size_t k = 0; k < count; ++k) fprintf(out, "%s%zu", k > 0 ? ", " : " ", size[k]);
    fputs(" )\n", out);
}

static inline void sparse_p_print_values(const sparse_tensor *t, FILE *out)
{
    const sparse_encoding *const e = t->encoding;
    char re[32], im[32];
    fputs("values : (", out);
    for (size_t p = 0; p < t->val.length; ++p) {
        const void *const value = sparse_p_value_at(t, p);
        sparse_p_spell(e->kind, value, 0, re);
        fputs(p > 0 ? ", " : " ", out);
        if (sparse_p_is_complex(e)) {
            sparse_p_spell(e->kind, value, 1, im);
            fprintf(out, "( %s, %s )", re, im);
        } else {
            fputs(re, out);
        }
    }
    fputs(" )\n", out);
}

/* Prints the arrays of t as sparse_tensor.print does: the number of stored entries, the sizes of the
   dimensions and of the levels, positions and coordinates of the levels that have them, the values.
   Numbers are spelt so that they read back the same; opaque values are shown as ?. Errors: E_EMPTY,
   E_WRITE. */
static inline sparse_result sparse_print(const sparse_tensor *t, FILE *out)
{
    SPARSE_P_TRY(out != NULL ? sparse_p_check_source(t) : SPARSE_E_NULL);
    const sparse_encoding *const e = t->encoding;
    fprintf(out, "---- Sparse Tensor ----\nnse = %zu\n", sparse_entries(t));
    sparse_p_print_sizes("dim", t->dim, e->rank, out);
    sparse_p_print_sizes("lvl", t->lvl, e->levels, out);
    for (unsigned l = 0; l < e->levels; ++l) {
        if (sparse_p_has_pos(&e->level[l])) sparse_p_print_indices("pos", l, &t->pos[l], sparse_pos_bits(e), out);
        if (sparse_p_has_crd(&e->level[l]) && !sparse_p_is_aos(e, l))
            sparse_p_print_indices("crd", l, &t->crd[l], sparse_crd_bits(e), out);
    }
    sparse_p_print_values(t, out);
    fputs("----\n", out);
    return fflush(out) != 0 || ferror(out) ? SPARSE_E_WRITE : SPARSE_OK;
}

/* >>spy */

enum { SPARSE_P_SPY_CELLS = 256, SPARSE_P_SPY_SHADES = 8 };

/* A matrix in cells of so many rows and columns each, and the nonzeros of every cell. */
typedef struct sparse_p_spy {
    size_t side[2], cells[2];
    sparse_buffer nonzeros;
    size_t most; /* nonzeros of a cell */
} sparse_p_spy;

static inline sparse_result sparse_p_spy_count(sparse_p_spy *s, const sparse_tensor *t)
{
    memset(s, 0, sizeof *s);
    for (int d = 0; d < 2; ++d) {
        s->side[d] = t->dim[d] > 0 ? (t->dim[d] - 1) / SPARSE_P_SPY_CELLS + 1 : 1;
        s->cells[d] = t->dim[d] > 0 ? (t->dim[d] - 1) / s->side[d] + 1 : 0;
    }
    SPARSE_P_TRY(sparse_p_allocate(t->hooks, &s->nonzeros, s->cells[0] * s->cells[1], sizeof(size_t)));
    size_t *const nonzeros = (size_t *)s->nonzeros.at;
    for (size_t cell = 0; cell < s->nonzeros.length; ++cell) nonzeros[cell] = 0;
    SPARSE_FOREACH(c, t)
    {
        if (sparse_p_is_fill(t->encoding, c.value)) continue;
        const size_t n = ++nonzeros[c.dim[0] / s->side[0] * s->cells[1] + c.dim[1] / s->side[1]];
        if (n > s->most) s->most = n;
    }
    return SPARSE_OK;
}

/* From 0, for no nonzeros, to SPARSE_P_SPY_SHADES, for as many as anywhere; in steps of factors. */
static inline unsigned sparse_p_spy_shade(const sparse_p_spy *s, size_t nonzeros)
{
    const unsigned width = sparse_p_width(nonzeros), most = sparse_p_width(s->most);
    return width == 0 ? 0 : 1 + (width - 1) * (SPARSE_P_SPY_SHADES - 1u) / (most > 1 ? most - 1 : 1);
}

/* One path for all cells of a shade, a run of them along a row at a time. */
static inline void sparse_p_spy_path(const sparse_p_spy *s, unsigned shade, FILE *out)
{
    const size_t *row = (const size_t *)s->nonzeros.at;
    fprintf(out, "<path fill-opacity='%u%%' d='", 100 * shade / SPARSE_P_SPY_SHADES);
    for (size_t i = 0; i < s->cells[0]; ++i, row += s->cells[1])
        for (size_t j = 0, from = 0; j < s->cells[1]; from = ++j) {
            while (j < s->cells[1] && sparse_p_spy_shade(s, row[j]) == shade) ++j;
            if (j > from) fprintf(out, "M%zu %zuh%zuv1H%zuz", from, i, j - from, from);
        }
    fputs("'/>\n", out);
}

static inline void sparse_p_spy_draw(const sparse_p_spy *s, const sparse_tensor *t, FILE *out)
{
    const size_t rows = s->cells[0], columns = s->cells[1];
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-1 -1 %zu %zu' shape-rendering='crispEdges'>\n"
            "<title>%zu by %zu, %zu entries</title>\n"
            "<path fill='#fff' stroke='#888' stroke-width='.5' d='M-.5-.5H%zu.5V%zu.5H-.5z'/>\n",
            columns + 2, rows + 2, t->dim[0], t->dim[1], sparse_p_count_entries(t), columns, rows);
    for (unsigned shade = 1; shade <= SPARSE_P_SPY_SHADES; ++shade) sparse_p_spy_path(s, shade, out);
    fputs("</svg>\n", out);
}

/* Draws the nonzeros of a matrix as an SVG picture of at most 256 by 256 cells, each the darker the more it
   has. Errors: E_SHAPE for another rank than 2, E_EMPTY, E_OPEN, E_WRITE, E_MEMORY. */
static inline sparse_result sparse_spy(const sparse_tensor *t, const char *path)
{
    sparse_p_spy s;
    sparse_p_file file;
    SPARSE_P_TRY(path != NULL ? sparse_p_check_source(t) : SPARSE_E_NULL);
    if (t->encoding->rank != 2) return SPARSE_E_SHAPE;
    sparse_result result = sparse_p_spy_count(&s, t);
    if (!result) result = sparse_p_create(&file, path, t->hooks);
    if (!result) {
        sparse_p_spy_draw(&s, t, file.out);
        result = sparse_p_complete(&file, SPARSE_OK, t->hooks);
    }
    sparse_p_release(t->hooks, &s.nonzeros, sizeof(size_t));
    return result;
}

#endif /* SPARSE_IO_H */
