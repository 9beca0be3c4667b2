/* test_fuzz.c: reads damaged files of every kind.

   An input is four bytes, which choose encoding, value type and options, followed by a file. For every input:
   - reading gives a valid tensor, or an error with a sentence and a position;
   - it takes no more memory than allowed, and leaks none;
   - the result is equal if the source gives a few bytes at a time;
   - the tensor can be written, and reads back equal.
   Formats with a CRC-32 would refuse almost every damaged file, so the checksums of half of their inputs are corrected
   first.

   As a test it reads a fixed number of mutants of each kind; with an argument, mutants for so many seconds. `make fuzz
   SECONDS=600` compiles it for libFuzzer (FUZZER is 1), which looks for inputs that reach new code: FUZZ names the kind,
   FUZZ_SECONDS the processor time. To add a kind, add a row to the targets and its seeds. Ends with one line, "test_fuzz:
   N passed, N failed, N skipped". */
#define _XOPEN_SOURCE 700 /* open_memstream, mkdtemp */
#include <time.h>

#define TEST "test_fuzz"
#include "files.h"

#ifndef FUZZER
    #define FUZZER 0
#endif

enum { HEAD = 4, MOST = 4096 }; /* bytes of the prefix in front of the file, and of a whole input */

static const char *const storages[] = {"csr", "", "coo", "dense", "coo3", "dense3", "vec", "dense1", "csr8", "coo1", "coo5"};

/* The kinds of files; gz compresses a file of any other kind. */
typedef struct target {
    const char *word;
    sparse_file_format format;
} target;

static const target targets[] = {
    {"mtx", SPARSE_FILE_MATRIX_MARKET}, {"tns", SPARSE_FILE_FROSTT}, {"xtns", SPARSE_FILE_FROSTT_EXTENDED},
    {"smtx", SPARSE_FILE_SMTX},         {"rb", SPARSE_FILE_BOEING},  {"npy", SPARSE_FILE_NPY},
    {"npz", SPARSE_FILE_NPZ},           {"sptensor", SPARSE_FILE_SPTENSOR}, {"graph", SPARSE_FILE_METIS},
    {"bsp", SPARSE_FILE_BINSPARSE},
    {"edges", SPARSE_FILE_EDGES},       {"csv", SPARSE_FILE_CSV},    {"table", SPARSE_FILE_TABLE},
    {"gz", SPARSE_FILE_AUTO}};

