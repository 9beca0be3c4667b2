/* Startup code of an Arm controller, and board.h with semihosting. The linker script of targets.sh defines the sections. */
#include "board.h"
#include "stack.h"
void reset(void);

static uintptr_t ask_host(uintptr_t operation, uintptr_t argument)
{
    register uintptr_t r0 __asm__("r0") = operation;
    register uintptr_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}
void board_print(const char *text) { (void)ask_host(0x04, (uintptr_t)text); /* SYS_WRITE0 */ }
void board_exit(int status)
{
    const uintptr_t reason[] = {0x20026, (uintptr_t)status};
    (void)ask_host(0x20, (uintptr_t)reason); /* SYS_EXIT_EXTENDED */
    for (;;) {
    }
}
void reset(void)
{
    fill_memory();
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
    *(volatile uint32_t *)0xE000ED88 |= 0xFU << 20; /* enables the coprocessors for float and Helium */
    __asm__ volatile("dsb; isb");
#endif
    board_exit(main());
}
static void fault(void)
{
    board_print("fault\n");
    board_exit(99);
}
__attribute__((section(".start"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))(uintptr_t)top_of_stack, reset, fault, fault, fault, fault, fault};
