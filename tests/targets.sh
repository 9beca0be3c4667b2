#!/bin/sh
# targets.sh [TARGET...]: the canonical kernels of targets/kernels.h on emulated controllers and other machines. They compile
# for size without a warning, compute the right numbers, and call no outside functions but memcpy, memmove, memset and
# memcmp. Needs cross compilers and emulators; a target without its tools is skipped. To add a target, add a row to the
# table below.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
here=tests/targets

# name | compiler and flags | address and length of flash and of RAM | source with the startup code | emulator
arm='arm-none-eabi-gcc -mthumb -specs=nosys.specs' qemu='qemu-system-arm -nographic -semihosting-config enable=on,target=native'
clang='clang -static --rtlib=libgcc -Wno-unused-command-line-argument' # Debian's gcc for these machines and gcc-multilib exclude each other
riscv='riscv64-unknown-elf-gcc -mcmodel=medany' virt='-nographic -M virt -bios none'
cat >"$work/targets" <<END
m0|$arm -mcpu=cortex-m0|0x0 256K 0x20000000 16K|cortex_m|$qemu -M microbit -kernel
m4f|$arm -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16|0x0 4M 0x20000000 4M|cortex_m|$qemu -M mps2-an386 -kernel
m33|$arm -mcpu=cortex-m33 -mfloat-abi=hard|0x10000000 4M 0x38000000 2M|cortex_m|$qemu -M mps2-an505 -kernel
m55|$arm -mcpu=cortex-m55 -mfloat-abi=hard|0x0 512K 0x20000000 512K|cortex_m|$qemu -M mps3-an547 -kernel
m55_without_helium|$arm -mcpu=cortex-m55+nomve -mfloat-abi=hard|0x0 512K 0x20000000 512K|cortex_m|$qemu -M mps3-an547 -kernel
rv32imc|$riscv -march=rv32imc -mabi=ilp32|0x80000000 4M 0x80400000 4M|riscv|qemu-system-riscv32 $virt -kernel
rv64gc|$riscv -march=rv64gc -mabi=lp64d|0x80000000 4M 0x80400000 4M|riscv|qemu-system-riscv64 $virt -kernel
atmega1284p|avr-gcc -mmcu=atmega1284p -mcall-prologues -mrelax||avr|simavr -m atmega1284p -f 16000000
powerpc|$clang --sysroot=/usr/powerpc-linux-gnu --target=powerpc-linux-gnu||linux|qemu-ppc
s390x|$clang --target=s390x-linux-gnu||linux|qemu-s390x
END

# layout FLASH LENGTH RAM LENGTH: prints a linker script
layout() {
    cat <<END
MEMORY { flash (rx) : ORIGIN = $1, LENGTH = $2
         ram (rwx) : ORIGIN = $3, LENGTH = $4 }
SECTIONS {
    .text : { KEEP(*(.start)) *(.text*) *(.rodata*) *(.srodata*) . = ALIGN(8); } > flash
    .ARM.exidx : { *(.ARM.exidx*) } > flash
    at_data = LOADADDR(.data);
    .data : { . = ALIGN(8); start_data = .; *(.data*) *(.sdata*) . = ALIGN(8); end_data = .; } > ram AT > flash
    .bss (NOLOAD) : { start_bss = .; *(.bss*) *(.sbss*) *(COMMON) . = ALIGN(8); end_bss = .; } > ram
    top_of_stack = ORIGIN(ram) + LENGTH(ram);
}
END
}
# count STATUS WHAT: counts a check; if it failed, prints the output of the compiler or program
count() {
    if [ "$1" = 0 ]; then passed=$((passed + 1))
    else failed=$((failed + 1)) && echo "failed: $target: $2" && head -n 12 "$work/said"
    fi
}
# asks OBJECT: prints its undefined names that the compiler's library does not define. For an AVR, libm has the arithmetic of
# float.
asks() {
    { $compiler -print-libgcc-file-name; if [ $start = avr ]; then $compiler -print-file-name=libm.a; fi; } |
        xargs "$(prefix nm)" -g --defined-only 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$work/libgcc"
    "$(prefix nm)" -u "$1" | awk '{ print $2 }' | sort -u | comm -23 - "$work/libgcc" | grep -vxE 'memcpy|memmove|memset|memcmp|board_[a-z]+'
}
# prefix TOOL: prints the tool of the target's toolchain
prefix() {
    case $compiler in
    clang*) echo "${compiler##*--target=}-$1" ;;
    *) echo "${compiler%%gcc *}$1" ;;
    esac
}

