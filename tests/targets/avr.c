/* board.h for an AVR: text output, exit, stack. avr-libc has the startup code. */
#include "board.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

void board_print(const char *text)
{
    while (*text) UDR0 = (uint8_t)*text++;
}
void board_exit(int status)
{
    board_print(status ? "ended with a failure\n" : "");
    cli();
    sleep_mode(); /* ends simavr */
    for (;;) {
    }
}
/* Fills the memory between the program's variables and the stack, before main, to measure the stack. */
extern uint8_t __heap_start[];
enum { UNUSED = 0x5A };
void fill_stack(void) __attribute__((naked, used, section(".init3")));
void fill_stack(void)
{
    for (uint8_t *to = __heap_start; to < (uint8_t *)RAMEND; to++) *to = UNUSED;
}
unsigned long board_stack(void)
{
    const uint8_t *at = __heap_start;
    while (at < (const uint8_t *)RAMEND && *at == UNUSED) at++;
    if (at == __heap_start) board_print("the stack met the variables\n"), board_exit(98);
    return (unsigned long)((const uint8_t *)RAMEND - at) + 1;
}
