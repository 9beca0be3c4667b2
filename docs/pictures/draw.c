/* draw.c: draws the pictures of the documents into a directory: the storage of small tensors in each encoding, and the
   patterns of the matrices of examples/data.

       draw DIRECTORY */
#include "sparse.h"
#include "sparse_io.h"
#include "bench/chart.h"
#include "examples/data/digits.h"
#include "examples/digits_draw.h"

static const double row[] = {0, 7, 0, 0, 8, 9};
static const double matrix[] = {1, 0, 0, 2, 0, 0, /**/ 0, 0, 0, 0, 0, 0, /**/ 0, 3, 0, 0, 0, 4, /**/ 5, 0, 6, 0, 0, 0};
static const double cube[] = {1,           0, 2, 0, /**/ 0, 0, 0, 0, /**/ 0, 3, 0, 0,
                              /**/ /**/ 0, 0, 0, 0, /**/ 0, 4, 5, 0, /**/ 0, 0, 0, 6};
static const size_t row_size[] = {6}, matrix_size[] = {4, 6}, cube_size[] = {2, 3, 4};

#define VEC        vec, SPARSE_DENSE_1D, double, 32, 32
#define SVEC       svec, SPARSE_VECTOR, double, 32, 32
#define BITVEC     bitvec, SPARSE_BITMAP_VECTOR, double, 32, 8
#define MAT        mat, SPARSE_DENSE_2D, double, 32, 32
#define COLMAJOR   colmajor, SPARSE_COLUMN_MAJOR, double, 32, 32
#define CSR        csr, SPARSE_CSR, double, 32, 32
#define CSC        csc, SPARSE_CSC, double, 32, 32
#define DCSR       dcsr, SPARSE_DCSR, double, 32, 32
#define DCSC       dcsc, SPARSE_DCSC, double, 32, 32
#define CD         cd, SPARSE_CD, double, 32, 32
#define COO        coo, SPARSE_COO, double, 32, 32
#define COOSOA     coosoa, SPARSE_COO_SOA, double, 32, 32
#define LOOSE      loose, ((i, j), (dense, i), (loose_compressed, j)), double, 32, 32
#define BSR        bsr, SPARSE_BSR(2, 3), double, 32, 32
#define BSRCOLUMNS bsr_inner_columns, SPARSE_BSR_INNER_COLUMNS(2, 3), double, 32, 32
#define BSC        bsc, SPARSE_BSC(2, 3), double, 32, 32
#define BSCROWS    bsc_inner_rows, SPARSE_BSC_INNER_ROWS(2, 3), double, 32, 32
#define CSB        csb, SPARSE_CSB(2), double, 32, 32
#define NM         nm, SPARSE_N_OF_M(2, 3), double, 32, 32
#define PACKEDNM   packed_nm, SPARSE_PACKED_N_OF_M(2, 3), double, 32, 8
#define DIA        dia, SPARSE_DIA, double, 32, 32
#define DIABLOCKS  diablocks, SPARSE_DIA_BLOCKS(2), double, 32, 32
#define ELL        ell, SPARSE_ELL(2), double, 32, 32
#define JAGGED     jagged, SPARSE_JAGGED(2), double, 32, 32
#define BITROWS    bitrows, SPARSE_BITMAP_ROWS, double, 32, 8
#define MASKROWS   bitmask_rows, SPARSE_BITMASK_ROWS, double, 32, 8
#define MASKVEC    bitmask_vec, SPARSE_BITMASK_VECTOR, double, 32, 8
#define CSRDELTA   csr_delta, SPARSE_CSR_DELTA(1), double, 32, 8
#define CSF        csf, SPARSE_CSF_3D, double, 32, 32
#define LIST       list, ((i, j), (compressed(nonunique, nonordered), i), (singleton(nonunique, nonordered), j)), double, 32, 32
#define COO3       coo3, SPARSE_COO_3D, double, 32, 32
#define MODE       mode_generic, SPARSE_MODE_GENERIC_3D, double, 32, 32
#define HICOO      hicoo, SPARSE_HICOO_3D(2), double, 32, 32
#define BATCHEDCSR batched_csr, SPARSE_BATCHED_CSR, double, 32, 32
#define BATCHEDCOO batched_coo, SPARSE_BATCHED_COO, double, 32, 32