warnings='-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef -DSPARSE_TERSE=0 -Werror'
# test_target [-DSETTING=VALUE]...: compiles the kernels with these settings, and runs them
test_target() {
    compile="$compiler $* -std=c11 -Os -ffunction-sections -fdata-sections $warnings -DBOARD=\"$target\" -I. -I$here"
    $compile -ffreestanding -c $here/kernels.c -o "$work/kernels.o" >"$work/said" 2>&1
    count $? 'the kernels compile without a warning' || return
    [ -e "$work/kernels.o" ] || return
    asks "$work/kernels.o" >"$work/said"
    [ ! -s "$work/said" ]
    count $? 'names that a program would have to define, beside memcpy, memmove, memset and memcmp'
    link='' source="$here/$start.c"
    case $start in cortex_m | riscv)
        layout $memory >"$work/memory.ld"
        link="-nostdlib -nostartfiles -Wl,--gc-sections -T $work/memory.ld -lgcc" source="$source $here/memory.c" ;;
    avr) link='-Wl,--gc-sections -lm' ;;
    esac
    case $start in
    linux) $compile "$work/kernels.o" $source -o "$work/program" $link >"$work/said" 2>&1 ;;
    *) $compile -ffreestanding -fno-tree-loop-distribute-patterns "$work/kernels.o" $source -o "$work/program" $link >"$work/said" 2>&1 ;;
    esac
    count $? 'the program is linked'
    timeout 60 $emulator "$work/program" </dev/null 2>&1 | sed 's/\x1b\[[0-9;]*m//g; s/[.\r]*$//' >"$work/said"
    grep '^stack' "$work/said"
    line=$(grep "^$target: [0-9]* passed, [0-9]* failed" "$work/said")
    case $line in
    *', 0 failed') echo "$line" && passed=$((passed + $(echo "$line" | cut -d ' ' -f 2))) ;;
    *) count 1 "ends with: $line" ;;
    esac
    rm -f "$work/kernels.o" "$work/program"
}
# test_counted NAME FLAGS: runs a program that prints instruction counts, from the emulator. digits is the network of
# examples/digits.c, layer a layer with bias; both are compiled for speed, so that loops in plain C use the vector
# instructions of the processor. weights has layers with several shares of zeros, compiled for size.
test_counted() {
    compile="$compiler -std=c11 -ffreestanding -ffunction-sections -fdata-sections $warnings -DBOARD=\"$target\" -I. -I$here"
    layout $memory >"$work/memory.ld"
    $compile $2 -c $here/$1.c -o "$work/$1.o" >"$work/said" 2>&1 &&
        $compile -Os -fno-tree-loop-distribute-patterns "$work/$1.o" $here/$start.c $here/memory.c -o "$work/program" \
            -nostdlib -nostartfiles -Wl,--gc-sections -T "$work/memory.ld" -lgcc >"$work/said" 2>&1
    count $? "$1 compiles without a warning" || return
    timeout 60 ${emulator%-kernel} -icount shift=0 -kernel "$work/program" </dev/null >"$work/said" 2>&1
    count $? "$1"
    grep "^$1" "$work/said"
}
# Arrays in program memory (__flash) must be refused, as kernels would read wrong numbers.
test_flash() {
    for passed_to in 0 1 2; do
        for terse in 0 1; do
            $compiler -std=gnu11 -Os -DSPARSE_TERSE=$terse -DPASSED=$passed_to -I. -I$here -c $here/flash.c -o "$work/flash.o" >"$work/said" 2>&1
            [ $? != 0 ] && grep -q "error: conversion from address space .__flash" "$work/said"
            count $? "arrays in program memory, passed in way $passed_to, are refused"
        done
    done
}
while IFS='|' read -r target compiler memory start emulator <&3; do
    case " ${*:-$target} " in *" $target "*) ;; *) continue ;; esac
    for tool in "${compiler%% *}" "${emulator%% *}"; do
        command -v "$tool" >/dev/null || { skipped=$((skipped + 1)) && echo "skipped: $target, as $tool is not there" && continue 2; }
    done
    if [ $start = linux ] && ! echo 'int main(void) { return 0; }' | $compiler -x c - -o "$work/probe" 2>/dev/null; then
        skipped=$((skipped + 1)) && echo "skipped: $target, as its library is not there" && continue
    fi
    test_target
    [ "$target" = m0 ] && test_target -DSPARSE_CHECKS=1 && test_target -DSPARSE_CHECKS=0 && test_target -DSPARSE_MAX_LEVELS=4 &&
        test_target -DSPARSE_EXPLAIN=1
    [ $start = avr ] && test_flash
    right=$(sed -n 's/^\([0-9]*\) of 1000 digits are recognised$/\1/p' examples/README.md)
    case $target in
    m4f | m55*)
        test_counted digits "-O3 -DRIGHT=$right"
        test_counted weights -Os
        for checks in 0 1 2; do test_counted layer "-O2 -DSPARSE_CHECKS=$checks"; done
        ;;
    esac
done 3<"$work/targets"
echo "targets: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
