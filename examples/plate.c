/* plate.c: writes the stiffness matrix of a steel plate, clamped at its left edge, as a Matrix Market file.

       plate [columns rows] > plate.mtx

   The plate is 1 m long, 1 cm thick and in plane stress, cut into rows x columns bilinear elements. Every node
   has two displacements, across and up; the matrix has no rows for clamped nodes (see any book on finite
   elements, for instance Hughes 2000, chapter 3). Neighbouring element matrices overlap in the entries of
   common nodes, so the matrix is assembled by packing them with duplicates summed. */
#include <math.h>
#include <stdio.h>
#include "sparse.h"

#define CSC csc, SPARSE_CSC, double, 32, 32
SPARSE_TENSOR(CSC)

/* K = the stiffness of an element of size a x b: the integral of B' D B, by 2 x 2 Gauss points; nodes
   counterclockwise from the lower left. */
static void element(double a, double b, double K[8][8])
{
    const double young = 210e9, poisson = 0.3, thickness = 0.01, e = young / (1 - poisson * poisson);
    const double D[3][3] = {{e, e * poisson, 0}, {e * poisson, e, 0}, {0, 0, e * (1 - poisson) / 2}};
    const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, gauss = 0.57735026918962576;
    memset(K, 0, 64 * sizeof(double));
    for (int g = 0; g < 4; g++) {
        double B[3][8] = {{0}}; /* strain (xx, yy, xy) = B * displacements */
        for (int n = 0; n < 4; n++) {
            const double s = corner[n][0], t = corner[n][1];
            const double dx = s * (1 + t * gauss * corner[g][1]) / (2 * a);
            const double dy = t * (1 + s * gauss * corner[g][0]) / (2 * b);
            B[0][2 * n] = B[2][2 * n + 1] = dx;
            B[1][2 * n + 1] = B[2][2 * n] = dy;
        }
        for (int p = 0; p < 8; p++)
            for (int q = 0; q < 8; q++)
                for (int r = 0; r < 3; r++)
                    for (int c = 0; c < 3; c++) K[p][q] += B[r][p] * D[r][c] * B[c][q] * thickness * a * b / 4;
    }
}

/* A = the sum of all element matrices, its lower triangle. Node (x, y) of columns x (rows + 1) has the
   displacements 2 n and 2 n + 1, where n = (x - 1) * (rows + 1) + y; nodes with x = 0 are clamped. */
static sparse_result assemble(csc *A, size_t columns, size_t rows)
{
    const size_t size = 2 * columns * (rows + 1), room = 64 * columns * rows;
    size_t count = 0, *at = malloc(room * 2 * sizeof *at);
    double *value = malloc(room * sizeof *value), K[8][8];
    sparse_result result = at && value ? SPARSE_OK : SPARSE_E_MEMORY;
    element(1.0 / (double)columns, 1.0 / (double)columns, K);
    for (size_t e = 0; !result && e < columns * rows; e++) {
        const size_t n = e / rows * (rows + 1) + e % rows; /* the node at the lower left, counting clamped ones */
        const size_t node[4] = {n, n + rows + 1, n + rows + 2, n + 1};
        for (unsigned p = 0; p < 8; p++)
            for (unsigned q = 0; q < 8; q++) {
                const size_t i = 2 * node[p / 2] + p % 2, j = 2 * node[q / 2] + q % 2, clamped = 2 * (rows + 1);
                if (j < clamped || i < j) continue;
                at[2 * count] = i - clamped;
                at[2 * count + 1] = j - clamped;
                value[count++] = K[p][q];
            }
    }
    if (!result) result = csc_pack(A, (size_t[]){size, size}, count, at, value, SPARSE_DUPLICATES_SUM);
    free(at), free(value);
    return result;
}

int main(int argc, char **argv)
{
    const size_t columns = argc == 3 ? strtoul(argv[1], NULL, 10) : 24;
    const size_t rows = argc == 3 ? strtoul(argv[2], NULL, 10) : 6;
    csc A = SPARSE_INIT(csc);
    const sparse_result result = assemble(&A, columns, rows);
    if (result) fprintf(stderr, "plate: %s\n", sparse_explain(result));
    else {
        size_t entries = 0;
        SPARSE_FOREACH(c, &A.t) entries += fabs(SPARSE_VALUE(c, double)) >= 1;
        printf("%%%%MatrixMarket matrix coordinate real symmetric\n"
               "%% stiffness in N/m of a steel plate, 1 m long, clamped at one end, of %zu x %zu bilinear elements\n"
               "%% made by examples/plate.c\n%zu %zu %zu\n", columns, rows, A.t.dim[0], A.t.dim[1], entries);
        SPARSE_FOREACH(c, &A.t)
            if (fabs(SPARSE_VALUE(c, double)) >= 1)
                printf("%zu %zu %.0f\n", c.dim[0] + 1, c.dim[1] + 1, SPARSE_VALUE(c, double));
    }
    sparse_free(&A.t);
    return result != SPARSE_OK;
}
