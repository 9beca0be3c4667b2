/* convert.c: compares conversions between encodings with loops written by hand for the pair, and with Eigen if it is linked.
   README.md in this directory explains the table.

   Every contestant frees its last result and allocates a new one. malloc does not return memory to the system, as page
   faults would cost more than the conversion.

   With Eigen:
     g++ -O3 -march=native -c bench/convert_eigen.cc -I/usr/include/eigen3 -o build/convert_eigen.o
     gcc -O3 -march=native -DBENCH_EIGEN=1 -I. bench/convert.c build/convert_eigen.o -o build/convert -lm -lstdc++

   Contents (search for the anchors)
     >>pairs   the encodings, and conversion by the kit
     >>hand    the loops by hand
     >>data    matrices
     >>rows    the table: to add a row, add a line. Then the time per entry over sizes, which only caches should change */
#include "bench.h"
#include "sparse_formats.h"
#include "fingerprint.h"
#if defined(__GLIBC__)
    #include <malloc.h>
#endif
#ifndef BENCH_EIGEN
    #define BENCH_EIGEN 0
#endif

/* >>pairs */
#define UNSORTED_COO ((i, j), (compressed(nonunique, nonordered), i), (singleton(soa, nonunique, nonordered), j))
SPARSE_TENSOR(csr, SPARSE_CSR, double, 32, 32)
SPARSE_TENSOR(csr64, SPARSE_CSR, double, 64, 64)
SPARSE_TENSOR(csc, SPARSE_CSC, double, 32, 32)
SPARSE_TENSOR(dcsr, SPARSE_DCSR, double, 32, 32)
SPARSE_TENSOR(coo, SPARSE_COO_SOA, double, 32, 32)
SPARSE_TENSOR(shuffled, UNSORTED_COO, double, 32, 32)
SPARSE_TENSOR(bsr, SPARSE_BSR(2, 2), double, 32, 32)
SPARSE_TENSOR(ell, SPARSE_ELL(16), double, 32, 32)
SPARSE_TENSOR(dia, SPARSE_DIA, double, 32, 32)
SPARSE_TENSOR(csb, SPARSE_CSB(65536), double, 32, 32)
SPARSE_TENSOR(stripes, SPARSE_DIA_BLOCKS(512), double, 32, 32)
SPARSE_TENSOR(table64, SPARSE_DENSE_2D, double, 32, 32)
SPARSE_TENSOR(bits64, SPARSE_BITMAP_ROWS, double, 32, 32)
SPARSE_TENSOR(floats, SPARSE_CSR, float, 32, 32)
SPARSE_TENSOR(float_columns, SPARSE_CSC, float, 32, 32)
SPARSE_TENSOR(bytes, SPARSE_CSR, int8_t, 32, 32)
SPARSE_TENSOR(byte_columns, SPARSE_CSC, int8_t, 32, 32)
SPARSE_TENSOR(byte_blocks, SPARSE_BSR(2, 2), int8_t, 32, 32)
SPARSE_TENSOR(csf, SPARSE_CSF_3D, double, 32, 32)
SPARSE_TENSOR(turned, ((i, j, k), (compressed, k), (compressed, i), (compressed, j)), double, 32, 32)
SPARSE_TENSOR(coo3, SPARSE_COO_SOA_3D, double, 32, 32)

/* The source of a conversion, and the last result of each contestant. */
typedef struct data {
    sparse_tensor from, kit, hand;
    size_t *at; /* coordinates of `from`, if the row measures packing */
    char size[32];
} data;

static void by_kit(void *context, double *result)
{
    data *d = (data *)context;
    const sparse_tensor *const list = &d->from;
    sparse_free(&d->kit);
    if (d->at ? sparse_pack_untyped(&d->kit, list->dim, list->val.length, d->at, list->val.at, SPARSE_DUPLICATES_SUM)
              : sparse_convert(&d->kit, list))
        abort();
    fingerprint(&d->kit, result);
}

/* >>hand */
static void *make(sparse_buffer *b, size_t length, size_t size)
{
    b->at = malloc(length * size + 1);
    b->length = b->capacity = length;
    if (!b->at) abort();
    return b->at;
}
/* Frees the last result and allocates a new one for this number of rows and entries; returns the positions. */
static uint32_t *open_rows_of(data *d, size_t rows, size_t entries, size_t size)
{
    sparse_free(&d->hand);
    make(&d->hand.crd[1], entries, sizeof(uint32_t));
    make(&d->hand.val, entries, size);
    uint32_t *pos = (uint32_t *)make(&d->hand.pos[1], rows + 1, sizeof(uint32_t));
    memset(pos, 0, (rows + 1) * sizeof *pos);
    return pos;
}
static uint32_t *open_rows(data *d, size_t rows, size_t entries) { return open_rows_of(d, rows, entries, sizeof(double)); }
#define ARRAY(t, type, what) ((type *)(t)->what.at)
/* Turns counters into positions: after filling, each counter has the value at which the next one began. */
static void close_rows(uint32_t *pos, size_t rows)
{
    for (size_t i = rows; i > 0; i--) pos[i] = pos[i - 1];
    pos[0] = 0;
}

/* COO, sorted by rows, to CSR */
static void hand_coo_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length;
    uint32_t *pos = open_rows(d, rows, entries);
    const uint32_t *row = ARRAY(&d->from, uint32_t, crd[0]);
    for (size_t p = 0; p < entries; p++) pos[row[p] + 1]++;
    for (size_t i = 0; i < rows; i++) pos[i + 1] += pos[i];
    memcpy(d->hand.crd[1].at, d->from.crd[1].at, entries * sizeof(uint32_t));
    memcpy(d->hand.val.at, d->from.val.at, entries * sizeof(double));
    fingerprint(&d->hand, result);
}

/* COO in any order to CSR: sorted by columns, then by rows */
static void hand_shuffled_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1], entries = d->from.val.length;
    uint32_t *pos = open_rows(d, rows, entries), *end = (uint32_t *)calloc(columns + 1, sizeof *end);
    const uint32_t *row = ARRAY(&d->from, uint32_t, crd[0]), *column = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    struct {
        uint32_t row, column;
        double val;
    } *sorted = malloc((entries + 1) * sizeof *sorted);
    uint32_t *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    double *out = ARRAY(&d->hand, double, val);
    if (!end || !sorted) abort();
    for (size_t p = 0; p < entries; p++) pos[row[p] + 1]++, end[column[p] + 1]++;
    for (size_t j = 0; j < columns; j++) end[j + 1] += end[j];
    for (size_t i = 0; i < rows; i++) pos[i + 1] += pos[i];
    for (size_t p = 0; p < entries; p++) {
        const size_t q = end[column[p]]++;
        sorted[q].row = row[p], sorted[q].column = column[p], sorted[q].val = val[p];
    }
    for (size_t p = 0; p < entries; p++) {
        const size_t q = pos[sorted[p].row]++;
        crd[q] = sorted[p].column, out[q] = sorted[p].val;
    }
    close_rows(pos, rows);
    free(end);
    free(sorted);
    fingerprint(&d->hand, result);
}

