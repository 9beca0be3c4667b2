/* sparse.h: sparse tensors and kernels over them, in C11 headers.

   Sparsity is a property of a tensor, not an implementation task. Name a storage encoding, write what a
   kernel computes, and the compiler makes the loops that one would have written by hand for that encoding:

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

   defines  static inline sparse_result name(output, operands...), which runs the statement at every coordinate that the
   operands select. docs/kernels.md has an entry for each word, with an example and its loops. In short:

     name        of the function
     (i, j, k)   the loops, outermost first. An index is one letter. Words around an index:
                   parallel(i)      OpenMP; the result does not depend on the number of threads
                   parallel_sum(i)  outermost, for sums into scalars: in 256 shares, whose sums are added in order
                   independent(i)   second: the iterations inside one of the first loop need no other; OpenMP, the same bits
                   simd(j)          innermost: a sum may be reassociated into vector lanes
                   unroll(k)        runs SPARSE_UNROLL iterations of k inside the innermost loop
                   tile(j, 64)      all loops run over 64 values of j, then over the next 64
                   down(i)          from the last coordinate to the first
                   prefetch(k)      prefetches what other operands have at the k that follow SPARSE_PREFETCH entries later
                   range(p, 3)      gives p its size
                   let(u, e)        u is the one coordinate e, an expression of the indices around it; skipped if outside
                   floordiv(i, 2), mod(i, 2)   blocks; count(i, 4) slices of SPARSE_ELL; minus(j, i) diagonals
     output      (y, TYPE, i)            dense: each element that the loops visit is read, given to the statement and written
                                         back; an empty tensor is allocated and zeroed first
                 (C, TYPE, i, j)         with sparse levels: rebuilt; stores every coordinate visited, with its zeros
                 (s, double)             a scalar, passed as double *
                 ((y, TYPE, i), (s, double))   several outputs in one traversal
                 from(v, y, TYPE, i)     one of these, initialised to v
                 like(A, C, TYPE, i, j)  C gets the pattern of A, and zeros; the kernel runs where A is stored
                 update(A, TYPE, i, j)   the stored values of A are changed in place
     operands    all(u, v, ...)          where all are stored: an intersection
                 any(u, v, ...)          where any is stored: a union
                 none(u, v, ...)         where none is stored: a complement
                 They nest up to three deep, over operands (A, TYPE, i, j). A dense operand is stored everywhere.
                 slice(A, TYPE, i, j)    a part of A; the function takes a pointer to one sparse_slice per dimension after A
                 (alpha, double)         a parameter, passed by value
                 plus(i, times(2, p), (-1))   a sum of indices as a subscript; it must stay within the tensor
                 padded(A, TYPE, ...)    reads the fill value outside of A
                 current(z, x, TYPE, j)  z is what the output x has at j at this moment; the loops run in order
                 symmetric(A, TYPE, i, j)  A stores one triangle: the statement runs for the mirror image of each entry, too;
                                         skew(...): which is -A there; hermitian(...): its complex conjugate
                 where((w, TYPE, j), (loops), operands, statement)   a workspace, computed for each iteration of the loop
                                         that its operands need, and an operand from there on (Kjolstad et al. 2019)
     statement   C. The name of an operand is its value, or its fill value where it is absent; the name of an index is its
                 coordinate, a size_t; an output can be assigned. has_A tells whether A is stored. has_C = false undoes the
                 statement for an assembled output C. continue; skips the coordinate; break; ends the innermost loop.

   TYPE is the descriptor of a storage type, see SPARSE_TENSOR. The loops follow the order of the levels of every sparse
   operand; dense levels come in any order. A line has at most 12 loops and 16 operands, and each index in blocks or slices
   counts as one operand. A line that cannot be compiled is refused with one sentence: docs/errors.md explains them.

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

   name_into() is the twin of a kernel that assembles its output. It fills arrays of the caller: each has its length, and a
   capacity of 0, as in sparse_assemble. If an array is too small, the result is SPARSE_E_CAPACITY and the lengths say
   exactly what is needed, so a first call with lengths of 0 is the symbolic pass. Arrays that the output owns are
   SPARSE_E_ARGUMENT. Memory for workspaces, and for entries with dense levels below them, comes from the hooks of the
   output. If these are the hooks of an arena, and all outputs are assembled, name_needs(&needs, output, operands...) counts
   what name_into() takes of it: sparse_needs. name_loops() is the loops alone; it takes the sizes and the arrays.
   `make expand K=name` prints it.

   Errors. If the operands do not fit together, nothing changes: SPARSE_E_NULL, E_ENCODING, E_NO_ENCODING, E_EMPTY, E_SHAPE,
   E_UNSIZED, E_LENGTH (parts of batches), E_ARGUMENT (slices, coefficients, tiles), E_OVERFLOW (padded sums), E_ALIAS;
   sparse_explain names operand, index and sizes; SPARSE_CHECKS (sparse_formats.h) can leave these checks to the program. If
   an output cannot hold the result, it is empty: SPARSE_E_MEMORY, E_OVERFLOW, E_POSITION_WIDTH, E_COORDINATE_WIDTH. */
#if !defined(__cplusplus)
    #define SPARSE_KERNEL(name, loops, ...) _Static_assert((SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#elif defined(__clang__)
    #define SPARSE_KERNEL(name, loops, ...) static_assert((SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#else
    #define SPARSE_KERNEL(name, loops, ...) static_assert((0 || SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#endif
#endif /* SPARSE_H */
