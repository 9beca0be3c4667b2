/* peers.h: the participants of `make bench-peers` and `make paper`.

   A problem has the operands of an operation, generated from a fixed seed. A peer is one way to solve it. A team has the
   peers of one file and one compiler: the kit, loops as tensor compilers generate them, libraries. A team builds its own
   storage before a contest, and knows nothing of other teams. The programs that include contest.h put all peers of an
   operation into one contest.

     operation                         operands                result
     sum3, union3 dense                v[0] to v[2]            number; dense vector
     union3 sparse, dot                v[0] to v[2]; two of them    sparse vector; number
     spgemm, add, masked, masked marked  a, b                  CSR: a b; a + b; a .* (a b)
     triangles, triangles marked       a                       sum of a(i,k) a(k,j) a(i,j)
     bfs, distances, distances few     a, source               dense: steps, lengths of paths from source; in few rounds
     pagerank                          a                       dense: ranks after RANK_STEPS steps
     transpose, dcsr, dcsr counted, bsr  a                     CSC; DCSR, also by hand; BSR 4x4
     coo csr, shuffled csr             A in COO                CSR
     spmv STORAGE                      A, x                    dense vector, y += A x
     spmv any, spmv any diagonals      a, x                    y += a x, in the best encoding; of few diagonals
     spmm                              a, X                    dense matrix, y += a X
     sddmm STORAGE                     A, X, Z                 as A, A .* (X Z'), Z by columns
     mttkrp dss, mttkrp alt            A, X, Z                 dense matrix
     ttv, ttm                          A in CSF, x; Z          DCSR; mode-generic, with dense rows
     read mtx, read tns                path                    CSR; COO
     read tuples, pack fibers          path; A in COO          COO of the rank of A; all levels compressed */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "../bench.h"
#include "sparse_formats.h"

typedef struct problem {
    char size[48];            /* as printed in the table */
    bench_csr a, b;
    bench_vector v[3];
    sparse_tensor A;          /* in any encoding; 32-bit positions and coordinates */
    double *x, *X, *Z;        /* a vector, matrices of `columns` columns */
    size_t columns, source;   /* a vertex with the most neighbours */
    char path[96];            /* of a file */
    size_t length, written;   /* numbers in a dense result; rows in it */
    unsigned threads;         /* the number of threads that a peer may use; 0: one */
} problem;

/* Names of the kit's peers begin with "kit". Those without strategy words are plain: "kit", and "kit CSR" with an
   encoding. */
typedef struct peer {
    const char *operation, *name;
    void (*run)(void *problem, double *result);
} peer;

typedef struct contestants {
    const char *name;                /* compiler and flags; printed after the names of its peers */
    bool kit;
    enum { TUNED, PLAIN, TARGETS } lines; /* of the kit. PLAIN: without strategy words; TARGETS: and with SPARSE_TARGETS */
    const peer *peers;               /* ends with a peer without a name */
    void (*open)(const problem *p, const char *operation);
    void (*close)(void);
    enum { ONE_THREAD, SEVERAL_THREADS, ANY_THREADS } threads; /* the problems in which it takes part */
} contestants;

/* For a team whose file is compiled with OpenMP. */
#ifdef _OPENMP
    #include <omp.h>
    #define PEERS_THREADS(p) omp_set_num_threads((p)->threads > 1 ? (int)(p)->threads : 1)
#else
    #define PEERS_THREADS(p) ((void)(p))
#endif
#ifndef PEERS_PARALLEL
    #define PEERS_PARALLEL 0
#endif

/* The fingerprint of a sparse result: the number of entries, or of blocks of `block` numbers, and two sums. It is computed
   only when results are compared, for which result[] is zeroed, and not in the timed rounds. */
enum { BENCH_FINGERPRINT = 3 };
BENCH_UNUSED static void fingerprint_of_blocks(double *result, size_t entries, size_t block, const uint32_t *crd,
                                               const double *val)
{
    if (result[0] > 0) return;
    result[0] = 1 + (double)entries;
    for (size_t p = 0; p < entries; p++)
        for (size_t k = 0; k < block; k++) {
            result[1] += val[p * block + k];
            result[2] += val[p * block + k] * (double)(crd[p] + 1);
        }
}
BENCH_UNUSED static void fingerprint(double *result, size_t entries, const uint32_t *crd, const double *val)
{
    fingerprint_of_blocks(result, entries, 1, crd, val);
}

/* The fingerprint of a number for each vertex: how many are finite, and two sums. Steps that are not finite are
   UINT32_MAX. */
BENCH_UNUSED static void fingerprint_of(double *result, size_t n, const double *x)
{
    if (result[0] > 0) return;
    result[0] = 1;
    for (size_t i = 0; i < n; i++)
        if (x[i] < HUGE_VAL) result[0] += 1, result[1] += x[i], result[2] += x[i] * (double)(i + 1);
}
BENCH_UNUSED static void fingerprint_of_steps(double *result, size_t n, const uint32_t *x)
{
    if (result[0] > 0) return;
    result[0] = 1;
    for (size_t i = 0; i < n; i++)
        if (x[i] < UINT32_MAX) result[0] += 1, result[1] += x[i], result[2] += (double)x[i] * (double)(i + 1);
}
/* PageRank (Page, Brin, Motwani and Winograd 1998). Vertices without edges keep their rank. */
enum { RANK_STEPS = 10 };
#define RANK_STAY 0.85
/* A breadth-first search goes forward from the vertices found last if these have less than this fraction of all edges; else
   the vertices not yet found look for one of them (Beamer, Asanovic and Patterson 2012). */
enum { FRONT_PART = 16 };

/* The arrays of a tensor. */
#define POS(t, l) ((const uint32_t *)(t).pos[l].at)
#define CRD(t, l) ((const uint32_t *)(t).crd[l].at)
#define VAL(t)    ((const double *)(t).val.at)

#endif /* BENCH_PEERS_H */
