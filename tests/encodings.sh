#!/bin/bash
# encodings.sh: the table in docs/encodings.md that says what kernels can do with each encoding is right. The script writes
# a kernel for every cell, with the loops that the section of the encoding names. A kernel for "yes" must compile; a kernel
# for "no" must be refused with a sentence. A program writes a tensor of each encoding to a file and reads it back. The
# bytes in the table must equal the bytes in the sections, and every section must have its picture. Environment: CC.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} document=docs/encodings.md
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

verdict() { # STATUS WHAT
    if [ "$1" = 0 ]; then passed=$((passed + 1))
    else failed=$((failed + 1)) && echo "failed: $2" && head -n 12 "$work/out"
    fi
}

# prints one line for each section: heading, name of the type, encoding, loops, bytes, picture
awk '
    /^#define [A-Z0-9]* [a-z0-9_]*, / && !/SPARSE_INIT/ {
        name = $3
        sub(/,$/, "", name)
        encoding = $0
        sub(/^#define [A-Z0-9]* [a-z0-9_]*, /, "", encoding)
        sub(/, [a-z0-9_]*, [0-9]*, [0-9]*$/, "", encoding)
        if (!(name in of)) of[name] = encoding
    }
    /^###/ { heading = $0; sub(/^#* /, "", heading); loops = "" }
    /^Loops: `/ { loops = $0; sub(/^Loops: `/, "", loops); sub(/`\.$/, "", loops) }
    /^SHOW\(/ { type = $0; sub(/^SHOW\(/, "", type); sub(/,.*/, "", type) }
    /^[0-9]+ bytes$/ { bytes[heading] = $1; row[heading] = type "|" of[type] "|" loops "|" $1 "|" }
    /^!\[.*\]\(pictures\// { picture = $0; sub(/.*\(/, "", picture); sub(/\).*/, "", picture); row[heading] = row[heading] picture }
    END { for (h in row) print h "|" row[h] }' $document >"$work/sections"
# slug HEADING: prints its anchor
slug() { echo "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'; }

for file in yes no; do
    printf '#include "sparse.h"\n#define VEC vec, SPARSE_DENSE_1D, double, 32, 32\nSPARSE_TENSOR(VEC)\n' >"$work/$file.c"
done
: >"$work/bytes" >"$work/refused" >"$work/types"
# file_of_NAME(path): writes a tensor with the first and the last element of each row, reads it back, and compares
cat >"$work/file.c" <<'C'
#include "sparse.h"
#include "sparse_io.h"
#define FILE_OF(type)                                                                            \
    static int file_of_##type(const char *path)                                                  \
    {                                                                                            \
        static const size_t sizes[4][3] = {{0}, {6}, {4, 6}, {2, 3, 4}};                         \
        static double values[24];                                                                \
        type A = SPARSE_INIT(type), B = SPARSE_INIT(type);                                       \
        const unsigned rank = A.t.encoding->rank;                                                \
        const size_t row = sizes[rank][rank - 1];                                                \
        for (size_t k = 0; k < 24; k++) values[k] = k % row == 0 || k % row == row - 1 ? (double)k + 1 : 0; \
        sparse_result r = type##_pack_dense(&A, sizes[rank], values);                            \
        if (!r) r = sparse_write(&A.t, path, NULL);                                              \
        if (!r) r = sparse_read(&B.t, path, NULL);                                               \
        bool equal = false;                                                                      \
        if (!r) r = sparse_equal(&A.t, &B.t, 0, &equal);                                         \
        if (r || !equal) printf(#type ": %s\n", r ? sparse_message(r) : "other values");         \
        sparse_free(&A.t), sparse_free(&B.t);                                                    \
        return 1;                                                                                \
    }
C
# kernel WORD NAME TYPE LOOPS INDICES: prints the kernel line for a cell
kernel() {
    local first=${5%%,*} outermost parallel
    outermost=$(echo "$4" | grep -oE '\b[bijk]\b' | head -n 1)
    parallel=$(echo "$4" | sed -E 's/^\((((floordiv|minus|count)\([^)]*\))|[bijk])/(parallel(\1)/')
    case $1 in
    operand) echo "SPARSE_KERNEL($2, $4, (s, double), all((A, $3, $5)), s += A)" ;;
    union) echo "SPARSE_KERNEL($2, $4, (s, double), any((A, $3, $5), (B, $3, $5)), s += A + B)" ;;
    result) echo "SPARSE_KERNEL($2, $4, (C, $3, $5), all((A, $3, $5)), C = 2 * A)" ;;
    update) echo "SPARSE_KERNEL($2, $4, update(A, $3, $5), all((c, double)), A *= c)" ;;
    like) echo "SPARSE_KERNEL($2, $4, like(A, C, $3, $5), all((c, double)), C = c * A)" ;;
    slice) echo "SPARSE_KERNEL($2, $4, (s, double), all(slice(A, $3, $5)), s += A)" ;;
    parallel) echo "SPARSE_KERNEL($2, $parallel, (y, VEC, $outermost), all((A, $3, $5)), y += A)" ;;
    esac
}
rows=0
while IFS='|' read -r heading type encoding loops bytes picture; do
    anchor=$(slug "$heading")
    cells=$(grep -F "](#$anchor) |" $document)
    rows=$((rows + 1))
    : >"$work/out"
    [ "$cells" ] && [ "$loops" ] && [ "$encoding" ] || [ "$type" = vec ]
    verdict $? "the section $heading has no row in the table, no loops or no type"
    [ "$type" = vec ] && continue
    [ -s "docs/$picture" ]
    verdict $? "the section $heading has no picture"
    # yes or no for each word, in the order of the columns
    set -- $(echo "$cells" | sed 's/^| \[[^]]*\]([^)]*) |//' | tr -d '|')
    [ "${9:-}" = "$bytes" ] && [ "$8" = yes ]
    verdict $? "the table has ${9:-no} bytes for $heading, the section $bytes; a file: ${8:-}"
    indices=$(echo "$loops" | grep -oE '\b[bijk]\b' | sort -u | paste -sd, | sed 's/,/, /g')
    for file in yes no; do
        printf '#define T_%s t_%s, %s, double, 32, 32\nSPARSE_TENSOR(T_%s)\n' "$type" "$type" "$encoding" "$type" >>"$work/$file.c"
    done
    printf '#define T_%s t_%s, %s, double, 32, 32\nSPARSE_TENSOR(T_%s)\nFILE_OF(t_%s)\n' "$type" "$type" "$encoding" "$type" "$type" >>"$work/file.c"
    echo "t_$type" >>"$work/types"
    for word in operand union result update like slice parallel; do
        kernel $word "${type}_$word" "T_$type" "$loops" "$indices" >>"$work/$1.c"
        [ "$1" = yes ] || echo "${type}_$word" >>"$work/refused"
        shift
    done
done <"$work/sections"
[ $rows -ge 30 ]
verdict $? "only $rows sections have been found"

$CC -std=c11 -fopenmp -fsyntax-only -Wno-unused-function -I. "$work/yes.c" >"$work/out" 2>&1
verdict $? "a kernel that the table promises"
{ echo 'int main(void) { int n = 0;' && sed "s|.*|n += file_of_&(\"$work/&.tns\");|" "$work/types" && echo 'return n < 29; }'; } >>"$work/file.c"
$CC -std=c11 -O0 -I. "$work/file.c" -o "$work/file" -lm >"$work/out" 2>&1 && "$work/file" >"$work/out" 2>&1 && [ ! -s "$work/out" ]
verdict $? "a file of an encoding"
echo 'int x;' >"$work/probe.c"
$CC -ferror-limit=0 -fsyntax-only "$work/probe.c" >/dev/null 2>&1 && all=-ferror-limit=0 || all=
$CC -std=c11 -fopenmp -fsyntax-only -Wno-unused-function $all -I. "$work/no.c" >"$work/messages" 2>&1
while read -r name; do
    grep -E "error: (static assertion failed|static_assert)[^\"]*\"?[^\"]*\"?$name: " "$work/messages" >"$work/out"
    verdict $? "no sentence refuses $name"
done <"$work/refused"

echo "encodings: $passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
