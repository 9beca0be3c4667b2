/* python.h: kernels that Python calls, on the arrays of NumPy and SciPy, where they are.

       SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
       PYTHON_KERNEL(spmv, vec, csr, vec)

   gives a shared library a function spmv for kit.py, with the types of the kernel's tensors in the order of
   its arguments, one output and one to five operands. `make python F=this.c` builds build/python/this.so; a statement of index
   notation, make python K='y(i) = A(i,j) * x(j)' FORMATS='A=csr', build/python/kernel.so. */
#include "sparse.h"

enum { PYTHON_ARRAYS = 2 * SPARSE_MAX_LEVELS + 1 };

/* A tensor as kit.py gives it: its sizes, and its arrays in the order of storage: positions and coordinates
   of each level that has them, then values. An output that is to be assembled comes without, and leaves with
   them. */
typedef struct python_array {
    const void *at;
    size_t length, size; /* elements, and bytes of one */
} python_array;
typedef struct python_tensor {
    size_t rank, dim[SPARSE_MAX_RANK];
    size_t arrays;
    python_array array[PYTHON_ARRAYS];
    sparse_tensor *made; /* what the kernel assembled; python_free frees it */
} python_tensor;

/* *b = the next array of p if it has elements of so many bits; the next one is the one after. */
static bool python_take(sparse_array *a, const python_tensor *p, size_t *next, size_t size)
{
    if (*next >= p->arrays || p->array[*next].size != size) return false;
    const sparse_array array = {p->array[*next].at, p->array[*next].length};
    *a = array;
    ++*next;
    return true;
}

static inline bool python_has_pos(const sparse_level *v)
{
    return v->format == SPARSE_COMPRESSED || v->format == SPARSE_LOOSE_COMPRESSED;
}
static inline bool python_has_crd(const sparse_level *v)
{
    const bool alone = v->format == SPARSE_SINGLETON && v->properties & SPARSE_SOA;
    return python_has_pos(v) || alone || v->format == SPARSE_STRUCTURED;
}

/* t = the tensor in the arrays of p, borrowed; SPARSE_E_LENGTH if they are not as many, or of other types. */
static inline sparse_result python_borrow(sparse_tensor *t, const python_tensor *p)
{
    const sparse_encoding *e = t->encoding;
    sparse_arrays a;
    size_t next = 0;
    bool fits = p->rank == e->rank;
    memset(&a, 0, sizeof a);
    for (unsigned l = 0; fits && l < e->levels; l++) {
        if (python_has_pos(&e->level[l])) fits = python_take(&a.pos[l], p, &next, e->pos_bits / 8u);
        if (fits && python_has_crd(&e->level[l])) fits = python_take(&a.crd[l], p, &next, e->crd_bits / 8u);
    }
    fits = fits && python_take(&a.val, p, &next, e->value_size) && next == p->arrays;
    return fits ? sparse_assemble(t, p->dim, &a, SPARSE_BORROW, NULL) : SPARSE_E_LENGTH;
}

static inline void python_show_array(python_tensor *p, const sparse_buffer *b, size_t size)
{
    const python_array array = {b->at, b->length, size};
    p->array[p->arrays++] = array;
}

/* p = what t has, which then belongs to p; or frees it. */
static inline sparse_result python_show(python_tensor *p, sparse_tensor *t)
{
    const sparse_encoding *e = t->encoding;
    p->made = (sparse_tensor *)malloc(sizeof *t);
    if (!p->made) {
        sparse_free(t);
        return SPARSE_E_MEMORY;
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
const char *python_message(int result);
void python_free(sparse_tensor *made)
{
    if (made) sparse_free(made);
    free(made);
}
const char *python_message(int result) { return sparse_message((sparse_result)result); }

#define PYTHON_BEGIN(name, out)                                                                              \
    int name##_python(python_tensor *p);                                                                     \
    int name##_python(python_tensor *p)                                                                      \
    {                                                                                                        \
        out y = SPARSE_INIT(out);                                                                            \
        const bool assemble = p[0].arrays == 0;                                                              \
        sparse_result r = assemble ? SPARSE_OK : python_borrow(&y.t, &p[0]);
#define PYTHON_OPERAND(type, k)                                                                              \
    type a##k = SPARSE_INIT(type);                                                                           \
    if (!r) r = python_borrow(&a##k.t, &p[k]);
#define PYTHON_END(...)                                                                                      \
    if (!r) r = __VA_ARGS__;                                                                                 \
    return (int)(!r && assemble ? python_show(&p[0], &y.t) : r);                                             \
    }
#define PYTHON_KERNEL(...)                                                                                   \
    PYTHON_PICK(__VA_ARGS__, PYTHON_5, PYTHON_4, PYTHON_3, PYTHON_2, PYTHON_1, )(__VA_ARGS__)
#define PYTHON_PICK(name, out, a, b, c, d, e, pick, ...) pick
#define PYTHON_1(name, out, a)                                                                               \
    PYTHON_BEGIN(name, out) PYTHON_OPERAND(a, 1) PYTHON_END(name(&y, &a1))
#define PYTHON_2(name, out, a, b)                                                                            \
    PYTHON_BEGIN(name, out) PYTHON_OPERAND(a, 1) PYTHON_OPERAND(b, 2) PYTHON_END(name(&y, &a1, &a2))
#define PYTHON_3(name, out, a, b, c)                                                                         \
    PYTHON_BEGIN(name, out) PYTHON_OPERAND(a, 1) PYTHON_OPERAND(b, 2) PYTHON_OPERAND(c, 3)                   \
    PYTHON_END(name(&y, &a1, &a2, &a3))
#define PYTHON_4(name, out, a, b, c, d)                                                                      \
    PYTHON_BEGIN(name, out) PYTHON_OPERAND(a, 1) PYTHON_OPERAND(b, 2) PYTHON_OPERAND(c, 3)                   \
    PYTHON_OPERAND(d, 4) PYTHON_END(name(&y, &a1, &a2, &a3, &a4))
#define PYTHON_5(name, out, a, b, c, d, e)                                                                   \
    PYTHON_BEGIN(name, out) PYTHON_OPERAND(a, 1) PYTHON_OPERAND(b, 2) PYTHON_OPERAND(c, 3)                   \
    PYTHON_OPERAND(d, 4) PYTHON_OPERAND(e, 5) PYTHON_END(name(&y, &a1, &a2, &a3, &a4, &a5))
