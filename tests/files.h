/* files.h: shared by the tests of reading and writing: tensors made from a case's words, their description as text, memory
   that runs out, the files of SPARSE_DATA, files made byte by byte, and mutations of texts. A test defines TEST, its name,
   before it includes this file. */
#ifndef TEST_FILES_H
#define TEST_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPARSE_FILES_ALL 1
#include "../sparse_io.h"

static int passed, failed, skipped;

static inline void check(bool good, const char *what, const char *detail)
{
    if (good) {
        passed++;
        return;
    }
    failed++;
    printf("failed: %s: %s\n", what, detail);
}

/* ---- encodings, made from the words of a case ---- */

static const struct {
    const char *name;
    sparse_kind kind;
} kinds[] = {{"i8", SPARSE_I8},   {"i16", SPARSE_I16}, {"i32", SPARSE_I32},    {"i64", SPARSE_I64},
             {"u8", SPARSE_U8},   {"u16", SPARSE_U16}, {"u32", SPARSE_U32},    {"u64", SPARSE_U64},
             {"f32", SPARSE_F32}, {"f64", SPARSE_F64}, {"c64", SPARSE_C64},    {"c128", SPARSE_C128}};

static inline sparse_encoding encoding_of(size_t rank, sparse_kind kind)
{
    sparse_encoding e;
    memset(&e, 0, sizeof e);
    e.name = "t";
    e.rank = e.levels = (uint8_t)rank;
    e.pos_bits = e.crd_bits = 64;
    e.kind = kind;
    e.value_size = kind == SPARSE_OPAQUE ? 1 : sparse_p_kind_size(kind);
    for (size_t l = 0; l < rank; l++) e.level[l].dim = (uint8_t)l;
    return e; /* dense */
}

/* COO: entries with equal coordinates can be kept. */
static inline sparse_encoding coo(size_t rank, sparse_kind kind)
{
    sparse_encoding e = encoding_of(rank, kind);
    for (size_t l = 0; l < rank; l++) {
        e.level[l].type = l == 0 ? SPARSE_COMPRESSED : SPARSE_SINGLETON;
        e.level[l].properties = SPARSE_NONUNIQUE;
    }
    return e;
}

static inline sparse_encoding csr(sparse_kind kind)
{
    sparse_encoding e = encoding_of(2, kind);
    e.level[1].type = SPARSE_COMPRESSED;
    return e;
}

/* ---- cases from memory ---- */

/* The words of a case. A value type, such as f64. An encoding: dcsr (both levels compressed; the default), csr, coo, coo1,
   coo3, coo5, csr8 (8-bit coordinates), vec, dense, dense1, dense3. Read options: lenient, half, last, keep, error, drop,
   inf, zero, one, dim (5 x 6 x 7), or a file format as format_words spells it. 64: skip the case if size_t has fewer
   bits. */
typedef struct setup {
    sparse_encoding e;
    sparse_read_options o;
    bool skip;
} setup;

static const struct {
    const char *word;
    sparse_file_format format;
} format_words[] = {{"mtx", SPARSE_FILE_MATRIX_MARKET}, {"tns", SPARSE_FILE_FROSTT},      {"xtns", SPARSE_FILE_FROSTT_EXTENDED},
                    {"smtx", SPARSE_FILE_SMTX},         {"rb", SPARSE_FILE_BOEING},       {"npy", SPARSE_FILE_NPY},
                    {"npz", SPARSE_FILE_NPZ},           {"sptensor", SPARSE_FILE_SPTENSOR}, {"bsp", SPARSE_FILE_BINSPARSE}, {"graph", SPARSE_FILE_METIS},
                    {"edges", SPARSE_FILE_EDGES},       {"csv", SPARSE_FILE_CSV},           {"table", SPARSE_FILE_TABLE}};

static inline bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

