/* python.h: makes kernels callable from Python, on the arrays of NumPy and SciPy, in place.

       SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
       PYTHON_KERNEL(spmv, vec, csr, vec)

   adds a function spmv for kit.py to a shared library. PYTHON_KERNEL takes the kernel, then the types of its arguments in
   order: one output and one to five operands. `make python F=this.c` builds build/python/this.so and the module
   build/python/this.py; `make python K='y(i) = A(i,j) * x(j)' FORMATS='A=csr'` builds both from a statement of index
   notation. */
#include <stdio.h>

#include "sparse.h"

enum { PYTHON_ARRAYS = 2 * SPARSE_MAX_LEVELS + 1 };
#if SPARSE_MAX_LEVELS != 8
    #error "kit.py passes tensors with room for 8 levels"
#endif

/* A tensor as kit.py passes it: its sizes, and its arrays in the order of storage: positions and coordinates of each level
   that has them, then values. For an assembled output the arrays are filled in by the call. */
typedef struct python_array {
    const void *at;
    size_t length, size; /* number of elements, bytes of an element */
    int kind;            /* a sparse_kind */
} python_array;
typedef struct python_tensor {
    size_t rank, dim[SPARSE_MAX_RANK];
    size_t arrays;
    python_array array[PYTHON_ARRAYS];
    sparse_tensor *made; /* the assembled output; python_free frees it */
} python_tensor;

/* The argument whose arrays the last call of this thread refused; -1: none. */
static _Thread_local int python_argument = -1;
/* The result of a call that passed an output to a kernel that assembles its output. */
enum { PYTHON_ASSEMBLES = -1 };

/* *a = array number *next of p, if it exists; increments *next. sparse_assemble checks its type. */
static bool python_take(sparse_array *a, const python_tensor *p, size_t *next)
{
    if (*next >= p->arrays) return false;
    const python_array *const b = &p->array[(*next)++];
    a->at = b->at, a->length = b->length, a->size = b->size, a->kind = (sparse_kind)b->kind;
    return true;
}

/* Has a level of type v an array of positions, or of coordinates, of its own? */
static inline bool python_has_pos(const sparse_level *v)
{
    return v->type == SPARSE_COMPRESSED || v->type == SPARSE_LOOSE_COMPRESSED || v->type == SPARSE_BITMASK ||
           v->type == SPARSE_DELTA;
}
static inline bool python_has_crd(const sparse_level *v)
{
    const bool alone = v->type == SPARSE_SINGLETON && v->properties & SPARSE_SOA;
    const bool of_parents = v->type == SPARSE_STRUCTURED || v->type == SPARSE_PACKED || v->type == SPARSE_BITMAP;
    return python_has_pos(v) || alone || of_parents;
}

/* t = a tensor that borrows the arrays of p. SPARSE_E_LENGTH if p has more or fewer arrays than the encoding; otherwise
   the errors of sparse_assemble. */
static inline sparse_result python_borrow(sparse_tensor *t, const python_tensor *p, int argument)
{
    const sparse_encoding *e = t->encoding;
    sparse_arrays a;
    size_t next = 0;
    bool fits = p->rank == e->rank;
    memset(&a, 0, sizeof a);
    for (unsigned l = 0; fits && l < e->levels; l++) {
        if (python_has_pos(&e->level[l])) fits = python_take(&a.pos[l], p, &next);
        if (fits && python_has_crd(&e->level[l])) fits = python_take(&a.crd[l], p, &next);
    }
    fits = fits && python_take(&a.val, p, &next) && next == p->arrays;
    const sparse_result r = fits ? sparse_assemble(t, p->dim, &a, SPARSE_BORROW, NULL) : SPARSE_E_LENGTH;
    python_argument = r ? argument : -1;
    return r;
}

static inline void python_show_array(python_tensor *p, const sparse_buffer *b, size_t size)
{
    const python_array array = {b->at, b->length, size, 0};
    p->array[p->arrays++] = array;
}

/* Does t own an array? */
static inline bool python_owns(const sparse_tensor *t)
{
    bool owns = t->val.capacity > 0;
    for (unsigned l = 0; l < t->encoding->levels; l++) owns = owns || t->pos[l].capacity > 0 || t->crd[l].capacity > 0;
    return owns;
}

/* Ends a call with result r and output t. If Python passed no output, p = the sizes and arrays of t, which p then owns.
   If Python passed one and t owns arrays, the kernel has assembled them and left those of Python as they were:
   PYTHON_ASSEMBLES. After an error, t is freed. */
static inline int python_end(python_tensor *p, sparse_tensor *t, sparse_result r)
{
    const sparse_encoding *e = t->encoding;
    const bool passed = p->arrays > 0, assembled = !r && passed && python_owns(t);
    if (!r && !passed && !(p->made = (sparse_tensor *)malloc(sizeof *t))) r = SPARSE_E_MEMORY;
    if (r || passed) {
        sparse_free(t);
        return assembled ? PYTHON_ASSEMBLES : (int)r;
    }
    *p->made = *t;
    memcpy(p->dim, t->dim, sizeof t->dim);
    p->rank = e->rank;
    for (unsigned l = 0; l < e->levels; l++) {
        if (python_has_pos(&e->level[l])) python_show_array(p, &t->pos[l], e->pos_bits / 8u);
        if (python_has_crd(&e->level[l])) python_show_array(p, &t->crd[l], e->crd_bits / 8u);
    }
    python_show_array(p, &t->val, e->value_size);
    return SPARSE_OK;
}

