/* cp.c: CP decomposition of a three-dimensional tensor by alternating least squares.

       cp [tensor.tns [rank]]

   Approximates X(i,j,k) by the sum over r of A(i,r) * B(j,r) * C(k,r), solving for one of the matrices at a
   time (Kolda and Bader 2009, section 3.4). Nearly all of the work is MTTKRP, the product of X with two of
   the matrices. There is one kernel line for each of the three, and X is stored once. By default X is such a sum, so
   the fit, 1 - |X - approximation| / |X|, must approach 1. */
#include <math.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSF csf, SPARSE_CSF_3D, double, 32, 32
#define MAT mat, SPARSE_DENSE_2D, double, 32, 32
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(MAT)

SPARSE_KERNEL(mttkrp_a, (i, j, k, r), (A, MAT, i, r),
              all((X, CSF, i, j, k), (B, MAT, j, r), (C, MAT, k, r)), A += X * B * C)
SPARSE_KERNEL(mttkrp_b, (i, j, k, r), (B, MAT, j, r),
              all((X, CSF, i, j, k), (A, MAT, i, r), (C, MAT, k, r)), B += X * A * C)
SPARSE_KERNEL(mttkrp_c, (i, j, k, r), (C, MAT, k, r),
              all((X, CSF, i, j, k), (A, MAT, i, r), (B, MAT, j, r)), C += X * A * B)
SPARSE_KERNEL(gram, (i, r, s), (G, MAT, r, s), all((A, MAT, i, r), (B, MAT, i, s)), G += A * B)
SPARSE_KERNEL(times, (r, s), (G, MAT, r, s), all((H, MAT, r, s)), G *= H)
SPARSE_KERNEL(inner, (i, r), (s, double), all((A, MAT, i, r), (B, MAT, i, r)), s += A * B)
SPARSE_KERNEL(square, (i, j, k), (s, double), all((X, CSF, i, j, k)), s += X * X)

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

/* Numbers in [0, 1), the same on every machine. */
static double uniform(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 40) / 0x1p24;
}

/* X = the sum of `parts` products of sparse vectors, each about two fifths full. */
static sparse_result make(csf *X, size_t parts)
{
    enum { I = 60, J = 50, K = 40 };
    double vector[I + J + K], *value = malloc(sizeof *value * I * J * K * parts);
    size_t count = 0, *at = malloc(sizeof *at * I * J * K * parts * 3);
    sparse_result result = at && value ? SPARSE_OK : SPARSE_E_MEMORY;
    for (size_t part = 0; !result && part < parts; part++) {
        for (size_t n = 0; n < I + J + K; n++) vector[n] = uniform() < 0.4 ? uniform() : 0;
        for (size_t i = 0; i < I; i++)
            for (size_t j = 0; j < J; j++)
                for (size_t k = 0; k < K; k++) {
                    const double product = vector[i] * vector[I + j] * vector[I + J + k];
                    if (!(product > 0)) continue;
                    at[3 * count] = i, at[3 * count + 1] = j, at[3 * count + 2] = k;
                    value[count++] = product;
                }
    }
    if (!result) result = csf_pack(X, (size_t[]){I, J, K}, count, at, value, SPARSE_DUPLICATES_SUM);
    free(at), free(value);
    return result;
}

/* M = M * inverse(V), with V positive definite, by Cholesky factorisation; V is overwritten with the factor. */
static void solve(const mat *M, const mat *V)
{
    double *const v = mat_values(V), *x = mat_values(M);
    const size_t n = V->t.dim[0];
    for (size_t r = 0; r < n; r++)
        for (size_t s = 0; s <= r; s++) {
            double sum = v[r * n + s];
            for (size_t t = 0; t < s; t++) sum -= v[r * n + t] * v[s * n + t];
            v[r * n + s] = r == s ? sqrt(sum) : sum / v[s * n + s];
        }
    for (size_t row = 0; row < M->t.dim[0]; row++, x += n) {
        for (size_t r = 0; r < n; r++) {
            for (size_t s = 0; s < r; s++) x[r] -= v[r * n + s] * x[s];
            x[r] /= v[r * n + r];
        }
        for (size_t r = n; r-- > 0;) {
            for (size_t s = r + 1; s < n; s++) x[r] -= v[s * n + r] * x[s];
            x[r] /= v[r * n + r];
        }
    }
}

