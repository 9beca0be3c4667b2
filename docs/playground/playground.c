/* playground.c: the generator and the kit as one WebAssembly module, for index.html.

   main() is that of the generator. What the page shows is asked for after it returned, by the functions below, of the
   program that main() has read. Their text is valid until the next call. Tensors are the kit's own: the page reads their
   arrays in the memory of the module, and calls the kit's functions by their names. */
#include <emscripten.h>

#include "preprocess.h"

static char *preprocess_here(const char *home, const char *path);
#define SPARSE_GEN_PREPROCESS preprocess_here
#include "../../sparse_gen.c"

static char *soup; /* the program after the preprocessor */

/* What compilers define of themselves: gcc for x86-64, without optimization, as `sparse_gen --expand` calls it. */
static const char definitions[] = "#define __STDC__ 1\n"
                                  "#define __STDC_VERSION__ 201112L\n"
                                  "#define __GNUC__ 12\n"
                                  "#define __x86_64__ 1\n"
                                  "#define __BYTE_ORDER__ 1234\n"
                                  "#define __ORDER_LITTLE_ENDIAN__ 1234\n"
                                  "#define SIZE_MAX 18446744073709551615UL\n";

static char *preprocess_here(const char *home, const char *path)
{
    const char *reason;
    soup = preprocess(home, path, print("%s%s", definitions, loop_options.parallel ? "#define _OPENMP 201511\n" : ""), &reason);
    if (soup == NULL) refuse(nowhere, "%s", reason);
    return (char *)print("%s", soup);
}

EMSCRIPTEN_KEEPALIVE const char *playground_explanation(void)
{
    text t = {0};
    put_explanation(&t);
    return t.at;
}

EMSCRIPTEN_KEEPALIVE const char *playground_drawing(void)
{
    text t = {0};
    put_drawing(&t);
    return t.at;
}

EMSCRIPTEN_KEEPALIVE const char *playground_loops(void)
{
    text t = {0};
    put_expansion(&t, "sparse_gen");
    return t.at;
}

/* The program after the preprocessor, which playground_loops() left. */
EMSCRIPTEN_KEEPALIVE const char *playground_program(void) { return soup; }

static const char *page_json(const char *s)
{
    text t = {0};
    put(&t, "\"");
    for (; s && *s; s++) put(&t, *s == '"' || *s == '\\' ? "\\%c" : *s == '\n' ? "\\n" : "%c", *s);
    put(&t, "\"");
    return t.at;
}

/* The names of the operands in a set, as a list. */
static void put_page_names(text *t, const step *k, unsigned set)
{
    const char *comma = "";
    put(t, "[");
    for (unsigned o = 0; o < k->operands; o++)
        if (set >> o & 1) put(t, "%s%s", comma, page_json(k->operand[o].name)), comma = ",";
    put(t, "]");
}

/* A loop and the points of its lattice; "every": it visits all coordinates, and looks the operands up. */
static void put_page_loop(text *t, const step *k, const loop *l)
{
    unsigned iterators = 0;
    for (unsigned o = 0; o < k->operands; o++)
        if (stores(&k->operand[o], l->index)) iterators |= 1u << o;
    const bool every = is_live(k, k->region, l->index, 0);
    const char *comma = "";
    put(t, "{\"name\":%s,\"index\":\"%c\",\"every\":%s,\"operands\":", page_json(loop_name(l)), l->index,
        every ? "true" : "false");
    put_page_names(t, k, iterators);
    put(t, ",\"points\":[");
    for (unsigned set = iterators; !every; set = (set - 1) & iterators) {
        if (is_point(k, l->index, set)) put(t, "%s", comma), put_page_names(t, k, set), comma = ",";
        if (set == 0) break;
    }
    put(t, "]}");
}

