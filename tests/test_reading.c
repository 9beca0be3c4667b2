/* test_reading.c: every code path from a text into a tensor, and from numbers to text and back.

   Random entries, written as files in every order and form, are read and compared with sparse_pack. Integers are tested at
   the limits of each type, shortest digits against printf. Ends with one line, "test_reading: N passed, N failed, N
   skipped". */
#define _XOPEN_SOURCE 700 /* popen, mkdtemp, setrlimit */
#define TEST          "test_reading"
#define SPARSE_P_SHARE    100 /* small limits, so that few entries reach all code paths */
#define SPARSE_P_PARCELED 500
#define SPARSE_P_PARCEL   4
#define SPARSE_P_PIECE    600
#include "files.h"

/* Every integer type: numbers at its limits are read, numbers beyond are refused, and no byte after the value is written. */
static void test_integers(void)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && kinds[k].kind <= SPARSE_U64; k++) {
        const sparse_kind kind = kinds[k].kind;
        const size_t size = sparse_p_kind_size(kind), bits = 8 * size;
        const bool is_signed = kind < SPARSE_U8;
        const uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
        for (int sign = 0; sign < 2; sign++)
            for (uint64_t n = most - 2; n <= most + 2 && n >= 2; n++) {
                sparse_p_decimal part[2];
                unsigned char value[16];
                char text[40];
                memset(part, 0, sizeof part);
                memset(value, 0xAA, sizeof value);
                snprintf(text, sizeof text, "%s%llu", sign ? "-" : "", (unsigned long long)n);
                check(sparse_p_scan(text, text + strlen(text), false, &part[0]) != NULL, "integers", text);
                const bool fits = sparse_p_to_value(part, kind, false, value + 4);
                check(fits == (sign ? is_signed && n <= most + 1 : n <= most), "integers fit", text);
                for (size_t b = 0; b < sizeof value; b++)
                    if (b < 4 || b >= 4 + size) check(value[b] == 0xAA, "integers: no byte too many", text);
                char back[32];
                sparse_p_spell(kind, value + 4, 0, back);
                if (fits) check(strcmp(back, text) == 0, "integers", back);
            }
    }
}

/* ---- every code path into a tensor, compared with sparse_pack ---- */

typedef struct drawn {
    size_t count, rank, dim[3];
    size_t c[3 * 1300];
    double value[1300];
} drawn;

/* Draws random entries, sorted by rows (order 0), by columns (1) or unsorted (2). `repeated` of them have the coordinates of
   another one; `few`: few rows with many entries. */
static void draw(drawn *d, size_t rank, size_t count, int order, size_t repeated, bool few)
{
    d->rank = rank;
    d->count = 0;
    for (size_t n = 0; n < 3; n++) d->dim[n] = few && n != 1 ? 5 : 150;
    for (size_t k = 0; k < count; k++) {
        const size_t take = d->count, from = k < repeated && take > 0 ? (size_t)random_bits() % take : take;
        for (size_t n = 0; n < rank; n++)
            d->c[take * rank + n] = from < take ? d->c[from * rank + n] : (size_t)random_bits() % d->dim[n];
        d->count++;
    }
    for (size_t k = 1; k < d->count && order < 2; k++) /* insertion: stable */
        for (size_t j = k; j > 0; j--) {
            size_t *const a = d->c + (j - 1) * rank, *const b = d->c + j * rank, x[3] = {0};
            int side = 0;
            for (size_t n = 0; n < rank && side == 0; n++) {
                const size_t at = order == 0 ? n : rank - 1 - n;
                side = a[at] < b[at] ? -1 : a[at] > b[at];
            }
            if (side <= 0) break;
            memcpy((void *)x, a, rank * sizeof *a);
            memcpy(a, b, rank * sizeof *a);
            memcpy(b, x, rank * sizeof *a);
        }
    for (size_t k = 0; k < d->count; k++) d->value[k] = (double)((int)(random_bits() % 61) - 30);
}

