/* test_cplusplus.cc: the headers in C++17, with features that C lacks: value types with operators, namespaces,
   references. */
#include "sparse.h"
#include "sparse_io.h"

#include "sparse.h" /* may be included twice */

#include <complex>
#include <vector>

#include "oracle.h"

/* A value type with operators: numbers modulo 7. */
struct residue {
    unsigned n;
    residue &operator+=(residue other)
    {
        n = (n + other.n) % 7;
        return *this;
    }
};
static residue operator*(residue a, residue b) { return residue{a.n * b.n % 7}; }
static bool operator==(residue a, residue b) { return a.n == b.n; }

namespace kit
{
#define CSR  csr, SPARSE_CSR, double, 32, 16
#define VEC  vec, SPARSE_DENSE_1D, double, 8, 8
#define SVEC svec, SPARSE_VECTOR, double, 64, 64
#define RCSC rcsc, SPARSE_CSC, residue, 16, 16
#define RVEC rvec, SPARSE_DENSE_1D, residue, 16, 16
#define ZVEC zvec, SPARSE_VECTOR, std::complex<float>, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(RCSC)
SPARSE_TENSOR(RVEC)
SPARSE_TENSOR(ZVEC)
using function = double (*)(double);
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(modulo, (j, i), (y, RVEC, i), all((A, RCSC, i, j), (x, RVEC, j)), y += A * x)
SPARSE_KERNEL(merge, (i), (y, VEC, i), any((a, SVEC, i), (b, SVEC, i)), y = a + 10 * b + 100 * has_b)
SPARSE_KERNEL(apply, (i), update(a, SVEC, i), all((f, function)), a = f(a))
SPARSE_KERNEL(collect, (i), (s, std::vector<double> *), all((a, SVEC, i)),
              s->push_back(a + static_cast<double>(i)))
SPARSE_KERNEL(energy, (i), (s, float), any((a, ZVEC, i), (b, ZVEC, i)), s += std::norm(a + b))
} // namespace kit

namespace
{
/* a type that other files do not see, and one of another namespace in the same line */
#define OURS   ours, SPARSE_CSR, double, 32, 16
#define THEIRS kit::csr, SPARSE_CSR, double, 32, 16
SPARSE_TENSOR(OURS)
SPARSE_KERNEL(total, (i, j), from(0, s, double), any((A, OURS, i, j), (B, THEIRS, i, j)), s += A + B)
} // namespace

static bool is(double x, double y) { return x <= y && x >= y; }

/* Frees the tensor in its destructor, so that a failed check cannot leak. */
template <class T> struct owned : T {
    explicit owned(const sparse_encoding &e) : T() { this->t.encoding = &e, this->t.hooks = &counting; }
    owned(const owned &) = delete;
    owned &operator=(const owned &) = delete;
    ~owned() { sparse_free(&this->t); }
    template <class V> const V *values() const { return static_cast<const V *>(this->t.val.at); }
};

static void test_initialisers()
{
    kit::csr A = SPARSE_INIT(kit::csr), B = {};
    CHECK(A.t.encoding == &kit::csr_encoding && A.t.val.at == nullptr && B.t.encoding == nullptr);
    CHECK(kit::csr_encoding.kind == SPARSE_F64 && kit::rcsc_encoding.kind == SPARSE_OPAQUE);
    CHECK(kit::zvec_encoding.kind == SPARSE_OPAQUE && kit::zvec_encoding.value_size == 8);
    sparse_free(&A.t), sparse_free(&B.t);
}

static void test_namespaces()
{
    const size_t n[] = {2, 3};
    const double a[] = {1, 0, 2, 0, 3, 0}, b[] = {0, 4, 5, 0, 0, 6};
    owned<ours> A(ours_encoding);
    owned<kit::csr> B(kit::csr_encoding);
    CHECK(ours_pack_dense(&A, n, a) == SPARSE_OK && kit::csr_pack_dense(&B, n, b) == SPARSE_OK);
    double sum = -1;
    CHECK(total(&sum, &A, &B) == SPARSE_OK && is(sum, 21));
}

