/* test_operations.c: insertion, transposition, reshaping, slices, sorting and other operations on stored tensors, compared
   with dense arrays.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "oracle.h"

static const char *const texts[] = {"0d 1c", "1d 0c", "0c 1c", "0cn 1s", "1cn 0sa", "0d 1d", "0d 1l", "0/2d 1/3c 0%2d 1%3d", "1c 0d"};
enum { TEXTS = sizeof texts / sizeof *texts };

static sparse_tensor packed(const sparse_encoding *e, const truth *x)
{
    sparse_tensor t = tensor_of(e);
    CHECK_RESULT(sparse_pack_untyped(&t, x->dim, x->count, x->coordinates, x->values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    return t;
}

/* The value of x at i, as a number. */
static double at(const sparse_encoding *e, const truth *x, const size_t *i)
{
    return number_at(e, x->dense + truth_at(x, i) * e->value_size);
}

/* Checks that t is valid and has the values of the dense array. */
static void expect(const sparse_tensor *t, const double *dense, const size_t *dim)
{
    static double back[4096];
    size_t volume = 1;
    for (unsigned d = 0; d < t->encoding->rank; d++) volume *= dim[d];
    CHECK_RESULT(sparse_validate(t, NULL), SPARSE_OK);
    for (unsigned d = 0; d < t->encoding->rank; d++) CHECK(t->dim[d] == dim[d] && sparse_dim(t, d) == dim[d]);
    CHECK_RESULT(sparse_unpack_dense_untyped(t, back), SPARSE_OK);
    bool equal = true; /* as numbers: 0 equals -0 */
    for (size_t k = 0; k < volume; k++) equal = equal && back[k] >= dense[k] && back[k] <= dense[k];
    CHECK(equal);
}

