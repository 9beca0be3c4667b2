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
#if SPARSE_TERSE && defined(__GNUC__) && !defined(__clang__)
    #pragma GCC system_header
#endif

/* >>kernels
   SPARSE_KERNEL(name, (loops), output, operands, statement)

   defines  static inline sparse_result name(output, operands...)  which runs the statement at every
   coordinate at which the operands say so:

     name        of the function
     (i, j, k)   the loops, outermost first, over indices named by one letter each. parallel(i) runs the iterations of a
                 loop side by side (OpenMP; the result does not depend on the number of threads); simd(j), innermost,
                 lets a sum be reassociated into vector lanes; unroll(k), around an innermost loop over all coordinates,
                 runs SPARSE_UNROLL iterations of k side by side in it (unroll and jam), with the same result; outputs
                 have k or the innermost index. Where each has one of the two, and k runs over all coordinates or what
                 one operand stores, this is done without the word, and rows of dense operands that take more than
                 SPARSE_CACHE bytes are asked for ahead; prefetch(k), over the entries of one sparse operand, or over its
                 blocks, asks for what others have at k, or at the u of let(u, k - p), SPARSE_PREFETCH iterations before it
                 is read, an element or a row;
                 tile(j, 64), over all coordinates, lets all loops run over 64 of j, then over the next 64: what they
                 share of these stays in the cache. range(p, 3) gives the index p its size; let(u, e) makes u the one
                 coordinate e, of indices of the loops around it, and passes over it where that is outside of the
                 dimension u has in an operand, or in let(u, e, size) of the size.
                 floordiv(i, 2) and, inside it, mod(i, 2) run over an index in blocks, for operands that store it so;
                 count(i, 4) over the 4 slices that an operand deals the entries with the same i out to (SPARSE_ELL,
                 SPARSE_JAGGED); minus(j, i) over the diagonals j - i (SPARSE_DIA): inside it i runs along each of them,
                 and j, which has no loop, follows. (floordiv(i, 512), minus(j, i), mod(i, 512)) does so in blocks of
                 rows, which stay in the cache (SPARSE_DIA_BLOCKS).
     output      (y, TYPE, i)         a dense tensor: an entry that the kernel comes by is read, given to the statement,
                                      and written back; others keep their value. An empty tensor is allocated and zeroed
                                      first.
                 (C, TYPE, i, j)      a tensor with sparse levels is assembled anew, in its arrays if they suffice: it stores
                                      what the statement comes by, zeros that it computes included. Its levels are dense,
                                      compressed, or those of COO; any order of the loops will do, see >>building for
                                      what it costs. Where the last levels are neither unique nor ordered, it is a list
                                      of what comes by, as it comes.
                 (s, double)          a scalar, passed as double *
                 ((y, TYPE, i), (C, TYPE, i, j), (s, double)) several of these, in one traversal
                 from(v, y, TYPE, i)  one of these outputs begun with the value v everywhere: HUGE_VAL for a least, 1 for
                                      a product
                 like(A, C, TYPE, i, j) a tensor C of any encoding that stores what A does, an operand of the same type:
                                      A's arrays of coordinates are copied, the values begin with zero, and the kernel
                                      runs where A is stored
                 update(A, TYPE, i, j) a tensor of any encoding whose stored values are changed in place; the kernel runs
                                      where A is stored
     operands    all(u, v, ...)       where all of them are stored: an intersection
                 any(u, v, ...)       where any of them is stored: a union
                 none(u, v, ...)      where none of them is stored: a complement
                 of operands (A, TYPE, i, j) and, up to three deep, of one another. A dense operand is stored everywhere.
                 slice(A, TYPE, i, j) is a part of A: the function takes a pointer to a sparse_slice for each dimension
                 next to A, and i = 0, 1, ... are the coordinates in the slice. (alpha, double) is a scalar or any other
                 parameter, passed by value, and there everywhere.
                 A subscript of an operand, of a dense output or in update(A, ...) can be a sum, plus(i, times(2, p),
                 (-1)), of indices, each once, products with a number, and constants in parentheses; times(2, i) alone is
                 one. The last loop of a sum resolves it: its level comes after those above it. Sums have to stay within
                 the tensor, SPARSE_E_SHAPE otherwise; an index that one sum alone knows has as many values as fit.
                 times(0, p) leaves p to others; another coefficient that comes to 0 or less is SPARSE_E_ARGUMENT. In
                 padded(A, TYPE, ...) what lies outside is absent. The levels of a sum are dense, or ordered, the last
                 one unique.
                 where((w, TYPE, j), (loops), operands, statement), directly in all(), is a workspace: a tensor of a
                 storage type, or a scalar (w, double), or from(v, ...) either, that begins with zeros or v and is
                 computed by loops of its own, anew for each iteration of the innermost loop over an index that its
                 operands have and its loops do not. From there on it is an operand, w(j); (w, TYPE, let(s, plus(j, q))),
                 a dense vector, is computed at s and read at the sum. Its memory comes from the hooks of the output,
                 once per call (and thread); SPARSE_E_MEMORY if there is none, and no value is changed. A dense vector of
                 zeros whose loops run over stored entries, and of which the kernel does not read all, is emptied in time
                 of what it holds. One of dense levels and compressed ones, (w, SVEC, j), is assembled like an output and
                 drives the loops behind it; if what it is made of does not fit, its results are returned as well.
                 (Kjolstad et al. 2019: the where of concrete index notation.)
     statement   ordinary C. An operand's name is its value there, a float where numbers of 16 bits are stored, and a
                 constant where the type has one for all entries; where it is absent, its type's fill value, which is
                 zero unless SPARSE_TENSOR_FILL gave another. An index's name is its coordinate, a size_t; the output's
                 name can be assigned; has_A tells whether A, an operand below any(), is stored. Where an output C is
                 assembled, has_C = false undoes the statement for C: its entry stays as it was, and is not stored if it
                 was not. continue; passes over the coordinate, and nothing is written to outputs that have the
                 innermost index; break; does so, and ends the innermost loop, or its tile.

   TYPE is the descriptor of a storage type (see SPARSE_TENSOR) of any levels; batch, counted and diagonal ones are
   those of operands. A counted operand is one of all(...), and the only one that has the count. At most 12 operands, of
   which an index in blocks or slices is one, and 8 loops. A line that cannot be compiled is refused with one sentence.
   The order of the loops has to follow the order of the levels of every sparse operand; dense levels come in any order.
   A level that is not ordered, or a last level that is not unique, can drive a loop but not be merged with others.

   Examples
     SPARSE_KERNEL(dot,    (i), (s, double), all((a, SVEC, i), (b, SVEC, i)), s += a * b)
     SPARSE_KERNEL(mttkrp, (i, k, l, j), (A, MAT, i, j),
                   all((B, CSF, i, k, l), (C, MAT, k, j), (D, MAT, l, j)), A += B * C * D)
     SPARSE_KERNEL(mttkrp, (i, k, j), (A, MAT, i, j),
                  all(where((w, VEC, j), (l, j), all((B, CSF, i, k, l), (D, MAT, l, j)), w += B * D),
                      (C, MAT, k, j)), A += w * C)
     SPARSE_KERNEL(sddmm,  (i, j, k), update(S, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), S += A * B)
     SPARSE_KERNEL(sampled, (i, j, k), like(S, C, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), C += S * A * B)
     SPARSE_KERNEL(minus,  (i, j), (C, CSR, i, j), all((A, CSR, i, j), none((B, CSR, i, j))), C = A)
     SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
     SPARSE_KERNEL(hops,   (i, k, j), from(HUGE_VAL, C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C = fmin(C, A + B))
     SPARSE_KERNEL(upper,  (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A; has_C = j > i)
     SPARSE_KERNEL(bsrmv,  (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
                   all((A, BSR, i, j), (x, VEC, j)), y += A * x)
     SPARSE_KERNEL(ellmv,  (count(i, 4), i, j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
     SPARSE_KERNEL(part,   (i, j), (y, VEC, i), all(slice(A, CSR, i, j), (x, VEC, j)), y += A * x)
     SPARSE_KERNEL(smooth, (i, p), (y, VEC, i), all(padded(x, SVEC, plus(i, p, (-1))), (f, VEC, p)), y += x * f)
     SPARSE_KERNEL(stride, (i, j, p, q), (O, MAT, i, j), all((J, CSR, plus(times(2, i), p), plus(times(2, j), q)),
                   (F, MAT, p, q)), O += J * F)
     SPARSE_KERNEL(diamv,  (minus(j, i), i), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y += A * x)

   A kernel that assembles its output, name(), has a twin, name_into(): the output brings arrays of the caller, each with
   its length and a capacity of 0, as for sparse_assemble. The kernel fills them and sets the lengths to what is in use;
   if one is too small it says SPARSE_E_CAPACITY, and the lengths say what is needed, exactly. So a first call with
   lengths of 0 is the symbolic pass of a two-phase assembly, and a second one the numeric. The arrays do not move; those
   that the output owns are SPARSE_E_ARGUMENT, and stay. A workspace comes from the hooks of the output, and so does memory for
   entries with dense levels below them, as blocks, which are made there and copied. Of several outputs
   all that are assembled bring their arrays; dense ones and scalars are computed by either call, so give them a value in
   between.

   The function returns SPARSE_E_NULL, SPARSE_E_ENCODING, SPARSE_E_NO_ENCODING, SPARSE_E_EMPTY, SPARSE_E_SHAPE,
   SPARSE_E_OVERFLOW (padded sums), SPARSE_E_LENGTH (parts of batches), SPARSE_E_ARGUMENT (slices, coefficients, tiles) or
   SPARSE_E_ALIAS and changes nothing if the operands do not fit together (SPARSE_CHECKS, in sparse_formats.h, can leave
   that to the program); SPARSE_E_MEMORY, SPARSE_E_OVERFLOW, SPARSE_E_POSITION_WIDTH or SPARSE_E_COORDINATE_WIDTH if an
   output cannot hold the result; it is empty then. `make expand K=name` shows the loops of a kernel: they are
   name_loops(), which takes the sizes and the arrays, and does nothing else. */
#if !defined(__cplusplus)
    #define SPARSE_KERNEL(name, loops, ...) _Static_assert((SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#elif defined(__clang__)
    #define SPARSE_KERNEL(name, loops, ...) static_assert((SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#else
    #define SPARSE_KERNEL(name, loops, ...) static_assert((0 || SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#endif
#endif /* SPARSE_H */
