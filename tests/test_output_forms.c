/* test_output_forms.c: small kernels with assembled outputs: the examples of MLIR's sparse dialect with their results, all
   value types, unsorted outputs, continue and break, several outputs at once, and outputs in arrays of the caller.

   Prints failures, then one line; exits with 1 if there was a failure. C11 and C++. */
#include "outputs.h"

/* >>MLIR: binary, unary, select */
#define BYTES   bytes, SPARSE_VECTOR, int8_t, 32, 32
#define INTS    ints, SPARSE_VECTOR, int32_t, 32, 32
#define LONGS   longs, SPARSE_VECTOR, int64_t, 32, 32
#define PATTERN pattern, SPARSE_CSR, int32_t, 32, 32
SPARSE_TENSOR(BYTES)
SPARSE_TENSOR(INTS)
SPARSE_TENSOR(LONGS)
SPARSE_TENSOR(PATTERN)

/* clang-format off */
/* binary, all in overlap: isEqual applied to intersecting elements only */
SPARSE_KERNEL(equal, (i), (C, BYTES, i), all((A, SVEC, i), (B, SVEC, i)), C = (int8_t)(A <= B && A >= B))
/* overlap, left, right: each an expression, the operand itself, or nothing */
SPARSE_KERNEL(add, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)), C = A + B)
SPARSE_KERNEL(regions, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)),
              C = has_A && has_B ? fmin(A, B) : has_A ? -A : 10 * B)
SPARSE_KERNEL(left_only, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)),
              C = has_B ? A * B : A; has_C = has_A)
SPARSE_KERNEL(right_only, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)),
              C = has_A ? fmin(A, B) : B; has_C = has_B)
SPARSE_KERNEL(no_overlap, (i), (C, SVEC, i), any((A, SVEC, i), (B, SVEC, i)),
              C = B - A; has_C = has_A != has_B)
/* set difference; the values of B have another type and are never read */
SPARSE_KERNEL(minus, (i, j), (C, CSR, i, j), all((A, CSR, i, j), none((B, PATTERN, i, j))), C = A)
SPARSE_KERNEL(minus_regions, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, PATTERN, i, j)),
              C = A; has_C = !has_B)
/* unary: present and absent */
SPARSE_KERNEL(increment, (i), (C, SVEC, i), all((A, SVEC, i)), C = A + 1)
SPARSE_KERNEL(sign_of_presence, (i), (C, INTS, i), any((A, SVEC, i), (m1, int32_t)), C = has_A ? 1 : m1)
SPARSE_KERNEL(invert, (i), (C, LONGS, i), none((A, SVEC, i)), C = 1)
SPARSE_KERNEL(invert_regions, (i), (C, LONGS, i), any((A, SVEC, i), (c1, int64_t)), C = c1; has_C = !has_A)
/* select */
SPARSE_KERNEL(at_least_4, (i), (C, SVEC, i), all((A, SVEC, i)), C = A; has_C = A >= 4)
SPARSE_KERNEL(lower_workspace, (j, i), (C, CSR, i, j), all((A, CSC, i, j)), C = A; has_C = j < i)
/* clang-format on */

static void test_binary(void)
{
    const int32_t b[] = {1, 2, 0, 0, 0, 7, 0, 0, 4, 8, 0, 6};
    svec u = SPARSE_INIT(svec), v = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    pattern P = SPARSE_INIT(pattern);
    bytes q = SPARSE_INIT(bytes);
    set_up(&u.t, n8, a8), set_up(&v.t, n8, b8), set_up(&A.t, n3x4, a3x4), set_up(&B.t, n3x4, b3x4);
    P.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&P.t, n3x4, b), SPARSE_OK);
    CHECK_MAKES(q, equal(&q, &u, &v), "pos0 0 3 crd0 0 4 7 val 1 0 1");
    CHECK_MAKES(w, add(&w, &u, &v), "pos0 0 6 crd0 0 1 2 4 6 7 val 2 5 2 5 6 8");
    CHECK_MAKES(w, regions(&w, &u, &v), "pos0 0 6 crd0 0 1 2 4 6 7 val 1 50 -2 2 60 4");
    CHECK_MAKES(w, left_only(&w, &u, &v), "pos0 0 4 crd0 0 2 4 7 val 1 2 6 16");
    CHECK_MAKES(w, right_only(&w, &u, &v), "pos0 0 5 crd0 0 1 4 6 7 val 1 5 2 6 4");
    CHECK_MAKES(w, no_overlap(&w, &u, &v), "pos0 0 3 crd0 1 2 6 val 5 -2 6");
    CHECK_MAKES(C, triangles(&C, &A, &B), "pos1 0 3 5 8 crd1 0 1 2 0 1 0 1 3 val 6 2 1 3 7 -2 -8 9");
    CHECK_MAKES(C, minus(&C, &A, &P), "pos1 0 1 2 2 crd1 2 0 val 1 3");
    CHECK_MAKES(C, minus_regions(&C, &A, &P), "pos1 0 1 2 2 crd1 2 0 val 1 3");
    sparse_free(&u.t), sparse_free(&v.t), sparse_free(&A.t), sparse_free(&B.t), sparse_free(&P.t);
    check_books();
}

static void test_unary(void)
{
    svec u = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    ints n = SPARSE_INIT(ints);
    longs x = SPARSE_INIT(longs);
    set_up(&u.t, n8, a8);
    CHECK_MAKES(w, increment(&w, &u), "pos0 0 4 crd0 0 2 4 7 val 2 3 4 5");
    CHECK_MAKES(n, sign_of_presence(&n, &u, -1), "pos0 0 8 crd0 0 1 2 3 4 5 6 7 val 1 -1 1 -1 1 -1 -1 1");
    CHECK_MAKES(x, invert(&x, &u), "pos0 0 4 crd0 1 3 5 6 val 1 1 1 1");
    CHECK_MAKES(x, invert_regions(&x, &u, 1), "pos0 0 4 crd0 1 3 5 6 val 1 1 1 1");
    sparse_free(&u.t);
    check_books();
}

static void test_select(void)
{
    svec u = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    csc At = SPARSE_INIT(csc);
    const double b[] = {0, 4, -4, 3.5, 0, 9, 4.5, 0};
    set_up(&u.t, n8, b), set_up(&A.t, n3x4, b3x4), set_up(&At.t, n3x4, b3x4);
    CHECK_MAKES(w, at_least_4(&w, &u), "pos0 0 3 crd0 1 5 6 val 4 9 4.5");
    CHECK_MAKES(C, lower(&C, &A), "pos1 0 0 0 2 crd1 0 1 val 4 8");
    CHECK_MAKES(C, lower_workspace(&C, &At), "pos1 0 0 0 2 crd1 0 1 val 4 8");
    sparse_free(&u.t), sparse_free(&A.t), sparse_free(&At.t);
    check_books();
}

/* >>MLIR: reduce, and plain reductions */
SPARSE_KERNEL(up_to_100_columns, (j, i), from(1, c, SVEC, i), all((A, CSC, i, j)),
              c = c * A > 100 ? 100 : c * A)
