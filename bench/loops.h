/* loops.h: loops over plain arrays as one would write them by hand, and as tensor compilers print them. They are not part
   of the kit and use nothing of it.

   Contents (search for the anchors)
     >>loops    one sparse operand: TACO and MLIR print these loops
     >>merges   several sparse operands: inner products and unions, as TACO prints them */
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H
#include "bench.h"
#define LOOP BENCH_NOINLINE BENCH_UNUSED

/* >>loops
   Level l is passed as its positions and coordinates, posl and crdl. Dense matrices are stored by rows. */
#define SEQUENTIAL
#ifdef _OPENMP
    #include <omp.h>
    #define OPENMP _Pragma("omp parallel for")
#else
    #define OPENMP
#endif
#define LEVEL(l) const uint32_t *restrict pos##l, const uint32_t *restrict crd##l
#define IN(x)    const double *restrict x
#define OUT(y)   double *restrict y

#define SPMV(name, how, integer)                                                                             \
    LOOP static void name(size_t rows, LEVEL(2), IN(val), IN(x), OUT(y))                           \
    {                                                                                                        \
        how for (size_t i = 0; i < rows; i++)                                                                \
        {                                                                                                    \
            double s = y[i];                                                                                 \
            for (integer p = pos2[i]; p < pos2[i + 1]; p++) s += val[p] * x[crd2[p]];                        \
            y[i] = s;                                                                                        \
        }                                                                                                    \
    }
SPMV(hand_spmv, SEQUENTIAL, size_t)
SPMV(hand_spmv_u32, SEQUENTIAL, uint32_t)
SPMV(hand_spmv_openmp, OPENMP, size_t)

LOOP static void hand_spmv_dcsr(LEVEL(1), LEVEL(2), IN(val), IN(x), OUT(y))
{
    for (size_t r = pos1[0]; r < pos1[1]; r++) {
        double s = y[crd1[r]];
        for (size_t p = pos2[r]; p < pos2[r + 1]; p++) s += val[p] * x[crd2[p]];
        y[crd1[r]] = s;
    }
}
LOOP static void hand_spmv_cd(size_t columns, LEVEL(1), IN(val), IN(x), OUT(y))
{
    for (size_t r = pos1[0]; r < pos1[1]; r++) {
        double s = y[crd1[r]];
        for (size_t j = 0; j < columns; j++) s += val[r * columns + j] * x[j];
        y[crd1[r]] = s;
    }
}
/* the statement of the kernel; then with w moved out of the sum, which changes the rounding */
LOOP static void hand_fused(size_t rows, LEVEL(2), IN(val), IN(x), IN(z), IN(w), OUT(y))
{
    for (size_t i = 0; i < rows; i++) {
        const double f = w[i];
        double s = y[i];
        for (size_t p = pos2[i]; p < pos2[i + 1]; p++) s += val[p] * (x[crd2[p]] - z[crd2[p]]) * f;
        y[i] = s;
    }
}
LOOP static void hand_fused_after(size_t rows, LEVEL(2), IN(val), IN(x), IN(z), IN(w), OUT(y))
{
    for (size_t i = 0; i < rows; i++) {
        double s = 0;
        for (size_t p = pos2[i]; p < pos2[i + 1]; p++) s += val[p] * (x[crd2[p]] - z[crd2[p]]);
        y[i] += s * w[i];
    }
}
#define SPMM(name, width)                                                                                    \
    LOOP static void name(size_t rows, size_t columns, LEVEL(2), IN(val), IN(x), OUT(y))           \
    {                                                                                                        \
        for (size_t i = 0; i < rows; i++)                                                                    \
            for (size_t p = pos2[i]; p < pos2[i + 1]; p++) {                                                 \
                const double a = val[p];                                                                     \
                const size_t j = crd2[p];                                                                    \
                for (size_t k = 0; k < width; k++) y[i * columns + k] += a * x[j * columns + k];             \
            }                                                                                                \
    }
enum { SPMM_COLUMNS = 64, SDDMM_DEPTH = 64, MTTKRP_COLUMNS = 32 };
SPMM(hand_spmm, columns)
SPMM(hand_spmm_64, SPMM_COLUMNS)

