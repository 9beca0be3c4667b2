#!/bin/sh
# cells.sh: the tables of the line compiler have no holes that a misspelt name could make. A table is a family of macros
# that is read by pasting a key to its name; many lookups have a default, so a row under a wrong name is silently not found.
#   - Each private macro of sparse_lattice.h, and of the rooms of level types in sparse_formats.h, is used by an expansion
#     of a test, as gcc -dU tells. Those that are not are listed in cells.txt: sentences that no test provokes, and rows that
#     only complete a table. A used row that is renamed is used no more, and its new name is not in the list. A name in
#     the list that is used, or gone, fails too.
#   - Each row T_ROW_word has as many cells as the other rows of T, and as the macros T_COLUMN have parameters.
# cells.sh --update writes cells.txt: read the diff before you commit. Environment: CC (without -dU the first part is skipped).
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
reports() { # WHAT FILE: the file is empty
    if [ -s "$2" ]; then failed=$((failed + 1)) && echo "$1:" && head -n 40 "$2"; else passed=$((passed + 1)); fi
}

# used FILE FLAGS: the private macros that an expansion of the file uses
used() { file=$1 && shift && ${CC:-cc} -std=c11 -w -E -dU -I.. -I. -Icompile_fail "$@" "$file" 2>/dev/null |
    sed -n 's/^#define \(SPARSE_P_[A-Za-z0-9_]*\).*/\1/p'; }
echo '#include "../sparse.h"' >"$work/probe.c"
if ${CC:-cc} -E -dU -I.. -I. "$work/probe.c" 2>&1 | grep -q '^#define SPARSE_P'; then
    cat compile_fail/*.c >"$work/refused.c" # in one file, so that types.h is read once
    { for file in golden/kernels.c test_*.c counts.c ../examples/*.c ../bench/*.c "$work/refused.c"; do
          used "$file" -D_OPENMP=201511 -ftrack-macro-expansion=0
      done; } | sort -u >"$work/used"
    { awk '/^ *\/\* >>/ { read = $2 ~ /^>>(level|levels|kernels|sums)$/ } read' ../sparse_formats.h && cat ../sparse_lattice.h; } |
        sed -nE 's/^ *# *define (SPARSE_P_[A-Za-z0-9_]+).*/\1/p' | sort -u >"$work/defined"
    comm -23 "$work/defined" "$work/used" >"$work/unused"
    [ "$1" = --update ] && cp "$work/unused" cells.txt
    comm -23 "$work/unused" cells.txt >"$work/new"
    reports "no expansion uses" "$work/new"
    comm -13 "$work/unused" cells.txt >"$work/old"
    reports "listed in cells.txt, but used or gone" "$work/old"
else
    echo "skipped: what expansions use, which ${CC:-cc} does not tell"
fi

# one line for each row or column: table, number of cells, name; a column that ends in ... counts at least
cat ../sparse_formats.h ../sparse_lattice.h | awk '
    function cells(text,   n, depth, i, c) { # of a list that is all of text; 0 if something follows it
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "(") { if (++depth == 1) n = 1 }
            else if (c == ")") { if (--depth == 0) return substr(text, i + 1) ~ /^[ \t]*$/ ? n : 0 }
            else if (c == "," && depth == 1) n++
        }
        return 0
    }
    { while (sub(/[ \t]*\\$/, "")) { getline more; $0 = $0 " " more } sub(/\/\*.*\*\//, "")
      sub(/SPARSE_P_PLAIN_RANGE\)/, "begin, span, loose)") } # which stands for three cells
    match($0, /^#define SPARSE_P_[A-Z]+_ROW_[A-Za-z0-9_]+ +\(/) {
        name = $2; table = name; sub(/_ROW_.*/, "", table)
        text = $0; sub(/^#define [A-Za-z0-9_]+ +/, "", text)
        n = cells(text); if (n > 0) { row[name] = n; of[name] = table }
        next
    }
    match($0, /^#define SPARSE_P_[A-Z]+_[A-Z0-9_]+\([a-z_, 0-9]+\) +[a-z_0-9]+$/) {
        name = $2; sub(/\(.*/, "", name); table = name; sub(/_[A-Z0-9]+(_[A-Z]+)*$/, "", table)
        match($0, /\(.*\)/); width[name] = cells(substr($0, RSTART, RLENGTH)); column_of[name] = table
    }
    END {
        for (name in row) { count[of[name], row[name]]++; rows[of[name]]++ }
        for (name in row) if (2 * count[of[name], row[name]] <= rows[of[name]] && rows[of[name]] > 1)
            print name " has " row[name] " cells, most rows of " of[name] " have another number"
        for (name in width) { t = column_of[name]
            if (rows[t] > 1 && width[name] > 3 && !((t, width[name]) in count))
                print name " has " width[name] " parameters, rows of " t " have another number of cells" }
        for (t in rows) tables++
        if (tables < 12) print "only " tables " tables are found"
    }' >"$work/uneven"
reports "rows and columns" "$work/uneven"
echo "cells: $passed passed, $failed failed"
[ $failed = 0 ]
