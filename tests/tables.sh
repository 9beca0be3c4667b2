#!/bin/bash
# tables.sh: the tables of the kernel line have no holes. A table is a family of macros SPARSE_P_X_key that is reached
# by pasting X_ and a key, SPARSE_P_X_##walk or SPARSE_P_CAT(SPARSE_P_X_, ...), maybe with something after the key; a
# row that is missing pastes into a token that goes on, silently. A table with rows for two keys of a kind has to have
# a row for all that can come by there: for every key of the kind, or those of a stage, or those that the list below
# says, with the reason. A 0 before a key does not count. Rows are taken away, too: each is missed, by its name.
# Environment: CC, TABLES_KEEP (a directory that keeps what is made).
cd "$(dirname "$0")/.." || exit
passed=0 failed=0
work=${TABLES_KEEP:-$(mktemp -d)} || exit
[ "$TABLES_KEEP" ] || trap 'rm -rf "$work"' EXIT

# all KIND KEY ...: the keys of a kind; stage KIND KEY ...: those that there are at some point
# only FAMILY KEY ... : reason, for one table, with what comes after the key behind a +
cat >"$work/rules" <<'END'
all walk p s d t v w o x y z
all role M O N W U K A
stage role M O N W U K : A is what is assembled, in sentences
all loop bad dim floordiv mod count minus along sum within
stage loop bad dim floordiv mod count minus : as it is written
stage loop dim floordiv mod count minus along sum within : once it is found to be sound
stage loop bad dim along sum within floordiv mod count minus : at the checks
all lattice FULL FLAG ONE BOTH MERGE RANGE WITHIN POINT LET
stage lattice FULL FLAG ONE BOTH MERGE : from the tree of operands, before diagonals are looked at
all strategy sequential short simd unroll prefetch tile range let parallel lanes part team ahead ahead_unroll innermost
stage strategy sequential short simd unroll prefetch tile range let parallel lanes : before the loops are planned
stage strategy sequential simd unroll tile parallel part team ahead ahead_unroll innermost : afterwards
all storage D S C E G W T P H K R X Y Z V J Q L
stage storage D S C E G W T P H K R X Y Z : V, J and Q are of slices, L is of like()
all what scalar tensor assembled sliced odd refused built
stage what scalar tensor assembled sliced odd refused : operands; built is what a workspace comes to be
stage what scalar tensor assembled odd refused : outputs that are checked
stage what scalar tensor assembled : outputs that are sound
stage what scalar tensor sliced : operands that are sound
stage what scalar tensor sliced assembled : leaves that are sound
all how dense entry last beside listed coo first next below never
stage how dense entry last coo first next below : NEVER refuses the rest
all mode append list block expand
only ROWS_+b D S C X : as what a level is assembled
only ROWS_+h D S C X : as what a level is assembled
only ROWS_+a D S C X : as what a level is assembled
only DRIVE_+0 M O N U : of the tree, where like() stands for its pattern
only DRIVE_+1 M O N U : of the tree, where like() stands for its pattern
only DEAD_+0 M O N U : of the tree, where like() stands for its pattern
only DEAD_+1 M O N U : of the tree, where like() stands for its pattern
only RECORD_+0 M O N W U : LIKE makes K of U
only RECORD_+1 M O N W U : LIKE makes K of U
only DRIVE_DENSE_ M O N U : of the tree
only DEAD_DENSE_ M O N U : of the tree
only LISTED_ M O N W U : as written
only MEMBER_ROW_ M O N W U : as written
only SCALAR_ERROR_ M O N W U : as written
only PREFETCH_ERROR_ FULL FLAG ONE BOTH MERGE RANGE WITHIN : loops that are fetched ahead of
only IF_IN_+0 M O N U : of the tree
only IF_IN_+1 M O N U : of the tree
only READ_IF_IN_+b O N : what follows a merge may be absent
only READ_IF_IN_+h O N : what follows a merge may be absent
only STEP_ M O N U : of the tree
only PADDED_ scalar tensor odd refused : operands as written
only STEP_ALONE_ M O N U : of the tree
only VALUE_+1 M O N U : what is written anew, and like another, has no sparse level to walk
only SURE_ M O U : a complement drives no loop
only LANES_FROM_ FULL ONE : the others are refused
only LANE_ FULL ONE : the others are refused
only ANY_ FULL MERGE : of two
only MERGED_ FLAG ONE BOTH MERGE : FULL is taken out before
only BARE_ floordiv mod count minus : those with two arguments
only EXPRESSION_OF_ floordiv mod count minus : those with two arguments
only STORES_PART_ dim floordiv mod count minus : levels of a descriptor that are sound
only MAP_OF_ floordiv mod count minus : those with two arguments
only MINUS_LEVEL_+0 D S : dense and sparse, yet to become diagonals
only MINUS_LEVEL_+1 D S : dense and sparse, yet to become diagonals
only SLICED_PART_ dim floordiv mod count minus : parts of an index that a level stores
only SAME_SIZE_ dim floordiv mod count minus : parts of an index that a level stores
only DOWN_OVER_ dim floordiv mod count minus : parts of an index that a level stores
only STRATEGY_ simd unroll prefetch tile range let parallel : words of the line
only STRATEGY_IS_ simd unroll prefetch tile range let parallel : words of the line
only ASKED_ sequential prefetch : the others are not unrolled unless they say so
only UNASKED_ sequential ahead : the others are not unrolled unless they say so
only UNROLLS_ sequential simd unroll parallel lanes part : as planned
only BELOW_IT_ D S : others are not reached
only GO_ON_BELOW_ D S : others end at their own
only SIBLINGS_ scalar tensor sliced assembled : sound leaves
only REACHED_ scalar tensor sliced assembled : sound leaves
only SPLIT_+0 D S Z : of what an index itself is stored in
only SPLIT_+1 D S Z : of what an index itself is stored in
only HOW_ABOVE_+u D S C X : kinds that are assembled
only HOW_ABOVE_+n S C X : kinds that are assembled
only HOW_EXPANDED_+h D S C X : kinds that are assembled
only HOW_EXPANDED_+a D S C X : kinds that are assembled
only HOW_LAST_ S C X : kinds that are assembled
only HOW_BESIDE_ S C X : kinds that are assembled
only HOW_LISTED_ S C X : kinds that are assembled
only ENTER_ tensor assembled : places
only LEAVE_ tensor assembled : places
only GROWS_ tensor assembled : places
only RESERVE_ tensor assembled : places
only GROW_AROUND_ tensor assembled : places
only HAS_OUT_ tensor assembled : places
only IN_OUT_ tensor assembled : places
only FILL_WORK_ scalar tensor : workspaces
only HELD_ scalar tensor : workspaces
only WORKS_ROW_ scalar tensor built : workspaces
only WORKS_AS_ scalar tensor : workspaces
only AS_MADE_ scalar tensor built : workspaces
only PATTERN_+_W scalar tensor : in place
only WORK_ scalar tensor odd refused : workspaces
only LIKE_ scalar tensor odd refused : no assembled record has its role
only SLICED_ scalar tensor odd refused : a leaf before it is sliced
only DRIVE_ scalar tensor sliced : operands of a tree
only PLACED_ scalar tensor sliced odd refused : operands of a workspace
END