/* CSR to CSC, for a value type */
#define TRANSPOSE(name, type)                                                                                               \
    static void name(void *context, double *result)                                                                         \
    {                                                                                                                       \
        data *d = (data *)context;                                                                                          \
        const size_t rows = d->from.dim[0], columns = d->from.dim[1], entries = d->from.val.length;                         \
        uint32_t *pos = open_rows_of(d, columns, entries, sizeof(type));                                                    \
        const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);               \
        const type *val = ARRAY(&d->from, type, val);                                                                       \
        uint32_t *crd = ARRAY(&d->hand, uint32_t, crd[1]);                                                                  \
        type *out = ARRAY(&d->hand, type, val);                                                                             \
        for (size_t p = 0; p < entries; p++) pos[from[p] + 1]++;                                                            \
        for (size_t j = 0; j < columns; j++) pos[j + 1] += pos[j];                                                          \
        for (size_t i = 0; i < rows; i++)                                                                                   \
            for (size_t p = start[i]; p < start[i + 1]; p++) {                                                              \
                const size_t q = pos[from[p]]++;                                                                            \
                crd[q] = (uint32_t)i, out[q] = val[p];                                                                      \
            }                                                                                                               \
        close_rows(pos, columns);                                                                                           \
        fingerprint(&d->hand, result);                                                                                      \
    }
TRANSPOSE(hand_csr_csc, double)
TRANSPOSE(hand_float_csr_csc, float)
TRANSPOSE(hand_byte_csr_csc, int8_t)

/* CSR to 2x2 blocks in two passes. The first marks block columns; the second merges the two sorted rows. */
#define TO_BLOCKS(name, type)                                                                                               \
    static void name(void *context, double *result)                                                                         \
    {                                                                                                                       \
        data *d = (data *)context;                                                                                          \
        const size_t rows = d->from.dim[0], columns = d->from.dim[1], outer = (rows + 1) / 2, inner = (columns + 1) / 2;    \
        const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);               \
        const type *val = ARRAY(&d->from, type, val);                                                                       \
        size_t *seen = (size_t *)calloc(inner + 1, sizeof *seen), blocks = 0;                                               \
        if (!seen) abort();                                                                                                 \
        for (size_t b = 0; b < outer; b++)                                                                                  \
            for (size_t p = start[2 * b]; p < start[2 * b + 2 < rows ? 2 * b + 2 : rows]; p++)                              \
                if (seen[from[p] / 2] != b + 1) seen[from[p] / 2] = b + 1, blocks++;                                        \
        sparse_free(&d->hand);                                                                                              \
        uint32_t *crd = (uint32_t *)make(&d->hand.crd[1], blocks, sizeof *crd);                                             \
        uint32_t *pos = (uint32_t *)make(&d->hand.pos[1], outer + 1, sizeof *pos);                                          \
        type *out = (type *)make(&d->hand.val, 4 * blocks, sizeof *out);                                                    \
        memset(out, 0, 4 * blocks * sizeof *out);                                                                           \
        memset(seen, 0, inner * sizeof *seen);                                                                              \
        pos[0] = 0;                                                                                                         \
        blocks = 0;                                                                                                         \
        for (size_t b = 0; b < outer; b++) {                                                                                \
            size_t p = start[2 * b], mid = start[2 * b + 1], q = mid, end = start[2 * b + 2 < rows ? 2 * b + 2 : rows];     \
            while (p < mid || q < end) {                                                                                    \
                const uint32_t j = p < mid && (q == end || from[p] / 2 <= from[q] / 2) ? from[p] / 2 : from[q] / 2;         \
                for (; p < mid && from[p] / 2 == j; p++) out[4 * blocks + from[p] % 2] = val[p];                            \
                for (; q < end && from[q] / 2 == j; q++) out[4 * blocks + 2 + from[q] % 2] = val[q];                        \
                crd[blocks++] = j;                                                                                          \
            }                                                                                                               \
            pos[b + 1] = (uint32_t)blocks;                                                                                  \
        }                                                                                                                   \
        free(seen);                                                                                                         \
        fingerprint(&d->hand, result);                                                                                      \
    }
TO_BLOCKS(hand_csr_bsr, double)
TO_BLOCKS(hand_byte_csr_bsr, int8_t)

/* CSR to DCSR */
static void hand_csr_dcsr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]);
    size_t stored = 0;
    for (size_t i = 0; i < rows; i++) stored += start[i] < start[i + 1];
    uint32_t *pos = open_rows(d, stored, entries), *row = (uint32_t *)make(&d->hand.crd[0], stored, sizeof *row);
    uint32_t *outer = (uint32_t *)make(&d->hand.pos[0], 2, sizeof *outer);
    outer[0] = 0, outer[1] = (uint32_t)stored;
    stored = 0;
    for (size_t i = 0; i < rows; i++)
        if (start[i] < start[i + 1]) row[stored] = (uint32_t)i, pos[++stored] = start[i + 1];
    memcpy(d->hand.crd[1].at, d->from.crd[1].at, entries * sizeof(uint32_t));
    memcpy(d->hand.val.at, d->from.val.at, entries * sizeof(double));
    fingerprint(&d->hand, result);
}

/* DCSR to CSR */
static void hand_dcsr_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length, stored = d->from.crd[0].length;
    const uint32_t *row = ARRAY(&d->from, uint32_t, crd[0]), *start = ARRAY(&d->from, uint32_t, pos[1]);
    uint32_t *pos = open_rows(d, rows, entries);
    size_t i = 0;
    for (size_t k = 0; k < stored; k++)
        while (i < row[k]) pos[++i] = start[k];
    while (i < rows) pos[++i] = start[stored];
    memcpy(d->hand.crd[1].at, d->from.crd[1].at, entries * sizeof(uint32_t));
    memcpy(d->hand.val.at, d->from.val.at, entries * sizeof(double));
    fingerprint(&d->hand, result);
}

/* CSR of 32 bits to CSR of 64 bits */
static void hand_widths(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    sparse_free(&d->hand);
    uint64_t *pos = (uint64_t *)make(&d->hand.pos[1], rows + 1, sizeof *pos);
    uint64_t *crd = (uint64_t *)make(&d->hand.crd[1], entries, sizeof *crd);
    for (size_t i = 0; i <= rows; i++) pos[i] = start[i];
    for (size_t p = 0; p < entries; p++) crd[p] = from[p];
    memcpy(make(&d->hand.val, entries, sizeof(double)), d->from.val.at, entries * sizeof(double));
    fingerprint(&d->hand, result);
}

