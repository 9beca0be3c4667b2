/* What each board provides to the programs here: text, an end, and its stack. */
#ifndef BOARD_H
#define BOARD_H
void board_print(const char *text);
void board_exit(int status);
unsigned long board_stack(void); /* bytes of the stack that were used so far; 0: not known */
int main(void);
#endif
