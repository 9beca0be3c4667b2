/* triangle.h: a user-defined level type: it stores the lower triangle of a matrix in one array, row after row, without gaps.
   */
#ifndef TRIANGLE_H
#define TRIANGLE_H

#define SPARSE_LEVELS_MORE(X) X(SPARSE_TRIANGLE, triangle, SPARSE_TRAIT_LINEAR | SPARSE_TRAIT_PADS)
#include "sparse_formats.h"
static inline size_t triangle_before(size_t row, size_t size) /* the number of positions in the rows above */
{
    const size_t rows = row < size ? row : size, half = rows % 2 ? (rows + 1) / 2 * rows : rows / 2 * (rows + 1);
    return half + (row - rows) * size;
}
SPARSE_P_INLINE void sparse_triangle_enter(sparse_level_iterator *i, size_t lo, size_t hi)
{
    i->position = i->first = triangle_before(lo, i->size);
    i->end = triangle_before(hi, i->size);
}
SPARSE_P_INLINE bool sparse_triangle_parents(const sparse_level_iterator *i, size_t *at, size_t *coordinate, size_t count,
                                             size_t *parent)
{
    for (size_t k = 0; k < count; k++) {
        while (triangle_before(*parent + 1, i->size) <= at[k]) ++*parent;
        coordinate[k] = at[k] - triangle_before(*parent, i->size);
        at[k] = *parent;
    }
    return true;
}
SPARSE_P_INLINE size_t sparse_triangle_append(sparse_writer *w, size_t parent, size_t coordinate)
{
    if (coordinate > parent) return SIZE_MAX;
    w->next = triangle_before(parent, w->size) + coordinate + 1;
    return w->next - 1;
}
SPARSE_P_INLINE void sparse_triangle_close(sparse_writer *w, size_t parents) { w->next = triangle_before(parents, w->size); }
static inline sparse_result sparse_triangle_check(const sparse_encoding *e, unsigned l)
{
    return l == 1 && e->level[0].type == SPARSE_DENSE && !e->level[l].properties ? SPARSE_OK : SPARSE_E_PROPERTY;
}
static inline bool sparse_triangle_extent(const sparse_level *v, size_t size, sparse_extent *x)
{
    (void)v;
    return sparse_p_mul(&x->positions, x->parents, size) && (x->positions = triangle_before(x->parents, size), true);
}
static inline sparse_result sparse_triangle_validate(const sparse_tensor *t, unsigned l, size_t parents, size_t positions, sparse_report *where)
{
    return sparse_dense_validate(t, l, parents, positions, where);
}
#define SPARSE_P_STORED_IS_triangle 0sparse, triangle, 0unique, 0ordered, 0
#define SPARSE_P_LEVEL_ROW_triangle ()
#define SPARSE_P_RANGE_triangle_LO , TRIANGLE_LO
#define SPARSE_P_RANGE_triangle_HI , TRIANGLE_HI
#define SPARSE_P_RANGE_triangle_0arrays , SPARSE_P_ARRAYS_SIZE
#define SPARSE_P_RANGE_triangle_0arguments , SPARSE_P_ARGUMENTS_SIZE
#define SPARSE_P_CRD_triangle_NUMBER , 1
#define SPARSE_P_CRD_triangle_PLAIN , 2
#define SPARSE_P_CRD_triangle_COORDINATE , SPARSE_P_CRD_COUNTED
#define SPARSE_P_CRD_triangle_SEEK , SPARSE_P_SEEK_COUNTED
#define TRIANGLE_LO(A, n, pos, m, parent) triangle_before(SPARSE_P_PARENT(A, n), sparse_l_##A##n##_size)
#define TRIANGLE_HI(A, n, pos, m, parent) triangle_before(SPARSE_P_PARENT_NEXT(A, n), sparse_l_##A##n##_size)

#endif
