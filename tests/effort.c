/* effort.c: the cost of storage operations, in executed basic blocks and allocated bytes, is at most a constant for each
   entry and each element of the arrays involved, for all sizes of tensors. effort.sh compiles this file with
   -fsanitize-coverage=trace-pc.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include <stdio.h>

#include "sparse.h"

static unsigned long blocks, bytes, passed, failed;
#ifdef __clang__
__attribute__((no_sanitize("coverage")))
#else
__attribute__((no_sanitize_coverage))
#endif
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { blocks++; }

static void *resize(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    (void)context;
    if (new_bytes > old_bytes) bytes += new_bytes - old_bytes;
    if (new_bytes > 0) return realloc(block, new_bytes);
    free(block);
    return NULL;
}
static const sparse_hooks hooks = {resize, NULL};

/* Every named encoding, and some without a name. Conversions are tested between all encodings of equal rank. */
#define ENCODINGS(X)                                                                                         \
    X(csr, SPARSE_CSR) X(csc, SPARSE_CSC) X(dcsr, SPARSE_DCSR) X(dcsc, SPARSE_DCSC) X(coo, SPARSE_COO)       \
    X(coo_soa, SPARSE_COO_SOA) X(ell, SPARSE_ELL(64)) X(jagged, SPARSE_JAGGED(64)) X(dia, SPARSE_DIA)        \
    X(csb, SPARSE_CSB(16)) X(dia_blocks, SPARSE_DIA_BLOCKS(16))                                                                                   \
    X(bsr, SPARSE_BSR(2, 2)) X(bsr_columns, SPARSE_BSR_INNER_COLUMNS(2, 3)) X(bsc, SPARSE_BSC(3, 2))         \
    X(bsc_rows, SPARSE_BSC_INNER_ROWS(2, 2)) X(cd, SPARSE_CD) X(bits, SPARSE_BITMAP_ROWS)                    \
    X(dense, SPARSE_DENSE_2D) X(columns, SPARSE_COLUMN_MAJOR) X(n_of_m, SPARSE_N_OF_M(2, 4))                 \
    X(bit_dcsr, ((i, j), (bitmap, i), (compressed, j))) X(loose, ((i, j), (dense, i), (loose_compressed, j))) \
    X(unordered, ((i, j), (dense, i), (compressed(nonordered), j)))                                          \
    X(blocks_of_coo, ((i, j), (compressed, floordiv(i, 4)), (compressed, floordiv(j, 4)), (compressed(nonunique), mod(i, 4)), (singleton, mod(j, 4)))) \
    X(batched, ((i, j), (batch, i), (compressed, j)))                                                        \
    X(dense_1d, SPARSE_DENSE_1D) X(vector, SPARSE_VECTOR) X(bit_vector, SPARSE_BITMAP_VECTOR)                \
    X(dense_3d, SPARSE_DENSE_3D) X(columns_3d, SPARSE_COLUMN_MAJOR_ND(i, j, k)) X(csf, SPARSE_CSF_3D)        \
    X(coo_3d, SPARSE_COO_3D) X(coo_soa_3d, SPARSE_COO_SOA_3D) X(mode_generic, SPARSE_MODE_GENERIC_3D)        \
    X(hicoo, SPARSE_HICOO_3D(4)) X(batched_csr, SPARSE_BATCHED_CSR) X(batched_coo, SPARSE_BATCHED_COO)       \
    X(dense_4d, SPARSE_DENSE_4D) X(csf_4d, SPARSE_CSF_4D) X(coo_4d, SPARSE_COO_4D)
#define DEFINE(name, encoding) SPARSE_TENSOR(name, encoding, double, 64, 64)
ENCODINGS(DEFINE)
#define ADDRESS(name, encoding) &name##_encoding,
static const sparse_encoding *const encodings[] = {ENCODINGS(ADDRESS)};
enum { COUNT = sizeof encodings / sizeof *encodings, MOST = 1000, RANK = 4 };

/* Sizes, and `count` entries, of which groups of `each` have the same first coordinate. */
typedef struct shape {
    const char *name;
    unsigned rank;
    size_t dim[RANK];
    size_t count, each;
} shape;

static size_t at[RANK * MOST];
static double value[MOST];

/* The number of elements in all arrays of t. */
static size_t elements(const sparse_tensor *t)
{
    size_t sum = t->val.length;
    for (unsigned l = 0; l < t->encoding->levels; l++) sum += t->pos[l].length + t->crd[l].length;
    return sum;
}

