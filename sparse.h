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
*/
#ifndef SPARSE_H
#define SPARSE_H

#include "sparse_formats.h"

/* >>kernels
   SPARSE_KERNEL(name, (loops), output, operands, statement)

   defines  static inline sparse_result name(output, operands...)  which runs the statement at every
   coordinate at which the operands say so:

     name        of the function
     (i, j, k)   the loops, outermost first, over indices named by one letter each. parallel(i) runs the
                 iterations of a loop side by side (OpenMP; the result does not depend on the number of
                 threads); simd(j), innermost, lets a sum be reassociated into vector lanes; floordiv(i, 2)
                 and, inside it, mod(i, 2) run over an index in blocks, for operands that store it so.
     output      (y, TYPE, i)         a dense tensor: an entry that the kernel comes by is read, given to
                                      the statement, and written back; others keep their value. An empty
                                      tensor is allocated and zeroed first.
                 update(A, TYPE, i, j) a tensor of any encoding whose stored values are changed in place;
                                      the kernel runs where A is stored
                 (s, double)          a scalar, passed as double *
     operands    all(u, v, ...)       where all of them are stored: an intersection
                 any(u, v, ...)       where any of them is stored: a union
                 none(u, v, ...)      where none of them is stored: a complement
                 of operands (A, TYPE, i, j) and, up to three deep, of one another. A dense operand is
                 stored everywhere. (alpha, double) is a scalar or any other parameter, passed by value,
                 and there everywhere.
     statement   ordinary C. An operand's name is its value there, zero where it is absent; an index's name
                 is its coordinate, a size_t; the output's name can be assigned; has_A tells whether A, an
                 operand below any(), is stored.

   TYPE is the descriptor of a storage type (see SPARSE_TENSOR) of any levels but batch. At most 12 operands
   and 8 loops. A line that cannot be compiled is refused with one sentence. The order of the loops has to
   follow the order of the levels of every sparse operand; dense levels come in any order. A level that is not
   ordered, or a last level that is not unique, can drive a loop but not be merged with others.

   Examples
     SPARSE_KERNEL(dot,    (i), (s, double), all((a, SVEC, i), (b, SVEC, i)), s += a * b)
     SPARSE_KERNEL(mttkrp, (i, k, l, j), (A, MAT, i, j),
                   all((B, CSF, i, k, l), (C, MAT, k, j), (D, MAT, l, j)), A += B * C * D)
     SPARSE_KERNEL(sddmm,  (i, j, k), update(S, CSR, i, j), all((A, MAT, i, k), (B, MAT, j, k)), S += A * B)
     SPARSE_KERNEL(minus,  (i, j), (C, MAT, i, j), all((A, CSR, i, j), none((B, CSR, i, j))), C = A)
     SPARSE_KERNEL(bsrmv,  (floordiv(i, 2), floordiv(j, 2), mod(i, 2), mod(j, 2)), (y, VEC, i),
                   all((A, BSR, i, j), (x, VEC, j)), y += A * x)

   The function returns SPARSE_E_NULL, SPARSE_E_ENCODING, SPARSE_E_NO_ENCODING, SPARSE_E_EMPTY,
   SPARSE_E_SHAPE or SPARSE_E_ALIAS and changes nothing if the operands do not fit together, or
   SPARSE_E_MEMORY or SPARSE_E_OVERFLOW if an output cannot be allocated. To see the loops of a kernel,
   `make expand K=name`; name_loops(), which takes the sizes and the arrays, holds nothing else. */