/* The files from which mutants are made: kind, encoding, value type, and text; null if it is made below. */
static const struct {
    const char *target, *storage, *type, *text;
} seeds[] = {
    {"mtx", "csr", "f64", REAL "3 4 3\n1 2 1.5\n2 1 -2e3\n3 4 .25\n"},
    {"mtx", "csr8", "f32", SYMMETRIC "% c\n3 3 3\n1 1 1.5\n2 1 -2e3\n1 3 1D1 and more\n"},
    {"mtx", "coo", "i16", MM("coordinate integer skew-symmetric") "3 3 2\r\n2 1 17\r\n3 1 -4\r\n"},
    {"mtx", "", "c64", MM("coordinate complex hermitian") "3 3 2\n2 1 17 1\n3 1 -4 2\n"},
    {"mtx", "", "u8", MM("coordinate pattern symmetric") "3 3 2\n2 1\n3 1\n"},
    {"mtx", "dense", "f64", MM("array real symmetric") "2 2\n1\n2\n3\n"},
    {"mtx", "dense1", "f32", "%%MatrixMarket vector array real general\n3\n1\n2\n1e30\n"},
    {"mtx", "coo3", "f64", "%%MatrixMarket tensor coordinate real general\n2 3 4 2\n1 1 1 1\n2 3 4 5\n"},
    {"tns", "coo3", "f64", "# c\n1 1 1 1.5\n2 3 4 5\n2 3 4 5e1\n"},
    {"tns", "coo3", "i32", "3\n2 3 4\n1 1 1 15\n2 3 4 5\n"},
    {"tns", "coo", "c128", "1 1 1.5 2\n2 3 4 5\n"},
    {"xtns", "coo3", "f64", EXTENDED "3 2\n2 3 4\n1 1 1 1.5\n2 3 4 5\n"},
    {"xtns", "csr", "c64", "; extended FROSTT format\n2 2\n2 3\n2 1 1.5 2\n1 3 4 5\n"},
    {"smtx", "", "f64", "3, 4, 5\n0 2 2 5 \n0 3 1 2 3 \n"},
    {"smtx", "csr8", "u8", "% c\n2 2 1\n0 1 1\n1"},
    {"sptensor", "coo3", "f64", SPTENSOR},
    {"sptensor", "coo", "c64", "sptensor\n2\n2 2\n1\n1 2 3 4\n"},
    {"edges", "csr", "f64", "# Nodes: 4\n0 1 0.5\n3 2 1\n2 2 7\n"},
    {"edges", "coo", "i16", "0\t1\r\n1\t4\r\n"},
    {"csv", "", "f64", "row,col,value\n1,2,3.5\n3,1,-2\n2,2,1e3\n"},
    {"csv", "", "c64", "1;2;3.5;4\n3; 1 ;-2;7\n"},
    {"csv", "coo3", "i8", "# c\n\"i\"\t\"j\"\t\"k\"\t\"v\"\n1\t2\t3\t4\n"},
    {"table", "csr", "f64", "0,1.5,0\n-2e3,0,nan\n"},
    {"table", "dense", "i8", "# c\n\"a\";\"b\"\r\n1; 0\r\n\r\n0 ;-3\r\n"},
    {"table", "vec", "f32", "1.5\n0\n-2\n"},
    {"table", "coo", "u8", "0 1  2\n3\t0 5\n"},
    {"graph", "csr", "f64", "% c\n3 2 001\n2 7 3 6\n1 7\n1 6\n"},
    {"graph", "", "i32", "3 2 111 2\n5 5 5 2 7 3 6\n5 5 5 1 7\n5 5 5 1 6\n"},
    {"rb", "", "f64", RUA " 1 3 4\n 1 3 2\n  1.5 -2.0  4.0\n"},
    {"rb", "csr", "f64", RB("rsa", "3 1 1 1", "2 2 2 0", "(3I2) (3I2) (1P,2E12.4)") " 1 3 3\n 1 2\n  1.5000D+00 -2.0000+01\n"},
    {"rb", "coo", "c128", RB("cha", "3 1 1 1", "2 2 1 0", "(3I2) (3I2) (3F5.1)") " 1 2 2\n 2\n  1.5  2.0\n"},
    {"rb", "", "f32", RB("rse", "3 1 1 1", "3 2 4 6", "(3I2) (4I2) (6F5.1)") " 1 3 5\n 1 2 3 2\n  1.0  2.0  3.0  4.0  5.0  6.0\n"},
    {"rb", "", "u8", RB("pse", "2 1 1 0", "3 2 4 0", "(3I2) (4I2)") " 1 3 5\n 1 2 3 2\n"},
    {"rb", "", "f64", RB("rua", "5 1 1 1 2", "3 2 3 0", "(3I2) (3I2) (3F5.1) (3F5.1)") "F  1 0\n 1 3 4\n 1 3 2\n"
     "  1.5 -2.0  4.0\n  1.0  2.0  3.0\n"},
    {"npy", "dense", "f64", NULL}, {"npy", "csr", "c64", NULL}, {"npy", "dense3", "i32", NULL}, {"npy", "vec", "u8", NULL},
    {"npz", "csr", "f64", NULL}, {"npz", "", "i16", NULL}, {"npz", "coo", "f32", NULL}, {"npz", "coo", "c128", NULL},
    {"npz", "coo3", "f64", NULL}, {"npz", "csr8", "u8", NULL},
    {"bsp", "csr", "f64", NULL}, {"bsp", "coo", "f64", NULL}, {"bsp", "", "i16", NULL}, {"bsp", "coo3", "c64", NULL},
    {"bsp", "vec", "i8", NULL}, {"bsp", "dense3", "f32", NULL},
    {"gz", "", "f64", REAL "3 4 3\n1 2 1.5\n2 1 -2e3\n3 4 .25\n"},
    {"gz", "coo3", "f64", SPTENSOR},
};

