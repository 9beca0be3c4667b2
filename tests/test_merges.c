/* test_merges.c: loops over several operands: unions of bitmaps with compressed levels and with each other, intersections of
   intersections, and lines with the greatest number of loops.

   Prints failures, then one line; exits with 1 if there was a failure. */
#include "sparse.h"
#include "oracle.h"

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define BITS bits, SPARSE_BITMAP_ROWS, double, 32, 16
#define SIX  six, ((a, b, c, d, e, f), (dense, a), (dense, b), (dense, c), (dense, d), (dense, e), (dense, f)), double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(BITS)
SPARSE_TENSOR(SIX)

SPARSE_KERNEL(bits_or_list, (i, j), (y, VEC, i), any((A, BITS, i, j), (B, CSR, i, j)), y += 2 * A + B)
SPARSE_KERNEL(bits_or_bits, (i, j), (y, VEC, i), any((A, BITS, i, j), (B, BITS, i, j)), y += 2 * A + B)
SPARSE_KERNEL(bits_or_list_ahead, (i, j), (C, CSR, i, j), any((A, BITS, i, j), (B, CSR, i, j)), C = 2 * A + B)
SPARSE_KERNEL(both_and_both, (i, j), (y, VEC, i), all(all((A, CSR, i, j), (u, SVEC, j)), all((B, CSR, i, j), (v, SVEC, j))),
              y += A * B * u * v)
SPARSE_KERNEL(loops_of_9, (a, b, c, d, e, f, g, h, i), (s, double), all((x, SIX, a, b, c, d, e, f), (y, SIX, d, e, f, g, h, i)), s += x * y)
SPARSE_KERNEL(loops_of_10, (a, b, c, d, e, f, g, h, i, j), (s, double), all((x, SIX, a, b, c, d, e, f), (y, SIX, e, f, g, h, i, j)),
              s += x * y)
SPARSE_KERNEL(loops_of_11, (a, b, c, d, e, f, g, h, i, j, k), (s, double), all((x, SIX, a, b, c, d, e, f), (y, SIX, f, g, h, i, j, k)),
              s += x * y)
SPARSE_KERNEL(loops_of_12, (a, b, c, d, e, f, g, h, i, j, k, l), (s, double), all((x, SIX, a, b, c, d, e, f), (y, SIX, g, h, i, j, k, l)),
              s += x * y)

enum { COLUMNS = 70 }; /* more than one word of a bitmap has bits */

static void pack_random(sparse_tensor *t, const size_t *dim, double *dense, size_t volume, size_t of)
{
    for (size_t k = 0; k < volume; k++) dense[k] = random_below(of) == 0 ? (double)(1 + random_below(9)) : 0;
    CHECK_RESULT(sparse_pack_dense_untyped(t, dim, dense), SPARSE_OK);
}

static void test_matrices(void)
{
    static double a[8 * COLUMNS], b[8 * COLUMNS], u[COLUMNS], v[COLUMNS], sum[8], product[8], unite[8 * COLUMNS], back[8 * COLUMNS];
    for (size_t turn = 0; turn < 300; turn++) {
        const size_t dim[2] = {1 + random_below(8), 1 + random_below(COLUMNS)}, volume = dim[0] * dim[1], of = 1 + random_below(12);
        bits A = SPARSE_INIT(bits), D = SPARSE_INIT(bits);
        csr B = SPARSE_INIT(csr), C = SPARSE_INIT(csr), E = SPARSE_INIT(csr);
        svec U = SPARSE_INIT(svec), V = SPARSE_INIT(svec);
        vec y = SPARSE_INIT(vec);
        pack_random(&A.t, dim, a, volume, of);
        pack_random(&B.t, dim, b, volume, 1 + random_below(12));
        pack_random(&U.t, dim + 1, u, dim[1], 1 + random_below(3));
        pack_random(&V.t, dim + 1, v, dim[1], 1 + random_below(3));
        CHECK_RESULT(sparse_convert(&D.t, &B.t), SPARSE_OK);
        CHECK_RESULT(sparse_convert(&C.t, &A.t), SPARSE_OK);
        for (size_t i = 0; i < dim[0]; i++) {
            sum[i] = product[i] = 0;
            for (size_t j = 0, k = i * dim[1]; j < dim[1]; j++, k++) {
                unite[k] = 2 * a[k] + b[k];
                sum[i] += unite[k];
                product[i] += a[k] * b[k] * u[j] * v[j];
            }
        }
        CHECK_RESULT(bits_or_list(&y, &A, &B), SPARSE_OK);
        CHECK(memcmp(y.t.val.at, sum, dim[0] * sizeof *sum) == 0);
        sparse_free(&y.t);
        CHECK_RESULT(bits_or_bits(&y, &A, &D), SPARSE_OK);
        CHECK(memcmp(y.t.val.at, sum, dim[0] * sizeof *sum) == 0);
        sparse_free(&y.t);
        CHECK_RESULT(both_and_both(&y, &C, &U, &B, &V), SPARSE_OK);
        CHECK(memcmp(y.t.val.at, product, dim[0] * sizeof *sum) == 0);
        CHECK_RESULT(bits_or_list_ahead(&E, &A, &B), SPARSE_OK);
        CHECK_RESULT(sparse_unpack_dense_untyped(&E.t, back), SPARSE_OK);
        CHECK(memcmp(back, unite, volume * sizeof *back) == 0);
        sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t), sparse_free(&E.t);
        sparse_free(&U.t), sparse_free(&V.t), sparse_free(&y.t);
    }
}

/* The expected sum of x * y over `loops` loops of size 2; x has the indices of the first 6 loops, y those of the last 6. */
static double sum_over(unsigned loops, const double *x, const double *y)
{
    double sum = 0;
    for (size_t k = 0; k < (size_t)1 << loops; k++) sum += x[k >> (loops - 6)] * y[k & 63];
    return sum;
}
static void test_loops(void)
{
    const size_t dim[6] = {2, 2, 2, 2, 2, 2};
    double x[64], y[64], sum = 0;
    six X = SPARSE_INIT(six), Y = SPARSE_INIT(six);
    pack_random(&X.t, dim, x, 64, 2);
    pack_random(&Y.t, dim, y, 64, 2);
    CHECK(loops_of_9(&sum, &X, &Y) == SPARSE_OK && sum == sum_over(9, x, y));
    sum = 0;
    CHECK(loops_of_10(&sum, &X, &Y) == SPARSE_OK && sum == sum_over(10, x, y));
    sum = 0;
    CHECK(loops_of_11(&sum, &X, &Y) == SPARSE_OK && sum == sum_over(11, x, y));
    sum = 0;
    CHECK(loops_of_12(&sum, &X, &Y) == SPARSE_OK && sum == sum_over(12, x, y));
    sparse_free(&X.t), sparse_free(&Y.t);
}

int main(void)
{
    test_matrices();
    test_loops();
    return report("test_merges");
}
