/* oracle.h: the reference for tests. Checks that count, memory hooks that keep account and can be made to fail, encodings
   written in one line, dense tensors with the true values, and a brute-force evaluation of kernels. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdio.h>

#include "sparse_formats.h"

/* >>checks: CHECK(condition) counts a check. A failure prints the line, the condition and `subject`. */
static unsigned long passed, failed;
static char subject[160];

static inline bool check(bool good, const char *what, const char *file, int line)
{
    if (good) passed++;
    else if (failed++ < 20) printf("%s:%d: %s  [%s]\n", file, line, what, subject);
    return good;
}
#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)

/* Checks that two results are equal; prints both messages if they differ. */
static inline bool check_result(sparse_result is, sparse_result wanted, const char *what, int line)
{
    if (is != wanted && failed < 20) printf("line %d: %s is %s, not %s\n", line, what, sparse_name(is), sparse_name(wanted));
    return check(is == wanted, what, __FILE__, line);
}
#define CHECK_RESULT(call, wanted) check_result(call, wanted, #call, __LINE__)

/* >>random: xorshift64*, which gives the same numbers on every machine. */
static uint64_t random_state = 88172645463325252u;

static inline size_t random_below(size_t n)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (size_t)((random_state * 2685821657736338717u >> 16) % n);
}

/* >>memory: hooks that record the size of every block, count live blocks and bytes, and fail on demand. New memory is filled
   with large numbers, so that a read of uninitialised memory shows. */
typedef struct ledger {
    size_t live;     /* blocks */
    size_t calls;    /* requests for memory */
    size_t fail_at;  /* the number of the first call that fails, as do all later calls; 0: none */
    size_t most;     /* the largest block in bytes; larger requests fail; 0: no limit */
    size_t mistakes; /* blocks that were freed or resized with a wrong size */
} ledger;

static inline void *ledger_enter(ledger *l, void *block, size_t old_bytes, size_t new_bytes)
{
    size_t *old = block ? (size_t *)block - 2 : NULL, *fresh;
    if ((old ? *old : 0) != old_bytes) l->mistakes++;
    if (new_bytes == 0) {
        free(old);
        l->live -= old != NULL;
        return NULL;
    }
    if ((++l->calls >= l->fail_at && l->fail_at > 0) || (new_bytes > l->most && l->most > 0)) return NULL;
    fresh = (size_t *)realloc(old, new_bytes + 2 * sizeof(size_t));
    if (!fresh) return NULL;
    l->live += old == NULL;
    *fresh = new_bytes;
    if (new_bytes > old_bytes) memset((char *)(fresh + 2) + old_bytes, 0x7f, new_bytes - old_bytes);
    return fresh + 2;
}

/* The hook: ledger_enter, by one thread at a time. */
static inline void *ledger_resize(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    void *at;
#ifdef _OPENMP
    #pragma omp critical
#endif
    at = ledger_enter((ledger *)context, block, old_bytes, new_bytes);
    return at;
}

static ledger books;
static const sparse_hooks counting = {ledger_resize, &books};

/* >>encodings: a text with one word per level. A word has the dimension, its map, the level type and properties.
   map         /c floordiv, %c mod, #c count; - the diagonals: difference to the dimension of the next level
   level type  d dense, b batch, c compressed, l loose, s singleton, t structured n:m, k packed n:m, m bitmap, w bitmask,
               f delta, followed by its bits
   properties  n nonunique, o nonordered, a SoA
   CSR is "0d 1c", 2:4 is "0d 1/4d 1%4t2:4", COO is "0cn 1s", DIA is "1-c 0d". */
static const char map_signs[] = " /%#-"; /* in the order of sparse_map */
static inline unsigned long read_number(const char **text)
{
    unsigned long n = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) n = 10 * n + (unsigned long)(**text - '0');
    return n;
}

static inline bool takes_n_of_m(const sparse_level *v)
{
    return v->type == SPARSE_STRUCTURED || v->type == SPARSE_PACKED;
}

