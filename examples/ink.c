/* ink.c: simulates drops of ink that spread on paper, with a stencil over a sparse array.

       ink [paper.svg]            with a picture of the last state

   In every step a tenth of the ink of a point flows to each of its four neighbours; amounts too small to be seen dry up.
   The paper has 600 x 800 points, most of which are dry at any time. Paper, stencil and result are sparse. The
   last state is compared with the same steps over an array. */
#include <math.h>
#include <stdio.h>
#include "sparse.h"
#include "sparse_io.h"

#define PAPER paper, SPARSE_DCSR, double, 32, 32
SPARSE_TENSOR(PAPER)

enum { ROWS = 600, COLUMNS = 800, DROPS = 5, STEPS = 40 };

/* B(i,j) = A(i + p - 1, j + q - 1) W(p,q). A is padded, so it does not determine the size of B: the ranges do */
SPARSE_KERNEL(spread, (range(i, ROWS), range(j, COLUMNS), p, q), (B, PAPER, i, j),
              all(padded(A, PAPER, plus(i, p, (-1)), plus(j, q, (-1))), (W, PAPER, p, q)), B += A * W)
SPARSE_KERNEL(dry, (i, j), (B, PAPER, i, j), all((A, PAPER, i, j)), B = A; has_B = A >= 1e-3)
SPARSE_KERNEL(sum, (i, j), (s, double), all((A, PAPER, i, j)), s += A)

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

static double dense[2][ROWS + 2][COLUMNS + 2]; /* with a margin of zeros */

/* One step over dense arrays. */
static void step(double (*from)[COLUMNS + 2], double (*to)[COLUMNS + 2])
{
    for (size_t i = 1; i <= ROWS; i++)
        for (size_t j = 1; j <= COLUMNS; j++) {
            const double b = 0.1 * from[i - 1][j] + 0.1 * from[i][j - 1] + 0.6 * from[i][j] + 0.1 * from[i][j + 1] +
                             0.1 * from[i + 1][j];
            to[i][j] = b >= 1e-3 ? b : 0;
        }
}

int main(int argc, char **argv)
{
    static const size_t drop[2 * DROPS] = {3, 5, 100, 120, 104, 117, 300, 799, 420, 400};
    static const double stencil[3][3] = {{0, 0.1, 0}, {0.1, 0.6, 0.1}, {0, 0.1, 0}}, ink[DROPS] = {100, 50, 80, 100, 20};
    paper A = SPARSE_INIT(paper), B = SPARSE_INIT(paper), W = SPARSE_INIT(paper);
    double total = 0, worst = 0;
    sparse_result result;
    TRY(paper_pack_dense(&W, (size_t[]){3, 3}, stencil[0]));
    TRY(paper_pack(&A, (size_t[]){ROWS, COLUMNS}, DROPS, drop, ink, SPARSE_DUPLICATES_ERROR));
    for (size_t n = 0; n < DROPS; n++) dense[0][drop[2 * n] + 1][drop[2 * n + 1] + 1] = ink[n];
    for (size_t n = 0; n < STEPS; n++) {
        TRY(spread(&B, &A, &W));
        TRY(dry(&A, &B));
        step(dense[n % 2], dense[1 - n % 2]);
        if (n % 10 == 9) printf("%zu steps: %zu of %d points are wet\n", n + 1, sparse_entries(&A.t), ROWS * COLUMNS);
    }
    if (argc > 1) TRY(sparse_spy(&A.t, argv[1]));
    TRY(sum(&total, &A));
    SPARSE_FOREACH(c, &A.t)
    {
        double *at = &dense[STEPS % 2][c.dim[0] + 1][c.dim[1] + 1];
        worst = fmax(worst, fabs(SPARSE_VALUE(c, double) - *at));
        *at = 0; /* later a nonzero here means: missing in the sparse result */
    }
    for (size_t i = 0; i < ROWS + 2; i++)
        for (size_t j = 0; j < COLUMNS + 2; j++) worst = fmax(worst, dense[STEPS % 2][i][j]);
    printf("%.3f of 350 left, which %s the array\n", total, worst < 1e-12 ? "agrees with" : "DIFFERS from");
done:
    if (result) fprintf(stderr, "ink: %s\n", sparse_explain(result));
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&W.t);
    return result != SPARSE_OK || !(worst < 1e-12);
}
