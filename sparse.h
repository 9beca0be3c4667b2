/* sparse.h: sparse tensors and kernels over them, in C11 headers.

   Sparsity is a property of a tensor, not an implementation task. You name the storage encoding of each tensor and write
   what a kernel computes. From this, the C compiler generates the loops that you would have written by hand:

       #include "sparse.h"
       #include "sparse_io.h"

       #define CSR csr, SPARSE_CSR, double, 32, 32
       #define VEC vec, SPARSE_DENSE_1D, double, 32, 32
       SPARSE_TENSOR(CSR)
       SPARSE_TENSOR(VEC)

       // y(i) += A(i,j) * x(j)
       SPARSE_KERNEL(spmv, (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x)

       int main(void)
       {
           csr A = SPARSE_INIT(csr);
           vec x = SPARSE_INIT(vec), y = SPARSE_INIT(vec);
           ...
           sparse_result r = sparse_read(&A.t, "matrix.mtx", NULL);
           if (r == SPARSE_OK) r = spmv(&y, &A, &x);
           ...
       }

   The headers; each includes only the ones above it:
     sparse_formats.h   level types, encodings, storage, packing, conversion, iterators, assembly; results, memory
     sparse_lattice.h   compiles a kernel line into loops, in the preprocessor: merge lattices, co-iteration
     sparse.h           SPARSE_KERNEL and the manual of a kernel line
     sparse_io.h        files, printing, pictures: everything that needs stdio; includes sparse_formats.h
*/
#ifndef SPARSE_H
#define SPARSE_H

#include "sparse_lattice.h"
#if SPARSE_TERSE && defined(__GNUC__)
    #pragma GCC system_header
#endif

