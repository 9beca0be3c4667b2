/* distributed.h: matrices whose rows are distributed over the ranks of an MPI program, in storage of the kit.

   Rows, and elements of vectors, are divided into CHUNKS chunks, for any number of ranks. Each rank has
   consecutive whole chunks. Sums over all ranks are computed chunk by chunk first. So results have equal
   bits on any number of ranks, up to CHUNKS.

       rows_read       each rank parses its part of a Matrix Market file, and sends the entries to their owners
       halo_open       renumbers the columns of local rows, so that a kernel multiplies them with a vector that
                       has elements of other ranks before and after its own
       halo_exchange   fetches these elements with a neighbourhood collective
       chunks_sum      a sum over all ranks */
#ifndef EXAMPLES_DISTRIBUTED_H
#define EXAMPLES_DISTRIBUTED_H

#include <mpi.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSR   csr, SPARSE_CSR, double, 32, 32
#define SHARE share, ((i, j), (compressed(nonunique), i), (singleton(nonunique), j)), double, 64, 64
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(SHARE)

/* The greatest number of ranks, and the number of parts of a sum over all ranks. */
#ifndef CHUNKS
    #define CHUNKS 64
#endif

/* The first of n things in a chunk; chunk CHUNKS begins after the last thing. */
static inline size_t chunk_begin(size_t n, size_t chunk)
{
    return n / CHUNKS * chunk + n % CHUNKS * chunk / CHUNKS;
}
static inline size_t own_begin(size_t n, int rank, int ranks)
{
    return chunk_begin(n, (size_t)CHUNKS * (size_t)rank / (size_t)ranks);
}
/* The rank that has thing k of n. */
static inline int owner(size_t n, size_t k, int ranks)
{
    int low = 0, high = ranks; /* own_begin(low) <= k < own_begin(high) */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (own_begin(n, middle, ranks) <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The worst result of any rank, so that either all ranks continue or none. */
static inline sparse_result agree(sparse_result mine, MPI_Comm comm)
{
    int worst = (int)mine;
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, comm);
    return (sparse_result)worst;
}

/* Allocates n elements of `size` bytes; null if memory runs out. */
static inline void *room_for(size_t n, size_t size) { return calloc(n ? n : 1, size); }

/* ---- reading ---- */

/* The header of a file, known to all ranks: its banner, its sizes as text, and where the entries begin and end. */
typedef struct mm_header {
    char banner[128], size[3][24];
    unsigned long long entries;
    size_t begin, end, lines; /* the lines before the entries */
} mm_header;

enum { MM_HEADER = 1 << 16, MM_LINE = 4096 }; /* most bytes before the entries; most bytes in a line */

/* Sets the error, on this rank. */
static inline sparse_result mm_fail(sparse_io_error *error, const char *path, sparse_result r, const char *sentence)
{
    memset(error, 0, sizeof *error);
    error->result = r;
    snprintf(error->message, sizeof error->message, "%s: %s", path, sentence ? sentence : sparse_explain(r));
    return r;
}

/* Sends the error of the first rank that failed to all ranks. */
static inline sparse_result mm_agree(sparse_io_error *error, const char *path, sparse_result mine, MPI_Comm comm)
{
    int rank, first, bytes = (int)sizeof *error;
    MPI_Comm_rank(comm, &rank);
    first = mine ? rank : INT_MAX;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == INT_MAX) return SPARSE_OK;
    if (mine && !error->result) (void)mm_fail(error, path, mine, NULL);
    MPI_Bcast(error, bytes, MPI_BYTE, first, comm);
    return error->result;
}

/* The beginning of the next line. A line ends with LF; the last one may lack it. */
static inline const char *mm_next_line(const char *at) { return at + strcspn(at, "\n") + (strchr(at, '\n') != NULL); }

/* Has a line an entry, not only blanks or a comment? */
static inline bool mm_has_entry(const char *at)
{
    at += strspn(at, " \t\r");
    return *at != '\0' && *at != '\n' && *at != '%';
}

