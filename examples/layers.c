/* layers.c: the layers of a small network over images that are mostly zero.

       layers

   The layers, for two drawings of 32 x 32 pixels: convolution with 8 filters; ReLU, which makes the images sparse again; max
   pooling; depthwise convolution, one for each channel, with stride 2; dilated convolution, whose window has gaps; mean
   pooling. Images are stored as n, h, w, c, without empty rows and pixels. Each layer is compared with a sum over dense
   arrays. */
#include <math.h>
#include <stdio.h>
#include "sparse.h"

#define IMAGES images, ((n, h, w, c), (dense, n), (compressed, h), (compressed, w), (compressed, c)), float, 32, 32
#define PIXELS pixels, SPARSE_DENSE_4D, float, 32, 32
#define MASKS  masks, SPARSE_DENSE_3D, float, 32, 32
SPARSE_TENSOR(IMAGES)
SPARSE_TENSOR(PIXELS)
SPARSE_TENSOR(MASKS)

/* Y(n,h,w,f) += X(n, h + p - 1, w + q - 1, c) F(p,q,c,f); outside the image X is 0 */
SPARSE_KERNEL(convolve, (n, h, p, w, q, c, f), (Y, PIXELS, n, h, w, f),
              all(padded(X, IMAGES, n, plus(h, p, (-1)), plus(w, q, (-1)), c), (F, PIXELS, p, q, c, f)), Y += X * F)
/* with stride 2; with dilation 2; depthwise */
SPARSE_KERNEL(stride, (n, h, p, w, q, c, f), (Y, PIXELS, n, h, w, f),
              all(padded(X, IMAGES, n, plus(times(2, h), p, (-1)), plus(times(2, w), q, (-1)), c), (F, PIXELS, p, q, c, f)),
              Y += X * F)
SPARSE_KERNEL(dilate, (n, h, p, w, q, c, f), (Y, PIXELS, n, h, w, f),
              all(padded(X, IMAGES, n, plus(h, times(2, p), (-2)), plus(w, times(2, q), (-2)), c), (F, PIXELS, p, q, c, f)),
              Y += X * F)
SPARSE_KERNEL(depthwise, (n, h, p, w, q, c), (Y, PIXELS, n, h, w, c),
              all(padded(X, IMAGES, n, plus(h, p, (-1)), plus(w, q, (-1)), c), (F, MASKS, p, q, c)), Y += X * F)
/* the largest and the mean of 2 x 2 pixels */
SPARSE_KERNEL(largest, (n, h, range(p, 2), w, range(q, 2), c), (Y, PIXELS, n, h, w, c),
              all((X, IMAGES, n, plus(times(2, h), p), plus(times(2, w), q), c)), Y = fmaxf(Y, X))
SPARSE_KERNEL(mean, (n, h, range(p, 2), w, range(q, 2), c), (Y, PIXELS, n, h, w, c),
              all((X, IMAGES, n, plus(times(2, h), p), plus(times(2, w), q), c)), Y += X / 4)
SPARSE_KERNEL(relu, (n, h, w, c), (Y, IMAGES, n, h, w, c), all((X, PIXELS, n, h, w, c)), Y = X; has_Y = X > 0)

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

/* Draws a ring and a cross with a pen of width 2. */
static void draw(float image[2][32][32])
{
    for (int k = 0; k < 400; k++) {
        const double t = 6.2831853 * k / 400, at = 4 + 22.0 * k / 400;
        const size_t points[][3] = {{0, (size_t)(15.5 + 11 * sin(t)), (size_t)(15.5 + 9 * cos(t))},
                                    {1, (size_t)at, (size_t)at}, {1, (size_t)at, (size_t)(30 - at)}};
        for (unsigned n = 0; n < 3; n++)
            for (unsigned d = 0; d < 4; d++) image[points[n][0]][points[n][1] + d / 2][points[n][2] + d % 2] = 1;
    }
}
/* Random filters in place of trained ones: small numbers of both signs. */
static sparse_result train(sparse_tensor *F, const size_t *dim)
{
    const sparse_result result = sparse_allocate_dense(F, dim);
    for (size_t k = 0; !result && k < F->val.length; k++) ((float *)F->val.at)[k] = (float)sin(3.7 * (double)k + 1) / 3;
    return result;
}

