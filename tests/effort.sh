#!/bin/sh
# effort.sh: packing, walking, validating and converting, every pair of the encodings, and the other operations of
# storage take time and memory in proportion to what is stored, whatever the shape of the tensor: counted in basic
# blocks that run, by a compiler that can, and in bytes. Environment: CC.
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