/* The archives, as SciPy and PyData/Sparse make them. */
static const member archives[][6] = {
    {FORMAT("csr"), SHAPE("\2\3"), {"data.npy", "<f4", "(3,)", "\0\0\200\77\0\0\0\0\0\0\200\177", 12},
     {"indices.npy", "|i1", "(3,)", "\2\0\1", 3}, {"indptr.npy", "<i2", "(3,)", "\0\0\1\0\3\0", 6}, {NULL, NULL, NULL, NULL, 0}},
    {FORMAT("bsr"), SHAPE("\2\4"), {"data.npy", "|i1", "(2, 1, 2)", "\1\2\3\4", 4}, {"indices.npy", "|i1", "(2,)", "\1\0", 2},
     {"indptr.npy", "|i1", "(3,)", "\0\1\2", 3}, {NULL, NULL, NULL, NULL, 0}},
    {FORMAT("coo"), SHAPE("\2\3"), {"data.npy", ">i2", "(2,)", "\0\5\0\6", 4}, {"row.npy", "|i1", "(2,)", "\1\0", 2},
     {"col.npy", "|i1", "(2,)", "\2\0", 2}, {NULL, NULL, NULL, NULL, 0}},
    {FORMAT("dia"), SHAPE("\3\3"), {"data.npy", "|i1", "(2, 3)", "\1\2\3\4\5\6", 6}, {"offsets.npy", "|i1", "(2,)", "\377\1", 2},
     {NULL, NULL, NULL, NULL, 0}, {NULL, NULL, NULL, NULL, 0}},
    {{"shape.npy", "|i1", "(3,)", "\2\3\4", 3}, {"data.npy", "|i1", "(2,)", "\5\6", 2},
     {"coords.npy", "|i1", "(3, 2)", "\0\1\0\2\1\3", 6}, {"fill_value.npy", "|i1", "()", "\0", 1},
     {NULL, NULL, NULL, NULL, 0}, {NULL, NULL, NULL, NULL, 0}},
    {{"format.npy", "<U3", "()", "c\0\0\0s\0\0\0c\0\0\0", 12}, SHAPE("\2\3"), {"data.npy", "|i1", "(3,)", "\5\6\7", 3},
     {"indices.npy", "|i1", "(3,)", "\1\0\1", 3}, {"indptr.npy", "|u1", "(4,)", "\0\1\1\3", 4}, {NULL, NULL, NULL, NULL, 0}}};

/* Binsparse archives: a descriptor, whose words and numbers mutants change, and arrays. */
#define BSP(format, shape, more, types) \
    "{'binsparse': {'version': '0.1', 'format': " format ", 'shape': " shape ", " more "'data_types': {" types "}}}"
#define U1(name, n, elements) {name ".npy", "|u1", "(" #n ",)", elements, n}
static const struct {
    const char *descriptor;
    member m[6];
} described[] = {
    {BSP("'CSR'", "[3, 3]", "'number_of_stored_values': 3, ", "'pointers_to_1': 'uint8', 'indices_1': 'uint8', 'values': 'uint8'"),
     {U1("pointers_to_1", 4, "\0\1\1\3"), U1("indices_1", 3, "\1\0\2"), U1("values", 3, "\5\6\7")}},
    {BSP("'DCSC'", "[3, 9]", "", "'indices_0': 'uint8', 'pointers_to_1': 'uint8', 'indices_1': 'uint8', 'values': 'complex[uint8]'"),
     {U1("indices_0", 2, "\2\7"), U1("pointers_to_1", 3, "\0\1\3"), U1("indices_1", 3, "\1\0\2"), U1("values", 6, "\1\2\3\4\5\6")}},
    {BSP("'COO'", "[3, 3]", "'structure': 'symmetric_lower', ", "'indices_0': 'uint8', 'indices_1': 'uint8', 'values': 'iso[bint8]'"),
     {U1("indices_0", 2, "\1\2"), U1("indices_1", 2, "\1\0"), U1("values", 1, "\1")}},
    {BSP("{'swizzle': [2, 0, 1], 'level': 'sparse', 'rank': 1, 'subformat': {'level': 'sparse', 'rank': 2, 'subformat': {'level': 'element'}}}",
         "[2, 3, 4]", "'fill': true, ", "'indices_0': 'uint8', 'pointers_to_1': 'uint8', 'indices_1': 'uint8', 'indices_2': 'uint8', "
         "'values': 'uint8', 'fill_value': 'uint8'"),
     {U1("indices_0", 1, "\3"), U1("pointers_to_1", 2, "\0\1"), U1("indices_1", 1, "\1"), U1("indices_2", 1, "\2"), U1("values", 1, "\5"),
      U1("fill_value", 1, "\0")}},
    {BSP("{'level': 'dense', 'rank': 1, 'subformat': {'level': 'sparse', 'rank': 1, 'subformat': {'level': 'dense', 'rank': 1, "
         "'subformat': {'level': 'element'}}}}", "[2, 3, 2]", "", "'pointers_to_1': 'uint8', 'indices_1': 'uint8', 'values': 'uint8'"),
     {U1("pointers_to_1", 3, "\0\1\2"), U1("indices_1", 2, "\1\0"), U1("values", 4, "\1\2\3\4")}},
    {BSP("'CVEC'", "[9]", "", "'indices_0': 'uint8', 'values': 'uint8'"), {U1("indices_0", 2, "\1\4"), U1("values", 2, "\5\6")}},
};