# holes HEADER ...: prints the tables that have holes, then how many tables there are
holes() {
    awk -v rules="$work/rules" '
        BEGIN {
            while ((getline line < rules) > 0) {
                n = split(line, word, " ")
                if (word[1] == "only") {
                                for (k = 3; k <= n && word[k] != ":"; k++) only[word[2], word[k]] = 1
                    special[word[2]] = k - 3
                    continue
                }
                stage = word[2] SUBSEP (++stages[word[2]])
                for (k = 3; k <= n && word[k] != ":"; k++) {
                    in_stage[stage, word[k]] = 1
                    if (word[1] == "all") { keys[word[2]] = keys[word[2]] " " word[k]; kind_of[word[2], word[k]] = 1 }
                }
                size[stage] = k - 3
            }
        }
        function plain(name, out) { # SPARSE_P_DRIVE_0M1 -> DRIVE_M1
            sub(/^SPARSE_P_/, "", name)
            while (match(name, /0[A-Za-z]/)) {
                out = out substr(name, 1, RSTART - 1)
                name = substr(name, RSTART + 1)
            }
            return out name
        }
        /^ *# *define SPARSE_P_/ {
            match($0, /SPARSE_P_[A-Za-z0-9_]*/)
            defined[plain(substr($0, RSTART, RLENGTH))] = 1
        }
        { definition = definition $0 }
        sub(/\\$/, "", definition) { next } # it goes on
        {
            while (match(definition, /SPARSE_P_[A-Za-z0-9_]*##|CAT3?\( *SPARSE_P_[A-Za-z0-9_]*_,/)) {
                name = substr(definition, RSTART, RLENGTH)
                definition = substr(definition, RSTART + RLENGTH)
                sub(/^CAT3?\( */, "", name)
                sub(/(##|,)$/, "", name)
                if (name ~ /_$/) pasted[plain(name)] = 1
            }
            definition = ""
        }
        END {
            for (name in defined) # every way to divide it into a family and the rest
                for (at = 1; at < length(name); at++)
                    if (substr(name, at, 1) == "_" && substr(name, 1, at) in pasted) {
                        family = substr(name, 1, at)
                        rest[family] = rest[family] " " substr(name, at + 1)
                    }
            for (family in rest)
                for (kind in keys) check(family, kind)
            print tables + 0
        }
        function check(family, kind, n, row, m, key, k, j, after, have, count, single, other, table) {
            n = split(rest[family], row, " ")
            m = split(keys[kind], key, " ")
            single = length(key[1]) == 1
            for (k = 1; k <= n; k++)
                for (j = 1; j <= m; j++) {
                    if (substr(row[k], 1, length(key[j])) != key[j]) continue
                    after = substr(row[k], length(key[j]) + 1)
                    if (single ? after !~ /^[A-Za-z01]?$/ : after !~ /^([a-z0-9]|_[A-Za-z]+)?$/) continue
                    if (!((after, key[j]) in have)) count[after]++
                    have[after, key[j]] = 1
                }
            for (after in count) {
                if (count[after] < 2 && !is_rest(family (after == "" ? "" : "+" after), after, key, m, have)) continue
                other = 0
                if (single) # a letter that is no key: another kind
                    for (k = 1; k <= n; k++)
                        if (length(row[k]) == 1 + length(after) && substr(row[k], 2) == after &&
                            !((kind, substr(row[k], 1, 1)) in kind_of)) other = 1
                if (other) continue
                tables++
                table = family (after == "" ? "" : "+" after)
                if (!sound(table, kind, key, m, after, have, count[after])) {
                    printf "%s of kind %s: no row for", table, kind
                    for (j = 1; j <= m; j++)
                        if (!((after, key[j]) in have)) printf " %s", key[j]
                    print ""
                }
            }
        }
        # what is left of a table of the list, one row
        function is_rest(table, after, key, m, have, j) {
            for (j = 1; j <= m; j++)
                if ((after, key[j]) in have && (table, key[j]) in only) return 1
            return 0
        }
        function sound(table, kind, key, m, after, have, count, s, j, same) {
            if (table in special) {
                same = count == special[table]
                for (j = 1; j <= m; j++)
                    if ((after, key[j]) in have && !((table, key[j]) in only)) same = 0
                if (same) return 1
            }
            for (s = 1; s <= stages[kind]; s++) {
                same = count == size[kind, s]
                for (j = 1; j <= m; j++)
                    if ((after, key[j]) in have && !((kind SUBSEP s, key[j]) in in_stage)) same = 0
                if (same) return 1
            }
            return 0
        }' "$@"
}

headers="sparse_lattice.h sparse_formats.h sparse.h"
holes $headers >"$work/found"
tables=$(tail -n 1 "$work/found")
found=$(($(wc -l <"$work/found") - 1))
sed '$d' "$work/found"
failed=$((failed + found)) passed=$((passed + tables - found))
if [ "$tables" -lt 100 ]; then
    echo "only $tables tables were found"
    failed=$((failed + 1))
fi

# what a level type needs for kernels: STORED_IS_name, and STORED_OF_name if it has arguments or properties (structured has
# them always), and the rows of the format that these name, and of those below batch levels and slices
rooms() {
    awk '
        /^ +X\(SPARSE_[A-Z_]+, [a-z_]+, / { name = $2; sub(/,/, "", name); if (name != "structured") needs["STORED_IS_" name] = 1 }
        /^#define SPARSE_P_FORMAT_OF_/ { name = $2; sub(/SPARSE_P_FORMAT_OF_/, "", name); sub(/\(.*/, "", name); needs["STORED_OF_" name] = 1 }
        /^#define SPARSE_P_(STORED_(IS|OF)|LEVEL_ROW|RANGE_ROW)_[a-z0-9_]+[ (]/ {
            row = $2
            sub(/^SPARSE_P_/, "", row)
            sub(/\(.*/, "", row)
            defined[row] = 1
            n = split($0, cell, /, */)
            if (row ~ /^STORED/) {
                for (k = 2; cell[k - 1] !~ /0[DS]$/; k++);
                format = cell[k]
                if (format ~ /TRAIT/) { needs["LEVEL_ROW_singleton"] = needs["RANGE_ROW_singleton"] = 1; format = cell[k + 1] }
                needs["LEVEL_ROW_" format] = needs["RANGE_ROW_" format] = 1
            } else if (row ~ /^LEVEL_ROW/ && n == 9) {
                sub(/\)$/, "", cell[9])
                if (cell[8] != "0none") needs["LEVEL_ROW_" cell[8]] = needs["RANGE_ROW_" cell[8]] = 1
                if (cell[9] != "0none") needs["RANGE_ROW_" cell[9]] = 1
            }
        }
        END { for (row in needs) if (!(row in defined)) print "no row " row }' sparse_formats.h
}
rooms >"$work/rooms"
[ -s "$work/rooms" ] && failed=$((failed + 1)) && cat "$work/rooms" || passed=$((passed + 1))

# Rows that are taken away are missed, by their names: of all tables the n-th of each at a time, as one says nothing of
# another. let and 0let of ASKS_ROW are one key.
listed=$(grep -ohE '^ *# *define SPARSE_P_([A-Z]+_ROW_[A-Za-z0-9_]+|STORED_(IS|OF)_[a-z_]+)' $headers | sed 's/.*SPARSE_P_//' |
    grep -vE '^((CRD|HELD|SUMS|FILE|NEW)_ROW_|ASKS_ROW_0?let$|(LEVEL|RANGE)_ROW_0(sliced|window|sweep|subsection|spread|shifted|counted))')
for ((n = 1; n; n++)); do
    taken="$(echo "$listed" | awk -v n=$n '{ table = $0; sub(/_ROW_.*|_(IS|OF)_.*/, "", table); sub(/^(LEVEL|RANGE|STORED)$/, "rooms", table); if (++count[table] == n) print }')"
    [ $n = 1 ] && taken="$taken SHARED_0odd VALUE_ERROR_0_0K"
    [ "$taken" ] || break
    cp $headers "$work"
    for row in $taken; do sed -i "s/define SPARSE_P_$row\([ (]\)/define SPARSE_P_NOT_$row\1/" $(cd "$work" && grep -l "define SPARSE_P_$row[ (]" $headers | sed "s|^|$work/|"); done
    (cd "$work" && holes $headers && rooms) >"$work/missed"
    for row in $taken; do
        key=${row##*_ROW_} key=${key#0}
        case $row in
        LEVEL_ROW_* | RANGE_ROW_* | STORED_*) said="^no row $row\$" ;;
        *_ROW_*) said="^${row%_ROW_*}_ROW_ of kind .*: no row for.* $key\( \|\$\)" ;;
        *) key=${row##*_} said=" of kind .*: no row for.* ${key#0}\( \|\$\)" ;;
        esac
        if grep -q "$said" "$work/missed"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "that SPARSE_P_$row is not there is not found"; fi
    done
done
# every EACHx gives a macro each item of a list, and every FOLDx takes them together from the first on, of up to 12
items= each= fold= n=0
{
    echo '#include "sparse.h"'
    echo '#define T_EACH(c, x) {c x}'
    echo '#define T_FOLD(x, y) {x y}'
} >"$work/lists.c"
: >"$work/lists"
while [ $n -le 12 ]; do
    [ $n = 0 ] || items="$items, x$n" each="$each{7 x$n}"
    [ $n -lt 2 ] && fold=$(echo "$items" | tr -d ', ') || fold="{$fold x$n}"
    for name in $(grep -oE '^#define SPARSE_P_(EACH|FOLD)[A-Z]\(' sparse_lattice.h | sed 's/.* SPARSE_P_//; s/(//'); do
        case $name,$n in
        EACH*) echo "$name $n = SPARSE_P_$name(T_EACH, 7, ($items))" >>"$work/lists.c" && echo "$name $n = $each" >>"$work/lists" ;;
        *,0) ;;
        *) echo "$name $n = SPARSE_P_$name(T_FOLD, ($items))" >>"$work/lists.c" && echo "$name $n = $fold" >>"$work/lists" ;;
        esac
    done
    n=$((n + 1))
