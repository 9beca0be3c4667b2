#!/bin/bash
# generator.sh: programs that sparse_gen.c generates compute what a dense evaluation computes, and bad input is refused with
# the expected error.
#
#   generator/table.txt          statements, formats and options. The generator writes a program for every combination. It
#                                must compile without warnings and compute the right result, twice if it assigns. One
#                                compilation joins many programs
#   generator/table_sparse.txt   as table.txt, with sparse results
#   generator/fuzz.awk           writes random statements and formats: the result is right, or a sentence refuses them
#   generator/bad.txt            refused arguments: the sentence, the column of the caret; exit status 2, no output
#   generator/lint.c             kernel lines for --lint, each with its expected warnings
#   generator/messages.awk       lists the sentences in the source; each needs a case
#
# generator.sh TABLE.txt ... checks these tables only; `generator.sh rest` everything but the tables; `generator.sh fuzz` only
# random statements. To add a case, add a row to a table, or a call of `try` or `says` below.
# Environment: CC, WARNINGS, JOBS (parallel compilations), BATCH (rows in a compilation), FUZZ (number of random statements),
# SEED (of random statements), SPARSE_GEN_HOME (directory of other headers), FIRST (set: stop at the first failure),
# RIGHT (a directory of programs known to be right: a row whose program is there is not compiled; if the directory does not
# exist, it is made), WORK (a directory for temporary files; removed at the end), DAY (set: one row of twelve, a different
# one with clang; half of the random statements; sanitizers only for bad input; generated programs compiled at -O0).
cd "$(dirname "$0")/.." || exit
CC=${CC:-cc} JOBS=${JOBS:-$(nproc 2>/dev/null || echo 2)} BATCH=${BATCH:-24} FUZZ=${FUZZ:-$((DAY ? 24 : 48))}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
DIR=${WORK:-$(mktemp -d)} && mkdir -p "$DIR" || exit
[ ! "$DAY" ] || export CFLAGS=-O0
export CC SPARSE_GEN_HOME=${SPARSE_GEN_HOME:-$PWD} XDG_CACHE_HOME=$DIR/cache
trap 'wait; rm -rf "$DIR"' EXIT
keeps=
[ ! "$RIGHT" ] || [ -d "$RIGHT" ] || { keeps=1 && mkdir -p "$RIGHT"; }
passed=0 failed=0 skipped=0
gen=$DIR/sparse_gen
lean=$($CC -ftrack-macro-expansion=0 -E -x c /dev/null >/dev/null 2>&1 && echo -ftrack-macro-expansion=0)
compile="$CC -std=c11 -O0 $lean $WARNINGS -I$SPARSE_GEN_HOME"

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    printf '%s\n' "$*"
    [ ! "$FIRST" ] || exit 1
}

# Compiles rows of a directory into one program, which runs the row named by its argument, or all rows. It is linked to the
# storage and file functions, which are compiled once.
build() { # directory program row ...
    local directory=$1 program=$2 n
    shift 2
    {
        printf '#include <string.h>\n'
        for n; do printf '#line 1 "%s.c"\n' "$n" && cat "$directory/$n.c"; done
        printf 'int main(int count, char **argument)\n{\n'
        for n; do
            printf '    if ((count < 2 || !strcmp(argument[1], "%s")) && !%s_main()) puts("%s");\n    fflush(stdout);\n' \
                "$n" "$n" "$n"
        done
        printf '    return 0;\n}\n'
    } >"$directory/$program.c"
    $compile -DSPARSE_DECLARE "$directory/$program.c" "$DIR/kit.o" -o "$directory/$program" -lm 2>"$directory/$program.errors"
}

# Compiles and runs the rows of a directory, all together. If that fails, compiles each row that the compiler named alone.
# Writes one line for each row to the file `verdicts` of the directory.
verify() { # directory
    local n all=() good=() why
    for n in "$1"/p*.row; do n=${n##*/} && all+=("${n%.row}"); done
    build "$1" batch "${all[@]}" && good=("${all[@]}") || {
        for n in "${all[@]}"; do
            grep -q "\\b$n\\.c\\b" "$1/batch.errors" && ! build "$1" single "$n" || { good+=("$n") && continue; }
            why="does not compile: $(grep -m 1 error "$1/single.errors" | cut -c 1-200)"
            echo "$(cat "$1/$n.row"): $why"
        done
        build "$1" batch "${good[@]}" || cat "$1/batch.errors"
    } >"$1/verdicts"
    "$1/batch" >"$1/right" 2>/dev/null
    for n in "${good[@]}"; do
        grep -qx "$n" "$1/right" || "$1/batch" "$n" 2>"$1/errors" | grep -qx "$n" && echo right && continue
        echo "$(cat "$1/$n.row"): is not right: $(head -n 1 "$1/errors" | cut -c 1-200)"
    done >>"$1/verdicts"
}

# Rows are collected in directories, which are verified in parallel.
batches=0 rows=0 batch=
flush() {
    [ "$rows" -gt 0 ] || return
    while [ "$(jobs -pr | wc -l)" -ge "$JOBS" ]; do wait -n; done
    [ ! "$FIRST" ] || ! cat "$DIR"/batch*/verdicts 2>/dev/null | grep -vx right || { wait && exit 1; }
    verify "$batch" &
    rows=0 batch=
}
collect() {
    local line
    flush
    wait
    while IFS= read -r line; do
        if [ "$line" = right ]; then pass; else fail "$line"; fi
    done < <(cat "$DIR"/batch*/verdicts 2>/dev/null)
    rm -rf "$DIR"/batch*
    batch=
}

# Sets the sizes of those of the indices i to s that occur between parentheses.
number=0
sizes_of() { # statements
    awk -v statements="$1" 'BEGIN {
        for (n = split("i=7 j=6 k=5 l=4 r=3 s=2", size); n; n--) of[substr(size[n], 1, 1)] = " -d " size[n]
        gsub(/[A-Za-z_0-9]+/, " & ", statements)
        for (count = split(statements, word, " "); n < count; depth += gsub(/[[(]/, "", word[n]) - gsub(/[])]/, "", word[n]))
            if (word[++n] in of && depth) printf "%s", of[word[n]]
    }'
}

# Generates the program of one row. With may_refuse=refused the generator may refuse the row.
row() { # statements formats options may_refuse
    local options=() f name
    if [ ! "$batch" ]; then
        batches=$((batches + 1)) batch=$DIR/batch$batches
        mkdir "$batch"
    fi
    number=$((number + 1))
    name=p$number
    eval "options=($3)"
    for f in $2; do options+=(-f "$f"); done
    [ "$1" = "$sized" ] || sized=$1 sizes=$(sizes_of "$1")
    options=(--part --check --name "$name" -i rand:0.3,low=-1 $sizes "${options[@]}" "$1")
    "$gen" "${options[@]}" >"$batch/$name.c" 2>"$DIR/errors"
    case $?$4 in
    0*)
        [ ! "$keeps" ] || cp "$batch/$name.c" "$RIGHT"
        [ ! "$RIGHT" ] || ! cmp -s "$batch/$name.c" "$RIGHT/$name.c" || { pass && return; }
        echo "$1 | $2 | $3" >"$batch/$name.row"
        rows=$((rows + 1))
        [ "$rows" -lt "$BATCH" ] || flush
        ;;
    2refused) # it must give a sentence
        grep -v '^sparse_gen: note:' "$DIR/errors" | grep -q '^sparse_gen: ' || fail "$1 | $2 | $3: refused without a sentence"
        refused=$((refused + 1))
        printf '%s\t%s\n' "$(sed -n '/^sparse_gen: note:/d;s/^sparse_gen: //p' "$DIR/errors" | head -n 1)" "$1 | $2 | $3" >>"$DIR/refusals"
        ;;
    *) fail "$1 | $2 | $3: $(head -n 1 "$DIR/errors")" ;;
    esac
}

# All combinations of formats: "A=csr csc B=coo" -> "A=csr B=coo", "A=csc B=coo".
combinations() {
    local all=("") base=() next word tensor
    for word in $1; do
        case $word in *=*) tensor=${word%%=*} word=${word#*=} base=("${all[@]}") all=() ;; esac
        for next in "${base[@]}"; do all+=("$next $tensor=$word"); done
    done
    printf '%s\n' "${all[@]}"
}

turn=0
case $CC in *clang*) turn=6 ;; esac
table() { # file may_refuse
    local statements formats options combination
    while IFS='|' read -r statements formats options; do
        case $statements in '' | '#'*) continue ;; esac
        statements=${statements%"${statements##*[! ]}"} statements=${statements//@@/||}
        while read -r combination; do
            [ ! "$DAY" ] || [ $((turn++ % 12)) = 0 ] || [ "$2" ] || continue
            row "$statements" "$combination" "$options" "$2"
        done < <(combinations "$formats")
    done < <(sed 's/||/@@/g' "$1") # || is an operator, not two separators
}

# Checks one line of bad.txt.
bad() { # column sentence arguments
    local status arguments caret=
    eval "arguments=($3)"
    "$bad_gen" "${arguments[@]}" >"$DIR/out" 2>"$DIR/errors"
    status=$?
    [ "$1" -eq 0 ] || caret=$(printf '%*s^' $(($1 + 3)) '')
    if [ $status = 2 ] && [ ! -s "$DIR/out" ] && [ "$(head -n 1 "$DIR/errors")" = "sparse_gen: $2" ] &&
        [ "$(sed -n 3p "$DIR/errors")" = "$caret" ] && [ "$(wc -l <"$DIR/errors")" = $(($1 ? 3 : 1)) ]; then
        cat "$DIR/errors" >>"$DIR/said"
        pass
    else
        fail "$3: status $status, $(tr '\n' '~' <"$DIR/errors")"
    fi
}

# try NAME COMMAND: the command must succeed.
try() {
    local name=$1
    shift
    if "$@" >"$DIR/out" 2>"$DIR/errors"; then pass; else fail "$name: $(head -n 1 "$DIR/errors") $(head -n 1 "$DIR/out")"; fi
    cat "$DIR/errors" >>"$DIR/said"
}

# The command must fail with this status and print a sentence that contains this one.
says() { # sentence status command
    local sentence=$1 status=$2
    shift 2
    "$@" >"$DIR/out" 2>"$DIR/refusal" </dev/null
    try "$sentence: status $status" [ $? = "$status" ]
    try "$sentence" grep -qF -- "$sentence" "$DIR/refusal"
    cat "$DIR/refusal" >>"$DIR/said"
}

$compile -O1 sparse_gen.c -o "$gen" -lm || exit
printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n#include "sparse_io.h"\n' >"$DIR/kit.c"
$compile -c "$DIR/kit.c" -o "$DIR/kit.o" || exit

# Dense tensors whose file name is their size: 0.tns is an empty vector, 7x5.tns a matrix.
for size in 0 1 2 3 8 13 0x2 1x1 2x3 3x2 7x5 9x8; do
    awk -v size=$size 'BEGIN {
        rank = split(size, dim, "x")
        columns = rank == 1 ? 1 : dim[2]
        for (place = 0; place < dim[1] * columns; place++)
            if (place % 7 % 3 != 1)
                line[++count] = 1 + int(place / columns) (rank == 1 ? "" : " " 1 + place % columns) " " 1 + place % 4
        print "# extended FROSTT format\n" rank, count + 0 "\n" dim[1] (rank == 1 ? "" : " " dim[2])
        for (n = 1; n <= count; n++) print line[n]
    }' >"$DIR/$size.tns"
done

if [ $# -gt 0 ] && [ "$1" != rest ] && [ "$1" != fuzz ]; then
    for file; do table "$file"; done
    collect
    echo "generator: $passed passed, $failed failed"
    exit $((failed > 0))
fi

cat >"$DIR/probe.c" <<'C'
#include "sparse.h"
#include "sparse_io.h"
#define CSR csr, SPARSE_CSR, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
int main(void) { return spgemm(NULL, NULL, NULL) == SPARSE_OK; }
C
assembles=0
$CC -std=c11 -O0 -I"$SPARSE_GEN_HOME" "$DIR/probe.c" -o "$DIR/probe" 2>/dev/null && assembles=1

[ $# -gt 0 ] || table tests/generator/table.txt
[ $# -gt 0 ] || [ $assembles = 0 ] || table tests/generator/table_sparse.txt
collect
if [ $assembles = 0 ]; then
    count=$(grep -c '^[^#]' tests/generator/table_sparse.txt)
    echo "sparse results are skipped, kernels do not assemble them here"
    skipped=$((skipped + count))
fi

# Prints each sentence that refused a row, with names removed: how often it occurred, and the first statement it refused.
tell_refusals() {
    [ ! -s "$DIR/refusals" ] || awk -F '\t' '{
        gsub(/[^ ]*[A-Z][^ ]*/, "T", $1)
        gsub(/[0-9]+/, "N", $1)
        if (!count[$1]++) example[$1] = $2
    } END { for (s in count) printf "%5d %s\n      %s\n", count[s], s, example[s] }' "$DIR/refusals"
}

refused=0 before=$passed
awk -v seed="${SEED:-1}" -v rows="$FUZZ" -v sparse=$assembles -f tests/generator/fuzz.awk >"$DIR/fuzz.txt"
table "$DIR/fuzz.txt" refused
collect
echo "made-up statements: $FUZZ, of which $((passed - before)) were compiled, run and right, and $refused refused with a sentence"
[ "$1" != fuzz ] || tell_refusals
[ "$1" != fuzz ] || { echo "generator: $passed passed, $failed failed" && exit $((failed > 0)); }

# The reserved words that docs/limits.md lists cannot be names of tensors, and no other words are refused.
sed -n '/^## Reserved words/,/^A macro/p' docs/limits.md | sed -n '/^```text$/,/^```$/p' | grep -oE '[a-z_]+' | grep -vx text | sort >"$DIR/words"
{
    awk '/^static const char line_words/,/;$/' sparse_gen.c | grep -oE '"[^"]*"' | grep -oE '[a-z_]+'
    "$gen" --help | sed -n '/^    all level types/,/^    all names/{/^    all names/d; s/^    all level types//; p;}' | grep -oE '[a-z_]+'
} | sort >"$DIR/known"
try "the reserved words are those of the documents" cmp "$DIR/words" "$DIR/known"
while read -r word; do
    "$gen" "$word(i) = x(i)" 2>"$DIR/refusal" >/dev/null
    try "$word is refused" grep -q "\"$word\" cannot be the name of a tensor" "$DIR/refusal"
done <"$DIR/words"
# Nor can names of the generated programs: has_A, which begins like one, or part_10, which ends in a number. Similar names can.
for word in has_A given_A kept_A is_right_A put_A length_i least_j after_2 part_10 show_i; do
    says "\"$word\" cannot be the name of a tensor" 2 "$gen" "y(i) = $word(i)"
done
try "an index may be called t" "$gen" 'y(t) = A(t,j) * x(j)' -f A=csr -i rand:0.5 -d t=4,j=3 --run --check
for word in has given putA length_ij least_ after_2b part_i2; do row "y(i) = A(i,j) * $word(j)" "A=csr" ""; done
for word in block leaf list tensor scalar over operands made one parts looped initially n i_size pos crd val lo hi; do
    row "$word(i) = A(i,j) * $word(i) + w(i+j)" "A=csr" ""
done
collect

# If a row for a new encoding or level type is added to the headers, the generator knows it without a change of its source.
mkdir "$DIR/kit" && cp sparse*.h sparse_gen.c "$DIR/kit"
awk '/^#define SPARSE_ENCODINGS\(X\)/ {
        print "#define SPARSE_STRIPS(r) ((i, j), (compressed, floordiv(i, r)), (compressed, j), (dense, mod(i, r)))"
        print
        print "    X(\"strips#\", SPARSE_STRIPS(R)) \\"
        next
    } 1' sparse_formats.h >"$DIR/kit/sparse_formats.h"
try "one more encoding" $compile "$DIR/kit/sparse_gen.c" -o "$DIR/kit/gen" -lm
try "one more encoding: in use" env SPARSE_GEN_HOME="$DIR/kit" "$DIR/kit/gen" 'y(i) = A(i,j) * x(j)' -f A=strips3 -d i=7,j=5 \
    -i rand:0.4 --run --check
try "one more encoding: by its name" bash -c '"$1" "y(i) = A(i,j)" -f "A=((i, j), (compressed, floordiv(i, 2)), (compressed, j),
    (dense, mod(i, 2)))" | grep -q "A, STRIPS\|A, CCD_" && "$1" "y(i) = A(i,j)" -f A=strips | grep -q "SPARSE_STRIPS(2)" &&
    "$1" --help | grep -q " strips2"' - "$DIR/kit/gen"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n3 2 2\n3 3 5\n' >"$DIR/lower.mtx"