void python_free(sparse_tensor *made);
void python_free(sparse_tensor *made)
{
    if (made) sparse_free(made);
    free(made);
}

/* The sentence for the result of the last call; it names the argument whose arrays were refused. */
const char *python_message(int result);
const char *python_message(int result)
{
    static _Thread_local char text[320];
    if (result == PYTHON_ASSEMBLES) return "argument 0: the kernel assembles its output: pass None";
    if (python_argument < 0) return sparse_explain((sparse_result)result);
    snprintf(text, sizeof text, "argument %d: %s", python_argument, sparse_explain((sparse_result)result));
    return text;
}

/* Writes the encoding as text for kit.py: "name kind value_size pos_bits crd_bits rank fill", then for each level
   ", type properties map dim c". fill is the bytes of the fill value in hexadecimal, or - for zero. Returns 0 if there is
   no encoding. */
int python_describe(const sparse_encoding *e, char *text, size_t room);
int python_describe(const sparse_encoding *e, char *text, size_t room)
{
    if (!e) return 0;
    int length = snprintf(text, room, "%s %d %zu %u %u %u %s", e->name, (int)e->kind, e->value_size, e->pos_bits + 0u,
                          e->crd_bits + 0u, e->rank + 0u, e->fill ? "" : "-");
    for (size_t k = 0; e->fill && k < e->value_size && length > 0 && (size_t)length < room; k++)
        length += snprintf(text + length, room - (size_t)length, "%02x", ((const unsigned char *)e->fill)[k] + 0u);
    for (unsigned l = 0; l < e->levels && length > 0 && (size_t)length < room; l++) {
        const sparse_level *const v = &e->level[l];
        length += snprintf(text + length, room - (size_t)length, ", %u %u %u %u %u", v->type + 0u, v->properties + 0u,
                           v->map + 0u, v->dim + 0u, (unsigned)v->c);
    }
    return 1;
}

#define PYTHON_BEGIN(name, out, ...)                                                                         \
    const sparse_encoding *name##_encoding_of(int k);                                                        \
    const sparse_encoding *name##_encoding_of(int k)                                                         \
    {                                                                                                        \
        static const sparse_encoding *const of[] = {&out##_encoding, __VA_ARGS__};                           \
        return k >= 0 && (size_t)k < sizeof of / sizeof *of ? of[k] : NULL;                                  \
    }                                                                                                        \
    int name##_python(python_tensor *p);                                                                     \
    int name##_python(python_tensor *p)                                                                      \
    {                                                                                                        \
        out y = SPARSE_INIT(out);                                                                            \
        sparse_result r = SPARSE_OK;                                                                         \
        python_argument = -1;                                                                                \
        if (p[0].arrays) r = python_borrow(&y.t, &p[0], 0);
#define PYTHON_OPERAND(type, k)                                                                              \
    type a##k = SPARSE_INIT(type);                                                                           \
    if (!r) r = python_borrow(&a##k.t, &p[k], k);
#define PYTHON_END(...)                                                                                      \
    if (!r) r = __VA_ARGS__;                                                                                 \
    return python_end(&p[0], &y.t, r);                                                                       \
    }
#define PYTHON_KERNEL(...)                                                                                   \
    PYTHON_PICK(__VA_ARGS__, PYTHON_5, PYTHON_4, PYTHON_3, PYTHON_2, PYTHON_1, )(__VA_ARGS__)
#define PYTHON_PICK(name, out, a, b, c, d, e, pick, ...) pick
#define PYTHON_1(name, out, a)                                                                               \
    PYTHON_BEGIN(name, out, &a##_encoding) PYTHON_OPERAND(a, 1) PYTHON_END(name(&y, &a1))
#define PYTHON_2(name, out, a, b)                                                                            \
    PYTHON_BEGIN(name, out, &a##_encoding, &b##_encoding) PYTHON_OPERAND(a, 1) PYTHON_OPERAND(b, 2)          \
    PYTHON_END(name(&y, &a1, &a2))
#define PYTHON_3(name, out, a, b, c)                                                                         \
    PYTHON_BEGIN(name, out, &a##_encoding, &b##_encoding, &c##_encoding)                                     \
    PYTHON_OPERAND(a, 1) PYTHON_OPERAND(b, 2) PYTHON_OPERAND(c, 3) PYTHON_END(name(&y, &a1, &a2, &a3))
#define PYTHON_4(name, out, a, b, c, d)                                                                      \
    PYTHON_BEGIN(name, out, &a##_encoding, &b##_encoding, &c##_encoding, &d##_encoding)                      \
    PYTHON_OPERAND(a, 1) PYTHON_OPERAND(b, 2) PYTHON_OPERAND(c, 3) PYTHON_OPERAND(d, 4)                      \
    PYTHON_END(name(&y, &a1, &a2, &a3, &a4))
#define PYTHON_5(name, out, a, b, c, d, e)                                                                   \
    PYTHON_BEGIN(name, out, &a##_encoding, &b##_encoding, &c##_encoding, &d##_encoding, &e##_encoding)       \
    PYTHON_OPERAND(a, 1) PYTHON_OPERAND(b, 2) PYTHON_OPERAND(c, 3) PYTHON_OPERAND(d, 4)                      \
    PYTHON_OPERAND(e, 5) PYTHON_END(name(&y, &a1, &a2, &a3, &a4, &a5))
