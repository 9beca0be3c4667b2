/* flash.c: kernels cannot read arrays in the program memory of an AVR (__flash): the compiler must refuse to pass them. */
#include "kernels.h"
static const __flash uint16_t pos[] = {0, 2, 2, 5, 7};
static const __flash uint8_t crd[] = {0, 3, 1, 2, 7, 4, 6};
static const __flash int8_t weights[] = {1, 4, 5, 6, 7, -2, 3};
static const int8_t in[] = {1, 10, 100, 127, 2, 3, 4, 5};
int32_t out[4];
sparse_result run(csri *A);

sparse_result run(csri *A)
{
#if PASSED == 0 /* to the loops */
    (void)A;
    return spmv_int8_loops(4, 8, out, pos, crd, weights, in);
#elif PASSED == 1 /* as arrays of a tensor */
    const sparse_arrays a = {
        .pos[1] = SPARSE_ARRAY(pos, 5), .crd[1] = SPARSE_ARRAY(crd, 7), .val = SPARSE_ARRAY(weights, 7)};
    const size_t dim[] = {4, 8};
    (void)in;
    return sparse_assemble(&A->t, dim, &a, SPARSE_BORROW, NULL);
#else             /* with a cast, in a descriptor */
    (void)pos, (void)crd, (void)in;
    A->t.val.at = (void *)weights;
    return SPARSE_OK;
#endif
}
