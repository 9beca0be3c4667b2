/* test_outputs.c: kernels with assembled outputs of any size. The arrays must be right to the byte. Also: workspaces so
   large that they must be hash tables, memory that runs out at every allocation, and refused calls. The loops over all
   encodings are tested by generate_kernels.c.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#include "outputs.h"

/* >>products: into every encoding, with loops that append entries, that need a workspace of one row, or a larger one */
typedef sparse_result (*product)(sparse_tensor *C, const sparse_tensor *A, const sparse_tensor *B);
#define PRODUCT(name, C_, c, A_, a, B_, b, ...)                                                              \
    SPARSE_KERNEL(name, (__VA_ARGS__), (C, C_, i, j), all((A, A_, i, k), (B, B_, k, j)), C += A * B)         \
    static sparse_result run_##name(sparse_tensor *x, const sparse_tensor *y, const sparse_tensor *z)        \
    {                                                                                                        \
        return name((c *)x, (const a *)y, (const b *)z);                                                     \
    }
PRODUCT(csr_rows, CSR, csr, CSR, csr, CSR, csr, i, k, j)
PRODUCT(csr_dots, CSR, csr, CSR, csr, CSC, csc, i, j, k)
PRODUCT(csr_outer, CSR, csr, CSC, csc, CSR, csr, k, i, j)
PRODUCT(csr_columns, CSR, csr, CSC, csc, CSC, csc, j, k, i)
PRODUCT(dcsr_rows, DCSR, dcsr, DCSR, dcsr, CSR, csr, i, k, j)
PRODUCT(dcsr_dots, DCSR, dcsr, DCSR, dcsr, CSC, csc, i, j, k)
PRODUCT(dcsr_outer, DCSR, dcsr, CSC, csc, DCSR, dcsr, k, i, j)
PRODUCT(csc_columns, CSC, csc, CSC, csc, CSC, csc, j, k, i)
PRODUCT(csc_dots, CSC, csc, CSR, csr, CSC, csc, j, i, k)
PRODUCT(csc_rows, CSC, csc, CSR, csr, DCSR, dcsr, i, k, j)
PRODUCT(coo_rows, COO, coo, CSR, csr, CSR, csr, i, k, j)
PRODUCT(coo_dots, COO, coo, DCSR, dcsr, CSC, csc, i, j, k)
PRODUCT(coo_outer, COO, coo, CSC, csc, CSR, csr, k, i, j)
PRODUCT(soa_rows, SOA, soa, CSR, csr, CSR, csr, i, k, j)
PRODUCT(soa_dots, SOA, soa, CSR, csr, CSC, csc, i, j, k)
PRODUCT(soa_outer, SOA, soa, CSC, csc, CSR, csr, k, i, j)
PRODUCT(cd_rows, CD, cd, DCSR, dcsr, CSR, csr, i, k, j)
PRODUCT(cd_dots, CD, cd, CSR, csr, CSC, csc, i, j, k)
PRODUCT(cd_outer, CD, cd, CSC, csc, CSR, csr, k, i, j)
PRODUCT(cd_full, CD, cd, CD, cd, CD, cd, i, k, j)
PRODUCT(bsr_rows, BSR, bsr, BSR, bsr, BSR, bsr, floordiv(i, 2), floordiv(k, 2), floordiv(j, 2), mod(i, 2),
        mod(k, 2), mod(j, 2))

/* encodings to which entries cannot be appended: the result is assembled in another one, and converted */
#define BITS  bits, ((i, j), (dense, i), (bitmap, j)), double, 32, 16
#define GAPS gaps, ((i, j), (dense, i), (loose_compressed, j)), double, 64, 64
#define NM    nm, ((i, j), (dense, i), (dense, floordiv(j, 4)), (structured(4, 4), mod(j, 4))), double, 32, 8
#define DIA   dia, SPARSE_DIA, double, 16, 32
#define HEAPS heaps, ((i, j), (batch, i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(BITS)
SPARSE_TENSOR(GAPS)
SPARSE_TENSOR(NM)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(HEAPS)
PRODUCT(bits_rows, BITS, bits, CSR, csr, CSR, csr, i, k, j)
PRODUCT(bits_dots, BITS, bits, CSR, csr, CSC, csc, i, j, k)
PRODUCT(bits_outer, BITS, bits, CSC, csc, CSR, csr, k, i, j)
PRODUCT(loose_rows, GAPS, gaps, CSR, csr, CSR, csr, i, k, j)
PRODUCT(loose_columns, GAPS, gaps, CSC, csc, CSC, csc, j, k, i)
PRODUCT(nm_rows, NM, nm, DCSR, dcsr, CSR, csr, i, k, j)
PRODUCT(dia_rows, DIA, dia, CSR, csr, CSR, csr, i, k, j)
PRODUCT(dia_outer, DIA, dia, CSC, csc, CSR, csr, k, i, j)
PRODUCT(heaps_rows, HEAPS, heaps, CSR, csr, CSR, csr, i, k, j)

typedef struct product_case {
    const char *name;
    const sparse_encoding *c, *a, *b;
    product run;
} product_case;
/* clang-format off */
#define CASE(name, c, a, b) {#name, &c##_encoding, &a##_encoding, &b##_encoding, run_##name}
/* clang-format on */
static const product_case products[] = {
    CASE(csr_rows, csr, csr, csr),     CASE(csr_dots, csr, csr, csc),    CASE(csr_outer, csr, csc, csr),
    CASE(csr_columns, csr, csc, csc),  CASE(dcsr_rows, dcsr, dcsr, csr), CASE(dcsr_dots, dcsr, dcsr, csc),
    CASE(dcsr_outer, dcsr, csc, dcsr), CASE(csc_columns, csc, csc, csc), CASE(csc_dots, csc, csr, csc),
    CASE(csc_rows, csc, csr, dcsr),    CASE(coo_rows, coo, csr, csr),    CASE(coo_dots, coo, dcsr, csc),
    CASE(coo_outer, coo, csc, csr),    CASE(soa_rows, soa, csr, csr),    CASE(soa_dots, soa, csr, csc),
    CASE(soa_outer, soa, csc, csr),    CASE(cd_rows, cd, dcsr, csr),     CASE(cd_dots, cd, csr, csc),
    CASE(cd_outer, cd, csc, csr),      CASE(cd_full, cd, cd, cd),        CASE(bsr_rows, bsr, bsr, bsr),
    CASE(bits_rows, bits, csr, csr),   CASE(bits_dots, bits, csr, csc),  CASE(bits_outer, bits, csc, csr),
    CASE(loose_rows, gaps, csr, csr), CASE(loose_columns, gaps, csc, csc), CASE(nm_rows, nm, dcsr, csr),
    CASE(dia_rows, dia, csr, csr),     CASE(dia_outer, dia, csc, csr),
    CASE(heaps_rows, heaps, csr, csr),
};

/* The sizes of an m x k matrix times a k x n one, and the share of entries in each: medium, with empty rows, empty, full,
   with sizes of 0 or 1; and rows whose length is near a multiple of 64 or 4096, the units of the workspace's marks. */
typedef struct extent {
    size_t m, k, n, one_in_a, one_in_b;
} extent;
static const extent extents[] = {
    {5, 6, 7, 2, 2},    {8, 6, 4, 3, 3},    {9, 9, 9, 12, 5},   {4, 5, 6, 0, 2},     {4, 5, 6, 2, 0},
    {3, 3, 3, 0, 0},    {4, 5, 6, 1, 1},    {1, 1, 1, 1, 1},    {0, 3, 4, 1, 1},     {4, 0, 3, 1, 1},
    {4, 3, 0, 1, 1},    {0, 0, 0, 1, 1},    {1, 9, 1, 2, 2},    {3, 4, 64, 2, 2},    {3, 4, 65, 1, 1},
    {64, 2, 3, 1, 1},   {70, 3, 130, 1, 1}, {2, 3, 4096, 1, 1}, {2, 2, 9001, 2, 30}, {7, 40, 9, 4, 4},
    {150, 5, 90, 9, 3}, {4097, 2, 2, 2, 1},
};

static void test_products(void)
{
    size_t vanished = 0;
    for (size_t n = 0; n < sizeof products / sizeof *products; n++)
        for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
            const product_case *p = &products[n];
            const extent *s = &extents[x];
            snprintf(subject, sizeof subject, "%s %lu %lu %lu", p->name, (unsigned long)s->m,
                     (unsigned long)s->k, (unsigned long)s->n);
            grid A = random_grid(p->a, s->m, s->k, 0, s->one_in_a),
                 B = random_grid(p->b, s->k, s->n, 0, s->one_in_b);
            grid C = grid_of(p->c, s->m, s->n, 0);
            sparse_tensor is = tensor_of(p->c);
            CHECK_RESULT(p->run(&is, &A.tensor, &B.tensor), SPARSE_OK);
            vanished += multiply_grids(&C, &A, &B, &plus_times);
            CHECK_GRID(&is, &C);
            close_grid(&A), close_grid(&B);
            check_books();
        }
    CHECK(vanished > 1000); /* sums that are 0 are stored */
}

/* The arrays of one small product, written out:
   | 1 . 2 |   | 3 . -3 .|   | 3 8 -3 . |
   | . . . | * | . 5  . .| = | .  . . . |
   |-1 1 . |   | . 4  . .|   |-3 5  3 . |, and with b(1,0) = 3 the first of the last row becomes a stored 0 */