/* An operand, and for each of its levels the name of the loop that goes through it. */
static void put_page_operand(text *t, const step *k, const operand *o)
{
    const encoding *e = stored_encoding(o);
    put(t, "{\"name\":%s,\"tensor\":%s,\"levels\":[", page_json(o->name), page_json(tensor_at(o->stored)->name));
    for (unsigned l = 0; o->kind == VALUE && l < e->levels; l++) {
        const level *v = &e->level[l];
        const char other = v->part == MINUS ? resolving_letter(k, o, v->other) : 0;
        put(t, "%s%s", l ? "," : "", page_json(spell_part(v->part, resolving_letter(k, o, v->dim), other, v->size)));
    }
    put(t, "]}");
}

static void put_page_step(text *t, const step *k)
{
    const bool kernel = k->kind == KERNEL;
    put(t, "{\"kernel\":%s,\"name\":%s,\"text\":%s,\"output\":%s,\"operands\":[", kernel ? "true" : "false",
        page_json(kernel ? k->name : ""), page_json(kernel ? step_text(k) : step_in_words(k)),
        page_json(tensor_at(k->output)->name));
    for (unsigned o = 0; kernel && o < k->operands; o++) put(t, o ? "," : ""), put_page_operand(t, k, &k->operand[o]);
    put(t, "],\"loops\":[");
    for (unsigned l = 0; kernel && l < k->loops; l++) put(t, l ? "," : ""), put_page_loop(t, k, &k->loop[l]);
    put(t, "]}");
}

/* The index of a dimension; where a subscript stands that is more than an index, its number. */
static char page_letter(const tensor *a, unsigned d)
{
    return !a->windowed[d] && islower((unsigned char)a->index[d]) ? a->index[d] : (char)('1' + d);
}

/* A dimension: its index, or ? where a subscript stands that is more than an index, and its size if that is given. */
static void put_page_dimension(text *t, const tensor *a, unsigned d)
{
    const bool plain = isalpha((unsigned char)page_letter(a, d));
    put(t, "%s{\"index\":\"%c\",\"size\":%lu}", d ? "," : "", plain ? a->index[d] : '?',
        plain ? alphabet.size[size_letter(a->index[d]) - 'A'] : 0);
}

static void put_page_tensor(text *t, int n)
{
    static const char *const roles[] = {[INPUT] = "input",
                                        [OUTPUT] = "output",
                                        [TEMPORARY] = "temporary",
                                        [CONVERTED] = "converted",
                                        [WORKSPACE] = "workspace"};
    const tensor *a = tensor_at(n);
    text levels = {0};
    encoding spelled = a->encoding;
    spelled.macro = NULL;
    put_encoding(&levels, &spelled);
    put(t, "{\"name\":%s,\"role\":\"%s\",\"rank\":%u,\"updated\":%s,\"kind\":%s,\"type\":%s,\"encoding\":%s,\"levels\":%s,",
        page_json(a->name), roles[a->role], a->rank, a->updated ? "true" : "false", page_json(kinds[a->kind].type),
        page_json(a->type), page_json(a->encoding.name), page_json(levels.at));
    put(t, "\"fill\":%s,\"constant\":%s,\"dimensions\":[", page_json(a->encoding.fill), page_json(a->encoding.constant));
    for (unsigned d = 0; d < a->rank; d++) put_page_dimension(t, a, d);
    put(t, "],\"stores\":[");
    for (unsigned l = 0; l < a->encoding.levels; l++) {
        const level *v = &a->encoding.level[l];
        put(t, "%s%s", l ? "," : "",
            page_json(spell_part(v->part, page_letter(a, v->dim), page_letter(a, v->other), v->size)));
    }
    put(t, "]}");
}

/* The tensors and steps of the program. */
EMSCRIPTEN_KEEPALIVE const char *playground_plan(void)
{
    text t = {0};
    name_steps();
    for (int n = 0; n < the.tensors; n++) name_type(n);
    put(&t, "{\"name\":%s,\"tensors\":[", page_json(the.name));
    for (int n = 0; n < the.tensors; n++) put(&t, n ? "," : ""), put_page_tensor(&t, n);
    put(&t, "],\"steps\":[");
    for (int s = 0; s < scheduled_steps; s++) put(&t, s ? "," : ""), put_page_step(&t, &scheduled[s]);
    put(&t, "]}");
    return t.at;
}

