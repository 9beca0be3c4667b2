#!/bin/sh
# cells.sh: no cell in the tables of the line compiler is misspelt, missing, superfluous or exchanged with another.
#   - tables: a comment that begins with TABLE lists the rows and columns of a table. Each cell, a macro TABLE_row_COLUMN,
#     has a row and a column of the list, begins with a comma, and differs from the default cell of its column. If the
#     default is ~, each row must have a cell of its own.
#   - used: the tests expand every private macro of sparse_lattice.h and of the level types in sparse_formats.h; gcc -dU
#     reports which macros an expansion uses. cells.txt lists the exceptions. A misspelt macro is found because it is
#     neither used nor listed. A listed name fails if it is used or no longer exists.
#   - expansions: expansions.txt has a checksum of the expansion of each kernel line in the tests. A cell that is deleted
#     or exchanged with another changes some checksums. Lines that are new or gone are counted and do not fail.
#   - probes: in a copy of the headers, one cell of each table is renamed, and one cell without a default is deleted. The
#     check of tables must report both.
# cells.sh --update writes cells.txt and expansions.txt: read the diff before you commit.
# cells.sh --tables checks only the tables, in one second; so does cells.sh if the compiler lacks -dU. Environment: CC.
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
reports() { # WHAT FILE: passes if the file is empty
    if [ -s "$2" ]; then failed=$((failed + 1)) && echo "$1:" && head -n 40 "$2"; else passed=$((passed + 1)); fi
}

# tables HEADER ...: prints the errors in their tables, and in the last line the number of cells
tables() {
    awk '
        /^\/\* TABLE [A-Z]+:/ { table = $3; sub(/:/, "", table); tables[table]; inside = 1 }
        inside && /^ +rows: / { listing = 1 }
        inside && /^     [A-Za-z0-9_]+(  |$)/ { columns[table] = columns[table] " " $1; listing = 0 }
        inside && listing { text = $0; sub(/^ +rows: /, "", text); rows[table] = rows[table] " " text }
        inside && /\*\// { inside = listing = 0; next }
        /^[ \t]*#[ \t]*define[ \t]+SPARSE_P_/ {
            name = $0
            sub(/^[ \t]*#[ \t]*define[ \t]+SPARSE_P_/, "", name)
            text = name
            sub(/[^A-Za-z0-9_].*/, "", name)
            sub(/^[A-Za-z0-9_]+/, "", text)
            sub(/[ \t]*\/\*.*\*\/[ \t]*$/, "", text)
            gsub(/[ \t]/, "", text)
            value[name] = text
        }
        END {
            for (t in tables) {
                n = split("default " rows[t], row, " ")
                m = split(columns[t], column, " ")
                if (n < 2 || m == 0) print "table " t " lists no rows or no columns"
                for (r = 1; r <= n; r++) for (c = 1; c <= m; c++) check(t "_" row[r] "_" column[c], r == 1, value[t "_default_" column[c]])
            }
            for (name in value) if (!(name in is_cell)) for (t in tables) if (index(name, t "_") == 1) other(name, t)
            print cells
        }
        function check(cell, is_default, otherwise) {
            is_cell[cell]
            cells++
            if (!(cell in value)) {
                if (is_default || otherwise == ",~") print "no cell SPARSE_P_" cell
            } else if (value[cell] !~ /^,/) print "SPARSE_P_" cell " does not begin with a comma"
            else if (!is_default && value[cell] == otherwise) print "SPARSE_P_" cell " is the default"
        }
        function other(name, t, rest, n, row, column, k) { # reports a name that would be a cell if its row or its column were listed
            rest = substr(name, length(t) + 2)
            n = split(rows[t] " default", row, " ")
            for (k = 1; k <= n; k++) if (rest == row[k]) return # a row name alone is no cell
            for (k = 1; k <= n; k++)
                if (index(rest, row[k] "_") == 1) print "SPARSE_P_" name " is in row " row[k] " of table " t ", which has no such column"
            n = split(columns[t], column, " ")
            for (k = 1; k <= n; k++)
                if (length(rest) > length(column[k]) && substr(rest, length(rest) - length(column[k])) == "_" column[k])
                    print "SPARSE_P_" name " is in column " column[k] " of table " t ", which has no such row"
        }' "$@"
}
headers="../sparse_formats.h ../sparse_lattice.h"
tables $headers >"$work/tables"
[ "$(tail -n 1 "$work/tables")" -gt 1000 ] || echo "too few cells are found" >>"$work/few"
sed '$d' "$work/tables" >"$work/wrong"
: >>"$work/few"
reports "tables" "$work/wrong"
reports "tables" "$work/few"

