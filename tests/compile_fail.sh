#!/bin/sh
# compile_fail.sh [FILE.c ...]: refused kernel lines, as C and as C++. Each file in compile_fail/ says in its
# first line what is expected; the compiler must report exactly that one error, lead to the kernel line, and
# find nothing else, although the file goes on to call the kernel. Environment: CC, CXX, WARNINGS.
cd "$(dirname "$0")" || exit
[ $# -gt 0 ] || set -- compile_fail/*.c
passed=0 failed=0

# The compiler named by the other arguments finds one error in $1, with the sentence $expected.
refuses() {
    file=$1
    shift
    report=$("$@" ${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow} -fsyntax-only -I.. "$file" 2>&1)
    found=$(printf '%s\n' "$report" | grep -E '(error|warning): ' | sed 's/ ,/,/g')
    if [ "$(printf '%s\n' "$found" | wc -l)" = 1 ]; then
        case $found,$report in *error:*"$expected"*,*"$file:$line:"*) return 0 ;; esac
    fi
    printf '%s: expected in line %s "%s"; %s found\n' "$file" "$line" "$expected" "$1"
    printf '%s\n' "${found:-nothing}" | head -n 5 | sed 's/^/    /'
    return 1
}

for file; do
    expected=$(sed -n '1s|^/\* expect: \(.*\) \*/$|\1|p' "$file")
    line=$(grep -n -m 1 '^SPARSE_KERNEL' "$file" | cut -d: -f1)
    for compiler in "${CC:-cc} -std=c11" "${CXX:-c++} -std=c++17 -x c++"; do
        if [ "$expected" ] && refuses "$file" $compiler; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
done
echo "compile_fail: $passed passed, $failed failed"
[ $failed = 0 ]