#ifdef __cplusplus
    #define SPARSE_KERNEL(name, loops, out, in, ...)                                                         \
        static_assert(SPARSE_P_KERNEL(name, loops, out, in, (__VA_ARGS__))
#else
    #define SPARSE_KERNEL(name, loops, out, in, ...)                                                         \
        _Static_assert(SPARSE_P_KERNEL(name, loops, out, in, (__VA_ARGS__))
#endif
/* KERNEL ends in EMIT -> 1, ""); and the functions, or in REFUSE -> 0, "sentence"); so that the compiler's
   message points at the kernel line and at nothing else. In between, a stage a line: the loops, the tree and
   its leaves, the plan of each loop; each stops at what it finds wrong. */
#define SPARSE_P_KERNEL(name, loops, out, in, statement)                                                     \
    SPARSE_P_KERNEL_LOOPS(name, (SPARSE_P_EACHF(SPARSE_P_LOOP, , (, SPARSE_P_ID loops))), out, in, statement)
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
    SPARSE_P_KERNEL_TREE(name, loops, letters, SPARSE_P_IS_PAREN(out), (SPARSE_P_OUTPUTS(letters, out)),     \
                         SPARSE_P_PARSE1((M, letters), in), statement)
/* the leaves are those of the output and of the operands; the output is part of the tree if it is updated */
#define SPARSE_P_KERNEL_TREE(...) SPARSE_P_KERNEL_TREE_(__VA_ARGS__)
#define SPARSE_P_KERNEL_TREE_(name, loops, letters, written, outs, z, in, statement)                         \
    SPARSE_P_KERNEL_FLAT(name, loops, letters, SPARSE_P_VISIT(SPARSE_P_FLAT, , (all SPARSE_P_ID outs)),      \
                         SPARSE_P_VISIT(SPARSE_P_FLAT, , in),                                                \
                         SPARSE_P_CAT(SPARSE_P_DRIVEN_BY_, written)(outs, in), statement)
#define SPARSE_P_DRIVEN_BY_1(outs, in) in
#define SPARSE_P_DRIVEN_BY_0(outs, in) (all SPARSE_P_ID outs, in)
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
                         (SPARSE_P_EACHH(SPARSE_P_PLAN, (letters, tree), loops)), leaves, statement)
#define SPARSE_P_KERNEL_PLAN(name, loops, letters, outs, plans, leaves, statement)                           \
    SPARSE_P_KERNEL_C((SPARSE_P_EACHH(SPARSE_P_PLAN_ERROR, name, plans)), name, loops, letters, outs, plans, \
                      leaves, statement)
#define SPARSE_P_KERNEL_C(errors, ...)                                                                       \
    SPARSE_P_CAT(SPARSE_P_KERNEL_C_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_C_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_C_0(errors, name, loops, letters, outs, plans, leaves, statement)                    \
    SPARSE_P_EMIT(name, loops, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_BASE, , loops))),                      \
                  (SPARSE_P_EACHF(SPARSE_P_BLOCK, letters, loops)), outs, plans, leaves, statement)
/* ANY_ERROR(, ("u"), ("v")) -> 1 */
#define SPARSE_P_ANY_ERROR(...) SPARSE_P_IS_PAREN(SPARSE_P_SECOND(~ __VA_ARGS__, 0))
/* a refused kernel can still be called, so that the sentence stays alone */
#define SPARSE_P_REFUSE(name, errors)                                                                        \
    0, SPARSE_P_UNPACK(SPARSE_P_SECOND(~ SPARSE_P_ID errors)));                                              \
    SPARSE_UNUSED static inline sparse_result name(const void *operand, ...)                                 \
    {                                                                                                        \
        return operand ? SPARSE_E_ARGUMENT : SPARSE_E_NULL;                                                  \
    }

/* LOOP(, parallel(i)) -> , (i, parallel, i, dim, i, 0): the index that it makes known, the strategy, the loop
   variable, and what of which index it runs over; floordiv(i, 2) runs i_block, and mod(i, 2) i_inner */
