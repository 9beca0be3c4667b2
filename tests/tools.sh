#!/bin/sh
# tools.sh: clang-tidy, clang --analyze, clangd and cppcheck report nothing about the kit in files with kernel lines, but
# still report the mistakes in a file of its own. A tool that is not installed is skipped. Environment: DAY (set: the
# analyzer does not read the functions of the headers, which takes a minute).
cd "$(dirname "$0")/.." || exit 1
. tests/quiet.sh
root=$PWD
# has TOOL: is it installed? Counts as skipped if not.
has() { command -v "$1" >/dev/null 2>&1 || { skip "$1, which is not installed" && return 1; }; }
# finds NAME TEXT: the output of the last tool contains the text
finds() { succeeds "$1" grep -q -e "$2" "$work/report"; }

# The programs: the first one of README, examples, and how-to pages with a workspace, sums of indices and a union. own.c has
# mistakes: narrowing conversions, one of them in a statement; a null pointer that is dereferenced; a shadowed variable.
awk '/^```c/ { on = 1; next } /^```/ && on { exit } on' README.md >"$work/readme.c"
for page in masked-product convolution relu; do
    awk '/^```c$/ { on = 1; next } /^```/ && on { exit } on' docs/howto/$page.md >"$work/$page.c"
done
cp examples/arrays.c examples/cg.c examples/graph.c "$work"
programs="readme masked-product convolution relu arrays cg graph"
cat >"$work/own.c" <<'END_C'
#include "sparse.h"
#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), int whole = A; y += whole * x)
double read_from(const double *number);
double read_from(const double *number) { return number ? 1 : *number; }
int main(void)
{
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    const int number = 1;
    if (spmv(&y, &A, &x)) {
        const int number = *(const double *)y.t.val.at;
        return number;
    }
    return number;
}
END_C
# Turned off: checks that the programs themselves violate (names of one letter, statements without braces, plain numbers).
# The two checks about functions that the kit generates are set as docs/running.md advises.
cat >"$work/.clang-tidy" <<'END'
Checks: '-*,bugprone-*,cert-*,clang-diagnostic-*,concurrency-*,cppcoreguidelines-*,hicpp-*,misc-*,performance-*,portability-*,
  readability-*,-bugprone-easily-swappable-parameters,-bugprone-implicit-widening-of-multiplication-result,-cert-err33-c,
  -cert-flp30-c,-cppcoreguidelines-init-variables,-cppcoreguidelines-avoid-non-const-global-variables,-hicpp-signed-bitwise,
  -*-braces-around-statements,-*-identifier-length,-*-isolate-declaration,-*-magic-numbers,-*-uppercase-literal-suffix'
CheckOptions:
  - { key: readability-function-cognitive-complexity.IgnoreMacros, value: true }
  - { key: readability-function-cognitive-complexity.Threshold, value: 99 }
END
printf '%s\n' -std=c11 -Wconversion "-I$root" >"$work/compile_flags.txt"

if has clang-tidy; then
    for p in $programs; do
        succeeds "clang-tidy, $p" sh -c "clang-tidy --quiet '$work/$p.c' 2>/dev/null"
        succeeds "clang-tidy, $p, -isystem" sh -c "clang-tidy --quiet '$work/$p.c' -- -std=c11 -isystem . 2>/dev/null"
    done
    # without SPARSE_TERSE, which hides warnings about the headers
    succeeds "clang-tidy, SPARSE_TERSE 0" sh -c "clang-tidy --quiet '$work/readme.c' -- -std=c11 -DSPARSE_TERSE=0 -I. 2>/dev/null"
    clang-tidy --quiet "$work/own.c" >"$work/report" 2>/dev/null
    finds "clang-tidy finds a mistake of the file" 'own.c:15:.*narrowing conversion'
fi

if has clang; then
    analyze="clang --analyze -Xanalyzer -analyzer-output=text -std=c11 -I. -o $work/report"
    succeeds "clang --analyze, readme" $analyze "$work/readme.c"
    [ "$DAY" ] || succeeds "clang --analyze, readme and the headers" $analyze -DSPARSE_TERSE=0 "$work/readme.c"
    $analyze "$work/own.c" >"$work/found" 2>&1
    cp "$work/found" "$work/report"
    finds "clang --analyze finds a null pointer of the file" 'own.c:8:.*ereference of null pointer'
    clang -std=c11 -Wconversion -I. -fsyntax-only "$work/own.c" >"$work/report" 2>&1
    finds "clang finds a conversion in a statement" 'own.c:6:.*-Wfloat-conversion'
fi

# shown FILE: prints the messages that an editor would show, one a line; with the checks of .clang-tidy, if it exists
message() { printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$1" | wc -c)" "$1"; }
shown() {
    text=$(sed 's/\\/\\\\/g; s/"/\\"/g; s/	/\\t/g' "$1" | awk '{ printf "%s\\n", $0 }')
    {
        message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        message '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":
            {"uri":"file://'"$1"'","languageId":"c","version":1,"text":"'"$text"'"}}}'
        message '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'
        message '{"jsonrpc":"2.0","method":"exit"}'
    } | clangd --sync --clang-tidy --log=error 2>/dev/null | grep -a -o '"message":"[^"]*"'
}
if has clangd; then
    for p in $programs; do
        shown "$work/$p.c" >"$work/report"
        succeeds "clangd, $p" sh -c "head -n 3 '$work/report'"
    done
    shown "$work/own.c" >"$work/report"
    finds "clangd finds a conversion in a statement" "Implicit conversion turns"
fi

if has cppcheck; then
    cppcheck="cppcheck --quiet --enable=warning,style,performance,portability --inconclusive --std=c11"
    for p in $programs; do
        succeeds "cppcheck, $p" $cppcheck --library=docs/install/sparse.cfg "$work/$p.c"
        succeeds "cppcheck, $p, with the headers" $cppcheck -DNDEBUG --library=docs/install/sparse.cfg -I. "$work/$p.c"
    done
    succeeds "cppcheck, C++" $cppcheck --std=c++20 --library=docs/install/sparse.cfg -DNDEBUG -I. examples/arrays.cc
    $cppcheck --library=docs/install/sparse.cfg "$work/own.c" >"$work/report" 2>&1
    finds "cppcheck finds a shadowed variable" 'own.c:15:.*shadow'
fi
echo "tools: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
