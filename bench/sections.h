/* sections.h: convolutions over plain arrays, with which kernels with subscripts such as i + p are compared. They are not
   part of the kit and use nothing of it. There are three forms:

     dense      the loop nest over dense arrays
     searched   as TACO-UCF prints them: dense outer loops, a search for the start of the window, a sparse inner loop
     sections   as MLIR prints them: loops over the offsets of non-empty subsections (Liu and others 2024, figures 9 to 14)

   A function is named after its form, the rank, and the order of the loops: i, j, k run over the output, p, q, r over the
   window, and the input is read at i + p, j + q, k + r.

   Contents (search for the anchors)
     >>shapes     the arguments of all loops
     >>sections   iteration over subsections, and the search
     >>lines      1-D
     >>rows       2-D, of any storage: loops over a row, and loops over rows
     >>planes     2-D, orders of loops that advance in several rows at once
     >>spaces     3-D
     >>layers     a layer of a network: images with channels
     >>sparse     2-D, with a sparse result
     >>dual       2-D and 3-D: input, window and result are sparse */
#ifndef BENCH_SECTIONS_H
#define BENCH_SECTIONS_H
#include "bench.h"
#ifdef _OPENMP
    #include <omp.h>
    #define SECTIONS_THREADS _Pragma("omp parallel for")
#else
    #define SECTIONS_THREADS
#endif
#define SECTIONS_LOOP   BENCH_NOINLINE BENCH_UNUSED static
#define SECTIONS_INLINE BENCH_UNUSED static inline __attribute__((always_inline))

/* >>shapes */

/* pos and crd of a level; a dense level has none. */
typedef struct level_arrays { const uint32_t *pos, *crd; } level_arrays;
typedef struct storage {
    level_arrays of[4];
    const double *val;
} storage;
typedef struct problem {
    size_t input[3], output[3], window[3]; /* 1 for dimensions beyond the rank */
    size_t stride, channels, filters;      /* of a layer */
    const double *dense, *filter;          /* the input as an array; the window */
    storage input_as, filter_as;           /* the stored input, and a sparse window */
    bool full;                             /* stored rows are dense */
} problem;

#define FOR(i) for (size_t i = 0; i < i##_size; i++)
/* The names by which the loops use these; some remain unused. */
#define SHAPE(s)                                                                                                                 \
    const size_t i_size = (s)->output[0], j_size = (s)->output[1], k_size = (s)->output[2];                                      \
    const size_t p_size = (s)->window[0], q_size = (s)->window[1], r_size = (s)->window[2];                                      \
    const size_t J = (s)->input[1], K = (s)->input[2];                                                                           \
    const double *restrict I = (s)->dense, *restrict F = (s)->filter, *restrict val = (s)->input_as.val;                         \
    const level_arrays *const L = (s)->input_as.of;                                                                                     \
    (void)i_size, (void)j_size, (void)k_size, (void)p_size, (void)q_size, (void)r_size, (void)J, (void)K, (void)I, (void)F,      \
        (void)val, (void)L

/* >>sections
   A subsection has the entries with offset <= coordinate < offset + size. It is a set of pairs of positions, one pair for
   each list of coordinates. A pair ends at the end of its list, which may be behind the subsection. */
typedef struct range { uint32_t lo, hi; } range;