#define SPARSE_P_LOOP(c, x) SPARSE_P_CAT(SPARSE_P_LOOP_, SPARSE_P_IS_PAREN(SPARSE_P_STRATEGY_##x))(x)
#define SPARSE_P_LOOP_0(x)  SPARSE_P_LOOP_OVER(sequential, SPARSE_P_EXPRESSION(x))
#define SPARSE_P_LOOP_1(x)                                                                                   \
    SPARSE_P_LOOP_BY(SPARSE_P_FIRST(SPARSE_P_STRATEGY_IS_##x), SPARSE_P_UNPACK(SPARSE_P_STRATEGY_##x))
#define SPARSE_P_LOOP_BY(...)                       SPARSE_P_LOOP_BY_(__VA_ARGS__)
#define SPARSE_P_LOOP_BY_(strategy, x)              SPARSE_P_LOOP_OVER(strategy, SPARSE_P_EXPRESSION(x))
#define SPARSE_P_LOOP_OVER(...)                     SPARSE_P_LOOP_OVER_(__VA_ARGS__)
#define SPARSE_P_LOOP_OVER_(strategy, kind, i, c)   SPARSE_P_LOOP_OVER_##kind(strategy, i, c)
#define SPARSE_P_LOOP_OVER_bad(strategy, i, c)      , (0, strategy, 0, bad, i, c)
#define SPARSE_P_LOOP_OVER_dim(strategy, i, c)      , (i, strategy, i, dim, i, 0)
#define SPARSE_P_LOOP_OVER_floordiv(strategy, i, c) , (i##_block, strategy, i##_block, floordiv, i, c)
#define SPARSE_P_LOOP_OVER_mod(strategy, i, c)      , (i, strategy, i##_inner, mod, i, c)
#define SPARSE_P_STRATEGY_parallel
#define SPARSE_P_STRATEGY_simd
#define SPARSE_P_STRATEGY_IS_parallel parallel,
#define SPARSE_P_STRATEGY_IS_simd     simd,
/* ATTRIBUTE(, loop) -> what the function needs for the strategy of a loop */
#define SPARSE_P_ATTRIBUTE(c, l)                                 SPARSE_P_ATTRIBUTE_ l
#define SPARSE_P_ATTRIBUTE_(key, strategy, variable, kind, i, c) SPARSE_P_ATTRIBUTE_##strategy
#define SPARSE_P_ATTRIBUTE_sequential
#define SPARSE_P_ATTRIBUTE_parallel
#define SPARSE_P_ATTRIBUTE_simd SPARSE_P_REASSOCIATING
/* of a loop: the index that it makes known; the same unless it is only a block of one; the blocks as leaves
 */
#define SPARSE_P_LETTER(c, l)                                 SPARSE_P_LETTER_ l
#define SPARSE_P_LETTER_(key, strategy, variable, kind, i, c) , key
#define SPARSE_P_BASE(c, l)                                   SPARSE_P_BASE_ l
#define SPARSE_P_BASE_(key, strategy, variable, kind, i, c)   SPARSE_P_BASE_##kind(i)
#define SPARSE_P_BASE_dim(i)                                  , i
#define SPARSE_P_BASE_mod(i)                                  , i
#define SPARSE_P_BASE_floordiv(i)
#define SPARSE_P_BLOCK(letters, l)                                     SPARSE_P_BLOCK_(letters, SPARSE_P_ID l)
#define SPARSE_P_BLOCK_(...)                                           SPARSE_P_BLOCK__(__VA_ARGS__)
#define SPARSE_P_BLOCK__(letters, key, strategy, variable, kind, i, c) SPARSE_P_BLOCK_##kind(letters, i, c)
#define SPARSE_P_BLOCK_dim(letters, i, c)
#define SPARSE_P_BLOCK_floordiv(letters, i, c)
#define SPARSE_P_BLOCK_mod(letters, i, c) , (block, SPARSE_P_POS(i, letters), i, c)

#define SPARSE_P_OUTPUTS(letters, out)   SPARSE_P_CAT(SPARSE_P_OUTPUTS_, SPARSE_P_IS_PAREN(out))(letters, out)
#define SPARSE_P_OUTPUTS_1(letters, out) , (leaf, SPARSE_P_LEAF((W, letters), out))
#define SPARSE_P_OUTPUTS_0(letters, out) , (leaf, SPARSE_P_LEAF((U, letters), SPARSE_P_OUT_##out))
#define SPARSE_P_OUT_update(...)         (__VA_ARGS__)

/* EMIT: the loops as a function of sizes and arrays, and the kernel, which checks and calls them */
#define SPARSE_P_EMIT(kernel, loops, letters, blocks, outs, plans, leaves, statement)                                              \
    1 SPARSE_P_CAT(SPARSE_P_SAME_BLOCKS_, SPARSE_P_IS_ANY blocks)(loops, leaves), #kernel ": blocks of one index differ in size"); \
    SPARSE_UNUSED SPARSE_P_EACHF(SPARSE_P_ATTRIBUTE, , loops) static inline void kernel##_loops(                                   \
        SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE_PARAMETER, , (, SPARSE_P_ID letters)) SPARSE_P_EACHE(                           \
            SPARSE_P_ARRAYS, , leaves) SPARSE_P_EACHF(SPARSE_P_WHOLE_PARAMETER, , blocks))){                                       \
        SPARSE_P_EACHF(SPARSE_P_BLOCK_SIZE, , loops) SPARSE_P_EACHE(SPARSE_P_ACCUMULATE, , outs)                                   \
            SPARSE_P_NEST(((SPARSE_P_ID blocks SPARSE_P_EACHE(SPARSE_P_PLACE, , leaves)),                                          \
                           (SPARSE_P_EACHE(SPARSE_P_PLACE, , outs)), statement),                                                   \
                          plans)                                                                                                   \
                SPARSE_P_EACHE(SPARSE_P_ACCUMULATED, , outs)} SPARSE_UNUSED static inline sparse_result                            \
    kernel(SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves)))                                                            \
    {                                                                                                                              \
        const sparse_operand operand[] = {SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_OPERAND, , leaves))};                              \
        size_t size[SPARSE_P_COUNT(SPARSE_P_ID letters) + 1];                                                                      \
        const sparse_result result = sparse_bind(SPARSE_P_EACHF(SPARSE_P_QUOTE, , (, SPARSE_P_ID letters)),                        \
                                                 size, operand, sizeof operand / sizeof *operand);                                 \
        if (result != SPARSE_OK) return result;                                                                                    \
        SPARSE_P_CAT(SPARSE_P_CALL_, SPARSE_P_IS_ANY blocks)                                                                       \
        (kernel, letters, blocks,                                                                                                  \
         (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE, letters, (, SPARSE_P_ID letters))                                            \
                            SPARSE_P_EACHE(SPARSE_P_ARGUMENTS, , leaves)))) return SPARSE_OK;                                      \
    }