static void test_slices(void)
{
    static truth x;
    static double dense[4096];
    for (size_t turn = 0; turn < 400; turn++) {
        const sparse_encoding e = encode(texts[turn % TEXTS], 32, 32, SPARSE_F64);
        const sparse_encoding o = encode(texts[random_below(TEXTS)], 16, 16, SPARSE_F64);
        const size_t dim[2] = {1 + random_below(12), 1 + random_below(14)};
        sparse_slice s[2];
        size_t size[2];
        truth_random(&x, &e, dim, 1 + random_below(5));
        sparse_tensor t = packed(&e, &x), u = tensor_of(&o);
        name_subject(&e);
        for (unsigned d = 0; d < 2; d++) {
            s[d].offset = random_below(dim[d]);
            s[d].stride = 1 + random_below(4);
            size[d] = s[d].size = 1 + random_below((dim[d] - 1 - s[d].offset) / s[d].stride + 1);
        }
        for (size_t i = 0; i < s[0].size; i++)
            for (size_t j = 0; j < s[1].size; j++) {
                const size_t from[2] = {s[0].offset + i * s[0].stride, s[1].offset + j * s[1].stride};
                dense[i * s[1].size + j] = at(&e, &x, from);
            }
        CHECK_RESULT(sparse_convert_slice(&u, &t, s), SPARSE_OK);
        expect(&u, dense, size);
        double sum = 0;
        SPARSE_FOREACH_SLICE(c, &t, s) sum += SPARSE_VALUE(c, double) - dense[c.dim[0] * s[1].size + c.dim[1]];
        CHECK(sum <= 0 && sum >= 0);
        s[1].size = (dim[1] - 1 - s[1].offset) / s[1].stride + 2;
        CHECK_RESULT(sparse_check_slices(&t, s), SPARSE_E_ARGUMENT);
        CHECK_RESULT(sparse_convert_slice(&u, &t, s), SPARSE_E_ARGUMENT);
        s[1].size = 1, s[1].stride = 0;
        CHECK_RESULT(sparse_check_slices(&t, s), SPARSE_E_ARGUMENT);
        s[1].size = 0, s[1].stride = 1, s[1].offset = dim[1];
        CHECK_RESULT(sparse_check_slices(&t, s), SPARSE_OK);
        SPARSE_FOREACH_SLICE(c, &t, s) CHECK(!c.valid);
        s[1].size = 1;
        CHECK_RESULT(sparse_check_slices(&t, s), SPARSE_E_ARGUMENT);
        s[1].size = 0, s[1].offset = dim[1] + 1;
        CHECK_RESULT(sparse_check_slices(&t, s), SPARSE_E_ARGUMENT);
        s[1].size = SIZE_MAX, s[1].stride = SIZE_MAX;
        CHECK_RESULT(sparse_check_slices(&t, s), SPARSE_E_ARGUMENT);
        sparse_free(&t);
        sparse_free(&u);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Zeros that are padding of dense levels do not become entries of the result; zeros stored in sparse levels do. */
static void test_padding(void)
{
    static const double values[3] = {1, 0, 2};
    const size_t dim[2] = {1, 3}, at[6] = {0, 0, 0, 1, 0, 2}, flat[1] = {3};
    const sparse_slice all[2] = {{0, 1, 1}, {0, 3, 1}};
    const sparse_encoding dcsr = encode("0c 1c", 32, 32, SPARSE_F64), vector = encode("0c", 32, 32, SPARSE_F64);
    static const char *const padded[] = {"0c 1d", "0/2d 1/3c 0%2d 1%3d", "0d 1/4d 1%4t3:4"};
    for (unsigned n = 0; n <= 3; n++) {
        const sparse_encoding e = encode(n < 3 ? padded[n] : "0d 1c", 32, 32, SPARSE_F64);
        const size_t stored = n < 3 ? 2 : 3;
        sparse_tensor a = tensor_of(&e), u = tensor_of(&dcsr), v = tensor_of(&vector);
        const sparse_tensor *const twice[2] = {&a, &a};
        name_subject(&e);
        CHECK_RESULT(sparse_pack_untyped(&a, dim, 3, at, values, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        CHECK_RESULT(sparse_concatenate(&u, 1, twice, 2), SPARSE_OK);
        CHECK(sparse_entries(&u) == 2 * stored);
        CHECK_RESULT(sparse_convert(&u, &a), SPARSE_OK);
        CHECK(sparse_entries(&u) == stored);
        CHECK_RESULT(sparse_convert_slice(&u, &a, all), SPARSE_OK);
        CHECK(sparse_entries(&u) == stored);
        CHECK_RESULT(sparse_reshape(&v, flat, &a), SPARSE_OK);
        CHECK(sparse_entries(&v) == stored);
        sparse_free(&a), sparse_free(&u), sparse_free(&v);
    }
}

static void test_concatenate(void)
{
    static truth x[3];
    static double dense[4096];
    for (size_t turn = 0; turn < 300; turn++) {
        const sparse_encoding o = encode(texts[random_below(TEXTS)], 16, 32, SPARSE_F64);
        const unsigned d = turn % 2;
        sparse_encoding e[3];
        sparse_tensor t[3], u = tensor_of(&o);
        size_t dim[3][2], size[2] = {0, 0}, start = 0;
        const size_t count = 2 + random_below(2), other = random_below(7);
        for (size_t k = 0; k < count; k++) {
            e[k] = encode(texts[random_below(TEXTS)], 32, 16, SPARSE_F64);
            dim[k][d] = random_below(8);
            dim[k][1 - d] = size[1 - d] = other;
            size[d] += dim[k][d];
            truth_random(&x[k], &e[k], dim[k], 1 + random_below(4));
            t[k] = packed(&e[k], &x[k]);
        }
        const sparse_tensor *const input[3] = {&t[0], &t[1], &t[2]};
        for (size_t k = 0; k < count; start += dim[k++][d])
            for (size_t i = 0; i < dim[k][0]; i++)
                for (size_t j = 0; j < dim[k][1]; j++) {
                    const size_t from[2] = {i, j};
                    dense[(i + (d ? 0 : start)) * size[1] + j + (d ? start : 0)] = at(&e[k], &x[k], from);
                }
        name_subject(&o);
        CHECK_RESULT(sparse_concatenate(&u, d, input, count), SPARSE_OK);
        expect(&u, dense, size);
        CHECK_RESULT(sparse_concatenate(&u, 1 - d, input, count), dim[0][d] == dim[1][d] && dim[0][d] == dim[count - 1][d] ? SPARSE_OK : SPARSE_E_SHAPE);
        CHECK_RESULT(sparse_concatenate(&u, d, input, 1), SPARSE_E_ARGUMENT);
        CHECK_RESULT(sparse_concatenate(&u, 2, input, 2), SPARSE_E_ARGUMENT);
        CHECK_RESULT(sparse_concatenate(&u, d, NULL, 2), SPARSE_E_NULL);
        CHECK_RESULT(sparse_concatenate(&t[0], d, input, 2), SPARSE_E_ALIAS);
        for (size_t k = 0; k < count; k++) sparse_free(&t[k]);
        sparse_free(&u);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

static void test_kron(void)
{
    static truth x[2];
    static double dense[4096];
    for (size_t turn = 0; turn < 300; turn++) {
        const sparse_encoding o = encode(texts[random_below(TEXTS)], 16, 32, SPARSE_F64), line = encode("0c", 32, 32, SPARSE_F64),
                              other = encode("0d 1c", 32, 32, SPARSE_F32);
        sparse_encoding e[2];
        sparse_tensor t[2], u = tensor_of(&o), v = tensor_of(&line), w = tensor_of(&other);
        size_t dim[2][2], size[2];
        for (unsigned k = 0; k < 2; k++) {
            e[k] = encode(texts[random_below(TEXTS)], 32, 16, SPARSE_F64);
            for (unsigned d = 0; d < 2; d++) dim[k][d] = random_below(8);
            truth_random(&x[k], &e[k], dim[k], 1 + random_below(4));
            t[k] = packed(&e[k], &x[k]);
        }
        for (unsigned d = 0; d < 2; d++) size[d] = dim[0][d] * dim[1][d];
        for (size_t i = 0; i < size[0]; i++)
            for (size_t j = 0; j < size[1]; j++) {
                const size_t of_a[2] = {i / dim[1][0], j / dim[1][1]}, of_b[2] = {i % dim[1][0], j % dim[1][1]};
                dense[i * size[1] + j] = at(&e[0], &x[0], of_a) * at(&e[1], &x[1], of_b);
            }
        name_subject(&o);
        CHECK_RESULT(sparse_kron(&u, &t[0], &t[1]), SPARSE_OK);
        expect(&u, dense, size);
        CHECK_RESULT(sparse_kron(&t[0], &t[0], &t[1]), SPARSE_E_ALIAS);
        CHECK_RESULT(sparse_kron(&t[0], &t[1], &t[0]), SPARSE_E_ALIAS);
        CHECK_RESULT(sparse_kron(&u, NULL, &t[1]), SPARSE_E_NULL);
        CHECK_RESULT(sparse_kron(&v, &t[0], &t[1]), SPARSE_E_DIMENSIONS);
        CHECK_RESULT(sparse_kron(&w, &t[0], &t[1]), SPARSE_E_VALUE_TYPE);
        for (size_t k = 0; k < 2; k++) sparse_free(&t[k]);
        sparse_free(&u), sparse_free(&v), sparse_free(&w);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Products of 2 and -3 with -3 in every value type, which wrap around in unsigned ones; of (2 + 4i) and (-3 - 6i) with
   (-3 - 6i) in complex ones. */
static void test_kron_values(void)
{
    const size_t two[1] = {2}, at[2] = {0, 1}, huge[1] = {SIZE_MAX / 2};
    const float parts[4] = {18, -24, -27, 36};
    const double wide[4] = {18, -24, -27, 36};
    for (unsigned kind = SPARSE_I8; kind <= SPARSE_OPAQUE; kind++) {
        const sparse_encoding e = encode("0c", 32, 64, (sparse_kind)kind);
        const size_t size = e.value_size;
        char a[2 * WIDEST], products[2 * WIDEST], *const b = a + size;
        sparse_tensor t = tensor_of(&e), u = tensor_of(&e), v = tensor_of(&e);
        put_number(&e, a, 2), put_number(&e, b, -3), put_number(&e, products, -6), put_number(&e, products + size, 9);
        if (kind == SPARSE_C64) memcpy(products, parts, sizeof parts);
        if (kind == SPARSE_C128) memcpy(products, wide, sizeof wide);
        name_subject(&e);
        CHECK_RESULT(sparse_pack_untyped(&t, two, 2, at, a, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        CHECK_RESULT(sparse_pack_untyped(&u, huge, 1, at, b, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
        CHECK_RESULT(sparse_kron(&v, &t, &u), kind == SPARSE_OPAQUE ? SPARSE_E_VALUE_TYPE : SPARSE_OK);
        if (kind != SPARSE_OPAQUE) {
            CHECK(v.dim[0] == 2 * huge[0] && v.val.length == 2 && memcmp(v.val.at, products, 2 * size) == 0);
            sparse_free(&t);
            CHECK_RESULT(sparse_pack_untyped(&t, huge, 1, at, b, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
            CHECK_RESULT(sparse_kron(&v, &t, &u), SPARSE_E_OVERFLOW);
        }
        sparse_free(&t), sparse_free(&u), sparse_free(&v);
    }
}

/* A size of 0 makes the product of sizes 0, also when the others overflow. */
static void test_no_volume(void)
{
    const size_t dims[][3] = {{8, SIZE_MAX / 2, 0}, {0, 8, SIZE_MAX / 2}, {8, 0, SIZE_MAX / 2}}, none[1] = {0};
    const sparse_encoding e = encode("0c 1c 2c", 64, 64, SPARSE_F64), flat = encode("0c", 64, 64, SPARSE_F64);
    name_subject(&e);
    for (size_t turn = 0; turn < 3; turn++) {
        sparse_tensor t = tensor_of(&e), line = tensor_of(&flat);
        CHECK_RESULT(sparse_pack_dense_untyped(&t, dims[turn], NULL), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&t, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_reshape(&line, none, &t), SPARSE_OK);
        CHECK(line.dim[0] == 0 && sparse_entries(&line) == 0);
        sparse_free(&t), sparse_free(&line);
    }
}

static void test_reshape(void)
{
    static truth x;
    static const size_t shapes[][3] = {{4, 6, 5}, {24, 5, 1}, {2, 60, 1}, {120, 1, 1}, {5, 4, 6}, {1, 120, 1}};
    static const char *const encodings[] = {"0c 1c 2c", "0d 1d 2c", "0cn 1sn 2s", "2d 0c 1d"};
    for (size_t turn = 0; turn < 100; turn++) {
        const sparse_encoding e = encode(encodings[turn % 4], 32, 32, SPARSE_F64), o = encode(encodings[random_below(4)], 32, 8, SPARSE_F64);
        const sparse_encoding flat = encode("0c", 8, 8, SPARSE_F64);
        const size_t *from = shapes[random_below(6)], *to = shapes[random_below(6)], line[1] = {120}, wrong[3] = {3, 3, 3};
        truth_random(&x, &e, from, 1 + random_below(6));
        sparse_tensor t = packed(&e, &x), u = tensor_of(&o), v = tensor_of(&flat);
        name_subject(&o);
        CHECK_RESULT(sparse_reshape(&u, to, &t), SPARSE_OK);
        expect(&u, (const double *)(const void *)x.dense, to);
        CHECK_RESULT(sparse_reshape(&v, line, &u), SPARSE_OK);
        expect(&v, (const double *)(const void *)x.dense, line);
        CHECK_RESULT(sparse_reshape(&u, to, &v), SPARSE_OK);
        expect(&u, (const double *)(const void *)x.dense, to);
        CHECK_RESULT(sparse_reshape(&u, wrong, &v), SPARSE_E_SHAPE);
        sparse_free(&t);
        sparse_free(&u);
        sparse_free(&v);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

static void test_transpose(void)
{
    static truth x;
    static double dense[4096];
    static const unsigned orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const char *const encodings[] = {"0c 1c 2c", "0d 1d 2c", "0cn 1sn 2s", "2d 0c 1d", "0/2d 2c 0%2d 1d"};
    for (size_t turn = 0; turn < 120; turn++) {
        const sparse_encoding e = encode(encodings[turn % 5], 32, 32, SPARSE_F64), o = encode(encodings[random_below(5)], 32, 8, SPARSE_F64);
        const size_t dim[3] = {random_below(6), random_below(7), random_below(8)};
        const unsigned *order = orders[turn % 6], bad[3] = {0, 1, 1};
        size_t size[3], i[3], k = 0;
        for (unsigned d = 0; d < 3; d++) size[d] = dim[order[d]];
        truth_random(&x, &e, dim, 1 + random_below(6));
        for (i[order[0]] = 0; i[order[0]] < size[0]; i[order[0]]++)
            for (i[order[1]] = 0; i[order[1]] < size[1]; i[order[1]]++)
                for (i[order[2]] = 0; i[order[2]] < size[2]; i[order[2]]++) dense[k++] = at(&e, &x, i);
        sparse_tensor t = packed(&e, &x), u = tensor_of(&o);
        name_subject(&o);
        CHECK_RESULT(sparse_transpose(&u, &t, order), SPARSE_OK);
        expect(&u, dense, size);
        CHECK_RESULT(sparse_transpose(&u, &t, bad), SPARSE_E_ARGUMENT);
        sparse_free(&t);
        sparse_free(&u);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* The arrays of a matrix stored in diagonals can be reinterpreted as its transpose, or as a tensor of its levels. The
   reverse of the latter is refused, as that tensor need not have the sizes of diagonals. */
static void test_reinterpret_diagonals(const char *by_rows, const char *by_columns, const char *plain, size_t rows, size_t columns)
{
    static truth x;
    const size_t dim[] = {rows, columns};
    const sparse_encoding e = encode(by_rows, 32, 32, SPARSE_F64), turned = encode(by_columns, 32, 32, SPARSE_F64);
    const sparse_encoding levels = encode(plain, 32, 32, SPARSE_F64);
    truth_random(&x, &e, dim, 2);
    sparse_tensor a = packed(&e, &x), b = tensor_of(&turned), c = tensor_of(&levels), d = tensor_of(&e);
    CHECK_RESULT(sparse_reinterpret_map(&b, &a), SPARSE_OK);
    CHECK(b.dim[0] == columns && b.dim[1] == rows);
    CHECK_RESULT(sparse_validate(&b, NULL), SPARSE_OK);
    SPARSE_FOREACH(k, &b)
    {
        const size_t i[2] = {k.dim[1], k.dim[0]};
        CHECK(memcmp(k.value, x.dense + 8 * truth_at(&x, i), 8) == 0);
    }
    CHECK_RESULT(sparse_reinterpret_map(&c, &a), SPARSE_OK);
    CHECK_RESULT(sparse_validate(&c, NULL), SPARSE_OK);
    if (rows > 1) CHECK_RESULT(sparse_reinterpret_map(&d, &c), SPARSE_E_SHAPE);
    sparse_free(&a);
    sparse_free(&b);
    sparse_free(&c);
    sparse_free(&d);
}

/* A matrix whose last blocks are cut off: the transpose has its sizes, other maps get whole blocks. */
static void test_reinterpret_blocks(const char *map, size_t rows, size_t columns, size_t swapped)
{
    static truth x;
    const size_t dim[] = {5, 7};
    const sparse_encoding bsr = encode("0/2d 1/2c 0%2d 1%2d", 32, 32, SPARSE_F64), e = encode(map, 32, 32, SPARSE_F64);
    truth_random(&x, &bsr, dim, 2);
    sparse_tensor a = packed(&bsr, &x), b = tensor_of(&e);
    name_subject(&e);
    CHECK_RESULT(sparse_reinterpret_map(&b, &a), SPARSE_OK);
    CHECK(b.dim[0] == rows && b.dim[1] == columns);
    CHECK_RESULT(sparse_validate(&b, NULL), SPARSE_OK);
    SPARSE_FOREACH(k, &b)
    {
        const size_t i[2] = {k.dim[swapped], k.dim[1 - swapped]};
        CHECK(e.level[2].dim != e.level[0].dim || memcmp(k.value, x.dense + 8 * truth_at(&x, i), 8) == 0);
    }
    sparse_free(&a);
    sparse_free(&b);
}

/* Document 003: a 3x4 matrix in CSC is a 4x3 matrix in CSR; a 6x12 matrix in 2x3 blocks is a 3x4x2x3 tensor. */
static void test_reinterpret(void)
{
    static truth x;
    const size_t n3x4[] = {3, 4}, n6x12[] = {6, 12};
    const sparse_encoding csc = encode("1d 0c", 32, 32, SPARSE_F64), csr = encode("0d 1c", 32, 32, SPARSE_F64);
    const sparse_encoding bsr = encode("0/2d 1/3c 0%2d 1%3d", 32, 32, SPARSE_F64), dsdd = encode("0d 1c 2d 3d", 32, 32, SPARSE_F64);
    const sparse_encoding bsr22 = encode("0/2d 1/2c 0%2d 1%2d", 32, 32, SPARSE_F64), narrow = encode("0d 1c", 32, 16, SPARSE_F64);
    truth_random(&x, &csc, n3x4, 2);
    sparse_tensor a = packed(&csc, &x), b = tensor_of(&csr), c = tensor_of(&dsdd), d = tensor_of(&bsr), n = tensor_of(&narrow), w = tensor_of(&bsr22);
    CHECK_RESULT(sparse_reinterpret_map(&b, &a), SPARSE_OK);
    CHECK(b.dim[0] == 4 && b.dim[1] == 3 && b.val.at == a.val.at);
    CHECK_RESULT(sparse_validate(&b, NULL), SPARSE_OK);
    SPARSE_FOREACH(k, &b)
    {
        const size_t i[2] = {k.dim[1], k.dim[0]};
        CHECK(memcmp(k.value, x.dense + 8 * truth_at(&x, i), 8) == 0);
    }
    CHECK_RESULT(sparse_reinterpret_map(&n, &a), SPARSE_E_ENCODING);
    CHECK_RESULT(sparse_reinterpret_map(&c, &a), SPARSE_E_ENCODING);
    CHECK_RESULT(sparse_reinterpret_map(&a, &a), SPARSE_E_ALIAS);
    sparse_free(&a);
    truth_random(&x, &bsr, n6x12, 4);
    a = packed(&bsr, &x);
    CHECK_RESULT(sparse_reinterpret_map(&c, &a), SPARSE_OK);
    CHECK(c.dim[0] == 3 && c.dim[1] == 4 && c.dim[2] == 2 && c.dim[3] == 3);
    CHECK_RESULT(sparse_validate(&c, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_reinterpret_map(&d, &c), SPARSE_OK);
    CHECK(d.dim[0] == 6 && d.dim[1] == 12);
    CHECK_RESULT(sparse_reinterpret_map(&w, &c), SPARSE_E_SHAPE);
    sparse_free(&a);
    sparse_free(&b);
    sparse_free(&c);
    sparse_free(&d);
    test_reinterpret_blocks("0/2d 1/2c 0%2d 1%2d", 5, 7, 0);
    test_reinterpret_blocks("1/2d 0/2c 1%2d 0%2d", 7, 5, 1);
    test_reinterpret_blocks("0/2d 1/2c 1%2d 0%2d", 6, 8, 0);
    test_reinterpret_diagonals("1-0c 0d", "0-1c 1d", "0c 1d", 3, 4);
    test_reinterpret_diagonals("1-0c 0d", "0-1c 1d", "0c 1d", 5, 2);
    test_reinterpret_diagonals("1-0c 0d", "0-1c 1d", "0c 1d", 0, 7);
    test_reinterpret_diagonals("0/2c 1-0c 0%2d", "1/2c 0-1c 1%2d", "0c 1c 2d", 5, 3);
    test_reinterpret_diagonals("0/2c 1-0c 0%2d", "1/2c 0-1c 1%2d", "0c 1c 2d", 4, 6);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static void test_queries(void)
{
    static truth x;
    static const size_t dim[3] = {3, 4, 5}, places[3] = {0, 26, 59};
    const sparse_encoding e = encode("0d 1cn 2s", 32, 16, SPARSE_F64), s = encode("0cn 1sa", 32, 32, SPARSE_F64), b = encode("0/2d 1/3c 0%2d 1%3d", 32, 32, SPARSE_F64);
    truth_of(&x, &e, dim, 3, places);
    sparse_tensor t = packed(&e, &x), none = tensor_of(&s), nothing = tensor_of(NULL);
    const sparse_view pos = sparse_positions(&t, 1), one = sparse_coordinates(&t, 1), two = sparse_coordinates(&t, 2), both = sparse_coordinates_buffer(&t);
    CHECK(pos.length == 4 && pos.bits == 32 && sparse_load(pos.at, pos.bits, 3) == 3);
    CHECK(one.length == 3 && two.length == 3 && one.stride == 2 && both.length == 6 && both.bits == 16);
    CHECK(sparse_load(one.at, 16, 2 * 2) == 3 && sparse_load(two.at, 16, 2 * 2) == 4 && sparse_load(both.at, 16, 5) == 4);
    CHECK(sparse_positions(&t, 0).length == 0 && sparse_coordinates(&t, 0).length == 0 && sparse_coordinates(&t, 3).length == 0);
    CHECK(sparse_values(&t).length == 3 && sparse_values(&t).at == t.val.at && sparse_coordinates_buffer(&none).length == 0);
    CHECK(sparse_coordinates_buffer(&nothing).length == 0 && sparse_positions(&nothing, 0).length == 0 && sparse_coordinates(&nothing, 0).length == 0);
    CHECK(sparse_lvl(&t, 1) == 4 && sparse_lvl(&t, 99) == 0 && sparse_dim(&t, 2) == 5 && sparse_dim(&t, 99) == 0);
    CHECK(sparse_storage_specifier(&t, SPARSE_LVL_SZ, 2) == 5 && sparse_storage_specifier(&t, SPARSE_POS_MEM_SZ, 1) == 4);
    CHECK(sparse_storage_specifier(&t, SPARSE_CRD_MEM_SZ, 1) == 6 && sparse_storage_specifier(&t, SPARSE_VAL_MEM_SZ, 0) == 3);
    CHECK(sparse_storage_specifier(&t, SPARSE_LVL_SZ, SPARSE_MAX_LEVELS) == 0 && sparse_storage_specifier(&t, SPARSE_POS_MEM_SZ, SPARSE_MAX_LEVELS) == 0);
    CHECK(sparse_storage_specifier(&t, SPARSE_CRD_MEM_SZ, SPARSE_MAX_LEVELS) == 0);
    size_t lvl[4], back[2];
    const size_t at57[2] = {5, 7};
    CHECK_RESULT(sparse_crd_translate(&b, SPARSE_DIM_TO_LVL, at57, 2, lvl), SPARSE_OK);
    CHECK(lvl[0] == 2 && lvl[1] == 2 && lvl[2] == 1 && lvl[3] == 1);
    CHECK_RESULT(sparse_crd_translate(&b, SPARSE_LVL_TO_DIM, lvl, 4, back), SPARSE_OK);
    CHECK(back[0] == 5 && back[1] == 7);
    CHECK_RESULT(sparse_crd_translate(&b, SPARSE_LVL_TO_DIM, lvl, 2, back), SPARSE_E_RANK);
    CHECK_RESULT(sparse_crd_translate(&b, SPARSE_DIM_TO_LVL, NULL, 2, back), SPARSE_E_NULL);
    int outside = 2; /* no constant, which C++ refuses */
    CHECK_RESULT(sparse_crd_translate(&b, (sparse_direction)outside, lvl, 4, back), SPARSE_E_ARGUMENT);
    sparse_free(&t);
}

static void test_insertion(void)
{
    for (size_t turn = 0; turn < 200; turn++) {
        const sparse_encoding e = encode(texts[turn % TEXTS], 32, 32, SPARSE_F64);
        const size_t dim[2] = {7, 9}, outside[2] = {7, 0}, count = random_below(80);
        double dense[63] = {0};
        sparse_tensor t = tensor_of(&e);
        sparse_insertion s = SPARSE_INSERTION(&t);
        name_subject(&e);
        CHECK_RESULT(sparse_insert_begin(&s, dim), SPARSE_OK);
        for (size_t k = 0; k < count; k++) {
            const size_t i[2] = {random_below(7), random_below(9)};
            const double v = (double)(1 + random_below(5));
            books.fail_at = turn % 3 ? 0 : books.calls + 1; /* a failure keeps all entries */
            const sparse_result result = sparse_insert_untyped(&s, i, &v);
            books.fail_at = 0;
            if (result == SPARSE_OK) dense[9 * i[0] + i[1]] += v;
            else CHECK(result == SPARSE_E_MEMORY);
        }
        CHECK_RESULT(sparse_insert_untyped(&s, outside, dense), SPARSE_E_COORDINATE);
        CHECK_RESULT(sparse_insert_end(&s, SPARSE_DUPLICATES_SUM), SPARSE_OK);
        expect(&t, dense, dim);
        sparse_free(&t);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
    sparse_buffer b = {NULL, 0, 0};
    int lent[2] = {0, 0};
    sparse_buffer borrowed = {lent, 2, 0};
    books.calls = 0;
    for (int k = 0; k < 1000; k++) CHECK_RESULT(sparse_push_back_untyped(&counting, &b, sizeof k, &k, k == 500 ? 3 : 1), SPARSE_OK);
    CHECK(b.length == 1002 && ((int *)b.at)[502] == 500 && ((int *)b.at)[1001] == 999 && books.calls < 25);
    CHECK_RESULT(sparse_push_back_untyped(&counting, &b, sizeof(int), lent, 0), SPARSE_E_ARGUMENT);
    CHECK_RESULT(sparse_push_back_untyped(&counting, &b, sizeof(int), lent, SIZE_MAX), SPARSE_E_OVERFLOW);
    CHECK_RESULT(sparse_push_back_untyped(&counting, &b, sizeof(int), lent, SIZE_MAX / 8), SPARSE_E_MEMORY);
    CHECK_RESULT(sparse_push_back_untyped(&counting, &borrowed, sizeof(int), lent, 1), SPARSE_E_ARGUMENT);
    while (b.length < b.capacity) CHECK_RESULT(sparse_push_back_untyped(&counting, &b, sizeof(int), lent, 1), SPARSE_OK);
    const size_t full = b.length; /* pushing moves the array */
    CHECK_RESULT(sparse_push_back_untyped(&counting, &b, sizeof(int), (int *)b.at + 502, 2), SPARSE_OK);
    CHECK(b.length == full + 2 && ((int *)b.at)[full] == 500 && ((int *)b.at)[full + 1] == 500);
    counting.resize(counting.context, b.at, b.capacity * sizeof(int), 0);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* Several threads, if available, insert entries into parts, without knowing the sizes. The result has all entries. Of
   entries at equal coordinates, the one in the last part is the last. */
static void test_parts(void)
{
    enum { PARTS = 5, EACH = 200 };
    static double dense[40 * 50], last[40 * 50];
    for (size_t turn = 0; turn < 120; turn++) {
        static size_t at[PARTS * EACH][2];
        static float number[PARTS * EACH];
        const sparse_encoding e = encode(texts[turn % TEXTS], 32, 32, SPARSE_F32);
        const size_t count = turn % 10 ? random_below(EACH) : 0, bound[2] = {40, 50};
        size_t dim[2] = {0, 0};
        bool right = true;
        float back[40 * 50];
        sparse_tensor t = tensor_of(&e);
        t.hooks = NULL; /* no account of memory */
        sparse_insertion s = SPARSE_INSERTION(&t), part[PARTS];
        memset(dense, 0, sizeof dense), memset(last, 0, sizeof last);
        name_subject(&e);
        for (size_t k = 0; k < PARTS * count; k++) {
            at[k][0] = random_below(40), at[k][1] = random_below(1 + random_below(50));
            number[k] = (float)(1 + random_below(9));
            for (unsigned d = 0; d < 2; d++) dim[d] = dim[d] > at[k][d] ? dim[d] : at[k][d] + 1;
        }
        CHECK_RESULT(sparse_insert_begin(&s, turn % 2 ? bound : NULL), SPARSE_OK);
        if (turn % 2) memcpy(dim, bound, sizeof dim);
        for (size_t k = 0; k < PARTS * count; k++) {
            dense[at[k][0] * dim[1] + at[k][1]] += (double)number[k];
            last[at[k][0] * dim[1] + at[k][1]] = (double)number[k];
        }
        for (size_t n = 1; n < PARTS; n++) CHECK_RESULT(sparse_insert_part(&part[n], &s), SPARSE_OK);
#ifdef _OPENMP
    #pragma omp parallel for reduction(&& : right)
#endif
        for (size_t n = 0; n < PARTS; n++)
            for (size_t k = n * count; k < (n + 1) * count; k++)
                right = right && !sparse_insert_untyped(n > 0 ? &part[n] : &s, at[k], &number[k]);
        CHECK(right);
        CHECK_RESULT(sparse_insert_join(&s, part + 1, PARTS - 1), SPARSE_OK);
        CHECK(s.values.length == PARTS * count && part[1].values.at == NULL);
        CHECK_RESULT(sparse_insert_end(&s, turn % 3 ? SPARSE_DUPLICATES_SUM : SPARSE_DUPLICATES_LAST), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
        CHECK(t.dim[0] == dim[0] && t.dim[1] == dim[1]);
        CHECK_RESULT(sparse_unpack_dense_untyped(&t, back), SPARSE_OK);
        for (size_t k = 0; k < dim[0] * dim[1]; k++) {
            const double wanted = turn % 3 ? dense[k] : last[k], got = (double)back[k];
            right = right && got <= wanted && got >= wanted;
        }
        CHECK(right);
        sparse_free(&t);
    }
    const sparse_encoding e = encode("0d 1c", 32, 32, SPARSE_F64);
    const size_t place[2] = {2, 3}, far[2] = {SIZE_MAX, 0};
    const double one = 1;
    sparse_tensor t = tensor_of(&e), u = tensor_of(&e);
    sparse_insertion s = SPARSE_INSERTION(&t), part = SPARSE_INSERTION(&t), other = SPARSE_INSERTION(&u);
    CHECK_RESULT(sparse_insert_begin(NULL, NULL), SPARSE_E_NULL);
    sparse_tensor none;
    memset(&none, 0, sizeof none);
    sparse_insertion vain = SPARSE_INSERTION(&none);
    CHECK_RESULT(sparse_insert_begin(&vain, NULL), SPARSE_E_NO_ENCODING);
    CHECK_RESULT(sparse_insert_end(&vain, SPARSE_DUPLICATES_SUM), SPARSE_E_BEGIN);
    sparse_insert_cancel(&vain);
    sparse_insert_cancel(NULL);
    CHECK_RESULT(sparse_insert_begin(&s, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_insert_part(&part, NULL), SPARSE_E_NULL);
    CHECK_RESULT(sparse_insert_part(&part, &s), SPARSE_OK);
    CHECK_RESULT(sparse_insert_untyped(&s, far, &one), SPARSE_E_OVERFLOW);
    CHECK_RESULT(sparse_insert_untyped(&s, place, &one), SPARSE_OK);
    CHECK_RESULT(sparse_insert_untyped(&part, place, &one), SPARSE_OK);
    CHECK_RESULT(sparse_insert_join(&s, &s, 1), SPARSE_E_ARGUMENT);
    CHECK_RESULT(sparse_insert_join(&s, &other, 1), SPARSE_E_ARGUMENT);
    books.fail_at = books.calls + 1;
    CHECK_RESULT(sparse_insert_join(&s, &part, 1), SPARSE_E_MEMORY);
    books.fail_at = 0;
    CHECK(s.values.length == 1 && part.values.length == 1);
    CHECK_RESULT(sparse_insert_join(&s, &part, 1), SPARSE_OK);
    CHECK_RESULT(sparse_insert_end(&s, SPARSE_DUPLICATES_ERROR), SPARSE_E_DUPLICATE);
    CHECK(s.values.at == NULL && t.val.length == 0);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static int compare_tuples(const uint16_t *x, const uint16_t *y)
{
    return x[1] != y[1] ? (x[1] < y[1] ? -1 : 1) : x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : 0;
}

/* Sorts by two keys, the second one first; a third number is no key; two arrays are permuted along. */
static void test_sort(void)
{
    static const unsigned order[] = {1, 0}, bad[] = {1, 1};
    enum { MANY = 3000 };
    static uint16_t xy[3 * MANY];
    static char small[MANY];
    static uint32_t index[MANY];
    static const size_t counts[] = {0, 1, 2, 3, 17, 100, MANY};
    for (size_t turn = 0; turn < 4 * 7 * 5; turn++) {
        const sparse_sort_kind kind = (sparse_sort_kind)(turn % 4);
        const size_t count = counts[turn / 4 % 7], pattern = turn / 28;
        const size_t n = kind == SPARSE_INSERTION_SORT_STABLE && count > 200 ? 200 : count;
        const sparse_buffer ys[2] = {{small, 1, MANY}, {index, 4, MANY}};
        sparse_sorting s = {xy, 3 * MANY, 16, 2, 1, order, ys, 2};
        bool right = true;
        for (size_t k = 0; k < n; k++) {
            xy[3 * k] = (uint16_t)(pattern == 0 ? random_below(65536) : pattern == 1 ? 7 : pattern == 2 ? k : pattern == 3 ? n - k : random_below(4));
            xy[3 * k + 1] = (uint16_t)(pattern == 0 ? random_below(9) : pattern < 4 ? 1 : random_below(4));
            index[k] = (uint32_t)k;
            xy[3 * k + 2] = (uint16_t)k;
            small[k] = (char)(k % 100);
        }
        CHECK_RESULT(sparse_sort(&s, n, kind), SPARSE_OK);
        uint64_t sum = 0;
        for (size_t k = 0; k < n; k++) {
            const int c = k > 0 ? compare_tuples(xy + 3 * k - 3, xy + 3 * k) : -1;
            right = right && c <= 0 && xy[3 * k + 2] == index[k] && small[k] == (char)(index[k] % 100);
            if (kind == SPARSE_INSERTION_SORT_STABLE && k > 0 && c == 0) right = right && index[k - 1] < index[k];
            sum += index[k];
        }
        CHECK(right && sum == (uint64_t)n * (n > 0 ? n - 1 : 0) / 2);
        s.order = bad;
        CHECK_RESULT(sparse_sort(&s, n, kind), SPARSE_E_ARGUMENT);
        s.order = NULL;
        s.bits = 12;
        CHECK_RESULT(sparse_sort(&s, n, kind), SPARSE_E_WIDTH);
        s.bits = 16;
        CHECK_RESULT(sparse_sort(&s, MANY + 1, kind), SPARSE_E_CAPACITY);
        CHECK_RESULT(sparse_sort(&s, SIZE_MAX, kind), SPARSE_E_OVERFLOW);
        s.keys = 0;
        CHECK_RESULT(sparse_sort(&s, n, kind), SPARSE_E_ARGUMENT);
    }
}

/* Swaps elements i and j of an array with elements of `size` bytes. */
static void swap_parts(void *array, size_t size, size_t i, size_t j)
{
    char hold[16], *x = (char *)array + i * size, *y = (char *)array + j * size;
    memcpy(hold, x, size);
    memmove(x, y, size);
    memcpy(y, hold, size);
}

static void test_reorder(void)
{
    static const char *const loose[] = {"0cno 1so", "1cno 0so", "0cno 1sno", "0cno 1soa"}, *const tight[] = {"0cn 1s", "1cn 0s", "0cn 1sn", "0cn 1sa"};
    for (size_t turn = 0; turn < 100; turn++) {
        const sparse_encoding from = encode(loose[turn % 4], 32, 16, SPARSE_F64), to = encode(tight[turn % 4], 32, 16, SPARSE_F64);
        const sparse_encoding other = encode(tight[(turn + 1) % 2], 32, 16, SPARSE_F64);
        const size_t dim[2] = {6, 5};
        static truth x;
        truth_random(&x, &from, dim, 1 + turn % 3);
        sparse_tensor t = packed(&from, &x), u = tensor_of(&to), v = tensor_of(&other);
        for (size_t k = t.val.length; k > 1; k--) { /* shuffle */
            const size_t j = random_below(k);
            for (unsigned l = 0; l < 2; l++) {
                const sparse_p_column c = sparse_p_crd(&from, &t, l);
                swap_parts(c.at, 2u * c.stride, k - 1, j);
                if (c.stride == 2) break;
            }
            swap_parts(t.val.at, 8, k - 1, j);
        }
        name_subject(&to);
        CHECK_RESULT(sparse_reorder_coo(&u, &t, (sparse_sort_kind)(turn + 4)), SPARSE_E_ARGUMENT);
        CHECK(u.val.length == 0);
        CHECK_RESULT(sparse_reorder_coo(&u, &t, (sparse_sort_kind)(turn / 4 % 4)), SPARSE_OK);
        expect(&u, (const double *)(const void *)x.dense, dim);
        if (turn % 4 < 2) CHECK_RESULT(sparse_reorder_coo(&v, &t, SPARSE_QUICK_SORT), SPARSE_E_ENCODING);
        sparse_free(&t);
        sparse_free(&u);
        sparse_free(&v);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

int main(void)
{
    test_slices();
    test_padding();
    test_concatenate();
    test_kron();
    test_kron_values();
    test_no_volume();
    test_reshape();
    test_transpose();
    test_reinterpret();
    test_queries();
    test_insertion();
    test_parts();
    test_sort();
    test_reorder();
    return report("test_operations");
}
