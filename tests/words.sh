#!/bin/bash
# words.sh [KERNEL...]: no strategy word makes a kernel slower. Puts each word around each loop of the kernels in counts.c
# and counts instructions with valgrind. Either the kit refuses the word with a sentence, or the kernel takes at most 5% more
# instructions than without the word. words.txt lists the exceptions and the reasons. Skipped without valgrind.
# Environment: CC, DAY (set: only -O2; else -O2 and -O3); VERBOSE=1 prints all figures.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if ! { command -v valgrind && command -v callgrind_annotate; } >/dev/null; then
    echo "skipped: instructions of kernels with strategy words, as valgrind is not there"
    echo "words: 0 passed, 0 failed, 1 skipped"
    exit
fi
names=${*:-spmv spmv_csc spmv_coo spmv_bsr spmv_dia sum_all dot2 scale spmm spmm_columns sddmm ttv mttkrp beside add spgemm}
# The lines: each kernel with each word, and twice without, as the first run of a kernel also allocates its output.
awk -v names=" $names " '
    function top(text,    k, c, depth, from) { # part[1..parts]: text, split at commas outside of parentheses
        parts = 0; from = 1
        for (k = 1; k <= length(text) + 1; k++) {
            c = substr(text, k, 1)
            if (c ~ /[({[]/) depth++
            else if (c ~ /[]})]/) depth--
            else if (c == "" || c == "," && !depth) { part[++parts] = substr(text, from, k - from); sub(/^ +/, "", part[parts]); from = k + 1 }
        }
    }
    function join(list, n, at, wrapped,    k, text) {
        for (k = 1; k <= n; k++) text = text (k > 1 ? ", " : "") (k == at ? wrapped : list[k])
        return text
    }
    function variant(suffix, loops) { printf "KERNEL(%s__%s, %s, %s, (%s), %s)\n", name, suffix, of, given, loops, rest }
    function variants(    k, n, w, words, word, loop) {
        top(text)
        name = part[1]; of = part[2]; given = part[3]; rest = part[5]
        if (!index(names, " " name " ")) return
        for (k = 6; k <= parts; k++) rest = rest ", " part[k]
        top(substr(part[4], 2, length(part[4]) - 2))
        n = parts
        for (k = 1; k <= n; k++) loop[k] = part[k]
        variant("first", join(loop, n, 0)); variant("plain", join(loop, n, 0))
        words = split("parallel parallel_sum independent simd unroll prefetch tile", word, " ")
        for (k = 1; k <= n; k++)
            if (loop[k] !~ /^(range|let|count|simd)/)
                for (w = 1; w <= words; w++)
                    variant(word[w] "_" k, join(loop, n, k, word[w] "(" loop[k] (word[w] == "tile" ? ", 64" : "") ")"))
    }
    /^KERNEL\(/ { text = ""; sub(/^KERNEL\(/, ""); inside = 1 }
    inside { text = text (text == "" ? "" : " ") $0; gsub(/  +/, " ", text) }
    inside && /\)$/ { sub(/\)$/, "", text); inside = 0; variants() }' tests/counts.c >"$work/lines"
# refused lines: the sentence begins with the name of the kernel
limit=$($CC -ferror-limit=0 -E -x c /dev/null >/dev/null 2>&1 && echo -ferror-limit=0)
{ cat "$work/lines" && echo '#define KERNELS(X)'; } >"$work/all.h"
$CC -std=c11 -fsyntax-only $limit -I. -DWORDS="\"$work/all.h\"" tests/counts.c 2>"$work/refused.txt"
grep -E 'error: static[ _]assert' "$work/refused.txt" | sed -n 's/.*"\([a-z0-9_]*\)__\([a-z0-9_]*\): \(.*\)".*/\1__\2 \3/p' >"$work/refused"
awk 'FILENAME ~ /refused$/ { refused[$1] = 1; next }
    { name = $0; sub(/KERNEL\(/, "", name); sub(/,.*/, "", name); if (!(name in refused)) { print; list = list " X(" name ")" } }
    END { print "#define KERNELS(X)" list }' "$work/refused" "$work/lines" >"$work/kernels.h"
passed=$(wc -l <"$work/refused") failed=0
for level in -O2 ${DAY:+} $(test "$DAY" || echo -O3); do
    $CC -std=c11 $level -I. -DWORDS="\"$work/kernels.h\"" tests/counts.c -o "$work/counts" -lm >"$work/out" 2>&1 &&
        valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" "$work/counts" >"$work/entries" 2>"$work/out" &&
        callgrind_annotate --inclusive=yes --threshold=100 --show=Ir "$work/callgrind" >"$work/costs" 2>"$work/out" || {
        tail -n 5 "$work/out" "$work/entries"
        failed=$((failed + 1))
        continue
    }
    awk -v level=$level -v verbose="$VERBOSE" '
        FILENAME ~ /words.txt$/ { if ($1 !~ /^#/) spends[$1, $2] = $3; next }
        FILENAME ~ /entries$/ { name[++n] = $1; next }
        match($0, /[:?]run_[a-z0-9_]+/) {
            cost = $1; gsub(/,/, "", cost)
            kernel = substr($0, RSTART + 5, RLENGTH - 5)
            if (!(kernel in total)) total[kernel] = cost
        }
        END {
            for (k = 1; k <= n; k++) {
                at = index(name[k], "__"); kernel = substr(name[k], 1, at - 1); word = substr(name[k], at + 2)
                if (word ~ /^(first|plain)$/) continue
                plain = total[kernel "__plain"]; ratio = plain > 0 ? total[name[k]] / plain : 0
                key = word; sub(/_[0-9]+$/, "", key)
                bound = ("*", key) in spends ? spends["*", key] : 1.05
                if ((kernel, key) in spends) bound = spends[kernel, key]
                if (verbose) printf "%s %s %.3f\n", level, name[k], ratio
                if (ratio > 0 && ratio <= bound) { passed++; continue }
                printf "%s %s: %.3f of the instructions without the word\n", level, name[k], ratio; failed++
            }
            print passed + 0, failed + 0 >"/dev/stderr"
        }' tests/words.txt "$work/entries" "$work/costs" 2>"$work/sums"
    read -r p f <"$work/sums"
    passed=$((passed + p)) failed=$((failed + f))
done
[ "$VERBOSE" ] && cat "$work/refused"
echo "words: $passed passed, $failed failed"
[ $failed = 0 ] && [ "$passed" -gt 0 ]
