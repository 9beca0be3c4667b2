/* oracle.h: what the storage tests are measured against. Checks that count, memory that is accounted
   for and can be made to fail, encodings spelled in a line, and dense tensors as the truth. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdio.h>

#include "sparse_formats.h"

/* >>checks: CHECK(condition) counts; a failure prints place, condition and the encoding at hand. */
static unsigned long passed, failed;
static char subject[160];

static inline bool check(bool good, const char *what, const char *file, int line)
{
    if (good) passed++;
    else if (failed++ < 20) printf("%s:%d: %s  [%s]\n", file, line, what, subject);
    return good;
}
#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)

/* The results are equal, or both sentences are printed. */
static inline bool check_result(sparse_result is, sparse_result wanted, const char *what, int line)
{
    if (is != wanted && failed < 20) printf("line %d: %s is %s, not %s\n", line, what, sparse_name(is), sparse_name(wanted));
    return check(is == wanted, what, __FILE__, line);
}
#define CHECK_RESULT(call, wanted) check_result(call, wanted, #call, __LINE__)

/* >>random: xorshift64*, the same numbers on every machine. */
static uint64_t random_state = 88172645463325252u;

static inline size_t random_below(size_t n)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (size_t)((random_state * 2685821657736338717u >> 16) % n);
}

/* >>memory: hooks that know every block's size, count what is live, and fail on demand. */
typedef struct ledger {
    size_t live;     /* blocks */
    size_t calls;    /* that asked for memory */
    size_t fail_at;  /* the call that fails; 0: none */
    size_t mistakes; /* blocks whose size was stated wrongly */
} ledger;

static inline void *ledger_resize(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    ledger *l = (ledger *)context;
    size_t *old = block ? (size_t *)block - 2 : NULL, *fresh;
    if ((old ? *old : 0) != old_bytes) l->mistakes++;
    if (new_bytes == 0) {
        free(old);
        l->live -= old != NULL;
        return NULL;
    }
    if (++l->calls == l->fail_at) return NULL;
    fresh = (size_t *)realloc(old, new_bytes + 2 * sizeof(size_t));
    if (!fresh) return NULL;
    l->live += old == NULL;
    *fresh = new_bytes;
    return fresh + 2;
}

static ledger books;
static const sparse_hooks counting = {ledger_resize, &books};

/* >>encodings: one word per level: dimension, /c or %c, and the level type:
   d dense, b batch, c compressed, l loose, s singleton, t structured with n:m; then properties
   n nonunique, o nonordered, a SoA. CSR is "0d 1c", 2:4 "0d 1/4d 1%4t2:4", COO "0cn 1s". */
static inline unsigned long read_number(const char **text)
{
    unsigned long n = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) n = 10 * n + (unsigned long)(**text - '0');
    return n;
}

static inline sparse_level read_level(const char **text)
{
    static const char letters[] = "dbclst";
    sparse_level v;
    memset(&v, 0, sizeof v);
    v.dim = (uint8_t)read_number(text);
    if (**text == '/' || **text == '%') {
        v.map = (uint8_t)(*(*text)++ == '/' ? SPARSE_MAP_FLOORDIV : SPARSE_MAP_MOD);
        v.c = (uint32_t)read_number(text);
    }
    v.format = (uint8_t)(strchr(letters, *(*text)++) - letters);
    if (v.format == SPARSE_STRUCTURED) {
        v.n = (uint16_t)read_number(text);
        ++*text;
        v.m = (uint16_t)read_number(text);
    }
    for (; **text && **text != ' '; ++*text)
        v.properties |= (uint8_t)(**text == 'n' ? SPARSE_NONUNIQUE : **text == 'o' ? SPARSE_NONORDERED : SPARSE_SOA);
    return v;
}

static inline sparse_encoding encode(const char *text, unsigned pos_bits, unsigned crd_bits, sparse_kind kind)
{
    sparse_encoding e;
    memset(&e, 0, sizeof e);
    e.name = "test";
    e.pos_bits = (uint8_t)pos_bits;
    e.crd_bits = (uint8_t)crd_bits;
    e.kind = kind;
    e.value_size = kind == SPARSE_OPAQUE ? 24 : sparse_p_kind_size(kind);
    while (*text) {
        const sparse_level v = read_level(&text);
        if (v.dim >= e.rank) e.rank = (uint8_t)(v.dim + 1);
        e.level[e.levels++] = v;
        while (*text == ' ') text++;
    }
    return e;
}

/* subject = the encoding, spelled as above. */
static inline void name_subject(const sparse_encoding *e)
{
    size_t at = (size_t)snprintf(subject, sizeof subject, "p%u c%u k%u:", e->pos_bits, e->crd_bits, (unsigned)e->kind);
    for (unsigned l = 0; l < e->levels && at + 24 < sizeof subject; l++) {
        const sparse_level *v = &e->level[l];
        at += (size_t)snprintf(subject + at, sizeof subject - at, " %u", v->dim);
        if (v->map) at += (size_t)snprintf(subject + at, sizeof subject - at, "%c%u", v->map == 1 ? '/' : '%', v->c);
        at += (size_t)snprintf(subject + at, sizeof subject - at, "%c", "dbclst"[v->format]);
        if (v->format == SPARSE_STRUCTURED) at += (size_t)snprintf(subject + at, sizeof subject - at, "%u:%u", v->n, v->m);
        at += (size_t)snprintf(subject + at, sizeof subject - at, "%s%s%s", v->properties & 1 ? "n" : "",
                               v->properties & 2 ? "o" : "", v->properties & 4 ? "a" : "");
    }
}

/* An empty tensor with accounted memory. */
static inline sparse_tensor tensor_of(const sparse_encoding *e)
{
    sparse_tensor t;
    memset(&t, 0, sizeof t);
    t.encoding = e;
    t.hooks = &counting;
    return t;
}

/* >>values: *at = number, in any kind; 0 is zero, and different numbers below 100 differ. */
static inline void put_number(const sparse_encoding *e, void *at, int number)
{
    const float f = (float)number;
    const double d = (double)number;
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
    case SPARSE_C64: memcpy((char *)at + 4, &f, 4); memcpy(at, &f, 4); break;
    case SPARSE_F32: memcpy(at, &f, 4); break;
    case SPARSE_C128: memcpy((char *)at + 8, &d, 8); memcpy(at, &d, 8); break;
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

/* Entries 0 to count - 1 are at the places[0..count) of the dense tensor, in that order. */
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

/* About one in `one_in` of the elements, in random order. */
static inline void truth_random(truth *x, const sparse_encoding *e, const size_t *dim, size_t one_in)
{
    size_t places[MOST], count = 0, volume = 1;
    for (size_t d = 0; d < e->rank; d++) volume *= dim[d];
    for (size_t k = 0; k < volume; k++)
        if (random_below(one_in) == 0) {
            const size_t other = random_below(count + 1);
            places[count++] = places[other];
            places[other] = k;
        }
    truth_of(x, e, dim, count, places);
}

#endif /* ORACLE_H */
