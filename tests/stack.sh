#!/bin/sh
# stack.sh: prints the table of stack in docs/embedded.md: the most bytes of stack that each public function and each
# canonical kernel takes on a Cortex-M4 at -Os, with SPARSE_MAX_LEVELS 8 and 4, from the call graph of gcc. Fails if one
# takes more than a limit, or if a function other than sparse_convert is recursive. On this machine it also looks for
# recursion in the functions for files and large tensors, which the table lacks.
cd "$(dirname "$0")/.." || exit 1
most=4608 most_of_kernels=1024 work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if ! command -v arm-none-eabi-gcc >/dev/null; then
    echo 'skipped: arm-none-eabi-gcc is not there'
    echo 'stack: 0 passed, 0 failed, 1 skipped'
    exit 0
fi
for levels in 8 4; do
    arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -std=c11 -Os -ffreestanding -DSPARSE_MAX_LEVELS=$levels -fcallgraph-info=su -I. \
        -Itests/targets -c tests/targets/stack.c -o "$work/stack.o" || { echo 'stack: 0 passed, 1 failed' && exit 1; }
    sed 's/_max_levels_4//' "$work/stack.ci" | awk -f tests/targets/stack.awk >"$work/table_$levels"
done
echo '| function | 8 levels | 4 levels |'
echo '| --- | ---: | ---: |'
awk -F '[|]' 'NR == FNR { few[$2] = $3; next } NF > 2 { print "|" $2 "|" $3 "|" few[$2] "|" } NF < 2' "$work/table_4" "$work/table_8" |
    tee "$work/table"
recursive=$(grep '^recursive' "$work/table" | grep -cv ': sparse_convert$')
# The whole kit, with files, on this machine. Also allowed to be recursive: inverses of maps, drawings of trees and of grids.
printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n#include "sparse_io.h"\n' |
    gcc -std=c11 -O1 -fcallgraph-info=su -I. -x c -c - -o "$work/all.o" || { echo 'stack: 0 passed, 1 failed' && exit 1; }
awk -f tests/targets/stack.awk "$work/all.ci" | grep '^recursive' |
    grep -Ev ': (sparse_convert|sparse_p_(inverse|tree_measure|tree_draw|grid_print))$' >"$work/more"
sed 's/^/failed: /' "$work/more"
recursive=$((recursive + $(wc -l <"$work/more")))
awk -F '[|]' -v recursive="$recursive" -v most=$most -v most_of_kernels=$most_of_kernels 'NF > 2 {
        if ($3 + 0 > ($2 ~ /kernel/ ? most_of_kernels : most) || $4 + 0 > $3 + 0) { failed++; print "failed: " $0 } else passed++ }
    END { failed += recursive; printf "stack: %d passed, %d failed, 0 skipped\n", passed, failed; exit failed > 0 || passed < 50 }' "$work/table"
