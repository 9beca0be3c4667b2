#!/bin/bash
# examples.sh: every example compiles without a warning, prints the known answer for its own input and for real matrices,
# reports errors, leaks no memory, and prints the known answer when its kernels are expanded in place. All but spmv.c are
# linked to the storage and file functions, which are compiled once.
# Environment: CC, WARNINGS, SPARSE_DATA (the directory of real matrices), DAY (set: one set of flags), STORAGE (an object
# file with the storage and file functions, compiled with sanitizers; made here if it is missing).
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} DATA=${SPARSE_DATA:-../shared/data}/matrices
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "failed: $*"; }
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }

# says STATUS PATTERN COMMAND...: the command has this exit status, and a line of its output matches the pattern
says() {
    local status=$1 pattern=$2
    shift 2
    "$@" >"$work/out" 2>&1
    if [ $? = "$status" ] && { [ -z "$pattern" ] || grep -Eq -- "$pattern" "$work/out"; }; then pass
    else
        fail "$* (wanted status $status and '$pattern')"
        tail -n 3 "$work/out"
    fi
}

# on_data FILE STATUS PATTERN COMMAND: says STATUS PATTERN COMMAND MATRIX, with a real matrix, decompressed if needed
on_data() {
    local file=$DATA/$1 status=$2 pattern=$3
    shift 3
    if [ -r "$file" ]; then says "$status" "$pattern" "$@" "$file"
    elif [ -r "$file.gz" ] && gzip -dc "$file.gz" >"$work/unpacked.mtx" 2>/dev/null; then
        says "$status" "$pattern" "$@" "$work/unpacked.mtx"
    else skip "${*##*/} on ${file##*/}, which is not there"
    fi
}

# prints the expected output of graph by brute force: relaxes all edges until no path gets shorter; tries every third vertex
brute_force() {
    awk '!/^%/ && !n { n = $1; next }
        !/^%/ && $1 != $2 {
            w = NF < 3 ? 1 : $3 < 0 ? -$3 : $3 + 0
            a = $1 < $2 ? $1 : $2; b = $1 + $2 - a
            if (!((a, b) in length_of) || w < length_of[a, b]) length_of[a, b] = w
        }
        function improve(x, a, b, w) { if (a in x && (!(b in x) || x[a] + w < x[b])) { x[b] = x[a] + w; again = 1 } }
        function join(a, b) { for (v = 1; v <= n; v++) if (part[v] == a) part[v] = b }
        END {
            steps[1] = far[1] = 0
            for (v = 1; v <= n; v++) part[v] = v
            do {
                again = 0
                for (e in length_of) {
                    split(e, at, SUBSEP)
                    improve(steps, at[1], at[2], 1); improve(steps, at[2], at[1], 1)
                    improve(far, at[1], at[2], length_of[e]); improve(far, at[2], at[1], length_of[e])
                }
            } while (again)
            for (e in length_of) {
                split(e, at, SUBSEP); edges++
                if (part[at[1]] != part[at[2]]) join(part[at[1]], part[at[2]])
                for (v = at[2] + 1; v <= n; v++) if ((at[1], v) in length_of && (at[2], v) in length_of) triangles++
            }
            for (v in steps) { reached++; if (steps[v] > levels) levels = steps[v] }
            for (v in far) { sum += far[v]; if (far[v] > most) most = far[v] }
            for (v = 1; v <= n; v++) { if (part[v] == v) parts++; if (part[v] == part[1]) together++ }
            printf "%d vertices, %d edges\nlevels %d\nreached %d\n", n, edges, levels + 1, reached
            printf "distances %.10g, the furthest %.10g\ntriangles %d\n", sum, most, triangles
            printf "components %d, that of the start has %d\n", parts, together
        }' "${1:-examples/data/roads.mtx}"
}
# graph FILE: the example prints the output of brute_force
graph() {
    brute_force "$1" >"$work/one"
    "$work/graph" $1 2>&1 | sed -n 's/.*: \([0-9]* vertices\)/\1/p; /^[lrdtc]/p' | grep -v '^examples' >"$work/two"
    [ -s "$work/one" ] && cmp -s "$work/one" "$work/two" && pass || { fail "graph $1"; diff "$work/one" "$work/two" | head -6; }
}

