/* petsc.c: reads the rows of a matrix in parallel, and solves with PETSc on the arrays of the kit.

       mpirun -n 4 petsc [matrix.mtx] [options of PETSc, such as -ksp_monitor]

   Each rank reads its rows, and splits them in two as PETSc does: its own columns, and the columns of other
   ranks. MatCreateMPIAIJWithSplitArrays uses both in place. Solves A u = f with f = A * 1, so that u
   should be 1. */
#include <petscksp.h>
#include <math.h>
#include "distributed.h"

SPARSE_KERNEL(outside, (i, j), (B, CSR, i, j), all((A, CSR, i, j), (begin, size_t), (end, size_t)), B = A;
              has_B = j < begin || j >= end)

/* own = the columns [begin, end) of A, counted from begin; other = all other columns, counted as in A. */
static sparse_result split(csr *own, csr *other, const csr *A, size_t begin, size_t end)
{
    const sparse_slice part[] = {{0, A->t.dim[0], 1}, {begin, end - begin, 1}};
    sparse_result r = sparse_convert_slice(&own->t, &A->t, part);
    return r ? r : outside(other, A, begin, end);
}

/* Does the matrix use the value arrays of the tensors? */
static bool shares(Mat M, const csr *own, const csr *other)
{
    Mat part[2];
    const csr *const of[2] = {own, other};
    const PetscInt *columns;
    const PetscScalar *values;
    bool same = true;
    if (MatMPIAIJGetSeqAIJ(M, &part[0], &part[1], &columns)) return false;
    for (int k = 0; k < 2 && same; k++)
        same = !MatSeqAIJGetArrayRead(part[k], &values) && values == of[k]->t.val.at &&
               !MatSeqAIJRestoreArrayRead(part[k], &values);
    return same;
}

static PetscErrorCode solve(const csr *own, const csr *other, const size_t *size)
{
    Mat M;
    Vec u, f;
    KSP ksp;
    PetscReal error;
    PetscInt steps;
    const PetscInt rows = (PetscInt)own->t.dim[0], columns = (PetscInt)own->t.dim[1];
    PetscFunctionBeginUser;
    PetscCall(MatCreateMPIAIJWithSplitArrays(
        PETSC_COMM_WORLD, rows, columns, (PetscInt)size[0], (PetscInt)size[1], own->t.pos[1].at,
        own->t.crd[1].at, own->t.val.at, other->t.pos[1].at, other->t.crd[1].at, other->t.val.at, &M));
    PetscCall(MatCreateVecs(M, &u, &f));
    PetscCall(VecSet(u, 1));
    PetscCall(MatMult(M, u, f));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, M, M));
    PetscCall(KSPSetType(ksp, KSPCG));
    PetscCall(KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(VecSet(u, 0));
    PetscCall(KSPSolve(ksp, f, u));
    PetscCall(KSPGetIterationNumber(ksp, &steps));
    PetscCall(VecShift(u, -1));
    PetscCall(VecNorm(u, NORM_INFINITY, &error));
    int copied = !shares(M, own, other);
    MPI_Allreduce(MPI_IN_PLACE, &copied, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "solved by PETSc: error %.0e after %d steps, arrays %s\n", error,
                          (int)steps, copied ? "copied" : "the same"));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&u));
    PetscCall(VecDestroy(&f));
    PetscCall(MatDestroy(&M));
    PetscCheck(error < 1e-6 && !copied, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "wrong or copied");
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 && argv[1][0] != '-' ? argv[1] : "examples/data/plate.mtx";
    csr A = SPARSE_INIT(csr), own = SPARSE_INIT(csr), other = SPARSE_INIT(csr);
    size_t size[2] = {0, 0};
    sparse_io_error error = {0};
    int rank, ranks;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    sparse_result r = rows_read(&A, size, path, false, &error, PETSC_COMM_WORLD);
    if (!r && (size[0] != size[1] || size[0] > INT_MAX || sizeof(PetscInt) != sizeof(uint32_t)))
        r = SPARSE_E_SHAPE;
    if (!r) r = split(&own, &other, &A, own_begin(size[1], rank, ranks), own_begin(size[1], rank + 1, ranks));
    r = agree(r, PETSC_COMM_WORLD);
    if (r)
        PetscCall(PetscPrintf(PETSC_COMM_WORLD, "petsc: %s\n", error.result ? error.message : sparse_explain(r)));
    else
        PetscCall(solve(&own, &other, size));
    sparse_free(&A.t), sparse_free(&own.t), sparse_free(&other.t);
    PetscCall(PetscFinalize());
    return r != SPARSE_OK;
}