static inline setup setup_of(const char *words)
{
    static const size_t dim[3] = {5, 6, 7};
    setup s;
    sparse_kind kind = SPARSE_F64;
    memset(&s, 0, sizeof s);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (has_word(words, kinds[k].name)) kind = kinds[k].kind;
    s.e = csr(kind);
    s.e.level[0].type = SPARSE_COMPRESSED;
    if (has_word(words, "csr")) s.e = csr(kind);
    if (has_word(words, "csr8")) s.e = csr(kind), s.e.crd_bits = 8;
    if (has_word(words, "coo")) s.e = coo(2, kind);
    if (has_word(words, "coo1")) s.e = coo(1, kind);
    if (has_word(words, "coo3")) s.e = coo(3, kind);
    if (has_word(words, "coo5")) s.e = coo(5, kind);
    if (has_word(words, "vec")) s.e = coo(1, kind), s.e.level[0].properties = 0;
    if (has_word(words, "dense")) s.e = encoding_of(2, kind);
    if (has_word(words, "dense1")) s.e = encoding_of(1, kind);
    if (has_word(words, "dense3")) s.e = encoding_of(3, kind);
    s.o.lenient = has_word(words, "lenient");
    s.o.stored_half = has_word(words, "half");
    s.o.drop_zeros = has_word(words, "drop");
    s.o.allow_overflow = has_word(words, "inf");
    s.o.zero_based = has_word(words, "zero");
    s.o.one_based = has_word(words, "one");
    s.o.duplicates = has_word(words, "last")    ? SPARSE_DUPLICATES_LAST
                     : has_word(words, "keep")  ? SPARSE_DUPLICATES_KEEP
                     : has_word(words, "error") ? SPARSE_DUPLICATES_ERROR
                                                : SPARSE_DUPLICATES_SUM;
    for (size_t k = 0; k < sizeof format_words / sizeof *format_words; k++)
        if (has_word(words, format_words[k].word)) s.o.format = format_words[k].format;
    if (has_word(words, "dim")) s.o.dim = dim;
    s.skip = has_word(words, "64") && SIZE_MAX < UINT64_MAX;
    return s;
}

/* "2x3 1,1=5 2,3=-1": sizes, then entries in storage order, coordinates from 1. */
static inline void describe(const sparse_tensor *t, char *to, size_t room)
{
    const sparse_encoding *const e = t->encoding;
    char text[32];
    size_t n = 0;
    for (size_t d = 0; d < e->rank; d++)
        n += (size_t)snprintf(to + n, room - n, d ? "x%zu" : "%zu", t->dim[d]);
    SPARSE_FOREACH(c, t)
    {
        if (n + 300 > room) return;
        for (size_t d = 0; d < e->rank; d++)
            n += (size_t)snprintf(to + n, room - n, d ? ",%zu" : " %zu", c.dim[d] + 1);
        sparse_p_spell(e->kind, c.value, 0, text);
        n += (size_t)snprintf(to + n, room - n, "=%s", text);
        if (!sparse_p_is_complex(e)) continue;
        sparse_p_spell(e->kind, c.value, 1, text);
        n += (size_t)snprintf(to + n, room - n, ":%s", text);
    }
}

/* A source that returns `step` bytes at a time, so that the reader's window ends at every position. It fails after `most`
   bytes. */
typedef struct drip {
    const char *text;
    size_t length, at, step, most;
} drip;

static inline sparse_result fill_drip(void *context, char *to, size_t room, size_t *count)
{
    drip *const d = (drip *)context;
    size_t n = d->length - d->at;
    if (n > d->step) n = d->step;
    if (n > room) n = room;
    if (d->at + n > d->most) return SPARSE_E_READ;
    memcpy(to, d->text + d->at, n);
    d->at += n;
    *count = n;
    return SPARSE_OK;
}

static inline sparse_result rewind_drip(void *context)
{
    ((drip *)context)->at = 0;
    return SPARSE_OK;
}

