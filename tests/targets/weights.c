/* weights.c: prints bytes and instructions of y = W x, where 90, 70 or 50 % of the 64 x 256 int8_t weights are zero, and W
   is in CSR with 8-bit columns, a bitmask, in CSR with distances of 4 bits, or dense. */
#define SPARSE_FREESTANDING 1
#include "sparse.h"
#include "check.h"
#include "ticks.h"

#define ROWS    64
#define COLUMNS 256
#define CSR     csr, SPARSE_CSR, int8_t, 16, 8, fixed(ROWS, COLUMNS)
#define MASK    mask, SPARSE_BITMASK_ROWS, int8_t, 16, 32, fixed(ROWS, COLUMNS)
#define DELTA   delta, SPARSE_CSR_DELTA(4), int8_t, 16, 8, fixed(ROWS, COLUMNS)
#define FULL    full, SPARSE_DENSE_2D, int8_t, 16, 16, fixed(ROWS, COLUMNS)
#define IN      in, SPARSE_DENSE_1D, int8_t, 16, 16, fixed(COLUMNS)
#define OUT     out, SPARSE_DENSE_1D, int32_t, 16, 16, fixed(ROWS)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(MASK)
SPARSE_TENSOR(DELTA)
SPARSE_TENSOR(FULL)
SPARSE_TENSOR(IN)
SPARSE_TENSOR(OUT)
SPARSE_KERNEL(by_csr, (i, j), from(0, y, OUT, i), all((W, CSR, i, j), (x, IN, j)), y += (int32_t)W * x)
SPARSE_KERNEL(by_mask, (i, j), from(0, y, OUT, i), all((W, MASK, i, j), (x, IN, j)), y += (int32_t)W * x)
SPARSE_KERNEL(by_delta, (i, j), from(0, y, OUT, i), all((W, DELTA, i, j), (x, IN, j)), y += (int32_t)W * x)
SPARSE_KERNEL(by_full, (i, j), from(0, y, OUT, i), all((W, FULL, i, j), (x, IN, j)), y += (int32_t)W * x)

static int8_t weights[ROWS * COLUMNS], value[ROWS * COLUMNS], padded[ROWS * COLUMNS], input[COLUMNS];
static uint16_t pos[ROWS + 1], padded_pos[ROWS + 1];
static uint8_t columns[ROWS * COLUMNS], distances[ROWS * COLUMNS / 2];
static uint32_t words[ROWS * COLUMNS / 32];
static uint32_t seed = 1;
static uint32_t below(uint32_t n) { return (uint32_t)((uint64_t)(seed = seed * 1664525u + 1013904223u) * n >> 32); }

static void put_distance(unsigned *count, unsigned distance, int8_t w)
{
    distances[*count / 2] = (uint8_t)(*count % 2 ? distances[*count / 2] | distance << 4 : distance);
    padded[(*count)++] = w;
}
/* Draws weights of which `zeros` in a hundred are zero. Returns the number of nonzeros; *count = the number of nonzeros and
   padding. */
static unsigned draw(uint32_t zeros, unsigned *count)
{
    unsigned n = 0;
    memset(words, 0, sizeof words);
    *count = 0;
    for (unsigned i = 0; i < ROWS; i++) {
        unsigned next = 0;
        pos[i] = (uint16_t)n, padded_pos[i] = (uint16_t)*count;
        for (unsigned j = 0; j < COLUMNS; j++) {
            const int8_t w = (int8_t)(below(100) < zeros ? 0 : 1 + below(100));
            weights[i * COLUMNS + j] = w;
            if (!w) continue;
            for (; j - next > 15; next += 16) put_distance(count, 15, 0);
            put_distance(count, j - next, w);
            next = j + 1;
            columns[n] = (uint8_t)j, value[n++] = w;
            words[(i * COLUMNS + j) / 32] |= (uint32_t)1 << j % 32;
        }
    }
    pos[ROWS] = (uint16_t)n, padded_pos[ROWS] = (uint16_t)*count;
    return n;
}

static const csr by_columns = {pos, columns, value};
static const mask by_bits = {pos, words, value};
static const delta by_distances = {padded_pos, distances, padded};
static const full whole = {weights};
static const in x = {input};
static int32_t wanted[ROWS], sums[ROWS];
static out y = {sums}, full_y = {wanted};
#define MEASURE(what, bytes, call)                                                                                          \
    do {                                                                                                                    \
        memset(sums, 0, sizeof sums);                                                                                       \
        const uint32_t start = ticks_now();                                                                                 \
        const sparse_result result = call;                                                                                  \
        const uint32_t ticks = ticks_since(start);                                                                          \
        CHECK(!result && memcmp(sums, wanted, sizeof sums) == 0, what " gives the right numbers");                          \
        board_print(", " what " "), print_number(bytes), board_print(" bytes "), print_number(instructions(ticks));         \
    } while (0)
int main(void)
{
    ticks_begin();
    for (unsigned j = 0; j < COLUMNS; j++) input[j] = (int8_t)(below(256) - 128);
    for (uint32_t zeros = 90; zeros >= 50; zeros -= 20) {
        unsigned count;
        const unsigned n = draw(zeros, &count);
        CHECK(by_full(&full_y, &whole, &x) == SPARSE_OK, "dense weights");
        board_print("weights on " BOARD ": "), print_number(zeros), board_print(" % zeros");
        MEASURE("csr", sizeof pos + 2 * n, by_csr(&y, &by_columns, &x));
        MEASURE("bitmask", sizeof pos + sizeof words + n, by_mask(&y, &by_bits, &x));
        MEASURE("delta", sizeof pos + count + (count + 1) / 2, by_delta(&y, &by_distances, &x));
        MEASURE("dense", sizeof weights, by_full(&y, &whole, &x));
        board_print("\n");
    }
    return report();
}
