/* sums_in_3d.h: the expected results of convolutions in three dimensions, T(i+p, j+q, k+r), over seven encodings of T: the
   values, and how often the loop over k runs. The window lies within T (PLAIN), is padded by one (OUT), is dilated, or
   reads a slice of T (PART). */
#ifndef TEST_SUMS_IN_3D_H
#define TEST_SUMS_IN_3D_H

#include "sums.h"

/* Every level of T is read below several parents at once, one for each offset of the window above it. The loop over k must
   still visit exactly those positions whose window contains an entry, in all four views. */
#define DDC ddc, ((i, j, k), (dense, i), (dense, j), (compressed, k)), double, 16, 32
#define CDC cdc, ((i, j, k), (compressed, i), (dense, j), (compressed, k)), double, 32, 8
#define DDL ddl, ((i, j, k), (dense, i), (dense, j), (loose_compressed, k)), double, 32, 64
#define BBC bbc, ((i, j, k), (bitmap, i), (bitmap, j), (compressed, k)), double, 32, 16
#define CBB cbb, ((i, j, k), (compressed, i), (bitmap, j), (bitmap, k)), double, 32, 64
SPARSE_TENSOR(DDC)
SPARSE_TENSOR(CDC)
SPARSE_TENSOR(DDL)
SPARSE_TENSOR(BBC)
SPARSE_TENSOR(CBB)
enum { PLAIN_DEEP, OUT_DEEP, DILATED_DEEP, PART_DEEP, DEEP_VIEWS };
/* the order of the loops. ALL_FIRST: i, j, k outermost. LAST_FIRST: k outermost, before the levels above it are known.
   TWO_FIRST: j, k outermost, before i is known. */
enum { ALL_FIRST, LAST_FIRST, TWO_FIRST, DEEP_ORDERS };
typedef struct deep {
    size_t dim[3], size[DEEP_VIEWS][3], step[3], held[DEEP_VIEWS][DEEP_ORDERS];
    double wanted[DEEP_VIEWS][4096];
    sparse_slice part[3];
    cube F;
    vec one;
} deep;
static inline void check_deep(const deep *x, size_t edge, size_t order, cube *O, sparse_result result)
{
    CHECK_RESULT(result, SPARSE_OK);
    CHECK(visits[0] == x->held[edge][order] && O->t.val.length == x->size[edge][0] * x->size[edge][1] * x->size[edge][2]);
    for (size_t o = 0; o < O->t.val.length; o++)
        CHECK(at(&O->t, o) >= x->wanted[edge][o] && at(&O->t, o) <= x->wanted[edge][o]);
    visits[0] = 0;
    if (edge == OUT_DEEP && order == ALL_FIRST) memset(O->t.val.at, 0, O->t.val.length * sizeof(double));
    else sparse_free(&O->t);
}
#define DEEP_TYPES(X)        X(csf, CSF) X(dcc, DCC) X(ddc, DDC) X(cdc, CDC) X(ddl, DDL) X(bbc, BBC) X(cbb, CBB)
#define DEEP_RUN(type, TYPE) test_deep_##type(&x);
static inline void make_deep(deep *x, const size_t dim[3], const size_t window[3])
{
    const cube none = SPARSE_INIT(cube);
    const vec nothing = SPARSE_INIT(vec);
    memset(x, 0, sizeof *x);
    x->F = none, x->one = nothing;
    for (size_t d = 0; d < 3; d++) {
        const size_t reach = window[d] - 1, most = reach > 0 ? (dim[d] - 1) / reach : 3;
        x->dim[d] = dim[d], x->size[PLAIN_DEEP][d] = dim[d] - reach, x->size[OUT_DEEP][d] = dim[d];
        x->step[d] = 1 + random_below(sparse_p_min(most, 3)), x->size[DILATED_DEEP][d] = dim[d] - x->step[d] * reach;
        const size_t within = (d == 1 ? 1 : x->step[d]) * reach, rest = dim[d] - within; /* surplus */
        x->part[d].stride = 1 + random_below(within > 0 ? sparse_p_min((dim[d] - 1) / within, 3) : 3);
        x->part[d].offset = random_below(sparse_p_min(dim[d] - x->part[d].stride * within, rest));
        x->part[d].size = (dim[d] - 1 - x->part[d].offset) / x->part[d].stride + 1;
        x->size[PART_DEEP][d] = x->part[d].size - within;
    }
    snprintf(subject, sizeof subject, "%zu x %zu x %zu, window %zu x %zu x %zu", dim[0], dim[1], dim[2], window[0],
             window[1], window[2]);
    CHECK_RESULT(sparse_allocate_dense(&x->F.t, window), SPARSE_OK);
    for (size_t k = 0; k < window[0] * window[1] * window[2]; k++) ((double *)x->F.t.val.at)[k] = (double)(k % 5);
    ones(&x->one, 1);
    for (size_t view = 0; view < DEEP_VIEWS; view++) {
        bool last[4096] = {false}, two[4096] = {false};
        for (size_t o = 0; o < x->size[view][0] * x->size[view][1] * x->size[view][2]; o++) {
            const size_t place[3] = {o / (x->size[view][1] * x->size[view][2]), o / x->size[view][2] % x->size[view][1],
                                     o % x->size[view][2]};
            bool holds = false;
            for (size_t w = 0; w < window[0] * window[1] * window[2]; w++) {
                const size_t in_window[3] = {w / (window[1] * window[2]), w / window[2] % window[1], w % window[2]};
                size_t of_t = 0;
                bool inside = true;
                for (size_t d = 0; d < 3; d++) {
                    const size_t step = view < DILATED_DEEP || (view == PART_DEEP && d == 1) ? 1 : x->step[d];
                    size_t n = place[d] + step * in_window[d] - (view == OUT_DEEP);
                    if (view == PART_DEEP) n = x->part[d].offset + x->part[d].stride * n;
                    inside = inside && n < dim[d], of_t = of_t * dim[d] + n;
                }
                if (!inside) continue;
                x->wanted[view][o] += numbers[of_t] * (double)(w % 5), holds = holds || numbers[of_t] > 0;
            }
            const size_t of_two = o % (x->size[view][1] * x->size[view][2]);
            x->held[view][ALL_FIRST] += holds;
            x->held[view][LAST_FIRST] += holds && !last[place[2]];
            x->held[view][TWO_FIRST] += holds && !two[of_two];
            if (holds) last[place[2]] = two[of_two] = true;
        }
    }
    visits[0] = 0;
}

#endif