/* Reads a text from a source that returns `step` bytes at a time; if step is 0, all at once. */
static inline sparse_result read_in_steps(sparse_tensor *t, const char *text, size_t length, size_t step, size_t most,
                                   const sparse_read_options *o)
{
    drip d = {text, length, 0, step, most};
    sparse_p_source source = {fill_drip, rewind_drip, &d, step % 2 ? UINT64_MAX : length, NULL, 0, 0};
    return step > 0 ? sparse_p_read_source(t, "memory", &source, o) : sparse_read_memory(t, text, length, o);
}

/* The outcome of reading as text: the description of the tensor, or an error with its line and column, as in "E_ENTRY 3:5".
   */
static inline void outcome(const char *words, const char *text, size_t length, size_t step, char *to, size_t room)
{
    setup s = setup_of(words);
    sparse_io_error error;
    sparse_tensor t;
    memset(&error, 0, sizeof error);
    memset(&t, 0, sizeof t);
    t.encoding = &s.e;
    s.o.error = &error;
    char *const exact = (char *)malloc(length > 0 ? length : 1); /* exact: the sanitizer finds reads past the end */
    memcpy(exact, text, length);
    const sparse_result result = read_in_steps(&t, exact, length, step, SIZE_MAX, &s.o);
    free(exact);
    if (result == SPARSE_OK && sparse_validate(&t, NULL) == SPARSE_OK)
        describe(&t, to, room);
    else
        snprintf(to, room, "%s %zu:%zu", sparse_name(result) + strlen("SPARSE_"), error.line, error.column);
    if (result != error.result) snprintf(to, room, "error.result differs");
    sparse_free(&t);
}

typedef struct io_case {
    const char *rule, *options, *text, *expected;
} io_case;

#define MM(words)  "%%MatrixMarket matrix " words "\n"
#define REAL       MM("coordinate real general")
#define SYMMETRIC  MM("coordinate real symmetric")
#define SKEW       MM("coordinate real skew-symmetric")
#define PATTERN    MM("coordinate pattern general")
#define INTEGER    MM("coordinate integer general")
#define COMPLEX    MM("coordinate complex general")
#define ARRAY      MM("array real general")
#define EXTENDED   "# extended FROSTT format\n"

/* ---- memory that runs out ---- */

/* Memory hooks that count the allocated bytes. They refuse request number `fuse`, and any request that would exceed `limit`
   bytes. */
typedef struct budget {
    size_t used, limit;
    long fuse;
} budget;

static inline void *budget_resize(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    budget *const b = (budget *)context;
    const bool fits = new_bytes <= b->limit && b->used - old_bytes <= b->limit - new_bytes;
    if (new_bytes > 0 && (b->fuse-- == 0 || !fits)) return NULL;
    b->used += new_bytes - old_bytes;
    if (new_bytes > 0) return realloc(block, new_bytes);
    free(block);
    return NULL;
}

/* ---- files ---- */

/* Reads a tensor from a text in memory. Entries at equal coordinates are kept as separate entries if the encoding can store
   them. */
static inline sparse_tensor tensor_of(const sparse_encoding *e, const char *text)
{
    sparse_tensor t;
    sparse_read_options o;
    sparse_io_error error;
    memset(&t, 0, sizeof t);
    memset(&o, 0, sizeof o);
    o.error = &error;
    if (e->level[e->levels - 1u].properties & SPARSE_NONUNIQUE) o.duplicates = SPARSE_DUPLICATES_KEEP;
    t.encoding = e;
    check(sparse_read_memory(&t, text, strlen(text), &o) == SPARSE_OK, "tensor_of", error.message);
    return t;
}

/* Returns the content of a file, or of a stream from its beginning. */
static inline void slurp(FILE *in, char *to, size_t room)
{
    size_t n = 0;
    if (in != NULL) {
        rewind(in);
        n = fread(to, 1, room - 1, in);
        fclose(in);
    }
    to[n] = '\0';
}

