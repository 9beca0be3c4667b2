/* events.c: convolves the pixels of an event camera, only those with events.

       events [pixels.svg]        with a picture of the pixels that have events

   An event camera has no frames: each pixel reports when it gets brighter or darker. Here a disc moves across 240 x 180
   pixels; the camera sees its edge and some noise. An ordinary convolution would spread each event over its neighbours,
   more with each layer. A submanifold convolution (Graham and van der Maaten 2017) computes only pixels that have events,
   from neighbours that have events. The results of three such layers are compared with sums over arrays. */
#include <math.h>
#include <stdio.h>
#include "sparse.h"
#include "sparse_io.h"

/* rows with events, pixels with events, and all channels; the first two channels are brighter and darker */
#define EVENTS  events, ((i, j, c), (compressed, i), (compressed, j), (dense, c)), double, 32, 32
#define SITES   sites, SPARSE_DCSR, double, 32, 32
#define FILTERS filters, SPARSE_DENSE_4D, double, 32, 32
SPARSE_TENSOR(EVENTS)
SPARSE_TENSOR(SITES)
SPARSE_TENSOR(FILTERS)

/* S(i,j) = 1 where X has an event */
SPARSE_KERNEL(seen, (i, j, c), (S, SITES, i, j), all((X, EVENTS, i, j, c)), S = 1)
/* Y(i,j,f) = S(i,j) X(i + p - 1, j + q - 1, c) F(p,q,c,f), or 0 if the sum is negative */
SPARSE_KERNEL(submanifold, (i, j, p, q, c, f), (Y, EVENTS, i, j, f),
              all((S, SITES, i, j), padded(X, EVENTS, plus(i, p, (-1)), plus(j, q, (-1)), c), (F, FILTERS, p, q, c, f)),
              Y += S * X * F)
SPARSE_KERNEL(relu, (i, j, c), update(X, EVENTS, i, j, c), all((least, double)), X = fmax(X, least))

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

enum { ROWS = 180, COLUMNS = 240, LAYERS = 3 };
static const size_t channels[LAYERS + 1] = {2, 8, 8, 4};

/* Draws events: brighter in front of the disc, darker behind it, and noise. */
static sparse_result watch(events *X)
{
    static double seen_at[ROWS][COLUMNS][2];
    unsigned noise = 1;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            const bool now = hypot(i - 90, j - 118) < 40, before = hypot(i - 90, j - 115) < 40;
            noise = noise * 1664525u + 1013904223u;
            seen_at[i][j][0] = now && !before;
            seen_at[i][j][1] = (before && !now) || noise >> 23 == 0;
        }
    return events_pack_dense(X, (size_t[]){ROWS, COLUMNS, 2}, seen_at[0][0]);
}
/* Z(i,j,f) = the convolution over dense arrays, where S is 1 */
static void dense(const double *S, const double *X, size_t c_size, const double *F, size_t f_size, double *Z)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            for (size_t f = 0; f < f_size; f++) {
                double sum = 0;
                for (size_t k = 0; k < 9; k++) {
                    const size_t row = i + k / 3 - 1, column = j + k % 3 - 1;
                    if (row >= ROWS || column >= COLUMNS) continue;
                    for (size_t c = 0; c < c_size; c++)
                        sum += X[(row * COLUMNS + column) * c_size + c] * F[(k * c_size + c) * f_size + f];
                }
                Z[(i * COLUMNS + j) * f_size + f] = S[i * COLUMNS + j] * fmax(sum, 0);
            }
}

int main(int argc, char **argv)
{
    events X = SPARSE_INIT(events), Y = SPARSE_INIT(events);
    sites S = SPARSE_INIT(sites);
    filters F = SPARSE_INIT(filters);
    double *s = (double *)calloc(ROWS * COLUMNS, sizeof *s), *x = (double *)calloc(ROWS * COLUMNS * 8, sizeof *x);
    double *y = (double *)calloc(ROWS * COLUMNS * 8, sizeof *y), *z = (double *)calloc(ROWS * COLUMNS * 8, sizeof *z);
    bool agree = true;
    sparse_result result = s && x && y && z ? SPARSE_OK : SPARSE_E_MEMORY;
    if (result) goto done;
    TRY(watch(&X));
    TRY(seen(&S, &X));
    if (argc > 1) TRY(sparse_spy(&S.t, argv[1]));
    TRY(sites_unpack_dense(&S, s));
    printf("%zu of %d pixels have seen something\n", sparse_entries(&S.t), ROWS * COLUMNS);
    for (unsigned l = 0; l < LAYERS; l++) {
        double worst = 0;
        sparse_free(&F.t);
        TRY(sparse_allocate_dense(&F.t, (size_t[]){3, 3, channels[l], channels[l + 1]}));
        for (size_t k = 0; k < F.t.val.length; k++) filters_values(&F)[k] = sin(2.9 * (double)k + l) / 4;
        TRY(submanifold(&Y, &S, &X, &F));
        TRY(relu(&Y, 0));
        TRY(events_unpack_dense(&X, x));
        TRY(events_unpack_dense(&Y, y));
        dense(s, x, channels[l], filters_values(&F), channels[l + 1], z);
        for (size_t k = 0; k < ROWS * COLUMNS * channels[l + 1]; k++) worst = fmax(worst, fabs(y[k] - z[k]));
        printf("layer %u: %zu pixels of %zu channels, %s the dense sum\n", l + 1, sparse_entries(&Y.t) / channels[l + 1],
               channels[l + 1], worst < 1e-12 ? "agrees with" : "DIFFERS from");
        agree = agree && worst < 1e-12;
        const events last = X;
        X = Y, Y = last;
    }
done:
    if (result) fprintf(stderr, "events: %s\n", sparse_explain(result));
    sparse_free(&X.t), sparse_free(&Y.t), sparse_free(&S.t), sparse_free(&F.t);
    free(s), free(x), free(y), free(z);
    return result != SPARSE_OK || !agree;
}
