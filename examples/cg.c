/* cg.c: how far a structure bends: conjugate gradients on a stiffness matrix.

       cg [matrix.mtx [tolerance]]

   Solves A u = f for a symmetric positive definite A. The preconditioner is the diagonal of A (Hestenes and Stiefel
   1952; Saad 2003, algorithm 9.1). The load is f = A * 1, so every displacement should be 1, which the program checks.
   With -fopenmp, all cores multiply. */
#include <math.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)

SPARSE_KERNEL(fill, (i), (x, VEC, i), all((number, double)), x = number)
SPARSE_KERNEL(diagonal, (i, j), (d, VEC, i), all((A, CSR, i, j)), if (i == j) d = A)
SPARSE_KERNEL(multiply, (parallel(i), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(subtract, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y -= A * x)
SPARSE_KERNEL(add, (i), (y, VEC, i), all((alpha, double), (x, VEC, i)), y += alpha * x)
SPARSE_KERNEL(dot, (i), (s, double), all((x, VEC, i), (y, VEC, i)), s += x * y)
SPARSE_KERNEL(dot_scaled, (i), (s, double), all((r, VEC, i), (d, VEC, i)), s += r * r / d)
SPARSE_KERNEL(turn, (i), (p, VEC, i), all((r, VEC, i), (d, VEC, i), (beta, double)), p = r / d + beta * p)
SPARSE_KERNEL(furthest, (i), (most, double), all((x, VEC, i), (from, double)), most = fmax(most, fabs(x - from)))

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

/* Solves A u = f from u = 0, until the norm of the residual has shrunk by `tolerance`. */
static sparse_result solve(const csr *A, vec *u, const vec *f, double tolerance, size_t *steps)
{
    vec d = SPARSE_INIT(vec), r = SPARSE_INIT(vec), p = SPARSE_INIT(vec), q = SPARSE_INIT(vec);
    double rho = 0, norm = 0, start = 0;
    sparse_result result;
    TRY(sparse_allocate_dense(&u->t, f->t.dim));
    TRY(sparse_allocate_dense(&p.t, f->t.dim));
    TRY(sparse_copy(&r.t, &f->t));
    TRY(diagonal(&d, A));
    TRY(turn(&p, &r, &d, 0));
    TRY(dot_scaled(&rho, &r, &d));
    TRY(dot(&start, &r, &r));
    norm = start;
    for (*steps = 0; norm > tolerance * tolerance * start && *steps < 100 * f->t.dim[0]; ++*steps) {
        double pq = 0, last = rho;
        if (*steps % 50 == 0) printf("  step %5zu   residual %.1e\n", *steps, sqrt(norm / start));
        sparse_zero(&q.t);
        TRY(multiply(&q, A, &p));               /* q = A p, a force */
        TRY(dot(&pq, &p, &q));
        TRY(add(u, last / pq, &p));             /* the step that balances the forces along p */
        TRY(add(&r, -last / pq, &q));
        rho = norm = 0;
        TRY(dot_scaled(&rho, &r, &d));
        TRY(dot(&norm, &r, &r));
        TRY(turn(&p, &r, &d, rho / last));      /* the next direction, conjugate to all before */
    }
    printf("  step %5zu   residual %.1e\n", *steps, sqrt(norm / start));
done:
    sparse_free(&d.t), sparse_free(&r.t), sparse_free(&p.t), sparse_free(&q.t);
    return result;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/plate.mtx";
    const double tolerance = argc > 2 ? strtod(argv[2], NULL) : 1e-10;
    csr A = SPARSE_INIT(csr);
    vec ones = SPARSE_INIT(vec), f = SPARSE_INIT(vec), u = SPARSE_INIT(vec);
    double before = 0, after = 0, error = 0;
    size_t steps = 0;
    sparse_io_error trouble = {0};
    sparse_result result = sparse_read(&A.t, path, &(sparse_read_options){.error = &trouble});
    if (result) goto done;
    printf("%s: %zu x %zu, %zu entries\n", path, A.t.dim[0], A.t.dim[1], sparse_entries(&A.t));
    TRY(sparse_allocate_dense(&ones.t, A.t.dim));
    TRY(fill(&ones, 1));
    TRY(multiply(&f, &A, &ones));
    TRY(dot(&before, &f, &f));
    TRY(solve(&A, &u, &f, tolerance, &steps));
    TRY(subtract(&f, &A, &u));
    TRY(dot(&after, &f, &f));
    TRY(furthest(&error, &u, 1));
    printf("true residual |f - A u| / |f| = %.1e after %zu steps, largest error |u - 1| = %.1e\n",
           sqrt(after / before), steps, error);
done:
    if (result) fprintf(stderr, "cg: %s\n", trouble.result ? trouble.message : sparse_explain(result));
    sparse_free(&A.t), sparse_free(&ones.t), sparse_free(&f.t), sparse_free(&u.t);
    return result != SPARSE_OK || !(after <= 1e-12 * before);
}
