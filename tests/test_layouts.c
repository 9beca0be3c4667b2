/* test_layouts.c: the arrays of one small tensor of each rank in every named encoding, as sparse_print writes them. The
   expected texts, in LAYOUTS, were checked by hand. Add a row there for a new encoding.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sparse.h"
#include "sparse_io.h"

#include "oracle.h"

/* . 7 . 8        1 . 2 .        of the first index 0:  1 .    1:  . .
                  3 . . 4                               . 2        . 4
                  . . . .                               3 .        . .
                  . 5 . .                                              */
static const double vector[] = {0, 7, 0, 8};
static const double matrix[] = {1, 0, 2, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 5, 0, 0};
static const double cube[] = {1, 0, 0, 2, 3, 0, 0, 0, 0, 4, 0, 0};
static const double *const values[] = {vector, matrix, cube};
static const size_t sizes[3][3] = {{4, 0, 0}, {4, 4, 0}, {2, 3, 2}};

/* X(name, encoding, the text that sparse_print writes after the sizes of the dimensions) */
/* clang-format off */
#define LAYOUTS(X) \
    X(a_vector, SPARSE_VECTOR, \
      "lvl = ( 4 )\n" \
      "pos[0] : ( 0, 2 )\n" \
      "crd[0] : ( 1, 3 )\n" \
      "values : ( 7, 8 )\n") \
    X(a_dense_1d, SPARSE_DENSE_1D, \
      "lvl = ( 4 )\n" \
      "values : ( 0, 7, 0, 8 )\n") \
    X(a_coo_nd_i, SPARSE_COO_ND(i), \
      "lvl = ( 4 )\n" \
      "pos[0] : ( 0, 2 )\n" \
      "crd[0] : ( 1, 3 )\n" \
      "values : ( 7, 8 )\n") \
    X(a_dense_2d, SPARSE_DENSE_2D, \
      "lvl = ( 4, 4 )\n" \
      "values : ( 1, 0, 2, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 5, 0, 0 )\n") \
    X(a_column_major, SPARSE_COLUMN_MAJOR, \
      "lvl = ( 4, 4 )\n" \
      "values : ( 1, 3, 0, 0, 0, 0, 0, 5, 2, 0, 0, 0, 0, 4, 0, 0 )\n") \
    X(a_csr, SPARSE_CSR, \
      "lvl = ( 4, 4 )\n" \
      "pos[1] : ( 0, 2, 4, 4, 5 )\n" \
      "crd[1] : ( 0, 2, 0, 3, 1 )\n" \
      "values : ( 1, 2, 3, 4, 5 )\n") \
    X(a_bitmask_rows, SPARSE_BITMASK_ROWS, \
      "lvl = ( 4, 4 )\n" \
      "pos[1] : ( 0, 2, 4, 4, 5 )\n" \
      "crd[1] : ( 8341 )\n" \
      "values : ( 1, 2, 3, 4, 5 )\n") \
    X(a_csr_delta, SPARSE_CSR_DELTA(1), \
      "lvl = ( 4, 4 )\n" \
      "pos[1] : ( 0, 2, 5, 5, 6 )\n" \
      "crd[1] : ( 42 )\n" \
      "values : ( 1, 2, 3, 0, 4, 5 )\n") \
    X(a_csc, SPARSE_CSC, \
      "lvl = ( 4, 4 )\n" \
      "pos[1] : ( 0, 2, 3, 4, 5 )\n" \
      "crd[1] : ( 0, 1, 3, 0, 1 )\n" \
      "values : ( 1, 3, 5, 2, 4 )\n") \
    X(a_dcsr, SPARSE_DCSR, \
      "lvl = ( 4, 4 )\n" \
      "pos[0] : ( 0, 3 )\n" \
      "crd[0] : ( 0, 1, 3 )\n" \
      "pos[1] : ( 0, 2, 4, 5 )\n" \
      "crd[1] : ( 0, 2, 0, 3, 1 )\n" \
      "values : ( 1, 2, 3, 4, 5 )\n") \
    X(a_dcsc, SPARSE_DCSC, \
      "lvl = ( 4, 4 )\n" \
      "pos[0] : ( 0, 4 )\n" \
      "crd[0] : ( 0, 1, 2, 3 )\n" \
      "pos[1] : ( 0, 2, 3, 4, 5 )\n" \
      "crd[1] : ( 0, 1, 3, 0, 1 )\n" \
      "values : ( 1, 3, 5, 2, 4 )\n") \
    X(a_cd, SPARSE_CD, \
      "lvl = ( 4, 4 )\n" \
      "pos[0] : ( 0, 3 )\n" \
      "crd[0] : ( 0, 1, 3 )\n" \
      "values : ( 1, 0, 2, 0, 3, 0, 0, 4, 0, 5, 0, 0 )\n") \
    X(a_coo, SPARSE_COO, \
      "lvl = ( 4, 4 )\n" \
      "pos[0] : ( 0, 5 )\n" \
      "crd[0] : ( 0, 0, 0, 2, 1, 0, 1, 3, 3, 1 )\n" \
      "values : ( 1, 2, 3, 4, 5 )\n") \
    X(a_coo_soa, SPARSE_COO_SOA, \
      "lvl = ( 4, 4 )\n" \
      "pos[0] : ( 0, 5 )\n" \
      "crd[0] : ( 0, 0, 1, 1, 3 )\n" \
      "crd[1] : ( 0, 2, 0, 3, 1 )\n" \
      "values : ( 1, 2, 3, 4, 5 )\n") \
    X(a_csb_2, SPARSE_CSB(2), \
      "lvl = ( 2, 2, 2, 2 )\n" \
      "pos[2] : ( 0, 2, 4, 5, 5 )\n" \
      "crd[2] : ( 0, 1, 0, 1, 1 )\n" \
      "crd[3] : ( 0, 0, 0, 1, 1 )\n" \
      "values : ( 1, 3, 2, 4, 5 )\n") \
    X(a_bsr_2_2, SPARSE_BSR(2, 2), \
      "lvl = ( 2, 2, 2, 2 )\n" \
      "pos[1] : ( 0, 2, 3 )\n" \
      "crd[1] : ( 0, 1, 0 )\n" \
      "values : ( 1, 0, 3, 0, 2, 0, 0, 4, 0, 0, 0, 5 )\n") \
    X(a_bsr_inner_columns_2_2, SPARSE_BSR_INNER_COLUMNS(2, 2), \
      "lvl = ( 2, 2, 2, 2 )\n" \
      "pos[1] : ( 0, 2, 3 )\n" \
      "crd[1] : ( 0, 1, 0 )\n" \
      "values : ( 1, 3, 0, 0, 2, 0, 0, 4, 0, 0, 0, 5 )\n") \
    X(a_bsc_2_2, SPARSE_BSC(2, 2), \
      "lvl = ( 2, 2, 2, 2 )\n" \
      "pos[1] : ( 0, 2, 3 )\n" \
      "crd[1] : ( 0, 1, 0 )\n" \
      "values : ( 1, 3, 0, 0, 0, 0, 0, 5, 2, 0, 0, 4 )\n") \
    X(a_bsc_inner_rows_2_2, SPARSE_BSC_INNER_ROWS(2, 2), \
      "lvl = ( 2, 2, 2, 2 )\n" \
      "pos[1] : ( 0, 2, 3 )\n" \
      "crd[1] : ( 0, 1, 0 )\n" \
      "values : ( 1, 0, 3, 0, 0, 0, 0, 5, 2, 0, 0, 4 )\n") \
    X(a_n_of_m_2_4, SPARSE_N_OF_M(2, 4), \
      "lvl = ( 4, 1, 4 )\n" \
      "crd[2] : ( 0, 2, 0, 3, 0, 1, 0, 1 )\n" \
      "values : ( 1, 2, 3, 4, 0, 0, 0, 5 )\n") \
    X(a_packed_n_of_m_2_4, SPARSE_PACKED_N_OF_M(2, 4), \
      "lvl = ( 4, 1, 4 )\n" \
      "crd[2] : ( 17608 )\n" \
      "values : ( 1, 2, 3, 4, 0, 0, 0, 5 )\n") \
    X(a_packed_n_of_m_1_2, SPARSE_PACKED_N_OF_M(1, 2), \
      "lvl = ( 4, 2, 2 )\n" \
      "crd[2] : ( 72 )\n" \
      "values : ( 1, 2, 3, 4, 0, 0, 5, 0 )\n") \
    X(a_n_of_m_1_2, SPARSE_N_OF_M(1, 2), \
      "lvl = ( 4, 2, 2 )\n" \
      "crd[2] : ( 0, 0, 0, 1, 0, 0, 1, 0 )\n" \
      "values : ( 1, 2, 3, 4, 0, 0, 5, 0 )\n") \
    X(a_dia, SPARSE_DIA, \
      "lvl = ( 7, 4 )\n" \
      "pos[0] : ( 0, 4 )\n" \
      "crd[0] : ( 1, 2, 3, 5 )\n" \
      "values : ( 0, 0, 0, 5, 0, 3, 0, 0, 1, 0, 0, 0, 2, 4, 0, 0 )\n") \
    X(a_dia_blocks_2, SPARSE_DIA_BLOCKS(2), \
      "lvl = ( 2, 7, 2 )\n" \
      "pos[1] : ( 0, 3, 4 )\n" \
      "crd[1] : ( 2, 3, 5, 1 )\n" \
      "values : ( 0, 3, 1, 0, 2, 4, 0, 5 )\n") \
    X(a_ell_2, SPARSE_ELL(2), \
      "lvl = ( 2, 4, 4 )\n" \
      "pos[2] : ( 0, 1, 2, 2, 3, 4, 5, 5, 5 )\n" \
      "crd[2] : ( 0, 0, 1, 2, 3 )\n" \
      "values : ( 1, 3, 5, 2, 4 )\n") \
    X(a_jagged_2, SPARSE_JAGGED(2), \
      "lvl = ( 2, 4, 4 )\n" \
      "pos[1] : ( 0, 3, 5 )\n" \
      "crd[1] : ( 0, 0, 1, 0, 3, 1, 0, 2, 1, 3 )\n" \
      "values : ( 1, 3, 5, 2, 4 )\n") \
    X(a_dense_3d, SPARSE_DENSE_3D, \
      "lvl = ( 2, 3, 2 )\n" \
      "values : ( 1, 0, 0, 2, 3, 0, 0, 0, 0, 4, 0, 0 )\n") \
    X(a_column_major_nd_i_j_k, SPARSE_COLUMN_MAJOR_ND(i, j, k), \
      "lvl = ( 2, 3, 2 )\n" \
      "values : ( 1, 0, 0, 0, 3, 0, 0, 0, 2, 4, 0, 0 )\n") \
    X(a_csf_3d, SPARSE_CSF_3D, \
      "lvl = ( 2, 3, 2 )\n" \
      "pos[0] : ( 0, 2 )\n" \
      "crd[0] : ( 0, 1 )\n" \
      "pos[1] : ( 0, 3, 4 )\n" \
      "crd[1] : ( 0, 1, 2, 1 )\n" \
      "pos[2] : ( 0, 1, 2, 3, 4 )\n" \
      "crd[2] : ( 0, 1, 0, 1 )\n" \
      "values : ( 1, 2, 3, 4 )\n") \
    X(a_coo_3d, SPARSE_COO_3D, \
      "lvl = ( 2, 3, 2 )\n" \
      "pos[0] : ( 0, 4 )\n" \
      "crd[0] : ( 0, 0, 0, 0, 1, 1, 0, 2, 0, 1, 1, 1 )\n" \
      "values : ( 1, 2, 3, 4 )\n") \
    X(a_coo_soa_3d, SPARSE_COO_SOA_3D, \
      "lvl = ( 2, 3, 2 )\n" \
      "pos[0] : ( 0, 4 )\n" \
      "crd[0] : ( 0, 0, 0, 1 )\n" \
      "crd[1] : ( 0, 1, 2, 1 )\n" \
      "crd[2] : ( 0, 1, 0, 1 )\n" \
      "values : ( 1, 2, 3, 4 )\n") \
    X(a_mode_generic_3d, SPARSE_MODE_GENERIC_3D, \
      "lvl = ( 2, 3, 2 )\n" \
      "pos[0] : ( 0, 2 )\n" \
      "crd[0] : ( 0, 1 )\n" \
      "pos[1] : ( 0, 3, 4 )\n" \
      "crd[1] : ( 0, 1, 2, 1 )\n" \
      "values : ( 1, 0, 0, 2, 3, 0, 0, 4 )\n") \
    X(a_hicoo_3d_2, SPARSE_HICOO_3D(2), \
      "lvl = ( 1, 2, 1, 2, 2, 2 )\n" \
      "pos[0] : ( 0, 1 )\n" \
      "crd[0] : ( 0 )\n" \
      "pos[1] : ( 0, 2 )\n" \
      "crd[1] : ( 0, 1 )\n" \
      "pos[2] : ( 0, 1, 2 )\n" \
      "crd[2] : ( 0, 0 )\n" \
      "pos[3] : ( 0, 3, 4 )\n" \
      "crd[3] : ( 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0 )\n" \
      "values : ( 1, 2, 4, 3 )\n") \
    X(a_batched_csr, SPARSE_BATCHED_CSR, \
      "lvl = ( 2, 3, 2 )\n" \
      "pos[2] : ( 0, 1, 2, 3, 0, 0, 1, 1 )\n" \
      "crd[2] : ( 0, 1, 0, 1, 0, 0 )\n" \
      "values : ( 1, 2, 3, 4, 0, 0 )\n") \
    X(a_batched_coo, SPARSE_BATCHED_COO, \
      "lvl = ( 2, 3, 2 )\n" \
      "pos[1] : ( 0, 3, 0, 1 )\n" \
      "crd[1] : ( 0, 0, 1, 1, 2, 0, 1, 1, 0, 0, 0, 0 )\n" \
      "values : ( 1, 2, 3, 4, 0, 0 )\n")
