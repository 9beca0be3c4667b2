/* digits_train.c: trains the network of digits.c and writes its weights as constant arrays.

       digits_train > examples/data/digits.h

   Two layers are trained by stochastic gradient descent on drawn digits. After a third of the steps, the smallest weights
   are gradually set to zero, until 90 % are zero; training continues meanwhile. Then weights become 8-bit integers.
   Every product is rounded before it is added, so that all machines write equal files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "digits_draw.h"

enum { IN = DIGITS_PIXELS, HIDDEN = DIGITS_HIDDEN, OUT = DIGITS_CLASSES, STEPS = 120000, PRUNINGS = 20 };

typedef struct {
    unsigned rows, columns;
    float bias[HIDDEN], weight[IN * HIDDEN]; /* by columns, so that zero pixels are skipped */
    unsigned char dropped[IN * HIDDEN];
    float most; /* the largest output */
} layer;
static layer first = {.rows = HIDDEN, .columns = IN}, second = {.rows = OUT, .columns = HIDDEN};

static void begin(layer *l, uint32_t *state)
{
    for (unsigned k = 0; k < l->rows * l->columns; k++) l->weight[k] = (float)(digits_random(state, 2001) - 1000) / 8000;
}
static void forward(const layer *l, const float *x, float *y)
{
    for (unsigned i = 0; i < l->rows; i++) y[i] = l->bias[i];
    for (unsigned j = 0; j < l->columns; j++)
        for (unsigned i = 0; x[j] > 0 && i < l->rows; i++) {
            const float product = l->weight[j * l->rows + i] * x[j];
            y[i] += product;
        }
}
/* a gradient step: `slope` is the gradient of the error for the outputs; writes the gradient for the inputs to `back` */
static void learn(layer *l, const float *x, const float *slope, float rate, float *back)
{
    for (unsigned j = 0; j < l->columns; j++) {
        back[j] = 0;
        for (unsigned i = 0; x[j] > 0 && i < l->rows; i++) {
            const unsigned k = j * l->rows + i;
            const float product = l->weight[k] * slope[i], step = rate * slope[i] * x[j];
            back[j] += product;
            if (!l->dropped[k]) l->weight[k] -= step;
        }
    }
    for (unsigned i = 0; i < l->rows; i++) {
        const float step = rate * slope[i];
        l->bias[i] -= step;
    }
}
static int by_size(const void *a, const void *b)
{
    const float l = *(const float *)a, r = *(const float *)b;
    return (l > r) - (l < r);
}
/* sets the smallest weights, `percent` of all, to zero for good */
static void prune(layer *l, unsigned percent)
{
    static float sizes[IN * HIDDEN];
    const unsigned n = l->rows * l->columns, zeros = (n * percent + 99) / 100;
    for (unsigned k = 0; k < n; k++) sizes[k] = fabsf(l->weight[k]);
    qsort(sizes, n, sizeof *sizes, by_size);
    for (unsigned k = 0; k < n; k++)
        if (fabsf(l->weight[k]) <= sizes[zeros - 1]) l->weight[k] = 0, l->dropped[k] = 1;
}
/* Trains with one digit. The output of each wrong class should be at least 1 less than the output of the right class. */
static void train(unsigned digit, const int8_t *pixels, float rate)
{
    float x[IN], y[HIDDEN], scores[OUT], slope[OUT] = {0}, slope_y[HIDDEN], unused[IN];
    for (unsigned j = 0; j < IN; j++) x[j] = (float)pixels[j] / 127;
    forward(&first, x, y);
    for (unsigned i = 0; i < HIDDEN; i++) y[i] = y[i] > 0 ? y[i] : 0, first.most = fmaxf(first.most, y[i]);
    forward(&second, y, scores);
    for (unsigned i = 0; i < OUT; i++) {
        second.most = fmaxf(second.most, fabsf(scores[i]));
        if (i != digit && scores[i] > scores[digit] - 1) slope[i] = 1, slope[digit] -= 1;
    }
    learn(&second, y, slope, rate, slope_y);
    learn(&first, x, slope_y, rate, unused);
}
static void array(const char *type, const char *name, const char *what, const long *numbers, unsigned n)
{
    printf("static const %s %s_%s[] = {", type, name, what);
    for (unsigned k = 0; k < n; k++) printf("%s%ld,", k % 24 ? " " : "\n    ", numbers[k]);
    printf("\n};\n");
}
/* writes a layer; `scale` is the number that stands for 1 in its inputs; returns the number for its outputs */
static double write(const layer *l, const char *name, double scale)
{
    static long pos[HIDDEN + 1], crd[IN * HIDDEN], val[IN * HIDDEN], bias[HIDDEN];
    float most = 0;
    unsigned n = 0;
    for (unsigned k = 0; k < l->rows * l->columns; k++) most = fmaxf(most, fabsf(l->weight[k]));
    const double unit = (double)most / 127, result = (double)l->most / 127;
    for (unsigned i = 0; i < l->rows; i++) {
        for (unsigned j = 0; j < l->columns; j++)
            if ((val[n] = lround((double)l->weight[j * l->rows + i] / unit))) crd[n++] = (long)j;
        pos[i + 1] = (long)n, bias[i] = lround((double)l->bias[i] / (unit * scale));
    }
    int shift;
    const long multiplier = lround(frexp(unit * scale / result, &shift) * 2147483647);
    array("uint16_t", name, "pos", pos, l->rows + 1), array("uint8_t", name, "crd", crd, n),
        array("int8_t", name, "val", val, n);
    array("int32_t", name, "bias", bias, l->rows);
    printf("enum { %s_multiplier = %ld, %s_shift = %d };\n", name, multiplier, name, shift);
    return result;
}
int main(void)
{
    uint32_t state = 1;
    int8_t pixels[IN];
    begin(&first, &state), begin(&second, &state);
    for (unsigned step = 0; step < STEPS; step++) {
        const unsigned digit = step % OUT, part = STEPS / 3 / PRUNINGS;
        digits_draw(pixels, digit, &state);
        if (step >= STEPS / 3 && step % part == 0 && step < STEPS / 3 * 2) {
            const unsigned k = (step - STEPS / 3) / part + 1, left = PRUNINGS - k;
            prune(&first, 90 - 90 * left * left / (PRUNINGS * PRUNINGS)),
                prune(&second, 90 - 90 * left * left / (PRUNINGS * PRUNINGS));
        }
        if (step == STEPS / 10 * 9) first.most = second.most = 0;
        train(digit, pixels, 0.02F * (float)(STEPS - step) / STEPS);
    }
    printf("/* Weights of examples/digits.c, made by examples/digits_train.c. */\n#include <stdint.h>\n");
    write(&second, "second", write(&first, "first", 1.0 / 127));
    return ferror(stdout) != 0;
}
