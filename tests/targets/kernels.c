/* kernels.c: runs the canonical kernels on a target and checks their results. */
#include "kernels.h"
#include "check.h"

enum { ROWS = 4, COLUMNS = 8 };
static const size_t shape[] = {ROWS, COLUMNS}, turned[] = {COLUMNS, ROWS}, rows[] = {ROWS}, columns[] = {COLUMNS},
                    square[] = {ROWS, ROWS};
/* at most two entries in each four columns of a row; some of the blocks are empty */
static const float entries[] = {1,      0, 0, 4, 0, 0, 0, 0, /**/ 0, 0, 0, 0, 0,  0, 0, 0,
                                /**/ 0, 5, 6, 0, 0, 0, 0, 7, /**/ 0, 0, 0, 0, -2, 0, 3, 0};
static const float x_values[] = {1, 10, 100, 1000, 2, 3, 4, 5}, y_values[] = {4001, 0, 685, 8};

/* memory at an odd address */
static struct {
    _Alignas(16) unsigned char odd, memory[6143];
} room;
static sparse_arena arena = SPARSE_ARENA(arena, room.memory, sizeof room.memory);
/* not inlined, so that the descriptors of one test are not on the stack while another runs */
#define TEST static __attribute__((__noinline__)) void
/* a tensor in the arena */
#define FRESH(type, name)                                                                                                   \
    type name = SPARSE_INIT(type);                                                                                          \
    name.t.hooks = &arena.hooks

