#!/bin/bash
# poison.sh [--find]: macros of the user do not change what the headers mean. Every identifier that occurs in the headers
# without the kit's prefix, and every word of one or two letters, is defined as a macro that expands to garbage, first
# before and then after the headers are included. The golden kernels must still expand to the same text. This is done with
# their own names and again with other names, so that words which are names there are tested as well. A compiled program
# also defines such macros in capitals, as users write them, before the headers.
#
# Not tested: keywords of C, names that the C library's headers declare, the words under "Reserved words" in
# docs/limits.md, and the words of poison.txt, which are known to fail. --find prints all words that fail, not only the
# first few. Environment: CC.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
passed=0 failed=0 most=5
[ "$1" != --find ] || most=100000
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "failed: $*"; }

words() { grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u; }
without() { comm -23 - <(sort -u "$@"); }
# the code of the headers, without comments, literals, and directives other than #define
code() {
    awk '{ text = text $0 "\n" } END {
        while (match(text, /\/\*([^*]|\*+[^*\/])*\*+\/|"([^"\\\n]|\\.)*"|\047([^\047\\\n]|\\.)*\047/)) {
            printf "%s ", substr(text, 1, RSTART - 1)
            text = substr(text, RSTART + RLENGTH)
        }
        print text
    }' "$@" | grep -vE '^ *# *(include|pragma|error)'
}

# >>words
$CC -ftrack-macro-expansion=0 -E -x c /dev/null >"$work/errors" 2>&1 && lean=-ftrack-macro-expansion=0 || lean=
library='assert ctype errno float inttypes limits math stdarg stdbool stddef stdint stdio stdlib string'
for header in $library; do echo "#include <$header.h>"; done >"$work/library.h"
{
    echo 'auto break case char const continue default do double else enum extern float for goto if inline int long
        register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
        alignof static_assert class new template typename delete public private
        defined define elif else endif error if ifdef ifndef include pragma undef' | words
    $CC -std=c11 -E -dD "$work/library.h" | grep -v '^# ' | words | grep -E '...' # shorter words are names of parameters
} >"$work/language"
sed -n '/^## Reserved words/,/^A macro/p' docs/limits.md | sed -n '/^```text$/,/^```$/p' | grep -v '^```' | words >"$work/reserved"
sed 's/#.*//' tests/poison.txt 2>/dev/null | words >"$work/known"
{
    for header in sparse_formats.h sparse_lattice.h sparse.h sparse_io.h; do code $header; done | words
    printf '%s\n' {a..z} {A..Z} {a..z}{a..z} {A..Z}{A..Z} {A..Z}{a..z} {a..z}{A..Z} {a..z}{0..9} {A..Z}{0..9}
} | grep -vE '^(_|SPARSE_|sparse_)' | sort -u | without "$work/reserved" "$work/language" "$work/known" >"$work/words"