/* The path of a file with the given name in the temporary directory of this run. */
static inline const char *scratch(const char *name)
{
    static char directory[] = "/tmp/" TEST "_XXXXXX", path[sizeof directory + 40];
    static bool made = false;
    if (!made) made = mkdtemp(directory) != NULL;
    if (name == NULL && made) rmdir(directory);
    snprintf(path, sizeof path, "%s/%s", made ? directory : ".", name != NULL ? name : "");
    return path;
}

static inline bool exists(const char *path)
{
    FILE *const f = fopen(path, "rb");
    if (f != NULL) fclose(f);
    return f != NULL;
}

static uint64_t random_state = 88172645463325252u;

static inline uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

/* ---- the files of SPARSE_DATA ---- */

static inline const char *data_directory(void)
{
    const char *const named = getenv("SPARSE_DATA");
    return named != NULL ? named : "../shared/data";
}

/* Reads a whole stream into memory; *length is SIZE_MAX if there is no stream. */
static inline char *load(FILE *in, size_t *length)
{
    sparse_buffer b = {NULL, 0, 0};
    *length = SIZE_MAX;
    if (in != NULL && sparse_p_load_stream(in, NULL, &b) == SPARSE_OK) *length = b.length;
    return (char *)b.at;
}

static inline bool ends_with(const char *s, const char *end)
{
    return strlen(s) >= strlen(end) && strcmp(s + strlen(s) - strlen(end), end) == 0;
}

static inline char *load_plain(const char *path, size_t *length)
{
    FILE *const in = fopen(path, "rb");
    char *const text = load(in, length);
    if (in != NULL) fclose(in);
    return text;
}

/* Reads a file and decompresses it; *length is SIZE_MAX if the gzip program fails or is not installed. */
static inline char *load_gzip(const char *path, size_t *length)
{
    char command[1000];
    snprintf(command, sizeof command, "gzip -dc '%s' 2>/dev/null", path);
    FILE *const in = popen(command, "r");
    char *const text = load(in, length);
    if (in == NULL || pclose(in) != 0) *length = SIZE_MAX;
    return text;
}

/* Splits a table row "| a | b |" into its cells, in place; returns the number of cells. */
static inline size_t split_row(char *row, char *cell[], size_t most)
{
    size_t n = 0;
    for (char *at = strchr(row, '|'); at != NULL && n < most;) {
        char *const begin = at + 1 + strspn(at + 1, " "), *end = strchr(begin, '|');
        if (end == NULL) break;
        at = end;
        while (end > begin && end[-1] == ' ') --end;
        *at = '\0';
        cell[n] = begin;
        if (end < at) *end = '\0';
        n++;
    }
    return n;
}

/* The sum of all values, real and imaginary part, and the sum of their magnitudes, with compensated summation. */
typedef struct sums {
    double part[2], size;
} sums;

static inline sums sums_of(const sparse_tensor *t)
{
    const sparse_encoding *const e = t->encoding;
    const sparse_kind part = sparse_p_component(e->kind);
    const size_t parts = sparse_p_is_complex(e) ? 2 : 1, width = sparse_p_kind_size(part);
    double lost[2] = {0, 0};
    sums s = {{0, 0}, 0};
    SPARSE_FOREACH(c, t)
    {
        for (size_t k = 0; k < parts; k++) {
            const double x = sparse_p_real(part, (const char *)c.value + k * width), y = x - lost[k];
            const double sum = s.part[k] + y;
            lost[k] = sum - s.part[k] - y;
            s.part[k] = sum;
            s.size += x < 0 ? -x : x;
        }
    }
    return s;
}

/* "stored 4.497+5.212i", "536126437 (sum of column indices)", "nan" */
static inline bool is_sum(const sums *s, const char *text)
{
    char *end;
    if (strncmp(text, "stored ", 7) == 0) text += 7;
    const double re = strtod(text, &end), im = *end == '+' || *end == '-' ? strtod(end, NULL) : 0;
    const double a = s->part[0] - re, b = s->part[1] - im, most = 1e-13 * s->size;
    if (re != re) return s->part[0] != s->part[0];
    return a <= most && -a <= most && b <= most && -b <= most;
}