# shown NAME: the output of the program in examples/README.md, up to a line of three dots
shown() { sed -n "/^## $1\.c/,/^## /{/^\`\`\`text/,/^\`\`\`/p;}" examples/README.md | sed '/^```/d; /^\.\.\.$/,$d'; }
# blur: replaces numbers that depend on rounding with #
blur() { sed -E 's/[0-9.]+e[-+][0-9]+/#/g; s/(step|after) +[0-9]+/\1 #/g'; }

examples="spmv arrays reorder cg gmres pagerank cp plate graph files layers digits events points ink pulsar"
sanitize="-g1 -fsanitize=address,undefined ${DAY:+-fno-sanitize=null,object-size} -fno-sanitize-recover=all"
echo 'int main(void) { return 0; }' >"$work/probe.c"
printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n#include "sparse_io.h"\n' >"$work/kit.c"
for flags in "$sanitize" "-O2"; do
    [ ! "$DAY" ] || [ ! -e "$work/spmv" ] || continue
    if ! { $CC $flags "$work/probe.c" -o "$work/probe" && "$work/probe"; } >/dev/null 2>&1; then
        skip "examples with $flags, which $CC cannot do here"
        continue
    fi
    built=$flags
    [ "$flags" = "$sanitize" ] && [ -s "$STORAGE" ] && cp "$STORAGE" "$work/kit.o" ||
        says 0 '' $CC -std=c11 $WARNINGS $flags -I. -c "$work/kit.c" -o "$work/kit.o"
    for name in $examples; do
        [ $name = spmv ] && linked= || linked="-DSPARSE_DECLARE $work/kit.o"
        says 0 '' $CC -std=c11 $WARNINGS $flags -I. "examples/$name.c" $linked -o "$work/$name" -lm
    done
    says 0 '3976 entries add up to 18692308142$' "$work/spmv"
    says 0 '^4001 0 765$' "$work/arrays"
    says 0 '^true residual .* = [0-9.]+e-1[0-9] after 3[0-9] steps, largest error .* = [0-9.]+e-1[0-9]$' "$work/cg"
    says 0 '^3[0-9] steps with the incomplete factor, 13[0-9] with the diagonal$' "$work/cg"
    says 0 '= [0-9.]+e-1[0-9]; [23][0-9] steps with incomplete factors, 4[0-9]* without$' "$work/gmres"
    says 0 '^the ranks add up to 1\.000000000000$' "$work/pagerank"
    says 0 '  0.[0-9]*  [0-9]* sparse_[a-z_]*$' "$work/pagerank"
    for layer in convolve largest stride depthwise dilate mean; do says 0 "^$layer .* agrees with the dense sum$" "$work/layers"; done
    says 0 '^layer 3: 558 pixels of 4 channels, agrees with the dense sum$' "$work/events"
    says 0 '^every other voxel agrees with the dense sum$' "$work/points"
    says 0 ' of 350 left, which agrees with the array$' "$work/ink"
    says 0 '; the period is 1237, and the sums agree with the array$' "$work/pulsar"
    says 0 '^fit 1\.00000. after [0-9]+ steps$' "$work/cp"
    for name in $examples; do
        shown $name | blur >"$work/one"
        "$work/$name" 2>&1 | head -n $(grep -c '' "$work/one") | blur >"$work/two"
        [ -s "$work/one" ] && cmp -s "$work/one" "$work/two" && pass || { fail "$name prints another text than examples/README.md"; diff "$work/one" "$work/two" | head -6; }
    done
    graph
    says 0 '^reached 7$' "$work/graph" examples/data/roads.mtx 22
    says 0 '^components 3, that of the start has 4$' "$work/graph" examples/data/roads.mtx 32
    for start in 0 33 x; do
        says 1 'a coordinate lies outside its dimension' "$work/graph" examples/data/roads.mtx $start
    done
    "$work/plate" | cmp -s - examples/data/plate.mtx && pass || fail "plate makes another examples/data/plate.mtx"

    for to in npz rb csv mtx; do says 0 '' "$work/files" examples/data/plate.mtx "$work/plate.$to"; done
    for from in npz rb csv; do
        says 0 '' "$work/files" "$work/plate.$from" "$work/back.mtx"
        cmp -s <(grep -v '^%' "$work/plate.mtx") <(grep -v '^%' "$work/back.mtx") && pass || fail "plate.$from and back"
    done
    says 0 '' "$work/files" "$work/plate.rb" "$work/plate.svg"
    says 0 '^<svg ' cat "$work/plate.svg"
    says 1 'this program does not know .rb files: compile it with SPARSE_FILES_ALL 1' "$work/spmv" "$work/plate.rb"
    says 1 'this program does not know .npz files' "$work/spmv" "$work/plate.npz"
    printf '3 2\n2\n1 3\n2\n' | tee "$work/path.graph" >"$work/path.txt"
    says 1 'this program does not know .graph files' "$work/spmv" "$work/path.graph"
    says 1 'this program does not know .graph files' "$work/spmv" "$work/path.txt"
    says 1 'a graph of METIS has no edge from a vertex to itself' "$work/files" "$work/plate.rb" "$work/plate.graph"

    echo '%%MatrixMarket matrix coordinate real general
