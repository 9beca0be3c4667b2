/* test_statistics.c: statistics of tensors, removal of stored zeros, and tensors printed as grids, compared with dense
   arrays.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sparse_io.h"

#include "oracle.h"

static const char *const matrices[] = {"0d 1c",        "1d 0c",  "0c 1c",           "1c 0c",        "0cn 1s",
                                       "1cn 0sa",      "0d 1l",  "0d 1d",           "1d 0d",        "0c 1d",
                                       "0d 1m",        "1-c 0d", "0d 1co",          "0cno 1so",     "0/2d 1/3c 0%2d 1%3d",
                                       "0#130d 0d 1c", "0b 1c",  "0d 1/4d 1%4t4:4", "0/3d 1-c 0%3d"};
static const char *const others[] = {"0c", "0d", "0m", "0c 1c 2c", "0cn 1sn 2s", "0d 1c 2d", "0d 1d 2c", "0b 1d 2c"};
enum { MATRICES = sizeof matrices / sizeof *matrices, OTHERS = sizeof others / sizeof *others };
static const sparse_kind kinds[] = {SPARSE_F64, SPARSE_I8, SPARSE_C64, SPARSE_F32, SPARSE_F16, SPARSE_U64};

/* A tensor as dense arrays: which elements are stored, and their numbers. */
typedef struct picture {
    size_t rank, volume, count, dim[SPARSE_MAX_RANK];
    bool stored[MOST];
    int number[MOST];
} picture;

static void draw(picture *x, size_t rank, const size_t *dim, size_t one_in)
{
    x->rank = rank;
    x->volume = 1;
    for (size_t d = 0; d < rank; d++) x->volume *= x->dim[d] = dim[d];
    for (size_t k = 0; k < x->volume; k++) {
        x->stored[k] = random_below(one_in) == 0;
        x->number[k] = x->stored[k] && random_below(3) ? 1 + (int)random_below(90) : 0;
    }
}

/* Makes the pattern of a square matrix symmetric, and its values if `values` is set. */
static void mirror(picture *x, bool values)
{
    const size_t n = x->dim[0];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            x->stored[i * n + j] = x->stored[j * n + i];
            if (values || !x->stored[j * n + i]) x->number[i * n + j] = x->number[j * n + i];
        }
}

/* Has the last level of e padding, which cannot be distinguished from stored zeros? */
static bool pads(const sparse_encoding *e)
{
    const unsigned type = e->level[e->levels - 1].type;
    return type == SPARSE_DENSE || type == SPARSE_BATCH || takes_n_of_m(&e->level[e->levels - 1]);
}

