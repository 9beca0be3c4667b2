#!/bin/bash
# random_lines.sh [SEED [COUNT [plain|nasty|halves]]]: tests random kernel lines, which random_lines.c writes. A line that the
# documented rules allow must compile and compute what random_lines.h computes by trying every coordinate. A line that the
# rules forbid must be refused with one sentence, in at most ten lines of compiler output. Three kinds of lines:
#   plain    harmless names
#   nasty    names that might collide: pA1, result, n, or names that form a keyword when joined with an index
#   halves   one operand stores one triangle
# Without arguments: 130 plain, 130 nasty and 60 halves, from fixed seeds. Lines listed in random_lines.txt are known to fail
# and are skipped. Environment: CC, LINES_KEEP (a directory that keeps the programs), FIRST (set: stop at the first failure),
# DAY (set: 90 nasty lines, or 90 plain ones with clang, and the 60 halves).
cd "$(dirname "$0")" || exit 1
CC=${CC:-cc}
work=${LINES_KEEP:-$(mktemp -d)} || exit 1
[ "$LINES_KEEP" ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
passed=0 failed=0 accepted=0 refused=0
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); [ $failed -gt 20 ] || printf '%s\n' "failed: $*"; [ ! "$FIRST" ] || exit 1; }
$CC -ftrack-macro-expansion=0 -E -x c /dev/null >/dev/null 2>&1 && lean=-ftrack-macro-expansion=0 || lean=
$CC -Werror -fmax-errors=0 -E -x c /dev/null >/dev/null 2>&1 && endless=-fmax-errors=0 || endless=-ferror-limit=0
echo 'int main(void) { return 0; }' >"$work/probe.c"
sanitize="-g1 -fsanitize=address,undefined ${DAY:+-fno-sanitize=null,object-size} -fno-sanitize-recover=all"
{ $CC $sanitize -fopenmp "$work/probe.c" -o "$work/probe" && "$work/probe"; } >/dev/null 2>&1 && sanitize="$sanitize -fopenmp" || sanitize=

# judge FILE.c: compiles it and prints for each kernel line "NUMBER EXPECTED ERRORS LINES SENTENCE"
judge() {
    $CC -std=c11 -fsyntax-only -I. -I.. $endless "$1" >"$1.said" 2>&1
    awk -v file="$1" '
        FILENAME == file {
            if ($1 == "/*" && $2 ~ /^r[0-9]+:$/) { name = substr($2, 2); sub(/:/, "", name); expected[name] = $3; order[++count] = name }
            if (/^SPARSE_KERNEL/) line_of[FNR] = name
            next
        }
        { # a line of output belongs to the kernel line that the output names next; after the last name, to that one
            at = split($0, part, ":") > 2 && part[1] == file ? line_of[part[2]] : ""
            if (/(error|warning): /) open = 1
            if (/error: /) { text = $0; sub(/.*error: */, "", text) }
            held++
            if (at != "") current = at
            if (open && at == "") next
            n_lines[current] += held
            held = open = 0
            if (text != "") { n_errors[current]++; sentence[current] = text }
            text = ""
        }
        END { for (n = 1; n <= count; n++) { k = order[n]; print k, expected[k], n_errors[k] + 0, n_lines[k] + 0, sentence[k] } }
    ' "$1" "$1.said"
}