try "one more level type" $compile -D_POSIX_C_SOURCE=200809L -include tests/triangle.h sparse_gen.c -o "$DIR/kit/gen" -lm
try "one more level type: in use" env CFLAGS="-include $PWD/tests/triangle.h" "$DIR/kit/gen" 'y(i) = A(i,j) * x(j); A(i,j) = 3 * A(i,j)' \
    -f 'A=(i, j) -> (i : dense, j : triangle)' -i "A=$DIR/lower.mtx" -i x=iota --run --check -o "A=$DIR/lower.tns"
try "one more level type: the result" grep -qx '3 2 6' "$DIR/lower.tns"
sed '/SPARSE_P_STORED/d' tests/triangle.h >"$DIR/kit/stored.h"
try "a level type that kernels do not have" $compile -D_POSIX_C_SOURCE=200809L -include "$DIR/kit/stored.h" sparse_gen.c -o "$DIR/kit/gen" -lm
says "A would have to be converted: kernels do not go through all its level types" 2 "$DIR/kit/gen" 'y(i) = A(i,j)' --strict \
    -f 'A=(i, j) -> (i : dense, j : triangle)'
sed -n '/^\/\* Named encodings/,/^#define SPARSE_ENCODINGS/p' sparse_formats.h | grep -oE '^#define SPARSE_([A-OQ-Z]|P[A-Z])[A-Z0-9_]*' |
    grep -v ENCODINGS | cut -c 9- | sort >"$DIR/macros"
sed -n '/^#define SPARSE_ENCODINGS/,/[^\]$/p' sparse_formats.h | tail -n +2 | grep -oE 'SPARSE_[A-Z0-9_]+' | sort -u >"$DIR/rows"
try "every named encoding has a row" cmp "$DIR/macros" "$DIR/rows"
for outer in '' '(nonunique)' '(nonordered)' '(nonunique, nonordered)'; do
    for inner in '' '(soa)' '(nonordered)' '(nonunique, nonordered, soa)'; do
        try "levels are written with their properties: $outer $inner" bash -c '"$3" "s = A(i,j)" -f "A=(i, j) -> (j : compressed$1, i : singleton$2)" |
            grep -qF "((i, j), (compressed$1, j), (singleton$2, i))"' - "$outer" "$inner" "$gen"
    done
done

# --check finds a wrong derivative with finite differences.
says "a finite difference gives" 1 "$gen" 'y(i) = f(x(i))' --define 'double f(double x) { return x * x; }' \
    --define 'double f_d1(double x) { return 3 * x; }' --derive x -i rand -d i=3 --run --check

# TACO's print options, each with the kit's own option for the output
taco=("$gen" 'y(i) = A(i,j) * x(j)' -f=A:ds)
for words in '-print-compute --expand' '-print-kernels --expand' '-print-assembly --expand' '-print-concrete --explain' \
    '-print-evaluate --expand' '-print-iteration-graph --explain' '-help --help'; do
    read -r word ours <<<"$words"
    "${taco[@]}" "$word" >"$DIR/taco" 2>&1 && "${taco[@]}" "$ours" >"$DIR/ours" 2>&1 && cmp -s "$DIR/taco" "$DIR/ours" && pass ||
        fail "$word is not $ours"
done

# Lint: the expected warnings stand before each kernel line of lint.c. The file compiles, and the documents show its output.
awk '/^\/\* warns: / { sub(/^\/\* warns: /, ""); sub(/ \*\/$/, ""); print "tests/generator/lint.c:" NR + 1 ": " $0 }' tests/generator/lint.c >"$DIR/warnings"
"$gen" --lint tests/generator/lint.c >"$DIR/linted" 2>"$DIR/errors"
try "lint: status 1" [ $? = 1 ]
try "lint: what is said" diff "$DIR/warnings" "$DIR/linted"
try "lint: its file compiles" $CC -std=c11 -fsyntax-only -I"$SPARSE_GEN_HOME" tests/generator/lint.c
for file in examples/*.c docs/kernels.md docs/tutorial.md README.md; do
    grep -q '^SPARSE_KERNEL(' "$file" || continue
    try "lint: nothing is said of $file" "$gen" --lint "$file"
done
says "tests/generator/table.txt has no kernel line" 2 "$gen" --lint tests/generator/table.txt
says "$DIR/none.c cannot be read: No such file" 2 "$gen" --lint "$DIR/none.c"
says "--lint FILE stands alone" 2 "$gen" --lint tests/generator/lint.c -d i=3
try "make expand says it too" bash -c 'make -s CC="$1" expand K=chosen F=tests/generator/lint.c 2>&1 | grep -q "^tests/generator/lint.c:[0-9]*: chosen: where"' - "$CC"

# The generator accepts the statements in docs/generator.md.
while IFS= read -r statement; do
    try "$statement" "$gen" "$statement"
done < <(sed -n '/^## What can be written/,/^An index/p' docs/generator.md | sed -n 's/^    \([^ ].*[^ ]\)   .*/\1/p' | sed 's/   .*//')

# An expression that is zero where A is not stored updates A in place.
for value in 'sin(A(i,j)) - A(i,j)' 'x(i) * A(i,j)' 'abs(A(i,j))'; do
    try "A(i,j) = $value: in place" bash -c '"$@" | grep -q "^SPARSE_KERNEL.* update(A, CSR, i, j)"' - "$gen" "A(i,j) = $value" -f A=csr
done

# A kernel without a main program includes the headers that it needs.
for statement in 'y(i) = exp(x(i))' 'y(i) = x(i) % 2' 'y(i) = max(j) A(i,j)'; do
    try "$statement: a kernel alone" "$gen" "$statement" -w "$DIR/alone.c"
    try "$statement: a kernel alone compiles" $compile -fsyntax-only "$DIR/alone.c"
done

# Bad input, with sanitizers if they work here.
bad_gen=$gen
$CC -std=c11 -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all sparse_gen.c -o "$gen.sanitized" -lm 2>/dev/null &&
    "$gen.sanitized" --help >/dev/null 2>&1 && bad_gen=$gen.sanitized
while IFS='|' read -r column sentence arguments; do
    case $column in '' | '#'*) continue ;; esac
    sentence=${sentence# }
    bad "$column" "${sentence% }" "$arguments"
done <tests/generator/bad.txt

# The rest uses the sanitizers, too, unless DAY is set. Tests that run out of memory use plain_gen, without sanitizers.
plain_gen=$gen
[ "$DAY" ] || gen=$bad_gen

# Whole runs: files in and out, the same text from two runs, the script.
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 2\n1 3 1\n2 2 5\n' >"$DIR/a.mtx"
spmv=('y(i) = A(i,j) * x(j)' -f A=csr -i "A=$DIR/a.mtx" -i x=iota)
# No option is silently ignored: it is refused, or it changes the output.
counts() { # made option
    local with status
    with=$("$gen" "${spmv[@]}" $1 $2 2>"$DIR/errors" | sed "1{/made by/d}"; exit "${PIPESTATUS[0]}")
    status=$?
    [ $status = 2 ] && grep -q "goes with\|one of them at a time" "$DIR/errors" && return
    [ $status = 0 ] && { [ "$with" != "$without" ] || rm "$DIR"/option.*; }
}
making=(--main --part --run --explain --dot --draw --expand --sizes --cost '--advise A' '--search A')
for made in '' "${making[@]}"; do
    without=$("$gen" "${spmv[@]}" $made | sed "1{/made by/d}")
    for option in '--time 2' '--print y' "-o y=$DIR/option.tns" --check "-w $DIR/option.c" "--csv $DIR/option.csv" '--limit 9' '--tries 1' \
        "${making[@]}"; do
        case $made,$option in "$option,$option" | --search*,--[tcl]*) ;; *) try "$made $option" counts "$made" "$option" ;; esac
    done
done
for made in --expand --explain --dot --draw --main --run; do
    try "a statement without a loop: $made" bash -c '"$@" | grep -q "y = 3\|y, 3.0"' - "$gen" 'y = 3' $made
done
try "run on a file" "$gen" "${spmv[@]}" --run --check -o "y=$DIR/y.tns"
try "result in a file" grep -qx '1 5' "$DIR/y.tns"
cp "$DIR/a.mtx" "$DIR/it's \"a\" ??' \$x\\n%d.mtx"
try "a file with a name of all that is something else in C" "$gen" "${spmv[@]:0:3}" -i "A=$DIR/it's \"a\" ??' \$x\\n%d.mtx" -i x=iota --run
# If a file has no sizes, they come from -d, from other inputs, or else from the largest coordinate in the files.
printf '1 2\n3 4\n' >"$DIR/short.tns" && printf '2 5\n5 6\n' >"$DIR/longer.tns"
printf '# extended FROSTT format\n1 1\n3\n1 5\n' >"$DIR/told.tns"
for case in '|2, 5, 4, 0, 6' '-f x,y,u=sparse -d i=7|2, 5, 4, 6' '-f x=csf -d i=7|2, 5, 4, 0, 6, 0, 0' '-t bool|1, 1, 1, 0, 1' \
    '--zero-based|0, 2, 5, 4, 0, 6'; do
    try "files without sizes: $case" bash -c '"$@" --run --check --print u | grep -qF "values : ( $0 )"' "${case#*|}" \
        "$gen" 'u(i) = x(i) + y(i)' -i "x=$DIR/short.tns" -i "y=$DIR/longer.tns" ${case%|*}
done
try "a file without sizes that is embedded" bash -c '"$@" --run --check --print u | grep -qF "values : ( 2, 5, 4, 0, 6, 0, 0 )"' - \
    "$gen" 'u(i) = x(i) + y(i)' -f x=sparse --embed "x=$DIR/short.tns" -i "y=$DIR/longer.tns" -d i=7
says 'the coordinate "5" is beyond its dimension, of size 4' 1 "$gen" 'u(i) = x(i) + y(i)' -i "x=$DIR/short.tns" -i "y=$DIR/longer.tns" \
    -d i=4 --run
says "x: dimension 1 is 3, its index 5" 1 "$gen" 'u(i) = x(i) + y(i)' -i "x=$DIR/told.tns" -i "y=$DIR/longer.tns" --run
try "truths from a file" "$gen" "${spmv[@]:0:3}" -t bool -i "A=$DIR/a.mtx" -i x=ones --run --check --print y -o "y=$DIR/truths.tns"
try "truths on the screen" bash -c '"$@" --run | grep -qF "values : ( 1, 1 )"' - "$gen" "${spmv[@]:0:3}" -t bool -i "A=$DIR/a.mtx" -i x=ones
try "truths in a file" grep -qx '2 1' "$DIR/truths.tns"
printf '%%%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 3\n2 3 9223372036854775807\n' >"$DIR/large.mtx"
try "a scalar of 64 bits on the screen" bash -c '[ "$("$@" -t i64 --run)" = "s = 9223372036854775807" ]' - "$gen" 's = max(i,j) A(i,j)' -f A=csr -i "A=$DIR/large.mtx"
try "a scalar of 64 bits without a sign on the screen" bash -c '[ "$("$@" -t u64 --run)" = "s = 18446744073709551614" ]' - "$gen" 's = max(i,j) (2 * A(i,j))' \
    -f A=csr -i "A=$DIR/large.mtx"
printf '%%%%MatrixMarket matrix coordinate complex general\n2 3 1\n1 1 2 -1\n' >"$DIR/single.mtx"
try "a complex scalar on the screen" bash -c '[ "$("$@" -t c64 --run)" = "s = 2 -1" ]' - "$gen" 's = A(i,j)' -f A=csr -i "A=$DIR/single.mtx"
printf '#include <zlib.h>\nint main(void) { return !zlibVersion(); }\n' >"$DIR/zlib.c"
# Without zlib the program gzip decompresses; if it fails, the file is refused.
if command -v gzip >/dev/null; then
    printf '#!/bin/sh\nfor a; do case $a in -lz) exit 1 ;; esac; done\nexec %s "$@"\n' "$CC" >"$DIR/no_zlib_cc"
    chmod +x "$DIR/no_zlib_cc"
    gzip -c "$DIR/a.mtx" >"$DIR/b.mtx.gz"
    head -c 40 "$DIR/b.mtx.gz" >"$DIR/cut.mtx.gz"
    try "a compressed file without zlib" env CC="$DIR/no_zlib_cc" "$gen" "${spmv[@]:0:3}" -i "A=$DIR/b.mtx.gz" -i x=iota --run --check
    try "a compressed file that is cut" bash -c 'CC=$1 "$2" "s = A(i,j)" -f A=csr -i "A=$3" --run 2>&1 | grep -q "compressed input (gzip)"' \
        - "$DIR/no_zlib_cc" "$gen" "$DIR/cut.mtx.gz"
