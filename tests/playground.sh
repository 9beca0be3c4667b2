#!/bin/bash
# playground.sh [PICTURES]: tests the page of docs/playground. First its own C preprocessor: the loops of kernel lines must
# equal, token by token, those of $CC -E. Then the page itself, built by `make playground`, in headless Chromium: see
# playground.js; this part needs emcc, chromium and node. Screenshots go to the directory PICTURES, if it is given.
# Environment: CC, DAY (set: every other kernel family and slow test of the page, the others with clang).
cd "$(dirname "$0")/.." || exit
build=build/playground_test
mkdir -p $build
compiler=${CC:-cc}
passed=0 failed=0

# a program that runs the page's preprocessor on a file
cat >$build/main.c <<'C'
#include <stdio.h>
#include "preprocess.h"
int main(int count, char **argument)
{
    const char *reason;
    char *text = count == 3 ? preprocess(argument[1], argument[2],
                                         "#define __STDC__ 1\n#define __STDC_VERSION__ 201112L\n#define __GNUC__ 12\n#define __x86_64__ 1\n"
                                         "#define __BYTE_ORDER__ 1234\n#define __ORDER_LITTLE_ENDIAN__ 1234\n"
                                         "#define SIZE_MAX 18446744073709551615UL\n", &reason) : NULL;
    if (text) return fputs(text, stdout) < 0;
    fprintf(stderr, "%s\n", count == 3 ? reason : "main HOME FILE");
    return 1;
}
C
$compiler -std=c11 -O1 -g $WARNINGS -fsanitize=address,undefined -fno-sanitize-recover=all -Idocs/playground $build/main.c \
    docs/playground/preprocess.c -o $build/sanitized || exit
$compiler -std=c11 -O2 -Idocs/playground $build/main.c docs/playground/preprocess.c -o $build/preprocess || exit

# Prints the functions NAME_loops, one a line, without white space and without macros of the system's headers.
loops() {
    tr '\n' ' ' | sed 's/\(static inline sparse_result [a-z_A-Z0-9]*_loops *(\)/\n\1/g' | grep '^static inline sparse_result' |
        awk '{ depth = 0; n = length($0); for (c = 1; c <= n; c++) { t = substr($0, c, 1)
               if (t == "{") depth++
               if (t == "}" && --depth == 0) break }
               print substr($0, 1, c) }' | tr -d ' \t'
}
compare() { # NAME FILE PREPROCESSOR
    ASAN_OPTIONS=detect_leaks=0 $build/${3:-preprocess} $build/headers "$2" 2>$build/reason | loops >$build/own
    $compiler -std=c11 -U__clang__ -E -P -I$build/headers "$2" 2>/dev/null | loops >$build/other
    if [ -s $build/other ] && cmp -s $build/own $build/other; then
        passed=$((passed + $(wc -l <$build/other)))
    else
        failed=$((failed + 1))
        echo "playground: $1: the preprocessor of the page makes other loops than $compiler; $(cat $build/reason)"
        diff $build/other $build/own | head -n 4 | cut -c 1-400
    fi
}
# Removes words that are macros in the system's headers, as the page does not have these headers.
words='#undef bool\n#undef true\n#undef false\n#undef SIZE_MAX\n#undef NULL\n#undef assert'
prepare() { # FILE TO
    awk -v words="$words" '{ line[NR] = $0 } /^#include/ { last = NR } END { for (n = 1; n <= NR; n++) { print line[n]; if (n == last) print words } }' "$1" >"$2"
}
mkdir -p $build/headers
for header in sparse*.h tests/*.h; do ln -sf "$PWD/$header" $build/headers; done
prepare tests/golden/kernels.c $build/golden.c
compare golden $build/golden.c sanitized

# One part of each family of tests/generate_kernels.c; if DAY is set, only every other family, and with clang the others.
$compiler -std=c11 -O1 tests/generate_kernels.c -o $build/generate_kernels || exit
number=0
case $CC in *clang*) turn=1 ;; *) turn=0 ;; esac
export TURN=$turn
for family in $($build/generate_kernels --list all | tr ' ' '\n' | sed 's/.*kernels_//;s/-.*//' | sort -u); do
    number=$((number + 1))
    [ "${DAY:-}" ] && [ $(((number + turn) % 2)) != 0 ] && continue
    part=$($build/generate_kernels --list all | tr ' ' '\n' | sed -n "s/.*kernels_\($family-\)/\1/p" | sort -u | awk -v turn=$turn '{ part[NR - 1] = $0 } END { print part[turn % NR] }')
    $build/generate_kernels "$part" >$build/family.c || exit
    prepare $build/family.c $build/kernels.c
    compare "$part" $build/kernels.c
done

missing=
for tool in emcc "${CHROMIUM:-chromium}" node; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
if [ "$missing" ]; then
    echo "playground: the page is skipped,$missing not found"
    echo "playground: $passed passed, $failed failed, 1 skipped"
    [ $failed = 0 ]
    exit
fi
make -s playground >$build/make.log 2>&1 || { cat $build/make.log; echo "playground: $passed passed, $((failed + 1)) failed"; exit 1; }
$compiler -std=c11 -O0 sparse_gen.c -o $build/sparse_gen -lm || exit
export SPARSE_GEN_HOME=$PWD
node tests/playground.js build/playground/index.html $build/sparse_gen $1 >$build/page.log
cat $build/page.log | sed '$d'
last=$(tail -n 1 $build/page.log)
set -- $(echo "$last" | tr -d ',')
case $last in
"playground: "*) passed=$((passed + $2)) failed=$((failed + $4)) ;;
*) failed=$((failed + 1)) ;;
esac
echo "playground: $passed passed, $failed failed"
[ $failed = 0 ]
