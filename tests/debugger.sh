#!/bin/bash
# debugger.sh: docs/install/sparse_gdb.py prints tensors in gdb, in C and in C++. Skipped if gdb is missing, lacks Python,
# or may not run a program here. Environment: CC, CXX.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} CXX=${CXX:-c++}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
cat >"$work/program.c" <<'END'
#include "sparse.h"
#define CSR csr, SPARSE_CSR, double, 32, 32
#define COO coo, SPARSE_COO, int8_t, 64, 8
#define HALF half, SPARSE_VECTOR, sparse_f16, 16, 16
#define BRAIN brain, SPARSE_DENSE_1D, sparse_bf16, 32, 32
#define ONES ones, SPARSE_CSR, constant(double, 1), 32, 32
#define LONGS longs, SPARSE_DENSE_2D, uint64_t, 32, 32
typedef struct pair { double a, b; } pair;
#define PAIRS pairs, SPARSE_VECTOR, pair, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(HALF)
SPARSE_TENSOR(BRAIN)
SPARSE_TENSOR(ONES)
SPARSE_TENSOR(LONGS)
SPARSE_TENSOR(PAIRS)
csr A, none;
static coo B;
static half h;
static brain b;
static ones O;
static longs L;
static pairs P;
static const sparse_tensor *bare;
static void stop(void) { bare = &A.t; }
int main(void)
{
    const size_t two[] = {2, 3}, at[] = {0, 0, 0, 2, 1, 1}, one = 5, places[] = {1, 4};
    const double values[] = {1, 2.5, -3}, all[] = {1, 1, 1};
    const int8_t small[] = {65, -66, 67};
    const sparse_f16 halves[] = {sparse_f16_of_float(0.5f), sparse_f16_of_float(-2)};
    const pair both[] = {{1, 2}, {3, 4}};
    A.t.encoding = &csr_encoding, B.t.encoding = &coo_encoding, h.t.encoding = &half_encoding, b.t.encoding = &brain_encoding;
    O.t.encoding = &ones_encoding, L.t.encoding = &longs_encoding, P.t.encoding = &pairs_encoding;
    int failed = sparse_pack_untyped(&A.t, two, 3, at, values, SPARSE_DUPLICATES_ERROR) != SPARSE_OK;
    failed += sparse_pack_untyped(&B.t, two, 3, at, small, SPARSE_DUPLICATES_ERROR) != SPARSE_OK;
    failed += sparse_pack_untyped(&h.t, &one, 2, places, halves, SPARSE_DUPLICATES_ERROR) != SPARSE_OK;
    failed += sparse_allocate_dense(&b.t, places) != SPARSE_OK;
    if (!failed) ((sparse_bf16 *)b.t.val.at)[0] = sparse_bf16_of_float(1.5f);
    failed += sparse_pack_untyped(&O.t, two, 3, at, all, SPARSE_DUPLICATES_ERROR) != SPARSE_OK;
    failed += sparse_allocate_dense(&L.t, two) != SPARSE_OK;
    failed += sparse_pack_untyped(&P.t, &one, 2, places, both, SPARSE_DUPLICATES_ERROR) != SPARSE_OK;
    stop();
    return failed;
}
END
cat >"$work/wanted" <<'END'
$1 = csr, 2 x 3, 3 values = {pos[1] = {0, 2, 3}, crd[1] = {0, 2, 1}, values = {1, 2.5, -3}}
$2 = csr, 2 x 3, 3 values = {pos[1] = {0, 2, 3}, crd[1] = {0, 2, 1}, values = {1, 2.5, -3}}
$3 = coo, 2 x 3, 3 values = {pos[0] = {0, 3}, crd[0] = {0, 0, 0, 2, 1, 1}, values = {65, -66, 67}}
$4 = half, 5, 2 values = {pos[0] = {0, 2}, crd[0] = {1, 4}, values = {0.5, -2}}
$5 = brain, 1, 1 values = {values = {1.5}}
$6 = ones, 2 x 3, 3 values = {pos[1] = {0, 2, 3}, crd[1] = {0, 2, 1}, values = all {1}}
$7 = longs, 2 x 3, 6 values = {values = {0, 0, 0, 0, 0, 0}}
$8 = pairs, 5, 2 values = {pos[0] = {0, 2}, crd[0] = {1, 4}, values = 2 of 16 bytes}
$9 = csr without an encoding
END
# shows LANGUAGE COMMAND...: compiles with the command, and compares the output of gdb
shows() {
    local language=$1
    shift
    "$@" -g -O0 -I. "$work/program.c" -o "$work/program" -lm >"$work/out" 2>&1 &&
        gdb -nx -batch -ex 'set debuginfod enabled off' -ex 'source docs/install/sparse_gdb.py' -ex 'break stop' -ex run -ex finish \
            -ex 'print A' -ex 'print *bare' -ex 'print B' -ex 'print h' -ex 'print b' -ex 'print O' -ex 'print L' -ex 'print P' \
            -ex 'print none' -ex 'kill' "$work/program" >"$work/out" 2>&1
    grep '^\$' "$work/out" | diff - "$work/wanted" >"$work/difference" && passed=$((passed + 1)) && return
    failed=$((failed + 1))
    echo "failed: tensors as gdb shows them in $language"
    head -n 20 "$work/difference"
    tail -n 3 "$work/out"
}
cat >"$work/try.c" <<'END'
int main(void) { return 0; }
END
why=
if ! command -v gdb >/dev/null; then why="gdb is not there"
elif ! gdb -nx -batch -ex 'python print(6 * 7)' 2>/dev/null | grep -q '^42$'; then why="gdb has no Python"
elif ! { $CC -g "$work/try.c" -o "$work/try" && gdb -nx -batch -ex 'break main' -ex run "$work/try" 2>/dev/null | grep -q '^Breakpoint 1, main'; }; then
    why="gdb may not run a program here"
fi
if [ "$why" ]; then
    echo "skipped: tensors in gdb, as $why"
    skipped=1
else
    shows C $CC -std=c11
    shows C++ $CXX -std=c++17 -x c++
fi
echo "debugger: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
