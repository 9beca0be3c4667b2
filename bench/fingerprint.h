/* fingerprint.h: a fingerprint of all arrays of a tensor, for benchmarks that compare tensors. Include it after sparse.h. */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

/* Writes the fingerprint of a tensor to result. It is computed only when results are compared, not in the timed rounds. */
enum { PRINTS = 2 + 2 * SPARSE_MAX_LEVELS };
static double fold(const sparse_buffer *b, unsigned bits)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < b->length; k++) hash = (hash ^ sparse_p_load(b->at, bits, k)) * 0x100000001b3u;
    return (double)(hash >> 12);
}
static void fingerprint(const sparse_tensor *t, double *result)
{
    if (result[0] > 0) return;
    result[0] = 1 + (double)t->val.length;
    result[1] = fold(&t->val, 8u * (unsigned)t->encoding->value_size);
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        result[2 + 2 * l] = fold(&t->pos[l], t->encoding->pos_bits);
        result[3 + 2 * l] = fold(&t->crd[l], t->encoding->crd_bits);
    }
}

#endif
