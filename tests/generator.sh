#!/bin/bash
# generator.sh: sparse_gen.c against dense evaluations, and what it says about bad input.
#
#   generator/table.txt          statements, formats and options; every combination is generated, compiled without
#                                warnings, called twice if it assigns, and checked; many to a compilation
#   generator/table_sparse.txt   the same with sparse results; skipped where the kernel engine has none
#   generator/fuzz.awk           made-up statements over made-up formats: right, or refused with a sentence
#   generator/bad.txt            what is refused: the sentence, the place of the caret, exit status 2, no output
#
# generator.sh TABLE.txt ... checks tables only. Environment: CC, WARNINGS, JOBS (compilations side by side),
# FUZZ (how many statements are made up) and SEED (from where), SPARSE_GEN_HOME (other headers).
cd "$(dirname "$0")/.." || exit
CC=${CC:-cc} JOBS=${JOBS:-$(nproc 2>/dev/null || echo 2)}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
DIR=$(mktemp -d) || exit
export CC SPARSE_GEN_HOME=${SPARSE_GEN_HOME:-$PWD} XDG_CACHE_HOME=$DIR/cache
trap 'rm -rf "$DIR"' EXIT
passed=0 failed=0 skipped=0
gen=$DIR/sparse_gen
compile="$CC -std=c11 -O0 $WARNINGS -I$SPARSE_GEN_HOME"

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    printf '%s\n' "$*"
}

# Why a row is not right, from its own program; nothing if it is.
blame() { # directory row
    { cat "$1/$2.c" && echo "int main(void) { return $2_main(); }"; } >"$1/single.c"
    if ! $compile "$1/single.c" -o "$1/single" -lm 2>"$1/errors"; then
        echo "does not compile: $(grep -m 1 error "$1/errors" | cut -c 1-200)"
    elif ! "$1/single" 2>"$1/errors"; then
        echo "is not right: $(head -n 1 "$1/errors" | cut -c 1-200)"
    fi
}

# Compiles and runs the rows of a directory as one program; writes a line per row into its file `verdicts`.
verify() { # directory
    local c n why
    {
        cat "$1"/p*.c
        printf 'int main(void)\n{\n'
        for c in "$1"/p*.c; do
            n=${c##*/} n=${n%.c}
            printf '    if (!%s_main()) puts("%s");\n    fflush(stdout);\n' "$n" "$n"
        done
        printf '    return 0;\n}\n'
    } >"$1/batch.c"
    : >"$1/right"
    $compile "$1/batch.c" -o "$1/batch" -lm 2>/dev/null && "$1/batch" >"$1/right" 2>/dev/null
    for c in "$1"/p*.c; do
        n=${c##*/} n=${n%.c}
        grep -qx "$n" "$1/right" && echo right && continue
        why=$(blame "$1" "$n")
        if [ "$why" ]; then echo "$(cat "$1/$n.row"): $why"; else echo right; fi
    done >"$1/verdicts"
}

# Rows are gathered into directories, which are verified side by side.
batches=0 rows=0 batch=
flush() {
    [ "$rows" -gt 0 ] || return
    while [ "$(jobs -pr | wc -l)" -ge "$JOBS" ]; do wait -n; done
    verify "$batch" &
    rows=0
}
collect() {
    local line
    flush
    wait
    while IFS= read -r line; do
        if [ "$line" = right ]; then pass; else fail "$line"; fi
    done < <(cat "$DIR"/batch*/verdicts 2>/dev/null)
    rm -rf "$DIR"/batch*
}

# Generates one row. Some tables may have rows that are refused.
number=0
row() { # statements formats options may_refuse
    local options=() f name
    if [ "$rows" = 0 ]; then
        batches=$((batches + 1)) batch=$DIR/batch$batches
        mkdir "$batch"
    fi
    number=$((number + 1))
    name=p$number
    eval "options=($3)"
    for f in $2; do options+=(-f "$f"); done
    "$gen" "$1" --part --check --name "$name" -i rand:0.3,low=-1 -d i=7,j=6,k=5,l=4,r=3,s=2 "${options[@]}" \
        -w "$batch/$name.c" 2>"$DIR/errors"
    case $?$4$(head -c 12 "$DIR/errors") in
    0*)
        echo "$1 | $2 | $3" >"$batch/$name.row"
        rows=$((rows + 1))
        [ "$rows" -lt 24 ] || flush
        ;;
    2refused*sparse_gen:*) refused=$((refused + 1)) ;;
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

table() { # file may_refuse
    local statements formats options combination
    while IFS='|' read -r statements formats options; do
        case $statements in '' | '#'*) continue ;; esac
        statements=${statements%"${statements##*[! ]}"}
        while read -r combination; do row "$statements" "$combination" "$options" "$2"; done < <(combinations "$formats")
    done <"$1"
}

