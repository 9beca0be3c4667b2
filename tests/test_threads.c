/* test_threads.c: packing, conversion, assembled outputs, and solves over level sets give, byte for byte, equal arrays with
   any number of threads.

   Prints failures, then one line; exits with 1 if there was a failure. */
static unsigned threads = 1;
#define SPARSE_THREADS threads
#define SPARSE_P_SHARE 100 /* small limits, so that few entries are enough to use threads */
#define SPARSE_P_PARCELED 500
#define SPARSE_P_PARCEL 64
#include "oracle.h"

#include "sparse.h"

static bool same_buffer(const sparse_buffer *a, const sparse_buffer *b, size_t size)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->at, b->at, a->length * size) == 0);
}

/* Do two tensors of one encoding have the same arrays? */
static bool same_arrays(const sparse_tensor *a, const sparse_tensor *b)
{
    const sparse_encoding *e = a->encoding;
    bool same = same_buffer(&a->val, &b->val, e->value_size);
    for (unsigned l = 0; l < e->levels; l++) {
        same = same && same_buffer(&a->pos[l], &b->pos[l], e->pos_bits / 8u);
        same = same && same_buffer(&a->crd[l], &b->crd[l], e->crd_bits / 8u);
    }
    return same;
}

enum { ENTRIES = 6000 };
static size_t at[2 * ENTRIES];
static double value[ENTRIES];
static float single[ENTRIES];

/* Shapes of matrices; scatter() draws their entries, unsorted. */
typedef struct matrix {
    const char *name;
    size_t dim[2], count;
} matrix;
static const matrix shapes[] = {{"uniform", {1500, 1000}, 6000}, {"band", {2000, 2000}, 6000},
                               {"one long row", {300, 9000}, 5000}, {"one of 20 rows", {9000, 300}, 4000},
                               {"few columns", {4000, 3}, 6000},   {"hypersparse", {SIZE_MAX, SIZE_MAX}, 3000},
                               {"no entry", {1000, 1000}, 0},       {"few entries", {900, 800}, 5}};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static void scatter(unsigned which)
{
    const matrix *s = &shapes[which];
    for (size_t k = 0; k < s->count; k++) {
        size_t i = random_below(s->dim[0]), j = random_below(s->dim[1]);
        if (which == 1) j = i + random_below(5) < 2000 ? i + random_below(5) : i, j = j < 2000 ? j : i;
        if (which == 2 && random_below(4)) i = 77;
        if (which == 3) i -= i % 20;
        at[2 * k] = i, at[2 * k + 1] = j;
        value[k] = 1 / (double)(1 + random_below(1000)); /* not exact: sums depend on their order */
        single[k] = (float)value[k];
    }
}

