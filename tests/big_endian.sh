#!/bin/sh
# big_endian.sh: runs tests of numbers, borrowed arrays, text and binary files, storage and kernels on s390x, emulated by
# qemu: a big-endian machine whose char is unsigned. Needs clang, the libraries and the linker of s390x, and qemu.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compile='clang --target=s390x-linux-gnu -std=c11 -O1 -static -I. -Itests'
echo 'int main(void) { return 0; }' >"$work/probe.c"
if ! { $compile "$work/probe.c" -o "$work/probe" -lm && qemu-s390x "$work/probe"; } >/dev/null 2>&1; then
    echo 'clang, qemu-s390x, or what one links for such a machine is not there'
    echo 'big_endian: 0 passed, 0 failed, 1 skipped'
    exit 0
fi
for test in test_values test_arrays test_io test_files test_operations test_kernels test_strategies; do
    $compile "tests/$test.c" -o "$work/$test" -lm >"$work/said" 2>&1 && (cd tests && qemu-s390x "$work/$test") >"$work/said" 2>&1
    status=$?
    if [ $status = 0 ] && tail -n 1 "$work/said" | grep -q "^$test: [0-9]* passed, 0 failed"; then
        tail -n 1 "$work/said" >>"$work/sum"
    else
        echo "$test: 0 passed, 1 failed" >>"$work/sum"
        echo "$test ended with $status" && head -n 20 "$work/said"
    fi
done
awk '{ passed += $2; failed += $4; skipped += $6 }
    END { printf "big_endian: %d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 }' "$work/sum"
