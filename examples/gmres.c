/* gmres.c: solves an unsymmetric system of equations: heat that a wind carries away.

       gmres [matrix.mtx [tolerance]]

   Solves A u = f by GMRES, restarted after 30 steps (Saad 2003, algorithms 6.9 and 9.5), twice: without preconditioner,
   and with an incomplete factorisation A ~ L U with the pattern of A on the right (algorithm 10.4). Without a file, A is the
   diffusion and transport of heat on a square of 48 x 48 points, in a wind along x. The load is f = A * 1, so every
   temperature should be 1, which the program checks. */
#include <math.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)

SPARSE_KERNEL(fill, (i), (x, VEC, i), all((number, double)), x = number)
SPARSE_KERNEL(multiply, (i, j), from(0, y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(subtract, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y -= A * x)
SPARSE_KERNEL(add, (i), (y, VEC, i), all((alpha, double), (x, VEC, i)), y += alpha * x)
SPARSE_KERNEL(scale, (i), (y, VEC, i), all((alpha, double), (x, VEC, i)), y = alpha * x)
SPARSE_KERNEL(dot, (i), (s, double), all((x, VEC, i), (y, VEC, i)), s += x * y)
SPARSE_KERNEL(furthest, (i), (most, double), all((x, VEC, i), (from, double)), most = fmax(most, fabs(x - from)))
SPARSE_KERNEL(diagonals, (i, j), (count, size_t), all((A, CSR, i, j)), count += i == j)

/* A becomes L below the diagonal and U elsewhere; the diagonal of L is 1 and not stored. z = L^-1 z, z = U^-1 z */
SPARSE_KERNEL(factor, (i, k, j), update(A, CSR, i, j), all(current(L, A, CSR, i, k), current(U, A, CSR, k, j)),
              if (k >= i || j < k) continue; if (j == k) A /= U; else A -= L * U)
SPARSE_KERNEL(forward, (i, j), (z, VEC, i), all((A, CSR, i, j), current(before, z, VEC, j)), if (j < i) z -= A * before)
SPARSE_KERNEL(backward, (down(i), down(j)), (z, VEC, i), all((A, CSR, i, j), current(after, z, VEC, j)),
              if (j > i) z -= A * after; else if (j == i) z /= A)

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)
enum { RESTART = 30, SIDE = 48 };

/* z = U^-1 L^-1 x; without factors z = x */
static sparse_result precondition(vec *z, const csr *factors, const vec *x)
{
    sparse_result result = scale(z, 1, x);
    if (!result && factors) result = forward(z, factors);
    if (!result && factors) result = backward(z, factors);
    return result;
}

/* Applies the rotations c, s so far to the new column h[0 to j + 1], and one more, which makes its last element 0. */
static void rotate(double *h, double *c, double *s, double *g, size_t j)
{
    for (size_t i = 0; i < j; i++) {
        const double a = h[i];
        h[i] = c[i] * a + s[i] * h[i + 1], h[i + 1] = c[i] * h[i + 1] - s[i] * a;
    }
    const double length = sqrt(h[j] * h[j] + h[j + 1] * h[j + 1]);
    c[j] = h[j] / length, s[j] = h[j + 1] / length;
    h[j] = length, g[j + 1] = -s[j] * g[j], g[j] *= c[j];
}

/* Solves A u = f from u = 0, until the norm of the residual is `tolerance` times the first one. */
static sparse_result solve(const csr *A, const csr *factors, vec *u, const vec *f, double tolerance, size_t *steps)
{
    vec v[RESTART + 1], z = SPARSE_INIT(vec), w = SPARSE_INIT(vec);
    double h[RESTART][RESTART + 1], c[RESTART], s[RESTART], g[RESTART + 1], start = 0, norm = 1;
    sparse_result result = SPARSE_OK;
    for (size_t i = 0; i <= RESTART; i++) v[i] = (vec)SPARSE_INIT(vec);
    TRY(sparse_allocate_dense(&u->t, f->t.dim));
    TRY(dot(&start, f, f));
    for (*steps = 0; norm > tolerance && *steps < 10000;) {
        size_t j = 0;
        double rr = 0;
        TRY(scale(&w, 1, f));
        TRY(subtract(&w, A, u));
        TRY(dot(&rr, &w, &w));
        g[0] = sqrt(rr), norm = sqrt(rr / start);
        TRY(scale(&v[0], 1 / g[0], &w));
        for (; j < RESTART && norm > tolerance; j++, ++*steps) {
            double ww = 0;
            TRY(precondition(&z, factors, &v[j]));
            TRY(multiply(&w, A, &z));
            for (size_t i = 0; i <= j; i++) { /* makes w orthogonal to the directions so far */
                h[j][i] = 0;
                TRY(dot(&h[j][i], &w, &v[i]));
                TRY(add(&w, -h[j][i], &v[i]));
            }
            TRY(dot(&ww, &w, &w));
            h[j][j + 1] = sqrt(ww);
            TRY(scale(&v[j + 1], ww > 0 ? 1 / sqrt(ww) : 0, &w));
            rotate(h[j], c, s, g, j);
            norm = fabs(g[j + 1]) / sqrt(start);
        }
        for (size_t i = j; i-- > 0;) { /* g = H^-1 g, and u += M^-1 V g */
            for (size_t k = i + 1; k < j; k++) g[i] -= h[k][i] * g[k];
            g[i] /= h[i][i];
        }
        TRY(fill(&w, 0));
        for (size_t i = 0; i < j; i++) TRY(add(&w, g[i], &v[i]));
        TRY(precondition(&z, factors, &w));
        TRY(add(u, 1, &z));
    }
done:
    for (size_t i = 0; i <= RESTART; i++) sparse_free(&v[i].t);
    sparse_free(&z.t), sparse_free(&w.t);
    return result;
}

/* Central differences on the square: heat diffuses to the neighbours, and the wind brings it from the left. */
static sparse_result transport(csr *A)
{
    static const double weight[] = {-1, -1.8, 4, -0.2, -1};
    static const int row[] = {-1, 0, 0, 0, 1}, column[] = {0, -1, 0, 1, 0};
    const size_t n = SIDE * SIDE, dim[] = {n, n};
    sparse_insertion in = SPARSE_INSERTION(&A->t);
    sparse_result result = sparse_insert_begin(&in, dim);
    for (size_t at = 0; at < n; at++)
        for (size_t k = 0; !result && k < 5; k++) {
            const size_t y = at / SIDE + (size_t)row[k], x = at % SIDE + (size_t)column[k];
            if (x < SIDE && y < SIDE) result = csr_insert(&in, (size_t[]){at, y * SIDE + x}, weight[k]);
        }
    if (!result) return sparse_insert_end(&in, SPARSE_DUPLICATES_ERROR);
    sparse_insert_cancel(&in);
    return result;
}

int main(int argc, char **argv)
{
    const double tolerance = argc > 2 ? strtod(argv[2], NULL) : 1e-10;
    csr A = SPARSE_INIT(csr), LU = SPARSE_INIT(csr);
    vec ones = SPARSE_INIT(vec), f = SPARSE_INIT(vec), u = SPARSE_INIT(vec);
    double error = 0;
    size_t slow = 0, steps = 0, stored = 0;
    sparse_io_error trouble = {0};
    sparse_result result = argc > 1 ? sparse_read(&A.t, argv[1], &(sparse_read_options){.error = &trouble}) : transport(&A);
    if (result) goto done;
    printf("%s: %zu x %zu, %zu entries\n", argc > 1 ? argv[1] : "transport", A.t.dim[0], A.t.dim[1], sparse_entries(&A.t));
    TRY(sparse_allocate_dense(&ones.t, A.t.dim));
    TRY(fill(&ones, 1));
    TRY(multiply(&f, &A, &ones));
    TRY(diagonals(&stored, &A));
    TRY(solve(&A, NULL, &u, &f, tolerance, &slow));
    sparse_free(&u.t);
    TRY(sparse_copy(&LU.t, &A.t));
    TRY(factor(&LU));
    TRY(solve(&A, stored == A.t.dim[0] ? &LU : NULL, &u, &f, tolerance, &steps));
    TRY(furthest(&error, &u, 1));
    printf("largest error |u - 1| = %.1e; %zu steps with incomplete factors, %zu without\n", error, steps, slow);
done:
    if (result) fprintf(stderr, "gmres: %s\n", trouble.result ? trouble.message : sparse_explain(result));
    sparse_free(&A.t), sparse_free(&LU.t), sparse_free(&ones.t), sparse_free(&f.t), sparse_free(&u.t);
    return result != SPARSE_OK || !(error <= 1e-3);
}