#define REDUCTION(name, initial, ...)                                                                        \
    SPARSE_KERNEL(name##_stored, (i, j), from(initial, r, INTS, i), all((A, PATTERN, i, j)),                 \
                  r = __VA_ARGS__)                                                                           \
    SPARSE_KERNEL(name##_plain, (i, j), from(initial, r, INTS, i), any((A, PATTERN, i, j), (zero, int)),     \
                  r = __VA_ARGS__)                                                                           \
    SPARSE_KERNEL(name##_total, (i, j), from(initial, r, int32_t), any((A, PATTERN, i, j), (zero, int)),     \
                  r = __VA_ARGS__)
/* clang-format off */
REDUCTION(sum, 0, r + A)
REDUCTION(product, 1, r * A)
REDUCTION(least, INT32_MAX, A < r ? A : r)
REDUCTION(most, INT32_MIN, A > r ? A : r)
REDUCTION(conjunction, -1, r & A)
REDUCTION(disjunction, 0, r | A)
REDUCTION(parity, 0, r ^ A)
/* clang-format on */
SPARSE_KERNEL(nearest, (i, j), from(HUGE_VAL, y, VEC, i), all((A, CSR, i, j)), y = fmin(y, A))
SPARSE_KERNEL(weight, (i, j), from(1, s, double), all((A, CSR, i, j)), s *= A)

#define CHECK_REDUCTION(name, stored, plain, total)                                                          \
    do {                                                                                                     \
        int32_t all = 12345;                                                                                 \
        CHECK_MAKES(r, name##_stored(&r, &A), "pos0 0 2 crd0 0 2 val " stored);                              \
        CHECK_MAKES(r, name##_plain(&r, &A, 0), "pos0 0 3 crd0 0 1 2 val " plain);                           \
        CHECK_RESULT(name##_total(&all, &A, 0), SPARSE_OK);                                                  \
        CHECK(all == total);                                                                                 \
    } while (0)

static void test_reduce(void)
{
    const size_t n4x4[] = {4, 4}, n3[] = {3};
    const double a[] = {2, 3, 0, 0, 0, 0, 0, 0, 20, 0, 30, 0, 0, 0, 0, 7};
    const int32_t b[] = {0, 6, 3, 0, 0, 0, 0, 0, 5, 1, 12, 9};
    dcsr D = SPARSE_INIT(dcsr);
    csc Dt = SPARSE_INIT(csc);
    svec c = SPARSE_INIT(svec);
    pattern A = SPARSE_INIT(pattern);
    ints r = SPARSE_INIT(ints);
    csr B = SPARSE_INIT(csr);
    vec y = SPARSE_INIT(vec);
    double s = -1;
    set_up(&D.t, n4x4, a), set_up(&Dt.t, n4x4, a), set_up(&B.t, n3x4, a3x4);
    set_up(&y.t, n3, b3x4);
    A.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, n3x4, b), SPARSE_OK);
    CHECK_MAKES(c, up_to_100(&c, &D), "pos0 0 3 crd0 0 2 3 val 6 100 7");
    CHECK_MAKES(c, up_to_100_columns(&c, &Dt), "pos0 0 3 crd0 0 2 3 val 6 100 7");
    CHECK_REDUCTION(sum, "9 27", "9 0 27", 36);
    CHECK_REDUCTION(product, "18 540", "0 0 540", 0);
    CHECK_REDUCTION(least, "3 1", "0 0 1", 0);
    CHECK_REDUCTION(most, "6 12", "6 0 12", 12);
    CHECK_REDUCTION(conjunction, "2 0", "0 0 0", 0);
    CHECK_REDUCTION(disjunction, "7 13", "7 0 13", 15);
    CHECK_REDUCTION(parity, "5 1", "5 0 1", 4);
    CHECK_MAKES(y, nearest(&y, &B), "val 1 3 2"); /* the old values of y are replaced */
    CHECK_RESULT(weight(&s, &B), SPARSE_OK);
    CHECK(same(s, 90));
    sparse_free(&D.t), sparse_free(&Dt.t), sparse_free(&A.t), sparse_free(&B.t);
    check_books();
}

/* >>casts, indices as values, comparisons, masks */
SPARSE_KERNEL(truncate_to_byte, (i), (C, BYTES, i), all((A, SVEC, i)), C = (int8_t)A)
SPARSE_KERNEL(halves, (i), (C, SVEC, i), all((A, BYTES, i)), C = A / 2.0)
SPARSE_KERNEL(places, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = (double)(10 * i + j))
SPARSE_KERNEL(places_everywhere, (i, j), (C, COO, i, j), any((A, CSR, i, j), (all, int)),
              C = A + (double)(10 * i + j))
SPARSE_KERNEL(not_less, (i), (C, BYTES, i), any((A, SVEC, i), (B, SVEC, i), (all, int)), C = (int8_t)(A >= B))
SPARSE_KERNEL(not_less_stored, (i), (C, BYTES, i), any((A, SVEC, i), (B, SVEC, i)), C = (int8_t)(A >= B))
SPARSE_KERNEL(masked, (i, j, k), (C, CSR, i, j), all((M, CSR, i, j), (A, CSR, i, k), (B, CSC, k, j)),
              C += A * B)
SPARSE_KERNEL(masked_rows, (i, k, j), (C, CSR, i, j), all((M, CSR, i, j), (A, CSR, i, k), (B, CSR, k, j)),
              C += A * B)
SPARSE_KERNEL(unmasked, (i, j, k), (C, CSR, i, j), all((A, CSR, i, k), (B, CSC, k, j), none((M, CSR, i, j))),
              C += A * B)
SPARSE_KERNEL(unmasked_rows, (i, k, j), (C, CSR, i, j),
              all((A, CSR, i, k), (B, CSR, k, j), none((M, CSR, i, j))), C += A * B)

static void test_statements(void)
{
    const double real[] = {1.75, 0, -2.5, 0, 127.9, 0, 0, 0};
    svec u = SPARSE_INIT(svec), v = SPARSE_INIT(svec), w = SPARSE_INIT(svec);
    bytes q = SPARSE_INIT(bytes), p = SPARSE_INIT(bytes);
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    set_up(&u.t, n8, real), set_up(&A.t, n3x4, a3x4);
    p.t.hooks = q.t.hooks = &counting;
    CHECK_RESULT(truncate_to_byte(&q, &u), SPARSE_OK);
    CHECK_ARRAYS(q, "pos0 0 3 crd0 0 2 4 val 1 -2 127");
    CHECK_MAKES(w, halves(&w, &q), "pos0 0 3 crd0 0 2 4 val 0.5 -1 63.5");
    CHECK_MAKES(C, places(&C, &A), "pos1 0 2 3 5 crd1 0 2 0 0 3 val 0 2 10 20 23");
    CHECK_MAKES(D, places_everywhere(&D, &A, 0),
                "pos0 0 12 crd0 0 0 0 1 0 2 0 3 1 0 1 1 1 2 1 3 2 0 2 1 2 2 2 3 "
                "val 5 1 3 3 13 11 12 13 22 21 22 26");
    sparse_free(&u.t);
    set_up(&u.t, n8, a8), set_up(&v.t, n8, b8);
    CHECK_MAKES(p, not_less(&p, &u, &v, 0), "pos0 0 8 crd0 0 1 2 3 4 5 6 7 val 1 0 1 1 1 1 0 1");
    CHECK_MAKES(p, not_less_stored(&p, &u, &v), "pos0 0 6 crd0 0 1 2 4 6 7 val 1 0 1 1 0 1");
    sparse_free(&u.t), sparse_free(&v.t), sparse_free(&A.t), sparse_free(&q.t);
    check_books();
}

/* | 1 . 2 |   | 3 . -3 |   | 9 . . |     A B = | 3 8 -3 |  8 = 2 * 4
   | . . . |   | . 5  . |   | 9 9 9 |           | .  . . |
   | . 1 . |   | . 4  . |   | . . 9 |           | .  5 . | */
static void test_masks(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 0, 2, 0, 0, 0, 0, 1, 0}, b[] = {3, 0, -3, 0, 5, 0, 0, 4, 0},
                 m[] = {9, 0, 0, 9, 9, 9, 0, 0, 9};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), M = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    csc Bt = SPARSE_INIT(csc);
    set_up(&A.t, n3x3, a), set_up(&B.t, n3x3, b), set_up(&Bt.t, n3x3, b), set_up(&M.t, n3x3, m);
    CHECK_MAKES(C, masked(&C, &M, &A, &Bt), "pos1 0 1 1 1 crd1 0 val 3");
    CHECK_MAKES(C, masked_rows(&C, &M, &A, &B), "pos1 0 1 1 1 crd1 0 val 3");
    CHECK_MAKES(C, unmasked(&C, &A, &Bt, &M), "pos1 0 2 2 3 crd1 1 2 1 val 8 -3 5");
    CHECK_MAKES(C, unmasked_rows(&C, &A, &B, &M), "pos1 0 2 2 3 crd1 1 2 1 val 8 -3 5");
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&Bt.t), sparse_free(&M.t);
    check_books();
}

