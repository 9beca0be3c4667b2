#!/bin/bash
# orders.sh [FIRST [LAST]]: measures how good the loop orders are that the generator chooses. Each statement below runs over
# each shape, in the chosen order and in every other possible order, including conversions. Prints for each the time of the
# chosen order divided by the time of the best one; the last line counts how often that is at most 1.5. FIRST and LAST are
# numbers of statements. All kernels of a statement are in one program, which takes ten seconds to a minute to compile and a
# second or two to run a shape. Processor time is measured, to exclude other programs. Kernels close to the best are
# measured TURNS times, and the least median counts.
# Environment: GEN (the generator), CC, TIMES (runs of a kernel in a turn), TURNS, SHAPES (separated by blanks), WORK (a
# directory: its file times has the time of each kernel, which is not measured again with another generator; orders.txt has
# the times of all orders and their predicted costs).
cd "$(dirname "$0")/.." || exit 1
GEN=${GEN:-./sparse_gen.c} CC=${CC:-gcc} TIMES=${TIMES:-5} TURNS=${TURNS:-3} first=${1:-1} last=${2:-40}
# sizes of i, j, k, l, and the density
SHAPES=${SHAPES:-300,300,3000,20:0.01 300,300,300,20:0.03 100,100,3000,10:0.01 1000,1000,1000,10:0.003 3000,300,300,20:0.01
    300,3000,300,20:0.01 100,100,100,100:0.2 2000,2000,2000,4:0.001 50,50,20000,4:0.01 4000,4000,100,4:0.001}