/* Does a word equal `lower`, ignoring case? */
static inline bool mm_is_word(const char *word, const char *lower)
{
    for (; *word && *lower; word++, lower++)
        if (*word != *lower && *word + ('a' - 'A') != *lower) return false;
    return *word == *lower;
}

/* Parses the banner and the size line. The kit then reads a file with this banner and no entries, so that it refuses files
   that are no real matrices. */
static inline sparse_result mm_parse_header(mm_header *h, const char *text, const char *path, sparse_io_error *error)
{
    char format[16] = "", line[128], none[sizeof h->banner + sizeof h->size + 8];
    share empty = SPARSE_INIT(share);
    sparse_read_options o;
    const size_t banner = strcspn(text, "\r\n");
    const char *at = mm_next_line(text);
    if (banner >= sizeof h->banner || !mm_is_word((sscanf(text, "%*s %*s %15s", format), format), "coordinate"))
        return mm_fail(error, path, SPARSE_E_BANNER,
                       "ranks share coordinate files of Matrix Market, which this is not: %%MatrixMarket matrix coordinate ...");
    memcpy(h->banner, text, banner);
    for (h->lines = 1; *at && !mm_has_entry(at); at = mm_next_line(at)) h->lines++;
    const size_t length = strcspn(at, "\r\n");
    int end = 0;
    if (length >= sizeof line || at[length] == '\0')
        return mm_fail(error, path, SPARSE_E_HEADER, "no size line ends in the first 64 kB of the file");
    memcpy(line, at, length);
    line[length] = '\0';
    if (sscanf(line, "%23s %23s %23s %n", h->size[0], h->size[1], h->size[2], &end) != 3 || line[end] != '\0')
        return mm_fail(error, path, SPARSE_E_HEADER, "the size line needs rows, columns and entries");
    const size_t digits = strspn(h->size[2], "0123456789");
    if (h->size[2][digits] != '\0' || digits > 18)
        return mm_fail(error, path, SPARSE_E_COUNT, "the size line announces no number of entries");
    h->entries = strtoull(h->size[2], NULL, 10);
    h->lines++;
    h->begin = (size_t)(mm_next_line(at) - text);
    memset(&o, 0, sizeof o);
    o.error = error;
    snprintf(none, sizeof none, "%s\n%s %s 0\n", h->banner, h->size[0], h->size[1]);
    const sparse_result r = sparse_read_memory(&empty.t, none, strlen(none), &o);
    sparse_free(&empty.t);
    return r;
}

static inline sparse_result mm_read_header(mm_header *h, MPI_File file, const char *path, sparse_io_error *error,
                                           MPI_Comm comm)
{
    char *const text = (char *)room_for(MM_HEADER + 1, 1);
    MPI_Offset size = 0;
    MPI_Status status;
    sparse_result r = mm_agree(error, path, text ? SPARSE_OK : SPARSE_E_MEMORY, comm);
    if (!r) {
        MPI_File_get_size(file, &size);
        MPI_File_read_at_all(file, 0, text, MM_HEADER, MPI_CHAR, &status);
        h->end = (size_t)size;
        r = mm_agree(error, path, mm_parse_header(h, text, path, error), comm);
    }
    free(text);
    return r;
}

/* The offset of the line after byte `at` of the entries; `window` has the bytes of the file from byte
 * `from` on. */
static inline size_t mm_line_after(const char *window, size_t from, size_t at, const mm_header *h)
{
    if (at == h->begin || at >= h->end) return at;
    const char *const line = (const char *)memchr(window + (at - 1 - from), '\n', MM_LINE);
    return line ? from + (size_t)(line + 1 - window) : SIZE_MAX;
}

