#if 0
: Run as a script, this file compiles itself once into a cache, under a name made of its content, and starts
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/sparse_gen
program=$cache/$(cksum <"$0" | tr ' ' '-')
if [ ! -x "$program" ]; then
    mkdir -p "$cache" && ${CC:-cc} -std=c11 -O1 -o "$program.$$" "$0" -lm && mv "$program.$$" "$program" || exit 2
fi
SPARSE_GEN_HOME=$(dirname "$0") exec "$program" "$@"
#endif
/* sparse_gen.c: tensor index notation in, kernels out.

       ./sparse_gen.c 'y(i) = A(i,j) * x(j)' -f A=csr                        prints the kernel line
       ./sparse_gen.c 'y(i) = A(i,j) * x(j)' -f A=csr -i A=m.mtx -i x=ones --run
       cc sparse_gen.c -o sparse_gen -lm                                     an ordinary program

   Part of the sparse kit, and by itself one file of C11 (and POSIX, to run a compiler). `--help` is the
   manual.

   The way of a statement through this file, each phase a section (search for the anchors):
     >>text       memory, text, and refusals: one sentence and a caret
     >>storage    value types, level types, encodings
     >>program    tensors, expressions, statements, kernels
     >>lex        text to tokens
     >>parse      tokens to expressions and encodings
     >>reduce     where an index that the output lacks is summed: the smallest subexpression with all its uses
     >>spell      expressions as C
     >>region     where an expression can be nonzero: the tree of all(...) and any(...)
     >>lower      statements to kernels and temporaries
     >>schedule   iteration graph, loop order, conversions where the graph has a cycle
     >>emit       the header
     >>main       a complete program: inputs, outputs, checks, times
     >>explain    reasons in words, and the graph for dot
     >>run        the compiler, and what it makes
     >>expand     the loops behind the kernel lines
     >>options    the command line
     >>search     all encodings and loop orders, by their times
*/
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <math.h>
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

enum {
    MAX_RANK = 8,      /* dimensions of a tensor, levels of an encoding */
    MAX_LOOPS = 8,     /* of a kernel line */
    MAX_OPERANDS = 12, /* of a kernel line, the output among them */
    MAX_TENSORS = 96,
    MAX_STEPS = 96,
    MAX_STATEMENTS = 32,
    MAX_INPUTS = 96,
    MAX_DEPTH = 64 /* of an expression */
};

/* >>text */

/* All memory is taken from here and given back together, at the end. */
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

/* `size` zeroed bytes. */
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

/* Text that grows. */
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

/* Appends to a text, as printf does. */
static void put(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_list(t, format, list);
    va_end(list);
}

/* A string made as by printf. */
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

/* A place in what the user wrote. */
typedef struct spot {
    const char *source;
    size_t at;
} spot;

_Noreturn static void refuse(spot where, const char *format, ...) PRINTF(2, 3);

/* Leaves with one sentence, the text that it is about, and a caret under the place. */
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

/* Types of values, in the order in which they take each other in. */
typedef enum value_kind { I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, C64, C128, KINDS } value_kind;
static const struct {
    const char *type, *shorthand, *suffix;
} kinds[KINDS] = {
    {"int8_t", "i8", "_i8"},
    {"uint8_t", "u8", "_u8"},
    {"int16_t", "i16", "_i16"},
    {"uint16_t", "u16", "_u16"},
    {"int32_t", "i32", "_i32"},
    {"uint32_t", "u32", "_u32"},
    {"int64_t", "i64", "_i64"},
    {"uint64_t", "u64", "_u64"},
    {"float", "f32", "_f32"},
    {"double", "f64", ""},
    {"sparse_complex64", "c64", "_c64"},
    {"sparse_complex128", "c128", "_c128"},
};

static bool is_integer(value_kind k) { return k < F32; }
static bool is_complex(value_kind k) { return k >= C64; }

/* The type to compute in when values of two types meet. */
static value_kind join(value_kind a, value_kind b)
{
    if (a == b) return a;
    if (a > b) return join(b, a);
    if (b == C64) return a == F32 || a <= U16 ? C64 : C128;
    if (b == F32) return a <= U16 ? F32 : F64;
    if (b == C128 || b == F64) return b;
    return b <= I32 ? I32 : I64; /* two different integers */
}

typedef enum format { DENSE, BATCH, COMPRESSED, LOOSE, SINGLETON, STRUCTURED } format;
static const char *const format_names[] = {"dense",     "batch",     "compressed", "loose_compressed",
                                           "singleton", "structured"};
enum { NONUNIQUE = 1, NONORDERED = 2, SOA = 4 };

/* What a level stores of dimension `dim`: the coordinate, the block that it is in, or its place there. */
typedef enum level_part { WHOLE, FLOORDIV, MOD } level_part;

typedef struct level {
    format format;
    unsigned properties;
    level_part part;
    unsigned dim;
    unsigned long size; /* of a block */
    unsigned n, m;      /* of STRUCTURED */
} level;

typedef struct encoding {
    const char *name;  /* for the type: "csr" */
    const char *macro; /* the named encoding of the kit: "SPARSE_CSR"; null: spelled out */
    unsigned rank, levels;
    unsigned pos, crd; /* widths in bits */
    level level[MAX_RANK];
} encoding;

static bool is_dense(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].format != DENSE) return false;
    return true;
}

/* True if levels store whole dimensions, in any order. */
static bool is_permutation(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].part != WHOLE) return false;
    return true;
}

/* True if every level is dense, or compressed with unique coordinates in order. */
static bool is_plain(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if ((e->level[l].format != DENSE && e->level[l].format != COMPRESSED) || e->level[l].properties)
            return false;
    return is_permutation(e);
}

static bool same_encoding(const encoding *a, const encoding *b)
{
    if (a->rank != b->rank || a->levels != b->levels || a->pos != b->pos || a->crd != b->crd) return false;
    for (unsigned l = 0; l < a->levels; l++) {
        const level *x = &a->level[l], *y = &b->level[l];
        if (x->format != y->format || x->properties != y->properties || x->part != y->part ||
            x->dim != y->dim || x->size != y->size || x->n != y->n || x->m != y->m)
            return false;
    }
    return true;
}

/* The levels of a list of formats, "dc" for dense, compressed, over the dimensions in the order given. */
static encoding make_encoding(const char *name, const char *macro, const char *formats, const char *order)
{
    encoding e = {.name = name, .macro = macro, .pos = 32, .crd = 32};
    for (unsigned l = 0; formats[l]; l++) {
        e.level[l] = (level){.dim = (unsigned)(order[l] - '0')};
        switch (formats[l]) {
        case 'c':
            e.level[l].format = COMPRESSED;
            break;
        case 'n':
            e.level[l].format = COMPRESSED, e.level[l].properties = NONUNIQUE;
            break;
        case 'l':
            e.level[l].format = LOOSE;
            break;
        case 's':
            e.level[l].format = SINGLETON;
            break;
        case 'u':
            e.level[l].format = SINGLETON, e.level[l].properties = NONUNIQUE;
            break;
        case 'a':
            e.level[l].format = SINGLETON, e.level[l].properties = SOA;
            break;
        default:
            e.level[l].format = DENSE;
        }
        e.rank = e.levels = l + 1;
    }
    return e;
}

static const char in_order[] = "01234567";

/* Encodings by name: formats, order of the dimensions, and the kit's name. */
typedef struct named {
    const char *name, *formats, *order, *macro;
} named;
static const named named_encodings[] = {
    {"csr", "dc", "01", "SPARSE_CSR"},        {"csc", "dc", "10", "SPARSE_CSC"},
    {"dcsr", "cc", "01", "SPARSE_DCSR"},      {"dcsc", "cc", "10", "SPARSE_DCSC"},
    {"cd", "cd", "01", "SPARSE_CD"},          {"colmajor", "dd", "10", "SPARSE_COLUMN_MAJOR"},
    {"coosoa", "na", "01", "SPARSE_COO_SOA"},
};

/* The encoding of `rank` dimensions with the same format at each level, or a first, middle and last one. */
static encoding uniform(const char *name, unsigned rank, char first, char middle, char last)
{
    char formats[MAX_RANK + 1] = {0};
    for (unsigned l = 0; l < rank; l++) formats[l] = middle;
    if (rank) formats[0] = first;
    if (rank > 1) formats[rank - 1] = last;
    return make_encoding(name, NULL, formats, in_order);
}

static encoding dense_encoding(unsigned rank)
{
    static const char *const names[] = {"scalar", "vec", "mat", "cube"};
    static const char *const macros[] = {NULL, "SPARSE_DENSE_1D", "SPARSE_DENSE_2D", "SPARSE_DENSE_3D",
                                         "SPARSE_DENSE_4D"};
    encoding e = uniform(rank < 4 ? names[rank] : print("dense%u", rank), rank, 'd', 'd', 'd');
    if (rank < 5) e.macro = macros[rank];
    return e;
}

static encoding compressed_encoding(unsigned rank)
{
    static const char *const names[] = {"scalar", "svec", "dcsr", "csf"};
    static const char *const macros[] = {NULL, "SPARSE_VECTOR", "SPARSE_DCSR", "SPARSE_CSF_3D",
                                         "SPARSE_CSF_4D"};
    encoding e = uniform(rank < 4 ? names[rank] : print("csf%u", rank), rank, 'c', 'c', 'c');
    if (rank < 5) e.macro = macros[rank];
    return e;
}

static encoding coo_encoding(unsigned rank)
{
    encoding e = uniform(print(rank == 2 ? "coo" : "coo%u", rank), rank, rank > 1 ? 'n' : 'c', 'u', 's');
    e.macro = rank == 2 ? "SPARSE_COO" : rank == 3 ? "SPARSE_COO_3D" : NULL;
    return e;
}

static encoding bsr_encoding(unsigned long rows, unsigned long columns)
{
    encoding e = {.rank = 2, .levels = 4, .pos = 32, .crd = 32};
    e.name = print("bsr%lux%lu", rows, columns);
    e.macro = print("SPARSE_BSR(%lu, %lu)", rows, columns);
    e.level[0] = (level){.format = DENSE, .part = FLOORDIV, .dim = 0, .size = rows};
    e.level[1] = (level){.format = COMPRESSED, .part = FLOORDIV, .dim = 1, .size = columns};
    e.level[2] = (level){.format = DENSE, .part = MOD, .dim = 0, .size = rows};
    e.level[3] = (level){.format = DENSE, .part = MOD, .dim = 1, .size = columns};
    return e;
}

static encoding n_of_m_encoding(unsigned n, unsigned m)
{
    encoding e = {.rank = 2, .levels = 3, .pos = 32, .crd = 32};
    e.name = print("n%uof%u", n, m);
    e.macro = print("SPARSE_N_OF_M(%u, %u)", n, m);
    e.level[0] = (level){.format = DENSE, .dim = 0};
    e.level[1] = (level){.format = DENSE, .part = FLOORDIV, .dim = 1, .size = m};
    e.level[2] = (level){.format = STRUCTURED, .part = MOD, .dim = 1, .size = m, .n = n, .m = m};
    return e;
}

static char dim_letter(unsigned dim) { return "ijklmnop"[dim]; }

/* Writes an encoding as a descriptor wants it: SPARSE_CSR, or ((i, j), (dense, i), (compressed, j)). */
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
        put(t, ", (%s", format_names[v->format]);
        if (v->format == STRUCTURED) put(t, "(%u, %u)", v->n, v->m);
        if (v->properties) {
            put(t, "(");
            if (v->properties & NONUNIQUE) put(t, "nonunique"), comma = ", ";
            if (v->properties & NONORDERED) put(t, "%snonordered", comma), comma = ", ";
            if (v->properties & SOA) put(t, "%ssoa", comma);
            put(t, ")");
        }
        if (v->part == WHOLE)
            put(t, ", %c)", dim_letter(v->dim));
        else
            put(t, ", %s(%c, %lu))", v->part == MOD ? "mod" : "floordiv", dim_letter(v->dim), v->size);
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

/* What a tensor is to the program. */
typedef enum tensor_role { INPUT, OUTPUT, TEMPORARY, CONVERTED } tensor_role;

typedef struct tensor {
    const char *name;
    spot place; /* where it comes first */
    tensor_role role;
    unsigned rank;
    char index[MAX_RANK + 1]; /* of its first access */
    encoding encoding;
    value_kind kind;
    bool has_encoding, has_kind;
    int source;              /* of a converted one */
    bool assigned;           /* by a statement that came already */
    bool updated;            /* an output whose old values count */
    const char *embedded;    /* the file whose entries are written into the program */
    bool windowed[MAX_RANK]; /* dimensions with subscripts such as i + p, which no index runs over */
    spot window;             /* where the first of these is */
    char range;              /* of a tensor that only gives an index its size: the index */
    const char *type;        /* name of the storage type */
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
    REDUCTION
} node_kind;

/* start + the sum of step * index: i, 2 * i + p, 0. */
typedef struct subscript {
    spot place;
    long start;
    unsigned count;
    char index[MAX_LOOPS + 1];
    long step[MAX_LOOPS];
} subscript;

/* An expression. SUM and PRODUCT are chains, whose inverse terms are subtracted, or divided by. A WINDOW is
   an access to a dense tensor at subscripts that are more than an index; kernels read it as an array. */
typedef struct node {
    node_kind kind;
    spot place;
    bool grouped;             /* in parentheses */
    const char *word;         /* digits, function, comparison, or reduction */
    int tensor;               /* of an ACCESS or a WINDOW */
    char index[MAX_RANK + 1]; /* of an ACCESS; the letter of a COORDINATE; all letters of a WINDOW */
    subscript *subscript;     /* of a WINDOW, and of an ACCESS in the statements */
    letters over;             /* of a REDUCTION */
    const char *call;         /* of a REDUCTION, among dense loops */
    unsigned count;
    struct term {
        struct node *node;
        bool inverse;
    } * term;
} node;

typedef struct statement {
    int output;
    char index[MAX_RANK + 1];
    bool accumulate;
    node *value;
    spot place;
    const char *text; /* in index notation */
} statement;

/* Where an expression can be nonzero. */
typedef enum region_kind { EVERYWHERE, STORED, ALL, ANY } region_kind;

typedef struct region {
    region_kind kind;
    int operand;
    unsigned count;
    struct region *child[2 * MAX_OPERANDS];
} region;

/* One loop: over an index, or over its blocks and what is inside them. */
typedef struct loop {
    char index;
    level_part part;
    unsigned long size;
} loop;

/* What a kernel is given of an operand: a tensor or scalar, or of a WINDOW its values and sizes of levels. */
typedef enum operand_kind { VALUE, ARRAY, LEVEL_SIZE } operand_kind;

typedef struct operand {
    operand_kind kind;
    unsigned level; /* of a LEVEL_SIZE */
    int tensor;
    int stored;       /* the tensor itself, or what it is converted to */
    const char *name; /* of the parameter */
    char index[MAX_RANK + 1];
} operand;

typedef enum step_kind { KERNEL, CONVERSION, ASSIGNMENT } step_kind;

/* A kernel line, the conversion of a tensor, or an assignment of scalars, which needs no kernel. */
typedef struct step {
    step_kind kind;
    const char *name;
    int output, source;       /* a conversion reads source */
    int stored;               /* the output itself, or what will be converted to it */
    char index[MAX_RANK + 1]; /* of the output */
    bool accumulate, updates; /* update: the output is changed in place */
    bool reads_output;
    const char *reduction; /* null: none */
    letters over;
    node *body;
    const char *condition; /* of a diagonal: "i == k"; null: none */
    unsigned operands;
    operand operand[MAX_OPERANDS];
    region *region;
    unsigned loops;
    loop loop[MAX_LOOPS];
    double cost;
    const char *initial; /* what the output begins with; null: what it holds */
} step;

typedef struct input {
    const char *name; /* null: of all tensors that have no other */
    const char *value;
    spot place;
} input;

/* What takes the place of + and *: stored entries are multiplied by `times`, products are added up by `plus`,
   and where there is none the result is the identity of `plus`. */
typedef struct semiring {
    const char *name, *plus, *times, *identity;
} semiring;
static const semiring semirings[] = {
    {"min-plus", "fmin", " + ", "HUGE_VAL"},  {"max-plus", "fmax", " + ", "-HUGE_VAL"},
    {"max-min", "fmax", "fmin", "-HUGE_VAL"}, {"min-max", "fmin", "fmax", "HUGE_VAL"},
    {"or-and", "fmax", " && ", "0"},
};

/* The command line and what becomes of it. */
static struct {
    tensor tensor[MAX_TENSORS];
    int tensors;
    statement statement[MAX_STATEMENTS];
    int statements, current;
    step step[MAX_STEPS];
    int steps;
    unsigned long size[64]; /* of indices, from 'A' on; 0: not known */
    char alike[64];         /* for each index the first one of the same size */
    char order[MAX_LOOPS + 1];
    spot order_place;
    letters parallel, simd;
    spot strategy_place;
    const char *name;   /* of the kernel */
    const char *prefix; /* of types */
    text functions;     /* of the user's */
    bool math;          /* <math.h> is needed */
    input in[MAX_INPUTS], out[MAX_INPUTS];
    int ins, outs;
    const char *printed[MAX_INPUTS];
    int prints;
    const char *function_names[MAX_INPUTS];
    int function_count;
    const semiring *semiring; /* null: + and * */
    unsigned long times;      /* of --time */
    bool check, part, strict, roofline, measure;
    bool counting;       /* kernels are written with a count of their operations */
    const char *command; /* the command line, for a comment */
    const char *home;    /* the directory of the headers */
    text notes;          /* reasons, for --explain and on stderr */
} the;

static tensor *tensor_at(int n) { return &the.tensor[n]; }

/* The number of the tensor of this name; -1 if there is none. */
static int find_tensor(const char *name)
{
    for (int n = 0; n < the.tensors; n++)
        if (same(the.tensor[n].name, name)) return n;
    return -1;
}

static int add_tensor(const char *name, tensor_role role, spot place)
{
    if (the.tensors == MAX_TENSORS)
        refuse(place, "there are more than %d tensors, temporaries among them", MAX_TENSORS);
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

static bool is_access(const node *n) { return n->kind == ACCESS || n->kind == WINDOW; }
static bool has_letters(const node *n) { return is_access(n) || n->kind == COORDINATE; }

/* The indices of an expression but those that a reduction inside it has done with. */
static letters free_letters(const node *n)
{
    letters set = has_letters(n) ? letters_of(n->index) : 0;
    for (unsigned k = 0; k < n->count; k++) set |= free_letters(n->term[k].node);
    return n->kind == REDUCTION ? set & ~n->over : set;
}

/* All indices of an expression. */
static letters all_letters(const node *n)
{
    letters set = has_letters(n) ? letters_of(n->index) : n->over;
    for (unsigned k = 0; k < n->count; k++) set |= all_letters(n->term[k].node);
    return set;
}

static bool reads_tensor(const node *n, int wanted)
{
    if (is_access(n) && n->tensor == wanted) return true;
    for (unsigned k = 0; k < n->count; k++)
        if (reads_tensor(n->term[k].node, wanted)) return true;
    return false;
}

/* Functions that expressions can call: of one argument or two, and those of C that compute them. The function
   of the file is applied to zeros, to see what becomes of absent operands. */
typedef struct function {
    const char *name, *c; /* c: in <math.h> */
    double (*one)(double);
    double (*two)(double, double);
} function;
static const function functions[] = {
    {"abs", "fabs", fabs, NULL},
    {"fabs", "fabs", fabs, NULL},
    {"sqrt", "sqrt", sqrt, NULL},
    {"cbrt", "cbrt", cbrt, NULL},
    {"exp", "exp", exp, NULL},
    {"exp2", "exp2", exp2, NULL},
    {"expm1", "expm1", expm1, NULL},
    {"log", "log", log, NULL},
    {"log2", "log2", log2, NULL},
    {"log10", "log10", log10, NULL},
    {"log1p", "log1p", log1p, NULL},
    {"sin", "sin", sin, NULL},
    {"cos", "cos", cos, NULL},
    {"tan", "tan", tan, NULL},
    {"asin", "asin", asin, NULL},
    {"acos", "acos", acos, NULL},
    {"atan", "atan", atan, NULL},
    {"sinh", "sinh", sinh, NULL},
    {"cosh", "cosh", cosh, NULL},
    {"tanh", "tanh", tanh, NULL},
    {"asinh", "asinh", asinh, NULL},
    {"acosh", "acosh", acosh, NULL},
    {"atanh", "atanh", atanh, NULL},
    {"erf", "erf", erf, NULL},
    {"erfc", "erfc", erfc, NULL},
    {"floor", "floor", floor, NULL},
    {"ceil", "ceil", ceil, NULL},
    {"round", "round", round, NULL},
    {"trunc", "trunc", trunc, NULL},
    {"max", "fmax", NULL, fmax},
    {"min", "fmin", NULL, fmin},
    {"fmax", "fmax", NULL, fmax},
    {"fmin", "fmin", NULL, fmin},
    {"pow", "pow", NULL, pow},
    {"hypot", "hypot", NULL, hypot},
    {"atan2", "atan2", NULL, atan2},
    {"fmod", "fmod", NULL, fmod},
    {"fdim", "fdim", NULL, fdim},
    {"copysign", "copysign", NULL, copysign},
};

static const function *find_function(const char *name)
{
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++)
        if (same(functions[n].name, name)) return &functions[n];
    return NULL;
}

static bool is_defined_by_user(const char *name)
{
    for (int n = 0; n < the.function_count; n++)
        if (same(the.function_names[n], name)) return true;
    return false;
}

static bool is_reduction(const char *name)
{
    return same(name, "sum") || same(name, "prod") || same(name, "max") || same(name, "min");
}

/* Words that cannot be the name of a tensor: of C, of its library, of kernel lines and what they expand to,
   and of the programs that are made here. */
static bool is_reserved(const char *name)
{
    static const char words[] =
        " auto break case char const continue default do double else enum extern float for goto if "
        "inline int long register restrict return short signed sizeof static struct switch typedef "
        "union unsigned void volatile while bool true false size_t main stdin stdout stderr errno "
        "assert linux unix free malloc calloc printf fprintf puts memcpy qsort NULL EOF INFINITY NAN "
        "HUGE_VAL BUFSIZ EXIT_SUCCESS EXIT_FAILURE TIME_UTC all any none update from parallel simd "
        "floordiv mod dense compressed loose_compressed singleton structured batch block leaf list "
        "tensor scalar size operand operands loops_over to initially everywhere result failed agree "
        "seconds median recipe read_input make_input make_entries next_random store_number "
        "load_number unpack_numbers compare_numbers compare_doubles number got allocate_output operations "
        "typical count_bytes read_bandwidth "
        "show_roofline show_size "
        "show_output show_storage write_output embed time begin start run subscript_fits ";
    static const char *const endings[] = {"_size", "_MAX", "_MIN"};
    const size_t length = strlen(name);
    if (strstr(words, print(" %s ", name))) return true;
    for (size_t n = 0; n < sizeof endings / sizeof *endings; n++)
        if (length > strlen(endings[n]) && same(name + length - strlen(endings[n]), endings[n])) return true;
    return is_reduction(name) || find_function(name) != NULL || strncmp(name, "sparse_", 7) == 0 ||
           strncmp(name, "SPARSE_", 7) == 0 || strncmp(name, "has_", 4) == 0 || strstr(name, "__") != NULL;
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

/* The length of a number that starts here: digits, point, exponent. */
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
    static const char *const signs[] = {"+=", "<=", ">=", "==", "!=", "->"};
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
        if (strchr("()[]{}<>+-*/=,;:#.", c) == NULL && length == 1) refuse(place, "an unexpected character");
    }
    x->now = (token){kind, place, copy_string(s + x->at, length)};
    x->at += length;
}

static lexer lex(const char *source)
{
    lexer x = {.source = source};
    advance(&x);
    return x;
}

static bool is_sign(const lexer *x, const char *sign)
{
    return x->now.kind == SIGN && same(x->now.text, sign);
}
static bool is_word(const lexer *x, const char *word)
{
    return x->now.kind == NAME && same(x->now.text, word);
}

/* Moves on if the token is the given sign. */
static bool accept(lexer *x, const char *sign)
{
    if (!is_sign(x, sign)) return false;
    advance(x);
    return true;
}

static const char *found(const lexer *x)
{
    return x->now.kind == END ? "the end" : print("\"%s\"", x->now.text);
}

static void expect(lexer *x, const char *sign, const char *where)
{
    if (!accept(x, sign)) refuse(x->now.place, "\"%s\" is expected %s, not %s", sign, where, found(x));
}

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

/* >>parse
   statements  := statement { ";" statement }
   statement   := access ("=" | "+=") comparison
   comparison  := sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
   sum         := product { ("+" | "-") product }
   product     := factor { ("*" | "/") factor }
   factor      := "-" factor | NUMBER | "(" comparison ")" | access
                | FUNCTION "(" comparison { "," comparison } ")"
                | ("sum" | "prod" | "max" | "min") "(" index { "," index } ")" product
   access      := NAME [ "(" [ subscript { "," subscript } ] ")" | "[" ... "]" ]
   subscript   := [ "-" ] part { ("+" | "-") part }
   part        := NUMBER [ "*" index ] | index [ "*" NUMBER ] */

static node *parse_comparison(lexer *x);
static node *parse_product(lexer *x);

/* An index: one letter. */
static char parse_index(lexer *x)
{
    const token t = x->now;
    if (t.kind != NAME) refuse(t.place, "an index is expected, not %s", found(x));
    if (t.text[1] || !islower((unsigned char)t.text[0]))
        refuse(t.place, "an index is one letter from a to z, not \"%s\"", t.text);
    advance(x);
    return t.text[0];
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

/* A number, an index, or a multiple of an index. */
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
    const char i = parse_index(x);
    if (multiplies(*x)) {
        advance(x);
        times *= (long)expect_number(x, "a number in a subscript", 0, LARGEST_STEP);
    }
    if (times == 0 || times > LARGEST_STEP)
        refuse(place, "a multiple of an index is from 1 to %d times the index", LARGEST_STEP);
    add_index(s, i, sign * times, place);
}

/* i, i + p, 2 * i + 1, 7 - i, 0 */
static subscript parse_subscript(lexer *x)
{
    subscript s = {.place = x->now.place};
    long sign = accept(x, "-") ? -1 : 1;
    bool negative = false;
    do {
        parse_part(x, &s, sign);
        sign = is_sign(x, "-") ? -1 : 1;
    } while (accept(x, "+") || accept(x, "-"));
    for (unsigned k = 0; k < s.count; k++) {
        if (s.step[k] == 0) refuse(s.place, "the index %c cancels out in this subscript", s.index[k]);
        if (labs(s.step[k]) > LARGEST_STEP)
            refuse(s.place, "a multiple of an index is from 1 to %d times the index", LARGEST_STEP);
        negative = negative || s.step[k] < 0;
    }
    if (s.start < 0 || (negative && s.start == 0))
        refuse(s.place, "this subscript is negative %s", s.count ? "at the lowest coordinates" : "");
    return s;
}

static bool is_index(const subscript *s) { return s->count == 1 && s->step[0] == 1 && s->start == 0; }

/* The subscripts of an access, up to the closing bracket; index[] has the letters of those that are indices,
   and ? for others. */
static unsigned parse_subscripts(lexer *x, const char *closing, subscript at[MAX_RANK],
                                 char index[MAX_RANK + 1])
{
    unsigned rank = 0;
    if (!accept(x, closing)) {
        do {
            if (rank == MAX_RANK) refuse(x->now.place, "a tensor has at most %d dimensions", MAX_RANK);
            at[rank] = parse_subscript(x);
            index[rank] = '?';
            if (is_index(&at[rank])) index[rank] = at[rank].index[0];
            rank++;
        } while (accept(x, ","));
        expect(x, closing, "after the subscripts");
    }
    index[rank] = '\0';
    return rank;
}