# lines MODE SEED COUNT [KIND]: writes and checks COUNT lines; MODE is lines (allowed) or mistakes (forbidden)
lines() {
    local number expected errors printed sentence seed
    "$work/random_lines" "$@" >"$work/lines.c" || { fail "no lines from seed $2"; return; }
    judge "$work/lines.c" >"$work/verdicts"
    : >"$work/list"
    while read -r number expected errors printed sentence; do
        ! grep -q "^$* $number\b" random_lines.txt || continue
        line=$(grep -m 1 "^SPARSE_KERNEL(r$number," "$work/lines.c")
        if [ "$errors" = 0 ]; then
            [ "$expected" != refuse ] && pass || fail "accepted against the rules: seed $2: $line"
            accepted=$((accepted + 1))
            echo "$number" >>"$work/list"
        else
            refused=$((refused + 1))
            if [ "$errors" != 1 ] || [ "$printed" -gt 10 ]; then fail "$errors errors in $printed lines, seed $2: $sentence: $line"
            elif [ "$expected" = accept ]; then fail "refused though allowed: seed $2: $sentence: $line"
            else case $sentence in
                *"r$number:"*) pass ;;
                *) fail "no sentence: seed $2: $sentence: $line" ;;
                esac
            fi
        fi
    done <"$work/verdicts"
    [ "$1" = lines ] || return
    cat "$work/lines.c" >>"$work/all.c"
    "$work/random_lines" tests "$2" "$3" $4 <"$work/list" >"$work/tests.c"
    if $compile -DSPARSE_DECLARE "$work/tests.c" "$work/kit.o" -o "$work/tests" -lm >"$work/out" 2>&1; then
        OMP_NUM_THREADS=3 "$work/tests" >"$work/out" 2>&1
        status=$?
        seed=$2
        set -- $(tail -n 1 "$work/out")
        case "$*" in
        "random_lines: "*" passed, "*) passed=$((passed + $2)) failed=$((failed + $4)) ;;
        *) fail "seed $seed: status $status" ;;
        esac
        [ $status = 0 ] || grep -v '^random_lines:' "$work/out" | head -n 12
    else
        fail "the accepted lines of seed $2 do not compile"
        grep -m 3 error: "$work/out" || head -n 5 "$work/out"
    fi
}

$CC -std=c11 -Wall -Wextra -O1 random_lines.c -o "$work/random_lines" || fail "random_lines.c does not compile"
compile="$CC -std=c11 $lean -O0 $sanitize -I. -I.."
printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n' >"$work/kit.c"
$compile -c "$work/kit.c" -o "$work/kit.o" || fail "the storage of the kit does not compile"
# 60 lines to a program: with hundreds, compilers lose the positions of errors and take gigabytes.
kinds=${3:-plain nasty halves}
[ ! "$DAY" ] || [ "$3" ] || case $CC in *clang*) kinds='plain halves' ;; *) kinds='nasty halves' ;; esac
for kind in $kinds; do
    case $kind in plain) seed=${1:-200} ;; nasty) seed=${1:-44} ;; *) seed=${1:-3} ;; esac # these seeds produce every feature counted below
    left=${2:-$((DAY ? 90 : 130))}
    [ "$2" ] || [ $kind != halves ] || left=60
    for (( ; left > 0; seed++, left -= 60)); do
        count=$((left < 60 ? left : 60))
        lines lines "$seed" $count $kind
        lines mistakes "$seed" $count $kind
    done
