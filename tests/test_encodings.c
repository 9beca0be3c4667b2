/* test_encodings.c: every named encoding, as SPARSE_TENSOR defines it: pack, validate, walk, take apart, convert to other
   encodings and back, and multiply: y = A x for matrices, MTTKRP for tensors of rank 3. Also encodings as text.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "oracle.h"

#include "sparse.h"
#include "sparse_io.h"

#define ENCODINGS(X)                                                                                         \
    X(vector, SPARSE_VECTOR) X(dense1, SPARSE_DENSE_1D)                                                      \
    X(dense2, SPARSE_DENSE_2D) X(columns, SPARSE_COLUMN_MAJOR) X(csr, SPARSE_CSR) X(csc, SPARSE_CSC)         \
    X(dcsr, SPARSE_DCSR) X(dcsc, SPARSE_DCSC) X(cd, SPARSE_CD) X(coo, SPARSE_COO) X(coo_soa, SPARSE_COO_SOA) \
    X(bsr, SPARSE_BSR(2, 3)) X(bsr_inner, SPARSE_BSR_INNER_COLUMNS(2, 3)) X(bsc, SPARSE_BSC(3, 2))           \
    X(bsc_inner, SPARSE_BSC_INNER_ROWS(3, 2)) X(half, SPARSE_N_OF_M(4, 4)) X(dia, SPARSE_DIA)                \
    X(packed4, SPARSE_PACKED_N_OF_M(4, 4)) X(packed2, ((i, j), (dense, floordiv(i, 2)), (dense, j), (packed(2, 2), mod(i, 2)))) \
    X(packed9, SPARSE_PACKED_N_OF_M(9, 9))                                                                   \
    X(ell, SPARSE_ELL(13)) X(jagged, SPARSE_JAGGED(13)) X(csb, SPARSE_CSB(3))                              \
    X(dia_blocks, SPARSE_DIA_BLOCKS(2)) X(dia_rows, SPARSE_DIA_BLOCKS(1)) X(dia_wide, SPARSE_DIA_BLOCKS(512)) \
    X(dia_dense, ((i, j), (dense, minus(j, i)), (dense, i)))                                                 \
    X(dia_columns, ((i, j), (compressed, minus(i, j)), (compressed, j)))                                     \
    X(dia_parts, ((i, j), (compressed, floordiv(j, 3)), (compressed, minus(i, j)), (compressed, mod(j, 3)))) \
    X(ell_columns, ((i, j), (dense, count(j, 13)), (dense, j), (compressed, i)))                             \
    X(ell_rows, ((i, j), (dense, count(i, 13)), (compressed, j), (compressed, i)))                           \
    X(dense3, SPARSE_DENSE_3D) X(csf, SPARSE_CSF_3D) X(coo3, SPARSE_COO_3D) X(coo_soa3, SPARSE_COO_SOA_3D)   \
    X(mode_generic, SPARSE_MODE_GENERIC_3D) X(hicoo, SPARSE_HICOO_3D(2))                                     \
    X(dia3, ((i, j, k), (dense, k), (compressed, minus(i, j)), (dense, j)))                                  \
    X(dia3_blocks, ((i, j, k), (dense, floordiv(j, 2)), (dense, k), (bitmap, minus(i, j)), (dense, mod(j, 2)))) \
    X(ell3, ((i, j, k), (dense, j), (dense, count(i, 60)), (dense, i), (compressed, k)))                     \
    X(columns3, SPARSE_COLUMN_MAJOR_ND(i, j, k)) X(columns4, SPARSE_COLUMN_MAJOR_ND(p, q, r, s))             \
    X(coo1, SPARSE_COO_ND(i)) X(coo_soa4, SPARSE_COO_SOA_ND(i, j, k, l)) X(csf2, SPARSE_CSF_ND(i, j))        \
    X(dense4, SPARSE_DENSE_4D) X(csf4, SPARSE_CSF_4D) X(coo4, SPARSE_COO_4D)                                 \
    X(batched_csr, SPARSE_BATCHED_CSR) X(batched_coo, SPARSE_BATCHED_COO)                                    \
    X(batched_vector, ((i, j), (batch, i), (compressed, j))) X(batches, ((i, j), (batch, j), (batch, i)))    \
    X(batched_dcsr, ((b, i, j), (batch, b), (compressed, i), (compressed, j)))                               \
    X(batched_loose, ((b, i, j), (batch, b), (loose_compressed, j), (loose_compressed, i)))                  \
    X(batched_soa, ((b, i, j), (batch, i), (compressed(nonunique), b), (singleton(soa), j)))                 \
    X(batched_twice, ((b, i, j, k), (batch, k), (batch, b), (compressed, i), (dense, j)))                    \
    X(batched_bsr, ((b, i, j), (batch, b), (dense, floordiv(i, 2)), (compressed, floordiv(j, 2)),            \
                    (dense, mod(i, 2)), (dense, mod(j, 2))))                                                 \
    X(batched_blocks, ((i, j), (batch, floordiv(i, 3)), (compressed, mod(i, 3)), (compressed, j)))           \
    X(batched_dia, ((b, i, j), (batch, b), (compressed, minus(j, i)), (dense, i)))                           \
    X(bits, SPARSE_BITMAP_VECTOR) X(bit_rows, SPARSE_BITMAP_ROWS)                                            \
    X(bit_dense, ((i, j), (bitmap, j), (dense, i))) X(bit_csr, ((i, j), (bitmap, i), (compressed, j)))       \
    X(csr_bits, ((i, j), (compressed, i), (bitmap, j))) X(two_bits, ((i, j), (bitmap, i), (bitmap, j)))      \
    X(bit_blocks, ((i, j), (dense, floordiv(i, 2)), (bitmap, floordiv(j, 3)), (dense, mod(i, 2)), (dense, mod(j, 3)))) \
    X(bit_dia, ((i, j), (bitmap, minus(j, i)), (dense, i)))                                                  \
    X(blocks_of_bits, ((i, j), (compressed, floordiv(i, 3)), (compressed, floordiv(j, 2)), (bitmap, mod(i, 3)), (bitmap, mod(j, 2)))) \
    X(batched_bits, ((b, i, j), (batch, b), (dense, i), (bitmap, j)))                                        \
    X(mask, SPARSE_BITMASK_VECTOR) X(mask_rows, SPARSE_BITMASK_ROWS)                                         \
    X(mask_dense, ((i, j), (bitmask, j), (dense, i))) X(mask_csr, ((i, j), (bitmask, i), (compressed, j)))   \
    X(csr_mask, ((i, j), (compressed, i), (bitmask, j))) X(two_masks, ((i, j), (bitmask, i), (bitmask, j)))  \
    X(mask_bits, ((i, j), (bitmask, j), (bitmap, i))) X(mask3, ((i, j, k), (dense, k), (compressed, i), (bitmask, j))) \
    X(mask_blocks, ((i, j), (dense, floordiv(i, 2)), (bitmask, floordiv(j, 3)), (dense, mod(i, 2)), (dense, mod(j, 3)))) \
    X(mask_dia, ((i, j), (bitmask, minus(j, i)), (dense, i)))                                                \
    X(blocks_of_masks, ((i, j), (compressed, floordiv(i, 3)), (compressed, floordiv(j, 2)), (bitmask, mod(i, 3)), (bitmask, mod(j, 2)))) \
    X(batched_mask, ((b, i, j), (batch, b), (dense, i), (bitmask, j)))                                       \
    X(delta, SPARSE_CSR_DELTA(4)) X(delta_columns, ((i, j), (dense, j), (delta(1), i)))                      \
    X(delta_vector, ((i), (delta(2), i))) X(delta_csr, ((i, j), (delta(1), i), (compressed, j)))             \
    X(delta_dense, ((i, j), (delta(3), j), (dense, i))) X(delta_twice, ((i, j), (delta(32), i), (delta(5), j))) \
    X(csr_delta3, ((i, j, k), (dense, k), (compressed, i), (delta(2), j)))                                   \
    X(delta_bits, ((i, j), (delta(2), i), (bitmap, j))) X(delta_dia, ((i, j), (delta(3), minus(j, i)), (dense, i))) \
    X(delta_blocks, ((i, j), (dense, floordiv(i, 2)), (delta(1), floordiv(j, 3)), (dense, mod(i, 2)), (dense, mod(j, 3)))) \
    X(batched_delta, ((b, i, j), (batch, b), (dense, i), (delta(2), j)))

#define DEFINE(name, encoding) SPARSE_TENSOR(name, encoding, double, 32, 32)
ENCODINGS(DEFINE)
SPARSE_TENSOR(narrow, SPARSE_ELL(2), double, 32, 32)
#define ADDRESS(name, encoding) &name##_encoding,
static const sparse_encoding *const encodings[] = {ENCODINGS(ADDRESS)};
enum { COUNT = sizeof encodings / sizeof *encodings };
/* for each encoding, a function that makes a tensor from borrowed arrays */
typedef sparse_result (*borrowing)(sparse_tensor *t, const size_t *dim, const sparse_arrays *arrays, sparse_report *where);
#define BORROW(name, encoding)                                                                                              \
    static sparse_result borrow_##name(sparse_tensor *t, const size_t *dim, const sparse_arrays *arrays, sparse_report *where) \
    {                                                                                                                       \
        return name##_borrow_arrays((struct name *)t, dim, arrays, where);                                                  \
    }
ENCODINGS(BORROW)
#define BORROWING(name, encoding) borrow_##name,
static const borrowing borrows[] = {ENCODINGS(BORROWING)};

/* Checks that walking t yields the entries of x, and otherwise only zeros, each element at most once. */
static void check_walk(const sparse_tensor *t, const truth *x)
{
    static unsigned char seen_at[MOST];
    size_t nonzeros = 0;
    bool right = true;
    memset(seen_at, 0, sizeof seen_at);
    SPARSE_FOREACH(c, t)
    {
        for (size_t d = 0; d < x->rank; d++) right = right && c.dim[d] < x->dim[d];
        if (!right) break;
        const size_t k = truth_at(x, c.dim);
        right = right && !seen_at[k] && memcmp(c.value, x->dense + 8 * k, 8) == 0;
        seen_at[k] = 1;
        nonzeros += SPARSE_VALUE(c, double) > 0;
    }
    CHECK(right);
    CHECK(nonzeros == x->count);
}

static void check_slice(const sparse_tensor *t, const truth *x)
{
    sparse_slice s[SPARSE_MAX_RANK];
    double sum = 0;
    for (size_t d = 0; d < x->rank; d++) {
        s[d].offset = random_below(x->dim[d]);
        s[d].stride = 1 + random_below(3);
        s[d].size = random_below((x->dim[d] - 1 - s[d].offset) / s[d].stride + 2);
    }
    for (size_t k = 0; k < x->count; k++) {
        bool inside = true;
        for (size_t d = 0; d < x->rank; d++) {
            const size_t i = x->coordinates[k * x->rank + d];
            inside = inside && i >= s[d].offset && (i - s[d].offset) % s[d].stride == 0 && (i - s[d].offset) / s[d].stride < s[d].size;
        }
        double v;
        memcpy(&v, x->values + 8 * k, 8);
        if (inside) sum += v;
    }
    SPARSE_FOREACH_SLICE(c, t, s)
    {
        sum -= SPARSE_VALUE(c, double);
        for (size_t d = 0; d < x->rank; d++) sum += c.dim[d] < s[d].size ? 0 : 1e9;
    }
    CHECK(sum <= 0 && sum >= 0);
}