#define SPARSE_P_QUOTE(c, i)          #i
#define SPARSE_P_SIZE_PARAMETER(c, i) , SPARSE_UNUSED const size_t i##_size
#define SPARSE_P_SIZE(letters, i)     , size[SPARSE_P_POS(i, letters) - 1]
/* with blocks, the loops are compiled twice: for dimensions that the blocks fill, and for others */
#define SPARSE_P_CALL_0(kernel, letters, blocks, arguments) kernel##_loops arguments;
#define SPARSE_P_CALL_1(kernel, letters, blocks, arguments)                                                  \
    if (SPARSE_P_FOLDF(SPARSE_P_AND_TEXT, (SPARSE_P_EACHF(SPARSE_P_IS_WHOLE, letters, blocks))))             \
        kernel##_loops(SPARSE_P_ID arguments SPARSE_P_EACHF(SPARSE_P_WHOLE, true, blocks));                  \
    else                                                                                                     \
        kernel##_loops(SPARSE_P_ID arguments SPARSE_P_EACHF(SPARSE_P_WHOLE, false, blocks));
#define SPARSE_P_IS_WHOLE(letters, x)               SPARSE_P_IS_WHOLE_(letters, SPARSE_P_ID x)
#define SPARSE_P_IS_WHOLE_(...)                     SPARSE_P_IS_WHOLE__(__VA_ARGS__)
#define SPARSE_P_IS_WHOLE__(letters, what, d, i, c) , size[SPARSE_P_POS(i, letters) - 1] % c == 0
#define SPARSE_P_WHOLE(value, x)                    , value
#define SPARSE_P_WHOLE_PARAMETER(c, x)              SPARSE_P_WHOLE_PARAMETER_ x
#define SPARSE_P_WHOLE_PARAMETER_(what, d, i, c)    , const bool i##_whole
/* the sizes of the parts of a blocked index, and that its operands have the same blocks */
#define SPARSE_P_BLOCK_SIZE(c, l)                                 SPARSE_P_BLOCK_SIZE_ l
#define SPARSE_P_BLOCK_SIZE_(key, strategy, variable, kind, i, c) SPARSE_P_BLOCK_SIZE_##kind(i, c)
#define SPARSE_P_BLOCK_SIZE_dim(i, c)
#define SPARSE_P_BLOCK_SIZE_floordiv(i, c)                                                                   \
    SPARSE_UNUSED const size_t i##_block_size = i##_size / c + (i##_size % c != 0);
#define SPARSE_P_BLOCK_SIZE_mod(i, c) enum { i##_inner_size = c };
/* SAME_BLOCKS_1(loops, leaves) -> && 2 == 2 ...: the loops and the levels over a part of an index agree */
#define SPARSE_P_SAME_BLOCKS_0(loops, leaves)
#define SPARSE_P_SAME_BLOCKS_1(loops, leaves)                                                                \
    SPARSE_P_EACHF(SPARSE_P_SAME_IN_LOOPS, loops, loops) SPARSE_P_EACHE(SPARSE_P_SAME_IN_LEAF, loops, leaves)
