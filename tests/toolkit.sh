#!/bin/bash
# toolkit.sh: the macro toolkit of the line compiler works for all its inputs: lists of up to 16 items, numbers up to 12,
# names of indices. Also: words of C cannot name an operand. cells.sh tests its tables. Environment: CC.
cd "$(dirname "$0")/.." || exit
passed=0 failed=0
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

# every EACHx applies a macro to each item of a list; every FOLDx combines the items from the first to the last
items= each= fold= n=0
{
    echo '#include "sparse.h"'
    echo '#define T_EACH(c, x) {c x}'
    echo '#define T_FOLD(x, y) {x y}'
} >"$work/lists.c"
: >"$work/lists"
while [ $n -le 16 ]; do
    [ $n = 0 ] || items="$items, x$n" each="$each{7 x$n}"
    [ $n -lt 2 ] && fold=$(echo "$items" | tr -d ', ') || fold="{$fold x$n}"
    for name in $(grep -oE '^#define SPARSE_P_(EACH|FOLD)[A-Z]\(' sparse_formats.h | sed 's/.* SPARSE_P_//; s/(//'); do
        case $name,$n in
        EACH*) echo "$name $n = SPARSE_P_$name(T_EACH, 7, ($items))" >>"$work/lists.c" && echo "$name $n = $each" >>"$work/lists" ;;
        *,0) ;;
        *) echo "$name $n = SPARSE_P_$name(T_FOLD, ($items))" >>"$work/lists.c" && echo "$name $n = $fold" >>"$work/lists" ;;
        esac
    done
    n=$((n + 1))
done
# CMP and MINUS are right for all pairs of numbers up to 12
for ((a = 0; a <= 12; a++)); do
    for ((b = 0; b <= 12; b++)); do
        [ $a -lt $b ] && order=0before || order=0here
        [ $a -le $b ] || order=0after
        echo "CMP $a.$b = SPARSE_P_CMP($a, $b)" >>"$work/lists.c" && echo "CMP $a.$b = $order" >>"$work/lists"
        [ $b = 0 ] || [ $a -lt $b ] && continue
        echo "MINUS $a.$b = SPARSE_P_MINUS($a, $b)" >>"$work/lists.c" && echo "MINUS $a.$b = $((a - b))" >>"$work/lists"
    done
done
# IFEQ: the name of an index, or of a dimension made from one (i_block), equals itself and no other name
names=$(for of in '' _block _count _diagonal; do printf "%s$of " {a..z}; done)
for name in $names; do
    { printf 'NAME %s = ' "$name" && printf "SPARSE_P_IFEQ($name, %s, %s) " $(for other in $names; do echo "$other" x"$other"; done) && echo; } >>"$work/lists.c"
    echo "NAME $name = x$name" >>"$work/lists"
done
${CC:-cc} -std=c11 -I. -E -P "$work/lists.c" | tr -d ' \n' | sed 's/\(EACH[A-Z]\|FOLD[A-Z]\|CMP\|MINUS\|NAME\)[a-z0-9._]*=/\n&/g' | grep '^[EFCMN].*=' >"$work/made"
tr -d ' ' <"$work/lists" | diff - "$work/made" && [ "$(grep -c "^EACH" "$work/lists")" -gt 100 ] && passed=$((passed + 1)) || failed=$((failed + 1))

# keywords and types of C cannot name an operand; bool may be a macro for _Bool
words='_Bool auto bool break case char const continue default do double else enum extern float for goto if inline int int16_t
    int32_t int64_t int8_t long ptrdiff_t register restrict return short signed size_t sizeof static struct switch typedef
    uint16_t uint32_t uint64_t uint8_t union unsigned void volatile while'
{
    printf '#include "sparse.h"\n#define VEC vec, SPARSE_DENSE_1D, double, 32, 32\nSPARSE_TENSOR(VEC)\n'
    for word in $words; do echo "SPARSE_KERNEL(as_$word, (i), (s, double), all(($word, VEC, i)), s += 1)"; done
} >"$work/words.c"
${CC:-cc} -Werror -fmax-errors=0 -E -x c /dev/null >/dev/null 2>&1 && endless=-fmax-errors=0 || endless=-ferror-limit=0
${CC:-cc} -std=c11 -I. -fsyntax-only $endless "$work/words.c" >"$work/said" 2>&1
for word in $words; do
    grep -qE "as_$word: ($word|_Bool) is a word or a type of C, and cannot name an operand" "$work/said" &&
        passed=$((passed + 1)) || { failed=$((failed + 1)) && echo "$word can name an operand"; }
done

echo "toolkit: $passed passed, $failed failed"
[ $failed = 0 ]
