/* layer.c: counts instructions of a fully connected layer of 64 x 256 int8_t weights, with a scale for each row, on a
   controller; for several shares of zeros at random positions, and for a dense layer in plain C. */
#include "kernels.h"
#include "check.h"
#include "ticks.h"
enum { ROWS = 64, COLUMNS = 256 };
static int8_t dense[ROWS * COLUMNS], values[ROWS * COLUMNS], in[COLUMNS], out[ROWS], wanted[ROWS];
static uint8_t crd[ROWS * COLUMNS];
static uint16_t pos[ROWS + 1];
static int32_t biases[ROWS], mults[ROWS], shifts[ROWS];

static uint32_t random_state = 1;
static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)random_state * n >> 32);
}
static void fill(unsigned percent)
{
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            const int8_t w = random_below(100) < percent ? 0 : (int8_t)(1 + random_below(127));
            dense[i * COLUMNS + j] = w;
            if (w) values[count] = w, crd[count++] = (uint8_t)j;
        }
        pos[i + 1] = (uint16_t)count;
        biases[i] = (int32_t)random_below(1000), mults[i] = 0x40000000 + (int32_t)random_below(0x3FFFFFFF), shifts[i] = -8;
    }
    for (size_t j = 0; j < COLUMNS; j++) in[j] = (int8_t)random_below(128);
}
static __attribute__((__noinline__)) void dense_layer(int8_t *y, int32_t zero, const int8_t *w, const int8_t *x)
{
    for (size_t i = 0; i < ROWS; i++, w += COLUMNS) {
        int32_t sum = biases[i];
        for (size_t j = 0; j < COLUMNS; j++) sum += w[j] * x[j];
        y[i] = sparse_saturate_8(zero + sparse_requantize(sum, mults[i], shifts[i]));
    }
}
int main(void)
{
    static const unsigned zeros[] = {50, 70, 80, 90, 95};
    const size_t shape[] = {ROWS, COLUMNS};
    ticks_begin();
    for (unsigned k = 0; k < 5; k++) {
        csri W = SPARSE_INIT(csri);
        veci x = SPARSE_INIT(veci), y = SPARSE_INIT(veci);
        vecl b = SPARSE_INIT(vecl), m = SPARSE_INIT(vecl), s = SPARSE_INIT(vecl);
        fill(zeros[k]);
        const sparse_arrays arrays = {.pos[1] = SPARSE_ARRAY(pos, ROWS + 1), .crd[1] = SPARSE_ARRAY(crd, pos[ROWS]),
                                      .val = SPARSE_ARRAY(values, pos[ROWS])};
        CHECK(!csri_borrow_arrays(&W, shape, &arrays, NULL), "weights");
        CHECK(!veci_borrow(&x, &shape[1], in) && !veci_borrow(&y, &shape[0], out), "inputs and outputs");
        CHECK(!vecl_borrow(&b, shape, biases) && !vecl_borrow(&m, shape, mults) && !vecl_borrow(&s, shape, shifts), "scales");
        uint32_t start = ticks_now();
        const sparse_result result = layer(&y, 3, &b, &m, &s, &W, &x);
        const uint32_t call = ticks_since(start);
        start = ticks_now();
        dense_layer(wanted, 3, dense, in);
        const uint32_t plain = ticks_since(start);
        CHECK(!result && memcmp(out, wanted, sizeof out) == 0, "the layer gives the numbers of the dense one");
        board_print("layer on " BOARD ", SPARSE_CHECKS "), print_number(SPARSE_CHECKS), board_print(": ");
        print_number(zeros[k]), board_print(" % zeros: "), print_number(instructions(call));
        board_print(" instructions, dense C "), print_number(instructions(plain)), board_print("\n");
    }
    return report();
}