static inline sparse_level read_level(const char **text)
{
    static const char letters[] = "dbclstmwfk";
    sparse_level v;
    memset(&v, 0, sizeof v);
    v.dim = (uint8_t)read_number(text);
    const void *const sign = memchr(map_signs + 1, **text, sizeof map_signs - 2);
    if (sign) {
        v.map = (uint8_t)((const char *)sign - map_signs);
        ++*text;
        v.c = (uint32_t)read_number(text);
    }
    v.type = (uint8_t)(strchr(letters, *(*text)++) - letters);
    if (v.type == SPARSE_DELTA) v.n = (uint16_t)read_number(text);
    if (takes_n_of_m(&v)) {
        v.n = (uint16_t)read_number(text);
        ++*text;
        v.m = (uint16_t)read_number(text);
    }
    for (; **text && **text != ' '; ++*text)
        v.properties |= (uint8_t)(**text == 'n' ? SPARSE_NONUNIQUE : **text == 'o' ? SPARSE_NONORDERED : SPARSE_SOA);
    return v;
}

static inline size_t size_of(sparse_kind kind)
{
    switch (kind) {
    case SPARSE_OPAQUE: return 24;
    case SPARSE_I8: case SPARSE_U8: return 1;
    case SPARSE_F16: case SPARSE_BF16: case SPARSE_I16: case SPARSE_U16: return 2;
    case SPARSE_F32: case SPARSE_I32: case SPARSE_U32: return 4;
    case SPARSE_C128: return 16;
    default: return 8;
    }
}

static inline sparse_encoding encode(const char *text, unsigned pos_bits, unsigned crd_bits, sparse_kind kind)
{
    sparse_encoding e;
    memset(&e, 0, sizeof e);
    e.name = "test";
    e.pos_bits = (uint8_t)pos_bits;
    e.crd_bits = (uint8_t)crd_bits;
    e.kind = kind;
    e.value_size = size_of(kind);
    while (*text) {
        const sparse_level v = read_level(&text);
        if (v.dim >= e.rank) e.rank = (uint8_t)(v.dim + 1);
        e.level[e.levels++] = v;
        while (*text == ' ') text++;
    }
    return e;
}

/* subject = the encoding, written as above. */
static inline void name_subject(const sparse_encoding *e)
{
    size_t at = (size_t)snprintf(subject, sizeof subject, "p%u c%u k%u:", e->pos_bits, e->crd_bits, (unsigned)e->kind);
    for (unsigned l = 0; l < e->levels && at + 24 < sizeof subject; l++) {
        const sparse_level *v = &e->level[l];
        at += (size_t)snprintf(subject + at, sizeof subject - at, " %u", v->dim);
        if (v->map) at += (size_t)snprintf(subject + at, sizeof subject - at, "%c%u", map_signs[v->map], v->c);
        at += (size_t)snprintf(subject + at, sizeof subject - at, "%c", "dbclstmwfk?"[v->type]);
        if (v->type == SPARSE_DELTA) at += (size_t)snprintf(subject + at, sizeof subject - at, "%u", v->n);
        if (takes_n_of_m(v)) at += (size_t)snprintf(subject + at, sizeof subject - at, "%u:%u", v->n, v->m);
        at += (size_t)snprintf(subject + at, sizeof subject - at, "%s%s%s", v->properties & 1 ? "n" : "",
                               v->properties & 2 ? "o" : "", v->properties & 4 ? "a" : "");
    }
}

/* The arrays of a tensor, to assemble it again. */
static inline sparse_arrays arrays_in(const sparse_room *room, const sparse_encoding *e)
{
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    memcpy(t.pos, room->pos, sizeof t.pos);
    memcpy(t.crd, room->crd, sizeof t.crd);
    t.encoding = e, t.val = room->val;
    return sparse_arrays_of(&t);
}

/* An empty tensor that allocates with the ledger's hooks. */
static inline sparse_tensor tensor_of(const sparse_encoding *e)
{
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = e;
    t.hooks = &counting;
    return t;
}

/* >>values: *at = number, as a value of any kind. 0 is zero, and different numbers below 100 give different values. The
   imaginary part of a complex number is twice the real part. */
