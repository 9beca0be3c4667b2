/* Runs the network of examples/digits.c on a controller; prints how many digits it recognises, and instructions per
   digit. */
#define SPARSE_FREESTANDING 1
#include "../../examples/digits.c"
#include "check.h"
#include "ticks.h"

int main(void)
{
    unsigned right = 0, differ = 0;
    uint32_t taken[2] = {0};
    ticks_begin();
    begin_digits();
    for (unsigned n = 0; n < DIGITS; n++) {
        int8_t in[144], sparse[10], dense[10];
        digits_draw(in, n % 10, &digits_state);
        uint32_t start = ticks_now();
        sparse_result result = infer_sparse(sparse, in);
        taken[0] += ticks_since(start), start = ticks_now();
        if (!result) result = infer_dense(dense, in);
        taken[1] += ticks_since(start);
        differ += result || memcmp(sparse, dense, sizeof sparse);
        right += best(sparse) == n % 10;
    }
    CHECK(right == RIGHT, "as many digits are recognised as on a host");
    CHECK(!differ, "the dense network gives the same numbers");
    CHECK(taken[0] < taken[1], "the sparse network takes fewer instructions");
    board_print("digits on " BOARD ": "), print_number(right), board_print(" of "), print_number(DIGITS);
    board_print(", "), print_number(instructions(taken[0]) / DIGITS);
    board_print(" instructions each, dense "), print_number(instructions(taken[1]) / DIGITS);
    board_print("; flash: "), print_number(BYTES_SPARSE), board_print(" bytes of weights, dense ");
    print_number(BYTES_DENSE), board_print("; RAM: "), print_number(BYTES_RAM), board_print(" bytes\n");
    return report();
}
