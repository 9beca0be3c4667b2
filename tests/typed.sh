#!/bin/sh
# typed.sh: calls of the functions that SPARSE_TENSOR defines do not compile with arrays and values of a wrong type, in C and
# in C++, and the error names the function. Calls with the right types compile without a warning. To add a case, add a call
# of check. Environment: CC, CXX, WARNINGS.
cd "$(dirname "$0")" || exit
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
flags="${WARNINGS:--Wall -Wextra -Wpedantic -Werror} -I.. -fsyntax-only"

# compiles LINE COMPILER...: the line compiles inside a function. The compiler's messages are in $work/report.
compiles() {
    line=$1
    shift
    cat >"$work/t.c" <<END
#include "sparse.h"
#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
sparse_result f(csr *A, vec *x, sparse_insertion *in, const size_t *at, double *right, float *wrong, int64_t *number);
sparse_result f(csr *A, vec *x, sparse_insertion *in, const size_t *at, double *right, float *wrong, int64_t *number)
{
    size_t count = (size_t)*right + (size_t)*wrong + (size_t)*number + A->t.dim[0] + x->t.dim[0] + in->dim[0] + at[0];
    $line
    return (sparse_result)count;
}
END
    "$@" $flags "$work/t.c" >"$work/report" 2>&1
}

# check right|wrong FUNCTION LINE: the line compiles (right), or it does not and the error names the function (wrong)
check() {
    for compiler in "${CC:-cc} -std=c11" "${CXX:-c++} -std=c++17 -x c++"; do
        if compiles "$3" $compiler; then found=right; else found=wrong; fi
        [ $found = wrong ] && ! grep -q "$2" "$work/report" && found='another error'
        [ "$found" = "$1" ] && passed=$((passed + 1)) && continue
        failed=$((failed + 1))
        printf '%s: %s in place of %s: %s\n' "$compiler" "$found" "$1" "$3"
        head -n 4 "$work/report"
    done
}
echo 'int main() { return 0; }' >"$work/probe.c"
${CXX:-c++} -std=c++17 -x c++ "$work/probe.c" -o "$work/probe" 2>/dev/null ||
    { CXX=${CC:-cc} skipped=1 && echo "skipped: C++, as ${CXX:-c++} does not work here"; }

check right . 'return csr_pack(A, at, 1, at, right, SPARSE_DUPLICATES_SUM);'
check wrong csr_pack 'return csr_pack(A, at, 1, at, wrong, SPARSE_DUPLICATES_SUM);'
check wrong csr_pack 'return csr_pack(A, at, 1, number, right, SPARSE_DUPLICATES_SUM);'
check right . 'return csr_pack_dense(A, at, right);'
check wrong csr_pack_dense 'return csr_pack_dense(A, at, wrong);'
check right . 'return vec_borrow(x, at, right);'
check wrong vec_borrow 'return vec_borrow(x, at, wrong);'
check right . 'return csr_unpack_dense(A, right);'
check wrong csr_unpack_dense 'return csr_unpack_dense(A, wrong);'
check right . 'return csr_unpack(A, NULL, right, &count);'
check wrong csr_unpack 'return csr_unpack(A, NULL, wrong, &count);'
check right . 'return csr_insert(in, at, 7);'
check wrong csr_insert 'return csr_insert(in, at, number);'
check right . 'right = csr_values(A); count += (size_t)right[0];'
check wrong csr_values 'wrong = csr_values(A);'
check wrong vec_values 'right = vec_values(A);'
check right . 'sparse_arrays a; a.val = (sparse_array)SPARSE_ARRAY(right, 1); count += a.val.length;'
echo "typed: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