/* CSR to ELL: slice k holds the k-th entry of every row */
static void hand_csr_ell(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length, slices = 16;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    sparse_free(&d->hand);
    uint32_t *pos = (uint32_t *)make(&d->hand.pos[2], slices * rows + 1, sizeof *pos);
    uint32_t *crd = (uint32_t *)make(&d->hand.crd[2], entries, sizeof *crd);
    double *out = (double *)make(&d->hand.val, entries, sizeof *out);
    uint32_t q = 0;
    pos[0] = 0;
    for (size_t k = 0; k < slices; k++)
        for (size_t i = 0; i < rows; i++) {
            const size_t p = start[i] + k;
            if (p < start[i + 1]) crd[q] = from[p], out[q++] = val[p];
            pos[k * rows + i + 1] = q;
        }
    fingerprint(&d->hand, result);
}

/* CSR to its non-empty diagonals */
static void hand_csr_dia(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1], most = rows + columns;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    uint32_t *slot = (uint32_t *)calloc(most, sizeof *slot), stored = 0;
    if (!slot) abort();
    for (size_t i = 0; i < rows; i++)
        for (size_t p = start[i]; p < start[i + 1]; p++) slot[from[p] + rows - 1 - i] = 1;
    for (size_t k = 0; k < most; k++) stored += slot[k];
    sparse_free(&d->hand);
    uint32_t *pos = (uint32_t *)make(&d->hand.pos[0], 2, sizeof *pos);
    uint32_t *crd = (uint32_t *)make(&d->hand.crd[0], stored, sizeof *crd);
    double *out = (double *)make(&d->hand.val, stored * rows, sizeof *out);
    pos[0] = 0, pos[1] = stored, stored = 0;
    for (size_t k = 0; k < most; k++)
        if (slot[k]) slot[k] = stored, crd[stored++] = (uint32_t)k;
    memset(out, 0, stored * rows * sizeof *out);
    for (size_t i = 0; i < rows; i++)
        for (size_t p = start[i]; p < start[i + 1]; p++) out[slot[from[p] + rows - 1 - i] * rows + i] = val[p];
    free(slot);
    fingerprint(&d->hand, result);
}

/* CSR to a grid of blocks of 65536: counted, then filled */
static void hand_csr_csb(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length, wide = (d->from.dim[1] + 65535) / 65536,
                 blocks = (rows + 65535) / 65536 * wide;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    sparse_free(&d->hand);
    uint32_t *pos = (uint32_t *)make(&d->hand.pos[2], blocks + 1, sizeof *pos);
    uint32_t *row = (uint32_t *)make(&d->hand.crd[2], entries, sizeof *row);
    uint32_t *column = (uint32_t *)make(&d->hand.crd[3], entries, sizeof *column);
    double *out = (double *)make(&d->hand.val, entries, sizeof *out);
    memset(pos, 0, (blocks + 1) * sizeof *pos);
    for (size_t i = 0; i < rows; i++)
        for (size_t p = start[i]; p < start[i + 1]; p++) pos[i / 65536 * wide + from[p] / 65536 + 1]++;
    for (size_t b = 0; b < blocks; b++) pos[b + 1] += pos[b];
    for (size_t i = 0; i < rows; i++)
        for (size_t p = start[i]; p < start[i + 1]; p++) {
            const size_t q = pos[i / 65536 * wide + from[p] / 65536]++;
            row[q] = i % 65536, column[q] = from[p] % 65536, out[q] = val[p];
        }
    close_rows(pos, blocks);
    fingerprint(&d->hand, result);
}

/* 2x2 blocks to CSR, row by row; zeros are left out */
static void hand_bsr_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1], values = d->from.val.length;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    size_t n = 0;
    for (size_t p = 0; p < values; p++) n += val[p] != 0;
    uint32_t *pos = open_rows(d, rows, n), *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    double *out = ARRAY(&d->hand, double, val);
    n = 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t b = start[i / 2]; b < start[i / 2 + 1]; b++)
            for (uint32_t k = 0; k < 2; k++) {
                const double v = val[4 * b + 2 * (i % 2) + k];
                if (v != 0 && 2 * from[b] + k < columns) crd[n] = 2 * from[b] + k, out[n++] = v;
            }
        pos[i + 1] = (uint32_t)n;
    }
    fingerprint(&d->hand, result);
}

/* Diagonals to CSR, row by row; zeros are left out */
static void hand_dia_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1], values = d->from.val.length,
                 stored = d->from.crd[0].length;
    const uint32_t *from = ARRAY(&d->from, uint32_t, crd[0]);
    const double *val = ARRAY(&d->from, double, val);
    size_t n = 0;
    for (size_t p = 0; p < values; p++) n += val[p] != 0;
    uint32_t *pos = open_rows(d, rows, n), *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    double *out = ARRAY(&d->hand, double, val);
    n = 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < stored; k++) {
            const size_t j = from[k] + i - (rows - 1);
            const double v = val[k * rows + i];
            if (v != 0 && j < columns) crd[n] = (uint32_t)j, out[n++] = v;
        }
        pos[i + 1] = (uint32_t)n;
    }
    fingerprint(&d->hand, result);
}

/* CSR to diagonals in blocks of 512 rows: marks the diagonals of a block, and sorts them */
static void hand_csr_stripes(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], most = rows + d->from.dim[1], blocks = (rows + 511) / 512;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    uint32_t *mark = (uint32_t *)calloc(most, sizeof *mark), *slot = (uint32_t *)malloc(most * sizeof *slot), *crd = NULL;
    double *out = NULL;
    if (!mark || !slot) abort();
    sparse_free(&d->hand);
    uint32_t *pos = (uint32_t *)make(&d->hand.pos[1], blocks + 1, sizeof *pos);
    for (int fills = 0; fills < 2; fills++) {
        size_t n = 0;
        pos[0] = 0;
        for (size_t b = 0; b < blocks; b++) {
            const size_t first = 512 * b, last = first + 512 < rows ? first + 512 : rows, begun = n;
            const uint32_t here = (uint32_t)(2 * b + 1) + (uint32_t)fills;
            for (size_t i = first; i < last; i++)
                for (size_t p = start[i]; p < start[i + 1]; p++) {
                    const uint32_t k = from[p] + (uint32_t)(rows - 1 - i);
                    if (mark[k] == here) continue;
                    mark[k] = here;
                    if (fills) crd[n] = k;
                    n++;
                }
            if (fills) {
                qsort(crd + begun, n - begun, sizeof *crd, bench_compare_u32);
                for (size_t q = begun; q < n; q++) slot[crd[q]] = (uint32_t)q;
                memset(out + 512 * begun, 0, 512 * (n - begun) * sizeof *out);
                for (size_t i = first; i < last; i++)
                    for (size_t p = start[i]; p < start[i + 1]; p++)
                        out[512 * (size_t)slot[from[p] + (rows - 1 - i)] + i - first] = val[p];
            }
            pos[b + 1] = (uint32_t)n;
        }
        if (fills) break;
        crd = (uint32_t *)make(&d->hand.crd[1], n, sizeof *crd);
        out = (double *)make(&d->hand.val, 512 * n, sizeof *out);
        memset(mark, 0, most * sizeof *mark);
    }
    free(mark);
    free(slot);
    fingerprint(&d->hand, result);
}