static inline void put_number(const sparse_encoding *e, void *at, int number)
{
    const float f = (float)number, twice_f = 2 * f;
    const double d = (double)number, twice_d = 2 * d;
    const sparse_f16 f16 = sparse_f16_of_float(f);
    const sparse_bf16 bf16 = sparse_bf16_of_float(f);
    const uint64_t u = (uint64_t)(int64_t)number;
    const uint8_t u8 = (uint8_t)u;
    const uint16_t u16 = (uint16_t)u;
    const uint32_t u32 = (uint32_t)u;
    memset(at, u8, e->value_size);
    switch (e->kind) {
    case SPARSE_I8: case SPARSE_U8: memcpy(at, &u8, 1); break;
    case SPARSE_I16: case SPARSE_U16: memcpy(at, &u16, 2); break;
    case SPARSE_I32: case SPARSE_U32: memcpy(at, &u32, 4); break;
    case SPARSE_I64: case SPARSE_U64: memcpy(at, &u, 8); break;
    case SPARSE_F16: memcpy(at, &f16, 2); break;
    case SPARSE_BF16: memcpy(at, &bf16, 2); break;
    case SPARSE_C64: memcpy((char *)at + 4, &twice_f, 4); memcpy(at, &f, 4); break;
    case SPARSE_F32: memcpy(at, &f, 4); break;
    case SPARSE_C128: memcpy((char *)at + 8, &twice_d, 8); memcpy(at, &d, 8); break;
    case SPARSE_F64: memcpy(at, &d, 8); break;
    default: break;
    }
}

/* >>truth: a small dense tensor, and its entries in random order. */
enum { MOST = 512, WIDEST = 24 };
typedef struct truth {
    size_t rank, volume, count;
    size_t dim[SPARSE_MAX_RANK];
    size_t coordinates[MOST * 4]; /* of the entries */
    char values[MOST * WIDEST];
    char dense[MOST * WIDEST];
} truth;

static inline size_t truth_at(const truth *x, const size_t *i)
{
    size_t k = 0;
    for (size_t d = 0; d < x->rank; d++) k = k * x->dim[d] + i[d];
    return k;
}

/* Makes `count` entries; entry n is at offset places[n] of the dense tensor. */
static inline void truth_of(truth *x, const sparse_encoding *e, const size_t *dim, size_t count, const size_t *places)
{
    x->rank = e->rank;
    x->volume = 1;
    x->count = count;
    for (size_t d = 0; d < x->rank; d++) x->volume *= x->dim[d] = dim[d];
    memset(x->dense, 0, sizeof x->dense);
    for (size_t k = 0; k < count; k++) {
        size_t rest = places[k];
        for (size_t d = x->rank; d-- > 0; rest /= dim[d]) x->coordinates[k * x->rank + d] = rest % dim[d];
        put_number(e, x->values + k * e->value_size, 1 + (int)random_below(99));
        memcpy(x->dense + places[k] * e->value_size, x->values + k * e->value_size, e->value_size);
    }
}

/* Makes about one in `one_in` of the elements entries, in random order. */
static inline void truth_random(truth *x, const sparse_encoding *e, const size_t *dim, size_t one_in)
{
    size_t places[MOST] = {0}, count = 0, volume = 1;
    for (size_t d = 0; d < e->rank; d++) volume *= dim[d];
    for (size_t k = 0; k < volume; k++)
        if (random_below(one_in) == 0) {
            const size_t other = random_below(count + 1);
            places[count++] = places[other];
            places[other] = k;
        }
    truth_of(x, e, dim, count, places);
}

/* >>kernels: the expected result of a kernel, computed by trying every coordinate. A test writes a kernel twice: as a kernel
   line, and as a function `truth` of the operands' values and of whether each is stored. The kernel's statement calls
   visit(i, j, ...) with its indices in the order of the loops, followed by zeros, so that visits are counted. */
enum { OPERANDS = 17, LOOPS = 8 };

typedef struct side {
    const sparse_encoding *encoding; /* null for a scalar */
    const char *index;               /* a letter, i to p, for each dimension */
    bool sliced;                     /* read through slices[] */
} side;

typedef struct kernel {
    const char *line;  /* the name, for messages */
    const char *loops; /* letters, outermost first */
    bool updates;      /* the output is changed where it is stored; else it is dense, a scalar, or assembled */
    size_t count;
    side operand[OPERANDS]; /* the output first */
    sparse_result (*run)(sparse_tensor *const *tensor, double *scalar);
    bool (*truth)(double *out, const double *value, const bool *has, const size_t *index); /* false: no visit */
} kernel;