/* The first offset, at least `from`, whose subsection has the least remaining coordinate; SIZE_MAX after the last. */
SECTIONS_INLINE size_t section_of(const uint32_t *crd, const range *list, size_t pairs, size_t size, size_t from)
{
    size_t least = SIZE_MAX;
    for (size_t n = 0; n < pairs; n++)
        if (list[n].lo < list[n].hi && crd[list[n].lo] < least) least = crd[list[n].lo];
    if (least == SIZE_MAX) return SIZE_MAX;
    return least + 1 > from + size ? least + 1 - size : from;
}
/* Advances to the next offset: skips the entries with coordinate `offset`; if the level is not unique, all of them. */
SECTIONS_INLINE size_t section_next(const uint32_t *crd, range *list, size_t pairs, size_t size, size_t offset, bool unique)
{
    for (size_t n = 0; n < pairs; n++)
        if (unique) list[n].lo += list[n].lo < list[n].hi && crd[list[n].lo] == offset;
        else
            while (list[n].lo < list[n].hi && crd[list[n].lo] == offset) list[n].lo++;
    return section_of(crd, list, pairs, size, offset + 1);
}
/* every offset i < i_size of a non-empty subsection */
#define SECTIONS(i, crd, list, pairs, size, unique)                                                                              \
    for (size_t i = section_of(crd, list, pairs, size, 0); i < i##_size; i = section_next(crd, list, pairs, size, i, unique))
/* every entry x of a pair with a coordinate below `end` */
#define ENTRIES(x, crd, in, end) for (size_t x = (in).lo; x < (in).hi && crd[x] < (end); x++)
/* advances to the first entry with coordinate at least `least` */
SECTIONS_INLINE void search(const uint32_t *crd, range *in, size_t least)
{
    while (in->lo < in->hi && crd[in->lo] < least) in->lo++;
}
/* the position of the next coordinate */
SECTIONS_INLINE uint32_t segment_end(const uint32_t *crd, size_t at, size_t end)
{
    size_t next = at + 1;
    while (next < end && crd[next] == crd[at]) next++;
    return (uint32_t)next;
}

/* >>lines: A(i) += I(i+p) F(p) */
#define DENSE(name, loops, ...)                                                                                                  \
    SECTIONS_LOOP void dense_##name(void *context, double *restrict A)                                                           \
    {                                                                                                                            \
        SHAPE((const problem *)context);                                                                                           \
        loops __VA_ARGS__;                                                                                                       \
    }
DENSE(1_ip, FOR(i) FOR(p), A[i] += I[i + p] * F[p])
DENSE(1_pi, FOR(p) FOR(i), A[i] += I[i + p] * F[p])

SECTIONS_INLINE void searched_jq(const uint32_t *crd, const double *val, range in, const double *f, size_t f_step, size_t q_size,
                                 double *a, size_t a_step, size_t j_size)
{
    FOR(j)
    {
        double sum = a[j * a_step];
        search(crd, &in, j);
        ENTRIES(x, crd, in, j + q_size) sum += val[x] * f[(crd[x] - j) * f_step];
        a[j * a_step] = sum;
    }
}
SECTIONS_INLINE void searched_qj(const uint32_t *crd, const double *val, range in, const double *f, size_t f_step, size_t q_size,
                                 double *a, size_t a_step, size_t j_size)
{
    FOR(q)
    {
        const double w = f[q * f_step];
        search(crd, &in, q);
        ENTRIES(x, crd, in, q + j_size) a[(crd[x] - q) * a_step] += val[x] * w;
    }
}
SECTIONS_INLINE void sections_jq(const uint32_t *crd, const double *val, range in, const double *f, size_t f_step, size_t q_size,
                                 double *a, size_t a_step, size_t j_size)
{
    SECTIONS(j, crd, &in, 1, q_size, true)
    {
        double sum = a[j * a_step];
        ENTRIES(x, crd, in, j + q_size) sum += val[x] * f[(crd[x] - j) * f_step];
        a[j * a_step] = sum;
    }
}
SECTIONS_INLINE void sections_qj(const uint32_t *crd, const double *val, range in, const double *f, size_t f_step, size_t q_size,
                                 double *a, size_t a_step, size_t j_size)
{
    SECTIONS(q, crd, &in, 1, j_size, true)
    {
        const double w = f[q * f_step];
        ENTRIES(x, crd, in, q + j_size) a[(crd[x] - q) * a_step] += val[x] * w;
    }
}
#define LINE(name, row)                                                                                                          \
    SECTIONS_LOOP void name(void *context, double *restrict A)                                                                   \
    {                                                                                                                            \
        SHAPE((const problem *)context);                                                                                           \
        const range all = {L[0].pos[0], L[0].pos[1]};                                                                             \
        row(L[0].crd, val, all, F, 1, p_size, A, 1, i_size);                                                                     \
    }
LINE(searched_1_ip, searched_jq)
LINE(searched_1_pi, searched_qj)
LINE(sections_1_ip, sections_jq)
LINE(sections_1_pi, sections_qj)

/* >>rows: A(i,j) += I(i+p,j+q) F(p,q) */
#define A2 A[i * j_size + j]
#define T2 I[(i + p) * J + j + q] * F[p * q_size + q]
DENSE(2_ijpq, FOR(i) FOR(j) FOR(p) FOR(q), A2 += T2)
DENSE(2_ipjq, FOR(i) FOR(p) FOR(j) FOR(q), A2 += T2)
DENSE(2_ipqj, FOR(i) FOR(p) FOR(q) FOR(j), A2 += T2)
DENSE(2_piqj, FOR(p) FOR(i) FOR(q) FOR(j), A2 += T2)
DENSE(2_pqij, FOR(p) FOR(q) FOR(i) FOR(j), A2 += T2)

#define ROWS(name, ...)                                                                                                          \
    SECTIONS_LOOP void name(void *context, double *restrict A)                                                                   \
    {                                                                                                                            \
        SHAPE((const problem *)context);                                                                                           \
        __VA_ARGS__                                                                                                              \
    }
/* row i + p, which has the entries from one position to another, for row p of the window */
#define ROW(row, from, to)                                                                                                       \
    row(L[1].crd, val, (range){from, to}, F + p * q_size, 1, q_size, A + i * j_size, 1, j_size)
#define IN_CSR(row) ROW(row, L[1].pos[i + p], L[1].pos[i + p + 1]);
ROWS(searched_csr_ipjq, FOR(i) FOR(p) IN_CSR(searched_jq))
ROWS(searched_csr_ipqj, FOR(i) FOR(p) IN_CSR(searched_qj))
ROWS(searched_csr_piqj, FOR(p) FOR(i) IN_CSR(searched_qj))
ROWS(sections_csr_ipjq, FOR(i) FOR(p) IN_CSR(sections_jq))
ROWS(sections_csr_ipqj, FOR(i) FOR(p) IN_CSR(sections_qj))
ROWS(sections_csr_piqj, FOR(p) FOR(i) IN_CSR(sections_qj))
/* by columns: j and q outside */
#define IN_CSC(row)                                                                                                              \
    row(L[1].crd, val, (range){L[1].pos[j + q], L[1].pos[j + q + 1]}, F + q, q_size, p_size, A + j, j_size, i_size);
ROWS(searched_csc_jqip, FOR(j) FOR(q) IN_CSC(searched_jq))
ROWS(searched_csc_jqpi, FOR(j) FOR(q) IN_CSC(searched_qj))
ROWS(sections_csc_jqip, FOR(j) FOR(q) IN_CSC(sections_jq))
ROWS(sections_csc_jqpi, FOR(j) FOR(q) IN_CSC(sections_qj))
/* only non-empty rows; each once, or once for each entry */
#define ONLY_ROWS(loop, row)                                                                                                     \
    range in = {L[0].pos[0], L[0].pos[1]};                                                                                        \
    loop ENTRIES(at, L[0].crd, in, i + p_size)                                                                                   \
    {                                                                                                                            \
        const size_t p = L[0].crd[at] - i;                                                                                       \
        row;                                                                                                                     \
    }
#define SEARCHED_ROWS FOR(i) for (bool once = (search(L[0].crd, &in, i), true); once; once = false)
#define SECTION_ROWS  SECTIONS(i, L[0].crd, &in, 1, p_size, true)
#define IN_DCSR(row)  ROW(row, L[1].pos[at], L[1].pos[at + 1])
ROWS(searched_dcsr_ipjq, ONLY_ROWS(SEARCHED_ROWS, IN_DCSR(searched_jq)))
ROWS(searched_dcsr_ipqj, ONLY_ROWS(SEARCHED_ROWS, IN_DCSR(searched_qj)))
ROWS(sections_dcsr_ipjq, ONLY_ROWS(SECTION_ROWS, IN_DCSR(sections_jq)))
ROWS(sections_dcsr_ipqj, ONLY_ROWS(SECTION_ROWS, IN_DCSR(sections_qj)))
#define COORDINATES(loop, row)                                                                                                   \
    range in = {L[0].pos[0], L[0].pos[1]};                                                                                        \
    loop for (uint32_t at = in.lo, end; at < in.hi && L[0].crd[at] < i + p_size; at = end)                                       \
    {                                                                                                                            \
        const size_t p = L[0].crd[at] - i;                                                                                       \
        end = segment_end(L[0].crd, at, in.hi);                                                                                  \
        ROW(row, at, end);                                                                                                       \
    }
ROWS(searched_coo_ipjq, COORDINATES(SEARCHED_ROWS, searched_jq))
ROWS(searched_coo_ipqj, COORDINATES(SEARCHED_ROWS, searched_qj))
ROWS(sections_coo_ipjq, COORDINATES(SECTIONS(i, L[0].crd, &in, 1, p_size, false), sections_jq))
ROWS(sections_coo_ipqj, COORDINATES(SECTIONS(i, L[0].crd, &in, 1, p_size, false), sections_qj))
/* dense rows */
#define IN_CD A2 += val[at * J + j + q] * F[p * q_size + q]
ROWS(searched_cd_ipjq, ONLY_ROWS(SEARCHED_ROWS, FOR(j) FOR(q) IN_CD))
ROWS(searched_cd_ipqj, ONLY_ROWS(SEARCHED_ROWS, FOR(q) FOR(j) IN_CD))
ROWS(sections_cd_ipjq, ONLY_ROWS(SECTION_ROWS, FOR(j) FOR(q) IN_CD))
ROWS(sections_cd_ipqj, ONLY_ROWS(SECTION_ROWS, FOR(q) FOR(j) IN_CD))

/* >>planes: the subsection over which j, or q, runs has a pair for each row */
enum { SECTIONS_WINDOW = 16 }; /* rows of a window, at most */
#define OPEN_ROWS(list, rows, first) for (size_t n = 0; n < rows; n++) list[n] = (range){L[1].pos[(first) + n], L[1].pos[(first) + n + 1]}
#define OVER_WINDOW(step)                                                                                                        \
    {                                                                                                                            \
        double sum = A2;                                                                                                         \
        FOR(p)                                                                                                                   \
        {                                                                                                                        \
            step;                                                                                                                \
            ENTRIES(x, L[1].crd, list[p], j + q_size) sum += val[x] * F[p * q_size + L[1].crd[x] - j];                           \
        }                                                                                                                        \
        A2 = sum;                                                                                                                \
    }
ROWS(searched_csr_ijpq, range list[SECTIONS_WINDOW]; FOR(i) {
    OPEN_ROWS(list, p_size, i);
    FOR(j) OVER_WINDOW(search(L[1].crd, &list[p], j))
})
ROWS(sections_csr_ijpq, range list[SECTIONS_WINDOW]; FOR(i) {
    OPEN_ROWS(list, p_size, i);
    SECTIONS(j, L[1].crd, list, p_size, q_size, true) OVER_WINDOW((void)0)
})
#define OVER_PLANE(step)                                                                                                         \
    FOR(i)                                                                                                                       \
    {                                                                                                                            \
        step;                                                                                                                    \
        ENTRIES(x, L[1].crd, list[i], q + j_size) A[i * j_size + L[1].crd[x] - q] += val[x] * F[p * q_size + q];                 \
    }
#define ALL_ROWS range *list = (range *)bench_allocate(i_size, sizeof *list)
ROWS(searched_csr_pqij, ALL_ROWS; FOR(p) {
    OPEN_ROWS(list, i_size, p);
    FOR(q) OVER_PLANE(search(L[1].crd, &list[i], q))
} free(list);)
ROWS(sections_csr_pqij, ALL_ROWS; FOR(p) {
    OPEN_ROWS(list, i_size, p);
    SECTIONS(q, L[1].crd, list, i_size, j_size, true) OVER_PLANE((void)0)
} free(list);)

/* >>spaces: A(i,j,k) += I(i+p,j+q,k+r) F(p,q,r), every level compressed */
#define A3 A[(i * j_size + j) * k_size + k]
#define T3 I[((i + p) * J + j + q) * K + k + r] * F[(p * q_size + q) * r_size + r]
DENSE(3_ijkpqr, FOR(i) FOR(j) FOR(k) FOR(p) FOR(q) FOR(r), A3 += T3)
DENSE(3_ipjqkr, FOR(i) FOR(p) FOR(j) FOR(q) FOR(k) FOR(r), A3 += T3)
DENSE(3_ipjqrk, FOR(i) FOR(p) FOR(j) FOR(q) FOR(r) FOR(k), A3 += T3)
DENSE(3_piqjrk, FOR(p) FOR(i) FOR(q) FOR(j) FOR(r) FOR(k), A3 += T3)

#define BELOW(l, at) (range){L[l].pos[at], L[l].pos[(at) + 1]}
/* all rows of the window at once: a pair for each slice, and one for each row of a slice */
#define SLICES(step) ENTRIES(x, L[0].crd, a, i + p_size) { step; }
#define WINDOW_3(search_row)                                                                                                     \
    {                                                                                                                            \
        double sum = A3;                                                                                                         \
        size_t n = 0;                                                                                                            \
        count = 0;                                                                                                               \
        ENTRIES(x, L[0].crd, a, i + p_size)                                                                                      \
        {                                                                                                                        \
            ENTRIES(y, L[1].crd, b[n], j + q_size)                                                                               \
            {                                                                                                                    \
                const double *f = F + ((L[0].crd[x] - i) * q_size + L[1].crd[y] - j) * r_size;                                   \
                search_row;                                                                                                      \
                ENTRIES(z, L[2].crd, c[count], k + r_size) sum += val[z] * f[L[2].crd[z] - k];                                   \
                count++;                                                                                                         \
            }                                                                                                                    \
            n++;                                                                                                                 \
        }                                                                                                                        \
        A3 = sum;                                                                                                                \
    }
#define OPEN_SLICES                                                                                                              \
    slices = 0;                                                                                                                  \
    SLICES(b[slices++] = BELOW(1, x))
#define OPEN_LINES                                                                                                               \
    count = 0;                                                                                                                   \
    for (size_t n = 0; n < slices; n++) ENTRIES(y, L[1].crd, b[n], j + q_size) c[count++] = BELOW(2, y)
#define PAIRS_3                                                                                                                  \
    range a = BELOW(0, 0), b[SECTIONS_WINDOW], c[SECTIONS_WINDOW * SECTIONS_WINDOW];                                              \
    size_t slices, count
ROWS(searched_3_ijkpqr, PAIRS_3; FOR(i) {
    search(L[0].crd, &a, i);
    OPEN_SLICES
    FOR(j) {
        for (size_t n = 0; n < slices; n++) search(L[1].crd, &b[n], j);
        OPEN_LINES;
        FOR(k) WINDOW_3(search(L[2].crd, &c[count], k))
    }
})
ROWS(sections_3_ijkpqr, PAIRS_3; SECTIONS(i, L[0].crd, &a, 1, p_size, true) {
    OPEN_SLICES
    SECTIONS(j, L[1].crd, b, slices, q_size, true) {
        OPEN_LINES;
        SECTIONS(k, L[2].crd, c, count, r_size, true) WINDOW_3((void)0)
    }
})
/* line by line: the outer loops find the lines, each for a row of the window and a row of the output */
#define LINE_3(row, at)                                                                                                          \
    row(L[2].crd, val, BELOW(2, at), F + (p * q_size + q) * r_size, 1, r_size, A + (i * j_size + j) * k_size, 1, k_size)
#define SEARCHED_3(row)                                                                                                          \
    range a = BELOW(0, 0);                                                                                                        \
    FOR(i)                                                                                                                       \
    {                                                                                                                            \
        search(L[0].crd, &a, i);                                                                                                 \
        ENTRIES(x, L[0].crd, a, i + p_size)                                                                                      \
        {                                                                                                                        \
            const size_t p = L[0].crd[x] - i;                                                                                    \
            range b = BELOW(1, x);                                                                                                \
            FOR(j)                                                                                                               \
            {                                                                                                                    \
                search(L[1].crd, &b, j);                                                                                         \
                ENTRIES(y, L[1].crd, b, j + q_size)                                                                              \
                {                                                                                                                \
                    const size_t q = L[1].crd[y] - j;                                                                            \
                    LINE_3(row, y);                                                                                              \
                }                                                                                                                \
            }                                                                                                                    \
        }                                                                                                                        \
    }
#define SECTIONS_3(row)                                                                                                          \
    range a = BELOW(0, 0);                                                                                                        \
    SECTIONS(i, L[0].crd, &a, 1, p_size, true) ENTRIES(x, L[0].crd, a, i + p_size)                                               \
    {                                                                                                                            \
        const size_t p = L[0].crd[x] - i;                                                                                        \
        range b = BELOW(1, x);                                                                                                    \
        SECTIONS(j, L[1].crd, &b, 1, q_size, true) ENTRIES(y, L[1].crd, b, j + q_size)                                           \
        {                                                                                                                        \
            const size_t q = L[1].crd[y] - j;                                                                                    \
            LINE_3(row, y);                                                                                                      \
        }                                                                                                                        \
    }
ROWS(searched_3_ipjqkr, SEARCHED_3(searched_jq))
ROWS(searched_3_ipjqrk, SEARCHED_3(searched_qj))
ROWS(sections_3_ipjqkr, SECTIONS_3(sections_jq))
ROWS(sections_3_ipjqrk, SECTIONS_3(sections_qj))
/* the window outside */
ROWS(searched_3_piqjrk, range a = BELOW(0, 0); FOR(p) {
    search(L[0].crd, &a, p);
    ENTRIES(x, L[0].crd, a, p + i_size) {
        const size_t i = L[0].crd[x] - p;
        range b = BELOW(1, x);
        FOR(q) {
            search(L[1].crd, &b, q);
            ENTRIES(y, L[1].crd, b, q + j_size) {
                const size_t j = L[1].crd[y] - q;
                LINE_3(searched_qj, y);
            }
        }
    }
})
ROWS(sections_3_piqjrk, range a = BELOW(0, 0);
     SECTIONS(p, L[0].crd, &a, 1, i_size, true) ENTRIES(x, L[0].crd, a, p + i_size) {
         const size_t i = L[0].crd[x] - p;
         range b = BELOW(1, x);
         SECTIONS(q, L[1].crd, &b, 1, j_size, true) ENTRIES(y, L[1].crd, b, q + j_size) {
             const size_t j = L[1].crd[y] - q;
             LINE_3(sections_qj, y);
         }
     })

/* >>layers: A(h,w,f) += I(s*h+p, s*w+q, c) F(p,q,c,f); h and w are i and j, the channels come last */
#define LAYER(name, how, ...)                                                                                                    \
    SECTIONS_LOOP void name(void *context, double *restrict A)                                                                   \
    {                                                                                                                            \
        SHAPE((const problem *)context);                                                                                           \
        const size_t s = ((const problem *)context)->stride, c_size = ((const problem *)context)->channels;                          \
        const size_t f_size = ((const problem *)context)->filters;                                                                 \
        how __VA_ARGS__                                                                                                          \
    }
#define ADD_FILTERS(v, c)                                                                                                        \
    {                                                                                                                            \
        const double times = v;                                                                                                  \
        FOR(f) A[(i * j_size + j) * f_size + f] += times * F[((p * q_size + q) * c_size + (c)) * f_size + f];                    \
    }
#define DENSE_LAYER FOR(i) FOR(j) FOR(p) FOR(q) FOR(c) ADD_FILTERS(I[((i * s + p) * J + j * s + q) * c_size + c], c)
/* dense pixels, compressed channels: both forms have the same loops for this storage */
#define SPARSE_LAYER                                                                                                             \
    FOR(i) FOR(j) FOR(p) FOR(q)                                                                                                  \
    {                                                                                                                            \
        const size_t at = (i * s + p) * J + j * s + q;                                                                           \
        for (size_t x = L[3].pos[at]; x < L[3].pos[at + 1]; x++) ADD_FILTERS(val[x], L[3].crd[x])                                \
    }
LAYER(dense_layer, , DENSE_LAYER)
LAYER(sparse_layer, , SPARSE_LAYER)
LAYER(dense_layer_threads, SECTIONS_THREADS, DENSE_LAYER)
LAYER(sparse_layer_threads, SECTIONS_THREADS, SPARSE_LAYER)
/* rows, columns and channels compressed (levels 1 to 3) below dense images; no stride */
#define WINDOW_LAYER(search_row)                                                                                                 \
    {                                                                                                                            \
        size_t n = 0;                                                                                                            \
        ENTRIES(x, L[1].crd, a, i + p_size)                                                                                      \
        {                                                                                                                        \
            const size_t p = L[1].crd[x] - i;                                                                                    \
            search_row;                                                                                                          \
            ENTRIES(y, L[2].crd, b[n], j + q_size)                                                                               \
            {                                                                                                                    \
                const size_t q = L[2].crd[y] - j;                                                                                \
                for (size_t z = L[3].pos[y]; z < L[3].pos[y + 1]; z++) ADD_FILTERS(val[z], L[3].crd[z])                          \
            }                                                                                                                    \
            n++;                                                                                                                 \
        }                                                                                                                        \
    }
#define OPEN_IMAGE_ROWS                                                                                                          \
    rows = 0;                                                                                                                    \
    ENTRIES(x, L[1].crd, a, i + p_size) b[rows++] = BELOW(2, x)
LAYER(searched_layer, , range a = BELOW(1, 0), b[SECTIONS_WINDOW]; (void)s; size_t rows; FOR(i) {
    search(L[1].crd, &a, i);
    OPEN_IMAGE_ROWS;
    FOR(j) WINDOW_LAYER(search(L[2].crd, &b[n], j))
})
LAYER(sections_layer, , range a = BELOW(1, 0), b[SECTIONS_WINDOW]; (void)s; size_t rows; SECTIONS(i, L[1].crd, &a, 1, p_size, true) {
    OPEN_IMAGE_ROWS;
    SECTIONS(j, L[2].crd, b, rows, q_size, true) WINDOW_LAYER((void)0)
})

/* >>sparse: A(i,j) += I(i+p,j+q) F(p,q) with A in CSR: entries are produced in order */
typedef struct appended {
    uint32_t *pos, *crd;
    double *val;
    size_t count, room;
} appended;
SECTIONS_INLINE void append(appended *a, size_t j, double v)
{
    if (a->count == a->room) {
        a->room *= 2;
        a->crd = (uint32_t *)realloc(a->crd, a->room * sizeof *a->crd);
        a->val = (double *)realloc(a->val, a->room * sizeof *a->val);
    }
    a->crd[a->count] = (uint32_t)j;
    a->val[a->count++] = v;
}
/* The fingerprint of a sparse result: number of entries, sum of values, sum of values times (column + 1). crd is null for
   dense rows. */
enum { SECTIONS_FINGERPRINT = 3 };
BENCH_UNUSED static void sections_fingerprint(double *result, size_t entries, const uint32_t *crd, size_t columns, const double *val)
{
    double sum = 0, weighted = 0;
    for (size_t x = 0; x < entries; x += 1 + entries / 4096) { /* a sample only, as this is timed, too */
        sum += val[x];
        weighted += val[x] * (double)((crd ? crd[x] : x % columns) + 1);
    }
    result[0] = (double)entries;
    result[1] = sum;
    result[2] = weighted;
}
#define APPENDED(name, columns, step, found)                                                                                     \
    SECTIONS_LOOP void name(void *context, double *result)                                                                       \
    {                                                                                                                            \
        SHAPE((const problem *)context);                                                                                           \
        range list[SECTIONS_WINDOW];                                                                                              \
        appended a = {(uint32_t *)malloc((i_size + 1) * sizeof(uint32_t)), NULL, NULL, 0, 16};                                   \
        a.crd = (uint32_t *)malloc(a.room * sizeof *a.crd);                                                                      \
        a.val = (double *)malloc(a.room * sizeof *a.val);                                                                        \
        a.pos[0] = 0;                                                                                                            \
        FOR(i)                                                                                                                   \
        {                                                                                                                        \
            OPEN_ROWS(list, p_size, i);                                                                                          \
            columns                                                                                                              \
            {                                                                                                                    \
                double sum = 0;                                                                                                  \
                bool any = found;                                                                                                \
                FOR(p)                                                                                                           \
                {                                                                                                                \
                    step;                                                                                                        \
                    ENTRIES(x, L[1].crd, list[p], j + q_size)                                                                    \
                    {                                                                                                            \
                        sum += val[x] * F[p * q_size + L[1].crd[x] - j];                                                         \
                        any = true;                                                                                              \
                    }                                                                                                            \
                }                                                                                                                \
                if (any) append(&a, j, sum);                                                                                     \
            }                                                                                                                    \
            a.pos[i + 1] = (uint32_t)a.count;                                                                                    \
        }                                                                                                                        \
        sections_fingerprint(result, a.count, a.crd, 0, a.val);                                                                     \
        free(a.pos), free(a.crd), free(a.val);                                                                                   \
    }
APPENDED(searched_sparse, FOR(j), search(L[1].crd, &list[p], j), false)
APPENDED(sections_sparse, SECTIONS(j, L[1].crd, list, p_size, q_size, true), (void)0, true)

/* >>dual: A(i,j) += I(i+p,j+q) F(p,q), also with k + r, where all three are sparse. Input and window are compressed in all
   levels, in whatever encoding the kit has them. The result is appended. A pair has a list of the input and the list of the
   window with which it is multiplied. */
enum { DUAL_PAIRS = 27 };
typedef struct pairs {
    range in[DUAL_PAIRS], window[DUAL_PAIRS];
    size_t count;
} pairs;
/* The pairs of the next level, for the window at position `at` of the output. */
SECTIONS_INLINE void below(pairs *to, const pairs *from, const level_arrays *in, const level_arrays *window, size_t at)
{
    to->count = 0;
    for (size_t n = 0; n < from->count; n++) {
        uint32_t x = from->in[n].lo;
        for (uint32_t y = from->window[n].lo; y < from->window[n].hi; y++) {
            while (x < from->in[n].hi && in[0].crd[x] < at + window[0].crd[y]) x++;
            if (x == from->in[n].hi || in[0].crd[x] != at + window[0].crd[y]) continue;
            to->in[to->count] = (range){in[1].pos[x], in[1].pos[x + 1]};
            to->window[to->count++] = (range){window[1].pos[y], window[1].pos[y + 1]};
        }
    }
}
/* The sum of the products for position `at` of the output; *any: there is one. */
SECTIONS_INLINE double met(const pairs *from, const uint32_t *crd, const double *val, const uint32_t *f_crd, const double *f_val,
                           size_t at, bool *any)
{
    double sum = 0;
    for (size_t n = 0; n < from->count; n++) {
        uint32_t x = from->in[n].lo, y = from->window[n].lo;
        while (x < from->in[n].hi && y < from->window[n].hi) {
            const size_t a = crd[x], b = at + f_crd[y];
            if (a == b) sum += val[x] * f_val[y], *any = true;
            x += a <= b;
            y += b <= a;
        }
    }
    return sum;
}
SECTIONS_INLINE void search_all(const uint32_t *crd, pairs *list, size_t least)
{
    for (size_t n = 0; n < list->count; n++) search(crd, &list->in[n], least);
}
#define DUAL_SEARCHED(i, crd, list, size) for (size_t i = 0; i < i##_size; search_all(crd, &(list), ++i))
#define DUAL_SECTIONS(i, crd, list, size) SECTIONS(i, crd, (list).in, (list).count, size, true)
#define DUAL_PLACES(LOOP, j, l, list, size)                                                                                      \
    LOOP(j, L[l].crd, list, size)                                                                                                \
    {                                                                                                                            \
        bool any = ((const problem *)context)->full && (list).count;                                                             \
        const double sum = met(&(list), L[l].crd, val, W[l].crd, w, j, &any);                                                    \
        if (any) append(&a, j, sum);                                                                                             \
    }
#define DUAL_2(LOOP)                                                                                                             \
    {                                                                                                                            \
        below(&rows, &root, L, W, i);                                                                                            \
        DUAL_PLACES(LOOP, j, 1, rows, q_size)                                                                                    \
    }
#define DUAL_3(LOOP)                                                                                                             \
    {                                                                                                                            \
        below(&planes, &root, L, W, i);                                                                                          \
        LOOP(j, L[1].crd, planes, q_size)                                                                                        \
        {                                                                                                                        \
            below(&rows, &planes, L + 1, W + 1, j);                                                                              \
            DUAL_PLACES(LOOP, k, 2, rows, r_size)                                                                                \
        }                                                                                                                        \
    }
#define DUAL(name, LOOP, nest)                                                                                                   \
    SECTIONS_LOOP void name(void *context, double *result)                                                                       \
    {                                                                                                                            \
        SHAPE((const problem *)context);                                                                                         \
        const level_arrays *const W = ((const problem *)context)->filter_as.of;                                                  \
        const double *restrict w = ((const problem *)context)->filter_as.val;                                                    \
        pairs root = {.in = {{0, L[0].pos[1]}}, .window = {{0, W[0].pos[1]}}, .count = 1}, planes = {.count = 0}, rows = planes; \
        appended a = {(uint32_t *)malloc((i_size + 1) * sizeof(uint32_t)), NULL, NULL, 0, 16};                                   \
        a.crd = (uint32_t *)malloc(a.room * sizeof *a.crd);                                                                      \
        a.val = (double *)malloc(a.room * sizeof *a.val);                                                                        \
        (void)planes;                                                                                                            \
        LOOP(i, L[0].crd, root, p_size)                                                                                          \
        {                                                                                                                        \
            a.pos[i] = (uint32_t)a.count;                                                                                        \
            nest(LOOP)                                                                                                           \
        }                                                                                                                        \
        sections_fingerprint(result, a.count, a.crd, 0, a.val);                                                                     \
        free(a.pos), free(a.crd), free(a.val);                                                                                   \
    }
DUAL(searched_dual_2, DUAL_SEARCHED, DUAL_2)
DUAL(sections_dual_2, DUAL_SECTIONS, DUAL_2)
DUAL(searched_dual_3, DUAL_SEARCHED, DUAL_3)
DUAL(sections_dual_3, DUAL_SECTIONS, DUAL_3)

#endif /* BENCH_SECTIONS_H */