/* CSR to COO with separate arrays of rows and columns */
static void hand_csr_coo(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]);
    sparse_free(&d->hand);
    uint32_t *pos = (uint32_t *)make(&d->hand.pos[0], 2, sizeof *pos);
    uint32_t *row = (uint32_t *)make(&d->hand.crd[0], entries, sizeof *row);
    pos[0] = 0, pos[1] = (uint32_t)entries;
    for (size_t i = 0; i < rows; i++)
        for (size_t p = start[i]; p < start[i + 1]; p++) row[p] = (uint32_t)i;
    memcpy(make(&d->hand.crd[1], entries, sizeof(uint32_t)), d->from.crd[1].at, entries * sizeof(uint32_t));
    memcpy(make(&d->hand.val, entries, sizeof(double)), d->from.val.at, entries * sizeof(double));
    fingerprint(&d->hand, result);
}

/* CSR of 64 bits to CSR of 32 bits */
static void hand_narrow(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length;
    const uint64_t *start = ARRAY(&d->from, uint64_t, pos[1]), *from = ARRAY(&d->from, uint64_t, crd[1]);
    uint32_t *pos = open_rows(d, rows, entries), *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    for (size_t i = 0; i <= rows; i++) pos[i] = (uint32_t)start[i];
    for (size_t p = 0; p < entries; p++) crd[p] = (uint32_t)from[p];
    memcpy(d->hand.val.at, d->from.val.at, entries * sizeof(double));
    fingerprint(&d->hand, result);
}

/* ELL to CSR: collects the entries of each row from the slices */
static void hand_ell_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length, slices = 16;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[2]), *from = ARRAY(&d->from, uint32_t, crd[2]);
    const double *val = ARRAY(&d->from, double, val);
    uint32_t *pos = open_rows(d, rows, entries), *crd = ARRAY(&d->hand, uint32_t, crd[1]), n = 0;
    double *out = ARRAY(&d->hand, double, val);
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = i; k < slices * rows && start[k] < start[k + 1]; k += rows)
            crd[n] = from[start[k]], out[n++] = val[start[k]];
        pos[i + 1] = n;
    }
    fingerprint(&d->hand, result);
}

/* A grid of blocks of 65536 to CSR: counted, then filled */
static void hand_csb_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], entries = d->from.val.length, wide = (d->from.dim[1] + 65535) / 65536,
                 blocks = (rows + 65535) / 65536 * wide;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[2]), *row = ARRAY(&d->from, uint32_t, crd[2]),
                   *column = ARRAY(&d->from, uint32_t, crd[3]);
    const double *val = ARRAY(&d->from, double, val);
    uint32_t *pos = open_rows(d, rows, entries), *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    double *out = ARRAY(&d->hand, double, val);
    for (size_t b = 0; b < blocks; b++)
        for (size_t p = start[b]; p < start[b + 1]; p++) pos[b / wide * 65536 + row[p] + 1]++;
    for (size_t i = 0; i < rows; i++) pos[i + 1] += pos[i];
    for (size_t b = 0; b < blocks; b++)
        for (size_t p = start[b]; p < start[b + 1]; p++) {
            const size_t q = pos[b / wide * 65536 + row[p]]++;
            crd[q] = (uint32_t)(b % wide * 65536) + column[p], out[q] = val[p];
        }
    close_rows(pos, rows);
    fingerprint(&d->hand, result);
}

/* 2x2 blocks to CSC: counted, then filled row by row; zeros are left out */
static void hand_bsr_csc(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1], blocks = d->from.crd[1].length;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    size_t n = 0;
    for (size_t p = 0; p < 4 * blocks; p++) n += val[p] != 0;
    uint32_t *pos = open_rows(d, columns + 2, n), *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    double *out = ARRAY(&d->hand, double, val);
    for (size_t b = 0; b < blocks; b++)
        for (size_t k = 0; k < 4; k++) pos[2 * from[b] + k % 2 + 1] += val[4 * b + k] != 0;
    for (size_t j = 0; j < columns; j++) pos[j + 1] += pos[j];
    for (size_t i = 0; i < rows; i++)
        for (size_t b = start[i / 2]; b < start[i / 2 + 1]; b++)
            for (uint32_t k = 0; k < 2; k++) {
                const double v = val[4 * b + 2 * (i % 2) + k];
                if (v != 0) {
                    const size_t q = pos[2 * from[b] + k]++;
                    crd[q] = (uint32_t)i, out[q] = v;
                }
            }
    close_rows(pos, columns);
    d->hand.pos[1].length = columns + 1;
    fingerprint(&d->hand, result);
}

/* CSC to 2x2 blocks: counted, with a mark for each row of blocks, then filled */
static void hand_csc_bsr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t columns = d->from.dim[1], outer = (d->from.dim[0] + 1) / 2;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    uint32_t *seen = (uint32_t *)calloc(2 * outer + 1, sizeof *seen), *slot = seen + outer;
    if (!seen) abort();
    sparse_free(&d->hand);
    uint32_t *pos = (uint32_t *)make(&d->hand.pos[1], outer + 1, sizeof *pos);
    memset(pos, 0, (outer + 1) * sizeof *pos);
    for (size_t j = 0; j < columns; j++)
        for (size_t p = start[j]; p < start[j + 1]; p++)
            if (seen[from[p] / 2] != j / 2 + 1) seen[from[p] / 2] = (uint32_t)(j / 2 + 1), pos[from[p] / 2 + 1]++;
    for (size_t b = 0; b < outer; b++) pos[b + 1] += pos[b];
    const size_t blocks = pos[outer];
    uint32_t *crd = (uint32_t *)make(&d->hand.crd[1], blocks, sizeof *crd);
    double *out = (double *)make(&d->hand.val, 4 * blocks, sizeof *out);
    memset(out, 0, 4 * blocks * sizeof *out);
    memset(seen, 0, outer * sizeof *seen);
    for (size_t j = 0; j < columns; j++)
        for (size_t p = start[j]; p < start[j + 1]; p++) {
            const size_t b = from[p] / 2;
            if (seen[b] != j / 2 + 1) {
                seen[b] = (uint32_t)(j / 2 + 1), slot[b] = pos[b]++;
                crd[slot[b]] = (uint32_t)(j / 2);
            }
            out[4 * (size_t)slot[b] + 2 * (from[p] % 2) + j % 2] = val[p];
        }
    close_rows(pos, outer);
    free(seen);
    fingerprint(&d->hand, result);
}

