#if 0
: Run as a script, this file compiles itself once into a cache, under a name made of its content, and starts
home=$(dirname "$0")
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/sparse_gen
program=$cache/$(cat "$0" "$home"/sparse*.h | cksum | tr ' ' '-')
if [ ! -x "$program" ]; then
    [ ! -t 2 ] || echo "sparse_gen: compiling itself, once" >&2
    mkdir -p "$cache" && ${CC:-cc} -std=c11 -O0 -o "$program.$$" "$0" -lm && mv "$program.$$" "$program" || exit 2
fi
SPARSE_GEN_HOME=$home SPARSE_GEN_NAME=$0 exec "$program" "$@"
#endif
/* sparse_gen.c: compiles statements in tensor index notation to kernels.

       ./sparse_gen.c 'y(i) = A(i,j) * x(j)' -f A=csr                        prints the kernel line
       ./sparse_gen.c 'y(i) = A(i,j) * x(j)' -f A=csr -i A=m.mtx -i x=ones --run
       cc sparse_gen.c -o sparse_gen -lm                                     builds an ordinary program

   Part of the sparse kit. This file is a complete C11 program; it needs POSIX to run a compiler. `--help` prints
   the manual.

   A statement passes through these phases. Each phase is a section of this file (search for the anchors):

     >>text       memory, text, and errors: one sentence and a caret
     >>storage    value types, level types, encodings
     >>program    tensors, expressions, statements, kernels
     >>lex        splits the text into tokens
     >>parse      builds expressions and encodings from tokens
     >>reduce     places the sum over an index that the output lacks around the smallest subexpression with all its uses
     >>spell      writes expressions as C
     >>region     finds where an expression can be nonzero: the tree of all(...) and any(...)
     >>lower      turns statements into kernels and temporaries
     >>recurrence  statements that read elements of the output which they have just computed
     >>derive     derives statements for vector-Jacobian products
     >>schedule   builds the iteration graph: the loop orders that the storage allows
     >>costs      estimates the cost of the loops in one order
     >>order      chooses the cheapest order; converts operands if the graph has a cycle
     >>strategies  decides which loops a strategy applies to; workspaces; rows that are copied into arrays
     >>sizes      which tensors are outputs; sizes of indices; subscripts that are sums
     >>found      loops over stored entries that compute where in the result to write
     >>emit       writes the header
     >>main       writes a complete program: inputs, outputs, checks, timing
     >>explain    explains the decisions in words; draws the graph for dot
     >>run        calls the compiler and runs the program
     >>expand     prints the loops of the kernel lines
     >>options    parses the command line
     >>lint       warns about the kernel lines of a C file
     >>search     times all encodings and loop orders */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SPARSE_FILES_ALL 1
#include "sparse.h"
#include "sparse_io.h"

enum {
    MAX_RANK = SPARSE_MAX_RANK,   /* the most dimensions of a tensor and levels of an encoding */
    MAX_LOOPS = SPARSE_MAX_LOOPS, /* the most loops of a kernel line */
    MAX_OPERANDS = SPARSE_MAX_OPERANDS,
    MAX_TENSORS = 96,
    MAX_STEPS = 96,
    MAX_STATEMENTS = 32,
    MAX_INPUTS = 96,
    MAX_DEPTH = 64 /* the deepest nesting of an expression */
};

/* >>text */

/* All memory is allocated by take() and freed together, at the end. */
typedef struct block {
    struct block *next;
} block;
static block *taken;

static void release_memory(void)
{
    while (taken) {
        block *next = taken->next;
        free(taken);
        taken = next;
    }
}

/* Returns `size` zeroed bytes; exits if memory runs out. */
static void *take(size_t size)
{
    const size_t head = (sizeof(block) + 15) / 16 * 16;
    block *b = calloc(1, head + size);
    if (b == NULL) {
        fputs("sparse_gen: out of memory\n", stderr);
        exit(2);
    }
    b->next = taken;
    taken = b;
    return (char *)b + head;
}

/* A string that put() appends to. */
typedef struct text {
    char *at;
    size_t length, capacity;
} text;

#if defined(__GNUC__)
    #define PRINTF(at, from) __attribute__((format(printf, at, from)))
#else
    #define PRINTF(at, from)
#endif

static void put_list(text *t, const char *format, va_list list) PRINTF(2, 0);
static void put(text *t, const char *format, ...) PRINTF(2, 3);
static const char *print(const char *format, ...) PRINTF(1, 2);

static void put_list(text *t, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    const size_t length = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (t->length + length >= t->capacity) {
        const size_t capacity = 2 * (t->length + length) + 256;
        char *grown = take(capacity);
        if (t->length) memcpy(grown, t->at, t->length);
        t->at = grown;
        t->capacity = capacity;
    }
    vsnprintf(t->at + t->length, length + 1, format, list);
    t->length += length;
}

/* Appends to a text like printf. */
static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_list(t, format, list);
    va_end(list);
}

/* Returns a new string, formatted like printf. */
static const char *print(const char *format, ...)
{
    text t = {0};
    va_list list;
    va_start(list, format);
    put_list(&t, format, list);
    va_end(list);
    return t.at;
}

static const char *copy_string(const char *from, size_t length) { return print("%.*s", (int)length, from); }
static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static const char *upper(const char *s)
{
    char *u = take(strlen(s) + 1);
    for (size_t n = 0; s[n]; n++) u[n] = (char)toupper((unsigned char)s[n]);
    return u;
}

/* A position in the user's text, for the caret of an error. */
typedef struct spot {
    const char *source;
    size_t at;
} spot;

_Noreturn static void refuse(spot where, const char *format, ...) PRINTF(2, 3);

/* Exits with an error: one sentence, the text that it is about, and a caret under the position. */
_Noreturn static void refuse(spot where, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    text sentence = {0};
    put_list(&sentence, format, list);
    va_end(list);
    fprintf(stderr, "sparse_gen: %s\n", sentence.at);
    if (where.source) {
        fputs("    ", stderr);
        for (const char *c = where.source; *c; c++) fputc(isspace((unsigned char)*c) ? ' ' : *c, stderr);
        fprintf(stderr, "\n    %*s^\n", (int)where.at, "");
    }
    exit(2);
}

static const spot nowhere = {NULL, 0};

/* >>storage */

/* Value types, in order of conversion: where two types meet, the later one holds the result. */
typedef enum value_kind {
    BOOL,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    BF16,
    F32,
    F64,
    C64,
    C128,
    USER,
    KINDS = USER + 4
} value_kind;
static struct {
    const char *type, *shorthand, *suffix; /* types that --define adds are numbered from USER on */
} kinds[KINDS] = {
    {"bool", "b", "_bool"},
    {"int8_t", "i8", "_i8"},
    {"uint8_t", "u8", "_u8"},
    {"int16_t", "i16", "_i16"},
    {"uint16_t", "u16", "_u16"},
    {"int32_t", "i32", "_i32"},
    {"uint32_t", "u32", "_u32"},
    {"int64_t", "i64", "_i64"},
    {"uint64_t", "u64", "_u64"},
    {"sparse_f16", "f16", "_f16"},
    {"sparse_bf16", "bf16", "_bf16"},
    {"float", "f32", "_f32"},
    {"double", "f64", ""},
    {"sparse_complex64", "c64", "_c64"},
    {"sparse_complex128", "c128", "_c128"},
};

static bool is_integer(value_kind k) { return k < F16; }
static bool is_complex(value_kind k) { return k == C64 || k == C128; }
static bool is_unsigned(value_kind k) { return k == BOOL || (is_integer(k) && kinds[k].type[0] == 'u'); }

/* The type in which a statement computes with stored values: half-precision values become float. */
static value_kind computed(value_kind k) { return k == F16 || k == BF16 ? F32 : k; }
static const char *seen_type(value_kind k) { return kinds[computed(k)].type; }
static const char *part_type(value_kind k) { return k == C64 ? "float" : "double"; }

/* Writes an expression converted to a type. */
static const char *cast_to(value_kind k, const char *value)
{
    return k == BOOL ? print("(%s) != 0", value) : print("(%s)(%s)", seen_type(k), value);
}

/* Writes a stored value as a statement reads it. */
static const char *decoded(value_kind k, const char *value)
{
    return computed(k) == k ? value : print("sparse_float_of_%s(%s)", kinds[k].shorthand, value);
}

/* Writes a number as the initialiser of a stored value. */
static const char *encoded(value_kind k, const char *number)
{
    if (computed(k) != k) return print("sparse_%s_of_float((float)%s)", kinds[k].shorthand, number);
    return k == F64 ? number : print("(%s)%s", kinds[k].type, number);
}

/* The type of the result of an operation on values of two types. */
static value_kind join(value_kind a, value_kind b)
{
    a = computed(a), b = computed(b);
    if (a == b) return a;
    if (a > b) return join(b, a);
    if (b == C64) return a == F32 || a <= U16 ? C64 : C128;
    if (b == F32) return a <= U16 ? F32 : F64;
    if (b == C128 || b == F64 || (b == U64 && is_unsigned(a))) return b;
    return b <= I32 ? I32 : I64; /* two different integer types */
}

/* Level types, maps and named encodings come from the headers. A row here holds the name of a level type and tells
   whether kernels support it: they do if sparse_lattice.h defines a row for it. */
typedef enum format { DENSE = SPARSE_DENSE, COMPRESSED = SPARSE_COMPRESSED } format;
#define SPELLED(...)                   SPELLED_(__VA_ARGS__)
#define SPELLED_(...)                  #__VA_ARGS__
#define LEVEL_TYPE(NAME, name, traits) {#name, SPELLED(SPARSE_P_STORED_IS_##name), SPELLED(SPARSE_P_STORED_OF_##name(1, 1))},
static const struct level_type {
    const char *name, *bare, *called; /* the row in sparse_lattice.h, expanded; without one, the macro's own name */
} level_types[] = {SPARSE_LEVELS(LEVEL_TYPE)};
enum { FORMATS = sizeof level_types / sizeof *level_types };
static const char *format_name(format f) { return level_types[f].name; }
/* True if kernels support the level type, because sparse_lattice.h defines one of its rows. */
static bool kernels_take(format f)
{
    static const char row[] = "SPARSE_P_STORED_";
    return strncmp(level_types[f].bare, row, sizeof row - 1) != 0 ||
           strncmp(level_types[f].called, row, sizeof row - 1) != 0;
}

enum { NONUNIQUE = SPARSE_NONUNIQUE, NONORDERED = SPARSE_NONORDERED, SOA = SPARSE_SOA };

/* What a level stores of dimension `dim`: the coordinate (WHOLE), the number of its block (FLOORDIV), its offset in the
   block (MOD), a number that tells entries with equal coordinates apart (COUNT), or the difference with dimension
   `other`, which numbers the diagonals (MINUS). */
typedef enum level_part {
    WHOLE = SPARSE_MAP_DIM,
    FLOORDIV = SPARSE_MAP_FLOORDIV,
    MOD = SPARSE_MAP_MOD,
    COUNT = SPARSE_MAP_COUNT,
    MINUS = SPARSE_MAP_MINUS
} level_part;

typedef struct level {
    format format;
    unsigned properties;
    level_part part;
    unsigned dim, other;
    unsigned long size; /* the block size, or the argument of COUNT */
    unsigned n, m;      /* the arguments of structured[n, m] and packed[n, m]; n alone for delta[n] */
} level;

typedef struct encoding {
    const char *name;  /* the name of the storage type: "csr" */
    const char *macro; /* the kit's macro: "SPARSE_CSR"; null: the encoding is written out */
    unsigned rank, levels;
    unsigned pos, crd;           /* widths of positions and coordinates in bits */
    bool told_pos, told_crd;     /* did the user give these widths? */
    const char *constant, *fill; /* the value of all stored entries, null: any; the value of all others, null: zero */
    level level[MAX_RANK];
} encoding;

static bool is_dense(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].format != DENSE) return false;
    return true;
}

/* True if kernels support all its levels. */
static bool is_for_kernels(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (!kernels_take(e->level[l].format)) return false;
    return true;
}

/* True if the encoding pads: it also stores values at coordinates where the tensor has no entry. */
static bool is_padded(const encoding *e)
{
    const unsigned traits = e->levels ? sparse_p_traits(e->level[e->levels - 1].format) : 0;
    return !is_dense(e) && (traits & SPARSE_TRAIT_PADS) && !(traits & SPARSE_TRAIT_BITS);
}

/* True if every level stores a whole dimension. The order of the dimensions does not matter. */
static bool is_permutation(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].part != WHOLE) return false;
    return true;
}

/* A level in which every field has its largest value. */
static sparse_level widest(void)
{
    sparse_level v;
    memset(&v, 255, sizeof v);
    return v;
}

/* True if every level is dense, or compressed with unique coordinates in order. */
static bool is_plain(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if ((e->level[l].format != DENSE && e->level[l].format != COMPRESSED) || e->level[l].properties) return false;
    return is_permutation(e);
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && same(a, b)); }

static bool same_encoding(const encoding *a, const encoding *b)
{
    if (!same_text(a->constant, b->constant) || !same_text(a->fill, b->fill)) return false;
    if (a->rank != b->rank || a->levels != b->levels || a->pos != b->pos || a->crd != b->crd) return false;
    for (unsigned l = 0; l < a->levels; l++) {
        const level *x = &a->level[l], *y = &b->level[l];
        if (x->format != y->format || x->properties != y->properties || x->part != y->part || x->dim != y->dim ||
            x->other != y->other || x->size != y->size || x->n != y->n || x->m != y->m)
            return false;
    }
    return true;
}

/* Makes an encoding from letters, one per level: d for dense, c for compressed. The levels store the dimensions in the
   given order. */
static encoding make_encoding(const char *formats, const char *order)
{
    encoding e = {.pos = 32, .crd = 32};
    for (unsigned l = 0; formats[l]; l++) {
        e.level[l] = (level){.format = formats[l] == 'c' ? COMPRESSED : DENSE, .dim = (unsigned)(order[l] - '0')};
        e.rank = e.levels = l + 1;
    }
    return e;
}

static const char in_order[] = "01234567";

/* The named encodings of the kit: name, macro and levels. A # or a capital letter stands for each size. */
typedef struct named {
    const char *name, *macro, *levels;
} named;
#define NAMED(name, encoding) {name, #encoding, SPELLED(encoding)},
static const named named_encodings[] = {SPARSE_ENCODINGS(NAMED)};
enum { NAMED_ENCODINGS = sizeof named_encodings / sizeof *named_encodings, MAX_SIZES = 2 };

static const char dim_letters[] = "ijklmnop";
static char dim_letter(unsigned dim) { return dim_letters[dim]; }

/* The words that the encoding syntax uses for the parts of a level. */
static const char *const part_words[] = {
    [WHOLE] = "", [FLOORDIV] = "floordiv", [MOD] = "mod", [COUNT] = "count", [MINUS] = "minus"};

/* Writes what a level stores: i, floordiv(i, 2), minus(j, i). */
static const char *spell_part(level_part part, char i, char other, unsigned long size)
{
    if (part == WHOLE) return print("%c", i);
    if (part == MINUS) return print("minus(%c, %c)", i, other);
    return print("%s(%c, %lu)", part_words[part], i, size);
}

/* Writes an encoding as a descriptor needs it: SPARSE_CSR, or ((i, j), (dense, i), (compressed, j)). */
static void put_encoding(text *t, const encoding *e)
{
    if (e->macro) {
        put(t, "%s", e->macro);
        return;
    }
    put(t, "((");
    for (unsigned d = 0; d < e->rank; d++) put(t, d ? ", %c" : "%c", dim_letter(d));
    put(t, ")");
    for (unsigned l = 0; l < e->levels; l++) {
        const level *v = &e->level[l];
        const char *comma = "";
        put(t, ", (%s", format_name(v->format));
        if (v->m)
            put(t, "(%u, %u)", v->n, v->m);
        else if (v->n)
            put(t, "(%u)", v->n);
        if (v->properties) {
            put(t, "(");
            if (v->properties & NONUNIQUE) put(t, "nonunique"), comma = ", ";
            if (v->properties & NONORDERED) put(t, "%snonordered", comma), comma = ", ";
            if (v->properties & SOA) put(t, "%ssoa", comma);
            put(t, ")");
        }
        put(t, ", %s)", spell_part(v->part, dim_letter(v->dim), dim_letter(v->other), v->size));
    }
    put(t, ")");
}

/* >>program */

/* A set of indices; each is a letter. */
typedef uint32_t letters;
static letters letter_bit(char i) { return (letters)1 << (i - 'a'); }
static letters letters_of(const char *index)
{
    letters set = 0;
    for (; *index; index++) set |= letter_bit(*index);
    return set;
}

/* The role of a tensor in the program. */
typedef enum tensor_role { INPUT, OUTPUT, TEMPORARY, CONVERTED, WORKSPACE } tensor_role;

typedef struct tensor {
    const char *name;
    spot place; /* its first use in the text */
    tensor_role role;
    unsigned rank;
    char index[MAX_RANK + 1]; /* the indices of its first access */
    encoding encoding;
    value_kind kind;
    bool has_encoding, has_kind;
    int source;                   /* CONVERTED: the tensor that it is a conversion of */
    int part_of;                  /* 1 + the tensor whose sizes it shares; 0: none */
    bool assigned;                /* an earlier statement assigned it */
    bool updated;                 /* an output whose old values are read */
    const char *embedded;         /* the file whose entries are compiled into the program */
    const char *read_as;          /* an extension that names the format of its file; null: the file name determines it */
    spot read_as_place;           /* the position of --read-as */
    const char *sizes_in_bytes;   /* for a comment in the header: bytes of the embedded file in several encodings */
    bool windowed[MAX_RANK];      /* dimensions that are only read at subscripts such as i + p */
    bool padded;                  /* reads the fill value at subscripts outside of its dimensions */
    const char *half;             /* symmetric, skew or hermitian: it stores one triangle; null: it stores all */
    unsigned long told[MAX_RANK]; /* the sizes of these dimensions, given with -d; 0: not given */
    spot window;                  /* the first subscript such as i + p in the text */
    char range;                   /* the index, if the tensor only gives an index its size */
    int known_of;                 /* 1 + the output, if the tensor stands for the new elements of a recurrence */
    int known_in;                 /* the statement of this recurrence */
    const char *type;             /* name of the storage type */
    double entries;               /* the number of entries in its input file; 0: unknown */
    const struct node *counted;   /* for a scalar that counts coordinates: an expression with these indices, */
    uint32_t over;                /* and the indices */
} tensor;

typedef enum node_kind {
    LITERAL,
    COORDINATE,
    ACCESS,
    WINDOW,
    SUM,
    PRODUCT,
    CALL,
    COMPARISON,
    OPERATION, /* && || ! ? % */
    REDUCTION
} node_kind;

/* A subscript: start + the sum of step * index, such as i, 2 * i + p or 0. A range, i(2,10,3), has an end too. */
typedef struct subscript {
    spot place;
    long start, end; /* end: 0 if it is no range */
    unsigned count;
    char index[MAX_LOOPS + 1];
    long step[MAX_LOOPS];
    letters idle;      /* indices that the subscript multiplies by 0 */
    char unit;         /* for a constant in a kernel line: the index of a loop with one iteration */
    const char *set;   /* for rows(i): the name rows. index is i at first, later the letter that stands for rows(i) */
    const char *order; /* for j<i: the sign; bound is i */
    char bound;
} subscript;

/* An expression. SUM and PRODUCT are chains of terms; an inverse term is subtracted, or divided by. A WINDOW accesses a
   dense tensor at subscripts that are not plain indices; kernels read that tensor as an array. A sparse tensor with such
   subscripts is sliced, or its subscripts stand in the kernel line. */
typedef struct node {
    node_kind kind;
    spot place;
    bool grouped;       /* was it in parentheses? */
    bool bounded;       /* is it L(i,j<i), stored as the product (j < i) * L(i,j)? */
    const char *word;   /* the digits, or the name of a function, comparison or reduction */
    const char *member; /* ACCESS to values that are structs: the member; null: none */
    int tensor;         /* the tensor of an ACCESS or a WINDOW */
    char index[MAX_LOOPS +
               1]; /* ACCESS: its indices; COORDINATE: the letter; WINDOW, or `affine`: all letters of the subscripts */
    subscript *subscript; /* the subscripts of a WINDOW; of an ACCESS before lowering */
    bool sliced;          /* does an ACCESS read the tensor at `subscript` instead of `index`? */
    bool affine;          /* do these subscripts stand in the kernel line? */
    bool asked;           /* like(A(i,j)): asks whether A stores an entry there */
    letters over;         /* the indices of a REDUCTION */
    const char *call;     /* REDUCTION in the check: the call, and the call that tells whether it has anything to reduce */
    const char *presence;
    unsigned count;
    struct term {
        struct node *node;
        bool inverse;
    } * term;
} node;

typedef struct statement {
    int output;
    char index[MAX_LOOPS + 1];
    node *left;   /* the assigned access, if its subscripts are not all plain indices (index has their letters); else null */
    node *access; /* the assigned access, in any case */
    bool accumulate;
    const char *reduction; /* *= max= min=: prod, max or min; null: += adds */
    node *value;
    spot place;
    const char *text;      /* the statement in index notation */
    bool shadow;           /* does it serve only the check of derivatives? */
    struct {               /* set if the value reads new elements of the output, x(j) with j < i or j > i */
        char inner, outer; /* j and i; 0: no recurrence */
        bool down;         /* is the condition j > i? */
        int known;         /* the tensor that stands for the new elements */
    } recurrence;
} statement;

/* Where an expression can be nonzero. */
typedef enum region_kind { EVERYWHERE, STORED, ALL, ANY } region_kind;

typedef struct region {
    region_kind kind;
    int operand;
    unsigned count;
    struct region *child[2 * MAX_OPERANDS];
} region;

/* One loop: over an index, over its blocks, over the offsets in a block, over slices, or over diagonals. */
typedef struct loop {
    char index, other; /* other: the second index of MINUS */
    level_part part;
    unsigned long size;
} loop;

/* What a kernel receives for an operand: the tensor or scalar itself. For a WINDOW it receives the array of values and
   the sizes of its levels. */
typedef enum operand_kind { VALUE, ARRAY, LEVEL_SIZE } operand_kind;

typedef struct operand {
    operand_kind kind;
    unsigned level; /* the level of a LEVEL_SIZE */
    int tensor;
    int stored;       /* the tensor itself, or its conversion */
    const char *name; /* the name of the parameter */
    char index[MAX_LOOPS + 1];
    const node *slice;  /* the access, if the operand is a slice of the tensor; null: the whole tensor */
    const node *affine; /* the access, if its subscripts stand in the line (index has all their letters) */
} operand;

typedef enum step_kind { KERNEL, CONVERSION, ASSIGNMENT } step_kind;

/* One step of the program: a kernel line, the conversion of a tensor, or a scalar assignment, which needs no kernel. */
typedef struct step {
    step_kind kind;
    const char *name;
    int output, source;        /* source: the tensor that a conversion reads */
    int stored;                /* the output itself, or the tensor that is converted to it afterwards */
    char index[MAX_LOOPS + 1]; /* the indices of the output */
    node *body;
    letters over;
    unsigned operands;
    operand operand[MAX_OPERANDS];
    region *region;
    unsigned loops;
    loop loop[MAX_LOOPS];
    double cost;
    char twin[26];           /* diagonal A(i,k), i == k: twin[k] is i; likewise for rows(i); 0: none */
    letters sought;          /* the letters of `twin` that let() computes without a loop: let(k, i), let(k, rows) */
    unsigned marked;         /* 1 + the operand whose row is copied into an array for lookups; 0: none */
    unsigned opened;         /* 1 + the operand whose rows become arrays, because its subscript is a sum; 0: none */
    node *guard;             /* the statement runs only if this comparison of counts holds; null: always */
    node *choice;            /* a further condition, on values; null: none */
    struct {                 /* for a recurrence: */
        char inner, outer;   /* j and i; 0: no recurrence */
        bool down;           /* is the condition j > i, so that the loops run down? */
        const node *divisor; /* the divisor of the sum at j == i; null: none */
        int solved;          /* a scalar that counts the divisions */
    } recurrence;
    struct {                   /* how values are stored into the output */
        const node *left;      /* the access, if its subscripts are not plain indices; */
        char let[MAX_RANK];    /* if it is assembled, the letters for these subscripts; 0: a plain index */
        const char *initial;   /* the initial value; null: the old values remain */
        const char *reduction; /* the reduction; null: none */
        bool accumulate;
        bool updates;      /* is it changed in place? */
        bool reads_output; /* does the body read it? */
        bool drops_zeros;  /* are entries that become 0 dropped? */
        unsigned like;     /* 1 + the operand whose pattern the output has; 0: none */
        unsigned extras;   /* the number of further outputs, which have the index of the first */
        struct extra {
            int tensor;
            const char *initial, *update; /* the statement that updates it */
        } extra[2];
    } result;
    struct { /* if `access` is set, the loops visit its stored entries and compute from each the element of the output */
        const node *access;
        char found[MAX_RANK], visited[MAX_RANK]; /* j and s of let(j, s - q); 0: the dimension is read as written */
        node *placed;    /* the access to an assembled output, in terms of these loops; null: its indices */
        double gathered; /* the cost of the loops without this */
    } scatter;
    struct {                      /* a part of the body that where() computes first */
        int workspace;            /* its tensor, which the rest of the body reads; -1: none */
        unsigned inner;           /* the first of the loops that compute it */
        letters over;             /* the indices summed there */
        node *made;               /* the part of the body */
        const struct step *alone; /* the kernel that computed it before it became a part of this one; null: none */
    } where;
} step;

/* A semiring replaces + and *: `times` multiplies stored entries, `plus` adds up the products, and a sum without products
   is the identity of `plus`. */
typedef struct semiring {
    const char *name, *plus, *times, *identity;
} semiring;
static const semiring semirings[] = {
    {"min-plus", "fmin", " + ", "HUGE_VAL"},  {"max-plus", "fmax", " + ", "-HUGE_VAL"},
    {"max-min", "fmax", "fmin", "-HUGE_VAL"}, {"min-max", "fmin", "fmax", "HUGE_VAL"},
    {"or-and", "fmax", " && ", "0"},
};

/* The program. It holds the tensors that statements and options name, the statements in the order of the text, and the
   steps in the order in which they run. Tensors, statements and steps are numbered by their index in these arrays, which
   never changes. */
static struct {
    tensor tensor[MAX_TENSORS];
    int tensors;
    statement statement[MAX_STATEMENTS];
    int statements;
    int derived_from; /* the number of statements that --derive started from, which come first; 0: no --derive */
    step step[MAX_STEPS];
    int steps;
    const semiring *semiring; /* null: the usual + and * */
    const char *name;         /* the name of the kernel */
    const char *prefix;       /* the prefix of storage types */
    text notes;               /* reasons for decisions, printed by --explain and on stderr */
} the;

/* What is known of each index, by its letter. `single` is filled before any letter stands for a longer name. */
static struct {
    letters single;            /* letters that are in use */
    const char *long_name[26]; /* the longer names that letters stand for; null: none */
    struct chosen {
        const char *set; /* null: an ordinary index */
        char by;
        const char *tensor;
        unsigned dim;
    } chosen[26];           /* for a letter that stands for rows(i) in dimension dim of a tensor: set is rows, by is i */
    char unit[MAX_RANK];    /* letters that stand for constant subscripts of the line; 0: not needed yet */
    unsigned long size[64]; /* size of each index, counted from 'A'; 0: unknown */
    double input_size[64];  /* sizes found in input files, used for costs only; 0: unknown */
    char alike[64];         /* for each index, the first index with the same size */
    double spanned[64];     /* for a loop over stored entries: the coordinates that the sum visits there; else 0 */
    letters ranged;         /* indices whose sizes are given by ranges */
    letters filters;        /* summed indices that share a subscript with an index of the result: filters, windows */
    letters visited;        /* indices of loops over stored entries that compute indices of the result */
} alphabet;

/* Options about the loops of all statements. A strategy is refused if no kernel has a loop that it applies to. */
static struct {
    char order[MAX_LOOPS + 1];
    spot order_place;
    letters parallel, simd, unroll, prefetch, tile, where, let;
    letters let_done;            /* indices of `let` that some kernel line has used */
    unsigned long tile_size[26]; /* tile size of each index in `tile` */
    spot place;                  /* the position of the last of these options */
    bool threads;                /* apply parallel to outermost loops that allow it */
    bool strict;                 /* refuse to convert an operand for the sake of a loop order */
} loop_options;

/* Options about tensors, by name. The tensors are looked up after all statements are parsed. */
typedef struct input {
    const char *name; /* null: all tensors without an entry of their own */
    const char *value;
    spot place;
} input;
static struct {
    input in[MAX_INPUTS], out[MAX_INPUTS];
    int ins, outs;
    const char *printed[MAX_INPUTS];
    int prints;
    input drawn[MAX_INPUTS]; /* tensors whose storage is drawn, and the files for the pictures */
    int draws;
    text told;       /* ",x,y,": the tensors to which options give formats, types or inputs */
    bool drop_zeros; /* drop the zeros of all results */
    bool fixed;      /* are all sizes known at compile time? */
} tensor_options;

/* Options about the program around the kernels. None of them changes what the kernels compute. */
static struct {
    bool check;             /* compare the results with dense loops */
    bool roofline;          /* print the bound set by memory bandwidth next to the times */
    bool measure;           /* for --search: print only the times, in the form that it reads */
    bool part;              /* the program is compiled in one file with other programs of the search */
    bool zero_based;        /* indices in files begin with 0 */
    unsigned long times;    /* the argument of --time */
    const char *times_file; /* a file that receives the times as well; null: none */
    const char *command;    /* the command line, repeated in a comment */
} program_options;

/* What precedes the kernels: #include lines and the user's functions. */
static struct {
    bool math, complex; /* which of <math.h>, <complex.h> are needed */
    text functions;     /* definitions in C */
    struct definition {
        const char *name;
        int arguments; /* -1: any number */
    } defined[MAX_INPUTS];
    int function_count;
} support;

/* The state of the phases. */
static struct {
    int current;          /* the number of the current statement */
    value_kind computing; /* the type in which the current statement computes */
    const node *left;     /* the access that the current statement assigns to, if its subscripts are not plain indices */
    bool widens;          /* does the next temporary hold its result, in a wider type? */
    bool sliced;          /* some access is read as a slice, or its subscripts stand in the kernel line */
    bool parsed;          /* all statements are parsed, so all indices are known */
    bool counting;        /* kernels also count their operations */
} lowering;

static tensor *tensor_at(int n) { return &the.tensor[n]; }

/* Returns the number of the tensor with this name; -1 if none has it. */
static int find_tensor(const char *name)
{
    for (int n = 0; n < the.tensors; n++)
        if (same(the.tensor[n].name, name)) return n;
    return -1;
}

static int add_tensor(const char *name, tensor_role role, spot place)
{
    if (the.tensors == MAX_TENSORS) refuse(place, "there are more than %d tensors, temporaries among them", MAX_TENSORS);
    tensor *t = tensor_at(the.tensors);
    *t = (tensor){.name = name, .role = role, .place = place, .kind = F64, .source = -1};
    return the.tensors++;
}

static node *make_node(node_kind kind, spot place)
{
    node *n = take(sizeof *n);
    n->kind = kind;
    n->place = place;
    return n;
}

static void add_term(node *n, node *term, bool inverse)
{
    struct term *grown = take((n->count + 1) * sizeof *grown);
    if (n->count) memcpy(grown, n->term, n->count * sizeof *grown);
    grown[n->count++] = (struct term){term, inverse};
    n->term = grown;
}

/* If the letter stands for rows(i), the name of the index set, rows; null for an ordinary index. */
static const char *set_of(char i) { return islower((unsigned char)i) ? alphabet.chosen[i - 'a'].set : NULL; }

/* The name of the index set that a letter stands for, or the letter itself. */
static const char *index_name(char i) { return set_of(i) ? set_of(i) : print("%c", i); }

/* The index that the letter depends on: i for rows(i), else the letter itself. */
static char known_by(char i) { return set_of(i) ? alphabet.chosen[i - 'a'].by : i; }

/* True if a subscript of the access is an index set. */
static bool has_set(const char *index)
{
    while (*index && !set_of(*index)) index++;
    return *index != '\0';
}

/* True if `wanted` is an index set that chooses coordinates in this access. */
static bool tells_places(const char *index, int wanted)
{
    while (*index && !(set_of(*index) && find_tensor(set_of(*index)) == wanted)) index++;
    return *index != '\0';
}

/* The indices of an access, with i in place of rows(i). */
static letters known_letters(const char *index)
{
    letters set = 0;
    for (; *index; index++) set |= letter_bit(known_by(*index));
    return set;
}

static bool is_access(const node *n) { return n->kind == ACCESS || n->kind == WINDOW; }
static bool has_letters(const node *n) { return is_access(n) || n->kind == COORDINATE; }

/* The free indices of an expression: all but those that a reduction inside it sums over. */
static letters free_letters(const node *n)
{
    letters set = has_letters(n) ? known_letters(n->index) : 0;
    for (unsigned k = 0; k < n->count; k++) set |= free_letters(n->term[k].node);
    return n->kind == REDUCTION ? set & ~n->over : set;
}

/* The number of elements of a set. */
static unsigned bits_of(unsigned set)
{
    unsigned n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}

/* All indices of an expression, including the reduced ones. */
static letters all_letters(const node *n)
{
    letters set = has_letters(n) ? letters_of(n->index) | known_letters(n->index) : n->over;
    for (unsigned k = 0; k < n->count; k++) set |= all_letters(n->term[k].node);
    return set;
}

static letters letters_of_statements(void)
{
    letters set = 0;
    for (int s = 0; s < the.statements; s++) {
        const statement *a = &the.statement[s];
        set |= letters_of(a->index) | all_letters(a->value) | (a->left ? letters_of(a->left->index) : 0);
    }
    return set;
}

static bool reads_tensor(const node *n, int wanted)
{
    if (is_access(n) && (n->tensor == wanted || tells_places(n->index, wanted))) return true;
    for (unsigned k = 0; k < n->count; k++)
        if (reads_tensor(n->term[k].node, wanted)) return true;
    return false;
}

static bool statement_reads(const statement *s, int wanted)
{
    return reads_tensor(s->value, wanted) || (s->left && tells_places(s->left->index, wanted));
}

/* Functions of one or two arguments that expressions can call, and the C functions that compute them. The generator calls
   `apply` on zeros to learn the value at coordinates that are not stored. */
typedef struct function {
    const char *name, *c; /* c: the name in <math.h> */
    double (*one)(double);
    double (*two)(double, double);
} function;
static double same_number(double x) { return x; }
static double no_number(double x) { return 0 * x; }
static const function functions[] = {
    {"abs", "fabs", fabs, NULL},         {"fabs", "fabs", fabs, NULL},        {"sqrt", "sqrt", sqrt, NULL},
    {"cbrt", "cbrt", cbrt, NULL},        {"exp", "exp", exp, NULL},           {"exp2", "exp2", exp2, NULL},
    {"expm1", "expm1", expm1, NULL},     {"log", "log", log, NULL},           {"log2", "log2", log2, NULL},
    {"log10", "log10", log10, NULL},     {"log1p", "log1p", log1p, NULL},     {"sin", "sin", sin, NULL},
    {"cos", "cos", cos, NULL},           {"tan", "tan", tan, NULL},           {"asin", "asin", asin, NULL},
    {"acos", "acos", acos, NULL},        {"atan", "atan", atan, NULL},        {"sinh", "sinh", sinh, NULL},
    {"cosh", "cosh", cosh, NULL},        {"tanh", "tanh", tanh, NULL},        {"asinh", "asinh", asinh, NULL},
    {"acosh", "acosh", acosh, NULL},     {"atanh", "atanh", atanh, NULL},     {"erf", "erf", erf, NULL},
    {"erfc", "erfc", erfc, NULL},        {"floor", "floor", floor, NULL},     {"ceil", "ceil", ceil, NULL},
    {"round", "round", round, NULL},     {"trunc", "trunc", trunc, NULL},     {"max", "fmax", NULL, fmax},
    {"min", "fmin", NULL, fmin},         {"fmax", "fmax", NULL, fmax},        {"fmin", "fmin", NULL, fmin},
    {"pow", "pow", NULL, pow},           {"hypot", "hypot", NULL, hypot},     {"atan2", "atan2", NULL, atan2},
    {"fmod", "fmod", NULL, fmod},        {"fdim", "fdim", NULL, fdim},        {"copysign", "copysign", NULL, copysign},
    {"conj", "conj", same_number, NULL}, {"real", "real", same_number, NULL}, {"imag", "imag", no_number, NULL},
};

/* Functions of complex values. The first three return real values; fabs stands for abs. */
static const char complex_functions[] =
    " real imag fabs sqrt exp log sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow ";

static const function *find_function(const char *name)
{
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++)
        if (same(functions[n].name, name)) return &functions[n];
    return NULL;
}

/* Returns the user-defined function of this name; null if there is none. */
static const struct definition *find_user_function(const char *name)
{
    for (int n = 0; n < support.function_count; n++)
        if (same(support.defined[n].name, name)) return &support.defined[n];
    return NULL;
}
static bool is_defined_by_user(const char *name) { return find_user_function(name) != NULL; }

static bool is_reduction(const char *name)
{
    return same(name, "sum") || same(name, "prod") || same(name, "max") || same(name, "min");
}

static bool is_in(const char *words, const char *name);

/* Reductions whose names are also allowed for tensors: argmax(j) A(i,j) is a reduction, argmax(j) alone a tensor. */
static bool is_reduction_of_words(const char *name)
{
    return is_in(" any all count mean norm variance argmax argmin ", name);
}

/* True if the reduction returns an index rather than a value. */
static bool finds_index(const char *reduction) { return same(reduction, "argmax") || same(reduction, "argmin"); }

static bool is_piece(const char *name);

/* Words of C and its dialects, and macros of the kit's headers. */
static const char keywords[] =
    " auto break case char const continue default do double else enum extern float for goto if inline int "
    "long register restrict return short signed sizeof static struct switch typedef union unsigned void "
    "volatile while asm typeof typeof_unqual nullptr constexpr thread_local alignas alignof static_assert "
    "noreturn complex imaginary bool true false NULL EOF INFINITY NAN HUGE_VAL HUGE_VALF HUGE_VALL BUFSIZ "
    "EXIT_SUCCESS EXIT_FAILURE TIME_UTC CHAR_BIT DECIMAL_DIG stdin stdout stderr errno assert linux unix offsetof "
    "M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 math_errhandling "
    "L_tmpnam L_ctermid P_tmpdir BYTE_ORDER BIG_ENDIAN LITTLE_ENDIAN PDP_ENDIAN FD_SETSIZE NFDBITS PIPE_BUF MAX_CANON "
    "MAX_INPUT TIMER_ABSTIME PTHREAD_DESTRUCTOR_ITERATIONS WNOHANG WNOWAIT WUNTRACED WSTOPPED WEXITED WCONTINUED ";

/* Additional words of C++, because the generated header can be included from C++. */
static const char words_of_cplusplus[] =
    " and and_eq bitand bitor catch class compl concept const_cast consteval constinit co_await "
    "co_return co_yield decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq "
    "operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try typeid "
    "typename using virtual xor xor_eq ";

/* Words of kernel lines and of encodings, as listed in docs/running.md. The names of level types come from the headers. */
static const char line_words[] = " all any none slice padded current symmetric skew hermitian where from like update plus "
                                 "times parallel parallel_sum independent simd unroll prefetch tile down range let "
                                 "floordiv mod count minus nonunique "
                                 "nonordered soa constant ";

/* Names that generated functions use for their own variables. */
static const char own_words[] = " everywhere done begin time typical start run call calls bytes entry result operand size "
                                "subscript_fits ";

/* True if generated code can declare this name: length_i, after_2, given_A. */
static bool is_own(const char *name)
{
    static const char *const prefixes[] = {"has_", "given_", "kept_", "is_right_", "put_"};
    static const char *const numbered[] = {"length_", "least_", "after_", "part_", "show_"};
    for (size_t n = 0; n < sizeof prefixes / sizeof *prefixes; n++)
        if (strncmp(name, prefixes[n], strlen(prefixes[n])) == 0) return true;
    for (size_t n = 0; n < sizeof numbered / sizeof *numbered; n++) {
        const char *rest = name + strlen(numbered[n]);
        if (strncmp(name, numbered[n], strlen(numbered[n])) != 0) continue;
        if (isalpha((unsigned char)rest[0]) && !rest[1]) return true;
        if (rest[0] && rest[strspn(rest, "0123456789")] == '\0') return true;
    }
    return false;
}

/* Functions of the standard headers that generated programs include. */
static const char library[] = " abort abs acos acosh aligned_alloc asctime asin asinh at_quick_exit atan "
                              "atan2 atanh atexit atof atoi atol atoll "
                              "bsearch calloc cbrt ceil clearerr clock copysign cos cosh ctime difftime div "
                              "erf erfc exit exp exp2 expm1 fabs "
                              "fclose fdim feof ferror fflush fgetc fgetpos fgets floor fma fmax fmin fmod "
                              "fopen fprintf fputc fputs fread free "
                              "freopen frexp fscanf fseek fsetpos ftell fwrite getc getchar getenv gets "
                              "gmtime hypot ilogb isfinite isinf isnan "
                              "isnormal j0 j1 jn labs ldexp ldiv lgamma llabs lldiv llrint llround localtime "
                              "log log10 log1p log2 logb longjmp "
                              "lrint lround main malloc mblen mbstowcs mbtowc memchr memcmp memcpy memmove "
                              "memset mktime modf nan nearbyint "
                              "nextafter nexttoward perror pow printf putc putchar puts qsort quick_exit "
                              "raise rand realloc remainder remove "
                              "remquo rename rewind rint round scalbln scalbn scanf setbuf setjmp setvbuf "
                              "signbit sin sinh snprintf sprintf sqrt "
                              "srand sscanf strcat strchr strcmp strcoll strcpy strcspn strerror strftime "
                              "strlen strncat strncmp strncpy strpbrk "
                              "strrchr strspn strstr strtod strtof strtok strtol strtold strtoll strtoul "
                              "strtoull strxfrm system tan tanh tgamma "
                              "timespec_get tmpfile tmpnam trunc ungetc vfprintf vprintf vscanf vsnprintf "
                              "vsprintf wcstombs wctomb y0 y1 yn index "
                              "rindex signgam gamma random srandom drand48 read write open close link stpcpy "
                              "strdup strndup getline select ";

static bool is_in(const char *list, const char *word) { return strstr(list, print(" %s ", word)) != NULL; }

/* True for the C functions that expressions call, including the variants such as fmaxf and cexpf. */
static bool is_called(const char *name)
{
    const size_t length = strlen(name);
    const char *word = length > 1 && name[length - 1] == 'f' ? copy_string(name, length - 1) : name;
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++)
        if (same(functions[n].name, name) || same(functions[n].c, name) || same(functions[n].c, word)) return true;
    return word[0] == 'c' && (same(word, "cabs") || is_in(complex_functions, word + 1));
}

/* True if nothing may have this name, because it has a meaning for the compiler, the library or the generated program. */
static bool is_taken(const char *name)
{
    static const char *const endings[] = {"_t", "_MAX", "_MIN", "_recipe", "_encoding"};
    static const char *const beginnings[] = {"sparse_", "SPARSE_", "FLT_",  "DBL_", "LDBL_",
                                             "FP_",     "SEEK_",   "CLOCK", "MATH_"};
    const size_t length = strlen(name);
    for (size_t n = 0; n < sizeof endings / sizeof *endings; n++)
        if (length > strlen(endings[n]) && same(name + length - strlen(endings[n]), endings[n])) return true;
    for (size_t n = 0; n < sizeof beginnings / sizeof *beginnings; n++)
        if (strncmp(name, beginnings[n], strlen(beginnings[n])) == 0) return true;
    return name[0] == '_' || strstr(name, "__") || is_in(keywords, name) ||
           is_in(" main free malloc printf memcpy puts ", name) || is_own(name) || is_piece(name);
}

/* True if no tensor may have this name: it is taken, a word of C++ or of kernel lines, or a function that statements
   call. */
static bool is_reserved(const char *name)
{
    for (unsigned f = 0; f < FORMATS; f++)
        if (same(name, format_name((format)f))) return true;
    return is_taken(name) || is_in(words_of_cplusplus, name) || is_in(line_words, name) || is_in(own_words, name) ||
           is_reduction(name) || is_called(name);
}

/* True if no user-defined function may have this name, because the library has it for double, float or long double. */
static bool is_library(const char *name)
{
    const size_t length = strlen(name);
    const bool suffixed = length > 1 && (name[length - 1] == 'f' || name[length - 1] == 'l');
    return is_in(library, name) || (suffixed && is_in(library, copy_string(name, length - 1)));
}

/* >>lex */

typedef enum token_kind { NAME, NUMBER, SIGN, END } token_kind;
typedef struct token {
    token_kind kind;
    spot place;
    const char *text;
} token;

typedef struct lexer {
    const char *source;
    size_t at;
    token now;
    unsigned depth;
} lexer;

/* Returns the length of the number at `s`: digits, point, exponent. */
static size_t number_length(const char *s)
{
    size_t n = 0;
    while (isdigit((unsigned char)s[n])) n++;
    if (s[n] == '.') n++;
    while (isdigit((unsigned char)s[n])) n++;
    if (s[n] == 'e' || s[n] == 'E') {
        size_t e = n + 1;
        if (s[e] == '+' || s[e] == '-') e++;
        if (isdigit((unsigned char)s[e]))
            for (n = e; isdigit((unsigned char)s[n]);) n++;
    }
    return n;
}

/* Moves to the next token. */
static void advance(lexer *x)
{
    static const char *const signs[] = {"+=", "-=", "*=", "<=", ">=", "==", "!=", "->", "&&", "||"};
    const char *s = x->source;
    while (isspace((unsigned char)s[x->at])) x->at++;
    const spot place = {s, x->at};
    const char c = s[x->at];
    size_t length = 1;
    token_kind kind = SIGN;
    if (c == '\0')
        kind = END, length = 0;
    else if (isalpha((unsigned char)c) || c == '_') {
        kind = NAME;
        while (isalnum((unsigned char)s[x->at + length]) || s[x->at + length] == '_') length++;
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)s[x->at + 1]))) {
        kind = NUMBER;
        length = number_length(s + x->at);
        if (isalpha((unsigned char)s[x->at + length]) || s[x->at + length] == '_')
            refuse((spot){s, x->at + length}, "a number ends in a letter");
    } else {
        for (size_t n = 0; n < sizeof signs / sizeof *signs; n++)
            if (strncmp(s + x->at, signs[n], 2) == 0) length = 2;
        if (strchr("()[]{}<>+-*/%=,;:#.\'!?&|", c) == NULL && length == 1) refuse(place, "an unexpected character");
    }
    const bool braced = kind == NAME && length > 1 && s[x->at + length - 1] == '_' && s[x->at + length] == '{';
    x->now = (token){kind, place, copy_string(s + x->at, length - braced)}; /* the A of A_{i,j} */
    x->at += length;
}

static lexer lex(const char *source)
{
    lexer x = {.source = source};
    advance(&x);
    return x;
}

static bool is_sign(const lexer *x, const char *sign) { return x->now.kind == SIGN && same(x->now.text, sign); }
static bool is_word(const lexer *x, const char *word) { return x->now.kind == NAME && same(x->now.text, word); }

/* If the token is the given sign, moves to the next one and returns true. */
static bool accept(lexer *x, const char *sign)
{
    if (!is_sign(x, sign)) return false;
    advance(x);
    return true;
}

static const char *found(const lexer *x) { return x->now.kind == END ? "the end" : print("\"%s\"", x->now.text); }

static void expect(lexer *x, const char *sign, const char *where)
{
    if (!accept(x, sign)) refuse(x->now.place, "\"%s\" is expected %s, not %s", sign, where, found(x));
}

/* Parses a whole number from `least` to `most`, or refuses the token; `what` begins the message. */
static unsigned long expect_number(lexer *x, const char *what, unsigned long least, unsigned long most)
{
    char *end;
    errno = 0;
    const unsigned long n = x->now.kind == NUMBER ? strtoul(x->now.text, &end, 10) : 0;
    if (x->now.kind != NUMBER || *end || errno || n < least || n > most)
        refuse(x->now.place, "%s must be a whole number from %lu to %lu", what, least, most);
    advance(x);
    return n;
}

/* Returns a number as written, with its sign if it has one. */
static const char *expect_real(lexer *x)
{
    const bool negative = accept(x, "-");
    if (x->now.kind != NUMBER) refuse(x->now.place, "a number is expected, not %s", found(x));
    if (isinf(strtod(x->now.text, NULL))) refuse(x->now.place, "%s is larger than a double can be", x->now.text);
    const char *value = print("%s%s", negative ? "-" : "", x->now.text);
    advance(x);
    return value;
}

/* Returns a number as written, or nan, inf or -inf as C spells them. */
static const char *expect_any_real(lexer *x)
{
    lexer ahead = *x;
    const bool negative = accept(&ahead, "-"), nan = is_word(&ahead, "nan");
    if (!nan && !is_word(&ahead, "inf")) return expect_real(x);
    advance(&ahead);
    *x = ahead;
    support.math = true;
    return nan ? "NAN" : negative ? "-INFINITY" : "INFINITY";
}

/* True for nan and infinities. Their C names contain no digit. */
static bool is_not_finite(const char *value) { return !strpbrk(value, "0123456789"); }

static double number_of(const char *value)
{
    if (!is_not_finite(value)) return strtod(value, NULL);
    return strstr(value, "NAN") ? (double)NAN : value[0] == '-' ? -HUGE_VAL : HUGE_VAL;
}

/* >>parse
   The rules are in the order of precedence: operators that bind tighter come later. parse_logic parses rule `logic`, and so
   on for each rule.

   statements  := statement { ";" statement }
   statement   := access ("=" | "+=" | "-=" | "*=" | "max" "=" | "min" "=") comparison
   comparison  := logic [ "?" comparison ":" comparison ]
   logic       := relation { ("&&" | "||") relation }
   relation    := sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
   sum         := product { ("+" | "-") product }
   product     := factor { ("*" | "/" | "%") factor }
   factor      := ("-" | "!") factor | NUMBER | "(" comparison ")" | access
                | FUNCTION "(" comparison { "," comparison } ")"
                | ("sum" | "prod" | "max" | "min") "(" index { "," index } ")" product
                | ("sum" | "prod") "(" index { "," index } "," comparison ")"
   access      := NAME [ "(" [ subscript { "," subscript } ] ")" | "[" ... "]" | "_{" ... "}" ]
   subscript   := [ "-" ] part { ("+" | "-") part } | index "(" NUMBER "," NUMBER [ "," NUMBER ] ")"
   part        := NUMBER [ "*" index ] | index [ "*" NUMBER ] */

static node *parse_comparison(lexer *x);
static node *parse_product(lexer *x);

/* Returns the letter for an index: the name itself if it is one letter, else the letter chosen for the name; 0 if none is
   chosen yet. */
static char letter_of(const char *name)
{
    if (islower((unsigned char)name[0]) && !name[1]) return name[0];
    for (char i = 'a'; i <= 'z'; i++)
        if (alphabet.long_name[i - 'a'] && same(alphabet.long_name[i - 'a'], name)) return i;
    return 0;
}

/* Chooses a letter for a longer name: its first letter if that is free, else any free one. */
static char new_letter(token t)
{
    const letters used = alphabet.single;
    char i = (char)tolower((unsigned char)t.text[0]);
    if (i < 'a' || i > 'z' || (used & letter_bit(i)))
        for (i = 'i'; used & letter_bit(i);) {
            i = i == 'z' ? 'a' : (char)(i + 1);
            if (i == 'i') refuse(t.place, "more than 26 names of indices and scalars");
        }
    alphabet.single |= letter_bit(i);
    alphabet.long_name[i - 'a'] = t.text;
    put(&the.notes, "%c is the index %s\n", i, t.text);
    return i;
}

/* Parses an index: a letter, or a longer name, which gets a letter. */
static char parse_index(lexer *x)
{
    const token t = x->now;
    if (t.kind != NAME) refuse(t.place, "an index is expected, not %s", found(x));
    char known = letter_of(t.text);
    for (char i = 'a'; lowering.parsed && i <= 'z'; i++) /* the size of the dimension that the index set chooses from */
        if (set_of(i) && same(set_of(i), t.text) && !(known && (letters_of_statements() & letter_bit(known)))) known = i;
    if (lowering.parsed && (!known || !(letters_of_statements() & letter_bit(known))))
        refuse(t.place, "there is no index %s in the statements", t.text);
    const char i = known ? known : new_letter(t);
    advance(x);
    return i;
}

/* Adds times * index to a subscript. */
static void add_index(subscript *s, char i, long times, spot place)
{
    char *at = strchr(s->index, i);
    if (at == NULL && s->count == MAX_LOOPS) refuse(place, "a kernel has at most %d loops", MAX_LOOPS);
    if (at == NULL) {
        at = &s->index[s->count++];
        *at = i;
    }
    s->step[at - s->index] += times;
}

/* True if the token is "*" and a number comes after it. */
static bool multiplies(lexer x)
{
    if (!accept(&x, "*")) return false;
    if (x.now.kind == NAME && x.now.text[1] == '\0' && (advance(&x), !is_sign(&x, "(")))
        refuse(x.now.place, "a product of indices is not available as a subscript");
    return x.now.kind == NUMBER;
}

enum { LARGEST_STEP = 1000000000 };

/* True if the token is the name of a tensor with one index, as in rows(i). */
static bool starts_set(lexer x)
{
    if (x.now.kind != NAME) return false;
    advance(&x);
    return (accept(&x, "(") || accept(&x, "[")) && x.now.kind == NAME;
}

/* Parses a number, an index, or a multiple of an index. */
static void parse_part(lexer *x, subscript *s, long sign)
{
    const spot place = x->now.place;
    long times = 1;
    if (x->now.kind == NUMBER) {
        times = (long)expect_number(x, "a number in a subscript", 0, LARGEST_STEP);
        if (!accept(x, "*")) {
            s->start += sign * times;
            return;
        }
    }
    if (starts_set(*x)) refuse(x->now.place, "an index set is a subscript by itself, and cannot be in a sum or multiple");
    const char i = parse_index(x);
    if (multiplies(*x)) {
        advance(x);
        times *= (long)expect_number(x, "a number in a subscript", 0, LARGEST_STEP);
    }
    if (times > LARGEST_STEP) refuse(place, "a multiple of an index is from 0 to %d times the index", LARGEST_STEP);
    if (times)
        add_index(s, i, sign * times, place);
    else
        s->idle |= letter_bit(i);
}

/* True if the size of an index is known. A range can have size 0. */
static bool has_size(char i)
{
    return alphabet.size[i - 'A'] || (islower((unsigned char)i) && (alphabet.ranged & letter_bit(i)));
}

/* Parses a range. i(2,10,3) runs over 2, 5, 8; this fixes the size of i too. i(9,-1,-1) is 9-i: it runs over 9, 8, ...,
   0. */
static subscript parse_range(lexer *x)
{
    subscript s = {.place = x->now.place, .count = 1, .step = {1}};
    s.index[0] = parse_index(x);
    expect(x, "(", "before the range");
    s.start = (long)expect_number(x, "the beginning of a range", 0, LARGEST_STEP);
    expect(x, ",", "after the beginning of the range");
    const spot end = x->now.place;
    const long sign = accept(x, "-") ? -1 : 1;
    s.end = sign * (long)expect_number(x, "the end of a range", 0, sign < 0 ? 1 : 2ul * LARGEST_STEP);
    const bool down = accept(x, ",") && accept(x, "-");
    if (is_sign(x, ")") ? down : x->now.kind == NUMBER)
        s.step[0] = (down ? -1 : 1) * (long)expect_number(x, "the step of a range", 1, LARGEST_STEP);
    expect(x, ")", "after the range");
    if (down ? s.end > s.start : s.end < s.start)
        refuse(end, down ? "a range with a negative step ends at its beginning, or below"
                         : "a range ends at its beginning, or above");
    unsigned long *size = &alphabet.size[s.index[0] - 'A'];
    const long stride = labs(s.step[0]);
    const unsigned long mine = (unsigned long)((labs(s.end - s.start) + stride - 1) / stride);
    if (has_size(s.index[0]) && *size != mine)
        refuse(s.place, "the ranges of %c have %lu and %lu places", s.index[0], *size, mine);
    *size = mine;
    alphabet.ranged |= letter_bit(s.index[0]);
    if (down) s.end = 0; /* now a subscript like any sum */
    return s;
}

/* True if the text is exactly one index set, rows(i) or rows[i], and no function call. */
static bool is_set(lexer x)
{
    if (!starts_set(x) || find_function(x.now.text) || is_defined_by_user(x.now.text)) return false;
    for (int n = 0; n < 3; n++) advance(&x);
    return is_sign(&x, ")") || is_sign(&x, "]");
}

static int declare_tensor(token name, unsigned rank, const char *index);

/* Parses rows(i), where the set has an index. */
static subscript parse_set(lexer *x)
{
    const token name = x->now;
    subscript s = {.place = name.place, .count = 1, .step = {1}, .set = name.text};
    advance(x);
    const char *closing = is_sign(x, "(") ? ")" : "]";
    advance(x);
    s.index[0] = parse_index(x);
    if (!accept(x, closing)) refuse(x->now.place, "the subscript of an index set is an index alone");
    if (!is_sign(x, ",") && !is_sign(x, ")") && !is_sign(x, "]"))
        refuse(x->now.place, "an index set is a subscript by itself, and cannot be in a sum or multiple");
    declare_tensor(name, 1, s.index);
    return s;
}

/* Parses a subscript: i, i + p, 2 * i + 1, 7 - i, 0, i(2,10), rows(i). */
static subscript parse_subscript(lexer *x)
{
    lexer ahead = *x;
    if (starts_set(*x)) return parse_set(x);
    if (x->now.kind == NAME && (advance(&ahead), is_sign(&ahead, "("))) return parse_range(x);
    subscript s = {.place = x->now.place};
    long sign = accept(x, "-") ? -1 : 1;
    do {
        parse_part(x, &s, sign);
        sign = is_sign(x, "-") ? -1 : 1;
    } while (accept(x, "+") || accept(x, "-"));
    for (unsigned k = 0; k < s.count; k++) {
        if (s.step[k] == 0) refuse(s.place, "the index %c cancels out in this subscript", s.index[k]);
        if (labs(s.step[k]) > LARGEST_STEP)
            refuse(s.place, "a multiple of an index is from 0 to %d times the index", LARGEST_STEP);
    }
    s.idle &= ~letters_of(s.index);
    return s;
}

/* Refuses a subscript that can be negative, unless the tensor is padded. `output`: the name of the assigned tensor, or
   null. */
static void check_start(const subscript *s, const char *output)
{
    bool negative = s->start < 0;
    for (unsigned k = 0; k < s->count; k++) negative = negative || (s->step[k] < 0 && s->start == 0);
    if (negative)
        refuse(s->place, "this subscript is negative%s; --padded %s", s->count ? " at the lowest coordinates" : "",
               output ? print("%s leaves out what lies outside", output) : "reads what lies outside as the fill value");
}

static bool is_index(const subscript *s) { return s->count == 1 && s->step[0] == 1 && s->start == 0 && !s->end && !s->idle; }

/* Parses the rest of a subscript j<i or j>i. */
static void parse_bound(lexer *x, subscript *s)
{
    const token sign = x->now;
    if (is_sign(x, "<=") || is_sign(x, ">="))
        refuse(sign.place, "a subscript has the condition j<i or j>i; write others as a factor, (j <= i)");
    if (!is_sign(x, "<") && !is_sign(x, ">")) return;
    if (!is_index(s) || s->set) refuse(sign.place, "a condition is of an index alone, as in L(i,j<i)");
    advance(x);
    s->order = same(sign.text, "<") ? "<" : ">";
    s->bound = parse_index(x);
    if (s->bound == s->index[0]) refuse(sign.place, "an index is compared with another one, as in L(i,j<i)");
}

/* Parses the subscripts of an access, up to the closing bracket. index[] receives the letter of each subscript that is an
   index, and ? for every other one. */
static unsigned parse_subscripts(lexer *x, const char *closing, subscript at[MAX_RANK], char index[MAX_RANK + 1])
{
    unsigned rank = 0;
    if (!accept(x, closing)) {
        do {
            if (rank == MAX_RANK) refuse(x->now.place, "a tensor has at most %d dimensions", MAX_RANK);
            at[rank] = parse_subscript(x);
            parse_bound(x, &at[rank]);
            index[rank] = '?';
            if (is_index(&at[rank])) index[rank] = at[rank].index[0];
            rank++;
        } while (accept(x, ","));
        expect(x, closing, "after the subscripts");
    }
    index[rank] = '\0';
    return rank;
}

/* Adds an index to an access that does not have it yet. */
static void have_letter(node *n, char i)
{
    const size_t count = strlen(n->index);
    if (strchr(n->index, i)) return;
    if (count == MAX_LOOPS) refuse(n->place, "a kernel has at most %d loops", MAX_LOOPS);
    n->index[count] = i;
}

/* Turns an access into a window: its index becomes all letters of its subscripts. */
static void make_window(node *n)
{
    const unsigned rank = tensor_at(n->tensor)->rank;
    memset(n->index, 0, sizeof n->index);
    n->kind = WINDOW;
    for (unsigned d = 0; d < rank; d++) {
        for (const char *i = n->subscript[d].index; *i; i++) have_letter(n, *i);
        for (char i = 'a'; i <= 'z'; i++)
            if (n->subscript[d].idle & letter_bit(i)) have_letter(n, i);
    }
}

/* Records in the tensor which dimensions an access reads at subscripts that are not indices. */
static void note_windows(node *n)
{
    tensor *t = tensor_at(n->tensor);
    for (unsigned d = 0; d < t->rank; d++) {
        if (is_index(&n->subscript[d])) continue;
        if (t->window.source == NULL) t->window = n->subscript[d].place;
        t->windowed[d] = true;
        n->kind = WINDOW;
    }
    if (n->kind == WINDOW) make_window(n);
}

static char last_letter(spot place);

/* Chooses letters for the index sets among the subscripts of an access. */
static void choose_letters(node *n, unsigned rank)
{
    for (unsigned d = 0; d < rank; d++) {
        subscript *s = &n->subscript[d];
        char i = 'a';
        if (!s->set) continue;
        for (const struct chosen *c = alphabet.chosen; i <= 'z'; i++, c++)
            if (c->set && same(c->set, s->set) && c->by == s->index[0] && same(c->tensor, n->word) && c->dim == d) break;
        if (i > 'z') {
            i = last_letter(s->place);
            alphabet.chosen[i - 'a'] = (struct chosen){s->set, s->index[0], n->word, d};
            put(&the.notes, "%c is %s(%c), a place that the index set %s tells\n", i, s->set, s->index[0], s->set);
        }
        n->index[d] = s->index[0] = i;
    }
}

/* Returns the tensor of this name and declares it at its first use. Every use must have the same rank. */
static int declare_tensor(token name, unsigned rank, const char *index)
{
    int n = find_tensor(name.text);
    if (n >= 0 && tensor_at(n)->rank != rank)
        refuse(name.place, "%s has %u subscripts here and %u before", name.text, rank, tensor_at(n)->rank);
    if (n >= 0) return n;
    if (is_defined_by_user(name.text)) refuse(name.place, "%s is a function and a tensor", name.text);
    if (is_reserved(name.text))
        refuse(name.place, "\"%s\" cannot be the name of a tensor: it has a meaning already%s", name.text,
               is_in(words_of_cplusplus, name.text) ? ", in C++" : "");
    n = add_tensor(name.text, INPUT, name.place);
    tensor_at(n)->rank = rank;
    strcpy(tensor_at(n)->index, index);
    return n;
}

/* Reads A'(i,j) and A(i,j)' as A(j,i). */
static void turn_subscripts(node *n, unsigned rank, spot place)
{
    if (rank != 2) refuse(place, "' transposes only tensors of two subscripts");
    const char i = n->index[0];
    const subscript s = n->subscript[0];
    n->index[0] = n->index[1], n->index[1] = i;
    n->subscript[0] = n->subscript[1], n->subscript[1] = s;
}

/* True if a scalar with this name has been seen. */
static bool find_scalar(const char *name)
{
    const int n = find_tensor(name);
    return n >= 0 && name[1] && tensor_at(n)->rank == 0;
}

/* True if the name and the parentheses after it are a function call, not an index with a range. */
static bool starts_call(lexer x)
{
    const char *name = x.now.text;
    advance(&x);
    return accept(&x, "(") && (x.now.kind != NUMBER || find_function(name) || is_defined_by_user(name));
}

/* True if the parentheses contain only index sets: rows(i), or rows(i), cols(i). The user may have meant arguments of a
   function. */
static bool is_alone(lexer x)
{
    const char *index = NULL;
    do {
        if (!is_set(x) || !starts_call(x)) return false;
        for (int n = 0; n < 2; n++) advance(&x);
        if (index && !same(index, x.now.text)) return false;
        index = x.now.text;
        for (int n = 0; n < 2; n++) advance(&x);
    } while (accept(&x, ","));
    return is_sign(&x, ")");
}

/* Refuses a call of a function that does not exist. */
static void check_call(lexer x, token name)
{
    if (accept(&x, "(") && x.now.kind == NAME && starts_call(x) && !is_set(x))
        refuse(name.place, "%s is not a function that is known; say what it is with --define", name.text);
    if (x.now.kind == NAME && is_alone(x) && find_tensor(name.text) < 0 &&
        !strstr(tensor_options.told.at, print(",%s,", name.text)))
        refuse(name.place,
               "%s is not a function that is known; say what it is with --define, or %s(%s[...]) if it is a tensor",
               name.text, name.text, x.now.text);
}

/* Parses an access after its name. A single letter may also be an index; resolve_coordinates decides that later. */
static node *parse_access(lexer *x, token name)
{
    node *n = make_node(ACCESS, name.place);
    unsigned rank = 0;
    n->subscript = take(MAX_RANK * sizeof *n->subscript);
    const bool turned = is_sign(x, "'");
    const spot turn = x->now.place;
    if (turned) advance(x);
    if (accept(x, "("))
        rank = parse_subscripts(x, ")", n->subscript, n->index);
    else if (accept(x, "["))
        rank = parse_subscripts(x, "]", n->subscript, n->index);
    else if (accept(x, "{"))
        rank = parse_subscripts(x, "}", n->subscript, n->index);
    n->word = name.text;
    n->tensor = -1;
    const char *word = name.text;
    if (turned) turn_subscripts(n, rank, turn);
    if (is_sign(x, "'")) {
        turn_subscripts(n, rank, x->now.place);
        advance(x);
    }
    const bool letter = rank == 0 && letter_of(word) && !find_scalar(word);
    choose_letters(n, rank);
    if (!letter) n->tensor = declare_tensor(name, rank, n->index);
    if (!letter) note_windows(n);
    if (rank && accept(x, ".")) {
        if (x->now.kind != NAME) refuse(x->now.place, "the name of a member is expected, not %s", found(x));
        n->member = x->now.text;
        advance(x);
    }
    return n;
}

static node *coordinate_of(char i, spot place)
{
    node *n = make_node(COORDINATE, place);
    n->index[0] = i;
    return n;
}

/* Writes L(i,j<i) as (j < i) * L(i,j). */
static node *with_bounds(node *access)
{
    node *all = NULL;
    for (unsigned d = 0; d < MAX_RANK; d++) {
        const subscript *s = &access->subscript[d];
        if (!s->order) continue;
        if (!all) {
            all = make_node(PRODUCT, access->place);
            all->bounded = true;
        }
        node *order = make_node(COMPARISON, s->place);
        order->word = s->order;
        add_term(order, coordinate_of(s->index[0], s->place), false);
        add_term(order, coordinate_of(s->bound, s->place), false);
        add_term(all, order, false);
    }
    if (all) add_term(all, access, false);
    return all ? all : access;
}

static void refuse_bounds(const node *access, const char *where)
{
    for (unsigned d = 0; d < MAX_RANK; d++)
        if (access->subscript[d].order)
            refuse(access->subscript[d].place, "a condition in a subscript is of what is read, and not of %s", where);
}

static node *parse_call(lexer *x, token name)
{
    node *n = make_node(CALL, name.place);
    const struct definition *own = find_user_function(name.text);
    const function *f = own ? NULL : find_function(name.text);
    n->word = name.text;
    expect(x, "(", "after the function");
    if (!is_sign(x, ")")) do
            add_term(n, parse_comparison(x), false);
        while (accept(x, ","));
    expect(x, ")", "after the arguments");
    const unsigned arity = f ? f->one ? 1 : 2 : own && own->arguments >= 0 ? (unsigned)own->arguments : n->count;
    if (n->count != arity && !(n->count > 2 && (same(name.text, "max") || same(name.text, "min"))))
        refuse(name.place, "%s takes %u argument%s, not %u", name.text, arity, arity == 1 ? "" : "s", n->count);
    while (f && n->count > 2) { /* max(a, b, c) becomes max(max(a, b), c) */
        node *inner = make_node(CALL, n->place);
        inner->word = n->word;
        add_term(inner, n->term[0].node, false);
        add_term(inner, n->term[1].node, false);
        n->term++;
        n->term[0] = (struct term){inner, false};
        n->count--;
    }
    return n;
}

/* True if indices in parentheses and then an operand follow the word: sum(i, j) A(i,j). */
static bool starts_reduction(lexer x)
{
    advance(&x);
    if (!accept(&x, "(")) return false;
    do {
        if (x.now.kind != NAME) return false;
        advance(&x);
    } while (accept(&x, ","));
    if (!accept(&x, ")")) return false;
    return x.now.kind == NAME || x.now.kind == NUMBER || is_sign(&x, "(");
}

/* True if the next token is an index, followed by another index or by the reduced expression. */
static bool lists_index(lexer x)
{
    if (x.now.kind != NAME) return false;
    advance(&x);
    return is_sign(&x, ",");
}

/* True for TACO's form, sum(i, j, A(i,j)). max(i, j) is the greater of two indices. */
static bool starts_listed_reduction(lexer x)
{
    if (!is_word(&x, "sum") && !is_word(&x, "prod")) return false;
    advance(&x);
    return accept(&x, "(") && lists_index(x);
}

/* The letters that stand alone in an expression. Each may be an index or a scalar. */
static letters lone_letters(const node *n)
{
    letters set = n->kind == ACCESS && n->tensor < 0 ? letter_bit(letter_of(n->word)) : 0;
    for (unsigned k = 0; k < n->count; k++) set |= lone_letters(n->term[k].node);
    return set;
}

static node *parse_reduction(lexer *x)
{
    node *n = make_node(REDUCTION, x->now.place);
    n->word = x->now.text;
    n->grouped = true;
    const bool listed = !starts_reduction(*x);
    advance(x);
    expect(x, "(", "after the reduction");
    do {
        const spot place = x->now.place;
        const letters bit = letter_bit(parse_index(x));
        if (n->over & bit) refuse(place, "the index is named twice");
        n->over |= bit;
    } while (accept(x, ",") && (!listed || lists_index(*x)));
    if (!listed) expect(x, ")", "after the indices of the reduction");
    add_term(n, listed ? parse_comparison(x) : parse_product(x), false);
    if (listed) expect(x, ")", "after what is reduced");
    for (char i = 'a'; i <= 'z'; i++)
        if (n->over & ~(free_letters(n->term[0].node) | lone_letters(n->term[0].node)) & letter_bit(i))
            refuse(n->place, "the index %c of the reduction is not in what it reduces", i);
    if (finds_index(n->word) && (n->over & (n->over - 1))) refuse(n->place, "%s is over one index", n->word);
    const node *inner = n->term[0].node;
    if (inner->kind == REDUCTION && same(inner->word, n->word) &&
        is_reduction(n->word)) { /* max(p) max(q) x becomes max(p,q) x */
        n->over |= inner->over;
        n->term = inner->term;
    }
    return n;
}

/* Makes an operation of one, two or three terms; `place` is the position of its sign. */
static node *make_operation(const char *word, spot place, node *first, node *second)
{
    node *n = make_node(OPERATION, place);
    n->word = word;
    add_term(n, first, false);
    if (second) add_term(n, second, false);
    return n;
}

/* Makes -n; `sign` is the position of the minus sign. */
static node *negated(node *n, spot sign)
{
    node *sum = make_node(SUM, sign);
    add_term(sum, n, true);
    return sum;
}

/* Parses like(A(i,j)), after the word: 1 where A has an entry, else 0. */
static node *parse_pattern(lexer *x)
{
    expect(x, "(", "after like");
    const token name = x->now;
    if (name.kind != NAME) refuse(name.place, "a tensor is expected, not %s", found(x));
    advance(x);
    check_call(*x, name);
    node *n = parse_access(x, name);
    refuse_bounds(n, "like()");
    if (n->tensor < 0 || n->member || !tensor_at(n->tensor)->rank)
        refuse(name.place, "like() is of a tensor at its indices");
    n->asked = true;
    expect(x, ")", "after the tensor");
    return n;
}

/* Parses count(i,j), after the word: the number of coordinates of these indices. */
static node *parse_count(lexer *x, token word)
{
    node *n = make_node(REDUCTION, word.place);
    n->word = "count";
    n->grouped = true;
    expect(x, "(", "after count");
    do n->over |= letter_bit(parse_index(x));
    while (accept(x, ","));
    expect(x, ")", "after the indices");
    add_term(n, make_node(LITERAL, word.place), false);
    n->term[0].node->word = "1";
    return n;
}

static node *parse_factor(lexer *x)
{
    const token t = x->now;
    if (++x->depth > MAX_DEPTH) refuse(t.place, "the expression is nested more than %d deep", MAX_DEPTH);
    node *n = NULL;
    if (accept(x, "-")) {
        n = negated(parse_factor(x), t.place);
    } else if (accept(x, "!")) {
        n = make_operation("!", t.place, parse_factor(x), NULL);
    } else if (accept(x, "(")) {
        n = parse_comparison(x);
        n->grouped = true;
        expect(x, ")", "to close the parenthesis");
    } else if (t.kind == NUMBER) {
        n = make_node(LITERAL, t.place);
        n->word = t.text;
        advance(x);
    } else if (t.kind != NAME) {
        refuse(t.place, "an operand is expected, not %s", found(x));
    } else if (((is_reduction(t.text) || is_reduction_of_words(t.text)) && starts_reduction(*x)) ||
               starts_listed_reduction(*x)) {
        n = parse_reduction(x);
    } else {
        advance(x);
        if (is_sign(x, "(") && same(t.text, "like")) {
            x->depth--;
            return parse_pattern(x);
        }
        if (is_sign(x, "(") && same(t.text, "count")) {
            x->depth--;
            return parse_count(x, t);
        }
        const bool known = is_sign(x, "(") && (find_function(t.text) || is_defined_by_user(t.text));
        if (!known) check_call(*x, t);
        n = known ? parse_call(x, t) : with_bounds(parse_access(x, t));
    }
    x->depth--;
    return n;
}

/* Adds a term to a chain. For (j < i) * L(i,j), adds both factors. */
static void add_factor(node *chain, node *term, bool inverse)
{
    if (chain->kind != PRODUCT || !term->bounded || inverse) {
        add_term(chain, term, inverse);
        return;
    }
    for (unsigned k = 0; k < term->count; k++) add_term(chain, term->term[k].node, false);
}

/* Parses the rest of a chain of terms with signs between them; its first term is given. A single term stays as it is. */
static node *go_on_chain(lexer *x, node *first, node_kind kind, const char *plain, const char *inverse,
                         node *(*term)(lexer *))
{
    if (!is_sign(x, plain) && !is_sign(x, inverse)) return first;
    node *n = make_node(kind, first->place);
    add_factor(n, first, false);
    while (is_sign(x, plain) || is_sign(x, inverse)) {
        const bool is_inverse = is_sign(x, inverse);
        advance(x);
        add_factor(n, term(x), is_inverse);
    }
    return n;
}
static node *parse_chain(lexer *x, node_kind kind, const char *plain, const char *inverse, node *(*term)(lexer *))
{
    return go_on_chain(x, term(x), kind, plain, inverse, term);
}

static node *parse_product(lexer *x)
{
    node *n = parse_chain(x, PRODUCT, "*", "/", parse_factor);
    while (is_sign(x, "%")) {
        const spot place = x->now.place;
        advance(x);
        n = make_operation("%", place, n, parse_factor(x));
        n->grouped = true;
        n = go_on_chain(x, n, PRODUCT, "*", "/", parse_factor);
    }
    return n;
}

static node *parse_sum(lexer *x) { return parse_chain(x, SUM, "+", "-", parse_product); }

/* The sign of a comparison that comes next; null if none does. */
static const char *relation_sign(const lexer *x)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++)
        if (is_sign(x, signs[s])) return signs[s];
    return NULL;
}

static node *parse_relation(lexer *x)
{
    node *left = parse_sum(x);
    const char *const sign = relation_sign(x);
    if (!sign) return left;
    node *n = make_node(COMPARISON, x->now.place);
    n->word = sign;
    advance(x);
    add_term(n, left, false);
    add_term(n, parse_sum(x), false);
    if (relation_sign(x)) refuse(x->now.place, "a comparison has two sides: write (a < b) && (b < c), or (a < b) < c");
    return n;
}

/* Parses terms with && between them, or with || between such chains. */
static node *parse_logic(lexer *x, const char *sign)
{
    const bool outer = same(sign, "||");
    node *n = outer ? parse_logic(x, "&&") : parse_relation(x);
    while (is_sign(x, sign)) {
        const spot place = x->now.place;
        advance(x);
        n = make_operation(sign, place, n, outer ? parse_logic(x, "&&") : parse_relation(x));
    }
    return n;
}

static node *parse_comparison(lexer *x)
{
    node *n = parse_logic(x, "||");
    const spot place = x->now.place;
    if (!accept(x, "?")) return n;
    if (++x->depth > MAX_DEPTH) refuse(place, "the expression is nested more than %d deep", MAX_DEPTH);
    n = make_operation("?", place, n, parse_comparison(x));
    expect(x, ":", "between the two values");
    add_term(n, parse_comparison(x), false);
    x->depth--;
    return n;
}

/* Decides for each single letter whether it is an index of the statement or a scalar. */
static void resolve_coordinates(node *n, letters indices)
{
    if (n->kind == ACCESS && n->tensor < 0) {
        if (indices & letter_bit(letter_of(n->word))) {
            n->kind = COORDINATE;
            n->index[0] = letter_of(n->word);
        } else {
            n->tensor = declare_tensor((token){NAME, n->place, n->word}, 0, "");
        }
    }
    for (unsigned k = 0; k < n->count; k++) resolve_coordinates(n->term[k].node, indices);
}

/* Refuses a tensor or function with the name of an index of its statement, because the kernel would use one name for two
   things. */
static void check_names(const node *n, letters indices)
{
    if (is_access(n) && n->word[1] == '\0' && islower((unsigned char)n->word[0]) && (indices & letter_bit(n->word[0])))
        refuse(n->place, "%s is a tensor and an index in one statement", n->word);
    if (n->kind == CALL && islower((unsigned char)n->word[0]) && !n->word[1] && (indices & letter_bit(n->word[0])))
        refuse(n->place, "%s is a function and an index in one statement", n->word);
    for (const char *i = is_access(n) ? n->index : ""; *i; i++)
        if (set_of(*i) && letter_of(set_of(*i)) && (indices & letter_bit(letter_of(set_of(*i)))))
            refuse(n->place, "%s is an index set and an index in one statement", set_of(*i));
    for (unsigned k = 0; k < n->count; k++) check_names(n->term[k].node, indices);
}

/* The letters in the subscripts of an expression that are not plain indices. */
static letters subscripts_of(const node *n)
{
    letters set = is_access(n) ? letters_of(n->index) | known_letters(n->index) : n->over;
    for (unsigned k = 0; k < n->count; k++) set |= subscripts_of(n->term[k].node);
    return set;
}

/* Treats the second i of an assigned C(i,i) like i+1: a subscript computed from i, in a dimension that can have any size. */
static void part_diagonal(node *n)
{
    tensor *t = tensor_at(n->tensor);
    for (unsigned d = 1; n->subscript && d < t->rank; d++)
        for (unsigned e = 0; e < d; e++)
            if (is_index(&n->subscript[d]) && is_index(&n->subscript[e]) &&
                n->subscript[d].index[0] == n->subscript[e].index[0]) {
                t->windowed[d] = true;
                if (t->window.source == NULL) t->window = n->subscript[d].place;
                n->kind = WINDOW;
            }
    if (n->kind == WINDOW) make_window(n);
}

static void parse_statement(lexer *x)
{
    if (the.statements == MAX_STATEMENTS) refuse(x->now.place, "there are more than %d statements", MAX_STATEMENTS);
    statement *s = &the.statement[the.statements++];
    const token name = x->now;
    if (name.kind != NAME) refuse(name.place, "a tensor that is assigned to is expected, not %s", found(x));
    if (find_function(name.text) || is_reduction(name.text)) declare_tensor(name, 0, "");
    advance(x);
    node *left = parse_access(x, name);
    refuse_bounds(left, "what is assigned to");
    s->place = name.place;
    if (left->tensor < 0) left->tensor = declare_tensor(name, 0, "");
    part_diagonal(left);
    s->output = left->tensor;
    s->access = left;
    s->left = left->kind == WINDOW || has_set(left->index) ? left : NULL;
    memset(s->index, 0, sizeof s->index);
    for (const char *i = left->index; *i; i++)
        if (!strchr(s->index, known_by(*i))) s->index[strlen(s->index)] = known_by(*i);
    const token how = x->now;
    const bool chooses = is_word(x, "max") || is_word(x, "min"), takes = is_sign(x, "-=");
    s->reduction = chooses ? how.text : is_sign(x, "*=") ? "prod" : NULL;
    s->accumulate = is_sign(x, "+=") || takes || s->reduction;
    if (s->accumulate) advance(x);
    if (!s->accumulate || chooses) expect(x, "=", chooses ? print("after %s", how.text) : "after the output");
    s->value = parse_comparison(x);
    if (takes) s->value = negated(s->value, how.place);
    const letters indices = subscripts_of(s->value) | letters_of(s->index);
    resolve_coordinates(s->value, indices);
    check_names(left, indices);
    check_names(s->value, indices);
    tensor *t = tensor_at(s->output);
    if (t->assigned && !s->accumulate) refuse(name.place, "%s is assigned twice; write += to add to it", t->name);
    t->assigned = true;
    if (t->role == INPUT) t->role = OUTPUT;
}

/* True if a statement assigns to a part of the tensor, such as C(i+3,j). Then an assignment to C(i,j) assigns to a part
   too, because i and j may have smaller sizes. */
static bool has_parts(int n)
{
    for (int s = 0; s < the.statements; s++)
        if (the.statement[s].output == n && the.statement[s].left && the.statement[s].left->kind == WINDOW) return true;
    return false;
}

/* Makes all assignments to such a tensor assignments to parts. */
static void settle_parts(void)
{
    for (int s = 0; s < the.statements; s++) {
        statement *a = &the.statement[s];
        if (a->left || !has_parts(a->output)) continue;
        make_window(a->access);
        a->left = a->access;
    }
}

/* The single letters that statements use as names. */
static letters single_letters(const char *source)
{
    letters set = 0;
    for (lexer x = lex(source); x.now.kind != END; advance(&x))
        if (x.now.kind == NAME && islower((unsigned char)x.now.text[0]) && !x.now.text[1]) set |= letter_bit(x.now.text[0]);
    return set;
}

static void parse_program(const char *source)
{
    lexer x = lex(source);
    the.tensors = the.statements = 0;
    memset(the.statement, 0, sizeof the.statement);
    if (x.now.kind == END) refuse(x.now.place, "there is no statement");
    do {
        if (x.now.kind == END && the.statements) break;
        parse_statement(&x);
    } while (accept(&x, ";"));
    if (x.now.kind != END) refuse(x.now.place, "the statement should end here, before %s", found(&x));
}

/* Encodings: a name, or the dialect's  (i, j) -> (j : dense, i : compressed(nonunique)), posWidth = 32. */

/* Returns the dimension that the current token names, or refuses the token. */
static unsigned find_dim(const lexer *x, const char *const *names, unsigned rank)
{
    for (unsigned d = 0; d < rank; d++)
        if (x->now.kind == NAME && same(names[d], x->now.text)) return d;
    refuse(x->now.place, "a dimension of the left side is expected, not %s", found(x));
}

/* The inverse of a map, as in the MLIR dialect: {l0, l1} (i = l0 * 2 + l1) computes dimensions from levels. */
typedef struct inverse_map {
    const char *level[MAX_RANK];
    unsigned levels; /* 0: no inverse */
    uint32_t factor[MAX_RANK][MAX_RANK];
} inverse_map;

/* Parses {l0, l1} if the next token is a brace. */
static inverse_map parse_level_names(lexer *x)
{
    inverse_map m = {.levels = 0};
    if (!accept(x, "{")) return m;
    do {
        if (x->now.kind != NAME || m.levels == MAX_RANK)
            refuse(x->now.place, "the name of a level is expected, not %s", found(x));
        m.level[m.levels++] = x->now.text;
        advance(x);
    } while (accept(x, ","));
    expect(x, "}", "after the names of the levels");
    return m;
}

/* Parses l0 * 2 + l1. */
static void parse_inverse(lexer *x, inverse_map *m, unsigned d)
{
    do {
        unsigned l = 0;
        while (l < m->levels && !is_word(x, m->level[l])) l++;
        if (l == m->levels) refuse(x->now.place, "the name of a level is expected, not %s", found(x));
        advance(x);
        m->factor[d][l] = 1;
        if (accept(x, "*")) m->factor[d][l] = (uint32_t)expect_number(x, "a factor", 1, widest().c);
    } while (accept(x, "+"));
}

/* Parses (i, j), or with an inverse (i = l0, j = l1). */
static void parse_dimensions(lexer *x, encoding *e, const char *names[MAX_RANK], inverse_map *m)
{
    expect(x, "(", "before the dimensions");
    do {
        if (x->now.kind != NAME) refuse(x->now.place, "the name of a dimension is expected, not %s", found(x));
        if (e->rank == MAX_RANK) refuse(x->now.place, "a tensor has at most %d dimensions", MAX_RANK);
        for (unsigned d = 0; d < e->rank; d++)
            if (same(names[d], x->now.text)) refuse(x->now.place, "the dimension %s is named twice", names[d]);
        names[e->rank++] = x->now.text;
        advance(x);
        if (is_sign(x, ":")) refuse(x->now.place, "a slice is a subscript in the statements, as in A(i(0,8,2),j)");
        if (m && m->levels) expect(x, "=", "after the dimension");
        if (m && m->levels) parse_inverse(x, m, e->rank - 1);
    } while (accept(x, ","));
    expect(x, ")", "after the dimensions");
}

/* Lists the names of all level types, for an error message. */
static const char *level_type_names(void)
{
    text t = {0};
    for (unsigned f = 0; f < FORMATS; f++)
        put(&t, "%s%s%s",
            f == 0             ? ""
            : f + 1 == FORMATS ? " or "
                               : ", ",
            format_name((format)f),
            sparse_p_traits(f) & SPARSE_TRAIT_COUNTS   ? "[n, m]"
            : sparse_p_traits(f) & SPARSE_TRAIT_PACKED ? "(bits)"
                                                       : "");
    return t.at;
}

/* Parses a level type: dense, compressed(nonunique), delta(4), structured[2, 4]. In the kit's syntax the last is
   structured(2, 4). */
static void parse_level_type(lexer *x, level *v)
{
    unsigned f = 0;
    while (f < FORMATS && !is_word(x, format_name((format)f))) f++;
    if (f == FORMATS) refuse(x->now.place, "a level type is %s, not %s", level_type_names(), found(x));
    v->format = (format)f;
    advance(x);
    lexer ahead = *x;
    const bool round = accept(&ahead, "(") && ahead.now.kind == NUMBER;
    if (round || is_sign(x, "[")) {
        advance(x);
        v->n = (unsigned)expect_number(x, "n", 0, widest().n);
        if (accept(x, ",")) v->m = (unsigned)expect_number(x, "m", 0, widest().m);
        expect(x, round ? ")" : "]", "after the numbers of the level type");
    }
    if (!accept(x, "(")) return;
    do {
        const unsigned property = is_word(x, "nonunique")    ? NONUNIQUE
                                  : is_word(x, "nonordered") ? NONORDERED
                                  : is_word(x, "soa")        ? SOA
                                                             : 0;
        const bool high = v->format == COMPRESSED && is_word(x, "high"); /* an older syntax of the dialect */
        if (high) v->format = (format)SPARSE_LOOSE_COMPRESSED;
        if (!property && !high) refuse(x->now.place, "a property is nonunique, nonordered or soa, not %s", found(x));
        v->properties |= property;
        advance(x);
    } while (accept(x, ","));
    expect(x, ")", "after the properties");
}

/* Returns the part that the current word denotes; WHOLE if it is no such word. */
static level_part part_of(const lexer *x)
{
    level_part part = MINUS;
    while (part != WHOLE && !is_word(x, part_words[part])) part--;
    return part;
}

/* Parses one level, i floordiv 2 : dense. A symbol c as in [c](i, j) is allowed too: c * 3 * i means i count 3. */
static void parse_level(lexer *x, level *v, const char *const *names, unsigned rank, const char *own, const char *symbol)
{
    if (own && is_word(x, own)) {
        advance(x);
        expect(x, "=", "after the name of the level");
    }
    if (symbol && is_word(x, symbol)) {
        advance(x);
        expect(x, "*", "after the symbol");
        v->part = COUNT;
        v->size = expect_number(x, "how many slices there are", 1, widest().c);
        expect(x, "*", "after how many slices there are");
    }
    v->dim = find_dim(x, names, rank);
    advance(x);
    if (v->part == WHOLE) v->part = part_of(x);
    if (v->part == MINUS) v->part = WHOLE; /* minus has a sign, which is parsed below */
    if (v->part != WHOLE && !v->size) {
        advance(x);
        v->size = expect_number(x, "a block size", 1, widest().c);
    } else if (v->part == WHOLE && accept(x, "-")) {
        v->part = MINUS;
        v->other = find_dim(x, names, rank);
        advance(x);
    }
    if (is_sign(x, "+") || is_sign(x, "*") || is_sign(x, "-"))
        refuse(x->now.place, "a level stores a dimension, its floordiv, mod or count, or the difference of two");
    expect(x, ":", "between a level and its type");
    parse_level_type(x, v);
}

/* Parses the kit's syntax: ((i, j), (dense, floordiv(i, 2)), (compressed, j)). */
static encoding parse_kit_encoding(lexer *x)
{
    encoding e = {.pos = 32, .crd = 32};
    const char *names[MAX_RANK];
    expect(x, "(", "before the dimensions");
    parse_dimensions(x, &e, names, NULL);
    while (accept(x, ",")) {
        if (e.levels == MAX_RANK) refuse(x->now.place, "an encoding has at most %d levels", MAX_RANK);
        level *v = &e.level[e.levels++];
        expect(x, "(", "before a level");
        parse_level_type(x, v);
        expect(x, ",", "after the type of a level");
        v->part = part_of(x);
        if (v->part != WHOLE) {
            advance(x);
            expect(x, "(", "after what a level stores");
        }
        v->dim = find_dim(x, names, e.rank);
        advance(x);
        if (v->part != WHOLE) expect(x, ",", "after the dimension");
        if (v->part == MINUS) {
            v->other = find_dim(x, names, e.rank);
            advance(x);
        } else if (v->part != WHOLE) {
            v->size = expect_number(x, "a block size", 1, widest().c);
        }
        if (v->part != WHOLE) expect(x, ")", "after what a level stores");
        expect(x, ")", "after a level");
    }
    expect(x, ")", "after the levels");
    return e;
}

/* Checks an encoding with the rules of the headers. */
static void check_encoding(const encoding *e, const inverse_map *m, spot place)
{
    uint32_t inverse[MAX_RANK * MAX_RANK] = {0};
    sparse_encoding k = {.name = "", .rank = (uint8_t)e->rank, .levels = (uint8_t)e->levels, .value_size = 1};
    for (unsigned l = 0; l < e->levels; l++) {
        const level *v = &e->level[l];
        k.level[l] = (sparse_level){(uint8_t)v->format, (uint8_t)v->properties, (uint8_t)v->part, (uint8_t)v->dim,
                                    (uint32_t)v->size,  (uint16_t)v->n,         (uint16_t)v->m};
    }
    k.pos_bits = (uint8_t)e->pos, k.crd_bits = (uint8_t)e->crd;
    k.kind = SPARSE_U8;
    for (unsigned d = 0; m && d < e->rank; d++)
        for (unsigned l = 0; l < e->levels; l++) inverse[d * e->levels + l] = m->factor[d][l];
    if (m && m->levels) k.inverse = inverse;
    if (m && m->levels && m->levels != e->levels) refuse(place, "the levels before the map and in it are not the same");
    const sparse_result result = sparse_encoding_check(&k);
    if (result != SPARSE_OK) refuse(place, "%s", sparse_message(result));
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].part == MINUS && e->level[l].other != e->level[l + 1].dim)
            refuse(place, "after a difference, the next level stores the dimension that is subtracted");
}

static unsigned parse_width(lexer *x)
{
    advance(x);
    expect(x, "=", "after the width");
    const spot place = x->now.place;
    const unsigned long bits = expect_number(x, "a width", 0, 64);
    if (bits != 0 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
        refuse(place, "a width is 0, 8, 16, 32 or 64 bits");
    return bits ? (unsigned)bits : 64;
}

/* Parses = -1.5, or = -1.5 : f64. Returns null for zero, which is the default. */
static const char *parse_value(lexer *x)
{
    const bool fill = is_word(x, "implicitVal");
    advance(x);
    expect(x, "=", "after the name of the value");
    const char *value = expect_any_real(x);
    if (accept(x, ":")) {
        if (x->now.kind != NAME) refuse(x->now.place, "the type of the value is expected, not %s", found(x));
        advance(x);
    }
    const double number = number_of(value);
    return fill && number >= 0 && number <= 0 ? NULL : value;
}

static void parse_widths(lexer *x, encoding *e)
{
    const spot place = x->now.place;
    while (accept(x, ",")) {
        if (is_word(x, "posWidth"))
            e->pos = parse_width(x), e->told_pos = true;
        else if (is_word(x, "crdWidth"))
            e->crd = parse_width(x), e->told_crd = true;
        else if (is_word(x, "explicitVal"))
            e->constant = parse_value(x);
        else if (is_word(x, "implicitVal"))
            e->fill = parse_value(x);
        else
            refuse(x->now.place, "posWidth, crdWidth, explicitVal or implicitVal is expected, not %s", found(x));
    }
    if (e->levels) check_encoding(e, NULL, place); /* some level types need wider coordinates */
}

/* Parses the MLIR dialect's syntax, with or without #sparse_tensor.encoding<{ map = ... }> around it. */
static encoding parse_map(lexer *x)
{
    encoding e = {.pos = 32, .crd = 32};
    const char *names[MAX_RANK];
    const spot place = x->now.place;
    const char *symbol = NULL;
    if (accept(x, "[")) {
        symbol = x->now.text;
        if (x->now.kind != NAME) refuse(x->now.place, "the name of a symbol is expected, not %s", found(x));
        advance(x);
        expect(x, "]", "after the symbol");
    }
    inverse_map m = parse_level_names(x);
    parse_dimensions(x, &e, names, &m);
    expect(x, "->", "between dimensions and levels");
    expect(x, "(", "before the levels");
    do {
        if (e.levels == MAX_RANK) refuse(x->now.place, "an encoding has at most %d levels", MAX_RANK);
        parse_level(x, &e.level[e.levels], names, e.rank, e.levels < m.levels ? m.level[e.levels] : NULL, symbol);
        e.levels++;
    } while (accept(x, ","));
    expect(x, ")", "after the levels");
    check_encoding(&e, &m, place);
    parse_widths(x, &e);
    return e;
}

/* Skips #sparse_tensor.encoding<{ map = and returns true if it was there. */
static bool parse_attribute_head(lexer *x)
{
    if (!accept(x, "#")) {
        if (is_word(x, "map")) {
            advance(x);
            expect(x, "=", "after map");
        }
        return false;
    }
    while (!is_word(x, "map")) {
        if (x->now.kind == END) refuse(x->now.place, "\"map\" is expected in the encoding");
        advance(x);
    }
    advance(x);
    expect(x, "=", "after map");
    return true;
}

/* Returns the first letter of a level type's name that no earlier level type uses. */
static char format_letter(format wanted)
{
    letters used = 0;
    for (unsigned f = 0;; f++) {
        const char *c = format_name((format)f);
        while (c[1] && (used & letter_bit(*c))) c++;
        if (f == wanted) return *c;
        used |= letter_bit(*c);
    }
}

/* Builds a short name for an encoding without one, from the letters of its levels: "dc", "cc_ji". */
static const char *spell_encoding_name(const encoding *e)
{
    text t = {0};
    bool ordered = true;
    for (unsigned l = 0; l < e->levels; l++) {
        const level *v = &e->level[l];
        put(&t, "%c", format_letter(v->format));
        if (v->properties & NONUNIQUE) put(&t, "n");
        if (v->properties & NONORDERED) put(&t, "o");
        if (v->properties & SOA) put(&t, "a");
        if (v->part != WHOLE || v->dim != l) ordered = false;
    }
    if (!ordered) put(&t, "_");
    for (unsigned l = 0; !ordered && l < e->levels; l++) {
        put(&t, "%c", dim_letter(e->level[l].dim));
        if (e->level[l].part != WHOLE) put(&t, "%lu", e->level[l].size);
    }
    return t.at;
}

static bool same_levels(const encoding *a, const encoding *b)
{
    encoding c = *b;
    c.pos = a->pos, c.crd = a->crd, c.constant = a->constant, c.fill = a->fill;
    return same_encoding(a, &c);
}

/* Replaces, in a text of a row, each # and each letter for a size by the size. Letters follow the order of the macro's
   parameters. */
static const char *with_sizes(const char *from, const char *macro, const unsigned long size[MAX_SIZES])
{
    text t = {0};
    char letter[MAX_SIZES + 1] = {0};
    unsigned count = 0;
    const char *list = strchr(macro, '(');
    for (const char *c = list ? list : ""; *c; c++)
        if (isupper((unsigned char)*c) && count < MAX_SIZES) letter[count++] = *c;
    count = 0;
    put(&t, "%s", "");
    for (const char *c = from; *c; c++) {
        const bool alone = c > from && strchr("( ,", c[-1]) && strchr("), ", c[1]);
        const char *at = alone && isupper((unsigned char)*c) ? strchr(letter, *c) : NULL;
        if (*c == '#')
            put(&t, "%lu", size[count++]);
        else if (at)
            put(&t, "%lu", size[at - letter]);
        else
            put(&t, "%c", *c);
    }
    return t.at;
}

static bool has_sizes(const named *k) { return strchr(k->name, '#') != NULL; }

/* The encoding of a row of the table, with these sizes. */
static encoding encoding_of(const named *k, const unsigned long size[MAX_SIZES])
{
    lexer x = lex(with_sizes(k->levels, k->macro, size));
    encoding e = parse_kit_encoding(&x);
    e.name = with_sizes(k->name, k->macro, size);
    e.macro = with_sizes(k->macro, k->macro, size);
    return e;
}

/* Gives an encoding the name that the kit has for it, or builds one. */
static void name_encoding(encoding *e)
{
    const unsigned pos = e->pos, crd = e->crd;
    const char *name = NULL;
    for (size_t n = 0; !name && n < NAMED_ENCODINGS; n++) {
        if (has_sizes(&named_encodings[n])) continue;
        const encoding other = encoding_of(&named_encodings[n], NULL);
        if (same_levels(e, &other)) name = other.name, e->macro = other.macro;
    }
    e->name = name ? name : e->name ? e->name : spell_encoding_name(e);
    if (pos != 32 || crd != 32) e->name = print("%s_%u_%u", e->name, pos, crd);
    if (e->constant) e->name = print("%s_const", e->name);
    if (e->fill) e->name = print("%s_over", e->name);
}

/* The encoding of `rank` dimensions with the same level type, "d" or "c", at each level. */
static encoding uniform(unsigned rank, char letter)
{
    char formats[MAX_RANK + 1] = {0};
    memset(formats, letter, rank);
    encoding e = make_encoding(formats, in_order);
    if (rank)
        name_encoding(&e);
    else
        e.name = "scalar";
    return e;
}
static encoding dense_encoding(unsigned rank) { return uniform(rank, 'd'); }

/* True if the word names this row; stores its sizes. A size that the word omits is 2. */
static bool is_named(const char *word, const char *name, unsigned long size[MAX_SIZES])
{
    unsigned count = 0;
    const char *start = word;
    size[0] = size[1] = 2;
    for (; *name; name++) {
        char *end = NULL;
        if (*name == '#' && *word == '\0' && count == 0) return word > start + 1;
        if (*name != '#' && *name != *word++) return false;
        if (*name != '#') continue;
        if (!isdigit((unsigned char)*word)) return false;
        size[count++] = strtoul(word, &end, 10);
        word = end;
    }
    return *word == '\0';
}

static const char *lower_case(const char *s)
{
    char *u = take(strlen(s) + 1);
    for (size_t n = 0; s[n]; n++) u[n] = (char)tolower((unsigned char)s[n]);
    return u;
}

/* Aliases: names for an encoding of the tensor's rank, and names that other software uses for the kit's encodings. */
static const struct alias {
    const char *name, *kit;
} aliases[] = {{"sparse", "csf"},    {"row_major", "dense"},  {"c", "dense"},
               {"f", "colmajor"},    {"fortran", "colmajor"}, {"column_major", "colmajor"},
               {"crs", "csr"},       {"ccs", "csc"},          {"jds", "jagged"},
               {"ijv", "coo"},       {"triplet", "coo"},      {"ndarray", "dense"},
               {"coo_soa", "coosoa"}};

/* The name with the sizes that follow in parentheses, if any do: bsr2x3 of bsr(2, 3). */
static const char *called_with_sizes(lexer *x, const char *word)
{
    const named *row = named_encodings, *const end = row + NAMED_ENCODINGS;
    const size_t length = strlen(word);
    unsigned long size[MAX_SIZES] = {0, 0};
    while (row < end &&
           (strcspn(row->name, "#") != length || row->name[length] != '#' || strncmp(row->name, word, length) != 0))
        row++;
    if (row == end || length < 2 || !is_sign(x, "(")) return word;
    const char *at = row->name + length;
    for (unsigned count = 0; at; at = strchr(at + 1, '#'), count++) {
        expect(x, count ? "," : "(", "before a size");
        size[count] = expect_number(x, "a size", 1, widest().c);
    }
    expect(x, ")", "after the sizes");
    return with_sizes(row->name, "", size);
}

/* Parses the name of an encoding for a tensor of `rank` dimensions, with sizes and widths after it. Knows the
   aliases. */
static encoding parse_named(lexer *x, unsigned rank)
{
    const token t = x->now;
    encoding e = {0};
    if (t.kind == NUMBER) refuse(t.place, "an encoding is expected, not a number");
    if (t.kind != NAME) refuse(t.place, "an encoding is expected, not %s", found(x));
    const char *word = lower_case(t.text);
    const size_t length = strlen(word);
    if (length > 6 && (same(word + length - 6, "_array"))) word = copy_string(word, length - 6);
    if (length > 7 && (same(word + length - 7, "_matrix"))) word = copy_string(word, length - 7);
    if (same(word, "lil") || same(word, "dok"))
        refuse(t.place, "%s is for building matrices; coo or csr holds what was built", word);
    for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++)
        if (same(word, aliases[k].name)) word = aliases[k].kit;
    advance(x);
    word = called_with_sizes(x, word);
    if (rank == 1 && same(word, "coo")) word = "csf"; /* for a vector, a coordinate list is the same as CSF */
    if (same(word, "dense") || same(word, "csf")) e = uniform(rank, word[0]);
    const char *ranked = rank > 2 ? print("%s%u", word, rank) : word;
    for (size_t pass = 0; pass < 2 && e.name == NULL;
         pass++) /* the second pass accepts another rank, for the error message */
        for (size_t k = 0; k < NAMED_ENCODINGS && e.name == NULL; k++) {
            const named *row = &named_encodings[k];
            unsigned long size[MAX_SIZES];
            if (!is_named(word, row->name, size) && !is_named(ranked, row->name, size)) continue;
            if (!size[0] || !size[1] || size[0] > widest().c || size[1] > widest().c)
                refuse(t.place, "a size in the name of an encoding is from 1 to %lu", (unsigned long)widest().c);
            e = encoding_of(row, size);
            if (e.rank != rank && pass == 0)
                e.name = NULL;
            else
                check_encoding(&e, NULL, t.place);
        }
    if (e.name == NULL) refuse(t.place, "\"%s\" is not an encoding; --help lists the names", t.text);
    if (e.rank != rank) refuse(t.place, "the encoding %s has %u dimensions, the tensor has %u", t.text, e.rank, rank);
    parse_widths(x, &e);
    return e;
}

/* Parses the text after the = of an option, given as a source into which the caret can point. */
static encoding parse_encoding(spot at, unsigned rank)
{
    lexer x = {.source = at.source, .at = at.at};
    advance(&x);
    encoding e;
    lexer ahead = x;
    if (accept(&ahead, "(") && is_sign(&ahead, "(")) {
        const spot place = x.now.place;
        e = parse_kit_encoding(&x);
        check_encoding(&e, NULL, place);
        parse_widths(&x, &e);
        if (e.rank != rank) refuse(place, "the encoding has %u dimensions, the tensor has %u", e.rank, rank);
    } else if (is_sign(&x, "(") || is_sign(&x, "{") || is_sign(&x, "[") || is_sign(&x, "#") || is_word(&x, "map")) {
        const spot place = x.now.place;
        const bool wrapped = parse_attribute_head(&x);
        e = parse_map(&x);
        while (wrapped && (accept(&x, "}") || accept(&x, ">"))) {
        }
        if (e.rank != rank) refuse(place, "the encoding has %u dimensions, the tensor has %u", e.rank, rank);
    } else {
        e = parse_named(&x, rank);
    }
    if (x.now.kind != END) refuse(x.now.place, "the encoding should end here, before %s", found(&x));
    name_encoding(&e);
    return e;
}

/* >>reduce */

/* Sums an expression over i. If it already is a sum without parentheses, that sum gets the index. */
static node *make_reduction(node *body, char i)
{
    if (body->kind == REDUCTION && same(body->word, "sum") && !body->grouped) {
        body->over |= letter_bit(i);
        return body;
    }
    node *n = make_node(REDUCTION, body->place);
    n->word = "sum";
    n->over = letter_bit(i);
    n->grouped = body->grouped;
    add_term(n, body, false);
    return n;
}

/* Warns if a sum is placed inside a function or parenthesis, because the user may have meant to sum its result. */
static void warn_of_sum(const node *n, char i)
{
    const char *name = alphabet.long_name[i - 'a'] ? alphabet.long_name[i - 'a'] : print("%c", i);
    fprintf(stderr, "sparse_gen: note: %s is summed inside; write sum(%s) before %s to sum outside\n    %s\n    %*s^\n",
            name, name, n->kind == CALL ? n->word : "the parenthesis", n->place.source, (int)n->place.at, "");
}

/* True for a product of integers that divides. A division rounds, so the order of the factors matters. */
static bool rounds(const node *n, value_kind kind)
{
    for (unsigned k = 0; n->kind == PRODUCT && is_integer(kind) && k < n->count; k++)
        if (n->term[k].inverse) return true;
    return false;
}

/* Sums an expression over i, in the smallest subexpression that contains all uses of i. In a chain these are the terms
   that use i, in any position. In a product that rounds they are all terms up to the last that uses i. */
static node *reduce_over(node *n, char i)
{
    unsigned users = 0, last = 0;
    for (unsigned k = 0; k < n->count; k++)
        if (free_letters(n->term[k].node) & letter_bit(i)) users++, last = k;
    if (users == 1) {
        if (n->kind == CALL || n->kind == COMPARISON || n->kind == OPERATION) warn_of_sum(n, i);
        n->term[last].node = reduce_over(n->term[last].node, i);
        return n;
    }
    if (users == 0 || users == n->count || (n->kind != SUM && n->kind != PRODUCT)) return make_reduction(n, i);
    node *inner = make_node(n->kind, n->place), *outer = make_node(n->kind, n->place);
    outer->grouped = n->grouped;
    unsigned at = 0;
    const bool fixed = rounds(n, lowering.computing);
    if (fixed && last + 1 == n->count) return make_reduction(n, i);
    for (unsigned k = 0; k < n->count; k++) {
        const struct term t = n->term[k];
        if (fixed ? k > last : !(free_letters(t.node) & letter_bit(i))) {
            add_term(outer, t.node, t.inverse);
            continue;
        }
        if (inner->count == 0) at = outer->count, add_term(outer, inner, false);
        add_term(inner, t.node, t.inverse);
    }
    outer->term[at].node = make_reduction(inner, i);
    return outer;
}

/* Sums the value over every index that the output lacks. max= takes the greatest value over these indices instead. */
static void place_reductions(statement *s)
{
    const letters bound = letters_of(s->index), over = free_letters(s->value) & ~bound;
    if (s->reduction && over) {
        node *n = make_node(REDUCTION, s->value->place);
        n->word = s->reduction;
        n->over = over;
        n->grouped = true;
        add_term(n, s->value, false);
        s->value = n;
    }
    for (char i = 'a'; i <= 'z'; i++)
        if (free_letters(s->value) & ~bound & letter_bit(i)) s->value = reduce_over(s->value, i);
}

/* Refuses the reduction of an index of the output. */
static void check_reductions(const node *n, letters bound)
{
    if (n->kind == REDUCTION && (n->over & bound))
        refuse(n->place, "an index of the output, or of a reduction around this one, is reduced");
    if (n->kind == REDUCTION) bound |= n->over;
    for (unsigned k = 0; k < n->count; k++) check_reductions(n->term[k].node, bound);
}

/* >>spell */

/* Among indices that must have the same size, because they stand in the same dimension of a tensor: the first. */
static char size_letter(char i) { return alphabet.alike[i - 'A'] ? alphabet.alike[i - 'A'] : i; }

/* The form in which an expression is written. */
typedef struct speller {
    enum { NOTATION, STATEMENT, REFERENCE } style; /* index notation; a kernel's statement; the check's dense loops */
    const step *step;                              /* STATEMENT: the step whose operands have names */
    value_kind kind;                               /* the type to compute in */
    int statement;                                 /* REFERENCE: the number of the statement */
} speller;

enum { COMPARED = 1, ADDED, MULTIPLIED, ATOM }; /* the precedence of an expression */
static void spell(text *t, const speller *s, const node *n, int least);
static const char *argument(int n, bool written);
static const char *reference_name(int n, int before);
static bool put_presence(text *t, const speller *s, const node *n);

/* True if two accesses to a tensor have the same subscripts. Null is the whole tensor. */
static bool same_place(const node *a, const node *b)
{
    if (!a || !b) return a == b;
    for (unsigned d = 0; d < tensor_at(a->tensor)->rank; d++) {
        const subscript *s = &a->subscript[d], *r = &b->subscript[d];
        if (s->start != r->start || s->count != r->count) return false;
        for (unsigned k = 0; k < s->count; k++)
            if (s->index[k] != r->index[k] || s->step[k] != r->step[k]) return false;
    }
    return true;
}

/* The operand of a kernel for this access; null if there is none yet. */
static const operand *known_operand(const step *s, const node *n)
{
    for (unsigned k = 0; k < s->operands; k++)
        if (s->operand[k].kind == VALUE && s->operand[k].tensor == n->tensor && same(s->operand[k].index, n->index) &&
            same_place(s->operand[k].slice, n->sliced ? n : NULL) && same_place(s->operand[k].affine, n->affine ? n : NULL))
            return &s->operand[k];
    return NULL;
}

static const char *parameter_name(const step *s, const node *n)
{
    const operand *o = known_operand(s, n);
    return o ? o->name : tensor_at(n->tensor)->name;
}

static void spell_subscripts(text *t, const char *index)
{
    for (unsigned d = 0; index[d]; d++) put(t, "%s%c", d ? "," : "(", index[d]);
    if (index[0]) put(t, ")");
}

static value_kind kind_of_tensor(int n) { return computed(tensor_at(n)->kind); }

/* Writes a subscript in the usual form, 2 * i + p + 1, with subtracted terms last. */
static const char *spell_subscript(const subscript *s, const char *blank)
{
    text t = {0};
    if (s->end && !*blank) return print("%c(%ld,%ld,%ld)", s->index[0], s->start, s->end, s->step[0]);
    if (s->count == 0 && s->start < 0) return print(*blank ? "SIZE_MAX - %ld" : "-%ld", -s->start - (*blank != 0));
    for (int pass = 0; pass < 2; pass++) {
        for (unsigned k = 0; k < s->count; k++) {
            if ((s->step[k] < 0) != (pass == 1)) continue;
            if (t.length) put(&t, "%s%s%s", blank, pass ? "-" : "+", blank);
            if (labs(s->step[k]) != 1) put(&t, "%ld%s*%s", labs(s->step[k]), blank, blank);
            put(&t, "%c", s->index[k]);
        }
        if (pass == 0 && (s->start > 0 || t.length == 0))
            put(&t, t.length ? "%s+%s%ld" : "%.0s%.0s%ld", blank, blank, s->start > 0 ? s->start : 0);
        if (pass == 1 && s->start < 0) put(&t, "%s-%s%ld", blank, blank, -s->start);
    }
    for (char i = 'a'; i <= 'z' && !*blank; i++)
        if (s->idle & letter_bit(i)) put(&t, "+0*%c", i);
    return t.at;
}

/* In the check: (size_t)given_rows(i), the coordinate that an index set stores. */
static const char *chosen_place(char i, int before)
{
    return print("(size_t)%s(%c)", reference_name(find_tensor(set_of(i)), before), known_by(i));
}

/* In the check: the condition that all coordinates from index sets lie inside of their dimensions; empty without index
   sets. */
static void put_inside(text *t, const speller *s, const node *n)
{
    for (const char *i = n->index; *i; i++)
        if (set_of(*i))
            put(t, "%s%s < %slength_%c", t->length ? " && " : "", chosen_place(*i, s->statement), the.prefix,
                size_letter(*i));
}

/* True if an access uses its subscripts; its index then holds all letters in them. */
static bool is_at_subscripts(const node *n) { return n->kind == WINDOW || n->sliced || n->affine; }

/* The letter that stands for the whole subscript, an index or an index set; 0 for a sum. */
static char letter_at(const node *n, unsigned d)
{
    return !is_at_subscripts(n) ? n->index[d] : is_index(&n->subscript[d]) ? n->subscript[d].index[0] : '\0';
}

/* Writes the subscript of an access in dimension d: i, or 2*i+1. For rows(i) with `before` >= 0: the coordinate that the
   check reads before statement `before`. */
static const char *spell_place_at(const node *n, unsigned d, const char *blank, int before)
{
    const char i = letter_at(n, d);
    if (!i) return spell_subscript(&n->subscript[d], blank);
    if (!set_of(i)) return print("%c", i);
    return before < 0 ? print("%s(%c)", set_of(i), known_by(i)) : chosen_place(i, before);
}

/* Writes all subscripts of an access: (i,j) or (2*i+1,j). */
static void spell_place(text *t, const node *n, const char *blank, int before)
{
    for (unsigned d = 0; d < tensor_at(n->tensor)->rank; d++) {
        put(t, d ? ",%s" : "(%.0s", blank);
        put(t, "%s", spell_place_at(n, d, blank, before));
    }
    if (tensor_at(n->tensor)->rank) put(t, ")");
}

/* The kernel's name for an array or for the size of a level; null if it has none. */
static const char *window_name(const step *s, int a, operand_kind kind, unsigned l)
{
    for (unsigned k = 0; k < s->operands; k++)
        if (s->operand[k].tensor == a && s->operand[k].kind == kind && s->operand[k].level == l) return s->operand[k].name;
    return NULL;
}

/* The array, or the size of a level, as an expression of the driver. */
static const char *window_argument(int n, operand_kind kind, unsigned l)
{
    const tensor *a = tensor_at(n);
    const char *to = a->role == TEMPORARY || a->role == CONVERTED ? "." : "->";
    if (kind == ARRAY) return print("(const %s *)%s%st.val.at", kinds[a->kind].type, a->name, to);
    return print("%s%st.lvl[%u]", a->name, to, l);
}

/* Writes an element of a dense array: computes its position from the levels in a kernel, calls a function in the check. */
static void spell_window(text *t, const speller *s, const node *n)
{
    const tensor *a = tensor_at(n->tensor);
    const bool reference = s->style == REFERENCE, once = s->style == STATEMENT && s->step->kind == ASSIGNMENT;
    if (a->kind >= USER) refuse(n->place, "%s has values of type %s, and is read as an array", a->name, kinds[a->kind].type);
    if (n->asked && s->style != NOTATION) { /* every element of a window counts as stored */
        put(t, "(%s)1", kinds[s->kind].type);
        return;
    }
    if (s->style != NOTATION && s->kind != computed(a->kind)) put(t, "(%s)", kinds[s->kind].type);
    if (s->style == NOTATION || reference) {
        put(t, n->asked ? "like(%s" : "%s", reference ? reference_name(n->tensor, s->statement) : a->name);
        spell_place(t, n, reference ? " " : "", -1);
        if (n->asked) put(t, ")");
        return;
    }
    const char *at = NULL;
    for (unsigned l = 0; l < a->rank; l++) {
        const char *size = once ? window_argument(n->tensor, LEVEL_SIZE, l) : window_name(s->step, n->tensor, LEVEL_SIZE, l);
        const char *here = spell_subscript(&n->subscript[a->encoding.level[l].dim], " ");
        at = l == 0  ? here
             : l > 1 ? print("(%s) * %s + %s", at, size, here)
                     : print(strchr(at, ' ') ? "(%s) * %s + %s" : "%s * %s + %s", at, size, here);
    }
    const char *array =
        once ? print("(%s)", window_argument(n->tensor, ARRAY, 0)) : window_name(s->step, n->tensor, ARRAY, 0);
    put(t, "%s", decoded(a->kind, print("%s[%s]", array, at)));
}

/* Writes the letters with commas: i, j. */
static const char *commas(const char *index)
{
    text t = {0};
    put(&t, "%s", "");
    for (; *index; index++) put(&t, "%s%c", t.length ? ", " : "", *index);
    return t.at;
}

static const char *letters_with_commas(letters set)
{
    text t = {0};
    put(&t, "%s", "");
    for (char i = 'a'; i <= 'z'; i++)
        if (set & letter_bit(i)) put(&t, "%s%c", t.length ? ", " : "", i);
    return t.at;
}

static bool is_everywhere(int n);
static unsigned conjuncts(const region *r);
static int last_assignment(int n, int before);
static void put_stored(text *t, const speller *s, const node *n);

/* Writes has_A as a number; 1 in the check, where all of A counts as stored. */
static void spell_pattern(text *t, const speller *s, const node *n)
{
    if (is_everywhere(n->tensor)) {
        put(t, "(%s)1", kinds[s->kind].type);
        return;
    }
    put(t, "(%s)", kinds[s->kind].type);
    if (s->style != REFERENCE)
        put(t, "has_%s", parameter_name(s->step, n));
    else
        put_stored(t, s, n);
}

/* In the check: size_i * size_j, for a set of indices. */
static const char *sizes_of(letters set)
{
    text t = {0};
    for (char i = 'a'; i <= 'z'; i++)
        if (set & letter_bit(i)) put(&t, "%s%slength_%c", t.length ? " * " : "", the.prefix, size_letter(i));
    return t.at;
}

/* In the check: has_A(i, j), whether A stores that coordinate. A tensor that a statement computed counts as stored where
   it is not 0. */
static void put_stored(text *t, const speller *s, const node *n)
{
    if (last_assignment(n->tensor, s->statement) >= 0) {
        put(t, "(%s", reference_name(n->tensor, s->statement));
        spell_place(t, n, " ", s->statement);
        put(t, " != 0)");
        return;
    }
    put(t, "%shas_%s", the.prefix, tensor_at(n->tensor)->name);
    spell_place(t, n, " ", s->statement);
}

static void spell_access(text *t, const speller *s, const node *n)
{
    const tensor *a = tensor_at(n->tensor);
    if (s->style == NOTATION) {
        put(t, n->asked ? "like(%s" : "%s", a->name);
        spell_place(t, n, "", -1);
        if (n->member) put(t, ".%s", n->member);
        if (n->asked) put(t, ")");
        return;
    }
    if (n->member && a->kind < USER)
        refuse(n->place, "%s has values of type %s, which have no members", a->name, kinds[a->kind].type);
    if (a->kind >= USER && !n->member)
        refuse(n->place, "%s has values of type %s: name a member, %s.x, or call a function of --define", a->name,
               kinds[a->kind].type, a->name);
    if (n->asked) {
        spell_pattern(t, s, n);
        return;
    }
    if (n->member || s->kind != kind_of_tensor(n->tensor)) put(t, "(%s)", kinds[s->kind].type);
    if (s->style == REFERENCE && a->counted) {
        put(t, "(%s)(%s)", kinds[s->kind].type, sizes_of(a->over));
        return;
    }
    if (s->style == REFERENCE) {
        text inside = {0};
        put_inside(&inside, s, n);
        if (inside.length) put(t, "(%s ? ", inside.at);
        put(t, "%s", reference_name(n->tensor, s->statement));
        if (a->rank)
            spell_place(t, n, " ", s->statement);
        else
            put(t, "()");
        if (n->member) put(t, ".%s", n->member);
        if (inside.length) put(t, " : 0)");
        return;
    }
    put(t, "%s", s->step->kind == ASSIGNMENT ? argument(n->tensor, false) : parameter_name(s->step, n));
    if (n->member) put(t, ".%s", n->member);
}

/* An integer as a sign and an absolute value of 64 bits. */
typedef struct integer {
    bool negative;
    uint64_t size;
} integer;

static integer make_integer(bool negative, uint64_t size) { return (integer){negative && size, size}; }

/* Returns a negative number, 0 or a positive number if a is less than, equal to or greater than b. */
static int compare(integer a, integer b)
{
    if (a.negative != b.negative) return a.negative ? -1 : 1;
    const int sign = (a.size > b.size) - (a.size < b.size);
    return a.negative ? -sign : sign;
}

/* The range of an integer type. Comparisons with a constant that this range already decides are left out, because
   compilers warn about them. */
typedef struct bounds {
    integer least, most;
} bounds;

static bounds range_of_kind(value_kind k)
{
    const unsigned bits = k == BOOL ? 1 : 8u << (k - I8) / 2;
    const uint64_t half = (uint64_t)1 << (bits - 1), most = half - 1 + half;
    return is_unsigned(k) ? (bounds){{false, 0}, {false, most}} : (bounds){{true, half}, {false, half - 1}};
}

static bool has_fraction(const char *number) { return strpbrk(number, ".eE") != NULL; }

/* True if a number, as written, is a value of the type. */
static bool is_value_of(value_kind k, const char *number)
{
    const double value = strtod(number, NULL);
    const float single = strtof(number, NULL);
    if (k >= USER) return false;
    if (is_not_finite(number)) return !is_integer(k);
    if (k == F16) return !isinf(sparse_float_of_f16(sparse_f16_of_float(single)));
    if (k == BF16) return !isinf(sparse_float_of_bf16(sparse_bf16_of_float(single)));
    if (!is_integer(k)) { /* 1e400 would be infinite, and 1e-400 zero */
        const double stored = k == F32 || k == C64 ? (double)single : value;
        return !isinf(stored) &&
               (stored < 0 || stored > 0 || !isdigit((unsigned char)number[strcspn(number, "123456789eE")]));
    }
    const bool negative = number[0] == '-';
    const bounds range = range_of_kind(k);
    if (has_fraction(number)) /* such as 2.0 or 1e3 */
        return floor(value) == value && value >= -(double)range.least.size && value < (double)range.most.size + 1;
    errno = 0;
    const integer w = make_integer(negative, strtoull(number + negative, NULL, 10));
    return errno == 0 && compare(range.least, w) <= 0 && compare(w, range.most) <= 0;
}

/* Writes a number as a C constant of the type that statements use for it. Leading zeros are dropped, because C reads them
   as octal, and a suffix is added if the number is large. */
static const char *constant_of(value_kind k, const char *number)
{
    if (is_not_finite(number) && (k == F64 || k == C128)) /* the C macros have type float */
        return same(number, "NAN") ? "(double)NAN" : number[0] == '-' ? "-HUGE_VAL" : "HUGE_VAL";
    if (is_not_finite(number)) return number;
    const char *sign = number[0] == '-' ? "-" : "", *digits = number + strlen(sign);
    const char *single = computed(k) == F32 || k == C64 ? "f" : "";
    if (has_fraction(number)) return print("%s%s", number, single);
    while (digits[0] == '0' && digits[1]) digits++;
    if (!is_integer(k)) {
        const bool large = strtod(digits, NULL) >= 0x1p63;
        return print("%s%s%s%s", sign, digits, large ? ".0" : "", large ? single : "");
    }
    const uint64_t size = strtoull(digits, NULL, 10), most = range_of_kind(k).most.size;
    if (size > most && (k == I32 || k == I64))
        return print("(-%llu - 1)", (unsigned long long)most); /* the least value has no literal */
    return print("%s%s%s", sign, digits, is_unsigned(k) && size > INT32_MAX ? "u" : "");
}

/* Writes a number in the type to compute in. C computes in int at least, so smaller types stay int. */
static void spell_number(text *t, const speller *s, const node *n, const char *number)
{
    const value_kind kind = s->kind <= U16 ? I32 : s->kind;
    const bool fraction = has_fraction(number), single = kind == F32 || kind == C64;
    if (!is_integer(kind) && is_not_finite(number)) {
        put(t, "%s", constant_of(kind, number));
        return;
    }
    if (is_integer(kind) && fraction)
        refuse(n->place, "%s is not an integer, and the values are; give the tensors a type with -t", number);
    if (!is_value_of(kind, number))
        refuse(n->place, "%s is no value of type %s, in which this is computed", number, kinds[kind].type);
    if (is_integer(kind))
        put(t, "%s", constant_of(kind, number));
    else
        put(t, "%s%s%s", number, fraction ? "" : ".0", single ? "f" : "");
}

/* True if a factor of a semiring product is a mask: where it is false, the product is skipped. In or-and a comparison is
   an ordinary factor. */
static bool is_mask(const node *n) { return n->kind == COMPARISON && the.semiring && !same(the.semiring->times, " && "); }

static value_kind kind_of(const node *n, value_kind k);
static int verdict(const char *word, bounds a, bounds b);
static bool is_same_in(const speller *s, const node *n);

/* True for -5, but not for 3 - 5. */
static bool is_negative_number(const node *n)
{
    return n->kind == SUM && n->count == 1 && n->term[0].inverse && n->term[0].node->kind == LITERAL;
}

/* True for conj, real or imag of a real value. conj and real return that value, imag returns 0. */
static bool is_part_of_real(const node *n)
{
    const function *f = n->kind == CALL && !is_defined_by_user(n->word) ? find_function(n->word) : NULL;
    return f && (same(f->name, "conj") || same(f->name, "real") || same(f->name, "imag")) &&
           !is_complex(kind_of(n->term[0].node, BOOL));
}

/* The range of the values of an expression. Integers of unknown value have the range of the type that C computes them
   in. */
static bounds range_of(const speller *s, const node *n)
{
    const node *number = is_negative_number(n) ? n->term[0].node : n;
    if (number->kind == LITERAL) {
        const integer w = make_integer(number != n, strtoull(number->word, NULL, 10));
        return has_fraction(number->word) ? (bounds){{true, UINT64_MAX}, {false, UINT64_MAX}} : (bounds){w, w};
    }
    if (is_access(n) && is_integer(kind_of_tensor(n->tensor))) return range_of_kind(kind_of_tensor(n->tensor));
    if (n->kind == COMPARISON) {
        const int known = is_same_in(s, n) ? n->word[0] != '!' && n->word[1] == '='
                                           : verdict(n->word, range_of(s, n->term[0].node), range_of(s, n->term[1].node));
        return known < 0 ? range_of_kind(BOOL) : (bounds){{false, known > 0}, {false, known > 0}};
    }
    for (unsigned k = 0; n->kind == PRODUCT && is_integer(s->kind) && k < n->count; k++) {
        const bounds factor = range_of(s, n->term[k].node);
        if (!n->term[k].inverse && compare(factor.least, factor.most) == 0 && factor.most.size == 0) return factor;
    }
    if (is_part_of_real(n)) return same(n->word, "imag") ? (bounds){{0}, {0}} : range_of(s, n->term[0].node);
    const bool as_it_is = n->kind == COORDINATE || n->kind == REDUCTION; /* C computes other expressions in int at least */
    return range_of_kind(as_it_is || s->kind > I32 ? s->kind : I32);
}

/* Returns 1 if a comparison is true for all numbers of the two ranges, 0 if it is false for all, else -1. */
static int verdict(const char *word, bounds a, bounds b)
{
    const int above = compare(a.least, b.most), below = compare(a.most, b.least);
    switch (word[0]) {
    case '<':
        return below < 0 || (word[1] && below == 0) ? 1 : above > 0 || (!word[1] && above == 0) ? 0 : -1;
    case '>':
        return above > 0 || (word[1] && above == 0) ? 1 : below < 0 || (!word[1] && below == 0) ? 0 : -1;
    default:
        return below < 0 || above > 0 ? word[0] == '!' : below == 0 && above == 0 ? word[0] == '=' : -1;
    }
}

/* True if both sides of an integer comparison, or of min or max, are written the same. Compilers warn about that. */
static bool is_same_in(const speller *s, const node *n)
{
    text sides[2] = {{0}, {0}};
    if (s->style != STATEMENT || !is_integer(s->kind)) return false;
    for (unsigned k = 0; k < 2; k++) spell(&sides[k], s, n->term[k].node, ADDED);
    return same(sides[0].at, sides[1].at);
}

/* Writes min or max of two integers as a ? : expression, or one side alone if the ranges decide. */
static void spell_choice(text *t, const speller *s, const node *n, const char *sign)
{
    const node *a = n->term[0].node, *b = n->term[1].node;
    const int known = is_same_in(s, n) ? 1 : verdict(sign, range_of(s, a), range_of(s, b));
    put(t, "(");
    if (known < 0) {
        spell(t, s, a, ADDED);
        put(t, " %s ", sign);
        spell(t, s, b, ADDED);
        put(t, " ? ");
    }
    if (known) spell(t, s, a, ADDED);
    if (known < 0) put(t, " : ");
    if (known <= 0) spell(t, s, b, ADDED);
    put(t, ")");
}

static void spell_arguments(text *t, const speller *s, const node *n, const char *cast)
{
    for (unsigned k = 0; k < n->count; k++) {
        const node *term = n->term[k].node;
        const bool whole = term->kind == ACCESS && tensor_at(term->tensor)->kind >= USER && !term->member &&
                           s->style == STATEMENT && is_defined_by_user(n->word);
        put(t, k ? ", %s" : "%s", whole ? "" : cast);
        if (whole)
            put(t, "%s", parameter_name(s->step, term));
        else
            spell(t, s, term, *cast ? ATOM : COMPARED);
    }
    put(t, ")");
}

static value_kind real_kind(value_kind k) { return k == C64 ? F32 : F64; }

/* True for abs, real or imag of an expression. */
static bool makes_real(const node *n)
{
    const function *f = n->kind == CALL && !is_defined_by_user(n->word) ? find_function(n->word) : NULL;
    if (n->kind == REDUCTION && is_reduction_of_words(n->word) && !same(n->word, "mean")) return true;
    return f && (same(f->name, "real") || same(f->name, "imag") || same(f->c, "fabs"));
}

/* True for a real part of a complex expression that uses an operation without a complex form. */
static bool is_real_part(const node *n, value_kind k)
{
    const function *f = n->kind == CALL && !is_defined_by_user(n->word) ? find_function(n->word) : NULL;
    const bool only = n->kind == COMPARISON || (n->kind == OPERATION && n->word[0] == '%') ||
                      (f && !same(f->name, "conj") && !is_in(complex_functions, f->c));
    return only && !is_complex(kind_of(n, real_kind(k)));
}

/* Writes a function of complex values, or its real counterpart if the argument is real. */
static bool spell_complex_call(text *t, const speller *outside, const node *n, const function *f)
{
    const bool conjugate = same(f->name, "conj"), part = same(f->name, "real") || same(f->name, "imag");
    speller own = *outside;
    const speller *s = &own;
    if (makes_real(n)) own.kind = kind_of(n->term[0].node, own.kind);
    if (!is_complex(own.kind)) own.kind = outside->kind;
    if (!is_complex(s->kind)) {
        if (!conjugate && !part) return false;
        if (same(f->name, "imag"))
            put(t, "0");
        else
            spell(t, s, n->term[0].node, ATOM);
        return true;
    }
    if (!conjugate && !is_in(complex_functions, f->c)) refuse(n->place, "%s of complex values is not available", n->word);
    support.complex = true;
    put(t, "%s%s%s(", conjugate ? "" : "c", same(f->c, "fabs") ? "abs" : f->c, s->kind == C64 ? "f" : "");
    spell_arguments(t, s, n, "");
    return true;
}

static void spell_call(text *t, const speller *s, const node *n)
{
    const function *f = find_function(n->word);
    if (s->style == NOTATION) {
        put(t, "%s(", n->word);
        spell_arguments(t, s, n, "");
        return;
    }
    if (f && spell_complex_call(t, s, n, f)) return;
    if (f == NULL || is_defined_by_user(n->word)) {
        put(t, s->kind == F64 ? "%s%s(" : "(%s)%s(", s->kind == F64 ? "" : kinds[s->kind].type, n->word);
        spell_arguments(t, s, n, ""); /* compilers convert to the types of the parameters */
        return;
    }
    if (!is_integer(s->kind)) {
        support.math = true;
        put(t, "%s%s(", f->c, s->kind == F32 ? "f" : "");
        spell_arguments(t, s, n, "");
    } else if (same(f->c, "fmax")) {
        spell_choice(t, s, n, ">");
    } else if (same(f->c, "fmin")) {
        spell_choice(t, s, n, "<");
    } else if (same(f->c, "fabs")) {
        put(t, "(");
        spell(t, s, n->term[0].node, ADDED);
        put(t, " > 0 ? ");
        spell(t, s, n->term[0].node, ADDED);
        put(t, " : -");
        spell(t, s, n->term[0].node, ATOM);
        put(t, ")");
    } else {
        refuse(n->place, "%s of integers is not available; give the tensors a type with -t", n->word);
    }
}

static void spell_sum(text *t, const speller *s, const node *n)
{
    if (s->style != NOTATION && is_negative_number(n) && is_integer(s->kind) && s->kind != BOOL) {
        const char *number = n->term[0].node->word;
        const bool wraps = is_unsigned(s->kind) && s->kind > U16; /* in signed types the least value has no negative */
        if (wraps) put(t, "(%s)-", kinds[s->kind].type);
        spell_number(t, s, n->term[0].node, wraps ? number : print("-%s", number));
        return;
    }
    for (unsigned k = 0; k < n->count; k++) {
        if (n->term[k].inverse && s->kind == BOOL && s->style != NOTATION)
            refuse(n->term[k].node->place, "values of type bool cannot be subtracted; adding them means or");
        if (k)
            put(t, n->term[k].inverse ? " - " : " + ");
        else if (n->term[k].inverse)
            put(t, "-");
        /* - (A / 2): with unsigned numbers, the negative of A / 2 is not (-A) / 2 */
        const bool apart = n->count == 1 || (!k && n->term[k].inverse && rounds(n->term[k].node, s->kind));
        spell(t, s, n->term[k].node, apart ? ATOM : MULTIPLIED);
    }
}

/* Refuses the division of an integer by a constant 0. */
static void check_divisor(const speller *s, const node *n)
{
    if (s->style != NOTATION && is_integer(s->kind) && n->kind == LITERAL && !(strtod(n->word, NULL) > 0))
        refuse(n->place, "an integer cannot be divided by %s", n->word);
}

/* True for like(A(i,j)), if the statement runs only where A has an entry. */
static bool is_one(const speller *s, const node *n)
{
    if (!is_access(n) || !n->asked) return false;
    if (n->kind == WINDOW || is_everywhere(n->tensor)) return true;
    if (s->style == REFERENCE) return false;
    for (unsigned o = 0; o < s->step->operands; o++)
        if (&s->step->operand[o] == known_operand(s->step, n)) return conjuncts(s->step->region) >> o & 1;
    return false;
}

static void spell_product(text *t, const speller *s, const node *n)
{
    text present = {0};
    for (unsigned k = 0; k < n->count; k++)
        if (n->term[k].inverse) check_divisor(s, n->term[k].node);
    if (s->style == REFERENCE && put_presence(&present, s, n)) put(t, "%s ? ", present.at);
    bool begun = false;
    for (unsigned k = 0; k < n->count; k++) {
        if (s->style != NOTATION && is_one(s, n->term[k].node) && (begun || k + 1 < n->count)) continue;
        if (begun)
            put(t, n->term[k].inverse ? " / " : " * ");
        else if (n->term[k].inverse)
            put(t, is_integer(s->kind) ? "1 / " : s->kind == F32 || s->kind == C64 ? "1.0f / " : "1.0 / ");
        begun = true;
        spell(t, s, n->term[k].node, ATOM);
    }
    if (present.length) put(t, " : 0");
}

/* Writes a && b, !a, a ? b : c or a % b. */
static void spell_operation(text *t, const speller *s, const node *n)
{
    const char w = n->word[0];
    const bool truth = w == '&' || w == '|' || w == '!';
    if (is_complex(s->kind) && w == '%' && s->style != NOTATION) refuse(n->place, "complex values have no remainder");
    if (w == '%' && s->style != NOTATION && !is_integer(s->kind)) {
        support.math = true;
        put(t, "fmod%s(", s->kind == F32 ? "f" : "");
        spell_arguments(t, s, n, "");
        return;
    }
    if (w == '%') check_divisor(s, n->term[1].node);
    if (truth && s->style != NOTATION) put(t, "(%s)", kinds[s->kind].type);
    /* truth values are written as comparisons with 0, because compilers warn about numbers used as truths */
    const char *zero = s->style == NOTATION || !(truth || w == '?') ? "" : w == '!' ? " == 0" : " != 0";
    put(t, w == '!' && s->style == NOTATION ? "(!" : "(");
    spell(t, s, n->term[0].node, w == '%' || w == '!' ? ATOM : ADDED);
    put(t, "%s", zero);
    if (n->count > 1) {
        put(t, " %s ", n->word);
        spell(t, s, n->term[1].node, w == '%' ? ATOM : ADDED);
        if (w != '?') put(t, "%s", zero);
    }
    if (n->count > 2) {
        put(t, " : ");
        spell(t, s, n->term[2].node, ADDED);
    }
    put(t, ")");
}

static void spell_condition(text *t, const speller *around, const node *n)
{
    speller own = *around;
    if (is_mask(n)) own.kind = kind_of(n->term[1].node, kind_of(n->term[0].node, BOOL)); /* the mask has a type of its own */
    const speller *const s = &own;
    const bounds known = s->style != NOTATION && is_integer(s->kind) ? range_of(s, n) : range_of_kind(BOOL);
    if (compare(known.least, known.most) == 0) {
        put(t, "%d", known.most.size > 0);
        return;
    }
    spell(t, s, n->term[0].node, ADDED);
    put(t, " %s ", n->word);
    spell(t, s, n->term[1].node, ADDED);
}

static void spell_comparison(text *t, const speller *s, const node *n)
{
    if (s->style == NOTATION) {
        spell_condition(t, s, n);
        return;
    }
    if (is_complex(s->kind) && n->word[0] != '=' && n->word[0] != '!') refuse(n->place, "complex values have no order");
    put(t, "(%s)(", kinds[s->kind].type);
    spell_condition(t, s, n);
    put(t, ")");
}

/* Writes a reduction: in full in index notation. In the check it is a call of a function of the surrounding indices. */
static void spell_reduction(text *t, const node *n, const speller *s)
{
    if (s->style == REFERENCE) {
        put(t, "%s", n->call);
        return;
    }
    const char *comma = "(";
    put(t, "%s", n->word);
    for (char i = 'a'; i <= 'z'; i++)
        if (n->over & letter_bit(i)) put(t, "%s%c", comma, i), comma = ",";
    put(t, ") ");
    spell(t, s, n->term[0].node, MULTIPLIED);
}

/* Writes max(y, body), or another function of two values. */
static void put_function_of(text *t, const speller *s, const char *name, const char *a, const char *b)
{
    if (s->kind == BOOL) {
        put(t, "%s %s %s", a, same(name, "fmax") ? "||" : "&&", b);
        return;
    }
    if (is_integer(s->kind)) {
        put(t, "%s %s %s ? %s : %s", b, same(name, "fmax") ? ">" : "<", a, b, a);
        return;
    }
    support.math = true;
    put(t, "%s%s(%s, %s)", name, s->kind == F32 ? "f" : "", a, b);
}

/* The comparison with 0 that turns a value of the type into a truth. */
static const char *is_not_zero(value_kind k)
{
    return k == BOOL ? "" : k == F32 ? " != 0.0f" : is_integer(k) ? " != 0" : " != 0.0";
}

/* Writes a product of a semiring: a + b, fmin(a, b), or a && b. */
static void spell_semiring_product(text *t, const speller *s, const node *n, int least)
{
    const char *times = the.semiring->times;
    const bool call = times[0] == 'f', truth = same(times, " && "), chosen = call && is_integer(s->kind);
    const bool grouped = truth || chosen || (!call && least > COMPARED);
    text product = {0};
    unsigned factors = 0;
    for (unsigned k = 0; k < n->count; k++) {
        text factor = {0}, both = {0};
        if (is_mask(n->term[k].node)) continue;
        spell(&factor, s, n->term[k].node, ATOM);
        if (truth) put(&factor, "%s", is_not_zero(s->kind));
        if (factors++ == 0)
            both = factor;
        else if (call)
            put_function_of(&both, s, times, chosen && factors > 2 ? print("(%s)", product.at) : product.at, factor.at);
        else
            put(&both, "%s%s%s", product.at, times, factor.at);
        product = both;
    }
    if (truth && s->kind != BOOL) put(t, "(%s)", kinds[s->kind].type);
    put(t, grouped ? "(%s)" : "%s", product.at);
}

/* Writes an expression, in parentheses if its precedence is below `least`. */
static void spell(text *t, const speller *s, const node *n, int least)
{
    const int holds = n->kind == COMPARISON  ? s->style == NOTATION ? COMPARED : ATOM
                      : n->kind == SUM       ? ADDED
                      : n->kind == PRODUCT   ? s->style == REFERENCE ? COMPARED - 1 : MULTIPLIED
                      : n->kind == REDUCTION ? s->style == NOTATION ? MULTIPLIED : ATOM
                                             : ATOM;
    if (n->kind == PRODUCT && the.semiring && s->style != NOTATION) {
        spell_semiring_product(t, s, n, least);
        return;
    }
    if (s->style != NOTATION && is_complex(s->kind) && is_real_part(n, s->kind)) {
        speller real = *s;
        real.kind = kind_of(n, real_kind(s->kind));
        spell(t, &real, n, least);
        return;
    }
    if (holds < least) put(t, "(");
    switch (n->kind) {
    case LITERAL:
        if (s->style == NOTATION)
            put(t, "%s", n->word);
        else
            spell_number(t, s, n, n->word);
        break;
    case COORDINATE:
        if (s->style == NOTATION)
            put(t, "%s", n->index);
        else
            put(t, "(%s)%s", kinds[s->kind].type, n->index);
        break;
    case ACCESS:
        spell_access(t, s, n);
        break;
    case WINDOW:
        spell_window(t, s, n);
        break;
    case SUM:
        spell_sum(t, s, n);
        break;
    case PRODUCT:
        spell_product(t, s, n);
        break;
    case CALL:
        spell_call(t, s, n);
        break;
    case COMPARISON:
        spell_comparison(t, s, n);
        break;
    case OPERATION:
        spell_operation(t, s, n);
        break;
    case REDUCTION:
        spell_reduction(t, n, s);
        break;
    }
    if (holds < least) put(t, ")");
}

/* Returns an expression in index notation. */
static const char *describe(const node *n)
{
    text t = {0};
    spell(&t, &(speller){.style = NOTATION}, n, COMPARED);
    return t.at;
}

/* True for sums of 8- or 16-bit integers, and for expressions of such sums. They are computed in 32 bits until assigned. */
static bool is_narrow_sum(const node *n, value_kind k)
{
    const bool sums = n->kind == REDUCTION && (same(n->word, "sum") || same(n->word, "mean") || same(n->word, "variance"));
    return sums && k >= I8 && k <= U16 && !the.semiring;
}

/* The type in which an expression is computed if its result is stored with type k. */
static value_kind kind_of(const node *n, value_kind k)
{
    if (is_mask(n)) return computed(k);
    if ((n->kind == ACCESS && tensor_at(n->tensor)->counted) || (n->kind == REDUCTION && finds_index(n->word)))
        return computed(k);
    if (is_access(n)) k = join(k, kind_of_tensor(n->tensor) >= USER ? F64 : kind_of_tensor(n->tensor));
    const value_kind inside = makes_real(n) ? kind_of(n->term[0].node, BOOL) : BOOL;
    if (is_complex(inside)) return join(k, real_kind(inside));
    for (unsigned c = 0; c < n->count; c++) k = kind_of(n->term[c].node, k);
    return is_narrow_sum(n, k) ? I32 : computed(k);
}

/* True if an expression reads complex values. */
static bool has_complex_values(const node *n)
{
    if (n->kind == COMPARISON || makes_real(n) || (n->kind == CALL && is_defined_by_user(n->word))) return false;
    if (n->kind == OPERATION && n->word[0] != '?') return false;
    if (is_access(n)) return is_complex(kind_of_tensor(n->tensor));
    for (unsigned c = n->kind == OPERATION; c < n->count; c++)
        if (has_complex_values(n->term[c].node)) return true;
    return false;
}

/* The type for a part of an expression computed in type k. A part with complex values needs a complex type, even inside
   abs, real or imag. A maximum or minimum is always real. */
static value_kind kind_within(const node *n, value_kind k)
{
    const bool greatest = n->kind == REDUCTION && (same(n->word, "max") || same(n->word, "min"));
    if (is_narrow_sum(n, k)) return I32;
    const value_kind own = kind_of(n, greatest && is_complex(k) ? real_kind(k) : k);
    return is_complex(own) || (greatest && is_complex(k)) ? own : k;
}

/* Writes the output's old value in the type to compute in. */
static const char *old_value(const step *k, const speller *s, const char *y)
{
    return s->kind == kind_of_tensor(k->output) ? y : print("(%s)%s", kinds[s->kind].type, y);
}

/* Writes the product, maximum or minimum of the output's old value and the expression. The output starts at the identity. */
static void put_selection(text *t, const step *k, const speller *s, const char *y)
{
    text value = {0};
    const bool product = same(k->result.reduction, "prod");
    speller real = *s;
    real.kind = is_complex(s->kind) ? kind_of(k->body, real_kind(s->kind)) : s->kind;
    const char *old = old_value(k, s, y);
    if (!product && is_complex(s->kind) && !is_complex(real.kind)) { /* a maximum of real values, in a complex output */
        support.complex = true;
        old = print("creal%s(%s)", s->kind == C64 ? "f" : "", old), s = &real;
    }
    const char *sign = same(k->result.reduction, "max") ? ">" : "<";
    if (is_complex(s->kind) && !product) refuse(k->body->place, "complex values have no order");
    spell(&value, s, k->body, product || is_integer(s->kind) ? ATOM : COMPARED);
    /* C computes in int at least; the cast compares the value as it will be stored */
    const char *next = s->kind <= U16 && !is_access(k->body) ? print("(%s)", cast_to(s->kind, value.at)) : value.at;
    if (product)
        put(t, "%s * %s", old, value.at);
    else if (is_integer(s->kind) && verdict(sign, range_of(s, k->body), range_of_kind(s->kind)) < 0)
        put(t, "%s %s %s ? %s : %s", next, sign, old, next, old);
    else if (is_integer(s->kind))
        put(t, "%s", old);
    else
        put_function_of(t, s, same(k->result.reduction, "max") ? "fmax" : "fmin", old, value.at);
}

/* Writes the value of an expression. Over a semiring of truths, a number counts as true if it is not 0. */
static void spell_value(text *t, const speller *s, const node *n, int least)
{
    const bool truth = the.semiring && same(the.semiring->times, " && ") && is_access(n);
    if (truth) put(t, "(%s)(", kinds[s->kind].type);
    spell(t, s, n, truth ? ADDED : least);
    if (truth) put(t, "%s)", is_not_zero(s->kind));
}

static bool is_output_of_statement(int n)
{
    for (int s = 0; s < the.statements; s++)
        if (the.statement[s].output == n) return true;
    return false;
}

/* Writes the right side of the assignment: the expression alone, or combined with the old value. */
static void put_assigned(text *t, const step *k, const speller *s, const char *y)
{
    text value = {0};
    if (k->result.reduction && !same(k->result.reduction, "sum")) {
        put_selection(t, k, s, y);
    } else if (k->result.accumulate && the.semiring) {
        spell_value(&value, s, k->body, COMPARED);
        put_function_of(t, s, the.semiring->plus, old_value(k, s, y), value.at);
    } else {
        if (k->result.accumulate) put(t, "%s + ", old_value(k, s, y));
        /* a temporary holds a part of an expression, with the value computed there */
        const bool aside = !k->result.accumulate && !is_output_of_statement(k->output);
        (aside ? spell : spell_value)(t, s, k->body, k->result.accumulate ? MULTIPLIED : COMPARED);
    }
}

/* Writes if (A > best) best = A, r = j. r receives the index of the first greatest value. */
static const char *spell_search(const step *k, const char *y, value_kind own)
{
    const char *const best = tensor_at(k->result.extra[0].tensor)->name;
    const speller s = {.style = STATEMENT, .step = k, .kind = tensor_at(k->result.extra[0].tensor)->kind};
    char i = 'a';
    while (!(k->over & letter_bit(i))) i++;
    text value = {0};
    spell(&value, &s, k->body, ATOM);
    return print("if (%s %s %s) %s = %s, %s = %s", value.at, same(k->result.reduction, "argmax") ? ">" : "<", best, best,
                 value.at, y, own == computed(own) ? cast_to(own, print("%c", i)) : print("(float)%c", i));
}

/* Counts the operations in an expression, as written. */
static unsigned operations_of(const node *n)
{
    unsigned count = n->kind == CALL || n->kind == COMPARISON || n->kind == OPERATION;
    if (n->kind == SUM || n->kind == PRODUCT) count = n->count - 1;
    for (unsigned k = 0; k < n->count; k++) count += operations_of(n->term[k].node);
    return count;
}

static bool is_sparse(int n) { return tensor_at(n)->rank > 0 && !is_dense(&tensor_at(n)->encoding); }

/* True if a kernel appends the entries of the step's output. Otherwise the output keeps its pattern, or takes the
   pattern of an operand. */
static bool is_assembled(const step *k) { return is_sparse(k->output) && !k->result.updates && !k->result.like; }

/* True if the statement must skip coordinates that are 0 in the row array: a factor could be infinite there, or an entry
   would be appended. */
static bool passes_over_gaps(const step *k)
{
    bool exact = !is_assembled(k);
    for (unsigned c = 0; c < k->body->count; c++) {
        const node *n = k->body->term[c].node;
        exact = exact && !k->body->term[c].inverse && n->kind == ACCESS &&
                (n->tensor == k->where.workspace || is_integer(tensor_at(n->tensor)->kind) ||
                 tensor_at(n->tensor)->encoding.constant);
    }
    return k->marked && !exact;
}

static bool has_diagonal(const step *k)
{
    for (unsigned i = 0; i < sizeof k->twin; i++)
        if (k->twin[i]) return true;
    return false;
}

/* Writes comparisons joined by && and ||. */
static void put_choice(text *t, const speller *s, const node *n)
{
    if (n->kind == COMPARISON) {
        spell_condition(t, s, n);
        return;
    }
    put_choice(t, s, n->term[0].node);
    put(t, n->word[0] == '&' ? " && " : " || ");
    const bool inner = n->term[1].node->kind == OPERATION;
    if (inner) put(t, "(");
    put_choice(t, s, n->term[1].node);
    if (inner) put(t, ")");
}

static bool is_recurrence(const step *k) { return k->recurrence.inner != 0; }

/* Writes "if (i == k) " for diagonals that the statement tests, for the masks of a semiring, and for the other conditions
   of a step. */
static const char *condition_of(const step *k)
{
    const speller s = {.style = STATEMENT, .step = k, .kind = kind_of(k->body, tensor_at(k->output)->kind)};
    text t = {0};
    put(&t, "%s", "");
    for (unsigned c = 0; k->body->kind == PRODUCT && c < k->body->count; c++)
        if (is_mask(k->body->term[c].node)) {
            put(&t, t.length ? " && " : "if (");
            spell_condition(&t, &s, k->body->term[c].node);
        }
    if (is_recurrence(k)) put(&t, "if (%c %s %c", k->recurrence.inner, k->recurrence.down ? ">" : "<", k->recurrence.outer);
    if (k->guard) {
        const speller counts = {.style = STATEMENT, .step = k, .kind = U64};
        put(&t, "if (");
        spell_condition(&t, &counts, k->guard);
        const speller values = {.style = STATEMENT, .step = k, .kind = k->choice ? kind_of(k->choice, BOOL) : BOOL};
        if (k->choice) put(&t, " && ("), put_choice(&t, &values, k->choice), put(&t, ")");
    }
    for (char i = 'a'; i <= 'z'; i++)
        if (k->twin[i - 'a'] && !(k->sought & letter_bit(i)))
            put(&t, "%s%c == %c", t.length ? " && " : "if (", k->twin[i - 'a'], i);
    if (t.length) put(&t, ") ");
    return t.at;
}

/* Writes y += body, y -= body, or y = value; casts the value if the output has another type. */
static const char *spell_assignment(const step *k)
{
    const tensor *out = tensor_at(k->output);
    const speller s = {.style = STATEMENT, .step = k, .kind = kind_of(k->body, out->kind)};
    const char *const y = k->kind == ASSIGNMENT ? argument(k->output, false) : tensor_at(k->output)->name;
    const bool cast = s.kind != computed(out->kind) || out->kind <= U16; /* C computes in int at least */
    const bool linear = k->result.accumulate && !the.semiring && (!k->result.reduction || same(k->result.reduction, "sum"));
    const bool negative = k->body->kind == SUM && k->body->count == 1 && k->body->term[0].inverse;
    if (k->result.reduction && finds_index(k->result.reduction)) return spell_search(k, y, out->kind);
    text t = {0};
    const bool passes = passes_over_gaps(k), chooses = passes && linear && !cast && !is_assembled(k);
    const char *const row = passes ? tensor_at(k->where.workspace)->name : "";
    if (passes && !chooses) put(&t, "if (%s == 0) continue; ", row);
    if (linear && !cast) {
        put(&t, negative ? "%s -= " : "%s += ", y);
        if (chooses) put(&t, "%s != 0 ? ", row);
        spell(&t, &s, negative ? k->body->term[0].node : k->body, negative ? MULTIPLIED : COMPARED);
        if (chooses) put(&t, " : 0");
        return t.at;
    }
    put(&t, "%s = ", y);
    text value = {0};
    put_assigned(&value, k, &s, y);
    put(&t, "%s", cast ? cast_to(out->kind, value.at) : value.at);
    return t.at;
}

/* Writes ; else if (j == i) { x /= L; x_solved++; } */
static void put_division(text *t, const step *k)
{
    const tensor *out = tensor_at(k->output);
    const speller s = {.style = STATEMENT, .step = k, .kind = kind_of(k->recurrence.divisor, out->kind)};
    const bool cast = s.kind != computed(out->kind) || out->kind <= U16;
    text by = {0};
    spell(&by, &s, k->recurrence.divisor, ATOM);
    put(t, "; else if (%c == %c) { ", k->recurrence.inner, k->recurrence.outer);
    if (cast)
        put(t, "%s = %s", out->name, cast_to(out->kind, print("%s / %s", old_value(k, &s, out->name), by.at)));
    else
        put(t, "%s /= %s", out->name, by.at);
    put(t, "; %s++; }", tensor_at(k->recurrence.solved)->name);
}

/* Writes the statement of a kernel, with its condition. If the condition is false, an assembled output stores no entry. */
static const char *spell_statement(const step *k)
{
    text t = {0};
    const char *const condition = condition_of(k);
    const bool adds = k->result.accumulate || k->result.reduction;
    if (lowering.counting && k->kind == KERNEL)
        put(&t, "%s%soperations += %u; ", condition, the.prefix, operations_of(k->body) + adds);
    put(&t, "%s%s", condition, spell_assignment(k));
    if (k->recurrence.divisor) put_division(&t, k);
    for (unsigned e = 0; e < k->result.extras; e++)
        if (k->result.extra[e].update) put(&t, "; %s", k->result.extra[e].update);
    if (*condition && is_assembled(k)) put(&t, "; else has_%s = false", tensor_at(k->output)->name);
    if (k->result.drops_zeros) put(&t, "; has_%s = %s != 0", tensor_at(k->output)->name, tensor_at(k->output)->name);
    return t.at;
}

/* >>region
   Where can an expression be nonzero? The answer becomes the operand tree of the kernel line:

     A * B        all(A, B)           a product is nonzero only where both factors are
     A + B        any(A, B)           a sum may be nonzero where one term is
     A + d        everywhere          d is dense
     (A + B) * C  all(any(A, B), C)

   region_of() builds the tree and lists the operands. A kernel line names each operand once, so a tree that names one
   twice, such as that of A B + A C, is rewritten. The new tree may cover more coordinates: the kernel then computes zeros
   there, and the result is still correct. */

static region *make_region(region_kind kind, int o)
{
    region *r = take(sizeof *r);
    r->kind = kind;
    r->operand = o;
    return r;
}

static void add_child(region *r, region *child)
{
    if (r->count < sizeof r->child / sizeof *r->child)
        r->child[r->count++] = child;
    else
        r->kind = EVERYWHERE; /* the region exceeds the limit of a kernel line; visiting more coordinates is still correct */
}

static unsigned operands_of(const region *r)
{
    unsigned set = r->kind == STORED && r->operand >= 0 ? 1u << r->operand : 0;
    for (unsigned k = 0; k < r->count; k++) set |= operands_of(r->child[k]);
    return set;
}

/* Adds an operand that reads tensor number `read` to a kernel. */
static int add_operand(step *k, int read, const char *name, const char *index, spot place)
{
    if (k->operands + 1 == MAX_OPERANDS)
        refuse(place, "a kernel has at most %d operands, its output among them; use statements with temporaries",
               MAX_OPERANDS);
    operand *o = &k->operand[k->operands];
    o->tensor = o->stored = read;
    o->name = name;
    strcpy(o->index, index);
    return (int)k->operands++;
}

/* Returns the operand of the kernel for this access; adds it if it is new. */
static int operand_of(step *k, const node *n)
{
    const operand *known = known_operand(k, n);
    if (known) return (int)(known - k->operand);
    const char *name = tensor_at(n->tensor)->name, *wish = name;
    /* an operand at other subscripts of the same tensor gets another name */
    for (unsigned o = 0, number = 1; o < k->operands; o++)
        if (same(k->operand[o].name, name) || (name != wish && find_tensor(name) >= 0)) {
            name = number == 1 ? print("%s_%s", wish, n->index) : print("%s_%s_%u", wish, n->index, number);
            number++;
            o = ~0u; /* starts the search again */
        }
    const int o = add_operand(k, n->tensor, name, n->index, n->place);
    if (n->sliced) k->operand[o].slice = n;
    if (n->affine) k->operand[o].affine = n;
    return o;
}

static const char *fresh_name(const char *wish);

/* Adds the operands for a window: the array, and the sizes of all levels but the outermost. */
static void add_window(step *k, const node *n)
{
    const tensor *t = tensor_at(n->tensor);
    if (window_name(k, n->tensor, ARRAY, 0)) return;
    if (strstr(the.notes.at ? the.notes.at : "", print("%s is read as an array", t->name)) == NULL)
        put(&the.notes, "%s is read as an array, at subscripts that are checked before\n", t->name);
    const int array = add_operand(k, n->tensor, fresh_name(print("%s_array", t->name)), "", n->place);
    k->operand[array].kind = ARRAY;
    for (unsigned l = 1; l < t->rank; l++) {
        const char *name = fresh_name(print("%s_size%u", t->name, l + 1));
        const int size = add_operand(k, n->tensor, name, "", n->place);
        k->operand[size].kind = LEVEL_SIZE;
        k->operand[size].level = l;
    }
}

/* True if a tensor stores a value for every coordinate. */
static bool is_everywhere(int n)
{
    const tensor *t = tensor_at(n);
    return t->rank == 0 || (is_dense(&t->encoding) && !t->padded);
}

/* Computes the value of an expression where no sparse operand has an entry. Returns false if that value is not a
   constant. */
static bool value_of_absence(const node *n, double *value)
{
    double v[2] = {0, 0};
    if (n->kind == ACCESS) {
        const encoding *e = &tensor_at(n->tensor)->encoding;
        *value = e->fill && !n->asked ? number_of(e->fill) : 0;
        return !is_everywhere(n->tensor);
    }
    if (n->kind == LITERAL) {
        *value = strtod(n->word, NULL);
        return true;
    }
    if (n->kind == COORDINATE || n->kind == WINDOW || n->kind == REDUCTION || (n->kind == CALL && !find_function(n->word)))
        return false;
    *value = n->kind == PRODUCT;
    for (unsigned k = 0; k < n->count; k++) {
        double term;
        if (!value_of_absence(n->term[k].node, &term)) return false;
        if (k < 2) v[k] = term;
        if (n->kind == SUM)
            *value += n->term[k].inverse ? -term : term;
        else
            *value = n->term[k].inverse ? *value / term : *value * term;
    }
    if (n->kind == CALL) {
        const function *f = find_function(n->word);
        *value = f->one ? f->one(v[0]) : f->two(v[0], v[1]);
    }
    if (n->kind == OPERATION) {
        double third = 0;
        if (n->count > 2 && !value_of_absence(n->term[2].node, &third)) return false;
        const bool one = v[0] < 0 || v[0] > 0, two = v[1] < 0 || v[1] > 0;
        *value = n->word[0] == '&'   ? one && two
                 : n->word[0] == '|' ? one || two
                 : n->word[0] == '!' ? !one
                 : n->word[0] == '?' ? (one ? v[1] : third)
                                     : fmod(v[0], v[1]);
    }
    if (n->kind == COMPARISON) {
        const bool equal = !(v[0] < v[1]) && !(v[0] > v[1]);
        *value = n->word[0] == '<' ? v[0] < v[1] : n->word[0] == '>' ? v[0] > v[1] : n->word[0] == '=' ? equal : !equal;
        if (n->word[1] == '=' && n->word[0] != '!' && equal) *value = 1;
    }
    return true;
}

/* region_of: where an expression can be nonzero. Adds the operands to the kernel, in order. */
static region *simplify(region *r);

/* Adds the index sets that an access uses, which are operands too. */
static void add_sets(step *k, const node *n)
{
    for (const char *i = n->index; *i; i++)
        if (set_of(*i)) {
            node *set = make_node(ACCESS, n->place);
            set->tensor = find_tensor(set_of(*i));
            set->index[0] = known_by(*i);
            operand_of(k, set);
            k->twin[*i - 'a'] = known_by(*i);
        }
}

static region *region_of(step *k, const node *n);

/* Adds the patterns of all tensors in an expression to a union. Outside of this union the expression is constant. */
static void add_leaves(step *k, const node *n, region *r)
{
    const bool stored = n->kind == ACCESS && n->tensor != k->output && !is_everywhere(n->tensor);
    if (n->kind == ACCESS) add_child(r, stored ? make_region(STORED, operand_of(k, n)) : region_of(k, n));
    for (unsigned c = 0; c < n->count; c++) add_leaves(k, n->term[c].node, r);
}

/* True if the fill value of a tensor is the identity of the semiring's `plus`. Then products with the fill value are the
   identity too. */
static bool fills_with_identity(const tensor *t)
{
    const char *const identity = the.semiring->identity;
    const double fill = number_of(t->encoding.fill);
    return same(identity, "0") ? !(fill < 0) && !(fill > 0) && fill == fill
                               : isinf(fill) && (fill < 0) == (identity[0] == '-');
}

/* True if every operand of the divisor has an entry wherever the divided product does. */
static bool is_within(step *k, const node *product, const region *divisor)
{
    unsigned stored = 0;
    for (unsigned c = 0; product->kind == PRODUCT && c < product->count; c++)
        if (!product->term[c].inverse) stored |= conjuncts(simplify(region_of(k, product->term[c].node)));
    return stored && !(operands_of(divisor) & ~stored);
}

static region *region_of(step *k, const node *n)
{
    if (n->kind == ACCESS) {
        const tensor *t = tensor_at(n->tensor);
        if (n->tensor == k->output) return make_region(EVERYWHERE, 0);
        const int o = operand_of(k, n);
        add_sets(k, n);
        if (n->asked && !is_everywhere(n->tensor)) return make_region(STORED, o);
        const bool filled = t->encoding.fill && !(the.semiring && fills_with_identity(t));
        return is_everywhere(n->tensor) || filled ? make_region(EVERYWHERE, 0) : make_region(STORED, o);
    }
    if (n->kind == WINDOW) add_window(k, n);
    if (n->kind == LITERAL || n->kind == COORDINATE || n->kind == WINDOW) return make_region(EVERYWHERE, 0);
    const bool both = n->kind == OPERATION && n->word[0] == '&', rest = n->kind == OPERATION && n->word[0] == '%';
    region *r = make_region(n->kind == PRODUCT || both || rest ? ALL : ANY, 0);
    double zero = 1;
    if (n->kind != SUM && n->kind != PRODUCT && !both && !rest &&
        (!value_of_absence(n, &zero) || zero < 0 || zero > 0 || zero != zero)) {
        /* dense operands have values everywhere, so the expression can be nonzero anywhere */
        r->kind = EVERYWHERE;
    }
    for (unsigned c = 0; c < n->count; c++) {
        const node *term = n->term[c].node;
        region *child = region_of(k, term);
        if ((n->kind == PRODUCT && n->term[c].inverse) || (rest && c == 1)) {
            const region *const divisor = simplify(child);
            if (divisor->kind != EVERYWHERE && !is_within(k, n, divisor))
                refuse(term->place, "%s is sparse: this divides by the zeros that it does not store", describe(term));
            continue;
        }
        if (term->kind == LITERAL && n->kind != PRODUCT && n->kind != SUM && n->kind != OPERATION) continue;
        if (term->kind == LITERAL && n->kind == OPERATION && n->word[0] == '?') continue;
        if (r->kind == ANY && n->kind != SUM && simplify(child)->kind == EVERYWHERE)
            add_leaves(k, term, r); /* for example, max(A - 1, 0) is 0 where A has no entry */
        else if (r->kind != EVERYWHERE)
            add_child(r, child);
    }
    if (r->kind == ALL && r->count == 0) r->kind = EVERYWHERE;
    return r;
}

/* Adds a child to r. If the child is of the same kind as r, adds its children instead. Skips duplicates. */
static void merge_child(region *r, region *child)
{
    if (child->kind == r->kind) {
        for (unsigned k = 0; k < child->count; k++) merge_child(r, child->child[k]);
        return;
    }
    for (unsigned k = 0; child->kind == STORED && k < r->count; k++)
        if (r->child[k]->kind == STORED && r->child[k]->operand == child->operand) return;
    add_child(r, child);
}

/* Simplifies a region: removes EVERYWHERE from intersections, turns a union with EVERYWHERE into EVERYWHERE, and
   flattens. */
static region *simplify(region *r)
{
    if (r->kind != ALL && r->kind != ANY) return make_region(r->kind, r->operand);
    region *s = make_region(r->kind, 0);
    for (unsigned k = 0; k < r->count; k++) {
        region *child = simplify(r->child[k]);
        if (child->kind == EVERYWHERE && r->kind == ANY) return child;
        if (child->kind != EVERYWHERE) merge_child(s, child);
    }
    if (s->count == 0) return make_region(EVERYWHERE, 0);
    return s->count == 1 ? s->child[0] : s;
}

/* The union of all operands of a set. It contains every region over these operands, so it is always correct. */
static region *union_of(unsigned set)
{
    region *r = make_region(ANY, 0);
    for (int o = 0; o < MAX_OPERANDS; o++)
        if (set >> o & 1) add_child(r, make_region(STORED, o));
    return r->count == 1 ? r->child[0] : r;
}

/* The operands that a region certainly needs at all of its coordinates. */
static unsigned conjuncts(const region *r)
{
    unsigned set = r->kind == STORED ? operands_of(r) : 0;
    for (unsigned k = 0; r->kind == ALL && k < r->count; k++)
        if (r->child[k]->kind == STORED) set |= operands_of(r->child[k]);
    return set;
}

/* The region that remains if some operands are known to have entries; null if nothing remains to be tested. */
static region *without(region *r, unsigned set)
{
    if (r->kind == STORED) return set >> r->operand & 1 ? NULL : r;
    region *s = make_region(r->kind, 0);
    for (unsigned k = 0; k < r->count; k++) {
        region *child = without(r->child[k], set);
        if (child == NULL && r->kind == ANY) return NULL;
        if (child) add_child(s, child);
    }
    if (s->count == 0) return NULL;
    return s->count == 1 ? s->child[0] : s;
}

static region *read_once(region *r);

/* Factors a union whose children share operands: A B + A C is A (B + C), and A + A B is A. If that fails, returns the
   union of all operands. */
static region *factor(region *const *child, unsigned count)
{
    unsigned common = ~0u, set = 0;
    for (unsigned k = 0; k < count; k++) common &= conjuncts(child[k]), set |= operands_of(child[k]);
    if (common == 0) return union_of(set);
    region *all = make_region(ALL, 0), *any = make_region(ANY, 0);
    for (int o = 0; o < MAX_OPERANDS; o++)
        if (common >> o & 1) add_child(all, make_region(STORED, o));
    for (unsigned k = 0; k < count; k++) {
        region *rest = without(child[k], common);
        if (rest == NULL) return all->count == 1 ? all->child[0] : all;
        merge_child(any, rest);
    }
    add_child(all, read_once(any));
    return all;
}

/* Rewrites a region so that every operand occurs once, as a kernel line requires. The result can be larger than the
   region. */
static region *read_once(region *r)
{
    if (r->kind != ALL && r->kind != ANY) return r;
    region *s = make_region(r->kind, 0);
    bool done[2 * MAX_OPERANDS] = {false};
    for (unsigned k = 0; k < r->count; k++) {
        if (done[k]) continue;
        region *group[2 * MAX_OPERANDS];
        unsigned count = 0, set = operands_of(r->child[k]);
        for (bool grown = true; grown;) {
            grown = false;
            for (unsigned m = k; m < r->count; m++)
                if (!done[m] && (operands_of(r->child[m]) & set)) {
                    group[count++] = r->child[m];
                    set |= operands_of(r->child[m]);
                    done[m] = grown = true;
                }
        }
        if (count == 1)
            merge_child(s, read_once(group[0]));
        else
            merge_child(s, r->kind == ANY ? factor(group, count) : union_of(set));
    }
    return simplify(s);
}

static unsigned depth_of(const region *r)
{
    unsigned depth = 0;
    for (unsigned k = 0; k < r->count; k++)
        if (depth_of(r->child[k]) > depth) depth = depth_of(r->child[k]);
    return r->count ? depth + 1 : 0;
}

/* Rewrites a region to at most `depth` levels of nesting. */
static region *flattened(region *r, unsigned depth)
{
    if (r->count == 0) return r;
    if (depth <= 1 && depth_of(r) > 1) return union_of(operands_of(r));
    region *s = make_region(r->kind, 0);
    for (unsigned k = 0; k < r->count; k++) merge_child(s, flattened(r->child[k], depth - 1));
    return s;
}

/* The first of the operands in a region. */
static int first_operand(const region *r)
{
    const unsigned set = operands_of(r);
    int o = 0;
    while (o < MAX_OPERANDS && !(set >> o & 1)) o++;
    return o;
}

static int compare_regions(const void *a, const void *b)
{
    return first_operand(*(region *const *)a) - first_operand(*(region *const *)b);
}

static void sort_region(region *r)
{
    for (unsigned k = 0; k < r->count; k++) sort_region(r->child[k]);
    qsort(r->child, r->count, sizeof *r->child, compare_regions);
}

/* The tree of a kernel line: the region and the operands that do not restrict it. The number -1 stands for a scalar,
   which has a value everywhere. */
static region *tree_of(const step *k, region *where)
{
    unsigned everywhere = 0, others;
    for (unsigned o = 0; o < k->operands; o++)
        if (is_everywhere(k->operand[o].tensor)) everywhere |= 1u << o;
    others = ((1u << k->operands) - 1) & ~everywhere & ~operands_of(where);
    region *tree;
    if (where->kind == EVERYWHERE) {
        tree = make_region(others ? ANY : ALL, 0);
        for (int o = 0; o < (int)k->operands; o++) add_child(tree, make_region(STORED, o));
        if (!everywhere) add_child(tree, make_region(STORED, -1));
        return tree;
    }
    tree = make_region(ALL, 0);
    where = flattened(where, where->kind == ALL ? 3 : 2);
    for (int o = 0; o < (int)k->operands; o++)
        if (everywhere >> o & 1) add_child(tree, make_region(STORED, o));
    if (others) {
        region *loose = union_of(others);
        if (loose->kind != ANY) {
            region *any = make_region(ANY, 0);
            add_child(any, loose);
            loose = any;
        }
        add_child(loose, make_region(STORED, -1));
        add_child(tree, loose);
    }
    if (tree->count == 0 && where->count)
        tree = where;
    else
        merge_child(tree, where);
    sort_region(tree);
    return tree;
}

/* >>lower
   A statement becomes steps: kernels, and conversions of tensors to other encodings. lower() splits the right side into
   summands and makes one kernel for each set of indices that is summed. Parts that one kernel cannot do become temporaries:

     y(i) = A(i,j) * x(j) + b(i)     the kernels y = b and, summed over j, y += A * x
     y(i) = abs(A(i,j) * x(j))       the kernels T = A * x, summed over j, and y = abs(T): T is a temporary.
                                     Later, take_in() may move its sum into the kernel of y, as where() */

/* One summand of the right side: +- op(over) body. */
typedef struct summand {
    bool negative;
    const char *reduction; /* null: not reduced */
    letters over;
    node *body;
} summand;

typedef struct summands {
    unsigned count;
    summand at[64];
} summands;

static node *clone(const node *n)
{
    node *copy = make_node(n->kind, n->place);
    *copy = *n;
    copy->term = NULL;
    copy->count = 0;
    for (unsigned k = 0; k < n->count; k++) add_term(copy, clone(n->term[k].node), n->term[k].inverse);
    return copy;
}

/* Moves a sum inside a product to the outside: b(i) * sum(j) A(i,j) x(j) becomes sum(j) A(i,j) x(j) b(i). This is done
   only if no other factor has an index that the sum lacks, because the factor would be summed repeatedly. A sum in
   parentheses inside another sum stays. */
static node *absorb(node *n, letters *over, bool nested)
{
    if (n->kind == REDUCTION && nested && same(n->word, "sum") && !n->grouped && !(n->over & *over)) {
        *over |= n->over;
        return absorb(n->term[0].node, over, true);
    }
    if (n->kind != PRODUCT || rounds(n, kind_of(n, BOOL))) return n;
    unsigned sums = 0, at = 0;
    letters rest = *over;
    for (unsigned k = 0; k < n->count; k++) {
        const node *f = n->term[k].node;
        if (f->kind == REDUCTION && same(f->word, "sum") && !n->term[k].inverse) sums++, at = k;
    }
    if (sums != 1) return n;
    node *sum = n->term[at].node;
    for (unsigned k = 0; k < n->count; k++)
        if (k != at) rest |= free_letters(n->term[k].node);
    if ((rest & sum->over) || (nested && sum->grouped)) return n;
    if ((rest & ~*over) & ~free_letters(sum->term[0].node)) return n;
    *over |= sum->over;
    node *product = make_node(PRODUCT, n->place), *inner = absorb(sum->term[0].node, over, true);
    for (unsigned k = 0; k < n->count; k++) {
        if (k != at || inner->kind != PRODUCT)
            add_term(product, k == at ? inner : n->term[k].node, n->term[k].inverse);
        else
            for (unsigned m = 0; m < inner->count; m++) add_term(product, inner->term[m].node, inner->term[m].inverse);
    }
    return product;
}

/* Splits an expression into its summands. */
static void split(summands *s, node *n, bool negative)
{
    if (n->kind == SUM) {
        for (unsigned k = 0; k < n->count; k++) split(s, n->term[k].node, negative != n->term[k].inverse);
        return;
    }
    if (s->count == sizeof s->at / sizeof *s->at) refuse(n->place, "more than %u terms are added", s->count);
    summand *a = &s->at[s->count++];
    *a = (summand){.negative = negative, .body = n};
    if (n->kind == REDUCTION) {
        a->reduction = n->word;
        a->over = n->over;
        a->body = n->term[0].node;
        if (same(n->word, "sum")) a->body = absorb(a->body, &a->over, true);
    } else {
        a->body = absorb(n, &a->over, false);
        if (a->over) a->reduction = "sum";
    }
}

/* Returns `wish`, or a variant of it, as a name that is still free. */
static const char *fresh_name(const char *wish)
{
    text t = {0};
    for (const char *c = wish; *c; c++) /* y__new, the new values of y_, would be reserved in C, with any number */
        if (c[0] != '_' || c[1] != '_') put(&t, "%c", *c);
    const char *base = t.at, *name = base;
    for (unsigned n = 2; find_tensor(name) >= 0 || is_reserved(name); n++) {
        if (n > 2 && is_reserved(name)) base = print("own_%s", base); /* so would sparse_new, which has another beginning */
        name = print("%s_%u", base, n);
    }
    return name;
}

/* The indices in a subscript of a kernel line. */
static letters letters_of_subscript(const subscript *s)
{
    return letters_of(s->index) | (s->unit ? letter_bit(s->unit) : 0);
}

/* The indices in dimension d of an access: of subscript d of `affine` if it is set, else the plain index. A window has
   none, because its subscripts stand in the statement. */
static letters letters_of_dim(const char *index, const node *affine, unsigned d)
{
    return affine ? letters_of_subscript(&affine->subscript[d]) : index[d] ? letter_bit(index[d]) : 0;
}

/* True if a sparse level of the tensor stores index i. */
static bool is_compressed_at(const tensor *t, const char *index, const node *affine, char i)
{
    for (unsigned l = 0; l < t->encoding.levels; l++) {
        const level *v = &t->encoding.level[l];
        if (v->format != DENSE && (letters_of_dim(index, affine, v->dim) & letter_bit(i))) return true;
    }
    return false;
}

/* True if a temporary for an expression should compress dimension i (Bik et al. 2022, 5.1): for a sum, if all operands
   compress it; for a product, if any operand does. */
static bool estimate(const node *n, char i)
{
    double zero;
    bool all = n->count > 0, any = false;
    switch (n->kind) {
    case ACCESS:
        for (const char *c = n->index; *c && !any; c++)
            any = known_by(*c) == i && is_compressed_at(tensor_at(n->tensor), n->index, n->affine ? n : NULL, *c);
        return any && !tensor_at(n->tensor)->encoding.fill && !tensor_at(n->tensor)->half;
    case LITERAL:
    case COORDINATE:
    case WINDOW:
        return false;
    case REDUCTION:
        return same(n->word, "sum") && estimate(n->term[0].node, i);
    case CALL:
    case COMPARISON:
    case OPERATION:
        if (!value_of_absence(n, &zero) || zero < 0 || zero > 0 || zero != zero) return false;
        break;
    default:
        break;
    }
    for (unsigned k = 0; k < n->count; k++) {
        const node *term = n->term[k].node;
        if (n->kind != PRODUCT && n->kind != SUM && term->kind == LITERAL) continue;
        const bool compressed = !n->term[k].inverse || n->kind != PRODUCT ? estimate(term, i) : false;
        all = all && compressed;
        any = any || compressed;
    }
    return n->kind == PRODUCT ? any : all;
}

/* The encoding of a temporary: first the dense dimensions, then the compressed ones. */
static encoding estimate_encoding(const node *n, const char *index)
{
    char formats[MAX_RANK + 1] = {0}, order[MAX_RANK + 1] = {0};
    unsigned l = 0;
    for (unsigned wanted = 0; wanted < 2; wanted++)
        for (unsigned d = 0; index[d]; d++)
            if (estimate(n, index[d]) == (wanted == 1)) formats[l] = "dc"[wanted], order[l++] = (char)('0' + d);
    encoding e = make_encoding(formats, order);
    name_encoding(&e);
    return e;
}

static void lower(int output, const char *index, bool accumulate, node *value, spot place);

/* Makes a temporary for an expression over its free indices. Equal expressions in several statements share one temporary. */
static node *make_temporary(node *n, const char *wish)
{
    static struct known {
        const char *text;
        int tensor, statement;
    } known[MAX_TENSORS];
    static int count;
    node *access = make_node(ACCESS, n->place);
    unsigned rank = 0;
    for (const char *c = wish; *c; c++)
        if (free_letters(n) & letter_bit(*c)) access->index[rank++] = *c;
    for (char i = 'a'; i <= 'z'; i++)
        if ((free_letters(n) & letter_bit(i)) && !strchr(access->index, i)) {
            if (rank == MAX_RANK) refuse(n->place, "a temporary needs more than %d dimensions", MAX_RANK);
            access->index[rank++] = i;
        }
    const char *said = describe(n);
    for (int k = 0; k < count; k++)
        if (known[k].statement == lowering.current && same(known[k].text, said)) {
            access->tensor = known[k].tensor;
            strcpy(access->index, tensor_at(access->tensor)->index);
            access->word = tensor_at(access->tensor)->name;
            return access;
        }
    static int number;
    const char *name = print("T%d", ++number);
    while (find_tensor(name) >= 0) name = print("T%d", ++number);
    access->word = name;
    access->tensor = add_tensor(name, TEMPORARY, n->place);
    tensor *t = tensor_at(access->tensor);
    t->rank = rank;
    strcpy(t->index, access->index);
    t->kind = kind_within(n, lowering.computing);
    const bool widens = lowering.widens;
    lowering.widens = false;
    t->encoding = widens ? dense_encoding(rank)
                  : n->kind == ACCESS && !has_set(n->index) && !is_sparse(the.statement[lowering.current].output)
                      ? dense_encoding(rank)
                      : estimate_encoding(n, access->index);
    if (count < MAX_TENSORS) known[count++] = (struct known){said, access->tensor, lowering.current};
    put(&the.notes, "%s = %s is a temporary\n",
        print("%s%s%s%s", name, rank ? "(" : "", commas(access->index), rank ? ")" : ""), said);
    lower(access->tensor, access->index, false, n, n->place);
    return access;
}

static bool has_repeated_index(const node *n)
{
    for (const char *i = n->index; n->kind == ACCESS && *i; i++)
        if (strchr(i + 1, *i)) return true;
    return false;
}

/* True if an access chooses coordinates through an index set. */
static bool is_chosen(const node *n) { return n->kind == ACCESS && has_set(n->index); }

/* True if `is` holds for an expression or for one of its factors. */
static bool is_product_with(const node *n, bool (*is)(const node *))
{
    if (is(n)) return true;
    for (unsigned k = 0; n->kind == PRODUCT && k < n->count; k++)
        if (!n->term[k].inverse && is(n->term[k].node)) return true;
    return false;
}

/* Returns the expression with temporaries in place of reductions, diagonals and accesses through index sets. The
   temporaries are computed in earlier steps. */
static node *purified(node *n, const char *wish)
{
    if (n->kind == REDUCTION) return make_temporary(n, wish);
    if (has_repeated_index(n) || is_chosen(n)) return make_temporary(n, wish);
    for (unsigned k = 0; k < n->count; k++) n->term[k].node = purified(n->term[k].node, wish);
    return n;
}

/* Gives the index of subscript d a new letter. The subscripts of the statement do not change. */
static void rename_subscript(node *n, unsigned d, char fresh)
{
    subscript *own = take(MAX_RANK * sizeof *own);
    memcpy(own, n->subscript, MAX_RANK * sizeof *own);
    own[d].index[0] = fresh;
    n->subscript = own;
}

/* Sorts the dimensions of a tensor by the first level that stores each. */
static void sort_dims(const encoding *e, unsigned dim[MAX_RANK])
{
    unsigned count = 0;
    for (unsigned l = 0; l < e->levels; l++) {
        bool known = false;
        for (unsigned d = 0; d < count; d++) known = known || dim[d] == e->level[l].dim;
        if (!known) dim[count++] = e->level[l].dim;
    }
}

/* Gives every repetition of an index in an access a letter of its own, which twin[] ties to the outermost one. */
static void spread_diagonal(step *k, node *n, letters used)
{
    unsigned dim[MAX_RANK];
    sort_dims(&tensor_at(n->tensor)->encoding, dim);
    for (unsigned at = 1; n->index[at]; at++)
        for (unsigned before = 0; before < at; before++)
            if (n->index[dim[at]] == n->index[dim[before]]) {
                const char i = n->index[dim[before]];
                char fresh = 'a';
                while (fresh <= 'z' && (used & letter_bit(fresh))) fresh++;
                if (fresh > 'z') refuse(n->place, "no letter is left for an index");
                used |= letter_bit(fresh);
                k->over |= letter_bit(fresh);
                k->twin[fresh - 'a'] = i;
                n->index[dim[at]] = fresh;
                if (lowering.sliced) { /* sizes are looked up by index, so both letters get the same size */
                    alphabet.alike[fresh - 'A'] = size_letter(i);
                    alphabet.single |= letter_bit(fresh);
                }
                if (n->sliced) rename_subscript(n, dim[at], fresh);
                break;
            }
}

/* Letters that a new index must avoid: the kernel's own, and all that stand for something in the statements. */
static letters taken_letters(const node *n, const char *index, letters over)
{
    return all_letters(n) | letters_of(index) | over | alphabet.single;
}

static const char *identity_of_reduction(const char *reduction, value_kind k);

/* The identity of the semiring's `plus`, as a value of type k. */
static const char *identity_of(value_kind k)
{
    const char *identity = the.semiring->identity;
    if (same(identity, "0")) return "0";
    if (is_integer(k)) return identity_of_reduction(the.semiring->plus + 1, k);
    support.math = true;
    return print("%s%s", identity, k == F32 ? "F" : "");
}

/* The value of an empty product, maximum or minimum, in type k. */
static const char *identity_of_reduction(const char *reduction, value_kind k)
{
    const bool most = same(reduction, "max");
    if (same(reduction, "prod")) return "1";
    if (k == BOOL) return most ? "0" : "1";
    if (is_integer(k) && kinds[k].type[0] == 'u' && most) return "0";
    if (is_integer(k)) {
        const char *type = upper(kinds[k].type);
        return print("%.*s%s", (int)strlen(type) - 1, type, most ? "MIN" : "MAX");
    }
    support.math = true;
    return print("%sHUGE_VAL%s", most ? "-" : "", k == F32 ? "F" : "");
}

/* Appends an empty step and returns its number. */
static int add_step(step_kind kind, int output, spot place)
{
    if (the.steps == MAX_STEPS) refuse(place, "the statements need more than %d kernels", MAX_STEPS);
    step *k = &the.step[the.steps];
    *k = (step){.kind = kind, .output = output, .stored = output, .where.workspace = -1};
    return the.steps++;
}

/* True if a kernel over this tree visits every coordinate. */
static bool is_whole(const step *k, const region *r)
{
    if (r->kind == STORED) return r->operand < 0 || is_everywhere(k->operand[r->operand].tensor);
    for (unsigned c = 0; c < r->count; c++)
        if (is_whole(k, r->child[c]) != (r->kind == ALL)) return r->kind != ALL;
    return r->kind == ALL;
}

/* True if an index set of the kernel can hold coordinates outside of the dimension, which the kernel skips. */
static bool drops(const step *k)
{
    for (char i = 'a'; i <= 'z'; i++)
        if (k->twin[i - 'a'] && set_of(i)) return true;
    return false;
}

/* The initial value of the output; null if the old values remain or the kernel stores all values. */
static const char *initial_of(const step *k, bool accumulate)
{
    const value_kind kind = tensor_at(k->output)->kind;
    if (accumulate || k->result.reads_output) return NULL;
    if (the.semiring) return identity_of(kind);
    if (k->result.reduction && !same(k->result.reduction, "sum")) return identity_of_reduction(k->result.reduction, kind);
    if (is_sparse(k->output)) return NULL;
    return k->result.accumulate || k->result.left || !is_whole(k, k->region) || drops(k) ? "0" : NULL;
}

/* 1 + the operand whose pattern the result will have, stored in the same encoding; 0 if there is none. */
static unsigned pattern_operand(const step *k, const region *where)
{
    const tensor *out = tensor_at(k->output);
    if (where->kind != STORED || !is_sparse(k->output) || out->role != OUTPUT || k->result.updates || k->result.initial ||
        k->operands < 2 || k->result.left)
        return 0;
    const operand *o = &k->operand[where->operand];
    const tensor *a = tensor_at(o->tensor);
    bool alike = a->kind == out->kind && same_encoding(&a->encoding, &out->encoding) && is_for_kernels(&a->encoding) &&
                 !a->encoding.constant;
    for (unsigned l = 0; l < a->encoding.levels; l++) /* COUNT levels number the entries of one operand only */
        alike = alike && a->encoding.level[l].part != COUNT;
    return alike && !o->slice && !o->affine && same(o->index, k->index) ? 1 + (unsigned)where->operand : 0;
}

/* Takes the last free letter. */
static char last_letter(spot place)
{
    char i = 'z';
    while (i >= 'a' && (alphabet.single & letter_bit(i))) i--;
    if (i < 'a') refuse(place, "no letter is left for an index");
    alphabet.single |= letter_bit(i);
    return i;
}

/* Returns a tensor that stores nothing and only provides the size of index i. */
static int range_tensor(char i, spot place)
{
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->range == i) return n;
    const int n = add_tensor(fresh_name(print("range_%c", i)), CONVERTED, place);
    tensor *t = tensor_at(n);
    t->rank = 1;
    t->kind = I8;
    t->index[0] = t->range = i;
    t->encoding = dense_encoding(1);
    t->encoding.name = "range", t->encoding.constant = "0"; /* it has a size, and stores no values */
    return n;
}

/* The scalar that holds the size of an output index without a loop; -1 if there is none yet. */
static int extent_of(char u)
{
    int n = the.tensors - 1;
    while (n >= 0 && (tensor_at(n)->rank || tensor_at(n)->range != u)) n--;
    return n;
}

/* Adds the scalar that holds the size of let() index u as an operand, outside of any union. */
static void add_extent(step *k, char u, spot place)
{
    int n = extent_of(u);
    if (n < 0) {
        n = add_tensor(fresh_name(print("extent_%c", u)), CONVERTED, place);
        tensor_at(n)->kind = U64;
        tensor_at(n)->range = tensor_at(n)->index[0] = u;
    }
    if (k->region->kind != ALL) {
        region *all = make_region(ALL, 0);
        add_child(all, k->region);
        k->region = all;
    }
    add_child(k->region, make_region(STORED, add_operand(k, n, tensor_at(n)->name, "", place)));
}

/* Gives each output dimension with a subscript like i + 2 an index of its own: let(u, i + 2, extent_u). This is needed if
   the output is assembled or padded. A padded output drops the coordinates of let(u, i - 2) that lie outside. */
static void add_lets(step *k)
{
    for (unsigned d = 0; d < tensor_at(k->output)->rank; d++) {
        if (!tensor_at(k->output)->windowed[d]) continue;
        k->result.let[d] = last_letter(k->result.left->place);
        if (is_assembled(k)) add_extent(k, k->result.let[d], k->result.left->place);
    }
}

static bool has_lets(const step *k)
{
    for (unsigned d = 0; d < MAX_RANK; d++)
        if (k->result.let[d]) return true;
    return false;
}

/* True if several iterations can write the same element: different i and p in O(i+p), or different i with equal rows(i). */
static bool meet(const node *left)
{
    for (unsigned d = 0; left && d < tensor_at(left->tensor)->rank; d++)
        if (left->subscript[d].count > 1 || left->subscript[d].idle || left->subscript[d].set) return true;
    return false;
}

/* Adds one kernel: output (+)= op(over) body. A reduction other than a sum visits every coordinate. */
static step *add_kernel(int output, const char *index, bool accumulate, const char *reduction, letters over, node *body,
                        spot place)
{
    step *k = &the.step[add_step(KERNEL, output, place)];
    const node *left = lowering.left && lowering.left->tensor == output ? lowering.left : NULL;
    strcpy(k->index, left ? left->index : index);
    k->result.left = left && left->affine ? left : NULL;
    k->result.accumulate = accumulate || (reduction && same(reduction, "sum")) || meet(left);
    k->result.reduction = reduction;
    k->over = over;
    k->body = body;
    k->result.reads_output = reads_tensor(body, output);
    if (has_repeated_index(body)) spread_diagonal(k, body, taken_letters(body, index, over));
    for (unsigned c = 0; body->kind == PRODUCT && c < body->count; c++)
        if (has_repeated_index(body->term[c].node))
            spread_diagonal(k, body->term[c].node, taken_letters(body, index, k->over));
    k->result.updates = k->result.reads_output && is_sparse(output);
    region *where = read_once(simplify(region_of(k, body)));
    if (left) add_sets(k, left);
    /* y = y * x also assigns the elements where the product is 0 */
    const bool replaced = k->result.reads_output && !accumulate && !k->result.updates;
    if (replaced && the.semiring && where->kind != EVERYWHERE)
        refuse(place, "%s is on both sides; with a semiring assign to another tensor", tensor_at(output)->name);
    if (k->result.updates || replaced || (reduction && !same(reduction, "sum"))) where = make_region(EVERYWHERE, 0);
    k->region = tree_of(k, where);
    k->result.initial = initial_of(k, accumulate);
    k->result.like = pattern_operand(k, where);
    if (k->result.left && (is_assembled(k) || tensor_at(output)->padded)) add_lets(k);
    return k;
}

static node *access_to(int n, const char *index, spot place);
static node *make_operation(const char *word, spot place, node *first, node *second);

static node *make_literal(const char *word, spot place)
{
    node *n = make_node(LITERAL, place);
    n->word = word;
    return n;
}

static node *make_two(node_kind kind, const char *word, spot place, node *first, node *second)
{
    node *n = make_operation(word, place, first, second);
    n->kind = kind;
    return n;
}

/* Finds an access with plain index i to a tensor that `may` be used (null: any), sets *d to the dimension, and returns the
   access; null if there is none. */
static const node *find_dimension(const node *n, char i, unsigned *d, bool (*may)(int tensor))
{
    if (n->kind == ACCESS && !n->sliced && !n->affine && strchr(n->index, i) && (!may || may(n->tensor))) {
        *d = (unsigned)(strchr(n->index, i) - n->index);
        return n;
    }
    for (unsigned k = 0; k < n->count; k++) {
        const node *found_access = find_dimension(n->term[k].node, i, d, may);
        if (found_access) return found_access;
    }
    return NULL;
}

/* True if the sizes of all these indices can be read from tensors of the expression. */
static bool has_dimensions(const node *n, letters over)
{
    unsigned d;
    for (char i = 'a'; i <= 'z'; i++)
        if ((over & letter_bit(i)) && !find_dimension(n, i, &d, NULL)) return false;
    return true;
}

/* The scalar that holds the number of coordinates of some indices, the product of their sizes. */
static int total_of(const node *n, letters over)
{
    text wish = {0};
    put(&wish, "all_");
    for (char i = 'a'; i <= 'z'; i++)
        if (over & letter_bit(i)) put(&wish, "%c", i);
    const int total = add_tensor(fresh_name(wish.at), CONVERTED, n->place);
    tensor *t = tensor_at(total);
    t->kind = U64, t->counted = n, t->over = over;
    return total;
}

static bool is_scheduled(int n);

static bool is_input(int n) { return tensor_at(n)->role == INPUT; }

/* The access that gives the size of i to a number of coordinates. If no kernel has a tensor with this index, as in a
   derivative that lacks the tensor, an input becomes a parameter for its size alone. */
static const node *size_giver(const tensor *total, char i, unsigned *d)
{
    const node *giver = find_dimension(total->counted, i, d, is_scheduled);
    if (!giver) giver = find_dimension(total->counted, i, d, is_input);
    return giver ? giver : find_dimension(total->counted, i, d, NULL);
}

/* True if the tensor gives a size to this number of coordinates. */
static bool gives_size(int n, const tensor *total)
{
    unsigned d;
    for (char i = 'a'; i <= 'z' && total->counted; i++)
        if ((total->over & letter_bit(i)) && size_giver(total, i, &d)->tensor == n) return true;
    return false;
}

/* Writes the product of the sizes: ((uint64_t)A->t.dim[0] * A->t.dim[1]). */
static const char *spell_total(const tensor *total)
{
    text t = {0};
    for (char i = 'a'; i <= 'z'; i++) {
        unsigned d;
        if (!(total->over & letter_bit(i))) continue;
        const tensor *a = tensor_at(size_giver(total, i, &d)->tensor);
        const bool own = a->role != INPUT && a->role != OUTPUT;
        put(&t, "%s%s%st.dim[%u]", t.length ? " * " : "(uint64_t)", a->name, own ? "." : "->", d);
    }
    return total->over & (total->over - 1) ? print("(%s)", t.at) : t.at;
}

/* True if an expression divides. Integer division rounds. */
static bool has_quotient(const node *n)
{
    for (unsigned k = 0; k < n->count; k++)
        if ((n->kind == PRODUCT && n->term[k].inverse) || has_quotient(n->term[k].node)) return true;
    return false;
}

/* Sets *value to the value of an expression where none of its operands has an entry. Returns the region where the
   expression can differ from it; EVERYWHERE if there is no such value. */
static region *region_beside(step *k, const node *n, double *value)
{
    region *where = simplify(region_of(k, n));
    *value = 0;
    if (where->kind != EVERYWHERE || !value_of_absence(n, value) || reads_tensor(n, k->output)) return where;
    region *any = make_region(ANY, 0);
    add_leaves(k, n, any);
    return simplify(any);
}

/* True if the constant `value` can be written in the type in which the expression is computed. */
static bool is_number_of(double value, const node *n, value_kind kind)
{
    if (!is_integer(kind)) return true;
    const bool negative = kinds[kind].type[0] != 'u' && kind != BOOL;
    return value == floor(value) && value <= (kind == BOOL ? 1 : 127) && value >= (negative ? -128 : 0) && !has_quotient(n);
}

static node *literal_of(double value, spot place)
{
    node *n = make_literal(isinf(value) ? "INFINITY" : print("%.17g", fabs(value)), place);
    return value < 0 ? negated(n, place) : n;
}

/* a - b, or abs(a - b) */
static node *difference(node *a, node *b, bool absolute)
{
    node *n = make_node(SUM, a->place);
    add_term(n, a, false);
    add_term(n, b, true);
    if (!absolute) return n;
    node *call = make_node(CALL, a->place);
    call->word = "abs";
    add_term(call, n, false);
    return call;
}

/* Combines a reduction over the stored entries with the value of all other coordinates; null if that value changes
   nothing. */
static node *taken_in(const char *reduction, node *there, double value)
{
    if (value != value ||
        (same(reduction, "prod") ? !(value < 1) && !(value > 1) : value == (same(reduction, "max") ? -HUGE_VAL : HUGE_VAL)))
        return NULL;
    node *n = literal_of(value, there->place);
    return same(reduction, "prod") ? make_two(PRODUCT, NULL, there->place, there, n)
                                   : make_two(CALL, reduction, there->place, there, n);
}

/* Adds a tensor with the indices and levels of tensor `beside`, for a second result of its kernel. */
static int add_beside(const char *wish, int beside, const char *index, value_kind kind, spot place)
{
    const int n = add_tensor(fresh_name(wish), TEMPORARY, place);
    tensor *t = tensor_at(n);
    t->rank = tensor_at(beside)->rank, t->kind = kind, t->encoding = tensor_at(beside)->encoding;
    strcpy(t->index, index);
    return n;
}

/* Adds a kernel that combines the result with the value of the other coordinates, if fewer coordinates were counted than
   exist. */
static step *take_in_rest(int output, const char *index, int count, int total, node *all)
{
    step *k = &the.step[add_step(KERNEL, output, all->place)];
    strcpy(k->index, index);
    k->body = all;
    k->result.reads_output = true;
    k->result.updates = is_sparse(output);
    k->guard = make_two(COMPARISON, "<", all->place, access_to(count, index, all->place), access_to(total, "", all->place));
    const region *where = simplify(region_of(k, k->guard->term[0].node));
    region_of(k, k->guard->term[1].node);
    region_of(k, all);
    k->region = tree_of(k, k->result.updates ? (region *)where : make_region(EVERYWHERE, 0));
    return k;
}

/* True if every sparse operand stores its coordinates in order, so that any loop visits them in order. */
static bool is_ordered(const step *k)
{
    for (unsigned o = 0; o < k->operands; o++)
        for (unsigned l = 0; l < tensor_at(k->operand[o].tensor)->encoding.levels; l++)
            if (tensor_at(k->operand[o].tensor)->encoding.level[l].properties & NONORDERED) return false;
    return true;
}

/* Computes argmax or argmin: the index of the first greatest or least value, because loops visit an index in order. The
   coordinates without an entry all have one value; the first of them takes part. The scalar `gap` finds it: it is
   increased at every visited coordinate that equals it. */
static void find_index(int output, const char *index, const char *reduction, letters over, node *body, spot place)
{
    const bool most = same(reduction, "argmax");
    double value = 0;
    if (has_complex_values(body)) refuse(body->place, "complex values have no order");
    value_kind kind = kind_of(body, BOOL);
    kind = kind <= U16 ? I32 : kind;
    const int best = add_beside(print("%s_best", tensor_at(output)->name), output, index, kind, place);
    step trial = {.output = output};
    const bool stored = has_dimensions(body, over) && region_beside(&trial, body, &value)->kind != EVERYWHERE &&
                        is_number_of(value, body, kind_of(body, BOOL)) && is_ordered(&trial);
    const bool matters = stored && value == value;
    const int gap = matters ? add_beside(print("%s_gap", tensor_at(output)->name), output, index, U64, place) : -1;
    step *k = &the.step[add_step(KERNEL, output, place)];
    strcpy(k->index, index);
    k->result.reduction = reduction;
    k->over = over;
    k->body = body;
    region *where = region_beside(k, body, &value);
    k->region = tree_of(k, stored ? read_once(where) : make_region(EVERYWHERE, 0));
    k->result.initial = "0";
    k->result.extra[k->result.extras++] = (struct extra){best, identity_of_reduction(most ? "max" : "min", kind), NULL};
    if (!matters) return;
    char i = 'a';
    while (!(over & letter_bit(i))) i++;
    const char *name = tensor_at(gap)->name;
    k->result.extra[k->result.extras++] = (struct extra){gap, "0", print("%s += %c == %s", name, i, name)};
    node *rest = literal_of(value, place), *there = access_to(best, index, place);
    node *ties =
        make_operation("&&", place, make_two(COMPARISON, "==", place, there, clone(rest)),
                       make_two(COMPARISON, "<", place, access_to(gap, index, place), access_to(output, index, place)));
    k = take_in_rest(output, index, gap, total_of(body, over), access_to(gap, index, place));
    k->choice = make_operation("||", place, make_two(COMPARISON, most ? "<" : ">", place, clone(there), rest), ties);
    region_of(k, k->choice);
    k->region = tree_of(k, make_region(EVERYWHERE, 0));
}

/* Computes the variance, the mean of squared differences from the mean. All coordinates without an entry have the same
   difference, so one term with their number covers them. */
static void add_variance(int output, const char *index, letters over, node *body, spot place)
{
    const bool absolute = has_complex_values(body);
    double value = 0;
    node *total = access_to(total_of(body, over), "", place), *sum = make_node(REDUCTION, place);
    sum->word = "sum";
    sum->over = over;
    add_term(sum, clone(body), false);
    node *mean = make_node(PRODUCT, place);
    add_term(mean, sum, false);
    add_term(mean, total, true);
    mean = make_temporary(mean, index);
    step trial = {.output = output};
    const bool stored = region_beside(&trial, body, &value)->kind != EVERYWHERE &&
                        is_number_of(value, body, kind_of(body, BOOL)) && value - value == 0;
    node *distance = difference(body, mean, absolute), *square = make_two(PRODUCT, NULL, place, distance, clone(distance));
    step *k;
    if (stored) {
        k = &the.step[add_step(KERNEL, output, place)];
        strcpy(k->index, index);
        k->result.accumulate = true;
        k->result.reduction = "sum";
        k->over = over;
        k->body = square;
        const int count = add_beside(print("%s_count", tensor_at(output)->name), output, index, U64, place);
        region *where = read_once(region_beside(k, body, &value));
        region_of(k, mean);
        k->region = tree_of(k, where);
        k->result.initial = "0";
        k->result.extra[k->result.extras++] = (struct extra){count, "0", print("%s++", tensor_at(count)->name)};
        distance = difference(literal_of(value, place), clone(mean), absolute);
        node *rest = difference(clone(total), access_to(count, index, place), false);
        rest = make_two(PRODUCT, NULL, place, rest, make_two(PRODUCT, NULL, place, distance, clone(distance)));
        square = make_two(SUM, NULL, place, access_to(output, index, place), rest);
    } else {
        add_kernel(output, index, false, "sum", over, square, place);
        square = access_to(output, index, place);
    }
    node *shares = make_node(PRODUCT, place);
    add_term(shares, square, false);
    add_term(shares, clone(total), true);
    add_kernel(output, index, false, NULL, 0, shares, place);
}

/* Computes a maximum, minimum or product in time proportional to the stored entries. If fewer coordinates were visited
   than exist, a second kernel combines the result once with the value of the others. Returns false, and adds no kernel,
   if that is impossible. */
static bool reduce_stored(int output, const char *index, bool accumulate, const char *reduction, letters over, node *body,
                          spot place)
{
    const value_kind kind = kind_of(body, tensor_at(output)->kind);
    const bool sparse = is_sparse(output);
    double value;
    step trial = {.output = output};
    if (!over || the.semiring || lowering.left || reads_tensor(body, output) || has_repeated_index(body) ||
        is_complex(kind) || !has_dimensions(body, over) || region_beside(&trial, body, &value)->kind == EVERYWHERE ||
        !is_number_of(value, body, kind))
        return false;
    const bool zero = !(value < 0) && !(value > 0) && value == value;
    node *all = taken_in(reduction, access_to(output, index, place), value);
    if ((same(reduction, "prod") && all && !zero) || (sparse && (accumulate || !all || !zero))) return false;
    const int count = all ? add_beside(print("%s_count", tensor_at(output)->name), output, index, U64, place) : -1;
    for (int n = output; n >= 0; n = n == count || !sparse ? -1 : count) {
        step *k = &the.step[add_step(KERNEL, n, place)];
        const bool counts = n == count;
        strcpy(k->index, index);
        k->result.reduction = counts ? NULL : reduction;
        k->result.accumulate = counts;
        k->over = over;
        k->body = body;
        k->region = tree_of(k, read_once(region_beside(k, body, &value)));
        if (counts) k->body = make_literal("1", place);
        k->result.initial = counts ? "0" : initial_of(k, accumulate);
        if (all && !sparse)
            k->result.extra[k->result.extras++] = (struct extra){count, "0", print("%s++", tensor_at(count)->name)};
    }
    if (all) take_in_rest(output, index, count, total_of(body, over), all);
    return true;
}

/* Adds the kernels for output (+)= reduction(over) body. `reduction` is null for a plain sum or assignment. */
static void add_reduced(int output, const char *index, bool accumulate, const char *reduction, letters over, node *body,
                        spot place)
{
    const bool linear = !reduction || same(reduction, "sum");
    if (reduction && finds_index(reduction))
        find_index(output, index, reduction, over, body, place);
    else if (reduction && same(reduction, "variance"))
        add_variance(output, index, over, body, place);
    else if (linear || !reduce_stored(output, index, accumulate, reduction, over, body, place))
        add_kernel(output, index, accumulate, reduction, over, body, place);
}

/* The summands of one kernel as one expression. */
static node *sum_of(const summand *at, unsigned count)
{
    if (count == 1 && !at->negative) return at->body;
    node *n = make_node(SUM, at->body->place);
    for (unsigned k = 0; k < count; k++) add_term(n, at[k].body, at[k].negative);
    return n;
}

static bool same_reduction(const summand *a, const summand *b)
{
    return a->over == b->over && (a->reduction == NULL) == (b->reduction == NULL) &&
           (a->reduction == NULL || same(a->reduction, b->reduction));
}

/* Sorts summands so that those with the same reduction stand together; those without a reduction come first. Returns the
   number of groups. */
static unsigned group_summands(summands *s)
{
    summands sorted = {0};
    bool done[sizeof s->at / sizeof *s->at] = {false};
    unsigned groups = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned k = 0; k < s->count; k++) {
            if (done[k] || (pass == 0 && s->at[k].reduction)) continue;
            groups++;
            for (unsigned m = k; m < s->count; m++)
                if (!done[m] && same_reduction(&s->at[k], &s->at[m])) sorted.at[sorted.count++] = s->at[m], done[m] = true;
        }
    *s = sorted;
    return groups;
}

/* Handles an output that is read on the right. y = y + b becomes y += b; any other use changes the output element by
   element before the sums are added. Returns true if the output is read. */
static bool take_out_output(summands *s, int output, const char *index, bool accumulate, spot place)
{
    unsigned plain = s->count, readers = 0;
    for (unsigned k = 0; k < s->count; k++) {
        if (!reads_tensor(s->at[k].body, output)) continue;
        readers++;
        const node *b = s->at[k].body;
        if (b->kind == ACCESS && !s->at[k].negative && !s->at[k].reduction && same(b->index, index)) plain = k;
    }
    if (readers == 0) return false;
    tensor_at(output)->updated = true;
    if (readers == 1 && plain < s->count && !is_sparse(output) && s->count > 1 && !accumulate) {
        memmove(&s->at[plain], &s->at[plain + 1], (--s->count - plain) * sizeof *s->at);
        return true;
    }
    for (unsigned k = 0; k < s->count; k++)
        if (s->at[k].reduction && reads_tensor(s->at[k].body, output))
            refuse(place, "%s is on both sides of a reduction; assign to another tensor", tensor_at(output)->name);
    return false;
}

static void check_output_access(const node *n, int output, const char *index)
{
    if (is_access(n) && n->tensor == output &&
        (n->kind == WINDOW || n->sliced || n->affine || (lowering.left && lowering.left->tensor == output) ||
         !same(n->index, index)))
        refuse(n->place, "%s is on both sides with different indices; assign to another tensor", tensor_at(output)->name);
    for (unsigned k = 0; k < n->count; k++) check_output_access(n->term[k].node, output, index);
}

/* Replaces a summand with a reduction by a temporary for it. */
static summand reduced_before(const summand *a, const char *index)
{
    node *n = make_node(REDUCTION, a->body->place);
    n->word = a->reduction;
    n->over = a->over;
    add_term(n, a->body, false);
    return (summand){a->negative, NULL, 0, make_temporary(n, index)};
}

/* True if an expression is zero wherever some sparse tensor in it has no entry. */
static bool is_where_stored(const node *n)
{
    if (n->kind == ACCESS) return is_sparse(n->tensor) && !tensor_at(n->tensor)->encoding.fill;
    for (unsigned k = 0; n->kind == PRODUCT && k < n->count; k++)
        if (!n->term[k].inverse && is_where_stored(n->term[k].node)) return true;
    return false;
}

/* True if an expression reads only tensors of this type, at plain indices, which are all dense if `dense` is set. */
static bool reads_plainly(const node *n, value_kind kind, bool dense)
{
    if (n->kind == WINDOW || n->kind == COORDINATE || n->kind == REDUCTION) return false;
    if (n->kind == ACCESS)
        return !n->sliced && !n->affine && tensor_at(n->tensor)->kind == kind && (!dense || is_everywhere(n->tensor));
    for (unsigned k = 0; k < n->count; k++)
        if (!reads_plainly(n->term[k].node, kind, dense)) return false;
    return true;
}

/* Decides how many summands go into the first kernel of a dense output. If some summands have values everywhere, they are
   moved to the front and form the first kernel. Sparse summands are then added at their entries, which is faster than
   searching them at every element. */
static unsigned dense_before_sparse(summand *at, unsigned count, int output, const char *index)
{
    const value_kind kind = tensor_at(output)->kind;
    summands dense = {0}, sparse = {0};
    letters covered = 0;
    if (at->reduction || is_sparse(output) || lowering.left || kind == BOOL || kind == F16 || kind == BF16) return count;
    for (unsigned k = 0; k < count; k++) {
        const node *n = at[k].body;
        const bool stored = is_where_stored(n);
        if (!reads_plainly(n, kind, !stored) || (stored && reads_tensor(n, output))) return count;
        if (!stored) covered |= free_letters(n);
        summands *to = stored ? &sparse : &dense;
        to->at[to->count++] = at[k];
    }
    if (!sparse.count || covered != letters_of(index)) return count;
    memcpy(at, dense.at, dense.count * sizeof *at);
    memcpy(at + dense.count, sparse.at, sparse.count * sizeof *at);
    return dense.count;
}

/* Lowers output (+)= value to kernels: one for each set of indices that is summed. */
static void lower(int output, const char *index, bool accumulate, node *value, spot place)
{
    summands s = {0};
    check_output_access(value, output, index);
    split(&s, value, false);
    accumulate |= take_out_output(&s, output, index, accumulate, place);
    unsigned groups = group_summands(&s);
    const bool sparse = is_sparse(output);
    for (unsigned k = 0; k < s.count; k++) {
        summand *a = &s.at[k];
        const bool own = a->reduction && is_reduction_of_words(a->reduction); /* these reductions need several kernels */
        const bool linear = a->reduction == NULL || same(a->reduction, "sum"),
                   in_part = lowering.left && lowering.left->tensor == output; /* the rest of the output holds zeros */
        if (own && (sparse || s.count > 1 || a->negative || accumulate || in_part || reads_tensor(a->body, output))) {
            *a = reduced_before(a, index);
            continue;
        }
        if ((linear && (groups == 1 || !sparse)) || (s.count == 1 && (linear || !in_part))) {
            const bool alone = s.count == 1 && linear,
                       diagonal = alone && !a->negative && is_product_with(a->body, has_repeated_index) &&
                                  !(sparse && (a->body->kind == PRODUCT || a->reduction || in_part)),
                       chosen = alone && is_product_with(a->body, is_chosen) && !reads_tensor(a->body, output);
            for (unsigned c = 0; (diagonal || chosen) && c < a->body->count; c++) {
                const node *n = a->body->term[c].node;
                if (a->body->term[c].inverse || !(has_repeated_index(n) ? diagonal : is_chosen(n)))
                    a->body->term[c].node = purified(a->body->term[c].node, index);
            }
            if (!diagonal && !chosen) a->body = purified(a->body, index);
        } else if (a->reduction) {
            *a = reduced_before(a, index);
        } else {
            a->body = purified(a->body, index);
        }
    }
    if (s.count == 1 && accumulate && s.at[0].reduction && !same(s.at[0].reduction, "sum"))
        s.at[0] = reduced_before(&s.at[0], index);
    groups = group_summands(&s);
    for (unsigned from = 0, to; from < s.count; from = to) {
        for (to = from; to < s.count && same_reduction(&s.at[from], &s.at[to]);) to++;
        to = from + dense_before_sparse(&s.at[from], to - from, output, index);
        const summand *a = &s.at[from];
        if (to == from + 1 && a->negative && a->reduction && !same(a->reduction, "sum")) /* such as -max(j) A(i,j) */
            s.at[from] = reduced_before(a, index);
        node *body = sum_of(a, to - from);
        add_reduced(output, index, accumulate || from > 0, a->reduction, a->over, body, place);
    }
}

/* True if a type has the identities of the semiring. An empty sum needs an infinity, which integers lack; truths need 0
   and 1. */
static bool is_for_semiring(value_kind k)
{
    return !is_complex(k) && k < USER && (!is_integer(k) || !same(the.semiring->times, " + "));
}

static void check_semiring_kind(value_kind k, spot place)
{
    if (!is_for_semiring(k))
        refuse(place,
               is_integer(k) ? "%s needs an infinity, which values of type %s do not have"
                             : "%s needs an order, which values of type %s do not have",
               the.semiring->name, kinds[k].type);
}

/* Checks that a semiring statement is a single product, because + between terms would depend on what is stored.
   Comparisons are allowed as masks. */
static void check_semiring(const node *n, bool factor)
{
    static const char *const sentence =
        "with a semiring the right side is a product of tensors, and of masks such as (M(i,j) > 0)";
    bool only_masks = n->kind == PRODUCT && !same(the.semiring->times, " && ");
    if (n->kind == COMPARISON && (factor || !is_mask(n))) return;
    if (n->kind == SUM || n->kind == COMPARISON || n->kind == CALL || n->kind == OPERATION ||
        (n->kind == REDUCTION && !same(n->word, "sum")))
        refuse(n->place, "%s", sentence);
    if (is_access(n)) check_semiring_kind(kind_of_tensor(n->tensor), n->place);
    for (unsigned k = 0; k < n->count; k++) {
        if (n->term[k].inverse) refuse(n->term[k].node->place, "%s", sentence);
        check_semiring(n->term[k].node, n->kind == PRODUCT);
        only_masks = only_masks && is_mask(n->term[k].node);
    }
    if (only_masks) refuse(n->place, "%s", sentence);
}

/* Refuses a sum inside of a mask, because it would use the operations of the semiring. */
static void check_masks(const node *n, bool inside)
{
    if (inside && n->kind == REDUCTION) refuse(n->place, "a mask has no sum inside: give it a statement of its own");
    for (unsigned k = 0; k < n->count; k++) check_masks(n->term[k].node, inside || n->kind == COMPARISON);
}

/* True if an expression is zero wherever sparse tensor `of` has no entry. It can then be assigned to that tensor in
   place. `inside`: it is part of an expression that is known to be zero there, such as the y - 1 of max(y - 1, 0). */
static bool keeps_pattern(const node *n, int of, bool inside)
{
    double zero;
    if (n->kind == ACCESS) return n->tensor == of;
    if (n->kind == PRODUCT) {
        for (unsigned k = 0; k < n->count; k++)
            if (!n->term[k].inverse && keeps_pattern(n->term[k].node, of, inside)) return true;
        return false;
    }
    if (n->kind == OPERATION && (n->word[0] == '&' || n->word[0] == '%'))
        return keeps_pattern(n->term[0].node, of, inside) ||
               (n->word[0] == '&' && keeps_pattern(n->term[1].node, of, inside));
    if (n->kind == SUM || n->kind == CALL || n->kind == COMPARISON || n->kind == OPERATION) {
        if (n->kind != SUM && (!value_of_absence(n, &zero) || zero < 0 || zero > 0 || zero != zero)) return false;
        inside = inside || n->kind != SUM;
        for (unsigned k = 0; k < n->count; k++)
            if (!(inside && n->term[k].node->kind == LITERAL) && !keeps_pattern(n->term[k].node, of, inside)) return false;
        return n->count > 0 && (n->kind != SUM || reads_tensor(n, of));
    }
    return false;
}

/* True if an expression reads a sparse tensor whose levels differ from the levels of the output, because of blocks,
   slices or diagonals. */
static bool reads_other_levels(const node *n, int output)
{
    if (n->kind == ACCESS && n->tensor != output &&
        (n->sliced || n->affine || /* these are made of whole dimensions */
         (is_sparse(n->tensor) && !same_levels(&tensor_at(n->tensor)->encoding, &tensor_at(output)->encoding))))
        return !is_permutation(&tensor_at(output)->encoding);
    for (unsigned k = 0; k < n->count; k++)
        if (reads_other_levels(n->term[k].node, output)) return true;
    return false;
}

/* True if an expression reads the output at other coordinates than the assigned one. */
static bool reads_elsewhere(const node *n, int output, const char *index)
{
    if (n->kind == ACCESS && n->tensor == output && (n->sliced || n->affine || !same(n->index, index))) return true;
    for (unsigned k = 0; k < n->count; k++)
        if (reads_elsewhere(n->term[k].node, output, index)) return true;
    return false;
}

static bool has_reduction(const node *n)
{
    for (unsigned k = 0; k < n->count; k++)
        if (has_reduction(n->term[k].node)) return true;
    return n->kind == REDUCTION;
}

static node *access_to(int n, const char *index, spot place)
{
    node *access = make_node(ACCESS, place);
    access->tensor = n;
    access->word = tensor_at(n)->name;
    strcpy(access->index, index);
    return access;
}

/* Combines the old value and the new value: their sum, or the operation of the statement. */
static node *joined(const statement *s, node *there, node *value)
{
    node *n = make_node(!s->reduction ? SUM : same(s->reduction, "prod") ? PRODUCT : CALL, s->place);
    n->word = s->reduction;
    add_term(n, there, false);
    add_term(n, value, false);
    return n;
}

/* Lowers output = value, or a statement such as y(i) max= value, to one kernel. */
static void lower_reduction(const statement *s, int output, bool accumulate, node *value)
{
    const bool inside = value->kind == REDUCTION && same(value->word, s->reduction);
    if (inside && lowering.left) { /* the reduction is computed first, in time proportional to the stored entries */
        value = make_temporary(value, s->index);
        add_kernel(output, s->index, accumulate, s->reduction, 0, value, s->place);
        return;
    }
    node *body = purified(inside ? value->term[0].node : value, s->index);
    add_reduced(output, s->index, accumulate, s->reduction, inside ? value->over : 0, body, s->place);
}

/* Assigns a value that reads the output itself: computes it into a new tensor first. */
static void lower_apart(int output, const char *index, bool accumulate, node *value, spot place)
{
    tensor_at(output)->updated = true;
    const int n = add_tensor(fresh_name(print("%s_new", tensor_at(output)->name)), TEMPORARY, place);
    tensor *t = tensor_at(n);
    const tensor *out = tensor_at(output);
    t->rank = out->rank, t->kind = out->kind, t->encoding = out->encoding;
    strcpy(t->index, index);
    put(&the.notes, "%s holds the new values of %s, whose old values are read\n", t->name, out->name);
    lower(n, index, false, value, place);
    if (is_sparse(output))
        the.step[add_step(CONVERSION, output, place)].source = n;
    else
        lower(output, index, accumulate, access_to(n, index, place), place);
}

/* Assigns to a part of a tensor that the value reads too: the value is computed first. If a sparse tensor is added to,
   the part becomes a tensor of the full size and is added. Where the part stores nothing, a product, maximum or minimum
   keeps the old value. */
static void lower_part(const statement *s, node *value)
{
    tensor_at(s->output)->updated = true;
    if (reads_tensor(value, s->output)) value = make_temporary(value, s->index);
    if (!is_sparse(s->output) && s->reduction) {
        lower_reduction(s, s->output, true, value);
        return;
    }
    if (!is_sparse(s->output) || !s->accumulate) {
        lower(s->output, s->index, s->accumulate, value, s->place);
        return;
    }
    const int n = add_tensor(fresh_name(print("%s_part", tensor_at(s->output)->name)), TEMPORARY, s->place);
    tensor *t = tensor_at(n);
    const tensor *out = tensor_at(s->output);
    t->rank = out->rank, t->kind = out->kind, t->encoding = out->encoding, t->part_of = 1 + s->output;
    memcpy(t->windowed, out->windowed, sizeof t->windowed);
    node *left = make_node(ACCESS, s->left->place);
    *left = *s->left;
    left->tensor = n;
    lowering.left = left;
    for (unsigned d = 0; d < t->rank; d++)
        t->index[d] = out->windowed[d] || set_of(out->index[d]) ? last_letter(s->place) : out->index[d];
    put(&the.notes,
        s->reduction ? "%s holds the part, which is combined with %s\n" : "%s holds the part, which is added to %s\n",
        t->name, out->name);
    if (s->reduction)
        lower_reduction(s, n, false, value);
    else
        lower(n, s->index, false, value, s->place);
    lowering.left = NULL;
    node *whole = access_to(s->output, t->index, s->place), *all = joined(s, whole, access_to(n, t->index, s->place));
    if (s->reduction) {
        node *asked = access_to(n, t->index, s->place);
        asked->asked = true;
        all = make_operation("?", s->place, asked, all);
        add_term(all, clone(whole), false);
    }
    lower_apart(s->output, t->index, false, all, s->place);
}

/* True if the sum would be rounded at each step, because the output has fewer bits than the type of the computation. */
static bool rounds_sums(const statement *s, const node *value)
{
    const value_kind kind = computed(tensor_at(s->output)->kind);
    if (has_reduction(value) && kind != tensor_at(s->output)->kind && tensor_at(s->output)->rank && !the.semiring)
        return true; /* a float scalar holds the running sum */
    if (value->kind == REDUCTION && same(value->word, "variance") && is_narrow_sum(value, kind))
        return true; /* the sum is also divided */
    return has_reduction(value) && is_integer(kind) &&
           (!is_integer(lowering.computing) || (kind == BOOL && lowering.computing != BOOL));
}

/* The indices that an expression uses as numbers. */
static letters coordinates_in(const node *n)
{
    letters set = n->kind == COORDINATE ? letter_bit(n->index[0]) : 0;
    for (unsigned k = 0; k < n->count; k++) set |= coordinates_in(n->term[k].node);
    return set;
}

/* Finds a comparison such as j < i or j + 1 <= i between an index of the output and another index; null if there is none. */
static const node *order_in(const node *n, const char *index)
{
    const letters compared = n->kind == COMPARISON && strchr("<>", n->word[0]) ? coordinates_in(n) : 0;
    if (compared & letters_of(index) && compared & ~letters_of(index)) return n;
    const node *found = NULL;
    for (unsigned k = 0; k < n->count && !found; k++) found = order_in(n->term[k].node, index);
    return found;
}

/* Refuses a statement whose right side reads elements of the output that it overwrites. With a factor (j < i), the user
   may have meant a recurrence, which the message explains. */
static void check_order(const statement *s, const node *value)
{
    const node *order = reads_elsewhere(value, s->output, s->index) ? order_in(value, s->index) : NULL;
    if (order)
        refuse(
            order->place,
            "this makes a recurrence of %s, and the right side has its old values: a recurrence has the factor (j < i) or "
            "(j > i) beside %s(j); or assign to another tensor",
            tensor_at(s->output)->name, tensor_at(s->output)->name);
}

/* >>recurrence

   x(i) = (b(i) - L(i,j<i) * x(j)) / L(i,i) reads elements of x that it has just computed: x(j), in a product with the factor
   (j < i). A tensor `known` stands for these elements in the statement; the kernel line writes it as current(...).

   The statement becomes two steps. First x = b assigns what is added to the sum. Then one kernel, with its loops in order,
   subtracts the products, x -= L * x_j where j < i, and divides by the diagonal where j == i.

   This is correct by rows and by columns: a diagonal comes after all additions to its row, and before the rest of its
    column.
   A factor of the whole value, such as 1 / d(i), becomes a factor of b and of each product. */

/* The inner index j of a comparison j < i or j > i with an index i of the output; 0 if the expression is no such
   comparison. */
static char bounded_index(const node *n, const char *index, char *outer, bool *down)
{
    if (n->kind != COMPARISON || (!same(n->word, "<") && !same(n->word, ">"))) return 0;
    const node *a = n->term[0].node, *b = n->term[1].node;
    if (a->kind != COORDINATE || b->kind != COORDINATE) return 0;
    const bool first = strchr(index, b->index[0]) && !strchr(index, a->index[0]),
               second = strchr(index, a->index[0]) && !strchr(index, b->index[0]);
    if (first == second) return 0;
    *outer = first ? b->index[0] : a->index[0];
    *down = first == same(n->word, ">");
    return first ? a->index[0] : b->index[0];
}

/* True if an access has different, plain indices, so that it visits each element of its tensor once. */
static bool is_plain_access(const node *n)
{
    for (unsigned k = 0; n->index[k]; k++)
        if (set_of(n->index[k]) || strchr(n->index + k + 1, n->index[k])) return false;
    return n->kind == ACCESS && !is_at_subscripts(n);
}

/* True for an access to a value at plain indices, not through like() and not to a part of the tensor. */
static bool is_element(const node *n) { return n->kind == ACCESS && !n->asked && !is_at_subscripts(n); }

/* True if an access reads the output with j in place of i. */
static bool is_known(const node *n, const statement *s, char inner, char outer)
{
    if (!is_element(n) || n->tensor != s->output) return false;
    bool alike = strlen(n->index) == strlen(s->index);
    for (unsigned d = 0; alike && s->index[d]; d++) alike = n->index[d] == (s->index[d] == outer ? inner : s->index[d]);
    return alike;
}

/* Makes the tensor that stands for the new elements of the output. */
static int known_elements(const statement *s, spot place)
{
    const tensor *out = tensor_at(s->output);
    const int n = add_tensor(fresh_name(print("%s_%c", out->name, s->recurrence.inner)), WORKSPACE, place);
    tensor *t = tensor_at(n);
    t->rank = out->rank, t->kind = out->kind, t->encoding = out->encoding;
    memcpy(t->index, out->index, sizeof t->index);
    t->known_of = 1 + s->output;
    t->known_in = lowering.current;
    put(&the.notes, "%s is what %s has at %c when it is read, as the loops run in order\n", t->name, out->name,
        s->recurrence.inner);
    return n;
}

/* Finds the new elements of the output that a value reads, and records the recurrence. */
static void find_recurrence(statement *s, node *n)
{
    char inner = 0, outer = 0;
    bool down = false;
    for (unsigned k = 0; k < n->count; k++) find_recurrence(s, n->term[k].node);
    for (unsigned k = 0; n->kind == PRODUCT && k < n->count && !inner; k++)
        if (!n->term[k].inverse) inner = bounded_index(n->term[k].node, s->index, &outer, &down);
    for (unsigned k = 0; inner && k < n->count; k++) {
        node *a = n->term[k].node;
        if (!is_known(a, s, inner, outer)) continue;
        if (!s->recurrence.inner) {
            s->recurrence.inner = inner, s->recurrence.outer = outer, s->recurrence.down = down;
            s->recurrence.known = known_elements(s, a->place);
        } else if (s->recurrence.inner != inner || s->recurrence.outer != outer || s->recurrence.down != down) {
            refuse(a->place, "a recurrence of %s has one condition: its loop runs upwards, or downwards",
                   tensor_at(s->output)->name);
        }
        a->tensor = s->recurrence.known;
        a->word = tensor_at(a->tensor)->name;
    }
}

/* Finds out whether a statement is a recurrence, and refuses recurrences that kernels cannot compute. */
static void settle_recurrence(statement *s)
{
    find_recurrence(s, s->value);
    if (!s->recurrence.inner) return;
    const tensor *out = tensor_at(s->output);
    if (the.semiring) refuse(s->place, "a recurrence is a sum of products, and not over a semiring");
    if (is_sparse(s->output))
        refuse(s->place, "%s is a recurrence, and sparse: its elements are read, so make it dense", out->name);
    if (s->left || s->reduction)
        refuse(s->place, "%s is a recurrence, which is assigned to at its indices, by =, += or -=", out->name);
    if (reads_elsewhere(s->value, s->output, s->index))
        refuse(s->place, "%s is a recurrence, and also read at %s without the condition: assign to another tensor",
               out->name, print("another %c", s->recurrence.outer));
}

/* True if an expression has a value everywhere. */
static bool reads_dense(const node *n)
{
    for (unsigned k = 0; k < n->count; k++)
        if (!reads_dense(n->term[k].node)) return false;
    return !is_access(n) || (!is_sparse(n->tensor) && !is_at_subscripts(n));
}

/* Returns the divisor if it is L(i,i) and L(i,j) is a factor of the products. The entries of L then determine all loops. */
static const node *divisor_in(const statement *s, const node *product, const node *divisor)
{
    if (!is_element(divisor) || divisor->member) return NULL;
    for (unsigned k = 0; k < product->count; k++) {
        const node *a = product->term[k].node;
        if (product->term[k].inverse || !is_element(a) || !is_plain_access(a) || a->tensor != divisor->tensor) continue;
        bool alike = strchr(a->index, s->recurrence.inner) && strchr(a->index, s->recurrence.outer);
        for (unsigned d = 0; a->index[d]; d++)
            alike = alike && divisor->index[d] == (a->index[d] == s->recurrence.inner ? s->recurrence.outer : a->index[d]);
        for (unsigned m = 0; m < product->count; m++) alike = alike && (m == k || reads_dense(product->term[m].node));
        if (alike) return a;
    }
    return NULL;
}

/* A value multiplied by the factors of the whole. */
static node *with_factors(node *n, const node *factors)
{
    if (!factors->count) return n;
    node *all = make_node(PRODUCT, n->place);
    for (unsigned k = 0; n->kind == PRODUCT && k < n->count; k++) add_term(all, n->term[k].node, n->term[k].inverse);
    if (n->kind != PRODUCT) add_term(all, n, false);
    for (unsigned k = 0; k < factors->count; k++) add_term(all, clone(factors->term[k].node), factors->term[k].inverse);
    return all;
}

/* Assigns the part of the sum without new elements to the output, multiplied by the factors of the whole. */
static void lower_beginning(const statement *s, node *rest, const node *factors)
{
    node *n = rest->count == 1 && !rest->term[0].inverse ? rest->term[0].node : rest;
    const bool is_there = n->kind == ACCESS && n->tensor == s->output && !factors->count;
    if (reads_tensor(n, s->output)) tensor_at(s->output)->updated = true;
    if ((is_there && !s->accumulate) || (!rest->count && s->accumulate)) return;
    n = with_factors(rest->count ? n : make_literal("0", s->place), factors);
    if (reads_tensor(n, s->output) && has_reduction(n)) n = make_temporary(n, s->index);
    lower(s->output, s->index, s->accumulate, n, s->place);
}

/* A product of the recurrence without its condition j < i. */
static node *unbounded(const statement *s, const summand *a)
{
    char outer;
    bool down;
    unsigned known = 0;
    node *product = make_node(PRODUCT, a->body->place);
    bool found = false;
    for (unsigned k = 0; a->body->kind == PRODUCT && k < a->body->count; k++) {
        node *n = a->body->term[k].node;
        const bool plain = !a->body->term[k].inverse, is_order = plain && bounded_index(n, s->index, &outer, &down);
        known += plain && n->kind == ACCESS && n->tensor == s->recurrence.known;
        if (!is_order) add_term(product, n, !plain);
        found = found || is_order;
    }
    node *others = clone(product);
    for (unsigned k = 0, kept = 0; k < product->count; k++)
        if (product->term[k].node->kind != ACCESS || product->term[k].node->tensor != s->recurrence.known)
            others->term[kept++] = product->term[k], others->count = kept;
    if (!a->reduction || !same(a->reduction, "sum") || !found || known != 1 || reads_tensor(others, s->output) ||
        (others->count < product->count && reads_tensor(others, s->recurrence.known)))
        refuse(a->body->place, "a recurrence adds up one product, which has %s and the condition as factors",
               tensor_at(s->output)->name);
    return product;
}

/* Divides by the diagonal where j == i. Also counts these divisions, because an element whose diagonal is not stored
   would stay unsolved. */
static void divide_by_diagonal(step *k, const statement *s, const node *divisor)
{
    const int n = add_tensor(fresh_name(print("%s_solved", tensor_at(s->output)->name)), TEMPORARY, s->place);
    tensor_at(n)->kind = U64;
    tensor_at(n)->encoding = dense_encoding(0);
    k->recurrence.divisor = divisor;
    k->recurrence.solved = n;
    k->result.extra[k->result.extras++] = (struct extra){n, "0", NULL};
}

/* Splits the summands into products with new elements and the rest. A sum over j that contains both becomes two sums. */
static void split_known(summands *all, node *rest, node *term, bool inverse, int known)
{
    const bool sums = term->kind == REDUCTION && same(term->word, "sum") && term->term[0].node->kind == SUM;
    if (!sums) split(all, term, inverse);
    for (unsigned k = 0; sums && k < term->term[0].node->count; k++) {
        const struct term *part = &term->term[0].node->term[k];
        node *one = make_node(REDUCTION, term->place);
        one->word = term->word;
        one->over = term->over;
        add_term(one, part->node, false);
        if (reads_tensor(one, known))
            split(all, one, inverse != part->inverse);
        else
            add_term(rest, one, inverse != part->inverse);
    }
}

/* -((b - product) / d), which -= assigns, as (b - product) / d * -1. */
static node *with_sign_as_factor(node *value)
{
    const bool negative = value->kind == SUM && value->count == 1 && value->term[0].inverse;
    node *const n = negative ? value->term[0].node : NULL, *const minus = make_node(PRODUCT, value->place);
    bool sums = n && n->kind == SUM;
    for (unsigned k = 0; n && n->kind == PRODUCT && k < n->count; k++) sums = sums || n->term[k].node->kind == SUM;
    if (!sums) return value;
    add_term(minus, literal_of(-1, value->place), false);
    return with_factors(n, minus);
}

static void lower_recurrence(const statement *s, node *value)
{
    value = with_sign_as_factor(value);
    const int known = s->recurrence.known;
    node *sum = value, *factors = make_node(PRODUCT, value->place), *rest = make_node(SUM, value->place);
    for (unsigned k = 0; value->kind == PRODUCT && k < value->count; k++)
        if (!value->term[k].inverse && value->term[k].node->kind == SUM && reads_tensor(value->term[k].node, known))
            sum = value->term[k].node;
    for (unsigned k = 0; sum != value && k < value->count; k++)
        if (value->term[k].node != sum) add_term(factors, value->term[k].node, value->term[k].inverse);
    summands all = {0};
    for (unsigned k = 0; k < (sum->kind == SUM ? sum->count : 1); k++) {
        node *term = sum->kind == SUM ? sum->term[k].node : sum;
        const bool inverse = sum->kind == SUM && sum->term[k].inverse;
        if (reads_tensor(term, known))
            split_known(&all, rest, term, inverse, known);
        else
            add_term(rest, term, inverse);
    }
    if (all.count != 1 || reads_tensor(factors, known) || reads_tensor(factors, s->output))
        refuse(s->place,
               "%s is a recurrence, which has the form (b - product) / d: give other parts statements of their own",
               tensor_at(s->output)->name);
    node *product = unbounded(s, &all.at[0]);
    const node *divisor = NULL;
    const bool alone = all.at[0].over == letter_bit(s->recurrence.inner) && !s->accumulate;
    for (unsigned k = 0; k < factors->count && alone && !divisor; k++) {
        bool dense = factors->term[k].inverse;
        for (unsigned m = 0; m < factors->count; m++) dense = dense && (m == k || reads_dense(factors->term[m].node));
        divisor = dense ? divisor_in(s, product, factors->term[k].node) : NULL;
        if (divisor) factors->term[k] = factors->term[--factors->count];
    }
    lower_beginning(s, rest, factors);
    node *body = purified(with_factors(product, factors), s->index);
    step *k = add_kernel(s->output, s->index, true, "sum", all.at[0].over,
                         all.at[0].negative ? negated(body, body->place) : body, s->place);
    k->recurrence.inner = s->recurrence.inner, k->recurrence.outer = s->recurrence.outer;
    k->recurrence.down = s->recurrence.down;
    if (divisor) divide_by_diagonal(k, s, divisor);
}

/* Lowers output (+)= value. Uses a temporary if the statement would overwrite elements that it still reads, or would
   change the output's pattern. */
static void lower_into(const statement *s, node *value)
{
    if (s->recurrence.inner) {
        if (rounds_sums(s, value))
            refuse(s->place, "%s is a recurrence, which is added up in values of type %s: choose a wider one",
                   tensor_at(s->output)->name, kinds[tensor_at(s->output)->kind].type);
        lower_recurrence(s, value);
        return;
    }
    check_order(s, value);
    if (rounds_sums(s, value)) {
        tensor_at(s->output)->updated |= reads_tensor(value, s->output);
        lowering.widens = !is_sparse(s->output);
        value = make_temporary(value, s->index);
    }
    const bool sparse = is_sparse(s->output), reads = reads_tensor(value, s->output);
    bool accumulate = s->accumulate;
    bool apart = reads_elsewhere(value, s->output, s->index) || (sparse && reads && has_reduction(value));
    for (unsigned k = 0; k < (value->kind == SUM ? value->count : 1); k++) {
        const node *term = value->kind == SUM ? value->term[k].node : value;
        apart = apart || (reads_tensor(term, s->output) && has_reduction(term));
    }
    if (sparse && accumulate && the.semiring)
        refuse(s->place, "%s is on both sides; with a semiring assign to another tensor", tensor_at(s->output)->name);
    if (s->left && (reads || (sparse && accumulate))) {
        lower_part(s, value);
        return;
    }
    if (sparse && accumulate) {
        if (s->reduction && lowering.computing <= U16 && !is_access(value))
            value = make_temporary(value, s->index); /* rounded as if stored */
        value = joined(s, access_to(s->output, s->index, s->place), value);
        accumulate = false;
    } else if (s->reduction) {
        lower_part(s, value);
        return;
    }
    const bool changes = sparse && (reads || s->accumulate) &&
                         (!keeps_pattern(value, s->output, false) || has_reduction(value) ||
                          reads_other_levels(value, s->output) || !is_for_kernels(&tensor_at(s->output)->encoding));
    if (the.semiring || !(apart || changes)) {
        lower(s->output, s->index, accumulate, value, s->place);
        return;
    }
    lower_apart(s->output, s->index, accumulate, value, s->place);
}

/* Refuses = if several iterations can write the same element; += is needed there. */
static void check_left(const statement *s)
{
    if (!s->left) return;
    const char *word = s->value->kind == REDUCTION && !s->reduction ? s->value->word : "sum";
    if (meet(s->left) && !same(word, "sum"))
        refuse(s->left->place,
               "several values for one element are added up, and cannot be combined by %s: write %s= for that", word,
               same(word, "prod") ? "*" : word);
}

/* True if the first statement with the tensor assigns it and a later one reads it. */
static bool is_assigned_first(int n)
{
    bool assigned = false;
    for (int s = 0; s < the.statements; s++) {
        const statement *a = &the.statement[s];
        if (statement_reads(a, n)) return assigned && a->output != n;
        if (a->output == n && a->accumulate && !assigned) return false;
        assigned = assigned || a->output == n;
    }
    return false;
}

/* Gives a tensor that statements pass to later ones a complex type if a complex value is assigned to it, unless an option
   gives its type. */
static void settle_kinds(void)
{
    for (int s = 0; s < the.statements; s++) {
        const statement *a = &the.statement[s];
        tensor *t = tensor_at(a->output);
        if (is_complex(t->kind) || t->has_kind || !has_complex_values(a->value) || !is_assigned_first(a->output)) continue;
        t->kind = kind_of(a->value, t->kind);
        put(&the.notes, "%s is of type %s, as what is assigned to it is complex\n", t->name, kinds[t->kind].type);
        s = -1; /* starts again, because other tensors may depend on this one */
    }
}

/* Writes the assignment sign: =, +=, *=, max= or min=. */
static const char *assignment_of(bool accumulate, const char *reduction)
{
    return !accumulate ? "=" : !reduction ? "+=" : same(reduction, "prod") ? "*=" : print("%s=", reduction);
}

/* Checks the use of index sets. They are dense vectors of integers, and the tensors that they index must have the fill
   value zero. */
static void check_sets(const node *n, int output)
{
    for (const char *i = is_access(n) ? n->index : ""; *i; i++) {
        if (!set_of(*i)) continue;
        const tensor *a = tensor_at(n->tensor), *set = tensor_at(find_tensor(set_of(*i)));
        if (a->windowed[alphabet.chosen[*i - 'a'].dim] || a->encoding.fill)
            refuse(n->place, "%s has a fill value, or is read at sums of indices: no index set chooses from it", a->name);
        if (!is_dense(&set->encoding) || !is_permutation(&set->encoding) || set->encoding.constant ||
            !is_integer(set->kind) || set->kind == BOOL || set->window.source)
            refuse(n->place,
                   "%s, which tells places of %s, is not what an index set is: a dense vector of integers, read at indices",
                   set->name, a->name);
        if (find_tensor(set->name) == output) refuse(n->place, "%s is assigned to, and tells places", set->name);
    }
    for (unsigned k = 0; k < n->count; k++) check_sets(n->term[k].node, output);
}

/* The only step that computes a tensor, if that step stores each entry once; null otherwise. */
static step *only_step(int n)
{
    step *found_step = NULL;
    for (int m = 0; m < the.steps; m++) {
        step *k = &the.step[m];
        if (k->output != n) continue;
        if (found_step || k->kind != KERNEL || k->result.accumulate || k->result.reduction || k->result.updates ||
            k->result.left || has_diagonal(k))
            return NULL;
        found_step = k;
    }
    return found_step;
}

/* Keeps zeros out of a sparse result. The kernel that makes it drops them, or, if entries are added up, a further kernel
   copies the rest. */
static void drop_zeros_of(int n)
{
    const tensor *out = tensor_at(n);
    step *k = only_step(n);
    if (!k) {
        const int kept = add_tensor(fresh_name(print("%s_kept", out->name)), TEMPORARY, out->place);
        tensor *t = tensor_at(kept);
        char index[MAX_RANK + 1] = {0};
        for (unsigned d = 0; d < out->rank; d++)
            index[d] = out->windowed[d] || set_of(out->index[d]) ? last_letter(out->place) : out->index[d];
        t->rank = out->rank, t->kind = out->kind, t->encoding = out->encoding;
        strcpy(t->index, index);
        put(&the.notes, "%s is %s without its zeros\n", t->name, out->name);
        add_kernel(kept, index, false, NULL, 0, access_to(n, index, out->place), out->place);
        k = &the.step[the.steps - 1];
        the.step[add_step(CONVERSION, n, out->place)].source = kept;
    }
    k->result.like = 0;
    k->result.drops_zeros = true;
}

static void drop_zeros(void)
{
    if (the.semiring && !same(the.semiring->identity, "0"))
        refuse(nowhere, "--drop-zeros: in %s 0 is not the same as nothing", the.semiring->name);
    bool any = false;
    for (int n = 0; n < the.tensors; n++) any = any || (tensor_at(n)->role == OUTPUT && is_sparse(n));
    if (!any) refuse(nowhere, "--drop-zeros: no result is sparse");
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == OUTPUT && is_sparse(n)) drop_zeros_of(n);
}

/* Finds an expression of the statements in which tensors have these indices as plain subscripts, for count(i,j). */
static const node *sized_by(const node *n)
{
    for (int s = 0; s < the.statements; s++)
        if (has_dimensions(the.statement[s].value, n->over)) return the.statement[s].value;
    refuse(n->place, "no expression has tensors that tell the size of %s", letters_with_commas(n->over));
}

/* Rewrites reductions that are defined by others: count(j) x becomes sum(j) (x != 0). */
static node *with_words_resolved(node *n)
{
    for (unsigned k = 0; k < n->count; k++) n->term[k].node = with_words_resolved(n->term[k].node);
    if (n->kind != REDUCTION || is_reduction(n->word)) return n;
    const char *const word = n->word;
    if (same(word, "count") && !(n->over & free_letters(n->term[0].node)))
        return access_to(total_of(sized_by(n), n->over), "", n->place);
    node *inner = n->term[0].node, *absolute = make_node(CALL, n->place), *root = make_node(CALL, n->place);
    if (same(word, "norm")) {
        absolute->word = "abs";
        add_term(absolute, inner, false);
        n->word = "sum";
        n->term[0].node = make_two(PRODUCT, NULL, n->place, absolute, clone(absolute));
        root->word = "sqrt";
        add_term(root, n, false);
        return root;
    }
    if ((same(word, "mean") || same(word, "variance")) && !has_dimensions(inner, n->over))
        refuse(n->place, "the %s divides by the size of %s, which no tensor in it has as a subscript by itself", word,
               letters_with_commas(n->over));
    if (same(word, "mean")) {
        n->word = "sum";
        node *share = make_node(PRODUCT, n->place);
        add_term(share, n, false);
        add_term(share, access_to(total_of(inner, n->over), "", n->place), true);
        share->grouped = true;
        return share;
    }
    if (!same(word, "count") && !same(word, "any") && !same(word, "all")) return n;
    if (inner->kind != COMPARISON && !(inner->kind == OPERATION && strchr("&|!", inner->word[0])))
        n->term[0].node = make_two(COMPARISON, "!=", n->place, inner, make_literal("0", n->place));
    n->word = same(word, "count") ? "sum" : same(word, "any") ? "max" : "min";
    return same(word, "count") ? n /* an empty any is false, and an empty all is true */
                               : make_two(CALL, n->word, n->place, n, make_literal(same(word, "any") ? "0" : "1", n->place));
}

static void lower_statement(statement *s)
{

    check_sets(s->value, s->output);
    if (s->left) check_sets(s->left, s->output);
    if (the.semiring) {
        check_semiring(s->value, false);
        check_semiring_kind(computed(tensor_at(s->output)->kind), s->place);
    }
    tensor *out = tensor_at(s->output);
    text left = {0};
    put(&left, "%s", out->name);
    if (s->left)
        spell_place(&left, s->left, "", -1);
    else
        spell_subscripts(&left, s->index);
    s->text = print("%s %s %s", left.at, assignment_of(s->accumulate, s->reduction), describe(s->value));
    lowering.current = (int)(s - the.statement);
    for (int before = 0; before < lowering.current && !out->assigned; before++)
        if (statement_reads(&the.statement[before], s->output)) out->updated = true;
    if (s->accumulate && !out->assigned) out->updated = true;
    if (out->kind >= USER) refuse(s->place, "values of type %s are read, not assigned", kinds[out->kind].type);
    if (out->encoding.constant || out->encoding.fill)
        refuse(s->place, "%s is assigned to: what is stored is not a constant, and the rest is zero", out->name);
    if (!is_complex(out->kind) && has_complex_values(s->value))
        refuse(s->value->place, "this is complex, and %s is not: take real() or abs() of it, or say -t %s=c128", out->name,
               out->name);
    if (the.semiring && s->reduction) refuse(s->place, "with a semiring %s is assigned by = or +=", out->name);
    if (the.semiring) check_semiring(s->value, false);
    lowering.computing = kind_of(s->value, out->kind);
    place_reductions(s);
    s->value = with_words_resolved(s->value);
    lowering.computing = kind_of(s->value, out->kind); /* the sums may need a wider type now */
    if (the.semiring) check_masks(s->value, false);
    check_reductions(s->value, letters_of(s->index));
    settle_recurrence(s);
    check_left(s);
    lowering.left = s->left;
    if (!s->shadow) lower_into(s, clone(s->value));
    lowering.left = NULL;
    out->assigned = true;
}

/* >>derive

   --derive A,x replaces the statements by those for their vector-Jacobian products. For a result y, dy is the derivative of
   some number with respect to each element of y; the new statements compute dA and dx, the derivatives of the same number
   with respect to the elements of A and x.

   The statements are processed from last to first, and each expression from the outside in. A term of a sum passes its seed
   on, a factor multiplies the seed by the other factors, a function by its derivative. The result is text, which is then
   parsed like any other statement. */

typedef struct derivation {
    text forward, backward;   /* the statements as text */
    bool needed[MAX_TENSORS]; /* does the tensor depend on one that --derive names, or is it named itself? */
    bool wanted[MAX_TENSORS]; /* does --derive name it? */
    bool begun[MAX_TENSORS];  /* does a statement already assign its derivative? */
    unsigned values;          /* the number of subexpressions that have names */
    const char *value[MAX_STATEMENTS], *name[MAX_STATEMENTS];
} derivation;

/* The factor that multiplies the derivative of an expression: a product as text, its indices, and the further indices
   that are summed. */
typedef struct seed {
    const char *text;
    letters free, over;
    bool negative;
} seed;

static bool depends(const derivation *d, const node *n)
{
    if (is_access(n)) return !n->asked && d->needed[n->tensor];
    for (unsigned k = 0; k < n->count; k++)
        if (depends(d, n->term[k].node)) return true;
    return false;
}

/* An expression in index notation, in parentheses if a product needs them. */
static const char *as_factor(const node *n)
{
    text t = {0};
    spell(&t, &(speller){.style = NOTATION}, n, ATOM);
    return t.at;
}

/* Multiplies a seed by a factor with these indices; divides it if `inverse`. */
static seed scaled(seed s, const char *factor, letters free, bool inverse)
{
    s.text = same(factor, "1")               ? s.text
             : same(s.text, "1") && !inverse ? factor
                                             : print("%s %c %s", s.text, "*/"[inverse], factor);
    s.free |= free;
    return s;
}

/* Returns a name for an expression with these indices, V1(i). An expression that already has a name keeps it. */
static const char *named_value(derivation *d, const char *said, letters free, spot place)
{
    const char *const index = free ? print("(%s)", letters_with_commas(free)) : "";
    for (unsigned k = 0; k < d->values; k++)
        if (same(d->value[k], said)) return print("%s%s", d->name[k], index);
    if (d->values == MAX_STATEMENTS) refuse(place, "there are more than %d statements", MAX_STATEMENTS);
    const char *name = "";
    for (unsigned n = d->values + 1; !*name || find_tensor(name) >= 0 || is_reserved(name); n++) name = print("V%u", n);
    d->value[d->values] = said;
    d->name[d->values++] = name;
    put(&d->forward, "%s%s = %s; ", name, index, said);
    return print("%s%s", name, index);
}

/* Replaces the sums and other reductions in an expression by names. */
static node *value_of(derivation *d, const node *n)
{
    node *copy = make_node(n->kind, n->place);
    *copy = *n;
    copy->term = NULL, copy->count = 0;
    for (unsigned k = 0; k < n->count; k++) add_term(copy, value_of(d, n->term[k].node), n->term[k].inverse);
    return n->kind == REDUCTION ? make_literal(named_value(d, describe(copy), free_letters(n), n->place), n->place) : copy;
}

/* The derivatives of functions with respect to their arguments u and v. */
static const struct slope {
    const char *name, *first, *second;
} slopes[] = {
    {"abs", "((u > 0) - (u < 0))", NULL},
    {"fabs", "((u > 0) - (u < 0))", NULL},
    {"sqrt", "0.5 / sqrt(u)", NULL},
    {"cbrt", "1 / (3 * cbrt(u) * cbrt(u))", NULL},
    {"exp", "exp(u)", NULL},
    {"exp2", "0.69314718055994531 * exp2(u)", NULL},
    {"expm1", "exp(u)", NULL},
    {"log", "1 / u", NULL},
    {"log2", "1.4426950408889634 / u", NULL},
    {"log10", "0.43429448190325183 / u", NULL},
    {"log1p", "1 / (1 + u)", NULL},
    {"sin", "cos(u)", NULL},
    {"cos", "(-sin(u))", NULL},
    {"tan", "(1 + tan(u) * tan(u))", NULL},
    {"asin", "1 / sqrt(1 - u * u)", NULL},
    {"acos", "(-1) / sqrt(1 - u * u)", NULL},
    {"atan", "1 / (1 + u * u)", NULL},
    {"sinh", "cosh(u)", NULL},
    {"cosh", "sinh(u)", NULL},
    {"tanh", "(1 - tanh(u) * tanh(u))", NULL},
    {"asinh", "1 / sqrt(1 + u * u)", NULL},
    {"acosh", "1 / sqrt(u * u - 1)", NULL},
    {"atanh", "1 / (1 - u * u)", NULL},
    {"erf", "1.1283791670955126 * exp(-u * u)", NULL},
    {"erfc", "(-1.1283791670955126) * exp(-u * u)", NULL},
    {"floor", "0", NULL},
    {"ceil", "0", NULL},
    {"round", "0", NULL},
    {"trunc", "0", NULL},
    {"pow", "v * pow(u, v - 1)", "pow(u, v) * log(u)"},
    {"max", "(u >= v)", "(u < v)"},
    {"fmax", "(u >= v)", "(u < v)"},
    {"min", "(u <= v)", "(u > v)"},
    {"fmin", "(u <= v)", "(u > v)"},
    {"atan2", "v / (u * u + v * v)", "(-u) / (u * u + v * v)"},
    {"hypot", "u / hypot(u, v)", "v / hypot(u, v)"},
    {"fmod", "1", NULL},
    {"fdim", "(u > v)", "(-(u > v))"},
};

/* Substitutes expressions for u and v in a text. */
static const char *with_arguments(const char *slope, const char *u, const char *v)
{
    text t = {0};
    for (const char *at = slope; *at; at++) {
        const bool alone = !isalnum((unsigned char)at[1]) && (at == slope || !isalnum((unsigned char)at[-1]));
        if (alone && (*at == 'u' || *at == 'v'))
            put(&t, "%s", *at == 'u' ? u : v);
        else
            put(&t, "%c", *at);
    }
    return t.at;
}

/* The derivative of a call with respect to one argument, as factors. */
static const char *slope_of(derivation *d, const node *n, unsigned argument_number)
{
    const node *const copy = value_of(d, n);
    const unsigned number = argument_number + 1;
    if (is_defined_by_user(n->word)) {
        const char *name = print("%s_d%u", n->word, number);
        if (!is_defined_by_user(name))
            refuse(n->place, "the derivative of %s by argument %u is a function %s of the same arguments: --define it",
                   n->word, number, name);
        node *call = make_node(CALL, n->place);
        *call = *copy;
        call->word = name;
        return describe(call);
    }
    const char *const u = as_factor(copy->term[0].node), *const v = n->count > 1 ? as_factor(copy->term[1].node) : "";
    for (unsigned f = 0; f < sizeof slopes / sizeof *slopes; f++) {
        const char *const slope = argument_number ? slopes[f].second : slopes[f].first;
        if (same(slopes[f].name, n->word) && slope) return with_arguments(slope, u, v);
    }
    refuse(n->place, "the derivative of %s by argument %u is not known here", n->word, number);
}

/* Returns `rank` letters that no statement uses, after "(" and separated by commas. */
static const char *unused_letters(unsigned rank)
{
    text t = {0};
    char i = 'a';
    for (unsigned k = 0; k < rank; k++, i++) {
        while (i <= 'z' && (alphabet.single & letter_bit(i))) i++;
        if (i > 'z') refuse(nowhere, "no letter is left for an index");
        put(&t, "%s%c", k ? "," : "(", i);
    }
    if (rank) put(&t, ")");
    return t.at ? t.at : "";
}

/* Assigns zero to a derivative, at the subscripts of an access, or everywhere if these are index sets or equal. The value is
   written as a comparison, which is false where nothing is stored; 0 * NaN would be NaN. */
static void begin_derivative(derivation *d, const node *access)
{
    const tensor *const t = tensor_at(access->tensor);
    node *const place = make_node(access->kind, access->place);
    *place = *access;
    place->asked = false;
    const bool whole = !is_plain_access(access) && access->kind == ACCESS;
    const char *const said = whole ? print("%s%s", t->name, unused_letters(t->rank)) : describe(place);
    put(&d->backward, "d%s = 0 * (%s != 0); ", said, said);
    d->begun[access->tensor] = true;
}

/* Adds the statement for a tensor at one of its accesses: the seed, summed over all indices that the access lacks. */
static void contribute(derivation *d, const node *n, seed s)
{
    const tensor *t = tensor_at(n->tensor);
    if (n->member) refuse(n->place, "the derivative by a member of a struct is not known here");
    const letters own = known_letters(n->index), over = (s.free | s.over) & ~own, counted = over & ~s.free;
    if (counted) s = scaled(s, print("count(%s)", letters_with_commas(counted)), 0, false);
    if (!is_plain_access(n) && n->kind == ACCESS && !d->begun[n->tensor]) begin_derivative(d, n);
    node *there = make_node(n->kind, n->place);
    *there = *n;
    there->asked = true;
    const char *const said = describe(n);
    if ((d->wanted[n->tensor] || (own & ~s.free)) && t->rank) s.text = print("%s * %s", describe(there), s.text);
    put(&d->backward, "d%s %s %s", said, d->begun[n->tensor] ? "+=" : "=", s.negative ? "-" : "");
    if (over & s.free)
        put(&d->backward, "sum(%s) (%s); ", letters_with_commas(over & s.free), s.text);
    else
        put(&d->backward, s.negative ? "(%s); " : "%s; ", s.text);
    d->begun[n->tensor] = true;
}

static void push(derivation *d, const node *n, seed s);

/* Passes the seed to the factors of u v / w: u gets v / w, and w gets -u v / (w w). */
static void push_product(derivation *d, const node *n, seed s)
{
    for (unsigned k = 0; k < n->count; k++) {
        seed own = s;
        unsigned before = 0, equal = 0; /* x x x has the derivative 3 x x */
        for (unsigned m = 0; m < n->count; m++) {
            const bool alike =
                !n->term[m].inverse && !n->term[k].inverse && same(as_factor(n->term[m].node), as_factor(n->term[k].node));
            equal += alike;
            before += alike && m < k;
        }
        if (!depends(d, n->term[k].node) || before) continue;
        if (equal > 1) own = scaled(own, print("%u", equal), 0, false);
        for (unsigned pass = 0; pass < 2; pass++) /* quotients come in the second pass */
            for (unsigned m = 0; m < n->count; m++)
                if (n->term[m].inverse == (pass == 1) && (m != k || pass == 1))
                    own = scaled(own, as_factor(value_of(d, n->term[m].node)), free_letters(n->term[m].node), pass == 1);
        if (n->term[k].inverse)
            own = scaled(own, as_factor(value_of(d, n->term[k].node)), 0, true), own.negative = !own.negative;
        push(d, n->term[k].node, own);
    }
}

/* Passes the seed of a maximum or minimum to the first value that equals it. For several indices this is the greatest of
   the greatest values. */
static void push_extreme(derivation *d, const node *n, seed s)
{
    const bool most = same(n->word, "max");
    letters rest = n->over;
    const char *said = as_factor(value_of(d, n->term[0].node));
    letters free = free_letters(n->term[0].node);
    for (char i = 'z'; i >= 'a'; i--) {
        if (!(rest & letter_bit(i))) continue;
        rest &= ~letter_bit(i);
        const letters left = free & ~letter_bit(i);
        const char *at = named_value(d, print("arg%s(%c) %s", n->word, i, said), left, n->place);
        s = scaled(s, print("(%c == %s)", i, at), left | letter_bit(i), false);
        if (rest) said = named_value(d, print("%s(%c) %s", most ? "max" : "min", i, said), left, n->place);
        free = left;
    }
    push(d, n->term[0].node, s);
}

/* Passes the seed of a product reduction: each value gets the product of all other values. If one value is 0, only that
   value gets the product of the rest. */
static void push_factors(derivation *d, const node *n, seed s)
{
    const char *const u = as_factor(value_of(d, n->term[0].node)), *const over = letters_with_commas(n->over);
    const letters free = free_letters(n);
    const char *const zeros = named_value(d, print("sum(%s) (%s == 0)", over, u), free, n->place);
    const char *const others = named_value(d, print("prod(%s) (%s == 0 ? 1 : %s)", over, u, u), free, n->place);
    s = scaled(s, print("((%s == 0) + (%s == 1) * (%s == 0))", zeros, zeros, u), free_letters(n->term[0].node), false);
    s = scaled(s, others, 0, false);
    push(d, n->term[0].node, scaled(s, print("(%s == 0 ? 1 : %s)", u, u), 0, true));
}

/* Passes the seed of a reduction to its argument. */
static void push_reduction(derivation *d, const node *n, seed s)
{
    const node *const inner = n->term[0].node;
    const letters free = free_letters(inner);
    const char *const count = print("count(%s)", letters_with_commas(n->over));
    s.over |= n->over;
    if (same(n->word, "max") || same(n->word, "min")) {
        push_extreme(d, n, s);
        return;
    }
    if (same(n->word, "prod")) {
        push_factors(d, n, s);
        return;
    }
    if (same(n->word, "mean") || same(n->word, "variance")) s = scaled(s, count, 0, true);
    if (same(n->word, "variance")) {
        const char *const u = as_factor(value_of(d, inner)), *const over = letters_with_commas(n->over);
        const char *const mean = named_value(d, print("mean(%s) %s", over, u), free_letters(n), n->place);
        s = scaled(s, print("2 * (%s - %s)", u, mean), free, false);
    }
    if (same(n->word, "norm")) {
        s = scaled(s, as_factor(value_of(d, inner)), free, false);
        s = scaled(s, as_factor(value_of(d, n)), 0, true);
    }
    if (is_in(" sum mean variance norm ", n->word)) push(d, inner, s);
}

/* Passes the seed of an expression to the tensors in it. */
static void push(derivation *d, const node *n, seed s)
{
    if (!depends(d, n)) return;
    if (is_access(n)) contribute(d, n, s);
    if (n->kind == PRODUCT) push_product(d, n, s);
    if (n->kind == REDUCTION) push_reduction(d, n, s);
    for (unsigned k = 0; n->kind == SUM && k < n->count; k++) {
        seed own = s;
        own.negative = s.negative != n->term[k].inverse;
        push(d, n->term[k].node, own);
    }
    for (unsigned k = 0; n->kind == CALL && k < n->count; k++)
        if (depends(d, n->term[k].node)) push(d, n->term[k].node, scaled(s, slope_of(d, n, k), free_letters(n), false));
    if (n->kind != OPERATION) return;
    if (n->word[0] == '%' && depends(d, n->term[1].node))
        refuse(n->place, "the derivative of %% by its second argument is not known here");
    if (n->word[0] == '%') push(d, n->term[0].node, s);
    for (unsigned k = 1; n->word[0] == '?' && k < 3; k++) {
        const char *const condition = as_factor(value_of(d, n->term[0].node));
        seed own = scaled(s, print(k == 1 ? "(%s != 0)" : "(%s == 0)", condition), free_letters(n->term[0].node), false);
        push(d, n->term[k].node, own);
    }
}

/* The first access of a tensor in an expression; null if there is none. */
static const node *find_access(const node *n, int t)
{
    if (is_access(n) && n->tensor == t) return n;
    const node *found = NULL;
    for (unsigned k = 0; k < n->count && !found; k++) found = find_access(n->term[k].node, t);
    return found;
}

static const char *left_of(const statement *s)
{
    text t = {0};
    put(&t, "%s", tensor_at(s->output)->name);
    if (s->left)
        spell_place(&t, s->left, "", -1);
    else
        spell_subscripts(&t, s->index);
    return t.at;
}

/* Records which tensors depend on those that --derive names. Refuses statements that overwrite a tensor which an earlier
   statement has read. */
static void find_needed(derivation *d, spot names)
{
    lexer x = lex(names.source);
    do {
        const int n = x.now.kind == NAME ? find_tensor(x.now.text) : -1;
        if (n < 0) refuse(x.now.place, "a tensor of the statements is expected, not %s", found(&x));
        if (tensor_at(n)->role != INPUT)
            refuse(x.now.place, "%s is assigned to: derive by what is only read", tensor_at(n)->name);
        d->needed[n] = d->wanted[n] = true;
        advance(&x);
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, "a comma is expected between the tensors, not %s", found(&x));
    for (int s = 0; s < the.statements; s++) {
        statement *a = &the.statement[s];
        if (a->reduction)
            refuse(a->place, "the derivative of %s= is not known here", same(a->reduction, "prod") ? "*" : a->reduction);
        for (int before = 0; before <= s; before++)
            if (statement_reads(&the.statement[before], a->output))
                refuse(a->place, "%s is assigned after it was read; for derivatives assign to another tensor",
                       tensor_at(a->output)->name);
        place_reductions(a);
        d->needed[a->output] |= depends(d, a->value);
    }
}

/* Returns the statements for the derivatives with respect to a list of tensors. */
static const char *derived_statements(spot names)
{
    static derivation d;
    find_needed(&d, names);
    for (int s = 0; s < the.statements; s++) {
        const statement *a = &the.statement[s];
        bool before = false;
        for (int m = 0; m < s; m++) before = before || the.statement[m].output == a->output;
        put(&d.forward, "%s %s %s; ", left_of(a), before ? "+=" : "=", describe(a->value));
    }
    the.derived_from = the.statements;
    for (int s = the.statements; s-- > 0;) {
        const statement *a = &the.statement[s];
        if (!d.needed[a->output]) continue;
        push(&d, a->value, (seed){.text = print("d%s", left_of(a)), .free = letters_of(a->index)});
    }
    for (int n = 0; n < the.tensors; n++)
        for (int s = 0; s < the.statements; s++) {
            const node *const access = find_access(the.statement[s].value, n);
            if (d.wanted[n] && !d.begun[n] && access) begin_derivative(&d, access);
        }
    return print("%s%s", d.forward.at, d.backward.at);
}

/* Replaces the statements by those for the derivatives. */
static void derive(spot names)
{
    const char *const statements = derived_statements(names);
    alphabet.single = single_letters(statements) | alphabet.single;
    lowering.parsed = false;
    parse_program(statements);
    parse_program(statements);
    lowering.parsed = true;
    settle_parts();
}

/* If the tensor is a derivative, the tensor whose type and levels it takes by default. */
static int derivative_of(int n)
{
    if (!the.derived_from || tensor_at(n)->name[0] != 'd') return -1;
    const int base = find_tensor(tensor_at(n)->name + 1);
    return base >= 0 && tensor_at(base)->rank == tensor_at(n)->rank ? base : -1;
}

/* Gives derivatives the types and encodings of their tensors, and marks the statements that only the check needs. */
static void settle_derivatives(void)
{
    if (the.semiring && the.derived_from) refuse(nowhere, "derivatives are of sums and products, not of a semiring");
    for (int n = 0; n < the.tensors; n++) {
        const int base = derivative_of(n);
        tensor *const t = tensor_at(n);
        if (base < 0) continue;
        const tensor *const from = tensor_at(base);
        if (!t->has_kind) t->kind = from->kind;
        t->padded = from->padded;
        if (t->role == OUTPUT && !t->has_encoding && from->has_encoding) {
            t->encoding = from->encoding;
            if (from->encoding.constant || from->encoding.fill) { /* another type, which needs another name */
                t->encoding.constant = t->encoding.fill = t->encoding.name = NULL;
                name_encoding(&t->encoding);
            }
        }
        if (is_integer(from->kind) || is_complex(from->kind) || from->kind >= USER)
            refuse(t->place, "derivatives are by real numbers, and %s has values of type %s", from->name,
                   kinds[from->kind].type);
    }
    for (int s = the.derived_from; s-- > 0;) { /* a statement whose output no later one reads is needed for the check only */
        bool read = false;
        for (int later = s + 1; later < the.statements; later++)
            read = read || (!the.statement[later].shadow && statement_reads(&the.statement[later], the.statement[s].output));
        the.statement[s].shadow = !read;
        if (!read) tensor_at(the.statement[s].output)->role = CONVERTED;
    }
}

/* >>schedule */

/* The orders of the loops that a kernel allows. before[b] has bit a if loop a must be outside of loop b. If a subscript
   is a sum of indices, it is known once the last loop over one of its indices begins. A path requires that the subscript
   of a level becomes known later than those of the levels above. */
enum { MAX_PATHS = (MAX_OPERANDS + 1) * MAX_RANK };
typedef struct graph {
    unsigned loops;
    loop loop[MAX_LOOPS];
    unsigned before[MAX_LOOPS];
    unsigned converted; /* operands that will be converted to the order of the loops */
    unsigned paths;
    struct path {
        /* sets of loops; `apart`: the subscripts of both dimensions must not become known in the same loop */
        unsigned above, level;
        bool apart;
    } path[MAX_PATHS];
} graph;

/* The loop that determines this part of an index; -1 if there is none, which only happens for COUNT. */
static int find_loop(const graph *g, char index, level_part part)
{
    for (unsigned l = 0; l < g->loops; l++)
        if (g->loop[l].index == index && g->loop[l].part == part) return (int)l;
    if (part == COUNT) return -1;
    for (unsigned l = 0; l < g->loops; l++) {
        if (g->loop[l].index == index && g->loop[l].part == WHOLE) return (int)l;
        if (g->loop[l].index == index && g->loop[l].part == MINUS)
            return find_loop(g, g->loop[l].other, MOD); /* the innermost loop of the diagonal */
    }
    return -1;
}

static const encoding *stored_encoding(const operand *o) { return &tensor_at(o->stored)->encoding; }

/* The indices in dimension d of an operand. */
static letters letters_at(const operand *o, unsigned d) { return letters_of_dim(o->index, o->affine, d); }

/* The index of the index set that chooses coordinates in dimension d of an operand; empty if none does. */
static letters chosen_at(const operand *o, unsigned d)
{
    const char *i = o->index;
    while (*i && !(set_of(*i) && (letters_at(o, d) & letter_bit(*i)))) i++;
    return *i ? letter_bit(known_by(*i)) : 0;
}

/* The loops that level v of an operand needs: the loop over its index, over blocks or inside blocks, or the loops over
   all indices of a sum. */
static unsigned loops_of_level(const graph *g, const level *v, const operand *o)
{
    unsigned set = 0;
    for (char i = 'a'; i <= 'z'; i++) {
        const int l = letters_at(o, v->dim) & letter_bit(i) ? find_loop(g, known_by(i), v->part) : -1;
        if (l >= 0) set |= 1u << l;
    }
    return set;
}

/* Requires that the subscript of level `above` becomes known before the subscript of level `below`; the sets hold their
   loops. */
static void add_path(graph *g, unsigned above, unsigned below, bool apart)
{
    if (above && below && g->paths < MAX_PATHS) g->path[g->paths++] = (struct path){above, below, apart};
}

/* Orders every sparse level after the levels above it. `whole`: also every dense level, as an assembled output requires. */
static void add_order(graph *g, const operand *o, bool whole)
{
    const encoding *e = stored_encoding(o);
    for (unsigned l = 0; l < e->levels; l++) {
        if (e->level[l].format == DENSE && !whole) continue;
        const unsigned inner = loops_of_level(g, &e->level[l], o);
        unsigned above = 0;
        for (unsigned k = 0; k < l; k++) {
            const unsigned outer = loops_of_level(g, &e->level[k], o);
            if (!o->affine && outer != inner)
                for (unsigned b = 0; b < g->loops; b++)
                    if (inner >> b & 1) g->before[b] |= outer;
            above |= outer;
        }
        if (o->affine) add_path(g, chosen_at(o, e->level[l].dim) ? above & ~inner : above, inner, false);
    }
}

/* Requires that no two dimensions of an operand become known in the same loop, in whatever order its levels are.
   Dimensions with an index set are exempt. */
static void add_apart(graph *g, const operand *o)
{
    const encoding *e = stored_encoding(o);
    for (unsigned d = 0; o->affine && d < e->rank; d++)
        for (unsigned c = 0; c < d && !chosen_at(o, d); c++)
            if (!chosen_at(o, c))
                add_path(g, loops_of_level(g, &(level){.dim = c}, o), loops_of_level(g, &(level){.dim = d}, o), true);
}

/* True if loop l may come next inside the loops in `used`. */
static bool follows_paths(const graph *g, unsigned used, unsigned l)
{
    const unsigned now = used | 1u << l;
    for (unsigned n = 0; n < g->paths; n++) {
        const struct path *p = &g->path[n];
        const bool ends = !(p->level & ~now) && (p->level & ~used), above_ends = !(p->above & ~now) && (p->above & ~used);
        if (p->apart ? ends && above_ends : ends && (p->above & ~used)) return false;
    }
    return true;
}

/* The block size in which an operand stores an index; 0 without blocks. */
static unsigned long block_size(const operand *o, char i)
{
    const encoding *e = stored_encoding(o);
    for (unsigned l = 0; l < e->levels; l++)
        if ((letters_at(o, e->level[l].dim) & letter_bit(i)) && (e->level[l].part == FLOORDIV || e->level[l].part == MOD) &&
            !is_dense(e))
            return e->level[l].size;
    return 0;
}

/* True if the operand stores index i in a sparse level. */
static bool stores(const operand *o, char i)
{
    return tensor_at(o->stored)->rank && is_compressed_at(tensor_at(o->stored), o->index, o->affine, i);
}

/* True if a level stores blocks of the loop's index or the offsets inside them, and the loop is over either. */
static bool stores_level(const operand *o, const level *v, const loop *l)
{
    return v->part == l->part && (letters_at(o, v->dim) & letter_bit(l->index));
}

/* True if a sparse level of the operand stores them. */
static bool stores_part(const operand *o, const loop *l)
{
    const encoding *e = stored_encoding(o);
    for (unsigned n = 0; tensor_at(o->stored)->rank && n < e->levels; n++)
        if (stores_level(o, &e->level[n], l)) return e->level[n].format != DENSE;
    return false;
}

static operand output_operand(const step *k)
{
    operand o = {.tensor = k->output,
                 .stored = k->stored,
                 .name = tensor_at(k->output)->name,
                 .affine = k->scatter.placed ? k->scatter.placed : k->result.left};
    strcpy(o.index, k->index);
    return o;
}

/* True if a loop can visit this encoding, but not together with another sparse operand. */
static bool must_drive_alone(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].properties & NONORDERED) return true;
    return e->levels > 0 && (e->level[e->levels - 1].properties & NONUNIQUE);
}

/* The level of an operand that numbers slices or diagonals; null if it has none. */
static const level *derived_level(const operand *o)
{
    const encoding *e = stored_encoding(o);
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].part == COUNT || e->level[l].part == MINUS) return &e->level[l];
    return NULL;
}

/* True in a product in which no other sparse operand stores an index of operand n. An operand that is converted from
   blocks or diagonals counts as storing all of its indices. */
static bool drives_alone(const step *k, unsigned n, unsigned converted)
{
    const operand *o = &k->operand[n], out = output_operand(k);
    if (k->region->kind != ALL || !(conjuncts(k->region) >> n & 1)) return false;
    if (is_assembled(k)) return false;
    for (unsigned d = 0; o->index[d]; d++) {
        for (unsigned m = 0; m < k->operands; m++)
            if (m != n && (stores(&k->operand[m], o->index[d]) ||
                           ((converted >> m & 1) && !is_plain(stored_encoding(&k->operand[m])) &&
                            strchr(k->operand[m].index, o->index[d]))))
                return false;
        if (k->result.updates && stores(&out, o->index[d])) return false;
    }
    return true;
}

/* The indices of the index sets among these letters. */
static letters chosen_by(const char *index)
{
    letters set = 0;
    for (const char *i = index; *i; i++)
        if (set_of(*i)) set |= letter_bit(known_by(*i));
    return set;
}

/* True if a coordinate can be searched for in an operand: every level stores a whole dimension, in order and without
   duplicates. */
static bool can_seek(const operand *o)
{
    const encoding *e = stored_encoding(o);
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].properties || (sparse_p_traits(e->level[l].format) & SPARSE_TRAIT_SHARED)) return false;
    return o->kind == VALUE && !o->slice && is_permutation(e);
}

/* True if an index of the operand, which stores slices or diagonals, occurs in a sum or an index set. For slices, any sum
   in the kernel counts. */
static bool is_in_sums(const step *k, const operand *o)
{
    for (unsigned m = 0; m <= k->operands; m++) {
        const node *n = m < k->operands ? k->operand[m].affine : k->result.left;
        if (n && ((letters_of(n->index) & letters_of(o->index)) || derived_level(o)->part == COUNT)) return true;
        if (chosen_by(m < k->operands ? k->operand[m].index : k->index) & letters_of(o->index)) return true;
    }
    return false;
}

/* True if the kernel line has a sum as this subscript, plus(i, (0)) included: it reads an index that has its size from
   another tensor. */
static bool is_sum_at(const node *affine, unsigned dim)
{
    const subscript *s = &affine->subscript[dim];
    const bool visited = alphabet.visited & letters_of(s->index);
    return !is_index(s) || (tensor_at(affine->tensor)->windowed[dim] && !visited);
}

/* Why an operand must be converted for every order of the loops; null if it need not be. */
static const char *reason_to_convert(const step *k, unsigned n, const graph *g)
{
    const operand *o = &k->operand[n];
    const encoding *e = stored_encoding(o);
    for (unsigned l = 0; l < e->levels; l++)
        for (unsigned m = l + 1; m < e->levels; m++)
            if (chosen_at(o, e->level[l].dim) && chosen_at(o, e->level[l].dim) == letters_at(o, e->level[m].dim))
                return "the index of an index set is stored below the places that this tells";
    if (tensor_at(o->stored)->rank == 0 || is_dense(e)) return NULL;
    if (has_set(o->index) && !can_seek(o))
        return "an index set tells places of dimensions that are stored as a whole, in order";
    for (unsigned d = 0; o->index[d]; d++) {
        if (set_of(o->index[d])) continue;
        const int l = find_loop(g, o->index[d], FLOORDIV);
        const bool blocked = block_size(o, o->index[d]) != 0;
        if (blocked && g->loop[l].part == WHOLE) return "its blocks do not fit the other operands";
    }
    for (unsigned l = 0; (o->slice || o->affine) && l < e->levels; l++) {
        const level *v = &e->level[l];
        if (v->part != WHOLE || (v->properties & NONORDERED) || (l + 1 == e->levels && (v->properties & NONUNIQUE)))
            return o->slice ? "slices are of dimensions that are stored as a whole, in order"
                            : "sums of indices are subscripts of dimensions that are stored as a whole, in order";
        if ((sparse_p_traits(v->format) & SPARSE_TRAIT_FORWARD) && (o->slice || is_sum_at(o->affine, v->dim)))
            return o->slice ? "slices are of levels that store coordinates"
                            : "sums of indices are of levels that store coordinates";
    }
    if (!is_for_kernels(e)) return "kernels do not go through all its level types";
    if (derived_level(o) && (is_in_sums(k, o) || !drives_alone(k, n, g->converted)))
        return "slices and diagonals cannot be merged with others";
    if (must_drive_alone(e) && !drives_alone(k, n, g->converted))
        return "entries out of order, or several at one place, cannot be merged with others";
    return NULL;
}

/* Lists the indices of a kernel: first those of the output, then those of the operands in order. Returns their number. */
static unsigned indices_of(const step *k, char index[27])
{
    unsigned count = 0;
    text all = {0};
    put(&all, "%s", k->index);
    for (unsigned o = 0; o <= k->operands; o++) { /* the loops of constant subscripts, outermost if the storage allows it */
        const node *affine = o < k->operands ? k->operand[o].affine : k->result.left;
        for (unsigned d = 0; affine && d < tensor_at(affine->tensor)->rank; d++)
            if (affine->subscript[d].unit && !memchr(index, affine->subscript[d].unit, count))
                index[count++] = affine->subscript[d].unit;
    }
    for (unsigned o = 0; o < k->operands; o++) put(&all, "%s", k->operand[o].index);
    for (const char *i = all.at; *i; i++)
        if (!memchr(index, *i, count) && !memchr(k->result.let, *i, sizeof k->result.let) &&
            !memchr(k->scatter.found, *i, sizeof k->scatter.found) && !(k->sought & letter_bit(*i)))
            index[count++] = *i;
    for (char i = 'a'; i <= 'z'; i++) /* an index that the statement uses as a number, and no operand has */
        if (((k->over | all_letters(k->body)) & ~k->sought & letter_bit(i)) && !memchr(index, i, count) &&
            !memchr(k->scatter.found, i, sizeof k->scatter.found))
            index[count++] = i;
    index[count] = '\0';
    return count;
}

/* The loop over the slices or diagonals of an index, if an operand stores them; else a loop with part WHOLE. */
static loop derived_loop(const step *k, char i, unsigned converted)
{
    for (unsigned o = 0; o <= k->operands; o++) {
        const operand out = output_operand(k), *p = o < k->operands ? &k->operand[o] : &out;
        const bool whole =
            o < k->operands ? !(derived_level(p) && is_in_sums(k, p)) && drives_alone(k, o, converted) : k->result.updates;
        const level *v = p->kind == VALUE && !p->affine && !(converted >> o & 1) && whole ? derived_level(p) : NULL;
        if (v && p->index[v->dim] == i) return (loop){i, v->part == MINUS ? p->index[v->other] : '\0', v->part, v->size};
    }
    return (loop){i, 0, WHOLE, 0};
}

/* Makes the loops of a kernel. An index gets a loop over blocks and one inside blocks if all operands that store it in a
   sparse level use blocks of the same size. Operands that will be converted do not count, because conversion removes
   blocks. */
static void make_loops(const step *k, graph *g, unsigned converted, spot place)
{
    char index[27];
    *g = (graph){0};
    const unsigned count = indices_of(k, index);
    for (unsigned c = 0; c < count; c++) {
        unsigned long size = 0;
        bool same_blocks = true;
        for (unsigned o = 0; o <= k->operands; o++) {
            const operand out = output_operand(k), *p = o < k->operands ? &k->operand[o] : &out;
            const encoding *e = stored_encoding(p);
            if (chosen_by(p->index) & letter_bit(index[c])) same_blocks = false;
            if (strchr(p->index, index[c]) == NULL) continue;
            if (p->affine) same_blocks = false; /* sums need whole indices */
            if (is_dense(e)) continue;
            const unsigned long b = converted >> o & 1 ? 0 : block_size(p, index[c]);
            if (size && b != size) same_blocks = false;
            if (!b) same_blocks = false;
            size = b ? b : size;
        }
        const bool split = size && same_blocks;
        const loop derived = derived_loop(k, index[c], converted);
        if (derived.part == MINUS && g->loops < MAX_LOOPS) { /* so `other` has no loop of its own */
            g->loop[g->loops++] = derived;
            continue;
        }
        if (derived.part == COUNT && g->loops < MAX_LOOPS) g->loop[g->loops++] = derived;
        if (g->loops + (split ? 2u : 1u) + bits_of(k->sought) > MAX_LOOPS)
            refuse(place, "a kernel has at most %d loops", MAX_LOOPS);
        g->loop[g->loops++] = (loop){index[c], 0, split ? FLOORDIV : WHOLE, size};
        if (split) {
            g->loop[g->loops] = (loop){index[c], 0, MOD, size};
            g->before[g->loops] |= 1u << (g->loops - 1);
            g->loops++;
        }
    }
}

/* True if loop l is over the diagonals of a blocked index and m over its blocks or their offsets. Loop l comes between
   these two. */
static bool is_between(const loop *l, const loop *m) { return l->part == MINUS && l->other == m->index && m->part != WHOLE; }

/* The index of the result that is computed from a loop over stored entries; for other loops, their own index. */
static char found_from(const step *k, char i)
{
    const char *at = memchr(k->scatter.visited, i, sizeof k->scatter.visited);
    return at ? k->scatter.found[at - k->scatter.visited] : i;
}

/* The index of the result that a loop determines: its own, the one computed from it, or the one that an index set
   chooses. */
static char written_by(const step *k, char i)
{
    for (const char *z = k->index; *z; z++)
        if (set_of(*z) && known_by(*z) == i) return *z;
    return found_from(k, i);
}

static letters found_by(const step *k)
{
    letters set = 0;
    for (unsigned d = 0; d < MAX_RANK; d++)
        if (k->scatter.found[d]) set |= letter_bit(k->scatter.found[d]);
    return set;
}

/* Adds the user's order to the graph, for the loops over the indices that it names. Inside blocks the storage determines
   the order. */
static void add_user_order(const step *k, graph *g)
{
    for (const char *a = loop_options.order; *a; a++)
        for (const char *b = a + 1; *b; b++)
            for (unsigned x = 0; x < g->loops; x++)
                for (unsigned y = 0; y < g->loops; y++)
                    if (found_from(k, g->loop[x].index) == *a && found_from(k, g->loop[y].index) == *b &&
                        g->loop[x].part != MOD && g->loop[y].part != MOD && !is_between(&g->loop[x], &g->loop[y]) &&
                        !is_between(&g->loop[y], &g->loop[x]))
                        g->before[y] |= 1u << x;
}

/* >>costs
   cost_of() estimates how long the loops of a kernel take in a given order, from the sizes of the indices and the numbers of
   entries; >>order takes the cheapest. The unit is an iteration of an innermost loop over stored entries. If a number is not
   known, it is assumed: indices have 1000 coordinates, one in ASSUMED_SPARSITY is stored, and entries are spread at random.
   For kernels with sums of indices, cost_of_sums() counts more, as measured for convolutions. docs/notebook.md compares the
   estimates with measured times. */

/* The size of an index for the cost estimate: the given size, else the size found in an input, else 3 for a filter, else
   1000. For a loop over stored entries at a sum: all coordinates that the sum spans. */
static double assumed_size(char i)
{
    const unsigned at = (unsigned)(size_letter(i) - 'A');
    const double n = alphabet.spanned[i - 'A'] > 0 ? alphabet.spanned[i - 'A']
                     : alphabet.size[at]           ? (double)alphabet.size[at]
                                                   : alphabet.input_size[at];
    return n > 0 ? n : islower((unsigned char)i) && (alphabet.filters & letter_bit(i)) ? 3 : 1000;
}

/* The number of coordinates of a part of an index. */
static double size_of_part(double whole, level_part part, unsigned long size)
{
    return part == FLOORDIV ? whole / (double)size
           : part == MOD    ? fmin(whole, (double)size)
           : part == COUNT  ? (double)size
                            : whole;
}

enum { ASSUMED_SPARSITY = 20 }; /* without other information, one in this many coordinates of a sparse level is stored */

/* The expected number of positions with an entry, if entries are spread at random. */
static double places_taken(double places, double entries) { return -places * expm1(-entries / places); }

/* The fraction of `size` coordinates below one of `parents` parents for which an operand stores an entry. Entries are
   assumed to be spread at random. If their number is unknown, the fraction is one in ASSUMED_SPARSITY. */
static double stored_part(const operand *o, double parents, double size)
{
    const double entries = tensor_at(o->tensor)->entries;
    return entries > 0 ? places_taken(parents * size, entries) / places_taken(parents, entries) / size
                       : 1.0 / ASSUMED_SPARSITY;
}

/* stored_part for index i, inside loops over the indices `outside`. In a dense level all coordinates are parents, with or
   without entries; in other levels, those with entries. */
static double stored_part_at(const operand *o, char i, letters outside, bool converted)
{
    const double entries = tensor_at(o->tensor)->entries, size = assumed_size(i);
    const encoding *e = stored_encoding(o);
    const bool plain = is_plain(e);
    double places = 1, parents = 1;
    letters above = outside & ~letter_bit(i);
    if (entries <= 0) return 1.0 / ASSUMED_SPARSITY;
    for (unsigned n = 0, depth = 0; n < e->levels; n++) {
        const char j = o->index[converted && n < e->rank ? n : e->level[n].dim];
        if (!(above & letter_bit(j))) continue;
        above &= ~letter_bit(j);
        places *= assumed_size(j);
        parents = plain && e->level[converted ? depth : n].format == DENSE ? parents * assumed_size(j)
                                                                           : places_taken(places, entries);
        depth++;
    }
    return places_taken(places * size, entries) / parents / size;
}

/* stored_part for a part of an index, which is stored below the levels above. */
static double stored_part_of(const operand *o, const loop *l, double size)
{
    const encoding *e = stored_encoding(o);
    double parents = 1;
    for (unsigned n = 0; n < e->levels && !stores_level(o, &e->level[n], l); n++) {
        const level *v = &e->level[n];
        parents *= size_of_part(assumed_size(o->index[v->dim]), v->part, v->size);
    }
    return stored_part(o, parents, size);
}

/* The number of coordinates that a subscript can have at one value of index i, over all values of its unknown indices. */
static double span_of(const subscript *s, char i, letters outside)
{
    double size = 1;
    for (unsigned k = 0; k < s->count; k++)
        if (known_by(s->index[k]) != i && !(outside & letter_bit(known_by(s->index[k]))))
            size += (double)s->step[k] * (assumed_size(s->index[k]) - 1);
    return size;
}

/* The probability that an operand stores anything at one value of index i. The levels restrict it to a subsection, below
   the parents that the subsections of the levels above contain. */
static double chance(const operand *o, char i, letters outside)
{
    double least = 1, parents = 1, above = 1;
    const encoding *e = stored_encoding(o);
    for (unsigned l = 0; l < e->levels; l++) {
        const subscript *s = &o->affine->subscript[e->level[l].dim];
        const double size = span_of(s, i, outside), whole = span_of(s, '\0', 0), part = stored_part(o, above, whole);
        if (e->level[l].format != DENSE && strchr(s->index, i)) least = fmin(least, parents * size * part);
        parents *= e->level[l].format == DENSE ? size : fmax(1, size * part);
        above *= whole;
    }
    return least;
}

/* The estimated number of iterations of a loop. */
static double trips(const step *k, const graph *g, const region *r, const loop *l, letters outside)
{
    const double n = size_of_part(assumed_size(l->index), l->part, l->size);
    if (l->part == COUNT) return n;
    if (r->kind == STORED && r->operand >= 0) {
        const operand *o = &k->operand[r->operand];
        const double entries = tensor_at(o->tensor)->entries;
        if (l->part == MINUS && entries > 0)
            return fmax(1, entries / assumed_size(l->other)); /* diagonals are assumed to be full */
        if (l->part == FLOORDIV || l->part == MOD) return stores_part(o, l) ? n * stored_part_of(o, l, n) : n;
        if (o->affine) return n * chance(o, l->index, outside);
        if (!(g->converted >> r->operand & 1))
            return stores(o, l->index) ? n * stored_part_at(o, l->index, outside, false) : n;
        const encoding *e = stored_encoding(o);
        const unsigned depth = bits_of(letters_of(o->index) & outside);
        const bool dense = !strchr(o->index, l->index) || (is_plain(e) && e->level[depth].format == DENSE);
        return dense ? n : n * stored_part_at(o, l->index, outside, true);
    }
    if (r->count == 0) return n;
    double sum = 0, shared = 1;
    for (unsigned c = 0; c < r->count; c++) {
        const double t = trips(k, g, r->child[c], l, outside);
        sum += t;
        shared *= fmin(1, t / n);
    }
    if (r->kind == ALL) return n * shared;
    return sum < n ? sum : n;
}

/* True if consecutive iterations of loop l access a dense operand with a stride. */
static bool strides(const operand *o, const loop *l)
{
    const encoding *e = stored_encoding(o);
    /* the last case: an array that the statement reads */
    if (!is_dense(e) || !e->levels || (!o->affine && !*o->index)) return false;
    const unsigned last = e->level[e->levels - 1].dim;
    const letters within = o->affine ? letters_at(o, last) : letter_bit(known_by(o->index[last]));
    return (known_letters(o->index) & ~within & letter_bit(l->index)) != 0;
}

/* The indices for which the options request a strategy. */
static letters strategies_asked(void)
{
    return loop_options.parallel | loop_options.simd | loop_options.unroll | loop_options.prefetch | loop_options.tile |
           loop_options.where;
}

/* True if a loop over a window is so short, and of a known size, that the compiler unrolls it completely. */
enum { WRITTEN_OUT = 8, WRITTEN_OUT_SHARE = 2 };
static bool is_written_out(const loop *l)
{
    const unsigned long size = alphabet.size[l->index - 'A'];
    return l->part == WHOLE && (alphabet.filters & ~strategies_asked() & letter_bit(l->index)) && size &&
           size <= WRITTEN_OUT;
}

/* in values: the estimated sizes of the second cache (CACHED) and of the third (HELD) */
enum { CACHED = 100000, HELD = 1 << 19 }; /* values */
static double size_of_result(const step *k)
{
    double size = 1;
    for (const char *i = k->index; *i; i++) size *= assumed_size(*i);
    return size;
}

static bool is_large(const step *k) { return size_of_result(k) > CACHED; }

/* The cost of reloading the result into the cache in each iteration of a loop that sums. If that is the outermost loop,
   all of the result is reloaded. If it is inside other loops, only the part of a dense result that they leave is. */
static double returns(const step *k, const graph *g, const unsigned order[], double runs)
{
    double size = size_of_result(k);
    for (unsigned n = 0; n < g->loops && size > CACHED; n++) {
        const char i = written_by(k, g->loop[order[n]].index);
        if (!strchr(k->index, i)) {
            if (n == 0) return size > HELD ? runs * 3 / 2 : runs / 16;
            return size > HELD && !is_sparse(k->output) ? runs / 2 : 0;
        }
        size /= assumed_size(i);
    }
    return 0;
}

/* How many of `places` accesses to the result wait for memory. They wait if the loops follow the stored entries of an
   operand and so alternate between rows of a large result. */
static double waits(const step *k, const loop *outermost, double places)
{
    if (!is_large(k) || !k->scatter.access || strlen(k->index) < 2 || outermost->index == k->index[0]) return 0;
    return places / (size_of_result(k) > HELD ? 2 : 32);
}

/* True if an operand is read at random, in blocks of the innermost index that exceed the first cache. A loop over these
   blocks should then be outermost, so that each block stays in the second cache until it is finished. The output is then
   traversed in order, once for each block. */
enum { NEAR = 4096 }; /* about as many values as a first-level cache holds */
static bool is_gathered(const step *k, const loop *inner)
{
    return inner->part == MOD && inner->size > NEAR && !strchr(k->index, inner->index);
}

/* The extra cost of an iteration of a loop over an index of a sum. If the loop makes a subscript with a step known, it
   skips stored coordinates; their number per visited one counts. If it does not, and is not over a small window, it must
   search for a subsection. */
enum { SEARCHED = 4 };
static double passed_over(const step *k, const loop *l, letters outside)
{
    double most = 0;
    for (unsigned o = 0; o < k->operands; o++) {
        const encoding *e = stored_encoding(&k->operand[o]);
        for (unsigned v = 0; k->operand[o].affine && v < e->levels; v++) {
            const subscript *s = &k->operand[o].affine->subscript[e->level[v].dim];
            const char *at = strchr(s->index, l->index);
            if (!at || e->level[v].format == DENSE) continue;
            const bool resolves = !(letters_of(s->index) & ~outside & ~letter_bit(l->index));
            const bool window = alphabet.filters & letter_bit(l->index);
            most = fmax(most, resolves ? (double)(s->step[at - s->index] - 1) : window ? 0 : SEARCHED);
        }
    }
    return most;
}

/* The extra cost of starting a loop that makes a sum known, if a loop over a level above began after other indices of the
   sum were known. Each start then searches below a new parent, with branches that the processor predicts badly. */
static double searched_below(const step *k, const graph *g, const unsigned order[], unsigned n)
{
    double cost = 0;
    for (unsigned o = 0; o < k->operands; o++) {
        const encoding *e = stored_encoding(&k->operand[o]);
        double above = 1;
        letters upper = 0;
        for (unsigned v = 0; k->operand[o].affine && v < e->levels; v++) {
            const subscript *s = &k->operand[o].affine->subscript[e->level[v].dim];
            const letters sum = letters_of(s->index);
            const double whole = span_of(s, '\0', 0);
            bool outside = false, later = false;
            for (unsigned m = 0; m < n; m++) {
                const letters here = letter_bit(g->loop[order[m]].index);
                if (sum & here) outside = true, later = false;
                if (upper & here) later = true;
            }
            if (e->level[v].format != DENSE && (sum & letter_bit(g->loop[order[n]].index)) && outside && later)
                cost += SEARCHED * (1 + log2(fmax(1, whole * stored_part(&k->operand[o], above, whole))));
            upper |= sum;
            above *= whole;
        }
    }
    return cost;
}

/* One iteration in how many of a loop finds an element of the result. It is more than one if a let() divides by a step. */
static double places_apart(const step *k, const loop *l, letters outside)
{
    double apart = 1;
    for (unsigned d = 0; d < MAX_RANK; d++) {
        if (!k->scatter.found[d]) continue;
        const subscript *s = &k->scatter.access->subscript[d];
        const letters from = (letters_of(s->index) & ~letter_bit(k->scatter.found[d])) | letter_bit(k->scatter.visited[d]);
        if ((from & letter_bit(l->index)) && !(from & ~outside & ~letter_bit(l->index)))
            apart *= (double)s->step[strchr(s->index, k->scatter.found[d]) - s->index];
    }
    return apart;
}

/* True if another operand stores the index of a loop in a sparse level. Such a loop visits few entries. */
static bool is_over_entries(const step *k, const loop *l)
{
    for (unsigned o = 0; o < k->operands; o++)
        if (!k->operand[o].affine && is_sparse(k->operand[o].stored) && stores(&k->operand[o], l->index)) return true;
    return false;
}

/* The number of coordinates that a loop ranges over. */
static double size_of_loop(const loop *l) { return size_of_part(assumed_size(l->index), l->part, l->size); }

/* The expected number of elements of the result that the loops reach. Below the first loop over a summed index, elements are
   reached several times. */
static double elements_reached(const step *k, const graph *g, const unsigned order[])
{
    double apart = 1, places = 1, runs = 1, last = 1;
    letters outside = 0;
    bool reduced = false;
    for (unsigned n = 0; n < g->loops; n++) {
        const loop *l = &g->loop[order[n]];
        const double t = trips(k, g, k->region, l, outside);
        const bool is_output = strchr(k->index, l->index) != NULL;
        outside |= letter_bit(l->index);
        reduced = reduced || !is_output;
        if (!reduced) apart *= t;
        if (reduced) runs *= t;
        if (reduced && is_output) places *= size_of_loop(l), last = runs;
    }
    return places > 1 ? apart * places_taken(places, last) : apart;
}

/* The cost of a workspace over several levels: finding the element for each product, and sorting and moving the entries
   of the result. The workspace lies in the first cache, in the last one, or beyond. If 64 bits cannot number its
   elements, the cost is so large that any other order is better. */
static double several_levels(const step *k, double runs, double made)
{
    const double size = size_of_result(k), refused = 1e300;
    if (size > (double)(UINT64_MAX / 2)) return refused;
    return 3 * runs + made * (size <= NEAR ? 16 : size <= HELD ? 90 : 180);
}

/* The cost of loops in a kernel whose subscripts are sums of indices, as measured for convolutions. It is the sum of:
     the iterations of all loops, half as many for loops that the compiler unrolls completely;
     the strides of the innermost loop;
     reloading an output into the cache;
     waiting for rows of the result;
     finding elements of the result in a workspace;
     filling a workspace over several levels, whose entries are far apart and must be sorted. */
static double cost_of_sums(const step *k, const graph *g, const unsigned order[])
{
    double runs = 1, cost = 0;
    letters outside = 0;
    const operand out = output_operand(k);
    bool reduced = false;
    unsigned levels = k->scatter.placed ? bits_of(found_by(k)) : 0; /* levels of a workspace */
    for (unsigned n = 0; n < g->loops; n++) {
        const loop *l = &g->loop[order[n]];
        const double t = trips(k, g, k->region, l, outside), passed = passed_over(k, l, outside);
        const double apart = places_apart(k, l, outside);
        cost += runs * searched_below(k, g, order, n);
        outside |= letter_bit(l->index);
        runs *= t > 1 ? t : 1;
        const bool written_out = is_written_out(l) && !is_over_entries(k, l) && k->scatter.access && !k->scatter.placed;
        cost += (written_out ? runs / WRITTEN_OUT_SHARE : runs) + runs * passed;
        runs /= apart;
        const bool is_output = strchr(k->index, l->index) != NULL;
        if (is_output && reduced && is_sparse(k->output)) cost += runs, levels++;
        reduced = reduced || !is_output;
    }
    if (k->scatter.placed) cost += runs + runs / 8;
    if (is_assembled(k) && levels > 1) cost += several_levels(k, runs, elements_reached(k, g, order));
    const loop *inner = g->loops ? &g->loop[order[g->loops - 1]] : NULL;
    for (unsigned o = 0; inner && o < k->operands; o++) cost += strides(&k->operand[o], inner) ? runs : 0;
    if (inner && strides(&out, inner)) cost += runs;
    cost += returns(k, g, order, runs);
    if (g->loops) cost += waits(k, &g->loop[order[0]], runs);
    return cost;
}

/* The number of different coordinates that loop n visits while the loops from `first` on run once. trip[n] is its expected
   number of iterations each time it begins. */
static double visited(const step *k, const graph *g, const unsigned order[], const double trip[], unsigned first, unsigned n)
{
    const loop *l = &g->loop[order[n]];
    const double size = size_of_loop(l);
    double visits = trip[n];
    letters with = 0; /* the coordinates depend on these indices */
    for (unsigned o = 0; o < k->operands; o++)
        if (is_sparse(k->operand[o].stored) && strchr(k->operand[o].index, l->index))
            with |= letters_of(k->operand[o].index);
    for (unsigned m = first; m < n; m++)
        if (with & letter_bit(g->loop[order[m]].index)) visits *= trip[m];
    return trip[n] >= size ? size : places_taken(size, visits);
}

/* The index whose neighbouring coordinates are adjacent in a dense array. */
static char innermost_letter(const operand *o)
{
    const encoding *e = stored_encoding(o);
    return o->index[e->level[e->levels - 1].dim];
}

/* The number of cache lines of a dense array that are read while the loops from `first` on run once. */
enum { LINE = 8 }; /* values */
static double lines_of(const step *k, const graph *g, const unsigned order[], const double trip[], const operand *o,
                       unsigned first)
{
    double lines = 1;
    for (unsigned n = first; n < g->loops; n++) {
        const loop *l = &g->loop[order[n]];
        if (!strchr(o->index, l->index)) continue;
        const double reached = visited(k, g, order, trip, first, n);
        const bool side_by_side = l->part == WHOLE && l->index == innermost_letter(o);
        lines *= side_by_side ? fmax(1, places_taken(size_of_loop(l) / LINE, reached)) : reached;
    }
    return lines;
}

/* The cost of loading a dense array into the second and the last cache. The innermost loops whose lines fit load them again
   each time they begin. Consecutive lines cost least, and lines at coordinates of stored entries most. */
enum { NEAR_LINES = 3 << 12, LAST_LINES = 1 << 17 }; /* in three quarters of 1 MB, and in 8 MB */
static double fetches(const step *k, const graph *g, const unsigned order[], const double trip[], const operand *o)
{
    unsigned inner = g->loops; /* one more than the innermost loop over an index of the array */
    while (inner > 0 && !strchr(o->index, g->loop[order[inner - 1]].index)) inner--;
    if (inner == 0 || !is_dense(stored_encoding(o))) return 0;
    const loop *l = &g->loop[order[inner - 1]];
    const bool found = trip[inner - 1] < size_of_loop(l), row = l->index == innermost_letter(o);
    double cost = 0;
    for (unsigned far = 0; far < 2; far++) {
        unsigned n = g->loops;
        double runs = 1;
        while (n > 0 && lines_of(k, g, order, trip, o, n - 1) <= (far ? LAST_LINES : NEAR_LINES)) n--;
        for (unsigned m = 0; m < n; m++) runs *= trip[m];
        if (n > 0)
            cost += runs * lines_of(k, g, order, trip, o, n) *
                    (far     ? (found ? 7
                                : row ? 2
                                      : 2.6)
                     : found ? 6
                     : row   ? 0.6
                             : 1);
    }
    return cost;
}

/* The number of entries that a loop passes when it merges the entries of several sparse operands; 0 if it does not. */
static double merged(const step *k, const graph *g, const loop *l, letters outside)
{
    double sum = 0;
    unsigned count = 0;
    for (unsigned o = 0; o < k->operands; o++) {
        const region stored = {.kind = STORED, .operand = (int)o};
        if (!is_sparse(k->operand[o].stored) || !strchr(k->operand[o].index, l->index)) continue;
        const double t = trips(k, g, &stored, l, outside);
        if (t < size_of_loop(l)) sum += t, count++;
    }
    return count > 1 ? sum : 0;
}

/* The estimated cost of the loops in this order. The unit is an iteration of an innermost loop over stored entries, half a
   nanosecond on an AMD EPYC. Iterations of a dense loop cost less if they are independent, and more if each adds to the sum
   of the previous one. Beginning a loop over stored entries costs more than an iteration, because the processor cannot
   predict where it ends. docs/notebook.md has the measurements. */
static double cost_of(const step *k, const graph *g, const unsigned order[])
{
    const operand out = output_operand(k);
    double runs = 1, cost = 0, trip[MAX_LOOPS] = {0};
    letters outside = 0;
    bool reduced = false, sums = k->scatter.access || out.affine;
    unsigned levels = 0; /* levels of a workspace */
    for (unsigned o = 0; o < k->operands; o++) sums = sums || k->operand[o].affine;
    if (sums) return cost_of_sums(k, g, order);
    for (unsigned n = 0; n < g->loops; n++) {
        const loop *l = &g->loop[order[n]];
        trip[n] = trips(k, g, k->region, l, outside);
        const bool stored = trip[n] < size_of_loop(l), last = n + 1 == g->loops;
        const bool is_output = strchr(k->index, l->index) != NULL;
        cost += runs * ((stored ? last ? 2 : 4 : 0) + merged(k, g, l, outside));
        outside |= letter_bit(l->index);
        runs *= trip[n];
        if (last) cost += runs * (stored ? 1 : is_output ? 0.7 : 1.5);
        if (is_output && reduced && is_sparse(k->output)) cost += runs / 2, levels++;
        reduced = reduced || !is_output;
    }
    const double made = elements_reached(k, g, order);
    if (is_assembled(k)) cost += 4 * made + (levels > 1 ? several_levels(k, runs, made) : 0);
    for (unsigned o = 0; o < k->operands; o++) cost += fetches(k, g, order, trip, &k->operand[o]);
    if (g->loops && is_gathered(k, &g->loop[order[g->loops - 1]]) &&
        g->loop[order[0]].index != g->loop[order[g->loops - 1]].index)
        cost += runs;
    return cost + fetches(k, g, order, trip, &out);
}

/* >>order
   schedule_kernel() chooses the order of the loops. An operand allows an order if its levels are known one after another:
   A(i,j) in CSR needs i outside j. These demands are the arrows of the graph (>>schedule), and an order of the loops is a
   topological order of it. best_order() tries all of them, and takes the one with the least cost_of(). If the demands
   contradict each other, as those of A(i,j) + B(j,i) do, the graph has a cycle. Then break_cycles() converts as few operands
   as possible, or none if --strict forbids it. */

/* If a kernel has more loops than this, the order of the outer ones is fixed, and only this number of inner ones is
   permuted. */
enum { ORDERED_LOOPS = 8 };

/* Finds the cheapest topological order of the graph and returns its cost; infinite if the graph has a cycle. */
static double best_order(const step *k, const graph *g, unsigned depth, unsigned used, unsigned order[], unsigned best[],
                         double least)
{
    if (depth == g->loops) {
        const double cost = cost_of(k, g, order);
        if (cost < least) memcpy(best, order, g->loops * sizeof *order);
        return cost < least ? cost : least;
    }
    for (unsigned l = 0; l < g->loops; l++) {
        if ((used >> l & 1) || (g->before[l] & ~used) || !follows_paths(g, used, l)) continue;
        order[depth] = l;
        least = best_order(k, g, depth + 1, used | 1u << l, order, best, least);
        if (g->loops - depth > ORDERED_LOOPS && least < (double)INFINITY) break;
    }
    return least;
}

/* The cost of converting a tensor with this number of entries, or an unknown number if 0: a small multiple of its
   entries and rows. */
static double conversion_cost(int n, double entries)
{
    const tensor *t = tensor_at(n);
    double places = 1, rows = 0;
    for (unsigned d = 0; d < t->rank; d++) places *= assumed_size(t->index[d]), rows += assumed_size(t->index[d]);
    return 5 * ((entries > 0 ? entries : places / ASSUMED_SPARSITY) + rows);
}

/* In a recurrence such as L(i,j<i,k) * x(j), moves the loops of other sums, here k, inside. x(j) must be complete before
   it is read. */
static void add_inner_sums(const step *k, graph *g)
{
    for (unsigned a = 0; a < g->loops; a++)
        for (unsigned b = 0; b < g->loops && is_recurrence(k); b++) {
            const char i = g->loop[a].index, sum = g->loop[b].index;
            const bool ordered = i == k->recurrence.inner || i == k->recurrence.outer;
            if (ordered && sum != k->recurrence.inner && (letter_bit(sum) & k->over)) g->before[b] |= 1u << a;
        }
}

/* The graph of a kernel, if the operands in the set `converted` are converted and thus fit any order. */
static graph graph_of(const step *k, unsigned converted, spot place)
{
    graph g;
    make_loops(k, &g, converted, place);
    g.converted = converted;
    const tensor *out = tensor_at(k->output);
    operand written = output_operand(k);
    written.stored = k->output;
    for (unsigned o = 0; o < k->operands; o++) {
        const operand *p = &k->operand[o];
        if (!(converted >> o & 1) && tensor_at(p->stored)->rank)
            /* with padding, a dense level does not have all coordinates of its sum */
            add_order(&g, p, tensor_at(p->stored)->padded);
        add_apart(&g, p);
    }
    const bool sorted_later = out->role == TEMPORARY && !k->result.updates; /* the levels of a temporary follow the loops */
    if (is_sparse(k->output) && !sorted_later && !(converted >> k->operands & 1)) add_order(&g, &written, is_assembled(k));
    add_apart(&g, &written);
    for (unsigned a = 0; a < g.loops; a++)
        for (unsigned b = 0; b < g.loops; b++)
            if (b != a && ((g.loop[b].part == WHOLE && g.loop[a].part == COUNT && g.loop[b].index == g.loop[a].index) ||
                           ((g.loop[b].part == WHOLE || g.loop[b].part == MOD) && g.loop[a].part == MINUS &&
                            g.loop[b].index == g.loop[a].other)))
                g.before[b] |= 1u << a;
    add_inner_sums(k, &g);
    add_user_order(k, &g);
    return g;
}

/* Sorts the levels of an operand's encoding in the order in which the loops make their coordinates known. Coordinates
   inside blocks may need fewer bits than coordinates of a whole dimension. */
static encoding ordered_encoding(const step *k, const encoding *e, const operand *o)
{
    char formats[MAX_RANK + 1] = {0}, order[MAX_RANK + 1] = {0};
    unsigned count = 0;
    letters done = 0;
    const bool plain = is_plain(e);
    for (unsigned l = 0; l < k->loops; l++) {
        const letters here = letter_bit(k->loop[l].index);
        if (k->loop[l].part == MINUS || k->loop[l].part == FLOORDIV || k->loop[l].part == COUNT) continue;
        done |= here;
        for (unsigned n = 0; n < 2 * e->rank; n++) { /* dimensions with an index set come below */
            const unsigned d = n % e->rank;
            const letters told = chosen_at(o, d), all = told ? told : letters_at(o, d);
            if ((told != 0) != (n >= e->rank) || !(all & here) || (all & ~done)) continue;
            formats[count] = plain && e->level[count].format == DENSE ? 'd' : 'c';
            order[count++] = (char)('0' + d);
        }
    }
    encoding f = make_encoding(formats, order);
    f.pos = e->pos, f.crd = plain || e->crd > 32 ? e->crd : 32, f.constant = e->constant, f.fill = e->fill;
    name_encoding(&f);
    return f;
}

/* Returns tensor `from` in another encoding. If this conversion exists already, it is shared and *fresh is false. */
static int converted_tensor(int from, const encoding *e, const char *index, bool *fresh)
{
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == CONVERTED && tensor_at(n)->source == from && same_encoding(&tensor_at(n)->encoding, e)) {
            *fresh = false;
            return n;
        }
    char sorted[MAX_RANK + 1] = {0};
    for (unsigned l = 0; l < e->levels; l++) sorted[l] = index[e->level[l].dim];
    const int n =
        add_tensor(fresh_name(print("%s_by_%s", tensor_at(from)->name, sorted)), CONVERTED, tensor_at(from)->place);
    tensor *t = tensor_at(n);
    t->rank = tensor_at(from)->rank;
    t->kind = tensor_at(from)->kind;
    t->encoding = *e;
    t->source = from;
    strcpy(t->index, tensor_at(from)->index);
    *fresh = true;
    return n;
}

/* The final steps: kernels, with conversions before and after them. */
static step scheduled[2 * MAX_STEPS + MAX_TENSORS]; /* enough room if every operand is converted */
static int scheduled_steps;

/* Appends a final step. Conversions of a tensor that the step writes are not reused after it. */
static void emit_step(step k)
{
    scheduled[scheduled_steps++] = k;
    for (int n = 0; n < the.tensors; n++) /* earlier conversions of a tensor become outdated when a step writes it */
        if (tensor_at(n)->role == CONVERTED && tensor_at(n)->source == k.output) tensor_at(n)->source = -1;
}

static void note_conversion(const tensor *from, const tensor *to, const char *reason)
{
    text was = {0}, is = {0};
    put_encoding(&was, &from->encoding);
    put_encoding(&is, &to->encoding);
    put(&the.notes, "%s is converted from %s to %s: %s\n", from->name, was.at, is.at, reason);
}

static const char *const cycle = "its order and that of the others have no loop order in common";

/* True if an expression contains like() of the tensor. */
static bool asks_for(const node *n, int wanted)
{
    if (n->kind == ACCESS && n->asked && n->tensor == wanted) return true;
    for (unsigned k = 0; k < n->count; k++)
        if (asks_for(n->term[k].node, wanted)) return true;
    return false;
}

/* Converts an operand to the order of the loops, unless it has that order already. Refuses if --strict forbids it, or if
   padding zeros would change the result. */
static void convert_operand(const step *k, operand *o, const char *reason)
{
    bool fresh;
    const encoding e = ordered_encoding(k, stored_encoding(o), o);
    if (same_encoding(&e, stored_encoding(o))) return;
    const bool asked = asks_for(k->body, o->tensor);
    if ((the.semiring || asked) && is_padded(stored_encoding(o)))
        refuse(tensor_at(o->tensor)->place,
               "%s would have to be converted: %s; with %s zeros that fill its blocks would count "
               "before, and not "
               "after",
               tensor_at(o->tensor)->name, reason, asked ? "like()" : "a semiring");
    if (loop_options.strict)
        refuse(tensor_at(o->tensor)->place, "%s would have to be converted: %s", tensor_at(o->tensor)->name, reason);
    const int n = converted_tensor(o->stored, &e, o->affine ? dim_letters : o->index, &fresh);
    if (fresh) {
        note_conversion(tensor_at(o->stored), tensor_at(n), reason);
        emit_step((step){.kind = CONVERSION, .output = n, .source = o->stored, .where.workspace = -1});
    }
    o->stored = n;
}

/* Assembles an output in another encoding first, if it cannot be assembled in the order of the loops. */
static void convert_output(step *k, const char *reason)
{
    bool fresh;
    const operand out = output_operand(k);
    const encoding e = ordered_encoding(k, &tensor_at(k->output)->encoding, &out);
    k->stored = converted_tensor(k->output, &e, k->result.left ? dim_letters : k->index, &fresh);
    note_conversion(tensor_at(k->stored), tensor_at(k->output), reason);
}

/* A voluntary conversion must reduce the cost by this factor: the first if sizes are assumed, the second if they are
   known. */
static const double worth_converting = 5, worth_converting_if_known = 1.1;

static bool knows_sizes(const step *k)
{
    for (unsigned o = 0; o < k->operands; o++)
        for (const char *i = k->operand[o].index; *i; i++)
            if (islower((unsigned char)*i) && !alphabet.size[size_letter(*i) - 'A'] &&
                alphabet.input_size[size_letter(*i) - 'A'] < 1)
                return false;
    return true;
}

/* Finds the cheapest set of operands whose conversion removes all cycles, and the order of the loops. Converts one
   operand more if that reduces the cost by the factor above. */
static unsigned break_cycles(const step *k, unsigned forced, unsigned best[], spot place)
{
    unsigned order[MAX_LOOPS], found = 0, candidates = forced, enough = MAX_OPERANDS + 1;
    double least = (double)INFINITY;
    const double worth = knows_sizes(k) ? worth_converting_if_known : worth_converting;
    for (unsigned o = 0; o < k->operands; o++)
        if ((is_sparse(k->operand[o].stored) || (k->operand[o].affine && tensor_at(k->operand[o].stored)->padded)) &&
            k->result.like != o + 1)
            candidates |= 1u << o;
    if (is_assembled(k)) candidates |= 1u << k->operands;
    for (unsigned size = 0; size <= bits_of(candidates) && size <= enough; size++) {
        const double before = least;
        for (unsigned set = 0; set <= candidates; set++) {
            if ((set & ~candidates) || bits_of(set & ~forced) != size || (set & forced) != forced) continue;
            unsigned mine[MAX_LOOPS] = {0};
            const graph g = graph_of(k, set, place);
            bool fits = true; /* an operand loses its blocks by conversion, and then no longer fits others in blocks */
            for (unsigned o = 0; o < k->operands; o++)
                fits = fits && ((set >> o & 1) || reason_to_convert(k, o, &g) == NULL);
            if (!fits) continue;
            double cost = best_order(k, &g, 0, 0, order, mine, (double)INFINITY);
            for (unsigned o = 0; o < k->operands; o++)
                if (set >> o & 1)
                    cost += the.semiring && is_padded(stored_encoding(&k->operand[o])) /* such a conversion is refused */
                                ? 1e30
                                : conversion_cost(k->operand[o].stored, tensor_at(k->operand[o].stored)->entries);
            if (set >> k->operands & 1 && cost < (double)INFINITY)
                cost += conversion_cost(k->output, elements_reached(k, &g, mine));
            if (cost >= least || (before < (double)INFINITY && cost * worth > before)) continue;
            least = cost;
            found = set;
            memcpy(best, mine, sizeof mine);
        }
        if (least < (double)INFINITY && enough > MAX_OPERANDS) enough = loop_options.strict ? size : size + 1;
    }
    /* the caller tries again without keeping that operand's pattern */
    if (least == (double)INFINITY && k->result.like) return ~0u;
    if (least == (double)INFINITY) {
        refuse(loop_options.order[0] ? loop_options.order_place : place,
               "no order of the loops%s follows the levels of the output",
               loop_options.order[0] ? " that is as it is asked for here" : "");
    }
    return found;
}

/* The loop that determines an index: its own, or, for an index that let() computes, the loop of the index that it
   follows. */
static char loop_letter(const step *k, char i) { return k->sought & letter_bit(i) ? k->twin[i - 'a'] : i; }

/* Computes index k of a diagonal, A(i,k) where i == k, with let() instead of a loop. A dense level then takes one step
   instead of one for each k, a compressed one a binary search instead of a scan. Measured on rows of 2 to 96 entries, the
   search takes 0.3 to 1.02 times as long as the loop. The exception, with gcc, are random rows of 20 to 28 entries: up to
   1.4. */
static void seek_diagonals(step *k)
{
    for (unsigned o = 0; o < k->operands; o++)
        for (const char *i = k->operand[o].index; *i; i++)
            if (k->twin[*i - 'a'] && (set_of(*i) || can_seek(&k->operand[o]))) k->sought |= letter_bit(*i);
    for (const char *i = k->index; *i; i++)
        if (set_of(*i)) k->sought |= letter_bit(*i);
}

/* The number of loops that a line counts against the limit: a loop over diagonals counts twice, and an index that let()
   computes once. */
static unsigned loops_of_line(const step *k, const graph *g)
{
    unsigned count = g->loops + bits_of(found_by(k)) + bits_of(k->sought);
    for (unsigned l = 0; l < g->loops; l++) count += g->loop[l].part == MINUS;
    return count;
}

static bool has_union(const region *r);

/* Refuses a recurrence whose loops do not visit the stored entries in order. */
static void check_recurrence(const step *k, spot place)
{
    const char *const name = tensor_at(k->output)->name;
    for (unsigned o = 0; o < k->operands; o++) {
        const operand *p = &k->operand[o];
        const encoding *e = stored_encoding(p);
        bool ordered = p->kind != VALUE || !(p->affine || p->slice) || !is_sparse(p->stored);
        for (unsigned l = 0; p->kind == VALUE && l < e->levels; l++)
            ordered = ordered && e->level[l].part != COUNT && e->level[l].part != MINUS &&
                      !(e->level[l].properties & (k->recurrence.down ? NONORDERED | NONUNIQUE : NONORDERED));
        if (!ordered)
            refuse(tensor_at(p->tensor)->place,
                   "the recurrence of %s visits %s in order%s, which its encoding cannot: -f %s=csr, or csc", name,
                   tensor_at(p->tensor)->name, k->recurrence.down ? ", downwards" : "", tensor_at(p->tensor)->name);
    }
    if (k->recurrence.down && has_union(k->region))
        refuse(place, "the recurrence of %s runs downwards, and a sum of sparse tensors upwards: add them before", name);
}

/* Chooses the order of the loops of a kernel, and emits it with the conversions that it needs. Starts again if an
   operand must be converted whose pattern or let() the first attempt relied on. */
static void schedule_kernel(step *k, spot place)
{
    unsigned best[MAX_LOOPS] = {0}, forced = 0;
    if (k->result.like && !same_encoding(stored_encoding(&k->operand[k->result.like - 1]), &tensor_at(k->output)->encoding))
        k->result.like = 0; /* a temporary gets the level order of the loops that filled it */
    const char *reason[MAX_OPERANDS + 1] = {NULL};
    const bool assembled = is_assembled(k);
    if (assembled && !is_plain(&tensor_at(k->output)->encoding)) {
        forced |= 1u << k->operands;
        reason[k->operands] = "entries are assembled in levels that are dense or compressed";
    }
    for (unsigned before = ~0u; before != forced;) { /* when one operand loses its blocks, others may have to follow */
        graph g;
        before = forced;
        make_loops(k, &g, forced, place);
        g.converted = forced;
        for (unsigned o = 0; o < k->operands; o++)
            if (!(forced >> o & 1) && (reason[o] = reason_to_convert(k, o, &g)) != NULL) forced |= 1u << o;
    }
    const unsigned set = break_cycles(k, forced, best, place);
    if (k->result.like && (set >> (k->result.like - 1) & 1)) {
        k->result.like = 0;
        schedule_kernel(k, place);
        return;
    }
    for (unsigned o = 0; o < k->operands; o++) /* a converted operand has its levels in the order of the loops */
        for (const char *i = k->operand[o].index; *i && (set >> o & 1); i++)
            if ((letter_bit(*i) & k->sought) && !set_of(*i)) {
                k->sought &= ~letter_bit(*i);
                schedule_kernel(k, place);
                return;
            }
    const graph g = graph_of(k, set, place);
    if (loops_of_line(k, &g) > MAX_LOOPS) refuse(place, "a kernel has at most %d loops", MAX_LOOPS);
    if (g.loops == 0) k->kind = ASSIGNMENT;
    k->loops = g.loops;
    for (unsigned l = 0; l < g.loops; l++) k->loop[l] = g.loop[best[l]];
    k->cost = cost_of(k, &g, best);
    if (is_recurrence(k)) check_recurrence(k, place);
    const char *why = cycle;
    if (bits_of(set) > bits_of(forced)) {
        unsigned order[MAX_LOOPS], unused[MAX_LOOPS];
        const graph as_it_is = graph_of(k, forced, place);
        const double cost = best_order(k, &as_it_is, 0, 0, order, unused, (double)INFINITY);
        if (cost < (double)INFINITY)
            why = print("the loops have about %.2g iterations then, instead of %.2g", k->cost, cost);
    }
    for (unsigned o = 0; o < k->operands; o++)
        if (set >> o & 1) convert_operand(k, &k->operand[o], reason[o] ? reason[o] : why);
    tensor *out = tensor_at(k->output);
    if (assembled && out->role == TEMPORARY) {
        const operand made = output_operand(k);
        out->encoding = ordered_encoding(k, &out->encoding, &made);
        for (unsigned l = 1; l < out->encoding.levels; l++) /* below a compressed level, all levels become compressed */
            if (out->encoding.level[l - 1].format == COMPRESSED) out->encoding.level[l].format = COMPRESSED;
        out->encoding.name = out->encoding.macro = NULL;
        name_encoding(&out->encoding);
    } else if (set >> k->operands & 1) {
        convert_output(k, reason[k->operands] ? reason[k->operands] : why);
    }
    emit_step(*k);
    if (k->stored != k->output)
        emit_step((step){.kind = CONVERSION, .output = k->output, .source = k->stored, .where.workspace = -1});
}

/* The index of dimension d whose loop is innermost. In that loop the subscript becomes known. */
static char resolving_letter(const step *k, const operand *o, unsigned d)
{
    char last = 0;
    for (unsigned l = 0; l < k->loops; l++)
        if (letters_at(o, d) & letter_bit(k->loop[l].index)) last = k->loop[l].index;
    return last ? last : loop_letter(k, o->index[d]);
}

/* The plain indices of an access, over dimensions of the same size as the index. */
static letters bare_letters(const char *index, const node *affine)
{
    letters set = 0;
    for (unsigned d = 0; affine && d < tensor_at(affine->tensor)->rank; d++)
        if (is_index(&affine->subscript[d]) &&
            (!tensor_at(affine->tensor)->windowed[d] || (alphabet.visited & letter_bit(affine->subscript[d].index[0]))))
            set |= letters_of(affine->subscript[d].index);
    return affine ? set : letters_of(index);
}

/* True if in loop i the subscript of a dense level with padding becomes known. The loop then visits only the coordinates
   inside, as if they were stored. */
static bool is_shifted(const step *k, const operand *o, char i)
{
    const encoding *e = stored_encoding(o);
    for (unsigned n = 0; o->affine && tensor_at(o->tensor)->padded && n < e->levels; n++) {
        const unsigned d = e->level[n].dim;
        if (e->level[n].format == DENSE && tensor_at(o->tensor)->windowed[d] && !(alphabet.visited & letters_at(o, d)) &&
            resolving_letter(k, o, d) == i)
            return true;
    }
    return false;
}

/* True if coordinates of index i remain to be visited after the only operand that stores it has ended. `there`: whether
   the operands that store indices of the loops around have entries, all or none. */
static bool remains(const step *k, const region *r, char i, letters outside, bool there)
{
    if (r->kind == STORED && r->operand >= 0) {
        const operand *o = &k->operand[r->operand];
        if (stores(o, i) || is_shifted(k, o, i)) return false;
        for (char c = 'a'; c <= 'z'; c++)
            if ((outside & letter_bit(c)) && (stores(o, c) || is_shifted(k, o, c))) return there;
        return true;
    }
    for (unsigned c = 0; c < r->count; c++)
        if (remains(k, r->child[c], i, outside, there) != (r->kind == ALL)) return r->kind != ALL;
    return r->kind != ANY;
}

static bool has_union(const region *r)
{
    bool any = r->kind == ANY;
    for (unsigned c = 0; c < r->count; c++) any = any || has_union(r->child[c]);
    return any;
}

/* >>strategies */

/* The indices known in loop l: all their loops have begun, those over blocks and inside blocks too. A difference is known
   with both of its indices. */
static letters known_in(const step *k, unsigned l)
{
    letters begun = 0, open = 0;
    for (unsigned m = 0; m < k->loops; m++) *(m > l ? &open : &begun) |= letter_bit(k->loop[m].index);
    for (unsigned m = 0; m <= l; m++)
        if (k->loop[m].part == MINUS && (open & letter_bit(k->loop[m].other))) open |= letter_bit(k->loop[m].index);
    return begun & ~open & ~k->where.over;
}

/* The kernel's name for the index set for which a letter stands. */
static const char *set_name(const step *k, char i)
{
    const operand *o = k->operand;
    while (o->tensor != find_tensor(set_of(i)) || o->index[0] != known_by(i)) o++;
    return o->name;
}

/* Writes let(k, i) for the diagonals, and let(k, rows) for the index sets, that become known in loop l, each once.
   Returns true if there are any. Only tests if `t` is null. */
static bool put_sought(text *t, const step *k, unsigned l)
{
    const letters known = known_in(k, l), fresh = l ? known & ~known_in(k, l - 1) : known;
    bool any = false;
    letters told = 0;
    for (unsigned o = 0; k->sought && o <= k->operands; o++) {
        const operand out = output_operand(k), *p = o < k->operands ? &k->operand[o] : &out;
        const encoding *e = stored_encoding(p);
        letters needed = 0;
        for (unsigned n = 0; n < e->levels; n++)
            for (const char *i = p->index; *i; i++) {
                const char from = loop_letter(k, *i);
                if (!(letters_at(p, e->level[n].dim) & letter_bit(*i))) continue;
                needed |= letter_bit(from);
                if (set_of(*i) && (fresh & letter_bit(from)) && !(told & letter_bit(*i))) {
                    told |= letter_bit(*i);
                    any = true;
                    if (t) put(t, ", let(%c, %s)", *i, set_name(k, *i));
                }
                if (from == *i || set_of(*i) || !(needed & fresh) || (needed & ~known)) continue;
                any = true;
                if (t) put(t, ", let(%c, %c)", *i, from);
            }
    }
    return any;
}

/* True if the iterations of a loop are independent, so that they can be split among threads. */
static bool has_independent_iterations(const step *k, const loop *l)
{
    unsigned drivers = 0, shifted = 0;
    for (unsigned o = 0; o < k->operands + k->result.updates; o++) {
        const operand last = output_operand(k), *p = o < k->operands ? &k->operand[o] : &last;
        const encoding *e = stored_encoding(p);
        shifted += is_shifted(k, p, l->index);
        for (unsigned n = 0; n < e->levels; n++)
            if (e->level[n].format != DENSE && (letters_at(p, e->level[n].dim) & letter_bit(l->index))) {
                drivers++;
                if (e->level[n].properties) return false;
                if (p->affine && l->index != resolving_letter(k, p, e->level[n].dim)) return false;
            }
    }
    letters outside = 0;
    for (const loop *o = k->loop; o < l; o++) outside |= letter_bit(o->index);
    const bool all = remains(k, k->region, l->index, outside, true);
    if (!all && drivers + shifted > 1 && has_union(k->region)) return false;
    return drivers < 2 && all == remains(k, k->region, l->index, outside, false);
}

/* True if different iterations of a loop write different elements. Of an assembled output, threads assemble separate
   parts below the outermost level, so it must be the loop over that level. */
static bool writes_apart(const step *k, const loop *l)
{
    const encoding *out = &tensor_at(k->stored)->encoding;
    if (!(bare_letters(k->index, k->result.left) & letter_bit(l->index)) || (k->result.left && is_assembled(k)))
        return false;
    if (!is_assembled(k)) return true; /* threads assemble separate parts below the outermost level */
    return l == &k->loop[0] && k->index[out->level[0].dim] == l->index && out->level[0].part == WHOLE;
}
/* True if a loop only adds up one number. Each thread can then sum a part, and the sums are added. */
static bool adds_up(const step *k, const loop *l)
{
    return l == &k->loop[0] && l->part == WHOLE && tensor_at(k->output)->rank == 0 &&
           (!k->result.reduction || same(k->result.reduction, "sum")) && !the.semiring && !k->result.extras &&
           k->where.workspace < 0 && !k->opened;
}
/* The number of the operand that stores one triangle; -1 if there is none. Loops over its indices cannot run in
   parallel, because the mirror images of its entries add to elements of other iterations. */
static int half_of(const step *k)
{
    for (unsigned o = 0; k->kind == KERNEL && o < k->operands; o++)
        if (tensor_at(k->operand[o].tensor)->half) return (int)o;
    return -1;
}

/* True if a loop is over an index of the operand that stores one triangle. */
static bool is_over_half(const step *k, const loop *l)
{
    const int half = half_of(k);
    return half >= 0 && (strchr(k->operand[half].index, l->index) || l->part != WHOLE);
}

static bool can_run_parallel(const step *k, const loop *l)
{
    return !is_over_half(k, l) && (writes_apart(k, l) || adds_up(k, l)) && has_independent_iterations(k, l);
}

static bool is_range(const step *k, const loop *l);

/* True if loop l is vectorised. It is not if let() computes its elements inside the loop. */
static bool is_simd(const step *k, unsigned l)
{
    return !is_recurrence(k) && half_of(k) < 0 && l + 1 == k->loops && (loop_options.simd & letter_bit(k->loop[l].index)) &&
           !is_range(k, &k->loop[l]) && !put_sought(NULL, k, l) && !has_lets(k);
}
static bool is_parallel(const step *k, unsigned l)
{
    return !is_recurrence(k) && (k->loop[l].part == WHOLE || k->loop[l].part == FLOORDIV) && !is_range(k, &k->loop[l]) &&
           (loop_options.parallel & letter_bit(k->loop[l].index)) && can_run_parallel(k, &k->loop[l]);
}

/* The number of operands that store an index in a sparse level. */
static unsigned drivers_of(const step *k, char index)
{
    unsigned drivers = 0;
    for (unsigned o = 0; o < k->operands; o++) {
        const encoding *e = stored_encoding(&k->operand[o]);
        for (unsigned n = 0; n < e->levels; n++)
            drivers += e->level[n].format != DENSE && (letters_at(&k->operand[o], e->level[n].dim) & letter_bit(index)) != 0;
    }
    return drivers;
}

/* True if a kernel line has subscripts that are not plain indices. */
static bool is_affine(const step *k)
{
    for (unsigned o = 0; o < k->operands; o++)
        if (k->operand[o].affine) return true;
    return k->result.left != NULL || k->scatter.access;
}

/* True if an index occurs in a subscript of a padded operand, so that the subscript can leave the tensor. */
static bool sticks_out(const step *k, char index)
{
    for (unsigned o = 0; o < k->operands; o++)
        if (k->operand[o].affine && tensor_at(k->operand[o].tensor)->padded && strchr(k->operand[o].index, index))
            return true;
    return false;
}

/* True if the loops from l on are inside the entries of an assembled result. Its levels, down to the last sparse one,
   then belong to the first loops, in order. The inner loops are over its dense levels, or sum. */
static bool is_below_entries(const step *k, unsigned l)
{
    const operand out = output_operand(k);
    const encoding *e = stored_encoding(&out);
    unsigned entries = 0;
    for (unsigned n = 0; n < e->levels; n++)
        if (e->level[n].format != DENSE) entries = n + 1;
    for (unsigned n = 0; n < entries; n++)
        if (n >= l || e->level[n].part != WHOLE || k->loop[n].part != WHOLE || k->loop[n].index != k->index[e->level[n].dim])
            return false;
    return entries < e->levels;
}

/* True if several iterations of loop l, the one around the innermost, can run together inside the innermost loop. The
   innermost loop must visit all coordinates. Each iteration must write its own elements, or the innermost loop must run
   over them. */
static bool can_unroll(const step *k, unsigned l)
{
    if (l + 2 != k->loops || k->region->kind == ANY || k->where.workspace >= 0 || is_recurrence(k)) return false;
    if (is_assembled(k) && !is_below_entries(k, l)) return false;
    if (put_sought(NULL, k, l) || put_sought(NULL, k, l + 1) || is_range(k, &k->loop[l]) ||
        sticks_out(k, k->loop[l + 1].index))
        return false;
    for (unsigned d = 0; k->scatter.access && d < MAX_RANK; d++) /* let() computes an index in the innermost loop */
        if (k->scatter.visited[d] == k->loop[l + 1].index ||
            (k->scatter.found[d] && strchr(k->scatter.access->subscript[d].index, k->loop[l + 1].index)))
            return false;
    if (k->result.left && strchr(k->result.left->index, k->loop[l + 1].index) &&
        !(bare_letters(k->index, k->result.left) & letter_bit(k->loop[l + 1].index)))
        return false; /* several iterations write this element, or iterations write neighbouring ones */
    for (unsigned n = 0; n < k->loops; n++)
        if (k->loop[n].part == COUNT || k->loop[n].part == MINUS) return false;
    for (unsigned n = 0; k->region->kind == ALL && n < k->region->count; n++)
        if (k->region->child[n]->kind != STORED && k->region->child[n]->kind != EVERYWHERE) return false;
    const loop *outer = &k->loop[l], *inner = &k->loop[l + 1];
    const operand out = output_operand(k);
    return outer->part == WHOLE && inner->part == WHOLE &&
           drivers_of(k, outer->index) + (k->result.updates && stores(&out, outer->index)) < 2 &&
           drivers_of(k, inner->index) + (k->result.updates && stores(&out, inner->index)) == 0 &&
           (strchr(k->index, outer->index) || strchr(k->index, inner->index));
}

/* True if the data of an operand at a coordinate of loop l can be prefetched: values, or the segment of a compressed
   level. The level over the loop's index must be dense, and the levels above must be known. A level over blocks must be
   the topmost. */
static bool is_reached(const step *k, const operand *o, unsigned l)
{
    const encoding *e = stored_encoding(o);
    unsigned n = 0;
    if (o->kind != VALUE || o->slice || o->affine) return false;
    const letters known = l ? known_in(k, l - 1) : 0;
    for (; n < e->levels; n++) {
        const char i = o->index[e->level[n].dim];
        if (i == k->loop[l].index) break;
        if (!(known & letter_bit(known_by(i))) || e->level[n].part != WHOLE) return false;
    }
    if (n == e->levels || e->level[n].format != DENSE || e->level[n].part != WHOLE) return false;
    if (k->loop[l].part == FLOORDIV && n > 0) return false;
    if (n + 1 < e->levels && e->level[n + 1].format == COMPRESSED)
        return e->level[n + 1].part == WHOLE && e->level[0].format != (format)SPARSE_BATCH;
    return !e->constant && (n + 1 == e->levels || (n + 2 == e->levels && e->level[n + 1].format == DENSE));
}

/* The index of a loop in the statement. If the loop visits the s of let(j, s - q), this is j; but not if s - q is
   divided. */
static char index_as_written(const step *k, unsigned l)
{
    for (unsigned d = 0; d < MAX_RANK; d++) {
        const subscript *s =
            k->scatter.visited[d] && k->scatter.visited[d] == k->loop[l].index ? &k->scatter.access->subscript[d] : NULL;
        for (unsigned c = 0; s && c < s->count; c++)
            if (s->index[c] == k->scatter.found[d] && s->step[c] == 1) return k->scatter.found[d];
    }
    return k->loop[l].index;
}

/* True if a loop over the entries of one operand accesses anything that can be prefetched, directly or through let(). */
static bool is_fetched(const step *k, unsigned l)
{
    const char index = k->loop[l].index;
    const operand out = output_operand(k);
    bool stored = k->loop[l].part == WHOLE, reached = index_as_written(k, l) != index && !is_sparse(k->output);
    for (unsigned o = 0; k->loop[l].part == FLOORDIV && o < k->operands; o++)
        stored = stored || stores_part(&k->operand[o], &k->loop[l]);
    if (!(loop_options.prefetch & letter_bit(index_as_written(k, l))) || !stored || k->where.workspace >= 0 ||
        put_sought(NULL, k, l))
        return false;
    for (unsigned o = 0; o < k->operands; o++) { /* operands at sums of this index, dense in all levels */
        const encoding *e = stored_encoding(&k->operand[o]);
        for (unsigned d = 0; k->operand[o].affine && d < tensor_at(k->operand[o].tensor)->rank; d++)
            if (!is_index(&k->operand[o].affine->subscript[d]) && strchr(k->operand[o].affine->subscript[d].index, index))
                return false;
        for (unsigned n = 0; n < e->levels; n++)
            if (e->level[n].format == (format)SPARSE_BATCH && stores_level(&k->operand[o], &e->level[n], &k->loop[l]))
                return false;
    }
    if (k->region->kind == ANY || drivers_of(k, index) != 1 || (k->result.updates && stores(&out, index))) return false;
    for (unsigned n = 0; k->region->kind == ALL && n < k->region->count; n++)
        if (k->region->child[n]->kind != STORED) return false;
    for (unsigned o = 0; o < k->operands; o++) reached = reached || is_reached(k, &k->operand[o], l);
    return reached || (!is_sparse(k->output) && is_reached(k, &out, l));
}

/* True if a loop over all coordinates is cut into tiles: all inner loops run for one tile before the next begins. */
static bool is_tiled(const step *k, unsigned l)
{
    const char index = k->loop[l].index;
    const operand out = output_operand(k);
    for (unsigned n = 0; n < k->loops; n++)
        if (k->loop[n].part != WHOLE || is_recurrence(k)) return false;
    return (loop_options.tile & letter_bit(index)) && !put_sought(NULL, k, l) && k->where.workspace < 0 &&
           !is_range(k, &k->loop[l]) && !sticks_out(k, index) && drivers_of(k, index) == 0 &&
           (!is_sparse(k->output) || (k->result.updates && !stores(&out, index)));
}

/* True if a loop is unrolled: by an option, or because it adds to elements that the innermost loop runs over. These are
   then read and written once for several iterations. */
static bool is_unrolled(const step *k, unsigned l)
{
    if (!can_unroll(k, l) || half_of(k) >= 0) return false;
    if (loop_options.unroll || (loop_options.prefetch & letter_bit(k->loop[l].index)))
        return loop_options.unroll & letter_bit(k->loop[l].index);
    return !is_affine(k) && (!is_sparse(k->output) || is_assembled(k)) && !strchr(k->index, k->loop[l].index) &&
           strchr(k->index, k->loop[l + 1].index);
}

static bool has_windows(const step *k);

/* True if an operand's subscript has an index times 0. The loops of a workspace do not use such an operand. */
static bool has_idle(const step *k)
{
    for (unsigned o = 0; o < k->operands; o++)
        for (unsigned d = 0; k->operand[o].affine && d < tensor_at(k->operand[o].tensor)->rank; d++)
            if (k->operand[o].affine->subscript[d].idle) return true;
    return false;
}

/* True if each loop is over an index, and not over a part of one such as its blocks. */
static bool has_whole_loops(const step *k)
{
    for (unsigned l = 0; l < k->loops; l++)
        if (k->loop[l].part != WHOLE) return false;
    return true;
}

static bool has_ranges(const step *k)
{
    for (unsigned l = 0; l < k->loops; l++)
        if (is_range(k, &k->loop[l])) return true;
    return false;
}

/* True if the children of a region are operands, and none is a union or an intersection in turn. */
static bool joins_operands(const region *r)
{
    for (unsigned c = 0; c < r->count; c++)
        if (r->child[c]->kind != STORED || r->child[c]->operand < 0) return false;
    return true;
}

/* Moves a sum that an option names into a workspace. For A(i,r) = sum(j,k) X(i,j,k) B(j,r) C(k,r) with loops i, j, k, r:
   for each i and j, X(i,j,k) C(k,r) is summed over k into a workspace, which is then multiplied by B(j,r). */
static void add_workspace(step *k)
{
    unsigned first = 0, rank = 0;
    while (first < k->loops && !(loop_options.where & k->over & letter_bit(k->loop[first].index))) first++;
    const node *body = k->body;
    if (first == 0 || first == k->loops || body->kind != PRODUCT ||
        (k->result.reduction && !same(k->result.reduction, "sum")) || k->region->kind != ALL || has_diagonal(k) ||
        k->result.updates || the.semiring || has_windows(k) || k->result.left || has_idle(k) || is_recurrence(k))
        return;
    if (!has_whole_loops(k) || !joins_operands(k->region)) return;
    letters inside = 0, over = 0, index = 0;
    for (unsigned l = first; l < k->loops; l++) inside |= letter_bit(k->loop[l].index);
    over = inside & loop_options.where & k->over;
    node *made = make_node(PRODUCT, body->place), *rest = make_node(PRODUCT, body->place);
    for (unsigned n = 0; n < body->count; n++) {
        const bool is_made = free_letters(body->term[n].node) & over;
        if (is_made) index |= free_letters(body->term[n].node) & inside & ~over;
        add_term(is_made ? made : rest, body->term[n].node, body->term[n].inverse);
    }
    const int n = add_tensor(fresh_name("inner"), WORKSPACE, body->place);
    tensor *w = tensor_at(n);
    for (unsigned l = first; l < k->loops; l++)
        if (index & letter_bit(k->loop[l].index)) w->index[rank++] = k->loop[l].index;
    w->rank = rank;
    w->kind = kind_of(body, tensor_at(k->output)->kind);
    w->encoding = dense_encoding(rank);
    add_term(rest, access_to(n, w->index, body->place), false);
    k->where.workspace = n;
    k->where.inner = first;
    k->where.over = over;
    k->where.made = made->count == 1 && !made->term[0].inverse ? made->term[0].node : made;
    k->body = rest->count == 1 ? rest->term[0].node : rest;
}

/* Returns the first loop in which a row of an operand stays the same, if the row can be copied into an array that the
   loop over the last index reads. Returns 0 if not. */
static unsigned row_stays(const step *k, unsigned o)
{
    const operand *row = &k->operand[o];
    const encoding *e = stored_encoding(row);
    const char last = k->loop[k->loops - 1].index;
    unsigned first = 0;
    if (row->kind != VALUE || row->slice || row->affine || e->fill || tensor_at(row->tensor)->padded || e->levels < 2 ||
        row->index[e->level[e->levels - 1].dim] != last || e->level[e->levels - 1].format != COMPRESSED)
        return 0;
    for (unsigned n = 0; n < e->levels; n++)
        if (e->level[n].part != WHOLE || e->level[n].properties) return 0;
    for (unsigned l = 0; l + 1 < k->loops; l++)
        if (strchr(row->index, k->loop[l].index)) first = l + 1;
    return first;
}

/* The expected number of iterations of the loops from `first` on, without the innermost. */
static double meetings(const step *k, unsigned first)
{
    double times = 1;
    letters outside = 0;
    for (unsigned l = 0; l + 1 < k->loops; l++) {
        const char i = k->loop[l].index;
        double part = 1;
        for (unsigned o = 0; o < k->operands; o++)
            if (stores(&k->operand[o], i)) part = fmin(part, stored_part_at(&k->operand[o], i, outside, false));
        if (l >= first) times *= assumed_size(i) * part;
        outside |= letter_bit(i);
    }
    return times;
}

/* Copies a row into an array if it is intersected with many other rows, which then look up the common coordinates there.
   In s = sum(i,k,j) L(i,k) U(k,j) M(i,j) that is row i of M. A lookup takes one step for each entry of the other row, a
   merge one step for each entry of both. */
enum { WORTH_MARKING = 4 };
static void mark_row(step *k)
{
    const node *body = k->body;
    if (k->loops < 3 || body->kind != PRODUCT || (k->result.reduction && !same(k->result.reduction, "sum")) ||
        k->region->kind != ALL || has_diagonal(k) || k->result.updates || k->result.like || k->result.left ||
        k->scatter.access || the.semiring || has_windows(k) || is_recurrence(k) || (loop_options.prefetch & k->over))
        return;
    const char last = k->loop[k->loops - 1].index;
    if (!has_whole_loops(k) || has_ranges(k) || !joins_operands(k->region) || drivers_of(k, last) != 2) return;
    for (unsigned o = 0; o < k->operands; o++) {
        const unsigned first = row_stays(k, o);
        const encoding *e = stored_encoding(&k->operand[o]);
        unsigned uses = 0, n = 0;
        bool moves = false; /* does the other row change from one intersection to the next? */
        for (unsigned m = 0; m < k->operands; m++)
            for (unsigned l = first; m != o && stores(&k->operand[m], last) && l + 1 < k->loops; l++)
                moves = moves || strchr(k->operand[m].index, k->loop[l].index);
        for (unsigned m = 0; m < body->count; m++)
            if (body->term[m].node->kind == ACCESS && known_operand(k, body->term[m].node) == &k->operand[o])
                uses++, n = m;
            else if (body->term[m].node->kind != ACCESS && reads_elsewhere(body->term[m].node, k->operand[o].tensor, ""))
                uses = 2;
        /* an array cannot tell a stored zero from a missing entry, which matters for an assembled result */
        if (first == 0 || !moves || uses != 1 || body->term[n].inverse || body->term[n].node->member ||
            (is_assembled(k) && !e->constant) || meetings(k, first) < WORTH_MARKING)
            continue;
        for (unsigned l = first; l < k->loops; l++)
            if (loop_options.parallel & letter_bit(k->loop[l].index)) return;
        const int w = add_tensor(fresh_name("row"), WORKSPACE, body->place);
        node *rest = make_node(PRODUCT, body->place);
        tensor_at(w)->index[0] = last;
        tensor_at(w)->rank = 1;
        tensor_at(w)->kind = computed(tensor_at(k->operand[o].stored)->kind);
        tensor_at(w)->encoding = dense_encoding(1);
        for (unsigned m = 0; m < body->count; m++)
            if (m != n) add_term(rest, body->term[m].node, body->term[m].inverse);
        add_term(rest, access_to(w, tensor_at(w)->index, body->place), false);
        k->where.workspace = w;
        k->where.inner = first;
        k->where.made = body->term[n].node;
        k->marked = o + 1;
        k->body = rest;
        return;
    }
}

/* Refuses parallel(i) for the loops of a recurrence, which run in order. Otherwise it would only apply to the copy
   before them, without a warning. */
static void check_recurrences(void)
{
    for (int n = 0; n < scheduled_steps; n++)
        for (unsigned l = 0; scheduled[n].kind == KERNEL && is_recurrence(&scheduled[n]) && l < scheduled[n].loops; l++)
            if (loop_options.parallel & letter_bit(scheduled[n].loop[l].index) && !is_parallel(&scheduled[n], l))
                refuse(loop_options.place,
                       "parallel(%c): %s is a recurrence, whose elements are computed one after the other",
                       scheduled[n].loop[l].index, tensor_at(scheduled[n].output)->name);
}

static void check_strategies(void)
{
    letters done = 0;
    check_recurrences();
    for (int n = 0; loop_options.threads && n < scheduled_steps; n++)
        if (scheduled[n].kind == KERNEL && scheduled[n].loops && can_run_parallel(&scheduled[n], &scheduled[n].loop[0]) &&
            !is_range(&scheduled[n], &scheduled[n].loop[0]))
            loop_options.parallel |= letter_bit(scheduled[n].loop[0].index);
    for (int n = 0; n < scheduled_steps; n++)
        for (unsigned l = 0; scheduled[n].kind == KERNEL && l < scheduled[n].loops; l++)
            if (is_simd(&scheduled[n], l) || is_parallel(&scheduled[n], l)) done |= letter_bit(scheduled[n].loop[l].index);
    letters unrolled = 0, fetched = 0, tiled = 0, made = 0;
    for (int n = 0; n < scheduled_steps; n++) {
        made |= scheduled[n].where.over;
        for (unsigned l = 0; scheduled[n].kind == KERNEL && l < scheduled[n].loops; l++)
            if (is_unrolled(&scheduled[n], l))
                unrolled |= letter_bit(scheduled[n].loop[l].index);
            else if (is_fetched(&scheduled[n], l))
                fetched |= letter_bit(index_as_written(&scheduled[n], l));
            else if (is_tiled(&scheduled[n], l))
                tiled |= letter_bit(scheduled[n].loop[l].index);
    }
    for (char i = 'a'; i <= 'z'; i++) {
        for (int n = 0; ((loop_options.parallel | loop_options.simd) & ~done & letter_bit(i)) && n < scheduled_steps; n++)
            for (unsigned l = 0; half_of(&scheduled[n]) >= 0 && l < scheduled[n].loops; l++)
                if (scheduled[n].loop[l].index == i && is_over_half(&scheduled[n], &scheduled[n].loop[l]))
                    refuse(loop_options.place,
                           "%s(%c): a matrix stores one triangle, so iterations add to the same elements",
                           loop_options.simd & letter_bit(i) ? "simd" : "parallel", i);
        if ((loop_options.simd & ~done) & letter_bit(i))
            refuse(loop_options.place, "simd(%c): no kernel has %c as its innermost loop", i, i);
        if ((loop_options.unroll & ~unrolled) & letter_bit(i))
            refuse(loop_options.place,
                   "unroll(%c): no kernel has a loop %c around an innermost one that visits all coordinates", i, i);
        if ((loop_options.prefetch & ~fetched) & letter_bit(i))
            refuse(loop_options.place,
                   "prefetch(%c): no kernel has a loop over the entries of one operand through which others "
                   "are reached",
                   i);
        if ((loop_options.tile & ~tiled) & letter_bit(i))
            refuse(loop_options.place, "tile(%c): no kernel has a loop %c over all coordinates into a dense result", i, i);
        if ((loop_options.where & ~made) & letter_bit(i))
            refuse(loop_options.place,
                   "where(%c): no kernel sums a product over %c inside of other loops, with sparse factors "
                   "in order",
                   i, i);
        if ((loop_options.let & ~loop_options.let_done) & letter_bit(i))
            refuse(loop_options.place, "let(%c): no kernel reads a sparse tensor at a sum of %c and indices that are summed",
                   i, i);
        if ((loop_options.parallel & ~done) & letter_bit(i))
            refuse(loop_options.place,
                   "parallel(%c): no kernel has a loop %c whose iterations write to places of their own, or an outermost "
                   "one that adds "
                   "up to one number",
                   i, i);
    }
}

/* >>sizes */

/* Decides which assigned tensors are outputs and which are temporaries. A tensor that a later statement reads is a
   temporary, unless the user names it with -o, --print or --draw-storage. */
static void settle_roles(void)
{
    for (int s = 0; s < the.statements; s++) {
        const int n = the.statement[s].output;
        bool read = false, wanted = false;
        for (int later = s + 1; later < the.statements; later++)
            read = read || (the.statement[later].output != n && statement_reads(&the.statement[later], n));
        for (int k = 0; k < tensor_options.outs; k++)
            wanted = wanted || (tensor_options.out[k].name && same(tensor_options.out[k].name, tensor_at(n)->name));
        for (int k = 0; k < tensor_options.prints; k++)
            wanted = wanted || same(tensor_options.printed[k], tensor_at(n)->name);
        for (int k = 0; k < tensor_options.draws; k++)
            wanted = wanted || same(tensor_options.drawn[k].name, tensor_at(n)->name);
        const bool inner = derivative_of(n) >= 0 && tensor_at(derivative_of(n))->role != INPUT;
        if (read && !wanted && (!tensor_at(n)->updated || inner)) tensor_at(n)->role = TEMPORARY;
    }
}

/* Makes an index the same size as the first index seen in a dimension, or records it as the first. */
static void meet_in(char *first, char here)
{
    if (*first == 0) *first = here;
    char a = size_letter(*first), b = size_letter(here);
    if (a > b) {
        const char c = a;
        a = b;
        b = c;
    }
    for (char i = 'a'; a != b && i <= 'z'; i++)
        if (size_letter(i) == b) alphabet.alike[i - 'A'] = a;
}

/* Gives the indices that share a dimension of a tensor the same size. */
static void join_letters(const node *n, char first[][MAX_RANK])
{
    for (unsigned d = 0; is_access(n) && d < tensor_at(n->tensor)->rank; d++) {
        if (is_at_subscripts(n) && tensor_at(n->tensor)->windowed[d]) continue;
        const char here = n->kind == WINDOW || n->affine ? n->subscript[d].index[0] : n->index[d];
        meet_in(&first[n->tensor][d], here);
        if (set_of(here)) meet_in(&first[find_tensor(set_of(here))][0], known_by(here));
        if (tensor_at(n->tensor)->half) meet_in(&first[n->tensor][0], here); /* it is square */
    }
    for (unsigned k = 0; k < n->count; k++) join_letters(n->term[k].node, first);
}

/* Makes an access with such subscripts to a sparse tensor a slice, which the kernel reads at plain indices. */
static void make_slice(node *n)
{
    const tensor *t = tensor_at(n->tensor);
    for (unsigned d = 0; d < t->rank; d++) n->index[d] = n->subscript[d].index[0];
    n->index[t->rank] = '\0';
    n->kind = ACCESS;
    n->sliced = lowering.sliced = true;
}

/* The letter of the one-iteration loop that stands for a constant subscript in dimension d. */
static char unit_of_dim(unsigned d, spot place)
{
    if (alphabet.unit[d]) return alphabet.unit[d];
    alphabet.unit[d] = last_letter(place);
    alphabet.size[alphabet.unit[d] - 'A'] = 1;
    return alphabet.unit[d];
}

/* Ensures that every subscript becomes known in a loop of its own, the last of its indices. If that fails, as in
   C(i,i+1), adds a loop of one iteration to the last of the subscripts concerned. A subscript is settled once it has an
   index that no other unsettled subscript has. */
static void resolve_apart(node *n)
{
    const tensor *t = tensor_at(n->tensor);
    const unsigned rank = t->rank;
    unsigned settled = 0;
    for (unsigned round = 0; round < rank; round++) {
        unsigned next = rank, last = rank;
        for (unsigned d = 0; d < rank; d++) {
            letters own = letters_of(n->subscript[d].index);
            if (settled >> d & 1) continue;
            for (unsigned e = 0; e < rank; e++)
                if (e != d && !(settled >> e & 1)) own &= ~letters_of(n->subscript[e].index);
            if (own || n->subscript[d].unit) next = d;
            if (last == rank || t->windowed[d] || !t->windowed[last]) last = d;
        }
        if (next == rank) n->subscript[next = last].unit = unit_of_dim(last, n->subscript[last].place);
        settled |= 1u << next;
    }
}

/* Refuses a subscript that subtracts an index, which kernel lines do not allow. */
_Noreturn static void refuse_difference(const node *n, const subscript *s)
{
    const tensor *t = tensor_at(n->tensor);
    refuse(s->place, "%s is %s: a subscript of it adds indices, and subtracts numbers only", t->name,
           n->tensor == the.statement[lowering.current].output ? "assigned to"
           : t->padded                                         ? "padded"
           : has_set(n->index)                                 ? "chosen from"
                                                               : "sparse");
}

/* The first subscript of an access in a line that subtracts an index; null if there is none. */
static const subscript *difference_in(const node *affine)
{
    for (unsigned d = 0; affine && d < tensor_at(affine->tensor)->rank; d++)
        for (unsigned k = 0; k < affine->subscript[d].count; k++)
            if (affine->subscript[d].step[k] < 0) return &affine->subscript[d];
    return NULL;
}

/* Puts the subscripts of an access into the kernel line: sums of multiples of indices, and a constant. */
static void make_affine(node *n)
{
    const tensor *t = tensor_at(n->tensor);
    make_window(n);
    n->kind = ACCESS;
    n->affine = lowering.sliced = true;
    for (unsigned d = 0; d < t->rank; d++) {
        subscript *s = &n->subscript[d];
        for (unsigned k = 0; k < s->count; k++) /* for operands, the loops may compute an index of the result instead */
            if (s->step[k] < 0 && (has_set(n->index) || n->tensor == the.statement[lowering.current].output) &&
                !(t->padded && n == the.statement[lowering.current].left))
                refuse_difference(n, s);
        if (s->count == 0) s->unit = unit_of_dim(d, s->place);
    }
    resolve_apart(n);
}

/* True if each subscript of an access has at most one index and stays inside the tensor. */
static bool is_slice(const node *n)
{
    for (unsigned d = 0; d < tensor_at(n->tensor)->rank; d++)
        if (n->subscript[d].count != 1 || n->subscript[d].step[0] < 0 || n->subscript[d].idle) return false;
    return !tensor_at(n->tensor)->padded;
}

/* The plain indices in the accesses of an expression. */
static letters bare_letters_of(const node *n)
{
    letters set = 0;
    for (unsigned d = 0; is_access(n) && n->subscript && d < tensor_at(n->tensor)->rank; d++)
        if (!tensor_at(n->tensor)->windowed[d]) set |= letters_of(n->subscript[d].index);
    for (unsigned k = 0; k < n->count; k++) set |= bare_letters_of(n->term[k].node);
    return set;
}

/* True if only this access determines the size of an index. A kernel line computes the size if the subscript adds
   indices. */
static bool tells_size(const node *n, letters known)
{
    letters all = 0;
    for (unsigned d = 0; d < tensor_at(n->tensor)->rank; d++) {
        const subscript *s = &n->subscript[d];
        all |= letters_of(s->index);
        for (unsigned k = 0; k < s->count; k++)
            if (s->step[k] < 0) return false;
    }
    return (all & ~known) != 0;
}

/* Decides how a tensor with subscripts such as i + p is read: as an array, as slices, or with the subscripts in the
   kernel line. A tensor that is read as an array once is read so everywhere. */
static void open_windows(node *n, int output, letters known)
{
    const bool window = is_access(n) && tensor_at(n->tensor)->window.source &&
                        (n->kind == WINDOW || n->tensor != output || the.statement[lowering.current].left);
    for (unsigned d = 0; window && d < tensor_at(n->tensor)->rank; d++)
        if (!tensor_at(n->tensor)->padded) check_start(&n->subscript[d], NULL);
    if (window && (tells_size(n, known) || has_set(n->index)))
        make_affine(n);
    else if (window && is_everywhere(n->tensor))
        make_window(n);
    else if (window && is_slice(n))
        make_slice(n);
    else if (window)
        make_affine(n);
    for (unsigned k = 0; k < n->count; k++) open_windows(n->term[k].node, output, known);
}

/* The indices that occur only in sums with an index of the result. They run over filters and windows, which are small. */
static letters filters_of(const node *n, letters result)
{
    letters set = 0;
    for (unsigned d = 0; (n->kind == WINDOW || n->affine) && d < tensor_at(n->tensor)->rank; d++) {
        const letters all = letters_of(n->subscript[d].index);
        if (all & result) set |= all & ~result;
    }
    for (unsigned k = 0; k < n->count; k++) set |= filters_of(n->term[k].node, result);
    return set;
}

/* If an index has no size yet, takes the size of a padded tensor in which it is a plain subscript: i in a(i) + a(i+1). */
static void take_padded_sizes(const node *n, char first[][MAX_RANK], letters *known)
{
    for (unsigned d = 0; is_access(n) && tensor_at(n->tensor)->padded && d < tensor_at(n->tensor)->rank; d++) {
        const char i = n->subscript[d].index[0];
        if (!is_index(&n->subscript[d]) || !tensor_at(n->tensor)->windowed[d] || (*known & letter_bit(i))) continue;
        meet_in(&first[n->tensor][d], i);
        *known |= letter_bit(i);
    }
    for (unsigned k = 0; k < n->count; k++) take_padded_sizes(n->term[k].node, first, known);
}

/* Gives dimensions over which no index runs a size of their own, named by a capital letter. */
static void settle_windows(char first[][MAX_RANK])
{
    char next = 'A';
    for (int n = 0; n < the.tensors; n++) {
        tensor *t = tensor_at(n);
        for (unsigned d = 0; d < t->rank; d++) {
            if (!t->windowed[d]) continue;
            if (!is_sparse(n) && !is_permutation(&t->encoding))
                refuse(t->window, "%s is dense in blocks, so each of its subscripts must be a single index", t->name);
            if (next > 'Z') refuse(t->window, "more than 26 dimensions have subscripts such as i + p");
            t->index[d] = first[n][d] ? first[n][d] : next++;
            if (t->told[d]) alphabet.size[t->index[d] - 'A'] = t->told[d];
        }
    }
}

/* Computes the least and greatest value of a subscript. Returns false if an index has no given size, or size 0. */
static bool find_range(const subscript *s, long *least, long *greatest)
{
    *least = *greatest = s->start;
    for (unsigned k = 0; k < s->count; k++) {
        const unsigned long size = alphabet.size[size_letter(s->index[k]) - 'A'];
        if (size == 0 || size > LONG_MAX / LARGEST_STEP / MAX_RANK) return false;
        *(s->step[k] < 0 ? least : greatest) += s->step[k] * (long)(size - 1);
    }
    return true;
}

/* Refuses subscripts that are negative for all indices, which are a mistake even with padding, and negative ones without
   padding. */
static void check_ranges(const node *n)
{
    for (unsigned k = 0; k < n->count; k++) check_ranges(n->term[k].node);
    for (unsigned d = 0; is_access(n) && is_at_subscripts(n) && d < tensor_at(n->tensor)->rank; d++) {
        const subscript *s = &n->subscript[d];
        long least, greatest;
        if (!tensor_at(n->tensor)->windowed[d] || !find_range(s, &least, &greatest)) continue;
        if (greatest < 0) refuse(s->place, "this subscript is negative at all coordinates");
        if (least < 0 && !tensor_at(n->tensor)->padded)
            refuse(s->place, "this subscript goes down to %ld; with --padded, what lies outside is the fill value", least);
    }
}

static void settle_sizes(void)
{
    static char first[MAX_TENSORS][MAX_RANK];
    unsigned long given[sizeof alphabet.size / sizeof *alphabet.size];
    memcpy(given, alphabet.size, sizeof given);
    letters known = 0;
    for (char i = 'a'; i <= 'z'; i++)
        if (has_size(i)) known |= letter_bit(i);
    for (int s = 0; s < the.statements; s++) {
        known |= bare_letters_of(the.statement[s].value);
        if (the.statement[s].left)
            known |= bare_letters_of(the.statement[s].left);
        else if (!is_sparse(the.statement[s].output))
            known |= letters_of(the.statement[s].index);
    }
    for (int s = 0; s < the.statements; s++) take_padded_sizes(the.statement[s].value, first, &known);
    for (int s = 0; s < the.statements; s++) {
        node *out = make_node(ACCESS, the.statement[s].place);
        lowering.current = s;
        out->tensor = the.statement[s].output;
        strcpy(out->index, the.statement[s].index);
        open_windows(the.statement[s].value, out->tensor, known);
        alphabet.filters |= filters_of(the.statement[s].value, letters_of(the.statement[s].index));
        if (the.statement[s].left) {
            out = the.statement[s].left;
            for (unsigned d = 0; !tensor_at(out->tensor)->padded && d < tensor_at(out->tensor)->rank; d++)
                check_start(&out->subscript[d], tensor_at(out->tensor)->name);
            if (out->kind == WINDOW) make_affine(out);
        }
        join_letters(out, first);
        join_letters(the.statement[s].value, first);
    }
    for (char i = 'a'; i <= 'z'; i++) /* all tensors that an index set chooses from have one size */
        for (char k = 'a'; set_of(i) && k < i; k++)
            if (set_of(k) && same(set_of(k), set_of(i))) meet_in(&k, i);
    for (char i = 'a'; i <= 'z'; i++) {
        const unsigned long n = given[i - 'A'], *m = &alphabet.size[size_letter(i) - 'A'];
        if (n && *m && *m != n) refuse(nowhere, "%c and %c index one dimension, but their sizes differ", i, size_letter(i));
        if (n) alphabet.size[size_letter(i) - 'A'] = n;
    }
    settle_windows(first);
    for (int s = 0; s < the.statements; s++) {
        check_ranges(the.statement[s].value);
        if (the.statement[s].left) check_ranges(the.statement[s].left);
    }
}

/* Sizes of indices that occur only in windows are given with -d. A kernel takes sizes from its operands. If no operand
   has an index as a plain subscript, one more operand is added that consists of nothing but the range of the index. */

static bool has_windows(const step *k)
{
    for (unsigned o = 0; o < k->operands; o++)
        if (k->operand[o].kind == ARRAY || k->operand[o].slice || tensor_at(k->operand[o].tensor)->range) return true;
    return k->scatter.access && !tensor_at(k->scatter.access->tensor)->padded; /* no subscript remains that needs a check */
}

/* The indices that are plain subscripts of an operand, or of an output that has its size before the kernel runs. */
static letters sized_letters(const step *k)
{
    const bool made = tensor_at(k->output)->role == TEMPORARY || (is_sparse(k->output) && !k->result.updates);
    /* an output that gets its size from ranges is still empty */
    letters own = made ? 0 : bare_letters(k->index, k->result.left) & ~alphabet.ranged;
    for (unsigned o = 0; o < k->operands; o++) own |= bare_letters(k->operand[o].index, k->operand[o].affine);
    return own;
}

/* Indices with sizes from -d whose strategies do not work with range(p, 3). An operand gives their sizes instead. */
static letters sized_apart(void)
{
    letters set = loop_options.parallel | loop_options.simd | loop_options.unroll | loop_options.tile;
    for (char i = 'a'; i <= 'z'; i++)
        if (!has_size(i)) set &= ~letter_bit(i);
    return set;
}

/* True if range(p, 3) can give the size of index i: it is known, and i is summed or the line has subscripts that are
   sums. */
static bool is_range_known(const step *k, char i) { return has_size(i) && (is_affine(k) || !strchr(k->index, i)); }

/* The letters with known sizes. Also counts a letter that is the only unknown one in a subscript of an unpadded tensor:
   its loop runs as long as the subscript stays inside. */
static letters found_letters(const step *k)
{
    const letters apart = sized_apart();
    letters own = sized_letters(k), before;
    for (char i = 'a'; i <= 'z'; i++)
        if (is_range_known(k, i) && !(apart & letter_bit(i)) && !set_of(i)) own |= letter_bit(i);
    do {
        before = own;
        for (unsigned o = 0; o < k->operands; o++) {
            const node *n = k->operand[o].affine;
            for (unsigned d = 0; n && !tensor_at(n->tensor)->padded && d < tensor_at(n->tensor)->rank; d++) {
                const letters left = letters_of(n->subscript[d].index) & ~own;
                if (bits_of(left) == 1 && !(left & apart)) own |= left;
            }
        }
    } while (before != own);
    return own;
}

/* True if the line writes the size of the loop: it is over a constant, is to be unrolled, or nothing else in the line
   gives its known size. */
static bool is_range(const step *k, const loop *l)
{
    if (k->scatter.access && is_written_out(l)) return true;
    return l->part == WHOLE && is_range_known(k, l->index) && !((sized_letters(k) | sized_apart()) & letter_bit(l->index));
}

/* True if a kernel has an index whose size neither an operand nor an existing output gives. */
static bool lacks_sizes(const step *k)
{
    return (letters_of(k->index) | k->over | all_letters(k->body)) & ~sized_letters(k);
}

static bool is_result_of_parts(int n);
static bool is_made_of_parts(int n);

/* The indices whose sizes the function takes from its tensors; among equal sizes the first. A sparse result gives none if it
   is replaced. In the driver, a result made of parts gives none, because it gets its sizes from the indices. */
static letters given_letters(bool in_driver)
{
    letters set = 0;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *t = tensor_at(n);
        const bool gives =
            t->role == INPUT || (t->role == OUTPUT && (!is_sparse(n) || (t->updated && !is_result_of_parts(n))));
        if (in_driver && is_made_of_parts(n)) continue;
        for (const char *i = t->index; gives && *i; i++)
            if (islower((unsigned char)*i)) set |= letter_bit(size_letter(*i));
    }
    return set;
}

/* The source position of the first window with index i in an expression. */
static spot window_of(const node *n, char i)
{
    if ((n->kind == WINDOW || n->sliced) && strchr(n->index, i)) return n->place;
    for (unsigned k = 0; k < n->count; k++) {
        const spot place = window_of(n->term[k].node, i);
        if (place.source) return place;
    }
    return nowhere;
}

/* Adds a range operand for each index of a step whose size nothing else in the line gives. Refuses an index of unknown
   size. */
static void add_ranges_of(step *k, letters given)
{
    const letters own = found_letters(k), all = letters_of(k->index) | all_letters(k->body);
    for (char i = 'a'; i <= 'z'; i++) {
        if (!(all & letter_bit(i))) continue;
        const spot window = window_of(k->body, i), place = window.source ? window : tensor_at(k->output)->place;
        const bool asked = window.source || (has_lets(k) && strchr(k->index, i));
        if (!(given & letter_bit(size_letter(i))) && !has_size(size_letter(i)) && (asked || !(own & letter_bit(i))))
            refuse(place,
                   set_of(i) ? "no tensor has the size of what %s tells places of, so that is needed: -d %s=SIZE"
                             : "no tensor has %s as a subscript by itself, so its size is needed: -d %s=SIZE",
                   index_name(i), index_name(i));
        if (own & letter_bit(i)) continue;
        const int n = range_tensor(i, place), o = add_operand(k, n, tensor_at(n)->name, print("%c", i), place);
        if (k->region->kind == ANY) { /* the operands are intersected with the range */
            region *whole = make_region(ALL, 0);
            add_child(whole, k->region);
            k->region = whole;
        }
        add_child(k->region, make_region(STORED, o));
    }
}

static void add_ranges(void)
{
    const letters given = given_letters(false);
    for (int s = 0; s < the.steps; s++)
        if (the.step[s].kind == KERNEL && (has_windows(&the.step[s]) || lacks_sizes(&the.step[s])))
            add_ranges_of(&the.step[s], given);
}

/* >>found */

/* The index of the result that can be computed from dimension d of operand n, given the stored coordinate and the other
   indices of the sum; 0 if there is none. The operand is read at a sum there, of this index and of others that are not in
   the result. */
static char found_of_dim(const step *k, unsigned n, unsigned d)
{
    const subscript *s = &k->operand[n].affine->subscript[d];
    const letters result = letters_of(k->index), sized = is_assembled(k) ? found_letters(k) : sized_letters(k);
    char found = 0;
    for (unsigned c = 0; c < s->count; c++) {
        const char i = s->index[c];
        if (!(sized & letter_bit(i)) && !has_size(i)) return 0;
        if (!(result & letter_bit(i))) continue;
        if (found) return 0;
        found = i;
    }
    if (!found || is_index(s) || s->unit) return 0;
    for (unsigned o = 0; o < k->operands; o++)
        for (unsigned e = 0; e < tensor_at(k->operand[o].tensor)->rank; e++)
            if ((o != n || e != d) && (letters_at(&k->operand[o], e) & letter_bit(found))) return 0;
    /* an option prefetches the loop from which it is computed */
    const letters ahead = loop_options.prefetch & loop_options.let & letter_bit(found);
    return strategies_asked() & ~ahead & letters_of_subscript(s) ? 0 : found;
}

/* True if the loops may visit the entries of an operand and compute where in the result to add. The result must be zero
   elsewhere. */
static bool can_scatter(const step *k, unsigned n)
{
    const operand *o = &k->operand[n];
    const region *r = k->region;
    if (o->kind != VALUE || !o->affine || o->slice || k->result.left || has_diagonal(k) || k->result.reads_output ||
        k->result.updates || is_recurrence(k))
        return false;
    if (k->result.like || tensor_at(k->output)->role == TEMPORARY || tensor_at(o->tensor)->encoding.fill) return false;
    if (!is_sparse(o->stored) && !difference_in(o->affine)) return false;
    return r->kind == ALL ? joins_operands(r) : (r->kind == STORED && r->operand == (int)n);
}

/* The output's access in terms of the loops over stored entries. Each of its coordinates is known once the last loop in
   it has begun. */
static node *placed_by(const step *k)
{
    node *a = make_node(ACCESS, k->scatter.access->place);
    a->tensor = k->output;
    a->subscript = take(MAX_RANK * sizeof *a->subscript);
    for (unsigned e = 0; k->index[e]; e++) {
        subscript *s = &a->subscript[e];
        *s = (subscript){.place = a->place, .count = 1, .index = {k->index[e]}, .step = {1}};
        for (unsigned d = 0; d < MAX_RANK; d++)
            if (k->scatter.found[d] == k->index[e])
                *s = k->scatter.access->subscript[d], *strchr(s->index, k->scatter.found[d]) = k->scatter.visited[d];
    }
    return a;
}

/* Makes a kernel whose loops visit the entries of operand n in the dimensions of `set` and compute the element of the
   result. Returns false if no letters are left. */
static bool scatter(const step *k, unsigned n, unsigned set, step *made)
{
    *made = *k;
    operand *o = &made->operand[n];
    node *a = make_node(ACCESS, o->affine->place);
    letters used = alphabet.single | alphabet.visited;
    bool sums = false;
    text index = {0};
    *a = *o->affine;
    a->subscript = take(MAX_RANK * sizeof *a->subscript);
    memcpy(a->subscript, o->affine->subscript, tensor_at(o->tensor)->rank * sizeof *a->subscript);
    made->scatter.access = o->affine;
    for (unsigned d = 0; d < tensor_at(o->tensor)->rank; d++) {
        if (set >> d & 1) {
            char i = 'r'; /* names the loops r, s, t, ... */
            for (unsigned c = 0; c < 26 && (used & letter_bit(i)); c++) i = i == 'z' ? 'a' : (char)(i + 1);
            if (used & letter_bit(i)) return false;
            used |= letter_bit(i);
            made->scatter.found[d] = found_of_dim(k, n, d);
            made->scatter.visited[d] = i;
            a->subscript[d] = (subscript){.place = a->subscript[d].place, .count = 1, .index = {i}, .step = {1}};
        }
        sums = sums || !is_index(&a->subscript[d]) || (tensor_at(o->tensor)->windowed[d] && !(set >> d & 1));
        for (const char *i = a->subscript[d].index; *i; i++)
            if (!index.at || !strchr(index.at, *i)) put(&index, "%c", *i);
    }
    o->affine = sums ? a : NULL;
    strcpy(o->index, index.at);
    if (is_assembled(k)) made->scatter.placed = placed_by(made);
    return true;
}

/* Reserves or releases the letters of the loops over stored entries, while such a kernel is examined. */
static void visit(const step *k, bool begins)
{
    for (unsigned d = 0; d < MAX_RANK; d++) {
        if (!k->scatter.visited[d]) continue;
        alphabet.visited = begins ? alphabet.visited | letter_bit(k->scatter.visited[d])
                                  : alphabet.visited & ~letter_bit(k->scatter.visited[d]);
        alphabet.alike[k->scatter.visited[d] - 'A'] = size_letter(k->scatter.found[d]);
        alphabet.spanned[k->scatter.visited[d] - 'A'] = begins ? span_of(&k->scatter.access->subscript[d], '\0', 0) : 0;
    }
}

/* True if the windows of a result leave gaps, so that some stored entries contribute to no element. */
static bool has_gaps(const step *k)
{
    for (unsigned d = 0; d < MAX_RANK; d++) {
        const subscript *s = &k->scatter.access->subscript[d];
        for (unsigned c = 0; k->scatter.found[d] && c < s->count; c++)
            if (s->index[c] == k->scatter.found[d] && span_of(s, k->scatter.found[d], 0) < (double)s->step[c]) return true;
    }
    return false;
}

/* The cost of the loops without conversions; infinite if no order fits the storage, or if the line would have too many
   loops. */
static double cost_as_stored(const step *k, spot place, unsigned best[])
{
    unsigned order[MAX_LOOPS];
    const graph g = graph_of(k, 0, place);
    if (loops_of_line(k, &g) > MAX_LOOPS) return (double)INFINITY;
    for (unsigned o = 0; o < k->operands; o++)
        if (reason_to_convert(k, o, &g)) return (double)INFINITY;
    return best_order(k, &g, 0, 0, order, best, (double)INFINITY);
}

/* True if the indices of a line, including computed ones, exceed the limit for loops. */
static bool has_many_indices(const step *k)
{
    char index[27];
    return indices_of(k, index) + bits_of(found_by(k)) > MAX_LOOPS;
}

/* True if the loops visit the stored entries of this access. */
static bool is_found_from(const step *k, const node *n)
{
    return n->kind == ACCESS && n->affine && n->tensor == k->scatter.access->tensor && same_place(n, k->scatter.access);
}

/* The dimension along which an operand stores its rows. */
static unsigned dim_of_rows(const operand *o)
{
    const encoding *e = stored_encoding(o);
    return e->level[e->levels - 1].dim;
}

/* True if the rows of an operand can be copied into arrays that vectorised loops read at the sums. The row of the dense
   result must be computed from the entries, the window unrolled, and no other operand may depend on the order. Zeros are
   computed too, so no value may be divided by them. */
static bool can_open(const step *k, unsigned n)
{
    const operand *row = &k->operand[n], out = output_operand(k);
    const encoding *e = stored_encoding(row);
    const unsigned d = dim_of_rows(row);
    const char found = k->scatter.found[d];
    const subscript *sum = &k->scatter.access->subscript[d];
    const bool alone = is_found_from(k, k->body) && !k->body->member;
    unsigned uses = alone;
    if (!found || has_many_indices(k) || e->levels < 2 || (k->body->kind != PRODUCT && !alone) || is_sparse(k->output) ||
        the.semiring || (k->result.reduction && !same(k->result.reduction, "sum")) || tensor_at(row->tensor)->padded ||
        strides(&out, &(loop){found, 0, WHOLE, 0}) || e->level[e->levels - 1].format == DENSE ||
        e->level[e->levels - 1].properties)
        return false;
    for (unsigned l = 0; l < e->levels; l++) {
        const subscript *s = &k->scatter.access->subscript[e->level[l].dim];
        if (e->level[l].part != WHOLE || s->idle || (s != sum && (letters_of(s->index) & letters_of(sum->index))))
            return false;
    }
    for (unsigned c = 0; c < sum->count; c++)
        if (sum->index[c] == found ? sum->step[c] != 1 : !is_written_out(&(loop){sum->index[c], 0, WHOLE, 0})) return false;
    for (unsigned o = 0; o < k->operands; o++)
        if (o != n && is_sparse(k->operand[o].stored)) return false;
    for (unsigned m = 0; m < k->body->count; m++) {
        const node *term = k->body->term[m].node;
        if (is_found_from(k, term) && !term->member)
            uses++;
        else if (reads_elsewhere(term, row->tensor, ""))
            uses = 2;
        if (k->body->term[m].inverse) return false;
    }
    return uses == 1;
}

/* The cost with rows as arrays. Every entry is written and cleared, one step each; then the whole array is read, several
   values per step. The constant lies between what -O2 and full vectorisation gave, compared with loops over entries. */
enum { STEPS_AT_ONCE = 5 };
static double cost_opened(const step *k, const operand *row, const graph *g, const unsigned order[])
{
    const unsigned d = dim_of_rows(row);
    const subscript *sum = &k->scatter.access->subscript[d];
    double runs = 1, rows = 1, entries = 0, reads = assumed_size(k->scatter.found[d]), cost = 0;
    letters outside = 0;
    for (unsigned n = 0; n < g->loops; n++) {
        const loop *l = &g->loop[order[n]];
        const double t = fmax(trips(k, g, k->region, l, outside), 1);
        if (l->index == k->scatter.visited[d]) {
            entries = t;
        } else if (strchr(sum->index, l->index)) {
            reads *= t;
        } else {
            runs *= t;
            cost += is_written_out(l) ? runs / WRITTEN_OUT_SHARE : runs;
            if (strchr(row->index, l->index)) rows = runs;
            outside |= letter_bit(l->index);
        }
    }
    cost += waits(k, &g->loop[order[0]], runs);
    return cost + rows * entries + runs * reads / STEPS_AT_ONCE;
}

/* Copies each row of an operand into an array. The loops (r, s, range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))
   become r, range(p, 3), let(i, r - p), j, range(q, 3), and the loop over s computes the array, a workspace. */
static void open_row(step *k)
{
    if (!k->opened || !can_open(k, k->opened - 1)) return;
    const unsigned d = dim_of_rows(&k->operand[k->opened - 1]);
    const subscript *sum = &k->scatter.access->subscript[d];
    const char place = k->scatter.visited[d];
    node *body = k->body;
    loop made[MAX_LOOPS];
    graph g = {.loops = k->loops};
    unsigned count = 0, order[MAX_LOOPS] = {0};
    for (unsigned l = 0; l < k->loops; l++) g.loop[l] = k->loop[l], order[l] = l;
    k->cost = cost_opened(k, &k->operand[k->opened - 1], &g, order);
    for (unsigned l = 0; l < k->loops; l++)
        if (k->loop[l].index != place && !strchr(sum->index, k->loop[l].index)) made[count++] = k->loop[l];
    k->where.inner = count;
    made[count++] = (loop){place, 0, WHOLE, 0};
    made[count++] = (loop){k->scatter.found[d], 0, WHOLE, 0};
    for (unsigned l = 0; l < k->loops; l++)
        if (strchr(sum->index, k->loop[l].index)) made[count++] = k->loop[l];
    memcpy(k->loop, made, count * sizeof *made);
    k->loops = count;
    k->scatter.found[d] = k->scatter.visited[d] = 0;
    k->where.workspace = add_tensor(fresh_name("row"), WORKSPACE, body->place);
    k->where.over = letter_bit(place);
    tensor *w = tensor_at(k->where.workspace);
    w->index[0] = place;
    w->rank = 1;
    w->kind = computed(tensor_at(k->operand[k->opened - 1].stored)->kind);
    w->encoding = dense_encoding(1);
    node *rest = make_node(PRODUCT, body->place), *row = access_to(k->where.workspace, w->index, body->place);
    row->affine = true;
    row->subscript = take(sizeof *row->subscript);
    *row->subscript = *sum;
    for (unsigned m = 0; m < body->count; m++)
        if (is_found_from(k, body->term[m].node))
            k->where.made = body->term[m].node, add_term(rest, row, false);
        else
            add_term(rest, body->term[m].node, body->term[m].inverse);
    if (body->kind != PRODUCT) k->where.made = body;
    k->body = body->kind == PRODUCT ? rest : row;
}

/* The number of operands with a difference of indices as a subscript. */
static unsigned differences(const step *k)
{
    unsigned count = 0;
    for (unsigned n = 0; n < k->operands; n++) count += k->operand[n].kind == VALUE && difference_in(k->operand[n].affine);
    return count;
}

/* Lets the loops visit the entries of an operand in storage order, if an option asks for it or if it is the cheapest. The
   latter is considered only if no option sets an order, threads for the outermost loop, or a strategy other than
   parallel(i). For an assembled result, only one index is computed, in a workspace for one row; its cost does not depend
   on the loops. */
static void scatter_kernel(step *k, spot place)
{
    unsigned best[MAX_LOOPS] = {0};
    const step as_written = *k;
    const letters asked = loop_options.let & letters_of(k->index);
    double least = cost_as_stored(k, place, best);
    const double gathered = least;
    const bool open =
        !loop_options.order[0] && !loop_options.threads &&
        !(loop_options.simd | loop_options.unroll | loop_options.prefetch | loop_options.tile | loop_options.where);
    const operand *forced = NULL; /* the operand that has a difference as a subscript, which a line does not allow */
    for (unsigned n = 0; n < as_written.operands; n++)
        if (as_written.operand[n].kind == VALUE && difference_in(as_written.operand[n].affine))
            forced = &as_written.operand[n];
    if (asked || forced) least = (double)INFINITY;
    for (unsigned n = 0; n < as_written.operands && (asked || open || forced); n++) {
        if (!can_scatter(&as_written, n)) continue;
        const unsigned rank = tensor_at(as_written.operand[n].tensor)->rank;
        unsigned dims = 0;
        for (unsigned d = 0; d < rank; d++)
            if (found_of_dim(&as_written, n, d)) dims |= 1u << d;
        for (unsigned set = 1; set <= dims; set++) {
            step made;
            if ((set & ~dims) || !scatter(&as_written, n, set, &made)) continue;
            if (forced  ? differences(&made) > 0
                : asked ? found_by(&made) != asked
                        : has_gaps(&made) || (made.scatter.placed && bits_of(found_by(&made)) > 1))
                continue;
            if (asked && has_many_indices(&made)) refuse(loop_options.place, "a kernel has at most %d loops", MAX_LOOPS);
            if (has_many_indices(&made)) continue;
            visit(&made, true);
            double cost = cost_as_stored(&made, place, best);
            if (!asked && cost < (double)INFINITY && can_open(&made, n)) {
                const graph g = graph_of(&made, 0, place);
                const double opened = cost_opened(&made, &made.operand[n], &g, best);
                made.opened = opened < cost ? n + 1 : 0;
                cost = fmin(cost, opened);
            }
            visit(&made, false);
            if (cost >= least) continue;
            least = cost;
            *k = made;
            k->scatter.gathered = gathered;
        }
    }
    if (forced && differences(k)) refuse_difference(forced->affine, difference_in(forced->affine));
    visit(k, true);
    loop_options.let_done |= found_by(k);
    for (unsigned d = 0; k->scatter.placed && d < MAX_RANK; d++)
        if (k->scatter.found[d]) add_extent(k, k->scatter.found[d], place);
}

/* True if a kernel visits only coordinates at which this operand has an entry: it is the region, or among the operands
   of all(...). */
static bool is_in_all(const region *r, int half)
{
    if (r->kind == STORED) return r->operand == half;
    for (unsigned c = 0; r->kind == ALL && c < r->count; c++)
        if (is_in_all(r->child[c], half)) return true;
    return false;
}

/* True if padding can lie in the other triangle than the entries: that of blocks and rows, but not that of diagonals or
   between two entries of a row. */
static bool pads_across_diagonal(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].part == MINUS) return false;
    return is_padded(e) && !(sparse_p_traits(e->level[e->levels - 1].format) & SPARSE_TRAIT_FORWARD);
}

/* Refuses kernels that are impossible with a matrix that stores one triangle. The body runs a second time for the mirror
   image of each entry, with both indices exchanged in all operands and the output. */
static void check_half(const step *k)
{
    const int half = half_of(k);
    if (half < 0) return;
    const operand *o = &k->operand[half];
    const tensor *t = tensor_at(o->tensor);
    if (k->output == o->tensor || k->result.updates || k->result.like)
        refuse(t->place, "%s stores one triangle, and a result with its pattern would, too: use an encoding without %s",
               t->name, t->half);
    if (is_assembled(k) || is_sparse(k->output))
        refuse(t->place, "%s stores one triangle, so entries of %s come out of order: it has to be dense", t->name,
               tensor_at(k->output)->name);
    if (o->slice || o->affine || o->kind != VALUE || k->sought || has_diagonal(k) || is_recurrence(k) || k->scatter.access)
        refuse(t->place, "%s stores one triangle, and is read at two plain indices", t->name);
    if (k->where.workspace >= 0 || k->marked || k->opened)
        refuse(t->place, "%s stores one triangle, and where() computes before the image of an entry", t->name);
    if (!is_in_all(k->region, half))
        refuse(t->place, "%s stores one triangle, so a kernel visits only what it stores: add the rest with +=", t->name);
    const bool sums = k->result.accumulate && (!k->result.reduction || same(k->result.reduction, "sum"));
    if (!sums && pads_across_diagonal(stored_encoding(o)))
        refuse(t->place,
               "%s stores zeros of both triangles, which matter unless a kernel adds up its values: use -f '%s=%s(csr)'",
               t->name, t->name, t->half);
    for (unsigned n = 0; n < k->operands; n++) {
        const operand *p = &k->operand[n];
        if ((int)n == half || p->kind != VALUE) continue;
        if (p->tensor == o->tensor) refuse(t->place, "%s stores one triangle, and a kernel reads it at one place", t->name);
        if (tensor_at(p->tensor)->half)
            refuse(t->place, "%s and %s store one triangle each, and a kernel has one such operand", t->name,
                   tensor_at(p->tensor)->name);
        if ((letters_of(p->index) & letters_of(o->index)) && !is_dense(stored_encoding(p)))
            refuse(t->place, "%s stores one triangle, so that %s, which has an index of it, has to be dense", t->name,
                   tensor_at(p->tensor)->name);
    }
}

/* The number of the operand with which a step reads tensor `n`; -1 if none or several do, or if it reads only a part of
   the tensor. */
static int only_read(const step *k, int n)
{
    int found = -1;
    for (unsigned o = 0; o < k->operands; o++) {
        const operand *a = &k->operand[o];
        if (a->tensor != n && a->stored != n) continue;
        if (found >= 0 || a->tensor != n || a->stored != n || a->kind != VALUE || a->slice || a->affine) return -1;
        found = (int)o;
    }
    return found;
}

/* True for a kernel with plain loops over plain operands that must all have an entry. */
static bool is_plain_kernel(const step *k)
{
    if (k->kind != KERNEL || k->where.workspace >= 0 || k->scatter.access || k->result.left || k->result.updates ||
        k->result.like || k->result.extras || k->result.drops_zeros || k->result.reads_output || k->guard || k->choice ||
        k->sought || k->marked || k->opened || has_diagonal(k) || is_recurrence(k) || has_windows(k) || half_of(k) >= 0)
        return false;
    for (unsigned l = 0; l < k->loops; l++)
        if (set_of(k->loop[l].index)) return false;
    for (unsigned o = 0; o < k->operands; o++)
        if (k->operand[o].kind != VALUE || k->operand[o].slice || k->operand[o].affine ||
            tensor_at(k->operand[o].tensor)->counted)
            return false;
    if (!has_whole_loops(k) || has_ranges(k)) return false;
    return k->region->kind == ALL ? joins_operands(k->region) : k->region->kind == STORED && k->region->operand >= 0;
}

/* True if the operand can be read in where(...) inside of loops over the indices `around`: it has an index of `over`, and
   its levels of other indices are dense and come first. */
static bool is_readable_inside(const operand *o, letters around, letters over)
{
    const encoding *e = stored_encoding(o);
    bool inside = false;
    for (unsigned l = 0; l < e->levels; l++) {
        const letters here = letter_bit(o->index[e->level[l].dim]);
        if (here & around && (inside || e->level[l].format != DENSE || e->level[l].part != WHOLE)) return false;
        inside = inside || (here & over);
    }
    return inside;
}

/* True if kernel `used` can compute the sums of kernel `made` itself: it alone reads them, and each of them once. */
static bool can_take_in(const step *used, const step *made)
{
    const tensor *t = tensor_at(made->output);
    if (!is_plain_kernel(used) || !is_plain_kernel(made) || t->role != TEMPORARY || t->rank == 0 ||
        is_sparse(made->output) || is_sparse(used->output) || made->stored != made->output || made->loops <= used->loops ||
        used->loops != t->rank || (made->result.reduction && !same(made->result.reduction, "sum")) ||
        !made->result.initial || !same(made->result.initial, "0") || made->operands + used->operands > MAX_OPERANDS)
        return false;
    letters around = 0, over = 0;
    for (unsigned l = 0; l < made->loops; l++) {
        if (l < used->loops && made->loop[l].index != used->loop[l].index) return false;
        *(l < used->loops ? &around : &over) |= letter_bit(made->loop[l].index);
    }
    if (over & (loop_options.simd | loop_options.unroll | loop_options.prefetch | loop_options.tile | loop_options.where))
        return false;
    for (unsigned o = 0; o < made->operands; o++) {
        const operand *a = &made->operand[o];
        if (a->stored == used->output || a->tensor == used->output || !is_readable_inside(a, around, over)) return false;
        for (unsigned p = 0; p < used->operands; p++)
            if (used->operand[p].tensor == a->tensor || same(used->operand[p].name, a->name)) return false;
    }
    for (unsigned p = 0; p < used->operands; p++)
        if (!is_dense(stored_encoding(&used->operand[p]))) return false;
    const int read = only_read(used, made->output);
    return read >= 0 && same(used->operand[read].index, t->index);
}

/* The expression with each access to tensor `from` replaced by one to the scalar `to`. */
static node *with_scalar(const node *n, int from, int to)
{
    if (n->kind == ACCESS && n->tensor == from) return access_to(to, "", n->place);
    node *copy = clone(n);
    for (unsigned k = 0; k < copy->count; k++) copy->term[k].node = with_scalar(copy->term[k].node, from, to);
    return copy;
}

/* Appends operand o of `from` to the operands of `to`, which must then have an entry at each visited coordinate. */
static void take_operand(step *to, const step *from, unsigned o)
{
    to->operand[to->operands] = from->operand[o];
    add_child(to->region, make_region(STORED, (int)to->operands++));
}

/* Merges two kernels, scheduled[m], which computes sums, and scheduled[n], which reads them: y(i) = f(T) where T +=
   W(i,j) * x(j). The sums then need no array. */
static void take_in(int n, int m)
{
    step *made = take(sizeof *made);
    const step used = scheduled[n];
    *made = scheduled[m];
    const tensor *sums = tensor_at(made->output);
    const int scalar = add_tensor(fresh_name("inner"), WORKSPACE, sums->place);
    tensor_at(scalar)->kind = sums->kind;
    tensor_at(scalar)->encoding = dense_encoding(0);
    step *k = &scheduled[n];
    k->operands = 0;
    k->region = make_region(ALL, 0);
    for (unsigned o = 0; o < used.operands; o++)
        if (used.operand[o].tensor != made->output) take_operand(k, &used, o);
    for (unsigned o = 0; o < made->operands; o++) take_operand(k, made, o);
    for (unsigned l = k->loops; l < made->loops; l++) {
        k->where.over |= letter_bit(made->loop[l].index);
        k->loop[l] = made->loop[l];
    }
    k->where.workspace = scalar;
    k->where.inner = k->loops;
    k->where.made = made->body;
    k->where.alone = made;
    k->loops = made->loops;
    k->cost += made->cost;
    k->body = with_scalar(used.body, made->output, scalar);
    put(&the.notes, "%s is not stored: the scalar %s is summed where it is read\n", sums->name, tensor_at(scalar)->name);
    for (int l = m; l + 1 < scheduled_steps; l++) scheduled[l] = scheduled[l + 1];
    scheduled_steps--;
}

/* True if only scheduled[m] writes its output, only scheduled[n] reads it, and only conversions run between the two. */
static bool is_passed_on(int n, int m)
{
    const int sums = scheduled[m].output;
    for (int k = 0; k < scheduled_steps; k++) {
        const step *s = &scheduled[k];
        if (k != m && (s->output == sums || s->stored == sums || (s->kind == CONVERSION && s->source == sums))) return false;
        if (k > m && k < n && s->kind != CONVERSION) return false;
        for (unsigned o = 0; o < s->operands; o++)
            if (k != n && (s->operand[o].tensor == sums || s->operand[o].stored == sums)) return false;
    }
    return true;
}

/* Merges each kernel whose sums only one other kernel reads into that other kernel. */
static void take_in_sums(void)
{
    for (int n = 1; n < scheduled_steps; n++)
        for (int m = n - 1; m >= 0 && !the.semiring; m--)
            if (scheduled[m].kind == KERNEL && scheduled[n].kind == KERNEL && is_passed_on(n, m) &&
                can_take_in(&scheduled[n], &scheduled[m])) {
                take_in(n, m);
                n--;
                break;
            }
}

static void schedule(void)
{
    for (int n = 0; n < the.steps; n++)
        if (the.step[n].kind == CONVERSION) {
            emit_step(the.step[n]);
        } else {
            const spot place = tensor_at(the.step[n].output)->place;
            seek_diagonals(&the.step[n]);
            scatter_kernel(&the.step[n], place);
            schedule_kernel(&the.step[n], place);
        }
    for (int n = 0; n < scheduled_steps; n++)
        if (scheduled[n].kind == KERNEL && loop_options.where)
            add_workspace(&scheduled[n]);
        else if (scheduled[n].kind == KERNEL && half_of(&scheduled[n]) < 0)
            mark_row(&scheduled[n]), open_row(&scheduled[n]);
    take_in_sums();
    for (int n = 0; n < scheduled_steps; n++) check_half(&scheduled[n]);
    check_strategies();
}

/* >>emit
   Writes the header: descriptors and storage types, the kernel lines, and, if one kernel is not enough, the driver function
   that computes sizes, checks subscripts, and calls the kernels and conversions in turn:

     #define CSR csr, SPARSE_CSR, double, 32, 32
     SPARSE_TENSOR(CSR)
     SPARSE_KERNEL(name, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x) */

/* True if a storage type cannot have this name. */
static bool is_name_taken(const char *name)
{
    if (find_tensor(name) >= 0 || find_tensor(upper(name)) >= 0) return true;
    if (is_defined_by_user(name) || is_defined_by_user(upper(name))) return true;
    for (int k = USER; k < KINDS; k++)
        if (kinds[k].type && same(kinds[k].type, name)) return true;
    return same(name, the.name) || (name[0] && !name[1]);
}

/* The size of dimension d, in a program where all sizes are known. */
static unsigned long fixed_size(const tensor *t, unsigned d)
{
    const unsigned long size = t->windowed[d] ? t->told[d] : alphabet.size[size_letter(t->index[d]) - 'A'];
    if (size == 0) refuse(t->place, "--fixed needs the sizes of %s: -d %s:SIZE,...", t->name, t->name);
    return size;
}

/* Chooses the storage type of a tensor. Tensors with the same storage share a type. */
static void name_type(int n)
{
    tensor *t = tensor_at(n);
    if (t->rank == 0) {
        t->type = t->range ? "size_t" : kinds[t->kind].type;
        return;
    }
    const char *name = print("%s%s%s", the.prefix, t->encoding.name, kinds[t->kind].suffix);
    for (unsigned d = 0; tensor_options.fixed && d < t->rank; d++)
        name = print("%s%c%lu", name, d ? 'x' : '_', fixed_size(t, d));
    if (is_name_taken(name)) name = print("%s_type", name);
    for (int m = 0; m < n; m++)
        if (tensor_at(m)->type && same(tensor_at(m)->type, name) && !same_encoding(&tensor_at(m)->encoding, &t->encoding))
            name = print("%s_%d", name, n), m = -1;
    t->type = name;
}

/* True if a step reads, writes or computes the tensor. */
static bool is_scheduled(int n)
{
    for (int k = 0; k < scheduled_steps; k++) {
        const step *s = &scheduled[k];
        if (s->output == n || (s->kind != CONVERSION && s->stored == n) || s->where.workspace == n) return true;
        for (unsigned e = 0; e < s->result.extras; e++)
            if (s->result.extra[e].tensor == n) return true;
        if (s->kind == CONVERSION && s->source == n) return true;
        for (unsigned o = 0; o < s->operands; o++)
            if (s->operand[o].stored == n) return true;
    }
    return false;
}

/* True if the generated code has the tensor: a step uses it, or it gives the size of an index to a step. */
static bool is_used(int n)
{
    if (is_scheduled(n)) return true;
    for (int k = 0; k < scheduled_steps; k++)
        for (unsigned o = 0; o < scheduled[k].operands; o++)
            if (gives_size(n, tensor_at(scheduled[k].operand[o].stored))) return true;
    return false;
}

/* Writes the fill value as an initialiser. */
static const char *fill_constant(const tensor *a)
{
    const float fill = strtof(a->encoding.fill, NULL);
    if (a->kind == F16) return print("{%u}", (unsigned)sparse_f16_of_float(fill).bits);
    if (a->kind == BF16) return print("{%u}", (unsigned)sparse_bf16_of_float(fill).bits);
    return a->encoding.fill;
}

/* Writes a descriptor: #define CSR csr, SPARSE_CSR, double, 32, 32. */
static void put_descriptor(text *t, const tensor *a)
{
    put(t, "#define %s %s, ", upper(a->type), a->type);
    put_encoding(t, &a->encoding);
    const char *kind = kinds[a->kind].type, *constant = a->encoding.constant;
    if (constant) kind = print("constant(%s, %s)", kind, constant);
    put(t, ", %s, %u, %u", kind, a->encoding.pos, a->encoding.crd);
    for (unsigned d = 0; tensor_options.fixed && d < a->rank; d++) put(t, d ? ", %lu" : ", fixed(%lu", fixed_size(a, d));
    put(t, tensor_options.fixed ? ")\n" : "\n");
}

static void put_types(text *t)
{
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < the.tensors; n++) {
            const tensor *a = tensor_at(n);
            bool known = a->rank == 0 || !is_used(n);
            for (int m = 0; m < n; m++)
                if (is_used(m) && same(tensor_at(m)->type, a->type)) known = true;
            if (known) continue;
            if (tensor_options.fixed && a->encoding.fill)
                refuse(a->place, "%s has a fill value, which tensors of fixed sizes do not have", a->name);
            for (unsigned l = 0; tensor_options.fixed && l < a->encoding.levels; l++)
                if (a->encoding.level[l].part == COUNT || a->encoding.level[l].part == MINUS)
                    refuse(a->place, "%s stores slices or diagonals, which tensors of fixed sizes do not have", a->name);
            if (pass == 0) {
                put_descriptor(t, a);
            } else if (a->encoding.fill) {
                put(t, "SPARSE_TENSOR_FILL(%s, %s)\n", upper(a->type), fill_constant(a));
            } else {
                put(t, "SPARSE_TENSOR(%s)\n", upper(a->type));
            }
        }
}

/* Writes a subscript as kernel lines need it: i, times(2, i), plus(i, p, times(0, q), (-1)). */
static void put_subscript(text *t, const subscript *s, bool windowed)
{
    const unsigned count = s->count + (s->unit != 0);
    const bool sum = count > 1 || s->start || s->unit || s->idle || (windowed && is_index(s));
    if (sum) put(t, "plus(");
    for (unsigned k = 0; k < count; k++) {
        const char i = k < s->count ? s->index[k] : s->unit;
        put(t, k ? ", " : "");
        if (k < s->count && s->step[k] != 1)
            put(t, "times(%ld, %c)", s->step[k], i);
        else
            put(t, "%c", i);
    }
    for (char i = 'a'; i <= 'z'; i++)
        if (s->idle & letter_bit(i)) put(t, ", times(0, %c)", i);
    if (sum && (s->start || (count == 1 && !s->idle))) put(t, ", (%ld)", s->start);
    if (sum) put(t, ")");
}

/* Writes an operand: (A, CSR, i, j), or with a sum (A, CSR, plus(i, p), j). */
static void put_operand(text *t, const char *name, const tensor *a, const char *index, const node *affine)
{
    put(t, "(%s, %s", name, a->rank ? upper(a->type) : a->type);
    for (unsigned d = 0; affine && d < a->rank; d++) {
        put(t, ", ");
        const bool visited = alphabet.visited & letters_of(affine->subscript[d].index);
        put_subscript(t, &affine->subscript[d], tensor_at(affine->tensor)->windowed[d] && !visited);
    }
    for (; !affine && *index; index++) put(t, ", %c", *index);
    put(t, ")");
}

/* True if the operand is the pattern that the output takes. */
static bool is_pattern(const step *k, const region *r)
{
    return k->result.like && r->kind == STORED && r->operand == (int)k->result.like - 1;
}

/* True if the workspace is computed from this operand. */
static bool is_made_of(const step *k, const region *r)
{
    if (r->kind != STORED || r->operand < 0) return false;
    return k->marked ? (unsigned)r->operand + 1 == k->marked
                     : (letters_of(k->operand[r->operand].index) & k->where.over) != 0;
}

static void put_tree(text *t, const step *k, const region *r);

/* Writes where((sum, VEC, r), (k, r), all((X, CSF, i, j, k), (C, MAT, k, r)), sum += X * C). */
static void put_workspace(text *t, const step *k)
{
    const tensor *w = tensor_at(k->where.workspace);
    const char *comma = "";
    step made = k->where.alone ? *k->where.alone : *k;
    made.output = k->where.workspace;
    made.body = k->where.made;
    made.marked = 0;
    if (!k->where.alone) made.result.accumulate = k->result.accumulate && !k->opened;
    put(t, "where(");
    if (k->opened) {
        put(t, "(%s, %s, let(%s, ", w->name, upper(w->type), w->index);
        put_subscript(t, &k->scatter.access->subscript[dim_of_rows(&k->operand[k->opened - 1])], true);
        put(t, "))");
    } else {
        put_operand(t, w->name, w, w->index, NULL);
    }
    put(t, ", (");
    for (unsigned l = k->where.inner; l < k->loops; l++)
        if ((k->where.over | letters_of(w->index)) & letter_bit(k->loop[l].index))
            put(t, "%s%c", comma, k->loop[l].index), comma = ", ";
    comma = "";
    put(t, "), all(");
    for (unsigned c = 0; c < k->region->count; c++) {
        if (!is_made_of(k, k->region->child[c])) continue;
        put(t, "%s", comma);
        put_tree(t, k, k->region->child[c]);
        comma = ", ";
    }
    put(t, "), %s)", spell_statement(&made));
}

static void put_tree(text *t, const step *k, const region *r)
{
    if (r->kind == STORED && r->operand < 0) {
        put(t, "(everywhere, bool)");
    } else if (r->kind == STORED) {
        const operand *o = &k->operand[r->operand];
        if (o->kind == ARRAY)
            put(t, "(%s, const %s *)", o->name, kinds[tensor_at(o->stored)->kind].type);
        else if (o->kind == LEVEL_SIZE)
            put(t, "(%s, size_t)", o->name);
        else {
            if (o->slice) put(t, "slice");
            if (tensor_at(o->tensor)->half) put(t, "%s", tensor_at(o->tensor)->half);
            if (o->affine && tensor_at(o->tensor)->padded) put(t, "padded");
            text there = {0};
            put_operand(&there, o->name, tensor_at(o->stored), o->index, o->affine);
            const int of = tensor_at(o->tensor)->known_of;
            if (of) /* the operand current(x_j, x, VEC, j) */
                put(t, "current(%s, %s%s", o->name, tensor_at(of - 1)->name, there.at + 1 + strlen(o->name));
            else
                put(t, "%s", there.at);
        }
    } else {
        const char *comma = "";
        put(t, r->kind == ALL ? "all(" : "any(");
        if (k->where.workspace >= 0) put_workspace(t, k), comma = ", ";
        for (unsigned c = 0; c < r->count; c++) {
            if (is_pattern(k, r->child[c]) || is_made_of(k, r->child[c])) continue;
            put(t, "%s", comma);
            put_tree(t, k, r->child[c]);
            comma = ", ";
        }
        put(t, ")");
    }
}

static const char *loop_name(const loop *l) { return spell_part(l->part, l->index, l->other, l->size); }

/* Writes a loop of the line, with its size, range(p, 3), if nothing else in the line gives it. */
static const char *spell_loop(const step *k, const loop *l)
{
    return is_range(k, l) ? print("range(%c, %lu)", l->index, alphabet.size[l->index - 'A']) : loop_name(l);
}

/* The name of the scalar that holds the size of an index that let() computes. */
static const char *size_name(char u) { return tensor_at(extent_of(u))->name; }

/* Writes the let() of each output subscript that becomes known in the current loop. */
static void put_lets(text *t, const step *k, letters done, letters fresh)
{
    for (unsigned d = 0; k->result.left && d < tensor_at(k->output)->rank; d++) {
        const letters all = letters_of_subscript(&k->result.left->subscript[d]);
        if (k->result.let[d] && (all & fresh) && !(all & ~done))
            put(t, ", let(%c, %s%s%s)", k->result.let[d], spell_subscript(&k->result.left->subscript[d], " "),
                is_assembled(k) ? ", " : "", is_assembled(k) ? size_name(k->result.let[d]) : "");
    }
}

/* Writes let(j, s - q), or let(j, (s - q) % 2 ? SIZE_MAX : (s - q) / 2), for each index that becomes known in the current
   loop. A negative value wraps around to a number above every size, also if it is divided. */
static void put_found(text *t, const step *k, letters done, letters fresh)
{
    for (unsigned d = 0; k->scatter.access && d < MAX_RANK; d++) {
        if (!k->scatter.found[d]) continue;
        const subscript *s = &k->scatter.access->subscript[d];
        const letters all = (letters_of_subscript(s) & ~letter_bit(k->scatter.found[d])) | letter_bit(k->scatter.visited[d]);
        if (!(all & fresh) || (all & ~done)) continue;
        text rest = {0};
        const char *const at = strchr(s->index, k->scatter.found[d]);
        const long own = s->step[at - s->index], by = labs(own), sign = own < 0 ? -1 : 1;
        const bool first = sign < 0 && s->start >= 0; /* does the constant come before the subtracted indices? */
        if (sign > 0) put(&rest, "%c", k->scatter.visited[d]);
        if (first) put(&rest, "%ld", s->start);
        for (unsigned n = 0; n < s->count; n++) {
            const long times = -sign * s->step[n];
            if (s->index[n] == k->scatter.found[d]) continue;
            put(&rest, "%s%s%c",
                times < 0     ? " - "
                : rest.length ? " + "
                              : "",
                labs(times) == 1 ? "" : print("%ld * ", labs(times)), s->index[n]);
        }
        if (s->start && !first) put(&rest, sign * s->start < 0 ? " + %ld" : " - %ld", labs(s->start));
        if (sign < 0) put(&rest, " - %c", k->scatter.visited[d]);
        put(t, ", let(%c, ", k->scatter.found[d]);
        put(t, by == 1 ? "%s" : "(%s) %% %ld ? SIZE_MAX : (%s) / %ld", rest.at, by, rest.at, by);
        put(t, k->scatter.placed ? ", %s)" : ")", k->scatter.placed ? size_name(k->scatter.found[d]) : "");
    }
}

static void put_loops(text *t, const step *k)
{
    const char *comma = "";
    letters done = 0;
    put(t, "(");
    for (unsigned l = 0; l < k->loops; l++) {
        if (k->where.over & letter_bit(k->loop[l].index)) continue; /* this loop belongs to the workspace */
        put(t, "%s", comma);
        put(t,
            is_parallel(k, l)   ? (adds_up(k, &k->loop[l]) ? "parallel_sum(%s)" : "parallel(%s)")
            : is_simd(k, l)     ? "simd(%s)"
            : is_unrolled(k, l) ? "unroll(%s)"
            : is_fetched(k, l)  ? "prefetch(%s)"
            : is_tiled(k, l)    ? "tile(%s, %lu)"
                                : "%s",
            k->recurrence.down ? print("down(%s)", spell_loop(k, &k->loop[l])) : spell_loop(k, &k->loop[l]),
            loop_options.tile_size[k->loop[l].index - 'a']);
        comma = ", ";
        const letters known = known_in(k, l), fresh = known & ~done;
        put_lets(t, k, known, fresh);
        put_found(t, k, known, fresh);
        put_sought(t, k, l);
        done = known;
    }
    put(t, ")");
}

/* Appends `piece` to a line of *line columns; starts a new line if it does not fit. */
static void put_piece(text *t, size_t *line, const char *piece, const char *indent)
{
    if (t->length - *line + strlen(piece) > 108 && t->length > *line) {
        while (t->length && t->at[t->length - 1] == ' ') t->at[--t->length] = '\0';
        put(t, "\n");
        *line = t->length;
        put(t, "%s", indent);
    }
    put(t, "%s", piece);
}

/* Turns (y, VEC, i) into from(0, y, VEC, i). */
static text begun_with(const char *initial, const text *output)
{
    text t = {0};
    put(&t, "from(%s, %s", initial, output->at + 1);
    return t;
}

static void put_kernel(text *t, const step *k)
{
    static const char indent[] = "              ";
    const tensor *out = tensor_at(k->stored);
    text loops = {0}, output = {0}, tree = {0};
    put_loops(&loops, k);
    char index[MAX_RANK + 1] = {0};
    for (unsigned d = 0; k->result.left && d < out->rank; d++)
        index[d] = k->result.let[d] ? k->result.let[d] : k->result.left->subscript[d].index[0];
    const bool lets = has_lets(k);
    put_operand(&output, tensor_at(k->output)->name, out, lets ? index : k->index, lets ? NULL : k->result.left);
    if (k->result.initial) output = begun_with(k->result.initial, &output);
    for (unsigned e = 0; e < k->result.extras; e++) {
        text other = {0};
        const tensor *a = tensor_at(k->result.extra[e].tensor);
        put_operand(&other, a->name, a, a->rank ? k->index : "", NULL);
        put(&output, ", %s", begun_with(k->result.extra[e].initial, &other).at);
    }
    if (k->result.extras) output.at = (char *)print("(%s)", output.at);
    const region *r = k->region;
    if (r->kind == STORED) {
        put(&tree, "all(");
        put_tree(&tree, k, r);
        put(&tree, ")");
    } else {
        put_tree(&tree, k, r);
    }
    size_t line = t->length;
    put(t, "SPARSE_KERNEL(");
    put_piece(t, &line, print("%s, ", k->name), indent);
    put_piece(t, &line, print("%s, ", loops.at), indent);
    put_piece(t, &line,
              k->result.updates ? print("update%s, ", output.at)
              : k->result.like  ? print("like(%s, %s, ", k->operand[k->result.like - 1].name, output.at + 1)
                                : print("%s, ", output.at),
              indent);
    const char *at = tree.at;
    if (tree.length > 90) /* one operand per line */
        for (const char *end; (end = strstr(at, "), ")) != NULL; at = end + 3)
            put_piece(t, &line, copy_string(at, (size_t)(end + 3 - at)), indent);
    put_piece(t, &line, print("%s, ", at), indent);
    put_piece(t, &line, print("%s)", spell_statement(k)), indent);
    put(t, "\n");
}

/* True if one kernel call is not enough, so that a driver function calls several. */
static bool needs_driver(void)
{
    for (unsigned o = 0; o < scheduled[0].operands; o++)
        if (tensor_at(scheduled[0].operand[o].tensor)->counted) return true;
    return scheduled_steps != 1 || scheduled[0].kind != KERNEL || scheduled[0].result.extras || has_windows(&scheduled[0]);
}

/* True if the generated function has the tensor as a parameter. */
static bool is_parameter(int n)
{
    const tensor *a = tensor_at(n);
    return (a->role == INPUT || a->role == OUTPUT) && (is_used(n) || a->role == OUTPUT);
}

/* True if the driver function creates the tensor. */
static bool is_local(int n)
{
    return !is_parameter(n) && is_used(n) && tensor_at(n)->role != WORKSPACE && !tensor_at(n)->counted;
}

/* How the driver names a tensor; its own tensors are passed by address. */
static const char *argument(int n, bool written)
{
    const tensor *a = tensor_at(n);
    const bool own = a->role == TEMPORARY || a->role == CONVERTED;
    if (a->counted) return spell_total(a);
    if (a->rank == 0 && !written) return own || a->role == INPUT ? a->name : print("*%s", a->name);
    return own ? print("&%s", a->name) : a->name;
}

static const char *checked_letters(void);

/* Writes the slices of an operand: , (const sparse_slice[]){{1, size[0], 2}, {0, size[1], 1}}. */
static void put_slice(text *t, const operand *o)
{
    const char *over = checked_letters();
    put(t, ", (const sparse_slice[]){");
    for (unsigned d = 0; o->index[d]; d++) {
        const subscript *s = &o->slice->subscript[d];
        put(t, "%s{%ld, size[%d], %ld}", d ? ", " : "", s->start, (int)(strchr(over, size_letter(s->index[0])) - over),
            s->step[0]);
    }
    put(t, "}");
}

/* Writes the arguments of a kernel in the order of its parameters: the operands of its workspace first. */
static void put_arguments(text *t, const step *k, const region *r, bool made, const char *(*name)(int, bool))
{
    const operand *o = r->kind == STORED && r->operand >= 0 ? &k->operand[r->operand] : NULL;
    /* the kernel has it already, as its output */
    if (o && tensor_at(o->tensor)->known_of) return;
    /* `made` selects this operand in the other call */
    if (is_pattern(k, r) || (r->count == 0 && is_made_of(k, r) != made)) return;
    if (o && o->kind != VALUE)
        put(t, ", %s", window_argument(o->stored, o->kind, o->level));
    else if (r->kind == STORED)
        put(t, ", %s", o ? name(o->stored, false) : "true");
    if (o && o->slice) put_slice(t, o);
    for (unsigned c = 0; c < r->count; c++) put_arguments(t, k, r->child[c], made, name);
}

static void put_call(text *t, const step *k, const char *(*name)(int, bool))
{
    put(t, "%s(%s", k->name, name(k->stored, true));
    for (unsigned e = 0; e < k->result.extras; e++) put(t, ", %s", name(k->result.extra[e].tensor, true));
    if (k->result.like) put(t, ", %s", name(k->operand[k->result.like - 1].stored, false));
    if (k->where.workspace >= 0) put_arguments(t, k, k->region, true, name);
    put_arguments(t, k, k->region, false, name);
    put(t, ")");
}

static void put_driver_parameters(text *t)
{
    const char *comma = "";
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < the.tensors; n++) {
            const tensor *a = tensor_at(n);
            if (!is_parameter(n) || (a->role == OUTPUT) != (pass == 0)) continue;
            const char *star = a->rank || pass == 0 ? "*" : "";
            put(t, "%s%s%s %s%s", comma, pass && a->rank ? "const " : "", a->type, star, a->name);
            comma = ", ";
        }
}

/* Declares the driver's own tensors. They use the memory hooks of its first output. */
static void put_driver_tensors(text *t)
{
    const char *hooks = NULL;
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == OUTPUT && tensor_at(n)->rank && !hooks) hooks = tensor_at(n)->name;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_local(n)) continue;
        if (a->rank == 0)
            put(t, "    %s %s = 0;\n", a->type, a->name);
        else
            put(t, "    %s %s = SPARSE_INIT(%s);\n", a->type, a->name, a->type);
    }
    for (int n = 0; n < the.tensors && hooks; n++)
        if (is_local(n) && tensor_at(n)->rank && !tensor_at(n)->range)
            put(t, "    %s.t.hooks = %s->t.hooks;\n", tensor_at(n)->name, hooks);
}

/* Writes the call of a kernel or a conversion, or an assignment. */
static const char *step_call(const step *k)
{
    text t = {0};
    if (k->kind == ASSIGNMENT) return spell_statement(k);
    if (k->kind == KERNEL) {
        put_call(&t, k, argument);
        return t.at;
    }
    const bool to = is_parameter(k->output), from = is_parameter(k->source);
    return print("sparse_convert(&%s%st, &%s%st)", tensor_at(k->output)->name, to ? "->" : ".", tensor_at(k->source)->name,
                 from ? "->" : ".");
}

/* A function that tests whether a subscript stays inside of its dimension. Several generated headers may define it. */
static const char *const subscript_check =
    "#ifndef SPARSE_GEN_SUBSCRIPT\n"
    "#define SPARSE_GEN_SUBSCRIPT\n"
    "/* True if start + the sum of step * index is in a dimension of size dim for all values of the indices. "
    "*/\n"
    "SPARSE_UNUSED static inline bool subscript_fits(size_t dim, size_t start, unsigned count, const long "
    "*step,\n"
    "                                                const size_t *size)\n"
    "{\n"
    "    size_t below = start, above = dim - 1 - start;\n"
    "    for (unsigned n = 0; n < count; n++)\n"
    "        if (size[n] == 0) return true;\n"
    "    if (start >= dim) return false;\n"
    "    for (unsigned n = 0; n < count; n++) {\n"
    "        size_t *const room = step[n] < 0 ? &below : &above;\n"
    "        const size_t width = (size_t)(step[n] < 0 ? -step[n] : step[n]);\n"
    "        if (size[n] - 1 > *room / width) return false;\n"
    "        *room -= width * (size[n] - 1);\n"
    "    }\n"
    "    return true;\n"
    "}\n"
    "#endif\n";

/* True for a result that several statements compute in parts, the first of which replaces the old result. If it has no
   size yet, it gets the size that holds all parts. */
static bool is_result_of_parts(int n)
{
    unsigned parts = 0;
    bool replaced = false;
    if (tensor_at(n)->role != OUTPUT) return false;
    if (derivative_of(n) >= 0) return true; /* a derivative has the size of its tensor */
    for (int s = 0; s < the.statements; s++) {
        const statement *a = &the.statement[s];
        if (statement_reads(a, n) && !parts) return false;
        if (a->output != n) continue;
        if (parts++ == 0) replaced = !a->accumulate;
    }
    return replaced && parts > 1;
}

/* True for a tensor of the driver or a result whose size must be computed from the parts assigned to it. */
static bool is_made_of_parts(int n)
{
    const tensor *a = tensor_at(n);
    if ((a->role != TEMPORARY && !is_result_of_parts(n)) || !is_used(n)) return false;
    for (int s = 0; s < the.statements; s++)
        for (unsigned d = 0; the.statement[s].output == n && the.statement[s].left && d < a->rank; d++)
            if (isupper((unsigned char)a->index[d])) return true;
    return false;
}

/* True if such a tensor must be allocated before its first kernel. That kernel may compute only one part, or drop what
   falls outside, so its operands do not determine the size. */
static bool is_made_before(int n)
{
    unsigned parts = 0;
    for (int s = 0; s < the.statements; s++) parts += the.statement[s].output == n;
    return (parts > 1 || tensor_at(n)->padded || derivative_of(n) >= 0) && is_made_of_parts(n) && !is_sparse(n);
}

static bool any_windows(void)
{
    for (int s = 0; s < scheduled_steps; s++)
        if (has_windows(&scheduled[s])) return true;
    for (int n = 0; n < the.tensors; n++)
        if (is_made_before(n) || (is_made_of_parts(n) && is_result_of_parts(n))) return true;
    return false;
}

/* The letters of all sizes that the driver checks. */
static const char *checked_letters(void)
{
    text t = {0};
    put(&t, "%s", "");
    for (int n = 0; n < the.tensors; n++)
        for (const char *i = tensor_at(n)->index; is_used(n) && *i; i++)
            if (*i != '?' && !strchr(t.at, size_letter(*i))) put(&t, "%c", size_letter(*i));
    for (int s = 0; s < the.statements; s++)
        for (char i = 'a'; i <= 'z'; i++)
            if (((all_letters(the.statement[s].value) | letters_of(the.statement[s].index)) & letter_bit(i)) &&
                !strchr(t.at, size_letter(i)))
                put(&t, "%c", size_letter(i));
    return t.at;
}

/* How the generated function uses a tensor, as sparse_p_bind needs it. */
static const char *access_of(int n)
{
    if (tensor_at(n)->role == INPUT) return "SPARSE_READS";
    for (int s = 0; s < scheduled_steps; s++)
        if (scheduled[s].output == n && scheduled[s].result.updates)
            return "SPARSE_UPDATES";
        else if (scheduled[s].output == n)
            break;
    if (is_sparse(n) && tensor_at(n)->updated) return "SPARSE_READS"; /* the kernel rebuilds it */
    return is_sparse(n) ? "SPARSE_ASSEMBLES" : "SPARSE_WRITES";
}

/* Appends the tests of the subscripts of one access, each test once. */
static void put_subscript_check(text *t, const node *n, const char *over)
{
    for (unsigned d = 0; d < tensor_at(n->tensor)->rank; d++) {
        const subscript *s = &n->subscript[d];
        text steps = {0}, sizes = {0}, line = {0};
        if (!tensor_at(n->tensor)->windowed[d]) continue;
        for (unsigned k = 0; k < s->count; k++) {
            put(&steps, "%s%ld", k ? ", " : "", s->step[k]);
            put(&sizes, "%ssize[%d]", k ? ", " : "", (int)(strchr(over, size_letter(s->index[k])) - over));
        }
        const int dim = (int)(strchr(over, size_letter(tensor_at(n->tensor)->index[d])) - over);
        put(&line, "    if (result == SPARSE_OK && !subscript_fits(size[%d], %ld, %u, ", dim, s->start, s->count);
        if (s->count)
            put(&line, "(const long[]){%s}, (const size_t[]){%s}", steps.at, sizes.at);
        else
            put(&line, "NULL, NULL");
        put(&line, "))\n        result = SPARSE_E_SHAPE; /* %s */\n", describe(n));
        if (t->at == NULL || strstr(t->at, line.at) == NULL) put(t, "%s", line.at);
    }
}

/* Appends the tests for all windows of an expression. */
static void put_window_checks(text *t, const node *n, const char *over)
{
    for (unsigned k = 0; k < n->count; k++) put_window_checks(t, n->term[k].node, over);
    if (n->kind == WINDOW || n->sliced) put_subscript_check(t, n, over);
}

/* The tests for all statements. Kernel lines test an assigned part themselves, unless it is added to. */
static text subscript_checks(void)
{
    text t = {0};
    for (int n = 0; n < the.statements; n++) {
        const statement *s = &the.statement[n];
        put_window_checks(&t, s->value, checked_letters());
        if (s->left && is_sparse(s->output) && !tensor_at(s->output)->padded &&
            (s->accumulate || tensor_at(s->output)->updated))
            put_subscript_check(&t, s->left, checked_letters());
    }
    for (int n = 0; n < scheduled_steps; n++) {
        const node *a = scheduled[n].scatter.access;
        if (a && !tensor_at(a->tensor)->padded) put_subscript_check(&t, a, checked_letters());
    }
    return t;
}

/* Writes (sum > by ? sum - by : 0), a size reduced by the coordinates below 0. */
static text less(const text *sum, long by)
{
    text t = {0};
    put(&t, "(%s > %ld ? %s - %ld : 0)", sum->at, by, sum->at, by);
    return t;
}

/* The tensor whose size a partly assigned tensor has: the tensor that it is added to, or itself if its old values are kept
   or it is a derivative; -1: none. */
static int whole_of(int n)
{
    const tensor *t = tensor_at(n);
    const bool sized = (t->role == OUTPUT && t->updated) || derivative_of(n) >= 0;
    return t->part_of ? t->part_of - 1 : sized ? n : -1;
}

/* Declares the sizes of indices for output subscripts: the size of the existing result, or the least size that holds all
   parts. */
static void put_let_sizes(text *t, const char *over)
{
    for (int n = 0; n < scheduled_steps; n++)
        for (unsigned d = 0; scheduled[n].result.left && d < MAX_RANK; d++) {
            const subscript *s = &scheduled[n].result.left->subscript[d];
            const int whole = whole_of(scheduled[n].output);
            text some = {0}, size = {0};
            if (!scheduled[n].result.let[d] || extent_of(scheduled[n].result.let[d]) < 0) continue;
            for (unsigned k = 0; k < s->count; k++) {
                const int at = (int)(strchr(over, size_letter(s->index[k])) - over);
                if (s->step[k] < 0) continue;
                put(&some, "%ssize[%d]", some.length ? " && " : "", at);
                put(&size, s->step[k] == 1 ? " + size[%d] - 1" : " + (size[%d] - 1) * %ld", at, s->step[k]);
            }
            text whole_size = {0};
            put(&whole_size, "%ld%s", s->start < 0 ? 1 : s->start + 1, size.length ? size.at : "");
            if (s->start < 0) whole_size = less(&whole_size, -s->start);
            const tensor *out = tensor_at(scheduled[n].output);
            const char *least = some.length ? print("(%s ? %s : 0)", some.at, whole_size.at) : whole_size.at;
            if (whole < 0 && out->told[d] && !out->padded)
                put(t, "    if (result == SPARSE_OK && %s > %lu) result = SPARSE_E_SHAPE;\n", least, out->told[d]);
            put(t, "    if (result == SPARSE_OK) %s = %s;\n", size_name(scheduled[n].result.let[d]),
                whole >= 0     ? print("size[%d]", (int)(strchr(over, tensor_at(whole)->index[d]) - over))
                : out->told[d] ? print("%lu", out->told[d])
                               : least);
        }
    for (int n = 0; n < scheduled_steps; n++)
        for (unsigned d = 0; scheduled[n].scatter.placed && d < MAX_RANK; d++)
            if (scheduled[n].scatter.found[d])
                put(t, "    if (result == SPARSE_OK) %s = size[%d];\n", size_name(scheduled[n].scatter.found[d]),
                    (int)(strchr(over, size_letter(scheduled[n].scatter.found[d])) - over));
}

/* The indices that occur in sums in the inputs. */
static letters summed_letters(const node *n)
{
    letters set = 0;
    for (unsigned k = 0; k < n->count; k++) set |= summed_letters(n->term[k].node);
    for (unsigned d = 0; is_access(n) && n->affine && d < tensor_at(n->tensor)->rank; d++)
        if (tensor_at(n->tensor)->role == INPUT) set |= letters_of(n->subscript[d].index);
    return set;
}

/* Declares the sizes of indices that only occur in tensors made of parts: as large as the subscripts allow. */
static void put_indices_of_parts(text *t, const node *n, letters told, const char *over)
{
    for (unsigned k = 0; k < n->count; k++) put_indices_of_parts(t, n->term[k].node, told, over);
    for (unsigned d = 0; is_access(n) && n->affine && is_made_of_parts(n->tensor) && d < tensor_at(n->tensor)->rank; d++) {
        const subscript *s = &n->subscript[d];
        const int dim = (int)(strchr(over, size_letter(tensor_at(n->tensor)->index[d])) - over);
        for (unsigned k = 0; k < s->count; k++) {
            text used = {0};
            if ((told & letter_bit(size_letter(s->index[k]))) || s->step[k] <= 0) continue;
            put(&used, "%ld", s->start);
            for (unsigned m = 0; m < s->count; m++)
                if (m != k && s->step[m] > 0)
                    put(&used, " + %ld * (size[%d] - 1)", s->step[m], (int)(strchr(over, size_letter(s->index[m])) - over));
            const int at = (int)(strchr(over, size_letter(s->index[k])) - over);
            put(t, "    size[%d] = sparse_p_min(size[%d], size[%d] > %s ? (size[%d] - (%s) - 1) / %ld + 1 : 0);\n", at, at,
                dim, used.at, dim, used.at, s->step[k]);
        }
    }
}

/* Writes the test whether a tensor has a size: C->t.dim[0] || C->t.dim[1]. */
static const char *spell_has_size(const tensor *a)
{
    text t = {0};
    for (unsigned d = 0; d < a->rank; d++) put(&t, "%s%s->t.dim[%u]", d ? " || " : "", a->name, d);
    return t.at;
}

/* Declares the sizes of tensors made of parts: the least size that holds all parts. A result keeps the size that it has
   or that -d gives. */
static void put_sizes_of_parts(text *t, const char *over)
{
    letters told = 0;
    for (int n = 0; n < the.tensors; n++)
        for (const char *i = tensor_at(n)->index; is_parameter(n) && *i; i++)
            if (islower((unsigned char)*i)) told |= letter_bit(size_letter(*i));
    for (int s = 0; s < the.statements; s++) told |= summed_letters(the.statement[s].value);
    for (char i = 'a'; i <= 'z'; i++)
        if ((told & letter_bit(i)) || has_size(size_letter(i))) told |= letter_bit(size_letter(i));
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_made_of_parts(n)) continue;
        for (int s = 0; s < the.statements; s++)
            if (the.statement[s].output == n) put_indices_of_parts(t, the.statement[s].value, told, over);
        for (unsigned d = 0; d < a->rank; d++) {
            const int at = (int)(strchr(over, size_letter(a->index[d])) - over);
            if (!isupper((unsigned char)a->index[d])) continue;
            put(t, "    size[%d] = 0; /* %s */\n", at, a->name);
            for (int m = 0; m < the.statements; m++) {
                const subscript *s = the.statement[m].left ? &the.statement[m].left->subscript[d] : NULL;
                text some = {0}, least = {0};
                if (the.statement[m].output != n || s == NULL) continue;
                put(&least, "%ld", s->start < 0 ? 1 : s->start + 1);
                for (unsigned k = 0; k < s->count; k++) {
                    if (s->step[k] < 0) continue;
                    const int i = (int)(strchr(over, size_letter(s->index[k])) - over);
                    put(&some, "size[%d] > 0 && ", i);
                    put(&least, s->step[k] == 1 ? " + size[%d] - 1" : " + (size[%d] - 1) * %ld", i, s->step[k]);
                }
                if (s->start < 0) least = less(&least, -s->start);
                put(t, "    if (%ssize[%d] < %s) size[%d] = %s;\n", some.at ? some.at : "", at, least.at, at, least.at);
            }
            const int of = derivative_of(n);
            if (a->role != OUTPUT && a->told[d]) put(t, "    size[%d] = %lu;\n", at, a->told[d]);
            if (a->role != OUTPUT) { /* the derivative of a temporary has its size, even if only a part of it is read */
                const char *const whole = of >= 0 ? strchr(over, size_letter(tensor_at(of)->index[d])) : NULL;
                if (whole) put(t, "    size[%d] = size[%d];\n", at, (int)(whole - over));
                continue;
            }
            if (of >= 0) {
                put(t, "    if (%s) size[%d] = %s->t.dim[%u];\n", tensor_at(of)->name, at, tensor_at(of)->name, d);
                continue;
            }
            if (a->told[d]) put(t, "    size[%d] = %lu;\n", at, a->told[d]);
            put(t, "    if (%s && (%s)) size[%d] = %s->t.dim[%u];\n", a->name, spell_has_size(a), at, a->name, d);
        }
    }
}

/* Appends rows from which the driver computes sizes of indices that occur in inputs only in sums. A row holds an access
   and its sums as numbers, as in kernel lines. Returns the number of rows. */
static unsigned put_driver_sums(text *t, const node *n, letters told)
{
    unsigned rows = 0;
    for (unsigned k = 0; k < n->count; k++) rows += put_driver_sums(t, n->term[k].node, told);
    if (!is_access(n) || !n->affine) return rows;
    const tensor *a = tensor_at(n->tensor);
    text index = {0}, numbers = {0};
    letters all = 0;
    for (unsigned d = 0; d < a->rank; d++) {
        const subscript *s = &n->subscript[d];
        put(&index, "%c", a->windowed[d] ? '+' : size_letter(s->index[0]));
        all |= letters_of(s->index);
        if (!a->windowed[d]) continue;
        put(&numbers, "%s0, %u", numbers.length ? ", " : "", s->count);
        for (unsigned k = 0; k < s->count; k++) put(&numbers, ", '%c', %ld", size_letter(s->index[k]), s->step[k]);
        put(&numbers, ", %ld", s->start);
    }
    if (a->role != INPUT || a->padded || !(all & ~told)) return rows;
    put(t, ",\n        {.encoding = &%s_encoding, .tensor = %s, .index = \"%s\", .access = SPARSE_READS}", a->type, a->name,
        index.at);
    put(t,
        ",\n        {.tensor = &(const sparse_p_sums){sparse_p_bind_sums, sparse_p_sum_sizes, (const ptrdiff_t[]){%s}}, "
        ".index = "
        "\"\", "
        ".access = SPARSE_SUMS}",
        numbers.at);
    return rows + 2;
}

/* Writes the code that determines the sizes of all indices and checks that every subscript stays inside of its tensor. */
static void put_driver_checks(text *t)
{
    const char *over = checked_letters();
    const letters given = given_letters(true);
    const text checks = subscript_checks();
    letters told = 0;
    text operands = {0};
    unsigned count = 0;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_parameter(n) || a->rank == 0 || is_made_of_parts(n)) continue;
        put(&operands, "%s\n        {.encoding = &%s_encoding, .tensor = %s, .index = \"", operands.length ? "," : "",
            a->type, a->name);
        for (const char *i = a->index; *i; i++) put(&operands, "%c", size_letter(*i));
        put(&operands, "\", .access = %s, .name = \"%s\"}", access_of(n), a->name);
        count++;
        for (const char *i = a->index; *i && a->role == INPUT; i++)
            if (islower((unsigned char)*i)) told |= letter_bit(*i);
    }
    for (const char *i = over; count && *i; i++)
        if (islower((unsigned char)*i) && (~given | alphabet.ranged) & letter_bit(*i) && has_size(*i)) {
            put(&operands,
                ",\n        {.tensor = &(const size_t){%lu}, .index = \"%c\", .access = SPARSE_RANGES, .name = "
                "\"the size given for %c\"}",
                alphabet.size[*i - 'A'], *i, *i);
            count++;
        }
    for (char i = 'a'; i <= 'z'; i++)
        if (told & letter_bit(size_letter(i)) || has_size(size_letter(i))) told |= letter_bit(i);
    for (int s = 0; s < the.statements && count; s++) count += put_driver_sums(&operands, the.statement[s].value, told);
    if (count) put(t, "    const sparse_p_operand operand[] = {%s};\n", operands.at);
    put(t, "    size_t size[%u];\n", (unsigned)strlen(over) + 1);
    put(t, "    sparse_result result = sparse_p_bind(\"%s\", \"%s\", size, %s, %u);\n", the.name, over,
        count ? "operand" : "NULL", count);
    for (const char *i = over; *i; i++)
        if (islower((unsigned char)*i) && !(given & letter_bit(*i)) && has_size(*i) && !count)
            put(t, "    size[%d] = %lu; /* %c */\n", (int)(i - over), alphabet.size[*i - 'A'], *i);
    put_sizes_of_parts(t, over);
    if (checks.length) put(t, "%s", checks.at);
    put_let_sizes(t, over);
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->range && tensor_at(n)->rank && is_used(n)) {
            const char *name = tensor_at(n)->name;
            put(t, "    if (result == SPARSE_OK) %s.t.dim[0] = %s.t.lvl[0] = %s.t.val.length = size[%d];\n", name, name,
                name, (int)(strchr(over, size_letter(tensor_at(n)->range)) - over));
        }
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_made_before(n)) continue;
        if (a->role == OUTPUT)
            put(t, "    if (result == SPARSE_OK && %s && !(%s)) result = sparse_allocate_dense(&%s->t, (size_t[]){", a->name,
                spell_has_size(a), a->name);
        else
            put(t, "    if (result == SPARSE_OK) result = sparse_allocate_dense(&%s.t, (size_t[]){", a->name);
        for (unsigned d = 0; d < a->rank; d++)
            put(t, "%ssize[%d]", d ? ", " : "", (int)(strchr(over, size_letter(a->index[d])) - over));
        put(t, "});\n");
    }
}

/* Writes the function that runs the kernels one after the other. */
static void put_driver(text *t)
{
    bool begun = any_windows();
    const char *over = checked_letters();
    if (begun && subscript_checks().length) put(t, "\n%s", subscript_check);
    put(t, "\nSPARSE_UNUSED static inline sparse_result %s(", the.name);
    put_driver_parameters(t);
    put(t, ")\n{\n");
    put_driver_tensors(t);
    if (begun) put_driver_checks(t);
    for (int s = 0; s < scheduled_steps; s++) {
        const step *k = &scheduled[s];
        if (k->kind == ASSIGNMENT) {
            put(t, begun ? "    if (result == SPARSE_OK) %s;\n" : "    %s;\n", step_call(k));
            continue;
        }
        put(t, begun ? "    if (result == SPARSE_OK" : "    sparse_result result = ");
        /* without letters left, the kernel cannot be rewritten */
        for (unsigned d = 0; any_windows() && k->scatter.access && d < MAX_RANK; d++)
            if (k->scatter.found[d] && !k->scatter.placed)
                put(t, " && size[%d] > 0", (int)(strchr(over, size_letter(k->scatter.found[d])) - over));
        put(t, begun ? ") result = " : "");
        begun = true;
        put(t, "%s;\n", step_call(k));
        if (k->recurrence.divisor)
            put(t,
                "    if (result == SPARSE_OK && %s != sparse_entries(&%s%st)) result = SPARSE_E_ARGUMENT; /* no diagonal "
                "*/\n",
                tensor_at(k->recurrence.solved)->name, tensor_at(k->output)->name, is_parameter(k->output) ? "->" : ".");
    }
    for (int n = 0; n < the.tensors; n++)
        if (is_local(n) && tensor_at(n)->rank && !tensor_at(n)->range)
            put(t, "    sparse_free(&%s.t);\n", tensor_at(n)->name);
    put(t, "    return %s;\n}\n", begun ? "result" : "SPARSE_OK");
}

/* The formula of a kernel, for the comment above it. */
static const char *step_text(const step *k)
{
    text t = {0};
    put(&t, "%s", tensor_at(k->output)->name);
    for (const char *i = k->index; *i; i++)
        put(&t, set_of(*i) ? "%s%s(%c)" : "%s%s", i == k->index ? "(" : ",", index_name(*i), known_by(*i));
    if (k->index[0]) put(&t, ")");
    const bool selects = k->result.reduction && !same(k->result.reduction, "sum");
    const bool alone = selects && !k->over; /* alone: without a sum, += would be wrong in the formula */
    put(&t, " %s ",
        assignment_of(alone || (k->result.accumulate && !k->result.initial), selects ? k->result.reduction : NULL));
    if (selects && !alone) {
        node *n = make_node(REDUCTION, nowhere);
        n->word = k->result.reduction;
        n->over = k->over;
        add_term(n, k->body, false);
        put(&t, "%s", describe(n));
    } else {
        put(&t, "%s", describe(k->body));
    }
    return t.at;
}

/* A step other than a kernel, in words. */
static const char *step_in_words(const step *k)
{
    return k->kind == ASSIGNMENT ? print("%s, once", step_text(k))
                                 : print("convert %s to %s", tensor_at(k->source)->name, tensor_at(k->output)->name);
}

/* Names the kernels: name_1, name_2, ... if a driver calls them, else just the name. */
static void name_steps(void)
{
    int number = 0;
    for (int s = 0; s < scheduled_steps; s++) {
        if (scheduled[s].kind != KERNEL) continue;
        do scheduled[s].name = needs_driver() ? print("%s_%d", the.name, ++number) : the.name;
        while (needs_driver() && find_tensor(scheduled[s].name) >= 0);
    }
}

static bool passes_everywhere(const region *r)
{
    bool passes = r->kind == STORED && r->operand < 0;
    for (unsigned c = 0; c < r->count; c++) passes = passes || passes_everywhere(r->child[c]);
    return passes;
}

/* Writes a comment about requirements on the arguments. */
static void put_argument_note(text *t)
{
    if (!needs_driver() && passes_everywhere(scheduled[0].region)) put(t, "/* its last argument, everywhere, is true */\n");
}

/* Writes the storage types, the kernels, and the driver if there are several kernels. */
static void put_kernels(text *t)
{
    if (support.functions.length) put(t, "%s\n", support.functions.at);
    const size_t before = t->length;
    put_types(t);
    if (t->length > before) put(t, "\n");
    for (int s = 0; s < the.statements; s++) put(t, "/* %s */\n", the.statement[s].text);
    for (const char *at = the.notes.at, *end; at && *at; at = end + 1) {
        end = strchr(at, '\n');
        put(t, "/* %.*s */\n", (int)(end - at), at);
    }
    put_argument_note(t);
    for (int s = 0; s < scheduled_steps; s++) {
        const step *k = &scheduled[s];
        if (k->kind != KERNEL) continue;
        put_kernel(t, k);
    }
    if (needs_driver()) put_driver(t);
}

/* >>main */

/* The run-time functions of a complete program. Each is compiled as part of this generator and is also available as text;
   a program contains the pieces that it calls. Pieces that the generator itself does not call are inline, so that the
   compiler checks them but emits no code. */
typedef struct piece {
    const char *name, *comment, *head, *body;
} piece;

#define PIECE(name, comment, head, ...)                                                                                     \
    SPARSE_UNUSED static inline head __VA_ARGS__ static const piece piece_##name = {#name, comment, #head, #__VA_ARGS__};
#define TYPE_PIECE(name, comment, ...)                                                                                      \
    typedef __VA_ARGS__ name;                                                                                               \
    static const piece piece_##name = {#name, comment, NULL, #__VA_ARGS__};

PIECE(succeeded, "Tells what is wrong, if something is.", bool succeeded(const char *name, sparse_result result), {
    const char *why = sparse_explain(result);
    const bool kept = strncmp(why, name, strlen(name)) == 0; /* keeps a message that begins with the kernel's name */
    if (result != SPARSE_OK) fprintf(stderr, "%s%s%s\n", kept ? "" : name, kept ? "" : ": ", why);
    return result == SPARSE_OK;
})

PIECE(agree, "The sizes of a tensor become those of its indices, where SIZE_MAX is not known yet.",
      bool agree(const char *name, const sparse_tensor *t, size_t *const *size), {
          for (unsigned d = 0; d < t->encoding->rank; d++) {
              if (*size[d] == SIZE_MAX) *size[d] = t->dim[d];
              if (*size[d] == t->dim[d]) continue;
              fprintf(stderr, "%s: dimension %u is %zu, its index %zu\n", name, d + 1, t->dim[d], *size[d]);
              return false;
          }
          return true;
      })

PIECE(read_input, "Reads a file.",
      bool read_input(const char *name, sparse_tensor *t, size_t *const *size, const char *path), {
          sparse_io_error error = {0};
          if (!sparse_read(t, path, &(sparse_read_options){.error = &error})) return agree(name, t, size);
          fprintf(stderr, "%s\n", error.message);
          return false;
      })

PIECE(read_with, "Reads a file with options.",
      bool read_with(const char *name, sparse_tensor *t, size_t *const *size, const char *path, sparse_read_options options),
      {
          sparse_io_error error = {0};
          options.error = &error;
          if (!sparse_read(t, path, &options)) return agree(name, t, size);
          fprintf(stderr, "%s\n", error.message);
          return false;
      })

PIECE(as_bytes, "A tensor of truths as one of bytes, for what reads, writes and prints numbers.",
      sparse_tensor as_bytes(const sparse_tensor *t, sparse_encoding *bytes), {
          sparse_tensor view = *t;
          *bytes = *t->encoding;
          bytes->kind = SPARSE_U8;
          view.encoding = bytes;
          return view;
      })

PIECE(read_truths, "Reads a file of numbers: what is not 0 is true.",
      bool read_truths(const char *name, sparse_tensor *t, size_t *const *size, const char *path,
                       sparse_read_options options),
      {
          sparse_encoding bytes;
          const sparse_encoding *const own = t->encoding;
          *t = as_bytes(t, &bytes);
          const bool done = read_with(name, t, size, path, options);
          t->encoding = own;
          for (size_t n = 0; done && n < t->val.length; n++)
              ((bool *)t->val.at)[n] = ((const unsigned char *)t->val.at)[n] != 0;
          return done;
      })

PIECE(read_half, "Reads the triangle that a file stores, which has to state the symmetry.",
      bool read_half(const char *name, sparse_tensor *t, size_t *const *size, const char *path, sparse_read_options options,
                     sparse_symmetry wanted, bool truths),
      {
          sparse_symmetry stated = SPARSE_SYMMETRY_GENERAL;
          options.stored_half = true;
          options.symmetry = &stated;
          if (!(truths ? read_truths : read_with)(name, t, size, path, options)) return false;
          if (stated != wanted) fprintf(stderr, "%s: %s states another symmetry, or none\n", name, path);
          return stated == wanted;
      })

PIECE(
    read_unsized,
    "Reads a file that may not tell its sizes: these are then those of the indices or, where one of them is not known, the "
    "largest coordinates, which go into `most`.",
    bool read_unsized(const char *name, sparse_tensor *t, size_t *const *size, size_t *const *most, const char *path,
                      sparse_read_options options, bool truths),
    {
        sparse_io_error error = {0};
        sparse_encoding bytes;
        const sparse_encoding *const own = t->encoding;
        size_t dim[SPARSE_MAX_RANK];
        bool known = true;
        for (unsigned d = 0; d < own->rank; d++) dim[d] = *size[d], known = known && dim[d] < SIZE_MAX;
        if (truths) *t = as_bytes(t, &bytes);
        options.error = &error;
        options.dim = known ? dim : NULL;
        const bool done = sparse_read(t, path, &options) == SPARSE_OK;
        t->encoding = own;
        if (!done) fprintf(stderr, "%s\n", error.message);
        for (size_t n = 0; done && truths && n < t->val.length; n++)
            ((bool *)t->val.at)[n] = ((const unsigned char *)t->val.at)[n] != 0;
        for (unsigned d = 0; done && d < own->rank; d++)
            if (*most[d] < t->dim[d]) *most[d] = t->dim[d];
        return done && (!known || agree(name, t, size));
    })

PIECE(fit_sizes,
      "A tensor of such a file gets the sizes of its indices, which are known now: it is read again if they are others.",
      bool fit_sizes(const char *name, sparse_tensor *t, size_t *const *size, size_t *const *most, const char *path,
                     sparse_read_options options, bool truths),
      {
          bool fits = true;
          for (unsigned d = 0; d < t->encoding->rank; d++) {
              if (*size[d] == SIZE_MAX) *size[d] = *most[d];
              fits = fits && *size[d] == t->dim[d];
          }
          return fits || read_unsized(name, t, size, most, path, options, truths);
      })

PIECE(find_sizes, "Sizes that are known, for a tensor of at most 64 GB where they make it dense.",
      bool find_sizes(const char *name, const sparse_tensor *t, size_t *const *size, size_t *dim, double density), {
          double bytes = density * (double)t->encoding->value_size;
          for (unsigned d = 0; d < t->encoding->rank; d++) {
              dim[d] = *size[d];
              bytes *= (double)dim[d];
              if (dim[d] < SIZE_MAX) continue;
              fprintf(stderr, "%s: the size of dimension %u is unknown: -d INDEX=SIZE gives it\n", name, d + 1);
              return false;
          }
          if (bytes > 0x1p36) fprintf(stderr, "%s: its values would take %.3g bytes\n", name, bytes);
          return bytes <= 0x1p36;
      })

PIECE(allocate, "Makes a dense tensor.", bool allocate(const char *name, sparse_tensor *t, size_t *const *size), {
    size_t dim[SPARSE_MAX_RANK];
    return find_sizes(name, t, size, dim, 1) && succeeded(name, sparse_allocate_dense(t, dim));
})

PIECE(next_random, "A number in [0, 1) (Steele, Lea and Flood 2014: splitmix).", double next_random(uint64_t *state), {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
})

TYPE_PIECE(
    recipe,
    "What a tensor holds that is made up: r(andom), o(nes) or i(ota), each place with this probability; if `width` is not "
    "0, only places whose coordinates are at most width / 2 from the first one; of `half` a matrix, 1 with its diagonal or "
    "2 "
    "without it.",
    struct recipe {
        char what;
        double density;
        double low;
        double high;
        uint64_t seed;
        bool whole;
        size_t width;
        int half;
    })

PIECE(make_number, "The next number of a recipe.", double make_number(recipe *r, size_t count), {
    const double u = next_random(&r->seed), range = r->high - r->low;
    if (r->what != 'r') return r->what == 'o' ? 1 : (double)(count + 1);
    return r->whole ? floor(r->low + u * (range + 1)) : r->low + u * range;
})

PIECE(has_room, "Can a level that takes few entries take another at these coordinates, which come in order?",
      bool has_room(const sparse_encoding *e, const size_t *at, size_t *last, size_t *count), {
          for (unsigned l = 0; l < e->levels; l++) {
              const sparse_level *v = &e->level[l];
              const bool counted = v->map == SPARSE_MAP_COUNT, blocks = sparse_p_traits(v->type) & SPARSE_TRAIT_COUNTS;
              if (!counted && !blocks) continue;
              size_t group = counted ? at[v->dim] : at[v->dim] / v->c;
              for (unsigned d = 0; blocks && d < v->dim; d++) group = group * 65537 + at[d];
              if (group != *last) *count = 0;
              *last = group;
              if (++*count > (counted ? v->c : v->n)) return false;
          }
          return true;
      })

PIECE(band_begin, "The least coordinate of a dimension beside the first one.",
      size_t band_begin(const recipe *r, size_t first),
      { return r->width && first > r->width / 2 ? first - r->width / 2 : 0; })

PIECE(band_end, "What follows the greatest one.", size_t band_end(const recipe *r, size_t first, size_t size),
      { return r->width && first < size && size - first > r->width / 2 ? first + r->width / 2 + 1 : size; })

PIECE(is_place, "Are coordinates inside of a tensor?", bool is_place(unsigned rank, const size_t *dim, const size_t *at), {
    for (unsigned d = 0; d < rank; d++)
        if (at[d] >= dim[d]) return false;
    return true;
})

PIECE(draw_place, "Coordinates by chance; outside of the tensor if there are none beside the first one.",
      void draw_place(recipe *r, unsigned rank, const size_t *dim, size_t *at), {
          for (unsigned d = 0; d < rank; d++) {
              const size_t from = d ? band_begin(r, at[0]) : 0, to = d ? band_end(r, at[0], dim[d]) : dim[d];
              at[d] = from + (size_t)(next_random(&r->seed) * (double)(to > from ? to - from : 0));
          }
      })

PIECE(next_place, "The next coordinates, in order; after the last ones the first of them is the size.",
      void next_place(const recipe *r, unsigned rank, const size_t *dim, size_t *at), {
          unsigned d = rank - 1;
          while (d && ++at[d] >= band_end(r, at[0], dim[d])) at[d] = band_begin(r, at[0]), d--;
          if (d) return;
          at[0]++;
          for (d = 1; d < rank; d++) at[d] = band_begin(r, at[0]);
      })

PIECE(make_entries, "Makes up a sparse tensor: every place is visited if there are few, else places are drawn.",
      bool make_entries(const char *name, sparse_tensor *t, size_t *const *size, recipe r,
                        void (*store)(void *value, double number)),
      {
          const sparse_encoding *e = t->encoding;
          size_t dim[SPARSE_MAX_RANK], at[SPARSE_MAX_RANK] = {0}, count = 0, last = SIZE_MAX, group = 0;
          double volume = 1;
          if (!find_sizes(name, t, size, dim, r.density)) return false;
          for (unsigned d = 0; d < e->rank; d++) volume *= (double)(d && r.width && r.width < dim[d] ? r.width : dim[d]);
          const bool drawn = volume > 0x1p24 && r.density < 1;
          const size_t rounds = (size_t)(drawn ? r.density * volume : volume);
          size_t room = (size_t)(r.density * volume * 1.1) + 1000;
          size_t *coordinate = malloc(room * e->rank * sizeof *coordinate);
          char *value = malloc(room * e->value_size);
          for (size_t n = 0; coordinate && value && n < rounds && at[0] < dim[0] && count < room; n++) {
              if (drawn) draw_place(&r, e->rank, dim, at);
              const bool other = r.half && (at[0] < at[1] || (r.half == 2 && at[0] == at[1]));
              if (!other && is_place(e->rank, dim, at) &&
                  (drawn || (next_random(&r.seed) < r.density && has_room(e, at, &last, &group)))) {
                  memcpy(coordinate + count * e->rank, at, e->rank * sizeof *at);
                  store(value + count * e->value_size, make_number(&r, count));
                  count++;
              }
              if (!drawn) next_place(&r, e->rank, dim, at);
          }
          sparse_result result = SPARSE_E_MEMORY;
          if (coordinate && value) result = sparse_pack_untyped(t, dim, count, coordinate, value, SPARSE_DUPLICATES_LAST);
          free(coordinate);
          free(value);
          return succeeded(name, result);
      })

PIECE(seconds, "Now, in seconds.", double seconds(void), {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
})

PIECE(compare_doubles, NULL, int compare_doubles(const void *a, const void *b), {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
})

PIECE(median, "The median of some times, which are sorted.", double median(double *time, size_t count), {
    qsort(time, count, sizeof *time, compare_doubles);
    return count % 2 ? time[count / 2] : (time[count / 2 - 1] + time[count / 2]) / 2;
})

PIECE(write_times, "Writes the times as a table: of reading, and the mean, deviation and median of those of computing.",
      bool write_times(const char *path, double reading, double *time, size_t count), {
          FILE *const file = fopen(path, "w");
          double mean = 0, square = 0;
          for (size_t n = 0; n < count; n++) mean += time[n] / (double)count;
          for (size_t n = 0; n < count; n++) square += (time[n] - mean) * (time[n] - mean) / (double)count;
          if (file) {
              fprintf(file, "read,mean,deviation,median\n%.9g,%.9g,%.9g,%.9g\n", reading, mean, sqrt(square),
                      median(time, count));
              if (!ferror(file) && fclose(file) == 0) return true;
          }
          fprintf(stderr, "%s cannot be written\n", path);
          return false;
      })

PIECE(show_output, "Shows a result: its arrays if they are few.", void show_output(const char *name, const sparse_tensor *t),
      {
          printf("%s: %zu entries\n", name, sparse_entries(t));
          if (sparse_entries(t) <= 100) (void)sparse_print(t, stdout);
      })

PIECE(write_output, "Writes a result to a file.", bool write_output(const sparse_tensor *t, const char *path), {
    sparse_io_error error = {0};
    if (!sparse_write(t, path, &(sparse_write_options){.error = &error})) return true;
    fprintf(stderr, "%s\n", error.message);
    return false;
})

PIECE(show_size, "How large an input is.", void show_size(const char *name, const sparse_tensor *t), {
    printf("%s: %zu entries, sizes", name, sparse_entries(t));
    for (unsigned d = 0; d < t->encoding->rank; d++) printf(" %zu", t->dim[d]);
    puts("");
})

PIECE(sort_codes, "Sorts numbers, byte by byte, in time of how many there are; both arrays have room for them.",
      void sort_codes(uint64_t *code, uint64_t *other, size_t count), {
          for (unsigned shift = 0; shift < 64 && count; shift += 8) {
              size_t start[257] = {0};
              for (size_t n = 0; n < count; n++) start[(code[n] >> shift & 255) + 1]++;
              if (start[(code[0] >> shift & 255) + 1] == count) continue;
              for (size_t n = 0; n < 256; n++) start[n + 1] += start[n];
              for (size_t n = 0; n < count; n++) other[start[code[n] >> shift & 255]++] = code[n];
              memcpy(code, other, count * sizeof *code);
          }
      })

PIECE(count_distinct, "How many numbers there are, and how often the most frequent one comes.",
      size_t count_distinct(uint64_t *code, uint64_t *other, size_t count, size_t *most), {
          size_t distinct = 0, run = 0;
          sort_codes(code, other, count);
          *most = 0;
          for (size_t n = 0; n < count; n++) {
              if (n == 0 || code[n] != code[n - 1]) distinct++, run = 0;
              if (++run > *most) *most = run;
          }
          return distinct;
      })

PIECE(show_pattern,
      "What decides how much an encoding stores: the coordinates that differ, in every set of dimensions (1: "
      "the first, 2: the second, 3: both, ...), blocks of n by n, the most of four columns, diagonals, lines of eight in "
      "512 of the other dimension, parts of 65536 columns in a row, the longest row.",
      void show_pattern(const char *name, const sparse_tensor *t), {
          const unsigned rank = t->encoding->rank;
          const size_t count = t->val.length;
          uint64_t *code = malloc(2 * (count + 1) * sizeof *code);
          uint64_t *const other = code + count;
          size_t most = 0;
          if (!code) return;
          printf("%s: distinct", name);
          for (unsigned set = 1; set < 1u << rank; set++) {
              size_t n = 0;
              SPARSE_FOREACH(c, t)
              {
                  uint64_t key = 0;
                  for (unsigned d = 0; d < rank; d++)
                      if (set >> d & 1) key = key * t->dim[d] + c.dim[d];
                  code[n++] = key;
              }
              printf(" %u:%zu", set, count_distinct(code, other, n, &most));
              if (set == 1) printf(" longest:%zu", most);
          }
          for (unsigned b = 2; rank == 2 && b <= 8; b++) {
              size_t n = 0;
              SPARSE_FOREACH(c, t) code[n++] = c.dim[0] / b * (t->dim[1] / b + 1) + c.dim[1] / b;
              printf(" blocks%u:%zu", b, count_distinct(code, other, n, &most));
          }
          if (rank == 2) {
              size_t n = 0;
              SPARSE_FOREACH(c, t) code[n++] = c.dim[0] * (t->dim[1] / 4 + 1) + c.dim[1] / 4;
              (void)count_distinct(code, other, n, &most);
              printf(" fours:%zu", most);
              n = 0;
              SPARSE_FOREACH(c, t) code[n++] = t->dim[0] + c.dim[1] - c.dim[0];
              printf(" diagonals:%zu", count_distinct(code, other, n, &most));
              n = 0;
              SPARSE_FOREACH(c, t)
              code[n++] = c.dim[0] / 512 * (t->dim[0] + t->dim[1]) + t->dim[0] + c.dim[1] - c.dim[0];
              printf(" diagonals512:%zu", count_distinct(code, other, n, &most));
              n = 0;
              SPARSE_FOREACH(c, t) code[n++] = c.dim[1] / 512 * (t->dim[0] / 8 + 1) + c.dim[0] / 8;
              printf(" lines1:%zu", count_distinct(code, other, n, &most));
              n = 0;
              SPARSE_FOREACH(c, t) code[n++] = c.dim[0] / 512 * (t->dim[1] / 8 + 1) + c.dim[1] / 8;
              printf(" lines2:%zu", count_distinct(code, other, n, &most));
              n = 0;
              SPARSE_FOREACH(c, t) code[n++] = c.dim[0] * (t->dim[1] / 65536 + 1) + c.dim[1] / 65536;
              printf(" parts65536:%zu", count_distinct(code, other, n, &most));
          }
          puts("");
          free(code);
      })

PIECE(read_bandwidth, "What one core reads from memory, in bytes per second: the best of some passes over 128 MiB.",
      double read_bandwidth(void), {
          static volatile uint64_t sink;
          const size_t count = (size_t)1 << 24;
          uint64_t *const array = malloc(count * sizeof *array);
          double best = 0;
          for (size_t n = 0; array && n < count; n++) array[n] = n;
          for (size_t pass = 0; array && pass < 5; pass++) {
              uint64_t sum[8] = {0};
              const double start = seconds();
              for (size_t n = 0; n < count; n += 8)
                  for (size_t k = 0; k < 8; k++) sum[k] += array[n + k];
              for (size_t k = 1; k < 8; k++) sum[0] += sum[k];
              sink = sum[0] + sink;
              best = fmax(best, (double)(count * sizeof *array) / (seconds() - start));
          }
          free(array);
          return best;
      })

PIECE(show_roofline, "What was reached in `time` seconds, beside what memory allows.",
      void show_roofline(double time, double operations, double bytes), {
          const double most = read_bandwidth(), per = 1e-9 / fmax(time, 1e-9);
          printf("roofline: %.4g operations, %.4g bytes at least: %.3g GFLOP/s, %.3g GB/s; ", operations, bytes,
                 operations * per, bytes * per);
          printf("memory: %.3g GB/s by one core, %.0f%% reached%s\n", most * 1e-9, bytes * per / most * 1e11,
                 bytes * per * 1e9 > most ? ", more than all, as what is read stays in the cache" : "");
      })

TYPE_PIECE(
    entry_table, "The entries of a tensor by coordinates: an array if it is small, else a sorted list.", struct entry_table {
        const sparse_encoding *encoding;
        size_t dim[SPARSE_MAX_RANK];
        double volume;
        size_t count;
        char *value;
        bool *has;
        uint64_t *key;
    })

PIECE(key_of, "A number for coordinates: their place, or a hash of them where there are more places than numbers.",
      uint64_t key_of(const entry_table *from, const size_t *at), {
          uint64_t key = 0;
          for (unsigned d = 0; d < from->encoding->rank; d++) {
              key = from->volume <= 0x1p62 ? key * from->dim[d] + at[d] : (key ^ at[d]) * UINT64_C(0x9e3779b97f4a7c15);
              if (from->volume > 0x1p62) key ^= key >> 29;
          }
          return key;
      })

PIECE(find_entry, "The value at some coordinates, or null.",
      const void *find_entry(const entry_table *from, const size_t *at), {
          if (from->encoding == NULL) return NULL; /* a tensor that cancels out of its statement needs no input */
          const size_t size = from->encoding->value_size;
          const uint64_t key = key_of(from, at);
          size_t low = 0, high = from->count;
          if (from->has) return from->has[key] ? from->value + key * size : NULL;
          while (low < high) {
              const size_t middle = low + (high - low) / 2;
              if (from->key[2 * middle] < key)
                  low = middle + 1;
              else
                  high = middle;
          }
          return low < from->count && from->key[2 * low] == key ? from->value + (size_t)from->key[2 * low + 1] * size : NULL;
      })

PIECE(compare_keys, NULL, int compare_keys(const void *a, const void *b), {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
})

PIECE(keep_entries, "Keeps what a tensor holds now.",
      bool keep_entries(const char *name, entry_table *to, const sparse_tensor *t), {
          const size_t size = t->encoding->value_size;
          size_t most = 0;
          to->volume = 1;
          to->encoding = t->encoding;
          memcpy(to->dim, t->dim, sizeof to->dim);
          for (unsigned d = 0; d < t->encoding->rank; d++) to->volume *= (double)t->dim[d];
          const bool small = to->volume <= 0x1p22;
          const size_t places = small ? (size_t)to->volume : 0;
          SPARSE_FOREACH(c, t) most++;
          to->value = calloc((small ? places : most) + 1, size);
          if (small)
              to->has = calloc(places + 1, sizeof *to->has);
          else
              to->key = calloc(2 * most + 2, sizeof *to->key);
          if (!to->value || !(small ? to->has != NULL : to->key != NULL)) return succeeded(name, SPARSE_E_MEMORY);
          SPARSE_FOREACH(c, t)
          {
              const uint64_t key = key_of(to, c.dim);
              if (small)
                  to->has[key] = true;
              else
                  to->key[2 * to->count] = key, to->key[2 * to->count + 1] = to->count;
              memcpy(to->value + (small ? (size_t)key : to->count) * size, c.value, size);
              to->count++;
          }
          if (to->key) qsort(to->key, to->count, 2 * sizeof *to->key, compare_keys);
          return true;
      })

PIECE(drop_entries, NULL, void drop_entries(entry_table *of), {
    free(of->value);
    free(of->has);
    free(of->key);
})

PIECE(is_close, "Is one number what another is, up to rounding? A NaN is a NaN.",
      bool is_close(double got, double expected, double tolerance), {
          if (isnan(got) || isnan(expected)) return isnan(got) && isnan(expected);
          if (isinf(got) || isinf(expected)) return isinf(got) && isinf(expected) && (got > 0) == (expected > 0);
          return fabs(got - expected) <= tolerance * (1 + fabs(expected));
      })

PIECE(tell_difference, NULL,
      bool tell_difference(const char *name, const size_t *at, unsigned rank, double got, double expected), {
          fprintf(stderr, "%s", name);
          for (unsigned d = 0; d < rank; d++) fprintf(stderr, "%s%zu%s", d ? "," : "(", at[d], d + 1 == rank ? ")" : "");
          fprintf(stderr, " is %.17g, a dense evaluation gives %.17g\n", got, expected);
          return false;
      })

PIECE(check_all, "Compares all values of a result.",
      bool check_all(const entry_table *result, bool (*is_right)(const size_t *at, const void *value)), {
          size_t at[SPARSE_MAX_RANK] = {0};
          const size_t places = (size_t)result->volume;
          for (size_t n = 0; n < places; n++) {
              if (!is_right(at, find_entry(result, at))) return false;
              for (unsigned d = result->encoding->rank; d-- > 0 && ++at[d] == result->dim[d];) at[d] = 0;
          }
          return true;
      })

PIECE(check_some, "Compares values here and there, for a moment: of the places that are stored, and of all places.",
      bool check_some(const char *name, const sparse_tensor *t, const entry_table *result,
                      bool (*is_right)(const size_t *at, const void *value)),
      {
          uint64_t state = 1;
          const double until = seconds() + 0.05, density = 1000 / ((double)result->count + 1);
          size_t at[SPARSE_MAX_RANK] = {0}, compared = 0;
          SPARSE_FOREACH(c, t)
          {
              if (next_random(&state) >= density || (compared > 8 && seconds() > until)) continue;
              if (!is_right(c.dim, c.value)) return false;
              compared++;
          }
          for (size_t n = 0; n < 1000 && (n < 8 || seconds() < until); n++) {
              for (unsigned d = 0; d < t->encoding->rank; d++) at[d] = (size_t)(next_random(&state) * (double)t->dim[d]);
              if (!is_right(at, find_entry(result, at))) return false;
              compared++;
          }
          printf("%s: a dense evaluation is too large, %zu of its values were compared\n", name, compared);
          return true;
      })

PIECE(takes_long, "Is one value of a dense evaluation too much?", bool takes_long(const char *name, double steps), {
    if (steps > 0x1p30) printf("%s: not compared, one value of a dense evaluation takes %.2g steps\n", name, steps);
    return steps > 0x1p30;
})

PIECE(check_scalar, "Compares a scalar with a dense evaluation.",
      bool check_scalar(const char *name, const void *value, double steps,
                        bool (*is_right)(const size_t *at, const void *value)),
      { return takes_long(name, steps) || is_right(NULL, value); })

PIECE(check_result, "Compares a result with a dense evaluation, of which one value takes some steps.",
      bool check_result(const char *name, const sparse_tensor *t, double steps,
                        bool (*is_right)(const size_t *at, const void *value)),
      {
          entry_table result = {0};
          if (takes_long(name, steps)) return true;
          bool right = keep_entries(name, &result, t);
          if (right && steps * result.volume <= 0x1p26)
              right = check_all(&result, is_right);
          else if (right)
              right = check_some(name, t, &result, is_right);
          drop_entries(&result);
          return right;
      })

PIECE(check_slope, "Compares a derivative with a finite difference.",
      bool check_slope(const char *name, const size_t *at, unsigned rank, void *place, size_t size, double got,
                       double (*total)(void)),
      {
          const bool single = size == sizeof(float);
          const double value = single ? (double)*(float *)place : *(double *)place;
          const double reach = (single ? 0x1p-7 : 0x1p-20) * (1 + (value < 0 ? -value : value));
          double side[2] = {0};
          for (unsigned n = 0; n < 2; n++) {
              const double moved = n ? value - reach : value + reach;
              if (single)
                  *(float *)place = (float)moved;
              else
                  *(double *)place = moved;
              side[n] = total();
          }
          if (single)
              *(float *)place = (float)value;
          else
              *(double *)place = value;
          const double expected = (side[0] - side[1]) / (2 * reach);
          const double apart = got < expected ? expected - got : got - expected;
          const double large = (got < 0 ? -got : got) + (expected < 0 ? -expected : expected);
          if (apart <= (single ? 0.05 : 1e-5) * (1 + large)) return true;
          fprintf(stderr, "d%s(", name);
          for (unsigned d = 0; d < rank; d++) fprintf(stderr, "%s%zu", d ? "," : "", at[d]);
          fprintf(stderr, ") is %.17g, a finite difference gives %.17g\n", got, expected);
          return false;
      })

PIECE(check_slopes, "Compares some derivatives with finite differences, of which one takes some steps.",
      bool check_slopes(const char *name, const sparse_tensor *result, entry_table *by, double steps, double (*total)(void)),
      {
          entry_table got = {0};
          const unsigned rank = result->encoding->rank, most = steps <= 0x1p18 ? 24 : steps <= 0x1p23 ? 3 : 0;
          const size_t size = result->encoding->value_size;
          bool right = keep_entries(name, &got, result);
          uint64_t random = 12345;
          if (right && most == 0)
              printf("the derivatives by %s take too long to be compared with finite differences\n", name);
          for (unsigned n = 0; right && by->volume > 0 && n < most; n++) {
              size_t at[SPARSE_MAX_RANK] = {0};
              for (unsigned d = 0; d < rank; d++) {
                  random = random * 6364136223846793005u + 1442695040888963407u;
                  at[d] = (size_t)(random >> 33) % by->dim[d];
              }
              union place {
                  const void *given;
                  void *mine;
              } place = {.given = find_entry(by, at)};
              const void *value = find_entry(&got, at);
              const double slope = value == NULL           ? 0
                                   : size == sizeof(float) ? (double)*(const float *)value
                                                           : *(const double *)value;
              if (place.given) right = check_slope(name, at, rank, place.mine, size, slope, total);
          }
          drop_entries(&got);
          return right;
      })

PIECE(embed_indices, "static const uint32_t A_pos2[] = {...};",
      void embed_indices(const char *name, const char *what, unsigned number, const sparse_buffer *b, unsigned bits), {
          printf("SPARSE_UNUSED static const uint%u_t %s_%s%u[] = {", bits, name, what, number + 1);
          for (size_t n = 0; n < b->length; n++)
              printf("%s%s%zu", n ? "," : "", n % 16 ? " " : "\n    ", sparse_load(b->at, bits, n));
          printf("%s};\n", b->length ? "" : "0");
      })

PIECE(embed_real, "A number as a constant of C, which the suffix makes a float.",
      void embed_real(double value, const char *suffix), {
          if (isnan(value))
              printf("(%s)NAN", *suffix ? "float" : "double");
          else if (isinf(value))
              printf("%sHUGE_VAL%s", value < 0 ? "-" : "", *suffix ? "F" : "");
          else
              printf(*suffix ? "%a%s" : "%.17g%s", value, suffix);
      })

PIECE(embed_buffers, NULL, void embed_buffers(const char *name, const char *what, const sparse_buffer *b, unsigned count), {
    printf(",\n    .%s = {", what);
    for (unsigned l = 0; l < count; l++)
        if (b[l].at) printf("[%u] = {(void *)%s_%s%u, %zu, 0}, ", l, name, what, l + 1, b[l].length);
    printf("[%u] = {NULL, 0, 0}}", SPARSE_MAX_LEVELS - 1);
})

PIECE(embed_sizes, NULL, void embed_sizes(const char *what, const size_t *size, unsigned count), {
    printf(", .%s = {", what);
    for (unsigned n = 0; n < count; n++) printf("%s%zu", n ? ", " : "", size[n]);
    printf("}");
})

PIECE(narrow, "The bytes of a tensor in an encoding with the narrowest widths that hold it; 0: it does not fit.",
      size_t narrow(sparse_encoding *e, const sparse_tensor *t), {
          size_t lvl[SPARSE_MAX_LEVELS];
          bool marks = true; /* no level stores coordinates; crd holds bits, and loops over wide words of bits are faster */
          for (unsigned l = 0; l < e->levels; l++) {
              const unsigned type = e->level[l].type;
              marks = marks && (type == SPARSE_DENSE || type == SPARSE_BITMAP || type == SPARSE_BITMASK);
          }
          e->crd_bits = marks ? 32 : 8;
          while (e->crd_bits < 64 && (sparse_encoding_check(e) || sparse_level_sizes(e, t->dim, lvl)))
              e->crd_bits = (uint8_t)(2 * e->crd_bits);
          for (unsigned bits = 8; bits <= 64; bits *= 2) {
              sparse_tensor stored = {.encoding = e};
              e->pos_bits = (uint8_t)bits;
              const sparse_result result = sparse_convert(&stored, t);
              const size_t bytes = sparse_bytes(&stored);
              sparse_free(&stored);
              if (result != SPARSE_E_POSITION_WIDTH) return result == SPARSE_OK ? bytes : 0;
          }
          return 0;
      })

PIECE(measure, "Tells the sizes of a tensor, the narrowest widths, and the bytes that it takes so and in other encodings.",
      bool measure(const sparse_tensor *t, const char *const *name, const sparse_encoding *const *other, unsigned count), {
          sparse_encoding own = *t->encoding;
          const size_t bytes = narrow(&own, t);
          for (unsigned d = 0; d < own.rank; d++) printf("%zu ", t->dim[d]);
          printf("%u %u %zu bytes", bytes ? own.pos_bits : 0u, bytes ? own.crd_bits : 0u, bytes);
          for (unsigned n = 0; n < count; n++) {
              sparse_encoding e = *other[n];
              const size_t other_bytes = narrow(&e, t);
              if (other_bytes) printf("%s%s %zu", n ? ", " : "; as ", name[n], other_bytes);
          }
          printf("\n");
          return true;
      })

PIECE(embed_pointers, "static const csr A = {.pos2 = A_pos2, ...}, of a type with fixed sizes.",
      void embed_pointers(const char *name, const char *type, const sparse_tensor *t, const char *value), {
          const char *comma = "";
          printf("SPARSE_UNUSED static const %s %s = {", type, name);
          for (unsigned l = 0; l < t->encoding->levels; l++) {
              if (t->pos[l].at) printf("%s.pos%u = %s_pos%u", comma, l + 1, name, l + 1), comma = ", ";
              if (t->crd[l].at) printf("%s.crd%u = %s_crd%u", comma, l + 1, name, l + 1), comma = ", ";
          }
          printf(t->val.at ? "%s.val = %s_val%s};\n" : "};\n", comma, name, value);
      })

PIECE(embed, "Writes a tensor as constants that a kernel takes as they are: its arrays are borrowed.",
      bool embed(const char *name, const char *type, const char *value, const sparse_tensor *t,
                 void (*show)(const void *value), bool fixed),
      {
          const sparse_encoding *e = t->encoding;
          for (unsigned l = 0; l < e->levels; l++) {
              if (t->pos[l].at) embed_indices(name, "pos", l, &t->pos[l], sparse_pos_bits(e));
              if (t->crd[l].at) embed_indices(name, "crd", l, &t->crd[l], sparse_crd_bits(e));
          }
          const bool is_complex = e->kind == SPARSE_C64 || e->kind == SPARSE_C128;
          /* prints the parts separately, because C cannot write a constant with an infinite part */
          if (t->val.at && is_complex)
              printf("SPARSE_UNUSED static const union {\n    %s part[%zu];\n    %s value[%zu];\n} %s_val = {{",
                     e->kind == SPARSE_C64 ? "float" : "double", 2 * t->val.length, value, t->val.length, name);
          else if (t->val.at)
              printf("SPARSE_UNUSED static const %s %s_val[] = {", value, name);
          for (size_t n = 0; t->val.at && n < t->val.length; n++) {
              printf("%s%s", n ? "," : "", n % 8 ? " " : "\n    ");
              show((const char *)t->val.at + n * e->value_size);
          }
          if (t->val.at) printf(is_complex ? "}};\n" : "};\n");
          if (fixed) {
              embed_pointers(name, type, t, is_complex ? ".value" : "");
              return true;
          }
          printf("SPARSE_UNUSED static const %s %s = {.t = {.encoding = &%s_encoding", type, name, type);
          embed_sizes("dim", t->dim, e->rank);
          embed_sizes("lvl", t->lvl, e->levels);
          embed_buffers(name, "pos", t->pos, e->levels);
          embed_buffers(name, "crd", t->crd, e->levels);
          if (t->val.at)
              printf(",\n    .val = {(void *)%s_val%s, %zu, 0}}};\n", name, is_complex ? ".value" : "", t->val.length);
          else
              printf(",\n    .val = {NULL, %zu, 0}}};\n", t->val.length);
          return true;
      })

static const piece *const pieces[] = {
    &piece_succeeded,       &piece_agree,          &piece_read_input,      &piece_read_with,     &piece_as_bytes,
    &piece_read_truths,     &piece_read_half,      &piece_read_unsized,    &piece_fit_sizes,     &piece_find_sizes,
    &piece_allocate,        &piece_next_random,    &piece_recipe,          &piece_band_begin,    &piece_band_end,
    &piece_is_place,        &piece_draw_place,     &piece_next_place,      &piece_make_number,   &piece_has_room,
    &piece_make_entries,    &piece_seconds,        &piece_compare_doubles, &piece_median,        &piece_write_times,
    &piece_show_output,     &piece_write_output,   &piece_show_size,       &piece_sort_codes,    &piece_count_distinct,
    &piece_show_pattern,    &piece_read_bandwidth, &piece_show_roofline,   &piece_entry_table,   &piece_key_of,
    &piece_find_entry,      &piece_compare_keys,   &piece_keep_entries,    &piece_drop_entries,  &piece_is_close,
    &piece_tell_difference, &piece_check_all,      &piece_check_some,      &piece_takes_long,    &piece_check_scalar,
    &piece_check_result,    &piece_check_slope,    &piece_check_slopes,    &piece_embed_indices, &piece_embed_real,
    &piece_narrow,          &piece_measure,        &piece_embed_buffers,   &piece_embed_sizes,   &piece_embed_pointers,
    &piece_embed,
};
static const char *output_of_program(const text *source, const char *program);
static const char *cache_directory(void);

/* True if a word stands in a text, not as part of a longer word. */
static bool has_word(const char *in, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = in; (at = strstr(at, word)) != NULL; at += length) {
        const char before = at == in ? ' ' : at[-1], after = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) && after != '_') return true;
    }
    return false;
}

static bool is_piece(const char *name)
{
    for (size_t n = 0; n < sizeof pieces / sizeof *pieces; n++)
        if (same(pieces[n]->name, name)) return true;
    return false;
}

static void put_formatted(text *t, const char *code, size_t length, unsigned indent);
static void end_line(text *t, text *line, unsigned indent);

/* Writes a piece; for linked programs, only its prototype. */
static void put_piece_of(text *t, const piece *p, const char *before, bool linked)
{
    put(t, "\n");
    if (p->comment) put(t, "/* %s */\n", p->comment);
    if (linked && p->head) {
        put(t, "%s;\n", p->head);
        return;
    }
    const char *body = p->head ? strchr(p->body, '{') + 1 : print("typedef %s %s;", p->body, p->name);
    text head = {0};
    if (p->head) put(&head, "%s%s", before, p->head);
    end_line(t, &head, 0);
    if (p->head) put(t, "{\n");
    put_formatted(t, body, strlen(body) - (p->head ? 1 : 0), p->head != NULL);
    if (p->head) put(t, "}\n");
}

/* Writes the pieces that a program calls, and the pieces that these call. */
static void put_pieces(text *t, const char *program, bool linked)
{
    bool needed[sizeof pieces / sizeof *pieces] = {false};
    for (size_t n = sizeof pieces / sizeof *pieces; n-- > 0;) {
        needed[n] = has_word(program, pieces[n]->name);
        for (size_t m = n + 1; m < sizeof pieces / sizeof *pieces; m++) {
            const bool calls = has_word(pieces[m]->body, pieces[n]->name) ||
                               (pieces[m]->head && has_word(pieces[m]->head, pieces[n]->name));
            needed[n] = needed[n] || (needed[m] && calls && (!linked || pieces[n]->head == NULL));
        }
    }
    for (size_t n = 0; n < sizeof pieces / sizeof *pieces; n++) {
        if (!needed[n]) continue;
        if (program_options.part) put(t, "\n#ifndef SPARSE_GEN_%s\n#define SPARSE_GEN_%s", pieces[n]->name, pieces[n]->name);
        put_piece_of(t, pieces[n], "static ", linked);
        if (program_options.part) put(t, "#endif\n");
    }
}

/* All pieces as one source file, compiled once and linked to several programs. */
static text runtime_source(void)
{
    text t = {0};
    put(&t, "#include <math.h>\n#include <time.h>\n#include \"sparse.h\"\n#include \"sparse_io.h\"\n");
    for (size_t n = 0; n < sizeof pieces / sizeof *pieces; n++) put_piece_of(&t, pieces[n], "", false);
    return t;
}

/* Writes a C string literal. It breaks up pairs of question marks, because C11 replaces trigraphs. */
static const char *quoted(const char *s)
{
    text t = {0};
    put(&t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\' || (*s == '?' && t.at[t.length - 1] == '?'))
            put(&t, "\\%c", *s);
        else if (isprint((unsigned char)*s))
            put(&t, "%c", *s);
        else
            put(&t, "\\%03o", (unsigned)(unsigned char)*s);
    }
    put(&t, "\"");
    return t.at;
}

static bool is_recipe(const char *s)
{
    static const char *const words[] = {"rand", "ones", "zeros", "iota"};
    for (size_t n = 0; n < 4; n++) {
        const size_t length = strlen(words[n]);
        if (strncmp(s, words[n], length) == 0 && (s[length] == '\0' || s[length] == ':' || s[length] == ',')) return true;
    }
    return false;
}

/* Parses a generated input: rand:0.01,seed=7,low=-1,high=1, or ones:0.5, zeros, iota. */
static recipe parse_recipe(spot at, const tensor *t, int number)
{
    lexer x = {.source = at.source, .at = at.at};
    const bool whole = is_integer(t->kind);
    recipe r = {'r', 1, whole ? 1 : 0, whole ? 9 : 1, 1, whole, 0, 0};
    advance(&x);
    r.what = x.now.text[0];
    advance(&x);
    if (accept(&x, ":")) {
        const spot place = x.now.place;
        r.density = strtod(expect_real(&x), NULL);
        if (!(r.density >= 0 && r.density <= 1)) refuse(place, "a density is from 0 to 1");
    }
    while (accept(&x, ",")) {
        const token key = x.now;
        advance(&x);
        expect(&x, "=", "after the name of a setting");
        if (same(key.text, "seed"))
            r.seed = expect_number(&x, "the seed", 0, 4294967295);
        else if (same(key.text, "low"))
            r.low = strtod(expect_real(&x), NULL);
        else if (same(key.text, "high"))
            r.high = strtod(expect_real(&x), NULL);
        else if (same(key.text, "band") && (t->rank < 2 || is_dense(&t->encoding)))
            refuse(key.place, "a band is for sparse tensors of two dimensions and more, and %s is none", t->name);
        else if (same(key.text, "band"))
            r.width = 2 * expect_number(&x, "the band", 0, 1000000000) + 1;
        else
            refuse(key.place, "seed, low, high or band is expected");
    }
    if (x.now.kind != END) refuse(x.now.place, "the input should end here, before %s", found(&x));
    if (r.low > r.high) refuse(at, "low is more than high");
    if (r.low < 0 && is_unsigned(t->kind)) refuse(at, "low is negative, but the values of %s are unsigned", t->name);
    if (t->rank == 0 || is_dense(&t->encoding)) r.density = r.what == 'z' ? 0 : 1;
    if (r.what == 'z') r.density = 0;
    r.seed += (unsigned long)number * 7919;
    if (t->half) r.half = same(t->half, "skew") ? 2 : 1;
    return r;
}

static const input *input_of(int n)
{
    const input *in = NULL;
    for (int k = 0; k < tensor_options.ins; k++)
        if (tensor_options.in[k].name ? same(tensor_options.in[k].name, tensor_at(n)->name) : in == NULL || in->name == NULL)
            in = &tensor_options.in[k];
    return in;
}

static const input *output_of(int n)
{
    const input *out = NULL;
    for (int k = 0; k < tensor_options.outs; k++)
        if (same(tensor_options.out[k].name, tensor_at(n)->name)) out = &tensor_options.out[k];
    return out;
}

/* True if a parameter has values before the call: an input, an embedded tensor, or an updated output that has an
   input. */
static bool is_given(int n)
{
    return is_parameter(n) &&
           (tensor_at(n)->role == INPUT || tensor_at(n)->embedded || (tensor_at(n)->updated && input_of(n)));
}

/* The check evaluates the statements again with dense loops, directly from the rules of the notation, as functions of
   coordinates. after_2 returns what the second statement assigns, given_A an input value, has_A whether it is stored,
   part_3 a reduction. */

static void put_size_loops(text *t, letters over, const char *indent)
{
    for (char i = 'a'; i <= 'z'; i++)
        if (over & letter_bit(i))
            put(t, "%sfor (size_t %c = 0; %c < %slength_%c; %c++)\n", indent, i, i, the.prefix, size_letter(i), i);
}

/* Writes parameters: size_t i, size_t j. */
static const char *parameters_of(letters set)
{
    text t = {0};
    for (char i = 'a'; i <= 'z'; i++)
        if (set & letter_bit(i)) put(&t, "%ssize_t %c", t.length ? ", " : "", i);
    return t.length ? t.at : "void";
}

/* The number of the last statement before `before` that assigns the tensor; -1 if there is none. */
static int last_assignment(int n, int before)
{
    for (int s = before; s-- > 0;)
        if (the.statement[s].output == n) return s;
    return -1;
}

/* Writes the condition under which an expression has an entry. Returns false if it has one everywhere. A product is zero
   where any factor has no entry, whatever the other factors are. */
static bool put_presence(text *t, const speller *s, const node *n)
{
    double zero;
    if (n->kind == ACCESS) {
        const tensor *a = tensor_at(n->tensor);
        text inside = {0};
        put_inside(&inside, s, n);
        const bool stored = !is_everywhere(n->tensor) && (!a->encoding.fill || n->asked);
        if (inside.length) put(t, stored ? "(%s && " : "(%s)", inside.at);
        if (!stored) return inside.length > 0;
        put_stored(t, s, n);
        if (inside.length) put(t, ")");
        return true;
    }
    if (n->kind == REDUCTION && same(n->word, "sum") && n->presence) {
        put(t, "%s", n->presence);
        return true;
    }
    if (is_mask(n)) {
        put(t, "(");
        spell_condition(t, s, n);
        put(t, ")");
        return true;
    }
    const bool joins = n->kind == SUM || ((n->kind == CALL || n->kind == COMPARISON || n->kind == OPERATION) &&
                                          value_of_absence(n, &zero) && !(zero < 0) && !(zero > 0) && zero == zero);
    if (n->kind != PRODUCT && !joins) return false;
    text all = {0};
    for (unsigned k = 0; k < n->count; k++) {
        text one = {0};
        const node *term = n->term[k].node;
        if (n->kind == PRODUCT && n->term[k].inverse) continue;
        if (n->kind != PRODUCT && n->kind != SUM && term->kind == LITERAL) continue;
        const bool has = put_presence(&one, s, term);
        if (!has && n->kind != PRODUCT) return false;
        if (has) put(&all, "%s%s", all.length ? n->kind == PRODUCT ? " && " : " || " : "", one.at);
    }
    if (all.length) put(t, "(%s)", all.at);
    return all.length > 0;
}

/* The indices in a condition. */
static letters present_letters(const char *condition)
{
    letters set = 0;
    for (char i = 'a'; i <= 'z'; i++)
        if (has_word(condition, print("%c", i))) set |= letter_bit(i);
    return set;
}

/* Writes the function for argmax, argmin or variance. Returns false for another reduction. */
static bool put_reference_of_words(text *t, const speller *around, node *n, int *number)
{
    if (!finds_index(n->word) && !same(n->word, "variance")) return false;
    const letters free = free_letters(n);
    const bool index = finds_index(n->word), absolute = has_complex_values(n->term[0].node);
    speller s = *around;
    s.kind = kind_of(n->term[0].node, index ? BOOL : around->kind);
    const char *own = seen_type(around->kind), *type = seen_type(s.kind);
    text value = {0};
    spell(&value, &s, n->term[0].node, ATOM);
    text present = {0};
    if (put_presence(&present, &s, n->term[0].node))
        value = (text){.at = (char *)print("(%s ? %s : 0)", present.at, value.at)};
    n->call = print("%spart_%d(%s)", the.prefix, ++*number, letters_with_commas(free));
    n->presence = NULL;
    put(t, "\nSPARSE_UNUSED static %s %spart_%d(%s)\n{\n    %s result = 0;\n", own, the.prefix, *number, parameters_of(free),
        own);
    for (char i = 'a'; i <= 'z'; i++)
        if ((free & letter_bit(i)) && !has_word(value.at, print("%c", i))) put(t, "    (void)%c;\n", i);
    if (index) {
        char i = 'a';
        while (!(n->over & letter_bit(i))) i++;
        put(t, "    %s best = 0;\n    bool any = false;\n", type);
        put_size_loops(t, n->over, "    ");
        put(t, "    {\n        const %s value = %s;\n", type, cast_to(s.kind, value.at));
        put(t, "        if (%s(!any || value %s best)) any = true, best = value, result = %s;\n    }\n",
            is_integer(s.kind) ? "" : "value == value && ", same(n->word, "argmax") ? ">" : "<",
            cast_to(around->kind, print("%c", i)));
        put(t, "    return result;\n}\n");
        return true;
    }
    const char *const all = print("(%s)(%s)", own, sizes_of(n->over));
    put(t, "    %s mean = 0;\n", type);
    put_size_loops(t, n->over, "    ");
    put(t, "        mean += %s;\n    mean /= %s;\n", cast_to(s.kind, value.at), all);
    put_size_loops(t, n->over, "    ");
    const char *distance = print("(%s - mean)", cast_to(s.kind, value.at));
    if (absolute) distance = print("cabs%s(%s)", s.kind == C64 ? "f" : "", distance);
    put(t, "        result += %s * %s;\n    return result / %s;\n}\n", distance, distance, all);
    return true;
}

/* Writes a function for every reduction of an expression, innermost first, and a function that returns whether anything
   is reduced. */
static void put_reference_reductions(text *t, const speller *around, node *n, int *number)
{
    for (unsigned k = 0; k < n->count; k++) put_reference_reductions(t, around, n->term[k].node, number);
    if (n->kind != REDUCTION) return;
    speller own = *around;
    own.kind = kind_within(n, own.kind);
    const speller *const s = &own;
    const char *type = seen_type(s->kind);
    const bool most = same(n->word, "max"), sum = same(n->word, "sum");
    const letters free = free_letters(n);
    text value = {0}, present = {0};
    spell_value(&value, s, n->term[0].node, ATOM);
    const bool sparse = put_presence(&present, s, n->term[0].node);
    if (sparse && !sum && !the.semiring) value = (text){.at = (char *)print("(%s ? %s : 0)", present.at, value.at)};
    if (put_reference_of_words(t, s, n, number)) return;
    ++*number;
    n->call = print("%spart_%d(%s)", the.prefix, *number, letters_with_commas(free));
    n->presence = NULL;
    put(t, "\nSPARSE_UNUSED static %s %spart_%d(%s)\n{\n    %s value = %s;\n", type, the.prefix, *number,
        parameters_of(free), type,
        the.semiring ? identity_of(s->kind)
        : sum        ? "0"
                     : identity_of_reduction(n->word, s->kind));
    for (char i = 'a'; i <= 'z'; i++)
        if ((free & letter_bit(i)) && !has_word(value.at, print("%c", i))) put(t, "    (void)%c;\n", i);
    put_size_loops(t, n->over, "    ");
    const char *next = print("(%s)", cast_to(s->kind, value.at));
    if (the.semiring) {
        text both = {0};
        put_function_of(&both, s, the.semiring->plus, "value", next);
        put(t, "        if (%s) value = %s;\n", sparse ? present.at : "true", cast_to(s->kind, both.at));
    } else if (sum || same(n->word, "prod")) {
        if (s->kind > U16)
            put(t, "        value %s= %s;\n", sum ? "+" : "*", value.at);
        else
            put(t, "        value = %s;\n", cast_to(s->kind, print("value %s %s", sum ? "+" : "*", value.at)));
    } else if (is_integer(s->kind)) {
        put(t, "        value = %s %s value ? %s : value;\n", next, most ? ">" : "<", next);
    } else {
        put(t, "        value = %s%s(value, %s);\n", most ? "fmax" : "fmin", s->kind == F32 ? "f" : "", next);
    }
    put(t, "    return value;\n}\n");
    if (!sparse || !sum) return;
    n->presence = print("%shas_part_%d(%s)", the.prefix, *number, letters_with_commas(free));
    put(t, "SPARSE_UNUSED static bool %shas_part_%d(%s)\n{\n", the.prefix, *number, parameters_of(free));
    for (char i = 'a'; i <= 'z'; i++)
        if (free & ~present_letters(present.at) & letter_bit(i)) put(t, "    (void)%c;\n", i);
    put_size_loops(t, n->over & present_letters(present.at), "    ");
    put(t, "        if (%s) return true;\n    return false;\n}\n", present.at);
}

/* The name of the function that returns the values of a tensor before a statement. */
static const char *reference_name(int n, int before)
{
    if (tensor_at(n)->known_of) return print("%sknown_%d", the.prefix, tensor_at(n)->known_in + 1);
    const int last = last_assignment(n, before);
    return last >= 0 ? print("%safter_%d", the.prefix, last + 1) : print("%sgiven_%s", the.prefix, tensor_at(n)->name);
}

/* Writes how a statement combines the old value with the new one, both in the type to compute in. */
static const char *joined_values(const statement *a, const speller *s, const char *there, const char *value)
{
    const char *word = the.semiring ? the.semiring->plus + 1 : a->reduction; /* the max or min of fmax or fmin */
    if (word && s->kind <= U16) value = print("(%s)", cast_to(s->kind, value));
    if (!word || same(word, "prod")) return print("%s %s %s", there, word ? "*" : "+", value);
    if (is_integer(s->kind)) return print("%s %s %s ? %s : %s", value, same(word, "max") ? ">" : "<", there, value, there);
    return print("f%s%s(%s, %s)", word, s->kind == F32 ? "f" : "", there, value);
}

/* Writes the function for an assignment to a part of a tensor. At coordinates to_0, to_1 it adds up all iterations that
   write there. Outside of the part it returns zero, or for += the old value. */
static void put_reference_part(text *t, const statement *a, const speller *s, const char *type)
{
    text value = {0}, condition = {0}, at = {0};
    const value_kind kind = computed(tensor_at(a->output)->kind);
    const char *none = the.semiring ? identity_of(kind) : "0";
    for (unsigned d = 0; d < tensor_at(a->output)->rank; d++) {
        put(&condition, "%s%s == to_%u", d ? " && " : "", spell_place_at(a->left, d, " ", s->statement), d);
        put(&at, "%sto_%u", d ? ", " : "", d);
    }
    spell_value(&value, s, a->value, a->reduction ? ATOM : MULTIPLIED);
    text present = {0};
    if (the.semiring && put_presence(&present, s, a->value)) put(&condition, " && %s", present.at);
    for (unsigned d = 0; tensor_at(a->output)->padded && d < tensor_at(a->output)->rank; d++) {
        const unsigned long size = tensor_at(a->output)->told[d];
        put(t, "    if (to_%u >= %s) return %s; /* outside, where nothing is assigned */\n", d,
            size ? print("%lu", size) : "SIZE_MAX / 2", none);
    }
    put(t, "    %s value = %s;\n", type,
        a->accumulate ? print("%s(%s)", reference_name(a->output, s->statement), at.at) : none);
    put_size_loops(t, letters_of(a->index), "    ");
    put(t, "        if (%s) value = %s;\n", condition.at,
        cast_to(kind,
                joined_values(a, s, print("%svalue", s->kind == kind ? "" : print("(%s)", kinds[s->kind].type)), value.at)));
    put(t, the.semiring && is_sparse(a->output) ? "    return value != %s ? value : 0;\n}\n" : "    return value;\n}\n",
        none);
}

/* Writes the position of an element in the array of a recurrence: i * length_k + k. */
static const char *known_place(const statement *a)
{
    text at = {0};
    for (const char *i = a->index; *i; i++)
        at = (text){.at = (char *)(at.at ? print("(%s) * %slength_%c + %c", at.at, the.prefix, size_letter(*i), *i)
                                         : print("%c", *i))};
    return at.at;
}

/* Writes the array that holds the elements of a recurrence as they are computed. */
static void put_reference_known(text *t, const statement *a, int number, const char *type)
{
    text parameters = {0};
    for (const char *i = a->index; *i; i++) put(&parameters, "%ssize_t %c", i == a->index ? "" : ", ", *i);
    put(t, "\nstatic %s *%sknown_by_%d;\n", type, the.prefix, number + 1);
    put(t, "SPARSE_UNUSED static %s %sknown_%d(%s) { return %sknown_by_%d[%s]; }\n", type, the.prefix, number + 1,
        parameters.at, the.prefix, number + 1, known_place(a));
}

/* Writes after_1 for a recurrence. Its first call computes all elements in order. */
static void put_reference_order(text *t, const statement *a, int number, const char *type)
{
    text parameters = {0};
    const char *const known = print("%sknown_by_%d", the.prefix, number + 1), *count = "1";
    for (const char *i = a->index; *i; i++) {
        put(&parameters, "%ssize_t %c", i == a->index ? "" : ", ", *i);
        count = print("%s * %slength_%c", count, the.prefix, size_letter(*i));
    }
    put(t, "static void %sorder_%d(void)\n{\n    %s = (%s *)calloc(%s + 1, sizeof *%s);\n    if (%s == NULL) exit(1);\n",
        the.prefix, number + 1, known, type, count, known, known);
    for (const char *i = a->index; *i; i++)
        if (a->recurrence.down)
            put(t, "    for (size_t %c = %slength_%c; %c-- > 0;)\n", *i, the.prefix, size_letter(*i), *i);
        else
            put(t, "    for (size_t %c = 0; %c < %slength_%c; %c++)\n", *i, *i, the.prefix, size_letter(*i), *i);
    put(t, "        %s[%s] = %snext_%d(%s);\n}\n", known, known_place(a), the.prefix, number + 1, commas(a->index));
    put(t, "SPARSE_UNUSED static %s %safter_%d(%s)\n{\n    if (%s == NULL) %sorder_%d();\n    return %s[%s];\n}\n", type,
        the.prefix, number + 1, parameters.at, known, the.prefix, number + 1, known, known_place(a));
}

/* Writes the function for the values that a statement assigns. */
static void put_reference_statement(text *t, int number, int *reductions)
{
    statement *a = &the.statement[number];
    const tensor *out = tensor_at(a->output);
    const value_kind kind = computed(out->kind);
    const speller s = {.style = REFERENCE, .kind = kind_of(a->value, kind), .statement = number};
    const char *type = seen_type(kind), *before = print("%s(%s)", reference_name(a->output, number), commas(a->index));
    text value = {0}, present = {0}, parameters = {0};
    if (a->recurrence.inner) put_reference_known(t, a, number, type);
    put_reference_reductions(t, &s, a->value, reductions);
    spell_value(&value, &s, a->value, a->reduction ? ATOM : COMPARED);
    for (const char *i = a->index; *i && !a->left; i++) put(&parameters, "%ssize_t %c", i == a->index ? "" : ", ", *i);
    for (unsigned d = 0; a->left && d < out->rank; d++) put(&parameters, "%ssize_t to_%u", d ? ", " : "", d);
    put(t, "\nSPARSE_UNUSED static %s %s%s_%d(%s)\n{\n", type, the.prefix, a->recurrence.inner ? "next" : "after",
        number + 1, parameters.length ? parameters.at : "void");
    if (a->left) {
        put_reference_part(t, a, &s, type);
        return;
    }
    for (const char *i = a->index; *i; i++)
        if (!a->accumulate && !has_word(value.at, print("%c", *i))) put(t, "    (void)%c;\n", *i);
    if (the.semiring) {
        const bool sparse = put_presence(&present, &s, a->value);
        put(t, "    const %s value = %s ? %s : %s;\n", type, sparse ? present.at : "true", value.at, identity_of(kind));
        if (a->accumulate)
            put(t, "    return %s;\n}\n", joined_values(a, &s, before, "value"));
        else
            put(t, "    return %s;\n}\n",
                is_sparse(a->output) ? print("value != %s ? value : 0", identity_of(kind)) : "value");
        return;
    }
    const char *widened = s.kind == kind ? "" : print("(%s)", kinds[s.kind].type);
    if (s.kind == kind && kind > U16 && !a->accumulate)
        put(t, "    return %s;\n}\n", value.at);
    else
        put(t, "    return %s;\n}\n",
            cast_to(kind, a->accumulate ? joined_values(a, &s, print("%s%s", widened, before), value.at) : value.at));
    if (a->recurrence.inner) put_reference_order(t, a, number, type);
}

/* True if the check needs the values of a tensor before the first statement. */
static bool is_kept(int n)
{
    if (tensor_at(n)->role == CONVERTED || tensor_at(n)->known_of) return false;
    for (int s = 0; s < the.statements; s++) {
        const bool first = last_assignment(n, s) < 0;
        if (first &&
            (statement_reads(&the.statement[s], n) || (the.statement[s].output == n && the.statement[s].accumulate)))
            return true;
    }
    return false;
}

/* Writes the test for coordinates outside of a padded tensor, and the value there. */
static void put_outside(text *t, const tensor *a, const char *value)
{
    if (!a->padded) return;
    put(t, "    if (");
    for (unsigned d = 0; d < a->rank; d++)
        put(t, "%s%c >= %skept_%s.dim[%u]", d ? " || " : "", 'a' + (int)d, the.prefix, a->name, d);
    put(t, ") return %s;\n", value);
}

/* Writes given_A and has_A, from a copy of A made at the beginning. */
static void put_given(text *t, int n)
{
    const tensor *a = tensor_at(n);
    const char *type = seen_type(a->kind), *stored = kinds[a->kind].type;
    const char *fill = a->encoding.fill ? a->encoding.fill : "0";
    text parameters = {0}, at = {0};
    for (unsigned d = 0; d < a->rank; d++) {
        put(&parameters, "%ssize_t %c", d ? ", " : "", 'a' + (int)d);
        put(&at, "%s%c", d ? ", " : "", 'a' + (int)d);
    }
    if (a->rank == 0) {
        put(t, "static %s %skept_%s;\n", type, the.prefix, a->name);
        put(t, "SPARSE_UNUSED static %s %sgiven_%s(void) { return %skept_%s; }\n", type, the.prefix, a->name, the.prefix,
            a->name);
        return;
    }
    put(t, "static entry_table %skept_%s;\n", the.prefix, a->name);
    put(t, "SPARSE_UNUSED static %s %sgiven_%s(%s)\n{\n", type, the.prefix, a->name, parameters.at);
    put_outside(t, a, fill);
    put(t, "    const void *value = find_entry(&%skept_%s, (const size_t[]){%s});\n", the.prefix, a->name, at.at);
    const char *const own = decoded(a->kind, print("*(const %s *)value", stored));
    if (a->half) {
        const char *image = decoded(a->kind, print("*(const %s *)image", stored));
        if (same(a->half, "hermitian") && is_complex(a->kind)) image = print("conj%s(%s)", a->kind == C64 ? "f" : "", image);
        put(t, "    const void *image = a == b ? NULL : find_entry(&%skept_%s, (const size_t[]){b, a});\n", the.prefix,
            a->name);
        put(t, "    return (%s)((value ? %s : 0) %s (image ? %s : 0));\n}\n", type, own, same(a->half, "skew") ? "-" : "+",
            image);
    } else {
        put(t, "    return value ? %s : %s;\n}\n", own, fill);
    }
    if (is_everywhere(n)) return;
    put(t, "SPARSE_UNUSED static bool %shas_%s(%s)\n{\n", the.prefix, a->name, parameters.at);
    put_outside(t, a, "false");
    put(t, "    return find_entry(&%skept_%s, (const size_t[]){%s}) != NULL", the.prefix, a->name, at.at);
    if (a->half) put(t, " || find_entry(&%skept_%s, (const size_t[]){b, a}) != NULL", the.prefix, a->name);
    put(t, ";\n}\n");
}

/* The tolerance for comparing a result with the dense evaluation. */
static double tolerance(int n)
{
    const value_kind k = tensor_at(n)->kind;
    double most = is_integer(k) ? 0 : 1e-9;
    for (int m = 0; m < the.tensors; m++) {
        const value_kind other = tensor_at(m)->kind;
        const double its = other == BF16 ? 0.1 : other == F16 ? 0.02 : other == F32 || other == C64 ? 1e-3 : 0;
        if (is_used(m) && !(is_integer(k) && its == 0) && its > most) most = its;
    }
    return is_integer(k) ? 0 : most;
}

/* Writes is_right_y: whether a value of a result equals the one that its last statement assigns. */
static void put_verdict(text *t, int n)
{
    const tensor *a = tensor_at(n);
    const char *type = seen_type(a->kind), *fill = a->encoding.fill ? a->encoding.fill : "0";
    text at = {0};
    for (unsigned d = 0; d < a->rank; d++) put(&at, "%sat[%u]", d ? ", " : "", d);
    put(t, "\nstatic bool %sis_right_%s(const size_t *at, const void *value)\n{\n", the.prefix, a->name);
    if (a->rank == 0) put(t, "    (void)at;\n");
    put(t, "    const %s got = value ? %s : %s;\n", type, decoded(a->kind, print("*(const %s *)value", kinds[a->kind].type)),
        fill);
    const char *expected = print("%s(%s)", reference_name(n, the.statements), at.length ? at.at : "");
    /* rounded to the stored type, in which it may overflow */
    if (computed(a->kind) != a->kind) expected = decoded(a->kind, encoded(a->kind, expected));
    put(t, "    const %s expected = %s;\n", type, expected);
    if (is_integer(a->kind)) {
        put(t,
            "    return got == expected || tell_difference(\"%s\", at, %u, (double)got, "
            "(double)expected);\n}\n",
            a->name, a->rank);
        return;
    }
    const char *part = a->kind == C64 ? "float" : "double";
    for (int p = 0; p < (is_complex(a->kind) ? 2 : 1); p++) {
        const char *one = "got", *other = "expected";
        if (is_complex(a->kind)) {
            one = print("(double)((const %s *)&got)[%d]", part, p);
            other = print("(double)((const %s *)&expected)[%d]", part, p);
        } else if (computed(a->kind) == F32) {
            one = "(double)got", other = "(double)expected";
        }
        put(t, "    if (!is_close(%s, %s, %g)) return tell_difference(\"%s\", at, %u, %s, %s);\n", one, other, tolerance(n),
            a->name, a->rank, one, other);
    }
    put(t, "    return true;\n}\n");
}

/* The number of operations for one value, as C: (double)size_j * 2. */
static const char *steps_of(const node *n, int before);

/* The number of operations for one value of a tensor before statement `before`, as C; 1 if it is an input. */
static const char *steps_of_tensor(int n, int before)
{
    const int last = last_assignment(n, before);
    if (last < 0) return "1";
    const statement *a = &the.statement[last];
    text all = {0};
    put(&all, "%s", "");
    for (const char *i = a->index; a->left && *i; i++) put(&all, "(double)%slength_%c * ", the.prefix, size_letter(*i));
    for (const char *i = a->index; a->recurrence.inner && *i; i++) /* a recurrence computes all elements */
        put(&all, "(double)%slength_%c * ", the.prefix, size_letter(*i));
    if (a->left || a->recurrence.inner)
        return print("(%s%s%s)", a->accumulate ? print("%s + ", steps_of_tensor(n, last)) : "", all.at,
                     steps_of(a->value, last));
    return print("(%s%s)", a->accumulate ? print("%s + ", steps_of_tensor(n, last)) : "", steps_of(a->value, last));
}

static const char *steps_of(const node *n, int before)
{
    text t = {0};
    if (is_access(n)) return steps_of_tensor(n->tensor, before);
    if (n->kind == REDUCTION) {
        for (char i = 'a'; i <= 'z'; i++)
            if (n->over & letter_bit(i)) put(&t, "(double)%slength_%c * ", the.prefix, size_letter(i));
        put(&t, "%s", steps_of(n->term[0].node, before));
        return t.at;
    }
    for (unsigned k = 0; k < n->count; k++)
        if (n->term[k].node->count || is_access(n->term[k].node))
            put(&t, "%s%s", t.length ? " + " : "", steps_of(n->term[k].node, before));
    return t.length ? strchr(t.at, '+') ? print("(%s)", t.at) : t.at : "1";
}

/* Writes the number whose derivatives are tested: the sum of dy(i) * y(i) over all results of the original statements. */
static void put_total(text *t)
{
    put(t, "\nstatic double %stotal(void)\n{\n    double sum = 0;\n", the.prefix);
    for (int n = 0; n < the.tensors; n++) {
        const tensor *slope = tensor_at(n);
        const int of = slope->role == INPUT ? derivative_of(n) : -1;
        if (of < 0 || last_assignment(of, the.derived_from) < 0) continue;
        text at = {0};
        put(&at, "%s", "");
        for (unsigned d = 0; d < slope->rank; d++) {
            put(t, "    for (size_t to_%u = 0; to_%u < %skept_%s.dim[%u]; to_%u++)\n", d, d, the.prefix, slope->name, d, d);
            put(&at, "%sto_%u", d ? ", " : "", d);
        }
        put(t, "        sum += (double)(%sgiven_%s(%s) * %s(%s));\n", the.prefix, slope->name, at.at,
            reference_name(of, the.derived_from), at.at);
    }
    put(t, "    return sum;\n}\n");
}

/* The number of operations of this sum. */
static const char *steps_of_total(void)
{
    text all = {0};
    for (int n = 0; n < the.tensors; n++) {
        const tensor *slope = tensor_at(n);
        const int of = slope->role == INPUT ? derivative_of(n) : -1;
        if (of < 0 || last_assignment(of, the.derived_from) < 0) continue;
        put(&all, "%s%s", all.length ? " + " : "", steps_of_tensor(of, the.derived_from));
        if (slope->rank) put(&all, " * %skept_%s.volume", the.prefix, slope->name);
    }
    return all.at ? all.at : "1";
}

/* Writes the comparison of derivatives with finite differences, for cases where these are precise. */
static void put_slopes(text *t)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *slope = tensor_at(n);
        const int of = slope->role == OUTPUT ? derivative_of(n) : -1;
        if (of < 0 || tensor_at(of)->role != INPUT || !is_kept(of) || (slope->kind != F64 && slope->kind != F32)) continue;
        const char *const name = tensor_at(of)->name, *const kept = print("%skept_%s", the.prefix, name);
        if (slope->rank)
            put(t, "    done = done && check_slopes(\"%s\", &%s.t, &%s, %s, %stotal);\n", name, slope->name, kept,
                steps_of_total(), the.prefix);
        else
            put(t, "    done = done && check_slope(\"%s\", NULL, 0, &%s, sizeof %s, (double)%s, %stotal);\n", name, kept,
                kept, slope->name, the.prefix);
    }
}

static void put_reference(text *t)
{
    int reductions = 0;
    put(t, "\n/* the statements once more, for the check */\n");
    for (int n = 0; n < the.tensors; n++)
        if (is_kept(n)) put_given(t, n);
    for (int s = 0; s < the.statements; s++) put_reference_statement(t, s, &reductions);
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == OUTPUT) put_verdict(t, n);
    if (the.derived_from) put_total(t);
}

/* Writes the copies of inputs that the check needs, made before the kernel runs. */
static void put_copies(text *t)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_kept(n) || !is_parameter(n)) continue;
        if (a->rank == 0)
            put(t, "    %skept_%s = %s;\n", the.prefix, a->name, a->name);
        else
            put(t, "    done = done && keep_entries(\"%s\", &%skept_%s, &%s.t);\n", a->name, the.prefix, a->name, a->name);
    }
}

/* True if a sparse input has real values: then a product with a missing entry is not computed, even where another factor
   is infinite. */
static bool skips_absent(void)
{
    bool any = false;
    for (int n = 0; n < the.tensors; n++)
        any = any || (is_parameter(n) && is_sparse(n) && !tensor_at(n)->encoding.fill && tensor_at(n)->role != OUTPUT &&
                      !is_integer(tensor_at(n)->kind));
    return any && !the.semiring;
}

static void put_comparison(text *t)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (a->role == OUTPUT && a->rank == 0)
            put(t, "    done = done && check_scalar(\"%s\", &%s, %s, %sis_right_%s);\n", a->name, a->name,
                steps_of_tensor(n, the.statements), the.prefix, a->name);
        else if (a->role == OUTPUT)
            put(t, "    done = done && check_result(\"%s\", &%s.t, %s, %sis_right_%s);\n", a->name, a->name,
                steps_of_tensor(n, the.statements), the.prefix, a->name);
    }
    if (the.derived_from) put_slopes(t);
    for (int n = 0; n < the.tensors; n++)
        if (is_kept(n) && tensor_at(n)->rank) put(t, "    drop_entries(&%skept_%s);\n", the.prefix, tensor_at(n)->name);
    if (program_options.part) return;
    put(t, "    if (done");
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == OUTPUT && !same(steps_of_tensor(n, the.statements), "(1)"))
            put(t, " && %s <= 0x1p30", steps_of_tensor(n, the.statements));
    put(t, ") puts(\"the result is that of a dense evaluation%s%s\");\n",
        the.derived_from ? ", and of finite differences" : "",
        skips_absent()
            ? "; a product with an element that is not stored counts as 0, even if another factor is NaN or infinite"
            : "");
}

/* True for a tensor that statements compute and no file contains. */
static bool is_made(int n) { return tensor_at(n)->role != INPUT && !is_given(n); }

/* Writes the sizes of dimensions with subscripts such as i + p, for tensors that no file gave a size. A size is the least
   that contains all subscripts. With padding it is the size over which the indices of the result run. */
static void put_window_sizes(text *t, const node *n, const char *result, int of, bool assigned)
{
    for (unsigned k = 0; k < n->count; k++) put_window_sizes(t, n->term[k].node, result, of, assigned);
    for (unsigned d = 0; is_at_subscripts(n) && n->tensor == of && d < tensor_at(of)->rank; d++) {
        const subscript *s = &n->subscript[d];
        const char own = size_letter(tensor_at(n->tensor)->index[d]);
        const bool padded = tensor_at(n->tensor)->padded;
        text known = {0}, least = {0};
        bool shared = false;
        if (!isupper((unsigned char)own)) continue;
        for (unsigned k = 0; k < s->count; k++) shared = shared || strchr(result, s->index[k]);
        const long start = padded && !assigned ? 0 : s->start;
        put(&least, "%ld", start < 0 ? 1 : start + 1);
        for (unsigned k = 0; k < s->count; k++) {
            const char *size = print("%slength_%c", the.prefix, size_letter(s->index[k]));
            if (s->step[k] <= 0 || (padded && !assigned && shared && !strchr(result, s->index[k]))) continue;
            put(&known, "%s%s != SIZE_MAX", known.length ? " && " : "", size);
            put(&least, " + %ld * (%s - 1)", s->step[k], size);
        }
        if (start < 0) least = less(&least, -start);
        const char *size = print("%sleast_%c", the.prefix, own);
        put(t, "    if (%s && %s < %s) %s = %s;\n", known.length ? known.at : "true", size, least.at, size, least.at);
    }
}

/* Writes the sizes of indices that tensors have only in sums, as large as the subscripts allow. `made`: for tensors that
   statements compute, else for inputs. */
static void put_found_sizes(text *t, const node *n, letters bare, bool made)
{
    for (unsigned k = 0; k < n->count; k++) put_found_sizes(t, n->term[k].node, bare, made);
    if (!n->affine || tensor_at(n->tensor)->padded) return;
    if (is_made(n->tensor) != made) return;
    for (unsigned d = 0; d < tensor_at(n->tensor)->rank; d++) {
        const subscript *s = &n->subscript[d];
        const char *dim = print("%slength_%c", the.prefix, size_letter(tensor_at(n->tensor)->index[d]));
        for (unsigned k = 0; k < s->count && tensor_at(n->tensor)->windowed[d]; k++) {
            const char *size = print("%slength_%c", the.prefix, size_letter(s->index[k]));
            text known = {0}, used = {0}, some = {0};
            if (has_size(size_letter(s->index[k])) || (bare & letter_bit(s->index[k]))) continue;
            put(&used, "%ld", s->start);
            for (unsigned m = 0; m < s->count; m++) {
                const char *other = print("%slength_%c", the.prefix, size_letter(s->index[m]));
                if (m != k) put(&known, " && %s != SIZE_MAX", other);
                if (m != k) put(&some, " && %s > 0", other);
                if (m != k) put(&used, " + %ld * (%s - 1)", s->step[m], other);
            }
            const char *fits = print("%s > %s ? (%s - (%s) - 1) / %ld + 1 : 0", dim, used.at, dim, used.at, s->step[k]);
            if (t->at && strstr(t->at, print("    if (%s == SIZE_MAX", size)))
                put(t, "    if (%s != SIZE_MAX%s%s) %s = sparse_p_min(%s, %s);\n", dim, known.length ? known.at : "",
                    some.length ? some.at : "", size, size, fits);
            else
                put(t, "    if (%s == SIZE_MAX && %s != SIZE_MAX%s) %s = %s;\n", size, dim, known.length ? known.at : "",
                    size, fits);
        }
    }
}

/* The plain indices of the inputs. */
static letters read_letters(void)
{
    letters set = 0;
    for (int n = 0; n < the.tensors; n++)
        for (const char *i = tensor_at(n)->index; tensor_at(n)->role == INPUT && *i; i++)
            if (islower((unsigned char)*i)) set |= letter_bit(*i);
    return set;
}

/* Writes `line` for each dimension of a tensor whose size only sums determine. */
static void put_size_lines(text *t, const char *line, int n)
{
    for (const char *i = tensor_at(n)->index; *i && tensor_at(n)->role != CONVERTED; i++)
        if (isupper((unsigned char)*i)) put(t, line, the.prefix, *i, the.prefix, *i, the.prefix, *i, the.prefix, *i);
}

/* Writes the assignments of these sizes to dimensions that have none. A computed tensor gets the size that holds its
   parts, and passes it to the indices of later statements. */
static void put_least_sizes(text *t)
{
    const letters bare = read_letters();
    for (int s = 0; s < the.statements; s++) put_found_sizes(t, the.statement[s].value, bare, false);
    for (int n = 0; n < the.tensors; n++) put_size_lines(t, "    size_t %sleast_%c = 0;\n", n);
    for (int given = 0; given < 2; given++)
        for (int n = 0; n < the.tensors; n++) {
            if (is_made(n) == given) continue;
            for (int s = 0; s < the.statements; s++)
                if (the.statement[s].output == n) put_found_sizes(t, the.statement[s].value, bare, true);
            for (int s = 0; s < the.statements; s++) {
                put_window_sizes(t, the.statement[s].value, the.statement[s].index, n, false);
                if (the.statement[s].left && !the.statement[s].shadow)
                    put_window_sizes(t, the.statement[s].left, the.statement[s].index, n, true);
            }
            put_size_lines(t, "    if (%slength_%c == SIZE_MAX && %sleast_%c) %slength_%c = %sleast_%c;\n", n);
        }
}

/* Declares the sizes of the indices that occur in a program. */
static void put_sizes(text *t, const char *program)
{
    const letters used = letters_of_statements();
    text line = {0};
    for (int n = 0; n < the.tensors; n++)
        for (const char *i = tensor_at(n)->index; *i; i++)
            if (isupper((unsigned char)*i) && has_word(program, print("%slength_%c", the.prefix, *i)) &&
                !strstr(line.at ? line.at : "", print("length_%c ", *i)))
                put(&line, "%s%slength_%c = %s", line.length ? ", " : "", the.prefix, *i,
                    has_size(*i) ? print("%lu", alphabet.size[*i - 'A']) : "SIZE_MAX");
    for (char i = 'a'; i <= 'z'; i++) {
        if (!(used & letter_bit(i)) || size_letter(i) != i || !has_word(program, print("%slength_%c", the.prefix, i)))
            continue;
        put(&line, "%s%slength_%c = %s", line.length ? ", " : "", the.prefix, i,
            has_size(i) ? print("%lu", alphabet.size[i - 'A']) : "SIZE_MAX");
    }
    if (line.length) put(t, "static size_t %s;\n", line.at);
}

/* Writes the arguments that name a tensor: "A", &A.t, (size_t *const[]){&length_i, &length_j}. */
static const char *named_tensor(const tensor *a)
{
    text t = {0};
    put(&t, "\"%s\", &%s.t, (size_t *const[]){", a->name, a->name);
    for (unsigned d = 0; d < a->rank; d++) put(&t, "%s&%slength_%c", d ? ", " : "", the.prefix, size_letter(a->index[d]));
    put(&t, "}");
    return t.at;
}

/* Writes the parameters of a generated input: {'r', 0.01, 0, 1, 7, false, 0}. */
static const char *spell_recipe(const recipe *r)
{
    return print("{'%c', %.17g, %.17g, %.17g, %llu, %s, %lu, %d}", r->what, r->density, r->low, r->high,
                 (unsigned long long)r->seed, r->whole ? "true" : "false", (unsigned long)r->width, r->half);
}

/* True if a tensor is filled element by element. If all values are the constant of its type, nothing is stored. */
static bool is_filled(const tensor *a) { return is_dense(&a->encoding) && !a->encoding.constant; }

/* Writes the code that fills a dense input with generated values, in storage order. */
static void put_dense_input(text *t, int n, const recipe *r)
{
    const tensor *a = tensor_at(n);
    const char *number = r->what == 'o'   ? "1"
                         : r->what == 'i' ? "(double)(entry + 1)"
                                          : print("make_number(&%s_recipe, entry)", a->name);
    put(t, "    done = done && allocate(%s);\n", named_tensor(a));
    if (r->what == 'z') return;
    if (r->what == 'r') put(t, "    recipe %s_recipe = %s;\n", a->name, spell_recipe(r));
    char from = 'a'; /* for an index set: the index of the dimension that it chooses from */
    while (from <= 'z' && !(set_of(from) && find_tensor(set_of(from)) == n)) from++;
    if (from <= 'z' && r->what == 'i') number = print("(double)(entry %% %slength_%c)", the.prefix, size_letter(from));
    if (from <= 'z' && r->what == 'r' && !strstr(input_of(n)->value, "low=") && !strstr(input_of(n)->value, "high="))
        put(t, "    %s_recipe.low = 0, %s_recipe.high = %slength_%c ? (double)(%slength_%c - 1) : 0;\n", a->name, a->name,
            the.prefix, size_letter(from), the.prefix, size_letter(from));
    put(t,
        "    for (size_t entry = 0; done && entry < %s.t.val.length; entry++) ((%s *)%s.t.val.at)[entry] = "
        "%s;\n",
        a->name, kinds[a->kind].type, a->name, encoded(a->kind, number));
}

/* The name of the function that stores a generated number in a tensor. */
static const char *store_name(const tensor *a, bool turned)
{
    if (a->encoding.constant) return print("%sput_%s", the.prefix, a->name);
    return print("%sput_%s%s", the.prefix, kinds[a->kind].shorthand, turned ? "_turned" : "");
}

/* Writes functions that store a generated number as a value of some type, or store the constant of the type. Generated
   complex numbers have an imaginary part. */
static void put_stores(text *t)
{
    bool done[KINDS][2] = {{false}};
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        const input *in = is_given(n) ? input_of(n) : NULL;
        if (in == NULL || !is_recipe(in->value) || is_filled(a)) continue;
        const bool turned = is_complex(a->kind) && in->value[0] == 'r';
        const char *type = kinds[a->kind].type;
        if (done[a->kind][turned] && !a->encoding.constant) continue;
        if (!a->encoding.constant) done[a->kind][turned] = true;
        put(t, "\nstatic void %s(void *value, double number)\n{\n", store_name(a, turned));
        if (a->encoding.constant)
            put(t, "    *(%s *)value = %s;\n    (void)number;\n}\n", type, a->encoding.constant);
        else if (turned)
            put(t, "    ((%s *)value)[0] = (%s)number, ((%s *)value)[1] = (%s)(1 - number) / 2;\n}\n", part_type(a->kind),
                part_type(a->kind), part_type(a->kind), part_type(a->kind));
        else
            put(t, "    *(%s *)value = %s;\n}\n", type, encoded(a->kind, "number"));
    }
}

static const char *without_gz(const char *path)
{
    const size_t length = strlen(path);
    return length > 3 && same(path + length - 3, ".gz") ? copy_string(path, length - 3) : path;
}

/* The extension, with its point, that determines the format of the file from which the tensor is read: from --read-as,
   else from the file name. Empty if there is none. */
static const char *extension_of(const tensor *a, const char *path)
{
    const char *point = strrchr(without_gz(path), '.');
    return a && a->read_as ? print(".%s", a->read_as) : point ? lower_case(copy_string(point, strlen(point))) : "";
}

/* The enumerator of the format with this extension; null if there is none. */
static const char *format_of_extension(const char *extension)
{
#define EXTENSIONS(name, extensions, mark, tell, read, write) {#name, " " extensions " "},
    static const char *const row[][2] = {SPARSE_FILE_FORMATS(EXTENSIONS)};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++)
        if (is_in(row[n][1], extension)) return row[n][0];
    return NULL;
}

/* The options for reading the file of a tensor, as a constant of C. */
static const char *read_options(const tensor *a, bool drops_zeros)
{
    text t = {0};
    if (a->read_as) put(&t, ".format = %s", format_of_extension(print(".%s", a->read_as)));
    if (program_options.zero_based) put(&t, "%s.zero_based = true", t.length ? ", " : "");
    if (drops_zeros) put(&t, "%s.drop_zeros = true", t.length ? ", " : "");
    return print("(sparse_read_options){%s}", t.length ? t.at : "0");
}

/* The call that reads a tensor from a file that contains its sizes. `arguments` are its name, itself and the addresses of
   its sizes. */
static const char *call_of_reader(const tensor *a, const char *arguments, const char *path, bool drops_zeros)
{
    const bool plain = a->kind != BOOL && !a->read_as && !program_options.zero_based && !drops_zeros;
    if (a->half)
        return print("read_half(%s, %s, %s, SPARSE_SYMMETRY_%s, %s)", arguments, quoted(path), read_options(a, drops_zeros),
                     upper(a->half), a->kind == BOOL ? "true" : "false");
    return print("%s(%s, %s%s%s)",
                 plain             ? "read_input"
                 : a->kind == BOOL ? "read_truths"
                                   : "read_with",
                 arguments, quoted(path), plain ? "" : ", ", plain ? "" : read_options(a, drops_zeros));
}

/* Quotes a word for the shell. */
static const char *shell_quoted(const char *s)
{
    text t = {0};
    put(&t, "'");
    for (; *s; s++) put(&t, *s == '\'' ? "'\\''" : "%c", *s);
    put(&t, "'");
    return t.at;
}

/* Reads the beginning of a file, decompressed, as a string. Returns its length. */
static size_t read_beginning(const char *path, char *to, size_t room)
{
    const bool packed = !same(without_gz(path), path);
    FILE *const in = packed ? popen(print("gzip -dc <%s 2>/dev/null", shell_quoted(path)), "r") : fopen(path, "r");
    const size_t length = in ? fread(to, 1, room - 1, in) : 0;
    to[length] = '\0';
    if (in && packed)
        pclose(in);
    else if (in)
        fclose(in);
    return length;
}

/* SPARSE_FILE_TABLE if the file contains rows of numbers, SPARSE_FILE_AUTO if it contains either these or entries, and
   SPARSE_FILE_CSV if it is of any other format. */
static sparse_file_format table_or_other(const tensor *a, const char *path)
{
    static char look[1 << 16];
    const char *const extension = extension_of(a, path);
    if (same(extension, ".table")) return SPARSE_FILE_TABLE;
    if (a->read_as || (!same(extension, ".csv") && !same(extension, ".tsv"))) return SPARSE_FILE_CSV;
    const size_t length = read_beginning(path, look, sizeof look);
    return sparse_p_csv_or_table(look, look + length, a->rank, is_complex(a->kind));
}

static bool is_table(const tensor *a, const char *path) { return table_or_other(a, path) == SPARSE_FILE_TABLE; }

/* True if the file always contains the sizes of the tensor. Other formats, such as .tns, may omit them. */
static bool tells_sizes(const tensor *a, const char *path)
{
    static const char formats[] =
        " .mtx .mm .ttx .xtns .smtx .rb .hb .rua .rsa .rra .rse .pua .psa .pse .cua .csa .npy .npz "
        ".sptensor .graph .metis ";
    return is_in(formats, extension_of(a, path)) || is_table(a, path);
}

/* True if the file contains every value, zeros included, as .npy, tables and the array format of Matrix Market do. */
static bool spells_out(const tensor *a, const char *path)
{
    char banner[64];
    if (same(extension_of(a, path), ".npy") || is_table(a, path)) return true;
    (void)read_beginning(path, banner, sizeof banner);
    banner[strcspn(banner, "\n")] = '\0';
    return strncmp(lower_case(banner), "%%matrixmarket", 14) == 0 && strstr(banner, " array ");
}

/* Writes the arguments of a reader of files without sizes: "x", &x.t, the addresses of the sizes and of the largest
   coordinates, and the reader's options. */
static const char *arguments_of_unsized(const tensor *a, const char *path)
{
    text most = {0};
    for (unsigned d = 0; d < a->rank; d++) put(&most, "%s&most_%c", d ? ", " : "", size_letter(a->index[d]));
    return print("%s, (size_t *const[]){%s}, %s, %s, %s", named_tensor(a), most.at, quoted(path), read_options(a, false),
                 a->kind == BOOL ? "true" : "false");
}

/* True if a tensor is read from a file that may not contain its sizes. */
static bool is_unsized(int n)
{
    const input *in = is_given(n) && !tensor_at(n)->embedded && tensor_at(n)->rank ? input_of(n) : NULL;
    return in && !is_recipe(in->value) && !tells_sizes(tensor_at(n), in->value);
}

/* Reads files that may lack sizes, after the files that contain them. An index without any size gets the largest
   coordinate plus one. */
static void put_unsized_inputs(text *t)
{
    text most = {0};
    for (int n = 0; n < the.tensors; n++)
        for (const char *i = is_unsized(n) ? tensor_at(n)->index : ""; *i; i++)
            if (!most.length || !strstr(most.at, print("most_%c ", size_letter(*i))))
                put(&most, "%smost_%c = 0", most.length ? ", " : "", size_letter(*i));
    if (most.length) put(t, "    size_t %s;\n", most.at);
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < the.tensors; n++)
            if (is_unsized(n))
                put(t, "    done = done && %s(%s);\n", pass ? "fit_sizes" : "read_unsized",
                    arguments_of_unsized(tensor_at(n), input_of(n)->value));
}

/* Writes the code for all inputs, files first, because they determine sizes. */
static void put_inputs(text *t)
{
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) put_unsized_inputs(t);
        if (pass == 1) put_least_sizes(t);
        for (int n = 0; n < the.tensors; n++) {
            const tensor *a = tensor_at(n);
            const input *in = is_given(n) ? input_of(n) : NULL;
            if (a->embedded && pass == 0) put(t, "    done = done && agree(%s);\n", named_tensor(a));
            if (a->embedded || a->rank == 0 || in == NULL || is_recipe(in->value) != (pass == 1) || is_unsized(n)) continue;
            if (pass == 0) {
                put(t, "    done = done && %s;\n", call_of_reader(a, named_tensor(a), in->value, false));
                continue;
            }
            const recipe r = parse_recipe(in->place, a, n);
            if (is_filled(a))
                put_dense_input(t, n, &r);
            else
                put(t, "    done = done && make_entries(%s, (recipe)%s, %s);\n", named_tensor(a), spell_recipe(&r),
                    store_name(a, is_complex(a->kind) && r.what == 'r'));
        }
    }
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (a->role != OUTPUT || a->rank == 0 || is_given(n)) continue;
        if (is_dense(&a->encoding)) {
            put(t, "    done = done && allocate(%s);\n", named_tensor(a));
        } else if (a->updated) { /* the first statement adds to a part of it */
            text dim = {0};
            for (unsigned d = 0; d < a->rank; d++)
                put(&dim, "%s%slength_%c", d ? ", " : "", the.prefix, size_letter(a->index[d]));
            put(t,
                "    done = done && succeeded(\"%s\", sparse_pack_untyped(&%s.t, (const size_t[]){%s}, 0, NULL, NULL, "
                "SPARSE_DUPLICATES_SUM));\n",
                a->name, a->name, dim.at);
        }
    }
}

/* The value of a scalar input: a given number or a generated one. */
static double scalar_value(int n)
{
    const input *in = input_of(n);
    if (in == NULL) return 0;
    if (is_recipe(in->value)) {
        const recipe r = parse_recipe(in->place, tensor_at(n), n);
        const double middle = r.low + (r.high - r.low) * (double)(r.seed % 97) / 97;
        return r.what == 'z' ? 0 : r.what == 'r' ? is_integer(tensor_at(n)->kind) ? floor(middle) : middle : 1;
    }
    lexer x = {.source = in->place.source, .at = in->place.at};
    advance(&x);
    const double v = strtod(expect_real(&x), NULL);
    if (x.now.kind != END) refuse(x.now.place, "%s is a scalar: its input is a number", tensor_at(n)->name);
    return v;
}

static void put_declarations(text *t)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        bool known = !is_parameter(n);
        for (int m = 0; a->rank && m < n; m++)
            known = known ||
                    (is_parameter(m) && tensor_at(m)->rank && !tensor_at(m)->embedded && same(tensor_at(m)->type, a->type));
        if (known) continue;
        text line = {0};
        for (int m = n; a->rank && m < the.tensors; m++)
            if (is_parameter(m) && tensor_at(m)->rank && !tensor_at(m)->embedded && same(tensor_at(m)->type, a->type))
                put(&line, "%s%s = SPARSE_INIT(%s)", line.length ? ", " : "", tensor_at(m)->name, a->type);
        if (line.length) put(t, "    %s %s;\n", a->type, line.at);
        if (a->rank == 0)
            put(t, a->kind == F64 ? "    %s %s = %.0s%.17g;\n" : "    %s %s = (%s)%.17g;\n", a->type, a->name, a->type,
                is_given(n) ? scalar_value(n) : 0.0);
    }
}

/* How main names a tensor: all tensors are local, so they are passed by address. */
static const char *main_argument(int n, bool written)
{
    const tensor *a = tensor_at(n);
    return a->rank || written ? print("&%s", a->name) : a->name;
}

static void put_main_call(text *t)
{
    if (!needs_driver()) {
        put_call(t, &scheduled[0], main_argument);
        return;
    }
    const char *comma = "";
    put(t, "%s(", the.name);
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < the.tensors; n++)
            if (is_parameter(n) && (tensor_at(n)->role == OUTPUT) == (pass == 0)) {
                put(t, "%s%s", comma, main_argument(n, pass == 0));
                comma = ", ";
            }
    put(t, ")");
}

static bool is_printed(int n)
{
    for (int k = 0; k < tensor_options.prints; k++)
        if (same(tensor_options.printed[k], tensor_at(n)->name)) return true;
    return false;
}

static void put_scalar_output(text *t, const tensor *a)
{
    if (is_complex(a->kind))
        put(t,
            "    if (done) printf(\"%s = %%.15g %%.15g\\n\", (double)((%s *)&%s)[0], (double)((%s "
            "*)&%s)[1]);\n",
            a->name, part_type(a->kind), a->name, part_type(a->kind), a->name);
    else if (a->kind == I64 || a->kind == U64)
        put(t, "    if (done) printf(\"%s = %%ll%c\\n\", (%slong long)%s);\n", a->name, a->kind == U64 ? 'u' : 'd',
            a->kind == U64 ? "unsigned " : "", a->name);
    else
        put(t, "    if (done) printf(\"%s = %%.15g\\n\", %s%s);\n", a->name, a->kind == F64 ? "" : "(double)", a->name);
}

/* The tensor for functions that write or print, which take bool as bytes. */
static const char *numbers_of(const tensor *a)
{
    return a->kind == BOOL ? print("(sparse_tensor[]){as_bytes(&%s.t, &(sparse_encoding){0})}", a->name)
                           : print("&%s.t", a->name);
}

static void put_outputs(text *t)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        for (int k = 0; k < tensor_options.draws; k++)
            if (same(tensor_options.drawn[k].name, a->name))
                put(t, "    done = done && succeeded(%s, sparse_draw_storage(%s, %s));\n",
                    quoted(tensor_options.drawn[k].value), numbers_of(a), quoted(tensor_options.drawn[k].value));
        if (a->role == OUTPUT && output_of(n)) {
            if (a->rank == 0) refuse(output_of(n)->place, "%s is a scalar; it is printed", a->name);
            put(t, "    done = done && write_output(%s, %s);\n", numbers_of(a), quoted(output_of(n)->value));
        }
        const bool quiet = program_options.check || program_options.times || tensor_options.outs || tensor_options.prints ||
                           tensor_options.draws;
        const bool silent = program_options.part && program_options.check;
        if (!is_printed(n) && (a->role != OUTPUT || (quiet && a->rank) || silent)) continue;
        if (a->rank && is_printed(n))
            put(t, "    if (done) (void)sparse_print(%s, stdout);\n", numbers_of(a));
        else if (a->rank)
            put(t, "    if (done) show_output(\"%s\", %s);\n", a->name, numbers_of(a));
        else
            put_scalar_output(t, a);
    }
}

/* True if a second call gives the same result, because no output is added to or changed in place. */
static bool is_repeatable(void)
{
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == OUTPUT && tensor_at(n)->updated) return false;
    return true;
}

static void put_timing(text *t)
{
    put(t, "    if (done) {\n        static double time[%lu];\n        size_t calls = 1;\n", program_options.times);
    put(t, "        for (size_t run = 0; done && run < %lu; run++) {\n", program_options.times);
    put(t, "            const double start = seconds();\n");
    put(t, "            for (size_t call = 0; done && call < calls; call++) done = succeeded(\"%s\", ", the.name);
    put_main_call(t);
    put(t, ");\n            time[run] = (seconds() - start) / (double)calls;\n");
    if (is_repeatable()) put(t, "            if (calls == 1 && time[run] < 1e-5) calls = 100, run = SIZE_MAX;\n");
    put(t, "        }\n");
    put(t, "        %stypical = median(time, %lu);\n", program_options.roofline ? "" : "const double ",
        program_options.times);
    put(t, "        printf(\"compute: %%.3g s, median of %lu\\n\", typical);\n", program_options.times);
    if (program_options.times_file)
        put(t, "        done = done && write_times(%s, reading, time, %lu);\n", quoted(program_options.times_file),
            program_options.times);
    put(t, "    }\n");
}

/* Kernels that count their operations. They run once on one thread, in addition to the timed calls. */
typedef struct plain_way {
    const char *name;
    letters parallel, simd;
} plain_way;

/* From here to end_counting, kernels count their operations: they have other names, and no threads or vectors. */
static plain_way begin_counting(void)
{
    const plain_way before = {the.name, loop_options.parallel, loop_options.simd};
    lowering.counting = true;
    the.name = print("%s_counted", the.name);
    loop_options.parallel = loop_options.simd = 0;
    name_steps();
    return before;
}

static void end_counting(plain_way before)
{
    lowering.counting = false;
    the.name = before.name;
    loop_options.parallel = before.parallel;
    loop_options.simd = before.simd;
    name_steps();
}

static void put_counted_kernels(text *t)
{
    const plain_way before = begin_counting();
    put(t, "\n/* the same, to count operations */\nstatic uint64_t %soperations;\n", the.prefix);
    for (int s = 0; s < scheduled_steps; s++)
        if (scheduled[s].kind == KERNEL) put_kernel(t, &scheduled[s]);
    if (needs_driver()) put_driver(t);
    end_counting(before);
}

/* Writes the numbers of the roofline: the operations as written in the statements, and the bytes of every array that is
   read or written, each once. An output that is added to counts twice. */
static void put_roofline(text *t)
{
    const plain_way before = begin_counting();
    put(t, "    if (done) {\n        size_t bytes = 0;\n        done = succeeded(\"%s\", ", before.name);
    put_main_call(t);
    put(t, ");\n");
    end_counting(before);
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        const bool twice = a->role == OUTPUT && (is_dense(&a->encoding) || a->updated);
        if (is_parameter(n) && a->rank) put(t, "        bytes += %ssparse_bytes(&%s.t);\n", twice ? "2 * " : "", a->name);
    }
    put(t, "        show_roofline(typical, (double)%soperations, (double)bytes);\n    }\n", the.prefix);
}

/* Writes the call of the function. For the check the function is called twice, which shows that it assigns and does not
   add. */
static void put_computation(text *t)
{
    for (int turn = 0; turn < (program_options.check && !program_options.times && is_repeatable() ? 2 : 1); turn++) {
        put(t, "    done = done && succeeded(\"%s\", ", the.name);
        put_main_call(t);
        put(t, ");\n");
    }
}

static void put_end(text *t)
{
    text line = {0};
    for (int n = 0; n < the.tensors; n++)
        if (is_parameter(n) && tensor_at(n)->rank && !tensor_at(n)->embedded)
            put(&line, "%ssparse_free(&%s.t)", line.length ? ", " : "", tensor_at(n)->name);
    if (line.length) put(&line, ";");
    end_line(t, &line, 1);
    put(t, "    return !done;\n}\n");
}

/* Writes code that prints only the sizes of the inputs. */
static void put_measures(text *t)
{
    const size_t before = t->length;
    for (int n = 0; n < the.tensors; n++)
        if (is_given(n) && tensor_at(n)->rank)
            put(t, "    if (done) show_size(\"%s\", &%s.t)%s;\n", tensor_at(n)->name, tensor_at(n)->name,
                is_sparse(n) ? print(", show_pattern(\"%s\", &%s.t)", tensor_at(n)->name, tensor_at(n)->name) : "");
    if (t->length == before) refuse(nowhere, "no input is a tensor, which has a size");
    put_end(t);
}

/* Writes the body of main. */
static void put_actions(text *t)
{
    put_declarations(t);
    put(t, "    bool done = true;\n");
    if (program_options.times) put(t, "    const double begin = seconds();\n");
    if (program_options.roofline) put(t, "    double typical = 0;\n");
    put_inputs(t);
    if (program_options.times_file) put(t, "    const double reading = seconds() - begin;\n");
    if (program_options.times)
        put(t, "    if (done) printf(\"read: %%.3g s\\n\", %s);\n",
            program_options.times_file ? "reading" : "seconds() - begin");
    if (program_options.measure) {
        put_measures(t);
        return;
    }
    if (program_options.check) put_copies(t);
    put_computation(t);
    if (program_options.times && is_repeatable()) put_timing(t);
    if (program_options.check) put_comparison(t);
    put_outputs(t);
    if (program_options.times && !is_repeatable()) put_timing(t);
    if (program_options.roofline) put_roofline(t);
    put_end(t);
}

static void put_main(text *t)
{
    text rest = {0};
    put_stores(&rest);
    if (program_options.check) put_reference(&rest);
    put(&rest, program_options.part ? "\nstatic int %s_main(void)\n{\n" : "\nint main(void)\n{\n", the.name);
    put_actions(&rest);
    put(t, "\n");
    put_sizes(t, rest.at);
    static const char begin[] = "bool done = true;\n    done = done && ";
    const char *at = strstr(rest.at, begin);
    if (at)
        put(t, "%.*sbool done = %s", (int)(at - rest.at), rest.at, at + strlen(begin));
    else
        put(t, "%s", rest.at);
}

/* Copies a text and breaks its long lines. */
static void put_reflowed(text *t, const char *from)
{
    for (const char *end; *from; from = end + 1) {
        text line = {0};
        unsigned blanks = 0;
        end = strchr(from, '\n');
        while (from[blanks] == ' ') blanks++;
        put(&line, "%.*s", (int)(end - from) - (int)blanks, from + blanks);
        if (line.length)
            end_line(t, &line, blanks / 4);
        else
            put(t, "\n");
    }
}

/* Refuses files that contain either a table or entries, and --read-as and --zero-based for what is not read from a file. */
static void check_formats(void)
{
    bool any = false;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        const input *in = input_of(n);
        const char *const path = a->embedded ? a->embedded : in && !is_recipe(in->value) && a->rank ? in->value : NULL;
        any = any || path;
        if (a->read_as && !path) refuse(a->read_as_place, "%s is read from no file", a->name);
        if (path && table_or_other(a, path) == SPARSE_FILE_AUTO)
            refuse((spot){path, 0},
                   "the file may have entries or rows of a table: say --read-as %s=csv or --read-as %s=table", a->name,
                   a->name);
    }
    if (program_options.zero_based && !any) refuse(nowhere, "--zero-based goes with a file of -i or --embed");
}

static void refuse_inputs_of_embedded(void)
{
    for (int k = 0; k < tensor_options.ins; k++) {
        const int n = tensor_options.in[k].name ? find_tensor(tensor_options.in[k].name) : -1;
        if (n >= 0 && tensor_at(n)->embedded)
            refuse(tensor_options.in[k].place, "%s has an input already, which is embedded", tensor_at(n)->name);
    }
}

/* Refuses an input that would be ignored: its tensor must be read before it is assigned. A number or a generated input is
   checked even if the program is not run. */
static void check_given_inputs(void)
{
    for (int k = 0; k < tensor_options.ins; k++) {
        const int n = tensor_options.in[k].name ? find_tensor(tensor_options.in[k].name) : -1;
        if (n < 0) continue;
        const tensor *a = tensor_at(n);
        if (a->role != INPUT && !a->updated)
            refuse(tensor_options.in[k].place, "%s is not read before it is assigned, and needs no input", a->name);
    }
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        const input *in = a->role == INPUT || a->updated ? input_of(n) : NULL;
        if (in && a->rank == 0)
            scalar_value(n);
        else if (in && is_recipe(in->value))
            parse_recipe(in->place, a, n);
    }
}

/* True if all values of an expression are integers or truths, in whatever type it is computed. */
static bool is_integral(const node *n)
{
    if (n->kind == COMPARISON || n->kind == COORDINATE) return true;
    if (n->kind == OPERATION && strchr("&|!", n->word[0])) return true;
    if (n->kind == LITERAL) return !has_fraction(n->word);
    if (is_access(n)) return is_integer(kind_of_tensor(n->tensor));
    if (n->kind == REDUCTION && finds_index(n->word)) return true;
    if (n->kind == CALL && !same(n->word, "max") && !same(n->word, "min")) return false;
    for (unsigned k = n->kind == OPERATION && n->word[0] == '?'; k < n->count; k++)
        if ((n->kind == PRODUCT && n->term[k].inverse) || !is_integral(n->term[k].node)) return false;
    return true;
}

static void check_inputs(void)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        const input *in = input_of(n);
        if (a->kind >= USER) refuse(a->place, "values of type %s are neither read nor made up here", kinds[a->kind].type);
        const bool wanted = a->role == INPUT ? is_used(n) : is_sparse(n) && a->role == OUTPUT && is_kept(n);
        if (wanted && in == NULL && !a->embedded)
            refuse(a->place, "%s has no input: say -i %s=FILE, rand:0.01, ones, zeros, iota%s", a->name, a->name,
                   a->rank ? "" : " or a number");
        if (in && in->name && a->rank && !is_recipe(in->value) && access(in->value, R_OK) != 0)
            refuse(in->place, "%s cannot be read: %s", in->value, strerror(errno));
        if (in && a->half && !is_recipe(in->value) && !tells_sizes(a, in->value))
            refuse(in->place, "files of this format do not state a symmetry, and %s stores one triangle", a->name);
    }
    if (!program_options.check) return;
    for (int s = 0; s < the.statements; s++)
        if (is_integer(kind_of_tensor(the.statement[s].output)) && !is_integer(kind_of(the.statement[s].value, I8)) &&
            !is_integral(the.statement[s].value))
            refuse(the.statement[s].place, "--check cannot compare: real values are rounded into integers");
}
/* The format for a value as a C constant, or for the two parts of a complex value. */
static const char *spell_show(value_kind k)
{
    if (is_complex(k)) {
        const char *part = spell_show(k == C64 ? F32 : F64);
        return print("%s; printf(\", \"); value = (const %s *)value + 1; %s", part, part_type(k), part);
    }
    if (k == F32) return "embed_real((double)*(const float *)value, \"f\")";
    if (k == F64) return "embed_real(*(const double *)value, \"\")";
    if (k == F16 || k == BF16) return "printf(\"{%u}\", (unsigned)*(const uint16_t *)value)";
    if (k == U64) return "printf(\"%lluu\", (unsigned long long)*(const uint64_t *)value)";
    const char *number = print("printf(\"%%lld\", (long long)*(const %s *)value)", kinds[k].type);
    return k == I64 ? print("*(const int64_t *)value == INT64_MIN ? printf(\"INT64_MIN\") : %s", number) : number;
}

/* True if zeros in the tensor's file are dropped. Over a semiring they are kept, because zero may differ from the
   identity of `plus`. */
static bool leaves_zeros_out(const tensor *a) { return spells_out(a, a->embedded) && the.semiring == NULL; }

/* The size of dimension d from -d; 0: not given. A dimension whose subscripts are sums has no letter at first. */
static unsigned long known_size(const tensor *a, unsigned d)
{
    return isalpha((unsigned char)a->index[d]) ? alphabet.size[size_letter(a->index[d]) - 'A'] : a->told[d];
}

/* Writes code that reads a tensor to be embedded. The code that follows runs only if that succeeds. */
static void put_embedded_input(text *t, const tensor *a)
{
    text sizes = {0}, addresses = {0}, most = {0};
    put(t, "    %s %s = SPARSE_INIT(%s);\n", a->type, a->name, a->type);
    for (unsigned d = 0; d < a->rank; d++) {
        const unsigned long size = known_size(a, d);
        put(&sizes, "%s%s", d ? ", " : "", size ? print("%lu", size) : "SIZE_MAX");
        put(&most, "%s&%s_most[%u]", d ? ", " : "", a->name, d);
        put(&addresses, "%s&%s_size[%u]", d ? ", " : "", a->name, d);
    }
    put(t, "    size_t %s_size[] = {%s};\n", a->name, sizes.at);
    const char *const arguments = print("\"%s\", &%s.t, (size_t *const[]){%s}", a->name, a->name, addresses.at);
    if (tells_sizes(a, a->embedded)) {
        put(t, "    done = done && %s &&\n", call_of_reader(a, arguments, a->embedded, leaves_zeros_out(a)));
        return;
    }
    put(t, "    size_t %s_most[%u] = {0};\n", a->name, a->rank);
    put(t, "    done = done && read_unsized(%s, (size_t *const[]){%s}, %s, %s, %s) &&\n", arguments, most.at,
        quoted(a->embedded), read_options(a, leaves_zeros_out(a)), a->kind == BOOL ? "true" : "false");
}

/* Runs a program with these lines in main and returns its output; null if `done` became false in it. */
static const char *output_of_lines(const char *types, const char *own, const char *body, const char *program)
{
    text source = {0};
    put(&source, "#include <math.h>\n#include \"sparse.h\"\n#include \"sparse_io.h\"\n");
    put_pieces(&source, print("%s%s", own, body), cache_directory() != NULL);
    put(&source, "%s%sint main(void)\n{\n    bool done = true;\n%s    return !done;\n}\n", types, own, body);
    return output_of_program(&source, program);
}

/* Encodings whose sizes in bytes are printed for comparison with an embedded tensor, by rank. */
static const char *const compared[2][16] = {{"vec", "svec", "bitvec", "bitmaskvec"},
                                            {"mat", "csr", "csr_delta4", "dcsr", "bitrows", "bitmaskrows", "n1of4", "n2of4",
                                             "packed1of4", "packed2of4", "packed1of8", "bsr2x2"}};

/* Writes measure(&A.t, ...), and the types of the compared encodings. */
static void put_measure(text *types, text *body, const tensor *a)
{
    text names = {0}, encodings = {0};
    unsigned count = 0;
    for (unsigned n = 0; a->rank <= 2 && !a->encoding.constant && !a->encoding.fill && n < 16; n++) {
        const char *const name = compared[a->rank - 1][n];
        unsigned long size[MAX_SIZES];
        size_t row = 0;
        if (!name) break;
        while (!is_named(name, named_encodings[row].name, size)) row++;
        put(types, "SPARSE_TENSOR(%s_%u, %s, %s, 32, 32)\n", a->type, n,
            with_sizes(named_encodings[row].macro, named_encodings[row].macro, size), kinds[a->kind].type);
        put(&names, "%s\"%s\"", n ? ", " : "", name);
        put(&encodings, "%s&%s_%u_encoding", n ? ", " : "", a->type, n);
        count++;
    }
    put(body, "           measure(&%s.t, ", a->name);
    put(body, count ? "(const char *const[]){%s}, (const sparse_encoding *const[]){%s}, %u);\n" : "NULL, NULL, 0);\n",
        names.at, encodings.at, count);
}

/* Takes sizes, narrowest widths and bytes of an embedded tensor from a program's output; returns the end of its part. */
static const char *take_measures(tensor *a, const char *at)
{
    char *end = NULL;
    for (unsigned d = 0; d < a->rank; d++, at = end) {
        const unsigned long size = strtoul(at, &end, 10);
        unsigned long *const known = a->windowed[d] ? &a->told[d] : &alphabet.size[a->index[d] - 'A'];
        if (tensor_options.fixed && !*known) *known = size;
    }
    const unsigned pos = (unsigned)strtoul(at, &end, 10), crd = (unsigned)strtoul(end, &end, 10);
    encoding *const e = &a->encoding;
    if (pos && !e->told_pos && !is_dense(e)) e->pos = pos;
    if (crd && !e->told_crd && !is_dense(e)) e->crd = crd;
    if (!is_dense(e)) e->name = print("%s_%u_%u", e->name, e->pos, e->crd);
    at = end + strspn(end, " ");
    a->sizes_in_bytes = copy_string(at, strcspn(at, "\n"));
    return at + strcspn(at, "\n") + 1;
}

/* Determines the widths of embedded tensors from their files, and with --fixed the sizes too. */
static void learn_from_embedded(const char *program)
{
    text types = {0}, body = {0};
    const bool fixed = tensor_options.fixed;
    tensor_options.fixed = false;
    for (int n = 0; n < the.tensors; n++) {
        tensor *const a = tensor_at(n);
        if (!a->embedded) continue;
        a->type = print("%s_type_%d", a->name, n); /* errors of reading name it */
        put_descriptor(&types, a);
        put(&types, a->encoding.fill ? "SPARSE_TENSOR_FILL(%s, %s)\n" : "SPARSE_TENSOR(%s)\n", upper(a->type),
            a->encoding.fill ? fill_constant(a) : "");
        put_embedded_input(&body, a);
        put_measure(&types, &body, a);
    }
    tensor_options.fixed = fixed;
    if (body.length == 0) return;
    const char *at = output_of_lines(types.at, "", body.at, program);
    if (at == NULL) refuse(nowhere, "the tensors cannot be embedded");
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->embedded) at = take_measures(tensor_at(n), at);
}

/* How the function for plain arrays passes a tensor to the kernel. */
static const char *argument_of_arrays(int n, bool written)
{
    const tensor *a = tensor_at(n);
    (void)written;
    return a->rank && (a->embedded || is_dense(&a->encoding)) ? print("&%s", a->name) : a->name;
}

/* Writes a function that calls the kernel with plain arrays for dense tensors and with the embedded tensors. */
static void put_function_of_arrays(text *t)
{
    text parameters = {0}, locals = {0}, call = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < the.tensors; n++) {
            const tensor *a = tensor_at(n);
            if (!is_parameter(n) || (a->role == OUTPUT) != (pass == 0) || a->embedded) continue;
            const bool as_array = a->rank && is_dense(&a->encoding);
            put(&parameters, "%s%s%s %s%s%s", parameters.length ? ", " : "", pass && a->rank ? "const " : "",
                as_array ? kinds[a->kind].type : a->type, a->rank || pass == 0 ? "*" : "", a->name,
                as_array ? "_values" : "");
            if (as_array) put(&locals, "    %s%s %s = {%s_values};\n", pass ? "const " : "", a->type, a->name, a->name);
        }
    put_call(&call, &scheduled[0], argument_of_arrays);
    put(t, "\n/* As above, with plain arrays for the dense tensors. */\n");
    put(t, "SPARSE_UNUSED static inline sparse_result %s_arrays(%s)\n{\n%s    return %s;\n}\n", the.name, parameters.at,
        locals.length ? locals.at : "", call.at);
}

/* Appends the embedded tensors as constants, which a program reads from their files. They follow the kernels, because
   kernel parameters have the same names. */
static void put_embedded(text *t, const char *program)
{
    text body = {0}, show = {0}, types = {0};
    const bool fixed = tensor_options.fixed;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (a->embedded == NULL) continue;
        put(&show, "static void show_%d(const void *value) { %s; }\n", n, spell_show(a->kind));
        put(&body, "    puts(\"/* %s takes %s%s */\");\n", a->name, a->sizes_in_bytes,
            leaves_zeros_out(a) ? "; without the zeros that its file spells out" : "");
        put_embedded_input(&body, a);
        put(&body, "           embed(\"%s\", \"%s\", \"%s\", &%s.t, show_%d, %s);\n", a->name, a->type, kinds[a->kind].type,
            a->name, n, fixed ? "true" : "false");
    }
    if (body.length == 0) return;
    tensor_options.fixed = false; /* the reading program does not use fixed sizes */
    put_types(&types);
    tensor_options.fixed = fixed;
    const char *constants = output_of_lines(types.at, show.at, body.at, program);
    if (constants == NULL) refuse(nowhere, "the tensors cannot be embedded");
    put(t, "\n%s", constants);
    if (fixed) put_function_of_arrays(t);
}

/* True if a program must ask for support of the file format with a macro. `a` is null for a file that is written. */
static bool is_rare(const tensor *a, const char *path)
{
#define COMMON(name, extensions, mark, tell, read, write)
#define RARE(name, extensions, mark, tell, read, write) extensions " "
    static const char rare[] = " " SPARSE_P_FILE_FORMATS(COMMON, RARE);
    return is_in(rare, extension_of(a, path));
}

/* True if a file has a format that needs SPARSE_FILES_ALL. */
static bool has_rare_files(void)
{
    bool rare = false;
    for (int n = 0; n < tensor_options.ins; n++) {
        const input *in = &tensor_options.in[n];
        rare = rare || (!is_recipe(in->value) && is_rare(in->name ? tensor_at(find_tensor(in->name)) : NULL, in->value));
    }
    for (int n = 0; n < tensor_options.outs; n++) rare = rare || is_rare(NULL, tensor_options.out[n].value);
    return rare;
}

/* Refuses tensors that are assembled or created in the driver, because --fixed has no room for them. */
static void check_fixed(void)
{
    if (needs_driver())
        refuse(nowhere, "--fixed goes with a statement that becomes one kernel; --explain shows what it becomes");
    const tensor *const output = tensor_at(scheduled[0].output);
    if (is_sparse(scheduled[0].output) && !scheduled[0].result.updates)
        refuse(output->place, "%s is assembled, which a tensor of fixed sizes cannot be", output->name);
}

typedef enum file_kind { KERNELS_ONLY, PROGRAM, LINKED_PROGRAM } file_kind;

/* Writes the whole file. */
static void put_file(text *t, file_kind kind, const char *self)
{
    const bool program = kind != KERNELS_ONLY;
    text kernels = {0}, rest = {0}, parts = {0};
    name_steps();
    for (int n = 0; n < the.tensors; n++) name_type(n);
    if (tensor_options.fixed) check_fixed();
    put_kernels(&kernels);
    if (program && program_options.roofline) put_counted_kernels(&kernels);
    put_embedded(&rest, self);
    if (program) {
        text main = {0};
        check_inputs();
        put_main(&main);
        put_reflowed(&rest, main.at);
    }
    if (program) put_pieces(&parts, rest.at, kind == LINKED_PROGRAM);
    if (program_options.command) put(t, "/* made by: %s */\n", program_options.command);
    const char *const both = print("%s%s", parts.length ? parts.at : "", rest.length ? rest.at : "");
    if (support.math || strstr(both, "fabs(") || strstr(both, "floor(") || strstr(both, "fmax(") ||
        strstr(both, "HUGE_VAL") || strstr(both, "NAN"))
        put(t, "#include <math.h>\n");
    if (support.complex) put(t, "#include <complex.h>\n#undef I\n");
    if (has_word(both, "timespec_get")) put(t, "#include <time.h>\n");
    put(t, "#include \"sparse.h\"\n");
    if (program) {
        const bool files = kind == PROGRAM || strstr(both, "sparse_print") || strstr(both, "sparse_draw_storage") ||
                           strstr(both, "sparse_read_options");
        if (files && has_rare_files()) put(t, "#define SPARSE_FILES_ALL 1\n");
        put(t, files ? "#include \"sparse_io.h\"\n" : "#include <stdio.h>\n");
    }
    put(t, "\n");
    if (parts.length) put(t, "%s\n", parts.at + 1);
    put(t, "%s%s", kernels.at, rest.length ? rest.at : "");
}

/* >>explain */

static void explain_region(text *t, const step *k, const region *r)
{
    if (r->kind == STORED) put(t, "%s", r->operand < 0 ? "everywhere" : k->operand[r->operand].name);
    for (unsigned c = 0; c < r->count; c++) {
        const bool nested = r->child[c]->count > 0;
        put(t, "%s%s", c ? r->kind == ALL ? " and " : " or " : "", nested ? "(" : "");
        explain_region(t, k, r->child[c]);
        put(t, nested ? ")" : "");
    }
}

/* True if a region can still have coordinates when, of the operands that store index i, only those in `alive` have
   entries left. */
static bool is_live(const step *k, const region *r, char i, unsigned alive)
{
    if (r->kind == STORED) return r->operand < 0 || !stores(&k->operand[r->operand], i) || (alive >> r->operand & 1);
    for (unsigned c = 0; c < r->count; c++)
        if (is_live(k, r->child[c], i, alive) != (r->kind == ALL)) return r->kind != ALL;
    return r->kind == ALL;
}

/* True if the end of operand o changes whether the loop over i continues, for some subset of `set`. */
static bool matters(const step *k, char i, unsigned set, unsigned o)
{
    const unsigned others = set & ~(1u << o);
    for (unsigned some = others;; some = (some - 1) & others) {
        if (!is_live(k, k->region, i, some) && is_live(k, k->region, i, some | 1u << o)) return true;
        if (some == 0) return false;
    }
}

/* True if a set of operands is a point of the merge lattice of index i: it is live, and every operand in it matters. */
static bool is_point(const step *k, char i, unsigned set)
{
    if (!is_live(k, k->region, i, set)) return false;
    for (unsigned o = 0; o < k->operands; o++)
        if ((set >> o & 1) && !matters(k, i, set, o)) return false;
    return true;
}

/* The names of the operands in a set. */
static const char *names_of(const step *k, unsigned set)
{
    text t = {0};
    put(&t, "%s", "");
    for (unsigned o = 0; o < k->operands; o++)
        if (set >> o & 1) put(&t, "%s%s", t.length ? ", " : "", k->operand[o].name);
    return t.at;
}

/* Describes the merge lattice of an index: the sets of operands with which its loop continues. A set is a point of the
   lattice if it is live and every operand in it matters. */
static void explain_lattice(text *t, const step *k, const loop *l)
{
    unsigned iterators = 0;
    for (unsigned o = 0; o < k->operands; o++)
        if (stores(&k->operand[o], l->index)) iterators |= 1u << o;
    put(t, "    %c%s: ", l->index,
        l->part == FLOORDIV ? " in blocks"
        : l->part == MOD    ? " inside a block"
        : l->part == COUNT  ? " in slices"
        : l->part == MINUS  ? " by diagonals"
                            : "");
    if (l->part == MOD && !iterators) {
        put(t, "every position in the block\n");
        return;
    }
    if (is_live(k, k->region, l->index, 0)) {
        put(t, "every coordinate%s", iterators ? "; " : "\n");
        const char *comma = "";
        for (unsigned o = 0; iterators && o < k->operands; o++)
            if (iterators >> o & 1) put(t, "%s%s", comma, k->operand[o].name), comma = ", ";
        if (iterators) put(t, " looked up\n");
        return;
    }
    put(t, "points");
    for (unsigned set = iterators;; set = (set - 1) & iterators) {
        if (is_point(k, l->index, set)) put(t, " {%s}", names_of(k, set));
        if (set == 0) break;
    }
    put(t, "\n");
}

/* Describes what a loop does with a subscript that is a sum: which indices are known before, whether the subscript
   becomes known in this loop, or whether the loop visits subsections, as large as the range of the unknown indices. */
static void explain_terms(text *t, const step *k, unsigned loop_number)
{
    const letters here = letter_bit(k->loop[loop_number].index);
    letters before = 0;
    for (unsigned l = 0; l < loop_number; l++) before |= letter_bit(k->loop[l].index);
    for (unsigned o = 0; o < k->operands; o++) {
        const operand *p = &k->operand[o];
        for (unsigned l = 0; p->affine && l < stored_encoding(p)->levels; l++) {
            const level *v = &stored_encoding(p)->level[l];
            const letters all = letters_of(p->affine->subscript[v->dim].index), left = all & ~before & ~here;
            if (!(all & here) || bits_of(all) < 2) continue;
            put(t, "       %s, level %u, unresolved {%s}: %s ", p->name, l + 1, letters_with_commas(all & ~before),
                left ? "reduces" : "resolves");
            put(t, "%s by %c, ", spell_subscript(&p->affine->subscript[v->dim], ""), k->loop[loop_number].index);
            if (left)
                put(t, "%s, and leaves {%s}\n",
                    v->format == DENSE ? "every offset" : "offsets of subsections that are not empty",
                    letters_with_commas(left));
            else
                put(t, "%s\n", v->format == DENSE ? "every coordinate" : "coordinates that are stored");
        }
    }
}

/* Describes the sizes that the cost estimates assume. */
static void explain_assumptions(text *t, const step *k)
{
    put(t, "  the costs assume");
    for (unsigned l = 0; l < k->loops; l++)
        if (k->loop[l].part == WHOLE || k->loop[l].part == FLOORDIV || k->loop[l].part == MINUS)
            put(t, "%s %c = %.0f%s", l ? "," : "", k->loop[l].index, assumed_size(k->loop[l].index),
                alphabet.size[size_letter(k->loop[l].index) - 'A']             ? ""
                : alphabet.input_size[size_letter(k->loop[l].index) - 'A'] > 0 ? " of an input"
                                                                               : " (-d sets it)");
    bool some = false, unknown = false;
    for (unsigned o = 0; o < k->operands; o++) {
        const tensor *a = tensor_at(k->operand[o].tensor);
        bool again = false;
        for (unsigned p = 0; p < o; p++) again = again || k->operand[p].tensor == k->operand[o].tensor;
        if (a->entries > 0 && !again) put(t, ", about %.0f entries of %s", a->entries, a->name), some = true;
        unknown = unknown || (!is_dense(&a->encoding) && !(a->entries > 0));
    }
    if (unknown) put(t, ", and one of %d coordinates in %ssparse levels", ASSUMED_SPARSITY, some ? "other " : "");
    put(t, "\n");
}

/* Explains why loops visit the stored entries of an operand. */
static void explain_found(text *t, const step *k)
{
    if (!k->scatter.access || !found_by(k)) return;
    const char *name = tensor_at(k->scatter.access->tensor)->name;
    put(t, "  let(%s): %s; the loops visit each entry of %s once, in storage order, and all elements of %s that it adds to",
        letters_with_commas(found_by(k)), loop_options.let ? "requested" : "the cheapest", name, tensor_at(k->output)->name);
    if (k->scatter.gathered < (double)INFINITY)
        put(t, "; without it, the loops have about %.2g iterations", k->scatter.gathered);
    put(t, "\n");
    if (!loop_options.let && is_large(k) && k->loop[0].index == k->index[0])
        put(t,
            "  %c: has a loop of its own: %s is larger than the cache, and loops that stay in one row of it wait less for "
            "memory\n",
            k->index[0], tensor_at(k->output)->name);
    for (unsigned l = 0; !k->scatter.placed && l < k->loops; l++)
        if (is_written_out(&k->loop[l]))
            put(t, "  %s: small and of a known size, so the compiler unrolls it completely; that halves the cost\n",
                spell_loop(k, &k->loop[l]));
}

/* Describes how the loops visit diagonals. */
static void explain_diagonals(text *t, const step *k)
{
    const operand out = output_operand(k);
    for (unsigned o = 0; o <= k->operands; o++) {
        const operand *p = o < k->operands ? &k->operand[o] : &out;
        for (const char *i = p->index; *i; i++) {
            const char from = k->twin[*i - 'a'];
            text all = {0};
            if (tensor_at(p->tensor)->range) continue;
            put(&all, "%s", tensor_at(p->tensor)->name);
            if (p->affine)
                spell_place(&all, p->affine, "", -1);
            else
                spell_subscripts(&all, p->index);
            if (from && set_of(*i))
                put(t,
                    p == &out ? "  let(%c, %s): the index set gives the coordinate in %s; values outside of its dimension "
                                "are left out\n"
                              : "  let(%c, %s): %s is looked up at the coordinate in the index set; outside of its "
                                "dimension it is 0\n",
                    *i, set_name(k, *i), all.at);
            else if (from && (k->sought & letter_bit(*i)))
                put(t,
                    "  let(%c, %c): %s is looked up where %c is %c, in few steps; %s * (%c == %c) would compare all "
                    "entries\n",
                    *i, from, all.at, *i, from, all.at, *i, from);
            else if (from)
                put(t, "  if (%c == %c): all entries of %s are compared, because %s\n", from, *i, all.at,
                    "a level stores a part of a dimension, is not in order, or repeats coordinates");
        }
    }
}

/* Describes what every strategy does in this kernel, and why. */
static void explain_strategies(text *t, const step *k)
{
    if (k->marked)
        put(t,
            "  where(%c): each row of %s is copied into an array and looked up there, because about %.0f other rows are "
            "intersected with it\n",
            k->loop[k->loops - 1].index, k->operand[k->marked - 1].name, meetings(k, k->where.inner));
    else if (k->opened)
        put(t,
            "  where(%s): each row of %s is copied into an array, which is read at %s: so many entries are stored that "
            "loops "
            "over all elements are faster, in vector lanes\n",
            letters_with_commas(k->where.over), k->operand[k->opened - 1].name,
            spell_subscript(&k->scatter.access->subscript[dim_of_rows(&k->operand[k->opened - 1])], ""));
    else if (k->where.alone)
        put(t, "  where(%s): %s = %s is summed first in each iteration, so that no array of sums is needed\n",
            letters_with_commas(k->where.over), tensor_at(k->where.workspace)->name, describe(k->where.made));
    else if (k->where.workspace >= 0)
        put(t, "  where(%s): requested; %s is summed into an array in each iteration of the %u loops around\n",
            letters_with_commas(k->where.over), describe(k->where.made), k->where.inner);
    for (unsigned l = 0; l < k->loops; l++) {
        const char *name = loop_name(&k->loop[l]);
        if (is_parallel(k, l))
            put(t,
                adds_up(k, &k->loop[l]) ? "  parallel_sum(%s): requested; threads sum shares of the loop, and then %s\n"
                                        : "  parallel(%s): requested; its iterations write to %s\n",
                name,
                adds_up(k, &k->loop[l]) ? "the sums of the shares are added, in order"
                : is_assembled(k)       ? "parts of the result, which are then joined"
                                        : "separate elements");
        if (is_simd(k, l))
            put(t, "  simd(%s): requested; %s\n", name,
                letters_of(k->index) & letter_bit(k->loop[l].index)
                    ? "its iterations run in vector lanes"
                    : "the sum over it is computed in vector lanes, in another order");
        const char written = index_as_written(k, l);
        if (!is_simd(k, l) && !is_unrolled(k, l) && is_fetched(k, l) && written != k->loop[l].index)
            put(t, "  prefetch(%c): requested; elements computed from %s are prefetched some iterations ahead\n", written,
                name);
        else if (!is_simd(k, l) && !is_unrolled(k, l) && is_fetched(k, l))
            put(t, "  prefetch(%s): requested; elements of the other operands are prefetched some iterations ahead\n", name);
        if (is_tiled(k, l))
            put(t, "  tile(%s): requested; all loops run for %lu of its coordinates, then for the next\n", name,
                loop_options.tile_size[k->loop[l].index - 'a']);
        if (is_unrolled(k, l))
            put(t,
                strchr(k->index, k->loop[l].index)
                    ? "  unroll(%s): requested; the innermost loop computes four of its sums at a time\n"
                    : "  unroll(%s): the innermost loop visits all coordinates of the output, which is read and written "
                      "once for "
                      "four iterations\n",
                name);
    }
}

static const char *names_of_loops(const graph *g, unsigned set)
{
    text t = {0};
    for (unsigned l = 0; l < g->loops; l++)
        if (set >> l & 1) put(&t, "%s%s", t.length ? ", " : "", loop_name(&g->loop[l]));
    return t.at;
}

static void explain_kernel(text *t, const step *k)
{
    graph g;
    put(t, "%s: %s\n", k->name, step_text(k));
    put(t, "  nonzero where stored: ");
    explain_region(t, k, k->region);
    if (half_of(k) >= 0)
        put(t, "\n  %s stores one triangle: for each of its entries the body also runs for the image",
            k->operand[half_of(k)].name);
    if (k->result.initial) put(t, "\n  %s begins with %s", tensor_at(k->output)->name, k->result.initial);
    if (k->result.like)
        put(t, "\n  %s has the pattern of %s: the coordinates are copied, nothing is inserted", tensor_at(k->output)->name,
            k->operand[k->result.like - 1].name);
    put(t, "\n  iteration graph:");
    make_loops(k, &g, 0, nowhere);
    for (unsigned o = 0; o < k->operands; o++)
        if (tensor_at(k->operand[o].stored)->rank) add_order(&g, &k->operand[o], tensor_at(k->operand[o].stored)->padded);
    const operand out = output_operand(k);
    if (is_sparse(k->output)) add_order(&g, &out, is_assembled(k));
    bool edges = false;
    for (unsigned b = 0; b < g.loops; b++)
        for (unsigned a = 0; a < g.loops; a++)
            if (g.before[b] >> a & 1)
                put(t, "%s %s before %s", edges ? "," : "", loop_name(&g.loop[a]), loop_name(&g.loop[b])), edges = true;
    for (unsigned n = 0; n < g.paths; n++)
        put(t, "%s the last of %s before that of %s", edges ? "," : "", names_of_loops(&g, g.path[n].above),
            names_of_loops(&g, g.path[n].level)),
            edges = true;
    put(t, edges ? "\n  loops:" : " no constraints\n  loops:");
    for (unsigned l = 0; l < k->loops; l++) put(t, "%s %s", l ? "," : "", spell_loop(k, &k->loop[l]));
    put(t, "; the cheapest of the orders that the graph allows, at about %.2g iterations\n", k->cost);
    explain_assumptions(t, k);
    explain_found(t, k);
    explain_diagonals(t, k);
    explain_strategies(t, k);
    put(t, "  merge lattices:\n");
    for (unsigned l = 0; l < k->loops; l++) explain_lattice(t, k, &k->loop[l]), explain_terms(t, k, l);
    if (is_assembled(k) && has_set(k->index))
        put(t, "  %s is gathered in a workspace: its coordinates come in any order\n", tensor_at(k->output)->name);
    unsigned sum = k->loops; /* the first loop that sums */
    for (unsigned l = 0; is_assembled(k) && !has_set(k->index) && l < k->loops; l++) {
        const bool is_output = strchr(k->index, found_from(k, k->loop[l].index)) != NULL;
        if (is_output && sum < l && !is_below_entries(k, sum)) {
            put(t, "  %s is gathered in a workspace: a sum is around its loop %s\n", tensor_at(k->output)->name,
                loop_name(&k->loop[l]));
            break;
        }
        if (!is_output && sum > l) sum = l;
    }
}

static void put_explanation(text *t)
{
    name_steps();
    for (int s = 0; s < the.statements; s++) put(t, "%s\n", the.statement[s].text);
    if (the.notes.length) put(t, "\n%s", the.notes.at);
    for (int s = 0; s < scheduled_steps; s++) {
        const step *k = &scheduled[s];
        put(t, "\n");
        if (k->kind == KERNEL)
            explain_kernel(t, k);
        else
            put(t, "%s\n", step_in_words(k));
    }
}

/* Writes the iteration graphs for Graphviz: a node for each loop in the chosen order, an edge for each step of an
   operand's path. */
static void put_dot(text *t)
{
    name_steps();
    put(t, "digraph iteration {\n    rankdir=LR;\n    node [shape=circle];\n");
    for (int s = 0; s < scheduled_steps; s++) {
        const step *k = &scheduled[s];
        if (k->kind != KERNEL) {
            put(t, "    n%d [shape=box, label=%s];\n", s, quoted(step_in_words(k)));
            continue;
        }
        put(t, "    subgraph cluster_%d {\n        label=%s;\n", s, quoted(print("%s: %s", k->name, step_text(k))));
        for (unsigned l = 0; l < k->loops; l++)
            put(t, "        n%d_%c%d [label=%s, xlabel=%u];\n", s, k->loop[l].index, (int)k->loop[l].part,
                quoted(loop_name(&k->loop[l])), l + 1);
        for (unsigned o = 0; o <= k->operands; o++) {
            const operand out = output_operand(k), *p = o < k->operands ? &k->operand[o] : &out;
            const encoding *e = stored_encoding(p);
            for (unsigned v = 1; p->kind == VALUE && v < e->levels; v++) {
                const level *a = &e->level[v - 1], *b = &e->level[v];
                put(t, "        n%d_%c%d -> n%d_%c%d [label=%s, style=%s];\n", s, resolving_letter(k, p, a->dim),
                    (int)a->part, s, resolving_letter(k, p, b->dim), (int)b->part, quoted(p->name),
                    b->format == DENSE ? "dashed" : "solid");
            }
        }
        put(t, "    }\n");
    }
    put(t, "}\n");
}

/* Escapes text for XML. */
static const char *xml(const char *s)
{
    text t = {0};
    put(&t, "%s", "");
    for (; *s; s++) put(&t, *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '&' ? "&amp;" : *s == '"' ? "&quot;" : "%c", *s);
    return t.at;
}

/* Begins a picture. The colours are those of sparse_spy, on a white background, or on black if the reader's system is in
   dark mode. */
static void open_picture(text *t, unsigned width, unsigned height)
{
    put(t,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n",
        width, height, width, height);
    put(t, "<style>text{fill:#222}.page{fill:#fff}.dense{fill:#fff;stroke:#0072b2}.sparse{fill:#0072b2;stroke:#0072b2}"
           "line{stroke:#888}.point{fill:#e3f0f8;stroke:#0072b2}.slow{fill:#d55e00}.none{fill:#e8e8e8}.best{stroke:#222}"
           "text.light{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#ddd}.page{fill:#15181c}"
           ".dense{fill:#15181c;stroke:#56b4e9}.sparse{fill:#56b4e9;stroke:#56b4e9}.point{fill:#12324a;stroke:#56b4e9}"
           ".none{fill:#333940}.best{stroke:#ddd}}</style>\n"
           "<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n");
}

enum { APART = 150, DEEP = 34 }; /* the least distance of loops, and the distance of lines, in pixels */

/* Draws the path of each operand through the loops, as an arc from each level to the next. */
static unsigned draw_paths(text *t, const step *k, unsigned top, unsigned apart)
{
    unsigned line = 0;
    for (unsigned o = 0; o <= k->operands; o++) {
        const operand out = output_operand(k), *p = o < k->operands ? &k->operand[o] : &out;
        const encoding *e = stored_encoding(p);
        if (p->kind != VALUE || tensor_at(p->stored)->rank == 0) continue;
        const unsigned y = top + 14 + 18 * line++;
        put(t, "<text x=\"8\" y=\"%u\">%s: %s</text>\n", y + 4, xml(p->name), xml(e->name));
        unsigned last = k->loops; /* the loop of the previous level */
        for (unsigned l = 0; l < k->loops; l++)
            for (unsigned v = 0; v < e->levels; v++) {
                /* a blocked index is known once the loop over the offsets in the block runs */
                const bool whole = k->loop[l].part == WHOLE || k->loop[l].part == MINUS ||
                                   (k->loop[l].part == MOD && e->level[v].part == WHOLE);
                if (k->loop[l].index != resolving_letter(k, p, e->level[v].dim) ||
                    (k->loop[l].part != e->level[v].part && !whole))
                    continue;
                const bool dense = e->level[v].format == DENSE;
                put(t,
                    "<circle cx=\"%u\" cy=\"%u\" r=\"5\" class=\"%s\"><title>%s, level "
                    "%u</title></circle>\n",
                    125 + apart / 2 + apart * l, y, dense ? "dense" : "sparse", format_name(e->level[v].format), v + 1);
                if (last < l)
                    put(t, "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n", 131 + apart / 2 + apart * last, y,
                        119 + apart / 2 + apart * l, y);
                last = l;
            }
    }
    return top + 18 * line + 10;
}

/* Draws a point of a lattice as a box centred at x. */
static void draw_point(text *t, unsigned x, unsigned y, unsigned width, const char *words)
{
    put(t, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"22\" rx=\"5\" class=\"point\"/>", x - width / 2, y, width);
    put(t, "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\">%s</text>\n", x, y + 15, xml(words));
}

/* The points of a lattice, as sets of operands, the largest first, each with its distance from the first. At most
   MOST_POINTS are drawn, as many as a union of six operands has; further ones are counted. */
enum { MOST_POINTS = 63 };
typedef struct points {
    unsigned set[MOST_POINTS], depth[MOST_POINTS], x[MOST_POINTS], y[MOST_POINTS], count, others;
} points;

static bool is_subset(unsigned a, unsigned b) { return (a & b) == a && a != b; }

static void add_point(points *p, unsigned set)
{
    unsigned depth = 0;
    if (p->count == MOST_POINTS) {
        p->others++;
        return;
    }
    for (unsigned n = 0; n < p->count; n++)
        if (is_subset(set, p->set[n]) && depth <= p->depth[n]) depth = p->depth[n] + 1;
    p->set[p->count] = set;
    p->depth[p->count++] = depth;
}

/* The points of a loop's lattice; none if it visits every coordinate. */
static points points_of(const step *k, const loop *l)
{
    unsigned iterators = 0;
    points p = {0};
    for (unsigned o = 0; o < k->operands; o++)
        if (stores(&k->operand[o], l->index)) iterators |= 1u << o;
    if (is_live(k, k->region, l->index, 0)) return p;
    for (unsigned size = bits_of(iterators) + 1; size-- > 0;)
        for (unsigned set = iterators;; set = (set - 1) & iterators) {
            if (bits_of(set) == size && is_point(k, l->index, set)) add_point(&p, set);
            if (set == 0) break;
        }
    return p;
}

/* The width in pixels of the box of one set, and of a row with all boxes of one depth. */
static unsigned point_width(const step *k, unsigned set) { return 18 + 7 * (unsigned)strlen(names_of(k, set)); }
static unsigned row_width(const step *k, const points *p, unsigned depth)
{
    unsigned width = 0;
    for (unsigned n = 0; n < p->count; n++)
        if (p->depth[n] == depth) width += (width ? 6 : 0) + point_width(k, p->set[n]);
    return width;
}
static unsigned widest_row(const step *k, const points *p)
{
    unsigned widest = 0;
    for (unsigned depth = 0; depth < p->count; depth++) {
        const unsigned width = row_width(k, p, depth);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Places the points of one depth in a row. Sets are ordered from the last operand to the first. */
static void place_row(const step *k, points *p, unsigned depth, unsigned x, unsigned y)
{
    unsigned right = x + row_width(k, p, depth) / 2;
    for (unsigned n = 0; n < p->count; n++) {
        if (p->depth[n] != depth) continue;
        const unsigned width = point_width(k, p->set[n]);
        p->x[n] = right - width / 2;
        p->y[n] = y;
        right -= width + 6;
    }
}

/* Draws a line from each point to the points that remain when one operand ends. */
static void join_points(text *t, const points *p)
{
    for (unsigned a = 0; a < p->count; a++)
        for (unsigned b = a + 1; b < p->count; b++) {
            bool next = is_subset(p->set[b], p->set[a]);
            for (unsigned c = a + 1; c < b; c++)
                next &= !(is_subset(p->set[b], p->set[c]) && is_subset(p->set[c], p->set[a]));
            if (next) put(t, "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n", p->x[a], p->y[a] + 22, p->x[b], p->y[b]);
        }
}

/* Draws the lattice of a loop, the largest point at the top. The points form connected rows, or a list if a row is too
   wide. */
static unsigned draw_lattice(text *t, const step *k, const loop *l, unsigned x, unsigned top, unsigned apart)
{
    unsigned iterators = 0, end = top;
    points p = points_of(k, l);
    for (unsigned o = 0; o < k->operands; o++)
        if (stores(&k->operand[o], l->index)) iterators |= 1u << o;
    if (!p.count) {
        const char *words = iterators ? print("all; look up %s", names_of(k, iterators)) : "every coordinate";
        draw_point(t, x, top, 14 + 7 * (unsigned)strlen(words), words);
        return top + DEEP;
    }
    const bool rows = widest_row(k, &p) <= apart - 8;
    for (unsigned n = 0; n < p.count; n++) {
        if (rows)
            place_row(k, &p, p.depth[n], x, top + DEEP * p.depth[n]);
        else
            p.x[n] = x, p.y[n] = top + DEEP * n;
        end = p.y[n] + DEEP > end ? p.y[n] + DEEP : end;
    }
    if (rows) join_points(t, &p);
    for (unsigned n = 0; n < p.count; n++) draw_point(t, p.x[n], p.y[n], point_width(k, p.set[n]), names_of(k, p.set[n]));
    if (p.others) {
        put(t, "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\">and %u more</text>\n", x, end + 4, p.others);
        end += DEEP;
    }
    return end;
}

/* The distance of loops: the width of the widest row of a lattice, within limits. */
static unsigned distance_of_loops(void)
{
    unsigned apart = APART;
    for (int s = 0; s < scheduled_steps; s++)
        for (unsigned l = 0; scheduled[s].kind == KERNEL && l < scheduled[s].loops; l++) {
            const points p = points_of(&scheduled[s], &scheduled[s].loop[l]);
            const unsigned width = widest_row(&scheduled[s], &p) + 16;
            if (width > apart && width <= 3 * APART) apart = width;
        }
    return apart;
}

/* Draws iteration graphs and lattices: a column for each loop and a line for each operand, with a dot for each level,
   which is filled if the level is sparse. The lattice is below. */
static void put_drawing(text *t)
{
    text body = {0};
    unsigned y = 30, width = 380; /* width: at first the width of the legend */
    name_steps();
    const unsigned apart = distance_of_loops();
    for (int s = 0; s < scheduled_steps; s++) {
        const step *k = &scheduled[s];
        if (k->kind != KERNEL) {
            const unsigned words = 24 + 8 * (unsigned)strlen(step_in_words(k));
            width = words > width ? words : width;
            put(&body, "<text x=\"8\" y=\"%u\" font-size=\"14\">%s</text>\n", y, xml(step_in_words(k)));
            y += 40;
            continue;
        }
        put(&body, "<text x=\"8\" y=\"%u\" font-size=\"14\" font-weight=\"bold\">%s: %s</text>\n", y, xml(k->name),
            xml(step_text(k)));
        for (unsigned l = 0; l < k->loops; l++)
            put(&body, "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\">%u. %s</text>\n", 125 + apart / 2 + apart * l, y + 26,
                l + 1, xml(loop_name(&k->loop[l])));
        unsigned below = draw_paths(&body, k, y + 34, apart), lowest = below;
        put(&body, "<text x=\"8\" y=\"%u\">lattice</text>\n", below + 15);
        for (unsigned l = 0; l < k->loops; l++) {
            const unsigned end = draw_lattice(&body, k, &k->loop[l], 125 + apart / 2 + apart * l, below, apart);
            lowest = end > lowest ? end : lowest;
        }
        const unsigned title = 24 + 9 * (unsigned)(strlen(k->name) + 2 + strlen(step_text(k))),
                       columns = 140 + apart * k->loops;
        width = title > width ? title : width;
        width = columns > width ? columns : width;
        y = lowest + 24;
    }
    put(&body,
        "<circle cx=\"14\" cy=\"%u\" r=\"5\" class=\"sparse\"/><text x=\"26\" y=\"%u\">a level that stores "
        "its coordinates</text>\n",
        y, y + 4);
    put(&body, "<circle cx=\"250\" cy=\"%u\" r=\"5\" class=\"dense\"/><text x=\"262\" y=\"%u\">a dense level</text>\n", y,
        y + 4);
    open_picture(t, width, y + 16);
    put(t, "%s</svg>\n", body.at);
}

/* >>run */

static bool has_headers(const char *directory) { return directory[0] && access(print("%s/sparse.h", directory), R_OK) == 0; }

static const char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? "." : slash == path ? "/" : copy_string(path, (size_t)(slash - path));
}

/* The directory of the installed headers; make install defines it. */
#ifndef SPARSE_GEN_HEADERS
    #define SPARSE_GEN_HEADERS ""
#endif
/* Finds the headers: next to this source file if the program knows its path, else next to the program. */
static const char *find_headers(const char *program)
{
    const char *const home = getenv("SPARSE_GEN_HOME");
    const char *const candidates[] = {home ? home : "", directory_of(__FILE__), directory_of(program), ".",
                                      SPARSE_GEN_HEADERS};
    for (size_t n = 0; n < sizeof candidates / sizeof *candidates; n++)
        if (has_headers(candidates[n])) return candidates[n];
    refuse(nowhere, "sparse.h is not beside sparse_gen.c; set SPARSE_GEN_HOME to its directory");
}

/* Writes a file. Returns false and sets errno if that fails. */
static bool write_file(const char *path, const text *t)
{
    FILE *f = fopen(path, "w");
    if (f == NULL) return false;
    const bool written = fwrite(t->at, 1, t->length, f) == t->length;
    return fclose(f) == 0 && written;
}

/* Quotes a word for the shell if it needs quotes. */
static const char *shell_word(const char *s)
{
    const bool plain =
        *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=,.:/_+-") == strlen(s);
    return plain ? s : shell_quoted(s);
}

/* The process group of commands that this program runs, and its unfinished files, which are in a directory of their own
   if there is no cache. Both are removed when this program is ended. */
static volatile sig_atomic_t group;
static char scratch[4080], scratch_source[4128], scratch_program[4108];
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDS = sizeof ends / sizeof *ends };

static void remove_scratch(void)
{
    if (scratch_source[0]) unlink(scratch_source);
    if (scratch_program[0]) unlink(scratch_program);
    if (scratch[0]) rmdir(scratch);
    scratch[0] = scratch_source[0] = scratch_program[0] = '\0';
}

/* The handler of signals that end this program: also ends the commands, and removes the unfinished files. */
static void end_all(int signal_number)
{
    if (group > 0) kill(-(pid_t)group, signal_number);
    remove_scratch();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Starts a process group with a process that waits until this program ends, for whatever reason. It then ends the group
   and removes the unfinished files. Returns a descriptor that stops the process once the work is done. */
static int begin_group(void)
{
    int way[2];
    if (pipe(way) != 0) return -1;
    group = fork();
    if (group == 0) {
        char done;
        ssize_t n;
        setpgid(0, 0);
        for (size_t e = 0; e < ENDS; e++) signal(ends[e], SIG_IGN);
        close(way[1]);
        while ((n = read(way[0], &done, 1)) < 0 && errno == EINTR) continue;
        if (n == 0) {
            kill(0, SIGTERM);
            nanosleep(&(struct timespec){0, 100000000}, NULL);
            remove_scratch();
        }
        _exit(0);
    }
    if (group > 0) setpgid((pid_t)group, (pid_t)group);
    fcntl(way[1], F_SETFD, FD_CLOEXEC);
    close(way[0]);
    return way[1];
}

/* Ends the process that begin_group started, through its descriptor. */
static void end_group(int way)
{
    const pid_t guard = (pid_t)group;
    if (way >= 0 && write(way, "", 1) == 1)
        while (guard > 0 && waitpid(guard, NULL, 0) < 0 && errno == EINTR) continue;
    if (way >= 0) close(way);
    group = 0;
}

/* Runs a shell command in a process group that ends when this program ends. Appends the output of the command to
   `output` unless that is null. Returns the exit status, or SIGNALLED plus the signal that ended the command; 127 if it
   cannot run. */
enum { SIGNALLED = 128 };
static int run_command_into(const char *line, text *output)
{
    int ways[2] = {-1, -1}, status = 0;
    char chunk[4096];
    fflush(NULL);
    for (size_t n = 0; n < ENDS; n++) signal(ends[n], end_all);
    const int done = begin_group(); /* started before the pipe, so that the process does not keep it open */
    const pid_t child = output && pipe(ways) != 0 ? -1 : fork();
    if (child == 0) {
        setpgid(0, (pid_t)group);
        for (size_t n = 0; n < ENDS; n++) signal(ends[n], SIG_DFL);
        if (output) dup2(ways[1], 1), close(ways[0]), close(ways[1]);
        execl("/bin/sh", "sh", "-c", print("exec %s", line), (char *)NULL);
        _exit(127);
    }
    if (child > 0) setpgid(child, (pid_t)group);
    if (output) close(ways[1]);
    for (ssize_t n; child > 0 && output && (n = read(ways[0], chunk, sizeof chunk)) != 0;)
        if (n > 0) put(output, "%.*s", (int)n, chunk);
    if (output) close(ways[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    end_group(done);
    return child <= 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

static int run_command(const char *line) { return run_command_into(line, NULL); }

static const char *compiler(void)
{
    const char *cc = getenv("CC");
    return cc && *cc ? cc : "cc";
}

/* Returns the output of a command; null if it fails. */
static char *output_of_command(const char *line)
{
    text t = {0};
    return run_command_into(line, &t) == 0 && t.at ? t.at : NULL;
}

/* Prints a progress message if stderr is a terminal. */
static void say(const char *what)
{
    if (isatty(STDERR_FILENO)) fprintf(stderr, "sparse_gen: %s\n", what);
}

/* Makes a directory for the temporary files program.c and program, which this program removes. */
static const char *make_directory(void)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/sparse_gen.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (mkdtemp(scratch) == NULL) refuse(nowhere, "no directory for the program: %s", strerror(errno));
    snprintf(scratch_source, sizeof scratch_source, "%s/program.c", scratch);
    snprintf(scratch_program, sizeof scratch_program, "%s/program", scratch);
    return scratch;
}

/* Extends a hash by bytes, or by a string (Fowler, Noll and Vo). */
static uint64_t hash_bytes(uint64_t h, const char *bytes, size_t count)
{
    for (size_t n = 0; n < count; n++) h = (h ^ (unsigned char)bytes[n]) * UINT64_C(1099511628211);
    return h;
}

static uint64_t hash(uint64_t h, const char *s) { return hash_bytes(h, s, strlen(s)); }

static uint64_t hash_file(uint64_t h, const char *path)
{
    char chunk[65536];
    FILE *f = fopen(path, "r");
    for (size_t n; f && (n = fread(chunk, 1, sizeof chunk, f)) > 0;) h = hash_bytes(h, chunk, n);
    if (f) fclose(f);
    return h;
}

/* The cache directory for compiled programs; null if there is none. */
static const char *cache_directory(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
    if (cache == NULL || *cache == '\0') cache = user ? print("%s/.cache", user) : NULL;
    if (cache == NULL) return NULL;
    const char *directory = print("%s/sparse_gen", cache);
    mkdir(cache, 0700);
    mkdir(directory, 0700);
    return access(directory, W_OK) == 0 ? directory : NULL;
}

/* The cache key of a source text, which depends on the headers and flags too. */
static uint64_t key_of_source(const text *source, const char *home, const char *flags)
{
    static const char *const headers[] = {"sparse.h", "sparse_formats.h", "sparse_lattice.h", "sparse_io.h"};
    uint64_t key = hash(hash(hash(UINT64_C(14695981039346656037), source->at), compiler()), flags);
    for (size_t n = 0; n < sizeof headers / sizeof *headers; n++) key = hash_file(key, print("%s/%s", home, headers[n]));
    return key;
}

/* True if the name of a file says that it is compressed. */
static bool is_compressed(const char *path)
{
    const size_t length = path ? strlen(path) : 0;
    return length > 3 && (strcmp(path + length - 3, ".gz") == 0 || strcmp(path + length - 3, "npz") == 0);
}

/* True if a small program that includes this header and returns the expression can be compiled and linked with these
   options. */
static bool links(const char *header, const char *expression, const char *options, const char *libraries)
{
    const char *c = print("%s/program.c", make_directory());
    text source = {0};
    put(&source, "#include <%s>\nint main(void) { return %s; }\n", header, expression);
    const bool has =
        write_file(c, &source) && run_command(print("%s%s %s -o %s%s 2>/dev/null", compiler(), options, shell_quoted(c),
                                                    shell_quoted(scratch_program), libraries)) == 0;
    remove_scratch();
    return has;
}

/* The flags for zlib, if an input is compressed and a program can be linked with it. */
static const char *zlib_flags(void)
{
    static const char *flags;
    bool wanted = false;
    for (int n = 0; n < tensor_options.ins; n++) wanted = wanted || is_compressed(tensor_options.in[n].value);
    for (int n = 0; n < tensor_options.outs; n++) wanted = wanted || is_compressed(tensor_options.out[n].value);
    for (int n = 0; n < the.tensors; n++) wanted = wanted || is_compressed(tensor_at(n)->embedded);
    if (!wanted) return "";
    if (!flags) flags = links("zlib.h", "!zlibVersion()", "", " -lz") ? " -DSPARSE_ZLIB=1" : "";
    return flags;
}

/* Returns the name of a file that programs can read. Without zlib, the gzip program decompresses into the cache, with the
   same limit of expansion as sparse_io.h. If gzip fails, returns the original name. */
static const char *decompressed(const char *path)
{
    enum { EXPANSION = 250, BLOCK = 512 };
    const size_t length = path ? strlen(path) : 0;
    const char *directory = cache_directory();
    struct stat s;
    if (length < 4 || strcmp(path + length - 3, ".gz") != 0 || !directory || stat(path, &s) != 0 || zlib_flags()[0])
        return path;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *target =
        print("%s/program-%016llx.%s", directory, (unsigned long long)hash_file(UINT64_C(14695981039346656037), path),
              copy_string(name, (size_t)(path + length - 3 - name)));
    if (access(target, R_OK) == 0) return target;
    snprintf(scratch_source, sizeof scratch_source, "%s.%ld", target, (long)getpid());
    const char *command =
        print("ulimit -f %llu; gzip -dc <%s >%s 2>/dev/null", (unsigned long long)s.st_size * EXPANSION / BLOCK + 2048,
              shell_quoted(path), shell_quoted(scratch_source));
    const bool made =
        run_command(print("sh -c %s 2>/dev/null", shell_quoted(command))) == 0 && rename(scratch_source, target) == 0;
    unlink(scratch_source);
    scratch_source[0] = '\0';
    return made ? target : path;
}

/* Reads the sizes and the number of entries from the head of a Matrix Market file. Entries implied by symmetry are
   counted. Returns false for any other file. */
static bool read_header(const char *path, double size[2], double *entries)
{
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return false;
    const size_t length = strlen(path);
    const bool packed = length > 3 && same(path + length - 3, ".gz");
    FILE *in = packed ? popen(print("gzip -dc <%s 2>/dev/null", shell_quoted(path)), "r") : fopen(path, "r");
    char line[4096], symmetry[32];
    bool found = in && fgets(line, sizeof line, in) &&
                 sscanf(lower_case(line), "%%%%matrixmarket matrix coordinate %*s %31s", symmetry) == 1;
    do found = found && fgets(line, sizeof line, in);
    while (found && (line[0] == '%' || !line[strspn(line, " \t\r\n")]));
    found = found && sscanf(line, "%lf %lf %lf", &size[0], &size[1], entries) == 3 && fmin(size[0], size[1]) >= 1 &&
            fmax(size[0], size[1]) <= 0x1p64 && *entries >= 0 && *entries <= 0x1p64;
    *entries = found ? same(symmetry, "general") ? *entries : *entries * 2 : 0;
    if (in && packed)
        pclose(in);
    else if (in)
        fclose(in);
    return found;
}

/* The first access to a tensor with sums in the line; null if there is none. */
static const node *sums_of(const node *n, int number)
{
    const node *found = is_access(n) && n->affine && n->tensor == number ? n : NULL;
    for (unsigned k = 0; !found && k < n->count; k++) found = sums_of(n->term[k].node, number);
    return found;
}

/* A subscript that is a sum has values below `size`: sets the sizes of its indices, apart from windows, unless something
   else determines them. */
static void learn_size(const subscript *s, double size)
{
    for (unsigned k = 0; k < s->count; k++) {
        double *const known = &alphabet.input_size[size_letter(s->index[k]) - 'A'];
        if (alphabet.filters & letter_bit(s->index[k]) || *known > 0 || s->step[k] < 1) continue;
        *known = fmax(1, (size - (double)s->start - span_of(s, s->index[k], 0)) / (double)s->step[k] + 1);
    }
}

/* Records sizes and entries from the heads of input files, before a program reads them. Only cost estimates use them. */
static void learn_from_inputs(void)
{
    for (int n = 0; n < the.tensors; n++) {
        tensor *t = tensor_at(n);
        const input *in = t->role == INPUT ? input_of(n) : NULL;
        const char *path = t->embedded ? t->embedded : in ? in->value : NULL;
        double size[2], volume = 1;
        const node *sums = NULL;
        if (!path || is_dense(&t->encoding)) continue;
        for (int s = 0; !sums && s < the.statements; s++) sums = sums_of(the.statement[s].value, n);
        if (is_recipe(path)) {
            const recipe r = parse_recipe(in->place, t, 0);
            for (unsigned d = 0; d < t->rank; d++)
                volume *= sums           ? span_of(&sums->subscript[d], '\0', 0)
                          : d && r.width ? (double)r.width
                                         : assumed_size(t->index[d]);
            t->entries = volume * r.density;
        } else if (t->rank == 2 && (sums || (!t->windowed[0] && !t->windowed[1])) && read_header(path, size, &t->entries)) {
            for (unsigned d = 0; d < 2; d++)
                if (sums)
                    learn_size(&sums->subscript[d], size[d]);
                else
                    alphabet.input_size[size_letter(t->index[d]) - 'A'] = size[d];
        }
    }
}

/* Keeps the newest programs of the cache, and removes files of compilations that never finished. */
static void clean_cache(const char *directory)
{
    enum { KEPT = 256 };
    const char *name[4 * KEPT];
    time_t used[4 * KEPT];
    size_t count = 0;
    DIR *d = opendir(directory);
    for (struct dirent *e; d && (e = readdir(d)) != NULL && count < 4 * KEPT;) {
        struct stat s;
        const char *path = print("%s/%s", directory, e->d_name);
        if (strncmp(e->d_name, "program-", 8) != 0 || stat(path, &s) != 0) continue;
        if (strchr(e->d_name, '.') && s.st_mtime < time(NULL) - 3600) unlink(path);
        used[count] = s.st_mtime, name[count++] = path;
    }
    if (d) closedir(d);
    for (size_t n = 0; n < count && count > KEPT; n++) {
        size_t newer = 0;
        for (size_t m = 0; m < count; m++) newer += used[m] > used[n];
        if (newer >= KEPT) unlink(name[n]);
    }
}

/* Compiles a source text. If that fails, prints the compiler's messages and returns false. */
static bool compile(const text *source, const char *flags, const char *home, const char *object, const char *target)
{
    snprintf(scratch_program, sizeof scratch_program, "%s.%ld", target, (long)getpid());
    snprintf(scratch_source, sizeof scratch_source, "%s.c", scratch_program);
    if (!write_file(scratch_source, source)) refuse(nowhere, "%s cannot be written: %s", scratch_source, strerror(errno));
    bool made =
        run_command(print("%s %s -I%s %s %s -o %s%s", compiler(), flags, shell_quoted(home), shell_quoted(scratch_source),
                          object ? shell_quoted(object) : "", shell_quoted(scratch_program),
                          strstr(flags, " -c")           ? ""
                          : strstr(flags, "SPARSE_ZLIB") ? " -lm -lz"
                                                         : " -lm")) == 0;
    if (!made) fprintf(stderr, "sparse_gen: the compiler \"%s\" failed\n", compiler());
    if (made && rename(scratch_program, target) != 0) {
        fprintf(stderr, "sparse_gen: the compiler \"%s\" reports no error, and made no program: %s\n", compiler(),
                strerror(errno));
        made = false;
    }
    unlink(scratch_source);
    unlink(scratch_program);
    scratch_source[0] = scratch_program[0] = '\0';
    if (made && scratch[0]) snprintf(scratch_program, sizeof scratch_program, "%s", target);
    return made;
}

/* True if the inputs are so large that faster reading repays the longer compilation with optimisation. */
static bool reads_much(void)
{
    enum { MUCH = 1 << 20 };
    double much = 0;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *t = tensor_at(n);
        const input *in = is_given(n) ? input_of(n) : NULL;
        struct stat file;
        double volume = 1;
        for (unsigned d = 0; d < t->rank; d++) volume *= fmax(1, (double)known_size(t, d));
        if (in && is_recipe(in->value)) much = fmax(much, volume);
        if (in && !is_recipe(in->value) && stat(in->value, &file) == 0) much = fmax(much, (double)file.st_size);
    }
    return much > MUCH;
}

/* True if the kernels, or conversions between them, build tensors with sparse levels. */
static bool makes_storage(void)
{
    for (int n = 0; n < scheduled_steps; n++)
        if (scheduled[n].kind == CONVERSION || is_sparse(scheduled[n].output)) return true;
    return false;
}

/* The user's compiler flags and those that a program needs. With the precompiled runtime, the storage functions are
   linked too. The exceptions are timed programs, and programs that build much storage and use threads. */
static const char *program_flags(bool linked)
{
    const char *flags = getenv("CFLAGS");
    const bool much = reads_much(), makes = makes_storage(),
               storage = linked && (loop_options.parallel ? !much && !makes : !program_options.times || much || !makes);
    return print("-std=c11 -O2 -DSPARSE_FILES_ALL=1 %s%s%s%s%s", flags ? flags : "", storage ? " -DSPARSE_DECLARE" : "",
                 loop_options.parallel ? " -fopenmp" : "", program_options.check ? " -fwrapv" : "", zlib_flags());
}

/* Compiles the runtime with storage and file functions once for these headers and this compiler. -Og compiles in half the
   time of -O1, and the result reads files as fast. */
static const char *runtime_object(const char *program)
{
    const char *home = find_headers(program), *own = getenv("CFLAGS"),
               *flags = print("-std=c11 -O%s -fwrapv -DSPARSE_IMPLEMENTATION -DSPARSE_FILES_ALL=1 %s%s -c",
                              reads_much() ? "g" : "0", own ? own : "", zlib_flags());
    const text source = runtime_source();
    const char *object =
        print("%s/runtime-%016llx.o", cache_directory(), (unsigned long long)key_of_source(&source, home, flags));
    if (access(object, R_OK) == 0) return object;
    say("compiling what reads and checks, once");
    if (!compile(&source, flags, home, NULL, object)) exit(2);
    return object;
}

/* Compiles a program and links it to the runtime in the cache. Without a cache, compiles everything in a temporary
   directory. Returns the name of the program; null if it does not compile. */
static const char *compiled_program(const text *source, const char *program)
{
    const char *home = find_headers(program), *directory = cache_directory();
    const char *object = directory ? runtime_object(program) : NULL, *flags = program_flags(object != NULL), *target;
    if (directory) {
        clean_cache(directory);
        target = print("%s/program-%016llx", directory, /* the cache key of the source names the object file */
                       (unsigned long long)key_of_source(source, home, print("%s %s", flags, object)));
        if (access(target, X_OK) == 0) {
            utimensat(AT_FDCWD, target, NULL, 0);
            return target;
        }
    } else {
        target = print("%s/program", make_directory());
    }
    say("compiling the kernels");
    if (compile(source, flags, home, object, target)) return target;
    remove_scratch();
    return NULL;
}

/* Compiles and runs a program. Returns the exit status. */
static int run_program(const text *source, const char *program)
{
    const char *path = compiled_program(source, program);
    if (!path) return 2;
    const int status = run_command(shell_quoted(path));
    remove_scratch();
    if (status > SIGNALLED)
        fprintf(stderr, "sparse_gen: a signal ended the program: %s%s\n", strsignal(status - SIGNALLED),
                status == SIGNALLED + SIGFPE ? ", as where an integer is divided by 0" : "");
    return status != 0;
}

/* Returns the output of a program; null if it does not compile or fails. */
static const char *output_of_program(const text *source, const char *program)
{
    const char *path = compiled_program(source, program);
    const char *result = path ? output_of_command(shell_quoted(path)) : NULL;
    remove_scratch();
    return result;
}

/* >>expand

   Prints the kernel lines after the preprocessor, formatted as a person would write the loops. */

/* The kernels with readable names: after the headers, some of their macros are replaced by words. */
static text expandable_source(void)
{
    static const char *const words[] = {"bool",       "true", "false", "SIZE_MAX", "SPARSE_UNUSED", "SPARSE_RESTRICT",
                                        "SPARSE_ZERO"};
    text t = {0};
    put(&t, "#include \"sparse.h\"\n");
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) put(&t, "#undef %s\n", words[n]);
    put(&t, "#define SPARSE_UNUSED\n#define SPARSE_RESTRICT restrict\n#define SPARSE_ZERO(type) 0\n");
    put_kernels(&t);
    return t;
}

/* Removes the prefix of the kernels' local variables, which keeps them apart from the names of a program. */
static char *without_prefix(char *soup)
{
    static const char prefix[] = "sparse_l_";
    char *to = soup;
    for (const char *c = soup; *c;)
        if (strncmp(c, prefix, sizeof prefix - 1) == 0)
            c += sizeof prefix - 1;
        else
            *to++ = *c++;
    *to = '\0';
    return soup;
}

/* Finds the function `name` in preprocessed text and sets its length; null if it is not there. */
static const char *find_definition(const char *soup, const char *name, size_t *length)
{
    const char *at = strstr(soup, print(" %s(", name));
    if (at == NULL) return NULL;
    const char *start = at;
    while (start > soup && strncmp(start, "static inline", 13) != 0) start--;
    unsigned depth = 0;
    for (const char *c = at; *c; c++) {
        if (*c == '{') depth++;
        if (*c == '}' && --depth == 0) {
            *length = (size_t)(c + 1 - start);
            return start;
        }
    }
    return NULL;
}

static void drop_blank(text *line)
{
    while (line->length && line->at[line->length - 1] == ' ') line->at[--line->length] = '\0';
}

static size_t literal_length(const char *c);

static bool ends_with(const text *line, char c)
{
    size_t n = line->length;
    while (n && line->at[n - 1] == ' ') n--;
    return n && line->at[n - 1] == c;
}

/* Removes a blank before a comma or a closing bracket. */
static void drop_blank_before(text *line, char next)
{
    if (next == ';') drop_blank(line);
}

/* Returns the length of "for (...)" or "if (...)" at the beginning of a line, if a statement follows; else 0. */
static size_t head_length(const char *at)
{
    if (strncmp(at, "for (", 5) != 0 && strncmp(at, "if (", 4) != 0) return 0;
    unsigned depth = 0;
    for (const char *c = at; *c; c += literal_length(c)) {
        if (*c == '(') depth++;
        if (*c == ')' && --depth == 0) return c[1] == ' ' && c[2] != '{' ? (size_t)(c + 1 - at) : 0;
    }
    return 0;
}

/* Returns the best position to break a long line: after a comma, or before && and ||, but not in a string; 0 if there is
   none. */
static size_t break_of(const char *at, size_t room)
{
    size_t best = 0;
    for (size_t n = 0; at[n] && n < room; n += literal_length(at + n)) {
        if (at[n] == ',' && at[n + 1] == ' ') best = n + 1;
        if (n && at[n] == ' ' && (strncmp(at + n, " && ", 4) == 0 || strncmp(at + n, " || ", 4) == 0)) best = n;
    }
    return best;
}

/* Writes a line; breaks it if it is long. */
static void end_line(text *t, text *line, unsigned indent)
{
    enum { COLUMNS = 110 };
    drop_blank(line);
    const char *at = line->at;
    size_t margin = 4 * indent;
    while (line->length && strlen(at) + margin > COLUMNS) {
        const size_t head = head_length(at), length = head ? head : break_of(at, COLUMNS - margin);
        if (length == 0) break;
        put(t, "%*s%.*s\n", (int)margin, "", (int)length, at);
        at += length + (at[length] == ' ');
        if (head) indent++;
        margin = head ? 4 * indent : 4 * indent + 8;
    }
    if (line->length) put(t, "%*s%s\n", (int)margin, "", at);
    line->length = 0;
}

/* The length of the string or character constant at c; 1 if there is none. */
static size_t literal_length(const char *c)
{
    size_t n = 1;
    if (*c != '"' && *c != '\'') return 1;
    while (c[n] && c[n] != *c) n += c[n] == '\\' && c[n + 1] ? 2 : 1;
    return n + 1;
}

/* Writes each statement on its own line, indented by the number of open braces. */
static void put_formatted(text *t, const char *code, size_t length, unsigned indent)
{
    text line = {0};
    unsigned parens = 0, initial = 0;
    for (const char *c = code; c < code + length; c++) {
        const bool blank = isspace((unsigned char)*c);
        const size_t literal = literal_length(c);
        if (literal > 1) {
            put(&line, "%.*s", (int)literal, c);
            c += literal - 1;
            continue;
        }
        if (*c == '#' && line.length == 0) { /* a preprocessor directive gets its own line */
            const char *end = strchr(c, '\n');
            put(t, "%.*s\n", (int)(end - c), c);
            c = end;
            continue;
        }
        if (blank && (line.length == 0 || strchr(" (", line.at[line.length - 1]))) continue;
        if (*c == '(') parens++;
        if (*c == ')') parens--;
        if (*c == ',' || *c == ')') drop_blank(&line);
        drop_blank_before(&line, *c);
        if (*c == '{' && parens == 0 && (initial || ends_with(&line, '='))) initial++;
        if (*c == '}' && parens == 0 && initial) {
            initial--;
            put(&line, "}");
            continue;
        }
        if (*c == '}' && parens == 0) {
            end_line(t, &line, indent);
            indent -= indent > 0;
        }
        if (!(*c == ';' && line.length == 0)) put(&line, "%c", blank ? ' ' : *c);
        const char *next = c + 1;
        while (next < code + length && isspace((unsigned char)*next)) next++;
        if (*c == '}' && parens == 0 && (strncmp(next, "else", 4) == 0 || *next == ';' || isalpha((unsigned char)*next))) {
            if (indent > 0 && strncmp(next, "else", 4) != 0 && *next != ';')
                end_line(t, &line, indent);
            else if (*next != ';')
                put(&line, " ");
            continue;
        }
        if (parens || initial || (*c != ';' && *c != '{' && *c != '}')) continue;
        end_line(t, &line, indent);
        if (*c == '{') indent++;
    }
    end_line(t, &line, indent);
}

/* The operands over whose positions a loop runs: "pA2 < eA2 && pB2 < eB2" gives "A or B". */
static const char *walked(const char *line)
{
    const char *name[MAX_OPERANDS];
    unsigned count = 0;
    for (const char *at = line; (at = strstr(at, " < e")) != NULL; at++) {
        const char *start = at;
        while (start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
        if (*start != 'p' || at - start < 3 || count == MAX_OPERANDS) continue;
        const char *found_name = copy_string(start + 1, (size_t)(at - start) - 2);
        bool known = false;
        for (unsigned n = 0; n < count; n++) known = known || same(name[n], found_name);
        if (!known) name[count++] = found_name;
    }
    text t = {0};
    put(&t, "%s", "");
    for (unsigned n = 0; n < count; n++) put(&t, "%s%s", n == 0 ? "" : n + 1 == count ? " or " : ", ", name[n]);
    return t.at;
}

/* The comment above a loop; null: none. */
static const char *loop_comment(const char *line, const char *next)
{
    if (strncmp(line, "for (size_t ", 12) == 0 && islower((unsigned char)line[12]) && strncmp(line + 13, " = 0;", 5) == 0)
        return print("every %c", line[12]);
    if (strncmp(line, "for (", 5) != 0 && strncmp(line, "while (", 7) != 0) return NULL;
    const char *names = walked(line), *index = strstr(next, "const size_t ");
    if (!*names) return NULL;
    while (index && index[strlen("const size_t ") + 1] != ' ') index = strstr(index + 1, "const size_t ");
    index = index ? index + strlen("const size_t ") : "coordinate ";
    const bool together = strstr(line, "_crd[") && strstr(line, "] == ");
    const char *how = "";
    if (together)
        how = ", as long as they go together";
    else if (strstr(line, " || "))
        how = ", while one of them has more";
    else if (strstr(line, "++)") == NULL && strstr(line, " && ") && strstr(names, " or "))
        how = ", while all of them have more";
    const char *either = together ? strstr(names, " or ") : NULL;
    if (either) names = print("%.*s and %s", (int)(either - names), names, either + strlen(" or "));
    return print("every %.*s stored in %s%s", (int)strcspn(index, " "), index, names, how);
}

/* Writes formatted code with a comment above every loop. Leaves out declarations about operands that are not used. */
static void put_annotated(text *t, const char *code)
{
    for (const char *at = code, *end; *at; at = end + 1) {
        const size_t blanks = strspn(at, " ");
        end = strchr(at, '\n');
        if (end == NULL) break;
        const char *line = copy_string(at + blanks, (size_t)(end - at) - blanks), *sign = strstr(line, " = ");
        if (strncmp(line, "const ", 6) == 0 && sign) {
            const char *start = sign;
            while (start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
            const char *name = copy_string(start, (size_t)(sign - start)), *first = strstr(code, name);
            const bool about = strncmp(name, "has_", 4) == 0 || strstr(name, "_fill");
            if (about && first && !has_word(first + strlen(name), name)) continue;
        }
        if (strncmp(line, "extern ", strlen("extern ")) == 0) continue; /* the declaration of a fill value */
        const char *comment = loop_comment(line, end);
        if (comment) put(t, "%*s/* %s */\n", (int)blanks, "", comment);
        put(t, "%*s%s\n", (int)blanks, "", line);
    }
}

/* Returns a file after preprocessing; null if that fails. If there is no compiler, as in a browser, SPARSE_GEN_PREPROCESS
   names the function that does it. */
static char *preprocessed(const char *home, const char *path)
{
#ifdef SPARSE_GEN_PREPROCESS
    return SPARSE_GEN_PREPROCESS(home, path);
#else
    return output_of_command(print("%s -std=c11 -E -P%s -I%s %s", compiler(), loop_options.parallel ? " -fopenmp" : "",
                                   shell_quoted(home), shell_quoted(path)));
#endif
}

/* Writes the loops of every kernel. */
static void put_expansion(text *t, const char *program)
{
    name_steps();
    for (int n = 0; n < the.tensors; n++) name_type(n);
    const char *home = find_headers(program), *c = print("%s/program.c", make_directory());
    const text source = expandable_source();
    char *const soup = write_file(c, &source) ? preprocessed(home, c) : NULL;
    remove_scratch();
    if (soup == NULL) refuse(nowhere, "the compiler \"%s\" failed", compiler());
    for (int s = 0; s < scheduled_steps; s++) {
        size_t length;
        if (scheduled[s].kind != KERNEL) {
            put(t, "/* %s */\n%s;\n\n", step_in_words(&scheduled[s]), step_call(&scheduled[s]));
            continue;
        }
        const char *code = find_definition(without_prefix(soup), print("%s_loops", scheduled[s].name), &length);
        if (code == NULL) refuse(nowhere, "the preprocessor made no loops of %s", scheduled[s].name);
        put(t, "/* %s", step_text(&scheduled[s]));
        if (scheduled[s].result.initial)
            put(t, "; %s begins with %s", tensor_at(scheduled[s].output)->name, scheduled[s].result.initial);
        put(t, " */\n");
        text formatted = {0};
        put_formatted(&formatted, code, length, 0);
        put_annotated(t, formatted.at);
        put(t, "\n");
    }
}

/* >>options */

static const char *const manual[] = {
    "sparse_gen: tensor index notation in, sparse kernels out\n"
    "\n"
    "    sparse_gen [options] 'statements'\n"
    "\n"
    "Prints the storage types and SPARSE_KERNEL lines that compute the statements; paste them into a program "
    "that\n"
    "includes sparse.h. With --run it compiles and runs them on files or made-up tensors at once.\n"
    "\n"
    "    sparse_gen 'y(i) = A(i,j) * x(j)' -f A=csr\n"
    "    sparse_gen 'y(i) = A(i,j) * x(j)' -f A=csr -i A=plate.mtx -i x=ones --run -o y=y.tns\n"
    "    sparse_gen 'A(i,r) = X(i,j,k) * B(j,r) * C(k,r)' -f X=csf --explain\n"
    "    sparse_gen 'D(i,j) = A(i,j) + B(i,j)' -f A=csr -f B=csc -d i=50,j=60 -i rand:0.1 --run --check\n"
    "\n",
    "STATEMENTS\n"
    "    y(i) = expression      or y[i] = ...; += adds to what y holds, -= takes from it; several are separated by ;\n"
    "    y(i) max= expression   min= and *= too: of what y holds and of all that comes to a place, zeros included;\n"
    "                           an index that the output lacks is one more that this goes over\n"
    "    + - * / ( )            arithmetic; -A; numbers; a name without subscripts is a scalar; a / b and a "
    "% b of\n"
    "                           integers are those of C\n"
    "    < <= > >= == != && || !    1 or 0;  a ? b : c\n"
    "    abs sqrt exp log pow max min ...   functions of math.h; conj real imag; your own with --define\n"
    "    sum(j) prod(j) max(j) min(j)       reduce the product that follows, zeros included; also sum(j, x(j) + 1)\n"
    "    any(j) all(j) count(j)             is a value not 0, are all, how many are not\n"
    "    mean(j) variance(j) norm(j)        the variance divides by the number of values; the norm is the root of squares\n"
    "    argmax(j) argmin(j)                the j of the greatest or least value, the first of several\n"
    "    i                      an index by itself is its coordinate; count(i) is how many it has\n"
    "    like(A(i,j))           1 where A is stored, else 0\n"
    "    A'(i,j), A(i,j)'       A(j,i)\n"
    "    A(i,j).length          a member, where values are structs of --define\n"
    "    x(i+1) x(2*i + p) x(0) x(9-i)    sums and multiples of indices, and constants, as subscripts; differences, of\n"
    "                                     sparse tensors if an index of the result is found from what they store;\n"
    "                                     also on the left side, y(i+1) = ...\n"
    "    A(2*i+1,j) A(i(2,10,3),j)        slices: i from 2 to below 10, in steps of 3; i(9,-1,-1) is 9-i\n"
    "    A(rows(i),j) A(rows[i],j)        an index set, a dense vector of integers (uint32_t without -t), tells which\n"
    "                                     places are read; of one outside of the dimension nothing comes. -d rows=100\n"
    "                                     is the size of what it chooses from. Also on the left side, C(rows(i),j) = ...,\n"
    "                                     where what goes to one place is added up, and what goes outside left out\n"
    "  An index is a letter or a name, for which a letter stands in the lines, and has one size in all "
    "statements. An\n"
    "  index that the output lacks is summed over the smallest subexpression that holds all its uses: in\n"
    "  y(i) = A(i,j) * x(j) + b(i) that is A(i,j) * x(j). An index that an operand lacks repeats it. A "
    "dimension with\n"
    "  a subscript such as i+p gives an index its size only if nothing else in it is unknown; others do, or -d. The\n"
    "  function says SPARSE_E_SHAPE, and does nothing, if a subscript leaves a tensor that is not --padded. What of the\n"
    "  output is beside y(i+1), or y(rows(i)), is zero after =, and stays after +=.\n"
    "  A tensor that is assigned, and read later on, is a temporary; one that is read first, and assigned "
    "later, is an\n"
    "  input that is changed. A sparse tensor is changed in place where the right side is zero wherever it "
    "is not\n"
    "  stored, A(i,j) = A(i,j) * d(i); else it is made anew.\n"
    "  A quotient is nonzero where its numerator is stored; its denominator must not be sparse.\n"
    "    --einsum 'ij,jk->ik' A B [C]     the same as C(i,k) = A(i,j) * B(j,k)\n"
    "\n",
    "ENCODINGS   -f A=csr, -f A,B=coo; a tensor without is dense; names in any case, also csr_matrix and the "
    "like\n"
    "    dense, colmajor        all coordinates, row after row, or column after column\n"
    "    csr, csc               compressed rows or columns\n"
    "    dcsr, dcsc             the same without those that are empty\n"
    "    coo, coosoa            lists of coordinates, any number of dimensions\n"
    "    csf, sparse            compressed at every level, any number of dimensions\n"
    "    cd                     few rows, all of them full\n"
    "    bsr, bsr2x3, bsc2x3, bsr_inner_columns2x3, bsc_inner_rows2x3    dense blocks; n2of4, packed2of4: two of "
    "every four, the latter with two bits for each\n"
    "    dia, dia512            diagonals; those of each 512 rows\n"
    "    ell8, jagged8          up to eight entries a row, in slices\n"
    "    csb64                  a grid of blocks, the entries of each in any order\n"
    "    bitvec, bitrows        all coordinates, and a bit for each that tells whether it is stored\n"
    "    bitmaskvec, bitmaskrows    a bit for each coordinate, and the values of those whose bit is set\n"
    "    csr_delta4             compressed rows with the distances between columns, in so many bits\n"
    "    batched_csr, batched_coo, mode_generic, hicoo4    of three dimensions\n"
    "    (i, j) -> (j : dense, i : compressed(nonunique, nonordered)), posWidth=32, crdWidth=8\n"
    "                           any other: the syntax of MLIR's sparse_tensor dialect, also inside\n"
    "                           #sparse_tensor.encoding<{ map = ... }>; levels store d, d floordiv c, d mod "
    "c,\n"
    "                           d count c (also s * c * d of [s](d, e)), d - e; or that of the kit,\n"
    "                           ((i, j), (dense, j), (compressed, i))\n",
    NULL, /* the level types and names from the headers follow */
    "  A name takes sizes as bsr2x3 or bsr(2, 3), and widths, -f 'A=csr, posWidth=64', explicitVal=1, the value of all\n"
    "  that is stored, and implicitVal=2, of all that is not; also nan, inf and -inf.\n"
    "\n",
    "OPTIONS\n"
    "    -f, --format NAME=ENCODING    how a tensor is stored; symmetric(csr), skew(csr) or hermitian(csr) is one triangle\n"
    "    -t, --type NAME=TYPE or TYPE  the type of its values, or of all: double (without -t), float, f16, "
    "bf16, bool,\n"
    "                                  int8_t ... uint64_t, sparse_complex64, sparse_complex128; f64, i8, "
    "u64, c128 for\n"
    "                                  short; a struct of --define\n"
    "    -d, --size i=100,j=50         sizes of indices; O:10,20 those of a tensor\n"
    "    -l, --loops i,k,j             the order of the loops, outermost first\n"
    "    -s, --strategy 'parallel(i),simd(j)'    also unroll(k), the loop around an innermost one over all "
    "coordinates,\n"
    "                                  prefetch(k), over entries through which others are reached,\n"
    "                                  tile(j,64), over all coordinates, some at a time, where(k), a "
    "sum\n"
    "                                  inside other loops that is made in a workspace, and let(j), an\n"
    "                                  index of a result that is found from what is stored at j+q\n"
    "    --name NAME                   of the function; without, compute_OUTPUT\n"
    "    --padded A,B or --padded      subscripts outside of these tensors, or of all, read the fill value; "
    "without,\n"
    "                                  subscripts must stay inside; of a result, what lies outside is left out\n"
    "    --drop-zeros                  sparse results do not store what becomes 0, such as sums that cancel out\n"
    "    --derive A,x                  the derivatives by these inputs, dA and dx, given dy, that of some number by each\n"
    "                                  element of the result y; --check compares with finite differences, too\n"
    "    --semiring min-plus           of stored entries, in place of + and *: also max-plus, max-min, "
    "min-max,\n"
    "                                  or-and; where there are none the result is the identity, an infinity\n"
    "    --define 'double f(double x) { return x * x; }'   a function for the statements\n"
    "    --define 'typedef struct road { float length; } road;'   a type for -t\n"
    "    --embed A=weights.mtx         writes a tensor into the program, as constant arrays as narrow as they can be\n"
    "    --fixed                       all sizes are constants, of embedded tensors and of -d, and descriptors pointers\n"
    "    -w, --write FILE              where to write what would be printed; not with --run and what else runs\n"
    "  Also as TACO has them: -f=A:ds:1,0 -t=A:float -d=i:10 -d=B:4,3 -i=A:a.mtx -o=y:y.tns -g=A:s -g=x:d -g=A:f -time\n"
    "  -time=10 -write-time=FILE -verify -write-source=FILE -print-kernels -print-evaluate -print-iteration-graph\n"
    "  -prefix=p_ -nthreads=4 -help, and A_{i,j}. Its schedules become -l and -s:\n"
    "  -s='split(j,j0,j1,64),reorder(j0,i,j1),parallelize(i,CPUThread,NoRaces),unroll(k,4),precompute(A(i,k)*B(k,j),j,w)'\n"
    "\n",
    "WHAT TO MAKE\n"
    "    (nothing)                     types and kernels\n"
    "    --main                        a complete program, for the inputs of -i\n"
    "    --part                        the same as a function NAME_main, with names that begin with NAME_\n"
    "    --run                         compile that program with $CC, or cc, and $CFLAGS, and run it; it is "
    "kept in\n"
    "                                  ~/.cache, so that the same runs at once the next time\n"
    "    --expand                      the loops that the preprocessor makes of the kernels\n"
    "    --python                      a module for Python, kernel.py or -w NAME.py, compiled with $CC and $CFLAGS\n"
    "    --explain                     iteration graphs, merge lattices, loop orders, costs and reasons in "
    "words\n"
    "    --dot, --draw                 the iteration graphs for Graphviz; and with the lattices as SVG\n"
    "    --lint FILE.c                 warns, by file:line, about kernel lines of a C file that are likely not what was "
    "meant\n"
    "\n",
    "RUNNING\n"
    "    -i, --input A=FILE            Matrix Market, FROSTT, .smtx, .rb, .npz, .csv, .graph and others; "
    ".gz\n"
    "    -i, --input A=rand:0.01,seed=7,low=-1,high=1 | ones:0.5 | zeros | iota | NUMBER; without A=, for "
    "all others;\n"
    "                                  rand:1,band=2 has entries up to two places from the diagonal\n"
    "    --read-as A=table             what the file of A is: rows of numbers, in a file that ends in .csv, which may also "
    "be\n"
    "                                  csv, coordinates and values; or another extension\n"
    "    --zero-based                  the coordinates in files of -i and --embed count from 0, where the format "
    "lets them\n"
    "    -o, --output y=FILE           .mtx or .tns\n"
    "    --print y                     the arrays of its storage\n"
    "    --draw-storage A=FILE.svg     a picture of its levels and arrays\n"
    "    --check                       compare with a dense evaluation, or with some of its values if it is "
    "large; what\n"
    "                                  assigns runs twice before\n"
    "    --time N                      time to read, and the median of N times to compute\n"
    "    --roofline                    with --time: operations as written, bytes that must move at least, "
    "and "
    "what was\n"
    "                                  reached of both, beside what one core reads from memory, measured\n"
    "    --sizes                       only how large the inputs are, and what their patterns are like\n"
    "\n"
    "SEARCHING\n"
    "    --search A,B                  encodings of these tensors, blocks, diagonals and slices where they "
    "suit the\n"
    "                                  data, with 32 bits and the narrowest widths that hold the input, loop "
    "orders,\n"
    "                                  all strategies: predicts what each would "
    "read, runs the\n"
    "                                  most promising, checks every result; prints times and the best line\n"
    "    --advise A,B                  the encoding that the pattern of the input suggests, and why, in time of its "
    "entries;\n"
    "                                  no kernel is run\n"
    "    --csv FILE, --svg FILE        the results as a table, from which a later search of the same goes "
    "on, and as a "
    "heat map;\n"
    "                                  with --time, the table has the times of the one program\n"
    "    --tries N                     how many candidates are run, the most promising first: 10 without\n"
    "    --limit SECONDS               when to stop\n"
    "    --cost                        only how many steps the loops are thought to take\n"
    "    --strict                      refuse what needs the conversion of an operand\n"
    "\n"
    "Exit status: 0, or 1 if the program that was run failed or --lint warns, or 2 and one sentence if something cannot be "
    "made.\n"};

static struct {
    const char *statements, *write;
    enum { HEADER, MAIN, RUN, EXPLAIN, DOT, DRAWING, EXPAND, SEARCH, ADVISE, SIZES, COST, PYTHON, MODES } what;
    const char *mode; /* the option that chose the mode; null: none */
    bool inputs;      /* do inputs alone make the program run, as with TACO? */
    uint64_t given;   /* the options that were given */
    spot searched;    /* the tensors whose formats are searched */
    spot einsum;      /* the string of --einsum; the names of its operands follow */
    const char *name[MAX_OPERANDS];
    unsigned names;
    text schedule;         /* the directives of TACO's -s=, separated by commas */
    const char *csv, *svg; /* output files of the search */
    const char *lint;      /* the C file to be checked */
    unsigned long limit;   /* the time limit of the search in seconds; 0: none */
    unsigned long tries;   /* how many candidates the search runs; 0: the default */

    spot derive; /* the tensors by which --derive differentiates */
    struct setting {
        char option;
        spot value;
    } setting[4 * MAX_INPUTS];
    int settings;
} command;

/* An option, and with which modes it can be combined. */
enum { ANYTHING = (1 << MODES) - 1, PROGRAMS = 1 << MAIN | 1 << RUN, SEARCHES = 1 << SEARCH };
enum { TEXTS = 1 << HEADER | 1 << MAIN | 1 << EXPLAIN | 1 << DOT | 1 << DRAWING | 1 << EXPAND | 1 << PYTHON };
static const struct option {
    const char *name;
    char letter;
    bool argument;
    unsigned with;
} options[] = {
    {"--format", 'f', true, ANYTHING},
    {"--type", 't', true, ANYTHING},
    {"--size", 'd', true, ANYTHING},
    {"--loops", 'l', true, ANYTHING},
    {"--strategy", 's', true, ANYTHING},
    {"--input", 'i', true, ANYTHING},
    {"--output", 'o', true, PROGRAMS},
    {"--write", 'w', true, TEXTS},
    {"--name", 'n', true, ANYTHING},
    {"--define", 'D', true, ANYTHING},
    {"--print", 'p', true, PROGRAMS},
    {"--draw-storage", 'W', true, PROGRAMS},
    {"--embed", 'E', true, ANYTHING},
    {"--read-as", 'U', true, ANYTHING},
    {"--semiring", 'R', true, ANYTHING},
    {"--time", 'T', true, PROGRAMS | SEARCHES},
    {"--main", 'm', false, 1 << MAIN},
    {"--run", 'r', false, 1 << RUN},
    {"--explain", 'e', false, 1 << EXPLAIN},
    {"--dot", 'g', false, 1 << DOT},
    {"--search", 'S', true, SEARCHES},
    {"--csv", 'C', true, PROGRAMS | SEARCHES},
    {"--svg", 'V', true, SEARCHES},
    {"--limit", 'L', true, SEARCHES},
    {"--strict", 'k', false, ANYTHING},
    {"--expand", 'x', false, 1 << EXPAND},
    {"--check", 'c', false, PROGRAMS | SEARCHES},
    {"--part", 'P', false, 1 << MAIN},
    {"--help", 'h', false, ANYTHING},
    {"--roofline", 'B', false, PROGRAMS},
    {"--sizes", 'Z', false, 1 << SIZES},
    {"--einsum", 'N', true, ANYTHING},
    {"--draw", 'G', false, 1 << DRAWING},
    {"--tries", 'Y', true, SEARCHES},
    {"--cost", 'X', false, 1 << COST},
    {"--padded", 'Q', false, ANYTHING},
    {"--zero-based", 'O', false, ANYTHING},
    {"--derive", 'j', true, ANYTHING},
    {"--advise", 'A', true, 1 << ADVISE},
    {"--python", 'y', false, 1 << PYTHON},
    {"--drop-zeros", 'z', false, ANYTHING},
    {"--fixed", 'F', false, 1 << HEADER},
    {"--lint", 'J', true, ANYTHING},
};

/* Prints the next word of a list under a heading. Lines have up to 110 columns. */
static void show_word(const char *word, size_t *column)
{
    const bool fits = *column + strlen(word) < 110;
    if (!fits) printf("\n%27s", "");
    printf("%s%s", fits ? " " : "", word);
    *column = (fits ? *column + 1 : 27) + strlen(word);
}

/* Prints the level types and the names of encodings, with 2 for every size. */
static void show_names(void)
{
    size_t column = 26;
    printf("    all level types       ");
    for (unsigned f = 0; f < FORMATS; f++) show_word(format_name((format)f), &column);
    printf("\n    all names             ");
    column = 26;
    for (size_t n = 0; n < NAMED_ENCODINGS; n++)
        show_word(with_sizes(named_encodings[n].name, "", (const unsigned long[MAX_SIZES]){2, 2}), &column);
    puts("");
}

static void show_manual(void)
{
    for (size_t n = 0; n < sizeof manual / sizeof *manual; n++)
        if (manual[n])
            fputs(manual[n], stdout);
        else
            show_names();
    exit(0);
}

static void add_setting(char letter, spot value);

/* Sets the mode; refuses a second one. */
static void make(unsigned what, const char *option)
{
    if (command.mode && command.what != what)
        refuse((spot){option, 0}, "%s is asked for already: one of them at a time", command.mode);
    command.what = what, command.mode = option;
}

static void take_option(const struct option *o, const char *value)
{
    command.given |= 1ull << (o - options);
    switch (o->letter) {
    case 'm':
        make(MAIN, o->name);
        break;
    case 'r':
        make(RUN, o->name);
        break;
    case 'e':
        make(EXPLAIN, o->name);
        break;
    case 'g':
        make(DOT, o->name);
        break;
    case 'G':
        make(DRAWING, o->name);
        break;
    case 'x':
        make(EXPAND, o->name);
        break;
    case 'y':
        make(PYTHON, o->name);
        break;
    case 'S':
        make(SEARCH, o->name);
        command.searched = (spot){value, 0};
        break;
    case 'A':
        make(ADVISE, o->name);
        command.searched = (spot){value, 0};
        break;
    case 'C':
        command.csv = value;
        break;
    case 'V':
        command.svg = value;
        break;
    case 'k':
        loop_options.strict = true;
        break;
    case 'c':
        program_options.check = true;
        break;
    case 'B':
        program_options.roofline = true;
        break;
    case 'O':
        program_options.zero_based = true;
        break;
    case 'F':
        tensor_options.fixed = true;
        break;
    case 'z':
        tensor_options.drop_zeros = true;
        break;
    case 'j':
        command.derive = (spot){value, 0};
        break;
    case 'J':
        command.lint = value;
        break;
    case 'X':
        make(COST, o->name);
        break;
    case 'Z':
        make(SIZES, o->name);
        break;
    case 'P':
        program_options.part = true;
        make(MAIN, o->name);
        break;
    case 'h':
        show_manual();
        break;
    case 'w':
        command.write = value;
        break;
    case 'N':
        command.einsum = (spot){value, 0};
        break;
    default:
        add_setting(o->letter, (spot){value, 0});
    }
}

/* Finds an option by its name or by its letter. */
static const struct option *find_option(const char *a)
{
    static const char letters_of_options[] = "ftdlsiowh";
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const bool letter = a[1] == options[k].letter && a[2] == '\0' && strchr(letters_of_options, a[1]);
        if (same(a, options[k].name) || letter) return &options[k];
    }
    return NULL;
}

/* The number of occurrences of each letter in the operands of --einsum. Capitals come first, as numpy sorts them. */
enum { EINSUM_LETTERS = 'z' - 'A' + 1 };

/* Appends the indices of one term of --einsum to `term`, with a point for an ellipsis, and counts the letters. *at moves
   from the beginning of the term to its end: a comma, an arrow or the end of the string. */
static void read_einsum_term(const char **at, text *term, unsigned *count)
{
    const char *const source = command.einsum.source;
    put(term, "%s", "");
    for (; **at && **at != ',' && strncmp(*at, "->", 2) != 0; ++*at) {
        const spot place = {source, (size_t)(*at - source)};
        const bool ellipsis = strncmp(*at, "...", 3) == 0;
        if (isspace((unsigned char)**at)) continue;
        if (!ellipsis && !isalpha((unsigned char)**at))
            refuse(place, "an index is a letter, an ellipsis is three points, and the result follows ->");
        if (ellipsis && strchr(term->at, '.')) refuse(place, "a term has one ellipsis at most");
        put(term, "%c", **at);
        if (ellipsis)
            *at += 2;
        else
            count[**at - 'A']++;
    }
}

/* The indices of the result of --einsum: those after the arrow at `at`. Without an arrow: the ellipsis and the indices
   that occur once. */
static text einsum_result(const char *at, const unsigned *count, bool ellipsis)
{
    const char *const source = command.einsum.source;
    unsigned used[EINSUM_LETTERS] = {0};
    text output = {0};
    put(&output, "%s", *at || !ellipsis ? "" : ".");
    for (char i = 'A'; !*at && i <= 'z'; i++)
        if (count[i - 'A'] == 1) put(&output, "%c", i);
    if (!*at) return output;
    at += 2;
    const size_t first = (size_t)(at - source);
    read_einsum_term(&at, &output, used);
    if (*at) refuse((spot){source, (size_t)(at - source)}, "the result is one list of indices, and ends the string");
    for (const char *c = source + first; *c; c++) {
        if (!isalpha((unsigned char)*c)) continue;
        if (count[*c - 'A'] == 0)
            refuse((spot){source, (size_t)(c - source)}, "no operand has the index %c of the result", *c);
        if (used[*c - 'A'] > 1) refuse((spot){source, (size_t)(c - source)}, "the result has the index %c twice", *c);
    }
    return output;
}

/* True if a name is one of the first `names` ones, or the letter of an index. */
static bool is_einsum_name(const char *name, const char *const *there, unsigned names, const unsigned *count)
{
    if (isalpha((unsigned char)name[0]) && !name[1] && count[name[0] - 'A']) return true;
    for (unsigned n = 0; n < names; n++)
        if (same(there[n], name)) return true;
    return false;
}

/* The first free name in `wishes`, for a tensor without a name. */
static const char *einsum_name(const char *const *wishes, const char *const *there, unsigned names, const unsigned *count)
{
    while (*wishes && is_einsum_name(*wishes, there, names, count)) wishes++;
    for (unsigned n = 1; !*wishes; n++)
        if (!is_einsum_name(print("T%u", n), there, names, count)) return print("T%u", n);
    return *wishes;
}

/* The rank that the argument of -f implies: its number of dimensions, or the rank of a name that exists for one rank
   only; else 0. */
static unsigned rank_of_format(const char *encoded_as)
{
    const char *open = strchr(encoded_as, '(');
    const size_t length = strspn(encoded_as, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const char *const word = lower_case(copy_string(encoded_as, length));
    unsigned rank = 0, depth = 1;
    for (size_t k = 0; k < NAMED_ENCODINGS && length && !same(word, "map"); k++) {
        unsigned long size[MAX_SIZES];
        if (is_named(print("%s3", word), named_encodings[k].name, size) && encoding_of(&named_encodings[k], size).rank == 3)
            return 0; /* coo becomes coo3 for three dimensions */
        if (!rank && is_named(word, named_encodings[k].name, size)) rank = encoding_of(&named_encodings[k], size).rank;
    }
    if (rank || !open || (length && !same(word, "map"))) return same(word, "csf") ? 0 : rank;
    if (open[1] == '(') open++;
    for (rank = 1; *++open && depth;) {
        depth += *open == '(';
        depth -= *open == ')';
        rank += *open == ',' && depth == 1;
    }
    return rank;
}

/* The rank that -f implies for a tensor; 0: unknown. */
static unsigned rank_in_options(const char *name)
{
    unsigned rank = 0;
    for (int n = 0; n < command.settings; n++) {
        const char *const p = command.setting[n].value.source, *const equals = strchr(p, '=');
        if (command.setting[n].option == 'f' && equals && has_word(copy_string(p, (size_t)(equals - p)), name))
            rank = rank_of_format(equals + 1);
    }
    return rank;
}

/* The number of dimensions that the ellipsis of an operand stands for. */
static unsigned ellipsis_of(const text *term, const char *name)
{
    if (!strchr(term->at, '.')) return 0;
    const unsigned letters_there = (unsigned)term->length - 1, rank = rank_in_options(name);
    if (!rank)
        refuse(command.einsum,
               "an ellipsis needs the rank of %s: say it with an encoding, such as -f %s=mat, cube, dense4 or csf4", name,
               name);
    if (rank < letters_there)
        refuse(command.einsum, "%s has %u indices beside its ellipsis, and %u dimensions", name, letters_there, rank);
    return rank - letters_there;
}

/* Writes a term with commas between its indices. Its ellipsis becomes the last `dims` letters of `batch`, which is how
   numpy aligns them. */
static const char *einsum_indices(const text *term, const char *batch, unsigned dims)
{
    text indices = {0};
    for (const char *c = term->at; *c; c++)
        if (*c != '.')
            put(&indices, "%s%c", indices.length ? "," : "", *c);
        else
            for (const char *b = batch + strlen(batch) - dims; *b; b++) put(&indices, "%s%c", indices.length ? "," : "", *b);
    return indices.length ? print("(%s)", indices.at) : "";
}

/* Letters for `dims` dimensions of an ellipsis, which neither indices nor operands use. */
static const char *einsum_batch(unsigned dims, const char *const *name, unsigned names, const unsigned *count)
{
    text batch = {0};
    put(&batch, "%s", "");
    for (char i = 'a'; batch.length < dims && i <= 'z'; i++)
        if (!count[i - 'A'] && !count[toupper((unsigned char)i) - 'A'] &&
            !is_einsum_name(print("%c", i), name, names, count))
            put(&batch, "%c", i);
    if (batch.length < dims) refuse(command.einsum, "more than 26 names of indices and scalars");
    return batch.at;
}

/* Writes the statement for --einsum 'ij,jk->ik' A B C. The string has numpy's meaning: indices are letters of either
   case, a term may be empty, and an ellipsis stands for the remaining dimensions of its operand. Without an arrow, the
   result has these dimensions and the indices that occur once, in alphabetical order. A name after those of the operands
   names the result. */
static const char *einsum_statement(void)
{
    static const char *const inputs[] = {"A", "B", "D", "E", "F", "G", "H", "K", "L", "M", "N", "R", "S", "U", "V", NULL};
    static const char *const results[][4] = {
        {"s", "r", "P", NULL}, {"y", "z", "P", NULL}, {"C", "P", "Q", NULL}, {"T", "Q", "P", NULL}};
    const char *name[MAX_OPERANDS + 1];
    unsigned count[EINSUM_LETTERS] = {0}, terms = 0, dims[MAX_OPERANDS], most = 0;
    text term[MAX_OPERANDS] = {{0}}, right = {0};
    bool ellipsis = false;
    const char *at = command.einsum.source;
    for (bool more = true; more; terms++) {
        if (terms == MAX_OPERANDS - 1) refuse(command.einsum, "there are more operands than a kernel has");
        read_einsum_term(&at, &term[terms], count);
        more = *at == ',';
        at += more;
    }
    if (command.names > 0 && command.names < terms)
        refuse(command.einsum, "operand %u of %u, after %s, has no name: all have one, or none", command.names + 1, terms,
               command.name[command.names - 1]);
    if (command.names > terms + 1)
        refuse((spot){command.name[terms + 1], 0}, "there are more names than operands and a result");
    for (unsigned n = 0; n < command.names; n++)
        if (islower((unsigned char)command.name[n][0]) && !command.name[n][1] && count[command.name[n][0] - 'A'])
            refuse((spot){command.name[n], 0}, "%s is a tensor and an index in one statement", command.name[n]);
    for (unsigned n = 0; n < terms; n++) {
        name[n] = command.names ? command.name[n] : einsum_name(inputs, name, n, count);
        dims[n] = ellipsis_of(&term[n], name[n]);
        if (dims[n] > most) most = dims[n];
        ellipsis = ellipsis || strchr(term[n].at, '.');
    }
    const text output = einsum_result(at, count, ellipsis);
    if (most && !strchr(output.at, '.'))
        refuse((spot){command.einsum.source, strlen(command.einsum.source)},
               "the result has no ellipsis, but operands have one");
    const char *const batch = einsum_batch(most, name, terms, count);
    for (unsigned n = 0; n < terms; n++)
        put(&right, "%s%s%s", n ? " * " : "", name[n], einsum_indices(&term[n], batch, dims[n]));
    const char *const left = einsum_indices(&output, batch, most);
    const size_t rank = strlen(left) / 2;
    name[terms] =
        command.names > terms ? command.name[terms] : einsum_name(results[rank < 3 ? rank : 3], name, terms, count);
    return print("%s%s = %s", name[terms], left, right.at);
}

static void add_setting(char letter, spot value)
{
    if (command.settings == sizeof command.setting / sizeof *command.setting) refuse(nowhere, "too many options");
    command.setting[command.settings++] = (struct setting){letter, value};
}

static bool has_setting(char letter)
{
    for (int n = 0; n < command.settings; n++)
        if (command.setting[n].option == letter) return true;
    return false;
}

/* A directive of TACO's -s=, such as split(i,i0,i1,64): its name and its arguments. */
enum { DIRECTIVE_ARGUMENTS = 8 };
typedef struct directive {
    spot place;
    const char *name, *argument[DIRECTIVE_ARGUMENTS];
    unsigned count;
} directive;

/* Names that directives give to loops: split turns i into i0 and i1, precompute makes iw. */
static struct loop_alias {
    const char *name, *index;
    bool outer; /* is it the outer loop of a split? */
} loop_aliases[MAX_INPUTS];
static int loop_alias_count;

static const struct loop_alias *find_alias(const char *name)
{
    for (int n = 0; n < loop_alias_count; n++)
        if (same(loop_aliases[n].name, name)) return &loop_aliases[n];
    return NULL;
}

/* Records that directive d calls a loop over `index` by this name. */
static void add_alias(const directive *d, const char *name, const char *index, bool outer)
{
    if (loop_alias_count == MAX_INPUTS) refuse(d->place, "too many options");
    loop_aliases[loop_alias_count++] = (struct loop_alias){name, index, outer};
}

/* The index of a loop that a directive names. */
static const char *aliased(const char *name)
{
    const struct loop_alias *found_alias = find_alias(name);
    return found_alias ? aliased(found_alias->index) : name;
}

/* Parses the directive at *at, and moves *at behind it. */
static directive read_directive(const char **at, spot all)
{
    *at += strspn(*at, " ");
    directive d = {.place = {all.source, (size_t)(*at - all.source)}};
    const size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyz");
    unsigned depth = 0;
    d.name = copy_string(*at, length);
    *at += length;
    if (!length || **at != '(') refuse(d.place, "a directive is expected, such as reorder(i,k,j)");
    for (const char *start = ++*at; depth || **at != ')'; ++*at) {
        if (!**at) refuse((spot){all.source, (size_t)(*at - all.source)}, "\")\" is expected after the directive");
        depth += **at == '(';
        depth -= **at == ')';
        if (depth || ((*at)[1] != ')' && **at != ',')) continue;
        if (d.count == DIRECTIVE_ARGUMENTS) refuse(d.place, "%s has more than %d arguments", d.name, DIRECTIVE_ARGUMENTS);
        const char *end = **at == ',' ? *at : *at + 1;
        while (start < end && *start == ' ') start++;
        while (start < end && end[-1] == ' ') end--;
        d.argument[d.count++] = copy_string(start, (size_t)(end - start));
        start = *at + 1;
    }
    ++*at;
    *at += strspn(*at, " ");
    return d;
}

static void need_arguments(const directive *d, unsigned least, unsigned most)
{
    if (d->count < least || d->count > most)
        refuse(d->place, "%s takes %u argument%s, not %u", d->name, least, least == 1 ? "" : "s", d->count);
}

/* Applies reorder(i0,k,i1), the order of the loops. The loop over blocks always becomes the outermost. */
static void use_reorder(const directive *d)
{
    text order = {0};
    const char *last = "";
    if (has_setting('l')) refuse(d->place, "the order of the loops is given already: one reorder has all of them");
    for (unsigned n = 0; n < d->count; n++) {
        const struct loop_alias *alias = find_alias(d->argument[n]);
        const char *index = aliased(d->argument[n]);
        if (alias && alias->outer && n == 0) continue;
        if (alias && alias->outer)
            refuse(d->place, "%s comes first: the loop over the tiles of %s is the outermost one", alias->name,
                   alias->index);
        if (!alias || !same(last, index))
            put(&order, "%s%s", order.length ? "," : "", index); /* i0 and i1 of a parallel split are one loop */
        last = index;
    }
    if (order.length) add_setting('l', (spot){order.at, 0});
}

/* Applies split(i,i0,i1,64) as tile(i,64). If the blocks are distributed to threads, parallel(i) does that instead. */
static void use_split(const directive *d, bool dealt)
{
    need_arguments(d, 4, 4);
    const char *index = aliased(d->argument[0]);
    add_alias(d, d->argument[1], index, !dealt);
    add_alias(d, d->argument[2], index, false);
    if (dealt)
        put(&the.notes,
            "parallel(%s) deals shares of %s to the threads; their number decides how large these are, and not %s\n", index,
            index, d->argument[3]);
    else
        add_setting('s', (spot){print("tile(%s,%s)", index, d->argument[3]), 0});
}

static void use_parallelize(const directive *d)
{
    need_arguments(d, 3, 3);
    const bool threads = same(d->argument[1], "CPUThread");
    if (!threads && !same(d->argument[1], "CPUVector"))
        refuse(d->place, "%s is not available: a loop has CPUThread or CPUVector", d->argument[1]);
    add_setting('s', (spot){print("%s(%s)", threads ? "parallel" : "simd", aliased(d->argument[0])), 0});
}

/* Applies unroll(k,4) as unroll(k), which runs four iterations together. */
static void use_unroll(const directive *d)
{
    need_arguments(d, 2, 2);
    if (!same(d->argument[1], "4")) refuse(d->place, "unroll runs 4 iterations at a time: unroll(%s,4)", d->argument[0]);
    add_setting('s', (spot){print("unroll(%s)", aliased(d->argument[0])), 0});
}

/* Applies precompute(A(i,k)*B(k,j),j,w) as where(k), for the indices of the expression that the result lacks. */
static void use_precompute(const directive *d)
{
    need_arguments(d, 3, 3);
    const char *const statement_text = command.statements ? command.statements : "";
    const char *const left = copy_string(statement_text, strcspn(statement_text, "="));
    bool any = false;
    add_alias(d, d->argument[2], d->argument[1], false);
    for (lexer x = lex(d->argument[0]); x.now.kind != END;) {
        const token name = x.now;
        advance(&x);
        if (name.kind != NAME || is_sign(&x, "(") || is_sign(&x, "[") || is_sign(&x, "{")) continue;
        if (has_word(left, name.text) || same(name.text, d->argument[1])) continue;
        add_setting('s', (spot){print("where(%s)", name.text), 0});
        any = true;
    }
    if (!any)
        refuse(d->place,
               "precompute is for sums: this has no index that the result lacks, as k in precompute(A(i,k)*B(k,j),j,w)");
}

/* Refuses a directive without an equivalent, and names what to use instead. */
static void refuse_directive(const directive *d)
{
    static const char *const others[][2] = {
        {"fuse", "a tensor of encoding coo has one loop over all entries"},
        {"divide", "parallel(i) deals shares to threads, and split(i,i0,i1,64) makes tiles"},
        {"bound", "-d i=SIZE tells the size of an index"},
        {"pos", "the loops over what is stored are over its positions"},
        {"assemble", "-f tells how a result is stored, and the kernel assembles it"},
    };
    for (size_t n = 0; n < sizeof others / sizeof *others; n++)
        if (same(others[n][0], d->name)) refuse(d->place, "%s is not available: %s", d->name, others[n][1]);
    refuse(d->place, "%s is no directive: these are reorder, split, parallelize, precompute and unroll", d->name);
}

/* True if a later directive distributes the outer loop of a split to threads. */
static bool is_dealt(const char *name, const char *at, spot all)
{
    while (*at == ',') {
        at++;
        const directive d = read_directive(&at, all);
        if (same(d.name, "parallelize") && d.count > 1 && same(d.argument[0], name) && same(d.argument[1], "CPUThread"))
            return true;
    }
    return false;
}

/* Applies all directives of -s=. */
static void use_schedules(void)
{
    const spot all = {command.schedule.at, 0};
    for (const char *at = all.source; at && *at; at += *at == ',') {
        const directive d = read_directive(&at, all);
        if (*at && *at != ',')
            refuse((spot){all.source, (size_t)(at - all.source)}, "a comma is expected between directives");
        if (same(d.name, "reorder"))
            use_reorder(&d);
        else if (same(d.name, "split"))
            use_split(&d, d.count > 1 && is_dealt(d.argument[1], at, all));
        else if (same(d.name, "parallelize"))
            use_parallelize(&d);
        else if (same(d.name, "unroll"))
            use_unroll(&d);
        else if (same(d.name, "precompute"))
            use_precompute(&d);
        else
            refuse_directive(&d);
    }
}

/* Parses the rest of an option as a number from 1 to `most`. */
static unsigned long whole_number(spot value, const char *what, unsigned long most)
{
    lexer x = {.source = value.source, .at = value.at};
    advance(&x);
    const unsigned long n = expect_number(&x, what, 1, most);
    if (x.now.kind != END) refuse(x.now.place, "%s should end here, before %s", what, found(&x));
    return n;
}

/* Translates TACO's letters for levels and their order: "ds", "0,1" becomes (a, b) -> (a : dense, b : compressed). */
static const char *taco_format(spot value, const char *letters_of_levels, const char *order)
{
    text dims = {0}, levels = {0};
    const size_t rank = strcspn(letters_of_levels, ":");
    lexer x = {.source = value.source, .at = order ? (size_t)(order - value.source) : 0};
    if (order) advance(&x);
    for (size_t l = 0; l < rank; l++) {
        static const char known[] = "dsuqcp";
        static const char *const types[] = {"dense",     "compressed",           "compressed(nonunique)",
                                            "singleton", "singleton(nonunique)", "singleton"};
        const char *at = strchr(known, letters_of_levels[l]);
        if (!at || rank > MAX_RANK)
            refuse((spot){value.source, (size_t)(letters_of_levels - value.source) + l}, "a level is d, s, u, q or c");
        if (order && l) expect(&x, ",", "between the dimensions of the levels");
        const unsigned long dim = order ? expect_number(&x, "the dimension of a level", 0, rank - 1) : l;
        put(&dims, "%s%c", l ? ", " : "", dim_letter((unsigned)l));
        put(&levels, "%s%c : %s", l ? ", " : "", dim_letter((unsigned)dim), types[at - known]);
    }
    if (order && x.now.kind != END) refuse(x.now.place, "the order of the levels should end here, before %s", found(&x));
    return print("(%s) -> (%s)", dims.length ? dims.at : "", levels.length ? levels.at : "");
}

/* Applies an option in the syntax of TACO's command line, -f=A:ds:0,1. Returns false if it is none. */
static bool take_taco_option(const char *a)
{
    static const struct taco_type {
        const char *name, *type;
    } types[] = {{"char", "i8"},      {"short", "i16"},     {"int", "i32"},          {"long", "i64"},
                 {"longlong", "i64"}, {"uchar", "u8"},      {"ushort", "u16"},       {"uint", "u32"},
                 {"ulong", "u64"},    {"ulonglong", "u64"}, {"complexfloat", "c64"}, {"complexdouble", "c128"},
                 {"int8", "i8"},      {"int16", "i16"},     {"int32", "i32"},        {"int64", "i64"},
                 {"uint8", "u8"},     {"uint16", "u16"},    {"uint32", "u32"},       {"uint64", "u64"}};
    const spot all = {a, 0};
    if (same(a, "-cuda")) refuse(all, "there is no code for graphics processors");
    if (strncmp(a, "-print-", 7) == 0 || same(a, "-c")) {
        static const char known[] = " -print-iteration-graph -print-concrete -print-compute -print-kernels -print-assembly "
                                    "-print-evaluate -print-nocolor -c ";
        if (!is_in(known, a)) return false;
        if (same(a, "-print-iteration-graph") || same(a, "-print-concrete")) make(EXPLAIN, a);
        if (same(a, "-print-compute") || same(a, "-print-kernels") || same(a, "-print-assembly") ||
            same(a, "-print-evaluate"))
            make(EXPAND, a);
        return true;
    }
    if (same(a, "-help")) show_manual();
    if (same(a, "-verify") || same(a, "-time")) {
        make(RUN, a);
        if (same(a, "-time"))
            add_setting('T', (spot){"1", 0});
        else
            program_options.check = true;
        return true;
    }
    const char *equals = strchr(a, '=');
    if (a[1] == '-' || !equals) return false;
    const char *option = copy_string(a, (size_t)(equals - a)), *name = equals + 1, *colon = strchr(name, ':');
    const char *tensor_name = copy_string(name, colon ? (size_t)(colon - name) : strlen(name)),
               *value = colon ? colon + 1 : NULL;
    if (same(option, "-time")) {
        add_setting('T', (spot){name, 0}), make(RUN, a);
    } else if (same(option, "-write-time")) {
        command.csv = name, make(RUN, a);
        if (!has_setting('T')) add_setting('T', (spot){"1", 0});
    } else if (same(option, "-write-source") || same(option, "-write-compute") || same(option, "-write-kernels")) {
        command.write = name;
    } else if (same(option, "-prefix")) {
        add_setting('n', (spot){print("%scompute", name), 0});
    } else if (same(option, "-nthreads")) {
        loop_options.threads = whole_number((spot){a, (size_t)(name - a)}, "the number of threads", 65536) > 1;
        setenv("OMP_NUM_THREADS", name, 1);
    } else if (!strchr("fdtiogs", option[1]) || option[2]) {
        return false;
    } else if (option[1] == 's') {
        put(&command.schedule, "%s%s", command.schedule.length ? "," : "", name);
    } else if (!value) {
        refuse((spot){a, strlen(a)}, "NAME:VALUE is expected");
    } else if (option[1] == 'f') {
        const char *order = strchr(value, ':');
        add_setting('f', (spot){print("%s=%s", tensor_name, taco_format(all, value, order ? order + 1 : NULL)), 0});
    } else if (option[1] == 't') {
        const char *type = value;
        for (size_t n = 0; n < sizeof types / sizeof *types; n++)
            if (same(types[n].name, value)) type = types[n].type;
        add_setting('t', (spot){print("%s=%s", tensor_name, type), 0});
    } else if (option[1] == 'g') {
        const char *made = same(value, "d") || same(value, "r")   ? "rand"
                           : same(value, "s") || same(value, "u") ? "rand:0.1"
                           : same(value, "h")                     ? "rand:0.001"
                           : same(value, "f")                     ? "rand:1,band=1"
                           : isdigit((unsigned char)*value)       ? print("rand:%s", value)
                                                                  : NULL;
        if (!made) refuse((spot){a, (size_t)(value - a)}, "made-up values are d, r, s, h, f or a density");
        add_setting('i', (spot){print("%s=%s", tensor_name, made), 0}), command.inputs = true;
    } else {
        add_setting(option[1], (spot){print(option[1] == 'd' ? "%s:%s" : "%s=%s", tensor_name, value), 0});
        if (option[1] == 'i') command.inputs = true;
        if (option[1] == 'o') make(RUN, a);
    }
    return true;
}

/* True for a list of names, A,B, which may follow --padded. */
static bool is_list_of_names(const char *s)
{
    for (const char *c = s; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != ',') return false;
    return isalpha((unsigned char)*s);
}

static void parse_arguments(int count, char **argument)
{
    for (int n = 1; n < count; n++) {
        const char *a = argument[n];
        if (a[0] != '-' || a[1] == '\0') {
            if (command.einsum.source) {
                if (command.names == MAX_OPERANDS) refuse((spot){a, 0}, "there are more operands than a kernel has");
                command.name[command.names++] = a;
                continue;
            }
            if (command.statements)
                refuse((spot){a, 0}, "the statements are given already; one argument holds them all, with ; between");
            command.statements = a;
            continue;
        }
        const struct option *o = find_option(a);
        if (o && o->letter == 'Q') {
            const bool names = n + 1 < count && is_list_of_names(argument[n + 1]);
            add_setting('Q', (spot){names ? argument[++n] : "", 0});
            continue;
        }
        if (o == NULL && take_taco_option(a)) continue;
        if (o == NULL) refuse((spot){a, 0}, "there is no such option; --help lists them");
        if (o->argument && ++n == count) refuse((spot){a, strlen(a)}, "something is expected after %s", a);
        take_option(o, o->argument ? argument[n] : NULL);
    }
    if (!command.mode && command.inputs && !command.write) command.what = RUN;
    if (command.einsum.source && command.statements)
        refuse(command.einsum, "the statements are given already; one argument holds them all, with ; between");
    if (command.einsum.source) command.statements = einsum_statement();
    use_schedules();
    if (command.lint && (command.statements || command.settings || (command.given & (command.given - 1))))
        refuse((spot){command.lint, 0}, "--lint FILE stands alone");
    if (command.statements == NULL && !command.lint)
        refuse(nowhere, "there is no statement, such as 'y(i) = A(i,j) * x(j)'; --help is the manual");
}

/* Refuses options that do not apply to the chosen mode, so that none is ignored silently. */
static void check_options(void)
{
    static const char *const modes[MODES] = {"kernel lines", "--main or --part", "--run",    "--explain",
                                             "--dot",        "--draw",           "--expand", "--search",
                                             "--advise",     "--sizes",          "--cost",   "--python"};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        text list = {0};
        if (!(command.given >> k & 1) || (options[k].with >> command.what & 1)) continue;
        for (unsigned m = 0; m < MODES; m++)
            if (options[k].with >> m & 1) put(&list, "%s%s", list.length ? ", " : "", modes[m]);
        refuse(nowhere, "%s goes with %s", options[k].name, list.at);
    }
}

/* For each name in NAME=..., calls `use` with the tensor and the position after the =. */
static void for_names(spot p, void (*use)(int tensor, spot value))
{
    const char *equals = strchr(p.source, '=');
    if (equals == NULL) refuse((spot){p.source, strlen(p.source)}, "NAME= is expected");
    const spot value = {p.source, (size_t)(equals - p.source) + 1};
    for (const char *c = p.source; c < equals;) {
        while (c < equals && (*c == ' ' || *c == ',')) c++;
        const char *start = c;
        while (c < equals && *c != ',' && *c != ' ') c++;
        if (start == c) continue;
        const char *name = copy_string(start, (size_t)(c - start));
        const int n = find_tensor(name);
        if (n < 0) refuse((spot){p.source, (size_t)(start - p.source)}, "there is no tensor %s in the statements", name);
        use(n, value);
    }
    if (equals == p.source) refuse(p, "the name of a tensor is expected");
}

/* For symmetric(csr), skew(csr) or hermitian(csr), returns csr, and sets *word to the word before it. For any other
   value, returns the value, and sets *word to null. */
static spot without_half(spot value, const char **word)
{
    static const char *const words[] = {"symmetric", "skew", "hermitian"};
    size_t at = value.at;
    *word = NULL;
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
        const size_t length = strlen(words[n]);
        if (strncmp(value.source + at, words[n], length) == 0 && value.source[at + length] == '(') *word = words[n];
    }
    if (!*word) return value;
    at += strlen(*word) + 1;
    const size_t end = strlen(value.source) - 1;
    if (value.source[end] != ')') refuse((spot){value.source, end + 1}, "%s( ends with ), and nothing follows", *word);
    return (spot){copy_string(value.source, end), at};
}

static void use_format(int n, spot value)
{
    tensor *t = tensor_at(n);
    if (t->rank == 0) refuse(value, "%s is a scalar and has no encoding", t->name);
    t->encoding = parse_encoding(without_half(value, &t->half), t->rank);
    t->has_encoding = true;
    if (!t->half) return;
    if (t->rank != 2) refuse(value, "%s(...) is a matrix, and %s has %u dimensions", t->half, t->name, t->rank);
    if (is_dense(&t->encoding)) refuse(value, "a dense matrix has room for both triangles: leave %s out", t->half);
    if (t->encoding.fill) refuse(value, "of a matrix that stores one triangle, what is not stored is 0");
}

/* Parses a value type. A type that --define added gets a number at its first use. */
static value_kind parse_kind(spot value)
{
    lexer x = {.source = value.source, .at = value.at};
    advance(&x);
    for (int k = USER; k < KINDS; k++)
        if (x.now.kind == NAME && !kinds[k].type && support.functions.at && has_word(support.functions.at, x.now.text)) {
            kinds[k].type = kinds[k].shorthand = x.now.text, kinds[k].suffix = print("_%s", x.now.text);
            break;
        } else if (kinds[k].type && x.now.kind == NAME && same(kinds[k].type, x.now.text)) {
            break;
        }
    for (int k = 0; k < KINDS; k++)
        if (x.now.kind == NAME && kinds[k].type &&
            (same(x.now.text, kinds[k].type) || same(x.now.text, kinds[k].shorthand))) {
            advance(&x);
            if (x.now.kind != END) refuse(x.now.place, "the type should end here, before %s", found(&x));
            return (value_kind)k;
        }
    refuse(x.now.place, "a type is double, float, bool, int8_t to uint64_t, f16, bf16, sparse_complex64, "
                        "sparse_complex128 or one of --define");
}

static void use_type(int n, spot value)
{
    tensor_at(n)->kind = parse_kind(value);
    tensor_at(n)->has_kind = true;
}

/* Refuses tensors that store one triangle if they are assigned, embedded or searched, or if their values do not suit the
   symmetry. */
static void check_halves(void)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *t = tensor_at(n);
        if (!t->half) continue;
        if (t->assigned) refuse(t->place, "%s stores one triangle, and only operands can", t->name);
        if (t->embedded) refuse(t->place, "--embed stores both triangles: leave %s out, or --embed", t->half);
        if (command.what == SEARCH || command.what == ADVISE)
            refuse(t->place, "--search and --advise are about matrices that store both triangles");
        if (same(t->half, "skew") && (is_unsigned(t->kind) || t->kind == BOOL))
            refuse(t->place, "the values of a skew-symmetric matrix have signs: say -t %s=TYPE", t->name);
        if (t->kind >= USER && !same(t->half, "symmetric"))
            refuse(t->place, "%s(...) has values of a type of numbers", t->half);
        if (program_options.check && is_complex(t->kind) && same(t->half, "hermitian")) support.complex = true;
    }
}

/* Checks that the values in encodings are values of the tensor's type, which a later option may have given. */
static void check_values(void)
{
    for (int n = 0; n < the.tensors; n++) {
        tensor *t = tensor_at(n);
        encoding *e = &t->encoding;
        const char *bad = e->constant && !is_value_of(t->kind, e->constant) ? e->constant
                          : e->fill && !is_value_of(t->kind, e->fill)       ? e->fill
                                                                            : NULL;
        if (bad) refuse(t->place, "%s is no value of type %s, which those of %s are", bad, kinds[t->kind].type, t->name);
        if (e->constant) e->constant = constant_of(t->kind, e->constant);
        if (e->fill) e->fill = constant_of(t->kind, e->fill);
    }
}

/* Applies B:4,3, as TACO has it: the sizes of a tensor, and of its plain indices. */
static void use_sizes_of(spot p, const char *numbers)
{
    const char *const name = copy_string(p.source, strcspn(p.source, ":"));
    const tensor *t = tensor_at(find_tensor(name));
    lexer x = {.source = p.source, .at = (size_t)(numbers - p.source)};
    advance(&x);
    for (unsigned d = 0; d < t->rank; d++) {
        const spot place = x.now.place;
        const unsigned long size = expect_number(&x, "a size", 1, 1000000000000000ul);
        if (t->windowed[d] || set_of(t->index[d])) {
            tensor_at(find_tensor(name))->told[d] = size;
            if (d + 1 < t->rank) expect(&x, ",", "between the sizes");
            continue;
        }
        unsigned long *const known = &alphabet.size[t->index[d] - 'A'];
        if (*known && *known != size) refuse(place, "the index %c has the size %lu already", t->index[d], *known);
        *known = size;
        if (d + 1 < t->rank) expect(&x, ",", "between the sizes");
    }
    if (x.now.kind != END) refuse(x.now.place, "%s has %u dimension%s", name, t->rank, t->rank == 1 ? "" : "s");
}

/* True for the sizes of a tensor, B:4,3, in contrast to those of indices, i=4,j=3 or i:4. */
static bool is_size_of_tensor(spot p)
{
    const char *const colon = strchr(p.source, ':');
    return colon && find_tensor(copy_string(p.source, (size_t)(colon - p.source))) >= 0;
}

static void use_sizes(spot p)
{
    const char *const colon = strchr(p.source, ':');
    lexer x = lex(colon ? print("%.*s=%s", (int)(colon - p.source), p.source, colon + 1) : p.source);
    do {
        const spot place = x.now.place;
        const char i = parse_index(&x);
        expect(&x, "=", "after the index");
        const bool is_ranged = alphabet.ranged & letter_bit(i);
        const unsigned long ranged = alphabet.size[i - 'A'];
        alphabet.size[i - 'A'] = expect_number(&x, "a size", 1, 1000000000000000ul);
        if (is_ranged && ranged != alphabet.size[i - 'A']) refuse(place, "the range of %c has %lu places", i, ranged);
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, "i=SIZE, ... is expected");
}

static void use_order(spot p)
{
    lexer x = lex(p.source);
    unsigned n = 0;
    memset(loop_options.order, 0, sizeof loop_options.order);
    do {
        const spot place = x.now.place;
        const char i = parse_index(&x);
        if (memchr(loop_options.order, i, n)) refuse(place, "the loop is named twice");
        if (n == MAX_LOOPS) refuse(place, "a kernel has at most %d loops", MAX_LOOPS);
        loop_options.order[n++] = i;
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, "i,j,... is expected");
    loop_options.order_place = p;
}

static void use_strategy(spot p)
{
    static const struct strategy {
        const char *name;
        letters *loops;
    } strategies[] = {{"parallel", &loop_options.parallel},
                      {"simd", &loop_options.simd},
                      {"unroll", &loop_options.unroll},
                      {"prefetch", &loop_options.prefetch},
                      {"tile", &loop_options.tile},
                      {"where", &loop_options.where},
                      {"let", &loop_options.let}};
    static const char sentence[] =
        "a strategy is parallel(i), simd(j), unroll(k), prefetch(k), tile(j,64), where(k) or let(j)";
    lexer x = lex(p.source);
    do {
        letters *loops = NULL;
        for (size_t n = 0; n < sizeof strategies / sizeof *strategies; n++)
            if (is_word(&x, strategies[n].name)) loops = strategies[n].loops;
        if (!loops) refuse(x.now.place, sentence);
        advance(&x);
        expect(&x, "(", "after the strategy");
        const char i = parse_index(&x);
        *loops |= letter_bit(i);
        if (loops == &loop_options.tile) {
            expect(&x, ",", "before the size of a tile");
            loop_options.tile_size[i - 'a'] = expect_number(&x, "the size of a tile", 1, 65536);
        }
        expect(&x, ")", "after the index");
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, sentence);
    loop_options.place = p;
}

static void use_input(int n, spot value)
{
    if (tensor_options.ins == MAX_INPUTS) refuse(value, "there are more than %d inputs", MAX_INPUTS);
    tensor_options.in[tensor_options.ins++] = (input){tensor_at(n)->name, value.source + value.at, value};
}

static void use_embedded(int n, spot value)
{
    tensor *t = tensor_at(n);
    if (t->rank == 0 || t->assigned) refuse((spot){value.source, 0}, "%s is not a tensor that is read", t->name);
    if (access(value.source + value.at, R_OK) != 0)
        refuse(value, "%s cannot be read: %s", value.source + value.at, strerror(errno));
    t->embedded = value.source + value.at;
}

static void use_read_as(int n, spot value)
{
#define SPACED(name, extensions, mark, tell, read, write) " " extensions
    static const char formats[] = "" SPARSE_FILE_FORMATS(SPACED);
    const char *const word = value.source + value.at;
    if (!format_of_extension(print(".%s", word))) refuse(value, "%s is no format of files; these are:%s", word, formats);
    tensor_at(n)->read_as = word;
    tensor_at(n)->read_as_place = value;
}

static void use_output(int n, spot value)
{
    if (tensor_options.outs == MAX_INPUTS) refuse(value, "there are more than %d outputs", MAX_INPUTS);
    if (!tensor_at(n)->assigned) refuse((spot){value.source, 0}, "%s is not an output", tensor_at(n)->name);
    tensor_options.out[tensor_options.outs++] = (input){tensor_at(n)->name, value.source + value.at, value};
}

static void use_picture(int n, spot value)
{
    if (tensor_options.draws == MAX_INPUTS) refuse(value, "there are more than %d tensors to draw", MAX_INPUTS);
    if (tensor_at(n)->rank == 0) refuse((spot){value.source, 0}, "%s is a scalar, which has no storage", tensor_at(n)->name);
    tensor_options.drawn[tensor_options.draws++] = (input){tensor_at(n)->name, value.source + value.at, value};
}

/* The number of parameters in the list that begins here; -1 if it cannot be determined. */
static int parameters_in(const char *open)
{
    const size_t length = strcspn(open + 1, "()");
    const char *list = copy_string(open + 1, length), *first = list + strspn(list, " ");
    int count = 1;
    if (open[1 + length] != ')' || strstr(list, "...")) return -1;
    for (const char *c = list; *c; c++) count += *c == ',';
    if (strncmp(first, "void", 4) == 0) first += 4 + strspn(first + 4, " ");
    return *first ? count : 0;
}

/* Adds a type or function to the program. In a part, another part may have it already. */
static void add_definition(const char *code)
{
    const unsigned long long key = hash(UINT64_C(14695981039346656037), code);
    if (program_options.part) put(&support.functions, "#ifndef SPARSE_GEN_%016llx\n#define SPARSE_GEN_%016llx\n", key, key);
    put(&support.functions, "%s\n", code);
    if (program_options.part) put(&support.functions, "#endif\n");
}

/* Finds the name and the number of parameters of a function in "double f(double x) { ... }". */
static void use_definition(spot p)
{
    if (strncmp(p.source, "typedef ", 8) == 0) {
        add_definition(p.source);
        return;
    }
    const char *open = strchr(p.source, '('), *end = open;
    if (open == NULL || strchr(p.source, '{') == NULL)
        refuse(p, "a function is expected, such as double f(double x) { return x * x; }");
    while (end > p.source && isspace((unsigned char)end[-1])) end--;
    const char *start = end;
    while (start > p.source && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
    if (start == end) refuse(p, "the function has no name");
    if (support.function_count == MAX_INPUTS) refuse(p, "there are more than %d functions", MAX_INPUTS);
    const char *name = copy_string(start, (size_t)(end - start));
    const spot place = {p.source, (size_t)(start - p.source)};
    if (is_defined_by_user(name)) refuse(place, "%s is defined twice", name);
    if (is_taken(name)) refuse(place, "\"%s\" cannot be the name of a function: it has a meaning already", name);
    support.defined[support.function_count++] = (struct definition){name, parameters_in(open)};
    const char *definition = p.source; /* the user may have declared it static inline already */
    for (bool more = true; more;) {
        while (isspace((unsigned char)*definition)) definition++;
        const size_t length = strcspn(definition, " \t\n");
        more =
            (length == 6 && strncmp(definition, "static", 6) == 0) || (length == 6 && strncmp(definition, "inline", 6) == 0);
        if (more) definition += length;
    }
    add_definition(print("static inline %s", definition));
}

static void use_name(spot p)
{
    for (const char *c = p.source; *c || c == p.source; c++)
        if (!isalpha((unsigned char)*c) && *c != '_' && (c == p.source || !isdigit((unsigned char)*c)))
            refuse((spot){p.source, (size_t)(c - p.source)}, "a name in C is expected");
    if (is_reserved(p.source) || is_library(p.source) || (p.source[0] && !p.source[1]))
        refuse(p, "\"%s\" cannot be the name of the function", p.source);
    the.name = p.source;
}

static void use_semiring(spot p)
{
    the.semiring = NULL;
    for (size_t n = 0; n < sizeof semirings / sizeof *semirings; n++)
        if (same(semirings[n].name, p.source)) the.semiring = &semirings[n];
    if (the.semiring == NULL && !same(p.source, "plus-times"))
        refuse(p, "a semiring is plus-times, min-plus, max-plus, max-min, min-max or or-and");
}

static bool has_name(spot p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p.source[n]) || p.source[n] == '_' || p.source[n] == ',') n++;
    return p.source[n] == '=';
}

/* Applies the options that are needed to parse the statements. */
static void apply_early_options(void)
{
    put(&tensor_options.told, ",");
    for (int n = 0; n < command.settings; n++) {
        const spot p = command.setting[n].value;
        switch (command.setting[n].option) {
        case 'D':
            use_definition(p);
            break;
        case 'n':
            use_name(p);
            break;
        case 'f':
        case 't':
        case 'i':
            if (has_name(p)) put(&tensor_options.told, "%.*s,", (int)strcspn(p.source, "="), p.source);
            break;
        default:
            break;
        }
    }
}

/* Applies --padded, which is allowed for tensors with subscripts such as i + p. */
static void use_padding(const char *names)
{
    bool any = false;
    for (int n = 0; n < the.tensors; n++) any = any || tensor_at(n)->window.source;
    if (!*names && !any) refuse(nowhere, "--padded goes with a tensor that has subscripts such as i+p");
    for (int n = 0; n < the.tensors && !*names; n++)
        if (tensor_at(n)->window.source && !tensor_at(n)->assigned) tensor_at(n)->padded = true;
    for (lexer x = lex(names); x.now.kind != END; accept(&x, ",")) {
        const int n = x.now.kind == NAME ? find_tensor(x.now.text) : -1;
        if (n < 0) refuse(x.now.place, "a tensor of the statements is expected, not %s", found(&x));
        if (!tensor_at(n)->window.source || (tensor_at(n)->assigned && !has_parts(n)))
            refuse(x.now.place, "%s has no subscripts such as i+p, and needs no padding", tensor_at(n)->name);
        tensor_at(n)->padded = true;
        advance(&x);
    }
}

static void use_kind_of_all(spot p)
{
    const value_kind k = parse_kind(p);
    for (int n = 0; n < the.tensors; n++)
        if (!tensor_at(n)->has_kind) tensor_at(n)->kind = k;
}

/* Applies the options about tensors. */
static void apply_options(void)
{
    /* the sizes of indices first: those of tensors have to agree with them, in whatever order the options are */
    for (int n = 0; n < command.settings; n++)
        if (command.setting[n].option == 'd' && !is_size_of_tensor(command.setting[n].value))
            use_sizes(command.setting[n].value);
    for (int n = 0; n < command.settings; n++) {
        const spot p = command.setting[n].value;
        switch (command.setting[n].option) {
        case 'f':
            for_names(p, use_format);
            break;
        case 't':
            if (strchr(p.source, '='))
                for_names(p, use_type);
            else
                use_kind_of_all(p);
            break;
        case 'd':
            if (is_size_of_tensor(p)) use_sizes_of(p, strchr(p.source, ':') + 1);
            break;
        case 'l':
            use_order(p);
            break;
        case 's':
            use_strategy(p);
            break;
        case 'T':
            program_options.times = whole_number(p, "the number of runs", 1000000);
            break;
        case 'L':
            command.limit = whole_number(p, "the limit in seconds", 1000000000);
            break;
        case 'Y':
            command.tries = whole_number(p, "the number of candidates that are run", 100000);
            break;
        case 'R':
            use_semiring(p);
            break;
        case 'i':
            if (has_name(p) && !is_recipe(p.source)) {
                for_names(p, use_input);
            } else {
                if (tensor_options.ins == MAX_INPUTS) refuse(p, "there are more than %d inputs", MAX_INPUTS);
                tensor_options.in[tensor_options.ins++] = (input){NULL, p.source, p};
            }
            break;
        case 'o':
            for_names(p, use_output);
            break;
        case 'W':
            for_names(p, use_picture);
            break;
        case 'Q':
            use_padding(p.source);
            break;
        case 'E':
            for_names(p, use_embedded);
            break;
        case 'U':
            for_names(p, use_read_as);
            break;
        case 'p':
            if (find_tensor(p.source) < 0) refuse(p, "there is no tensor %s in the statements", p.source);
            if (tensor_options.prints == MAX_INPUTS) refuse(p, "there are more than %d tensors to print", MAX_INPUTS);
            tensor_options.printed[tensor_options.prints++] = p.source;
            break;
        default:
            break;
        }
    }
    for (char i = 'a'; i <= 'z'; i++)
        if (set_of(i) && !tensor_at(find_tensor(set_of(i)))->has_kind) tensor_at(find_tensor(set_of(i)))->kind = U32;
    for (int n = 0; n < the.tensors; n++) {
        tensor *t = tensor_at(n);
        if (!t->has_encoding) t->encoding = dense_encoding(t->rank);
        /* scalars and constants have no array, so they are stored in the type of the computation */
        if (t->rank == 0 || t->encoding.constant) t->kind = computed(t->kind);
        if (t->encoding.constant && t->kind == BOOL) t->kind = U8;
    }
    if (the.name == NULL && the.derived_from)
        the.name = print("derive_%s", tensor_at(the.statement[the.derived_from - 1].output)->name);
    if (the.name == NULL) the.name = print("compute_%s", tensor_at(the.statement[the.statements - 1].output)->name);
    if (find_tensor(the.name) >= 0)
        refuse(tensor_at(find_tensor(the.name))->place, "%s is also the name of the function", the.name);
    if (is_defined_by_user(the.name)) refuse(nowhere, "%s is a function of --define: say --name NAME", the.name);
    the.prefix = program_options.part ? print("%s_", the.name) : "";
}

/* The command line as one would type it, made safe for a comment. */
static const char *command_line(int count, char **argument)
{
    text t = {0};
    put(&t, "sparse_gen");
    for (int n = 1; n < count; n++) {
        const bool plain = strspn(argument[n], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=,.:/_+-") ==
                           strlen(argument[n]);
        put(&t, " %s", plain ? argument[n] : shell_quoted(argument[n]));
    }
    for (char *c = t.at; *c; c++) {
        if (*c == '\n') *c = ' ';
        if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*')) c[0] = ' ';
    }
    return t.at;
}

/* Prints a text, or writes it to a file: first under another name, which is then renamed. A device, a pipe or a link is
   written to directly, because the renamed file would take its place. */
static void deliver(const text *t)
{
    if (command.write == NULL) {
        if ((t->length && fwrite(t->at, 1, t->length, stdout) != t->length) || fflush(stdout))
            refuse(nowhere, "the output cannot be written: %s", strerror(errno));
        return;
    }
    struct stat s;
    const bool direct = lstat(command.write, &s) == 0 && !S_ISREG(s.st_mode);
    const char *draft = direct ? command.write : print("%s.%ld", command.write, (long)getpid());
    if (!write_file(draft, t) || (!direct && rename(draft, command.write) != 0)) {
        const int error = errno;
        if (!direct) unlink(draft);
        refuse((spot){command.write, 0}, "the file cannot be written: %s", strerror(error));
    }
}

/* Returns the contents of a file; null if it cannot be read. */
static char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    text t = {0};
    char bytes[4096];
    if (!file) return NULL;
    put(&t, "%s", "");
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, file)) > 0;) put(&t, "%.*s", (int)length, bytes);
    fclose(file);
    return t.at;
}

/* >>lint

   Warns about kernel lines of a C file that compile but probably do not do what was meant. The file is read as text. */

enum { LINT_PIECES = 64, LINT_OPERANDS = 24, LINT_SETS = 6 };

typedef struct lint_operand {
    const char *name, *type;
    const char *index[MAX_RANK]; /* the text of its subscripts */
    unsigned count;
    const encoding *stored; /* null: its type is unknown, or it is a scalar */
    bool lists;             /* does it append all entries in order of arrival? */
} lint_operand;

/* A node of the tree of operands: all, any, none, where, or an operand. */
typedef struct lint_tree {
    char kind; /* 'l': all, 'y': any, 'n': none, 'o': an operand, 'w': where, 0: a scalar */
    int operand;
    unsigned count;
    const struct lint_tree *child[LINT_PIECES];
} lint_tree;

typedef struct lint_line {
    const char *path, *name, *statement;
    unsigned line;
    const char *loop[LINT_PIECES];                      /* the index of each loop; "" for a let(), */
    const char *found[LINT_PIECES], *from[LINT_PIECES]; /* whose name is found[], and whose expression is from[] */
    unsigned loops;
    const char *shared;                  /* the index of a loop parallel_sum(), or "" */
    lint_operand operand[LINT_OPERANDS]; /* the outputs come first */
    unsigned operands, outputs;
    bool assembles; /* does the line assemble its outputs? */
    const lint_tree *tree;
} lint_line;

static unsigned lint_warnings;

static void lint_warn(const lint_line *l, const char *sentence, ...) PRINTF(2, 3);
static void lint_warn(const lint_line *l, const char *sentence, ...)
{
    va_list list;
    text said = {0};
    va_start(list, sentence);
    put_list(&said, sentence, list);
    va_end(list);
    printf("%s:%u: %s: %s\n", l->path, l->line, l->name, said.at);
    lint_warnings++;
}

/* Returns the text without spaces at its ends. */
static const char *trimmed(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from)) from++;
    while (to > from && isspace((unsigned char)to[-1])) to--;
    return copy_string(from, (size_t)(to - from));
}

/* The matching closing parenthesis; null if there is none. */
static const char *closing_of(const char *open)
{
    unsigned depth = 0;
    for (; *open; open++) {
        depth += *open == '(' || *open == '{' || *open == '[';
        if ((*open == ')' || *open == '}' || *open == ']') && --depth == 0) return open;
    }
    return NULL;
}

/* Splits a list at the commas outside of parentheses. Returns the number of parts. */
static unsigned pieces_of(const char *list, const char *part[LINT_PIECES])
{
    unsigned count = 0, depth = 0;
    const char *start = list;
    for (const char *c = list;; c++) {
        depth += *c == '(' || *c == '{' || *c == '[';
        depth -= *c == ')' || *c == '}' || *c == ']';
        if (*c && (*c != ',' || depth)) continue;
        if (count < LINT_PIECES) part[count++] = trimmed(start, c);
        if (!*c) return count;
        start = c + 1;
    }
}

static const char *identifier_at(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
    return copy_string(s, n);
}

/* The text between the parentheses of all(...), for the word all; null if the text is anything else. */
static const char *list_after(const char *s, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(s, word, length) != 0) return NULL;
    const char *open = s + length;
    while (isspace((unsigned char)*open)) open++;
    const char *close = *open == '(' ? closing_of(open) : NULL;
    return close && !close[1] ? trimmed(open + 1, close) : NULL;
}

/* Blanks out comments and strings. The number of lines stays the same. */
static char *without_comments(char *source)
{
    for (char *c = source; *c; c++) {
        const bool comment = c[0] == '/' && c[1] == '*', line = c[0] == '/' && c[1] == '/';
        char *end = comment ? strstr(c + 2, "*/") : line ? c + strcspn(c, "\n") : NULL;
        if (*c == '"' && c[1] && (c == source || c[-1] != '\''))
            for (end = c + 1; *end && *end != '"' && *end != '\n'; end++) end += *end == '\\' && end[1];
        if (comment) end = end ? end + 2 : c + strlen(c);
        if (*c == '"' && end && *end == '"') end++;
        for (; end && c + 1 < end; c++)
            if (*c != '\n') *c = ' ';
        if (end && end > c && *c != '\n') *c = ' ';
    }
    return source;
}

/* The storage types that files define, such as CSR: csr, SPARSE_CSR, double, 32, 32. */
static struct lint_type {
    const char *name;
    encoding encoding;
    bool lists;
} lint_types[MAX_INPUTS];
static unsigned lint_type_count;

/* Parses an encoding: the macro of a named one, or a list of levels. */
static bool lint_encoding(const char *written, encoding *e)
{
    const char *const macro = identifier_at(written);
    for (size_t k = 0; macro[0] && k < NAMED_ENCODINGS; k++) {
        const unsigned long two[MAX_SIZES] = {2, 2};
        if (!same(identifier_at(named_encodings[k].macro), macro)) continue;
        *e = encoding_of(&named_encodings[k], two);
        return true;
    }
    if (strncmp(written, "((", 2) != 0) return false;
    *e = make_encoding("d", in_order);
    const char *const sparse[] = {"compressed", "loose_compressed", "singleton", "structured",
                                  "packed",     "bitmap",           "bitmask",   "delta"};
    for (size_t n = 0; n < sizeof sparse / sizeof *sparse; n++)
        if (has_word(written, sparse[n])) *e = make_encoding("c", in_order);
    return true;
}

/* Records a storage type from its definition, if that is a descriptor. */
static void lint_define(const char *name, const char *meaning)
{
    const char *part[LINT_PIECES];
    struct lint_type t = {.name = name, .lists = strstr(meaning, "nonunique") && strstr(meaning, "nonordered")};
    if (pieces_of(meaning, part) != 5 || !lint_encoding(part[1], &t.encoding) || lint_type_count == MAX_INPUTS) return;
    lint_types[lint_type_count++] = t;
}

/* Reads the definitions of types. Blanks out their lines, because macro definitions are not checked. */
static void lint_definitions(char *source)
{
    for (char *at = source; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char *c = at;
        while (*c == ' ' || *c == '\t') c++;
        if (*c != '#') continue;
        char *end = c + strcspn(c, "\n");
        while (*end && end[-1] == '\\') end += 1 + strcspn(end + 1, "\n");
        for (char *s = c; s + 1 < end; s++)
            if (s[0] == '\\' && s[1] == '\n') *s = ' ';
        const char *words = c + 1 + strspn(c + 1, " \t");
        if (strncmp(words, "define ", 7) == 0) {
            const char *name = words + 7 + strspn(words + 7, " \t");
            const char *known = identifier_at(name);
            lint_define(known, trimmed(name + strlen(known), end));
        }
        for (char *s = c; s < end; s++)
            if (*s != '\n') *s = ' ';
    }
}

/* Adds the operand (A, CSR, i, k), possibly inside of slice(...) or current(...). Returns its number; -1 if it is none. */
static int lint_operand_of(lint_line *l, const char *written)
{
    static const char *const forms[] = {"", "padded", "slice", "update", "symmetric", "skew", "hermitian"};
    const char *part[LINT_PIECES], *list = NULL;
    for (size_t f = 0; !list && f < sizeof forms / sizeof *forms; f++) list = list_after(written, forms[f]);
    unsigned count = list ? pieces_of(list, part) : 0;
    if (!list && (list = list_after(written, "current")) != NULL) { /* current(z, x, VEC, j) reads like (z, VEC, j) */
        count = pieces_of(list, part);
        if (count > 2) memmove(&part[1], &part[2], (--count - 1) * sizeof *part);
    }
    if (count < 2 || l->operands == LINT_OPERANDS) return -1;
    lint_operand *o = &l->operand[l->operands];
    *o = (lint_operand){.name = part[0], .type = part[1]};
    for (unsigned n = 2; n < count && o->count < MAX_RANK; n++) o->index[o->count++] = part[n];
    for (unsigned n = 0; n < lint_type_count; n++)
        if (same(lint_types[n].name, o->type)) o->stored = &lint_types[n].encoding, o->lists = lint_types[n].lists;
    return (int)l->operands++;
}

static void lint_check(lint_line *l);

/* Checks where((w, TYPE, j), (loops), operands, statement) like a line of its own. */
static void lint_where(const lint_line *around, const char *list);

/* Reads the tree of operands, and adds the operands to the line. */
static const lint_tree *lint_tree_of(lint_line *l, const char *written)
{
    static const struct {
        const char *word;
        char kind;
    } kinds_of_trees[] = {{"all", 'l'}, {"any", 'y'}, {"none", 'n'}};
    lint_tree *t = take(sizeof *t);
    const char *part[LINT_PIECES], *inner = list_after(written, "where");
    for (size_t k = 0; k < 3; k++) {
        const char *list = list_after(written, kinds_of_trees[k].word);
        if (!list) continue;
        t->kind = kinds_of_trees[k].kind;
        const unsigned count = pieces_of(list, part);
        for (unsigned n = 0; n < count; n++) t->child[t->count++] = lint_tree_of(l, part[n]);
        return t;
    }
    if (inner) {
        const unsigned count = pieces_of(inner, part);
        if (count) (void)lint_operand_of(l, part[0]);
        t->kind = 'w';
        lint_where(l, inner);
        return t;
    }
    t->operand = lint_operand_of(l, written);
    t->kind = t->operand >= 0 && l->operand[t->operand].count ? 'o' : 0;
    return t;
}

/* The index of a loop: i for i, parallel(i), floordiv(i, 2) and range(i, 3); empty for let(u, ...), which has no loop. */
static const char *lint_index(const char *written)
{
    while (strchr(written, '(')) {
        const char *word = identifier_at(written);
        if (same(word, "let") || same(word, "minus")) return "";
        written = strchr(written, '(') + 1;
        while (isspace((unsigned char)*written)) written++;
    }
    return identifier_at(written);
}

/* Reads the outputs: one or a list, each possibly inside of from, like or update. */
static void lint_outputs(lint_line *l, const char *written)
{
    const char *part[LINT_PIECES], *inner;
    l->assembles = true;
    if ((inner = list_after(written, "from")) || (inner = list_after(written, "like"))) {
        const char *comma = inner + strcspn(inner, ",");
        l->assembles = l->assembles && written[0] == 'f';
        written = print("(%s)", *comma ? trimmed(comma + 1, inner + strlen(inner)) : "");
    } else if (list_after(written, "update")) {
        l->assembles = false;
    }
    const char *list = list_after(written, "");
    if (list && list[0] == '(' && strchr(list, ',')) {
        const unsigned count = pieces_of(list, part);
        for (unsigned n = 0; n < count; n++) (void)lint_operand_of(l, part[n]);
    } else {
        (void)lint_operand_of(l, written);
    }
    l->outputs = l->operands;
}

/* Reads a line from its parts after the name: loops, outputs, operands, statement. */
static bool lint_read(lint_line *l, const char *const *part, unsigned count)
{
    const char *each[LINT_PIECES], *loops = count >= 4 ? list_after(part[0], "") : NULL;
    if (!loops) return false;
    const unsigned loop_count = pieces_of(loops, each);
    l->shared = "";
    for (unsigned n = 0; n < loop_count; n++) {
        const char *let = list_after(each[n], "let");
        l->found[n] = let ? identifier_at(let) : "";
        l->from[n] = let ? let : "";
        l->loop[l->loops++] = lint_index(each[n]);
        if (list_after(each[n], "parallel_sum")) l->shared = lint_index(each[n]);
    }
    lint_outputs(l, part[1]);
    l->tree = lint_tree_of(l, part[2]);
    text rest = {0};
    for (unsigned n = 3; n < count; n++) put(&rest, "%s%s", n > 3 ? ", " : "", part[n]);
    l->statement = rest.at;
    return l->outputs > 0;
}

static void lint_where(const lint_line *around, const char *list)
{
    const char *part[LINT_PIECES], *ordered[LINT_PIECES];
    const unsigned count = pieces_of(list, part);
    lint_line l = {.path = around->path, .name = around->name, .line = around->line};
    if (count < 4) return;
    memcpy(ordered, part, count * sizeof *part);
    ordered[0] = part[1], ordered[1] = part[0];
    if (lint_read(&l, ordered, count)) lint_check(&l);
}

/* True if an operand has an index in a subscript. */
static bool lint_has_index(const lint_operand *o, const char *index)
{
    for (unsigned n = 0; n < o->count; n++)
        if (has_word(o->index[n], index)) return true;
    return false;
}

/* True if an output writes different elements in different iterations of a loop: it has the index, or an index that
   let(u, e) computes from it. */
static bool lint_tells(const lint_line *l, const lint_operand *y, const char *index, unsigned depth)
{
    if (lint_has_index(y, index)) return true;
    for (unsigned n = 0; depth && n < l->loops; n++)
        if (*l->found[n] && has_word(l->from[n], index) && lint_tells(l, y, l->found[n], depth - 1)) return true;
    return false;
}

static bool lint_is_sparse(const lint_operand *o) { return o->stored && !is_dense(o->stored); }

/* One assignment of a statement: condition, name, sign and value; `rest` follows it. */
typedef struct lint_assignment {
    const char *condition, *name, *sign, *value;
    bool otherwise; /* does an else follow? */
} lint_assignment;

/* Reads the next assignment of a statement at *at, and moves *at behind it. Returns false at the end. */
static bool lint_next(const char **at, lint_assignment *a)
{
    const char *c = *at + strspn(*at, " \n\t;{}");
    *a = (lint_assignment){.condition = ""};
    if (!*c) return false;
    if (same(identifier_at(c), "else")) c += 4 + strspn(c + 4, " \n\t{");
    if (same(identifier_at(c), "if")) {
        const char *open = c + 2 + strspn(c + 2, " \n\t"), *close = *open == '(' ? closing_of(open) : NULL;
        if (!close) return false;
        a->condition = trimmed(open + 1, close);
        c = close + 1 + strspn(close + 1, " \n\t{");
    }
    const char *end = c + strcspn(c, ";"), *after = *end ? end + 1 + strspn(end + 1, " \n\t}") : end;
    a->name = identifier_at(c);
    c += strlen(a->name) + strspn(c + strlen(a->name), " \n\t");
    const size_t length = strspn(c, "+-*/|&^=");
    a->sign = copy_string(c, length);
    a->value = trimmed(c + length, end);
    a->otherwise = same(identifier_at(after), "else");
    *at = *end ? end + 1 : end;
    return true;
}

/* True if a value depends on a loop's index, directly or through an operand. */
static bool lint_depends(const lint_line *l, const char *value, const char *index)
{
    if (has_word(value, index)) return true;
    for (unsigned o = l->outputs; o < l->operands; o++)
        if (has_word(value, l->operand[o].name) && lint_has_index(&l->operand[o], index)) return true;
    return false;
}

/* Warns about y = A * x if y lacks an index of the loops: only the last value is kept. */
static void lint_last_terms(const lint_line *l)
{
    lint_assignment a;
    for (const char *at = l->statement; lint_next(&at, &a);)
        for (unsigned o = 0; o < l->outputs; o++) {
            const lint_operand *y = &l->operand[o];
            if (!same(y->name, a.name) || !same(a.sign, "=") || y->lists) continue;
            if (has_word(a.value, y->name) || has_word(a.condition, y->name)) continue;
            for (unsigned n = 0; n < l->loops; n++) {
                const char *i = l->loop[n];
                if (!*i || lint_tells(l, y, i, MAX_RANK) || has_word(a.condition, i) || !lint_depends(l, a.value, i))
                    continue;
                lint_warn(l, "%s = ... keeps only the last %s, as %s has no index %s; += adds up", y->name, i, y->name, i);
                break;
            }
        }
}

/* True if the statement reads an output other than to add to it. */
static bool lint_reads_output(const lint_line *l, const lint_assignment *a)
{
    for (unsigned o = 0; o < l->outputs; o++)
        if (has_word(a->value, l->operand[o].name) || has_word(a->condition, l->operand[o].name)) return true;
    return false;
}

/* Warns about s = fmax(s, A) under parallel_sum(i): each thread starts at 0, and the results of the threads are added. */
static void lint_shares(const lint_line *l)
{
    lint_assignment a;
    if (!*l->shared) return;
    for (const char *at = l->statement; lint_next(&at, &a);)
        for (unsigned o = 0; o < l->outputs; o++)
            if (same(l->operand[o].name, a.name) && (!is_in(" += -= ++ -- ", a.sign) || lint_reads_output(l, &a))) {
                lint_warn(
                    l,
                    "parallel_sum(%s) adds up what shares of the loop leave in %s, which is no sum here: use %s += ..., "
                    "or no parallel_sum",
                    l->shared, a.name, a.name);
                return;
            }
}

/* Warns about if (x) C = ... for a sparse C: where x is false, a 0 is stored. */
static void lint_stored_zeros(const lint_line *l)
{
    lint_assignment a;
    for (const char *at = l->statement; lint_next(&at, &a);)
        for (unsigned o = 0; o < l->outputs; o++) {
            const lint_operand *y = &l->operand[o];
            if (!l->assembles || !lint_is_sparse(y) || !same(y->name, a.name) || !*a.condition || a.otherwise) continue;
            if (has_word(a.condition, y->name) || has_word(l->statement, print("has_%s", y->name)) ||
                has_word(l->statement, "continue"))
                continue;
            lint_warn(l, "where (%s) is false, %s stores a 0: add \"else has_%s = false\"", a.condition, y->name, y->name);
        }
}

/* The value of a C expression for given values of the operands. */
typedef struct lint_value {
    const lint_line *line;
    const char *at;
    unsigned absent; /* the operands without an entry */
    bool unknown;    /* does it contain anything unknown? */
} lint_value;

static double lint_choice(lint_value *v);

/* If the sign comes next, moves behind it and returns true. Does not accept the < of <=, nor a single & or |. */
static bool lint_accept(lint_value *v, const char *sign)
{
    v->at += strspn(v->at, " \n\t");
    const size_t length = strlen(sign);
    const char next = v->at[0] ? v->at[length] : '\0';
    if (strncmp(v->at, sign, length) != 0 || (length == 1 && strchr("<>!", *sign) && next == '=')) return false;
    if ((*sign == '&' || *sign == '|') && length == 1) return false;
    v->at += length;
    return true;
}

/* The value of a name: 0 for an operand without an entry, else some number. */
static double lint_name(lint_value *v, const char *name)
{
    double value = 0.5372;
    for (const char *c = name; *c; c++) value = fmod(value * 1.618 + 0.01 * (unsigned char)*c, 1) + 0.1;
    for (unsigned o = v->line->outputs; o < v->line->operands; o++)
        if (same(v->line->operand[o].name, name)) return v->absent >> o & 1 ? 0 : value;
    if (strncmp(name, "has_", 4) == 0) v->unknown = true;
    return value;
}

static double lint_call(lint_value *v, const char *name)
{
    const size_t length = strlen(name);
    const function *f = find_function(name);
    double argument[2] = {0, 0};
    unsigned count = 0;
    if (!f && length > 1 && name[length - 1] == 'f') f = find_function(copy_string(name, length - 1));
    do {
        const double next = lint_choice(v);
        if (count < 2) argument[count] = next;
        count++;
    } while (lint_accept(v, ","));
    if (!lint_accept(v, ")") || !f || count != (f->one ? 1 : 2)) {
        v->unknown = true;
        return 0;
    }
    return f->one ? f->one(argument[0]) : f->two(argument[0], argument[1]);
}

static double lint_factor(lint_value *v)
{
    if (lint_accept(v, "-")) return -lint_factor(v);
    if (lint_accept(v, "!")) return !(lint_factor(v) != 0);
    if (lint_accept(v, "(")) {
        const char *word = identifier_at(v->at + strspn(v->at, " "));
        const bool cast =
            is_in(" double float bool int long size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t ",
                  word) &&
            v->at[strspn(v->at, " ") + strlen(word)] == ')';
        if (cast) v->at += strspn(v->at, " ") + strlen(word);
        const double inside = cast ? 0 : lint_choice(v);
        if (!lint_accept(v, ")")) v->unknown = true;
        return cast ? lint_factor(v) : inside;
    }
    v->at += strspn(v->at, " \n\t");
    if (isdigit((unsigned char)*v->at) || *v->at == '.') {
        char *end;
        const double value = strtod(v->at, &end);
        v->at = end + strspn(end, "fFuUlL");
        return value;
    }
    const char *name = identifier_at(v->at);
    v->at += strlen(name);
    if (!*name || lint_accept(v, "[") || lint_accept(v, ".") || lint_accept(v, "->")) v->unknown = true;
    if (v->unknown) return 0;
    return lint_accept(v, "(") ? lint_call(v, name) : lint_name(v, name);
}

static double lint_product(lint_value *v)
{
    double value = lint_factor(v);
    for (;;)
        if (lint_accept(v, "*"))
            value *= lint_factor(v);
        else if (lint_accept(v, "/"))
            value /= lint_factor(v);
        else if (lint_accept(v, "%"))
            value = fmod(value, lint_factor(v));
        else
            return value;
}

static double lint_sum(lint_value *v)
{
    double value = lint_product(v);
    for (;;)
        if (lint_accept(v, "+"))
            value += lint_product(v);
        else if (lint_accept(v, "-"))
            value -= lint_product(v);
        else
            return value;
}

static double lint_relation(lint_value *v)
{
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    const double left = lint_sum(v);
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++)
        if (lint_accept(v, signs[s])) {
            const double right = lint_sum(v);
            const bool equal = !(left < right) && !(left > right);
            return s == 0   ? left <= right
                   : s == 1 ? left >= right
                   : s == 2 ? equal
                   : s == 3 ? !equal
                   : s == 4 ? left < right
                            : left > right;
        }
    return left;
}

static double lint_choice(lint_value *v)
{
    double value = lint_relation(v);
    for (;;)
        if (lint_accept(v, "&&")) {
            const double other = lint_relation(v);
            value = value != 0 && other != 0;
        } else if (lint_accept(v, "||")) {
            const double other = lint_relation(v);
            value = value != 0 || other != 0;
        } else
            break;
    if (!lint_accept(v, "?")) return value;
    const double yes = lint_choice(v);
    if (!lint_accept(v, ":")) v->unknown = true;
    const double no = lint_choice(v);
    return value != 0 ? yes : no;
}

/* True if the loops visit coordinates at which exactly these operands have no entry. */
static bool lint_visits(const lint_line *l, const lint_tree *t, unsigned absent)
{
    if (t->kind == 'o') return !(absent >> t->operand & 1);
    if (t->kind == 'w' || !t->kind) return true;
    bool every = true, some = false;
    for (unsigned n = 0; n < t->count; n++) {
        const bool visits = lint_visits(l, t->child[n], absent);
        if (t->kind == 'y' && !t->child[n]->kind) continue; /* a scalar adds no coordinates */
        every = every && visits, some = some || visits;
    }
    return t->kind == 'l' ? every : t->kind == 'y' ? some : !some;
}

/* The sparse operands in a value, as a set, at most LINT_SETS of them. */
static unsigned lint_sparse_in(const lint_line *l, const char *value)
{
    unsigned set = 0;
    for (unsigned o = l->outputs; o < l->operands; o++)
        if (lint_is_sparse(&l->operand[o]) && has_word(value, l->operand[o].name) && bits_of(set) < LINT_SETS)
            set |= 1u << o;
    return set;
}

/* Warns about y = A + 1 if the loops visit only entries of A: elsewhere the value would not be 0. */
static void lint_unvisited(const lint_line *l)
{
    lint_assignment a;
    for (const char *at = l->statement; lint_next(&at, &a);) {
        bool output = false;
        for (unsigned o = 0; o < l->outputs; o++) output = output || same(l->operand[o].name, a.name);
        if (!output || has_word(l->statement, print("has_%s", a.name)) || *a.condition || !is_in(" = += -= ", a.sign) ||
            has_word(a.value, a.name))
            continue;
        const unsigned sparse = lint_sparse_in(l, a.value);
        for (unsigned absent = sparse; absent; absent = (absent - 1) & sparse) {
            lint_value v = {.line = l, .at = a.value, .absent = absent};
            const double value = lint_choice(&v);
            v.at += strspn(v.at, " \n\t");
            if (v.unknown || *v.at || !(fabs(value) > 0) || lint_visits(l, l->tree, absent)) continue;
            text names = {0};
            for (unsigned o = 0; o < l->operands; o++)
                if (absent >> o & 1) put(&names, "%s%s", names.length ? " and " : "", l->operand[o].name);
            lint_warn(l, "%s is not 0 where %s %s not stored, and these positions are not visited", a.value, names.at,
                      bits_of(absent) > 1 ? "are" : "is");
            break;
        }
    }
}

/* The number of the loop over an index; -1 if there is none. */
static int lint_loop(const lint_line *l, const char *index)
{
    for (unsigned n = 0; n < l->loops; n++)
        if (same(l->loop[n], index)) return (int)n;
    return -1;
}

/* An index that operand o has and p has not, in a loop outside of loop n; null if there is none. */
static const char *lint_own_index(const lint_line *l, const lint_operand *o, const lint_operand *p, int n)
{
    for (unsigned d = 0; d < o->count; d++) {
        const int at = lint_loop(l, o->index[d]);
        if (at >= 0 && at < n && !lint_has_index(p, o->index[d])) return o->index[d];
    }
    return NULL;
}

/* True if a sparse operand or an updated output restricts the pairs of two indices. */
static bool lint_pairs(const lint_line *l, const char *i, const char *j)
{
    for (unsigned o = l->assembles ? l->outputs : 0; o < l->operands; o++)
        if (lint_is_sparse(&l->operand[o]) && lint_has_index(&l->operand[o], i) && lint_has_index(&l->operand[o], j))
            return true;
    return false;
}

/* Warns about C += A * B over (i, j, k) if only A has i and only B has j: every row of A is then merged with every row of
   B. */
static void lint_merges(const lint_line *l)
{
    const int last = (int)l->loops - 1;
    if (!l->tree || l->tree->kind != 'l') return;
    for (unsigned o = l->outputs; o < l->operands; o++)
        for (unsigned p = o + 1; p < l->operands; p++) {
            const lint_operand *a = &l->operand[o], *b = &l->operand[p];
            if (!lint_is_sparse(a) || !lint_is_sparse(b) || last < 0 || !*l->loop[last]) continue;
            const char *k = l->loop[last], *i = lint_own_index(l, a, b, last), *j = lint_own_index(l, b, a, last);
            if (!lint_has_index(a, k) || !lint_has_index(b, k) || !i || !j || lint_pairs(l, i, j)) continue;
            const bool first = lint_loop(l, i) < lint_loop(l, j);
            lint_warn(l,
                      "every %s of %s is merged with every %s of %s: store %s by %s first (sparse_convert), and write the "
                      "loops (%s, %s, %s)",
                      i, a->name, j, b->name, first ? b->name : a->name, k, first ? i : j, k, first ? j : i);
        }
}

static void lint_check(lint_line *l)
{
    lint_last_terms(l);
    lint_shares(l);
    lint_stored_zeros(l);
    lint_unvisited(l);
    lint_merges(l);
}

/* Reads the types of headers that a file includes with "...", except the kit's own. */
static void lint_headers(const char *path, const char *source, unsigned depth)
{
    for (const char *at = source; depth && (at = strstr(at, "#include")) != NULL; at++) {
        const char *open = at + 8 + strspn(at + 8, " \t");
        const char *close = *open == '"' ? strchr(open + 1, '"') : NULL;
        if (!close) continue;
        const char *name = copy_string(open + 1, (size_t)(close - open - 1));
        const char *header = print("%s/%s", directory_of(path), name);
        char *inside = strncmp(name, "sparse", 6) == 0 ? NULL : file_text(header);
        if (!inside) continue;
        lint_headers(header, inside, depth - 1);
        lint_definitions(without_comments(inside));
    }
}

/* Prints warnings about the kernel lines of a C file, as file:line: kernel: sentence. Returns 1 if there are any. */
static int run_lint(const char *path)
{
    static const char word[] = "SPARSE_KERNEL";
    char *source = file_text(path);
    unsigned lines = 0;
    if (!source) refuse(nowhere, "%s cannot be read: %s", path, strerror(errno));
    lint_headers(path, source, 3);
    lint_definitions(without_comments(source));
    for (const char *at = source, *next; (next = strstr(at, word)) != NULL; at = next + 1) {
        const char *open = next + strlen(word) + strspn(next + strlen(word), " \n\t"),
                   *close = *open == '(' ? closing_of(open) : NULL;
        const char *part[LINT_PIECES];
        lint_line l = {.path = path, .line = 1};
        if (!close || (next > source && (isalnum((unsigned char)next[-1]) || next[-1] == '_'))) continue;
        for (const char *c = source; c < next; c++) l.line += *c == '\n';
        const unsigned count = pieces_of(trimmed(open + 1, close), part);
        l.name = part[0];
        if (count < 5 || !lint_read(&l, part + 1, count - 1)) continue;
        lint_check(&l);
        lines++;
    }
    if (!lines) refuse(nowhere, "%s has no kernel line", path);
    return lint_warnings > 0;
}

/* >>search

   Searches encodings for the named tensors, loop orders, and strategies (Bik et al. 2022, 5.2). Candidates are all dense and
   compressed levels in all orders, coordinate lists, and the blocks, diagonals and slices that suit the data. Widths of
   positions and coordinates are 32 bits, or as narrow as the input allows. The bytes that each candidate would read are
   predicted from the pattern of the input. The most promising candidates are compiled, run, checked and timed. */

enum { MAX_CANDIDATES = 8192, TRIED = 10, PREDICTED = 200 };
/* rows in a block of diagonals: the parts of x and y fit the first cache, and each diagonal has enough values to be
   prefetched */
enum { DIAGONAL_ROWS = 512 };
/* rows and columns in a block of a grid: the part of a vector that a block reads fits the second cache */
enum { GRID = 65536 };

typedef struct candidate {
    const char *formats; /* for example "A=csr B=coo" */
    const char *way;     /* for example "i,j simd(j)" */
    const char *loops;   /* for example "i,j" */
    const char *options;
    double bytes, cost;                 /* predicted: bytes read, iterations of the loops */
    double seconds;                     /* negative: not measured */
    const char *status;                 /* right, wrong, refused, ... */
    const char *reason;                 /* why it was refused */
    const encoding *encoding[MAX_RANK]; /* the encodings of the searched tensors */
} candidate;

static struct {
    candidate at[MAX_CANDIDATES];
    unsigned count;
    bool threads;        /* does the compiler support OpenMP? */
    const char *pattern; /* the output of --sizes for the inputs */
    int tensor[MAX_RANK], tensors;
    const encoding *encoding[MAX_RANK]; /* the encodings of the current candidates */
} search;

/* Makes the next permutation of a string in alphabetical order; returns false after the last. */
static bool next_permutation(char *s)
{
    const size_t n = strlen(s);
    size_t a = n, b = n;
    while (a > 1 && s[a - 2] >= s[a - 1]) a--;
    if (a <= 1) return false;
    while (s[b - 1] <= s[a - 2]) b--;
    char swap = s[a - 2];
    s[a - 2] = s[b - 1], s[b - 1] = swap;
    for (size_t l = a - 1, r = n - 1; l < r; l++, r--) swap = s[l], s[l] = s[r], s[r] = swap;
    return true;
}

/* A number in the output of --sizes for a tensor. "distinct", " 3:" is the number of distinct coordinates for the key 3.
   Returns 0 if there is none. */
static double pattern_of(const tensor *t, const char *what, const char *key)
{
    const char *line = strstr(search.pattern, print("\n%s: %s", t->name, what));
    const char *end = line ? strchr(line + 1, '\n') : NULL, *at = line ? strstr(line, key) : NULL;
    return at && end && at < end ? strtod(at + strlen(key), NULL) : 0;
}

/* The size of dimension d in the output of --sizes; 0 if it is not there. */
static double size_of_dim(const tensor *t, unsigned d)
{
    const char *line = strstr(search.pattern, print("\n%s: ", t->name)), *at = line ? strstr(line, "sizes") : NULL;
    double n = 0;
    char *end = (char *)(uintptr_t)(at ? at + 5 : "");
    for (unsigned k = 0; at && k <= d; k++) n = strtod(end, &end);
    return n;
}

static double entries_of(const tensor *t)
{
    const char *line = strstr(search.pattern, print("\n%s: ", t->name));
    return line ? strtod(line + strlen(t->name) + 3, NULL) : 0;
}

static bool has_diagonals(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].part == MINUS) return true;
    return false;
}

/* The number of coordinates of a level. */
static double size_of_level(const tensor *t, const level *v)
{
    const double size = size_of_dim(t, v->dim);
    return v->part == FLOORDIV                  ? ceil(size / (double)v->size)
           : v->part == MOD || v->part == COUNT ? (double)v->size
           : v->part == MINUS                   ? size + size_of_dim(t, v->other)
                                                : size;
}

/* True if a dense vector is read at an index. */
static bool has_vector_at(const node *n, char i)
{
    if (is_access(n) && n->index[0] == i && !n->index[1] && !is_sparse(n->tensor)) return true;
    for (unsigned k = 0; k < n->count; k++)
        if (has_vector_at(n->term[k].node, i)) return true;
    return false;
}

/* True if a dense vector at the index of this dimension is too large for the second cache. */
static bool is_scattered(const tensor *t, unsigned d)
{
    for (int s = 0; s < the.statements && size_of_dim(t, d) > HELD; s++) {
        const statement *a = &the.statement[s];
        if (has_vector_at(a->value, t->index[d]) || (!is_sparse(a->output) && a->index[0] == t->index[d] && !a->index[1]))
            return true;
    }
    return false;
}

/* The bytes of vectors that entries access at random, beyond the second cache. A quarter of a line of eight values is
   counted for each access, because several accesses are in flight at once. In a grid, blocks keep their vectors in the
   cache, but each part of a row reads and writes an element of the result. Calibrated with y = A x of 3e5 to 1e7 rows,
   where the faster of CSR and the grid must win. */
static double scattered_bytes(const tensor *t, const encoding *e)
{
    const level *last = &e->level[e->levels - 1];
    if (t->rank != 2 || is_dense(e) || has_diagonals(e) || !is_scattered(t, last->dim)) return 0;
    const bool grid = last->part == MOD && last->size == GRID;
    return 16 * pattern_of(t, "distinct", grid ? "parts65536:" : print(" lines%u:", last->dim + 1));
}

/* The bytes that are read of a tensor in an encoding, and of vectors accessed at random. Diagonals longer than the cache
   also read and write one element of the vectors for each value. */
static double predicted_bytes(const tensor *t, const encoding *e)
{
    const double entries = entries_of(t), pos = e->pos / 8.0, crd = e->crd / 8.0;
    double places = 1, bytes = scattered_bytes(t, e), beside = 0;
    unsigned set = 0;
    for (unsigned l = 0; l < e->levels; l++) {
        const level *v = &e->level[l];
        double size = size_of_level(t, v), stored;
        const bool in_blocks = v->part == MINUS && l > 0 && v[1].part == MOD;
        if (v->part == MINUS && !in_blocks) {
            size = pattern_of(t, "distinct", "diagonals:");
            if (size_of_dim(t, v[1].dim) > CACHED) beside = 2;
        }
        if (v->part == WHOLE) set |= 1u << v->dim;
        const unsigned traits = sparse_p_traits(v->format);
        if (traits & SPARSE_TRAIT_LINEAR) {
            places *= size;
            if (traits & SPARSE_TRAIT_BITS) bytes += places / 8;
            continue;
        }
        stored = traits & SPARSE_TRAIT_COUNTS ? places * v->n
                 : v->part == FLOORDIV        ? pattern_of(t, "distinct", print(" blocks%lu:", v->size))
                 : in_blocks                  ? pattern_of(t, "distinct", print(" diagonals%lu:", v[1].size))
                 : v->part == MINUS           ? size
                                              : pattern_of(t, "distinct", print(" %u:", set));
        if (stored <= 0 || v->properties & NONUNIQUE || traits & SPARSE_TRAIT_SHARED || (l && e->level[0].part == COUNT))
            stored = entries;
        const bool forward = traits & SPARSE_TRAIT_FORWARD && traits & SPARSE_TRAIT_PACKED;
        if (traits & SPARSE_TRAIT_POS) bytes += (places + 1) * pos;
        /* gaps between evenly spread coordinates */
        if (forward) stored /= 1 - exp(-ldexp(1, (int)v->n) * stored / fmax(places * size, 1));
        const unsigned bits = forward ? v->n : sparse_p_index_bits(v->m);
        if (traits & SPARSE_TRAIT_MASK)
            bytes += places * size / 8;
        else
            bytes += stored * (traits & SPARSE_TRAIT_PACKED && bits <= e->crd ? crd / floor(e->crd / bits) : crd);
        places = stored;
    }
    const double value = kinds[t->kind].type[0] == 'd' ? 8 : is_complex(t->kind) ? 16 : 4;
    return bytes + places * value * (e->constant ? beside : 1 + beside);
}

typedef struct choices {
    unsigned count;
    const char *name[2048], *text[2048];
    double bytes[2048];
    encoding encoding[2048];
} choices;

/* Adds an encoding to the choices for a tensor, with the bytes that loops will read, unless it is there already. */
static void add_choice(choices *c, const tensor *t, encoding e)
{
    text spelled = {0};
    if (c->count == sizeof c->name / sizeof *c->name) return;
    const unsigned pos = e.pos, crd = e.crd;
    e.pos = e.crd = 32;
    if (e.macro == NULL) name_encoding(&e);
    const char *plain = e.name;
    if (pos != 32 || crd != 32) e.name = print("%s_%u_%u", e.name, pos, crd);
    e.pos = pos, e.crd = crd;
    for (unsigned n = 0; n < c->count; n++)
        if (same(c->name[n], e.name)) return;
    if (e.macro)
        put(&spelled, "%s", plain);
    else
        put_encoding(&spelled, &e);
    if (e.pos != 32 || e.crd != 32) put(&spelled, ", posWidth=%u, crdWidth=%u", e.pos, e.crd);
    c->name[c->count] = e.name;
    c->bytes[c->count] = predicted_bytes(t, &e);
    c->encoding[c->count] = e;
    c->text[c->count++] = spelled.at;
}

/* The smallest of the widths 8, 16, 32 and 64 bits that holds a number. */
static unsigned narrowest(double most)
{
    unsigned bits = 8;
    while (bits < 64 && most >= ldexp(1, (int)bits)) bits *= 2;
    return bits;
}

/* Adds an encoding with 32 bits. If it stores positions or coordinates, also adds it as narrow as the input allows. */
static void add_choices(choices *c, const tensor *t, encoding e)
{
    double largest = 0;
    for (unsigned l = 0; l < e.levels; l++)
        if (sparse_p_traits(e.level[l].format) & SPARSE_TRAIT_CRD) largest = fmax(largest, size_of_level(t, &e.level[l]));
    const unsigned pos = narrowest(entries_of(t)), crd = narrowest(largest - 1);
    add_choice(c, t, e);
    if (is_dense(&e)) return;
    e.pos = pos, e.crd = crd;
    add_choice(c, t, e);
    e.pos = 32, e.crd = crd;
    if (pos > 16) add_choice(c, t, e);
}

static encoding named_encoding(const char *name, unsigned rank)
{
    lexer x = lex(name);
    return parse_named(&x, rank);
}

/* Lists the encodings to try. Blocks, diagonals and slices are tried if they are at least half full; a grid if it has
   more entries than blocks. */
static void list_encodings(choices *c, const tensor *t)
{
    char order[MAX_RANK + 1] = {0};
    const unsigned rank = t->rank;
    const double entries = entries_of(t), longest = pattern_of(t, "distinct", "longest:");
    memcpy(order, in_order, rank);
    do {
        for (unsigned kinds_of_levels = 0; kinds_of_levels < 1u << rank; kinds_of_levels++) {
            char formats[MAX_RANK + 1] = {0};
            for (unsigned l = 0; l < rank; l++) formats[l] = "dc"[kinds_of_levels >> l & 1];
            add_choices(c, t, make_encoding(formats, order));
        }
    } while (rank <= 4 && next_permutation(order));
    if (rank > 1) add_choices(c, t, named_encoding("coo", rank));
    if (rank != 2) return;
    for (unsigned b = 2; b <= 8; b++)
        if (2 * entries >= pattern_of(t, "distinct", print(" blocks%u:", b)) * b * b)
            add_choices(c, t, named_encoding(print("bsr%ux%u", b, b), 2));
    if (2 * entries >= pattern_of(t, "distinct", "diagonals:") * size_of_dim(t, 0))
        add_choices(c, t, named_encoding("dia", 2));
    if (2 * entries >= pattern_of(t, "distinct", print(" diagonals%d:", DIAGONAL_ROWS)) * DIAGONAL_ROWS)
        add_choices(c, t, named_encoding(print("dia%d", DIAGONAL_ROWS), 2));
    if (is_scattered(t, 1) && entries > ceil(size_of_dim(t, 0) / GRID) * ceil(size_of_dim(t, 1) / GRID))
        add_choices(c, t, named_encoding(print("csb%d", GRID), 2));
    if (longest > 0 && longest < 65536 && 2 * entries >= longest * size_of_dim(t, 0))
        add_choices(c, t, named_encoding(print("ell%.0f", longest), 2));
    if (pattern_of(t, "distinct", "fours:") <= 2 && 4 * entries >= size_of_dim(t, 0) * size_of_dim(t, 1))
        add_choices(c, t, named_encoding("n2of4", 2)), add_choices(c, t, named_encoding("packed2of4", 2));
}

/* Adds one candidate: an order of the loops, and a strategy or none. */
static void add_candidate(const char *formats, const char *settings, double bytes, const char *loops, const char *strategy)
{
    if (search.count == MAX_CANDIDATES) return;
    const char *way = *strategy && *loops ? print("%s %s", loops, strategy) : *loops ? loops : strategy;
    const char *option = *strategy ? print(" -s '%s'", strategy) : "", *order = *loops ? print(" -l %s", loops) : "";
    candidate *c = &search.at[search.count++];
    *c = (candidate){formats, way, loops, print("%s%s%s", settings, order, option), bytes, 0, -1, "not tried", NULL, {NULL}};
    memcpy(c->encoding, search.encoding, sizeof c->encoding);
}

/* The indices of the result that can be computed from stored entries: each is in a sum with indices that are not in the
   result. */
static letters findable(const node *n, letters result)
{
    letters set = 0;
    for (unsigned d = 0; is_access(n) && n->subscript && d < tensor_at(n->tensor)->rank; d++) {
        const subscript *s = &n->subscript[d];
        const letters found = letters_of(s->index) & result;
        if (s->count > 1 && bits_of(found) == 1) set |= found;
    }
    for (unsigned k = 0; k < n->count; k++) set |= findable(n->term[k].node, result);
    return set;
}

/* Adds candidates that visit stored entries in the cheapest order: with one computed index, or with all that are
   possible, without and with prefetching. */
static void add_found_candidates(const char *formats, const char *settings, double bytes)
{
    letters set = 0;
    text all = {0};
    for (int s = 0; s < the.statements; s++)
        if (!the.statement[s].left) set |= findable(the.statement[s].value, letters_of(the.statement[s].index));
    for (char i = 'a'; i <= 'z'; i++) {
        if (!(set & letter_bit(i))) continue;
        put(&all, "%slet(%c)", all.length ? "," : "", i);
        add_candidate(formats, settings, bytes, "", print("let(%c)", i));
        add_candidate(formats, settings, bytes, "", print("let(%c),prefetch(%c)", i, i));
    }
    if (bits_of(set) < 2) return;
    add_candidate(formats, settings, bytes, "", all.at);
    for (char i = 'a'; i <= 'z'; i++)
        if (set & letter_bit(i)) add_candidate(formats, settings, bytes, "", print("%s,prefetch(%c)", all.at, i));
}

/* The indices of all results. */
static letters letters_of_results(void)
{
    letters set = 0;
    for (int s = 0; s < the.statements; s++) set |= letters_of(the.statement[s].index);
    return set;
}

/* Adds all orders of the loops if there are few. Each is tried plain; with the innermost loop vectorised or tiled; with
   the outermost parallel; with the loop around the innermost unrolled; and with summed loops prefetched or summed into a
   workspace. */
static void add_candidates(const char *formats, const char *settings, double bytes, const char *index)
{
    char order[27];
    const letters outside = letters_of_results(); /* the indices that are not summed */
    if (command.what == SEARCH) add_found_candidates(formats, settings, bytes);
    strcpy(order, index);
    do {
        text loops = {0};
        for (const char *i = order; *i; i++) put(&loops, i == order ? "%c" : ",%c", *i);
        const size_t count = strlen(order);
        const char last = order[count - 1], *const before = count > 2 ? order + count - 2 : "";
        add_candidate(formats, settings, bytes, loops.at, "");
        if (command.what == ADVISE) continue; /* the pattern does not predict strategies */
        add_candidate(formats, settings, bytes, loops.at, print("simd(%c)", last));
        if (search.threads) add_candidate(formats, settings, bytes, loops.at, print("parallel(%c)", order[0]));
        if (*before) add_candidate(formats, settings, bytes, loops.at, print("unroll(%c)", *before));
        if (*before) add_candidate(formats, settings, bytes, loops.at, print("tile(%c,64)", last));
        for (const char *i = order; *i; i++) {
            if (outside & letter_bit(*i)) continue;
            add_candidate(formats, settings, bytes, loops.at, print("prefetch(%c)", *i));
            if (i > order && i[1] && count > 2) add_candidate(formats, settings, bytes, loops.at, print("where(%c)", *i));
        }
    } while (strlen(index) <= 4 && next_permutation(order));
}

/* Adds a candidate for every combination of encodings of the first `count` tensors. `formats` and `settings` describe
   the encodings chosen so far, and `bytes` is their sum. */
static void combine(const int *tensors, int count, const char *formats, const char *settings, double bytes,
                    const char *index)
{
    if (count == 0) {
        add_candidates(formats, settings, bytes, index);
        return;
    }
    choices *c = take(sizeof *c);
    const tensor *a = tensor_at(*tensors);
    list_encodings(c, a);
    for (unsigned n = 0; n < c->count; n++) {
        search.encoding[search.tensors - count] = &c->encoding[n];
        combine(tensors + 1, count - 1, print("%s%s%s=%s", formats, *formats ? " " : "", a->name, c->name[n]),
                print("%s -f %s", settings, shell_word(print("%s=%s", a->name, c->text[n]))), bytes + c->bytes[n], index);
    }
}

/* Shows progress on a terminal, in a line that the next output overwrites. */
static void show_progress(const char *what)
{
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\033[K%s\r", what);
}

/* Runs --sizes for the inputs. The searched tensors are read as coordinate lists, which can hold any pattern. */
static const char *measured_pattern(const int *tensors, int count, const char *base)
{
    text t = {0}, said = {0};
    put(&t, "%s", base);
    for (int n = 0; n < count; n++)
        put(&t, " -f '%s=%s, posWidth=64, crdWidth=64'", tensor_at(tensors[n])->name,
            tensor_at(tensors[n])->rank > 1 ? "coo" : "sparse");
    put(&said, "\n");
    show_progress("reading the inputs ...");
    if (run_command_into(print("%s --sizes", t.at), &said) != 0) exit(2);
    show_progress("");
    return said.at;
}

/* Parses the names of the searched tensors, measures their patterns, and lists all candidates. */
static void list_candidates(const char *base)
{
    lexer x = lex(command.searched.source);
    do {
        const int n = x.now.kind == NAME ? find_tensor(x.now.text) : -1;
        if (n < 0 || tensor_at(n)->rank == 0 || search.tensors == MAX_RANK)
            refuse(x.now.place, "a tensor of the statements is expected, not %s", found(&x));
        search.tensor[search.tensors++] = n;
        advance(&x);
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, "names of tensors are expected, with commas between");
    const letters used = letters_of_statements();
    text index = {0};
    for (char i = 'a'; i <= 'z'; i++)
        if ((used & letter_bit(i)) && !set_of(i)) put(&index, "%c", i);
    if (index.length == 0) refuse(nowhere, "there is nothing to search: the statements have no index");
    search.threads = command.what == SEARCH && links("omp.h", "omp_get_max_threads() < 1", " -fopenmp", "");
    if (!search.threads && command.what == SEARCH)
        fputs("the compiler has no -fopenmp: no loop is run in parallel\n", stderr);
    search.pattern = measured_pattern(search.tensor, search.tensors, base);
    combine(search.tensor, search.tensors, "", "", 0, index.at);
}

/* A hash of everything that determines the results of a search: statements and options, contents of the input files,
   compiler, flags and headers. */
static uint64_t search_key(const char *base, const char *program)
{
    const char *flags = getenv("CFLAGS"), *version = output_of_command(print("%s --version", compiler()));
    text t = {0};
    put(&t, "%s%s%s", base, version ? version : "", search.threads ? "" : " no threads");
    uint64_t key = key_of_source(&t, find_headers(program), flags ? flags : "");
    for (int n = 0; n < tensor_options.ins; n++)
        if (!is_recipe(tensor_options.in[n].value)) key = hash_file(key, tensor_options.in[n].value);
    return key;
}

/* Reads the results of an earlier, identical search from the CSV file, so that they need no new measurement. */
static void read_results(uint64_t key)
{
    FILE *f = command.csv ? fopen(command.csv, "r") : NULL;
    char line[4096], formats[256], way[128], status[64];
    double seconds;
    if (f && (!fgets(line, sizeof line, f) || !same(line, print("# search %016llx\n", (unsigned long long)key)))) {
        fprintf(stderr, "%s is of another search, compiler or input: it is begun anew\n", command.csv);
        fclose(f);
        return;
    }
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "\"%255[^\"]\",\"%127[^\"]\",%lf,%63[^,\n]", formats, way, &seconds, status) == 4)
            for (unsigned n = 0; n < search.count; n++)
                if (same(search.at[n].formats, formats) && same(search.at[n].way, way) && !same(status, "refused")) {
                    search.at[n].seconds = seconds;
                    search.at[n].status = copy_string(status, strlen(status));
                }
    if (f) fclose(f);
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The sentence of an error message, without the name of the program. */
static const char *first_line(const char *said)
{
    const char *at = strstr(said, "sparse_gen: ");
    at = at ? at + strlen("sparse_gen: ") : said;
    return copy_string(at, strcspn(at, "\n"));
}

/* Runs this program to learn whether it accepts a candidate, and its predicted iterations. A candidate with a strategy is
   skipped if the same loops without it were refused. */
static void predict(candidate *c, const char *base)
{
    text said = {0};
    for (const candidate *b = search.at; b < c; b++)
        if (same(b->status, "refused") && b->formats == c->formats && same(b->way, c->loops)) {
            c->status = "refused", c->reason = b->reason;
            return;
        }
    put(&said, "%s", "");
    const int status = run_command_into(print("%s%s --strict --cost 2>&1", base, c->options), &said);
    if (status != 0) c->status = "refused", c->reason = first_line(said.at);
    c->cost = status == 0 ? strtod(said.at, NULL) : 0;
}

static int compare_bytes(const void *a, const void *b)
{
    const double x = ((const candidate *)a)->bytes, y = ((const candidate *)b)->bytes;
    return (x > y) - (x < y);
}

/* Predicts the candidates that read the fewest bytes. */
static void predict_candidates(const char *base, unsigned most)
{
    qsort(search.at, search.count, sizeof *search.at, compare_bytes);
    for (unsigned n = 0; n < search.count && n < most; n++) {
        show_progress(print("predicting %u of %u ...", n + 1, search.count < most ? search.count : most));
        if (same(search.at[n].status, "not tried")) predict(&search.at[n], base);
    }
    show_progress("");
}

/* The index of a candidate's innermost loop. For diagonals the storage determines it. Returns 0 if no order was
   requested, or for blocks, lists and slices, whose loops follow the storage. */
static char innermost_index(const candidate *c)
{
    const size_t loops = strlen(c->loops);
    char last = loops ? c->loops[loops - 1] : '\0';
    for (int n = 0; n < search.tensors && last; n++) {
        const encoding *e = c->encoding[n];
        const char *const index = tensor_at(search.tensor[n])->index;
        if (strchr(index, last) && !is_plain(e)) last = has_diagonals(e) ? index[e->level[e->levels - 1].dim] : '\0';
    }
    return last;
}

/* The bytes that loops touch besides: about one value per iteration. An iteration that adds to the result in memory takes
   a fifth longer than one that adds to a sum in a register, as measured with y = A x by rows and by columns. Among
   equals, a candidate without a strategy is preferred. */
static double score_of(const candidate *c)
{
    double factor = 1;
    for (unsigned n = 0; n < search.count; n++)
        if (search.at[n].formats == c->formats && search.at[n].cost > 0) factor = fmax(factor, c->cost / search.at[n].cost);
    const char i = innermost_index(c);
    const bool adds = i && (letters_of_results() & letter_bit(i));
    return c->bytes * factor * (adds ? 1.2 : 1) * (strstr(c->way, " ") ? 1.001 : 1);
}

/* Runs this program for one candidate and stores the result. */
static void try_candidate(candidate *c, const char *base)
{
    text said = {0};
    put(&said, "%s", "");
    const int status = run_command_into(print("%s%s --strict --run --check 2>&1", base, c->options), &said);
    const char *time = strstr(said.at, "compute: ");
    c->status = "refused";
    c->seconds = status == 0 && time ? strtod(time + strlen("compute: "), NULL) : -1;
    if (status == 0 && time) c->status = "right";
    if (status == 1) c->status = strstr(said.at, "width") || strstr(said.at, "more coordinates") ? "does not fit" : "wrong";
    if (status != 0 && strstr(said.at, "the compiler")) c->status = "does not compile";
    if (status != 0) c->reason = first_line(said.at);
}

/* Writes the results so far to the CSV file, with the key under which a later search finds them. */
static void write_results(uint64_t key)
{
    text t = {0};
    put(&t, "# search %016llx\nformats,loops,seconds,status,bytes,reason\n", (unsigned long long)key);
    for (unsigned n = 0; n < search.count; n++)
        if (!same(search.at[n].status, "not tried"))
            put(&t, "\"%s\",\"%s\",%.6g,%s,%.0f,\"%s\"\n", search.at[n].formats, search.at[n].way, search.at[n].seconds,
                search.at[n].status, search.at[n].bytes, search.at[n].reason ? search.at[n].reason : "");
    if (command.csv && !write_file(command.csv, &t))
        refuse((spot){command.csv, 0}, "the file cannot be written: %s", strerror(errno));
}

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if ((x->seconds < 0) != (y->seconds < 0)) return x->seconds < 0 ? 1 : -1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Prints each reason for which candidates were refused, once. */
static void tell_refusals(void)
{
    for (unsigned n = 0; n < search.count; n++) {
        const char *reason = search.at[n].reason;
        unsigned count = 0;
        bool told = reason == NULL;
        for (unsigned m = 0; reason && m < search.count; m++) {
            const bool equal = search.at[m].reason && same(search.at[m].reason, reason);
            told = told || (equal && m < n);
            count += equal;
        }
        if (!told)
            fprintf(stderr, "%s: %u, such as %s %s: %s\n", search.at[n].status, count, search.at[n].formats,
                    search.at[n].way, reason);
    }
}

static const char *spell_time(double seconds)
{
    return seconds < 1e-3 ? print("%.3g us", seconds * 1e6)
           : seconds < 1  ? print("%.3g ms", seconds * 1e3)
                          : print("%.3g s", seconds);
}

/* Draws one cell, darker for slower candidates, or grey with the reason of the refusal. */
static void draw_cell(text *t, const candidate *c, unsigned x, unsigned y, double least, double most)
{
    const double heat = c->seconds > 0 && most > least ? log(c->seconds / least) / log(most / least) : 0;
    const bool measured = c->seconds >= 0, best = measured && c->seconds <= least;
    const char *what = measured ? spell_time(c->seconds) : same(c->status, "not tried") ? "-" : c->status;
    put(t, "<g><title>%s</title>",
        xml(c->reason                      ? c->reason
            : same(c->status, "not tried") ? "predicted to be slower"
                                           : what));
    put(t, "<rect x=\"%u\" y=\"%u\" width=\"104\" height=\"22\" class=\"%s\"%s/>", x, y,
        measured ? best ? "slow best" : "slow" : "none",
        measured ? print(" fill-opacity=\"%d%%\"%s", (int)(8 + 92 * heat), best ? " stroke-width=\"2.5\"" : "") : "");
    put(t, "<text x=\"%u\" y=\"%u\"%s%s>%s%s</text></g>\n", x + 6, y + 15, heat > 0.7 ? " class=\"light\"" : "",
        best ? " font-weight=\"bold\"" : "", best ? "best: " : "", xml(what));
}

/* Draws a heat map of the results: a row for each choice of formats, a column for each order and strategy. */
static text draw_results(void)
{
    text t = {0};
    const char *row[MAX_CANDIDATES], *column[MAX_CANDIDATES];
    unsigned rows = 0, columns = 0;
    size_t widest = 10, longest = 14;
    double least = (double)INFINITY, most = 0;
    for (unsigned n = 0; n < search.count; n++) {
        const candidate *c = &search.at[n];
        unsigned r = 0, k = 0;
        if (c->seconds < 0) continue;
        least = fmin(least, c->seconds), most = fmax(most, c->seconds);
        while (r < rows && !same(row[r], c->formats)) r++;
        while (k < columns && !same(column[k], c->way)) k++;
        if (r == rows) row[rows++] = c->formats;
        if (k == columns) column[columns++] = c->way;
    }
    for (unsigned r = 0; r < rows; r++) widest = strlen(row[r]) > widest ? strlen(row[r]) : widest;
    for (unsigned k = 0; k < columns; k++) longest = strlen(column[k]) > longest ? strlen(column[k]) : longest;
    const char *title = the.statement[0].text ? the.statement[0].text : command.statements;
    const unsigned left = 24 + 8 * (unsigned)widest, apart = 7 * (unsigned)longest + 12, least_width = left + 540;
    const unsigned width = left + apart * columns > least_width ? left + apart * columns : least_width;
    open_picture(&t, width > 9 * strlen(title) + 16 ? width : 9 * (unsigned)strlen(title) + 16, 110 + 26 * rows);
    put(&t, "<text x=\"8\" y=\"20\" font-size=\"14\">%s</text>\n", xml(title));
    put(&t, "<text x=\"8\" y=\"40\">time of one call, median of the runs; rows: encodings, columns: "
            "loops</text>\n");
    for (unsigned k = 0; k < columns; k++) put(&t, "<text x=\"%u\" y=\"64\">%s</text>\n", left + apart * k, xml(column[k]));
    for (unsigned r = 0; r < rows; r++) put(&t, "<text x=\"8\" y=\"%u\">%s</text>\n", 87 + 26 * r, xml(row[r]));
    for (unsigned r = 0; r < rows; r++)
        for (unsigned k = 0; k < columns; k++)
            for (unsigned n = 0; n < search.count; n++)
                if (same(search.at[n].formats, row[r]) && same(search.at[n].way, column[k]))
                    draw_cell(&t, &search.at[n], left + apart * k, 72 + 26 * r, least, most);
    for (unsigned k = 0; k < 20 && rows; k++)
        put(&t, "<rect x=\"%u\" y=\"%u\" width=\"8\" height=\"12\" class=\"slow\" fill-opacity=\"%d%%\"/>\n", left + 8 * k,
            84 + 26 * rows, (int)(8 + 92 * k / 19.0));
    if (rows)
        put(&t,
            "<text x=\"8\" y=\"%u\">%s</text><text x=\"%u\" y=\"%u\">%s; grey: refused, or predicted to be "
            "slower</text>\n",
            94 + 26 * rows, spell_time(least), left + 168, 94 + 26 * rows, spell_time(most));
    put(&t, "</svg>\n");
    return t;
}

/* The command line without the options of the search: the statements, and the options that apply to every candidate. */
static const char *base_command(const char *program, int count, char **argument)
{
    text t = {0};
    put(&t, "%s", shell_word(program));
    for (int n = 1; n < count; n++) {
        const struct option *o = argument[n][0] == '-' ? find_option(argument[n]) : NULL;
        const bool drop = o && o->with != ANYTHING;
        if (!drop) put(&t, " %s", shell_word(argument[n]));
        if (o && o->argument && n + 1 < count && !drop) put(&t, " %s", shell_word(argument[n + 1]));
        if (o && o->argument) n++;
    }
    return t.at;
}

/* The most promising candidate that has not run yet; null if there is none. */
static candidate *next_candidate(void)
{
    candidate *best = NULL;
    for (unsigned n = 0; n < search.count; n++)
        if (same(search.at[n].status, "not tried") && search.at[n].cost > 0 &&
            (!best || score_of(&search.at[n]) < score_of(best)))
            best = &search.at[n];
    return best;
}

/* Prints the best candidate as a command, and its kernel lines. Candidates whose times do not differ significantly from
   the fastest are ranked by prediction. The candidates are sorted by time. */
static void show_winner(const char *base, int count, char **argument)
{
    enum { ALIKE = 5 }; /* a difference in percent that is not significant */
    const candidate *best = &search.at[0];
    for (const candidate *c = best; c < search.at + search.count && c->seconds >= 0; c++)
        if (c->seconds <= search.at[0].seconds * (1 + ALIKE / 100.0) && score_of(c) < score_of(best)) best = c;
    const char *lines = output_of_command(print("%s%s", base, best->options)), *name = getenv("SPARSE_GEN_NAME");
    printf("\nthe best%s: %s%s\n\n%s", best == search.at ? "" : print(", or within %d%% of it", ALIKE),
           base_command(name ? name : argument[0], count, argument), best->options, lines ? lines : "");
}

static void check_files(void)
{
    for (int n = 0; n < tensor_options.ins; n++)
        if (tensor_options.in[n].name && tensor_at(find_tensor(tensor_options.in[n].name))->rank &&
            !is_recipe(tensor_options.in[n].value) && access(tensor_options.in[n].value, R_OK) != 0)
            refuse(tensor_options.in[n].place, "%s cannot be read: %s", tensor_options.in[n].value, strerror(errno));
}

/* Runs the search: lists the candidates, times the most promising ones, and reports. Returns 1 if one computed a wrong
   result or did not compile. */
static int run_search(int count, char **argument)
{
    const char *base = base_command(argument[0], count, argument),
               *timed = print("%s --time %lu", base, program_options.times ? program_options.times : 10);
    const double begin = now();
    const unsigned most = command.tries ? (unsigned)command.tries : TRIED;
    unsigned tried = 0, wrong = 0;
    check_files();
    list_candidates(base);
    const uint64_t key = search_key(timed, argument[0]);
    read_results(key);
    predict_candidates(base, PREDICTED + 4 * most);
    for (candidate *c; tried < most && (c = next_candidate()) != NULL;) {
        const double spent = now() - begin;
        if (command.limit && spent > (double)command.limit) break;
        const char *name = print("%u of %u: %s %s", ++tried, most < search.count ? most : search.count, c->formats, c->way);
        show_progress(print("%s ...", name));
        try_candidate(c, timed);
        write_results(key);
        show_progress("");
        fprintf(stderr, "%s: %s", name, c->status);
        if (c->seconds >= 0) fprintf(stderr, ", %s", spell_time(c->seconds));
        fputc('\n', stderr);
    }
    write_results(key);
    tell_refusals();
    const text picture = draw_results();
    if (command.svg && !write_file(command.svg, &picture))
        refuse((spot){command.svg, 0}, "the file cannot be written: %s", strerror(errno));
    qsort(search.at, search.count, sizeof *search.at, compare_candidates);
    for (unsigned n = 0; n < search.count; n++) {
        const candidate *c = &search.at[n];
        wrong += same(c->status, "wrong") || same(c->status, "does not compile");
        if (c->seconds >= 0) printf("%-10s %10.0f bytes  %-30s %s\n", spell_time(c->seconds), c->bytes, c->formats, c->way);
    }
    if (search.count && search.at[0].seconds >= 0) show_winner(base, count, argument);
    return wrong > 0;
}

/* Finds the size of the fullest blocks; returns the fraction of their values that are entries. */
static double fullest_blocks(const tensor *t, unsigned *size)
{
    double best = 0;
    for (unsigned b = 2; b <= 8; b++) {
        const double full = entries_of(t) / fmax(1, pattern_of(t, "distinct", print(" blocks%u:", b)) * b * b);
        if (full > best) best = full, *size = b;
    }
    return best;
}

/* The fraction of the values on occupied diagonals that are entries. */
static double full_diagonals(const tensor *t)
{
    return entries_of(t) / fmax(1, pattern_of(t, "distinct", "diagonals:") * size_of_dim(t, 0));
}

/* Describes the pattern of a tensor. */
static void tell_pattern(const tensor *t)
{
    const double entries = entries_of(t);
    printf("%s: %.0f entries\n", t->name, entries);
    for (unsigned d = 0; d < t->rank; d++) {
        const double used = pattern_of(t, "distinct", print(" %u:", 1u << d));
        printf("  dimension %u: %.0f of %.0f coordinates hold entries, %.3g each", d + 1, used, size_of_dim(t, d),
               entries / fmax(1, used));
        if (d == 0) printf(", %.0f at most", pattern_of(t, "distinct", "longest:"));
        puts("");
    }
    if (t->rank != 2) return;
    unsigned b = 2;
    const double full = fullest_blocks(t, &b);
    printf("  blocks: the fullest are %u by %u, %.3g%% of their places hold entries\n", b, b, 100 * full);
    printf("  diagonals: %.0f hold entries, %.3g%% full\n", pattern_of(t, "distinct", "diagonals:"),
           100 * full_diagonals(t));
}

/* Why an encoding suits a tensor. */
static const char *praise(const tensor *t, const encoding *e)
{
    text why = {0};
    bool blocks = false, grid = false, slices = false, structured = false;
    for (unsigned l = 0; l < e->levels; l++) {
        structured = structured || sparse_p_traits(e->level[l].format) & SPARSE_TRAIT_COUNTS;
        blocks = blocks || e->level[l].part == FLOORDIV;
        grid = grid || (e->level[l].part == FLOORDIV && e->level[l].size == GRID);
        slices = slices || e->level[l].part == COUNT;
    }
    if (structured)
        put(&why, "no four columns of a row hold more than two entries, which need no positions");
    else if (has_diagonals(e))
        put(&why, "the diagonals are so full that no entry needs a coordinate");
    else if (grid)
        put(&why, "rows are scattered over more columns than a near cache holds a vector of, where a block of the grid "
                  "keeps its part");
    else if (blocks)
        put(&why, "blocks are so full that one coordinate for each costs less than one for each entry");
    else if (slices)
        put(&why, "rows are of nearly one length, so that no positions are needed");
    else if (is_dense(e))
        put(&why, "so many places hold entries that coordinates would cost more than the zeros do");
    else if (e->level[0].format == DENSE)
        put(&why, "most coordinates of the outermost level hold entries, so that it stores none; blocks, diagonals or "
                  "equal rows would store more zeros than they save");
    else if (e->level[0].properties & NONUNIQUE)
        put(&why, "so few entries share a coordinate that positions would cost more than repeating it does");
    else
        put(&why, "many coordinates of the outermost level hold nothing, and cost nothing so");
    if (e->pos != 32 || e->crd != 32)
        put(&why, "; positions of %u bits and coordinates of %u hold %s", e->pos, e->crd, t->name);
    return why.at;
}

/* Recommends an encoding for each tensor from the patterns alone: the one from which the loops read the fewest bytes, and
   the next best. Runs only a program that reads the inputs. */
static int run_advice(int count, char **argument)
{
    enum { SHOWN = 6 };
    const char *base = base_command(argument[0], count, argument);
    check_files();
    list_candidates(base);
    predict_candidates(base, PREDICTED);
    const candidate *const best = next_candidate();
    if (!best) refuse(nowhere, "no encoding of these tensors will do: %s", search.at[0].reason);
    for (int n = 0; n < search.tensors; n++) tell_pattern(tensor_at(search.tensor[n]));
    printf("advice:%s\n", best->options);
    for (int n = 0; n < search.tensors; n++)
        printf("  %s: %s\n", tensor_at(search.tensor[n])->name, praise(tensor_at(search.tensor[n]), best->encoding[n]));
    printf("bytes that are read:\n");
    const char *shown[SHOWN] = {NULL};
    unsigned lines = 0;
    for (candidate *c; lines < SHOWN && (c = next_candidate()) != NULL; c->status = "told") {
        bool again = false;
        for (unsigned n = 0; n < lines; n++) again = again || same(shown[n], c->formats);
        if (again) continue;
        shown[lines++] = c->formats;
        printf("  %12.0f  %s\n", c->bytes, c->formats);
    }
    return 0;
}

/* Refuses a function that python.h cannot call. */
static void check_python(void)
{
    enum { MAX_PYTHON_OPERANDS = 5 };
    int output = -1;
    unsigned operands = 0;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_parameter(n)) continue;
        if (a->rank == 0) refuse(a->place, "%s is a scalar: the arguments of a function for Python are tensors", a->name);
        if (a->role != OUTPUT && ++operands > MAX_PYTHON_OPERANDS)
            refuse(a->place, "a function for Python has at most %d operands", MAX_PYTHON_OPERANDS);
        if (a->role == OUTPUT && output >= 0)
            refuse(a->place, "%s is a result, too: a function for Python has one", a->name);
        if (a->role == OUTPUT) output = n;
        bool in_place = !a->updated || !is_sparse(n) || is_result_of_parts(n);
        for (int k = 0; k < scheduled_steps; k++)
            in_place = in_place || (scheduled[k].output == n && scheduled[k].result.updates);
        if (!in_place) refuse(a->place, "%s is rebuilt, and Python keeps its arrays: assign to another tensor", a->name);
    }
    if (operands == 0) refuse(nowhere, "a function for Python has an operand");
}

/* Builds the Python module that -w names, or kernel.py, from kernel lines. The script that does it is in examples/, or
   next to the installed headers. Returns the exit status. */
static int make_module(const text *lines, const char *program)
{
    const char *const headers = find_headers(program), *const path = command.write ? command.write : "kernel.py";
    const char *const slash = strrchr(path, '/'), *const file = slash ? slash + 1 : path;
    const size_t length = strspn(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (length == 0 || !same(file + length, ".py")) refuse((spot){path, 0}, "the file of a module is called NAME.py");
    const char *builder = print("%s/examples/company/module.sh", headers);
    if (access(builder, R_OK) != 0) builder = print("%s/../../share/sparse-kit/python/module.sh", headers);
    if (access(builder, R_OK) != 0) refuse(nowhere, "%s is missing; it builds modules for Python", builder);
    const char *const into = directory_of(path), *const name = copy_string(file, length);
    if (!write_file(print("%s/lib%s.c", into, name), lines))
        refuse((spot){path, 0}, "the file cannot be written: %s", strerror(errno));
    return run_command(print("sh %s %s %s %s", shell_quoted(builder), shell_quoted(headers), shell_quoted(into), name)) != 0;
}

int main(int count, char **argument)
{
    text output = {0};
    atexit(release_memory);
    parse_arguments(count, argument);
    if (command.lint) return run_lint(command.lint);
    check_options();
    program_options.command = command_line(count, argument);
    apply_early_options();
    alphabet.single = single_letters(command.statements);
    parse_program(command.statements); /* the first pass finds the names of indices, */
    parse_program(command.statements); /* the second then recognises an index that stands alone */
    lowering.parsed = true;
    settle_parts();
    if (command.derive.source) derive(command.derive);
    apply_options();
    settle_derivatives();
    check_values();
    check_halves();
    if (program_options.roofline && !program_options.times) refuse(nowhere, "--roofline goes with --time N");
    if (command.csv && command.what != SEARCH && !program_options.times)
        refuse(nowhere, "--csv goes with --time N or --search");
    program_options.times_file = command.csv;
    for (int s = 0; s < the.statements; s++) tensor_at(the.statement[s].output)->assigned = false;
    if (command.what == SEARCH) return run_search(count, argument);
    if (command.what == ADVISE) return run_advice(count, argument);
    if (command.what == RUN || command.what == SIZES)
        for (int n = 0; n < tensor_options.ins; n++) tensor_options.in[n].value = decompressed(tensor_options.in[n].value);
    for (int n = 0; n < the.tensors; n++) tensor_at(n)->embedded = decompressed(tensor_at(n)->embedded);
    refuse_inputs_of_embedded();
    check_formats();
    learn_from_embedded(argument[0]);
    settle_sizes();
    settle_kinds();
    for (int s = 0; s < the.statements; s++) lower_statement(&the.statement[s]);
    settle_roles();
    if (tensor_options.drop_zeros) drop_zeros();
    check_given_inputs();
    add_ranges();
    learn_from_inputs();
    schedule();
    switch (command.what) {
    case HEADER:
        put_file(&output, KERNELS_ONLY, argument[0]);
        break;
    case MAIN:
        put_file(&output, PROGRAM, argument[0]);
        break;
    case SIZES:
        program_options.measure = true;
        /* fall through */
    case RUN:
        program_options.command = NULL; /* the program is identified by its contents alone */
        put_file(&output, cache_directory() ? LINKED_PROGRAM : PROGRAM, argument[0]);
        return run_program(&output, argument[0]);
    case EXPLAIN:
        put_explanation(&output);
        break;
    case DOT:
        put_dot(&output);
        break;
    case DRAWING:
        put_drawing(&output);
        break;
    case COST: {
        double cost = 0;
        for (int n = 0; n < scheduled_steps; n++) cost += scheduled[n].cost;
        put(&output, "%.6g\n", cost);
        break;
    }
    case PYTHON:
        check_python();
        put_file(&output, KERNELS_ONLY, argument[0]);
        return make_module(&output, argument[0]);
    case SEARCH:
    case ADVISE:
    case MODES:
        break;
    case EXPAND:
        put_expansion(&output, argument[0]);
        break;
    }
    deliver(&output);
    return 0;
}
