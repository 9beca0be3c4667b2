#!/bin/bash
# mpi.sh: the examples for clusters, with MPI and PETSc if they are installed, on 1, 2 and 4 ranks. Every result has the
# same bits as with one process, and every rank returns the error of a bad file. Environment: CC, WARNINGS.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

check() {
    local what=$1
    shift
    if "$@" >"$work/out" 2>&1; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
        tail -n 20 "$work/out" | sed 's/^/    /'
    fi
}
finish() {
    echo "mpi: $passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ]
    exit
}
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }

# run RANKS COMMAND...: allows fewer cores than ranks, root in a container, and a machine without a network
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMP_NUM_THREADS=1
run() { timeout 120 mpirun -n "$@"; }
# refused RANKS PATTERN COMMAND...: the command fails and its ranks print one line that matches the pattern. Each rank writes
# to a file, since mpirun ends all ranks after the first that fails, and need not have passed on what they printed.
refused() {
    : >"$work/said"
    SAID=$work/said run "$1" sh -c 'exec "$0" "$@" >>"$SAID" 2>&1' "${@:3}" >"$work/launched" 2>&1
    local status=$?
    [ $status != 0 ] && [ $status != 124 ] && [ "$(grep -c "$2" "$work/said")" = 1 ] && return
    cat "$work/launched"
    echo "exit status $status; the ranks said:"
    cat "$work/said"
    return 1
}
system() { sed 's/\(^\| \)-I/ -isystem /g'; }

mpi=$(mpicc --showme:compile 2>/dev/null | system) libraries=$(mpicc --showme:link 2>/dev/null)
if ! command -v mpirun >/dev/null || [ -z "$mpi" ]; then
    skip "MPI, as there is no mpicc of Open MPI"
    finish
fi
check "mpi.c compiles" $CC -std=c11 $WARNINGS -O2 -I. $mpi examples/company/mpi.c -o "$work/mpi" $libraries -lm

printf '%%%%MatrixMarket matrix coordinate pattern general\n%% a comment\n\n3 3 4\n1 2\n2 3\n\n3 1\r\n1 3' >"$work/small.mtx"
printf '%%%%MatrixMarket matrix coordinate real symmetric\n5 5 1\n4 2 1.5\n' >"$work/one.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n2 90 3\n1 90 1\n2 1 2e0\n1 45 -3\n' >"$work/wide.mtx"
printf '%%%%MatrixMarket MATRIX Coordinate Integer skew-symmetric\n%% a comment\n 4 4 3 \n2 1 7\n  \n%% another\n4 1 -3\n4 3 9' \
    >"$work/skew.mtx"
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n1 1\n3 1\n4 2\n4 4\n' >"$work/half.mtx"
{ # repeated entries, whose sums depend on the order of addition
    printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 90\n'
    for k in {1..30}; do printf '2 1 %d\n3 3 9007199254740992\n3 3 1\n' $k; done
} >"$work/same.mtx"
for file in examples/data/calls.mtx examples/data/plate.mtx examples/data/roads.mtx \
    "$work"/{small,one,wide,skew,half,same}.mtx; do
    for ranks in 1 2 4; do
        check "${file##*/} on $ranks" run $ranks "$work/mpi" "$file"
        cp "$work/out" "$work/on$ranks"
        check "${file##*/}: $ranks ranks, other bits" cmp "$work/on1" "$work/on$ranks"
    done
    check "${file##*/}: results" grep -q '^spmm      [0-9a-f]\{16\}$' "$work/on1"
done
check "ranks of pages" grep -q 'the ranks add up to 1.000000000000' <(run 2 "$work/mpi" examples/data/calls.mtx)