/* Makes an access a window: its index is now all letters of its subscripts. */
static void make_window(node *n)
{
    const unsigned rank = tensor_at(n->tensor)->rank;
    unsigned count = 0;
    memset(n->index, 0, sizeof n->index);
    n->kind = WINDOW;
    for (unsigned d = 0; d < rank; d++)
        for (const char *i = n->subscript[d].index; *i; i++) {
            if (strchr(n->index, *i)) continue;
            if (count == MAX_LOOPS) refuse(n->place, "a kernel has at most %d loops", MAX_LOOPS);
            n->index[count++] = *i;
        }
}

/* Notes which dimensions of its tensor an access reads at subscripts that are not indices. */
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

/* The tensor of this name, which has this rank wherever it comes. */
static int declare_tensor(token name, unsigned rank, const char *index)
{
    int n = find_tensor(name.text);
    if (n >= 0 && tensor_at(n)->rank != rank)
        refuse(name.place, "%s has %u subscripts here and %u before", name.text, rank, tensor_at(n)->rank);
    if (n >= 0) return n;
    if (is_defined_by_user(name.text)) refuse(name.place, "%s is a function and a tensor", name.text);
    if (is_reserved(name.text))
        refuse(name.place, "\"%s\" cannot be the name of a tensor: it has a meaning already", name.text);
    n = add_tensor(name.text, INPUT, name.place);
    tensor_at(n)->rank = rank;
    strcpy(tensor_at(n)->index, index);
    return n;
}

/* An access after its name. A letter alone may turn out to be an index; resolve_coordinates decides. */
static node *parse_access(lexer *x, token name)
{
    node *n = make_node(ACCESS, name.place);
    unsigned rank = 0;
    lexer ahead = *x;
    n->subscript = take(MAX_RANK * sizeof *n->subscript);
    if (accept(&ahead, "(") && ahead.now.kind == NAME && (advance(&ahead), is_sign(&ahead, "(")))
        refuse(name.place, "%s is not a function that is known; say what it is with --define", name.text);
    if (accept(x, "("))
        rank = parse_subscripts(x, ")", n->subscript, n->index);
    else if (accept(x, "["))
        rank = parse_subscripts(x, "]", n->subscript, n->index);
    n->word = name.text;
    n->tensor = -1;
    const bool letter = rank == 0 && name.text[1] == '\0' && islower((unsigned char)name.text[0]);
    if (!letter) n->tensor = declare_tensor(name, rank, n->index);
    if (!letter) note_windows(n);
    return n;
}

static node *parse_call(lexer *x, token name)
{
    node *n = make_node(CALL, name.place);
    const function *f = find_function(name.text);
    n->word = name.text;
    expect(x, "(", "after the function");
    if (!is_sign(x, ")")) do
            add_term(n, parse_comparison(x), false);
        while (accept(x, ","));
    expect(x, ")", "after the arguments");
    const unsigned arity = f == NULL ? n->count : f->one ? 1 : 2;
    if (n->count != arity && !(n->count > 2 && (same(name.text, "max") || same(name.text, "min"))))
        refuse(name.place, "%s takes %u argument%s, not %u", name.text, arity, arity == 1 ? "" : "s",
               n->count);
    while (f && n->count > 2) { /* max(a, b, c) is max(max(a, b), c) */
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

/* True if what follows the word is indices in parentheses and then an operand: sum(i, j) A(i,j). */
static bool starts_reduction(lexer x)
{
    advance(&x);
    if (!accept(&x, "(")) return false;
    do {
        if (x.now.kind != NAME || x.now.text[1] || !islower((unsigned char)x.now.text[0])) return false;
        advance(&x);
    } while (accept(&x, ","));
    if (!accept(&x, ")")) return false;
    return x.now.kind == NAME || x.now.kind == NUMBER || is_sign(&x, "(");
}

static node *parse_reduction(lexer *x)
{
    node *n = make_node(REDUCTION, x->now.place);
    n->word = x->now.text;
    n->grouped = true;
    advance(x);
    expect(x, "(", "after the reduction");
    do {
        const spot place = x->now.place;
        const letters bit = letter_bit(parse_index(x));
        if (n->over & bit) refuse(place, "the index is named twice");
        n->over |= bit;
    } while (accept(x, ","));
    expect(x, ")", "after the indices of the reduction");
    add_term(n, parse_product(x), false);
    for (char i = 'a'; i <= 'z'; i++)
        if (n->over & ~free_letters(n->term[0].node) & letter_bit(i))
            refuse(n->place, "the index %c of the reduction is not in what it reduces", i);
    return n;
}

static node *parse_factor(lexer *x)
{
    const token t = x->now;
    if (++x->depth > MAX_DEPTH) refuse(t.place, "the expression is nested more than %d deep", MAX_DEPTH);
    node *n = NULL;
    if (accept(x, "-")) {
        n = make_node(SUM, t.place);
        add_term(n, parse_factor(x), true);
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
    } else if (is_reduction(t.text) && starts_reduction(*x)) {
        n = parse_reduction(x);
    } else {
        advance(x);
        const bool called = is_sign(x, "(");
        n = called && (find_function(t.text) || is_defined_by_user(t.text)) ? parse_call(x, t)
                                                                            : parse_access(x, t);
    }
    x->depth--;
    return n;
}

/* A chain of terms with signs between them; one term is itself. */
static node *parse_chain(lexer *x, node_kind kind, const char *plain, const char *inverse,
                         node *(*term)(lexer *))
{
    node *first = term(x);
    if (!is_sign(x, plain) && !is_sign(x, inverse)) return first;
    node *n = make_node(kind, first->place);
    add_term(n, first, false);
    while (is_sign(x, plain) || is_sign(x, inverse)) {
        const bool is_inverse = is_sign(x, inverse);
        advance(x);
        add_term(n, term(x), is_inverse);
    }
    return n;
}

static node *parse_product(lexer *x) { return parse_chain(x, PRODUCT, "*", "/", parse_factor); }
static node *parse_sum(lexer *x) { return parse_chain(x, SUM, "+", "-", parse_product); }

static node *parse_comparison(lexer *x)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    node *left = parse_sum(x);
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++)
        if (is_sign(x, signs[s])) {
            node *n = make_node(COMPARISON, x->now.place);
            n->word = signs[s];
            advance(x);
            add_term(n, left, false);
            add_term(n, parse_sum(x), false);
            return n;
        }
    return left;
}

/* Says of each lone letter whether it is an index of the statement or a scalar. */
static void resolve_coordinates(node *n, letters indices)
{
    if (n->kind == ACCESS && n->tensor < 0) {
        if (indices & letter_bit(n->word[0])) {
            n->kind = COORDINATE;
            n->index[0] = n->word[0];
        } else {
            n->tensor = declare_tensor((token){NAME, n->place, n->word}, 0, "");
        }
    }
    for (unsigned k = 0; k < n->count; k++) resolve_coordinates(n->term[k].node, indices);
}

/* A tensor that has the name of an index of its statement would be two things in the kernel. */
static void check_names(const node *n, letters indices)
{
    if (is_access(n) && n->word[1] == '\0' && islower((unsigned char)n->word[0]) &&
        (indices & letter_bit(n->word[0])))
        refuse(n->place, "%s is a tensor and an index in one statement", n->word);
    for (unsigned k = 0; k < n->count; k++) check_names(n->term[k].node, indices);
}

/* The letters inside the subscripts of an expression. */
static letters subscripts_of(const node *n)
{
    letters set = is_access(n) ? letters_of(n->index) : n->over;
    for (unsigned k = 0; k < n->count; k++) set |= subscripts_of(n->term[k].node);
    return set;
}

static void parse_statement(lexer *x)
{
    if (the.statements == MAX_STATEMENTS)
        refuse(x->now.place, "there are more than %d statements", MAX_STATEMENTS);
    statement *s = &the.statement[the.statements++];
    const token name = x->now;
    if (name.kind != NAME) refuse(name.place, "a tensor that is assigned to is expected, not %s", found(x));
    if (find_function(name.text) || is_reduction(name.text)) declare_tensor(name, 0, "");
    advance(x);
    node *left = parse_access(x, name);
    s->place = name.place;
    if (left->tensor < 0) left->tensor = declare_tensor(name, 0, "");
    if (left->kind == WINDOW)
        refuse(tensor_at(left->tensor)->window, "an output has indices, each by itself, as its subscripts");
    s->output = left->tensor;
    strcpy(s->index, left->index);
    for (const char *i = s->index; *i; i++)
        if (strchr(i + 1, *i)) refuse(name.place, "the output has the index %c twice", *i);
    s->accumulate = is_sign(x, "+=");
    if (!accept(x, "+=")) expect(x, "=", "after the output");
    s->value = parse_comparison(x);
    const letters indices = subscripts_of(s->value) | letters_of(s->index);
    resolve_coordinates(s->value, indices);
    check_names(left, indices);
    check_names(s->value, indices);
    tensor *t = tensor_at(s->output);
    if (t->assigned && !s->accumulate)
        refuse(name.place, "%s is assigned twice; write += to add to it", t->name);
    t->assigned = true;
    if (t->role == INPUT && !s->accumulate)
        t->role = OUTPUT;
    else if (t->role == INPUT)
        t->role = OUTPUT;
}

static void parse_program(const char *source)
{
    lexer x = lex(source);
    if (x.now.kind == END) refuse(x.now.place, "there is no statement");
    do {
        if (x.now.kind == END && the.statements) break;
        parse_statement(&x);
    } while (accept(&x, ";"));
    if (x.now.kind != END) refuse(x.now.place, "the statement should end here, before %s", found(&x));
}

/* Encodings: a name, or the dialect's  (i, j) -> (j : dense, i : compressed(nonunique)), posWidth = 32. */

static unsigned find_dim(const lexer *x, const char *const *names, unsigned rank)
{
    for (unsigned d = 0; d < rank; d++)
        if (x->now.kind == NAME && same(names[d], x->now.text)) return d;
    refuse(x->now.place, "a dimension of the left side is expected, not %s", found(x));
}

static void parse_level_type(lexer *x, level *v)
{
    const spot place = x->now.place;
    unsigned f = 0;
    while (f < 6 && !is_word(x, format_names[f])) f++;
    if (f == 6)
        refuse(place,
               "a level type is dense, compressed, loose_compressed, singleton or structured[n, m], not %s",
               found(x));
    v->format = (format)f;
    if (v->format == BATCH) refuse(place, "batch levels are for kernel lines written by hand");
    advance(x);
    if (v->format == STRUCTURED) {
        expect(x, "[", "after structured");
        v->n = (unsigned)expect_number(x, "n", 0, 65535);
        expect(x, ",", "between n and m");
        v->m = (unsigned)expect_number(x, "m", 1, 65535);
        expect(x, "]", "after m");
        if (v->n > v->m) refuse(place, "structured[n, m] needs n <= m");
    }
    if (!accept(x, "(")) return;
    do {
        const unsigned property = is_word(x, "nonunique")    ? NONUNIQUE
                                  : is_word(x, "nonordered") ? NONORDERED
                                  : is_word(x, "soa")        ? SOA
                                                             : 0;
        if (!property) refuse(x->now.place, "a property is nonunique, nonordered or soa, not %s", found(x));
        const bool fits =
            property == SOA ? v->format == SINGLETON : v->format != DENSE && v->format != STRUCTURED;
        if (!fits)
            refuse(x->now.place, "the property %s does not go with a level that is %s", x->now.text,
                   format_names[v->format]);
        v->properties |= property;
        advance(x);
    } while (accept(x, ","));
    expect(x, ")", "after the properties");
}

static void parse_level(lexer *x, level *v, const char *const *names, unsigned rank)
{
    v->dim = find_dim(x, names, rank);
    advance(x);
    if (is_word(x, "floordiv") || is_word(x, "mod")) {
        v->part = is_word(x, "mod") ? MOD : FLOORDIV;
        advance(x);
        v->size = expect_number(x, "a block size", 1, 65536);
    }
    if (is_sign(x, "+") || is_sign(x, "*") || is_sign(x, "-"))
        refuse(x->now.place, "a level stores a dimension, its floordiv or its mod");
    expect(x, ":", "between a level and its type");
    parse_level_type(x, v);
}

/* Each dimension once as it is, or once as floordiv c and later once as mod c. */
static void check_map(const encoding *e, spot place)
{
    for (unsigned d = 0; d < e->rank; d++) {
        unsigned whole = 0, blocks = 0, inner = 0;
        unsigned long size = 0;
        for (unsigned l = 0; l < e->levels; l++) {
            const level *v = &e->level[l];
            if (v->dim != d) continue;
            whole += v->part == WHOLE;
            if (v->part == FLOORDIV && !inner) blocks++, size = v->size;
            if (v->part == MOD && v->size == size)
                inner++;
            else if (v->part == MOD)
                inner = 2;
        }
        if (whole + blocks != 1 || inner != blocks)
            refuse(place,
                   "dimension %u must come once as it is, or once as floordiv c and after that once as mod c",
                   d + 1);
    }
}