else
    skipped=$((skipped + 2))
    echo "generator: compressed files without zlib are skipped, as gzip is not there"
fi
if gzip -c "$DIR/a.mtx" >"$DIR/a.mtx.gz" 2>/dev/null && $CC "$DIR/zlib.c" -o "$DIR/zlib" -lz 2>/dev/null; then
    try "the generator beside zlib" $compile -fsyntax-only -DSPARSE_ZLIB=1 sparse_gen.c
    try "run on a compressed file" "$gen" "${spmv[@]:0:3}" -i "A=$DIR/a.mtx.gz" -i x=iota --run --check -o "y=$DIR/y.mtx.gz"
    try "result in a compressed file" bash -c 'gzip -dc "$0" | grep -qx 5' "$DIR/y.mtx.gz"
else
    echo "generator: compressed files are skipped, as zlib or gzip is not there"
    skipped=$((skipped + 3))
fi
try "deterministic" bash -c '[ "$("$@")" = "$("$@")" ]' - "$gen" "${spmv[@]}"
try "= begins with 0" bash -c '"$@" | grep -q "from(0, y, VEC, i), "' - "$gen" "${spmv[@]}"
try "+= begins with what is there" bash -c '"$@" | grep -q "(i, j), (y, VEC, i), "' - "$gen" 'y(i) += A(i,j) * x(j)' -f A=csr
try "checked after it is timed" bash -c '"$@" --run --check --time 3 | tail -n 1 | grep -q "^the result"' - "$gen" "${spmv[@]}"
try "what reading took is told" bash -c '"$@" --run --time 3 | grep -q "^read: [0-9.e+-]* s$"' - "$gen" "${spmv[@]}"
try "explain" "$gen" "${spmv[@]}" --explain
cat >"$DIR/graph.dot" <<'DOT'
digraph iteration {
    rankdir=LR;
    node [shape=circle];
    n0 [shape=box, label="convert B to B_by_kj"];
    subgraph cluster_1 {
        label="compute_C_1: C(i,j) += A(i,k) * B(k,j) * D(i,j)";
        n1_i0 [label="i", xlabel=1];
        n1_k0 [label="k", xlabel=2];
        n1_j0 [label="j", xlabel=3];
        n1_i0 -> n1_k0 [label="A", style=solid];
        n1_k0 -> n1_j0 [label="B", style=solid];
        n1_i0 -> n1_j0 [label="D", style=dashed];
        n1_i0 -> n1_j0 [label="C", style=solid];
    }
}
DOT
try "dot" bash -c '"$@" --dot | diff "$0" -' "$DIR/graph.dot" "$gen" 'C(i,j) = A(i,k) * B(k,j) * D(i,j)' -f A,C=csr -f B=csc
try "draw" bash -c '"$@" --draw | grep -q "<title>compressed, level 2</title>"' - "$gen" "${spmv[@]}"
try "draw: a line joins the levels of an operand, and no others" bash -c '[ "$("$@" --draw | grep -o "<line x1=.[0-9]*. y1=.[0-9]*. x2=.[0-9]*." | tr -d "\042" |
    tr "\n" " ")" = "<line x1=206 y1=78 x2=344 <line x1=356 y1=96 x2=494 <line x1=206 y1=114 x2=494 " ]' - "$gen" 'C(i,j) = A(i,k) * B(k,j)' -f A,B,C=csr
try "draw: lines join the points of a lattice that follow each other" bash -c '[ "$("$@" --draw | grep -c "^<line ")" = 9 ]' - "$gen" \
    's = a(i) + b(i) + c(i)' -f a,b,c=svec
try "draw: what is stored whole is below the loop that completes a block" bash -c '[ "$("$@" --draw | grep -c "<title>dense, level 1</title>")" = 3 ]' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=bsr2x3
try "draw-storage" bash -c '"$@" && grep -q ">1: compressed j<" "$0/A.svg" && grep -q ">0: dense i<" "$0/y.svg"' "$DIR" \
    "$gen" "y(i) = A(i,j) * x(j)" -f A=csr -i A=rand:0.5 -i x=ones -d i=3,j=4 --run --draw-storage "A=$DIR/A.svg" --draw-storage "y=$DIR/y.svg"
printf '1 nan\n2 inf\n' >"$DIR/nan.tns" && printf '1 1 3\n2 2 5\n' >"$DIR/diagonal.tns"
try "check: what is not stored is 0 beside NaN" bash -c '"$@" -f A=csr -i "x=$0/nan.tns" -i "A=$0/diagonal.tns" --run --check |
    grep -q "dense evaluation; a product with an element that is not stored counts as 0"' "$DIR" "$gen" 'y(i) = A(i,j) * x(j)'
try "check: of what is dense nothing is said" bash -c '"$@" --run --check | grep -qx "the result is that of a dense evaluation"' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -d i=2,j=2 -i ones
try "explain: the sizes that costs assume" bash -c '"$@" --explain -d i=50 | grep -q "assume i = 50, j = 1000 (-d sets it), and one of 20 coordinates in sparse levels$"' \
    - "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr
try "explain: loops over what is stored are as long as that" bash -c '"$@" --explain | grep -q "^  loops: i, k, j; .* at about 7.5e+06 iterations$"' \
    - "$gen" 'C(i,j) = A(i,k) * B(k,j)' -f A,B,C=csr
{ echo '%%MatrixMarket matrix coordinate real general' && printf '%s\n' '1099511627776 1099511627776 4' '1 1099511627776 1.5' '1 5 2' '7 5 3' '1099511627776 2 4'; } >"$DIR/far.mtx"
try "no workspace over all levels where their sizes multiply to more than 64 bits" bash -c '"$@" --run --print C | grep -q "^values : ( 16, 13, 3, 3, 2.25 )$"' \
    - "$gen" 'C(i,j) = A(k,i) * A(k,j)' -f 'A=dcsr,crdWidth=64' -f 'C=dcsr,crdWidth=64' -i "A=$DIR/far.mtx"
try "nested maxima are one, and a size that -d gives is no operand" bash -c '"$@" | tr -d "\n" | tr -s " " | grep -qF "range(r, 2), z), from(-HUGE_VAL, O, DENSE5, n, c, h, w, z), all((I_array, const double *), (I_size2, size_t), (I_size3, size_t), (I_size4, size_t), (I_size5, size_t)), O = fmax("' - \
    "$gen" 'O(n,c,h,w,z) = max(p) max(q) max(r) I(n,c,h+p,w+q,z+r)' -d p=2,q=2,r=2
printf '1 1\n2 -1\n' >"$DIR/signs.tns"
try "zeros are dropped" bash -c '"$@" -i A=ones -i B=rand:1,low=-1,high=-1 -d i=2,j=2 --run --check --print C | grep -qx "nse = 0" &&
    "$@" | grep -qF "C = A + B; has_C = C != 0)"' - "$gen" 'C(i,j) = A(i,j) + B(i,j)' -f A,B,C=csr --drop-zeros
try "zeros are dropped from sums" bash -c '"$@" --run --check --print y | grep -qx "nse = 0"' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr -f y=sparse -i A=ones -i "x=$DIR/signs.tns" -d i=3 --drop-zeros
try "what is 0 where nothing is stored is visited where something is" bash -c '"$@" | grep -qF "all((A, CSR, i, j)), C = fmax(A - 1.0, 0.0))"' - \
    "$gen" 'C(i,j) = max(A(i,j) - 1, 0)' -f A,C=csr
try "what products share is asked once" bash -c '"$1" "C(i,j) = A(i,j) * B(i,j) + A(i,j) * D(i,j)" -f A,B,C,D=csr |
    grep -qF "(C, CSR, i, j), all((A, CSR, i, j), any((B, CSR, i, j), (D, CSR, i, j)))"' - "$gen"
try "the least and the greatest leave out what is no number" bash -c '"$1" "y(i) = min(j) A(i,j)" -f A=csr | grep -qF "y = fmin(y, A)" &&
    "$1" "y(i) = max(j) A(i,j)" -f A=csr | grep -qF "y = fmax(y, A)"' - "$gen"
try "what is a temporary twice is made once" bash -c '[ "$("$1" "y(i) = A(i,i) * x(i) + A(i,i) * z(i)" -f A=csr | grep -c "is a temporary")" = 1 ]' - "$gen"
try "explain: what does not matter is in no point" bash -c '"$1" "d(i) = a(i) + a(i) * b(i)" -f a,b=svec --explain | grep -qx "    i: points {a}"' - "$gen"
try "an index set is sought in the loop over its index" bash -c '"$@" | tr -d "\n" | tr -s " " |
    grep -qF "(i, let(z, rows), j), (C, CSR, i, j), all((A, CSR, z, j), (rows, VEC_U32, i)), C = A)"' - \
    "$gen" 'C(i,j) = A(rows(i),j)' -f A,C=csr
try "explain: an index set" bash -c '"$@" --explain | grep -q "^  let(z, rows): A(z,j) is looked up at the coordinate in the index set"' - \
    "$gen" 'C(i,j) = A(rows(i),j)' -f A,C=csr
try "an index set of what is assigned to" bash -c '"$@" | tr -d "\n" | tr -s " " |
    grep -qF "(i, let(z, rows), j), from(0, C, MAT, z, j), all((A, CSR, i, j), (rows, VEC_U32, i)), C += A)"' - \
    "$gen" 'C(rows(i),j) = A(i,j)' -f A=csr
try "explain: an index set of what is assigned to" bash -c '"$@" --explain | tee "$0" |
    grep -q "^  let(z, rows): the index set gives the coordinate in C(z,j); values outside of its dimension are left out" &&
    grep -qx "  C is gathered in a workspace: its coordinates come in any order" "$0" && ! grep -q "range_z(z)" "$0"' "$DIR/out.txt" \
    "$gen" 'C(rows(i),j) = A(i,j)' -f A,C=csr -d rows=9
try "no loop runs over the places of an index set" bash -c '"$@" --search A --csv "$0" >/dev/null && ! grep -q "[,\"]z[,\"]" "$0"' \
    "$DIR/sets.csv" "$gen" 'y(i) = A(rows(i),j)' -f A=csr -d i=4,j=3,rows=5 -i rand:0.5 -i rows=rand --tries 1
try "the order of the loops is that of the rows that an index set tells" bash -c '"$@" | tr -d "\n" | grep -qF "(i, let(z, rows), j)"' - \
    "$gen" 'C(rows(i),j) = A(i,j)' -d i=3000,j=3000,rows=3000
try "what is in a row that an index set tells is fetched ahead" bash -c '"$@" | tr -d "\n" | grep -qF "(i, let(z, rows), prefetch(k))"' - \
    "$gen" 'y(i) = A(i,k) * B(rows(i),k)' -f A=csr -s 'prefetch(k)'
try "an index set that is made up tells places that are there" bash -c '"$@" | grep -qF "values : ( 1, 1, 1, 1, 1, 1, 1, 1 )"' - \
    "$gen" 'y(i) = x(rows(i))' -d i=8,rows=3 -i x=ones -i rows=rand --run --print y
try "a coordinate beside a sum, in what is read later" "$gen" 'r(i) = i - A(i,j) * x(j); s = r(i)'
try "explain: a diagonal is sought" bash -c '"$@" --explain |
    grep -qx "  let(a, i): X(i,j,a) is looked up where a is i, in few steps; X(i,j,a) \* (a == i) would compare all entries" &&
    "$@" | grep -q "(i, j, let(a, i))"' - "$gen" 'y(i) = X(i,j,i)' -f X=csf
try "explain: a diagonal is compared" bash -c '"$@" | grep -q "^  if (i == a): all entries of A(i,a) are compared, because a level"' - \
    "$gen" 'd(i) = A(i,i)' -f A=coo --explain
try "a diagonal stored by columns is sought" bash -c '"$@" | grep -qF "(i, let(a, i)), from(0, d, VEC, i), all((A, CSC, a, i))"' - \
    "$gen" 'd(i) = A(i,i)' -f A=csc
for f in csr coo csc; do
    try "a sparse diagonal stores what $f does" bash -c '"$@" | grep -qx "nse = 2"' - "$gen" 'd(i) = A(i,i)' -f A=$f -f d=sparse \
        -i A="$DIR/lower.mtx" --run --print d
done
try "a sparse sum of diagonals stores what one of them does" bash -c '"$@" | grep -qx "nse = 2"' - "$gen" 'd(i) = A(i,i) + B(i,i)' -f A,B=csr \
    -f d=sparse -i "$DIR/lower.mtx" --run --print d
try "explain: a row that meets many others" bash -c '"$@" --explain | grep -q "where(j): each row of M is copied into an array .* about 50 other rows" &&
    ! "$@" --explain -d k=20 | grep -q "where(j)" && "$@" | tr -d "\\n" | grep -q "s += row != 0 ? L \* U \* row : 0"' - "$gen" \
    's = L(i,k) * U(k,j) * M(i,j)' -f L,U,M=csr
# Entries that are not stored count as zero, even times infinity.
{
    printf '%%%%MatrixMarket matrix coordinate real general\n3 90 16\n1 1 1\n2 2 1\n'
    for k in 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo "3 $k 1"; done
} >"$DIR/L.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n90 4 3\n1 1 inf\n1 2 5\n2 3 inf\n' >"$DIR/U.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 2\n2 1 3\n' >"$DIR/M.mtx"
try "a row that meets many others: infinities beside it" bash -c '[ "$("$@" --run)" = "s = 10" ] && "$@" | grep -q "row += M"' - "$gen" \
    's = L(i,k) * U(k,j) * M(i,j)' -f L,U,M=csr -i "L=$DIR/L.mtx" -i "U=$DIR/U.mtx" -i "M=$DIR/M.mtx"
try "explain: triangles, whose rows meet others of the same matrix" bash -c '"$@" | grep -q "row += L_ij"' - "$gen" \
    's = L(i,k) * L(k,j) * L(i,j)' -f L=csr
# Entry counts in the headers of files steer the cost model: two files with few entries have few in common. Compressed files
# count as well. Entries off the diagonal of a symmetric file count twice.
{
    printf '%%%%MatrixMarket  Matrix coordinate pattern symmetric\n%% 2 2 2\n\n60 60 70\n'
    for k in $(seq 1 60); do echo "$k $k"; done
    for k in $(seq 1 10); do echo "$((k + 1)) $k"; done
} >"$DIR/few.mtx"
gzip -c "$DIR/few.mtx" >"$DIR/some.mtx.gz"
try "explain: the sizes and the entries of a file" bash -c '"$@" -i "L=$0" --explain |
    grep -q "assume i = 60 of an input, k = 60 of an input, j = 60 of an input, about 140 entries of L$" && ! "$@" -i "L=$0" | grep -q where' \
    "$DIR/few.mtx" "$gen" 's = L(i,k) * L(k,j) * L(i,j)' -f L=csr