static const struct {
    const char *dictionary, *elements;
    size_t length;
} arrays[] = {{NPY("<f8", "True", "(2, 1)"), "\0\0\0\0\0\0\4\300\0\0\0\0\0\0\360\177", 16},
              {NPY(">c8", "False", "(1, 1)"), "\77\200\0\0\300\0\0\0", 8},
              {NPY("|i1", "False", "(1, 2, 2)"), "\1\2\3\4", 4},
              {NPY("|b1", "False", "(3,)"), "\1\0\3", 3}};

/* ---- inputs ---- */

static uint64_t little(const char *at, size_t size) { return sparse_p_bytes((const unsigned char *)at, size, false); }

/* *sum = the CRC-32 of an archive member's content, stored or deflated. Returns false if its header does not say where the
   content is. */
static bool member_sum(const bytes *b, size_t at, uint32_t *sum)
{
    const size_t begin = at + 30 + (size_t)little(b->at + at + 26, 2) + (size_t)little(b->at + at + 28, 2);
    const size_t length = (size_t)little(b->at + at + 18, 4), method = (size_t)little(b->at + at + 8, 2);
    if (begin > b->length || length > b->length - begin) return false;
    *sum = sparse_p_crc32(0, b->at + begin, length);
#if SPARSE_ZLIB
    static unsigned char out[1 << 16];
    z_stream z;
    memset(&z, 0, sizeof z);
    if (method == 8 && inflateInit2(&z, -MAX_WBITS) == Z_OK) {
        z.next_in = (Bytef *)(size_t)(b->at + begin);
        z.avail_in = (uInt)length;
        z.next_out = out;
        z.avail_out = sizeof out;
        inflate(&z, Z_FINISH);
        *sum = sparse_p_crc32(0, out, z.total_out);
        inflateEnd(&z);
    }
#endif
    return method == 0 || method == 8;
}

/* Corrects the CRC-32 values of the members of an archive. */
static void mend_archive(bytes *b)
{
    for (size_t k = 0; k + 46 <= b->length; k++) {
        uint32_t sum;
        if (memcmp(b->at + k, "PK\1\2", 4) != 0) continue;
        const size_t at = (size_t)little(b->at + k + 42, 4);
        if (at + 30 > b->length || !member_sum(b, at, &sum)) continue;
        for (size_t i = 0; i < 4; i++) b->at[k + 16 + i] = b->at[at + 14 + i] = (char)(sum >> 8 * i & 0xFF);
    }
}

/* Chooses storage, value type and options from the four bytes. */
static setup setup_from(const unsigned char *head, const target *kind)
{
    char words[100];
    snprintf(words, sizeof words, "%s %s%s%s%s%s%s%s", storages[head[0] % (sizeof storages / sizeof *storages)],
             kinds[head[1] % (sizeof kinds / sizeof *kinds)].name, head[2] & 1 ? " lenient" : "", head[2] & 2 ? " half" : "",
             head[2] & 4 ? " drop" : "", head[2] & 8 ? " inf" : "", head[2] & 16 ? " zero" : "", head[2] & 32 ? " dim" : "");
    setup s = setup_of(words);
    static const size_t sizes[] = {5, 6, 7, 2, 2};
    if (s.o.dim) s.o.dim = sizes;
    s.o.duplicates = (sparse_duplicates)(head[3] & 3);
    s.o.format = head[2] & 64 ? SPARSE_FILE_AUTO : kind->format;
    return s;
}