/* clang-format on */

#define DEFINE(name, encoding, text)  SPARSE_TENSOR(name, encoding, double, 32, 32)
#define ADDRESS(name, encoding, text) {&name##_encoding, text},
LAYOUTS(DEFINE)
static const struct {
    const sparse_encoding *encoding;
    const char *text;
} layouts[] = {LAYOUTS(ADDRESS)};

/* Packs the tensor, prints it, takes it apart into arrays, and assembles it from them. */
static void check_layout(const sparse_encoding *e, const char *wanted)
{
    static char memory[2 * SPARSE_MAX_LEVELS + 1][256];
    sparse_tensor t = tensor_of(e), u = tensor_of(e);
    sparse_room room;
    sparse_arrays arrays;
    char text[1000] = {0};
    bool equal = false;
    snprintf(subject, sizeof subject, "%s", e->name);
    memset(&room, 0, sizeof room);
    room.val.at = memory[0];
    room.val.capacity = sizeof memory[0] / sizeof(double);
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++) {
        room.pos[l].at = memory[1 + l], room.crd[l].at = memory[1 + SPARSE_MAX_LEVELS + l];
        room.pos[l].capacity = room.crd[l].capacity = sizeof memory[0] / sizeof(uint32_t);
    }
    CHECK_RESULT(sparse_pack_dense_untyped(&t, sizes[e->rank - 1], values[e->rank - 1]), SPARSE_OK);
    FILE *file = tmpfile();
    if (CHECK(file != NULL)) {
        CHECK_RESULT(sparse_print(&t, file), SPARSE_OK);
        rewind(file);
        CHECK(fread(text, 1, sizeof text - 1, file) > 0);
        fclose(file);
        const char *from = strstr(text, "lvl = ");
        CHECK(from && strncmp(from, wanted, strlen(wanted)) == 0 && strcmp(from + strlen(wanted), "----\n") == 0);
    }
    CHECK_RESULT(sparse_disassemble(&t, &room), SPARSE_OK);
    arrays = arrays_in(&room, e);
    CHECK_RESULT(sparse_assemble(&u, sizes[e->rank - 1], &arrays, SPARSE_COPY, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&t, &u, 0, &equal), SPARSE_OK);
    CHECK(equal);
    sparse_free(&t);
    sparse_free(&u);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* CSF, COO and dense tensors of rank 5 as operands of kernels. */
