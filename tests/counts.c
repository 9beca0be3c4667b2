/* counts.c: canonical kernels on small made-up data. Each runs in a function run_NAME of its own, so that counts.sh can
   count its instructions. Prints a line "NAME ENTRIES" for each kernel. To add a kernel, add a KERNEL line and its name to
   KERNELS. With -DWORDS="FILE" the kernels come from FILE, which words.sh writes: lines of this file with strategy words. */
#include <stdio.h>

#include "sparse.h"

enum { N = 1000, ROW = 16, WIDE = 16, SIDE = 40, LONG = 100000 };

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC svec, SPARSE_VECTOR, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32
#define CSR2 csr2, SPARSE_CSR, float, 32, 16
#define CSC  csc, SPARSE_CSC, double, 32, 32
#define DCSR dcsr, SPARSE_DCSR, double, 32, 32
#define COO  coo, SPARSE_COO, double, 32, 32
#define BSR  bsr, SPARSE_BSR(4, 4), double, 32, 32
#define DIA  dia, SPARSE_DIA, double, 32, 32
#define ELL  ell, SPARSE_ELL(16), double, 32, 32
#define N2M4 n2m4, SPARSE_N_OF_M(2, 4), double, 32, 8
#define CSF  csf, SPARSE_CSF_3D, double, 32, 32
#define COO3 coo3, SPARSE_COO_3D, double, 32, 32
#define ROWS rows3, SPARSE_MODE_GENERIC_3D, double, 32, 32
#define ONES ones, SPARSE_CSR, constant(double, 1), 32, 32
#define COLS cols, SPARSE_COLUMN_MAJOR, double, 32, 32
#define BITS bits, SPARSE_BITMAP_ROWS, double, 32, 32
#define PILE pile, SPARSE_BATCHED_CSR, double, 32, 32
#define CUBE cube, SPARSE_DENSE_3D, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(SVEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(CSR2)
SPARSE_TENSOR(CSC)
SPARSE_TENSOR(DCSR)
SPARSE_TENSOR(COO)
SPARSE_TENSOR(BSR)
SPARSE_TENSOR(DIA)
SPARSE_TENSOR(ELL)
SPARSE_TENSOR(N2M4)
SPARSE_TENSOR(CSF)
SPARSE_TENSOR(COO3)
SPARSE_TENSOR(ROWS)
SPARSE_TENSOR(ONES)
SPARSE_TENSOR(COLS)
SPARSE_TENSOR(BITS)
SPARSE_TENSOR(PILE)
SPARSE_TENSOR(CUBE)

static vec x, y, short_x, long_y, f;
static svec a, b, c, d, e, rows;
static mat X, Y, U, Z, V, W, M;
static cube K;
static csr A, B, C, E, R, T;
static csr2 A2;
static csc Ac;
static dcsr Ad, Bd;
static coo Ao;
static bsr Ab;
static dia Ag;
static ell Ae;
static n2m4 An;
static csf F, S, S2; /* fibers of six entries, and of one or two */
static coo3 L;
static rows3 H;
static size_t order[N];
static ones G;
static cols Xc, Yc;
static bits At;
static pile P;
static mat Q, O;
static double s;

/* KERNEL(name, tensor whose entries count, (arguments), the rest of the line) */
#define KERNEL(name, of, arguments, ...)                                                                     \
    SPARSE_KERNEL(name, __VA_ARGS__)                                                                         \
    static __attribute__((noinline)) sparse_result run_##name(void) { return name arguments; }               \
    static size_t entries_of_##name(void) { return sparse_entries(&of.t); }

#ifdef WORDS
    #include WORDS
