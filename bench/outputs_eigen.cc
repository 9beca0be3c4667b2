// outputs_eigen.cc: products by Eigen, for outputs.c.
#include <Eigen/SparseCore>
#include <cstdint>

using rows_t = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

extern "C" {
void *eigen_open(size_t rows, size_t columns, const uint32_t *pos, const uint32_t *crd, const double *val)
{
    return new rows_t(Eigen::Map<const rows_t>((Eigen::Index)rows, (Eigen::Index)columns, pos[rows], (const int *)pos,
                                               (const int *)crd, val));
}
void eigen_close(void *matrix) { delete (rows_t *)matrix; }
size_t eigen_multiply(const void *a, const void *b, const uint32_t **crd, const double **val)
{
    static rows_t c;
    c = rows_t();
    c = *(const rows_t *)a * *(const rows_t *)b;
    *crd = (const uint32_t *)c.innerIndexPtr();
    *val = c.valuePtr();
    return (size_t)c.nonZeros();
}
}