done
echo "$accepted lines accepted, $refused refused"
# Counts how many lines have each feature. Without arguments each feature must occur.
awk '
    BEGIN { split("sums; times 0; times 2; times 3; a constant; one below 0; padded; a slice; a slice of sums; a slice of batches; a workspace; \
a sparse one; one read at a sum; a workspace and sums; three sums; a range; a place; no loop over an operand; two outputs; an update; \
continue; break; a tile; a word beside sums; a place found ahead; a bitmap; a constant for values; a result beside a workspace; a list; one with a size by let; values of 16 bits; complex ones; \
small integers as a result; something else than zero absent; that in a result; a matrix as a workspace; a sparse one of these; \
two statements in an update; a refused update in a list; five loops; seven loops; a least; bits; a slice in a workspace; \
a scalar in a workspace; operands in parentheses beside a workspace", name, "; *")
    }
    /^#define / {
        of_batches[$3] = /\(batch,/; compressed[$3] = /\(compressed,/
        of_bits[$2] = /\(bitmap,/; constant[$2] = /constant\(/
        listed[$2] = /nonunique, nonordered/; half[$2] = /sparse_b?f16/; complex[$2] = /sparse_complex/
        small[$2] = /u?int(8|16)_t, /; sparse[$2] = /\(compressed, .\)/; filled[$2] = 0
    }
    /^SPARSE_TENSOR_FILL/ { type = $0; gsub(/.*\(T|,.*/, "", type); filled["T" type] = 1 }
    # does the text name one of these types?
    function names(text, these, any, type) {
        for (; match(text, /T[0-9]+,/); text = substr(text, RSTART + RLENGTH)) {
            type = substr(text, RSTART, RLENGTH - 1)
            any = any || these[type]
        }
        return any
    }
    /^\/\* r[0-9]+: / { verdict = $3 }
    /^SPARSE_KERNEL/ {
        line = $0
        plus = gsub(/plus\(|times\(/, "&", line)
        n = 0
        has[++n] += plus > 0
        has[++n] += /times\(0,/
        has[++n] += /times\(2,/
        has[++n] += /times\(3,/
        has[++n] += /plus\([^()]*(times\([^()]*\)[^()]*)*\([0-9]+\)\)/
        has[++n] += /\(-[0-9]+\)\)/
        has[++n] += /padded\(/
        has[++n] += /slice\(/
        has[++n] += /slice\([^()]*(plus|times)\(/
        batch = 0
        for (rest = line; match(rest, /slice\([A-Za-z0-9_]*, [A-Z0-9]*/); rest = substr(rest, RSTART + RLENGTH)) {
            type = substr(rest, RSTART, RLENGTH)
            sub(/.*, /, "", type)
            batch = batch || of_batches[tolower(type) ","]
        }
        has[++n] += batch
        has[++n] += /where\(/
        work = match(line, /where\([^()]*\([A-Za-z0-9_]*, [A-Z0-9]*/) ? substr(line, RSTART, RLENGTH) : ""
        sub(/.*, /, "", work)
        has[++n] += compressed[tolower(work) ","]
        has[++n] += /where\(\([A-Za-z0-9_]*, [A-Z0-9]*, let\(/
        has[++n] += /where\(/ && plus > 0
        has[++n] += plus > 2
        has[++n] += /range\(/
        has[++n] += /let\(/
        has[++n] += /none\(/
        has[++n] += /^SPARSE_KERNEL\(r[0-9]+, \([^()]*(\([^()]*\)[^()]*)*\), \(\(/
        has[++n] += /update\(/
        has[++n] += /continue;/
        has[++n] += /break;/
        has[++n] += /tile\(/
        has[++n] += plus > 0 && /(parallel|simd|unroll|prefetch|tile)\(/
        has[++n] += /prefetch\(.*let\(.*(all|any)\(/
        has[++n] += names(line, of_bits)
        has[++n] += names(line, constant)
        has[++n] += /where\(/ && /has_[A-Za-z0-9_]* = /
        loops = line = $0 # r1, (i, (j)), output, ... -> loops; out: output
        sub(/^[^(]*\([^(]*\(/, "", loops)
        out = loops
        sub(/\), [(a-z].*/, "", loops)
        sub(/^([^()]|\([^()]*\))*\), /, "", out)
        out = match(out, /(all|any|none)\(/) ? substr(out, 1, RSTART - 1) : out
        has[++n] += names(out, listed)
        has[++n] += names(out, listed) && loops ~ /let\([^()]*, [0-9]+\)/
        has[++n] += names(line, half)
        has[++n] += names(line, complex)
        has[++n] += names(out, small)
        has[++n] += names(line, filled)
        has[++n] += names(out, filled)
        work = match(line, /where\(\([A-Za-z0-9_]*, T[0-9]+, ., .\)/) ? substr(line, RSTART, RLENGTH) : ""
        has[++n] += work != ""
        has[++n] += names(work, sparse)
        has[++n] += /update\(.* \+= [^;]*; [A-Za-z0-9_]+ \+= /
        has[++n] += /^[^()]*\([^()]*\([^=]*\), \(.*update\(/ && verdict == "refuse"
        gsub(/let\([^()]*\)|range\([^()]*\)|tile\([^()]*\)/, "x", loops)
        count = gsub(/, /, ", ", loops) + 1
        has[++n] += count > 4
        has[++n] += count > 6
        has[++n] += / < .* \? /
        has[++n] += / [|&^]= /
        inner = /where\(/ ? line : ""
        sub(/.*where\(/, "", inner)
        sub(/=.*/, "", inner)
        has[++n] += inner ~ /slice\(/
        sub(/.*(all|any)\(/, "", inner)
        has[++n] += inner ~ /\([A-Za-z0-9_]+, (double|u?int64_t)\)/
        has[++n] += /where\(.*all\(.*all\(/
    }
    END { for (n = 1; n in name; n++) print has[n] + 0, "with", name[n] }' "$work/all.c" >"$work/features"
paste -sd, "$work/features" | sed 's/,/, /g'
[ $# -gt 0 ] || [ "$DAY" ] || while read -r count feature; do
    [ "$count" -gt 0 ] && pass || fail "no line $feature"
done <"$work/features"
echo "random_lines: $passed passed, $failed failed"
[ $failed = 0 ]