#define SPARSE_P_SAME_IN_LOOPS(loops, l) SPARSE_P_SAME_IN_LOOPS_(loops, SPARSE_P_ID l)
#define SPARSE_P_SAME_IN_LOOPS_(...)     SPARSE_P_SAME_IN_LOOPS__(__VA_ARGS__)
#define SPARSE_P_SAME_IN_LOOPS__(loops, key, strategy, variable, kind, i, c)                                 \
    SPARSE_P_SAME_SIZE_##kind(i, c, loops)
#define SPARSE_P_SAME_IN_LEAF(loops, record)      SPARSE_P_SAME_IN_LEAF_(loops, SPARSE_P_ID record)
#define SPARSE_P_SAME_IN_LEAF_(...)               SPARSE_P_SAME_IN_LEAF__(__VA_ARGS__)
#define SPARSE_P_SAME_IN_LEAF__(loops, what, ...) SPARSE_P_SAME_IN_##what(loops, __VA_ARGS__)
#define SPARSE_P_SAME_IN_scalar(...)
#define SPARSE_P_SAME_IN_tensor(loops, role, name, type, value, pos, crd, indices, levels, ...)              \
    SPARSE_P_EACHF(SPARSE_P_SAME_IN_LEVEL, loops, levels)
#define SPARSE_P_SAME_IN_LEVEL(loops, level) SPARSE_P_SAME_IN_LEVEL_(loops, SPARSE_P_ID level)
#define SPARSE_P_SAME_IN_LEVEL_(...)         SPARSE_P_SAME_IN_LEVEL__(__VA_ARGS__)
#define SPARSE_P_SAME_IN_LEVEL__(loops, number, storage, letter, placed, variable, part)                     \
    SPARSE_P_SAME_IN_PART(loops, letter, SPARSE_P_ID part)
#define SPARSE_P_SAME_IN_PART(...)                     SPARSE_P_SAME_IN_PART_(__VA_ARGS__)
#define SPARSE_P_SAME_IN_PART_(loops, letter, kind, c) SPARSE_P_SAME_SIZE_##kind(letter, c, loops)
#define SPARSE_P_SAME_SIZE_dim(i, c, loops)
#define SPARSE_P_SAME_SIZE_floordiv(i, c, loops) SPARSE_P_EACHG(SPARSE_P_SAME_SIZE, (i, c), loops)
#define SPARSE_P_SAME_SIZE_mod(i, c, loops)      SPARSE_P_EACHG(SPARSE_P_SAME_SIZE, (i##_block, c), loops)
#define SPARSE_P_SAME_SIZE(c, l)                 SPARSE_P_SAME_SIZE_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_SAME_SIZE_(...)                 SPARSE_P_SAME_SIZE__(__VA_ARGS__)
#define SPARSE_P_SAME_SIZE__(block, c, key, strategy, variable, kind, i, size)                               \
    SPARSE_P_IFEQ(block, key, && c == size)

/* the parts of an operand, each (c, record) -> text; what it is depends on what the operand is and its role
 */

/* -> , double *y_val  or  , const uint32_t *A2_pos, const uint32_t *A2_crd, const double *A_val */
#define SPARSE_P_ARRAYS(c, record)            SPARSE_P_ARRAYS_OF_A record
#define SPARSE_P_ARRAYS_OF_A(what, role, ...) SPARSE_P_ARRAYS_##what##_##role(__VA_ARGS__)
#define SPARSE_P_ARRAYS_scalar_M(name, value) , SPARSE_UNUSED value name
#define SPARSE_P_ARRAYS_scalar_O(name, value) , SPARSE_UNUSED value name
#define SPARSE_P_ARRAYS_scalar_N(name, value) , SPARSE_UNUSED value name
#define SPARSE_P_ARRAYS_scalar_W(name, value) , value *SPARSE_RESTRICT name##_val
#define SPARSE_P_ARRAYS_tensor_M(...)         SPARSE_P_ARRAYS_(const, __VA_ARGS__)
#define SPARSE_P_ARRAYS_tensor_O(...)         SPARSE_P_ARRAYS_(const, __VA_ARGS__)
#define SPARSE_P_ARRAYS_tensor_N(...)         SPARSE_P_ARRAYS_(const, __VA_ARGS__)
#define SPARSE_P_ARRAYS_tensor_W(...)         SPARSE_P_ARRAYS_(, __VA_ARGS__)
#define SPARSE_P_ARRAYS_tensor_U(...)         SPARSE_P_ARRAYS_(, __VA_ARGS__)
#define SPARSE_P_ARRAYS_(access, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,  \
                         rank)                                                                               \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARRAYS, (name, pos, crd), walks)                                           \
    , SPARSE_UNUSED access value *SPARSE_RESTRICT name##_val