# >>texts: text1 is the golden kernels. text2 is a copy with each index five letters later and all other names replaced.
sed '/^#include/d' tests/golden/kernels.c >"$work/text1"
cat "$work/reserved" "$work/language" |
    awk 'FILENAME == "-" { kept[$1]; next }
        { line = line == "" ? $0 : line "\n" $0 }
        gsub(/\(/, "(", line) > gsub(/\)/, ")", line) { next } # skip a kernel that spans several lines
        {
            delete is_index
            if (line ~ /^SPARSE_KERNEL/) { # lists of letters and numbers only, as (i, k, j), hold indices
                loops = line
                sub(/^[^,]*,/, "", loops)
                while (match(loops, /\([a-z0-9, ]*\)/)) {
                    list = substr(loops, RSTART, RLENGTH)
                    loops = substr(loops, 1, RSTART - 1) " " substr(loops, RSTART + RLENGTH)
                    for (; match(list, /[a-z][a-z0-9]*/); list = substr(list, RSTART + RLENGTH))
                        if (RLENGTH == 1) is_index[substr(list, RSTART, 1)]
                }
                for (list = loops; match(list, /, [a-z]\)/); list = substr(list, RSTART + 1)) is_index[substr(list, RSTART + 2, 1)]
                for (list = loops; match(list, /let\([a-z],/); list = substr(list, RSTART + 1)) is_index[substr(list, RSTART + 4, 1)]
            }
            for (rest = line; match(rest, /[A-Za-z_][A-Za-z0-9_]*/); rest = substr(rest, RSTART + RLENGTH)) {
                word = substr(rest, RSTART, RLENGTH)
                printf "%s", substr(rest, 1, RSTART - 1)
                if (word in is_index)
                    printf "%s", substr("fghijklmnopqrstuvwxyzabcde", index("abcdefghijklmnopqrstuvwxyz", word), 1)
                else if (word ~ /^[a-z]$/ && line ~ /^#define [A-Z0-9_]+ +[a-z0-9_]+, \(\(/) printf "%s", word # a dimension of an encoding
                else if (word ~ /^(SPARSE_|sparse_)/ || word in kept) printf "%s", word
                else if (word ~ /^has_/) printf "has_their_%s", substr(word, 5)
                else printf "their_%s", word
            }
            print rest
            line = ""
        }' - "$work/text1" >"$work/text2"

# expansion TEXT WORDS before|after: expands the text with the words defined as macros before or after the headers
expansion() {
    sed 's/.*/#define & @&_is_a_macro@/' "$2" >"$work/macros.h"
    {
        echo '#include "library.h"'
        [ "$3" = after ] || echo '#include "macros.h"'
        for header in sparse.h sparse_io.h; do echo "#include \"$header\""; done
        [ "$3" = before ] || echo '#include "macros.h"'
        echo sparse_here_begins
        cat "$1"
    } >"$work/program.c"
    $CC -std=c11 -E -P $lean -I. -I"$work" "$work/program.c" 2>"$work/errors" | sed '1,/^sparse_here_begins/d'
}
# fails TEXT WORDS before|after: the expansion changes
fails() { ! expansion "$@" | cmp -s - "$1.wanted" || grep -q error: "$work/errors"; }

# find_words TEXT WORDS before|after: prints the first words that fail: those visible in the expansion, then by bisection
found=0
find_words() {
    local shown
    while shown=$(expansion "$@" | grep -oE '@[A-Za-z0-9_]*_is_a_macro' | sed 's/^@//; s/_is_a_macro$//' | sort -u); [ "$shown" ]; do
        found=$((found + $(echo "$shown" | wc -l)))
        echo "$shown" | head -n $most | sed "s/.*/  & as a macro, $3 the headers/"
        echo "$shown" >"$2.shown"
        without "$2.shown" <"$2" >"$2.left"
        mv "$2.left" "$2"
    done
    halve "fails $1" "$2" "$3"
}
# halve COMMAND WORDS PLACE: bisects the words; prints those for which `COMMAND WORDS PLACE` succeeds
halve() {
    local count
    [ $found -lt $most ] && $1 "$2" "$3" || return
    count=$(wc -l <"$2")
    if [ "$count" = 1 ]; then
        found=$((found + 1))
        echo "  $(cat "$2") as a macro, $3 the headers"
        return
    fi
    sed -n "1,$(((count + 1) / 2))p" "$2" >"$2.1"
    sed "1,$(((count + 1) / 2))d" "$2" >"$2.2"
    halve "$1" "$2.1" "$3"
    halve "$1" "$2.2" "$3"
}

: >"$work/none"
for text in "$work/text1" "$work/text2"; do
    expansion "$text" "$work/none" after >"$text.wanted"
    grep -q 'static inline' "$text.wanted" || fail "the golden kernels do not expand"
    words <"$text" >"$text.names"
    without "$text.names" <"$work/words" >"$text.words"
    for place in before after; do
        if ! fails "$text" "$text.words" $place; then pass
        else
            fail "macros of the user $place the headers change the loops of ${text##*/}"
            cp "$text.words" "$work/suspects"
            found=0
            find_words "$text" "$work/suspects" $place
        fi
    done
done
# a program that defines words in capitals as macros
grep -E '^[A-Z][A-Z0-9_]*$' "$work/words" | without "$work/text2.names" >"$work/capitals"
[ -s "$work/capitals" ] || fail "no words in capitals"
compiles() {
    expansion "$work/text2" "$1" before >/dev/null
    $CC -std=c11 -fsyntax-only $lean -I. -I"$work" -Dsparse_here_begins= "$work/program.c" 2>"$work/errors"
}
compiles_not() { ! compiles "$@"; }
if compiles "$work/capitals"; then pass
else
    fail "with macros of the user in capitals the headers do not compile"
    grep -m 1 error: "$work/errors"
    found=0
    halve compiles_not "$work/capitals" before
fi
# spmv + u_x and spmv_u + x: kernels and operands whose names, one after the other, are the same
cat >"$work/joined.c" <<'EOF'
#include "sparse.h"
#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (u_x, VEC, j)), y += A * u_x)
SPARSE_KERNEL(spmv_u, (i, j), (y, VEC, i), all((x, CSR, i, j)), y += x)
EOF
if $CC -std=c11 -fsyntax-only -I. "$work/joined.c" 2>"$work/errors"; then pass
else
    fail "kernel spmv of u_x and kernel spmv_u of x do not compile together"
    grep -m 1 error: "$work/errors"
fi
echo "poison: $passed passed, $failed failed"
[ $failed = 0 ]