static void test_spelled(void)
{
    static const struct {
        const product_case *product;
        const char *normal, *cancelled, *empty, *no_rows, *no_columns;
    } spelled[] = {
        {&products[0], "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3",
         "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 0 5 3", "pos1 0 0 0 0 val", "pos1 0 val",
         "pos1 0 0 0 0 val"},
        {&products[4], "pos0 0 2 crd0 0 2 pos1 0 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3",
         "pos0 0 2 crd0 0 2 pos1 0 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 0 5 3", "pos0 0 0 pos1 0 val",
         "pos0 0 0 pos1 0 val", "pos0 0 0 pos1 0 val"},
        {&products[7], "pos1 0 2 4 6 6 crd1 0 2 0 2 0 2 val 3 -3 8 5 -3 3",
         "pos1 0 2 4 6 6 crd1 0 2 0 2 0 2 val 3 0 8 5 -3 3", "pos1 0 0 0 0 0 val", "pos1 0 0 0 0 0 val",
         "pos1 0 val"},
        {&products[10], "pos0 0 6 crd0 0 0 0 1 0 2 2 0 2 1 2 2 val 3 8 -3 -3 5 3",
         "pos0 0 6 crd0 0 0 0 1 0 2 2 0 2 1 2 2 val 3 8 -3 0 5 3", "pos0 0 0 val", "pos0 0 0 val",
         "pos0 0 0 val"},
        {&products[13], "pos0 0 6 crd0 0 0 0 2 2 2 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3",
         "pos0 0 6 crd0 0 0 0 2 2 2 crd1 0 1 2 0 1 2 val 3 8 -3 0 5 3", "pos0 0 0 val", "pos0 0 0 val",
         "pos0 0 0 val"},
        {&products[16], "pos0 0 2 crd0 0 2 val 3 8 -3 0 -3 5 3 0", "pos0 0 2 crd0 0 2 val 3 8 -3 0 0 5 3 0",
         "pos0 0 0 val", "pos0 0 0 val", "pos0 0 0 val"},
        {&products[20], "pos1 0 2 4 crd1 0 1 0 1 val 3 8 0 0 -3 0 0 0 -3 5 0 0 3 0 0 0",
         "pos1 0 2 4 crd1 0 1 0 1 val 3 8 0 0 -3 0 0 0 0 5 0 0 3 0 0 0", "pos1 0 0 0 val", "pos1 0 val",
         "pos1 0 0 0 val"},
    };
    const double a[] = {1, 0, 2, 0, 0, 0, -1, 1, 0}, b[] = {3, 0, -3, 0, 0, 5, 0, 0, 0, 4, 0, 0};
    const double b0[] = {3, 0, -3, 0, 3, 5, 0, 0, 0, 4, 0, 0}, none[12] = {0};
    const size_t dims[][2] = {{3, 3}, {3, 4}, {0, 3}, {3, 0}};
    for (size_t n = 0; n < sizeof spelled / sizeof *spelled; n++) {
        const product_case *p = spelled[n].product;
        const struct {
            const size_t *m, *n;
            const double *a, *b;
            const char *wanted;
        } runs[] = {
            {dims[0], dims[1], a, b, spelled[n].normal},
            {dims[0], dims[1], a, b0, spelled[n].cancelled},
            {dims[0], dims[1], a, none, spelled[n].empty},
            {dims[0], dims[1], none, b, spelled[n].empty},
            {dims[2], dims[1], none, b, spelled[n].no_rows},
            {dims[0], dims[3], a, none, spelled[n].no_columns},
        };
        for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
            sparse_tensor A = tensor_of(p->a), B = tensor_of(p->b), C = tensor_of(p->c);
            snprintf(subject, sizeof subject, "%s, run %lu", p->name, (unsigned long)r);
            CHECK_RESULT(sparse_pack_dense_untyped(&A, runs[r].m, runs[r].a), SPARSE_OK);
            CHECK_RESULT(sparse_pack_dense_untyped(&B, runs[r].n, runs[r].b), SPARSE_OK);
            CHECK_RESULT(p->run(&C, &A, &B), SPARSE_OK);
            check_arrays(&C, runs[r].wanted, __LINE__);
            sparse_free(&A), sparse_free(&B), sparse_free(&C);
            check_books();
        }
    }
}