/* Corrects the line of an error in a part, which has two header lines, and which `before` lines of the file precede. */
static inline void mm_place_error(sparse_io_error *error, const char *path, unsigned long long before)
{
    char place[64], sentence[sizeof error->message];
    const int skipped = snprintf(place, sizeof place, "memory:%zu:%zu: ", error->line, error->column);
    if (error->line <= 2) return;
    memcpy(sentence, error->message + skipped, sizeof sentence - (size_t)skipped);
    error->line += (size_t)before - 2;
    snprintf(error->message, sizeof error->message, "%.100s:%zu:%zu: %.200s", path, error->line, error->column, sentence);
}

/* t = the entries of the lines that begin in this rank's part of the file's bytes. */
static inline sparse_result mm_read_share(sparse_tensor *t, const mm_header *h, MPI_File file, const char *path,
                                          sparse_io_error *error, MPI_Comm comm)
{
    enum { ROOM = sizeof h->banner + sizeof h->size + 32 }; /* for a header, which makes the part a file */
    int rank, ranks;
    MPI_Status status;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const size_t bytes = h->end - h->begin, p = (size_t)ranks, q = (size_t)rank;
    const size_t begin = h->begin + bytes / p * q + bytes % p * q / p;
    const size_t end = h->begin + bytes / p * (q + 1) + bytes % p * (q + 1) / p;
    const size_t from = begin - 1, length = (end + MM_LINE < h->end ? end + MM_LINE : h->end) - from;
    char *const text = (char *)room_for(ROOM + length + MM_LINE, 1);
    sparse_result r = !text ? SPARSE_E_MEMORY : length > INT_MAX ? SPARSE_E_OVERFLOW : SPARSE_OK;
    r = mm_agree(error, path, r, comm);
    if (!r) {
        char *const window = text + ROOM, header[ROOM];
        unsigned long long count = 0, lines = 0, before = 0;
        sparse_read_options o;
        MPI_File_read_at_all(file, (MPI_Offset)from, window, (int)length, MPI_CHAR, &status);
        const size_t first = mm_line_after(window, from, begin, h), last = mm_line_after(window, from, end, h);
        const bool cut = first != SIZE_MAX && last != SIZE_MAX && first <= last;
        char *const own = window + (cut ? first - from : 0);
        const size_t rest = cut ? last - first : 0;
        own[rest] = '\0'; /* the rest belongs to another rank */
        const char *const stop = own + strlen(own); /* at NUL, which the kit refuses */
        for (const char *at = own; at < stop; at = mm_next_line(at), lines++) count += mm_has_entry(at);
        memset(&o, 0, sizeof o);
        o.duplicates = SPARSE_DUPLICATES_KEEP; /* the owner of the row adds them up, in the order of the file */
        o.error = error;
        const int head = snprintf(header, sizeof header, "%s\n%s %s %llu\n", h->banner, h->size[0], h->size[1], count);
        memcpy(own - head, header, (size_t)head);
        r = cut ? sparse_read_memory(t, own - head, (size_t)head + rest, &o)
                : mm_fail(error, path, SPARSE_E_ENTRY, "a line is longer than 4 kB, or its bytes are not those of lines");
        MPI_Exscan(&lines, &before, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
        if (r) mm_place_error(error, path, h->lines + (rank > 0 ? before : 0));
        r = mm_agree(error, path, r, comm);
        MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm);
        if (!r && count != h->entries) r = mm_fail(error, path, SPARSE_E_COUNT, NULL);
    }
    free(text);
    return r;
}

typedef struct mm_entry {
    size_t row, column;
    double value;
} mm_entry;

/* begin[k] = the sum of the counts before rank k; returns false if the sum is too large for MPI. */
static inline bool offsets(int *begin, const int *count, int ranks)
{
    long long sum = 0;
    for (int k = 0; k <= ranks; sum += k < ranks ? count[k] : 0, k++) {
        if (sum > INT_MAX) return false;
        begin[k] = (int)sum;
    }
    return true;
}

/* Sends the next counts[k] elements of `send` to each rank k; *got = the elements received, in the order
 * of ranks. */