static void check_level_types(const encoding *e, spot place)
{
    for (unsigned l = 0; l < e->levels; l++) {
        const level *v = &e->level[l], *above = l ? v - 1 : NULL;
        if (v->format == SINGLETON && (!above || above->format == DENSE))
            refuse(place, "a singleton level must follow a compressed, loose_compressed or singleton level");
        if (above && above->format == SINGLETON && v->format != SINGLETON)
            refuse(place, "only singleton levels can follow a singleton level");
        if (v->format == SINGLETON && above->format == SINGLETON &&
            ((v->properties ^ above->properties) & SOA))
            refuse(place, "the singleton levels must be all soa, or none of them");
        if (v->format != STRUCTURED) continue;
        for (unsigned k = 0; k < l; k++)
            if (e->level[k].format != DENSE) refuse(place, "the levels above structured[n, m] must be dense");
        if (l + 1 != e->levels) refuse(place, "structured[n, m] must be the last level");
        if (v->part != MOD || v->size != v->m) refuse(place, "structured[n, m] must store a dimension mod m");
    }
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

static void parse_widths(lexer *x, encoding *e)
{
    while (accept(x, ",")) {
        if (is_word(x, "posWidth"))
            e->pos = parse_width(x);
        else if (is_word(x, "crdWidth"))
            e->crd = parse_width(x);
        else if (is_word(x, "explicitVal") || is_word(x, "implicitVal"))
            refuse(x->now.place, "%s is not available: stored values are in arrays, others are zero",
                   x->now.text);
        else
            refuse(x->now.place, "posWidth or crdWidth is expected, not %s", found(x));
    }
}

/* The dialect's syntax, with or without #sparse_tensor.encoding<{ map = ... }> around it. */
static encoding parse_map(lexer *x)
{
    encoding e = {.pos = 32, .crd = 32};
    const char *names[MAX_RANK];
    const spot place = x->now.place;
    expect(x, "(", "before the dimensions");
    do {
        if (x->now.kind != NAME)
            refuse(x->now.place, "the name of a dimension is expected, not %s", found(x));
        if (e.rank == MAX_RANK) refuse(x->now.place, "a tensor has at most %d dimensions", MAX_RANK);
        for (unsigned d = 0; d < e.rank; d++)
            if (same(names[d], x->now.text))
                refuse(x->now.place, "the dimension %s is named twice", names[d]);
        names[e.rank++] = x->now.text;
        advance(x);
    } while (accept(x, ","));
    expect(x, ")", "after the dimensions");
    expect(x, "->", "between dimensions and levels");
    expect(x, "(", "before the levels");
    do {
        if (e.levels == MAX_RANK) refuse(x->now.place, "an encoding has at most %d levels", MAX_RANK);
        parse_level(x, &e.level[e.levels++], names, e.rank);
    } while (accept(x, ","));
    expect(x, ")", "after the levels");
    check_map(&e, place);
    check_level_types(&e, place);
    parse_widths(x, &e);
    return e;
}

/* Skips  #sparse_tensor.encoding<{ map =  and says whether it was there. */
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

/* A short name for an encoding that has none, from the letters of its levels: "dc", "cc_ji". */
static const char *spell_encoding_name(const encoding *e)
{
    text t = {0};
    bool ordered = true;
    for (unsigned l = 0; l < e->levels; l++) {
        const level *v = &e->level[l];
        put(&t, "%c", "dbclsn"[v->format]);
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
    c.pos = a->pos, c.crd = a->crd;
    return same_encoding(a, &c);
}

/* Gives an encoding the name that the kit has for it, or makes one. */
static void name_encoding(encoding *e)
{
    const unsigned pos = e->pos, crd = e->crd;
    encoding known[] = {dense_encoding(e->rank), compressed_encoding(e->rank), coo_encoding(e->rank)};
    const char *name = NULL;
    for (size_t n = 0; !name && n < 3; n++)
        if (same_levels(e, &known[n])) name = known[n].name, e->macro = known[n].macro;
    for (size_t n = 0; !name && e->rank == 2 && n < sizeof named_encodings / sizeof *named_encodings; n++) {
        const named *k = &named_encodings[n];
        const encoding other = make_encoding(k->name, k->macro, k->formats, k->order);
        if (same_levels(e, &other)) name = k->name, e->macro = k->macro;
    }
    e->name = name ? name : e->name ? e->name : spell_encoding_name(e);
    if (pos != 32 || crd != 32) e->name = print("%s_%u_%u", e->name, pos, crd);
}

/* bsr, bsr2x3: the sizes are part of the word. */
static encoding parse_bsr(const token *t)
{
    unsigned rows = 2, columns = 2;
    int length = 3;
    if (t->text[3] && (sscanf(t->text, "bsr%ux%u%n", &rows, &columns, &length) != 2 || t->text[length]))
        refuse(t->place, "blocks are written bsr2x3");
    if (!rows || !columns || rows > 65536 || columns > 65536) refuse(t->place, "a block is 1 to 65536 large");
    return bsr_encoding(rows, columns);
}

static encoding parse_named(lexer *x, unsigned rank)
{
    const token t = x->now;
    unsigned n = 0, m = 0;
    int length = 0;
    encoding e = {0};
    if (t.kind == NUMBER) refuse(t.place, "an encoding is expected, not a number");
    if (t.kind != NAME) refuse(t.place, "an encoding is expected, not %s", found(x));
    if (same(t.text, "dense"))
        e = dense_encoding(rank);
    else if (same(t.text, "csf") || same(t.text, "sparse"))
        e = compressed_encoding(rank);
    else if (same(t.text, "coo"))
        e = coo_encoding(rank);
    else if (strncmp(t.text, "bsr", 3) == 0)
        e = parse_bsr(&t);
    else if (sscanf(t.text, "n%uof%u%n", &n, &m, &length) == 2 && !t.text[length]) {
        if (!m || n > m || m > 65535) refuse(t.place, "n%uof%u needs n <= m", n, m);
        e = n_of_m_encoding(n, m);
    }
    for (size_t k = 0; k < sizeof named_encodings / sizeof *named_encodings; k++)
        if (same(t.text, named_encodings[k].name))
            e = make_encoding(t.text, named_encodings[k].macro, named_encodings[k].formats,
                              named_encodings[k].order);
    if (e.name == NULL) refuse(t.place, "\"%s\" is not an encoding; --help lists the names", t.text);
    if (e.rank != rank)
        refuse(t.place, "the encoding %s has %u dimensions, the tensor has %u", t.text, e.rank, rank);
    advance(x);
    parse_widths(x, &e);
    return e;
}

/* What stands after the = of an option, in a source that the caret can point into. */
static encoding parse_encoding(spot at, unsigned rank)
{
    lexer x = {.source = at.source, .at = at.at};
    advance(&x);
    encoding e;
    if (is_sign(&x, "(") || is_sign(&x, "#") || is_word(&x, "map")) {
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

/* Sums an expression over i where all uses of i are together: the smallest subexpression that holds them. In
   a chain that is the terms that use i, wherever they stand in it. */
static node *reduce_over(node *n, char i)
{
    unsigned users = 0, last = 0;
    for (unsigned k = 0; k < n->count; k++)
        if (free_letters(n->term[k].node) & letter_bit(i)) users++, last = k;
    if (users == 1) {
        n->term[last].node = reduce_over(n->term[last].node, i);
        return n;
    }
    if (users == 0 || users == n->count || (n->kind != SUM && n->kind != PRODUCT))
        return make_reduction(n, i);
    node *inner = make_node(n->kind, n->place), *outer = make_node(n->kind, n->place);
    outer->grouped = n->grouped;
    unsigned at = 0;
    for (unsigned k = 0; k < n->count; k++) {
        const struct term t = n->term[k];
        if (!(free_letters(t.node) & letter_bit(i))) {
            add_term(outer, t.node, t.inverse);
            continue;
        }
        if (inner->count == 0) at = outer->count, add_term(outer, inner, false);
        add_term(inner, t.node, t.inverse);
    }
    outer->term[at].node = make_reduction(inner, i);
    return outer;
}

/* Puts a sum over every index that the output does not have. */
static void place_reductions(statement *s)
{
    const letters bound = letters_of(s->index);
    for (char i = 'a'; i <= 'z'; i++)
        if (free_letters(s->value) & ~bound & letter_bit(i)) s->value = reduce_over(s->value, i);
}

/* An index of an output cannot be reduced as well. */
static void check_reductions(const node *n, letters bound)
{
    if (n->kind == REDUCTION && (n->over & bound))
        refuse(n->place, "an index of the output, or of a reduction around this one, is reduced");
    if (n->kind == REDUCTION) bound |= n->over;
    for (unsigned k = 0; k < n->count; k++) check_reductions(n->term[k].node, bound);
}

/* >>spell */

/* Of the indices that have one size because they meet in a dimension of a tensor, the first. */
static char size_letter(char i) { return the.alike[i - 'A'] ? the.alike[i - 'A'] : i; }

/* What an expression is written for. */
typedef struct speller {
    enum { NOTATION, STATEMENT, REFERENCE } style; /* index notation; a kernel's statement; dense loops */
    const step *step;                              /* of STATEMENT: its operands have names */
    value_kind kind;                               /* to compute in */
} speller;

enum { COMPARED = 1, ADDED, MULTIPLIED, ATOM }; /* how tightly an expression holds together */
static void spell(text *t, const speller *s, const node *n, int least);
static const char *argument(int n, bool written);

static const char *parameter_name(const step *s, const node *n)
{
    for (unsigned k = 0; k < s->operands; k++)
        if (s->operand[k].kind == VALUE && s->operand[k].tensor == n->tensor &&
            same(s->operand[k].index, n->index))
            return s->operand[k].name;
    return tensor_at(n->tensor)->name;
}

static void spell_subscripts(text *t, const char *index)
{
    for (unsigned d = 0; index[d]; d++) put(t, "%s%c", d ? "," : "(", index[d]);
    if (index[0]) put(t, ")");
}

static value_kind kind_of_tensor(int n) { return tensor_at(n)->kind; }

/* A subscript as one writes it: 2 * i + p + 1; what is subtracted comes last. */
static const char *spell_subscript(const subscript *s, const char *blank)
{
    text t = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (unsigned k = 0; k < s->count; k++) {
            if ((s->step[k] < 0) != (pass == 1)) continue;
            if (t.length) put(&t, "%s%s%s", blank, pass ? "-" : "+", blank);
            if (labs(s->step[k]) != 1) put(&t, "%ld%s*%s", labs(s->step[k]), blank, blank);
            put(&t, "%c", s->index[k]);
        }
        if (pass == 0 && (s->start || t.length == 0))
            put(&t, t.length ? "%s+%s%ld" : "%.0s%.0s%ld", blank, blank, s->start);
    }
    return t.at;
}

/* The name that a kernel has for an array or the size of a level; null if it has none. */
static const char *window_name(const step *s, int a, operand_kind kind, unsigned l)
{
    for (unsigned k = 0; k < s->operands; k++)
        if (s->operand[k].tensor == a && s->operand[k].kind == kind && s->operand[k].level == l)
            return s->operand[k].name;
    return NULL;
}

/* The values of a tensor, or the size of a level, where the driver has the tensor itself. */
static const char *window_argument(int n, operand_kind kind, unsigned l)
{
    const tensor *a = tensor_at(n);
    const char *to = a->role == TEMPORARY || a->role == CONVERTED ? "." : "->";
    if (kind == ARRAY) return print("(const %s *)%s%st.val.at", kinds[a->kind].type, a->name, to);
    return print("%s%st.lvl[%u]", a->name, to, l);
}

/* The entry of a dense array: in the order of levels in a kernel, of dimensions in the check. */
static void spell_window(text *t, const speller *s, const node *n)
{
    const tensor *a = tensor_at(n->tensor);
    const bool reference = s->style == REFERENCE, once = s->style == STATEMENT && s->step->kind == ASSIGNMENT;
    if (s->style == NOTATION) {
        put(t, "%s", a->name);
        for (unsigned d = 0; d < a->rank; d++)
            put(t, "%s%s", d ? "," : "(", spell_subscript(&n->subscript[d], ""));
        put(t, ")");
        return;
    }
    const char *at = NULL;
    for (unsigned l = 0; l < a->rank; l++) {
        const unsigned d = reference ? l : a->encoding.level[l].dim;
        const char *size = reference ? print("%ssize_%c", the.prefix, size_letter(a->index[d]))
                           : once    ? window_argument(n->tensor, LEVEL_SIZE, l)
                                     : window_name(s->step, n->tensor, LEVEL_SIZE, l);
        const char *here = spell_subscript(&n->subscript[d], " ");
        at = l == 0  ? here
             : l > 1 ? print("(%s) * %s + %s", at, size, here)
                     : print(strchr(at, ' ') ? "(%s) * %s + %s" : "%s * %s + %s", at, size, here);
    }
    if (reference) {
        put(t, "%sdense_%s[%s]", the.prefix, a->name, at);
        return;
    }
    if (s->kind != a->kind) put(t, "(%s)", kinds[s->kind].type);
    const char *array = once ? print("(%s)", window_argument(n->tensor, ARRAY, 0))
                             : window_name(s->step, n->tensor, ARRAY, 0);
    put(t, "%s[%s]", array, at);
}

static void spell_access(text *t, const speller *s, const node *n)
{
    if (s->style == NOTATION) {
        put(t, "%s", tensor_at(n->tensor)->name);
        spell_subscripts(t, n->index);
        return;
    }
    if (s->style == REFERENCE) {
        const tensor *a = tensor_at(n->tensor);
        const char *at = n->index[0] ? print("%c", n->index[0]) : "0";
        for (unsigned d = 1; n->index[0] && n->index[d]; d++)
            at = print(d > 1 ? "(%s) * %ssize_%c + %c" : "%s * %ssize_%c + %c", at, the.prefix,
                       size_letter(n->index[d]), n->index[d]);
        put(t, "%sdense_%s[%s]", the.prefix, a->name, at);
        return;
    }
    if (s->kind != kind_of_tensor(n->tensor)) put(t, "(%s)", kinds[s->kind].type);
    put(t, "%s", s->step->kind == ASSIGNMENT ? argument(n->tensor, false) : parameter_name(s->step, n));
}

/* A number as C has it in the type to compute in. */
static void spell_literal(text *t, const speller *s, const node *n)
{
    const bool whole = strpbrk(n->word, ".eE") == NULL;
    if (s->style == NOTATION) {
        put(t, "%s", n->word);
    } else if (is_integer(s->kind)) {
        if (!whole)
            refuse(n->place, "%s is not an integer, and the values are; give the tensors a type with -t",
                   n->word);
        errno = 0;
        const long long number = strtoll(n->word, NULL, 10);
        if (errno) refuse(n->place, "%s is larger than integers of C are", n->word);
        put(t, "%lld", number);
    } else {
        const bool single = s->kind == F32 || s->kind == C64;
        if (strtod(n->word, NULL) > (single ? 3.4e38 : 1.79e308))
            refuse(n->place, "%s is larger than numbers of its type are", n->word);
        put(t, "%s%s%s", n->word, whole ? ".0" : "", single ? "f" : "");
    }
}

/* A choice between two integers, each written out twice. */
static void spell_choice(text *t, const speller *s, const node *n, const char *sign)
{
    put(t, "(");
    spell(t, s, n->term[0].node, ADDED);
    put(t, " %s ", sign);
    spell(t, s, n->term[1].node, ADDED);
    put(t, " ? ");
    spell(t, s, n->term[0].node, ADDED);
    put(t, " : ");
    spell(t, s, n->term[1].node, ADDED);
    put(t, ")");
}

static void spell_arguments(text *t, const speller *s, const node *n, const char *cast)
{
    for (unsigned k = 0; k < n->count; k++) {
        put(t, k ? ", %s" : "%s", cast);
        spell(t, s, n->term[k].node, *cast ? ATOM : COMPARED);
    }
    put(t, ")");
}

static void spell_call(text *t, const speller *s, const node *n)
{
    const function *f = find_function(n->word);
    if (s->style == NOTATION) {
        put(t, "%s(", n->word);
        spell_arguments(t, s, n, "");
        return;
    }
    if (is_complex(s->kind)) refuse(n->place, "functions of complex values are not available");
    if (f == NULL || is_defined_by_user(n->word)) {
        put(t, s->kind == F64 ? "%s%s(" : "(%s)%s(", s->kind == F64 ? "" : kinds[s->kind].type, n->word);
        spell_arguments(t, s, n, s->kind == F64 ? "" : "(double)");
        return;
    }
    if (!is_integer(s->kind)) {
        the.math = true;
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
    for (unsigned k = 0; k < n->count; k++) {
        if (k)
            put(t, n->term[k].inverse ? " - " : " + ");
        else if (n->term[k].inverse)
            put(t, "-");
        spell(t, s, n->term[k].node, n->count == 1 ? ATOM : MULTIPLIED);
    }
}

static void spell_product(text *t, const speller *s, const node *n)
{
    for (unsigned k = 0; k < n->count; k++) {
        if (n->term[k].inverse && is_integer(s->kind) && s->style != NOTATION)
            refuse(n->term[k].node->place,
                   "division of integers is not available; give the tensors a type with -t");
        if (k)
            put(t, n->term[k].inverse ? " / " : " * ");
        else if (n->term[k].inverse)
            put(t, s->kind == F32 || s->kind == C64 ? "1.0f / " : "1.0 / ");
        spell(t, s, n->term[k].node, ATOM);
    }
}

static void spell_comparison(text *t, const speller *s, const node *n)
{
    if (s->style != NOTATION) {
        if (is_complex(s->kind)) refuse(n->place, "comparisons of complex values are not available");
        put(t, "(%s)(", kinds[s->kind].type);
    }
    spell(t, s, n->term[0].node, ADDED);
    put(t, " %s ", n->word);
    spell(t, s, n->term[1].node, ADDED);
    if (s->style != NOTATION) put(t, ")");
}

/* In notation a reduction is written out; among dense loops it is a function of the indices around it. */
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

/* The product of a semiring: a + b, fmin(a, b), or a and b. */
static void spell_semiring_product(text *t, const speller *s, const node *n, int least)
{
    const char *times = the.semiring->times;
    const bool call = times[0] == 'f', truth = same(times, " && ");
    const bool grouped = truth || (!call && least > COMPARED);
    if (truth) put(t, "(%s)", kinds[s->kind].type);
    for (unsigned k = 0; call && k + 1 < n->count; k++) put(t, "%s%s(", times, s->kind == F32 ? "f" : "");
    if (grouped) put(t, "(");
    for (unsigned k = 0; k < n->count; k++) {
        if (k) put(t, "%s", call ? ", " : times);
        spell(t, s, n->term[k].node, ATOM);
        if (truth) put(t, s->kind == F32 ? " != 0.0f" : " != 0.0");
        if (call && k) put(t, ")");
    }
    if (grouped) put(t, ")");
}

/* Writes an expression, in parentheses if it holds together less than it has to. */
static void spell(text *t, const speller *s, const node *n, int least)
{
    const int holds = n->kind == COMPARISON  ? s->style == NOTATION ? COMPARED : ATOM
                      : n->kind == SUM       ? ADDED
                      : n->kind == PRODUCT   ? MULTIPLIED
                      : n->kind == REDUCTION ? s->style == NOTATION ? MULTIPLIED : ATOM
                                             : ATOM;
    if (n->kind == PRODUCT && the.semiring && s->style != NOTATION) {
        spell_semiring_product(t, s, n, least);
        return;
    }
    if (holds < least) put(t, "(");
    switch (n->kind) {
    case LITERAL:
        spell_literal(t, s, n);
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
    case REDUCTION:
        spell_reduction(t, n, s);
        break;
    }
    if (holds < least) put(t, ")");
}

/* An expression in index notation. */
static const char *describe(const node *n)
{
    text t = {0};
    spell(&t, &(speller){.style = NOTATION}, n, COMPARED);
    return t.at;
}

/* The type to compute an expression in, if the result goes into a tensor of this type. */
static value_kind kind_of(const node *n, value_kind k)
{
    if (is_access(n)) k = join(k, kind_of_tensor(n->tensor));
    for (unsigned c = 0; c < n->count; c++) k = kind_of(n->term[c].node, k);
    return k;
}

/* The output as a value of the type to compute in. */
static const char *old_value(const step *k, const speller *s, const char *y)
{
    return s->kind == kind_of_tensor(k->output) ? y : print("(%s)%s", kinds[s->kind].type, y);
}

/* max(y, body), or the same of another function for real values. */
static void put_function_of(text *t, const speller *s, const char *name, const char *a, const char *b)
{
    the.math = true;
    put(t, "%s%s(%s, %s)", name, s->kind == F32 ? "f" : "", a, b);
}

/* A product, maximum or minimum of the output, which begins with the identity, and the expression. */
static void put_selection(text *t, const step *k, const speller *s, const char *y)
{
    text value = {0};
    const bool product = same(k->reduction, "prod");
    const char *old = old_value(k, s, y), *sign = same(k->reduction, "max") ? ">" : "<";
    if (is_complex(s->kind) && !product) refuse(k->body->place, "complex values have no order");
    spell(&value, s, k->body, product || is_integer(s->kind) ? ATOM : COMPARED);
    if (product)
        put(t, "%s * %s", old, value.at);
    else if (is_integer(s->kind))
        put(t, "%s %s %s ? %s : %s", value.at, sign, old, value.at, old);
    else
        put_function_of(t, s, same(k->reduction, "max") ? "fmax" : "fmin", old, value.at);
}

/* What is assigned to the output, where that is more than the expression itself. */
static void put_assigned(text *t, const step *k, const speller *s, const char *y)
{
    text value = {0};
    if (k->reduction && !same(k->reduction, "sum")) {
        put_selection(t, k, s, y);
    } else if (k->accumulate && the.semiring) {
        spell(&value, s, k->body, COMPARED);
        put_function_of(t, s, the.semiring->plus, old_value(k, s, y), value.at);
    } else {
        if (k->accumulate) put(t, "%s + ", old_value(k, s, y));
        spell(t, s, k->body, k->accumulate ? MULTIPLIED : COMPARED);
    }
}

/* The operations in an expression, as it is written. */
static unsigned operations_of(const node *n)
{
    unsigned count = n->kind == CALL || n->kind == COMPARISON;
    if (n->kind == SUM || n->kind == PRODUCT) count = n->count - 1;
    for (unsigned k = 0; k < n->count; k++) count += operations_of(n->term[k].node);
    return count;
}

/* The statement of a kernel: y += body, y -= body, or y = something, converted if it has another type. */
static const char *spell_statement(const step *k)
{
    const tensor *out = tensor_at(k->output);
    const speller s = {STATEMENT, k, kind_of(k->body, out->kind)};
    const char *const y = k->kind == ASSIGNMENT ? argument(k->output, false) : out->name;
    const bool cast = s.kind != out->kind || out->kind <= U16; /* C computes with int at least */
    const bool linear = k->accumulate && !the.semiring && (!k->reduction || same(k->reduction, "sum"));
    const bool negative = k->body->kind == SUM && k->body->count == 1 && k->body->term[0].inverse;
    text t = {0};
    const unsigned count = operations_of(k->body) + (linear || k->reduction || k->accumulate);
    if (the.counting && k->condition) put(&t, "if (%s) ", k->condition);
    if (the.counting && k->kind == KERNEL) put(&t, "%soperations += %u; ", the.prefix, count);
    if (k->condition) put(&t, "if (%s) ", k->condition);
    if (linear && !cast) {
        put(&t, negative ? "%s -= " : "%s += ", y);
        spell(&t, &s, negative ? k->body->term[0].node : k->body, negative ? MULTIPLIED : COMPARED);
        return t.at;
    }
    put(&t, "%s = ", y);
    if (cast) put(&t, "(%s)(", kinds[out->kind].type);
    put_assigned(&t, k, &s, y);
    if (cast) put(&t, ")");
    return t.at;
}

/* >>region */

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
        r->kind = EVERYWHERE; /* more than a kernel line can hold; a larger region is right as well */
}

static unsigned operands_of(const region *r)
{
    unsigned set = r->kind == STORED && r->operand >= 0 ? 1u << r->operand : 0;
    for (unsigned k = 0; k < r->count; k++) set |= operands_of(r->child[k]);
    return set;
}

/* One more operand of a kernel, by its number. */
static int add_operand(step *k, int read, const char *name, const char *index, spot place)
{
    if (k->operands + 1 == MAX_OPERANDS)
        refuse(place,
               "a kernel has at most %d operands, its output among them; use statements with temporaries",
               MAX_OPERANDS);
    operand *o = &k->operand[k->operands];
    o->tensor = o->stored = read;
    o->name = name;
    strcpy(o->index, index);
    return (int)k->operands++;
}

/* The operand of the kernel that an access stands for; makes it if there is none. */
static int operand_of(step *k, const node *n)
{
    const char *name = tensor_at(n->tensor)->name;
    for (unsigned o = 0; o < k->operands; o++)
        if (k->operand[o].kind == VALUE && k->operand[o].tensor == n->tensor &&
            same(k->operand[o].index, n->index))
            return (int)o;
    for (unsigned other = 0; other < k->operands; other++)
        if (k->operand[other].tensor == n->tensor)
            name = print("%s_%s", tensor_at(n->tensor)->name, n->index);
    return add_operand(k, n->tensor, name, n->index, n->place);
}

static const char *fresh_name(const char *wish);

/* The operands for a window: the array, and the sizes of all levels but the outermost. */
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

/* The value of an expression where no sparse operand is stored, if that is a matter of constants. */
static bool value_of_absence(const node *n, double *value)
{
    double v[2] = {0, 0};
    if (n->kind == ACCESS) {
        *value = 0;
        return !is_dense(&tensor_at(n->tensor)->encoding) && tensor_at(n->tensor)->rank;
    }
    if (n->kind == LITERAL) {
        *value = strtod(n->word, NULL);
        return true;
    }
    if (n->kind == COORDINATE || n->kind == WINDOW || n->kind == REDUCTION ||
        (n->kind == CALL && !find_function(n->word)))
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
    if (n->kind == COMPARISON) {
        const bool equal = !(v[0] < v[1]) && !(v[0] > v[1]);
        *value = n->word[0] == '<'   ? v[0] < v[1]
                 : n->word[0] == '>' ? v[0] > v[1]
                 : n->word[0] == '=' ? equal
                                     : !equal;
        if (n->word[1] == '=' && n->word[0] != '!' && equal) *value = 1;
    }
    return true;
}

/* Where an expression can be nonzero. Makes the operands of the kernel on the way, in order. */
static region *simplify(region *r);

static region *region_of(step *k, const node *n)
{
    if (n->kind == ACCESS) {
        const tensor *t = tensor_at(n->tensor);
        if (n->tensor == k->output) return make_region(EVERYWHERE, 0);
        const int o = operand_of(k, n);
        return t->rank == 0 || is_dense(&t->encoding) ? make_region(EVERYWHERE, 0) : make_region(STORED, o);
    }
    if (n->kind == WINDOW) add_window(k, n);
    if (n->kind == LITERAL || n->kind == COORDINATE || n->kind == WINDOW) return make_region(EVERYWHERE, 0);
    region *r = make_region(n->kind == PRODUCT ? ALL : ANY, 0);
    double zero = 1;
    if (n->kind != SUM && n->kind != PRODUCT &&
        (!value_of_absence(n, &zero) || zero < 0 || zero > 0 || zero != zero)) {
        /* dense operands are there everywhere anyway; with them the value can be anything */
        r->kind = EVERYWHERE;
    }
    for (unsigned c = 0; c < n->count; c++) {
        const node *term = n->term[c].node;
        region *child = region_of(k, term);
        if (n->kind == PRODUCT && n->term[c].inverse) {
            if (simplify(child)->kind != EVERYWHERE)
                refuse(term->place, "%s is sparse: this divides by the zeros that it does not store",
                       describe(term));
            continue;
        }
        if (term->kind == LITERAL && n->kind != PRODUCT && n->kind != SUM) continue;
        if (r->kind != EVERYWHERE) add_child(r, child);
    }
    if (n->kind == PRODUCT && r->count == 0) r->kind = EVERYWHERE;
    return r;
}

/* Adds to r the children of child if it is of the same kind, else child itself; once each. */
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

/* Drops what is everywhere from intersections, which takes unions everywhere; flattens. */
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

/* any(...) of all operands in a set: the largest region with these operands, so never wrong. */
static region *union_of(unsigned set)
{
    region *r = make_region(ANY, 0);
    for (int o = 0; o < MAX_OPERANDS; o++)
        if (set >> o & 1) add_child(r, make_region(STORED, o));
    return r->count == 1 ? r->child[0] : r;
}

/* The operands that a region needs at all of its coordinates, as far as one sees. */
static unsigned conjuncts(const region *r)
{
    unsigned set = r->kind == STORED ? 1u << r->operand : 0;
    for (unsigned k = 0; r->kind == ALL && k < r->count; k++)
        if (r->child[k]->kind == STORED) set |= 1u << r->child[k]->operand;
    return set;
}

/* A conjunction without some operands; null if nothing is left. */
static region *without(const region *r, unsigned set)
{
    region *s = make_region(ALL, 0);
    if (r->kind == STORED) return NULL;
    for (unsigned k = 0; k < r->count; k++)
        if (r->child[k]->kind != STORED || !(set >> r->child[k]->operand & 1)) add_child(s, r->child[k]);
    if (s->count == 0) return NULL;
    return s->count == 1 ? s->child[0] : s;
}

static region *read_once(region *r);

/* Some children of a union that share operands: A B + A C is A (B + C); A + A B is A. Else all operands. */
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

/* A region in which every operand comes once, as in a kernel line; equal, or larger where that cannot be. */
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

/* A region that nests at most so deep. */
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

/* The tree of a kernel line: the region, and the operands that do not restrict it. -1 stands for a scalar
   that is there everywhere. */
static region *tree_of(const step *k, region *where)
{
    unsigned everywhere = 0, others;
    for (unsigned o = 0; o < k->operands; o++) {
        const tensor *t = tensor_at(k->operand[o].tensor);
        if (t->rank == 0 || is_dense(&t->encoding)) everywhere |= 1u << o;
    }
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

/* >>lower */

/* A term of the right side: +- op(over) body. */
typedef struct summand {
    bool negative;
    const char *reduction; /* null: none */
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

/* Sums inside of products move to the outside, sum(j) A(i,j) x(j) b(i), where that does not repeat them: no
   other factor has an index that the sum lacks. A factor in parentheses inside another sum stays by itself.
 */
static node *absorb(node *n, letters *over, bool nested)
{
    if (n->kind == REDUCTION && nested && same(n->word, "sum") && !n->grouped && !(n->over & *over)) {
        *over |= n->over;
        return absorb(n->term[0].node, over, true);
    }
    if (n->kind != PRODUCT) return n;
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
            for (unsigned m = 0; m < inner->count; m++)
                add_term(product, inner->term[m].node, inner->term[m].inverse);
    }
    return product;
}

/* Splits an expression into what is added up. */
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

/* A name that nothing has yet. */
static const char *fresh_name(const char *wish)
{
    const char *name = wish;
    for (unsigned n = 2; find_tensor(name) >= 0 || is_reserved(name); n++) name = print("%s_%u", wish, n);
    return name;
}

static bool is_compressed_at(const tensor *t, const char *index, char i)
{
    for (unsigned l = 0; l < t->encoding.levels; l++) {
        const level *v = &t->encoding.level[l];
        if (index[v->dim] == i && v->format != DENSE) return true;
    }
    return false;
}

/* Whether a temporary for an expression should compress its dimension i (document 002, 5.1): after an
   addition if all operands do, after a multiplication if any does. */
static bool estimate(const node *n, char i)
{
    double zero;
    bool all = n->count > 0, any = false;
    switch (n->kind) {
    case ACCESS:
        return is_compressed_at(tensor_at(n->tensor), n->index, i);
    case LITERAL:
    case COORDINATE:
    case WINDOW:
        return false;
    case REDUCTION:
        return same(n->word, "sum") && estimate(n->term[0].node, i);
    case CALL:
    case COMPARISON:
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

/* The encoding of a temporary: dense dimensions, then compressed ones. */
static encoding estimate_encoding(const node *n, const char *index)
{
    char formats[MAX_RANK + 1] = {0}, order[MAX_RANK + 1] = {0};
    unsigned l = 0;
    for (unsigned wanted = 0; wanted < 2; wanted++)
        for (unsigned d = 0; index[d]; d++)
            if (estimate(n, index[d]) == (wanted == 1))
                formats[l] = "dc"[wanted], order[l++] = (char)('0' + d);
    encoding e = make_encoding(NULL, NULL, formats, order);
    name_encoding(&e);
    return e;
}

static void lower(int output, const char *index, bool accumulate, node *value, spot place);

/* A tensor for an expression over its free indices; statements that repeat an expression share it. */
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
        if (known[k].statement == the.current && same(known[k].text, said)) {
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
    t->kind = I8;
    t->kind = kind_of(n, t->kind);
    t->encoding = n->kind == ACCESS ? dense_encoding(rank) : estimate_encoding(n, access->index);
    if (count < MAX_TENSORS) known[count++] = (struct known){said, access->tensor, the.current};
    put(&the.notes, "%s = %s is a temporary\n",
        print("%s%s%s%s", name, rank ? "(" : "", access->index, rank ? ")" : ""), said);
    lower(access->tensor, access->index, false, n, n->place);
    return access;
}

static bool has_repeated_index(const node *n)
{
    for (const char *i = n->index; n->kind == ACCESS && *i; i++)
        if (strchr(i + 1, *i)) return true;
    return false;
}

/* The expression without reductions and diagonals: those are computed before, into temporaries. */
static node *purified(node *n, const char *wish)
{
    if (n->kind == REDUCTION) return make_temporary(n, wish);
    if (has_repeated_index(n)) return make_temporary(n, wish);
    for (unsigned k = 0; k < n->count; k++) n->term[k].node = purified(n->term[k].node, wish);
    return n;
}

/* Gives the repeated indices of an access letters of their own, and writes the condition that they agree. */
static void spread_diagonal(node *n, letters used, letters *over, text *condition)
{
    for (unsigned d = 1; n->index[d]; d++)
        for (unsigned e = 0; e < d; e++)
            if (n->index[d] == n->index[e]) {
                char fresh = 'a';
                while (fresh <= 'z' && (used & letter_bit(fresh))) fresh++;
                if (fresh > 'z') refuse(n->place, "no letter is left for an index");
                used |= letter_bit(fresh);
                *over |= letter_bit(fresh);
                put(condition, "%s%c == %c", condition->length ? " && " : "", n->index[e], fresh);
                n->index[d] = fresh;
                break;
            }
}

/* The letters that a fresh index must not have: those of the kernel, and scalars and tensors of one letter.
 */
static letters taken_letters(const node *n, const char *index, letters over)
{
    letters used = all_letters(n) | letters_of(index) | over;
    for (int k = 0; k < the.tensors; k++) {
        const char *name = tensor_at(k)->name;
        if (islower((unsigned char)name[0]) && !name[1]) used |= letter_bit(name[0]);
    }
    return used;
}

/* The identity of the semiring as a value of some type. */
static const char *identity_of(value_kind k)
{
    const char *identity = the.semiring->identity;
    if (same(identity, "0")) return "0";
    the.math = true;
    return print("%s%s", identity, k == F32 ? "F" : "");
}

/* What a product, maximum or minimum of values of some type begins with. */
static const char *identity_of_reduction(const char *reduction, value_kind k)
{
    const bool most = same(reduction, "max");
    if (same(reduction, "prod")) return "1";
    if (is_integer(k) && kinds[k].type[0] == 'u' && most) return "0";
    if (is_integer(k)) {
        const char *type = upper(kinds[k].type);
        return print("%.*s%s", (int)strlen(type) - 1, type, most ? "MIN" : "MAX");
    }
    the.math = true;
    return print("%sHUGE_VAL%s", most ? "-" : "", k == F32 ? "F" : "");
}

static int add_step(step_kind kind, int output, spot place)
{
    if (the.steps == MAX_STEPS) refuse(place, "the statements need more than %d kernels", MAX_STEPS);
    step *k = &the.step[the.steps];
    *k = (step){.kind = kind, .output = output, .stored = output};
    return the.steps++;
}

static bool is_sparse(int n) { return tensor_at(n)->rank > 0 && !is_dense(&tensor_at(n)->encoding); }

/* True if a kernel over this tree comes by every coordinate. */
static bool is_whole(const step *k, const region *r)
{
    if (r->kind == STORED) return r->operand < 0 || !is_sparse(k->operand[r->operand].tensor);
    for (unsigned c = 0; c < r->count; c++)
        if (is_whole(k, r->child[c]) != (r->kind == ALL)) return r->kind != ALL;
    return r->kind == ALL;
}

/* What the output of a kernel begins with; null: with what it holds, or it does not matter. */
static const char *initial_of(const step *k, bool accumulate)
{
    const value_kind kind = tensor_at(k->output)->kind;
    if (accumulate || k->reads_output) return NULL;
    if (the.semiring) return identity_of(kind);
    if (k->reduction && !same(k->reduction, "sum")) return identity_of_reduction(k->reduction, kind);
    if (is_sparse(k->output)) return NULL;
    return k->accumulate || !is_whole(k, k->region) ? "0" : NULL;
}

/* All indices of an expression but those that are only in subscripts such as i + p. */
static letters ranged_letters(const node *n)
{
    letters set = n->kind == WINDOW ? 0 : has_letters(n) ? letters_of(n->index) : n->over;
    for (unsigned k = 0; k < n->count; k++) set |= ranged_letters(n->term[k].node);
    return set;
}

/* One kernel: output (+)= op(over) body. */
static void add_kernel(int output, const char *index, bool accumulate, const char *reduction, letters over,
                       node *body, spot place)
{
    step *k = &the.step[add_step(KERNEL, output, place)];
    text condition = {0};
    strcpy(k->index, index);
    k->accumulate = accumulate || (reduction && same(reduction, "sum"));
    k->reduction = reduction;
    k->over = over;
    k->body = body;
    k->reads_output = reads_tensor(body, output);
    if (has_repeated_index(body))
        spread_diagonal(body, taken_letters(body, index, over), &k->over, &condition);
    for (unsigned c = 0; body->kind == PRODUCT && c < body->count; c++)
        if (has_repeated_index(body->term[c].node))
            spread_diagonal(body->term[c].node, taken_letters(body, index, k->over), &k->over, &condition);
    k->condition = condition.at;
    if (k->reads_output && is_sparse(output)) {
        k->updates = true;
        bool factor = false;
        for (unsigned c = 0; body->kind == PRODUCT && c < body->count; c++)
            factor = factor || (!body->term[c].inverse && body->term[c].node->kind == ACCESS &&
                                body->term[c].node->tensor == output);
        if (!factor)
            refuse(place,
                   "%s is sparse and on both sides: that works as a factor, which changes stored values in "
                   "place; else assign to another tensor",
                   tensor_at(output)->name);
    }
    region *where = read_once(simplify(region_of(k, body)));
    const bool replaced = k->reads_output && !accumulate && !k->updates; /* y = y * x, zeros included */
    if (replaced && the.semiring && where->kind != EVERYWHERE)
        refuse(place, "%s is on both sides; with a semiring assign to another tensor",
               tensor_at(output)->name);
    if (k->updates || replaced || (reduction && !same(reduction, "sum"))) where = make_region(EVERYWHERE, 0);
    if (is_sparse(output) && !k->updates)
        for (const char *i = index; *i; i++)
            if (!(ranged_letters(body) & letter_bit(*i)))
                refuse(place,
                       "%s is sparse, but no operand has its index %c, so it would be full; make it dense",
                       tensor_at(output)->name, *i);
    k->region = tree_of(k, where);
    k->initial = initial_of(k, accumulate);
}

/* The summands of one kernel as an expression. */
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

/* Brings summands that are reduced alike together; those without a reduction come first. */
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
                if (!done[m] && same_reduction(&s->at[k], &s->at[m]))
                    sorted.at[sorted.count++] = s->at[m], done[m] = true;
        }
    *s = sorted;
    return groups;
}

/* An output that is read on the right: y = y + b is y += b; else it is changed place by place. */
static bool take_out_output(summands *s, int output, const char *index, spot place)
{
    unsigned plain = s->count, readers = 0;
    for (unsigned k = 0; k < s->count; k++) {
        if (!reads_tensor(s->at[k].body, output)) continue;
        readers++;
        const node *b = s->at[k].body;
        if (b->kind == ACCESS && !s->at[k].negative && !s->at[k].reduction && same(b->index, index))
            plain = k;
    }
    if (readers == 0) return false;
    tensor_at(output)->updated = true;
    if (readers == 1 && plain < s->count && !is_sparse(output) && s->count > 1) {
        memmove(&s->at[plain], &s->at[plain + 1], (--s->count - plain) * sizeof *s->at);
        return true;
    }
    for (unsigned k = 0; k < s->count; k++)
        if (s->at[k].reduction)
            refuse(place, "%s is on both sides of a reduction; assign to another tensor",
                   tensor_at(output)->name);
    return false;
}

static void check_output_access(const node *n, int output, const char *index)
{
    if (is_access(n) && n->tensor == output && (n->kind == WINDOW || !same(n->index, index)))
        refuse(n->place, "%s is on both sides with different indices; assign to another tensor",
               tensor_at(output)->name);
    for (unsigned k = 0; k < n->count; k++) check_output_access(n->term[k].node, output, index);
}

static bool is_diagonal_product(const node *n)
{
    if (has_repeated_index(n)) return true;
    for (unsigned k = 0; n->kind == PRODUCT && k < n->count; k++)
        if (!n->term[k].inverse && has_repeated_index(n->term[k].node)) return true;
    return false;
}

/* A summand that is reduced as a temporary, which takes its place. */
static summand reduced_before(const summand *a, const char *index)
{
    node *n = make_node(REDUCTION, a->body->place);
    n->word = a->reduction;
    n->over = a->over;
    add_term(n, a->body, false);
    return (summand){a->negative, NULL, 0, make_temporary(n, index)};
}

/* Lowers output (+)= value to kernels: one for each set of indices that is summed. */
static void lower(int output, const char *index, bool accumulate, node *value, spot place)
{
    summands s = {0};
    check_output_access(value, output, index);
    split(&s, value, false);
    accumulate |= take_out_output(&s, output, index, place);
    unsigned groups = group_summands(&s);
    const bool sparse = is_sparse(output);
    for (unsigned k = 0; k < s.count; k++) {
        summand *a = &s.at[k];
        const bool linear = a->reduction == NULL || same(a->reduction, "sum");
        if ((linear && (groups == 1 || !sparse)) || s.count == 1) {
            const bool diagonal = s.count == 1 && linear && !sparse && is_diagonal_product(a->body);
            for (unsigned c = 0; diagonal && c < a->body->count; c++)
                if (!has_repeated_index(a->body->term[c].node))
                    a->body->term[c].node = purified(a->body->term[c].node, index);
            if (!diagonal) a->body = purified(a->body, index);
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
        const summand *a = &s.at[from];
        if (sparse && accumulate)
            refuse(place, "%s is sparse: what it holds cannot be added to; assign to another tensor",
                   tensor_at(output)->name);
        if (to == from + 1 && a->negative && a->reduction && !same(a->reduction, "sum")) /* -max(j) A(i,j) */
            s.at[from] = reduced_before(a, index);
        node *body = sum_of(a, to - from);
        add_kernel(output, index, accumulate || from > 0, a->reduction, a->over, body, place);
    }
}

/* With a semiring a statement is one product: what + means between terms would depend on what is stored. */
static void check_semiring(const node *n)
{
    static const char *const sentence = "with a semiring the right side is a product of tensors";
    if (n->kind == SUM || n->kind == COMPARISON || n->kind == CALL ||
        (n->kind == REDUCTION && !same(n->word, "sum")))
        refuse(n->place, "%s", sentence);
    if (is_access(n) && kind_of_tensor(n->tensor) != F64 && kind_of_tensor(n->tensor) != F32)
        refuse(n->place, "semirings are there for double and float");
    for (unsigned k = 0; k < n->count; k++) {
        if (n->term[k].inverse) refuse(n->term[k].node->place, "%s", sentence);
        check_semiring(n->term[k].node);
    }
}

static void lower_statement(statement *s)
{
    if (the.semiring) {
        check_semiring(s->value);
        if (is_integer(tensor_at(s->output)->kind) || is_complex(tensor_at(s->output)->kind))
            refuse(s->place, "semirings are there for double and float");
    }
    tensor *out = tensor_at(s->output);
    text left = {0};
    put(&left, "%s", out->name);
    spell_subscripts(&left, s->index);
    s->text = print("%s %s %s", left.at, s->accumulate ? "+=" : "=", describe(s->value));
    the.current++;
    if (s->accumulate && !out->assigned) out->updated = true;
    place_reductions(s);
    check_reductions(s->value, letters_of(s->index));
    lower(s->output, s->index, s->accumulate, clone(s->value), s->place);
    out->assigned = true;
}

/* >>schedule */

/* What a kernel needs of the order of its loops: before[b] has bit a if loop a must be outside of loop b. */
typedef struct graph {
    unsigned loops;
    loop loop[MAX_LOOPS];
    unsigned before[MAX_LOOPS];
    unsigned converted; /* operands that will be stored as the loops run */
} graph;

static int find_loop(const graph *g, char index, level_part part)
{
    for (unsigned l = 0; l < g->loops; l++)
        if (g->loop[l].index == index && (g->loop[l].part == part || g->loop[l].part == WHOLE)) return (int)l;
    return -1;
}

/* The loops of level v of an operand: that of its index, or the one over blocks or inside them. */
static int loop_of_level(const graph *g, const level *v, const char *index)
{
    return find_loop(g, index[v->dim], v->part);
}

/* Every sparse level comes after the levels above it; of an output that is assembled, every level. */
static void add_order(graph *g, const encoding *e, const char *index, bool whole)
{
    for (unsigned l = 0; l < e->levels; l++) {
        if (e->level[l].format == DENSE && !whole) continue;
        const int inner = loop_of_level(g, &e->level[l], index);
        for (unsigned k = 0; k < l; k++) {
            const int outer = loop_of_level(g, &e->level[k], index);
            if (outer != inner) g->before[inner] |= 1u << outer;
        }
    }
}

static const encoding *stored_encoding(const operand *o) { return &tensor_at(o->stored)->encoding; }

/* The size of the blocks in which an operand stores an index; 0 if it does not. */
static unsigned long block_size(const operand *o, char i)
{
    const encoding *e = stored_encoding(o);
    for (unsigned l = 0; l < e->levels; l++)
        if (o->index[e->level[l].dim] == i && e->level[l].part != WHOLE && !is_dense(e))
            return e->level[l].size;
    return 0;
}

/* True if the operand stores index i in a sparse level. */
static bool stores(const operand *o, char i)
{
    return tensor_at(o->stored)->rank && is_compressed_at(tensor_at(o->stored), o->index, i);
}

static operand output_operand(const step *k)
{
    operand o = {.tensor = k->output, .stored = k->stored, .name = tensor_at(k->output)->name};
    strcpy(o.index, k->index);
    return o;
}

/* True if levels of this encoding can drive a loop but not be merged with others. */
static bool must_drive_alone(const encoding *e)
{
    for (unsigned l = 0; l < e->levels; l++)
        if (e->level[l].properties & NONORDERED) return true;
    return e->levels > 0 && (e->level[e->levels - 1].properties & NONUNIQUE);
}

/* Why an operand has to be converted whatever the order of the loops; null if it need not be. */
static const char *reason_to_convert(const step *k, unsigned n, const graph *g)
{
    const operand *o = &k->operand[n];
    const encoding *e = stored_encoding(o);
    if (tensor_at(o->stored)->rank == 0 || is_dense(e)) return NULL;
    for (unsigned d = 0; o->index[d]; d++) {
        const int l = find_loop(g, o->index[d], FLOORDIV);
        const bool blocked = block_size(o, o->index[d]) != 0;
        if (blocked && g->loop[l].part == WHOLE) return "its blocks do not fit the other operands";
    }
    if (!must_drive_alone(e)) return NULL;
    bool alone = k->region->kind == ALL && (conjuncts(k->region) >> n & 1);
    for (unsigned m = 0; m < k->operands; m++)
        for (unsigned d = 0; m != n && o->index[d]; d++)
            if (stores(&k->operand[m], o->index[d])) alone = false;
    const operand out = output_operand(k);
    for (unsigned d = 0; o->index[d]; d++)
        if (k->updates && stores(&out, o->index[d])) alone = false;
    if (!k->updates && is_sparse(k->output)) alone = false;
    return alone ? NULL : "entries out of order, or several at one place, cannot be merged with others";
}

/* The indices of a kernel, those of the output first, then in the order in which operands have them. */
static unsigned indices_of(const step *k, char index[27])
{
    unsigned count = 0;
    text all = {0};
    put(&all, "%s", k->index);
    for (unsigned o = 0; o < k->operands; o++) put(&all, "%s", k->operand[o].index);
    for (const char *i = all.at; *i; i++)
        if (!memchr(index, *i, count)) index[count++] = *i;
    for (char i = 'a'; i <= 'z'; i++) /* a coordinate that no operand has */
        if (((k->over | all_letters(k->body)) & letter_bit(i)) && !memchr(index, i, count))
            index[count++] = i;
    index[count] = '\0';
    return count;
}

/* The loops of a kernel; an index is split if all that store it sparsely store it in the same blocks. What
   will be converted is not in blocks any more. */
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
            if (strchr(p->index, index[c]) == NULL || is_dense(e)) continue;
            const unsigned long b = converted >> o & 1 ? 0 : block_size(p, index[c]);
            if (size && b != size) same_blocks = false;
            if (!b) same_blocks = false;
            size = b ? b : size;
        }
        const bool split = size && same_blocks;
        if (g->loops + (split ? 2u : 1u) > MAX_LOOPS)
            refuse(place, "a kernel has at most %d loops", MAX_LOOPS);
        g->loop[g->loops++] = (loop){index[c], split ? FLOORDIV : WHOLE, size};
        if (split) {
            g->loop[g->loops] = (loop){index[c], MOD, size};
            g->before[g->loops] |= 1u << (g->loops - 1);
            g->loops++;
        }
    }
}

/* The order that the user wants, between all loops of the indices that he names. */
static void add_user_order(graph *g)
{
    for (const char *a = the.order; *a; a++)
        for (const char *b = a + 1; *b; b++)
            for (unsigned x = 0; x < g->loops; x++)
                for (unsigned y = 0; y < g->loops; y++)
                    if (g->loop[x].index == *a && g->loop[y].index == *b) g->before[y] |= 1u << x;
}

static double assumed_size(char i)
{
    const unsigned long n = the.size[size_letter(i) - 'A'];
    return n ? (double)n : 1000;
}

enum { ASSUMED_SPARSITY = 20 }; /* a sparse level stores one coordinate of so many */

static unsigned bits_of(unsigned set)
{
    unsigned n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}

/* How many iterations a loop is thought to have. */
static double trips(const step *k, const graph *g, const region *r, const loop *l, letters outside)
{
    double n = assumed_size(l->index);
    if (l->part == FLOORDIV) n /= (double)l->size;
    if (l->part == MOD) n = (double)l->size;
    if (r->kind == STORED && r->operand >= 0 && l->part != MOD) {
        const operand *o = &k->operand[r->operand];
        if (!(g->converted >> r->operand & 1)) return stores(o, l->index) ? n / ASSUMED_SPARSITY : n;
        const encoding *e = stored_encoding(o);
        const unsigned depth = bits_of(letters_of(o->index) & outside);
        const bool dense = !strchr(o->index, l->index) || (is_plain(e) && e->level[depth].format == DENSE);
        return dense ? n : n / ASSUMED_SPARSITY;
    }
    if (r->count == 0) return n;
    double sum = 0, least = n;
    for (unsigned c = 0; c < r->count; c++) {
        const double t = trips(k, g, r->child[c], l, outside);
        sum += t;
        least = t < least ? t : least;
    }
    if (r->kind == ALL) return least;
    return sum < n ? sum : n;
}

/* True if consecutive coordinates of loop l are not consecutive values of the dense operand. */
static bool strides(const operand *o, const loop *l)
{
    const encoding *e = stored_encoding(o);
    return is_dense(e) && e->levels && strchr(o->index, l->index) &&
           o->index[e->level[e->levels - 1].dim] != l->index;
}

/* What the loops cost in this order: iterations at all depths, and strides of the innermost one. */
static double cost_of(const step *k, const graph *g, const unsigned order[])
{
    double runs = 1, cost = 0;
    letters outside = 0;
    const operand out = output_operand(k);
    bool reduced = false;
    for (unsigned n = 0; n < g->loops; n++) {
        const loop *l = &g->loop[order[n]];
        const double t = trips(k, g, k->region, l, outside);
        outside |= letter_bit(l->index);
        runs *= t > 1 ? t : 1;
        cost += runs;
        const bool is_output = strchr(k->index, l->index) != NULL;
        if (is_output && reduced && is_sparse(k->output)) cost += runs; /* a workspace */
        reduced = reduced || !is_output;
    }
    const loop *inner = g->loops ? &g->loop[order[g->loops - 1]] : NULL;
    for (unsigned o = 0; inner && o < k->operands; o++) cost += strides(&k->operand[o], inner) ? runs : 0;
    if (inner && strides(&out, inner)) cost += runs;
    return cost;
}

/* The cheapest topological order of the graph; infinite if it has a cycle. */
static double best_order(const step *k, const graph *g, unsigned depth, unsigned used, unsigned order[],
                         unsigned best[], double least)
{
    if (depth == g->loops) {
        const double cost = cost_of(k, g, order);
        if (cost < least) memcpy(best, order, g->loops * sizeof *order);
        return cost < least ? cost : least;
    }
    for (unsigned l = 0; l < g->loops; l++) {
        if ((used >> l & 1) || (g->before[l] & ~used)) continue;
        order[depth] = l;
        least = best_order(k, g, depth + 1, used | 1u << l, order, best, least);
    }
    return least;
}

/* What it costs to convert a tensor: its entries, a few times over. */
static double conversion_cost(int n)
{
    const tensor *t = tensor_at(n);
    double entries = 1;
    for (unsigned d = 0; d < t->rank; d++) entries *= assumed_size(t->index[d]);
    return 10 * entries / ASSUMED_SPARSITY;
}

/* The graph of a kernel, if the operands of the set are converted and so follow any order. */
static graph graph_of(const step *k, unsigned converted, spot place)
{
    graph g;
    make_loops(k, &g, converted, place);
    g.converted = converted;
    for (unsigned o = 0; o < k->operands; o++)
        if (!(converted >> o & 1) && tensor_at(k->operand[o].stored)->rank)
            add_order(&g, stored_encoding(&k->operand[o]), k->operand[o].index, false);
    const tensor *out = tensor_at(k->output);
    const bool sorted_later = out->role == TEMPORARY && !k->updates; /* its levels follow the loops */
    if (is_sparse(k->output) && !sorted_later && !(converted >> k->operands & 1))
        add_order(&g, &out->encoding, k->index, !k->updates);
    add_user_order(&g);
    return g;
}

/* Orders the levels of an encoding as the loops run. */
static encoding ordered_encoding(const step *k, const encoding *e, const char *index)
{
    char formats[MAX_RANK + 1] = {0}, order[MAX_RANK + 1] = {0};
    unsigned count = 0;
    const bool plain = is_plain(e);
    for (unsigned l = 0; l < k->loops; l++) {
        const char *at = strchr(index, k->loop[l].index);
        if (at == NULL || k->loop[l].part == FLOORDIV) continue;
        formats[count] = plain && e->level[count].format == DENSE ? 'd' : 'c';
        order[count++] = (char)('0' + (at - index));
    }
    encoding f = make_encoding(NULL, NULL, formats, order);
    f.pos = e->pos, f.crd = e->crd;
    name_encoding(&f);
    return f;
}

/* The tensor `from` in another encoding; one that is there already is shared. */
static int converted_tensor(int from, const encoding *e, const char *index, bool *fresh)
{
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == CONVERTED && tensor_at(n)->source == from &&
            same_encoding(&tensor_at(n)->encoding, e)) {
            *fresh = false;
            return n;
        }
    char sorted[MAX_RANK + 1] = {0};
    for (unsigned l = 0; l < e->levels; l++) sorted[l] = index[e->level[l].dim];
    const int n = add_tensor(fresh_name(print("%s_by_%s", tensor_at(from)->name, sorted)), CONVERTED,
                             tensor_at(from)->place);
    tensor *t = tensor_at(n);
    t->rank = tensor_at(from)->rank;
    t->kind = tensor_at(from)->kind;
    t->encoding = *e;
    t->source = from;
    strcpy(t->index, tensor_at(from)->index);
    *fresh = true;
    return n;
}

/* The steps as they will run: kernels with conversions before and after them. */
static step scheduled[2 * MAX_STEPS];
static int scheduled_steps;

static void emit_step(step k)
{
    if (scheduled_steps == 2 * MAX_STEPS)
        refuse(nowhere, "the statements need more than %d steps", 2 * MAX_STEPS);
    scheduled[scheduled_steps++] = k;
}

static void note_conversion(const tensor *from, const tensor *to, const char *reason)
{
    text was = {0}, is = {0};
    put_encoding(&was, &from->encoding);
    put_encoding(&is, &to->encoding);
    put(&the.notes, "%s is converted from %s to %s: %s\n", from->name, was.at, is.at, reason);
}

static const char *const cycle = "its order and that of the others have no loop order in common";

static void convert_operand(const step *k, operand *o, const char *reason)
{
    bool fresh;
    const encoding e = ordered_encoding(k, stored_encoding(o), o->index);
    if (same_encoding(&e, stored_encoding(o))) return;
    if (the.strict)
        refuse(tensor_at(o->tensor)->place, "%s would have to be converted: %s", tensor_at(o->tensor)->name,
               reason);
    const int n = converted_tensor(o->stored, &e, o->index, &fresh);
    if (fresh) {
        note_conversion(tensor_at(o->stored), tensor_at(n), reason);
        emit_step((step){.kind = CONVERSION, .output = n, .source = o->stored});
    }
    o->stored = n;
}

/* An output that cannot be assembled in the order of the loops is assembled in another encoding first. */
static void convert_output(step *k, const char *reason)
{
    bool fresh;
    const encoding e = ordered_encoding(k, &tensor_at(k->output)->encoding, k->index);
    k->stored = converted_tensor(k->output, &e, k->index, &fresh);
    note_conversion(tensor_at(k->stored), tensor_at(k->output), reason);
}

enum { WORTH_CONVERTING = 5 }; /* how many times less the loops have to cost */

/* Finds the operands whose conversion breaks all cycles at the least cost, and the order of the loops. One
   more is converted if that pays many times over. */
static unsigned break_cycles(const step *k, unsigned forced, unsigned best[], spot place)
{
    unsigned order[MAX_LOOPS], found = 0, candidates = 0, enough = MAX_OPERANDS + 1;
    double least = (double)INFINITY;
    for (unsigned o = 0; o < k->operands; o++)
        if (is_sparse(k->operand[o].stored)) candidates |= 1u << o;
    if (is_sparse(k->output) && !k->updates) candidates |= 1u << k->operands;
    for (unsigned size = 0; size <= bits_of(candidates) && size <= enough; size++) {
        const double before = least;
        for (unsigned set = 0; set <= candidates; set++) {
            if ((set & ~candidates) || bits_of(set & ~forced) != size || (set & forced) != forced) continue;
            unsigned mine[MAX_LOOPS] = {0};
            const graph g = graph_of(k, set, place);
            double cost = best_order(k, &g, 0, 0, order, mine, (double)INFINITY);
            for (unsigned o = 0; o < k->operands; o++)
                if (set >> o & 1) cost += conversion_cost(k->operand[o].stored);
            if (set >> k->operands & 1) cost += conversion_cost(k->output);
            if (cost >= least || (before < (double)INFINITY && cost * WORTH_CONVERTING > before)) continue;
            least = cost;
            found = set;
            memcpy(best, mine, sizeof mine);
        }
        if (least < (double)INFINITY && enough > MAX_OPERANDS) enough = the.strict ? size : size + 1;
    }
    if (least == (double)INFINITY) {
        if (the.order[0])
            refuse(the.order_place,
                   "no order of the loops is as it is asked for here and follows the levels of the output");
        refuse(place, "no order of the loops follows the levels of the output");
    }
    return found;
}

static void schedule_kernel(step *k, spot place)
{
    unsigned best[MAX_LOOPS] = {0}, forced = 0;
    const char *reason[MAX_OPERANDS + 1] = {NULL};
    const bool assembled = is_sparse(k->output) && !k->updates;
    if (assembled && !is_plain(&tensor_at(k->output)->encoding)) {
        forced |= 1u << k->operands;
        reason[k->operands] = "entries are assembled in levels that are dense or compressed";
    }
    for (unsigned before = ~0u;
         before != forced;) { /* one that leaves its blocks makes others leave theirs */
        graph g;
        before = forced;
        make_loops(k, &g, forced, place);
        for (unsigned o = 0; o < k->operands; o++)
            if (!(forced >> o & 1) && (reason[o] = reason_to_convert(k, o, &g)) != NULL) forced |= 1u << o;
    }
    const unsigned set = break_cycles(k, forced, best, place);
    const graph g = graph_of(k, set, place);
    if (g.loops == 0) k->kind = ASSIGNMENT;
    k->loops = g.loops;
    for (unsigned l = 0; l < g.loops; l++) k->loop[l] = g.loop[best[l]];
    k->cost = cost_of(k, &g, best);
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
        out->encoding = ordered_encoding(k, &out->encoding, k->index);
        for (unsigned l = 1; l < out->encoding.levels; l++) /* below a compressed level all are */
            if (out->encoding.level[l - 1].format == COMPRESSED) out->encoding.level[l].format = COMPRESSED;
        out->encoding.name = out->encoding.macro = NULL;
        name_encoding(&out->encoding);
    } else if (set >> k->operands & 1) {
        convert_output(k, reason[k->operands] ? reason[k->operands] : why);
    }
    emit_step(*k);
    if (k->stored != k->output)
        emit_step((step){.kind = CONVERSION, .output = k->output, .source = k->stored});
}