/* CSR to a dense matrix, and to one with a bitmap; and back */
static void hand_csr_table(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1];
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    sparse_free(&d->hand);
    double *out = (double *)make(&d->hand.val, rows * columns, sizeof *out);
    memset(out, 0, rows * columns * sizeof *out);
    for (size_t i = 0; i < rows; i++)
        for (size_t p = start[i]; p < start[i + 1]; p++) out[i * columns + from[p]] = val[p];
    fingerprint(&d->hand, result);
}
static void hand_csr_bits(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1], words = (rows * columns + 31) / 32;
    const uint32_t *start = ARRAY(&d->from, uint32_t, pos[1]), *from = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    sparse_free(&d->hand);
    double *out = (double *)make(&d->hand.val, rows * columns, sizeof *out);
    uint32_t *bit = (uint32_t *)make(&d->hand.crd[1], words, sizeof *bit);
    memset(out, 0, rows * columns * sizeof *out);
    memset(bit, 0, words * sizeof *bit);
    for (size_t i = 0; i < rows; i++)
        for (size_t p = start[i]; p < start[i + 1]; p++) {
            const size_t q = i * columns + from[p];
            bit[q / 32] |= UINT32_C(1) << q % 32, out[q] = val[p];
        }
    fingerprint(&d->hand, result);
}
static void hand_table_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1];
    const double *val = ARRAY(&d->from, double, val);
    size_t n = 0;
    for (size_t p = 0; p < rows * columns; p++) n += val[p] != 0;
    uint32_t *pos = open_rows(d, rows, n), *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    double *out = ARRAY(&d->hand, double, val);
    n = 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++)
            if (val[i * columns + j] != 0) crd[n] = (uint32_t)j, out[n++] = val[i * columns + j];
        pos[i + 1] = (uint32_t)n;
    }
    fingerprint(&d->hand, result);
}
static void hand_bits_csr(void *context, double *result)
{
    data *d = (data *)context;
    const size_t rows = d->from.dim[0], columns = d->from.dim[1], words = d->from.crd[1].length;
    const uint32_t *bit = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    size_t n = 0;
    for (size_t w = 0; w < words; w++)
        for (uint32_t word = bit[w]; word; word &= word - 1) n++;
    uint32_t *pos = open_rows(d, rows, n), *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    double *out = ARRAY(&d->hand, double, val);
    n = 0;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            const size_t q = i * columns + j;
            if (bit[q / 32] >> q % 32 & 1) crd[n] = (uint32_t)j, out[n++] = val[q];
        }
        pos[i + 1] = (uint32_t)n;
    }
    fingerprint(&d->hand, result);
}

/* three dimensions: CSF to COO, and back */
static void open_list(data *d, size_t entries)
{
    sparse_free(&d->hand);
    uint32_t *pos = (uint32_t *)make(&d->hand.pos[0], 2, sizeof *pos);
    pos[0] = 0, pos[1] = (uint32_t)entries;
    for (unsigned l = 0; l < 3; l++) make(&d->hand.crd[l], entries, sizeof(uint32_t));
    make(&d->hand.val, entries, sizeof(double));
}
static void hand_csf_coo(void *context, double *result)
{
    data *d = (data *)context;
    const size_t entries = d->from.val.length;
    const uint32_t *second = ARRAY(&d->from, uint32_t, pos[1]), *third = ARRAY(&d->from, uint32_t, pos[2]),
                   *i = ARRAY(&d->from, uint32_t, crd[0]), *j = ARRAY(&d->from, uint32_t, crd[1]);
    open_list(d, entries);
    uint32_t *row = ARRAY(&d->hand, uint32_t, crd[0]), *column = ARRAY(&d->hand, uint32_t, crd[1]);
    for (size_t a = 0; a < d->from.crd[0].length; a++)
        for (size_t b = second[a]; b < second[a + 1]; b++)
            for (size_t c = third[b]; c < third[b + 1]; c++) row[c] = i[a], column[c] = j[b];
    memcpy(d->hand.crd[2].at, d->from.crd[2].at, entries * sizeof(uint32_t));
    memcpy(d->hand.val.at, d->from.val.at, entries * sizeof(double));
    fingerprint(&d->hand, result);
}
/* COO sorted by a, b, c to CSF; the caller fills the last level */
static void fibers(data *d, size_t entries, const uint32_t *a, const uint32_t *b)
{
    size_t first = 0, second = 0;
    for (size_t p = 0; p < entries; p++) {
        const bool other = p == 0 || a[p] != a[p - 1];
        first += other, second += other || b[p] != b[p - 1];
    }
    uint32_t *pos0 = (uint32_t *)make(&d->hand.pos[0], 2, 4), *crd0 = (uint32_t *)make(&d->hand.crd[0], first, 4),
             *pos1 = (uint32_t *)make(&d->hand.pos[1], first + 1, 4), *crd1 = (uint32_t *)make(&d->hand.crd[1], second, 4),
             *pos2 = (uint32_t *)make(&d->hand.pos[2], second + 1, 4);
    pos0[0] = 0, pos0[1] = (uint32_t)first;
    first = second = 0;
    for (size_t p = 0; p < entries; p++) {
        const bool other = p == 0 || a[p] != a[p - 1];
        if (other) crd0[first] = a[p], pos1[first++] = (uint32_t)second;
        if (other || b[p] != b[p - 1]) crd1[second] = b[p], pos2[second++] = (uint32_t)p;
    }
    pos1[first] = (uint32_t)second, pos2[second] = (uint32_t)entries;
}
static void hand_coo_csf(void *context, double *result)
{
    data *d = (data *)context;
    const size_t entries = d->from.val.length;
    sparse_free(&d->hand);
    fibers(d, entries, ARRAY(&d->from, uint32_t, crd[0]), ARRAY(&d->from, uint32_t, crd[1]));
    memcpy(make(&d->hand.crd[2], entries, sizeof(uint32_t)), d->from.crd[2].at, entries * sizeof(uint32_t));
    memcpy(make(&d->hand.val, entries, sizeof(double)), d->from.val.at, entries * sizeof(double));
    fingerprint(&d->hand, result);
}
/* CSF to CSF with the innermost dimension outermost: counted, then filled */
static void hand_csf_turned(void *context, double *result)
{
    data *d = (data *)context;
    const size_t entries = d->from.val.length, depth = d->from.dim[2];
    const uint32_t *second = ARRAY(&d->from, uint32_t, pos[1]), *third = ARRAY(&d->from, uint32_t, pos[2]),
                   *i = ARRAY(&d->from, uint32_t, crd[0]), *j = ARRAY(&d->from, uint32_t, crd[1]),
                   *k = ARRAY(&d->from, uint32_t, crd[2]);
    const double *val = ARRAY(&d->from, double, val);
    uint32_t *next = (uint32_t *)calloc(depth + 1, 4), *a = (uint32_t *)malloc(4 * entries + 1),
             *b = (uint32_t *)malloc(4 * entries + 1);
    if (!next || !a || !b) abort();
    sparse_free(&d->hand);
    uint32_t *c = (uint32_t *)make(&d->hand.crd[2], entries, sizeof *c);
    double *out = (double *)make(&d->hand.val, entries, sizeof *out);
    for (size_t p = 0; p < entries; p++) next[k[p] + 1]++;
    for (size_t n = 0; n < depth; n++) next[n + 1] += next[n];
    for (size_t x = 0; x < d->from.crd[0].length; x++)
        for (size_t y = second[x]; y < second[x + 1]; y++)
            for (size_t z = third[y]; z < third[y + 1]; z++) {
                const size_t q = next[k[z]]++;
                a[q] = k[z], b[q] = i[x], c[q] = j[y], out[q] = val[z];
            }
    fibers(d, entries, a, b);
    free(next);
    free(a);
    free(b);
    fingerprint(&d->hand, result);
}