# probes: the middle cell of each table
listed=$(sed -nE 's/^\/\* TABLE ([A-Z]+):.*/\1/p' $headers | tr '\n' '|')
cells=$(sed -nE "s/^#define SPARSE_P_((${listed%|})_[A-Za-z0-9_]+) +,.*/\1/p" $headers | grep -v _default_ |
    awk '{ t = $0; sub(/_.*/, "", t); all[t] = all[t] " " $0 } END { for (t in all) { n = split(all[t], cell, " "); print cell[int((n + 1) / 2)] } }')
for cell in $cells; do
    cat $headers | sed "s/define SPARSE_P_${cell} /define SPARSE_P_${cell}X /" >"$work/renamed.h"
    tables "$work/renamed.h" | grep -q "SPARSE_P_${cell}X is in row" && passed=$((passed + 1)) ||
        { failed=$((failed + 1)) && echo "that $cell has another name is not found"; }
done
for cell in $(cat $headers | awk '/^#define SPARSE_P_[A-Z]+_default_[A-Za-z0-9_]+ +, ~$/ { t = $2; sub(/_default_/, " ", t); print t }' |
    while read -r table column; do grep -ohE "^#define ${table}_[A-Za-z0-9]+_${column} " $headers | grep -v _default_ | sed -n '2s/#define //p'; done); do
    grep -hv "define $cell " $headers >"$work/without.h"
    tables "$work/without.h" | grep -qx "no cell $cell" && passed=$((passed + 1)) ||
        { failed=$((failed + 1)) && echo "that $cell is not there is not found"; }
done