/* Strategies apply to the loops that have a use for them; one that no kernel can follow is refused. */
static bool can_run_parallel(const step *k, const loop *l)
{
    if (!strchr(k->index, l->index) || is_sparse(k->output)) return false;
    unsigned drivers = 0;
    for (unsigned o = 0; o < k->operands; o++) {
        const encoding *e = stored_encoding(&k->operand[o]);
        for (unsigned n = 0; n < e->levels; n++)
            if (e->level[n].format != DENSE && k->operand[o].index[e->level[n].dim] == l->index) {
                drivers++;
                if (e->level[n].properties) return false;
            }
    }
    return drivers < 2;
}

static bool is_simd(const step *k, unsigned l)
{
    return l + 1 == k->loops && (the.simd & letter_bit(k->loop[l].index));
}
static bool is_parallel(const step *k, unsigned l)
{
    return k->loop[l].part != MOD && (the.parallel & letter_bit(k->loop[l].index)) &&
           can_run_parallel(k, &k->loop[l]);
}

/* How many operands have a sparse level over an index? */
static unsigned drivers_of(const step *k, char index)
{
    unsigned drivers = 0;
    for (unsigned o = 0; o < k->operands; o++) {
        const encoding *e = stored_encoding(&k->operand[o]);
        for (unsigned n = 0; n < e->levels; n++)
            drivers += e->level[n].format != DENSE && k->operand[o].index[e->level[n].dim] == index;
    }
    return drivers;
}

/* Does the loop around the innermost add up what goes to the places that the innermost runs over? Then some of its
   iterations run side by side in that, and the output is read and written once for them. */
static bool is_unrolled(const step *k, unsigned l)
{
    if (l + 2 != k->loops || k->region->kind == ANY || is_sparse(k->output)) return false;
    for (unsigned n = 0; k->region->kind == ALL && n < k->region->count; n++)
        if (k->region->child[n]->kind != STORED && k->region->child[n]->kind != EVERYWHERE) return false;
    const loop *outer = &k->loop[l], *inner = &k->loop[l + 1];
    return outer->part == WHOLE && inner->part == WHOLE && !strchr(k->index, outer->index) &&
           strchr(k->index, inner->index) && drivers_of(k, outer->index) < 2 && drivers_of(k, inner->index) == 0;
}

static void check_strategies(void)
{
    letters done = 0;
    for (int n = 0; n < scheduled_steps; n++)
        for (unsigned l = 0; scheduled[n].kind == KERNEL && l < scheduled[n].loops; l++)
            if (is_simd(&scheduled[n], l) || is_parallel(&scheduled[n], l))
                done |= letter_bit(scheduled[n].loop[l].index);
    for (char i = 'a'; i <= 'z'; i++) {
        if ((the.simd & ~done) & letter_bit(i))
            refuse(the.strategy_place, "simd(%c): no kernel has %c as its innermost loop", i, i);
        if ((the.parallel & ~done) & letter_bit(i))
            refuse(the.strategy_place,
                   "parallel(%c): no kernel has a loop %c whose iterations write to places of their own", i,
                   i);
    }
}

/* An output is given and taken, a temporary stays inside. One that is read later on is a temporary, unless
   the user asks for it by -o or --print. */
static void settle_roles(void)
{
    for (int s = 0; s < the.statements; s++) {
        const int n = the.statement[s].output;
        bool read = false, wanted = false;
        for (int later = s + 1; later < the.statements; later++)
            read = read || (the.statement[later].output != n && reads_tensor(the.statement[later].value, n));
        for (int k = 0; k < the.outs; k++)
            wanted = wanted || (the.out[k].name && same(the.out[k].name, tensor_at(n)->name));
        for (int k = 0; k < the.prints; k++) wanted = wanted || same(the.printed[k], tensor_at(n)->name);
        if (read && !wanted && !tensor_at(n)->updated) tensor_at(n)->role = TEMPORARY;
    }
}

/* Indices that meet in one dimension of a tensor have one size. */
static void join_letters(const node *n, char first[][MAX_RANK])
{
    for (unsigned d = 0; is_access(n) && d < tensor_at(n->tensor)->rank; d++) {
        if (n->kind == WINDOW && tensor_at(n->tensor)->windowed[d]) continue;
        const char here = n->kind == WINDOW ? n->subscript[d].index[0] : n->index[d];
        char *f = &first[n->tensor][d];
        if (*f == 0) *f = here;
        char a = size_letter(*f), b = size_letter(here);
        if (a > b) {
            const char c = a;
            a = b;
            b = c;
        }
        for (char i = 'a'; a != b && i <= 'z'; i++)
            if (size_letter(i) == b) the.alike[i - 'A'] = a;
    }
    for (unsigned k = 0; k < n->count; k++) join_letters(n->term[k].node, first);
}

/* A tensor that is read at subscripts such as i + p is read as an array wherever it is read. */
static void open_windows(node *n, int output)
{
    if (n->kind == ACCESS && n->tensor != output && tensor_at(n->tensor)->window.source) make_window(n);
    for (unsigned k = 0; k < n->count; k++) open_windows(n->term[k].node, output);
}

/* Dimensions that no index runs over have sizes of their own, by capital letters. */
static void settle_windows(char first[][MAX_RANK])
{
    char next = 'A';
    for (int n = 0; n < the.tensors; n++) {
        tensor *t = tensor_at(n);
        for (unsigned d = 0; d < t->rank; d++) {
            if (!t->windowed[d]) continue;
            if (!is_dense(&t->encoding) || !is_permutation(&t->encoding))
                refuse(t->window,
                       "%s is not stored row by row or column by column, which this subscript needs",
                       t->name);
            if (next > 'Z') refuse(t->window, "more than 26 dimensions have subscripts such as i + p");
            t->index[d] = first[n][d] ? first[n][d] : next++;
        }
    }
}

static void settle_sizes(void)
{
    static char first[MAX_TENSORS][MAX_RANK];
    unsigned long given[sizeof the.size / sizeof *the.size];
    memcpy(given, the.size, sizeof given);
    for (int s = 0; s < the.statements; s++) {
        node *out = make_node(ACCESS, the.statement[s].place);
        out->tensor = the.statement[s].output;
        strcpy(out->index, the.statement[s].index);
        open_windows(the.statement[s].value, out->tensor);
        join_letters(out, first);
        join_letters(the.statement[s].value, first);
    }
    for (char i = 'a'; i <= 'z'; i++) {
        const unsigned long n = given[i - 'A'], *m = &the.size[size_letter(i) - 'A'];
        if (n && *m && *m != n)
            refuse(nowhere, "%c and %c index one dimension, but their sizes differ", i, size_letter(i));
        if (n) the.size[size_letter(i) - 'A'] = n;
    }
    settle_windows(first);
}

/* Indices that only windows have get their sizes by -d. Kernels learn sizes from operands; where a kernel has
   none that an index runs over, an operand is added that is nothing but the range of the index. */

static bool has_windows(const step *k)
{
    for (unsigned o = 0; o < k->operands; o++)
        if (k->operand[o].kind == ARRAY) return true;
    return false;
}

/* The indices, by the first of each size, that tensors bring sizes of into the function. */
static letters given_letters(void)
{
    letters set = 0;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *t = tensor_at(n);
        const bool gives = t->role == INPUT || (t->role == OUTPUT && (!is_sparse(n) || t->updated));
        for (const char *i = t->index; gives && *i; i++)
            if (islower((unsigned char)*i)) set |= letter_bit(size_letter(*i));
    }
    return set;
}

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
    return n;
}

/* The place of the first window of an expression with index i. */
static spot window_of(const node *n, char i)
{
    if (n->kind == WINDOW && strchr(n->index, i)) return n->place;
    for (unsigned k = 0; k < n->count; k++) {
        const spot place = window_of(n->term[k].node, i);
        if (place.source) return place;
    }
    return nowhere;
}

static void add_ranges_of(step *k, letters given)
{
    letters own = tensor_at(k->output)->role == TEMPORARY ? 0 : letters_of(k->index);
    const letters all = letters_of(k->index) | all_letters(k->body);
    for (unsigned o = 0; o < k->operands; o++) own |= letters_of(k->operand[o].index);
    for (char i = 'a'; i <= 'z'; i++) {
        if (!(all & letter_bit(i))) continue;
        const spot place = window_of(k->body, i);
        if (place.source && !(given & letter_bit(size_letter(i))) && !the.size[size_letter(i) - 'A'])
            refuse(place, "no tensor has %c as a subscript by itself, so its size is needed: -d %c=SIZE", i,
                   i);
        if (own & letter_bit(i)) continue;
        const int n = range_tensor(i, place),
                  o = add_operand(k, n, tensor_at(n)->name, print("%c", i), place);
        add_child(k->region, make_region(STORED, o));
    }
}

