/* arrays.cc: multiplies, in place, the arrays of std::vector and std::span; C++20. */
#include <cstdio>
#include <span>
#include <vector>
#include "sparse.h"

#define ROWS rows, ((i, j), (dense, i), (compressed(nonunique, nonordered), j)), double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(ROWS)
SPARSE_TENSOR(VEC)

SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, ROWS, i, j), (x, VEC, j)), y += A * x)

/* y(i) += A(i,j) * x(j), where the arrays are */
static sparse_result multiply(std::span<const int> rowptr, std::span<const int> colind,
                              std::span<const double> val, std::span<const double> x, std::span<double> y)
{
    const size_t dim[] = {y.size(), x.size()};
    rows A = SPARSE_INIT(rows);
    vec from = SPARSE_INIT(vec), to = SPARSE_INIT(vec);
    sparse_arrays a = {};
    a.pos[1] = SPARSE_ARRAY(rowptr.data(), rowptr.size());
    a.crd[1] = SPARSE_ARRAY(colind.data(), colind.size());
    a.val = SPARSE_ARRAY(val.data(), val.size());
    sparse_result r = sparse_assemble(&A.t, dim, &a, SPARSE_BORROW, nullptr);
    if (!r) r = vec_borrow(&from, &dim[1], x.data());
    if (!r) r = vec_borrow(&to, &dim[0], y.data());
    if (!r) r = spmv(&to, &A, &from);
    return r;
}

int main()
{
    const std::vector<int> rowptr = {0, 2, 2, 5}, colind = {3, 0, 2, 1, 0};
    const std::vector<double> val = {4, 1, 7, 6, 5}, x = {1, 10, 100, 1000};
    std::vector<double> y(3);
    const sparse_result r = multiply(rowptr, colind, val, x, y);
    if (r) std::fprintf(stderr, "%s\n", sparse_explain(r));
    else std::printf("%g %g %g\n", y[0], y[1], y[2]);
    return r != SPARSE_OK;
}