/* The kit's kinds of values; complex values and structures have no place in the page. */
static sparse_kind page_kind(value_kind k)
{
    static const sparse_kind of[] = {
        [BOOL] = SPARSE_U8,   [I8] = SPARSE_I8,   [U8] = SPARSE_U8,   [I16] = SPARSE_I16, [U16] = SPARSE_U16,
        [I32] = SPARSE_I32,   [U32] = SPARSE_U32, [I64] = SPARSE_I64, [U64] = SPARSE_U64, [F16] = SPARSE_F16,
        [BF16] = SPARSE_BF16, [F32] = SPARSE_F32, [F64] = SPARSE_F64};
    if (k > F64) refuse(nowhere, "the page computes with real numbers; sparse_gen on the command line has complex values and structures, too");
    return of[k];
}

static size_t page_size(sparse_kind k)
{
    switch (k) {
    case SPARSE_I8:
    case SPARSE_U8:
        return 1;
    case SPARSE_I16:
    case SPARSE_U16:
    case SPARSE_F16:
    case SPARSE_BF16:
        return 2;
    case SPARSE_I32:
    case SPARSE_U32:
    case SPARSE_F32:
        return 4;
    default:
        return 8;
    }
}

/* Writes a number as a value. */
static void page_encode(sparse_kind k, double number, void *to)
{
    switch (k) {
    case SPARSE_I8:
        *(int8_t *)to = (int8_t)number;
        break;
    case SPARSE_U8:
        *(uint8_t *)to = (uint8_t)number;
        break;
    case SPARSE_I16:
        *(int16_t *)to = (int16_t)number;
        break;
    case SPARSE_U16:
        *(uint16_t *)to = (uint16_t)number;
        break;
    case SPARSE_I32:
        *(int32_t *)to = (int32_t)number;
        break;
    case SPARSE_U32:
        *(uint32_t *)to = (uint32_t)number;
        break;
    case SPARSE_I64:
        *(int64_t *)to = (int64_t)number;
        break;
    case SPARSE_U64:
        *(uint64_t *)to = (uint64_t)number;
        break;
    case SPARSE_F16:
        *(sparse_f16 *)to = sparse_f16_of_float((float)number);
        break;
    case SPARSE_BF16:
        *(sparse_bf16 *)to = sparse_bf16_of_float((float)number);
        break;
    case SPARSE_F32:
        *(float *)to = (float)number;
        break;
    default:
        *(double *)to = number;
    }
}

/* Reads a value as a number. */
static double page_decode(sparse_kind k, const void *from)
{
    switch (k) {
    case SPARSE_I8:
        return *(const int8_t *)from;
    case SPARSE_U8:
        return *(const uint8_t *)from;
    case SPARSE_I16:
        return *(const int16_t *)from;
    case SPARSE_U16:
        return *(const uint16_t *)from;
    case SPARSE_I32:
        return *(const int32_t *)from;
    case SPARSE_U32:
        return *(const uint32_t *)from;
    case SPARSE_I64:
        return (double)*(const int64_t *)from;
    case SPARSE_U64:
        return (double)*(const uint64_t *)from;
    case SPARSE_F16:
        return (double)sparse_float_of_f16(*(const sparse_f16 *)from);
    case SPARSE_BF16:
        return (double)sparse_float_of_bf16(*(const sparse_bf16 *)from);
    case SPARSE_F32:
        return (double)*(const float *)from;
    default:
        return *(const double *)from;
    }
}