/* a dense output, which a kernel allocates if it checks its operands */
static bool in_place(sparse_tensor *t, const size_t *dim)
{
    return SPARSE_CHECKS == 2 || sparse_allocate_dense(t, dim) == SPARSE_OK;
}
static bool holds(const sparse_tensor *t, const float *values, size_t count)
{
    return t->val.at && t->val.length == count && memcmp(t->val.at, values, count * sizeof *values) == 0;
}
/* packs a matrix in the encoding into the arena, and multiplies */
#define TEST_SPMV(type)                                                                                                     \
    TEST test_##type(const vec *x)                                                                                          \
    {                                                                                                                       \
        FRESH(type, A);                                                                                                     \
        FRESH(vec, y);                                                                                                      \
        sparse_arena_release(&arena, 0);                                                                                    \
        CHECK(!type##_pack_dense(&A, shape, entries), #type " is packed");                                                  \
        CHECK(!sparse_validate(&A.t, NULL), #type " is valid");                                                             \
        CHECK(in_place(&y.t, rows) && !spmv_##type(&y, &A, x), #type " is multiplied");                                     \
        CHECK(holds(&y.t, y_values, ROWS), #type " gives the right numbers");                                               \
    }
TEST_SPMV(csr)
TEST_SPMV(csc)
TEST_SPMV(coo)
TEST_SPMV(bsr)
TEST_SPMV(n2m4)

/* constant weights, as in flash, and outputs in the program's own arrays */
TEST test_borrowed(const vec *x)
{
    static const uint16_t pos[] = {0, 2, 2, 5, 7};
    static const uint8_t crd[] = {0, 3, 1, 2, 7, 4, 6};
    static const int8_t weights[] = {1, 4, 5, 6, 7, -2, 3}, in[] = {1, 10, 100, 127, 2, 3, 4, 5};
    static const sparse_f16 halves[] = {{0x3C00}, {0x4400}, {0x4500}, {0x4600}, {0x4700}, {0xC000}, {0x4200}};
    int32_t out[ROWS] = {0};
    float out_f[ROWS] = {0};
    csri A = SPARSE_INIT(csri);
    csrh H = SPARSE_INIT(csrh);
    veci v = SPARSE_INIT(veci);
    vecl y = SPARSE_INIT(vecl);
    vec z = SPARSE_INIT(vec);
    const sparse_arrays a = {
        .pos[1] = SPARSE_ARRAY(pos, 5), .crd[1] = SPARSE_ARRAY(crd, 7), .val = SPARSE_ARRAY(weights, 7)};
    const sparse_arrays h = {.pos[1] = SPARSE_ARRAY(pos, 5), .crd[1] = SPARSE_ARRAY(crd, 7), .val = SPARSE_ARRAY(halves, 7)};
    CHECK(!csri_borrow_arrays(&A, shape, &a, NULL), "int8 is assembled");
    CHECK(!sparse_assemble(&H.t, shape, &h, SPARSE_BORROW, NULL), "f16 is assembled");
    CHECK(!veci_borrow(&v, columns, in) && !vecl_borrow(&y, rows, out) && !vec_borrow(&z, rows, out_f), "vectors");
    CHECK(!spmv_int8(&y, &A, &v) && out[0] == 509 && out[1] == 0 && out[2] == 685 && out[3] == 8,
          "int8 gives the right numbers");
    const int32_t bias[] = {-9, 100, 15, 0}, scale[] = {0x60000000, 0x60000000, 0x60000000, 0x60000000},
                  shift[] = {-2, 0, -3, 1};
    const int8_t layered[] = {97, 78, 69, 15};
    int8_t narrow[ROWS] = {0};
    veci n = SPARSE_INIT(veci);
    vecl b = SPARSE_INIT(vecl), m = SPARSE_INIT(vecl), s = SPARSE_INIT(vecl);
    CHECK(!vecl_borrow(&b, rows, bias) && !vecl_borrow(&m, rows, scale) && !vecl_borrow(&s, rows, shift), "scales");
    CHECK(!veci_borrow(&n, rows, narrow) && !layer(&n, 3, &b, &m, &s, &A, &v), "a layer with integer weights");
    CHECK(memcmp(narrow, layered, sizeof narrow) == 0, "a layer gives the right numbers");
    n2m4i P = SPARSE_INIT(n2m4i);
    P.t.hooks = &arena.hooks;
    memset(narrow, 0, sizeof narrow);
#if SIZE_MAX > 0xffff
    CHECK(!sparse_convert(&P.t, &A.t), "2:4 weights");
#else /* the code for conversions does not fit into the flash of an ATmega */
    int8_t whole[ROWS * COLUMNS] = {0};
    for (size_t i = 0; i < ROWS; i++)
        for (size_t p = pos[i]; p < pos[i + 1]; p++) whole[i * COLUMNS + crd[p]] = weights[p];
    CHECK(!n2m4i_pack_dense(&P, shape, whole), "2:4 weights");
#endif
    CHECK(!layer_n2m4(&n, 3, &b, &m, &s, &P, &v), "a layer with 2:4 weights");
    CHECK(memcmp(narrow, layered, sizeof narrow) == 0, "a layer with 2:4 weights gives the right numbers");
    out[0] = out[2] = out[3] = 0;
    CHECK(!spmv_int8_loops(ROWS, COLUMNS, out, pos, crd, weights, in) && out[0] == 509 && out[2] == 685 && out[3] == 8,
          "the loops alone give the right numbers");
    static const uint8_t indices[] = {76, 68, 201, 132}; /* 0 3 0 1, 0 1 0 1, 1 2 0 3, 0 1 0 2 */
    static const int8_t pairs[] = {1, 4, 0, 0, 0, 0, 0, 0, 5, 6, 0, 7, 0, 0, -2, 3};
    const sparse_arrays k = {.crd[2] = SPARSE_ARRAY(indices, 4), .val = SPARSE_ARRAY(pairs, 16)};
    p2m4i K = SPARSE_INIT(p2m4i);
    memset(out, 0, sizeof out);
    CHECK(!p2m4i_borrow_arrays(&K, shape, &k, NULL), "packed 2:4 weights are assembled");
    CHECK(!spmv_packed(&y, &K, &v) && out[0] == 509 && out[2] == 685 && out[3] == 8, "packed 2:4 gives the right numbers");
    static const uint32_t word[] = {0x50860009}; /* 0 3, none, 1 2 7, 4 6 */
    const sparse_arrays w = {
        .pos[1] = SPARSE_ARRAY(pos, 5), .crd[1] = SPARSE_ARRAY(word, 1), .val = SPARSE_ARRAY(weights, 7)};
    maski M = SPARSE_INIT(maski);
    memset(out, 0, sizeof out), memset(narrow, 0, sizeof narrow);
    CHECK(!maski_borrow_arrays(&M, shape, &w, NULL), "weights with a bitmask are assembled");
    CHECK(!spmv_bitmask(&y, &M, &v) && out[0] == 509 && out[2] == 685 && out[3] == 8, "a bitmask gives the right numbers");
    CHECK(!layer_bitmask(&n, 3, &b, &m, &s, &M, &v), "a layer with a bitmask");
    CHECK(memcmp(narrow, layered, sizeof narrow) == 0, "a layer with a bitmask gives the right numbers");
    static const csrf F = {pos, crd, weights};
    static const vecf f = {in};
    sumf g = {out};
    memset(out, 0, sizeof out);
    CHECK(!spmv_fixed(&g, &F, &f) && out[0] == 509 && out[2] == 685 && out[3] == 8, "fixed sizes give the right numbers");
    CHECK(!spmv_f16(&z, &H, x) && memcmp(out_f, y_values, sizeof y_values) == 0, "f16 gives the right numbers");
}
/* a double has 4 bytes on some targets */
TEST test_double(void)
{
    double wide[ROWS * COLUMNS], in[COLUMNS], out[ROWS] = {0};
    bool same = true;
    for (size_t k = 0; k < ROWS * COLUMNS; k++) wide[k] = (double)entries[k];
    for (size_t k = 0; k < COLUMNS; k++) in[k] = (double)x_values[k];
    sparse_arena_release(&arena, 0);
    FRESH(csrd, A);
    FRESH(vecd, x);
    vecd y = SPARSE_INIT(vecd);
    CHECK(!sparse_encoding_check(&csrd_encoding), "an encoding of double");
    CHECK(!csrd_pack_dense(&A, shape, wide) && A.t.val.length == 7 && !sparse_validate(&A.t, NULL), "double is packed");
    CHECK(!vecd_borrow(&x, columns, in) && !vecd_borrow(&y, rows, out), "vectors of double");
    CHECK(!spmv_double(&y, &A, &x), "double is multiplied");
    for (size_t k = 0; k < ROWS; k++) same = same && out[k] >= (double)y_values[k] && out[k] <= (double)y_values[k];
    CHECK(same, "double gives the right numbers");
}
TEST test_dense(void)
{
    const size_t wide[] = {COLUMNS, 2};
    const float two[] = {1, 2, 10, 20, 100, 200, 1000, 2000, 2, 4, 3, 6, 4, 8, 5, 10},
                both[] = {4001, 8002, 0, 0, 685, 1370, 8, 16};
    const float taps[] = {0, 2, 0, -1}, correlated[] = {-980, 198, 1997, 0, 1};
    const size_t four[] = {4}, five[] = {5}, narrow[] = {ROWS, 2};
    float s = 0, out[5] = {0};
    FRESH(csr, A);
    FRESH(mat, X);
    FRESH(mat, Y);
    FRESH(list, a);
    FRESH(list, b);
    FRESH(list, f);
    FRESH(vec, x);
    vec y = SPARSE_INIT(vec);
    sparse_arena_release(&arena, 0);
    CHECK(!csr_pack_dense(&A, shape, entries) && !mat_pack_dense(&X, wide, two), "packing");
    CHECK(in_place(&Y.t, narrow) && !spmm(&Y, &A, &X) && holds(&Y.t, both, 8), "a matrix times a dense one");
    CHECK(!list_pack_dense(&a, columns, entries) && !list_pack_dense(&b, columns, entries + 2 * COLUMNS - 3),
          "packing of vectors");
    CHECK(!dot(&s, &a, &b) && s >= 0 && s <= 0, "a product of vectors with nothing in common");
    CHECK(!dot(&s, &a, &a) && s >= 17 && s <= 17, "a product of sparse vectors");
    CHECK(!list_pack_dense(&f, four, taps) && !vec_pack_dense(&x, columns, x_values) && !vec_borrow(&y, five, out),
          "more vectors");
    CHECK(!correlate(&y, &f, &x) && memcmp(out, correlated, sizeof out) == 0, "a correlation");
}
/* assembled outputs: their nonzeros as a dense matrix */
TEST test_assembled(void)
{
    const float other[] = {2,      0, 0, 0, 0, 0, 0, 1, /**/ 0, 3, 0, 0, 0, 0, 0, 0,
                           /**/ 0, 0, 0, 0, 0, 0, 0, 0, /**/ 0, 0, 0, 0, 0, 0, 1, 0};
    const float right[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 4, 0, 0};
    const float times[] = {1, 12, 0, 0, 0, 0, 0, 0, 0, 33, 12, 0, -2, 0, 0, 3},
                mask[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, -1};
    float dense[ROWS * COLUMNS];
    bool same = true;
    sparse_arena_release(&arena, 0);
    FRESH(csr, A);
    FRESH(csr, B);
    FRESH(csr, C);
    CHECK(!csr_pack_dense(&A, shape, entries) && !csr_pack_dense(&B, shape, other), "packing");
    CHECK(!sum(&C, &A, &B) && C.t.val.length == 9 && !sparse_unpack_dense_untyped(&C.t, dense), "an assembled sum");
    for (size_t k = 0; k < ROWS * COLUMNS; k++)
        same = same && dense[k] >= entries[k] + other[k] && dense[k] <= entries[k] + other[k];
    CHECK(same, "an assembled sum gives the right numbers");
    sparse_arena_release(&arena, 0);
    FRESH(csr, D);
    FRESH(csr, E);
    FRESH(csr, F);
    CHECK(!csr_pack_dense(&D, shape, entries) && !csr_pack_dense(&E, turned, right), "packing");
    CHECK(!product(&F, &D, &E) && !sparse_unpack_dense_untyped(&F.t, dense), "a product");
    CHECK(memcmp(dense, times, sizeof times) == 0, "a product gives the right numbers");
    sparse_arena_release(&arena, 0);
    FRESH(csr, G);
    FRESH(csr, M);
    FRESH(csc, T);
    FRESH(csr, H);
    CHECK(!csr_pack_dense(&G, shape, entries) && !csc_pack_dense(&T, turned, right) && !csr_pack_dense(&M, square, mask),
          "packing");
    CHECK(!masked(&H, &M, &G, &T) && !sparse_unpack_dense_untyped(&H.t, dense), "a masked product");
    same = true;
    for (size_t k = 0; k < ROWS * ROWS; k++) same = same && dense[k] >= times[k] * mask[k] && dense[k] <= times[k] * mask[k];
    CHECK(same, "a masked product gives the right numbers");
}
/* an arena with exactly as many bytes as a product needs */
TEST test_needs(void)
{
    const float right[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 4, 0, 0};
    const float times[] = {1, 12, 0, 0, 0, 0, 0, 0, 0, 33, 12, 0, -2, 0, 0, 3};
    float dense[ROWS * ROWS];
    sparse_needs needs = {0, 0};
    sparse_arena_release(&arena, 0);
    FRESH(csr, A);
    FRESH(csr, B);
    FRESH(csr, C);
    CHECK(!csr_pack_dense(&A, shape, entries) && !csr_pack_dense(&B, turned, right), "packing");
    const size_t used = arena.used;
    CHECK(!product_needs(&needs, &C, &A, &B) && arena.used == used, "what a product needs");
    CHECK(needs.result > 0 && needs.work > 0, "arrays and a workspace");
    const size_t all = arena.bytes, most = arena.most;
    arena.bytes = all - sparse_arena_left(&arena) + needs.result + needs.work, arena.most = 0;
    CHECK(!sparse_arena_outputs(&C.t) && !product_into(&C, &A, &B), "that is enough");
    CHECK(arena.most - used == needs.result + needs.work, "and all of it is used");
    CHECK(!sparse_unpack_dense_untyped(&C.t, dense) && !memcmp(dense, times, sizeof times), "the product is right");
    arena.bytes = all, arena.most = most;
}
int main(void)
{
    vec x = SPARSE_INIT(vec);
    CHECK(!vec_borrow(&x, columns, x_values), "a vector of the program");
    test_csr(&x), test_csc(&x), test_coo(&x), test_bsr(&x), test_n2m4(&x);
    test_borrowed(&x);
    test_double();
    test_dense();
    test_assembled();
    test_needs();
    return report();
}