#define CSF5 csf5, SPARSE_CSF_ND(i, j, k, l, m), double, 32, 32
#define COO5 coo5, SPARSE_COO_ND(i, j, k, l, m), double, 32, 16
#define BOX5 box5, SPARSE_DENSE_ND(i, j, k, l, m), double, 32, 32
#define XOB5 xob5, SPARSE_COLUMN_MAJOR_ND(i, j, k, l, m), double, 32, 32
SPARSE_TENSOR(CSF5)
SPARSE_TENSOR(COO5)
SPARSE_TENSOR(BOX5)
SPARSE_TENSOR(XOB5)
SPARSE_KERNEL(agree, (i, j, k, l, m), (s, double),
              all((A, CSF5, i, j, k, l, m), (B, BOX5, i, j, k, l, m), (C, XOB5, i, j, k, l, m)), s += A * B * C)
SPARSE_KERNEL(add_up, (i, j, k, l, m), (s, double), all((A, COO5, i, j, k, l, m)), s += A * A * A)

static void test_kernels(void)
{
    static const size_t dim[5] = {3, 2, 4, 2, 3};
    double dense[144], cubes = 0, s = 0, z = 0;
    csf5 A = SPARSE_INIT(csf5);
    coo5 D = SPARSE_INIT(coo5);
    box5 B = SPARSE_INIT(box5);
    xob5 C = SPARSE_INIT(xob5);
    subject[0] = 0;
    for (size_t k = 0; k < 144; k++) {
        dense[k] = random_below(3) ? 0 : (double)random_below(20);
        cubes += dense[k] * dense[k] * dense[k];
    }
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim, dense), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, dim, dense), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&C.t, &A.t), SPARSE_OK);
    CHECK_RESULT(sparse_convert(&D.t, &C.t), SPARSE_OK);
    CHECK_RESULT(agree(&s, &A, &B, &C), SPARSE_OK);
    CHECK_RESULT(add_up(&z, &D), SPARSE_OK);
    CHECK(s >= cubes && s <= cubes && z >= cubes && z <= cubes);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t);
}