static inline sparse_result trade(void **got, int *got_counts, const void *send, const int *counts,
                                  size_t size, MPI_Comm comm)
{
    int ranks;
    MPI_Datatype type;
    MPI_Comm_size(comm, &ranks);
    int *const from = (int *)room_for(2 * ((size_t)ranks + 1), sizeof *from), *const to =
                                                                                  from ? from + ranks + 1
                                                                                       : NULL;
    sparse_result r = from ? SPARSE_OK : SPARSE_E_MEMORY;
    MPI_Alltoall(counts, 1, MPI_INT, got_counts, 1, MPI_INT, comm);
    if (!r && !(offsets(to, counts, ranks) && offsets(from, got_counts, ranks))) r = SPARSE_E_OVERFLOW;
    *got = r ? NULL : room_for((size_t)from[ranks], size);
    if (!r && !*got) r = SPARSE_E_MEMORY;
    r = agree(r, comm);
    if (!r) {
        MPI_Type_contiguous((int)size, MPI_BYTE, &type);
        MPI_Type_commit(&type);
        MPI_Alltoallv(send, counts, to, type, *got, got_counts, from, type, comm);
        MPI_Type_free(&type);
    }
    free(from);
    return r;
}

/* A = this rank's rows of the matrix in the file, or of its transpose, with the columns of the whole
   matrix; size = the sizes of the whole matrix. The file is a coordinate file of Matrix Market with any field
   but complex and any symmetry. If it is wrong, all ranks get the error. */
static inline sparse_result rows_read(csr *A, size_t *size, const char *path, bool transposed, sparse_io_error *error,
                                      MPI_Comm comm)
{
    int rank, ranks;
    mm_header h;
    MPI_File file;
    share mine = SPARSE_INIT(share);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (MPI_File_open(comm, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file)) return mm_fail(error, path, SPARSE_E_OPEN, NULL);
    memset(&h, 0, sizeof h);
    memset(error, 0, sizeof *error);
    sparse_result r = mm_read_header(&h, file, path, error, comm);
    if (!r) r = mm_read_share(&mine.t, &h, file, path, error, comm);
    MPI_File_close(&file);
    if (r) {
        sparse_free(&mine.t);
        return r;
    }
    size[0] = mine.t.dim[transposed], size[1] = mine.t.dim[!transposed];

    /* sort the entries by owner, with a counting sort */
    const size_t entries = sparse_entries(&mine.t);
    int *const count = (int *)room_for(2 * (size_t)ranks + 1, sizeof *count), *const got_count =
                                                                                  count ? count + ranks
                                                                                        : NULL;
    size_t *const next = (size_t *)room_for((size_t)ranks + 1, sizeof *next);
    mm_entry *const send = (mm_entry *)room_for(entries, sizeof *send);
    void *got = NULL;
    r = agree(!count || !next || !send ? SPARSE_E_MEMORY
              : entries > INT_MAX      ? SPARSE_E_OVERFLOW
                                       : SPARSE_OK,
              comm);
    if (!r) {
        SPARSE_FOREACH(c, &mine.t) count[owner(size[0], c.dim[transposed], ranks)]++;
        for (int k = 0; k < ranks; k++) next[k + 1] = next[k] + (size_t)count[k];
        SPARSE_FOREACH(c, &mine.t)
        {
            const mm_entry e = {c.dim[transposed], c.dim[!transposed], SPARSE_VALUE(c, double)};
            send[next[owner(size[0], e.row, ranks)]++] = e;
        }
        r = trade(&got, got_count, send, count, sizeof *send, comm);
    }
    free(send), free(next);
    sparse_free(&mine.t);

    /* pack the received entries */
    const size_t begin = own_begin(size[0], rank, ranks),
                 dim[] = {own_begin(size[0], rank + 1, ranks) - begin, size[1]};
    size_t n = 0;
    for (int k = 0; !r && k < ranks; k++) n += (size_t)got_count[k];
    const mm_entry *const e = (const mm_entry *)got;
    size_t *const at = (size_t *)room_for(2 * n, sizeof *at);
    double *const value = (double *)room_for(n, sizeof *value);
    if (!r && !(at && value)) r = SPARSE_E_MEMORY;
    for (size_t k = 0; !r && k < n; k++)
        at[2 * k] = e[k].row - begin, at[2 * k + 1] = e[k].column, value[k] = e[k].value;
    if (!r) r = sparse_pack_untyped(&A->t, dim, n, at, value, SPARSE_DUPLICATES_SUM);
    free(at), free(value), free(got), free(count);
    return mm_agree(error, path, r, comm);
}

