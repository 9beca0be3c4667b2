/* tensors.c: compares kernels over tensors of three and four dimensions, and over stored values, with the loops that one
   would write by hand for the encoding, in this file, with the same flags.

     make CC=gcc build/gcc/tensors && build/gcc/tensors [words]
     make CC=gcc CFLAGS="-O2 -march=x86-64" B=build/plain build/plain/tensors

   Dense results are added to the old values. Sparse results are freed and allocated again in each run, from a heap that
   does not return memory to the system; they are compared by their sizes and by sums.

   Contents (search for the anchors)
     >>kernels   the kernel lines
     >>loops     the loops by hand
     >>data      the operands
     >>rows      the table: to add a row, add a line */
#include "bench.h"
#include "loops.h"
#include "sparse.h"
#if defined(__GLIBC__)
    #include <limits.h>
    #include <malloc.h>
#endif

/* >>kernels */
#define VEC     vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT     mat, SPARSE_DENSE_2D, double, 32, 32
#define BOX     box, SPARSE_DENSE_3D, double, 32, 32
#define CSR     csr, SPARSE_CSR, double, 32, 32
#define COO     coo, SPARSE_COO, double, 32, 32
#define CSF     csf, SPARSE_CSF_3D, double, 32, 32
#define COO3    coo3, SPARSE_COO_3D, double, 32, 32
#define LIST3   list3, ((i, j, k), (compressed(nonunique, nonordered), i), (singleton(nonunique, nonordered), j), \
                        (singleton(nonunique, nonordered), k)), double, 32, 32
#define CSF4    csf4, SPARSE_CSF_4D, double, 32, 32
#define FIBERS  fibers, ((i, j, k), (compressed, i), (compressed, j), (dense, k)), double, 32, 32
#define BATCHED batched, ((b, i, j), (dense, b), (dense, i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(BOX)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(COO3)
SPARSE_TENSOR(LIST3)
SPARSE_TENSOR(CSF4)
SPARSE_TENSOR(FIBERS)
SPARSE_TENSOR(BATCHED)

