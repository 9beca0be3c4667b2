/* test_conversions.c: converting a tensor gives, byte for byte, the arrays that packing its entries into the new encoding
   gives. Encodings are written as oracle.h describes.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "oracle.h"

static const unsigned widths[] = {8, 16, 32, 64};
static const sparse_kind kinds[] = {SPARSE_F64, SPARSE_F32, SPARSE_I8, SPARSE_C128, SPARSE_OPAQUE, SPARSE_U16};

static bool same_buffer(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

/* Do two tensors of one encoding have the same arrays? */
static bool same_arrays(const sparse_tensor *a, const sparse_tensor *b)
{
    const sparse_encoding *e = a->encoding;
    bool same = same_buffer(&a->val, &b->val, e->value_size);
    for (unsigned l = 0; l < e->levels; l++) {
        same = same && same_buffer(&a->pos[l], &b->pos[l], e->pos_bits / 8u);
        same = same && same_buffer(&a->crd[l], &b->crd[l], e->crd_bits / 8u);
        same = same && a->lvl[l] == b->lvl[l];
    }
    return same;
}

/* Shuffles the entries of t where the encoding allows any order: in singleton levels, or the columns within a row. */
static void shuffle(sparse_tensor *t)
{
    const sparse_encoding *e = t->encoding;
    const bool coo = e->level[1].type == SPARSE_SINGLETON;
    for (size_t k = t->val.length; k > 1; k--) {
        const size_t a = k - 1, b = random_below(k);
        char hold[WIDEST];
        size_t i = a;
        if (!coo) { /* within the row */
            size_t row = 0;
            while (sparse_load(t->pos[1].at, e->pos_bits, row + 1) <= a) row++;
            if (sparse_load(t->pos[1].at, e->pos_bits, row) > b) continue;
        } else if (!(e->level[0].properties & SPARSE_NONORDERED)) {
            const sparse_p_column c = sparse_p_crd(e, t, 0);
            if (sparse_load(c.at, e->crd_bits, a * c.stride) != sparse_load(c.at, e->crd_bits, b * c.stride)) continue;
        }
        for (unsigned l = coo ? 0 : 1; l < 2; l++) {
            const sparse_p_column c = sparse_p_crd(e, t, l);
            i = sparse_load(c.at, e->crd_bits, a * c.stride);
            sparse_store(c.at, e->crd_bits, a * c.stride, sparse_load(c.at, e->crd_bits, b * c.stride));
            sparse_store(c.at, e->crd_bits, b * c.stride, i);
        }
        char *val = (char *)t->val.at;
        memcpy(hold, val + a * e->value_size, e->value_size);
        memcpy(val + a * e->value_size, val + b * e->value_size, e->value_size);
        memcpy(val + b * e->value_size, hold, e->value_size);
    }
}

static const size_t extents[][2] = {{0, 3}, {1, 1}, {1, 90}, {90, 1}, {20, 23}, {7, 60}, {60, 7}, {3, 160}};
enum { EXTENTS = sizeof extents / sizeof *extents };

