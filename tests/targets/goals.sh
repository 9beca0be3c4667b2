#!/bin/sh
# goals.sh SIZES STACK TARGETS: compares the outputs of `sizes.sh all`, stack.sh and targets.sh with the goals for
# controllers. Prints a row for each goal: the figure, its limit, and whether it is met. A goal whose tools are missing is
# skipped. Fails if a goal is not met, unless it is known: docs/notebook.md gives the reasons. To add a goal, add a call of
# `goal`.
cd "$(dirname "$0")/../.." || exit 1
sizes=$1 stack=$2 targets=$3 work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
met=0 missed=0 known=0 skipped=0
# goal WHAT FIGURE LIMIT [VERDICT]: the figure must be at most the limit. VERDICT is printed for a goal that is known not to
# be met. Ratios are in hundredths or thousandths.
goal() {
    case $2 in '') skipped=$((skipped + 1)) && echo "| $1 | | $3 | skipped: its tools are not there |" && return ;; esac
    if [ "$2" -le "$3" ]; then verdict=met met=$((met + 1))
    elif [ "$4" ]; then verdict="$4" known=$((known + 1))
    else verdict='NOT MET' missed=$((missed + 1))
    fi
    echo "| $1 | $2 | $3 | $verdict |"
}
# cell FILE ROW TARGET NUMBER: prints a number of a table's cell, counted from 1: number 3 of 76 / 106 / 138 / 3537 is 138
cell() {
    awk -F '|' -v row="\`$2\`" -v target="$3" -v n="$4" '/^\| (kernel|function|first)/ { at = 0; for (k = 2; k < NF; k++) { t = $k; gsub(/ /, "", t); if (t == target) at = k } }
        { r = $2; gsub(/^ | $/, "", r) } at && r == row { split($at, part, "/"); if (n in part) { v = part[n]; gsub(/ /, "", v); print v } }' "$1" | tail -n 1
}
hundredths() { [ "${1#0}" ] && [ "$2" ] && echo $(($1 * 100 / $2)); }
# pair FILE ROW TARGET: the bytes of the kit divided by those of hand.c, in hundredths
pair() { awk '/^\| kernel/ { tables++ } tables == 2' "$1" >"$work/hand" && hundredths "$(cell "$work/hand" $2 $3 1)" "$(cell "$work/hand" $2 $3 2)"; }
counted() { sed -n "s/^layer on $1, SPARSE_CHECKS 1: $2 % zeros: \([0-9]*\) instructions.*/\1/p" "$targets"; }
dense() { sed -n "s/^layer on $1, SPARSE_CHECKS 1: $2 % zeros: .*dense C \([0-9]*\)/\1/p" "$targets"; }
stack_of() { sed -n "s/^| \`$1\` | \([0-9]*\) |.*/\1/p" "$stack"; }

echo '| goal | figure | at most | |'
echo '| --- | ---: | ---: | --- |'
goal 'SpMV of CSR, sizes checked, Cortex-M0, bytes in all' "$(cell "$sizes" spmv_csr Cortex-M0 3)" 400
goal 'SPARSE_CHECKS 0: what a call adds to its loops, Cortex-M0, bytes' "$(cell "$sizes" 'SPARSE_CHECKS 0' Cortex-M0 1)" 40
goal 'SPARSE_CHECKS 1: a further kernel, Cortex-M0, bytes' "$(cell "$sizes" 'SPARSE_CHECKS 1' Cortex-M0 2)" 100
goal 'arrays of CSR, checked and borrowed, Cortex-M0, bytes' "$(cell "$sizes" csr_borrow_arrays Cortex-M0 1)" 4096
goal 'loops of a product of sparse vectors, Cortex-M0, bytes' "$(cell "$sizes" dot Cortex-M0 1)" 300
for on in Cortex-M0 Cortex-M4F RV32IMC; do
    goal "loops of 2:4 int8, $on, hundredths of loops by hand" "$(pair "$sizes" spmv_n2m4i $on)" 125
    goal "layer with 2:4 weights in one line, $on, hundredths of loops by hand" "$(pair "$sizes" layer_n2m4 $on)" 120