/* Writes the entries as a file: Matrix Market, FROSTT with sizes, or FROSTT without. */
static size_t spell_drawn(const drawn *d, int form, bool pattern, char *to)
{
    char *at = to;
    if (form == 0)
        at += sprintf(at, "%%%%MatrixMarket %s coordinate %s general\n", d->rank == 2 ? "matrix" : "tensor",
                      pattern ? "pattern" : "real");
    if (form == 1) at += sprintf(at, "%zu\n", d->rank);
    if (form < 2)
        for (size_t n = 0; n < d->rank; n++) at += sprintf(at, "%zu ", d->dim[n]);
    if (form == 0) at += sprintf(at, "%zu", d->count);
    if (form < 2) *at++ = '\n';
    for (size_t k = 0; k < d->count; k++) {
        for (size_t n = 0; n < d->rank; n++) at += sprintf(at, "%zu ", d->c[k * d->rank + n] + 1);
        at += pattern ? sprintf(at, "\n") : sprintf(at, "%g\n", d->value[k]);
    }
    return (size_t)(at - to);
}

static bool same_buffer(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

static bool same_tensor(const sparse_tensor *a, const sparse_tensor *b)
{
    const sparse_encoding *const e = a->encoding;
    bool same = memcmp(a->dim, b->dim, sizeof a->dim) == 0 && memcmp(a->lvl, b->lvl, sizeof a->lvl) == 0 &&
                same_buffer(&a->val, &b->val, e->value_size);
    for (unsigned l = 0; l < e->levels; l++)
        same = same && same_buffer(&a->pos[l], &b->pos[l], sparse_pos_bits(e) / 8u) &&
               same_buffer(&a->crd[l], &b->crd[l], sparse_crd_bits(e) / 8u);
    return same;
}

/* An encoding by number, of rank 2 or 3. */
static sparse_encoding way_encoding(size_t rank, size_t which, sparse_kind kind)
{
    sparse_encoding e = encoding_of(rank, kind);
    for (size_t l = 0; l < rank; l++) {
        e.level[l].dim = (uint8_t)(which == 1 ? rank - 1 - l : l);
        e.level[l].type = which == 4   ? (l == 0 ? SPARSE_COMPRESSED : SPARSE_SINGLETON)
                            : which == 5 ? (l == 0 ? SPARSE_COMPRESSED : SPARSE_SINGLETON)
                            : which == 2 || (l > 0 && which < 2) ? SPARSE_COMPRESSED
                            : which == 6 && l == 0               ? SPARSE_COMPRESSED
                                                                 : SPARSE_DENSE;
        if (which == 4 || which == 5)
            e.level[l].properties = (uint8_t)(SPARSE_NONUNIQUE | (which == 5 && l > 0 ? SPARSE_SOA : 0));
        if (which == 7 && l + 1 == rank)
            e.level[l].type = SPARSE_COMPRESSED, e.level[l].properties = SPARSE_NONUNIQUE;
        if (which == 8 && l + 1 == rank) e.level[l].type = SPARSE_BITMASK;
    }
    e.pos_bits = e.crd_bits = which == 3 ? 16 : which == 6 ? 64 : 32;
    return e;
}

static void test_ways(void)
{
    static drawn d;
    static char text[1300 * 40 + 1000];
    static unsigned char values[1300 * 16];
    const int before = failed;
    for (int k = 0; k < 450; k++) {
        const size_t rank = k % 3 == 0 ? 3 : 2, which = (size_t)random_bits() % 9,
                     how = (size_t)random_bits() % 4;
        const sparse_kind kind = kinds[random_bits() % (sizeof kinds / sizeof *kinds)].kind;
        const bool sign = kind < SPARSE_U8 || kind > SPARSE_U64,
                   pattern = rank == 2 && random_bits() % 4 == 0;
        const int form = pattern ? 0 : (int)(random_bits() % 3), order = (int)(random_bits() % 3);
        const size_t count = (size_t)(random_bits() % 4 == 0 ? random_bits() % 4 : random_bits() % 1300);
        const sparse_encoding e = way_encoding(rank, which, kind);
        sparse_tensor read, packed;
        sparse_io_error error;
        sparse_read_options o;
        char detail[400];
        if (form > 0 && count == 0) continue;
        draw(&d, rank, count, order, random_bits() % 3 == 0 ? count / 5 : 0, random_bits() % 2 == 0);
        size_t max[3] = {0, 0, 0};
        for (size_t n = 0; n < d.count; n++) {
            if (!sign && d.value[n] < 0) d.value[n] = -d.value[n];
            for (size_t m = 0; m < rank; m++)
                if (d.c[n * rank + m] >= max[m]) max[m] = d.c[n * rank + m] + 1;
            sparse_p_decimal part[2];
            memset(part, 0, sizeof part);
            part[0].negative = !pattern && d.value[n] < 0;
            part[0].digits = pattern ? 1 : (uint64_t)(d.value[n] < 0 ? -d.value[n] : d.value[n]);
            sparse_p_to_value(part, kind, false, values + n * e.value_size);
        }
        memset(&o, 0, sizeof o);
        memset(&read, 0, sizeof read);
        read.encoding = &e;
        packed = read;
        o.error = &error;
        o.duplicates = how == 0   ? SPARSE_DUPLICATES_LAST
                       : how == 1 ? SPARSE_DUPLICATES_KEEP
                       : how == 2 ? SPARSE_DUPLICATES_ERROR
                                  : SPARSE_DUPLICATES_SUM;
        if (form > 0) o.format = SPARSE_FILE_FROSTT;
        o.threads = (unsigned)k % 4;
        const sparse_result expected =
            sparse_pack_untyped(&packed, form == 2 ? max : d.dim, d.count, d.c, values, o.duplicates);
        const size_t length = spell_drawn(&d, form, pattern, text);
        const size_t steps[] = {0, 0, 0, 1, 1000};
        const sparse_result result = read_in_steps(&read, text, length, steps[k % 5], SIZE_MAX, &o);
        snprintf(detail, sizeof detail,
                 "case %d: encoding %d, rank %d, kind %d, form %d, order %d, %d entries: %s", k, (int)which,
                 (int)rank, (int)kind, form, order, (int)count, sparse_name(result));
        if (result != expected || (result == SPARSE_OK && !same_tensor(&read, &packed)))
            check(false, "ways", detail);
        if (result == SPARSE_E_DUPLICATE && error.line == 0) check(false, "ways: no line", detail);
        sparse_free(&read);
        sparse_free(&packed);
    }
    check(failed == before, "ways", "some differ from sparse_pack");
}

/* Entries in the order of storage are stored at once, without memory for a list of entries. */
static void test_order(void)
{
    enum { SIDE = 10000 };
    static char text[SIDE * 3 * 20 + 100];
    for (size_t which = 0; which < 8; which++) {
        const sparse_encoding e = way_encoding(2, which, SPARSE_F64);
        budget b = {0, SIZE_MAX, -1};
        const sparse_hooks hooks = {budget_resize, &b};
        sparse_tensor t;
        char *at = text + sprintf(text, "%s%d %d %d\n", REAL, SIDE, SIDE, 3 * SIDE);
        if (which == 3 || which == 6) continue; /* has a dense level */
        for (unsigned n = 0; n < 3 * SIDE; n++) {
            const unsigned outer = n / 3 + 1, inner = n % 3 * 100 + 1;
            at += sprintf(at, "%u %u %u\n", which == 1 ? inner : outer, which == 1 ? outer : inner, n);
        }
        memset(&t, 0, sizeof t);
        t.encoding = &e;
        t.hooks = &hooks;
        check(sparse_read_memory(&t, text, (size_t)(at - text), NULL) == SPARSE_OK, "order", "read");
        b.limit = sparse_bytes(&t) + 100000;
        sparse_free(&t);
        check(sparse_read_memory(&t, text, (size_t)(at - text), NULL) == SPARSE_OK, "order", "read into what it takes");
        sparse_free(&t);
    }
}

/* ---- many entries: threads, progress ---- */

typedef struct watched {
    uint64_t bytes, total;
    size_t calls, most; /* watch() cancels after `most` calls */
} watched;

static bool watch(void *context, uint64_t read, uint64_t total)
{
    watched *const w = (watched *)context;
    if (read < w->bytes || (total > 0 && read > total))
        check(false, "progress", "runs backwards, or too far");
    w->bytes = read;
    w->total = total;
    return w->calls++ < w->most;
}

/* Texts of several windows: sorted or unsorted, symmetric, without sizes, with unusual lines, with lines longer than a
   piece or a window, with an error. One thread and two give equal results, and report progress. */
static void test_many(void)
{
    enum { MANY = 120000 };
    char *const text = (char *)malloc(MANY * 48);
    for (int k = 0; k < 24; k++) {
        const bool symmetric = k % 4 == 1, frostt = k % 4 == 2, pattern = k % 4 == 3, wrong = k >= 16;
        const size_t rank = !frostt ? 2 : k % 8 < 4 ? 3 : SPARSE_MAX_RANK;
        const sparse_encoding e = way_encoding(rank, frostt ? 4 : k % 8 < 4 ? 0 : 4, SPARSE_F64);
        sparse_tensor made[2];
        sparse_io_error error;
        char *at = text, got[2][sizeof error.message];
        sparse_read_options o;
        memset(&o, 0, sizeof o);
        if (frostt)
            o.format = SPARSE_FILE_FROSTT;
        else
            at += sprintf(at, "%%%%MatrixMarket matrix coordinate %s %s\n70000 70000 %d\n",
                          pattern ? "pattern" : "real", symmetric ? "symmetric" : "general", MANY);
        for (unsigned n = 0; n < MANY; n++) {
            if (k >= 4 && n % 30011 == 11) at += sprintf(at, "%c%*d\n", frostt ? '#' : '%', 550 << k % 8, 1);
            const unsigned row = k % 3 == 0 ? n / 2 : n * 7919u % 60000,
                           column = k % 3 == 0 ? n % 2 : row / 3;
            at += sprintf(at, n % 9973 == 5 && k >= 8 ? "  %u\t %u" : "%u %u", row + 1,
                          (symmetric && column > row ? row : column) + 1);
            for (size_t d = 2; d < rank; d++) at += sprintf(at, " %u", n % 11 + 1);
            if (!pattern) at += sprintf(at, wrong && n == 99000 ? " x" : " %d.25", (int)(n % 201) - 100);
            at += sprintf(at, wrong && pattern && n == 99000 ? " x\n" : "\n");
        }
        o.error = &error;
        for (unsigned threads = 1; threads <= 2; threads++) {
            sparse_tensor *const t = &made[threads - 1];
            memset(t, 0, sizeof *t);
            t->encoding = &e;
            o.threads = threads;
            watched w = {0, 0, 0, SIZE_MAX};
            o.progress = watch;
            o.progress_context = &w;
            const sparse_result result = sparse_read_memory(t, text, (size_t)(at - text), &o);
            snprintf(got[threads - 1], sizeof *got, "%s", error.message);
            check((result != SPARSE_OK) == wrong, "many", error.message);
            check(w.calls > 1 && w.bytes >= (wrong ? 1u : (uint64_t)(at - text)), "progress",
                  "is not told of all");
            check(result != SPARSE_OK || sparse_validate(t, NULL) == SPARSE_OK, "many", "not valid");
        }
        check(strcmp(got[0], got[1]) == 0, "many: the same error", got[1]);
        check(same_tensor(&made[0], &made[1]), "many: the same tensor", "with two threads");
        watched w = {0, 0, 0, 1};
        o.progress_context = &w;
        check(sparse_read_memory(&made[0], text, (size_t)(at - text), &o) == SPARSE_E_STOPPED, "progress",
              "stopped");
        check(error.result == SPARSE_E_STOPPED && w.calls == 2, "progress", error.message);
        sparse_free(&made[0]);
        sparse_free(&made[1]);
    }
    free(text);
}

/* ---- a text that changes while it is read ---- */

typedef struct changing {
    char *text;
    const char *other;
    size_t length;
    long call; /* the call that replaces the text by the other one */
} changing;

static bool change(void *context, uint64_t read, uint64_t total)
{
    changing *const c = (changing *)context;
    (void)read, (void)total;
    if (c->call-- == 0) memcpy(c->text, c->other, c->length);
    return true;
}

/* Another program changes a file between two passes of the reader over it: coordinates become larger or smaller, repeated
   entries differ, entries disappear. The result is a valid tensor or an error. */
static void test_changing(void)
{
    enum { LINES = 600, LINE = 19 };
    static char text[LINES * LINE + 1], other[LINES * LINE + 1];
    for (size_t k = 0; k < (size_t)4 * 8 * 24; k++) {
        const size_t how = k % 4, which = k / 4 % 8;
        const sparse_encoding e = way_encoding(2, which, SPARSE_F64);
        sparse_tensor t;
        sparse_io_error error;
        sparse_read_options o;
        char detail[400];
        budget b = {0, 1 << 24, -1};
        const sparse_hooks hooks = {budget_resize, &b};
        changing c = {text, other, LINES * LINE, (long)(k / 32)};
        for (unsigned n = 0; n < LINES; n++) {
            const unsigned row = n * 7 % LINES + 1, column = n == 590 ? 591 : n + 1;
            snprintf(text + n * LINE, LINE + 1, "%06u %07u 1.5\n", n == 590 ? 588 * 7 % LINES + 1 : row,
                     n == 590 ? 589 : column);
            if (how == 3 && n > 3)
                snprintf(other + n * LINE, LINE + 1, "%18s\n", "");
            else
                snprintf(other + n * LINE, LINE + 1, "%06u %07u 1.5\n",
                         how == 0 && n == 300 ? 60000
                         : how == 1           ? n / 20 + 1
                                              : row,
                         how == 0 && n == 400 ? 65000
                         : how == 1           ? n % 20 + 1
                                              : column);
        }
        memset(&o, 0, sizeof o);
        memset(&t, 0, sizeof t);
        o.error = &error;
        o.format = k % 3 == 0 ? SPARSE_FILE_EDGES : SPARSE_FILE_FROSTT;
        o.duplicates = k % 5 < 3 ? SPARSE_DUPLICATES_ERROR : SPARSE_DUPLICATES_SUM;
        o.threads = (unsigned)k % 2 + 1;
        o.progress = change;
        o.progress_context = &c;
        t.encoding = &e;
        t.hooks = &hooks;
        const sparse_result result = sparse_read_memory(&t, text, LINES * LINE, &o);
        snprintf(detail, sizeof detail, "case %d: encoding %d, %s", (int)k, (int)which, error.message);
        check(result != SPARSE_OK || sparse_validate(&t, NULL) == SPARSE_OK, "changing", detail);
        check(error.result == result, "changing", detail);
        sparse_free(&t);
        check(b.used == 0, "changing: leaked", detail);
    }
}

/* ---- shortest digits ---- */

/* Checks that the text of x reads back as x, that no text with fewer digits does, and that none with as many is closer to
   x. */
static void check_shortest(double x, unsigned type)
{
    char text[40], other[40];
    sparse_p_decimal n;
    memset(&n, 0, sizeof n);
    double back;
    char *const end = sparse_p_put_real(text, x, type);
    *end = '\0';
    bool good = end - text <= 24 && sparse_p_scan(text, end, false, &n) == end &&
                sparse_p_to_real(&n, type, &back) && memcmp(&back, &x, sizeof x) == 0;
    uint64_t digits = n.digits;
    int count = 0;
    while (digits != 0 && digits % 10 == 0) digits /= 10;
    for (uint64_t rest = digits; rest != 0; rest /= 10) count++;
    for (int most = count - 1; good && most <= count && digits != 0;
         most++) { /* the closest number with one digit less, and with as many */
        if (most < 1) continue;
        snprintf(other, sizeof other, "%.*e", most - 1, x);
        sparse_p_scan(other, other + strlen(other), false, &n);
        const bool same = sparse_p_to_real(&n, type, &back) && memcmp(&back, &x, sizeof x) == 0;
        if (most < count)
            good = !same;
        else if (same) {
            while (n.digits % 10 == 0) n.digits /= 10;
            good = n.digits == digits;
        }
    }
    if (!good) check(false, "shortest digits", text);
}

static void test_shortest(void)
{
    const int before = failed;
    for (int k = 0; k < 200000; k++) { /* any bits; neighbours of powers of two; few digits */
        uint64_t bits = random_bits();
        if (k % 4 == 1) bits = (bits % 2047 << 52) + bits / 2047 % 64 - 32;
        double x;
        memcpy(&x, &bits, sizeof x);
        if (k % 4 == 2) x = (double)(bits >> 40) / (double)(1 + bits % 1000);
        if (k % 4 == 3) x = (double)(int64_t)(bits >> bits % 60);
        if (x - x != 0) continue;
        check_shortest(x, SPARSE_P_DOUBLE);
        uint32_t half = (uint32_t)(bits >> 20);
        float f;
        memcpy(&f, &half, sizeof f);
        if (f - f != 0) continue;
        check_shortest((double)f, SPARSE_P_SINGLE);
    }
    for (uint32_t k = 0; k < 65536; k++) { /* all numbers of 16 bits */
        const uint16_t bits = (uint16_t)k;
        const double half = (double)sparse_p_load_half(SPARSE_F16, &bits),
                     brain = (double)sparse_p_load_half(SPARSE_BF16, &bits);
        if (half - half == 0) check_shortest(half, SPARSE_P_HALF);
        if (brain - brain == 0) check_shortest(brain, SPARSE_P_BRAIN);
    }
    check(failed == before, "shortest digits", "some are not");
}

/* The text of some numbers. */
static void test_spelling(void)
{
    static const struct {
        double x;
        const char *text;
    } numbers[] = {{0, "0"},
                   {-0.0, "-0"},
                   {1, "1"},
                   {-1.5, "-1.5"},
                   {0.1, "0.1"},
                   {0.0001, "0.0001"},
                   {0.00012, "0.00012"},
                   {1e-5, "1e-05"},
                   {100, "100"},
                   {1e14, "100000000000000"},
                   {1e15, "1e+15"},
                   {123456789012345678.0, "1.2345678901234568e+17"},
                   {9007199254740992.0, "9007199254740992"},
                   {5e-324, "5e-324"},
                   {2.2250738585072014e-308, "2.2250738585072014e-308"},
                   {1.7976931348623157e308, "1.7976931348623157e+308"},
                   {1e23, "1e+23"},
                   {9.5e-3, "0.0095"},
                   {1e100, "1e+100"},
                   {2e-44, "2e-44"},
                   {3.5, "3.5"},
                   {1234.5678, "1234.5678"}};
    char text[40];
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        sparse_p_spell(SPARSE_F64, &numbers[k].x, 0, text);
        check(strcmp(text, numbers[k].text) == 0, numbers[k].text, text);
    }
}

