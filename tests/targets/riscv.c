/* Startup code and board.h for a RISC-V controller: the board `virt` of qemu. */
#include "board.h"
#include "stack.h"
void reset(void), fault(void);

void board_print(const char *text)
{
    while (*text) *(volatile uint8_t *)0x10000000 = (uint8_t)*text++;
}
void board_exit(int status)
{
    *(volatile uint32_t *)0x100000 = status ? (uint32_t)status << 16 | 0x3333 : 0x5555;
    for (;;) {
    }
}
void reset(void)
{
    fill_memory();
    board_exit(main());
}
void fault(void)
{
    board_print("fault\n");
    board_exit(99);
}
__asm__(".section .start, \"ax\"\n"
        ".option arch, +zicsr\n"
        ".global _start\n"
        "_start: la sp, top_of_stack\n"
        "la t0, trap\n"
        "csrw mtvec, t0\n"
        "li t0, 0x6000\n" /* enables the float registers, if there are any */
        "csrs mstatus, t0\n"
        "call reset\n"
        ".align 2\n"
        "trap: call fault\n"
        ".text\n");
