/* mlir.c: calls the functions that MLIR generates from kernels.mlir.

   A tensor is passed as pointers to descriptors of its arrays (positions and coordinates of each level, values), and as the
   sizes of its dimensions and arrays, 32 bits each. A returned tensor is a struct of these; its arrays are freed here. With
   MLIR_PREFIX=name the functions have other names, for another compiler option. */
#include "peers.h"

#ifndef MLIR_PREFIX
    #define MLIR_PREFIX mlir
#endif
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN_(a, b, c)
#define CALL(name)     JOIN(_mlir_ciface_, MLIR_PREFIX, _##name)

typedef struct ref0 { void *allocated, *at; int64_t offset; } ref0;
typedef struct ref1 { void *allocated, *at; int64_t offset, size, stride; } ref1;
typedef struct ref2 { void *allocated, *at; int64_t offset, size[2], stride[2]; } ref2;

/* the parameters for a tensor with one or two compressed levels, and with three */
#define I   int32_t
#define R   const ref1 *
#define SV  R, R, R, I, I, I, I
#define CSR R, R, R, I, I, I, I, I
#define DCSR R, R, R, R, R, I, I, I, I, I, I, I
#define BSR R, R, R, I, I, I, I, I, I, I
#define DSS R, R, R, R, R, I, I, I, I, I, I, I, I
#define CSF R, R, R, R, R, R, R, I, I, I, I, I, I, I, I, I, I
/* returned tensors */
typedef struct vector { ref1 pos, crd, val; int32_t dim[1], length[3]; } vector;
typedef struct rows { ref1 pos, crd, val; int32_t dim[2], length[3]; } rows;
typedef struct stored_fibers { ref1 pos0, crd0, pos, crd, val; int32_t dim[3], length[5]; } stored_fibers; /* with dense rows */
typedef struct stored_rows { ref1 pos0, crd0, pos, crd, val; int32_t dim[2], length[5]; } stored_rows;

void CALL(spmv_csr)(ref1 *, CSR, R, R);
void CALL(spmv_dcsr)(ref1 *, DCSR, R, R);
void CALL(spmv_cd)(ref1 *, CSR, R, R);
void CALL(spmv_bsr)(ref2 *, BSR, const ref2 *, const ref2 *);
void CALL(spmm)(ref2 *, CSR, const ref2 *, const ref2 *);
void CALL(mttkrp_dss)(ref2 *, DSS, const ref2 *, const ref2 *, const ref2 *);
void CALL(mttkrp_alt)(ref2 *, DSS, const ref2 *, const ref2 *, const ref2 *);
void CALL(dot)(ref0 *, SV, SV, const ref0 *);
void CALL(sum3)(ref0 *, SV, SV, SV, const ref0 *);
void CALL(union3)(ref1 *, SV, SV, SV, R);
void CALL(union3_sparse)(vector *, SV, SV, SV);
void CALL(add)(rows *, CSR, CSR);
void CALL(spgemm)(rows *, CSR, CSR);
void CALL(triangles)(ref0 *, CSR, CSR, CSR, const ref0 *);
void CALL(sddmm_csr)(rows *, CSR, const ref2 *, const ref2 *);
void CALL(sddmm_dcsr)(stored_rows *, DCSR, const ref2 *, const ref2 *);
void CALL(ttv)(stored_rows *, CSF, R);
void CALL(ttm)(stored_fibers *, CSF, const ref2 *);
void CALL(transpose)(rows *, CSR);
void CALL(dcsr)(stored_rows *, CSR);

/* the operands as arguments */
static ref1 a[3], b[3], v[3][3], A[7], x;
static ref2 X, Z;