/* MTTKRP in the second and third mode; in the first it is A(i,r) = X(i,j,k) B(j,r) C(k,r) */
SPARSE_KERNEL(mttkrp_2, (i, j, k, r), (M, MAT, j, r), all((X, CSF, i, j, k), (U, MAT, i, r), (V, MAT, k, r)), M += X * U * V)
SPARSE_KERNEL(mttkrp_3, (i, j, k, r), (M, MAT, k, r), all((X, CSF, i, j, k), (U, MAT, i, r), (V, MAT, j, r)), M += X * U * V)
/* over sorted COO, by segments of equal coordinates; and over unsorted COO, entry by entry */
#define BY_ENTRIES(name, L)                                                                                                 \
    SPARSE_KERNEL(name##_mttkrp_1, (i, j, k, r), (M, MAT, i, r), all((X, L, i, j, k), (U, MAT, j, r), (V, MAT, k, r)),      \
                  M += X * U * V)                                                                                           \
    SPARSE_KERNEL(name##_mttkrp_2, (i, j, k, r), (M, MAT, j, r), all((X, L, i, j, k), (U, MAT, i, r), (V, MAT, k, r)),      \
                  M += X * U * V)                                                                                           \
    SPARSE_KERNEL(name##_mttkrp_3, (i, j, k, r), (M, MAT, k, r), all((X, L, i, j, k), (U, MAT, i, r), (V, MAT, j, r)),      \
                  M += X * U * V)                                                                                           \
    SPARSE_KERNEL(name##_ttv_1, (i, j, k), (M, MAT, j, k), all((X, L, i, j, k), (x, VEC, i)), M += X * x)                   \
    SPARSE_KERNEL(name##_ttv_2, (i, j, k), (M, MAT, i, k), all((X, L, i, j, k), (x, VEC, j)), M += X * x)                   \
    SPARSE_KERNEL(name##_ttv_3, (i, j, k), (M, MAT, i, j), all((X, L, i, j, k), (x, VEC, k)), M += X * x)
BY_ENTRIES(coo, COO3)
BY_ENTRIES(list, LIST3)
SPARSE_KERNEL(mttkrp_4d, (i, j, k, l, r), (M, MAT, i, r),
              all((X, CSF4, i, j, k, l), (U, MAT, j, r), (V, MAT, k, r), (W, MAT, l, r)), M += X * U * V * W)
/* a tensor times a vector, and times a matrix, along each mode */
SPARSE_KERNEL(ttv_1, (i, j, k), (M, MAT, j, k), all((X, CSF, i, j, k), (x, VEC, i)), M += X * x)
SPARSE_KERNEL(ttv_2, (i, j, k), (M, MAT, i, k), all((X, CSF, i, j, k), (x, VEC, j)), M += X * x)
SPARSE_KERNEL(ttv_3, (i, j, k), (M, MAT, i, j), all((X, CSF, i, j, k), (x, VEC, k)), M += X * x)
SPARSE_KERNEL(ttm_1, (i, j, k, r), (T, BOX, j, k, r), all((X, CSF, i, j, k), (U, MAT, i, r)), T += X * U)
SPARSE_KERNEL(ttm_2, (i, j, k, r), (T, BOX, i, k, r), all((X, CSF, i, j, k), (U, MAT, j, r)), T += X * U)
SPARSE_KERNEL(ttm_3, (i, j, k, r), (T, FIBERS, i, j, r), all((X, CSF, i, j, k), (U, MAT, k, r)), T += X * U)
SPARSE_KERNEL(spttm, (i, j, k, r), (Y, CSF, i, j, r), all((X, CSF, i, j, k), (A, CSR, k, r)), Y += X * A)
/* the core of a Tucker decomposition; then in two lines with intermediate sums, which needs far fewer multiplications */
SPARSE_KERNEL(tucker, (i, j, k, a, b, c), (T, BOX, a, b, c),
              all((X, CSF, i, j, k), (U, MAT, i, a), (V, MAT, j, b), (W, MAT, k, c)), T += X * U * V * W)
SPARSE_KERNEL(tucker_fibers, (i, j, k, c), (F, FIBERS, i, j, c), all((X, CSF, i, j, k), (W, MAT, k, c)), F += X * W)
SPARSE_KERNEL(tucker_slices, (i, a, b, c), (T, BOX, a, b, c),
              all(where((m, MAT, b, c), (j, b, c), all((F, FIBERS, i, j, c), (V, MAT, j, b)), m += F * V), (U, MAT, i, a)),
              T += m * U)
/* two tensors */
SPARSE_KERNEL(inner, (i, j, k), (s, double), all((X, CSF, i, j, k), (Z, CSF, i, j, k)), s += X * Z)
SPARSE_KERNEL(inner_coo, (i, j, k), (s, double), all((X, CSF, i, j, k), (Z, COO3, i, j, k)), s += X * Z)
SPARSE_KERNEL(add, (i, j, k), (Y, CSF, i, j, k), any((X, CSF, i, j, k), (Z, CSF, i, j, k)), Y = X + Z)
SPARSE_KERNEL(times, (i, j, k), (Y, CSF, i, j, k), all((X, CSF, i, j, k), (Z, CSF, i, j, k)), Y = X * Z)
SPARSE_KERNEL(times_coo, (i, j, k), (Y, CSF, i, j, k), all((X, CSF, i, j, k), (Z, COO3, i, j, k)), Y = X * Z)
/* elementwise operations on the stored values */
SPARSE_KERNEL(scale, (i, j, k), update(X, CSF, i, j, k), all((alpha, double)), X *= alpha)
SPARSE_KERNEL(scaled_as, (i, j, k), like(X, Y, CSF, i, j, k), all((alpha, double)), Y = alpha * X)
SPARSE_KERNEL(scaled_anew, (i, j, k), (Y, CSF, i, j, k), all((X, CSF, i, j, k), (alpha, double)), Y = alpha * X)
SPARSE_KERNEL(positive_as, (i, j, k), like(X, Y, CSF, i, j, k), all((least, double)), Y = X > least ? X : least)
SPARSE_KERNEL(total, (i, j, k), (s, double), all((X, CSF, i, j, k)), s += X)
SPARSE_KERNEL(coo_total, (i, j, k), (s, double), all((X, COO3, i, j, k)), s += X)
SPARSE_KERNEL(coo_scale, (i, j, k), update(X, COO3, i, j, k), all((alpha, double)), X *= alpha)
/* the values as a dense vector */
SPARSE_KERNEL(values_scale, (p), (y, VEC, p), all((alpha, double)), y *= alpha)
SPARSE_KERNEL(values_total, (p), (s, double), all((x, VEC, p)), s += x)
/* sums over one mode */
SPARSE_KERNEL(sum_ij, (i, j, k), (M, MAT, i, j), all((X, CSF, i, j, k)), M += X)
SPARSE_KERNEL(sum_ik, (i, j, k), (M, MAT, i, k), all((X, CSF, i, j, k)), M += X)
SPARSE_KERNEL(sum_jk, (i, j, k), (M, MAT, j, k), all((X, CSF, i, j, k)), M += X)
SPARSE_KERNEL(csr_ij, (i, j, k), (A, CSR, i, j), all((X, CSF, i, j, k)), A += X)
SPARSE_KERNEL(csr_ik, (i, j, k), (A, CSR, i, k), all((X, CSF, i, j, k)), A += X)
SPARSE_KERNEL(csr_jk, (i, j, k), (A, CSR, j, k), all((X, CSF, i, j, k)), A += X)
/* slices of a tensor, and batches of matrices */
SPARSE_KERNEL(part_sum, (i, j, k), (s, double), all(slice(X, CSF, i, j, k)), s += X)
SPARSE_KERNEL(part_ttv, (i, j, k), (M, MAT, i, j), all(slice(X, CSF, i, j, k), (x, VEC, k)), M += X * x)
SPARSE_KERNEL(batched_spmm, (b, i, j, r), (T, BOX, b, i, r), all((A, BATCHED, b, i, j), (B, BOX, b, j, r)), T += A * B)
SPARSE_KERNEL(batched_spmv, (b, i, j), (M, MAT, b, i), all((A, BATCHED, b, i, j), (U, MAT, b, j)), M += A * U)
/* rows of three entries */
SPARSE_KERNEL(rows_scale, (i, j), update(A, CSR, i, j), all((alpha, double)), A *= alpha)
SPARSE_KERNEL(rows_positive, (i, j), like(A, C, CSR, i, j), all((least, double)), C = A > least ? A : least)
SPARSE_KERNEL(rows_spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(coo_spmv, (i, j), (y, VEC, i), all((A, COO, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(coo_spmv_t, (i, j), (y, VEC, j), all((A, COO, i, j), (x, VEC, i)), y += A * x)

/* >>loops
   Level l is passed as its positions and coordinates, posl and crdl; COO as crd, which has the coordinates of one entry
   after the other. n is the size of each dimension of a cube, `ranks` the number of columns of its factors. */
/* clang-format off */
#define TREE             LEVEL(1) BENCH_UNUSED, LEVEL(2) BENCH_UNUSED, LEVEL(3) BENCH_UNUSED, IN(val)
#define ENTRIES             size_t entries, const uint32_t *restrict crd, IN(val)
#define EACH(l, from)    for (size_t p##l = pos##l[from]; p##l < pos##l[(from) + 1]; p##l++)
#define EACH_FIBER       EACH(1, 0) EACH(2, p1)
#define EACH_ENTRY       EACH_FIBER EACH(3, p2)
#define EACH_RANK(r, ranks) for (size_t r = 0; r < ranks; r++)
#define CUBE(name, ...)  LOOP static void name(size_t n BENCH_UNUSED, size_t ranks BENCH_UNUSED, TREE, __VA_ARGS__)
#define LISTED(name, ...) LOOP static void name(size_t n BENCH_UNUSED, size_t ranks BENCH_UNUSED, ENTRIES, __VA_ARGS__)
/* clang-format on */

CUBE(hand_mttkrp_2, IN(u), IN(v), OUT(m))
{
    EACH_ENTRY EACH_RANK(r, ranks) m[crd2[p2] * ranks + r] += val[p3] * u[crd1[p1] * ranks + r] * v[crd3[p3] * ranks + r];
}
CUBE(hand_mttkrp_3, IN(u), IN(v), OUT(m))
{
    EACH_ENTRY EACH_RANK(r, ranks) m[crd3[p3] * ranks + r] += val[p3] * u[crd1[p1] * ranks + r] * v[crd2[p2] * ranks + r];
}
#define COO_MTTKRP(name, to, first, second)                                                                                 \
    LISTED(name, IN(u), IN(v), OUT(m))                                                                                      \
    {                                                                                                                       \
        for (size_t p = 0; p < entries; p++) EACH_RANK(r, ranks)                                                            \
        m[crd[3 * p + to] * ranks + r] += val[p] * u[crd[3 * p + first] * ranks + r] * v[crd[3 * p + second] * ranks + r];  \
    }
COO_MTTKRP(hand_coo_mttkrp_1, 0, 1, 2)
COO_MTTKRP(hand_coo_mttkrp_2, 1, 0, 2)
COO_MTTKRP(hand_coo_mttkrp_3, 2, 0, 1)
LOOP static void hand_mttkrp_4d(size_t ranks, LEVEL(1), LEVEL(2), LEVEL(3), LEVEL(4), IN(val), IN(u), IN(v), IN(w), OUT(m))
{
    EACH_ENTRY EACH(4, p3) EACH_RANK(r, ranks) m[crd1[p1] * ranks + r] +=
        val[p4] * u[crd2[p2] * ranks + r] * v[crd3[p3] * ranks + r] * w[crd4[p4] * ranks + r];
}

CUBE(hand_ttv_1, IN(x), OUT(m)) { EACH_ENTRY m[crd2[p2] * n + crd3[p3]] += val[p3] * x[crd1[p1]]; }
CUBE(hand_ttv_2, IN(x), OUT(m)) { EACH_ENTRY m[crd1[p1] * n + crd3[p3]] += val[p3] * x[crd2[p2]]; }
CUBE(hand_ttv_3, IN(x), OUT(m))
{
    EACH_FIBER
    {
        double s = m[crd1[p1] * n + crd2[p2]];
        EACH(3, p2) s += val[p3] * x[crd3[p3]];
        m[crd1[p1] * n + crd2[p2]] = s;
    }
}
#define COO_TTV(name, row, column, by)                                                                                      \
    LISTED(name, IN(x), OUT(m))                                                                                             \
    {                                                                                                                       \
        for (size_t p = 0; p < entries; p++) m[crd[3 * p + row] * n + crd[3 * p + column]] += val[p] * x[crd[3 * p + by]];  \
    }
COO_TTV(hand_coo_ttv_1, 1, 2, 0)
COO_TTV(hand_coo_ttv_2, 0, 2, 1)
COO_TTV(hand_coo_ttv_3, 0, 1, 2)
CUBE(hand_ttm_1, IN(u), OUT(t))
{
    EACH_ENTRY EACH_RANK(r, ranks) t[(crd2[p2] * n + crd3[p3]) * ranks + r] += val[p3] * u[crd1[p1] * ranks + r];
}
CUBE(hand_ttm_2, IN(u), OUT(t))
{
    EACH_ENTRY EACH_RANK(r, ranks) t[(crd1[p1] * n + crd3[p3]) * ranks + r] += val[p3] * u[crd2[p2] * ranks + r];
}
LOOP static void hand_tucker(const size_t *rank, TREE, IN(u), IN(v), IN(w), OUT(t))
{
    const size_t as = rank[0], bs = rank[1], cs = rank[2];
    EACH_ENTRY EACH_RANK(a, as) EACH_RANK(b, bs)
    {
        const double f = val[p3] * u[crd1[p1] * as + a] * v[crd2[p2] * bs + b];
        EACH_RANK(c, cs) t[(a * bs + b) * cs + c] += f * w[crd3[p3] * cs + c];
    }
}
CUBE(hand_tucker_sums, IN(u), IN(v), IN(w), OUT(t))
{
    double *fiber = (double *)malloc(ranks * sizeof *fiber), *slice = (double *)malloc(ranks * ranks * sizeof *slice);
    EACH(1, 0)
    {
        memset(slice, 0, ranks * ranks * sizeof *slice);
        EACH(2, p1)
        {
            memset(fiber, 0, ranks * sizeof *fiber);
            EACH(3, p2) EACH_RANK(c, ranks) fiber[c] += val[p3] * w[crd3[p3] * ranks + c];
            EACH_RANK(b, ranks) EACH_RANK(c, ranks) slice[b * ranks + c] += fiber[c] * v[crd2[p2] * ranks + b];
        }
        EACH_RANK(a, ranks) EACH_RANK(b, ranks * ranks) t[a * ranks * ranks + b] += slice[b] * u[crd1[p1] * ranks + a];
    }
    free(fiber), free(slice);
}

/* Two tensors: X, and Z, whose arrays end in z. */
#define TREE_Z                                                                                                              \
    const uint32_t *restrict pos1z, const uint32_t *restrict crd1z, const uint32_t *restrict pos2z,                         \
        const uint32_t *restrict crd2z, const uint32_t *restrict pos3z, const uint32_t *restrict crd3z, IN(valz)
LOOP static double hand_inner(TREE, TREE_Z, double s)
{
    for (size_t a = 0, az = 0; a < pos1[1] && az < pos1z[1];) {
        const uint32_t i = crd1[a], iz = crd1z[az];
        for (size_t b = pos2[a], bz = pos2z[az]; i == iz && b < pos2[a + 1] && bz < pos2z[az + 1];) {
            const uint32_t j = crd2[b], jz = crd2z[bz];
            for (size_t c = pos3[b], cz = pos3z[bz]; j == jz && c < pos3[b + 1] && cz < pos3z[bz + 1];) {
                const uint32_t k = crd3[c], kz = crd3z[cz];
                if (k == kz) s += val[c] * valz[cz];
                c += k <= kz, cz += kz <= k;
            }
            b += j <= jz, bz += jz <= j;
        }
        a += i <= iz, az += iz <= i;
    }
    return s;
}
/* Allocates a result with three levels, with room for the greatest possible number of entries. */
static bench_csf tree_open(const size_t *most)
{
    bench_csf t;
    memset(&t, 0, sizeof t);
    for (unsigned l = 0; l < 3; l++) {
        t.pos[l] = (uint32_t *)malloc(((l ? most[l - 1] : 1) + 1) * sizeof **t.pos);
        t.crd[l] = (uint32_t *)malloc((most[l] + 1) * sizeof **t.crd);
        t.pos[l][0] = 0;
    }
    t.val = (double *)malloc((most[2] + 1) * sizeof *t.val);
    return t;
}
/* Y = X + Z, merged level by level; fibers and slices that only one of them stores are copied */
static void copy_fiber(bench_csf *y, size_t *c, LEVEL(3), IN(val), size_t p2)
{
    EACH(3, p2) y->crd[2][*c] = crd3[p3], y->val[(*c)++] = val[p3];
}
static void add_fibers(bench_csf *y, size_t *c, LEVEL(3), IN(val), size_t b, const uint32_t *restrict pos3z,
                       const uint32_t *restrict crd3z, IN(valz), size_t bz)
{
    uint32_t *crd = y->crd[2];
    double *sum = y->val;
    size_t p = pos3[b], q = pos3z[bz], at = *c;
    const size_t p_end = pos3[b + 1], q_end = pos3z[bz + 1];
    while (p < p_end && q < q_end) {
        const uint32_t k = crd3[p], kz = crd3z[q];
        if (k == kz)
            crd[at] = k, sum[at++] = val[p++] + valz[q++];
        else if (k < kz)
            crd[at] = k, sum[at++] = val[p++];
        else
            crd[at] = kz, sum[at++] = valz[q++];
    }
    for (; p < p_end; p++) crd[at] = crd3[p], sum[at++] = val[p];
    for (; q < q_end; q++) crd[at] = crd3z[q], sum[at++] = valz[q];
    *c = at;
}
LOOP static bench_csf hand_add(TREE, TREE_Z)
{
    const size_t ax = pos1[1], az = pos1z[1], bx = pos2[ax], bz = pos2z[az],
                 most[3] = {ax + az, bx + bz, pos3[bx] + pos3z[bz]};
    bench_csf y = tree_open(most);
    size_t n1 = 0, n2 = 0, n3 = 0;
    for (size_t a = 0, z = 0; a < ax || z < az;) {
        const uint32_t i = a < ax ? crd1[a] : UINT32_MAX, iz = z < az ? crd1z[z] : UINT32_MAX;
        size_t b = i <= iz ? pos2[a] : 0, q = iz <= i ? pos2z[z] : 0;
        const size_t b_end = i <= iz ? pos2[a + 1] : 0, q_end = iz <= i ? pos2z[z + 1] : 0;
        while (b < b_end || q < q_end) {
            const uint32_t j = b < b_end ? crd2[b] : UINT32_MAX, jz = q < q_end ? crd2z[q] : UINT32_MAX;
            if (j == jz)
                add_fibers(&y, &n3, pos3, crd3, val, b, pos3z, crd3z, valz, q);
            else if (j < jz)
                copy_fiber(&y, &n3, pos3, crd3, val, b);
            else
                copy_fiber(&y, &n3, pos3z, crd3z, valz, q);
            y.crd[1][n2++] = j < jz ? j : jz;
            y.pos[2][n2] = (uint32_t)n3;
            b += j <= jz, q += jz <= j;
        }
        y.crd[0][n1++] = i < iz ? i : iz;
        y.pos[1][n1] = (uint32_t)n2;
        a += i <= iz, z += iz <= i;
    }
    y.pos[0][1] = (uint32_t)n1, y.entries[0] = n1, y.entries[1] = n2, y.entries[2] = n3;
    return y;
}
/* Closes a fiber, or a slice; it is stored if it has an entry. */
static void close_fiber(bench_csf *y, uint32_t j)
{
    if (y->entries[2] == y->pos[2][y->entries[1]]) return;
    y->crd[1][y->entries[1]++] = j;
    y->pos[2][y->entries[1]] = (uint32_t)y->entries[2];
}
static void close_slice(bench_csf *y, uint32_t i)
{
    if (y->entries[1] == y->pos[1][y->entries[0]]) return;
    y->crd[0][y->entries[0]++] = i;
    y->pos[1][y->entries[0]] = (uint32_t)y->entries[1];
    y->pos[0][1] = (uint32_t)y->entries[0];
}
LOOP static bench_csf hand_times(TREE, TREE_Z)
{
    const size_t most[3] = {pos1[1], pos2[pos1[1]], pos3[pos2[pos1[1]]]};
    bench_csf y = tree_open(most);
    for (size_t a = 0, az = 0; a < pos1[1] && az < pos1z[1];) {
        const uint32_t i = crd1[a], iz = crd1z[az];
        for (size_t b = pos2[a], bz = pos2z[az]; i == iz && b < pos2[a + 1] && bz < pos2z[az + 1];) {
            const uint32_t j = crd2[b], jz = crd2z[bz];
            if (j == jz) {
                size_t c = pos3[b], cz = pos3z[bz], at = y.entries[2];
                const size_t end = pos3[b + 1], endz = pos3z[bz + 1];
                while (c < end && cz < endz) {
                    const uint32_t k = crd3[c], kz = crd3z[cz];
                    if (k == kz) y.crd[2][at] = k, y.val[at++] = val[c] * valz[cz];
                    c += k <= kz, cz += kz <= k;
                }
                y.entries[2] = at;
                close_fiber(&y, j);
            }
            b += j <= jz, bz += jz <= j;
        }
        if (i == iz) close_slice(&y, i);
        a += i <= iz, az += iz <= i;
    }
    return y;
}
/* Y = X Z elementwise, with Z in COO: each fiber of X is merged with the entries that follow those of the last fiber */
LOOP static bench_csf hand_times_coo(TREE, size_t entries, const uint32_t *restrict crd, IN(valz))
{
    const size_t most[3] = {pos1[1], pos2[pos1[1]], pos3[pos2[pos1[1]]]};
    bench_csf y = tree_open(most);
    size_t q = 0;
    EACH(1, 0)
    {
        const uint32_t i = crd1[p1];
        while (q < entries && crd[3 * q] < i) q++;
        EACH(2, p1)
        {
            const uint32_t j = crd2[p2];
            size_t p = pos3[p2], at = y.entries[2];
            while (q < entries && crd[3 * q] == i && crd[3 * q + 1] < j) q++;
            while (p < pos3[p2 + 1] && q < entries && crd[3 * q] == i && crd[3 * q + 1] == j) {
                const uint32_t k = crd3[p], kz = crd[3 * q + 2];
                if (k == kz) y.crd[2][at] = k, y.val[at++] = val[p] * valz[q];
                p += k <= kz, q += kz <= k;
            }
            y.entries[2] = at;
            close_fiber(&y, j);
        }
        close_slice(&y, i);
    }
    return y;
}
LOOP static double hand_inner_coo(TREE, size_t entries, const uint32_t *restrict crd, IN(valz), double s)
{
    size_t q = 0;
    EACH(1, 0)
    {
        const uint32_t i = crd1[p1];
        while (q < entries && crd[3 * q] < i) q++;
        EACH(2, p1)
        {
            const uint32_t j = crd2[p2];
            size_t p = pos3[p2];
            while (q < entries && crd[3 * q] == i && crd[3 * q + 1] < j) q++;
            while (p < pos3[p2 + 1] && q < entries && crd[3 * q] == i && crd[3 * q + 1] == j) {
                const uint32_t k = crd3[p], kz = crd[3 * q + 2];
                if (k == kz) s += val[p] * valz[q];
                p += k <= kz, q += kz <= k;
            }
        }
    }
    return s;
}

/* Operations on stored values: in place, and with a copy of the pattern of X. */
LOOP static void hand_scale(size_t entries, double alpha, double *restrict val)
{
    for (size_t p = 0; p < entries; p++) val[p] *= alpha;
}
LOOP static double hand_total(size_t entries, IN(val), double s)
{
    for (size_t p = 0; p < entries; p++) s += val[p];
    return s;
}
static bench_csf tree_like(LEVEL(1), LEVEL(2), LEVEL(3))
{
    const size_t a = pos1[1], b = pos2[a], c = pos3[b], most[3] = {a, b, c};
    bench_csf y = tree_open(most);
    memcpy(y.pos[0], pos1, 2 * sizeof *pos1), memcpy(y.crd[0], crd1, a * sizeof *crd1);
    memcpy(y.pos[1], pos2, (a + 1) * sizeof *pos2), memcpy(y.crd[1], crd2, b * sizeof *crd2);
    memcpy(y.pos[2], pos3, (b + 1) * sizeof *pos3), memcpy(y.crd[2], crd3, c * sizeof *crd3);
    y.entries[0] = a, y.entries[1] = b, y.entries[2] = c;
    return y;
}
LOOP static bench_csf hand_scaled(TREE, double alpha)
{
    bench_csf y = tree_like(pos1, crd1, pos2, crd2, pos3, crd3);
    for (size_t p = 0; p < y.entries[2]; p++) y.val[p] = alpha * val[p];
    return y;
}
LOOP static bench_csf hand_positive(TREE, double least)
{
    bench_csf y = tree_like(pos1, crd1, pos2, crd2, pos3, crd3);
    for (size_t p = 0; p < y.entries[2]; p++) y.val[p] = val[p] > least ? val[p] : least;
    return y;
}

/* Sums over one mode. */
CUBE(hand_sum_ij, OUT(m))
{
    EACH_FIBER
    {
        double s = m[crd1[p1] * n + crd2[p2]];
        EACH(3, p2) s += val[p3];
        m[crd1[p1] * n + crd2[p2]] = s;
    }
}
CUBE(hand_sum_ik, OUT(m)) { EACH_ENTRY m[crd1[p1] * n + crd3[p3]] += val[p3]; }
CUBE(hand_sum_jk, OUT(m)) { EACH_ENTRY m[crd2[p2] * n + crd3[p3]] += val[p3]; }
static bench_csr rows_open(size_t rows, size_t columns, size_t most)
{
    bench_csr m = {rows, columns, NULL, NULL, NULL};
    m.pos = (uint32_t *)malloc((rows + 1) * sizeof *m.pos);
    m.crd = (uint32_t *)malloc((most + 1) * sizeof *m.crd);
    m.val = (double *)malloc((most + 1) * sizeof *m.val);
    m.pos[0] = 0;
    return m;
}
LOOP static bench_csr hand_csr_ij(size_t n, TREE)
{
    bench_csr m = rows_open(n, n, pos2[pos1[1]]);
    size_t at = 0, next = 0;
    EACH(1, 0)
    {
        for (; next < crd1[p1]; next++) m.pos[next + 1] = (uint32_t)at;
        EACH(2, p1)
        {
            double s = 0;
            EACH(3, p2) s += val[p3];
            m.crd[at] = crd2[p2], m.val[at++] = s;
        }
    }
    for (; next < n; next++) m.pos[next + 1] = (uint32_t)at;
    return m;
}
/* Writes a row of sums: in the order of the sorted list of columns, or, if the row is dense, by scanning the marks. */
static void row_out(size_t n, uint32_t *crd, double *out, size_t at, size_t count, double *sum, uint8_t *mark)
{
    if (count * 16 > n) {
        for (size_t k = 0, q = at; k < n; k++)
            if (mark[k]) crd[q++] = (uint32_t)k;
    } else
        bench_sort_row(crd, at, at + count);
    for (size_t q = at; q < at + count; q++) out[q] = sum[crd[q]], sum[crd[q]] = 0, mark[crd[q]] = 0;
}
LOOP static bench_csr hand_csr_ik(size_t n, TREE)
{
    bench_csr m = rows_open(n, n, pos3[pos2[pos1[1]]]);
    double *sum = (double *)calloc(n, sizeof *sum);
    uint8_t *mark = (uint8_t *)calloc(n, 1);
    size_t at = 0, next = 0;
    EACH(1, 0)
    {
        size_t count = 0;
        for (; next < crd1[p1]; next++) m.pos[next + 1] = (uint32_t)at;
        EACH(2, p1) EACH(3, p2)
        {
            const uint32_t k = crd3[p3];
            if (!mark[k]) mark[k] = 1, m.crd[at + count++] = k;
            sum[k] += val[p3];
        }
        row_out(n, m.crd, m.val, at, count, sum, mark);
        at += count;
    }
    for (; next < n; next++) m.pos[next + 1] = (uint32_t)at;
    free(sum), free(mark);
    return m;
}
LOOP static bench_csr hand_csr_jk(size_t n, TREE)
{
    double *sum = (double *)calloc(n * n, sizeof *sum);
    uint8_t *mark = (uint8_t *)calloc(n * n, 1);
    size_t count = 0, at = 0;
    EACH_ENTRY
    {
        const size_t q = crd2[p2] * n + crd3[p3];
        count += !mark[q], mark[q] = 1;
        sum[q] += val[p3];
    }
    bench_csr m = rows_open(n, n, count);
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n; k++)
            if (mark[j * n + k]) m.crd[at] = (uint32_t)k, m.val[at++] = sum[j * n + k];
        m.pos[j + 1] = (uint32_t)at;
    }
    free(sum), free(mark);
    return m;
}
/* T(i,j,r) = X(i,j,k) U(k,r), with a dense row of r for each fiber of X */
LOOP static double *hand_ttm_3(size_t ranks, bench_csf *y, TREE, IN(u))
{
    const size_t a = pos1[1], b = pos2[a], most[3] = {a, b, 0};
    *y = tree_open(most);
    memcpy(y->pos[0], pos1, 2 * sizeof *pos1), memcpy(y->crd[0], crd1, a * sizeof *crd1);
    memcpy(y->pos[1], pos2, (a + 1) * sizeof *pos2), memcpy(y->crd[1], crd2, b * sizeof *crd2);
    double *restrict t = (double *)malloc(b * ranks * sizeof *t);
    EACH_FIBER
    {
        EACH_RANK(r, ranks) t[p2 * ranks + r] = 0;
        EACH(3, p2) EACH_RANK(r, ranks) t[p2 * ranks + r] += val[p3] * u[crd3[p3] * ranks + r];
    }
    return t;
}
/* Y(i,j,r) = X(i,j,k) A(k,r), all three sparse: a row of sums for each fiber */
LOOP static bench_csf hand_spttm(size_t columns, TREE, const uint32_t *restrict pos, const uint32_t *restrict crd, IN(a))
{
    size_t most[3] = {pos1[1], pos2[pos1[1]], 0}, room = 0;
    EACH_FIBER
    {
        size_t products = 0;
        EACH(3, p2) products += pos[crd3[p3] + 1] - pos[crd3[p3]];
        room += products < columns ? products : columns;
    }
    most[2] = room;
    bench_csf y = tree_open(most);
    double *sum = (double *)calloc(columns, sizeof *sum);
    uint8_t *mark = (uint8_t *)calloc(columns, 1);
    EACH(1, 0)
    {
        EACH(2, p1)
        {
            uint32_t *list = y.crd[2] + y.entries[2];
            size_t count = 0;
            EACH(3, p2) for (size_t q = pos[crd3[p3]]; q < pos[crd3[p3] + 1]; q++)
            {
                const uint32_t r = crd[q];
                if (!mark[r]) mark[r] = 1, list[count++] = r;
                sum[r] += val[p3] * a[q];
            }
            row_out(columns, y.crd[2], y.val, y.entries[2], count, sum, mark);
            y.entries[2] += count;
            close_fiber(&y, crd2[p2]);
        }
        close_slice(&y, crd1[p1]);
    }
    free(sum), free(mark);
    return y;
}

/* The sum of the slice of X from `from` to `to` in each dimension; its beginning is searched from the start of each
   fiber. */
LOOP static double hand_part_sum(uint32_t from, uint32_t to, TREE, double s)
{
    EACH(1, 0)
    {
        if (crd1[p1] < from || crd1[p1] >= to) continue;
        EACH(2, p1)
        {
            if (crd2[p2] < from || crd2[p2] >= to) continue;
            EACH(3, p2) if (crd3[p3] >= from && crd3[p3] < to) s += val[p3];
        }
    }
    return s;
}
LOOP static void hand_part_ttv(uint32_t from, uint32_t to, TREE, IN(x), OUT(m))
{
    EACH(1, 0)
    {
        if (crd1[p1] < from || crd1[p1] >= to) continue;
        EACH(2, p1)
        {
            if (crd2[p2] < from || crd2[p2] >= to) continue;
            const size_t at = (crd1[p1] - from) * (to - from) + crd2[p2] - from;
            double s = m[at];
            EACH(3, p2) if (crd3[p3] >= from && crd3[p3] < to) s += val[p3] * x[crd3[p3] - from];
            m[at] = s;
        }
    }
}
/* Many matrices of equal size, one after the other in common arrays. */
LOOP static void hand_batched_spmm(size_t batches, size_t rows, size_t ranks, LEVEL(3), IN(val), IN(x), OUT(t))
{
    for (size_t b = 0; b < batches; b++)
        for (size_t i = b * rows; i < (b + 1) * rows; i++)
            EACH(3, i) EACH_RANK(r, ranks) t[i * ranks + r] += val[p3] * x[(b * rows + crd3[p3]) * ranks + r];
}
LOOP static void hand_batched_spmv(size_t batches, size_t rows, LEVEL(3), IN(val), IN(x), OUT(m))
{
    for (size_t b = 0; b < batches; b++)
        for (size_t i = b * rows; i < (b + 1) * rows; i++) {
            double s = m[i];
            EACH(3, i) s += val[p3] * x[b * rows + crd3[p3]];
            m[i] = s;
        }
}
LOOP static void hand_coo_spmv(ENTRIES, IN(x), OUT(y))
{
    for (size_t p = 0; p < entries; p++) y[crd[2 * p]] += val[p] * x[crd[2 * p + 1]];
}
LOOP static void hand_coo_spmv_t(ENTRIES, IN(x), OUT(y))
{
    for (size_t p = 0; p < entries; p++) y[crd[2 * p + 1]] += val[p] * x[crd[2 * p]];
}
LOOP static bench_csr hand_rows_positive(size_t rows, LEVEL(2), IN(val), double least)
{
    const size_t entries = pos2[rows];
    bench_csr m = rows_open(rows, 0, entries);
    memcpy(m.pos, pos2, (rows + 1) * sizeof *pos2), memcpy(m.crd, crd2, entries * sizeof *crd2);
    for (size_t p = 0; p < entries; p++) m.val[p] = val[p] > least ? val[p] : least;
    return m;
}

/* >>data
   The operands of all kernels; a row fills those that it needs. The results M, G, y have only a shape; their values are in
   the contestant's array. */
enum { RANKS = 16, CORE = 8, BATCHES = 64, SUMS = 8 };
/* clang-format off */
#define TENSORS(T) \
    T(csf, X) T(csf, Z) T(coo3, L) T(list3, E) T(coo3, N) T(csf4, Q) T(batched, D) T(csr, A) T(coo, C) T(vec, x) T(mat, U) T(mat, V) T(mat, W) T(box, B) \
    T(vec, y) T(mat, M) T(box, G) T(csf, Y) T(csr, R) T(fibers, F)
#define MEMBER(type, name) type name;
#define EMPTY(type, name)  .name = SPARSE_INIT(type),
#define FREE(type, name)   sparse_free(&d->name.t);

typedef struct data {
    TENSORS(MEMBER)
    bench_csf tree[2];
    bench_csr matrix;
    size_t n, ranks, rows;
    char size[64]; /* as printed in the table */
} data;

static void data_free(data *d)
{
    TENSORS(FREE)
    for (unsigned k = 0; k < 2; k++) bench_csf_free(&d->tree[k]);
    bench_csr_free(&d->matrix);
    *d = (data){TENSORS(EMPTY).size = ""};
}
/* clang-format on */
static void check(sparse_result r)
{
    if (r == SPARSE_OK) return;
    fprintf(stderr, "bench: %s\n", sparse_message(r));
    exit(2);
}
static void random_dense(sparse_tensor *t, const size_t *dim)
{
    bench_random r = {dim[0]};
    check(sparse_allocate_dense(t, dim));
    for (size_t k = 0; k < t->val.length; k++) ((double *)t->val.at)[k] = bench_value(&r);
}
static void shape(sparse_tensor *t, const size_t *dim, size_t length)
{
    static double nothing; /* replaced when a contestant runs */
    check(sparse_assemble(t, dim, &(sparse_arrays){.val = SPARSE_ARRAY(&nothing, length)}, SPARSE_BORROW, NULL));
}
static void borrow_tree(sparse_tensor *t, const bench_csf *tree)
{
    sparse_arrays arrays = {.val = SPARSE_ARRAY(tree->val, tree->entries[2])};
    for (unsigned l = 0; l < 3; l++) {
        arrays.pos[l] = (sparse_array)SPARSE_ARRAY(tree->pos[l], l ? tree->entries[l - 1] + 1 : 2);
        arrays.crd[l] = (sparse_array)SPARSE_ARRAY(tree->crd[l], tree->entries[l]);
    }
    check(sparse_assemble(t, tree->size, &arrays, SPARSE_BORROW, NULL));
}
typedef const size_t *sizes; /* at most 3 */

static void have_cube(data *d, size_t n, size_t fiber, size_t ranks)
{
    d->n = n, d->ranks = ranks;
    for (unsigned k = 0; k < 2; k++) d->tree[k] = bench_random_csf(n, fiber, 6 + 9 * k);
    borrow_tree(&d->X.t, &d->tree[0]), borrow_tree(&d->Z.t, &d->tree[1]);
    check(sparse_convert(&d->L.t, &d->X.t)), check(sparse_convert(&d->N.t, &d->Z.t));
    const sparse_tensor *const l = &d->L.t;
    const sparse_arrays entries = sparse_arrays_of(l);
    check(sparse_assemble(&d->E.t, l->dim, &entries, SPARSE_BORROW, NULL));
    random_dense(&d->x.t, &n);
    random_dense(&d->U.t, (size_t[]){n, ranks});
    random_dense(&d->V.t, (size_t[]){n, ranks});
    random_dense(&d->W.t, (size_t[]){n, ranks});
    snprintf(d->size, sizeof d->size, "%zu^3, %.2g entries", n, (double)d->tree[0].entries[2]);
}
static void vector_result(data *d) { shape(&d->y.t, &d->n, d->n); }
static void matrix_result(data *d, size_t columns) { shape(&d->M.t, (size_t[]){d->n, columns}, d->n * columns); }
static void box_result(data *d, size_t a, size_t b, size_t c) { shape(&d->G.t, (size_t[]){a, b, c}, a * b * c); }
static size_t side(sizes n) { return bench_size(n[0], 40); }
static void factors(data *d, sizes n) /* side, per fiber */
{
    have_cube(d, side(n), n[1], RANKS);
    matrix_result(d, RANKS);
}
static void planes(data *d, sizes n)
{
    have_cube(d, side(n), n[1], RANKS);
    matrix_result(d, d->n);
}
static void boxes(data *d, sizes n)
{
    have_cube(d, side(n), n[1], RANKS);
    box_result(d, d->n, d->n, RANKS);
}
static void cores(data *d, sizes n)
{
    have_cube(d, side(n), n[1], CORE);
    box_result(d, CORE, CORE, CORE);
}
static void same(data *d, sizes n) /* Z has the pattern of X */
{
    have_cube(d, side(n), n[1], RANKS);
    sparse_free(&d->Z.t), sparse_free(&d->N.t);
    borrow_tree(&d->Z.t, &d->tree[0]);
    check(sparse_convert(&d->N.t, &d->Z.t));
}
static void middles(data *d, sizes n)
{
    have_cube(d, side(n) / 4 * 4, n[1], RANKS);
    d->n /= 2;
    random_dense(&d->x.t, &d->n);
    matrix_result(d, d->n);
    d->n *= 2;
}
static void have_rows(data *d, size_t rows, size_t columns, size_t length)
{
    const size_t dim[] = {rows, columns};
    d->matrix = bench_uniform_wide(rows, columns, length, 3);
    const size_t entries = bench_csr_entries(&d->matrix);
    const sparse_arrays arrays = {
        .pos[1] = SPARSE_ARRAY(d->matrix.pos, rows + 1), .crd[1] = SPARSE_ARRAY(d->matrix.crd, entries), .val = SPARSE_ARRAY(d->matrix.val, entries)};
    check(sparse_assemble(&d->A.t, dim, &arrays, SPARSE_BORROW, NULL));
}
static void rows_of(data *d, sizes n) /* rows, per row */
{
    d->n = d->rows = bench_size(n[0], 100);
    have_rows(d, d->n, d->n, n[1]);
    check(sparse_convert(&d->C.t, &d->A.t));
    random_dense(&d->x.t, &d->n);
    vector_result(d);
    snprintf(d->size, sizeof d->size, "%zu, %.1f a row", d->n, (double)d->A.t.val.length / (double)d->n);
}
static void sparse_factor(data *d, sizes n) /* side, per fiber, per row of the matrix */
{
    have_cube(d, side(n), n[1], RANKS);
    have_rows(d, d->n, d->n, n[2]);
}
static void four(data *d, sizes n) /* side, entries */
{
    bench_random r = {7};
    const size_t m = bench_size(n[0], 10), entries = bench_size(n[1], 1000), dim[] = {m, m, m, m};
    size_t *at = (size_t *)bench_allocate(4 * entries, sizeof *at);
    double *val = bench_dense(entries, 8);
    for (size_t p = 0; p < 4 * entries; p++) at[p] = bench_below_n(&r, m);
    check(sparse_pack_untyped(&d->Q.t, dim, entries, at, val, SPARSE_DUPLICATES_SUM));
    free(at), free(val);
    d->n = m, d->ranks = RANKS;
    random_dense(&d->U.t, (size_t[]){m, RANKS});
    random_dense(&d->V.t, (size_t[]){m, RANKS});
    random_dense(&d->W.t, (size_t[]){m, RANKS});
    matrix_result(d, RANKS);
    snprintf(d->size, sizeof d->size, "%zu^4, %.2g entries", m, (double)d->Q.t.val.length);
}
static void batches(data *d, sizes n) /* rows of each, per row, columns of the other operand */
{
    d->rows = bench_size(n[0], 10), d->ranks = n[2];
    d->matrix = bench_uniform_wide(BATCHES * d->rows, d->rows, n[1], 3);
    const size_t entries = bench_csr_entries(&d->matrix), dim[] = {BATCHES, d->rows, d->rows};
    const sparse_arrays arrays = {.pos[2] = SPARSE_ARRAY(d->matrix.pos, BATCHES * d->rows + 1),
                                  .crd[2] = SPARSE_ARRAY(d->matrix.crd, entries),
                                  .val = SPARSE_ARRAY(d->matrix.val, entries)};
    check(sparse_assemble(&d->D.t, dim, &arrays, SPARSE_BORROW, NULL));
    random_dense(&d->B.t, (size_t[]){BATCHES, d->rows, d->ranks});
    random_dense(&d->U.t, dim);
    d->n = BATCHES;
    matrix_result(d, d->rows);
    box_result(d, BATCHES, d->rows, d->ranks);
    snprintf(d->size, sizeof d->size, "%d of %zu, %.1f a row", BATCHES, d->rows,
             (double)entries / (double)(BATCHES * d->rows));
}

/* >>rows
   The fingerprint of a sparse result: its number of entries, and sums over a sample of them only, as this is timed, too. */
static void sample(double *sums, size_t entries, const uint32_t *pos, const uint32_t *crd, const double *val)
{
    sums[0] = (double)entries;
    for (size_t p = 0; p < entries; p += 1 + entries / 1024) {
        sums[1] += (double)crd[p] * (double)(p + 1);
        sums[2] += val ? val[p] * (double)(1 + p % 7) : (double)pos[p + 1];
    }
}
static void tree_result(double *result, const size_t *entries, uint32_t *const *pos, uint32_t *const *crd, const double *val)
{
    memset(result, 0, SUMS * sizeof *result);
    sample(result, entries[1], pos[2], crd[1], NULL);
    sample(result + 3, entries[2], NULL, crd[2], val);
}
static void kit_tree(const sparse_tensor *t, double *result)
{
    const size_t entries[] = {t->crd[0].length, t->crd[1].length, t->val.length};
    uint32_t *const pos[] = {NULL, NULL, (uint32_t *)t->pos[2].at}, *const crd[] = {NULL, (uint32_t *)t->crd[1].at,
                                                                                    (uint32_t *)t->crd[2].at};
    tree_result(result, entries, pos, crd, (const double *)t->val.at);
}
static void hand_tree(bench_csf y, double *result)
{
    tree_result(result, y.entries, y.pos, y.crd, y.val);
    bench_csf_free(&y);
}
static void rows_result(double *result, size_t rows, const uint32_t *pos, const uint32_t *crd, const double *val)
{
    memset(result, 0, SUMS * sizeof *result);
    for (size_t i = 0; i < rows; i += 1 + rows / 1024) result[3] += (double)pos[i + 1] * (double)(1 + i % 5);
    sample(result, pos[rows], NULL, crd, val);
}
static void kit_rows(const sparse_tensor *t, double *result)
{
    rows_result(result, t->dim[0], (const uint32_t *)t->pos[1].at, (const uint32_t *)t->crd[1].at,
                (const double *)t->val.at);
}
static void hand_rows(bench_csr m, double *result)
{
    rows_result(result, m.rows, m.pos, m.crd, m.val);
    bench_csr_free(&m);
}
/* the fingerprint of a result whose last level is dense */
static void values_result(double *result, size_t length, const double *val)
{
    memset(result, 0, SUMS * sizeof *result);
    for (size_t p = 0; p < length; p += 1 + length / 1024) result[1] += val[p], result[2] += val[p] * (double)(1 + p % 7);
    result[0] = (double)length;
}

/* clang-format off */
#define RUN(name, ...)                                     \
    static void name(void *context, double *result)        \
    {                                                      \
        data *d = (data *)context;                         \
        d->y.t.val.at = d->M.t.val.at = d->G.t.val.at = result; \
        __VA_ARGS__;                                       \
    }
#define POS(T, l)    (const uint32_t *)d->T.t.pos[l - 1].at
#define CRD(T, l)    (const uint32_t *)d->T.t.crd[l - 1].at
#define VAL(T)       (const double *)d->T.t.val.at
#define AS_TREE(T)   POS(T, 1), CRD(T, 1), POS(T, 2), CRD(T, 2), POS(T, 3), CRD(T, 3), VAL(T)
#define AS_LIST(T)   d->T.t.val.length, CRD(T, 1), VAL(T)
#define AS_CSR       POS(A, 2), CRD(A, 2), VAL(A)
#define DENSE_PAIR(name, kernel, loop)  RUN(run_##name, check(name kernel)) RUN(run_hand_##name, hand_##name loop)
#define TREE_PAIR(name, kernel, loop) \
    RUN(run_##name, check(name kernel); kit_tree(&d->Y.t, result)) RUN(run_hand_##name, hand_tree(hand_##name loop, result))
#define ROWS_PAIR(name, kernel, loop) \
    RUN(run_##name, check(name kernel); kit_rows(&d->R.t, result)) RUN(run_hand_##name, hand_rows(hand_##name loop, result))
#define SUM_PAIR(name, kernel, loop) \
    RUN(run_##name, check(name kernel)) RUN(run_hand_##name, *result = hand_##name loop)

#define FACTORS VAL(U), VAL(V), result
DENSE_PAIR(mttkrp_2, (&d->M, &d->X, &d->U, &d->V), (d->n, d->ranks, AS_TREE(X), FACTORS))
DENSE_PAIR(mttkrp_3, (&d->M, &d->X, &d->U, &d->V), (d->n, d->ranks, AS_TREE(X), FACTORS))
DENSE_PAIR(coo_mttkrp_1, (&d->M, &d->L, &d->U, &d->V), (d->n, d->ranks, AS_LIST(L), FACTORS))
RUN(run_list_mttkrp_1, check(list_mttkrp_1(&d->M, &d->E, &d->U, &d->V)))
DENSE_PAIR(coo_mttkrp_2, (&d->M, &d->L, &d->U, &d->V), (d->n, d->ranks, AS_LIST(L), FACTORS))
RUN(run_list_mttkrp_2, check(list_mttkrp_2(&d->M, &d->E, &d->U, &d->V)))
DENSE_PAIR(coo_mttkrp_3, (&d->M, &d->L, &d->U, &d->V), (d->n, d->ranks, AS_LIST(L), FACTORS))
RUN(run_list_mttkrp_3, check(list_mttkrp_3(&d->M, &d->E, &d->U, &d->V)))
DENSE_PAIR(mttkrp_4d, (&d->M, &d->Q, &d->U, &d->V, &d->W),
     (d->ranks, POS(Q, 1), CRD(Q, 1), POS(Q, 2), CRD(Q, 2), POS(Q, 3), CRD(Q, 3), POS(Q, 4), CRD(Q, 4), VAL(Q), VAL(U), VAL(V), VAL(W), result))
DENSE_PAIR(ttv_1, (&d->M, &d->X, &d->x), (d->n, d->ranks, AS_TREE(X), VAL(x), result))
DENSE_PAIR(ttv_2, (&d->M, &d->X, &d->x), (d->n, d->ranks, AS_TREE(X), VAL(x), result))
DENSE_PAIR(ttv_3, (&d->M, &d->X, &d->x), (d->n, d->ranks, AS_TREE(X), VAL(x), result))
DENSE_PAIR(coo_ttv_1, (&d->M, &d->L, &d->x), (d->n, d->ranks, AS_LIST(L), VAL(x), result))
RUN(run_list_ttv_1, check(list_ttv_1(&d->M, &d->E, &d->x)))
DENSE_PAIR(coo_ttv_2, (&d->M, &d->L, &d->x), (d->n, d->ranks, AS_LIST(L), VAL(x), result))
RUN(run_list_ttv_2, check(list_ttv_2(&d->M, &d->E, &d->x)))
DENSE_PAIR(coo_ttv_3, (&d->M, &d->L, &d->x), (d->n, d->ranks, AS_LIST(L), VAL(x), result))
RUN(run_list_ttv_3, check(list_ttv_3(&d->M, &d->E, &d->x)))
DENSE_PAIR(ttm_1, (&d->G, &d->X, &d->U), (d->n, d->ranks, AS_TREE(X), VAL(U), result))
DENSE_PAIR(ttm_2, (&d->G, &d->X, &d->U), (d->n, d->ranks, AS_TREE(X), VAL(U), result))
DENSE_PAIR(tucker, (&d->G, &d->X, &d->U, &d->V, &d->W), (d->G.t.dim, AS_TREE(X), VAL(U), VAL(V), VAL(W), result))
RUN(run_tucker_sums, check(tucker_fibers(&d->F, &d->X, &d->W)); check(tucker_slices(&d->G, &d->F, &d->V, &d->U)))
RUN(run_hand_tucker_sums, hand_tucker_sums(d->n, d->ranks, AS_TREE(X), VAL(U), VAL(V), VAL(W), result))
RUN(run_ttm_3, check(ttm_3(&d->F, &d->X, &d->U)); values_result(result, d->F.t.val.length, VAL(F)))
RUN(run_hand_ttm_3, bench_csf y; double *t = hand_ttm_3(d->ranks, &y, AS_TREE(X), VAL(U));
    values_result(result, d->X.t.crd[1].length * d->ranks, t); free(t), bench_csf_free(&y))
TREE_PAIR(spttm, (&d->Y, &d->X, &d->A), (d->n, AS_TREE(X), AS_CSR))
SUM_PAIR(inner, (result, &d->X, &d->Z), (AS_TREE(X), AS_TREE(Z), *result))
SUM_PAIR(inner_coo, (result, &d->X, &d->N), (AS_TREE(X), AS_LIST(N), *result))
TREE_PAIR(add, (&d->Y, &d->X, &d->Z), (AS_TREE(X), AS_TREE(Z)))
TREE_PAIR(times, (&d->Y, &d->X, &d->Z), (AS_TREE(X), AS_TREE(Z)))
TREE_PAIR(times_coo, (&d->Y, &d->X, &d->N), (AS_TREE(X), AS_LIST(N)))
#define OF_VALUES(T) d->T.t.val.length, -1, (double *)d->T.t.val.at
DENSE_PAIR(scale, (&d->X, -1), (OF_VALUES(X)))
RUN(run_coo_scale, check(coo_scale(&d->L, -1)))
RUN(run_hand_coo_scale, hand_scale(OF_VALUES(L)))
SUM_PAIR(total, (result, &d->X), (d->X.t.val.length, VAL(X), *result))
RUN(run_coo_total, check(coo_total(result, &d->L)))
RUN(run_hand_coo_total, *result = hand_total(d->L.t.val.length, VAL(L), *result))
#define AS_VECTOR(T) vec v = SPARSE_INIT(vec); check(vec_borrow(&v, &d->T.t.val.length, VAL(T)))
RUN(run_values_scale, AS_VECTOR(X); check(values_scale(&v, -1)))
RUN(run_coo_values_scale, AS_VECTOR(L); check(values_scale(&v, -1)))
RUN(run_rows_values_scale, AS_VECTOR(A); check(values_scale(&v, -1)))
RUN(run_values_total, AS_VECTOR(X); check(values_total(result, &v)))
RUN(run_coo_values_total, AS_VECTOR(L); check(values_total(result, &v)))
RUN(run_scaled_as, sparse_free(&d->Y.t); check(scaled_as(&d->Y, &d->X, 3)); kit_tree(&d->Y.t, result))
RUN(run_scaled_anew, check(scaled_anew(&d->Y, &d->X, 3)); kit_tree(&d->Y.t, result))
RUN(run_hand_scaled, hand_tree(hand_scaled(AS_TREE(X), 3), result))
RUN(run_positive_as, sparse_free(&d->Y.t); check(positive_as(&d->Y, &d->X, 0)); kit_tree(&d->Y.t, result))
RUN(run_hand_positive, hand_tree(hand_positive(AS_TREE(X), 0), result))
DENSE_PAIR(sum_ij, (&d->M, &d->X), (d->n, d->ranks, AS_TREE(X), result))
DENSE_PAIR(sum_ik, (&d->M, &d->X), (d->n, d->ranks, AS_TREE(X), result))
DENSE_PAIR(sum_jk, (&d->M, &d->X), (d->n, d->ranks, AS_TREE(X), result))
ROWS_PAIR(csr_ij, (&d->R, &d->X), (d->n, AS_TREE(X)))
ROWS_PAIR(csr_ik, (&d->R, &d->X), (d->n, AS_TREE(X)))
ROWS_PAIR(csr_jk, (&d->R, &d->X), (d->n, AS_TREE(X)))
#define MIDDLE(name) const sparse_slice name[] = {{d->n / 4, d->n / 2, 1}, {d->n / 4, d->n / 2, 1}, {d->n / 4, d->n / 2, 1}}
#define FROM_TO      (uint32_t)(d->n / 4), (uint32_t)(d->n / 4 * 3)
RUN(run_part_sum, MIDDLE(part); check(part_sum(result, &d->X, part)))
RUN(run_hand_part_sum, *result = hand_part_sum(FROM_TO, AS_TREE(X), *result))
RUN(run_part_ttv, MIDDLE(part); check(part_ttv(&d->M, &d->X, part, &d->x)))
RUN(run_hand_part_ttv, hand_part_ttv(FROM_TO, AS_TREE(X), VAL(x), result))
#define AS_BATCHES POS(D, 3), CRD(D, 3), VAL(D)
DENSE_PAIR(batched_spmm, (&d->G, &d->D, &d->B), (BATCHES, d->rows, d->ranks, AS_BATCHES, VAL(B), result))
DENSE_PAIR(batched_spmv, (&d->M, &d->D, &d->U), (BATCHES, d->rows, AS_BATCHES, VAL(U), result))
RUN(run_rows_scale, check(rows_scale(&d->A, -1)))
RUN(run_hand_rows_scale, hand_scale(OF_VALUES(A)))
RUN(run_rows_positive, sparse_free(&d->R.t); check(rows_positive(&d->R, &d->A, 0)); kit_rows(&d->R.t, result))
RUN(run_hand_rows_positive, hand_rows(hand_rows_positive(d->rows, AS_CSR, 0), result))
RUN(run_rows_spmv, check(rows_spmv(&d->y, &d->A, &d->x)))
RUN(run_hand_rows_spmv, hand_spmv(d->rows, AS_CSR, VAL(x), result))
DENSE_PAIR(coo_spmv, (&d->y, &d->C, &d->x), (AS_LIST(C), VAL(x), result))
DENSE_PAIR(coo_spmv_t, (&d->y, &d->C, &d->x), (AS_LIST(C), VAL(x), result))

enum output { SCALAR, VECTOR, MATRIX, BOX_OF, STORED, UNCHECKED };
typedef struct row {
    const char *workload;
    void (*of)(data *, sizes);
    size_t size[3];
    enum output output;
    double goal;
    void (*kernel)(void *, double *), (*loop)(void *, double *);
} row;

/* fibers of 2, 8 and 100 entries; about equal numbers of entries in all */
#define SHORT 2000, 2
#define MIDDLING 1000, 8
#define LONG 300, 100
#define ROW(text, name, of, output, goal, ...) {text, of, {__VA_ARGS__}, output, goal, run_##name, run_hand_##name},
#define ROWS(text, name, of, output, goal) \
    ROW(text, name, of, output, goal, SHORT) ROW(text, name, of, output, goal, MIDDLING) ROW(text, name, of, output, goal, LONG)
/* rows with short and long fibers, compared with the loop by hand of another row */
#define ENDS(text, name, hand, of, output, goal) \
    {text, of, {SHORT}, output, goal, run_##name, run_hand_##hand}, {text, of, {LONG}, output, goal, run_##name, run_hand_##hand},
#define LISTS(text, name, hand, of, output, goal) \
    ENDS(text, name, hand, of, output, goal) {text, of, {MIDDLING}, output, goal, run_##name, run_hand_##hand},
#define GOAL 0.9
static const row table[] = {
    ROWS("MTTKRP mode 2, CSF", mttkrp_2, factors, MATRIX, GOAL)
    ROWS("MTTKRP mode 3, CSF", mttkrp_3, factors, MATRIX, GOAL)
    ROWS("MTTKRP mode 1, COO", coo_mttkrp_1, factors, MATRIX, GOAL)
    LISTS("MTTKRP mode 1, list", list_mttkrp_1, coo_mttkrp_1, factors, MATRIX, GOAL)
    ROWS("MTTKRP mode 2, COO", coo_mttkrp_2, factors, MATRIX, GOAL)
    LISTS("MTTKRP mode 2, list", list_mttkrp_2, coo_mttkrp_2, factors, MATRIX, GOAL)
    ROWS("MTTKRP mode 3, COO", coo_mttkrp_3, factors, MATRIX, GOAL)
    LISTS("MTTKRP mode 3, list", list_mttkrp_3, coo_mttkrp_3, factors, MATRIX, GOAL)
    ROWS("TTV mode 1, CSF", ttv_1, planes, MATRIX, GOAL)
    ROWS("TTV mode 2, CSF", ttv_2, planes, MATRIX, GOAL)
    ROWS("TTV mode 3, CSF", ttv_3, planes, MATRIX, GOAL)
    ROWS("TTV mode 1, COO", coo_ttv_1, planes, MATRIX, GOAL)
    LISTS("TTV mode 1, list", list_ttv_1, coo_ttv_1, planes, MATRIX, GOAL)
    ROWS("TTV mode 2, COO", coo_ttv_2, planes, MATRIX, GOAL)
    LISTS("TTV mode 2, list", list_ttv_2, coo_ttv_2, planes, MATRIX, GOAL)
    ROWS("TTV mode 3, COO", coo_ttv_3, planes, MATRIX, GOAL)
    LISTS("TTV mode 3, list", list_ttv_3, coo_ttv_3, planes, MATRIX, GOAL)
    ROWS("sum over k, CSF to dense", sum_ij, planes, MATRIX, GOAL)
    ROWS("sum over j, CSF to dense", sum_ik, planes, MATRIX, GOAL)
    ROWS("sum over i, CSF to dense", sum_jk, planes, MATRIX, GOAL)
    ROWS("sum over k, CSF to CSR", csr_ij, planes, STORED, GOAL)
    ROWS("sum over j, CSF to CSR", csr_ik, planes, STORED, GOAL)
    ROWS("sum over i, CSF to CSR", csr_jk, planes, STORED, GOAL)
    ROWS("inner product, CSF and CSF", inner, planes, SCALAR, GOAL)
    ROWS("inner product, CSF and COO", inner_coo, planes, SCALAR, GOAL)
    ROWS("sum, CSF and CSF to CSF", add, planes, STORED, GOAL)
    ROWS("product, CSF and CSF to CSF", times, planes, STORED, GOAL)
    ROWS("product, CSF and COO to CSF", times_coo, planes, STORED, GOAL)
    ROWS("scaled in place, CSF", scale, planes, UNCHECKED, GOAL)
    ROWS("scaled in place, COO", coo_scale, planes, UNCHECKED, GOAL)
    ENDS("values scaled, of CSF", values_scale, scale, planes, UNCHECKED, GOAL)
    ENDS("values scaled, of COO", coo_values_scale, coo_scale, planes, UNCHECKED, GOAL)
    {"total of values, of CSF", planes, {SHORT}, SCALAR, GOAL, run_values_total, run_hand_total},
    {"total of values, of COO", planes, {SHORT}, SCALAR, GOAL, run_coo_values_total, run_hand_coo_total},
    ROWS("total, CSF", total, planes, SCALAR, GOAL)
    ROWS("total, COO", coo_total, planes, SCALAR, GOAL)
    ENDS("scaled, like CSF", scaled_as, scaled, planes, STORED, GOAL)
    ENDS("scaled, CSF to CSF", scaled_anew, scaled, planes, STORED, GOAL)
    ENDS("relu, like CSF", positive_as, positive, planes, STORED, GOAL)
    ROWS("inner product, the same entries", inner, same, SCALAR, GOAL)
    ROWS("sum, the same entries", add, same, STORED, GOAL)
    ROWS("middle of CSF, total", part_sum, middles, SCALAR, GOAL)
    ROWS("middle of CSF, TTV", part_ttv, middles, MATRIX, GOAL)
    ROW("TTM mode 1, CSF", ttm_1, boxes, BOX_OF, GOAL, 500, 8) ROW("TTM mode 1, CSF", ttm_1, boxes, BOX_OF, GOAL, LONG)
    ROW("TTM mode 2, CSF", ttm_2, boxes, BOX_OF, GOAL, 500, 8) ROW("TTM mode 2, CSF", ttm_2, boxes, BOX_OF, GOAL, LONG)
    ROWS("TTM mode 3, CSF to rows", ttm_3, factors, STORED, GOAL)
    ROW("TTM mode 3, sparse matrix", spttm, sparse_factor, STORED, GOAL, 1000, 4, 4)
    ROW("TTM mode 3, sparse matrix", spttm, sparse_factor, STORED, GOAL, LONG, 4)
    ROW("Tucker core, CSF", tucker, cores, BOX_OF, GOAL, 700, 8) ROW("Tucker core, CSF", tucker, cores, BOX_OF, GOAL, 200, 100)
    ROW("Tucker core, sums on the way", tucker_sums, cores, BOX_OF, GOAL, MIDDLING)
    ROW("Tucker core, sums on the way", tucker_sums, cores, BOX_OF, GOAL, LONG)
    ROW("MTTKRP of CSF in 4-D", mttkrp_4d, four, MATRIX, GOAL, 100, 2000000)
    ROW("MTTKRP of CSF in 4-D", mttkrp_4d, four, MATRIX, GOAL, 30, 2000000)
    ROW("batched SpMV", batched_spmv, batches, MATRIX, GOAL, 5000, 8, 1)
    ROW("batched SpMM", batched_spmm, batches, BOX_OF, GOAL, 5000, 8, 8)
    ROW("batched SpMM", batched_spmm, batches, BOX_OF, GOAL, 5000, 8, 32)
    ROW("rows scaled in place, CSR", rows_scale, rows_of, UNCHECKED, GOAL, 1000000, 3)
    {"values scaled, of CSR", rows_of, {1000000, 3}, UNCHECKED, GOAL, run_rows_values_scale, run_hand_rows_scale},
    ROW("relu, like CSR", rows_positive, rows_of, STORED, GOAL, 1000000, 3)
    ROW("SpMV, CSR", rows_spmv, rows_of, VECTOR, GOAL, 1000000, 3)
    ROW("SpMV, COO", coo_spmv, rows_of, VECTOR, GOAL, 1000000, 3)
    ROW("SpMV, COO", coo_spmv, rows_of, VECTOR, GOAL, 300000, 16)
    ROW("SpMV transposed, COO", coo_spmv_t, rows_of, VECTOR, GOAL, 1000000, 3)
};
/* clang-format on */

static bool wanted(char **wishes, const char *workload)
{
    for (char **w = wishes; *w; w++)
        if (strstr(workload, *w)) return true;
    return !*wishes;
}
int main(int argc, char **argv)
{
    static data d;
    const row *filled = NULL; /* the row for which d was filled */
    (void)argc;
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
    data_free(&d);
    bench_header("tensors of three and more dimensions, against loops written by hand");
    for (const row *r = table; r < table + sizeof table / sizeof *table; r++) {
        if (!wanted(argv + 1, r->workload)) continue;
        if (!filled || filled->of != r->of || memcmp(filled->size, r->size, sizeof r->size) != 0) {
            data_free(&d);
            r->of(&d, r->size);
            filled = r;
        }
        const size_t length[] = {1, d.y.t.val.length, d.M.t.val.length, d.G.t.val.length, SUMS, 1};
        const bench_contest c = {.workload = r->workload,
                                 .size = d.size,
                                 .goal = r->goal,
                                 .tolerance = 1e-11,
                                 .length = length[r->output],
                                 .context = &d,
                                 .contestant = {{"kernel", r->kernel}, {"loop", r->loop}}};
        bench_run(&c);
    }
    data_free(&d);
    return bench_done();
}
