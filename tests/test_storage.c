/* test_storage.c: the storage functions of sparse_formats.h, compared with dense tensors. Encodings are made at run time,
   from texts that oracle.h describes.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "oracle.h"

#include <math.h>

/* >>rules */

/* The rules of SEMANTICS.md for identity maps, without structured levels. */
static bool should_be_valid(const sparse_encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const unsigned f = e->level[l].type, p = e->level[l].properties;
        const unsigned up = l > 0 ? e->level[l - 1].type : (unsigned)SPARSE_BATCH;
        const bool runs = l > 0 && up == SPARSE_SINGLETON;
        if (f == SPARSE_STRUCTURED) return false;
        if ((f == SPARSE_DENSE || f == SPARSE_BATCH) && p != 0) return false;
        if (f == SPARSE_BATCH && up != SPARSE_BATCH) return false;
        if ((f == SPARSE_COMPRESSED || f == SPARSE_LOOSE_COMPRESSED) && p > 3) return false;
        if (runs && f != SPARSE_SINGLETON) return false;
        if (runs && (p & SPARSE_SOA) != (e->level[l - 1].properties & SPARSE_SOA)) return false;
        if (f == SPARSE_SINGLETON && !runs && up != SPARSE_COMPRESSED && up != SPARSE_LOOSE_COMPRESSED)
            return false;
    }
    return true;
}

/* All level types with all properties, in up to three levels. */
static void test_every_encoding(void)
{
    for (unsigned rank = 1; rank <= 3; rank++) {
        size_t all = 1;
        sparse_encoding e = encode(rank == 1 ? "0d" : rank == 2 ? "0d 1d" : "0d 1d 2d", 32, 32, SPARSE_F64);
        for (unsigned l = 0; l < rank; l++) all *= 48;
        for (size_t code = 0; code < all; code++) {
            size_t rest = code;
            for (unsigned l = 0; l < rank; l++, rest /= 48) {
                e.level[l].type = (uint8_t)(rest % 48 / 8);
                e.level[l].properties = (uint8_t)(rest % 8);
            }
            const bool valid = sparse_encoding_check(&e) == SPARSE_OK;
            if (valid != should_be_valid(&e)) name_subject(&e);
            CHECK(valid == should_be_valid(&e));
        }
    }
}

/* Two encodings are the same if and only if they store tensors in the same way. */
static void test_sameness(void)
{
    static const char *const texts[] = {"0d 1c",           "1d 0c",           "0d 1l",        "0d 1cn",
                                        "0d 1co",          "0c 1c",           "0d 1/2c 1%2c", "0d 1/3c 1%3c",
                                        "0d 1/4d 1%4t2:4", "0d 1/4d 1%4t1:4", "0d",           "0d 1c 2d",
                                        "0d 1/4d 1%4k2:4",  "0d 1w",           "0d 1m"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    sparse_encoding e[TEXTS + 4];
    for (size_t k = 0; k < TEXTS; k++) e[k] = encode(texts[k], 32, 32, SPARSE_OPAQUE);
    e[TEXTS] = encode("0d 1c", 16, 32, SPARSE_OPAQUE);
    e[TEXTS + 1] = encode("0d 1c", 32, 16, SPARSE_OPAQUE);
    e[TEXTS + 2] = encode("0d 1c", 32, 32, SPARSE_C128);
    e[TEXTS + 3] = e[0];
    e[TEXTS + 3].value_size++;
    for (size_t k = 0; k < TEXTS + 4; k++)
        for (size_t j = 0; j < TEXTS + 4; j++) {
            sparse_encoding copy = e[j];
            name_subject(&e[j]);
            copy.name = "copy";
            if (copy.level[0].map == SPARSE_MAP_DIM) copy.level[0].c = 7;
            CHECK(sparse_same_encoding(&e[k], &copy) == (k == j));
        }
    CHECK(sparse_same_encoding(e, e) && !sparse_same_encoding(e, NULL) && !sparse_same_encoding(NULL, e));
}

static void test_reasons(void)
{
    static const struct {
        const char *text;
        sparse_result wanted;
    } cases[] = {
        {"0d 1c", SPARSE_OK},
        {"1d 0c", SPARSE_OK},
        {"0cn 1s", SPARSE_OK},
        {"0cn 1sa 2sa", SPARSE_OK},
        {"0/2d 1/3c 0%2d 1%3d", SPARSE_OK},
        {"0d 1/4d 1%4t2:4", SPARSE_OK},
        {"0d 1/4d 1%4t0:4", SPARSE_OK},
        {"0b 1d 2c", SPARSE_OK},
        {"0/2c 1/3c 1%3d 0%2d", SPARSE_OK},
        {"0/4c 0%4c", SPARSE_OK},
        {"", SPARSE_E_RANK},
        {"1d", SPARSE_E_RANK},
        {"0d 0c", SPARSE_E_MAP},
        {"0d 0/2d 0%2d", SPARSE_E_MAP},
        {"0%2d 0/2d", SPARSE_E_MAP},
        {"0/2d 0%3d", SPARSE_E_MAP},
        {"0/0d 0%0d", SPARSE_E_MAP},
        {"0/2d 1c", SPARSE_E_MAP},
        {"0d 2c", SPARSE_E_RANK},
        {"0/2d 0/2d", SPARSE_E_MAP},
        {"0/2d 0%2d 0%2d", SPARSE_E_MAP},
        {"0dn", SPARSE_E_PROPERTY},
        {"0do", SPARSE_E_PROPERTY},
        {"0ca", SPARSE_E_PROPERTY},
        {"0la", SPARSE_E_PROPERTY},
        {"0bn", SPARSE_E_PROPERTY},
        {"0d 1b", SPARSE_E_BATCH},
        {"0c 1b", SPARSE_E_BATCH},
        {"0s", SPARSE_E_SINGLETON},
        {"0d 1s", SPARSE_E_SINGLETON},
        {"0b 1s", SPARSE_E_SINGLETON},
        {"0c 1s 2c", SPARSE_E_SINGLETON},
        {"0c 1s 2d", SPARSE_E_SINGLETON},
        {"0c 1sa 2s", SPARSE_E_SINGLETON},
        {"0c 1s 2sa", SPARSE_E_SINGLETON},
        {"0/4d 1d 0%4t2:4", SPARSE_OK},
        {"0/4d 0%4t5:4", SPARSE_E_STRUCTURED},
        {"0/4d 0%4t4:4", SPARSE_OK},
        {"0/4d 0%4t2:8", SPARSE_E_STRUCTURED},
        {"0/4c 0%4t2:4", SPARSE_E_STRUCTURED},
        {"0t2:4", SPARSE_E_STRUCTURED},
        {"0/4d 0%4t2:4 1d", SPARSE_E_STRUCTURED},
        {"0/2d 1/4d 0%2d 1%4t2:4", SPARSE_E_STRUCTURED},
        {"0/4d 0%4t2:4n", SPARSE_E_PROPERTY},
        {"0/4d 0%4d 1t2:4", SPARSE_E_STRUCTURED},
        {"0d 1w", SPARSE_OK},
        {"0w 1w", SPARSE_OK},
        {"0/3w 0%3w", SPARSE_OK},
        {"0dn 1w", SPARSE_E_PROPERTY},
        {"0d 1wn", SPARSE_E_PROPERTY},
        {"0d 1wo", SPARSE_E_PROPERTY},
        {"0d 1wa", SPARSE_E_PROPERTY},
        {"0w 1s", SPARSE_E_SINGLETON},
        {"0w 1sa", SPARSE_E_SINGLETON},
        {"0cn 1s 2w", SPARSE_E_SINGLETON},
        {"0/4d 1d 0%4k2:4", SPARSE_OK},
        {"0/300d 0%300k2:300", SPARSE_OK},
        {"0/1d 0%1k1:1", SPARSE_E_PACKED},
        {"0/4d 0%4k0:0", SPARSE_E_PACKED},
        {"0/4d 0%4k5:4", SPARSE_E_STRUCTURED},
        {"0/4d 0%4k2:8", SPARSE_E_STRUCTURED},
        {"0/4c 0%4k2:4", SPARSE_E_STRUCTURED},
        {"0k2:4", SPARSE_E_STRUCTURED},
        {"0/4d 0%4k2:4 1d", SPARSE_E_STRUCTURED},
        {"0/4d 0%4k2:4n", SPARSE_E_PROPERTY},
        {"0#4d 0d 1c", SPARSE_OK},
        {"0#4d 1d 0c", SPARSE_OK},
        {"0#4d 0/2d 0%2c", SPARSE_E_MAP},
        {"1-d 0c", SPARSE_OK},
        {"0d 1-c", SPARSE_E_MAP},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sparse_encoding e = encode(cases[k].text, 32, 32, SPARSE_F64);
        name_subject(&e);
        CHECK_RESULT(sparse_encoding_check(&e), cases[k].wanted);
    }
    sparse_encoding e = encode("0d 1c", 32, 32, SPARSE_F64), f = e;
    CHECK_RESULT(sparse_encoding_check(NULL), SPARSE_E_NO_ENCODING);
    f.pos_bits = 4;
    CHECK_RESULT(sparse_encoding_check(&f), SPARSE_E_WIDTH);
    f = e;
    f.crd_bits = 24;
    CHECK_RESULT(sparse_encoding_check(&f), SPARSE_E_WIDTH);
    f = e;
    f.value_size = 4;
    CHECK_RESULT(sparse_encoding_check(&f), SPARSE_E_VALUE_TYPE);
    f = e;
    f.kind = SPARSE_OPAQUE;
    f.value_size = 0;
    CHECK_RESULT(sparse_encoding_check(&f), SPARSE_E_VALUE_TYPE);
    f = e;
    f.level[1].type = SPARSE_P_FORMATS;
    CHECK_RESULT(sparse_encoding_check(&f), SPARSE_E_ARGUMENT);
    f = e;
    f.rank = 9;
    CHECK_RESULT(sparse_encoding_check(&f), SPARSE_E_RANK);
    f = e;
    f.level[1].map = 3;
    CHECK_RESULT(sparse_encoding_check(&f), SPARSE_E_MAP);
    e = encode("0b 1c", 32, 32, SPARSE_F64);
    const size_t dim[2] = {2, 2};
    sparse_tensor t = tensor_of(&e);
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 0, NULL, NULL, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
    sparse_free(&t);
}

/* >>layouts: the arrays of small tensors, most of them from published documents. */

static size_t write_array(char *text, size_t at, size_t room, const char *name, unsigned l,
                          const sparse_buffer *b, unsigned bits)
{
    if (b->length > 0) at += (size_t)snprintf(text + at, room - at, l < 9 ? "%s%u:" : "%s:", name, l);
    for (size_t k = 0; k < b->length; k++)
        at += (size_t)snprintf(text + at, room - at, " %u", (unsigned)sparse_load(b->at, bits, k));
    if (b->length > 0) at += (size_t)snprintf(text + at, room - at, "; ");
    return at;
}

/* The arrays of t in one line of text. The values are 32-bit integers. */
static const char *layout(const sparse_tensor *t)
{
    static char text[1024];
    size_t at = 0;
    text[0] = 0;
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        at = write_array(text, at, sizeof text, "pos", l, &t->pos[l], t->encoding->pos_bits);
        at = write_array(text, at, sizeof text, "crd", l, &t->crd[l], t->encoding->crd_bits);
    }
    write_array(text, at, sizeof text, "val", 9, &t->val, 32);
    return text;
}