/* >>value types: A B by rows, and A + B; | 1 2 |  | 5 . |  for all number types, and structs
                                          | . 3 |  | 6 7 | */
#define TYPED(type, VALUE, TYPE)                                                                             \
    SPARSE_TENSOR(TYPE)                                                                                      \
    SPARSE_KERNEL(multiply_##type, (i, k, j), (C, TYPE, i, j), all((A, TYPE, i, k), (B, TYPE, k, j)),        \
                  C = (VALUE)(C + A * B))                                                                    \
    SPARSE_KERNEL(add_##type, (i, j), (C, TYPE, i, j), any((A, TYPE, i, j), (B, TYPE, i, j)),                \
                  C = (VALUE)(A + B))                                                                        \
    static void test_##type(void)                                                                            \
    {                                                                                                        \
        const size_t n2x2[] = {2, 2};                                                                        \
        const VALUE a[] = {1, 2, 0, 3}, b[] = {5, 0, 6, 7}, ab[] = {17, 14, 18, 21}, sum[] = {6, 2, 6, 10};  \
        type A = SPARSE_INIT(type), B = SPARSE_INIT(type), C = SPARSE_INIT(type);                            \
        A.t.hooks = B.t.hooks = C.t.hooks = &counting;                                                       \
        CHECK_RESULT(sparse_pack_dense_untyped(&A.t, n2x2, a), SPARSE_OK);                                           \
        CHECK_RESULT(sparse_pack_dense_untyped(&B.t, n2x2, b), SPARSE_OK);                                           \
        CHECK_RESULT(multiply_##type(&C, &A, &B), SPARSE_OK);                                                \
        CHECK(C.t.val.length == 4 && memcmp(C.t.val.at, ab, sizeof ab) == 0);                                \
        CHECK_RESULT(add_##type(&C, &A, &B), SPARSE_OK);                                                     \
        CHECK(C.t.val.length == 4 && memcmp(C.t.val.at, sum, sizeof sum) == 0);                              \
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);                                             \
        check_books();                                                                                       \
    }
#define F32 f32, SPARSE_CSR, float, 32, 32
#define I8  i8, SPARSE_DCSR, int8_t, 16, 8
#define U16 u16, SPARSE_CSR, uint16_t, 8, 8
#define I64 i64, SPARSE_CSR, int64_t, 32, 64
TYPED(f32, float, F32)
TYPED(i8, int8_t, I8)
TYPED(u16, uint16_t, U16)
TYPED(i64, int64_t, I64)

#define C128 c128, SPARSE_CSR, sparse_complex128, 32, 32
SPARSE_TENSOR(C128)
SPARSE_KERNEL(multiply_c128, (i, k, j), (C, C128, i, j), all((A, C128, i, k), (B, C128, k, j)), C += A * B)
SPARSE_KERNEL(add_c128, (i, j), (C, C128, i, j), any((A, C128, i, j), (B, C128, i, j)), C = A + B)

static bool same_parts(const sparse_tensor *t, const double *wanted)
{
    double is[8] = {0};
    bool good = t->val.length == 4;
    if (good) memcpy(is, t->val.at, sizeof is);
    for (size_t n = 0; n < 8; n++) good = good && same(is[n], wanted[n]);
    return good;
}

/* | 1+2i 2 |   | 2-i . |   | 4+13i  2 |
   | .   -i | * | 5i  1 | = | 5     -i | */
static void test_complex(void)
{
    const size_t n2x2[] = {2, 2};
    const double a[] = {1, 2, 2, 0, 0, 0, 0, -1}, b[] = {2, -1, 0, 0, 0, 5, 1, 0};
    const double ab[] = {4, 13, 2, 0, 5, 0, 0, -1}, sum[] = {3, 1, 2, 0, 0, 5, 1, -1};
    c128 A = SPARSE_INIT(c128), B = SPARSE_INIT(c128), C = SPARSE_INIT(c128);
    A.t.hooks = B.t.hooks = C.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, n2x2, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&B.t, n2x2, b), SPARSE_OK);
    CHECK_RESULT(multiply_c128(&C, &A, &B), SPARSE_OK);
    CHECK(same_parts(&C.t, ab));
    CHECK_RESULT(add_c128(&C, &A, &B), SPARSE_OK);
    CHECK(same_parts(&C.t, sum));
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    check_books();
}

/* roads between towns, and the shortest routes of one or two roads */
typedef struct road {
    double length;
    uint32_t legs;
    uint32_t via;
} road;
static const road no_way = {1e300, 0, 0};
#define ROADS roads, SPARSE_CSR, road, 32, 32
SPARSE_TENSOR(ROADS)
/* clang-format off */
SPARSE_KERNEL(through, (i, k, j), from(no_way, C, ROADS, i, j), all((A, ROADS, i, k), (B, ROADS, k, j)),
              if (A.length + B.length < C.length) C.length = A.length + B.length, C.legs = A.legs + B.legs,
              C.via = (uint32_t)k)
SPARSE_KERNEL(shorter, (i, j), (C, ROADS, i, j), any((A, ROADS, i, j), (B, ROADS, i, j)),
              if (!has_B || (has_A && A.length <= B.length)) C = A; else C = B; C.legs += 10)
/* clang-format on */

static bool is_road(const roads *C, size_t n, double length, uint32_t legs, uint32_t via)
{
    const road *r = (const road *)C->t.val.at + n;
    return same(r->length, length) && r->legs == legs && r->via == via;
}

