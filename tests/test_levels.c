/* test_levels.c: the user-defined level type of triangle.h. Tensors with it are packed, walked, validated, converted,
   printed, and are operands and results of kernels.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "triangle.h"
#include "sparse.h"
#include "sparse_io.h"
#include "oracle.h"

#define TRIANGLE triangle, ((i, j), (dense, i), (triangle, j)), double, 32, 32
#define BLOCKS blocks, ((i, j), (dense, floordiv(i, 2)), (triangle, floordiv(j, 2)), (dense, mod(i, 2)), (dense, mod(j, 2))), double, 32, 32
#define CSR csr, SPARSE_CSR, double, 32, 32
SPARSE_TENSOR(TRIANGLE)
SPARSE_TENSOR(BLOCKS)
SPARSE_TENSOR(CSR)

static void test_triangle(const sparse_encoding *e, size_t block)
{
    static double dense[64], back[64];
    for (size_t turn = 0; turn < 200; turn++) {
        const size_t dim[2] = {random_below(8), random_below(8)}, volume = dim[0] * dim[1];
        sparse_tensor t = tensor_of(e), u = tensor_of(e), c = tensor_of(&csr_encoding);
        size_t walked = 0, nonzeros = 0;
        bool equal = false, right = true;
        sparse_report where;
        for (size_t k = 0; k < volume; k++) {
            const size_t i = k / dim[1], j = k % dim[1];
            dense[k] = j / block <= i / block && random_below(3) ? (double)(1 + random_below(9)) : 0;
            nonzeros += dense[k] > 0;
        }
        name_subject(e);
        CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, dense), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&t, &where), SPARSE_OK);
        SPARSE_FOREACH(at, &t)
        {
            right = right && at.dim[1] / block <= at.dim[0] / block && SPARSE_VALUE(at, double) <= dense[at.dim[0] * dim[1] + at.dim[1]];
            walked++;
        }
        CHECK(right && walked >= nonzeros);
        CHECK_RESULT(sparse_unpack_dense_untyped(&t, back), SPARSE_OK);
        CHECK(volume == 0 || memcmp(back, dense, volume * sizeof *dense) == 0);
        CHECK_RESULT(sparse_convert(&c, &t), SPARSE_OK);
        CHECK(sparse_entries(&c) == nonzeros);
        CHECK_RESULT(sparse_convert(&u, &c), SPARSE_OK);
        CHECK(u.val.length == t.val.length && (t.val.length == 0 || memcmp(u.val.at, t.val.at, t.val.length * sizeof *dense) == 0));
        CHECK_RESULT(sparse_equal(&t, &c, 0, &equal), SPARSE_OK);
        CHECK(equal);
        if (t.val.length > 0) {
            t.val.length--;
            CHECK_RESULT(sparse_validate(&t, &where), SPARSE_E_LENGTH);
            t.val.length++;
        }
        if (dim[0] > 0 && dim[1] > block) { /* elements above the diagonal cannot be stored */
            const size_t above[2] = {0, dim[1] - 1};
            const double one = 1;
            CHECK_RESULT(sparse_pack_untyped(&u, dim, 1, above, &one, SPARSE_DUPLICATES_SUM), SPARSE_E_FULL);
            CHECK(u.val.length == 0);
        }
        sparse_free(&t), sparse_free(&u), sparse_free(&c);
        CHECK(books.live == 0 && books.mistakes == 0);
    }
}

/* Reads a sorted file, an unsorted one, and one with an entry above the diagonal, which is refused. */
static void test_file(void)
{
    static const char sorted[] = "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n3 1 2\n3 3 4\n",
                      unsorted[] = "%%MatrixMarket matrix coordinate real general\n3 3 3\n3 3 4\n1 1 1\n3 1 2\n",
                      above[] = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n1 3 2\n";
    const double stored[6] = {1, 0, 0, 2, 0, 4};
    sparse_tensor t = tensor_of(&triangle_encoding);
    CHECK_RESULT(sparse_read_memory(&t, sorted, sizeof sorted - 1, NULL), SPARSE_OK);
    CHECK(t.val.length == 6 && memcmp(t.val.at, stored, sizeof stored) == 0);
    CHECK_RESULT(sparse_read_memory(&t, unsorted, sizeof unsorted - 1, NULL), SPARSE_OK);
    CHECK(t.val.length == 6 && memcmp(t.val.at, stored, sizeof stored) == 0);
    CHECK_RESULT(sparse_validate(&t, NULL), SPARSE_OK);
    CHECK_RESULT(sparse_read_memory(&t, above, sizeof above - 1, NULL), SPARSE_E_FULL);
    sparse_free(&t);
    CHECK(books.live == 0 && books.mistakes == 0);
}