/* the statement of the kernel; then with the entry moved out of the sum */
LOOP static void hand_sddmm(size_t rows, size_t columns, size_t depth, LEVEL(2), IN(val), IN(x),
                                      IN(z), OUT(y))
{
    for (size_t i = 0; i < rows; i++)
        for (size_t p = pos2[i]; p < pos2[i + 1]; p++) {
            const size_t j = crd2[p];
            const double a = val[p];
            double s = y[i * columns + j];
            for (size_t k = 0; k < depth; k++) s += a * x[i * depth + k] * z[j * depth + k];
            y[i * columns + j] = s;
        }
}
LOOP static void hand_sddmm_after(size_t rows, size_t columns, size_t depth, LEVEL(2), IN(val),
                                            IN(x), IN(z), OUT(y))
{
    for (size_t i = 0; i < rows; i++)
        for (size_t p = pos2[i]; p < pos2[i + 1]; p++) {
            const size_t j = crd2[p];
            double s = 0;
            for (size_t k = 0; k < depth; k++) s += x[i * depth + k] * z[j * depth + k];
            y[i * columns + j] += val[p] * s;
        }
}
LOOP static void hand_ttv(size_t columns, LEVEL(1), LEVEL(2), LEVEL(3), IN(val), IN(x), OUT(y))
{
    for (size_t p1 = pos1[0]; p1 < pos1[1]; p1++)
        for (size_t p2 = pos2[p1]; p2 < pos2[p1 + 1]; p2++) {
            double s = y[crd1[p1] * columns + crd2[p2]];
            for (size_t p3 = pos3[p2]; p3 < pos3[p2 + 1]; p3++) s += val[p3] * x[crd3[p3]];
            y[crd1[p1] * columns + crd2[p2]] = s;
        }
}
#define MTTKRP(name, how)                                                                                    \
    LOOP static void name(size_t columns, LEVEL(1), LEVEL(2), LEVEL(3), IN(val), IN(x), IN(z),     \
                                    OUT(y))                                                                  \
    {                                                                                                        \
        how for (size_t p1 = pos1[0]; p1 < pos1[1]; p1++) for (size_t p2 = pos2[p1]; p2 < pos2[p1 + 1];      \
                                                               p2++) for (size_t p3 = pos3[p2];              \
                                                                          p3 < pos3[p2 + 1]; p3++)           \
        {                                                                                                    \
            const double b = val[p3];                                                                        \
            const size_t i = crd1[p1], k = crd2[p2], l = crd3[p3];                                           \
            for (size_t j = 0; j < columns; j++)                                                             \
                y[i * columns + j] += b * x[k * columns + j] * z[l * columns + j];                           \
        }                                                                                                    \
    }
MTTKRP(hand_mttkrp, SEQUENTIAL)
MTTKRP(hand_mttkrp_openmp, OPENMP)

/* another algorithm: a row of sums for every fiber moves x out of the innermost loop */
LOOP static void hand_mttkrp_row(size_t columns, LEVEL(1), LEVEL(2), LEVEL(3), IN(val), IN(x),
                                           IN(z), OUT(y))
{
    double row[MTTKRP_COLUMNS];
    for (size_t p1 = pos1[0]; p1 < pos1[1]; p1++)
        for (size_t p2 = pos2[p1]; p2 < pos2[p1 + 1]; p2++) {
            const size_t i = crd1[p1], k = crd2[p2];
            memset(row, 0, sizeof row);
            for (size_t p3 = pos3[p2]; p3 < pos3[p2 + 1]; p3++) {
                const double b = val[p3];
                const size_t l = crd3[p3];
                for (size_t j = 0; j < MTTKRP_COLUMNS; j++) row[j] += b * z[l * columns + j];
            }
            for (size_t j = 0; j < MTTKRP_COLUMNS; j++) y[i * columns + j] += row[j] * x[k * columns + j];
        }
}

/* >>merges
   The merges that TACO generates: its paper advances with `if (ia == i) pa++`, its current version prints `pa += ia == i`.
   A sparse vector a is passed as the number of its entries, its coordinates and its values. */
/* clang-format off */
#define LIST(a)            size_t e##a, const uint32_t *restrict c##a, const double *restrict v##a
#define TO_SUM(i, value)   ((void)(i), s += (value))
#define TO_DENSE(i, value) (y[i] = (value))
#define AT(a)              const uint32_t i##a = c##a[p##a];
#define STEP(a)            if (i##a == i) p##a++;
#define ADD(a)             p##a += i##a == i;
#define LEAST(x, y)        ((x) < (y) ? (x) : (y))

#define DOT(name, STEP)                                                                      \
    LOOP static double name(LIST(a), LIST(b), double s)                            \
    {                                                                                        \
        size_t pa = 0, pb = 0;                                                               \
        while (pa < ea && pb < eb) {                                                         \
            AT(a) AT(b)                                                                      \
            const uint32_t i = LEAST(ia, ib);                                                \
            if (ia == i && ib == i) s += va[pa] * vb[pb];                                    \
            STEP(a) STEP(b)                                                                  \
        }                                                                                    \
        return s;                                                                            \
    }