/* Rows of one column, in order: 16 bits number 65535 positions, whatever room the arrays have; and positions number rows,
   not entries. */
SPARSE_TENSOR(listed_rows, ((i, j), (compressed, i), (dense, j)), double, 16, 32)
static void test_narrow_positions(void)
{
    static const size_t counts[] = {65535, 65536, 65800, 66077, 90000};
    static char text[100 + 20 * 90000];
    for (size_t turn = 0; turn < 2 * sizeof counts / sizeof *counts; turn++) {
        const size_t count = counts[turn / 2], columns = turn % 2 ? 3 : 1;
        size_t length = (size_t)sprintf(text, "%%%%MatrixMarket matrix coordinate real general\n100000 %zu %zu\n", columns, count);
        for (size_t k = 0; k < count; k++) length += (size_t)sprintf(text + length, "%zu %zu 1\n", k / columns + 1, k % columns + 1);
        listed_rows t = SPARSE_INIT(listed_rows);
        const bool fits = count <= 65535 * columns;
        check(sparse_read_memory(&t.t, text, length, NULL) == (fits ? SPARSE_OK : SPARSE_E_POSITION_WIDTH), "narrow positions", "");
        check(!fits || sparse_validate(&t.t, NULL) == SPARSE_OK, "narrow positions, validated", "");
        sparse_free(&t.t);
    }
}

int main(void)
{
    test_integers();
    test_ways();
    test_order();
    test_many();
    test_narrow_positions();
    test_changing();
    test_shortest();
    test_spelling();
    printf("test_reading: %d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed > 0;
}