/* COO with repeated entries: sorted by columns, where marks of rows find repetitions, then by rows, as Eigen does. */
static void hand_plate(void *context, double *result)
{
    data *d = (data *)context;
    const size_t n = d->from.dim[0], entries = d->from.val.length;
    const uint32_t *i = ARRAY(&d->from, uint32_t, crd[0]), *j = ARRAY(&d->from, uint32_t, crd[1]);
    const double *val = ARRAY(&d->from, double, val);
    uint32_t *end = (uint32_t *)calloc(n + 1, sizeof *end), *row = (uint32_t *)malloc(entries * sizeof *row + 1);
    uint32_t *mark = (uint32_t *)calloc(n + 1, sizeof *mark), united = 0;
    double *sum = (double *)malloc(entries * sizeof *sum + 1);
    if (!end || !row || !mark || !sum) abort();
    for (size_t k = 0; k < entries; k++) end[d->at ? d->at[2 * k + 1] + 1 : j[k] + 1]++;
    for (size_t k = 0; k < n; k++) end[k + 1] += end[k];
    for (size_t k = 0; k < entries; k++) {
        const uint32_t p = end[d->at ? d->at[2 * k + 1] : j[k]]++;
        row[p] = d->at ? (uint32_t)d->at[2 * k] : i[k], sum[p] = val[k];
    }
    for (size_t k = 0, p = 0; k < n; end[k++] = united)
        for (const uint32_t begin = united, stop = end[k]; p < stop; p++) {
            uint32_t *const last = mark + row[p];
            if (*last > begin)
                sum[*last - 1] += sum[p];
            else
                row[united] = row[p], sum[united] = sum[p], *last = ++united;
        }
    uint32_t *pos = open_rows(d, n, united), *crd = ARRAY(&d->hand, uint32_t, crd[1]);
    double *out = ARRAY(&d->hand, double, val);
    for (size_t p = 0; p < united; p++) pos[row[p] + 1]++;
    for (size_t k = 0; k < n; k++) pos[k + 1] += pos[k];
    for (size_t k = 0, p = 0; k < n; k++)
        for (; p < end[k]; p++) {
            const uint32_t q = pos[row[p]]++;
            crd[q] = (uint32_t)k, out[q] = sum[p];
        }
    close_rows(pos, n);
    free(end), free(row), free(mark), free(sum);
    fingerprint(&d->hand, result);
}

/* Eigen converts its own matrices. eigen_... computes the number and the sum of the array elements for the comparison. */
#if BENCH_EIGEN
extern void *eigen_rows(size_t rows, size_t columns, const uint32_t *pos, const uint32_t *crd, const double *val);
extern void eigen_free(void *matrix);
extern void eigen_transpose(const void *matrix, void **result);
extern void eigen_triplets(size_t rows, size_t columns, size_t entries, const uint32_t *row, const uint32_t *column,
                           const double *val, void **result);
static void *eigen_from, *eigen_to;
static void eigen_csr_csc(void *context, double *result)
{
    data *d = (data *)context;
    if (!eigen_from)
        eigen_from = eigen_rows(d->from.dim[0], d->from.dim[1], ARRAY(&d->from, uint32_t, pos[1]),
                                ARRAY(&d->from, uint32_t, crd[1]), ARRAY(&d->from, double, val));
    eigen_transpose(eigen_from, &eigen_to);
    fingerprint(&d->kit, result);
}
static void eigen_coo_csr(void *context, double *result)
{
    data *d = (data *)context;
    eigen_triplets(d->from.dim[0], d->from.dim[1], d->from.val.length, ARRAY(&d->from, uint32_t, crd[0]),
                   ARRAY(&d->from, uint32_t, crd[1]), ARRAY(&d->from, double, val), &eigen_to);
    fingerprint(&d->kit, result);
}
#else
    #define eigen_csr_csc NULL
    #define eigen_coo_csr NULL
#endif

/* >>data */

