// eigen.cc: the team of Eigen, with the operations that it has.
#include "peers.h"

#include <Eigen/SparseCore>
#include <vector>

using rows_t = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using columns_t = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using dense_t = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using vector_t = Eigen::Map<Eigen::VectorXd>;

namespace {
rows_t a, b;
std::vector<Eigen::Triplet<double>> triplets;

rows_t copy(const bench_csr &m)
{
    return Eigen::Map<const rows_t>((Eigen::Index)m.rows, (Eigen::Index)m.columns, m.pos[m.rows], (const int *)m.pos,
                                    (const int *)m.crd, m.val);
}
void begin(const problem *p, const char *operation)
{
    if (p->a.rows) a = copy(p->a);
    if (p->b.rows) b = copy(p->b);
    if (strcmp(operation, "shuffled csr") == 0 || strcmp(operation, "coo csr") == 0)
        for (size_t k = 0; k < p->A.val.length; k++)
            triplets.emplace_back((int)CRD(p->A, 0)[k], (int)CRD(p->A, 1)[k], VAL(p->A)[k]);
}
void end()
{
    a = rows_t(), b = rows_t();
    std::vector<Eigen::Triplet<double>>().swap(triplets);
}
template <class matrix> void printed(double *result, const matrix &c)
{
    fingerprint(result, (size_t)c.nonZeros(), (const uint32_t *)c.innerIndexPtr(), c.valuePtr());
}
void spmv(void *context, double *result)
{
    const auto *p = (const problem *)context;
    vector_t(result, (Eigen::Index)p->a.rows).noalias() += a * vector_t(p->x, (Eigen::Index)p->a.columns);
}
void spmm(void *context, double *result)
{
    const auto *p = (const problem *)context;
    const auto k = (Eigen::Index)p->columns;
    Eigen::Map<dense_t>(result, (Eigen::Index)p->a.rows, k).noalias() +=
        a * Eigen::Map<const dense_t>(p->X, (Eigen::Index)p->a.columns, k);
}
void spgemm(void *, double *result)
{
    const rows_t c = a * b;
    printed(result, c);
}
void add(void *, double *result)
{
    const rows_t c = a + b;
    printed(result, c);
}
void masked(void *, double *result)
{
    const rows_t ab = a * b, c = a.cwiseProduct(ab);
    printed(result, c);
}
void transpose(void *, double *result)
{
    const columns_t c = a;
    printed(result, c);
}
void from_triplets(void *context, double *result)
{
    const auto *p = (const problem *)context;
    rows_t c((Eigen::Index)p->A.dim[0], (Eigen::Index)p->A.dim[1]);
    c.setFromTriplets(triplets.begin(), triplets.end());
    printed(result, c);
}
const peer peers[] = {{"spmv csr", "Eigen", spmv},      {"spmm", "Eigen", spmm},
                      {"spgemm", "Eigen", spgemm},      {"add", "Eigen", add},
                      {"masked", "Eigen", masked},      {"transpose", "Eigen", transpose},
                      {"coo csr", "Eigen", from_triplets}, {"shuffled csr", "Eigen", from_triplets},
                      {nullptr, nullptr, nullptr}};
} // namespace
extern "C" {
extern const contestants PEERS_TEAM;
const contestants PEERS_TEAM = {PEERS_NAME, false, contestants::TUNED, peers, begin, end, contestants::ONE_THREAD};
}