/* Checks that the last operation took at most so many basic blocks and bytes for each element. Batches are built twice. */
static void expect(const char *what, const shape *s, const sparse_tensor *t, const sparse_tensor *u, size_t count,
                   unsigned long most_blocks, unsigned long most_bytes)
{
    const size_t stored = elements(t) + (u ? elements(u) : 0) + 8 * count + 1000;
    const unsigned times = 1 + ((u ? u : t)->encoding->level[0].type == SPARSE_BATCH);
    const bool few = blocks <= times * most_blocks * stored, small = bytes <= most_bytes * stored;
    if (few && small) passed++;
    else failed++;
    if (!few || !small)
        printf("%s: %s%s%s, %s: %.1f blocks and %.1f bytes for each of %zu elements\n", s->name, t->encoding->name,
               u ? " to " : "", u ? u->encoding->name : "", what, (double)blocks / (double)stored,
               (double)bytes / (double)stored, stored);
    blocks = bytes = 0;
}

/* Is a tensor of this shape small enough in this encoding? Estimates its size; dense levels count in full. */
static bool takes_part(const sparse_encoding *e, const shape *s)
{
    size_t lvl[SPARSE_MAX_LEVELS] = {0};
    double stored = 1;
    if (e->rank != s->rank || sparse_level_sizes(e, s->dim, lvl)) return false;
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].type == SPARSE_COMPRESSED || e->level[l].type == SPARSE_SINGLETON)
            stored = stored < (double)s->count ? stored : (double)s->count;
        else {
            stored *= (double)lvl[l];
            if (stored > 4e5) return false;
        }
    return true;
}

/* Unpacking, slices, concatenation, transposition, insertion and comparison. */
static void try_operations(const shape *s, const sparse_tensor *t)
{
    const sparse_encoding *e = t->encoding;
    const sparse_tensor *const twice[] = {t, t};
    size_t count = 0, volume = 1;
    unsigned order[RANK];
    sparse_slice slice[RANK];
    sparse_insertion in = SPARSE_INSERTION(NULL);
    sparse_tensor u = {e, &hooks, {0}, {0}, {{0}}, {{0}}, {0}};
    bool equal = false;
    for (unsigned d = 0; d < s->rank; d++) {
        const sparse_slice odd = {s->dim[d] > 0, s->dim[d] / 2, 2};
        order[d] = s->rank - 1 - d;
        slice[d] = odd;
        volume = s->dim[d] > 0 && volume > SIZE_MAX / s->dim[d] ? SIZE_MAX : volume * s->dim[d];
    }
    blocks = bytes = 0;
    if (sparse_unpack_untyped(t, NULL, NULL, &count)) failed++;
    expect("unpack", s, t, NULL, s->count, 40, 1);
    if (sparse_equal(t, t, 0, &equal) || !equal) failed++;
    expect("equal", s, t, NULL, 4 * s->count, 60, 30); /* walks the common entries and merges the rest */
    if (sparse_convert_slice(&u, t, slice) == SPARSE_OK) expect("slice", s, t, &u, s->count, 50, 30);
    if (sparse_concatenate(&u, 0, twice, 2) == SPARSE_OK) expect("concatenate", s, t, &u, 2 * s->count, 40, 30);
    in.tensor = &u;
    if (sparse_insert_begin(&in, s->dim)) failed++;
    for (size_t k = 0; k < s->count; k++)
        if (sparse_insert_untyped(&in, &at[s->rank * k], &value[k])) failed++;
    if (sparse_insert_end(&in, SPARSE_DUPLICATES_SUM)) failed++;
    expect("insert", s, t, &u, s->count, 40, 40);
    shape turned = *s;
    for (unsigned d = 0; d < s->rank; d++) turned.dim[d] = s->dim[order[d]];
    if (takes_part(e, &turned)) {
        blocks = bytes = 0;
        if (sparse_transpose(&u, t, order) == SPARSE_OK) expect("transpose", s, t, &u, s->count, 40, 30);
    }
    if (volume <= 100000) {
        double *const all = (double *)calloc(volume + 1, sizeof *all);
        blocks = bytes = 0;
        if (sparse_unpack_dense_untyped(t, all)) failed++;
        expect("unpack dense", s, t, NULL, s->count + volume, 20, 10);
        if (sparse_pack_dense_untyped(&u, s->dim, all)) failed++;
        expect("pack dense", s, t, &u, s->count + volume, 20, 20);
        free(all);
    }
    sparse_free(&u);
}