static void expect_layout(const char *encoding, const size_t *dim, const int32_t *dense, const char *wanted)
{
    const sparse_encoding e = encode(encoding, 32, 16, SPARSE_I32);
    sparse_tensor t = tensor_of(&e);
    name_subject(&e);
    CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, dense), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
    if (!CHECK(strcmp(layout(&t), wanted) == 0)) printf("is     %s\nwanted %s\n", layout(&t), wanted);
    sparse_free(&t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static void test_layouts(void)
{
    /* Bik et al. 2022, section 4.1 */
    const size_t n16[] = {16}, n3x4[] = {3, 4}, n3x3x4[] = {3, 3, 4}, n10x8[] = {10, 8}, n4x6[] = {4, 6};
    const int32_t x[16] = {0, 0, 0, 13, 0, 0, 16, 17, 0, 0, 20}, a[12] = {1, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0};
    int32_t s[36] = {0}, m[80] = {0};
    s[0] = 1, s[24] = 2, s[26] = 3, s[30] = 4, s[31] = 5;
    expect_layout("0c", n16, x, "pos0: 0 4; crd0: 3 6 7 10; val: 13 16 17 20; ");
    expect_layout("0d 1c", n3x4, a, "pos1: 0 2 2 3; crd1: 0 3 0; val: 1 2 3; ");
    expect_layout("0c 1d", n3x4, a, "pos0: 0 2; crd0: 0 2; val: 1 0 0 2 3 0 0 0; ");
    expect_layout("1c 0c", n3x4, a, "pos0: 0 2; crd0: 0 3; pos1: 0 2 3; crd1: 0 2 0; val: 1 3 2; ");
    expect_layout(
        "0c 1c 2c", n3x3x4, s,
        "pos0: 0 2; crd0: 0 2; pos1: 0 1 3; crd1: 0 0 1; pos2: 0 1 3 5; crd2: 0 0 2 2 3; val: 1 2 3 4 5; ");
    /* Bik et al. 2022, the sparse constant */
    m[0] = 1, m[7] = 2, m[10] = 3, m[34] = 4, m[43] = 5, m[52] = 6, m[54] = 7, m[79] = 8;
    expect_layout("0d 1c", n10x8, m,
                  "pos1: 0 2 3 3 3 4 5 7 7 7 8; crd1: 0 7 2 2 3 4 6 7; val: 1 2 3 4 5 6 7 8; ");
    /* MLIR's assemble */
    const int32_t coo[12] = {11, 0, 0, 0, 0, 0, 22, 33, 0, 0, 0, 0};
    expect_layout("0cn 1s", n3x4, coo, "pos0: 0 3; crd0: 0 0 1 2 1 3; val: 11 22 33; ");
    expect_layout("0cn 1sa", n3x4, coo, "pos0: 0 3; crd0: 0 1 1; crd1: 0 2 3; val: 11 22 33; ");
    expect_layout("0d 1d", n3x4, coo, "val: 11 0 0 0 0 0 22 33 0 0 0 0; ");
    expect_layout("1d 0d", n3x4, coo, "val: 11 0 0 0 0 0 0 22 0 0 33 0; ");
    expect_layout("0d 1l", n3x4, a, "pos1: 0 2 2 2 2 3; crd1: 0 3 0; val: 1 2 3; ");
    expect_layout("1ln 0s", n3x4, a, "pos0: 0 3; crd0: 0 0 0 2 3 0; val: 1 3 2; ");
    expect_layout("0d 1cn 2s", n3x3x4, s, "pos1: 0 1 1 5; crd1: 0 0 0 0 0 2 1 2 1 3; val: 1 2 3 4 5; ");
    /* 2x3 blocks of a 4x6 matrix, in both orders within the block */
    const int32_t b[24] = {1, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 5};
    expect_layout("0/2d 1/3c 0%2d 1%3d", n4x6, b, "pos1: 0 1 2; crd1: 0 1; val: 1 0 2 0 3 0 4 0 0 0 0 5; ");
    expect_layout("0/2d 1/3c 1%3d 0%2d", n4x6, b, "pos1: 0 1 2; crd1: 0 1; val: 1 0 0 3 2 0 4 0 0 0 0 5; ");
    expect_layout("1/3d 0/2c 0%2d 1%3d", n4x6, b, "pos1: 0 1 2; crd1: 0 1; val: 1 0 2 0 3 0 4 0 0 0 0 5; ");
    /* 2:4: blocks with fewer entries are padded from the left; the last block passes the last column */
    const size_t n2x5[] = {2, 5};
    const int32_t q[10] = {0, 1, 0, 2, 0, 0, 0, 0, 3, 4};
    expect_layout("0d 1/4d 1%4t2:4", n2x5, q, "crd2: 1 3 0 1 0 3 0 1; val: 1 2 0 0 0 3 4 0; ");
    /* no entries: positions are complete nevertheless */
    const int32_t zero[80] = {0};
    expect_layout("0c", n16, zero, "pos0: 0 0; ");
    expect_layout("0d 1c", n3x4, zero, "pos1: 0 0 0 0; ");
    expect_layout("0c 1c", n3x4, zero, "pos0: 0 0; pos1: 0; ");
    expect_layout("0l 1l", n3x4, zero, "pos0: 0 0; ");
    expect_layout("0cn 1s", n3x4, zero, "pos0: 0 0; ");
    expect_layout("0d 1/4d 1%4t0:4", n2x5, zero, "");
}

/* >>round trips */

/* lvl = map(dim), written independently. */
static void map_levels(const sparse_encoding *e, const size_t *dim, size_t *lvl)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        const size_t c = v->map == SPARSE_MAP_DIM ? 1 : v->c, block = dim[v->dim] / c * c;
        lvl[l] = v->map == SPARSE_MAP_MOD ? dim[v->dim] - block : block / c;
    }
}

/* Do lvl and other agree in the levels below `end`? */
static bool agree(const size_t *lvl, const size_t *other, unsigned end)
{
    return memcmp(lvl, other, end * sizeof *lvl) == 0;
}

/* Can the encoding hold the entries? Singletons and n:m levels limit how many there may be below one position. */
static bool is_storable(const sparse_encoding *e, const truth *x)
{
    const unsigned last = e->levels - 1u;
    unsigned limit = last; /* at most `room` entries may agree in the levels above `limit` */
    size_t room = 1;
    if (takes_n_of_m(&e->level[last]))
        room = e->level[last].n;
    else if (e->level[last].type != SPARSE_SINGLETON)
        return true;
    else {
        while (e->level[limit].type == SPARSE_SINGLETON) limit--;
        while (limit < last && e->level[limit].properties & SPARSE_NONUNIQUE) limit++;
        if (limit++ == last) return true;
    }
    for (size_t k = 0; k < x->count; k++) {
        size_t lvl[SPARSE_MAX_LEVELS], other[SPARSE_MAX_LEVELS], same = 0;
        map_levels(e, x->coordinates + k * x->rank, lvl);
        for (size_t j = 0; j < x->count; j++) {
            map_levels(e, x->coordinates + j * x->rank, other);
            same += agree(lvl, other, limit);
        }
        if (same > room) return false;
    }
    return true;
}

/* Checks that unpacking t yields the entries of x, each once, in the order of the levels. */
static void check_entries(const sparse_tensor *t, const truth *x)
{
    const sparse_encoding *e = t->encoding;
    const size_t size = e->value_size;
    static size_t coordinates[8 * MOST * 4];
    static char values[8 * MOST * WIDEST], zero[WIDEST];
    size_t count = 0, nonzeros = 0, before[SPARSE_MAX_LEVELS], lvl[SPARSE_MAX_LEVELS];
    bool ordered = true, right = true;
    if (!CHECK(sparse_entries(t) <= 8 * MOST)) return;
    CHECK_RESULT(sparse_unpack_untyped(t, coordinates, values, &count), SPARSE_OK);
    for (size_t k = 0; k < count; k++) {
        const size_t *i = coordinates + k * x->rank;
        map_levels(e, i, lvl);
        unsigned l = 0;
        while (k > 0 && l < e->levels && lvl[l] == before[l]) l++;
        ordered = ordered && (k == 0 || (l < e->levels && lvl[l] > before[l]));
        memcpy(before, lvl, sizeof lvl);
        for (size_t d = 0; d < x->rank; d++) right = right && i[d] < x->dim[d];
        if (!right) break;
        right = right && memcmp(values + k * size, x->dense + truth_at(x, i) * size, size) == 0;
        nonzeros += memcmp(values + k * size, zero, size) != 0;
    }
    CHECK(ordered);
    CHECK(right);
    CHECK(nonzeros == x->count);
}

/* Packing stores no element twice: the tensor is valid even without the properties `nonunique` and `nonordered`, except
   those that COO needs. */
static void check_compact(const sparse_tensor *t)
{
    sparse_encoding strict = *t->encoding;
    const unsigned last = strict.levels - 1u;
    for (unsigned l = 0; l < strict.levels && l < SPARSE_MAX_LEVELS; l++) {
        const bool leads = l < last && strict.level[l + 1].type == SPARSE_SINGLETON;
        strict.level[l].properties &= (uint8_t)(leads ? ~SPARSE_NONORDERED : SPARSE_SOA);
    }
    sparse_tensor view = *t;
    view.encoding = &strict;
    CHECK_RESULT(sparse_validate(&view, NULL), SPARSE_OK);
}

