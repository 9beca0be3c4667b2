/* effort.c: what operations of storage cost, in basic blocks that run and in bytes that are allocated: a bounded number
   for each entry and for each element of the arrays involved, whatever the sizes of the tensor. Compiled by effort.sh
   with -fsanitize-coverage=trace-pc.

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

#define ENCODINGS(X)                                                                                         \
    X(csr, SPARSE_CSR) X(csc, SPARSE_CSC) X(dcsr, SPARSE_DCSR) X(dcsc, SPARSE_DCSC) X(coo, SPARSE_COO)       \
    X(coo_soa, SPARSE_COO_SOA) X(bsr, SPARSE_BSR(2, 2)) X(ell, SPARSE_ELL(64)) X(jagged, SPARSE_JAGGED(64))  \
    X(dia, SPARSE_DIA) X(cd, SPARSE_CD) X(dense, SPARSE_DENSE_2D) X(bits, SPARSE_BITMAP_ROWS)                \
    X(bit_dcsr, ((i, j), (bitmap, i), (compressed, j))) X(loose, ((i, j), (dense, i), (loose_compressed, j))) \
    X(unordered, ((i, j), (dense, i), (compressed(nonordered), j)))                                          \
    X(blocks_of_coo, ((i, j), (compressed, floordiv(i, 4)), (compressed, floordiv(j, 4)), (compressed(nonunique), mod(i, 4)), (singleton, mod(j, 4)))) \
    X(batched, ((i, j), (batch, i), (compressed, j)))
#define DEFINE(name, encoding) SPARSE_TENSOR(name, encoding, double, 64, 64)
ENCODINGS(DEFINE)
#define ADDRESS(name, encoding) &name##_encoding,
static const sparse_encoding *const encodings[] = {ENCODINGS(ADDRESS)};
enum { COUNT = sizeof encodings / sizeof *encodings, MOST = 1000 };

/* Sizes, and so many entries, of which `each` are in one row. */
typedef struct shape {
    const char *name;
    size_t rows, columns, count, each;
} shape;

static size_t at[2 * MOST];
static double value[MOST];

/* The elements that t has in all its arrays. */
static size_t elements(const sparse_tensor *t)
{
    size_t sum = t->val.length;
    for (unsigned l = 0; l < t->encoding->levels; l++) sum += t->pos[l].length + t->crd[l].length;
    return sum;
}

/* Has it taken at most so many blocks and bytes for each element? */
static void expect(const char *what, const shape *s, const sparse_tensor *t, const sparse_tensor *u, size_t count,
                   unsigned long most_blocks, unsigned long most_bytes)
{
    const size_t stored = elements(t) + (u ? elements(u) : 0) + 8 * count + 1000;
    const bool few = blocks <= most_blocks * stored, small = bytes <= most_bytes * stored;
    if (few && small) passed++;
    else failed++;
    if (!few || !small)
        printf("%s: %s%s%s, %s: %.1f blocks and %.1f bytes for each of %zu elements\n", s->name, t->encoding->name,
               u ? " to " : "", u ? u->encoding->name : "", what, (double)blocks / (double)stored,
               (double)bytes / (double)stored, stored);
    blocks = bytes = 0;
}

/* What an encoding has to store of a shape, about: what is dense, in full. */
static bool takes_part(const sparse_encoding *e, const shape *s)
{
    const size_t dim[2] = {s->rows, s->columns};
    size_t lvl[SPARSE_MAX_LEVELS] = {0};
    double stored = 1;
    if (sparse_level_sizes(e, dim, lvl)) return false;
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].format == SPARSE_COMPRESSED || e->level[l].format == SPARSE_SINGLETON)
            stored = stored < (double)s->count ? stored : (double)s->count;
        else {
            stored *= (double)lvl[l];
            if (stored > 4e5) return false;
        }
    return true;
}

static void try_shape(const shape *s)
{
    const size_t dim[2] = {s->rows, s->columns};
    for (size_t k = 0; k < s->count; k++) {
        at[2 * k] = s->count > 0 ? s->rows / s->count * (k / s->each) : 0;
        at[2 * k + 1] = (k % s->each * 3 + k / s->each) % (s->columns + !s->columns);
        value[k] = (double)(1 + k % 9);
    }
    for (unsigned n = 0; n < COUNT; n++) {
        size_t count = 0;
        sparse_tensor t = {encodings[n], &hooks, {0}, {0}, {{0}}, {{0}}, {0}};
        if (!takes_part(encodings[n], s)) continue;
        blocks = bytes = 0;
        const sparse_result packed = sparse_pack(&t, dim, s->count, at, value, SPARSE_DUPLICATES_SUM);
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
            if (sparse_convert(&u, &t)) printf("%s: to %s\n", encodings[n]->name, encodings[m]->name), failed++;
            expect("convert", s, &t, &u, s->count, 40, 30);
            sparse_free(&u);
        }
        sparse_free(&t);
    }
}

int main(void)
{
    static const shape shapes[] = {
        {"no entry in 10,000 rows", 10000, 30, 0, 1},
        {"a few of 10,000 rows", 10000, 30, 600, 3},
        {"a few of 1000 rows", 1000, 1000, 600, 3},
        {"one row of many entries", 64, 900, 60, 60},
        {"hypersparse", (size_t)1 << 40, (size_t)1 << 30, 600, 2},
        {"no rows", 0, 10000, 0, 1},
        {"no columns", 10000, 0, 0, 1},
    };
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) try_shape(&shapes[n]);
    printf("effort: %lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