/* 0 to 1: 3, 0 to 2: 9, 1 to 2: 4, 2 to 2: 1 */
static void test_structs(void)
{
    const size_t n3x3[] = {3, 3}, at[] = {0, 1, 0, 2, 1, 2, 2, 2};
    const road given[] = {{3, 1, 0}, {9, 1, 0}, {4, 1, 0}, {1, 1, 0}};
    roads A = SPARSE_INIT(roads), B = SPARSE_INIT(roads), C = SPARSE_INIT(roads);
    A.t.hooks = B.t.hooks = C.t.hooks = &counting;
    CHECK_RESULT(sparse_pack_untyped(&A.t, n3x3, 4, at, given, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(through(&B, &A, &A), SPARSE_OK); /* 0 to 2: 7 by 1, 1 to 2: 5 by 2, 2 to 2: 2 by 2 */
    CHECK(B.t.val.length == 3 && is_road(&B, 0, 7, 2, 1) && is_road(&B, 1, 5, 2, 2) &&
          is_road(&B, 2, 2, 2, 2));
    CHECK_RESULT(shorter(&C, &A, &B), SPARSE_OK);
    CHECK(C.t.val.length == 4 && is_road(&C, 0, 3, 11, 0) && is_road(&C, 1, 7, 12, 1));
    CHECK(is_road(&C, 2, 4, 11, 0) && is_road(&C, 3, 1, 11, 0));
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    check_books();
}

/* the fill value 7.5: in unions, both where they merge and where one operand ends, in complements, and in a result */
#define LEVEL level, SPARSE_CSR, double, 32, 32
SPARSE_TENSOR_FILL(LEVEL, 7.5)
SPARSE_KERNEL(lesser, (i, j), (C, LEVEL, i, j), any((A, LEVEL, i, j), (B, LEVEL, i, j)), C = A < B ? A : B)
SPARSE_KERNEL(everywhere, (i, j), (C, MAT, i, j), any((A, LEVEL, i, j), none((B, LEVEL, i, j))), C = A)
static void test_fill(void)
{
    const size_t n2x3[] = {2, 3};
    const double a[] = {1, 9, 7.5, 7.5, 3, 4}, b[] = {7.5, 8, 7.5, 2, 7.5, 5}, both[] = {1, 8, 7.5, 2, 3, 4};
    double all[6];
    level A = SPARSE_INIT(level), B = SPARSE_INIT(level), C = SPARSE_INIT(level);
    mat D = SPARSE_INIT(mat);
    set_up(&A.t, n2x3, a), set_up(&B.t, n2x3, b);
    C.t.hooks = D.t.hooks = &counting;
    CHECK_MAKES(C, lesser(&C, &A, &B), "pos1 0 2 5 crd1 0 1 0 1 2 val 1 8 2 3 4");
    CHECK_RESULT(lesser(&C, &A, &B), SPARSE_OK);
    CHECK_RESULT(sparse_unpack_dense_untyped(&C.t, all), SPARSE_OK);
    CHECK(memcmp(all, both, sizeof all) == 0);
    CHECK_RESULT(everywhere(&D, &A, &A), SPARSE_OK);
    CHECK(memcmp(D.t.val.at, a, sizeof a) == 0);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t);
    check_books();
}

/* several outputs in one traversal */
SPARSE_KERNEL(totals, (i, j), ((r, VEC, i), (c, VEC, j), (t, double), (n, size_t)), all((A, CSR, i, j)), r += A; c += A;
              t += A; n++)
static void test_several(void)
{
    const size_t n2x3[] = {2, 3}, n2x2[] = {2, 2};
    const double a[] = {1, 2, 0, 0, 3, 4}, rows[] = {3, 7}, columns[] = {1, 5, 4};
    csr A = SPARSE_INIT(csr);
    vec r = SPARSE_INIT(vec), c = SPARSE_INIT(vec);
    double t = 0;
    size_t n = 0;
    set_up(&A.t, n2x3, a);
    r.t.hooks = c.t.hooks = &counting;
    CHECK_RESULT(totals(&r, &c, &t, &n, &A), SPARSE_OK);
    CHECK(r.t.val.length == 2 && memcmp(r.t.val.at, rows, sizeof rows) == 0);
    CHECK(c.t.val.length == 3 && memcmp(c.t.val.at, columns, sizeof columns) == 0);
    CHECK(n == 4 && t > 9.5 && t < 10.5);
    sparse_free(&r.t), sparse_free(&c.t);
    vec square = SPARSE_INIT(vec);
    const double b[] = {1, 2, 3, 4};
    set_up(&A.t, n2x2, b);
    square.t.hooks = &counting;
    CHECK_RESULT(totals(&square, &square, &t, &n, &A), SPARSE_E_ALIAS);
    sparse_free(&A.t), sparse_free(&square.t);
    check_books();
}

/* outputs of all kinds in one traversal: each equals the output of a kernel of its own; has_C affects only C */
SPARSE_KERNEL(both_halves, (i, j), ((L, CSR, i, j), (s, double), (U, DCSR, i, j), (r, VEC, i)), all((A, CSR, i, j)),
              L = A; has_L = j <= i; U = 2 * A; has_U = j > i; s += A; r += A)
SPARSE_KERNEL(lower_half, (i, j), (L, CSR, i, j), all((A, CSR, i, j)), L = A; has_L = j <= i)
SPARSE_KERNEL(upper_half, (i, j), (U, DCSR, i, j), all((A, CSR, i, j)), U = 2 * A; has_U = j > i)
SPARSE_KERNEL(products_both, (i, k, j), ((n, size_t), (C, CSR, i, j), (D, CSC, i, j), (E, COO, i, j), (r, VEC, k)),
              all((A, CSR, i, k), (B, CSR, k, j)), C += A * B; D += A; E += B; has_E = B > 1; n++; r += B)
SPARSE_KERNEL(product_c, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(product_d, (i, k, j), (D, CSC, i, j), all((A, CSR, i, k), (B, CSR, k, j)), D += A)
SPARSE_KERNEL(product_e, (i, k, j), (E, COO, i, j), all((A, CSR, i, k), (B, CSR, k, j)), E += B; has_E = B > 1)
SPARSE_KERNEL(rows_side_by_side, (parallel(i), j), ((r, VEC, i), (L, CSR, i, j)), all((A, CSR, i, j)),
              L = A; has_L = j <= i; r += A)
SPARSE_KERNEL(add_both, (i, j), ((S, CSR, i, j), (D, COO, i, j)), any((A, CSR, i, j), (B, CSR, i, j)),
              S = A + B; D = A - B; has_D = has_A && has_B)
SPARSE_KERNEL(sum_alone, (i, j), (S, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), S = A + B)
SPARSE_KERNEL(difference_alone, (i, j), (D, COO, i, j), any((A, CSR, i, j), (B, CSR, i, j)),
              D = A - B; has_D = has_A && has_B)
static void test_mixed(void)
{
    for (size_t n = 0; n < 12; n++) {
        const size_t size = n == 0 ? 1 : 3 * n, stored = n % 4 == 3 ? 0 : 3;
        grid a = random_grid(&csr_encoding, size, size, 0, stored), b = random_grid(&csr_encoding, size, size, 0, stored);
        csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr), C1 = SPARSE_INIT(csr);
        csc D = SPARSE_INIT(csc), D1 = SPARSE_INIT(csc);
        coo E = SPARSE_INIT(coo), E1 = SPARSE_INIT(coo);
        dcsr U = SPARSE_INIT(dcsr), U1 = SPARSE_INIT(dcsr);
        vec r = SPARSE_INIT(vec), q = SPARSE_INIT(vec);
        double s = 0, sum = 0;
        size_t count = 0, live;
        A.t = a.tensor, B.t = b.tensor;
        C.t.hooks = C1.t.hooks = D.t.hooks = D1.t.hooks = E.t.hooks = E1.t.hooks = &counting;
        U.t.hooks = U1.t.hooks = r.t.hooks = q.t.hooks = &counting;
        SPARSE_FOREACH(x, &A.t) sum += SPARSE_VALUE(x, double);
        CHECK_RESULT(both_halves(&C, &s, &U, &r, &A), SPARSE_OK);
        CHECK_RESULT(lower_half(&C1, &A), SPARSE_OK);
        CHECK_RESULT(upper_half(&U1, &A), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C1.t) && same_arrays(&U.t, &U1.t) && same(s, sum));
        CHECK_RESULT(rows_side_by_side(&q, &C, &A), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C1.t) && memcmp(r.t.val.at, q.t.val.at, size * sizeof(double)) == 0);
        CHECK_RESULT(add_both(&C, &E, &A, &B), SPARSE_OK);
        CHECK_RESULT(sum_alone(&C1, &A, &B), SPARSE_OK);
        CHECK_RESULT(difference_alone(&E1, &A, &B), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C1.t) && same_arrays(&E.t, &E1.t));
        sparse_free(&r.t);
        CHECK_RESULT(products_both(&count, &C, &D, &E, &r, &A, &B), SPARSE_OK);
        CHECK_RESULT(product_c(&C1, &A, &B), SPARSE_OK);
        CHECK_RESULT(product_d(&D1, &A, &B), SPARSE_OK);
        CHECK_RESULT(product_e(&E1, &A, &B), SPARSE_OK);
        CHECK(same_arrays(&C.t, &C1.t) && same_arrays(&D.t, &D1.t) && same_arrays(&E.t, &E1.t));
        CHECK(count >= C.t.val.length);
        live = books.live;
        for (size_t fail = 1;; fail++) { /* if anything fails but shrinking an array, all outputs are empty */
            books.fail_at = books.calls + fail;
            const sparse_result result = products_both(&count, &C, &D, &E, &r, &A, &B);
            const bool came = books.calls < books.fail_at;
            books.fail_at = 0;
            if (came) break;
            if (result == SPARSE_OK) {
                CHECK(same_arrays(&C.t, &C1.t) && same_arrays(&D.t, &D1.t) && same_arrays(&E.t, &E1.t));
                continue;
            }
            CHECK_RESULT(result, SPARSE_E_MEMORY);
            CHECK(C.t.val.at == NULL && D.t.val.at == NULL && E.t.val.at == NULL);
        }
        CHECK(books.live == live && same_arrays(&C.t, &C1.t) && same_arrays(&E.t, &E1.t));
        CHECK_RESULT(products_both(&count, &C, &D, &E, &r, &C, &B), SPARSE_E_ALIAS);
        sparse_free(&C.t), sparse_free(&C1.t), sparse_free(&D.t), sparse_free(&D1.t), sparse_free(&E.t);
        sparse_free(&E1.t), sparse_free(&U.t), sparse_free(&U1.t), sparse_free(&r.t), sparse_free(&q.t);
        close_grid(&a), close_grid(&b);
    }
    check_books();
}