static bool all_numbers(const sparse_tensor *t)
{
    const sums s = sums_of(t);
    return s.part[0] == s.part[0] && s.part[1] == s.part[1];
}

static bool same_bytes(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

/* Is the tensor small enough to be written in a format that stores every coordinate? */
static bool is_small(const sparse_tensor *t)
{
    size_t size = 1;
    for (unsigned d = 0; d < t->encoding->rank; d++) {
        if (t->dim[d] > 1 << 16) return false;
        if (t->dim[d] > 0) size *= t->dim[d];
        if (size > 1 << 16) return false;
    }
    return true;
}

/* Are the arrays of both tensors equal? */
static bool same_arrays(const sparse_tensor *a, const sparse_tensor *b)
{
    const sparse_encoding *const e = a->encoding;
    bool same = memcmp(a->dim, b->dim, sizeof a->dim) == 0 && same_bytes(&a->val, &b->val, e->value_size);
    for (unsigned l = 0; l < e->levels; l++)
        same = same && same_bytes(&a->pos[l], &b->pos[l], e->pos_bits / 8u) && same_bytes(&a->crd[l], &b->crd[l], e->crd_bits / 8u);
    return same;
}

/* Writes t and reads the file. Returns null if the result equals t or t cannot be written; otherwise a description of the
   failure. */
static const char *write_and_read(const sparse_tensor *t, const sparse_read_options *o, sparse_file_format format)
{
    static char said[400];
    sparse_io_error error;
    sparse_write_options w;
    sparse_read_options again;
    sparse_tensor back;
    char *text = NULL;
    size_t length = 0;
    bool equal = false;
    FILE *const stream = open_memstream(&text, &length);
    memset(&w, 0, sizeof w);
    memset(&again, 0, sizeof again);
    memset(&back, 0, sizeof back);
    w.format = format;
    w.zero_based = o->zero_based && (format == SPARSE_FILE_FROSTT || format == SPARSE_FILE_SPTENSOR || format == SPARSE_FILE_CSV);
    w.error = again.error = &error;
    again.format = w.format;
    again.zero_based = w.zero_based;
    again.dim = t->dim;
    back.encoding = t->encoding;
    back.hooks = t->hooks;
    const char *wrong = NULL;
    sparse_result result = sparse_write_stream(t, stream, &w);
    fclose(stream);
    if (!result) {
        result = sparse_read_memory(&back, text, length, &again);
        if (!result) result = sparse_equal(t, &back, 0, &equal);
        if (result) {
            snprintf(said, sizeof said, "what was written is refused: %s: %s", sparse_name(result), error.message);
            wrong = said;
        } else if (!equal)
            wrong = "what was written reads back as something else";
        if (result == SPARSE_E_MEMORY || !all_numbers(t)) wrong = NULL;
    }
    free(text);
    sparse_free(&back);
    return wrong;
}

/* Has the error a position? Files of unknown format and files that cannot be decompressed have none. */
static bool has_place(const sparse_io_error *e)
{
    return e->result == SPARSE_OK || e->line > 0 || e->column > 0 || e->result == SPARSE_E_MEMORY ||
           e->result == SPARSE_E_FILE_FORMAT || e->result == SPARSE_E_COMPRESSED_FILE;
}

/* Does the message report success? For a list of edges it may state whether vertices were assumed to count from 0 or 1. */
static bool is_success(const sparse_io_error *e)
{
    return strcmp(e->message, "memory: success") == 0 || strstr(e->message, "set the option one_based, else zero_based") != NULL;
}

/* Reads an input; returns a description of what is wrong with the outcome, or null. */
static const char *check_input(const target *kind, const unsigned char *data, size_t size)
{
    static bytes b;
    static const unsigned char none[HEAD] = {0};
    const unsigned char *const head = size >= HEAD ? data : none;
    const size_t step = 2 * (1 + (size_t)(head[3] >> 4));
    const bool mended = head[2] & 128;
    setup s = setup_from(head, kind);
    budget limit = {0, 1 << 22, -1};
    sparse_hooks hooks = {budget_resize, &limit};
    sparse_io_error error, same;
    sparse_tensor t, slow;
    memset(&error, 0, sizeof error);
    memset(&same, 0, sizeof same);
    memset(&t, 0, sizeof t);
    memset(&slow, 0, sizeof slow);
    b.length = 0;
    if (size > HEAD) add(&b, data + HEAD, size - HEAD);
#if SPARSE_ZLIB
    if (mended && strcmp(kind->word, "gz") == 0) b = gzip(b.at, b.length);
#endif
    if (mended && (kind->format == SPARSE_FILE_NPZ || kind->format == SPARSE_FILE_BINSPARSE)) mend_archive(&b);
    t.encoding = slow.encoding = &s.e;
    t.hooks = slow.hooks = &hooks;
    const char *wrong = NULL;
    char *const exact = (char *)malloc(b.length > 0 ? b.length : 1); /* so that the sanitizer detects reads past the end */
    memcpy(exact, b.at, b.length);
    s.o.error = &error;
    const sparse_result result = sparse_read_memory(&t, exact, b.length, &s.o);
    if (result != error.result || (result == SPARSE_OK) != is_success(&error))
        wrong = "the result is not that of the error";
    if (!has_place(&error)) wrong = "a refusal without a place";
    if (result == SPARSE_OK && sparse_validate(&t, NULL) != SPARSE_OK) wrong = "the tensor is not valid";
    s.o.error = &same;
    const sparse_result slowly = read_in_steps(&slow, exact, b.length, step, SIZE_MAX, &s.o);
    free(exact);
    if (result != SPARSE_E_MEMORY && slowly != SPARSE_E_MEMORY) {
        if (result != slowly || (result && strcmp(error.message, same.message) != 0)) wrong = "a few bytes at a time, it ends in another way";
        else if (result == SPARSE_OK && !same_arrays(&t, &slow)) wrong = "a few bytes at a time, it is another tensor";
    }
    if (result == SPARSE_OK && !wrong && is_small(&t)) wrong = write_and_read(&t, &s.o, kind->format);
    sparse_free(&slow);
    sparse_free(&t);
    if (limit.used != 0) wrong = "memory is lost";
    return wrong;
}

/* Writes a random seed of the kind as an input; returns its length. */
static size_t make_seed(const target *kind, char input[MOST])
{
    size_t some = 0, chosen = 0;
    bytes b;
    b.length = 0;
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) /* chooses uniformly */
        if (strcmp(seeds[k].target, kind->word) == 0 && random_bits() % ++some == 0) chosen = k;
    const uint64_t bits = random_bits();
    for (unsigned char k = 0; k < sizeof storages / sizeof *storages; k++)
        if (strcmp(storages[k], seeds[chosen].storage) == 0) input[0] = (char)k;
    for (unsigned char k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].name, seeds[chosen].type) == 0) input[1] = (char)k;
    input[2] = (char)((bits >> 8 & bits >> 16 & 63) | (bits >> 24 & 192)); /* few options at a time */
    input[3] = (char)(bits & 0xFF);
    if (kind->format == SPARSE_FILE_NPY) {
        const size_t k = (size_t)(bits >> 40) % (sizeof arrays / sizeof *arrays);
        b = npy(1, arrays[k].dictionary, arrays[k].elements, arrays[k].length);
    } else if (kind->format == SPARSE_FILE_NPZ) {
        const member *const m = archives[(bits >> 40) % (sizeof archives / sizeof *archives)];
        size_t count = 0;
        while (m[count].name) count++;
        b = npz(m, count);
    } else if (kind->format == SPARSE_FILE_BINSPARSE) {
        const size_t k = (size_t)(bits >> 40) % (sizeof described / sizeof *described);
        size_t count = 0;
        while (count < 6 && described[k].m[count].name) count++;
        b = bsp(described[k].descriptor, described[k].m, count);
    } else
        add(&b, seeds[chosen].text, strlen(seeds[chosen].text));