# One line of bad.txt.
bad() { # column sentence arguments
    local status arguments
    eval "arguments=($3)"
    "$bad_gen" "${arguments[@]}" >"$DIR/out" 2>"$DIR/errors"
    status=$?
    if [ $status = 2 ] && [ ! -s "$DIR/out" ] && [ "$(head -n 1 "$DIR/errors")" = "sparse_gen: $2" ] &&
        [ "$(sed -n 3p "$DIR/errors")" = "$(printf '%*s^' $(($1 + 3)) '')" ] && [ "$(wc -l <"$DIR/errors")" = 3 ]; then
        pass
    else
        fail "$3: status $status, $(tr '\n' '~' <"$DIR/errors")"
    fi
}

# Something outside of the table: a name, and a command that has to succeed.
try() {
    local name=$1
    shift
    if "$@" >"$DIR/out" 2>"$DIR/errors"; then pass; else fail "$name: $(head -n 1 "$DIR/errors")"; fi
}

$compile -O1 sparse_gen.c -o "$gen" -lm || exit

if [ $# -gt 0 ]; then
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

table tests/generator/table.txt
[ $assembles = 0 ] || table tests/generator/table_sparse.txt
collect
if [ $assembles = 0 ]; then
    count=$(grep -c '^[^#]' tests/generator/table_sparse.txt)
    echo "sparse results are skipped, kernels do not assemble them here"
    skipped=$((skipped + count))
fi

refused=0
awk -v seed="${SEED:-1}" -v rows="${FUZZ:-48}" -v sparse=$assembles -f tests/generator/fuzz.awk >"$DIR/fuzz.txt"
table "$DIR/fuzz.txt" refused
collect
echo "made-up statements: ${FUZZ:-48}, of which $refused refused with a sentence"

# Bad input, with the sanitizers if they work here.
bad_gen=$gen
$CC -std=c11 -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all sparse_gen.c -o "$gen.sanitized" -lm 2>/dev/null &&
    "$gen.sanitized" --help >/dev/null 2>&1 && bad_gen=$gen.sanitized
while IFS='|' read -r column sentence arguments; do
    case $column in '' | '#'*) continue ;; esac
    sentence=${sentence# }
    bad "$column" "${sentence% }" "$arguments"
done <tests/generator/bad.txt

# From beginning to end: files in and out, the same text twice, the script.
printf '%%%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 2\n1 3 1\n2 2 5\n' >"$DIR/a.mtx"
spmv=('y(i) = A(i,j) * x(j)' -f A=csr -i "A=$DIR/a.mtx" -i x=iota)
try "run on a file" "$gen" "${spmv[@]}" --run --check -o "y=$DIR/y.tns"
try "result in a file" grep -qx '1 5' "$DIR/y.tns"
try "deterministic" bash -c '[ "$("$@")" = "$("$@")" ]' - "$gen" "${spmv[@]}"
try "= begins with 0" bash -c '"$@" | grep -q "from(0, y, VEC, i), "' - "$gen" "${spmv[@]}"
try "+= begins with what is there" bash -c '"$@" | grep -q "(i, j), (y, VEC, i), "' - "$gen" 'y(i) += A(i,j) * x(j)' -f A=csr
try "checked after it is timed" bash -c '"$@" --run --check --time 3 | tail -n 1 | grep -q "^the result"' - "$gen" "${spmv[@]}"
try "explain" "$gen" "${spmv[@]}" --explain
try "dot" "$gen" "${spmv[@]}" --dot
try "help" "$gen" --help
try "expand" bash -c '"$@" --expand | grep -q "for (size_t pA2 = A2_pos\[pA1\]; pA2 < eA2; pA2++) {"' - "$gen" "${spmv[@]}"
try "embed" "$gen" 'y(i) = A(i,j) * x(j)' -f A=csr --embed "A=$DIR/a.mtx" -i x=ones --run --check
try "main" bash -c '"$1" "${@:3}" --main >"$2/main.c"' - "$gen" "$DIR" "${spmv[@]}"
try "main compiles" $compile "$DIR/main.c" -o "$DIR/main" -lm
try "main runs" "$DIR/main"
try "roofline" bash -c '"$@" --run --check --time 3 --roofline | grep -q "^roofline: 6 operations, 104 bytes at least"' \
    - "$gen" "${spmv[@]}"
try "roofline of several kernels" bash -c '"$@" --run --time 3 --roofline | grep -q "^roofline: 20 operations, 176 bytes"' \
    - "$gen" 'y(i) += A(i,j) * x(j) + b(i)' -d i=4,j=2 -i rand -s 'parallel(i)'
try "roofline of what is in place" bash -c '"$@" --run --time 2 --roofline | grep -q "^roofline: 4 operations, 96 bytes"' \
    - "$gen" 'y(i) = y(i) * x(i)' -d i=4 -i rand
try "sizes" bash -c '"$@" --sizes | grep -qx "A: 3 entries, sizes 2 3"' - "$gen" "${spmv[@]}"
moving=('y(i) = x(2*i+p) * w(p)' -d i=5,p=3 -i rand)
try "subscripts: as large as needed" "$gen" "${moving[@]}" --run --check
seq 1 10 | sed 's/$/ 1/' >"$DIR/short.tns"
try "subscripts: out of range" bash -c '! "$@" --run -i "x=$0" 2>"$0.errors" && grep -q "^compute_y: .*siz" "$0.errors"' \
    "$DIR/short.tns" "$gen" "${moving[@]}"
seq 1 11 | sed 's/$/ 1/' >"$DIR/short.tns"
try "subscripts: in range" "$gen" "${moving[@]}" --run --check -i "x=$DIR/short.tns"
try "subscripts: embedded" "$gen" "${moving[@]}" --run --check --embed "x=$DIR/short.tns"
try "subscripts: explain" bash -c '"$@" --explain | grep -q "x is read as an array"' - "$gen" "${moving[@]}"
try "subscripts: dot" "$gen" "${moving[@]}" --dot
try "subscripts: expand" bash -c '"$@" --expand | grep -qF "x_array[2 * i + p]"' - "$gen" "${moving[@]}"
try "search" "$gen" 'y(i) = a(i) + b(i)' -d i=5 -i rand:0.5 --search a --csv "$DIR/search.csv" --svg "$DIR/search.svg"
try "search: every result is right" bash -c 'grep -q "right$" "$1" && ! grep -q "wrong\|compile" "$1"' - "$DIR/search.csv"
try "search: widths" grep -q '^"a=svec_8_8","i",.*,right$' "$DIR/search.csv"
printf '#!/bin/sh\ncase " $* " in *" -fopenmp "*) exit 1 ;; esac\nexec %s "$@"\n' "$CC" >"$DIR/plain_cc"
chmod +x "$DIR/plain_cc"
try "search without OpenMP" bash -c 'CC=$0 "$@" 2>&1 >/dev/null | grep -q "no -fopenmp"' "$DIR/plain_cc" \
    "$gen" 'y(i) = a(i) + b(i)' -d i=5 -i rand:0.5 --search a --csv "$DIR/plain.csv"
try "search without OpenMP: no loop in parallel" bash -c 'grep -q right "$1" && ! grep -q parallel "$1"' - "$DIR/plain.csv"
try "search goes on from its table" "$gen" 'y(i) = a(i) + b(i)' -d i=5 -i rand:0.5 --search a --csv "$DIR/search.csv"
try "script" ./sparse_gen.c "${spmv[@]}"
try "script again, from its cache" env CC=false ./sparse_gen.c "${spmv[@]}"
"$gen" "${spmv[@]}" -w "$DIR/no/such/file.h" 2>/dev/null
try "a file that cannot be written: status 2" [ $? = 2 ]
CC=no-such-compiler "$gen" "${spmv[@]}" --run >/dev/null 2>&1
try "no compiler: status 2" [ $? = 2 ]
sed 's/2 2 5/9 2 5/' "$DIR/a.mtx" >"$DIR/wrong.mtx"
"$gen" "${spmv[@]}" -i "A=$DIR/wrong.mtx" --run -o "y=$DIR/none.tns" >/dev/null 2>&1
try "a damaged file: status 1" [ $? = 1 ]
try "a damaged file: no output" [ ! -e "$DIR/none.tns" ]
echo "generator: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