static void add_ranges(void)
{
    const letters given = given_letters();
    for (int s = 0; s < the.steps; s++)
        if (has_windows(&the.step[s])) add_ranges_of(&the.step[s], given);
}

static void schedule(void)
{
    for (int n = 0; n < the.steps; n++) schedule_kernel(&the.step[n], tensor_at(the.step[n].output)->place);
    check_strategies();
}

/* >>emit */

static bool is_name_taken(const char *name)
{
    if (find_tensor(name) >= 0 || find_tensor(upper(name)) >= 0) return true;
    return same(name, the.name) || (name[0] && !name[1]);
}

/* The storage type of a tensor: tensors with the same storage share it. */
static void name_type(int n)
{
    tensor *t = tensor_at(n);
    if (t->rank == 0) {
        t->type = kinds[t->kind].type;
        return;
    }
    const char *name = print("%s%s%s", the.prefix, t->encoding.name, kinds[t->kind].suffix);
    if (is_name_taken(name)) name = print("%s_type", name);
    for (int m = 0; m < n; m++)
        if (tensor_at(m)->type && same(tensor_at(m)->type, name) &&
            !same_encoding(&tensor_at(m)->encoding, &t->encoding))
            name = print("%s_%d", name, n), m = -1;
    t->type = name;
}

static bool is_used(int n)
{
    for (int k = 0; k < scheduled_steps; k++) {
        const step *s = &scheduled[k];
        if (s->output == n || s->stored == n || (s->kind == CONVERSION && s->source == n)) return true;
        for (unsigned o = 0; o < s->operands; o++)
            if (s->operand[o].stored == n) return true;
    }
    return false;
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
            if (pass == 0) {
                put(t, "#define %s %s, ", upper(a->type), a->type);
                put_encoding(t, &a->encoding);
                put(t, ", %s, %u, %u\n", kinds[a->kind].type, a->encoding.pos, a->encoding.crd);
            } else {
                put(t, "SPARSE_TENSOR(%s)\n", upper(a->type));
            }
        }
}

/* (A, CSR, i, j) */
static void put_operand(text *t, const char *name, const tensor *a, const char *index)
{
    put(t, "(%s, %s", name, a->rank ? upper(a->type) : a->type);
    for (; *index; index++) put(t, ", %c", *index);
    put(t, ")");
}

static void put_tree(text *t, const step *k, const region *r)
{
    if (r->kind == STORED && r->operand < 0) {
        put(t, "(everywhere, bool)");
    } else if (r->kind == STORED) {
        const operand *o = &k->operand[r->operand];
        if (o->kind == ARRAY)
            put(t, "(%s, const %s *)", o->name, kinds[kind_of_tensor(o->stored)].type);
        else if (o->kind == LEVEL_SIZE)
            put(t, "(%s, size_t)", o->name);
        else
            put_operand(t, o->name, tensor_at(o->stored), o->index);
    } else {
        put(t, r->kind == ALL ? "all(" : "any(");
        for (unsigned c = 0; c < r->count; c++) {
            if (c) put(t, ", ");
            put_tree(t, k, r->child[c]);
        }
        put(t, ")");
    }
}

static void put_loops(text *t, const step *k)
{
    put(t, "(");
    for (unsigned l = 0; l < k->loops; l++) {
        const loop *p = &k->loop[l];
        const char *of = p->part == WHOLE
                             ? print("%c", p->index)
                             : print("%s(%c, %lu)", p->part == MOD ? "mod" : "floordiv", p->index, p->size);
        put(t,
            is_parallel(k, l) ? "%sparallel(%s)"
            : is_simd(k, l)   ? "%ssimd(%s)"
            : is_unrolled(k, l) ? "%sunroll(%s)"
                              : "%s%s",
            l ? ", " : "", of);
    }
    put(t, ")");
}

/* Appends `piece` to a line that has `used` columns; breaks before it if it does not fit. */
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

static void put_kernel(text *t, const step *k)
{
    static const char indent[] = "              ";
    const tensor *out = tensor_at(k->stored);
    text loops = {0}, output = {0}, tree = {0};
    put_loops(&loops, k);
    put_operand(&output, tensor_at(k->output)->name, out, k->index);
    if (k->initial) {
        const char *plain = output.at + 1;
        output = (text){0};
        put(&output, "from(%s, %s", k->initial, plain);
    }
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
    put_piece(t, &line, k->updates ? print("update%s, ", output.at) : print("%s, ", output.at), indent);
    const char *at = tree.at;
    if (tree.length > 90) /* an operand at a time */
        for (const char *end; (end = strstr(at, "), ")) != NULL; at = end + 3)
            put_piece(t, &line, copy_string(at, (size_t)(end + 3 - at)), indent);
    put_piece(t, &line, print("%s, ", at), indent);
    put_piece(t, &line, print("%s)", spell_statement(k)), indent);
    put(t, "\n");
}

/* True if the statements are more than one call of a kernel. */
static bool needs_driver(void)
{
    return scheduled_steps != 1 || scheduled[0].kind != KERNEL || has_windows(&scheduled[0]);
}

static bool is_parameter(int n)
{
    const tensor *a = tensor_at(n);
    return (a->role == INPUT || a->role == OUTPUT) && (is_used(n) || a->role == OUTPUT);
}

/* How a tensor is named inside the function that runs the kernels: those of its own by address. */
static const char *argument(int n, bool written)
{
    const tensor *a = tensor_at(n);
    const bool own = a->role == TEMPORARY || a->role == CONVERTED;
    if (a->rank == 0 && !written) return own || a->role == INPUT ? a->name : print("*%s", a->name);
    return own ? print("&%s", a->name) : a->name;
}

/* Calls f(, name) for the arguments of a kernel, in the order of its parameters. */
static void put_arguments(text *t, const step *k, const region *r, const char *(*name)(int, bool))
{
    const operand *o = r->kind == STORED && r->operand >= 0 ? &k->operand[r->operand] : NULL;
    if (o && o->kind != VALUE)
        put(t, ", %s", window_argument(o->stored, o->kind, o->level));
    else if (r->kind == STORED)
        put(t, ", %s", o ? name(o->stored, false) : "true");
    for (unsigned c = 0; c < r->count; c++) put_arguments(t, k, r->child[c], name);
}

static void put_call(text *t, const step *k, const char *(*name)(int, bool))
{
    put(t, "%s(%s", k->name, name(k->stored, true));
    put_arguments(t, k, k->region, name);
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

/* The tensors of a driver's own, which share the memory hooks of its first output. */
static void put_driver_tensors(text *t)
{
    const char *hooks = NULL;
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == OUTPUT && tensor_at(n)->rank && !hooks) hooks = tensor_at(n)->name;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (is_parameter(n) || !is_used(n)) continue;
        if (a->rank == 0)
            put(t, "    %s %s = 0;\n", a->type, a->name);
        else
            put(t, "    %s %s = SPARSE_INIT(%s);\n", a->type, a->name, a->type);
    }
    for (int n = 0; n < the.tensors && hooks; n++)
        if (!is_parameter(n) && is_used(n) && tensor_at(n)->rank)
            put(t, "    %s.t.hooks = %s->t.hooks;\n", tensor_at(n)->name, hooks);
}

/* A call of a kernel, or of a conversion. */
static void put_step_call(text *t, const step *k)
{
    if (k->kind == KERNEL) {
        put_call(t, k, argument);
        return;
    }
    const bool to = is_parameter(k->output), from = is_parameter(k->source);
    put(t, "sparse_convert(&%s%st, &%s%st)", tensor_at(k->output)->name, to ? "->" : ".",
        tensor_at(k->source)->name, from ? "->" : ".");
}

/* Whether all subscripts stay inside of their dimensions, in whatever file comes first. */
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

static bool any_windows(void)
{
    for (int s = 0; s < scheduled_steps; s++)
        if (has_windows(&scheduled[s])) return true;
    return false;
}

/* The letters of all sizes that a driver checks. */
static const char *checked_letters(void)
{
    text t = {0};
    put(&t, "%s", "");
    for (int n = 0; n < the.tensors; n++)
        for (const char *i = tensor_at(n)->index; is_used(n) && *i; i++)
            if (*i != '?' && !strchr(t.at, size_letter(*i))) put(&t, "%c", size_letter(*i));
    for (int s = 0; s < the.statements; s++)
        for (char i = 'a'; i <= 'z'; i++)
            if ((all_letters(the.statement[s].value) & letter_bit(i)) && !strchr(t.at, size_letter(i)))
                put(&t, "%c", size_letter(i));
    return t.at;
}

static const char *access_of(int n)
{
    if (tensor_at(n)->role == INPUT) return "SPARSE_READS";
    for (int s = 0; s < scheduled_steps; s++)
        if (scheduled[s].output == n && scheduled[s].updates) return "SPARSE_UPDATES";
    return is_sparse(n) ? "SPARSE_ASSEMBLES" : "SPARSE_WRITES";
}

/* Appends the tests of all windows of an expression, once each. */
static void put_subscript_checks(text *t, const node *n, const char *over)
{
    for (unsigned k = 0; k < n->count; k++) put_subscript_checks(t, n->term[k].node, over);
    for (unsigned d = 0; n->kind == WINDOW && d < tensor_at(n->tensor)->rank; d++) {
        const subscript *s = &n->subscript[d];
        text steps = {0}, sizes = {0}, line = {0};
        if (!tensor_at(n->tensor)->windowed[d]) continue;
        for (unsigned k = 0; k < s->count; k++) {
            put(&steps, "%s%ld", k ? ", " : "", s->step[k]);
            put(&sizes, "%ssize[%d]", k ? ", " : "", (int)(strchr(over, size_letter(s->index[k])) - over));
        }
        const int dim = (int)(strchr(over, size_letter(tensor_at(n->tensor)->index[d])) - over);
        put(&line, "    if (result == SPARSE_OK && !subscript_fits(size[%d], %ld, %u, ", dim, s->start,
            s->count);
        if (s->count)
            put(&line, "(const long[]){%s}, (const size_t[]){%s}", steps.at, sizes.at);
        else
            put(&line, "NULL, NULL");
        put(&line, "))\n        result = SPARSE_E_SHAPE; /* %s */\n", describe(n));
        if (t->at == NULL || strstr(t->at, line.at) == NULL) put(t, "%s", line.at);
    }
}

/* Binds the sizes of all indices, and sees to it that no subscript leaves its tensor. */
static void put_driver_checks(text *t)
{
    const char *over = checked_letters();
    const letters given = given_letters();
    text operands = {0}, checks = {0};
    unsigned count = 0;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_parameter(n) || a->rank == 0) continue;
        put(&operands, "%s\n        {&%s_encoding, %s, \"", operands.length ? "," : "", a->type, a->name);
        for (const char *i = a->index; *i; i++) put(&operands, "%c", size_letter(*i));
        put(&operands, "\", %s}", access_of(n));
        count++;
    }
    put(t, "    const sparse_operand operand[] = {%s};\n", operands.at);
    put(t, "    size_t size[%u];\n", (unsigned)strlen(over) + 1);
    put(t, "    sparse_result result = sparse_bind(\"%s\", size, operand, %u);\n", over, count);
    for (const char *i = over; *i; i++)
        if (islower((unsigned char)*i) && !(given & letter_bit(*i)) && the.size[*i - 'A'])
            put(t, "    size[%d] = %lu; /* %c */\n", (int)(i - over), the.size[*i - 'A'], *i);
    for (int s = 0; s < the.statements; s++) put_subscript_checks(&checks, the.statement[s].value, over);
    put(t, "%s", checks.at);
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->range && is_used(n))
            put(t, "    if (result == SPARSE_OK) result = sparse_allocate_dense(&%s.t, &size[%d]);\n",
                tensor_at(n)->name, (int)(strchr(over, size_letter(tensor_at(n)->range)) - over));
}

/* The function that runs the kernels one after the other. */
static void put_driver(text *t)
{
    bool begun = any_windows();
    if (begun) put(t, "\n%s", subscript_check);
    put(t, "\nSPARSE_UNUSED static inline sparse_result %s(", the.name);
    put_driver_parameters(t);
    put(t, ")\n{\n");
    put_driver_tensors(t);
    if (begun) put_driver_checks(t);
    for (int s = 0; s < scheduled_steps; s++) {
        const step *k = &scheduled[s];
        if (k->kind == ASSIGNMENT) {
            put(t, begun ? "    if (result == SPARSE_OK) %s;\n" : "    %s;\n", spell_statement(k));
            continue;
        }
        put(t, begun ? "    if (result == SPARSE_OK) result = " : "    sparse_result result = ");
        begun = true;
        put_step_call(t, k);
        put(t, ";\n");
    }
    for (int n = 0; n < the.tensors; n++)
        if (!is_parameter(n) && is_used(n) && tensor_at(n)->rank)
            put(t, "    sparse_free(&%s.t);\n", tensor_at(n)->name);
    put(t, "    return %s;\n}\n", begun ? "result" : "SPARSE_OK");
}

/* The text of a kernel's mathematics, for the comment above it. */
static const char *step_text(const step *k)
{
    text t = {0};
    put(&t, "%s", tensor_at(k->output)->name);
    spell_subscripts(&t, k->index);
    put(&t, k->accumulate && !k->initial ? " += " : " = ");
    if (k->reduction && !same(k->reduction, "sum")) {
        node *n = make_node(REDUCTION, nowhere);
        n->word = k->reduction;
        n->over = k->over;
        add_term(n, k->body, false);
        put(&t, "%s", describe(n));
    } else {
        put(&t, "%s", describe(k->body));
    }
    return t.at;
}

static void name_steps(void)
{
    int number = 0;
    for (int s = 0; s < scheduled_steps; s++)
        if (scheduled[s].kind == KERNEL)
            scheduled[s].name = needs_driver() ? print("%s_%d", the.name, ++number) : the.name;
}

static bool passes_everywhere(const region *r)
{
    bool passes = r->kind == STORED && r->operand < 0;
    for (unsigned c = 0; c < r->count; c++) passes = passes || passes_everywhere(r->child[c]);
    return passes;
}

/* Says what a caller has to know about the arguments. */
static void put_argument_note(text *t)
{
    if (!needs_driver() && passes_everywhere(scheduled[0].region))
        put(t, "/* its last argument, everywhere, is true */\n");
}