/* every storage type: its descriptor, its name, and the dense array that it stores */
#define TYPES(X)                                                                                                            \
    X(VEC, vec, row)                                                                                                        \
    X(SVEC, svec, row)                                                                                                      \
    X(BITVEC, bitvec, row)                                                                                                  \
    X(MAT, mat, matrix)                                                                                                     \
    X(COLMAJOR, colmajor, matrix) X(CSR, csr, matrix) X(CSC, csc, matrix) X(DCSR, dcsr, matrix) X(DCSC, dcsc, matrix)       \
        X(CD, cd, matrix) X(COO, coo, matrix) X(COOSOA, coosoa, matrix) X(LIST, list, matrix) X(LOOSE, loose, matrix)       \
            X(BSR, bsr, matrix) X(BSRCOLUMNS, bsr_inner_columns, matrix) X(BSC, bsc, matrix)                                \
                X(BSCROWS, bsc_inner_rows, matrix) X(CSB, csb, matrix) X(NM, nm, matrix) X(PACKEDNM, packed_nm, matrix)     \
                    X(DIA, dia, matrix) X(DIABLOCKS, diablocks, matrix) X(ELL, ell, matrix) X(JAGGED, jagged, matrix)       \
                        X(BITROWS, bitrows, matrix) X(MASKROWS, bitmask_rows, matrix) X(MASKVEC, bitmask_vec, row)          \
                            X(CSRDELTA, csr_delta, matrix) X(CSF, csf, cube) X(COO3, coo3, cube)                            \
                                X(MODE, mode_generic, cube) X(HICOO, hicoo, cube) X(BATCHEDCSR, batched_csr, cube)          \
                                    X(BATCHEDCOO, batched_coo, cube)

#define DEFINE(DESCRIPTOR, name, values) SPARSE_TENSOR(DESCRIPTOR)
TYPES(DEFINE)