done
if command -v arm-none-eabi-gcc >/dev/null; then
    arm='arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -std=c11 -Os -ffreestanding -I. -Itests/targets -c -o'
    printf '#include "kernels.h"\nchar operand_vecf[sizeof(vecf)], operand_csrf[sizeof(csrf)];\n' >"$work/one.c"
    $arm "$work/one.o" "$work/one.c" && vector=$(arm-none-eabi-nm -S --radix=d "$work/one.o" | awk '/operand_vecf/ { print $2 + 0 }') \
        matrix=$(arm-none-eabi-nm -S --radix=d "$work/one.o" | awk '/operand_csrf/ { print $2 + 0 }')
    (cd "$work" && ln -s "$OLDPWD" kit && cd kit && $arm "$work/hand.o" -fstack-usage tests/targets/hand.c)
    dot=$(awk -F '\t' '/:dot_loops\t/ { print $2 }' "$work/hand.su")
fi
goal 'stack of the loops of a product of sparse vectors, Cortex-M4, bytes' "$dot" 64
goal 'constant operand of fixed sizes, a vector, 32 bits, bytes' "$vector" 24
goal 'constant operand of fixed sizes, a CSR matrix, 32 bits, bytes' "$matrix" 40
for kernel in spmv_csr spmv_bsr spmv_int8 spmv_n2m4 spmm dot correlate csr_borrow_arrays; do
    goal "stack of a call of $kernel, Cortex-M4, bytes" "$(stack_of "kernel $kernel")" 512
done
for kernel in sum product masked; do
    goal "stack of a call of $kernel, which assembles, Cortex-M4, bytes" "$(stack_of "kernel $kernel")" 512 'not met: docs/notebook.md'
done
goal 'stack of sparse_assemble of any encoding, Cortex-M4, bytes' "$(stack_of sparse_assemble)" 512 'not met: docs/notebook.md'
# CMSIS-NN 99f736a takes 34526 instructions for the dense layer on a Cortex-M4, and 8897 on an M55 with Helium (gcc 12.2 -O2,
# this emulator). These were counted once, as the kit does not contain its sources.
goal 'int8 layer 64 x 256, 70 % zeros, M4, sizes checked: instructions, dense CMSIS-NN 34526' "$(counted m4f 70)" 34526 \
    'not met: docs/notebook.md'
goal 'int8 layer 64 x 256, 90 % zeros, M4, sizes checked: instructions, CMSIS-NN 34526 / 2.5' "$(counted m4f 90)" 13810
goal 'int8 layer 64 x 256, 90 % zeros, M55: thousandths of dense C, of which 5.9 times is 169' \
    "$(hundredths "$(counted m55 90)0" "$(dense m55 90)")" 169 'not met: docs/notebook.md'
goal 'int8 layer 64 x 256, 90 % zeros, M55: instructions, CMSIS-NN with Helium 8897 / 1.5' "$(counted m55 90)" 5931 'not met: docs/notebook.md'
goal 'int8 layer 64 x 256, 95 % zeros, M55: instructions, CMSIS-NN with Helium 8897 / 2' "$(counted m55 95)" 4448 'not met: docs/notebook.md'
# the bytes of the smallest encoding, as the generator computes them
awk 'BEGIN { srand(1); for (i = 1; i <= 64; i++) for (j = 1; j <= 256; j++) if (rand() < 0.1) line[++n] = i " " j " " 1 + int(100 * rand())
    print "%%MatrixMarket matrix coordinate integer general\n64 256 " n; for (k = 1; k <= n; k++) print line[k] }' >"$work/weights.mtx"
least=$(./sparse_gen.c 'y(i) = A(i,j) * x(j)' -f A=csr -t A,x=i8 -t y=i32 --embed "A=$work/weights.mtx" |
    sed -n 's|.*A takes [0-9]* bytes; as ||p' | tr ',' '\n' | awk '$1 != "mat" && $2 > 0 && (!least || $2 < least) { least = $2 + 0 } END { print least }')
goal 'int8 weights 64 x 256, 90 % zeros: thousandths of dense' "$(hundredths "${least}0" 16384)" 160 'not met: docs/notebook.md'
echo "goals: $met met, $missed missed, $known not met for a reason, $skipped skipped"
[ $missed = 0 ]
