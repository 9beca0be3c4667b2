/* graphblas.c: SuiteSparse:GraphBLAS and the kit pass each other their arrays, without a copy.

       graphblas [graph.mtx]

   GraphBLAS gets a graph, counts its triangles and multiplies it by itself. The kit gets the product, and a
   kernel computes it again for comparison. GraphBLAS uses 64-bit indices. */
#include <GraphBLAS.h>
#include <stdio.h>
#include "sparse.h"
#include "sparse_io.h"

#define CSR csr, SPARSE_CSR, double, 64, 64
SPARSE_TENSOR(CSR)
SPARSE_KERNEL(square, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(triangles, (i, k, j), (s, double), all((A, CSR, i, k), (B, CSR, k, j), (C, CSR, i, j)),
              s += A * B * C)

/* G = A. GraphBLAS then owns the arrays, which come from malloc, as its own do; A is empty. */
static GrB_Info give(GrB_Matrix *G, csr *A)
{
    sparse_tensor *const t = &A->t;
    GrB_Index *pos = t->pos[1].at, *crd = t->crd[1].at;
    void *val = t->val.at;
    GrB_Info info = GrB_Matrix_new(G, GrB_FP64, t->dim[0], t->dim[1]);
    if (!info)
        info = GxB_Matrix_pack_CSR(*G, &pos, &crd, &val, t->pos[1].capacity * sizeof *pos,
                                   t->crd[1].capacity * sizeof *crd, t->val.capacity * sizeof(double), false,
                                   false, NULL);
    if (info) return info;
    t->pos[1] = t->crd[1] = t->val = (sparse_buffer){NULL, 0, 0};
    sparse_free(t);
    return GrB_SUCCESS;
}

/* A = G. The tensor, which must be empty before, then owns the arrays. */
static sparse_result take(csr *A, GrB_Matrix *G)
{
    GrB_Index rows, columns, *pos = NULL, *crd = NULL, pos_size, crd_size, val_size;
    void *val = NULL;
    bool iso;
    if (GrB_Matrix_nrows(&rows, *G) || GrB_Matrix_ncols(&columns, *G) ||
        GxB_Matrix_unpack_CSR(*G, &pos, &crd, &val, &pos_size, &crd_size, &val_size, &iso, NULL, NULL) || iso)
        return SPARSE_E_ARGUMENT; /* iso: one value for all entries, not an array */
    GrB_Matrix_free(G);
    const size_t dim[] = {rows, columns}, entries = pos[rows];
    const sparse_arrays a = {.pos[1] = SPARSE_ARRAY(pos, rows + 1),
                             .crd[1] = SPARSE_ARRAY(crd, entries),
                             .val = SPARSE_ARRAY((const double *)val, entries)};
    const sparse_result r = sparse_assemble(&A->t, dim, &a, SPARSE_BORROW, NULL);
    if (!r) { /* a tensor owns arrays that have a capacity */
        A->t.pos[1].capacity = pos_size / sizeof *pos;
        A->t.crd[1].capacity = crd_size / sizeof *crd;
        A->t.val.capacity = val_size / sizeof(double);
    }
    return r;
}

int main(int argc, char **argv)
{
    csr A = SPARSE_INIT(csr), B = SPARSE_INIT(csr), C = SPARSE_INIT(csr), D = SPARSE_INIT(csr);
    double count = 0, theirs = 0;
    bool equal = false;
    GrB_Matrix G = NULL, H = NULL, M = NULL;
    const void *arrays = NULL;
    GrB_init(GrB_NONBLOCKING);
    GxB_Global_Option_set(GxB_NTHREADS, 1);
    sparse_result r = sparse_read(&A.t, argc > 1 ? argv[1] : "examples/data/roads.mtx", NULL);
    if (!r) r = sparse_copy(&B.t, &A.t);
    if (!r) r = square(&C, &B, &B);
    if (!r) r = triangles(&count, &B, &B, &B);
    if (!r) arrays = A.t.val.at;
    if (!r && (give(&G, &A) || GrB_Matrix_new(&H, GrB_FP64, B.t.dim[0], B.t.dim[1]) ||
               GrB_Matrix_new(&M, GrB_FP64, B.t.dim[0], B.t.dim[1]) ||
               GrB_mxm(H, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, G, G, NULL) ||
               GrB_Matrix_eWiseMult_BinaryOp(M, NULL, NULL, GrB_TIMES_FP64, H, G, NULL) ||
               GrB_Matrix_reduce_FP64(&theirs, NULL, GrB_PLUS_MONOID_FP64, M, NULL)))
        r = SPARSE_E_ARGUMENT;
    if (!r) r = take(&D, &H);
    if (!r) r = sparse_equal(&C.t, &D.t, 1e-12, &equal);
    if (!r) r = take(&A, &G); /* and back */
    const bool moved = !r && A.t.val.at == arrays;
    GrB_Matrix_free(&G), GrB_Matrix_free(&H), GrB_Matrix_free(&M);
    sparse_free(&A.t), sparse_free(&B.t), sparse_free(&C.t), sparse_free(&D.t);
    GrB_finalize();
    if (r)
        fprintf(stderr, "graphblas: %s\n", sparse_explain(r));
    else
        printf("squares %s, weighted triangles %g and %g, arrays %s\n", equal ? "equal" : "differ", count,
               theirs, moved ? "the same" : "copied");
    return r || !equal || !moved || !(count - theirs < 1e-9 * count && theirs - count < 1e-9 * count);
}
