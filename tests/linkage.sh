#!/bin/sh
# linkage.sh: programs of several files, with SPARSE_DECLARE in all and SPARSE_IMPLEMENTATION in one, in C, in C++ and with
# a shared library. Every symbol begins with the prefix of the kit. A file that only includes the headers emits no function.
# Environment: CC, CXX, DAY (set: only -O0).
cd "$(dirname "$0")/.." || exit 1
. tests/quiet.sh

cat >"$work/types.h" <<'END_C'
#define SPARSE_DECLARE
#include "sparse.h"
#include "sparse_io.h"
#define CSR csr, SPARSE_CSR, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(VEC)
#ifdef __cplusplus
extern "C" {
#endif
sparse_result multiply(vec *y, const csr *A, const vec *x);
sparse_result square(csr *C, const csr *A);
#ifdef __cplusplus
}
#endif
END_C
echo '#define SPARSE_IMPLEMENTATION
#include "types.h"' >"$work/kit.c"
cat >"$work/kernels.c" <<'END_C'
#include "types.h"
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(times, (i, j), like(A, C, CSR, i, j), all((number, double)), C = number * A)
SPARSE_KERNEL(centred, (i, j), (C, CSR, i, j),
              all(where((sum, double), (j), all((A, CSR, i, j)), sum += A), (B, CSR, i, j)), C = B - sum)
sparse_result multiply(vec *y, const csr *A, const vec *x) { return spmv(y, A, x); }
sparse_result square(csr *C, const csr *A)
{
    csr D = SPARSE_INIT(csr), E = SPARSE_INIT(csr);
    sparse_result r = times(&D, A, 2);
    if (!r) r = centred(&E, &D, A);
    if (!r) r = spgemm(C, A, A);
    sparse_free(&D.t), sparse_free(&E.t);
    return r;
}
END_C
cat >"$work/main.c" <<'END_C'
#include "types.h"
static const char text[] = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n1 2 2\n2 2 3\n";
int main(void)
{
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    dcsr D = SPARSE_INIT(dcsr);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    const double one[] = {1, 1}, squared[] = {1, 8, 9};
    const size_t dim[] = {2, 2};
    double sum = 0;
    sparse_report where;
    sparse_result r = sparse_read_memory(&A.t, text, sizeof text - 1, NULL);
    if (!r) r = sparse_pack_dense_untyped(&x.t, dim, one);
    if (!r) r = multiply(&y, &A, &x);
    if (!r) r = square(&C, &A);
    if (!r) r = sparse_convert(&D.t, &C.t);
    if (!r) r = sparse_validate(&D.t, &where);
    FILE *const out = tmpfile();
    if (!r && out) r = sparse_write_stream(&D.t, out, NULL);
    if (out) fclose(out);
    SPARSE_FOREACH(c, &D.t) sum += SPARSE_VALUE(c, double);
    const bool right = !r && C.t.val.length == 3 && memcmp(C.t.val.at, squared, sizeof squared) == 0 && sum > 17 &&
                       sum < 19 && ((double *)y.t.val.at)[0] > 2.5;
    if (!right) puts(sparse_message(r));
    sparse_free(&A.t), sparse_free(&C.t), sparse_free(&D.t), sparse_free(&x.t), sparse_free(&y.t);
    return !right;
}
END_C
c="$CC -std=c11 $WARNINGS -I. -I$work" cxx="$CXX -std=c++17 $WARNINGS -I. -I$work -x c++"
sed 's/SPARSE_DECLARE/SPARSE_HERE/' "$work/types.h" >"$work/here.h"
[ "$DAY" ] && levels=-O0 || levels='-O0 -O2'
for level in $levels; do
    for part in kit kernels main; do
        succeeds "$part, C $level" $c $level -fPIC -c "$work/$part.c" -o "$work/$part.o"
        [ $level$part = -O2kit ] || succeeds "$part, C++ $level" $cxx $level -fPIC -c "$work/$part.c" -o "$work/$part.cc.o"
    done
    [ $level = -O0 ] && [ $has_cxx ] && kits='kit.o kit.cc.o' || kits=kit.o
    for kit in $kits; do
        [ $kit = kit.o ] && link=$CC || link=$CXX
        succeeds "$kit kernels.o main.o $level" sh -c "cd $work && $link $kit kernels.o main.o -o program -lm && ./program"
        for files in 'kernels.o main.cc.o' 'kernels.cc.o main.o' 'kernels.cc.o main.cc.o'; do
            succeeds "$kit $files $level" sh -c "cd $work && $CXX $kit $files -o program -lm && ./program"
        done
        succeeds "$kit as a library $level" sh -c "cd $work && $CXX -shared $kit -o libkit.so -lm &&
            $CXX kernels.o main.cc.o -o program -L. -lkit -Wl,-rpath,$work -lm && ./program"
        nm -g --defined-only "$work/$kit" | awk '$3 !~ /^_?sparse_/ && $3 !~ /^DW\.ref\./ { print $3 }' >"$work/names"
        succeeds "$kit $level: names without the prefix" cat "$work/names"
    done
    # two files, one with implementation and kernel; then one file without SPARSE_DECLARE and SPARSE_IMPLEMENTATION
    printf '#define SPARSE_IMPLEMENTATION\n#include "kernels.c"\n' >"$work/two.c"
    succeeds "two files $level" sh -c "$c $level $work/two.c $work/main.c -o $work/program -lm && $work/program"
    printf '#include "here.h"\n#define types_h\n' >"$work/one.c"
    for part in kernels main; do sed '/types.h/d' "$work/$part.c" >>"$work/one.c"; done
    succeeds "one file $level" sh -c "$c $level $work/one.c -o $work/program -lm && $work/program"
    printf '#include "sparse.h"\n#include "sparse_io.h"\ntypedef int not_empty;\n' >"$work/alone.c"
    succeeds "headers alone, C $level" $c $level -c "$work/alone.c" -o "$work/alone.o"
    succeeds "headers alone, C++ $level" $cxx $level -c "$work/alone.c" -o "$work/alone.cc.o"
    nm "$work"/alone*.o | grep -i ' t ' >"$work/names"
    succeeds "headers alone $level: functions" cat "$work/names"
done
# a file compiled with another SPARSE_MAX_LEVELS, which changes the size of a tensor
sed -i '/sparse_io.h/d' "$work/types.h"
succeeds "kernels with smaller tensors" $c -O0 -DSPARSE_MAX_LEVELS=2 -c "$work/kernels.c" -o "$work/kernels.o"
(cd "$work" && ! $CC kit.o kernels.o main.o -o program -lm) >"$work/refused" 2>&1
succeeds "files that differ in SPARSE_MAX_LEVELS are not linked" grep -q 'undefined.*sparse_p_bind_max_levels_2' "$work/refused"
echo "linkage: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
