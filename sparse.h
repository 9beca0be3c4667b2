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
     sparse_formats.h   level types, encodings, storage, packing, conversion, iterators; results, memory
     sparse.h           kernels
     sparse_io.h        files, printing, pictures; included by who wants stdio

   Contents (search for the anchors)
     >>kernels    SPARSE_KERNEL
     >>binding    what a kernel checks before it runs
     >>assembly   how outputs with sparse levels come to be
*/
#ifndef SPARSE_H
#define SPARSE_H

#include "sparse_formats.h"
#ifdef _OPENMP
    #include <omp.h>
#endif

/* >>kernels
   SPARSE_KERNEL(name, (loops), output, operands, statement)

   defines  static inline sparse_result name(output, operands...)  which runs the statement at every
   coordinate at which the operands say so:

     name        of the function
     (i, j, k)   the loops, outermost first, over indices named by one letter each. parallel(i) runs the
                 iterations of a loop side by side (OpenMP; the result does not depend on the number of
                 threads); simd(j), innermost, lets a sum be reassociated into vector lanes; unroll(k), around
                 an innermost loop over all coordinates, runs SPARSE_UNROLL iterations of k side by side in
                 it (unroll and jam), with the same result: the outputs have k or the innermost index;
                 prefetch(k), over the entries of one sparse operand, asks for what others have at k
                 SPARSE_PREFETCH iterations before it is read; tile(j, 64), over all coordinates, lets all
                 loops run over 64 of j, then over the next 64: what they share of these stays in the cache.
                 floordiv(i, 2) and, inside it, mod(i, 2) run over an index in blocks, for operands that store it so;
                 count(i, 4) over the 4 slices that an operand deals the entries with the same i out to
                 (SPARSE_ELL, SPARSE_JAGGED); minus(j, i) over the diagonals j - i (SPARSE_DIA): inside it i
                 runs along each of them, and j, which has no loop, follows. (floordiv(i, 4096), minus(j, i),
                 mod(i, 4096)) does so in blocks of rows, which stay in the cache.
     output      (y, TYPE, i)         a dense tensor: an entry that the kernel comes by is read, given to
                                      the statement, and written back; others keep their value. An empty
                                      tensor is allocated and zeroed first.
                 (C, TYPE, i, j)      a tensor with sparse levels is assembled anew: what it held is freed,
                                      and it stores what the statement comes by, zeros that it computes
                                      included. Its levels are dense, compressed, or those of COO; any order
                                      of the loops will do, see >>assembly for what it costs.
                 (s, double)          a scalar, passed as double *
                 ((y, TYPE, i), (C, TYPE, i, j), (s, double)) several of these, in one traversal
                 from(v, y, TYPE, i)  one of these outputs begun with the value v everywhere: HUGE_VAL for a
                                      least, 1 for a product
                 like(A, C, TYPE, i, j) a tensor C of any encoding that stores what A does, an operand of the
                                      same type: A's arrays of coordinates are copied, the values begin with
                                      zero, and the kernel runs where A is stored
                 update(A, TYPE, i, j) a tensor of any encoding whose stored values are changed in place;
                                      the kernel runs where A is stored
     operands    all(u, v, ...)       where all of them are stored: an intersection
                 any(u, v, ...)       where any of them is stored: a union
                 none(u, v, ...)      where none of them is stored: a complement
                 of operands (A, TYPE, i, j) and, up to three deep, of one another. A dense operand is
                 stored everywhere. slice(A, TYPE, i, j) is a part of A: the function takes a pointer to a
                 sparse_slice for each dimension next to A, and i = 0, 1, ... are the coordinates in the
                 slice. (alpha, double) is a scalar or any other parameter, passed by value, and there
                 everywhere.
                 where((w, TYPE, j), (loops), operands, statement), directly in all(), is a workspace:
                 a dense tensor of a storage type, or a scalar (w, double), or from(v, ...) either, that
                 begins with zeros or v and is computed by loops of its own, anew for each iteration of the
                 innermost loop over an index that its operands have and its loops do not. From there on
                 it is an operand, w(j). Its memory comes from the hooks of the output, once per call (and
                 thread); SPARSE_E_MEMORY if there is none, and no value is changed. A vector of zeros whose loops
                 run over stored entries, and of which the kernel does not read all, is emptied in time of what it
                 holds. (Kjolstad et al. 2019:
                 the where of concrete index notation.)
     statement   ordinary C. An operand's name is its value there, a float where numbers of 16 bits are
                 stored, and a constant where the type has one for all entries; its type's fill value, which
   is zero unless SPARSE_TENSOR_FILL gave another, where it is absent; an index's name is its coordinate, a
   size_t; the output's name can be assigned; has_A tells whether A, an operand below any(), is stored. Where
   an output C is assembled, has_C = false undoes the statement for C: its entry stays as it was, and is not
   stored if it was not.

   TYPE is the descriptor of a storage type (see SPARSE_TENSOR) of any levels; batch, counted and diagonal
   ones are those of operands. A counted operand is one of all(...), and the only one that has the count. At
   most 12 operands and 8 loops. A line that cannot be compiled is refused with one sentence. The order of the
   loops has to follow the order of the levels of every sparse operand; dense levels come in any order. A
   level that is not ordered, or a last level that is not unique, can drive a loop but not be merged with
   others.

   Examples
     SPARSE_KERNEL(dot,    (i), (s, double), all((a, SVEC, i), (b, SVEC, i)), s += a * b)
     SPARSE_KERNEL(mttkrp, (i, k, l, j), (A, MAT, i, j),
                   all((B, CSF, i, k, l), (C, MAT, k, j), (D, MAT, l, j)), A += B * C * D)
     SPARSE_KERNEL(mttkrp, (i, k, j), (A, MAT, i, j),
                  all(where((w, VEC, j), (l, j), all((B, CSF, i, k, l), (D, MAT, l, j)), w += B * D),
                      (C, MAT, k, j)), A += w * C)
     SPARSE_KERNEL(sddmm,  (i, j, k), update(S, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), S += A * B)
     SPARSE_KERNEL(sampled, (i, j, k), like(S, C, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), C += S * A
   * B) SPARSE_KERNEL(minus,  (i, j), (C, CSR, i, j), all((A, CSR, i, j), none((B, CSR, i, j))), C = A)
     SPARSE_KERNEL(spgemm, (i, k, j), (C, CSR, i, j), all((A, CSR, i, k), (B, CSR, k, j)), C += A * B)
     SPARSE_KERNEL(hops,   (i, k, j), from(HUGE_VAL, C, CSR, i, j),
                   all((A, CSR, i, k), (B, CSR, k, j)), C = fmin(C, A + B))
     SPARSE_KERNEL(upper,  (i, j), (C, CSR, i, j), all((A, CSR, i, j)), C = A; has_C = j > i)
     SPARSE_KERNEL(bsrmv,  (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
                   all((A, BSR, i, j), (x, VEC, j)), y += A * x)
     SPARSE_KERNEL(ellmv,  (count(i, 4), i, j), (y, VEC, i), all((A, ELL, i, j), (x, VEC, j)), y += A * x)
     SPARSE_KERNEL(part,   (i, j), (y, VEC, i), all(slice(A, CSR, i, j), (x, VEC, j)), y += A * x)
     SPARSE_KERNEL(diamv,  (minus(j, i), i), (y, VEC, i), all((A, DIA, i, j), (x, VEC, j)), y += A * x)

   A kernel that assembles its output, name(), has a twin, name_into(): the output brings arrays of the
   caller, each with its length and a capacity of 0, as for sparse_assemble. The kernel fills them and sets
   the lengths to what is in use; if one is too small it says SPARSE_E_CAPACITY, and the lengths say what is
   needed, exactly. So a first call with lengths of 0 is the symbolic pass of a two-phase assembly, and a
   second one the numeric. The arrays do not move; a workspace comes from the hooks of the output. Of several
   outputs all that are assembled bring their arrays; dense ones and scalars are computed by either call, so
   give them a value in between.

   The function returns SPARSE_E_NULL, SPARSE_E_ENCODING, SPARSE_E_NO_ENCODING, SPARSE_E_EMPTY,
   SPARSE_E_SHAPE, SPARSE_E_LENGTH (parts of batches), SPARSE_E_ARGUMENT (slices) or SPARSE_E_ALIAS and
   changes nothing if the operands do not fit together (SPARSE_CHECKS, in sparse_lattice.h, can leave that to
   the program); SPARSE_E_MEMORY, SPARSE_E_OVERFLOW, SPARSE_E_POSITION_WIDTH or SPARSE_E_COORDINATE_WIDTH if
   an output cannot hold the result, which is then empty. To see the loops of a kernel, `make expand K=name`;
   name_loops(), which takes the sizes and the arrays, holds nothing else. */
