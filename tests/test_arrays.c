/* test_arrays.c: the arrays of other software, const and signed, multiplied where they are: every row of the
   table of docs/company.md gives the same product, and what does not fit is refused. */
#include "sparse.h"

#include "oracle.h"

#define VEC     vec, SPARSE_DENSE_1D, double, 32, 32
#define CSR     csr, SPARSE_CSR, double, 32, 32
#define CSR_ANY csr_any, ((i, j), (dense, i), (compressed(nonunique, nonordered), j)), double, 32, 32
#define CSC     csc, SPARSE_CSC, double, 64, 64
#define COO     coo, SPARSE_COO, double, 32, 32
#define COO_SOA coo_soa, SPARSE_COO_SOA, double, 32, 16
#define COO_ANY                                                                                              \
    coo_any, ((i, j), (compressed(nonunique, nonordered), i), (singleton(nonunique, nonordered, soa), j)),   \
        double, 32, 32
#define LOOSE loose, ((i, j), (dense, i), (loose_compressed, j)), double, 32, 32
#define MAT   mat, SPARSE_DENSE_2D, double, 32, 32
#define TAM   tam, SPARSE_COLUMN_MAJOR, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSR_ANY)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(COO_SOA)
SPARSE_TENSOR(COO_ANY)
SPARSE_TENSOR(LOOSE)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(TAM)
SPARSE_KERNEL(csr_mv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(csr_any_mv, (i, j), (y, VEC, i), all((A, CSR_ANY, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(csc_mv, (j, i), (y, VEC, i), all((A, CSC, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(coo_mv, (i, j), (y, VEC, i), all((A, COO, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(coo_soa_mv, (i, j), (y, VEC, i), all((A, COO_SOA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(coo_any_mv, (i, j), (y, VEC, i), all((A, COO_ANY, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(loose_mv, (i, j), (y, VEC, i), all((A, LOOSE, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(mat_mv, (i, j), (y, VEC, i), all((A, MAT, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(tam_mv, (j, i), (y, VEC, i), all((A, TAM, i, j), (x, VEC, j)), y += A * x)

/* | 1 0 0 4 |
   | 0 0 0 0 |
   | 5 6 7 0 |, times (1, 10, 100, 1000) */
static const size_t sizes[] = {3, 4};
static const double wanted[] = {4001, 0, 765};
static double x_values[] = {1, 10, 100, 1000};

static sparse_array of(const void *at, size_t length)
{
    const sparse_array a = {at, length};
    return a;
}
static sparse_arrays none(void)
{
    sparse_arrays a;
    memset(&a, 0, sizeof a);
    return a;
}

/* Assembles A of the arrays a, which are filled in first, and multiplies, all where it is. */
#define CHECK_PRODUCT(type, fill)                                                                            \
    do {                                                                                                     \
        sparse_arrays a = none(), ax = none(), ay = none();                                                  \
        double y_values[3] = {0, 0, 0};                                                                      \
        type A = SPARSE_INIT(type);                                                                          \
        vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);                                                      \
        A.t.hooks = x.t.hooks = y.t.hooks = &counting;                                                       \
        fill;                                                                                                \
        ax.val = of(x_values, 4), ay.val = of(y_values, 3);                                                  \
        CHECK_RESULT(sparse_assemble(&A.t, sizes, &a, SPARSE_BORROW, NULL), SPARSE_OK);                      \
        CHECK_RESULT(sparse_assemble(&x.t, &sizes[1], &ax, SPARSE_BORROW, NULL), SPARSE_OK);                 \
        CHECK_RESULT(sparse_assemble(&y.t, &sizes[0], &ay, SPARSE_BORROW, NULL), SPARSE_OK);                 \
        CHECK(books.live == 0); /* nothing was copied */                                                     \
        CHECK_RESULT(type##_mv(&y, &A, &x), SPARSE_OK);                                                      \
        CHECK(memcmp(y_values, wanted, sizeof wanted) == 0);                                                 \
        sparse_free(&A.t), sparse_free(&x.t), sparse_free(&y.t);                                             \
        CHECK(books.live == 0 && books.mistakes == 0);                                                       \
    } while (0)

static void test_places(void)
{
    static const int rowptr[] = {0, 2, 2, 5}, colind[] = {0, 3, 0, 1, 2}, mixed[] = {3, 0, 2, 1, 0};
    static const double val[] = {1, 4, 5, 6, 7}, mixed_val[] = {4, 1, 7, 6, 5};
    static const int64_t colptr[] = {0, 2, 3, 4, 5}, rowind[] = {0, 2, 2, 2, 0};
    static const double by_columns[] = {1, 5, 6, 7, 4};
    static const int all[] = {0, 5}, pairs[] = {0, 0, 0, 3, 2, 0, 2, 1, 2, 2};
    static const short row[] = {0, 0, 2, 2, 2}, col[] = {0, 3, 0, 1, 2};
    static const int any_row[] = {2, 0, 2, 0, 2}, any_col[] = {1, 3, 2, 0, 0};
    static const double any_val[] = {6, 4, 7, 1, 5};
    static const int beginend[] = {0, 2, 2, 2, 3, 6}, gap[] = {0, 3, -1, 0, 1, 2};
    static const double gap_val[] = {1, 4, -1, 5, 6, 7};
    static const double dense[] = {1, 0, 0, 4, 0, 0, 0, 0, 5, 6, 7, 0},
                        turned[] = {1, 0, 5, 0, 0, 6, 0, 0, 7, 4, 0, 0};
    CHECK_PRODUCT(csr, (a.pos[1] = of(rowptr, 4), a.crd[1] = of(colind, 5), a.val = of(val, 5)));
    CHECK_PRODUCT(csr_any, (a.pos[1] = of(rowptr, 4), a.crd[1] = of(mixed, 5), a.val = of(mixed_val, 5)));
    CHECK_PRODUCT(csc, (a.pos[1] = of(colptr, 5), a.crd[1] = of(rowind, 5), a.val = of(by_columns, 5)));
    CHECK_PRODUCT(coo, (a.pos[0] = of(all, 2), a.crd[0] = of(pairs, 10), a.val = of(val, 5)));
    CHECK_PRODUCT(coo_soa,
                  (a.pos[0] = of(all, 2), a.crd[0] = of(row, 5), a.crd[1] = of(col, 5), a.val = of(val, 5)));
    CHECK_PRODUCT(coo_any, (a.pos[0] = of(all, 2), a.crd[0] = of(any_row, 5), a.crd[1] = of(any_col, 5),
                            a.val = of(any_val, 5)));
    CHECK_PRODUCT(loose, (a.pos[1] = of(beginend, 6), a.crd[1] = of(gap, 6), a.val = of(gap_val, 6)));
    CHECK_PRODUCT(mat, a.val = of(dense, 12));
    CHECK_PRODUCT(tam, a.val = of(turned, 12));
}

static void check_refused(const int *rowptr, const int *colind, size_t entries, sparse_result why,
                          const char *array, size_t position)
{
    static const double val[] = {1, 2, 3};
    csr A = SPARSE_INIT(csr);
    sparse_arrays a = none();
    sparse_report where;
    A.t.hooks = &counting;
    a.pos[1] = of(rowptr, 4), a.crd[1] = of(colind, entries), a.val = of(val, entries);
    CHECK_RESULT(sparse_assemble(&A.t, sizes, &a, SPARSE_BORROW, &where), why);
    CHECK(strcmp(where.array, array) == 0 && where.position == position && A.t.val.at == NULL);
    sparse_free(&A.t);
    CHECK(books.live == 0);
}

static void test_refusals(void)
{
    static const int rowptr[] = {0, 1, 1, 3}, from_one[] = {1, 2, 2, 4}, down[] = {0, 2, 1, 3},
                     minus[] = {0, 1, -1, 3}, end[] = {0, 1, 1, -1};
    static const int colind[] = {3, 0, 2}, left[] = {3, -1, 2}, right[] = {3, 0, 4}, turned[] = {3, 2, 0},
                     twice[] = {3, 2, 2};
    check_refused(from_one, colind, 3, SPARSE_E_POSITIONS, "pos", 0);
    check_refused(down, colind, 3, SPARSE_E_POSITIONS, "pos", 2);
    check_refused(minus, colind, 3, SPARSE_E_POSITIONS, "pos", 2);
    check_refused(end, colind, 3, SPARSE_E_POSITIONS, "pos", 3);
    check_refused(rowptr, colind, 2, SPARSE_E_POSITIONS, "pos", 3);
    check_refused(rowptr, left, 3, SPARSE_E_COORDINATE, "crd", 1);
    check_refused(rowptr, right, 3, SPARSE_E_COORDINATE, "crd", 2);
    check_refused(rowptr, turned, 3, SPARSE_E_ORDER, "crd", 2);
    check_refused(rowptr, twice, 3, SPARSE_E_ORDER, "crd", 2);
}

/* What counts from 1: only the positions, with a column 0 that is empty; the columns too; coordinates. What is borrowed
   stays the caller's, what had to be copied is the tensor's. */
static void test_from_one(void)
{
    static const int rowptr[] = {1, 3, 3, 6}, colind[] = {1, 4, 1, 2, 3}, low[] = {0, 3, 3, 6}, left[] = {1, 4, 0, 2, 3};
    static const int pairs[] = {1, 1, 1, 4, 3, 1, 3, 2, 3, 3};
    static const uint32_t starts[] = {0, 5};
    static const double val[] = {1, 4, 5, 6, 7}, x_shifted[] = {0, 1, 10, 100, 1000};
    static const size_t wide[] = {3, 5};
    for (int way = 0; way < 5; way++) {
        csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
        coo C = SPARSE_INIT(coo);
        vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
        sparse_arrays a = none(), ax = none(), again;
        sparse_report where;
        A.t.hooks = B.t.hooks = C.t.hooks = y.t.hooks = &counting;
        a.val = of(val, 5);
        ax.val = way == 0 ? of(x_shifted, 5) : of(x_values, 4);
        CHECK_RESULT(sparse_assemble(&x.t, way == 0 ? &wide[1] : &sizes[1], &ax, SPARSE_BORROW, NULL), SPARSE_OK);
        a.pos[1] = of(rowptr, 4), a.crd[1] = of(colind, 5), a.pos_base = 1, a.crd_base = way > 0;
        if (way < 3) {
            CHECK_RESULT(sparse_assemble(&A.t, way == 0 ? wide : sizes, &a, way == 2 ? SPARSE_COPY : SPARSE_BORROW, NULL), SPARSE_OK);
            CHECK((A.t.val.at == val) == (way < 2) && (A.t.crd[1].at == colind) == (way == 0) && A.t.pos[1].at != rowptr);
            CHECK_RESULT(csr_mv(&y, &A, &x), SPARSE_OK);
            again = sparse_arrays_of(&A.t);
            CHECK_RESULT(sparse_assemble(&B.t, A.t.dim, &again, SPARSE_COPY, NULL), SPARSE_OK);
        } else if (way == 3) {
            a = none(), a.pos[0] = of(starts, 2), a.crd[0] = of(pairs, 10), a.val = of(val, 5), a.crd_base = 1;
            CHECK_RESULT(sparse_assemble(&C.t, sizes, &a, SPARSE_BORROW, NULL), SPARSE_OK);
            CHECK(C.t.pos[0].at == starts);
            CHECK_RESULT(coo_mv(&y, &C, &x), SPARSE_OK);
        } else {
            a.pos[1] = of(low, 4);
            CHECK_RESULT(sparse_assemble(&A.t, sizes, &a, SPARSE_BORROW, &where), SPARSE_E_POSITIONS);
            a.pos[1] = of(rowptr, 4), a.crd[1] = of(left, 5);
            CHECK_RESULT(sparse_assemble(&A.t, sizes, &a, SPARSE_COPY, &where), SPARSE_E_COORDINATE);
            CHECK(strcmp(where.array, "crd") == 0 && where.position == 2);
        }
        if (way < 4) CHECK(memcmp(y.t.val.at, wanted, sizeof wanted) == 0);
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&y.t);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* The arrays of a tensor make it once more. */
static void test_again(void)
{
    static const double dense[] = {1, 0, 0, 4, 0, 0, 0, 0, 5, 6, 7, 0};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    bool equal = false;
    A.t.hooks = B.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense(&A.t, sizes, dense), SPARSE_OK);
    const sparse_arrays a = sparse_arrays_of(&A.t);
    CHECK(a.pos[0].length == 0 && a.pos[1].length == 4 && a.crd[1].length == 5 && a.val.at == A.t.val.at);
    CHECK_RESULT(sparse_assemble(&B.t, sizes, &a, SPARSE_COPY, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&A.t, &B.t, 0, &equal), SPARSE_OK);
    CHECK(equal && B.t.val.at != A.t.val.at);
    sparse_free(&A.t), sparse_free(&B.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

int main(void)
{
    test_places();
    test_refusals();
    test_from_one();
    test_again();
    return report("test_arrays");
}
