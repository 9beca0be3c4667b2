#!/bin/sh
# effort.sh: runs effort.c. It checks that packing, walking, validating, converting between every pair of encodings, and
# the other storage operations take time and memory in proportion to the stored data, for every shape of tensor. Time is
# counted in executed basic blocks, which needs -fsanitize-coverage=trace-pc; memory is counted in bytes. Environment: CC.
cd "$(dirname "$0")/.." || exit 1
count="${CC:-cc} -std=c11 -O1 -fsanitize-coverage=trace-pc -I."
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo 'void __sanitizer_cov_trace_pc(void); void __sanitizer_cov_trace_pc(void) {} int main(void) { return 0; }' >"$work/probe.c"
if ! $count "$work/probe.c" -o "$work/probe" >/dev/null 2>&1; then
    echo 'the compiler does not count basic blocks'
    echo 'effort: 0 passed, 0 failed, 1 skipped'
elif $count tests/effort.c -o "$work/effort" 2>&1; then "$work/effort"
else echo 'effort: 0 passed, 1 failed'
fi