/* Reads a text with the options; the value type is chosen by the field that the file declares. */
static inline sparse_result read_file(sparse_tensor *t, sparse_encoding *e, const char *path, const char *text,
                               size_t length, const sparse_read_options *o)
{
    memset(t, 0, sizeof *t);
    t->encoding = e;
    if (o != NULL) memset(o->error, 0, sizeof *o->error);
    return sparse_p_read_text(t, path, text, length, o);
}

static inline sparse_kind kind_of(const char *field)
{
    return strcmp(field, "integer") == 0   ? SPARSE_I64
           : strcmp(field, "complex") == 0 ? SPARSE_C128
                                           : SPARSE_F64;
}

/* The sum of the column indices, from 0. */
static inline double sum_of_columns(const sparse_tensor *t)
{
    double sum = 0;
    SPARSE_FOREACH(c, t) sum += (double)c.dim[1];
    return sum;
}

/* ---- files that are made byte by byte ---- */

#define SPTENSOR "sptensor\n3\n2 3 4\n2\n1 1 1 1.5\n2 3 4 -2\n"
#define HB_HEADER "title                                                                   KEY\n"
#define RB(type, lines, sizes, formats) "a title\n" lines "\n" type "           " sizes "\n" formats "\n"
#define RUA RB("rua", "3 1 1 1", "3 2 3 0", "(3I2) (3I2) (3F5.1)")

/* A buffer to which bytes are appended. */
typedef struct bytes {
    char at[6000];
    size_t length;
} bytes;

static inline void add(bytes *b, const void *from, size_t length)
{
    if (b->length + length > sizeof b->at) length = sizeof b->at - b->length;
    if (length > 0) memcpy(b->at + b->length, from, length);
    b->length += length;
}

static inline void add_number(bytes *b, uint64_t n, size_t size, bool big)
{
    for (size_t k = 0; k < size; k++) {
        const unsigned char byte = (unsigned char)(n >> 8 * (big ? size - 1 - k : k) & 0xFF);
        add(b, &byte, 1);
    }
}

/* A .npy file: its version, its dictionary, and `length` bytes. */
static inline bytes npy(int version, const char *dictionary, const void *elements, size_t length)
{
    bytes b;
    b.length = 0;
    add(&b, "\x93NUMPY", 6);
    add_number(&b, (unsigned)version, 2, false);
    add_number(&b, strlen(dictionary), version > 1 ? 4 : 2, false);
    add(&b, dictionary, strlen(dictionary));
    add(&b, elements, length);
    return b;
}

#define NPY(type, order, shape) "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }"

/* Values that a test writes into the header of an archive member instead of the true ones. */
typedef struct member {
    const char *name, *type, *shape, *elements;
    size_t length;
} member;

/* A zip archive under construction. It is written without any function of the kit. */
typedef struct archive {
    bytes b, directory;
    size_t count;
    unsigned wide; /* which numbers are in extra fields of 64 bits: 1 sizes, 2 stored sizes, 4 offsets, 8 the directory's */
} archive;

