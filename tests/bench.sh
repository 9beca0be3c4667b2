#!/bin/bash
# bench.sh: the benchmarks compile without a warning, and on small data all contestants compute equal results.
# Nothing is timed. Environment: CC, WARNINGS.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() {
    if "$@" >"$work/out" 2>&1; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $*"
        tail -n 5 "$work/out"
    fi
}
for file in bench/*.c; do
    check test ! -e "examples/${file##*/}" # make builds both as build/*/NAME
    check $CC -std=c11 $WARNINGS -O1 -I. "$file" -o "$work/bench" -lm
    check env BENCH_QUICK=1 "$work/bench"
done
# all peers that are installed, with one compiler, and without the flags that compile slowly
peers() { env -u MAKEFLAGS -u MFLAGS make -s CC="$CC" COMPILER="$CC" FASTEST=-O1 PLAIN=-O1 CONTEST="$work/peers" "$@"; }
check peers "$work/peers/peers" "$work/peers/paper" "$work/peers/graphs"
check env BENCH_QUICK=1 "$work/peers/peers"
check env BENCH_QUICK=1 "$work/peers/graphs"
check env BENCH_QUICK=1 "$work/peers/paper"
check env ROUNDS=1 KERNELS=1 EACH=1 KINDS=spmv bench/compile_cost.sh $CC
check env BENCH_QUICK=1 bench/convolve.sh $CC
echo "bench: $passed passed, $failed failed"
[ $failed = 0 ]