/* >>elementwise: kernels without a workspace; blocks; rank 3 */
SPARSE_KERNEL(add_csr, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(add_coo, (i, j), (C, COO, i, j), any((A, CSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(add_soa, (i, j), (C, SOA, i, j), any((A, CSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(add_cd, (i, j), (C, CD, i, j), any((A, CSR, i, j), (B, DCSR, i, j)), C = A + B)
SPARSE_KERNEL(add_bsr, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (C, BSR, i, j),
              any((A, BSR, i, j), (B, BSR, i, j)), C = A + B)
SPARSE_KERNEL(turn, (i, j), (C, CSC, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(turn_dcsr, (j, i), (C, DCSR, i, j), all((A, CSC, i, j)), C = A)
#define TURNED turned, ((i, j, k), (compressed, k), (compressed, i), (compressed, j)), double, 32, 32
SPARSE_TENSOR(TURNED)
SPARSE_KERNEL(add_csf, (i, j, k), (Z, CSF, i, j, k), any((X, CSF, i, j, k), (Y, CSF, i, j, k)), Z = X + Y)
SPARSE_KERNEL(ttm, (i, j, k, l), (Z, CSF, i, j, l), all((X, CSF, i, j, k), (M, CSR, k, l)), Z += X * M)
SPARSE_KERNEL(ttm_turned, (k, i, j, l), (Z, CSF, i, j, l), all((X, TURNED, i, j, k), (M, CSR, k, l)),
              Z += X * M)
SPARSE_KERNEL(ttv, (i, j, k), (Z, DCSR, i, j), all((X, CSF, i, j, k), (v, SVEC, k)), Z += X * v)

typedef sparse_result (*sum_of)(sparse_tensor *C, const sparse_tensor *A, const sparse_tensor *B);
#define SUM(name, c, a, b)                                                                                   \
    static sparse_result run_##name(sparse_tensor *x, const sparse_tensor *y, const sparse_tensor *z)        \
    {                                                                                                        \
        return name((c *)x, (const a *)y, (const b *)z);                                                     \
    }
SUM(add_csr, csr, csr, dcsr)
SUM(add_coo, coo, csr, dcsr)
SUM(add_soa, soa, csr, dcsr)
SUM(add_cd, cd, csr, dcsr)
SUM(add_bsr, bsr, bsr, bsr)
SUM(add_csf, csf, csf, csf)
static const product_case sums[] = {CASE(add_csr, csr, csr, dcsr), CASE(add_coo, coo, csr, dcsr),
                                    CASE(add_soa, soa, csr, dcsr), CASE(add_cd, cd, csr, dcsr),
                                    CASE(add_bsr, bsr, bsr, bsr),  CASE(add_csf, csf, csf, csf)};

static void test_sums(void)
{
    for (size_t n = 0; n < sizeof sums / sizeof *sums; n++)
        for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
            const extent *s = &extents[x];
            snprintf(subject, sizeof subject, "%s %lu", sums[n].name, (unsigned long)x);
            grid A = random_grid(sums[n].a, s->m, s->n, s->k, s->one_in_a);
            grid B = random_grid(sums[n].b, s->m, s->n, s->k, s->one_in_b);
            grid C = grid_of(sums[n].c, s->m, s->n, s->k);
            sparse_tensor is = tensor_of(sums[n].c);
            CHECK_RESULT(sums[n].run(&is, &A.tensor, &B.tensor), SPARSE_OK);
            for (size_t k = 0; k < C.volume; k++) {
                C.has[k] = A.has[k] || B.has[k];
                C.value[k] = A.value[k] + B.value[k];
            }
            CHECK_GRID(&is, &C);
            close_grid(&A), close_grid(&B);
            check_books();
        }
}

/* has_C = false leaves no empty row, slice or block behind */
SPARSE_KERNEL(keep_dcsr, (i, j), (C, DCSR, i, j), all((A, CSR, i, j)), C = A; has_C = A > 1)
SPARSE_KERNEL(keep_coo, (i, j), (C, COO, i, j), all((A, CSR, i, j)), C = A; has_C = A > 1)
SPARSE_KERNEL(keep_csc, (i, j), (C, CSC, i, j), all((A, CSR, i, j)), C = A; has_C = A > 1)
SPARSE_KERNEL(keep_csf, (i, j, k), (Z, CSF, i, j, k), all((X, CSF, i, j, k)), Z = X; has_Z = X > 1)
typedef sparse_result (*choice)(sparse_tensor *C, const sparse_tensor *A);
#define KEEP(name, c, a)                                                                                     \
    static sparse_result run_##name(sparse_tensor *x, const sparse_tensor *y)                                \
    {                                                                                                        \
        return name((c *)x, (const a *)y);                                                                   \
    }
KEEP(keep_dcsr, dcsr, csr)
KEEP(keep_coo, coo, csr)
KEEP(keep_csc, csc, csr)
KEEP(keep_csf, csf, csf)

SPARSE_KERNEL(later_rows, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B;
              has_C = i > 0)

/* the value of an entry that was left out does not become the initial value of one in the next row */
static void test_left_out(void)
{
    const size_t n2x2[] = {2, 2};
    const double a[] = {5, 0, 3, 0}, b[] = {1, 0, 0, 0};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    set_up(&A.t, n2x2, a), set_up(&B.t, n2x2, b);
    CHECK_MAKES(C, later_rows(&C, &A, &B), "pos1 0 0 1 crd1 0 val 3");
    sparse_free(&A.t), sparse_free(&B.t);
    check_books();
}

static void test_choices(void)
{
    static const struct {
        const sparse_encoding *c, *a;
        choice run;
    } all[] = {{&dcsr_encoding, &csr_encoding, run_keep_dcsr},
               {&coo_encoding, &csr_encoding, run_keep_coo},
               {&csc_encoding, &csr_encoding, run_keep_csc},
               {&csf_encoding, &csf_encoding, run_keep_csf}};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
            const extent *s = &extents[x];
            snprintf(subject, sizeof subject, "choice %lu, %lu", (unsigned long)n, (unsigned long)x);
            grid A = random_grid(all[n].a, s->m, s->n, s->k, s->one_in_a),
                 C = grid_of(all[n].c, s->m, s->n, s->k);
            sparse_tensor is = tensor_of(all[n].c);
            CHECK_RESULT(all[n].run(&is, &A.tensor), SPARSE_OK);
            for (size_t k = 0; k < C.volume; k++)
                if (A.has[k] && A.value[k] > 1) C.has[k] = true, C.value[k] = A.value[k];
            CHECK_GRID(&is, &C);
            close_grid(&A);
            check_books();
        }
}

static void test_transposes(void)
{
    for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
        const extent *s = &extents[x];
        grid A = random_grid(&csr_encoding, s->m, s->n, 0, s->one_in_a);
        grid B = random_grid(&csc_encoding, s->m, s->n, 0, s->one_in_b);
        csc C = SPARSE_INIT(csc);
        dcsr D = SPARSE_INIT(dcsr);
        C.t.hooks = D.t.hooks = &counting;
        snprintf(subject, sizeof subject, "transposes %lu", (unsigned long)x);
        CHECK_RESULT(turn(&C, (const csr *)&A.tensor), SPARSE_OK);
        CHECK_RESULT(turn_dcsr(&D, (const csc *)&B.tensor), SPARSE_OK);
        sparse_tensor C2 = tensor_of(&csc_encoding), D2 = tensor_of(&dcsr_encoding);
        CHECK_RESULT(sparse_convert(&C2, &A.tensor), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&D2, &B.tensor), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C2));
        CHECK(same_arrays(&D.t, &D2));
        sparse_free(&C.t), sparse_free(&D.t), sparse_free(&C2), sparse_free(&D2), close_grid(&A),
            close_grid(&B);
        check_books();
    }
}

/* Z(i,j,l) = X(i,j,k) M(k,l), as CSF, by two orders of the loops; and X(i,j,k) v(k) */
static void test_rank_3(void)
{
    for (size_t x = 0; x < sizeof extents / sizeof *extents; x++) {
        const extent *s = &extents[x];
        const size_t rows = s->m, columns = s->n < 200 ? s->n : 200, n = s->k;
        grid X = random_grid(&csf_encoding, rows, columns, n, s->one_in_a),
             Y = grid_of(&turned_encoding, rows, columns, n);
        grid M = random_grid(&csr_encoding, n, 5, 0, s->one_in_b),
             v = random_grid(&svec_encoding, n, 0, 0, s->one_in_b);
        grid Z = grid_of(&csf_encoding, rows, columns, 5), Z2 = grid_of(&csf_encoding, rows, columns, 5);
        grid W = grid_of(&dcsr_encoding, rows, columns, 0);
        sparse_tensor z = tensor_of(&csf_encoding), z2 = tensor_of(&csf_encoding),
                      w = tensor_of(&dcsr_encoding);
        memcpy(Y.has, X.has, X.volume * sizeof *X.has);
        memcpy(Y.value, X.value, X.volume * sizeof *X.value);
        pack_grid(&Y);
        snprintf(subject, sizeof subject, "rank 3, %lu", (unsigned long)x);
        CHECK_RESULT(ttm((csf *)&z, (const csf *)&X.tensor, (const csr *)&M.tensor), SPARSE_OK);
        CHECK_RESULT(ttm_turned((csf *)&z2, (const turned *)&Y.tensor, (const csr *)&M.tensor), SPARSE_OK);
        CHECK_RESULT(ttv((dcsr *)&w, (const csf *)&X.tensor, (const svec *)&v.tensor), SPARSE_OK);
        for (size_t at = 0; at < X.volume; at++) {
            const size_t ij = at / n, k = at % n;
            if (!X.has[at]) continue;
            for (size_t l = 0; l < 5; l++)
                if (M.has[k * 5 + l])
                    Z.has[ij * 5 + l] = true, Z.value[ij * 5 + l] += X.value[at] * M.value[k * 5 + l];
            if (v.has[k]) W.has[ij] = true, W.value[ij] += X.value[at] * v.value[k];
        }
        memcpy(Z2.has, Z.has, Z.volume * sizeof *Z.has);
        memcpy(Z2.value, Z.value, Z.volume * sizeof *Z.value);
        CHECK_GRID(&z, &Z);
        CHECK_GRID(&z2, &Z2);
        CHECK_GRID(&w, &W);
        close_grid(&X), close_grid(&Y), close_grid(&M), close_grid(&v);
        check_books();
    }
}

/* >>semirings: paths of two steps in a graph, by rows and by inner products, compared with brute force */
#define SEMIRING(name, zero, multiply_add)                                                                   \
    SPARSE_KERNEL(name##_rows, (i, k, j), from(zero, C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)),     \
                  C = multiply_add)                                                                          \
    SPARSE_KERNEL(name##_dots, (i, j, k), from(zero, C, CSR, i, j), all((A, CSR, i, k), (B, CSC, k, j)),     \
                  C = multiply_add)                                                                          \
    SUM(name##_rows, csr, csr, csr) SUM(name##_dots, csr, csr, csc)
/* clang-format off */
SEMIRING(plus_times, 0, C + A * B)
SEMIRING(min_plus, HUGE_VAL, fmin(C, A + B))
SEMIRING(max_min, -HUGE_VAL, fmax(C, fmin(A, B)))
SEMIRING(or_and, 0, C != 0 || (A != 0 && B != 0))
SEMIRING(plus_first, 0, C + A)
SEMIRING(times_max, 1, C * fmax(A, B)) /* not a semiring; kernels do not care */
/* clang-format on */

static void test_semirings(void)
{
    static const struct {
        semiring how;
        sum_of rows, dots;
    } all[] = {
        {{"plus, times", 0, plus, times}, run_plus_times_rows, run_plus_times_dots},
        {{"min, plus", HUGE_VAL, fmin, plus}, run_min_plus_rows, run_min_plus_dots},
        {{"max, min", -HUGE_VAL, fmax, fmin}, run_max_min_rows, run_max_min_dots},
        {{"or, and", 0, either, both}, run_or_and_rows, run_or_and_dots},
        {{"plus, first", 0, plus, first}, run_plus_first_rows, run_plus_first_dots},
        {{"times, max", 1, times, fmax}, run_times_max_rows, run_times_max_dots},
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        grid A = random_grid(&csr_encoding, 12, 12, 0, 4), B = random_grid(&csc_encoding, 12, 12, 0, 4);
        grid B2 = grid_of(&csr_encoding, 12, 12, 0);
        grid C = grid_of(&csr_encoding, 12, 12, 0), D = grid_of(&csr_encoding, 12, 12, 0);
        sparse_tensor c = tensor_of(&csr_encoding), d = tensor_of(&csr_encoding);
        memcpy(B2.has, B.has, B.volume * sizeof *B.has);
        memcpy(B2.value, B.value, B.volume * sizeof *B.value);
        pack_grid(&B2);
        snprintf(subject, sizeof subject, "%s", all[n].how.name);
        CHECK_RESULT(all[n].rows(&c, &A.tensor, &B2.tensor), SPARSE_OK);
        CHECK_RESULT(all[n].dots(&d, &A.tensor, &B.tensor), SPARSE_OK);
        multiply_grids(&C, &A, &B, &all[n].how);
        multiply_grids(&D, &A, &B, &all[n].how);
        CHECK_GRID(&c, &C);
        CHECK_GRID(&d, &D);
        close_grid(&A), close_grid(&B), close_grid(&B2);
        check_books();
    }
}

/* >>hashed workspaces: results with huge dimensions and few entries. The expected result is the list of all terms, which
   packing adds up. */
#define WCSR  wcsr, SPARSE_CSR, double, 64, 64
#define WCSC  wcsc, SPARSE_CSC, double, 64, 64
#define WDCSR wdcsr, SPARSE_DCSR, double, 64, 64
#define WCOO  wcoo, SPARSE_COO, double, 64, 64
#define WCSF  wcsf, SPARSE_CSF_3D, double, 64, 64
#define BLOCK (dense, mod(i, 2)), (dense, mod(j, 2))
#define BSC   bsc, ((i, j), (dense, floordiv(j, 2)), (compressed, floordiv(i, 2)), BLOCK), double, 32, 32
#define DBSR  dbsr, ((i, j), (compressed, floordiv(i, 2)), (compressed, floordiv(j, 2)), BLOCK), double, 32, 32
SPARSE_TENSOR(WCSR)
SPARSE_TENSOR(WCSC)
SPARSE_TENSOR(WDCSR)
SPARSE_TENSOR(WCOO)
SPARSE_TENSOR(BSC)
SPARSE_TENSOR(DBSR)
SPARSE_TENSOR(WCSF)
PRODUCT(wide_rows, WCSR, wcsr, WCSR, wcsr, WCSR, wcsr, i, k, j)
PRODUCT(wide_outer, WDCSR, wdcsr, WCSC, wcsc, WCSR, wcsr, k, i, j)
PRODUCT(wide_coo, WCOO, wcoo, WCSC, wcsc, WCSR, wcsr, k, i, j)
PRODUCT(wide_mixed, WCSR, wcsr, WCSC, wcsc, WCSR, wcsr, k, i, j)
PRODUCT(wide_blocks, DBSR, dbsr, BSC, bsc, BSR, bsr, floordiv(k, 2), floordiv(i, 2), floordiv(j, 2),
        mod(i, 2), mod(k, 2), mod(j, 2))
SPARSE_KERNEL(wide_slices, (k, i, j, l), (Z, WCSF, i, j, l),
              all((A, WCSC, i, k), (B, WCSR, k, j), (v, SVEC, l)), Z += A * B * v)
static const product_case wide[] = {CASE(wide_rows, wcsr, wcsr, wcsr), CASE(wide_outer, wdcsr, wcsc, wcsr),
                                    CASE(wide_coo, wcoo, wcsc, wcsr), CASE(wide_mixed, wcsr, wcsc, wcsr),
                                    CASE(wide_blocks, dbsr, bsc, bsr)};

/* Packs `count` entries: at coordinate 0, at the last one, and at some in between that occur repeatedly. */
static void scatter(sparse_tensor *t, size_t rows, size_t columns, size_t count)
{
    enum { POOL = 25, COUNT = 400 };
    static size_t at[2 * COUNT];
    static double values[COUNT];
    const size_t dim[] = {rows, columns};
    size_t pool[2][POOL] = {{0}};
    for (size_t d = 0; d < 2; d++)
        for (size_t n = 1; n < POOL; n++)
            pool[d][n] = n == 1 ? dim[d] - 1 : random_below(n < 9 && dim[d] > 300 ? 300 : dim[d]);
    for (size_t n = 0; n < count; n++) {
        at[2 * n] = pool[0][random_below(POOL)];
        at[2 * n + 1] = pool[1][random_below(POOL)];
        values[n] = random_below(2) ? 1 : -1;
    }
    CHECK_RESULT(sparse_pack_untyped(t, dim, count, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
}

/* C = A B, computed by packing the terms: all of them, or the positive ones. */
static void pack_terms(sparse_tensor *C, const sparse_tensor *A, const sparse_tensor *B, bool all)
{
    const size_t most = A->val.length * B->val.length + 1, dim[] = {A->dim[0], B->dim[1]};
    size_t *at = (size_t *)malloc(2 * most * sizeof *at), count = 0;
    double *values = (double *)malloc(most * sizeof *values);
    if (!at || !values) abort();
    SPARSE_FOREACH(a, A)
    SPARSE_FOREACH(b, B)
    if (a.dim[1] == b.dim[0] && (all || SPARSE_VALUE(a, double) * SPARSE_VALUE(b, double) > 0)) {
        at[2 * count] = a.dim[0], at[2 * count + 1] = b.dim[1];
        values[count++] = 0 + SPARSE_VALUE(a, double) * SPARSE_VALUE(b, double); /* no -0 */
    }
    CHECK_RESULT(sparse_pack_untyped(C, dim, count, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    free(at);
    free(values);
}

static void try_wide(const product_case *p, size_t m, size_t n, size_t entries)
{
    sparse_tensor A = tensor_of(p->a), B = tensor_of(p->b), C = tensor_of(p->c), wanted = tensor_of(p->c);
    snprintf(subject, sizeof subject, "%s %lu x %lu, %lu entries", p->name, (unsigned long)m,
             (unsigned long)n, (unsigned long)entries);
    scatter(&A, m, 7, entries), scatter(&B, 7, n, entries);
    CHECK_RESULT(p->run(&C, &A, &B), SPARSE_OK);
    pack_terms(&wanted, &A, &B, true);
    CHECK_RESULT(sparse_validate(&C, NULL), SPARSE_OK);
    CHECK(same_arrays(&C, &wanted));
    sparse_free(&A), sparse_free(&B), sparse_free(&C), sparse_free(&wanted);
    check_books();
}

static void test_hashed(void)
{
    const size_t entries[] = {0, 1, 20, 60, 150, 400}, huge = (size_t)1 << 31;
    for (size_t n = 0; n < sizeof entries / sizeof *entries; n++) {
        const size_t e = entries[n];
        try_wide(&wide[0], 5, huge, e);
        try_wide(&wide[0], 1000, huge + 12345, e);
        try_wide(&products[20], 12, huge / 256, e); /* blocks; a few rows of blocks */
        try_wide(&wide[3], 3, huge / 4, e);         /* a workspace of rank 2 with a dense outer level */
        try_wide(&wide[0], 40, 100000, e); /* dense, or short lists of keys */
        try_wide(&wide[0], 1000, (size_t)1 << 17, e);
        try_wide(&products[20], 12, 1 << 18, e);
        for (size_t p = 1; p < sizeof wide / sizeof *wide; p++) try_wide(&wide[p], 600, 601, e);
        for (size_t p = 1; p < sizeof wide / sizeof *wide; p++) {
            try_wide(&wide[p], 1500, 1501, e);
            try_wide(&wide[p], (size_t)1 << 15, 40001, e);
        }
        if (sizeof(size_t) < 8) continue;
        try_wide(&wide[1], huge, huge, e);
        try_wide(&wide[2], huge, huge, e);
        try_wide(&wide[1], huge, 2 * (huge - 1), e);
    }
}

/* A matrix A whose terms arrive in the order of the result, more of them than a list of keys holds. If there is a row
   `late`, one more term arrives at the end, in that row: out of order, or at the last element again. */
enum { ORDERED_ROWS = 4001, ORDERED_INNER = 8 };
static void pack_in_order(sparse_tensor *A, size_t late)
{
    enum { EACH = 15, COUNT = (ORDERED_INNER - 1) * EACH };
    const size_t dim[] = {ORDERED_ROWS, ORDERED_INNER};
    size_t at[2 * COUNT + 2], count = 0;
    double values[COUNT + 1];
    for (size_t k = 0; k < ORDERED_INNER - 1; k++)
        for (size_t r = 0; r < EACH; r++, count++)
            at[2 * count] = k / 2 * 1000 + r, at[2 * count + 1] = k, values[count] = (double)(k + r + 1);
    at[2 * count] = late, at[2 * count + 1] = ORDERED_INNER - 1, values[count] = 5;
    count += late < ORDERED_ROWS;
    CHECK_RESULT(sparse_pack_untyped(A, dim, count, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
}

static void test_in_order(void)
{
    const size_t late[] = {ORDERED_ROWS, ORDERED_ROWS - 1, 3, 3014}, columns[] = {300, 4001};
    for (size_t p = 1; p < sizeof wide / sizeof *wide; p++)
        for (size_t n = 0; n < 2 * sizeof late / sizeof *late; n++) {
            const product_case *const run = &wide[p];
            sparse_tensor A = tensor_of(run->a), B = tensor_of(run->b), C = tensor_of(run->c), wanted = tensor_of(run->c);
            snprintf(subject, sizeof subject, "%s in order, then %lu, %lu columns", run->name, (unsigned long)late[n / 2],
                     (unsigned long)columns[n % 2]);
            pack_in_order(&A, late[n / 2]);
            scatter(&B, ORDERED_INNER, columns[n % 2], 400);
            CHECK_RESULT(run->run(&C, &A, &B), SPARSE_OK);
            pack_terms(&wanted, &A, &B, true);
            CHECK(sparse_validate(&C, NULL) == SPARSE_OK && same_arrays(&C, &wanted));
            sparse_free(&A), sparse_free(&B), sparse_free(&C), sparse_free(&wanted);
            check_books();
        }
}

/* Many more terms than elements: the workspace must not list all terms. */
SPARSE_KERNEL(residues, (k, let(u, k % n, n)), (C, SVEC, u), all((x, VEC, k), (n, size_t)), C += x)
static void test_many_terms(void)
{
    enum { PLACES = 5000, TERMS = 200000 };
    const size_t dim[] = {TERMS};
    vec x = SPARSE_INIT(vec);
    svec C = SPARSE_INIT(svec);
    snprintf(subject, sizeof subject, "many terms");
    CHECK_RESULT(sparse_allocate_dense(&x.t, dim), SPARSE_OK);
    for (size_t k = 0; k < TERMS; k++) vec_values(&x)[k] = 1;
    C.t.hooks = &counting;
    books.most = TERMS * sizeof(double) - 1;
    CHECK_RESULT(residues(&C, &x, PLACES), SPARSE_OK);
    books.most = 0;
    CHECK(sparse_validate(&C.t, NULL) == SPARSE_OK && C.t.val.length == PLACES && same(svec_values(&C)[7], TERMS / PLACES));
    sparse_free(&x.t), sparse_free(&C.t);
    check_books();
}

/* The workspace becomes an array once the insertions into the hash table reach a quarter of the array's slots, not
   earlier. */
enum { SLOTS = 20000 };
static bool made_array;
static void *resize_and_note(void *context, void *memory, size_t old_bytes, size_t new_bytes)
{
    made_array = made_array || new_bytes == SLOTS * sizeof(double);
    return ledger_resize(context, memory, old_bytes, new_bytes);
}
static void test_array_pays(void)
{
    enum { EACH = 3, INNER = 7 };
    static const size_t rows[] = {SLOTS / 4 / EACH - 100, SLOTS / 4 / EACH + 100};
    static const sparse_hooks noting = {resize_and_note, &books};
    static size_t at[2 * SLOTS];
    static double values[SLOTS];
    for (size_t n = 0; n < 2; n++) {
        const size_t left[] = {rows[n], INNER}, right[] = {INNER, SLOTS};
        wcsr A = SPARSE_INIT(wcsr), B = SPARSE_INIT(wcsr), C = SPARSE_INIT(wcsr);
        subject[0] = 0;
        C.t.hooks = &noting;
        for (size_t k = 0; k < SLOTS; k++) values[k] = 1;
        for (size_t i = 0; i < rows[n]; i++) at[2 * i] = i, at[2 * i + 1] = i % INNER;
        CHECK_RESULT(sparse_pack_untyped(&A.t, left, rows[n], at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        for (size_t k = 0; k < INNER * EACH; k++) at[2 * k] = k / EACH, at[2 * k + 1] = (SLOTS - 1) / (EACH - 1) * (k % EACH);
        CHECK_RESULT(sparse_pack_untyped(&B.t, right, INNER * EACH, at, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        made_array = false;
        CHECK_RESULT(wide_rows(&C, &A, &B), SPARSE_OK);
        CHECK(made_array == (n == 1));
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
        check_books();
    }
}

/* A workspace that is a short list of keys, with terms left out by has_C; for some coordinates all terms. */
SPARSE_KERNEL(wide_plain, (i, k, j), (C, WCSR, i, j), all((A, WCSR, i, k), (B, WCSR, k, j)), C += A * B)
SPARSE_KERNEL(positive, (i, k, j), (C, WCSR, i, j), all((A, WCSR, i, k), (B, WCSR, k, j)), C += A * B; has_C = A * B > 0)
static void test_lists_left_out(void)
{
    for (size_t entries = 0; entries < 400; entries = 2 * entries + 3) {
        wcsr A = SPARSE_INIT(wcsr), B = SPARSE_INIT(wcsr), C = SPARSE_INIT(wcsr), wanted = SPARSE_INIT(wcsr);
        A.t.hooks = B.t.hooks = C.t.hooks = wanted.t.hooks = &counting;
        scatter(&A.t, 200, 7, entries), scatter(&B.t, 7, 100000, entries);
        CHECK_RESULT(positive(&C, &A, &B), SPARSE_OK);
        pack_terms(&wanted.t, &A.t, &B.t, false);
        CHECK(sparse_validate(&C.t, NULL) == SPARSE_OK && same_arrays(&C.t, &wanted.t));
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&wanted.t);
    }
    check_books();
}

/* Rows for which the workspace changes its kind: with few and with many entries, close together and far apart, and the same
   columns repeatedly; with so few columns that an array is small, that it pays after some rows, or that it never pays. The
   columns of B are sorted; the expected result is computed in a dense row. */
enum { KINDS = 8, ROWS = 90, TIMES = 12 };
static size_t columns_of_kind(unsigned kind, size_t columns, uint64_t *column)
{
    static const size_t count[KINDS] = {0, 1, 5, 40, 300, 2500, 700, 12};
    const bool near = kind == 3 || kind == 6;
    const size_t first = near ? random_below(columns - 900) : kind == 7 ? columns / 2 : 0;
    size_t length = 0;
    for (size_t j = 0; length < count[kind]; length++) {
        const size_t step = near || kind == 7 ? 1 : columns / count[kind];
        column[length] = first + j + (step > 1 ? random_below(step) : 0);
        j += step;
    }
    return length;
}
static void try_kinds(size_t columns, bool all)
{
    static uint64_t a_pos[ROWS + 1], a_crd[ROWS * TIMES], b_pos[KINDS * 4 + 1], b_crd[KINDS * 4 * 2500];
    static double a_val[ROWS * TIMES], b_val[KINDS * 4 * 2500];
    const size_t a_dim[] = {ROWS, KINDS * 4}, b_dim[] = {KINDS * 4, columns};
    wcsr A = SPARSE_INIT(wcsr), B = SPARSE_INIT(wcsr), C = SPARSE_INIT(wcsr);
    double *row = (double *)calloc(columns, sizeof *row);
    bool *is_in = (bool *)calloc(columns, sizeof *is_in);
    if (!row || !is_in) abort();
    snprintf(subject, sizeof subject, "rows of all kinds, %lu columns", (unsigned long)columns);
    for (size_t k = 0; k < KINDS * 4; k++) {
        b_pos[k + 1] = b_pos[k] + columns_of_kind((unsigned)k / 4, columns, b_crd + b_pos[k]);
        for (uint64_t p = b_pos[k]; p < b_pos[k + 1]; p++) b_val[p] = random_below(2) ? 1 : -2;
    }
    for (size_t i = 0; i < ROWS; i++) { /* ten rows of each kind, then mixed ones */
        uint64_t p = a_pos[i];
        for (size_t k = 0; k < KINDS * 4 && p < a_pos[i] + TIMES; k++)
            if (i / 10 < KINDS ? k / 4 == i / 10 : random_below(4) == 0) {
                a_crd[p] = k;
                a_val[p++] = random_below(2) ? 1 : -1;
            }
        a_pos[i + 1] = p;
    }
    sparse_arrays a, b;
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
    a.pos[1] = (sparse_array)SPARSE_ARRAY(a_pos, ROWS + 1);
    a.crd[1] = (sparse_array)SPARSE_ARRAY(a_crd, (size_t)a_pos[ROWS]);
    a.val = (sparse_array)SPARSE_ARRAY(a_val, (size_t)a_pos[ROWS]);
    b.pos[1] = (sparse_array)SPARSE_ARRAY(b_pos, KINDS * 4 + 1);
    b.crd[1] = (sparse_array)SPARSE_ARRAY(b_crd, (size_t)b_pos[KINDS * 4]);
    b.val = (sparse_array)SPARSE_ARRAY(b_val, (size_t)b_pos[KINDS * 4]);
    CHECK_RESULT(sparse_assemble(&A.t, a_dim, &a, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_assemble(&B.t, b_dim, &b, SPARSE_BORROW, NULL), SPARSE_OK);
    C.t.hooks = &counting;
    CHECK_RESULT(all ? wide_plain(&C, &A, &B) : positive(&C, &A, &B), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&C.t, NULL), SPARSE_OK);
    const uint64_t *pos = (const uint64_t *)C.t.pos[1].at, *crd = (const uint64_t *)C.t.crd[1].at;
    const double *val = (const double *)C.t.val.at;
    bool is_same = true;
    for (size_t i = 0; i < ROWS; i++) {
        size_t count = 0;
        for (uint64_t p = a_pos[i]; p < a_pos[i + 1]; p++)
            for (uint64_t q = b_pos[a_crd[p]]; q < b_pos[a_crd[p] + 1]; q++) {
                const double term = a_val[p] * b_val[q];
                if (!all && term <= 0) continue;
                row[b_crd[q]] += term;
                count += !is_in[b_crd[q]];
                is_in[b_crd[q]] = true;
            }
        is_same = is_same && pos[i + 1] - pos[i] == count;
        for (uint64_t p = pos[i]; p < pos[i + 1] && is_same; p++) {
            is_same = is_in[crd[p]] && same(val[p], row[crd[p]]);
            is_in[crd[p]] = false;
        }
        memset(row, 0, columns * sizeof *row);
        memset(is_in, 0, columns * sizeof *is_in);
    }
    CHECK(is_same);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    free(row), free(is_in);
    check_books();
}
static void test_kinds(void)
{
    static const size_t columns[] = {4000, 5000, 30000, 140000, 300000, 3000000};
    for (size_t n = 0; n < sizeof columns / sizeof *columns; n++) {
        try_kinds(columns[n], true);
        try_kinds(columns[n], false);
    }
}

/* A hashed workspace over three levels: 2000 * 3000 * 8 keys */
static void test_hashed_rank_3(void)
{
    const double few[] = {0, 0, 2, 0, 0, 3, 0, 0};
    wcsc A = SPARSE_INIT(wcsc);
    wcsr B = SPARSE_INIT(wcsr);
    svec v = SPARSE_INIT(svec);
    wcsf Z = SPARSE_INIT(wcsf);
    sparse_tensor C = tensor_of(&wdcsr_encoding);
    A.t.hooks = B.t.hooks = Z.t.hooks = &counting;
    set_up(&v.t, n8, few);
    scatter(&A.t, 2000, 7, 60), scatter(&B.t, 7, 3000, 60);
    pack_terms(&C, &A.t, &B.t, true);
    CHECK_RESULT(wide_slices(&Z, &A, &B, &v), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&Z.t, NULL), SPARSE_OK);
    CHECK(Z.t.val.length == 2 * C.val.length);
    size_t n = 0;
    SPARSE_FOREACH(z, &Z.t)
    {
        const double x = ((const double *)C.val.at)[n / 2];
        CHECK(z.dim[2] == (n % 2 ? 5 : 2) && same(SPARSE_VALUE(z, double), (n % 2 ? 3 : 2) * x));
        n++;
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&v.t), sparse_free(&Z.t), sparse_free(&C);
    check_books();
}

/* Has the tensor freed all of its arrays? */
static bool is_empty(const sparse_tensor *t)
{
    bool is = t->val.at == NULL && t->val.length == 0;
    for (unsigned l = 0; l < SPARSE_MAX_LEVELS; l++)
        is = is && t->pos[l].at == NULL && t->crd[l].at == NULL && t->pos[l].length == 0 &&
             t->crd[l].length == 0;
    return is;
}

/* Keys that overflow size_t are refused. With the same sizes, a workspace of one row is fine. */
static void test_overflow(void)
{
    const size_t half = (size_t)1 << (sizeof(size_t) * 5);
    for (size_t p = 1; p < 3; p++) {
        sparse_tensor A = tensor_of(wide[p].a), B = tensor_of(wide[p].b), C = tensor_of(wide[p].c);
        scatter(&A, half, 7, 20), scatter(&B, 7, half, 20);
        CHECK_RESULT(wide[p].run(&C, &A, &B), SPARSE_E_OVERFLOW);
        CHECK(is_empty(&C));
        sparse_free(&A);
        sparse_free(&B);
        scatter(&A, 3, 7, 20), scatter(&B, 7, 5, 20);
        CHECK_RESULT(wide[p].run(&C, &A, &B), SPARSE_OK); /* it can be used again */
        CHECK(!is_empty(&C) && C.dim[0] == 3 && C.dim[1] == 5);
        sparse_free(&A), sparse_free(&B);
        scatter(&A, half, 7, 20), scatter(&B, 7, half, 20);
        CHECK_RESULT(wide[p].run(&C, &A, &B), SPARSE_E_OVERFLOW);
        CHECK(is_empty(&C));
        sparse_free(&A), sparse_free(&B), sparse_free(&C);
        check_books();
    }
    try_wide(&wide[0], 3, half, 100);
}

/* >>memory: every allocation fails in turn */
static void try_memory(const product_case *p, const sparse_tensor *A, const sparse_tensor *B)
{
    sparse_tensor wanted = tensor_of(p->c), A2 = tensor_of(p->a), B2 = tensor_of(p->b), C = tensor_of(p->c);
    const sparse_tensor header[] = {*A, *B};
    snprintf(subject, sizeof subject, "memory for %s", p->name);
    CHECK_RESULT(sparse_copy(&A2, A), SPARSE_OK);
    CHECK_RESULT(sparse_copy(&B2, B), SPARSE_OK);
    CHECK_RESULT(p->run(&wanted, A, B), SPARSE_OK);
    CHECK(wanted.val.length > 50);
    const size_t live = books.live;
    for (size_t n = 0, calls = 0; n <= 2; n++) { /* an empty output, one with a result, and its own result again */
        if (n == 1) CHECK_RESULT(sparse_copy(&C, &wanted), SPARSE_OK);
        const void *const arrays_of[] = {C.val.at, C.crd[C.encoding->levels - 1].at};
        size_t took = books.calls;
        CHECK_RESULT(p->run(&C, A, B), SPARSE_OK);
        took = books.calls - took;
        CHECK(same_arrays(&C, &wanted) && (n > 0 ? took <= calls : took >= 3));
        CHECK(n < 2 || (C.val.at == arrays_of[0] && C.crd[C.encoding->levels - 1].at == arrays_of[1]));
        calls = took;
        for (size_t k = 1; k <= calls && n <= 1; k++) {
            sparse_free(&C);
            if (n == 1) CHECK_RESULT(sparse_copy(&C, &wanted), SPARSE_OK);
            books.fail_at = books.calls + k;
            const sparse_result r = p->run(&C, A, B);
            const bool ahead = r == SPARSE_OK && k > calls / 2; /* only room for more entries was refused, and not needed */
            CHECK(ahead || r == SPARSE_E_MEMORY);
            CHECK(books.calls >= books.fail_at);
            books.fail_at = 0;
            CHECK((ahead ? same_arrays(&C, &wanted) : is_empty(&C) && books.live == live) && books.mistakes == 0);
            CHECK(memcmp(&header[0], A, sizeof *A) == 0 && memcmp(&header[1], B, sizeof *B) == 0);
            CHECK(same_arrays(A, &A2) && same_arrays(B, &B2));
            sparse_free(&C), sparse_free(&C);
            C = tensor_of(p->c);
        }
        if (n == 0) sparse_free(&C);
        if (n == 1) CHECK_RESULT(p->run(&C, A, B), SPARSE_OK);
    }
    sparse_free(&C), sparse_free(&wanted), sparse_free(&A2), sparse_free(&B2);
}

static void test_memory(void)
{
    for (size_t n = 0; n < sizeof sums / sizeof *sums; n++) {
        grid A = random_grid(sums[n].a, 20, 30, 5, 3), B = random_grid(sums[n].b, 20, 30, 5, 3);
        try_memory(&sums[n], &A.tensor, &B.tensor);
        close_grid(&A), close_grid(&B);
    }
    for (size_t n = 0; n < sizeof products / sizeof *products; n++) {
        grid A = random_grid(products[n].a, 30, 20, 0, 5), B = random_grid(products[n].b, 20, 90, 0, 5);
        try_memory(&products[n], &A.tensor, &B.tensor);
        close_grid(&A), close_grid(&B);
    }
    for (size_t n = 0; n < sizeof wide / sizeof *wide; n++) {
        sparse_tensor A = tensor_of(wide[n].a), B = tensor_of(wide[n].b);
        scatter(&A, 8001, 7, 100), scatter(&B, 7, n == 0 ? (size_t)1 << 31 : 8003, 150);
        try_memory(&wide[n], &A, &B);
        sparse_free(&A), sparse_free(&B);
        scatter(&A, 601, 7, 100), scatter(&B, 7, n == 0 ? 100000 : 603, 150);
        try_memory(&wide[n], &A, &B);
        sparse_free(&A), sparse_free(&B);
        if (n == 0) continue;
        pack_in_order(&A, n % 2 ? ORDERED_ROWS : 3), scatter(&B, ORDERED_INNER, 8003, 400);
        try_memory(&wide[n], &A, &B);
        sparse_free(&A), sparse_free(&B);
    }
    check_books();
}

/* If memory blocks are limited, a result that fits, with room for one row, must be assembled. The first rows are the
   longest, so that the predicted length is too large. */
static void test_scarce(void)
{
    enum { SIZE = 300, FULL = 40, BELOW = FULL * (FULL - 1) / 2, ABOVE = FULL * SIZE - BELOW + SIZE - FULL };
    static double a[SIZE * SIZE];
    const size_t dim[] = {SIZE, SIZE};
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    snprintf(subject, sizeof subject, "scarce memory");
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j < SIZE; j++) a[SIZE * i + j] = i < FULL || i == j ? 2 - (double)(i > j) : 0;
    A.t.hooks = C.t.hooks = D.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim, a), SPARSE_OK);
    for (size_t scarce = 2; scarce-- > 0;) {
        const sparse_result wanted = scarce ? SPARSE_E_MEMORY : SPARSE_OK;
        books.most = sizeof(double) * (scarce ? BELOW - 1 : BELOW + SIZE);
        CHECK_RESULT(lower(&C, &A), wanted);
        CHECK(scarce ? is_empty(&C.t) : C.t.val.length == BELOW && sparse_validate(&C.t, NULL) == SPARSE_OK);
        books.most = sizeof(double) * (scarce ? ABOVE - 1 : ABOVE + SIZE);
        CHECK_RESULT(keep_coo(&D, &A), wanted);
    }
    books.most = 0;
    sparse_free(&A.t), sparse_free(&C.t), sparse_free(&D.t);
    check_books();
}

/* For any number of rows with one entry each, far apart, the workspace does not become an array over all columns. */
static void test_far_rows(void)
{
    enum { COLUMNS = 1 << 20, LENGTH = COLUMNS / 3 };
    const size_t a_dim[] = {LENGTH, 2}, b_dim[] = {2, COLUMNS}, at[] = {0, 0, 1, COLUMNS - 1};
    const double b[] = {3, 5};
    size_t *coordinates = (size_t *)malloc(2 * LENGTH * sizeof *coordinates), wrong = 0;
    double *a = (double *)malloc(LENGTH * sizeof *a);
    wcsr A = SPARSE_INIT(wcsr), B = SPARSE_INIT(wcsr), C = SPARSE_INIT(wcsr);
    snprintf(subject, sizeof subject, "rows far from each other");
    if (!coordinates || !a) abort();
    for (size_t i = 0; i < LENGTH; i++) coordinates[2 * i] = i, coordinates[2 * i + 1] = i % 2, a[i] = 2;
    A.t.hooks = B.t.hooks = C.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_untyped(&A.t, a_dim, LENGTH, coordinates, a, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&B.t, b_dim, 2, at, b, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    books.most = sizeof(double) * COLUMNS - 1;
    CHECK_RESULT(wide_plain(&C, &A, &B), SPARSE_OK);
    books.most = 0;
    CHECK(C.t.val.length == LENGTH && sparse_validate(&C.t, NULL) == SPARSE_OK);
    for (size_t i = 0; i < C.t.val.length; i++)
        wrong += ((const double *)C.t.val.at)[i] != 2 * b[i % 2] || ((const uint64_t *)C.t.crd[1].at)[i] != at[2 * (i % 2) + 1];
    CHECK(wrong == 0);
    free(coordinates), free(a);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    check_books();
}

/* The list of keys of a workspace and the positions of an output also grow to the exact size if memory does not suffice to
   grow by half. */
#define SMALL small, SPARSE_CSR, int8_t, 32, 32
#define LISTS lists, SPARSE_DCSR, int8_t, 64, 8
SPARSE_TENSOR(SMALL)
SPARSE_TENSOR(LISTS)
SPARSE_KERNEL(turn_small, (j, i), (C, SMALL, i, j), all((A, CSC, i, j)), C = (int8_t)A)
SPARSE_KERNEL(list_rows, (i, j), (C, LISTS, i, j), all((A, SMALL, i, j)), C = A)
static void test_scarce_lists(void)
{
    enum { SIZE = 101, ALL = SIZE * SIZE };
    static double a[ALL];
    static int8_t b[ALL];
    const size_t dim[] = {SIZE, SIZE};
    csc A = SPARSE_INIT(csc);
    small B = SPARSE_INIT(small), C = SPARSE_INIT(small);
    lists D = SPARSE_INIT(lists);
    snprintf(subject, sizeof subject, "scarce memory for lists");
    for (size_t k = 0; k < ALL; k++) a[k] = 1, b[k] = k % (SIZE + 1) == 0;
    A.t.hooks = B.t.hooks = C.t.hooks = D.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, dim, b), SPARSE_OK);
    for (size_t scarce = 2; scarce-- > 0;) {
        books.most = sizeof(size_t) * (ALL + 1 - scarce); /* the keys of all entries and one more */
        CHECK_RESULT(turn_small(&C, &A), scarce ? SPARSE_E_MEMORY : SPARSE_OK);
        books.most = sizeof(uint64_t) * (SIZE + 1 - scarce);
        CHECK_RESULT(list_rows(&D, &B), scarce ? SPARSE_E_MEMORY : SPARSE_OK);
    }
    books.most = 0;
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t);
    check_books();
}

/* begin_of keeps the entries whose coordinate is below `first`. The output is reallocated only a few times, and never keeps
   much more room than it needs. One entry is expected for each row, and one dense row for each entry. */
#define ROWED rowed, SPARSE_MODE_GENERIC_3D, double, 32, 32
SPARSE_TENSOR(ROWED)
SPARSE_KERNEL(into_rows, (i, j, r), (R, ROWED, i, j, r), all((D, DCSR, i, j), (v, VEC, r)), R += D * v)
SPARSE_KERNEL(begin_of, (i), (C, SVEC, i), all((A, SVEC, i), (first, size_t)), C = A; has_C = i < first)
static void test_room(void)
{
    enum { N = 4096 };
    static const size_t first[] = {0, 1, N / 9, N / 7, N / 2, N};
    const size_t n = N;
    static double a[N];
    svec u = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    for (size_t i = 0; i < n; i++) a[i] = (double)(i + 1);
    set_up(&u.t, &n, a);
    w.t.hooks = &counting;
    for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
        const size_t calls = books.calls;
        CHECK_RESULT(begin_of(&w, &u, first[k]), SPARSE_OK);
        CHECK(sparse_validate(&w.t, NULL) == SPARSE_OK && w.t.val.length == first[k]);
        CHECK(first[k] == 0 || memcmp(w.t.val.at, a, first[k] * sizeof *a) == 0);
        CHECK(w.t.val.capacity <= 2 * first[k] + 1 && w.t.crd[0].capacity <= 2 * first[k] + 1);
        CHECK(books.calls - calls <= 6);
    }
    const size_t rows[] = {3 * N, 3 * N};
    size_t *const at = (size_t *)malloc(2 * (3 * N / 2) * sizeof *at), entries = 3 * N / 2;
    double *const ones = (double *)malloc(entries * sizeof *ones);
    dcsr D = SPARSE_INIT(dcsr);
    if (!at || !ones) exit(1);
    for (size_t k = 0; k < entries; k++) at[2 * k] = 3 * (2 * k / 3), at[2 * k + 1] = k, ones[k] = 1;
    CHECK_RESULT(sparse_pack_untyped(&D.t, rows, entries, at, ones, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK(D.t.crd[0].length == N);
    const size_t calls = books.calls;
    CHECK_RESULT(up_to_100(&w, &D), SPARSE_OK);
    CHECK(w.t.val.length == N && w.t.val.capacity == N && w.t.crd[0].capacity == N && books.calls - calls <= 5);
    const size_t three = 3;
    vec v = SPARSE_INIT(vec);
    rowed R = SPARSE_INIT(rowed);
    set_up(&v.t, &three, a);
    R.t.hooks = &counting;
    CHECK_RESULT(into_rows(&R, &D, &v), SPARSE_OK);
    CHECK(R.t.val.length == 3 * entries && R.t.val.capacity == 3 * entries && R.t.crd[1].capacity == entries);
    sparse_free(&v.t), sparse_free(&R.t);
    free(at), free(ones), sparse_free(&D.t);
    sparse_free(&u.t), sparse_free(&w.t);
    check_books();
}

/* >>statuses */
#define SHORT_CSR  short_csr, SPARSE_CSR, double, 8, 16 /* at most 255 entries */
#define SHORT_DCSR short_dcsr, SPARSE_DCSR, double, 8, 16
#define SHORT_COO  short_coo, SPARSE_COO, double, 8, 16
#define SHORT_BSR  short_bsr, SPARSE_BSR(2, 2), double, 8, 16
#define NARROW     narrow, SPARSE_CSR, double, 32, 8 /* at most 256 columns */
#define NARROW_COO narrow_coo, SPARSE_COO, double, 32, 8
SPARSE_TENSOR(SHORT_CSR)
SPARSE_TENSOR(SHORT_DCSR)
SPARSE_TENSOR(SHORT_COO)
SPARSE_TENSOR(SHORT_BSR)
SPARSE_TENSOR(NARROW)
SPARSE_TENSOR(NARROW_COO)
SPARSE_KERNEL(shorten, (i, j), (C, SHORT_CSR, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(shorten_coo, (i, j), (C, SHORT_COO, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(shorten_bsr, (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (C, SHORT_BSR, i, j),
              all((A, BSR, i, j)), C = A)
SPARSE_KERNEL(shorten_turned, (j, i), (C, SHORT_DCSR, i, j), all((A, CSC, i, j)), C = A)
SPARSE_KERNEL(narrow_down, (i, j), (C, NARROW, i, j), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(narrow_down_coo, (i, j), (C, NARROW_COO, i, j), all((A, CSR, i, j)), C = A)

/* Checks the result of a call on an output that has entries. */
#define CHECK_COPY(c, call, result)                                                                          \
    do {                                                                                                     \
        (c).t.hooks = &counting;                                                                             \
        CHECK_RESULT(call, result);                                                                          \
        CHECK(is_empty(&(c).t) == ((result) != SPARSE_OK));                                                  \
        if ((result) == SPARSE_OK) CHECK_RESULT(sparse_validate(&(c).t, NULL), SPARSE_OK);                   \
    } while (0)

static void test_widths(void)
{
    short_csr C = SPARSE_INIT(short_csr);
    short_coo D = SPARSE_INIT(short_coo);
    short_bsr E = SPARSE_INIT(short_bsr);
    short_dcsr F = SPARSE_INIT(short_dcsr);
    narrow G = SPARSE_INIT(narrow);
    narrow_coo H = SPARSE_INIT(narrow_coo);
    static const struct {
        size_t rows, columns, one_in;
        sparse_result shortened, blocks;
    } runs[] = {
        {15, 17, 1, SPARSE_OK, SPARSE_OK}, /* 255 */
        {16, 16, 1, SPARSE_E_POSITION_WIDTH, SPARSE_OK},
        {1, 256, 1, SPARSE_E_POSITION_WIDTH, SPARSE_OK},
        {256, 1, 1, SPARSE_E_POSITION_WIDTH, SPARSE_OK},
        {50, 300, 1, SPARSE_E_POSITION_WIDTH, SPARSE_E_POSITION_WIDTH},
        {30, 34, 1, SPARSE_E_POSITION_WIDTH, SPARSE_OK},               /* 255 blocks */
        {32, 31, 1, SPARSE_E_POSITION_WIDTH, SPARSE_E_POSITION_WIDTH}, /* 256 */
        {700, 500, 2000, SPARSE_OK, SPARSE_OK},
    };
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) {
        const size_t rows = runs[n].rows, columns = runs[n].columns;
        grid A = random_grid(&csr_encoding, rows, columns, 0, runs[n].one_in);
        grid B = random_grid(&bsr_encoding, rows, columns, 0, runs[n].one_in);
        grid At = random_grid(&csc_encoding, rows, columns, 0, runs[n].one_in);
        snprintf(subject, sizeof subject, "%lu x %lu", (unsigned long)rows, (unsigned long)columns);
        CHECK_COPY(C, shorten(&C, (const csr *)&A.tensor), runs[n].shortened);
        CHECK_COPY(D, shorten_coo(&D, (const csr *)&A.tensor), runs[n].shortened);
        CHECK_COPY(E, shorten_bsr(&E, (const bsr *)&B.tensor), runs[n].blocks);
        CHECK_COPY(F, shorten_turned(&F, (const csc *)&At.tensor), runs[n].shortened);
        CHECK_COPY(G, narrow_down(&G, (const csr *)&A.tensor),
                   columns > 256 ? SPARSE_E_COORDINATE_WIDTH : SPARSE_OK);
        CHECK_COPY(H, narrow_down_coo(&H, (const csr *)&A.tensor),
                   rows > 256 || columns > 256 ? SPARSE_E_COORDINATE_WIDTH : SPARSE_OK);
        close_grid(&A), close_grid(&B), close_grid(&At);
    }
    sparse_free(&C.t), sparse_free(&D.t), sparse_free(&E.t), sparse_free(&F.t), sparse_free(&G.t),
        sparse_free(&H.t);
    check_books();
}

/* Checks that the call is refused and leaves C unchanged. */
#define CHECK_REFUSED(c, call, result)                                                                       \
    do {                                                                                                     \
        const sparse_tensor before = (c).t;                                                                  \
        CHECK_RESULT(call, result);                                                                          \
        CHECK(memcmp(&before, &(c).t, sizeof before) == 0);                                                  \
        CHECK_ARRAYS(c, "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3");                                  \
    } while (0)

static void test_refusals(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 0, 2, 0, 0, 0, -1, 1, 0}, b[] = {3, 0, -3, 0, 5, 0, 0, 4, 0};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr), D = SPARSE_INIT(csr),
        blank = SPARSE_INIT(csr);
    csr untyped, wrong = SPARSE_INIT(csr);
    memset(&untyped, 0, sizeof untyped);
    wrong.t.encoding = &dcsr_encoding;
    D.t.hooks = C.t.hooks = untyped.t.hooks = &counting;
    set_up(&A.t, n3x3, a), set_up(&B.t, n3x3, b);
    CHECK_RESULT(csr_rows(&C, &A, &B), SPARSE_OK);
    const size_t live = books.live;
    CHECK_REFUSED(C, csr_rows(&C, &C, &B), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(&C, &A, &C), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(&C, &C, &C), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(NULL, &A, &B), SPARSE_E_NULL);
    CHECK_REFUSED(C, csr_rows(&C, NULL, &B), SPARSE_E_NULL);
    CHECK_REFUSED(C, csr_rows(&C, &A, NULL), SPARSE_E_NULL);
    CHECK_REFUSED(C, csr_rows(&C, &blank, &B), SPARSE_E_EMPTY);
    CHECK_REFUSED(C, csr_rows(&C, &A, &untyped), SPARSE_E_NO_ENCODING);
    CHECK_REFUSED(C, csr_rows(&C, &A, &wrong), SPARSE_E_ENCODING);
    CHECK_RESULT(csr_rows(&wrong, &A, &B), SPARSE_E_ENCODING);
    CHECK(wrong.t.encoding == &dcsr_encoding && is_empty(&wrong.t));
    set_up(&D.t, n3x4, a3x4);
    CHECK_REFUSED(C, csr_rows(&C, &D, &A), SPARSE_E_SHAPE);
    sparse_free(&D.t);

    csr shared = C; /* another tensor with the arrays of an operand */
    CHECK_REFUSED(C, csr_rows(&shared, &A, &C), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(&shared, &C, &B), SPARSE_E_ALIAS);
    CHECK(memcmp(&shared, &C, sizeof C) == 0 && books.live == live);
    csr lent = SPARSE_INIT(csr); /* its own values, but the borrowed coordinates of the output */
    const double ones[] = {1, 1, 1, 1, 1, 1};
    sparse_arrays own = sparse_arrays_of(&C.t);
    own.val.at = ones;
    CHECK_RESULT(sparse_assemble(&lent.t, n3x3, &own, SPARSE_BORROW, NULL), SPARSE_OK);
    CHECK_REFUSED(C, csr_rows(&C, &A, &lent), SPARSE_E_ALIAS);
    CHECK_REFUSED(C, csr_rows(&C, &lent, &B), SPARSE_E_ALIAS);
    CHECK_RESULT(csr_rows(&lent, &A, &C), SPARSE_OK); /* its borrowed arrays are replaced */
    sparse_free(&lent.t);

    /* an output is used again, for an equal result and for others; a zeroed tensor is accepted, too */
    CHECK_RESULT(csr_rows(&C, &A, &B), SPARSE_OK);
    CHECK_ARRAYS(C, "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3");
    CHECK_RESULT(csr_rows(&C, &B, &A), SPARSE_OK);
    CHECK_ARRAYS(C, "pos1 0 3 3 3 crd1 0 1 2 val 6 -3 6");
    CHECK_RESULT(triangles(&C, &A, &B), SPARSE_OK);
    CHECK_ARRAYS(C, "pos1 0 2 3 5 crd1 0 2 1 0 1 val 4 -1 5 -1 -3");
    CHECK(books.live == live);
    CHECK_RESULT(csr_rows(&untyped, &A, &B), SPARSE_OK);
    CHECK(untyped.t.encoding == &csr_encoding);
    CHECK_ARRAYS(untyped, "pos1 0 3 3 6 crd1 0 1 2 0 1 2 val 3 8 -3 -3 5 3");
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&untyped.t), sparse_free(&untyped.t);
    check_books();
}

/* A product in the caller's arrays, with room for any number of entries: the needed lengths are returned; with enough room
   the result is complete. */
SPARSE_KERNEL(times_with_room, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)

static void test_product_into(size_t rows, size_t columns, size_t entries)
{
    static size_t at[2 * 300];
    static double value[300];
    static uint32_t pos[41], crd[3000];
    static double val[3000];
    const size_t of_a[] = {rows, rows}, of_b[] = {rows, columns};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    for (size_t n = 0; n < entries; n++) at[2 * n] = random_below(rows), at[2 * n + 1] = random_below(rows), value[n] = 1 + (double)n;
    A.t.hooks = B.t.hooks = C.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_untyped(&A.t, of_a, entries, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    for (size_t n = 0; n < entries; n++) at[2 * n + 1] = random_below(20) * (columns / 20);
    CHECK_RESULT(sparse_pack_untyped(&B.t, of_b, entries, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(times_with_room(&C, &A, &B), SPARSE_OK);
    const size_t stored = C.t.val.length, length = rows + 1;
    CHECK(stored > 0 && stored <= 3000);
    for (size_t room = 0; room <= stored; room += 1 + room / 4) {
        csr D = SPARSE_INIT(csr);
        D.t.pos[1].at = pos, D.t.crd[1].at = crd, D.t.val.at = val;
        D.t.pos[1].length = length, D.t.crd[1].length = D.t.val.length = room;
        CHECK_RESULT(times_with_room_into(&D, &A, &B), room < stored ? SPARSE_E_CAPACITY : SPARSE_OK);
        CHECK(D.t.val.length == stored && D.t.crd[1].length == stored && D.t.pos[1].length == length);
        D.t.crd[1].length = D.t.val.length = stored;
        CHECK_RESULT(times_with_room_into(&D, &A, &B), SPARSE_OK);
        CHECK(memcmp(crd, C.t.crd[1].at, stored * sizeof *crd) == 0 && memcmp(val, C.t.val.at, stored * sizeof *val) == 0);
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    check_books();
}

/* >>like: outputs with the pattern of an operand, in every encoding over which a kernel can iterate */
#define LOOSE   loose, ((i, j), (dense, i), (loose_compressed, j)), double, 32, 32
#define TWO4    two4, SPARSE_N_OF_M(2, 4), double, 32, 8
#define PACKED4 packed4, SPARSE_PACKED_N_OF_M(2, 4), double, 32, 16
SPARSE_TENSOR(LOOSE)
SPARSE_TENSOR(TWO4)
SPARSE_TENSOR(PACKED4)
#define LIKE(TYPE, type, ...)                                                                                \
    SPARSE_KERNEL(like_##type, (__VA_ARGS__), like(A, C, TYPE, i, j), all((x, VEC, j)),                      \
                  C = C + A * x + (double)i)                                                                 \
    static sparse_result run_like_##type(sparse_tensor *C, const sparse_tensor *A, const vec *x)             \
    {                                                                                                        \
        return like_##type((type *)C, (const type *)A, x);                                                   \
    }
LIKE(CSR, csr, parallel(i), j)
LIKE(CSC, csc, j, i)
LIKE(DCSR, dcsr, i, j)
LIKE(COO, coo, i, j)
LIKE(SOA, soa, i, j)
LIKE(CD, cd, i, j)
LIKE(LOOSE, loose, i, j)
LIKE(MAT, mat, i, j)
LIKE(BSR, bsr, floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2))
LIKE(TWO4, two4, i, floordiv(j, 4), mod(j, 4))
LIKE(PACKED4, packed4, i, floordiv(j, 4), mod(j, 4))
SPARSE_KERNEL(like_csf, (i, j, k), like(A, C, CSF, i, j, k), all((x, VEC, k)), C = A * x)
SPARSE_KERNEL(like_sampled, (i, j, k), like(S, C, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), C += S * A * B)
SPARSE_KERNEL(like_masked, (i, k, j), like(M, C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
static const struct like_case {
    sparse_result (*run)(sparse_tensor *C, const sparse_tensor *A, const vec *x);
    const sparse_encoding *encoding;
} likes[] = {{run_like_csr, &csr_encoding},     {run_like_csc, &csc_encoding},   {run_like_dcsr, &dcsr_encoding},
             {run_like_coo, &coo_encoding},     {run_like_soa, &soa_encoding},   {run_like_cd, &cd_encoding},
             {run_like_loose, &loose_encoding}, {run_like_mat, &mat_encoding},   {run_like_bsr, &bsr_encoding},
             {run_like_two4, &two4_encoding},   {run_like_packed4, &packed4_encoding}};

static void try_like(const struct like_case *p, const size_t *dim, const double *a, const vec *x)
{
    sparse_tensor A = tensor_of(p->encoding), C = tensor_of(p->encoding), wanted = tensor_of(p->encoding);
    const double *factor = (const double *)x->t.val.at;
    set_up(&A, dim, a);
    CHECK_RESULT(sparse_copy(&wanted, &A), SPARSE_OK);
    SPARSE_FOREACH(c, &wanted)
    SPARSE_VALUE(c, double) = SPARSE_VALUE(c, double) * factor[c.dim[1]] + (double)c.dim[0];
    const size_t calls = books.calls, live = books.live;
    CHECK_RESULT(p->run(&C, &A, x), SPARSE_OK);
    CHECK(sparse_validate(&C, NULL) == SPARSE_OK && same_arrays(&C, &wanted));
    const size_t needed = books.calls - calls;
    CHECK_RESULT(p->run(&C, &A, x), SPARSE_OK); /* again, in the arrays that exist */
    CHECK(books.calls == calls + needed && same_arrays(&C, &wanted));
    for (size_t n = 1; n <= needed; n++) {
        sparse_free(&C);
        books.fail_at = books.calls + n;
        CHECK_RESULT(p->run(&C, &A, x), SPARSE_E_MEMORY);
        books.fail_at = 0;
        CHECK(books.live == live && is_empty(&C));
    }
    CHECK_RESULT(p->run(&A, &A, x), SPARSE_E_ALIAS);
    sparse_free(&A), sparse_free(&C), sparse_free(&wanted);
}

/* One output for several patterns: shrinking to no entry, and growing again. */
static void try_like_again(const struct like_case *p, const vec *x)
{
    static const size_t sizes[][2] = {{6, 12}, {5, 12}, {5, 12}, {3, 12}, {2, 12}, {6, 12}};
    static const size_t one_in[] = {1, 3, 7, 0, 3, 2};
    sparse_tensor C = tensor_of(p->encoding);
    const double *factor = (const double *)x->t.val.at;
    for (size_t s = 0; s < sizeof one_in / sizeof *one_in; s++) {
        sparse_tensor A = tensor_of(p->encoding), wanted = tensor_of(p->encoding);
        double a[72] = {0};
        for (size_t n = 0; n < sizes[s][0] * 12 && one_in[s]; n++) /* at most two of four */
            if (n / 2 % one_in[s] == 0 && n % 4 < 2) a[n] = (double)n + 1;
        set_up(&A, sizes[s], a);
        CHECK_RESULT(sparse_copy(&wanted, &A), SPARSE_OK);
        SPARSE_FOREACH(c, &wanted)
        SPARSE_VALUE(c, double) = SPARSE_VALUE(c, double) * factor[c.dim[1]] + (double)c.dim[0];
        CHECK_RESULT(p->run(&C, &A, x), SPARSE_OK);
        CHECK(sparse_validate(&C, NULL) == SPARSE_OK && same_arrays(&C, &wanted));
        sparse_free(&A), sparse_free(&wanted);
    }
    sparse_free(&C);
}

static void test_like(void)
{
    static const size_t sizes[][2] = {{1, 4}, {3, 8}, {5, 12}, {6, 4}};
    const double b[] = {1, -1, 2, 3, 0.5, 4, 7, 8, -2, 5, 6, 9}, few[] = {0, 0, 2, 0, 0, 3, 0, 0};
    const size_t n2x2x2[] = {2, 2, 2}, n2[] = {2}, n3x3[] = {3, 3};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned full = 0; full < 2; full++) {
            double a[72] = {0};
            vec x = SPARSE_INIT(vec);
            set_up(&x.t, &sizes[s][1], b);
            for (size_t n = 0; n < sizes[s][0] * sizes[s][1] && full; n++) /* at most two of four */
                if ((n * 7 / 4 + n % 4) % 3 == 0 && n % 4 != 3) a[n] = (double)n + 1;
            for (size_t n = 0; n < sizeof likes / sizeof *likes; n++) try_like(&likes[n], sizes[s], a, &x);
            sparse_free(&x.t);
        }
    const size_t n12[] = {12};
    vec factors = SPARSE_INIT(vec);
    set_up(&factors.t, n12, b);
    for (size_t n = 0; n < sizeof likes / sizeof *likes; n++) try_like_again(&likes[n], &factors);
    sparse_free(&factors.t);
    csf X = SPARSE_INIT(csf), Z = SPARSE_INIT(csf);
    csr S = SPARSE_INIT(csr), C = SPARSE_INIT(csr), A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    mat P = SPARSE_INIT(mat), Q = SPARSE_INIT(mat);
    vec x = SPARSE_INIT(vec);
    set_up(&X.t, n2x2x2, few), set_up(&x.t, n2, b);
    CHECK_MAKES(Z, like_csf(&Z, &X, &x), "pos0 0 2 crd0 0 1 pos1 0 1 2 crd1 1 0 pos2 0 1 2 crd2 0 1 val 2 -3");
    sparse_free(&X.t), sparse_free(&x.t);
    const double s3[] = {1, 0, 0, 0, 0, 2, 3, 1, 0};
    set_up(&S.t, n3x3, s3), set_up(&P.t, n3x3, b), set_up(&Q.t, n3x3, s3);
    set_up(&A.t, n3x3, s3), set_up(&B.t, n3x3, s3);
    CHECK_MAKES(C, like_sampled(&C, &S, &P, &Q), "pos1 0 1 2 4 crd1 0 2 0 1 val 1 19 21 -4");
    CHECK_MAKES(C, like_masked(&C, &S, &A, &B), "pos1 0 1 2 4 crd1 0 2 0 1 val 1 0 3 0");
    sparse_free(&S.t), sparse_free(&P.t), sparse_free(&Q.t), sparse_free(&A.t), sparse_free(&B.t);
    check_books();
}

/* Rows in an order that the caller gives: C(i,j) = A(rows[i],j). let(u, rows[i]) does not change the order of the entries,
   so the result can be appended. A row outside of A counts as empty. Also: slices of X(i,j,k), and a product with A. */
#define CHOSEN(TYPE, type)                                                                                                   \
    SPARSE_KERNEL(chosen_##type, (i, let(u, rows[i]), j), (C, TYPE, i, j),                                                   \
                  all((one, VEC, i), (A, CSR, u, j), (rows, const size_t *)), C = A * one)                                   \
    SPARSE_KERNEL(chosen_twice_##type, (let(s, 0), parallel(i), let(u, rows[i], size), let(w, u), j), (C, TYPE, i, j),       \
                  all((one, VEC, i), (v, VEC, s), (A, CSR, w, j), (rows, const size_t *), (size, size_t)), C = A * one * v)  \
    SPARSE_KERNEL(chosen_apart_##type, (parallel(i), let(u, rows[i]), j), (C, TYPE, i, j),                                   \
                  all((one, VEC, i), (A, CSR, u, j), (rows, const size_t *)), C = A * one)                                   \
    SPARSE_KERNEL(chosen_product_##type, (i, let(u, rows[i]), k, j), (C, TYPE, i, j),                                        \
                  all((one, VEC, i), (A, CSR, u, k), (B, CSR, k, j), (rows, const size_t *)), C += A * B * one)
#define CHOSEN_TYPES(X) X(CSR, csr) X(DCSR, dcsr) X(COO, coo) X(SOA, soa) X(CD, cd)
CHOSEN_TYPES(CHOSEN)
SPARSE_KERNEL(chosen_planes, (i, let(u, rows[i]), j, k), (C, CSF, i, j, k),
              all((one, VEC, i), (X, CSF, u, j, k), (rows, const size_t *)), C = X * one)
SPARSE_KERNEL(chosen_fibers, (i, j, let(u, rows[j]), k), (C, CSF, i, j, k),
              all((one, VEC, j), (zero, VEC, i), (A, CSR, u, k), (rows, const size_t *)), C = A * one + zero)
SPARSE_KERNEL(chosen_out, (i, let(u, rows[i], size), j), (C, CSR, u, j),
              all((A, CSR, i, j), (rows, const size_t *), (size, size_t)), C += A)

static void check_chosen(const sparse_tensor *is, const sparse_encoding *e, const size_t *dim, size_t count,
                         const size_t *places, const double *values)
{
    sparse_tensor wanted = tensor_of(e);
    CHECK_RESULT(sparse_pack_untyped(&wanted, dim, count, places, values, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK(sparse_validate(is, NULL) == SPARSE_OK && same_arrays(is, &wanted));
    sparse_free(&wanted);
}

static void test_chosen(void)
{
    enum { TALL = 23, M = 17, N = 11 };
    for (size_t one_in = 1; one_in < 8; one_in += 2) {
        static size_t places[3 * 23 * 23 * 11], rows[TALL], dim[3] = {TALL, N, N}, size = M;
        static double values[23 * 23 * 11];
        grid A = random_grid(&csr_encoding, M, N, 0, one_in), B = random_grid(&csr_encoding, N, N, 0, one_in);
        vec one = SPARSE_INIT(vec), zero = SPARSE_INIT(vec), v = SPARSE_INIT(vec);
        size_t count = 0, made = 0, length = 1, planes = 0;
        CHECK_RESULT(sparse_allocate_dense(&one.t, &dim[0]), SPARSE_OK);
        CHECK_RESULT(sparse_allocate_dense(&zero.t, &dim[1]), SPARSE_OK);
        CHECK_RESULT(sparse_allocate_dense(&v.t, &length), SPARSE_OK);
        ((double *)v.t.val.at)[0] = 1;
        for (size_t i = 0; i < TALL; i++) {
            ((double *)one.t.val.at)[i] = 1;
            rows[i] = i % 5 == 4 ? (size_t)M + i : random_below(M);
        }
        for (size_t i = 0; i < TALL; i++)
            for (size_t j = 0; rows[i] < M && j < N; j++) {
                const size_t at = rows[i] * N + j;
                if (!A.has[at]) continue;
                places[2 * count] = i, places[2 * count + 1] = j;
                values[count++] = A.value[at];
            }
        snprintf(subject, sizeof subject, "chosen, 1 in %lu", (unsigned long)one_in);
#define TRY(TYPE, type)                                                                                                      \
    {                                                                                                                        \
        type D = SPARSE_INIT(type);                                                                                          \
        CHECK_RESULT(chosen_##type(&D, &one, (const csr *)&A.tensor, rows), SPARSE_OK);                                      \
        check_chosen(&D.t, &type##_encoding, dim, count, places, values);                                                    \
        CHECK_RESULT(chosen_twice_##type(&D, &one, &v, (const csr *)&A.tensor, rows, size), SPARSE_OK);                      \
        check_chosen(&D.t, &type##_encoding, dim, count, places, values);                                                    \
        CHECK_RESULT(chosen_apart_##type(&D, &one, (const csr *)&A.tensor, rows), SPARSE_OK);                                \
        check_chosen(&D.t, &type##_encoding, dim, count, places, values);                                                    \
        sparse_free(&D.t);                                                                                                   \
    }
        CHOSEN_TYPES(TRY)
#undef TRY
        vec none = SPARSE_INIT(vec);
        csr C = SPARSE_INIT(csr);
        length = 0;
        CHECK_RESULT(sparse_allocate_dense(&none.t, &length), SPARSE_OK);
        CHECK_RESULT(chosen_twice_csr(&C, &one, &none, (const csr *)&A.tensor, rows, size), SPARSE_OK);
        check_chosen(&C.t, &csr_encoding, dim, 0, places, values);
        csf F = SPARSE_INIT(csf);
        static size_t fibers[3 * 23 * 23 * 11];
        static double ends[23 * 23 * 11];
        const size_t cube[3] = {N, TALL, N};
        for (size_t i = 0; i < N; i++)
            for (size_t k = 0; k < count; k++, planes++) {
                fibers[3 * planes] = i, fibers[3 * planes + 1] = places[2 * k], fibers[3 * planes + 2] = places[2 * k + 1];
                ends[planes] = values[k];
            }
        CHECK_RESULT(chosen_fibers(&F, &one, &zero, (const csr *)&A.tensor, rows), SPARSE_OK);
        check_chosen(&F.t, &csf_encoding, cube, planes, fibers, ends);
        for (size_t i = 0; i < TALL; i++)
            for (size_t k = 0; rows[i] < M && k < N; k++)
                for (size_t j = 0; A.has[rows[i] * N + k] && j < N; j++) {
                    if (!B.has[k * N + j]) continue;
                    places[2 * made] = i, places[2 * made + 1] = j;
                    values[made++] = A.value[rows[i] * N + k] * B.value[k * N + j];
                }
#define TRY(TYPE, type)                                                                                                      \
    {                                                                                                                        \
        type D = SPARSE_INIT(type);                                                                                          \
        CHECK_RESULT(chosen_product_##type(&D, &one, (const csr *)&A.tensor, (const csr *)&B.tensor, rows), SPARSE_OK);      \
        check_chosen(&D.t, &type##_encoding, dim, made, places, values);                                                     \
        sparse_free(&D.t);                                                                                                   \
    }
        CHOSEN_TYPES(TRY)
#undef TRY
        grid X = random_grid(&csf_encoding, M, N, N, one_in);
        size_t entries = 0;
        for (size_t i = 0; i < TALL; i++)
            for (size_t at = 0; rows[i] < M && at < (size_t)N * N; at++) {
                if (!X.has[rows[i] * N * N + at]) continue;
                fibers[3 * entries] = i, fibers[3 * entries + 1] = at / N, fibers[3 * entries + 2] = at % N;
                ends[entries++] = X.value[rows[i] * N * N + at];
            }
        CHECK_RESULT(chosen_planes(&F, &one, (const csf *)&X.tensor, rows), SPARSE_OK);
        check_chosen(&F.t, &csf_encoding, dim, entries, fibers, ends);
        const size_t given[2] = {TALL, N};
        count = 0;
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < N; j++) {
                if (!A.has[i * N + j] || rows[i] >= TALL) continue;
                places[2 * count] = rows[i], places[2 * count + 1] = j;
                values[count++] = A.value[i * N + j];
            }
        CHECK_RESULT(chosen_out(&C, (const csr *)&A.tensor, rows, TALL), SPARSE_OK);
        check_chosen(&C.t, &csr_encoding, given, count, places, values);
        sparse_free(&C.t), sparse_free(&F.t), sparse_free(&one.t), sparse_free(&zero.t), sparse_free(&v.t);
        sparse_free(&none.t), close_grid(&A), close_grid(&B), close_grid(&X);
    }
    check_books();
}

int main(void)
{
    test_products();
    test_spelled();
    test_sums();
    test_choices();
    test_left_out();
    test_product_into(40, 40, 300);
    test_product_into(40, 2000000, 150);
    test_like();
    test_transposes();
    test_rank_3();
    test_chosen();
    test_semirings();
    test_hashed();
    test_in_order();
    test_many_terms();
    test_array_pays();
    test_lists_left_out();
    test_kinds();
    test_hashed_rank_3();
    test_overflow();
    test_memory();
    test_scarce();
    test_far_rows();
    test_scarce_lists();
    test_room();
    test_widths();
    test_refusals();
    return report("outputs");
}
