/* points.c: a 3-D convolution of a point cloud.

       points

   A scanner in a room of 40 x 40 x 24 voxels of 10 cm sees the floor, two walls and a ball. For each voxel it counts
   points and describes their position (4 channels). A window of 3 x 3 x 3 with 8 filters runs over the voxels, once with
   stride 1 and once with stride 2. Both results are compared with sums over arrays. */
#include <math.h>
#include <stdio.h>
#include "sparse.h"

#define CLOUD   cloud, SPARSE_CSF_4D, double, 32, 32
#define VOXELS  voxels, SPARSE_DENSE_4D, double, 32, 32
#define FILTERS filters, SPARSE_DENSE_ND(p, q, r, c, f), double, 32, 32
SPARSE_TENSOR(CLOUD)
SPARSE_TENSOR(VOXELS)
SPARSE_TENSOR(FILTERS)

/* Y(i,j,k,f) += X(i+p,j+q,k+r,c) F(p,q,r,c,f); and at every other voxel in each direction */
SPARSE_KERNEL(convolve, (i, p, j, q, k, r, c, f), (Y, VOXELS, i, j, k, f),
              all((X, CLOUD, plus(i, p), plus(j, q), plus(k, r), c), (F, FILTERS, p, q, r, c, f)), Y += X * F)
SPARSE_KERNEL(halve, (i, p, j, q, k, r, c, f), (Y, VOXELS, i, j, k, f),
              all((X, CLOUD, plus(times(2, i), p), plus(times(2, j), q), plus(times(2, k), r), c), (F, FILTERS, p, q, r, c, f)),
              Y += X * F)

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

enum { X_SIZE = 40, Y_SIZE = 40, Z_SIZE = 24, CHANNELS = 4, FILTER_COUNT = 8 };
static double room[X_SIZE][Y_SIZE][Z_SIZE][CHANNELS];

/* Draws 20000 points on the surfaces. A voxel has their number, and their mean position relative to its corner. */
static sparse_result scan(cloud *X)
{
    unsigned state = 7;
    for (int n = 0; n < 20000; n++) {
        double u[2], at[3];
        for (unsigned k = 0; k < 2; k++) u[k] = (double)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);
        switch (n % 4) {
        case 0: at[0] = 40 * u[0], at[1] = 40 * u[1], at[2] = 0.2; break;
        case 1: at[0] = 0.3, at[1] = 40 * u[0], at[2] = 24 * u[1]; break;
        case 2: at[0] = 40 * u[0], at[1] = 39.6, at[2] = 24 * u[1]; break;
        default:
            at[0] = 20 + 6 * sin(6.28 * u[0]) * sqrt(1 - u[1] * u[1]), at[1] = 18 + 6 * cos(6.28 * u[0]) * sqrt(1 - u[1] * u[1]);
            at[2] = 6 + (n % 8 < 4 ? 6 : -6) * u[1];
        }
        double *voxel = room[(size_t)at[0]][(size_t)at[1]][(size_t)at[2]];
        voxel[0] += 0.1;
        for (unsigned k = 0; k < 3; k++) voxel[k + 1] += 0.1 * (at[k] - floor(at[k]));
    }
    return cloud_pack_dense(X, (size_t[]){X_SIZE, Y_SIZE, Z_SIZE, CHANNELS}, room[0][0][0]);
}
/* The largest difference between Y and the sum over a dense array, with stride `step`. */
static double difference(const voxels *Y, const double *F, size_t step)
{
    const double *y = voxels_values(Y);
    const size_t *dim = Y->t.dim;
    double worst = 0;
    for (size_t n = 0; n < Y->t.val.length; n++) {
        const size_t f = n % dim[3], k = n / dim[3] % dim[2], j = n / dim[3] / dim[2] % dim[1], i = n / dim[3] / dim[2] / dim[1];
        double sum = 0;
        for (size_t w = 0; w < 27 * CHANNELS; w++) {
            const size_t c = w % CHANNELS, p = w / CHANNELS / 9, q = w / CHANNELS / 3 % 3, r = w / CHANNELS % 3;
            sum += room[step * i + p][step * j + q][step * k + r][c] * F[w * dim[3] + f];
        }
        worst = fmax(worst, fabs(sum - y[n]));
    }
    return worst;
}

int main(void)
{
    cloud X = SPARSE_INIT(cloud);
    voxels Y = SPARSE_INIT(voxels), H = SPARSE_INIT(voxels);
    filters F = SPARSE_INIT(filters);
    double worst[2] = {1, 1};
    sparse_result result;
    TRY(scan(&X));
    printf("%zu numbers in %d voxels\n", sparse_entries(&X.t), X_SIZE * Y_SIZE * Z_SIZE);
    TRY(sparse_allocate_dense(&F.t, (size_t[]){3, 3, 3, CHANNELS, FILTER_COUNT}));
    for (size_t k = 0; k < F.t.val.length; k++) filters_values(&F)[k] = sin(1.7 * (double)k) / 5;
    TRY(sparse_allocate_dense(&Y.t, (size_t[]){X_SIZE - 2, Y_SIZE - 2, Z_SIZE - 2, FILTER_COUNT}));
    TRY(convolve(&Y, &X, &F));
    TRY(sparse_allocate_dense(&H.t, (size_t[]){(X_SIZE - 3) / 2 + 1, (Y_SIZE - 3) / 2 + 1, (Z_SIZE - 3) / 2 + 1, FILTER_COUNT}));
    TRY(halve(&H, &X, &F));
    worst[0] = difference(&Y, filters_values(&F), 1);
    worst[1] = difference(&H, filters_values(&F), 2);
    for (unsigned n = 0; n < 2; n++)
        printf("%s %s the dense sum\n", n ? "every other voxel" : "every voxel", worst[n] < 1e-12 ? "agrees with" : "DIFFERS from");
done:
    if (result) fprintf(stderr, "points: %s\n", sparse_explain(result));
    sparse_free(&X.t), sparse_free(&Y.t), sparse_free(&H.t), sparse_free(&F.t);
    return result != SPARSE_OK || !(fmax(worst[0], worst[1]) < 1e-12);
}
