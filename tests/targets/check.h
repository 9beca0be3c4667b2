/* Checks for the programs here, which lack stdio. */
#include "board.h"
#ifndef BOARD
    #define BOARD "target"
#endif
static unsigned passed, failed;
static void print_number(unsigned long number)
{
    char text[24], *at = text + sizeof text;
    *--at = '\0';
    do *--at = (char)('0' + number % 10);
    while (number /= 10);
    board_print(at);
}
static void check(bool right, const char *what, int line)
{
    if (right) {
        passed++;
        return;
    }
    failed++, board_print("failed: "), board_print(what), board_print(", line "), print_number((unsigned long)line);
    board_print("\n");
}
#define CHECK(right, what) check(right, what, __LINE__)
static int report(void)
{
    if (board_stack()) board_print("stack: "), print_number(board_stack()), board_print(" bytes\n");
    board_print(BOARD ": "), print_number(passed), board_print(" passed, "), print_number(failed), board_print(" failed\n");
    board_exit(failed != 0);
    return failed != 0;
}
