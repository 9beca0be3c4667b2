#!/bin/bash
# company.sh: the examples with other libraries compile without a warning, and find that kit and library compute equal
# results. An example is skipped if its library is not installed. Environment: CC, CXX, WARNINGS.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} CXX=${CXX:-c++}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
unset MAKEFLAGS MAKELEVEL

check() {
    local what=$1
    shift
    if "$@" >"$work/out" 2>&1; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
        tail -n 5 "$work/out"
    fi
}
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }

# with NAME LANGUAGE HEADER 'LIBRARIES' [FLAGS]: builds and runs examples/company/NAME.*, if the library is there
with() {
    local name=$1 libraries=$4 flags=${5:-} compile
    case $2 in
    c) compile="$CC -std=c11" ;;
    *) compile="$CXX -std=c++17" ;;
    esac
    echo "#include <$3>
int main() { return 0; }" >"$work/probe.$2"
    if $compile $flags "$work/probe.$2" -o "$work/probe" $libraries >/dev/null 2>&1; then
        check "$name compiles" $compile $WARNINGS -O1 -I. $flags "examples/company/$name.$2" -o "$work/$name" $libraries -lm
        check "$name" "$work/$name"
    else skip "$name, as ${compile%% *} finds no <$3>${libraries:+ with $libraries}"
    fi
}
with eigen cc Eigen/Core "" "-isystem /usr/include/eigen3"
with suitesparse c umfpack.h "-lumfpack -lcholmod -lcxsparse" "-isystem /usr/include/suitesparse"
# solved EXAMPLE FLAGS MATRIX...: the solver of an example computes the solution that UMFPACK computes
solved() {
    local name=$1 flags=$2 suite='-isystem /usr/include/suitesparse' matrix
    shift 2
    echo '#include <umfpack.h>
int main() { return 0; }' >"$work/probe.c"
    $CC $suite "$work/probe.c" -o "$work/probe" -lumfpack >/dev/null 2>&1 || { skip "the solver of $name.c beside UMFPACK, as $CC finds no <umfpack.h>"; return; }
    check "$name.c beside UMFPACK compiles" $CC -std=c11 $WARNINGS -O1 -I. $suite -DEXAMPLE="\"../examples/$name.c\"" $flags \
        tests/solvers.c -o "$work/solver" -lumfpack -lm
    for matrix; do
        if [ -r "$matrix" ]; then check "$name.c beside UMFPACK: ${matrix##*/}" "$work/solver" "$matrix"
        else skip "$name.c beside UMFPACK on ${matrix##*/}, which is not there"; fi
    done
}
data=${SPARSE_DATA:-../shared/data}/matrices
solved cg -DTRIANGLE examples/data/plate.mtx "$data/nos4.mtx" "$data/lund_a.mtx" "$data/494_bus.mtx"
solved gmres '' "$data/pde900.mtx" "$data/saylr1.mtx" "$data/hor_131.mtx"
with graphblas c GraphBLAS.h -lgraphblas "-isystem /usr/include/suitesparse"
with blas c cblas.h -lblas
with mkl c stdio.h ""

# kernels in a shared library, called from the first python that has SciPy
python=
for p in python3 /usr/bin/python3; do
    "$p" -c 'import scipy.sparse' 2>/dev/null && python=$p && break
done
if [ "$python" ]; then
    check "make python" make -s python CC="$CC" WARNINGS="$WARNINGS" F=examples/company/kernels.c
    check "scipy_kernels.py" env PYTHONDONTWRITEBYTECODE=1 "$python" examples/company/scipy_kernels.py build/python/libkernels.so
    "$python" -c 'import sparse' 2>/dev/null || skip "arrays of PyData/Sparse in scipy_kernels.py, which is not installed"
    check "make python of a statement" make -s python CC="$CC" WARNINGS="$WARNINGS" K='y(i) = A(i,j) * x(j) + b(i)' FORMATS=A=csr
    check "its result" env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=build/python "$python" -c '
import numpy, scipy.sparse, kernel
A, x, b = scipy.sparse.random(9, 7, 0.4, "csr", random_state=1), numpy.arange(7.0), numpy.arange(9.0)
A.sort_indices()
assert numpy.allclose(kernel.compute_y(None, A, x, b), A @ x + b)'
    check "a scalar is refused" sh -c "! make -s python CC='$CC' K='y(i) = alpha * x(i)'"
    check "sparse_gen --python" env CC="$CC" sh ./sparse_gen.c 'C(i,j) = A(i,k) * B(k,j)' -f A,B,C=csr --python -w "$work/product.py"
    check "its module" env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$work" "$python" -c '
import scipy.sparse, product
A = scipy.sparse.random(9, 9, 0.4, "csr", random_state=1)
A.sort_indices()
assert abs(product.compute_C(None, A, A) - A @ A).max() < 1e-14'
    check "a module by another name" sh -c "CC='$CC' ./sparse_gen.c 'y(i) = x(i)' --python -w '$work/m.c' 2>&1 | grep -q 'called NAME.py'"
    check "kernels of several types" make -s python CC="$CC" WARNINGS="$WARNINGS" F=tests/python_types.c
    check "types, widths and formats" env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=build/python "$python" tests/test_python.py
else skip "scipy_kernels.py, as there is no python with SciPy"
fi
echo "company: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