2 3 2
1 1 1.5
2 4 1' >"$work/bad.mtx"
    for name in spmv cg gmres pagerank cp graph; do says 1 'missing.mtx: .* cannot be opened' "$work/$name" missing.mtx; done
    for name in spmv cg gmres pagerank graph; do says 1 'bad.mtx:4:3: ' "$work/$name" "$work/bad.mtx"; done
    says 1 'bad.mtx:2:1: the rank of the file is 2' "$work/cp" "$work/bad.mtx"
    sed '4s/4/3/' "$work/bad.mtx" >"$work/oblong.mtx"
    says 0 '2 entries add up to 2.5$' "$work/spmv" "$work/oblong.mtx"
    for name in cg graph; do says 1 'A has 3 columns' "$work/$name" "$work/oblong.mtx"; done
    # an edge given in both directions, a self-loop, a negative length, an isolated vertex
    printf '%%%%MatrixMarket matrix coordinate real general\n5 5 6\n1 2 5\n2 1 3\n3 3 1\n2 3 -2.5\n3 1 9\n5 5 0\n' \
        >"$work/mixed.mtx"
    graph "$work/mixed.mtx"
    says 0 '^distances 8.5, the furthest 5.5$' "$work/graph" "$work/mixed.mtx"

    # the sums of all entries, computed by other software
    on_data lund_a.mtx 0 '2449 entries add up to 18825992055.57' "$work/spmv"
    on_data karate.mtx 0 '156 entries add up to 156$' "$work/spmv"
    on_data bcsstk13.mtx 0 '83883 entries add up to 30220739908119.[45]' "$work/spmv"
    on_data bcsstk27.mtx 0 '56126 entries add up to 68389426.3517' "$work/spmv"
    on_data 1138_bus.mtx 0 '4054 entries add up to 1460.04026[78]' "$work/spmv"
    for name in nos4 lund_a 494_bus bcsstk06 bcsstk27 bcsstk13; do
        on_data $name.mtx 0 '^true residual .* = [0-9.]+e-1[01] after .* = [0-9.]+e-(0[5-9]|1.)$' "$work/cg"
    done
    for name in pde900 saylr1 hor_131; do
        on_data $name.mtx 0 '= [0-9.]+e-(0[6-9]|1.); [0-9]{2} steps with incomplete factors, [0-9]{3,} without$' "$work/gmres"
    done
    for name in karate chesapeake celegansneural netscience; do
        [ ! -r "$DATA/$name.mtx" ] && skip "graph on $name.mtx, which is not there" || graph "$DATA/$name.mtx"
    done
    on_data karate.mtx 0 '^triangles 45$' "$work/graph"
    # the ranks of the two leaders of the karate club, as networkx computes them
    on_data karate.mtx 0 '^  0\.100919  34 ' "$work/pagerank"
    on_data karate.mtx 0 '^  0\.096997  1 ' "$work/pagerank"
