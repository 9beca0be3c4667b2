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

   The headers, each above the ones it includes:
     sparse_lattice.h   from a kernel line to loops: preprocessor, merge lattices, co-iteration
     sparse_formats.h   level types, encodings, storage, packing, conversion, iterators, assembly; results, memory
     sparse.h           kernels
     sparse_io.h        files, printing, pictures; included by who wants stdio

   Contents (search for the anchors)
     >>kernels    SPARSE_KERNEL
     >>checks     one sentence for each way in which a kernel line can be wrong
*/
#ifndef SPARSE_H
#define SPARSE_H

#include "sparse_formats.h"
#if SPARSE_TERSE && defined(__GNUC__) && !defined(__clang__)
    #pragma GCC system_header
#endif

/* What a kernel line has room for. */
#define SPARSE_MAX_LOOPS    8
#define SPARSE_MAX_OPERANDS 12 /* and outputs */

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
   SPARSE_E_ALIAS and changes nothing if the operands do not fit together (SPARSE_CHECKS, in sparse_lattice.h, can leave
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
/* KERNEL ends in EMIT -> 1), ""); and the functions, or in REFUSE -> 0), "sentence"); so that the compiler's
   message points at the kernel line and at nothing else: clang points at the parenthesis, and would print what is in
   it, were it not a number; g++ at what is in it, of which 0 || is the first part. In between, a stage a line: the
   loops, the tree and its leaves, the plan of each loop; each stops at what it finds wrong. */
#define SPARSE_P_KERNEL(name, loops, ...)                                                                                   \
    SPARSE_P_CAT(SPARSE_P_KERNEL_OF_, SPARSE_P_LOOPS_ARE(loops))(name, loops, __VA_ARGS__)
#define SPARSE_P_KERNEL_OF_0no(name, ...)   SPARSE_P_REFUSE(name, (, (#name ": the loops must be a list in parentheses")))
#define SPARSE_P_KERNEL_OF_0many(name, ...) SPARSE_P_REFUSE(name, (, (#name ": more than 8 loops")))
#define SPARSE_P_KERNEL_OF_0two(name, ...)  SPARSE_P_REFUSE(name, (, (#name ": a comma is missing after the loops")))
/* LOOPS_ARE((i, j)) -> few, or many, of any number, or two (such lists), or no (not a list) */
#define SPARSE_P_LOOPS_ARE(loops)                       SPARSE_P_BY_PAREN(SPARSE_P_LOOPS_ARE_, loops)(loops)
#define SPARSE_P_LOOPS_ARE_0(loops)                     0no
#define SPARSE_P_LOOPS_ARE_1(loops)                     SPARSE_P_CAT(SPARSE_P_LOOPS_ALONE_, SPARSE_P_IS_ALONE(loops))(loops)
#define SPARSE_P_LOOPS_ALONE_0(loops)                   0two
#define SPARSE_P_LOOPS_ALONE_1(loops)                   SPARSE_P_BY_EIGHT(SPARSE_P_LOOPS_NUMBER_, SPARSE_P_ID loops)
#define SPARSE_P_BY_EIGHT(m, ...)                       SPARSE_P_BY_PAREN(m, SPARSE_P_NINTH(__VA_ARGS__, (), (), (), (), (), (), (), (), ~))
#define SPARSE_P_LOOPS_NUMBER_1                         0few
#define SPARSE_P_LOOPS_NUMBER_0                         0many
#define SPARSE_P_NINTH(...)                             SPARSE_P_NINTH_(__VA_ARGS__)
#define SPARSE_P_NINTH_(a, b, c, d, e, f, g, h, i, ...) i
#define SPARSE_P_KERNEL_OF_0few(name, loops, ...)                                                                           \
    SPARSE_P_CAT3(SPARSE_P_KERNEL_HAS_, SPARSE_P_OUTPUT_ALONE(SPARSE_P_FIRST(__VA_ARGS__)),                                 \
                  SPARSE_P_ENDS(SPARSE_P_THIRD(__VA_ARGS__, , , ~)))                                                        \
    (name, loops, __VA_ARGS__)
#define SPARSE_P_KERNEL_HAS_00(name, ...)        SPARSE_P_REFUSE(name, (, (#name ": a comma is missing after the output")))
#define SPARSE_P_KERNEL_HAS_01                   SPARSE_P_KERNEL_HAS_00
#define SPARSE_P_KERNEL_HAS_0unknown1            SPARSE_P_KERNEL_HAS_11
#define SPARSE_P_KERNEL_HAS_0unknown0(name, ...) SPARSE_P_REFUSE(name, (, SPARSE_P_REFUSED_0unknown(name, ~)))
#define SPARSE_P_KERNEL_HAS_11(name, ...)                                                                                   \
    SPARSE_P_REFUSE(name, (, (#name ": the statement is missing, or the comma before it")))
#define SPARSE_P_KERNEL_HAS_10(name, loops, out, in, ...)                                                                   \
    SPARSE_P_BY_PAREN(SPARSE_P_KERNEL_OVER_, in)(name, loops, out, in, (__VA_ARGS__))
/* an operand by itself: all() is missing */
#define SPARSE_P_KERNEL_OVER_0            SPARSE_P_KERNEL_LINE
#define SPARSE_P_KERNEL_OVER_1(name, ...) SPARSE_P_REFUSE(name, (, SPARSE_P_REFUSED_0word(name, ~)))
/* OUTPUT_ALONE((y, VEC, i)) -> 1, OUTPUT_ALONE((y, VEC, i) all(x)) -> 0, OUTPUT_ALONE(y) -> unknown */
#define SPARSE_P_OUTPUT_ALONE(out)   SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_ALONE_, out)(out)
#define SPARSE_P_OUTPUT_ALONE_1(out) SPARSE_P_IS_ALONE(out)
#define SPARSE_P_OUTPUT_ALONE_0(out) SPARSE_P_OUTPUT_WORD(SPARSE_P_OUT_KNOWN_##out)
/* pasted once: what cannot be pasted is told of by the compiler each time */
#define SPARSE_P_OUTPUT_WORD(out)     SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_ALONE_0, out)(out)
#define SPARSE_P_OUTPUT_ALONE_00(out) 0unknown
#define SPARSE_P_OUTPUT_ALONE_01(out) SPARSE_P_IS_ALONE(out)
#define SPARSE_P_KERNEL_LINE(name, loops, out, in, statement)                                                               \
    SPARSE_P_KERNEL_LOOPS(name, SPARSE_P_TIDY(SPARSE_P_DERIVED((SPARSE_P_EACHF(SPARSE_P_LOOP, , (, SPARSE_P_ID loops))))),  \
                          out, in, statement)
#define SPARSE_P_KERNEL_LOOPS(name, loops, out, in, statement)                                                              \
    SPARSE_P_KERNEL_LETTERS(name, loops, SPARSE_P_PLAIN_LIST(SPARSE_P_TIDY((SPARSE_P_EACHF(SPARSE_P_LETTER, , loops)))),    \
                            out, in, statement)
#define SPARSE_P_KERNEL_LETTERS(name, loops, letters, out, in, statement)                                                   \
    SPARSE_P_KERNEL_A((SPARSE_P_LOOP_ERRORS(name, loops, letters)), name, loops, letters, out, in, statement)
#define SPARSE_P_KERNEL_A(errors, ...)         SPARSE_P_CAT(SPARSE_P_KERNEL_A_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_A_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_A_0(errors, name, loops, letters, out, in, statement)                                               \
    SPARSE_P_CAT(SPARSE_P_KERNEL_PARSE_, SPARSE_P_HAS_WHERE(in))(name, loops, letters, out, in, statement)
#define SPARSE_P_KERNEL_PARSE_0(name, loops, letters, out, in, statement)                                                   \
    SPARSE_P_KERNEL_TREE(name, loops, letters, SPARSE_P_OUTPUT(SPARSE_P_OUT_LOOPS(letters, loops), out),                    \
                         SPARSE_P_PARSE1_00((0M, letters), in), statement, (), ())
#define SPARSE_P_KERNEL_PARSE_2 SPARSE_P_KERNEL_OVER_1
/* with workspaces, whose loops may add to the indices */
#define SPARSE_P_KERNEL_PARSE_1(name, loops, letters, out, in, statement)                                                   \
    SPARSE_P_KERNEL_WHERE(name, loops, letters, out, (SPARSE_P_EACHE(SPARSE_P_CHILD, letters, SPARSE_P_CHILDREN(in))),      \
                          statement)
#define SPARSE_P_KERNEL_WHERE(name, loops, letters, out, children, statement)                                               \
    SPARSE_P_KERNEL_UNITE(name, loops, letters, out, children, statement, (SPARSE_P_EACHE(SPARSE_P_WHERES, , children)))
#define SPARSE_P_KERNEL_UNITE(name, loops, letters, out, children, statement, wheres)                                       \
    SPARSE_P_KERNEL_D((SPARSE_P_EACHA(SPARSE_P_WHERE_ERRORS, (name, letters), wheres)), name, loops,                        \
                      SPARSE_P_FOLDA(SPARSE_P_UNITE, (, letters SPARSE_P_EACHE(SPARSE_P_WHERE_BASES, , wheres))), out,      \
                      children, statement, wheres)
#define SPARSE_P_KERNEL_D(errors, ...)         SPARSE_P_CAT(SPARSE_P_KERNEL_D_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_D_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_D_0(errors, name, loops, letters, out, children, statement, wheres)                                 \
    SPARSE_P_KERNEL_PLANNED(name, loops, letters, out, children, statement, (SPARSE_P_EACHE(SPARSE_P_PLANNED, , wheres)))
#define SPARSE_P_KERNEL_PLANNED(name, loops, letters, out, children, statement, wheres)                                     \
    SPARSE_P_KERNEL_E((SPARSE_P_EACHA(SPARSE_P_WHERE_PLAN_ERRORS, name, wheres)), name, loops, letters, out, children,      \
                      statement, wheres)
#define SPARSE_P_KERNEL_E(errors, ...)         SPARSE_P_CAT(SPARSE_P_KERNEL_E_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_E_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_E_0(errors, name, loops, letters, out, children, statement, wheres)                                 \
    SPARSE_P_KERNEL_TREE(name, loops, letters, SPARSE_P_OUTPUT(SPARSE_P_OUT_LOOPS(letters, loops), out), ~,                 \
                         (all SPARSE_P_ID children), statement, wheres, (SPARSE_P_EACHE(SPARSE_P_WHERE_BASES, , wheres)))
/* the leaves are those of the output and of the operands; the output is part of the tree if it is updated */
#define SPARSE_P_KERNEL_TREE(...) SPARSE_P_KERNEL_TREE_(__VA_ARGS__)
#define SPARSE_P_KERNEL_TREE_(name, loops, letters, written, initial, out, z, in, statement, wheres, bases)                 \
    SPARSE_P_KERNEL_FLAT(                                                                                                   \
        name, loops, letters, SPARSE_P_VISIT(SPARSE_P_FLAT, , SPARSE_P_OUTS_##written(out)),                                \
        SPARSE_P_VISIT(SPARSE_P_FLAT, , SPARSE_P_CAT(SPARSE_P_INS_##written, SPARSE_P_IS_ANY wheres)(out, in)),             \
        SPARSE_P_CAT(SPARSE_P_DRIVEN_BY_##written, SPARSE_P_IS_ANY wheres)(out, in), (statement, initial, wheres, bases))
/* what drives the loops; workspaces stay directly below all() */
#define SPARSE_P_DRIVEN_BY_10(out, in)       in
#define SPARSE_P_DRIVEN_BY_11(out, in)       in
#define SPARSE_P_DRIVEN_BY_00(out, in)       (all, out, in)
#define SPARSE_P_DRIVEN_BY_01(out, in)       SPARSE_P_DRIVEN_BOTH(out, SPARSE_P_ID in)
#define SPARSE_P_DRIVEN_BY_like0             SPARSE_P_INS_like0
#define SPARSE_P_DRIVEN_BY_like1             SPARSE_P_INS_like1
#define SPARSE_P_DRIVEN_BOTH(...)            SPARSE_P_DRIVEN_BOTH_(__VA_ARGS__)
#define SPARSE_P_DRIVEN_BOTH_(out, all, ...) (all, out, __VA_ARGS__)
/* the output and the operands; of out = (pair, output, pattern) the pattern is an operand */
#define SPARSE_P_OUTS_1(out)           out
#define SPARSE_P_OUTS_0(out)           out
#define SPARSE_P_OUTS_like(out)        SPARSE_P_SECOND out
#define SPARSE_P_INS_10(out, in)       in
#define SPARSE_P_INS_11(out, in)       in
#define SPARSE_P_INS_00(out, in)       in
#define SPARSE_P_INS_01(out, in)       in
#define SPARSE_P_INS_like0(out, in)    SPARSE_P_INS_LIKE(SPARSE_P_THIRD out, in)
#define SPARSE_P_INS_like1(out, in)    SPARSE_P_DRIVEN_BOTH(SPARSE_P_THIRD out, SPARSE_P_ID in)
#define SPARSE_P_INS_LIKE(pattern, in) (all, pattern, in)
/* an array that is a workspace counts as an operand, too */
#define SPARSE_P_KERNEL_FLAT(name, loops, letters, outs, ins, tree, statement)                                              \
    SPARSE_P_CAT(SPARSE_P_KERNEL_FLAT_, SPARSE_P_FEW((SPARSE_P_ID outs SPARSE_P_ID ins SPARSE_P_WORK_ARRAYS statement)))    \
    (name, loops, letters, outs, ins, tree, statement)
#define SPARSE_P_WORK_ARRAYS(statement, initial, wheres, bases)                                                             \
    SPARSE_P_EACHF(SPARSE_P_ONE_MORE, , (SPARSE_P_EACHE(SPARSE_P_WHERE_PLACE, , wheres)))
#define SPARSE_P_ONE_MORE(c, place)           , 0many
#define SPARSE_P_KERNEL_FLAT_0many(name, ...) SPARSE_P_REFUSE(name, (SPARSE_P_LEAF_COUNT_0many(name)))
#define SPARSE_P_KERNEL_FLAT_0few(name, loops, letters, outs, ins, tree, statement)                                         \
    SPARSE_P_KERNEL_LEAVES(name, loops, letters, outs, tree, SPARSE_P_TIDY((SPARSE_P_ID outs SPARSE_P_ID ins)), statement)
#define SPARSE_P_KERNEL_LEAVES(name, loops, letters, outs, tree, leaves, statement)                                         \
    SPARSE_P_KERNEL_B((SPARSE_P_ERRORS(name, loops, letters, outs, leaves, SPARSE_P_WORK_NAMES statement)), name, loops,    \
                      letters, outs, tree, leaves, statement)
#define SPARSE_P_WORK_NAMES(statement, initial, wheres, bases) (SPARSE_P_EACHE(SPARSE_P_WORK_NAME, , wheres))
#define SPARSE_P_WORK_NAME(c, where)                           SPARSE_P_WORK_NAME_ where
#define SPARSE_P_WORK_NAME_(n, tree, loops, letters, leaves, written, initial, out, operand, ...)                           \
    SPARSE_P_LETTERED(, operand)
#define SPARSE_P_KERNEL_B(errors, ...)         SPARSE_P_CAT(SPARSE_P_KERNEL_B_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_B_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_B_0(errors, name, loops, letters, outs, tree, leaves, statement)                                    \
    SPARSE_P_KERNEL_PLAN(name, loops, letters, outs,                                                                        \
                         SPARSE_P_TIDY((SPARSE_P_EACHH(SPARSE_P_PLAN, (letters, tree, SPARSE_P_WAY_OF(outs)), loops))),     \
                         leaves, statement)
#define SPARSE_P_KERNEL_PLAN(name, loops, letters, outs, plans, leaves, statement)                                          \
    SPARSE_P_KERNEL_C((SPARSE_P_EACHH(SPARSE_P_PLAN_ERROR, (name, outs), plans)                                             \
                           SPARSE_P_UNROLL_ERRORS(name, outs, SPARSE_P_WHERES_OF statement, loops, plans)                   \
                               SPARSE_P_PREFETCH_ERRORS(name, loops, plans, leaves)                                         \
                                   SPARSE_P_BESIDE_ERRORS((name, SPARSE_P_WAY_OF(outs), loops), statement)                  \
                                       SPARSE_P_PARTS_ERRORS(name, loops, letters, leaves, statement)),                     \
                      name, loops, letters, outs, plans, leaves, statement)
#define SPARSE_P_KERNEL_C(errors, ...)         SPARSE_P_CAT(SPARSE_P_KERNEL_C_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_C_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_C_0(errors, name, loops, letters, outs, plans, leaves, statement)                                   \
    SPARSE_P_EMIT(name, loops,                                                                                              \
                  SPARSE_P_FOLDA(SPARSE_P_UNITE,                                                                            \
                                 (, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_BASE, , loops)))SPARSE_P_BASES statement)),      \
                  (SPARSE_P_EACHF(SPARSE_P_BLOCK, letters, loops)), outs, plans, leaves, statement)
/* the loops go through what operands store, workspaces, and the size of each index in blocks or slices, in one list */
#define SPARSE_P_PARTS_ERRORS(name, loops, letters, leaves, statement)                                                      \
    SPARSE_P_CAT(SPARSE_P_PARTS_ARE_, SPARSE_P_FEW((SPARSE_P_EACHF(SPARSE_P_BLOCK, letters, loops) SPARSE_P_EACHE(          \
                                          SPARSE_P_PLACE, , leaves) SPARSE_P_WORK_ARRAYS statement)))                       \
    (name)
#define SPARSE_P_PARTS_ARE_0few(name)
#define SPARSE_P_PARTS_ARE_0many(name)                        , (#name ": more than 12 operands, each index in blocks or slices being one more")
#define SPARSE_P_BASES(statement, initial, wheres, bases)     SPARSE_P_ID bases
#define SPARSE_P_BESIDE_ERRORS(c, statement)                  SPARSE_P_EACHE(SPARSE_P_WHERE_BESIDE, c, SPARSE_P_WHERES_OF statement)
#define SPARSE_P_WHERES_OF(statement, initial, wheres, bases) wheres
/* a refused kernel can still be called, so that the sentence stays alone */
#define SPARSE_P_REFUSE(name, errors) SPARSE_P_BY_PAREN(SPARSE_P_REFUSE_, name)(name, errors)
#define SPARSE_P_REFUSE_1(name, errors)                                                                                     \
    0), "the name of a kernel comes first: SPARSE_KERNEL(name, (loops), output, operands, statement)");
#define SPARSE_P_REFUSE_0(name, errors)                                                                                     \
    0), SPARSE_P_FIRST_ERROR(errors));                                                                                      \
    SPARSE_NODISCARD SPARSE_UNUSED static inline sparse_result name(const void *sparse_l_operand, ...)                      \
    {                                                                                                                       \
        return sparse_l_operand ? SPARSE_E_ARGUMENT : SPARSE_E_NULL;                                                        \
    }

/* LOOP(, parallel(i)) -> , (i, parallel, i, dim, i, 0): the index that it makes known, the strategy, the loop
   variable, and what of which index it runs over; floordiv(i, 2) runs i_block, and mod(i, 2) i_inner. What is no index
   is bad: LOOP(, row) -> , (0, 0sequential, 0, bad, 0, row) */
#define SPARSE_P_LOOP(c, x) SPARSE_P_BY_PAREN(SPARSE_P_LOOP_, x)(x)
#define SPARSE_P_LOOP_1(x)  SPARSE_P_LOOP_OVER(0sequential, 0bad, x, 0)
#define SPARSE_P_LOOP_0(x)  SPARSE_P_BY_PAREN(SPARSE_P_LOOP_0, SPARSE_P_STRATEGY_##x)(x)
#define SPARSE_P_LOOP_02    SPARSE_P_LOOP_1
#define SPARSE_P_STRATEGY_  ~, 2,
#define SPARSE_P_LOOP_00(x) SPARSE_P_LOOP_OVER(0sequential, SPARSE_P_EXPRESSION(x))
#define SPARSE_P_LOOP_01(x)                                                                                                 \
    SPARSE_P_LOOP_BY(SPARSE_P_FIRST(SPARSE_P_STRATEGY_IS_##x), SPARSE_P_UNPACK(SPARSE_P_STRATEGY_##x))
#define SPARSE_P_LOOP_BY(...)            SPARSE_P_LOOP_BY_(__VA_ARGS__)
#define SPARSE_P_LOOP_BY_(strategy, ...) SPARSE_P_CAT(SPARSE_P_LOOP_BY_, SPARSE_P_COUNT(__VA_ARGS__))(strategy, __VA_ARGS__)
#define SPARSE_P_LOOP_BY_0(strategy, x)                                                                                     \
    SPARSE_P_CAT(SPARSE_P_LOOP_BARE_, SPARSE_P_ASKS_CELL(NUMBERED, strategy))(strategy, x)
#define SPARSE_P_LOOP_BARE_0(strategy, x)  SPARSE_P_LOOP_OVER(strategy, SPARSE_P_EXPRESSION(x))
#define SPARSE_P_LOOP_BARE_1(strategy, x)  SPARSE_P_CAT(SPARSE_P_LOOP_SHORT_, SPARSE_P_IS_LETTER(x))(strategy, x)
#define SPARSE_P_LOOP_SHORT_0(strategy, x) , (0, 0sequential, 0, 0bad, 0, x)
#define SPARSE_P_LOOP_SHORT_1(strategy, i) , (i, 0short, i, 0dim, i, strategy)
/* with a number, as tile(j, 64): it takes the place of the divisor, of which a whole index has none */
#define SPARSE_P_LOOP_BY_1(strategy, x, c)                                                                                  \
    SPARSE_P_CAT3(SPARSE_P_LOOP_WITH_, SPARSE_P_ASKS_CELL(NUMBERED, strategy), SPARSE_P_IS_LETTER(x))(strategy, x, c)
/* and with two, as let(u, i + 2, 100): what it is, and the size */
#define SPARSE_P_LOOP_BY_2(strategy, x, c, size)                                                                            \
    SPARSE_P_CAT3(SPARSE_P_LOOP_SIZED_, SPARSE_P_IS_PAREN(SPARSE_P_SIZED_##strategy), SPARSE_P_IS_LETTER(x))                \
    (strategy, x, c, size)
#define SPARSE_P_SIZED_let                           (~)
#define SPARSE_P_LOOP_SIZED_11(strategy, i, c, size) , (i, 0let, i, 0dim, i, (c, size))
#define SPARSE_P_LOOP_SIZED_10                       SPARSE_P_LOOP_BY_3
#define SPARSE_P_LOOP_SIZED_01                       SPARSE_P_LOOP_BY_3
#define SPARSE_P_LOOP_SIZED_00                       SPARSE_P_LOOP_BY_3
#define SPARSE_P_LOOP_BY_3(strategy, ...)            , (0, 0sequential, 0, 0bad, 0, strategy(__VA_ARGS__))
#define SPARSE_P_LOOP_WITH_11(strategy, i, n)        , (i, strategy, i, 0dim, i, n)
#define SPARSE_P_LOOP_WITH_10(strategy, x, n)        , (0, 0sequential, 0, 0bad, 0, x)
#define SPARSE_P_LOOP_WITH_01                        SPARSE_P_LOOP_BY_3
#define SPARSE_P_LOOP_WITH_00                        SPARSE_P_LOOP_BY_3
#define SPARSE_P_LOOP_OVER(...)                      SPARSE_P_LOOP_OVER_(__VA_ARGS__)
#define SPARSE_P_LOOP_OVER_(strategy, kind, i, c)    SPARSE_P_LOOP_OVER_##kind(strategy, i, c)
#define SPARSE_P_LOOP_OVER_0bad(strategy, x, c)      , (0, strategy, 0, 0bad, 0, x)
#define SPARSE_P_LOOP_OVER_0dim(strategy, i, c)      , (i, strategy, i, 0dim, i, 0)
#define SPARSE_P_LOOP_OVER_floordiv(strategy, i, c)  , (i##_block, strategy, i##_block, floordiv, i, c)
#define SPARSE_P_LOOP_OVER_mod(strategy, i, c)       , (i, strategy, i##_inner, mod, i, c)
#define SPARSE_P_LOOP_OVER_count(strategy, i, c)     , (i##_count, strategy, i##_count, count, i, c)
#define SPARSE_P_LOOP_OVER_minus(strategy, j, i)                                                                            \
    SPARSE_P_CAT(SPARSE_P_LOOP_OVER_minus, SPARSE_P_IS_LETTER(i))(strategy, j, i)
#define SPARSE_P_LOOP_OVER_minus0(strategy, j, x) SPARSE_P_LOOP_OVER_0bad(strategy, x, 0)
#define SPARSE_P_LOOP_OVER_minus1(strategy, j, i) , (j##_diagonal, strategy, j##_diagonal, minus, j, i)
/* DIAGONAL(, loop) -> , j if the loop is over the diagonals minus(j, i). Then the loop over i runs along
   them, and inside it comes one over j, of a single step: DERIVE(loops, loop of i) -> , both loops */
#define SPARSE_P_DERIVED(loops)                                                                                             \
    SPARSE_P_CAT(SPARSE_P_DERIVED_, SPARSE_P_DIAGONALS(~SPARSE_P_EACHF(SPARSE_P_DIAGONAL, , loops)))(loops)
/* DIAGONALS(~, j, k) -> 1, of five or more, which are more than 8 loops, 2: as many as that is then listed in their place */
#define SPARSE_P_DIAGONALS(...) SPARSE_P_COUNT_(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 0, ~)
#define SPARSE_P_DERIVED_2(loops)                                                                                           \
    (SPARSE_P_ID loops SPARSE_P_SUM(0, 0) SPARSE_P_SUM(0, 0) SPARSE_P_SUM(0, 0) SPARSE_P_SUM(0, 0))
#define SPARSE_P_DERIVED_0(loops)                               loops
#define SPARSE_P_DERIVED_1(loops)                               (SPARSE_P_EACHG(SPARSE_P_DERIVE, loops, loops))
#define SPARSE_P_DIAGONAL(c, l)                                 SPARSE_P_DIAGONAL_ l
#define SPARSE_P_DIAGONAL_(key, strategy, variable, kind, j, i) SPARSE_P_DIAGONAL_OF_##kind(j, i)
#define SPARSE_P_DIAGONAL_OF_0bad(j, i)
#define SPARSE_P_DIAGONAL_OF_0dim(j, i)
#define SPARSE_P_DIAGONAL_OF_floordiv(j, i)
#define SPARSE_P_DIAGONAL_OF_mod(j, i)
#define SPARSE_P_DIAGONAL_OF_count(j, i)
#define SPARSE_P_DIAGONAL_OF_minus(j, i) , j
#define SPARSE_P_DERIVE(loops, l)        SPARSE_P_DERIVE_(loops, SPARSE_P_ID l)
#define SPARSE_P_DERIVE_(...)            SPARSE_P_DERIVE__(__VA_ARGS__)
#define SPARSE_P_DERIVE__(loops, key, strategy, variable, kind, i, c)                                                       \
    SPARSE_P_DERIVE_##kind(loops, key, strategy, variable, kind, i, c)
#define SPARSE_P_DERIVE_0bad(loops, key, strategy, variable, kind, i, c) , (key, strategy, variable, kind, i, c)
#define SPARSE_P_DERIVE_floordiv                                         SPARSE_P_DERIVE_0bad
#define SPARSE_P_DERIVE_mod(loops, key, strategy, variable, kind, i, c)                                                     \
    SPARSE_P_DERIVE_0WITHIN(strategy, i, c, (SPARSE_P_EACHF(SPARSE_P_ALONG, i, loops)))
#define SPARSE_P_DERIVE_0WITHIN(strategy, i, c, others)                                                                     \
    SPARSE_P_CAT(SPARSE_P_DERIVE_WITHIN_, SPARSE_P_IS_ANY others)(strategy, i, c, others)
#define SPARSE_P_DERIVE_WITHIN_0(strategy, i, c, others) , (i, strategy, i##_inner, mod, i, c)
#define SPARSE_P_DERIVE_WITHIN_1(strategy, i, c, others)                                                                    \
    , (i, SPARSE_P_ASKS_CELL(ALONG, strategy), i##_inner, 0within, i, (c, i, others))SPARSE_P_EACHF(SPARSE_P_SUM, i, others)
#define SPARSE_P_DERIVE_count SPARSE_P_DERIVE_0bad
#define SPARSE_P_DERIVE_minus SPARSE_P_DERIVE_0bad
#define SPARSE_P_DERIVE_0dim(loops, key, strategy, variable, kind, i, c)                                                    \
    SPARSE_P_DERIVE_FROM(strategy, i, c, (SPARSE_P_EACHF(SPARSE_P_ALONG, i, loops)))
#define SPARSE_P_DERIVE_FROM(strategy, i, c, others)                                                                        \
    SPARSE_P_CAT(SPARSE_P_DERIVE_FROM_, SPARSE_P_IS_ANY others)(strategy, i, c, others)
#define SPARSE_P_DERIVE_FROM_0(strategy, i, c, others) , (i, strategy, i, 0dim, i, c)
#define SPARSE_P_DERIVE_FROM_1(strategy, i, c, others)                                                                      \
    , (i, SPARSE_P_ASKS_CELL(ALONG, strategy), i, 0along, i, others)SPARSE_P_EACHF(SPARSE_P_SUM, i, others)
#define SPARSE_P_SUM(i, j)                                           , (j, 0sequential, j, 0sum, j, i)
#define SPARSE_P_ALONG(i, l)                                         SPARSE_P_ALONG_(i, SPARSE_P_ID l)
#define SPARSE_P_ALONG_(...)                                         SPARSE_P_ALONG__(__VA_ARGS__)
#define SPARSE_P_ALONG__(i, key, strategy, variable, kind, j, other) SPARSE_P_ALONG_OF_##kind(i, j, other)
#define SPARSE_P_ALONG_OF_0bad(i, j, other)
#define SPARSE_P_ALONG_OF_0dim(i, j, other)
#define SPARSE_P_ALONG_OF_floordiv(i, j, other)
#define SPARSE_P_ALONG_OF_mod(i, j, other)
#define SPARSE_P_ALONG_OF_count(i, j, other)
#define SPARSE_P_ALONG_OF_minus(i, j, other) SPARSE_P_ALONG_IF(SPARSE_P_COUNT(~SPARSE_P_SAME(i, other)), j)
#define SPARSE_P_ALONG_IF(n, j)              SPARSE_P_CAT(SPARSE_P_ALONG_IF_, n)(j)
#define SPARSE_P_ALONG_IF_0(j)
#define SPARSE_P_ALONG_IF_1(j) , j
/* A strategy of a loop is three lines: that it is one, that it takes arguments, and its row, ASKS_ROW_word:
     IN_PLACE, ASSEMBLED  the row of PASS_ROW by which the loop is passed over, by whether outputs are assembled
     ALONG     what it becomes on an index that runs along diagonals
     PLACE     an error if the loop is not where it has to be among the loops, and
     OUTPUTS   if it does not go with an output, DERIVED with slices and diagonals, WORK in a workspace
     BESIDE    1 if its iterations run side by side; AHEAD: if it fetches ahead; UNROLLS: if it is unrolled
     ATTRIBUTE what the function needs; OPEN, CLOSE: what comes around all loops
     PLANS     how the loop is planned; RANGES: 1 if its number is the size of the index, 2 if that comes behind,
               3 if it is how many coordinates are a step; NUMBERED if it needs one */
#define SPARSE_P_STRATEGY_parallel
#define SPARSE_P_STRATEGY_IS_parallel parallel,
#define SPARSE_P_ASKS_ROW_parallel                                                                                          \
    (parallel, 0part, parallel, SPARSE_P_DROP, SPARSE_P_OUTPUTS_SHARED, SPARSE_P_DERIVED_SHARED, SPARSE_P_WORK_BESIDE, 1,   \
     0, 0, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_PLAIN, 0, 0)
#define SPARSE_P_STRATEGY_simd
#define SPARSE_P_STRATEGY_IS_simd simd,
#define SPARSE_P_ASKS_ROW_simd                                                                                              \
    (simd, simd, 0lanes, SPARSE_P_PLACE_INNERMOST, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0,                    \
     SPARSE_P_REASSOCIATES, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_PLAIN, 0, 0)
#define SPARSE_P_STRATEGY_unroll
#define SPARSE_P_STRATEGY_IS_unroll unroll,
#define SPARSE_P_ASKS_ROW_unroll                                                                                            \
    (unroll, unroll, unroll, SPARSE_P_PLACE_AROUND, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 1, SPARSE_P_DROP,    \
     SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_PLAIN, 0, 0)
#define SPARSE_P_STRATEGY_prefetch
#define SPARSE_P_STRATEGY_IS_prefetch prefetch,
#define SPARSE_P_ASKS_ROW_prefetch                                                                                          \
    (0ahead, 0ahead, prefetch, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_WORK_AHEAD, 0, 1, 0, SPARSE_P_DROP,    \
     SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_PLAIN, 0, 0)
#define SPARSE_P_STRATEGY_tile
#define SPARSE_P_STRATEGY_IS_tile tile,
#define SPARSE_P_ASKS_ROW_tile                                                                                              \
    (tile, tile, tile, SPARSE_P_DROP, SPARSE_P_OUTPUTS_TILED, SPARSE_P_DROP, SPARSE_P_WORK_TILED, 0, 0, 0, SPARSE_P_DROP,   \
     SPARSE_P_OPEN_TILES, SPARSE_P_CLOSE_TILES, SPARSE_P_PLAN_PLAIN, 3, 1)
#define SPARSE_P_STRATEGY_range
#define SPARSE_P_STRATEGY_IS_range range,
#define SPARSE_P_ASKS_ROW_range                                                                                             \
    (0sequential, 0sequential, 0sequential, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0,            \
     SPARSE_P_KNOWS, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_PLAIN, 1, 1)
#define SPARSE_P_STRATEGY_let
#define SPARSE_P_STRATEGY_IS_let let,
#define SPARSE_P_ASKS_ROW_let                                                                                               \
    (0sequential, 0sequential, 0sequential, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0,            \
     SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_LET, 0, 1)
/* and without a word: none, and simd along a diagonal */
#define SPARSE_P_ASKS_ROW_0sequential                                                                                       \
    (0sequential, 0sequential, 0sequential, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0,            \
     SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_PLAIN, 0, 0)
#define SPARSE_P_ASKS_ROW_0let                                                                                              \
    (0sequential, 0sequential, 0sequential, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0,            \
     SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_LET_SIZED, 2, 1)
#define SPARSE_P_ASKS_ROW_0short                                                                                            \
    (0sequential, 0sequential, 0sequential, SPARSE_P_PLACE_SHORT, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0,     \
     SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_PLAIN, 0, 0)
#define SPARSE_P_ASKS_ROW_0lanes                                                                                            \
    (simd, simd, 0lanes, SPARSE_P_PLACE_ALONG, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0, SPARSE_P_REASSOCIATES, \
     SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_PLAN_PLAIN, 0, 0)
#define SPARSE_P_ASKS_CELL(column, strategy)                                                     SPARSE_P_CELL(SPARSE_P_ASKS_##column, SPARSE_P_ASKS_ROW_##strategy)
#define SPARSE_P_ASKS_0in_place(in_place, assembled, along, place, outputs, derived, work, ...)  in_place
#define SPARSE_P_ASKS_0assembled(in_place, assembled, along, place, outputs, derived, work, ...) assembled
#define SPARSE_P_ASKS_ALONG(in_place, assembled, along, place, outputs, derived, work, ...)      along
#define SPARSE_P_ASKS_PLACE(in_place, assembled, along, place, outputs, derived, work, ...)      place
#define SPARSE_P_ASKS_OUTPUTS(in_place, assembled, along, place, outputs, derived, work, ...)    outputs
#define SPARSE_P_ASKS_DERIVED(in_place, assembled, along, place, outputs, derived, work, ...)    derived
#define SPARSE_P_ASKS_WORK(in_place, assembled, along, place, outputs, derived, work, ...)       work
#define SPARSE_P_ASKS_BESIDE(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges, numbered)  \
    beside
#define SPARSE_P_ASKS_AHEAD(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges, numbered)   \
    ahead
#define SPARSE_P_ASKS_UNROLLS(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges, numbered) \
    unrolls
#define SPARSE_P_ASKS_ATTRIBUTE(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges,         \
                                numbered)                                                                                   \
    attribute
#define SPARSE_P_ASKS_OPEN(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges, numbered) open
#define SPARSE_P_ASKS_CLOSE(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges, numbered)   \
    close
#define SPARSE_P_ASKS_PLANS(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges, numbered)   \
    plans
#define SPARSE_P_ASKS_RANGES(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges, numbered)  \
    ranges
#define SPARSE_P_ASKS_NUMBERED(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close, plans, ranges,          \
                               numbered)                                                                                    \
    numbered
#define SPARSE_P_REASSOCIATES() SPARSE_P_REASSOCIATING
#define SPARSE_P_KNOWS()        SPARSE_P_KNOWING
/* tiles of an index, one after the other, around all loops */
#define SPARSE_P_AROUND(c, l)                                     SPARSE_P_AROUND_ l
#define SPARSE_P_AROUND_(key, strategy, variable, kind, i, c)     SPARSE_P_ASKS_CELL(OPEN, strategy)(i, c)
#define SPARSE_P_AROUND_END(c, l)                                 SPARSE_P_AROUND_END_ l
#define SPARSE_P_AROUND_END_(key, strategy, variable, kind, i, c) SPARSE_P_ASKS_CELL(CLOSE, strategy)(i, c)
#define SPARSE_P_OPEN_TILES(i, c)                                                                                           \
    for (size_t sparse_l_##i##_tile = 0; sparse_l_##i##_tile < sparse_l_##i##_size; sparse_l_##i##_tile += c) {             \
        const size_t sparse_l_##i##_end = sparse_p_min(sparse_l_##i##_tile + c, sparse_l_##i##_size);
#define SPARSE_P_CLOSE_TILES(i, c) }
/* a loop with a size of its own: as a variable, and as a row of the table that is checked */
#define SPARSE_P_RANGE_OF_LOOP(c, l) SPARSE_P_RANGE_OF_LOOP_ l
#define SPARSE_P_RANGE_OF_LOOP_(key, strategy, variable, kind, i, c)                                                        \
    SPARSE_P_CAT(SPARSE_P_RANGE_OF_LOOP_, SPARSE_P_ASKS_CELL(RANGES, strategy))(i, c)
#define SPARSE_P_RANGE_OF_LOOP_0(i, c)
#define SPARSE_P_RANGE_OF_LOOP_1(i, c) const size_t sparse_l_##i##_range = c;
#define SPARSE_P_RANGE_OF_LOOP_2(i, c) const size_t sparse_l_##i##_range = SPARSE_P_SECOND c;
#define SPARSE_P_RANGE_OF_LOOP_3(i, c)                                                                                      \
    if ((c) < 1) return SPARSE_E_ARGUMENT;
/* once it is checked, the same size again, which is a number to the compiler if it is written as one */
#define SPARSE_P_RANGE_KNOWN(letters, l) SPARSE_P_RANGE_KNOWN_(letters, SPARSE_P_ID l)
#define SPARSE_P_RANGE_KNOWN_(...)       SPARSE_P_RANGE_KNOWN__(__VA_ARGS__)
#define SPARSE_P_RANGE_KNOWN__(letters, key, strategy, variable, kind, i, ...)                                              \
    SPARSE_P_CAT(SPARSE_P_RANGE_KNOWN_, SPARSE_P_ASKS_CELL(RANGES, strategy))(letters, i)
#define SPARSE_P_RANGE_KNOWN_0(letters, i)
#define SPARSE_P_RANGE_KNOWN_1(letters, i) sparse_l_size[SPARSE_P_POS(i, letters) - 1] = sparse_l_##i##_range;
#define SPARSE_P_RANGE_KNOWN_2(letters, i) SPARSE_P_RANGE_KNOWN_1(letters, i)
#define SPARSE_P_RANGE_KNOWN_3(letters, i)
#define SPARSE_P_RANGE_OPERAND(c, l) SPARSE_P_RANGE_OPERAND_ l
#define SPARSE_P_RANGE_OPERAND_(key, strategy, variable, kind, i, ...)                                                      \
    SPARSE_P_CAT(SPARSE_P_RANGE_OPERAND_, SPARSE_P_ASKS_CELL(RANGES, strategy))(i)
#define SPARSE_P_RANGE_OPERAND_0(i)
#define SPARSE_P_RANGE_OPERAND_2(i) SPARSE_P_RANGE_OPERAND_1(i)
#define SPARSE_P_RANGE_OPERAND_3(i)
#define SPARSE_P_RANGE_OPERAND_1(i)                                                                                         \
    , { NULL, &sparse_l_##i##_range, #i, SPARSE_RANGES SPARSE_P_OPERAND_NAME("range(" #i ", ...)") }
/* ATTRIBUTE(, loop) -> what the function needs for the strategy of a loop */
#define SPARSE_P_ATTRIBUTE(c, l)                SPARSE_P_ATTRIBUTE_ l
#define SPARSE_P_ATTRIBUTE_(key, strategy, ...) SPARSE_P_ASKS_CELL(ATTRIBUTE, strategy)()
/* of a loop: the index that it makes known; the same unless it is only a block of one; the blocks as leaves */
#define SPARSE_P_LETTER(c, l)      SPARSE_P_LETTER_ l
#define SPARSE_P_LETTER_(key, ...) , key
/* What a loop over an index, or over what of one, is to others is one row, LOOP_ROW_kind:
     BASE     , i if it makes i known; PARTLY: (, ~) if it is over a part of i; SIZED: what tells its size
     DIVISOR  of its third part, the number that operands have to divide i by as well */
#define SPARSE_P_LOOP_CELL(column, kind)                               SPARSE_P_CELL(SPARSE_P_LOOP_##column, SPARSE_P_LOOP_ROW_##kind)
#define SPARSE_P_LOOP_ROW_0dim                                         (SPARSE_P_ITEM, (), SPARSE_P_ID, SPARSE_P_DROP)
#define SPARSE_P_LOOP_ROW_floordiv                                     (SPARSE_P_DROP, (, ~), SPARSE_P_ID, SPARSE_P_BLOCKS_SIZE)
#define SPARSE_P_LOOP_ROW_mod                                          (SPARSE_P_ITEM, (, ~), SPARSE_P_ID, SPARSE_P_INNER_SIZE)
#define SPARSE_P_LOOP_ROW_count                                        (SPARSE_P_DROP, (, ~), SPARSE_P_ID, SPARSE_P_COUNTED_SIZE)
#define SPARSE_P_LOOP_ROW_minus                                        (SPARSE_P_DROP, (, ~), SPARSE_P_ID, SPARSE_P_DIAGONALS_SIZE)
#define SPARSE_P_LOOP_ROW_0along                                       (SPARSE_P_ITEM, (), SPARSE_P_NO_DIVISOR, SPARSE_P_DROP)
#define SPARSE_P_LOOP_ROW_0sum                                         (SPARSE_P_ITEM, (), SPARSE_P_NO_DIVISOR, SPARSE_P_DROP)
#define SPARSE_P_LOOP_ROW_0within                                      (SPARSE_P_ITEM, (, ~), SPARSE_P_WITHIN_OF, SPARSE_P_WITHIN_SIZE)
#define SPARSE_P_LOOP_BASE(base, partly, divisor, sized)               base
#define SPARSE_P_LOOP_PARTLY(base, partly, divisor, sized)             partly
#define SPARSE_P_LOOP_DIVISOR(base, partly, divisor, sized)            divisor
#define SPARSE_P_LOOP_SIZED(base, partly, divisor, sized)              sized
#define SPARSE_P_BASE(c, l)                                            SPARSE_P_BASE_ l
#define SPARSE_P_BASE_(key, strategy, variable, kind, i, ...)          SPARSE_P_LOOP_CELL(BASE, kind)(i)
#define SPARSE_P_NO_DIVISOR(c)                                         0
#define SPARSE_P_WITHIN_OF(c)                                          SPARSE_P_FIRST c
#define SPARSE_P_BLOCK(letters, l)                                     SPARSE_P_BLOCK_(letters, SPARSE_P_ID l)
#define SPARSE_P_BLOCK_(...)                                           SPARSE_P_BLOCK__(__VA_ARGS__)
#define SPARSE_P_BLOCK__(letters, key, strategy, variable, kind, i, c) SPARSE_P_BLOCK_##kind(letters, i, c)
#define SPARSE_P_BLOCK_0dim(letters, i, c)
#define SPARSE_P_BLOCK_floordiv(letters, i, c)
#define SPARSE_P_BLOCK_count(letters, i, c) , (count, 0, i, c)
#define SPARSE_P_BLOCK_minus(letters, i, c)
#define SPARSE_P_BLOCK_0along(letters, i, c)
#define SPARSE_P_BLOCK_0sum(letters, i, c)
#define SPARSE_P_BLOCK_0within(letters, i, c) , (0inner, SPARSE_P_POS(i, letters), i, SPARSE_P_FIRST c)
#define SPARSE_P_BLOCK_mod(letters, i, c)     , (0block, SPARSE_P_POS(i, letters), i, c)

/* OUTPUT(letters, out) -> WRITTEN, INITIAL, leaf: 0 if stored values are only updated, like if the leaf is a
   pair, the output and its pattern; of each output (, value) or () */
#define SPARSE_P_OUTPUT(letters, out) SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_, out)(letters, out)
#define SPARSE_P_OUTPUT_1(letters, out)                                                                                     \
    SPARSE_P_CAT3(SPARSE_P_OUTPUT_LIST_, SPARSE_P_IS_OUTPUT(SPARSE_P_FIRST out),                                            \
                  SPARSE_P_IS_PAREN(SPARSE_P_SECOND(SPARSE_P_ID out, ~)))                                                   \
    (letters, out)
#define SPARSE_P_OUTPUT_LIST_00(letters, out) 1, (, ())SPARSE_P_LEAF_NODE(SPARSE_P_LEAF((0W, letters), out))
#define SPARSE_P_OUTPUT_LIST_01               SPARSE_P_OUTPUT_LIST_11
#define SPARSE_P_OUTPUT_LIST_10               SPARSE_P_OUTPUT_LIST_11
#define SPARSE_P_OUTPUT_LIST_11(letters, out)                                                                               \
    1, (SPARSE_P_EACHB(SPARSE_P_OUTPUT_FROM, , (, SPARSE_P_ID out))),                                                       \
        (all SPARSE_P_EACHB(SPARSE_P_OUTPUT_OF, letters, (, SPARSE_P_ID out)))
/* IS_OUTPUT((y, VEC, i)) -> 1, IS_OUTPUT(from(0, y, VEC, i)) -> 1, IS_OUTPUT(y) -> 0 */
#define SPARSE_P_IS_OUTPUT(x)   SPARSE_P_BY_PAREN(SPARSE_P_IS_OUTPUT_, x)(x)
#define SPARSE_P_IS_OUTPUT_1(x) 1
#define SPARSE_P_IS_OUTPUT_0(x) SPARSE_P_IS_PAREN(SPARSE_P_OUT_KNOWN_##x)
/* one of a list of outputs -> , leaf and -> , its initial value; what is updated, or like others, is alone */
#define SPARSE_P_OUTPUT_OF(letters, out)                              SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_OF_, out)(letters, out)
#define SPARSE_P_OUTPUT_OF_1(letters, out)                            , (0leaf, SPARSE_P_ALONE((0W, letters), out))
#define SPARSE_P_OUTPUT_OF_0(letters, out)                            SPARSE_P_CAT(SPARSE_P_OUTPUT_OF_0, SPARSE_P_IS_OUTPUT_0(out))(letters, out)
#define SPARSE_P_OUTPUT_OF_00(letters, out)                           , (0leaf, (0refused, 0unknown, ~))
#define SPARSE_P_OUTPUT_OF_01(letters, out)                           SPARSE_P_OUTPUT_LISTED(letters, SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_LISTED(...)                                   SPARSE_P_OUTPUT_LISTED_(__VA_ARGS__)
#define SPARSE_P_OUTPUT_LISTED_(letters, written, role, initial, out) SPARSE_P_OUTPUT_LISTED_##written(letters, out)
#define SPARSE_P_OUTPUT_LISTED_1                                      SPARSE_P_OUTPUT_OF_1
#define SPARSE_P_OUTPUT_LISTED_0                                      SPARSE_P_OUTPUT_OF_00
#define SPARSE_P_OUTPUT_LISTED_like                                   SPARSE_P_OUTPUT_OF_00
#define SPARSE_P_OUTPUT_FROM(c, out)                                  SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_FROM_, out)(out)
#define SPARSE_P_OUTPUT_FROM_1(out)                                   , ()
#define SPARSE_P_OUTPUT_FROM_0(out)                                   SPARSE_P_CAT(SPARSE_P_OUTPUT_FROM_0, SPARSE_P_IS_OUTPUT_0(out))(out)
#define SPARSE_P_OUTPUT_FROM_00(out)                                  , ()
#define SPARSE_P_OUTPUT_FROM_01(out)                                  , SPARSE_P_THIRD(SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_0(letters, out)                               SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_WORD_, SPARSE_P_OUT_KNOWN_##out)(letters, out)
#define SPARSE_P_OUTPUT_WORD_0(letters, out)                          1, (, ()), (0leaf, (0refused, 0unknown, ~))
#define SPARSE_P_OUTPUT_WORD_1(letters, out)                          SPARSE_P_OUTPUT_AS(letters, SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_AS(...)                                       SPARSE_P_OUTPUT_AS_(__VA_ARGS__)
#define SPARSE_P_OUTPUT_AS_(letters, written, role, initial, out)                                                           \
    SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_AS_, role)(letters, written, role, initial, out)
#define SPARSE_P_OUTPUT_AS_0(letters, written, role, initial, out)                                                          \
    written, (, initial), (0leaf, SPARSE_P_LEAF((role, letters), out))
#define SPARSE_P_OUTPUT_AS_1(letters, written, pattern, initial, out)                                                       \
    written, (, initial),                                                                                                   \
        (0pair, (0leaf, SPARSE_P_LIKE(SPARSE_P_FIRST pattern, SPARSE_P_LEAF((0U, letters), out))),                          \
         (0leaf, SPARSE_P_LEAF((0M, letters), pattern)))
#define SPARSE_P_OUT_KNOWN_update
#define SPARSE_P_OUT_KNOWN_from
#define SPARSE_P_OUT_KNOWN_like
#define SPARSE_P_OUT_update(...)        0, 0U, (), (__VA_ARGS__)
#define SPARSE_P_OUT_from(initial, ...) 1, 0W, (, initial), (__VA_ARGS__)
#define SPARSE_P_OUT_like(A, C, ...)    like, (A, __VA_ARGS__), (), (C, __VA_ARGS__)
/* LIKE(A, record) -> the record of an output whose values are where those of A are */
#define SPARSE_P_LIKE(A, record)       SPARSE_P_LIKE_(A, SPARSE_P_ID record)
#define SPARSE_P_LIKE_(...)            SPARSE_P_LIKE__(__VA_ARGS__)
#define SPARSE_P_LIKE__(A, what, ...)  SPARSE_P_LIKE_##what(A, __VA_ARGS__)
#define SPARSE_P_LIKE_0odd(A, ...)     (0odd, __VA_ARGS__)
#define SPARSE_P_LIKE_0refused(A, ...) (0refused, __VA_ARGS__)
#define SPARSE_P_LIKE_0scalar(A, ...)  (0refused, 0unknown, ~)
#define SPARSE_P_LIKE_0tensor(A, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, rank)     \
    (0tensor, 0K, name, type, value, pos, crd, indices, (SPARSE_P_EACHF(SPARSE_P_LIKE_LEVEL, A, levels)), (), nlev, placed, \
     0, rank)
#define SPARSE_P_LIKE_OF_0(A, variable) variable
#define SPARSE_P_LIKE_OF_1(A, variable) A
#define SPARSE_P_LIKE_LEVEL(A, level)   SPARSE_P_LIKE_LEVEL_(A, SPARSE_P_ID level)
#define SPARSE_P_LIKE_LEVEL_(...)       SPARSE_P_LIKE_LEVEL__(__VA_ARGS__)
#define SPARSE_P_LIKE_LEVEL__(A, number, storage, letter, placed, variable, part)                                           \
    , (number, SPARSE_P_STORAGE_CELL(LIKE, storage), letter, placed,                                                        \
       SPARSE_P_CAT(SPARSE_P_LIKE_OF_, SPARSE_P_STORAGE_CELL(WALKED, storage))(A, variable), part)

/* clang-format off */
/* EMIT: the loops as a function of sizes and arrays, and the kernel, which checks and calls them */
#define SPARSE_P_EMIT(kernel, loops, letters, blocks, outs, plans, leaves, statement)                        \
    SPARSE_P_EMIT_AS(SPARSE_P_WAY_OF(outs), kernel, loops, letters, blocks, outs, plans,                     \
                     leaves, SPARSE_P_ID statement)
#define SPARSE_P_EMIT_AS(...) SPARSE_P_EMIT_AS_(__VA_ARGS__)
#define SPARSE_P_EMIT_AS_(way, kernel, loops, letters, blocks, outs, plans, leaves, statement, initial,      \
                          wheres, bases)                                                                     \
    (1 SPARSE_P_CAT(SPARSE_P_SAME_BLOCKS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_PARTLY, , loops)))(loops, leaves))), \
        #kernel ": the loops and the levels of an operand divide an index into different parts");            \
    SPARSE_P_EACHE(SPARSE_P_CELL, SPARSE_P_TYPED, leaves)                                                                 \
    SPARSE_P_FOR_TARGETS SPARSE_P_TUNED SPARSE_P_EACHF(SPARSE_P_ATTRIBUTE, , loops)                                              \
    SPARSE_P_EACHE(SPARSE_P_WHERE_ATTRIBUTE, , wheres) static inline sparse_result                           \
    kernel##_loops(SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE_PARAMETER, , (, SPARSE_P_ID letters))          \
                                 SPARSE_P_EACHE(SPARSE_P_ARRAYS, , leaves)                                   \
                                 SPARSE_P_EACHE(SPARSE_P_WORK_PARAMETERS, , wheres)                           \
                                 SPARSE_P_EACHF(SPARSE_P_PART_PARAMETER, way, loops)                         \
                                 SPARSE_P_EACHF(SPARSE_P_WHOLE_PARAMETER, , blocks)))                        \
    {                                                                                                        \
        SPARSE_P_EACHF(SPARSE_P_BLOCK_SIZE, , loops)                                                         \
        SPARSE_P_EACHE(SPARSE_P_FILL_OF, , leaves)                                                           \
        SPARSE_P_EACHE(SPARSE_P_ACCUMULATE, , SPARSE_P_BEGUN(initial, outs))                                 \
        SPARSE_P_EACHF(SPARSE_P_AROUND, , loops)                                                             \
        SPARSE_P_CAT(SPARSE_P_NEST_OF_, SPARSE_P_IS_MADE(wheres, loops))                                     \
        ((SPARSE_P_ID blocks SPARSE_P_EACHE(SPARSE_P_PLACE, , leaves)),                                      \
         (SPARSE_P_EACHE(SPARSE_P_PLACE, , outs)), statement,                                                \
         SPARSE_P_DEFAULTS((wheres, outs, (SPARSE_P_LAST_TWO(SPARSE_P_ASKED, ~, SPARSE_P_ID loops)), leaves), plans), way, loops, wheres, leaves)           \
        SPARSE_P_EACHF(SPARSE_P_AROUND_END, , loops)                                                         \
        SPARSE_P_EACHE(SPARSE_P_ACCUMULATED, , outs)                                                         \
        return SPARSE_OK;                                                                                    \
    }                                                                                                        \
    SPARSE_P_EMIT_##way(kernel, loops, letters, blocks, outs, leaves, SPARSE_P_BEGUN(initial, outs), wheres)