/* >>most levels: COO tensors of rank 6 to 8. The sums depend on every coordinate. windows_6 and windows_7 read the last
   dimension at a sum. */
#define COO6 coo6, SPARSE_COO_ND(a, b, c, d, e, f), double, 32, 16
#define COO7 coo7, SPARSE_COO_ND(a, b, c, d, e, f, g), double, 32, 8
#define COO8 coo8, SPARSE_COO_ND(a, b, c, d, e, f, g, h), double, 32, 32
SPARSE_TENSOR(COO6)
SPARSE_TENSOR(COO7)
SPARSE_TENSOR(COO8)
SPARSE_KERNEL(weigh_6, (a, b, c, d, e, f), (s, size_t), all((A, COO6, a, b, c, d, e, f)), s += (size_t)A * (a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f))
SPARSE_KERNEL(weigh_7, (a, b, c, d, e, f, g), (s, size_t), all((A, COO7, a, b, c, d, e, f, g)),
              s += (size_t)A * (a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g))
SPARSE_KERNEL(weigh_8, (a, b, c, d, e, f, g, h), (s, size_t), all((A, COO8, a, b, c, d, e, f, g, h)),
              s += (size_t)A * (a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h))
SPARSE_KERNEL(windows_6, (a, b, c, d, e, f, range(w, 2)), (s, size_t), all((A, COO6, a, b, c, d, e, plus(f, w))),
              s += (size_t)A * (a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 23 * w))
