#!/bin/bash
# documents.sh: the programs and outputs in README.md and docs/*.md are right. The words after the three backticks of a
# fenced block say how it is checked:
#
#   c                          with a main: a program, which must compile and run. Without: a part of one file, which
#                              is joined from all such blocks of the document
#   c body                     statements: the body of a function in that file, which is run
#   c++                        a program in C++20
#   c FILE, c++ FILE           the program in examples/FILE, word for word, without the comment at its top
#   c wrong                    must not compile after the blocks before it
#   c printed                  the output of the command in the block before it; it must compile
#   c linked                   a file that is compiled once and linked to examples/spmv.c
#   c expansion FILE KERNEL    the output of expand.sh for the kernel
#   c loops KERNEL             lines of the output of expand.sh for a kernel of the blocks before it, in their order,
#                              without braces
#   sh run                     commands, which must succeed
#   text                       the output of the block before it, or a line of the compiler's report on it
#
# Programs of docs/tutorial.md and docs/howto/ are compiled with SPARSE_DECLARE and linked to the storage and file
# functions, which are compiled once. Also checked:
# - docs/encodings.md lists every named encoding.
# - docs/errors.md has each sentence of SPARSE_RESULTS, tests/compile_fail and the headers, with its cause and remedy.
# - docs/kernels.md has an entry for every word of the kernel line, with its loops.
# - Every page of docs/howto has a program with its output.
# - Every link to a file or a heading of the project leads there.
# - make help prints every target.
# Environment: CC, CXX, WARNINGS, DAY (set: every other page of docs/howto, the others with clang).
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} CXX=${CXX:-c++}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# verdict STATUS WHAT: counts a check, and shows what it printed if it failed
verdict() {
    if [ "$1" = 0 ]; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $document:$line: $2"
        head -n 8 "$work/out"
    fi
}
compile() { $CC -std=c11 $WARNINGS -O0 -I. "$@" >"$work/out" 2>&1; }
compile_cxx() { $CXX -std=c++20 $WARNINGS -O0 -I. "$@" >"$work/out" 2>&1; }
# as_in FILE: compares the block with the program, without the comment at its top
as_in() {
    awk '!begun && /^\/\*/ { skip = 1 } !skip { begun = 1; print } /\*\/$/ { skip = 0 }' "$1" | diff - "$work/$n" >"$work/out"
    verdict $? "another program than $1"
}
# runs COMMAND...: it must succeed and, if the next block is text, print that block
runs() {
    if ! "$@" >"$work/printed" 2>&1; then
        cp "$work/printed" "$work/out"
        return 1
    fi
    [ "${info[n + 1]:-}" != text ] || diff "$work/$((n + 1))" "$work/printed" >"$work/out"
}

# add KIND: appends the block to the joined file of its document
add() {
    [ "$1" = c ] || printf 'static void body_%s(void)\n{\n' "$n" >>"$together"
    { echo "#line $line \"$document\"" && cat "$work/$n"; } >>"$together"
    [ "$1" = c ] || echo "}" >>"$together"
}
# with_main BLOCK...: makes the joined file a program; its argument chooses the body to run
with_main() {
    local n
    {
        cat "$together"
        printf '#include <stdlib.h>\nint main(int count, char **argument)\n{\n    int body = count > 1 ? atoi(argument[1]) : 0;\n'
        for n; do [ "${info[n]}" = c ] || echo "    if (body == $n) body_$n();"; done
        printf '    return body < 0;\n}\n'
    } >"$work/program.c"
    compile -Wno-unused-function "$work/program.c" -o "$work/program" -lm
}
# parts_hold: compiles the joined parts and runs the bodies. If they do not compile, reports the first part that fails.
parts_hold() {
    local all=("${parts[@]}")
    if ! with_main "${all[@]}"; then
        parts=()
        : >"$together"
        for n in "${all[@]}"; do
            line=${first[n]} parts+=("$n")
            add "${info[n]}"
            with_main "${parts[@]}" || { verdict 1 "this part of a file" && return; }
        done
    fi
    for n in "${all[@]}"; do
        line=${first[n]}
        [ "${info[n]}" = c ] || runs "$work/program" "$n"
        verdict $? "these statements"
    done
}

echo '#include <span>' >"$work/probe.cc"
compile_cxx -c "$work/probe.cc" -o "$work/probe.o" && cxx20=1 || cxx20=