#if SPARSE_ZLIB
    if (strcmp(kind->word, "gz") == 0 && !(input[2] & 128)) b = gzip(b.at, b.length);
#endif
    if (b.length > MOST - HEAD) b.length = MOST - HEAD;
    memcpy(input + HEAD, b.at, b.length);
    return HEAD + b.length;
}

#if FUZZER

#ifdef __cplusplus
    #error test_fuzz.c: libFuzzer takes it as C
#endif

static const target *fuzzed = targets;
static double fuzz_seconds;
static unsigned long runs;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
int LLVMFuzzerInitialize(int *count, char ***argument);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

int LLVMFuzzerInitialize(int *count, char ***argument)
{
    const char *const word = getenv("FUZZ"), *const seconds = getenv("FUZZ_SECONDS");
    (void)count, (void)argument;
    fuzz_seconds = seconds ? atof(seconds) : 10;
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
        if (!word) puts(targets[k].word);
        else if (strcmp(targets[k].word, word) == 0) fuzzed = &targets[k];
    }
    if (!word) exit(0);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const wrong = check_input(fuzzed, data, size);
    if (wrong) fprintf(stderr, "%s: %s\n", fuzzed->word, wrong), abort();
    if (++runs % 64 == 0 && (double)clock() / CLOCKS_PER_SEC > fuzz_seconds) {
        printf("%s: %lu inputs in %.0f s, nothing found\n", fuzzed->word, runs, (double)clock() / CLOCKS_PER_SEC);
        fflush(stdout);
        _exit(0);
    }
    return 0;
}

