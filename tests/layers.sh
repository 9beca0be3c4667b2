#!/bin/sh
# layers.sh: a header uses private names of its own and of the headers below it, no others. sparse_formats.h is at the bottom.
# sparse_lattice.h stands on it, and sparse.h on sparse_lattice.h; sparse_io.h stands on sparse_formats.h alone. Each macro
# SPARSE_P_* and function sparse_p_* is defined in one header. Names made by pasting, as SPARSE_P_BARE_##d, are compared by
# their beginning; the tables to which higher headers may add rows are exempt, and listed below. Also checked: the contents
# at the top of a file name its sections, all of them and no others.
cd "$(dirname "$0")/.." || exit 1
tables='SPARSE_P_(LEVEL|RANGE|CRD)_ROW_'
words() { sed -E 's://.*$::' "$1" | awk '
    { while (match($0, /\/\*/)) { # remove comments
          rest = substr($0, RSTART + 2); head = substr($0, 1, RSTART - 1)
          while (!match(rest, /\*\//)) { if ((getline more) <= 0) break; rest = more }
          $0 = head " " substr(rest, RSTART + 2) } gsub(/"([^"\\]|\\.)*"/, "\"\""); print }'; }
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for h in sparse_formats sparse_lattice sparse sparse_io; do
    words $h.h >"$work/$h"
    { sed -nE 's/^ *# *define (SPARSE_P_[A-Za-z0-9_]+).*/\1/p' "$work/$h"
      grep -oE '^[A-Za-z_][A-Za-z0-9_ *]*[ *]sparse_p_[a-z0-9_]+\(' "$work/$h" | grep -oE 'sparse_p_[a-z0-9_]+'; } | sort -u >"$work/$h.defines"
    grep -oE '\b(SPARSE_P_[A-Za-z0-9_]+|sparse_p_[a-z0-9_]+)' "$work/$h" | sort -u >"$work/$h.uses"
    grep -oE '\bSPARSE_P_[A-Za-z0-9_]+_##' "$work/$h" | sed 's/##//' | sort -u >"$work/$h.pastes"
done
# points_down LOW HIGH: LOW uses nothing that only HIGH defines
points_down() {
    sort -u $3 >"$work/below"
    up=$(comm -12 "$work/$1.uses" "$work/$2.defines" | comm -23 - "$work/below")
    for prefix in $(grep -vE "^($tables)$" "$work/$1.pastes"); do
        grep -q "^$prefix" "$work/below" || up="$up $(grep -m 1 "^$prefix" "$work/$2.defines")"
    done
    up=$(echo $up)
    if [ -z "$up" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$1.h uses what $2.h defines: $up"; fi
}
points_down sparse_formats sparse_lattice "$work/sparse_formats.defines"
points_down sparse_formats sparse "$work/sparse_formats.defines"
points_down sparse_formats sparse_io "$work/sparse_formats.defines"
points_down sparse_lattice sparse "$work/sparse_formats.defines $work/sparse_lattice.defines"
points_down sparse_lattice sparse_io "$work/sparse_formats.defines $work/sparse_lattice.defines"
points_down sparse sparse_io "$work/sparse_formats.defines $work/sparse_lattice.defines $work/sparse.defines"
points_down sparse_io sparse_lattice "$work/sparse_formats.defines $work/sparse_io.defines"
points_down sparse_io sparse "$work/sparse_formats.defines $work/sparse_io.defines"
# the check itself works: it finds a name used below its definition
echo SPARSE_P_KERNEL >>"$work/sparse_formats.uses" && sort -u -o "$work/sparse_formats.uses" "$work/sparse_formats.uses"
if points_down sparse_formats sparse_lattice "$work/sparse_formats.defines" | grep -q SPARSE_P_KERNEL; then
    passed=$((passed + 1))
else failed=$((failed + 1)) && echo "an arrow that points up is not seen"; fi
# anchors FILE: prints the sections missing in its contents, and names in the contents without a section
anchors() {
    awk '
        !read && /^     >>/ {
            n = split($0, part, />>/)
            for (k = n; k >= 2; k--)
                if (k == 2 || part[k - 1] ~ /, $/) { sub(/(  |,).*/, "", part[k]); listed[part[k]] }
        }
        /\*\// { read = 1 }
        /^ *\/\* >>/ { sub(/^ *\/\* >>/, ""); sub(/( *\*\/|, defined).*/, ""); there[$0] }
        END {
            for (name in listed) if (!(name in there)) print FILENAME ": its contents name >>" name ", which is no section"
            for (name in there) if (!(name in listed)) print FILENAME ": its contents do not name >>" name
        }' "$1"
}
for file in sparse_formats.h sparse_lattice.h sparse_io.h sparse_gen.c; do
    wrong=$(anchors $file)
    if [ -z "$wrong" ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "$wrong"; fi
done
echo "layers: $passed passed, $failed failed"
[ $failed = 0 ]
