#!/bin/sh
# golden.sh [--update] [KERNEL ...]: the loops of the kernels in golden/kernels.c must equal golden/KERNEL.txt, as
# tests/expand.sh prints them for OpenMP and GNU C. White space does not count, so clang-format may be missing. --update
# writes the files instead: read the diff before you commit. To add a kernel, add its line to golden/kernels.c and run
# --update. Environment: CC, FIRST (set: stop at the first failure).
cd "$(dirname "$0")" || exit
update=0
if [ "$1" = --update ]; then
    update=1
    shift
fi
[ $# -gt 0 ] || set -- $(sed -n 's/^SPARSE_KERNEL(\([a-z0-9_]*\),.*/\1/p' golden/kernels.c)
passed=0 failed=0 turn=0
expansion=$(mktemp) || exit
trap 'rm -f "$expansion"' EXIT
for kernel; do
    turn=$((1 - turn)) # every second kernel is printed without clang-format
    [ $turn = 1 ] || [ $update = 1 ] && format= || format=none
    if ! FORMAT=$format CPPFLAGS='-D_OPENMP=201511 -U__clang__' ./expand.sh golden/kernels.c "$kernel" >"$expansion"; then
        failed=$((failed + 1))
    elif [ $update = 1 ]; then
        cat "$expansion" >"golden/$kernel.txt"
    elif [ "$(tr -d '[:space:]' <"$expansion")" = "$(cat "golden/$kernel.txt" 2>&1 | tr -d '[:space:]')" ]; then
        passed=$((passed + 1))
    else
        echo "$kernel: the loops are not those of tests/golden/$kernel.txt:"
        diff -bBN "golden/$kernel.txt" "$expansion" | head -n 20
        failed=$((failed + 1))
    fi
    [ ! "${FIRST:-}" ] || [ $failed = 0 ] || break
done
# SPARSE_REASSOCIATE gives sums the loops of simd, and does not change kernels without sums
of() { FORMAT=none CPPFLAGS="-D_OPENMP=201511 -U__clang__ $3" ./expand.sh golden/kernels.c "$1" | sed "1d; s/$1/$2/g"; }
for pair in spmv_csr=spmv_simd spmm_plain=spmm_plain; do
    if [ "$(of ${pair%=*} kernel -DSPARSE_REASSOCIATE=1)" = "$(of ${pair#*=} kernel)" ]; then
        passed=$((passed + 1))
    else
        echo "${pair%=*}: with SPARSE_REASSOCIATE the loops are not those of ${pair#*=}"
        failed=$((failed + 1))
    fi
done
[ $update = 0 ] || echo "golden: $# files written"
echo "golden: $passed passed, $failed failed"
[ $failed = 0 ]
