/* digits.c: recognises digits with a network of int8 weights, 90 % of which are zero, on a controller or a host.

       digits

   Two layers of fixed sizes, one kernel line each: sums of products, bias, scaling, and ReLU or saturation, without a temporary.
   digits_train.c wrote the weights, which are constant arrays. A network with dense weights must give equal numbers.
   No memory is allocated. tests/targets/digits.c runs both networks on controllers and counts instructions. */
#include "sparse.h"
#include "examples/data/digits.h"
#include "digits_draw.h"
#if !SPARSE_FREESTANDING
    #include <stdio.h>
#endif

enum { DIGITS = 1000 };
#define PIXELS pixels, SPARSE_DENSE_1D, int8_t, 16, 16, fixed(144)
#define HIDDEN hidden, SPARSE_DENSE_1D, int8_t, 16, 16, fixed(64)
#define SCORES scores, SPARSE_DENSE_1D, int8_t, 16, 16, fixed(10)
#define BIAS_1 bias_1, SPARSE_DENSE_1D, int32_t, 16, 16, fixed(64)
#define BIAS_2 bias_2, SPARSE_DENSE_1D, int32_t, 16, 16, fixed(10)
#define FIRST  sparse_1, SPARSE_CSR, int8_t, 16, 8, fixed(64, 144)
#define SECOND sparse_2, SPARSE_CSR, int8_t, 16, 8, fixed(10, 64)
#define FULL_1 dense_1, SPARSE_DENSE_2D, int8_t, 16, 16, fixed(64, 144)
#define FULL_2 dense_2, SPARSE_DENSE_2D, int8_t, 16, 16, fixed(10, 64)
SPARSE_TENSOR(PIXELS)
SPARSE_TENSOR(HIDDEN)
SPARSE_TENSOR(SCORES)
SPARSE_TENSOR(BIAS_1)
SPARSE_TENSOR(BIAS_2)
SPARSE_TENSOR(FIRST)
SPARSE_TENSOR(SECOND)
SPARSE_TENSOR(FULL_1)
SPARSE_TENSOR(FULL_2)

SPARSE_KERNEL(layer_1, (i), (y, HIDDEN, i),
              all((b, BIAS_1, i), where((sum, int32_t), (j), all((W, FIRST, i, j), (x, PIXELS, j)), sum += (int32_t)W * x)),
              y = (int8_t)sparse_clamp(sparse_requantize(sum + b, first_multiplier, first_shift), 0, 127))
SPARSE_KERNEL(layer_2, (i), (y, SCORES, i),
              all((b, BIAS_2, i), where((sum, int32_t), (j), all((W, SECOND, i, j), (x, HIDDEN, j)), sum += (int32_t)W * x)),
              y = sparse_saturate_8(sparse_requantize(sum + b, second_multiplier, second_shift)))
SPARSE_KERNEL(full_1, (i), (y, HIDDEN, i),
              all((b, BIAS_1, i), where((sum, int32_t), (j), all((W, FULL_1, i, j), (x, PIXELS, j)), sum += (int32_t)W * x)),
              y = (int8_t)sparse_clamp(sparse_requantize(sum + b, first_multiplier, first_shift), 0, 127))
SPARSE_KERNEL(full_2, (i), (y, SCORES, i),
              all((b, BIAS_2, i), where((sum, int32_t), (j), all((W, FULL_2, i, j), (x, HIDDEN, j)), sum += (int32_t)W * x)),
              y = sparse_saturate_8(sparse_requantize(sum + b, second_multiplier, second_shift)))

static const sparse_1 W_1 = {.pos2 = first_pos, .crd2 = first_crd, .val = first_val};
static const sparse_2 W_2 = {.pos2 = second_pos, .crd2 = second_crd, .val = second_val};
static const bias_1 B_1 = {first_bias};
static const bias_2 B_2 = {second_bias};
static int8_t full_first[64 * 144], full_second[10 * 64]; /* only for the comparison; unpacked when the program starts */

/* bytes of the weights and biases of both networks, and of the RAM for a digit */
enum {
    BYTES_BIAS = sizeof first_bias + sizeof second_bias,
    BYTES_SPARSE = BYTES_BIAS + sizeof first_pos + sizeof first_crd + sizeof first_val + sizeof second_pos +
                   sizeof second_crd + sizeof second_val,
    BYTES_DENSE = BYTES_BIAS + sizeof full_first + sizeof full_second,
    BYTES_RAM = 144 + 64 + 10
};

static void unpack(int8_t *full, const uint16_t *pos, const uint8_t *crd, const int8_t *val, unsigned rows, unsigned columns)
{
    for (unsigned i = 0; i < rows; i++)
        for (unsigned k = pos[i]; k < pos[i + 1]; k++) full[i * columns + crd[k]] = val[k];
}
static sparse_result infer_sparse(int8_t out[10], const int8_t *in)
{
    int8_t middle[64];
    hidden h = {middle};
    scores s = {out};
    const sparse_result result = layer_1(&h, &B_1, &W_1, &(const pixels){in});
    return result ? result : layer_2(&s, &B_2, &W_2, &(const hidden){middle});
}
static sparse_result infer_dense(int8_t out[10], const int8_t *in)
{
    int8_t middle[64];
    hidden h = {middle};
    scores s = {out};
    const sparse_result result = full_1(&h, &B_1, &(const dense_1){full_first}, &(const pixels){in});
    return result ? result : full_2(&s, &B_2, &(const dense_2){full_second}, &(const hidden){middle});
}
/* begin_digits starts the comparison; each later call draws another digit, different from the training digits */
static uint32_t digits_state;
static void begin_digits(void)
{
    digits_state = 2;
    unpack(full_first, first_pos, first_crd, first_val, 64, 144);
    unpack(full_second, second_pos, second_crd, second_val, 10, 64);
}
static unsigned best(const int8_t out[10])
{
    unsigned k = 0;
    for (unsigned i = 1; i < 10; i++) k = out[i] > out[k] ? i : k;
    return k;
}

#if !SPARSE_FREESTANDING
int main(void)
{
    unsigned right = 0, differ = 0;
    begin_digits();
    for (unsigned n = 0; n < DIGITS; n++) {
        int8_t in[144], sparse[10], dense[10];
        digits_draw(in, n % 10, &digits_state);
        if (infer_sparse(sparse, in) || infer_dense(dense, in)) return 1;
        for (unsigned i = 0; i < 10; i++) differ += sparse[i] != dense[i];
        right += best(sparse) == n % 10;
    }
    printf("%u of %d digits are recognised\n", right, (int)DIGITS);
    printf("flash: %d bytes of weights, dense ones %d; RAM: %d bytes\n", (int)BYTES_SPARSE, (int)BYTES_DENSE,
           (int)BYTES_RAM);
    printf("%s\n", differ ? "the dense network gives other numbers" : "the dense network gives the same numbers");
    return differ != 0;
}
#endif
