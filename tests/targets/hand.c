/* hand.c: hand-written loops with the function and parameters of the canonical kernels; sizes.sh compares their bytes. Like
   the kernels they skip the padding in the last block of a row. */
#include "kernels.h"
#define BESIDE(name, ...)                                                                                                   \
    const void *const at_##name = (const void *)name##_loops;                                                               \
    void hand_##name(__VA_ARGS__);                                                                                          \
    void hand_##name(__VA_ARGS__)
extern const void *const at_spmv_csr, *const at_spmv_int8, *const at_spmv_n2m4i, *const at_dot, *const at_layer,
    *const at_layer_n2m4, *const at_layer_n1m8, *const at_layer_p2m4, *const at_layer_p1m8;
#define N1M8I n1m8i, SPARSE_N_OF_M(1, 8), int8_t, 16, 8
#define P1M8I p1m8i, SPARSE_PACKED_N_OF_M(1, 8), int8_t, 16, 8
SPARSE_TENSOR(N1M8I)
SPARSE_TENSOR(P1M8I)
#define LAYER(name, WEIGHTS, m)                                                                                             \
    SPARSE_KERNEL(name, (i), (y, VECI, i),                                                                                  \
                  all((zero, int32_t), (bias, VECL, i), (mult, VECL, i), (shift, VECL, i),                                  \
                      where((a, int32_t), (floordiv(j, m), mod(j, m)), all((W, WEIGHTS, i, j), (x, VECI, j)),               \
                            a += (int32_t)W * x)),                                                                          \
                  y = sparse_saturate_8(zero + sparse_requantize(a + bias, mult, shift)))
LAYER(layer_n1m8, N1M8I, 8)
LAYER(layer_p2m4, P2M4I, 4)
LAYER(layer_p1m8, P1M8I, 8)

BESIDE(spmv_csr, size_t rows, float *y, const uint16_t *pos, const uint8_t *crd, const float *val, const float *x)
{
    for (size_t i = 0; i < rows; i++) {
        float sum = y[i];
        for (size_t p = pos[i]; p < pos[i + 1]; p++) sum += val[p] * x[crd[p]];
        y[i] = sum;
    }
}
BESIDE(spmv_int8, size_t rows, int32_t *y, const uint16_t *pos, const uint8_t *crd, const int8_t *val, const int8_t *x)
{
    for (size_t i = 0; i < rows; i++) {
        int32_t sum = y[i];
        for (size_t p = pos[i]; p < pos[i + 1]; p++) sum += val[p] * x[crd[p]];
        y[i] = sum;
    }
}
BESIDE(spmv_n2m4i, size_t rows, size_t columns, int32_t *y, const uint8_t *crd, const int8_t *val, const int8_t *x)
{
    for (size_t i = 0; i < rows; i++) {
        int32_t sum = y[i];
        for (size_t block = 0; block < columns; block += 4)
            for (int n = 0; n < 2; n++, val++) {
                const size_t j = block + *crd++;
                if (j < columns) sum += *val * x[j];
            }
        y[i] = sum;
    }
}
BESIDE(dot, float *s, const uint16_t *a_pos, const uint8_t *a_crd, const float *a_val, const uint16_t *b_pos,
       const uint8_t *b_crd, const float *b_val)
{
    float sum = *s;
    for (size_t p = a_pos[0], q = b_pos[0]; p < a_pos[1] && q < b_pos[1];) {
        const size_t i = a_crd[p], j = b_crd[q];
        if (i == j) sum += a_val[p] * b_val[q];
        p += i <= j;
        q += j <= i;
    }
    *s = sum;
}
BESIDE(layer, size_t rows, int8_t *y, int32_t zero, const int32_t *bias, const int32_t *mult, const int32_t *shift,
       const uint16_t *pos, const uint8_t *crd, const int8_t *val, const int8_t *x)
{
    for (size_t i = 0; i < rows; i++) {
        int32_t sum = bias[i];
        for (size_t p = pos[i]; p < pos[i + 1]; p++) sum += val[p] * x[crd[p]];
        y[i] = sparse_saturate_8(zero + sparse_requantize(sum, mult[i], shift[i]));
    }
}
BESIDE(layer_n2m4, size_t rows, size_t columns, int8_t *y, int32_t zero, const int32_t *bias, const int32_t *mult,
       const int32_t *shift, const uint8_t *crd, const int8_t *val, const int8_t *x)
{
    for (size_t i = 0; i < rows; i++) {
        int32_t sum = bias[i];
        for (size_t block = 0; block < columns; block += 4)
            for (int n = 0; n < 2; n++, val++) {
                const size_t j = block + *crd++;
                if (j < columns) sum += *val * x[j];
            }
        y[i] = sparse_saturate_8(zero + sparse_requantize(sum, mult[i], shift[i]));
    }
}
BESIDE(layer_n1m8, size_t rows, size_t columns, int8_t *y, int32_t zero, const int32_t *bias, const int32_t *mult,
       const int32_t *shift, const uint8_t *crd, const int8_t *val, const int8_t *x)
{
    for (size_t i = 0; i < rows; i++) {
        int32_t sum = bias[i];
        for (size_t block = 0; block < columns; block += 8, val++) {
            const size_t j = block + *crd++;
            if (j < columns) sum += *val * x[j];
        }
        y[i] = sparse_saturate_8(zero + sparse_requantize(sum, mult[i], shift[i]));
    }
}
/* a byte has four packed indices of 2 bits, or two of 3 bits */
#define BESIDE_PACKED(name, n, m, bits, per)                                                                                \
    BESIDE(name, size_t rows, size_t columns, int8_t *y, int32_t zero, const int32_t *bias, const int32_t *mult,            \
           const int32_t *shift, const uint8_t *crd, const int8_t *val, const int8_t *x)                                    \
    {                                                                                                                       \
        for (size_t i = 0, p = 0; i < rows; i++) {                                                                          \
            int32_t sum = bias[i];                                                                                          \
            for (size_t block = 0; block < columns; block += m)                                                             \
                for (int k = 0; k < n; k++, p++) {                                                                          \
                    const size_t j = block + (crd[p / per] >> p % per * bits & (m - 1));                                    \
                    if (j < columns) sum += val[p] * x[j];                                                                  \
                }                                                                                                           \
            y[i] = sparse_saturate_8(zero + sparse_requantize(sum, mult[i], shift[i]));                                     \
        }                                                                                                                   \
    }
BESIDE_PACKED(layer_p2m4, 2, 4, 2, 4)
BESIDE_PACKED(layer_p1m8, 1, 8, 3, 2)