static ref1 array(const void *at, size_t length)
{
    return (ref1){(void *)(uintptr_t)at, (void *)(uintptr_t)at, 0, (int64_t)length, 1};
}
static ref2 matrix(const double *at, size_t count, size_t columns)
{
    return (ref2){(void *)(uintptr_t)at, (void *)(uintptr_t)at, 0, {(int64_t)count, (int64_t)columns}, {(int64_t)columns, 1}};
}
static void arrays(ref1 to[3], size_t above, size_t entries, const uint32_t *pos, const uint32_t *crd, const double *val)
{
    to[0] = array(pos, above + 1);
    to[1] = array(crd, entries);
    to[2] = array(val, entries);
}
static void begin(const problem *p, const char *operation)
{
    size_t n = 0;
    if (p->a.rows) arrays(a, p->a.rows, bench_csr_entries(&p->a), p->a.pos, p->a.crd, p->a.val);
    if (p->b.rows) arrays(b, p->b.rows, bench_csr_entries(&p->b), p->b.pos, p->b.crd, p->b.val);
    for (unsigned k = 0; k < 3 && p->v[k].size; k++) arrays(v[k], 1, p->v[k].entries, p->v[k].pos, p->v[k].crd, p->v[k].val);
    for (unsigned l = 0; p->A.encoding && l < p->A.encoding->levels; l++) {
        if (p->A.pos[l].at) A[n++] = array(p->A.pos[l].at, p->A.pos[l].length);
        if (p->A.crd[l].at) A[n++] = array(p->A.crd[l].at, p->A.crd[l].length);
    }
    if (p->A.encoding) A[n] = array(p->A.val.at, p->A.val.length);
    const bool cube = p->A.encoding && p->A.encoding->rank == 3, samples = strncmp(operation, "sddmm", 5) == 0;
    const size_t columns = cube ? p->A.dim[1] : samples ? p->a.rows : p->a.columns;
    if (p->x) x = array(p->x, cube ? p->A.dim[2] : p->a.columns);
    if (p->X) X = matrix(p->X, columns, p->columns);
    if (p->Z) Z = matrix(p->Z, cube ? p->A.dim[2] : p->a.columns, p->columns);
}

#define N(r)           (int32_t)(r).size
#define THREE(t)       &t[0], &t[1], &t[2]
#define LENGTHS(t)     N(t[0]), N(t[1]), N(t[2])
#define AS_SV(k)       THREE(v[k]), (int32_t)p->v[k].size, LENGTHS(v[k])
#define AS_CSR(t)      THREE(t), (int32_t)p->t.rows, (int32_t)p->t.columns, LENGTHS(t)
#define DIM(l)         (int32_t)p->A.dim[l]
#define AS_CD          THREE(A), DIM(0), DIM(1), LENGTHS(A)
#define AS_BSR         THREE(A), DIM(0) / 4, DIM(1) / 4, 4, 4, LENGTHS(A)
#define FIVE           THREE(A), &A[3], &A[4]
#define FIVE_LENGTHS   LENGTHS(A), N(A[3]), N(A[4])
#define AS_DCSR        FIVE, DIM(0), DIM(1), FIVE_LENGTHS
#define AS_DSS         FIVE, DIM(0), DIM(1), DIM(2), FIVE_LENGTHS
#define AS_ALT         FIVE, DIM(0), DIM(2), DIM(1), FIVE_LENGTHS
#define AS_CSF         FIVE, &A[5], &A[6], DIM(0), DIM(1), DIM(2), FIVE_LENGTHS, N(A[5]), N(A[6])

/* y: the dense result */
#define RUN(name, type, made, ...)                                                                                        \
    static void name(void *context, double *result)                                                                       \
    {                                                                                                                     \
        const problem *p = (const problem *)context;                                                                      \
        const type y = made;                                                                                              \
        type out = y;                                                                                                     \
        CALL(name)(&out, __VA_ARGS__, &y);                                                                                \
        (void)p;                                                                                                          \
    }
#define TO_NUMBER(name, ...) RUN(name, ref0, ((ref0){result, result, 0}), __VA_ARGS__)
#define TO_VECTOR(name, ...) RUN(name, ref1, array(result, p->length), __VA_ARGS__)
#define TO_MATRIX(name, width, ...) RUN(name, ref2, matrix(result, p->length / (width), (width)), __VA_ARGS__)
#define TO_SPARSE(name, type, ...)                                                                                        \
    static void name(void *context, double *result)                                                                       \
    {                                                                                                                     \
        const problem *p = (const problem *)context;                                                                      \
        type c;                                                                                                           \
        CALL(name)(&c, __VA_ARGS__);                                                                                      \
        finish_##type(&c, result);                                                                                        \
        (void)p;                                                                                                          \
    }
