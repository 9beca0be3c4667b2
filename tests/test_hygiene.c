/* test_hygiene.c: kernels amid names of the user's own. Macros of a capital letter and of plain words,
   globals and operands that are called what a kernel might call something inside: none of it may matter. */
#include "oracle.h"

#include "sparse.h"

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define COO  coo, SPARSE_COO, double, 16, 16
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(COO)

#define A          1
#define B          2
#define C          3
#define D          4
#define E          5
#define F          6
#define G          7
#define H          8
#define I          9
#define J          10
#define K          11
#define L          12
#define M          13
#define N          14
#define O          15
#define P          16
#define Q          17
#define R          18
#define S          19
#define T          20
#define U          21
#define V          22
#define W          23
#define X          24
#define Y          25
#define Z          26
#define few        44
#define full       45
#define leaf       46
#define many       47
#define no         48
#define odd        49
#define scalar     50
#define sequential 51
#define stored     52
#define tensor     53
#define alone      54
#define deep       55

static size_t size = 1, result = 2, operand = 3, in = 4, it = 5, at = 6, high = 7, low = 8, found = 9,
              step = 10;

SPARSE_KERNEL(product, (i, j), (y, VEC, i), all((mat, CSR, i, j), (x, VEC, j)), y += mat * x)
SPARSE_KERNEL(list, (i, j), (y, VEC, i), all((mat, COO, i, j), (x, VEC, j)), y += mat * x)
SPARSE_KERNEL(either, (i), (y, VEC, i), any((x, SVEC, i), all((v, SVEC, i), none((k, SVEC, i)))), y += x + v)
SPARSE_KERNEL(names, (i), (result, double), any((size, SVEC, i), (operand, SVEC, i), (count, double)),
              result += size + operand)
SPARSE_KERNEL(more_names, (i), update(index, SVEC, i), all((access, SVEC, i), (name, double)),
              index += access * name)

static void test(void)
{
    const size_t n3[] = {3}, n2x3[] = {2, 3};
    const double matrix[] = {1, 0, 2, 0, 3, 0}, one[] = {4, 5, 6}, two[] = {0, 7, 0}, three[] = {1, 1, 0};
    double sum = 1;
    csr mat = SPARSE_INIT(csr);
    coo list_mat = SPARSE_INIT(coo);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec), v = SPARSE_INIT(vec);
    svec r = SPARSE_INIT(svec), s = SPARSE_INIT(svec), k = SPARSE_INIT(svec);
    CHECK_RESULT(sparse_pack_dense(&mat.t, n2x3, matrix), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&list_mat.t, n2x3, matrix), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&x.t, n3, one), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&r.t, n3, one), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&s.t, n3, two), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense(&k.t, n3, three), SPARSE_OK);
    CHECK_RESULT(product(&y, &mat, &x), SPARSE_OK);
    CHECK(number_at(&vec_encoding, y.t.val.at) > 15.5 && number_at(&vec_encoding, y.t.val.at) < 16.5);
    CHECK_RESULT(list(&y, &list_mat, &x), SPARSE_OK);
    CHECK(number_at(&vec_encoding, y.t.val.at) > 31.5 && number_at(&vec_encoding, y.t.val.at) < 32.5);
    CHECK_RESULT(either(&v, &s, &r, &k), SPARSE_OK);
    CHECK(number_at(&vec_encoding, (double *)v.t.val.at + 2) > 5.5 &&
          number_at(&vec_encoding, v.t.val.at) < 0.5);
    CHECK_RESULT(names(&sum, &r, &s, 0), SPARSE_OK);
    CHECK(sum > 22.5 && sum < 23.5);
    CHECK_RESULT(more_names(&s, &r, 2), SPARSE_OK);
    CHECK(number_at(&vec_encoding, s.t.val.at) > 16.5 && number_at(&vec_encoding, s.t.val.at) < 17.5);
    CHECK(size + result + operand + in + it + at + high + low + found + step == 55);
    sparse_free(&mat.t), sparse_free(&list_mat.t), sparse_free(&x.t), sparse_free(&y.t), sparse_free(&v.t);
    sparse_free(&r.t), sparse_free(&s.t), sparse_free(&k.t);
}

int main(void)
{
    test();
    return report("test_hygiene");
}
