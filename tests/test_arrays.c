/* test_arrays.c: tensors that borrow the arrays of other software. Kernels multiply them in place, also const and signed
   ones: every row of the table in docs/company.md gives the same product. Arrays of a wrong type or content are refused. */
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
#define FLAGS flags, SPARSE_CSR, uint8_t, 32, 32
SPARSE_TENSOR(FLAGS)
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

#define OF(at, length) ((sparse_array)SPARSE_ARRAY(at, length))
static sparse_arrays none(void)
{
    sparse_arrays a;
    memset(&a, 0, sizeof a);
    return a;
}

/* Runs `fill`, which sets the arrays `a` of a matrix, assembles A from them and multiplies; no array is copied. */
#define CHECK_PRODUCT(type, fill)                                                                            \
    do {                                                                                                     \
        sparse_arrays a = none(), ax = none(), ay = none();                                                  \
        double y_values[3] = {0, 0, 0};                                                                      \
        type A = SPARSE_INIT(type);                                                                          \
        vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);                                                      \
        A.t.hooks = x.t.hooks = y.t.hooks = &counting;                                                       \
        fill;                                                                                                \
        ax.val = OF(x_values, 4), ay.val = OF(y_values, 3);                                                  \
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
    CHECK_PRODUCT(csr, (a.pos[1] = OF(rowptr, 4), a.crd[1] = OF(colind, 5), a.val = OF(val, 5)));
    CHECK_PRODUCT(csr_any, (a.pos[1] = OF(rowptr, 4), a.crd[1] = OF(mixed, 5), a.val = OF(mixed_val, 5)));
    CHECK_PRODUCT(csc, (a.pos[1] = OF(colptr, 5), a.crd[1] = OF(rowind, 5), a.val = OF(by_columns, 5)));
    CHECK_PRODUCT(coo, (a.pos[0] = OF(all, 2), a.crd[0] = OF(pairs, 10), a.val = OF(val, 5)));
    CHECK_PRODUCT(coo_soa,
                  (a.pos[0] = OF(all, 2), a.crd[0] = OF(row, 5), a.crd[1] = OF(col, 5), a.val = OF(val, 5)));
    CHECK_PRODUCT(coo_any, (a.pos[0] = OF(all, 2), a.crd[0] = OF(any_row, 5), a.crd[1] = OF(any_col, 5),
                            a.val = OF(any_val, 5)));
    CHECK_PRODUCT(loose, (a.pos[1] = OF(beginend, 6), a.crd[1] = OF(gap, 6), a.val = OF(gap_val, 6)));
    CHECK_PRODUCT(mat, a.val = OF(dense, 12));
    CHECK_PRODUCT(tam, a.val = OF(turned, 12));
}