#define FINISH(type, entries, block, ...)                                                                                 \
    static void finish_##type(type *c, double *result)                                                                    \
    {                                                                                                                     \
        fingerprint_of_blocks(result, (size_t)c->length[entries], block, (const uint32_t *)c->crd.at,                     \
                              (const double *)c->val.at);                                                                 \
        __VA_ARGS__;                                                                                                      \
        free(c->pos.allocated), free(c->crd.allocated), free(c->val.allocated);                                           \
    }
FINISH(vector, 2, 1, (void)0)
FINISH(rows, 2, 1, (void)0)
FINISH(stored_rows, 4, 1, free(c->pos0.allocated), free(c->crd0.allocated))
FINISH(stored_fibers, 3, (size_t)c->dim[2], free(c->pos0.allocated), free(c->crd0.allocated))

TO_VECTOR(spmv_csr, AS_CSR(a), &x)
TO_VECTOR(spmv_dcsr, AS_DCSR, &x)
TO_VECTOR(spmv_cd, AS_CD, &x)
static void spmv_bsr(void *context, double *result)
{
    const problem *p = (const problem *)context;
    const ref2 blocks = matrix(p->x, p->A.dim[1] / 4, 4), y = matrix(result, p->A.dim[0] / 4, 4);
    ref2 out;
    CALL(spmv_bsr)(&out, AS_BSR, &blocks, &y);
}
TO_MATRIX(spmm, p->columns, AS_CSR(a), &X)
TO_MATRIX(mttkrp_dss, p->columns, AS_DSS, &X, &Z)
TO_MATRIX(mttkrp_alt, p->columns, AS_ALT, &X, &Z)
TO_NUMBER(dot, AS_SV(0), AS_SV(1))
TO_NUMBER(sum3, AS_SV(0), AS_SV(1), AS_SV(2))
TO_VECTOR(union3, AS_SV(0), AS_SV(1), AS_SV(2))
TO_SPARSE(union3_sparse, vector, AS_SV(0), AS_SV(1), AS_SV(2))
TO_SPARSE(add, rows, AS_CSR(a), AS_CSR(b))
TO_SPARSE(spgemm, rows, AS_CSR(a), AS_CSR(b))
TO_NUMBER(triangles, AS_CSR(a), AS_CSR(a), AS_CSR(a))
TO_SPARSE(sddmm_csr, rows, AS_CSR(a), &X, &Z)
TO_SPARSE(sddmm_dcsr, stored_rows, AS_DCSR, &X, &Z)
TO_SPARSE(ttv, stored_rows, AS_CSF, &x)
TO_SPARSE(ttm, stored_fibers, AS_CSF, &Z)
TO_SPARSE(transpose, rows, AS_CSR(a))
TO_SPARSE(dcsr, stored_rows, AS_CSR(a))

static const peer peers[] = {
    {"spmv csr", "MLIR", spmv_csr},     {"spmv dcsr", "MLIR", spmv_dcsr},   {"spmv cd", "MLIR", spmv_cd},
    {"spmv bsr", "MLIR", spmv_bsr},     {"spmm", "MLIR", spmm},             {"mttkrp dss", "MLIR", mttkrp_dss},
    {"mttkrp alt", "MLIR", mttkrp_alt}, {"dot", "MLIR", dot},               {"sum3", "MLIR", sum3},
    {"union3 dense", "MLIR", union3},   {"union3 sparse", "MLIR", union3_sparse}, {"add", "MLIR", add},
    {"spgemm", "MLIR", spgemm},         {"triangles", "MLIR", triangles},   {"sddmm csr", "MLIR", sddmm_csr},
    {"sddmm dcsr", "MLIR", sddmm_dcsr}, {"ttv", "MLIR", ttv},               {"transpose", "MLIR", transpose},
    {"dcsr", "MLIR", dcsr},             {"ttm", "MLIR", ttm},               {NULL, NULL, NULL}};
extern const contestants PEERS_TEAM;
const contestants PEERS_TEAM = {PEERS_NAME, false, TUNED, peers, begin, NULL, ONE_THREAD};