static sparse_tensor packed(const sparse_encoding *e, const picture *x)
{
    static size_t at[MOST * SPARSE_MAX_RANK];
    static char values[MOST * WIDEST];
    sparse_tensor t = tensor_of(e);
    size_t count = 0;
    for (size_t n = 0; n < x->volume; n++) {
        const size_t k = x->volume - 1 - n;
        size_t rest = k;
        if (!x->stored[k]) continue;
        for (size_t d = x->rank; d-- > 0; rest /= x->dim[d]) at[count * x->rank + d] = rest % x->dim[d];
        put_number(e, values + count++ * e->value_size, x->number[k]);
    }
    CHECK_RESULT(sparse_pack_untyped(&t, x->dim, count, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    return t;
}

/* Is element k an entry in encoding e? */
static bool is_entry(const picture *x, const sparse_encoding *e, size_t k)
{
    return x->stored[k] && (!pads(e) || x->number[k] != 0);
}

static size_t blocks_of(const picture *x, const sparse_encoding *e, size_t edge)
{
    size_t blocks = 0;
    for (size_t i = 0; i < x->dim[0]; i += edge)
        for (size_t j = 0; j < x->dim[1]; j += edge) {
            bool any = false;
            for (size_t u = i; u < i + edge && u < x->dim[0]; u++)
                for (size_t v = j; v < j + edge && v < x->dim[1]; v++) any = any || is_entry(x, e, u * x->dim[1] + v);
            blocks += any;
        }
    return blocks;
}

static sparse_summary expected(const picture *x, const sparse_encoding *e)
{
    sparse_summary s;
    memset(&s, 0, sizeof s);
    const size_t row = x->dim[0] > 0 ? x->volume / x->dim[0] : 0;
    const bool square = x->rank == 2 && x->dim[0] == x->dim[1];
    s.symmetric_pattern = s.symmetric = square;
    for (size_t i = 0; i < x->dim[0]; i++) {
        size_t entries = 0;
        for (size_t j = 0; j < row; j++) {
            const size_t k = i * row + j;
            const bool in = is_entry(x, e, k);
            if (square && in != is_entry(x, e, j * row + i)) s.symmetric_pattern = false;
            if (square && in && x->number[k] != x->number[j * row + i]) s.symmetric = false;
            if (!in) continue;
            entries++;
            s.zeros += x->number[k] == 0;
            if (x->rank != 2) continue;
            s.diagonal += i == j;
            if (i > j && i - j > s.lower) s.lower = i - j;
            if (j > i && j - i > s.upper) s.upper = j - i;
        }
        s.entries += entries;
        s.empty_rows += entries == 0;
        if (entries > s.longest_row) s.longest_row = entries;
    }
    if (!s.symmetric_pattern) s.symmetric = false;
    for (unsigned n = 0; x->rank == 2 && n < 3; n++) s.blocks[n] = blocks_of(x, e, (size_t)2 << n);
    return s;
}

static void check_statistics(const sparse_tensor *t, const picture *x)
{
    const sparse_summary wanted = expected(x, t->encoding);
    sparse_summary is;
    CHECK_RESULT(sparse_statistics(t, &is), SPARSE_OK);
    CHECK(is.stored == t->val.length);
    CHECK(is.entries == wanted.entries);
    CHECK(is.zeros == wanted.zeros);
    CHECK(is.empty_rows == wanted.empty_rows);
    CHECK(is.longest_row == wanted.longest_row);
    CHECK(is.lower == wanted.lower && is.upper == wanted.upper);
    CHECK(is.diagonal == wanted.diagonal);
    CHECK(is.symmetric_pattern == wanted.symmetric_pattern);
    CHECK(is.symmetric == wanted.symmetric);
    for (unsigned n = 0; n < 3; n++) CHECK(is.blocks[n] == wanted.blocks[n]);
}

/* Removing the zeros gives, byte for byte, the tensor that is packed without them. */
static void check_drop(sparse_tensor *t, const picture *x)
{
    static picture rest;
    rest = *x;
    for (size_t k = 0; k < x->volume; k++) rest.stored[k] = x->stored[k] && x->number[k] != 0;
    sparse_tensor wanted = packed(t->encoding, &rest);
    CHECK_RESULT(sparse_drop_zeros(t), SPARSE_OK);
    CHECK_RESULT(sparse_validate(t, NULL), SPARSE_OK);
    const sparse_encoding *const e = t->encoding;
    CHECK(memcmp(t->dim, wanted.dim, sizeof t->dim) == 0 && memcmp(t->lvl, wanted.lvl, sizeof t->lvl) == 0);
    for (unsigned l = 0; l < e->levels; l++) {
        CHECK(t->pos[l].length == wanted.pos[l].length && t->crd[l].length == wanted.crd[l].length);
        CHECK(t->pos[l].length == 0 || !memcmp(t->pos[l].at, wanted.pos[l].at, t->pos[l].length * e->pos_bits / 8));
        CHECK(t->crd[l].length == 0 || e->level[l].properties & SPARSE_NONORDERED ||
              !memcmp(t->crd[l].at, wanted.crd[l].at, t->crd[l].length * e->crd_bits / 8));
    }
    bool equal = false;
    CHECK(t->val.length == wanted.val.length);
    CHECK_RESULT(sparse_equal(t, &wanted, 0, &equal), SPARSE_OK);
    CHECK(equal);
    CHECK_RESULT(sparse_drop_zeros(t), SPARSE_OK); /* a second time changes nothing */
    CHECK(t->val.length == wanted.val.length);
    sparse_free(&wanted);
}

static void test_matrices(void)
{
    static picture x;
    for (size_t turn = 0; turn < 60 * MATRICES; turn++) {
        const sparse_encoding e = encode(matrices[turn % MATRICES], 32, 32, kinds[random_below(6)]);
        size_t dim[2] = {1 + random_below(20), 1 + random_below(20)};
        if (turn % 2) dim[1] = dim[0];
        name_subject(&e);
        draw(&x, 2, dim, 1 + random_below(6));
        if (turn % 4 == 1) mirror(&x, random_below(2) == 0);
        sparse_tensor t = packed(&e, &x);
        check_statistics(&t, &x);
        check_drop(&t, &x);
        sparse_free(&t);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

static void test_tensors(void)
{
    static picture x;
    for (size_t turn = 0; turn < 40 * OTHERS; turn++) {
        const sparse_encoding e = encode(others[turn % OTHERS], 32, 16, kinds[random_below(6)]);
        const size_t dim[3] = {1 + random_below(8), 1 + random_below(8), 1 + random_below(7)};
        name_subject(&e);
        draw(&x, e.rank, dim, 1 + random_below(6));
        sparse_tensor t = packed(&e, &x);
        check_statistics(&t, &x);
        check_drop(&t, &x);
        sparse_free(&t);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Sizes of 0, no entries, sizes beyond memory, duplicates, constants, a fill value, struct values. */
static void test_extremes(void)
{
    const sparse_encoding dcsr = encode("0c 1c", 64, 64, SPARSE_F64), twice = encode("0cn 1sn", 64, 64, SPARSE_F64);
    sparse_encoding ones = encode("0d 1c", 64, 64, SPARSE_F64), filled = encode("0cn 1s", 64, 64, SPARSE_F64);
    const double one = 1, zero = 0, infinity = 1e300 * 1e300;
    const size_t none[2] = {0, 5}, vast[2] = {(size_t)1 << (sizeof(size_t) * 4), (size_t)1 << (sizeof(size_t) * 4)},
                 small[2] = {3, 3};
    const size_t at[8] = {1, 2, 1, 2, 0, 0, 2, 1};
    const double values[4] = {1, -1, 1, 1};
    sparse_summary s;
    sparse_tensor t = tensor_of(&dcsr);
    name_subject(&dcsr);
    CHECK_RESULT(sparse_pack_untyped(&t, none, 0, NULL, NULL, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_statistics(&t, &s), SPARSE_OK);
    CHECK(s.entries == 0 && s.empty_rows == 0 && s.longest_row == 0 && !s.symmetric);
    CHECK_RESULT(sparse_drop_zeros(&t), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&t, vast, 3, at + 2, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_statistics(&t, &s), SPARSE_OK);
    CHECK(s.entries == 3 && s.empty_rows == vast[0] - 3 && s.blocks[0] == 3 && s.blocks[1] == 1 && s.symmetric_pattern);
    CHECK(s.symmetric && s.lower == 1 && s.upper == 1 && s.diagonal == 1);
    sparse_free(&t);
    t = tensor_of(&twice); /* two values at one element whose sum is zero both stay: neither is zero */
    CHECK_RESULT(sparse_pack_untyped(&t, small, 4, at, values, SPARSE_DUPLICATES_KEEP), SPARSE_OK);
    CHECK_RESULT(sparse_statistics(&t, &s), SPARSE_OK);
    CHECK(s.stored == 4 && s.entries == 3 && s.zeros == 1);
    CHECK_RESULT(sparse_drop_zeros(&t), SPARSE_OK);
    CHECK(t.val.length == 4);
    sparse_free(&t);
    ones.constant = &one;
    t = tensor_of(&ones);
    const double all_ones[2] = {1, 1};
    CHECK_RESULT(sparse_pack_untyped(&t, small, 2, at + 4, all_ones, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_statistics(&t, &s), SPARSE_OK);
    CHECK(s.entries == 2 && s.zeros == 0);
    CHECK_RESULT(sparse_drop_zeros(&t), SPARSE_OK);
    CHECK(t.val.length == 2);
    sparse_free(&t);
    ones.constant = &zero;
    t = tensor_of(&ones);
    const double all_zeros[2] = {0, 0};
    CHECK_RESULT(sparse_pack_untyped(&t, small, 2, at + 4, all_zeros, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_drop_zeros(&t), SPARSE_OK);
    CHECK(t.val.length == 0 && t.encoding == &ones);
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
    sparse_free(&t);
    filled.fill = &infinity; /* infinite entries are dropped, zeros stay */
    t = tensor_of(&filled);
    const double mixed[3] = {infinity, 0, 2};
    CHECK_RESULT(sparse_pack_untyped(&t, small, 3, at + 2, mixed, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_statistics(&t, &s), SPARSE_OK);
    CHECK(s.entries == 3 && s.zeros == 1);
    CHECK_RESULT(sparse_drop_zeros(&t), SPARSE_OK);
    CHECK(t.val.length == 2);
    sparse_free(&t);
    CHECK_RESULT(sparse_statistics(&t, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_statistics(NULL, &s), SPARSE_E_NULL);
    CHECK_RESULT(sparse_drop_zeros(NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_drop_zeros(&t), SPARSE_E_EMPTY);
    CHECK(books.live == 0);
}

/* Whichever allocation fails, the tensor is unchanged. */
static void test_no_memory(void)
{
    static picture x;
    const size_t dim[2] = {9, 9};
    const sparse_encoding e = encode("0d 1c", 32, 32, SPARSE_F64);
    sparse_summary s;
    draw(&x, 2, dim, 2);
    sparse_tensor t = packed(&e, &x), before = t;
    for (int function = 0; function < 2; function++) {
        sparse_result r = SPARSE_E_MEMORY;
        for (size_t n = 1; r == SPARSE_E_MEMORY && n < 100; n++) {
            books.calls = 0;
            books.fail_at = n;
            r = function ? sparse_drop_zeros(&t) : sparse_statistics(&t, &s);
            if (r == SPARSE_E_MEMORY) CHECK(memcmp(&t, &before, sizeof t) == 0);
        }
        books.fail_at = 0;
        CHECK_RESULT(r, SPARSE_OK);
    }
    sparse_free(&t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* The output of sparse_print_grid for the tensor. */
static const char *grid_of(const sparse_tensor *t, char *text, size_t room)
{
    FILE *const file = tmpfile();
    if (!CHECK(file != NULL)) return "";
    CHECK_RESULT(sparse_print_grid(t, file), SPARSE_OK);
    rewind(file);
    text[fread(text, 1, room - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void check_grid(const sparse_tensor *t, const char *wanted)
{
    static char text[1 << 16];
    const char *const is = grid_of(t, text, sizeof text);
    if (!CHECK(strcmp(is, wanted) == 0)) printf("%s\ninstead of\n%s\n", is, wanted);
}

static void test_grid(void)
{
    static const char *const texts[] = {"0d 1c", "1d 0c", "0cno 1so", "0/2d 1/2c 0%2d 1%2d", "0d 1d", "0cn 1sn"};
    const size_t small[2] = {2, 3}, at[6] = {1, 2, 0, 0, 0, 2}, large[2] = {1000, 20};
    const double values[3] = {-2.5, 10, 0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const sparse_encoding e = encode(texts[k], 32, 32, SPARSE_F64);
        sparse_tensor t = tensor_of(&e);
        name_subject(&e);
        CHECK_RESULT(sparse_pack_untyped(&t, small, 3, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        check_grid(&t, "[[  10    0    0]\n [   0    0 -2.5]]\n");
        CHECK_RESULT(sparse_pack_untyped(&t, large, 3, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        check_grid(&t, "[[  10    0    0 ...    0    0    0]\n [   0    0 -2.5 ...    0    0    0]\n"
                       " [   0    0    0 ...    0    0    0]\n ...\n [   0    0    0 ...    0    0    0]\n"
                       " [   0    0    0 ...    0    0    0]\n [   0    0    0 ...    0    0    0]]\n");
        sparse_free(&t);
    }
    CHECK(books.live == 0);
}

/* Three dimensions, vectors, complex and opaque values, duplicates, sizes of 0, vast sizes. */
static void test_other_grids(void)
{
    const sparse_encoding cube = encode("0c 1c 2c", 32, 32, SPARSE_I32), vector = encode("0c", 64, 64, SPARSE_C128);
    const sparse_encoding twice = encode("0cn", 32, 32, SPARSE_F32), opaque = encode("0d", 32, 32, SPARSE_OPAQUE);
    const size_t dim[3] = {2, 2, 2}, at[6] = {0, 0, 1, 1, 1, 0}, vast = SIZE_MAX / 4, places[2] = {2, SIZE_MAX / 4 - 1},
                 five = 5;
    const int32_t integers[2] = {7, -8};
    const double complexes[4] = {1, -2, 0.5, 3};
    const float floats[3] = {1, 2, 4};
    const size_t same[3] = {1, 1, 4};
    sparse_tensor t = tensor_of(&cube);
    name_subject(&cube);
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 2, at, integers, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    check_grid(&t, "[[[ 0  7]\n  [ 0  0]]\n\n [[ 0  0]\n  [-8  0]]]\n");
    const size_t flat[3] = {2, 0, 2};
    CHECK_RESULT(sparse_pack_untyped(&t, flat, 0, NULL, NULL, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    check_grid(&t, "[[]\n\n []]\n");
    sparse_free(&t);
    t = tensor_of(&vector);
    CHECK_RESULT(sparse_pack_untyped(&t, &vast, 2, places, complexes, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    check_grid(&t, "[  0+0j   0+0j   1-2j ...   0+0j   0+0j 0.5+3j]\n");
    sparse_free(&t);
    t = tensor_of(&twice);
    CHECK_RESULT(sparse_pack_untyped(&t, &five, 3, same, floats, SPARSE_DUPLICATES_KEEP), SPARSE_OK);
    check_grid(&t, "[0 3 0 0 4]\n");
    sparse_free(&t);
    t = tensor_of(&opaque);
    CHECK_RESULT(sparse_resize_dims(&t, &five), SPARSE_OK);
    CHECK_RESULT(sparse_allocate_dense(&t, &five), SPARSE_OK);
    check_grid(&t, "[? ? ? ? ?]\n");
    CHECK_RESULT(sparse_print_grid(&t, NULL), SPARSE_E_NULL);
    sparse_free(&t);
    t = tensor_of(&cube);
    CHECK_RESULT(sparse_print_grid(&t, stdout), SPARSE_E_EMPTY);
    CHECK_RESULT(sparse_print_grid(NULL, stdout), SPARSE_E_NULL);
    CHECK(books.live == 0 && books.mistakes == 0);
}

int main(void)
{
    test_matrices();
    test_tensors();
    test_extremes();
    test_no_memory();
    test_grid();
    test_other_grids();
    printf("test_statistics: %lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