sed '1s/symmetric/general/' "$DIR/few.mtx" >"$DIR/general.mtx"
try "explain: the entries of a general file count once" bash -c '"$@" -i "L=$0" --explain | grep -q "about 70 entries of L$"' \
    "$DIR/general.mtx" "$gen" 's = L(i,k) * L(k,j) * L(i,j)' -f L=csr
for sizes in 'inf 60 70' '60 60 inf' 'nan nan nan' '-60 -60 -70' '1e999 60 70' '0 0 0' 'sixty'; do
    printf '%%%%MatrixMarket matrix coordinate real general\n%s\n' "$sizes" >"$DIR/wrong.mtx"
    try "explain: a file that begins with $sizes" bash -c '"$@" | grep -q "^SPARSE_KERNEL(compute_s, (i, k, j)"' - "$gen" \
        's = L(i,k) * L(k,j) * L(i,j)' -f L=csr -i "L=$DIR/wrong.mtx"
done
try "explain: the entries of a compressed file" bash -c '"$@" --explain | grep -q "k = 60 of an input, j = 67, about 140 entries of L, about 402 entries of U, " &&
    "$@" --explain | grep -q "and one of 20 coordinates in other sparse levels$"' "$gen" "$gen" \
    's = L(i,k) * U(k,j) * M(i,j)' -f L,U,M=csr -i "L=$DIR/some.mtx.gz" -i U=rand:0.1 -d j=67
try "a value with zeros before it is decimal" bash -c '"$@" | grep -qF "constant(double, -10)"' - "$gen" 'y(i) = A(i,j)' \
    -f 'A=csr, explicitVal=-010'
try "unsigned numbers are divided as such" bash -c '[ "$("$@")" = "s = 3689348814741910323" ]' - "$gen" 's = a(i) / b' \
    -f 'a=sparse, explicitVal=18446744073709551615' -t u64 -t b=u8 -i a=ones -i b=5 -d i=1 --run
try "explain: numbers" bash -c '"$@" | grep -q "^compute_y: y(i) = 2 \* a(i) + 3$"' - "$gen" 'y(i) = 2 * a(i) + 3' -f a=sparse --explain
try "explain: dense rows of entries are summed in their place" bash -c '"$1" "$2" -f A=csr -f C=cd --explain >"$0" &&
    grep -q "unroll(k): the innermost loop" "$0" && ! grep -q "in a workspace" "$0" &&
    "$1" "$2" -f A=csr -f C=csr --explain | grep -q "C is gathered in a workspace: a sum is around its loop j"' \
    "$DIR/rows" "$gen" 'C(i,j) = A(i,k) * B(k,j)'
try "explain: a temporary is complex" bash -c '"$@" | grep -qx "t is of type sparse_complex128, as what is assigned to it is complex"' - \
    "$gen" 't(i) = x(i); y(i) = abs(t(i))' -t x=c64 --explain
try "what is sparse is added to what is dense where it is stored" bash -c '"$1" "$2" -f A=csr | tr "\n" " " |
    grep -q "all((D, MAT, i, j)), C = D) .*all((A, CSR, i, j)), C += A)"' - "$gen" 'C(i,j) = A(i,j) + D(i,j)'
for sum in 'C(i,j) = A(i,j) * C(i,j) + D(i,j)' 'C(i,j) = A(i,j) + d(j)'; do
    try "together: $sum" bash -c '"$@" -f A=csr | grep -q "any((A, CSR, i, j), "' - "$gen" "$sum"
done
try "together: halves" bash -c '"$@" -f A=csr -t f16 | grep -q "any((A, "' - "$gen" 'C(i,j) = A(i,j) + D(i,j)'
try "explain: strategies" bash -c '"$@" --explain -s "simd(j)" | grep -q "simd(j): requested"' - "$gen" "${spmv[@]}"
try "einsum" bash -c '[ "$("$1" --einsum "ij,jk->ik" -f A=csr | tail -n +2)" = "$("$1" "C(i,k) = A(i,j) * B(j,k)" -f A=csr | tail -n +2)" ]' - "$gen"
# numpy's rules for einsum strings: capitals are indices, too, and come first; a term may be empty
while read -r string statement; do
    try "einsum $string" bash -c '"$1" --einsum "$2" | grep -qF "/* $3 */"' - "$gen" "$string" "$statement"
done <<'END'
AB,BC P(a,c) = D(a,b) * E(b,c)
aB,Bc->ca C(c,a) = A(a,b) * D(b,c)
i,->i y(i) = A(i) * B
,i y(i) = A * B(i)
i,j, C(i,j) = A(i) * B(j) * D
ji C(i,j) = A(j,i)
ij-> s = A(i,j)
sj-> r = A(s,j)
END
# A result without a name gets a name that no operand has. An ellipsis stands for the remaining dimensions of an operand.
while IFS='|' read -r arguments statement; do
    eval "set -- $arguments"
    try "einsum $arguments" bash -c 'gen=$1 statement=$2; shift 2; "$gen" --einsum "$@" | grep -qF "/* $statement */"' - "$gen" "$statement" "$@"
done <<'END'
ij,jk, A B C|P(i,k) = A(i,j) * B(j,k) * C
i, y z|P(i) = y(i) * z
'...ij,...jk->...ik' A B -f A=batched_csr -f B=cube|T(a,i,k) = A(a,i,j) * B(a,j,k)
...ij,...jk -f A=dense5 -f B=cube|T(a,b,c,i,k) = A(a,b,c,i,j) * B(c,j,k)
'ab...,bc->ac...' X y -f X=csf5|T(a,c,d,e,f) = X(a,b,d,e,f) * y(b,c)
'i...->...i' -f 'A=(i, j, k) -> (i : dense, j : compressed, k : compressed)'|T(a,b,i) = A(i,a,b)
...,... -f 'A=((i, j), (dense, j), (compressed, i)), posWidth=64' -f B=mat|C(a,b) = A(a,b) * B(a,b)
'i...->' -f A=vec|s = A(i)
i... -f A=bsr2x3|C(a,i) = A(i,a)
END
set --
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n3\n2\n4\n' >"$DIR/q.mtx"
try "einsum of capitals, its numbers" bash -c '"$1" --einsum AB,BC X Y Z -i X="$2" -i Y="$2" --run --print Z | grep -qF "values : ( 7, 10, 15, 22 )"' - "$gen" "$DIR/q.mtx"
try "a loop over a union" bash -c '"$1" --expand "D(i,j) = A(i,j) + B(i,j)" -f A,B,D=csr >"$2" &&
    grep -qF "/* every j stored in A or B, while one of them has more */" "$2" &&
    grep -qF "/* every j stored in A and B, as long as they go together */" "$2" && ! grep -q "^ *extern" "$2"' - "$gen" "$DIR/union"
for words in 'static inline ' 'inline static ' 'static ' ''; do
    try "a function that is ${words}defined" bash -c '"$1" "y(i) = f(x(i))" --define "$2double f(double x) { return x + 1; }" |
        grep -q "^static inline double f(double x)"' - "$gen" "$words"
done
try "a requantised layer is one kernel, without an array of sums" bash -c '"$@" >"$0" && [ "$(grep -c "^SPARSE_KERNEL" "$0")" = 1 ] &&
    grep -qF "where((inner, int32_t)" "$0" && grep -qF "q(inner + b, m, s)" "$0" && ! grep -q SPARSE_INIT "$0"' "$DIR/layer.c" "$gen" \
    'y(i) = q(W(i,j) * x(j) + b(i), m(i), s(i))' -f W=csr -t W=i8 -t x=i8 -t y=i8 -t b=i32 -t m=i32 -t s=i32 \
    --define 'int8_t q(int32_t a, int32_t m, int32_t s) { return sparse_saturate_8(sparse_requantize(a, m, s)); }'
try "einsum without a result" bash -c '"$1" --einsum "ij,j" A x y | grep -q "^/\* y(i) = A(i,j) \* x(j) \*/" &&
    "$1" --einsum "jz,j" A x y | grep -q "^/\* y(z) = A(j,z) \* x(j) \*/"' - "$gen"
try "the options of TACO" bash -c '[ "$("$1" "y(i) = A(i,j) * x(j)" -f=A:ds:1,0 -t=A:float | tail -n +2)" = \
    "$("$1" "y(i) = A(i,j) * x(j)" -f A=csc -t A=float | tail -n +2)" ]' - "$gen"
for types in char:i8 short:i16 int:i32 long:i64 longlong:i64 uchar:u8 ushort:u16 uint:u32 ulong:u64 ulonglong:u64 complexfloat:c64 \
    complexdouble:c128 int8:i8 int16:i16 int32:i32 int64:i64 uint8:u8 uint16:u16 uint32:u32 uint64:u64 float:float double:double; do
    try "the options of TACO: $types" bash -c '[ "$("$1" "s = a(i)" -f=a:s -t=a:${2%:*} -t=s:${2%:*} | tail -n +2)" = \
        "$("$1" "s = a(i)" -f a=sparse -t a=${2#*:} -t s=${2#*:} | tail -n +2)" ]' - "$gen" $types
done
try "the options of TACO: run" bash -c '"$1" "y(i) = A(i,j) * x(j)" -f=A:ds -i=A:"$2/a.mtx" -g=x:d -time=3 -verify | grep -q "^the result"' - "$gen" "$DIR"
try "the options of TACO: a table of times" bash -c '"$1" "y(i) = A(i,j) * x(j)" -f=A:ds -i=A:"$2/a.mtx" -g=x:d -write-time="$2/times.csv" &&
    head -n 1 "$2/times.csv" | grep -qx "read,mean,deviation,median" && tail -n 1 "$2/times.csv" | grep -qE "^([0-9.e-]+,){3}[0-9.e-]+$"' - "$gen" "$DIR"
says "none/times.csv cannot be written" 1 "$gen" "${spmv[@]}" --run --time 2 --csv "$DIR/none/times.csv"
try "the options of TACO: -time alone" bash -c '"$1" "s = A(i,j)" -f=A:ds -i=A:"$2/a.mtx" -time | grep -q "median of 1$"' - "$gen" "$DIR"
try "the options of TACO: sizes of a tensor" bash -c '[ "$("$1" "C_{i,j} = A_{i,k} * B_{k,j}" -d=A:4,3 -d=j:5 -i ones --run --print C)" = \
    "$("$1" "C(i,j) = A(i,k) * B(k,j)" -d i=4,k=3,j=5 -i ones --run --print C)" ]' - "$gen"
try "the options of TACO: a band" bash -c '"$1" "s = A(i,j)" -f=A:ds -d=A:5,7 -i A=ones:1,band=1 --run | grep -qx "s = 14" &&
    "$1" "s = A(i,j)" -f A=coo -d=A:7,3 -i A=ones:1,band=1 --run | grep -qx "s = 8" &&
    "$1" "s = sum(i,j) (A(i,j) > 0)" -f=A:ds -d=A:9,9 -g=A:f | grep -qx "s = 25"' - "$gen"
while IFS='|' read -r schedule ours; do
    try "the schedules of TACO: $schedule" bash -c '[ "$("$1" "C(i,j) = A(i,k) * B(k,j)" -f=A:ds "-s=$2" | grep -A 3 ^SPARSE_K)" = \
        "$(eval "\"$1\" \"C(i,j) = A(i,k) * B(k,j)\" -f A=csr $3" | grep -A 3 ^SPARSE_K)" ]' - "$gen" "$schedule" "$ours"
done <<'END'
reorder(k,i,j)|-l k,i,j
split(j,j0,j1,32),reorder(j0,i,k,j1)|-s 'tile(j,32)' -l i,k,j
split(i, i0, i1, 64), reorder(i0,i1,k,j), parallelize(i0, CPUThread, NoRaces)|-s 'parallel(i)' -l i,k,j
parallelize(j,CPUVector,IgnoreRaces),unroll(k,4)|-s 'simd(j),unroll(k)'
precompute(A(i,k)*B(k,j),j,w),reorder(i,k,w)|-s 'where(k)' -l i,k,j
END
# Matrices that store one triangle.
half() { # the -f of A, statements and options: the result must be that of the full matrix
    local format=$1
    shift
    try "half: $format $*" bash -c '"$@" -d i=30 -i rand:0.2 --run --check | grep -q "the result is that of a dense evaluation"' - \
        "$gen" -f "A=$format" "$@"
}
for format in "symmetric(csr)" "skew(csc)" "hermitian(coo)" "symmetric(bsr2x2)" "skew(dia)" "symmetric((i, j) -> (i : dense, j : compressed))"; do
    half "$format" 'y(i) = A(i,j) * x(j)'
    half "$format" 'Y(i,k) = A(i,j) * X(j,k) + B(i,k)' -d k=4
done
half "symmetric(csr)" 's = A(i,j) * x(i) * x(j)'
half "symmetric(csr)" 'r(i) = max(j) A(i,j)'
half "symmetric(csr)" 'r(i) = argmax(j) A(i,j)'
half "skew(csr)" 'D(i,j) = A(i,j); D(i,j) += B(i,j)' -f B=csr
half "symmetric(csr)" 'y(i) = A(i,j) * x(j)' --derive x
half "symmetric(dcsr)" 'y(i) = variance(j) A(i,j)'
half "symmetric(coo)" 'y(i) = norm(j) A(i,j)'
half "symmetric(csr)" 'y(i) = A(i,j) * x(j)' --semiring min-plus
half "hermitian(csr)" 'y(i) = A(i,j) * x(j)' -t c128
half "symmetric(csr)" 'Y(i,k) = A(i,j) * X(j,k)' -d k=4 -l k,i,j -s 'parallel(k)'
try "half: a file that states it" bash -c '"$@" -f "A=symmetric(csr)" | grep -q "the result is that of a dense evaluation"' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -i A=examples/data/plate.mtx -i x=ones --run --check
try "half: explained" bash -c '"$@" --explain | grep -q "the body also runs for the image"' - "$gen" 'y(i) = A(i,j)' -f 'A=symmetric(csr)'
says "states another symmetry, or none" 1 "$gen" 'y(i) = A(i,j)' -f 'A=skew(csr)' -i A=examples/data/plate.mtx --run
printf '1 1 5\n' >"$DIR/half.tns"
refuses_half() { # sentence statements options
    local sentence=$1 statements=$2
    shift 2
    says "$sentence" 2 "$gen" "$statements" -f 'A=symmetric(csr)' "$@"
}
refuses_half "files of this format do not state a symmetry" 'y(i) = A(i,j)' -i A="$DIR/half.tns" --run
refuses_half "skew( ends with ), and nothing follows" 'y(i) = A(i,j)' -f 'A=skew(csr'
refuses_half "symmetric(...) is a matrix, and B has 1 dimensions" 'y(i) = A(i,j) * B(j)' -f 'B=symmetric(svec)'
refuses_half "a dense matrix has room for both triangles" 'y(i) = A(i,j)' -f 'A=symmetric(mat)'
refuses_half "what is not stored is 0" 'y(i) = A(i,j)' -f 'A=symmetric((i, j) -> (i : dense, j : compressed), implicitVal=2)'
refuses_half "A stores one triangle, and only operands can" 'A(i,j) = A(i,j) * d(i)'
refuses_half "--embed stores both triangles" 'y(i) = A(i,j)' --embed A=examples/data/plate.mtx
refuses_half "--search and --advise are about matrices that store both triangles" 'y(i) = A(i,j)' --search A -i A=examples/data/plate.mtx
refuses_half "the values of a skew-symmetric matrix have signs" 'y(i) = A(i,j)' -f 'A=skew(csr)' -t uint8_t
refuses_half "hermitian(...) has values of a type of numbers" 'y(i) = A(i,j).length' -f 'A=hermitian(csr)' -t A=road \
    --define 'typedef struct road { double length; } road;'