static bool same_buffer(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

/* Do two tensors of one encoding have the same arrays? */
static bool same_arrays(const sparse_tensor *a, const sparse_tensor *b)
{
    bool same = same_buffer(&a->val, &b->val, a->encoding->value_size);
    for (unsigned l = 0; l < a->encoding->levels; l++) {
        same = same && same_buffer(&a->pos[l], &b->pos[l], a->encoding->pos_bits / 8u);
        same = same && same_buffer(&a->crd[l], &b->crd[l], a->encoding->crd_bits / 8u);
        same = same && a->lvl[l] == b->lvl[l];
    }
    return same;
}

static void check_dense(const sparse_tensor *t, const truth *x)
{
    static char dense[MOST * WIDEST];
    CHECK_RESULT(sparse_unpack_dense_untyped(t, dense), SPARSE_OK);
    CHECK(memcmp(dense, x->dense, x->volume * t->encoding->value_size) == 0);
}

/* Takes t apart and assembles it again, from borrowed and from copied arrays. */
static void check_assembly(const sparse_tensor *t)
{
    sparse_tensor u = tensor_of(t->encoding);
    const sparse_arrays arrays = sparse_arrays_of(t);
    const size_t live = books.live;
    CHECK_RESULT(sparse_assemble(&u, t->dim, &arrays, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK(same_arrays(t, &u) && books.live == live);
    CHECK_RESULT(sparse_assemble(&u, t->dim, &arrays, SPARSE_COPY, NULL), SPARSE_OK);
    CHECK(same_arrays(t, &u) && sparse_bytes(t) == sparse_bytes(&u));
    sparse_free(&u);
    CHECK(books.live == live);
}

/* Does an encoding store all coordinates? */
static bool stores_all(const sparse_encoding *e)
{
    unsigned l = 0;
    while (l < e->levels && e->level[l].type == SPARSE_DENSE && e->level[l].map <= SPARSE_MAP_MOD) l++;
    return l == e->levels;
}

/* Converts t to another encoding and back. Zeros stored by dense levels become entries, too; a singleton below a unique
   level may have no room for them (E_FULL). */
static void check_conversion(const sparse_tensor *t, const sparse_encoding *other)
{
    sparse_tensor u = tensor_of(other), back = tensor_of(t->encoding);
    bool equal = false;
    CHECK_RESULT(sparse_convert(&u, t), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&u, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_equal(t, &u, 0, &equal), SPARSE_OK);
    CHECK(equal);
    const sparse_result result = sparse_convert(&back, &u);
    if (result == SPARSE_E_FULL)
        CHECK(sparse_entries(&u) > sparse_entries(t) || stores_all(other));
    else if (CHECK(result == SPARSE_OK)) {
        CHECK_RESULT(sparse_validate(&back, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_equal(t, &back, 0, &equal), SPARSE_OK);
        CHECK(equal);
    }
    sparse_free(&u);
    sparse_free(&back);
}

static void check_tensor(const sparse_encoding *e, const truth *x, const char *other)
{
    sparse_tensor t = tensor_of(e), u = tensor_of(e);
    name_subject(e);
    const sparse_result result =
        sparse_pack_untyped(&t, x->dim, x->count, x->coordinates, x->values, SPARSE_DUPLICATES_ERROR);
    if (!is_storable(e, x)) {
        CHECK(result == SPARSE_E_FULL);
        CHECK(t.val.length == 0 && t.encoding == e);
    } else if (CHECK_RESULT(result, SPARSE_OK)) {
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        check_dense(&t, x);
        check_entries(&t, x);
        check_compact(&t);
        CHECK_RESULT(sparse_pack_dense_untyped(&u, x->dim, x->dense), SPARSE_OK);
        CHECK(same_arrays(&t, &u));
        CHECK_RESULT(sparse_copy(&u, &t), SPARSE_OK);
        CHECK(same_arrays(&t, &u));
        check_assembly(&t);
        const sparse_encoding o = encode(other, 32, 64, e->kind);
        check_conversion(&t, &o);
    }
    sparse_free(&t);
    sparse_free(&t);
    sparse_free(&u);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static const unsigned widths[] = {8, 16, 32, 64};
static const char *const level_types[] = {"d", "c",  "cn", "co",  "cno", "l",   "ln",  "lo",  "lno",
                                          "s", "sn", "so", "sno", "sa",  "sna", "soa", "snoa"};
enum { LEVEL_TYPES = sizeof level_types / sizeof *level_types };
static const char *const others[5][4] = {{"", "", "", ""},
                                         {"0c", "0d", "0l", "0/3c 0%3d"},
                                         {"0cn 1s", "1d 0c", "0d 1d", "0/2d 1/3c 0%2d 1%3d"},
                                         {"2c 1c 0c", "0cn 1sna 2sa", "1d 0d 2l", "0c 2/2c 1d 2%2d"},
                                         {"3c 2c 1c 0c", "0cn 1sn 2sn 3s", "0d 1c 2cn 3s", "0d 1d 2d 3d"}};

/* An encoding of the given level types and dimension order, with random widths and kind. */
static sparse_encoding encode_levels(const size_t *type, const size_t *order, size_t rank)
{
    char text[64];
    size_t at = 0;
    for (size_t l = 0; l < rank; l++)
        at +=
            (size_t)snprintf(text + at, sizeof text - at, "%u%s ", (unsigned)order[l], level_types[type[l]]);
    return encode(text, widths[random_below(4)], widths[random_below(4)],
                  (sparse_kind)random_below(SPARSE_OPAQUE + 1));
}

/* The next permutation of order[0..n), false after the last. */
static bool permute(size_t *order, size_t n)
{
    size_t i = n - 1, j = n - 1;
    while (i > 0 && order[i - 1] >= order[i]) i--;
    if (i == 0) return false;
    while (order[j] <= order[i - 1]) j--;
    size_t swap = order[i - 1];
    for (order[i - 1] = order[j], order[j] = swap, j = n - 1; i < j; i++, j--)
        swap = order[i], order[i] = order[j], order[j] = swap;
    return true;
}

static void try_levels(const size_t *type, const size_t *order, size_t rank)
{
    static truth x;
    const sparse_encoding e = encode_levels(type, order, rank);
    size_t dim[4];
    if (!should_be_valid(&e)) return;
    for (size_t d = 0; d < rank; d++) dim[d] = random_below(rank < 3 ? 9 : rank == 3 ? 5 : 4);
    truth_random(&x, &e, dim, 1 + random_below(rank == 1 ? 3 : 12));
    check_tensor(&e, &x, others[rank][random_below(4)]);
}

/* Every valid sequence of level types, in every order of the dimensions up to rank 3. */
static void test_round_trips(void)
{
    for (size_t rank = 1; rank <= 3; rank++) {
        size_t order[3] = {0, 1, 2}, type[3], all = 1;
        for (size_t l = 0; l < rank; l++) all *= LEVEL_TYPES;
        do {
            for (size_t code = 0; code < all; code++) {
                size_t rest = code;
                for (size_t l = 0; l < rank; l++, rest /= LEVEL_TYPES) type[l] = rest % LEVEL_TYPES;
                for (size_t turn = 0; turn < (rank == 3 ? 1 : 4); turn++) try_levels(type, order, rank);
            }
        } while (permute(order, rank));
    }
    const size_t all = (size_t)LEVEL_TYPES * LEVEL_TYPES * LEVEL_TYPES * LEVEL_TYPES;
    size_t order[4] = {0, 1, 2, 3}, type[4]; /* rank 4: every sequence, in three orders */
    for (size_t code = 0; code < 3 * all; code++) {
        size_t rest = code;
        for (size_t l = 0; l < 4; l++, rest /= LEVEL_TYPES) type[l] = rest % LEVEL_TYPES;
        if (!permute(order, 4))
            for (size_t l = 0; l < 4; l++) order[l] = l;
        try_levels(type, order, 4);
    }
}

/* A random encoding with blocks: each dimension is plain or in blocks, the levels are in any valid order. */
static sparse_encoding encode_blocks(size_t rank)
{
    static const sparse_level_type formats[] = {SPARSE_DENSE, SPARSE_COMPRESSED, SPARSE_LOOSE_COMPRESSED,
                                            SPARSE_DENSE};
    sparse_encoding e = encode("0d", widths[1 + random_below(3)], widths[random_below(4)],
                               (sparse_kind)random_below(SPARSE_OPAQUE + 1));
    e.rank = (uint8_t)rank;
    e.levels = 0;
    for (size_t d = 0; d < rank; d++) {
        sparse_level v = e.level[0];
        const bool blocked = random_below(3) > 0;
        v.dim = (uint8_t)d;
        v.c = (uint32_t)(1 + random_below(5));
        v.map = blocked ? SPARSE_MAP_FLOORDIV : SPARSE_MAP_DIM;
        e.level[e.levels++] = v;
        v.map = SPARSE_MAP_MOD;
        if (blocked) e.level[e.levels++] = v;
    }
    for (size_t turn = 1; turn < e.levels; turn++) { /* swapping neighbours keeps floordiv before mod */
        sparse_level *v = &e.level[random_below(e.levels - 1u)], swap = v[0];
        if (v[0].dim == v[1].dim) continue;
        v[0] = v[1];
        v[1] = swap;
    }
    for (size_t l = 0; l < e.levels; l++) e.level[l].type = (uint8_t)formats[random_below(4)];
    return e;
}

static void test_blocks(void)
{
    static truth x;
    for (size_t turn = 0; turn < 3000; turn++) {
        const size_t rank = 1 + random_below(3);
        const sparse_encoding e = encode_blocks(rank);
        size_t dim[3];
        for (size_t d = 0; d < rank; d++) dim[d] = random_below(8);
        truth_random(&x, &e, dim, 2 + random_below(9));
        check_tensor(&e, &x, others[rank][random_below(4)]);
    }
    static const char *const structured[] = {"0d 1/4d 1%4t2:4",        "1d 0/4d 0%4t2:4", "0/3d 1d 0%3t1:3",
                                             "0/2d 1/2d 0%2d 1%2t2:2", "1/5d 0d 1%5t0:5", "0d 1/1d 1%1t1:1",
                                             "0d 1/4d 1%4k2:4",        "1d 0/5d 0%5k3:5", "0/2d 1d 0%2k1:2",
                                             "0/2d 1/2d 0%2d 1%2k2:2", "1/5d 0d 1%5k0:5", "0d 1/9d 1%9k4:9"};
    for (size_t turn = 0; turn < 1200; turn++) {
        const sparse_encoding e = encode(structured[turn % 12], 8, widths[turn / 12 % 4], SPARSE_F32);
        const size_t dim[2] = {random_below(8), random_below(14)};
        truth_random(&x, &e, dim, 2 + random_below(20));
        check_tensor(&e, &x, others[2][random_below(4)]);
    }
}

/* >>edges */

/* Packs one entry of value 1 at the coordinates, and checks that walking the tensor finds it. */
static void expect_one(const char *encoding, unsigned pos_bits, unsigned crd_bits, const size_t *dim,
                       const size_t *at, sparse_result wanted)
{
    const sparse_encoding e = encode(encoding, pos_bits, crd_bits, SPARSE_F64);
    const double one = 1;
    sparse_tensor t = tensor_of(&e);
    name_subject(&e);
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 1, at, &one, SPARSE_DUPLICATES_SUM), wanted);
    if (wanted == SPARSE_OK) {
        size_t count = 0;
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        SPARSE_FOREACH(c, &t)
        if (SPARSE_VALUE(c, double) > 0) count += memcmp(c.dim, at, e.rank * sizeof *at) == 0;
        CHECK(count == 1);
    } else
        CHECK(t.encoding == &e && t.dim[0] == 0 && sparse_entries(&t) == 0);
    sparse_free(&t);
    CHECK(books.live == 0);
}

static void test_coordinate_widths(void)
{
    const size_t most = SIZE_MAX;
    const size_t n256[] = {3, 256}, at255[] = {2, 255}, n257[] = {3, 257}, at256[] = {2, 256};
    const size_t n65536[] = {3, 65536}, at65535[] = {2, 65535}, n65537[] = {3, 65537};
    expect_one("0d 1c", 8, 8, n256, at255, SPARSE_OK);
    expect_one("0d 1c", 8, 8, n257, at255, SPARSE_E_COORDINATE_WIDTH);
    expect_one("0d 1d", 8, 8, n257, at256, SPARSE_OK); /* dense levels store no coordinates */
    expect_one("1cn 0s", 8, 8, n256, at255, SPARSE_OK);
    expect_one("1cn 0s", 8, 8, n257, at255, SPARSE_E_COORDINATE_WIDTH);
    expect_one("0d 1/2c 1%2d", 8, 8, n257, at256, SPARSE_OK);
    expect_one("0d 1l", 16, 16, n65536, at65535, SPARSE_OK);
    expect_one("0d 1l", 16, 16, n65537, at65535, SPARSE_E_COORDINATE_WIDTH);
    expect_one("0d 1/256d 1%256t1:256", 8, 8, n65537, at65535, SPARSE_OK);
    expect_one("0d 1/257d 1%257t1:257", 8, 8, n65537, at65535, SPARSE_E_COORDINATE_WIDTH);
    expect_one("0d 1c", 8, 16, n256, at256, SPARSE_E_COORDINATE);
    const size_t huge[] = {most, most}, corner[] = {most - 1, most - 1}, flat[] = {most, 0, most},
                 origin[] = {0, 0, 0};
    const size_t large[] = {2, most / 9};
    expect_one("0c 1c", 8, 64, huge, corner, SPARSE_OK);
    expect_one("1cn 0s", 8, 64, huge, corner, SPARSE_OK);
    expect_one("0c 1/3c 0l 1%3d", 8, 64, huge, corner, SPARSE_E_MAP);
    expect_one("0c 1/3c 1%3d", 8, 64, huge, corner, SPARSE_OK);
    expect_one("0d 1d", 8, 64, huge, corner, SPARSE_E_OVERFLOW);
    expect_one("0d 1c", 8, 64, huge, corner, SPARSE_E_OVERFLOW);
    expect_one("0d 1l", 8, 64, huge, corner, SPARSE_E_OVERFLOW);
    expect_one("0d 1/2d 1%2t1:2", 8, 64, huge, corner, SPARSE_E_OVERFLOW);
    expect_one("0c 1d", 8, 64, huge, corner, SPARSE_E_OVERFLOW);
    expect_one("0c 1d", 8, 64, large, origin, SPARSE_E_MEMORY);
    expect_one("0c 1c 2c", 8, 64, flat, origin, SPARSE_E_COORDINATE);
}

static void test_position_width(void)
{
    static size_t places[256], dim[1] = {1000};
    static double values[256];
    for (size_t k = 0; k < 256; k++) places[k] = 3 * k;
    for (size_t count = 255; count <= 256; count++) {
        const sparse_encoding e = encode("0c", 8, 16, SPARSE_F64);
        sparse_tensor t = tensor_of(&e);
        const sparse_result wanted = count == 255 ? SPARSE_OK : SPARSE_E_POSITION_WIDTH;
        CHECK_RESULT(sparse_pack_untyped(&t, dim, count, places, values, SPARSE_DUPLICATES_SUM), wanted);
        CHECK_RESULT(sparse_validate(&t, NULL), count == 255 ? SPARSE_OK : SPARSE_E_EMPTY);
        sparse_free(&t);
    }
}

/* 0 x n, n x 0, one row, one column, full and empty matrices, in encodings of all kinds. */
static void test_shapes(void)
{
    static const char *const encodings[] = {
        "0d 1c",           "1d 0c",   "0c 1c",       "0cn 1s",
        "0l 1d",           "0d 1d",   "0d 1l",       "0/2d 1/3c 0%2d 1%3d",
        "0d 1/4d 1%4t4:4", "1cn 0sa", "0/2c 1l 0%2c"};
    static const size_t shapes[][2] = {{0, 0}, {0, 5}, {5, 0}, {1, 7}, {7, 1}, {1, 1}, {6, 6}};
    static truth x;
    for (size_t k = 0; k < sizeof encodings / sizeof *encodings; k++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (size_t one_in = 1; one_in <= 50; one_in += 49) {
                const sparse_encoding e = encode(encodings[k], 16, 8, SPARSE_I64);
                truth_random(&x, &e, shapes[s], one_in);
                check_tensor(&e, &x, others[2][k % 4]);
            }
}

/* Packing sorts coordinates that need more bits than a word has, and more entries than one digit of the radix sort
   counts. */
static void test_sorting(void)
{
    static const char *const encodings[] = {"0cn 1sn 2s", "2c 1c 0c", "1c 0d 2c"};
    enum { COUNT = 3000 };
    static size_t coordinates[COUNT * 3], sorted[COUNT * 3];
    static uint32_t values[COUNT], back[COUNT];
    for (size_t turn = 0; turn < 6; turn++) {
        const sparse_encoding e = encode(encodings[turn % 3], 32, 64, SPARSE_U32);
        const size_t wide = turn < 3 ? SIZE_MAX : 70000, dim[3] = {turn % 3 == 2 ? 4 : wide, wide, wide};
        sparse_tensor t = tensor_of(&e);
        size_t count = 0, before[3] = {0, 0, 0}, lvl[SPARSE_MAX_LEVELS], sum = 0, wanted = 0;
        bool ordered = true;
        name_subject(&e);
        for (size_t k = 0; k < COUNT; k++) {
            for (size_t d = 0; d < 3; d++)
                coordinates[3 * k + d] =
                    (random_below(SIZE_MAX) >> random_below(sizeof(size_t) * 8)) % dim[d];
            wanted += values[k] = (uint32_t)(1 + random_below(1000));
        }
        CHECK_RESULT(sparse_pack_untyped(&t, dim, COUNT, coordinates, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        if (CHECK(sparse_entries(&t) <= COUNT))
            CHECK_RESULT(sparse_unpack_untyped(&t, sorted, back, &count), SPARSE_OK);
        for (size_t k = 0; k < count; k++) {
            unsigned l = 0;
            map_levels(&e, sorted + 3 * k, lvl);
            while (l < 3 && lvl[l] == before[l]) l++;
            ordered = ordered && (k == 0 || (l < 3 && lvl[l] > before[l]));
            memcpy(before, lvl, sizeof before);
            sum += back[k];
        }
        CHECK(ordered && sum == wanted);
        sparse_free(&t);
    }
}

/* Enough entries for every digit size of the radix sort: shuffled, sorted by columns, and sorted. */
static void test_many(void)
{
    enum { ROWS = 5000, COLUMNS = 700, COUNT = 150000 };
    static size_t coordinates[COUNT * 2];
    static uint32_t values[COUNT];
    static uint64_t sums[ROWS];
    const sparse_encoding coo = encode("0cn 1sn", 32, 16, SPARSE_U32),
                          csr = encode("0d 1c", 32, 32, SPARSE_U32);
    const sparse_encoding csc = encode("1d 0c", 64, 16, SPARSE_U32);
    const size_t dim[2] = {ROWS, COLUMNS};
    sparse_tensor a = tensor_of(&coo), b = tensor_of(&csc), c = tensor_of(&csr), d = tensor_of(&csr);
    subject[0] = 0;
    for (size_t k = 0; k < COUNT; k++) {
        coordinates[2 * k] = random_below(ROWS);
        coordinates[2 * k + 1] = random_below(COLUMNS);
        sums[coordinates[2 * k]] += values[k] = (uint32_t)random_below(1000);
    }
    CHECK_RESULT(sparse_pack_untyped(&a, dim, COUNT, coordinates, values, SPARSE_DUPLICATES_KEEP), SPARSE_OK);
    CHECK(sparse_entries(&a) == COUNT);
    CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&c, &b), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&d, &a), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&a, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&b, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&c, NULL), SPARSE_OK);
    CHECK(same_arrays(&c, &d));
    SPARSE_FOREACH(i, &b) sums[i.dim[0]] -= SPARSE_VALUE(i, uint32_t);
    size_t wrong = 0;
    for (size_t i = 0; i < ROWS; i++) wrong += sums[i] != 0;
    CHECK(wrong == 0);
    sparse_free(&a);
    sparse_free(&b);
    sparse_free(&c);
    sparse_free(&d);
    CHECK(books.live == 0);
}

static void test_misuse(void)
{
    const sparse_encoding e = encode("0d 1c", 32, 32, SPARSE_F64), f = encode("0d 1c", 32, 32, SPARSE_F32);
    const sparse_encoding g = encode("0c 1d", 32, 32, SPARSE_I64);
    const sparse_encoding v = encode("0c", 32, 32, SPARSE_F64), dense = encode("1d 0d", 32, 32, SPARSE_F64);
    const size_t dim[2] = {2, 2}, at[2] = {1, 1};
    const double one = 1;
    const sparse_encoding across = encode("1d 0c", 32, 32, SPARSE_F64);
    double out[4];
    bool equal = true;
    size_t count, size[2];
    sparse_tensor a = tensor_of(&e), b = tensor_of(&f), c = tensor_of(&v), d = tensor_of(&dense), none;
    memset(&none, 0, sizeof none);
    subject[0] = 0;
    sparse_free(NULL);
    sparse_zero(NULL);
    CHECK(sparse_entries(NULL) == 0 && sparse_bytes(NULL) == 0 && sparse_lvl(NULL, 0) == 0 && sparse_dim(NULL, 0) == 0);
    CHECK(!sparse_positions(NULL, 0).at && !sparse_coordinates(NULL, 0).at && !sparse_values(NULL).at);
    CHECK(!sparse_coordinates_buffer(NULL).at && sparse_coordinates_buffer(NULL).length == 0);
    CHECK(!sparse_arrays_of(NULL).val.at && !sparse_begin(NULL).valid && !sparse_begin_slice(NULL, NULL).valid);
    for (int what = SPARSE_LVL_SZ; what <= SPARSE_VAL_MEM_SZ; what++)
        CHECK(sparse_storage_specifier(NULL, (sparse_specifier)what, 0) == 0);
    sparse_free(&none);
    sparse_free(&a);
    CHECK_RESULT(sparse_pack_untyped(NULL, dim, 1, at, &one, SPARSE_DUPLICATES_SUM), SPARSE_E_NULL);
    CHECK_RESULT(sparse_pack_untyped(&none, dim, 1, at, &one, SPARSE_DUPLICATES_SUM), SPARSE_E_NO_ENCODING);
    CHECK_RESULT(sparse_pack_untyped(&a, NULL, 1, at, &one, SPARSE_DUPLICATES_SUM), SPARSE_E_NULL);
    CHECK_RESULT(sparse_pack_untyped(&a, dim, 1, NULL, &one, SPARSE_DUPLICATES_SUM), SPARSE_E_NULL);
    CHECK_RESULT(sparse_pack_untyped(&a, dim, 1, at, NULL, SPARSE_DUPLICATES_SUM), SPARSE_E_NULL);
    CHECK_RESULT(sparse_pack_with_untyped(&a, dim, 1, at, &one, NULL, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_pack_dense_untyped(&a, dim, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_pack_dense_untyped(&a, NULL, out), SPARSE_E_NULL);
    CHECK_RESULT(sparse_pack_dense_untyped(NULL, dim, out), SPARSE_E_NULL);
    CHECK_RESULT(sparse_validate(NULL, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_validate(&none, NULL), SPARSE_E_NO_ENCODING);
    CHECK_RESULT(sparse_validate(&a, NULL), SPARSE_E_EMPTY);
    CHECK_RESULT(sparse_unpack_dense_untyped(&a, out), SPARSE_E_EMPTY);
    CHECK_RESULT(sparse_unpack_untyped(&a, NULL, NULL, &count), SPARSE_E_EMPTY);
    CHECK_RESULT(sparse_unpack_untyped(&a, NULL, NULL, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_convert(&b, &a), SPARSE_E_EMPTY);
    CHECK_RESULT(sparse_convert(&none, &a), SPARSE_E_NO_ENCODING);
    CHECK_RESULT(sparse_convert(&a, &none), SPARSE_E_NO_ENCODING);
    CHECK_RESULT(sparse_convert(&a, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_disassemble(&a, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_assemble(&a, dim, NULL, SPARSE_COPY, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_allocate_dense(&a, dim), SPARSE_E_ENCODING);
    CHECK_RESULT(sparse_equal(&a, &a, 0, &equal), SPARSE_E_EMPTY);
    CHECK(!sparse_begin(&a).valid && !sparse_begin(&none).valid && sparse_bytes(&none) == 0);
    CHECK_RESULT(sparse_pack_untyped(&a, dim, 1, at, &one, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&a, &a), SPARSE_E_ALIAS);
    CHECK_RESULT(sparse_copy(&a, &a), SPARSE_E_ALIAS);
    /* a tensor filled in by hand, without the size of a level: it is refused, not read as empty */
    sparse_tensor forgotten = a;
    for (unsigned l = 0; l < e.levels; l++) {
        forgotten.lvl[l] = 0;
        CHECK_RESULT(sparse_validate(&forgotten, NULL), SPARSE_E_SHAPE);
        CHECK_RESULT(sparse_unpack_dense_untyped(&forgotten, out), SPARSE_E_SHAPE);
        CHECK_RESULT(sparse_unpack_untyped(&forgotten, NULL, NULL, &count), SPARSE_E_SHAPE);
        CHECK_RESULT(sparse_convert(&b, &forgotten), SPARSE_E_SHAPE);
        CHECK_RESULT(sparse_equal(&a, &forgotten, 0, &equal), SPARSE_E_SHAPE);
        forgotten.lvl[l] = a.lvl[l];
    }
    /* an output must not be rebuilt from its own arrays: another tensor that borrows them is refused as its input */
    sparse_tensor lent = tensor_of(&e), turned = tensor_of(&across);
    sparse_arrays own = sparse_arrays_of(&a);
    CHECK_RESULT(sparse_pack_untyped(&a, dim, 1, at, a.val.at, SPARSE_DUPLICATES_SUM), SPARSE_E_ALIAS);
    CHECK_RESULT(sparse_pack_dense_untyped(&a, dim, a.val.at), SPARSE_E_ALIAS);
    CHECK_RESULT(sparse_assemble(&a, dim, &own, SPARSE_COPY, NULL), SPARSE_E_ALIAS);
    const int outside = 2 + (int)count; /* C++ refuses a constant here */
    CHECK_RESULT(sparse_assemble(&lent, dim, &own, (sparse_ownership)outside, NULL), SPARSE_E_ARGUMENT);
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) { /* each of its arrays */
        sparse_arrays pos, crd;
        memset(&pos, 0, sizeof pos), memset(&crd, 0, sizeof crd);
        pos.pos[l].at = a.pos[1].at, crd.crd[l].at = a.crd[1].at;
        CHECK_RESULT(sparse_assemble(&a, dim, &pos, SPARSE_COPY, NULL), SPARSE_E_ALIAS);
        CHECK_RESULT(sparse_assemble(&a, dim, &crd, SPARSE_COPY, NULL), SPARSE_E_ALIAS);
    }
    CHECK_RESULT(sparse_reinterpret_map(&turned, &a), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&a, &turned), SPARSE_E_ALIAS);
    CHECK_RESULT(sparse_reinterpret_map(&a, &turned), SPARSE_E_ALIAS);
    CHECK_RESULT(sparse_reshape(&a, dim, &turned), SPARSE_E_ALIAS);
    own.val.at = &one;
    CHECK_RESULT(sparse_assemble(&lent, dim, &own, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_copy(&a, &lent), SPARSE_E_ALIAS);
    CHECK_RESULT(sparse_convert(&a, &lent), SPARSE_E_ALIAS);
    CHECK_RESULT(sparse_validate(&a, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_copy(&lent, &a), SPARSE_OK);
    sparse_free(&lent), sparse_free(&turned);
    CHECK_RESULT(sparse_copy(NULL, &a), SPARSE_E_NULL);
    CHECK_RESULT(sparse_level_sizes(NULL, dim, size), SPARSE_E_NULL);
    CHECK_RESULT(sparse_level_sizes(&e, NULL, size), SPARSE_E_NULL);
    CHECK_RESULT(sparse_level_sizes(&e, dim, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_copy(&b, &a), SPARSE_E_ENCODING);
    sparse_encoding many = e; /* too many levels */
    many.levels = UINT8_MAX;
    sparse_tensor bad = tensor_of(&many);
    CHECK_RESULT(sparse_copy(&bad, &a), SPARSE_E_ENCODING);
    CHECK_RESULT(sparse_convert(&b, &a), SPARSE_E_VALUE_TYPE);
    sparse_tensor whole = tensor_of(&g); /* another value type of equal size */
    CHECK_RESULT(sparse_convert(&whole, &a), SPARSE_E_VALUE_TYPE);
    CHECK_RESULT(sparse_convert(&c, &a), SPARSE_E_DIMENSIONS);
    CHECK_RESULT(sparse_equal(&a, &a, 0, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_unpack_dense_untyped(&a, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_copy(&none, &a), SPARSE_OK);
    CHECK(none.encoding == &e && same_arrays(&none, &a));
    CHECK(sparse_bytes(&a) == 3 * 4 + 4 + 8 && sparse_entries(&a) == 1);
    const size_t wider[2] = {2, 3};
    CHECK_RESULT(sparse_allocate_dense(&d, wider), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&d, &a, 100, &equal), SPARSE_OK);
    CHECK(!equal);
    CHECK_RESULT(sparse_pack_untyped(&a, a.dim, 0, NULL, NULL, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK(a.dim[0] == 2 && a.dim[1] == 2 && sparse_entries(&a) == 0);
    CHECK_RESULT(sparse_allocate_dense(&d, dim), SPARSE_OK);
    CHECK(sparse_entries(&d) == 4);
    SPARSE_FOREACH(i, &d) SPARSE_VALUE(i, double) = (double)(10 * i.dim[0] + i.dim[1]);
    CHECK_RESULT(sparse_unpack_dense_untyped(&d, out), SPARSE_OK);
    CHECK(out[0] <= 0 && out[1] > 0 && out[1] < 2 && out[2] > 9 && out[2] < 11 && out[3] > 10);
    sparse_zero(&d);
    CHECK_RESULT(sparse_equal(&d, &a, 0, &equal), SPARSE_OK);
    CHECK(equal);
    sparse_free(&none);
    sparse_free(&a);
    sparse_free(&d);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* >>duplicates and values */

static void remember_all(void *acc, const void *v, void *context)
{
    int32_t x, y;
    memcpy(&x, acc, sizeof x);
    memcpy(&y, v, sizeof y);
    x = 10 * x + y;
    memcpy(acc, &x, sizeof x);
    ++*(int *)context;
}

static void expect_duplicates(const char *encoding, sparse_duplicates how, sparse_result wanted,
                              const char *is)
{
    const size_t dim[2] = {3, 3}, at[] = {2, 1, 0, 0, 2, 1, 2, 0, 0, 0, 2, 1};
    const int32_t values[] = {1, 2, 3, 0, 4, 5};
    const sparse_encoding e = encode(encoding, 8, 8, SPARSE_I32);
    sparse_tensor t = tensor_of(&e);
    name_subject(&e);
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 6, at, values, how), wanted);
    if (wanted == SPARSE_OK) {
        if (!CHECK(strcmp(layout(&t), is) == 0)) printf("is     %s\nwanted %s\n", layout(&t), is);
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        int32_t dense[9];
        CHECK_RESULT(sparse_unpack_dense_untyped(&t, dense), SPARSE_OK);
        CHECK(how == SPARSE_DUPLICATES_LAST || (dense[0] == 6 && dense[7] == 9));
    }
    sparse_free(&t);
    CHECK(books.live == 0);
}

static void test_duplicates(void)
{
    const sparse_duplicates sum = SPARSE_DUPLICATES_SUM, last = SPARSE_DUPLICATES_LAST;
    const sparse_duplicates error = SPARSE_DUPLICATES_ERROR, keep = SPARSE_DUPLICATES_KEEP;
    expect_duplicates("0d 1c", sum, SPARSE_OK, "pos1: 0 1 1 3; crd1: 0 0 1; val: 6 0 9; ");
    expect_duplicates("0d 1c", last, SPARSE_OK, "pos1: 0 1 1 3; crd1: 0 0 1; val: 4 0 5; ");
    expect_duplicates("0d 1c", error, SPARSE_E_DUPLICATE, "");
    expect_duplicates("0d 1c", keep, SPARSE_E_DUPLICATE, "");
    expect_duplicates("0d 1d", sum, SPARSE_OK, "val: 6 0 0 0 0 0 0 9 0; ");
    expect_duplicates("0d 1d", last, SPARSE_OK, "val: 4 0 0 0 0 0 0 5 0; ");
    expect_duplicates("0d 1cn", keep, SPARSE_OK, "pos1: 0 2 2 6; crd1: 0 0 0 1 1 1; val: 2 4 0 1 3 5; ");
    expect_duplicates("0d 1ln", sum, SPARSE_OK, "pos1: 0 1 1 1 1 3; crd1: 0 0 1; val: 6 0 9; ");
    expect_duplicates("0cn 1s", sum, SPARSE_OK, "pos0: 0 3; crd0: 0 0 2 0 2 1; val: 6 0 9; ");
    expect_duplicates("0cn 1s", keep, SPARSE_E_DUPLICATE, "");
    expect_duplicates("0cn 1sn", keep, SPARSE_OK,
                      "pos0: 0 6; crd0: 0 0 0 0 2 0 2 1 2 1 2 1; val: 2 4 0 1 3 5; ");
    expect_duplicates("0cn 1sn", sum, SPARSE_OK, "pos0: 0 3; crd0: 0 0 2 0 2 1; val: 6 0 9; ");
    expect_duplicates("0cno 1snoa", keep, SPARSE_OK,
                      "pos0: 0 6; crd0: 0 0 2 2 2 2; crd1: 0 0 0 1 1 1; val: 2 4 0 1 3 5; ");
    expect_duplicates("0c 1sn", keep, SPARSE_E_FULL, "");
    expect_duplicates("0c 1s", sum, SPARSE_E_FULL, "");
    expect_duplicates("0cn 1c", sum, SPARSE_OK,
                      "pos0: 0 2; crd0: 0 2; pos1: 0 1 3; crd1: 0 0 1; val: 6 0 9; ");
    expect_duplicates("0d 1/3d 1%3t2:3", sum, SPARSE_OK, "crd2: 0 1 0 1 0 1; val: 6 0 0 0 0 9; ");
    expect_duplicates("0d 1/3d 1%3t1:3", sum, SPARSE_E_FULL, "");

    const size_t dim[2] = {3, 3}, at[] = {2, 1, 0, 0, 2, 1, 2, 0, 0, 0, 2, 1};
    const int32_t values[] = {1, 2, 3, 0, 4, 5};
    const sparse_encoding e = encode("1d 0c", 8, 8, SPARSE_I32);
    sparse_tensor t = tensor_of(&e);
    int calls = 0;
    for (int outside = -1; outside < 5; outside += 5)
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 1, at, values, (sparse_duplicates)outside), SPARSE_E_ARGUMENT);
    CHECK_RESULT(sparse_pack_with_untyped(&t, dim, 6, at, values, remember_all, &calls), SPARSE_OK);
    CHECK(strcmp(layout(&t), "pos1: 0 2 3 3; crd1: 0 2 2; val: 24 0 135; ") == 0 && calls == 3);
    sparse_free(&t);

    /* COO with duplicates, converted to encodings that keep duplicates and to others */
    const sparse_encoding coo = encode("0cn 1sn", 8, 8, SPARSE_I32),
                          soa = encode("1ln 0sna", 8, 8, SPARSE_I32);
    sparse_tensor s = tensor_of(&coo), u = tensor_of(&soa);
    CHECK_RESULT(sparse_pack_untyped(&s, dim, 6, at, values, keep), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&t, &s), SPARSE_OK);
    CHECK(strcmp(layout(&t), "pos1: 0 2 3 3; crd1: 0 2 2; val: 6 0 9; ") == 0);
    CHECK_RESULT(sparse_convert(&u, &s), SPARSE_OK);
    CHECK(strcmp(layout(&u), "pos0: 0 6; crd0: 0 0 0 1 1 1; crd1: 0 0 2 2 2 2; val: 2 4 0 1 3 5; ") == 0);
    sparse_free(&s);
    sparse_free(&t);
    sparse_free(&u);

    /* opaque values cannot be added up */
    const sparse_encoding from = encode("0cn", 8, 8, SPARSE_OPAQUE), to = encode("0c", 8, 8, SPARSE_OPAQUE);
    const char opaque[48] = "opaque";
    s = tensor_of(&from), t = tensor_of(&to);
    CHECK_RESULT(sparse_pack_untyped(&s, dim, 2, at + 2, opaque, keep), SPARSE_OK);
    CHECK(sparse_entries(&s) == 2);
    CHECK_RESULT(sparse_convert(&t, &s), SPARSE_E_VALUE_TYPE);
    sparse_free(&s);
    sparse_free(&t);
    CHECK(books.live == 0);
}

/* Duplicates of every value type are added in that type. */
#define EXPECT_SUM(kind_, type, a, b, sum)                                                                   \
    do {                                                                                                     \
        const sparse_encoding e = encode("0c", 8, 8, kind_);                                                 \
        const type values[2] = {(type)(a), (type)(b)}, wanted = (type)(sum);                                 \
        sparse_tensor t = tensor_of(&e);                                                                     \
        name_subject(&e);                                                                                    \
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 2, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);                 \
        CHECK(memcmp(t.val.at, &wanted, sizeof wanted) == 0);                                                \
        sparse_free(&t);                                                                                     \
    } while (0)

static void test_kinds(void)
{
    const size_t dim[1] = {9}, at[2] = {4, 4};
    EXPECT_SUM(SPARSE_I8, int8_t, 127, 1, -128);
    EXPECT_SUM(SPARSE_U8, uint8_t, 255, 2, 1);
    EXPECT_SUM(SPARSE_I16, int16_t, INT16_MAX, 1, INT16_MIN);
    EXPECT_SUM(SPARSE_U16, uint16_t, UINT16_MAX, 2, 1);
    EXPECT_SUM(SPARSE_I32, int32_t, INT32_MAX, 1, INT32_MIN);
    EXPECT_SUM(SPARSE_U32, uint32_t, UINT32_MAX, 2, 1);
    EXPECT_SUM(SPARSE_I64, int64_t, INT64_MAX, 1, INT64_MIN);
    EXPECT_SUM(SPARSE_U64, uint64_t, UINT64_MAX, 2, 1);
    EXPECT_SUM(SPARSE_F32, float, 0.5, 0.25, 0.75);
    EXPECT_SUM(SPARSE_F64, double, 0.5, -1, -0.5);
    for (unsigned k = 0; k < 2; k++) {
        const sparse_encoding e = encode("0c", 8, 8, k ? SPARSE_C128 : SPARSE_C64);
        const double values[4] = {1, 2, 0.5, -4}, wanted[2] = {1.5, -2};
        const float values32[4] = {1, 2, 0.5f, -4}, wanted32[2] = {1.5f, -2};
        sparse_tensor t = tensor_of(&e);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 2, at, k ? (const void *)values : (const void *)values32,
                                 SPARSE_DUPLICATES_SUM),
                     SPARSE_OK);
        CHECK(memcmp(t.val.at, k ? (const void *)wanted : (const void *)wanted32, e.value_size) == 0);
        sparse_free(&t);
    }
    for (size_t size = 1; size <= 40; size += 13) { /* opaque values: any size; kept, replaced, never added */
        sparse_encoding e = encode("0c", 8, 8, SPARSE_OPAQUE);
        char values[80];
        sparse_tensor t = tensor_of(&e);
        e.value_size = size;
        memset(values, 1, size);
        memset(values + size, 2, size);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 1, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 2, at, values, SPARSE_DUPLICATES_SUM), SPARSE_E_VALUE_TYPE);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 2, at, values, SPARSE_DUPLICATES_LAST), SPARSE_OK);
        CHECK(memcmp(t.val.at, values + size, size) == 0);
        sparse_free(&t);
    }
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Does sparse_equal find two vectors with one value each equal? */
static bool equal_values(sparse_kind kind, const void *x, const void *y, double tolerance)
{
    const sparse_encoding e = encode("0d", 8, 8, kind), f = encode("0c", 8, 8, kind);
    const size_t dim[1] = {1}, at[1] = {0};
    sparse_tensor a = tensor_of(&e), b = tensor_of(&f);
    bool equal = false;
    name_subject(&e);
    CHECK_RESULT(sparse_pack_untyped(&a, dim, 1, at, x, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&b, dim, 1, at, y, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&a, &b, tolerance, &equal), SPARSE_OK);
    sparse_free(&a);
    sparse_free(&b);
    return equal;
}

static void test_equality(void)
{
    const double one = 1, near1 = 1 + 1e-9, zero = 0, minus0 = -0.0, inf = HUGE_VAL, nan = inf - inf,
                 big = 1e300;
    const int64_t long1 = INT64_MAX, long2 = INT64_MAX - 1;
    const float complex1[2] = {1, 2}, complex2[2] = {1, 2.5f};
    CHECK(equal_values(SPARSE_F64, &one, &one, 0) && !equal_values(SPARSE_F64, &one, &near1, 0));
    CHECK(equal_values(SPARSE_F64, &one, &near1, 1e-8) && !equal_values(SPARSE_F64, &one, &near1, 1e-10));
    CHECK(equal_values(SPARSE_F64, &zero, &minus0, 0) && !equal_values(SPARSE_F64, &zero, &one, 0.5));
    CHECK(equal_values(SPARSE_F64, &inf, &inf, 0) && !equal_values(SPARSE_F64, &inf, &big, 1));
    CHECK(equal_values(SPARSE_F64, &nan, &nan, 0) && !equal_values(SPARSE_F64, &nan, &one, 1e9));
    CHECK(!equal_values(SPARSE_I64, &long1, &long2, 0) && equal_values(SPARSE_I64, &long1, &long2, 1e-9));
    CHECK(!equal_values(SPARSE_C64, complex1, complex2, 0.1) &&
          equal_values(SPARSE_C64, complex1, complex2, 0.3));
}

/* >>damage */

/* Number p in an array of coordinates. For a packed level it is read bit by bit. */
static uint64_t number_in(const sparse_level *v, const void *crd, unsigned width, size_t p)
{
    if (v->type != SPARSE_PACKED) return sparse_p_load(crd, width, p);
    uint64_t number = 0;
    unsigned bits = 0;
    while (1u << bits < v->m) bits++;
    const size_t word = p / (width / bits), first = p % (width / bits) * bits;
    for (unsigned b = 0; b < bits; b++) number |= (sparse_p_load(crd, width, word) >> (first + b) & 1) << b;
    return number;
}

/* Is bitmask level l valid? Each parent must have as many positions as bits are set, and no other bit may be set. */
static bool is_mask_sound_slowly(const sparse_tensor *t, unsigned l, size_t parents)
{
    const unsigned bits = t->encoding->crd_bits;
    const size_t places = parents * t->lvl[l];
    uint64_t set = 0;
    for (size_t p = 0; p < t->crd[l].length * bits; p++) {
        if (p % t->lvl[l] == 0 && p <= places && sparse_p_load(t->pos[l].at, t->encoding->pos_bits, p / t->lvl[l]) != set)
            return false;
        const bool is_set = sparse_p_load(t->crd[l].at, bits, p / bits) >> p % bits & 1;
        if (is_set && p >= places) return false;
        set += is_set;
    }
    return sparse_p_load(t->pos[l].at, t->encoding->pos_bits, parents) == set;
}

/* The expected verdict of the validator on t, computed by comparing all pairs. */
static bool is_sound_slowly(const sparse_tensor *t)
{
    const sparse_encoding *e = t->encoding;
    size_t parents = 1;
    for (unsigned l = 0; l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        if (v->type == SPARSE_DENSE) parents *= t->lvl[l];
        if (v->type == SPARSE_DENSE || v->type == SPARSE_SINGLETON) continue;
        if (v->type == SPARSE_BITMASK) {
            if (!is_mask_sound_slowly(t, l, parents)) return false;
            parents = (size_t)sparse_p_load(t->pos[l].at, e->pos_bits, parents);
            continue;
        }
        const bool loose = v->type == SPARSE_LOOSE_COMPRESSED, fixed = takes_n_of_m(v);
        const bool aos = l + 1 < e->levels && sparse_p_is_aos(e, l + 1);
        const unsigned end =
            l + 1 < e->levels && e->level[l + 1].type == SPARSE_SINGLETON ? e->levels : l + 1;
        const size_t stride = aos ? end - l : 1, extent = fixed ? parents * v->n : t->crd[l].length / stride;
        uint64_t total = 0;
        for (size_t p = 0; p < parents; p++) {
            const uint64_t lo =
                fixed ? p * v->n : sparse_p_load(t->pos[l].at, e->pos_bits, loose ? 2 * p : p);
            const uint64_t hi =
                fixed ? lo + v->n : sparse_p_load(t->pos[l].at, e->pos_bits, loose ? 2 * p + 1 : p + 1);
            if (lo > hi || hi > extent || (!fixed && !loose && lo != total)) return false;
            total = loose ? total + hi - lo : hi;
            for (size_t r = 0; loose && r < p; r++) {
                const uint64_t lo2 = sparse_p_load(t->pos[l].at, e->pos_bits, 2 * r);
                const uint64_t hi2 = sparse_p_load(t->pos[l].at, e->pos_bits, 2 * r + 1);
                if (lo < hi && lo2 < hi2 && lo < hi2 && lo2 < hi) return false;
            }
            for (uint64_t x = lo; x < hi; x++)
                for (uint64_t y = lo; y <= x; y++) {
                    bool same = true;
                    for (unsigned k = l; k < end && same; k++) {
                        const void *crd = t->crd[aos ? l : k].at;
                        const uint64_t cx = number_in(v, crd, e->crd_bits, (size_t)x * stride + (aos ? k - l : 0));
                        const uint64_t cy = number_in(v, crd, e->crd_bits, (size_t)y * stride + (aos ? k - l : 0));
                        if (cx >= t->lvl[k]) return false;
                        same = cx == cy;
                        if (y < x && same && !(e->level[k].properties & SPARSE_NONUNIQUE)) return false;
                        if (y + 1 == x && cy > cx && !(e->level[k].properties & SPARSE_NONORDERED))
                            return false;
                        if (y == x) same = true;
                    }
                }
        }
        if (!fixed && !loose && total != extent) return false;
        parents = extent;
    }
    return true;
}

/* Changes each number of an array: plus and minus 1, 0, the largest, random ones. The validator must agree with
   is_sound_slowly; walking a tensor that it accepts must stay within the arrays. */
static void damage_array(sparse_tensor *t, sparse_buffer *b, unsigned bits)
{
    bool masked = false; /* the last position of a bitmask is also a length */
    for (unsigned l = 0; l < t->encoding->levels; l++) masked = masked || t->encoding->level[l].type == SPARSE_BITMASK;
    for (size_t p = 0; p < b->length; p++) {
        const size_t was = sparse_load(b->at, bits, p);
        const size_t tries[] = {was + 1,         was - 1,        0, (size_t)sparse_p_largest(bits),
                                random_below(8), random_below(8)};
        for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
            sparse_report where;
            sparse_store(b->at, bits, p, tries[k]);
            const sparse_result result = sparse_validate(t, &where);
            const bool sound = is_sound_slowly(t);
            CHECK((result == SPARSE_OK) == sound);
            CHECK(result == SPARSE_OK || result == SPARSE_E_POSITIONS || result == SPARSE_E_COORDINATE ||
                  result == SPARSE_E_ORDER || (masked && (result == SPARSE_E_LENGTH || result == SPARSE_E_OVERFLOW)));
            CHECK(where.level < t->encoding->levels || (masked && strcmp(where.array, "val") == 0));
            size_t count = 0;
            if (result == SPARSE_OK) SPARSE_FOREACH(c, t) count += *(const unsigned char *)c.value < 255;
            CHECK(count <= sparse_entries(t));
        }
        sparse_store(b->at, bits, p, was);
    }
}

static void test_damage(void)
{
    static const char *const encodings[] = {"0d 1c",           "0c 1c",   "0d 1l",    "0l 1c",
                                            "0cn 1s",          "0cn 1sa", "0cn 1sn",  "0cno 1so",
                                            "0co 1c",          "0d 1co",  "0d 1lo",   "0cno 1sno",
                                            "0d 1/4d 1%4t2:4", "0c 1cn",  "0ln 1sna", "0/2c 1/2l 0%2c 1%2c",
                                            "0cno 1s",         "0c 1d",   "0d 1/4d 1%4k2:4",
                                            "0d 1w",           "0w 1c",   "0w 1w",    "0c 1w"};
    static truth x;
    for (size_t turn = 0; turn < 2 * sizeof encodings / sizeof *encodings; turn++) {
        const sparse_encoding e =
            encode(encodings[turn / 2], widths[turn % 4], widths[turn / 2 % 4], SPARSE_U8);
        const size_t dim[2] = {4, 6}, places[] = {1, 4, 7, 8, 13, 18, 22};
        sparse_tensor t = tensor_of(&e);
        truth_of(&x, &e, dim, 7, places);
        name_subject(&e);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 7, x.coordinates, x.values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        for (unsigned l = 0; l < e.levels; l++) {
            damage_array(&t, &t.pos[l], e.pos_bits);
            damage_array(&t, &t.crd[l], e.crd_bits);
        }
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        sparse_free(&t);
        CHECK(books.live == 0);
    }
}

/* Breaks each rule once: the validator reports the right error, array and position. */
static void test_diagnosis(void)
{
    enum { POS, CRD };
    static const struct {
        const char *encoding;
        unsigned array, level;
        size_t at, number;
        sparse_result wanted;
        size_t position;
    } cases[] = {
        {"0d 1c", POS, 1, 0, 1, SPARSE_E_POSITIONS, 0},  {"0d 1c", POS, 1, 2, 1, SPARSE_E_POSITIONS, 2},
        {"0d 1c", POS, 1, 3, 2, SPARSE_E_POSITIONS, 3},  {"0d 1c", POS, 1, 1, 9, SPARSE_E_POSITIONS, 1},
        {"0d 1c", CRD, 1, 1, 4, SPARSE_E_COORDINATE, 1}, {"0d 1c", CRD, 1, 1, 0, SPARSE_E_ORDER, 1},
        {"0d 1c", CRD, 1, 0, 3, SPARSE_E_ORDER, 1},      {"0d 1cn", CRD, 1, 0, 3, SPARSE_OK, 0},
        {"0d 1co", CRD, 1, 0, 3, SPARSE_E_ORDER, 1},     {"0l 1c", POS, 0, 1, 3, SPARSE_E_POSITIONS, 0},
        {"0d 1l", POS, 1, 5, 4, SPARSE_E_POSITIONS, 4},  {"0d 1l", POS, 1, 4, 1, SPARSE_E_POSITIONS, 4},
        {"0cn 1s", CRD, 0, 2, 1, SPARSE_OK, 0},          {"0cn 1s", CRD, 0, 4, 3, SPARSE_E_COORDINATE, 2},
        {"0cn 1s", CRD, 0, 3, 0, SPARSE_E_ORDER, 1},     {"0cn 1sa", CRD, 1, 1, 4, SPARSE_E_COORDINATE, 1},
        {"0cn 1s", CRD, 0, 0, 2, SPARSE_E_ORDER, 1},
    };
    const size_t dim[2] = {3, 4}, at[] = {0, 0, 0, 3, 2, 0};
    const double values[3] = {1, 2, 3};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sparse_encoding e = encode(cases[k].encoding, 32, 32, SPARSE_F64);
        sparse_tensor t = tensor_of(&e);
        sparse_report where;
        name_subject(&e);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 3, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        sparse_buffer *b = cases[k].array == POS ? &t.pos[cases[k].level] : &t.crd[cases[k].level];
        sparse_store(b->at, 32, cases[k].at, cases[k].number);
        CHECK_RESULT(sparse_validate(&t, &where), cases[k].wanted);
        CHECK(where.position == cases[k].position);
        if (cases[k].wanted != SPARSE_OK)
            CHECK(strcmp(where.array, cases[k].array == POS ? "pos" : "crd") == 0);
        sparse_free(&t);
    }
}

/* Lengths, capacities, pointers and sizes that contradict the encoding. */
static void test_wrong_shapes(void)
{
    const sparse_encoding e = encode("0d 1c", 32, 32, SPARSE_F64), coo = encode("0cn 1s", 32, 32, SPARSE_F64);
    const size_t dim[2] = {3, 4}, at[] = {0, 0, 0, 3, 2, 0};
    const double values[3] = {1, 2, 3};
    sparse_tensor t = tensor_of(&e), s = tensor_of(&coo), was;
    sparse_report where;
    name_subject(&e);
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 3, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    was = t;
    t.pos[1].length--;
    CHECK_RESULT(sparse_validate(&t, &where), SPARSE_E_LENGTH);
    CHECK(strcmp(where.array, "pos") == 0 && where.level == 1);
    t = was, t.pos[1].capacity = 3;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_LENGTH);
    t = was, t.pos[1].at = NULL;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_EMPTY);
    t = was, t.pos[1].at = (char *)t.pos[1].at + 1;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_LENGTH);
    t = was, t.crd[1].at = NULL;
    CHECK_RESULT(sparse_validate(&t, &where), SPARSE_E_LENGTH);
    CHECK(strcmp(where.array, "crd") == 0);
    t = was, t.crd[1].length = 2;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_LENGTH);
    t = was, t.crd[0] = t.crd[1];
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_LENGTH);
    t = was, t.pos[0] = t.pos[1];
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_LENGTH);
    t = was, t.val.length = 2;
    CHECK_RESULT(sparse_validate(&t, &where), SPARSE_E_LENGTH);
    CHECK(strcmp(where.array, "val") == 0 && where.level == 2);
    t = was, t.val.at = (char *)t.val.at + 2;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_LENGTH);
    t = was, t.lvl[0] = 4;
    CHECK_RESULT(sparse_validate(&t, &where), SPARSE_E_SHAPE);
    CHECK(strcmp(where.array, "lvl") == 0 && where.level == 0);
    t = was, t.lvl[0] = t.dim[0] = SIZE_MAX;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_OVERFLOW);
    t = was;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
    sparse_free(&t);
    const sparse_encoding wide =
        encode("0d 1c", 64, 64, SPARSE_F64); /* numbers that a 32-bit size_t would truncate */
    const uint64_t cut = UINT64_C(1) << 32;
    t = tensor_of(&wide);
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 3, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    ((uint64_t *)t.crd[1].at)[0] += cut;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_COORDINATE);
    ((uint64_t *)t.crd[1].at)[0] -= cut;
    ((uint64_t *)t.pos[1].at)[1] += cut;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_POSITIONS);
    sparse_free(&t);
    CHECK_RESULT(sparse_pack_untyped(&s, dim, 3, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    s.crd[0].length--;
    CHECK_RESULT(sparse_validate(&s, NULL), SPARSE_E_LENGTH);
    s.crd[0].length++;
    sparse_free(&s);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Intervals of a loose level with gaps between them, out of order, and overlapping. */
static void test_loose(void)
{
    const sparse_encoding e = encode("0d 1l", 8, 8, SPARSE_I32);
    const size_t dim[2] = {4, 9};
    uint8_t pos[8] = {5, 7, 0, 2, 3, 3, 3, 4}, crd[7] = {2, 4, 99, 8, 99, 0, 1};
    int32_t val[7] = {1, 2, 99, 3, 99, 4, 5}, dense[36], wanted[36] = {4, 5};
    sparse_arrays arrays;
    sparse_tensor t = tensor_of(&e);
    memset(&arrays, 0, sizeof arrays);
    arrays.pos[1] = (sparse_array)SPARSE_ARRAY(pos, 8);
    arrays.crd[1] = (sparse_array)SPARSE_ARRAY(crd, 7);
    arrays.val = (sparse_array)SPARSE_ARRAY(val, 7);
    wanted[9 + 2] = 1, wanted[9 + 4] = 2, wanted[27 + 8] = 3;
    name_subject(&e);
    CHECK_RESULT(sparse_assemble(&t, dim, &arrays, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_unpack_dense_untyped(&t, dense), SPARSE_OK);
    CHECK(memcmp(dense, wanted, sizeof wanted) == 0 && sparse_entries(&t) == 7);
    pos[3] = 4; /* [0, 4) overlaps [3, 4) */
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_POSITIONS);
    sparse_free(&t);

    /* position 2 of the loose level is in no interval: positions below it must still be valid; coordinates are not read */
    const sparse_encoding f = encode("0d 1l 2c", 8, 8, SPARSE_I32), g = encode("0d 1ln 2s", 8, 8, SPARSE_I32);
    const size_t dim3[3] = {2, 9, 5};
    uint8_t pos1[4] = {0, 2, 3, 4}, crd1[4] = {2, 4, 99, 8}, pos2[5] = {0, 1, 2, 2, 4},
            crd2[4] = {4, 0, 1, 3};
    uint8_t pairs[8] = {2, 4, 4, 0, 99, 99, 8, 1};
    memset(&arrays, 0, sizeof arrays);
    arrays.pos[1] = (sparse_array)SPARSE_ARRAY(pos1, 4);
    arrays.crd[1] = (sparse_array)SPARSE_ARRAY(crd1, 4);
    arrays.pos[2] = (sparse_array)SPARSE_ARRAY(pos2, 5);
    arrays.crd[2] = (sparse_array)SPARSE_ARRAY(crd2, 4);
    arrays.val = (sparse_array)SPARSE_ARRAY(val, 4);
    t = tensor_of(&f);
    CHECK_RESULT(sparse_assemble(&t, dim3, &arrays, SPARSE_BORROW, NULL), SPARSE_OK);
    size_t count = 0;
    SPARSE_FOREACH(c, &t) count += c.dim[1] < 9 && c.dim[2] < 5;
    CHECK(count == 4);
    pos2[2] = 5;
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_POSITIONS);
    sparse_free(&t);
    memset(&arrays.pos[2], 0, sizeof arrays.pos[2]);
    memset(&arrays.crd[2], 0, sizeof arrays.crd[2]);
    arrays.crd[1] = (sparse_array)SPARSE_ARRAY(pairs, 8);
    t = tensor_of(&g);
    CHECK_RESULT(sparse_assemble(&t, dim3, &arrays, SPARSE_BORROW, NULL), SPARSE_OK);
    count = 0;
    SPARSE_FOREACH(c, &t) count++;
    CHECK(count == 3 && sparse_entries(&t) == 4);
    sparse_free(&t);
    CHECK(books.live == 0);
}

/* >>memory */

enum { OPERATIONS = 8 };

/* Runs operation number `which`; each needs memory. */
static sparse_result operate(unsigned which, sparse_tensor *t, const sparse_tensor *from, const truth *x)
{
    const sparse_arrays arrays = sparse_arrays_of(from);
    bool equal;
    switch (which) {
    case 0:
        return sparse_pack_untyped(t, x->dim, x->count, x->coordinates, x->values, SPARSE_DUPLICATES_SUM);
    case 1:
        return sparse_pack_dense_untyped(t, x->dim, x->dense);
    case 2:
        return sparse_convert(t, from);
    case 3:
        return sparse_copy(t, from);
    case 4:
        return sparse_assemble(t, from->dim, &arrays, SPARSE_COPY, NULL);
    case 5:
        return sparse_equal(from, from, 0, &equal);
    case 6:
        return sparse_validate(from, NULL);
    default:
        return sparse_allocate_dense(t, x->dim);
    }
}

/* Every allocation of every operation fails once. */
static void test_memory(void)
{
    static const char *const encodings[] = {
        "1d 0c", "0c 1c", "0cno 1so", "0ln 1sa", "0d 1/4d 1%4t4:4", "0/2d 1/2c 0%2d 1%2d", "1d 0d"};
    static truth x;
    size_t failures = 0;
    for (size_t k = 0; k < sizeof encodings / sizeof *encodings * OPERATIONS; k++) {
        const unsigned which = (unsigned)(k % OPERATIONS);
        const sparse_encoding e = encode(encodings[k / OPERATIONS], 16, 16, SPARSE_F64);
        const sparse_encoding other =
            encode(which == 2 ? "0cn 1s" : encodings[k / OPERATIONS], 16, 16, SPARSE_F64);
        const size_t dim[2] = {7, 8};
        sparse_tensor from = tensor_of(&other), t = tensor_of(&e);
        name_subject(&e);
        truth_random(&x, &e, dim, 4);
        CHECK_RESULT(sparse_pack_dense_untyped(&from, dim, x.dense), SPARSE_OK);
        const size_t live = books.live;
        for (size_t fail_at = 1;; fail_at++) {
            books.calls = 0;
            books.fail_at = fail_at;
            const sparse_result result = operate(which, &t, &from, &x);
            books.fail_at = 0;
            if (result != SPARSE_E_MEMORY) {
                CHECK(result == (which == 7 && k / OPERATIONS != 6 ? SPARSE_E_ENCODING : SPARSE_OK));
                break;
            }
            failures++;
            CHECK(books.live == live && t.encoding == &e && t.hooks == &counting);
            CHECK(t.dim[0] == 0 && t.val.at == NULL && t.val.length == 0);
            if (!CHECK(fail_at < 100)) break;
        }
        sparse_free(&t);
        CHECK_RESULT(sparse_validate(&from, NULL), SPARSE_OK);
        sparse_free(&from);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
    CHECK(failures > 100);
}

/* Disassembles into arrays of the caller: the query of their sizes, too little room, exact room. */
static void test_disassembly(void)
{
    const sparse_encoding e = encode("0d 1c", 16, 8, SPARSE_I32);
    const size_t dim[2] = {3, 4};
    const int32_t a[12] = {1, 0, 0, 2, 0, 0, 0, 0, 3};
    uint16_t pos[4];
    uint8_t crd[3];
    int32_t val[3];
    sparse_tensor t = tensor_of(&e), u = tensor_of(&e);
    sparse_room room;
    sparse_arrays arrays;
    name_subject(&e);
    memset(&room, 0, sizeof room);
    CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, a), SPARSE_OK);
    CHECK_RESULT(sparse_disassemble(&t, &room), SPARSE_E_CAPACITY);
    CHECK(room.pos[1].length == 4 && room.crd[1].length == 3 && room.val.length == 3 &&
          room.pos[0].length == 0);
    room.pos[1].at = pos, room.pos[1].capacity = 4;
    room.crd[1].at = crd, room.crd[1].capacity = 2;
    room.val.at = val, room.val.capacity = 3;
    CHECK_RESULT(sparse_disassemble(&t, &room), SPARSE_E_CAPACITY);
    room.crd[1].capacity = 3;
    CHECK_RESULT(sparse_disassemble(&t, &room), SPARSE_OK);
    CHECK(pos[1] == 2 && pos[3] == 3 && crd[1] == 3 && val[2] == 3);
    arrays = arrays_in(&room, &e);
    CHECK_RESULT(sparse_assemble(&u, dim, &arrays, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK(same_arrays(&t, &u));
    crd[1] = 4;
    sparse_report where;
    CHECK_RESULT(sparse_assemble(&u, dim, &arrays, SPARSE_COPY, &where), SPARSE_E_COORDINATE);
    CHECK(where.level == 1 && where.position == 1 && u.dim[0] == 0 && u.encoding == &e);
    sparse_free(&t);
    CHECK(books.live == 0);
}

/* >>iterators */

/* The example of the iterator section: y = A x. */
static void test_walk(void)
{
    static const char *const encodings[] = {"0d 1c", "0c 1c", "0cn 1s", "0d 1l", "0d 1d", "0cn 1sa"};
    static truth a;
    const size_t dim[2] = {9, 11};
    for (size_t k = 0; k < sizeof encodings / sizeof *encodings; k++) {
        const sparse_encoding e = encode(encodings[k], 32, 16, SPARSE_I32);
        sparse_tensor t = tensor_of(&e);
        int32_t y[9] = {0}, z[9] = {0}, dense[99];
        truth_random(&a, &e, dim, 3);
        name_subject(&e);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, a.count, a.coordinates, a.values, SPARSE_DUPLICATES_SUM),
                     SPARSE_OK);
        const int32_t *value = (const int32_t *)t.val.at;
        sparse_level_iterator i = sparse_level_begin(&t, 0, 0), j = sparse_level_open(&e, &t, 1);
        for (; sparse_level_valid(&i); i.position = sparse_level_segment(&i)) {
            sparse_level_enter(&j, i.position,
                               e.level[1].type == SPARSE_SINGLETON ? sparse_level_segment(&i)
                                                                     : i.position + 1);
            for (; sparse_level_valid(&j); sparse_level_next(&j))
                y[sparse_level_coordinate(&i)] +=
                    value[j.position] * (int32_t)(1 + sparse_level_coordinate(&j));
        }
        memcpy(dense, a.dense, sizeof dense);
        for (size_t p = 0; p < 99; p++) z[p / 11] += dense[p] * (int32_t)(1 + p % 11);
        CHECK(memcmp(y, z, sizeof y) == 0);
        sparse_free(&t);
    }
}

