#!/bin/sh
# compile_fail.sh [FILE.c ...]: the compiler refuses each file of compile_fail/, as C and as C++, with the expected error.
#
# A file begins with the line `/* expect: SENTENCE */`. The compiler must report one error with this sentence and nothing
# else, although the file goes on to call the kernel. The error must point to the first kernel line, or to the line with
# the comment "here". The report has at most 10 lines if the sentence is the kit's (it begins with the kernel's name, k),
# and at most 15 if it is the compiler's. A word before the sentence changes these rules:
#   pasted     the kit cannot paste an argument to a name: the compiler first adds an error of its own; at most 30 lines
#   computed   the compiler computes a value before it can refuse it: at most 30 lines, as clang 19 quotes the whole kernel;
#              of the source lines that it quotes at one position, only two count
#   unknown    the name of a type is unknown: C++ compilers report it at each use, so the file is compiled as C only
# To add a case, write such a file. Its second line, #include "types.h", brings common tensor types.
# Environment: CC, CXX, WARNINGS, FIRST (set: stop at the first failure), DAY (set: each file in one language only, which
# alternates; clang gets the other one).
cd "$(dirname "$0")" || exit
[ $# -gt 0 ] || set -- compile_fail/*.c
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags="${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow} -USPARSE_TERSE -I.. -Icompile_fail"

# precompile NAME COMPILER...: precompiles types.h, which most of the files include, to $work/NAME/types.h.gch
precompile() {
    name=$1
    shift
    mkdir "$work/$name" && cp compile_fail/types.h "$work/$name" || return
    "$@" $flags -x "${language:-c}-header" "$work/$name/types.h" -o "$work/$name/types.h.gch" 2>/dev/null
}
precompile c ${CC:-cc} -std=c11
language=c++ precompile cxx ${CXX:-c++} -std=c++17
# is there a C++ compiler?
echo 'int main() { return 0; }' >"$work/probe.cc"
${CXX:-c++} -std=c++17 "$work/probe.cc" -o "$work/probe" 2>/dev/null && has_cxx=yes || has_cxx=

# refuses FILE COMPILER...: succeeds if the compiler reports one error, with the sentence $expected
refuses() {
    file=$1
    shift
    report=$("$@" $flags -fsyntax-only "$file" 2>&1)
    found=$(printf '%s\n' "$report" | grep -E '(error|warning): ' | sed 's/ ,/,/g')
    length=$(printf '%s\n' "$report" | awk '!/^ *[0-9]* \| / { quoted = 0; n++ } /^ *[0-9]* \| / { n += ++quoted <= 2 } END { print n }')
    sentence=${expected#pasted }
    sentence=${sentence#computed }
    case $expected in k:* | declared | unknown*) most=10 ;; pasted* | computed*) most=30 ;; *) most=15 ;; esac
    case $expected in pasted*) found=$(printf '%s\n' "$found" | sed '1{/error: pasting/d;}') ;; esac
    if [ "$(printf '%s\n' "$found" | wc -l)" = 1 ] && [ "$length" -le $most ]; then
        case $found,$report in *:*"$sentence"*,*"$file:$line:"*) return 0 ;; esac
    fi
    printf '%s: expected in line %s "%s"; in %s lines %s found\n' "$file" "$line" "$expected" \
        "$length" "$1"
    printf '%s\n' "${found:-nothing}" | head -n 5 | sed 's/^/    /'
    return 1
}

case $CC in *clang*) turn=1 ;; *) turn=0 ;; esac
for file; do
    turn=$((1 - turn))
    expected=$(sed -n '1s|^/\* expect: \(.*\) \*/$|\1|p' "$file")
    line=$(grep -n -m 1 '/\* here \*/' "$file" || grep -n -m 1 '^SPARSE_KERNEL' "$file")
    line=${line%%:*}
    sed -n 2p "$file" | grep -q '^#include "types.h"' && types=-include || types=
    languages='c cxx'
    case $DAY$turn in 10) languages=c ;; 11) languages=cxx ;; esac
    case $expected in unknown*) languages=c ;; esac
    for language in $languages; do
        compiler="${CC:-cc} -std=c11 ${types:+-include $work/c/types.h}"
        if [ $language = cxx ]; then
            [ $has_cxx ] || { skipped=$((skipped + 1)) && continue; }
            compiler="${CXX:-c++} -std=c++17 ${types:+-include $work/cxx/types.h} -x c++"
        fi
        if [ "$expected" ] && refuses "$file" $compiler; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
        [ ! "$FIRST" ] || [ $failed = 0 ] || exit 1
    done
done
[ $skipped = 0 ] || echo "skipped: $skipped refused lines in C++, as ${CXX:-c++} does not work here"
echo "compile_fail: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
