/* The functions that each board defines for the programs here: text output, exit, and stack usage. */
#ifndef BOARD_H
#define BOARD_H
void board_print(const char *text);
void board_exit(int status);
unsigned long board_stack(void); /* the most bytes of stack used so far; 0: unknown */
int main(void);
#endif