done

# the weights of digits.c are the output of digits_train.c
says 0 '' $CC -std=c11 $WARNINGS -O2 -I. examples/digits_train.c -o "$work/digits_train" -lm
"$work/digits_train" | cmp -s - examples/data/digits.h && pass || fail "digits_train makes another examples/data/digits.h"

# with several threads the result has the same bits
if $CC -fopenmp "$work/probe.c" -o "$work/probe" >/dev/null 2>&1; then
    says 0 '' $CC -std=c11 $WARNINGS -O2 -fopenmp -I. examples/cg.c -o "$work/cg3" -lm
    cmp -s <(OMP_NUM_THREADS=3 "$work/cg3") <("$work/cg") && pass || fail "cg on three threads"
else skip "cg on three threads, which $CC cannot do here"
fi

# A kernel expanded in place compiles and computes the same result. The expansion does not depend on clang-format.
bare=$work/bin
mkdir "$bare"
for tool in awk sed dirname grep head sh cat tr; do ln -s "$(command -v $tool)" "$bare/$tool"; done
for pair in spmv:spmv cg:multiply cg:diagonal pagerank:follow cp:mttkrp_b graph:adopt graph:relax graph:undirected; do
    name=${pair%:*} kernel=${pair#*:}
    says 0 '' tests/expand.sh -o "$work/expanded.c" "examples/$name.c" "$kernel"
    says 0 '' $CC -std=c11 $WARNINGS -O0 -DSPARSE_DECLARE -I. -c "$work/expanded.c" -o "$work/expanded.o"
    says 0 '' $CC $built "$work/expanded.o" "$work/kit.o" -o "$work/expanded" -lm
    cmp -s <(timeout 300 "$work/expanded" 2>&1) <("$work/$name" 2>&1) && pass || fail "$name with $kernel expanded"
    grep -q "${kernel}_loops(const size_t" "$work/expanded.c" && pass || fail "$kernel is not expanded"
    tests/expand.sh "examples/$name.c" "$kernel" | grep -v '^ */\*' | tr -d ' \n' >"$work/one"
    PATH=$bare CC=$(command -v $CC) /bin/sh tests/expand.sh "examples/$name.c" "$kernel" | grep -v '^ */\*' |
        tr -d ' \n' >"$work/two"
    [ -s "$work/one" ] && cmp -s "$work/one" "$work/two" && pass || fail "$kernel without clang-format"
done
# also if an operand has the short name of a local variable, which is then printed with its prefix
sed 's/SPARSE_KERNEL(spmv.*/SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (px1, VEC, j)), y += A * px1)/
    s/SPARSE_KERNEL(sum.*/SPARSE_KERNEL(sum, (i), (size, double), all((operand, VEC, i)), size += operand)/' \
    examples/spmv.c >"$work/named.c"
cp "$work/named.c" "$work/named_expanded.c"
for kernel in spmv sum; do
    says 0 '' tests/expand.sh -o "$work/named_both.c" "$work/named_expanded.c" $kernel
    mv "$work/named_both.c" "$work/named_expanded.c"
done
says 0 '' $CC -std=c11 $WARNINGS $built -DSPARSE_DECLARE -I. "$work/named_expanded.c" "$work/kit.o" -o "$work/expanded" -lm
says 0 "^$("$work/spmv")\$" "$work/expanded"
# from a compressed file to a picture in one command
if printf '#include <zlib.h>\n' | $CC -E - >/dev/null 2>&1 && gzip -c examples/data/plate.mtx >"$work/plate.mtx.gz"; then
    unset MAKEFLAGS MAKELEVEL
    says 0 '' make -s CC="$CC" B="$work/build" CFLAGS=-O0 spy MATRIX="$work/plate.mtx.gz"
    says 0 '^<svg ' cat build/spy.svg
else skip "make spy of an .mtx.gz, as there is no zlib or gzip"
fi

echo "examples: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