/* G = A' A .* B' B */
static sparse_result grams(mat *G, const mat *A, const mat *B)
{
    mat H = SPARSE_INIT(mat);
    sparse_result result;
    sparse_zero(&G->t);
    TRY(gram(G, A, A));
    TRY(gram(&H, B, B));
    TRY(times(G, &H));
done:
    sparse_free(&H.t);
    return result;
}

/* A, B and C = factors of X, computed from an initial guess; *fit = how well their product approximates X. */
static sparse_result decompose(const csf *X, mat *A, mat *B, mat *C, double *fit)
{
    mat V = SPARSE_INIT(mat), M = SPARSE_INIT(mat);
    double norm = 0, last = -1;
    int step = 0;
    sparse_result result;
    TRY(square(&norm, X));
    while (step++ < 500 && fabs(*fit - last) > 1e-7) {
        double overlap = 0; /* X times its approximation; for the best one also its square */
        TRY(grams(&V, B, C));
        sparse_zero(&A->t);
        TRY(mttkrp_a(A, X, B, C));
        solve(A, &V);
        TRY(grams(&V, A, C));
        sparse_zero(&B->t);
        TRY(mttkrp_b(B, X, A, C));
        solve(B, &V);
        TRY(grams(&V, A, B));
        sparse_zero(&C->t);
        TRY(mttkrp_c(C, X, A, B));
        TRY(sparse_copy(&M.t, &C->t));
        solve(C, &V);
        TRY(inner(&overlap, &M, C));
        last = *fit;
        *fit = 1 - sqrt(fmax(norm - overlap, 0) / norm);
        if (step % 5 == 1) printf("  step %3d   fit %.6f\n", step, *fit);
    }
    printf("fit %.6f after %d steps\n", *fit, step - 1);
done:
    sparse_free(&V.t), sparse_free(&M.t);
    return result;
}

/* The initial guess: n x rank numbers. */
static sparse_result guess(mat *M, size_t n, size_t rank)
{
    const sparse_result result = sparse_allocate_dense(&M->t, (size_t[]){n, rank});
    double *const value = mat_values(M);
    for (size_t e = 0; e < sparse_entries(&M->t); e++) value[e] = uniform();
    return result;
}

int main(int argc, char **argv)
{
    const size_t rank = argc > 2 ? strtoul(argv[2], NULL, 10) : 4;
    csf X = SPARSE_INIT(csf);
    mat A = SPARSE_INIT(mat), B = SPARSE_INIT(mat), C = SPARSE_INIT(mat);
    double fit = 0;
    sparse_io_error trouble = {0};
    sparse_result result;
    TRY(argc > 1 ? sparse_read(&X.t, argv[1], &(sparse_read_options){.error = &trouble}) : make(&X, 4));
    printf("%s: %zu x %zu x %zu, %zu entries, %zu parts\n", argc > 1 ? argv[1] : "four parts", X.t.dim[0],
           X.t.dim[1], X.t.dim[2], sparse_entries(&X.t), rank);
    TRY(guess(&A, X.t.dim[0], rank));
    TRY(guess(&B, X.t.dim[1], rank));
    TRY(guess(&C, X.t.dim[2], rank));
    TRY(decompose(&X, &A, &B, &C, &fit));
done:
    if (result) fprintf(stderr, "cp: %s\n", trouble.result ? trouble.message : sparse_explain(result));
    sparse_free(&X.t), sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t);
    return result != SPARSE_OK || !(fit >= (argc > 1 ? 0 : 0.9999));
}