# marked FILE: prints the file with marks around each kernel line, to find its expansion: @KERNEL SPARSE_KERNEL(...) @END
marked() {
    awk '{
        line = $0
        text = ""
        while (line != "") {
            if (!depth) {
                if (!match(line, /SPARSE_KERNEL\(/)) break
                text = text substr(line, 1, RSTART - 1) "@KERNEL " substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                depth = 1
            }
            while (depth && match(line, /[()]/)) {
                depth += substr(line, RSTART, 1) == "(" ? 1 : -1
                text = text substr(line, 1, RSTART)
                line = substr(line, RSTART + 1)
            }
            if (depth) break
            text = text " @END"
        }
        print text line
    }' "$1"
}
# sums FILE: reads preprocessed text; prints for each expansion a checksum, the file, and the kernel's name, its first string
sums() {
    awk -v file="$1" '
        /^@FILE/ { file = $2; next }
        /^# |^#define |^#undef / { next }
        !inside && /@KERNEL/ { inside = 1; text = "" }
        inside { text = text $0 }
        inside && /@END/ {
            n = split(text, part, /@KERNEL/)
            for (k = 2; k <= n; k++) if (sub(/@END.*/, "", part[k])) sum(part[k])
            inside = 0
        }
        function sum(text, name) {
            name = match(text, /"[A-Za-z0-9_]+/) ? substr(text, RSTART + 1, RLENGTH - 1) : "none"
            if (count[file, name]++) name = name "-" count[file, name]
            gsub(/[ \t]/, "", text)
            print text | "cksum >" out
            close("cksum >" out)
            getline command <out
            close(out)
            sub(/ .*/, "", command)
            print command, file, name
        }' out="$work/sum" -
}

echo '#include "../sparse.h"' >"$work/probe.c"
if [ "$1" != --tables ] && ${CC:-cc} -E -dU -I.. -I. "$work/probe.c" 2>&1 | grep -q '^#define SPARSE_P'; then
    mkdir -p "$work/tests/golden" "$work/tests/compile_fail" "$work/examples" "$work/bench"
    for file in golden/*.c test_*.c counts.c *.h compile_fail/types.h ../examples/*.c ../examples/*.h ../bench/*.c ../bench/*.h; do
        [ -f "$file" ] && marked "$file" >"$work/tests/$file"
    done
    for file in compile_fail/*.c; do # joined into one file, so that types.h is read once
        echo "@FILE $file" && marked "$file"
    done >"$work/tests/refused.c"
    here=$PWD
    cd "$work/tests" || exit 1
    expand() { # FILE NAME OPTION ...
        file=$1 name=$2 && shift 2
        ${CC:-cc} -std=c11 -w -E -dU -I. -Icompile_fail -I"$here/.." -I"$here" -ftrack-macro-expansion=0 "$@" "$file" \
            >"$work/text" 2>"$work/said"
        sed -n 's/^#define \(SPARSE_P_[A-Za-z0-9_]*\).*/\1/p' "$work/text" >>"$work/names"
        sums "$name" <"$work/text" >>"$work/sums"
    }
    for file in golden/kernels.c test_*.c counts.c ../examples/*.c ../bench/*.c refused.c; do expand "$file" "$file" -D_OPENMP=201511; done
    expand golden/kernels.c golden/kernels.c-reassociated -DSPARSE_REASSOCIATE=1
    for file in golden/kernels.c test_arrays.c; do expand "$file" "$file-freestanding" -DSPARSE_FREESTANDING=1 -DSPARSE_CHECKS=1; done
    cd "$here" || exit 1
    # kernel lines that test programs write
    for program in generate_kernels random_lines; do ${CC:-cc} -std=c11 -O1 "$program.c" -o "$work/$program" || exit 1; done
    for made in 'generate_kernels slices-0-8' 'generate_kernels random-0-8' 'generate_kernels assembled-0-10' \
        'random_lines lines 10 60 plain' 'random_lines lines 11 60 plain' 'random_lines lines 20 60 plain' \
        'random_lines lines 21 60 plain' 'random_lines lines 22 60 plain' 'random_lines lines 22 60 nasty' \
        'random_lines lines 25 60 plain' 'random_lines lines 30 60 nasty' 'random_lines lines 31 60 plain' \
        'random_lines lines 32 60 nasty' 'random_lines lines 43 60 plain' 'random_lines lines 48 60 plain' \
        'random_lines mistakes 10 60 plain' 'random_lines mistakes 20 60 nasty' 'random_lines mistakes 21 60 plain' \
        'random_lines mistakes 24 60 nasty' 'random_lines mistakes 37 60 plain'; do
        "$work/"$made >"$work/tests/made.c" && expand "$work/tests/made.c" made -D_OPENMP=201511 -I"$here"
    done
    grep -v ' made ' "$work/sums" >"$work/kept" && mv "$work/kept" "$work/sums"
    sort -u "$work/names" >"$work/used"
    { awk '/^ *\/\* >>/ { read = $2 ~ /^>>(level|levels|kernels|sums)$/ } read' ../sparse_formats.h && cat ../sparse_lattice.h; } |
        sed -nE 's/^ *# *define (SPARSE_P_[A-Za-z0-9_]+).*/\1/p' | sort -u >"$work/defined"
    comm -23 "$work/defined" "$work/used" >"$work/unused"
    [ "$1" = --update ] && cp "$work/unused" cells.txt && sort -k2,3 "$work/sums" >expansions.txt
    comm -23 "$work/unused" cells.txt >"$work/new"
    reports "no expansion uses" "$work/new"
    comm -13 "$work/unused" cells.txt >"$work/old"
    reports "listed in cells.txt, but used or gone" "$work/old"
    awk 'NR == FNR { sum[$2, $3] = $1; next } ($2, $3) in sum && sum[$2, $3] != $1 { print $2, $3 }' expansions.txt "$work/sums" >"$work/changed"
    reports "other expansions than in expansions.txt; if that is what you want, cells.sh --update" "$work/changed"
    awk 'NR == FNR { listed[$2, $3]; next } { found[$2, $3] } !(($2, $3) in listed) { new++ } END {
        for (key in listed) if (!(key in found)) gone++
        if (new + gone) print new + 0 " kernel lines are not yet in expansions.txt, and " gone + 0 " no more in the tests"
    }' expansions.txt "$work/sums"
elif [ "$1" != --tables ]; then
    echo "skipped: what expansions use, which ${CC:-cc} does not tell"
fi
echo "cells: $passed passed, $failed failed"
[ $failed = 0 ]