statements='C(i,j) = A(k,i) * A(k,j)|A C
C(i,j) = A(i,k) * B(k,j)|A B C
C(i,j) = A(i,k) * B(j,k)|A B C
C(i,j) = A(k,i) * B(k,j)|A B C
C(i,j) = A(k,i) * B(j,k)|A B C
C(i,j) = A(i,k) * B(k,j)|A B
C(i,j) = A(i,k) * B(j,k)|A B
C(i,j) = A(k,i) * B(k,j)|A B
C(i,j) = A(k,i) * B(j,k)|A B
C(i,j) = A(i,k) * B(k,j)|A
C(i,j) = A(k,i) * B(k,j)|A
C(i,j) = A(i,k) * B(j,k)|A
C(i,j) = A(k,i) * B(j,k)|A
C(i,j) = A(i,k) * B(k,j)|B
C(i,j) = A(i,k) * B(j,k)|B
C(i,j) = A(k,i) * B(k,j)|B
C(i,j) = S(i,j) * A(i,k) * B(k,j)|S
C(i,j) = S(i,j) * A(i,k) * B(k,j)|S C
C(i,j) = S(i,j) * A(i,k) * B(j,k)|S C
C(i,j) = S(i,j) * A(k,i) * B(k,j)|S C
C(i,j) = S(i,j) * A(i,k) * B(k,j)|S A B C
C(i,j) = S(i,j) * A(k,i) * B(k,j)|S A B C
y(i) = A(i,j) * x(j)|A
y(j) = A(i,j) * x(i)|A
y(i) = A(i,j) * x(j)|A x
y(j) = A(i,j) * x(i)|A x
y(i) = A(i,k) * B(k,j) * x(j)|A B
y(j) = A(i,k) * B(k,j) * x(i)|A B
s = A(i,j) * B(i,j)|A B
s = A(i,j) * B(j,i)|A B
C(i,j) = A(i,j) + B(j,i)|A B C
C(i,j) = A(i,j) * B(j,i)|A B C
C(i,j) = A(i,j) * x(j)|A C
C(j,i) = A(i,j)|A C
C(i,l) = A(i,j) * B(j,k) * D(k,l)|A B
C(i,l) = A(i,j) * B(j,k) * D(k,l)|A
C(i,l) = A(j,i) * B(j,l)|A
C(i,j) = A(k,i) * w(k) * A(k,j)|A C
C(i,j) = x(i) * A(i,j) * y(j)|A C
y(i) = A(k,i) * A(k,j) * x(j)|A'
WORK=${WORK:-$(mktemp -d)}
mkdir -p "$WORK" && : >"$WORK/orders.txt"
# orders INDICES: prints all orders
orders() {
    [ ${#1} -gt 1 ] || { echo "$1"; return; }
    local n rest
    for ((n = 0; n < ${#1}; n++)); do
        while read -r rest; do echo "${1:n:1},$rest"; done < <(orders "${1:0:n}${1:n+1}")
    done
}
# options SHAPE: sets `options` of the generator for the statement, its $indices and its $sparse tensors. If A is read as
# A(k,i) and as A(k,j), j is as large as i.
options() {
    local i j k l sizes= index tensor dense
    IFS=, read -r i j k l <<<"${1%:*}"
    [[ "$statement" != *"A(k,i)"*"A(k,j)"* ]] || j=$i
    for index in $(fold -w 1 <<<"$indices"); do sizes="$sizes${sizes:+,}$index=${!index}"; done
    options=(-d "$sizes" -i "rand:${1#*:}")
    for tensor in $sparse; do
        dense=$(grep -oE "$tensor\([a-z,]+\)" <<<"$statement" | head -n 1 | tr -cd ,)
        options+=(-f "$tensor=$([ "$dense" ] && echo csr || echo sparse)")
    done
}
# kernel OPTIONS...: adds the kernel to the program, if it is new, with sizes and densities as variables. Its name is
# computed from its text. Fails if the order is refused.
kernel() {
    "$GEN" "$statement" --part --name zq --time "$TIMES" "$@" 2>/dev/null | sed '/^\/\*/d; /^#include/d' |
        sed -Ez 's/static size_t zq_length[^;]*;//; s/zq_length_/length_/g; s/timespec_get.&t, TIME_UTC./clock_gettime(CLOCK_PROCESS_CPUTIME_ID, \&t)/; s/(\{.r., )[0-9.e-]+/\1density/g' >"$WORK/part"
    [ -s "$WORK/part" ] || return 1
    name=zq$(cksum <"$WORK/part" | tr ' ' x)
    grep -q "int ${name}_main" "$WORK/kernels.c" || sed "s/zq/$name/g; s/ZQ/Z${name#z}/g" "$WORK/part" >>"$WORK/kernels.c"
}
# program: compiles the kernels, with a main that runs one
program() {
    {
        printf '#include <math.h>\n#include <time.h>\n#include "sparse.h"\n#include "sparse_io.h"\n'
        printf 'static size_t length_i, length_j, length_k, length_l;\nstatic double density;\n'
        cat "$WORK/kernels.c"
        printf 'int main(int count, char **word)\n{\n    if (count < 7) return 1;\n    density = atof(word[6]);\n'
        for index in i j k l; do printf '    length_%s = (size_t)atol(*++word);\n' $index; done
        grep -oE 'int zq[0-9x]+_main' "$WORK/kernels.c" | sed -E 's/int (.*)_main/    if (!strcmp(word[1], "\1")) return \1_main();/'
        printf '    return 1;\n}\n'
    } >"$WORK/program.c"
    "$CC" -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -w -I. "$WORK/program.c" -o "$WORK/program" -lm
}
# measure SECONDS NAME SHAPE: runs one more turn of a kernel; records no time if it fails or takes longer than SECONDS
measure() {
    local i j k l seconds
    IFS=, read -r i j k l <<<"${3%:*}"
    [[ "$statement" != *"A(k,i)"*"A(k,j)"* ]] || j=$i
    [ -x "$WORK/program" ] || program || return
    seconds=$(timeout "$1" "$WORK/program" "$i" "$j" "$k" "$l" "$2" "${3#*:}" 2>/dev/null |
        sed -n 's/^compute: \([0-9.e+-]*\) s.*/\1/p')
    turns[$2 $3]=$((${turns[$2 $3]:-0} + 1))
    [ "${took[$2 $3]}" ] && less "${took[$2 $3]}" "${seconds:-1e9}" || took[$2 $3]=$seconds
    echo "$2 $3 ${turns[$2 $3]} ${took[$2 $3]}" >>"$WORK/times"
}
# less A B: is A less than B?
less() { awk "BEGIN { exit !($1 < $2) }"; }
declare -A took=() turns=()
touch "$WORK/times"
while read -r name shape count seconds; do turns[$name $shape]=$count took[$name $shape]=$seconds; done <"$WORK/times"
number=0
while IFS='|' read -r statement sparse; do
    number=$((number + 1))
    [ $number -ge "$first" ] && [ $number -le "$last" ] || continue
    indices=$(grep -oE '\([a-z,]+\)' <<<"$statement" | tr -d '(),\n' | fold -w 1 | sort -u | tr -d '\n')
    : >"$WORK/kernels.c"
    : >"$WORK/names"
    rm -f "$WORK/program"
    for shape in $SHAPES; do
        options "$shape"
        for order in chosen $(orders "$indices"); do
            ask=("${options[@]}")
            [ $order = chosen ] || ask+=(-l "$order")
            kernel "${ask[@]}" && echo "$shape $order $name $("$GEN" "$statement" "${ask[@]}" --cost 2>/dev/null)" >>"$WORK/names"
        done
    done
    for shape in $SHAPES; do
        best=$(awk -v s="$shape" '$1 == s && $2 == "chosen" { print $3 }' "$WORK/names") chosen=$best
        [ "$chosen" ] || { echo "$number $shape: refused: $statement | $sparse"; continue; }
        SECONDS=0
        [ "${turns[$chosen $shape]}" ] || measure 100 "$chosen" "$shape"
        [ "${took[$chosen $shape]}" ] || { echo "$number $shape: fails: $statement | $sparse"; continue; }
        limit=$((SECONDS * 5 + 2))
        for ((turn = 1; turn <= TURNS; turn++)); do
            for name in $(awk -v s="$shape" '$1 == s { print $3 }' "$WORK/names" | sort -u); do
                [ $turn -gt "${turns[$name $shape]:-0}" ] || continue
                [ $turn -eq 1 ] || [ "$name" = "$chosen" ] ||
                    less "${took[$name $shape]:-1e9}" "${took[$best $shape]} * 1.3" || continue
                measure $limit "$name" "$shape"
            done
            for name in $(awk -v s="$shape" '$1 == s { print $3 }' "$WORK/names" | sort -u); do
                less "${took[$name $shape]:-1e9}" "${took[$best $shape]}" && best=$name
            done
        done
        awk -v s="$shape" '$1 == s { print $2, $3, $4 }' "$WORK/names" | while read -r order name cost; do
            echo "$number $shape $order $name ${took[$name $shape]:-none} $cost"
        done >>"$WORK/orders.txt"
        at=$(awk -v s="$shape" -v n="$best" '$1 == s && $3 == n { print $2; exit }' "$WORK/names")
        awk -v n=$number -v s="$shape" -v c="${took[$chosen $shape]}" -v b="${took[$best $shape]}" -v at="$at" \
            -v what="$statement | $sparse" 'BEGIN { printf "%d %s: %.2f of the best, %s: %s\n", n, s, c / b, at, what }'
    done
done <<<"$statements" | tee >(awk '/of the best/ { all++; good += $3 <= 1.5 } END { printf "%d of %d within 1.5 of the best\n", good, all }' >&2)
wait