static void check_encoding(const sparse_encoding *e, const truth *x)
{
    static char dense[MOST * WIDEST];
    sparse_tensor t = tensor_of(e), u = tensor_of(e), v = tensor_of(encodings[random_below(COUNT)]);
    bool equal = false;
    snprintf(subject, sizeof subject, "%s, %s", e->name, v.encoding->name);
    CHECK_RESULT(sparse_encoding_check(e), SPARSE_OK);
    if (CHECK_RESULT(sparse_pack_untyped(&t, x->dim, x->count, x->coordinates, x->values, SPARSE_DUPLICATES_ERROR), SPARSE_OK)) {
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&t, dense), SPARSE_OK);
        CHECK(memcmp(dense, x->dense, x->volume * 8) == 0);
        check_walk(&t, x);
        if (x->volume > 0) check_slice(&t, x);
        CHECK_RESULT(sparse_pack_dense_untyped(&u, x->dim, x->dense), SPARSE_OK);
        CHECK_RESULT(sparse_equal(&t, &u, 0, &equal), SPARSE_OK);
        CHECK(equal && sparse_bytes(&t) == sparse_bytes(&u));
        CHECK_RESULT(sparse_copy(&u, &t), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&u, NULL), SPARSE_OK);
        if (v.encoding->rank == e->rank) {
            const sparse_result result = sparse_convert(&v, &t);
            if (CHECK(result == SPARSE_OK || result == SPARSE_E_FULL) && result == SPARSE_OK) {
                CHECK_RESULT(sparse_validate(&v, NULL), SPARSE_OK);
                CHECK_RESULT(sparse_equal(&t, &v, 0, &equal), SPARSE_OK);
                CHECK(equal);
            }
        } else CHECK_RESULT(sparse_convert(&v, &t), SPARSE_E_DIMENSIONS);
    }
    sparse_free(&t);
    sparse_free(&u);
    sparse_free(&v);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static void test_every_encoding(void)
{
    static truth x;
    for (size_t k = 0; k < COUNT; k++)
        for (size_t turn = 0; turn < 60; turn++) {
            const unsigned rank = encodings[k]->rank;
            size_t dim[4];
            for (unsigned d = 0; d < rank; d++) dim[d] = random_below(turn % 8 ? 1 + 12 / rank : 2);
            truth_random(&x, encodings[k], dim, 1 + turn % 12);
            check_encoding(encodings[k], &x);
        }
}

/* The encodings for any rank (_ND) equal the named ones of that rank. */
SPARSE_TENSOR(dense_nd, SPARSE_DENSE_ND(i, j, k, l), double, 32, 32)
SPARSE_TENSOR(columns_nd, SPARSE_COLUMN_MAJOR_ND(i, j), double, 32, 32)
SPARSE_TENSOR(csf_nd, SPARSE_CSF_ND(u, v, w), double, 32, 32)
SPARSE_TENSOR(coo_nd2, SPARSE_COO_ND(i, j), double, 32, 32)
SPARSE_TENSOR(coo_nd3, SPARSE_COO_ND(i, j, k), double, 32, 32)
SPARSE_TENSOR(coo_nd4, SPARSE_COO_ND(i, j, k, l), double, 32, 32)
SPARSE_TENSOR(coo_soa_nd2, SPARSE_COO_SOA_ND(i, j), double, 32, 32)
SPARSE_TENSOR(coo_soa_nd3, SPARSE_COO_SOA_ND(i, j, k), double, 32, 32)
SPARSE_TENSOR(coo_nd8, SPARSE_COO_ND(a, b, c, d, e, f, g, h), double, 32, 8)
SPARSE_TENSOR(coo_soa_nd7, SPARSE_COO_SOA_ND(a, b, c, d, e, f, g), double, 32, 32)
SPARSE_TENSOR(csf_nd8, SPARSE_CSF_ND(a, b, c, d, e, f, g, h), double, 32, 32)
SPARSE_TENSOR(columns_nd1, SPARSE_COLUMN_MAJOR_ND(a), double, 32, 32)
SPARSE_TENSOR(columns_nd6, SPARSE_COLUMN_MAJOR_ND(a, b, c, d, e, f), double, 32, 32)
SPARSE_TENSOR(columns_nd7, SPARSE_COLUMN_MAJOR_ND(a, b, c, d, e, f, g), double, 32, 32)
SPARSE_TENSOR(columns_nd8, SPARSE_COLUMN_MAJOR_ND(a, b, c, d, e, f, g, h), double, 32, 32)
/* kernels with up to the greatest number of loops, over COO with separate coordinate arrays (TUPLES), with interleaved
   coordinates (LINES), and over a slice */
