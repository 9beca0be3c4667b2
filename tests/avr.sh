#!/bin/sh
# avr.sh: 16-bit numbers, conversions and kernels on a simulated AVR, whose int and size_t have 16 bits. Needs avr-gcc with
# its library, and simavr.
cd "$(dirname "$0")/.." || exit 1
if ! command -v avr-gcc >/dev/null || ! command -v simavr >/dev/null; then
    echo 'avr-gcc or simavr is not there'
    echo 'avr: 0 passed, 0 failed, 1 skipped'
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat >"$work/avr.c" <<'END_C'
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdio.h>
#include "sparse.h"
#define CSR csr, SPARSE_CSR, float, 16, 16
#define CSC csc, SPARSE_CSC, float, 16, 16
#define DIA dia, SPARSE_DIA, float, 16, 16
#define VEC vec, SPARSE_DENSE_1D, float, 16, 16
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(VEC)
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)

static unsigned passed, failed;
static void check(bool ok, const char *what)
{
    if (ok) passed++;
    else failed++, printf("failed: %s\n", what);
}
static int put(char c, FILE *f)
{
    (void)f;
    UDR0 = (uint8_t)c;
    return 0;
}
static FILE console = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);

int main(void)
{
    static const float number[] = {1, -2, 0.5F, 65504, 65520, 5.9604645e-8F, 2.9802322e-8F, 3.1415927F};
    static const uint16_t f16[] = {0x3C00, 0xC000, 0x3800, 0x7BFF, 0x7C00, 1, 0, 0x4248};
    static const uint16_t bf16[] = {0x3F80, 0xC000, 0x3F00, 0x4780, 0x4780, 0x3380, 0x3300, 0x4049};
    static const float a[] = {1, 2, 0, 0, 3, 0, 4, 0, 5}, aa[] = {1, 8, 0, 0, 9, 0, 24, 8, 25}, v[] = {1, 2, 3};
    static const float av[] = {5, 6, 19};
    const size_t dim[] = {3, 3};
    float dense[9] = {0};
    bool back = true, equal = false;
    csr A = SPARSE_INIT(csr), C = SPARSE_INIT(csr);
    csc B = SPARSE_INIT(csc);
    dia D = SPARSE_INIT(dia);
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    stdout = &console;
    for (unsigned k = 0; k < sizeof f16 / sizeof *f16; k++) {
        check(sparse_f16_of_float(number[k]).bits == f16[k], "float to f16");
        check(sparse_bf16_of_float(number[k]).bits == bf16[k], "float to bf16");
    }
    for (uint16_t k = 0; k <= 0x7C00; k++) {
        const sparse_f16 h = {k};
        back = back && sparse_f16_of_float(sparse_float_of_f16(h)).bits == k;
    }
    check(back, "f16 to float and back");
    check(!sparse_pack_dense_untyped(&A.t, dim, a) && !sparse_pack_dense_untyped(&x.t, dim, v), "pack");
    check(!sparse_convert(&B.t, &A.t) && !sparse_convert(&D.t, &B.t), "convert");
    check(!sparse_equal(&A.t, &D.t, 0, &equal) && equal, "equal");
    check(!spmv(&y, &A, &x) && memcmp(y.t.val.at, av, sizeof av) == 0, "spmv");
    check(!spgemm(&C, &A, &A) && !sparse_unpack_dense_untyped(&C.t, dense), "spgemm");
    for (unsigned k = 0; k < 9; k++) check(dense[k] >= aa[k] && dense[k] <= aa[k], "product");
    printf("avr: %u passed, %u failed\n", passed, failed);
    cli();
    sleep_mode();
}
END_C

if avr-gcc -std=c11 -Os -mmcu=atmega1284p -I. -Wall -Wextra -DSPARSE_TERSE=0 -Werror "$work/avr.c" -o "$work/avr" >"$work/out" 2>&1
then timeout 60 simavr -m atmega1284p -f 16000000 "$work/avr" 2>&1 | sed 's/\x1b\[[0-9;]*m//g; s/[.\r]*$//' | grep -E '^(failed|avr)' >"$work/out"
else echo 'avr: 0 passed, 1 failed' >>"$work/out"
fi
grep -q '^avr:' "$work/out" || echo 'avr: 0 passed, 1 failed' >>"$work/out"
cat "$work/out"
tail -n 1 "$work/out" | grep -q ', 0 failed$'