/* d->from = a matrix in this encoding with about `entries` entries, 16 in a row. */
static void from_rows(data *d, const sparse_encoding *e, bench_csr m)
{
    sparse_tensor rows = {0};
    sparse_arrays arrays;
    const size_t dim[2] = {m.rows, m.columns}, entries = bench_csr_entries(&m);
    sparse_encoding wanted = csr_encoding;
    wanted.kind = e->kind, wanted.value_size = e->value_size;
    rows.encoding = &wanted;
    if (e->kind != SPARSE_F64)
        for (size_t p = 0; p < entries; p++) { /* coordinates */
            const float x = (float)m.val[p];
            const int8_t byte = (int8_t)(1 + p % 100);
            memcpy((char *)m.val + p * e->value_size, e->kind == SPARSE_F32 ? (const void *)&x : &byte, e->value_size);
        }
    memset(&arrays, 0, sizeof arrays);
    arrays.pos[1] = (sparse_array)SPARSE_ARRAY(m.pos, m.rows + 1);
    arrays.crd[1] = (sparse_array)SPARSE_ARRAY(m.crd, entries);
    arrays.val = (sparse_array)SPARSE_ARRAY(m.val, entries);
    arrays.val.kind = e->kind, arrays.val.size = e->value_size;
    if (sparse_assemble(&rows, dim, &arrays, SPARSE_BORROW, NULL)) abort();
    d->from.encoding = e;
    if (sparse_convert(&d->from, &rows)) abort();
    snprintf(d->size, sizeof d->size, "%.1e entries", (double)sparse_entries(&d->from));
    bench_csr_free(&m);
}
static void uniform(data *d, const sparse_encoding *e, size_t entries)
{
    from_rows(d, e, bench_uniform_wide(entries / 16, entries / 16, 16, 1));
}
/* 64 columns, a quarter of the elements stored */
static void narrow(data *d, const sparse_encoding *e, size_t entries)
{
    from_rows(d, e, bench_uniform_wide(entries / 64, 64, 16, 9));
}
/* 2x2 blocks, eight in a row */
static void blocks(data *d, const sparse_encoding *e, size_t entries)
{
    const size_t half = entries / 32;
    bench_csr m = bench_uniform_wide(half, half, 8, 2), b = bench_csr_open(2 * half, 2 * half, 4 * bench_csr_entries(&m));
    for (size_t i = 0; i < 2 * half; i++) {
        b.pos[i + 1] = b.pos[i];
        for (size_t p = m.pos[i / 2]; p < m.pos[i / 2 + 1]; p++)
            for (uint32_t k = 0; k < 2; k++) b.crd[b.pos[i + 1]++] = 2 * m.crd[p] + k;
    }
    bench_fill(&b, 3);
    bench_csr_free(&m);
    from_rows(d, e, b);
}
/* sixteen diagonals */
static void banded(data *d, const sparse_encoding *e, size_t entries)
{
    const size_t rows = entries / 16;
    bench_csr m = bench_csr_open(rows, rows, 16 * rows);
    for (size_t i = 0; i < rows; i++) {
        m.pos[i + 1] = m.pos[i];
        for (size_t k = 0; k < 16; k++) {
            const size_t j = i + k * k; /* 8 rows below the first of them */
            if (j >= 8 && j - 8 < rows) m.crd[m.pos[i + 1]++] = (uint32_t)(j - 8);
        }
    }
    bench_fill(&m, 6);
    from_rows(d, e, m);
}
/* every third row is empty */
static void gaps(data *d, const sparse_encoding *e, size_t entries)
{
    bench_csr m = bench_uniform_wide(entries / 16, entries / 16, 16, 4);
    for (size_t i = 0, p = 0, start = 0; i < m.rows; i++) {
        const size_t end = m.pos[i + 1];
        if (i % 3 != 1)
            for (size_t q = start; q < end; q++, p++) m.crd[p] = m.crd[q], m.val[p] = m.val[q];
        m.pos[i + 1] = (uint32_t)p;
        start = end;
    }
    from_rows(d, e, m);
}
/* one of twenty rows has ten entries, the others none */
static void thin(data *d, const sparse_encoding *e, size_t entries)
{
    const size_t rows = 2 * entries;
    bench_random r = {7};
    bench_csr m = bench_csr_open(rows, 10000, entries + 10);
    for (size_t i = 0, p = 0; i < rows; i++) {
        if (bench_below_n(&r, 20) == 0 && p + 10 <= entries)
            for (uint32_t k = 0; k < 10; k++) m.crd[p++] = 1000 * k + (uint32_t)bench_below_n(&r, 1000);
        m.pos[i + 1] = (uint32_t)p;
    }
    bench_fill(&m, 8);
    from_rows(d, e, m);
}
/* slices of eight fibers of eight entries each */
static void cubic(data *d, const sparse_encoding *e, size_t entries)
{
    const size_t slices = entries / 64, dim[3] = {slices, slices, slices};
    bench_csr rows = bench_uniform_wide(slices, slices, 8, 10), fibers = bench_uniform_wide(8 * slices, slices, 8, 11);
    size_t *at = (size_t *)malloc(3 * entries * sizeof *at + 1), n = 0;
    double *val = (double *)malloc(entries * sizeof *val + 1);
    if (!at || !val) abort();
    for (size_t i = 0; i < slices; i++)
        for (size_t p = rows.pos[i]; p < rows.pos[i + 1]; p++)
            for (size_t q = fibers.pos[p]; q < fibers.pos[p + 1]; q++, n++)
                at[3 * n] = i, at[3 * n + 1] = rows.crd[p], at[3 * n + 2] = fibers.crd[q], val[n] = fibers.val[q];
    d->from.encoding = e;
    if (sparse_pack_untyped(&d->from, dim, n, at, val, SPARSE_DUPLICATES_ERROR)) abort();
    snprintf(d->size, sizeof d->size, "%.1e entries", (double)n);
    free(at);
    free(val);
    bench_csr_free(&rows);
    bench_csr_free(&fibers);
}
static void shuffle(data *d, const sparse_encoding *e, size_t entries)
{
    bench_random r = {5};
    uniform(d, e, entries);
    uint32_t *row = ARRAY(&d->from, uint32_t, crd[0]), *column = ARRAY(&d->from, uint32_t, crd[1]);
    double *val = ARRAY(&d->from, double, val);
    for (size_t k = d->from.val.length; k > 1; k--) {
        const size_t other = bench_below_n(&r, k);
        const uint32_t i = row[k - 1], j = column[k - 1];
        const double v = val[k - 1];
        row[k - 1] = row[other], column[k - 1] = column[other], val[k - 1] = val[other];
        row[other] = i, column[other] = j, val[other] = v;
    }
}

/* the entries of a finite element plate, 16 for each square, 1.8 on average for each element; as COO, or to be packed */
static void list_of_plate(data *d, const sparse_encoding *e, size_t entries)
{
    size_t side = 1, n = 0;
    while (16 * (side + 1) * (side + 1) <= entries) side++;
    const size_t line = side + 1, dim[2] = {line * line, line * line}, count = 16 * side * side;
    size_t *const at = (size_t *)malloc(2 * count * sizeof *at);
    double *const val = (double *)malloc(count * sizeof *val);
    if (!at || !val) abort();
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++)
            for (size_t k = 0; k < 16; k++, n++) {
                const size_t a = k / 4, b = k % 4;
                at[2 * n] = (y + a / 2) * line + x + a % 2, at[2 * n + 1] = (y + b / 2) * line + x + b % 2;
                val[n] = 1 / (double)(n + 1);
            }
    d->from.encoding = e;
    if (sparse_pack_untyped(&d->from, dim, count, at, val, SPARSE_DUPLICATES_KEEP)) abort();
    uint32_t *const row = ARRAY(&d->from, uint32_t, crd[0]), *const column = ARRAY(&d->from, uint32_t, crd[1]);
    for (size_t k = 0; k < count; k++) row[k] = (uint32_t)at[2 * k], column[k] = (uint32_t)at[2 * k + 1];
    memcpy(d->from.val.at, val, count * sizeof *val);
    snprintf(d->size, sizeof d->size, "%.1e triplets", (double)count);
    d->at = at;
    free(val);
}
static void list_kept(data *d, const sparse_encoding *e, size_t entries)
{
    list_of_plate(d, e, entries);
    free(d->at);
    d->at = NULL;
}

