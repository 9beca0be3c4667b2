/* lines.h: shared by the programs that write kernel lines: growing strings, random choices, tensor types. */
#ifndef LINES_H
#define LINES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK = 4, LEVELS = 5, TEXT = 4096 };

/* A tensor type. dim[l] is the dimension that level l stores; format[l] a letter for its level type. A type with blocks
   gives its levels in words instead, as in "i/2 j i%2". */
typedef struct type {
    size_t rank, dim[RANK];
    char format[LEVELS + 1];
    const char *blocks, *value;
    unsigned pos, crd;
    const char *fill; /* the fill value, as a program writes it; null: zero */
} type;

static inline void die(const char *text)
{
    fputs(text, stderr);
    exit(2);
}

/* >>text: strings that grow, and a list of those already written */
typedef struct text {
    char at[TEXT];
    size_t length;
} text;

/* Appends formatted text, as printf would write it. */
static inline void put(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(t->at + t->length, TEXT - t->length, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= TEXT - t->length) die("a text is too long\n");
    t->length += (size_t)n;
}

/* The number of a text in its list; also reports whether the text was added by this call. */
typedef struct list {
    char **at;
    size_t count;
} list;

static inline bool is_new(list *l, const char *s, size_t *number)
{
    for (*number = 0; *number < l->count; ++*number)
        if (strcmp(l->at[*number], s) == 0) return false;
    l->at = (char **)realloc(l->at, (l->count + 1) * sizeof *l->at);
    char *copy = (char *)malloc(strlen(s) + 1);
    if (!l->at || !copy) die("out of memory\n");
    l->at[l->count++] = strcpy(copy, s);
    return true;
}

/* >>random choices: xorshift64* */
static unsigned long long state = 88172645463325252u;

static inline size_t below(size_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 2685821657736338717u >> 16) % n);
}

