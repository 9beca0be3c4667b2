/* kit.c: the team of the kit, with all strategy words. Every installed compiler compiles it. With PEERS_PLAIN=1 it has the
   lines as a newcomer writes them, compiled at -O2 without other flags; with PEERS_PLAIN=2 also for several processors.

   Contents (search for the anchors)
     >>lines     the kernels
     >>runs      each kernel as a peer
     >>team      the list of peers: to add one, add a line and a run */
#include "peers.h"
#include "sparse.h"
#include "sparse_io.h"
#include "storage.h"

#ifndef PEERS_TEAM
    #define PEERS_TEAM team_kit
#endif
#ifndef PEERS_NAME
    #define PEERS_NAME "C"
#endif
#ifndef PEERS_PLAIN
    #define PEERS_PLAIN 0
#endif

/* >>lines
   Kernels on graphs that run over rows are parallel if PEERS_PARALLEL is set. */
#if PEERS_PARALLEL
    #define ROWS parallel(i)
#else
    #define ROWS i
#endif
SPARSE_KERNEL(spmv_csr, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmm, (i, j, k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(sddmm_csr, (i, j, k), like(S, Y, CSR, i, j), all((X, MAT, i, k), (Z, MAT, j, k)), Y += S * X * Z)
#if !PEERS_PLAIN
SPARSE_KERNEL(spmv_csr_simd, (i, simd(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dcsr, (i, j), (y, VEC, i), all((A, DCSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dcsr_simd, (i, simd(j)), (y, VEC, i), all((A, DCSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_cd, (i, j), (y, VEC, i), all((A, CD, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_cd_simd, (i, simd(j)), (y, VEC, i), all((A, CD, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bsr, (floordiv(i, 4), floordiv(j, 4), mod(i, 4), mod(j, 4)), (y, VEC, i),
              all((A, BSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_bsr_prefetch, (floordiv(i, 4), prefetch(floordiv(j, 4)), mod(i, 4), mod(j, 4)), (y, VEC, i),
              all((A, BSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_ell, (i, count(i, 5), j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_n2m4, (i, floordiv(j, 4), mod(j, 4)), (y, VEC, i), all((A, N2M4, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_n2m4_simd, (i, floordiv(j, 4), simd(mod(j, 4))), (y, VEC, i), all((A, N2M4, i, j), (x, VEC, j)),
              y += A * x)
SPARSE_KERNEL(spmv_dia, (minus(j, i), i), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dia_blocks, (floordiv(i, 1024), minus(j, i), mod(i, 1024)), (y, VEC, i),
              all((A, DIA, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_dias, (floordiv(i, 512), minus(j, i), mod(i, 512)), (y, VEC, i),
              all((A, DIAS, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_csb, (floordiv(j, 65536), floordiv(i, 65536), mod(i, 65536), mod(j, 65536)), (y, VEC, i),
              all((A, CSB, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmv_csr_prefetch, (i, prefetch(j)), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
/* with a number of columns known at compile time, so that sums stay in registers */
#define SPMM(columns)                                                                                                     \
    SPARSE_KERNEL(spmm_##columns, (i, j, range(k, columns)), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)),         \
                  Y += A * X)                                                                                             \
    SPARSE_KERNEL(spmm_prefetch_##columns, (i, prefetch(j), range(k, columns)), (Y, MAT, i, k),                           \
                  all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)                                                        \
    SPARSE_KERNEL(spmm_unrolled_##columns, (i, unroll(j), range(k, columns)), (Y, MAT, i, k),                             \
                  all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPMM(8)
SPMM(64)
SPMM(128)
SPARSE_KERNEL(spmm_prefetch, (i, prefetch(j), k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(spmm_unrolled, (i, unroll(j), k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
/* The sampled product: plain; with the sum in vector lanes; with four sums at once; with the entry moved out of the sum. In
   place, in every encoding of the table. */
#define SDDMM(name, TYPE, first, second)                                                                                  \
    SPARSE_KERNEL(sddmm_##name, (first, second, k), like(S, Y, TYPE, i, j), all((X, MAT, i, k), (Z, MAT, j, k)),          \
                  Y += S * X * Z)
#define SDDMM_STRATEGIES(name, TYPE, first, second)                                                                       \
    SPARSE_KERNEL(sddmm_##name##_simd, (first, second, simd(k)), like(S, Y, TYPE, i, j),                                  \
                  all((X, MAT, i, k), (Z, MAT, j, k)), Y += S * X * Z)                                                    \
    SPARSE_KERNEL(sddmm_##name##_unroll, (first, unroll(second), k), like(S, Y, TYPE, i, j),                              \
                  all((X, MAT, i, k), (Z, MAT, j, k)), Y += S * X * Z)                                                    \
    SPARSE_KERNEL(sddmm_##name##_both, (first, unroll(second), simd(k)), like(S, Y, TYPE, i, j),                          \
                  all((X, MAT, i, k), (Z, MAT, j, k)), Y += S * X * Z)                                                    \
    SPARSE_KERNEL(sddmm_##name##_where, (first, second), like(S, Y, TYPE, i, j),                                          \
                  all(where((w, double), (simd(k)), all((X, MAT, i, k), (Z, MAT, j, k)), w += X * Z)), Y = S * w)
SDDMM_STRATEGIES(csr, CSR, i, j)
SDDMM(dcsr, DCSR, i, j)
SDDMM_STRATEGIES(dcsr, DCSR, i, j)
SDDMM(csc, CSC, j, i)
SDDMM_STRATEGIES(csc, CSC, j, i)
SDDMM(dcsc, DCSC, j, i)
SDDMM_STRATEGIES(dcsc, DCSC, j, i)
SDDMM(coo, COO, i, j)
SDDMM_STRATEGIES(coo, COO, i, j)
#define MTTKRP(name, TYPE, first, second, FIRST, SECOND)                                                                  \
    SPARSE_KERNEL(mttkrp_##name, (i, first, second, r), (Y, MAT, i, r),                                                   \
                  all((B, TYPE, i, j, k), (X, MAT, j, r), (Z, MAT, k, r)), Y += B * X * Z)                                \
    SPARSE_KERNEL(mttkrp_##name##_unroll, (i, first, unroll(second), r), (Y, MAT, i, r),                                  \
                  all((B, TYPE, i, j, k), (X, MAT, j, r), (Z, MAT, k, r)), Y += B * X * Z)                                \
    SPARSE_KERNEL(mttkrp_##name##_where, (i, first, r), (Y, MAT, i, r),                                                   \
                  all(where((w, VEC, r), (unroll(second), r), all((B, TYPE, i, j, k), (SECOND, MAT, second, r)),          \
                            w += B * SECOND), (FIRST, MAT, first, r)), Y += w * FIRST)
MTTKRP(dss, DSS, j, k, X, Z)
MTTKRP(alt, DSS_ALT, k, j, Z, X)
SPARSE_KERNEL(ttm, (i, j, k, r), (T, MG, i, j, r), all((B, CSF, i, j, k), (Z, MAT, k, r)), T += B * Z)
SPARSE_KERNEL(ttm_where, (i, j, r), (T, MG, i, j, r),
              all(where((w, VEC, r), (unroll(k), r), all((B, CSF, i, j, k), (Z, MAT, k, r)), w += B * Z)), T = w)
SPARSE_KERNEL(ttv, (i, j, k), (T, DCSR, i, j), all((B, CSF, i, j, k), (x, VEC, k)), T += B * x)
SPARSE_KERNEL(sum3, (i), (s, double), any((a, SV, i), (b, SV, i), (c, SV, i)), s += a + b + c)
SPARSE_KERNEL(union3, (i), (y, VEC, i), any((a, SV, i), (b, SV, i), (c, SV, i)), y = a + b + c)
SPARSE_KERNEL(union3_sparse, (i), (y, SV, i), any((a, SV, i), (b, SV, i), (c, SV, i)), y = a + b + c)
SPARSE_KERNEL(dot, (i), (s, double), all((a, SV, i), (b, SV, i)), s += a * b)
SPARSE_KERNEL(add, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, CSR, i, j)), C = A + B)
SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(spgemm_prefetch, (i, prefetch(k), j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(triangles, (i, k, j), (s, double), all((L, CSR, i, k), (U, CSR, k, j), (M, CSR, i, j)), s += L * U * M)
SPARSE_KERNEL(triangles_row, (i, k, j), (s, double),
              all((L, CSR, i, k), (U, CSR, k, j), where((w, VEC, j), (j), all((M, CSR, i, j)), w = M)), s += L * U * w)
SPARSE_KERNEL(triangles_row_simd, (i, k, simd(j)), (s, double),
              all((L, CSR, i, k), (U, CSR, k, j), where((w, VEC, j), (j), all((M, CSR, i, j)), w = M)), s += L * U * w)
#define TRIANGLES_OF(name, inner)                                                                                         \
    SPARSE_KERNEL(name, (ROWS, k, inner), (count, VEC, i),                                                                \
                  all((L, CSR, i, k), (U, CSR, k, j), where((w, VEC, j), (j), all((M, CSR, i, j)), w = M)), count += L * U * w)
TRIANGLES_OF(triangles_of, j)
TRIANGLES_OF(triangles_of_simd, simd(j))
SPARSE_KERNEL(sum, (simd(i)), (s, double), all((count, VEC, i)), s += count)
SPARSE_KERNEL(masked, (i, k, j), (C, CSR, i, j), all((L, CSR, i, k), (U, CSR, k, j), (M, CSR, i, j)), C += L * U * M)
#define MASKED_ROW(name, factors)                                                                                         \
    SPARSE_KERNEL(name, (ROWS, factors, j), (C, CSR, i, j),                                                               \
                  all((L, CSR, i, k), (U, CSR, k, j), where((m, MARKS, j), (j), all((M, CSR, i, j)), m = 1)),             \
                  if (m) C += L * U; else has_C = false)
MASKED_ROW(masked_row, k)
MASKED_ROW(masked_row_prefetch, prefetch(k))
SPARSE_KERNEL(masked_sums, (ROWS, j), (C, CSR, i, j),
              all((M, CSR, i, j), where((w, VEC, j), (k, j), all((L, CSR, i, k), (U, CSR, k, j)), w += L * U)),
              if (w == 0) continue; C = M * w)
SPARSE_KERNEL(times_mask, (i, j), update(C, CSR, i, j), all((M, CSR, i, j)), C *= M)
/* Graphs, with unsorted lists of vertices. Breadth-first search: the neighbours of `now` that were not found yet, and the
   number of their edges; or the vertices not found yet that have a neighbour in the bit set `last`. Shortest paths: the
   vertices that get nearer through `now`, each once a round. Ranks, with the share of each vertex computed on the way or in
   advance. */
#define IS(set, i)  (set[(i) / 64] >> (i) % 64 & 1)
#define PUT(set, i) (set[(i) / 64] |= (uint64_t)1 << (i) % 64)
SPARSE_KERNEL(neighbours, (i, j), (degree, NUMBERS, i), all((G, LINKS, i, j)), degree += 1)
SPARSE_KERNEL(begin_steps, (i), from(UINT32_MAX, steps, NUMBERS, i), all((now, QUEUE, i)), steps = now)
SPARSE_KERNEL(step, (prefetch(i), j), ((next, QUEUE, j), (steps, NUMBERS, j)), all((now, QUEUE, i), (G, LINKS, i, j), (n, uint32_t)),
              if (steps != UINT32_MAX) continue; next = 0; steps = n)
SPARSE_KERNEL(step_count, (prefetch(i), j), ((next, QUEUE, j), (steps, NUMBERS, j), (edges, size_t)),
              all((now, QUEUE, i), (G, LINKS, i, j), (pos, const uint32_t *), (n, uint32_t)),
              if (steps != UINT32_MAX) continue; next = 0; steps = n; edges += pos[j + 1] - pos[j])
SPARSE_KERNEL(look, (i, j), (edges, size_t),
              all((G, LINKS, i, j), (pos, const uint32_t *), (steps, uint32_t *), (last, const uint64_t *), (found, uint64_t *),
                  (n, uint32_t)),
              if (steps[i] != UINT32_MAX) break; if (!IS(last, j)) continue;
              steps[i] = n; PUT(found, i); edges += pos[i + 1] - pos[i]; break)
SPARSE_KERNEL(list, (i), (now, QUEUE, i), all((steps, NUMBERS, i), (n, uint32_t)), now = 0; has_now = steps == n)
SPARSE_KERNEL(begin_far, (i), from(HUGE_VAL, far, VEC, i), all((now, QUEUE, i)), far = now)
#define RELAX(name, vertices)                                                                                             \
    SPARSE_KERNEL(name, (vertices, j), (next, QUEUE, j),                                                                  \
                  all((now, QUEUE, i), (G, CSR, i, j), (far, double *), (listed, uint32_t *), (n, uint32_t)),             \
                  const double way = far[i] + G; if (!(way < far[j])) continue;                                           \
                  far[j] = way; next = now; has_next = listed[j] != n; listed[j] = n)
RELAX(relax, i)
RELAX(relax_prefetch, prefetch(i))
SPARSE_KERNEL(first_ranks, (ROWS), ((share, VEC, i), (rank, VEC, i)), all((degree, NUMBERS, i), (least, double)),
              rank = least; share = degree ? RANK_STAY * rank / degree : 0)
SPARSE_KERNEL(ranks, (ROWS), ((next, VEC, i), (rank, VEC, i)),
              all(where((s, double), (j), all((G, LINKS, i, j), (share, VEC, j)), s += share), (degree, NUMBERS, i), (least, double)),
              rank = least + s; next = degree ? RANK_STAY * rank / degree : 0)
SPARSE_KERNEL(give, (ROWS), ((share, VEC, i), (rank, VEC, i)), all((degree, NUMBERS, i), (least, double)),
              share = degree ? RANK_STAY * rank / degree : 0; rank = least)
SPARSE_KERNEL(gather, (ROWS, j), (rank, VEC, i), all((G, LINKS, i, j), (share, VEC, j)), rank += share)
#endif

/* >>runs
   y and Y have only a shape, and borrow the result's values; C is the assembled output. */
static const problem *now;
static csr A, B;
static csb P;   /* A in CSB */
static dias D;  /* and in DIA, if it has few diagonals */
static sv v[3];
static vec x, y;
static mat X, Y, Z;
static sparse_tensor C;
#if !PEERS_PLAIN
static links G;
static numbers degree; /* part of the graph, as in LAGraph */
#endif

static void check(sparse_result r)
{
    if (r == SPARSE_OK) return;
    fprintf(stderr, "peers: %s\n", sparse_message(r));
    exit(2);
}
static void borrow(sparse_tensor *t, const size_t *dim, const sparse_arrays *arrays)
{
    check(sparse_assemble(t, dim, arrays, SPARSE_BORROW, NULL));
}
static void borrow_matrix(csr *t, const bench_csr *m)
{
    const size_t entries = bench_csr_entries(m);
    *t = (csr)SPARSE_INIT(csr);
    borrow(&t->t, (size_t[]){m->rows, m->columns},
           &(sparse_arrays){.pos[1] = SPARSE_ARRAY(m->pos, m->rows + 1), .crd[1] = SPARSE_ARRAY(m->crd, entries), .val = SPARSE_ARRAY(m->val, entries)});
}
static void borrow_dense(sparse_tensor *t, const sparse_encoding *e, double *val, size_t rows, size_t columns)
{
    memset(t, 0, sizeof *t);
    t->encoding = e;
    borrow(t, (size_t[]){rows, columns}, &(sparse_arrays){.val = SPARSE_ARRAY(val, rows * columns)});
}
static void begin(const problem *p, const char *operation)
{
    static double nothing;
    const size_t *dim = p->A.dim;
    now = p;
    PEERS_THREADS(p);
    if (p->a.rows) borrow_matrix(&A, &p->a);
    if (p->b.rows) borrow_matrix(&B, &p->b);
#if !PEERS_PLAIN
    if (p->a.rows) {
        G = (links)SPARSE_INIT(links);
        borrow(&G.t, A.t.dim,
               &(sparse_arrays){.pos[1] = SPARSE_ARRAY(p->a.pos, p->a.rows + 1), .crd[1] = SPARSE_ARRAY(p->a.crd, bench_csr_entries(&p->a)),
                                .val.length = bench_csr_entries(&p->a)});
        degree = (numbers)SPARSE_INIT(numbers);
    }
    if (strcmp(operation, "pagerank") == 0) check(neighbours(&degree, &G));
#endif
    if (strncmp(operation, "spmv any", 8) == 0) {
        P = (csb)SPARSE_INIT(csb);
        check(sparse_convert(&P.t, &A.t));
    }
    if (strcmp(operation, "spmv any diagonals") == 0) {
        D = (dias)SPARSE_INIT(dias);
        check(sparse_convert(&D.t, &A.t));
    }
    for (unsigned k = 0; k < 3 && p->v[k].size; k++) {
        v[k] = (sv)SPARSE_INIT(sv);
        borrow(&v[k].t, &p->v[k].size,
               &(sparse_arrays){.pos[0] = SPARSE_ARRAY(p->v[k].pos, 2), .crd[0] = SPARSE_ARRAY(p->v[k].crd, p->v[k].entries),
                                .val = SPARSE_ARRAY(p->v[k].val, p->v[k].entries)});
    }
    const size_t rows = p->A.encoding ? dim[0] : p->a.rows, columns = p->A.encoding ? dim[1] : p->a.columns;
    const bool ranks_3 = p->A.encoding && p->A.encoding->rank == 3, samples = strncmp(operation, "sddmm", 5) == 0;
    borrow_dense(&y.t, &vec_encoding, &nothing, p->v[0].size ? p->v[0].size : rows, 1);
    if (p->x) borrow_dense(&x.t, &vec_encoding, p->x, ranks_3 ? dim[2] : columns, 1);
    if (p->X) borrow_dense(&X.t, &mat_encoding, p->X, samples ? rows : columns, p->columns);
    if (p->Z) borrow_dense(&Z.t, &mat_encoding, p->Z, ranks_3 ? dim[2] : columns, p->columns);
    if (p->X) borrow_dense(&Y.t, &mat_encoding, &nothing, rows, p->columns);
}
static void end(void)
{
    sparse_free(&P.t);
    sparse_free(&D.t);
    sparse_free(&C);
#if !PEERS_PLAIN
    sparse_free(&degree.t);
#endif
}

/* AS: a tensor, cast to its type; NEW: an empty result of the type, in C */
#define AS(type, tensor) ((const type *)(const void *)&(tensor))
#define NEW(type)        ((type *)(void *)fresh(&type##_encoding))
static sparse_tensor *fresh(const sparse_encoding *e)
{
    sparse_free(&C);
    C.encoding = e;
    return &C;
}
static void printed(double *result, unsigned level)
{
    if (result[0] > 0) return;
    fingerprint(result, sparse_entries(&C), (const uint32_t *)C.crd[level].at, (const double *)C.val.at);
}
#if !PEERS_PLAIN
static void printed_blocks(double *result, unsigned level, size_t block)
{
    fingerprint_of_blocks(result, C.crd[level].length, block, (const uint32_t *)C.crd[level].at, (const double *)C.val.at);
}
#endif
#define RUN(name, ...)                                                                                                    \
    static void name(void *context, double *result)                                                                       \
    {                                                                                                                     \
        (void)context;                                                                                                    \
        __VA_ARGS__;                                                                                                      \
    }
#define TO_VECTOR(name, ...) RUN(run_##name, y.t.val.at = result; check(__VA_ARGS__))
#define TO_MATRIX(name, ...) RUN(run_##name, Y.t.val.at = result; check(__VA_ARGS__))
#define TO_SPARSE(name, level, ...) RUN(run_##name, check(__VA_ARGS__); printed(result, level))

TO_VECTOR(spmv_csr, spmv_csr(&y, &A, &x))
TO_MATRIX(spmm, spmm(&Y, &A, &X))
TO_SPARSE(sddmm_csr, 1, sddmm_csr(NEW(csr), &A, &X, &Z))
#if !PEERS_PLAIN
#define SPMV(name, type) TO_VECTOR(name, name(&y, AS(type, now->A), &x))
TO_VECTOR(spmv_csr_simd, spmv_csr_simd(&y, &A, &x))
SPMV(spmv_dcsr, dcsr)
SPMV(spmv_dcsr_simd, dcsr)
SPMV(spmv_cd, cd)
SPMV(spmv_cd_simd, cd)
SPMV(spmv_bsr, bsr)
SPMV(spmv_bsr_prefetch, bsr)
SPMV(spmv_ell, ell)
SPMV(spmv_n2m4, n2m4)
SPMV(spmv_n2m4_simd, n2m4)
SPMV(spmv_dia, dia)
SPMV(spmv_dia_blocks, dia)
TO_VECTOR(spmv_csb, spmv_csb(&y, &P, &x))
TO_VECTOR(spmv_csr_prefetch, spmv_csr_prefetch(&y, &A, &x))
TO_VECTOR(spmv_dias, spmv_dias(&y, &D, &x))
TO_MATRIX(spmm_unrolled, spmm_unrolled(&Y, &A, &X))
TO_MATRIX(spmm_prefetch, spmm_prefetch(&Y, &A, &X))
#define KNOWN(name)                                                                                                       \
    TO_MATRIX(name##_known, (now->columns == 8     ? name##_8                                                             \
                             : now->columns == 64  ? name##_64                                                            \
                             : now->columns == 128 ? name##_128                                                           \
                                                   : name)(&Y, &A, &X))
KNOWN(spmm)
KNOWN(spmm_unrolled)
KNOWN(spmm_prefetch)
#define SDDMM_RUNS(name, type, level)                                                                                     \
    TO_SPARSE(sddmm_##name##_simd, level, sddmm_##name##_simd(NEW(type), AS(type, now->A), &X, &Z))                       \
    TO_SPARSE(sddmm_##name##_unroll, level, sddmm_##name##_unroll(NEW(type), AS(type, now->A), &X, &Z))                   \
    TO_SPARSE(sddmm_##name##_both, level, sddmm_##name##_both(NEW(type), AS(type, now->A), &X, &Z))                       \
    TO_SPARSE(sddmm_##name##_where, level, sddmm_##name##_where(NEW(type), AS(type, now->A), &X, &Z))
#define SDDMM_RUN(name, type, level) TO_SPARSE(sddmm_##name, level, sddmm_##name(NEW(type), AS(type, now->A), &X, &Z))
SDDMM_RUNS(csr, csr, 1)
SDDMM_RUN(dcsr, dcsr, 1)
SDDMM_RUNS(dcsr, dcsr, 1)
SDDMM_RUN(csc, csc, 1)
SDDMM_RUNS(csc, csc, 1)
SDDMM_RUN(dcsc, dcsc, 1)
SDDMM_RUNS(dcsc, dcsc, 1)
SDDMM_RUN(coo, coo, 1)
SDDMM_RUNS(coo, coo, 1)
TO_MATRIX(mttkrp_dss, mttkrp_dss(&Y, AS(dss, now->A), &X, &Z))
TO_MATRIX(mttkrp_dss_unroll, mttkrp_dss_unroll(&Y, AS(dss, now->A), &X, &Z))
TO_MATRIX(mttkrp_dss_where, mttkrp_dss_where(&Y, AS(dss, now->A), &Z, &X))
TO_MATRIX(mttkrp_alt, mttkrp_alt(&Y, AS(dss_alt, now->A), &X, &Z))
TO_MATRIX(mttkrp_alt_unroll, mttkrp_alt_unroll(&Y, AS(dss_alt, now->A), &X, &Z))
TO_MATRIX(mttkrp_alt_where, mttkrp_alt_where(&Y, AS(dss_alt, now->A), &X, &Z))
TO_SPARSE(ttv, 1, ttv(NEW(dcsr), AS(csf, now->A), &x))
RUN(run_ttm, check(ttm(NEW(mg), AS(csf, now->A), &Z)); printed_blocks(result, 1, now->columns))
RUN(run_ttm_where, check(ttm_where(NEW(mg), AS(csf, now->A), &Z)); printed_blocks(result, 1, now->columns))
RUN(run_sum3, check(sum3(result, &v[0], &v[1], &v[2])))
TO_VECTOR(union3, union3(&y, &v[0], &v[1], &v[2]))
TO_SPARSE(union3_sparse, 0, union3_sparse(NEW(sv), &v[0], &v[1], &v[2]))
RUN(run_dot, check(dot(result, &v[0], &v[1])))
TO_SPARSE(add, 1, add(NEW(csr), &A, &B))
TO_SPARSE(spgemm, 1, spgemm(NEW(csr), &A, &B))
TO_SPARSE(spgemm_prefetch, 1, spgemm_prefetch(NEW(csr), &A, &B))
RUN(run_triangles, check(triangles(result, &A, &A, &A)))
static void sum_of(double *result, sparse_result (*of)(vec *, const csr *, const csr *, const csr *))
{
    vec count = SPARSE_INIT(vec);
    check(of(&count, &A, &A, &A));
    check(sum(result, &count));
    sparse_free(&count.t);
}
RUN(run_triangles_of, sum_of(result, triangles_of))
RUN(run_triangles_of_simd, sum_of(result, triangles_of_simd))
RUN(run_triangles_row_simd, check(triangles_row_simd(result, &A, &A, &A)))
TO_SPARSE(masked, 1, masked(NEW(csr), &A, &B, &A))
RUN(run_triangles_row, check(triangles_row(result, &A, &A, &A)))
TO_SPARSE(masked_sums, 1, masked_sums(NEW(csr), &A, &A, &B))
#define MARKED(name)                                                                                                      \
    RUN(run_##name, check(name(NEW(csr), &A, &B, &A)); check(times_mask((csr *)(void *)&C, &A)); printed(result, 1))
MARKED(masked_row)
MARKED(masked_row_prefetch)
#define TURN(type, a, b)                                                                                                 \
    do {                                                                                                                  \
        type const turned = a;                                                                                            \
        a = b, b = turned;                                                                                                \
    } while (0)
/* Lists with room for all vertices, in our own memory, which _into kernels fill repeatedly. The first list begins with the
   source vertex and the value 0. */
static void open_lists(queue *front, queue *next)
{
    const size_t n = A.t.dim[0];
    queue *const both[] = {front, next};
    for (unsigned k = 0; k < 2; k++) {
        sparse_tensor *const t = &both[k]->t;
        *both[k] = (queue)SPARSE_INIT(queue);
        t->dim[0] = t->lvl[0] = n;
        t->pos[0].at = calloc(2, sizeof(uint32_t)), t->crd[0].at = malloc(n * sizeof(uint32_t)), t->val.at = malloc(n);
        if (!t->pos[0].at || !t->crd[0].at || !t->val.at) exit(2);
    }
    ((uint32_t *)front->t.pos[0].at)[1] = 1, *(uint32_t *)front->t.crd[0].at = (uint32_t)now->source;
    *(uint8_t *)front->t.val.at = 0;
    front->t.pos[0].length = 2, front->t.crd[0].length = front->t.val.length = 1;
}
static queue *emptied(queue *list)
{
    list->t.pos[0].length = 2, list->t.crd[0].length = list->t.val.length = A.t.dim[0];
    return list;
}
static void close_list(queue *list) { free(list->t.pos[0].at), free(list->t.crd[0].at), free(list->t.val.at); }
/* Goes forward from the vertices found last; if these have `many` edges, the vertices not yet found look for one of them. */
static void bfs(double *result, size_t many)
{
    const size_t words = A.t.dim[0] / 64 + 1;
    const uint32_t *const pos = POS(G.t, 1);
    size_t edges = pos[now->source + 1] - pos[now->source];
    queue front, next;
    numbers found = SPARSE_INIT(numbers);
    uint64_t *last = NULL, *others = NULL;
    open_lists(&front, &next);
    check(begin_steps(&found, &front));
    uint32_t *const steps = (uint32_t *)found.t.val.at;
    for (uint32_t n = 1; sparse_entries(&front.t) > 0; n++) {
        if (edges < many) {
            edges = 0;
            if (many == SIZE_MAX)
                check(step_into(emptied(&next), &found, &front, &G, n));
            else
                check(step_count_into(emptied(&next), &found, &edges, &front, &G, pos, n));
            TURN(queue, front, next);
            continue;
        }
        if (!last) last = (uint64_t *)malloc(words * 8), others = (uint64_t *)malloc(words * 8);
        if (!last || !others) exit(2);
        memset(last, 0, words * 8);
        for (size_t p = 0; p < sparse_entries(&front.t); p++) PUT(last, CRD(front.t, 0)[p]);
        for (; edges >= many; n++) {
            edges = 0;
            memset(others, 0, words * 8);
            check(look(&edges, &G, pos, steps, last, others, n));
            TURN(uint64_t *, last, others);
        }
        n--;
        check(list_into(emptied(&front), &found, n));
    }
    fingerprint_of_steps(result, found.t.dim[0], steps);
    close_list(&front), close_list(&next), sparse_free(&found.t), free(last), free(others);
}
RUN(run_bfs, bfs(result, SIZE_MAX))
RUN(run_bfs_looks, bfs(result, sparse_entries(&G.t) / FRONT_PART))
static void distances(double *result, bool prefetch)
{
    queue front, next;
    vec far = SPARSE_INIT(vec);
    numbers listed = SPARSE_INIT(numbers);
    open_lists(&front, &next);
    check(sparse_allocate_dense(&listed.t, A.t.dim));
    check(begin_far(&far, &front));
    for (uint32_t n = 1; sparse_entries(&front.t) > 0; n++) {
        check((prefetch ? relax_prefetch_into : relax_into)(emptied(&next), &front, &A, (double *)far.t.val.at,
                                                            (uint32_t *)listed.t.val.at, n));
        TURN(queue, front, next);
    }
    fingerprint_of(result, far.t.dim[0], VAL(far.t));
    close_list(&front), close_list(&next), sparse_free(&far.t), sparse_free(&listed.t);
}
RUN(run_distances, distances(result, false))
RUN(run_distances_prefetch, distances(result, true))
static void pagerank(double *result, bool apart)
{
    vec rank = SPARSE_INIT(vec), share = SPARSE_INIT(vec), next = SPARSE_INIT(vec);
    const double n = (double)A.t.dim[0], least = (1 - RANK_STAY) / n;
    check(first_ranks(&share, &rank, &degree, 1 / n));
    for (unsigned step = 0; step < RANK_STEPS; step++) {
        if (apart) {
            check(give(&share, &rank, &degree, least));
            check(gather(&rank, &G, &share));
        } else {
            check(ranks(&next, &rank, &G, &share, &degree, least));
            TURN(vec, share, next);
        }
    }
    fingerprint_of(result, rank.t.dim[0], VAL(rank.t));
    sparse_free(&rank.t), sparse_free(&share.t), sparse_free(&next.t);
}
RUN(run_pagerank, pagerank(result, false))
RUN(run_pagerank_apart, pagerank(result, true))
TO_SPARSE(transpose, 1, sparse_convert(fresh(&csc_encoding), &A.t))
TO_SPARSE(dcsr, 1, sparse_convert(fresh(&dcsr_encoding), &A.t))
RUN(run_bsr, check(sparse_convert(fresh(&bsr_encoding), &A.t)); printed_blocks(result, 1, 16))
TO_SPARSE(coo_csr, 1, sparse_convert(fresh(&csr_encoding), &now->A))
TO_SPARSE(read_mtx, 1, sparse_read(fresh(&csr_encoding), now->path, NULL))
TO_SPARSE(read_tns, 2, sparse_read(fresh(&coo3_encoding), now->path, NULL))
#define RANK now->A.encoding->rank
TO_SPARSE(read_tuples, RANK - 1, sparse_read(fresh(tuples[RANK - STORED_LEAST]), now->path, NULL))
TO_SPARSE(pack_fibers, RANK - 1, sparse_convert(fresh(fibers[RANK - STORED_LEAST]), &now->A))
#endif

/* >>team */
static const peer peers[] = {
    {"spmv csr", "kit", run_spmv_csr},
    {"spmm", "kit", run_spmm},
    {"sddmm csr", "kit", run_sddmm_csr},
#if !PEERS_PLAIN
    {"spmv csr", "kit simd", run_spmv_csr_simd},
    {"spmv dcsr", "kit", run_spmv_dcsr},
    {"spmv dcsr", "kit simd", run_spmv_dcsr_simd},
    {"spmv cd", "kit", run_spmv_cd},
    {"spmv cd", "kit simd", run_spmv_cd_simd},
    {"spmv bsr", "kit", run_spmv_bsr},
    {"spmv bsr", "kit prefetch", run_spmv_bsr_prefetch},
    {"spmv ell", "kit", run_spmv_ell},
    {"spmv n2m4", "kit", run_spmv_n2m4},
    {"spmv n2m4", "kit simd", run_spmv_n2m4_simd},
    {"spmv dia", "kit", run_spmv_dia},
    {"spmv dia", "kit, in blocks of rows", run_spmv_dia_blocks},
#define ANY(operation)                                          \
    {operation, "kit CSR", run_spmv_csr},                       \
    {operation, "kit CSR simd", run_spmv_csr_simd},             \
    {operation, "kit CSR prefetch", run_spmv_csr_prefetch},     \
    {operation, "kit blocks of 65536", run_spmv_csb},
    ANY("spmv any")
    ANY("spmv any diagonals")
    {"spmv any diagonals", "kit blocks of diagonals", run_spmv_dias},
    {"spmm", "kit unroll", run_spmm_unrolled},
    {"spmm", "kit range", run_spmm_known},
    {"spmm", "kit prefetch", run_spmm_prefetch},
    {"spmm", "kit prefetch range", run_spmm_prefetch_known},
    {"spmm", "kit unroll range", run_spmm_unrolled_known},
#define SDDMM_PEERS(name)                                       \
    {"sddmm " #name, "kit simd", run_sddmm_##name##_simd},      \
    {"sddmm " #name, "kit unroll", run_sddmm_##name##_unroll},  \
    {"sddmm " #name, "kit unroll simd", run_sddmm_##name##_both}, \
    {"sddmm " #name, "kit where simd", run_sddmm_##name##_where},
    SDDMM_PEERS(csr)
    {"sddmm dcsr", "kit", run_sddmm_dcsr},
    SDDMM_PEERS(dcsr)
    {"sddmm csc", "kit", run_sddmm_csc},
    SDDMM_PEERS(csc)
    {"sddmm dcsc", "kit", run_sddmm_dcsc},
    SDDMM_PEERS(dcsc)
    {"sddmm coo", "kit", run_sddmm_coo},
    SDDMM_PEERS(coo)
    {"mttkrp dss", "kit", run_mttkrp_dss},
    {"mttkrp dss", "kit unroll", run_mttkrp_dss_unroll},
    {"mttkrp dss", "kit where unroll", run_mttkrp_dss_where},
    {"mttkrp alt", "kit", run_mttkrp_alt},
    {"mttkrp alt", "kit unroll", run_mttkrp_alt_unroll},
    {"mttkrp alt", "kit where unroll", run_mttkrp_alt_where},
    {"ttv", "kit", run_ttv},
    {"ttm", "kit", run_ttm},
    {"ttm", "kit where unroll", run_ttm_where},
    {"sum3", "kit", run_sum3},
    {"union3 dense", "kit", run_union3},
    {"union3 sparse", "kit", run_union3_sparse},
    {"dot", "kit", run_dot},
    {"add", "kit", run_add},
    {"spgemm", "kit", run_spgemm},
    {"spgemm", "kit prefetch", run_spgemm_prefetch},
    {"triangles", "kit", run_triangles},
    {"triangles", "kit where", run_triangles_row},
    {"triangles", "kit where simd", run_triangles_row_simd},
    {"triangles marked", "kit", run_triangles},
    {"triangles marked", "kit where simd", run_triangles_row_simd},
    {"triangles marked", "kit where", run_triangles_row},
    {"triangles marked", "kit where simd, row by row", run_triangles_of_simd},
    {"triangles marked", "kit where, row by row", run_triangles_of},
    {"masked", "kit", run_masked},
    {"masked marked", "kit", run_masked},
    {"masked marked", "kit where", run_masked_row},
    {"masked marked", "kit where prefetch", run_masked_row_prefetch},
    {"masked marked", "kit, sums in where", run_masked_sums},
    {"masked", "kit where", run_masked_row},
    {"masked", "kit where prefetch", run_masked_row_prefetch},
    {"masked", "kit, sums in where", run_masked_sums},
    {"bfs", "kit", run_bfs},
    {"bfs", "kit, both ways", run_bfs_looks},
    {"distances", "kit", run_distances},
    {"distances", "kit prefetch", run_distances_prefetch},
    {"distances few", "kit", run_distances},
    {"distances few", "kit prefetch", run_distances_prefetch},
    {"distances many", "kit", run_distances},
    {"distances many", "kit prefetch", run_distances_prefetch},
    {"pagerank", "kit", run_pagerank},
    {"pagerank", "kit, in two passes", run_pagerank_apart},
    {"transpose", "kit", run_transpose},
    {"dcsr", "kit", run_dcsr},
    {"bsr", "kit", run_bsr},
    {"coo csr", "kit", run_coo_csr},
    {"shuffled csr", "kit", run_coo_csr},
    {"read mtx", "kit", run_read_mtx},
    {"read tns", "kit", run_read_tns},
    {"read tuples", "kit", run_read_tuples},
    {"pack fibers", "kit", run_pack_fibers},
#endif
    {NULL, NULL, NULL}};
extern const contestants PEERS_TEAM;
const contestants PEERS_TEAM = {PEERS_NAME, true, PEERS_PLAIN, peers, begin, end, PEERS_PARALLEL ? SEVERAL_THREADS : ONE_THREAD};
