/* Counts instructions with the timer of the processor, in an emulator in which every instruction takes equal time. */
#ifndef TICKS_H
#define TICKS_H
#include <stdint.h>
#define SYSTICK ((volatile uint32_t *)(uintptr_t)0xE000E010)
static uint32_t ticks_in_2000000; /* ticks for 2,000,000 instructions */
static uint32_t ticks_now(void) { return SYSTICK[2]; }
static uint32_t ticks_since(uint32_t start) { return (start - SYSTICK[2]) & 0xFFFFFF; } /* 24 bits, counts down */

static void ticks_begin(void)
{
    uint32_t n = 1000000;
    SYSTICK[1] = 0xFFFFFF, SYSTICK[2] = 0, SYSTICK[0] = 5; /* runs at the processor's rate */
    const uint32_t start = ticks_now();
    __asm__ volatile("1: subs %0, %0, #1\n bne 1b" : "+r"(n) : : "cc");
    ticks_in_2000000 = ticks_since(start);
}
static unsigned long instructions(uint64_t ticks) { return (unsigned long)(ticks * 2000000 / ticks_in_2000000); }
#endif
