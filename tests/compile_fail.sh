#!/bin/sh
# compile_fail.sh [FILE.c ...]: refused kernel lines, as C and as C++. Each file in compile_fail/ says in its
# first line what is expected; the compiler must report exactly that one error, in at most ten lines if the sentence is
# the kit's, and fifteen if it is its own, lead to the kernel line, or to the one that says "here", and find nothing else,
# although the file goes on to call the kernel. Of what cannot be pasted to a name ("pasted") the compiler itself tells
# first, once, which is 30 lines with clang. So does what the compiler has to compute ("computed") with clang 19,
# which also quotes all lines of the kernel: of what it quotes at one place, two lines count. A type that is not known
# ("unknown") is told of in C++ wherever it is used, which is not looked at.
# Environment: CC, CXX, WARNINGS, FIRST (ends at the first failure), DAY (each file in one of the languages, with clang in
# the other).
cd "$(dirname "$0")" || exit
[ $# -gt 0 ] || set -- compile_fail/*.c
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags="${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow} -USPARSE_TERSE -I.. -Icompile_fail"

# precompile NAME COMPILER...: types.h, with which most of the files begin, as $work/NAME/types.h, where the compiler can
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

# refuses FILE COMPILER...: it finds one error in the file, with the sentence $expected
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
