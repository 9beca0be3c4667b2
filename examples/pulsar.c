/* pulsar.c: finds the period of a pulse in a signal that is almost always zero.

       pulsar

   A receiver takes 100000 samples. Every 1237 samples there is a pulse of three samples; noise hides half of the pulses, and
   there are clicks in between. The autocorrelation r(l) = sum over i of x(i) x(i+l) adds up pairs that are l samples apart.
   It is largest if l is the period. The result is compared with the sum over a dense array. */
#include <math.h>
#include <stdio.h>
#include "sparse.h"

#define SIGNAL signal, SPARSE_VECTOR, double, 32, 32
#define VEC    vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(SIGNAL)
SPARSE_TENSOR(VEC)

/* r(l) += x(i) y(i+l): y is x once more, padded with zeros after its end */
SPARSE_KERNEL(correlate, (i, l), (r, VEC, l), all((x, SIGNAL, i), padded(y, SIGNAL, plus(i, l))), r += x * y)

#define TRY(call) do { if ((result = (call)) != SPARSE_OK) goto done; } while (0)

enum { SAMPLES = 100000, LAGS = 2000, PERIOD = 1237 };

int main(void)
{
    static double sample[SAMPLES];
    signal x = SPARSE_INIT(signal);
    vec r = SPARSE_INIT(vec);
    unsigned state = 3;
    double worst = 0;
    size_t best = 10;
    sparse_result result;
    for (size_t n = 500; n + 3 < SAMPLES; n += PERIOD) {
        state = state * 1664525u + 1013904223u;
        if (state >> 31) continue;
        for (size_t k = 0; k < 3; k++) sample[n + k] = k == 1 ? 2 : 1;
    }
    for (size_t n = 0; n < 300; n++) sample[(state = state * 1664525u + 1013904223u) % SAMPLES] += 0.5;
    TRY(signal_pack_dense(&x, (size_t[]){SAMPLES}, sample));
    TRY(sparse_allocate_dense(&r.t, (size_t[]){LAGS}));
    TRY(correlate(&r, &x, &x));
    const double *sum = vec_values(&r);
    for (size_t l = 0; l < LAGS; l++) {
        double all = 0;
        for (size_t i = 0; i + l < SAMPLES; i++) all += sample[i] * sample[i + l];
        worst = fmax(worst, fabs(all - sum[l]));
        if (l > 10 && sum[l] > sum[best]) best = l;
    }
    printf("%zu of %d samples are not zero; the period is %zu, and the sums %s the array\n", sparse_entries(&x.t), SAMPLES, best,
           worst < 1e-9 ? "agree with" : "DIFFER from");
done:
    if (result) fprintf(stderr, "pulsar: %s\n", sparse_explain(result));
    sparse_free(&x.t), sparse_free(&r.t);
    return result != SPARSE_OK || !(worst < 1e-9);
}