/* Seek and locate compared with a scan; iterating over two vectors at once compared with dense ones. */
static void test_merge(void)
{
    static const char *const encodings[] = {"0c", "0d", "0l", "0co"};
    static truth x, y;
    for (size_t turn = 0; turn < 400; turn++) {
        const sparse_encoding e = encode(encodings[turn % 4], 16, 16, SPARSE_U8),
                              f = encode("0c", 8, 8, SPARSE_U8);
        const size_t dim[1] = {1 + random_below(60)};
        sparse_tensor a = tensor_of(&e), b = tensor_of(&f);
        name_subject(&e);
        truth_random(&x, &e, dim, 1 + random_below(8));
        truth_random(&y, &f, dim, 1 + random_below(8));
        CHECK_RESULT(sparse_pack_dense_untyped(&a, dim, x.dense), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&b, dim, y.dense), SPARSE_OK);
        const sparse_level_iterator start = sparse_level_begin(&a, 0, 0);
        for (size_t c = 0; c < dim[0] + 2; c++) {
            sparse_level_iterator i = start, j = start, k = start;
            while (sparse_level_valid(&i) && sparse_level_coordinate(&i) < c) sparse_level_next(&i);
            sparse_level_seek(&j, c);
            CHECK(turn % 4 == 3 || i.position == j.position);
            const bool stored = c < dim[0] && (turn % 4 == 1 || x.dense[c] != 0);
            CHECK(sparse_level_locate(&k, c) == stored);
            CHECK(!stored ||
                  (sparse_level_coordinate(&k) == c && ((char *)a.val.at)[k.position] == x.dense[c]));
        }
        size_t c = 0;
        bool right = true;
        sparse_level_iterator i = start, j = sparse_level_begin(&b, 0, 0);
        SPARSE_COITERATE(m, i, j)
        {
            for (; c < m.coordinate; c++) right = right && turn % 4 != 1 && !x.dense[c] && !y.dense[c];
            right = right && m.has_a == (turn % 4 == 1 || x.dense[c] != 0) && m.has_b == (y.dense[c] != 0);
            right = right && (!m.has_a || ((char *)a.val.at)[i.position] == x.dense[c]);
            right = right && (!m.has_b || ((char *)b.val.at)[j.position] == y.dense[c]);
            c++;
        }
        for (; c < dim[0]; c++) right = right && !x.dense[c] && !y.dense[c];
        CHECK(right);
        sparse_free(&a);
        sparse_free(&b);
    }
    CHECK(books.live == 0);
}