/* two outputs in arrays of the caller: if room is missing, the needed lengths of both are returned; an output that fits is
   kept */
static void test_mixed_into(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 2, 0, 3, 0, 4, 0, 5, 6}, b[] = {0, 2, 1, 0, 0, 4, 1, 0, 2};
    uint32_t pos[4], crd[9], root[2], pair[18];
    double val[9], more[9];
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), S = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    set_up(&A.t, n3x3, a), set_up(&B.t, n3x3, b);
    S.t.hooks = D.t.hooks = &counting;
    const size_t calls = books.calls;
    CHECK_RESULT(add_both_into(&S, &D, &A, &B), SPARSE_E_CAPACITY);
    CHECK(S.t.pos[1].length == 4 && S.t.crd[1].length == 8 && S.t.val.length == 8);
    CHECK(D.t.pos[0].length == 2 && D.t.crd[0].length == 6 && D.t.val.length == 3);
    S.t.pos[1].at = pos, S.t.crd[1].at = crd, S.t.val.at = val;
    S.t.pos[1].length = 4, S.t.crd[1].length = S.t.val.length = 9;
    D.t.pos[0].length = D.t.crd[0].length = D.t.val.length = 0;
    CHECK_RESULT(add_both_into(&S, &D, &A, &B), SPARSE_E_CAPACITY);
    CHECK_ARRAYS(S, "pos1 0 3 5 8 crd1 0 1 2 0 2 0 1 2 val 1 4 1 3 8 1 5 8");
    D.t.pos[0].at = root, D.t.crd[0].at = pair, D.t.val.at = more;
    D.t.pos[0].length = 2, D.t.crd[0].length = 18, D.t.val.length = 9;
    CHECK_RESULT(add_both_into(&S, &D, &A, &B), SPARSE_OK);
    CHECK_ARRAYS(S, "pos1 0 3 5 8 crd1 0 1 2 0 2 0 1 2 val 1 4 1 3 8 1 5 8");
    CHECK_ARRAYS(D, "pos0 0 3 crd0 0 1 1 2 2 2 val 0 0 4");
    CHECK(books.calls == calls); /* no memory was requested */
    sparse_free(&A.t), sparse_free(&B.t);
    check_books();
}

/* _into refuses outputs that own their arrays, and leaves them unchanged, also if the result is first built elsewhere */
SPARSE_KERNEL(row_pairs, (i, j), (C, CD, i, j), all((A, CSR, i, j)), C += A)
static void test_into_owned(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 2, 0, 3, 0, 4, 0, 5, 6};
    csr A = SPARSE_INIT(csr), S = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    cd C = SPARSE_INIT(cd);
    set_up(&A.t, n3x3, a), set_up(&S.t, n3x3, a), set_up(&D.t, n3x3, a), set_up(&C.t, n3x3, a);
    const size_t live = books.live;
    CHECK_RESULT(add_both_into(&S, &D, &A, &A), SPARSE_E_ARGUMENT);
    CHECK_RESULT(row_pairs_into(&C, &A), SPARSE_E_ARGUMENT);
    CHECK(books.live == live && same_arrays(&S.t, &A.t) && sparse_entries(&D.t) == 6 && sparse_entries(&C.t) == 9);
    cd aside = SPARSE_INIT(cd);
    aside.t.hooks = &counting;
    const size_t calls = books.calls;
    CHECK_RESULT(row_pairs_into(&aside, &A), SPARSE_E_CAPACITY);
    CHECK(books.calls > calls && books.live == live && aside.t.val.length == 9); /* built elsewhere, then copied */
    sparse_free(&A.t), sparse_free(&S.t), sparse_free(&D.t), sparse_free(&C.t);
    check_books();
}

/* Results that are assembled in another encoding and then converted: ELL, for which a row may have too many entries;
   bitmaps; by threads; with an initial value; into arrays of the caller. */