/* A choice of sizes and entries. */
typedef enum shape { SMALL, UNEVEN, NOTHING_WIDE, ONE_WIDE, FEW_ROWS, WIDEST_CRD } shape;
typedef struct scene {
    const char *name;
    enum shape shape;
    size_t one_in; /* about one in this many coordinates is stored; 0: none */
    bool filled;   /* the output exists before the call, with values */
} scene;

/* An operand in a scene: as a tensor, and as presence and values in dense arrays, last dimension fastest. */
typedef struct grid {
    size_t dim[SPARSE_MAX_RANK], volume, count;
    bool *has;
    double *value;
    sparse_tensor tensor;
} grid;

static size_t span[LOOPS], strays;
static sparse_slice slices[OPERANDS][SPARSE_MAX_RANK];
static bool second_run; /* the kernel runs a second time, after its visits were counted */
static unsigned char *seen;

/* The offset of coordinates i in a dense array of the given sizes; SIZE_MAX if they are out of range. */
static inline size_t place_of(const size_t *i, const size_t *size, size_t rank)
{
    size_t at = 0;
    for (size_t d = 0; d < rank; d++) {
        if (i[d] >= size[d]) return SIZE_MAX;
        at = at * size[d] + i[d];
    }
    return at;
}

/* ORACLE_VISITS 0: visits are not counted, so that the compiler optimises the kernels as it does for users. */
#ifndef ORACLE_VISITS
    #define ORACLE_VISITS 1
#endif
static inline void visit(size_t i, size_t j, size_t k, size_t l, size_t m, size_t n, size_t o, size_t p)
{
    if (!ORACLE_VISITS || second_run) return;
    const size_t index[LOOPS] = {i, j, k, l, m, n, o, p}, at = place_of(index, span, LOOPS);
    if (at == SIZE_MAX)
        strays++;
    else
        seen[at] = seen[at] ? 2 : 1;
}

/* The number that put_number stored, or a sum of such numbers. If the imaginary part of a complex value is not twice its
   real part, -1e300, which no test expects. */
static inline double real_of(double real, double imaginary)
{
    return imaginary >= 2 * real && imaginary <= 2 * real ? real : -1e300;
}
/* clang-format off */
static inline double number_at(const sparse_encoding *e, const void *at)
{
    int8_t i8; int16_t i16; int32_t i32; int64_t i64;
    uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
    float f, parts[2]; double d = 0, wide[2]; sparse_f16 f16; sparse_bf16 bf16;
    switch (e->kind) {
    case SPARSE_I8: memcpy(&i8, at, 1); return i8;
    case SPARSE_I16: memcpy(&i16, at, 2); return i16;
    case SPARSE_I32: memcpy(&i32, at, 4); return i32;
    case SPARSE_I64: memcpy(&i64, at, 8); return (double)i64;
    case SPARSE_U8: memcpy(&u8, at, 1); return u8;
    case SPARSE_U16: memcpy(&u16, at, 2); return u16;
    case SPARSE_U32: memcpy(&u32, at, 4); return u32;
    case SPARSE_U64: memcpy(&u64, at, 8); return (double)u64;
    case SPARSE_F32: memcpy(&f, at, 4); return (double)f;
    case SPARSE_F16: memcpy(&f16, at, 2); return (double)sparse_float_of_f16(f16);
    case SPARSE_BF16: memcpy(&bf16, at, 2); return (double)sparse_float_of_bf16(bf16);
    case SPARSE_C64: memcpy(parts, at, 8); return real_of((double)parts[0], (double)parts[1]);
    case SPARSE_C128: memcpy(wide, at, 16); return real_of(wide[0], wide[1]);
    default: memcpy(&d, at, 8); return d;
    }
}
/* clang-format on */

/* lend_arrays makes a tensor that borrows arrays as long as those of t. After a kernel has filled them, check_lent checks
   that they equal the arrays of t, and frees them. */