#ifdef __cplusplus
    #define SPARSE_KERNEL(name, loops, ...)                                                                  \
        static_assert(0 || SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#else
    #define SPARSE_KERNEL(name, loops, ...)                                                                  \
        _Static_assert(SPARSE_P_KERNEL(name, loops, __VA_ARGS__)
#endif
/* KERNEL ends in EMIT -> 1, ""); and the functions, or in REFUSE -> 0, "sentence"); so that the compiler's
   message points at the kernel line and at nothing else (g++ points at the condition, which 0 || is the first
   part of). In between, a stage a line: the loops, the tree and
   its leaves, the plan of each loop; each stops at what it finds wrong. */
#define SPARSE_P_KERNEL(name, loops, ...)                                                                    \
    SPARSE_P_CAT(SPARSE_P_KERNEL_OF_, SPARSE_P_LOOPS_ARE(loops))(name, loops, __VA_ARGS__)
#define SPARSE_P_KERNEL_OF_0no(name, ...)                                                                    \
    SPARSE_P_REFUSE(name, (, (#name ": the loops must be a list in parentheses")))
#define SPARSE_P_KERNEL_OF_0many(name, ...) SPARSE_P_REFUSE(name, (, (#name ": more than 8 loops")))
#define SPARSE_P_KERNEL_OF_0two(name, ...)                                                                   \
    SPARSE_P_REFUSE(name, (, (#name ": a comma is missing after the loops")))
/* LOOPS_ARE((i, j)) -> few, or many, of any number, or two (such lists), or no (not a list) */
#define SPARSE_P_LOOPS_ARE(loops)     SPARSE_P_CAT(SPARSE_P_LOOPS_ARE_, SPARSE_P_IS_PAREN(loops))(loops)
#define SPARSE_P_LOOPS_ARE_0(loops)   0no
#define SPARSE_P_LOOPS_ARE_1(loops)   SPARSE_P_CAT(SPARSE_P_LOOPS_ALONE_, SPARSE_P_IS_ALONE(loops))(loops)
#define SPARSE_P_LOOPS_ALONE_0(loops) 0two
#define SPARSE_P_LOOPS_ALONE_1(loops)                                                                        \
    SPARSE_P_CAT(SPARSE_P_LOOPS_NUMBER_,                                                                     \
                 SPARSE_P_IS_PAREN(SPARSE_P_NINTH(SPARSE_P_ID loops, (), (), (), (), (), (), (), (), ~)))
#define SPARSE_P_LOOPS_NUMBER_1                         0few
#define SPARSE_P_LOOPS_NUMBER_0                         0many
#define SPARSE_P_NINTH(...)                             SPARSE_P_NINTH_(__VA_ARGS__)
#define SPARSE_P_NINTH_(a, b, c, d, e, f, g, h, i, ...) i
#define SPARSE_P_KERNEL_OF_0few(name, loops, ...)                                                            \
    SPARSE_P_CAT3(SPARSE_P_KERNEL_HAS_, SPARSE_P_OUTPUT_ALONE(SPARSE_P_FIRST(__VA_ARGS__)),                  \
                  SPARSE_P_ENDS(SPARSE_P_THIRD(__VA_ARGS__, , , ~)))                                         \
    (name, loops, __VA_ARGS__)
#define SPARSE_P_KERNEL_HAS_00(name, ...)                                                                    \
    SPARSE_P_REFUSE(name, (, (#name ": a comma is missing after the output")))
#define SPARSE_P_KERNEL_HAS_01 SPARSE_P_KERNEL_HAS_00
#define SPARSE_P_KERNEL_HAS_11(name, ...)                                                                    \
    SPARSE_P_REFUSE(name, (, (#name ": the statement is missing, or the comma before it")))
#define SPARSE_P_KERNEL_HAS_10(name, loops, out, in, ...)                                                    \
    SPARSE_P_KERNEL_LINE(name, loops, out, in, (__VA_ARGS__))
/* OUTPUT_ALONE((y, VEC, i)) -> 1, OUTPUT_ALONE((y, VEC, i) all(x)) -> 0 */
#define SPARSE_P_OUTPUT_ALONE(out)   SPARSE_P_CAT(SPARSE_P_OUTPUT_ALONE_, SPARSE_P_IS_PAREN(out))(out)
#define SPARSE_P_OUTPUT_ALONE_1(out) SPARSE_P_IS_ALONE(out)
#define SPARSE_P_OUTPUT_ALONE_0(out)                                                                         \
    SPARSE_P_CAT(SPARSE_P_OUTPUT_ALONE_0, SPARSE_P_IS_OUTPUT_0(out))(SPARSE_P_OUT_KNOWN_##out)
#define SPARSE_P_OUTPUT_ALONE_00(out) 1
#define SPARSE_P_OUTPUT_ALONE_01(out) SPARSE_P_IS_ALONE(out)
#define SPARSE_P_KERNEL_LINE(name, loops, out, in, statement)                                                \
    SPARSE_P_KERNEL_LOOPS(name, SPARSE_P_DERIVED((SPARSE_P_EACHF(SPARSE_P_LOOP, , (, SPARSE_P_ID loops)))),  \
                          out, in, statement)
#define SPARSE_P_KERNEL_LOOPS(name, loops, out, in, statement)                                               \
    SPARSE_P_KERNEL_LETTERS(name, loops, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTER, , loops))), out, in, \
                            statement)
#define SPARSE_P_KERNEL_LETTERS(name, loops, letters, out, in, statement)                                    \
    SPARSE_P_KERNEL_A((SPARSE_P_LOOP_ERRORS(name, loops, letters)), name, loops, letters, out, in, statement)
#define SPARSE_P_KERNEL_A(errors, ...)                                                                       \
    SPARSE_P_CAT(SPARSE_P_KERNEL_A_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_A_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_A_0(errors, ...)       SPARSE_P_KERNEL_PARSE(__VA_ARGS__)
#define SPARSE_P_KERNEL_PARSE(name, loops, letters, out, in, statement)                                      \
    SPARSE_P_CAT(SPARSE_P_KERNEL_PARSE_, SPARSE_P_HAS_WHERE(in))(name, loops, letters, out, in, statement)
#define SPARSE_P_KERNEL_PARSE_0(name, loops, letters, out, in, statement)                                    \
    SPARSE_P_KERNEL_TREE(name, loops, letters, SPARSE_P_OUTPUT(letters, out),                                \
                         SPARSE_P_PARSE1((0M, letters), in), statement, (), ())
/* with workspaces, whose loops may add to the indices */
#define SPARSE_P_KERNEL_PARSE_1(name, loops, letters, out, in, statement)                                    \
    SPARSE_P_KERNEL_WHERE(name, loops, letters, out,                                                         \
                          (SPARSE_P_EACHE(SPARSE_P_CHILD, letters, SPARSE_P_CHILDREN(in))), statement)
#define SPARSE_P_KERNEL_WHERE(name, loops, letters, out, children, statement)                                \
    SPARSE_P_KERNEL_UNITE(name, loops, letters, out, children, statement,                                    \
                          (SPARSE_P_EACHE(SPARSE_P_WHERES, , children)))
#define SPARSE_P_KERNEL_UNITE(name, loops, letters, out, children, statement, wheres)                        \
    SPARSE_P_KERNEL_D(                                                                                       \
        (SPARSE_P_EACHA(SPARSE_P_WHERE_ERRORS, (name, letters), wheres)), name, loops,                       \
        SPARSE_P_FOLDA(SPARSE_P_UNITE, (, letters SPARSE_P_EACHE(SPARSE_P_WHERE_BASES, , wheres))), out,     \
        children, statement, wheres)
#define SPARSE_P_KERNEL_D(errors, ...)                                                                       \
    SPARSE_P_CAT(SPARSE_P_KERNEL_D_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_D_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_D_0(errors, name, loops, letters, out, children, statement, wheres)                  \
    SPARSE_P_KERNEL_PLANNED(name, loops, letters, out, children, statement,                                  \
                            (SPARSE_P_EACHE(SPARSE_P_PLANNED, , wheres)))
#define SPARSE_P_KERNEL_PLANNED(name, loops, letters, out, children, statement, wheres)                      \
    SPARSE_P_KERNEL_E((SPARSE_P_EACHA(SPARSE_P_WHERE_PLAN_ERRORS, name, wheres)), name, loops, letters, out, \
                      children, statement, wheres)
#define SPARSE_P_KERNEL_E(errors, ...)                                                                       \
    SPARSE_P_CAT(SPARSE_P_KERNEL_E_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_E_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_E_0(errors, name, loops, letters, out, children, statement, wheres)                  \
    SPARSE_P_KERNEL_TREE(name, loops, letters, SPARSE_P_OUTPUT(letters, out), ~, (all SPARSE_P_ID children), \
                         statement, wheres, (SPARSE_P_EACHE(SPARSE_P_WHERE_BASES, , wheres)))
/* the leaves are those of the output and of the operands; the output is part of the tree if it is updated */
#define SPARSE_P_KERNEL_TREE(...) SPARSE_P_KERNEL_TREE_(__VA_ARGS__)
#define SPARSE_P_KERNEL_TREE_(name, loops, letters, written, initial, out, z, in, statement, wheres, bases)  \
    SPARSE_P_KERNEL_FLAT(                                                                                    \
        name, loops, letters, SPARSE_P_VISIT(SPARSE_P_FLAT, , SPARSE_P_OUTS_##written(out)),                 \
        SPARSE_P_VISIT(SPARSE_P_FLAT, ,                                                                      \
                       SPARSE_P_CAT(SPARSE_P_INS_##written, SPARSE_P_IS_ANY wheres)(out, in)),               \
        SPARSE_P_CAT(SPARSE_P_DRIVEN_BY_##written, SPARSE_P_IS_ANY wheres)(out, in),                         \
        (statement, initial, wheres, bases))
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
#define SPARSE_P_KERNEL_FLAT(name, loops, letters, outs, ins, tree, statement)                               \
    SPARSE_P_KERNEL_LEAVES(name, loops, letters, outs, tree, (SPARSE_P_ID outs SPARSE_P_ID ins), statement)
#define SPARSE_P_KERNEL_LEAVES(name, loops, letters, outs, tree, leaves, statement)                          \
    SPARSE_P_KERNEL_B((SPARSE_P_ERRORS(name, loops, letters, outs, leaves)), name, loops, letters, outs,     \
                      tree, leaves, statement)
#define SPARSE_P_KERNEL_B(errors, ...)                                                                       \
    SPARSE_P_CAT(SPARSE_P_KERNEL_B_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_B_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_B_0(errors, ...)       SPARSE_P_KERNEL_LATTICE(__VA_ARGS__)
#define SPARSE_P_KERNEL_LATTICE(name, loops, letters, outs, tree, leaves, statement)                         \
    SPARSE_P_KERNEL_PLAN(name, loops, letters, outs,                                                         \
                         (SPARSE_P_EACHH(SPARSE_P_PLAN, (letters, tree, SPARSE_P_WAY_OF(outs)), loops)),     \
                         leaves, statement)
#define SPARSE_P_KERNEL_PLAN(name, loops, letters, outs, plans, leaves, statement)                           \
    SPARSE_P_KERNEL_C((SPARSE_P_EACHH(SPARSE_P_PLAN_ERROR, (name, outs), plans) SPARSE_P_UNROLL_ERRORS(      \
                          name, outs, loops, plans) SPARSE_P_PREFETCH_ERRORS(name, loops, plans, leaves)),   \
                      name, loops, letters, outs, plans, leaves, statement)
#define SPARSE_P_KERNEL_C(errors, ...)                                                                       \
    SPARSE_P_CAT(SPARSE_P_KERNEL_C_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_C_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_C_0(errors, name, loops, letters, outs, plans, leaves, statement)                    \
    SPARSE_P_EMIT(                                                                                           \
        name, loops,                                                                                         \
        SPARSE_P_FOLDA(SPARSE_P_UNITE,                                                                       \
                       (, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_BASE, , loops)))SPARSE_P_BASES statement)), \
        (SPARSE_P_EACHF(SPARSE_P_BLOCK, letters, loops)), outs, plans, leaves, statement)
#define SPARSE_P_BASES(statement, initial, wheres, bases) SPARSE_P_ID bases
/* ANY_ERROR(, ("u"), ("v")) -> 1 */
#define SPARSE_P_ANY_ERROR(...) SPARSE_P_IS_PAREN(SPARSE_P_SECOND(~__VA_ARGS__, 0))
/* a refused kernel can still be called, so that the sentence stays alone */
#define SPARSE_P_REFUSE(name, errors)                                                                        \
    0, SPARSE_P_UNPACK(SPARSE_P_SECOND(~ SPARSE_P_ID errors)));                                              \
    SPARSE_NODISCARD SPARSE_UNUSED static inline sparse_result name(const void *sparse_l_operand, ...)       \
    {                                                                                                        \
        return sparse_l_operand ? SPARSE_E_ARGUMENT : SPARSE_E_NULL;                                         \
    }

/* LOOP(, parallel(i)) -> , (i, parallel, i, dim, i, 0): the index that it makes known, the strategy, the loop
   variable, and what of which index it runs over; floordiv(i, 2) runs i_block, and mod(i, 2) i_inner */
#define SPARSE_P_LOOP(c, x) SPARSE_P_CAT(SPARSE_P_LOOP_, SPARSE_P_IS_PAREN(SPARSE_P_STRATEGY_##x))(x)
#define SPARSE_P_LOOP_0(x)  SPARSE_P_LOOP_OVER(0sequential, SPARSE_P_EXPRESSION(x))
#define SPARSE_P_LOOP_1(x)                                                                                   \
    SPARSE_P_LOOP_BY(SPARSE_P_FIRST(SPARSE_P_STRATEGY_IS_##x), SPARSE_P_UNPACK(SPARSE_P_STRATEGY_##x))
#define SPARSE_P_LOOP_BY(...)                       SPARSE_P_LOOP_BY_(__VA_ARGS__)
#define SPARSE_P_LOOP_BY_(strategy, ...) SPARSE_P_CAT(SPARSE_P_LOOP_BY_, SPARSE_P_COUNT(__VA_ARGS__))(strategy, __VA_ARGS__)
#define SPARSE_P_LOOP_BY_0(strategy, x)              SPARSE_P_LOOP_OVER(strategy, SPARSE_P_EXPRESSION(x))
/* with a number, as tile(j, 64): it takes the place of the divisor, of which a whole index has none */
#define SPARSE_P_LOOP_BY_1(strategy, x, c)           SPARSE_P_LOOP_WITH(strategy, x, c, SPARSE_P_EXPRESSION(x))
#define SPARSE_P_LOOP_WITH(...)                      SPARSE_P_LOOP_WITH_(__VA_ARGS__)
#define SPARSE_P_LOOP_WITH_(strategy, x, n, kind, i, c) SPARSE_P_CAT(SPARSE_P_LOOP_WITH_, SPARSE_P_IS_LETTER(x))(strategy, x, n)
#define SPARSE_P_LOOP_WITH_0(strategy, x, n) , (0, 0sequential, 0, 0bad, x, 0)
#define SPARSE_P_LOOP_WITH_1(strategy, i, n) , (i, strategy, i, 0dim, i, n)
#define SPARSE_P_LOOP_OVER(...)                     SPARSE_P_LOOP_OVER_(__VA_ARGS__)
#define SPARSE_P_LOOP_OVER_(strategy, kind, i, c)   SPARSE_P_LOOP_OVER_##kind(strategy, i, c)
#define SPARSE_P_LOOP_OVER_0bad(strategy, i, c)     , (0, strategy, 0, 0bad, i, c)
#define SPARSE_P_LOOP_OVER_0dim(strategy, i, c)     , (i, strategy, i, 0dim, i, 0)
#define SPARSE_P_LOOP_OVER_floordiv(strategy, i, c) , (i##_block, strategy, i##_block, floordiv, i, c)
#define SPARSE_P_LOOP_OVER_mod(strategy, i, c)      , (i, strategy, i##_inner, mod, i, c)
#define SPARSE_P_LOOP_OVER_count(strategy, i, c)    , (i##_count, strategy, i##_count, count, i, c)
#define SPARSE_P_LOOP_OVER_minus(strategy, j, i)    , (j##_diagonal, strategy, j##_diagonal, minus, j, i)
/* DIAGONAL(, loop) -> , j if the loop is over the diagonals minus(j, i). Then the loop over i runs along
   them, and inside it comes one over j, of a single step: DERIVE(loops, loop of i) -> , loop of i, loop of j
 */
#define SPARSE_P_DERIVED(loops)                                                                              \
    SPARSE_P_CAT(SPARSE_P_DERIVED_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_DIAGONAL, , loops)))(loops)
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
#define SPARSE_P_DERIVE__(loops, key, strategy, variable, kind, i, c)                                        \
    SPARSE_P_DERIVE_##kind(loops, key, strategy, variable, kind, i, c)
#define SPARSE_P_DERIVE_0bad(loops, key, strategy, variable, kind, i, c)                                     \
    , (key, strategy, variable, kind, i, c)
#define SPARSE_P_DERIVE_floordiv SPARSE_P_DERIVE_0bad
#define SPARSE_P_DERIVE_mod(loops, key, strategy, variable, kind, i, c)                                      \
    SPARSE_P_DERIVE_0WITHIN(strategy, i, c, (SPARSE_P_EACHF(SPARSE_P_ALONG, i, loops)))
#define SPARSE_P_DERIVE_0WITHIN(strategy, i, c, others)                                                      \
    SPARSE_P_CAT(SPARSE_P_DERIVE_WITHIN_, SPARSE_P_IS_ANY others)(strategy, i, c, others)
#define SPARSE_P_DERIVE_WITHIN_0(strategy, i, c, others) , (i, strategy, i##_inner, mod, i, c)
#define SPARSE_P_DERIVE_WITHIN_1(strategy, i, c, others)                                                     \
    , (i, SPARSE_P_ASKS_CELL(ALONG, strategy), i##_inner, 0within, i, (c, i, others))SPARSE_P_EACHF(SPARSE_P_SUM, i,   \
                                                                                          others)
#define SPARSE_P_DERIVE_count SPARSE_P_DERIVE_0bad
#define SPARSE_P_DERIVE_minus SPARSE_P_DERIVE_0bad
#define SPARSE_P_DERIVE_0dim(loops, key, strategy, variable, kind, i, c)                                     \
    SPARSE_P_DERIVE_FROM(strategy, i, c, (SPARSE_P_EACHF(SPARSE_P_ALONG, i, loops)))
#define SPARSE_P_DERIVE_FROM(strategy, i, c, others)                                                            \
    SPARSE_P_CAT(SPARSE_P_DERIVE_FROM_, SPARSE_P_IS_ANY others)(strategy, i, c, others)
#define SPARSE_P_DERIVE_FROM_0(strategy, i, c, others) , (i, strategy, i, 0dim, i, c)
#define SPARSE_P_DERIVE_FROM_1(strategy, i, c, others)                                                          \
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
     ATTRIBUTE what the function needs; OPEN, CLOSE: what comes around all loops */
#define SPARSE_P_STRATEGY_parallel
#define SPARSE_P_STRATEGY_IS_parallel parallel,
#define SPARSE_P_ASKS_ROW_parallel (parallel, 0part, parallel, SPARSE_P_DROP, SPARSE_P_OUTPUTS_SHARED, SPARSE_P_DERIVED_SHARED, SPARSE_P_WORK_BESIDE, 1, 0, 0, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_STRATEGY_simd
#define SPARSE_P_STRATEGY_IS_simd simd,
#define SPARSE_P_ASKS_ROW_simd (simd, simd, 0lanes, SPARSE_P_PLACE_INNERMOST, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0, SPARSE_P_REASSOCIATES, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_STRATEGY_unroll
#define SPARSE_P_STRATEGY_IS_unroll unroll,
#define SPARSE_P_ASKS_ROW_unroll (unroll, unroll, unroll, SPARSE_P_PLACE_AROUND, SPARSE_P_OUTPUTS_UNROLLED, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 1, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_STRATEGY_prefetch
#define SPARSE_P_STRATEGY_IS_prefetch prefetch,
#define SPARSE_P_ASKS_ROW_prefetch (0sequential, 0sequential, prefetch, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_WORK_AHEAD, 0, 1, 0, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_STRATEGY_tile
#define SPARSE_P_STRATEGY_IS_tile tile,
#define SPARSE_P_ASKS_ROW_tile (tile, tile, tile, SPARSE_P_PLACE_TILE, SPARSE_P_OUTPUTS_TILED, SPARSE_P_DROP, SPARSE_P_WORK_TILED, 0, 0, 0, SPARSE_P_DROP, SPARSE_P_OPEN_TILES, SPARSE_P_CLOSE_TILES)
/* and without a word: none, and simd along a diagonal */
#define SPARSE_P_ASKS_ROW_0sequential (0sequential, 0sequential, 0sequential, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_ASKS_ROW_0lanes (simd, simd, 0lanes, SPARSE_P_PLACE_ALONG, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, 0, 0, 0, SPARSE_P_REASSOCIATES, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_ASKS_CELL(column, strategy) SPARSE_P_CELL(SPARSE_P_ASKS_##column, SPARSE_P_ASKS_ROW_##strategy)
#define SPARSE_P_ASKS_0in_place(in_place, assembled, along, place, outputs, derived, work, ...) in_place
#define SPARSE_P_ASKS_0assembled(in_place, assembled, along, place, outputs, derived, work, ...) assembled
#define SPARSE_P_ASKS_ALONG(in_place, assembled, along, place, outputs, derived, work, ...) along
#define SPARSE_P_ASKS_PLACE(in_place, assembled, along, place, outputs, derived, work, ...) place
#define SPARSE_P_ASKS_OUTPUTS(in_place, assembled, along, place, outputs, derived, work, ...) outputs
#define SPARSE_P_ASKS_DERIVED(in_place, assembled, along, place, outputs, derived, work, ...) derived
#define SPARSE_P_ASKS_WORK(in_place, assembled, along, place, outputs, derived, work, ...) work
#define SPARSE_P_ASKS_BESIDE(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close) beside
#define SPARSE_P_ASKS_AHEAD(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close) ahead
#define SPARSE_P_ASKS_UNROLLS(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close) unrolls
#define SPARSE_P_ASKS_ATTRIBUTE(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close) attribute
#define SPARSE_P_ASKS_OPEN(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close) open
#define SPARSE_P_ASKS_CLOSE(i, a, l, p, o, d, w, beside, ahead, unrolls, attribute, open, close) close
#define SPARSE_P_REASSOCIATES() SPARSE_P_REASSOCIATING
/* tiles of an index, one after the other, around all loops */
#define SPARSE_P_AROUND(c, l) SPARSE_P_AROUND_ l
#define SPARSE_P_AROUND_(key, strategy, variable, kind, i, c) SPARSE_P_ASKS_CELL(OPEN, strategy)(i, c)
#define SPARSE_P_AROUND_END(c, l) SPARSE_P_AROUND_END_ l
#define SPARSE_P_AROUND_END_(key, strategy, variable, kind, i, c) SPARSE_P_ASKS_CELL(CLOSE, strategy)(i, c)
#define SPARSE_P_OPEN_TILES(i, c)                                                                            \
    for (size_t sparse_l_##i##_tile = 0; sparse_l_##i##_tile < sparse_l_##i##_size; sparse_l_##i##_tile += c) { \
        const size_t sparse_l_##i##_end = sparse_min(sparse_l_##i##_tile + c, sparse_l_##i##_size);
#define SPARSE_P_CLOSE_TILES(i, c) }
/* ATTRIBUTE(, loop) -> what the function needs for the strategy of a loop */
#define SPARSE_P_ATTRIBUTE(c, l)                                 SPARSE_P_ATTRIBUTE_ l
#define SPARSE_P_ATTRIBUTE_(key, strategy, variable, kind, i, c) SPARSE_P_ASKS_CELL(ATTRIBUTE, strategy)()
/* of a loop: the index that it makes known; the same unless it is only a block of one; the blocks as leaves
 */
#define SPARSE_P_LETTER(c, l)                                 SPARSE_P_LETTER_ l
#define SPARSE_P_LETTER_(key, strategy, variable, kind, i, c) , key
#define SPARSE_P_BASE(c, l)                                   SPARSE_P_BASE_ l
#define SPARSE_P_BASE_(key, strategy, variable, kind, i, c)   SPARSE_P_BASE_##kind(i)
#define SPARSE_P_BASE_0dim(i)                                 , i
#define SPARSE_P_BASE_mod(i)                                  , i
#define SPARSE_P_BASE_floordiv(i)
#define SPARSE_P_BASE_count(i)
#define SPARSE_P_BASE_minus(i)
#define SPARSE_P_BASE_0along(i)                                        , i
#define SPARSE_P_BASE_0sum(i)                                          , i
#define SPARSE_P_BASE_0within(i)                                       , i
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
#define SPARSE_P_OUTPUT(letters, out) SPARSE_P_CAT(SPARSE_P_OUTPUT_, SPARSE_P_IS_PAREN(out))(letters, out)
#define SPARSE_P_OUTPUT_1(letters, out)                                                                      \
    SPARSE_P_CAT3(SPARSE_P_OUTPUT_LIST_, SPARSE_P_IS_OUTPUT(SPARSE_P_FIRST out),                             \
                  SPARSE_P_IS_PAREN(SPARSE_P_SECOND(SPARSE_P_ID out, ~)))                                    \
    (letters, out)
#define SPARSE_P_OUTPUT_LIST_00(letters, out) 1, (, ()), (0leaf, SPARSE_P_LEAF((0W, letters), out))
#define SPARSE_P_OUTPUT_LIST_01               SPARSE_P_OUTPUT_LIST_11
#define SPARSE_P_OUTPUT_LIST_10               SPARSE_P_OUTPUT_LIST_11
#define SPARSE_P_OUTPUT_LIST_11(letters, out)                                                                \
    1, (SPARSE_P_EACHB(SPARSE_P_OUTPUT_FROM, , (, SPARSE_P_ID out))),                                        \
        (all SPARSE_P_EACHB(SPARSE_P_OUTPUT_OF, letters, (, SPARSE_P_ID out)))
/* IS_OUTPUT((y, VEC, i)) -> 1, IS_OUTPUT(from(0, y, VEC, i)) -> 1, IS_OUTPUT(y) -> 0 */
#define SPARSE_P_IS_OUTPUT(x)   SPARSE_P_CAT(SPARSE_P_IS_OUTPUT_, SPARSE_P_IS_PAREN(x))(x)
#define SPARSE_P_IS_OUTPUT_1(x) 1
#define SPARSE_P_IS_OUTPUT_0(x) SPARSE_P_IS_PAREN(SPARSE_P_OUT_KNOWN_##x)
/* one of a list of outputs -> , leaf and -> , its initial value; what is updated, or like another, stands
 * alone */
#define SPARSE_P_OUTPUT_OF(letters, out)                                                                     \
    SPARSE_P_CAT(SPARSE_P_OUTPUT_OF_, SPARSE_P_IS_PAREN(out))(letters, out)
#define SPARSE_P_OUTPUT_OF_1(letters, out) , (0leaf, SPARSE_P_ALONE((0W, letters), out))
#define SPARSE_P_OUTPUT_OF_0(letters, out)                                                                   \
    SPARSE_P_CAT(SPARSE_P_OUTPUT_OF_0, SPARSE_P_IS_OUTPUT_0(out))(letters, out)
#define SPARSE_P_OUTPUT_OF_00(letters, out) , (0leaf, (0refused, 0unknown, ~))
#define SPARSE_P_OUTPUT_OF_01(letters, out) SPARSE_P_OUTPUT_LISTED(letters, SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_LISTED(...)         SPARSE_P_OUTPUT_LISTED_(__VA_ARGS__)
#define SPARSE_P_OUTPUT_LISTED_(letters, written, role, initial, out)                                        \
    SPARSE_P_OUTPUT_LISTED_##written(letters, out)
#define SPARSE_P_OUTPUT_LISTED_1     SPARSE_P_OUTPUT_OF_1
#define SPARSE_P_OUTPUT_LISTED_0     SPARSE_P_OUTPUT_OF_00
#define SPARSE_P_OUTPUT_LISTED_like  SPARSE_P_OUTPUT_OF_00
#define SPARSE_P_OUTPUT_FROM(c, out) SPARSE_P_CAT(SPARSE_P_OUTPUT_FROM_, SPARSE_P_IS_PAREN(out))(out)
#define SPARSE_P_OUTPUT_FROM_1(out)  , ()
#define SPARSE_P_OUTPUT_FROM_0(out)  SPARSE_P_CAT(SPARSE_P_OUTPUT_FROM_0, SPARSE_P_IS_OUTPUT_0(out))(out)
#define SPARSE_P_OUTPUT_FROM_00(out) , ()
#define SPARSE_P_OUTPUT_FROM_01(out) , SPARSE_P_THIRD(SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_0(letters, out)                                                                      \
    SPARSE_P_CAT(SPARSE_P_OUTPUT_WORD_, SPARSE_P_IS_PAREN(SPARSE_P_OUT_KNOWN_##out))(letters, out)
#define SPARSE_P_OUTPUT_WORD_0(letters, out) 1, (, ()), (0leaf, (0refused, 0unknown, ~))
#define SPARSE_P_OUTPUT_WORD_1(letters, out) SPARSE_P_OUTPUT_AS(letters, SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_AS(...)              SPARSE_P_OUTPUT_AS_(__VA_ARGS__)
#define SPARSE_P_OUTPUT_AS_(letters, written, role, initial, out)                                            \
    SPARSE_P_CAT(SPARSE_P_OUTPUT_AS_, SPARSE_P_IS_PAREN(role))(letters, written, role, initial, out)
#define SPARSE_P_OUTPUT_AS_0(letters, written, role, initial, out)                                           \
    written, (, initial), (0leaf, SPARSE_P_LEAF((role, letters), out))
#define SPARSE_P_OUTPUT_AS_1(letters, written, pattern, initial, out)                                        \
    written, (, initial),                                                                                    \
        (0pair, (0leaf, SPARSE_P_LIKE(SPARSE_P_FIRST pattern, SPARSE_P_LEAF((0U, letters), out))),           \
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
#define SPARSE_P_LIKE_0tensor(A, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed,    \
                              sparse, rank)                                                                  \
    (0tensor, 0K, name, type, value, pos, crd, indices, (SPARSE_P_EACHF(SPARSE_P_LIKE_LEVEL, A, levels)),    \
     (), nlev, placed, 0, rank)
#define SPARSE_P_LIKE_OF_0(A, variable) variable
#define SPARSE_P_LIKE_OF_1(A, variable) A
#define SPARSE_P_LIKE_LEVEL(A, level) SPARSE_P_LIKE_LEVEL_(A, SPARSE_P_ID level)
#define SPARSE_P_LIKE_LEVEL_(...)     SPARSE_P_LIKE_LEVEL__(__VA_ARGS__)
#define SPARSE_P_LIKE_LEVEL__(A, number, storage, letter, placed, variable, part)                            \
    , (number, SPARSE_P_STORAGE_CELL(LIKE, storage), letter, placed, SPARSE_P_CAT(SPARSE_P_LIKE_OF_, SPARSE_P_STORAGE_CELL(WALKED, storage))(A, variable), part)

/* clang-format off */
/* EMIT: the loops as a function of sizes and arrays, and the kernel, which checks and calls them */
#define SPARSE_P_EMIT(kernel, loops, letters, blocks, outs, plans, leaves, statement)                        \
    SPARSE_P_EMIT_AS(SPARSE_P_WAY_OF(outs), kernel, loops, letters, blocks, outs, plans,                     \
                     leaves, SPARSE_P_ID statement)
#define SPARSE_P_EMIT_AS(...) SPARSE_P_EMIT_AS_(__VA_ARGS__)
#define SPARSE_P_EMIT_AS_(way, kernel, loops, letters, blocks, outs, plans, leaves, statement, initial,      \
                          wheres, bases)                                                                     \
    (1 SPARSE_P_CAT(SPARSE_P_SAME_BLOCKS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_PARTLY, , loops)))(loops, leaves)), \
        #kernel ": the loops and the levels of an operand divide an index into different parts");            \
    SPARSE_NODISCARD SPARSE_UNUSED SPARSE_P_EACHF(SPARSE_P_ATTRIBUTE, , loops)                                                \
    SPARSE_P_EACHE(SPARSE_P_WHERE_ATTRIBUTE, , wheres) static inline sparse_result                           \
    kernel##_loops(SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE_PARAMETER, , (, SPARSE_P_ID letters))          \
                                 SPARSE_P_EACHE(SPARSE_P_ARRAYS, , leaves)                                   \
                                 SPARSE_P_EACHE(SPARSE_P_WORK_PARAMETER, , wheres)                           \
                                 SPARSE_P_EACHF(SPARSE_P_PART_PARAMETER, way, loops)                         \
                                 SPARSE_P_EACHF(SPARSE_P_WHOLE_PARAMETER, , blocks)))                        \
    {                                                                                                        \
        SPARSE_P_EACHF(SPARSE_P_BLOCK_SIZE, , loops)                                                         \
        SPARSE_P_EACHE(SPARSE_P_FILL_OF, , leaves)                                                           \
        SPARSE_P_EACHE(SPARSE_P_ACCUMULATE, , SPARSE_P_BEGUN(initial, outs))                                 \
        SPARSE_P_EACHF(SPARSE_P_AROUND, , loops)                                                             \
        SPARSE_P_CAT(SPARSE_P_NEST_OF_, SPARSE_P_IS_MADE(wheres, loops))                                     \
        ((SPARSE_P_ID blocks SPARSE_P_EACHE(SPARSE_P_PLACE, , leaves)),                                      \
         (SPARSE_P_EACHE(SPARSE_P_PLACE, , outs)), statement, plans, way, loops, wheres, leaves)             \
        SPARSE_P_EACHF(SPARSE_P_AROUND_END, , loops)                                                         \
        SPARSE_P_EACHE(SPARSE_P_ACCUMULATED, , outs)                                                         \
        return SPARSE_OK;                                                                                    \
    }                                                                                                        \
    SPARSE_P_EMIT_##way(kernel, loops, letters, blocks, outs, leaves, SPARSE_P_BEGUN(initial, outs), wheres)
#define SPARSE_P_EMIT_0in_place(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                  \
    SPARSE_NODISCARD SPARSE_UNUSED static inline sparse_result                                               \
    kernel(SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves)))                                      \
    {                                                                                                        \
        SPARSE_P_BIND(letters, leaves)                                                                       \
        SPARSE_P_EACHE(SPARSE_P_PATTERN, , outs)                                                             \
        SPARSE_P_WORK(letters, loops, wheres)                                                                \
        SPARSE_P_EACHE(SPARSE_P_FILL, , begun)                                                               \
        sparse_result sparse_l_looped;                                                                                \
        SPARSE_P_CAT(SPARSE_P_CALL_, SPARSE_P_IS_ANY blocks)                                                 \
        (sparse_l_looped =, kernel, letters, blocks, SPARSE_P_CALL_ARGUMENTS(letters, leaves, 0in_place, loops, wheres)) \
        SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                          \
        return sparse_l_looped;                                                                                       \
    }
/* what assembles its output does so in memory of its own, and as kernel_into() in arrays of the caller */
#define SPARSE_P_EMIT_0assembled(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                 \
    SPARSE_UNUSED static inline sparse_result                                                                \
    kernel##_assemble(bool sparse_l_fixed SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves))                               \
    {                                                                                                        \
        SPARSE_P_BIND(letters, leaves)                                                                       \
        SPARSE_P_EACHE(SPARSE_P_FILL, , begun)                                                               \
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
    SPARSE_P_ASSEMBLE_PART(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                      \
    return sparse_l_made;
/* in parts, each with a builder of its own, by a loop that may run on several threads */
#define SPARSE_P_ASSEMBLE_1(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                     \
    sparse_builder sparse_l_one, *sparse_l_all = &sparse_l_one;                                                                         \
    const size_t sparse_l_parts = sparse_divide(&sparse_l_all, sparse_assembled(sparse_l_operand), sparse_l_fixed);                              \
    SPARSE_P_PARALLEL_PARTS                                                                                  \
    for (size_t sparse_l_part = 0; sparse_l_part < sparse_l_parts; sparse_l_part++) {                                                            \
        SPARSE_P_EACHE(SPARSE_P_BUILDER_OF_PART, , outs)                                                     \
        SPARSE_P_ASSEMBLE_PART(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                  \
        sparse_p_end_part(&sparse_l_all[sparse_l_part], sparse_l_made);                                                                             \
    }                                                                                                        \
    return sparse_join(sparse_l_all, sparse_l_parts, sparse_assembled(sparse_l_operand));
#define SPARSE_P_ASSEMBLE_PART(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                  \
    sparse_result sparse_l_made = SPARSE_OK;                                                                          \
    SPARSE_P_EACHE(SPARSE_P_START, , begun)                                                                  \
    SPARSE_P_EACHE(SPARSE_P_WORK_OF, (letters, 1, sparse_l_made), wheres)                                             \
    SPARSE_P_CAT(SPARSE_P_CALL_, SPARSE_P_IS_ANY blocks)                                                     \
    (if (sparse_l_made == SPARSE_OK) sparse_l_made =, kernel, letters, blocks,                                                 \
     SPARSE_P_CALL_ARGUMENTS(letters, leaves, 0assembled, loops, wheres))                                     \
    SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                              \
    const sparse_result sparse_l_looped = sparse_l_made;                                                                       \
    SPARSE_P_EACHE(SPARSE_P_END, , outs)
#define SPARSE_P_BIND(letters, leaves)                                                                       \
    const char *const sparse_l_over = SPARSE_P_EACHF(SPARSE_P_QUOTE, , (, SPARSE_P_ID letters));                      \
    const sparse_operand sparse_l_operand[] = {SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_OPERAND, , leaves))};            \
    const size_t sparse_l_operands = sizeof sparse_l_operand / sizeof *sparse_l_operand;                                                \
    size_t sparse_l_size[SPARSE_P_COUNT(SPARSE_P_ID letters) + 1];                                                    \
    const sparse_result sparse_l_result = sparse_bind(sparse_l_over, sparse_l_size, sparse_l_operand, sparse_l_operands);                                 \
    if (sparse_l_result != SPARSE_OK) return sparse_l_result;
/* clang-format on */
#define SPARSE_P_CALL_ARGUMENTS(letters, leaves, way, loops, wheres)                                         \
    (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE, letters, (, SPARSE_P_ID letters)) SPARSE_P_EACHE(           \
        SPARSE_P_ARGUMENTS, , leaves) SPARSE_P_EACHE(SPARSE_P_WORK_ARGUMENT, , wheres)                       \
                       SPARSE_P_EACHF(SPARSE_P_PART_OF, way, loops)))
/* a workspace: as a parameter of the loops, as an argument, and where its memory comes and goes; a scalar one
   is a variable of the loops */
#define SPARSE_P_WORK_PARAMETER(c, where) SPARSE_P_WORK_PART(SPARSE_P_WORK_PARAMETER, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_ARGUMENT(c, where)  SPARSE_P_WORK_PART(SPARSE_P_WORK_ARGUMENT, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_OF(c, where)        SPARSE_P_WORK_PART(SPARSE_P_WORK_OF, c, SPARSE_P_ID where)
#define SPARSE_P_END_WORK(c, where)       SPARSE_P_WORK_PART(SPARSE_P_END_WORK, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_PART(...)           SPARSE_P_WORK_PART_(__VA_ARGS__)
#define SPARSE_P_WORK_PART_(op, c, n, tree, loops, letters, leaves, written, initial, out, operand, ...)     \
    SPARSE_P_WORK_PART3(op, c, SPARSE_P_ID operand)
#define SPARSE_P_WORK_PART3(...)                    SPARSE_P_WORK_PART4(__VA_ARGS__)
#define SPARSE_P_WORK_PART4(op, c, what, role, ...) op##_##what(c, __VA_ARGS__)
#define SPARSE_P_WORK_PARAMETER_0scalar(c, name, value)
#define SPARSE_P_WORK_PARAMETER_0tensor(c, name, type, value, ...)                                           \
    , SPARSE_P_ELEMENT(value) * SPARSE_RESTRICT const sparse_l_##name##_work
#define SPARSE_P_WORK_ARGUMENT_0scalar(c, name, value)
#define SPARSE_P_WORK_ARGUMENT_0tensor(c, name, type, value, ...)                                            \
    , (SPARSE_P_ELEMENT(value) *)sparse_p_memory_of(&sparse_l_##name##_work)
#define SPARSE_P_WORK_OF_0scalar(c, name, value)
#define SPARSE_P_WORK_OF_0tensor(c, ...) SPARSE_P_WORK_OF_(SPARSE_P_ID c, __VA_ARGS__)
#define SPARSE_P_WORK_OF_(...)           SPARSE_P_WORK_OF__(__VA_ARGS__)
#define SPARSE_P_WORK_OF__(letters, copies, result, name, type, value, pos, crd, indices, ...)               \
    sparse_buffer sparse_l_##name##_work;                                                                    \
    const size_t sparse_l_##name##_sizes[] = {copies SPARSE_P_EACHF(SPARSE_P_SIZE, letters, indices)};       \
    result = sparse_workspace(                                                                               \
        result, &sparse_l_##name##_work, sizeof(SPARSE_P_ELEMENT(value)), sparse_l_##name##_sizes,           \
        sizeof sparse_l_##name##_sizes / sizeof *sparse_l_##name##_sizes, sparse_l_operand);
#define SPARSE_P_END_WORK_0scalar(c, name, value)
#define SPARSE_P_END_WORK_0tensor(c, name, type, value, ...)                                                 \
    sparse_end_workspace(&sparse_l_##name##_work, sizeof(SPARSE_P_ELEMENT(value)), sparse_l_operand);
/* WORK: the workspaces of a kernel in place; if there is no memory for them, it ends before it changes
 * anything */
#define SPARSE_P_WORK(letters, loops, wheres)                                                                \
    SPARSE_P_CAT(SPARSE_P_WORK_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_WORK_ARGUMENT, , wheres)))          \
    (letters, loops, wheres)
#define SPARSE_P_WORK_0(letters, loops, wheres)
#define SPARSE_P_WORK_1(letters, loops, wheres)                                                              \
    sparse_result sparse_l_made = SPARSE_OK;                                                                 \
    SPARSE_P_EACHE(SPARSE_P_WORK_OF, (letters, SPARSE_P_COPIES(loops), sparse_l_made), wheres)               \
    if (sparse_l_made != SPARSE_OK) {                                                                        \
        SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                          \
        return sparse_l_made;                                                                                \
    }
#define SPARSE_P_COPIES(loops)                                    SPARSE_P_SECOND(~SPARSE_P_EACHF(SPARSE_P_COPIES_FOR, , loops), 1)
#define SPARSE_P_COPIES_FOR(c, l)                                 SPARSE_P_COPIES_FOR_ l
#define SPARSE_P_COPIES_FOR_(key, strategy, variable, kind, i, c) SPARSE_P_CAT(SPARSE_P_COPIES_, SPARSE_P_ASKS_CELL(BESIDE, strategy))
#define SPARSE_P_COPIES_0
#define SPARSE_P_COPIES_1 , sparse_threads()
/* a loop in parts, each with an output of its own, of which the loops know which of how many they are */
#define SPARSE_P_PART_PARAMETER(way, l) SPARSE_P_PART_PARAMETER_(way, SPARSE_P_ID l)
#define SPARSE_P_PART_PARAMETER_(...)   SPARSE_P_PART_PARAMETER__(__VA_ARGS__)
#define SPARSE_P_PART_PARAMETER__(way, key, strategy, variable, kind, i, c)                                  \
    SPARSE_P_CAT3(SPARSE_P_PART_PARAMETER_, way, SPARSE_P_ASKS_CELL(BESIDE, strategy))
#define SPARSE_P_PART_PARAMETER_0in_place0
#define SPARSE_P_PART_PARAMETER_0in_place1
#define SPARSE_P_PART_PARAMETER_0assembled0
#define SPARSE_P_PART_PARAMETER_0assembled1 , const size_t sparse_l_part, const size_t sparse_l_parts
#define SPARSE_P_PART_OF(way, l)                                     SPARSE_P_PART_OF_(way, SPARSE_P_ID l)
#define SPARSE_P_PART_OF_(...)                                       SPARSE_P_PART_OF__(__VA_ARGS__)
#define SPARSE_P_PART_OF__(way, key, strategy, variable, kind, i, c) SPARSE_P_CAT3(SPARSE_P_PART_OF_, way, SPARSE_P_ASKS_CELL(BESIDE, strategy))
#define SPARSE_P_PART_OF_0in_place0
#define SPARSE_P_PART_OF_0in_place1
#define SPARSE_P_PART_OF_0assembled0
#define SPARSE_P_PART_OF_0assembled1 , sparse_l_part, sparse_l_parts
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
#define SPARSE_P_BEGUN(initials, outs)                                                                       \
    (SPARSE_P_BEGUN_(SPARSE_P_COUNT(~SPARSE_P_ID outs), SPARSE_P_ID initials, SPARSE_P_ID outs))
#define SPARSE_P_BEGUN_(n, ...)                SPARSE_P_CAT(SPARSE_P_BEGUN_, n)(__VA_ARGS__)
#define SPARSE_P_BEGUN_1(z, x1, y, r1)         , (x1, SPARSE_P_ID r1)
#define SPARSE_P_BEGUN_2(z, x1, x2, y, r1, r2) , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2)
#define SPARSE_P_BEGUN_3(z, x1, x2, x3, y, r1, r2, r3)                                                       \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3)
#define SPARSE_P_BEGUN_4(z, x1, x2, x3, x4, y, r1, r2, r3, r4)                                               \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4)
#define SPARSE_P_BEGUN_5(z, x1, x2, x3, x4, x5, y, r1, r2, r3, r4, r5)                                       \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4),                \
        (x5, SPARSE_P_ID r5)
#define SPARSE_P_BEGUN_6(z, x1, x2, x3, x4, x5, x6, y, r1, r2, r3, r4, r5, r6)                               \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4),                \
        (x5, SPARSE_P_ID r5), (x6, SPARSE_P_ID r6)
#define SPARSE_P_BEGUN_7(z, x1, x2, x3, x4, x5, x6, x7, y, r1, r2, r3, r4, r5, r6, r7)                       \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4),                \
        (x5, SPARSE_P_ID r5), (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7)
#define SPARSE_P_BEGUN_8(z, x1, x2, x3, x4, x5, x6, x7, x8, y, r1, r2, r3, r4, r5, r6, r7, r8)               \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4),                \
        (x5, SPARSE_P_ID r5), (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8)
#define SPARSE_P_BEGUN_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, y, r1, r2, r3, r4, r5, r6, r7, r8, r9)       \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4),                \
        (x5, SPARSE_P_ID r5), (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8),              \
        (x9, SPARSE_P_ID r9)
#define SPARSE_P_BEGUN_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, y, r1, r2, r3, r4, r5, r6, r7, r8, r9, \
                          r10)                                                                               \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4),                \
        (x5, SPARSE_P_ID r5), (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8),              \
        (x9, SPARSE_P_ID r9), (x10, SPARSE_P_ID r10)
#define SPARSE_P_BEGUN_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, y, r1, r2, r3, r4, r5, r6, r7,    \
                          r8, r9, r10, r11)                                                                  \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4),                \
        (x5, SPARSE_P_ID r5), (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8),              \
        (x9, SPARSE_P_ID r9), (x10, SPARSE_P_ID r10), (x11, SPARSE_P_ID r11)
#define SPARSE_P_BEGUN_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, y, r1, r2, r3, r4, r5, r6,   \
                          r7, r8, r9, r10, r11, r12)                                                         \
    , (x1, SPARSE_P_ID r1), (x2, SPARSE_P_ID r2), (x3, SPARSE_P_ID r3), (x4, SPARSE_P_ID r4),                \
        (x5, SPARSE_P_ID r5), (x6, SPARSE_P_ID r6), (x7, SPARSE_P_ID r7), (x8, SPARSE_P_ID r8),              \
        (x9, SPARSE_P_ID r9), (x10, SPARSE_P_ID r10), (x11, SPARSE_P_ID r11), (x12, SPARSE_P_ID r12)
/* INITIAL(double, (, x)) -> x, INITIAL(double, ()) -> 0 */
#define SPARSE_P_INITIAL(value, initial)                                                                     \
    SPARSE_P_CAT(SPARSE_P_INITIAL_, SPARSE_P_IS_ANY initial)(value, initial)
#define SPARSE_P_INITIAL_0(value, initial) SPARSE_ZERO(SPARSE_P_ELEMENT(value))
#define SPARSE_P_INITIAL_1(value, initial) SPARSE_P_ENCODE(value, SPARSE_P_TEXT initial)
/* What a role means for a tensor is one row, ROLE_ROW_role:
     ACCESS   of its values and storage, const or nothing; WRITTEN: 1 of an output
     TOLD     what the checks are told of it
     FILL     what the loops know before them: that it is there, or what it is where it is absent */
#define SPARSE_P_ROLE_CELL(column, role) SPARSE_P_CELL(SPARSE_P_ROLE_##column, SPARSE_P_ROLE_ROW_##role)
#define SPARSE_P_ROLE_ROW_0M (const, 0, SPARSE_READS, SPARSE_P_IS_THERE)
#define SPARSE_P_ROLE_ROW_0O (const, 0, SPARSE_READS, SPARSE_P_IS_MAYBE)
#define SPARSE_P_ROLE_ROW_0N (const, 0, SPARSE_READS, SPARSE_P_IS_MAYBE)
#define SPARSE_P_ROLE_ROW_0W (, 1, SPARSE_WRITES, SPARSE_P_DROP)
#define SPARSE_P_ROLE_ROW_0U (, 1, SPARSE_UPDATES, SPARSE_P_IS_THERE)
#define SPARSE_P_ROLE_ROW_0K (, 1, SPARSE_COPIES, SPARSE_P_DROP)
#define SPARSE_P_ROLE_ACCESS(access, written, told, fill)  access
#define SPARSE_P_ROLE_WRITTEN(access, written, told, fill) written
#define SPARSE_P_ROLE_TOLD(access, written, told, fill)    told
#define SPARSE_P_ROLE_FILL(access, written, told, fill)    fill
/* FILL_OF(, record): what an operand that may be absent then is; that others are there */
#define SPARSE_P_FILL_OF(c, record)            SPARSE_P_FILL_OF_ record
#define SPARSE_P_FILL_OF_(what, role, ...)     SPARSE_P_FILL_OF_##what(role, __VA_ARGS__)
#define SPARSE_P_FILL_OF_0scalar(role, name, value) SPARSE_P_CAT(SPARSE_P_FILL_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name)
#define SPARSE_P_FILL_SCALAR_0(name) SPARSE_P_IS_THERE(name, ~)
#define SPARSE_P_FILL_SCALAR_1(name)
#define SPARSE_P_FILL_OF_0assembled(role, ...)
#define SPARSE_P_FILL_OF_0tensor(role, ...) SPARSE_P_ROLE_CELL(FILL, role)(__VA_ARGS__)
#define SPARSE_P_FILL_OF_0sliced SPARSE_P_FILL_OF_0tensor
#define SPARSE_P_IS_THERE(name, ...) SPARSE_UNUSED const bool has_##name = true;
#define SPARSE_P_IS_MAYBE(name, type, value, pos, crd, indices, levels, walks, nlev, placed,       \
                                    sparse, rank)                                                            \
    SPARSE_P_CAT(SPARSE_P_FILL_IF_, SPARSE_P_NZ_##sparse)(name, type, value)
#define SPARSE_P_FILL_IF_0(name, type, value)
#define SPARSE_P_FILL_IF_1(name, type, value)                                                                \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) sparse_l_##name##_fill = SPARSE_P_DECODE(value, type##_fill);
/* PATTERN(, record): gives an output the pattern of the operand that it is like, and zeros */
#define SPARSE_P_PATTERN(c, record)        SPARSE_P_PATTERN_ record
#define SPARSE_P_PATTERN_(what, role, ...) SPARSE_P_PATTERN_##what##_##role(__VA_ARGS__)
#define SPARSE_P_PATTERN_0scalar_0W(...)
#define SPARSE_P_PATTERN_0tensor_0W(...)
#define SPARSE_P_PATTERN_0tensor_0U(...)
#define SPARSE_P_PATTERN_0tensor_0K(name, type, value, ...)                                                  \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_zero = SPARSE_ZERO(SPARSE_P_ELEMENT(value));             \
    const sparse_result sparse_l_copied = sparse_p_copy_pattern(sparse_l_operand, &sparse_l_##name##_zero);  \
    if (sparse_l_copied != SPARSE_OK) return sparse_l_copied;
/* FILL(, ((, x), record)): fills a dense output with its initial value, if there is one */
#define SPARSE_P_FILL(c, begun) SPARSE_P_FILL_ begun
#define SPARSE_P_FILL_(initial, what, role, ...)                                                             \
    SPARSE_P_CAT3(SPARSE_P_FILL_, what, SPARSE_P_IS_ANY initial)(initial, __VA_ARGS__)
#define SPARSE_P_FILL_0assembled0(...)
#define SPARSE_P_FILL_0assembled1(...)
#define SPARSE_P_FILL_0scalar0(...)
#define SPARSE_P_FILL_0scalar1(...)
#define SPARSE_P_FILL_0tensor0(...)
#define SPARSE_P_FILL_0tensor1(initial, name, type, value, ...)                                              \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_initially =                                              \
        SPARSE_P_ENCODE(value, SPARSE_P_TEXT initial);                                                       \
    sparse_p_fill_values(name, &sparse_l_##name##_initially, sizeof sparse_l_##name##_initially);
/* for each output that is assembled: its builder, alone or of a part; START(, ((, x), record)) begins it, END
 * ends it */
#define SPARSE_P_BUILDER(c, record)           SPARSE_P_BUILDER_ record
#define SPARSE_P_BUILDER_(what, role, A, ...) SPARSE_P_BUILDER_##what(A)
#define SPARSE_P_BUILDER_0scalar(A)
#define SPARSE_P_BUILDER_0tensor(A)
#define SPARSE_P_BUILDER_0assembled(A)                                                                       \
    sparse_builder sparse_l_##A##_builder, *const sparse_l_##A##_to = &sparse_l_##A##_builder;               \
    sparse_p_set_whole(sparse_l_##A##_to);
#define SPARSE_P_BUILDER_OF_PART(c, record)           SPARSE_P_BUILDER_OF_PART_ record
#define SPARSE_P_BUILDER_OF_PART_(what, role, A, ...) SPARSE_P_BUILDER_OF_PART_##what(A)
#define SPARSE_P_BUILDER_OF_PART_0scalar(A)
#define SPARSE_P_BUILDER_OF_PART_0tensor(A)
#define SPARSE_P_BUILDER_OF_PART_0assembled(A)                                                               \
    sparse_builder *const sparse_l_##A##_to = &sparse_l_all[sparse_l_part];
#define SPARSE_P_START(c, begun)            SPARSE_P_START_ begun
#define SPARSE_P_START_(initial, what, ...) SPARSE_P_START_##what(initial, __VA_ARGS__)
#define SPARSE_P_START_0scalar(...)
#define SPARSE_P_START_0tensor(...)
#define SPARSE_P_START_0assembled(initial, role, A, type, value, pos, crd, indices, levels, steps, nlev,     \
                                  placed, last, prefix, known, mode, rank)                                   \
    const SPARSE_P_ELEMENT(value) sparse_l_##A##_initially = SPARSE_P_INITIAL(value, initial);               \
    sparse_l_made = sparse_first_error(sparse_l_made,                                                        \
                                       sparse_builder_begin(sparse_l_##A##_to, sparse_l_over, sparse_l_size, \
                                                            A, sparse_l_operand, sparse_l_operands,          \
                                                            SPARSE_P_MODE_CELL(EXPANDS, mode)(prefix), sparse_l_fixed, \
                                                            &sparse_l_##A##_initially));
#define SPARSE_P_END(c, record)           SPARSE_P_END_ record
#define SPARSE_P_END_(what, role, A, ...) SPARSE_P_END_##what(A)
#define SPARSE_P_END_0scalar(A)
#define SPARSE_P_END_0tensor(A)
#define SPARSE_P_END_0assembled(A)                                                                           \
    sparse_l_made = sparse_first_error(sparse_l_made, sparse_builder_end(sparse_l_##A##_to, sparse_l_looped));
#define SPARSE_P_QUOTE(c, i)             #i
#define SPARSE_P_SIZE_PARAMETER(c, i)    , SPARSE_UNUSED const size_t sparse_l_##i##_size
#define SPARSE_P_SIZE(letters, i)        , sparse_l_size[SPARSE_P_POS(i, letters) - 1]
/* with blocks, the loops are compiled twice: for dimensions that the blocks fill, or slices that the rows
   fill, and for others */
#define SPARSE_P_CALL_0(gives, kernel, letters, blocks, arguments) gives kernel##_loops arguments;
#define SPARSE_P_CALL_1(gives, kernel, letters, blocks, arguments)                                           \
    if (SPARSE_P_FOLDF(SPARSE_P_AND_TEXT, (SPARSE_P_EACHF(SPARSE_P_IS_WHOLE, letters, blocks)))) {           \
        gives kernel##_loops(SPARSE_P_ID arguments SPARSE_P_EACHF(SPARSE_P_WHOLE, true, blocks));            \
    } else {                                                                                                 \
        gives kernel##_loops(SPARSE_P_ID arguments SPARSE_P_EACHF(SPARSE_P_WHOLE, false, blocks));           \
    }
#define SPARSE_P_IS_WHOLE(letters, x)               SPARSE_P_IS_WHOLE_(letters, SPARSE_P_ID x)
#define SPARSE_P_IS_WHOLE_(...)                     SPARSE_P_IS_WHOLE__(__VA_ARGS__)
#define SPARSE_P_IS_WHOLE__(letters, what, d, i, c) SPARSE_P_IS_WHOLE_##what(letters, i, c)
#define SPARSE_P_IS_WHOLE_0block(letters, i, c)     , sparse_l_size[SPARSE_P_POS(i, letters) - 1] % c == 0
#define SPARSE_P_IS_WHOLE_0inner(letters, i, c)     , true
#define SPARSE_P_IS_WHOLE_count(letters, i, c)                                                               \
    , sparse_slots_are_taken(sparse_l_operand, sparse_l_operands, #i)
#define SPARSE_P_WHOLE(value, x)                 , value
#define SPARSE_P_WHOLE_PARAMETER(c, x)           SPARSE_P_WHOLE_PARAMETER_ x
#define SPARSE_P_WHOLE_PARAMETER_(what, d, i, c) SPARSE_P_WHOLE_PARAMETER_##what(i)
#define SPARSE_P_WHOLE_PARAMETER_0block(i)       , const bool sparse_l_##i##_whole
#define SPARSE_P_WHOLE_PARAMETER_0inner(i)       , SPARSE_UNUSED const bool sparse_l_##i##_whole
#define SPARSE_P_WHOLE_PARAMETER_count(i)        , SPARSE_UNUSED const bool sparse_l_##i##_count_whole
/* the sizes of the parts of a blocked index, and that its operands have the same blocks */
#define SPARSE_P_BLOCK_SIZE(c, l)                                 SPARSE_P_BLOCK_SIZE_ l
#define SPARSE_P_BLOCK_SIZE_(key, strategy, variable, kind, i, c) SPARSE_P_BLOCK_SIZE_##kind(i, c)
#define SPARSE_P_BLOCK_SIZE_0dim(i, c)
#define SPARSE_P_BLOCK_SIZE_floordiv(i, c)                                                                   \
    SPARSE_UNUSED const size_t sparse_l_##i##_block_size =                                                   \
        sparse_l_##i##_size / c + (sparse_l_##i##_size % c != 0);
#define SPARSE_P_BLOCK_SIZE_mod(i, c)   enum { sparse_l_##i##_inner_size = c };
#define SPARSE_P_BLOCK_SIZE_count(i, c) enum { sparse_l_##i##_count_size = c };
#define SPARSE_P_BLOCK_SIZE_minus(j, i)                                                                      \
    SPARSE_UNUSED const size_t sparse_l_##j##_diagonal_size =                                                \
        sparse_l_##i##_size > 0 && sparse_l_##j##_size > 0 ? sparse_l_##i##_size + sparse_l_##j##_size - 1   \
                                                           : 0;
#define SPARSE_P_BLOCK_SIZE_0along(i, c)
#define SPARSE_P_BLOCK_SIZE_0sum(i, c)
#define SPARSE_P_BLOCK_SIZE_0within(i, c) enum { sparse_l_##i##_inner_size = SPARSE_P_FIRST c };
/* PARTLY(, loop) -> , ~ if the loop is over a part of an index */
#define SPARSE_P_PARTLY(c, l)                                 SPARSE_P_PARTLY_ l
#define SPARSE_P_PARTLY_(key, strategy, variable, kind, i, c) SPARSE_P_PARTLY_##kind
#define SPARSE_P_PARTLY_0dim
#define SPARSE_P_PARTLY_floordiv , ~
#define SPARSE_P_PARTLY_mod      , ~
#define SPARSE_P_PARTLY_count    , ~
#define SPARSE_P_PARTLY_minus    , ~
#define SPARSE_P_PARTLY_0along
#define SPARSE_P_PARTLY_0sum
#define SPARSE_P_PARTLY_0within , ~
/* SAME_BLOCKS_1(loops, leaves) -> && 2 == 2 ...: the loops and the levels over a part of an index agree */
#define SPARSE_P_SAME_BLOCKS_0(loops, leaves)
#define SPARSE_P_SAME_BLOCKS_1(loops, leaves)                                                                \
    SPARSE_P_EACHF(SPARSE_P_SAME_IN_LOOPS, loops, loops) SPARSE_P_EACHE(SPARSE_P_SAME_IN_LEAF, loops, leaves)
#define SPARSE_P_SAME_IN_LOOPS(loops, l) SPARSE_P_SAME_IN_LOOPS_(loops, SPARSE_P_ID l)
#define SPARSE_P_SAME_IN_LOOPS_(...)     SPARSE_P_SAME_IN_LOOPS__(__VA_ARGS__)
#define SPARSE_P_SAME_IN_LOOPS__(loops, key, strategy, variable, kind, i, c)                                 \
    SPARSE_P_SAME_LOOP_##kind(i, c, loops)
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
#define SPARSE_P_SAME_IN_0tensor(loops, role, name, type, value, pos, crd, indices, levels, ...)             \
    SPARSE_P_EACHF(SPARSE_P_SAME_IN_LEVEL, loops, levels)
#define SPARSE_P_SAME_IN_0assembled          SPARSE_P_SAME_IN_0tensor
#define SPARSE_P_SAME_IN_0sliced             SPARSE_P_SAME_IN_0tensor
#define SPARSE_P_SAME_IN_LEVEL(loops, level) SPARSE_P_SAME_IN_LEVEL_(loops, SPARSE_P_ID level)
#define SPARSE_P_SAME_IN_LEVEL_(...)         SPARSE_P_SAME_IN_LEVEL__(__VA_ARGS__)
#define SPARSE_P_SAME_IN_LEVEL__(loops, number, storage, letter, placed, variable, part)                     \
    SPARSE_P_SAME_IN_PART(loops, letter, SPARSE_P_ID part)
#define SPARSE_P_SAME_IN_PART(...)                     SPARSE_P_SAME_IN_PART_(__VA_ARGS__)
#define SPARSE_P_SAME_IN_PART_(loops, letter, kind, c) SPARSE_P_SAME_SIZE_##kind(letter, c, loops)
#define SPARSE_P_SAME_SIZE_0dim(i, c, loops)
#define SPARSE_P_SAME_SIZE_floordiv(i, c, loops) SPARSE_P_EACHG(SPARSE_P_SAME_SIZE, (i, c), loops)
#define SPARSE_P_SAME_SIZE_mod(i, c, loops)      SPARSE_P_EACHG(SPARSE_P_SAME_SIZE, (i##_block, c), loops)
#define SPARSE_P_SAME_SIZE_count(i, c, loops)    SPARSE_P_EACHG(SPARSE_P_SAME_SIZE, (i, c), loops)
#define SPARSE_P_SAME_SIZE_minus(j, i, loops)    SPARSE_P_EACHG(SPARSE_P_SAME_PAIR, (j, i), loops)
#define SPARSE_P_SAME_PAIR(c, l)                 SPARSE_P_SAME_PAIR_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_SAME_PAIR_(...)                 SPARSE_P_SAME_PAIR__(__VA_ARGS__)
#define SPARSE_P_SAME_PAIR__(diagonal, other, key, strategy, variable, kind, j, i)                           \
    SPARSE_P_SAME_PAIR_##kind(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_0dim(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_floordiv(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_mod(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_count(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_0along(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_0sum(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_0within(diagonal, other, key, i)
#define SPARSE_P_SAME_PAIR_minus(diagonal, other, key, i)                                                    \
    SPARSE_P_IFEQ(diagonal, key, &&SPARSE_P_COUNT(~SPARSE_P_SAME(other, i)))
#define SPARSE_P_SAME_SIZE(c, l) SPARSE_P_SAME_SIZE_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_SAME_SIZE_(...) SPARSE_P_SAME_SIZE__(__VA_ARGS__)
#define SPARSE_P_SAME_SIZE__(block, c, key, strategy, variable, kind, i, size)                               \
    SPARSE_P_IFEQ(block, key, &&c == SPARSE_P_DIVISOR_##kind(size))
#define SPARSE_P_DIVISOR_0dim(c)     c
#define SPARSE_P_DIVISOR_floordiv(c) c
#define SPARSE_P_DIVISOR_mod(c)      c
#define SPARSE_P_DIVISOR_count(c)    c
#define SPARSE_P_DIVISOR_minus(c)    c
#define SPARSE_P_DIVISOR_0along(c)   0
#define SPARSE_P_DIVISOR_0sum(c)     0
#define SPARSE_P_DIVISOR_0within(c)  SPARSE_P_FIRST c

/* the parts of an operand, each (c, record) -> text; what it is depends on what the operand is and its role
 */

/* -> , double *y_val  or  , const uint32_t *A2_pos, const uint32_t *A2_crd, const double *A_val */
#define SPARSE_P_ARRAYS(c, record)                  SPARSE_P_ARRAYS_OF record
#define SPARSE_P_ARRAYS_OF(what, role, ...)         SPARSE_P_ARRAYS_##what(role, __VA_ARGS__)
#define SPARSE_P_ARRAYS_0scalar(role, name, value)  SPARSE_P_CAT(SPARSE_P_ARRAYS_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name, value)
#define SPARSE_P_ARRAYS_SCALAR_0(name, value)       , SPARSE_UNUSED value name
#define SPARSE_P_ARRAYS_SCALAR_1(name, value)       , value *SPARSE_RESTRICT sparse_l_##name##_val
#define SPARSE_P_ARRAYS_0tensor(role, ...)          SPARSE_P_ARRAYS_(SPARSE_P_ROLE_CELL(ACCESS, role), __VA_ARGS__)
#define SPARSE_P_ARRAYS_0assembled(role, name, ...) , sparse_builder *const sparse_l_##name##_to
#define SPARSE_P_ARRAYS_0sliced(role, ...)          SPARSE_P_ARRAYS_SLICED(__VA_ARGS__)
/* -> , const size_t A1_size, const sparse_slice A1_slice, ..., const sparse_slice A2_crd_slice, const double
 * *A_val */
#define SPARSE_P_ARRAYS_SLICED(name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,    \
                               rank)                                                                         \
    SPARSE_P_EACHF(SPARSE_P_SLICE_PARAMETER, name, levels)                                                   \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARRAYS, (name, pos, crd), walks)                                           \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_VAL_, SPARSE_P_HAS_ARRAY(value))(const, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_SLICE_PARAMETER(A, level) SPARSE_P_SLICE_PARAMETER_(A, SPARSE_P_ID level)
#define SPARSE_P_SLICE_PARAMETER_(...)     SPARSE_P_SLICE_PARAMETER__(__VA_ARGS__)
#define SPARSE_P_SLICE_PARAMETER__(A, n, storage, letter, placed, variable, part)                            \
    SPARSE_P_SLICE_PARAMETER_##storage(A, n)
#define SPARSE_P_SLICE_PARAMETER_0V(A, n)                                                                    \
    , SPARSE_UNUSED const size_t sparse_l_##A##n##_size, const sparse_slice sparse_l_##A##n##_slice
#define SPARSE_P_SLICE_PARAMETER_0S(A, n) , const sparse_slice sparse_l_##A##n##_crd_slice
#define SPARSE_P_SLICE_ARRAYS(c, level)   SPARSE_P_SLICE_ARRAYS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARRAYS_(...)       SPARSE_P_SLICE_ARRAYS__(__VA_ARGS__)
#define SPARSE_P_SLICE_ARRAYS__(A, pos, crd, n, placed, above, iterator)                                     \
    SPARSE_P_ARRAYS_IN(SLICE_ARRAYS, SPARSE_P_FIRST(SPARSE_P_UNPACK(SPARSE_P_SECOND iterator)))(A, ~, n, pos, crd)
#define SPARSE_P_ARRAYS_(access, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,  \
                         rank)                                                                               \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARRAYS, (name, pos, crd), walks)                                           \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_VAL_, SPARSE_P_HAS_ARRAY(value))(access, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_ARRAYS_VAL_0(access, element, name)
#define SPARSE_P_ARRAYS_VAL_1(access, element, name)                                                         \
    , SPARSE_UNUSED access element *SPARSE_RESTRICT sparse_l_##name##_val
#define SPARSE_P_LEVEL_ARRAYS(c, level) SPARSE_P_LEVEL_ARRAYS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_ARRAYS_(...)     SPARSE_P_LEVEL_ARRAYS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ARRAYS__(A, pos, crd, n, placed, above, iterator)                                     \
    SPARSE_P_ARRAYS_IN(ARRAYS, SPARSE_P_FIRST iterator)(A, ~, n, pos, crd)
/* ARRAYS_IN(ARRAYS, format) -> that cell of the format's row */
#define SPARSE_P_ARRAYS_IN(column, format)                                                                   \
    SPARSE_P_CELL(SPARSE_P_RANGE_##column, SPARSE_P_CAT(SPARSE_P_RANGE_ROW_, format))

/* the same as arguments, from the tensors */
#define SPARSE_P_ARGUMENTS(c, record)                  SPARSE_P_ARGUMENTS_OF record
#define SPARSE_P_ARGUMENTS_OF(what, role, ...)         SPARSE_P_ARGUMENTS_##what(role, __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_0scalar(role, name, value)  , name
#define SPARSE_P_ARGUMENTS_0tensor(role, ...)          SPARSE_P_ARGUMENTS_(SPARSE_P_ROLE_CELL(ACCESS, role), __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_0assembled(role, name, ...) , sparse_l_##name##_to
#define SPARSE_P_ARGUMENTS_0sliced(role, ...)          SPARSE_P_ARGUMENTS_SLICED(__VA_ARGS__)
#define SPARSE_P_ARGUMENTS_SLICED(name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, \
                                  rank)                                                                      \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARGUMENT, (name, type), levels)                                            \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARGUMENTS, (name, type, pos, crd), walks)                                  \
    SPARSE_P_CAT(SPARSE_P_ARGUMENTS_VAL_, SPARSE_P_HAS_ARRAY(value))(const, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_SLICE_ARGUMENT(c, level) SPARSE_P_SLICE_ARGUMENT_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARGUMENT_(...)     SPARSE_P_SLICE_ARGUMENT__(__VA_ARGS__)
#define SPARSE_P_SLICE_ARGUMENT__(A, type, n, storage, letter, placed, variable, part)                       \
    SPARSE_P_SLICE_ARGUMENT_##storage(A, type, n)
#define SPARSE_P_SLICE_ARGUMENT_0V(A, type, n)                                                               \
    , sparse_p_lvl_of(A, n), sparse_l_##A##_slice[sparse_p_dim_of(&type##_encoding, n)]
#define SPARSE_P_SLICE_ARGUMENT_0S(A, type, n) , sparse_l_##A##_slice[sparse_p_dim_of(&type##_encoding, n)]
#define SPARSE_P_SLICE_ARGUMENTS(c, level)     SPARSE_P_SLICE_ARGUMENTS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARGUMENTS_(...)         SPARSE_P_SLICE_ARGUMENTS__(__VA_ARGS__)
#define SPARSE_P_SLICE_ARGUMENTS__(A, type, pos, crd, n, placed, above, iterator)                            \
    SPARSE_P_ARRAYS_IN(SLICE_ARGUMENTS, SPARSE_P_FIRST(SPARSE_P_UNPACK(SPARSE_P_SECOND iterator)))(A, type, n, pos, crd)
#define SPARSE_P_ARGUMENTS_(access, name, type, value, pos, crd, indices, levels, walks, nlev, placed,       \
                            sparse, rank)                                                                    \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARGUMENTS, (name, type, pos, crd), walks)                                        \
    SPARSE_P_CAT(SPARSE_P_ARGUMENTS_VAL_, SPARSE_P_HAS_ARRAY(value))(access, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_ARGUMENTS_VAL_0(access, element, name)
#define SPARSE_P_ARGUMENTS_VAL_1(access, element, name) , (access element *)sparse_p_val_of(name)
#define SPARSE_P_LEVEL_ARGUMENTS(c, level)              SPARSE_P_LEVEL_ARGUMENTS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_ARGUMENTS_(...)                  SPARSE_P_LEVEL_ARGUMENTS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ARGUMENTS__(A, type, pos, crd, n, placed, above, iterator)                                  \
    SPARSE_P_ARRAYS_IN(ARGUMENTS, SPARSE_P_FIRST iterator)(A, type, n, pos, crd)

/* the same as parameters of the kernel -> , vec *y  or  , const csr *A  or  , double alpha */
#define SPARSE_P_PARAMETER(c, record)                        SPARSE_P_PARAMETER_OF record
#define SPARSE_P_PARAMETER_OF(what, role, ...)               SPARSE_P_PARAMETER_##what(role, __VA_ARGS__)
#define SPARSE_P_PARAMETER_0scalar(role, name, value)        SPARSE_P_CAT(SPARSE_P_PARAMETER_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name, value)
#define SPARSE_P_PARAMETER_SCALAR_0(name, value)             , value name
#define SPARSE_P_PARAMETER_SCALAR_1(name, value)             , value *name
#define SPARSE_P_PARAMETER_0tensor(role, name, type, ...)    , SPARSE_P_ROLE_CELL(ACCESS, role) type *name
#define SPARSE_P_PARAMETER_0assembled(role, name, type, ...) , type *name
#define SPARSE_P_PARAMETER_0sliced(role, name, type, ...)    , const type *name, const sparse_slice *sparse_l_##name##_slice

/* the same as a row of the table that is checked -> , {&csr_encoding, A, "ij", reads} */
#define SPARSE_P_OPERAND(c, record)                   SPARSE_P_OPERAND_OF record
#define SPARSE_P_OPERAND_OF(what, role, ...)          SPARSE_P_OPERAND_##what(role, __VA_ARGS__)
#define SPARSE_P_OPERAND_0scalar(role, name, value)   SPARSE_P_CAT(SPARSE_P_OPERAND_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name)
#define SPARSE_P_OPERAND_SCALAR_0(name)
#define SPARSE_P_OPERAND_SCALAR_1(name)                                                                      \
    , { NULL, name, "", SPARSE_WRITES }
#define SPARSE_P_OPERAND_0tensor(role, ...)    SPARSE_P_OPERAND_(SPARSE_P_ROLE_CELL(TOLD, role), __VA_ARGS__)
#define SPARSE_P_OPERAND_0assembled(role, ...) SPARSE_P_OPERAND_(SPARSE_ASSEMBLES, __VA_ARGS__)
#define SPARSE_P_OPERAND_0sliced(role, name, type, value, pos, crd, indices, ...)                            \
    , {&type##_encoding, name, SPARSE_P_EACHF(SPARSE_P_QUOTE, , indices), SPARSE_SLICES},                    \
    {                                                                                                        \
        NULL, sparse_l_##name##_slice, "", SPARSE_READS                                                      \
    }
#define SPARSE_P_OPERAND_(access, name, type, value, pos, crd, indices, ...)                                 \
    , { &type##_encoding, name, SPARSE_P_EACHF(SPARSE_P_QUOTE, , indices), access }

/* before and after the loops: a scalar output is accumulated in a register */
#define SPARSE_P_ACCUMULATE(c, begun) SPARSE_P_ACCUMULATE_ begun
#define SPARSE_P_ACCUMULATE_(initial, what, role, ...)                                                       \
    SPARSE_P_CAT3(SPARSE_P_ACCUMULATE_, what, SPARSE_P_IS_ANY initial)(initial, __VA_ARGS__)
#define SPARSE_P_ACCUMULATE_0scalar0(initial, name, value) value name = *sparse_l_##name##_val;
#define SPARSE_P_ACCUMULATE_0scalar1(initial, name, value) value name = SPARSE_P_TEXT initial;
#define SPARSE_P_ACCUMULATE_0tensor0(...)
#define SPARSE_P_ACCUMULATE_0tensor1(...)
#define SPARSE_P_ACCUMULATE_0assembled1 SPARSE_P_ACCUMULATE_0assembled0
#define SPARSE_P_ACCUMULATE_0assembled0(initial, name, type, value, pos, crd, indices, levels, steps, nlev,  \
                                        placed, last, prefix, known, mode, rank)                             \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_init = SPARSE_P_INITIAL(value, initial);                 \
    size_t sparse_l_n##name = 0;
#define SPARSE_P_ACCUMULATED(c, record)            SPARSE_P_ACCUMULATED_OF_A record
#define SPARSE_P_ACCUMULATED_OF_A(what, role, ...) SPARSE_P_ACCUMULATED_##what(__VA_ARGS__)
#define SPARSE_P_ACCUMULATED_0scalar(name, value)  *sparse_l_##name##_val = name;
#define SPARSE_P_ACCUMULATED_0tensor(...)
#define SPARSE_P_ACCUMULATED_0assembled(name, type, value, pos, crd, indices, levels, steps, nlev, placed,   \
                                        last, prefix, known, mode, rank)                                     \
    SPARSE_P_MODE_CELL(COUNT, mode)(name, last, prefix)
#define SPARSE_P_COUNT_ENTRIES(A, last, prefix) *sparse_p_count(sparse_l_##A##_to, last) = sparse_l_n##A;
#define SPARSE_P_GATHER_LAST(A, last, prefix) SPARSE_P_AT_LOOP(prefix, 0)(SPARSE_P_GATHER)(A)

/* >>binding */

/* How a kernel uses an operand. */
typedef enum sparse_access {
    SPARSE_READS,
    SPARSE_WRITES,
    SPARSE_UPDATES,
    SPARSE_ASSEMBLES,
    SPARSE_COPIES, /* the pattern of the next operand */
    SPARSE_SLICES  /* reads a part */
} sparse_access;

/* One operand of a kernel call: the encoding that the kernel was compiled for, the tensor (a struct that
   begins with a sparse_tensor; for a scalar output, with a null encoding, any address), and the letters of
   its indices, one per dimension. One that is read through slices is followed by a row for these, without an
   encoding. */
typedef struct sparse_operand {
    const sparse_encoding *encoding;
    const void *tensor;
    const char *index;
    sparse_access access;
} sparse_operand;

/* The positions of level l, which stores coordinates, in each batch. */
SPARSE_API size_t sparse_part(const sparse_tensor *t, unsigned l);

/* Does the operand that deals the entries of this index out to slices hold one in each slot: are its levels
   dense, one of them over the index, but for the last, which is compressed, and are there as many entries as
   slots? */
SPARSE_API bool sparse_slots_are_taken(const sparse_operand *operand, size_t count, const char *index);

/* Checks the operands of a kernel against each other: pointers, encodings, storage, sizes, aliasing, or as
   much of that as SPARSE_CHECKS asks for. Gives the size of each of the loops, which are named by the letters
   of the string, and allocates the dense outputs that are blank. Changes nothing unless all is well. Every
   kernel calls it first. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_bind(const char *loops, size_t *size,
                                                      const sparse_operand *operand, size_t count);

/* The threads that a parallel loop can have, and which of them this is. */
SPARSE_UNUSED static inline size_t sparse_threads(void)
{
#ifdef _OPENMP
    return (size_t)omp_get_max_threads();
#else
    return 1;
#endif
}

SPARSE_UNUSED static inline size_t sparse_thread(void)
{
#ifdef _OPENMP
    return (size_t)omp_get_thread_num();
#else
    return 0;
#endif
}

/* Memory for a workspace of a kernel, the product of the sizes, `rank` of them, values of `bytes` bytes: from
   the hooks of its output, which is the first operand. Does nothing but make the buffer empty if an earlier
   step failed, and returns why. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_workspace(sparse_result so_far, sparse_buffer *work,
                                                           size_t bytes, const size_t *size, size_t rank,
                                                           const sparse_operand *operand);

SPARSE_API void sparse_end_workspace(sparse_buffer *work, size_t bytes, const sparse_operand *operand);

/* Gives the output operand[0] the pattern of operand[1], and the value zero everywhere. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_p_copy_pattern(const sparse_operand *operand,
                                                                const void *zero);

/* >>assembly
   An output with sparse levels is assembled: it begins empty, and its kernel appends entries in the order of
   its levels (document 003, insert). Where a loop over an index that the output does not have runs outside
   one that it has, entries come by more than once and in any order. A workspace then takes them in, over the
   coordinates of all levels from that loop on, and is gathered each time the loops above it move on (document
   002, section 4.2; document 003, expand and compress; Kjolstad et al. 2019). */

/* A workspace has slots with values, tells which are vacant, and lists the keys that were added, so that what
   it holds is put in order and cleared in time of that. A key is an entry's coordinates from level `first` on
   in one number. It is its own slot, in an array; or keys are hashed, with linear probing: the bytes that say
   which slots are vacant stay in the cache, and beside them a probe touches one line of keys and one of
   values.

   An array is the better one as long as what a row touches of it is near, or so dense that running over it
   beats sorting keys. A row begins with what would have been best for the row before. As long as there is no
   array keys are hashed: it is made when as many entries have been gathered as pay for it, or when the table
   would be as large. */

/* A tensor on its way. Level l + 1 has entries[l] coordinates so far, of which those below its first rows[l]
   parents are complete. */
typedef struct sparse_builder {
    sparse_tensor *t;
    sparse_tensor *into; /* where t, made aside, belongs; else null */
    sparse_tensor aside;
    size_t parts;         /* of as many is this one, made aside and then put together; 0: it is all */
    sparse_result result; /* why a step failed */
    unsigned last;        /* number of the last sparse level */
    unsigned head;        /* number of the level that has its positions: the first of COO */
    unsigned first;       /* number of the first level of the workspace, 0: there is none */
    bool fixed;           /* its arrays do not grow: what goes beyond them is only counted */
    size_t block;         /* values below an entry of the last sparse level */
    size_t expected;      /* entries of that level: what the operands with all of its indices have */
    size_t room;          /* for entries of that level, in its arrays and in val */
    size_t entries[SPARSE_MAX_LEVELS];
    size_t rows[SPARSE_MAX_LEVELS];
    size_t coordinate[SPARSE_MAX_LEVELS]; /* of the last entry gathered; where the loops above are */
    size_t parent;                        /* position above the workspace */
    bool fresh;                           /* nothing was gathered below it yet */
    void *values;                         /* the workspace as loops see it: initial where slots are vacant */
    unsigned char *vacant;                /* 0 for each slot that holds an entry, else 1 */
    size_t *added;                    /* the keys of those that hold one, in the order in which they came */
    size_t *key;                      /* hashed: of each slot that is not vacant */
    size_t mask;                      /* hashed: the number of slots, a power of two, less 1 */
    unsigned shift;                   /* hashed: of the product with a constant, to a slot */
    unsigned how;                     /* ARRAY, STEADY or HASHED */
    bool plain;                       /* over one compressed level, with one value a slot */
    bool common;                      /* and that of 8 bytes, with coordinates of 32 bits */
    sparse_buffer array[2], table[3]; /* values, vacant; values, vacant, key */
    sparse_buffer list, order;
    size_t limit;      /* keys that it can hold */
    size_t keys;       /* that there are */
    size_t gathered;   /* entries, by workspaces that are empty again */
    size_t insertions; /* into this one, at most */
} sparse_builder;

/* What kernels say of a builder, by functions: a member's name could be a macro of the user's. Levels count
 * from 1. */
SPARSE_P_INLINE sparse_result sparse_p_result(const sparse_builder *b) { return b->result; }
SPARSE_P_INLINE size_t *sparse_p_count(sparse_builder *b, unsigned level) { return &b->entries[level - 1]; }
SPARSE_P_INLINE unsigned sparse_p_how(const sparse_builder *b) { return b->how; }
SPARSE_P_INLINE void *sparse_p_values(const sparse_builder *b) { return b->values; }
SPARSE_P_INLINE unsigned char *sparse_p_vacant(const sparse_builder *b) { return b->vacant; }
SPARSE_P_INLINE size_t *sparse_p_added(const sparse_builder *b) { return b->added; }
SPARSE_P_INLINE size_t sparse_p_room(const sparse_builder *b) { return b->room; }
SPARSE_P_INLINE size_t sparse_p_block(const sparse_builder *b) { return b->block; }
SPARSE_P_INLINE sparse_tensor *sparse_p_made(const sparse_builder *b) { return b->t; }
SPARSE_P_INLINE void sparse_p_set_parent(sparse_builder *b, size_t position) { b->parent = position; }
SPARSE_P_INLINE void sparse_p_set_coordinate(sparse_builder *b, unsigned level, size_t i)
{
    b->coordinate[level - 1] = i;
}
SPARSE_API void sparse_p_fill_values(void *tensor, const void *value, size_t size);
SPARSE_P_INLINE void sparse_p_set_whole(sparse_builder *b) { b->parts = 0; }
SPARSE_P_INLINE void sparse_p_end_part(sparse_builder *b, sparse_result result) { b->result = result; }

/* EXPECT: an output that has reached this part of what is expected of it gets room for all of that at once,
   for the sake of the copies that growing makes, and at its end keeps no more than it needs.
   What follows is measured: an array of AT_ONCE slots costs nothing to speak of; an entry gathered pays for
   PAYS slots of an array; NEAR slots of it are in the cache; while an entry is sorted SCAN slots are run
   over; branches pay if a key comes REPEATED times; INSERTED keys are sorted by insertion, RANKED ones by
   comparing each with each. A hash table has at least FEWEST slots. */
enum {
    SPARSE_P_LINE = 64,
    SPARSE_P_EXPECT = 8,
    SPARSE_P_AT_ONCE = 4096,
    SPARSE_P_PAYS = 4,
    SPARSE_P_SCAN = 128,
    SPARSE_P_REPEATED = 4,
    SPARSE_P_FEW_INSERTED = 12,
    SPARSE_P_RANKED = 64,
    SPARSE_P_FEWEST = 64
};
#define SPARSE_P_NEAR (UINT32_C(1) << 17) /* more than an int has in any case */

/* How a workspace finds the slot of a key and learns whether it is vacant: an array, without a branch; an
   array, of which most keys are there already, with one; a hash table. */
enum { SPARSE_P_STEADY, SPARSE_P_ADDRESSED, SPARSE_P_HASHED };

/* What makes room is rare, but not marked cold: gcc would take the loops that go on after it for cold as
 * well. */

/* sparse_p_grow for an array of the builder. */
SPARSE_API bool sparse_p_widen(sparse_builder *to, sparse_buffer *b, size_t length, size_t size);

/* The same for an array of the output. */
SPARSE_P_INLINE bool sparse_p_grow_output(sparse_builder *to, sparse_buffer *b, size_t length, size_t size)
{
    return length <= b->capacity || to->fixed || sparse_p_widen(to, b, length, size);
}

SPARSE_API bool sparse_p_make_room(sparse_builder *to, size_t entries, size_t more);

/* Makes room for `more` entries of the last sparse level after the first `entries`. */
SPARSE_P_INLINE bool sparse_reserve(sparse_builder *to, size_t entries, size_t more)
{
    return more <= to->room - entries || sparse_p_make_room(to, entries, more);
}

/* The next coordinates of compressed level `level` are below position `parent`; its first `entries` are
   below the positions before. */
SPARSE_P_INLINE bool sparse_rows(sparse_builder *to, unsigned level, size_t parent, size_t entries,
                                 unsigned bits)
{
    sparse_buffer *pos = &to->t->pos[level - 1];
    size_t row = to->rows[level - 1];
    if (!sparse_p_grow_output(to, pos, parent + 1, bits / 8)) return false;
    while (row < parent)
        if (++row < pos->capacity) sparse_store(pos->at, bits, row, entries);
    to->rows[level - 1] = parent;
    return true;
}

/* Appends a coordinate to compressed level `level`, which is not the last. */
SPARSE_P_INLINE bool sparse_append(sparse_builder *to, unsigned level, size_t coordinate, unsigned bits)
{
    sparse_buffer *crd = &to->t->crd[level - 1];
    const size_t p = to->entries[level - 1];
    if (!sparse_p_grow_output(to, crd, p + 1, bits / 8)) return false;
    if (p < crd->capacity) sparse_store(crd->at, bits, p, coordinate);
    to->entries[level - 1] = p + 1;
    return true;
}

/* Where a key is, or belongs, in a hash table. */
SPARSE_P_INLINE size_t sparse_p_probe(const unsigned char *vacant, const size_t *keys, size_t mask,
                                      unsigned shift, size_t key)
{
    size_t slot = (size_t)((uint64_t)key * 0x9E3779B97F4A7C15u >> shift);
    while (!(vacant[slot] | (keys[slot] == key))) slot = (slot + 1) & mask;
    return slot;
}

/* The slot that a key has, or gets, in the hash table of the workspace. */
SPARSE_API size_t sparse_p_find(const sparse_builder *to, size_t key);

/* The slot of a key. */
SPARSE_P_INLINE size_t sparse_slot(const sparse_builder *to, unsigned how, size_t key)
{
    return SPARSE_P_RARELY(how == SPARSE_P_HASHED) ? sparse_p_find(to, key) : key;
}

/* Fills the slot of a key: the number of keys that were added. Where most are there already a branch is faster
   than doing without. */
SPARSE_P_INLINE size_t sparse_add(size_t *added, unsigned char *vacant, unsigned how, size_t count,
                                  size_t key, size_t slot)
{
    const size_t is_new = vacant[slot];
    if (!(is_new | how)) return count; /* steady */
    added[count] = key;
    vacant[slot] = 0;
    return count + is_new;
}

/* sparse_expand where it has to make room. */
SPARSE_API bool sparse_p_expand(sparse_builder *to, size_t count, size_t more, const void *initial);

/* Makes room for `more` keys beside the `count` that are in the workspace. */
SPARSE_P_INLINE bool sparse_expand(sparse_builder *to, size_t count, size_t more, const void *initial)
{
    to->insertions += more;
    return more <= to->limit - count || sparse_p_expand(to, count, more, initial);
}

/* Empties the workspace of `count` keys into the tensor, in order, at the loops' coordinates above it. */
SPARSE_API bool sparse_compress(sparse_builder *to, size_t count, const void *initial);

/* The first of the operands that is assembled; there is one. */
SPARSE_UNUSED static inline const sparse_operand *sparse_assembled(const sparse_operand *operand)
{
    while (operand->access != SPARSE_ASSEMBLES) operand++;
    return operand;
}

/* Of two results the one to report: the first error, but rather any other than that it does not fit. */
SPARSE_UNUSED static inline sparse_result sparse_first_error(sparse_result first, sparse_result then)
{
    return first == SPARSE_OK || (first == SPARSE_E_CAPACITY && then != SPARSE_OK) ? then : first;
}

/* Begins `output`, one of the operands of a kernel: frees what it holds, unless it is fixed, gives it the
   sizes of the loops, and makes the workspace, unless first is 0, with a value that is there before any
   other. The builder needs to know nothing but its parts. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_builder_begin(sparse_builder *to, const char *loops,
                                                               const size_t *size, const void *output,
                                                               const sparse_operand *operand, size_t count,
                                                               unsigned first, bool fixed,
                                                               const void *initial);

/* Ends the output: its last positions, its lengths; frees the workspace, and all of the output if result is
   an error, other than that it does not fit into the caller's arrays. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_builder_end(sparse_builder *to, sparse_result result);

/* One builder in *all for each part of an output that several threads assemble, four to a thread, for
   balance; only the one that is there, if there is one thread or no memory for more. Their number. */
SPARSE_API size_t sparse_divide(sparse_builder **all, const sparse_operand *operand, bool fixed);

/* Ends an output that was assembled in parts: puts them together, and frees them. */
SPARSE_NODISCARD SPARSE_API sparse_result sparse_join(sparse_builder *all, size_t parts,
                                                      const sparse_operand *operand);

#if SPARSE_P_DEFINED

SPARSE_API void sparse_p_fill_values(void *tensor, const void *value, size_t size)
{
    sparse_tensor *const t = (sparse_tensor *)tensor;
    sparse_p_fill(t->val.at, t->val.length, value, size);
}
/* From here on, how: see >>linkage in sparse_formats.h. */

/* >>binding, defined */

/* True if the tensor was never given a size: a zeroed one, or a freed one. */
static inline bool sparse_p_is_blank(const sparse_tensor *t)
{
    for (unsigned d = 0; t->encoding && d < t->encoding->rank; d++)
        if (t->dim[d]) return false;
    return t->val.at == NULL && t->val.length == 0;
}

SPARSE_API size_t sparse_part(const sparse_tensor *t, unsigned l)
{
    const size_t batches = sparse_p_batches(t);
    return batches > 0 ? t->crd[l].length / sparse_p_crd(t->encoding, t, l).stride / batches : 0;
}

/* SPARSE_OK if the arrays of t have a part for each batch, and these go together: positions for as many
   parents as there is room for above, values for as many positions as there are. */
SPARSE_P_COLD sparse_result sparse_p_has_parts(const sparse_tensor *t)
{
    const sparse_encoding *e = t->encoding;
    const size_t batches = sparse_p_batches(t);
    size_t positions = 1, length = 0;
    bool fits = true;
    for (unsigned l = sparse_p_batch_levels(e); batches > 0 && l < e->levels; l++) {
        const sparse_level *v = &e->level[l];
        if (v->format == SPARSE_DENSE) fits = fits && sparse_p_mul(&positions, positions, t->lvl[l]);
        if (!sparse_p_has_pos(v)) continue;
        fits = fits && sparse_p_pos_length(v, positions, &length) && sparse_p_mul(&length, length, batches) &&
               t->pos[l].length == length;
        positions = sparse_part(t, l);
    }
    fits = fits && (batches == 0 || (sparse_p_mul(&length, positions, batches) && t->val.length == length));
    return fits ? SPARSE_OK : SPARSE_E_LENGTH;
}

/* SPARSE_OK if every array that the encoding calls for is there. */
SPARSE_P_COLD sparse_result sparse_p_has_storage(const sparse_tensor *t)
{
    bool dense = true;
    if (sparse_p_batch_levels(t->encoding) > 0) {
        if (sparse_p_batches(t) == 0) return SPARSE_OK;
        const sparse_result result = sparse_p_has_parts(t);
        if (result != SPARSE_OK) return result;
    }
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        const unsigned format = t->encoding->level[l].format;
        if (format == SPARSE_DENSE || format == SPARSE_BATCH) continue;
        dense = false;
        const bool ranges = format == SPARSE_COMPRESSED || format == SPARSE_LOOSE_COMPRESSED;
        if (ranges && t->pos[l].at == NULL && (format == SPARSE_COMPRESSED || l == 0 || t->pos[l].length))
            return SPARSE_E_EMPTY; /* below no parents a loose level has no positions at all */
        if (t->crd[l].at == NULL && t->crd[l].length) return SPARSE_E_NULL;
    }
    if (t->encoding->constant) return SPARSE_OK;
    if (t->val.at == NULL && t->val.length) return SPARSE_E_NULL;
    for (unsigned l = 0; dense && l < t->encoding->levels; l++)
        if (t->lvl[l] == 0) return SPARSE_OK;
    return dense && t->val.at == NULL ? SPARSE_E_EMPTY : SPARSE_OK;
}

/* True if the values of a and b overlap in memory. */
static inline bool sparse_p_overlap(const sparse_tensor *a, const sparse_tensor *b)
{
    const char *p = (const char *)a->val.at, *q = (const char *)b->val.at;
    return p && q && a->encoding && b->encoding && p < q + b->val.length * b->encoding->value_size &&
           q < p + a->val.length * a->encoding->value_size;
}

/* SPARSE_OK if operand o is there, has the encoding that the kernel was compiled for, and unless the kernel
   makes it anew, all arrays. */
SPARSE_P_COLD sparse_result sparse_p_check_operand(const sparse_operand *o, bool anew)
{
    const sparse_tensor *t = (const sparse_tensor *)o->tensor;
    if (!t) return SPARSE_E_NULL;
    if (!o->encoding) return SPARSE_OK; /* a scalar */
    anew = anew || (o->access == SPARSE_WRITES && sparse_p_is_blank(t));
    if (!t->encoding) return anew ? SPARSE_OK : SPARSE_E_NO_ENCODING;
    if (!sparse_same_encoding(t->encoding, o->encoding)) return SPARSE_E_ENCODING;
    return anew ? SPARSE_OK : sparse_p_has_storage(t);
}

/* SPARSE_OK if no output shares memory with another operand. */
SPARSE_P_COLD sparse_result sparse_p_check_aliases(const sparse_operand *operand, size_t count)
{
    for (size_t n = 0; n < count; n++)
        for (size_t m = 0; m < count; m++)
            if (n != m && operand[n].encoding && operand[m].encoding && operand[n].access != SPARSE_READS &&
                operand[n].access != SPARSE_SLICES &&
                (operand[n].tensor == operand[m].tensor ||
                 sparse_p_overlap((const sparse_tensor *)operand[n].tensor,
                                  (const sparse_tensor *)operand[m].tensor)))
                return SPARSE_E_ALIAS;
    return SPARSE_OK;
}

/* The sizes of the dimensions of operand o, as far as they are known, into size[], one per loop; unknown
   ones are SIZE_MAX. SPARSE_E_SHAPE if two operands disagree. */
SPARSE_P_COLD sparse_result sparse_p_bind_sizes(const char *loops, size_t *size, const sparse_operand *o)
{
    const sparse_tensor *t = (const sparse_tensor *)o->tensor;
    for (unsigned d = 0; o->index[d]; d++) {
        unsigned l = 0;
        const size_t its =
            o->access == SPARSE_SLICES ? ((const sparse_slice *)o[1].tensor)[d].size : t->dim[d];
        while (loops[l] != o->index[d]) l++;
        if (SPARSE_CHECKS >= 1 && size[l] != SIZE_MAX && size[l] != its)
            return sparse_p_is_blank(t) ? SPARSE_E_EMPTY : SPARSE_E_SHAPE;
        size[l] = its;
    }
    return SPARSE_OK;
}

/* The sizes of the dimensions of output o, which the other operands gave to its indices. */
static inline sparse_result sparse_p_output_dims(const char *loops, const size_t *size,
                                                 const sparse_operand *o, size_t *dim)
{
    for (unsigned d = 0; o->index[d]; d++) {
        unsigned l = 0;
        while (loops[l] != o->index[d]) l++;
        if (size[l] == SIZE_MAX) return SPARSE_E_EMPTY;
        dim[d] = size[l];
    }
    return SPARSE_OK;
}

/* Allocates the dense output of operand o. */
SPARSE_P_COLD sparse_result sparse_p_bind_output(const char *loops, const size_t *size,
                                                 const sparse_operand *o)
{
    sparse_tensor *t = (sparse_tensor *)o->tensor;
    size_t dim[SPARSE_MAX_RANK] = {0};
    sparse_result result = sparse_p_output_dims(loops, size, o, dim);
    if (result != SPARSE_OK) return result;
    t->encoding = o->encoding;
    return sparse_allocate_dense(t, dim);
}

SPARSE_API bool sparse_slots_are_taken(const sparse_operand *operand, size_t count, const char *index)
{
    for (size_t n = 0; n < count; n++) {
        const sparse_encoding *e = operand[n].encoding;
        const unsigned counted = e ? sparse_p_find_map(e, SPARSE_MAP_COUNT) : 0;
        if (!e || counted == e->levels || operand[n].index[e->level[counted].dim] != *index) continue;
        const sparse_tensor *t = (const sparse_tensor *)operand[n].tensor;
        const unsigned last = e->levels - 1u;
        bool slots = e->level[last].format == SPARSE_COMPRESSED && e->level[last].properties == 0,
             over = false;
        for (unsigned l = 0; l < last; l++) {
            slots = slots && e->level[l].format == SPARSE_DENSE;
            over = over || (l > counted && e->level[l].dim == e->level[counted].dim);
        }
        return slots && over && t->pos[last].length == t->val.length + 1;
    }
    return false;
}

SPARSE_API sparse_result sparse_bind(const char *loops, size_t *size, const sparse_operand *operand,
                                     size_t count)
{
    sparse_result result = SPARSE_OK;
    for (unsigned l = 0; loops[l]; l++) size[l] = SIZE_MAX;
    for (size_t n = 0; n < count && result == SPARSE_OK; n++) {
        const sparse_operand *o = &operand[n];
        const sparse_tensor *t = (const sparse_tensor *)o->tensor;
        const bool anew = o->access == SPARSE_ASSEMBLES || o->access == SPARSE_COPIES;
        if (SPARSE_CHECKS >= 2) result = sparse_p_check_operand(o, anew);
        if (result || !o->encoding || anew || (o->access == SPARSE_WRITES && sparse_p_is_blank(t))) continue;
        if (SPARSE_CHECKS >= 1 && o->access == SPARSE_SLICES)
            result = sparse_check_slices(t, (const sparse_slice *)o[1].tensor);
        if (!result) result = sparse_p_bind_sizes(loops, size, o);
    }
    if (SPARSE_CHECKS >= 2 && !result) result = sparse_p_check_aliases(operand, count);
    for (size_t n = 0; n < count && result == SPARSE_OK; n++)
        if (operand[n].encoding && operand[n].access == SPARSE_WRITES &&
            sparse_p_is_blank((const sparse_tensor *)operand[n].tensor))
            result = sparse_p_bind_output(loops, size, &operand[n]);
    return result;
}

/* The hooks of an operand; those of a scalar are the usual ones. */
static inline const sparse_hooks *sparse_p_hooks_of(const sparse_operand *o)
{
    return o->encoding ? ((const sparse_tensor *)o->tensor)->hooks : NULL;
}

SPARSE_API sparse_result sparse_workspace(sparse_result so_far, sparse_buffer *work, size_t bytes,
                                          const size_t *size, size_t rank, const sparse_operand *operand)
{
    size_t length = 1;
    memset(work, 0, sizeof *work);
    if (so_far != SPARSE_OK) return so_far;
    for (size_t d = 0; d < rank; d++)
        if (!sparse_p_mul(&length, length, size[d])) return SPARSE_E_MEMORY;
    return sparse_p_allocate(sparse_p_hooks_of(operand), work, length ? length : 1, bytes);
}

SPARSE_API void sparse_end_workspace(sparse_buffer *work, size_t bytes, const sparse_operand *operand)
{
    sparse_p_release(sparse_p_hooks_of(operand), work, bytes);
}

/* Makes b, which is owned or empty, a copy of another buffer, in the memory that it has if that is enough. */
static inline sparse_result sparse_p_recopy(const sparse_hooks *hooks, sparse_buffer *b,
                                            const sparse_buffer *from, size_t size)
{
    if (from->length > b->capacity) {
        sparse_p_release(hooks, b, size);
        const sparse_result result = sparse_p_allocate(hooks, b, from->length, size);
        if (result != SPARSE_OK) return result;
    }
    b->length = from->length;
    if (from->length > 0) memcpy(b->at, from->at, from->length * size);
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_p_copy_pattern(const sparse_operand *operand, const void *zero)
{
    sparse_tensor *t = (sparse_tensor *)operand[0].tensor;
    const sparse_tensor *pattern = (const sparse_tensor *)operand[1].tensor;
    const sparse_encoding *e = operand[0].encoding;
    sparse_result result = SPARSE_OK;
    t->encoding = e;
    memcpy(t->dim, pattern->dim, sizeof t->dim);
    memcpy(t->lvl, pattern->lvl, sizeof t->lvl);
    for (unsigned l = 0; l < e->levels && result == SPARSE_OK; l++) {
        result = sparse_p_recopy(t->hooks, &t->pos[l], &pattern->pos[l], e->pos_bits / 8u);
        if (result == SPARSE_OK)
            result = sparse_p_recopy(t->hooks, &t->crd[l], &pattern->crd[l], e->crd_bits / 8u);
    }
    if (result == SPARSE_OK && t->val.capacity < pattern->val.length) {
        sparse_p_release(t->hooks, &t->val, e->value_size);
        result = sparse_p_allocate(t->hooks, &t->val, pattern->val.length, e->value_size);
    }
    t->val.length = pattern->val.length;
    if (result == SPARSE_OK)
        sparse_p_fill(t->val.at, t->val.length, zero, e->value_size);
    else
        sparse_free(t);
    return result;
}

/* >>assembly, defined */

static inline bool sparse_p_give_up(sparse_builder *to, sparse_result result)
{
    to->result = result;
    return false;
}

SPARSE_API bool sparse_p_widen(sparse_builder *to, sparse_buffer *b, size_t length, size_t size)
{
    const sparse_result result = sparse_p_grow(to->t->hooks, b, length, size);
    return result == SPARSE_OK || sparse_p_give_up(to, result);
}

/* How many levels share the coordinate array of level l, from 0: COO has an array of structures; 0 if that
   of a level above has them. */
static inline size_t sparse_p_stride(const sparse_encoding *e, unsigned l)
{
    size_t stride = 1;
    if (e->level[l].format == SPARSE_SINGLETON && !(e->level[l].properties & SPARSE_SOA)) return 0;
    while (l + stride < e->levels && e->level[l + stride].format == SPARSE_SINGLETON &&
           !(e->level[l + stride].properties & SPARSE_SOA))
        stride++;
    return stride;
}

/* The room that an output with so many entries is given when it grows: half as much again; or, where
   positions above tell how far it has come, up to 16 times as much, if it goes on like that. */
static inline size_t sparse_p_room_ahead(const sparse_builder *to, size_t entries)
{
    const size_t done = to->rows[to->head - 1], length = to->t->pos[to->head - 1].capacity;
    const size_t half = to->room + to->room / 2, most = to->room < SIZE_MAX / 16 ? 16 * to->room : half;
    if (to->parts > 0 || done == 0 || done >= length) return half;
    size_t ahead = half;
    if (!sparse_p_mul(&ahead, entries + entries / 16, length)) return half;
    ahead /= done;
    return ahead < half ? half : ahead > most ? most : ahead;
}

SPARSE_API bool sparse_p_make_room(sparse_builder *to, size_t entries, size_t more)
{
    const sparse_encoding *e = to->t->encoding;
    size_t room = sparse_p_room_ahead(to, entries), values;
    if (to->fixed) return true;
    if (more > SIZE_MAX / SPARSE_MAX_LEVELS - entries) return sparse_p_give_up(to, SPARSE_E_MEMORY);
    if (room < entries + more) room = entries + more;
    if (room < to->expected && room >= to->expected / SPARSE_P_EXPECT) room = to->expected;
    if (!sparse_p_mul(&values, room, to->block)) return sparse_p_give_up(to, SPARSE_E_MEMORY);
    for (unsigned l = to->head - 1; l < to->last; l++) {
        const size_t length = sparse_p_stride(e, l) * room;
        if (!sparse_p_grow_output(to, &to->t->crd[l], length, e->crd_bits / 8u)) return false;
    }
    if (!sparse_p_grow_output(to, &to->t->val, values, e->value_size)) return false;
    to->room = room;
    return true;
}

/* Makes b, an array of the workspace, hold at least `length` elements, the new ones initial. */
static inline bool sparse_p_extend(sparse_builder *to, sparse_buffer *b, size_t length, size_t size,
                                   const void *initial)
{
    const size_t old = b->capacity;
    if (length <= old) return true;
    if (!sparse_p_widen(to, b, length, size)) return false;
    sparse_p_fill((char *)b->at + old * size, b->capacity - old, initial, size);
    return true;
}

SPARSE_API size_t sparse_p_find(const sparse_builder *to, size_t key)
{
    const size_t slot = sparse_p_probe(to->vacant, to->key, to->mask, to->shift, key);
    to->key[slot] = key;
    return slot;
}

/* The workspace, which is empty, is the array, or a hash table of as many slots, a power of two. */
SPARSE_P_OUTLINE bool sparse_p_use_slots(sparse_builder *to, bool hashed, size_t slots, const void *initial)
{
    const unsigned char vacant = 1;
    const size_t empty = 0, listed = to->list.capacity > 0 ? to->list.capacity - 1 : 0;
    sparse_buffer *const b = hashed ? to->table : to->array;
    size_t values;
    if (slots > SIZE_MAX - SPARSE_P_LINE || !sparse_p_mul(&values, slots, to->block))
        return sparse_p_give_up(to, SPARSE_E_MEMORY);
    if (!sparse_p_extend(to, &b[0], values, to->t->encoding->value_size, initial) ||
        !sparse_p_extend(to, &b[1], slots + SPARSE_P_LINE, 1, &vacant) ||
        (hashed && !sparse_p_extend(to, &b[2], slots, sizeof(size_t), &empty)))
        return false;
    to->how = hashed ? SPARSE_P_HASHED : SPARSE_P_ADDRESSED;
    to->values = b[0].at;
    to->vacant = (unsigned char *)b[1].at;
    to->key = (size_t *)to->table[2].at;
    to->mask = slots - 1;
    to->shift = 65 - sparse_p_width(slots);
    to->limit = hashed && slots / 2 < listed ? slots / 2 : !hashed && listed >= slots ? SIZE_MAX : listed;
    return true;
}

/* Is an array small, or no larger than a hash table of as many slots? */
SPARSE_P_INLINE bool sparse_p_array_is_small(const sparse_builder *to, size_t slots)
{
    return to->keys <= SPARSE_P_AT_ONCE || to->keys / 2 <= slots;
}

/* Moves the first `count` entries from the hash table into a larger one, or into the array. */
SPARSE_P_COLD bool sparse_p_move_slots(sparse_builder *to, size_t count, size_t slots, const void *initial)
{
    const size_t size = to->block * to->t->encoding->value_size, mask = to->mask;
    const unsigned shift = to->shift;
    sparse_buffer old[3];
    memcpy(old, to->table, sizeof old);
    memset(to->table, 0, sizeof to->table);
    const bool array = sparse_p_array_is_small(to, slots);
    const bool done = sparse_p_use_slots(to, !array, array ? to->keys : slots, initial);
    for (size_t n = 0; n < count && done; n++) {
        const size_t key = to->added[n], slot = sparse_slot(to, to->how, key);
        const size_t from = sparse_p_probe((unsigned char *)old[1].at, (size_t *)old[2].at, mask, shift, key);
        to->vacant[slot] = 0;
        memcpy((char *)to->values + slot * size, (char *)old[0].at + from * size, size);
    }
    sparse_p_release(to->t->hooks, &old[0], to->t->encoding->value_size);
    sparse_p_release(to->t->hooks, &old[1], 1);
    sparse_p_release(to->t->hooks, &old[2], sizeof(size_t));
    return done;
}

SPARSE_API bool sparse_p_expand(sparse_builder *to, size_t count, size_t more, const void *initial)
{
    const size_t wanted = more < to->keys - count ? count + more : to->keys;
    size_t slots = to->mask + 1;
    if (wanted >= to->list.capacity && !sparse_p_widen(to, &to->list, wanted + 1, sizeof(size_t)))
        return false;
    to->added = (size_t *)to->list.at;
    if (to->how != SPARSE_P_HASHED) return sparse_p_use_slots(to, false, to->keys, initial);
    if (wanted > SIZE_MAX / 8) return sparse_p_give_up(to, SPARSE_E_MEMORY);
    while (slots / 2 < wanted) slots *= 2;
    return slots == to->mask + 1 ? sparse_p_use_slots(to, true, slots, initial)
                                 : sparse_p_move_slots(to, count, slots, initial);
}

/* Eight bytes as a number, the first the lowest. */
SPARSE_P_INLINE uint64_t sparse_p_eight(const unsigned char *mark)
{
    uint64_t eight = 0;
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&eight, mark, sizeof eight);
    #else
    for (unsigned b = 0; b < 8; b++) eight |= (uint64_t)mark[b] << 8 * b;
    #endif
    return eight;
}

/* Eight bytes at `at`, each 0 or 1, as bits `at` and further on. */
SPARSE_P_INLINE uint64_t sparse_p_eight_bits(const unsigned char *mark, unsigned at)
{
    return sparse_p_eight(mark + at) * 0x0102040810204080u >> 56 << at;
}

/* The slots of a line of 64 that are filled, as the bits of a number, the first the lowest; they are vacant
 * then. */
SPARSE_P_INLINE uint64_t sparse_p_take_line(unsigned char *vacant)
{
    const uint64_t bits = sparse_p_eight_bits(vacant, 0) | sparse_p_eight_bits(vacant, 8) |
                          sparse_p_eight_bits(vacant, 16) | sparse_p_eight_bits(vacant, 24) |
                          sparse_p_eight_bits(vacant, 32) | sparse_p_eight_bits(vacant, 40) |
                          sparse_p_eight_bits(vacant, 48) | sparse_p_eight_bits(vacant, 56);
    if (~bits) memset(vacant, 1, SPARSE_P_LINE);
    return ~bits;
}

/* The number of the lowest bit of bits, not 0. */
SPARSE_P_INLINE unsigned sparse_p_lowest(uint64_t bits)
{
    #if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
    #else
    unsigned n = 0;
    for (; !(bits & 1); bits >>= 1) n++;
    return n;
    #endif
}

/* Appends the entry whose coordinates from level `first` on are `key`, with a block of values. */
static inline bool sparse_p_place(sparse_builder *to, size_t key, const void *values)
{
    sparse_tensor *t = to->t;
    const sparse_encoding *e = t->encoding;
    size_t c[SPARSE_MAX_LEVELS], p = to->parent, *n = &to->entries[to->last - 1];
    for (unsigned l = to->last; l >= to->first; l--) {
        c[l - 1] = key % t->lvl[l - 1];
        key /= t->lvl[l - 1];
    }
    for (unsigned l = to->first; l <= to->last; l++) {
        const unsigned format = e->level[l - 1].format;
        to->fresh = to->fresh || c[l - 1] != to->coordinate[l - 1];
        to->coordinate[l - 1] = c[l - 1];
        if (format == SPARSE_DENSE) p = p * t->lvl[l - 1] + c[l - 1];
        if (format != SPARSE_COMPRESSED) continue;
        if (l == to->head) {
            if (!sparse_rows(to, l, p, *n, e->pos_bits)) return false;
        } else {
            if (to->fresh && (!sparse_rows(to, l, p, to->entries[l - 1], e->pos_bits) ||
                              !sparse_append(to, l, c[l - 1], e->crd_bits)))
                return false;
            p = to->entries[l - 1] - 1;
        }
    }
    to->fresh = false;
    if (!sparse_reserve(to, *n, 1)) return false;
    if (++*n > to->room) return true;
    size_t shared = to->head - 1;
    for (unsigned l = to->head - 1; l < to->last; l++) {
        const size_t stride = sparse_p_stride(e, l);
        if (stride > 0) shared = l;
        sparse_store(t->crd[shared].at, e->crd_bits,
                     sparse_p_stride(e, (unsigned)shared) * (*n - 1) + (l - shared), to->coordinate[l]);
    }
    memcpy((char *)t->val.at + (*n - 1) * to->block * e->value_size, values, to->block * e->value_size);
    return true;
}

/* Distinct keys in order, few of them: the place of each is the number of those that are less. */
static inline void sparse_p_rank(const size_t *key, size_t *to, size_t count, size_t least)
{
    int32_t low[SPARSE_P_RANKED], place[16];
    const size_t whole = (count + 15) / 16 * 16;
    for (size_t n = 0; n < whole; n++) low[n] = n < count ? (int32_t)(key[n] - least) : 0;
    for (size_t part = 0; part < count; part += 16) {
        for (unsigned n = 0; n < 16; n++) place[n] = 0;
        for (size_t m = 0; m < count; m++)
            for (unsigned n = 0; n < 16; n++) place[n] += low[m] < low[part + n];
        for (unsigned n = 0; n < 16 && part + n < count; n++) to[place[n]] = key[part + n];
    }
}

/* Keys in order by digits, the lowest first, from and to `key`, or to `other`: where they are. A digit has as
   many bits as take the least time, of 1/4 ns: 2 for each bucket, 10 for each key. */
SPARSE_P_OUTLINE size_t *sparse_p_sort_digits(size_t *key, size_t *other, size_t count, size_t least,
                                              unsigned width)
{
    size_t start[1 << 11], best = SIZE_MAX;
    unsigned digits = 1, bits = 0;
    for (unsigned d = 1; d <= (width + 3) / 4; d++) {
        const unsigned b = (width + d - 1) / d;
        const size_t time = b <= 11 ? d * (count + ((size_t)1 << b) / 4) : SIZE_MAX;
        if (time < best) best = time, digits = d, bits = b;
    }
    const size_t last = ((size_t)1 << bits) - 1;
    for (unsigned d = 0, shift = 0; d < digits; d++, shift += bits) {
        memset(start, 0, (last + 1) * sizeof *start);
        for (size_t n = 0; n < count; n++) start[(key[n] - least) >> shift & last]++;
        for (size_t b = 0, before = 0; b <= last; b++) {
            const size_t here = start[b];
            start[b] = before;
            before += here;
        }
        for (size_t n = 0; n < count; n++) other[start[(key[n] - least) >> shift & last]++] = key[n];
        size_t *const then = key;
        key = other;
        other = then;
    }
    return key;
}

/* The keys that were added, in order, from least to most; null if memory runs out. */
static inline size_t *sparse_p_in_order(sparse_builder *to, size_t count, size_t least, size_t most)
{
    if (count > to->order.capacity && !sparse_p_widen(to, &to->order, count, sizeof(size_t))) return NULL;
    size_t *const order = (size_t *)to->order.at;
    if (count > SPARSE_P_RANKED || most - least > INT32_MAX)
        return sparse_p_sort_digits(to->added, order, count, least, sparse_p_width(most - least));
    sparse_p_rank(to->added, order, count, least);
    return order;
}

/* Puts few keys in order where they are, by insertion. */
SPARSE_P_INLINE void sparse_p_insert_keys(size_t *key, size_t count)
{
    for (size_t n = 1; n < count; n++) {
        const size_t here = key[n];
        size_t at = n;
        for (; at > 0 && key[at - 1] > here; at--) key[at] = key[at - 1];
        key[at] = here;
    }
}

/* Moves a value of the workspace to where it belongs, and makes it initial again. */
SPARSE_P_INLINE void sparse_p_take_out(void *to, void *value, const void *initial, size_t size)
{
    memcpy(to, value, size);
    memcpy(value, initial, size);
}

/* Appends the entries of a plain workspace, over one compressed level and with one value a slot, in the order
   of their keys. There is room for them. */
SPARSE_P_INLINE void sparse_p_append_keys(sparse_builder *to, const size_t *key, size_t count,
                                          const void *initial, size_t size, unsigned bits)
{
    const bool hashed = to->how == SPARSE_P_HASHED;
    unsigned char *const vacant = to->vacant;
    char *const values = (char *)to->values, *const val = (char *)to->t->val.at;
    void *const crd = to->t->crd[to->last - 1].at;
    const size_t at = to->entries[to->last - 1];
    for (size_t n = 0; n < count; n++) {
        const size_t slot = hashed ? sparse_p_probe(vacant, to->key, to->mask, to->shift, key[n]) : key[n];
        sparse_store(crd, bits, at + n, key[n]);
        sparse_p_take_out(val + (at + n) * size, values + slot * size, initial, size);
        if (!hashed) vacant[slot] = 1;
    }
    to->entries[to->last - 1] = at + count;
}

/* The same by running over the array from `least` to `most`. */
SPARSE_P_INLINE void sparse_p_append_lines(sparse_builder *to, size_t least, size_t most, const void *initial,
                                           size_t size, unsigned bits)
{
    unsigned char *const vacant = to->vacant;
    char *const values = (char *)to->values, *const val = (char *)to->t->val.at;
    void *const crd = to->t->crd[to->last - 1].at;
    size_t at = to->entries[to->last - 1];
    for (size_t base = least / SPARSE_P_LINE * SPARSE_P_LINE; base <= most; base += SPARSE_P_LINE)
        for (uint64_t slots = sparse_p_take_line(vacant + base); slots; slots &= slots - 1, at++) {
            const size_t slot = base + sparse_p_lowest(slots);
            sparse_store(crd, bits, at, slot);
            sparse_p_take_out(val + at * size, values + slot * size, initial, size);
        }
    to->entries[to->last - 1] = at;
}

/* The same for any type of values and coordinates. */
SPARSE_P_OUTLINE void sparse_p_append_any(sparse_builder *to, const size_t *key, size_t count, size_t least,
                                          size_t most, const void *initial)
{
    const sparse_encoding *e = to->t->encoding;
    if (key)
        sparse_p_append_keys(to, key, count, initial, e->value_size, e->crd_bits);
    else
        sparse_p_append_lines(to, least, most, initial, e->value_size, e->crd_bits);
}

/* Appends the entries of any workspace; those that there is no room for are only counted. */
SPARSE_P_OUTLINE bool sparse_p_place_all(sparse_builder *to, const size_t *key, size_t count,
                                         const void *initial)
{
    const size_t size = to->t->encoding->value_size;
    const bool hashed = to->how == SPARSE_P_HASHED;
    to->fresh = true;
    for (size_t n = 0; n < count; n++) {
        const size_t slot =
            hashed ? sparse_p_probe(to->vacant, to->key, to->mask, to->shift, key[n]) : key[n];
        char *const values = (char *)to->values + slot * to->block * size;
        if (!sparse_p_place(to, key[n], values)) return false;
        sparse_p_fill(values, to->block, initial, size);
        if (!hashed) to->vacant[slot] = 1;
    }
    return true;
}

/* The workspace of the next row, after one of as many entries whose keys spread over so much. */
SPARSE_P_INLINE bool sparse_p_next_row(sparse_builder *to, size_t count, size_t spread, const void *initial)
{
    const bool near =
        spread <= SPARSE_P_NEAR || spread / SPARSE_P_SCAN < count || sparse_p_array_is_small(to, count);
    const unsigned array = to->insertions / SPARSE_P_REPEATED >= count ? SPARSE_P_STEADY : SPARSE_P_ADDRESSED;
    size_t slots = SPARSE_P_FEWEST;
    to->insertions = 0;
    if (to->how != SPARSE_P_HASHED && near) {
        to->how = array;
        return true;
    }
    to->gathered += count;
    if (near && to->gathered >= to->keys / SPARSE_P_PAYS)
        return sparse_p_use_slots(to, false, to->keys, initial);
    while (slots / 3 < count) slots *= 2;
    return (to->how == SPARSE_P_HASHED && to->mask + 1 == slots) ||
           sparse_p_use_slots(to, true, slots, initial);
}

/* Puts the keys of a workspace in order, from `least` to `most`: where they are, or null if it is as well to
   run over the array, which `may` be. */
SPARSE_P_OUTLINE bool sparse_p_arrange(sparse_builder *to, size_t **key, size_t count, bool may,
                                       size_t *least, size_t *most)
{
    const bool array = to->how != SPARSE_P_HASHED;
    const size_t *added = to->added;
    size_t low = 0, high = to->keys - 1, n = 1;
    while (n < count && added[n - 1] < added[n]) n++;
    if (n < count && !(array && to->keys / 16 <= count)) {
        low = high = added[0];
        for (size_t m = 1; m < count; m++) {
            low = added[m] < low ? added[m] : low;
            high = added[m] > high ? added[m] : high;
        }
    }
    *key = to->added;
    *least = n < count ? low : added[0];
    *most = n < count ? high : added[count - 1];
    if (n == count) return true;
    const bool runs = may && array && (high - low) / SPARSE_P_SCAN < count;
    *key = runs ? NULL : sparse_p_in_order(to, count, low, high);
    return runs || *key;
}

SPARSE_API bool sparse_compress(sparse_builder *to, size_t count, const void *initial)
{
    const size_t *const entries = &to->entries[to->last - 1];
    size_t *key = to->added, least, most;
    if (count == 0) return true;
    if (to->plain && !sparse_reserve(to, *entries, count)) return false;
    const bool fits = to->plain && *entries <= to->room && count <= to->room - *entries;
    if (count <= SPARSE_P_FEW_INSERTED)
        sparse_p_insert_keys(key, count), least = key[0], most = key[count - 1];
    else if (!sparse_p_arrange(to, &key, count, fits, &least, &most))
        return false;
    if (fits && to->common && key)
        sparse_p_append_keys(to, key, count, initial, 8, 32);
    else if (fits && to->common)
        sparse_p_append_lines(to, least, most, initial, 8, 32);
    else if (fits)
        sparse_p_append_any(to, key, count, least, most, initial);
    else if (!sparse_p_place_all(to, key, count, initial))
        return false;
    if (to->how == SPARSE_P_HASHED) memset(to->vacant, 1, to->mask + 1);
    return sparse_p_next_row(to, count, most - least, initial);
}

/* The positions of every compressed level: of a root, or of a dense parent, all; they begin with 0. */
static inline sparse_result sparse_p_begin_rows(sparse_builder *to)
{
    const sparse_encoding *e = to->t->encoding;
    size_t parents = 1;
    for (unsigned l = 0; l < e->levels; l++) {
        if (e->level[l].format == SPARSE_COMPRESSED) {
            if (parents == SIZE_MAX) return SPARSE_E_OVERFLOW;
            if (!sparse_p_grow_output(to, &to->t->pos[l], parents + 1, e->pos_bits / 8u)) return to->result;
            if (to->t->pos[l].capacity > 0) sparse_store(to->t->pos[l].at, e->pos_bits, 0, 0);
            parents = 1;
        } else if (e->level[l].format == SPARSE_DENSE && l < to->last) {
            if (!sparse_p_mul(&parents, parents, to->t->lvl[l])) return SPARSE_E_OVERFLOW;
        }
    }
    return SPARSE_OK;
}

/* How many values the operands that have all of the indices store; but those that are dense, and counted as
   stored everywhere. */
static inline size_t sparse_p_expected(const char *indices, const sparse_operand *operand, size_t count)
{
    size_t expected = 0;
    for (size_t n = 0; n < count; n++) {
        const sparse_tensor *t = (const sparse_tensor *)operand[n].tensor;
        bool sparse = false, all = operand[n].encoding && operand[n].access == SPARSE_READS;
        for (const char *i = indices; *i && all; i++) {
            const char *at = operand[n].index;
            while (*at && *at != *i) at++;
            all = *at != 0;
        }
        for (unsigned l = 0; all && l < operand[n].encoding->levels; l++)
            sparse = sparse || operand[n].encoding->level[l].format != SPARSE_DENSE;
        if (sparse && t->val.length <= SIZE_MAX - expected) expected += t->val.length;
    }
    return expected;
}

/* A workspace over the levels from `first` to the last sparse one. */
static inline sparse_result sparse_p_begin_workspace(sparse_builder *to, const void *initial)
{
    to->keys = 1;
    for (unsigned l = to->first; l <= to->last; l++)
        if (!sparse_p_mul(&to->keys, to->keys, to->t->lvl[l - 1])) return SPARSE_E_OVERFLOW;
    const sparse_encoding *e = to->t->encoding;
    const bool array = sparse_p_array_is_small(to, 0);
    to->plain = to->first == to->last && to->head == to->last && to->block == 1;
    to->common = to->plain && e->value_size == 8 && e->crd_bits == 32;
    return sparse_p_use_slots(to, !array, array ? to->keys : (size_t)SPARSE_P_FEWEST, initial) ? SPARSE_OK
                                                                                               : to->result;
}

/* Gives the output t its sizes: emptied, or with the arrays of the caller, which it has borrowed. */
static inline sparse_result sparse_p_begin_output(sparse_builder *to, const size_t *dim)
{
    sparse_tensor *t = to->t;
    size_t room = SIZE_MAX;
    if (!to->fixed) return sparse_resize_dims(t, dim);
    sparse_result result = sparse_level_sizes(t->encoding, dim, t->lvl);
    memcpy(t->dim, dim, sizeof t->dim);
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        const size_t stride = l + 1 >= to->head && l < to->last ? sparse_p_stride(t->encoding, l) : 0;
        if (t->pos[l].capacity > 0 || t->crd[l].capacity > 0 || t->val.capacity > 0)
            result = SPARSE_E_ARGUMENT;
        if (stride > 0 && room > t->crd[l].length / stride) room = t->crd[l].length / stride;
    }
    if (to->block > 0 && room > t->val.length / to->block) room = t->val.length / to->block;
    if (result != SPARSE_OK) return result;
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        t->pos[l].capacity = t->pos[l].length;
        t->crd[l].capacity = t->crd[l].length;
    }
    t->val.capacity = t->val.length;
    to->room = room;
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_builder_begin(sparse_builder *to, const char *loops, const size_t *size,
                                              const void *output, const sparse_operand *operand, size_t count,
                                              unsigned first, bool fixed, const void *initial)
{
    const sparse_operand *o = operand;
    while (o->tensor != output) o++;
    const sparse_encoding *e = o->encoding;
    const size_t parts = to->parts;
    size_t dim[SPARSE_MAX_RANK] = {0}, lvl[SPARSE_MAX_LEVELS] = {0};
    memset(to, 0, sizeof *to);
    to->parts = parts;
    to->t = (sparse_tensor *)o->tensor;
    if (to->parts > 0) {
        to->aside = sparse_p_empty(e, to->t->hooks);
        to->t = &to->aside;
    }
    to->t->encoding = e;
    to->first = first;
    to->fixed = fixed;
    to->block = 1;
    sparse_result result = sparse_encoding_check(e);
    if (result == SPARSE_OK) result = sparse_p_output_dims(loops, size, o, dim);
    if (result == SPARSE_OK) result = sparse_level_sizes(e, dim, lvl);
    if (result != SPARSE_OK) return result;
    for (unsigned l = 0; l < e->levels; l++) {
        if (e->level[l].format == SPARSE_COMPRESSED) to->head = l + 1;
        if (e->level[l].format != SPARSE_DENSE) to->last = l + 1;
    }
    for (unsigned l = to->last; l < e->levels; l++)
        if (!sparse_p_mul(&to->block, to->block, lvl[l])) return SPARSE_E_OVERFLOW;
    if (to->block > 0)
        to->expected =
            sparse_p_expected(o->index, operand, count) / to->block / (to->parts > 0 ? to->parts : 1);
    if (fixed && first == 0 && to->last < e->levels) { /* blocks, which are accumulated where they belong */
        to->into = to->t;
        to->aside = sparse_p_empty(e, to->t->hooks);
        to->t = &to->aside;
        to->fixed = false;
    }
    result = sparse_p_begin_output(to, dim);
    if (result == SPARSE_OK) result = sparse_p_begin_rows(to);
    if (result == SPARSE_OK && first > 0) result = sparse_p_begin_workspace(to, initial);
    return result;
}

/* The number of elements that b holds; E_CAPACITY if they are more than it has room for. What was expected in
   vain is given back, unless the array is only a part, to be freed soon. */
static inline sparse_result sparse_p_end_buffer(const sparse_builder *to, sparse_buffer *b, size_t length,
                                                size_t size, sparse_result result)
{
    b->length = length;
    if (!to->fixed && to->parts == 0 && length < b->capacity / 2) {
        void *const at = sparse_p_resize(to->t->hooks, b->at, b->capacity * size, length * size);
        if (at || length == 0) b->at = at, b->capacity = length;
    }
    if (!to->fixed) return result;
    if (result == SPARSE_OK && length > b->capacity) result = SPARSE_E_CAPACITY;
    b->capacity = 0; /* as before, the caller's */
    return result;
}

/* Copies b into an array of the caller, if it fits, and makes its length known in any case. */
static inline sparse_result sparse_p_deliver_buffer(sparse_buffer *into, const sparse_buffer *b, size_t size,
                                                    sparse_result result)
{
    if (b->length > into->length)
        result = SPARSE_E_CAPACITY;
    else if (b->length > 0)
        memcpy(into->at, b->at, b->length * size);
    into->length = b->length;
    return result;
}

/* Delivers what was made aside, and frees it. */
static inline sparse_result sparse_p_deliver(sparse_builder *to, sparse_result result)
{
    sparse_tensor *into = to->into, *t = to->t;
    const sparse_encoding *e = t->encoding;
    for (unsigned l = 0; l < e->levels && result == SPARSE_OK; l++)
        into->dim[l] = t->dim[l], into->lvl[l] = t->lvl[l];
    const bool made = result == SPARSE_OK;
    for (unsigned l = 0; l < e->levels && made; l++) {
        result = sparse_p_deliver_buffer(&into->pos[l], &t->pos[l], e->pos_bits / 8u, result);
        result = sparse_p_deliver_buffer(&into->crd[l], &t->crd[l], e->crd_bits / 8u, result);
    }
    if (made)
        result = sparse_p_deliver_buffer(&into->val, &t->val, e->value_size, result);
    else
        sparse_free(into);
    sparse_free(t);
    return result;
}

SPARSE_API sparse_result sparse_builder_end(sparse_builder *to, sparse_result result)
{
    sparse_tensor *t = to->t;
    const sparse_encoding *e = t->encoding;
    const size_t entries = to->last > 0 ? to->entries[to->last - 1] : 0;
    size_t parents = 1, values = 0, here = 0;
    for (unsigned l = 1; l <= to->last && result == SPARSE_OK; l++) {
        here = l >= to->head ? entries : to->entries[l - 1];
        if (e->level[l - 1].format == SPARSE_DENSE) {
            if (!sparse_p_mul(&parents, parents, t->lvl[l - 1])) result = SPARSE_E_OVERFLOW;
        } else if (e->level[l - 1].format == SPARSE_COMPRESSED) {
            if (here > sparse_p_max(e->pos_bits)) result = SPARSE_E_POSITION_WIDTH;
            if (result == SPARSE_OK && !sparse_rows(to, l, parents, here, e->pos_bits)) result = to->result;
            to->rows[l - 1] = parents + 1;
            parents = here;
        }
    }
    if (result == SPARSE_OK && !sparse_p_mul(&values, entries, to->block)) result = SPARSE_E_OVERFLOW;
    const bool counted = result == SPARSE_OK;
    for (unsigned l = 1; l <= to->last && counted; l++) {
        here = l >= to->head ? entries : to->entries[l - 1];
        if (e->level[l - 1].format == SPARSE_DENSE) continue;
        result = sparse_p_end_buffer(to, &t->pos[l - 1], to->rows[l - 1], e->pos_bits / 8u, result);
        result = sparse_p_end_buffer(to, &t->crd[l - 1], sparse_p_stride(e, l - 1) * here, e->crd_bits / 8u,
                                     result);
    }
    if (counted) result = sparse_p_end_buffer(to, &t->val, values, e->value_size, result);
    sparse_p_release(t->hooks, &to->array[0], e->value_size);
    sparse_p_release(t->hooks, &to->array[1], 1);
    sparse_p_release(t->hooks, &to->table[0], e->value_size);
    sparse_p_release(t->hooks, &to->table[1], 1);
    sparse_p_release(t->hooks, &to->table[2], sizeof(size_t));
    sparse_p_release(t->hooks, &to->list, sizeof(size_t));
    sparse_p_release(t->hooks, &to->order, sizeof(size_t));
    if (to->into) return sparse_p_deliver(to, result);
    if (result == SPARSE_OK || result == SPARSE_E_CAPACITY) return result;
    for (unsigned l = 0; l < e->levels && to->fixed; l++) t->pos[l].capacity = t->crd[l].capacity = 0;
    if (to->fixed) t->val.capacity = 0;
    sparse_free(t);
    return result;
}

SPARSE_API size_t sparse_divide(sparse_builder **all, const sparse_operand *operand, bool fixed)
{
    size_t parts = 1;
    memset(*all, 0, sizeof **all);
    #ifdef _OPENMP
    if (!fixed && omp_get_max_threads() > 1) parts = 4 * (size_t)omp_get_max_threads();
    #endif
    sparse_buffer builders = {NULL, 0, 0};
    const sparse_hooks *hooks = ((const sparse_tensor *)operand->tensor)->hooks;
    if (fixed || parts == 1 || sparse_p_allocate(hooks, &builders, parts, sizeof **all) != SPARSE_OK)
        return 1;
    memset(builders.at, 0, parts * sizeof **all);
    *all = (sparse_builder *)builders.at;
    for (size_t n = 0; n < parts; n++) (*all)[n].parts = parts;
    return parts;
}

    /* into[k] += from[k] + base, or = if they are the first */
    #define SPARSE_P_ADD_POSITIONS(bits)                                                                     \
    case bits:                                                                                               \
        for (size_t k = 0; k < count; k++) {                                                                 \
            const size_t so_far = first ? base : base + (size_t)((uint##bits##_t *)into)[k];                 \
            ((uint##bits##_t *)into)[k] = (uint##bits##_t)(so_far + ((const uint##bits##_t *)from)[k]);      \
        }                                                                                                    \
        break;
static inline void sparse_p_add_positions(void *into, const void *from, unsigned bits, size_t count,
                                          size_t base, bool first)
{
    switch (bits) {
        SPARSE_P_ADD_POSITIONS(8)
        SPARSE_P_ADD_POSITIONS(16)
        SPARSE_P_ADD_POSITIONS(32)
        SPARSE_P_ADD_POSITIONS(64)
    }
}

/* The positions of compressed level l, from 0: below dense levels every part has those of all parents, and
   they add up; else the parents follow each other as the parts do. */
static inline sparse_result sparse_p_join_positions(sparse_tensor *t, const sparse_builder *all, size_t parts,
                                                    unsigned l, bool dense_above)
{
    const unsigned bits = t->encoding->pos_bits;
    size_t length = 1, at = 0, base = 0;
    for (size_t n = 0; n < parts; n++) length += all[n].aside.pos[l].length - 1;
    if (dense_above) length = all[0].aside.pos[l].length;
    sparse_result result = sparse_p_allocate(t->hooks, &t->pos[l], length, bits / 8u);
    for (size_t n = 0; n < parts && result == SPARSE_OK; n++) {
        const sparse_buffer *b = &all[n].aside.pos[l];
        const size_t entries = sparse_load(b->at, bits, b->length - 1);
        if (entries > sparse_p_max(bits) - base) return SPARSE_E_POSITION_WIDTH;
        if (dense_above) {
            sparse_p_add_positions(t->pos[l].at, b->at, bits, length, 0, n == 0);
        } else {
            sparse_p_add_positions((char *)t->pos[l].at + at * (bits / 8u), b->at, bits, b->length, base,
                                   true);
            at += b->length - 1;
        }
        base += entries;
    }
    return result;
}

/* The elements of all parts, one after the other, copied by as many threads; `at` is where the array is in a
   tensor. */
static inline const sparse_buffer *sparse_p_buffer_at(const sparse_tensor *t, size_t at)
{
    return (const sparse_buffer *)(const void *)((const char *)t + at);
}
static inline sparse_result sparse_p_join_arrays(sparse_tensor *t, const sparse_builder *all, size_t parts,
                                                 size_t at, size_t size)
{
    sparse_buffer *b = (sparse_buffer *)(void *)((char *)t + at);
    size_t length = 0;
    for (size_t n = 0; n < parts; n++) length += sparse_p_buffer_at(&all[n].aside, at)->length;
    if (length == 0) return SPARSE_OK;
    const sparse_result result = sparse_p_allocate(t->hooks, b, length, size);
    if (result != SPARSE_OK) return result;
    SPARSE_P_PARALLEL_PARTS
    for (size_t n = 0; n < parts; n++) {
        const sparse_buffer *from = sparse_p_buffer_at(&all[n].aside, at);
        size_t before = 0;
        for (size_t m = 0; m < n; m++) before += sparse_p_buffer_at(&all[m].aside, at)->length;
        if (from->length > 0) memcpy((char *)b->at + before * size, from->at, from->length * size);
    }
    return SPARSE_OK;
}

SPARSE_API sparse_result sparse_join(sparse_builder *all, size_t parts, const sparse_operand *operand)
{
    sparse_tensor *t = (sparse_tensor *)operand->tensor;
    const sparse_encoding *e = operand->encoding;
    sparse_result result = SPARSE_OK;
    bool dense_above = true;
    for (size_t n = 0; n < parts && result == SPARSE_OK; n++) result = all[n].result;
    if (all[0].parts == 0) return result;
    t->encoding = e;
    if (result == SPARSE_OK) result = sparse_resize_dims(t, all[0].aside.dim);
    for (unsigned l = 0; l < e->levels && result == SPARSE_OK; l++) {
        if (e->level[l].format == SPARSE_COMPRESSED)
            result = sparse_p_join_positions(t, all, parts, l, dense_above);
        if (e->level[l].format != SPARSE_DENSE) dense_above = false;
        if (result == SPARSE_OK)
            result = sparse_p_join_arrays(t, all, parts, (size_t)((char *)&t->crd[l] - (char *)t),
                                          e->crd_bits / 8u);
    }
    if (result == SPARSE_OK)
        result = sparse_p_join_arrays(t, all, parts, (size_t)((char *)&t->val - (char *)t), e->value_size);
    for (size_t n = 0; n < parts; n++) sparse_free(&all[n].aside);
    sparse_p_resize(t->hooks, all, parts * sizeof *all, 0);
    if (result != SPARSE_OK) sparse_free(t);
    return result;
}

#endif /* SPARSE_P_DEFINED */

#endif /* SPARSE_H */