/* The storage types, the kernels, and the function that runs them if there are several. */
static void put_kernels(text *t)
{
    if (the.functions.length) put(t, "%s\n", the.functions.at);
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

/* What a complete program needs besides: reading, making up, checking and showing tensors. */
static const char *const runtime[] = {
    "#ifndef SPARSE_GEN_RUNTIME\n"
    "#define SPARSE_GEN_RUNTIME\n"
    "#include <math.h>\n"
    "#include <stdio.h>\n"
    "#include <time.h>\n"
    "\n",
    "/* Reads a file; 0, or 1 and a message. */\n"
    "SPARSE_UNUSED static int read_input(sparse_tensor *t, const char *path)\n"
    "{\n"
    "    sparse_io_error error = {0};\n"
    "    sparse_read_options options = {0};\n"
    "    options.error = &error;\n"
    "    if (sparse_read(t, path, &options) == SPARSE_OK) return 0;\n"
    "    fprintf(stderr, \"%s\\n\", error.message);\n"
    "    return 1;\n"
    "}\n"
    "\n",
    "/* Takes over the sizes of a tensor for its indices; 0, or 1 and a message if they have others. "
    "SIZE_MAX is\n"
    "   not known yet. */\n"
    "SPARSE_UNUSED static int agree(const char *name, const sparse_tensor *t, size_t *const *size)\n"
    "{\n"
    "    for (unsigned d = 0; d < t->encoding->rank; d++) {\n"
    "        if (*size[d] == SIZE_MAX) *size[d] = t->dim[d];\n"
    "        if (*size[d] == t->dim[d]) continue;\n"
    "        fprintf(stderr, \"%s: dimension %u has size %zu, and its index has size %zu\\n\", name, d + 1, "
    "t->dim[d], *size[d]);\n"
    "        return 1;\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "\n",
    "/* A number in [0, 1) (Steele, Lea and Flood 2014: splitmix). */\n"
    "SPARSE_UNUSED static double next_random(uint64_t *state)\n"
    "{\n"
    "    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);\n"
    "    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);\n"
    "    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);\n"
    "    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;\n"
    "}\n"
    "\n",
    "/* Stores a number as a value of the given kind. */\n"
    "SPARSE_UNUSED static void store_number(sparse_kind kind, void *at, double x)\n"
    "{\n"
    "    switch (kind) {\n"
    "    case SPARSE_I8: *(int8_t *)at = (int8_t)x; break;\n"
    "    case SPARSE_U8: *(uint8_t *)at = (uint8_t)x; break;\n"
    "    case SPARSE_I16: *(int16_t *)at = (int16_t)x; break;\n"
    "    case SPARSE_U16: *(uint16_t *)at = (uint16_t)x; break;\n"
    "    case SPARSE_I32: *(int32_t *)at = (int32_t)x; break;\n"
    "    case SPARSE_U32: *(uint32_t *)at = (uint32_t)x; break;\n"
    "    case SPARSE_I64: *(int64_t *)at = (int64_t)x; break;\n"
    "    case SPARSE_U64: *(uint64_t *)at = (uint64_t)x; break;\n"
    "    case SPARSE_F32: *(float *)at = (float)x; break;\n"
    "    case SPARSE_C64: *(sparse_complex64 *)at = (float)x; break;\n"
    "    case SPARSE_C128: *(sparse_complex128 *)at = x; break;\n"
    "    default: *(double *)at = x; break;\n"
    "    }\n"
    "}\n"
    "\n",
    "/* The real part of a value. */\n"
    "SPARSE_UNUSED static double load_number(sparse_kind kind, const void *at)\n"
    "{\n"
    "    switch (kind) {\n"
    "    case SPARSE_I8: return *(const int8_t *)at;\n"
    "    case SPARSE_U8: return *(const uint8_t *)at;\n"
    "    case SPARSE_I16: return *(const int16_t *)at;\n"
    "    case SPARSE_U16: return *(const uint16_t *)at;\n"
    "    case SPARSE_I32: return *(const int32_t *)at;\n"
    "    case SPARSE_U32: return *(const uint32_t *)at;\n"
    "    case SPARSE_I64: return (double)*(const int64_t *)at;\n"
    "    case SPARSE_U64: return (double)*(const uint64_t *)at;\n"
    "    case SPARSE_F32: case SPARSE_C64: return (double)*(const float *)at;\n"
    "    default: return *(const double *)at;\n"
    "    }\n"
    "}\n"
    "\n",
    "/* What a made-up tensor holds: at each coordinate with probability `density` a number from low to "
    "high, or\n"
    "   ones, or 1, 2, 3, ... */\n"
    "typedef struct recipe {\n"
    "    char what; /* r(andom), o(nes), z(eros), i(ota) */\n"
    "    double density, low, high;\n"
    "    uint64_t seed;\n"
    "} recipe;\n"
    "\n",
    "/* One pass over all coordinates; with null arrays it only counts. */\n"
    "SPARSE_UNUSED static size_t make_entries(const sparse_tensor *t, const size_t *dim, const recipe *r, "
    "size_t volume,\n"
    "                                         size_t *coordinate, char *value)\n"
    "{\n"
    "    const sparse_encoding *e = t->encoding;\n"
    "    const sparse_level *last = &e->level[e->levels - 1];\n"
    "    const bool whole = e->kind < SPARSE_F32;\n"
    "    const bool sampled = volume > (size_t)1 << 24 && r->density < 1;\n"
    "    const size_t rounds = sampled ? (size_t)(r->density * (double)volume) : volume;\n"
    "    uint64_t state = r->seed;\n"
    "    size_t count = 0, in_block = 0;\n"
    "    for (size_t n = 0; n < rounds; n++) {\n"
    "        size_t at = sampled ? (size_t)(next_random(&state) * (double)volume) : n;\n"
    "        const double chance = next_random(&state), u = next_random(&state);\n"
    "        const size_t column = at % dim[e->rank - 1];\n"
    "        double x = whole ? floor(r->low + u * (r->high - r->low + 1)) : r->low + u * (r->high - "
    "r->low);\n"
    "        if (last->format == SPARSE_STRUCTURED && column % last->c == 0) in_block = 0;\n"
    "        if (!sampled && chance >= r->density) continue;\n"
    "        if (last->format == SPARSE_STRUCTURED && in_block++ >= last->n) continue;\n"
    "        if (r->what != 'r') x = r->what == 'o' ? 1 : (double)(count + 1);\n"
    "        for (unsigned d = e->rank; coordinate && d-- > 0; at /= dim[d]) coordinate[count * e->rank + d] "
    "= at % dim[d];\n"
    "        if (value) store_number(e->kind, value + count * e->value_size, x);\n"
    "        count++;\n"
    "    }\n"
    "    return count;\n"
    "}\n"
    "\n",
    "/* Makes up a tensor; 0, or 1 and a message. */\n"
    "SPARSE_UNUSED static int make_input(const char *name, sparse_tensor *t, size_t *const *size, recipe r)\n"
    "{\n"
    "    size_t dim[SPARSE_MAX_RANK], volume = 1, count, *coordinate;\n"
    "    char *value;\n"
    "    for (unsigned d = 0; d < t->encoding->rank; d++) {\n"
    "        dim[d] = *size[d];\n"
    "        if (dim[d] == SIZE_MAX || (dim[d] && volume > SIZE_MAX / 64 / dim[d])) {\n"
    "            fprintf(stderr, dim[d] == SIZE_MAX ? \"%s: the size of dimension %u is not known: say "
    "-d\\n\" : \"%s is too large at dimension %u\\n\", name, d + 1);\n"
    "            return 1;\n"
    "        }\n"
    "        volume *= dim[d];\n"
    "    }\n"
    "    if (r.what == 'z') r.density = 0;\n"
    "    count = volume ? make_entries(t, dim, &r, volume, NULL, NULL) : 0;\n"
    "    coordinate = malloc((count * t->encoding->rank + 1) * sizeof *coordinate);\n"
    "    value = malloc((count + 1) * t->encoding->value_size);\n"
    "    if (coordinate && value && volume) make_entries(t, dim, &r, volume, coordinate, value);\n"
    "    const sparse_result result = coordinate && value ? sparse_pack(t, dim, count, coordinate, value, "
    "SPARSE_DUPLICATES_LAST) : SPARSE_E_MEMORY;\n"
    "    free(coordinate);\n"
    "    free(value);\n"
    "    if (result != SPARSE_OK) fprintf(stderr, \"%s: %s\\n\", name, sparse_message(result));\n"
    "    return result != SPARSE_OK;\n"
    "}\n"
    "\n",
    "/* All values of a tensor, row by row, as double or, for `parts` 2, as sparse_complex128. Null if "
    "memory is short. */\n"
    "SPARSE_UNUSED static void *unpack_numbers(const sparse_tensor *t, unsigned parts)\n"
    "{\n"
    "    const sparse_encoding *e = t->encoding;\n"
    "    const sparse_kind kind = e->kind;\n"
    "    size_t volume = 1;\n"
    "    for (unsigned d = 0; d < e->rank; d++) volume *= t->dim[d];\n"
    "    char *raw = calloc(volume + 1, e->value_size);\n"
    "    double *number = calloc(volume + 1, parts * sizeof *number);\n"
    "    if (raw && number && sparse_unpack_dense(t, raw) == SPARSE_OK)\n"
    "        for (size_t n = 0; n < volume; n++) {\n"
    "            const char *at = raw + n * e->value_size;\n"
    "            number[n * parts] = load_number(kind, at);\n"
    "            if (parts == 2 && kind == SPARSE_C128) memcpy(number + 2 * n + 1, at + sizeof(double), "
    "sizeof(double));\n"
    "            if (parts == 2 && kind == SPARSE_C64) number[2 * n + 1] = (double)*(const float *)(const "
    "void *)(at + sizeof(float));\n"
    "        }\n"
    "    free(raw);\n"
    "    return number;\n"
    "}\n"
    "\n",
    "/* Compares numbers with those of a dense evaluation; 0, or 1 and a message. */\n"
    "SPARSE_UNUSED static int compare_numbers(const char *name, const double *got, const double *expected, "
    "size_t count, double tolerance)\n"
    "{\n"
    "    for (size_t n = 0; n < count; n++) {\n"
    "        const double gap = fabs(got[n] - expected[n]), scale = 1 + fabs(expected[n]);\n"
    "        if (gap <= tolerance * scale || (isnan(got[n]) && isnan(expected[n]))) continue;\n"
    "        if (isinf(expected[n]) && isinf(got[n]) && (got[n] > 0) == (expected[n] > 0)) continue;\n"
    "        fprintf(stderr, \"%s: the value at place %zu is %.17g, a dense evaluation gives %.17g\\n\", "
    "name, n, got[n], expected[n]);\n"
    "        return 1;\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "\n",
    "/* Now, in seconds. */\n"
    "SPARSE_UNUSED static double seconds(void)\n"
    "{\n"
    "    struct timespec t;\n"
    "    timespec_get(&t, TIME_UTC);\n"
    "    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;\n"
    "}\n"
    "\n",
    "SPARSE_UNUSED static int compare_doubles(const void *a, const void *b)\n"
    "{\n"
    "    const double x = *(const double *)a, y = *(const double *)b;\n"
    "    return (x > y) - (x < y);\n"
    "}\n"
    "\n",
    "/* The median of some times, which are sorted. */\n"
    "SPARSE_UNUSED static double median(double *time, size_t count)\n"
    "{\n"
    "    qsort(time, count, sizeof *time, compare_doubles);\n"
    "    return count % 2 ? time[count / 2] : (time[count / 2 - 1] + time[count / 2]) / 2;\n"
    "}\n"
    "\n",
    "/* Allocates a dense output; 0, or 1 and a message. */\n"
    "SPARSE_UNUSED static int allocate_output(const char *name, sparse_tensor *t, size_t *const *size)\n"
    "{\n"
    "    size_t dim[SPARSE_MAX_RANK];\n"
    "    sparse_result result = SPARSE_OK;\n"
    "    for (unsigned d = 0; d < t->encoding->rank; d++) {\n"
    "        dim[d] = *size[d];\n"
    "        if (dim[d] == SIZE_MAX) {\n"
    "            fprintf(stderr, \"%s: the size of dimension %u is not known: say -d\\n\", name, d + 1);\n"
    "            return 1;\n"
    "        }\n"
    "    }\n"
    "    result = sparse_allocate_dense(t, dim);\n"
    "    if (result != SPARSE_OK) fprintf(stderr, \"%s: %s\\n\", name, sparse_message(result));\n"
    "    return result != SPARSE_OK;\n"
    "}\n"
    "\n",
    "/* Shows a result: its arrays if they are few. */\n"
    "SPARSE_UNUSED static void show_output(const char *name, const sparse_tensor *t)\n"
    "{\n"
    "    printf(\"%s: %zu entries\\n\", name, sparse_entries(t));\n"
    "    if (sparse_entries(t) <= 100) sparse_print(t, stdout);\n"
    "}\n"
    "\n",
    "SPARSE_UNUSED static void show_storage(const sparse_tensor *t)\n"
    "{\n"
    "    sparse_print(t, stdout);\n"
    "}\n"
    "\n",
    "/* Writes a result to a file; 0, or 1 and a message. */\n"
    "SPARSE_UNUSED static int write_output(const sparse_tensor *t, const char *path)\n"
    "{\n"
    "    sparse_io_error error = {0};\n"
    "    sparse_write_options options = {0};\n"
    "    options.error = &error;\n"
    "    if (sparse_write(t, path, &options) == SPARSE_OK) return 0;\n"
    "    fprintf(stderr, \"%s\\n\", error.message);\n"
    "    return 1;\n"
    "}\n",
    "\n",
    "/* The bytes of a tensor: positions, coordinates, values. */\n"
    "SPARSE_UNUSED static double count_bytes(const sparse_tensor *t)\n"
    "{\n"
    "    const sparse_encoding *e = t->encoding;\n"
    "    double bytes = (double)t->val.length * (double)e->value_size;\n"
    "    for (unsigned l = 0; l < e->levels; l++)\n"
    "        bytes += (double)t->pos[l].length * e->pos_bits / 8 + (double)t->crd[l].length * e->crd_bits / "
    "8;\n"
    "    return bytes;\n"
    "}\n"
    "\n",
    "/* What one core reads from memory, in bytes per second: the best of some passes over 128 MiB. */\n"
    "SPARSE_UNUSED static double read_bandwidth(void)\n"
    "{\n"
    "    static volatile uint64_t sink;\n"
    "    const size_t count = (size_t)1 << 24;\n"
    "    uint64_t *const array = malloc(count * sizeof *array);\n"
    "    double best = 0;\n"
    "    for (size_t n = 0; array && n < count; n++) array[n] = n;\n"
    "    for (size_t pass = 0; array && pass < 5; pass++) {\n"
    "        uint64_t sum[8] = {0};\n"
    "        const double start = seconds();\n"
    "        for (size_t n = 0; n < count; n += 8)\n"
    "            for (size_t k = 0; k < 8; k++) sum[k] += array[n + k];\n"
    "        for (size_t k = 1; k < 8; k++) sum[0] += sum[k];\n"
    "        sink = sum[0] + sink;\n"
    "        best = fmax(best, (double)(count * sizeof *array) / (seconds() - start));\n"
    "    }\n"
    "    free(array);\n"
    "    return best;\n"
    "}\n"
    "\n",
    "/* What was reached in `time` seconds, beside what memory allows. */\n"
    "SPARSE_UNUSED static void show_roofline(double time, double operations, double bytes)\n"
    "{\n"
    "    const double most = read_bandwidth();\n"
    "    time = fmax(time, 1e-9);\n"
    "    printf(\"roofline: %.4g operations, %.4g bytes at least: %.3g GFLOP/s, %.3g GB/s; memory: %.3g GB/s "
    "by one core, %.0f%% reached\\n\",\n"
    "           operations, bytes, operations / time * 1e-9, bytes / time * 1e-9, most * 1e-9, bytes / time "
    "/ "
    "most * 100);\n"
    "}\n"
    "\n",
    "/* How large an input is. */\n"
    "SPARSE_UNUSED static void show_size(const char *name, const sparse_tensor *t)\n"
    "{\n"
    "    printf(\"%s: %zu entries, sizes\", name, sparse_entries(t));\n"
    "    for (unsigned d = 0; d < t->encoding->rank; d++) printf(\" %zu\", t->dim[d]);\n"
    "    puts(\"\");\n"
    "}\n",
    "#endif\n"};

static const char *output_of_program(const text *source, const char *program);

/* A C string literal. */
static const char *quoted(const char *s)
{
    text t = {0};
    put(&t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            put(&t, "\\%c", *s);
        else if (isprint((unsigned char)*s))
            put(&t, "%c", *s);
        else
            put(&t, "\\%03o", (unsigned)(unsigned char)*s);
    }
    put(&t, "\"");
    return t.at;
}

/* The inputs that are made up: rand:0.01,seed=7,low=-1,high=1, ones:0.5, zeros, iota. */
typedef struct recipe {
    char what;
    double density, low, high;
    unsigned long seed;
} recipe;

static double parse_real(lexer *x)
{
    const bool negative = accept(x, "-");
    if (x->now.kind != NUMBER) refuse(x->now.place, "a number is expected, not %s", found(x));
    const double v = strtod(x->now.text, NULL);
    advance(x);
    return negative ? -v : v;
}

static bool is_recipe(const char *s)
{
    static const char *const words[] = {"rand", "ones", "zeros", "iota"};
    for (size_t n = 0; n < 4; n++) {
        const size_t length = strlen(words[n]);
        if (strncmp(s, words[n], length) == 0 && (s[length] == '\0' || s[length] == ':' || s[length] == ','))
            return true;
    }
    return false;
}

static recipe parse_recipe(spot at, const tensor *t, int number)
{
    lexer x = {.source = at.source, .at = at.at};
    const bool whole = is_integer(t->kind);
    recipe r = {.density = 1, .low = whole ? 1 : 0, .high = whole ? 9 : 1, .seed = 1};
    advance(&x);
    r.what = x.now.text[0];
    advance(&x);
    if (accept(&x, ":")) {
        const spot place = x.now.place;
        r.density = parse_real(&x);
        if (!(r.density >= 0 && r.density <= 1)) refuse(place, "a density is from 0 to 1");
    }
    while (accept(&x, ",")) {
        const token key = x.now;
        advance(&x);
        expect(&x, "=", "after the name of a setting");
        if (same(key.text, "seed"))
            r.seed = expect_number(&x, "the seed", 0, 4294967295);
        else if (same(key.text, "low"))
            r.low = parse_real(&x);
        else if (same(key.text, "high"))
            r.high = parse_real(&x);
        else
            refuse(key.place, "seed, low or high is expected");
    }
    if (x.now.kind != END) refuse(x.now.place, "the input should end here, before %s", found(&x));
    if (r.low > r.high) refuse(at, "low is more than high");
    if (r.low < 0 && (t->kind == U8 || t->kind == U16 || t->kind == U32 || t->kind == U64))
        refuse(at, "low is negative, but the values of %s are unsigned", t->name);
    if (t->rank == 0 || is_dense(&t->encoding)) r.density = 1;
    r.seed += (unsigned long)number * 7919;
    return r;
}

static const input *input_of(int n)
{
    const input *in = NULL;
    for (int k = 0; k < the.ins; k++)
        if (the.in[k].name ? same(the.in[k].name, tensor_at(n)->name) : in == NULL || in->name == NULL)
            in = &the.in[k];
    return in;
}

static const input *output_of(int n)
{
    for (int k = 0; k < the.outs; k++)
        if (same(the.out[k].name, tensor_at(n)->name)) return &the.out[k];
    return NULL;
}

static bool is_given(int n)
{
    return is_parameter(n) &&
           (tensor_at(n)->role == INPUT || tensor_at(n)->embedded || (tensor_at(n)->updated && input_of(n)));
}

/* The kinds of numbers that a dense evaluation computes in. */
static value_kind reference_kind(void)
{
    for (int n = 0; n < the.tensors; n++)
        if (is_complex(tensor_at(n)->kind)) return C128;
    return F64;
}

static void put_size_loops(text *t, letters over, const char *indent)
{
    for (char i = 'a'; i <= 'z'; i++)
        if (over & letter_bit(i))
            put(t, "%sfor (size_t %c = 0; %c < %ssize_%c; %c++)\n", indent, i, i, the.prefix, size_letter(i),
                i);
}

/* With a semiring only stored entries count; among dense arrays, those that are not zero. */
static void put_presence(text *t, const node *n)
{
    if (t->length == 0) put(t, "true");
    if (n->kind == ACCESS && is_sparse(n->tensor)) {
        put(t, " && ");
        spell_access(t, &(speller){.style = REFERENCE, .kind = F64}, n);
        put(t, " != 0");
    }
    for (unsigned k = 0; n->kind != REDUCTION && k < n->count; k++) put_presence(t, n->term[k].node);
}

/* A function for every reduction of an expression, innermost first. */
static void put_reference_reductions(text *t, node *n, int *number)
{
    for (unsigned k = 0; k < n->count; k++) put_reference_reductions(t, n->term[k].node, number);
    if (n->kind != REDUCTION) return;
    const char *type = kinds[reference_kind()].type, *comma = "",
               *name = print("%sreduction_%d", the.prefix, ++*number);
    text call = {0}, value = {0};
    spell(&value, &(speller){.style = REFERENCE, .kind = reference_kind()}, n->term[0].node, ATOM);
    put(t, "static %s %s(", type, name);
    put(&call, "%s(", name);
    const letters parameters = free_letters(n);
    for (char i = 'a'; i <= 'z'; i++)
        if (parameters & letter_bit(i)) {
            put(t, "%ssize_t %c", comma, i);
            put(&call, "%s%c", comma, i);
            comma = ", ";
        }
    put(&call, ")");
    n->call = call.at;
    if (the.semiring) {
        text present = {0};
        put_presence(&present, n->term[0].node);
        put(t, "%s)\n{\n    double value = %s;\n", parameters ? "" : "void", identity_of(F64));
        put_size_loops(t, n->over, "    ");
        put(t, "        if (%s) value = %s(value, %s);\n    return value;\n}\n", present.at,
            the.semiring->plus, value.at);
        return;
    }
    put(t, "%s)\n{\n    %s value = %s;\n", parameters ? "" : "void", type,
        same(n->word, "sum") ? "0" : identity_of_reduction(n->word, reference_kind()));
    put_size_loops(t, n->over, "    ");
    if (same(n->word, "sum"))
        put(t, "        value += %s;\n", value.at);
    else if (same(n->word, "prod"))
        put(t, "        value *= %s;\n", value.at);
    else
        put(t, "        value = f%s(value, %s);\n", n->word, value.at);
    put(t, "    return value;\n}\n");
}

static const char *volume_of(int n)
{
    text t = {0};
    put(&t, "1");
    for (const char *i = tensor_at(n)->index; *i; i++) put(&t, " * %ssize_%c", the.prefix, size_letter(*i));
    return t.at;
}

/* True if a tensor is one of the statements' own, not made here. */
static bool is_of_statements(int n)
{
    for (int s = 0; s < the.statements; s++)
        if (the.statement[s].output == n || reads_tensor(the.statement[s].value, n)) return true;
    return false;
}

/* y = value where operands are stored; elsewhere the identity, or nothing where the result is not stored. */
static void put_semiring_assignment(text *t, const statement *a, const node *out)
{
    const speller s = {.style = REFERENCE, .kind = F64};
    text left = {0}, value = {0}, present = {0};
    spell(&left, &s, out, ATOM);
    spell(&value, &s, a->value, COMPARED);
    put_presence(&present, a->value);
    const char *identity = identity_of(F64), *here = is_sparse(a->output) ? "0" : identity;
    if (a->accumulate)
        put(t, "if (%s) %s = %s(%s, %s);\n", present.at, left.at, the.semiring->plus, left.at, value.at);
    else
        put(t, "%s = %s && %s != %s ? %s : %s;\n", left.at, present.at, value.at, identity, value.at, here);
}

/* The statements as dense loops, by the rules of the notation alone. */
static void put_reference(text *t)
{
    const speller s = {.style = REFERENCE, .kind = reference_kind()};
    const char *type = kinds[s.kind].type;
    int number = 0;
    put(t, "\n/* the statements over dense arrays, for the check */\n");
    for (int n = 0; n < the.tensors; n++)
        if (is_of_statements(n)) put(t, "static %s *%sdense_%s;\n", type, the.prefix, tensor_at(n)->name);
    for (int k = 0; k < the.statements; k++) put_reference_reductions(t, the.statement[k].value, &number);
    put(t, "static void %sevaluate(void)\n{\n", the.prefix);
    for (int k = 0; k < the.statements; k++) {
        const statement *a = &the.statement[k];
        node *out = make_node(ACCESS, a->place);
        out->tensor = a->output;
        strcpy(out->index, a->index);
        put_size_loops(t, letters_of(a->index), "    ");
        put(t, a->index[0] ? "        " : "    ");
        if (the.semiring) {
            put_semiring_assignment(t, a, out);
            continue;
        }
        spell(t, &s, out, ATOM);
        put(t, a->accumulate ? " += " : " = ");
        spell(t, &s, a->value, COMPARED);
        put(t, ";\n");
    }
    put(t, "}\n");
}

/* The sizes of dimensions that are read at subscripts such as i + p, where no file gave them: the least that
   will do. */
static void put_window_sizes(text *t, const node *n)
{
    for (unsigned k = 0; k < n->count; k++) put_window_sizes(t, n->term[k].node);
    for (unsigned d = 0; n->kind == WINDOW && d < tensor_at(n->tensor)->rank; d++) {
        const subscript *s = &n->subscript[d];
        const char own = size_letter(tensor_at(n->tensor)->index[d]);
        text known = {0}, least = {0};
        if (!isupper((unsigned char)own)) continue;
        put(&least, "%ld", s->start + 1);
        for (unsigned k = 0; k < s->count; k++) {
            const char *size = print("%ssize_%c", the.prefix, size_letter(s->index[k]));
            if (s->step[k] <= 0) continue;
            put(&known, "%s%s != SIZE_MAX", known.length ? " && " : "", size);
            put(&least, " + %ld * (%s - 1)", s->step[k], size);
        }
        const char *size = print("%sleast_%c", the.prefix, own);
        put(t, "    if (%s && %s < %s) %s = %s;\n", known.length ? known.at : "true", size, least.at, size,
            least.at);
    }
}

/* Takes over these sizes where there are no others. */
static void put_least_sizes(text *t)
{
    for (int pass = 0; pass < 3; pass++) {
        for (int n = 0; n < the.tensors; n++)
            for (const char *i = tensor_at(n)->index; *i && pass != 1; i++)
                if (isupper((unsigned char)*i))
                    put(t,
                        pass ? "    if (%ssize_%c == SIZE_MAX && %sleast_%c) %ssize_%c = %sleast_%c;\n"
                             : "    size_t %sleast_%c = 0;\n",
                        the.prefix, *i, the.prefix, *i, the.prefix, *i, the.prefix, *i);
        for (int s = 0; pass == 1 && s < the.statements; s++) put_window_sizes(t, the.statement[s].value);
    }
}

static void put_sizes(text *t)
{
    letters used = 0;
    for (int n = 0; n < the.tensors; n++)
        for (const char *i = tensor_at(n)->index; *i; i++)
            if (isupper((unsigned char)*i)) put(t, "static size_t %ssize_%c = SIZE_MAX;\n", the.prefix, *i);
    for (int s = 0; s < the.statements; s++)
        used |= letters_of(the.statement[s].index) | all_letters(the.statement[s].value);
    for (char i = 'a'; i <= 'z'; i++) {
        if (!(used & letter_bit(i)) || size_letter(i) != i) continue;
        if (the.size[i - 'A'])
            put(t, "static size_t %ssize_%c = %lu;\n", the.prefix, i, the.size[i - 'A']);
        else
            put(t, "static size_t %ssize_%c = SIZE_MAX;\n", the.prefix, i);
    }
}

/* Inputs: files first, since they bring sizes. */
static void put_inputs(text *t)
{
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) put_least_sizes(t);
        for (int n = 0; n < the.tensors; n++) {
            const tensor *a = tensor_at(n);
            const input *in = is_given(n) ? input_of(n) : NULL;
            if (a->embedded && pass == 0)
                put(t, "    failed = failed || agree(\"%s\", &%s.t, %s_size);\n", a->name, a->name, a->name);
            if (a->embedded) continue;
            if (a->rank == 0 || in == NULL || is_recipe(in->value) != (pass == 1)) continue;
            if (pass == 0) {
                put(t, "    failed = failed || read_input(&%s.t, %s) || agree(\"%s\", &%s.t, %s_size);\n",
                    a->name, quoted(in->value), a->name, a->name, a->name);
                continue;
            }
            const recipe r = parse_recipe(in->place, a, n);
            put(t,
                "    failed = failed || make_input(\"%s\", &%s.t, %s_size, (recipe){'%c', %.17g, %.17g, "
                "%.17g, %lu});\n",
                a->name, a->name, a->name, r.what, r.density, r.low, r.high, r.seed);
        }
    }
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (a->role == OUTPUT && a->rank && is_dense(&a->encoding) && !is_given(n))
            put(t, "    failed = failed || allocate_output(\"%s\", &%s.t, %s_size);\n", a->name, a->name,
                a->name);
    }
}

/* The value of a scalar: a number, or one that is made up. */
static double scalar_value(int n)
{
    const input *in = input_of(n);
    if (in == NULL) return 0;
    if (is_recipe(in->value)) {
        const recipe r = parse_recipe(in->place, tensor_at(n), n);
        const double middle = r.low + (r.high - r.low) * (double)(r.seed % 97) / 97;
        return r.what == 'z'   ? 0
               : r.what == 'r' ? is_integer(tensor_at(n)->kind) ? floor(middle) : middle
                               : 1;
    }
    lexer x = {.source = in->place.source, .at = in->place.at};
    advance(&x);
    const double v = parse_real(&x);
    if (x.now.kind != END) refuse(x.now.place, "%s is a scalar: its input is a number", tensor_at(n)->name);
    return v;
}

static void put_declarations(text *t)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_parameter(n)) continue;
        if (a->rank == 0) {
            put(t, "    %s %s = (%s)%.17g;\n", a->type, a->name, a->type,
                is_given(n) ? scalar_value(n) : 0.0);
            continue;
        }
        if (a->embedded == NULL) put(t, "    %s %s = SPARSE_INIT(%s);\n", a->type, a->name, a->type);
        put(t, "    size_t *const %s_size[] = {", a->name);
        for (unsigned d = 0; d < a->rank; d++)
            put(t, "%s&%ssize_%c", d ? ", " : "", the.prefix, size_letter(a->index[d]));
        put(t, "};\n    (void)%s_size;\n", a->name);
    }
}

/* Arguments in main: everything is its own. */
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

static double tolerance(int n)
{
    value_kind k = tensor_at(n)->kind;
    for (int m = 0; m < the.tensors; m++)
        if (tensor_at(m)->kind == F32 || tensor_at(m)->kind == C64) return 1e-3;
    return is_integer(k) ? 0 : 1e-9;
}

/* Before the kernel runs: dense copies of what goes in. After it: the dense evaluation, compared. */
static void put_dense_copies(text *t)
{
    const char *type = kinds[reference_kind()].type;
    const unsigned parts = is_complex(reference_kind()) ? 2 : 1;
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (!is_of_statements(n)) continue;
        const char *dense = print("%sdense_%s", the.prefix, a->name);
        if (a->rank && is_parameter(n) && is_given(n))
            put(t, "    if (!failed) %s = unpack_numbers(&%s.t, %u);\n", dense, a->name, parts);
        else
            put(t, "    if (!failed) %s = calloc(%s + 1, sizeof(%s));\n", dense, volume_of(n), type);
        if (a->rank == 0 && is_given(n)) put(t, "    if (%s) %s[0] = (%s)%s;\n", dense, dense, type, a->name);
        put(t, "    failed = failed || %s == NULL;\n", dense);
    }
}

static void put_comparison(text *t)
{
    const unsigned parts = is_complex(reference_kind()) ? 2 : 1;
    put(t, "    if (!failed) %sevaluate();\n", the.prefix);
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (a->role != OUTPUT) continue;
        const char *dense = print("%sdense_%s", the.prefix, a->name);
        put(t, "    if (!failed) {\n");
        if (a->rank)
            put(t, "        void *got = unpack_numbers(&%s.t, %u);\n", a->name, parts);
        else
            put(t, "        %s number = %s, *got = &number;\n", kinds[reference_kind()].type,
                a->kind == reference_kind() ? a->name
                                            : print("(%s)%s", kinds[reference_kind()].type, a->name));
        put(t, "        failed = got == NULL || compare_numbers(\"%s\", %sgot, %s%s, (%s) * %u, %g);\n",
            a->name, parts == 2 ? "(const double *)" : "", parts == 2 ? "(const double *)" : "", dense,
            volume_of(n), parts, tolerance(n));
        if (a->rank) put(t, "        free(got);\n");
        put(t, "    }\n");
    }
    for (int n = 0; n < the.tensors; n++)
        if (is_of_statements(n)) put(t, "    free(%sdense_%s);\n", the.prefix, tensor_at(n)->name);
    if (!the.part) put(t, "    if (!failed) puts(\"the result is that of a dense evaluation\");\n");
}

static bool is_printed(int n)
{
    for (int k = 0; k < the.prints; k++)
        if (same(the.printed[k], tensor_at(n)->name)) return true;
    return false;
}

static void put_outputs(text *t)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (a->role == OUTPUT && output_of(n)) {
            if (a->rank == 0) refuse(output_of(n)->place, "%s is a scalar; it is printed", a->name);
            put(t, "    failed = failed || write_output(&%s.t, %s);\n", a->name, quoted(output_of(n)->value));
        }
        const bool quiet = the.check || the.times || the.outs || the.prints || the.part;
        if (!is_printed(n) && (a->role != OUTPUT || (quiet && a->rank) || the.part)) continue;
        if (!is_parameter(n)) refuse(nowhere, "%s cannot be printed: it is not an input or output", a->name);
        if (a->rank && is_printed(n))
            put(t, "    if (!failed) show_storage(&%s.t);\n", a->name);
        else if (a->rank)
            put(t, "    if (!failed) show_output(\"%s\", &%s.t);\n", a->name, a->name);
        else if (is_complex(a->kind))
            put(t,
                "    if (!failed) printf(\"%s = %%.15g %%.15g\\n\", load_number(SPARSE_F%s, &%s), "
                "load_number(SPARSE_F%s, (const char *)&%s + sizeof %s / 2));\n",
                a->name, a->kind == C64 ? "32" : "64", a->name, a->kind == C64 ? "32" : "64", a->name,
                a->name);
        else
            put(t, "    if (!failed) printf(\"%s = %%.15g\\n\", (double)%s);\n", a->name, a->name);
    }
}

static void put_timing(text *t)
{
    put(t, "    if (!failed) {\n        static double time[%lu];\n", the.times);
    put(t, "        for (size_t run = 0; run < %lu; run++) {\n", the.times);
    put(t, "            const double start = seconds();\n            result = ");
    put_main_call(t);
    put(t, ";\n            time[run] = seconds() - start;\n        }\n");
    put(t, "        %stypical = median(time, %lu);\n", the.roofline ? "" : "const double ", the.times);
    put(t, "        printf(\"compute: %%.3g s, median of %lu\\n\", typical);\n    }\n", the.times);
}

/* Kernels that count operations, for one call beside those that are timed. They run on one thread. */
typedef struct plain_way {
    const char *name;
    letters parallel, simd;
} plain_way;

static plain_way begin_counting(void)
{
    const plain_way before = {the.name, the.parallel, the.simd};
    the.counting = true;
    the.name = print("%s_counted", the.name);
    the.parallel = the.simd = 0;
    name_steps();
    return before;
}

static void end_counting(plain_way before)
{
    the.counting = false;
    the.name = before.name;
    the.parallel = before.parallel;
    the.simd = before.simd;
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

/* Operations as they are written, and every array once: what is read, and what is written; if it is added to,
   twice. */
static void put_roofline(text *t)
{
    const plain_way before = begin_counting();
    put(t, "    if (!failed) {\n        double bytes = 0;\n        result = ");
    put_main_call(t);
    put(t, ";\n");
    end_counting(before);
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        const bool twice = a->role == OUTPUT && (is_dense(&a->encoding) || a->updated);
        if (is_parameter(n) && a->rank)
            put(t, "        bytes += %scount_bytes(&%s.t);\n", twice ? "2 * " : "", a->name);
    }
    put(t, "        show_roofline(typical, (double)%soperations, bytes);\n    }\n", the.prefix);
}

/* True if the function gives the same once more: it adds to nothing and changes nothing in place. */
static bool is_repeatable(void)
{
    for (int n = 0; n < the.tensors; n++)
        if (tensor_at(n)->role == OUTPUT && tensor_at(n)->updated) return false;
    return true;
}

/* Calls the function, and once more for the check, which is to see that it assigns. */
static void put_computation(text *t)
{
    put(t, "    if (!failed) result = ");
    put_main_call(t);
    if (the.check && !the.times && is_repeatable()) {
        put(t, ";\n    if (!failed && result == SPARSE_OK) result = ");
        put_main_call(t);
    }
    put(t,
        ";\n    if (result != SPARSE_OK) {\n        fprintf(stderr, \"%s: %%s\\n\", "
        "sparse_message(result));\n        failed = 1;\n    }\n",
        the.name);
}

static void put_end(text *t)
{
    for (int n = 0; n < the.tensors; n++)
        if (is_parameter(n) && tensor_at(n)->rank && !tensor_at(n)->embedded)
            put(t, "    sparse_free(&%s.t);\n", tensor_at(n)->name);
    put(t, "    return failed;\n}\n");
}

/* The sizes of what is given, and nothing else. */
static void put_measures(text *t)
{
    put(t, "    (void)result;\n");
    for (int n = 0; n < the.tensors; n++)
        if (is_given(n) && tensor_at(n)->rank)
            put(t, "    if (!failed) show_size(\"%s\", &%s.t);\n", tensor_at(n)->name, tensor_at(n)->name);
    put_end(t);
}

static void put_main(text *t)
{
    put(t, "\n");
    put_sizes(t);
    if (the.check) put_reference(t);
    put(t, the.part ? "\nstatic int %s_main(void)\n{\n" : "\nint main(void)\n{\n", the.name);
    put_declarations(t);
    put(t, "    int failed = 0;\n    sparse_result result = SPARSE_OK;\n");
    if (the.times) put(t, "    const double begin = seconds();\n");
    if (the.roofline) put(t, "    double typical = 0;\n");
    put_inputs(t);
    if (the.times) put(t, "    if (!failed) printf(\"read: %%.3g s\\n\", seconds() - begin);\n");
    if (the.measure) {
        put_measures(t);
        return;
    }
    if (the.check) put_dense_copies(t);
    put_computation(t);
    if (the.times && is_repeatable()) put_timing(t);
    if (the.check) put_comparison(t);
    put_outputs(t);
    if (the.times && !is_repeatable()) put_timing(t);
    if (the.roofline) put_roofline(t);
    put_end(t);
}

static void check_inputs(void)
{
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        const input *in = input_of(n);
        if (a->role == INPUT && is_used(n) && in == NULL && !a->embedded)
            refuse(a->place, "%s has no input: say -i %s=FILE, rand:0.01, ones, zeros, iota%s", a->name,
                   a->name, a->rank ? "" : " or a number");
        if (in && in->name && a->rank && !is_recipe(in->value) && access(in->value, R_OK) != 0)
            refuse(in->place, "%s cannot be read: %s", in->value, strerror(errno));
    }
    if (!the.check) return;
    for (int s = 0; s < the.statements; s++)
        if (is_integer(kind_of_tensor(the.statement[s].output)) &&
            !is_integer(kind_of(the.statement[s].value, I8)))
            refuse(the.statement[s].place,
                   "--check cannot compare: real values are rounded into integers at every step");
}