done
# and numbers are compared, and subtracted, as they are: all pairs of up to 8
for ((a = 0; a <= 8; a++)); do
    for ((b = 0; b <= 8; b++)); do
        [ $a -lt $b ] && order=0b || order=0h
        [ $a -le $b ] || order=0a
        echo "CMP $a.$b = SPARSE_P_CMP($a, $b)" >>"$work/lists.c" && echo "CMP $a.$b = $order" >>"$work/lists"
        [ $b = 0 ] || [ $a -lt $b ] && continue
        echo "MINUS $a.$b = SPARSE_P_MINUS($a, $b)" >>"$work/lists.c" && echo "MINUS $a.$b = $((a - b))" >>"$work/lists"
    done
done
# and a name, of an index or of what is made of one, is that name, and no other
names=$(for of in '' _block _count _diagonal; do printf "%s$of " {a..z}; done)
for name in $names; do
    { printf 'NAME %s = ' "$name" && printf "SPARSE_P_IFEQ($name, %s, %s) " $(for other in $names; do echo "$other" x"$other"; done) && echo; } >>"$work/lists.c"
    echo "NAME $name = x$name" >>"$work/lists"
done
${CC:-cc} -std=c11 -I. -E -P "$work/lists.c" | tr -d ' \n' | sed 's/\(EACH[A-Z]\|FOLD[A-Z]\|CMP\|MINUS\|NAME\)[a-z0-9._]*=/\n&/g' | grep '^[EFCMN].*=' >"$work/made"
tr -d ' ' <"$work/lists" | diff - "$work/made" && [ "$(wc -l <"$work/lists")" -gt 100 ] && passed=$((passed + 1)) || failed=$((failed + 1))