static void check_refused(const int *rowptr, const int *colind, size_t entries, sparse_result why,
                          const char *array, size_t position)
{
    static const double val[] = {1, 2, 3};
    csr A = SPARSE_INIT(csr);
    sparse_arrays a = none();
    sparse_report where;
    A.t.hooks = &counting;
    a.pos[1] = OF(rowptr, 4), a.crd[1] = OF(colind, entries), a.val = OF(val, entries);
    CHECK_RESULT(sparse_assemble(&A.t, sizes, &a, SPARSE_BORROW, &where), why);
    CHECK(strcmp(where.array, array) == 0 && where.position == position && A.t.val.at == NULL);
    CHECK_RESULT(csr_borrow_arrays(&A, sizes, &a, &where), why);
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

/* Arrays that count from 1: only the positions (column 0 is then empty), the columns too, or all coordinates. Borrowed
   arrays still belong to the caller; arrays that had to be copied belong to the tensor. */
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
        a.val = OF(val, 5);
        ax.val = way == 0 ? OF(x_shifted, 5) : OF(x_values, 4);
        CHECK_RESULT(sparse_assemble(&x.t, way == 0 ? &wide[1] : &sizes[1], &ax, SPARSE_BORROW, NULL), SPARSE_OK);
        a.pos[1] = OF(rowptr, 4), a.crd[1] = OF(colind, 5), a.pos_base = 1, a.crd_base = way > 0;
        if (way < 3) {
            CHECK_RESULT(sparse_assemble(&A.t, way == 0 ? wide : sizes, &a, way == 2 ? SPARSE_COPY : SPARSE_BORROW, NULL), SPARSE_OK);
            CHECK((A.t.val.at == val) == (way < 2) && (A.t.crd[1].at == colind) == (way == 0) && A.t.pos[1].at != rowptr);
            CHECK_RESULT(csr_mv(&y, &A, &x), SPARSE_OK);
            again = sparse_arrays_of(&A.t);
            CHECK_RESULT(sparse_assemble(&B.t, A.t.dim, &again, SPARSE_COPY, NULL), SPARSE_OK);
        } else if (way == 3) {
            a = none(), a.pos[0] = OF(starts, 2), a.crd[0] = OF(pairs, 10), a.val = OF(val, 5), a.crd_base = 1;
            CHECK_RESULT(sparse_assemble(&C.t, sizes, &a, SPARSE_BORROW, NULL), SPARSE_OK);
            CHECK(C.t.pos[0].at == starts);
            CHECK_RESULT(coo_mv(&y, &C, &x), SPARSE_OK);
        } else {
            a.pos[1] = OF(low, 4);
            CHECK_RESULT(sparse_assemble(&A.t, sizes, &a, SPARSE_BORROW, &where), SPARSE_E_POSITIONS);
            a.pos[1] = OF(rowptr, 4), a.crd[1] = OF(left, 5);
            CHECK_RESULT(sparse_assemble(&A.t, sizes, &a, SPARSE_COPY, &where), SPARSE_E_COORDINATE);
            CHECK(strcmp(where.array, "crd") == 0 && where.position == 2);
        }
        if (way < 4) CHECK(memcmp(y.t.val.at, wanted, sizeof wanted) == 0);
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&y.t);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Assembling a tensor from the arrays of another tensor gives an equal tensor. */
static void test_again(void)
{
    static const double dense[] = {1, 0, 0, 4, 0, 0, 0, 0, 5, 6, 7, 0};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    bool equal = false;
    A.t.hooks = B.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, sizes, dense), SPARSE_OK);
    const sparse_arrays a = sparse_arrays_of(&A.t);
    CHECK(a.pos[0].length == 0 && a.pos[1].length == 4 && a.crd[1].length == 5 && a.val.at == A.t.val.at);
    CHECK_RESULT(sparse_assemble(&B.t, sizes, &a, SPARSE_COPY, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_equal(&A.t, &B.t, 0, &equal), SPARSE_OK);
    CHECK(equal && B.t.val.at != A.t.val.at);
    /* borrowed by the functions of their type */
    csr C = SPARSE_INIT(csr);
    mat D = SPARSE_INIT(mat), E;
    sparse_arrays from_one = a;
    memset(&E, 0, sizeof E);
    CHECK_RESULT(csr_borrow_arrays(&C, sizes, &a, NULL), SPARSE_OK);
    CHECK(C.t.val.at == A.t.val.at && C.t.crd[1].capacity == 0);
    const sparse_encoding other = csr_encoding; /* as in another file of a program */
    sparse_free(&C.t);
    C.t.encoding = &other;
    CHECK_RESULT(csr_borrow_arrays(&C, sizes, &a, NULL), SPARSE_OK);
    CHECK_RESULT(csr_borrow_arrays(&A, sizes, &a, NULL), SPARSE_E_ALIAS);
    from_one.pos_base = 1;
    CHECK_RESULT(csr_borrow_arrays(&C, sizes, &from_one, NULL), SPARSE_E_ARGUMENT);
    from_one.pos_base = 0, from_one.crd_base = 1;
    CHECK_RESULT(csr_borrow_arrays(&C, sizes, &from_one, NULL), SPARSE_E_ARGUMENT);
    CHECK_RESULT(csr_borrow_arrays(NULL, sizes, &a, NULL), SPARSE_E_NULL);
    CHECK_RESULT(csr_borrow_arrays(&C, NULL, &a, NULL), SPARSE_E_NULL);
    CHECK_RESULT(csr_borrow_arrays(&C, sizes, NULL, NULL), SPARSE_E_NULL);
    D.t.encoding = &csr_encoding;
    CHECK_RESULT(mat_borrow_arrays(&D, sizes, &a, NULL), SPARSE_E_ENCODING);
    CHECK_RESULT(mat_borrow_arrays(&E, sizes, &a, NULL), SPARSE_E_NO_ENCODING);
    sparse_free(&A.t), sparse_free(&B.t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Arrays whose element type differs from the type that the tensor stores are refused, and *where names the array. */
#define CHECK_ELEMENT(change, name, at_level)                                                                \
    do {                                                                                                     \
        csr A = SPARSE_INIT(csr);                                                                            \
        sparse_arrays a = none();                                                                            \
        sparse_report where;                                                                                 \
        a.pos[1] = OF(rowptr, 4), a.crd[1] = OF(colind, 5), a.val = OF(val, 5);                              \
        change;                                                                                              \
        CHECK_RESULT(sparse_assemble(&A.t, sizes, &a, SPARSE_COPY, &where), SPARSE_E_ELEMENT);               \
        CHECK(strcmp(where.array, name) == 0 && where.level == at_level && A.t.val.at == NULL);              \
        sparse_free(&A.t);                                                                                   \
    } while (0)

static void test_elements(void)
{
    static const int rowptr[] = {0, 2, 2, 5}, colind[] = {0, 3, 0, 1, 2};
    static const double val[] = {1, 4, 5, 6, 7};
    static const int64_t wide[] = {0, 3, 0, 1, 2};
    static const int16_t narrow[] = {0, 2, 2, 5};
    static const float single[] = {1, 4, 5, 6, 7};
    static const uint64_t bits[] = {1, 4, 5, 6, 7};
    sparse_array unknown;
    memset(&unknown, 0, sizeof unknown);
    unknown.at = colind, unknown.length = 5;
    CHECK_ELEMENT(a.crd[1] = OF(wide, 5), "crd", 1);
    CHECK_ELEMENT(a.crd[1] = OF(single, 5), "crd", 1);
    CHECK_ELEMENT(a.crd[1] = unknown, "crd", 1);
    CHECK_ELEMENT(a.pos[1] = OF(narrow, 4), "pos", 1);
    CHECK_ELEMENT(a.val = OF(single, 5), "val", 0);
    CHECK_ELEMENT(a.val = OF(bits, 5), "val", 0);
}

/* The functions that SPARSE_TENSOR defines. The compiler checks their values: tests/compile_fail. */
static void test_typed(void)
{
    static const size_t at[] = {2, 2, 0, 3};
    static const double values[] = {7, 4}, dense[] = {0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 7, 0};
    double back[12], both[2];
    size_t coordinates[4], count = 0, k = 0;
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec);
    flags F = SPARSE_INIT(flags);
    CHECK_RESULT(csr_pack(&A, sizes, 2, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK(csr_values(&A)[0] == 4 && csr_values(&A)[1] == 7 && csr_values(NULL) == NULL);
    CHECK_RESULT(csr_unpack(&A, coordinates, both, &count), SPARSE_OK);
    CHECK(count == 2 && coordinates[1] == 3 && both[1] == 7);
    CHECK_RESULT(csr_unpack_dense(&A, back), SPARSE_OK);
    CHECK(memcmp(back, dense, sizeof dense) == 0);
    CHECK_RESULT(csr_pack_dense(&B, sizes, dense), SPARSE_OK);
    CHECK(sparse_entries(&B.t) == 2);
    CHECK_RESULT(csr_borrow(&B, sizes, dense), SPARSE_E_ENCODING);
    CHECK_RESULT(vec_borrow(&x, &sizes[1], x_values), SPARSE_OK);
    CHECK(vec_values(&x) == x_values && x.t.val.length == 4);
    CHECK_RESULT(vec_borrow(&x, &sizes[1], NULL), SPARSE_E_NULL);
    /* an insertion that has not begun is refused; a value is a parameter of its type, so 7 is converted to double */
    sparse_insertion in = SPARSE_INSERTION(&B.t), other = SPARSE_INSERTION(&F.t);
    CHECK_RESULT(csr_insert(&in, at, 7), SPARSE_E_BEGIN);
    CHECK_RESULT(sparse_insert_end(&in, SPARSE_DUPLICATES_SUM), SPARSE_E_BEGIN);
    CHECK_RESULT(sparse_insert_begin(&in, sizes), SPARSE_OK);
    for (k = 0; k < 2; k++) CHECK_RESULT(csr_insert(&in, &at[2 * k], (int)values[k]), SPARSE_OK);
    CHECK_RESULT(sparse_insert_end(&in, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK(csr_values(&B)[0] == 4 && csr_values(&B)[1] == 7);
    CHECK_RESULT(sparse_insert_end(&in, SPARSE_DUPLICATES_SUM), SPARSE_E_BEGIN);
    CHECK_RESULT(sparse_insert_begin(&other, sizes), SPARSE_OK);
    CHECK_RESULT(csr_insert(&other, at, 1), SPARSE_E_ELEMENT);
    CHECK_RESULT(flags_insert(&other, at, 1), SPARSE_OK);
    sparse_insert_cancel(&other);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&x.t), sparse_free(&F.t);
}

int main(void)
{
    test_elements();
    test_typed();
    test_places();
    test_refusals();
    test_from_one();
    test_again();
    return report("test_arrays");
}