static inline void lend_buffer(sparse_buffer *b, const sparse_buffer *like, size_t size)
{
    b->at = malloc(like->length * size + 1);
    b->length = like->length;
    if (!b->at) abort();
}
static inline sparse_tensor lend_arrays(const sparse_tensor *t)
{
    sparse_tensor lent = tensor_of(t->encoding);
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        lend_buffer(&lent.pos[l], &t->pos[l], t->encoding->pos_bits / 8u);
        lend_buffer(&lent.crd[l], &t->crd[l], t->encoding->crd_bits / 8u);
    }
    lend_buffer(&lent.val, &t->val, t->encoding->value_size);
    return lent;
}
static inline bool is_lent_buffer(sparse_buffer *lent, const sparse_buffer *b, size_t size)
{
    const bool same = lent->length == b->length && lent->capacity == 0 &&
                      (b->length == 0 || memcmp(lent->at, b->at, b->length * size) == 0);
    free(lent->at);
    return same;
}
static inline void check_lent(sparse_result result, sparse_tensor *lent, const sparse_tensor *t)
{
    CHECK(result == SPARSE_OK);
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        CHECK(is_lent_buffer(&lent->pos[l], &t->pos[l], t->encoding->pos_bits / 8u));
        CHECK(is_lent_buffer(&lent->crd[l], &t->crd[l], t->encoding->crd_bits / 8u));
    }
    CHECK(is_lent_buffer(&lent->val, &t->val, t->encoding->value_size));
}

/* Marks as stored all coordinates that agree with i in the levels above l. */
static inline void mark_stored(grid *g, size_t *i, unsigned l)
{
    const sparse_encoding *e = g->tensor.encoding;
    if (l == e->levels) {
        const size_t at = place_of(i, g->dim, e->rank);
        if (at != SIZE_MAX) g->has[at] = true;
        return;
    }
    const sparse_level *v = &e->level[l];
    const size_t start = v->map == SPARSE_MAP_MOD ? i[v->dim] / v->c * v->c : 0;
    const size_t count = v->map == SPARSE_MAP_MOD ? v->c : g->dim[v->dim];
    const size_t step = v->map == SPARSE_MAP_FLOORDIV ? v->c : 1;
    for (size_t at = 0; at < count; at += step) {
        i[v->dim] = start + at;
        mark_stored(g, i, l + 1);
    }
}

/* The number of levels down to the last level that is not dense. The dense levels below it are full. */
static inline unsigned sparse_levels(const sparse_encoding *e)
{
    unsigned sparse = e->levels;
    while (sparse > 0 && e->level[sparse - 1].type <= SPARSE_BATCH) sparse--;
    return sparse;
}

/* The level whose coordinate is a difference or a count; the number of levels if there is none. */
static inline unsigned level_of_map(const sparse_encoding *e, sparse_map map)
{
    unsigned l = 0;
    while (l < e->levels && e->level[l].map != map) l++;
    return l;
}

/* Is there room for one more entry, at offset k? A structured or packed level holds n of every m. */
static inline bool has_room(const grid *g, const size_t *at, size_t k)
{
    const sparse_encoding *e = g->tensor.encoding;
    const sparse_level *last = &e->level[e->levels - 1];
    const size_t row = g->dim[e->rank - 1];
    size_t same = 0;
    if (sparse_levels(e) > 0 && e->pos_bits == 8 && g->count >= 255) return false;
    const unsigned count = level_of_map(e, SPARSE_MAP_COUNT);
    if (count < e->levels) { /* a row has at most one entry per slice */
        const sparse_level *v = &e->level[count];
        size_t step = 1;
        for (unsigned d = v->dim + 1u; d < e->rank; d++) step *= g->dim[d];
        for (size_t n = 0; n < g->count; n++)
            same += at[n] / step % g->dim[v->dim] == k / step % g->dim[v->dim];
        return same < v->c;
    }
    if (!takes_n_of_m(last)) return true;
    for (size_t n = 0; n < g->count; n++)
        same += at[n] / row == k / row && at[n] % row / last->m == k % row / last->m;
    return same < last->n;
}

/* A number from 0 to 9; if the value type is a constant, the constant. */
static inline int random_number(const sparse_encoding *e)
{
    return e->constant ? (int)number_at(e, e->constant) : (int)random_below(10);
}

static inline double fill_of(const sparse_encoding *e) { return e && e->fill ? number_at(e, e->fill) : 0; }