/* Draws the storage of one type. */
#define DRAW(DESCRIPTOR, name, values)                                                                                      \
    static sparse_result draw_##name(const char *directory)                                                                 \
    {                                                                                                                       \
        char path[4000];                                                                                                    \
        name t = SPARSE_INIT(name);                                                                                         \
        snprintf(path, sizeof path, "%s/" #name ".svg", directory);                                                         \
        sparse_result r = name##_pack_dense(&t, values##_size, values);                                                     \
        if (!r) r = sparse_draw_storage(&t.t, path);                                                                        \
        sparse_free(&t.t);                                                                                                  \
        return r;                                                                                                           \
    }
TYPES(DRAW)

/* Draws the first rows and columns of a matrix in a file: so few that each element shows its magnitude. */
static sparse_result draw_corner(const char *file, const char *directory, const char *name)
{
    char path[4000];
    csr A = SPARSE_INIT(csr), corner = SPARSE_INIT(csr);
    snprintf(path, sizeof path, "%s/%s.svg", directory, name);
    sparse_result r = sparse_read(&A.t, file, NULL);
    if (!r) r = sparse_convert_slice(&corner.t, &A.t, (sparse_slice[]){{0, 48, 1}, {0, 48, 1}});
    if (!r) r = sparse_spy(&corner.t, path);
    sparse_free(&A.t), sparse_free(&corner.t);
    return r;
}

/* Draws the pattern of a matrix in a file, in an encoding of its own. */
static sparse_result draw_pattern(sparse_tensor *t, const char *file, const char *directory, const char *name)
{
    char path[4000];
    snprintf(path, sizeof path, "%s/%s.svg", directory, name);
    sparse_result r = sparse_read(t, file, NULL);
    if (!r) r = sparse_spy(t, path);
    sparse_free(t);
    return r;
}

#define WEIGHTS weights, SPARSE_CSR, int8_t, 16, 8
#define DIGITS  digits, SPARSE_CSR, int8_t, 16, 8
SPARSE_TENSOR(WEIGHTS)
SPARSE_TENSOR(DIGITS)

/* Draws the weights of the first layer of examples/digits.c. */
static sparse_result draw_weights(const char *directory)
{
    char path[4000];
    weights W = SPARSE_INIT(weights);
    const size_t entries = sizeof first_val / sizeof *first_val;
    const sparse_arrays arrays = {.pos[1] = SPARSE_ARRAY(first_pos, DIGITS_HIDDEN + 1),
                                  .crd[1] = SPARSE_ARRAY(first_crd, entries),
                                  .val = SPARSE_ARRAY(first_val, entries)};
    snprintf(path, sizeof path, "%s/weights.svg", directory);
    sparse_result r = sparse_assemble(&W.t, (size_t[]){DIGITS_HIDDEN, DIGITS_PIXELS}, &arrays, SPARSE_COPY, NULL);
    if (!r) r = sparse_spy(&W.t, path);
    sparse_free(&W.t);
    return r;
}

/* Draws a digit of each kind, as examples/digits_train.c learns them. */
static sparse_result draw_digits(const char *directory)
{
    enum { ACROSS = 5, ROWS = DIGITS_CLASSES / ACROSS * DIGITS_SIDE, COLUMNS = ACROSS * DIGITS_SIDE };
    char path[4000];
    int8_t pixels[DIGITS_PIXELS], sheet[ROWS * COLUMNS] = {0};
    uint32_t state = 1;
    digits t = SPARSE_INIT(digits);
    snprintf(path, sizeof path, "%s/digits.svg", directory);
    for (unsigned digit = 0; digit < DIGITS_CLASSES; digit++) {
        digits_draw(pixels, digit, &state);
        for (unsigned k = 0; k < DIGITS_PIXELS; k++)
            sheet[(digit / ACROSS * DIGITS_SIDE + k / DIGITS_SIDE) * COLUMNS + digit % ACROSS * DIGITS_SIDE +
                  k % DIGITS_SIDE] = pixels[k];
    }
    sparse_result r = digits_pack_dense(&t, (size_t[]){ROWS, COLUMNS}, sheet);
    if (!r) r = sparse_spy(&t.t, path);
    sparse_free(&t.t);
    return r;
}

/* Draws the first table of "Convolutions" in docs/notebook.md, for images of which 99 % are zero. */
static bool draw_instructions(const char *directory)
{
    static const chart c = {
        .title = "Convolutions, 99 % zeros: millions of instructions a run",
        .unit = "lower is better",
        .groups_are = "order of the loops",
        .groups = 7,
        .series = 4,
        .decades = true,
        .group = {"i p", "p i", "i j p q", "i p j q", "i p q j", "p i q j", "i p j q r k"},
        .name = {"kit", "kit, best line", "TACO-UCF's form", "MLIR's form"},
        .value = {{0.23, 0.06, 15.6, 3.71, 1.40, 1.40, 12.2},
                  {0.05, 0.05, 0.82, 0.82, 0.82, 0.82, 3.77},
                  {4.87, 0.07, 64.9, 70.8, 1.22, 1.20, 8.63},
                  {0.22, 0.07, 11.1, 3.97, 1.31, 1.30, 10.1}},
    };
    char path[4000];
    snprintf(path, sizeof path, "%s/convolve_instructions.svg", directory);
    return chart_draw(&c, path);
}

/* Draws what examples/cg.c and examples/gmres.c print. */
static bool draw_solver_steps(const char *directory)
{
    static const chart c = {
        .title = "Steps until the residual is 1e-10",
        .unit = "lower is better",
        .groups_are = "program and matrix",
        .groups = 2,
        .series = 2,
        .group = {"cg.c: plate, 336 rows", "gmres.c: transport, 2304 rows"},
        .name = {"without incomplete factors", "with them"},
        .value = {{138, 455}, {36, 29}},
    };
    char path[4000];
    snprintf(path, sizeof path, "%s/solver_steps.svg", directory);
    return chart_draw(&c, path);
}

int main(int count, char **argument)
{
    const char *directory = count > 1 ? argument[1] : ".";
    sparse_result r = SPARSE_OK;
    csr plate = SPARSE_INIT(csr), calls = SPARSE_INIT(csr), roads = SPARSE_INIT(csr);
    bsr blocks = SPARSE_INIT(bsr);
#define CALL(DESCRIPTOR, name, values)                                                                                      \
    if (!r) r = draw_##name(directory);
    TYPES(CALL)
    if (!r) r = draw_pattern(&plate.t, "examples/data/plate.mtx", directory, "plate");
    if (!r) r = draw_corner("examples/data/plate.mtx", directory, "plate_corner");
    if (!r) r = draw_pattern(&calls.t, "examples/data/calls.mtx", directory, "calls");
    if (!r) r = draw_pattern(&roads.t, "examples/data/roads.mtx", directory, "roads");
    if (!r) r = draw_pattern(&blocks.t, "examples/data/roads.mtx", directory, "roads_blocks");
    if (!r) r = draw_weights(directory);
    if (!r) r = draw_digits(directory);
    if (!r && !(draw_instructions(directory) && draw_solver_steps(directory))) r = SPARSE_E_OPEN;
    if (r) fprintf(stderr, "draw: %s\n", sparse_explain(r));
    return r != SPARSE_OK;
}