/* >>kernels
   SPARSE_KERNEL(name, (loops), output, operands, statement)

   This line defines the function  static inline sparse_result name(output, operands...).  The function runs the statement
   at every coordinate that the operands select. docs/kernels.md describes each of the following words, with an example
   and the generated loops.

     name        the name of the function
     (i, j, k)   the loops, outermost first. An index is one letter. An index may stand in one of these words:
                   parallel(i)      distributes the iterations to OpenMP threads. The result does not depend on their number
                   parallel_sum(i)  the same for a sum into scalars; outermost loop only. The loop is cut into 256 shares,
                                    whose sums are added in order
                   independent(i)   distributes the iterations of the second loop to OpenMP threads. You promise that these
                                    iterations, within one iteration of the first loop, do not need each other's results.
                                    The result does not depend on the number of threads
                   simd(j)          innermost loop: lets the compiler reorder a sum to use vector instructions
                   unroll(k)        runs SPARSE_UNROLL iterations of k together, inside the innermost loop
                   tile(j, 64)      runs all loops for 64 values of j, then for the next 64, and so on
                   down(i)          runs from the last coordinate to the first
                   prefetch(k)      prefetches the elements of other operands that are used SPARSE_PREFETCH iterations later
                   range(p, 3)      gives p the size 3, for example if no operand determines its size
                   let(u, e)        sets u to e, an expression of outer indices. The iteration is skipped if u is outside
                                    of its dimension
                   floordiv(i, 2), mod(i, 2)   the block of i, and the position within the block
                   count(i, 4)      one of the 4 slices of SPARSE_ELL. A slice has at most one entry of each row
                   minus(j, i)      the diagonal j - i
     output      (y, TYPE, i)            a dense tensor. The statement reads and writes the elements that the loops visit.
                                         If the tensor is empty, it is allocated and zeroed first
                 (C, TYPE, i, j)         a tensor with sparse levels. It is rebuilt, and stores every coordinate that the
                                         loops visit, even if the value is zero
                 (s, double)             a scalar, passed as double *
                 ((y, TYPE, i), (s, double))   several outputs
                 from(v, y, TYPE, i)     an output that is initialised to v
                 like(A, C, TYPE, i, j)  C gets the pattern of A, with zeros. The kernel runs where A is stored
                 update(A, TYPE, i, j)   changes the stored values of A in place
     operands    (A, TYPE, i, j)         a tensor. A dense tensor is stored everywhere
                 all(u, v, ...)          runs where all of u, v, ... are stored: an intersection
                 any(u, v, ...)          runs where any of them is stored: a union
                 none(u, v, ...)         runs where none of them is stored: a complement
                 all, any and none nest up to three deep.
                 slice(A, TYPE, i, j)    a part of A. After A, the function has a parameter const sparse_slice *: an array
                                         with the offset, size and stride of each dimension
                 (alpha, double)         a parameter, passed by value
                 plus(i, times(2, p), (-1))   as a subscript: the sum i + 2 p - 1, which must stay within the tensor
                 padded(A, TYPE, ...)    reads the fill value outside of A
                 current(z, x, TYPE, j)  z is the value that the output x has at j at this moment; the loops run in order
                 symmetric(A, TYPE, i, j)  A stores one triangle. The statement also runs for the mirror image of each
                                         entry, with the value A
                 skew(A, ...), hermitian(A, ...)   as symmetric, but the mirror image has the value -A, or conj(A)
                 where((w, TYPE, j), (loops), operands, statement)   a workspace w (Kjolstad et al. 2019), which these loops
                                         compute. They run in the innermost loop of the kernel whose index the operands have
                                         and these loops do not. Further inside, w is an operand
     statement   C code. The name of an operand is its value, or its fill value where it is not stored. The name of an
                 index is its coordinate, a size_t. The name of an output can be read and assigned. has_A tells whether A is
                 stored. has_C = false undoes the statement at this coordinate for an assembled output C. continue; skips the
                 coordinate, break; ends the innermost loop.

   TYPE is the descriptor of a storage type, see SPARSE_TENSOR. The loops must follow the order of the levels of every
   sparse operand; dense levels may come in any order. A line has at most 12 loops and 16 operands. Each index in blocks or
   slices counts as one operand. If a line cannot be compiled, the compiler prints one sentence, which docs/errors.md
   explains.

   Examples
     SPARSE_KERNEL(dot,    (i), (s, double), all((a, SVEC, i), (b, SVEC, i)), s += a * b)
     SPARSE_KERNEL(sddmm,  (i, j, k), update(S, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), S += A * B)
     SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
     SPARSE_KERNEL(minus,  (i, j), (C, CSR, i, j), all((A, CSR, i, j), none((B, CSR, i, j))), C = A)
     SPARSE_KERNEL(forward, (i, j), (x, VEC, i), all((L, CSR, i, j), current(z, x, VEC, j)),
                   if (j < i) x -= L * z; else if (j == i) x /= L)
     SPARSE_KERNEL(half,   (i, j), (y, VEC, i), all(symmetric(A, CSR, i, j), (x, VEC, j)), y += A * x)
     SPARSE_KERNEL(mttkrp, (i, k, j), (A, MAT, i, j),
                   all(where((w, VEC, j), (l, j), all((B, CSF, i, k, l), (D, MAT, l, j)), w += B * D),
                       (C, MAT, k, j)), A += w * C)

   Each kernel has up to three further functions:

     name_into()   exists if an output is assembled. It fills arrays of the caller instead of allocating them. For each
                   array, the caller sets `length` to its size, and `capacity` to 0. If an array is too small, the result is
                   SPARSE_E_CAPACITY, and the lengths are then exactly those that are needed. So a call with lengths of 0
                   is the symbolic pass. If the output owns arrays, the result is SPARSE_E_ARGUMENT. Memory for workspaces,
                   and for entries with dense levels below them, comes from the hooks of the output
     name_needs(&needs, output, operands...)   counts the bytes that name_into() takes from an arena, see sparse_needs. All
                   outputs must be assembled, and must have the memory hooks of that arena
     name_loops()  contains only the loops. Its parameters are sizes and arrays. `make expand K=name` prints it

   Errors. All operands are checked before anything changes. If they do not fit together, the result is SPARSE_E_NULL,
   E_ENCODING, E_NO_ENCODING, E_EMPTY, E_SHAPE, E_UNSIZED, E_LENGTH (in batches), E_ARGUMENT (slices, coefficients, tiles),
   E_OVERFLOW (padded sums) or E_ALIAS. sparse_explain then names the operand, the index and the sizes.
   SPARSE_CHECKS (sparse_formats.h) can leave out these checks. If an output cannot represent the result, it is empty
   afterwards: SPARSE_E_MEMORY, E_OVERFLOW, E_POSITION_WIDTH, E_COORDINATE_WIDTH. */
#if !defined(__cplusplus)
    #define SPARSE_KERNEL(name, loops, ...) _Static_assert((SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#elif defined(__clang__)
    #define SPARSE_KERNEL(name, loops, ...) static_assert((SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#else
    #define SPARSE_KERNEL(name, loops, ...) static_assert((0 || SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#endif
#endif /* SPARSE_H */