sed '$s/ [^ ]*$/ x/' examples/data/plate.mtx >"$work/bad.mtx"
check "a bad entry in one share" refused 4 "bad.mtx:$(wc -l <"$work/bad.mtx"):[0-9]*: \"x\" is not a number" "$work/mpi" "$work/bad.mtx"
sed '20s/.*/100000 1 1/' examples/data/plate.mtx >"$work/beyond.mtx"
for ranks in 1 2 4; do
    check "a coordinate beyond its size, of $ranks" refused $ranks 'beyond.mtx:20:1: the coordinate "100000" is beyond' \
        "$work/mpi" "$work/beyond.mtx"
done
{ head -n 1500 examples/data/plate.mtx; printf '7 7 1\0\n'; tail -n +1502 examples/data/plate.mtx; } >"$work/nul.mtx"
for ranks in 1 2 4; do
    check "a NUL, of $ranks" refused $ranks 'nul.mtx:1501:' "$work/mpi" "$work/nul.mtx"
done
sed '$d' examples/data/plate.mtx >"$work/short.mtx"
check "an entry too few" refused 4 'more or fewer entries' "$work/mpi" "$work/short.mtx"
check "a missing file" refused 2 'cannot be opened' "$work/mpi" "$work/missing.mtx"
printf '%%%%MatrixMarket matrix array real general\n1 1\n1\n' >"$work/array.mtx"
check "a dense file" refused 2 'ranks share coordinate files of Matrix Market' "$work/mpi" "$work/array.mtx"
# header PATTERN BANNER SIZES: a Matrix Market header that the reader does not support is refused on 1, 2 and 4 ranks
header() {
    printf '%%%%MatrixMarket %s\n%s\n1 1 1 1\n' "$2" "$3" >"$work/header.mtx"
    for ranks in 1 2 4; do check "$2, $3" refused $ranks "$1" "$work/mpi" "$work/header.mtx"; done
}
header 'complex values do not go into real ones' 'matrix coordinate complex general' '2 2 1'
header 'only a complex matrix can be Hermitian' 'matrix coordinate real hermitian' '2 2 1'
header 'a symmetric matrix must be square' 'matrix coordinate real symmetric' '2 3 1'
header 'field must be one of' 'matrix coordinate number general' '2 2 1'
header 'the size line needs rows, columns and entries' 'vector coordinate real general' '2 1'
header 'the size line needs rows, columns and entries' 'tensor coordinate real general' '2 2 2 1'
header '"-2" is not a size' 'matrix coordinate real general' '2 -2 1'
header 'announces no number of entries' 'matrix coordinate real general' '2 2 x'
awk 'BEGIN { n = 500000; print "%%MatrixMarket matrix coordinate real general"; print n, n, n
    for (j = 1; j <= n; j++) print j, n + 1 - j, 1.5 }' >"$work/large.mtx"
check "a large file, in time of its length" timeout 120 mpirun -n 1 "$work/mpi" "$work/large.mtx"
gzip -c examples/data/plate.mtx >"$work/plate.mtx.gz"
check "a compressed file" refused 2 'ranks share coordinate files' "$work/mpi" "$work/plate.mtx.gz"

petsc=$(pkg-config --cflags-only-I petsc 2>/dev/null | system) petsc_libraries=$(pkg-config --libs petsc 2>/dev/null)
if [ "$petsc_libraries" ]; then
    check "petsc.c compiles" $CC -std=c11 $WARNINGS -O2 -I. $mpi $petsc examples/company/petsc.c -o "$work/petsc" \
        $petsc_libraries $libraries -lm
    for ranks in 1 2 4; do
        check "petsc on $ranks" run $ranks "$work/petsc" -pc_type jacobi
        cp "$work/out" "$work/on$ranks"
        check "petsc on $ranks, result" grep -Eq '^solved by PETSc: error .e-1[0-9] after 1[0-9]* steps, arrays the same$' "$work/on$ranks"
    done
    check "petsc, another preconditioner" run 2 "$work/petsc" -pc_type bjacobi -sub_pc_type icc
else skip "PETSc, as pkg-config finds none"
fi
finish
