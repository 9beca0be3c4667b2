/* eigen.cc: Eigen and the kit use each other's arrays, without a copy.

       eigen [matrix.mtx]

   The kit reads a stiffness matrix A into CSR. Eigen sees it as an Eigen::Map, factors it and solves A u = f.
   In the other direction, a kernel multiplies a matrix and a vector of Eigen. */
#include <Eigen/SparseCholesky>
#include <cstdio>
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

using matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>; /* with indices of type int */

/* The tensor as a matrix of Eigen, without a copy. */
static Eigen::Map<const matrix> map(const csr &A)
{
    return {static_cast<Eigen::Index>(A.t.dim[0]),     static_cast<Eigen::Index>(A.t.dim[1]),
            static_cast<Eigen::Index>(A.t.val.length), static_cast<const int *>(A.t.pos[1].at),
            static_cast<const int *>(A.t.crd[1].at),   static_cast<const double *>(A.t.val.at)};
}

/* A = Eigen's matrix, without a copy. It must be compressed and sorted, which is Eigen's default. */
static sparse_result borrow(csr &A, const matrix &M)
{
    const size_t dim[] = {static_cast<size_t>(M.rows()), static_cast<size_t>(M.cols())};
    const size_t entries = static_cast<size_t>(M.nonZeros());
    sparse_arrays a = {};
    if (!M.isCompressed()) return SPARSE_E_LENGTH;
    a.pos[1] = SPARSE_ARRAY(M.outerIndexPtr(), dim[0] + 1);
    a.crd[1] = SPARSE_ARRAY(M.innerIndexPtr(), entries);
    a.val = SPARSE_ARRAY(M.valuePtr(), entries);
    return sparse_assemble(&A.t, dim, &a, SPARSE_BORROW, nullptr);
}
static sparse_result borrow(vec &v, const Eigen::VectorXd &x)
{
    const size_t n = static_cast<size_t>(x.size());
    sparse_arrays a = {};
    a.val = SPARSE_ARRAY(x.data(), n);
    return sparse_assemble(&v.t, &n, &a, SPARSE_BORROW, nullptr);
}

int main(int argc, char **argv)
{
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    double solved = 1, multiplied = 1;
    bool shared = false;
    sparse_result r = sparse_read(&A.t, argc > 1 ? argv[1] : "examples/data/plate.mtx", nullptr);
    if (!r) {
        const Eigen::Map<const matrix> M = map(A);
        const Eigen::VectorXd ones = Eigen::VectorXd::Ones(M.cols());
        const Eigen::SparseMatrix<double> columns = M; /* Eigen factors matrices by columns */
        const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(columns);
        solved = (factors.solve(M * ones) - ones).norm() / ones.norm();

        const matrix square = M * M; /* computed by Eigen */
        const Eigen::VectorXd from = Eigen::VectorXd::LinSpaced(M.cols(), 1, 2);
        Eigen::VectorXd to = Eigen::VectorXd::Zero(M.rows());
        r = borrow(B, square);
        if (!r) r = borrow(x, from);
        if (!r) r = borrow(y, to);
        if (!r) r = spmv(&y, &B, &x);
        multiplied = (to - square * from).norm() / to.norm();
        shared = M.valuePtr() == A.t.val.at && B.t.val.at == square.valuePtr() &&
                 B.t.crd[1].at == square.innerIndexPtr() && B.t.pos[1].at == square.outerIndexPtr() &&
                 y.t.val.at == to.data();
    }
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&x.t), sparse_free(&y.t);
    if (r)
        std::fprintf(stderr, "eigen: %s\n", sparse_explain(r));
    else
        std::printf("solved by Eigen: error %.0e; Eigen's product: difference %.0e; arrays %s\n", solved,
                    multiplied, shared ? "the same" : "copied");
    return r || !(solved < 1e-8) || !(multiplied < 1e-14) || !shared;
}