refuses_half "a result with its pattern would, too" 'C(i,j) = like(A(i,j)) * x(j)' -f C=csr
refuses_half "entries of C come out of order" 'C(i,j) = 2 * A(i,j)' -f C=csr
refuses_half "is read at two plain indices" 'd(i) = A(i,i)'
refuses_half "a kernel visits only what it stores" 'D(i,j) = A(i,j) + B(i,j)' -f B=csr
refuses_half "a kernel reads it at one place" 'D(i,j) = A(i,k) * A(k,j)'
refuses_half "A and B store one triangle each" 's = A(i,j) * B(i,j)' -f 'B=symmetric(csr)'
refuses_half "which has an index of it, has to be dense" 'y(i) = A(i,j) * x(j)' -f x=sparse
refuses_half "where() computes before the image of an entry" 'Y(i,k) = A(i,j) * X(j,l) * C(l,k)' -s 'where(j)'
refuses_half "parallel(i): a matrix stores one triangle" 'y(i) = A(i,j) * x(j)' -s 'parallel(i)'
refuses_half "simd(j): a matrix stores one triangle" 'y(i) = A(i,j) * x(j)' -s 'simd(j)'
try "the options of TACO: threads" bash -c '"$1" "y(i) = A(i,j) * x(j)" -f=A:ds -nthreads=2 | grep -q "(parallel(i), j)" &&
    "$1" "s = A(i,j) * x(j)" -f=A:ds -nthreads=2 | grep -q "(parallel_sum(i), j)"' - "$gen"
try "a note on what is summed inside" bash -c '"$1" "y(i) = abs(A(i,j))" 2>&1 | grep -q "note: j is summed inside; write sum(j) before abs"' - "$gen"
try "what is made up fills blocks and rows that have n entries" bash -c '[ "$("$@" -f A=n2of4)" = "s = 12" ] && [ "$("$@" -f A=ell3)" = "s = 9" ]' \
    - "$gen" 's = A(i,j)' -i A=ones -d i=3,j=8 --run
try "what is read and then assigned is an input" bash -c '"$1" "u(i) = x(i) + y(i); x(i) = u(i)" -i x=ones -i y=iota -d i=4 --run --print x |
    grep -q "values : ( 2, 3, 4, 5 )"' - "$gen"
try "what a dense tensor is added to begins with zeros, for the check too" bash -c '"$@" | grep -q "values : ( 4, 4, 4 )"' - \
    "$gen" 'y(i) += A(i,j)' -f A=csr -i A=ones -d i=3,j=4 --run --check --print y
try "what an earlier statement assigns needs no input" "$gen" 'C(i,j) = A(i,j); C(i,j) += C(i,k) * A(k,j)' -f A,C=csr \
    -i A=rand:0.4 -d i=5 --run --check
# User-defined functions with names of types, of the index of a diagonal, of a C function; with any number of arguments.
try "functions with the names of types" "$gen" 'y(i) = vec(x(i)) + CSR(A(i,j), 2)' -f A=csr -i rand:0.4 -d i=7,j=6 --run --check \
    --define 'double vec(double x) { return x * x; }' --define 'double CSR(double a, double b) { return a * b; }'
for f in csr coo; do
    try "a function with the name of an index: $f" "$gen" 'y(i) = A(i,i) * a(x(i)) + max(x(i))' -f A=$f -i rand:0.4 -d i=7 --run --check \
        --define 'double a(double x) { return x + 1; }' --define 'double max(double x) { return 2 * x; }'
done
try "functions of no argument, or any number" "$gen" 's = f() + i(x(j), 1, 2)' -i rand -d j=7 --run --check \
    --define 'double f(void) { return 3; }' --define 'double i(double x, ...) { return x; }'
road='typedef struct road { float length; int lanes; } road;'
try "structs" bash -c '"$1" "s = max(i,j) A(i,j).length" -f A=csr -t A=road --define "$3" >"$2/road.c" && echo "int main(void) { return 0; }" >>"$2/road.c"' \
    - "$gen" "$DIR" "$road"
try "structs compile" $compile "$DIR/road.c" -o "$DIR/road" -lm
printf '#!/bin/sh\necho >>%s\nexec %s "$@"\n' "$DIR/compiled" "$CC" >"$DIR/counting_cc"
chmod +x "$DIR/counting_cc"
try "run, and once more" bash -c 'export CC=$1; shift; "$@" --run && cp "$0" "$0.before" && "$@" --run && cmp "$0" "$0.before"' \
    "$DIR/compiled" "$DIR/counting_cc" "$gen" "${spmv[@]}"
try "help" "$gen" --help
try "help: the lists of words are broken where the next one would reach over" bash -c '"$1" --help |
    awk "/^    all (level|names)/ { lists++ } /^  A name takes/ { exit } !lists { next } { long = length > 110 }
        /^     / && length(before) + 1 + length(\$1) <= 110 || long { exit bad = 1 } { before = \$0 } END { exit bad || lists != 2 }"' - "$gen"
try "expand" bash -c '"$@" --expand | grep -q "for (size_t pA2 = A2_pos\[pA1\]; pA2 < eA2; pA2++) {"' - "$gen" "${spmv[@]}"
try "expand: a comment above each loop" bash -c '[ "$("$@" --expand | grep -c "^ */\* every i \*/\|^ */\* every j stored in A \*/")" = 2 ]' - "$gen" "${spmv[@]}"
try "embed" "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr --embed "A=$DIR/a.mtx" -i x=ones --run --check
try "embed truths" bash -c '"$@" -t bool --print y | grep -qF "values : ( 1, 1 )"' - "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr \
    --embed "A=$DIR/a.mtx" -i x=ones --run --check
# --embed leaves out the zeros of a file that lists all elements. It keeps all entries of a coordinate file, zeros too.
printf '%%%%MatrixMarket matrix array integer general\n2 4\n0\n7\n3\n0\n0\n0\n0\n0\n' >"$DIR/zeros.mtx"
printf '%%%%MatrixMarket matrix coordinate integer general\n2 4 3\n2 1 7\n1 2 3\n2 4 0\n' >"$DIR/listed.mtx"
printf '\223NUMPY\001\000v\000%-117s\n\000\003\000\000\007\000\000\000' "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 4), }" >"$DIR/zeros.npy"
printf '# of NumPy\n0,3.0e0,0,0\n7,0,0,0\n' >"$DIR/zeros.csv"
gzip -c <"$DIR/zeros.mtx" >"$DIR/packed.mtx.gz"
for file in zeros.mtx zeros.npy zeros.csv packed.mtx.gz; do
    set -- $file
    try "embed $1 without zeros" bash -c '"$@" | tr -d " \n" | grep -qF "A_val[]={3,7};"' - "$gen" 'y(i) = A(i,j) * x(j)' \
        -f A=csr -t A,x,y=i8 --embed "A=$DIR/$1"
    for encoding in csr n1of4 bitrows bitmaskrows; do
        try "embed $1 as $encoding: run" bash -c '"$@" --print y | grep -qF "values : ( 3, 7 )"' - "$gen" 'y(i) = A(i,j) * x(j)' -f A=$encoding \
            -t A,x,y=i8 --embed "A=$DIR/$1" -i x=ones --run --check
    done
done
set --
try "embed: the narrowest widths, and the bytes of other encodings" bash -c 'text=$("$@") && grep -qF "SPARSE_CSR, int8_t, 8, 8" <<<"$text" &&
    grep -qF "A takes 7 bytes; as mat 8, csr 7, csr_delta4 6, dcsr 11, bitrows 12, bitmaskrows 9, n1of4 4, " <<<"$text"' - "$gen" 'y(i) = A(i,j) * x(j)' \
    -f A=csr -t A,x,y=i8 --embed "A=$DIR/zeros.npy"
try "embed: widths that are given stay" bash -c '"$@" | grep -qF "SPARSE_CSR, int8_t, 16, 8"' - "$gen" 'y(i) = A(i,j) * x(j)' \
    -f A=csr,posWidth=16 -t A,x,y=i8 --embed "A=$DIR/zeros.npy"
for encoding in csr csr_delta4 n1of4 bitrows bitmaskrows dense; do
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=$encoding -t A,x=i8 -t y=i32 --embed "A=$DIR/zeros.npy" --fixed >"$DIR/fixed.c"
    cat >>"$DIR/fixed.c" <<'C'
int main(void)
{
    int32_t y[2];
    return compute_y_arrays(y, (const int8_t[]){2, 3, 5, 7}) != SPARSE_OK || y[0] != 9 || y[1] != 14;
}
C
    try "embed $encoding of fixed sizes" bash -c '"${@:3}" "$2/fixed.c" -o "$2/fixed" && "$2/fixed"' - - "$DIR" $compile
done
# A file whose lines may be entries or rows of a table.
printf '1,2,3\n2,1,5\n' >"$DIR/either.csv"
either=("$gen" 's = A(i,j)' -f A=csr --run)
try "a table: an input" bash -c '[ "$("$@")" = "s = 10" ]' - "${either[@]}" -i "A=$DIR/zeros.csv"
try "a table: truths" bash -c '[ "$("$@")" = "s = 6" ]' - "${either[@]}" -t A=bool -t s=i32 -i "A=$DIR/either.csv" --read-as A=table
try "a table: with sizes that are given" bash -c '[ "$("$@")" = "s = 14" ]' - "${either[@]}" -d i=2,j=3 -i "A=$DIR/either.csv" --read-as A=table
says "dimension 2 is 3, its index 4" 1 "${either[@]}" -d j=4 -i "A=$DIR/either.csv" --read-as A=table
try "entries in the place of a table" bash -c '[ "$("$@")" = "s = 8" ]' - "${either[@]}" -i "A=$DIR/either.csv" --read-as A=csv
try "a table in a file with any name" bash -c 'cp "$1/zeros.csv" "$1/zeros.numbers" && [ "$("${@:2}")" = "s = 10" ]' - "$DIR" "${either[@]}" \
    -i "A=$DIR/zeros.numbers" --read-as A=table
try "embed a table of three columns" bash -c '"$@" | tr -d " \n" | grep -qF "A_val[]={1,2,3,2,1,5};"' - "$gen" 's = A(i,j)' -f A=csr -t i8 \
    --embed "A=$DIR/either.csv" --read-as A=table
for option in -i --embed; do
    says "the file may have entries or rows of a table: say --read-as A=csv or --read-as A=table" 2 "${either[@]:0:4}" $option "A=$DIR/either.csv" --main
done
says "numbers is no format of files; these are: .mtx " 2 "${either[@]}" -i "A=$DIR/either.csv" --read-as A=numbers
says "A is read from no file" 2 "${either[@]}" -i rand:1 -d i=2,j=2 --read-as A=table
try "embed listed zeros" bash -c '"$@" | tr -d " \n" | grep -qF "A_val[]={3,7,0};"' - "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr \
    -t A,x,y=i8 --embed "A=$DIR/listed.mtx"
try "embed truths without zeros" bash -c '"$@" -t bool --print y | grep -qF "values : ( 1, 1 )"' - "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr \
    --embed "A=$DIR/zeros.npy" -i x=ones --run --check
try "embed zeros of another semiring" bash -c '"$@" | tr -d " \n" | grep -qF "A_val[]={0x0p+0f,0x1.8p+1f,0x0p+0f,"' - "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr \
    -t float --semiring min-plus --embed "A=$DIR/zeros.npy"
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 nan\n2 2 3\n' >"$DIR/nan.mtx"
try "a derivative that is zero is zero also where the tensor is NaN" bash -c '[ "$("$@" | grep -o "values : .*")" = "values : ( 1, 0, 1 )" ]' - \
    "$gen" 'y(i) = A(i,i)' -f A=csr -i "A=$DIR/nan.mtx" --derive A -i dy=ones --run --print dA
for name in one two; do
    "$gen" 's = f(x(i)) + x(j)' --define 'double f(double u) { return u * u; }' -i x=ones -d i=3 --part --name $name
done >"$DIR/parts.c" 2>"$DIR/errors"
echo 'int main(void) { return one_main() || two_main(); }' >>"$DIR/parts.c"
try "two parts with one function: built" $compile -DSPARSE_DECLARE "$DIR/parts.c" "$DIR/kit.o" -o "$DIR/parts" -lm
try "two parts with one function: results" bash -c '[ "$("$1")" = "s = 12
s = 12" ]' - "$DIR/parts"
printf '%%%%MatrixMarket matrix coordinate complex general\n2 3 3\n1 1 2 -1\n1 3 1 inf\n2 2 5 nan\n' >"$DIR/c.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 -inf\n1 3 inf\n2 2 nan\n' >"$DIR/inf.mtx"
printf '%%%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 -9223372036854775808\n2 3 9223372036854775807\n' >"$DIR/least.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 0\n' >"$DIR/empty.mtx"
try "the greatest and the least numbers are compared as they are" bash -c '[ "$("$@")" = "s = 1
t = 1" ]' - "$gen" 's = sum(i,j) (A(i,j) > 9223372036854775806); t = sum(i,j) (A(i,j) < -9223372036854775807)' -f A=csr -t i64 \
    -i "A=$DIR/least.mtx" --run