DOT(merge_dot, STEP)
DOT(merge_dot_add, ADD)

#define DOT_ROWS(name, STEP)                                                                 \
    LOOP static void name(size_t rows, const uint32_t *restrict posa,              \
                                    const uint32_t *restrict ca, const double *restrict va,  \
                                    const uint32_t *restrict posb,                           \
                                    const uint32_t *restrict cb, const double *restrict vb,  \
                                    OUT(y))                                                  \
    {                                                                                        \
        for (size_t row = 0; row < rows; row++) {                                            \
            size_t pa = posa[row], ea = posa[row + 1], pb = posb[row], eb = posb[row + 1];   \
            double s = y[row];                                                               \
            while (pa < ea && pb < eb) {                                                     \
                AT(a) AT(b)                                                                  \
                const uint32_t i = LEAST(ia, ib);                                            \
                if (ia == i && ib == i) s += va[pa] * vb[pb];                                \
                STEP(a) STEP(b)                                                              \
            }                                                                                \
            y[row] = s;                                                                      \
        }                                                                                    \
    }
DOT_ROWS(merge_dot_rows, STEP)
DOT_ROWS(merge_dot_rows_add, ADD)

#define TAIL(a, TO)                                                                          \
    while (p##a < e##a) {                                                                    \
        const uint32_t i = c##a[p##a];                                                       \
        TO(i, v##a[p##a]);                                                                   \
        p##a++;                                                                              \
    }
#define PAIR(a, b, TO, STEP)                                                                 \
    while (p##a < e##a && p##b < e##b) {                                                     \
        AT(a) AT(b)                                                                          \
        const uint32_t i = LEAST(i##a, i##b);                                                \
        if (i##a == i && i##b == i) TO(i, v##a[p##a] + v##b[p##b]);                          \
        else if (i##a == i) TO(i, v##a[p##a]);                                               \
        else TO(i, v##b[p##b]);                                                              \
        STEP(a) STEP(b)                                                                      \
    }
#define TRIPLE(TO, STEP)                                                                     \
    while (pa < ea && pb < eb && pc < ec) {                                                  \
        AT(a) AT(b) AT(c)                                                                    \
        const uint32_t i = LEAST(ia, LEAST(ib, ic));                                         \
        if (ia == i && ib == i && ic == i) TO(i, va[pa] + vb[pb] + vc[pc]);                  \
        else if (ia == i && ib == i) TO(i, va[pa] + vb[pb]);                                 \
        else if (ia == i && ic == i) TO(i, va[pa] + vc[pc]);                                 \
        else if (ib == i && ic == i) TO(i, vb[pb] + vc[pc]);                                 \
        else if (ia == i) TO(i, va[pa]);                                                     \
        else if (ib == i) TO(i, vb[pb]);                                                     \
        else TO(i, vc[pc]);                                                                  \
        STEP(a) STEP(b) STEP(c)                                                              \
    }
#define MERGE2(TO, STEP)                                                                     \
    size_t pa = 0, pb = 0;                                                                   \
    PAIR(a, b, TO, STEP) TAIL(a, TO) TAIL(b, TO)
#define MERGE3(TO, STEP)                                                                     \
    size_t pa = 0, pb = 0, pc = 0;                                                           \
    TRIPLE(TO, STEP) PAIR(a, b, TO, STEP) PAIR(a, c, TO, STEP) PAIR(b, c, TO, STEP)          \
    TAIL(a, TO) TAIL(b, TO) TAIL(c, TO)
#define MERGES(sum2, sum3, union2, union3, STEP)                                                                    \
    LOOP static double sum2(LIST(a), LIST(b), double s) { MERGE2(TO_SUM, STEP) return s; }                \
    LOOP static double sum3(LIST(a), LIST(b), LIST(c), double s) { MERGE3(TO_SUM, STEP) return s; }       \
    LOOP static void union2(LIST(a), LIST(b), OUT(y)) { MERGE2(TO_DENSE, STEP) }                          \
    LOOP static void union3(LIST(a), LIST(b), LIST(c), OUT(y)) { MERGE3(TO_DENSE, STEP) }
MERGES(merge_sum2, merge_sum3, merge_union2, merge_union3, STEP)
MERGES(merge_sum2_add, merge_sum3_add, merge_union2_add, merge_union3_add, ADD)
/* clang-format on */

#endif /* BENCH_LOOPS_H */