#define SPARSE_P_EMIT_0in_place(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                  \
    SPARSE_NODISCARD SPARSE_UNUSED SPARSE_P_TUNED SPARSE_P_CAT(SPARSE_P_FLAT_, SPARSE_P_IS_ANY blocks)(loops, wheres) static inline sparse_result \
    kernel(SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves)))                                      \
    {                                                                                                        \
        SPARSE_P_BIND(kernel, letters, loops, leaves, wheres)                                                                       \
        SPARSE_P_EACHE(SPARSE_P_PATTERN, , outs)                                                             \
        SPARSE_P_WORK(letters, loops, wheres)                                                                \
        SPARSE_P_EACHE(SPARSE_P_FILL, , begun)                                                               \
        SPARSE_P_EACHF(SPARSE_P_RANGE_KNOWN, letters, loops) /* last: no call comes between that might change it */ \
        sparse_result sparse_l_looped;                                                                                \
        SPARSE_P_CAT(SPARSE_P_CALL_, SPARSE_P_IS_ANY blocks)                                                 \
        (sparse_l_looped =, kernel, letters, blocks, SPARSE_P_CALL_ARGUMENTS(letters, leaves, 0in_place, loops, wheres)) \
        SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                          \
        return sparse_l_looped;                                                                                       \
    }