/* Translates every coordinate of tensors in blocks to levels and back. */
static void test_maps(void)
{
    for (size_t turn = 0; turn < 300; turn++) {
        const size_t rank = 1 + random_below(3);
        const sparse_encoding e = encode_blocks(rank);
        size_t dim[SPARSE_MAX_RANK], lvl[SPARSE_MAX_LEVELS], wanted[SPARSE_MAX_LEVELS], back[SPARSE_MAX_RANK];
        for (size_t d = 0; d < rank; d++) dim[d] = random_below(1000);
        name_subject(&e);
        map_levels(&e, dim, wanted);
        sparse_dim_to_lvl(&e, dim, lvl);
        sparse_lvl_to_dim(&e, lvl, back);
        CHECK(memcmp(lvl, wanted, e.levels * sizeof *lvl) == 0 && memcmp(back, dim, rank * sizeof *dim) == 0);
    }
}

/* An arena in an array with any alignment: blocks are aligned and keep their content; freeing the last one returns its
   memory. */
static void test_arena(void)
{
    static unsigned char memory[4096 + 64];
    const size_t unit = sizeof(uintmax_t), aligned = SPARSE_P_ALIGNOF(uintmax_t);
    for (size_t skip = 0; skip < 32; skip++) {
        sparse_arena arena = SPARSE_ARENA(arena, memory + skip, 256);
        memset(memory, 0, skip);
        uintmax_t *const a = (uintmax_t *)sparse_arena_resize(&arena, NULL, 0, 3 * unit);
        CHECK(a && (uintptr_t)a % aligned == 0 && (unsigned char *)a >= memory + skip);
        a[0] = 1, a[2] = 3;
        CHECK(sparse_arena_resize(&arena, a, 3 * unit, 5 * unit) == a && arena.used >= 5 * unit);
        char *const b = (char *)sparse_arena_resize(&arena, NULL, 0, 1), *const c =
                                                                             (char *)sparse_arena_resize(&arena, NULL, 0, 1);
        CHECK(b && c && c > b && b >= (char *)(a + 5) && (uintptr_t)c % aligned == 0);
        uintmax_t *const d = (uintmax_t *)sparse_arena_resize(&arena, a, 5 * unit, 7 * unit); /* moves */
        CHECK(d && (char *)d > c && d[0] == 1 && d[2] == 3 && arena.most == arena.used);
        const size_t most = arena.most;
        CHECK(sparse_arena_resize(&arena, b, 1, 0) == NULL && arena.used == most); /* not the last: stays */
        CHECK(sparse_arena_resize(&arena, a, 5 * unit, unit) == a && arena.used == most);
        CHECK(sparse_arena_resize(&arena, d, 7 * unit, 0) == NULL && arena.used < most && arena.most == most);
        const size_t mark = sparse_arena_mark(&arena);
        CHECK(arena.wanted == 0 && sparse_arena_resize(&arena, NULL, 0, 256) == NULL && arena.used == mark);
        CHECK(arena.wanted >= mark + 256 && arena.wanted <= mark + 256 + 2 * sizeof(long double));
        CHECK(sparse_arena_resize(&arena, NULL, 0, SIZE_MAX) == NULL && arena.wanted == SIZE_MAX);
        CHECK(sparse_arena_resize(&arena, NULL, 0, 1) != NULL && arena.used > mark);
        sparse_arena_release(&arena, mark);
        CHECK(arena.used == mark && sparse_arena_resize(&arena, NULL, 0, 0) == NULL && arena.used == mark);
        sparse_arena_release(&arena, 0);
        CHECK(arena.used == 0 && arena.most == most && sparse_arena_resize(&arena, NULL, 0, 1) == a);
        for (const unsigned char *at = memory; at < memory + skip; at++) CHECK(*at == 0);
    }
    unsigned char one[1];
    sparse_arena none = SPARSE_ARENA(none, one, 0);
    CHECK(sparse_arena_resize(&none, NULL, 0, 1) == NULL && none.wanted > 0);
    sparse_arena enough = SPARSE_ARENA(enough, memory + 1, 0);
    const sparse_encoding e = encode("0d 1c", 32, 32, SPARSE_F64);
    const size_t dim[] = {5, 6};
    const double values[30] = {1, 0, 2, 0, 0, 0, 7};
    for (enough.bytes = 64; enough.bytes < sizeof memory;) { /* finds how much memory is needed, as a program would */
        sparse_tensor t = {0};
        t.encoding = &e, t.hooks = &enough.hooks;
        const sparse_result r = sparse_pack_dense_untyped(&t, dim, values);
        CHECK(r == SPARSE_OK || (r == SPARSE_E_MEMORY && enough.wanted > enough.bytes));
        if (!r) CHECK(t.val.length == 3 && ((double *)t.val.at)[2] == 7 && enough.used <= enough.most);
        if (!r) break;
        sparse_arena_release(&enough, 0);
        enough.bytes = enough.wanted;
    }
    CHECK(enough.used > 0 && enough.bytes < 1024);
}

int main(void)
{
    test_every_encoding();
    test_sameness();
    test_reasons();
    test_layouts();
    test_round_trips();
    test_blocks();
    test_coordinate_widths();
    test_position_width();
    test_shapes();
    test_sorting();
    test_many();
    test_misuse();
    test_duplicates();
    test_kinds();
    test_equality();
    test_damage();
    test_diagnosis();
    test_wrong_shapes();
    test_loose();
    test_memory();
    test_disassembly();
    test_walk();
    test_merge();
    test_maps();
    test_arena();
    printf("test_storage: %lu passed, %lu failed\n", passed, failed);
    return failed > 0;
}