/* >>rows */
typedef struct row {
    const char *name;
    void (*fill)(data *d, const sparse_encoding *e, size_t entries);
    const sparse_encoding *from, *to;
    double goal;
    void (*other[2])(void *context, double *result);
} row;
static const row table[] = {
    {"COO to CSR", uniform, &coo_encoding, &csr_encoding, 1, {hand_coo_csr}},
    {"shuffled COO to CSR", shuffle, &shuffled_encoding, &csr_encoding, 1, {hand_shuffled_csr, eigen_coo_csr}},
    {"triplets of a plate, packed", list_of_plate, &shuffled_encoding, &csr_encoding, 0.9, {hand_plate, eigen_coo_csr}},
    {"list of a plate to CSR", list_kept, &shuffled_encoding, &csr_encoding, 0.9, {hand_plate, eigen_coo_csr}},
    {"CSR to CSC", uniform, &csr_encoding, &csc_encoding, 1, {hand_csr_csc, eigen_csr_csc}},
    {"CSR to BSR 2x2", blocks, &csr_encoding, &bsr_encoding, 1, {hand_csr_bsr}},
    {"CSR to ELL", uniform, &csr_encoding, &ell_encoding, 1, {hand_csr_ell}},
    {"CSR to DIA", banded, &csr_encoding, &dia_encoding, 1, {hand_csr_dia}},
    {"CSR to DIA in blocks of 512", banded, &csr_encoding, &stripes_encoding, 1, {hand_csr_stripes}},
    {"CSR to a grid of 65536", uniform, &csr_encoding, &csb_encoding, 1, {hand_csr_csb}},
    {"BSR 2x2 to CSR", blocks, &bsr_encoding, &csr_encoding, 1, {hand_bsr_csr}},
    {"DIA to CSR", banded, &dia_encoding, &csr_encoding, 1, {hand_dia_csr}},
    {"CSR to DCSR", gaps, &csr_encoding, &dcsr_encoding, 1, {hand_csr_dcsr}},
    {"CSR to DCSR, 1 of 20 rows", thin, &csr_encoding, &dcsr_encoding, 1, {hand_csr_dcsr}},
    {"DCSR to CSR, 1 of 20 rows", thin, &dcsr_encoding, &csr_encoding, 1.2, {hand_dcsr_csr}},
    {"CSR 32 to 64 bits", uniform, &csr_encoding, &csr64_encoding, 1, {hand_widths}},
    {"CSR 64 to 32 bits", uniform, &csr64_encoding, &csr_encoding, 1, {hand_narrow}},
    {"CSR to COO", uniform, &csr_encoding, &coo_encoding, 1, {hand_csr_coo}},
    {"ELL to CSR", uniform, &ell_encoding, &csr_encoding, 1, {hand_ell_csr}},
    {"a grid of 65536 to CSR", uniform, &csb_encoding, &csr_encoding, 1, {hand_csb_csr}},
    {"BSR 2x2 to CSC", blocks, &bsr_encoding, &csc_encoding, 1, {hand_bsr_csc}},
    {"CSC to BSR 2x2", blocks, &csc_encoding, &bsr_encoding, 1, {hand_csc_bsr}},
    {"float, CSR to CSC", uniform, &floats_encoding, &float_columns_encoding, 1, {hand_float_csr_csc}},
    {"int8, CSR to CSC", uniform, &bytes_encoding, &byte_columns_encoding, 1, {hand_byte_csr_csc}},
    {"int8, CSR to BSR 2x2", blocks, &bytes_encoding, &byte_blocks_encoding, 1, {hand_byte_csr_bsr}},
    {"CSR to dense, 64 columns", narrow, &csr_encoding, &table64_encoding, 1, {hand_csr_table}},
    {"dense to CSR, 64 columns", narrow, &table64_encoding, &csr_encoding, 1, {hand_table_csr}},
    {"CSR to bitmap, 64 columns", narrow, &csr_encoding, &bits64_encoding, 1, {hand_csr_bits}},
    {"bitmap to CSR, 64 columns", narrow, &bits64_encoding, &csr_encoding, 1, {hand_bits_csr}},
    {"CSF to COO, 3-D", cubic, &csf_encoding, &coo3_encoding, 1, {hand_csf_coo}},
    {"COO to CSF, 3-D", cubic, &coo3_encoding, &csf_encoding, 1, {hand_coo_csf}},
    {"CSF (i,j,k) to CSF (k,i,j)", cubic, &csf_encoding, &turned_encoding, 1, {hand_csf_turned}},
};

enum { ROWS = sizeof table / sizeof *table, SIZES = 3 };
static double nanoseconds[ROWS][SIZES]; /* per entry */

static void run_row(const row *r, size_t entries, double *each)
{
    data d;
    memset(&d, 0, sizeof d);
    r->fill(&d, r->from, entries);
    d.kit.encoding = d.hand.encoding = r->to;
    bench_contest c = {.workload = r->name,
                       .size = d.size,
                       .goal = r->goal,
                       .length = PRINTS,
                       .context = &d,
                       .contestant = {{"kit", by_kit}, {"loop", r->other[0]}, {"Eigen", r->other[1]}},
                       .all = r->other[1] != NULL};
    bench_run(&c);
    *each = 1e9 * bench_last_seconds / (double)(d.from.val.length + 1);
    sparse_free(&d.from);
    sparse_free(&d.kit);
    sparse_free(&d.hand);
    free(d.at);
#if BENCH_EIGEN
    eigen_free(eigen_from), eigen_free(eigen_to);
    eigen_from = eigen_to = NULL;
#endif
}

int main(int argc, char **argv)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
    bench_header("conversions, warm heap");
    for (size_t k = 0; k < ROWS; k++)
        for (size_t n = 0, entries = 1000000; n < SIZES; n++, entries *= 4) {
            bool wanted = argc == 1;
            for (int a = 1; a < argc; a++) wanted = wanted || strstr(table[k].name, argv[a]);
            if (wanted && (n == 0 || !bench_is_quick())) run_row(&table[k], bench_size(entries, 4000), &nanoseconds[k][n]);
        }
    if (!bench_is_quick()) {
        printf("\nns per entry of          1, 4, 16 million\n");
        for (size_t k = 0; k < ROWS; k++)
            if (nanoseconds[k][0] > 0)
                printf("%-34s %7.2f %7.2f %7.2f\n", table[k].name, nanoseconds[k][0], nanoseconds[k][1], nanoseconds[k][2]);
    }
    return bench_done();
}
