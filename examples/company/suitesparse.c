/* suitesparse.c: assembles a matrix, and solves with CSparse, CHOLMOD and UMFPACK on the arrays of the kit. Kernels
   multiply products that CSparse and CHOLMOD compute.

       suitesparse [n]

   The matrix of the Laplace operator on a grid of n x n squares is assembled from one 4 x 4 matrix for each
   square (bilinear elements), plus the identity, so that it is positive definite. */
#include <math.h>
#include <stdio.h>
#include <cholmod.h>
#include <cs.h>
#include <umfpack.h>
#include "sparse.h"

#define CSC csc, SPARSE_CSC, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
/* columns as CSparse stores them: the rows of a column are unsorted and unique */
#define COLUMNS columns, ((i, j), (dense, j), (compressed(nonunique, nonordered), i)), double, 32, 32
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(COLUMNS)
SPARSE_KERNEL(fill, (i), (x, VEC, i), all((number, double)), x = number)
SPARSE_KERNEL(multiply, (j, i), (y, VEC, i), all((A, CSC, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(multiply_columns, (j, i), (y, VEC, i), all((A, COLUMNS, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(farthest, (i), (most, double), all((x, VEC, i), (y, VEC, i)), most = fmax(most, fabs(x - y)))

/* A = the sum of the matrices of all squares */
static sparse_result assemble(csc *A, size_t n)
{
    static const double square[4][4] = {{4, -1, -1, -2}, {-1, 4, -2, -1}, {-1, -2, 4, -1}, {-2, -1, -1, 4}};
    const size_t nodes = (n + 1) * (n + 1), count = 16 * n * n + nodes, dim[] = {nodes, nodes};
    size_t *const at = malloc(2 * count * sizeof *at), k = 0;
    double *const value = malloc(count * sizeof *value);
    sparse_result r = at && value ? SPARSE_OK : SPARSE_E_MEMORY;
    for (size_t s = 0; !r && s < n * n; s++)
        for (size_t entry = 0; entry < 16; entry++, k++) {
            const size_t a = entry / 4, b = entry % 4, corner = s / n * (n + 1) + s % n;
            at[2 * k] = corner + a / 2 * (n + 1) + a % 2;
            at[2 * k + 1] = corner + b / 2 * (n + 1) + b % 2;
            value[k] = square[a][b] / 6;
        }
    for (size_t node = 0; !r && node < nodes; node++, k++) at[2 * k] = at[2 * k + 1] = node, value[k] = 1;
    if (!r) r = sparse_pack_untyped(&A->t, dim, count, at, value, SPARSE_DUPLICATES_SUM);
    free(at), free(value);
    return r;
}

/* x = A \ f by each of the three libraries, on the tensor's own arrays; returns whether it succeeded. */
static cs_di as_cs(const csc *A)
{
    const int n = (int)A->t.dim[1];
    return (cs_di){(int)A->t.val.length, (int)A->t.dim[0], n, A->t.pos[1].at,
                   A->t.crd[1].at,       A->t.val.at,      -1};
}
static bool solve_csparse(const csc *A, const double *f, double *x)
{
    const cs_di M = as_cs(A);
    memcpy(x, f, A->t.dim[0] * sizeof *x);
    return cs_di_cholsol(1, &M, x);
}
static cholmod_sparse as_cholmod(const csc *A)
{
    const size_t n = A->t.dim[1];
    return (cholmod_sparse){.nrow = A->t.dim[0],
                            .ncol = n,
                            .nzmax = A->t.val.length,
                            .p = A->t.pos[1].at,
                            .i = A->t.crd[1].at,
                            .x = A->t.val.at,
                            .stype = -1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}
static bool solve_cholmod(const csc *A, const double *f, double *x)
{
    const size_t n = A->t.dim[0];
    cholmod_common c;
    cholmod_start(&c);
    cholmod_sparse M = as_cholmod(A);
    cholmod_dense b = {.nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = (void *)f, .xtype = CHOLMOD_REAL};
    cholmod_factor *L = cholmod_analyze(&M, &c);
    cholmod_dense *u = L && cholmod_factorize(&M, L, &c) ? cholmod_solve(CHOLMOD_A, L, &b, &c) : NULL;
    const bool solved = u && c.status == CHOLMOD_OK;
    if (solved) memcpy(x, u->x, n * sizeof *x);
    cholmod_free_dense(&u, &c), cholmod_free_factor(&L, &c), cholmod_finish(&c);
    return solved;
}
static bool solve_umfpack(const csc *A, const double *f, double *x)
{
    const int n = (int)A->t.dim[0], *const p = A->t.pos[1].at, *const i = A->t.crd[1].at;
    const double *const val = A->t.val.at;
    void *symbolic = NULL, *numeric = NULL;
    int status = umfpack_di_symbolic(n, n, p, i, val, &symbolic, NULL, NULL);
    if (!status) status = umfpack_di_numeric(p, i, val, symbolic, &numeric, NULL, NULL);
    if (!status) status = umfpack_di_solve(UMFPACK_A, p, i, val, x, f, numeric, NULL, NULL);
    umfpack_di_free_symbolic(&symbolic), umfpack_di_free_numeric(&numeric);
    return !status;
}

/* y = (A A) x, where CSparse computes A A, and a kernel reads its arrays in place */
static sparse_result square_by_csparse(vec *y, const csc *A, const vec *x)
{
    const cs_di M = as_cs(A);
    cs_di *const square = cs_di_multiply(&M, &M);
    if (!square) return SPARSE_E_MEMORY;
    const size_t entries = (size_t)square->p[square->n];
    const sparse_arrays a = {.pos[1] = SPARSE_ARRAY(square->p, (size_t)square->n + 1),
                             .crd[1] = SPARSE_ARRAY(square->i, entries),
                             .val = SPARSE_ARRAY(square->x, entries)};
    columns C = SPARSE_INIT(columns);
    sparse_result r = sparse_assemble(&C.t, A->t.dim, &a, SPARSE_BORROW, NULL);
    if (!r) r = multiply_columns(y, &C, x);
    cs_di_spfree(square);
    return r;
}

/* y = (A A) x, where CHOLMOD computes A A, and sorts it on request. */
static sparse_result square_by_cholmod(vec *y, const csc *A, const vec *x)
{
    cholmod_common c;
    cholmod_start(&c);
    cholmod_sparse M = as_cholmod(A), *square = cholmod_ssmult(&M, &M, 0, true, true, &c);
    sparse_result r = square ? SPARSE_OK : SPARSE_E_MEMORY;
    csc C = SPARSE_INIT(csc);
    if (!r) {
        const int *const p = square->p, *const i = square->i;
        const double *const x_values = square->x;
        const size_t entries = (size_t)p[square->ncol];
        const sparse_arrays a = {.pos[1] = SPARSE_ARRAY(p, square->ncol + 1),
                                 .crd[1] = SPARSE_ARRAY(i, entries),
                                 .val = SPARSE_ARRAY(x_values, entries)};
        r = sparse_assemble(&C.t, A->t.dim, &a, SPARSE_BORROW, NULL);
    }
    if (!r) r = multiply(y, &C, x);
    cholmod_free_sparse(&square, &c), cholmod_finish(&c);
    return r;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*solve)(const csc *, const double *, double *);
    } solver[] = {{"CSparse", solve_csparse}, {"CHOLMOD", solve_cholmod}, {"UMFPACK", solve_umfpack}};
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 30;
    csc A = SPARSE_INIT(csc);
    vec x = SPARSE_INIT(vec), ones = SPARSE_INIT(vec), f = SPARSE_INIT(vec), g = SPARSE_INIT(vec),
        y = SPARSE_INIT(vec);
    static const struct {
        const char *name;
        sparse_result (*multiply)(vec *, const csc *, const vec *);
    } square[] = {{"CSparse", square_by_csparse}, {"CHOLMOD", square_by_cholmod}};
    bool right = n > 0;
    sparse_result r = assemble(&A, n);
    if (!r) r = sparse_allocate_dense(&ones.t, A.t.dim);
    if (!r) r = sparse_allocate_dense(&x.t, A.t.dim);
    if (!r) r = sparse_allocate_dense(&y.t, A.t.dim);
    if (!r) r = fill(&ones, 1);
    if (!r) r = multiply(&f, &A, &ones);
    for (size_t k = 0; !r && k < sizeof solver / sizeof *solver; k++) {
        double error = solver[k].solve(&A, f.t.val.at, x.t.val.at) ? 0 : HUGE_VAL;
        r = farthest(&error, &x, &ones);
        right = right && error < 1e-10;
        printf("%s: error %.0e\n", solver[k].name, error);
    }
    if (!r) r = multiply(&g, &A, &f);
    for (size_t k = 0; !r && k < sizeof square / sizeof *square; k++) {
        double difference = 0;
        r = fill(&y, 0);
        if (!r) r = square[k].multiply(&y, &A, &ones);
        if (!r) r = farthest(&difference, &g, &y);
        right = right && difference < 1e-12;
        printf("product of %s: difference %.0e\n", square[k].name, difference);
    }
    if (r) fprintf(stderr, "suitesparse: %s\n", sparse_explain(r));
    sparse_free(&A.t), sparse_free(&x.t), sparse_free(&ones.t), sparse_free(&f.t), sparse_free(&g.t),
        sparse_free(&y.t);
    return r || !right;
}
