#!/bin/sh
# checks.sh: which wrong arguments kernels refuse with SPARSE_CHECKS 2, 1 and 0, in C, in C++ and in linked programs. Prints
# the size of a kernel with each setting. Environment: CC, CXX, DAY (set: one level of optimization).
cd "$(dirname "$0")/.." || exit 1
. tests/quiet.sh

cat >"$work/types.h" <<'END_C'
#include "sparse.h"
#define CSR csr, SPARSE_CSR, double, 32, 32
#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(VEC)
END_C
cat >"$work/kernel.c" <<'END_C'
#include "types.h"
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
#ifdef __cplusplus
extern "C"
#endif
sparse_result multiply(vec *y, const csr *A, const vec *x);
sparse_result multiply(vec *y, const csr *A, const vec *x) { return spmv(y, A, x); }
END_C
# CHECKED is the setting that takes effect
cat >"$work/program.c" <<'END_C'
#include <stdio.h>
#include "types.h"
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(part, (i, j), (y, VEC, i), all(slice(A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(scaled, (i, j), like(A, C, CSR, i, j), all((number, double)), C = number * A)
SPARSE_KERNEL(sum, (i, j), (s, double), all((A, CSR, i, j)), s += A)
static int failed;
static void expect(int line, bool right)
{
    if (!right) printf("line %d\n", line), failed = 1;
}
#define EXPECT(right) expect(__LINE__, right)
/* the call is refused with the error `with` if CHECKED is at least `least` */
#define REFUSED(least, call, with) EXPECT((call) == (CHECKED >= (least) ? (with) : SPARSE_OK))
static bool holds(const sparse_tensor *t, size_t length, const double *of)
{
    return t->val.at && t->val.length == length && memcmp(t->val.at, of, length * sizeof *of) == 0;
}
int main(void)
{
    const size_t dim[] = {2, 2}, longer[] = {3, 3};
    const double values[] = {1, 2, 0, 3}, ones[] = {1, 1, 1}, rows[] = {3, 3}, squared[] = {1, 8, 9}, twice[] = {2, 4, 6};
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr), D = SPARSE_INIT(csr), blank = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), z = SPARSE_INIT(vec), y = SPARSE_INIT(vec), w = SPARSE_INIT(vec);
    const sparse_slice all[] = {{0, 2, 1}, {0, 2, 1}}, out[] = {{0, 2, 1}, {0, 3, 1}};
    double s = 0;
    EXPECT(!sparse_pack_dense_untyped(&A.t, dim, values));
    EXPECT(!sparse_pack_dense_untyped(&x.t, dim, ones));
    EXPECT(!sparse_pack_dense_untyped(&z.t, longer, ones));

    /* the same results with any setting */
    EXPECT(!spmv(&y, &A, &x) && holds(&y.t, 2, rows));
    EXPECT(!part(&w, &A, all, &x) && holds(&w.t, 2, rows));
    EXPECT(!spgemm(&C, &A, &A) && holds(&C.t, 3, squared));
    EXPECT(!scaled(&D, &A, 2) && holds(&D.t, 3, twice));
    EXPECT(!sum(&s, &A) && s > 5 && s < 7);

    /* sizes: another length of x does no harm to CSR, nor does a slice of columns that are not there */
    REFUSED(1, spmv(&y, &A, &z), SPARSE_E_SHAPE);
    REFUSED(1, part(&w, &A, out, &x), SPARSE_E_ARGUMENT);
    /* another encoding does no harm where the arrays are the same, nor a lacking one */
    csr lax = A;
    sparse_encoding nonordered = *A.t.encoding;
    nonordered.level[1].properties = SPARSE_NONORDERED;
    lax.t.encoding = &nonordered;
    REFUSED(2, spmv(&y, &lax, &x), SPARSE_E_ENCODING);
    lax.t.encoding = NULL;
    REFUSED(2, spmv(&y, &lax, &x), SPARSE_E_NO_ENCODING);
#if CHECKED == 2
    EXPECT(spmv(&y, NULL, &x) == SPARSE_E_NULL);
    EXPECT(spmv(NULL, &A, &x) == SPARSE_E_NULL);
    EXPECT(sum(NULL, &A) == SPARSE_E_NULL);
    EXPECT(part(&w, &A, NULL, &x) == SPARSE_E_NULL);
    EXPECT(spmv(&y, &blank, &x) == SPARSE_E_EMPTY);
    EXPECT(spmv(&x, &A, &x) == SPARSE_E_ALIAS);
    EXPECT(spgemm(&A, &A, &C) == SPARSE_E_ALIAS);
    vec beside = x;
    EXPECT(spmv(&beside, &A, &x) == SPARSE_E_ALIAS);
    EXPECT(holds(&x.t, 2, ones) && holds(&y.t, 2, rows));
#endif
    sparse_free(&A.t), sparse_free(&C.t), sparse_free(&D.t), sparse_free(&blank.t);
    sparse_free(&x.t), sparse_free(&z.t), sparse_free(&y.t), sparse_free(&w.t);
    return failed;
}
END_C
# a freestanding program with dense outputs: the call of the kernel itself reads and compares the sizes
cat >"$work/controller.c" <<'END_C'
#define SPARSE_FREESTANDING 1
#include "types.h"
#include <stdio.h>
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(part, (i, j), (y, VEC, i), all(slice(A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(scaled, (i, j), like(A, C, CSR, i, j), all((number, double)), C = number * A)
SPARSE_KERNEL(sum, (i, j), (s, double), all((A, CSR, i, j)), s += A)
SPARSE_KERNEL(first, (range(i, 2), j), (y, VEC, i), all((A, CSR, i, j)), y += A)
SPARSE_KERNEL(correlate, (i, k), (y, VEC, i), all((f, VEC, k), (x, VEC, plus(i, k))), y += f * x)
SPARSE_KERNEL(centred, (i, j), (C, CSR, i, j),
              all(where((sum, double), (j), all((A, CSR, i, j)), sum += A), (B, CSR, i, j)), C = B - sum)
static int failed;
#define EXPECT(right) \
    if (!(right)) printf("line %d\n", __LINE__), failed = 1
#define REFUSED(call, with) EXPECT((call) == (SPARSE_CHECKS >= 1 ? (with) : SPARSE_OK))
static unsigned char memory[8192];
static sparse_arena arena = SPARSE_ARENA(arena, memory, sizeof memory);
static bool is(double a, double b) { return a >= b && a <= b; }
int main(void)
{
    const size_t dim[] = {2, 2}, three[] = {3};
    const double values[] = {1, 2, 0, 3}, ones[] = {1, 1, 1};
    double out[3] = {0}, longer[3] = {0}, s = 0;
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr), D = SPARSE_INIT(csr), E = SPARSE_INIT(csr);
    vec x = SPARSE_INIT(vec), x3 = SPARSE_INIT(vec), y = SPARSE_INIT(vec), y3 = SPARSE_INIT(vec), f = SPARSE_INIT(vec);
    const sparse_slice all[] = {{0, 2, 1}, {0, 2, 1}}, outside[] = {{0, 2, 1}, {0, 3, 1}};
    A.t.hooks = C.t.hooks = D.t.hooks = E.t.hooks = &arena.hooks;
    EXPECT(!csr_pack_dense(&A, dim, values) && !vec_borrow(&x, dim, ones) && !vec_borrow(&x3, three, ones));
    EXPECT(!vec_borrow(&y, dim, out) && !vec_borrow(&y3, three, longer) && !vec_borrow(&f, dim, ones));
    EXPECT(!spmv(&y, &A, &x) && is(out[0], 3) && is(out[1], 3));
    EXPECT(!part(&y, &A, all, &x) && is(out[0], 6) && is(out[1], 6));
    EXPECT(!spgemm(&C, &A, &A) && C.t.val.length == 3 && is(((double *)C.t.val.at)[1], 8));
    EXPECT(!scaled(&D, &A, 2) && D.t.val.length == 3 && is(((double *)D.t.val.at)[2], 6));
    EXPECT(!centred(&E, &A, &A) && E.t.val.length == 3 && is(((double *)E.t.val.at)[0], -2));
    EXPECT(!sum(&s, &A) && is(s, 6));
    EXPECT(!first(&y, &A) && is(out[0], 9) && is(out[1], 9));
    vec y1 = SPARSE_INIT(vec);
    const size_t one[] = {1};
    double narrow = 0;
    EXPECT(!vec_borrow(&y1, one, &narrow) && !correlate(&y1, &f, &x) && is(narrow, 2));
    REFUSED(spmv(&y, &A, &x3), SPARSE_E_SHAPE);
    REFUSED(spmv(&y3, &A, &x), SPARSE_E_SHAPE);
    REFUSED(part(&y, &A, outside, &x), SPARSE_E_ARGUMENT);
    REFUSED(first(&y3, &A), SPARSE_E_SHAPE);
    vec blank = SPARSE_INIT(vec);
    if (SPARSE_CHECKS >= 1) EXPECT(spmv(&blank, &A, &x) == SPARSE_E_SHAPE && !blank.t.val.at);
    csr wide = A;
    wide.t.dim[1] = SIZE_MAX;
    REFUSED(sum(&s, &wide), SPARSE_E_OVERFLOW);
    return failed;
}
END_C
c="$CC -std=c11 $WARNINGS -I. -I$work" cxx="$CXX -std=c++17 $WARNINGS -I. -I$work -x c++"
[ "$DAY" ] && levels=-O2 || levels='-O0 -O2'
for checks in 2 1 0; do
    with="-DSPARSE_CHECKS=$checks -DCHECKED=$checks"
    for level in $levels; do
        succeeds "$checks, C $level" $c $level $with "$work/program.c" -o "$work/program" -lm
        succeeds "$checks $level" "$work/program"
    done
    succeeds "$checks, C++" sh -c "$cxx -O0 $with $work/program.c -o $work/program -lm && $work/program"
    [ "$checks" = 2 ] || for level in $levels; do
        succeeds "$checks, on a controller $level" sh -c "$c $level -DSPARSE_CHECKS=$checks $work/controller.c -o $work/program -lm && $work/program"
        succeeds "$checks, on a controller, C++" sh -c "$cxx $level -DSPARSE_CHECKS=$checks $work/controller.c -o $work/program -lm && $work/program"
    done
    # in a linked program the setting of the implementation takes effect, not the setting of the kernels' file
    printf '#define SPARSE_IMPLEMENTATION\n#include "sparse.h"\n' >"$work/kit.c"
    succeeds "$checks linked" sh -c "$c -O0 -DSPARSE_CHECKS=$checks -c $work/kit.c -o $work/kit.o &&
        $c -O0 -DSPARSE_DECLARE -DCHECKED=$checks $work/program.c $work/kit.o -o $work/program -lm && $work/program"
    succeeds "$checks, the kernel alone" $c -Os -DSPARSE_CHECKS=$checks -c "$work/kernel.c" -o "$work/kernel.o"
    text=$(size "$work/kernel.o" | awk 'END { print $1 }')
    echo "SPARSE_CHECKS $checks: $text bytes of code and constants, the kernel spmv at -Os"
    if [ "$checks" != 2 ]; then succeeds "$checks is smaller" [ "$text" -lt "$before" ]; fi
    before=$text
done
echo "checks: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