/* The CRC-32 of bytes, bit by bit. */
static inline uint32_t crc_of(const void *from, size_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < length; i++) {
        crc ^= ((const unsigned char *)from)[i];
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

/* Appends a member: its method (0: stored, 8: deflated), CRC-32 and size, and its stored bytes. */
static inline void add_member(archive *a, const char *name, unsigned method, uint32_t crc, size_t size, const void *stored,
                              size_t length)
{
    const size_t offset = a->b.length, letters = strlen(name);
    for (int central = 0; central < 2; central++) {
        bytes *const to = central ? &a->directory : &a->b;
        add(to, central ? "PK\1\2\24\0" : "PK\3\4", central ? 6 : 4);
        add(to, "\24\0\0\0", 4);
        add_number(to, method, 2, false);
        add(to, "\0\0\0\0", 4);
        add_number(to, crc, 4, false);
        const size_t number[] = {size, length, offset};
        const unsigned wide = central ? a->wide & 7 : 0;
        const size_t extra = 8 * ((wide & 1) + (wide >> 1 & 1) + (wide >> 2 & 1));
        add_number(to, wide & 2 ? 0xFFFFFFFFu : length, 4, false);
        add_number(to, wide & 1 ? 0xFFFFFFFFu : size, 4, false);
        add_number(to, letters, 2, false);
        add_number(to, wide ? 7 + 4 + extra : 0, 2, false);
        if (central) add(to, "\0\0\0\0\0\0\0\0\0\0", 10), add_number(to, wide & 4 ? 0xFFFFFFFFu : offset, 4, false);
        add(to, name, letters);
        if (wide) { /* preceded by an extra field of another kind */
            add(to, "up\3\0\377\377\377\1\0", 9);
            add_number(to, extra, 2, false);
            for (int k = 0; k < 3; k++)
                if (wide >> k & 1) add_number(to, number[k], 8, false);
        }
    }
    add(&a->b, stored, length);
    a->count++;
}

/* Completes the archive with its central directory. */
static inline bytes close_archive(archive *a)
{
    const size_t offset = a->b.length;
    add(&a->b, a->directory.at, a->directory.length);
    if (a->wide & 8) {
        const size_t record = a->b.length;
        add(&a->b, "PK\6\6\54\0\0\0\0\0\0\0\55\0\55\0\0\0\0\0\0\0\0\0", 24);
        add_number(&a->b, a->count, 8, false);
        add_number(&a->b, a->count, 8, false);
        add_number(&a->b, a->directory.length, 8, false);
        add_number(&a->b, offset, 8, false);
        add(&a->b, "PK\6\7\0\0\0\0", 8);
        add_number(&a->b, record, 8, false);
        add_number(&a->b, 1, 4, false);
        add(&a->b, "PK\5\6\0\0\0\0\377\377\377\377\377\377\377\377\377\377\377\377\0\0", 22);
        return a->b;
    }
    add(&a->b, "PK\5\6\0\0\0\0", 8);
    add_number(&a->b, a->count, 2, false);
    add_number(&a->b, a->count, 2, false);
    add_number(&a->b, a->directory.length, 4, false);
    add_number(&a->b, offset, 4, false);
    add_number(&a->b, 0, 2, false);
    return a->b;
}

static inline bytes npy_of(const member *m)
{
    char dictionary[200];
    snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", m->type, m->shape);
    return npy(1, dictionary, m->elements, m->length);
}

/* A .npz archive of the given .npy files, stored without compression. */
static inline bytes npz(const member m[], size_t count)
{
    archive a;
    memset(&a, 0, sizeof a);
    for (size_t k = 0; k < count; k++) {
        const bytes array = npy_of(&m[k]);
        add_member(&a, m[k].name, 0, crc_of(array.at, array.length), array.length, array.at, array.length);
    }
    return close_archive(&a);
}

#define FORMAT(word) {"format.npy", "|S3", "()", word, 3}
#define SHAPE(text)  {"shape.npy", "|i1", "(2,)", text, 2}

/* A Binsparse archive: its descriptor, in which ' stands for a quotation mark, and its arrays. */
static inline bytes bsp(const char *descriptor, const member m[], size_t count)
{
    static char text[2000];
    char shape[32];
    member all[8];
    const size_t length = strlen(descriptor);
    for (size_t k = 0; k < length; k++) text[k] = (char)(descriptor[k] == '\'' ? '"' : descriptor[k]);
    snprintf(shape, sizeof shape, "(%zu,)", length);
    const member first = {"binsparse.npy", "|u1", shape, text, length};
    all[0] = first;
    for (size_t k = 0; k < count; k++) all[k + 1] = m[k];
    return npz(all, count + 1);
}

#if SPARSE_ZLIB

/* Compresses bytes with zlib, with a gzip header and trailer (window 16 + MAX_WBITS) or without a header (-MAX_WBITS). */
static inline bytes deflated(const void *from, size_t length, int window)
{
    bytes b;
    z_stream z;
    memset(&z, 0, sizeof z);
    b.length = 0;
    if (deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK) return b;
    z.next_in = (Bytef *)(size_t)from;
    z.avail_in = (uInt)length;
    z.next_out = (Bytef *)(void *)b.at;
    z.avail_out = sizeof b.at;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) check(false, "deflated", "there is not enough room");
    b.length = z.total_out;
    deflateEnd(&z);
    return b;
}