/* Writes and reads one value of tensor `n`. */
EMSCRIPTEN_KEEPALIVE void playground_encode(int n, double number, void *to)
{
    page_encode(page_kind(tensor_at(n)->kind), number, to);
}
EMSCRIPTEN_KEEPALIVE double playground_decode(const sparse_encoding *e, const void *from)
{
    return page_decode(e->kind, from);
}

/* The kit's encoding of tensor `n`. */
EMSCRIPTEN_KEEPALIVE sparse_encoding *playground_encoding(int n)
{
    const tensor *a = tensor_at(n);
    const encoding *e = &a->encoding;
    const sparse_kind kind = page_kind(a->kind);
    sparse_encoding *k = take(sizeof *k);
    *k = (sparse_encoding){.name = a->type,
                           .rank = (uint8_t)e->rank,
                           .levels = (uint8_t)e->levels,
                           .pos_bits = (uint8_t)e->pos,
                           .crd_bits = (uint8_t)e->crd,
                           .kind = kind,
                           .value_size = page_size(kind)};
    for (unsigned l = 0; l < e->levels; l++) {
        const level *v = &e->level[l];
        k->level[l] = (sparse_level){(uint8_t)v->format, (uint8_t)v->properties, (uint8_t)v->part, (uint8_t)v->dim,
                                     (uint32_t)v->size,  (uint16_t)v->n,         (uint16_t)v->m};
    }
    double *const values = take(2 * sizeof *values);
    if (e->fill) page_encode(kind, strtod(e->fill, NULL), &values[0]), k->fill = &values[0];
    if (e->constant) page_encode(kind, strtod(e->constant, NULL), &values[1]), k->constant = &values[1];
    return k;
}

/* An empty tensor. */
EMSCRIPTEN_KEEPALIVE sparse_tensor *playground_tensor(const sparse_encoding *e)
{
    sparse_tensor *t = take(sizeof *t);
    t->encoding = e;
    return t;
}

/* Memory of the program. */
EMSCRIPTEN_KEEPALIVE void *playground_memory(size_t size) { return take(size); }

/* Packs `count` entries. The text says what is wrong, or is null. */
EMSCRIPTEN_KEEPALIVE const char *playground_pack(sparse_tensor *t, const size_t *dim, size_t count,
                                                 const size_t *coordinates, const double *values)
{
    const sparse_encoding *e = t->encoding;
    char *const value = take(count * e->value_size + 1);
    for (size_t n = 0; n < count; n++) page_encode(e->kind, values[n], value + n * e->value_size);
    const sparse_result result = sparse_pack_untyped(t, dim, count, coordinates, value, SPARSE_DUPLICATES_LAST);
    return result == SPARSE_OK ? NULL : sparse_message(result);
}

/* Gives an empty result its sizes. The text says what is wrong, or is null. */
EMSCRIPTEN_KEEPALIVE const char *playground_resize(sparse_tensor *t, const size_t *dim)
{
    bool dense = true;
    for (unsigned l = 0; l < t->encoding->levels; l++) dense = dense && t->encoding->level[l].type == SPARSE_DENSE;
    const sparse_result result = dense ? sparse_allocate_dense(t, dim) : sparse_resize_dims(t, dim);
    return result == SPARSE_OK ? NULL : sparse_message(result);
}

EMSCRIPTEN_KEEPALIVE const char *playground_message(int result) { return sparse_message((sparse_result)result); }

/* The entries of a tensor, as coordinates and values after each other: rank + 1 numbers for each. */
EMSCRIPTEN_KEEPALIVE const double *playground_entries(const sparse_tensor *t)
{
    const size_t rank = t->encoding->rank, count = sparse_entries(t);
    size_t *coordinates = take((count * rank + 1) * sizeof *coordinates), written = 0;
    char *const values = take((count + 1) * t->encoding->value_size);
    double *const all = take((count * (rank + 1) + 1) * sizeof *all);
    if (sparse_unpack_untyped(t, coordinates, values, &written) != SPARSE_OK) return NULL;
    all[0] = (double)written;
    for (size_t n = 0; n < written; n++) {
        for (size_t d = 0; d < rank; d++) all[1 + n * (rank + 1) + d] = (double)coordinates[n * rank + d];
        all[1 + n * (rank + 1) + rank] = page_decode(t->encoding->kind, values + n * t->encoding->value_size);
    }
    return all;
}