for values in 'double inf nan' 'float inf nan' 'f16 inf nan' 'c64 c nan, nan' 'c128 c nan, nan' \
    'i64 least -9223372036854775808, 9223372036854775807' 'c64 empty 0, 0' 'bf16 empty 0, 0'; do
    set -- $values
    try "embed $1 of $2" bash -c '"$1" "y(i) = A(i,j) * x(j)" -f A=csr -t "$2" --embed "A=$3.mtx" -i x=ones --run --check --print y |
        grep -q "values : .*$4"' - "$gen" "$1" "$DIR/$2" "${*:3}"
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr -t "$1" --embed "A=$DIR/$2.mtx" >"$DIR/embedded.c"
    try "embed $1 of $2: without warnings" $compile -c "$DIR/embedded.c" -o "$DIR/embedded.o"
done
set --
try "main" bash -c '"$1" "${@:3}" --main >"$2/main.c"' - "$gen" "$DIR" "${spmv[@]}"
try "main compiles" $compile "$DIR/main.c" -o "$DIR/main" -lm
try "main runs" "$DIR/main"
"$gen" "${spmv[@]:0:3}" -i "A=$DIR/a.mtx" -i x=ones -o "y=$DIR/y.csv" --main >"$DIR/rare.c"
try "main with a rare format compiles" $compile "$DIR/rare.c" -o "$DIR/rare" -lm
try "main with a rare format runs" "$DIR/rare"
try "roofline" bash -c '"$@" --run --check --time 3 --roofline | grep -q "^roofline: 6 operations, 104 bytes at least"' \
    - "$gen" "${spmv[@]}"
try "roofline: more than memory allows is explained" bash -c '"$@" --run --time 3 --roofline >"$0" && awk "
    /reached/ { split(\$0, part, \"one core, \"); told = /stays in the cache/; exit (part[2] + 0 > 100) != told }" "$0"' "$DIR/roofline" \
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr -i rand:0.5 -d i=60,j=60
try "roofline of several kernels" bash -c '"$@" --run --time 3 --roofline | grep -q "^roofline: 20 operations, 176 bytes"' \
    - "$gen" 'y(i) += A(i,j) * x(j) + b(i)' -d i=4,j=2 -i rand -s 'parallel(i)'
try "roofline of what is in place" bash -c '"$@" --run --time 2 --roofline | grep -q "^roofline: 4 operations, 96 bytes"' \
    - "$gen" 'y(i) = y(i) * x(i)' -d i=4 -i rand
try "sizes" bash -c '"$@" --sizes | grep -qx "A: 3 entries, sizes 2 3"' - "$gen" "${spmv[@]}"
# --sizes and its statistics of a pattern equal a count of its coordinates
for places in 4 120; do
    awk -v places=$places 'function draw(n) { s = s * 16807 % 2147483647; return s % n } BEGIN { s = 1; for (n = 0; n < places; n++) {
        r = draw(n % 3 ? 1100 : 12); c = n % 3 == 0 ? draw(24) : n % 3 == 1 ? r + draw(4) : draw(140000); if (!seen[r, c]++) print r, c } }' >"$DIR/places"
    awk 'BEGIN { print "%%MatrixMarket matrix coordinate pattern general" } { line[NR] = $1 + 1 " " $2 + 1 }
        END { print 1100, 140000, NR; for (n = 1; n <= NR; n++) print line[n] }' "$DIR/places" >"$DIR/places.mtx"
    awk 'function count(name, key) { if (!seen[name, key]++) distinct[name]++; if (seen[name, key] > most[name]) most[name] = seen[name, key] } {
            count(1, $1); count(2, $2); count(3, $1 " " $2); count("fours", $1 " " int($2 / 4)); count("parts65536", $1 " " int($2 / 65536))
            for (b = 2; b <= 8; b++) count("blocks" b, int($1 / b) " " int($2 / b))
            count("diagonals", $2 - $1); count("diagonals512", int($1 / 512) " " $2 - $1)
            count("lines1", int($2 / 512) " " int($1 / 8)); count("lines2", int($1 / 512) " " int($2 / 8))
        } END { print "longest:" most[1]; for (name in distinct) print name ":" (name == "fours" ? most[name] : distinct[name]) }' "$DIR/places" |
        sort >"$DIR/counted"
    try "sizes: what is told of a pattern of $places" bash -c '"${@:2}" --sizes | sed -n "s/^A: distinct //p" | tr " " "\n" | sort | cmp - "$1"' - "$DIR/counted" \
        "$gen" 's = A(i,j)' -f A=csr -i "A=$DIR/places.mtx"
done
printf '0 2 5\n1 0 7\n' >"$DIR/zero.tns"
try "a file that counts from 0" bash -c '! "$@" 2>"$0.errors" && grep -q "zero_based" "$0.errors" &&
    "$@" --zero-based --print y | grep -qx "values : ( 5, 7 )"' "$DIR/zero" \
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr -i "A=$DIR/zero.tns" -i x=ones --run
try "a file that counts from 0, of truths" bash -c '[ "$("$@")" = "s = 2" ]' - \
    "$gen" 's = A(i,j) + 0' -f A=csr -t A=bool -i "A=$DIR/zero.tns" --zero-based --run
try "a file that counts from 0, in the program" bash -c '"$@" | grep -q "values : .*5, 7"' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr --embed "A=$DIR/zero.tns" --zero-based -i x=ones --run --print y
moving=('y(i) = x(2*i+p) * w(p)' -d i=5,p=3 -i rand)
try "subscripts: as large as needed" "$gen" "${moving[@]}" --run --check
seq 1 10 | sed 's/$/ 1/' >"$DIR/short.tns"
try "subscripts: out of range" bash -c '! "$@" --run -i "x=$0" 2>"$0.errors" && grep -q "^compute_y: .*siz" "$0.errors"' \
    "$DIR/short.tns" "$gen" "${moving[@]}"
seq 1 11 | sed 's/$/ 1/' >"$DIR/short.tns"
try "taken away" bash -c '"$1" "y(i) = 2 * i; y(i) -= i - 5 - b(i)" -d i=4 -i b=ones --run --print y | grep -qF "values : ( 6, 7, 8, 9 )"' - "$gen"
try "subscripts: in range" "$gen" "${moving[@]}" --run --check -i "x=$DIR/short.tns"
try "subscripts: embedded" "$gen" "${moving[@]}" --run --check --embed "x=$DIR/short.tns"
try "subscripts: explain" bash -c '"$@" --explain | grep -q "x is read as an array"' - "$gen" "${moving[@]}"
try "subscripts: dot" "$gen" "${moving[@]}" --dot
try "subscripts: expand" bash -c '"$@" --expand | grep -qF "x_array[2 * i + p]"' - "$gen" "${moving[@]}"
conv=('O(i,j) = I(i+p-1,j+q) * F(p,q)' -f I=csr -f O=csr -d i=50,j=60)
try "sums: the line" bash -c '"$@" --padded I | grep -qF "all(padded(I, CSR, plus(i, p, (-1)), plus(j, q)), (F, MAT, p, q))"' - "$gen" "${conv[@]}"
try "sums: unresolved terms" bash -c '"$@" --padded -l i,j,p,q --explain | grep -qF "I, level 2, unresolved {j, q}: reduces j+q by j" &&
    "$@" --padded -l i,j,p,q --explain | grep -qF "I, level 2, unresolved {q}: resolves j+q by q"' - "$gen" "${conv[@]}"
try "sums: the order of the loops" bash -c '"$@" --padded | grep -qF "(range(i, 50), p, q, range(j, 60))"' - "$gen" "${conv[@]}"
try "sums: an output larger than the cache is gone through once" bash -c '"$1" "O(i,j) = I(i+p,j+q) * F(p,q)" -f I=csr |
    grep -qF "(compute_O, (i, p, q, j)"' - "$gen"
layer=('O(n,i,j,f) = I(n,i+p,j+q,c) * F(p,q,c,f)' -f 'I=(n, h, w, c) -> (n : dense, h : dense, w : dense, c : compressed)')
try "sums: nor is one inside of a loop over images that is" bash -c 'for n in 1 5; do
        "$@" -d n=$n,i=112,j=112,p=7,q=7,c=3,f=64 | grep -qF "(compute_O, (n, i, p, q, j, c, f)" &&
        "$@" -d n=$n,i=14,j=14,p=3,q=3,c=512,f=512 | grep -qF "(compute_O, (n, p, q, i, j, c, f)" || exit
    done' - "$gen" "${layer[@]}"
small=('O(i,j) = I(i+p,j+q) * F(p,q)' -f I=csr -d p=3,q=3,i=100,j=100)
large=('O(i,j) = I(i+p,j+q) * F(p,q)' -f I=csr -d p=3,q=3)
try "sums: a small window of a known size is gone through for each entry" bash -c '"$@" |
    grep -qF "(r, s, range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))"' - "$gen" "${small[@]}"
try "sums: in the order that is stored" bash -c '"$@" -f I=csc |
    grep -qF "(s, r, range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))"' - "$gen" "${small[@]}"
try "sums: an output larger than the cache is found along its rows" bash -c '"$@" |
    grep -qF "(i, range(p, 3), r, range(q, 3), let(j, r - q))"' - "$gen" "${large[@]}"
try "sums: explain what has a loop of its own" bash -c '"$@" --explain | grep -q "i: has a loop of its own: O is larger" &&
    ! "$@" -d i=100,j=100 --explain | grep -q "has a loop of its own"' - "$gen" "${large[@]}"
try "sums: one by columns comes by all of its rows anyway" bash -c '"$@" -f I=csc |
    grep -qF "(s, r, range(p, 3), let(i, r - p), range(q, 3), let(j, s - q))"' - "$gen" "${large[@]}"
try "sums: a row that is all of the output is found" bash -c '"$1" "y(i) = x(i+p) * w(p)" -f x=sparse -d p=3,i=1000000 |
    grep -qF "(r, range(p, 3), let(i, r - p))"' - "$gen"
try "sums: steps and offsets go to the other side" bash -c '"$1" "y(i) = x(i+2*p-3) * w(p)" -f x=sparse -d p=3 --padded |
    grep -qF "(r, range(p, 3), let(i, r - 2 * p + 3))"' - "$gen"
try "sums: an index that threads share is not found from what is stored" bash -c '"$@" -s "parallel(i)" |
    grep -qF "(parallel(i), range(p, 3), r, range(q, 3), let(j, r - q))"' - "$gen" "${small[@]}"
printf '%%%%MatrixMarket matrix coordinate real general\n20 30 3\n1 1 2\n4 5 3\n19 20 4\n' >"$DIR/windows.mtx"
try "sums: an index that threads share has its size from -d where nothing else tells it" bash -c '"$@" |
    grep -qF "(parallel(i), p, q, range(j, 5))" && "$@" -i I="$0" -i F=iota --run --check --print O | grep -qF "dim = ( 4, 5 )"' \
    "$DIR/windows.mtx" "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -f I,O=csr -d p=3,q=3,i=4,j=5 -l i,p,q,j -s 'parallel(i)'
printf '%%%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 2\n2 3 4\n3 2 5\n' >"$DIR/square.mtx"
for sizes in p=2,q=3 p=3,q=2; do
    try "sums: an index that several know has as many values as fit into all, $sizes" bash -c '"$@" >"$0" &&
        grep -qF "dim = ( 2 )" "$0" && grep -qF "the result is that of a dense evaluation" "$0"' "$DIR/fits" \
        "$gen" 'y(i) = A(i+p,i+q) * u(p) * v(q)' -f A=csr -i A="$DIR/square.mtx" -i u,v=ones -d $sizes --run --check --print y
done
try "sums: an order that is asked for stays" bash -c '"$@" -l i,p,q,j | grep -qF "(compute_O, (i, p, q, j)"' - "$gen" "${small[@]}"
try "sums: multiples of an index are found where they divide" bash -c '"$1" "O(i,j) = I(i+p,2*j+q-1) * F(p,q)" -f I=csr -d p=3,q=3 --padded |
    grep -qF "(i, range(p, 3), r, range(q, 3), let(j, (r - q + 1) % 2 ? SIZE_MAX : (r - q + 1) / 2))"' - "$gen"
try "sums: windows with something between them are not" bash -c '! "$1" "O(i,j) = I(4*i+p,4*j+q) * F(p,q)" -f I=csr -d p=3,q=3 | grep -q "let(" &&
    "$1" "O(i,j) = I(3*i+p,3*j+q) * F(p,q)" -f I=csr -d p=3,q=3 | grep -q "let("' - "$gen"
try "sums: a subscript is told without what is zero" bash -c '"$1" "y(i) = a(2*i+p) * w(p)" -f a=sparse | grep -qxF "/* y(i) = a(2*i+p) * w(p) */"' \
    - "$gen"
opened='(r, range(p, 3), let(i, r - p), j, range(q, 3))'
try "sums: rows of which enough is stored become arrays" bash -c 'for size in 98 998; do
        "${@:2}" -d i=$size,j=$size -i I=rand:0.4 | tr -d "\n" | tr -s " " | grep -qF "compute_O_1, $1, from(0, O, MAT, i, j), all(where((row, VEC, let(s, plus(j, q))), (s), all((I, CSR, r, s)), row = I), (F, MAT, p, q)), O += row * F)" || exit
        "${@:2}" -d i=$size,j=$size -i I=rand:0.05 | grep -qF "let(j, " || exit
        "${@:2}" -d i=$size,j=$size -i I=rand:0.001 | grep -qF "let(j, " || exit
    done' - "$opened" "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -f I=csr -d p=3,q=3
try "sums: and in three dimensions" bash -c '"$@" -i I=rand:0.4 | grep -qF "(s, t, range(p, 3), let(i, s - p), range(q, 3), let(j, t - q), k, range(r, 3))" &&
    "$@" -i I=rand:0.01 | grep -qF "let(k, t - r)"' - "$gen" 'O(i,j,k) = I(i+p,j+q,k+r) * F(p,q,r)' -f I=csf -d p=3,q=3,r=3,i=98,j=98,k=98
try "sums: explain rows that become arrays" bash -c '"$@" --explain | grep -q "where(s): each row of I is copied into an array, which is read at j+q: so many" &&
    "$@" --explain | grep -q "let(i): the cheapest"' - "$gen" "${small[@]}" -i I=rand:0.4
for changed in "-s let(i),let(j)" "-l i,p,q,j" "--padded" "-f F=csr" "-f O=colmajor" "-f O=csr" "--semiring=min-plus"; do
    try "sums: no arrays with $changed" bash -c '! "$@" | grep -q "where("' - "$gen" "${small[@]}" -i I=rand:0.4 $changed
