#!/bin/sh
# headers.sh: every header compiles by itself, as C11 and as C++17, without a warning. All but sparse_io.h also compile
# without a C library, and then call no outside functions but memcpy, memmove, memset and memcmp. A setting with a wrong
# value is refused. The headers and the generator are formatted by clang-format and have lines of at most 125 characters.
# Environment: CC, CXX, WARNINGS, DAY (set: one level of optimization; C++ compiles no file with all functions; one program
# for the loops compiled for several processors).
cd "$(dirname "$0")/.." || exit 1
. tests/quiet.sh

[ "$DAY" ] && levels=-O0 all_levels=-O2 cxx_levels= programs=arrays ||
    levels='-O0 -O2' all_levels='-Og -O2' cxx_levels='-Og -O2' programs='arrays layers'
# Only the compiler's own headers are found. The <limits.h> of gcc includes the library's, so there is an empty one.
mkdir "$work/empty" && : >"$work/empty/limits.h"
bare="-ffreestanding -nostdinc -isystem $($CC -print-file-name=include) -isystem $work/empty -DSPARSE_FREESTANDING=1"
c="$CC -std=c11 $WARNINGS -I. -o $work/c.o -c" cxx="$CXX -std=c++17 $WARNINGS -I. -o $work/c.o -x c++ -c"
for header in sparse_formats.h sparse_lattice.h sparse.h sparse_io.h; do
    printf '#include "%s"\ntypedef int not_empty;\n' $header >"$work/alone.c"
    for level in $levels; do
        succeeds "$header, C11 $level" $c $level "$work/alone.c"
        succeeds "$header, C++17 $level" $cxx $level "$work/alone.c"
    done
    for standard in c90 gnu90 c99; do
        $CC -std=$standard -I. -o "$work/c.o" -c "$work/alone.c" >"$work/refused" 2>&1
        succeeds "$header, $standard, is refused in one sentence" awk '/error: / && ++errors == 1 { first = $0 }
            END { exit !(first ~ /C11 or later is needed/ && errors == 2 && NR <= 10) }' "$work/refused"
    done
    [ $header = sparse_io.h ] && continue
    succeeds "$header, C11 freestanding" $c -O2 $bare "$work/alone.c"
    succeeds "$header, C++17 freestanding" $cxx -O2 $bare -nostdinc++ "$work/alone.c"
done

# A numeric setting accepts only the values that the table in docs/running.md lists.
echo '#include "sparse_io.h"' >"$work/set.c"
refuses() { # SETTING VALUE
    $CC -std=c11 -I. "-D$1=$2" -fsyntax-only "$work/set.c" >"$work/refused" 2>&1
    succeeds "$1=$2 is refused in a sentence" test "$(grep -c "error: .*\".*\b$1\b" "$work/refused")" = 1
}
settings=0
for row in $(sed -n 's/^| `\(SPARSE_[A-Z0-9_]*\)`\( \*\)\{0,1\} | \([0-9]*\)\( |\|;\).*/\1:\3/p' docs/running.md); do
    setting=${row%:*} settings=$((settings + 1))
    case $setting in
    SPARSE_THREADS) continue ;; # may be any expression
    SPARSE_PREFETCH* | SPARSE_CACHE) ;;
    *) refuses $setting 99 ;;
    esac
    case $row in *:[012]) refuses $setting yes ;; esac
    refuses $setting -1
done
succeeds "settings that are numbers" test $settings = 15