/* what assembles its output does so in memory of its own, and as kernel_into() in arrays of the caller */
#define SPARSE_P_EMIT_0assembled(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                 \
    SPARSE_UNUSED SPARSE_P_TUNED static inline sparse_result                                               \
    kernel##_assemble(bool sparse_l_fixed SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves))                               \
    {                                                                                                        \
        SPARSE_P_BIND(kernel, letters, loops, leaves, wheres)                                                                       \
        SPARSE_P_EACHE(SPARSE_P_FILL, , begun)                                                               \
        SPARSE_P_EACHF(SPARSE_P_RANGE_KNOWN, letters, loops)                                                 \
        SPARSE_P_ASSEMBLE(SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_PART_OF, 0assembled, loops)),               \
                          kernel, loops, letters, blocks, outs, leaves, begun, wheres)                       \
    }                                                                                                        \
    SPARSE_NODISCARD SPARSE_UNUSED static inline sparse_result                                               \
    kernel(SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves)))                                      \
    {                                                                                                        \
        return kernel##_assemble(false SPARSE_P_EACHE(SPARSE_P_NAME_OF, , leaves));                          \
    }                                                                                                        \
    SPARSE_NODISCARD SPARSE_UNUSED static inline sparse_result                                               \
    kernel##_into(SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves)))                               \
    {                                                                                                        \
        return kernel##_assemble(true SPARSE_P_EACHE(SPARSE_P_NAME_OF, , leaves));                           \
    }
#define SPARSE_P_ASSEMBLE(in_parts, ...) SPARSE_P_CAT(SPARSE_P_ASSEMBLE_, in_parts)(__VA_ARGS__)
#define SPARSE_P_ASSEMBLE_0(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                     \
    SPARSE_P_EACHE(SPARSE_P_BUILDER, , outs)                                                                 \
    sparse_result sparse_l_had = SPARSE_OK;                                                                  \
    SPARSE_P_EACHE(SPARSE_P_BEGIN_WORK, (letters, 1, sparse_l_had), wheres)                                     \
    SPARSE_P_ASSEMBLE_PART(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                      \
    SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                              \
    return sparse_l_made;
/* in parts, each with a builder of its own, by a loop that may run on several threads, each with workspaces of its own */
#define SPARSE_P_ASSEMBLE_1(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                     \
    sparse_p_builder sparse_l_one, *sparse_l_all = &sparse_l_one;                                                                         \
    const size_t sparse_l_parts = sparse_p_divide(&sparse_l_all, sparse_p_assembled(sparse_l_operand), sparse_l_fixed);                              \
    SPARSE_P_THREADS_FOR(sparse_l_parts)                                                                     \
    {                                                                                                        \
        sparse_result sparse_l_had = SPARSE_OK;                                                              \
        SPARSE_P_EACHE(SPARSE_P_BEGIN_WORK, (letters, 1, sparse_l_had), wheres)                                 \
        SPARSE_P_EACHE(SPARSE_P_CLEAR_WORK, , wheres)                                                        \
        SPARSE_P_PARTS_AMONG                                                                                 \
        for (size_t sparse_l_part = 0; sparse_l_part < sparse_l_parts; sparse_l_part++) {                    \
            SPARSE_P_EACHE(SPARSE_P_BUILDER_OF_PART, , outs)                                                 \
            SPARSE_P_ASSEMBLE_PART(kernel, loops, letters, blocks, outs, leaves, begun, wheres)              \
            sparse_p_end_part(sparse_l_all, sparse_l_part, sparse_l_made);                                   \
            sparse_l_had = sparse_l_looped;                                                                  \
        }                                                                                                    \
        SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                          \
    }                                                                                                        \
    return sparse_p_join(sparse_l_all, sparse_l_parts, sparse_p_assembled(sparse_l_operand));
/* does nothing more after an error, of its workspaces or of the loops, which may have left these as they were then */
#define SPARSE_P_ASSEMBLE_PART(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                  \
    sparse_result sparse_l_made = sparse_l_had;                                                              \
    SPARSE_P_EACHE(SPARSE_P_START, , begun)                                                                  \
    SPARSE_P_CAT(SPARSE_P_CALL_, SPARSE_P_IS_ANY blocks)                                                     \
    (if (sparse_l_made == SPARSE_OK) sparse_l_made =, kernel, letters, blocks,                                                 \
     SPARSE_P_CALL_ARGUMENTS(letters, leaves, 0assembled, loops, wheres))                                     \
    const sparse_result sparse_l_looped = sparse_l_made;                                                                       \
    SPARSE_P_EACHE(SPARSE_P_END, , outs)
#define SPARSE_P_BIND(kernel, letters, loops, leaves, wheres)                                                                       \
    const char *const sparse_l_over = SPARSE_P_EACHF(SPARSE_P_QUOTE, , (, SPARSE_P_ID letters));                      \
    SPARSE_P_EACHE(SPARSE_P_CELL, SPARSE_P_DECLARE, leaves)                                                               \
    SPARSE_P_EACHF(SPARSE_P_RANGE_OF_LOOP, , loops)                                                          \
    const sparse_p_operand sparse_l_operand[] = {SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_OPERAND, , leaves)      \
                                                             SPARSE_P_EACHF(SPARSE_P_RANGE_OPERAND, , loops))}; \
    const size_t sparse_l_operands = sizeof sparse_l_operand / sizeof *sparse_l_operand;                                                \
    size_t sparse_l_size[SPARSE_P_COUNT(SPARSE_P_ID letters) + 1];                                                    \
    const sparse_result sparse_l_result = sparse_p_bind(SPARSE_P_KERNEL_NAME(kernel), sparse_l_over, sparse_l_size, sparse_l_operand, sparse_l_operands);                                 \
    if (SPARSE_P_RATHER_NOT(sparse_l_result != SPARSE_OK, SPARSE_P_CHANCE(SPARSE_P_ID letters))) return sparse_l_result;                                                                         \
    SPARSE_P_EACHE(SPARSE_P_WORK_FITS, letters, wheres)
/* clang-format on */
#if SPARSE_EXPLAIN
    #define SPARSE_P_KERNEL_NAME(kernel) #kernel
#else
    #define SPARSE_P_KERNEL_NAME(kernel) NULL
#endif
#define SPARSE_P_CALL_ARGUMENTS(letters, leaves, way, loops, wheres)                                                        \
    (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE, letters, (, SPARSE_P_ID letters))                                          \
                       SPARSE_P_EACHE(SPARSE_P_ARGUMENTS, , leaves) SPARSE_P_EACHE(SPARSE_P_WORK_ARGUMENTS, , wheres)       \
                           SPARSE_P_EACHF(SPARSE_P_PART_OF, way, loops)))
/* a workspace: as a parameter of the loops, as an argument, and where its memory comes and goes; a scalar one
   is a variable of the loops */
#define SPARSE_P_WORK_PARAMETERS(c, where) SPARSE_P_WORK_PART(SPARSE_P_WORKS_PARAMETER, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_ARGUMENTS(c, where)  SPARSE_P_WORK_PART(SPARSE_P_WORKS_ARGUMENT, c, SPARSE_P_ID where)
#define SPARSE_P_BEGIN_WORK(c, where)      SPARSE_P_WORK_PART(SPARSE_P_WORKS_BEGIN, c, SPARSE_P_ID where)
#define SPARSE_P_CLEAR_WORK(c, where)      SPARSE_P_WORK_PART(SPARSE_P_WORKS_CLEAR, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_FITS(letters, where) SPARSE_P_WORK_PART(SPARSE_P_WORKS_FITS, letters, SPARSE_P_ID where)
#define SPARSE_P_END_WORK(c, where)        SPARSE_P_WORK_PART(SPARSE_P_WORKS_END, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_PART(...)            SPARSE_P_WORK_PART_(__VA_ARGS__)
#define SPARSE_P_WORK_PART_(column, c, n, tree, loops, letters, leaves, written, initial, out, operand, ...)                \
    SPARSE_P_WORK_PART3(SPARSE_P_CELL(column, SPARSE_P_CAT(SPARSE_P_WORKS_ROW_, SPARSE_P_WORKS_AS operand)), c,             \
                        SPARSE_P_SECOND initial, SPARSE_P_OUTPUT_RECORD out, SPARSE_P_ID operand)
#define SPARSE_P_WORK_PART3(...)                                  SPARSE_P_WORK_PART4(__VA_ARGS__)
#define SPARSE_P_WORK_PART4(op, c, initial, out, what, role, ...) op(c, initial, out, __VA_ARGS__)
#define SPARSE_P_HELD_PARAMETER(c, initial, out, name, type, value, ...)                                                    \
    , SPARSE_P_ELEMENT(value) * SPARSE_RESTRICT const sparse_l_##name##_work