/* Draws the entries of an operand and packs them into its tensor. */
static inline void fill(grid *g, const scene *s)
{
    const sparse_encoding *e = g->tensor.encoding;
    static const size_t uneven[] = {1, 3, 40};
    const size_t one_in = s->shape == WIDEST_CRD ? g->volume / 25 + 1
                          : s->shape == UNEVEN   ? uneven[random_below(3)]
                                                 : s->one_in;
    size_t *at = (size_t *)malloc((g->volume + 1) * sizeof *at);
    size_t *coordinates = (size_t *)malloc((g->volume + 1) * e->rank * sizeof *coordinates);
    char *values = (char *)malloc((g->volume + 1) * e->value_size);
    if (!at || !coordinates || !values) abort();
    for (size_t k = g->volume; k-- > 0;) {
        const size_t row = k / (g->volume / g->dim[0]);
        const bool last = s->shape == WIDEST_CRD && k == g->volume - 1;
        if (!last && (one_in == 0 || random_below(one_in) != 0 || (s->shape == FEW_ROWS && row % 3 != 1)))
            continue;
        if (!has_room(g, at, k)) continue;
        const size_t other = random_below(g->count + 1);
        at[g->count++] = at[other];
        at[other] = k;
    }
    for (size_t n = 0; n < g->count; n++) {
        size_t *i = coordinates + n * e->rank, stored[SPARSE_MAX_RANK], rest = at[n];
        for (size_t d = e->rank; d-- > 0; rest /= g->dim[d]) i[d] = rest % g->dim[d];
        const int number = random_number(e);
        put_number(e, values + n * e->value_size, number);
        g->value[at[n]] = number;
        memcpy(stored, i, e->rank * sizeof *i);
        if (level_of_map(e, SPARSE_MAP_MINUS) == e->levels) mark_stored(g, stored, sparse_levels(e));
    }
    size_t origin[SPARSE_MAX_RANK] = {0};
    if (sparse_levels(e) == 0) mark_stored(g, origin, 0);
    CHECK_RESULT(sparse_pack_untyped(&g->tensor, g->dim, g->count, coordinates, values, SPARSE_DUPLICATES_ERROR),
                 SPARSE_OK);
    bool forward = false; /* delta, n:m and diagonal levels store padding; read from the tensor where */
    for (unsigned l = 0; l < e->levels; l++) forward = forward || e->level[l].type == SPARSE_DELTA;
    if (forward || takes_n_of_m(&e->level[e->levels - 1]) ||
        level_of_map(e, SPARSE_MAP_MINUS) < e->levels)
        SPARSE_FOREACH(c, &g->tensor) g->has[place_of(c.dim, g->dim, e->rank)] = true;
    free(at);
    free(coordinates);
    free(values);
}