#define ELL  ell, SPARSE_ELL(2), double, 32, 32
#define BITS bits, ((i, j), (dense, i), (bitmap, j)), double, 32, 8
SPARSE_TENSOR(ELL)
SPARSE_TENSOR(BITS)
SPARSE_KERNEL(slots, (i, j), (C, ELL, i, j), all((A, CSR, i, j)), C = 2 * A)
SPARSE_KERNEL(slots_by_columns, (i, j), (C, ELL, j, i), all((A, CSR, i, j)), C = A)
SPARSE_KERNEL(slots_in_parallel, (parallel(i), j), (C, ELL, i, j), all((A, CSR, i, j)), C = 2 * A)
SPARSE_KERNEL(slots_of_slots, (count(i, 2), i, j), (C, ELL, i, j), all((A, ELL, i, j)), C = 2 * A)
SPARSE_KERNEL(bits_from_1, (i, j), from(1, C, BITS, i, j), all((A, CSR, i, j)), C *= A; has_C = A > 2)
static void test_stored(void)
{
    const size_t n4x3[] = {4, 3};
    const double few[] = {1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 5, 0}, many[] = {1, 0, 2, 0, 0, 0, 6, 3, 7, 4, 5, 0};
    csr A = SPARSE_INIT(csr);
    ell C = SPARSE_INIT(ell);
    bits D = SPARSE_INIT(bits);
    set_up(&A.t, n4x3, few);
    CHECK_MAKES(C, slots(&C, &A), "pos2 0 1 1 2 3 4 4 4 5 crd2 0 1 0 2 1 val 2 6 8 4 10");
    CHECK_MAKES(C, slots_in_parallel(&C, &A), "pos2 0 1 1 2 3 4 4 4 5 crd2 0 1 0 2 1 val 2 6 8 4 10");
    CHECK_MAKES(C, slots_by_columns(&C, &A), "pos2 0 1 2 3 4 5 5 crd2 0 2 0 3 3 val 1 3 2 4 5");
    CHECK_MAKES(D, bits_from_1(&D, &A), "crd1 128 6 val 0 0 0 0 0 0 0 3 0 4 5 0");
    uint8_t words[2];
    double values[12];
    D.t.crd[1].at = words, D.t.crd[1].length = 1, D.t.val.at = values, D.t.val.length = 12;
    CHECK_RESULT(bits_from_1_into(&D, &A), SPARSE_E_CAPACITY);
    CHECK(D.t.crd[1].length == 2 && D.t.val.length == 12);
    CHECK_RESULT(bits_from_1_into(&D, &A), SPARSE_OK);
    CHECK_ARRAYS(D, "crd1 128 6 val 0 0 0 0 0 0 0 3 0 4 5 0");
    sparse_free(&A.t);
    set_up(&A.t, n4x3, many);
    CHECK_RESULT(slots(&C, &A), SPARSE_E_FULL);
    CHECK_RESULT(slots_in_parallel(&C, &A), SPARSE_E_FULL);
    CHECK(C.t.val.length == 0 && C.t.val.at == NULL);
    CHECK_RESULT(bits_from_1_into(&D, &A), SPARSE_OK);
    CHECK_ARRAYS(D, "crd1 192 7 val 0 0 0 0 0 0 6 3 7 4 5 0");
    sparse_free(&A.t);
    /* every slot of the result before is taken, but not every slot of the operand */
    const double full[] = {1, 0, 2, 6, 0, 8, 0, 3, 9, 4, 5, 0};
    ell B = SPARSE_INIT(ell);
    set_up(&C.t, n4x3, full);
    set_up(&B.t, n4x3, few);
    CHECK_MAKES(C, slots_of_slots(&C, &B), "pos2 0 1 1 2 3 4 4 4 5 crd2 0 1 0 2 1 val 2 6 8 4 10");
    sparse_free(&B.t);
    check_books();
}

/* an output that has borrowed its arrays gets new ones and leaves the borrowed ones unchanged, also if it becomes empty */
static void test_anew_beside_borrowed(void)
{
    const size_t n3x3[] = {3, 3};
    const double a[] = {1, 2, 0, 3, 0, 4, 0, 5, 6}, none[9] = {0};
    csr A = SPARSE_INIT(csr), S = SPARSE_INIT(csr), lender = SPARSE_INIT(csr), wanted = SPARSE_INIT(csr);
    coo D = SPARSE_INIT(coo);
    S.t.hooks = D.t.hooks = wanted.t.hooks = &counting;
    set_up(&lender.t, n3x3, a);
    for (unsigned full = 0; full < 2; full++) {
        const sparse_arrays lent = sparse_arrays_of(&lender.t);
        set_up(&A.t, n3x3, full ? a : none);
        CHECK_RESULT(sparse_assemble(&S.t, n3x3, &lent, SPARSE_BORROW, NULL), SPARSE_OK);
        CHECK_RESULT(add_both(&S, &D, &A, &A), SPARSE_OK);
        CHECK_RESULT(add_both(&wanted, &D, &A, &A), SPARSE_OK);
        CHECK(same_arrays(&S.t, &wanted.t) && S.t.crd[1].at != lender.t.crd[1].at && S.t.val.at != lender.t.val.at);
        sparse_free(&S.t);
        set_up(&wanted.t, n3x3, a);
        CHECK(same_arrays(&lender.t, &wanted.t));
        sparse_free(&A.t), sparse_free(&wanted.t);
    }
    sparse_free(&lender.t), sparse_free(&D.t);
    check_books();
}

/* >>lists: in levels that are neither unique nor ordered, entries are appended in the order in which they are produced.
   Also: continue and break */
#define LIST  list, ((i), (compressed(nonunique, nonordered), i)), double, 32, 32
#define BAGS  bags, ((i, j), (dense, i), (compressed(nonunique, nonordered), j)), double, 32, 32
#define PAIRS pairs, ((i, j), (compressed(nonunique, nonordered), i), (singleton(nonunique, nonordered), j)), double, 32, 32
#define SETS  sets, ((i, j), (compressed(nonunique, nonordered), i), (singleton, j)), double, 32, 32 /* unique */
#define TAILS tails, ((i, j), (compressed(nonunique), i), (singleton(nonunique, nonordered), j)), double, 32, 32
SPARSE_TENSOR(LIST)
SPARSE_TENSOR(BAGS)
SPARSE_TENSOR(PAIRS)
SPARSE_TENSOR(SETS)
SPARSE_TENSOR(TAILS)
/* clang-format off */
SPARSE_KERNEL(columns_listed, (i, j), (s, LIST, j), all((A, CSR, i, j)), s = A)
SPARSE_KERNEL(some_listed, (i, j), ((s, LIST, j), (met, VEC, j)), all((A, CSR, i, j)),
              if (met > 0) continue; met = 1; s = A)
