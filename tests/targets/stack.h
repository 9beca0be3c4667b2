/* Measures the stack of a controller: the memory between the program's variables and the stack is filled before main. */
#include <stdint.h>
extern uint32_t at_data[], start_data[], end_data[], start_bss[], end_bss[], top_of_stack[];
enum { UNUSED = 0x5A5A5A5A };

static void fill_memory(void)
{
    const uint32_t *from = at_data, *const here = (const uint32_t *)((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)3);
    for (uint32_t *to = start_data; to < end_data;) *to++ = *from++;
    for (uint32_t *to = start_bss; to < end_bss;) *to++ = 0;
    for (uint32_t *to = end_bss; to < here - 64;) *to++ = UNUSED;
}
unsigned long board_stack(void)
{
    const uint32_t *at = end_bss;
    while (at < top_of_stack && *at == UNUSED) at++;
    if (at == end_bss) board_print("the stack met the variables\n"), board_exit(98);
    return (unsigned long)(top_of_stack - at) * sizeof *at;
}
