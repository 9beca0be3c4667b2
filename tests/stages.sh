#!/bin/sh
# stages.sh FILE KERNEL: prints the data of a kernel line just before the line compiler writes its loops: the records of its
# loops, outputs and operands, and the plans. The sections of sparse_lattice.h explain them. Environment: CC.
[ $# = 2 ] || { echo "usage: $0 FILE KERNEL" >&2 && exit 2; }
{
    echo "#include \"$(cd "$(dirname "$0")/.." && pwd)/sparse.h\""
    echo '#undef SPARSE_P_EMIT'
    echo '#define SPARSE_P_EMIT(kernel, loops, letters, blocks, outs, plans, leaves, statement)' \
        '@ KERNEL kernel @ Loops: loops @ Plans: plans @ Outputs: outs @ Outputs and operands: leaves @ Statement: statement @ END @'
    cat "$1"
} | ${CC:-cc} -std=c11 -E -P -w -I"$(dirname "$1")" -x c - | tr '\n@' ' \n' | awk -v kernel="$2" '
    / KERNEL / { on = $2 == kernel; next }
    / END / { on = 0 }
    on { gsub(/ +/, " "); print; found = 1 }
    END { exit !found }' || { echo "$0: there is no kernel $2 in $1, or it is refused" >&2 && exit 1; }