SPARSE_KERNEL(bagged, (i, k, j), (C, BAGS, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(bagged_again, (i, j), (C, BAGS, i, j), all((A, BAGS, i, j)), C = A; has_C = A > 2)
SPARSE_KERNEL(paired, (j, i), (P, PAIRS, i, j), all((A, CSC, i, j)), P = A)
SPARSE_KERNEL(set_of, (k, i, j), (S, SETS, i, j), all((A, CSC, i, k), (B, CSR, k, j)), S += A * B)
SPARSE_KERNEL(tailed, (i, k, j), (P, TAILS, i, j), all((A, CSR, i, k), (B, CSR, k, j)), P += A * B)
SPARSE_KERNEL(bagged_parallel, (parallel(i), k, j), (C, BAGS, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(passed_sum, (i, j), ((C, CSR, i, j), (y, VEC, j)), any((A, CSR, i, j), (B, CSR, i, j)),
              if (A > 4 || B > 7) continue; C = A + B; y += 1)
SPARSE_KERNEL(passed_common, (i, j), ((C, CSR, i, j), (y, VEC, j)), all((A, CSR, i, j), (B, CSR, i, j)),
              y += 1; if (A > 4) continue; C = A + B)
SPARSE_KERNEL(passed_products, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)),
              if (A * B > 9) continue; C += A * B)
SPARSE_KERNEL(first_of_rows, (i, j), (y, VEC, i), all((A, CSR, i, j)), y = A; break)
SPARSE_KERNEL(ended_rows, (i, j), ((C, CSR, i, j), (y, VEC, j)), all((A, CSR, i, j)), C = A; y += A; if (A < 2 || j == 3) break)
/* clang-format on */

static void test_listed(void)
{
    const double b4x4[] = {1, 2, 0, 0, 0, 7, 0, 0, 4, 8, 0, 6, 0, 0, 3, 0};
    const size_t n4x4[] = {4, 4};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), D = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    csc E = SPARSE_INIT(csc);
    vec y = SPARSE_INIT(vec);
    list s = SPARSE_INIT(list);
    bags p = SPARSE_INIT(bags), q = SPARSE_INIT(bags);
    pairs P = SPARSE_INIT(pairs);
    sets S = SPARSE_INIT(sets);
    tails Q = SPARSE_INIT(tails);
    set_up(&A.t, n3x4, a3x4), set_up(&B.t, n3x4, b3x4), set_up(&D.t, n4x4, b4x4), set_up(&E.t, n3x4, a3x4);
    p.t.hooks = y.t.hooks = &counting;
    CHECK_MAKES(s, columns_listed(&s, &A), "pos0 0 5 crd0 0 2 0 0 3 val 5 1 3 2 3");
    CHECK_RESULT(sparse_allocate_dense(&y.t, &n3x4[1]), SPARSE_OK);
    CHECK_MAKES(s, some_listed(&s, &y, &A), "pos0 0 3 crd0 0 2 3 val 5 1 3");
    CHECK_RESULT(bagged(&p, &A, &D), SPARSE_OK);
    CHECK(strcmp(arrays(&p.t), "pos1 0 5 7 10 crd1 0 1 0 1 3 0 1 0 1 2 val 5 10 4 8 6 3 6 2 4 9") == 0);
    CHECK_MAKES(q, bagged_again(&q, &p), "pos1 0 5 7 9 crd1 0 1 0 1 3 0 1 1 2 val 5 10 4 8 6 3 6 4 9");
    CHECK_MAKES(q, bagged_parallel(&q, &A, &D), "pos1 0 5 7 10 crd1 0 1 0 1 3 0 1 0 1 2 val 5 10 4 8 6 3 6 2 4 9");
    CHECK_MAKES(P, paired(&P, &E), "pos0 0 5 crd0 0 0 1 0 2 0 0 2 2 3 val 5 3 2 1 3");
    CHECK_MAKES(S, set_of(&S, &E, &D), "pos0 0 8 crd0 0 0 0 1 0 3 1 0 1 1 2 0 2 1 2 2 val 9 18 6 3 6 2 4 9");
    CHECK_MAKES(Q, tailed(&Q, &A, &D),
                "pos0 0 10 crd0 0 0 0 1 0 0 0 1 0 3 1 0 1 1 2 0 2 1 2 2 val 5 10 4 8 6 3 6 2 4 9");
    sparse_zero(&y.t);
    CHECK_MAKES(C, passed_sum(&C, &y, &A, &B), "pos1 0 2 4 6 crd1 1 2 0 1 0 3 val 2 1 3 7 6 9");
    CHECK(strcmp(arrays(&y.t), "val 2 2 1 1") == 0);
    sparse_zero(&y.t);
    CHECK_MAKES(C, passed_common(&C, &y, &A, &B), "pos1 0 0 0 2 crd1 0 3 val 6 9");
    CHECK(strcmp(arrays(&y.t), "val 1 0 0 1") == 0);
    CHECK_MAKES(C, passed_products(&C, &A, &D), "pos1 0 3 5 8 crd1 0 1 3 0 1 0 1 2 val 9 8 6 3 6 2 4 9");
    sparse_free(&y.t);
    CHECK_MAKES(C, ended_rows(&C, &y, &A), "pos1 0 1 2 3 crd1 0 0 0 val 5 3 2");
    CHECK(strcmp(arrays(&y.t), "val 10 0 0 0") == 0);
    sparse_free(&y.t);
    CHECK_RESULT(first_of_rows(&y, &A), SPARSE_OK);
    CHECK(strcmp(arrays(&y.t), "val 5 3 2") == 0);
    sparse_free(&y.t), sparse_free(&p.t);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&D.t), sparse_free(&E.t);
    check_books();
}

/* >>many at once: up to 11 outputs, one less than a line can have operands; every second one has an initial value */
#define OUTPUTS_1 (a, double)
#define OUTPUTS_2 OUTPUTS_1, from(20, b, double)
#define OUTPUTS_3 OUTPUTS_2, (c, double)
#define OUTPUTS_4 OUTPUTS_3, from(40, d, double)
#define OUTPUTS_5 OUTPUTS_4, (e, double)
#define OUTPUTS_6 OUTPUTS_5, from(60, f, double)
#define OUTPUTS_7 OUTPUTS_6, (g, double)
#define OUTPUTS_8 OUTPUTS_7, from(80, h, double)
#define OUTPUTS_9 OUTPUTS_8, (j, double)
#define OUTPUTS_10 OUTPUTS_9, from(100, k, double)
#define OUTPUTS_11 OUTPUTS_10, (l, double)
#define SUMS_1 a += 1 * x
#define SUMS_2 SUMS_1, b += 2 * x
#define SUMS_3 SUMS_2, c += 3 * x
#define SUMS_4 SUMS_3, d += 4 * x
#define SUMS_5 SUMS_4, e += 5 * x
#define SUMS_6 SUMS_5, f += 6 * x
#define SUMS_7 SUMS_6, g += 7 * x
#define SUMS_8 SUMS_7, h += 8 * x
#define SUMS_9 SUMS_8, j += 9 * x
#define SUMS_10 SUMS_9, k += 10 * x
#define SUMS_11 SUMS_10, l += 11 * x
#define SUMS(n) SPARSE_KERNEL(sums_##n, (i), (OUTPUTS_##n), all((x, VEC, i)), SUMS_##n)
SUMS(2)
SUMS(3)
SUMS(4)
SUMS(5)
SUMS(6)
SUMS(7)
SUMS(8)
SUMS(9)
SUMS(10)
SUMS(11)

static void test_eleven(void)
{
    const size_t three = 3;
    const double ones[] = {1, 1, 1};
    double s[11];
    vec x = SPARSE_INIT(vec);
    CHECK_RESULT(sparse_pack_dense_untyped(&x.t, &three, ones), SPARSE_OK);
#define TRY(n, ...)                                                                                                \
    for (size_t k = 0; k < 11; k++) s[k] = -1;                                                                               \
    CHECK_RESULT(sums_##n(__VA_ARGS__, &x), SPARSE_OK);                                                                        \
    for (int k = 1; k <= n; k++) CHECK((long)s[k - 1] == (k % 2 ? 3 * k - 1 : 13 * k));
    TRY(2, &s[0], &s[1])
    TRY(3, &s[0], &s[1], &s[2])
    TRY(4, &s[0], &s[1], &s[2], &s[3])
    TRY(5, &s[0], &s[1], &s[2], &s[3], &s[4])
    TRY(6, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5])
    TRY(7, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6])
    TRY(8, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7])
    TRY(9, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], &s[8])
    TRY(10, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], &s[8], &s[9])
    TRY(11, &s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], &s[8], &s[9], &s[10])