static void put_page_buffer(text *t, const char *name, const sparse_buffer *b, unsigned bits)
{
    put(t, ",\"%s\":{\"at\":%zu,\"count\":%zu,\"bits\":%u}", name, (size_t)b->at, b->length, bits);
}

/* The bits of a number of crd, if a word holds several; else 0. */
static unsigned page_field_bits(const sparse_level *v)
{
    const bool bits = v->type == SPARSE_BITMAP || v->type == SPARSE_BITMASK;
    return bits ? 1 : v->type == SPARSE_DELTA ? v->n : sparse_p_packed_bits(v);
}

/* The levels of a tensor and where its arrays are. */
EMSCRIPTEN_KEEPALIVE const char *playground_storage(const sparse_tensor *t)
{
    const sparse_encoding *e = t->encoding;
    text s = {0};
    put(&s, "{\"levels\":[");
    for (unsigned l = 0; l < e->levels; l++) {
        put(&s, "%s{\"type\":%s,\"size\":%zu", l ? "," : "", page_json(format_name((format)e->level[l].type)), t->lvl[l]);
        put_page_buffer(&s, "pos", &t->pos[l], sparse_pos_bits(e));
        put_page_buffer(&s, "crd", &t->crd[l], sparse_crd_bits(e));
        put(&s, ",\"field\":%u}", page_field_bits(&e->level[l]));
    }
    put(&s, "],\"entries\":%zu,\"bytes\":%zu", sparse_entries(t), sparse_bytes(t));
    put_page_buffer(&s, "values", &t->val, (unsigned)(8 * e->value_size));
    put(&s, "}");
    return s.at;
}

/* The kit's functions by their names; helpers.h is made by `make playground`. */
typedef void (*helper)(void);
static const struct {
    const char *name;
    helper call;
} helpers[] = {
#define HELPER(name) {#name, (helper)name},
#include "helpers.h"
};

/* The functions of math.h that statements may call, of double and of float. */
#define BOTH(name)                                                                                                          \
    {#name, (helper)name}, { #name "f", (helper)name##f }
static const struct {
    const char *name;
    helper call;
} mathematics[] = {
    BOTH(fabs),  BOTH(sqrt),  BOTH(cbrt),  BOTH(exp),   BOTH(exp2),  BOTH(expm1), BOTH(log),   BOTH(log2), BOTH(log10),
    BOTH(log1p), BOTH(sin),   BOTH(cos),   BOTH(tan),   BOTH(asin),  BOTH(acos),  BOTH(atan),  BOTH(sinh), BOTH(cosh),
    BOTH(tanh),  BOTH(asinh), BOTH(acosh), BOTH(atanh), BOTH(erf),   BOTH(erfc),  BOTH(floor), BOTH(ceil), BOTH(round),
    BOTH(trunc), BOTH(fmax),  BOTH(fmin),  BOTH(pow),   BOTH(hypot), BOTH(atan2), BOTH(fmod),  BOTH(fdim), BOTH(copysign),
};

/* A function of math.h in the table of the module; 0: there is none. */
EMSCRIPTEN_KEEPALIVE helper playground_mathematics(const char *name)
{
    for (size_t n = 0; n < sizeof mathematics / sizeof *mathematics; n++)
        if (same(mathematics[n].name, name)) return mathematics[n].call;
    return 0;
}

/* The function in the table of the module; 0: there is none. */
EMSCRIPTEN_KEEPALIVE helper playground_function(const char *name)
{
    for (size_t n = 0; n < sizeof helpers / sizeof *helpers; n++)
        if (same(helpers[n].name, name)) return helpers[n].call;
    return 0;
}
