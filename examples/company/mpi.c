/* mpi.c: kernels in an MPI program: y = A x, Y = A X, and PageRank, with rows distributed over the ranks.

       mpirun -n 4 mpi [matrix.mtx [repetitions]]

   Prints a fingerprint of the bits of each result, which does not depend on the number of ranks. Rank 0 reads the
   whole file, multiplies alone, and compares its fingerprint; with repetitions, the time of each is printed
   instead. */
#include <inttypes.h>
#include <math.h>
#include <time.h>
#include "distributed.h"

#define VEC vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT mat, SPARSE_DENSE_2D, double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(spmm, (i, unroll(j), k), (Y, MAT, i, k), all((A, CSR, i, j), (X, MAT, j, k)), Y += A * X)
SPARSE_KERNEL(row_sums, (i, j), (d, VEC, i), all((A, CSR, i, j)), d += A)
SPARSE_KERNEL(least, (i, j), (s, double), all((A, CSR, i, j)), if (A < s) s = A)

enum { WIDTH = 4 };

/* The data of the program on a rank. */
typedef struct program {
    MPI_Comm comm;
    int rank, ranks, repetitions;
    size_t size[2]; /* of the matrix */
    csr A;          /* own rows, renumbered */
    halo h;
} program;

/* FNV-1a */
static uint64_t print_of(const double *x, size_t n)
{
    uint64_t print = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < n * sizeof *x; k++)
        print = (print ^ ((const unsigned char *)x)[k]) * UINT64_C(0x100000001b3);
    return print;
}

/* *print = the fingerprint, on rank 0, of a distributed vector of n elements of `width` numbers. */
static sparse_result fingerprint(uint64_t *print, const program *p, const double *own, size_t n, size_t width)
{
    int *const count = room_for(2 * (size_t)p->ranks, sizeof *count), *const at =
                                                                          count ? count + p->ranks : NULL;
    double *const whole = room_for(p->rank == 0 ? n * width : 0, sizeof *whole);
    sparse_result r = agree(!count || !whole      ? SPARSE_E_MEMORY
                            : n * width > INT_MAX ? SPARSE_E_OVERFLOW
                                                  : SPARSE_OK,
                            p->comm);
    if (!r) {
        for (int k = 0; k < p->ranks; k++) {
            at[k] = (int)(own_begin(n, k, p->ranks) * width);
            count[k] = (int)(own_begin(n, k + 1, p->ranks) * width) - at[k];
        }
        MPI_Gatherv(own, count[p->rank], MPI_DOUBLE, whole, count, at, MPI_DOUBLE, 0, p->comm);
        *print = p->rank == 0 ? print_of(whole, n * width) : 0;
    }
    free(count), free(whole);
    return r;
}

/* Prints the time per repetition, and the processor time of the kernel alone; both of the slowest
 * rank. */
static void tell(const program *p, const char *what, uint64_t print, double seconds, double kernel)
{
    MPI_Allreduce(MPI_IN_PLACE, &kernel, 1, MPI_DOUBLE, MPI_MAX, p->comm);
    if (p->rank != 0) return;
    printf("%-9s %016" PRIx64, what, print);
    if (p->repetitions > 1) printf("  %9.3f ms, the kernel %9.3f ms", 1e3 * seconds, 1e3 * kernel);
    putchar('\n');
}

/* Prints the largest memory and the largest halo of any rank. */
static void tell_sizes(const program *p)
{
    unsigned long long most[] = {p->A.t.val.length, p->h.below + p->h.above,
                                 (unsigned long long)p->h.sources};
    MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_UNSIGNED_LONG_LONG, MPI_MAX, p->comm);
    if (p->rank == 0)
        printf("%d ranks, at most: %llu entries, %llu in the halo, %llu neighbours\n", p->ranks, most[0],
               most[1], most[2]);
}

static double processor_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* A dense operand and a result with one or more columns. */
typedef struct pair {
    mat X, Y;
    vec x, y;
} pair;