#undef TRY
    sparse_free(&x.t);
}

/* The kernel runs in an arena of as many bytes as name_needs() returns, and uses it to the last byte. */
#define CHECK_NEEDS(KERNEL, T, OUT, ...)                                                                                    \
    do {                                                                                                                    \
        static long double block[(1 << 20) / sizeof(long double)];                                                          \
        sparse_arena all = SPARSE_ARENA(all, (unsigned char *)block, sizeof block);                                         \
        sparse_needs needs = {0, 0};                                                                                        \
        T whole = SPARSE_INIT(T), counted = SPARSE_INIT(T);                                                                 \
        whole.t.hooks = &counting, counted.t.hooks = &all.hooks;                                                            \
        CHECK_RESULT(KERNEL(&whole, __VA_ARGS__), SPARSE_OK);                                                               \
        CHECK_RESULT(KERNEL##_needs(&needs, &counted, __VA_ARGS__), SPARSE_OK);                                             \
        CHECK(all.used == 0 && sparse_bytes(&counted.t) == sparse_bytes(&whole.t));                                         \
        CHECK(needs.result >= sparse_bytes(&whole.t));                                                                      \
        sparse_arena some = SPARSE_ARENA(some, (unsigned char *)block, needs.result - 1);                                   \
        counted.t.hooks = &some.hooks;                                                                                      \
        CHECK_RESULT(sparse_arena_outputs(&counted.t), SPARSE_E_MEMORY);                                                    \
        some.bytes += needs.work + 1, some.used = some.most = some.wanted = 0;                                              \
        CHECK_RESULT(KERNEL##_needs(&needs, &counted, __VA_ARGS__), SPARSE_OK);                                             \
        CHECK_RESULT(sparse_arena_outputs(&counted.t), SPARSE_OK);                                                          \
        CHECK(some.used == needs.result && sparse_arena_left(&some) == needs.work);                                         \
        CHECK_RESULT(KERNEL##_into(&counted, __VA_ARGS__), SPARSE_OK);                                                      \
        CHECK(some.most == needs.result + needs.work && same_arrays(&counted.t, &whole.t));                                 \
        sparse_free(&whole.t);                                                                                              \
    } while (0)
SPARSE_KERNEL(columns_of, (j, i), (C, DCSR, i, j), all((A, CSC, i, j)), C = A)
SPARSE_KERNEL(two_halves, (i, j), ((L, CSR, i, j), (U, DCSR, i, j)), all((A, CSR, i, j)), L = A; has_L = j <= i; U = A;
              has_U = j > i)
static void test_needs(void)
{
    enum { COUNT = 400 };
    static size_t at[2 * COUNT];
    static double value[COUNT];
    static unsigned char memory[1 << 16];
    const size_t wide[] = {60, 60}, far[] = {60, 100000};
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), L = SPARSE_INIT(csr);
    dcsr U = SPARSE_INIT(dcsr);
    csc T = SPARSE_INIT(csc);
    A.t.hooks = B.t.hooks = T.t.hooks = &counting;
    for (size_t n = 0; n < COUNT; n++) at[2 * n] = random_below(60), at[2 * n + 1] = random_below(60), value[n] = 1;
    CHECK_RESULT(sparse_pack_untyped(&A.t, wide, COUNT, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&T.t, wide, COUNT, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    for (size_t n = 0; n < COUNT; n++) at[2 * n + 1] = random_below(100000);
    CHECK_RESULT(sparse_pack_untyped(&B.t, far, COUNT, at, value, SPARSE_DUPLICATES_SUM), SPARSE_OK);
    CHECK_NEEDS(product_c, csr, C, &A, &A); /* an array as a workspace */
    CHECK_NEEDS(product_c, csr, C, &A, &B); /* a hash table */
    CHECK_NEEDS(product_e, coo, E, &A, &B);
    CHECK_NEEDS(lower_workspace, csr, C, &T);
    CHECK_NEEDS(columns_of, dcsr, C, &T);
    CHECK_NEEDS(sum_alone, csr, S, &A, &A); /* no workspace */
    CHECK_NEEDS(row_pairs, cd, C, &A);      /* built elsewhere, copied */
    CHECK_NEEDS(bits_from_1, bits, D, &A);  /* converted */
    /* several outputs, in one arena */
    sparse_arena one = SPARSE_ARENA(one, memory, sizeof memory), other = SPARSE_ARENA(other, memory, 1024);
    sparse_needs needs = {0, 0};
    L.t.hooks = U.t.hooks = &one.hooks;
    CHECK_RESULT(two_halves_needs(&needs, &L, &U, &A), SPARSE_OK);
    CHECK_RESULT(sparse_arena_outputs(&L.t), SPARSE_OK);
    CHECK_RESULT(sparse_arena_outputs(&U.t), SPARSE_OK);
    CHECK(one.used == needs.result);
    CHECK_RESULT(two_halves_into(&L, &U, &A), SPARSE_OK);
    CHECK(one.most == needs.result + needs.work && L.t.val.length + U.t.val.length == A.t.val.length);
    /* refused: outputs with arrays, without an arena, or in two arenas. If an arena is too small, it says how much it
       needs */
    CHECK_RESULT(two_halves_needs(&needs, &L, &U, &A), SPARSE_E_ARGUMENT);
    sparse_free(&L.t), sparse_free(&U.t);
    U.t.hooks = &other.hooks;
    CHECK_RESULT(two_halves_needs(&needs, &L, &U, &A), SPARSE_E_ARGUMENT);
    U.t.hooks = NULL;
    CHECK_RESULT(two_halves_needs(&needs, &L, &U, &A), SPARSE_E_ARGUMENT);
    CHECK_RESULT(sparse_arena_outputs(&U.t), SPARSE_E_ARGUMENT);
    CHECK_RESULT(sparse_arena_outputs(&A.t), SPARSE_E_ARGUMENT);
    CHECK_RESULT(sparse_arena_outputs(NULL), SPARSE_E_NULL);
    L.t.hooks = &other.hooks;
    CHECK_RESULT(product_c_needs(NULL, &L, &A, &A), SPARSE_E_NULL);
    CHECK_RESULT(product_c_needs(&needs, NULL, &A, &A), SPARSE_E_NULL);
    const size_t most = other.most;
    CHECK_RESULT(product_c_needs(&needs, &L, &A, &B), SPARSE_E_MEMORY);
    CHECK(needs.work > 1024 && other.used == 0 && other.most >= most && other.wanted >= needs.work);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&T.t);
    check_books();
}

int main(void)
{
    test_needs();
    test_listed();
    test_stored();
    test_binary();
    test_unary();
    test_select();
    test_reduce();
    test_statements();
    test_masks();
    test_several();
    test_eleven();
    test_mixed();
    test_mixed_into();
    test_into_owned();
    test_anew_beside_borrowed();
    test_fill();
    test_f32(), test_i8(), test_u16(), test_i64();
    test_complex();
    test_structs();
    return report("output_forms");
}