/* The iterator's seek and locate, in rows of different lengths. */
static void test_iterator(void)
{
    const size_t dim[2] = {4, 3};
    const double a[12] = {1, 0, 0, 2, 3, 0, 4, 5, 6, 7, 8, 9};
    sparse_tensor t = tensor_of(&triangle_encoding);
    CHECK_RESULT(sparse_pack_dense_untyped(&t, dim, a), SPARSE_OK);
    CHECK(t.val.length == 9);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            sparse_level_iterator at = sparse_level_begin(&t, 1, i);
            const bool stored = sparse_level_locate(&at, j);
            CHECK(stored == (j <= i && j < 3));
            CHECK(!stored || ((double *)t.val.at)[at.position] >= (double)j);
        }
    sparse_encoding e = triangle_encoding;
    e.level[0].type = SPARSE_COMPRESSED;
    CHECK_RESULT(sparse_encoding_check(&e), SPARSE_E_PROPERTY);
    FILE *out = tmpfile();
    char text[400] = "";
    CHECK(out != NULL);
    if (out) {
        CHECK_RESULT(sparse_print(&t, out), SPARSE_OK);
        rewind(out);
        CHECK(fread(text, 1, sizeof text - 1, out) > 0);
        CHECK(strstr(text, "values : ( 1, 2, 3, 4, 5, 6, 7, 8, 9 )") != NULL);
        fclose(out);
    }
    sparse_free(&t);
}

/* >>kernels: a triangle drives a loop, is looked up at the entries of another operand, is merged, is an operand of none(),
   and is a result */
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(product, (i, j), from(0, y, VEC, i), all((A, TRIANGLE, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(common, (i, j), (s, double), all((A, TRIANGLE, i, j), (B, CSR, i, j)), s += A * B)
SPARSE_KERNEL(sum, (i, j), (C, CSR, i, j), any((A, TRIANGLE, i, j), (B, CSR, i, j)), C += 2 * A + B)
SPARSE_KERNEL(others, (i, j), (C, CSR, i, j), all(none((A, TRIANGLE, i, j)), (B, CSR, i, j)), C += B)
SPARSE_KERNEL(masked, (i, j), (D, TRIANGLE, i, j), all((A, TRIANGLE, i, j), (B, CSR, i, j)), D = A * B)
SPARSE_KERNEL(side_by_side, (parallel(i), j), from(0, y, VEC, i), all((A, TRIANGLE, i, j), (B, CSR, i, j)), y += A * B)

static void test_kernels(void)
{
    for (size_t turn = 0; turn < 200; turn++) {
        const size_t dim[2] = {random_below(9), random_below(9)};
        static double a[81], b[81], sums[81], rest[81], products[81], x[9], y[9], z[9];
        double s = 0, wanted = 0;
        for (size_t k = 0; k < dim[0] * dim[1]; k++) {
            const bool lower = k % dim[1] <= k / dim[1];
            a[k] = lower && random_below(3) ? (double)(1 + random_below(9)) : 0;
            b[k] = random_below(2) ? (double)(1 + random_below(9)) : 0;
            sums[k] = 2 * a[k] + b[k];
            rest[k] = lower ? 0 : b[k];
            products[k] = a[k] * b[k];
            wanted += a[k] * b[k];
        }
        for (size_t j = 0; j < dim[1]; j++) x[j] = (double)random_below(9);
        for (size_t i = 0; i < dim[0]; i++) {
            y[i] = z[i] = 0;
            for (size_t j = 0; j < dim[1]; j++) y[i] += a[i * dim[1] + j] * x[j], z[i] += a[i * dim[1] + j] * b[i * dim[1] + j];
        }
        triangle A = SPARSE_INIT(triangle), D = SPARSE_INIT(triangle);
        csr B = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
        vec X = SPARSE_INIT(vec), Y = SPARSE_INIT(vec);
        double back[81];
        CHECK_RESULT(sparse_pack_dense_untyped(&A.t, dim, a), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&B.t, dim, b), SPARSE_OK);
        CHECK_RESULT(sparse_pack_dense_untyped(&X.t, &dim[1], x), SPARSE_OK);
        CHECK_RESULT(sparse_allocate_dense(&Y.t, dim), SPARSE_OK);
        CHECK_RESULT(product(&Y, &A, &X), SPARSE_OK);
        CHECK(dim[0] == 0 || memcmp(Y.t.val.at, y, dim[0] * sizeof *y) == 0);
        CHECK_RESULT(side_by_side(&Y, &A, &B), SPARSE_OK);
        CHECK(dim[0] == 0 || memcmp(Y.t.val.at, z, dim[0] * sizeof *z) == 0);
        CHECK_RESULT(common(&s, &A, &B), SPARSE_OK);
        CHECK(!(s < wanted) && !(s > wanted));
        CHECK_RESULT(sum(&C, &A, &B), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&C.t, back), SPARSE_OK);
        CHECK(dim[0] * dim[1] == 0 || memcmp(back, sums, dim[0] * dim[1] * sizeof *back) == 0);
        CHECK_RESULT(others(&C, &A, &B), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&C.t, back), SPARSE_OK);
        CHECK(dim[0] * dim[1] == 0 || memcmp(back, rest, dim[0] * dim[1] * sizeof *back) == 0);
        CHECK_RESULT(masked(&D, &A, &B), SPARSE_OK);
        CHECK_RESULT(sparse_validate(&D.t, NULL), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&D.t, back), SPARSE_OK);
        CHECK(dim[0] * dim[1] == 0 || memcmp(back, products, dim[0] * dim[1] * sizeof *back) == 0);
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t), sparse_free(&X.t), sparse_free(&Y.t);
    }
}

int main(void)
{
    test_kernels();
    test_triangle(&triangle_encoding, 1);
    test_triangle(&blocks_encoding, 2);
    test_file();
    test_iterator();
    return report("test_levels");
}