#define DIGITS(rank, last, loops, ...)                                                                       \
    SPARSE_TENSOR(TUPLES##rank)                                                                              \
    SPARSE_TENSOR(LINES##rank)                                                                               \
    SPARSE_KERNEL(digits##rank, loops, (s, double), all((A, TUPLES##rank, __VA_ARGS__)), s = 10 * s + A + (double)last) \
    SPARSE_KERNEL(lines##rank, loops, (s, double), all((A, LINES##rank, __VA_ARGS__)), s = 10 * s + A + (double)last) \
    SPARSE_KERNEL(part##rank, loops, (s, double), all(slice(A, LINES##rank, __VA_ARGS__)), s = 10 * s + A + (double)last)
#define TUPLES4 tuples4, SPARSE_COO_SOA_ND(a, b, c, d), double, 32, 32
#define LINES4 row4, SPARSE_COO_ND(a, b, c, d), double, 32, 32
#define TUPLES5 tuples5, SPARSE_COO_SOA_ND(a, b, c, d, e), double, 32, 32
#define LINES5 row5, SPARSE_COO_ND(a, b, c, d, e), double, 32, 32
#define TUPLES6 tuples6, SPARSE_COO_SOA_ND(a, b, c, d, e, f), double, 32, 32
#define LINES6 row6, SPARSE_COO_ND(a, b, c, d, e, f), double, 32, 32
#define TUPLES7 tuples7, SPARSE_COO_SOA_ND(a, b, c, d, e, f, g), double, 32, 32
#define LINES7 row7, SPARSE_COO_ND(a, b, c, d, e, f, g), double, 32, 32
#define TUPLES8 tuples8, SPARSE_COO_SOA_ND(a, b, c, d, e, f, g, h), double, 32, 32
#define LINES8 row8, SPARSE_COO_ND(a, b, c, d, e, f, g, h), double, 32, 32
DIGITS(4, d, (a, b, c, d), a, b, c, d)
DIGITS(5, e, (a, b, c, d, e), a, b, c, d, e)
DIGITS(6, f, (a, b, c, d, e, f), a, b, c, d, e, f)
DIGITS(7, g, (a, b, c, d, e, f, g), a, b, c, d, e, f, g)
DIGITS(8, h, (a, b, c, d, e, f, g, h), a, b, c, d, e, f, g, h)
static void test_loops_of_any_rank(void)
{
    static const size_t dim[8] = {2, 2, 2, 2, 2, 2, 2, 2};
    static const double values[3] = {1, 2, 3};
    sparse_slice all[8];
    for (size_t d = 0; d < 8; d++) all[d].offset = 0, all[d].size = 2, all[d].stride = 1;
#define TRY(rank)                                                                                            \
    {                                                                                                        \
        tuples##rank A = SPARSE_INIT(tuples##rank);                                                          \
        row##rank B = SPARSE_INIT(row##rank);                                                                \
        size_t at[3 * rank] = {0}; /* all 0; then 1 in the last; then in the first: 1, 2 + 1, 3 */           \
        double s = 0, l = 0, p = 0, t = 0;                                                                   \
        at[2 * rank - 1] = at[2 * rank] = 1;                                                                 \
        CHECK_RESULT(sparse_pack_untyped(&A.t, dim, 3, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);             \
        CHECK_RESULT(sparse_pack_untyped(&B.t, dim, 3, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);             \
        CHECK_RESULT(digits##rank(&s, &A), SPARSE_OK);                                                       \
        CHECK_RESULT(lines##rank(&l, &B), SPARSE_OK);                                                        \
        CHECK_RESULT(part##rank(&p, &B, all), SPARSE_OK);                                                    \
        all[0].size = 1; /* all but the last */                                                              \
        CHECK_RESULT(part##rank(&t, &B, all), SPARSE_OK);                                                    \
        all[0].size = 2;                                                                                     \
        CHECK(s > 132.5 && s < 133.5 && l > 132.5 && l < 133.5 && p > 132.5 && p < 133.5 && t > 12.5 && t < 13.5); \
        sparse_free(&A.t);                                                                                   \
        sparse_free(&B.t);                                                                                   \
    }
    TRY(4)
    TRY(5)
    TRY(6)
    TRY(7)
    TRY(8)
#undef TRY
}

static void test_any_rank(void)
{
    static const size_t dim[8] = {2, 1, 3, 2, 1, 2, 2, 3}, at[24] = {1, 0, 2, 1, 0, 1, 0, 2, /**/ 0, 0, 1, 0, 0, 1, 1, 0,
                                                                      /**/ 1, 0, 2, 1, 0, 0, 1, 2};
    static const double values[3] = {1, 2, 3};
    static const uint8_t list[24] = {0, 0, 1, 0, 0, 1, 1, 0, /**/ 1, 0, 2, 1, 0, 0, 1, 2, /**/ 1, 0, 2, 1, 0, 1, 0, 2};
    subject[0] = 0;
    CHECK(sparse_same_encoding(&dense_nd_encoding, &dense4_encoding));
    CHECK(sparse_same_encoding(&columns_nd_encoding, &columns_encoding));
    CHECK(sparse_same_encoding(&csf_nd_encoding, &csf_encoding) && sparse_same_encoding(&csf2_encoding, &dcsr_encoding));
    CHECK(sparse_same_encoding(&coo_nd2_encoding, &coo_encoding) && sparse_same_encoding(&coo_nd3_encoding, &coo3_encoding));
    CHECK(sparse_same_encoding(&coo_nd4_encoding, &coo4_encoding) && sparse_same_encoding(&coo1_encoding, &vector_encoding));
    CHECK(sparse_same_encoding(&coo_soa_nd2_encoding, &coo_soa_encoding));
    CHECK(sparse_same_encoding(&coo_soa_nd3_encoding, &coo_soa3_encoding));
    CHECK(sparse_encoding_check(&coo_soa_nd7_encoding) == SPARSE_OK && coo_soa_nd7_encoding.levels == 7);
    const sparse_encoding *const turned[] = {&columns_nd1_encoding, &columns_nd6_encoding, &columns_nd7_encoding,
                                              &columns_nd8_encoding};
    for (size_t n = 0; n < sizeof turned / sizeof *turned; n++) {
        const uint8_t rank = turned[n]->rank;
        CHECK(rank == (n ? 5 + n : 1) && turned[n]->levels == rank);
        for (uint8_t l = 0; l < rank; l++) CHECK(turned[n]->level[l].dim == rank - 1 - l);
    }
    sparse_tensor t = tensor_of(&coo_nd8_encoding), u = tensor_of(&csf_nd8_encoding), v = tensor_of(&columns_nd8_encoding);
    bool equal = false;
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 3, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
    CHECK(t.crd[0].length == 24 && memcmp(t.crd[0].at, list, 24) == 0 && ((const double *)t.val.at)[1] >= 3);
    CHECK_RESULT(sparse_convert(&u, &t), SPARSE_OK);
    CHECK(u.crd[0].length == 2 && u.crd[4].length == 2 && u.crd[5].length == 3 && u.crd[7].length == 3);
    CHECK_RESULT(sparse_convert(&v, &u), SPARSE_OK);
    CHECK(v.val.length == 144 && ((const double *)v.val.at)[1 + 2 * (2 + 3 * (1 + 2 * (1 + 2 * (0 + 2 * 2))))] >= 1);
    CHECK_RESULT(sparse_equal(&v, &t, 0, &equal), SPARSE_OK);
    CHECK(equal);
    sparse_free(&t);
    sparse_free(&u);
    sparse_free(&v);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Checks that an array has these numbers. */
static void expect_numbers(const sparse_buffer *b, size_t count, const uint32_t *wanted)
{
    CHECK(b->length == count && (count == 0 || memcmp(b->at, wanted, count * sizeof *wanted) == 0));
}

static void test_layouts(void)
{
    /* 1 . 2 .      three diagonals: -1, 0 and 2, counted from -2
       3 4 . 5
       . . . .  */
    static const double a[12] = {1, 0, 2, 0, 3, 4, 0, 5, 0, 0, 0, 0};
    static const double diagonals[9] = {0, 3, 0, 1, 4, 0, 2, 5, 0}, jagged_values[5] = {1, 3, 2, 4, 5};
    static const uint32_t list1[] = {0, 3};
    static const uint32_t list2[] = {1, 2, 4};
    static const uint32_t list3[] = {0, 0, 2, 1, 3};
    static const uint32_t list4[] = {0, 0, 1, 0, 0, 2, 1, 1, 1, 3};
    static const size_t list5[] = {2, 1};
    const size_t dim[2] = {3, 4};
    sparse_tensor t = tensor_of(&dia_encoding), u = tensor_of(&ell_encoding), v = tensor_of(&jagged_encoding);
    subject[0] = 0;
    CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, a), SPARSE_OK);
    expect_numbers(&t.pos[0], 2, list1);
    expect_numbers(&t.crd[0], 3, list2);
    CHECK(t.val.length == 9 && memcmp(t.val.at, diagonals, sizeof diagonals) == 0 && t.lvl[0] == 6);
    /* ELL: the first entry of each row, then the second of each, then the third */
    CHECK_RESULT(sparse_pack_dense_untyped(&u, dim, a), SPARSE_OK);
    CHECK(u.pos[2].length == 40 && u.val.length == 5 && memcmp(u.val.at, jagged_values, sizeof jagged_values) == 0);
    expect_numbers(&u.crd[2], 5, list3);
    CHECK_RESULT(sparse_pack_dense_untyped(&v, dim, a), SPARSE_OK);
    expect_numbers(&v.crd[1], 10, list4);
    ((uint32_t *)u.crd[2].at)[2] = 0; /* repeats the column of the first slice */
    CHECK_RESULT(sparse_validate(&u, NULL), SPARSE_E_ORDER);
    sparse_free(&t);
    sparse_free(&u);
    sparse_free(&v);
    /* a row with more entries than slices */
    t.encoding = &narrow_encoding;
    CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, a), SPARSE_E_FULL);
    /* a diagonal's coordinate is the plain difference, which wraps around below 0 */
    size_t lvl[2], back[2];
    CHECK_RESULT(sparse_crd_translate(&dia_encoding, SPARSE_DIM_TO_LVL, list5, 2, lvl), SPARSE_OK);
    CHECK(lvl[0] == SIZE_MAX && lvl[1] == 2);
    CHECK_RESULT(sparse_crd_translate(&dia_encoding, SPARSE_LVL_TO_DIM, lvl, 2, back), SPARSE_OK);
    CHECK(back[0] == 2 && back[1] == 1);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Two batches of 3x4, with three entries and one entry: each batch has room for three. */
static void test_batches(void)
{
    static const double a[24] = {1, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 4};
    static const uint32_t pos[] = {0, 2, 2, 3, 0, 0, 1, 1}, crd[] = {0, 3, 1, 0, 0, 0};
    static const double values[] = {1, 2, 3, 4, 0, 0};
    const size_t dim[3] = {2, 3, 4}, none[3] = {0, 3, 4};
    sparse_tensor t = tensor_of(&batched_csr_encoding), u = tensor_of(&batched_csr_encoding);
    sparse_arrays arrays;
    sparse_report where;
    subject[0] = 0;
    CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, a), SPARSE_OK);
    expect_numbers(&t.pos[2], 8, pos);
    expect_numbers(&t.crd[2], 6, crd);
    CHECK(t.val.length == 6 && memcmp(t.val.at, values, sizeof values) == 0 && sparse_entries(&t) == 3);
    arrays = sparse_arrays_of(&t);
    CHECK_RESULT(sparse_assemble(&u, dim, &arrays, SPARSE_COPY, NULL), SPARSE_OK);
    ((uint32_t *)t.pos[2].at)[7] = 4;
    CHECK_RESULT(sparse_assemble(&u, dim, &arrays, SPARSE_COPY, &where), SPARSE_E_POSITIONS);
    CHECK(where.level == 2);
    ((uint32_t *)t.pos[2].at)[7] = 1;
    ((uint32_t *)t.crd[2].at)[3] = 4;
    CHECK_RESULT(sparse_assemble(&u, dim, &arrays, SPARSE_COPY, &where), SPARSE_E_COORDINATE);
    ((uint32_t *)t.crd[2].at)[3] = 0;
    arrays.val.length--;
    CHECK_RESULT(sparse_assemble(&u, dim, &arrays, SPARSE_COPY, &where), SPARSE_E_LENGTH);
    CHECK_RESULT(sparse_pack_untyped(&u, none, 0, NULL, NULL, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&u, NULL), SPARSE_OK);
    CHECK(sparse_entries(&u) == 0);
    for (size_t k = 1; k < 40; k++) { /* every allocation failure is handled without a leak */
        books.calls = 0;
        books.fail_at = k;
        const sparse_result result = sparse_pack_dense_untyped(&u, dim, a);
        books.fail_at = 0;
        CHECK(result == SPARSE_OK || (result == SPARSE_E_MEMORY && u.val.length == 0));
    }
    sparse_free(&t);
    sparse_free(&u);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Changes one number or length: the validator reports it, or the result is another valid tensor, which can be unpacked. */
static void test_damage(void)
{
    static truth x;
    static char dense[MOST * WIDEST];
    size_t caught = 0;
    for (size_t turn = 0; turn < 200 * COUNT; turn++) {
        const sparse_encoding *e = encodings[turn % COUNT];
        size_t dim[4];
        for (unsigned d = 0; d < e->rank; d++) dim[d] = 1 + random_below(4);
        truth_random(&x, e, dim, 1 + random_below(4));
        sparse_tensor t = tensor_of(e);
        name_subject(e);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        const unsigned l = (unsigned)random_below(e->levels);
        sparse_buffer *b = random_below(2) ? &t.pos[l] : &t.crd[l], whole = *b;
        uint32_t *at = b->length > 0 ? (uint32_t *)b->at + random_below(b->length) : NULL, hold = at ? *at : 0;
        if (at && random_below(4)) {
            static const uint32_t odd[] = {0, 1, 2, 7, 255, 65536, UINT32_MAX};
            *at = random_below(2) ? hold + (random_below(2) ? 1 : UINT32_MAX) : odd[random_below(7)];
        } else if (b->length > 0)
            b->length--;
        /* the functions that borrow the arrays of an encoding report the same result */
        sparse_report where, there;
        const sparse_arrays arrays = sparse_arrays_of(&t);
        sparse_tensor lent = tensor_of(e);
        const sparse_result said = sparse_validate(&t, &where);
        CHECK_RESULT(borrows[turn % COUNT](&lent, dim, &arrays, &there), said);
        CHECK(said ? !lent.val.at : lent.val.at == t.val.at && sparse_validate(&lent, NULL) == SPARSE_OK);
        CHECK(!said || (where.level == there.level && where.position == there.position));
        if (said == SPARSE_OK)
            CHECK_RESULT(sparse_unpack_dense_untyped(&t, dense), SPARSE_OK);
        else
            caught++;
        *b = whole;
        if (at) *at = hold;
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        sparse_free(&t);
    }
    CHECK(caught > 50 * COUNT);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Sets one field to a wrong value: a size, or the length, address or capacity of an array. The validator must report it. A
   tensor in batches may also be valid, as its arrays may be longer than needed. */
static void expect_unsound(const sparse_tensor *t, const char *field)
{
    static char dense[MOST * WIDEST];
    const bool roomy = t->encoding->level[0].type == SPARSE_BATCH;
    const sparse_result result = sparse_validate(t, NULL);
    if (result == SPARSE_OK && !roomy) printf("%s\n", field);
    CHECK(result != SPARSE_OK || roomy);
    if (result == SPARSE_OK) CHECK_RESULT(sparse_unpack_dense_untyped(t, dense), SPARSE_OK);
}

static void expect_unsound_array(const sparse_tensor *t, sparse_buffer *b, size_t size, const char *field)
{
    const sparse_buffer whole = *b;
    char *longer = (char *)calloc(b->length + 2, size); /* one element more, and room to misalign it */
    if (!longer) abort();
    if (b->length > 0) {
        memcpy(longer, b->at, b->length * size);
        b->length--;
        expect_unsound(t, field);
        *b = whole;
        b->at = NULL;
        b->capacity = 0;
        expect_unsound(t, field);
        memmove(longer + 1, longer, b->length * size);
        b->at = longer + 1;
        if (size > 1) expect_unsound(t, field);
        memmove(longer, longer + 1, b->length * size);
        *b = whole;
        b->capacity = b->length - 1;
        if (b->capacity > 0) expect_unsound(t, field);
    }
    b->at = longer;
    b->capacity = 0;
    b->length = whole.length + 1;
    expect_unsound(t, field);
    *b = whole;
    free(longer);
}

static void test_fields(void)
{
    static truth x;
    for (size_t turn = 0; turn < 10 * COUNT; turn++) {
        const sparse_encoding *e = encodings[turn % COUNT];
        size_t dim[4], lvl[SPARSE_MAX_LEVELS];
        for (unsigned d = 0; d < e->rank; d++) dim[d] = 1 + random_below(4);
        truth_random(&x, e, dim, 1 + random_below(3));
        sparse_tensor t = tensor_of(e);
        snprintf(subject, sizeof subject, "fields, %s", e->name);
        CHECK_RESULT(sparse_pack_untyped(&t, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        for (unsigned l = 0; l < e->levels; l++) {
            for (size_t k = 0; k < 3; k++) {
                const size_t other[] = {t.lvl[l] + 1, t.lvl[l] - 1, SIZE_MAX};
                const size_t hold = t.lvl[l];
                t.lvl[l] = other[k];
                CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_SHAPE);
                t.lvl[l] = hold;
            }
            expect_unsound_array(&t, &t.pos[l], sizeof(uint32_t), "pos");
            expect_unsound_array(&t, &t.crd[l], sizeof(uint32_t), "crd");
        }
        expect_unsound_array(&t, &t.val, sizeof(double), "val");
        for (unsigned d = 0; d < e->rank; d++) { /* a size for which the levels have other sizes */
            const size_t hold = t.dim[d];
            t.dim[d] = hold + 12;
            CHECK(sparse_level_sizes(e, t.dim, lvl) != SPARSE_OK || memcmp(lvl, t.lvl, e->levels * sizeof *lvl) != 0);
            CHECK(sparse_validate(&t, NULL) == SPARSE_E_SHAPE);
            t.dim[d] = hold;
        }
        sparse_encoding damaged = *e;
        t.encoding = &damaged;
        damaged.pos_bits = 7;
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_E_WIDTH);
        damaged.pos_bits = e->pos_bits;
        damaged.level[random_below(e->levels)].type = 200;
        CHECK(sparse_validate(&t, NULL) != SPARSE_OK);
        t.encoding = e;
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        sparse_free(&t);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* A batch level above every valid sequence of level types, in ranks up to 4, for each order of the dimensions. Each tensor
   is also converted to another encoding. */
static void test_batch_sequences(void)
{
    static truth x;
    size_t valid = 0;
    unsigned orders = 0;
    sparse_encoding before = batched_csr_encoding, e;
    memset(&e, 0, sizeof e);
    e.name = "sequence";
    e.pos_bits = e.crd_bits = 32;
    e.kind = SPARSE_F64;
    e.value_size = sizeof(double);
    for (unsigned rank = 2; rank <= 4; rank++) {
        size_t all = 1;
        e.rank = e.levels = (uint8_t)rank;
        for (unsigned l = 1; l < rank; l++) all *= 40; /* below the first level, which is a batch */
        for (size_t code = 0; code < all; code++) {
            size_t rest = code, dim[4];
            bool equal = false;
            e.level[0].type = SPARSE_BATCH;
            for (unsigned l = 1; l < rank; l++, rest /= 40) {
                e.level[l].type = (uint8_t)(rest % 40 / 8);
                e.level[l].properties = (uint8_t)(rest % 8);
            }
            for (unsigned l = 0, order = orders++; l < rank; l++) e.level[l].dim = (uint8_t)((l + order) % rank);
            if (sparse_encoding_check(&e) != SPARSE_OK) continue;
            valid++;
            for (unsigned d = 0; d < rank; d++) dim[d] = random_below(4);
            truth_random(&x, &e, dim, 2 + random_below(8));
            sparse_tensor t = tensor_of(&e), u = tensor_of(&before);
            static double back[MOST];
            snprintf(subject, sizeof subject, "batches, %u: %zu", rank, code);
            const sparse_result made = sparse_pack_untyped(&t, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_ERROR);
            CHECK(made == SPARSE_OK || made == SPARSE_E_FULL); /* a singleton that may not repeat */
            if (!made) {
                CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
                check_walk(&t, &x);
                CHECK_RESULT(sparse_unpack_dense_untyped(&t, back), SPARSE_OK);
                CHECK(memcmp(back, x.dense, x.volume * sizeof(double)) == 0);
                if (before.rank == rank && sparse_convert(&u, &t) == SPARSE_OK) {
                    CHECK_RESULT(sparse_validate(&u, NULL), SPARSE_OK);
                    CHECK_RESULT(sparse_equal(&t, &u, 0, &equal), SPARSE_OK);
                    CHECK(equal);
                    if (sparse_convert(&t, &u) == SPARSE_OK) CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
                }
                before = e;
            }
            sparse_free(&t);
            sparse_free(&u);
            CHECK(books.live == 0 && books.mistakes == 0);
        }
    }
    CHECK(valid > 1500);
}

/* Tensors with the fill value 7, in every encoding: 0 is a value like any other. */
SPARSE_TENSOR_FILL(sevens, SPARSE_CSR, double, 32, 32, 7)
static void test_fill(void)
{
    static truth x;
    static double dense[MOST], back[MOST];
    for (size_t turn = 0; turn < 10 * COUNT; turn++) {
        sparse_encoding e = *encodings[turn % COUNT], f = *encodings[random_below(COUNT)];
        size_t dim[4];
        bool equal = false;
        e.fill = f.fill = sevens_encoding.fill;
        for (unsigned d = 0; d < e.rank; d++) dim[d] = random_below(4);
        truth_random(&x, &e, dim, 1 + random_below(4));
        for (size_t k = 0; k < x.volume; k++) {
            memcpy(&dense[k], x.dense + 8 * k, 8);
            if (!(dense[k] > 0)) dense[k] = 7;
            else if (dense[k] > 50) dense[k] = 0;
        }
        sparse_tensor t = tensor_of(&e), u = tensor_of(&f), v = tensor_of(&csr_encoding);
        snprintf(subject, sizeof subject, "fill, %s, %s", e.name, f.name);
        CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, dense), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&t, back), SPARSE_OK);
        CHECK(memcmp(back, dense, x.volume * sizeof *dense) == 0);
        CHECK_RESULT(sparse_convert(&v, &t), e.rank == 2 ? SPARSE_E_VALUE_TYPE : SPARSE_E_DIMENSIONS);
        if (e.rank == f.rank && sparse_convert(&u, &t) == SPARSE_OK) {
            CHECK_RESULT(sparse_validate(&u, NULL), SPARSE_OK);
            CHECK_RESULT(sparse_unpack_dense_untyped(&u, back), SPARSE_OK);
            CHECK(memcmp(back, dense, x.volume * sizeof *dense) == 0);
            CHECK_RESULT(sparse_equal(&t, &u, 0, &equal), SPARSE_OK);
            CHECK(equal);
        }
        sparse_free(&t);
        sparse_free(&u);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
    /* entries at equal coordinates add up to their own sum, without the fill value, even if a partial sum equals it */
    sparse_encoding e = coo_encoding;
    e.level[1].properties = SPARSE_NONUNIQUE;
    e.fill = sevens_encoding.fill;
    static const size_t dim[2] = {1, 2}, at[6] = {0, 1, 0, 1, 0, 1};
    static const double values[3] = {3, 4, 5};
    sparse_tensor t = tensor_of(&e);
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 3, at, values, SPARSE_DUPLICATES_KEEP), SPARSE_OK);
    CHECK_RESULT(sparse_unpack_dense_untyped(&t, back), SPARSE_OK);
    CHECK(t.val.length == 3 && back[0] >= 7 && back[0] <= 7 && back[1] >= 12 && back[1] <= 12);
    sparse_free(&t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* A width of 0 means the native width, in SPARSE_TENSOR and at run time: the storage is equal. */
SPARSE_TENSOR(native, SPARSE_CSR, double, 0, 0)
static void test_native(void)
{
    static truth x;
    const unsigned native_bits = 8 * sizeof(size_t);
    CHECK(native_encoding.pos_bits == native_bits && native_encoding.crd_bits == native_bits);
    for (size_t turn = 0; turn < 4 * COUNT; turn++) {
        const sparse_encoding *named = encodings[turn % COUNT];
        sparse_encoding e = *named, f = *named;
        size_t dim[4];
        bool equal = false;
        e.pos_bits = e.crd_bits = 0;
        f.pos_bits = f.crd_bits = (uint8_t)native_bits;
        for (unsigned d = 0; d < e.rank; d++) dim[d] = random_below(5);
        truth_random(&x, &e, dim, 1 + random_below(4));
        sparse_tensor t = tensor_of(&e), u = tensor_of(&f), v = tensor_of(named);
        snprintf(subject, sizeof subject, "native, %s", e.name);
        CHECK(sparse_pos_bits(&e) == native_bits && sparse_crd_bits(&e) == native_bits);
        CHECK(sparse_same_encoding(&e, &f) && !sparse_same_encoding(&e, named) == (native_bits != 32));
        CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, x.dense), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&u, dim, x.dense), SPARSE_OK);
        CHECK(sparse_bytes(&t) == sparse_bytes(&u));
        for (unsigned l = 0; l < e.levels; l++) {
            const size_t size = sizeof(size_t);
            CHECK(t.pos[l].length == u.pos[l].length && t.crd[l].length == u.crd[l].length);
            CHECK(t.pos[l].length == 0 || memcmp(t.pos[l].at, u.pos[l].at, size * t.pos[l].length) == 0);
            CHECK(t.crd[l].length == 0 || memcmp(t.crd[l].at, u.crd[l].at, size * t.crd[l].length) == 0);
        }
        CHECK_RESULT(sparse_convert(&v, &t), SPARSE_OK);
        CHECK_RESULT(sparse_copy(&t, &u), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&t, &v), SPARSE_OK);
        CHECK_RESULT(sparse_equal(&t, &u, 0, &equal), SPARSE_OK);
        CHECK(equal);
        check_walk(&t, &x);
        sparse_free(&t);
        sparse_free(&u);
        sparse_free(&v);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* If an encoding gives the inverse of its map, it must be right; it is checked at unit vectors. */
static void test_inverses(void)
{
    static const double one = 1;
    static const uint32_t blocks[] = {2, 0, 1, 0, /**/ 0, 3, 0, 1}; /* i = 2 * ib + ii, j = 3 * jb + jj */
    sparse_encoding block = bsr_encoding;
    block.inverse = blocks;
    CHECK_RESULT(sparse_encoding_check(&block), SPARSE_OK);
    CHECK(sparse_same_encoding(&block, &bsr_encoding));
    for (size_t k = 0; k < COUNT; k++) {
        sparse_encoding e = *encodings[k];
        uint32_t inverse[SPARSE_MAX_RANK * SPARSE_MAX_LEVELS] = {0};
        snprintf(subject, sizeof subject, "inverse, %s", e.name);
        for (unsigned l = 0; l < e.levels; l++) {
            size_t lvl[SPARSE_MAX_LEVELS] = {0}, dim[SPARSE_MAX_RANK] = {0};
            lvl[l] = 1;
            sparse_lvl_to_dim(&e, lvl, dim);
            for (unsigned d = 0; d < e.rank; d++) inverse[d * e.levels + l] = (uint32_t)dim[d];
        }
        e.inverse = inverse;
        CHECK_RESULT(sparse_encoding_check(&e), SPARSE_OK);
        sparse_tensor t = tensor_of(&e), u = tensor_of(encodings[k]);
        const size_t dim[4] = {3, 2, 4, 1}, at[4] = {1, 1, 3, 0};
        const unsigned last_first[4] = {e.rank - 1u, e.rank < 3 ? 0u : 1u, e.rank < 4 ? 0u : 2u, 0};
        CHECK_RESULT(sparse_pack_untyped(&t, dim, 1, at, &one, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        const sparse_result moved = sparse_transpose(&u, &t, last_first);
        CHECK(moved == SPARSE_OK || moved == SPARSE_E_FULL);
        sparse_free(&t);
        sparse_free(&u);
        for (unsigned c = 0; c < (unsigned)e.rank * e.levels; c++) {
            inverse[c]++;
            CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_INVERSE);
            CHECK_RESULT(sparse_pack_untyped(&t, dim, 1, at, &one, SPARSE_DUPLICATES_ERROR), SPARSE_E_INVERSE);
            inverse[c]--;
        }
    }
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Maps with invalid counts and differences. */
static void test_refusals(void)
{
    sparse_encoding e = ell_encoding;
    e.level[0].type = SPARSE_COMPRESSED;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = ell_encoding;
    e.level[0].c = 0;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = ell_encoding;
    e.level[1] = e.level[0];
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = ell_encoding;
    e.level[0].dim = 7;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = ell_encoding;
    e.levels = 2; /* nothing stores j */
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = ell_encoding;
    e.level[2].type = SPARSE_DENSE; /* the level below slices must store entries, not padding */
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = dia_encoding;
    e.level[1].dim = 1;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = dia_encoding;
    e.level[1].map = SPARSE_MAP_MINUS;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = dia_blocks_encoding;
    e.level[0] = e.level[1], e.level[1] = e.level[2], e.levels = 2; /* nothing stores the blocks */
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = dia_blocks_encoding;
    e.level[2].c = 3;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    e = dia_encoding;
    e.level[0].map = 5;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_MAP);
    const size_t huge[2] = {SIZE_MAX, 3};
    sparse_tensor t = tensor_of(&dia_encoding);
    CHECK_RESULT(sparse_resize_dims(&t, huge), SPARSE_E_OVERFLOW);
}

static bool is_all_three(const sparse_tensor *t)
{
    bool all = true;
    SPARSE_FOREACH(c, t) all = all && SPARSE_VALUE(c, double) >= 3 && SPARSE_VALUE(c, double) <= 3;
    return all;
}

/* Time and memory depend on the stored entries only: empty batches are not built one by one, and empty parts are not
   walked. */
static void test_sparse_batches(void)
{
    enum { MANY = 1000 };
    const size_t dim[3] = {MANY, 5, 6}, vast[3] = {SIZE_MAX / 8, 3, 3}, none[2] = {SIZE_MAX / 2, 0};
    const size_t at[6] = {3, 4, 5, 900, 1, 2};
    const double value[2] = {1, 2};
    sparse_tensor t = tensor_of(&batched_csr_encoding), d = tensor_of(&batches_encoding);
    subject[0] = 0;
    books.calls = 0;
    CHECK_RESULT(sparse_pack_untyped(&t, dim, 2, at, value, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK(books.calls < 100);
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
    CHECK(t.pos[2].length == 6 * MANY && t.val.length == MANY && sparse_entries(&t) == 1);
    for (size_t b = 0; b < MANY; b++)
        CHECK(sparse_load(t.pos[2].at, sparse_pos_bits(t.encoding), 6 * b + 5) == (b == 3 || b == 900));
    CHECK_RESULT(sparse_pack_untyped(&t, vast, 0, NULL, NULL, SPARSE_DUPLICATES_ERROR), SPARSE_E_OVERFLOW);
    CHECK_RESULT(sparse_pack_untyped(&d, none, 0, NULL, NULL, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    SPARSE_FOREACH(c, &d) CHECK(!c.valid);
    CHECK_RESULT(sparse_validate(&d, NULL), SPARSE_OK);
    sparse_free(&t);
    sparse_free(&d);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Tensors of the constant 3, in every encoding: they have no array of values. An encoding that also stores zeros, as blocks
   do, is refused. */
static void test_constants(void)
{
    static truth x;
    static double back[MOST];
    static const double three = 3;
    size_t made = 0, refused = 0, converted = 0;
    for (size_t turn = 0; turn < 40 * COUNT; turn++) {
        const sparse_encoding e = *encodings[turn % COUNT], f = *encodings[random_below(COUNT)];
        sparse_encoding e3 = e, f3 = f;
        size_t dim[4];
        bool equal = false;
        e3.constant = &three;
        f3.constant = turn % 2 ? &three : NULL;
        for (unsigned d = 0; d < e.rank; d++) dim[d] = random_below(5);
        truth_random(&x, &e, dim, random_below(2) ? 1 : 1 + random_below(4));
        for (size_t k = 0; k < x.count; k++) {
            memcpy(x.values + 8 * k, &three, 8);
            memcpy(x.dense + 8 * truth_at(&x, x.coordinates + k * x.rank), &three, 8);
        }
        sparse_tensor t = tensor_of(&e), u = tensor_of(&f), t3 = tensor_of(&e3), u3 = tensor_of(&f3);
        snprintf(subject, sizeof subject, "constant, %s, %s", e.name, f.name);
        CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, x.dense), SPARSE_OK);
        const sparse_result wanted = is_all_three(&t) ? SPARSE_OK : SPARSE_E_CONSTANT;
        CHECK_RESULT(sparse_pack_untyped(&t3, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_ERROR), wanted);
        CHECK(wanted == SPARSE_OK || (t3.val.length == 0 && sparse_bytes(&t3) == 0));
        refused += wanted != SPARSE_OK;
        if (wanted == SPARSE_OK) {
            made++;
            CHECK_RESULT(sparse_validate(&t3, NULL), SPARSE_OK);
            CHECK(t3.val.at == NULL && sparse_entries(&t3) == sparse_entries(&t));
            CHECK(sparse_bytes(&t3) + 8 * t.val.length == sparse_bytes(&t));
            CHECK(is_all_three(&t3));
            CHECK_RESULT(sparse_unpack_dense_untyped(&t3, back), SPARSE_OK);
            CHECK(memcmp(back, x.dense, 8 * x.volume) == 0);
            const sparse_result plain = sparse_convert(&u, &t), here = sparse_convert(&u3, &t3);
            CHECK(here == (!plain && f3.constant && !is_all_three(&u) ? SPARSE_E_CONSTANT : plain));
            if (!here) {
                converted++;
                CHECK_RESULT(sparse_validate(&u3, NULL), SPARSE_OK);
                CHECK_RESULT(sparse_equal(&u, &u3, 0, &equal), SPARSE_OK);
                CHECK(equal && sparse_entries(&u3) == sparse_entries(&u));
                const sparse_level_type last = f3.level[f3.levels - 1].type;
                const bool pads = last == SPARSE_DENSE || last == SPARSE_BATCH ||
                                  last == SPARSE_STRUCTURED || last == SPARSE_PACKED || last == SPARSE_DELTA;
                CHECK_RESULT(sparse_convert(&t3, &u3), is_all_three(&u3) || pads ? SPARSE_OK : SPARSE_E_CONSTANT); /* back */
                CHECK_RESULT(sparse_pack_dense_untyped(&t3, dim, x.dense), SPARSE_OK);
            }
            books.calls = 0;
            books.fail_at = 1 + random_below(6);
            const sparse_result starved = sparse_convert(&u3, &t3);
            books.fail_at = 0;
            CHECK(starved == here || (starved == SPARSE_E_MEMORY && u3.val.length == 0));
            CHECK_RESULT(sparse_copy(&t3, &t), SPARSE_E_ENCODING);
            CHECK_RESULT(sparse_pack_dense_untyped(&t3, dim, x.dense), SPARSE_OK);
            t3.val.length++;
            if (e.level[0].type != SPARSE_BATCH) CHECK_RESULT(sparse_validate(&t3, NULL), SPARSE_E_LENGTH);
        }
        sparse_free(&t);
        sparse_free(&u);
        sparse_free(&t3);
        sparse_free(&u3);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
    CHECK(made > 10 * COUNT && refused > COUNT && converted > COUNT);
}

/* >>kernels: the same kernels over each encoding, with loops in the order of its levels */
#define BSR_LOOPS   (floordiv(i, 2), floordiv(j, 3), mod(i, 2), mod(j, 3))
#define BSC_LOOPS   (floordiv(j, 2), floordiv(i, 3), mod(j, 2), mod(i, 3))
#define HICOO_LOOPS (floordiv(i, 2), floordiv(j, 2), floordiv(k, 2), mod(i, 2), mod(j, 2), mod(k, 2), r)
#define MATRICES(X)                                                                                          \
    X(dense2, SPARSE_DENSE_2D, (i, j)) X(columns, SPARSE_COLUMN_MAJOR, (j, i)) X(csr, SPARSE_CSR, (i, j))    \
    X(csc, SPARSE_CSC, (j, i)) X(dcsr, SPARSE_DCSR, (i, j)) X(dcsc, SPARSE_DCSC, (j, i))                     \
    X(cd, SPARSE_CD, (i, j)) X(coo, SPARSE_COO, (i, j)) X(coo_soa, SPARSE_COO_SOA, (i, j))                   \
    X(bsr, SPARSE_BSR(2, 3), BSR_LOOPS) X(bsr_inner, SPARSE_BSR_INNER_COLUMNS(2, 3), BSR_INNER_LOOPS)        \
    X(bsc, SPARSE_BSC(3, 2), BSC_LOOPS) X(bsc_inner, SPARSE_BSC_INNER_ROWS(3, 2), BSC_INNER_LOOPS)           \
    X(half, SPARSE_N_OF_M(4, 4), (i, floordiv(j, 4), mod(j, 4))) X(dia, SPARSE_DIA, (minus(j, i), i))        \
    X(packed4, SPARSE_PACKED_N_OF_M(4, 4), (parallel(i), floordiv(j, 4), mod(j, 4)))                 \
    X(packed2, ((i, j), (dense, floordiv(i, 2)), (dense, j), (packed(2, 2), mod(i, 2))), (floordiv(i, 2), j, mod(i, 2))) \
    X(packed9, SPARSE_PACKED_N_OF_M(9, 9), (down(i), floordiv(j, 9), simd(mod(j, 9))))                       \
    X(csb, SPARSE_CSB(3), CSB_LOOPS)                                                                         \
    X(dia_blocks, SPARSE_DIA_BLOCKS(2), (floordiv(i, 2), minus(j, i), mod(i, 2)))                            \
    X(dia_rows, SPARSE_DIA_BLOCKS(1), (floordiv(i, 1), minus(j, i), mod(i, 1)))                              \
    X(dia_wide, SPARSE_DIA_BLOCKS(512), (floordiv(i, 512), minus(j, i), mod(i, 512)))                        \
    X(dia_parts, ((i, j), (compressed, floordiv(j, 3)), (compressed, minus(i, j)), (compressed, mod(j, 3))), \
      (floordiv(j, 3), minus(i, j), mod(j, 3)))                                                              \
    X(dia_dense, ((i, j), (dense, minus(j, i)), (dense, i)), (minus(j, i), i))                               \
    X(dia_columns, ((i, j), (compressed, minus(i, j)), (compressed, j)), (minus(i, j), j))                   \
    X(ell, SPARSE_ELL(13), (count(i, 13), i, j)) X(jagged, SPARSE_JAGGED(13), (count(i, 13), i, j))          \
    X(ell_columns, ((i, j), (dense, count(j, 13)), (dense, j), (compressed, i)), (count(j, 13), j, i))       \
    X(ell_rows, ((i, j), (dense, count(i, 13)), (compressed, j), (compressed, i)), (count(i, 13), j, i))     \
    X(batched_vector, ((i, j), (batch, i), (compressed, j)), (i, j))                                         \
    X(batches, ((i, j), (batch, j), (batch, i)), (i, j))                                                     \
    X(batched_blocks, ((i, j), (batch, floordiv(i, 3)), (compressed, mod(i, 3)), (compressed, j)),           \
      (floordiv(i, 3), mod(i, 3), j))                                                                        \
    X(mask_rows, SPARSE_BITMASK_ROWS, (parallel(i), j)) X(mask_dense, ((i, j), (bitmask, j), (dense, i)), (down(j), i)) \
    X(mask_csr, ((i, j), (bitmask, i), (compressed, j)), (i, prefetch(j)))                                   \
    X(csr_mask, ((i, j), (compressed, i), (bitmask, j)), (i, down(j)))                                       \
    X(two_masks, ((i, j), (bitmask, i), (bitmask, j)), (i, simd(j))) X(mask_bits, ((i, j), (bitmask, j), (bitmap, i)), (j, i)) \
    X(mask_dia, ((i, j), (bitmask, minus(j, i)), (dense, i)), (minus(j, i), i))                              \
    X(mask_blocks, ((i, j), (dense, floordiv(i, 2)), (bitmask, floordiv(j, 3)), (dense, mod(i, 2)), (dense, mod(j, 3))), \
      (floordiv(i, 2), floordiv(j, 3), mod(i, 2), mod(j, 3)))                                                \
    X(blocks_of_masks, ((i, j), (compressed, floordiv(i, 3)), (compressed, floordiv(j, 2)), (bitmask, mod(i, 3)), (bitmask, mod(j, 2))), \
      (floordiv(i, 3), floordiv(j, 2), mod(i, 3), mod(j, 2)))                                                \
    X(delta, SPARSE_CSR_DELTA(4), (i, j)) X(delta_columns, ((i, j), (dense, j), (delta(1), i)), (down(j), down(i))) \
    X(delta_csr, ((i, j), (delta(1), i), (compressed, j)), (i, prefetch(j)))                                 \
    X(delta_twice, ((i, j), (delta(32), i), (delta(5), j)), (i, simd(j)))                                    \
    X(delta_bits, ((i, j), (delta(2), i), (bitmap, j)), (i, j))                                              \
    X(delta_dia, ((i, j), (delta(3), minus(j, i)), (dense, i)), (minus(j, i), i))                            \
    X(delta_blocks, ((i, j), (dense, floordiv(i, 2)), (delta(1), floordiv(j, 3)), (dense, mod(i, 2)), (dense, mod(j, 3))), \
      (floordiv(i, 2), floordiv(j, 3), mod(i, 2), mod(j, 3)))
#define BSR_INNER_LOOPS (floordiv(i, 2), floordiv(j, 3), mod(j, 3), mod(i, 2))
#define CSB_LOOPS       (floordiv(i, 3), floordiv(j, 3), mod(i, 3), mod(j, 3))
#define BSC_INNER_LOOPS (floordiv(j, 2), floordiv(i, 3), mod(i, 3), mod(j, 2))
#define CUBES(X)                                                                                             \
    X(dense3, SPARSE_DENSE_3D, (i, j, k, r)) X(csf, SPARSE_CSF_3D, (i, j, k, r))                             \
    X(coo3, SPARSE_COO_3D, (i, j, k, r)) X(coo_soa3, SPARSE_COO_SOA_3D, (i, j, k, r))                        \
    X(mode_generic, SPARSE_MODE_GENERIC_3D, (i, j, k, r)) X(hicoo, SPARSE_HICOO_3D(2), HICOO_LOOPS)          \
    X(dia3, ((i, j, k), (dense, k), (compressed, minus(i, j)), (dense, j)), (k, minus(i, j), j, r))          \
    X(ell3, ((i, j, k), (dense, j), (dense, count(i, 60)), (dense, i), (compressed, k)),                     \
      (j, count(i, 60), i, k, r))                                                                            \
    X(csr_delta3, ((i, j, k), (dense, k), (compressed, i), (delta(2), j)), (k, i, unroll(j), r))              \
    X(mask3, ((i, j, k), (dense, k), (compressed, i), (bitmask, j)), (k, i, unroll(j), r))                    \
    X(dia3_blocks, ((i, j, k), (dense, floordiv(j, 2)), (dense, k), (bitmap, minus(i, j)), (dense, mod(j, 2))), \
      (floordiv(j, 2), k, minus(i, j), mod(j, 2), r))                                                        \
    X(batched_csr, SPARSE_BATCHED_CSR, (i, j, k, r)) X(batched_coo, SPARSE_BATCHED_COO, (i, j, k, r))        \
    X(batched_loose, ((b, i, j), (batch, b), (loose_compressed, j), (loose_compressed, i)), (i, k, j, r))    \
    X(batched_dia, ((b, i, j), (batch, b), (compressed, minus(j, i)), (dense, i)), (i, minus(k, j), j, r))   \
    X(batched_bsr, ((b, i, j), (batch, b), (dense, floordiv(i, 2)), (compressed, floordiv(j, 2)),            \
                    (dense, mod(i, 2)), (dense, mod(j, 2))),                                                 \
      (i, floordiv(j, 2), floordiv(k, 2), mod(j, 2), mod(k, 2), r))
#define VEC dense1, SPARSE_DENSE_1D, double, 32, 32
#define MAT dense2, SPARSE_DENSE_2D, double, 32, 32
#define SPMV(name, encoding, loops)                                                                          \
    SPARSE_KERNEL(spmv_##name, loops, (y, VEC, i),                                                           \
                  all((A, name, encoding, double, 32, 32, i, j), (x, VEC, j)), y += A * x)                   \
    static sparse_result run_spmv_##name(sparse_tensor *y, const sparse_tensor *A, const sparse_tensor *x)   \
    {                                                                                                        \
        return spmv_##name((dense1 *)y, (const name *)A, (const dense1 *)x);                                 \
    }
#define MTTKRP(name, encoding, loops)                                                                        \
    SPARSE_KERNEL(mttkrp_##name, loops, (Y, MAT, i, r),                                                      \
                  all((A, name, encoding, double, 32, 32, i, j, k), (B, MAT, j, r), (C, MAT, k, r)),         \
                  Y += A * B * C)                                                                            \
    static sparse_result run_mttkrp_##name(sparse_tensor *Y, const sparse_tensor *A, const sparse_tensor *B) \
    {                                                                                                        \
        return mttkrp_##name((dense2 *)Y, (const name *)A, (const dense2 *)B, (const dense2 *)B);            \
    }
MATRICES(SPMV)
CUBES(MTTKRP)
typedef struct product {
    const sparse_encoding *encoding;
    sparse_result (*run)(sparse_tensor *, const sparse_tensor *, const sparse_tensor *);
} product;
#define SPMV_OF(name, encoding, loops)   {&name##_encoding, run_spmv_##name},
#define MTTKRP_OF(name, encoding, loops) {&name##_encoding, run_mttkrp_##name},
static const product products[] = {MATRICES(SPMV_OF) CUBES(MTTKRP_OF)};

/* kernels over delta levels: looked up at another operand's entries, two in one loop, in parallel, merged */
#define GAPS delta, SPARSE_CSR_DELTA(4), double, 32, 32
#define ROWS csr, SPARSE_CSR, double, 32, 32
SPARSE_KERNEL(gaps_times, (i, j), (s, double), all((A, ROWS, i, j), (B, GAPS, i, j)), s += A * B)
SPARSE_KERNEL(gaps_beside, (parallel(i), j), (y, VEC, i), all((A, ROWS, i, j), (B, GAPS, i, j)), y += A * B)
SPARSE_KERNEL(gaps_plus, (i, j), (C, ROWS, i, j), any((A, ROWS, i, j), (B, GAPS, i, j)), C = A + 2 * B)
SPARSE_KERNEL(gaps_without, (i, j), (s, double), all((A, ROWS, i, j), none((B, GAPS, i, j))), s += A)
static void test_gaps(void)
{
    enum { ROW_COUNT = 5, WIDTH = 70, PLACES = ROW_COUNT * WIDTH };
    const size_t dim[2] = {ROW_COUNT, WIDTH};
    snprintf(subject, sizeof subject, "gaps");
    for (size_t turn = 0; turn < 60; turn++) {
        double a[PLACES], b[PLACES], sum[PLACES], back[PLACES], y[ROW_COUNT] = {0}, dot = 0, rest = 0, s = 0, r = 0;
        const size_t one_in = 1 + turn % 30;
        delta B = SPARSE_INIT(delta);
        csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
        dense1 Y = SPARSE_INIT(dense1);
        for (size_t k = 0; k < PLACES; k++) {
            a[k] = random_below(3) ? 0 : (double)(1 + random_below(9));
            b[k] = random_below(one_in) ? 0 : (double)(1 + random_below(9));
            sum[k] = a[k] + 2 * b[k];
            dot += a[k] * b[k];
            y[k / WIDTH] += a[k] * b[k];
        }
        CHECK_RESULT(csr_pack_dense(&A, dim, a), SPARSE_OK);
        CHECK_RESULT(delta_pack_dense(&B, dim, b), SPARSE_OK);
        CHECK_RESULT(sparse_allocate_dense(&Y.t, dim), SPARSE_OK);
        CHECK_RESULT(gaps_times(&s, &A, &B), SPARSE_OK);
        CHECK(!(s < dot) && !(s > dot));
        CHECK_RESULT(gaps_beside(&Y, &A, &B), SPARSE_OK);
        CHECK(memcmp(Y.t.val.at, y, sizeof y) == 0);
        CHECK_RESULT(gaps_plus(&C, &A, &B), SPARSE_OK);
        CHECK_RESULT(csr_unpack_dense(&C, back), SPARSE_OK);
        CHECK(memcmp(back, sum, sizeof sum) == 0);
        SPARSE_FOREACH(c, &B.t) b[c.dim[0] * WIDTH + c.dim[1]] = 1; /* padding counts as stored */
        for (size_t k = 0; k < PLACES; k++) rest += b[k] > 0 ? 0 : a[k];
        CHECK_RESULT(gaps_without(&r, &A, &B), SPARSE_OK);
        CHECK(!(r < rest) && !(r > rest));
        sparse_level_iterator at = sparse_level_begin(&B.t, 1, turn % ROW_COUNT);
        for (size_t j = 0; j < WIDTH; j++)
            CHECK(sparse_level_locate(&at, j) == (b[turn % ROW_COUNT * WIDTH + j] > 0));
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&Y.t);
    }
    delta far = SPARSE_INIT(delta); /* each gap fits, but their sum passes the last column */
    const double ends[2][5] = {{0, 1, 0, 0, 0}, {0, 1, 0, 1, 0}};
    CHECK_RESULT(delta_pack_dense(&far, (const size_t[]){2, 5}, &ends[0][0]), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&far.t, NULL), SPARSE_OK);
    ((uint32_t *)far.t.crd[1].at)[0] = 0x311; /* 1; 1, 3: columns 1; 1, 5 */
    CHECK_RESULT(sparse_validate(&far.t, NULL), SPARSE_E_COORDINATE);
    ((uint32_t *)far.t.crd[1].at)[0] = 0x211; /* columns 1; 1, 4 */
    CHECK_RESULT(sparse_validate(&far.t, NULL), SPARSE_OK);
    sparse_free(&far.t);
    sparse_encoding e = delta_encoding; /* encodings that are not valid delta levels */
    e.level[1].n = 0;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_DELTA);
    e.level[1].n = 33;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_DELTA);
    e.level[1].n = 12, e.crd_bits = 8;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_DELTA);
    e.level[1].n = 8, e.level[1].properties = SPARSE_NONUNIQUE;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_PROPERTY);
}

/* kernels over bitmasks: iterated, merged, intersected, with words of each width; rows that end at a word's end, or inside
   one */
#define BITMASK(w) mask##w, SPARSE_BITMASK_ROWS, double, 32, w
#define MASK_KERNELS(w)                                                                                      \
    SPARSE_TENSOR(BITMASK(w))                                                                                \
    SPARSE_KERNEL(times##w, (i, j), (s, double), all((A, ROWS, i, j), (B, BITMASK(w), i, j)), s += A * B)    \
    SPARSE_KERNEL(beside##w, (parallel(i), j), (y, VEC, i), all((A, BITMASK(w), i, j), (B, BITMASK(w), i, j)), y += A * B) \
    SPARSE_KERNEL(dense##w, (i, parallel(j)), (D, MAT, i, j), all((A, ROWS, i, j), (B, BITMASK(w), i, j)), D = A * B) \
    SPARSE_KERNEL(plus##w, (i, j), (C, BITMASK(w), i, j), any((A, ROWS, i, j), (B, BITMASK(w), i, j)), C = A + 2 * B) \
    SPARSE_KERNEL(both##w, (i, j), (s, double), any((A, BITMASK(w), i, j), (B, BITMASK(w), i, j)), s += 2 * A + B) \
    SPARSE_KERNEL(without##w, (i, j), (s, double), all((A, ROWS, i, j), none((B, BITMASK(w), i, j))), s += A) \
    SPARSE_KERNEL(except##w, (i, j), (s, double), all((A, BITMASK(w), i, j), none((B, ROWS, i, j))), s += A) \
    static void run_mask##w(size_t high, size_t wide, size_t one_in)                                      \
    {                                                                                                        \
        const size_t dim[2] = {high, wide};                                                               \
        const mask_case c = mask_case_of(high, wide, one_in);                                             \
        static double back[MASK_PLACES];                                                                     \
        double s[4] = {0};                                                                                   \
        csr A = SPARSE_INIT(csr);                                                                            \
        mask##w B = SPARSE_INIT(mask##w), C = SPARSE_INIT(mask##w);                                          \
        dense1 y = SPARSE_INIT(dense1);                                                                      \
        dense2 D = SPARSE_INIT(dense2);                                                                      \
        snprintf(subject, sizeof subject, "mask%u, %zu x %zu, 1 in %zu", (unsigned)w, high, wide, one_in); \
        CHECK_RESULT(csr_pack_dense(&A, dim, mask_a), SPARSE_OK);                                            \
        CHECK_RESULT(mask##w##_pack_dense(&B, dim, mask_b), SPARSE_OK);                                      \
        CHECK_RESULT(sparse_validate(&B.t, NULL), SPARSE_OK);                                                \
        CHECK(B.t.val.length == c.entries && B.t.crd[1].length == (high * wide + w - 1) / w);             \
        CHECK_RESULT(mask##w##_unpack_dense(&B, back), SPARSE_OK);                                           \
        CHECK(memcmp(back, mask_b, high * wide * sizeof *back) == 0);                                     \
        CHECK_RESULT(sparse_allocate_dense(&y.t, dim), SPARSE_OK);                                           \
        CHECK_RESULT(times##w(&s[0], &A, &B), SPARSE_OK);                                                    \
        CHECK_RESULT(without##w(&s[1], &A, &B), SPARSE_OK);                                                  \
        CHECK_RESULT(except##w(&s[2], &B, &A), SPARSE_OK);                                                   \
        CHECK_RESULT(both##w(&s[3], &B, &B), SPARSE_OK);                                                     \
        for (size_t k = 0; k < 4; k++) CHECK(!(s[k] < c.sum[k]) && !(s[k] > c.sum[k]));                      \
        CHECK_RESULT(beside##w(&y, &B, &B), SPARSE_OK);                                                      \
        CHECK(high == 0 || memcmp(y.t.val.at, mask_y, high * sizeof *mask_y) == 0);                                       \
        CHECK_RESULT(dense##w(&D, &A, &B), SPARSE_OK);                                                       \
        CHECK(high * wide == 0 || memcmp(D.t.val.at, mask_product, high * wide * sizeof *back) == 0);  \
        CHECK_RESULT(plus##w(&C, &A, &B), SPARSE_OK);                                                        \
        CHECK_RESULT(sparse_validate(&C.t, NULL), SPARSE_OK);                                                \
        CHECK_RESULT(mask##w##_unpack_dense(&C, back), SPARSE_OK);                                           \
        CHECK(memcmp(back, mask_plus, high * wide * sizeof *back) == 0);                                  \
        for (size_t i = 0; i < high; i++) seek_mask(&B.t, i, wide);                                       \
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t), sparse_free(&y.t); \
    }
enum { MASK_PLACES = 3 * 200 };
static double mask_a[MASK_PLACES], mask_b[MASK_PLACES], mask_y[MASK_PLACES], mask_product[MASK_PLACES], mask_plus[MASK_PLACES];
typedef struct mask_case {
    size_t entries;
    double sum[4]; /* of A * B, of A where B is not, of B where A is not, of 3 * B */
} mask_case;
static mask_case mask_case_of(size_t high, size_t wide, size_t one_in)
{
    mask_case c = {0, {0}};
    for (size_t k = 0; k < high * wide; k++) {
        const double a = mask_a[k] = random_below(3) ? 0 : (double)(1 + random_below(9));
        const double b = mask_b[k] = one_in == 0 || random_below(one_in) ? 0 : (double)(1 + random_below(9));
        mask_product[k] = a * b, mask_plus[k] = a + 2 * b;
        if (k % wide == 0) mask_y[k / wide] = 0;
        mask_y[k / wide] += b * b;
        c.entries += b > 0;
        c.sum[0] += a * b, c.sum[1] += b > 0 ? 0 : a, c.sum[2] += a > 0 ? 0 : b, c.sum[3] += 3 * b;
    }
    for (size_t i = 0; i < high && wide == 0; i++) mask_y[i] = 0;
    return c;
}
/* Seeks in row i of B from any coordinate to any later one. */
static void seek_mask(const sparse_tensor *B, size_t i, size_t wide)
{
    for (size_t from = 0; from < wide; from += 1 + random_below(20)) {
        sparse_level_iterator at = sparse_level_begin(B, 1, i);
        for (size_t j = from; j < wide; j += 1 + random_below(40)) {
            CHECK(sparse_level_locate(&at, j) == (mask_b[i * wide + j] > 0));
            CHECK(!sparse_level_valid(&at) || sparse_level_coordinate(&at) >= j);
        }
    }
}
MASK_KERNELS(8)
MASK_KERNELS(16)
MASK_KERNELS(32)
MASK_KERNELS(64)
static void test_masks(void)
{
    static const size_t sizes[] = {0, 1, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 128, 200}, every[] = {0, 1, 2, 5, 30};
    for (size_t turn = 0; turn < 3 * 14 * 5; turn++) {
        const size_t high = turn / 14 % 3 ? 3 : turn % 2, wide = sizes[turn % 14], one_in = every[turn / 42];
        run_mask8(high, wide, one_in), run_mask16(high, wide, one_in), run_mask32(high, wide, one_in), run_mask64(high, wide, one_in);
    }
    snprintf(subject, sizeof subject, "masks that contradict themselves");
    const double values[2][5] = {{0, 1, 0, 2, 0}, {0, 3, 0, 0, 4}}; /* bits 1 3 6 9 */
    mask8 t = SPARSE_INIT(mask8);
    sparse_report where;
    CHECK_RESULT(mask8_pack_dense(&t, (const size_t[]){2, 5}, &values[0][0]), SPARSE_OK);
    uint8_t *const word = (uint8_t *)t.t.crd[1].at;
    uint32_t *const pos = (uint32_t *)t.t.pos[1].at;
    CHECK(word[0] == 0x4a && word[1] == 0x02 && pos[1] == 2 && pos[2] == 4);
    word[1] = 0x06; /* a bit beyond the last element */
    CHECK_RESULT(sparse_validate(&t.t, &where), SPARSE_E_COORDINATE);
    CHECK(strcmp(where.array, "crd") == 0 && where.level == 1);
    word[1] = 0x03; /* three bits in a row of two positions */
    CHECK_RESULT(sparse_validate(&t.t, &where), SPARSE_E_POSITIONS);
    CHECK(strcmp(where.array, "pos") == 0 && where.position == 2);
    word[1] = 0x00;
    CHECK_RESULT(sparse_validate(&t.t, &where), SPARSE_E_POSITIONS);
    word[1] = 0x02, pos[1] = 1; /* right in total, but not for each row */
    CHECK_RESULT(sparse_validate(&t.t, &where), SPARSE_E_POSITIONS);
    CHECK(where.position == 1);
    pos[1] = 5;
    CHECK_RESULT(sparse_validate(&t.t, &where), SPARSE_E_POSITIONS);
    pos[1] = 2, pos[2] = 3; /* fewer positions than values */
    CHECK(sparse_validate(&t.t, &where) != SPARSE_OK);
    pos[2] = 4, t.t.crd[1].length--;
    CHECK_RESULT(sparse_validate(&t.t, &where), SPARSE_E_LENGTH);
    t.t.crd[1].length++;
    CHECK_RESULT(sparse_validate(&t.t, &where), SPARSE_OK);
    sparse_free(&t.t);
    sparse_encoding e = mask8_encoding; /* encodings that are not valid bitmask levels */
    e.level[1].properties = SPARSE_NONORDERED;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_PROPERTY);
    e.level[1].properties = 0, e.level[1].n = 1;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_PROPERTY);
}

/* Values are small integers, so that sums are exact in any order. One matrix is both factors, B and C. */
static void test_products(void)
{
    enum { COLUMNS = 3 };
    static truth x;
    for (size_t turn = 0; turn < 40 * (sizeof products / sizeof *products); turn++) {
        const product *p = &products[turn / 40];
        const unsigned rank = p->encoding->rank;
        size_t dim[3] = {0};
        const size_t width = rank == 3 ? COLUMNS : 1;
        double factor[36], wanted[36] = {0};
        for (unsigned d = 0; d < rank; d++) dim[d] = random_below(turn % 8 ? 1 + 12 / rank : 2);
        if (rank == 3) dim[2] = dim[1];
        truth_random(&x, p->encoding, dim, 1 + turn % 5);
        for (size_t n = 0; n < dim[1] * width; n++) factor[n] = (double)random_below(9);
        for (size_t n = 0; n < x.count * width; n++) {
            const size_t *i = &x.coordinates[n / width * rank], r = n % width;
            double v;
            memcpy(&v, x.values + 8 * (n / width), 8);
            wanted[i[0] * width + r] += v * factor[i[1] * width + r] * (rank == 3 ? factor[i[2] * width + r] : 1);
        }
        const size_t rows[2] = {dim[1], width}, size[2] = {dim[0], width};
        const sparse_encoding *const dense = rank == 3 ? &dense2_encoding : &dense1_encoding;
        sparse_tensor A = tensor_of(p->encoding), B = tensor_of(dense), Y = tensor_of(dense);
        snprintf(subject, sizeof subject, "product, %s", p->encoding->name);
        CHECK_RESULT(sparse_pack_untyped(&A, dim, x.count, x.coordinates, x.values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        CHECK_RESULT(sparse_allocate_dense(&B, rows), SPARSE_OK);
        CHECK_RESULT(sparse_allocate_dense(&Y, size), SPARSE_OK);
        if (B.val.length > 0) memcpy(B.val.at, factor, B.val.length * sizeof *factor);
        CHECK_RESULT(p->run(&Y, &A, &B), SPARSE_OK);
        CHECK(Y.val.length == 0 || memcmp(Y.val.at, wanted, Y.val.length * sizeof *wanted) == 0);
        sparse_free(&A);
        sparse_free(&B);
        sparse_free(&Y);
    }
}

/* >>rare rows of kernels: kernels that use rarely used rows of the line compiler's tables: a loop along two diagonals at
   once, also in blocks; prefetched rows of a matrix without values; a dense matrix without values; a workspace whose
   innermost loop is over another index */
#define FEW_VEC    few_vec, SPARSE_DENSE_1D, double, 32, 32
#define FEW_CSR    few_csr, SPARSE_CSR, double, 32, 32
#define FEW_MAT    few_mat, SPARSE_DENSE_2D, double, 32, 32
#define FEW_ONES   few_ones, SPARSE_DENSE_1D, constant(double, 1), 32, 32
#define FEW_EDGES  few_edges, SPARSE_CSR, constant(double, 1), 32, 32
#define FEW_DIA    few_dia, SPARSE_DIA, double, 32, 32
#define FEW_BLOCKS few_blocks, SPARSE_DIA_BLOCKS(4), double, 32, 32
SPARSE_TENSOR(FEW_VEC)
SPARSE_TENSOR(FEW_CSR)
SPARSE_TENSOR(FEW_MAT)
SPARSE_TENSOR(FEW_ONES)
SPARSE_TENSOR(FEW_EDGES)
SPARSE_TENSOR(FEW_DIA)
SPARSE_TENSOR(FEW_BLOCKS)
SPARSE_KERNEL(crossed, (minus(j, i), minus(k, i), i), (y, FEW_VEC, i), all((A, FEW_DIA, i, j), (B, FEW_DIA, i, k)), y += A * B)
SPARSE_KERNEL(crossed_blocks, (floordiv(i, 4), minus(j, i), minus(k, i), mod(i, 4)), (y, FEW_VEC, i),
              all((A, FEW_BLOCKS, i, j), (B, FEW_BLOCKS, i, k)), y += A * B)
SPARSE_KERNEL(ahead, (i, prefetch(k), j), (y, FEW_VEC, i), all((A, FEW_CSR, i, k), (E, FEW_EDGES, k, j), (x, FEW_VEC, j)),
              y += A * E * x)
SPARSE_KERNEL(ahead_dense, (i, prefetch(k)), (y, FEW_VEC, i),
              all((A, FEW_CSR, i, k), (o, FEW_ONES, k), (x, FEW_VEC, k), (M, FEW_MAT, i, k)), y += A * o * x * M)
SPARSE_KERNEL(inside, (i, j), (y, FEW_VEC, i),
              all((A, FEW_CSR, i, j), where((w, FEW_VEC, j), (j, k), all((B, FEW_CSR, i, j), (x, FEW_VEC, k)), w += B * x)),
              y += A * w)
static void test_rare(void)
{
    enum { M = 9, N = 7 };
    static const size_t dim[2] = {M, N}, square[2] = {N, N};
    static const double ones[N] = {1, 1, 1, 1, 1, 1, 1};
    for (size_t seed = 0; seed < 24; seed++) {
        double a[M * N], b[M * N], e[N * N], x[N], wanted[5][M] = {{0}}, total = 0;
        const size_t one_in = 1 + seed / 4;
        for (size_t n = 0; n < M * N; n++) {
            a[n] = random_below(one_in) == 0 ? (double)(1 + random_below(8)) : 0;
            b[n] = random_below(one_in) == 0 ? (double)(1 + random_below(8)) : 0;
        }
        for (size_t n = 0; n < N * N; n++) e[n] = random_below(one_in) == 0 ? 1 : 0;
        for (size_t n = 0; n < N; n++) total += x[n] = (double)(1 + random_below(8));
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < N; j++) {
                wanted[3][i] += a[i * N + j] * b[i * N + j] * total;
                wanted[4][i] += a[i * N + j] * b[i * N + j] * x[j];
                for (size_t k = 0; k < N; k++) {
                    wanted[0][i] += a[i * N + j] * b[i * N + k];
                    wanted[2][i] += a[i * N + j] * e[j * N + k] * x[k];
                }
            }
        memcpy(wanted[1], wanted[0], sizeof wanted[0]);
        few_dia A = SPARSE_INIT(few_dia), B = SPARSE_INIT(few_dia);
        few_blocks C = SPARSE_INIT(few_blocks), D = SPARSE_INIT(few_blocks);
        few_csr F = SPARSE_INIT(few_csr), G = SPARSE_INIT(few_csr);
        few_edges E = SPARSE_INIT(few_edges);
        few_mat H = SPARSE_INIT(few_mat);
        few_ones O = SPARSE_INIT(few_ones);
        const few_vec blank = SPARSE_INIT(few_vec);
        few_vec X = blank, y[5] = {blank, blank, blank, blank, blank};
        sparse_tensor *const all[] = {&A.t, &C.t, &F.t, &B.t, &D.t, &G.t, &H.t, &E.t, &X.t, &O.t,
                                      &y[0].t, &y[1].t, &y[2].t, &y[3].t, &y[4].t};
        for (size_t n = 0; n < 7; n++) CHECK_RESULT(sparse_pack_dense_untyped(all[n], dim, n < 3 ? a : b), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&E.t, square, e), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&X.t, square, x), SPARSE_OK);
        CHECK_RESULT(crossed(&y[0], &A, &B), SPARSE_OK);
        CHECK_RESULT(crossed_blocks(&y[1], &C, &D), SPARSE_OK);
        CHECK_RESULT(ahead(&y[2], &F, &E, &X), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&O.t, square, ones), SPARSE_OK);
        CHECK_RESULT(ahead_dense(&y[4], &F, &O, &X, &H), SPARSE_OK);
        CHECK_RESULT(inside(&y[3], &F, &G, &X), SPARSE_OK);
        for (size_t n = 0; n < 5; n++) CHECK(y[n].t.val.length == M && memcmp(y[n].t.val.at, wanted[n], sizeof wanted[n]) == 0);
        for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);
    }
}

/* ---- encodings as text ---- */

static const char *spelled(const sparse_encoding *e)
{
    static char text[400];
    FILE *const out = tmpfile();
    size_t length = 0;
    if (!out) return "";
    CHECK_RESULT(sparse_print_encoding(e, out), SPARSE_OK);
    rewind(out);
    length = fread(text, 1, sizeof text - 1, out);
    text[length] = '\0';
    fclose(out);
    return text;
}

/* A tensor stored in the encoding that a text describes equals the tensor stored in the encoding itself. */
static void test_stored_as(const sparse_encoding *wanted, const sparse_encoding *made)
{
    size_t dim[SPARSE_MAX_RANK], size = 1;
    double values[256], back[256];
    for (unsigned d = 0; d < wanted->rank; d++) size *= dim[d] = wanted->rank > 3 ? 4 : 6;
    if (size > 256) return;
    for (size_t p = 0; p < size; p++) values[p] = p % 3 == 0 ? (double)p : 0;
    sparse_tensor a = {.encoding = wanted}, b = {.encoding = made};
    bool equal = false;
    CHECK_RESULT(sparse_pack_dense_untyped(&a, dim, values), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&b, &a), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&a, &b, 0, &equal), SPARSE_OK);
    CHECK_RESULT(sparse_unpack_dense_untyped(&b, back), SPARSE_OK);
    CHECK(equal && memcmp(values, back, size * sizeof *values) == 0);
    CHECK(!sparse_same_encoding(wanted, made) || sparse_bytes(&a) == sparse_bytes(&b));
    sparse_free(&a);
    sparse_free(&b);
}

/* A changed text is either read as an encoding that prints and reads back equal, or refused with a position in the text. */
static void test_damaged(const char *text, unsigned *state)
{
    static const char marks[] = "ij0123456789,:()[]-> \n=kdbw\177";
    char changed[420];
    sparse_io_error error;
    sparse_encoding made = csr_encoding, again = csr_encoding;
    size_t length = strlen(text);
    memcpy(changed, text, length + 1);
    for (unsigned n = *state >> 20 & 3; n <= 3 && length > 1; n++) {
        *state = *state * 1664525u + 1013904223u;
        const size_t at = (*state >> 8) % length, kind = *state >> 5 & 3;
        const char mark = marks[(*state >> 16) % (sizeof marks - 1)];
        if (kind == 0) changed[at] = mark;
        if (kind == 1) memmove(changed + at, changed + at + 1, length-- - at);
        if (kind == 2) memmove(changed + at + 1, changed + at, ++length - at), changed[at] = mark;
        if (kind == 3) length = at + 1;
        changed[length] = '\0';
    }
    char *const exact = (char *)malloc(length + 1); /* so that the sanitizer detects reads past the end */
    if (!exact) return;
    memcpy(exact, changed, length + 1);
    const sparse_result result = sparse_parse_encoding(exact, &made, &error);
    CHECK(result == error.result);
    if (result == SPARSE_OK) {
        CHECK_RESULT(sparse_parse_encoding(spelled(&made), &again, NULL), SPARSE_OK);
        CHECK(sparse_same_encoding(&made, &again));
    } else {
        CHECK(error.line > 0 && error.column > 0 && error.column <= length + 1 && strstr(error.message, "encoding:") == error.message);
        CHECK(memcmp(&made, &csr_encoding, sizeof made) == 0);
    }
    free(exact);
}

/* The table about the Universal Sparse Tensor in docs/encodings.md: a tensor stored in the encoding of each row equals the
   tensor in COO. */
static void test_universal(void)
{
    FILE *const in = fopen("docs/encodings.md", "r");
    char line[400];
    int rows = 0;
    while (in && fgets(line, sizeof line, in)) {
        char *const begin = strstr(line, " | `("), *end = begin ? strchr(begin + 4, '`') : NULL;
        if (line[0] != '|' || !begin || !end || !strstr(begin, "->")) continue;
        *end = '\0';
        sparse_encoding made = csr_encoding;
        sparse_io_error error;
        if (sparse_parse_encoding(begin + 4, &made, &error) != SPARSE_OK) printf("%s: %s\n", begin + 4, error.message);
        CHECK(error.result == SPARSE_OK);
        test_stored_as(made.rank == 1 ? &vector_encoding : made.rank == 2 ? &coo_encoding : &coo3_encoding, &made);
        rows++;
    }
    if (in) fclose(in);
    CHECK(rows == 23 || !in);
}

/* Every name of an encoding can be read. Some are compared with the kit's encoding, also in other spellings. */
static void test_names(void)
{
    #define NAME(name, encoding) name,
    static const char *const names[] = {SPARSE_ENCODINGS(NAME)};
    #undef NAME
    static const struct {
        const char *text;
        const sparse_encoding *is;
    } same[] = {
        {"csr", &csr_encoding},
        {" CSC ", &csc_encoding},
        {"dcsr,crdWidth=32", &dcsr_encoding},
        {"coo3", &coo3_encoding},
        {"bsr2x3", &bsr_encoding},
        {"Bsr ( 2, 3 )", &bsr_encoding},
        {"((i, j), (dense, floordiv(i, 2)), (compressed, floordiv(j, 3)), (dense, mod(i, 2)), (dense, mod(j, 3)))", &bsr_encoding},
        {"( (r,c),(compressed,minus(c,r)),(dense,r) )", &dia_encoding},
        {"dia", &dia_encoding},
        {"((i, j), (compressed(nonunique), i), (singleton, j))", &coo_encoding},
    };
    sparse_encoding made, again;
    sparse_io_error error;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char text[40];
        unsigned state = 7;
        size_t length = 0;
        for (const char *c = names[n]; *c; c++) text[length++] = *c == '#' ? '2' : *c;
        text[length] = '\0';
        made = csr_encoding;
        CHECK_RESULT(sparse_parse_encoding(text, &made, &error), SPARSE_OK);
        again = csr_encoding;
        CHECK_RESULT(sparse_parse_encoding(spelled(&made), &again, NULL), SPARSE_OK);
        CHECK(sparse_same_encoding(&made, &again));
        for (unsigned k = 0; k < 20; k++) test_damaged(text, &state);
    }
    for (size_t n = 0; n < sizeof same / sizeof *same; n++) {
        unsigned state = 11;
        made = csr_encoding;
        CHECK_RESULT(sparse_parse_encoding(same[n].text, &made, &error), SPARSE_OK);
        CHECK(sparse_same_encoding(&made, same[n].is));
        for (unsigned k = 0; k < 200; k++) test_damaged(same[n].text, &state);
    }
}

static void test_spelling(void)
{
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"", "encoding:1:1: the name of an encoding, or a parenthesis before the dimensions, is expected, not the end"},
        {"rows", "encoding:1:1: the name of an encoding, or a parenthesis before the dimensions, is expected, not \"rows\""},
        {"csr(2)", "encoding:1:1: the name of an encoding, or a parenthesis before the dimensions, is expected, not \"csr\""},
        {"bsr2x", "encoding:1:1: the name of an encoding, or a parenthesis before the dimensions, is expected, not \"bsr2x\""},
        {"n", "encoding:1:1: the name of an encoding, or a parenthesis before the dimensions, is expected, not \"n\""},
        {"bsr(2)", "encoding:1:6: a comma between the sizes is expected, not \")\""},
        {"bsr(2, 3, 4)", "encoding:1:9: a parenthesis after the sizes is expected, not \",\""},
        {"bsr(0, 3)", "encoding:1:5: the number is too small"},
        {"bsr0x3", "encoding:1:1: the number is too small"},
        {"bsr9999999999x3", "encoding:1:1: the number is too small"},
        {"n2of70000", "encoding:1:1: the number is too large"},
        {"csr csr", "encoding:1:5: the end of the encoding is expected, not \"csr\""},
        {"((i, j) (dense, i))", "encoding:1:9: a comma between dimensions and levels is expected, not \"(\""},
        {"((i), dense)", "encoding:1:7: a parenthesis before the level is expected, not \"dense\""},
        {"((i), (dense i))", "encoding:1:14: a comma between the type of a level and what it stores is expected, not \"i\""},
        {"((i), (dense, mod i))", "encoding:1:19: a parenthesis before the dimension is expected, not \"i\""},
        {"((i), (dense, mod(i)))", "encoding:1:20: a comma after the dimension is expected, not \")\""},
        {"((i), (dense, mod(i, 2))", "encoding:1:25: a comma or a parenthesis after the level is expected, not the end"},
        {"((i), (dense, mod(i, 2, 2)))", "encoding:1:23: a parenthesis after what the level stores is expected, not \",\""},
        {"((i), (dense, i), (dense, i)", "encoding:1:29: a comma or a parenthesis after the level is expected, not the end"},
        {"((i), (dense, i, i))", "encoding:1:16: a parenthesis after the level is expected, not \",\""},
        {"(3)", "encoding:1:2: the name of a dimension is expected, not \"3\""},
        {"(i, i)", "encoding:1:5: the dimension is named twice"},
        {"(a,b,c,d,e,f,g,h,i)", "encoding:1:18: a tensor has at most 8 dimensions"},
        {"(i j)", "encoding:1:4: a comma or a parenthesis after the dimension is expected, not \"j\""},
        {"(i, j)\n(i : dense)", "encoding:2:1: -> between dimensions and levels is expected, not \"(\""},
        {"(i) -> i", "encoding:1:8: a parenthesis before the levels is expected, not \"i\""},
        {"(i) -> (k : dense)", "encoding:1:9: a dimension of the left side is expected, not \"k\""},
        {"(i) -> (i)", "encoding:1:10: a colon between what a level stores and its type is expected, not \")\""},
        {"(i) -> (i : sparse)", "encoding:1:13: a level type, such as dense or compressed, is expected, not \"sparse\""},
        {"(i) -> (i : compressed(uniq))", "encoding:1:24: a property, which is nonunique, nonordered or soa, is expected, not \"uniq\""},
        {"(i) -> (i : compressed(soa soa))", "encoding:1:28: a comma or a parenthesis after the property is expected, not \"soa\""},
        {"(i) -> (i : dense", "encoding:1:18: a comma or a parenthesis after the level is expected, not the end"},
        {"(i) -> (i floordiv x", "encoding:1:20: a number is expected, not \"x\""},
        {"(i) -> (i floordiv 0", "encoding:1:20: the number is too small"},
        {"(i) -> (i floordiv 4294967296", "encoding:1:20: the number is too large"},
        {"(i) -> (i : delta(65536))", "encoding:1:19: the number is too large"},
        {"(i) -> (i : delta(4, 4, 4))", "encoding:1:23: a parenthesis after the numbers of the level type is expected, not \",\""},
        {"(i) -> (i : delta(33))", "encoding:1:1: delta(bits) takes 1 to 32 bits, and no more than coordinates have"},
        {"(i) -> (i : delta(4, 4))", "encoding:1:1: delta(bits) takes 1 to 32 bits, and no more than coordinates have"},
        {"(i) -> (i floordiv 1 : dense, i mod 1 : packed(1, 1))",
         "encoding:1:1: packed[n,m] takes an m of 2 or more, whose last index coordinates can hold"},
        {"(i) -> (i floordiv 300 : dense, i mod 300 : packed[2, 300]), crdWidth = 8",
         "encoding:1:1: packed[n,m] takes an m of 2 or more, whose last index coordinates can hold"},
        {"(i) -> (i floordiv 4 : dense, i mod 4 : packed[5, 4])",
         "encoding:1:1: structured[n,m] must be last, with n <= m, below dense levels, in blocks of m"},
        {"(i) -> (i : dense(4))", "encoding:1:1: a level property does not go with its level type"},
        {"(i) -> (i : dense, i : dense)", "encoding:1:1: the map does not store every dimension once: bare, in blocks, or as a difference"},
        {"(i) -> (i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense,i:dense)", "encoding:1:73: an encoding has at most 8 levels"},
        {"(i, j, k) -> (j - k : compressed, i : dense, k : dense)",
         "encoding:1:35: after a difference, the next level stores the dimension that is subtracted"},
        {"(i) -> (i : dense), size = 3", "encoding:1:21: posWidth or crdWidth is expected, not \"size\""},
        {"(i) -> (i : dense), crdWidth 8", "encoding:1:30: an = after the name of the width is expected, not \"8\""},
        {"(i) -> (i : dense), crdWidth = 9", "encoding:1:1: position and coordinate widths must be 8, 16, 32 or 64 bits, or 0 for native"},
        {"(i) -> (i : dense) more", "encoding:1:20: the end of the encoding is expected, not \"more\""},
    };
    unsigned state = 1;
    sparse_encoding made;
    sparse_io_error error;
    for (size_t n = 0; n < COUNT; n++) {
        made = csr_encoding;
        const char *const text = spelled(encodings[n]);
        CHECK_RESULT(sparse_parse_encoding(text, &made, NULL), SPARSE_OK);
        CHECK(sparse_same_encoding(&made, encodings[n]) && strcmp(made.name, "csr") == 0);
        test_stored_as(encodings[n], &made);
        char copy[400];
        strcpy(copy, text);
        for (unsigned k = 0; k < 300; k++) test_damaged(copy, &state);
    }
    made = csr_encoding;
    CHECK_RESULT(sparse_parse_encoding(" ( row,\tcol )\n->(col:dense,row : compressed ( nonunique , nonordered) ) ,crdWidth=0,posWidth=16 ", &made, &error),
                 SPARSE_OK);
    CHECK(strcmp(spelled(&made), "(i, j) -> (j : dense, i : compressed(nonunique, nonordered)), posWidth = 16, crdWidth = 0") == 0);
    CHECK_RESULT(sparse_parse_encoding("(i) -> (i : delta(4))", &made, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_parse_encoding("(i) -> (i : delta[4])", &made, NULL), SPARSE_OK);
    CHECK(made.pos_bits == 16 && made.levels == 1 && made.level[0].n == 4 && made.level[1].type == SPARSE_DENSE);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        made = csr_encoding;
        CHECK(sparse_parse_encoding(wrong[k].text, &made, &error) != SPARSE_OK && memcmp(&made, &csr_encoding, sizeof made) == 0);
        if (strcmp(error.message, wrong[k].said) != 0) printf("%s\n  instead of %s\n", error.message, wrong[k].said);
        CHECK(strcmp(error.message, wrong[k].said) == 0);
    }
    CHECK_RESULT(sparse_parse_encoding(NULL, &made, &error), SPARSE_E_NULL);
    CHECK_RESULT(sparse_parse_encoding("(i) -> (i : dense)", NULL, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_print_encoding(NULL, stdout), SPARSE_E_NULL);
    CHECK_RESULT(sparse_print_encoding(&csr_encoding, NULL), SPARSE_E_NULL);
    made.rank = 0;
    CHECK_RESULT(sparse_print_encoding(&made, stdout), SPARSE_E_RANK);
}

int main(void)
{
    test_names();
    test_spelling();
    test_universal();
    test_every_encoding();
    test_any_rank();
    test_loops_of_any_rank();
    test_layouts();
    test_batches();
    test_damage();
    test_fields();
    test_batch_sequences();
    test_fill();
    test_sparse_batches();
    test_constants();
    test_refusals();
    test_native();
    test_inverses();
    test_products();
    test_gaps();
    test_masks();
    test_rare();
    CHECK(native_encoding.pos_bits == 8 * sizeof(size_t) && native_encoding.crd_bits == 8 * sizeof(size_t));
    return report("test_encodings");
}