static void expect_same(const sparse_encoding *from, const sparse_encoding *to, const matrix *s)
{
    sparse_tensor a = tensor_of(from), b = tensor_of(to), c = tensor_of(to);
    const void *values = from->kind == SPARSE_F64 ? (const void *)value : single;
    threads = 1;
    const sparse_result packed = sparse_pack_untyped(&a, s->dim, s->count, at, values, SPARSE_DUPLICATES_SUM);
    const sparse_result wanted = packed ? packed : sparse_convert(&b, &a);
    for (threads = 2; !packed && threads <= 4; threads++) {
        CHECK_RESULT(sparse_convert(&c, &a), wanted);
        if (!wanted) CHECK(same_arrays(&b, &c));
    }
    if (!wanted) { /* whichever allocation fails, nothing leaks */
        threads = 3;
        books.calls = 0;
        books.fail_at = 1 + random_below(8);
        const sparse_result result = sparse_convert(&c, &a);
        books.fail_at = 0;
        CHECK(result == SPARSE_E_MEMORY ? sparse_entries(&c) == 0 : result == SPARSE_OK);
    }
    sparse_free(&a);
    sparse_free(&b);
    sparse_free(&c);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static void expect_packed(const sparse_encoding *e, const matrix *s)
{
    sparse_tensor a = tensor_of(e), b = tensor_of(e);
    const void *values = e->kind == SPARSE_F64 ? (const void *)value : single;
    threads = 1;
    const sparse_result wanted = sparse_pack_untyped(&a, s->dim, s->count, at, values, SPARSE_DUPLICATES_SUM);
    for (threads = 2; threads <= 4; threads++) {
        CHECK_RESULT(sparse_pack_untyped(&b, s->dim, s->count, at, values, SPARSE_DUPLICATES_SUM), wanted);
        if (!wanted) CHECK(same_arrays(&a, &b));
    }
    if (s->count > 0) { /* a coordinate out of range, and memory that runs out */
        const size_t k = 2 * random_below(s->count), inside = at[k];
        if (s->dim[0] < SIZE_MAX) {
            at[k] = s->dim[0];
            CHECK_RESULT(sparse_pack_untyped(&b, s->dim, s->count, at, values, SPARSE_DUPLICATES_SUM), SPARSE_E_COORDINATE);
            at[k] = inside;
        }
        books.calls = 0;
        books.fail_at = 1 + random_below(4);
        const sparse_result result = sparse_pack_untyped(&b, s->dim, s->count, at, values, SPARSE_DUPLICATES_SUM);
        books.fail_at = 0;
        CHECK(result == SPARSE_E_MEMORY ? sparse_entries(&b) == 0 : result == wanted);
    }
    sparse_free(&a);
    sparse_free(&b);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static void test_pairs(void)
{
    static const char *const texts[] = {"0d 1c",  "1d 0c",   "0c 1c",  "1c 0c",     "0cn 1s",      "1cn 0sa",
                                        "0cno 1snoa", "0d 1co", "0d 1l", "0c 1d", "0/2d 1/2c 0%2d 1%2d", "0/4d 1/4c 0%4d 1%4d",
                                        "0/3d 1/2c 1%2d 0%3d", "0/3d 1-c 0%3d", "1/64d 0/32d 1%64cno 0%32soa", "0d 1d", "0d 1m"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    for (unsigned which = 0; which < SHAPES; which++) {
        scatter(which);
        for (size_t f = 0; f < TEXTS; f++)
            for (size_t g = 0; g < TEXTS; g++) {
                const bool large = which == 5, dense = strchr(texts[f], 'd') || strchr(texts[g], 'd');
                const unsigned w = random_below(4) ? 32 : 64, bits = large ? 64 : 32;
                const sparse_kind kind = random_below(4) ? SPARSE_F64 : SPARSE_F32;
                const sparse_encoding from = encode(texts[f], w, bits, kind);
                const sparse_encoding to = encode(texts[g], random_below(2) ? 32 : w, bits, kind);
                if (large && dense) continue;
                snprintf(subject, sizeof subject, "%s: %s to %s", shapes[which].name, texts[f], texts[g]);
                if (g == 0 || large) expect_packed(&from, &shapes[which]);
                if (random_below(6) == 0 || large) expect_same(&from, &to, &shapes[which]);
            }
    }
}

/* Conversions to ELL slices and diagonals. */
SPARSE_TENSOR(csr, SPARSE_CSR, double, 32, 32)
SPARSE_TENSOR(ell, SPARSE_ELL(30), double, 32, 32)
SPARSE_TENSOR(jagged, SPARSE_JAGGED(30), double, 32, 32)
SPARSE_TENSOR(dia, SPARSE_DIA, double, 32, 32)
static void test_slices(void)
{
    static const sparse_encoding *const to[] = {&ell_encoding, &jagged_encoding, &dia_encoding};
    for (unsigned which = 0; which < 2; which++) {
        scatter(which);
        for (size_t k = 0; k < 3; k++) {
            if (which == 0 && k == 2) continue; /* almost all diagonals */
            snprintf(subject, sizeof subject, "%s: to %s", shapes[which].name, to[k]->name);
            expect_same(&csr_encoding, to[k], &shapes[which]);
        }
    }
}

/* Outputs assembled in parts by threads: CSR, DCSR, COO, a tree, blocks, below two dense levels; with an array as a
   workspace, with a hash table, and without a workspace. */
#define CSR   csr, SPARSE_CSR, double, 32, 32
#define DCSR  dcsr, SPARSE_DCSR, double, 32, 32
#define COO   coo, SPARSE_COO, double, 32, 32
#define CELLS cells, ((i, j, k), (dense, i), (dense, j), (compressed, k)), double, 32, 32
#define TREE  tree, ((i, j, k), (dense, i), (compressed, j), (compressed, k)), double, 32, 32
#define BLOCK block, ((i, j, k), (dense, i), (compressed, j), (dense, k)), double, 32, 32
#define MARKS marks, SPARSE_DENSE_1D, uint8_t, 32, 32
SPARSE_TENSOR(dcsr, SPARSE_DCSR, double, 32, 32)
SPARSE_TENSOR(coo, SPARSE_COO, double, 32, 32)
SPARSE_TENSOR(CELLS)
SPARSE_TENSOR(TREE)
SPARSE_TENSOR(BLOCK)
SPARSE_TENSOR(MARKS)
#define IN_PARTS(name, C, loop, inner, ...)                        \
    SPARSE_KERNEL(name, (loop, SPARSE_P_ID inner), C, __VA_ARGS__) \
    SPARSE_KERNEL(name##_parallel, (parallel(loop), SPARSE_P_ID inner), C, __VA_ARGS__)
IN_PARTS(rows, (C, CSR, i, j), i, (k, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
IN_PARTS(rows_of_few, (C, CSR, i, j), i, (k, j), all((A, DCSR, i, k), (B, CSR, k, j)), C += A * B)
IN_PARTS(few_rows, (C, DCSR, i, j), i, (k, j), all((A, DCSR, i, k), (B, CSR, k, j)), C += A * B)
IN_PARTS(list, (C, COO, i, j), i, (k, j), all((A, DCSR, i, k), (B, CSR, k, j)), C += A * B)
IN_PARTS(copied, (C, CSR, i, j), i, (j), all((A, DCSR, i, j), (B, const csr *)), C = B ? 2 * A : 0)
IN_PARTS(below_two, (C, CELLS, i, j, k), i, (j, k), all((A, DCSR, i, j), (B, CSR, j, k)), C = A * B)
IN_PARTS(in_tree, (C, TREE, i, j, k), i, (j, k), all((A, CSR, i, j), (B, CSR, j, k)), C = A * B)
IN_PARTS(in_blocks, (C, BLOCK, i, j, k), i, (j, k), all((A, DCSR, i, j), (B, CSR, j, k)), C += A * B)
IN_PARTS(marked, (C, CSR, i, j), i, (k, j),
         all((A, CSR, i, k), (B, CSR, k, j), where((m, MARKS, j), (j), all((N, CSR, i, j)), m = 1)),
         if (m) C += A * B; else has_C = false)
static void set_threads(int n)
{
#ifdef _OPENMP
    omp_set_num_threads(n);
#else
    (void)n;
#endif
}
/* Runs a kernel sequentially, then with one to five threads, then with allocations that fail. */
#define EXPECT_PARTS(type, kernel, A)                                                                 \
    do {                                                                                              \
        type C = SPARSE_INIT(type), D = SPARSE_INIT(type);                                            \
        const size_t before = books.live;                                                             \
        C.t.hooks = D.t.hooks = &counting;                                                            \
        snprintf(subject, sizeof subject, #kernel ": %s", shapes[which].name);                        \
        CHECK_RESULT(kernel(&C, A, &B), SPARSE_OK);                                                   \
        for (int n = 1; n <= 5; n++) {                                                                \
            const void *const held = D.t.val.at;                                                      \
            set_threads(n);                                                                           \
            CHECK_RESULT(kernel##_parallel(&D, A, &B), SPARSE_OK);                                    \
            CHECK(same_arrays(&C.t, &D.t) && sparse_validate(&D.t, NULL) == SPARSE_OK);               \
            CHECK(n < 3 || D.t.val.at == held); /* reuses the arrays */                               \
        }                                                                                             \
        for (size_t fail = 1; fail < 400; fail += 1 + random_below(60)) {                             \
            set_threads(1 + (int)random_below(4));                                                    \
            books.calls = 0, books.fail_at = fail;                                                    \
            const sparse_result result = kernel##_parallel(&D, A, &B);                                \
            const bool came = books.calls >= fail;                                                    \
            books.fail_at = 0;                                                                        \
            CHECK(result == SPARSE_OK ? same_arrays(&C.t, &D.t) : result == SPARSE_E_MEMORY && came); \
            if (result != SPARSE_OK) CHECK(sparse_entries(&D.t) == 0);                                \
        }                                                                                             \
        sparse_free(&C.t), sparse_free(&D.t);                                                         \
        CHECK(books.live == before && books.mistakes == 0);                                           \
    } while (0)
static void test_parts(void)
{
    for (unsigned which = 0; which < SHAPES; which++) {
        if (shapes[which].dim[0] == SIZE_MAX) continue;
        csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
        dcsr few = SPARSE_INIT(dcsr);
        scatter(which);
        CHECK_RESULT(sparse_pack_untyped(&A.t, shapes[which].dim, shapes[which].count, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&few.t, &A.t), SPARSE_OK);
        /* B: a few entries in each row; 30 columns, or so many that the workspace is a hash table */
        for (size_t turn = 0; turn < 2; turn++) {
            static const size_t columns[] = {30, 100000}, most = ENTRIES;
            const size_t dim[] = {shapes[which].dim[1], columns[turn]}, count = sparse_p_min(2 * dim[0], most);
            for (size_t k = 0; k < count; k++) at[2 * k] = random_below(dim[0]), at[2 * k + 1] = random_below(dim[1]);
            CHECK_RESULT(sparse_pack_untyped(&B.t, dim, count, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
            EXPECT_PARTS(csr, rows, &A);
            EXPECT_PARTS(csr, rows_of_few, &few);
            EXPECT_PARTS(dcsr, few_rows, &few);
            EXPECT_PARTS(coo, list, &few);
            EXPECT_PARTS(csr, copied, &few);
            EXPECT_PARTS(tree, in_tree, &A);
            if (turn > 0 || which == 2) continue; /* too large */
            EXPECT_PARTS(cells, below_two, &few);
            EXPECT_PARTS(block, in_blocks, &few);
        }
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&few.t);
    }
    set_threads(2);
}

/* Joining parts is refused if the estimated total length overflows: the length of a part times the number of parts, or with
   an eighth more. */
static void test_many_parts(void)
{
    const sparse_encoding list = encode("0c", 32, 32, SPARSE_F64);
    static const size_t length[] = {SIZE_MAX / 2 + 1, SIZE_MAX / 9 * 8 + 8};
    sparse_p_builder all[3];
    sparse_tensor part, joined;
    size_t n = 0, place[SPARSE_P_BUFFERS];
    const size_t before = books.live;
    for (size_t k = 0; k < 2; k++) {
        memset(all, 0, sizeof all);
        sparse_p_builder *const whole = &all[2 - k];
        all[0].part.of = 2 - k, all[0].part.ended = true;
        part = joined = sparse_p_empty(&list, &counting);
        part.val.length = length[k];
        all[0].t = &part;
        whole->t = &joined;
        CHECK(!sparse_p_give_place(all, &n, place) && whole->part.number == 0);
        sparse_p_release(&counting, &joined.val, sizeof(double));
    }
    CHECK(books.live == before && books.mistakes == 0);
}

/* Each thread allocates one workspace, for all of its parts, and clears it after each part. */
enum { MARKED = 10007 };
static size_t workspaces;
static void *resize_and_count(void *context, void *memory, size_t old_bytes, size_t new_bytes)
{
#ifdef _OPENMP
    #pragma omp atomic
#endif
    workspaces += new_bytes == MARKED;
    return ledger_resize(context, memory, old_bytes, new_bytes);
}
static void test_workspaces(void)
{
    static const sparse_hooks noting = {resize_and_count, &books};
    const size_t dim[] = {1000, MARKED}, square[] = {1000, 1000}, before = books.live;
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), N = SPARSE_INIT(csr), C = SPARSE_INIT(csr), D = SPARSE_INIT(csr);
    csr *const wide[] = {&B, &N};
    subject[0] = 0;
    for (size_t n = 0; n < 2 * ENTRIES; n++) at[n] = random_below(1000);
    CHECK_RESULT(sparse_pack_untyped(&A.t, square, ENTRIES, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    for (unsigned m = 0; m < 2; m++) {
        for (size_t n = 0; n < ENTRIES; n++) at[2 * n] = random_below(1000), at[2 * n + 1] = random_below(MARKED);
        for (size_t n = 0; n < ENTRIES; n += 2) at[2 * n + 1] %= 40; /* half of the entries share columns */
        CHECK_RESULT(sparse_pack_untyped(&wide[m]->t, dim, ENTRIES, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    }
    C.t.hooks = D.t.hooks = &noting;
    CHECK_RESULT(marked(&C, &A, &B, &N), SPARSE_OK);
    CHECK(workspaces == 1 && sparse_entries(&C.t) > 500);
    for (int n = 1; n <= 5; n++) {
        set_threads(n);
        workspaces = 0;
        CHECK_RESULT(marked_parallel(&D, &A, &B, &N), SPARSE_OK);
        CHECK(workspaces > 0 && workspaces <= (size_t)n && same_arrays(&C.t, &D.t));
    }
    for (size_t fail = 1; fail < 200; fail += 1 + random_below(9)) {
        books.calls = 0, books.fail_at = fail;
        const sparse_result result = marked_parallel(&D, &A, &B, &N);
        const bool came = books.calls >= fail;
        books.fail_at = 0;
        CHECK(result == SPARSE_OK ? same_arrays(&C.t, &D.t) : result == SPARSE_E_MEMORY && came);
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&N.t), sparse_free(&C.t), sparse_free(&D.t);
    CHECK(books.live == before && books.mistakes == 0);
    set_threads(2);
}

/* Loops over unsorted coordinates, each looked up in other operands. */
#define LOT  lot, ((i), (compressed(nonordered), i)), double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(LOT)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(in_no_order, (parallel(i)), (y, VEC, i), all((A, LOT, i), (B, SVEC, i)), y = 10 * A + B)
static void test_order(void)
{
    enum { MANY = 3000 };
    static uint32_t pos[2] = {0, MANY}, crd[MANY];
    static double a[MANY], b[MANY], y[MANY];
    const size_t dim = MANY, before = books.live;
    lot A = SPARSE_INIT(lot);
    svec B = SPARSE_INIT(svec);
    vec Y = SPARSE_INIT(vec);
    sparse_arrays arrays;
    subject[0] = 0;
    for (size_t n = 0; n < MANY; n++) {
        const size_t i = (n * 1789 + 11) % MANY; /* a permutation: MANY and 1789 have no common divisor */
        crd[n] = (uint32_t)i;
        a[n] = (double)(1 + random_below(9));
        b[i] = random_below(3) ? 0 : (double)(1 + random_below(9));
        y[i] = b[i] > 0 ? 10 * a[n] + b[i] : 0;
    }
    memset(&arrays, 0, sizeof arrays);
    arrays.pos[0] = (sparse_array)SPARSE_ARRAY(pos, 2);
    arrays.crd[0] = (sparse_array)SPARSE_ARRAY(crd, MANY);
    arrays.val = (sparse_array)SPARSE_ARRAY(a, MANY);
    CHECK_RESULT(sparse_assemble(&A.t, &dim, &arrays, SPARSE_COPY, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, &dim, b), SPARSE_OK);
    for (int n = 1; n <= 5; n++) {
        set_threads(n);
        CHECK_RESULT(in_no_order(&Y, &A, &B), SPARSE_OK);
        CHECK(memcmp(Y.t.val.at, y, sizeof y) == 0);
        sparse_free(&Y.t);
    }
    sparse_free(&A.t), sparse_free(&B.t);
    CHECK(books.live == before);
    set_threads(2);
}

/* Triangular solves by level sets: a level has the rows that need only rows of earlier levels. The results have the bits of
   a loop over all rows in order, with any number of threads. */
#define NUMBERS  numbers, SPARSE_DENSE_1D, uint32_t, 32, 32
#define BY_ROW   by_row, SPARSE_CSC, bool, 32, 32
#define BY_LEVEL by_level, SPARSE_CSR, bool, 32, 32
#define ROWS     rows_of_numbers, SPARSE_DENSE_1D, double, 32, 32
#define SIDES    sides, SPARSE_DENSE_2D, double, 32, 32
SPARSE_TENSOR(NUMBERS)
SPARSE_TENSOR(BY_ROW)
SPARSE_TENSOR(BY_LEVEL)
SPARSE_TENSOR(ROWS)
SPARSE_TENSOR(SIDES)
#define FIND_LEVELS(name, loops, before)                                                                                    \
    SPARSE_KERNEL(name, loops, ((level, NUMBERS, i), (count, size_t)), all((A, CSR, i, j), current(z, level, NUMBERS, j)),  \
                  if (j before i && level <= z) level = z + 1;                                                              \
                  if (level >= count) count = level + 1)
FIND_LEVELS(levels_below, (i, j), <)
FIND_LEVELS(levels_above, (down(i), down(j)), >)
SPARSE_KERNEL(assign, (i, let(l, level, count)), (S, BY_ROW, l, i), all((level, NUMBERS, i), (count, size_t)), S = true)
#define SOLVE(name, loops, first, before, ...)                                                                              \
    SPARSE_KERNEL(name, loops, (x, ROWS, i), all(__VA_ARGS__, current(z, x, ROWS, j)), if (j before i) x -= first * z;      \
                  else if (j == i) x /= first)
SOLVE(below, (i, j), A, <, (A, CSR, i, j))
SOLVE(below_levels, (l, independent(i), j), A, <, (S, BY_LEVEL, l, i), (A, CSR, i, j))
SOLVE(above, (down(i), down(j)), A, >, (A, CSR, i, j))
SOLVE(above_levels, (l, independent(i), down(j)), A, >, (S, BY_LEVEL, l, i), (A, CSR, i, j))
/* with a workspace in each thread, and with one for a level */
SOLVE(row_apart, (l, independent(i), j), w, <, (S, BY_LEVEL, l, i), (A, CSR, i, j),
      where((w, ROWS, j), (j), all((B, CSR, i, j)), w = B))
SOLVE(level_apart, (l, independent(i), j), A *w, <, (S, BY_LEVEL, l, i), (A, CSR, i, j),
      where((w, ROWS, i), (i), all((B, BY_LEVEL, l, i)), w = B))
/* several right-hand sides; a sweep of Gauss-Seidel; an incomplete factor */
#define SIDES_OF(name, loops, ...)                                                                                          \
    SPARSE_KERNEL(name, loops, (X, SIDES, i, k), all(__VA_ARGS__(A, CSR, i, j), current(Z, X, SIDES, j, k)),                \
                  if (j < i) X -= A * Z;                                                                                    \
                  else if (j == i) X /= A)
SIDES_OF(sides_below, (i, j, k), )
SIDES_OF(sides_levels, (l, independent(i), j, k), (S, BY_LEVEL, l, i), )
#define SWEEP(name, loops, ...)                                                                                             \
    SPARSE_KERNEL(name, loops, (x, ROWS, i),                                                                                \
                  all(__VA_ARGS__ where((s, double), (j), all((A, CSR, i, j), current(z, x, ROWS, j)), s += A * z)),        \
                  x = (x - s) / 4)
SWEEP(sweep, (i), )
SWEEP(sweep_levels, (l, independent(i)), (S, BY_LEVEL, l, i), )
#define FACTOR(name, loops, ...)                                                                                            \
    SPARSE_KERNEL(name, loops, update(A, CSR, i, j), all(__VA_ARGS__ current(P, A, CSR, i, k), current(Q, A, CSR, j, k)),   \
                  if (k < j) A -= P * Q;                                                                                    \
                  else if (j < i) A /= Q)
FACTOR(factor, (i, j, k), )
FACTOR(factor_levels, (l, independent(i), j, k), (S, BY_LEVEL, l, i), )

/* Draws a lower or upper triangle with a few entries in each row, and computes its levels. */
static void set_up_levels(csr *A, by_level *S, size_t n, bool upper)
{
    const size_t dim[] = {n, n};
    size_t count = 0, levels = 0;
    numbers level = SPARSE_INIT(numbers);
    by_row by = SPARSE_INIT(by_row);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 4; k++) {
            const size_t back = k ? random_below(i + 1) : 0; /* the diagonal, then a column before it */
            at[2 * count] = upper ? n - 1 - i : i;
            at[2 * count + 1] = upper ? n - 1 - i + back : i - back;
            value[count++] = 1 / (double)(1 + random_below(7));
        }
    CHECK_RESULT(csr_pack(A, dim, count, at, value, SPARSE_DUPLICATES_LAST), SPARSE_OK);
    CHECK_RESULT(upper ? levels_above(&level, &levels, A) : levels_below(&level, &levels, A), SPARSE_OK);
    CHECK_RESULT(assign(&by, &level, levels), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&S->t, &by.t), SPARSE_OK);
    sparse_free(&level.t), sparse_free(&by.t);
}

/* Compares a solve in order with solves by levels, with one to four threads. */
#define EXPECT_LEVELS(type, rank, in_order, ...)                                                                            \
    do {                                                                                                                    \
        const size_t dim[] = {n, 3};                                                                                        \
        type x = SPARSE_INIT(type), y = SPARSE_INIT(type);                                                                  \
        CHECK_RESULT(type##_pack_dense(&x, dim, value), SPARSE_OK);                                                         \
        CHECK_RESULT(in_order, SPARSE_OK);                                                                                  \
        for (int team = 1; team <= 4; team++) {                                                                             \
            set_threads(team);                                                                                              \
            CHECK_RESULT(type##_pack_dense(&y, dim, value), SPARSE_OK);                                                     \
            CHECK_RESULT(__VA_ARGS__, SPARSE_OK);                                                                           \
            CHECK(same_arrays(&x.t, &y.t));                                                                                 \
        }                                                                                                                   \
        sparse_free(&x.t), sparse_free(&y.t);                                                                               \
    } while (0)
static void test_levels(void)
{
    for (size_t n = 0; n <= 400; n = 3 * n + 1) {
        csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
        by_level S = SPARSE_INIT(by_level), T = SPARSE_INIT(by_level);
        set_up_levels(&A, &S, n, false);
        set_up_levels(&B, &T, n, true);
        CHECK(S.t.val.length == n && T.t.val.length == n);
        EXPECT_LEVELS(rows_of_numbers, 1, below(&x, &A), below_levels(&y, &S, &A));
        EXPECT_LEVELS(rows_of_numbers, 1, above(&x, &B), above_levels(&y, &T, &B));
        EXPECT_LEVELS(rows_of_numbers, 1, below(&x, &A), row_apart(&y, &S, &A, &A));
        EXPECT_LEVELS(rows_of_numbers, 1, below(&x, &A), level_apart(&y, &S, &A, &S));
        EXPECT_LEVELS(rows_of_numbers, 1, sweep(&x, &A), sweep_levels(&y, &S, &A));
        EXPECT_LEVELS(sides, 2, sides_below(&x, &A), sides_levels(&y, &S, &A));
        CHECK_RESULT(sparse_convert(&B.t, &A.t), SPARSE_OK);
        CHECK_RESULT(factor(&A), SPARSE_OK);
        for (int team = 1; team <= 4; team++) {
            set_threads(team);
            CHECK_RESULT(sparse_convert(&C.t, &B.t), SPARSE_OK);
            CHECK_RESULT(factor_levels(&C, &S), SPARSE_OK);
            CHECK(same_arrays(&A.t, &C.t));
        }
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&S.t), sparse_free(&T.t);
    }
    set_threads(2);
}

int main(void)
{
    test_pairs();
    test_order();
    test_slices();
    test_parts();
    test_many_parts();
    test_workspaces();
    test_levels();
    return report("test_threads");
}