/* The program that writes tensors as constant arrays. */
static const char *const embedder[] = {
    "/* static const uint32_t A_pos2[] = {...}; */\n"
    "static void write_indices(const char *name, const char *what, unsigned level, const sparse_buffer *b, "
    "unsigned bits)\n"
    "{\n"
    "    printf(\"SPARSE_UNUSED static const uint%u_t %s_%s%u[] = {\", bits, name, what, level + 1);\n"
    "    for (size_t n = 0; n < b->length; n++)\n"
    "        printf(\"%s%s%zu\", n ? \",\" : \"\", n % 16 ? \" \" : \"\\n    \", sparse_load(b->at, bits, "
    "n));\n"
    "    printf(\"%s};\\n\", b->length ? \"\" : \"0\");\n"
    "}\n"
    "\n",
    "static void write_values(const char *name, const char *type, const sparse_tensor *t)\n"
    "{\n"
    "    const sparse_kind kind = t->encoding->kind;\n"
    "    printf(\"SPARSE_UNUSED static const %s %s_val[] = {\", type, name);\n"
    "    for (size_t n = 0; n < t->val.length; n++) {\n"
    "        const char *at = (const char *)t->val.at + n * t->encoding->value_size;\n"
    "        printf(\"%s%s\", n ? \",\" : \"\", n % 8 ? \" \" : \"\\n    \");\n"
    "        if (kind == SPARSE_F32) printf(\"%af\", load_number(kind, at));\n"
    "        else if (kind == SPARSE_I64) printf(\"%lld\", (long long)*(const int64_t *)(const void *)at);\n"
    "        else if (kind == SPARSE_U64) printf(\"%lluu\", (unsigned long long)*(const uint64_t *)(const "
    "void *)at);\n"
    "        else printf(\"%.17g\", load_number(kind, at));\n"
    "    }\n"
    "    printf(\"%s};\\n\", t->val.length ? \"\" : \"0\");\n"
    "}\n"
    "\n",
    "static void write_sizes(const char *what, const size_t *size, unsigned count)\n"
    "{\n"
    "    printf(\", .%s = {\", what);\n"
    "    for (unsigned n = 0; n < count; n++) printf(\"%s%zu\", n ? \", \" : \"\", size[n]);\n"
    "    printf(\"}\");\n"
    "}\n"
    "\n",
    "static void write_buffers(const char *name, const char *what, const sparse_buffer *b, unsigned count)\n"
    "{\n"
    "    printf(\",\\n    .%s = {\", what);\n"
    "    for (unsigned l = 0; l < count; l++)\n"
    "        if (b[l].at) printf(\"[%u] = {(void *)%s_%s%u, %zu, 0}, \", l, name, what, l + 1, "
    "b[l].length);\n"
    "    printf(\"[%u] = {NULL, 0, 0}}\", SPARSE_MAX_LEVELS - 1);\n"
    "}\n"
    "\n",
    "/* A tensor of constants that a kernel takes as it is: its arrays are borrowed. */\n"
    "static int embed(const char *name, const char *type, const char *value, sparse_tensor *t, const char "
    "*path)\n"
    "{\n"
    "    const sparse_encoding *e = t->encoding;\n"
    "    if (read_input(t, path)) return 1;\n"
    "    for (unsigned l = 0; l < e->levels; l++) {\n"
    "        if (t->pos[l].at) write_indices(name, \"pos\", l, &t->pos[l], e->pos_bits);\n"
    "        if (t->crd[l].at) write_indices(name, \"crd\", l, &t->crd[l], e->crd_bits);\n"
    "    }\n"
    "    write_values(name, value, t);\n"
    "    printf(\"SPARSE_UNUSED static const %s %s = {.t = {.encoding = &%s_encoding\", type, name, type);\n"
    "    write_sizes(\"dim\", t->dim, e->rank);\n"
    "    write_sizes(\"lvl\", t->lvl, e->levels);\n"
    "    write_buffers(name, \"pos\", t->pos, e->levels);\n"
    "    write_buffers(name, \"crd\", t->crd, e->levels);\n"
    "    printf(\",\\n    .val = {(void *)%s_val, %zu, 0}}};\\n\", name, t->val.length);\n"
    "    sparse_free(t);\n"
    "    return 0;\n"
    "}\n"};

/* Reads the tensors that are to be embedded, by a program, and puts them into the text as constants. They
   come after the kernels, whose parameters have the same names. */
static void put_embedded(text *t, const char *program)
{
    text source = {0};
    bool any = false;
    put(&source, "#include \"sparse.h\"\n#include \"sparse_io.h\"\n");
    for (size_t n = 0; n < sizeof runtime / sizeof *runtime; n++) put(&source, "%s", runtime[n]);
    for (size_t n = 0; n < sizeof embedder / sizeof *embedder; n++) put(&source, "%s", embedder[n]);
    put_types(&source);
    put(&source, "int main(void)\n{\n    int failed = 0;\n");
    for (int n = 0; n < the.tensors; n++) {
        const tensor *a = tensor_at(n);
        if (a->embedded == NULL) continue;
        any = true;
        put(&source,
            "    %s %s = SPARSE_INIT(%s);\n    failed = failed || embed(\"%s\", \"%s\", \"%s\", &%s.t, "
            "%s);\n",
            a->type, a->name, a->type, a->name, a->type, kinds[a->kind].type, a->name, quoted(a->embedded));
    }
    put(&source, "    return failed;\n}\n");
    if (!any) return;
    const char *constants = output_of_program(&source, program);
    if (constants == NULL) refuse(nowhere, "the tensors cannot be embedded");
    put(t, "\n%s", constants);
}

/* How a function of the runtime begins when it stands in the same file as its caller. */
static const char in_file[] = "SPARSE_UNUSED static ";

/* The runtime as an object of its own: the same functions, to be linked. */
static text runtime_source(void)
{
    text t = {0};
    put(&t, "#include \"sparse.h\"\n#include \"sparse_io.h\"\n");
    for (size_t n = 0; n < sizeof runtime / sizeof *runtime; n++) {
        const char *at = strstr(runtime[n], in_file);
        if (at == NULL)
            put(&t, "%s", runtime[n]);
        else
            put(&t, "%.*s%s", (int)(at - runtime[n]), runtime[n], at + strlen(in_file));
    }
    return t;
}

/* What a program needs to know about the runtime when it is linked to it. */
static void put_prototypes(text *t)
{
    for (size_t n = 0; n < sizeof runtime / sizeof *runtime; n++) {
        const char *at = strstr(runtime[n], in_file), *body = at ? strstr(at, "\n{") : NULL;
        if (body)
            put(t, "%.*s;\n", (int)(body - at) - (int)strlen(in_file), at + strlen(in_file));
        else if (strstr(runtime[n], "typedef"))
            put(t, "%s", runtime[n]);
    }
}

typedef enum file_kind { KERNELS_ONLY, PROGRAM, LINKED_PROGRAM } file_kind;

/* The whole file. */
static void put_file(text *t, file_kind kind, const char *self)
{
    const bool program = kind != KERNELS_ONLY;
    text kernels = {0};
    name_steps();
    for (int n = 0; n < the.tensors; n++) name_type(n);
    put_kernels(&kernels);
    if (program && the.roofline) put_counted_kernels(&kernels);
    if (the.command) put(t, "/* made by: %s */\n", the.command);
    if (the.math || (kind == LINKED_PROGRAM && the.check)) put(t, "#include <math.h>\n");
    put(t, "#include \"sparse.h\"\n");
    if (kind == PROGRAM) put(t, "#include \"sparse_io.h\"\n");
    if (kind == LINKED_PROGRAM) put(t, "#include <stdio.h>\n");
    put(t, "\n");
    if (kind == LINKED_PROGRAM) put_prototypes(t);
    for (size_t n = 0; kind == PROGRAM && n < sizeof runtime / sizeof *runtime; n++) put(t, "%s", runtime[n]);
    if (program) put(t, "\n");
    put(t, "%s", kernels.at);
    put_embedded(t, self);
    if (program) check_inputs(), put_main(t);
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

/* Whether a region can have coordinates when of the operands that store index i only `alive` have any left.
 */
static bool is_live(const step *k, const region *r, char i, unsigned alive)
{
    if (r->kind == STORED)
        return r->operand < 0 || !stores(&k->operand[r->operand], i) || (alive >> r->operand & 1);
    for (unsigned c = 0; c < r->count; c++)
        if (is_live(k, r->child[c], i, alive) != (r->kind == ALL)) return r->kind != ALL;
    return r->kind == ALL;
}

/* True if operand o decides, together with some others of the set, whether the loop over i goes on. */
static bool matters(const step *k, char i, unsigned set, unsigned o)
{
    const unsigned others = set & ~(1u << o);
    for (unsigned some = others;; some = (some - 1) & others) {
        if (!is_live(k, k->region, i, some) && is_live(k, k->region, i, some | 1u << o)) return true;
        if (some == 0) return false;
    }
}

/* The merge lattice of an index: the sets of operands with which its loop goes on. A set is a point if it is
   live, and every operand in it matters. */
static void explain_lattice(text *t, const step *k, const loop *l)
{
    unsigned iterators = 0;
    for (unsigned o = 0; o < k->operands; o++)
        if (stores(&k->operand[o], l->index)) iterators |= 1u << o;
    put(t, "    %c%s: ", l->index,
        l->part == FLOORDIV ? " in blocks"
        : l->part == MOD    ? " inside a block"
                            : "");
    if (l->part == MOD && !iterators) {
        put(t, "every place of the block\n");
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
        bool point = is_live(k, k->region, l->index, set);
        for (unsigned o = 0; o < k->operands; o++)
            if ((set >> o & 1) && !matters(k, l->index, set, o)) point = false;
        if (point) {
            put(t, " {");
            const char *comma = "";
            for (unsigned o = 0; o < k->operands; o++)
                if (set >> o & 1) put(t, "%s%s", comma, k->operand[o].name), comma = ", ";
            put(t, "}");
        }
        if (set == 0) break;
    }
    put(t, "\n");
}

static const char *loop_name(const loop *l)
{
    if (l->part == WHOLE) return print("%c", l->index);
    return print("%s(%c, %lu)", l->part == MOD ? "mod" : "floordiv", l->index, l->size);
}

static void explain_kernel(text *t, const step *k)
{
    graph g;
    put(t, "%s: %s\n", k->name, step_text(k));
    put(t, "  nonzero where stored: ");
    explain_region(t, k, k->region);
    if (k->initial) put(t, "\n  %s begins with %s", tensor_at(k->output)->name, k->initial);
    put(t, "\n  iteration graph:");
    make_loops(k, &g, 0, nowhere);
    for (unsigned o = 0; o < k->operands; o++)
        if (tensor_at(k->operand[o].stored)->rank)
            add_order(&g, stored_encoding(&k->operand[o]), k->operand[o].index, false);
    if (is_sparse(k->output)) add_order(&g, &tensor_at(k->stored)->encoding, k->index, !k->updates);
    bool edges = false;
    for (unsigned b = 0; b < g.loops; b++)
        for (unsigned a = 0; a < g.loops; a++)
            if (g.before[b] >> a & 1)
                put(t, "%s %s before %s", edges ? "," : "", loop_name(&g.loop[a]), loop_name(&g.loop[b])),
                    edges = true;
    put(t, edges ? "\n  loops:" : " no constraints\n  loops:");
    for (unsigned l = 0; l < k->loops; l++) put(t, "%s %s", l ? "," : "", loop_name(&k->loop[l]));
    put(t,
        "; the cheapest of the orders that the graph allows, at about %.2g iterations\n  merge lattices:\n",
        k->cost);
    for (unsigned l = 0; l < k->loops; l++) explain_lattice(t, k, &k->loop[l]);
    bool reduced = false;
    for (unsigned l = 0; is_sparse(k->output) && !k->updates && l < k->loops; l++) {
        const bool is_output = strchr(k->index, k->loop[l].index) != NULL;
        if (is_output && reduced) {
            put(t, "  %s is gathered in a workspace: a sum is around its loop %s\n",
                tensor_at(k->output)->name, loop_name(&k->loop[l]));
            break;
        }
        reduced = reduced || !is_output;
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
        else if (k->kind == ASSIGNMENT)
            put(t, "%s, once\n", step_text(k));
        else
            put(t, "convert %s to %s\n", tensor_at(k->source)->name, tensor_at(k->output)->name);
    }
}

/* The iteration graphs for Graphviz: a node per loop in the order chosen, an edge per path of an operand. */
static void put_dot(text *t)
{
    name_steps();
    put(t, "digraph iteration {\n    rankdir=LR;\n    node [shape=circle];\n");
    for (int s = 0; s < scheduled_steps; s++) {
        const step *k = &scheduled[s];
        if (k->kind != KERNEL) continue;
        put(t, "    subgraph cluster_%d {\n        label=%s;\n", s,
            quoted(print("%s: %s", k->name, step_text(k))));
        for (unsigned l = 0; l < k->loops; l++)
            put(t, "        n%d_%c%d [label=%s, xlabel=%u];\n", s, k->loop[l].index, (int)k->loop[l].part,
                quoted(loop_name(&k->loop[l])), l + 1);
        for (unsigned o = 0; o <= k->operands; o++) {
            const operand out = output_operand(k), *p = o < k->operands ? &k->operand[o] : &out;
            const encoding *e = stored_encoding(p);
            for (unsigned v = 1; p->kind == VALUE && v < e->levels; v++) {
                const level *a = &e->level[v - 1], *b = &e->level[v];
                put(t, "        n%d_%c%d -> n%d_%c%d [label=%s, style=%s];\n", s, p->index[a->dim],
                    (int)a->part, s, p->index[b->dim], (int)b->part, quoted(p->name),
                    b->format == DENSE ? "dashed" : "solid");
            }
        }
        put(t, "    }\n");
    }
    put(t, "}\n");
}

/* >>run */

static bool has_headers(const char *directory)
{
    return directory[0] && access(print("%s/sparse.h", directory), R_OK) == 0;
}

static const char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? "." : slash == path ? "/" : copy_string(path, (size_t)(slash - path));
}

/* Where the headers are: beside this file, as far as the program knows where that is, or beside the program.
 */
static const char *find_headers(const char *program)
{
    const char *const home = getenv("SPARSE_GEN_HOME");
    const char *const candidates[] = {home ? home : "", directory_of(__FILE__), directory_of(program), "."};
    for (size_t n = 0; n < sizeof candidates / sizeof *candidates; n++)
        if (has_headers(candidates[n])) return candidates[n];
    refuse(nowhere, "sparse.h is not beside sparse_gen.c; set SPARSE_GEN_HOME to its directory");
}

/* Writes a file; false and errno if that fails. */
static bool write_file(const char *path, const text *t)
{
    FILE *f = fopen(path, "w");
    if (f == NULL) return false;
    const bool written = fwrite(t->at, 1, t->length, f) == t->length;
    return fclose(f) == 0 && written;
}

/* A word of a shell command. */
static const char *shell_quoted(const char *s)
{
    text t = {0};
    put(&t, "'");
    for (; *s; s++) put(&t, *s == '\'' ? "'\\''" : "%c", *s);
    put(&t, "'");
    return t.at;
}

static int run_command(const char *command)
{
    fflush(NULL);
    const int status = system(command);
    return status == -1 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static const char *compiler(void)
{
    const char *cc = getenv("CC");
    return cc && *cc ? cc : "cc";
}

/* What a command prints; null if it fails. */
static const char *output_of_command(const char *line)
{
    text t = {0};
    char chunk[4096];
    fflush(NULL);
    FILE *pipe = popen(line, "r");
    if (pipe == NULL) return NULL;
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, pipe)) > 0;) put(&t, "%.*s", (int)n, chunk);
    return pclose(pipe) == 0 && t.at ? t.at : NULL;
}

/* A directory for files that are needed for a moment. */
static const char *make_directory(void)
{
    const char *tmp = getenv("TMPDIR");
    text name = {0};
    put(&name, "%s/sparse_gen.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (mkdtemp(name.at) == NULL) refuse(nowhere, "no directory for the program: %s", strerror(errno));
    return name.at;
}

/* A hash of a text (Fowler, Noll and Vo). */
static uint64_t hash(uint64_t h, const char *s)
{
    for (; *s; s++) h = (h ^ (unsigned char)*s) * UINT64_C(1099511628211);
    return h;
}

static uint64_t hash_file(uint64_t h, const char *path)
{
    char chunk[65536];
    FILE *f = fopen(path, "r");
    for (size_t n; f && (n = fread(chunk, 1, sizeof chunk - 1, f)) > 0; h = hash(h, chunk)) chunk[n] = '\0';
    if (f) fclose(f);
    return h;
}

/* The directory for what is made once; null if there is none. */
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

/* The runtime, compiled once for these headers and this compiler. */
static const char *runtime_object(const char *program)
{
    static const char *const headers[] = {"sparse.h", "sparse_formats.h", "sparse_lattice.h", "sparse_io.h"};
    const char *home = find_headers(program), *directory = cache_directory(), *flags = getenv("CFLAGS");
    const text source = runtime_source();
    uint64_t key =
        hash(hash(hash(UINT64_C(14695981039346656037), source.at), compiler()), flags ? flags : "");
    for (size_t n = 0; n < sizeof headers / sizeof *headers; n++)
        key = hash_file(key, print("%s/%s", home, headers[n]));
    const char *object = print("%s/runtime-%016llx.o", directory, (unsigned long long)key);
    const char *draft = print("%s.%ld", object, (long)getpid()), *c = print("%s.c", draft);
    if (access(object, R_OK) == 0) return object;
    const bool made = write_file(c, &source) &&
                      run_command(print("%s -std=c11 -O2 %s -I%s -c %s -o %s", compiler(), flags ? flags : "",
                                        shell_quoted(home), shell_quoted(c), shell_quoted(draft))) == 0 &&
                      rename(draft, object) == 0;
    unlink(c);
    unlink(draft);
    if (!made) refuse(nowhere, "the compiler \"%s\" failed", compiler());
    return object;
}

/* Compiles a program; the caller removes it. False, and the compiler's words, if that fails. */
static bool compile_program(const text *source, const char *program, const char *directory,
                            const char *object)
{
    const char *home = find_headers(program), *flags = getenv("CFLAGS");
    const char *c = print("%s/program.c", directory), *binary = print("%s/program", directory);
    if (!write_file(c, source)) {
        fprintf(stderr, "sparse_gen: %s: %s\n", c, strerror(errno));
        return false;
    }
    if (run_command(print("%s -std=c11 -O2 %s%s -I%s %s %s -o %s -lm", compiler(), flags ? flags : "",
                          the.parallel ? " -fopenmp" : "", shell_quoted(home), shell_quoted(c),
                          object ? shell_quoted(object) : "", shell_quoted(binary))) == 0)
        return true;
    fprintf(stderr, "sparse_gen: the compiler \"%s\" failed\n", compiler());
    return false;
}

static void remove_program(const char *directory)
{
    unlink(print("%s/program.c", directory));
    unlink(print("%s/program", directory));
    rmdir(directory);
}

/* Compiles and runs a program in a directory of its own, which is removed. Returns the exit status. */
static int run_program(const text *source, const char *program, const char *object)
{
    const char *directory = make_directory();
    int status = 2;
    if (compile_program(source, program, directory, object))
        status = run_command(shell_quoted(print("%s/program", directory))) ? 1 : 0;
    remove_program(directory);
    return status;
}

/* What a program prints; null if it cannot be compiled, or fails. */
static const char *output_of_program(const text *source, const char *program)
{
    const char *directory = make_directory(), *result = NULL;
    if (compile_program(source, program, directory, NULL))
        result = output_of_command(shell_quoted(print("%s/program", directory)));
    remove_program(directory);
    return result;
}

/* >>expand
   What the preprocessor makes of the kernel lines, as a person would have written it. */

/* The kernels, with names as they are to be read: after the headers, some macros of theirs are words again.
 */
static text expandable_source(void)
{
    static const char *const words[] = {
        "bool", "true", "false", "SIZE_MAX", "SPARSE_UNUSED", "SPARSE_RESTRICT", "SPARSE_ZERO"};
    text t = {0};
    put(&t, "#include \"sparse.h\"\n");
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) put(&t, "#undef %s\n", words[n]);
    put(&t, "#define SPARSE_UNUSED\n#define SPARSE_RESTRICT restrict\n#define SPARSE_ZERO(type) 0\n");
    put_kernels(&t);
    return t;
}

/* The function `name` in preprocessed text, and its length; null if it is not there. */
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

/* Writes out a line, in several if it is long. */
static void end_line(text *t, text *line, unsigned indent)
{
    drop_blank(line);
    const char *at = line->at;
    int margin = 4 * (int)indent;
    while (line->length && (int)strlen(at) + margin > 110) {
        int length = 0;
        for (int n = 0; n + margin < 110; n++)
            if (at[n] == ',') length = n + 1;
        if (length == 0) break;
        put(t, "%*s%.*s\n", margin, "", length, at);
        at += length + (at[length] == ' ');
        margin = 4 * (int)indent + 8;
    }
    if (line->length) put(t, "%*s%s\n", margin, "", at);
    line->length = 0;
}

/* Puts a statement on each line, indented by the braces around it. */
static void put_formatted(text *t, const char *code, size_t length)
{
    text line = {0};
    unsigned parens = 0, indent = 0;
    for (const char *c = code; c < code + length; c++) {
        const bool blank = isspace((unsigned char)*c);
        if (*c == '#' && line.length == 0) { /* a pragma has a line of its own */
            const char *end = strchr(c, '\n');
            put(t, "%.*s\n", (int)(end - c), c);
            c = end;
            continue;
        }
        if (blank && (line.length == 0 || strchr(" (", line.at[line.length - 1]))) continue;
        if (*c == '(') parens++;
        if (*c == ')') parens--;
        if (*c == ',' || *c == ')') drop_blank(&line);
        if (*c == '}' && parens == 0) {
            end_line(t, &line, indent);
            indent -= indent > 0;
        }
        if (!(*c == ';' && line.length == 0)) put(&line, "%c", blank ? ' ' : *c);
        const char *next = c + 1;
        while (next < code + length && isspace((unsigned char)*next)) next++;
        if (*c == '}' && parens == 0 && (strncmp(next, "else", 4) == 0 || *next == ';')) {
            if (*next != ';') put(&line, " ");
            continue;
        }
        if (parens || (*c != ';' && *c != '{' && *c != '}')) continue;
        end_line(t, &line, indent);
        if (*c == '{') indent++;
    }
    end_line(t, &line, indent);
}

/* The loops of every kernel. */
static void put_expansion(text *t, const char *program)
{
    name_steps();
    for (int n = 0; n < the.tensors; n++) name_type(n);
    const char *home = find_headers(program), *directory = make_directory();
    const char *c = print("%s/kernels.c", directory);
    const text source = expandable_source();
    const char *soup =
        write_file(c, &source)
            ? output_of_command(print("%s -std=c11 -E -P%s -I%s %s", compiler(),
                                      the.parallel ? " -fopenmp" : "", shell_quoted(home), shell_quoted(c)))
            : NULL;
    unlink(c);
    rmdir(directory);
    if (soup == NULL) refuse(nowhere, "the compiler \"%s\" failed", compiler());
    for (int s = 0; s < scheduled_steps; s++) {
        size_t length;
        if (scheduled[s].kind != KERNEL) continue;
        const char *code = find_definition(soup, print("%s_loops", scheduled[s].name), &length);
        if (code == NULL) refuse(nowhere, "the preprocessor made no loops of %s", scheduled[s].name);
        put(t, "/* %s", step_text(&scheduled[s]));
        if (scheduled[s].initial)
            put(t, "; %s begins with %s", tensor_at(scheduled[s].output)->name, scheduled[s].initial);
        put(t, " */\n");
        put_formatted(t, code, length);
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
    "    y(i) = expression      or y[i] = ..., or += to add to what y holds; several are separated by ;\n"
    "    + - * / ( )            arithmetic; -A; numbers; a name without subscripts is a scalar\n"
    "    < <= > >= == !=        1 or 0\n"
    "    abs sqrt exp log pow max min ...   functions of math.h; your own with --define\n"
    "    sum(j) prod(j) max(j) min(j)       reduce the product that follows, zeros included\n"
    "    i                      an index by itself is its coordinate\n"
    "    x(i+1) x(2*i + p) x(9-i) x(0)    sums and multiples of indices, and constants, as subscripts of "
    "dense "
    "tensors\n"
    "  An index is one letter, and has one size in all statements. An index that the output lacks is summed "
    "over the\n"
    "  smallest subexpression that holds all its uses: in y(i) = A(i,j) * x(j) + b(i) that is A(i,j) * x(j). "
    "An index\n"
    "  that an operand lacks repeats it. A dimension with a subscript such as i+p gives no index its size; "
    "others "
    "do, or\n"
    "  -d. The function says SPARSE_E_SHAPE, and does nothing, if a subscript leaves the tensor.\n"
    "  A tensor that is assigned, and read later on, is a temporary.\n"
    "  A quotient is nonzero where its numerator is stored; its denominator must not be sparse.\n"
    "\n",
    "ENCODINGS   -f A=csr, -f A,B=coo; a tensor without is dense\n"
    "    dense, colmajor        all coordinates, row after row, or column after column\n"
    "    csr, csc               compressed rows or columns\n"
    "    dcsr, dcsc             the same without those that are empty\n"
    "    coo, coosoa            lists of coordinates, any number of dimensions for coo\n"
    "    csf, sparse            compressed at every level, any number of dimensions\n"
    "    cd                     few rows, all of them full\n"
    "    bsr, bsr2x3            dense blocks; n2of4: two of every four\n"
    "    (i, j) -> (j : dense, i : compressed(nonunique, nonordered)), posWidth=32, crdWidth=8\n"
    "                           any other: the syntax of MLIR's sparse_tensor dialect, also inside\n"
    "                           #sparse_tensor.encoding<{ map = ... }>; levels are dense, compressed,\n"
    "                           loose_compressed, singleton and structured[n, m] of d, d floordiv c, d mod "
    "c\n"
    "  A name takes widths too: -f 'A=csr, posWidth=64'.\n"
    "\n",
    "OPTIONS\n"
    "    -f, --format NAME=ENCODING    how a tensor is stored\n"
    "    -t, --type NAME=TYPE or TYPE  the type of its values, or of all: double (without -t), float, int8_t "
    "...\n"
    "                                  uint64_t, sparse_complex64, sparse_complex128; f64, i8, u64, c128 for "
    "short\n"
    "    -d, --size i=100,j=50         sizes of indices\n"
    "    -l, --loops i,k,j             the order of the loops, outermost first\n"
    "    -s, --strategy 'parallel(i),simd(j)'\n"
    "    --name NAME                   of the function; without, compute_OUTPUT\n"
    "    --semiring min-plus           of stored entries, in place of + and *: also max-plus, max-min, "
    "min-max,\n"
    "                                  or-and; where there are none the result is the identity, an infinity\n"
    "    --define 'double f(double x) { return x * x; }'   a function for the statements\n"
    "    --embed A=weights.mtx         writes a tensor into the program, as constant arrays\n"
    "    -w, --write FILE              where to write what would be printed\n"
    "\n",
    "WHAT TO MAKE\n"
    "    (nothing)                     types and kernels\n"
    "    --main                        a complete program, for the inputs of -i\n"
    "    --part                        the same as a function NAME_main, with names that begin with NAME_\n"
    "    --run                         compile that program with $CC, or cc, and $CFLAGS, and run it\n"
    "    --expand                      the loops that the preprocessor makes of the kernels\n"
    "    --explain                     iteration graphs, merge lattices, loop orders and reasons in words\n"
    "    --dot                         the iteration graphs for Graphviz\n"
    "\n",
    "RUNNING\n"
    "    -i, --input A=FILE            Matrix Market, FROSTT, .smtx\n"
    "    -i, --input A=rand:0.01,seed=7,low=-1,high=1 | ones:0.5 | zeros | iota | NUMBER; without A=, for "
    "all others\n"
    "    -o, --output y=FILE           .mtx or .tns\n"
    "    --print y                     the arrays of its storage\n"
    "    --check                       compare with a dense evaluation; what assigns runs twice before\n"
    "    --time N                      time to read, and the median of N times to compute\n"
    "    --roofline                    with --time: operations as written, bytes that must move at least, "
    "and "
    "what was\n"
    "                                  reached of both, beside what one core reads from memory, measured\n"
    "    --sizes                       only how large the inputs are\n"
    "\n"
    "SEARCHING\n"
    "    --search A,B                  run all encodings of these tensors, with 32 bits and the narrowest "
    "widths "
    "that hold\n"
    "                                  the input, loop orders, vector lanes, parallel outermost loops; every "
    "result is\n"
    "                                  checked; prints times, the best first\n"
    "    --csv FILE, --svg FILE        the results as a table, from which a later search goes on, and as a "
    "heat map\n"
    "    --limit SECONDS               when to stop\n"
    "    --strict                      refuse what needs the conversion of an operand\n"
    "\n"
    "Exit status: 0, or 1 if the program that was run failed, or 2 and one sentence if something cannot be "
    "made.\n"};

static struct {
    const char *statements, *write;
    enum { HEADER, MAIN, RUN, EXPLAIN, DOT, EXPAND, SEARCH } what;
    spot searched;         /* names of tensors */
    const char *csv, *svg; /* files of the search */
    unsigned long limit;   /* of the search, in seconds; 0: none */

    struct setting {
        char option;
        spot value;
    } setting[4 * MAX_INPUTS];
    int settings;
} command;

static const struct option {
    const char *name;
    char letter;
    bool argument;
} options[] = {
    {"--format", 'f', true},   {"--type", 't', true},   {"--size", 'd', true},    {"--loops", 'l', true},
    {"--strategy", 's', true}, {"--input", 'i', true},  {"--output", 'o', true},  {"--write", 'w', true},
    {"--name", 'n', true},     {"--define", 'D', true}, {"--print", 'p', true},   {"--embed", 'E', true},
    {"--semiring", 'R', true}, {"--time", 'T', true},   {"--main", 'm', false},   {"--run", 'r', false},
    {"--explain", 'e', false}, {"--dot", 'g', false},   {"--search", 'S', true},  {"--csv", 'C', true},
    {"--svg", 'V', true},      {"--limit", 'L', true},  {"--strict", 'k', false}, {"--expand", 'x', false},
    {"--check", 'c', false},   {"--part", 'P', false},  {"--help", 'h', false},   {"--roofline", 'B', false},
    {"--sizes", 'Z', false}};

static void show_manual(void)
{
    for (size_t n = 0; n < sizeof manual / sizeof *manual; n++) fputs(manual[n], stdout);
    exit(0);
}

static void take_option(char letter, const char *value)
{
    switch (letter) {
    case 'm':
        command.what = MAIN;
        break;
    case 'r':
        command.what = RUN;
        break;
    case 'e':
        command.what = EXPLAIN;
        break;
    case 'g':
        command.what = DOT;
        break;
    case 'x':
        command.what = EXPAND;
        break;
    case 'S':
        command.what = SEARCH;
        command.searched = (spot){value, 0};
        break;
    case 'C':
        command.csv = value;
        break;
    case 'V':
        command.svg = value;
        break;
    case 'k':
        the.strict = true;
        break;
    case 'c':
        the.check = true;
        break;
    case 'B':
        the.roofline = true;
        break;
    case 'Z':
        the.measure = true;
        command.what = RUN;
        break;
    case 'P':
        the.part = true;
        command.what = MAIN;
        break;
    case 'h':
        show_manual();
        break;
    case 'w':
        command.write = value;
        break;
    default:
        if (command.settings == sizeof command.setting / sizeof *command.setting)
            refuse(nowhere, "too many options");
        command.setting[command.settings++] = (struct setting){letter, {value, 0}};
    }
}

/* An option by its name, or, if it has one, by its letter. */
static const struct option *find_option(const char *a)
{
    static const char letters_of_options[] = "ftdlsiowh";
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const bool letter = a[1] == options[k].letter && a[2] == '\0' && strchr(letters_of_options, a[1]);
        if (same(a, options[k].name) || letter) return &options[k];
    }
    return NULL;
}