storage= zlib=
# links PROGRAM.c: builds $work/program, linked to the storage and file functions
links() {
    if [ ! "$storage" ]; then
        storage=$work/storage.o
        printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n#include "sparse_io.h"\n' >"$work/storage.c"
        echo 'int main(void) { return 0; }' >"$work/probe.c"
        compile -include zlib.h "$work/probe.c" -o "$work/probe" -lz && zlib=-lz
        compile ${zlib:+-DSPARSE_ZLIB=1} -c "$work/storage.c" -o "$storage" || return
    fi
    compile -DSPARSE_DECLARE "$1" "$storage" -o "$work/program" $zlib -lm
}
# builds PROGRAM.c: builds $work/program, linked if its document is compiled with SPARSE_DECLARE
builds() {
    case $document in
    docs/tutorial.md | docs/howto/*) links "$1" ;;
    *) compile "$1" -o "$work/program" -lm ;;
    esac
}
# loops KERNEL: the lines of block $n occur in the expansion of the kernel, in their order
loops() {
    local m=$n
    if grep -q "SPARSE_KERNEL($1," "$together"; then grep -v '^#line' "$together" >"$work/loops.c"
    else # a kernel of an earlier program
        while [ $((m -= 1)) -gt 0 ] && ! grep -q "SPARSE_KERNEL($1," "$work/$m"; do continue; done
        cp "$work/$m" "$work/loops.c" || return
    fi
    FORMAT=none CPPFLAGS=-D_OPENMP=201511 tests/expand.sh "$work/loops.c" "$1" >"$work/loops.txt" 2>&1
    tr -d ' {}' <"$work/loops.txt" | awk -v block="$work/$n" '
        { text = text $0 "\n" }
        END {
            gsub(/\n/, "", text)
            while ((getline line <block) > 0) {
                whole = line
                gsub(/[ {}]/, "", line)
                if (!(at = index(text, line))) { print "not there, or in another order: " whole; exit 1 }
                text = substr(text, at + length(line))
            }
        }' >"$work/out"
}

python=
for p in python3 /usr/bin/python3; do
    "$p" -c 'import numpy' 2>/dev/null && python=$p && break
done
case $CC in *clang*) turn=1 ;; *) turn=0 ;; esac
for document in README.md docs/*.md docs/howto/*.md; do
    case $document in
    docs/howto/*)
        turn=$((turn + 1))
        [ ! "$DAY" ] || [ $((turn % 2)) = 0 ] || continue
        ;;
    esac
    # writes each block to a file; info has its kind, first the number of its first line
    info=() first=()
    : >"$work/list"
    awk -v work="$work" '
        /^```/ && !open { open = 1; kind = substr($0, 4); n++; print NR + 1, kind >(work "/list"); printf "" >(work "/" n); next }
        /^```/ { open = 0; close(work "/" n); next }
        open { print >(work "/" n) }' "$document"
    n=0
    while read -r start kind; do
        n=$((n + 1))
        info[n]=$kind
        first[n]=$start
    done <"$work/list"
    blocks=$n

    together=$work/together.c parts=()
    : >"$together"
    for ((n = 1; n <= blocks; n++)); do
        line=${first[n]}
        set -- ${info[n]}
        case ${info[n]} in
        c | 'c body')
            if grep -q 'int main' "$work/$n"; then
                cp "$work/$n" "$work/program.c"
                builds "$work/program.c" && runs "$work/program"
                verdict $? "the program"
            else
                add "${info[n]}"
                parts+=("$n")
            fi
            ;;
        'c examples/'*)
            as_in "$2"
            compile "$2" -o "$work/program" -lm && runs "$work/program"
            verdict $? "$2"
            ;;
        'c++' | 'c++ examples/'*)
            [ -z "${2:-}" ] || as_in "$2"
            if [ $cxx20 ]; then
                cp "$work/$n" "$work/program.cc"
                compile_cxx "$work/program.cc" -o "$work/program" -lm && runs "$work/program"
                verdict $? "the program"
            else
                skipped=$((skipped + 1))
                echo "skipped: C++20 in $document, which $CXX does not have"
            fi
            ;;
        'c wrong')
            { cat "$together" && echo "#line $line \"$document\"" && cat "$work/$n"; } >"$work/wrong.c"
            ! compile -Wno-unused-function -c "$work/wrong.c" -o "$work/wrong.o" &&
                tr -d ' ' <"$work/out" | grep -qF -- "$(tr -d ' ' <"$work/$((n + 1))")"
            verdict $? "the compiler says something else"
            ;;
        'c printed')
            CC=$CC sh "$work/$((n - 1))" 2>"$work/errors" | diff - "$work/$n" >"$work/out"
            verdict $? "another text than that of the command"
            cp "$work/$n" "$work/printed.c"
            compile -Wno-unused-function -c "$work/printed.c" -o "$work/printed.o"
            verdict $? "what is printed"
            ;;
        'c linked')
            cp "$work/$n" "$work/linked.c"
            compile -c "$work/linked.c" -o "$work/linked.o" &&
                compile -DSPARSE_DECLARE examples/spmv.c "$work/linked.o" -o "$work/program" -lm && "$work/program" >"$work/out" 2>&1
            verdict $? "the program that is linked"
            ;;
        'c expansion'*)
            if command -v clang-format >/dev/null; then
                tests/expand.sh "$3" "$4" 2>&1 | diff - "$work/$n" >"$work/out"
                verdict $? "another expansion than that of $4 in $3"
            else
                skipped=$((skipped + 1))
                echo "skipped: the expansion in $document, as there is no clang-format"
            fi
            ;;
        'c loops '*)
            loops "$3"
            verdict $? "the loops of $3 are others"
            ;;
        'sh run')
            CC=$CC runs bash "$work/$n"
            verdict $? "the commands"
            ;;
        python)
            if [ "$python" ]; then
                runs "$python" "$work/$n"
                verdict $? "the Python program"
            else
                skipped=$((skipped + 1))
                echo "skipped: the Python of $document, as there is no NumPy"
            fi
            ;;
        text | sh) ;;
        *)
            : >"$work/out"
            verdict 1 "a block of an unknown kind: ${info[n]}"
            ;;
        esac
    done
    parts_hold
done

document=docs/encodings.md line=$(grep -n '^## Named encodings' docs/encodings.md | cut -d: -f1)
listed=$(sed -n '/^## Named encodings/,/^$/!{/^| `SPARSE_/p;}' $document | cut -d'|' -f2 | grep -oE '[A-Z_0-9]+')
for name in $(sed -n '/^#define SPARSE_ENCODINGS(X)/,/^$/p' sparse_formats.h | grep -oE 'SPARSE_[A-Z0-9_]{3,}' | sort -u); do
    [ $name != SPARSE_ENCODINGS ] || continue
    for word in $listed; do
        case $name in *"$word") continue 2 ;; esac
    done
    : >"$work/out"
    verdict 1 "$name is not listed"
done
verdict 0 "the named encodings"

# links: the file exists and has the heading
slugs() { # the anchors of the headings of a file
    sed -n '/^```/,/^```/d; s/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}
for document in README.md CHANGELOG.md bench/README.md examples/README.md docs/*.md docs/howto/*.md; do
    line=1
    sed '/^```/,/^```/d; s/`[^`]*`//g' "$document" | tr '\n' ' ' | grep -oE '\]\([^ )]*\)' | sed 's/^](//; s/)$//' | grep -v '^http' >"$work/links"
    while read -r link; do
        file=${link%%#*}
        [ "$file" ] && file=$(dirname "$document")/$file || file=$document
        : >"$work/out"
        [ -e "$file" ] || verdict 1 "the link $link leads nowhere"
        case $link in
        *'#'*) slugs "$file" | grep -qxF -- "${link#*#}" || verdict 1 "no heading is ${link#*#} in $file" ;;
        esac
    done <"$work/links"
done
document=docs line=1
verdict 0 "the links"

# docs/errors.md has every result with its sentence, and the sentence of every file in compile_fail
document=docs/errors.md line=1
sed -n '/^#define SPARSE_RESULTS/,/^$/s/^ *X(\([A-Z_]*\), "\(.*\)").*/| `\1` | \2 |/p' sparse_formats.h >"$work/results"
while read -r row; do
    : >"$work/out"
    grep -qF -- "$row" $document || verdict 1 "no row of the table begins with $row"
done <"$work/results"
head -qn1 tests/compile_fail/*.c | sed -n 's|^/\* expect: \(.*\) \*/$|\1|p' | sort -u |
    awk 'NR == FNR { # the sentences of the document; ... in one stands for any text
        if (match($0, /^\| `[^`]*`/)) sentence[++n] = substr($0, 4, RLENGTH - 4)
        next
    }
    function begins(rest, part, k) { # does rest end with the beginning of part?
        for (k = length(rest); k >= 8; k--) if (substr(part, 1, k) == substr(rest, length(rest) - k + 1)) return 1
        return 0
    }
    { # a sentence of the kit, or a part of one
        sub(/^(pasted|computed) /, "")
        whole = sub(/^[a-z]*: /, "")
        if (!whole && !/^(is|in|the) /) next # a sentence of the compiler
        for (i = 1; i <= n; i++) {
            if (index(sentence[i], $0)) next
            parts = split(sentence[i], part, "[.][.][.]")
            rest = (whole ? "" : "x, ") $0
            for (p = 1; p <= parts; p++) {
                if (p > 1 && begins(rest, part[p])) next
                if (!(at = index(rest, part[p])) || p == 1 && part[p] != "" && at > 1) break
                rest = substr(rest, at + length(part[p]))
            }
            if (p > parts) next
        }
        print
    }' $document - >"$work/missing"
while read -r row; do
    : >"$work/out"
    verdict 1 "not explained: $row"
done <"$work/missing"
verdict 0 "the sentences"

# every sentence with which the headers refuse a line: string literals after the name of the kernel or type, in pieces
awk 'FNR == NR { text = text $0 "\n"; next }
    {
        line = line $0
        if (sub(/[ \t]*\\$/, "", line)) next
        whole = line
        line = ""
        if (!match(whole, /#(kernel|name) ":|"the name of a kernel|SPARSE_P_NOT?_[A-Z]+_[01]\([a-z, ]*\) /)) next
        rest = substr(whole, RSTART)
        gsub(/" *"/, "", rest)
        while (match(rest, /"[^"]*"/)) {
            piece = substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            gsub(/^[):]*:? *| *$/, "", piece)
            if (length(piece) < 14) continue
            pieces++
            if (!index(text, piece)) print "not explained: " piece
        }
    }
    END { if (pieces < 150) print "only " pieces " pieces of sentences were found" }' $document sparse_lattice.h sparse_formats.h >"$work/out"
[ ! -s "$work/out" ]
verdict $? "sentences of the headers"
# every row has a cause and a remedy
grep -nE '^\| .*\|' $document | grep -vE '^[0-9]+:\| (---|`SPARSE_OK`)' | grep -E '\| *\|' >"$work/out"
[ ! -s "$work/out" ]
verdict $? "rows without a cause or a remedy"

# docs/kernels.md has an entry for every word of the kernel line, with an example, its loops, its use and what is refused
document=docs/kernels.md line=1
: >"$work/out"
for word in $(sed -n '/^## Reserved words/,$p' docs/limits.md | sed -n '/^```text$/,/^```$/p' | sed '/^```/d; /^dense/,$d') has_A; do
    sed -n '/^| part/,/^$/p' $document | grep -qE "[[ ]$word[],]" || echo "the table of words lacks $word" >>"$work/out"
done
awk 'function report() {
        if (name == "" || part !~ /^## (Operands|Outputs|Loops|The statement)$/) return
        entries++
        if (text !~ /^ *[^ ].*[.]/ || !lines) print name ": no meaning, or no example"
        if (!loops && text !~ /The loops are/) print name ": no loops"
        if (text !~ /Use (it|them|`)|To pass/) print name ": does not say when to use it"
        if (text !~ /Refused/) print name ": does not say what is refused"
    }
    /^```/ { open = !open; if (open && $0 == "```c") lines++; if (open && /loops/) loops++; next }
    open { next }
    /^##/ { report(); name = "" }
    /^## / { part = $0 }
    /^### / { name = substr($0, 5); text = ""; lines = loops = 0; next }
    { text = text " " $0 }
    END { report(); if (entries < 30) print "only " entries " entries" }' $document >>"$work/out"
[ ! -s "$work/out" ]
verdict $? "entries of words"

# every how-to page has a program with its output, or refused lines with their errors
document=docs/howto line=1
: >"$work/out"
for page in docs/howto/[!R]*.md; do
    awk '/^```/ { open = !open; if (open) kind = substr($0, 4); if (open && kind == "text") printed = 1; next }
        open && (/int main/ || kind ~ /^(sh run|c [ew]|c\+\+)/) { program = 1 }
        END { exit !program || !printed }' "$page" || echo "$page has no program with its output" >>"$work/out"
done
[ ! -s "$work/out" ]
verdict $? "programs of the tasks"

# docs/api.md is up to date
awk -f docs/api.awk sparse_formats.h sparse_io.h | cmp - docs/api.md >"$work/out" 2>&1
verdict $? "docs/api.md is not what \`make api\` makes of the headers"
grep -n '^    typedef.*SPARSE_P_' docs/api.md >"$work/out"
[ ! -s "$work/out" ]
verdict $? "docs/api.md declares types with macros that are not public"

# make help has a line for each target that users start: those of the first .PHONY. The second lists parts of make test.
document=Makefile line=1
make -s help >"$work/help" 2>"$work/out"
verdict $? "make help"
sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' Makefile bench/peers/peers.mk | sed -n '/^.PHONY: logs/!s/^.PHONY: //p' |
    tr ' ' '\n' >"$work/targets"
{ cat "$work/targets" && echo sparse_gen; } | sort | diff - <(awk '$1 == "make" { print $2 }' "$work/help" | sort) >"$work/out"
verdict $? "the targets that make help prints are not those of .PHONY"

echo "documents: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