/* Mutations for libFuzzer: starts from seeds; changes words and numbers in addition to bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    random_state = (uint64_t)seed * UINT64_C(0x9E3779B97F4A7C15) | 1;
    random_bits();
    if (most < MOST) return LLVMFuzzerMutate(data, size, most);
    if (size <= HEAD || random_bits() % 256 == 0) size = make_seed(fuzzed, (char *)data);
    else if (random_bits() % 8 == 0) data[random_bits() % HEAD] = (uint8_t)(random_bits() >> 20);
    else if (random_bits() % 2) return HEAD + LLVMFuzzerMutate(data + HEAD, size - HEAD, most - HEAD);
    return HEAD + mutate((char *)data + HEAD, size - HEAD, most - HEAD);
}

#else

/* Tests mutants of a kind: `count` mutants, or as many as fit into `seconds` of processor time if that is not 0. */
static void test_kind(const target *kind, unsigned long count, double seconds)
{
    static char input[MOST];
    const char *wrong = NULL;
    const double end = (double)clock() / CLOCKS_PER_SEC + seconds;
    unsigned long n = 0;
    for (; !wrong && (n < count || (double)clock() / CLOCKS_PER_SEC < end); n++) {
        size_t length = make_seed(kind, input);
        for (uint64_t changes = random_bits() % 5; changes > 0; changes--)
            length = HEAD + mutate(input + HEAD, length - HEAD, MOST - HEAD);
        if (random_bits() % 8 == 0) input[random_bits() % HEAD] = (char)(random_bits() >> 20);
        wrong = check_input(kind, (const unsigned char *)input, length);
        if (wrong) {
            FILE *const out = fopen(scratch(kind->word), "wb");
            if (out) fwrite(input, 1, length, out), fclose(out);
        }
    }
    if (seconds > 0) printf("test_fuzz: %s: %lu inputs\n", kind->word, n);
    check(!wrong, kind->word, wrong ? wrong : "");
    if (wrong) printf("test_fuzz: the input is %s\n", scratch(kind->word));
}

int main(int count, char **argument)
{
    const double seconds = count > 1 ? atof(argument[1]) : 0;
    if (seconds > 0) random_state ^= (uint64_t)time(NULL) << 20;
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
        if (!SPARSE_ZLIB && strcmp(targets[k].word, "gz") == 0) skipped++;
        else test_kind(&targets[k], 3000, seconds);
    }
    if (failed == 0) scratch(NULL);
    printf("test_fuzz: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed > 0;
}

#endif