#define SPARSE_P_LEVEL_ARRAYS(c, level) SPARSE_P_LEVEL_ARRAYS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_ARRAYS_(...)     SPARSE_P_LEVEL_ARRAYS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ARRAYS__(A, pos, crd, n, placed, above, iterator)                                     \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_OF_, SPARSE_P_FIRST iterator)(A, n, pos, crd)
#define SPARSE_P_ARRAYS_OF_compressed(A, n, pos, crd)                                                        \
    , const uint##pos##_t *SPARSE_RESTRICT A##n##_pos, const uint##crd##_t *SPARSE_RESTRICT A##n##_crd
#define SPARSE_P_ARRAYS_OF_loose                      SPARSE_P_ARRAYS_OF_compressed
#define SPARSE_P_ARRAYS_OF_structured(A, n, pos, crd) , const uint##crd##_t *SPARSE_RESTRICT A##n##_crd
#define SPARSE_P_ARRAYS_OF_singleton                  SPARSE_P_ARRAYS_OF_structured
#define SPARSE_P_ARRAYS_OF_aos(A, n, pos, crd)

/* the same as arguments, from the tensors */
#define SPARSE_P_ARGUMENTS(c, record)            SPARSE_P_ARGUMENTS_OF_A record
#define SPARSE_P_ARGUMENTS_OF_A(what, role, ...) SPARSE_P_ARGUMENTS_##what##_##role(__VA_ARGS__)
#define SPARSE_P_ARGUMENTS_scalar_M(name, value) , name
#define SPARSE_P_ARGUMENTS_scalar_O(name, value) , name
#define SPARSE_P_ARGUMENTS_scalar_N(name, value) , name
#define SPARSE_P_ARGUMENTS_scalar_W(name, value) , name
#define SPARSE_P_ARGUMENTS_tensor_M(...)         SPARSE_P_ARGUMENTS_(const, __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_tensor_O(...)         SPARSE_P_ARGUMENTS_(const, __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_tensor_N(...)         SPARSE_P_ARGUMENTS_(const, __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_tensor_W(...)         SPARSE_P_ARGUMENTS_(, __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_tensor_U(...)         SPARSE_P_ARGUMENTS_(, __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_(access, name, type, value, pos, crd, indices, levels, walks, nlev, placed,       \
                            sparse, rank)                                                                    \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARGUMENTS, (name, pos, crd), walks), (access value *)name->t.val.at
#define SPARSE_P_LEVEL_ARGUMENTS(c, level) SPARSE_P_LEVEL_ARGUMENTS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_ARGUMENTS_(...)     SPARSE_P_LEVEL_ARGUMENTS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ARGUMENTS__(A, pos, crd, n, placed, above, iterator)                                  \
    SPARSE_P_CAT(SPARSE_P_ARGUMENTS_OF_, SPARSE_P_FIRST iterator)(A, n, pos, crd)
