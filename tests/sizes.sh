#!/bin/sh
# sizes.sh [all]: prints the tables of sizes in docs/embedded.md: the bytes of code and constants of a program with one
# kernel, freestanding, at -Os. Each cell has the loops alone, and the kernel with SPARSE_CHECKS 0, 1 and 2. For Cortex-M0;
# with `all` for every target whose compiler is installed. Fails if the checks of a kernel take more bytes than the limits
# below.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
cat >"$work/targets" <<'END'
Cortex-M0|arm-none-eabi-gcc -mthumb -mcpu=cortex-m0
Cortex-M4F|arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16
Cortex-M55|arm-none-eabi-gcc -mthumb -mcpu=cortex-m55 -mfloat-abi=hard
RV32IMC|riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32
ATmega1284P|avr-gcc -mmcu=atmega1284p
END
cat >"$work/kernels" <<'END'
spmv_csr|vec *y, const csr *A, const vec *x|y, A, x
spmv_csc|vec *y, const csc *A, const vec *x|y, A, x
spmv_coo|vec *y, const coo *A, const vec *x|y, A, x
spmv_bsr|vec *y, const bsr *A, const vec *x|y, A, x
spmv_n2m4|vec *y, const n2m4 *A, const vec *x|y, A, x
spmv_int8|vecl *y, const csri *A, const veci *x|y, A, x
spmv_packed|vecl *y, const p2m4i *A, const veci *x|y, A, x
spmv_bitmask|vecl *y, const maski *A, const veci *x|y, A, x
spmv_fixed|sumf *y, const csrf *A, const vecf *x|y, A, x
spmm|mat *Y, const csr *A, const mat *X|Y, A, X
dot|float *s, const list *a, const list *b|s, a, b
correlate|vec *y, const list *f, const vec *x|y, f, x
sum|csr *C, const csr *A, const csr *B|C, A, B
masked|csr *C, const csr *M, const csr *A, const csc *B|C, M, A, B
product|csr *C, const csr *A, const csr *B|C, A, B
END
# bytes CHECKS STATEMENT: prints the size of a file with the kernels and this statement
bytes() {
    printf '#include "kernels.h"\n%s\n' "$2" >"$work/one.c"
    $compiler -std=c11 -Os -ffreestanding -DSPARSE_CHECKS=$1 -I. -Itests/targets -c "$work/one.c" -o "$work/one.o" 2>"$work/said" || {
        echo 0 && cat "$work/said" >&2
        return
    }
    "${compiler%%gcc *}size" "$work/one.o" | awk 'NR == 2 { print $1 + $2 }'
}
# at_most BYTES LIMIT WHAT
at_most() {
    if [ "$1" -gt 0 ] && [ "$1" -le "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $3: $1 bytes, more than $2"; fi
}
# functions that make a tensor from arrays, and check the arrays
cat >"$work/arrays" <<'END'
csr_borrow_arrays|csr *A, const size_t *dim, const sparse_arrays *arrays|A, dim, arrays, NULL
coo_borrow_arrays|coo *A, const size_t *dim, const sparse_arrays *arrays|A, dim, arrays, NULL
sparse_assemble|csr *A, const size_t *dim, const sparse_arrays *arrays|&A->t, dim, arrays, SPARSE_BORROW, NULL
END
# floors TARGET: prints the bytes that checks and loads of arguments add to the loops of the first kernel of a program, and
# of each further kernel (CSR, CSC, COO). With SPARSE_CHECKS 2 each further kernel adds the encoding of its type as well.
floors() {
    one='sparse_result call(vec *y, const csr *A, const vec *x); sparse_result call(vec *y, const csr *A, const vec *x) { return spmv_csr(y, A, x); }'
    three="$one $(echo "$one" | sed 's/call/call_csc/g; s/csr/csc/g') $(echo "$one" | sed 's/call/call_coo/g; s/csr/coo/g')"
    loops=$(sed -n 's/^spmv_csr|\([0-9]*\) .*/\1/p' "$work/of_target")
    more=$(awk -F '[| ]' '/^spmv_c(sc|oo)/ { sum += $2 } END { print sum }' "$work/of_target")
    for checks in 0 1 2; do
        first=$(bytes $checks "$one") all=$(bytes $checks "$three")
        further=$(((all - first - more) / 2))
        echo "SPARSE_CHECKS $checks|$((first - loops)) / $further" >>"$work/floors"
        case $1,$checks in Cortex-M0,0) limit=60 ;; Cortex-M0,1) limit=100 ;; Cortex-M0,2) limit=300 ;; *) continue ;; esac
        at_most $further $limit "a further kernel on $1 with SPARSE_CHECKS $checks, beside its loops"
    done
}
# beside_hand TARGET: prints the bytes of kernel loops next to those of hand.c. Limits, in percent, hold for dot, which once
# took 12 times the bytes of hand.c (D3 in tests/README.md), and for n:m layers, which took 1.4 to 1.9 times (D7).
beside_hand() {
    $compiler -std=c11 -Os -ffreestanding -ffunction-sections -I. -Itests/targets -c tests/targets/hand.c -o "$work/hand.o" || return
    "${compiler%%gcc *}nm" -S --radix=d "$work/hand.o" | awk 'NF == 4 { print $4, $2 + 0 }' >"$work/symbols"
    for kernel in spmv_csr spmv_int8 spmv_n2m4i dot layer layer_n2m4 layer_n1m8 layer_p2m4 layer_p1m8; do
        kit=$(sed -n "s/^${kernel}_loops //p" "$work/symbols") hand=$(sed -n "s/^hand_$kernel //p" "$work/symbols")
        echo "$kernel|$kit / $hand" >>"$work/hands"
        case $1,$kernel in
        ATmega*,*) limit=155 ;;
        *,dot) limit=160 ;;
        *,layer_p*) limit=135 ;;
        *,layer_n1m8) limit=130 ;;
        *,layer*) limit=120 ;;
        *) limit=125 ;;
        esac
        at_most $((kit * 100 / hand)) $limit "loops of $kernel on $1, of 100 by hand"
    done
}
heading='| kernel |' rule='| --- |'
while IFS='|' read -r target compiler <&3; do
    [ "$1" = all ] || [ "$target" = Cortex-M0 ] || continue
    if ! command -v "${compiler%% *}" >/dev/null; then
        skipped=$((skipped + 1)) && echo "skipped: $target, as ${compiler%% *} is not there"
        continue
    fi
    heading="$heading $target |" rule="$rule ---: |"
    : >"$work/of_target"
    pointer=$(bytes 0 'const void *const data = "";') && pointer=$((pointer - 1))
    while IFS='|' read -r kernel parameters arguments <&4; do
        loops=$(bytes 0 "const void *const data = (const void *)${kernel}_loops;") && loops=$((loops - pointer))
        call="sparse_result call($parameters); sparse_result call($parameters) { return $kernel($arguments); }"
        for checks in 0 1 2; do eval "size$checks=$(bytes $checks "$call")"; done
        echo "$kernel|$loops / $size0 / $size1 / $size2" | tee -a "$work/of_target" >>"$work/cells"
        [ "$target" = Cortex-M0 ] && case $kernel in
        sum | masked | product | correlate) ;;
        *)
            at_most $((size0 - loops)) 80 "$kernel on $target, what loads the arguments"
            at_most $((size1 - loops)) 160 "$kernel on $target, what loads and compares sizes"
            at_most $size1 400 "$kernel on $target, sizes checked, in all" ;;
        esac
        [ "$target $kernel" = "Cortex-M0 spmv_fixed" ] && at_most $size2 120 "$kernel on $target, in all, whatever is checked"
        [ "$target $kernel" = "Cortex-M0 dot" ] && at_most $loops 200 "$kernel on $target, loops"
    done 4<"$work/kernels"
    floors "$target"
    beside_hand "$target"
    while IFS='|' read -r what parameters arguments <&4; do
        size=$(bytes 2 "sparse_result call($parameters); sparse_result call($parameters) { return $what($arguments); }")
        echo "$what|$size" >>"$work/checking"
        case $target,$what in Cortex-M0,csr_*) at_most $size 4096 "$what on $target, arrays of one encoding" ;; esac
    done 4<"$work/arrays"
done 3<"$work/targets"
# table FILE: prints its rows as a table with a column for each target
table() {
    echo "$heading" && echo "$rule"
    awk -F '[|]' '!($1 in row) { order[++n] = $1 } { row[$1] = row[$1] " " $2 " |" }
        END { for (k = 1; k <= n; k++) print "| `" order[k] "` |" row[order[k]] }' "$1"
}
[ -e "$work/cells" ] && table "$work/cells" && echo && table "$work/floors" | sed '1s/kernel/first, further/' && echo && table "$work/hands" && echo && table "$work/checking" | sed '1s/kernel/function/'
echo "sizes: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
