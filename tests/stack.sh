#!/bin/sh
# stack.sh: the table of docs/embedded.md, the most bytes of stack that each public function and each canonical kernel takes on
# a Cortex-M4 at -Os, by the call graph of gcc. Fails if one takes more than a limit, so that none grows unnoticed, or if another
# function than sparse_convert calls itself; nor may functions that files or big tensors go through, which the table lacks.
cd "$(dirname "$0")/.." || exit 1
most=5120 most_of_kernels=2048 work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if ! command -v arm-none-eabi-gcc >/dev/null; then
    echo 'skipped: arm-none-eabi-gcc is not there'
    echo 'stack: 0 passed, 0 failed, 1 skipped'
    exit 0
fi
arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -std=c11 -Os -ffreestanding -fcallgraph-info=su -I. -Itests/targets -c tests/targets/stack.c \
    -o "$work/stack.o" || { echo 'stack: 0 passed, 1 failed' && exit 1; }
awk -f tests/targets/stack.awk "$work/stack.ci" >"$work/table"
echo '| function | bytes of stack |'
echo '| --- | ---: |'
cat "$work/table"
recursive=$(grep '^recursive' "$work/table" | grep -cv ': sparse_convert$')
# of the whole kit, with files, on this machine: besides, maps that are inverses of others, and trees and grids as pictures
printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n#include "sparse_io.h"\n' |
    gcc -std=c11 -O1 -fcallgraph-info=su -I. -x c -c - -o "$work/all.o" || { echo 'stack: 0 passed, 1 failed' && exit 1; }
awk -f tests/targets/stack.awk "$work/all.ci" | grep '^recursive' |
    grep -Ev ': (sparse_convert|sparse_p_(inverse|tree_measure|tree_draw|grid_print))$' >"$work/more"
sed 's/^/failed: /' "$work/more"
recursive=$((recursive + $(wc -l <"$work/more")))
awk -F '[|]' -v recursive="$recursive" -v most=$most -v most_of_kernels=$most_of_kernels 'NF > 2 { if ($3 + 0 > ($2 ~ /kernel/ ? most_of_kernels : most)) failed++; else passed++ }
    END { failed += recursive; printf "stack: %d passed, %d failed, 0 skipped\n", passed, failed; exit failed > 0 || passed < 50 }' "$work/table"
