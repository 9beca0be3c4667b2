/* cg.c: computes how far a structure bends, with conjugate gradients on a stiffness matrix.

       cg [matrix.mtx [tolerance]]

   Solves A u = f for a symmetric positive definite A, twice: with the diagonal of A as preconditioner, and with an
   incomplete Cholesky factor, A ~ L L', with the pattern of the lower triangle of A (Hestenes and Stiefel 1952; Saad
   2003, algorithm 9.1 and section 10.3). The load is f = A * 1, so every displacement should be 1, which the program checks.
   With -fopenmp, all cores multiply. */
#include <math.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)

SPARSE_KERNEL(fill, (i), (x, VEC, i), all((number, double)), x = number)
SPARSE_KERNEL(diagonal, (i, j), (D, CSR, i, j), all((A, CSR, i, j)), D = sqrt(A); has_D = i == j)
SPARSE_KERNEL(triangle, (i, j), (L, CSR, i, j), all((A, CSR, i, j)), L = A; has_L = j <= i)
SPARSE_KERNEL(multiply, (parallel(i), j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(subtract, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y -= A * x)
SPARSE_KERNEL(add, (i), (y, VEC, i), all((alpha, double), (x, VEC, i)), y += alpha * x)
SPARSE_KERNEL(dot, (i), (s, double), all((x, VEC, i), (y, VEC, i)), s += x * y)
SPARSE_KERNEL(copy, (i), (z, VEC, i), all((r, VEC, i)), z = r)
SPARSE_KERNEL(turn, (i), (p, VEC, i), all((z, VEC, i), (beta, double)), p = z + beta * p)
SPARSE_KERNEL(sum, (i, j), (s, double), all((L, CSR, i, j)), s += L)
SPARSE_KERNEL(furthest, (i), (most, double), all((x, VEC, i), (from, double)), most = fmax(most, fabs(x - from)))

/* L with L L' ~ A, in place of the lower triangle of A; z = L^-1 z and z = L'^-1 z, also for a diagonal L */
SPARSE_KERNEL(factor, (i, j, k), update(L, CSR, i, j), all(current(P, L, CSR, i, k), current(Q, L, CSR, j, k)),
              if (k < j) L -= P * Q; else L = j < i ? L / Q : sqrt(L))
SPARSE_KERNEL(forward, (i, j), (z, VEC, i), all((L, CSR, i, j), current(before, z, VEC, j)),
              if (j < i) z -= L * before; else z /= L)
SPARSE_KERNEL(backward, (down(i), down(j)), (z, VEC, j), all((L, CSR, i, j), current(after, z, VEC, i)),
              if (j < i) z -= L * after; else z /= L)

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

/* Solves A u = f from u = 0, until the residual is `tolerance` times the first one; L L' is the preconditioner. */
static sparse_result solve(const csr *A, const csr *L, vec *u, const vec *f, double tolerance, size_t *steps)
{
    vec r = SPARSE_INIT(vec), z = SPARSE_INIT(vec), p = SPARSE_INIT(vec), q = SPARSE_INIT(vec);
    double rho = 0, norm = 0, start = 0;
    sparse_result result;
    TRY(sparse_allocate_dense(&u->t, f->t.dim));
    TRY(sparse_allocate_dense(&p.t, f->t.dim));
    TRY(sparse_copy(&r.t, &f->t));
    TRY(dot(&start, &r, &r));
    norm = start;
    for (*steps = 0; norm > tolerance * tolerance * start && *steps < 100 * f->t.dim[0]; ++*steps) {
        double pq = 0, last = rho;
        if (*steps % 50 == 0) printf("  step %5zu   residual %.1e\n", *steps, sqrt(norm / start));
        rho = norm = 0;
        TRY(copy(&z, &r));
        TRY(forward(&z, L));
        TRY(backward(&z, L));
        TRY(dot(&rho, &r, &z));
        TRY(turn(&p, &z, *steps ? rho / last : 0)); /* the next direction, conjugate to all earlier ones */
        sparse_zero(&q.t);
        TRY(multiply(&q, A, &p));                   /* q = A p, a force */
        TRY(dot(&pq, &p, &q));
        TRY(add(u, rho / pq, &p));                  /* the step that balances the forces along p */
        TRY(add(&r, -rho / pq, &q));
        TRY(dot(&norm, &r, &r));
    }
    printf("  step %5zu   residual %.1e\n", *steps, sqrt(norm / start));
done:
    sparse_free(&r.t), sparse_free(&z.t), sparse_free(&p.t), sparse_free(&q.t);
    return result;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/plate.mtx";
    const double tolerance = argc > 2 ? strtod(argv[2], NULL) : 1e-10;
    csr A = SPARSE_INIT(csr), D = SPARSE_INIT(csr), L = SPARSE_INIT(csr);
    vec ones = SPARSE_INIT(vec), f = SPARSE_INIT(vec), u = SPARSE_INIT(vec);
    double before = 0, after = 0, error = 0, finite = 0;
    size_t slow = 0, steps = 0;
    sparse_io_error trouble = {0};
    sparse_result result = sparse_read(&A.t, path, &(sparse_read_options){.error = &trouble});
    if (result) goto done;
    printf("%s: %zu x %zu, %zu entries\n", path, A.t.dim[0], A.t.dim[1], sparse_entries(&A.t));
    TRY(sparse_allocate_dense(&ones.t, A.t.dim));
    TRY(fill(&ones, 1));
    TRY(multiply(&f, &A, &ones));
    TRY(dot(&before, &f, &f));
    TRY(diagonal(&D, &A));
    TRY(solve(&A, &D, &u, &f, tolerance, &slow));
    TRY(triangle(&L, &A));
    TRY(factor(&L));
    TRY(sum(&finite, &L));
    if (isfinite(finite)) {
        sparse_free(&u.t);
        TRY(solve(&A, &L, &u, &f, tolerance, &steps));
    }
    TRY(subtract(&f, &A, &u));
    TRY(dot(&after, &f, &f));
    TRY(furthest(&error, &u, 1));
    printf("true residual |f - A u| / |f| = %.1e after %zu steps, largest error |u - 1| = %.1e\n",
           sqrt(after / before), isfinite(finite) ? steps : slow, error);
    if (isfinite(finite)) printf("%zu steps with the incomplete factor, %zu with the diagonal\n", steps, slow);
    else puts("this matrix has no incomplete factor: a square root would be of a negative number");
done:
    if (result) fprintf(stderr, "cg: %s\n", trouble.result ? trouble.message : sparse_explain(result));
    sparse_free(&A.t), sparse_free(&D.t), sparse_free(&L.t);
    sparse_free(&ones.t), sparse_free(&f.t), sparse_free(&u.t);
    return result != SPARSE_OK || !(after <= 1e-12 * before);
}