static void parse_arguments(int count, char **argument)
{
    for (int n = 1; n < count; n++) {
        const char *a = argument[n];
        if (a[0] != '-' || a[1] == '\0') {
            if (command.statements)
                refuse((spot){a, 0},
                       "the statements are given already; one argument holds them all, with ; between");
            command.statements = a;
            continue;
        }
        const struct option *o = find_option(a);
        if (o == NULL) refuse((spot){a, 0}, "there is no such option; --help lists them");
        if (o->argument && ++n == count) refuse((spot){a, strlen(a)}, "something is expected after %s", a);
        take_option(o->letter, o->argument ? argument[n] : NULL);
    }
    if (command.statements == NULL)
        refuse(nowhere, "there is no statement, such as 'y(i) = A(i,j) * x(j)'; --help is the manual");
}

/* The place after the = of NAME=..., with the names before it looked up. Calls `use` for each. */
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
        if (n < 0)
            refuse((spot){p.source, (size_t)(start - p.source)}, "there is no tensor %s in the statements",
                   name);
        use(n, value);
    }
    if (equals == p.source) refuse(p, "the name of a tensor is expected");
}

static void use_format(int n, spot value)
{
    tensor *t = tensor_at(n);
    if (t->rank == 0) refuse(value, "%s is a scalar and has no encoding", t->name);
    t->encoding = parse_encoding(value, t->rank);
    t->has_encoding = true;
}

static value_kind parse_kind(spot value)
{
    lexer x = {.source = value.source, .at = value.at};
    advance(&x);
    for (int k = 0; k < KINDS; k++)
        if (x.now.kind == NAME && (same(x.now.text, kinds[k].type) || same(x.now.text, kinds[k].shorthand))) {
            advance(&x);
            if (x.now.kind != END) refuse(x.now.place, "the type should end here, before %s", found(&x));
            return (value_kind)k;
        }
    refuse(x.now.place, "a type is double, float, int8_t to uint64_t, sparse_complex64 or sparse_complex128");
}

static void use_type(int n, spot value)
{
    tensor_at(n)->kind = parse_kind(value);
    tensor_at(n)->has_kind = true;
}

static void use_sizes(spot p)
{
    lexer x = lex(p.source);
    do {
        const char i = parse_index(&x);
        expect(&x, "=", "after the index");
        the.size[i - 'A'] = expect_number(&x, "a size", 1, 1000000000000000ul);
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, "i=SIZE, ... is expected");
}

static void use_order(spot p)
{
    lexer x = lex(p.source);
    unsigned n = 0;
    do {
        const spot place = x.now.place;
        const char i = parse_index(&x);
        if (memchr(the.order, i, n)) refuse(place, "the loop is named twice");
        if (n == MAX_LOOPS) refuse(place, "a kernel has at most %d loops", MAX_LOOPS);
        the.order[n++] = i;
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, "i,j,... is expected");
    the.order_place = p;
}

static void use_strategy(spot p)
{
    lexer x = lex(p.source);
    do {
        const bool parallel = is_word(&x, "parallel");
        if (!parallel && !is_word(&x, "simd")) refuse(x.now.place, "a strategy is parallel(i) or simd(j)");
        advance(&x);
        expect(&x, "(", "after the strategy");
        const letters bit = letter_bit(parse_index(&x));
        expect(&x, ")", "after the index");
        if (parallel)
            the.parallel |= bit;
        else
            the.simd |= bit;
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, "a strategy is parallel(i) or simd(j)");
    the.strategy_place = p;
}

static void use_input(int n, spot value)
{
    if (the.ins == MAX_INPUTS) refuse(value, "there are more than %d inputs", MAX_INPUTS);
    the.in[the.ins++] = (input){tensor_at(n)->name, value.source + value.at, value};
}

static void use_embedded(int n, spot value)
{
    tensor *t = tensor_at(n);
    if (t->rank == 0 || t->assigned)
        refuse((spot){value.source, 0}, "%s is not a tensor that is read", t->name);
    if (is_complex(t->kind)) refuse((spot){value.source, 0}, "complex values cannot be embedded");
    if (access(value.source + value.at, R_OK) != 0)
        refuse(value, "%s cannot be read: %s", value.source + value.at, strerror(errno));
    t->embedded = value.source + value.at;
}

static void use_output(int n, spot value)
{
    if (the.outs == MAX_INPUTS) refuse(value, "there are more than %d outputs", MAX_INPUTS);
    if (!tensor_at(n)->assigned) refuse((spot){value.source, 0}, "%s is not an output", tensor_at(n)->name);
    the.out[the.outs++] = (input){tensor_at(n)->name, value.source + value.at, value};
}

/* The name of the function in "double f(double x) { ... }". */
static void use_definition(spot p)
{
    const char *open = strchr(p.source, '('), *end = open;
    if (open == NULL || strchr(p.source, '{') == NULL)
        refuse(p, "a function is expected, such as double f(double x) { return x * x; }");
    while (end > p.source && isspace((unsigned char)end[-1])) end--;
    const char *start = end;
    while (start > p.source && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
    if (start == end || the.function_count == MAX_INPUTS) refuse(p, "the function has no name");
    the.function_names[the.function_count++] = copy_string(start, (size_t)(end - start));
    put(&the.functions, "static inline %s\n", p.source);
}

static void use_name(spot p)
{
    for (const char *c = p.source; *c || c == p.source; c++)
        if (!isalpha((unsigned char)*c) && *c != '_' && (c == p.source || !isdigit((unsigned char)*c)))
            refuse((spot){p.source, (size_t)(c - p.source)}, "a name in C is expected");
    if (is_reserved(p.source) || (p.source[0] && !p.source[1]))
        refuse(p, "\"%s\" cannot be the name of the function", p.source);
    the.name = p.source;
}

static void use_times(spot p)
{
    lexer x = lex(p.source);
    the.times = expect_number(&x, "the number of runs", 1, 1000000);
    if (x.now.kind != END) refuse(x.now.place, "a number is expected");
}

static void use_semiring(spot p)
{
    for (size_t n = 0; n < sizeof semirings / sizeof *semirings; n++)
        if (same(semirings[n].name, p.source)) the.semiring = &semirings[n];
    if (the.semiring == NULL && !same(p.source, "plus-times"))
        refuse(p, "a semiring is plus-times, min-plus, max-plus, max-min, min-max or or-and");
}

static void use_limit(spot p)
{
    lexer x = lex(p.source);
    command.limit = expect_number(&x, "the limit in seconds", 1, 1000000000);
    if (x.now.kind != END) refuse(x.now.place, "a number of seconds is expected");
}

/* Options that are needed to read the statements. */
static void apply_early_options(void)
{
    for (int n = 0; n < command.settings; n++) {
        const spot p = command.setting[n].value;
        switch (command.setting[n].option) {
        case 'D':
            use_definition(p);
            break;
        case 'n':
            use_name(p);
            break;
        default:
            break;
        }
    }
}

static bool has_name(spot p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p.source[n]) || p.source[n] == '_' || p.source[n] == ',') n++;
    return p.source[n] == '=';
}

static void use_kind_of_all(spot p)
{
    const value_kind k = parse_kind(p);
    for (int n = 0; n < the.tensors; n++)
        if (!tensor_at(n)->has_kind) tensor_at(n)->kind = k;
}

/* Options about the tensors of the statements. */
static void apply_options(void)
{
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
            use_sizes(p);
            break;
        case 'l':
            use_order(p);
            break;
        case 's':
            use_strategy(p);
            break;
        case 'T':
            use_times(p);
            break;
        case 'L':
            use_limit(p);
            break;
        case 'R':
            use_semiring(p);
            break;
        case 'i':
            if (has_name(p) && !is_recipe(p.source)) {
                for_names(p, use_input);
            } else {
                if (the.ins == MAX_INPUTS) refuse(p, "there are more than %d inputs", MAX_INPUTS);
                the.in[the.ins++] = (input){NULL, p.source, p};
            }
            break;
        case 'o':
            for_names(p, use_output);
            break;
        case 'E':
            for_names(p, use_embedded);
            break;
        case 'p':
            if (find_tensor(p.source) < 0) refuse(p, "there is no tensor %s in the statements", p.source);
            if (the.prints < MAX_INPUTS) the.printed[the.prints++] = p.source;
            break;
        default:
            break;
        }
    }
    for (int n = 0; n < the.tensors; n++)
        if (!tensor_at(n)->has_encoding) tensor_at(n)->encoding = dense_encoding(tensor_at(n)->rank);
    if (the.name == NULL)
        the.name = print("compute_%s", tensor_at(the.statement[the.statements - 1].output)->name);
    if (find_tensor(the.name) >= 0)
        refuse(tensor_at(find_tensor(the.name))->place, "%s is also the name of the function", the.name);
    the.prefix = the.part ? print("%s_", the.name) : "";
}

/* The command line as one would type it, safe inside a comment. */
static const char *command_line(int count, char **argument)
{
    text t = {0};
    put(&t, "sparse_gen");
    for (int n = 1; n < count; n++) {
        const bool plain =
            strspn(argument[n], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=,.:/_+-") ==
            strlen(argument[n]);
        put(&t, " %s", plain ? argument[n] : shell_quoted(argument[n]));
    }
    for (char *c = t.at; *c; c++) {
        if (*c == '\n') *c = ' ';
        if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*')) c[0] = ' ';
    }
    return t.at;
}

/* Prints, or writes a file as a whole: another name first, then the right one. */
static void deliver(const text *t)
{
    if (command.write == NULL) {
        if (fwrite(t->at, 1, t->length, stdout) != t->length || fflush(stdout))
            refuse(nowhere, "the output cannot be written: %s", strerror(errno));
        return;
    }
    const char *draft = print("%s.%ld", command.write, (long)getpid());
    if (!write_file(draft, t) || rename(draft, command.write) != 0) {
        const int error = errno;
        unlink(draft);
        refuse((spot){command.write, 0}, "the file cannot be written: %s", strerror(error));
    }
}

/* >>search
   All dense and compressed levels in all orders for the tensors that are named, coordinate lists and blocks,
   with positions and coordinates of 32 bits and as narrow as the input allows, with all orders of the loops,
   and with vector lanes, with an outermost loop in parallel, or plain (document 002, 5.2). Every candidate is
   a run of this program, which checks its result against a dense evaluation. */

enum { MAX_CANDIDATES = 4096 };

typedef struct candidate {
    const char *formats; /* "A=csr B=coo" */
    const char *way;     /* "i,j simd" */
    const char *options;
    double seconds; /* < 0: refused, wrong, or not tried */
    const char *status;
} candidate;

static struct {
    candidate at[MAX_CANDIDATES];
    unsigned count;
    bool threads; /* the compiler has OpenMP */
} search;

/* The next permutation of a string in the order of the alphabet; false after the last. */
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

typedef struct choices {
    unsigned count;
    const char *name[2048], *text[2048];
} choices;

static void add_choice(choices *c, encoding e)
{
    text t = {0};
    if (c->count == sizeof c->name / sizeof *c->name) return;
    name_encoding(&e);
    put(&t, "(");
    for (unsigned d = 0; d < e.rank; d++) put(&t, d ? ", %c" : "%c", dim_letter(d));
    put(&t, ") -> (");
    for (unsigned l = 0; l < e.levels; l++) {
        const level *v = &e.level[l];
        put(&t, "%s%c", l ? ", " : "", dim_letter(v->dim));
        if (v->part != WHOLE) put(&t, " %s %lu", v->part == MOD ? "mod" : "floordiv", v->size);
        put(&t, " : %s%s", format_names[v->format], v->properties & NONUNIQUE ? "(nonunique)" : "");
    }
    put(&t, ")");
    if (e.pos != 32 || e.crd != 32) put(&t, ", posWidth=%u, crdWidth=%u", e.pos, e.crd);
    c->name[c->count] = e.name;
    c->text[c->count++] = t.at;
}

/* The fewest bits, 8 to 64, that hold a number. */
static unsigned narrowest(unsigned long most)
{
    unsigned bits = 8;
    while (bits < 64 && most >> bits) bits *= 2;
    return bits;
}

/* Widths of positions and coordinates. */
typedef struct widths {
    unsigned pos, crd;
} widths;

/* An encoding with 32 bits and, if it stores positions or coordinates, with others. */
static void add_choices(choices *c, encoding e, widths w)
{
    add_choice(c, e);
    if (is_dense(&e) || (w.pos == e.pos && w.crd == e.crd)) return;
    e.pos = w.pos;
    e.crd = w.crd;
    add_choice(c, e);
}

static void list_encodings(choices *c, unsigned rank, widths w)
{
    char order[MAX_RANK + 1] = {0};
    memcpy(order, in_order, rank);
    do {
        for (unsigned kinds_of_levels = 0; kinds_of_levels < 1u << rank; kinds_of_levels++) {
            char formats[MAX_RANK + 1] = {0};
            for (unsigned l = 0; l < rank; l++) formats[l] = "dc"[kinds_of_levels >> l & 1];
            add_choices(c, make_encoding(NULL, NULL, formats, order), w);
        }
    } while (rank <= 4 && next_permutation(order));
    if (rank > 1) add_choices(c, coo_encoding(rank), w);
    if (rank == 2) add_choices(c, bsr_encoding(2, 2), w), add_choices(c, bsr_encoding(4, 4), w);
}

/* The narrowest widths for a tensor, from what --sizes says about the inputs; 32 if it says nothing. */
static widths widths_of(const tensor *t, const char *sizes)
{
    const char *line = sizes ? strstr(print("\n%s", sizes), print("\n%s: ", t->name)) : NULL;
    unsigned long entries, largest = 0;
    if (line == NULL || sscanf(line + strlen(t->name) + 3, "%lu", &entries) != 1) return (widths){32, 32};
    char *end = strstr(line, "sizes");
    for (end = end ? end + 5 : NULL; end && *end == ' ';) {
        const unsigned long n = strtoul(end, &end, 10);
        largest = n > largest ? n : largest;
    }
    return (widths){narrowest(entries), narrowest(largest ? largest - 1 : 0)};
}

/* One way to run: an order of the loops, and a strategy or none. */
static void add_candidate(const char *formats, const char *settings, const char *loops, const char *strategy,
                          char index)
{
    if (search.count == MAX_CANDIDATES) return;
    const char *way = *strategy ? print("%s %s", loops, strategy) : loops;
    const char *option = *strategy ? print(" -s '%s(%c)'", strategy, index) : "";
    search.at[search.count++] =
        (candidate){formats, way, print("%s -l %s%s", settings, loops, option), -1, "not tried"};
}

/* The orders of all loops, if they are few: plain, with vector lanes in the innermost, with the outermost in
   parallel. */
static void add_candidates(const char *formats, const char *settings, const char *index)
{
    char order[27];
    strcpy(order, index);
    do {
        text loops = {0};
        for (const char *i = order; *i; i++) put(&loops, i == order ? "%c" : ",%c", *i);
        add_candidate(formats, settings, loops.at, "", ' ');
        add_candidate(formats, settings, loops.at, "simd", order[strlen(order) - 1]);
        if (search.threads) add_candidate(formats, settings, loops.at, "parallel", order[0]);
    } while (strlen(index) <= 4 && next_permutation(order));
}

static void combine(const int *tensors, int count, const char *formats, const char *settings,
                    const char *index, const char *sizes)
{
    if (count == 0) {
        add_candidates(formats, settings, index);
        return;
    }
    choices *c = take(sizeof *c);
    const tensor *a = tensor_at(*tensors);
    list_encodings(c, a->rank, widths_of(a, sizes));
    for (unsigned n = 0; n < c->count; n++)
        combine(tensors + 1, count - 1, print("%s%s%s=%s", formats, *formats ? " " : "", a->name, c->name[n]),
                print("%s -f %s", settings, shell_quoted(print("%s=%s", a->name, c->text[n]))), index, sizes);
}

/* True if the compiler takes -fopenmp and a program can be linked with it. */
static bool has_openmp(void)
{
    const char *directory = make_directory(), *c = print("%s/program.c", directory);
    text source = {0};
    put(&source, "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n");
    const bool has = write_file(c, &source) &&
                     run_command(print("%s -fopenmp %s -o %s 2>/dev/null", compiler(), shell_quoted(c),
                                       shell_quoted(print("%s/program", directory)))) == 0;
    remove_program(directory);
    return has;
}

/* What --sizes says about the inputs, with the tensors that are searched as coordinate lists, which hold
   anything. */
static const char *measured_sizes(const int *tensors, int count, const char *base)
{
    text t = {0};
    put(&t, "%s", base);
    for (int n = 0; n < count; n++)
        put(&t, " -f '%s=%s, posWidth=64, crdWidth=64'", tensor_at(tensors[n])->name,
            tensor_at(tensors[n])->rank > 1 ? "coo" : "sparse");
    return output_of_command(print("%s --sizes 2>/dev/null", t.at));
}

static void list_candidates(const char *base)
{
    int tensors[MAX_RANK], count = 0;
    lexer x = lex(command.searched.source);
    do {
        const int n = x.now.kind == NAME ? find_tensor(x.now.text) : -1;
        if (n < 0 || tensor_at(n)->rank == 0 || count == MAX_RANK)
            refuse(x.now.place, "a tensor of the statements is expected, not %s", found(&x));
        tensors[count++] = n;
        advance(&x);
    } while (accept(&x, ","));
    if (x.now.kind != END) refuse(x.now.place, "names of tensors are expected, with commas between");
    letters used = 0;
    for (int s = 0; s < the.statements; s++)
        used |= letters_of(the.statement[s].index) | all_letters(the.statement[s].value);
    text index = {0};
    for (char i = 'a'; i <= 'z'; i++)
        if (used & letter_bit(i)) put(&index, "%c", i);
    if (index.length == 0) refuse(nowhere, "there is nothing to search: the statements have no index");
    search.threads = has_openmp();
    if (!search.threads) fputs("the compiler has no -fopenmp: no loop is run in parallel\n", stderr);
    combine(tensors, count, "", "", index.at, measured_sizes(tensors, count, base));
}

/* What an earlier search wrote into the CSV file is not tried again. */
static void read_results(void)
{
    FILE *f = command.csv ? fopen(command.csv, "r") : NULL;
    char line[1024], formats[256], way[128], status[64];
    double seconds;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "\"%255[^\"]\",\"%127[^\"]\",%lf,%63[^\n]", formats, way, &seconds, status) == 4)
            for (unsigned n = 0; n < search.count; n++)
                if (same(search.at[n].formats, formats) && same(search.at[n].way, way)) {
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

/* Runs this program on one candidate. */
static void try_candidate(candidate *c, const char *base)
{
    text t = {0};
    char line[512];
    c->status = "refused";
    FILE *pipe = popen(print("%s%s --strict --run --check 2>&1", base, c->options), "r");
    if (pipe == NULL) return;
    while (fgets(line, sizeof line, pipe)) {
        if (sscanf(line, "compute: %lf", &c->seconds) == 1) c->status = "right";
        put(&t, "%s", line);
    }
    const int status = pclose(pipe);
    if (status != 0) c->seconds = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
        c->status = t.at && strstr(t.at, "width") ? "does not fit" : "wrong";
    else if (status != 0 && t.at && strstr(t.at, "compiler"))
        c->status = "does not compile";
}

static void write_results(void)
{
    text t = {0};
    put(&t, "formats,loops,seconds,status\n");
    for (unsigned n = 0; n < search.count; n++)
        if (!same(search.at[n].status, "not tried"))
            put(&t, "\"%s\",\"%s\",%.6g,%s\n", search.at[n].formats, search.at[n].way, search.at[n].seconds,
                search.at[n].status);
    if (command.csv && !write_file(command.csv, &t))
        refuse((spot){command.csv, 0}, "the file cannot be written: %s", strerror(errno));
}

static int compare_candidates(const void *a, const void *b)
{
    const double x = ((const candidate *)a)->seconds, y = ((const candidate *)b)->seconds;
    return (x > y) - (x < y);
}

/* A heat map: a row for every choice of formats, a column for every way to run, darker is slower. */
static text draw_results(void)
{
    text t = {0};
    const char *row[MAX_CANDIDATES], *column[MAX_CANDIDATES];
    unsigned rows = 0, columns = 0;
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
    put(&t,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n",
        240 + 110 * columns, 60 + 24 * rows);
    put(&t, "<text x=\"8\" y=\"20\">%s</text>\n", "seconds, the median of the runs");
    for (unsigned k = 0; k < columns; k++)
        put(&t, "<text x=\"%u\" y=\"44\">%s</text>\n", 240 + 110 * k, column[k]);
    for (unsigned r = 0; r < rows; r++) put(&t, "<text x=\"8\" y=\"%u\">%s</text>\n", 68 + 24 * r, row[r]);
    for (unsigned n = 0; n < search.count; n++) {
        const candidate *c = &search.at[n];
        unsigned r = 0, k = 0;
        if (c->seconds < 0) continue;
        while (!same(row[r], c->formats)) r++;
        while (!same(column[k], c->way)) k++;
        const double heat = most > least ? log(c->seconds / least) / log(most / least) : 0;
        const int light = (int)(92 - 55 * heat);
        put(&t, "<rect x=\"%u\" y=\"%u\" width=\"104\" height=\"20\" fill=\"hsl(%d, 70%%, %d%%)\"/>\n",
            236 + 110 * k, 54 + 24 * r, (int)(120 - 120 * heat), light);
        put(&t, "<text x=\"%u\" y=\"%u\">%.3g</text>\n", 244 + 110 * k, 68 + 24 * r, c->seconds);
    }
    put(&t, "</svg>\n");
    return t;
}

/* The command line without what belongs to the search. */
static const char *base_command(int count, char **argument)
{
    static const char *const dropped[] = {"--search", "--csv", "--svg", "--limit"};
    text t = {0};
    put(&t, "%s", shell_quoted(argument[0]));
    for (int n = 1; n < count; n++) {
        bool drop = false;
        for (size_t k = 0; k < 4; k++) drop = drop || same(argument[n], dropped[k]);
        if (drop)
            n++;
        else
            put(&t, " %s", shell_quoted(argument[n]));
    }
    if (the.times == 0) put(&t, " --time 10");
    return t.at;
}

static int run_search(int count, char **argument)
{
    const char *base = base_command(count, argument);
    const double begin = now();
    unsigned tried = 0, wrong = 0;
    list_candidates(base);
    read_results();
    for (unsigned n = 0; n < search.count; n++) {
        candidate *c = &search.at[n];
        const double spent = now() - begin;
        if (command.limit && spent > (double)command.limit) break;
        if (!same(c->status, "not tried")) continue;
        try_candidate(c, base);
        tried++;
        write_results();
        fprintf(stderr, "%u of %u, %.0f s left: %s %s: %s", n + 1, search.count,
                (now() - begin) / tried * (search.count - n - 1), c->formats, c->way, c->status);
        if (c->seconds >= 0) fprintf(stderr, ", %.3g s", c->seconds);
        fputc('\n', stderr);
    }
    const text picture = draw_results();
    if (command.svg && !write_file(command.svg, &picture))
        refuse((spot){command.svg, 0}, "the file cannot be written: %s", strerror(errno));
    qsort(search.at, search.count, sizeof *search.at, compare_candidates);
    for (unsigned n = 0; n < search.count; n++) {
        const candidate *c = &search.at[n];
        wrong += same(c->status, "wrong") || same(c->status, "does not compile");
        if (c->seconds >= 0) printf("%-10.3g %-30s %s\n", c->seconds, c->formats, c->way);
    }
    return wrong > 0;
}

int main(int count, char **argument)
{
    text output = {0};
    atexit(release_memory);
    parse_arguments(count, argument);
    the.command = command_line(count, argument);
    apply_early_options();
    parse_program(command.statements);
    apply_options();
    if (the.roofline && !the.times) refuse(nowhere, "--roofline goes with --time N");
    for (int s = 0; s < the.statements; s++) tensor_at(the.statement[s].output)->assigned = false;
    if (command.what == SEARCH) return run_search(count, argument);
    settle_sizes();
    for (int s = 0; s < the.statements; s++) lower_statement(&the.statement[s]);
    settle_roles();
    add_ranges();
    schedule();
    switch (command.what) {
    case HEADER:
        put_file(&output, KERNELS_ONLY, argument[0]);
        break;
    case MAIN:
        put_file(&output, PROGRAM, argument[0]);
        break;
    case RUN:
        put_file(&output, cache_directory() ? LINKED_PROGRAM : PROGRAM, argument[0]);
        return run_program(&output, argument[0], cache_directory() ? runtime_object(argument[0]) : NULL);
    case EXPLAIN:
        put_explanation(&output);
        break;
    case DOT:
        put_dot(&output);
        break;
    case SEARCH:
        break;
    case EXPAND:
        put_expansion(&output, argument[0]);
        break;
    }
    deliver(&output);
    return 0;
}