SPARSE_KERNEL(windows_7, (a, b, c, d, e, f, g, range(w, 2)), (s, size_t), all((A, COO7, a, b, c, d, e, f, plus(g, w))),
              s += (size_t)A * (a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 23 * w))

static void test_most_levels(void)
{
    static const size_t factor[8] = {1, 3, 5, 7, 11, 13, 17, 19}, dim[3][8] = {{2, 2, 2, 2, 2, 3}, {2, 2, 2, 2, 2, 2, 3}, {2, 2, 2, 2, 2, 2, 2, 2}};
    const sparse_encoding *const encodings[3] = {&coo6_encoding, &coo7_encoding, &coo8_encoding};
    static double dense[256];
    subject[0] = 0;
    for (size_t n = 0; n < 3; n++) {
        const size_t rank = 6 + n, last = dim[n][rank - 1];
        size_t volume = 1, weighed = 0, windows = 0, s = 0, z = 0;
        for (size_t d = 0; d < rank; d++) volume *= dim[n][d];
        for (size_t k = 0; k < volume; k++) {
            size_t weight = 0, rest = k / last;
            const size_t at = k % last;
            dense[k] = random_below(3) ? 0 : (double)random_below(20);
            for (size_t d = rank - 1; d-- > 0; rest /= dim[n][d]) weight += rest % dim[n][d] * factor[d];
            weighed += (size_t)dense[k] * (weight + at * factor[rank - 1]);
            for (size_t w = 0; w < 2; w++) /* windows g + w; there is one window less than elements */
                if (at >= w && at - w + 1 < last) windows += (size_t)dense[k] * (weight + (at - w) * factor[rank - 1] + w * 23);
        }
        sparse_tensor t = tensor_of(encodings[n]);
        CHECK_RESULT(sparse_pack_dense_untyped(&t, dim[n], dense), SPARSE_OK);
        if (n == 0) {
            CHECK_RESULT(weigh_6(&s, (const coo6 *)&t), SPARSE_OK);
            CHECK_RESULT(windows_6(&z, (const coo6 *)&t), SPARSE_OK);
        } else if (n == 1) {
            CHECK_RESULT(weigh_7(&s, (const coo7 *)&t), SPARSE_OK);
            CHECK_RESULT(windows_7(&z, (const coo7 *)&t), SPARSE_OK);
        } else
            CHECK_RESULT(weigh_8(&s, (const coo8 *)&t), SPARSE_OK);
        CHECK(s == weighed && (n == 2 || z == windows));
        sparse_free(&t);
    }
}