#else
KERNEL(spmv, A, (&y, &A, &x), (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_float, A2, (&y, &A2, &x), (i, j), (y, VEC, i), all((A, CSR2, i, j), (x, VEC, j)), y += (double)A * x)
KERNEL(spmv_csc, Ac, (&y, &Ac, &x), (j, i), (y, VEC, i), all((A, CSC, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_dcsr, Ad, (&y, &Ad, &x), (i, j), (y, VEC, i), all((A, DCSR, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_coo, Ao, (&y, &Ao, &x), (i, j), (y, VEC, i), all((A, COO, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_bsr, Ab, (&y, &Ab, &x), (floordiv(i, 4), floordiv(j, 4), mod(i, 4), mod(j, 4)), (y, VEC, i),
       all((A, BSR, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_dia, Ag, (&y, &Ag, &x), (minus(j, i), i), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_ell, Ae, (&y, &Ae, &x), (count(i, 16), i, j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_n_of_m, An, (&y, &An, &x), (i, floordiv(j, 4), mod(j, 4)), (y, VEC, i), all((A, N2M4, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_ones, G, (&y, &G, &x), (i, j), (y, VEC, i), all((A, ONES, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_bitmap, At, (&y, &At, &x), (i, j), (y, VEC, i), all((A, BITS, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_batches, P, (&O, &P, &Q), (b, i, j), (O, MAT, b, i), all((P, PILE, b, i, j), (Q, MAT, b, j)), O += P * Q)
KERNEL(spmv_simd, A, (&y, &A, &x), (i, simd(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
KERNEL(spmv_sparse, A, (&y, &A, &d), (i, j), (y, VEC, i), all((A, CSR, i, j), (x, SVEC, j)), y += A * x)
KERNEL(spmv_slice, A, (&y, &A, (sparse_slice[]){{0, N, 1}, {0, N, 1}}, &x), (i, j), (y, VEC, i),
       all(slice(A, CSR, i, j), (x, VEC, j)), y += A * x)
KERNEL(transposed, A, (&y, &A, &x), (i, j), (y, VEC, j), all((A, CSR, i, j), (x, VEC, i)), y += A * x)
KERNEL(sum_all, A, (&s, &A), (i, j), (s, double), all((A, CSR, i, j)), s += A)
KERNEL(largest, A, (&s, &A), (i, j), (s, double), all((A, CSR, i, j)), if (A > s) s = A)
KERNEL(dot2, a, (&s, &a, &b), (i), (s, double), all((a, SVEC, i), (b, SVEC, i)), s += a * b)
KERNEL(nearly, a, (&s, &a, &e), (i), (s, double), all((a, SVEC, i), (e, SVEC, i)), s += a * e)
KERNEL(dot3, a, (&s, &a, &b, &c), (i), (s, double), all((a, SVEC, i), (b, SVEC, i), (c, SVEC, i)), s += a * b * c)
KERNEL(union2, a, (&long_y, &a, &b), (i), (y, VEC, i), any((a, SVEC, i), (b, SVEC, i)), y = a + b)
KERNEL(union3, a, (&long_y, &a, &b, &c), (i), (y, VEC, i), any((a, SVEC, i), (b, SVEC, i), (c, SVEC, i)), y = a + b + c)
KERNEL(agree3, A, (&y, &A, &A, &A), (i, j), (y, VEC, i), any((A, CSR, i, j), (B, CSR, i, j), (C, CSR, i, j)), y += A + B + C)
KERNEL(either_and, a, (&long_y, &a, &b, &c), (i), (y, VEC, i), all(any((a, SVEC, i), (b, SVEC, i)), (c, SVEC, i)), y = (a + b) * c)
KERNEL(except, a, (&long_y, &a, &b), (i), (y, VEC, i), all((a, SVEC, i), none((b, SVEC, i))), y = a)
KERNEL(inner_rows, A, (&y, &A, &B), (i, j), (y, VEC, i), all((A, CSR, i, j), (B, CSR, i, j)), y += A * B)
KERNEL(union_rows, Ad, (&U, &Ad, &Bd), (i, j), (U, MAT, i, j), any((A, DCSR, i, j), (B, DCSR, i, j)), U = A + B)
KERNEL(broadcast, A, (&U, &A, &d), (i, j), (U, MAT, i, j), any((A, CSR, i, j), (x, SVEC, i)), U = A + x)
KERNEL(beside, A, (&U, &A, &x), (i, j), (U, MAT, i, j), any((A, CSR, i, j), (x, VEC, j)), U = A + x)
KERNEL(scale, E, (&E, 2, &x), (i, j), update(E, CSR, i, j), all((alpha, double), (x, VEC, i)), E *= alpha / x)
KERNEL(spmm, A, (&Y, &A, &X), (i, k, j), (Y, MAT, i, j), all((A, CSR, i, k), (X, MAT, k, j)), Y += A * X)
KERNEL(spmm_columns, A, (&Yc, &A, &Xc), (j, i, k), (Y, COLS, i, j), all((A, CSR, i, k), (X, COLS, k, j)), Y += A * X)
KERNEL(spmm_known, A, (&Y, &A, &X), (i, k, range(j, 16)), (Y, MAT, i, j), all((A, CSR, i, k), (X, MAT, k, j)), Y += A * X)
KERNEL(sddmm, E, (&E, &X, &Y), (i, j, k), update(E, CSR, i, j), all((X, MAT, i, k), (Y, MAT, j, k)), E += X * Y)
KERNEL(sddmm_like, A, (&T, &A, &X, &Y), (i, j, k), like(A, T, CSR, i, j), all((X, MAT, i, k), (Y, MAT, j, k)), T += A * X * Y)
KERNEL(ttv, F, (&V, &F, &short_x), (i, j, k), (U, MAT, i, j), all((F, CSF, i, j, k), (x, VEC, k)), U += F * x)
KERNEL(ttv_coo, L, (&V, &L, &short_x), (i, j, k), (U, MAT, i, j), all((A, COO3, i, j, k), (x, VEC, k)), U += A * x)
KERNEL(ttm, F, (&H, &F, &Z), (i, j, k, l), (T, ROWS, i, j, l), all((F, CSF, i, j, k), (Z, MAT, k, l)), T += F * Z)
KERNEL(mttkrp, F, (&W, &F, &Z, &Z), (i, k, l, j), (Y, MAT, i, j), all((F, CSF, i, k, l), (X, MAT, k, j), (Z, MAT, l, j)), Y += F * X * Z)
KERNEL(mttkrp_row, F, (&W, &F, &Z, &Z), (i, k, j), (Y, MAT, i, j),
       all(where((w, VEC, j), (l, j), all((F, CSF, i, k, l), (Z, MAT, l, j)), w += F * Z), (X, MAT, k, j)), Y += w * X)
KERNEL(ttv_middle, F, (&M, &F, &short_x), (i, j, k), (M, MAT, i, k), all((F, CSF, i, j, k), (x, VEC, j)), M += F * x)
KERNEL(core, F, (&K, &F, &Z, &Z, &Z), (i, j, k, a, b, c), (K, CUBE, a, b, c),
       all((F, CSF, i, j, k), (Z, MAT, i, a), (W, MAT, j, b), (V, MAT, k, c)), K += F * Z * W * V)
KERNEL(copy, A, (&C, &A), (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A)
KERNEL(copy_fibers, S, (&S2, &S), (i, j, k), (C, CSF, i, j, k), all((A, CSF, i, j, k)), C = A)
KERNEL(filtered, A, (&C, &A), (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A; has_C = j > i)
KERNEL(transpose, A, (&C, &A), (i, j), (C, CSR, j, i), all((A, CSR, i, j)), C = A)
KERNEL(add, A, (&C, &A, &B), (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)
KERNEL(times, A, (&C, &A, &B), (i, j), (C, CSR, i, j), all((A, CSR, i, j), (B, CSR, i, j)), C = A * B)
KERNEL(without, A, (&C, &A, &B), (i, j), (C, CSR, i, j), all((A, CSR, i, j), none((B, CSR, i, j))), C = A)
KERNEL(spgemm, A, (&C, &A, &B), (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
KERNEL(masked, R, (&C, &A, &R, &R), (i, k, j), (C, CSR, i, j),
       all((A, CSR, i, k), (R, CSR, k, j), where((m, VEC, j), (j), all((M, CSR, i, j)), m = 1)),
       if (m) C += A * R; else has_C = false)
KERNEL(convolved, a, (&long_y, &a, &f), (s, range(p, 3), let(i, s - p)), (y, VEC, i), all((a, SVEC, s), (f, VEC, p)), y += a * f)
KERNEL(convolved_anew, a, (&long_y, &a, &f), (s, range(p, 3), let(i, s - p)), from(0, y, VEC, i), all((a, SVEC, s), (f, VEC, p)), y += a * f)
KERNEL(windows_coo, Ao, (&y, &Ao, &f, &x), (i, p, j), (y, VEC, i),
       all(padded(A, COO, plus(i, p), j), (f, VEC, p), (x, VEC, j)), y += A * f * x)
KERNEL(picked, A, (&C, &x, &A, order), (i, let(u, order[i]), j), (C, CSR, i, j),
       all((x, VEC, i), (A, CSR, u, j), (order, const size_t *)), C = A * x)
KERNEL(row_sums, A, (&rows, &A), (i, j), (c, SVEC, i), all((A, CSR, i, j)), c += A)

#define KERNELS(X)                                                                                           \
    X(spmv) X(spmv_float) X(spmv_csc) X(spmv_dcsr) X(spmv_coo) X(spmv_bsr) X(spmv_dia) X(spmv_ell) X(spmv_n_of_m) \
    X(spmv_ones) X(spmv_bitmap) X(spmv_batches) X(spmv_simd) X(spmv_sparse) X(spmv_slice) X(transposed) X(sum_all) X(largest) X(dot2) X(nearly)      \
    X(dot3) X(union2) X(union3) X(agree3) X(either_and) X(except) X(inner_rows) X(union_rows) X(broadcast) X(beside) X(scale)    \
    X(spmm) X(spmm_columns) X(spmm_known) X(sddmm) X(sddmm_like) X(ttv) X(ttv_middle) X(ttv_coo) X(ttm) X(core) X(mttkrp) X(mttkrp_row) X(copy) X(copy_fibers) X(filtered)       \
    X(transpose) X(add) X(times) X(without) X(spgemm) X(masked) X(convolved) X(convolved_anew) X(windows_coo) X(row_sums) X(picked)
#endif

/* xorshift64*: equal numbers on every machine */
static uint64_t state = 88172645463325252u;
static size_t below(size_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 2685821657736338717u >> 16) % n);
}

static size_t coordinates[3 * N * ROW];
static double values[N * ROW];

/* Packs `count` random entries into a tensor of the given sizes; every row gets an equal number of them. */
static sparse_result fill(sparse_tensor *t, const size_t *dim, size_t count, bool ones_only)
{
    const size_t rank = t->encoding->rank;
    for (size_t n = 0; n < count; n++) {
        for (size_t d = 0; d < rank; d++) coordinates[n * rank + d] = d == 0 && rank > 1 ? n * dim[0] / count : below(dim[d]);
        values[n] = ones_only ? 1 : 1 + (double)below(9);
    }
    return sparse_pack_untyped(t, dim, count, coordinates, values, SPARSE_DUPLICATES_LAST);
}

static sparse_result make(void)
{
    static const size_t square[] = {N, N}, wide[] = {N, WIDE}, cube[] = {SIDE, SIDE, SIDE}, far[] = {N, LONG};
    static const size_t piled[] = {WIDE, SIDE, SIDE};
    static const size_t length = LONG, window = 3, little[] = {SIDE, WIDE};
    for (size_t n = 0; n < N; n++) order[n] = N - 1 - n;
    sparse_result r = fill(&A.t, square, N * ROW, false);
    if (!r) r = fill(&B.t, square, N * ROW, false);
    if (!r) r = sparse_convert(&E.t, &A.t);
    if (!r) r = sparse_convert(&Ac.t, &A.t);
    if (!r) r = sparse_convert(&Ad.t, &A.t);
    if (!r) r = sparse_convert(&Bd.t, &B.t);
    if (!r) r = sparse_convert(&Ao.t, &A.t);
    if (!r) r = sparse_convert(&Ab.t, &A.t);
    if (!r) r = sparse_convert(&Ae.t, &A.t);
    if (!r) r = sparse_convert(&At.t, &A.t);
    if (!r) r = fill(&P.t, piled, N * ROW, false);
    if (!r) r = fill(&Q.t, piled, SIDE * WIDE, false);
    if (!r) r = fill(&Xc.t, wide, N * WIDE, false);
    for (size_t n = 0; n < N * ROW; n++) /* eight pairs in a row */
        coordinates[2 * n] = n / ROW, coordinates[2 * n + 1] = n % ROW / 2 * 4 + n % 2 * 2 + n / ROW % 2;
    if (!r) r = sparse_pack_untyped(&An.t, square, N * ROW, coordinates, values, SPARSE_DUPLICATES_LAST);
    if (!r) r = fill(&G.t, square, N * ROW, true);
    for (size_t n = 0; n < N * ROW; n++) { /* nine diagonals */
        coordinates[2 * n] = n % N;
        coordinates[2 * n + 1] = (n % N + n / N % 9) % N;
    }
    if (!r) r = sparse_pack_untyped(&Ag.t, square, (size_t)N * 9, coordinates, values, SPARSE_DUPLICATES_LAST);
    if (!r) r = fill(&a.t, &length, N * ROW, false);
    if (!r) r = fill(&b.t, &length, N * ROW, false);
    if (!r) r = fill(&c.t, &length, N * ROW, false);
    for (size_t n = 0; !r && n < a.t.val.length / 8 * 7; n++) coordinates[n] = ((const uint32_t *)a.t.crd[0].at)[n + n / 7]; /* without every eighth */
    if (!r) r = sparse_pack_untyped(&e.t, &length, a.t.val.length / 8 * 7, coordinates, values, SPARSE_DUPLICATES_LAST);
    if (!r) r = fill(&d.t, square, N / 4, false);
    if (!r) r = fill(&Z.t, little, SIDE * WIDE, false);
    if (!r) r = fill(&X.t, wide, N * WIDE, false);
    if (!r) r = fill(&F.t, cube, N * 10, false);
    if (!r) r = sparse_convert(&L.t, &F.t);
    if (!r) r = sparse_allocate_dense(&x.t, square);
    if (!r) r = sparse_allocate_dense(&y.t, square);
    if (!r) r = sparse_allocate_dense(&Y.t, wide);
    if (!r) r = sparse_allocate_dense(&U.t, square);
    if (!r) r = sparse_allocate_dense(&short_x.t, cube);
    if (!r) r = sparse_allocate_dense(&long_y.t, &length);
    if (!r) r = sparse_allocate_dense(&f.t, &window);
    for (size_t n = 0; !r && n < N; n++) ((double *)x.t.val.at)[n] = 1 + (double)(n % 7);
    for (size_t n = 0; n < N * ROW; n++) coordinates[2 * n] = n / ROW, coordinates[2 * n + 1] = below(N);
    static float narrow[N * ROW];
    for (size_t n = 0; n < N * ROW; n++) narrow[n] = 1;
    if (!r) r = sparse_pack_untyped(&A2.t, square, N * ROW, coordinates, narrow, SPARSE_DUPLICATES_LAST);
    for (size_t n = 0; n < N * ROW; n++) coordinates[2 * n + 1] = LONG / N * below(N); /* few columns, far apart */
    if (!r) r = sparse_pack_untyped(&R.t, far, N * ROW, coordinates, values, SPARSE_DUPLICATES_LAST);
    if (!r) r = fill(&S.t, cube, N, false);
    return r;
}

int main(void)
{
    sparse_tensor *const all[] = {&x.t, &y.t, &short_x.t, &long_y.t, &f.t, &a.t, &b.t, &c.t, &d.t, &e.t, &rows.t, &X.t, &Y.t, &U.t, &Z.t, &V.t, &W.t, &M.t, &K.t, &A.t, &B.t, &C.t, &E.t, &R.t,
                                  &T.t, &A2.t, &Ac.t, &Ad.t, &Bd.t, &Ao.t, &Ab.t, &Ag.t, &Ae.t, &An.t, &F.t, &S.t, &S2.t, &L.t, &G.t, &H.t, &Xc.t, &Yc.t, &At.t, &P.t, &Q.t, &O.t};
    x.t = y.t = short_x.t = long_y.t = f.t = (sparse_tensor){.encoding = &vec_encoding};
    a.t = b.t = c.t = d.t = e.t = rows.t = (sparse_tensor){.encoding = &svec_encoding};
    X.t = Y.t = U.t = Z.t = V.t = W.t = M.t = (sparse_tensor){.encoding = &mat_encoding};
    A.t = B.t = C.t = E.t = R.t = T.t = (sparse_tensor){.encoding = &csr_encoding};
    A2.t.encoding = &csr2_encoding, Ac.t.encoding = &csc_encoding, Ao.t.encoding = &coo_encoding;
    Ad.t.encoding = Bd.t.encoding = &dcsr_encoding, Ab.t.encoding = &bsr_encoding, Ag.t.encoding = &dia_encoding;
    Ae.t.encoding = &ell_encoding, An.t.encoding = &n2m4_encoding, F.t.encoding = S.t.encoding = S2.t.encoding = &csf_encoding, L.t.encoding = &coo3_encoding, G.t.encoding = &ones_encoding;
    H.t.encoding = &rows3_encoding, At.t.encoding = &bits_encoding, P.t.encoding = &pile_encoding, K.t.encoding = &cube_encoding;
    Xc.t = Yc.t = (sparse_tensor){.encoding = &cols_encoding}, Q.t = O.t = (sparse_tensor){.encoding = &mat_encoding};
    const sparse_result made = make();
    if (made) return printf("%s\n", sparse_message(made)), 1;
#define RUN(name)                                                                                            \
    {                                                                                                        \
        const size_t entries = entries_of_##name();                                                          \
        const sparse_result r = run_##name();                                                                \
        if (r) return printf(#name ": %s\n", sparse_message(r)), 1;                                          \
        printf(#name " %lu\n", (unsigned long)entries);                                                      \
    }
    KERNELS(RUN)
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) sparse_free(all[n]);
    return 0;
}