static inline unsigned any_width(void) { return 8u << below(4); }
static inline const char *any_value(void)
{
    static const char *const values[] = {"double",  "float",   "int8_t",   "int16_t",  "int32_t",
                                         "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    return values[below(10)];
}
/* A value type that represents the results of the statements exactly. sums: also sums of a hundred thousand, so not float.
 */
static inline const char *any_wide_value(bool sums)
{
    static const char *const values[] = {"double", "int32_t", "int64_t", "uint64_t", "float"};
    return values[below(sums ? 4 : 5)];
}

/* >>types */

/* The permutation of `rank` elements with the given number, below rank! */
static inline void order_of(size_t *order, size_t rank, size_t number)
{
    for (size_t l = 0; l < rank; l++) order[l] = l;
    for (size_t l = rank; l > 1; number /= l, l--) {
        const size_t other = number % l, swap = order[l - 1];
        order[l - 1] = order[other];
        order[other] = swap;
    }
}

static inline size_t factorial(size_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

/* clang-format off */
static const struct {
    char letter;
    const char *name;
} level_types[] = {{'d', "dense"}, {'b', "batch"}, {'c', "compressed"}, {'n', "compressed(nonunique)"},
                   {'o', "compressed(nonordered)"},
                   {'p', "compressed(nonunique, nonordered)"}, {'l', "loose_compressed"},
                   {'m', "loose_compressed(nonunique)"}, {'s', "singleton"}, {'t', "singleton(nonunique)"},
                   {'u', "singleton(nonunique, nonordered)"}, {'U', "singleton(nonunique, nonordered, soa)"},
                   {'S', "singleton(soa)"}, {'T', "singleton(nonunique, soa)"},
                   {'B', "bitmap"}, {'M', "bitmask"}, {'D', "delta(2)"}, {'1', "structured(1, 3)"}, {'2', "structured(2, 4)"}, {'3', "structured(3, 3)"},
                   {'4', "packed(2, 4)"}, {'5', "packed(1, 3)"}};
/* clang-format on */

static inline const char *level_type(char letter)
{
    size_t n = 0;
    while (level_types[n].letter != letter) n++;
    return level_types[n].name;
}

/* Level l is compressed if bit l of `mask` is set, else dense. */
static inline const char *formats_of(char *formats, size_t rank, size_t mask)
{
    for (size_t l = 0; l < rank; l++) formats[l] = mask >> l & 1 ? 'c' : 'd';
    formats[rank] = 0;
    return formats;
}

/* Random dense, compressed and loose levels. In one case of four, the last levels (at least two) are a COO region. */
static inline const char *any_formats(char *formats, size_t rank)
{
    const size_t coo = rank > 1 && below(4) == 0 ? 2 + below(rank - 1) : 0;
    const bool soa = below(2);
    for (size_t l = 0; l < rank; l++) formats[l] = "ddddcccccl"[below(10)];
    for (size_t l = rank - coo; l < rank; l++) formats[l] = soa ? 'T' : 't';
    if (coo) formats[rank - coo] = 'n', formats[rank - 1] = soa ? 'S' : 's';
    formats[rank] = 0;
    return formats;
}

/* An encoding that the engine can assemble directly, for a tensor of rank > 0: dense and compressed levels, or COO. */
static inline const char *any_assembled_formats(char *formats, size_t rank)
{
    const size_t coo = rank > 1 && below(4) == 0 ? 2 + below(rank - 1) : 0;
    const bool soa = below(2);
    do formats_of(formats, rank, below((size_t)1 << rank));
    while (!strchr(formats, 'c') && !coo);
    for (size_t l = rank - coo; l < rank; l++) formats[l] = soa ? 'T' : 't';
    if (coo) formats[rank - coo] = 'n', formats[rank - 1] = soa ? 'S' : 's';
    return formats;
}

/* An encoding for an assembled output. It may use levels that cannot be appended to, so that the result is converted: loose
   rows, bitmaps, bitmasks, batches. */
static inline const char *any_result_formats(char *formats, size_t rank)
{
    any_assembled_formats(formats, rank);
    if (strpbrk(formats, "nsS") || below(3) > 0) return formats;
    for (size_t l = 0; l < rank; l++)
        if (formats[l] == 'c') formats[l] = "clBM"[below(4)];
    if (rank > 1 && formats[0] == 'd' && below(4) == 0) formats[0] = 'b';
    return formats;
}

static inline type type_of(size_t rank, size_t order, const char *formats, const char *value)
{
    type t = {rank, {0}, "", NULL, value, any_width(), 0, NULL};
    t.crd = any_width();
    order_of(t.dim, rank, order);
    memcpy(t.format, formats, rank);
    return t;
}

/* i/2 -> floordiv(i, 2), i%2 -> mod(i, 2), j-i -> minus(j, i), i#9 -> count(i, 9), i -> i; returns what follows */
static inline const char *put_block(text *s, const char *blocks)
{
    const size_t n = strcspn(blocks, " ");
    if (n == 1)
        put(s, "%c", *blocks);
    else if (blocks[1] == '-')
        put(s, "minus(%c, %c)", *blocks, blocks[2]);
    else if (blocks[1] == '#')
        put(s, "count(%c, %lu)", *blocks, strtoul(blocks + 2, NULL, 10));
    else
        put(s, "%s(%c, %lu)", blocks[1] == '/' ? "floordiv" : "mod", *blocks, strtoul(blocks + 2, NULL, 10));
    return blocks + n + (blocks[n] == ' ');
}

/* Writes the declaration of the type if it is the first of its kind; returns the number of the type. */
static inline size_t write_type(const type *t)
{
    static list types;
    text s = {"", 0}, key;
    const char *blocks = t->blocks;
    size_t number;
    for (size_t d = 0; d < t->rank; d++) put(&s, "%s%c", d ? ", " : "((", "ijkl"[d]);
    put(&s, ")");
    for (size_t l = 0; t->format[l]; l++) {
        put(&s, ", (%s, ", level_type(t->format[l]));
        if (blocks)
            blocks = put_block(&s, blocks);
        else
            put(&s, "%c", "ijkl"[t->dim[l]]);
        put(&s, ")");
    }
    put(&s, "), %s, %u, %u", t->value, t->pos, t->crd);
    key = s;
    put(&key, ", %s", t->fill ? t->fill : "");
    if (is_new(&types, key.at, &number))
        printf("#define T%zu t%zu, %s\nSPARSE_TENSOR%s(T%zu%s%s)\n", number, number, s.at, t->fill ? "_FILL" : "", number,
               t->fill ? ", " : "", t->fill ? t->fill : "");
    return number;
}

#endif /* LINES_H */
