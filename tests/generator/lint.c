/* lint.c: kernel lines for sparse_gen --lint. All compile. A comment "warns:" has the warning for the next kernel line. */
#include <math.h>

#include "sparse.h"

#define VEC  vec, SPARSE_DENSE_1D, double, 32, 32
#define MAT  mat, SPARSE_DENSE_2D, double, 32, 32
#define CSR  csr, SPARSE_CSR, double, 32, 32 /* a comment, (which is none of it */
#define OWN  own, ((i, j), (dense, i), (compressed, j)), double, 32, 32
#define LIST list, ((i), (compressed(nonunique, nonordered), i)), double, 32, 32
SPARSE_TENSOR(VEC)
SPARSE_TENSOR(MAT)
SPARSE_TENSOR(CSR)
SPARSE_TENSOR(OWN)
SPARSE_TENSOR(LIST)

/* = where several iterations write one element */
/* SPARSE_KERNEL(in_a_comment, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y = A * x) */
/* warns: last: y = ... keeps only the last j, as y has no index j; += adds up */
SPARSE_KERNEL(last, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y = A * x)
/* warns: last_of_two: s = ... keeps only the last i, as s has no index i; += adds up */
SPARSE_KERNEL(last_of_two, (i, j), ((y, VEC, i), (s, double)), all((A, CSR, i, j)), y += A; s = A)
/* warns: last_from: y = ... keeps only the last j, as y has no index j; += adds up */
SPARSE_KERNEL(last_from, (parallel(i), j), from(0, y, VEC, i), all((A, CSR, i, j)), if (A > 0) y = A)
/* warns: last_within: w = ... keeps only the last j, as w has no index j; += adds up */
SPARSE_KERNEL(last_within, (i), (y, VEC, i), all(where((w, double), (j), all((A, CSR, i, j)), w = A)), y = w)
SPARSE_KERNEL(adds, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)
SPARSE_KERNEL(greatest, (i, j), (y, VEC, i), all((A, CSR, i, j)), y = fmax(y, A))
SPARSE_KERNEL(least, (i, j), (y, VEC, i), all((A, CSR, i, j)), if (A < y) y = A)
SPARSE_KERNEL(has_any, (i, j), (y, VEC, i), all((A, CSR, i, j)), y = 1)
SPARSE_KERNEL(listed, (i, j), (q, LIST, j), all((A, CSR, i, j)), q = A)
SPARSE_KERNEL(moved, (i, let(u, i + 2)), (y, VEC, u), all((x, VEC, i)), y = x)
SPARSE_KERNEL(diagonal, (i, j), (d, VEC, i), all((A, CSR, i, j)), if (i == j) d = A)

/* parallel_sum of a reduction that is no sum */
/* warns: largest: parallel_sum(i) adds up what shares of the loop leave in s, which is no sum here: use s += ..., or no parallel_sum */
SPARSE_KERNEL(largest, (parallel_sum(i), j), (s, double), all((A, CSR, i, j)), s = fmax(s, A))
/* warns: smallest: parallel_sum(i) adds up what shares of the loop leave in s, which is no sum here: use s += ..., or no parallel_sum */
SPARSE_KERNEL(smallest, (parallel_sum(i), j), (s, double), all((A, CSR, i, j)), if (A < s) s = A)
/* warns: factors: parallel_sum(i) adds up what shares of the loop leave in s, which is no sum here: use s += ..., or no parallel_sum */
SPARSE_KERNEL(factors, (parallel_sum(i), j), (s, double), all((A, CSR, i, j)), s *= A)
/* warns: weighted: parallel_sum(i) adds up what shares of the loop leave in s, which is no sum here: use s += ..., or no parallel_sum */
SPARSE_KERNEL(weighted, (parallel_sum(i), j), ((s, double), (n, int)), all((A, CSR, i, j)), s += n * A; n++)
SPARSE_KERNEL(two_sums, (parallel_sum(i), j), ((s, double), (n, int)), all((A, CSR, i, j)), if (A > 0) s -= A; n++)

/* expressions that are not 0 where the operand is not stored */
/* warns: powers: exp(A) is not 0 where A is not stored, and these positions are not visited */
SPARSE_KERNEL(powers, (i, j), (C, MAT, i, j), all((A, CSR, i, j)), C = exp(A))
/* warns: both: A + B is not 0 where B is not stored, and these positions are not visited */
SPARSE_KERNEL(both, (i, j), (C, CSR, i, j), all((A, CSR, i, j), (B, OWN, i, j)), C = A + B)
/* warns: shifted: A + x is not 0 where A is not stored, and these positions are not visited */
SPARSE_KERNEL(shifted, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A + x)
SPARSE_KERNEL(either, (i, j), (C, CSR, i, j), any((A, CSR, i, j), (B, OWN, i, j)), C = A + B)
SPARSE_KERNEL(activated, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = fmax(A - 1.0, 0.0) > 0 ? A : 0.5 * A)
SPARSE_KERNEL(everywhere, (i, j), (C, MAT, i, j), any((A, CSR, i, j), (D, MAT, i, j)), C = A + D)
SPARSE_KERNEL(counted, (i, j), (n, VEC, i), all((A, CSR, i, j)), n += 1)

/* merging every pair of rows */
/* warns: transposed: every i of A is merged with every j of B: store B by k first (sparse_convert), and write the loops (i, k, j) */
SPARSE_KERNEL(transposed, (i, j, k), (C, MAT, i, j), all((A, CSR, i, k), (B, CSR, j, k)), C += A * B)
SPARSE_KERNEL(product, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
SPARSE_KERNEL(sampled, (i, j, k), (C, CSR, i, j), all((M, CSR, i, j), (A, CSR, i, k), (B, CSR, j, k)), C += M * A * B)

/* recurrences: the updated output determines which rows are merged */
SPARSE_KERNEL(factor, (i, j, k), update(L, CSR, i, j), all(current(P, L, CSR, i, k), current(Q, L, CSR, j, k)),
              if (k < j) L -= P * Q; else if (j < i) L /= Q; else L = sqrt(L))
SPARSE_KERNEL(forward, (i, j), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)),
              if (j < i) x -= A * z; else if (j == i) x /= A)
SPARSE_KERNEL(backward, (down(i), down(j)), (x, VEC, i), all((A, CSR, i, j), current(z, x, VEC, j)),
              if (j > i) x -= A * z; else if (j == i) x /= A)

/* an if whose other branch stores a zero */
/* warns: chosen: where (A > 0.5) is false, C stores a 0: add "else has_C = false" */
SPARSE_KERNEL(chosen, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), if (A > 0.5) C = A)
SPARSE_KERNEL(chosen_right, (i, j), (C, CSR, i, j), all((A, CSR, i, j)), if (A > 0.5) C = A; else has_C = false)
SPARSE_KERNEL(chosen_dense, (i, j), (C, MAT, i, j), all((A, CSR, i, j)), if (A > 0.5) C = A)
