/* solvers.c: compares the solver of examples/cg.c or examples/gmres.c with UMFPACK, for a right side whose solution is not
   known beforehand. company.sh compiles it with EXAMPLE, the name of that file, and runs it with a matrix. */
#define main example_main
#include EXAMPLE
#undef main
#include <umfpack.h>

/* Solves A u = f with UMFPACK, which takes compressed columns. It gets the rows of A, and solves with the transpose. */
static int solve_directly(const csr *A, double *u, const double *f)
{
    const int n = (int)A->t.dim[0], *const pos = (const int *)A->t.pos[1].at, *const crd = (const int *)A->t.crd[1].at;
    const double *const val = (const double *)A->t.val.at;
    void *symbolic = NULL, *numeric = NULL;
    int status = umfpack_di_symbolic(n, n, pos, crd, val, &symbolic, NULL, NULL);
    if (status == UMFPACK_OK) status = umfpack_di_numeric(pos, crd, val, symbolic, &numeric, NULL, NULL);
    if (status == UMFPACK_OK) status = umfpack_di_solve(UMFPACK_At, pos, crd, val, u, f, numeric, NULL, NULL);
    umfpack_di_free_symbolic(&symbolic);
    umfpack_di_free_numeric(&numeric);
    return status;
}

/* The incomplete factors that the solver uses: of the lower triangle, or of all stored entries of A. */
static sparse_result make_factors(csr *L, const csr *A)
{
#ifdef TRIANGLE
    const sparse_result result = triangle(L, A);
#else
    const sparse_result result = sparse_copy(&L->t, &A->t);
#endif
    return result ? result : factor(L);
}

int main(int argc, char **argv)
{
    csr A = SPARSE_INIT(csr), L = SPARSE_INIT(csr);
    vec f = SPARSE_INIT(vec), u = SPARSE_INIT(vec), v = SPARSE_INIT(vec);
    double most = 0, apart = 0, square = 0;
    size_t steps = 0;
    int status = argc != 2;
    sparse_result result = status ? SPARSE_E_ARGUMENT : sparse_read(&A.t, argv[1], NULL);
    if (!result) result = sparse_allocate_dense(&f.t, A.t.dim);
    if (!result) result = sparse_allocate_dense(&v.t, A.t.dim);
    for (size_t i = 0; !result && i < f.t.val.length; i++) vec_values(&f)[i] = sin((double)(i + 1));
    if (!result) result = make_factors(&L, &A);
    if (!result) result = solve(&A, &L, &u, &f, 1e-12, &steps);
    if (!result) result = dot(&square, &u, &u); /* NaN if the matrix has no such factors; fmax would ignore the NaN */
    if (!result) status = solve_directly(&A, vec_values(&v), vec_values(&f));
    if (!result) result = furthest(&most, &v, 0);
    if (!result) result = add(&v, -1, &u);
    if (!result) result = furthest(&apart, &v, 0);
    printf("%zu steps; the largest difference from UMFPACK is %.1e, the largest displacement %.1e\n", steps, apart, most);
    sparse_free(&A.t), sparse_free(&L.t), sparse_free(&f.t), sparse_free(&u.t), sparse_free(&v.t);
    return result || status || !(square > 0 && apart <= 1e-6 * most);
}