static inline bytes gzip(const void *from, size_t length) { return deflated(from, length, 16 + MAX_WBITS); }

#endif

static inline sparse_result write_bytes(const sparse_tensor *t, const sparse_write_options *o, bytes *b)
{
    FILE *const stream = tmpfile();
    const sparse_result result = stream ? sparse_write_stream(t, stream, o) : SPARSE_E_OPEN;
    b->length = 0;
    if (!stream) return result;
    rewind(stream);
    b->length = fread(b->at, 1, sizeof b->at, stream);
    fclose(stream);
    return result;
}

/* ---- mutations ---- */

/* Makes one random change in a text of `length` bytes, in a buffer of `room` bytes; returns the new length. */
static inline size_t mutate(char *text, size_t length, size_t room)
{
    static const char *const words[] = {"-", "18446744073709551616", "1e400", "\r", "%", "#", "nan", "0", "1 ", "\n\n", "4294967297",
                                        ".", ",", "complex", "array", "symmetric", "pattern", "skew-symmetric", "tensor", "vector"};
    const uint64_t bits = random_bits();
    const size_t at = length > 0 ? (size_t)(bits >> 8) % length : 0, n = (size_t)(bits >> 40) % 12;
    const char *const word = words[(bits >> 50) % (sizeof words / sizeof *words)];
    const size_t gone = at + n < length ? n : length - at, added = strlen(word);
    switch (bits % 6) {
    case 0: /* another byte */
        if (length > 0) text[at] = (char)(bits >> 30);
        return length;
    case 1: return at; /* cut short */
    case 2: /* a piece removed */ memmove(text + at, text + at + gone, length - at - gone); return length - gone;
    case 3: /* a piece repeated */
        if (length + gone > room) return length;
        memmove(text + at + gone, text + at, length - at);
        return length + gone;
    case 4: /* another digit */
        for (size_t k = at; k < length; k++)
            if (sparse_p_is_digit(text[k])) {
                text[k] = (char)('0' + (bits >> 30) % 10);
                break;
            }
        return length;
    default: /* a word added */
        if (length + added > room) return length;
        memmove(text + at + added, text + at, length - at);
        memcpy(text + at, word, added);
        return length + added;
    }
}

/* Runs a Python program that uses SciPy, in the temporary directory of this run; its output goes to `out`. Returns false if
   SciPy is not installed. */
static inline bool run_python(const char *program, char *out, size_t room)
{
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    char command[300];
    for (size_t k = 0; k < 2; k++) {
        snprintf(command, sizeof command, "%s -c 'import scipy.sparse' 2>/dev/null", pythons[k]);
        if (system(command) != 0) continue;
        FILE *const script = fopen(scratch("run.py"), "w");
        if (!script) return false;
        fputs(program, script);
        fclose(script);
        snprintf(command, sizeof command, "cd \"$(dirname %s)\" && %s run.py 2>&1", scratch("run.py"), pythons[k]);
        FILE *const in = popen(command, "r");
        const size_t n = in ? fread(out, 1, room - 1, in) : 0;
        out[n] = '\0';
        if (in) pclose(in);
        remove(scratch("run.py"));
        return true;
    }
    return false;
}

#endif /* TEST_FILES_H */
