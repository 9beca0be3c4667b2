/* board.h for Linux, in qemu's user mode. */
#include "board.h"
#include <stdio.h>
#include <stdlib.h>

void board_print(const char *text) { (void)fputs(text, stdout); }
void board_exit(int status) { exit(status); }
unsigned long board_stack(void) { return 0; }