done
{ printf '%%%%MatrixMarket matrix coordinate real general\n40 30 600\n' && seq 0 599 | awk '{ print $1 % 40 + 1, int($1 / 40) * 2 + 1, $1 }'; } >"$DIR/half.mtx"
try "sums: a file tells sizes and entries" bash -c '"$@" -i I="$0" | grep -qF "j, range(q, 3))" && "$@" -i I="$0" -i F=iota --run --check &&
    "$@" -i I="$0" --explain | grep -q "r = 40 of an input.*j = 28 of an input.*about 600 entries of I"' \
    "$DIR/half.mtx" "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -f I=csr -d p=3,q=3
try "sums: all of three dimensions are found" bash -c '"$@" | grep -qF "let(i, s - p), range(q, 3), let(j, t - q), range(r, 3), let(k, u - r)"' - \
    "$gen" 'O(i,j,k) = I(i+p,j+q,k+r) * F(p,q,r)' -f I=csf -d p=3,q=3,r=3,i=20,j=20,k=20
try "sums: as many are found as a kernel has loops for" bash -c '"$@" | grep -qF "let(k, u - r), range(t, 3), let(m, v - t)"' - \
    "$gen" 'O(i,j,k,l,m) = I(i+p,j+q,k+r,l+s,m+t) * F(p,q,r,s,t)' -f I=csf -d p=3,q=3,r=3,s=3,t=3,i=20,j=20,k=20,l=20,m=20
try "sums: explain what is found" bash -c '"$@" --explain | grep -q "let(i, j): the cheapest; the loops visit each entry of I once"' - "$gen" "${small[@]}"
try "sums: a sparse result is found where a window is wider than what a row has in it" bash -c '"$@" -f O=csr -d j=20 |
    grep -qF "let(j, r - q, extent_j))" && ! "$@" -f O=csr | grep -q "let("' - "$gen" "${large[@]}"
try "sums: a workspace is for a row where it can be" bash -c '"$@" -f O=csr -f F=csr -d i=30,j=30 |
    grep -qF "(range(i, 30), p, q, range(j, 30))"' - "$gen" "${large[@]}"
for size in 14 15; do
    seq 1 $size | sed 's/$/ 1/' >"$DIR/found.tns"
    try "sums: subscripts of what is found are checked, $size" bash -c '"${@:2}" --run --check 2>"$0.errors"; status=$?
        [ "$1" = 15 ] && [ $status = 0 ] || { [ "$1" = 14 ] && [ $status != 0 ] && grep -q "^compute_y: .*siz" "$0.errors"; }' \
        "$DIR/found" $size "$gen" 'y(i) = x(i+p) * w(p)' -f x=sparse -i "x=$DIR/found.tns" -i w=ones -d i=12,p=4 -s 'let(i)'
done
for asked in "csr let(j),prefetch(j) prefetch(r)" "csr let(i),let(j),prefetch(j) prefetch(s)" "csc let(i),let(j),prefetch(i) prefetch(r)" \
    "coo let(i),let(j),prefetch(j) prefetch(s)" "dcsr let(i),prefetch(i) prefetch(r)"; do
    set -- $asked
    try "sums: places asked for ahead: $asked" bash -c '"${@:2}" | grep "^SPARSE_KERNEL" | grep -qF "$1" && "${@:2}" -d i=30,j=20,p=3,q=2 -i I=rand:0.1 -i F=iota \
        --run --check' - "$3" "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -f I=$1 -s "$2"
done
try "sums: explain places asked for ahead" bash -c '"$@" --explain | grep -q "prefetch(j): requested; elements computed from s are prefetched"' - \
    "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -f I=csr -s 'let(i),let(j),prefetch(j)'
says "prefetch(i): no kernel has a loop over the entries of one operand through which others are reached" 2 \
    "$gen" 'y(i) = x(2*i+p) * F(p)' -f x=sparse -s 'let(i),prefetch(i)'
says "prefetch(i): no kernel has a loop over the entries of one operand through which others are reached" 2 \
    "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -f I=csr -s 'let(i),let(j),prefetch(i)'
try "sums: dot" "$gen" "${conv[@]}" --padded --dot
try "sums: draw" "$gen" "${conv[@]}" --padded --draw
try "sums: expand" bash -c '"$@" --padded --expand | grep -q "sparse_p_window_of"' - "$gen" "${conv[@]}"
try "sums: sizes from files" bash -c '"$1" "y(i) = A(i,j+p) * w(p)" -f A=csr -i "A=$2/a.mtx" -i w=ones -d p=2 --run --check --print y |
    grep -qF "values : ( 3, 10 )"' - "$gen" "$DIR"
try "sums: steps are passed over where places are not found" bash -c '"$@" -i rand:0.1 | grep -q "let(j, (. - q) % 2"' - \
    "$gen" 'O(i,j) = I(2*i+p,2*j+q) * F(p,q)' -f I=csr -d i=500,j=500,p=3,q=3
try "sums: a window of which few places are stored is not written out" bash -c '! "$@" | grep -F "(r, s, "' - \
    "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -f I=csr -f F=csr -d i=300,j=300,p=7,q=7 -i I=rand:0.1 -i F=rand:0.2
try "sums: levels are gone through from the first one on, so that nothing is searched for below each parent" bash -c '"$@" |
    grep -qF "(i, range(p, 3), s, range(q, 3), let(j, (s - q) % 2"' - \
    "$gen" 'O(i,j,k) = I(2*i+p,2*j+q,2*k+r) * F(p,q,r)' -f I=csf -d i=50,j=50,k=50,p=3,q=3,r=3 -i I=rand:0.01
try "sums: a loop over what is stored is as long as the sum is" bash -c '"$@" | grep -qF "(i, range(p, 5), r, range(q, 5), let(j, (r - q) % 3"' - \
    "$gen" 'O(i,j) = I(3*i+p,3*j+q) * F(p,q)' -f I=csr -d i=400,j=400,p=5,q=5 -i I=rand:0.2
try "sums: what is stored is visited once, in order, where a cache holds the result" bash -c '"$@" | grep -qF "(r, s, range(p, 3)"' - \
    "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -f I=dcsr -d i=600,j=600,p=3,q=3 -i I=rand:0.2
try "diagonals that the entries fill are few" bash -c '"$@" | grep -qF "(minus(j, i), i)"' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=dia -d i=10000,j=10000 -i A=rand:0.0005
for density in 0.2 0.4; do
    try "sums: rows without a factor become arrays where a third is stored: $density" bash -c '"$@" | grep -c "where((row, VEC" | grep -qx "$0"' \
        "$([ $density = 0.4 ] && echo 1 || echo 0)" "$gen" 'O(i,j) = I(i+p,j+q)' -f I=csr -d i=500,j=500,p=3,q=3 -i I=rand:$density
done
try "sums: a size that does not fit" bash -c '! "$1" "y(i) = A(i,j+p) * x(j)" -f A=csr -i "A=$2/a.mtx" -i x=ones -d p=2,j=4 --run 2>"$2/errors" &&
    grep -q "^compute_y: .*A has 3 columns, its sum of indices needs 5" "$2/errors"' - "$gen" "$DIR"
try "sums: search: what is found" bash -c '"$@" --search x --tries 40 --csv "$0" && grep -q "\"let(i)\",.*,right," "$0" &&
    grep -q "\"let(i),prefetch(i)\",.*,right," "$0"' "$DIR/let.csv" \
    "$gen" 'y(i) = x(i+p) * w(p)' -f x=sparse -d i=50,p=3 -i rand:0.2
try "sums: search" bash -c '"$@" --search a --tries 3 --csv "$0" && grep -q ",right," "$0" && ! grep -q "wrong\|compile" "$0"' "$DIR/sums.csv" \
    "$gen" 'y(i) = a(i+p) * w(p)' -d i=5,p=2 -i rand:0.5
try "sums: search: what cannot be in an order of the loops cannot be with a strategy" bash -c '"$@" --search I --tries 1 --csv "$0" >"$0.out" &&
    for s in "" " simd(p)" " prefetch(q)"; do
        grep -q "I=csr_8_8\",\"i,j,q,p$s\",.*refused.*would have to be converted: its order" "$0" || exit
    done' "$DIR/orders.csv" "$gen" 'O(i,j) = I(i+p,j+q) * F(p,q)' -d i=5,j=6,p=2,q=3 -i rand:0.3
printf '#!/bin/sh\necho "$*" >>%s\nexec %s "$@"\n' "$DIR/commands" "$CC" >"$DIR/telling_cc"
chmod +x "$DIR/telling_cc"
try "storage is linked where none is made while time is taken" bash -c 'export CC=$1; shift; "$@" --time 2 && grep -q "DSPARSE_DECLARE.*/program-" "$0" &&
    rm "$0" && "$@" -f y=sparse --time 2 && ! grep -q DSPARSE_DECLARE "$0" && "$@" -f y=sparse && grep -q DSPARSE_DECLARE "$0" && rm "$0" && { ! echo "int main(void) { return 0; }" |
    $CC -fopenmp -x c - -o "$0.openmp" || { "$1" "y(i) = x(i)" -d i=9 -i rand --run --time 2 -s "parallel(i)" && grep -q "DSPARSE_DECLARE -fopenmp.*/program-" "$0"; }; }' \
    "$DIR/commands" "$DIR/telling_cc" "$gen" 'y(i) = a(i+p) * w(p)' -f a=sparse -d i=9,p=2 -i rand:0.5 --run --check
search=("$gen" 'y(i) = a(i) + b(i)' -d i=5 -i rand:0.5 --search a --tries 4)
try "search" "${search[@]}" --csv "$DIR/search.csv" --svg "$DIR/search.svg"
cp "$DIR/errors" "$DIR/tried"
try "search: what has no strategy comes first" grep -qx "1 of 4: [^ ]* i: .*" "$DIR/tried"
"${search[@]}" --csv "$DIR/search.csv" >"$DIR/best" 2>"$DIR/refusals"
try "search: the best line comes last" grep -q '^SPARSE_KERNEL(compute_y[_,]' "$DIR/best"
try "search: each refusal once" bash -c '[ "$(grep "^refused: [0-9]*, such as" "$1" | sort | uniq -d | wc -l)" = 0 ]' - "$DIR/refusals"
try "search: every result is right" bash -c 'grep -q ",right," "$1" && ! grep -q "wrong\|compile" "$1"' - "$DIR/search.csv"
try "search: widths" grep -q '^"a=svec_8_8","i",.*,right,' "$DIR/search.csv"
try "search: the picture has a best cell, a legend and units" bash -c 'grep -q "best: .* [mu]s" "$1" && grep -q "grey: refused" "$1"' - "$DIR/search.svg"
try "search: the legend is within the picture" bash -c 'set -- $(sed -n "s/^<svg.* width=.\([0-9]*\)..*/\1/p; s/.*<text x=.\([0-9]*\)[^>]*>[^<]*grey: refused.*/\1/p" "$1") && [ $(($1 - $2)) -ge 340 ]' - "$DIR/search.svg"
printf '#!/bin/sh\ncase " $* " in *" -fopenmp "*) exit 1 ;; esac\nexec %s "$@"\n' "$CC" >"$DIR/plain_cc"
chmod +x "$DIR/plain_cc"
says "the compiler has no -fopenmp: no loop is run in parallel" 0 env CC="$DIR/plain_cc" "${search[@]}" --csv "$DIR/plain.csv"
try "search without OpenMP: no loop in parallel" bash -c 'grep -q right "$1" && ! grep -q parallel "$1"' - "$DIR/plain.csv"
try "search goes on from its table" bash -c '"$@" 2>&1 | grep -q "^1 of 4: " && ! grep -q anew "$0"' "$DIR/errors" "${search[@]}" --csv "$DIR/search.csv"
says "is of another search, compiler or input: it is begun anew" 0 "${search[@]}" -d i=6 --csv "$DIR/search.csv"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 1\n' >"$DIR/found.mtx"
search=("$gen" 's = A(i,j)' -i "A=$DIR/found.mtx" --search A --tries 2 --csv "$DIR/found.csv")
try "search: a file" "${search[@]}"
try "search goes on from its table: a file" bash -c '! "$@" 2>&1 | grep anew' - "${search[@]}"
sed -i 's/^1 1 1$/2 3 1/' "$DIR/found.mtx"
says "is of another search, compiler or input: it is begun anew" 0 "${search[@]}"
says "none.mtx cannot be read: No such file" 2 "$gen" "y(i) = A(i,j) * x(j)" -i "A=$DIR/none.mtx" -i x=ones --search A
says "such as" 0 "$gen" 'C(i,j) = A(i,k) * B(k,j)' -f B,C=csr -d i=4,j=4,k=4 -i rand:0.5 --search A --tries 1 \
    --csv "$DIR/strategies.csv"
try "search: every refusal is told of" [ "$(sed -n 's/^refused: \([0-9]*\),.*/\1/p' "$DIR/refusal" | awk '{ n += $1 } END { print n }')" = \
    "$(grep -c ',refused,' "$DIR/strategies.csv")" ]
for strategy in simd unroll where prefetch tile parallel; do try "search: $strategy" grep -q " $strategy(" "$DIR/strategies.csv"; done
awk 'BEGIN { print "%%MatrixMarket matrix coordinate real general\n400 400 1198"; for (i = 1; i <= 400; i++)
    for (j = i - 1; j <= i + 1; j++) if (j > 0 && j <= 400) print i, j, i + 2 * j }' >"$DIR/band.mtx"
printf '%%%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n' >"$DIR/full.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n100000 100000 3\n5 7 1\n500 8 2\n70000 3 3\n' >"$DIR/few.mtx"
awk 'BEGIN { print "%%MatrixMarket matrix coordinate pattern general\n120000 120000 240000"; for (i = 1; i <= 120000; i++)
    print i, i "\n" i, (i > 3 ? i - 3 : i + 1) }' >"$DIR/long.mtx"
awk 'BEGIN { print "%%MatrixMarket matrix coordinate real general\n400 400 3200"; for (n = 0; n < 800; n++)
    for (i = 1; i <= 2; i++) for (j = 1; j <= 2; j++) print 2 * int(n / 4) + i, 2 * ((7 * int(n / 4) + 13 * n) % 200) + j, i + 2 * j }' >"$DIR/blocks.mtx"
for pattern in 'long dia512. the diagonals are so full' 'blocks bsr2x2. blocks are so full' 'band dia. the diagonals are so full' 'few coo. so few entries' 'full mat. so many places'; do
    set -- $pattern
    "$gen" 'y(i) = A(i,j) * x(j)' -i "A=$DIR/$1.mtx" -i x=ones --advise A >"$DIR/advice"
    try "advise: $1" bash -c 'grep -q "^advice: -f .*A=$1" "$3" && grep -q "^  A: $2" "$3"' - "${2%.}" "${*:3}" "$DIR/advice"