/* The description of a layer, for the sum over dense arrays. */
typedef struct layer {
    const char *name;
    size_t window, stride, dilation, margin;
    enum { CONVOLUTION, DEPTHWISE, LARGEST, MEAN } kind;
} layer;
static bool agree = true;
/* Prints the share of nonzeros in Y, and its greatest difference from the sum over dense arrays. */
static sparse_result compare(layer l, const images *X, const float *F, const pixels *Y)
{
    const size_t *x_dim = X->t.dim, *y_dim = Y->t.dim, C = x_dim[3];
    float *x = (float *)malloc(x_dim[0] * x_dim[1] * x_dim[2] * C * sizeof *x);
    const float *y = pixels_values(Y);
    sparse_result result = x ? images_unpack_dense(X, x) : SPARSE_E_MEMORY;
    double worst = 0;
    size_t at = 0, stored = 0;
    for (size_t n = 0; !result && n < y_dim[0]; n++)
        for (size_t h = 0; h < y_dim[1]; h++)
            for (size_t w = 0; w < y_dim[2]; w++)
                for (size_t f = 0; f < y_dim[3]; f++, at++) {
                    float sum = 0;
                    for (size_t p = 0; p < l.window; p++)
                        for (size_t q = 0; q < l.window; q++) {
                            const size_t row = h * l.stride + p * l.dilation - l.margin; /* wraps around below 0 */
                            const size_t column = w * l.stride + q * l.dilation - l.margin, k = p * l.window + q;
                            if (row >= x_dim[1] || column >= x_dim[2]) continue;
                            const float *pixel = x + ((n * x_dim[1] + row) * x_dim[2] + column) * C;
                            for (size_t c = 0; l.kind == CONVOLUTION && c < C; c++) sum += pixel[c] * F[(k * C + c) * y_dim[3] + f];
                            if (l.kind == DEPTHWISE) sum += pixel[f] * F[k * C + f];
                            if (l.kind == LARGEST) sum = fmaxf(sum, pixel[f]);
                            if (l.kind == MEAN) sum += pixel[f] / 4;
                        }
                    worst = fmax(worst, fabs((double)(sum - y[at])));
                    stored += y[at] != 0;
                }
    free(x);
    if (result) return result;
    printf("%-10s %zu x %zu x %zu x %zu, %.0f %% zero, %s the dense sum\n", l.name, y_dim[0], y_dim[1], y_dim[2], y_dim[3],
           100 - 100 * (double)stored / (double)at, worst < 1e-4 ? "agrees with" : "DIFFERS from");
    agree = agree && worst < 1e-4;
    return SPARSE_OK;
}

int main(void)
{
    float image[2][32][32] = {{{0}}};
    images X = SPARSE_INIT(images);
    pixels F[3] = {SPARSE_INIT(pixels), SPARSE_INIT(pixels), SPARSE_INIT(pixels)}, Y[6];
    masks D = SPARSE_INIT(masks);
    sparse_result result;
    for (unsigned k = 0; k < 6; k++) Y[k] = (pixels)SPARSE_INIT(pixels);
    draw(image);
    TRY(images_pack_dense(&X, (size_t[]){2, 32, 32, 1}, image[0][0]));
    TRY(train(&F[0].t, (size_t[]){3, 3, 1, 8}));
    TRY(train(&F[1].t, (size_t[]){3, 3, 8, 16}));
    TRY(train(&F[2].t, (size_t[]){3, 3, 16, 16}));
    TRY(train(&D.t, (size_t[]){3, 3, 16}));

    TRY(sparse_allocate_dense(&Y[0].t, (size_t[]){2, 32, 32, 8}));
    TRY(convolve(&Y[0], &X, &F[0]));
    TRY(compare((layer){"convolve", 3, 1, 1, 1, CONVOLUTION}, &X, pixels_values(&F[0]), &Y[0]));
    TRY(relu(&X, &Y[0]));
    TRY(sparse_allocate_dense(&Y[1].t, (size_t[]){2, 16, 16, 8}));
    TRY(largest(&Y[1], &X));
    TRY(compare((layer){"largest", 2, 2, 1, 0, LARGEST}, &X, NULL, &Y[1]));
    TRY(relu(&X, &Y[1]));
    TRY(sparse_allocate_dense(&Y[2].t, (size_t[]){2, 8, 8, 16}));
    TRY(stride(&Y[2], &X, &F[1]));
    TRY(compare((layer){"stride", 3, 2, 1, 1, CONVOLUTION}, &X, pixels_values(&F[1]), &Y[2]));
    TRY(relu(&X, &Y[2]));
    TRY(sparse_allocate_dense(&Y[3].t, (size_t[]){2, 8, 8, 16}));
    TRY(depthwise(&Y[3], &X, &D));
    TRY(compare((layer){"depthwise", 3, 1, 1, 1, DEPTHWISE}, &X, masks_values(&D), &Y[3]));
    TRY(relu(&X, &Y[3]));
    TRY(sparse_allocate_dense(&Y[4].t, (size_t[]){2, 8, 8, 16}));
    TRY(dilate(&Y[4], &X, &F[2]));
    TRY(compare((layer){"dilate", 3, 1, 2, 2, CONVOLUTION}, &X, pixels_values(&F[2]), &Y[4]));
    TRY(relu(&X, &Y[4]));
    TRY(sparse_allocate_dense(&Y[5].t, (size_t[]){2, 4, 4, 16}));
    TRY(mean(&Y[5], &X));
    TRY(compare((layer){"mean", 2, 2, 1, 0, MEAN}, &X, NULL, &Y[5]));
done:
    if (result) fprintf(stderr, "layers: %s\n", sparse_explain(result));
    sparse_free(&X.t), sparse_free(&D.t);
    for (unsigned k = 0; k < 6; k++) sparse_free(&Y[k].t);
    for (unsigned k = 0; k < 3; k++) sparse_free(&F[k].t);
    return result != SPARSE_OK || !agree;
}