# Code for a level type belongs in its own section: at most 10 lines elsewhere may name a level type.
named=$(awk '/^ *\/\* >>/ { room = $2 == ">>level" }
    !room && !/X\(SPARSE_[A-Z_]+, [a-z_]+, SPARSE_TRAIT/ &&
    /(^|[^A-Za-z0-9_])SPARSE_(DENSE|BATCH|COMPRESSED|LOOSE_COMPRESSED|SINGLETON|STRUCTURED|PACKED|BITMAP|BITMASK|DELTA)([^A-Za-z0-9_]|$)/' \
    sparse_lattice.h sparse_formats.h sparse.h sparse_io.h | wc -l)
succeeds "level types are named in $named lines outside of their rooms, of 10 at most" test "$named" -le 10

# A program with one type that calls one function: inlining reaches further than in a program with many.
calls() { # ENCODING CALL...
    local encoding=$1 call
    shift
    for call; do
        printf '#include "sparse_io.h"\nSPARSE_TENSOR(csr, %s, double, 32, 32)\nint main(void)\n{\n    csr A = SPARSE_INIT(csr), B = A;
    size_t d[2] = {4, 4};\n    double v[16] = {1};\n    (void)B, (void)d, (void)v;\n    return %s != SPARSE_OK;\n}\n' \
            "$encoding" "$call" >"$work/calls.c"
        succeeds "$encoding: $call" $c -O1 "$work/calls.c"
    done
}
borrows='csr_borrow_arrays(&A, d, &(sparse_arrays){.val = SPARSE_ARRAY(v, 4)}, NULL)'
calls SPARSE_CSR "$borrows" 'csr_pack(&A, d, 1, d, v, SPARSE_DUPLICATES_SUM)' 'sparse_convert(&A.t, &B.t)' \
    'sparse_read(&A.t, "A.mtx", NULL)' 'sparse_write(&A.t, "A.mtx", NULL)' 'csr_unpack_dense(&A, v)'
calls 'SPARSE_N_OF_M(2, 4)' "$borrows"
calls '((i, j), (dense, i), (loose_compressed, j))' "$borrows"

# All functions of all headers in one object file: no pass of the optimizer warns.
printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n#include "sparse_io.h"\n' >"$work/all.c"
for level in $cxx_levels; do succeeds "all functions, C++17 $level" $cxx $level "$work/all.c"; done
for level in $all_levels; do succeeds "all functions, C11 $level" $c $level "$work/all.c"; done

# gcc moves code around a call of a cold function to .text.unlikely and compiles it for size, with its loops. Only a few
# loops, over levels and operands, may be there. They are counted as jumps backwards, on x86-64, in the object of -O2.
if nm "$work/c.o" | grep -q '[.]cold' && objdump -f "$work/c.o" | grep -q x86-64; then
    objdump -d -j .text.unlikely --no-show-raw-insn "$work/c.o" >"$work/aside"
    succeeds "loops over entries are not put aside" awk 'function padded(at) { return sprintf("%16s", at) }
        /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3) }
        name ~ /[.]cold$/ && $2 ~ /^j/ && padded($3) <= padded(substr($1, 1, length($1) - 1)) && ++back[name] == 17 {
            print name " has loops" }' "$work/aside"
else
    skip "what is put aside, which this compiler does not, or not for x86-64"
fi

# Strict C11, as for a compiler without GNU extensions and complex numbers. Some C libraries cannot be used without __GNUC__.
other="-U__GNUC__ -D__STDC_NO_COMPLEX__=1 -pedantic-errors"
if printf '#include <stdlib.h>\n' | $CC -std=c11 $other -x c -c - -o "$work/c.o" 2>"$work/refused"; then
    succeeds "all functions, C11 alone" $c $other "$work/all.c"
    succeeds "a program in C11 alone" $CC -std=c11 $other -I. examples/arrays.c -o "$work/arrays" -lm
    succeeds "a program in C11 alone multiplies" test "$("$work/arrays")" = '4001 0 765'
else
    skip "C11 alone, which the C library does not compile by"
fi