/* >>side by side: the diagonals of two operands in one loop, whole and in blocks; and diagonals of one operand inside the
   slices of rows (ELL) of another */
#define DIA    dia, SPARSE_DIA, double, 32, 32
#define BLOCKS blocks, SPARSE_DIA_BLOCKS(2), double, 32, 32
#define ELL    ell, SPARSE_ELL(4), double, 32, 32
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(BLOCKS)
SPARSE_TENSOR(ELL)
SPARSE_KERNEL(pairs, (minus(j, i), minus(k, i), i), (s, size_t), all((A, DIA, i, j), (B, DIA, i, k)),
              s += (size_t)(A * B) * (1 + i + 5 * j + 25 * k))
SPARSE_KERNEL(pairs_of_blocks, (floordiv(i, 2), minus(j, i), minus(k, i), mod(i, 2)), (s, size_t),
              all((A, BLOCKS, i, j), (B, BLOCKS, i, k)), s += (size_t)(A * B) * (1 + i + 5 * j + 25 * k))
SPARSE_KERNEL(within, (minus(l, k), k, count(i, 4), i, j), (s, size_t), all((A, DIA, k, l), (B, ELL, i, j)),
              s += (size_t)(A * B) * (1 + i + 5 * j + 25 * k + 125 * l))

static void test_side_by_side(void)
{
    enum { ROWS = 4, A_COLUMNS = 5, B_COLUMNS = 3 };
    static const size_t dim[2][2] = {{ROWS, A_COLUMNS}, {ROWS, B_COLUMNS}};
    subject[0] = 0;
    for (size_t turn = 0; turn < 50; turn++) {
        double a[ROWS * A_COLUMNS], b[ROWS * B_COLUMNS];
        size_t wanted[2] = {0}, s[3] = {0};
        dia A = SPARSE_INIT(dia), B = SPARSE_INIT(dia);
        blocks C = SPARSE_INIT(blocks), D = SPARSE_INIT(blocks);
        ell E = SPARSE_INIT(ell);
        for (size_t k = 0; k < ROWS * A_COLUMNS; k++) a[k] = random_below(3) ? 0 : (double)random_below(9);
        for (size_t k = 0; k < ROWS * B_COLUMNS; k++) b[k] = random_below(3) ? 0 : (double)random_below(9);
        for (size_t m = 0; m < ROWS * A_COLUMNS; m++)
            for (size_t n = 0; n < ROWS * B_COLUMNS; n++) {
                const size_t product = (size_t)(a[m] * b[n]), i = n / B_COLUMNS, j = m % A_COLUMNS, k = n % B_COLUMNS, l = m / A_COLUMNS;
                if (i == l) wanted[0] += product * (1 + i + 5 * j + 25 * k);
                wanted[1] += product * (1 + i + 5 * k + 25 * l + 125 * j);
            }
        CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim[0], a), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&B.t, dim[1], b), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&C.t, &A.t), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&D.t, &B.t), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&E.t, &B.t), SPARSE_OK);
        CHECK_RESULT(pairs(&s[0], &A, &B), SPARSE_OK);
        CHECK_RESULT(pairs_of_blocks(&s[1], &C, &D), SPARSE_OK);
        CHECK_RESULT(within(&s[2], &A, &E), SPARSE_OK);
        CHECK(s[0] == wanted[0] && s[1] == wanted[0] && s[2] == wanted[1]);
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t), sparse_free(&E.t);
    }
}

int main(void)
{
    test_kernels();
    test_side_by_side();
    test_most_levels();
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) check_layout(layouts[k].encoding, layouts[k].text);
    return report("test_layouts");
}
