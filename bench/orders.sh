#!/bin/bash
# orders.sh [FIRST [LAST]]: how good is the order of loops that the generator chooses? Each statement below runs over each
# shape, in the order that is chosen and in every other one that is possible, conversions included. A line for each says how
# many times the best order the chosen one takes; the last line, in how many of them that is 1.5 or less. FIRST and LAST
# are numbers of statements. A statement with three indices takes a minute or two for each shape.
# Environment: GEN, the generator; TIMES, how often each runs; SHAPES, the shapes, separated by blanks.
cd "$(dirname "$0")/.." || exit 1
GEN=${GEN:-./sparse_gen.c} TIMES=${TIMES:-9} first=${1:-1} last=${2:-40}
# sizes of i, j, k, l and the share that is stored
SHAPES=${SHAPES:-300,300,3000,20:0.01 300,300,300,20:0.03 100,100,3000,10:0.01 1000,1000,1000,10:0.003 3000,300,300,20:0.01
    300,3000,300,20:0.01 100,100,100,100:0.2 2000,2000,2000,4:0.001 50,50,20000,4:0.01 10000,10000,100,4:0.001}
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
# orders INDICES: all of them
orders() {
    [ ${#1} -gt 1 ] || { echo "$1"; return; }
    local n rest
    for ((n = 0; n < ${#1}; n++)); do
        while read -r rest; do echo "${1:n:1},$rest"; done < <(orders "${1:0:n}${1:n+1}")
    done
}
# compute STATEMENT OPTIONS...: the seconds; nothing if the order is refused
compute() { "$GEN" "$@" --run --time "$TIMES" 2>/dev/null | sed -n 's/^compute: \([0-9.e+-]*\) s.*/\1/p'; }
number=0
while IFS='|' read -r statement sparse; do
    number=$((number + 1))
    [ $number -ge "$first" ] && [ $number -le "$last" ] || continue
    indices=$(grep -oE '\([a-z,]+\)' <<<"$statement" | tr -d '(),\n' | fold -w 1 | sort -u | tr -d '\n')
    for shape in $SHAPES; do
        IFS=, read -r i j k l <<<"${shape%:*}"
        sizes=
        for index in $(fold -w 1 <<<"$indices"); do sizes="$sizes${sizes:+,}$index=${!index}"; done
        options=(-d "$sizes" -i "rand:${shape#*:}")
        for tensor in $sparse; do
            dense=$(grep -oE "$tensor\([a-z,]+\)" <<<"$statement" | head -n 1 | tr -cd ,)
            options+=(-f "$tensor=$([ "$dense" ] && echo csr || echo sparse)")
        done
        chosen=$(compute "$statement" "${options[@]}") best=$chosen at=chosen
        [ "$chosen" ] || { echo "$number $shape: refused: $statement"; continue; }
        while read -r order; do
            time=$(compute "$statement" "${options[@]}" -l "$order")
            [ "$time" ] && awk "BEGIN { exit !($time < $best) }" && best=$time at=$order
        done < <(orders "$indices")
        awk -v n=$number -v s="$shape" -v c="$chosen" -v b="$best" -v at="$at" -v what="$statement | $sparse" \
            'BEGIN { printf "%d %s: %.2f of the best, %s: %s\n", n, s, c / b, at, what }'
    done
done <<<"$statements" | tee >(awk '/of the best/ { all++; good += $3 <= 1.5 } END { printf "%d of %d within 1.5 of the best\n", good, all }' >&2)
wait
