#!/bin/bash
# convolve.sh [gcc]: counts instructions, cache misses and branch misses of the 1-D convolutions in convolve.c, for two
# orders of loops and several sparsities, as in Figure 18 of Liu and others 2024. Counts with `perf stat` if the machine
# allows it, else with cachegrind, which simulates caches and a branch predictor. A figure is the cost of three runs minus
# the cost of one.
#
# Environment: BENCH_QUICK=1, one row on small data.
cd "$(dirname "$0")/.." || exit 1
CC=${1:-${CC:-cc}}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
sparsities="50 70 80 90 99" optimize=-O3
[ -z "$BENCH_QUICK" ] || sparsities=90 optimize=-O1

if perf stat -x , -e branch-misses true 2>&1 | grep -q '^[0-9]'; then
    flags=-march=native what="perf stat"
    count() {
        perf stat -x , -e instructions,cache-references,cache-misses,branches,branch-misses "$@" 2>&1 >/dev/null |
            cut -d, -f1 | tr '\n' ' '
    }
    columns="instructions | cache references | cache misses | branches | mispredicted"
elif command -v valgrind >/dev/null; then
    flags="-march=native -mno-avx512f" what="cachegrind" # which does not know AVX-512
    $CC $flags -E -x c /dev/null >/dev/null 2>&1 || flags=
    count() {
        valgrind --tool=cachegrind --cache-sim=yes --branch-sim=yes --cachegrind-out-file=/dev/null "$@" 2>&1 |
            tr -d , | awk '/I +refs:/ { i = $4 } /D +refs:/ { d = $4 } /D1 +misses:/ { m = $4 }
                /Branches:/ { b = $3 } /Mispredicts:/ { w = $3 } END { print i, d, m, b, w }'
    }
    columns="instructions | data references | D1 misses | branches | mispredicted"
else
    echo "convolve.sh: skipped, neither perf nor valgrind counts here"
    exit 0
fi
$CC -std=c11 $optimize $flags -I. bench/convolve.c -o "$work/convolve" -lm || exit 1

echo
echo "## Figure 18: what a run costs, in thousands, by $what"
echo
echo "199999 numbers, a window of 3."
echo
echo "| order | sparsity | | $columns |"
echo "|---|---|---|---|---|---|---|---|"
for order in 1_ip 1_pi; do
    for sparsity in $sparsities; do
        for who in dense searched sections kit line; do
            one=$(count "$work/convolve" count $order $sparsity $who 1)
            three=$(count "$work/convolve" count $order $sparsity $who 3)
            echo "$one $three" | awk -v name="| $order | $sparsity % | $who |" '{
                for (n = 1; n <= 5; n++) name = name sprintf(" %.0f |", ($(n + 5) - $n) / 2000)
                print name
            }'
        done
    done
done