/* Draws a larger tensor and a slice of it; the operand is the slice. */
static inline void fill_slice(grid *g, sparse_slice *slice, const scene *s)
{
    enum { MOST_ENTRIES = 250 };
    const sparse_encoding *e = g->tensor.encoding;
    size_t dim[SPARSE_MAX_RANK], volume = 1, count = 0;
    for (unsigned d = 0; d < e->rank; d++) {
        slice[d].offset = random_below(3);
        slice[d].stride = g->dim[d] > 80 ? 1 : 1 + random_below(2) * random_below(3);
        slice[d].size = g->dim[d];
        dim[d] = slice[d].offset + (slice[d].size - 1) * slice[d].stride + 1 + random_below(3);
        volume *= dim[d];
    }
    size_t coordinates[MOST_ENTRIES * SPARSE_MAX_RANK];
    char *values = (char *)malloc(MOST_ENTRIES * e->value_size);
    if (!values) abort();
    const size_t one_in = volume / (MOST_ENTRIES / 2) + s->one_in;
    for (size_t k = 0; k < volume && count < MOST_ENTRIES; k++) {
        if (s->one_in == 0 || random_below(one_in) != 0) continue;
        size_t rest = k;
        for (unsigned d = e->rank; d-- > 0; rest /= dim[d]) coordinates[count * e->rank + d] = rest % dim[d];
        put_number(e, values + count++ * e->value_size, random_number(e));
    }
    CHECK_RESULT(sparse_pack_untyped(&g->tensor, dim, count, coordinates, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    SPARSE_FOREACH_SLICE(c, &g->tensor, slice)
    {
        const size_t at = place_of(c.dim, g->dim, e->rank);
        g->has[at] = true;
        g->value[at] = number_at(e, c.value);
    }
    free(values);
}

/* Makes the operand with the given indices; it is empty unless `filled`. */
static inline void open_grid(grid *g, const side *o, const size_t *size, const scene *s, bool filled, sparse_slice *slice)
{
    memset(g, 0, sizeof *g);
    g->volume = 1;
    for (size_t d = 0; o->index[d]; d++) g->volume *= g->dim[d] = size[o->index[d] - 'i'];
    g->has = (bool *)calloc(g->volume + 1, sizeof *g->has);
    g->value = (double *)calloc(g->volume + 1, sizeof *g->value);
    if (!g->has || !g->value) abort();
    for (size_t n = 0; n < g->volume; n++) g->value[n] = fill_of(o->encoding);
    if (o->encoding) g->tensor = tensor_of(o->encoding);
    if (!o->encoding) {
        g->has[0] = true;
        g->value[0] = (double)random_below(5);
    } else if (o->sliced)
        fill_slice(g, slice, s);
    else if (filled)
        fill(g, s);
}

static inline void close_grid(grid *g)
{
    sparse_free(&g->tensor);
    free(g->has);
    free(g->value);
}

/* The largest size of an index that the coordinate widths allow, up to `most`. */
static inline size_t widest(const kernel *k, char letter, size_t most)
{
    for (size_t n = 0; n < k->count; n++) {
        const sparse_encoding *e = k->operand[n].encoding;
        if (e && most > 256 && level_of_map(e, SPARSE_MAP_MINUS) < e->levels) most = 256;
        for (unsigned l = 0; e && l < e->levels; l++) /* positions must suffice for padding */
            if (e->level[l].type == SPARSE_DELTA && e->pos_bits == 8 && most > 128) most = 128;
        for (unsigned l = 0; e && l < e->levels; l++)
            if (e->level[l].type != SPARSE_DENSE && k->operand[n].index[e->level[l].dim] == letter &&
                e->crd_bits < 32 && most > (size_t)1 << e->crd_bits)
                most = (size_t)1 << e->crd_bits;
    }
    return most;
}

/* Does any operand other than the output have this index? */
static inline bool is_sized(const kernel *k, char letter)
{
    for (size_t n = 1; n < k->count; n++)
        if (strchr(k->operand[n].index, letter)) return true;
    return false;
}

static inline void choose_sizes(size_t *size, const kernel *k, const scene *s)
{
    static const size_t limit[LOOPS + 1] = {0, 100, 9, 5, 4, 3, 3, 2, 2};
    const size_t loops = strlen(k->loops), chosen = random_below(loops);
    for (size_t l = 0; l < loops; l++) {
        size_t *n = &size[k->loops[l] - 'i'];
        *n = 1 + random_below(s->shape == WIDEST_CRD             ? 2
                              : s->shape == UNEVEN && loops == 2 ? 40
                                                                 : limit[loops]);
        if (s->shape == NOTHING_WIDE && l == chosen && is_sized(k, k->loops[l])) *n = 0;
        if (s->shape == ONE_WIDE && l == chosen) *n = 1;
        if (s->shape == WIDEST_CRD && l == chosen) *n = widest(k, k->loops[l], loops <= 2 ? 65536 : 256);
    }
}

/* Is the output rebuilt by each call? */
static inline bool is_assembled(const kernel *k)
{
    return !k->updates && k->operand[0].encoding && sparse_levels(k->operand[0].encoding) > 0;
}

/* Clears the expected content of an output that is rebuilt. */
static inline void clear_grid(grid *g)
{
    memset(g->has, 0, g->volume * sizeof *g->has);
    for (size_t n = 0; n < g->volume; n++) g->value[n] = 0;
}

/* Runs the truth function; returns the number of coordinates that the kernel visited too often or too rarely. */
static inline size_t run_truth(const kernel *k, grid *g, const size_t *size)
{
    size_t wrong = strays, index[LOOPS] = {0}, total = 1;
    const size_t loops = strlen(k->loops);
    for (size_t l = 0; l < loops; l++) total *= span[l];
    for (size_t step = 0; step < total; step++) {
        size_t at[OPERANDS], rest = step;
        bool has[OPERANDS];
        double value[OPERANDS];
        for (size_t l = loops; l-- > 0; rest /= span[l]) index[k->loops[l] - 'i'] = rest % span[l];
        for (size_t n = 0; n < k->count; n++) {
            at[n] = 0;
            for (const char *c = k->operand[n].index; *c; c++)
                at[n] = at[n] * size[*c - 'i'] + index[*c - 'i'];
            has[n] = g[n].has[at[n]];
            value[n] = g[n].value[at[n]];
        }
        const bool live = (has[0] || !k->updates) && k->truth(&g[0].value[at[0]], value, has, index);
        const bool again = live && is_assembled(k) && seen[step] == 2; /* loops run twice if entries arrive unsorted */
        wrong += ORACLE_VISITS && !again && seen[step] != live;
        if (live && is_assembled(k) && !g[0].has[at[0]]) {
            size_t i[SPARSE_MAX_RANK];
            for (size_t d = 0; k->operand[0].index[d]; d++) i[d] = index[k->operand[0].index[d] - 'i'];
            mark_stored(&g[0], i, sparse_levels(k->operand[0].encoding));
        }
    }
    return wrong;
}

/* Does the output store exactly the expected entries, with the expected values? */
static inline bool is_true(const kernel *k, const grid *g, const double *scalar)
{
    size_t stored = 0, entries = 0;
    if (!k->operand[0].encoding) return scalar[0] >= g->value[0] && scalar[0] <= g->value[0];
    SPARSE_FOREACH(c, &g->tensor)
    {
        const double is = number_at(g->tensor.encoding, c.value);
        const size_t at = place_of(c.dim, g->dim, g->tensor.encoding->rank);
        if (at == SIZE_MAX || is < g->value[at] || is > g->value[at]) return false;
        entries++;
    }
    for (size_t n = 0; n < g->volume; n++) stored += g->has[n];
    return entries == (k->updates || is_assembled(k) ? stored : g->volume) &&
           (!is_assembled(k) || CHECK_RESULT(sparse_validate(&g->tensor, NULL), SPARSE_OK));
}

/* Runs a kernel in a scene and compares it with the truth. */
static inline void try_kernel(const kernel *k, const scene *s)
{
    grid g[OPERANDS];
    sparse_tensor *tensor[OPERANDS];
    double scalar[OPERANDS];
    size_t size[LOOPS] = {0}, total = 1;
    bool blank = !s->filled && !k->updates;
    snprintf(subject, sizeof subject, "%s: %s", s->name, k->line);
    for (size_t n = 0; n < k->count; n++) /* slices are not empty, and their tensors are wider */
        if (k->operand[n].sliced && (s->shape == NOTHING_WIDE || s->shape == WIDEST_CRD)) return;
    choose_sizes(size, k, s);
    for (const char *c = k->operand[0].index; *c; c++) blank = blank && is_sized(k, *c);
    for (size_t n = 0; n < k->count; n++) {
        open_grid(&g[n], &k->operand[n], size, s, n > 0 || !blank, slices[n]);
        tensor[n] = &g[n].tensor;
        scalar[n] = g[n].value[0];
    }
    for (size_t l = 0; l < LOOPS; l++)
        total *= span[l] = k->loops[0] && l < strlen(k->loops) ? size[k->loops[l] - 'i'] : 1;
    seen = (unsigned char *)calloc(total + 1, 1);
    if (!seen) abort();
    strays = 0;
    CHECK_RESULT(k->run(tensor, scalar), SPARSE_OK);
    if (is_assembled(k)) clear_grid(&g[0]);
    CHECK(run_truth(k, g, size) == 0);
    CHECK(is_true(k, &g[0], scalar));
    free(seen);
    for (size_t n = 0; n < k->count; n++) close_grid(&g[n]);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static inline void try_kernels(const kernel *k, size_t count)
{
    static const scene scenes[] = {
        /* clang-format off */
        {"dense", SMALL, 2, true},          {"medium", SMALL, 4, false},       {"thin", SMALL, 12, false},
        {"full", SMALL, 1, false},          {"empty", SMALL, 0, true},         {"no coordinates", NOTHING_WIDE, 2, false},
        {"one row", ONE_WIDE, 2, true},     {"empty rows", FEW_ROWS, 2, true}, {"widest", WIDEST_CRD, 0, false},
        {"uneven", UNEVEN, 0, false},
        /* clang-format on */
    };
    for (size_t n = 0; n < count; n++)
        for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) try_kernel(&k[n], &scenes[s]);
}

/* The last line of a test program, and its exit status. */
static inline int report(const char *name)
{
    printf("%s: %lu passed, %lu failed\n", name, passed, failed);
    return failed != 0;
}

#endif /* ORACLE_H */