static sparse_result pair_open(pair *t, size_t from, size_t to, size_t width)
{
    *t = (pair){SPARSE_INIT(mat), SPARSE_INIT(mat), SPARSE_INIT(vec), SPARSE_INIT(vec)};
    sparse_result r = sparse_allocate_dense(width > 1 ? &t->X.t : &t->x.t, (size_t[]){from, width});
    return r ? r : sparse_allocate_dense(width > 1 ? &t->Y.t : &t->y.t, (size_t[]){to, width});
}
static void pair_close(pair *t)
{
    sparse_free(&t->X.t), sparse_free(&t->Y.t), sparse_free(&t->x.t), sparse_free(&t->y.t);
}
/* Y(i,k) += A(i,j) X(j,k), or y(i) += A(i,j) x(j) */
static sparse_result pair_multiply(pair *t, const csr *A, size_t width)
{
    return width > 1 ? spmm(&t->Y, A, &t->X) : spmv(&t->y, A, &t->x);
}
/* X(j,k) = 1 / (1 + j + k), for rows from `begin` on */
static void set(double *x, size_t begin, size_t rows, size_t width)
{
    for (size_t j = 0; j < rows; j++)
        for (size_t k = 0; k < width; k++) x[j * width + k] = 1 / (double)(1 + begin + j + k);
}

/* The fingerprint of the product that one process computes from the file. */
static sparse_result alone(uint64_t *print, const char *path, size_t width)
{
    csr A = SPARSE_INIT(csr);
    pair t;
    sparse_result r = sparse_read(&A.t, path, NULL);
    if (r) return r;
    r = pair_open(&t, A.t.dim[1], A.t.dim[0], width);
    if (!r) set(width > 1 ? t.X.t.val.at : t.x.t.val.at, 0, A.t.dim[1], width);
    if (!r) r = pair_multiply(&t, &A, width);
    if (!r) *print = print_of(width > 1 ? t.Y.t.val.at : t.y.t.val.at, A.t.dim[0] * width);
    pair_close(&t), sparse_free(&A.t);
    return r;
}

/* The product with `width` columns; each repetition fetches the halo again. */
static sparse_result multiply(program *p, const char *path, size_t width)
{
    const halo *const h = &p->h;
    pair t;
    uint64_t print = 0, wanted = 0;
    double *const buffer = room_for(h->sent * width, sizeof *buffer);
    sparse_result r = pair_open(&t, h->below + h->own + h->above, p->A.t.dim[0], width);
    sparse_tensor *const from = width > 1 ? &t.X.t : &t.x.t, *const to = width > 1 ? &t.Y.t : &t.y.t;
    r = agree(r || buffer ? r : SPARSE_E_MEMORY, p->comm);
    if (!r)
        set((double *)from->val.at + h->below * width, own_begin(p->size[1], p->rank, p->ranks), h->own,
            width);
    MPI_Barrier(p->comm);
    const double start = MPI_Wtime();
    double kernel = 0;
    for (int n = 0; !r && n < p->repetitions; n++) {
        sparse_zero(to);
        halo_exchange(h, from->val.at, buffer, width);
        kernel -= processor_seconds();
        r = pair_multiply(&t, &p->A, width);
        kernel += processor_seconds();
    }
    const double seconds = MPI_Wtime() - start;
    r = agree(r, p->comm);
    if (!r) r = fingerprint(&print, p, to->val.at, p->size[0], width);
    if (!r) tell(p, width > 1 ? "spmm" : "spmv", print, seconds / p->repetitions, kernel / p->repetitions);
    if (!r && p->rank == 0 && p->repetitions == 1) {
        r = alone(&wanted, path, width);
        if (!r && print != wanted) puts("differs from one process alone"), r = SPARSE_E_ARGUMENT;
    }
    pair_close(&t), free(buffer);
    return agree(r, p->comm);
}

/* PageRank of a graph, as in examples/pagerank.c. A has the links by their targets; degree(i) is the sum of the
   links that leave page i. */