#define SPARSE_P_HELD_ARGUMENT(c, initial, out, name, type, value, ...)                                                     \
    , (SPARSE_P_ELEMENT(value) *)sparse_p_memory_of(&sparse_l_##name##_work)
#define SPARSE_P_HELD_BEGIN(c, initial, out, ...) SPARSE_P_HELD_BEGIN_(SPARSE_P_ID c, out, __VA_ARGS__)
#define SPARSE_P_HELD_BEGIN_(...)                 SPARSE_P_HELD_BEGIN__(__VA_ARGS__)
#define SPARSE_P_HELD_BEGIN__(letters, copies, result, out, name, type, value, pos, crd, indices, ...)                      \
    sparse_buffer sparse_l_##name##_work;                                                                                   \
    const size_t sparse_l_##name##_sizes[] = {copies SPARSE_P_EACHF(SPARSE_P_SIZE, letters, SPARSE_P_SUBSCRIPTS out)};      \
    result = sparse_p_workspace(result, &sparse_l_##name##_work, sizeof(SPARSE_P_ELEMENT(value)), sparse_l_##name##_sizes,  \
                                sizeof sparse_l_##name##_sizes / sizeof *sparse_l_##name##_sizes, sparse_l_operand);
#define SPARSE_P_HELD_CLEAR(c, initial, out, name, type, value, ...)                                                        \
    sparse_p_clear_workspace(&sparse_l_##name##_work, sizeof(SPARSE_P_ELEMENT(value)));
#define SPARSE_P_HELD_END(c, initial, out, name, type, value, ...)                                                          \
    sparse_p_end_workspace(&sparse_l_##name##_work, sizeof(SPARSE_P_ELEMENT(value)), sparse_l_operand);
/* WORK: the workspaces of a kernel; if there is no memory for them, it ends before anything changes */
#define SPARSE_P_WORK(letters, loops, wheres)                                                                               \
    SPARSE_P_CAT(SPARSE_P_WORK_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_WORK_ARGUMENTS, , wheres)))                        \
    (letters, loops, wheres)
#define SPARSE_P_WORK_0(letters, loops, wheres)
#define SPARSE_P_WORK_1(letters, loops, wheres)                                                                             \
    sparse_result sparse_l_made = SPARSE_OK;                                                                                \
    SPARSE_P_EACHE(SPARSE_P_BEGIN_WORK, (letters, SPARSE_P_COPIES(loops), sparse_l_made), wheres)                           \
    if (sparse_l_made != SPARSE_OK) {                                                                                       \
        SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                                         \
        return sparse_l_made;                                                                                               \
    }
#define SPARSE_P_COPIES(loops)                   SPARSE_P_SECOND(~SPARSE_P_EACHF(SPARSE_P_COPIES_FOR, , loops), 1)
#define SPARSE_P_COPIES_FOR(c, l)                SPARSE_P_COPIES_FOR_ l
#define SPARSE_P_COPIES_FOR_(key, strategy, ...) SPARSE_P_CAT(SPARSE_P_COPIES_, SPARSE_P_ASKS_CELL(BESIDE, strategy))
#define SPARSE_P_COPIES_0
#define SPARSE_P_COPIES_1 , sparse_p_threads()
/* a loop in parts, each with an output of its own, of which the loops know which of how many they are */
#define SPARSE_P_PART_PARAMETER(way, l) SPARSE_P_PART_PARAMETER_(way, SPARSE_P_ID l)
#define SPARSE_P_PART_PARAMETER_(...)   SPARSE_P_PART_PARAMETER__(__VA_ARGS__)
#define SPARSE_P_PART_PARAMETER__(way, key, strategy, ...)                                                                  \
    SPARSE_P_CAT3(SPARSE_P_PART_PARAMETER_, way, SPARSE_P_ASKS_CELL(BESIDE, strategy))
#define SPARSE_P_PART_PARAMETER_0in_place0
#define SPARSE_P_PART_PARAMETER_0in_place1
#define SPARSE_P_PART_PARAMETER_0assembled0
#define SPARSE_P_PART_PARAMETER_0assembled1 , const size_t sparse_l_part, const size_t sparse_l_parts
#define SPARSE_P_PART_OF(way, l)            SPARSE_P_PART_OF_(way, SPARSE_P_ID l)
#define SPARSE_P_PART_OF_(...)              SPARSE_P_PART_OF__(__VA_ARGS__)
#define SPARSE_P_PART_OF__(way, key, strategy, ...)                                                                         \
    SPARSE_P_CAT3(SPARSE_P_PART_OF_, way, SPARSE_P_ASKS_CELL(BESIDE, strategy))
#define SPARSE_P_PART_OF_0in_place0
#define SPARSE_P_PART_OF_0in_place1
#define SPARSE_P_PART_OF_0assembled0
#define SPARSE_P_PART_OF_0assembled1             , sparse_l_part, sparse_l_parts
#define SPARSE_P_NAME_OF(c, record)              SPARSE_P_NAME_OF_ record
#define SPARSE_P_NAME_OF_(what, role, name, ...) , name SPARSE_P_ITS_SLICE_##what(name)
#define SPARSE_P_ITS_SLICE_0scalar(name)
#define SPARSE_P_ITS_SLICE_0tensor(name)
#define SPARSE_P_ITS_SLICE_0assembled(name)
#define SPARSE_P_ITS_SLICE_0sliced(name) , sparse_l_##name##_slice
/* WAY_OF((, record)) -> assembled if an output is, else in_place; the rest follows from that */
#define SPARSE_P_WAY_OF(outs)    SPARSE_P_SECOND(~SPARSE_P_EACHE(SPARSE_P_WAY, , outs), 0in_place)
#define SPARSE_P_WAY(c, record)  SPARSE_P_WAY_ record
#define SPARSE_P_WAY_(what, ...) SPARSE_P_WAY_##what
#define SPARSE_P_WAY_0scalar
#define SPARSE_P_WAY_0tensor
#define SPARSE_P_WAY_0assembled , 0assembled
/* BEGUN((, (), (, x)), (, (tensor, ...), (scalar, ...))) -> (, ((), tensor, ...), ((, x), scalar, ...)) */
#define SPARSE_P_BEGUN(initials, outs)                                                                                      \
    (SPARSE_P_BEGUN_(SPARSE_P_COUNT(~SPARSE_P_ID outs), SPARSE_P_ID initials, SPARSE_P_ID outs))
#define SPARSE_P_BEGUN_(n, ...)                        SPARSE_P_CAT(SPARSE_P_BEGUN_, n)(__VA_ARGS__)
#define SPARSE_P_BEGUN_1(z, x1, y, r1)                 , (x1, SPARSE_P_ID r1)
#define SPARSE_P_BEGUN_2(z, x1, x2, y, r1, r2)         , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2)
#define SPARSE_P_BEGUN_3(z, x1, x2, x3, y, r1, r2, r3) , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3)
#define SPARSE_P_BEGUN_4(z, x1, x2, x3, x4, y, r1, r2, r3, r4)                                                              \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4)
#define SPARSE_P_BEGUN_5(z, x1, x2, x3, x4, x5, y, r1, r2, r3, r4, r5)                                                      \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4), (x5, SPARSE_P_ID r5)
#define SPARSE_P_BEGUN_6(z, x1, x2, x3, x4, x5, x6, y, r1, r2, r3, r4, r5, r6)                                              \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4), (x5, SPARSE_P_ID r5),         \
        (x6, SPARSE_P_ID r6)
#define SPARSE_P_BEGUN_7(z, x1, x2, x3, x4, x5, x6, x7, y, r1, r2, r3, r4, r5, r6, r7)                                      \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4), (x5, SPARSE_P_ID r5),         \
        (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7)
#define SPARSE_P_BEGUN_8(z, x1, x2, x3, x4, x5, x6, x7, x8, y, r1, r2, r3, r4, r5, r6, r7, r8)                              \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4), (x5, SPARSE_P_ID r5),         \
        (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8)
#define SPARSE_P_BEGUN_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, y, r1, r2, r3, r4, r5, r6, r7, r8, r9)                      \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4), (x5, SPARSE_P_ID r5),         \
        (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8), (x9, SPARSE_P_ID r9)
#define SPARSE_P_BEGUN_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, y, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10)           \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4), (x5, SPARSE_P_ID r5),         \
        (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8), (x9, SPARSE_P_ID r9), (x10, SPARSE_P_ID r10)
#define SPARSE_P_BEGUN_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, y, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11) \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4), (x5, SPARSE_P_ID r5),         \
        (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8), (x9, SPARSE_P_ID r9), (x10, SPARSE_P_ID r10),     \
        (x11, SPARSE_P_ID r11)
/* INITIAL(double, (, x)) -> x, INITIAL(double, ()) -> 0 */
#define SPARSE_P_INITIAL(value, initial)   SPARSE_P_CAT(SPARSE_P_INITIAL_, SPARSE_P_IS_ANY initial)(value, initial)
#define SPARSE_P_INITIAL_0(value, initial) SPARSE_ZERO(SPARSE_P_ELEMENT(value))
#define SPARSE_P_INITIAL_1(value, initial) SPARSE_P_ENCODE(value, SPARSE_P_TEXT initial)
/* What a role means for a tensor is one row, ROLE_ROW_role:
     ACCESS   of its values and storage, const or nothing; WRITTEN: 1 of an output
     TOLD     what the checks are told of it
     FILL     what the loops know before them: that it is there, or what it is where it is absent */
#define SPARSE_P_ROLE_CELL(column, role)                   SPARSE_P_CELL(SPARSE_P_ROLE_##column, SPARSE_P_ROLE_ROW_##role)
#define SPARSE_P_ROLE_ROW_0M                               (const, 0, SPARSE_READS, SPARSE_P_IS_THERE)
#define SPARSE_P_ROLE_ROW_0O                               (const, 0, SPARSE_READS, SPARSE_P_IS_MAYBE)
#define SPARSE_P_ROLE_ROW_0N                               (const, 0, SPARSE_READS, SPARSE_P_IS_MAYBE)
#define SPARSE_P_ROLE_ROW_0W                               (, 1, SPARSE_WRITES, SPARSE_P_DROP)
#define SPARSE_P_ROLE_ROW_0U                               (, 1, SPARSE_UPDATES, SPARSE_P_IS_THERE)
#define SPARSE_P_ROLE_ROW_0K                               (, 1, SPARSE_COPIES, SPARSE_P_DROP)
#define SPARSE_P_ROLE_ACCESS(access, written, told, fill)  access
#define SPARSE_P_ROLE_WRITTEN(access, written, told, fill) written
#define SPARSE_P_ROLE_TOLD(access, written, told, fill)    told
#define SPARSE_P_ROLE_FILL(access, written, told, fill)    fill
/* FILL_OF(, record): what an operand that may be absent then is; that others are there */
#define SPARSE_P_FILL_OF(c, record)        SPARSE_P_FILL_OF_ record
#define SPARSE_P_FILL_OF_(what, role, ...) SPARSE_P_FILL_OF_##what(role, __VA_ARGS__)
#define SPARSE_P_FILL_OF_0scalar(role, name, value)                                                                         \
    SPARSE_P_CAT(SPARSE_P_FILL_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name)
#define SPARSE_P_FILL_SCALAR_0(name) SPARSE_P_IS_THERE(name, ~)
#define SPARSE_P_FILL_SCALAR_1(name)
#define SPARSE_P_FILL_OF_0assembled(role, ...)
#define SPARSE_P_FILL_OF_0tensor(role, ...) SPARSE_P_ROLE_CELL(FILL, role)(__VA_ARGS__)
#define SPARSE_P_FILL_OF_0sliced            SPARSE_P_FILL_OF_0tensor
#define SPARSE_P_IS_THERE(name, ...)        SPARSE_UNUSED const bool has_##name = true;
#define SPARSE_P_IS_MAYBE(name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)                   \
    SPARSE_P_CAT(SPARSE_P_FILL_IF_, SPARSE_P_NZ_##sparse)(name, type, value)
#define SPARSE_P_FILL_IF_0(name, type, value)
#define SPARSE_P_FILL_IF_1(name, type, value)                                                                               \
    SPARSE_P_DECLARE_FILL(type, SPARSE_P_ELEMENT(value))                                                                    \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) sparse_l_##name##_fill = SPARSE_P_DECODE(value, type##_fill);
/* PATTERN(, record): gives an output the pattern of the operand that it is like, and zeros */
#define SPARSE_P_PATTERN(c, record)        SPARSE_P_PATTERN_ record
#define SPARSE_P_PATTERN_(what, role, ...) SPARSE_P_PATTERN_##what##_##role(__VA_ARGS__)
#define SPARSE_P_PATTERN_0scalar_0W(...)
#define SPARSE_P_PATTERN_0tensor_0W(...)
#define SPARSE_P_PATTERN_0tensor_0U(...)
#define SPARSE_P_PATTERN_0tensor_0K(name, type, value, ...)                                                                 \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_zero = SPARSE_ZERO(SPARSE_P_ELEMENT(value));                            \
    const sparse_result sparse_l_copied = sparse_p_copy_pattern(sparse_l_operand, &sparse_l_##name##_zero);                 \
    if (sparse_l_copied != SPARSE_OK) return sparse_l_copied;
/* FILL(, ((, x), record)): fills a dense output with its initial value, if there is one */
#define SPARSE_P_FILL(c, begun) SPARSE_P_FILL_ begun
#define SPARSE_P_FILL_(initial, what, role, ...)                                                                            \
    SPARSE_P_CAT3(SPARSE_P_FILL_, what, SPARSE_P_IS_ANY initial)(initial, __VA_ARGS__)
#define SPARSE_P_FILL_0assembled0(...)
#define SPARSE_P_FILL_0assembled1(...)
#define SPARSE_P_FILL_0scalar0(...)
#define SPARSE_P_FILL_0scalar1(...)
#define SPARSE_P_FILL_0tensor0(...)
#define SPARSE_P_FILL_0tensor1(initial, name, type, value, ...)                                                             \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_initially = SPARSE_P_ENCODE(value, SPARSE_P_TEXT initial);              \
    sparse_p_fill_values(name, &sparse_l_##name##_initially, sizeof sparse_l_##name##_initially);
#define SPARSE_P_QUOTE(c, i)          SPARSE_P_BY_PAREN(SPARSE_P_QUOTE_, i)(i)
#define SPARSE_P_QUOTE_0(i)           #i
#define SPARSE_P_QUOTE_1(i)           "+"
#define SPARSE_P_SIZE_PARAMETER(c, i) , SPARSE_UNUSED const size_t sparse_l_##i##_size
#define SPARSE_P_SIZE(letters, i)     , sparse_l_size[SPARSE_P_POS(i, letters) - 1]
/* with blocks, the loops are compiled twice: for dimensions that the blocks fill, or slices that the rows
   fill, and for others */
#define SPARSE_P_FLAT_0(loops, wheres)
#define SPARSE_P_FLAT_1(loops, wheres)                                                                                      \
    SPARSE_P_FLATTENED SPARSE_P_EACHF(SPARSE_P_ATTRIBUTE, , loops) SPARSE_P_EACHE(SPARSE_P_WHERE_ATTRIBUTE, , wheres)
#define SPARSE_P_CALL_0(gives, kernel, letters, blocks, arguments) gives kernel##_loops arguments;
#define SPARSE_P_CALL_1(gives, kernel, letters, blocks, arguments)                                                          \
    if (SPARSE_P_FOLDF(SPARSE_P_AND_TEXT, (SPARSE_P_EACHF(SPARSE_P_IS_WHOLE, letters, blocks)))) {                          \
        gives kernel##_loops(SPARSE_P_ID arguments SPARSE_P_EACHF(SPARSE_P_WHOLE, true, blocks));                           \
    } else {                                                                                                                \
        gives kernel##_loops(SPARSE_P_ID arguments SPARSE_P_EACHF(SPARSE_P_WHOLE, false, blocks));                          \
    }
#define SPARSE_P_IS_WHOLE(letters, x)               SPARSE_P_IS_WHOLE_(letters, SPARSE_P_ID x)
#define SPARSE_P_IS_WHOLE_(...)                     SPARSE_P_IS_WHOLE__(__VA_ARGS__)
#define SPARSE_P_IS_WHOLE__(letters, what, d, i, c) SPARSE_P_IS_WHOLE_##what(letters, i, c)
#define SPARSE_P_IS_WHOLE_0block(letters, i, c)     , sparse_l_size[SPARSE_P_POS(i, letters) - 1] % c == 0
#define SPARSE_P_IS_WHOLE_0inner(letters, i, c)     , true
#define SPARSE_P_IS_WHOLE_count(letters, i, c)      , sparse_p_slots_are_taken(sparse_l_operand, sparse_l_operands, #i)
#define SPARSE_P_WHOLE(value, x)                    , value
#define SPARSE_P_WHOLE_PARAMETER(c, x)              SPARSE_P_WHOLE_PARAMETER_ x
#define SPARSE_P_WHOLE_PARAMETER_(what, d, i, c)    SPARSE_P_WHOLE_PARAMETER_##what(i)
#define SPARSE_P_WHOLE_PARAMETER_0block(i)          , const bool sparse_l_##i##_whole
#define SPARSE_P_WHOLE_PARAMETER_0inner(i)          , SPARSE_UNUSED const bool sparse_l_##i##_whole
#define SPARSE_P_WHOLE_PARAMETER_count(i)           , SPARSE_UNUSED const bool sparse_l_##i##_count_whole
/* the sizes of the parts of a blocked index, and that its operands have the same blocks */
#define SPARSE_P_BLOCK_SIZE(c, l)                                 SPARSE_P_BLOCK_SIZE_ l
#define SPARSE_P_BLOCK_SIZE_(key, strategy, variable, kind, i, c) SPARSE_P_LOOP_CELL(SIZED, kind)(i, c)
#define SPARSE_P_BLOCKS_SIZE(i, c)                                                                                          \
    SPARSE_UNUSED const size_t sparse_l_##i##_block_size = sparse_l_##i##_size / c + (sparse_l_##i##_size % c != 0);
#define SPARSE_P_INNER_SIZE(i, c)   enum { sparse_l_##i##_inner_size = c };
#define SPARSE_P_COUNTED_SIZE(i, c) enum { sparse_l_##i##_count_size = c };
#define SPARSE_P_DIAGONALS_SIZE(j, i)                                                                                       \
    SPARSE_UNUSED const size_t sparse_l_##j##_diagonal_size =                                                               \
        sparse_l_##i##_size > 0 && sparse_l_##j##_size > 0 ? sparse_l_##i##_size + sparse_l_##j##_size - 1 : 0;
#define SPARSE_P_WITHIN_SIZE(i, c) enum { sparse_l_##i##_inner_size = SPARSE_P_FIRST c };
/* PARTLY(, loop) -> , ~ if the loop is over a part of an index */
#define SPARSE_P_PARTLY(c, l)                                SPARSE_P_PARTLY_ l
#define SPARSE_P_PARTLY_(key, strategy, variable, kind, ...) SPARSE_P_UNPACK(SPARSE_P_LOOP_CELL(PARTLY, kind))
/* SAME_BLOCKS_1(loops, leaves) -> && 2 == 2 ...: the loops and the levels over a part of an index agree */
#define SPARSE_P_SAME_BLOCKS_0(loops, leaves)
#define SPARSE_P_SAME_BLOCKS_1(loops, leaves)                                                                               \
    SPARSE_P_EACHF(SPARSE_P_SAME_IN_LOOPS, loops, loops) SPARSE_P_EACHE(SPARSE_P_SAME_IN_LEAF, loops, leaves)
#define SPARSE_P_SAME_IN_LOOPS(loops, l)                                     SPARSE_P_SAME_IN_LOOPS_(loops, SPARSE_P_ID l)
#define SPARSE_P_SAME_IN_LOOPS_(...)                                         SPARSE_P_SAME_IN_LOOPS__(__VA_ARGS__)
#define SPARSE_P_SAME_IN_LOOPS__(loops, key, strategy, variable, kind, i, c) SPARSE_P_SAME_LOOP_##kind(i, c, loops)
#define SPARSE_P_SAME_LOOP_0dim(i, c, loops)
#define SPARSE_P_SAME_LOOP_floordiv SPARSE_P_SAME_SIZE_floordiv
#define SPARSE_P_SAME_LOOP_mod      SPARSE_P_SAME_SIZE_mod
#define SPARSE_P_SAME_LOOP_count(i, c, loops)
#define SPARSE_P_SAME_LOOP_minus(i, c, loops)
#define SPARSE_P_SAME_LOOP_0along(i, c, loops)
#define SPARSE_P_SAME_LOOP_0sum(i, c, loops)
#define SPARSE_P_SAME_LOOP_0within(i, c, loops)
#define SPARSE_P_SAME_IN_LEAF(loops, record)      SPARSE_P_SAME_IN_LEAF_(loops, SPARSE_P_ID record)
#define SPARSE_P_SAME_IN_LEAF_(...)               SPARSE_P_SAME_IN_LEAF__(__VA_ARGS__)
#define SPARSE_P_SAME_IN_LEAF__(loops, what, ...) SPARSE_P_SAME_IN_##what(loops, __VA_ARGS__)
#define SPARSE_P_SAME_IN_0scalar(...)
#define SPARSE_P_SAME_IN_0tensor(loops, role, name, type, value, pos, crd, indices, levels, ...)                            \
    SPARSE_P_EACHF(SPARSE_P_SAME_IN_LEVEL, loops, levels)
#define SPARSE_P_SAME_IN_0assembled          SPARSE_P_SAME_IN_0tensor
#define SPARSE_P_SAME_IN_0sliced             SPARSE_P_SAME_IN_0tensor
#define SPARSE_P_SAME_IN_LEVEL(loops, level) SPARSE_P_SAME_IN_LEVEL_(loops, SPARSE_P_ID level)
#define SPARSE_P_SAME_IN_LEVEL_(...)         SPARSE_P_SAME_IN_LEVEL__(__VA_ARGS__)
#define SPARSE_P_SAME_IN_LEVEL__(loops, number, storage, letter, placed, variable, part)                                    \
    SPARSE_P_SAME_IN_PART(loops, letter, SPARSE_P_ID part)
#define SPARSE_P_SAME_IN_PART(...)                     SPARSE_P_SAME_IN_PART_(__VA_ARGS__)
#define SPARSE_P_SAME_IN_PART_(loops, letter, kind, c) SPARSE_P_SAME_SIZE_##kind(letter, c, loops)
#define SPARSE_P_SAME_SIZE_0dim(i, c, loops)
#define SPARSE_P_SAME_SIZE_0plus(i, sum, loops)
#define SPARSE_P_SAME_SIZE_floordiv(i, c, loops) SPARSE_P_EACHG(SPARSE_P_SAME_SIZE, (i, c), loops)
#define SPARSE_P_SAME_SIZE_mod(i, c, loops)      SPARSE_P_EACHG(SPARSE_P_SAME_SIZE, (i##_block, c), loops)
#define SPARSE_P_SAME_SIZE_count(i, c, loops)    SPARSE_P_EACHG(SPARSE_P_SAME_SIZE, (i, c), loops)
#define SPARSE_P_SAME_SIZE_minus(j, i, loops)    SPARSE_P_EACHG(SPARSE_P_SAME_PAIR, (j, i), loops)
#define SPARSE_P_SAME_PAIR(c, l)                 SPARSE_P_SAME_PAIR_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_SAME_PAIR_(...)                 SPARSE_P_SAME_PAIR__(__VA_ARGS__)
#define SPARSE_P_SAME_PAIR__(diagonal, other, key, strategy, variable, kind, j, i)                                          \
    SPARSE_P_SAME_PAIR_##kind(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_0dim(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_floordiv(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_mod(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_count(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_0along(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_0sum(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_0within(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_minus(diagonal, other, key, i)                                                                   \
    SPARSE_P_IFEQ(diagonal, key, &&SPARSE_P_COUNT(~SPARSE_P_SAME(other, i)))
#define SPARSE_P_SAME_SIZE(c, l) SPARSE_P_SAME_SIZE_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_SAME_SIZE_(...) SPARSE_P_SAME_SIZE__(__VA_ARGS__)
#define SPARSE_P_SAME_SIZE__(block, c, key, strategy, variable, kind, i, size)                                              \
    SPARSE_P_IFEQ(block, key, &&c == SPARSE_P_LOOP_CELL(DIVISOR, kind)(size))

/* the parts of an operand, each (c, record) -> text, by what the operand is and its role */

/* -> , double *y_val  or  , const uint32_t *A2_pos, const uint32_t *A2_crd, const double *A_val */
#define SPARSE_P_ARRAYS(c, record)          SPARSE_P_ARRAYS_OF record
#define SPARSE_P_ARRAYS_OF(what, role, ...) SPARSE_P_ARRAYS_##what(role, __VA_ARGS__)
#define SPARSE_P_ARRAYS_0scalar(role, name, value)                                                                          \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name, value)
#define SPARSE_P_ARRAYS_SCALAR_0(name, value)       , SPARSE_UNUSED value name
#define SPARSE_P_ARRAYS_SCALAR_1(name, value)       , value *SPARSE_RESTRICT sparse_l_##name##_val
#define SPARSE_P_ARRAYS_0tensor(role, ...)          SPARSE_P_ARRAYS_(SPARSE_P_ROLE_CELL(ACCESS, role), __VA_ARGS__)
#define SPARSE_P_ARRAYS_0assembled(role, name, ...) , sparse_p_builder *const sparse_l_##name##_to
#define SPARSE_P_ARRAYS_0sliced(role, ...)          SPARSE_P_ARRAYS_SLICED(__VA_ARGS__)
/* -> , const size_t A1_size, const sparse_slice A1_slice, ..., const sparse_slice A2_slice, const double *A_val */
#define SPARSE_P_ARRAYS_SLICED(name, type, value, pos, crd, indices, levels, walks, ...)                                    \
    SPARSE_P_EACHF(SPARSE_P_SLICE_PARAMETER, name, levels)                                                                  \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARRAYS, (name, pos, crd), walks)                                                          \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_VAL_, SPARSE_P_HAS_ARRAY(value))(const, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_SLICE_PARAMETER(A, level)                     SPARSE_P_SLICE_PARAMETER_(A, SPARSE_P_ID level)
#define SPARSE_P_SLICE_PARAMETER_(...)                         SPARSE_P_SLICE_PARAMETER__(__VA_ARGS__)
#define SPARSE_P_SLICE_PARAMETER__(A, n, storage, letter, ...) SPARSE_P_SLICE_PARAMETER_##storage(A, n)
#define SPARSE_P_SLICE_PARAMETER_0V(A, n)                                                                                   \
    , SPARSE_UNUSED const size_t sparse_l_##A##n##_size, const sparse_slice sparse_l_##A##n##_slice
#define SPARSE_P_SLICE_PARAMETER_0S(A, n) , const sparse_slice sparse_l_##A##n##_slice
#define SPARSE_P_SLICE_PARAMETER_0J       SPARSE_P_SLICE_PARAMETER_0V
#define SPARSE_P_SLICE_PARAMETER_0T       SPARSE_P_SLICE_PARAMETER_0S
#define SPARSE_P_SLICE_ARRAYS(c, level)   SPARSE_P_SLICE_ARRAYS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARRAYS_(...)       SPARSE_P_SLICE_ARRAYS__(__VA_ARGS__)
#define SPARSE_P_SLICE_ARRAYS__(A, pos, crd, n, placed, above, iterator)                                                    \
    SPARSE_P_ARRAYS_IN(SLICE_ARRAYS, SPARSE_P_FIRST(SPARSE_P_UNPACK(SPARSE_P_SECOND iterator)))(A, ~, n, pos, crd)
#define SPARSE_P_ARRAYS_(access, name, type, value, pos, crd, indices, levels, walks, ...)                                  \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_SIZE, (name, SPARSE_P_ARRAYS_OWN_SIZE, ~), levels)                                        \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARRAYS, (name, pos, crd), walks)                                                          \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_VAL_, SPARSE_P_HAS_ARRAY(value))(access, SPARSE_P_ELEMENT(value), name)
/* the size of a level that is located by it, and not by that of its index */
#define SPARSE_P_LEVEL_SIZE(c, level) SPARSE_P_LEVEL_SIZE_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_SIZE_(...)     SPARSE_P_LEVEL_SIZE__(__VA_ARGS__)
#define SPARSE_P_LEVEL_SIZE__(A, text, type, n, storage, letter, ...)                                                       \
    SPARSE_P_CAT(SPARSE_P_LEVEL_SIZE_, SPARSE_P_STORAGE_CELL(SIZED, storage))(A, text, type, n)
#define SPARSE_P_ARRAYS_OWN_SIZE(A, type, n, pos, crd) , SPARSE_UNUSED const size_t sparse_l_##A##n##_size
#define SPARSE_P_LEVEL_SIZE_0(A, text, type, n)
#define SPARSE_P_LEVEL_SIZE_1(A, text, type, n) text(A, type, n, ~, ~)
#define SPARSE_P_ARRAYS_VAL_0(access, element, name)
#define SPARSE_P_ARRAYS_VAL_1(access, element, name) , SPARSE_UNUSED access element *SPARSE_RESTRICT sparse_l_##name##_val
#define SPARSE_P_LEVEL_ARRAYS(c, level)              SPARSE_P_LEVEL_ARRAYS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_ARRAYS_(...)                  SPARSE_P_LEVEL_ARRAYS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ARRAYS__(A, pos, crd, n, placed, above, iterator)                                                    \
    SPARSE_P_BY_PAREN(SPARSE_P_LEVEL_ARRAYS_, SPARSE_P_SECOND iterator)(A, pos, crd, n, placed, above, iterator)
#define SPARSE_P_LEVEL_ARRAYS_0(A, pos, crd, n, placed, above, iterator)                                                    \
    SPARSE_P_ARRAYS_IN(ARRAYS, SPARSE_P_FIRST iterator)(A, ~, n, pos, crd)
#define SPARSE_P_LEVEL_ARRAYS_1 SPARSE_P_SLICE_ARRAYS__
/* ARRAYS_IN(ARRAYS, format) -> that cell of the format's row */
#define SPARSE_P_ARRAYS_IN(column, format) SPARSE_P_CELL(SPARSE_P_RANGE_##column, SPARSE_P_CAT(SPARSE_P_RANGE_ROW_, format))

/* the same as arguments, from the tensors */
#define SPARSE_P_ARGUMENTS(c, record)                  SPARSE_P_ARGUMENTS_OF record
#define SPARSE_P_ARGUMENTS_OF(what, role, ...)         SPARSE_P_ARGUMENTS_##what(role, __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_0scalar(role, name, value)  , name
#define SPARSE_P_ARGUMENTS_0tensor(role, ...)          SPARSE_P_ARGUMENTS_(SPARSE_P_ROLE_CELL(ACCESS, role), __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_0assembled(role, name, ...) , sparse_l_##name##_to
#define SPARSE_P_ARGUMENTS_0sliced(role, ...)          SPARSE_P_ARGUMENTS_SLICED(__VA_ARGS__)
#define SPARSE_P_ARGUMENTS_SLICED(name, type, value, pos, crd, indices, levels, walks, ...)                                 \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARGUMENT, (name, type), levels)                                                           \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARGUMENTS, (name, type, pos, crd), walks)                                                 \
    SPARSE_P_CAT(SPARSE_P_ARGUMENTS_VAL_, SPARSE_P_HAS_ARRAY(value))(const, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_SLICE_ARGUMENT(c, level)                           SPARSE_P_SLICE_ARGUMENT_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARGUMENT_(...)                               SPARSE_P_SLICE_ARGUMENT__(__VA_ARGS__)
#define SPARSE_P_SLICE_ARGUMENT__(A, type, n, storage, letter, ...) SPARSE_P_SLICE_ARGUMENT_##storage(A, type, n)
#define SPARSE_P_SLICE_ARGUMENT_0V(A, type, n)                                                                              \
    , sparse_p_lvl_of(A, n), sparse_l_##A##_slice[sparse_p_dim_of(&type##_encoding, n)]
#define SPARSE_P_SLICE_ARGUMENT_0S(A, type, n) , sparse_l_##A##_slice[sparse_p_dim_of(&type##_encoding, n)]
#define SPARSE_P_SLICE_ARGUMENT_0J             SPARSE_P_SLICE_ARGUMENT_0V
#define SPARSE_P_SLICE_ARGUMENT_0T             SPARSE_P_SLICE_ARGUMENT_0S
#define SPARSE_P_SLICE_ARGUMENTS(c, level)     SPARSE_P_SLICE_ARGUMENTS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARGUMENTS_(...)         SPARSE_P_SLICE_ARGUMENTS__(__VA_ARGS__)
#define SPARSE_P_SLICE_ARGUMENTS__(A, type, pos, crd, n, placed, above, iterator)                                           \
    SPARSE_P_ARRAYS_IN(SLICE_ARGUMENTS, SPARSE_P_FIRST(SPARSE_P_UNPACK(SPARSE_P_SECOND iterator)))(A, type, n, pos, crd)
#define SPARSE_P_ARGUMENTS_(access, name, type, value, pos, crd, indices, levels, walks, ...)                               \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_SIZE, (name, SPARSE_P_ARGUMENTS_SIZE, type), levels)                                      \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARGUMENTS, (name, type, pos, crd), walks)                                                 \
    SPARSE_P_CAT(SPARSE_P_ARGUMENTS_VAL_, SPARSE_P_HAS_ARRAY(value))(access, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_ARGUMENTS_VAL_0(access, element, name)
#define SPARSE_P_ARGUMENTS_VAL_1(access, element, name) , (access element *)sparse_p_val_of(name)
#define SPARSE_P_LEVEL_ARGUMENTS(c, level)              SPARSE_P_LEVEL_ARGUMENTS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_ARGUMENTS_(...)                  SPARSE_P_LEVEL_ARGUMENTS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ARGUMENTS__(A, type, pos, crd, n, placed, above, iterator)                                           \
    SPARSE_P_BY_PAREN(SPARSE_P_LEVEL_ARGUMENTS_, SPARSE_P_SECOND iterator)(A, type, pos, crd, n, placed, above, iterator)
#define SPARSE_P_LEVEL_ARGUMENTS_0(A, type, pos, crd, n, placed, above, iterator)                                           \
    SPARSE_P_ARRAYS_IN(ARGUMENTS, SPARSE_P_FIRST iterator)(A, type, n, pos, crd)
#define SPARSE_P_LEVEL_ARGUMENTS_1 SPARSE_P_SLICE_ARGUMENTS__

/* the same as parameters of the kernel -> , vec *y  or  , const csr *A  or  , double alpha */
#define SPARSE_P_PARAMETER(c, record)          SPARSE_P_PARAMETER_OF record
#define SPARSE_P_PARAMETER_OF(what, role, ...) SPARSE_P_PARAMETER_##what(role, __VA_ARGS__)
#define SPARSE_P_PARAMETER_0scalar(role, name, value)                                                                       \
    SPARSE_P_CAT(SPARSE_P_PARAMETER_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name, value)
#define SPARSE_P_PARAMETER_SCALAR_0(name, value)             , value name
#define SPARSE_P_PARAMETER_SCALAR_1(name, value)             , value *name
#define SPARSE_P_PARAMETER_0tensor(role, name, type, ...)    , SPARSE_P_ROLE_CELL(ACCESS, role) type *name
#define SPARSE_P_PARAMETER_0assembled(role, name, type, ...) , type *name
#define SPARSE_P_PARAMETER_0sliced(role, name, type, ...)    , const type *name, const sparse_slice *sparse_l_##name##_slice

/* the same as a row of the table that is checked -> , {&csr_encoding, A, "ij", reads} */
#define SPARSE_P_OPERAND(c, record)          SPARSE_P_OPERAND_OF record
#define SPARSE_P_OPERAND_OF(what, role, ...) SPARSE_P_OPERAND_##what(role, __VA_ARGS__)
#define SPARSE_P_OPERAND_0scalar(role, name, value)                                                                         \
    SPARSE_P_CAT(SPARSE_P_OPERAND_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name)
#define SPARSE_P_OPERAND_SCALAR_0(name)
#define SPARSE_P_OPERAND_SCALAR_1(name)                                                                                     \
    , { NULL, name, "", SPARSE_WRITES SPARSE_P_OPERAND_NAME(#name) }
#define SPARSE_P_OPERAND_0tensor(role, name, type, value, pos, crd, indices, ...)                                           \
    SPARSE_P_OPERAND_(SPARSE_P_ROLE_CELL(TOLD, role), name, type, value, pos, crd, indices, ~)                              \
    SPARSE_P_SUMS_ROW(name, indices)
#define SPARSE_P_OPERAND_0assembled(role, ...) SPARSE_P_OPERAND_(SPARSE_ASSEMBLES, __VA_ARGS__)
#define SPARSE_P_OPERAND_0sliced(role, name, type, value, pos, crd, indices, ...)                                           \
    SPARSE_P_OPERAND_(SPARSE_SLICES, name, type, value, pos, crd, indices, ~),                                              \
        {NULL, sparse_l_##name##_slice, "", SPARSE_READS SPARSE_P_OPERAND_NAME(#name)} SPARSE_P_SUMS_ROW(name, indices)
#define SPARSE_P_OPERAND_(access, name, type, value, pos, crd, indices, ...)                                                \
    , { &type##_encoding, name, SPARSE_P_EACHF(SPARSE_P_QUOTE, , indices), access SPARSE_P_OPERAND_NAME(#name) }
#if SPARSE_EXPLAIN
    #define SPARSE_P_OPERAND_NAME(name) , name
#else
    #define SPARSE_P_OPERAND_NAME(name) , NULL
#endif
#define SPARSE_P_SUMS_ROW(name, indices)                                                                                    \
    SPARSE_P_CAT(SPARSE_P_SUMS_ROW_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SUM, , indices)))(name)
#define SPARSE_P_SUMS_ROW_0(name)
#define SPARSE_P_SUMS_ROW_1(name)                                                                                           \
    , { NULL, &sparse_l_##name##_sums, "", SPARSE_SUMS SPARSE_P_OPERAND_NAME(#name) }
/* what is declared for an operand: its type, before the kernel, and its sums, as numbers */
#define SPARSE_P_TYPED(what, ...) SPARSE_P_TYPED_##what(__VA_ARGS__)
#define SPARSE_P_TYPED_0scalar(role, name, value)
#define SPARSE_P_TYPED_0sliced                        SPARSE_P_TYPED_0tensor
#define SPARSE_P_TYPED_0assembled                     SPARSE_P_TYPED_0tensor
#define SPARSE_P_TYPED_0tensor(role, name, type, ...) SPARSE_P_DECLARE_TYPE(type)
#define SPARSE_P_DECLARE(what, ...)                   SPARSE_P_DECLARE_##what(__VA_ARGS__)
#define SPARSE_P_DECLARE_0scalar(role, name, value)
#define SPARSE_P_DECLARE_0sliced SPARSE_P_DECLARE_0tensor
#define SPARSE_P_DECLARE_0assembled(...)
#define SPARSE_P_DECLARE_0tensor(role, name, type, value, pos, crd, indices, ...)                                           \
    SPARSE_P_CAT(SPARSE_P_SUMS_IF_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SUM, , indices)))(name, indices)
#define SPARSE_P_SUMS_IF_0(name, indices)
#define SPARSE_P_SUMS_IF_1(name, indices)                                                                                   \
    const ptrdiff_t sparse_l_##name##_terms[] = {SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_NUMBERS_OF, , indices))};            \
    const sparse_p_sums sparse_l_##name##_sums = {sparse_p_bind_sums, sparse_p_sum_sizes, sparse_l_##name##_terms};
#define SPARSE_P_NUMBERS_OF(c, x) SPARSE_P_BY_PAREN(SPARSE_P_NUMBERS_OF_, x)(x)
#define SPARSE_P_NUMBERS_OF_0(x)
#define SPARSE_P_NUMBERS_OF_1(x) SPARSE_P_NUMBERS_OF_SUM x
#define SPARSE_P_NUMBERS_OF_SUM(edge, terms, constants, written)                                                            \
    , SPARSE_P_IS_PADDED_##edge, SPARSE_P_COUNT(~SPARSE_P_ID terms) SPARSE_P_EACHG(SPARSE_P_NUMBERS_OF_TERM, , terms),      \
        SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, (, 0 SPARSE_P_EACHG(SPARSE_P_SIGNED, , constants)))
#define SPARSE_P_IS_PADDED_0valid             0
#define SPARSE_P_IS_PADDED_0padded            1
#define SPARSE_P_SIGNED(c, constant)          , (ptrdiff_t)(constant)
#define SPARSE_P_NUMBERS_OF_TERM(c, term)     SPARSE_P_NUMBERS_OF_TERM_ term
#define SPARSE_P_NUMBERS_OF_TERM_(loop, c, i) , #i[0], (ptrdiff_t)(SPARSE_P_FACTOR(c))

/* before and after the loops: a scalar output is accumulated in a register */
#define SPARSE_P_ACCUMULATE(c, begun) SPARSE_P_ACCUMULATE_ begun
#define SPARSE_P_ACCUMULATE_(initial, what, role, ...)                                                                      \
    SPARSE_P_CAT3(SPARSE_P_ACCUMULATE_, what, SPARSE_P_IS_ANY initial)(initial, __VA_ARGS__)
#define SPARSE_P_ACCUMULATE_0scalar0(initial, name, value) value name = *sparse_l_##name##_val;
#define SPARSE_P_ACCUMULATE_0scalar1(initial, name, value) value name = SPARSE_P_TEXT initial;
#define SPARSE_P_ACCUMULATE_0tensor0(...)
#define SPARSE_P_ACCUMULATE_0tensor1(...)
#define SPARSE_P_ACCUMULATE_0assembled1 SPARSE_P_ACCUMULATE_0assembled0
#define SPARSE_P_ACCUMULATE_0assembled0(initial, name, type, value, pos, crd, indices, levels, steps, nlev, placed, last,   \
                                        prefix, known, mode, rank)                                                          \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_init = SPARSE_P_INITIAL(value, initial);                                \
    size_t sparse_l_n##name = 0;
#define SPARSE_P_ACCUMULATED(c, record)            SPARSE_P_ACCUMULATED_OF_A record
#define SPARSE_P_ACCUMULATED_OF_A(what, role, ...) SPARSE_P_ACCUMULATED_##what(__VA_ARGS__)
#define SPARSE_P_ACCUMULATED_0scalar(name, value)  *sparse_l_##name##_val = name;
#define SPARSE_P_ACCUMULATED_0tensor(...)
#define SPARSE_P_ACCUMULATED_0assembled(name, type, value, pos, crd, indices, levels, steps, nlev, placed, last, prefix,    \
                                        known, mode, rank)                                                                  \
    SPARSE_P_MODE_CELL(COUNT, mode)(name, last, prefix)

/* >>checks
   ERRORS(kernel, loops, letters, outs, leaves) -> , "sentence", ...: nothing if the line is sound */
#define SPARSE_P_LOOP_ERRORS(kernel, loops, letters)                                                                        \
    SPARSE_P_EACHE(SPARSE_P_BLOCK_ERROR, (kernel, letters), loops)                                                          \
    SPARSE_P_EACHE(SPARSE_P_LOOP_ERROR, (kernel, letters), (, SPARSE_P_ID letters))
#define SPARSE_P_LOOP_COUNT(kernel, letters) SPARSE_P_BY_EIGHT(SPARSE_P_LOOP_COUNT_, SPARSE_P_ID letters)(kernel)
#define SPARSE_P_LOOP_COUNT_1(kernel)
#define SPARSE_P_LOOP_COUNT_0(kernel) , (#kernel ": more than 8 loops")
#define SPARSE_P_LOOP_ERROR(c, l)     SPARSE_P_LOOP_ERROR_(SPARSE_P_ID c, l)
#define SPARSE_P_LOOP_ERROR_(...)     SPARSE_P_LOOP_ERROR__(__VA_ARGS__)
#define SPARSE_P_LOOP_ERROR__(kernel, letters, l)                                                                           \
    SPARSE_P_IF_MANY(SPARSE_P_AMOUNT(~SPARSE_P_EACHF(SPARSE_P_SAME, l, (, SPARSE_P_ID letters))),                           \
                     #kernel ": two loops have the index " #l)
/* BLOCK_ERROR((kernel, letters), loop): the blocks of an index come before what is inside them */
#define SPARSE_P_BLOCK_ERROR(c, l) SPARSE_P_BLOCK_ERROR_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_BLOCK_ERROR_(...) SPARSE_P_BLOCK_ERROR__(__VA_ARGS__)
#define SPARSE_P_BLOCK_ERROR__(kernel, letters, key, strategy, variable, kind, i, c)                                        \
    SPARSE_P_BLOCK_ERROR_##kind(kernel, letters, i, c)                                                                      \
        SPARSE_P_ASKS_CELL(PLACE, strategy)(kernel, SPARSE_P_POS(key, letters), letters, key, c)
#define SPARSE_P_PLACE_INNERMOST(kernel, d, letters, i, c)                                                                  \
    SPARSE_P_CAT(SPARSE_P_INNERMOST_, SPARSE_P_CMP(d, SPARSE_P_COUNT(~, SPARSE_P_ID letters)))(kernel, i)
#define SPARSE_P_PLACE_AROUND(kernel, d, letters, i, c)                                                                     \
    SPARSE_P_CAT(SPARSE_P_AROUND_, SPARSE_P_CMP(SPARSE_P_CAT(SPARSE_P_INC_, d), SPARSE_P_COUNT(~, SPARSE_P_ID letters)))    \
    (kernel, i)
#define SPARSE_P_AROUND_0h(kernel, i)
#define SPARSE_P_AROUND_0b(kernel, i) , (#kernel ": unroll(" #i ") must be the loop around the innermost")
#define SPARSE_P_AROUND_0a            SPARSE_P_AROUND_0b
#define SPARSE_P_PLACE_ALONG(kernel, d, letters, i, c)                                                                      \
    SPARSE_P_PLACE_INNERMOST(kernel, SPARSE_P_CAT(SPARSE_P_INC_, d), letters, i, c)
#define SPARSE_P_INNERMOST_0h(kernel, i)
#define SPARSE_P_INNERMOST_0b(kernel, i) , (#kernel ": simd(" #i ") must be the innermost loop")
/* a strategy that needs a number, and has none: c is its word */
#define SPARSE_P_PLACE_SHORT(kernel, d, letters, i, c)                                                                      \
    , (#kernel ": " #c "(" #i ") needs a second argument, as tile(" #i ", 64), range(" #i ", 3) or let(" #i ", 2 * j)")
#define SPARSE_P_BLOCK_ERROR_0dim(kernel, letters, i, c)
#define SPARSE_P_BLOCK_ERROR_0bad(kernel, letters, i, x)                                                                    \
    , (#kernel ": " SPARSE_P_CAT(SPARSE_P_NO_LOOP_, SPARSE_P_ENDS(x))(x) ": use letters a to z, and commas between them")
#define SPARSE_P_NO_LOOP_0(x) #x " is not an index name"
#define SPARSE_P_NO_LOOP_1(x) "an index is missing among the loops"
#define SPARSE_P_BLOCK_ERROR_floordiv(kernel, letters, i, c)                                                                \
    SPARSE_P_CAT(SPARSE_P_BLOCK_ORDER_, SPARSE_P_CMP(SPARSE_P_POS(i##_block, letters), SPARSE_P_POS(i, letters)))           \
    (kernel, i, c)
#define SPARSE_P_BLOCK_ERROR_mod(kernel, letters, i, c)                                                                     \
    SPARSE_P_CAT(SPARSE_P_BLOCK_PAIR_, SPARSE_P_NZ(SPARSE_P_POS(i##_block, letters)))(kernel, i, c)
#define SPARSE_P_BLOCK_ERROR_count(kernel, letters, i, c)
#define SPARSE_P_BLOCK_ERROR_0along(kernel, letters, i, c)
#define SPARSE_P_BLOCK_ERROR_0sum(kernel, letters, i, c)
#define SPARSE_P_BLOCK_ERROR_0within(kernel, letters, i, c) SPARSE_P_BLOCK_ERROR_mod(kernel, letters, i, SPARSE_P_FIRST c)
/* a loop over j that is derived counts, too */
#define SPARSE_P_BLOCK_ERROR_minus(kernel, letters, j, i)                                                                   \
    SPARSE_P_LOOP_COUNT(kernel, letters)                                                                                    \
    SPARSE_P_CAT3(SPARSE_P_DIAGONAL_, SPARSE_P_CMP(SPARSE_P_POS(j##_diagonal, letters), SPARSE_P_POS(i, letters)),          \
                  SPARSE_P_NZ(SPARSE_P_POS(j, letters)))                                                                    \
    (kernel, j, i)
#define SPARSE_P_DIAGONAL_0b1(kernel, j, i)
#define SPARSE_P_DIAGONAL_0b0(kernel, j, i)                                                                                 \
    , (#kernel ": the loop minus(" #j ", " #i ") needs the loop " #i " inside it; there " #j " follows from both")
#define SPARSE_P_DIAGONAL_0a0 SPARSE_P_DIAGONAL_0b0
#define SPARSE_P_DIAGONAL_0a1 SPARSE_P_DIAGONAL_0b0
#define SPARSE_P_BLOCK_ORDER_0b(kernel, i, c)
#define SPARSE_P_BLOCK_ORDER_0h(kernel, i, c)                                                                               \
    , (#kernel ": the loop floordiv(" #i ", " #c ") needs the loop mod(" #i ", " #c ") inside it")
#define SPARSE_P_BLOCK_ORDER_0a SPARSE_P_BLOCK_ORDER_0h
#define SPARSE_P_BLOCK_PAIR_1(kernel, i, c)
#define SPARSE_P_BLOCK_PAIR_0(kernel, i, c)                                                                                 \
    , (#kernel ": the loop mod(" #i ", " #c ") needs the loop floordiv(" #i ", " #c ") around it")
/* IF_0(n, text) -> , (text) if n is 0, and not 1; UNLESS_ONE and IF_MANY of what AMOUNT(~, ~) -> 0none, 0one, 0many */
#define SPARSE_P_IF_0(n, text) SPARSE_P_CAT(SPARSE_P_IF_0_, n)(text)
#define SPARSE_P_IF_0_0(text)  , (text)
#define SPARSE_P_IF_0_1(text)
#define SPARSE_P_AMOUNT(...)                                                                                                \
    SPARSE_P_COUNT_(__VA_ARGS__, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, \
                    0many, 0many, 0one, 0none, ~)
#define SPARSE_P_UNLESS_ONE(amount, text) SPARSE_P_CAT(SPARSE_P_UNLESS_ONE_, amount)(text)
#define SPARSE_P_UNLESS_ONE_0none(text)   , (text)
#define SPARSE_P_UNLESS_ONE_0one(text)
#define SPARSE_P_UNLESS_ONE_0many(text) , (text)
#define SPARSE_P_IF_MANY(amount, text)  SPARSE_P_CAT(SPARSE_P_IF_MANY_, amount)(text)
#define SPARSE_P_IF_MANY_0none(text)
#define SPARSE_P_IF_MANY_0one(text)
#define SPARSE_P_IF_MANY_0many(text) , (text)

#define SPARSE_P_LEAF_COUNT_0few(kernel)
#define SPARSE_P_LEAF_COUNT_0many(kernel) , (#kernel ": more than 12 operands")
#define SPARSE_P_ERRORS(kernel, loops, letters, outs, leaves, works)                                                        \
    SPARSE_P_EACHE(SPARSE_P_LEAF_ERRORS, (kernel, letters), leaves)                                                         \
    SPARSE_P_EACHH(SPARSE_P_UNBOUND,                                                                                        \
                   (kernel, (SPARSE_P_EACHE(SPARSE_P_INDICES, , leaves) SPARSE_P_EACHF(SPARSE_P_RANGED, , loops))), loops)  \
    SPARSE_P_NAME_ERRORS(kernel, (SPARSE_P_EACHE(SPARSE_P_LETTERED, , leaves) SPARSE_P_ID works))                           \
    SPARSE_P_EACHH(SPARSE_P_STRATEGY_ERRORS, (kernel, outs), loops)                                                         \
    SPARSE_P_CAT(SPARSE_P_ERRORS_OF_DERIVED_, SPARSE_P_IS_ANY(SPARSE_P_EACHH(SPARSE_P_IS_DERIVED, , loops)))                \
    (kernel, leaves, loops)

#define SPARSE_P_LEAF_ERRORS(c, record)                    SPARSE_P_LEAF_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_LEAF_ERRORS_(...)                         SPARSE_P_LEAF_ERRORS__(__VA_ARGS__)
#define SPARSE_P_LEAF_ERRORS__(kernel, letters, what, ...) SPARSE_P_LEAF_ERRORS_##what(kernel, letters, __VA_ARGS__)
#define SPARSE_P_LEAF_ERRORS_0scalar(kernel, letters, role, name, value)                                                    \
    SPARSE_P_NAME_ERROR(kernel, letters, name)                                                                              \
    SPARSE_P_CAT(SPARSE_P_TYPE_ERROR_, SPARSE_P_IS_LETTER(value))                                                           \
    (kernel, letters, name, value) SPARSE_P_SCALAR_ERROR_##role(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0M(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0O(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0N(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0W(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0U(kernel, name) , (#kernel ": update and like are of tensors, and " #name " is a scalar")
/* of (y, i), where the descriptor is forgotten; a type of C may have one letter, too */
#define SPARSE_P_TYPE_ERROR_0(kernel, letters, name, value)
#define SPARSE_P_TYPE_ERROR_1(kernel, letters, name, value)                                                                 \
    SPARSE_P_CAT(SPARSE_P_TYPE_ERROR_1, SPARSE_P_NZ(SPARSE_P_POS(value, letters)))(kernel, letters, ~, name, value)
#define SPARSE_P_TYPE_ERROR_10(kernel, letters, role, name, value)
#define SPARSE_P_TYPE_ERROR_11 SPARSE_P_LEAF_ERRORS_0odd
#define SPARSE_P_NAME_ERROR(kernel, letters, name)                                                                          \
    SPARSE_P_CAT(SPARSE_P_NAME_ERROR_, SPARSE_P_NZ(SPARSE_P_POS(name, letters)))                                            \
    (kernel, name) SPARSE_P_CAT(SPARSE_P_KEYWORD_ERROR_, SPARSE_P_SECOND(SPARSE_P_KEYWORD_##name, 0))(kernel, name)
#define SPARSE_P_KEYWORD_ERROR_0(kernel, name)
#define SPARSE_P_KEYWORD_ERROR_1(kernel, name) , (#kernel ": " #name " is a word or a type of C, and cannot name an operand")
#define SPARSE_P_NAME_ERROR_0(kernel, name)
#define SPARSE_P_NAME_ERROR_1(kernel, name) , (#kernel ": operand " #name " has the name of an index")
#define SPARSE_P_LEAF_ERRORS_0odd(kernel, letters, role, name, value)                                                       \
    , (#kernel ": " SPARSE_P_CAT(SPARSE_P_NO_TYPE_, SPARSE_P_ENDS(value))(name, value))
#define SPARSE_P_NO_TYPE_0(name, value)                          "operand " #name ": " #value " is not the descriptor of a storage type"
#define SPARSE_P_NO_TYPE_1(name, value)                          "operand " #name " has no type: write (" #name ", double), or (" #name ", VEC, i)"
#define SPARSE_P_LEAF_ERRORS_0refused(kernel, letters, why, ...) , SPARSE_P_REFUSED_##why(kernel, __VA_ARGS__)
#define SPARSE_P_REFUSED_0deep(kernel, ...)                      (#kernel ": all, any and none nest more than three deep")
#define SPARSE_P_REFUSED_0adjoined(kernel, ...)                  (#kernel ": a comma is missing between two operands")
#define SPARSE_P_REFUSED_0many(kernel, ...)                      (#kernel ": more than 12 operands")
#define SPARSE_P_REFUSED_0loops(kernel, ...)                     (#kernel ": more than 8 loops")
#define SPARSE_P_REFUSED_0word(kernel, ...)                                                                                 \
    (#kernel ": the operands must be all(...), any(...) or none(...) of operands in parentheses,"                           \
             " or, directly in all(...), a workspace where(...)")
#define SPARSE_P_REFUSED_0views(kernel, ...) (#kernel ": an operand is slice(...) or padded(...), but not one of the other")
#define SPARSE_P_REFUSED_0short(kernel, ...)                                                                                \
    (#kernel ": a workspace must be where((name, TYPE, indices), (loops), operands, statement)")
#define SPARSE_P_REFUSED_0unknown(kernel, ...)                                                                              \
    (#kernel ": the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these"                \
             " in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices)")
#define SPARSE_P_REFUSED_0named(kernel, name) (#kernel ": " SPARSE_P_CAT(SPARSE_P_NOT_NAMED_, SPARSE_P_ENDS(name))(name))
#define SPARSE_P_NOT_NAMED_0(name)            #name " is not a name; a macro, such as I of <complex.h>, cannot name an operand"
#define SPARSE_P_NOT_NAMED_1(name)            "an operand has no name: write (x, double), or (x, VEC, i)"
/* names of one letter that occur twice: only those can be compared here */
#define SPARSE_P_LETTERED(c, record)               SPARSE_P_LETTERED_ record
#define SPARSE_P_LETTERED_(what, ...)              SPARSE_P_LETTERED_##what(__VA_ARGS__)
#define SPARSE_P_LETTERED_0scalar(role, name, ...) , name
#define SPARSE_P_LETTERED_0tensor                  SPARSE_P_LETTERED_0scalar
#define SPARSE_P_LETTERED_0assembled               SPARSE_P_LETTERED_0scalar
#define SPARSE_P_LETTERED_0sliced                  SPARSE_P_LETTERED_0scalar
#define SPARSE_P_LETTERED_0odd(...)
#define SPARSE_P_LETTERED_0refused(...)
#define SPARSE_P_NAME_ERRORS(kernel, names) SPARSE_P_EACHE(SPARSE_P_NAMED_TWICE, (kernel, names), names)
#define SPARSE_P_NAMED_TWICE(c, name)       SPARSE_P_NAMED_TWICE_(SPARSE_P_ID c, name)
#define SPARSE_P_NAMED_TWICE_(...)          SPARSE_P_NAMED_TWICE__(__VA_ARGS__)
#define SPARSE_P_NAMED_TWICE__(kernel, names, name)                                                                         \
    SPARSE_P_IF_MANY(SPARSE_P_AMOUNT(~SPARSE_P_EACHF(SPARSE_P_SAME, name, names)),                                          \
                     #kernel ": two operands have the name " #name)
#define SPARSE_P_LEAF_ERRORS_0tensor(kernel, letters, role, name, type, value, pos, crd, indices, levels, walks, nlev,      \
                                     placed, sparse, rank)                                                                  \
    SPARSE_P_TENSOR_ERRORS(kernel, letters, role, name, type, value, indices, levels, rank)                                 \
    SPARSE_P_CAT(SPARSE_P_WALK_ERRORS_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_IS_SUM, , indices)))(kernel, name, walks)
#define SPARSE_P_TENSOR_ERRORS(kernel, letters, role, name, type, value, indices, levels, rank)                             \
    SPARSE_P_NAME_ERROR(kernel, letters, name)                                                                              \
    SPARSE_P_IF_0(SPARSE_P_IS_ANY(SPARSE_P_SAME(SPARSE_P_COUNT(~SPARSE_P_ID indices), rank)), #kernel                       \
                  ": operand " #name " has the wrong number of indices: its storage type " #type " has rank " #rank)        \
    SPARSE_P_EACHG(SPARSE_P_INDEX_ERRORS, (kernel, letters, name), indices)                                                 \
    SPARSE_P_EACHG(SPARSE_P_LEVEL_ERRORS, (kernel, letters, role, name), levels)                                            \
    SPARSE_P_CAT(SPARSE_P_VALUE_ERROR_, SPARSE_P_HAS_ARRAY(value))(role, kernel, name, type)
#define SPARSE_P_VALUE_ERROR_1(role, kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0(role, kernel, name, type) SPARSE_P_VALUE_ERROR_0_##role(kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0_0M(kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0_0O(kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0_0N(kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0_0W(kernel, name, type)                                                                       \
    , (#kernel ": output " #name " cannot be written: its storage type " #type " has a constant for a "                     \
               "value")
#define SPARSE_P_VALUE_ERROR_0_0A SPARSE_P_VALUE_ERROR_0_0W
#define SPARSE_P_VALUE_ERROR_0_0U SPARSE_P_VALUE_ERROR_0_0W
#define SPARSE_P_VALUE_ERROR_0_0K SPARSE_P_VALUE_ERROR_0_0W
#define SPARSE_P_LEAF_ERRORS_0assembled(kernel, letters, role, name, type, value, pos, crd, indices, levels, steps, nlev,   \
                                        placed, last, prefix, known, mode, rank)                                            \
    SPARSE_P_TENSOR_ERRORS(kernel, letters, 0A, name, type, value, indices, levels, rank)                                   \
    SPARSE_P_EACHG(SPARSE_P_NEVER, (kernel, name), steps)
/* over a sum, and in a slice, a level runs through what is in order */
#define SPARSE_P_WALK_ERRORS_0(kernel, name, walks)
#define SPARSE_P_WALK_ERRORS_1(kernel, name, walks)                                                                         \
    SPARSE_P_EACHG(SPARSE_P_WALK_ERROR, (kernel, name, "a sum", "sums"), walks)
#define SPARSE_P_LEAF_ERRORS_0sliced(kernel, letters, role, name, type, value, pos, crd, indices, levels, walks, nlev,      \
                                     placed, sparse, rank)                                                                  \
    SPARSE_P_TENSOR_ERRORS(kernel, letters, role, name, type, value, indices, levels, rank)                                 \
    SPARSE_P_EACHG(SPARSE_P_WALK_ERROR, (kernel, name, "a slice", "slices"), walks)
#define SPARSE_P_WALK_ERROR(c, walk) SPARSE_P_WALK_ERROR_(SPARSE_P_ID c, SPARSE_P_ID walk)
#define SPARSE_P_WALK_ERROR_(...)    SPARSE_P_WALK_ERROR__(__VA_ARGS__)
#define SPARSE_P_WALK_ERROR__(kernel, name, one, many, number, placed, above, iterator)                                     \
    SPARSE_P_BY_PAREN(SPARSE_P_WALK_ERROR_, SPARSE_P_SECOND iterator)(kernel, name, one, many, SPARSE_P_ID iterator)
#define SPARSE_P_WALK_ERROR_0(kernel, name, ...)
#define SPARSE_P_WALK_ERROR_1(...) SPARSE_P_WALK_ERROR_IN(__VA_ARGS__)
#define SPARSE_P_WALK_ERROR_IN(kernel, name, one, many, format, n, walk, parent, head, stride, ...)                         \
    SPARSE_P_CAT(SPARSE_P_WALK_ERROR_OF_, SPARSE_P_IS_PAREN(SPARSE_P_CRD_ROW_##stride))(kernel, name, one, many, walk)
#define SPARSE_P_WALK_ERROR_OF_0(kernel, name, one, many, walk)                                                             \
    , (#kernel ": operand " #name ": " many " are of levels that store coordinates, and this level type does not")
#define SPARSE_P_WALK_ERROR_OF_1(kernel, name, one, many, walk)                                                             \
    SPARSE_P_CAT3(SPARSE_P_IF_LOOSE_, SPARSE_P_WALK_CELL(ORDER, walk), SPARSE_P_WALK_CELL(ONCE, walk))(kernel, name, one)
#define SPARSE_P_IF_LOOSE_0ordered1(kernel, name, one)
#define SPARSE_P_IF_LOOSE_0ordered0(kernel, name, one)                                                                      \
    , (#kernel ": operand " #name ": " one " needs levels that are ordered, the last of them unique")
#define SPARSE_P_IF_LOOSE_0unordered1               SPARSE_P_IF_LOOSE_0ordered0
#define SPARSE_P_IF_LOOSE_0unordered0               SPARSE_P_IF_LOOSE_0ordered0
#define SPARSE_P_NEVER(c, step)                     SPARSE_P_NEVER_(SPARSE_P_ID c, SPARSE_P_ID step)
#define SPARSE_P_NEVER_(...)                        SPARSE_P_NEVER__(__VA_ARGS__)
#define SPARSE_P_NEVER__(kernel, name, n, how, ...) SPARSE_P_HOW_CELL(ERROR, how)(kernel, name)
#define SPARSE_P_INDEX_ERRORS(c, l)                 SPARSE_P_INDEX_ERRORS_(SPARSE_P_ID c, l)
#define SPARSE_P_INDEX_ERRORS_(...)                 SPARSE_P_INDEX_ERRORS__(__VA_ARGS__)
#define SPARSE_P_INDEX_ERRORS__(kernel, letters, name, l)                                                                   \
    SPARSE_P_CAT(SPARSE_P_INDEX_ERROR_, SPARSE_P_SUM_OR_LETTER(l))(kernel, letters, name, l)
#define SPARSE_P_SUM_OR_LETTER(l)                            SPARSE_P_BY_PAREN(SPARSE_P_SUM_OR_LETTER_, l)(l)
#define SPARSE_P_SUM_OR_LETTER_0(l)                          SPARSE_P_IS_LETTER(l)
#define SPARSE_P_SUM_OR_LETTER_1(l)                          0plus
#define SPARSE_P_INDEX_ERROR_0plus(kernel, letters, name, x) SPARSE_P_SUM_ERRORS(kernel, letters, name, SPARSE_P_ID x)
#define SPARSE_P_SUM_ERRORS(...)                             SPARSE_P_SUM_ERRORS_(__VA_ARGS__)
#define SPARSE_P_SUM_ERRORS_(kernel, letters, name, edge, terms, constants, written)                                        \
    SPARSE_P_CAT(SPARSE_P_SUM_EMPTY_, SPARSE_P_IS_ANY written)                                                              \
    (kernel, name) SPARSE_P_EACHH(SPARSE_P_TERM_ERROR, (kernel, name, written), written)
#define SPARSE_P_SUM_EMPTY_1(kernel, name)
#define SPARSE_P_SUM_EMPTY_0(kernel, name)                                                                                  \
    , (#kernel ": operand " #name ": a sum needs an index, and what is in parentheses is a constant")
#define SPARSE_P_TERM_ERROR(c, term) SPARSE_P_TERM_ERROR_(SPARSE_P_ID c, SPARSE_P_ID term)
#define SPARSE_P_TERM_ERROR_(...)    SPARSE_P_TERM_ERROR__(__VA_ARGS__)
#define SPARSE_P_TERM_ERROR__(kernel, name, written, loop, c, i)                                                            \
    SPARSE_P_CAT3(SPARSE_P_TERM_ERROR_, SPARSE_P_IS_LETTER(i), SPARSE_P_NZ(loop))(kernel, name, written, i)
#define SPARSE_P_TERM_ERROR_00(kernel, name, written, i)                                                                    \
    , (#kernel ": operand " #name ": " SPARSE_P_QUOTED i                                                                    \
               " is no term of a sum: these are indices, times(2, i), and constants in parentheses")
#define SPARSE_P_QUOTED(...)                             #__VA_ARGS__
#define SPARSE_P_TERM_ERROR_10(kernel, name, written, i) , (#kernel ": operand " #name ": no loop over index " #i)
#define SPARSE_P_TERM_ERROR_11(kernel, name, written, i)                                                                    \
    SPARSE_P_IF_MANY(SPARSE_P_AMOUNT(~SPARSE_P_EACHF(SPARSE_P_SAME_TERM, i, written)),                                      \
                     #kernel ": operand " #name ": index " #i " comes twice in a sum; use times(2, " #i ")")
#define SPARSE_P_SAME_TERM(i, term)         SPARSE_P_SAME_TERM_(i, SPARSE_P_ID term)
#define SPARSE_P_SAME_TERM_(...)            SPARSE_P_SAME_TERM__(__VA_ARGS__)
#define SPARSE_P_SAME_TERM__(i, loop, c, j) SPARSE_P_CAT(SPARSE_P_SAME_IF_, SPARSE_P_IS_LETTER(j))(i, j)
#define SPARSE_P_SAME_IF_0(i, j)
#define SPARSE_P_SAME_IF_1(i, j) SPARSE_P_SAME(i, j)
#define SPARSE_P_INDEX_ERROR_0(kernel, letters, name, l)                                                                    \
    , (#kernel ": operand " #name ": " SPARSE_P_CAT(SPARSE_P_NO_INDEX_, SPARSE_P_ENDS(l))(l))
#define SPARSE_P_NO_INDEX_0(l) "no loop over index " #l
#define SPARSE_P_NO_INDEX_1(l) "an index is missing"
#define SPARSE_P_INDEX_ERROR_1(kernel, letters, name, l)                                                                    \
    SPARSE_P_IF_0(SPARSE_P_NZ(SPARSE_P_POS(l, letters)), #kernel ": operand " #name ": no loop over index " #l)
#define SPARSE_P_LEVEL_ERRORS(c, level) SPARSE_P_LEVEL_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_ERRORS_(...)     SPARSE_P_LEVEL_ERRORS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ERRORS__(kernel, letters, role, name, number, storage, i, placed, variable, part)                    \
    SPARSE_P_CELL(SPARSE_P_STORAGE_AS_##role, SPARSE_P_STORAGE_ROW_##storage)(kernel, letters, name, i, part)
#define SPARSE_P_ERROR_TYPE(kernel, letters, name, i, part)                                                                 \
    , (#kernel ": operand " #name ": kernels over this level type are not available")
#define SPARSE_P_ERROR_REPEATED(kernel, letters, name, i, part)                                                             \
    , (#kernel ": operand " #name ": index " #i " is repeated; the loop let(u, " #i ") makes an index u of it, too")
#define SPARSE_P_ERROR_BLOCKS(kernel, letters, name, i, part)                                                               \
    , (#kernel ": operand " #name ": index " #i " is in blocks in its levels or in the loops, but not in both")
#define SPARSE_P_ERROR_IS_DEALT(kernel, letters, name, i, part)                                                             \
    , (#kernel ": operand " #name " deals its entries out to slices, " #i                                                   \
               "; it can be one of all(...), but not below any(...) or none(...)")
#define SPARSE_P_ERROR_DERIVED(kernel, letters, name, i, part)                                                              \
    , (#kernel ": output " #name " cannot be assembled: its levels store " #i)
#define SPARSE_P_ERROR_PART_SLICED(kernel, letters, name, i, part)                                                          \
    , (#kernel ": operand " #name ": its levels store " #i ", a part of an index; slices and sums are of whole ones")
#define SPARSE_P_ERROR_SUM_BUILT(kernel, letters, name, i, part)                                                            \
    , (#kernel ": output " #name " is assembled, so give the sum with " #i                                                  \
               " a name of its own: the loop let(u, ...) makes it an index u")
#define SPARSE_P_ERROR_NO_COUNT(kernel, letters, name, i, part)                                                             \
    , (#kernel ": operand " #name ": its levels store " #i "; the loops need count(...) of this index")
#define SPARSE_P_ERROR_NO_DIAGONALS(kernel, letters, name, i, part)                                                         \
    , (#kernel ": operand " #name ": its levels store " #i                                                                  \
               "; the loops need minus(...) of this index, and the other one inside")
/* a loop over an index that no tensor has would have no size, nor has an output that is yet to be assembled;
   indices is a list of their lists of indices */
#define SPARSE_P_UNBOUND(c, l) SPARSE_P_UNBOUND_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_UNBOUND_(...) SPARSE_P_UNBOUND__(__VA_ARGS__)
#define SPARSE_P_UNBOUND__(kernel, indices, key, strategy, variable, kind, l, c)                                            \
    SPARSE_P_IF_0(SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_HAS, l, indices)), #kernel ": no operand has the index " #l)
/* a loop range(p, 3) has a size of its own */
#define SPARSE_P_RANGED(c, l) SPARSE_P_RANGED_ l
#define SPARSE_P_RANGED_(key, strategy, variable, kind, i, ...)                                                             \
    SPARSE_P_CAT(SPARSE_P_RANGED_, SPARSE_P_ASKS_CELL(RANGES, strategy))(i)
#define SPARSE_P_RANGED_0(i)
#define SPARSE_P_RANGED_1(i) , (, i)
#define SPARSE_P_RANGED_2(i) , (, i)
#define SPARSE_P_RANGED_3(i)
/* HAS(i, (, i, j)) -> a comma   HAS(k, (, i, j)) -> none */
#define SPARSE_P_HAS(l, indices) SPARSE_P_EACHF(SPARSE_P_SAME, l, indices)
/* iterations that run side by side must write to different places */
#define SPARSE_P_STRATEGY_ERRORS(c, l) SPARSE_P_STRATEGY_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_STRATEGY_ERRORS_(...) SPARSE_P_STRATEGY_ERRORS__(__VA_ARGS__)
#define SPARSE_P_STRATEGY_ERRORS__(kernel, leaves, key, strategy, variable, kind, i, ...)                                   \
    SPARSE_P_ASKS_CELL(OUTPUTS, strategy)(kernel, leaves, i)
#define SPARSE_P_OUTPUTS_TILED(kernel, outs, i)      SPARSE_P_EACHE(SPARSE_P_NOT_ORDERED, (kernel, tile(i)), outs)
#define SPARSE_P_NOT_ORDERED(c, record)              SPARSE_P_NOT_ORDERED_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_NOT_ORDERED_(...)                   SPARSE_P_NOT_ORDERED__(__VA_ARGS__)
#define SPARSE_P_NOT_ORDERED__(kernel, i, what, ...) SPARSE_P_NOT_ORDERED_##what(kernel, i, __VA_ARGS__)
#define SPARSE_P_NOT_ORDERED_0scalar(...)
#define SPARSE_P_NOT_ORDERED_0tensor(...)
#define SPARSE_P_NOT_ORDERED_0odd(...)
#define SPARSE_P_NOT_ORDERED_0refused(...)
#define SPARSE_P_NOT_ORDERED_0assembled(kernel, i, role, name, ...)                                                         \
    , (#kernel ": " #i ": the output " #name " is assembled, in the order of its loops")
#define SPARSE_P_OUTPUTS_SHARED(kernel, outs, i)                                                                            \
    SPARSE_P_EACHE(SPARSE_P_SHARED, (kernel, i), outs)                                                                      \
    SPARSE_P_CAT(SPARSE_P_PARTED_, SPARSE_P_THIRD(~SPARSE_P_EACHE(SPARSE_P_BUILT, , outs), 0no, 0no))                       \
    (kernel, i)
#define SPARSE_P_PARTED_0no(kernel, i)
#define SPARSE_P_PARTED_0built(kernel, i)                                                                                   \
    , (#kernel ": parallel(" #i "): only one of the outputs can be assembled side by side")
/* BUILT(, record) -> , built if the output is assembled */
#define SPARSE_P_BUILT(c, record)  SPARSE_P_BUILT_ record
#define SPARSE_P_BUILT_(what, ...) SPARSE_P_BUILT_##what
#define SPARSE_P_BUILT_0scalar
#define SPARSE_P_BUILT_0odd
#define SPARSE_P_BUILT_0refused
#define SPARSE_P_BUILT_0tensor
#define SPARSE_P_BUILT_0assembled                             , 0built
#define SPARSE_P_SHARED(c, record)                            SPARSE_P_SHARED_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_SHARED_(...)                                 SPARSE_P_SHARED__(__VA_ARGS__)
#define SPARSE_P_SHARED__(kernel, i, what, ...)               SPARSE_P_SHARED_##what(kernel, i, __VA_ARGS__)
#define SPARSE_P_SHARED_0scalar(kernel, i, role, name, value) SPARSE_P_SHARED_BY(kernel, i, name)
#define SPARSE_P_SHARED_0tensor(kernel, i, role, name, type, value, pos, crd, indices, ...)                                 \
    SPARSE_P_CAT(SPARSE_P_SHARED_, SPARSE_P_NZ(SPARSE_P_POS(i, SPARSE_P_PLAIN(indices))))(kernel, i, name)
#define SPARSE_P_SHARED_0refused(kernel, i, ...)
#define SPARSE_P_SHARED_0odd(kernel, i, ...)
/* an output that is assembled in parts, put together in order: each has a range of the outermost level */
#define SPARSE_P_SHARED_0assembled(kernel, i, role, name, type, value, pos, crd, indices, levels, steps, nlev, placed,      \
                                   last, prefix, ...)                                                                       \
    SPARSE_P_CAT(SPARSE_P_PARTS_, SPARSE_P_NZ_##prefix)(kernel, i, name, SPARSE_P_FIRST(SPARSE_P_TAIL steps))
#define SPARSE_P_PARTS_1(kernel, i, name, step) SPARSE_P_PARTS_OF(kernel, i, name, SPARSE_P_ID step)
#define SPARSE_P_PARTS_OF(...)                  SPARSE_P_PARTS_OF_(__VA_ARGS__)
#define SPARSE_P_PARTS_OF_(kernel, i, name, n, how, known, variable, ...)                                                   \
    SPARSE_P_CAT(SPARSE_P_PARTS_BY_, SPARSE_P_COUNT(~SPARSE_P_BY_PAREN(SPARSE_P_PARTS_AT_, variable)(i, variable)))         \
    (kernel, i, name, ~)
#define SPARSE_P_PARTS_AT_0(i, variable) SPARSE_P_SAME(i, variable) SPARSE_P_SAME(i##_block, variable)
#define SPARSE_P_PARTS_AT_1(i, sum)
#define SPARSE_P_PARTS_BY_1(kernel, i, name, step)
#define SPARSE_P_PARTS_BY_0 SPARSE_P_PARTS_0
#define SPARSE_P_PARTS_0(kernel, i, name, step)                                                                             \
    , (#kernel ": parallel(" #i "): the output " #name                                                                      \
               " is assembled, so only the outermost loop, over its outermost level, can be parallel")
#define SPARSE_P_SHARED_1(kernel, i, name)
#define SPARSE_P_SHARED_0 SPARSE_P_SHARED_BY
#define SPARSE_P_SHARED_BY(kernel, i, name)                                                                                 \
    , (#kernel ": parallel(" #i "): the output " #name " does not have the index " #i                                       \
               ", so iterations would write to the same place")

/* loops over slices and diagonals: these meet in the same rows, and one operand alone can be dealt out to slices */
#define SPARSE_P_IS_DERIVED(c, l)                                SPARSE_P_IS_DERIVED_ l
#define SPARSE_P_IS_DERIVED_(key, strategy, variable, kind, ...) SPARSE_P_IS_DERIVED_##kind
#define SPARSE_P_IS_DERIVED_0dim
#define SPARSE_P_IS_DERIVED_floordiv
#define SPARSE_P_IS_DERIVED_mod
#define SPARSE_P_IS_DERIVED_0along
#define SPARSE_P_IS_DERIVED_0sum
#define SPARSE_P_IS_DERIVED_0within
#define SPARSE_P_IS_DERIVED_count , ~
#define SPARSE_P_IS_DERIVED_minus , ~
#define SPARSE_P_ERRORS_OF_DERIVED_0(kernel, leaves, loops)
#define SPARSE_P_ERRORS_OF_DERIVED_1(kernel, leaves, loops) SPARSE_P_EACHH(SPARSE_P_DERIVED_ERRORS, (kernel, leaves), loops)
#define SPARSE_P_DERIVED_ERRORS(c, l)                       SPARSE_P_DERIVED_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_DERIVED_ERRORS_(...)                       SPARSE_P_DERIVED_ERRORS__(__VA_ARGS__)
#define SPARSE_P_DERIVED_ERRORS__(kernel, leaves, key, strategy, variable, kind, i, c)                                      \
    SPARSE_P_DERIVED_ERRORS_##kind(kernel, leaves, strategy, i, c)
#define SPARSE_P_DERIVED_ERRORS_0dim(kernel, leaves, strategy, i, c)
#define SPARSE_P_DERIVED_ERRORS_floordiv(kernel, leaves, strategy, i, c)
#define SPARSE_P_DERIVED_ERRORS_mod(kernel, leaves, strategy, i, c)
#define SPARSE_P_DERIVED_ERRORS_0along(kernel, leaves, strategy, i, c)
#define SPARSE_P_DERIVED_ERRORS_0sum(kernel, leaves, strategy, i, c)
#define SPARSE_P_DERIVED_ERRORS_0within(kernel, leaves, strategy, i, c)
#define SPARSE_P_DERIVED_ERRORS_minus(kernel, leaves, strategy, j, i)                                                       \
    SPARSE_P_ASKS_CELL(DERIVED, strategy)(kernel, "minus(" #j ", " #i ")")
#define SPARSE_P_DERIVED_ERRORS_count(kernel, leaves, strategy, i, c)                                                       \
    SPARSE_P_ASKS_CELL(DERIVED, strategy)                                                                                   \
    (kernel, "count(" #i ", " #c ")")                                                                                       \
        SPARSE_P_UNLESS_ONE(SPARSE_P_AMOUNT(~SPARSE_P_EACHE(SPARSE_P_DEALT, i##_count, leaves)),                            \
                            #kernel ": the loop count(" #i ", " #c ") needs one operand that is stored so, and no other")
#define SPARSE_P_DERIVED_SHARED(kernel, loop)                                                                               \
    , (#kernel ": parallel(" loop "): its iterations come by the same rows, so they would write to the same place")
#define SPARSE_P_DEALT(v, record)      SPARSE_P_DEALT_(v, SPARSE_P_ID record)
#define SPARSE_P_DEALT_(...)           SPARSE_P_DEALT__(__VA_ARGS__)
#define SPARSE_P_DEALT__(v, what, ...) SPARSE_P_DEALT_##what(v, __VA_ARGS__)
#define SPARSE_P_DEALT_0scalar(...)
#define SPARSE_P_DEALT_0odd(...)
#define SPARSE_P_DEALT_0refused(...)
#define SPARSE_P_DEALT_0assembled(...)
#define SPARSE_P_DEALT_0tensor(v, role, name, type, value, pos, crd, indices, levels, ...)                                  \
    SPARSE_P_EACHF(SPARSE_P_DEALT_LEVEL, v, levels)
#define SPARSE_P_DEALT_0sliced(...)
#define SPARSE_P_DEALT_LEVEL(v, level)                          SPARSE_P_DEALT_LEVEL_(v, SPARSE_P_ID level)
#define SPARSE_P_DEALT_LEVEL_(...)                              SPARSE_P_DEALT_LEVEL__(__VA_ARGS__)
#define SPARSE_P_DEALT_LEVEL__(v, number, storage, letter, ...) SPARSE_P_SAME(v, letter)

/* PLAN_ERROR((kernel, outs), plan) -> , ("sentence"): what the lattice of a loop forbids */
#define SPARSE_P_PLAN_ERROR(c, plan) SPARSE_P_PLAN_ERROR_(SPARSE_P_ID c, SPARSE_P_ID plan)
#define SPARSE_P_PLAN_ERROR_(...)    SPARSE_P_PLAN_ERROR__(__VA_ARGS__)
#define SPARSE_P_PLAN_ERROR__(kernel, outs, d, i, strategy, dead, kind, drivers, followers, ...)                            \
    SPARSE_P_EACHG(SPARSE_P_FOLLOW_ERROR, (kernel, i), followers)                                                           \
    SPARSE_P_EACHE(SPARSE_P_APPEND_ERROR, (kernel, i, drivers), outs)                                                       \
    SPARSE_P_CELL(SPARSE_P_CAT(SPARSE_P_KIND_, SPARSE_P_PASS_CELL(ERRORS, strategy)), SPARSE_P_KIND_ROW_##kind)             \
    (kernel, i, drivers)
/* what is appended has to come by in order, and once */
#define SPARSE_P_APPEND_ERROR(c, record)                       SPARSE_P_APPEND_ERROR_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_APPEND_ERROR_(...)                            SPARSE_P_APPEND_ERROR__(__VA_ARGS__)
#define SPARSE_P_APPEND_ERROR__(kernel, i, drivers, what, ...) SPARSE_P_APPEND_ERROR_##what(kernel, i, drivers, __VA_ARGS__)
#define SPARSE_P_APPEND_ERROR_0scalar(...)
#define SPARSE_P_APPEND_ERROR_0tensor(...)
#define SPARSE_P_APPEND_ERROR_0assembled(kernel, i, drivers, role, name, type, value, pos, crd, indices, levels, steps,     \
                                         ...)                                                                               \
    SPARSE_P_EACHF(SPARSE_P_APPENDED, (kernel, name, i, drivers), steps)
#define SPARSE_P_APPENDED(c, step) SPARSE_P_APPENDED_(SPARSE_P_ID c, SPARSE_P_ID step)
#define SPARSE_P_APPENDED_(...)    SPARSE_P_APPENDED__(__VA_ARGS__)
#define SPARSE_P_APPENDED__(kernel, C, i, drivers, n, how, known, variable, ...)                                            \
    SPARSE_P_CAT3(SPARSE_P_APPENDED_, SPARSE_P_HOW_CELL(ORDER, how), SPARSE_P_COUNT(~SPARSE_P_SAME(i, variable)))           \
    (kernel, C, i, drivers)
#define SPARSE_P_APPENDED_0any0(...)
#define SPARSE_P_APPENDED_0any1(...)
#define SPARSE_P_APPENDED_0ordered0(...)
#define SPARSE_P_APPENDED_0ordered1(kernel, C, i, drivers) SPARSE_P_EACHG(SPARSE_P_DISORDER, (kernel, C, i), drivers)
#define SPARSE_P_DISORDER(c, it)                           SPARSE_P_DISORDER_(SPARSE_P_ID c, SPARSE_P_ID it)
#define SPARSE_P_DISORDER_(...)                            SPARSE_P_DISORDER__(__VA_ARGS__)
#define SPARSE_P_DISORDER__(kernel, C, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)             \
    SPARSE_P_CAT3(SPARSE_P_DISORDER_, SPARSE_P_WALK_CELL(ORDER, walk), SPARSE_P_WALK_CELL(ONCE, walk))                      \
    (kernel, C, i, A)
#define SPARSE_P_DISORDER_0ordered1(kernel, C, i, A)
#define SPARSE_P_DISORDER_0ordered0(kernel, C, i, A)                                                                        \
    , (#kernel ": output " #C " is assembled in the order of " #i ", which operand " #A                                     \
               " may store more than once in its last level")
#define SPARSE_P_DISORDER_0unordered1(kernel, C, i, A)                                                                      \
    , (#kernel ": output " #C " is assembled in the order of " #i ", which operand " #A " does not store in order")
#define SPARSE_P_DISORDER_0unordered0 SPARSE_P_DISORDER_0unordered1

/* PREFETCH_ERRORS(kernel, loops, plans, leaves) -> , ("sentence"): what is ahead of a loop has to be known,
   and something has to be there */
#define SPARSE_P_PREFETCH_ERRORS(kernel, loops, plans, leaves)                                                              \
    SPARSE_P_EACHD(SPARSE_P_PREFETCH_ERROR, (kernel, (leaves, plans)), (SPARSE_P_AHEAD(loops, plans)))
#define SPARSE_P_PREFETCH_ERROR(c, plan) SPARSE_P_PREFETCH_ERROR_(SPARSE_P_ID c, SPARSE_P_ID plan)
#define SPARSE_P_PREFETCH_ERROR_(...)    SPARSE_P_PREFETCH_ERROR__(__VA_ARGS__)
#define SPARSE_P_PREFETCH_ERROR__(kernel, of, d, i, strategy, dead, kind, drivers, ...)                                     \
    SPARSE_P_PREFETCH_ERROR_##kind(kernel, of, d, i, drivers)
#define SPARSE_P_PREFETCH_ERROR_0ONE(kernel, of, d, i, drivers)                                                             \
    SPARSE_P_CAT(SPARSE_P_PREFETCH_ERROR_OVER_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_BY_OFFSETS, , drivers)))            \
    (kernel, of, d, i)
/* BY_OFFSETS(, driver) -> , 1 if it comes by subsections, which no entry ahead is of */
#define SPARSE_P_BY_OFFSETS(c, it) SPARSE_P_BY_OFFSETS_ it
#define SPARSE_P_BY_OFFSETS_(what, A, n, role, above, value, pos, crd, last, format, ...)                                   \
    SPARSE_P_CAT(SPARSE_P_BY_OFFSETS_, SPARSE_P_COUNT(~SPARSE_P_CAT(SPARSE_P_OFFSETS_OF_, format)))
#define SPARSE_P_BY_OFFSETS_0
#define SPARSE_P_BY_OFFSETS_1           , 1
#define SPARSE_P_OFFSETS_OF_0subsection ,
#define SPARSE_P_OFFSETS_OF_0spread     ,
#define SPARSE_P_PREFETCH_ERROR_OVER_1(kernel, of, d, i)                                                                    \
    , (#kernel ": prefetch(" #i "): the loop is over offsets at which something is stored, not over entries")
#define SPARSE_P_PREFETCH_ERROR_OVER_0(kernel, of, d, i)                                                                    \
    SPARSE_P_IF_0(SPARSE_P_IS_ANY(SPARSE_P_REACHED_AHEAD(d, i, SPARSE_P_ID of)),                                            \
                  #kernel ": prefetch(" #i "): nothing is reached through " #i " but what the loop itself is over")
#define SPARSE_P_PREFETCH_ERROR_0FULL(kernel, of, d, i, drivers)                                                            \
    , (#kernel ": prefetch(" #i "): the loop has to be over one sparse operand alone")
#define SPARSE_P_PREFETCH_ERROR_0FLAG   SPARSE_P_PREFETCH_ERROR_0FULL
#define SPARSE_P_PREFETCH_ERROR_0BOTH   SPARSE_P_PREFETCH_ERROR_0FULL
#define SPARSE_P_PREFETCH_ERROR_0MERGE  SPARSE_P_PREFETCH_ERROR_0FULL
#define SPARSE_P_PREFETCH_ERROR_0RANGE  SPARSE_P_PREFETCH_ERROR_0FULL
#define SPARSE_P_PREFETCH_ERROR_0WITHIN SPARSE_P_PREFETCH_ERROR_0FULL

#define SPARSE_P_ERROR_MERGED(kernel, i, drivers) SPARSE_P_EACHG(SPARSE_P_FOLLOW_ERROR, (kernel, i), drivers)
#define SPARSE_P_ERROR_UNROLLED(kernel, i, drivers)                                                                         \
    , (#kernel ": unroll(" #i "): the loop has to be over all coordinates, or over one operand alone")
/* lanes go from position to position */
#define SPARSE_P_ERROR_LANES(kernel, i, drivers) SPARSE_P_EACHG(SPARSE_P_LANE_ERROR, (kernel, i), drivers)
#define SPARSE_P_LANE_ERROR(c, it)               SPARSE_P_LANE_ERROR_(SPARSE_P_ID c, SPARSE_P_ID it)
#define SPARSE_P_LANE_ERROR_(...)                SPARSE_P_LANE_ERROR__(__VA_ARGS__)
#define SPARSE_P_LANE_ERROR__(kernel, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)              \
    SPARSE_P_CAT(SPARSE_P_LANE_ERROR_, SPARSE_P_NZ(SPARSE_P_WALK_CELL(SEGMENTS, walk)))(kernel, i, A)
#define SPARSE_P_LANE_ERROR_0(kernel, i, A)
#define SPARSE_P_LANE_ERROR_1(kernel, i, A)                                                                                 \
    , (#kernel ": unroll(" #i "): operand " #A " stores several positions with one " #i)
#define SPARSE_P_ERROR_BESIDE(kernel, i, drivers) SPARSE_P_EACHG(SPARSE_P_PARALLEL_ERROR, (kernel, i), drivers)
#define SPARSE_P_ERROR_MERGED_BESIDE(kernel, i, drivers)                                                                    \
    , (#kernel ": parallel(" #i "): the loop merges sparse operands, so its iterations depend on each "                     \
               "other")
#define SPARSE_P_ERROR_TILED(kernel, i, drivers) , (#kernel ": tile(" #i "): the loop has to be over all coordinates")

/* UNROLL_ERRORS(kernel, outs, wheres, loops, (, plan, plan)) -> , ("sentence"): what is unrolled runs inside the innermost
   loop, so that has to be the same for all its iterations, to write where they do not meet in another order, and to make
   nothing, which would be made in each iteration of the innermost */
#define SPARSE_P_UNROLL_ERRORS(kernel, outs, wheres, loops, plans)                                                          \
    SPARSE_P_CAT(SPARSE_P_UNROLL_ERRORS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_TO_UNROLL, , loops)))                     \
    ((kernel, outs, wheres), plans)
/* TO_UNROLL(, loop) -> , unroll, if that is its strategy */
#define SPARSE_P_TO_UNROLL(c, l)                SPARSE_P_TO_UNROLL_ l
#define SPARSE_P_TO_UNROLL_(key, strategy, ...) SPARSE_P_CAT(SPARSE_P_TO_UNROLL_, SPARSE_P_ASKS_CELL(UNROLLS, strategy))
#define SPARSE_P_TO_UNROLL_0
#define SPARSE_P_TO_UNROLL_1 , unroll
#define SPARSE_P_UNROLL_ERRORS_0(c, plans)
#define SPARSE_P_UNROLL_ERRORS_1(c, plans) SPARSE_P_LAST_TWO(SPARSE_P_UNROLLED, c, SPARSE_P_ID plans)
/* LAST_TWO(m, c, , p, q, r) -> m(c, q, r, , p) */
#define SPARSE_P_LAST_TWO(m, c, ...) SPARSE_P_CAT(SPARSE_P_LAST_TWO_, SPARSE_P_COUNT(~__VA_ARGS__))(m, c, __VA_ARGS__)
#define SPARSE_P_LAST_TWO_1(m, c, z, p)
#define SPARSE_P_LAST_TWO_2(m, c, z, p, q)                   m(c, p, q, z)
#define SPARSE_P_LAST_TWO_3(m, c, z, p, q, r)                m(c, q, r, z, p)
#define SPARSE_P_LAST_TWO_4(m, c, z, p, q, r, s)             m(c, r, s, z, p, q)
#define SPARSE_P_LAST_TWO_5(m, c, z, p, q, r, s, t)          m(c, s, t, z, p, q, r)
#define SPARSE_P_LAST_TWO_6(m, c, z, p, q, r, s, t, u)       m(c, t, u, z, p, q, r, s)
#define SPARSE_P_LAST_TWO_7(m, c, z, p, q, r, s, t, u, v)    m(c, u, v, z, p, q, r, s, t)
#define SPARSE_P_LAST_TWO_8(m, c, z, p, q, r, s, t, u, v, w) m(c, v, w, z, p, q, r, s, t, u)
#define SPARSE_P_UNROLLED(c, p, q, ...)                      SPARSE_P_UNROLLED_(SPARSE_P_ID c, SPARSE_P_ID p, SPARSE_P_ID q)
#define SPARSE_P_UNROLLED_(...)                              SPARSE_P_UNROLLED__(__VA_ARGS__)
#define SPARSE_P_UNROLLED__(kernel, outs, wheres, d, i, strategy, dead, kind, drivers, followers, flags, e, j, jstrategy,   \
                            jdead, jkind, jdrivers, jfollowers, jflags)                                                     \
    SPARSE_P_CAT(SPARSE_P_FREELY_, SPARSE_P_IS_ANY followers)                                                               \
    (kernel, i) SPARSE_P_CAT(SPARSE_P_FREELY_, SPARSE_P_IS_ANY dead)(kernel, i)                                             \
        SPARSE_P_CAT(SPARSE_P_EVERY_, SPARSE_P_KIND_CELL(PARTLY, jkind))(kernel, i, j)                                      \
            SPARSE_P_CAT(SPARSE_P_EVERY_, SPARSE_P_IS_ANY(SPARSE_P_ID jdead SPARSE_P_ID jfollowers))(kernel, i, j)          \
                SPARSE_P_EACHE(SPARSE_P_WITHOUT,                                                                            \
                               (SPARSE_P_WITHOUT_, kernel, d, i, j, SPARSE_P_KIND_CELL(APART, kind) drivers), outs)         \
                    SPARSE_P_EACHE(SPARSE_P_MADE_ABREAST, (kernel, i, d), wheres)
#define SPARSE_P_MADE_ABREAST(c, where) SPARSE_P_MADE_ABREAST_(SPARSE_P_ID c, SPARSE_P_ID where)
#define SPARSE_P_MADE_ABREAST_(...)     SPARSE_P_MADE_ABREAST__(__VA_ARGS__)
#define SPARSE_P_MADE_ABREAST__(kernel, i, d, n, tree, loops, letters, leaves, written, initial, out, operand, ...)         \
    SPARSE_P_AT_LOOP(n, d)(SPARSE_P_ERROR_ABREAST)(kernel, i, SPARSE_P_THIRD operand)
#define SPARSE_P_ERROR_ABREAST(...) SPARSE_P_ERROR_ABREAST_(__VA_ARGS__)
#define SPARSE_P_ERROR_ABREAST_(kernel, i, w)                                                                               \
    , (#kernel ": unroll(" #i "): workspace " #w " is made in each iteration of this loop, so no two can run side by side")
#define SPARSE_P_FREELY_0(kernel, i)
#define SPARSE_P_FREELY_1(kernel, i) SPARSE_P_ERROR_UNROLLED(kernel, i, ())
#define SPARSE_P_EVERY_0(kernel, i, j)
#define SPARSE_P_EVERY_1(kernel, i, j)                                                                                      \
    , (#kernel ": unroll(" #i "): the innermost loop, over " #j ", has to be over all coordinates")
#define SPARSE_P_WITHOUT(c, record) SPARSE_P_WITHOUT_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_WITHOUT_(...)      SPARSE_P_WITHOUT__(__VA_ARGS__)
#define SPARSE_P_WITHOUT__(m, kernel, d, i, j, apart, what, ...)                                                            \
    SPARSE_P_WITHOUT_##what(m, kernel, d, i, j, apart, __VA_ARGS__)
#define SPARSE_P_WITHOUT_0scalar(m, kernel, d, i, j, apart, role, name, value) m##00(kernel, i, j, name)
#define SPARSE_P_WITHOUT_0tensor(m, kernel, d, i, j, apart, role, name, type, value, pos, crd, indices, ...)                \
    SPARSE_P_CAT3(m, SPARSE_P_NZ(SPARSE_P_POS(j, SPARSE_P_PLAIN(indices))),                                                 \
                  SPARSE_P_CAT3(SPARSE_P_AND_, apart, SPARSE_P_NZ(SPARSE_P_POS(i, SPARSE_P_PLAIN(indices)))))               \
    (kernel, i, j, name)
/* inside of an entry an output that is assembled is as one in place */
#define SPARSE_P_WITHOUT_0assembled(m, kernel, d, i, j, apart, role, name, type, value, pos, crd, indices, levels, steps,   \
                                    nlev, placed, last, prefix, known, ...)                                                 \
    SPARSE_P_CAT(SPARSE_P_WITHOUT_, SPARSE_P_CMP(known, d))                                                                 \
    (m, kernel, d, i, j, apart, role, name, type, value, pos, crd, indices, levels)
#define SPARSE_P_WITHOUT_0b                                             SPARSE_P_WITHOUT_0tensor
#define SPARSE_P_WITHOUT_0h                                             SPARSE_P_ONE_BY_ONE
#define SPARSE_P_WITHOUT_0a                                             SPARSE_P_ONE_BY_ONE
#define SPARSE_P_ONE_BY_ONE(m, kernel, d, i, j, apart, role, name, ...) m##0(kernel, i, name)
#define SPARSE_P_WITHOUT_0(kernel, i, name)                             SPARSE_P_NOT_ORDERED_0assembled(kernel, unroll(i), ~, name, ~)
#define SPARSE_P_WITHOUT_11(kernel, i, j, name)
#define SPARSE_P_WITHOUT_10(kernel, i, j, name)
#define SPARSE_P_WITHOUT_01(kernel, i, j, name)
#define SPARSE_P_WITHOUT_00(kernel, i, j, name)                                                                             \
    , (#kernel ": unroll(" #i "): the output " #name " needs the index " #j " of the innermost loop, or " #i                \
               ", and that once at each coordinate")
/* DEFAULTS((wheres, outs, asked, leaves), plans) -> plans: of two innermost loops over all coordinates, of which the outer one
   may be over what one operand stores, without a word but prefetch, that is unrolled where each output has the index of one
   of them: it is read and written once for several terms, or several sums do not wait for each other. */
#if !defined(__OPTIMIZE_SIZE__) && SPARSE_UNROLL > 1
    #define SPARSE_P_GAINS_0ONE0FULL  ~, SPARSE_P_GAINS_ALONE
    #define SPARSE_P_GAINS_0FULL0FULL ~, SPARSE_P_GAINS_ALONE
#endif
#define SPARSE_P_DEFAULTS(c, plans) SPARSE_P_SECOND(~SPARSE_P_LAST_TWO(SPARSE_P_GAINS, c, SPARSE_P_ID plans), plans)
#define SPARSE_P_GAINS(c, p, q, ...)                                                                                        \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_GAINS_, SPARSE_P_LOOP_KIND_OF p, SPARSE_P_LOOP_KIND_OF q), SPARSE_P_DROP)        \
    (SPARSE_P_ID c, SPARSE_P_ID p, SPARSE_P_SECOND q, SPARSE_P_LOOKED_UP_IN q, (__VA_ARGS__), q)
#define SPARSE_P_LOOP_KIND_OF(d, i, strategy, dead, kind, ...)                       kind
#define SPARSE_P_LOOKED_UP_IN(d, i, strategy, dead, kind, drivers, followers, flags) (SPARSE_P_ID dead SPARSE_P_ID followers)
#define SPARSE_P_GAINS_ALONE(...)                                                    SPARSE_P_GAINS_(__VA_ARGS__)
#define SPARSE_P_GAINS_(wheres, outs, asked, leaves, d, i, strategy, dead, kind, drivers, followers, flags, j, inner,       \
                        before, q)                                                                                          \
    SPARSE_P_CAT(SPARSE_P_GAINS_,                                                                                           \
                 SPARSE_P_IS_ANY(SPARSE_P_ID followers SPARSE_P_ID inner SPARSE_P_ID dead SPARSE_P_ID wheres SPARSE_P_ID    \
                                     asked SPARSE_P_ERROR_LANES(~, i, drivers) SPARSE_P_EACHE(                              \
                                         SPARSE_P_WITHOUT,                                                                  \
                                         (SPARSE_P_UNPAID_, ~, d, i, j, SPARSE_P_KIND_CELL(APART, kind) drivers), outs)))   \
    ((SPARSE_P_ID before, SPARSE_P_UNASKED(leaves, d, i, strategy, dead, kind, drivers, followers), q))
#define SPARSE_P_GAINS_0 SPARSE_P_ITEM
#define SPARSE_P_GAINS_1(plans)
/* ASKED(, loop, loop) -> , if there is a word for one of them that is not prefetch */
#define SPARSE_P_ASKED(c, l, m, ...)        SPARSE_P_ASKED_ l SPARSE_P_ASKED_ m
#define SPARSE_P_ASKED_(key, strategy, ...) SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_ASKED_##strategy, (, ~)))
#define SPARSE_P_ASKED_0sequential          ~, ()
#define SPARSE_P_ASKED_prefetch             ~, ()
#define SPARSE_P_UNPAID_0(...)              , ~
#define SPARSE_P_UNPAID_00(...)             , ~
#define SPARSE_P_UNPAID_01(...)
#define SPARSE_P_UNPAID_10(...)
#define SPARSE_P_UNPAID_11(...) , ~
/* co-iteration needs coordinates in order, and one entry at each */
#define SPARSE_P_FOLLOW_ERROR(c, it) SPARSE_P_FOLLOW_ERROR_(SPARSE_P_ID c, SPARSE_P_ID it)
#define SPARSE_P_FOLLOW_ERROR_(...)  SPARSE_P_FOLLOW_ERROR__(__VA_ARGS__)
#define SPARSE_P_FOLLOW_ERROR__(kernel, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)            \
    SPARSE_P_CAT3(SPARSE_P_FOLLOW_ERROR_, SPARSE_P_WALK_CELL(ORDER, walk), SPARSE_P_WALK_CELL(ONCE, walk))                  \
    (kernel, i, A)
#define SPARSE_P_FOLLOW_ERROR_0ordered1(kernel, i, A)
#define SPARSE_P_FOLLOW_ERROR_0ordered0(kernel, i, A)                                                                       \
    , (#kernel ": operand " #A " may store " #i " more than once in its last level; it cannot be merged with another")
#define SPARSE_P_FOLLOW_ERROR_0unordered1(kernel, i, A)                                                                     \
    , (#kernel ": operand " #A " does not store " #i " in order; it can drive a loop alone, but not be merged with "        \
               "another")
#define SPARSE_P_FOLLOW_ERROR_0unordered0 SPARSE_P_FOLLOW_ERROR_0unordered1
#define SPARSE_P_PARALLEL_ERROR(c, it)    SPARSE_P_PARALLEL_ERROR_(SPARSE_P_ID c, SPARSE_P_ID it)
#define SPARSE_P_PARALLEL_ERROR_(...)     SPARSE_P_PARALLEL_ERROR__(__VA_ARGS__)
#define SPARSE_P_PARALLEL_ERROR__(kernel, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)          \
    SPARSE_P_CAT(SPARSE_P_PARALLEL_ERROR_, SPARSE_P_WALK_CELL(APART, walk))(kernel, i, A)
#define SPARSE_P_PARALLEL_ERROR_1(kernel, i, A)
#define SPARSE_P_PARALLEL_ERROR_0(kernel, i, A)                                                                             \
    , (#kernel ": parallel(" #i "): operand " #A " may store " #i                                                           \
               " more than once, so iterations would write to the same place")

/* WHERE_ERRORS((kernel, letters), where) -> , "sentence" ... */
#define SPARSE_P_WHERE_ERRORS(c, where) SPARSE_P_WHERE_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID where)
#define SPARSE_P_WHERE_ERRORS_(...)     SPARSE_P_WHERE_ERRORS__(__VA_ARGS__)
#define SPARSE_P_WHERE_ERRORS__(kernel, outer, n, tree, loops, letters, leaves, written, initial, out, operand, statement)  \
    SPARSE_P_LOOP_ERRORS(kernel, loops, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTER, , loops))))                          \
    SPARSE_P_LOOP_COUNT(kernel, letters)                                                                                    \
    SPARSE_P_EACHE(SPARSE_P_WORK_LOOP, (kernel, n, outer), loops)                                                           \
    SPARSE_P_CAT(SPARSE_P_LEAF_COUNT_, SPARSE_P_FEW(leaves))                                                                \
    (kernel) SPARSE_P_EACHE(SPARSE_P_LEAF_ERRORS, (kernel, letters), leaves)                                                \
        SPARSE_P_WORK_ERRORS(kernel, written, n, letters, outer, SPARSE_P_ID out, SPARSE_P_ID operand)                      \
            SPARSE_P_LEAF_ERRORS((kernel, outer), operand) SPARSE_P_EACHH(                                                  \
                SPARSE_P_UNBOUND,                                                                                           \
                (kernel, (SPARSE_P_EACHE(SPARSE_P_INDICES, , leaves) SPARSE_P_EACHF(SPARSE_P_RANGED, , loops))), loops)
/* the same of its plans */
#define SPARSE_P_WHERE_PLAN_ERRORS(kernel, where) SPARSE_P_WHERE_PLAN_ERRORS_(kernel, SPARSE_P_ID where)
#define SPARSE_P_WHERE_PLAN_ERRORS_(...)          SPARSE_P_WHERE_PLAN_ERRORS__(__VA_ARGS__)
#define SPARSE_P_WHERE_PLAN_ERRORS__(kernel, n, tree, loops, letters, leaves, written, initial, out, operand, statement,    \
                                     plans)                                                                                 \
    SPARSE_P_EACHH(SPARSE_P_PLAN_ERROR, (kernel, ()), plans)                                                                \
    SPARSE_P_UNROLL_ERRORS(kernel, (, SPARSE_P_OUTPUT_RECORD out), (), loops, plans)
#define SPARSE_P_OUTPUT_RECORD(leaf, record) record
#define SPARSE_P_WORK_LOOP(c, l)             SPARSE_P_WORK_LOOP_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_WORK_LOOP_(...)             SPARSE_P_WORK_LOOP__(__VA_ARGS__)
#define SPARSE_P_WORK_LOOP__(kernel, n, outer, key, strategy, variable, kind, i, ...)                                       \
    SPARSE_P_WORK_LOOP_##kind(kernel, i) SPARSE_P_ASKS_CELL(WORK, strategy)(kernel, i) SPARSE_P_CAT3(                       \
        SPARSE_P_WORK_LOOP_, SPARSE_P_NZ(SPARSE_P_POS(key, outer)), SPARSE_P_CMP(SPARSE_P_POS(key, outer), n))(kernel, i)
#define SPARSE_P_WORK_LOOP_0dim(kernel, i)
#define SPARSE_P_WORK_LOOP_0bad(kernel, i)
#define SPARSE_P_WORK_LOOP_floordiv(kernel, i)                                                                              \
    , (#kernel ": the loops of a workspace run over whole indices, and " #i " is divided")
#define SPARSE_P_WORK_LOOP_mod         SPARSE_P_WORK_LOOP_floordiv
#define SPARSE_P_WORK_LOOP_count       SPARSE_P_WORK_LOOP_floordiv
#define SPARSE_P_WORK_LOOP_minus       SPARSE_P_WORK_LOOP_floordiv
#define SPARSE_P_WORK_AHEAD(kernel, i) , (#kernel ": prefetch(" #i "): a loop of a workspace cannot fetch ahead")
#define SPARSE_P_WORK_TILED(kernel, i) , (#kernel ": tile(" #i "): a loop of a workspace cannot be tiled; one around it can")
#define SPARSE_P_WORK_BESIDE(kernel, i)                                                                                     \
    , (#kernel ": parallel(" #i "): a loop of a workspace cannot be parallel; one around it can")
#define SPARSE_P_WORK_LOOP_00b(kernel, i)
#define SPARSE_P_WORK_LOOP_00h(kernel, i)
#define SPARSE_P_WORK_LOOP_10a(kernel, i)
#define SPARSE_P_WORK_LOOP_10h(kernel, i) , (#kernel ": a workspace has a loop over " #i " and is made inside one over " #i)
#define SPARSE_P_WORK_LOOP_10b            SPARSE_P_WORK_LOOP_10h
/* a workspace is a scalar, or over indices of loops that come after it is made */
#define SPARSE_P_WORK_ERRORS(...) SPARSE_P_WORK_ERRORS_(__VA_ARGS__)
#define SPARSE_P_WORK_ERRORS_(kernel, written, n, letters, outer, word, record, ...)                                        \
    SPARSE_P_CAT3(SPARSE_P_WORK_, word, written)(kernel, n, letters, outer, record, __VA_ARGS__)
#define SPARSE_P_WORK_0leaf0(kernel, ...) , SPARSE_P_REFUSED_0short(kernel, ~)
#define SPARSE_P_WORK_all1                SPARSE_P_WORK_0leaf0
#define SPARSE_P_WORK_0pairlike           SPARSE_P_WORK_0leaf0
#define SPARSE_P_WORK_0refused            SPARSE_P_WORK_0leaf0
#define SPARSE_P_WORK_0leaf1(kernel, n, letters, outer, record, what, ...)                                                  \
    SPARSE_P_WORK_##what(kernel, n, outer, record, __VA_ARGS__) SPARSE_P_LEAF_ERRORS((kernel, letters), record)
#define SPARSE_P_WORK_0odd(...)
#define SPARSE_P_WORK_0scalar(...)
#define SPARSE_P_WORK_0tensor(kernel, n, outer, made, role, name, type, value, pos, crd, indices, levels, walks, nlev,      \
                              placed, sparse, ...)                                                                          \
    SPARSE_P_EACHF(SPARSE_P_BUILT_LEVEL, (kernel, name), walks)                                                             \
    SPARSE_P_SUM_ERROR(kernel, name, indices, SPARSE_P_SUBSCRIPTS made, nlev, sparse)                                       \
    SPARSE_P_EACHG(SPARSE_P_WORK_INDEX, (kernel, n, outer, name), indices)
#define SPARSE_P_WORK_INDEX(c, i) SPARSE_P_WORK_INDEX_(SPARSE_P_ID c, SPARSE_P_SANE(i))
#define SPARSE_P_WORK_INDEX_(...) SPARSE_P_WORK_INDEX__(__VA_ARGS__)
#define SPARSE_P_WORK_INDEX__(kernel, n, outer, name, i)                                                                    \
    SPARSE_P_CAT(SPARSE_P_WORK_INDEX_, SPARSE_P_IS_LETTER(i))(kernel, n, outer, name, i)
#define SPARSE_P_WORK_INDEX_0(...)
#define SPARSE_P_WORK_INDEX_1(kernel, n, outer, name, i)                                                                    \
    SPARSE_P_CAT(SPARSE_P_WORK_INDEX_, SPARSE_P_CMP(SPARSE_P_POS(i, outer), n))(kernel, name, i)
#define SPARSE_P_WORK_INDEX_0a(kernel, name, i)
#define SPARSE_P_WORK_INDEX_0h(kernel, name, i)                                                                             \
    , (#kernel ": workspace " #name " has the index " #i ", and no loop over it comes after it is made")
#define SPARSE_P_WORK_INDEX_0b SPARSE_P_WORK_INDEX_0h

#endif /* SPARSE_H */