static void expect_same(const sparse_encoding *from, const sparse_encoding *to, const truth *x)
{
    static truth before;
    sparse_tensor a = tensor_of(from), b = tensor_of(to), c = tensor_of(to);
    name_subject(to);
    const sparse_result wanted =
        sparse_pack_untyped(&c, x->dim, x->count, x->coordinates, x->values, SPARSE_DUPLICATES_ERROR);
    if (sparse_pack_untyped(&a, x->dim, x->count, x->coordinates, x->values, SPARSE_DUPLICATES_ERROR) == SPARSE_OK) {
        if ((from->level[0].properties | from->level[1].properties) & SPARSE_NONORDERED) shuffle(&a);
        CHECK_RESULT(sparse_validate(&a, NULL), SPARSE_OK);
        if (random_below(2)) { /* reuses the arrays of the previous tensor */
            truth_random(&before, to, to->rank == 2 ? extents[random_below(EXTENTS)] : x->dim, 1 + random_below(12));
            const sparse_result held =
                sparse_pack_untyped(&b, before.dim, before.count, before.coordinates, before.values, SPARSE_DUPLICATES_ERROR);
            CHECK(held == SPARSE_OK || sparse_entries(&b) == 0);
        }
        CHECK_RESULT(sparse_convert(&b, &a), wanted);
        if (!wanted && !sparse_same_encoding(from, to)) CHECK(same_arrays(&b, &c)); /* equal encodings: a plain copy */
        for (size_t k = 1; !wanted && k < 12; k += 1 + random_below(3)) { /* whichever allocation fails, nothing leaks */
            books.calls = 0;
            books.fail_at = k;
            const sparse_result result = sparse_convert(&b, &a);
            books.fail_at = 0;
            CHECK(result == SPARSE_E_MEMORY ? sparse_entries(&b) == 0 : result == SPARSE_OK);
        }
    }
    sparse_free(&a);
    sparse_free(&b);
    sparse_free(&c);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Every pair of matrix encodings (rows, columns, blocks, sorted and unsorted), in random widths. */
static void test_matrices(void)
{
    static const char *const texts[] = {"0d 1c",      "1d 0c",      "0c 1c",        "1c 0c",         "0cn 1s",
                                        "1cn 0s",     "0cn 1sa",    "1cn 0sna",     "0d 1cn",        "0d 1co",
                                        "1d 0cno",    "0cno 1sno",  "1cno 0soa",    "0cno 1snoa",    "0d 1l",
                                        "0d 1d",      "0cn 1so",    "1cn 0snoa",    "0/2d 1/3c 0%2d 1%3d",
                                        "0/3d 1/2c 1%2d 0%3d", "1/4d 0/4c 1%4d 0%4d", "0/2d 1/2c 0%2d 1%2d",
                                        "1/17d 0/2c 1%17d 0%2d", "0#130d 0d 1c", "1#130d 1d 0c", "1-c 0d", "0-c 1d",
                                        "0/3d 1-c 0%3d", "1/64d 0-c 1%64d", "0/1d 1-c 0%1d",
                                        "0/4d 1/3d 0%4cn 1%3sn", "1/16d 0/8d 1%16cno 0%8soa", "1/2d 0/2d 0%2cno 1%2snoa", "1d 0d", "0d 1m", "0m 1c", "1/2d 0m 1%2d",
                                        "1d 0m"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    static truth x;
    for (size_t f = 0; f < TEXTS; f++)
        for (size_t g = 0; g < TEXTS; g++)
            for (size_t turn = 0; turn < 4; turn++) {
                const sparse_kind kind = turn % 2 ? SPARSE_F64 : kinds[random_below(6)];
                const unsigned w = turn % 3 ? 2 : 4;
                const sparse_encoding from = encode(texts[f], widths[w == 2 ? 2 : random_below(4)],
                                                    widths[w == 2 ? 2 : random_below(4)], kind);
                const sparse_encoding to =
                    encode(texts[g], widths[w == 2 ? 2 : random_below(4)], widths[w == 2 ? 2 : random_below(4)], kind);
                truth_random(&x, &from, extents[random_below(EXTENTS)], 1 + random_below(12));
                expect_same(&from, &to, &x);
            }
}

/* CSF trees and COO with two to four dimensions, and mixtures of both. In some shapes an outer level has at most two
   coordinates, so that most entries differ only further inside. */
static void test_trees(void)
{
    static const char *const texts[][6] = {
        {"0c 1c", "0cn 1s", "0cn 1sa", "1c 0c", "0d 1c", "0cn 1so"},
        {"0c 1c 2c", "0cn 1sn 2s", "0cn 1sna 2sa", "0c 1cn 2s", "2c 0c 1c", "0c 1cn 2sa"},
        {"0c 1c 2c 3c", "0cn 1sn 2sn 3s", "0c 1cn 2sn 3s", "0c 1c 2cn 3sa", "0cn 1sna 2sna 3sa", "0c 1c 2cno 3s"},
        {"0/3c 1/2c 0%3c 1%2c", "0/3cn 1/2sn 0%3sn 1%2s", "0/3c 1/2cn 0%3sna 1%2sa", "0/3c 1/2c 0%3cn 1%2s", "0c 1c",
         "0/3c 1/2cn 0%3c 1%2c"},
        {"0c 1c 2c", "0cn 1sn 2s", "0cn 1s 2c", "0cn 1s 2s", "0c 1s 2c", "0c 1c 2cn"}};
    static const size_t sizes[][4] = {{5, 6, 7, 2}, {1, 40, 2, 5}, {40, 1, 3, 4}, {2, 2, 30, 4}};
    static truth x;
    for (size_t turn = 0; turn < 3000; turn++) {
        const size_t family = random_below(5), f = random_below(6), g = random_below(6), some = random_below(2);
        const unsigned w = some ? 32 : widths[random_below(4)], v = some && random_below(2) ? 32 : widths[random_below(4)];
        const sparse_kind kind = kinds[random_below(6)];
        const sparse_encoding from = encode(texts[family][f], w, some ? 32 : 64, kind),
                              to = encode(texts[family][g], v, some && random_below(2) ? 32 : 64, kind);
        if (from.rank != to.rank) continue;
        truth_random(&x, &from, sizes[random_below(4)], 1 + random_below(12));
        expect_same(&from, &to, &x);
    }
    static const char *const repeating[] = {"0cn 1sn 2sn", "0c 1cn 2sn", "0c 1c 2cn"};
    for (size_t f = 0; f < 3; f++) {
        static const size_t dim[] = {2, 3, 4}, at[] = {1, 2, 3, /**/ 1, 2, 3, /**/ 1, 2, 1};
        static const double values[] = {1, 2, 4};
        const sparse_encoding from = encode(repeating[f], 32, 32, SPARSE_F64), to = encode("0c 1c 2c", 32, 32, SPARSE_F64);
        sparse_tensor a = tensor_of(&from), b = tensor_of(&to);
        name_subject(&from);
        CHECK_RESULT(sparse_pack_untyped(&a, dim, 3, at, values, SPARSE_DUPLICATES_KEEP), SPARSE_OK);
        CHECK(sparse_entries(&a) == 3);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
        CHECK(sparse_entries(&b) == 2 && ((double *)b.val.at)[1] == 3);
        sparse_free(&a);
        sparse_free(&b);
    }
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Entries at equal coordinates: kept if the encoding allows it, otherwise added up. */
static void test_repeated(void)
{
    static const char *const texts[] = {"0d 1c", "1d 0c", "1cn 0sn", "0cn 1sn", "0c 1c", "0d 1cn", "0/2d 1/2c 0%2d 1%2d",
                                        "0/3d 1-c 0%3d", "1-c 0d", "0/2d 1/4d 0%2cn 1%4sn"};
    static const char *const sources[] = {"0cn 1sn", "0cno 1snoa", "1cn 0sn", "0d 1cn", "1d 0cno", "0/4d 1/3d 0%4cno 1%3sno",
                                          "1/2d 0/2d 1%2cno 0%2sno"};
    enum { TEXTS = sizeof texts / sizeof *texts, SOURCES = sizeof sources / sizeof *sources };
    const size_t dim[2] = {9, 8};
    for (size_t turn = 0; turn < 6 * TEXTS * SOURCES; turn++) {
        const sparse_encoding from = encode(sources[turn % SOURCES], 32, 32, SPARSE_F64);
        const sparse_encoding to = encode(texts[turn / SOURCES % TEXTS], 32, 32, SPARSE_F64);
        size_t at[120];
        double values[60], dense[72] = {0}, back[72];
        const size_t count = random_below(60);
        sparse_tensor a = tensor_of(&from), b = tensor_of(&to);
        for (size_t k = 0; k < count; k++) {
            at[2 * k] = random_below(9), at[2 * k + 1] = random_below(8);
            dense[8 * at[2 * k] + at[2 * k + 1]] += values[k] = (double)(1 + random_below(9));
        }
        name_subject(&to);
        CHECK_RESULT(sparse_pack_untyped(&a, dim, count, at, values, SPARSE_DUPLICATES_KEEP), SPARSE_OK);
        if (from.levels == 2 && from.level[1].properties & SPARSE_NONORDERED) shuffle(&a);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&b, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&b, back), SPARSE_OK);
        CHECK(memcmp(back, dense, sizeof dense) == 0);
        if (to.level[to.levels - 1].properties & SPARSE_NONUNIQUE) CHECK(sparse_entries(&b) == count);
        sparse_free(&a);
        sparse_free(&b);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Many rows, long rows, sizes much larger than the number of entries: every algorithm for matrices, compared with
   packing. */
static void test_large(void)
{
    static const size_t sizes[][2] = {{5000, 700}, {3, 100000}, {100000, 3}, {70, 70}, {SIZE_MAX, 5}, {5, SIZE_MAX}};
    static const char *const sources[] = {"0cno 1snoa", "0cn 1s", "1c 0c", "0c 1c"};
    static const char *const texts[] = {"0d 1c", "1d 0c", "0c 1c", "1cn 0s", "0d 1d", "1d 0m"};
    enum { COUNT = 20000 };
    static size_t at[2 * COUNT];
    static uint32_t values[COUNT];
    for (size_t s = 0; s < 6; s++)
        for (size_t f = 0; f < 4; f++)
            for (size_t g = 0; g < (s < 4 ? 6 : 4); g++) {
                const unsigned width = s < 4 && s % 2 == 0 ? 32 : 64;
                const sparse_encoding from = encode(sources[f], 32, 64, SPARSE_U32), to = encode(texts[g], width, width, SPARSE_U32);
                sparse_tensor a = tensor_of(&from), b = tensor_of(&to), c = tensor_of(&to);
                for (size_t k = 0; k < COUNT; k++) {
                    at[2 * k] = random_below(sizes[s][0]), at[2 * k + 1] = random_below(sizes[s][1]);
                    values[k] = (uint32_t)random_below(1000);
                }
                name_subject(&to);
                const sparse_result wanted = sparse_pack_untyped(&c, sizes[s], COUNT, at, values, SPARSE_DUPLICATES_SUM);
                CHECK_RESULT(sparse_pack_untyped(&a, sizes[s], COUNT, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
                if (f == 0) shuffle(&a);
                CHECK_RESULT(sparse_convert(&b, &a), wanted);
                if (!wanted) CHECK(same_arrays(&b, &c));
                sparse_free(&a);
                sparse_free(&b);
                sparse_free(&c);
                CHECK(books.live == 0 && books.mistakes == 0);
            }
}

/* Thousands of entries, whose values are computed from their coordinates, converted to other orders of the dimensions: in
   parts; with short and long fibers; with empty positions; with coordinates that need more than one word. */
static uint32_t place(const size_t *i) { return (uint32_t)(i[0] * 2654435761u + i[1] * 40503u + i[2] * 97u) | 1; }
static void test_orders(void)
{
    static const char *const texts[] = {"0c 1c 2c",     "2c 0c 1c",   "1c 0c 2c",  "2c 1c 0c",
                                        "0d 2c 1c",     "1c 2d 0c",   "2d 1d 0c",  "1cn 0sn 2s",
                                        "2cn 1sna 0sa", "1c 2cn 0so", "0c 2co 1c", "0cno 2sno 1sno"};
    static const size_t sizes[][3] = {{30, 40, 50}, {2, 5000, 3}, {700, 3, 700}, {4000000000u, 4000000000u, 4000000000u}};
    enum { COUNT = 5000, TEXTS = sizeof texts / sizeof *texts };
    static size_t at[3 * COUNT];
    static uint32_t values[COUNT];
    for (size_t s = 0; s < 4; s++)
        for (size_t f = 0; f < TEXTS; f++)
            for (size_t g = 0; g < TEXTS; g++) {
                const bool wide = s == 3 || (f + g) % 5 == 0;
                const sparse_encoding from = encode(texts[f], wide ? 64 : 32, s == 3 && f % 2 ? 64 : 32, SPARSE_U32),
                                      to = encode(texts[g], 32, wide && s < 3 ? 16 : 32, SPARSE_U32);
                if (s == 3 && (strchr(texts[f], 'd') || strchr(texts[g], 'd'))) continue;
                sparse_tensor a = tensor_of(&from), b = tensor_of(&to);
                for (size_t k = 0; k < COUNT; k++) {
                    for (size_t d = 0; d < 3; d++)
                        at[3 * k + d] = s == 3 ? random_below(7) * 600000000u + random_below(3) : random_below(sizes[s][d]);
                    values[k] = place(at + 3 * k);
                }
                name_subject(&to);
                CHECK_RESULT(sparse_pack_untyped(&a, sizes[s], COUNT, at, values, SPARSE_DUPLICATES_LAST), SPARSE_OK);
                CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
                CHECK_RESULT(sparse_validate(&b, NULL), SPARSE_OK);
                CHECK(sparse_entries(&b) == sparse_entries(&a));
                bool told = true;
                SPARSE_FOREACH(c, &b)
                {
                    uint32_t value;
                    memcpy(&value, c.value, sizeof value);
                    told = told && value == place(c.dim);
                }
                CHECK(told);
                sparse_free(&a);
                sparse_free(&b);
                CHECK(books.live == 0 && books.mistakes == 0);
            }
}

/* Conversions between levels over differences (diagonals), also two differences at once. The order of entries depends on the
   dimension to which a difference refers. */
static void test_differences(void)
{
    static const char *const texts[] = {"0c 1c 2c 3c",  "0-c 1c 2c 3c",  "0-c 2c 1c 3c",   "0-c 3c 2cn 1s",
                                        "1-c 0c 3c 2c", "0-c 1d 2-c 3d", "2-c 0c 1-c 3cn", "3-d 0d 2-c 1c"};
    enum { COUNT = 40, TEXTS = sizeof texts / sizeof *texts };
    static const size_t sizes[4] = {3, 7, 5, 4};
    for (size_t f = 0; f < TEXTS; f++)
        for (size_t g = 0; g < TEXTS; g++) {
            const sparse_encoding from = encode(texts[f], 32, 32, SPARSE_U32), to = encode(texts[g], 32, 8, SPARSE_U32);
            sparse_tensor a = tensor_of(&from), b = tensor_of(&to);
            size_t at[4 * COUNT], found = 0;
            uint32_t values[COUNT], value;
            bool is[420] = {false}, told = true;
            for (size_t k = 0; k < COUNT; k++) {
                for (size_t d = 0; d < 4; d++) at[4 * k + d] = random_below(sizes[d]);
                values[k] = 1 + (uint32_t)(((at[4 * k] * 7 + at[4 * k + 1]) * 5 + at[4 * k + 2]) * 4 + at[4 * k + 3]);
                is[values[k] - 1] = true;
            }
            name_subject(&to);
            CHECK_RESULT(sparse_pack_untyped(&a, sizes, COUNT, at, values, SPARSE_DUPLICATES_LAST), SPARSE_OK);
            CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
            CHECK_RESULT(sparse_validate(&b, NULL), SPARSE_OK);
            for (size_t k = 0; k < 420; k++) found += is[k];
            SPARSE_FOREACH(c, &b)
            {
                memcpy(&value, c.value, sizeof value);
                const size_t place_of = ((c.dim[0] * 7 + c.dim[1]) * 5 + c.dim[2]) * 4 + c.dim[3];
                told = told && (value == 0 || (value == place_of + 1 && is[place_of]));
                found -= value != 0;
            }
            CHECK(told && found == 0);
            sparse_free(&a);
            sparse_free(&b);
            CHECK(books.live == 0 && books.mistakes == 0);
        }
}

/* Many rows with entries on four diagonals, converted to ELL slices, diagonals, blocks and grids, and compared with packing:
   in parts, of which the last is shorter, and with empty rows. */
SPARSE_TENSOR(dcsr, SPARSE_DCSR, double, 32, 32)
SPARSE_TENSOR(csr, SPARSE_CSR, double, 32, 32)
SPARSE_TENSOR(dealt, SPARSE_ELL(4), double, 32, 32)
SPARSE_TENSOR(diagonals, SPARSE_DIA, double, 32, 32)
SPARSE_TENSOR(twos, SPARSE_BSR(2, 2), double, 32, 32)
SPARSE_TENSOR(turned, SPARSE_BSR_INNER_COLUMNS(2, 2), double, 32, 32)
SPARSE_TENSOR(fours, SPARSE_BSR(4, 4), double, 32, 32)
SPARSE_TENSOR(others, SPARSE_BSR(3, 2), double, 32, 32)
SPARSE_TENSOR(stripes, SPARSE_DIA_BLOCKS(512), double, 32, 32)
SPARSE_TENSOR(cells, SPARSE_CSB(1000), double, 32, 32)
static void test_parts(void)
{
    enum { ROWS = 40001 };
    static const size_t dim[2] = {ROWS, ROWS}, offset[4] = {0, 7, 9, 107};
    static const sparse_encoding *const to[] = {&dealt_encoding, &diagonals_encoding, &twos_encoding,
                                                &turned_encoding, &fours_encoding,     &others_encoding,
                                                &stripes_encoding, &cells_encoding};
    static size_t at[8 * ROWS];
    static double values[4 * ROWS];
    static const double seven = 7;
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t d = 0; d < 4; d++)
            if (i + offset[d] >= 7 && i + offset[d] - 7 < ROWS && i % 11 != 5 && random_below(4)) {
                at[2 * count] = i, at[2 * count + 1] = i + offset[d] - 7;
                values[count++] = (double)(1 + random_below(1000));
            }
    for (size_t k = 0; k < sizeof to / sizeof *to; k++)
        for (size_t turn = 0; turn < 3; turn++) {
            sparse_encoding from = csr_encoding, e = *to[k];
            if (turn == 1) from.crd_bits = 64, from.pos_bits = 64, e.crd_bits = 64;
            if (turn == 2) e.pos_bits = 64, e.fill = from.fill = &seven;
            sparse_tensor a = tensor_of(&from), b = tensor_of(&e), c = tensor_of(&e);
            snprintf(subject, sizeof subject, "parts, %s, %zu", e.name, turn);
            CHECK_RESULT(sparse_pack_untyped(&a, dim, count, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
            CHECK_RESULT(sparse_pack_untyped(&c, dim, count, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
            CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
            CHECK(same_arrays(&b, &c));
            for (size_t n = 1; n < 9 && turn == 0; n++) {
                books.calls = 0;
                books.fail_at = n;
                const sparse_result result = sparse_convert(&b, &a);
                books.fail_at = 0;
                CHECK(result == SPARSE_OK || (result == SPARSE_E_MEMORY && sparse_entries(&b) == 0));
            }
            sparse_free(&a);
            sparse_free(&b);
            sparse_free(&c);
            CHECK(books.live == 0 && books.mistakes == 0);
        }
}

/* A row with more entries than slices is refused, wherever the row is. */
static void test_full(void)
{
    static const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (size_t row = 0; row < 4; row++) {
        const size_t dim[2] = {4, 5};
        size_t at[16], count = 0;
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < (i == row ? 5 : 1); j++, count++) at[2 * count] = i, at[2 * count + 1] = j;
        sparse_tensor a = tensor_of(&csr_encoding), b = tensor_of(&dealt_encoding);
        snprintf(subject, sizeof subject, "more entries than slices in row %zu", row);
        CHECK_RESULT(sparse_pack_untyped(&a, dim, count, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_E_FULL);
        CHECK(sparse_entries(&b) == 0);
        sparse_free(&a), sparse_free(&b);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Converting again with the same number of entries reuses the same arrays. */
static void test_again(void)
{
    static const char *const sources[] = {"0d 1c", "1d 0c", "0cn 1sa", "0cno 1snoa", "0/2d 1/2c 0%2d 1%2d", "0c 1c", "0d 1d"};
    static const char *const texts[] = {"0d 1c", "1d 0c", "0c 1c", "0cn 1sa", "0cn 1s", "0d 1d"};
    enum { SOURCES = sizeof sources / sizeof *sources, TEXTS = sizeof texts / sizeof *texts };
    const size_t dim[2] = {20, 23};
    static truth x;
    for (size_t turn = 0; turn < SOURCES * TEXTS; turn++) {
        const sparse_encoding from = encode(sources[turn % SOURCES], 32, 32, SPARSE_F64), to = encode(texts[turn / SOURCES], 32, 32, SPARSE_F64);
        sparse_tensor a = tensor_of(&from), b = tensor_of(&to);
        truth_random(&x, &from, dim, 4);
        name_subject(&to);
        for (unsigned times = 0; times < 2; times++) {
            const void *const held[] = {a.val.at, b.val.at};
            CHECK_RESULT(sparse_pack_untyped(&a, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
            CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
            CHECK(times == 0 || (a.val.at == held[0] && b.val.at == held[1]));
        }
        sparse_free(&a), sparse_free(&b);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Columns in blocks, each of more rows than one chunk has: chunks go across the columns, for each part of the rows anew. */
static void test_across(void)
{
    static const char *const sources[] = {"1/2d 1%2c 0d", "1/2c 1%2c 0d", "1/1d 1%1c 0d"};
    static const char *const texts[] = {"0d 1c", "0c 1c", "0cn 1s", "1d 0c"};
    enum { SOURCES = sizeof sources / sizeof *sources, TEXTS = sizeof texts / sizeof *texts };
    const size_t dim[2] = {600, 6};
    static double dense[3600], back[3600];
    for (size_t k = 0; k < 3600; k++) dense[k] = k % 7 ? 0 : (double)(k + 1);
    for (size_t turn = 0; turn < SOURCES * TEXTS; turn++) {
        const sparse_encoding from = encode(sources[turn % SOURCES], 32, 32, SPARSE_F64), to = encode(texts[turn / SOURCES], 32, 32, SPARSE_F64);
        sparse_tensor a = tensor_of(&from), b = tensor_of(&to);
        name_subject(&to);
        CHECK_RESULT(sparse_pack_dense_untyped(&a, dim, dense), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&b, back), SPARSE_OK);
        CHECK(memcmp(dense, back, sizeof dense) == 0);
        sparse_free(&a), sparse_free(&b);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Positions number coordinates, not entries: 8 bits suffice for more than 255 entries if they have few coordinates in the
   levels with positions, or if they are added. */
static void test_narrow_positions(void)
{
    static const char *const texts[] = {"0c 1d", "1c 0d", "0/2c 1d 0%2d", "0d 1c", "0c 1c", "0cn 1s"};
    enum { TEXTS = sizeof texts / sizeof *texts, ENTRIES = 600 };
    const sparse_encoding list = encode("0cn 1sn", 32, 32, SPARSE_F64), rows = encode("0d 1c", 32, 32, SPARSE_F64);
    static size_t at[2 * ENTRIES];
    static double value[ENTRIES];
    for (size_t turn = 0; turn < 2 * TEXTS; turn++) { /* dense rows or columns store all entries, other levels add them */
        const sparse_encoding narrow = encode(texts[turn / 2], 8, 32, SPARSE_F64), wide = encode(texts[turn / 2], 32, 32, SPARSE_F64);
        const bool adds = turn / 2 >= 3, sorted = turn % 2;
        const size_t dim[2] = {adds ? 10 : 30, 20}, volume = dim[0] * dim[1];
        sparse_tensor a = tensor_of(&list), b = tensor_of(&rows), t = tensor_of(&narrow), u = tensor_of(&wide);
        bool equal = false;
        name_subject(&narrow);
        for (size_t k = 0; k < ENTRIES; k++) {
            const size_t cell = sorted ? k * volume / ENTRIES : k * 7 % volume;
            at[2 * k] = cell / 20;
            at[2 * k + 1] = cell % 20;
            value[k] = (double)(k + 1);
        }
        CHECK_RESULT(sparse_pack_untyped(&u, dim, ENTRIES, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, ENTRIES, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        CHECK_RESULT(sparse_equal(&t, &u, 0, &equal), SPARSE_OK);
        CHECK(equal);
        CHECK_RESULT(sparse_pack_untyped(&a, dim, ENTRIES, at, value, SPARSE_DUPLICATES_KEEP), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&t, &a), SPARSE_OK);
        CHECK_RESULT(sparse_equal(&t, &u, 0, &equal), SPARSE_OK);
        CHECK(equal);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&t, &b), SPARSE_OK);
        CHECK_RESULT(sparse_equal(&t, &u, 0, &equal), SPARSE_OK);
        CHECK(equal);
        sparse_free(&a), sparse_free(&b), sparse_free(&t), sparse_free(&u);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Padding outside the matrix, in blocks and diagonals, may have any value; conversion keeps it. */
static void test_outside(void)
{
    static const char *const sources[] = {"0/2d 1/2c 0%2d 1%2d", "1/2d 0/2c 1%2d 0%2d", "0/2d 1/2c 1%2d 0%2d",
                                          "0/3d 1/4c 0%3d 1%4d", "1-c 0d", "0/4d 1-c 0%4d"};
    static const char *const texts[] = {"0d 1c", "1d 0c", "0c 1c", "0cn 1s", "0d 1d", "0d 1m"};
    enum { SOURCES = sizeof sources / sizeof *sources, TEXTS = sizeof texts / sizeof *texts };
    static truth x;
    for (size_t turn = 0; turn < SOURCES * TEXTS * 6; turn++) {
        const sparse_kind kind = kinds[turn / SOURCES / TEXTS % 3];
        const size_t dim[2] = {5 + 4 * random_below(2), 7 + 4 * random_below(2)}, size = size_of(kind);
        const sparse_encoding from = encode(sources[turn % SOURCES], 32, 32, kind);
        const sparse_encoding to = encode(texts[turn / SOURCES % TEXTS], 32, 32, kind);
        sparse_tensor a = tensor_of(&from), b = tensor_of(&to), c = tensor_of(&to);
        bool inside[MOST] = {false};
        name_subject(&from);
        const bool full = turn / SOURCES / TEXTS < 3;
        truth_random(&x, &from, dim, full ? 1 : 3);
        CHECK_RESULT(sparse_pack_untyped(&a, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        SPARSE_FOREACH(at, &a) inside[(size_t)((const char *)at.value - (const char *)a.val.at) / size] = true;
        CHECK(a.val.length <= MOST && (!full || memchr(inside, false, a.val.length)));
        for (size_t p = 0; p < a.val.length; p++)
            if (!inside[p]) put_number(&from, (char *)a.val.at + p * size, 50);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
        CHECK_RESULT(sparse_pack_untyped(&c, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        CHECK(same_arrays(&b, &c));
        sparse_free(&a), sparse_free(&b), sparse_free(&c);
    }
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Conversion keeps the bits of values that are not repeated, for every value type, also -0 and signalling NaNs with a
   payload. The exception is a zero that cannot be distinguished from padding. */
static void test_bits(void)
{
    static const char *const texts[] = {"0d 1c",         "1d 0c",  "0cn 1s", "0cn 1sa", "1cno 0sno", "0cn 1sn", "0d 1cn",
                                        "0cn 1c",        "0c 1c",  "0d 1l",  "0d 1d",   "0d 1m",   "1-c 0d",    "0#11d 0d 1c", "0c 1d",
                                        "0/2d 1/2c 0%2d 1%2d", "0/4d 1/4d 0%4cn 1%4s", "0/4d 1/4d 0%4cn 1%4sn"};
    enum { TEXTS = sizeof texts / sizeof *texts, KINDS = SPARSE_OPAQUE + 1 };
    const size_t dim[2] = {9, 11};
    static truth x;
    char back[99 * WIDEST];
    for (size_t turn = 0; turn < KINDS * TEXTS * TEXTS; turn++) {
        const sparse_kind kind = (sparse_kind)(turn % KINDS);
        const sparse_encoding from = encode(texts[turn / KINDS % TEXTS], 32, 32, kind);
        const sparse_encoding to = encode(texts[turn / KINDS / TEXTS], 32, 32, kind);
        const size_t size = from.value_size, part = sparse_p_kind_size(sparse_p_component(kind));
        sparse_tensor a = tensor_of(&from), b = tensor_of(&to);
        name_subject(&from);
        truth_random(&x, &from, dim, 3);
        for (size_t k = 0; k < x.count; k++) {
            char *const value = x.values + k * size;
            for (size_t byte = 0; byte < size; byte++) {
                const bool last = part > 0 && byte % part == part - 1, next = part > 1 && byte % part == part - 2;
                const unsigned minus0 = last ? 0x80 : 0, nan = last ? 0x7F : next ? (part == 8 ? 0xF1 : 0x81) : 1;
                value[byte] = (char)(k % 3 == 0 ? minus0 : k % 3 == 1 ? nan : (unsigned)random_below(256));
            }
            memcpy(x.dense + truth_at(&x, &x.coordinates[2 * k]) * size, value, size);
        }
        CHECK_RESULT(sparse_pack_untyped(&a, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_LAST), SPARSE_OK);
        if (x.count > 0 && from.levels == 2 && from.level[1].properties & SPARSE_NONORDERED) shuffle(&a);
        CHECK_RESULT(sparse_unpack_dense_untyped(&a, back), SPARSE_OK);
        CHECK(memcmp(back, x.dense, 99 * size) == 0);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&b, back), SPARSE_OK);
        for (size_t k = 0; k < 99; k++) {
            char *const value = x.dense + k * size;
            if (sparse_p_pads(&from) && !sparse_same_encoding(&from, &to) && sparse_p_is_zero(&from, value)) memset(value, 0, size);
            CHECK(memcmp(back + k * size, value, size) == 0);
        }
        sparse_free(&a);
        sparse_free(&b);
    }
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* The sum of repeated entries begins with the first one, not with the fill value: -0 alone stays -0. If the memory to mark
   stored elements cannot be allocated, the error is returned. */
static void test_sums_of_repeated(void)
{
    const size_t dim[2] = {2, 3}, at[] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 0, 1};
    const double values[] = {-0.0, 1, -0.0, 7, -1, -0.0}, nothing = 5;
    sparse_encoding e = encode("0cn 1sn", 32, 32, SPARSE_F64);
    for (size_t turn = 0; turn < 2; turn++, e.fill = &nothing) {
        const double rest = turn ? nothing : 0, wanted[] = {-0.0, 0, rest, rest, rest, 7};
        double back[6];
        sparse_tensor t = tensor_of(&e);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 6, at, values, SPARSE_DUPLICATES_KEEP), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&t, back), SPARSE_OK);
        CHECK(memcmp(back, wanted, sizeof back) == 0);
        books.calls = 0, books.fail_at = 1;
        CHECK_RESULT(sparse_unpack_dense_untyped(&t, back), SPARSE_E_MEMORY);
        books.fail_at = 0;
        sparse_free(&t);
    }
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Memory hooks that grant only small blocks, and record whether a large block was ever requested. */
typedef struct request {
    size_t bytes;
    bool made;
} request;

static void *resize_little(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    request *const r = (request *)context;
    (void)old_bytes;
    r->made |= new_bytes == r->bytes;
    if (new_bytes > 0) return new_bytes > 1 << 16 ? NULL : realloc(block, new_bytes);
    free(block);
    return NULL;
}

/* With more than 2^32 rows, conversion must not use 32-bit counters for rows: two rows would share a counter. */
static void test_many_rows(void)
{
    static const char *const sources[] = {"1cn 0s", "0cno 1sno", "1c 0c"};
    const uint64_t rows = UINT64_C(0x100000001);
    const size_t dim[2] = {(size_t)rows, 2}, at[] = {0, 1, (size_t)rows - 1, 0};
    const double values[] = {1, 2};
    for (size_t k = 0; k < sizeof sources / sizeof *sources && sizeof(size_t) > 4; k++) {
        const sparse_encoding from = encode(sources[k], 64, 64, SPARSE_F64), to = encode("0d 1c", 64, 64, SPARSE_F64);
        request counters = {dim[0] * sizeof(uint32_t), false};
        const sparse_hooks hooks = {resize_little, &counters};
        sparse_tensor a = tensor_of(&from), b = tensor_of(&to);
        b.hooks = &hooks;
        CHECK_RESULT(sparse_pack_untyped(&a, dim, 2, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_E_MEMORY);
        CHECK(!counters.made);
        sparse_free(&a);
        sparse_free(&b);
    }
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* ELL slices whose arrays come from other software: a row may begin in the second slice, or have two entries in the first;
   no entry is lost. */
static void test_dealt_elsewhere(void)
{
    static const uint32_t pos[][9] = {{0, 0, 1, 2, 3, 3, 3, 3, 3}, {0, 2, 3, 3, 3, 3, 3, 3, 3}, {0, 0, 0, 0, 0, 0, 1, 2, 3}};
    static const uint32_t columns[] = {0, 1, 2};
    static const double values[] = {1, 2, 3};
    static const double wanted[][8] = {{0, 2, 0, 0, 1, 0, 3, 0}, {1, 2, 0, 0, 0, 0, 3, 0}, {0, 2, 0, 0, 1, 0, 3, 0}};
    const size_t dim[2] = {2, 4};
    for (size_t k = 0; k < sizeof pos / sizeof *pos; k++) {
        const sparse_encoding to = encode("0d 1c", 32, 32, SPARSE_F64);
        sparse_arrays arrays;
        memset(&arrays, 0, sizeof arrays);
        arrays.pos[2] = (sparse_array)SPARSE_ARRAY(pos[k], 9);
        arrays.crd[2] = (sparse_array)SPARSE_ARRAY(columns, 3);
        arrays.val = (sparse_array)SPARSE_ARRAY(values, 3);
        sparse_tensor a = tensor_of(&dealt_encoding), b = tensor_of(&to);
        double dense[8];
        CHECK_RESULT(sparse_assemble(&a, dim, &arrays, SPARSE_BORROW, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
        CHECK(b.val.length == 3);
        CHECK_RESULT(sparse_unpack_dense_untyped(&b, dense), SPARSE_OK);
        CHECK(memcmp(dense, wanted[k], sizeof dense) == 0);
        sparse_free(&a);
        sparse_free(&b);
    }
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* CSR to DCSR: numbers of rows around the sizes of the groups of rows that the conversion handles together. Every row has an
   entry, or every row but row empty - 1. */
static void test_rows_together(void)
{
    for (size_t rows = 250; rows < 540; rows += rows == 270 ? 240 : 1)
        for (size_t empty = 0; empty <= rows; empty += rows / 2) {
            csr A = SPARSE_INIT(csr);
            dcsr B = SPARSE_INIT(dcsr);
            double *dense = (double *)calloc(2 * rows, sizeof *dense), *back = (double *)calloc(2 * rows, sizeof *back);
            CHECK(dense && back);
            if (dense && back) {
                for (size_t i = 0; i < rows; i++) dense[2 * i + i % 2] = i + 1 == empty ? 0 : 1 + (double)i;
                CHECK_RESULT(csr_pack_dense(&A, (const size_t[]){rows, 2}, dense), SPARSE_OK);
                CHECK_RESULT(sparse_convert(&B.t, &A.t), SPARSE_OK);
                CHECK_RESULT(sparse_validate(&B.t, NULL), SPARSE_OK);
                CHECK(B.t.crd[0].length == rows - (empty > 0));
                CHECK_RESULT(dcsr_unpack_dense(&B, back), SPARSE_OK);
                CHECK(memcmp(dense, back, 2 * rows * sizeof *dense) == 0);
            }
            free(dense), free(back);
            sparse_free(&A.t), sparse_free(&B.t);
        }
}

int main(void)
{
    test_matrices();
    test_trees();
    test_repeated();
    test_again();
    test_across();
    test_narrow_positions();
    test_outside();
    test_bits();
    test_sums_of_repeated();
    test_large();
    test_orders();
    test_differences();
    test_many_rows();
    test_rows_together();
    test_dealt_elsewhere();
    test_parts();
    test_full();
    return report("test_conversions");
}