# Loops compiled for several processors (target_clones), if compiler and C library support them, give equal results.
printf '__attribute__((__target_clones__("avx2", "default"))) static int none(void) { return 0; }\nint main(void) { return none(); }\n' >"$work/clones.c"
if $CC "$work/clones.c" -o "$work/clones" 2>/dev/null && "$work/clones"; then
    targets='-DSPARSE_TARGETS="avx512f","avx2","default"'
    for program in $programs; do
        succeeds "$program" $CC -std=c11 $WARNINGS -O2 -I. examples/$program.c -o "$work/one" -lm
        succeeds "$program for several processors" $CC -std=c11 $WARNINGS -O2 -ffp-contract=off "$targets" -I. examples/$program.c -o "$work/several" -lm
        succeeds "$program for several processors prints the same" test "$("$work/several")" = "$("$work/one")"
    done
    for version in avx512f avx2 default; do succeeds "loops for $version" sh -c "nm '$work/several' | grep -q '_loops[.]$version'"; done
    succeeds "arrays for several processors, C++" $CXX -std=c++20 $WARNINGS -O2 "$targets" -I. examples/arrays.cc -o "$work/several" -lm
    succeeds "arrays for several processors, C++, multiplies" test "$("$work/several")" = '4001 0 765'
else
    skip "loops for several processors, among which nothing chooses here"
fi

# All threads that OpenMP has.
echo 'int main(void) { return 0; }' | $CC -fopenmp -x c - -o "$work/probe" 2>/dev/null &&
    all_threads='-fopenmp' || { all_threads= && skip "all threads with OpenMP, which $CC cannot do here"; }
for openmp in "" $all_threads; do
    succeeds "all threads $openmp" $CC -std=c11 $WARNINGS -O0 $openmp '-DSPARSE_THREADS=omp_get_max_threads()' -I. examples/plate.c -o "$work/threads" -lm
    succeeds "all threads $openmp, run" sh -c "'$work/threads' 2 2 >'$work/plate'"
done

# a program without a C library: packs a matrix in a static arena and multiplies it
cat >"$work/bare.c" <<'END'
#include "sparse.h"
#define CSR csr, SPARSE_CSR, float, 16, 16
#define VEC vec, SPARSE_DENSE_1D, float, 16, 16
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

static _Alignas(16) unsigned char arena[4096];
static size_t used;
static void *resize(void *context, void *block, size_t old_bytes, size_t new_bytes)
{
    (void)context;
    if (new_bytes == 0 || new_bytes > sizeof arena - used) return NULL;
    unsigned char *fresh = arena + used;
    used += (new_bytes + 15) / 16 * 16;
    for (size_t n = 0; block && n < old_bytes && n < new_bytes; n++) fresh[n] = ((unsigned char *)block)[n];
    return fresh;
}
int work(const size_t *coordinates, const float *values, size_t count);
int work(const size_t *coordinates, const float *values, size_t count)
{
    static const sparse_hooks hooks = {resize, NULL};
    const size_t dim[2] = {4, 4};
    csr A = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    A.t.hooks = x.t.hooks = y.t.hooks = &hooks;
    if (sparse_pack_untyped(&A.t, dim, count, coordinates, values, SPARSE_DUPLICATES_SUM)) return 1;
    if (sparse_allocate_dense(&x.t, dim)) return 1;
    return (int)spmv(&y, &A, &x);
}
END
for level in -O0 -O2 '-O0 -DSPARSE_EXPLAIN=1'; do
    succeeds "a freestanding program $level" $c $level $bare "$work/bare.c"
    nm -u "$work/c.o" | awk '{ print $NF }' | grep -vx -e memcpy -e memmove -e memset -e memcmp -e _GLOBAL_OFFSET_TABLE_ \
        >"$work/needs"
    succeeds "a freestanding program $level needs more than it may" cat "$work/needs"
done

for file in sparse_lattice.h sparse_formats.h sparse.h sparse_io.h sparse_gen.c; do # including macros with aligned backslashes
    succeeds "no line of $file is longer than 125" awk 'length > 125 { print FILENAME ":" FNR; long = 1 } END { exit long }' "$file"
done
# The project uses clang-format 14; other versions differ in details.
case $(clang-format --version 2>/dev/null) in
*'version 14.'*)
    for file in sparse_lattice.h sparse_formats.h sparse.h sparse_io.h sparse_gen.c; do
        succeeds "$file is formatted by .clang-format" clang-format -n "$file"
    done
    ;;
*)
    skip "the format of the headers, as there is no clang-format 14"
    ;;
esac
echo "headers: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