static void try_shape(const shape *s)
{
    for (size_t k = 0; k < s->count; k++) {
        const size_t row = k / s->each, in_row = k % s->each;
        at[s->rank * k] = s->rank == 1 ? k * (s->dim[0] / s->count) : s->dim[0] / s->count * row;
        for (unsigned d = 1; d < s->rank; d++) at[s->rank * k + d] = (in_row * 3 + row * d) % (s->dim[d] + !s->dim[d]);
        value[k] = (double)(1 + k % 9);
    }
    for (unsigned n = 0; n < COUNT; n++) {
        size_t count = 0;
        sparse_tensor t = {encodings[n], &hooks, {0}, {0}, {{0}}, {{0}}, {0}};
        if (!takes_part(encodings[n], s)) continue;
        blocks = bytes = 0;
        const sparse_result packed = sparse_pack_untyped(&t, s->dim, s->count, at, value, SPARSE_DUPLICATES_SUM);
        if (packed == SPARSE_E_FULL) continue; /* ELL, n:m: too many entries in a row */
        if (packed) printf("%s: %s: %s\n", s->name, encodings[n]->name, sparse_name(packed)), failed++;
        expect("pack", s, &t, NULL, s->count, 40, 30);
        if (sparse_validate(&t, NULL)) failed++;
        expect("validate", s, &t, NULL, s->count, 100, 20);
        SPARSE_FOREACH(c, &t) count++;
        expect("walk", s, &t, NULL, s->count, 30, 1);
        for (unsigned m = 0; m < COUNT; m++) {
            sparse_tensor u = {encodings[m], &hooks, {0}, {0}, {{0}}, {{0}}, {0}};
            if (!takes_part(encodings[m], s)) continue;
            blocks = bytes = 0;
            const sparse_result converted = sparse_convert(&u, &t);
            if (converted && converted != SPARSE_E_FULL) printf("%s: to %s\n", encodings[n]->name, encodings[m]->name), failed++;
            expect("convert", s, &t, &u, s->count, 40, 30);
            sparse_free(&u);
        }
        try_operations(s, &t);
        sparse_free(&t);
    }
}

/* Reading one row of a hundred thousand, or ten columns of a wide row, costs time only for the entries in that slice. */
static void try_small_slices(void)
{
    static const sparse_encoding *const rows[] = {&csr_encoding, &coo_encoding, &bsr_encoding};
    const size_t dim[] = {100000, 100000};
    for (size_t k = 0; k < MOST; k++) at[2 * k] = k < 100 ? 500 : 100 * k, at[2 * k + 1] = 100 * k, value[k] = 1;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        sparse_tensor t = {rows[n], &hooks, {0}, {0}, {{0}}, {{0}}, {0}};
        sparse_tensor u = t;
        const sparse_slice slice[] = {{500, 1, 1}, {5000, 1000, 1}};
        if (sparse_pack_untyped(&t, dim, MOST, at, value, SPARSE_DUPLICATES_SUM)) failed++;
        blocks = bytes = 0;
        if (sparse_convert_slice(&u, &t, slice) || sparse_entries(&u) < 10) failed++;
        if (blocks <= 10000) passed++;
        else printf("a small slice of %s: %lu blocks\n", rows[n]->name, blocks), failed++;
        sparse_free(&t), sparse_free(&u);
    }
}

int main(void)
{
    static const shape shapes[] = {
        {"no entry in 10,000 rows", 2, {10000, 30}, 0, 1},
        {"a few of 10,000 rows", 2, {10000, 30}, 600, 3},
        {"a few of 1000 rows", 2, {1000, 1000}, 600, 3},
        {"one to a row of 1000", 2, {1000, 1000}, 600, 1},
        {"one row of many entries", 2, {64, 900}, 60, 60},
        {"hypersparse", 2, {(size_t)1 << 40, (size_t)1 << 30}, 600, 2},
        {"no rows", 2, {0, 10000}, 0, 1},
        {"no columns", 2, {10000, 0}, 0, 1},
        {"a vector", 1, {100000}, 600, 1},
        {"a hypersparse vector", 1, {(size_t)1 << 40}, 600, 1},
        {"a few slices of 10,000", 3, {10000, 6, 5}, 600, 3},
        {"a few rows of 50 x 200", 3, {50, 200, 10}, 40, 2},
        {"no entry of three dimensions", 3, {100, 100, 30}, 0, 1},
        {"hypersparse, three dimensions", 3, {(size_t)1 << 20, (size_t)1 << 20, (size_t)1 << 20}, 600, 2},
        {"no slices", 3, {0, 100, 100}, 0, 1},
        {"four dimensions", 4, {200, 10, 6, 5}, 150, 3},
        {"hypersparse, four dimensions", 4, {(size_t)1 << 15, (size_t)1 << 15, (size_t)1 << 15, (size_t)1 << 15}, 600, 2},
    };
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) try_shape(&shapes[n]);
    try_small_slices();
    printf("effort: %lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
