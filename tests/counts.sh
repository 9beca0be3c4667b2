#!/bin/bash
# counts.sh [--update]: canonical kernels (counts.c) take no more instructions per stored entry than before. valgrind counts
# them, so a slower loop is found without a clock. counts.txt has a figure for each compiler version and kernel. A kernel
# fails if it takes 3% more. If it takes 3% less, it is named: update the figures. --update writes the figures of this
# compiler. To add a kernel, add it to counts.c. Skipped without valgrind, or without figures for this compiler version.
# Environment: CC.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compiler=$({ $CC -dM -E -x c /dev/null; } | awk '
    $2 == "__clang__" { name = "clang" }
    $2 ~ /^__(clang_major|GNUC)__$/ { major[$2] = $3 }
    $2 ~ /^__(clang_minor|GNUC_MINOR)__$/ { minor[$2] = $3 }
    END {
        if (name) print "clang-" major["__clang_major__"] "." minor["__clang_minor__"]
        else print "gcc-" major["__GNUC__"] "." minor["__GNUC_MINOR__"]
    }')-$(uname -m)
if ! { command -v valgrind && command -v callgrind_annotate; } >/dev/null; then why='valgrind is not there'
elif [ "$1" != --update ] && ! grep -q "^$compiler " tests/counts.txt; then why="there are no figures for $compiler"
fi
if [ "$why" ]; then
    echo "skipped: instructions of kernels, as $why"
    echo "counts: 0 passed, 0 failed, 1 skipped"
    exit
fi
$CC -std=c11 -O2 -I. tests/counts.c -o "$work/counts" -lm >"$work/out" 2>&1 &&
    valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" "$work/counts" >"$work/entries" 2>"$work/out" &&
    callgrind_annotate --inclusive=yes --threshold=100 --show=Ir "$work/callgrind" >"$work/costs" 2>"$work/out" || {
    tail -n 5 "$work/out" "$work/entries"
    echo "counts: 0 passed, 1 failed"
    exit 1
}
# prints KERNEL INSTRUCTIONS-PER-ENTRY
awk 'FILENAME ~ /entries$/ { entries[$1] = $2; name[++n] = $1; next }
    match($0, /[:?]run_[a-z0-9_]+/) {
        cost = $1
        gsub(/,/, "", cost)
        kernel = substr($0, RSTART + 5, RLENGTH - 5)
        if (!(kernel in total)) total[kernel] = cost
    }
    END { for (k = 1; k <= n; k++) printf "%s %.3f\n", name[k], total[name[k]] / entries[name[k]] }' \
    "$work/entries" "$work/costs" >"$work/found"
if [ "$1" = --update ]; then
    { grep -v "^$compiler " tests/counts.txt 2>/dev/null; sed "s/^/$compiler /" "$work/found"; } >"$work/fresh"
    cp "$work/fresh" tests/counts.txt
fi
awk -v compiler="$compiler" '
    FILENAME ~ /counts.txt$/ { if ($1 == compiler) wanted[$2] = $3; next }
    {
        if (!($1 in wanted) || $2 <= 0) { printf "%s: no figure\n", $1; failed++ }
        else if ($2 > 1.03 * wanted[$1]) { printf "%s: %s instructions for each entry, not %s\n", $1, $2, wanted[$1]; failed++ }
        else {
            if ($2 < wanted[$1] / 1.03) printf "%s: %s instructions for each entry, no longer %s\n", $1, $2, wanted[$1]
            passed++
        }
    }
    END { printf "counts: %d passed, %d failed\n", passed, failed; exit failed > 0 || !passed }' tests/counts.txt "$work/found"
