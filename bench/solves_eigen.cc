// solves_eigen.cc: triangular solves by Eigen, for solves.c.
#include <Eigen/SparseCore>
#include <cstdint>

template <int Order> using matrix_t = Eigen::SparseMatrix<double, Order, int>;

template <int Order, unsigned Triangle>
static void solve(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    const Eigen::Map<const matrix_t<Order>> T((Eigen::Index)n, (Eigen::Index)n, pos[n], (const int *)pos, (const int *)crd,
                                              val);
    Eigen::Map<Eigen::VectorXd> v(x, (Eigen::Index)n);
    T.template triangularView<Triangle>().solveInPlace(v);
}

extern "C" {
void eigen_lower_rows(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    solve<Eigen::RowMajor, Eigen::Lower>(n, pos, crd, val, x);
}
void eigen_lower_columns(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    solve<Eigen::ColMajor, Eigen::Lower>(n, pos, crd, val, x);
}
void eigen_upper_rows(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    solve<Eigen::RowMajor, Eigen::Upper>(n, pos, crd, val, x);
}
void eigen_upper_columns(size_t n, const uint32_t *pos, const uint32_t *crd, const double *val, double *x)
{
    solve<Eigen::ColMajor, Eigen::Upper>(n, pos, crd, val, x);
}
}