# a word or a type of C names no operand; bool can be a macro of another
words='_Bool auto bool break case char const continue default do double else enum extern float for goto if inline int int16_t
    int32_t int64_t int8_t long ptrdiff_t register restrict return short signed size_t sizeof static struct switch typedef
    uint16_t uint32_t uint64_t uint8_t union unsigned void volatile while'
{
    printf '#include "sparse.h"\n#define VEC vec, SPARSE_DENSE_1D, double, 32, 32\nSPARSE_TENSOR(VEC)\n'
    for word in $words; do echo "SPARSE_KERNEL(as_$word, (i), (s, double), all(($word, VEC, i)), s += 1)"; done
} >"$work/words.c"
${CC:-cc} -Werror -fmax-errors=0 -E -x c /dev/null >/dev/null 2>&1 && endless=-fmax-errors=0 || endless=-ferror-limit=0
${CC:-cc} -std=c11 -I. -fsyntax-only $endless "$work/words.c" >"$work/said" 2>&1
for word in $words; do
    grep -qE "as_$word: ($word|_Bool) is a word or a type of C, and cannot name an operand" "$work/said" &&
        passed=$((passed + 1)) || { failed=$((failed + 1)) && echo "$word can name an operand"; }
done

echo "tables: $passed passed, $failed failed"
[ $failed = 0 ]