static void test_kernels()
{
    const size_t n3[] = {3}, n2x3[] = {2, 3};
    const double a[] = {1, 0, 2, 0, 3, 0}, b[] = {4, 5, 6}, c[] = {0, 7, 0};
    const residue r[] = {{1}, {0}, {2}, {0}, {3}, {0}}, s[] = {{4}, {5}, {6}};
    owned<kit::csr> A(kit::csr_encoding);
    owned<kit::vec> x(kit::vec_encoding), y(kit::vec_encoding), z(kit::vec_encoding);
    owned<kit::svec> u(kit::svec_encoding), v(kit::svec_encoding);
    owned<kit::rcsc> R(kit::rcsc_encoding);
    owned<kit::rvec> p(kit::rvec_encoding), q(kit::rvec_encoding);
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, n2x3, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&x.t, n3, b), SPARSE_OK);
    CHECK_RESULT(kit::spmv(&y, &A, &x), SPARSE_OK);
    CHECK(is(y.values<double>()[0], 16) && is(y.values<double>()[1], 15));
    CHECK_RESULT(kit::spmv(&y, &A, &y), SPARSE_E_SHAPE);
    CHECK_RESULT(sparse_pack_dense_untyped(&R.t, n2x3, r), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&p.t, n3, s), SPARSE_OK);
    CHECK_RESULT(kit::modulo(&q, &R, &p), SPARSE_OK);
    CHECK(q.values<residue>()[0] == residue{2} && q.values<residue>()[1] == residue{1});
    CHECK_RESULT(sparse_pack_dense_untyped(&u.t, n3, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&v.t, n3, c), SPARSE_OK);
    CHECK_RESULT(kit::merge(&z, &u, &v), SPARSE_OK);
    CHECK(is(z.values<double>()[0], 4) && is(z.values<double>()[1], 175) && is(z.values<double>()[2], 6));
    CHECK_RESULT(kit::apply(&v, [](double t) { return -t; }), SPARSE_OK);
    CHECK(is(v.values<double>()[0], -7));
    std::vector<double> list, *to = &list;
    CHECK_RESULT(kit::collect(&to, &u), SPARSE_OK);
    CHECK(list.size() == 3 && is(list[0], 4) && is(list[1], 6) && is(list[2], 8));
}

static void test_complex()
{
    const size_t n[] = {4}, at[] = {1, 3};
    const std::complex<float> a[] = {{3, 4}, {1, 0}}, b[] = {{0, 2}};
    owned<kit::zvec> u(kit::zvec_encoding), v(kit::zvec_encoding);
    float s = 0;
    CHECK_RESULT(sparse_pack_untyped(&u.t, n, 2, at, a, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(sparse_pack_untyped(&v.t, n, 1, at + 1, b, SPARSE_DUPLICATES_ERROR), SPARSE_OK);
    CHECK_RESULT(kit::energy(&s, &u, &v), SPARSE_OK);
    CHECK(is(static_cast<double>(s), 25 + 5));
}

static void test_iterators()
{
    const size_t n[] = {5}, n2x3[] = {2, 3};
    const double a[] = {1, 0, 2, 0, 3, 0}, b[] = {0, 1, 2, 0, 3}, c[] = {4, 5, 0, 0, 6};
    owned<kit::csr> A(kit::csr_encoding);
    owned<kit::svec> u(kit::svec_encoding), v(kit::svec_encoding);
    double sum = 0;
    size_t common = 0, all = 0;
    CHECK_RESULT(sparse_pack_dense_untyped(&A.t, n2x3, a), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&u.t, n, b), SPARSE_OK);
    CHECK_RESULT(sparse_pack_dense_untyped(&v.t, n, c), SPARSE_OK);
    SPARSE_FOREACH(at, &A.t)
    sum += SPARSE_VALUE(at, double) * static_cast<double>(10 * at.dim[0] + at.dim[1]);
    CHECK(is(sum, 4 + 33));
    sparse_level_iterator i = sparse_level_begin(&u.t, 0, 0), j = sparse_level_begin(&v.t, 0, 0);
    SPARSE_COITERATE(m, i, j) common += m.has_a && m.has_b, all++;
    CHECK(common == 2 && all == 4);
}

int main()
{
    test_initialisers();
    test_namespaces();
    test_kernels();
    test_complex();
    test_iterators();
    CHECK(books.live == 0 && books.mistakes == 0);
    return report("test_cplusplus");
}