done
set --
scattered=("$gen" -i A=rand:2e-6 -d i=600000,j=600000 -i x=ones)
for statement in 'y(i) = A(i,j) * x(j)' 'y(j) = A(i,j) * x(i)'; do
    try "advise: a grid of what is scattered: $statement" bash -c '"$@" --advise A | grep -qF "A=csb65536, posWidth=32, crdWidth=16$0 -l j,i"' \
        "'" "${scattered[@]}" "$statement"
    try "a grid: the blocks of what is found anywhere come first: $statement" bash -c '"$@" -f A=csb65536 |
        grep -qF "(floordiv(j, 65536), floordiv(i, 65536), mod(i, 65536), mod(j, 65536))"' - "${scattered[@]}" "$statement"
done
for order in j,i i,j; do
    try "a grid: the order of its blocks: $order" bash -c '"$@" -l $0 | grep -qF "(floordiv(${0%,*}, 64), floordiv(${0#*,}, 64), mod(i, 64), mod(j, 64))"' \
        "$order" "$gen" 'y(i) = A(i,j) * x(j)' -f A=csb64
done
try "advise: a sum in a register is worth a few positions more" bash -c '"$@" | grep -qF "A=csr, posWidth=32, crdWidth=16" ' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -d i=3000,j=300 -i A=rand:0.1 -i x=rand --advise A
try "advise: why positions are narrow" bash -c '"$@" | grep -q "; positions of 16 bits and coordinates of 8 hold A$"' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -d i=300,j=200 -i A=rand:0.1 -i x=rand --advise A
! command -v script >/dev/null || try "advise: what goes on, on a terminal alone" bash -c 'script -qec "$0" /dev/null </dev/null | grep -q "reading the inputs" &&
    ! sh -c "$0" 2>&1 | grep "reading the inputs"' "$gen 's = A(i,j)' -i A=rand:0.5 -d i=4,j=5 --advise A"
try "advise: nothing is scattered without a vector" bash -c '! "$@" | grep csb' - "$gen" 's = A(i,j)' -i A=rand:2e-6 -d i=600000,j=600000 --advise A
try "a grid that is converted has coordinates of the whole" "$gen" 'y(i) = A(i,j) * x(j) * B(i,j)' -f 'A=csb64, crdWidth=8' -f B=csr \
    -i A=rand:0.01 -i B=rand:0.2 -i x=iota -d i=300,j=400 --run --check
says "no encoding of these tensors will do: B would have to be converted" 2 "$gen" 'C(i,j) = A(i,j) + B(i,j) * x(i)' -f A=csr -f B=csc \
    -i rand:0.3 -d i=4,j=5 --advise x
try "advise: the advice is a command" bash -c '"$1" "y(i) = A(i,j) * x(j)" -i "A=$2/band.mtx" -i x=ones --run --check \
    $("$1" "y(i) = A(i,j) * x(j)" -i "A=$2/band.mtx" -i x=ones --advise A | sed -n "s/^advice: //p" | tr -d "\047" | sed "s/, /,/g")' \
    - "$gen" "$DIR"
try "the program of SpMV has at most 82 lines besides the kernel" bash -c \
    '[ "$("$@" --main | grep -vc "^#define\|^SPARSE_\|^/\* y(i)\|^  *all((\|^  *y += ")" -le 82 ]' - "$gen" "${spmv[@]}"
says "x: its values would take 8e+11 bytes" 1 timeout 200 "$gen" 'y(i) = 2 * x(i)' -i x=ones -d i=100000000000 --run
says "x: the size of dimension 1 is unknown: -d INDEX=SIZE gives it" 1 "$gen" 'y(i) = 2 * x(i)' -i x=ones --run
try "indices that meet in a dimension have one size" "$gen" 'y(i) = A(i,j) * A(j,k) * x(k)' -f A=csr -i rand:0.3 -d i=7 --run --check
says "A: dimension 1 is 2, its index 3" 1 "$gen" 's = A(i,j) * x(i)' -f A=csr -i "A=$DIR/a.mtx" -i "x=$DIR/y.tns" -d j=3,i=3 --run
sed 's/, its index %zu/, but %zu there/' sparse_gen.c >"$DIR/kit/later.c"
try "a later generator" $compile "$DIR/kit/later.c" -o "$DIR/kit/later" -lm
says "A: dimension 1 is 2, but 3 there" 1 "$DIR/kit/later" 's = A(i,j) * x(i)' -f A=csr -i "A=$DIR/a.mtx" -i "x=$DIR/y.tns" -d j=3,i=3 --run
try "more coordinates than numbers" bash -c 'timeout 200 "$@" --run --check | grep -q "too large, [0-9]\{1,4\} of its values"' - \
    "$gen" 'C(i,j) = A(i,j) + 2 * B(i,j)' -f 'A,B,C=dcsr, crdWidth=64' -i A=rand:1e-24 -i B=rand:2e-24 \
    -d i=1099511627776,j=562949953421312
try "more coordinates than numbers, and next to no entry" bash -c 'timeout 200 "$@" --run --check | grep -q "too large, [0-9]\{1,4\} of its values"' - \
    "$gen" 'C(i,j) = A(i,j) + 2 * B(i,j)' -f 'A,B,C=dcsr, crdWidth=64' -i A=rand:1e-27 -i B=rand:2e-27 \
    -d i=1099511627776,j=562949953421312
"$gen" "${spmv[@]}" --main --check | sed 's/y += A \* x)/y += 2 * A * x)/' >"$DIR/wrong.c"
try "a wrong kernel compiles" $compile "$DIR/wrong.c" -o "$DIR/wrong" -lm
says "y(0) is 10, a dense evaluation gives 5" 1 "$DIR/wrong"
"$gen" "${spmv[@]:0:3}" -f y=sparse -i A=rand:1e-4 -i x=ones -d i=100000,j=100000 --main --check |
    sed 's/y += A \* x)/if (i > 0) continue; y += A * x)/' >"$DIR/missing.c"
try "a kernel that stores one value compiles" $compile "$DIR/missing.c" -o "$DIR/missing" -lm
says "is 0, a dense evaluation gives" 1 "$DIR/missing"
try "few entries in a large volume" timeout 200 "$gen" 's = A(i,j) * x(j)' -f 'A=dcsr, crdWidth=64' -i A=rand:1e-12 -i x=ones \
    -d i=100000000000,j=300 --run
try "few entries are moved in a large volume" timeout 200 "$gen" 'c(i+2) = a(i+5)' -f 'a,c=svec, crdWidth=64' -i a=rand:1e-8 \
    -d i=100000000000 --run
try "too large for a dense evaluation" bash -c 'timeout 200 "$@" --run --check | grep -q "too large, [0-9]\{1,3\} of its values"' - \
    "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr -i A=rand:1e-5 -i x=rand -d i=100000,j=100000
# await COMMAND...: waits until it succeeds, for at most a minute
await() {
    local n
    for ((n = 0; n < 300; n++)); do
        "$@" && return
        sleep 0.2
    done
    return 1
}
running() { # running PARENT: the program that the generator with this number runs
    runs=$(ps -o pid= -o args= --ppid "$1" 2>/dev/null | grep "program-[0-9a-f]*$" | awk '{ print $1 }')
    [ "$runs" ]
}
ended() { ! ps -o stat= -p "$1" | grep -qv Z; }
paused() { ps -o args= -e | grep -q "^$DIR/pause"; }
unpaused() { ! paused; }
emptied() { ! ls "$DIR/tmp" | grep -q .; }
mkdir "$DIR/tmp"
for signal in TERM KILL; do
    TMPDIR=$DIR/tmp "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr -d i=1000,j=1000 -i rand:0.5 --run --time 1000000 >/dev/null 2>&1 &
    killed=$!
    try "the generator runs a program" await running $killed
    kill -$signal $killed
    wait $killed 2>/dev/null
    try "killed by $signal: what it ran is gone" await ended "${runs:-$$}"
    try "killed by $signal: no file is left" await emptied
done
# If the generator is killed, so are the compiler that it runs, and the compiler's children.
cp "$(command -v sleep)" "$DIR/pause"
printf '#!/bin/sh\n%s 100\nexec %s "$@"\n' "$DIR/pause" "$CC" >"$DIR/slow_cc"
chmod +x "$DIR/slow_cc"
for signal in TERM KILL; do
    for what in '--run' '--search A'; do
        env -u HOME -u XDG_CACHE_HOME TMPDIR="$DIR/tmp" CC="$DIR/slow_cc" "$gen" "${spmv[@]}" $what >/dev/null 2>&1 &
        killed=$!
        try "killed by $signal while it compiles: a compiler runs" await paused
        kill -$signal $killed
        wait $killed 2>/dev/null
        try "killed by $signal while it compiles for $what: nothing runs on" await unpaused
        try "killed by $signal while it compiles for $what: no folder is left" await emptied
    done
done
try "script" ./sparse_gen.c "${spmv[@]}"
try "script again, from its cache" env CC=false ./sparse_gen.c "${spmv[@]}"
says "sparse_gen: a signal ended the program: " 1 "$gen" 'y(i) = f(x(i))' --define 'double f(double x) { abort(); return x; }' \
    -i ones -d i=3 --run
says ", as where an integer is divided by 0" 1 "$gen" 'y(i) = f(x(i))' -i ones -d i=3 --run \
    --define 'double f(double x) { int raise(int); raise(8); return x; }'
says "the file cannot be written: No such file" 2 "$gen" "${spmv[@]}" -w "$DIR/no/such/file.h"
says "the output cannot be written" 2 bash -c 'exec "$@" >/dev/full' - "$gen" "${spmv[@]}"
mkfifo "$DIR/pipe" && ln -s target.h "$DIR/link.h"
timeout 100 cat "$DIR/pipe" >"$DIR/piped" &
try "-w writes to a pipe" "$gen" "${spmv[@]}" -w "$DIR/pipe"
wait $!
try "-w: the text arrives" grep -q '^SPARSE_KERNEL' "$DIR/piped"
try "-w leaves the pipe in place" [ -p "$DIR/pipe" ]
try "-w writes to a link" "$gen" "${spmv[@]}" -w "$DIR/link.h"
try "-w leaves the link in place" [ -L "$DIR/link.h" ]
# The names of temporaries begin with those of tensors, and avoid reserved names.
try "temporaries of y_" timeout 20 "$gen" 'y_(i) = A(i,j) * y_(j)'
try "temporaries of sparse" timeout 20 "$gen" 'sparse(i) = A(i,j) * sparse(j)'
printf '300,2\n3,1\n' >"$DIR/large.csv"
says 'the value does not fit the value type of A_type' 2 "$gen" 'y(i) = A(i,j) * x(j)' \
    -f A=csr -t A=i8 --embed A="$DIR/large.csv" --read-as A=table
# Inside a norm, an index that the output lacks is summed before the squares are.
try "the norm of a product" bash -c '[ "$("$1" "s = norm(i) (A(i,j) * x(j))" -i A=ones -i x=iota -d i=4,j=2 --run)" = "s = 6" ]' - "$gen"
# A temporary has the size that its assignments give it; reading beyond is refused.
says 'the sizes of the operands do not agree' 1 "$gen" 'T(2*i) = x(i); y(j) = abs(T(j))' -i x=iota -d i=3,j=10 --run
says 'O has 9 rows, its sum of indices needs 11' 1 "$gen" 'O(2*i+p) = I(i) * F(p)' -f O=dense -i ones -d i=5,p=3 -d O:9 --run
says 'the sizes of the operands do not agree' 1 "$gen" 'O(2*i+p) = I(i) * F(p)' -f O=sparse -i ones -d i=5,p=3 -d O:9 --run
try "the size of a padded result" bash -c '"$@" --run --print O | grep -qF "values : ( 2, 3, 3, 3, 3 )"' - "$gen" 'O(i+p-1) = I(i) * F(p)' -i ones -d i=9,p=3 --padded O -d O:5
try "a sparse result in parts, which has no input" "$gen" 'y(2*i) = x(i); y(2*i+1) += z(i)' -f y=sparse -i x=iota -i z=ones -d i=3 --run --check
says 'the compiler "no-such-compiler" failed' 2 env CC=no-such-compiler "$gen" "${spmv[@]}" --run
says 'the compiler "true" reports no error, and made no program' 2 env CC=true "$gen" "${spmv[@]}" --run
says "the preprocessor made no loops of compute_y" 2 env CC=echo "$gen" "${spmv[@]}" --expand
says "no directory for the program: No such file" 2 env -u XDG_CACHE_HOME -u HOME TMPDIR="$DIR/no" "$gen" "${spmv[@]}" --run
mkdir -p "$DIR/alone" && cp "$SPARSE_GEN_HOME/sparse.h" "$DIR/alone"
says "module.sh is missing; it builds modules for Python" 2 env SPARSE_GEN_HOME="$DIR/alone" "$gen" "${spmv[@]}" --python
says "sparse.h is not beside sparse_gen.c" 2 env -u SPARSE_GEN_HOME -C / "$gen" "${spmv[@]}" --run
says "the tensors cannot be embedded" 2 "$gen" "${spmv[@]:0:3}" --embed A=tests/generator.sh
says "there are more than 96 tensors to print" 2 "$gen" "${spmv[@]}" --run $(printf -- '--print y %.0s' {1..97})
says "there are more than 96 tensors to draw" 2 "$gen" "${spmv[@]}" --run $(printf -- "--draw-storage A=x.svg %.0s" {1..97})
says "sparse_gen: out of memory" 2 bash -c 'ulimit -v 40000; exec "$0" "$1"' "$plain_gen" "y(i) = $(printf 'a * %.0s' {1..30000})a"
says "note: j is summed inside" 0 "$gen" 'y(i) = exp(A(i,j))'
deep=$DIR
while [ ${#deep} -lt 4000 ]; do deep=$deep/$(printf 'd%.0s' {1..90}); done
says "cannot be written: File name too long" 2 bash -c 'mkdir -p "$0" && XDG_CACHE_HOME=$0 exec "$@"' \
    "$deep$(printf "%$((4078 - ${#deep}))s" '' | tr ' ' /)" "$gen" "${spmv[@]}" --run
sed 's/2 2 5/9 2 5/' "$DIR/a.mtx" >"$DIR/wrong.mtx"
"$gen" "${spmv[@]}" -i "A=$DIR/wrong.mtx" --run -o "y=$DIR/none.tns" >/dev/null 2>&1
try "a damaged file: status 1" [ $? = 1 ]
try "a damaged file: no output" [ ! -e "$DIR/none.tns" ]
# Every sentence of the source occurred above.
while IFS= read -r sentence; do
    if grep -qE -- "$sentence" "$DIR/said"; then pass; else fail "no test hears: $sentence"; fi
done < <(awk -f tests/generator/messages.awk sparse_gen.c | sort -u)
echo "generator: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