static sparse_result pagerank(program *p, const vec *degree)
{
    const halo *const h = &p->h;
    const size_t n = p->size[0], own = h->own, seen = h->below + own + h->above;
    const double stay = 0.85, *const d = degree->t.val.at;
    vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
    double *const work = room_for(h->sent + 2 * own, sizeof *work);
    double *const rank = work + h->sent, *const part = rank + own;
    double change = 1, kernel = 0;
    uint64_t print = 0;
    int steps = 0;
    sparse_result r = work ? SPARSE_OK : SPARSE_E_MEMORY;
    if (!r) r = sparse_allocate_dense(&x.t, &seen);
    if (!r) r = sparse_allocate_dense(&y.t, &own);
    r = agree(r, p->comm);
    const double start = MPI_Wtime();
    for (size_t k = 0; !r && k < own; k++) rank[k] = 1 / (double)n;
    for (; !r && change > 1e-12 && steps < 1000; steps++) {
        double *const leaving = (double *)x.t.val.at + h->below;
        const double *const arrived = y.t.val.at;
        for (size_t k = 0; k < own; k++) {
            part[k] = d[k] > 0 ? 0 : rank[k];
            leaving[k] = d[k] > 0 ? stay * rank[k] / d[k] : 0;
        }
        const double anywhere = (1 - stay + stay * chunks_sum(part, n, p->comm)) / (double)n;
        halo_exchange(h, x.t.val.at, work, 1);
        sparse_zero(&y.t);
        kernel -= processor_seconds();
        r = agree(spmv(&y, &p->A, &x), p->comm);
        kernel += processor_seconds();
        for (size_t k = 0; k < own; k++) {
            part[k] = fabs(arrived[k] + anywhere - rank[k]);
            rank[k] = arrived[k] + anywhere;
        }
        change = chunks_sum(part, n, p->comm);
    }
    const double seconds = MPI_Wtime() - start, total = r ? 0 : chunks_sum(rank, n, p->comm);
    if (!r) r = fingerprint(&print, p, rank, n, 1);
    if (!r) tell(p, "pagerank", print, seconds / steps, kernel / steps);
    if (!r && p->rank == 0) printf("%d steps, the ranks add up to %.12f\n", steps, total);
    sparse_free(&x.t), sparse_free(&y.t);
    free(work);
    return r;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *path = argc > 1 ? argv[1] : "examples/data/calls.mtx";
    program p = {.comm = MPI_COMM_WORLD, .A = SPARSE_INIT(csr), .h = {.graph = MPI_COMM_NULL}};
    vec degree = SPARSE_INIT(vec);
    sparse_io_error error = {0};
    MPI_Comm_rank(p.comm, &p.rank);
    MPI_Comm_size(p.comm, &p.ranks);
    p.repetitions = argc > 2 ? atoi(argv[2]) : 1;
    const double start = MPI_Wtime();
    sparse_result r = p.ranks > CHUNKS || p.repetitions < 1 ? SPARSE_E_ARGUMENT : SPARSE_OK;
    if (!r) r = rows_read(&p.A, p.size, path, false, &error, p.comm);
    const double seconds = MPI_Wtime() - start;
    if (!r && p.rank == 0 && p.repetitions > 1) printf("read in %.1f ms by %d\n", 1e3 * seconds, p.ranks);
    if (!r) r = agree(row_sums(&degree, &p.A), p.comm);
    if (!r) r = halo_open(&p.h, &p.A, p.size[1], p.comm);
    if (!r && p.repetitions > 1) tell_sizes(&p);
    if (!r) r = multiply(&p, path, 1);
    if (!r) r = multiply(&p, path, WIDTH);
    double lowest = 0;
    if (!r) r = agree(least(&lowest, &p.A), p.comm);
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_DOUBLE, MPI_MIN, p.comm);
    if (!r && p.size[0] == p.size[1] && !(lowest < 0)) { /* a graph */
        halo_close(&p.h);
        r = rows_read(&p.A, p.size, path, true, &error, p.comm);
        if (!r) r = halo_open(&p.h, &p.A, p.size[1], p.comm);
        if (!r) r = pagerank(&p, &degree);
    }
    if (r && p.rank == 0) fprintf(stderr, "mpi: %s\n", error.result ? error.message : sparse_explain(r));
    halo_close(&p.h);
    sparse_free(&p.A.t), sparse_free(&degree.t);
    MPI_Finalize();
    return r != SPARSE_OK;
}