#define SPARSE_P_ARGUMENTS_OF_compressed(A, n, pbits, cbits)                                                 \
    , (const uint##pbits##_t *)A->t.pos[n - 1].at, (const uint##cbits##_t *)A->t.crd[n - 1].at
#define SPARSE_P_ARGUMENTS_OF_loose                          SPARSE_P_ARGUMENTS_OF_compressed
#define SPARSE_P_ARGUMENTS_OF_structured(A, n, pbits, cbits) , (const uint##cbits##_t *)A->t.crd[n - 1].at
#define SPARSE_P_ARGUMENTS_OF_singleton                      SPARSE_P_ARGUMENTS_OF_structured
#define SPARSE_P_ARGUMENTS_OF_aos(A, n, pbits, cbits)

/* the same as parameters of the kernel -> , vec *y  or  , const csr *A  or  , double alpha */
#define SPARSE_P_PARAMETER(c, record)                SPARSE_P_PARAMETER_OF_A record
#define SPARSE_P_PARAMETER_OF_A(what, role, ...)     SPARSE_P_PARAMETER_##what##_##role(__VA_ARGS__)
#define SPARSE_P_PARAMETER_scalar_M(name, value)     , value name
#define SPARSE_P_PARAMETER_scalar_O(name, value)     , value name
#define SPARSE_P_PARAMETER_scalar_N(name, value)     , value name
#define SPARSE_P_PARAMETER_scalar_W(name, value)     , value *name
#define SPARSE_P_PARAMETER_tensor_M(name, type, ...) , const type *name
#define SPARSE_P_PARAMETER_tensor_O(name, type, ...) , const type *name
#define SPARSE_P_PARAMETER_tensor_N(name, type, ...) , const type *name
#define SPARSE_P_PARAMETER_tensor_W(name, type, ...) , type *name
#define SPARSE_P_PARAMETER_tensor_U(name, type, ...) , type *name

/* the same as a row of the table that is checked -> , {&csr_encoding, A, "ij", reads} */
#define SPARSE_P_OPERAND(c, record)            SPARSE_P_OPERAND_OF_A record
#define SPARSE_P_OPERAND_OF_A(what, role, ...) SPARSE_P_OPERAND_##what##_##role(__VA_ARGS__)
#define SPARSE_P_OPERAND_scalar_M(name, value)
#define SPARSE_P_OPERAND_scalar_O(name, value)
#define SPARSE_P_OPERAND_scalar_N(name, value)
#define SPARSE_P_OPERAND_scalar_W(name, value)                                                               \
    , { NULL, name, "", SPARSE_WRITES }
#define SPARSE_P_OPERAND_tensor_M(...) SPARSE_P_OPERAND_(SPARSE_READS, __VA_ARGS__)
#define SPARSE_P_OPERAND_tensor_O(...) SPARSE_P_OPERAND_(SPARSE_READS, __VA_ARGS__)
#define SPARSE_P_OPERAND_tensor_N(...) SPARSE_P_OPERAND_(SPARSE_READS, __VA_ARGS__)
#define SPARSE_P_OPERAND_tensor_W(...) SPARSE_P_OPERAND_(SPARSE_WRITES, __VA_ARGS__)
#define SPARSE_P_OPERAND_tensor_U(...) SPARSE_P_OPERAND_(SPARSE_UPDATES, __VA_ARGS__)
#define SPARSE_P_OPERAND_(access, name, type, value, pos, crd, indices, ...)                                 \
    , { &type##_encoding, name, SPARSE_P_EACHF(SPARSE_P_QUOTE, , indices), access }

/* a scalar output is accumulated in a register */
#define SPARSE_P_ACCUMULATE(c, record)            SPARSE_P_ACCUMULATE_OF_A record
#define SPARSE_P_ACCUMULATE_OF_A(what, role, ...) SPARSE_P_ACCUMULATE_##what##_##role(__VA_ARGS__)
#define SPARSE_P_ACCUMULATE_scalar_W(name, value) value name = *name##_val;
#define SPARSE_P_ACCUMULATE_tensor_W(...)
#define SPARSE_P_ACCUMULATE_tensor_U(...)
#define SPARSE_P_ACCUMULATED(c, record)            SPARSE_P_ACCUMULATED_OF_A record
#define SPARSE_P_ACCUMULATED_OF_A(what, role, ...) SPARSE_P_ACCUMULATED_##what##_##role(__VA_ARGS__)
#define SPARSE_P_ACCUMULATED_scalar_W(name, value) *name##_val = name;
#define SPARSE_P_ACCUMULATED_tensor_W(...)
#define SPARSE_P_ACCUMULATED_tensor_U(...)

/* >>binding */

/* How a kernel uses an operand. */
typedef enum sparse_access { SPARSE_READS, SPARSE_WRITES, SPARSE_UPDATES } sparse_access;

/* One operand of a kernel call: the encoding that the kernel was compiled for, the tensor (a struct that
   begins with a sparse_tensor; for a scalar output, with a null encoding, any address), and the letters of
   its indices, one per dimension. */
typedef struct sparse_operand {
    const sparse_encoding *encoding;
    const void *tensor;
    const char *index;
    sparse_access access;
} sparse_operand;

/* True if the tensor was never given a size: a zeroed one, or a freed one. */
static inline bool sparse_p_is_blank(const sparse_tensor *t)
{
    for (unsigned d = 0; t->encoding && d < t->encoding->rank; d++)
        if (t->dim[d]) return false;
    return t->val.at == NULL && t->val.length == 0;
}

/* SPARSE_OK if every array that the encoding calls for is there. */
static inline sparse_result sparse_p_has_storage(const sparse_tensor *t)
{
    bool dense = true;
    for (unsigned l = 0; l < t->encoding->levels; l++) {
        const unsigned format = t->encoding->level[l].format;
        if (format == SPARSE_DENSE) continue;
        dense = false;
        const bool ranges = format == SPARSE_COMPRESSED || format == SPARSE_LOOSE_COMPRESSED;
        if (ranges && t->pos[l].at == NULL && (format == SPARSE_COMPRESSED || l == 0 || t->pos[l].length))
            return SPARSE_E_EMPTY; /* below no parents a loose level has no positions at all */
        if (t->crd[l].at == NULL && t->crd[l].length) return SPARSE_E_NULL;
    }
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

/* The sizes of the dimensions of operand o, as far as they are known, into size[], one per loop; unknown
   ones are SIZE_MAX. SPARSE_E_SHAPE if two operands disagree. */
static inline sparse_result sparse_p_bind_sizes(const char *loops, size_t *size, const sparse_operand *o)
{
    const sparse_tensor *t = (const sparse_tensor *)o->tensor;
    for (unsigned d = 0; o->index[d]; d++) {
        unsigned l = 0;
        while (loops[l] != o->index[d]) l++;
        if (size[l] != SIZE_MAX && size[l] != t->dim[d])
            return sparse_p_is_blank(t) ? SPARSE_E_EMPTY : SPARSE_E_SHAPE;
        size[l] = t->dim[d];
    }
    return SPARSE_OK;
}

/* Allocates the dense output of operand o with the sizes that the other operands gave to its indices. */
static inline sparse_result sparse_p_bind_output(const char *loops, const size_t *size,
                                                 const sparse_operand *o)
{
    sparse_tensor *t = (sparse_tensor *)o->tensor;
    size_t dim[SPARSE_MAX_RANK] = {0};
    for (unsigned d = 0; o->index[d]; d++) {
        unsigned l = 0;
        while (loops[l] != o->index[d]) l++;
        if (size[l] == SIZE_MAX) return SPARSE_E_EMPTY;
        dim[d] = size[l];
    }
    t->encoding = o->encoding;
    return sparse_allocate_dense(t, dim);
}

/* Checks the operands of a kernel against each other: pointers, encodings, storage, sizes, aliasing. Gives
   the size of each of the loops, which are named by the letters of the string, and allocates the dense
   outputs that are blank. Changes nothing unless all is well. Every kernel calls it first. */
SPARSE_UNUSED SPARSE_P_NOINLINE static sparse_result sparse_bind(const char *loops, size_t *size,
                                                                 const sparse_operand *operand, size_t count)
{
    sparse_result result = SPARSE_OK;
    for (unsigned l = 0; loops[l]; l++) size[l] = SIZE_MAX;
    for (size_t n = 0; n < count && result == SPARSE_OK; n++) {
        const sparse_operand *o = &operand[n];
        const sparse_tensor *t = (const sparse_tensor *)o->tensor;
        if (t == NULL) return SPARSE_E_NULL;
        if (o->encoding == NULL) continue; /* a scalar */
        const bool blank = o->access == SPARSE_WRITES && sparse_p_is_blank(t);
        if (t->encoding == NULL && !blank) return SPARSE_E_NO_ENCODING;
        if (t->encoding && !sparse_same_encoding(t->encoding, o->encoding)) return SPARSE_E_ENCODING;
        if (blank) continue;
        result = sparse_p_has_storage(t);
        if (result == SPARSE_OK) result = sparse_p_bind_sizes(loops, size, o);
    }
    for (size_t n = 0; n < count && result == SPARSE_OK; n++)
        for (size_t m = 0; m < count; m++)
            if (n != m && operand[n].encoding && operand[m].encoding && operand[n].access != SPARSE_READS &&
                sparse_p_overlap((const sparse_tensor *)operand[n].tensor,
                                 (const sparse_tensor *)operand[m].tensor))
                return SPARSE_E_ALIAS;
    for (size_t n = 0; n < count && result == SPARSE_OK; n++)
        if (operand[n].encoding && operand[n].access == SPARSE_WRITES &&
            sparse_p_is_blank((const sparse_tensor *)operand[n].tensor))
            result = sparse_p_bind_output(loops, size, &operand[n]);
    return result;
}

#endif /* SPARSE_H */