/* ---- halos ---- */

/* The exchange of vector elements that local rows read. The local vector has elements of lower ranks, of
   this rank, and of higher ranks, in their order in the whole vector, so that sums are added in the same
   order as in one process. */
typedef struct halo {
    size_t below, own, above;  /* entries of lower ranks, of this one, of higher ones */
    size_t *column;            /* below + above indices of other ranks' elements */
    size_t sent, *send;        /* own elements that others need, by rank */
    int sources, destinations; /* neighbours */
    int *in_count, *in_at;     /* for each source: number of elements, offset in the vector */
    int *out_count, *out_at;   /* for each destination: number of elements, offset in send */
    MPI_Comm graph;            /* the neighbours of each rank */
} halo;

static inline int halo_order(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static inline void halo_close(halo *h)
{
    if (h->graph != MPI_COMM_NULL) MPI_Comm_free(&h->graph);
    free(h->column), free(h->send), free(h->in_count), free(h->out_count);
    memset(h, 0, sizeof *h);
    h->graph = MPI_COMM_NULL;
}

/* h->column = the columns of A outside of [begin, end), ascending, each once */
static inline sparse_result halo_columns(halo *h, const csr *A, size_t begin, size_t end)
{
    const uint32_t *const crd = (const uint32_t *)A->t.crd[1].at;
    const size_t entries = A->t.crd[1].length;
    size_t outside = 0, kept = 0;
    for (size_t p = 0; p < entries; p++) outside += crd[p] < begin || crd[p] >= end;
    h->column = (size_t *)room_for(outside, sizeof *h->column);
    if (!h->column) return SPARSE_E_MEMORY;
    outside = 0;
    for (size_t p = 0; p < entries; p++)
        if (crd[p] < begin || crd[p] >= end) h->column[outside++] = crd[p];
    qsort(h->column, outside, sizeof *h->column, halo_order);
    for (size_t k = 0; k < outside; k++)
        if (kept == 0 || h->column[kept - 1] != h->column[k]) h->column[kept++] = h->column[k];
    while (h->below < kept && h->column[h->below] < begin) h->below++;
    h->above = kept - h->below;
    return SPARSE_OK;
}

/* Renumbers the columns of A to indices of the vector with its halo, in place; the order is kept. */
static inline void halo_renumber(const halo *h, csr *A, size_t begin)
{
    uint32_t *const crd = (uint32_t *)A->t.crd[1].at;
    for (size_t p = 0; p < A->t.crd[1].length; p++) {
        const size_t j = crd[p];
        if (j >= begin && j < begin + h->own)
            crd[p] = (uint32_t)(h->below + j - begin);
        else {
            const size_t *const found =
                (const size_t *)bsearch(&j, h->column, h->below + h->above, sizeof j, halo_order);
            const size_t k = (size_t)(found - h->column);
            crd[p] = (uint32_t)(k < h->below ? k : k + h->own);
        }
    }
    A->t.dim[1] = A->t.lvl[1] = h->below + h->own + h->above;
}

/* Prepares h for products with A and renumbers its columns; the whole matrix has `columns` columns. */
static inline sparse_result halo_open(halo *h, csr *A, size_t columns, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    memset(h, 0, sizeof *h);
    h->graph = MPI_COMM_NULL;
    const size_t begin = own_begin(columns, rank, ranks), end = own_begin(columns, rank + 1, ranks),
                 p = (size_t)ranks;
    h->own = end - begin;
    int *const count = (int *)room_for(4 * p, sizeof *count), *const got_count = count ? count + p : NULL;
    void *got = NULL;
    sparse_result r = count ? halo_columns(h, A, begin, end) : SPARSE_E_MEMORY;
    h->in_count = (int *)room_for(2 * p, sizeof *h->in_count),
    h->in_at = h->in_count ? h->in_count + p : NULL;
    h->out_count = (int *)room_for(2 * p, sizeof *h->out_count),
    h->out_at = h->out_count ? h->out_count + p : NULL;
    if (!r && !(h->in_count && h->out_count)) r = SPARSE_E_MEMORY;
    if (!r && h->below + h->own + h->above > INT_MAX) r = SPARSE_E_OVERFLOW;
    r = agree(r, comm);
    if (!r) {
        /* each rank tells the owners which of their entries it needs */
        for (size_t k = 0; k < h->below + h->above; k++) count[owner(columns, h->column[k], ranks)]++;
        r = trade(&got, got_count, h->column, count, sizeof *h->column, comm);
    }
    if (!r) {
        int *const source = count + 2 * p, *const destination = count + 3 * p;
        int in = 0, out = 0;
        for (int k = 0; k < ranks; k++) {
            if (count[k] > 0) {
                source[h->sources] = k, h->in_count[h->sources] = count[k];
                h->in_at[h->sources++] = in + (k > rank ? (int)h->own : 0);
                in += count[k];
            }
            if (got_count[k] > 0) {
                destination[h->destinations] = k, h->out_count[h->destinations] = got_count[k];
                h->out_at[h->destinations++] = out;
                out += got_count[k];
            }
        }
        h->sent = (size_t)out, h->send = (size_t *)got;
        for (size_t k = 0; k < h->sent; k++) h->send[k] -= begin;
        MPI_Dist_graph_create_adjacent(comm, h->sources, source, h->in_count, h->destinations, destination,
                                       h->out_count, MPI_INFO_NULL, 0, &h->graph);
        halo_renumber(h, A, begin);
    } else
        free(got);
    free(count);
    return r;
}

/* Fetches x(0..below) and x(below + own..) from other ranks; this rank's elements are between them. An element has
   `width` numbers. buffer has room for sent * width numbers. */
static inline void halo_exchange(const halo *h, double *x, double *buffer, size_t width)
{
    MPI_Datatype type;
    const double *const own = x + h->below * width;
    for (size_t k = 0; k < h->sent; k++)
        memcpy(buffer + k * width, own + h->send[k] * width, width * sizeof *x);
    MPI_Type_contiguous((int)width, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Neighbor_alltoallv(buffer, h->out_count, h->out_at, type, x, h->in_count, h->in_at, type, h->graph);
    MPI_Type_free(&type);
}

/* The sum of n values over all ranks; `mine` are the values of this rank. Equal bits on any number of ranks.
 */
static inline double chunks_sum(const double *mine, size_t n, MPI_Comm comm)
{
    double chunk[CHUNKS] = {0}, sum = 0;
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const size_t begin = own_begin(n, rank, ranks);
    for (size_t c = (size_t)(CHUNKS * rank / ranks); c < (size_t)(CHUNKS * (rank + 1) / ranks); c++)
        for (size_t k = chunk_begin(n, c); k < chunk_begin(n, c + 1); k++) chunk[c] += mine[k - begin];
    MPI_Allreduce(MPI_IN_PLACE, chunk, CHUNKS, MPI_DOUBLE, MPI_SUM,
                  comm); /* only one rank has each: + 0 is exact */
    for (size_t c = 0; c < CHUNKS; c++) sum += chunk[c];
    return sum;
}
#endif
