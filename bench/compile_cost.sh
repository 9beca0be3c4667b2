#!/bin/bash
# compile_cost.sh [COMPILER...]: measures what kernels cost the compiler: gcc and clang, or those named. Prints a table:
#
#   alone, first     CPU time of a file with the headers and no kernel, or one kernel. linked: with SPARSE_DECLARE, so that
# the
#                    functions for storage and files are compiled elsewhere
#   a kernel, -O2    CPU time that one more kernel adds: (21 kernels - 1 kernel) / 20, median of ROUNDS
#   preprocessing    preprocessor instructions that one more kernel adds; needs gcc and callgrind
#   a kernel, -Os    bytes of object code that one more kernel adds; bytes of the first one and all that it needs, for each
#                    SPARSE_CHECKS
#   100 kernels      time and peak memory of a file with 100 different kernels at -O2, 25 of each kind below
#
# Each row is compared with the first edition of the kit. Its figures are in compile_cost.first, which was written by
# RECORD=FILE KIT=DIR, where DIR had its headers. Times are stored and compared as multiples of the time for a file of plain
# C in the same run. For a quick look: ROUNDS=1 KERNELS=1 EACH=1 KINDS=spmv.
# Fails only if something does not compile.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
rounds=${ROUNDS:-5} added=${KERNELS:-20} each=${EACH:-25} kit=${KIT:-.} record=${RECORD:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

read -ra kinds <<<"${KINDS:-spmv sum product mttkrp}"
kernel_spmv='(i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += N * A * x'
kernel_sum='(i, j), (Y, MAT, i, j), any((A, CSR, i, j), (B, CSR, i, j)), Y = A + N * B'
kernel_product='(i, j), (s, double), all((A, CSR, i, j), (B, CSR, i, j)), s += N * A * B'
kernel_mttkrp='(i, k, l, j), (Y, MAT, i, j), all((T, CSF, i, k, l), (C, MAT, k, j), (D, MAT, l, j)), Y += N * T * C * D'

# source_of COUNT KIND...: prints a file with COUNT kernels of each kind; a pointer to each keeps it in the object file
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

for ((n = 0; n < 120; n++)); do
    echo "double plain$n(const double *x, const int *at, int n) { double s = $n; for (int i = 0; i < n; i++)"
    echo "{ if (at[i] > $n) s += x[at[i]] * x[i]; else s -= x[i]; } return s; }"
done >"$work/plain.c"

compile() { "$work/measure" "$compiler" -std=c11 -I"$kit" -c "$@" -o "$work/o"; } # prints: ms MB
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
code_bytes() { compile -Os "$@" >/dev/null && size "$work/o" | awk 'NR == 2 { print $1 }'; }
preprocessing() { # preprocessing FILE: millions of instructions
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$("$compiler" -print-prog-name=cc1)" -E -quiet -std=c11 -O2 \
        -I"$kit" "$1" -o /dev/null 2>&1 | awk '/Collected/ { print $4 / 1e6 }'
}
# row WHAT VALUE UNIT [GOAL]: prints a row; a goal of x.y means at most that multiple of the first edition's figure
row() {
    local kept=$2
    [ "$3" != ms ] || kept=$(awk "BEGIN { print $2 / $plain }")
    [ -z "$record" ] || echo "$compiler|$1|$kept" >>"$record"
    awk -F'|' -v of="$compiler" -v what="$1" -v value="$2" -v unit="$3" -v goal="${4-}" -v plain="$plain" '
        $1 == of && $2 == what { first = unit == "ms" ? $3 * plain : $3 }
        END {
            if (goal ~ /\./) goal = first * goal
            verdict = goal == "" || goal == 0 ? "" : sprintf("goal %-6.4g %s", goal, value + 0 <= goal + 0 ? "ok" : "ABOVE")
            before = first == "" ? "" : sprintf("%8.1f", first)
            printf "  %-34s %8.1f %-6s %8s  %s\n", what, value, unit, before, verdict
        }' bench/compile_cost.first
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
    timed() { for ((r = 0; r < rounds; r++)); do compile "$@"; done | median; } # timed OPTIONS FILE: median of the rounds, ms
    plain=$(timed -O2 "$work/plain.c")
    printf '%s\n  %-41s %15s\n' "$("$compiler" --version | head -n 1)" '' 'first edition'
    alone=$(timed -O2 "$work/include.c")
    row 'headers alone, -O0' "$(timed -O0 "$work/include.c")" ms "${alone%.*}"
    row 'headers alone, -O2' "$alone" ms
    row 'first kernel of a file, -O2' "$(timed -O2 "$work/first.c")" ms "$(awk "BEGIN { printf \"%d\", $alone + 100 }")"
    row 'first assembled kernel, -O2' "$(timed -O2 "$work/assembled.c")" ms "$(awk "BEGIN { printf \"%d\", $alone + 300 }")"
    row 'examples/spmv.c, -O2' "$(timed -O2 "$work/program.c")" ms 1200
    if [ -z "$record" ]; then
        row 'first kernel, linked' "$(timed -O2 -DSPARSE_DECLARE "$work/first.c")" ms 250
        row 'first assembled, linked' "$(timed -O2 -DSPARSE_DECLARE "$work/assembled.c")" ms 250
        row 'examples/spmv.c, linked' "$(timed -O2 -DSPARSE_DECLARE "$work/program.c")" ms 250
        row 'what is linked, once, -O2' "$(timed -O2 -DSPARSE_IMPLEMENTATION "$work/include.c")" ms
    fi
    for kind in "${kinds[@]}"; do
        for ((r = 0; r < rounds; r++)); do # one file after the other, so that noise hits both
            more=$(compile -O2 "$work/$kind.n.c")
            less=$(compile -O2 "$work/$kind.1.c")
            echo "$more $less $added"
        done | awk '{ print ($1 - $3) / $5 }' >"$work/ms"
        row "$kind: a kernel, -O2" "$(median <"$work/ms")" ms 0.5
        if [ "$compiler" = gcc ] && command -v valgrind >/dev/null; then
            more=$(preprocessing "$work/$kind.n.c")
            less=$(preprocessing "$work/$kind.1.c")
            row "$kind: preprocessing" "$(awk "BEGIN { print ($more - $less) / $added }")" Minstr 0.5
        fi
        row "$kind: a kernel, -Os" $((($(code_bytes "$work/$kind.n.c") - $(code_bytes "$work/$kind.1.c")) / added)) bytes
    done
    for checks in 2 1 0; do
        [ -n "$record" ] && [ "$checks" != 2 ] ||
            row "spmv and its needs, checks $checks" "$(code_bytes -DSPARSE_CHECKS=$checks "$work/first.c")" bytes
    done
    all=$(compile -O2 "$work/all.c")
    row "$((${#kinds[@]} * each)) kernels, -O2: time" "${all% *}" ms 2000
    row "$((${#kinds[@]} * each)) kernels, -O2: memory" "${all#* }" MB 300
    if [ "$compiler" = gcc ]; then # which otherwise remembers the place of every token of every macro on the way
        all=$(compile -O2 -ftrack-macro-expansion=0 "$work/all.c")
        row "the same, macros not tracked" "${all% *}" ms 2000
        row "the same: memory" "${all#* }" MB 300
    fi
done
