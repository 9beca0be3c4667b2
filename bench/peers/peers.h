/* peers.h: who takes part in `make bench-peers` and `make paper`.

   A problem is operands of an operation, generated from a fixed seed. A peer is one way to solve it, and a team is the
   peers of one file and one compiler: the kit, loops as other compilers of tensors make them, libraries. A team knows its
   own storage, opens it before a contest, and never learns what the others do. The programs, contest.h and what includes
   it, put all peers of an operation into one contest.

     operation                         operands                result
     sum3, union3 dense                v[0] to v[2]            number; dense vector
     union3 sparse, dot                v[0] to v[2]; two of them    sparse vector; number
     spgemm, add, masked, masked marked  a, b                  CSR: a b; a + b; a .* (a b)
     triangles, triangles marked       a                       sum of a(i,k) a(k,j) a(i,j)
     bfs, distances, distances few     a, source               dense: steps, lengths of ways, from there; in few rounds
     pagerank                          a                       dense: ranks after RANK_STEPS steps
     transpose, dcsr, dcsr counted, bsr  a                     CSC; DCSR, also by hand; BSR 4x4
     coo csr, shuffled csr             A in COO                CSR
     spmv STORAGE                      A, x                    dense vector, y += A x
     spmv any, spmv any diagonals      a, x                    the same, stored as one likes; of few diagonals
     spmm                              a, X                    dense matrix, y += a X
     sddmm STORAGE                     A, X, Z                 as A, A .* (X Z'), Z by columns
     mttkrp dss, mttkrp alt            A, X, Z                 dense matrix
     ttv, ttm                          A in CSF, x; Z          DCSR; mode-generic, its rows dense
     read mtx, read tns                path                    CSR; COO
     read tuples, pack fibers          path; A in COO          COO of the rank of A; all levels compressed */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "../bench.h"
#include "sparse_formats.h"

typedef struct problem {
    char size[48];            /* as the table shows it */
    bench_csr a, b;
    bench_vector v[3];
    sparse_tensor A;          /* of any storage; 32-bit positions and coordinates */
    double *x, *X, *Z;        /* a vector, matrices of `columns` columns */
    size_t columns, source;   /* a vertex: one with the most neighbours */
    char path[96];            /* of a file */
    size_t length, written;   /* of a dense result; of its rows */
    unsigned threads;         /* who has several may take so many; 0: one */
} problem;

/* Names of the kit's lines begin with "kit"; those without strategies are plain: "kit", and "kit CSR" where an encoding is
   chosen. */
typedef struct peer {
    const char *operation, *name;
    void (*run)(void *problem, double *result);
} peer;

typedef struct contestants {
    const char *name;                /* compiler and flags; after the names of its peers */
    bool kit;
    enum { TUNED, PLAIN, TARGETS } lines; /* of the kit: as a newcomer writes and compiles them; the same by SPARSE_TARGETS */
    const peer *peers;               /* ends with one without a name */
    void (*open)(const problem *p, const char *operation);
    void (*close)(void);
    enum { ONE_THREAD, SEVERAL_THREADS, ANY_THREADS } threads; /* for which problems it is there */
} contestants;

/* Of a team whose file is compiled with OpenMP. */
#ifdef _OPENMP
    #include <omp.h>
    #define PEERS_THREADS(p) omp_set_num_threads((p)->threads > 1 ? (int)(p)->threads : 1)
#else
    #define PEERS_THREADS(p) ((void)(p))
#endif
#ifndef PEERS_PARALLEL
    #define PEERS_PARALLEL 0
#endif

/* What stands for a sparse result: its number of entries, or of blocks of `block` numbers, and two sums. It is asked for by
   the check, whose results are zero, and not in the rounds that are timed. */
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

/* The same of what is known of each vertex: of how many that is finite; steps are UINT32_MAX where it is not. */
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
/* Ranks (Page, Brin, Motwani and Winograd 1998): of those who follow an edge; vertices without one keep theirs to
   themselves. */
enum { RANK_STEPS = 10 };
#define RANK_STAY 0.85
/* A search goes on from those who were found last, as long as these have fewer than this part of all edges; else those who
   were not found look for one of them (Beamer, Asanovic and Patterson 2012). */
enum { FRONT_PART = 16 };

/* The arrays of a tensor. */
#define POS(t, l) ((const uint32_t *)(t).pos[l].at)
#define CRD(t, l) ((const uint32_t *)(t).crd[l].at)
#define VAL(t)    ((const double *)(t).val.at)

#endif /* BENCH_PEERS_H */
