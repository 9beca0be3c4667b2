#!/bin/bash
# compile_cost.sh [COMPILER...]: what kernels cost the compiler, for gcc and clang or those named.
#
#   alone, first     CPU time of a file that includes the headers, and has one kernel or none; linked: with SPARSE_DECLARE,
#                    storage, files and assembly being compiled in another file
#   ms per kernel    CPU time that one more kernel adds at -O2: (21 kernels - 1 kernel) / 20, median of ROUNDS
#   100 kernels      time and peak memory of a file with 100 distinct kernels at -O2, 25 of each kind below
#   bytes            of the object code of a kernel at -Os
#
# ROUNDS=1 KERNELS=1 EACH=1 is a quick look: files of 2 kernels and of 4. Fails only if something does not compile.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
rounds=${ROUNDS:-5} added=${KERNELS:-20} each=${EACH:-25}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kinds=(spmv sum product mttkrp)
kernel_spmv='(i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += N * A * x'
kernel_sum='(i, j), (Y, MAT, i, j), any((A, CSR, i, j), (B, CSR, i, j)), Y = A + N * B'
kernel_product='(i, j), (s, double), all((A, CSR, i, j), (B, CSR, i, j)), s += N * A * B'
kernel_mttkrp='(i, k, l, j), (Y, MAT, i, j), all((T, CSF, i, k, l), (C, MAT, k, j), (D, MAT, l, j)), Y += N * T * C * D'

# source COUNT KIND...: a file with COUNT kernels of each kind; a pointer to each keeps it in the object
source_of() {
    local count=$1 kind n kernel
    shift
    cat <<'END'
#include "sparse.h"
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT mat, SPARSE_DENSE_2D, double, 32, 32
#define CSR csr, SPARSE_CSR, double, 32, 32
#define CSF csf, SPARSE_CSF_3D, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSF)
END
    for kind; do
        kernel=kernel_$kind
        for ((n = 1; n <= count; n++)); do
            echo "SPARSE_KERNEL($kind$n, ${!kernel//N/$n})"
            echo "extern void (*const keep_$kind$n)(void); void (*const keep_$kind$n)(void) = (void (*)(void))$kind$n;"
        done
    done
}
cat >"$work/measure.c" <<'END' # runs a command, prints its CPU time in ms and its peak memory in MB
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct rusage u;
    int status = 1;
    const pid_t child = fork();
    if (child == 0 && argc > 1) execvp(argv[1], argv + 1), _exit(127);
    if (child > 0) waitpid(child, &status, 0);
    getrusage(RUSAGE_CHILDREN, &u);
    printf("%.2f %.1f\n", 1e3 * (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-3 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec), (double)u.ru_maxrss / 1024);
    return status != 0;
}
END
cc -O1 "$work/measure.c" -o "$work/measure"

compile() { "$work/measure" "$compiler" -std=c11 -I. -c "$@" -o "$work/o"; } # prints: ms MB
code_bytes() { compile -Os "$1" >/dev/null && size "$work/o" | awk 'NR == 2 { print $1 }'; }
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
row() { # row WHAT VALUE UNIT [GOAL]
    awk -v what="$1" -v value="$2" -v unit="$3" -v goal="${4-}" 'BEGIN {
        verdict = goal == "" ? "" : sprintf("goal < %-4g %s", goal, value + 0 < goal + 0 ? "ok" : "ABOVE")
        printf "  %-30s %8.1f %-6s %s\n", what, value, unit, verdict }'
}

source_of "$each" "${kinds[@]}" >"$work/all.c"
printf '#include "sparse.h"\n#include "sparse_io.h"\ntypedef int not_empty;\n' >"$work/include.c"
source_of 1 spmv >"$work/first.c"
sed 's/^SPARSE_KERNEL.*/SPARSE_KERNEL(spmv1, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)/' \
    "$work/first.c" >"$work/assembled.c"
cp examples/spmv.c "$work/program.c"
for kind in "${kinds[@]}"; do
    source_of 1 "$kind" >"$work/$kind.1.c"
    source_of $((1 + added)) "$kind" >"$work/$kind.n.c"
done

[ $# -gt 0 ] || set -- gcc clang
for compiler; do
    command -v "$compiler" >/dev/null || { echo "$compiler is not there"; continue; }
    "$compiler" --version | head -n 1
    timed() { # timed WHAT GOAL OPTIONS FILE: the median of the rounds
        local what=$1 goal=$2
        shift 2
        for ((r = 0; r < rounds; r++)); do compile "$@"; done | median >"$work/ms"
        row "$what" "$(<"$work/ms")" ms "$goal"
    }
    timed 'headers alone, -O0' '' -O0 "$work/include.c"
    timed 'headers alone, -O2' '' -O2 "$work/include.c"
    timed 'first kernel of a file, -O2' '' -O2 "$work/first.c"
    timed 'the same, linked' 250 -O2 -DSPARSE_DECLARE "$work/first.c"
    timed 'first assembled kernel, -O2' '' -O2 "$work/assembled.c"
    timed 'the same, linked' 250 -O2 -DSPARSE_DECLARE "$work/assembled.c"
    timed 'examples/spmv.c, -O2' '' -O2 "$work/program.c"
    timed 'the same, linked' 250 -O2 -DSPARSE_DECLARE "$work/program.c"
    timed 'all that is linked, once, -O2' '' -O2 -DSPARSE_IMPLEMENTATION "$work/include.c"
    for kind in "${kinds[@]}"; do
        for ((r = 0; r < rounds; r++)); do # one file after the other, so that noise hits both
            more=$(compile -O2 "$work/$kind.n.c")
            less=$(compile -O2 "$work/$kind.1.c")
            echo "$more $less $added"
        done | awk '{ print ($1 - $3) / $5 }' >"$work/ms"
        more=$(code_bytes "$work/$kind.n.c")
        less=$(code_bytes "$work/$kind.1.c")
        row "$kind: a kernel, -O2" "$(median <"$work/ms")" ms 30
        row "$kind: a kernel, -Os" $(((more - less) / added)) bytes
    done
    all=$(compile -O2 "$work/all.c")
    row "$((4 * each)) kernels, -O2: time" "$(awk "BEGIN { print ${all% *} / 1000 }")" s 10
    row "$((4 * each)) kernels, -O2: memory" "${all#* }" MB 500
done
