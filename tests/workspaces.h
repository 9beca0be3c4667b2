/* workspaces.h: shared by the tests of kernels with workspaces, where(): storage types, operands as dense arrays, shapes,
   and the loop that runs a test over all shapes. */
#ifndef TEST_WORKSPACES_H
#define TEST_WORKSPACES_H

#include <math.h>
#include "oracle.h"

#include "sparse.h"

#define VEC   vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT   mat, SPARSE_DENSE_2D, double, 32, 32
#define COLS  cols, SPARSE_COLUMN_MAJOR, double, 32, 32
#define SVEC  svec, SPARSE_VECTOR, double, 32, 16
#define CSR   csr, SPARSE_CSR, double, 32, 32
#define DCSR  dcsr, SPARSE_DCSR, double, 16, 32
#define COO   coo, SPARSE_COO, double, 32, 32
#define CD    cd, SPARSE_CD, double, 32, 8
#define CSF   csf, SPARSE_CSF_3D, double, 32, 32
#define COO3  coo3, SPARSE_COO_3D, double, 32, 16
#define CUBE  cube, SPARSE_DENSE_3D, double, 32, 32
#define MIXED mixed, ((i, j, k), (dense, i), (compressed, j), (dense, k)), double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(COLS)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(CD)
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(COO3)
SPARSE_TENSOR(CUBE)
SPARSE_TENSOR(MIXED)

/* >>arrays: operands as dense arrays of small numbers, so that sums are exact in any order */
enum { WIDE = 7, VOLUME = WIDE * WIDE * WIDE };
typedef struct shape_of {
    size_t i, j, k, l, one_in;
} shape_of;

static inline void random_array(double *to, size_t count, size_t one_in)
{
    for (size_t n = 0; n < count; n++) to[n] = one_in && random_below(one_in) == 0 ? (double)(1 + random_below(8)) : 0;
}

static inline void set_up(sparse_tensor *t, size_t a, size_t b, size_t c, const double *values)
{
    const size_t dim[] = {a, b, c};
    t->hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(t, dim, values), SPARSE_OK);
}

/* Does a tensor hold these values, and zeros everywhere else? */
static inline bool holds(const sparse_tensor *t, const double *wanted)
{
    double is[VOLUME] = {0};
    size_t volume = 1;
    for (unsigned d = 0; d < t->encoding->rank; d++) volume *= t->dim[d];
    SPARSE_FOREACH(c, t)
    {
        size_t at = 0;
        for (unsigned d = 0; d < t->encoding->rank; d++) at = at * t->dim[d] + c.dim[d];
        is[at] += SPARSE_VALUE(c, double);
    }
    for (size_t n = 0; n < volume; n++)
        if (is[n] < wanted[n] || is[n] > wanted[n]) return false;
    return true;
}

/* the shapes: from full to empty, and with a dimension of size 0 or 1 */
static const shape_of shapes[] = {
    {5, 4, 6, 3, 1}, {5, 4, 6, 3, 2}, {7, 7, 5, 6, 3}, {6, 3, 7, 7, 12}, {4, 5, 3, 2, 0}, {0, 3, 4, 5, 2},
    {3, 0, 4, 5, 2}, {3, 4, 0, 5, 2}, {3, 4, 5, 0, 2}, {1, 4, 3, 5, 2},  {4, 1, 3, 5, 2}, {4, 5, 1, 1, 2},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* the arrays of a scene, each WIDE x WIDE at most */
typedef struct scene_of {
    double a[VOLUME], b[VOLUME], e[VOLUME], u[WIDE], v[WIDE];
} scene_of;

/* Prepares the operands of test n, and returns the shape that the test uses. */
static inline const shape_of *draw_scene(size_t n, scene_of *x)
{
    const shape_of *s = &shapes[n % SHAPES];
    snprintf(subject, sizeof subject, "%zu x %zu x %zu x %zu, one in %zu", s->i, s->j, s->k, s->l, s->one_in);
    random_array(x->a, VOLUME, s->one_in);
    random_array(x->b, VOLUME, s->one_in);
    random_array(x->e, VOLUME, s->one_in);
    random_array(x->u, WIDE, 2);
    random_array(x->v, WIDE, 2);
    return s;
}

/* a(i,j) = the sum of b(i,k,l) c(k,j) d(l,j), over random operands. */
static inline void draw_mttkrp(const shape_of *s, double *a, double *b, double *c, double *d)
{
    random_array(b, s->i * s->k * s->l, s->one_in);
    random_array(c, s->k * s->j, 2);
    random_array(d, s->l * s->j, 2);
    memset(a, 0, s->i * s->j * sizeof *a);
    for (size_t i = 0; i < s->i; i++)
        for (size_t k = 0; k < s->k; k++)
            for (size_t l = 0; l < s->l; l++)
                for (size_t j = 0; j < s->j; j++)
                    a[i * s->j + j] += b[(i * s->k + k) * s->l + l] * c[k * s->j + j] * d[l * s->j + j];
}

#endif
