/* sparse_lattice.h: compiles a kernel line into loops, in the preprocessor.

   Part of the sparse kit; include "sparse.h". This header contains all of the line compiler, in the order in which a line
   passes through it. It includes sparse_formats.h. It knows a level type only through the rows of tables LEVEL, RANGE and
   CRD, which stand in the section of that type (sparse_formats.h, >>kernels over levels). The line

     (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x

   becomes, step by step:

     tree    (all, leaf A, leaf x): the operands as nodes. all(...) is an intersection, any(...) a union, none(...) a
             complement. A leaf is a record that names, for each level, the loop in which its position becomes known
     drive   computed from the tree for each loop: which iterators drive the loop, and which follow. Loop i: FULL, because
             no level over i is sparse. Loop j: ONE, the second level of A; x is dense at j, so it is located
     plan    a drive, with everything else that is needed to write the loop: strategy, tests, checks
     nest    the loops, written from their plans; the statement; the stores to the outputs

   tests/stages.sh FILE KERNEL prints the records and plans of a line. >>toolkit of sparse_formats.h explains how the macros
   are written, and why some words begin with 0.

   A drive stands for the merge lattice (Kjolstad et al. 2017, section 5; docs/theory.md lists the papers) of the expression
   at the index of the loop. The kind of a drive is

     FULL    every coordinate: the expression can be nonzero where nothing is stored
     FLAG    every coordinate, if an optional operand is present that is dense at this index
     ONE     one lattice point, one operand: its stored coordinates
     BOTH    one lattice point, two operands: their common coordinates
     MERGE   several lattice points: the coordinates stored in any of several operands. Each lattice point becomes a phase:
             first all operands have more entries, then some, then one
     RANGE   the coordinates along a diagonal for which the other index is within its dimension, too; WITHIN: the same, for
             positions in blocks
     POINT   one coordinate: the other index on a diagonal, which follows from the loops around it
     LET     one coordinate, which let(...) computes from the loops around it

   If an operand is sparse at an index but does not drive the loop, it follows: the loop searches it for each coordinate. An
   absent operand is an empty range at all deeper levels, so each loop is written once.

   Each level type, walk, storage, loop, strategy and mode of assembly is one row of a table. The cells are macros
   TABLE_row_COLUMN; search for "TABLE ". Where to add
     a level type      a section in sparse_formats.h: nothing here changes
     a strategy        a row of table STRATEGY, see >>loop list
     an output form    a row of table MODE, see >>outputs
     a sentence        >>checks

   Contents (search for the anchors)
     >>stages      the pipeline: each stage computes one thing, checks it, and calls the next or refuses the line
     >>loop list   the loops of the line: indices, strategies, parts of indices
     >>operands    the tree of a kernel line and its leaves
     >>levels of operands   how the loops of the line traverse the levels of an operand
     >>sums of operands     levels whose subscript is a sum of indices
     >>lattice     which iterators drive the loop over an index, which follow, what must be tested
     >>emptying, >>prefetch   clearing an array behind a loop, and fetching memory ahead of it
     >>drives of level types  loops with code of their own for levels of one type
     >>outputs     output forms, and what loops do with an output that is assembled
     >>workspaces  where(): intermediate results, computed by loops of their own
     >>loops       the loop nest
     >>mirrors     operands that store one triangle
     >>emit        the functions that a kernel line becomes
     >>checks      one sentence for each mistake in a kernel line
*/
#ifndef SPARSE_LATTICE_H
#define SPARSE_LATTICE_H

#include "sparse_formats.h"
#if SPARSE_TERSE && defined(__GNUC__)
    #pragma GCC system_header
#endif

/* The limits of a kernel line. */
#define SPARSE_MAX_LOOPS    12
#define SPARSE_MAX_OPERANDS 16 /* outputs included */

/* >>stages
   A kernel line passes through these stages, in this order. Each stage computes one thing and passes all results so far to
   the next stage:

     KERNEL            checks that the list of loops, the output, the operands and the statement are present
     KERNEL_LINE       computes loops: (i, j) as records; KERNEL_LETTERS computes their indices
     KERNEL_PARSE      computes tree: the operands as nodes; for where(...), KERNEL_WHERE first does this for each workspace
     KERNEL_TREE       computes outs, the outputs, and leaves, all operands in one list
     KERNEL_LEAVES     reports errors of the leaves
     KERNEL_OF_LOOPS   computes plans: what drives each loop, what follows in it, and what it tests
     KERNEL_LANES      with SPARSE_REASSOCIATE: turns innermost loops of sums into simd(...)
     KERNEL_PLAN       reports errors of the plans
     EMIT              writes the functions, see >>emit

   If a stage found errors, KERNEL_CHECK_..._1 refuses the line with the first of them. Otherwise KERNEL_CHECK_..._0
   continues with the next stage. */
/* KERNEL expands to the rest of a static assertion. The last stage is EMIT, which yields 1), ""); and the functions, or
   REFUSE, which yields 0), "sentence");. This form makes the compiler's message point at the kernel line alone. clang
   points at the parenthesis, and prints its content unless that is a number. g++ points at the content, whose first part
   is 0 ||. */
#define SPARSE_P_KERNEL(name, loops, ...)                                                                                   \
    SPARSE_P_CAT(SPARSE_P_KERNEL_OF_, SPARSE_P_LOOPS_ARE(loops))(name, loops, __VA_ARGS__)
#define SPARSE_P_KERNEL_OF_0no(name, ...)   SPARSE_P_REFUSE(name, (, (#name ": the loops must be a list in parentheses")))
#define SPARSE_P_KERNEL_OF_0many(name, ...) SPARSE_P_REFUSE(name, (, (#name ": more than 12 loops")))
#define SPARSE_P_KERNEL_OF_0two(name, ...)  SPARSE_P_REFUSE(name, (, (#name ": a comma is missing after the loops")))
/* LOOPS_ARE((i, j)) -> few. It yields many if there are more than 12 loops, two if two lists stand together, and no if
   the argument is not a list in parentheses. */
#define SPARSE_P_LOOPS_ARE(loops)     SPARSE_P_BY_PAREN(SPARSE_P_LOOPS_ARE_, loops)(loops)
#define SPARSE_P_LOOPS_ARE_0(loops)   0no
#define SPARSE_P_LOOPS_ARE_1(loops)   SPARSE_P_CAT(SPARSE_P_LOOPS_ALONE_, SPARSE_P_IS_ALONE(loops))(loops)
#define SPARSE_P_LOOPS_ALONE_0(loops) 0two
#define SPARSE_P_LOOPS_ALONE_1(loops) SPARSE_P_BY_TWELVE(SPARSE_P_LOOPS_NUMBER_, SPARSE_P_ID loops)
#define SPARSE_P_BY_TWELVE(m, ...)                                                                                          \
    SPARSE_P_BY_PAREN(m, SPARSE_P_THIRTEENTH(__VA_ARGS__, (), (), (), (), (), (), (), (), (), (), (), (), ~))
#define SPARSE_P_LOOPS_NUMBER_1                                          0few
#define SPARSE_P_LOOPS_NUMBER_0                                          0many
#define SPARSE_P_THIRTEENTH(...)                                         SPARSE_P_THIRTEENTH_(__VA_ARGS__)
#define SPARSE_P_THIRTEENTH_(a, b, c, d, e, f, g, h, i, j, k, l, m, ...) m
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
/* The operand is not inside all(), any() or none(). */
#define SPARSE_P_KERNEL_OVER_0            SPARSE_P_KERNEL_LINE
#define SPARSE_P_KERNEL_OVER_1(name, ...) SPARSE_P_REFUSE(name, (, SPARSE_P_REFUSED_0word(name, ~)))
/* OUTPUT_ALONE((y, VEC, i)) -> 1, OUTPUT_ALONE((y, VEC, i) all(x)) -> 0, OUTPUT_ALONE(y) -> unknown */
#define SPARSE_P_OUTPUT_ALONE(out)   SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_ALONE_, out)(out)
#define SPARSE_P_OUTPUT_ALONE_1(out) SPARSE_P_IS_ALONE(out)
#define SPARSE_P_OUTPUT_ALONE_0(out) SPARSE_P_OUTPUT_WORD(SPARSE_P_OUT_KNOWN_##out)
/* The name is pasted only once, because the compiler reports an error for each paste that fails. */
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
    SPARSE_P_KERNEL_CHECK_LOOPS((SPARSE_P_LOOP_ERRORS(name, loops, letters)), name, loops, letters, out, in, statement)
#define SPARSE_P_KERNEL_CHECK_LOOPS(errors, ...)                                                                            \
    SPARSE_P_CAT(SPARSE_P_KERNEL_CHECK_LOOPS_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_CHECK_LOOPS_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_CHECK_LOOPS_0(errors, name, loops, letters, out, in, statement)                                     \
    SPARSE_P_CAT(SPARSE_P_KERNEL_PARSE_, SPARSE_P_HAS_WHERE(in))(name, loops, letters, out, in, statement)
#define SPARSE_P_KERNEL_PARSE_0(name, loops, letters, out, in, statement)                                                   \
    SPARSE_P_KERNEL_TREE(name, loops, letters, SPARSE_P_OUTPUT(SPARSE_P_OUT_LOOPS(letters, loops), out),                    \
                         SPARSE_P_PARSE1_00((0must, letters), in), statement, (), ())
#define SPARSE_P_KERNEL_PARSE_2 SPARSE_P_KERNEL_OVER_1
/* A line with workspaces: the loops of a workspace may add to the list of indices. */
#define SPARSE_P_KERNEL_PARSE_1(name, loops, letters, out, in, statement)                                                   \
    SPARSE_P_KERNEL_WHERE(name, loops, letters, out, (SPARSE_P_EACHE(SPARSE_P_CHILD, letters, SPARSE_P_CHILDREN(in))),      \
                          statement)
#define SPARSE_P_KERNEL_WHERE(name, loops, letters, out, children, statement)                                               \
    SPARSE_P_KERNEL_UNITE(name, loops, letters, out, children, statement, (SPARSE_P_EACHE(SPARSE_P_WHERES, , children)))
#define SPARSE_P_KERNEL_UNITE(name, loops, letters, out, children, statement, wheres)                                       \
    SPARSE_P_KERNEL_CHECK_WHERE((SPARSE_P_EACHA(SPARSE_P_WHERE_ERRORS, (name, letters), wheres)), name, loops,              \
                                SPARSE_P_FOLDA(SPARSE_P_UNITE, (, letters SPARSE_P_EACHE(SPARSE_P_WHERE_BASES, , wheres))), \
                                out, children, statement, wheres)
#define SPARSE_P_KERNEL_CHECK_WHERE(errors, ...)                                                                            \
    SPARSE_P_CAT(SPARSE_P_KERNEL_CHECK_WHERE_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_CHECK_WHERE_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_CHECK_WHERE_0(errors, name, loops, letters, out, children, statement, wheres)                       \
    SPARSE_P_KERNEL_PLANNED(name, loops, letters, out, children, statement, (SPARSE_P_EACHE(SPARSE_P_PLANNED, , wheres)))
#define SPARSE_P_KERNEL_PLANNED(name, loops, letters, out, children, statement, wheres)                                     \
    SPARSE_P_KERNEL_CHECK_WHERE_PLANS((SPARSE_P_EACHA(SPARSE_P_WHERE_PLAN_ERRORS, name, wheres)), name, loops, letters,     \
                                      out, children, statement, wheres)
#define SPARSE_P_KERNEL_CHECK_WHERE_PLANS(errors, ...)                                                                      \
    SPARSE_P_CAT(SPARSE_P_KERNEL_CHECK_WHERE_PLANS_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_CHECK_WHERE_PLANS_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_CHECK_WHERE_PLANS_0(errors, name, loops, letters, out, children, statement, wheres)                 \
    SPARSE_P_KERNEL_TREE(name, loops, letters, SPARSE_P_OUTPUT(SPARSE_P_OUT_LOOPS(letters, loops), out), ~,                 \
                         (all SPARSE_P_ID children), statement, wheres, (SPARSE_P_EACHE(SPARSE_P_WHERE_BASES, , wheres)))
/* The leaves are the outputs and the operands. If the output is updated, it is also part of the tree. */
#define SPARSE_P_KERNEL_TREE(...) SPARSE_P_KERNEL_TREE_(__VA_ARGS__)
#define SPARSE_P_KERNEL_TREE_(name, loops, letters, written, initial, out, z, in, statement, wheres, bases)                 \
    SPARSE_P_KERNEL_FLAT(                                                                                                   \
        name, loops, letters, SPARSE_P_VISIT(SPARSE_P_FLAT, , SPARSE_P_OUTS_##written(out)),                                \
        SPARSE_P_VISIT(SPARSE_P_FLAT, , SPARSE_P_CAT(SPARSE_P_INS_##written, SPARSE_P_IS_ANY wheres)(out, in)),             \
        SPARSE_P_CAT(SPARSE_P_DRIVEN_BY_##written, SPARSE_P_IS_ANY wheres)(out, in), (statement, initial, wheres, bases))
/* DRIVEN_BY: the tree that drives the loops. Workspaces must stay directly below all(), so the output becomes one more
   child of that all(). */
#define SPARSE_P_DRIVEN_BY_10(out, in)       in
#define SPARSE_P_DRIVEN_BY_11(out, in)       in
#define SPARSE_P_DRIVEN_BY_00(out, in)       (all, out, in)
#define SPARSE_P_DRIVEN_BY_01(out, in)       SPARSE_P_DRIVEN_BOTH(out, SPARSE_P_ID in)
#define SPARSE_P_DRIVEN_BY_like0             SPARSE_P_INS_like0
#define SPARSE_P_DRIVEN_BY_like1             SPARSE_P_INS_like1
#define SPARSE_P_DRIVEN_BOTH(...)            SPARSE_P_DRIVEN_BOTH_(__VA_ARGS__)
#define SPARSE_P_DRIVEN_BOTH_(out, all, ...) (all, out, __VA_ARGS__)
/* OUTS: the outputs. INS: the operands. For out = (pair, output, pattern), the pattern is an operand. */
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
/* A workspace that is an array counts as an operand, too. */
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
    SPARSE_P_KERNEL_CHECK_LEAVES((SPARSE_P_ERRORS(name, loops, letters, outs, leaves, SPARSE_P_WORK_NAMES statement)),      \
                                 name, loops, letters, outs, tree, leaves, statement)
#define SPARSE_P_WORK_NAMES(statement, initial, wheres, bases) (SPARSE_P_EACHE(SPARSE_P_WORK_NAME, , wheres))
#define SPARSE_P_WORK_NAME(c, where)                           SPARSE_P_WORK_NAME_ where
#define SPARSE_P_WORK_NAME_(n, tree, loops, letters, leaves, written, initial, out, operand, ...)                           \
    SPARSE_P_LETTERED(, operand)
#define SPARSE_P_KERNEL_CHECK_LEAVES(errors, ...)                                                                           \
    SPARSE_P_CAT(SPARSE_P_KERNEL_CHECK_LEAVES_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_CHECK_LEAVES_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_CHECK_LEAVES_0(errors, name, loops, letters, outs, tree, leaves, statement)                         \
    SPARSE_P_KERNEL_OF_LOOPS(name, SPARSE_P_EFFECTIVE(loops, outs), letters, outs, tree, leaves, statement)
#define SPARSE_P_KERNEL_OF_LOOPS(name, loops, letters, outs, tree, leaves, statement)                                       \
    SPARSE_P_KERNEL_LANES(name, loops, letters, outs,                                                                       \
                          SPARSE_P_TIDY((SPARSE_P_EACHH(SPARSE_P_PLAN, (letters, tree, SPARSE_P_WAY_OF(outs)), loops))),    \
                          leaves, statement)
/* If the program defines SPARSE_REASSOCIATE, the innermost loop of a sum becomes a simd() loop. */
#if SPARSE_REASSOCIATE
    #define SPARSE_P_KERNEL_LANES(name, loops, letters, outs, plans, leaves, statement)                                     \
        SPARSE_P_KERNEL_LANED((SPARSE_P_SUMS_OVER(SPARSE_P_FOLDF(SPARSE_P_RIGHT, loops),                                    \
                                                  SPARSE_P_FOLDF(SPARSE_P_RIGHT, plans), outs, leaves)),                    \
                              name, loops, letters, outs, plans, leaves, statement)
#else
    #define SPARSE_P_KERNEL_LANES SPARSE_P_KERNEL_PLAN
#endif
#define SPARSE_P_KERNEL_LANED(lanes, ...)   SPARSE_P_CAT(SPARSE_P_KERNEL_LANED_, SPARSE_P_IS_ANY lanes)(lanes, __VA_ARGS__)
#define SPARSE_P_KERNEL_LANED_0(lanes, ...) SPARSE_P_KERNEL_PLAN(__VA_ARGS__)
#define SPARSE_P_KERNEL_LANED_1(lanes, name, loops, letters, outs, plans, leaves, statement)                                \
    SPARSE_P_KERNEL_PLAN(name, SPARSE_P_TIDY((SPARSE_P_EACHH(SPARSE_P_LOOP_LANED, SPARSE_P_SECOND lanes, loops))), letters, \
                         outs, SPARSE_P_TIDY((SPARSE_P_EACHH(SPARSE_P_PLAN_LANED, SPARSE_P_SECOND lanes, plans))), leaves,  \
                         statement)
#define SPARSE_P_KERNEL_PLAN(name, loops, letters, outs, plans, leaves, statement)                                          \
    SPARSE_P_KERNEL_CHECK_PLANS((SPARSE_P_EACHH(SPARSE_P_PLAN_ERROR, (name, outs), plans)                                   \
                                     SPARSE_P_UNROLL_ERRORS(name, outs, SPARSE_P_WHERES_OF statement, loops, plans)         \
                                         SPARSE_P_PREFETCH_ERRORS(name, loops, plans, leaves)                               \
                                             SPARSE_P_ORDER_ERRORS(name, plans, leaves)                                     \
                                                 SPARSE_P_BESIDE_ERRORS((name, SPARSE_P_WAY_OF(outs), loops), statement)    \
                                                     SPARSE_P_PARTS_ERRORS(name, loops, letters, leaves, statement)),       \
                                name, loops, letters, outs, plans, leaves, statement)
#define SPARSE_P_KERNEL_CHECK_PLANS(errors, ...)                                                                            \
    SPARSE_P_CAT(SPARSE_P_KERNEL_CHECK_PLANS_, SPARSE_P_ANY_ERROR errors)(errors, __VA_ARGS__)
#define SPARSE_P_KERNEL_CHECK_PLANS_1(errors, name, ...) SPARSE_P_REFUSE(name, errors)
#define SPARSE_P_KERNEL_CHECK_PLANS_0(errors, name, loops, letters, outs, plans, leaves, statement)                         \
    SPARSE_P_EMIT(name, loops,                                                                                              \
                  SPARSE_P_FOLDA(SPARSE_P_UNITE,                                                                            \
                                 (, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_BASE, , loops)))SPARSE_P_BASES statement)),      \
                  (SPARSE_P_EACHF(SPARSE_P_BLOCK, letters, loops)), outs, plans, leaves, statement)
/* The macros of the loops iterate over one list: the operands, the workspaces, and a size for each index in blocks or
   slices. This list must fit into the tables. */
#define SPARSE_P_PARTS_ERRORS(name, loops, letters, leaves, statement)                                                      \
    SPARSE_P_CAT(SPARSE_P_PARTS_ARE_, SPARSE_P_FEW((SPARSE_P_EACHF(SPARSE_P_BLOCK, letters, loops) SPARSE_P_EACHE(          \
                                          SPARSE_P_PLACE, , leaves) SPARSE_P_WORK_ARRAYS statement)))                       \
    (name)
#define SPARSE_P_PARTS_ARE_0few(name)
#define SPARSE_P_PARTS_ARE_0many(name) , (#name ": more than 16 operands, each index in blocks or slices being one more")

#define SPARSE_P_BASES(statement, initial, wheres, bases) SPARSE_P_ID bases

#define SPARSE_P_BESIDE_ERRORS(c, statement) SPARSE_P_EACHE(SPARSE_P_WHERE_BESIDE, c, SPARSE_P_WHERES_OF statement)

#define SPARSE_P_WHERES_OF(statement, initial, wheres, bases) wheres
/* A refused kernel still gets a function that can be called. Otherwise the compiler would add an error for each call to
   the one sentence. */
#define SPARSE_P_REFUSE(name, errors) SPARSE_P_BY_PAREN(SPARSE_P_REFUSE_, name)(name, errors)
#define SPARSE_P_REFUSE_1(name, errors)                                                                                     \
    0), "the name of a kernel comes first: SPARSE_KERNEL(name, (loops), output, operands, statement)");
#define SPARSE_P_REFUSE_0(name, errors)                                                                                     \
    0), SPARSE_P_FIRST_ERROR(errors));                                                                                      \
    SPARSE_NODISCARD SPARSE_UNUSED static inline sparse_result name(const void *sparse_l_operand, ...)                      \
    {                                                                                                                       \
        return sparse_l_operand ? SPARSE_E_ARGUMENT : SPARSE_E_NULL;                                                        \
    }

/* >>loop list
   Reads the loops of a kernel line: indices, strategies, parts of indices. Input: the first parentheses of the line.
   Output: a record for each loop, and the list of letters. The position of a letter in that list is the number of its loop.

     (i, parallel(j))                  (, (i, sequential, i, dim, i, 0), (j, parallel, j, dim, j, 0)) and (i, j)
     (floordiv(i, 4), mod(i, 4))       (, (i_block, sequential, i_block, floordiv, i, 4),
                                          (i, sequential, i_inner, mod, i, 4)) and (i_block, i) */
/* LOOP(, parallel(i)) -> , (i, parallel, i, dim, i, 0). The fields are
     1     the index that becomes known in the loop; for floordiv(i, 2), i_block
     2     the strategy
     3     the loop variable: i_block for floordiv(i, 2), and i_inner for mod(i, 2)
     4-6   the part of an index that the loop runs over: its kind, the index, and a number or the other index of a diagonal
   If the argument is not an index, the kind is bad: LOOP(, row) -> , (0, sequential, 0, bad, 0, row) */
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
    SPARSE_P_CAT(SPARSE_P_LOOP_BARE_, SPARSE_P_STRATEGY_CELL(NUMBERED, strategy))(strategy, x)
#define SPARSE_P_LOOP_BARE_0(strategy, x)  SPARSE_P_LOOP_OVER(strategy, SPARSE_P_EXPRESSION(x))
#define SPARSE_P_LOOP_BARE_1(strategy, x)  SPARSE_P_CAT(SPARSE_P_LOOP_SHORT_, SPARSE_P_IS_LETTER(x))(strategy, x)
#define SPARSE_P_LOOP_SHORT_0(strategy, x) , (0, 0sequential, 0, 0bad, 0, x)
#define SPARSE_P_LOOP_SHORT_1(strategy, i) , (i, 0short, i, 0dim, i, strategy)
/* A strategy with a number, such as tile(j, 64). The number is stored in the last field, which a loop over a whole index
   does not use. */
#define SPARSE_P_LOOP_BY_1(strategy, x, c)                                                                                  \
    SPARSE_P_CAT3(SPARSE_P_LOOP_WITH_, SPARSE_P_STRATEGY_CELL(NUMBERED, strategy), SPARSE_P_IS_LETTER(x))(strategy, x, c)
/* A strategy with two numbers, such as let(u, i + 2, 100): the value and the size. */
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
/* DIAGONAL(, loop) -> , j if the loop is over the diagonals minus(j, i). The loop over i then runs along a diagonal, and
   inside it comes a loop over j with a single iteration. DERIVE(loops, loop of i) -> , both loops */
#define SPARSE_P_DERIVED(loops)                                                                                             \
    SPARSE_P_CAT(SPARSE_P_DERIVED_, SPARSE_P_DIAGONALS(~SPARSE_P_EACHF(SPARSE_P_DIAGONAL, , loops)))(loops)
/* DIAGONALS(~, j, k) -> 1. Six or more diagonals yield 2: these would need more than 12 loops. DERIVED_2 then appends six
   dummy loops, so that a later stage refuses the line for its number of loops. */
#define SPARSE_P_DIAGONALS(...) SPARSE_P_COUNT_(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0, ~)
#define SPARSE_P_DERIVED_2(loops)                                                                                           \
    (SPARSE_P_ID loops SPARSE_P_SUM(0, 0) SPARSE_P_SUM(0, 0) SPARSE_P_SUM(0, 0) SPARSE_P_SUM(0, 0) SPARSE_P_SUM(0, 0)       \
         SPARSE_P_SUM(0, 0))
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
    , (i, SPARSE_P_STRATEGY_CELL(ALONG, strategy), i##_inner, 0within, i, (c, i, others))SPARSE_P_EACHF(SPARSE_P_SUM, i,    \
                                                                                                        others)
#define SPARSE_P_DERIVE_count SPARSE_P_DERIVE_0bad
#define SPARSE_P_DERIVE_minus SPARSE_P_DERIVE_0bad
#define SPARSE_P_DERIVE_0dim(loops, key, strategy, variable, kind, i, c)                                                    \
    SPARSE_P_DERIVE_FROM(strategy, i, c, (SPARSE_P_EACHF(SPARSE_P_ALONG, i, loops)))
#define SPARSE_P_DERIVE_FROM(strategy, i, c, others)                                                                        \
    SPARSE_P_CAT(SPARSE_P_DERIVE_FROM_, SPARSE_P_IS_ANY others)(strategy, i, c, others)
#define SPARSE_P_DERIVE_FROM_0(strategy, i, c, others) , (i, strategy, i, 0dim, i, c)
#define SPARSE_P_DERIVE_FROM_1(strategy, i, c, others)                                                                      \
    , (i, SPARSE_P_STRATEGY_CELL(ALONG, strategy), i, 0along, i, others)SPARSE_P_EACHF(SPARSE_P_SUM, i, others)
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
/* A strategy is defined by the macros STRATEGY_word and STRATEGY_IS_word, and by a row of this table: */
/* TABLE STRATEGY: what a word around an index requests
   Four rows are not words of a line: 0sequential is a loop without a word, 0let is let() with a size, 0lanes is simd() on
   an index along diagonals, and 0short is a word without the number that it needs, which is refused.
   rows: parallel parallel_sum independent simd unroll prefetch tile down range let 0sequential 0let 0short 0lanes
     0in_place    the row of table PASS for its loop, if no output is assembled
     0assembled   the row of table PASS for its loop, if an output is assembled and the strategy permits that
     ALONG        the strategy that replaces this one on an index that runs along diagonals
     PLACE        the error if the loop is at a depth that the strategy does not permit
     OUTPUTS      the error if an output does not permit the strategy
     DERIVED      the error if the loop is over slices or diagonals
     CURRENT      the error in a line with current(...), whose iterations must run one after the other
     TEAM         the error in a line with independent(i), whose loops are run by all threads
     MIRROR       the error with a symmetric operand: there, an iteration adds to elements of other iterations
     WORK         the error in a loop of a workspace
     BESIDE       1 if its iterations run in parallel, 2 if they do so inside a loop that all threads run
     SHARES       1 if its iterations are cut into shares, each with a sum of its own
     AHEAD        1 if it prefetches
     UNROLLS      1 if it is unrolled
     ATTRIBUTE    the attribute that the function needs
     OPEN         (i, c) -> the text in front of all loops
     CLOSE        (i, c) -> the text behind all loops
     PLANS        the macro that plans the loop
     RANGES       1 if its number is the size of the index, 2 if the size comes behind the number, 3 if the number is the
                  size of a tile
     NUMBERED     1 if it needs a number */
#define SPARSE_P_STRATEGY_CELL(column, row)                                                                                 \
    SPARSE_P_CELL(SPARSE_P_STRATEGY_##row##_##column SPARSE_P_STRATEGY_default_##column, ~)
#define SPARSE_P_STRATEGY_default_0in_place  , 0sequential
#define SPARSE_P_STRATEGY_default_0assembled , 0sequential
#define SPARSE_P_STRATEGY_default_ALONG      , 0sequential
#define SPARSE_P_STRATEGY_default_PLACE      , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_OUTPUTS    , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_DERIVED    , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_CURRENT    , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_TEAM       , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_MIRROR     , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_WORK       , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_BESIDE     , 0
#define SPARSE_P_STRATEGY_default_SHARES     , 0
#define SPARSE_P_STRATEGY_default_AHEAD      , 0
#define SPARSE_P_STRATEGY_default_UNROLLS    , 0
#define SPARSE_P_STRATEGY_default_ATTRIBUTE  , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_OPEN       , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_CLOSE      , SPARSE_P_DROP
#define SPARSE_P_STRATEGY_default_PLANS      , SPARSE_P_PLAN_PLAIN
#define SPARSE_P_STRATEGY_default_RANGES     , 0
#define SPARSE_P_STRATEGY_default_NUMBERED   , 0

#define SPARSE_P_STRATEGY_parallel
#define SPARSE_P_STRATEGY_IS_parallel         parallel,
#define SPARSE_P_STRATEGY_parallel_0in_place  , parallel
#define SPARSE_P_STRATEGY_parallel_0assembled , 0part
#define SPARSE_P_STRATEGY_parallel_ALONG      , parallel
#define SPARSE_P_STRATEGY_parallel_OUTPUTS    , SPARSE_P_OUTPUTS_SHARED
#define SPARSE_P_STRATEGY_parallel_DERIVED    , SPARSE_P_DERIVED_SHARED
#define SPARSE_P_STRATEGY_parallel_CURRENT    , SPARSE_P_CURRENT_PARALLEL
#define SPARSE_P_STRATEGY_parallel_TEAM       , SPARSE_P_TEAM_PARALLEL
#define SPARSE_P_STRATEGY_parallel_MIRROR     , SPARSE_P_MIRROR_PARALLEL
#define SPARSE_P_STRATEGY_parallel_WORK       , SPARSE_P_WORK_BESIDE
#define SPARSE_P_STRATEGY_parallel_BESIDE     , 1

#define SPARSE_P_STRATEGY_parallel_sum
#define SPARSE_P_STRATEGY_IS_parallel_sum        parallel_sum,
#define SPARSE_P_STRATEGY_parallel_sum_0in_place , parallel_sum
#define SPARSE_P_STRATEGY_parallel_sum_ALONG     , parallel_sum
#define SPARSE_P_STRATEGY_parallel_sum_PLACE     , SPARSE_P_PLACE_OUTERMOST
#define SPARSE_P_STRATEGY_parallel_sum_OUTPUTS   , SPARSE_P_OUTPUTS_SUMMED
#define SPARSE_P_STRATEGY_parallel_sum_DERIVED   , SPARSE_P_DERIVED_SUMMED
#define SPARSE_P_STRATEGY_parallel_sum_CURRENT   , SPARSE_P_CURRENT_SUMMED
#define SPARSE_P_STRATEGY_parallel_sum_WORK      , SPARSE_P_WORK_SUMMED
#define SPARSE_P_STRATEGY_parallel_sum_SHARES    , 1

#define SPARSE_P_STRATEGY_independent
#define SPARSE_P_STRATEGY_IS_independent        independent,
#define SPARSE_P_STRATEGY_independent_0in_place , independent
#define SPARSE_P_STRATEGY_independent_ALONG     , independent
#define SPARSE_P_STRATEGY_independent_PLACE     , SPARSE_P_PLACE_SECOND
#define SPARSE_P_STRATEGY_independent_OUTPUTS   , SPARSE_P_OUTPUTS_INDEPENDENT
#define SPARSE_P_STRATEGY_independent_DERIVED   , SPARSE_P_DERIVED_INDEPENDENT
#define SPARSE_P_STRATEGY_independent_TEAM      , SPARSE_P_TEAM_SHARED
#define SPARSE_P_STRATEGY_independent_WORK      , SPARSE_P_WORK_INDEPENDENT
#define SPARSE_P_STRATEGY_independent_MIRROR    , SPARSE_P_MIRROR_INDEPENDENT
#define SPARSE_P_STRATEGY_independent_BESIDE    , 2

#define SPARSE_P_STRATEGY_simd
#define SPARSE_P_STRATEGY_IS_simd         simd,
#define SPARSE_P_STRATEGY_simd_0in_place  , simd
#define SPARSE_P_STRATEGY_simd_0assembled , simd
#define SPARSE_P_STRATEGY_simd_ALONG      , 0lanes
#define SPARSE_P_STRATEGY_simd_PLACE      , SPARSE_P_PLACE_INNERMOST
#define SPARSE_P_STRATEGY_simd_CURRENT    , SPARSE_P_CURRENT_SIMD
#define SPARSE_P_STRATEGY_simd_MIRROR     , SPARSE_P_MIRROR_SIMD
#define SPARSE_P_STRATEGY_simd_ATTRIBUTE  , SPARSE_P_REASSOCIATES

#define SPARSE_P_STRATEGY_unroll
#define SPARSE_P_STRATEGY_IS_unroll         unroll,
#define SPARSE_P_STRATEGY_unroll_0in_place  , unroll
#define SPARSE_P_STRATEGY_unroll_0assembled , unroll
#define SPARSE_P_STRATEGY_unroll_ALONG      , unroll
#define SPARSE_P_STRATEGY_unroll_PLACE      , SPARSE_P_PLACE_AROUND
#define SPARSE_P_STRATEGY_unroll_CURRENT    , SPARSE_P_CURRENT_UNROLL
#define SPARSE_P_STRATEGY_unroll_MIRROR     , SPARSE_P_MIRROR_UNROLL
#define SPARSE_P_STRATEGY_unroll_UNROLLS    , 1

#define SPARSE_P_STRATEGY_prefetch
#define SPARSE_P_STRATEGY_IS_prefetch         prefetch,
#define SPARSE_P_STRATEGY_prefetch_0in_place  , 0ahead
#define SPARSE_P_STRATEGY_prefetch_0assembled , 0ahead
#define SPARSE_P_STRATEGY_prefetch_ALONG      , prefetch
#define SPARSE_P_STRATEGY_prefetch_WORK       , SPARSE_P_WORK_AHEAD
#define SPARSE_P_STRATEGY_prefetch_AHEAD      , 1

#define SPARSE_P_STRATEGY_tile
#define SPARSE_P_STRATEGY_IS_tile        tile,
#define SPARSE_P_STRATEGY_tile_0in_place , tile
#define SPARSE_P_STRATEGY_tile_ALONG     , tile
#define SPARSE_P_STRATEGY_tile_OUTPUTS   , SPARSE_P_OUTPUTS_TILED
#define SPARSE_P_STRATEGY_tile_CURRENT   , SPARSE_P_CURRENT_TILE
#define SPARSE_P_STRATEGY_tile_WORK      , SPARSE_P_WORK_TILED
#define SPARSE_P_STRATEGY_tile_OPEN      , SPARSE_P_OPEN_TILES
#define SPARSE_P_STRATEGY_tile_CLOSE     , SPARSE_P_CLOSE_TILES
#define SPARSE_P_STRATEGY_tile_RANGES    , 3
#define SPARSE_P_STRATEGY_tile_NUMBERED  , 1

#define SPARSE_P_STRATEGY_down
#define SPARSE_P_STRATEGY_IS_down        down,
#define SPARSE_P_STRATEGY_down_0in_place , down
#define SPARSE_P_STRATEGY_down_ALONG     , down
#define SPARSE_P_STRATEGY_down_OUTPUTS   , SPARSE_P_OUTPUTS_DOWN
#define SPARSE_P_STRATEGY_down_WORK      , SPARSE_P_WORK_DOWN

#define SPARSE_P_STRATEGY_range
#define SPARSE_P_STRATEGY_IS_range        range,
#define SPARSE_P_STRATEGY_range_ATTRIBUTE , SPARSE_P_KNOWS
#define SPARSE_P_STRATEGY_range_RANGES    , 1
#define SPARSE_P_STRATEGY_range_NUMBERED  , 1

#define SPARSE_P_STRATEGY_let
#define SPARSE_P_STRATEGY_IS_let       let,
#define SPARSE_P_STRATEGY_let_PLANS    , SPARSE_P_PLAN_LET
#define SPARSE_P_STRATEGY_let_MIRROR   , SPARSE_P_MIRROR_LET
#define SPARSE_P_STRATEGY_let_NUMBERED , 1

/* 0sequential has the default cells. The other rows that are not words of a line: */
#define SPARSE_P_STRATEGY_0let_PLANS    , SPARSE_P_PLAN_LET_SIZED
#define SPARSE_P_STRATEGY_0let_MIRROR   , SPARSE_P_MIRROR_LET
#define SPARSE_P_STRATEGY_0let_RANGES   , 2
#define SPARSE_P_STRATEGY_0let_NUMBERED , 1

#define SPARSE_P_STRATEGY_0short_PLACE , SPARSE_P_PLACE_SHORT

#define SPARSE_P_STRATEGY_0lanes_0in_place  , simd
#define SPARSE_P_STRATEGY_0lanes_0assembled , simd
#define SPARSE_P_STRATEGY_0lanes_ALONG      , 0lanes
#define SPARSE_P_STRATEGY_0lanes_PLACE      , SPARSE_P_PLACE_ALONG
#define SPARSE_P_STRATEGY_0lanes_CURRENT    , SPARSE_P_CURRENT_SIMD
#define SPARSE_P_STRATEGY_0lanes_MIRROR     , SPARSE_P_MIRROR_SIMD
#define SPARSE_P_STRATEGY_0lanes_ATTRIBUTE  , SPARSE_P_REASSOCIATES

#define SPARSE_P_REASSOCIATES() SPARSE_P_REASSOCIATING
#define SPARSE_P_KNOWS()        SPARSE_P_KNOWING
/* EFFECTIVE(loops, outs) -> the loops, where simd is removed from an index that every output has. Each iteration of such
   a loop writes other elements, so there is no sum to reassociate. The attribute that permits reassociation would make
   gcc vectorise the other loops worse. */
#define SPARSE_P_EFFECTIVE(loops, outs)                                                                                     \
    SPARSE_P_EFFECTIVE_IN(SPARSE_P_TIDY((SPARSE_P_EACHF(SPARSE_P_LANE_INDEX, , loops))), loops, outs)
#define SPARSE_P_EFFECTIVE_IN(lanes, loops, outs)                                                                           \
    SPARSE_P_CAT(SPARSE_P_EFFECTIVE_, SPARSE_P_IS_ANY lanes)(lanes, loops, outs)
#define SPARSE_P_EFFECTIVE_0(lanes, loops, outs) loops
#define SPARSE_P_EFFECTIVE_1(lanes, loops, outs)                                                                            \
    SPARSE_P_CAT(SPARSE_P_EFFECTIVE_1, SPARSE_P_IS_ANY(SPARSE_P_EACHH(SPARSE_P_LACKS, SPARSE_P_SECOND lanes, outs)))(loops)
#define SPARSE_P_EFFECTIVE_11(loops) loops
#define SPARSE_P_EFFECTIVE_10(loops) SPARSE_P_TIDY((SPARSE_P_EACHF(SPARSE_P_PLAINLY, , loops)))
#define SPARSE_P_LANE_INDEX(c, l)    SPARSE_P_LANE_INDEX_ l
#define SPARSE_P_LANE_INDEX_(key, strategy, variable, kind, i, c)                                                           \
    SPARSE_P_CAT(SPARSE_P_LANE_INDEX_, SPARSE_P_HAS_LANES(strategy))(i)
#define SPARSE_P_LANE_INDEX_0(i)
#define SPARSE_P_LANE_INDEX_1(i)     , i
#define SPARSE_P_HAS_LANES(strategy) SPARSE_P_SECOND(SPARSE_P_HAS_LANES_##strategy, 0)
#define SPARSE_P_HAS_LANES_simd      ~, 1
#define SPARSE_P_HAS_LANES_0lanes    ~, 1
#define SPARSE_P_PLAINLY(c, l)       SPARSE_P_PLAINLY_ l
#define SPARSE_P_PLAINLY_(key, strategy, variable, kind, i, c)                                                              \
    SPARSE_P_CAT(SPARSE_P_PLAINLY_, SPARSE_P_HAS_LANES(strategy))(key, strategy, variable, kind, i, c)
#define SPARSE_P_PLAINLY_0(...)                , (__VA_ARGS__)
#define SPARSE_P_PLAINLY_1(key, strategy, ...) , (key, 0sequential, __VA_ARGS__)
/* LACKS(i, output) -> , ~ if none of the output's subscripts contains i */
#define SPARSE_P_LACKS(i, record)      SPARSE_P_LACKS_(i, SPARSE_P_ID record)
#define SPARSE_P_LACKS_(...)           SPARSE_P_LACKS__(__VA_ARGS__)
#define SPARSE_P_LACKS__(i, what, ...) SPARSE_P_LACKS_##what(i, __VA_ARGS__)
#define SPARSE_P_LACKS_0scalar(...)    , ~
#define SPARSE_P_LACKS_0tensor(i, role, name, type, value, pos, crd, indices, ...)                                          \
    SPARSE_P_CAT(SPARSE_P_LACKS_,                                                                                           \
                 SPARSE_P_NZ(SPARSE_P_POS(i, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTERS_IN, , indices))))))
#define SPARSE_P_LACKS_0assembled SPARSE_P_LACKS_0tensor
#define SPARSE_P_LACKS_0          , ~
#define SPARSE_P_LACKS_1
/* SUMS_OVER(loop, plan, outs, leaves) -> , i if the innermost loop computes a sum that simd lanes may add up in any
   order. The loop must run over all of i, or over the entries of one operand. It must have no strategy, its level type
   must not bring its own form of loop, and no operand may be symmetric or read values that the loop has just written. */
#define SPARSE_P_SUMS_OVER(l, plan, outs, leaves) SPARSE_P_SUMS_OVER_(outs, leaves, SPARSE_P_ID l, SPARSE_P_ID plan)
#define SPARSE_P_SUMS_OVER_(...)                  SPARSE_P_SUMS_OVER__(__VA_ARGS__)
#define SPARSE_P_SUMS_OVER__(outs, leaves, key, strategy, variable, part, i, c, d, j, planned, dead, kind, drivers, ...)    \
    SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_CAT3(SPARSE_P_SUMS_OVER_, part, strategy), kind), SPARSE_P_DROP)                  \
    (i,                                                                                                                     \
     (SPARSE_P_EACHG(SPARSE_P_BY_OWN_LOOP, , drivers) SPARSE_P_EACHE(SPARSE_P_IS_CURRENT, , leaves)                         \
          SPARSE_P_EACHE(SPARSE_P_MIRROR, , leaves)),                                                                       \
     outs)
#define SPARSE_P_SUMS_OVER_0dim0sequential0FULL ~, SPARSE_P_SUMS_WITHOUT
#define SPARSE_P_SUMS_OVER_0dim0sequential0ONE  ~, SPARSE_P_SUMS_WITHOUT
#define SPARSE_P_SUMS_WITHOUT(i, against, outs)                                                                             \
    SPARSE_P_CAT3(SPARSE_P_SUMS_, SPARSE_P_IS_ANY against, SPARSE_P_IS_ANY(SPARSE_P_EACHH(SPARSE_P_LACKS, i, outs)))(i)
#define SPARSE_P_SUMS_00(i)
#define SPARSE_P_SUMS_01(i) , i
#define SPARSE_P_SUMS_10(i)
#define SPARSE_P_SUMS_11(i)
#define SPARSE_P_BY_OWN_LOOP(c, it) SPARSE_P_BY_OWN_LOOP_ it
#define SPARSE_P_BY_OWN_LOOP_(what, A, n, role, above, value, pos, crd, last, format, ...)                                  \
    SPARSE_P_CAT(SPARSE_P_BY_OWN_LOOP_, SPARSE_P_THIRD(SPARSE_P_VIA(0sequential, format), ~, 0))
#define SPARSE_P_BY_OWN_LOOP_0
#define SPARSE_P_BY_OWN_LOOP_1    , ~
#define SPARSE_P_LOOP_LANED(i, l) SPARSE_P_LOOP_LANED_(i, SPARSE_P_ID l)
#define SPARSE_P_LOOP_LANED_(...) SPARSE_P_LOOP_LANED__(__VA_ARGS__)
#define SPARSE_P_LOOP_LANED__(i, key, strategy, ...)                                                                        \
    , (key, SPARSE_P_CAT(SPARSE_P_IN_LANES_, SPARSE_P_COUNT(~SPARSE_P_SAME(i, key)))(strategy), __VA_ARGS__)
#define SPARSE_P_PLAN_LANED(i, plan) SPARSE_P_PLAN_LANED_(i, SPARSE_P_ID plan)
#define SPARSE_P_PLAN_LANED_(...)    SPARSE_P_PLAN_LANED__(__VA_ARGS__)
#define SPARSE_P_PLAN_LANED__(i, d, j, strategy, ...)                                                                       \
    , (d, j, SPARSE_P_CAT(SPARSE_P_IN_LANES_, SPARSE_P_COUNT(~SPARSE_P_SAME(i, j)))(strategy), __VA_ARGS__)
#define SPARSE_P_IN_LANES_0(strategy) strategy
#define SPARSE_P_IN_LANES_1(strategy) simd
/* The loops over the tiles of an index. They stand around all other loops, and each tile follows the one before it. */
#define SPARSE_P_AROUND(c, l)                                     SPARSE_P_AROUND_ l
#define SPARSE_P_AROUND_(key, strategy, variable, kind, i, c)     SPARSE_P_STRATEGY_CELL(OPEN, strategy)(i, c)
#define SPARSE_P_AROUND_END(c, l)                                 SPARSE_P_AROUND_END_ l
#define SPARSE_P_AROUND_END_(key, strategy, variable, kind, i, c) SPARSE_P_STRATEGY_CELL(CLOSE, strategy)(i, c)
#define SPARSE_P_OPEN_TILES(i, c)                                                                                           \
    for (size_t sparse_l_##i##_tile = 0; sparse_l_##i##_tile < sparse_l_##i##_size; sparse_l_##i##_tile += c) {             \
        const size_t sparse_l_##i##_end = sparse_p_min(sparse_l_##i##_tile + c, sparse_l_##i##_size);
#define SPARSE_P_CLOSE_TILES(i, c) }
/* A loop whose size is given in the line: the size becomes a variable, and a row of the table of sizes to check. */
#define SPARSE_P_RANGE_OF_LOOP(c, l) SPARSE_P_RANGE_OF_LOOP_ l
#define SPARSE_P_RANGE_OF_LOOP_(key, strategy, variable, kind, i, c)                                                        \
    SPARSE_P_CAT(SPARSE_P_RANGE_OF_LOOP_, SPARSE_P_STRATEGY_CELL(RANGES, strategy))(i, c)
#define SPARSE_P_RANGE_OF_LOOP_0(i, c)
#define SPARSE_P_RANGE_OF_LOOP_1(i, c) const size_t sparse_l_##i##_range = c;
#define SPARSE_P_RANGE_OF_LOOP_2(i, c) const size_t sparse_l_##i##_range = SPARSE_P_SECOND c;
#define SPARSE_P_RANGE_OF_LOOP_3(i, c)                                                                                      \
    if ((c) < 1) return SPARSE_E_ARGUMENT;
/* After the check, the size is stored a second time. If the line gives it as a number, the compiler then knows the
   number. */
#define SPARSE_P_RANGE_KNOWN(letters, l) SPARSE_P_RANGE_KNOWN_(letters, SPARSE_P_ID l)
#define SPARSE_P_RANGE_KNOWN_(...)       SPARSE_P_RANGE_KNOWN__(__VA_ARGS__)
#define SPARSE_P_RANGE_KNOWN__(letters, key, strategy, variable, kind, i, ...)                                              \
    SPARSE_P_CAT(SPARSE_P_RANGE_KNOWN_, SPARSE_P_STRATEGY_CELL(RANGES, strategy))(letters, i)
#define SPARSE_P_RANGE_KNOWN_0(letters, i)
#define SPARSE_P_RANGE_KNOWN_1(letters, i) sparse_l_size[SPARSE_P_POS(i, letters) - 1] = sparse_l_##i##_range;
#define SPARSE_P_RANGE_KNOWN_2(letters, i) SPARSE_P_RANGE_KNOWN_1(letters, i)
#define SPARSE_P_RANGE_KNOWN_3(letters, i)
#define SPARSE_P_RANGE_OPERAND(c, l) SPARSE_P_RANGE_OPERAND_ l
#define SPARSE_P_RANGE_OPERAND_(key, strategy, variable, kind, i, ...)                                                      \
    SPARSE_P_CAT(SPARSE_P_RANGE_OPERAND_, SPARSE_P_STRATEGY_CELL(RANGES, strategy))(i)
#define SPARSE_P_RANGE_OPERAND_0(i)
#define SPARSE_P_RANGE_OPERAND_2(i) SPARSE_P_RANGE_OPERAND_1(i)
#define SPARSE_P_RANGE_OPERAND_3(i)
#define SPARSE_P_RANGE_OPERAND_1(i)                                                                                         \
    , { NULL, &sparse_l_##i##_range, #i, SPARSE_RANGES SPARSE_P_OPERAND_NAME("range(" #i ", ...)") }
/* ATTRIBUTE(, loop) -> the attribute that the function needs for the strategy of the loop */
#define SPARSE_P_ATTRIBUTE(c, l)                SPARSE_P_ATTRIBUTE_ l
#define SPARSE_P_ATTRIBUTE_(key, strategy, ...) SPARSE_P_STRATEGY_CELL(ATTRIBUTE, strategy)()
/* Three lists made from a loop. LETTER: the index that becomes known in the loop. BASE: the same index, or nothing if the
   loop is over blocks, slices or diagonals. BLOCK: a leaf, if the loop is over slices or over the positions in blocks. */
#define SPARSE_P_LETTER(c, l)      SPARSE_P_LETTER_ l
#define SPARSE_P_LETTER_(key, ...) , key
/* TABLE LOOP: a loop over an index or over a part of an index
   rows: 0dim floordiv mod count minus 0along 0sum 0within
     BASE         (i) -> , i if index i becomes known in the loop
     PARTLY       (, ~) if the loop is over a part of i
     DIVISOR      (last field of the loop's record) -> the number that divides i
     SIZED        the macro that declares the number of iterations */
#define SPARSE_P_LOOP_CELL(column, row) SPARSE_P_CELL(SPARSE_P_LOOP_##row##_##column SPARSE_P_LOOP_default_##column, ~)
#define SPARSE_P_LOOP_default_BASE      , SPARSE_P_ITEM
#define SPARSE_P_LOOP_default_PARTLY    , (, ~)
#define SPARSE_P_LOOP_default_DIVISOR   , SPARSE_P_ID
#define SPARSE_P_LOOP_default_SIZED     , ~

#define SPARSE_P_LOOP_0dim_PARTLY , ()
#define SPARSE_P_LOOP_0dim_SIZED  , SPARSE_P_DROP

#define SPARSE_P_LOOP_floordiv_BASE  , SPARSE_P_DROP
#define SPARSE_P_LOOP_floordiv_SIZED , SPARSE_P_BLOCKS_SIZE

#define SPARSE_P_LOOP_mod_SIZED , SPARSE_P_INNER_SIZE

#define SPARSE_P_LOOP_count_BASE  , SPARSE_P_DROP
#define SPARSE_P_LOOP_count_SIZED , SPARSE_P_COUNTED_SIZE

#define SPARSE_P_LOOP_minus_BASE  , SPARSE_P_DROP
#define SPARSE_P_LOOP_minus_SIZED , SPARSE_P_DIAGONALS_SIZE

#define SPARSE_P_LOOP_0along_PARTLY  , ()
#define SPARSE_P_LOOP_0along_DIVISOR , SPARSE_P_NO_DIVISOR
#define SPARSE_P_LOOP_0along_SIZED   , SPARSE_P_DROP

#define SPARSE_P_LOOP_0sum_PARTLY  , ()
#define SPARSE_P_LOOP_0sum_DIVISOR , SPARSE_P_NO_DIVISOR
#define SPARSE_P_LOOP_0sum_SIZED   , SPARSE_P_DROP

#define SPARSE_P_LOOP_0within_DIVISOR                                  , SPARSE_P_WITHIN_OF
#define SPARSE_P_LOOP_0within_SIZED                                    , SPARSE_P_WITHIN_SIZE
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

/* >>operands
   Reads the operands of a line. Input: the text of the operands. Output: a tree. A node of it is (all | any, child, ...),
   and a leaf is (leaf, record). The operands all((A, CSR, i, j), (x, VEC, j)) in the loops (i, j) become:

     (all, (leaf, (tensor, must, A, csr, double, 32, 32, (, i, j),
                   (, (1, dense, i, 1, i, (dim, 0)), (2, sparse, j, 2, j, (dim, 0))),            its levels
                   (, (2, 2, 0, (compressed, 0, ascending, unique, 2, 1, 0))), 2, 2, 2,    its walk
                   (32, 32, (...), (0)), ())),
           (leaf, (tensor, must, x, vec, double, 32, 32, (, j), (, (1, dense, j, 2, j, (dim, 0))), (), 1, 2, 0,
                   (32, 32, (...), (0)), ())))

   A record is

     (tensor, ROLE, name, type, value, POS, CRD, (, indices), (, levels), (, walks), NLEV, PLACED, SPARSE,
      (descriptor), (, sizes))
     (sliced, ...)      slice(A, TYPE, i, j): the fields of a tensor up to its descriptor
     (current, ..., x, LOOP)   current(z, x, TYPE, j): the fields of a tensor, the output x, and the number of the innermost
                               loop
     (mirrored, ..., SIGN)   symmetric(A, TYPE, i, j): the fields of a tensor, and a row of table SIGN, see >>mirrors
     (assembled, ...)   an output that is assembled, see >>outputs
     (scalar, ROLE, name, value)

   ROLE is one of
     must     an operand that is stored wherever the body runs
     may      an operand below any(), which may be absent
     not      an operand below none()
     write    an output
     update   an output that is updated in place
     like     an output with the pattern of an operand, which is the next record

   POS and CRD are the widths of positions and coordinates in bits. NLEV is the number of levels. PLACED is the loop in which
   the position of the value becomes known. SPARSE is the number of the last sparse level, or 0. The descriptor is
   (POS, CRD, encoding, (sizes)) as the line has it; POS, CRD and the levels are different if an output is assembled in
   another encoding. It has the size 0 if the sizes are not fixed; the last field is then empty.

   A level is (NUMBER, STORAGE, letter, PLACED, VARIABLE, PART). STORAGE says how the level is stored, and is a row of table
   STORAGE: dense, sparse, ... PLACED is the loop in which the position in the level becomes known: the loop of its index,
   or the loop of the level above if that one is further inside. VARIABLE is the variable of the loop over the level, and
   PART is the part of the index that the level stores.

   Each sparse level has a walk, (NUMBER, PLACED, ABOVE, (FORMAT, N, WALK, PARENT, HEAD, STRIDE, OFFSET)). ABOVE is the last
   sparse level above it, and

     FORMAT   where the range below a parent begins and ends, a row of table RANGE: compressed, aos, ...
     N        the n of structured(n, m), the number of the last batch level, or the loop over slices
     WALK     how a loop traverses the positions, a row of table WALK
     PARENT   says whether the coordinates of the level above are unique, see BELOW
     HEAD     says, with STRIDE and OFFSET, where the coordinate of position p is: A{HEAD}_crd[STRIDE * p + OFFSET] */

/* PARSE1((ROLE, loops), x) -> , tree of x. PARSE1_00 parses all operands of a line together: all(), any() or none(). */
#define SPARSE_P_PARSE1(c, x)       SPARSE_P_BY_PAREN(SPARSE_P_PARSE1_, x)(c, x)
#define SPARSE_P_PARSE2(c, x)       SPARSE_P_BY_PAREN(SPARSE_P_PARSE2_, x)(c, x)
#define SPARSE_P_PARSE3(c, x)       SPARSE_P_BY_PAREN(SPARSE_P_PARSE3_, x)(c, x)
#define SPARSE_P_PARSE4(c, x)       SPARSE_P_BY_PAREN(SPARSE_P_PARSE4_, x)(c, x)
#define SPARSE_P_PARSE4_0(c, x)     SPARSE_P_BY_PAREN_(SPARSE_P_PARSE4_0, SPARSE_P_KNOWN_##x, 0odd, ~)(c, x)
#define SPARSE_P_PARSE4_00(c, x)    , (0leaf, (0refused, 0deep, ~))
#define SPARSE_P_PARSE1_1(c, x)     SPARSE_P_LEAF_NODE(SPARSE_P_ALONE(c, x))
#define SPARSE_P_PARSE2_1(c, x)     SPARSE_P_LEAF_NODE(SPARSE_P_ALONE(c, x))
#define SPARSE_P_PARSE3_1(c, x)     SPARSE_P_LEAF_NODE(SPARSE_P_ALONE(c, x))
#define SPARSE_P_PARSE4_1(c, x)     SPARSE_P_LEAF_NODE(SPARSE_P_ALONE(c, x))
#define SPARSE_P_LEAF_NODE(...)     SPARSE_P_LEAF_NODE_(__VA_ARGS__)
#define SPARSE_P_LEAF_NODE_(record) , (0leaf, record)
#define SPARSE_P_ALONE(c, x)        SPARSE_P_CAT(SPARSE_P_ALONE_, SPARSE_P_IS_ALONE(x))(c, x)
#define SPARSE_P_ALONE_1(c, x)      SPARSE_P_LEAF(c, x)
#define SPARSE_P_ALONE_0(c, x)      (0refused, 0adjoined, ~)
/* The views slice(A, TYPE, i, j), padded(A, TYPE, i, j), current(z, x, TYPE, i) and symmetric(A, TYPE, i, j) are leaves. */
#define SPARSE_P_VIEW_slice(...)     0slice, (__VA_ARGS__)
#define SPARSE_P_VIEW_padded(...)    0padded, (__VA_ARGS__)
#define SPARSE_P_VIEW_current(...)   0current, (__VA_ARGS__)
#define SPARSE_P_VIEW_symmetric(...) 0symmetric, (__VA_ARGS__)
#define SPARSE_P_VIEW_skew(...)      0skew, (__VA_ARGS__)
#define SPARSE_P_VIEW_hermitian(...) 0hermitian, (__VA_ARGS__)
#define SPARSE_P_PARSE1_01(c, x)     SPARSE_P_LEAF_NODE(SPARSE_P_VIEW_LEAF(c, SPARSE_P_VIEW_##x))
#define SPARSE_P_PARSE2_01(c, x)     SPARSE_P_LEAF_NODE(SPARSE_P_VIEW_LEAF(c, SPARSE_P_VIEW_##x))
#define SPARSE_P_PARSE3_01(c, x)     SPARSE_P_LEAF_NODE(SPARSE_P_VIEW_LEAF(c, SPARSE_P_VIEW_##x))
#define SPARSE_P_PARSE4_01(c, x)     SPARSE_P_LEAF_NODE(SPARSE_P_VIEW_LEAF(c, SPARSE_P_VIEW_##x))
#define SPARSE_P_PARSE1_0(c, x)      SPARSE_P_BY_PAREN_(SPARSE_P_PARSE1_0, SPARSE_P_KNOWN_##x, 0odd, ~)(c, x)
#define SPARSE_P_PARSE2_0(c, x)      SPARSE_P_BY_PAREN_(SPARSE_P_PARSE2_0, SPARSE_P_KNOWN_##x, 0odd, ~)(c, x)
#define SPARSE_P_PARSE3_0(c, x)      SPARSE_P_BY_PAREN_(SPARSE_P_PARSE3_0, SPARSE_P_KNOWN_##x, 0odd, ~)(c, x)
/* PARSE1_00odd handles an unknown word. The word is pasted only once, because the compiler reports each paste that fails. */
#define SPARSE_P_PARSE1_00odd(c, x) , (0leaf, (0refused, 0word, ~))
#define SPARSE_P_PARSE2_00odd       SPARSE_P_PARSE1_00odd
#define SPARSE_P_PARSE3_00odd       SPARSE_P_PARSE1_00odd
#define SPARSE_P_PARSE4_00odd       SPARSE_P_PARSE1_00odd
#define SPARSE_P_PARSE1_00(c, x)    SPARSE_P_NODE1(SPARSE_P_ID c, SPARSE_P_WORD(x))
#define SPARSE_P_NODE1(...)         SPARSE_P_NODE1_(__VA_ARGS__)
#define SPARSE_P_NODE1_(role, loops, word, children)                                                                        \
    SPARSE_P_CAT(SPARSE_P_NODE1_, SPARSE_P_FEW(children))(role, loops, word, children)
#define SPARSE_P_NODE1_0few(role, loops, word, children)                                                                    \
    , (SPARSE_P_FIRST(SPARSE_P_UNDER_##word##_##role) SPARSE_P_UNPACK(SPARSE_P_TIDY(                                        \
          (SPARSE_P_EACHB(SPARSE_P_PARSE2, (SPARSE_P_SECOND(SPARSE_P_UNDER_##word##_##role), loops), children)))))
#define SPARSE_P_NODE1_0many(role, loops, word, children) , (0leaf, (0refused, 0many, ~))
#define SPARSE_P_NODE1_0no(role, loops, word, children)   , (0leaf, (0refused, word, ~))
#define SPARSE_P_PARSE2_00(c, x)                          SPARSE_P_NODE2(SPARSE_P_ID c, SPARSE_P_WORD(x))
#define SPARSE_P_NODE2(...)                               SPARSE_P_NODE2_(__VA_ARGS__)
#define SPARSE_P_NODE2_(role, loops, word, children)                                                                        \
    SPARSE_P_CAT(SPARSE_P_NODE2_, SPARSE_P_FEW(children))(role, loops, word, children)
#define SPARSE_P_NODE2_0few(role, loops, word, children)                                                                    \
    , (SPARSE_P_FIRST(SPARSE_P_UNDER_##word##_##role) SPARSE_P_UNPACK(SPARSE_P_TIDY(                                        \
          (SPARSE_P_EACHC(SPARSE_P_PARSE3, (SPARSE_P_SECOND(SPARSE_P_UNDER_##word##_##role), loops), children)))))
#define SPARSE_P_NODE2_0many(role, loops, word, children) , (0leaf, (0refused, 0many, ~))
#define SPARSE_P_NODE2_0no(role, loops, word, children)   , (0leaf, (0refused, word, ~))
#define SPARSE_P_PARSE3_00(c, x)                          SPARSE_P_NODE3(SPARSE_P_ID c, SPARSE_P_WORD(x))
#define SPARSE_P_NODE3(...)                               SPARSE_P_NODE3_(__VA_ARGS__)
#define SPARSE_P_NODE3_(role, loops, word, children)                                                                        \
    SPARSE_P_CAT(SPARSE_P_NODE3_, SPARSE_P_FEW(children))(role, loops, word, children)
#define SPARSE_P_NODE3_0few(role, loops, word, children)                                                                    \
    , (SPARSE_P_FIRST(SPARSE_P_UNDER_##word##_##role) SPARSE_P_UNPACK(SPARSE_P_TIDY(                                        \
          (SPARSE_P_EACHD(SPARSE_P_PARSE4, (SPARSE_P_SECOND(SPARSE_P_UNDER_##word##_##role), loops), children)))))
#define SPARSE_P_NODE3_0many(role, loops, word, children) , (0leaf, (0refused, 0many, ~))
#define SPARSE_P_NODE3_0no(role, loops, word, children)   , (0leaf, (0refused, word, ~))
/* WORD(all(u, v)) -> all, (, u, v). An unknown word yields word, ~ and a missing comma yields adjoined, ~ */
#define SPARSE_P_WORD(x)                                   SPARSE_P_WORD_IS(SPARSE_P_KNOWN_##x, 0, 0, 0, ~)(x)
#define SPARSE_P_WORD_IS(...)                              SPARSE_P_WORD_IS_(__VA_ARGS__)
#define SPARSE_P_WORD_IS_(z, view, where, tree, rest, ...) SPARSE_P_CAT3(SPARSE_P_WORD_, tree, SPARSE_P_ENDS(rest))
#define SPARSE_P_WORD_00(x)                                0word, ~
#define SPARSE_P_WORD_10(x)                                0adjoined, ~
#define SPARSE_P_WORD_11(x)                                SPARSE_P_WORD_##x
/* KNOWN_word(...) -> ~, three flags, and the text that follows the word in the line. The flags: is the word a view, a
   workspace, a tree? */
#define SPARSE_P_KNOWN_all(...)       ~, 0, 0, 1,
#define SPARSE_P_KNOWN_any(...)       ~, 0, 0, 1,
#define SPARSE_P_KNOWN_none(...)      ~, 0, 0, 1,
#define SPARSE_P_KNOWN_slice(...)     ~, 1, 0, 0, ~
#define SPARSE_P_KNOWN_padded(...)    ~, 1, 0, 0, ~
#define SPARSE_P_KNOWN_current(...)   ~, 1, 0, 0, ~
#define SPARSE_P_KNOWN_symmetric(...) ~, 1, 0, 0, ~
#define SPARSE_P_KNOWN_skew(...)      ~, 1, 0, 0, ~
#define SPARSE_P_KNOWN_hermitian(...) ~, 1, 0, 0, ~
#define SPARSE_P_KNOWN_where(...)     ~, 0, 1, 0, ~
#define SPARSE_P_WORD_all(...)        all, (, __VA_ARGS__)
#define SPARSE_P_WORD_any(...)        any, (, __VA_ARGS__)
#define SPARSE_P_WORD_none(...)       none, (, __VA_ARGS__)
/* FEW((, u, v)) -> few. It yields many if the list has more items than the tables have room for, and no if it is not a
   list. */
#define SPARSE_P_FEW(children)   SPARSE_P_BY_PAREN(SPARSE_P_FEW_, children)(children)
#define SPARSE_P_FEW_0(children) 0no
#define SPARSE_P_FEW_1(children) SPARSE_P_FEW_OF(SPARSE_P_ID children, 0many)
#define SPARSE_P_FEW_OF(...)     SPARSE_P_FEW_OF_(__VA_ARGS__)
#define SPARSE_P_FEW_OF_(z, ...)                                                                                            \
    SPARSE_P_FEW_OR(SPARSE_P_COUNT_(__VA_ARGS__, 0few, 0few, 0few, 0few, 0few, 0few, 0few, 0few, 0few, 0few, 0few, 0few,    \
                                    0few, 0few, 0few, 0few, 0few, ~))
#define SPARSE_P_FEW_OR(x)     SPARSE_P_SECOND(SPARSE_P_FEW_MANY x, x) /* x: an item of a list that is too long */
#define SPARSE_P_FEW_MANY(...) ~, 0many
/* TABLE MEMBER: what a role means for an operand in the tree, or for an output; table ROLE says what it means for the
   caller
   rows: 0must 0may 0not 0update 0write
     MAYBE        1 if the operand may be absent where the body runs
     DRIVE        the drive of an operand without sparse levels: FULL, and exact unless its role is `not`
     DEAD         the condition under which such an operand ends an iteration
     RECORD       the macro that makes the record of a sparse operand
     LISTED       the error if parentheses stand in the place of its name
     MADE         the macro that chooses the levels with which the tensor is read or assembled */
#define SPARSE_P_MEMBER_CELL(column, row) SPARSE_P_CELL(SPARSE_P_MEMBER_##row##_##column SPARSE_P_MEMBER_default_##column, ~)
#define SPARSE_P_MEMBER_default_MAYBE     , ~
#define SPARSE_P_MEMBER_default_DRIVE     , (0FULL, 1, (), (), ())
#define SPARSE_P_MEMBER_default_DEAD      , ()
#define SPARSE_P_MEMBER_default_RECORD    , SPARSE_P_RECORD_TENSOR
#define SPARSE_P_MEMBER_default_LISTED    , ~
#define SPARSE_P_MEMBER_default_MADE      , SPARSE_P_AS_STORED

#define SPARSE_P_MEMBER_0must_MAYBE  , 0
#define SPARSE_P_MEMBER_0must_LISTED , 0word

#define SPARSE_P_MEMBER_0may_MAYBE  , 1
#define SPARSE_P_MEMBER_0may_LISTED , 0word

#define SPARSE_P_MEMBER_0not_MAYBE  , 1
#define SPARSE_P_MEMBER_0not_DRIVE  , (0FULL, 0, (), (), ())
#define SPARSE_P_MEMBER_0not_DEAD   , (, true)
#define SPARSE_P_MEMBER_0not_LISTED , 0word

#define SPARSE_P_MEMBER_0update_MAYBE  , 0
#define SPARSE_P_MEMBER_0update_LISTED , 0unknown

#define SPARSE_P_MEMBER_0write_MAYBE  , 0
#define SPARSE_P_MEMBER_0write_RECORD , SPARSE_P_ASSEMBLED
#define SPARSE_P_MEMBER_0write_LISTED , 0unknown
#define SPARSE_P_MEMBER_0write_MADE   , SPARSE_P_APPENDED_LEVELS
/* UNDER_word_ROLE -> the word that replaces `word` below a node of this role, and the role of its operands. Below none(),
   all and any change places (De Morgan). */
#define SPARSE_P_UNDER_all_0must  all, 0must
#define SPARSE_P_UNDER_all_0may   all, 0may
#define SPARSE_P_UNDER_all_0not   any, 0not
#define SPARSE_P_UNDER_any_0must  any, 0may
#define SPARSE_P_UNDER_any_0may   any, 0may
#define SPARSE_P_UNDER_any_0not   all, 0not
#define SPARSE_P_UNDER_none_0must all, 0not
#define SPARSE_P_UNDER_none_0may  all, 0not
#define SPARSE_P_UNDER_none_0not  any, 0may

/* LEAF((ROLE, loops), (A, type, encoding, value, POS, CRD, i, j)) -> record */
#define SPARSE_P_LEAF(c, x) SPARSE_P_LEAF_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_LEAF_(...) SPARSE_P_LEAF__(__VA_ARGS__, , , ~)
#define SPARSE_P_LEAF__(role, loops, name, value, enc, ...)                                                                 \
    SPARSE_P_CAT3(SPARSE_P_LEAF_, SPARSE_P_BY_PAREN(SPARSE_P_NAME_IS_, name)(name), SPARSE_P_IS_PAREN(enc))                 \
    (role, loops, name, value, enc, __VA_ARGS__)
/* NAME_IS(A) -> 0, int -> 1, (A) -> 2, slice(A) -> 3, "A" -> 2. The macro pastes a prefix and a suffix to the name. If
   the argument is not an identifier, the paste fails: the compiler reports an error and leaves the argument unchanged.
   The missing prefix then shows that the argument is no name. */
#define SPARSE_P_NAME_IS_0(name)                 SPARSE_P_SECOND(SPARSE_P_KEYWORD_##name, 0)
#define SPARSE_P_NAME_IS_1(name)                 2
#define SPARSE_P_NAME_ENDS                       , 2
#define SPARSE_P_LEAF_20(role, loops, name, ...) (0refused, SPARSE_P_NAMED(role, name), name)
#define SPARSE_P_LEAF_21(role, loops, name, ...) (0refused, SPARSE_P_NAMED(role, name), name)
/* NAMED(must, (A, CSR, i)) -> word, NAMED(must, (1.0f)) -> named: the error for parentheses in the place of a name */
#define SPARSE_P_NAMED(role, name)               SPARSE_P_CAT(SPARSE_P_NAMED_, SPARSE_P_IS_LISTED(name))(role)
#define SPARSE_P_NAMED_0(role)                   0named
#define SPARSE_P_NAMED_1(role)                   SPARSE_P_MEMBER_CELL(LISTED, role)
#define SPARSE_P_KEYWORD_slice(...)              ~, 3,
#define SPARSE_P_KEYWORD_padded(...)             ~, 3,
#define SPARSE_P_KEYWORD_current(...)            ~, 3,
#define SPARSE_P_KEYWORD_symmetric(...)          ~, 3,
#define SPARSE_P_KEYWORD_skew(...)               ~, 3,
#define SPARSE_P_KEYWORD_hermitian(...)          ~, 3,
#define SPARSE_P_KEYWORD_0                       ~, 2,
#define SPARSE_P_KEYWORD_1                       ~, 2,
#define SPARSE_P_KEYWORD_2                       ~, 2,
#define SPARSE_P_KEYWORD_3                       ~, 2,
#define SPARSE_P_KEYWORD_4                       ~, 2,
#define SPARSE_P_KEYWORD_5                       ~, 2,
#define SPARSE_P_KEYWORD_6                       ~, 2,
#define SPARSE_P_KEYWORD_7                       ~, 2,
#define SPARSE_P_KEYWORD_8                       ~, 2,
#define SPARSE_P_KEYWORD_9                       ~, 2,
#define SPARSE_P_LEAF_30(role, loops, name, ...) (0refused, SPARSE_P_NAMED_1(role), name)
#define SPARSE_P_LEAF_31                         SPARSE_P_LEAF_30
#define SPARSE_P_LEAF_10                         SPARSE_P_LEAF_00
#define SPARSE_P_LEAF_00(role, loops, name, ...)                                                                            \
    SPARSE_P_CAT(SPARSE_P_LEAF_00, SPARSE_P_SECOND(name##SPARSE_P_NAME_ENDS, 0))(role, loops, name, __VA_ARGS__)
#define SPARSE_P_LEAF_002 SPARSE_P_LEAF_20
#define SPARSE_P_LEAF_000(role, loops, name, value, ...)                                                                    \
    SPARSE_P_CAT3(SPARSE_P_SCALAR_LEAF_, SPARSE_P_IS_PAREN(value), SPARSE_P_NO_INDEX(__VA_ARGS__))                          \
    (role, name, value)
#define SPARSE_P_NO_INDEX(...) SPARSE_P_COUNT_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, ~)
#define SPARSE_P_SCALAR_LEAF_01(role, name, value)                                                                          \
    SPARSE_P_CAT(SPARSE_P_SCALAR_OF_, SPARSE_P_SECOND(SPARSE_P_KEYWORD_##value, 0))(role, name, value)
#define SPARSE_P_SCALAR_OF_0(role, name, value)    (0scalar, role, name, value)
#define SPARSE_P_SCALAR_OF_1(role, name, value)    (0scalar, role, name, value)
#define SPARSE_P_SCALAR_OF_2(role, name, value)    (0odd, role, name, value)
#define SPARSE_P_SCALAR_LEAF_00(role, name, value) (0odd, role, name, value)
#define SPARSE_P_SCALAR_LEAF_10(role, name, value) (0odd, role, name, value)
#define SPARSE_P_SCALAR_LEAF_11(role, name, value) (0odd, role, name, value)
#define SPARSE_P_LEAF_11                           SPARSE_P_LEAF_01
#define SPARSE_P_LEAF_01(role, loops, name, ...)                                                                            \
    SPARSE_P_CAT(SPARSE_P_LEAF_01, SPARSE_P_SECOND(name##SPARSE_P_NAME_ENDS, 0))(role, loops, name, __VA_ARGS__)
#define SPARSE_P_LEAF_012 SPARSE_P_LEAF_21
#define SPARSE_P_LEAF_010(role, loops, name, type, enc, value, ...)                                                         \
    SPARSE_P_BY_PAREN(SPARSE_P_LEAF_OF_, value)(role, loops, name, type, enc, value, __VA_ARGS__)
#define SPARSE_P_LEAF_OF_1(role, loops, name, type, ...) (0odd, role, name, type) /* no parentheses around the encoding */
#define SPARSE_P_LEAF_OF_0(role, loops, name, type, enc, value, pos, crd, ...)                                              \
    SPARSE_P_CAT(SPARSE_P_LEAF_FIXED_, SPARSE_P_IS_FIXED(SPARSE_P_FIRST(__VA_ARGS__)))                                      \
    (role, loops, name, type, enc, value, pos, crd, __VA_ARGS__)
#define SPARSE_P_LEAF_FIXED_0(role, loops, name, type, enc, value, pos, crd, ...)                                           \
    SPARSE_P_TENSOR_LEAF(role, loops, (), (pos, crd, enc, (0)), name, type, value, SPARSE_P_DROP_LAST3(__VA_ARGS__),        \
                         SPARSE_P_MADE_AS(SPARSE_P_MEMBER_CELL(MADE, role), pos, crd, SPARSE_P_ID enc))
#define SPARSE_P_LEAF_FIXED_1(role, loops, name, type, enc, value, pos, crd, sizes, ...)                                    \
    SPARSE_P_TENSOR_LEAF(role, loops, (, SPARSE_P_ID SPARSE_P_SIZES_##sizes), (pos, crd, enc, SPARSE_P_SIZES_##sizes),      \
                         name, type, value, SPARSE_P_DROP_LAST3(__VA_ARGS__),                                               \
                         SPARSE_P_MADE_AS(SPARSE_P_MEMBER_CELL(MADE, role), pos, crd, SPARSE_P_ID enc))
/* AS_STORED(pos, crd, dims, levels) -> the widths and levels, unchanged. APPENDED_LEVELS(pos, crd, dims, levels) -> the
   widths and levels with which an output is assembled. They are unchanged if entries can be appended to every level.
   Otherwise the output is assembled in another encoding, and sparse_p_is_stored_after requests a conversion at the end.
   That encoding has the greatest widths. Its dense levels stay, and all others become compressed. But if a level stores
   blocks, slots or diagonals, or if the last level is dense, there is one compressed level for each dimension. */
#define SPARSE_P_MADE_AS(...)             SPARSE_P_MADE_AS_(__VA_ARGS__)
#define SPARSE_P_MADE_AS_(made, ...)      made(__VA_ARGS__)
#define SPARSE_P_AS_STORED(pos, crd, ...) SPARSE_P_BITS_##pos, SPARSE_P_BITS_##crd, __VA_ARGS__
#define SPARSE_P_APPENDED_LEVELS(pos, crd, dims, ...)                                                                       \
    SPARSE_P_CAT3(SPARSE_P_APPENDED_LEVELS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SPARSE, , (, __VA_ARGS__))),        \
                  SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_OTHER, , (, __VA_ARGS__))))                                    \
    (pos, crd, dims, __VA_ARGS__)
#define SPARSE_P_APPENDED_LEVELS_00 SPARSE_P_AS_STORED
#define SPARSE_P_APPENDED_LEVELS_01 SPARSE_P_AS_STORED
#define SPARSE_P_APPENDED_LEVELS_10 SPARSE_P_AS_STORED
#define SPARSE_P_APPENDED_LEVELS_11(pos, crd, dims, ...)                                                                    \
    SPARSE_P_BITS_0, SPARSE_P_BITS_0,                                                                                       \
        dims SPARSE_P_CAT(SPARSE_P_APPENDED_TO_,                                                                            \
                          SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_MAPPED, , (, __VA_ARGS__)) SPARSE_P_ENDS_DENSE(        \
                              SPARSE_P_FOLDF(SPARSE_P_RIGHT, (, __VA_ARGS__)))))(dims, __VA_ARGS__)
#define SPARSE_P_APPENDED_TO_0(dims, ...)   SPARSE_P_EACHF(SPARSE_P_APPENDED_LEVEL, , (, __VA_ARGS__))
#define SPARSE_P_APPENDED_TO_1(dims, ...)   SPARSE_P_EACHF(SPARSE_P_COMPRESSED_LEVEL, , (, SPARSE_P_ID dims))
#define SPARSE_P_APPENDED_LEVEL(c, level)   SPARSE_P_APPENDED_LEVEL_ level
#define SPARSE_P_APPENDED_LEVEL_(format, d) , (SPARSE_P_SECOND(SPARSE_P_APPENDED_IS_##format, compressed), d)
#define SPARSE_P_APPENDED_IS_dense          ~, dense
#define SPARSE_P_IS_MAPPED(c, level)        SPARSE_P_IS_MAPPED_ level
#define SPARSE_P_IS_MAPPED_(format, d)      SPARSE_P_IS_MAPPED3(SPARSE_P_EXPRESSION(d))
#define SPARSE_P_IS_MAPPED3(...)            SPARSE_P_IS_MAPPED4(__VA_ARGS__)
#define SPARSE_P_IS_MAPPED4(kind, ...)      SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_MAPPED_IS_##kind, (, ~)))
#define SPARSE_P_MAPPED_IS_0dim             ~, ()
#define SPARSE_P_ENDS_DENSE(level)          SPARSE_P_ENDS_DENSE_ level
#define SPARSE_P_ENDS_DENSE_(format, d)     SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_ENDS_WITH_##format, ()))
#define SPARSE_P_ENDS_WITH_dense            ~, (, ~)
#define SPARSE_P_COMPRESSED_LEVEL(c, d)     , (compressed, d)
#define SPARSE_P_IS_SPARSE(c, level)        SPARSE_P_IS_SPARSE_ level
#define SPARSE_P_IS_SPARSE_(format, d)                                                                                      \
    SPARSE_P_IS_SPARSE3(SPARSE_P_BY_PAREN(SPARSE_P_STORED_, SPARSE_P_BARE_##format)(format))
#define SPARSE_P_IS_SPARSE3(...)          SPARSE_P_IS_SPARSE4(__VA_ARGS__)
#define SPARSE_P_IS_SPARSE4(storage, ...) SPARSE_P_IS_SPARSE_##storage
#define SPARSE_P_IS_SPARSE_0dense
#define SPARSE_P_IS_SPARSE_0sparse  , ~
#define SPARSE_P_IS_OTHER(c, level) SPARSE_P_IS_OTHER_ level
#define SPARSE_P_IS_OTHER_(format, d)                                                                                       \
    SPARSE_P_IS_OTHER3(SPARSE_P_BY_PAREN(SPARSE_P_STORED_, SPARSE_P_BARE_##format)(format), SPARSE_P_EXPRESSION(d))
#define SPARSE_P_IS_OTHER3(...) SPARSE_P_IS_OTHER4(__VA_ARGS__)
#define SPARSE_P_IS_OTHER4(storage, format, unique, order, n, kind, ...)                                                    \
    SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_OTHER_MAP_##kind, ()))                                                         \
    SPARSE_P_UNPACK(SPARSE_P_SECOND(                                                                                        \
        SPARSE_P_CAT3(SPARSE_P_OTHER_LEVEL_, SPARSE_P_LEVEL_CELL(BUILT, format), SPARSE_P_LEVEL_CELL(BUILT_BELOW, format)), \
        ()))
#define SPARSE_P_OTHER_MAP_count        ~, (, ~)
#define SPARSE_P_OTHER_MAP_minus        ~, (, ~)
#define SPARSE_P_OTHER_LEVEL_0none0none ~, (, ~)
/* The width in bits of positions or coordinates. 0 stands for the width of size_t. */
#define SPARSE_P_BITS_8  8
#define SPARSE_P_BITS_16 16
#define SPARSE_P_BITS_32 32
#define SPARSE_P_BITS_64 64
#if SIZE_MAX > 0xffffffff
    #define SPARSE_P_BITS_0         64
    #define SPARSE_P_OUTPUT_PLAN_64 ~, sparse_p_plan_of
#else
    #define SPARSE_P_BITS_0         32
    #define SPARSE_P_OUTPUT_PLAN_32 ~, sparse_p_plan_of
#endif
/* OUTPUT_PLAN(pos) -> the function that plans the assembly of an output. If APPENDED_LEVELS has replaced the encoding,
   positions have the greatest width. So only outputs with this width need sparse_p_plan_of. */
#define SPARSE_P_OUTPUT_PLAN(pos) SPARSE_P_SECOND(SPARSE_P_OUTPUT_PLAN_##pos, sparse_p_plan_as_it_is)
#define SPARSE_P_TENSOR_LEAF(...) SPARSE_P_TENSOR_LEAF_(__VA_ARGS__)
#define SPARSE_P_TENSOR_LEAF_(role, loops, fixed, described, name, type, value, indices, pos, crd, dims, ...)               \
    SPARSE_P_TENSOR_LEAF3(role, loops, fixed, described, name, type, value, pos, crd,                                       \
                          (SPARSE_P_EACHG(SPARSE_P_SUBSCRIPT, loops, (, SPARSE_P_ID indices))), dims, __VA_ARGS__)
#define SPARSE_P_TENSOR_LEAF3(role, loops, fixed, described, name, type, value, pos, crd, indices, dims, ...)               \
    SPARSE_P_RECORD(role,                                                                                                   \
                    SPARSE_P_FOLDA(SPARSE_P_ADD_LEVEL,                                                                      \
                                   (, (0, 0, 0, (), 0unique, 0, 0no, (0root, 0))SPARSE_P_EACHF(                             \
                                          SPARSE_P_RAW_LEVEL, (dims, indices, SPARSE_P_ORDER_OF loops), (, __VA_ARGS__)))), \
                    name, type, value, pos, crd, indices, described, fixed, SPARSE_P_PASSED_OF loops)
/* A subscript is a letter or a sum, (EDGE, (, terms), (, constants), (, terms as written)). EDGE is padded if elements
   outside of the tensor may be read, else valid. A term is (LOOP, (, COEFFICIENT), letter), without COEFFICIENT if it is 1.
   Terms are in the order of their loops. A term of any other form has loop 0 and stands in parentheses. A sum of constants
   alone is refused. Liu et al. (2024) call the terms of outer loops resolved, and the other terms the unresolved set.
     SUBSCRIPT(loops, i) -> , i
     SUBSCRIPT((i, j, p), plus(p, times(2, i), (-1))) -> , (valid, (, (1, (, 2), i), (3, (), p)), (, -1), (, ...)) */
#define SPARSE_P_SUBSCRIPT(loops, x)      SPARSE_P_CAT(SPARSE_P_SUBSCRIPT_, SPARSE_P_IS_LETTER(x))(loops, x)
#define SPARSE_P_SUBSCRIPT_1(loops, x)    , x
#define SPARSE_P_SUBSCRIPT_0(loops, x)    SPARSE_P_BY_PAREN(SPARSE_P_SUBSCRIPT_0, x)(loops, x)
#define SPARSE_P_SUBSCRIPT_01(loops, x)   SPARSE_P_SUM_OF(SPARSE_P_EDGE_OF loops, SPARSE_P_ORDER_OF loops, (, x))
#define SPARSE_P_SUBSCRIPT_00(loops, x)   SPARSE_P_BY_PAREN(SPARSE_P_SUBSCRIPT_00, SPARSE_P_SUM_##x)(loops, x)
#define SPARSE_P_SUBSCRIPT_000(loops, x)  , x
#define SPARSE_P_SUBSCRIPT_002(loops, x)  SPARSE_P_CAT(SPARSE_P_SUBSCRIPT_002, SPARSE_P_ENDS(x))(loops, x)
#define SPARSE_P_SUBSCRIPT_0020(loops, x) SPARSE_P_SUM_OF3(0valid, (, (0, (), (x))), ())
#define SPARSE_P_SUBSCRIPT_0021(loops, x) , x
#define SPARSE_P_SUBSCRIPT_001(loops, x)  SPARSE_P_SUM_OF(SPARSE_P_EDGE_OF loops, SPARSE_P_ORDER_OF loops, SPARSE_P_SUM_##x)

#define SPARSE_P_SUM_plus(...)                                                                                              \
    SPARSE_P_CAT3(SPARSE_P_SUM_PLUS_, SPARSE_P_IS_ANY(__VA_ARGS__), SPARSE_P_ENDS(SPARSE_P_FIRST(__VA_ARGS__)))(__VA_ARGS__)
#define SPARSE_P_SUM_PLUS_00(...) (, __VA_ARGS__)
#define SPARSE_P_SUM_PLUS_01(...) ()
#define SPARSE_P_SUM_PLUS_10      SPARSE_P_SUM_PLUS_00
#define SPARSE_P_SUM_PLUS_11      SPARSE_P_SUM_PLUS_00
#define SPARSE_P_SUM_             ~, 2,
#define SPARSE_P_SUM_times(...)   (, times(__VA_ARGS__))
#define SPARSE_P_SUM_OF(...)      SPARSE_P_SUM_OF_(__VA_ARGS__)
#define SPARSE_P_SUM_OF_(edge, loops, x)                                                                                    \
    SPARSE_P_SUM_OF3(edge, (SPARSE_P_EACHF(SPARSE_P_TERM, loops, x)), (SPARSE_P_EACHF(SPARSE_P_ADDED, , x)))
#define SPARSE_P_SUM_OF3(edge, terms, constants)                                                                            \
    , (edge, (SPARSE_P_EACHF(SPARSE_P_IN_ORDER, terms, (, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))), constants, terms)
#define SPARSE_P_IN_ORDER(terms, d) SPARSE_P_EACHH(SPARSE_P_TERM_AT, d, terms)
#define SPARSE_P_TERM_AT(d, term)   SPARSE_P_CAT(SPARSE_P_HERE_, SPARSE_P_CMP(SPARSE_P_FIRST term, d))(term)
#define SPARSE_P_ADDED(c, t)        SPARSE_P_BY_PAREN(SPARSE_P_ADDED_, t)(t)
#define SPARSE_P_ADDED_0(t)
#define SPARSE_P_ADDED_1(t)     , SPARSE_P_ID t
#define SPARSE_P_TERM(loops, t) SPARSE_P_BY_PAREN(SPARSE_P_TERM_, t)(loops, t)
#define SPARSE_P_TERM_1(loops, t)
#define SPARSE_P_TERM_0(loops, t)    SPARSE_P_BY_PAREN(SPARSE_P_TERM_0, SPARSE_P_TIMES_OF_##t)(loops, t)
#define SPARSE_P_TERM_02(loops, t)   , (0, (), (t))
#define SPARSE_P_TERM_00(loops, t)   SPARSE_P_CAT(SPARSE_P_TERM_00, SPARSE_P_IS_LETTER(t))(loops, t)
#define SPARSE_P_TERM_000(loops, t)  , (0, (), (t))
#define SPARSE_P_TERM_001(loops, i)  , (SPARSE_P_POS(i, loops), (), i)
#define SPARSE_P_TERM_01(loops, t)   SPARSE_P_TERM_TIMES(loops, t, SPARSE_P_UNPACK(SPARSE_P_TIMES_OF_##t), (), ~, ~)
#define SPARSE_P_TIMES_OF_           ~, 2,
#define SPARSE_P_TIMES_OF_times(...) (__VA_ARGS__)
#define SPARSE_P_TERM_TIMES(...)     SPARSE_P_TERM_TIMES_(__VA_ARGS__)

#define SPARSE_P_TERM_TIMES_(loops, t, c, i, end, ...) SPARSE_P_BY_PAREN(SPARSE_P_TERM_OF_, end)(loops, t, c, i)
#define SPARSE_P_TERM_OF_0(loops, t, c, i)             , (0, (), (t))

#define SPARSE_P_TERM_OF_1(loops, t, c, i)    SPARSE_P_CAT(SPARSE_P_TERM_TIMES_, SPARSE_P_IS_LETTER(i))(loops, t, c, i)
#define SPARSE_P_TERM_TIMES_0(loops, t, c, i) , (0, (), (t))
#define SPARSE_P_TERM_TIMES_1(loops, t, c, i) SPARSE_P_BY_PAREN(SPARSE_P_TERM_BY_, c)(SPARSE_P_POS(i, loops), c, i)
#define SPARSE_P_TERM_BY_1(loop, c, i)        , (loop, (, c), i)
/* If there is a loop over i, times(0, i) adds nothing to the sum and yields no term. */
#define SPARSE_P_TERM_BY_0(loop, c, i)                                                                                      \
    SPARSE_P_CAT3(SPARSE_P_TERM_BY_, SPARSE_P_IS_LETTER_(SPARSE_P_PUT_IN_PARENTHESES_##c, 0, ~), SPARSE_P_NZ(loop))         \
    (loop, c, i)
#define SPARSE_P_PUT_IN_PARENTHESES_0 ~,
#define SPARSE_P_TERM_BY_00           SPARSE_P_TERM_BY_1
#define SPARSE_P_TERM_BY_01           SPARSE_P_TERM_BY_1
#define SPARSE_P_TERM_BY_10           SPARSE_P_TERM_BY_1
#define SPARSE_P_TERM_BY_11(loop, c, i)
/* SANE(i) -> i. SANE(sum) -> the letter of its innermost loop. SANE(row) -> 0: a later stage refuses such a subscript by
   name. */
#define SPARSE_P_SANE(x)    SPARSE_P_BY_PAREN(SPARSE_P_SANE_, x)(x)
#define SPARSE_P_SANE_0(x)  SPARSE_P_CAT(SPARSE_P_SANE_0, SPARSE_P_IS_LETTER(x))(x)
#define SPARSE_P_SANE_00(x) 0
#define SPARSE_P_SANE_01(x) x
#define SPARSE_P_SANE_1(x)  SPARSE_P_THIRD(SPARSE_P_UNPACK(SPARSE_P_LAST_TERM(x)), ~)
/* IS_SUM(, sum) -> , ~ but IS_SUM(, i) has no comma: the result is an argument of IS_ANY. */
#define SPARSE_P_IS_SUM(c, x) SPARSE_P_IS_SUM_ x
#define SPARSE_P_IS_SUM_(...) , ~
/* LAST_TERM(sum) -> the term of the innermost loop. In that loop the value of the sum becomes known. */
#define SPARSE_P_LAST_TERM(x) SPARSE_P_FOLDF(SPARSE_P_RIGHT, (, (0, (), 0)SPARSE_P_UNPACK(SPARSE_P_TERMS_OF x)))

#define SPARSE_P_TERMS_OF(edge, terms, constants, written)     terms
#define SPARSE_P_CONSTANTS_OF(edge, terms, constants, written) constants
/* OFFSET((, u, v), constants) -> the sum of the items and of the positive part of the constants, or 0 if there are
   neither */
#define SPARSE_P_OFFSET(items, constants)                                                                                   \
    SPARSE_P_OFFSET_((SPARSE_P_CAT(SPARSE_P_FORTH_, SPARSE_P_IS_ANY constants)(constants) SPARSE_P_ID items))
#define SPARSE_P_OFFSET_(items)  SPARSE_P_CAT(SPARSE_P_OFFSET_, SPARSE_P_IS_ANY items)(items)
#define SPARSE_P_OFFSET_0(items) 0
#define SPARSE_P_OFFSET_1(items) SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, items)
#define SPARSE_P_FORTH_0(constants)
#define SPARSE_P_FORTH_1(constants) , sparse_p_forth(SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, constants))
/* PAD(constants) -> the amount by which the constants together are below zero, or 0 */
#define SPARSE_P_PAD(constants)   SPARSE_P_CAT(SPARSE_P_PAD_, SPARSE_P_IS_ANY constants)(constants)
#define SPARSE_P_PAD_0(constants) 0
#define SPARSE_P_PAD_1(constants) sparse_p_back(SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, constants))
/* PRODUCT((, 2), i) -> (size_t)(2) * i, PRODUCT((), i) -> i. FACTOR((, 2)) -> the coefficient. */
#define SPARSE_P_PRODUCT(c, i)   SPARSE_P_CAT(SPARSE_P_PRODUCT_, SPARSE_P_IS_ANY c)(c, i)
#define SPARSE_P_PRODUCT_0(c, i) i
#define SPARSE_P_PRODUCT_1(c, i) (size_t)(SPARSE_P_TEXT c) * i
#define SPARSE_P_FACTOR(c)       SPARSE_P_CAT(SPARSE_P_FACTOR_, SPARSE_P_IS_ANY c)(c)
#define SPARSE_P_FACTOR_0(c)     1
#define SPARSE_P_FACTOR_1(c)     SPARSE_P_TEXT c
/* TERM_TEXT(, term) -> , product. TERM_BEFORE(d, term) -> , product if the loop of the term is outside loop d.
   REACH_AFTER(d, term) -> , (c, i) if the loop is inside loop d. */
#define SPARSE_P_TERM_TEXT(z, term)           SPARSE_P_TERM_TEXT_ term
#define SPARSE_P_TERM_TEXT_(loop, c, i)       , SPARSE_P_PRODUCT(c, i)
#define SPARSE_P_TERM_BEFORE(d, term)         SPARSE_P_TERM_BEFORE_(d, SPARSE_P_ID term)
#define SPARSE_P_TERM_BEFORE_(...)            SPARSE_P_TERM_BEFORE__(__VA_ARGS__)
#define SPARSE_P_TERM_BEFORE__(d, loop, c, i) SPARSE_P_CAT(SPARSE_P_BEFORE_, SPARSE_P_CMP(loop, d))(SPARSE_P_PRODUCT(c, i))
#define SPARSE_P_REACH_AFTER(d, term)         SPARSE_P_REACH_AFTER_(d, SPARSE_P_ID term)
#define SPARSE_P_REACH_AFTER_(...)            SPARSE_P_REACH_AFTER__(__VA_ARGS__)
#define SPARSE_P_REACH_AFTER__(d, loop, c, i) SPARSE_P_CAT(SPARSE_P_AFTER_, SPARSE_P_CMP(loop, d))((c, i))
/* REACH(u, (c, i)) -> how many coordinates u + c * i spans, if u itself spans `u` coordinates */
#define SPARSE_P_REACH(u, ci)              SPARSE_P_REACH_(u, SPARSE_P_ID ci)
#define SPARSE_P_REACH_(...)               SPARSE_P_REACH__(__VA_ARGS__)
#define SPARSE_P_REACH__(u, c, i)          sparse_p_reach(u, SPARSE_P_FACTOR(c), sparse_l_##i##_size)
#define SPARSE_P_RECORD(role, levels, ...) SPARSE_P_RECORD_(role, SPARSE_P_ID levels, __VA_ARGS__)
#define SPARSE_P_RECORD_(...)              SPARSE_P_RECORD__(__VA_ARGS__)
#define SPARSE_P_RECORD__(role, placed, above, ...)                                                                         \
    SPARSE_P_CAT(SPARSE_P_RECORD_, SPARSE_P_NZ_##above)(role)(role, placed, above, __VA_ARGS__)
#define SPARSE_P_RECORD_0(role) SPARSE_P_RECORD_TENSOR
#define SPARSE_P_RECORD_1(role) SPARSE_P_MEMBER_CELL(RECORD, role)
#define SPARSE_P_RECORD_TENSOR(role, placed, above, nlev, levels, unique, head, aos, batch, name, type, value, pos, crd,    \
                               indices, described, fixed, passed)                                                           \
    SPARSE_P_TENSOR_RECORD(                                                                                                 \
        role, name, type, value, pos, crd, SPARSE_P_TIDY(indices),                                                          \
        SPARSE_P_TIDY((SPARSE_P_EACHF(SPARSE_P_SLIM, , levels))),                                                           \
        SPARSE_P_TIDY(SPARSE_P_CAT(SPARSE_P_WALKS_OF_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SUM, , indices)))(        \
            levels, batch, (SPARSE_P_EACHF(SPARSE_P_WALK, (nlev, head, aos, batch), levels)))),                             \
        nlev, placed, above, described, fixed)
#define SPARSE_P_TENSOR_RECORD(...)  SPARSE_P_TENSOR_RECORD_(__VA_ARGS__)
#define SPARSE_P_TENSOR_RECORD_(...) (0tensor, __VA_ARGS__)
/* SLIM(, state of a level) -> , level: the fields that a record keeps */
#define SPARSE_P_SLIM(c, x) SPARSE_P_SLIM_ x
#define SPARSE_P_SLIM_(number, storage, letter, loop, placed, above, format, unique, order, n, variable, part, ...)         \
    , (number, storage, letter, placed, variable, part)
/* DROP_LAST3(i, j, , , ~) -> (i, j) */
#define SPARSE_P_DROP_LAST3(...)                            SPARSE_P_BY_COUNT(SPARSE_P_TAKE_, __VA_ARGS__)(__VA_ARGS__)
#define SPARSE_P_TAKE_2(...)                                ()
#define SPARSE_P_TAKE_3(a, ...)                             (a)
#define SPARSE_P_TAKE_4(a, b, ...)                          (a, b)
#define SPARSE_P_TAKE_5(a, b, c, ...)                       (a, b, c)
#define SPARSE_P_TAKE_6(a, b, c, d, ...)                    (a, b, c, d)
#define SPARSE_P_TAKE_7(a, b, c, d, e, ...)                 (a, b, c, d, e)
#define SPARSE_P_TAKE_8(a, b, c, d, e, f, ...)              (a, b, c, d, e, f)
#define SPARSE_P_TAKE_9(a, b, c, d, e, f, g, ...)           (a, b, c, d, e, f, g)
#define SPARSE_P_TAKE_10(a, b, c, d, e, f, g, h, ...)       (a, b, c, d, e, f, g, h)
#define SPARSE_P_TAKE_11(a, b, c, d, e, f, g, h, i, ...)    (a, b, c, d, e, f, g, h, i)
#define SPARSE_P_TAKE_12(a, b, c, d, e, f, g, h, i, j, ...) (a, b, c, d, e, f, g, h, i, j)

/* VISIT(op, c, tree): folds a tree. It calls op_leaf(c, record) at the leaves, and op_all(u, v) or op_any(u, v) at the
   nodes. A tree contains no none(): its operands have role not, and it has become the all() of their complements. */
#define SPARSE_P_VISIT(op, c, tree)          SPARSE_P_SECOND(SPARSE_P_VISIT0((op, c), tree))
#define SPARSE_P_VISIT0(c, x)                , SPARSE_P_VISIT0_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT0_(...)                SPARSE_P_VISIT0__(__VA_ARGS__)
#define SPARSE_P_VISIT0__(op, c, word, ...)  SPARSE_P_VISIT0_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT0_0leaf(op, c, record) op##_0leaf(c, record)

#define SPARSE_P_VISIT0_all(op, c, ...) SPARSE_P_FOLDA(op##_all, (SPARSE_P_EACHA(SPARSE_P_VISIT1, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT0_any(op, c, ...) SPARSE_P_FOLDA(op##_any, (SPARSE_P_EACHA(SPARSE_P_VISIT1, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT1(c, x)           , SPARSE_P_VISIT1_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT1_(...)           SPARSE_P_VISIT1__(__VA_ARGS__)

#define SPARSE_P_VISIT1__(op, c, word, ...)  SPARSE_P_VISIT1_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT1_0leaf(op, c, record) op##_0leaf(c, record)

#define SPARSE_P_VISIT1_all(op, c, ...) SPARSE_P_FOLDB(op##_all, (SPARSE_P_EACHB(SPARSE_P_VISIT2, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT1_any(op, c, ...) SPARSE_P_FOLDB(op##_any, (SPARSE_P_EACHB(SPARSE_P_VISIT2, (op, c), (, __VA_ARGS__))))
/* VISIT asks op_where(c, N) how to visit workspace N: in visits the operands from which it is computed, and out visits
   the workspace as one operand. */
#define SPARSE_P_VISIT1_where(op, c, n, tree, loops, letters, leaves, written, initial, out, operand, ...)                  \
    SPARSE_P_CAT(SPARSE_P_VISIT1_where_, op##_where(c, n))(op, c, tree, operand)
#define SPARSE_P_VISIT1_where_0in(op, c, tree, operand)  SPARSE_P_VISIT2_(op, c, SPARSE_P_ID tree)
#define SPARSE_P_VISIT1_where_0out(op, c, tree, operand) op##_0leaf(c, operand)
#define SPARSE_P_VISIT2(c, x)                            , SPARSE_P_VISIT2_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT2_(...)                            SPARSE_P_VISIT2__(__VA_ARGS__)
#define SPARSE_P_VISIT2__(op, c, word, ...)              SPARSE_P_VISIT2_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT2_0leaf(op, c, record)             op##_0leaf(c, record)

#define SPARSE_P_VISIT2_all(op, c, ...) SPARSE_P_FOLDC(op##_all, (SPARSE_P_EACHC(SPARSE_P_VISIT3, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT2_any(op, c, ...) SPARSE_P_FOLDC(op##_any, (SPARSE_P_EACHC(SPARSE_P_VISIT3, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT3(c, x)           , SPARSE_P_VISIT3_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT3_(...)           SPARSE_P_VISIT3__(__VA_ARGS__)

#define SPARSE_P_VISIT3__(op, c, word, ...)  SPARSE_P_VISIT3_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT3_0leaf(op, c, record) op##_0leaf(c, record)

#define SPARSE_P_VISIT3_all(op, c, ...) SPARSE_P_FOLDD(op##_all, (SPARSE_P_EACHD(SPARSE_P_VISIT4, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT3_any(op, c, ...) SPARSE_P_FOLDD(op##_any, (SPARSE_P_EACHD(SPARSE_P_VISIT4, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT4(c, x)           , SPARSE_P_VISIT4_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT4_(...)           SPARSE_P_VISIT4__(__VA_ARGS__)

#define SPARSE_P_VISIT4__(op, c, word, ...)  SPARSE_P_VISIT4_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT4_0leaf(op, c, record) op##_0leaf(c, record)

/* FLAT: the leaves of a tree, in order, as (, record, record) */
#define SPARSE_P_FLAT_0leaf(c, record) (, record)
#define SPARSE_P_FLAT_all(u, v)        (SPARSE_P_ID u SPARSE_P_ID v)
#define SPARSE_P_FLAT_any(u, v)        (SPARSE_P_ID u SPARSE_P_ID v)
#define SPARSE_P_FLAT_where(c, n)      0in

/* >>levels of operands
   Computes how loops traverse the levels of an operand. Input: the levels of its encoding, and its indices. Output: the
   list of levels and the list of walks in its record. For example, CSR is ((i, j), (dense, i), (compressed, j)). In the
   loops (i, j), A(i, j) has the two levels and the walk that >>operands shows. In the loops (j, i), j is known before i,
   although j is stored below i. Then the second level is (2, early, ...), and >>checks refuses the line. */
/* The loops of a leaf are (i, j), or ((i, j), EDGE, PASSED). EDGE is valid or padded, see SUBSCRIPT. PASSED has two numbers
   for each loop: how many loops other than let(...) come before it, and how many come up to and including it. In the loops
   (i, let(u, e), j), PASSED is (, (0, 1), (1, 1), (1, 2)). */
#define SPARSE_P_EDGE_OF(...)                  SPARSE_P_BY_PAREN(SPARSE_P_EDGE_, SPARSE_P_FIRST(__VA_ARGS__))(__VA_ARGS__)
#define SPARSE_P_EDGE_0(...)                   0valid
#define SPARSE_P_EDGE_1(letters, edge, passed) edge

#define SPARSE_P_ORDER_OF(...)   SPARSE_P_BY_PAREN(SPARSE_P_ORDER_OF_, SPARSE_P_FIRST(__VA_ARGS__))(__VA_ARGS__)
#define SPARSE_P_ORDER_OF_0(...) (__VA_ARGS__)

#define SPARSE_P_ORDER_OF_1(letters, edge, passed) letters

#define SPARSE_P_PASSED_OF(...) SPARSE_P_BY_PAREN(SPARSE_P_PASSED_OF_, SPARSE_P_FIRST(__VA_ARGS__))(__VA_ARGS__)
#define SPARSE_P_PASSED_OF_0(...)                                                                                           \
    (, (0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10), (10, 11), (11, 12))
#define SPARSE_P_PASSED_OF_1(letters, edge, passed) passed
/* RAW_LEVEL((dims, indices, loops), (compressed, j)) -> , (sparse, j, LOOP, FORMAT, unique | nonunique, ordered |
   nonordered, N, VARIABLE, PART). VARIABLE is the variable of the loop over the level. PART is the part of the index that
   the level stores: (dim, 0) is the index j itself, (floordiv, C) the block j_block, (mod, C) the position j_inner in a
   block, (count, C) the slice j_count, and (minus, i) the diagonal j_diagonal. */
#define SPARSE_P_RAW_LEVEL(c, x) SPARSE_P_RAW_LEVEL_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_RAW_LEVEL_(...) SPARSE_P_RAW_LEVEL__(__VA_ARGS__)
#define SPARSE_P_RAW_LEVEL__(dims, indices, loops, format, d)                                                               \
    SPARSE_P_RAW_LEVEL3(dims, indices, loops, SPARSE_P_BY_PAREN(SPARSE_P_STORED_, SPARSE_P_BARE_##format)(format),          \
                        SPARSE_P_EXPRESSION(d))
#define SPARSE_P_RAW_LEVEL3(...) SPARSE_P_RAW_LEVEL4(__VA_ARGS__)
#define SPARSE_P_RAW_LEVEL4(dims, indices, loops, storage, format, unique, order, n, kind, d, c)                            \
    SPARSE_P_RAW_LEVEL5(SPARSE_P_AT_LIST(SPARSE_P_POS(d, dims), indices), kind, loops, storage, format, unique, order, n,   \
                        c, dims, indices)
#define SPARSE_P_RAW_LEVEL5(x, ...)             SPARSE_P_BY_PAREN(SPARSE_P_RAW_LEVEL_BY_, x)(x, __VA_ARGS__)
#define SPARSE_P_RAW_LEVEL_BY_0(x, ...)         SPARSE_P_RAW_LETTER(SPARSE_P_SANE(x), __VA_ARGS__)
#define SPARSE_P_RAW_LETTER(...)                SPARSE_P_RAW_LETTER_(__VA_ARGS__)
#define SPARSE_P_RAW_LETTER_(letter, kind, ...) SPARSE_P_RAW_LEVEL_##kind(letter, __VA_ARGS__)
/* If the subscript is a sum, the loop over the level is the loop of the term that resolves the sum. */
#define SPARSE_P_RAW_LEVEL_BY_1(x, kind, loops, storage, format, unique, order, n, ...)                                     \
    SPARSE_P_RAW_SUM(SPARSE_P_CAT(SPARSE_P_SUM_LEVEL_, kind)(SPARSE_P_FIRST x, storage, format), unique, order, n, x,       \
                     SPARSE_P_UNPACK(SPARSE_P_LAST_TERM(x)),                                                                \
                     (SPARSE_P_EACHG(SPARSE_P_SPLIT_TERM, loops, SPARSE_P_TERMS_OF x)))
#define SPARSE_P_RAW_SUM(...) SPARSE_P_RAW_SUM_(__VA_ARGS__)
#define SPARSE_P_RAW_SUM_(storage, format, unique, order, n, x, loop, c, letter, split)                                     \
    , (SPARSE_P_CAT(SPARSE_P_SPLIT_SUM_, SPARSE_P_IS_ANY split)(storage, letter, split), loop, format, unique, order, n,    \
       (SPARSE_P_OFFSET((SPARSE_P_EACHG(SPARSE_P_TERM_TEXT, , SPARSE_P_TERMS_OF x)), SPARSE_P_CONSTANTS_OF x)), (0plus, x))
#define SPARSE_P_SUM_LEVEL_0dim(edge, storage, format) SPARSE_P_CAT3(SPARSE_P_SUM_LEVEL_, edge, storage)(format)
#define SPARSE_P_SUM_LEVEL_0valid0dense(format)        0dense_sum, format
#define SPARSE_P_SUM_LEVEL_0valid0sparse(format)                                                                            \
    0sparse_sum, SPARSE_P_CAT(SPARSE_P_SUM_OVER_, SPARSE_P_LEVEL_CELL(ALL, format))(format)
#define SPARSE_P_SUM_OVER_1(format)                   format
#define SPARSE_P_SUM_OVER_0(format)                   0shifted_bitmap
#define SPARSE_P_SUM_LEVEL_0valid0unavailable(format) 0unavailable, format
#define SPARSE_P_SUM_LEVEL_0padded0dense(format)                                                                            \
    0sparse_sum, SPARSE_P_CAT(SPARSE_P_SHIFTED_, SPARSE_P_LEVEL_CELL(WITHIN, format))
#define SPARSE_P_SHIFTED_0same                             0shifted
#define SPARSE_P_SHIFTED_batch                             0shifted_batch
#define SPARSE_P_SUM_LEVEL_0padded0sparse                  SPARSE_P_SUM_LEVEL_0valid0sparse
#define SPARSE_P_SUM_LEVEL_0padded0unavailable(format)     0unavailable, format
#define SPARSE_P_SUM_LEVEL_0bad(edge, storage, format)     0unavailable, format
#define SPARSE_P_SUM_LEVEL_floordiv(edge, storage, format) 0part_slice, format
#define SPARSE_P_SUM_LEVEL_mod(edge, storage, format)      0part_slice, format
#define SPARSE_P_SUM_LEVEL_count(edge, storage, format)    0part_slice, format
#define SPARSE_P_SUM_LEVEL_minus(edge, storage, format)    0part_slice, format
#define SPARSE_P_RAW_LEVEL_0dim(letter, loops, storage, format, unique, order, n, c, dims, indices)                         \
    , (SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_SPLIT_##storage, SPARSE_P_NZ(SPARSE_P_POS(letter##_block, loops))), storage),  \
       letter, SPARSE_P_POS(letter, loops), format, unique, order, n, letter, (0dim, 0))
#define SPARSE_P_RAW_LEVEL_floordiv(letter, loops, storage, format, unique, order, n, c, dims, indices)                     \
    SPARSE_P_CAT(SPARSE_P_RAW_LEVEL_BLOCK_, SPARSE_P_NZ(SPARSE_P_POS(letter##_block, loops)))                               \
    (loops, storage, format, unique, order, n, c, letter)
#define SPARSE_P_RAW_LEVEL_BLOCK_1(loops, storage, format, unique, order, n, c, letter)                                     \
    , (storage, letter##_block, SPARSE_P_POS(letter##_block, loops), format, unique, order, n, letter##_block, (floordiv, c))
#define SPARSE_P_RAW_LEVEL_BLOCK_0(loops, storage, format, unique, order, n, c, letter)                                     \
    , (0divided, letter, 0, format, unique, order, n, letter, (floordiv, c))
#define SPARSE_P_RAW_LEVEL_0bad(letter, loops, storage, format, unique, order, n, c, dims, indices)                         \
    , (0unavailable, letter, 0, format, unique, order, n, letter, (0dim, 0))
#define SPARSE_P_RAW_LEVEL_mod(letter, loops, storage, format, unique, order, n, c, dims, indices)                          \
    , (SPARSE_P_CAT(SPARSE_P_SPLIT_, SPARSE_P_NZ(SPARSE_P_POS(letter##_block, loops)))(storage), letter,                    \
       SPARSE_P_POS(letter, loops), format, unique, order, n, letter##_inner, (mod, c))
#define SPARSE_P_RAW_LEVEL_count(letter, loops, storage, format, unique, order, n, c, dims, indices)                        \
    , (SPARSE_P_CAT(SPARSE_P_COUNT_LEVEL_, SPARSE_P_NZ(SPARSE_P_POS(letter##_count, loops))), letter##_count,               \
       SPARSE_P_POS(letter##_count, loops), 0counted, unique, order, n, letter##_count, (count, c))
#define SPARSE_P_COUNT_LEVEL_0 0no_count
#define SPARSE_P_COUNT_LEVEL_1 0dense_count
#define SPARSE_P_RAW_LEVEL_minus(letter, loops, storage, format, unique, order, n, c, dims, indices)                        \
    SPARSE_P_RAW_DIAGONAL(loops, storage, format, unique, order, n, letter, SPARSE_P_AT_LIST(SPARSE_P_POS(c, dims), indices))
#define SPARSE_P_RAW_DIAGONAL(loops, storage, format, unique, order, n, letter, other)                                      \
    SPARSE_P_BY_PAREN(SPARSE_P_RAW_DIAGONAL_, other)                                                                        \
    (loops, storage, format, unique, order, n, letter, other)
#define SPARSE_P_RAW_DIAGONAL_0(loops, storage, format, unique, order, n, letter, other)                                    \
    , (SPARSE_P_CAT(SPARSE_P_MINUS_LEVEL_##storage, SPARSE_P_NZ(SPARSE_P_POS(letter##_diagonal, loops))),                   \
       letter##_diagonal, SPARSE_P_POS(letter##_diagonal, loops), format, unique, order, n, letter##_diagonal,              \
       (minus, SPARSE_P_SANE(other)))
#define SPARSE_P_RAW_DIAGONAL_1(loops, storage, format, unique, order, n, letter, other)                                    \
    , (0part_slice, letter, 0, format, unique, order, n, letter, (minus, other))
#define SPARSE_P_MINUS_LEVEL_0dense0  0no_minus
#define SPARSE_P_MINUS_LEVEL_0sparse0 0no_minus
#define SPARSE_P_MINUS_LEVEL_0dense1  0dense_minus
#define SPARSE_P_MINUS_LEVEL_0sparse1 0sparse_minus
/* SPLIT marks a level as divided, which is refused, if only the loops or only the level splits its index into blocks. */
#define SPARSE_P_SPLIT_0sparse1   ~, 0divided
#define SPARSE_P_SPLIT_0(storage) 0divided
#define SPARSE_P_SPLIT_1(storage) storage
/* A level over a sum is divided, too, if the loops split the index of one of the terms into blocks. */
#define SPARSE_P_SPLIT_TERM(loops, term) SPARSE_P_SPLIT_TERM_(loops, SPARSE_P_ID term)
#define SPARSE_P_SPLIT_TERM_(...)        SPARSE_P_SPLIT_TERM__(__VA_ARGS__)
#define SPARSE_P_SPLIT_TERM__(loops, loop, c, i)                                                                            \
    SPARSE_P_CAT(SPARSE_P_SPLIT_TERM_, SPARSE_P_NZ(SPARSE_P_POS(i##_block, loops)))(i)
#define SPARSE_P_SPLIT_TERM_0(i)
#define SPARSE_P_SPLIT_TERM_1(i)                     , i
#define SPARSE_P_SPLIT_SUM_0(storage, letter, split) storage, letter
#define SPARSE_P_SPLIT_SUM_1(storage, letter, split)                                                                        \
    SPARSE_P_SECOND(SPARSE_P_SPLIT_SUM_##storage, SPARSE_P_SPLIT_SUM_0)(storage, letter, split)
#define SPARSE_P_SPLIT_SUM_0sparse_sum                     ~, SPARSE_P_SPLIT_SUM_DIVIDED
#define SPARSE_P_SPLIT_SUM_DIVIDED(storage, letter, split) 0divided, SPARSE_P_SECOND split
/* SPARSE_TENSOR refuses an unknown level type. A level type without a row in table LEVEL is a valid type, but no kernel
   can traverse it. */
#define SPARSE_P_STORED_0(format)  SPARSE_P_STORED_KNOWN(SPARSE_P_STORED_IS_##format, 0none, SPARSE_P_LEVEL_ROW_##format, ~)
#define SPARSE_P_STORED_KNOWN(...) SPARSE_P_STORED_KNOWN_(__VA_ARGS__)
#define SPARSE_P_STORED_KNOWN_(z, format, ...)                                                                              \
    SPARSE_P_BY_PAREN(SPARSE_P_STORED_KNOWN_, SPARSE_P_LEVEL_ROW_##format)(z, format, __VA_ARGS__)
#define SPARSE_P_STORED_KNOWN_1(storage, format, unique, order, n, ...) storage, format, unique, order, n
#define SPARSE_P_STORED_KNOWN_0(z, none, row, ...)                      SPARSE_P_BY_PAREN(SPARSE_P_STORED_OTHER_, row)
#define SPARSE_P_STORED_OTHER_0                                         SPARSE_P_STORED_IS_dense
#define SPARSE_P_STORED_OTHER_1                                         0sparse, 0none, 0unique, 0ordered, 0
#define SPARSE_P_STORED_1(format)                                       SPARSE_P_STORED_OF_##format

/* ADD_LEVEL(state, raw level) -> the state with one more level. The state is (PLACED, ABOVE, NUMBER, (levels), UNIQUE,
   HEAD, AOS, BATCH). PLACED, ABOVE and NUMBER describe the last level so far. UNIQUE is the cell BELOW of that level, HEAD
   its cell HEAD_OF, and AOS is yes if an AoS singleton was added. BATCH is (batch, the number of the last batch level),
   (count, the loop over slices), or (root, 0) if the level is below neither. */
#define SPARSE_P_ADD_LEVEL(state, x) SPARSE_P_ADD_LEVEL_(SPARSE_P_ID state, SPARSE_P_ID x)
#define SPARSE_P_ADD_LEVEL_(...)     SPARSE_P_ADD_LEVEL__(__VA_ARGS__)
#define SPARSE_P_ADD_LEVEL__(placed, above, number, levels, parent, head, aos, batch, storage, letter, loop, format,        \
                             unique, order, n, variable, c)                                                                 \
    SPARSE_P_LEVEL3(SPARSE_P_CAT(SPARSE_P_LATER_, SPARSE_P_CMP(loop, placed))(loop, placed), above, SPARSE_P_INC_##number,  \
                    SPARSE_P_SOUND(storage, parent, format, SPARSE_P_CMP(loop, placed), batch), letter, loop, format,       \
                    unique, order, n, variable, c, placed, parent, head, aos, batch, SPARSE_P_ID levels)
/* TABLE STORAGE: how a level is stored, and what its subscript is
   rows: 0dense 0sparse 0dense_count 0dense_minus 0sparse_minus 0dense_slice 0dense_sum 0dense_sum_slice 0sparse_sum 0like
   0repeated 0early 0early_sum 0divided 0unavailable 0no_minus 0no_count 0part_slice
     SPARSE       1 if it is sparse, or refused
     WALKED       1 if it has a walk: then its loop must run inside the loop of the level above
     EARLY        the storage that the level gets if its loop runs outside the loop of the level above
     SLICED       (storage) -> the storage of this level in a slice of the same tensor
     LOCATE       its position, computed from its coordinate
     0read        the error if an operand has such a level, or nothing
     0optional    the error in an operand that may be absent. A row without a cell in this column, or in the next two, has
                  the cell of column 0read
     0written     the error in an output
     0built       the error in an output that is assembled
     SIZED        1 if positions are computed from the size of the level, and not from the size of its index

   The subscript of a level is an index, a count, a difference (minus) or a sum. _slice is a level of a slice. like is a
   level of an output that has the pattern of another operand.
   The other rows are refused. repeated: an index occurs twice. early, early_sum: the loop of this level runs outside the
   loop of a level above. divided: only the level or only the loops divide the index. unavailable: the level type cannot
   stand at this position. no_minus, no_count: the loops must be over a difference or a count. part_slice: a part of an
   index, in a slice. */
#define SPARSE_P_STORAGE_CELL(column, row)                                                                                  \
    SPARSE_P_CELL(SPARSE_P_STORAGE_##row##_##column SPARSE_P_STORAGE_default_##column, ~)
/* STORAGE_WHY: the cell of a column of errors. If the row has none, it is the cell of column 0read. */
#define SPARSE_P_STORAGE_WHY(column, row)                                                                                   \
    SPARSE_P_CELL(SPARSE_P_STORAGE_##row##_##column, SPARSE_P_STORAGE_CELL(0read, row), ~)
#define SPARSE_P_NO_ERROR                    SPARSE_P_DROP
#define SPARSE_P_AS_DENSE_SLICE(storage)     0dense_slice
#define SPARSE_P_AS_DENSE_SUM_SLICE(storage) 0dense_sum_slice
#define SPARSE_P_AS_PART_SLICE(storage)      0part_slice
#define SPARSE_P_STORAGE_default_EARLY       , 0early
#define SPARSE_P_STORAGE_default_SPARSE      , 1
#define SPARSE_P_STORAGE_default_WALKED      , 0
#define SPARSE_P_STORAGE_default_SLICED      , SPARSE_P_ID
#define SPARSE_P_STORAGE_default_LOCATE      , SPARSE_P_DROP
#define SPARSE_P_STORAGE_default_0read       , SPARSE_P_DROP
#define SPARSE_P_STORAGE_default_0optional   , SPARSE_P_DROP
#define SPARSE_P_STORAGE_default_0written    , SPARSE_P_DROP
#define SPARSE_P_STORAGE_default_0built      , SPARSE_P_DROP
#define SPARSE_P_STORAGE_default_SIZED       , 0

#define SPARSE_P_STORAGE_0dense_SPARSE , 0
#define SPARSE_P_STORAGE_0dense_SLICED , SPARSE_P_AS_DENSE_SLICE
#define SPARSE_P_STORAGE_0dense_LOCATE , SPARSE_P_LOCATED

#define SPARSE_P_STORAGE_0sparse_WALKED , 1

#define SPARSE_P_STORAGE_0dense_count_SPARSE    , 0
#define SPARSE_P_STORAGE_0dense_count_SLICED    , SPARSE_P_AS_PART_SLICE
#define SPARSE_P_STORAGE_0dense_count_LOCATE    , SPARSE_P_LOCATED
#define SPARSE_P_STORAGE_0dense_count_0optional , SPARSE_P_ERROR_IS_DEALT
#define SPARSE_P_STORAGE_0dense_count_0written  , SPARSE_P_ERROR_DERIVED
#define SPARSE_P_STORAGE_0dense_count_0built    , SPARSE_P_ERROR_DERIVED

#define SPARSE_P_STORAGE_0dense_minus_SPARSE   , 0
#define SPARSE_P_STORAGE_0dense_minus_SLICED   , SPARSE_P_AS_PART_SLICE
#define SPARSE_P_STORAGE_0dense_minus_LOCATE   , SPARSE_P_LOCATED
#define SPARSE_P_STORAGE_0dense_minus_0written , SPARSE_P_ERROR_DERIVED
#define SPARSE_P_STORAGE_0dense_minus_0built   , SPARSE_P_ERROR_DERIVED

#define SPARSE_P_STORAGE_0sparse_minus_WALKED   , 1
#define SPARSE_P_STORAGE_0sparse_minus_SLICED   , SPARSE_P_AS_PART_SLICE
#define SPARSE_P_STORAGE_0sparse_minus_0written , SPARSE_P_ERROR_DERIVED
#define SPARSE_P_STORAGE_0sparse_minus_0built   , SPARSE_P_ERROR_DERIVED

#define SPARSE_P_STORAGE_0dense_slice_SPARSE , 0
#define SPARSE_P_STORAGE_0dense_slice_LOCATE , SPARSE_P_LOCATE_IN_SLICE

#define SPARSE_P_STORAGE_0dense_sum_SPARSE , 0
#define SPARSE_P_STORAGE_0dense_sum_SLICED , SPARSE_P_AS_DENSE_SUM_SLICE
#define SPARSE_P_STORAGE_0dense_sum_LOCATE , SPARSE_P_LOCATE_SUM
#define SPARSE_P_STORAGE_0dense_sum_0built , SPARSE_P_ERROR_SUM_BUILT
#define SPARSE_P_STORAGE_0dense_sum_SIZED  , 1

#define SPARSE_P_STORAGE_0dense_sum_slice_SPARSE , 0
#define SPARSE_P_STORAGE_0dense_sum_slice_LOCATE , SPARSE_P_LOCATE_SUM_IN_SLICE

#define SPARSE_P_STORAGE_0sparse_sum_EARLY    , 0early_sum
#define SPARSE_P_STORAGE_0sparse_sum_WALKED   , 1
#define SPARSE_P_STORAGE_0sparse_sum_0written , SPARSE_P_ERROR_SUM_BUILT
#define SPARSE_P_STORAGE_0sparse_sum_0built   , SPARSE_P_ERROR_SUM_BUILT

#define SPARSE_P_STORAGE_0like_SPARSE , 0
#define SPARSE_P_STORAGE_0like_LOCATE , SPARSE_P_LOCATE_LIKE

#define SPARSE_P_STORAGE_0repeated_0read , SPARSE_P_ERROR_REPEATED

#define SPARSE_P_STORAGE_0early_0built , SPARSE_P_NO_ERROR
#define SPARSE_P_STORAGE_0early_0read  , SPARSE_P_ERROR_OUT_OF_ORDER

#define SPARSE_P_STORAGE_0early_sum_0read  , SPARSE_P_ERROR_SUM_ORDER
#define SPARSE_P_STORAGE_0early_sum_0built , SPARSE_P_ERROR_SUM_BUILT

#define SPARSE_P_STORAGE_0divided_0read , SPARSE_P_ERROR_BLOCKS

#define SPARSE_P_STORAGE_0unavailable_0read , SPARSE_P_ERROR_TYPE

#define SPARSE_P_STORAGE_0no_minus_SLICED , SPARSE_P_AS_PART_SLICE
#define SPARSE_P_STORAGE_0no_minus_0read  , SPARSE_P_ERROR_NO_DIAGONALS

#define SPARSE_P_STORAGE_0no_count_SLICED , SPARSE_P_AS_PART_SLICE
#define SPARSE_P_STORAGE_0no_count_0read  , SPARSE_P_ERROR_NO_COUNT

#define SPARSE_P_STORAGE_0part_slice_0read , SPARSE_P_ERROR_PART_SLICED
/* The error of a level whose loop comes too early. If its subscript is a sum, plus(i, p), the message quotes the sum as
   the line has it. */
#define SPARSE_P_ERROR_OUT_OF_ORDER(kernel, letters, name, i, part) SPARSE_P_ERROR_ORDER(kernel, letters, name, i, #i)
#define SPARSE_P_ERROR_SUM_ORDER(kernel, letters, name, i, part)                                                            \
    SPARSE_P_ERROR_ORDER(kernel, letters, name, i, SPARSE_P_APPLY(SPARSE_P_SUM_QUOTED, SPARSE_P_SECOND part))
#define SPARSE_P_ERROR_ORDER(kernel, letters, name, i, stored)                                                              \
    , (#kernel ": operand " #name ": its levels store " stored " below an index that the loops reach only after " #i        \
               "; reorder the loops " SPARSE_P_QUOTE_LOOPS(SPARSE_P_EACHH(SPARSE_P_LOOP_AS, , (, SPARSE_P_ID letters)),     \
                                                           (~)) ", or sparse_convert " #name " if others need this order")
/* The message lists the loops. Loops that the operands of a where() cannot see are 0 here, and are left out. */
#define SPARSE_P_LOOP_AS(z, i) SPARSE_P_BY_PAREN(SPARSE_P_LOOP_AS_, i)(i)
#define SPARSE_P_LOOP_AS_0(i)  SPARSE_P_BY_PAREN_(SPARSE_P_LOOP_SEEN_, SPARSE_P_UNSEEN_##i, 0, ~)(i)
#define SPARSE_P_LOOP_AS_1(i)
#define SPARSE_P_UNSEEN_0       ~, 1
#define SPARSE_P_LOOP_SEEN_0(i) , i
#define SPARSE_P_LOOP_SEEN_1(i)
#define SPARSE_P_QUOTE_LOOPS(...)        SPARSE_P_QUOTE_LOOPS_(__VA_ARGS__)
#define SPARSE_P_QUOTE_LOOPS_(z, i, ...) "(" #i SPARSE_P_EACHH(SPARSE_P_QUOTE_LOOP, , (, __VA_ARGS__)) ")"
#define SPARSE_P_QUOTE_LOOP(z, i)        SPARSE_P_BY_PAREN(SPARSE_P_QUOTE_LOOP_, i)(i)
#define SPARSE_P_QUOTE_LOOP_0(i)         ", " #i
#define SPARSE_P_QUOTE_LOOP_1(i)
#define SPARSE_P_SUM_QUOTED(edge, terms, constants, written)                                                                \
    SPARSE_P_QUOTE_SUM(                                                                                                     \
        SPARSE_P_TAIL(SPARSE_P_EACHH(SPARSE_P_TERM_AS, , written) SPARSE_P_EACHH(SPARSE_P_CONSTANT_AS, , constants)))
#define SPARSE_P_QUOTE_SUM(...)         SPARSE_P_QUOTE_SUM_(__VA_ARGS__)
#define SPARSE_P_QUOTE_SUM_(...)        "plus(" #__VA_ARGS__ ")"
#define SPARSE_P_TERM_AS(z, term)       SPARSE_P_TERM_AS_ term
#define SPARSE_P_TERM_AS_(loop, c, i)   SPARSE_P_CAT(SPARSE_P_TERM_AS_, SPARSE_P_IS_ANY c)(c, i)
#define SPARSE_P_TERM_AS_0(c, i)        , i
#define SPARSE_P_TERM_AS_1(c, i)        , times(SPARSE_P_TEXT c, i)
#define SPARSE_P_CONSTANT_AS(z, number) , (number)
/* STORAGE_FOR: a cell of a column of errors. COLUMN_FOR_role: the column with the errors of an operand that has this
   role. */
#define SPARSE_P_STORAGE_FOR(column, storage) SPARSE_P_STORAGE_WHY(column, storage)
#define SPARSE_P_COLUMN_FOR_0must             0read
#define SPARSE_P_COLUMN_FOR_0update           0read
#define SPARSE_P_COLUMN_FOR_0like             0read
#define SPARSE_P_COLUMN_FOR_0may              0optional
#define SPARSE_P_COLUMN_FOR_0not              0optional
#define SPARSE_P_COLUMN_FOR_0write            0written
#define SPARSE_P_COLUMN_FOR_0built            0built
/* SOUND(storage, parent, FORMAT, when, batch) -> storage. `when` compares the loop of the level with the loop of the level
   above: before, here or after. SOUND yields early if the loop of the level comes too early, and repeated if both levels
   have the same loop. It yields unavailable if the level cannot stand below a level like its parent, or in a batch or a
   slice. */
#define SPARSE_P_SOUND(storage, parent, format, when, batch)                                                                \
    SPARSE_P_CAT(SPARSE_P_SOUND_, SPARSE_P_CAT(SPARSE_P_FOLLOWS_, parent)(format, SPARSE_P_FIRST batch))                    \
    (storage, when)
#define SPARSE_P_SOUND_1(storage, when) SPARSE_P_CAT3(SPARSE_P_SOUND_, SPARSE_P_STORAGE_CELL(WALKED, storage), when)(storage)

#define SPARSE_P_SOUND_10before(storage)           SPARSE_P_STORAGE_CELL(EARLY, storage)
#define SPARSE_P_SOUND_10here(storage)             0repeated
#define SPARSE_P_SOUND_10after(storage)            storage
#define SPARSE_P_SOUND_00before(storage)           storage
#define SPARSE_P_SOUND_00here(storage)             storage
#define SPARSE_P_SOUND_00after(storage)            storage
#define SPARSE_P_SOUND_0(storage, when)            0unavailable
#define SPARSE_P_FOLLOWS_0unique(format, below)    SPARSE_P_HAS_RANGE(SPARSE_P_LEVEL_BELOW(format, below))
#define SPARSE_P_HAS_RANGE(format)                 SPARSE_P_HAS_RANGE_OF(format)
#define SPARSE_P_HAS_RANGE_OF(format)              SPARSE_P_HAS_CELL(SPARSE_P_RANGE_##format##_LO)
#define SPARSE_P_FOLLOWS_0nonunique(format, below) SPARSE_P_LEVEL_CELL(FOLLOWS, format)
#define SPARSE_P_FOLLOWS_0neither                  SPARSE_P_FOLLOWS_0nonunique
/* LEVEL_BELOW(format, root | batch | count) -> the format that the level has at the root, in a batch or in a slice */
#define SPARSE_P_LEVEL_BELOW(format, below) SPARSE_P_CAT(SPARSE_P_LEVEL_BELOW_, below)(format)
#define SPARSE_P_LEVEL_BELOW_0root(format)  format
#define SPARSE_P_LEVEL_BELOW_batch(format)  SPARSE_P_LEVEL_CELL(BATCHED, format)
#define SPARSE_P_LEVEL_BELOW_count(format)  SPARSE_P_LEVEL_CELL(DEALT, format)
#define SPARSE_P_LATER_0before(l, p)        p
#define SPARSE_P_LATER_0here(l, p)          l
#define SPARSE_P_LATER_0after(l, p)         l
#define SPARSE_P_LEVEL3(...)                SPARSE_P_LEVEL4(__VA_ARGS__)
#define SPARSE_P_LEVEL4(placed, above, number, storage, letter, loop, format, unique, order, n, variable, c, over, parent,  \
                        head, aos, batch, ...)                                                                              \
    (placed, SPARSE_P_CAT(SPARSE_P_ABOVE_, SPARSE_P_STORAGE_CELL(SPARSE, storage))(above, number), number,                  \
     (__VA_ARGS__, (number, storage, letter, loop, placed, above, format, unique, order, n, variable, c, over, parent)),    \
     SPARSE_P_BELOW_##unique##order, SPARSE_P_CAT(SPARSE_P_HEAD_OF_, SPARSE_P_LEVEL_CELL(SHARED, format))(head, number),    \
     SPARSE_P_CAT(SPARSE_P_AOS_OF_, SPARSE_P_LEVEL_CELL(SHARED, format))(aos),                                              \
     SPARSE_P_CAT(SPARSE_P_BATCH_OF_, SPARSE_P_LEVEL_CELL(WITHIN, format))(batch, number, variable))
#define SPARSE_P_ABOVE_0(above, number) above
#define SPARSE_P_ABOVE_1(above, number) number
/* BELOW: what the next level must know. Are the coordinates of this level unique? If they are not, are equal coordinates
   neighbours (nonunique), or can they be anywhere (neither)? */
#define SPARSE_P_BELOW_0unique0ordered       0unique
#define SPARSE_P_BELOW_0unique0forward       0unique
#define SPARSE_P_BELOW_0unique0nonordered    0unique
#define SPARSE_P_BELOW_0nonunique0ordered    0nonunique
#define SPARSE_P_BELOW_0nonunique0nonordered 0neither
/* HEAD_OF: the compressed level whose coordinate array a run of AoS singletons shares */
#define SPARSE_P_HEAD_OF_0(head, number)          number
#define SPARSE_P_HEAD_OF_1(head, number)          head
#define SPARSE_P_AOS_OF_0(aos)                    aos
#define SPARSE_P_AOS_OF_1(aos)                    0yes
#define SPARSE_P_BATCH_OF_0same(batch, number, v) batch
#define SPARSE_P_BATCH_OF_batch(above, number, v) (batch, number)
#define SPARSE_P_BATCH_OF_count(batch, number, v) (count, v)

/* WALK((NLEV, HEAD, AOS, BATCH), state of a level) -> , walk */
#define SPARSE_P_WALK(c, x) SPARSE_P_WALK_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_WALK_(...) SPARSE_P_WALK__(__VA_ARGS__)
#define SPARSE_P_WALK__(nlev, head, aos, batch, number, storage, ...)                                                       \
    SPARSE_P_CAT(SPARSE_P_WALKED_, SPARSE_P_STORAGE_CELL(WALKED, storage))                                                  \
    (nlev, head, aos, batch, number, __VA_ARGS__)
#define SPARSE_P_WALKED_0(...)
#define SPARSE_P_WALKED_1(nlev, head, aos, batch, number, letter, loop, placed, above, format, unique, order, n, variable,  \
                          part, over, parent)                                                                               \
    SPARSE_P_WALKED_BY(                                                                                                     \
        SPARSE_P_IS_PAREN(SPARSE_P_SECOND part), SPARSE_P_SECOND part, number, placed, above, over,                         \
        SPARSE_P_PER(format, n, SPARSE_P_ID batch),                                                                         \
        SPARSE_P_CAT(SPARSE_P_WALK_IF_, SPARSE_P_LEVEL_CELL(ALL, format))(                                                  \
            SPARSE_P_CAT3(SPARSE_P_WALKS_, unique##order, SPARSE_P_CMP(number, nlev))),                                     \
        parent, SPARSE_P_CAT(SPARSE_P_ADDRESS_IF_, SPARSE_P_LEVEL_CELL(ARRAY, format))(format, aos, number, head, nlev))
#define SPARSE_P_WALKED_BY(...)          SPARSE_P_WALKED_BY_(__VA_ARGS__)
#define SPARSE_P_WALKED_BY_(is_sum, ...) SPARSE_P_CAT(SPARSE_P_WALKED_BY_, is_sum)(__VA_ARGS__)
#define SPARSE_P_WALKED_BY_0(x, number, placed, above, over, format, n, walk, parent, head, stride, offset)                 \
    , (number, placed, above, (format, n, walk, parent, head, stride, offset))
/* A level over a sum has a walk in each loop over a term of the sum (Liu et al. 2024, section 3). In the loops (i, j, p,
   q), I(plus(i, p), plus(j, q)) with two compressed levels (DCSR) has the walks

     1s   loop i: a subsection of level 1. Visits each i for which level 1 stores a coordinate in [i, i + p_size)
     2s   loop j: a spread of level 2, see SPREAD
     1    loop p: a window of level 1. Visits the stored coordinates in [i, i + p_size). So p resolves the sum
     2    loop q: a window of level 2

   1s and 2s are named after their loops. A subsection counts as a level above the window. The iterators are

     (subsection, (subsection, NUMBER, FORMAT, N, STRIDE, FROM, OFFSET, COEFFICIENT, letter, TERMS, PAD), subsections,
      PARENT, NUMBER, offset, 0)
     (window | sweep, (FORMAT, N, STRIDE, FROM, OFFSET, COEFFICIENT, letter, PAD), WALK, PARENT, NUMBER, 0v1, 0)

   WALK and the last three fields of a window are as in a slice. The other fields are

     NUMBER                 the level
     FORMAT, N, STRIDE      of the walk that the level would have without a sum
     FROM                   where the search begins: in subsection FROM; (FROM): where spread FROM has arrived; 0: at the
                            first position below the parent
     OFFSET                 the part of the sum that the loops outside of this one determine
     COEFFICIENT, letter    the term of this loop
     TERMS                  the terms of the loops inside of this one: (, ((, COEFFICIENT), letter) ...)
     PAD                    how far the constants of the sum are below zero

   A loop over a term has a subsection if the position in the level above is known before it. It has a spread if a set of
   possible parents is known. Otherwise the loop visits every coordinate. */
#define SPARSE_P_WALKED_BY_1(x, number, placed, above, over, format, n, walk, parent, head, stride, ...)                    \
    SPARSE_P_WALKED_SUM(x, number, placed, above, over, format, n, walk, parent, stride,                                    \
                        (SPARSE_P_EACHG(SPARSE_P_SUBSECTION, (over, placed, format), SPARSE_P_TERMS_OF x)),                 \
                        SPARSE_P_UNPACK(SPARSE_P_LAST_TERM(x)))
#define SPARSE_P_WALKED_SUM(...) SPARSE_P_WALKED_SUM_(__VA_ARGS__)
#define SPARSE_P_WALKED_SUM_(x, number, placed, above, over, format, n, walk, parent, stride, subsections, loop, c, i)      \
    SPARSE_P_EACHG(SPARSE_P_WALK_SUBSECTION, (x, number, above, format, n, parent, stride, subsections), subsections),      \
        (number, placed, 0,                                                                                                 \
         (SPARSE_P_CAT(SPARSE_P_WINDOW_IF_, SPARSE_P_LEVEL_CELL(ARRAY, format))(x, loop, format),                           \
          (format, n, stride,                                                                                               \
           SPARSE_P_FOLDF(SPARSE_P_RIGHT, (, 0 SPARSE_P_EACHG(SPARSE_P_SUBSECTION_NUMBER, , subsections))),                 \
           SPARSE_P_OFFSET((SPARSE_P_EACHG(SPARSE_P_TERM_BEFORE, loop, SPARSE_P_TERMS_OF x)), SPARSE_P_CONSTANTS_OF x),     \
           SPARSE_P_FACTOR(c), i, SPARSE_P_PAD(SPARSE_P_CONSTANTS_OF x)),                                                   \
          SPARSE_P_CAT(SPARSE_P_WALK_OVER_, SPARSE_P_IS_ANY c)(walk), parent, number, SPARSE_P_SLICED_CRD(stride), 0))
#define SPARSE_P_WALK_OVER_0(walk) SPARSE_P_WALK_CELL(SUMMED, walk)(walk)
#define SPARSE_P_WALK_OVER_1(walk) SPARSE_P_WALK_CELL(SLICED, walk)(walk)
/* In plus(i, p), i usually has a long range, and p a small window. So a loop over the first term searches for the end of
   the window before it starts. In a loop over another term, each iteration tests whether it has reached the end. */
#define SPARSE_P_WINDOW_IF_1(x, loop, format) SPARSE_P_CAT(SPARSE_P_WINDOW_OF_, SPARSE_P_CMP(SPARSE_P_FIRST_LOOP x, loop))
#define SPARSE_P_WINDOW_IF_0(x, loop, format) format
#define SPARSE_P_WINDOW_OF_0before            0window
#define SPARSE_P_WINDOW_OF_0here              0sweep

#define SPARSE_P_WINDOW_OF_0after                            0window
#define SPARSE_P_FIRST_LOOP(edge, terms, constants, written) SPARSE_P_FIRST(SPARSE_P_UNPACK(SPARSE_P_SECOND written))
/* SUBSECTION((OVER, PLACED, FORMAT), term) -> , term if the loop of the term is between loops OVER and PLACED, and the
   level has an array of coordinates, or of bits, that can be searched. Loop OVER gives the position in the level above,
   loop PLACED the position in this level. */
#define SPARSE_P_SUBSECTION(c, term) SPARSE_P_SUBSECTION_(SPARSE_P_ID c, SPARSE_P_FIRST term, term)
#define SPARSE_P_SUBSECTION_(...)    SPARSE_P_SUBSECTION__(__VA_ARGS__)
#define SPARSE_P_SUBSECTION__(over, placed, format, loop, term)                                                             \
    SPARSE_P_IF_BEFORE(over, loop)                                                                                          \
    (SPARSE_P_IF_BEFORE(loop, placed)(                                                                                      \
        SPARSE_P_CAT3(SPARSE_P_SEARCHED_, SPARSE_P_LEVEL_CELL(ARRAY, format), SPARSE_P_LEVEL_CELL(ALL, format))))(term)
#define SPARSE_P_SEARCHED_01(term)
#define SPARSE_P_SEARCHED_00(term)                  , term
#define SPARSE_P_SEARCHED_11(term)                  , term
#define SPARSE_P_SUBSECTION_NUMBER(z, term)         SPARSE_P_SUBSECTION_NUMBER_ term
#define SPARSE_P_SUBSECTION_NUMBER_(loop, c, i)     , loop##s
#define SPARSE_P_SUBSECTION_BEFORE(d, term)         SPARSE_P_SUBSECTION_BEFORE_(d, SPARSE_P_ID term)
#define SPARSE_P_SUBSECTION_BEFORE_(...)            SPARSE_P_SUBSECTION_BEFORE__(__VA_ARGS__)
#define SPARSE_P_SUBSECTION_BEFORE__(d, loop, c, i) SPARSE_P_CAT(SPARSE_P_BEFORE_, SPARSE_P_CMP(loop, d))(loop##s)
/* BASE_AND_TERMS(sum, loop, c, i) -> OFFSET, COEFFICIENT, letter, TERMS, PAD of the subsections that a loop over c * i
   visits */
#define SPARSE_P_BASE_AND_TERMS(x, loop, c, i)                                                                              \
    SPARSE_P_OFFSET((SPARSE_P_EACHH(SPARSE_P_TERM_BEFORE, loop, SPARSE_P_TERMS_OF x)), SPARSE_P_CONSTANTS_OF x),            \
        SPARSE_P_FACTOR(c), i, (SPARSE_P_EACHH(SPARSE_P_REACH_AFTER, loop, SPARSE_P_TERMS_OF x)),                           \
        SPARSE_P_PAD(SPARSE_P_CONSTANTS_OF x)
#define SPARSE_P_WALK_SUBSECTION(c, term) SPARSE_P_WALK_SUBSECTION_(SPARSE_P_ID c, SPARSE_P_ID term)
#define SPARSE_P_WALK_SUBSECTION_(...)    SPARSE_P_WALK_SUBSECTION__(__VA_ARGS__)
#define SPARSE_P_WALK_SUBSECTION__(x, number, above, format, n, parent, stride, subsections, loop, c, i)                    \
    , (loop##s, loop, 0,                                                                                                    \
       (0subsection,                                                                                                        \
        (0subsection, number, format, n, stride,                                                                            \
         SPARSE_P_FOLDF(SPARSE_P_RIGHT, (, 0 SPARSE_P_EACHH(SPARSE_P_SUBSECTION_BEFORE, loop, subsections))),               \
         SPARSE_P_BASE_AND_TERMS(x, loop, c, i)),                                                                           \
        0subsections, parent, number, 0offset, 0))
#define SPARSE_P_WALK_IF_1(walk)    walk
#define SPARSE_P_WALK_IF_0(walk)    SPARSE_P_WALK_OF_SOME(walk)
#define SPARSE_P_WALK_OF_SOME(walk) SPARSE_P_WALK_CELL(SLICED, walk)(walk)
#define SPARSE_P_ADDRESS_IF_1(format, aos, number, head, nlev)                                                              \
    SPARSE_P_CAT3(SPARSE_P_ADDRESS_, aos, SPARSE_P_CMP(number, head))(number, head, nlev)
#define SPARSE_P_ADDRESS_IF_0(format, aos, number, head, nlev) number, format, 0
/* PER: the field N of a walk. Below batch levels, N is the number of the last of them. Below slices, N is the loop over
   the slices. */
#define SPARSE_P_PER(...)                     SPARSE_P_PER_(__VA_ARGS__)
#define SPARSE_P_PER_(format, n, kind, k)     SPARSE_P_PER_##kind(format, n, k)
#define SPARSE_P_PER_0root(format, n, k)      format, n
#define SPARSE_P_PER_batch(format, n, k)      SPARSE_P_PER_OF(SPARSE_P_LEVEL_CELL(BATCHED, format), n, k)
#define SPARSE_P_PER_count(format, n, k)      SPARSE_P_PER_OF(SPARSE_P_LEVEL_CELL(DEALT, format), n, k)
#define SPARSE_P_PER_OF(format, n, k)         format, SPARSE_P_CAT(SPARSE_P_PER_N_, SPARSE_P_RANGE_CELL(NEEDS, format))(n, k)
#define SPARSE_P_PER_N_0n(n, k)               n
#define SPARSE_P_PER_N_0above(n, k)           k
#define SPARSE_P_WALKS_0unique0ordered0before 0ascending
#define SPARSE_P_WALKS_0unique0ordered0here   0ascending
#define SPARSE_P_WALKS_0unique0forward0before 0forward
#define SPARSE_P_WALKS_0unique0forward0here   0forward

#define SPARSE_P_WALKS_0nonunique0ordered0before    0segments
#define SPARSE_P_WALKS_0nonunique0ordered0here      0duplicates
#define SPARSE_P_WALKS_0unique0nonordered0before    0shuffled
#define SPARSE_P_WALKS_0unique0nonordered0here      0shuffled
#define SPARSE_P_WALKS_0nonunique0nonordered0before 0shuffled_segments
#define SPARSE_P_WALKS_0nonunique0nonordered0here   0shuffled_duplicates
/* WALKS_OF_1(levels, batch, walks): the walks and the spreads of a tensor with sums, in the order of the loops. The field
   ABOVE of each is the number of the one before it. */
#define SPARSE_P_WALKS_OF_0(levels, batch, walks) walks
#define SPARSE_P_WALKS_OF_1(levels, batch, walks)                                                                           \
    SPARSE_P_CHAINED((SPARSE_P_ID walks SPARSE_P_SPREADS(levels, SPARSE_P_ID batch)))
#define SPARSE_P_CHAINED(walks)                                                                                             \
    SPARSE_P_CHAINED_((SPARSE_P_EACHF(SPARSE_P_WALKS_AT, walks, (, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))))
#define SPARSE_P_CHAINED_(walks)                                                                                            \
    SPARSE_P_SECOND(SPARSE_P_UNPACK(SPARSE_P_FOLDD(SPARSE_P_CHAIN, (, (0, (), ())SPARSE_P_ID walks))))
#define SPARSE_P_WALKS_AT(walks, d) SPARSE_P_EACHG(SPARSE_P_WALK_AT, d, walks)
#define SPARSE_P_WALK_AT(d, walk)   SPARSE_P_CAT(SPARSE_P_HERE_, SPARSE_P_CMP(SPARSE_P_SECOND walk, d))(walk)
/* CHAIN((the last walk, walks, (, (level, spread) ...)), walk) -> the state with this walk added. If a spread has
   searched the level below several parents, the window of the level continues where the spread found its entries. */
#define SPARSE_P_CHAIN(u, v) SPARSE_P_CHAIN_(SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_CHAIN_(...) SPARSE_P_CHAIN__(__VA_ARGS__)
#define SPARSE_P_CHAIN__(last, walks, spreads, number, placed, above, iterator)                                             \
    SPARSE_P_BY_PAREN(SPARSE_P_CHAIN_, SPARSE_P_CAT(SPARSE_P_CHAINS_, SPARSE_P_FIRST iterator))                             \
    (last, walks, spreads, number, placed, SPARSE_P_ID iterator)
#define SPARSE_P_CHAIN_0(last, walks, spreads, number, placed, ...)                                                         \
    (number, (SPARSE_P_ID walks, (number, placed, last, (__VA_ARGS__))), spreads)
#define SPARSE_P_CHAIN_1(...) SPARSE_P_CHAIN_TO(__VA_ARGS__)
#define SPARSE_P_CHAIN_TO(last, walks, spreads, number, placed, format, ...)                                                \
    SPARSE_P_CHAIN_##format(last, walks, spreads, number, placed, format, __VA_ARGS__)
#define SPARSE_P_CHAINS_0spread (~)
#define SPARSE_P_CHAINS_0window (~)
#define SPARSE_P_CHAINS_0sweep  (~)
#define SPARSE_P_CHAIN_0spread(last, walks, spreads, number, placed, format, m, walk, parent, at, ...)                      \
    (number, (SPARSE_P_ID walks, (number, placed, last, (format, m, walk, parent, at, __VA_ARGS__))),                       \
     (SPARSE_P_ID spreads, (at, number)))
#define SPARSE_P_CHAIN_0window(last, walks, spreads, number, placed, format, m, ...)                                        \
    (number,                                                                                                                \
     (SPARSE_P_ID walks,                                                                                                    \
      (number, placed, last,                                                                                                \
       (format,                                                                                                             \
        SPARSE_P_CHAIN_FROM(SPARSE_P_FOLDF(SPARSE_P_RIGHT, (, 0 SPARSE_P_EACHG(SPARSE_P_SPREAD_FOR, number, spreads))),     \
                            SPARSE_P_ID m),                                                                                 \
        __VA_ARGS__))),                                                                                                     \
     spreads)
#define SPARSE_P_CHAIN_0sweep                        SPARSE_P_CHAIN_0window
#define SPARSE_P_SPREAD_FOR(number, found)           SPARSE_P_SPREAD_FOR_(number, SPARSE_P_ID found)
#define SPARSE_P_SPREAD_FOR_(...)                    SPARSE_P_SPREAD_FOR__(__VA_ARGS__)
#define SPARSE_P_SPREAD_FOR__(number, level, spread) SPARSE_P_AT_LOOP(level, number)(SPARSE_P_ITEM)(spread)
#define SPARSE_P_CHAIN_FROM(...)                     SPARSE_P_CHAIN_FROM_(__VA_ARGS__)
#define SPARSE_P_CHAIN_FROM_(spread, format, n, stride, from, ...)                                                          \
    (format, n, stride, SPARSE_P_CAT3(SPARSE_P_CHAIN_IF_, SPARSE_P_NZ(spread), SPARSE_P_NZ(from))(spread, from), __VA_ARGS__)
#define SPARSE_P_CHAIN_IF_00(spread, from) 0
#define SPARSE_P_CHAIN_IF_01(spread, from) from
#define SPARSE_P_CHAIN_IF_10(spread, from) (spread)
#define SPARSE_P_CHAIN_IF_11(spread, from) from
/* SPREAD((M, levels, all spreads), level) -> the state with one more level. `levels` has the levels so far, each with its
   spreads.

   A spread is the walk in a loop over a term of a level's sum, if the position in the level above is not known yet, but a
   set of possible positions is. In the example at WALKED_BY_1, loop j runs before loop p selects a row of I. All rows in
   the current subsection of loop i are possible parents. The spread visits each j for which one of these rows stores a
   coordinate in [j, j + q_size) (Liu et al. 2024, Figure 10 (c)). It searches below each parent again instead of keeping a
   list, so it needs no memory from the heap. Its iterator is

     (spread, (spread, NUMBER, PER, M, PARENTS, OFFSET, COEFFICIENT, letter, TERMS, PAD), subsections,
      PARENT, NUMBER, across, 0)

     PER       how many elements of pos belong to a parent: 1 or 2; 0 if the level has no pos, as a bitmap
     M         the number of the last batch level, or 0
     PARENTS   (OVER, LAST): the possible parents, in the form that DOWN computes

   The other fields mean the same as in a subsection. */
#define SPARSE_P_SPREADS(...)              SPARSE_P_SPREADS_(__VA_ARGS__)
#define SPARSE_P_SPREADS_(levels, kind, m) SPARSE_P_SPREADS_##kind(levels, m)
#define SPARSE_P_SPREADS_count(levels, m)
#define SPARSE_P_SPREADS_0root(levels, m)                                                                                   \
    SPARSE_P_SPREADS_OF(SPARSE_P_FOLDD(SPARSE_P_SPREAD, (, (m, (), ())SPARSE_P_ID levels)))
#define SPARSE_P_SPREADS_batch     SPARSE_P_SPREADS_0root
#define SPARSE_P_SPREADS_OF(state) SPARSE_P_UNPACK(SPARSE_P_THIRD state)
#define SPARSE_P_SPREAD(u, v)      SPARSE_P_SPREAD_(SPARSE_P_ID u, v)
#define SPARSE_P_SPREAD_(...)      SPARSE_P_SPREAD__(__VA_ARGS__)
#define SPARSE_P_SPREAD__(m, above, all, level)                                                                             \
    SPARSE_P_SPREAD_TO(level, (SPARSE_P_SPREAD_OF_LEVEL(m, above, SPARSE_P_ID level)), m, above, all)
#define SPARSE_P_SPREAD_TO(level, its, m, above, all)                                                                       \
    (m, (SPARSE_P_ID above, (its, SPARSE_P_ID level)), (SPARSE_P_ID all SPARSE_P_ID its))
#define SPARSE_P_SPREAD_OF_LEVEL(...) SPARSE_P_SPREAD_OF_LEVEL_(__VA_ARGS__)
#define SPARSE_P_SPREAD_OF_LEVEL_(m, levels, number, storage, letter, loop, placed, above, format, unique, order, n,        \
                                  variable, part, over, parent)                                                             \
    SPARSE_P_CAT3(SPARSE_P_SPREAD_, SPARSE_P_IS_PAREN(SPARSE_P_SECOND part),                                                \
                  SPARSE_P_IS_PAREN(SPARSE_P_PER_PARENT_##format##unique))                                                  \
    (SPARSE_P_SECOND part, number, SPARSE_P_PER_PARENT_##format##unique, over, parent, m, levels)
#define SPARSE_P_SPREAD_00(...)
#define SPARSE_P_SPREAD_01(...)
#define SPARSE_P_SPREAD_10(...)
#define SPARSE_P_SPREAD_11(x, number, per, over, parent, m, levels)                                                         \
    SPARSE_P_EACHG(SPARSE_P_SPREAD_TERM, (x, number, per, over, parent, m, levels), SPARSE_P_TERMS_OF x)
#define SPARSE_P_SPREAD_TERM(c, term) SPARSE_P_SPREAD_TERM_(SPARSE_P_ID c, SPARSE_P_ID term)
#define SPARSE_P_SPREAD_TERM_(...)    SPARSE_P_SPREAD_TERM__(__VA_ARGS__)
#define SPARSE_P_SPREAD_TERM__(x, number, per, over, parent, m, levels, loop, c, i)                                         \
    SPARSE_P_IF_BEFORE(loop, over)                                                                                          \
    (SPARSE_P_SPREAD_AT)(x, number, per, parent, m, loop, c, i,                                                             \
                         SPARSE_P_UNPACK(SPARSE_P_FOLDA(SPARSE_P_DOWN, (, (loop, 0known, (), ~)SPARSE_P_ID levels))))
#define SPARSE_P_SPREAD_AT(...) SPARSE_P_SPREAD_AT_(__VA_ARGS__)
#define SPARSE_P_SPREAD_AT_(x, number, per, parent, m, loop, c, i, d, state, over, last)                                    \
    SPARSE_P_SPREAD_AT_##state(x, number, per, parent, m, loop, c, i, over, last)
#define SPARSE_P_SPREAD_AT_0none(...)
#define SPARSE_P_SPREAD_AT_0open(x, number, per, parent, m, loop, c, i, over, last)                                         \
    , (loop##s, loop, 0,                                                                                                    \
       (0spread, (0spread, number, SPARSE_P_UNPACK(per), m, (over, last), SPARSE_P_BASE_AND_TERMS(x, loop, c, i)),          \
        0subsections, parent, number, 0across, 0))
/* DOWN((d, STATE, (, OVER), LAST), (spreads, level)) -> the same record for the next level. The record says which positions
   in the level can contain parents of a spread in loop d. STATE is

     known    the position is known, because its loop is outside of loop d
     open     LAST describes a set of positions
     none     no such set is known

   LAST is

     (searched, (S, TERMS))   the positions in the current subsection S
     (beyond, S)              the positions that spread S has found at its current offset
     (located, WINDOW)        a range of positions in a dense level, below a known position
     (across, NUMBER)         the positions of level NUMBER that the last item of OVER describes
     (alone, NUMBER)          one position, the known parent of level NUMBER; only inside of OVER

   OVER has an item, outermost first, for each level of which no loop outside of d has searched the positions: (LAST, dense,
   WINDOW) for a dense level, and (LAST, (PER), WINDOW) for a level with an array. In an item, LAST describes the parents,
   and WINDOW the coordinates below them that count.

   A WINDOW is (NUMBER, SIZE, OFFSET, TERMS, PAD), the coordinates of level NUMBER from OFFSET - PAD on, as far as TERMS
   reach. SIZE is the index whose size the level has, or () if the level has a size of its own. Below a batch level, the
   state is none until a position is known. */
#define SPARSE_P_DOWN(u, v)        SPARSE_P_DOWN_(SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_DOWN_(...)        SPARSE_P_DOWN__(__VA_ARGS__)
#define SPARSE_P_DOWN_NONE(d, ...) (d, 0none, (), ~)
#define SPARSE_P_DOWN__(d, state, up, last, its, number, storage, letter, loop, placed, above, format, unique, order, n,    \
                        variable, part, over, parent)                                                                       \
    SPARSE_P_CAT(SPARSE_P_DOWN_, SPARSE_P_CMP(placed, d))                                                                   \
    (d, state, up, last, its, SPARSE_P_PER_PARENT_##format##unique, number, format, over, loop, variable, part)
#define SPARSE_P_DOWN_0before(d, ...) (d, 0known, (), ~)
#define SPARSE_P_DOWN_0here(d, state, up, last, its, per, number, format, over, loop, variable, part)                       \
    SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_DOWN_OVER_, SPARSE_P_FIRST part), SPARSE_P_DOWN_NONE)                             \
    (d, state, up, last, its, per, number, format, over, loop, variable, SPARSE_P_SECOND part)
#define SPARSE_P_DOWN_0after     SPARSE_P_DOWN_0here
#define SPARSE_P_DOWN_OVER_0dim  ~, SPARSE_P_DOWN_INDEX
#define SPARSE_P_DOWN_OVER_0plus ~, SPARSE_P_DOWN_SUM
#define SPARSE_P_DOWN_INDEX(d, state, up, last, its, per, number, format, over, loop, i, ...)                               \
    SPARSE_P_DOWN_TO(d, state, up, last, its, per, number, format, over, i, (, (loop, (), i)), ())
#define SPARSE_P_DOWN_SUM(d, state, up, last, its, per, number, format, over, loop, i, x)                                   \
    SPARSE_P_DOWN_TO(d, state, up, last, its, per, number, format, over, (), SPARSE_P_TERMS_OF x, SPARSE_P_CONSTANTS_OF x)
#define SPARSE_P_DOWN_TO(d, state, up, last, its, per, number, format, over, size, terms, constants)                        \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_DOWN_IF_, state, SPARSE_P_IS_ANY(SPARSE_P_EACHH(SPARSE_P_TERM_AT, d, terms))),   \
                    SPARSE_P_DOWN_NONE)                                                                                     \
    (d, state, up, last, its, per, number, format, over, size, terms, constants)
#define SPARSE_P_DOWN_IF_0open0  ~, SPARSE_P_DOWN_FURTHER
#define SPARSE_P_DOWN_IF_0known0 ~, SPARSE_P_DOWN_FURTHER
#define SPARSE_P_DOWN_FURTHER(d, state, up, last, its, per, number, format, over, size, terms, constants)                   \
    SPARSE_P_CAT3(SPARSE_P_DOWN_TO_, SPARSE_P_LEVEL_CELL(ARRAY, format), SPARSE_P_LEVEL_CELL(WITHIN, format))               \
    (d, state, up, last, its, per, number, over, size, terms, constants)
#define SPARSE_P_DOWN_TO_0batch SPARSE_P_DOWN_NONE
#define SPARSE_P_DOWN_TO_00same(d, state, up, last, its, per, number, over, size, terms, constants)                         \
    SPARSE_P_DOWN_DENSE_##state(d, up, last, number, SPARSE_P_DOWN_WINDOW(d, number, size, terms, constants))
#define SPARSE_P_DOWN_WINDOW(d, number, size, terms, constants)                                                             \
    (number, size, SPARSE_P_OFFSET((SPARSE_P_EACHH(SPARSE_P_TERM_BEFORE, d, terms)), constants),                            \
     (SPARSE_P_EACHH(SPARSE_P_REACH_AFTER, d, terms)), SPARSE_P_PAD(constants))
#define SPARSE_P_DOWN_DENSE_0known(d, up, last, number, window) (d, 0open, (), (0located, window))
#define SPARSE_P_DOWN_DENSE_0open(d, up, last, number, window)                                                              \
    (d, 0open, (SPARSE_P_ID up, (last, 0dense, window)), (0across, number))
#define SPARSE_P_DOWN_TO_10same(d, state, up, last, its, per, number, over, size, terms, constants)                         \
    SPARSE_P_DOWN_SPARSE_##state(d, (SPARSE_P_EACHH(SPARSE_P_DOWN_RESOLVED, (over, d), terms)),                             \
                                 (SPARSE_P_EACHH(SPARSE_P_DOWN_SPREAD, d, its)), up, last, number, per,                     \
                                 SPARSE_P_DOWN_WINDOW(d, number, size, terms, constants))
#define SPARSE_P_DOWN_SPARSE_0known(d, resolved, spreads, up, last, number, per, window)                                    \
    SPARSE_P_DOWN_LAST(d, 0searched, resolved, up, (0alone, number), number, per, window)
#define SPARSE_P_DOWN_SPARSE_0open(d, resolved, spreads, up, last, number, per, window)                                     \
    SPARSE_P_DOWN_LAST(d, 0beyond, spreads, up, last, number, per, window)
#define SPARSE_P_DOWN_LAST(d, what, found, up, last, number, per, window)                                                   \
    SPARSE_P_CAT(SPARSE_P_DOWN_LAST_, SPARSE_P_IS_ANY found)(d, what, found, up, last, number, per, window)
#define SPARSE_P_DOWN_LAST_1(d, what, found, up, last, number, per, window)                                                 \
    (d, 0open, (), SPARSE_P_DOWN_##what(SPARSE_P_FOLDF(SPARSE_P_RIGHT, found), SPARSE_P_AT(4, window)))
#define SPARSE_P_DOWN_LAST_0(d, what, found, up, last, number, per, window)                                                 \
    SPARSE_P_CAT(SPARSE_P_DOWN_ALL_, SPARSE_P_IS_PAREN(per))(d, up, last, number, per, window)
#define SPARSE_P_DOWN_ALL_0(d, up, last, number, per, window) SPARSE_P_DOWN_NONE(d)
#define SPARSE_P_DOWN_ALL_1(d, up, last, number, per, window)                                                               \
    (d, 0open, (SPARSE_P_ID up, (last, per, window)), (0across, number))
#define SPARSE_P_DOWN_0searched(from, terms) (0searched, (from, terms))
#define SPARSE_P_DOWN_0beyond(from, terms)   (0beyond, from)
#define SPARSE_P_DOWN_RESOLVED(c, term)      SPARSE_P_DOWN_RESOLVED_(SPARSE_P_ID c, SPARSE_P_ID term)
#define SPARSE_P_DOWN_RESOLVED_(...)         SPARSE_P_DOWN_RESOLVED__(__VA_ARGS__)
#define SPARSE_P_DOWN_RESOLVED__(over, d, loop, c, i)                                                                       \
    SPARSE_P_IF_BEFORE(over, loop)(SPARSE_P_IF_BEFORE(loop, d)(SPARSE_P_ITEM))(loop##s)
#define SPARSE_P_DOWN_SPREAD(d, walk)                            SPARSE_P_DOWN_SPREAD_(d, SPARSE_P_ID walk)
#define SPARSE_P_DOWN_SPREAD_(...)                               SPARSE_P_DOWN_SPREAD__(__VA_ARGS__)
#define SPARSE_P_DOWN_SPREAD__(d, number, loop, above, iterator) SPARSE_P_IF_BEFORE(loop, d)(SPARSE_P_ITEM)(number)
#define SPARSE_P_ITEM(x)                                         , x
/* TABLE WALK: how a loop traverses the positions of a sparse level
   rows: 0ascending 0segments 0duplicates 0shuffled 0shuffled_segments 0shuffled_duplicates 0ascending_sum
   0ascending_window 0segments_window 0subsections 0forward
     PLAIN        1 if it walks an array of increasing coordinates, position by position
     ORDER        0ordered or 0unordered: do coordinates increase?
     ONCE         1 if it visits each coordinate once
     SEGMENTS     0: each step goes to the next position; 1: to the end of a segment of equal coordinates, or, if
                  coordinates are not ordered, to the next position; 2: to the next position that counts, column NEXT of
                  table CRD
     APART        1 if no two positions have the same coordinate
     ALONE        1 if the coordinate of a position can be read without those before it
     ALL          1 if all positions count, 0 if only those for which column ON of table CRD is true
     SLICED       (walk) -> the walk through a slice of the same level
     SUMMED       (walk) -> the walk of the same level over a sum without coefficient
     END          (A, n, crd, head, stride, offset) -> where the segment at pA{n} ends

   ascending is for levels that are unique and ordered. Of the levels that are not unique, the last one is walked by
   duplicates, the others by segments. The walks shuffled are for coordinates that are not ordered. _sum is for a level over
   a sum, and _window for a slice, or a sum with a coefficient. subsections goes from one subsection to the next. forward is
   for levels that store distances or bits: each coordinate is found from the one before it. */
#define SPARSE_P_AS_ASCENDING_WINDOW(walk) 0ascending_window
#define SPARSE_P_AS_ASCENDING_SUM(walk)    0ascending_sum
#define SPARSE_P_AS_SEGMENTS_WINDOW(walk)  0segments_window
#define SPARSE_P_WALK_CELL(column, row)    SPARSE_P_CELL(SPARSE_P_WALK_##row##_##column SPARSE_P_WALK_default_##column, ~)
#define SPARSE_P_WALK_default_PLAIN        , 0
#define SPARSE_P_WALK_default_ORDER        , 0ordered
#define SPARSE_P_WALK_default_ONCE         , 1
#define SPARSE_P_WALK_default_SEGMENTS     , 0
#define SPARSE_P_WALK_default_APART        , 0
#define SPARSE_P_WALK_default_ALONE        , 1
#define SPARSE_P_WALK_default_ALL          , 1
#define SPARSE_P_WALK_default_SLICED       , SPARSE_P_ID
#define SPARSE_P_WALK_default_SUMMED       , SPARSE_P_ID
#define SPARSE_P_WALK_default_END          , SPARSE_P_SEGMENT_END_EQUAL

#define SPARSE_P_WALK_0ascending_PLAIN  , 1
#define SPARSE_P_WALK_0ascending_APART  , 1
#define SPARSE_P_WALK_0ascending_SLICED , SPARSE_P_AS_ASCENDING_WINDOW
#define SPARSE_P_WALK_0ascending_SUMMED , SPARSE_P_AS_ASCENDING_SUM

#define SPARSE_P_WALK_0segments_SEGMENTS , 1
#define SPARSE_P_WALK_0segments_SLICED   , SPARSE_P_AS_SEGMENTS_WINDOW

#define SPARSE_P_WALK_0duplicates_ONCE , 0

#define SPARSE_P_WALK_0ascending_sum_APART  , 1
#define SPARSE_P_WALK_0ascending_sum_SLICED , SPARSE_P_AS_ASCENDING_WINDOW

#define SPARSE_P_WALK_0forward_APART , 1
#define SPARSE_P_WALK_0forward_ALONE , 0

#define SPARSE_P_WALK_0shuffled_ORDER , 0unordered
#define SPARSE_P_WALK_0shuffled_APART , 1

#define SPARSE_P_WALK_0shuffled_segments_ORDER    , 0unordered
#define SPARSE_P_WALK_0shuffled_segments_SEGMENTS , 1
#define SPARSE_P_WALK_0shuffled_segments_END      , SPARSE_P_SEGMENT_END_NEXT

#define SPARSE_P_WALK_0shuffled_duplicates_ORDER , 0unordered
#define SPARSE_P_WALK_0shuffled_duplicates_ONCE  , 0

#define SPARSE_P_WALK_0ascending_window_APART , 1
#define SPARSE_P_WALK_0ascending_window_ALL   , 0

#define SPARSE_P_WALK_0segments_window_SEGMENTS , 1
#define SPARSE_P_WALK_0segments_window_ALL      , 0
/* The row of a walk from one subsection to the next. */
#define SPARSE_P_WALK_0subsections_SEGMENTS , 2
/* ADDRESS: the fields HEAD, STRIDE and OFFSET of a walk */
#define SPARSE_P_ADDRESS_0no0before(number, head, nlev)  number, 1, 0
#define SPARSE_P_ADDRESS_0no0here(number, head, nlev)    number, 1, 0
#define SPARSE_P_ADDRESS_0no0after(number, head, nlev)   number, 1, 0
#define SPARSE_P_ADDRESS_0yes0before(number, head, nlev) number, 1, 0
#define SPARSE_P_ADDRESS_0yes0here(number, head, nlev)   head, SPARSE_P_CAT(SPARSE_P_INC_, SPARSE_P_MINUS(nlev, head)), 0
#define SPARSE_P_ADDRESS_0yes0after(number, head, nlev)                                                                     \
    head, SPARSE_P_CAT(SPARSE_P_INC_, SPARSE_P_MINUS(nlev, head)), SPARSE_P_MINUS(number, head)
/* SLICED(record) -> (sliced, ...), the record of slice(A, TYPE, i, j). It differs from the record of the tensor in two
   points. A dense level becomes dense_slice, and loops visit only a part of it. In the walk of a sparse level,

     FORMAT   is sliced, the range between two coordinates, or sliced_bitmap
     N        is (FORMAT, N, STRIDE) of the level itself
     WALK     is the cell SLICED of table WALK: such a walk skips coordinates that are not on the stride of the slice
     HEAD     is the number of the level itself: A{N}_crd is passed for each level
     STRIDE   is 0v1 for 1, 0v2 for 2, ...: coordinates count from the beginning of the slice A{N}_slice */
#define SPARSE_P_VIEW_LEAF(...)          SPARSE_P_VIEW_LEAF_(__VA_ARGS__)
#define SPARSE_P_VIEW_LEAF_(c, view, x)  SPARSE_P_BY_PAREN(SPARSE_P_VIEW_OF_, SPARSE_P_FIRST x)(c, view, x)
#define SPARSE_P_VIEW_OF_1(c, view, x)   SPARSE_P_VIEW_LEAF_##view(c, x)
#define SPARSE_P_VIEW_OF_0(c, view, x)   SPARSE_P_CAT(SPARSE_P_VIEW_OF_0, SPARSE_P_IS_VIEW(SPARSE_P_FIRST x))(c, view, x)
#define SPARSE_P_IS_VIEW(name)           SPARSE_P_IS_VIEW_(name)
#define SPARSE_P_IS_VIEW_(name)          SPARSE_P_SECOND(SPARSE_P_KNOWN_##name, 0)
#define SPARSE_P_VIEW_OF_00(c, view, x)  SPARSE_P_VIEW_LEAF_##view(c, x)
#define SPARSE_P_VIEW_OF_01(c, view, x)  (0refused, 0views, ~)
#define SPARSE_P_VIEW_LEAF_0slice(c, x)  SPARSE_P_SLICED(SPARSE_P_ALONE(c, x))
#define SPARSE_P_VIEW_LEAF_0padded(c, x) SPARSE_P_PADDED_LEAF(x, SPARSE_P_ID c)
#define SPARSE_P_PADDED_LEAF(...)        SPARSE_P_PADDED_LEAF_(__VA_ARGS__)

#define SPARSE_P_PADDED_LEAF_(x, role, loops) SPARSE_P_PADDED(SPARSE_P_ALONE((role, (loops, 0padded, ())), x))
#define SPARSE_P_PADDED(record)               SPARSE_P_PADDED_(record, SPARSE_P_ID record)
#define SPARSE_P_PADDED_(...)                 SPARSE_P_PADDED__(__VA_ARGS__)
#define SPARSE_P_PADDED__(record, what, ...)  SPARSE_P_PADDED_##what(record, __VA_ARGS__)
#define SPARSE_P_PADDED_0scalar(record, ...)  (0odd, __VA_ARGS__)
#define SPARSE_P_PADDED_0odd(record, ...)     record
#define SPARSE_P_PADDED_0refused(record, ...) record
#define SPARSE_P_PADDED_0tensor(record, ...)  record
/* CURRENT(x, LOOP, record) -> (current, ..., x, LOOP), the record of current(z, x, TYPE, i), made from the record of z.
   LOOP is the innermost loop. z uses the arrays of the output x, so the kernel reads in z what earlier iterations have
   written. An element outside of x was never written: there z is absent, as if it were padded. */
#define SPARSE_P_VIEW_LEAF_0current(c, x)                                                                                   \
    SPARSE_P_CAT(SPARSE_P_CURRENT_LEAF_, SPARSE_P_IS_TYPE(SPARSE_P_THIRD(SPARSE_P_ID x, , , ~)))                            \
    (SPARSE_P_ID c, SPARSE_P_ID x)
/* IS_TYPE(vec) -> 1. If the output is missing, another argument stands in the place of the type, and the result is 0. */
#define SPARSE_P_IS_TYPE(x)          SPARSE_P_BY_PAREN(SPARSE_P_IS_TYPE_, x)(x)
#define SPARSE_P_IS_TYPE_1(x)        0
#define SPARSE_P_IS_TYPE_0(x)        SPARSE_P_CAT(SPARSE_P_IS_TYPE_0, SPARSE_P_ENDS(x))
#define SPARSE_P_IS_TYPE_00          1
#define SPARSE_P_IS_TYPE_01          0
#define SPARSE_P_CURRENT_LEAF_0(...) (0refused, 0output_missing, ~)
#define SPARSE_P_CURRENT_LEAF_1(...) SPARSE_P_CURRENT_LEAF(__VA_ARGS__)
#define SPARSE_P_CURRENT_LEAF(role, loops, z, x, ...)                                                                       \
    SPARSE_P_CURRENT(x, SPARSE_P_COUNT(~, SPARSE_P_ID loops), SPARSE_P_ALONE((role, (loops, 0padded, ())), (z, __VA_ARGS__)))
#define SPARSE_P_CURRENT(x, innermost, record)       SPARSE_P_CURRENT_(x, innermost, SPARSE_P_ID record)
#define SPARSE_P_CURRENT_(...)                       SPARSE_P_CURRENT__(__VA_ARGS__)
#define SPARSE_P_CURRENT__(x, innermost, what, ...)  SPARSE_P_CURRENT_##what(x, innermost, __VA_ARGS__)
#define SPARSE_P_CURRENT_0scalar(x, innermost, ...)  (0odd, __VA_ARGS__)
#define SPARSE_P_CURRENT_0odd(x, innermost, ...)     (0odd, __VA_ARGS__)
#define SPARSE_P_CURRENT_0refused(x, innermost, ...) (0refused, __VA_ARGS__)
#define SPARSE_P_CURRENT_0tensor(x, innermost, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed,     \
                                 sparse, described, fixed)                                                                  \
    (0current, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, described, fixed, x,        \
     innermost)
/* MIRRORED(SIGN, ROLE, record) -> (mirrored, ..., SIGN), the record of symmetric(A, TYPE, i, j), made from the record of A.
   SIGN is a row of table SIGN, and says what the mirror image of an entry is. */
#define SPARSE_P_VIEW_LEAF_0symmetric(c, x)         SPARSE_P_MIRRORED(0symmetric, SPARSE_P_FIRST c, SPARSE_P_ALONE(c, x))
#define SPARSE_P_VIEW_LEAF_0skew(c, x)              SPARSE_P_MIRRORED(0skew, SPARSE_P_FIRST c, SPARSE_P_ALONE(c, x))
#define SPARSE_P_VIEW_LEAF_0hermitian(c, x)         SPARSE_P_MIRRORED(0hermitian, SPARSE_P_FIRST c, SPARSE_P_ALONE(c, x))
#define SPARSE_P_MIRRORED(sign, role, record)       SPARSE_P_MIRRORED_(sign, role, SPARSE_P_ID record)
#define SPARSE_P_MIRRORED_(...)                     SPARSE_P_MIRRORED__(__VA_ARGS__)
#define SPARSE_P_MIRRORED__(sign, role, what, ...)  SPARSE_P_MIRRORED_##what(sign, role, __VA_ARGS__)
#define SPARSE_P_MIRRORED_0scalar(sign, role, ...)  (0odd, __VA_ARGS__)
#define SPARSE_P_MIRRORED_0odd(sign, role, ...)     (0odd, __VA_ARGS__)
#define SPARSE_P_MIRRORED_0refused(sign, role, ...) (0refused, __VA_ARGS__)
#define SPARSE_P_MIRRORED_0tensor(sign, role, ...)                                                                          \
    SPARSE_P_SECOND(SPARSE_P_MIRRORED_##role, SPARSE_P_HALF_REFUSED)(sign, __VA_ARGS__)
#define SPARSE_P_MIRRORED_0must                      ~, SPARSE_P_MIRRORED_RECORD
#define SPARSE_P_MIRRORED_RECORD(sign, ...)          (0mirrored, __VA_ARGS__, sign)
#define SPARSE_P_HALF_REFUSED(sign, role, name, ...) (0refused, 0half, name)
#define SPARSE_P_SLICED(record)                      SPARSE_P_SLICED_(SPARSE_P_ID record)
#define SPARSE_P_SLICED_(...)                        SPARSE_P_SLICED__(__VA_ARGS__)
#define SPARSE_P_SLICED__(what, ...)                 SPARSE_P_SLICED_##what(__VA_ARGS__)
#define SPARSE_P_SLICED_0scalar(...)                 (0odd, __VA_ARGS__)
#define SPARSE_P_SLICED_0odd(...)                    (0odd, __VA_ARGS__)
#define SPARSE_P_SLICED_0refused(...)                (0refused, __VA_ARGS__)
#define SPARSE_P_SLICED_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, described, \
                                fixed)                                                                                      \
    SPARSE_P_CAT(SPARSE_P_SLICED_FIXED_, SPARSE_P_IS_ANY fixed)                                                             \
    (role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, described)
#define SPARSE_P_SLICED_FIXED_1(role, name, ...) (0refused, 0fixed, name)
#define SPARSE_P_SLICED_FIXED_0(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, described) \
    (0sliced, role, name, type, value, pos, crd, indices, (SPARSE_P_EACHF(SPARSE_P_SLICE_LEVEL, , levels)),                 \
     (SPARSE_P_EACHF(SPARSE_P_SLICE_WALK, name, walks)), nlev, placed, sparse, described)
#define SPARSE_P_SLICE_LEVEL(c, level) SPARSE_P_SLICE_LEVEL_ level
#define SPARSE_P_SLICE_LEVEL_(number, storage, letter, placed, variable, part)                                              \
    , (number, SPARSE_P_CAT(SPARSE_P_SLICED_PART_, SPARSE_P_FIRST part)(storage), letter, placed, variable, part)
#define SPARSE_P_SLICED_PART_0dim(storage)     SPARSE_P_STORAGE_CELL(SLICED, storage)(storage)
#define SPARSE_P_SLICED_PART_floordiv(storage) 0part_slice
#define SPARSE_P_SLICED_PART_mod(storage)      0part_slice
#define SPARSE_P_SLICED_PART_count(storage)    0part_slice
#define SPARSE_P_SLICED_PART_minus(storage)    0part_slice
#define SPARSE_P_SLICED_PART_0plus(storage)    SPARSE_P_STORAGE_CELL(SLICED, storage)(storage)
#define SPARSE_P_SLICE_WALK(A, walk)           SPARSE_P_SLICE_WALK_(A, SPARSE_P_ID walk)
#define SPARSE_P_SLICE_WALK_(...)              SPARSE_P_SLICE_WALK__(__VA_ARGS__)
#define SPARSE_P_SLICE_WALK__(A, number, placed, above, iterator)                                                           \
    , (number, placed, above, (SPARSE_P_SLICE_ITERATOR(A, number, SPARSE_P_ID iterator)))
#define SPARSE_P_SLICE_ITERATOR(...) SPARSE_P_SLICE_ITERATOR_(__VA_ARGS__)
#define SPARSE_P_SLICE_ITERATOR_(A, number, format, n, walk, parent, head, stride, offset)                                  \
    SPARSE_P_BY_PAREN(SPARSE_P_SLICE_SUM_, n)                                                                               \
    (A, number, format, n, walk, parent, head, stride, offset)
#define SPARSE_P_SLICE_SUM_0(A, number, format, n, walk, parent, head, stride, ...)                                         \
    SPARSE_P_CAT(SPARSE_P_SLICED_, SPARSE_P_LEVEL_CELL(ALL, format)), (format, n, stride),                                  \
        SPARSE_P_WALK_CELL(SLICED, walk)(walk), parent, number, SPARSE_P_SLICED_CRD(stride), 0
#define SPARSE_P_SLICED_1 0sliced
#define SPARSE_P_SLICED_0 0sliced_bitmap
/* A level over a sum in a slice: the kernel reads coordinate offset + stride * sum. */
#define SPARSE_P_SLICE_SUM_1(A, number, format, n, walk, ...)                                                               \
    format, (SPARSE_P_SLICE_STATE(format, A, number, SPARSE_P_ID n)), SPARSE_P_WALK_CELL(SLICED, walk)(walk), __VA_ARGS__
#define SPARSE_P_SLICE_STATE(format, ...) SPARSE_P_SLICE_STATE_##format(__VA_ARGS__)
#define SPARSE_P_SLICE_STATE_0window(A, number, format, n, stride, from, offset, c, i, pad)                                 \
    format, n, stride, from, SPARSE_P_SLICE_TERMS(sparse_l_##A##number##_slice, offset, c, i),                              \
        sparse_slice_steps(pad, sparse_l_##A##number##_slice)
#define SPARSE_P_SLICE_STATE_0sweep          SPARSE_P_SLICE_STATE_0window
#define SPARSE_P_SLICE_STATE_0shifted_bitmap SPARSE_P_SLICE_STATE_0window
#define SPARSE_P_SLICE_STATE_0subsection(A, number, what, level, format, n, stride, from, offset, c, i, terms, pad)         \
    what, level, format, n, stride, from, SPARSE_P_SLICE_TERMS(sparse_l_##A##level##_slice, offset, c, i),                  \
        SPARSE_P_SLICE_WITHIN(sparse_l_##A##level##_slice, terms), sparse_slice_steps(pad, sparse_l_##A##level##_slice)
#define SPARSE_P_SLICE_STATE_0spread(A, number, what, level, per, m, parents, offset, c, i, terms, pad)                     \
    what, level, per, m, (SPARSE_P_SLICE_PARENTS(A, SPARSE_P_ID parents)),                                                  \
        SPARSE_P_SLICE_TERMS(sparse_l_##A##level##_slice, offset, c, i),                                                    \
        SPARSE_P_SLICE_WITHIN(sparse_l_##A##level##_slice, terms), sparse_slice_steps(pad, sparse_l_##A##level##_slice)
#define SPARSE_P_SLICE_TERMS(slice, offset, c, i) sparse_slice_coordinate(offset, slice), sparse_slice_steps(c, slice), i
#define SPARSE_P_SLICE_WITHIN(slice, terms)       (SPARSE_P_EACHH(SPARSE_P_SLICE_TERM, slice, terms))
#define SPARSE_P_SLICE_TERM(slice, term)          SPARSE_P_SLICE_TERM_(slice, SPARSE_P_ID term)
#define SPARSE_P_SLICE_TERM_(...)                 SPARSE_P_SLICE_TERM__(__VA_ARGS__)
#define SPARSE_P_SLICE_TERM__(slice, c, i)        , ((, sparse_slice_steps(SPARSE_P_FACTOR(c), slice)), i)
#define SPARSE_P_SLICE_PARENTS(...)               SPARSE_P_SLICE_PARENTS_(__VA_ARGS__)

#define SPARSE_P_SLICE_PARENTS_(A, over, last) (SPARSE_P_EACHG(SPARSE_P_SLICE_OVER, A, over)), SPARSE_P_SLICE_LAST(A, last)
#define SPARSE_P_SLICE_OVER(A, x)              SPARSE_P_SLICE_OVER_(A, SPARSE_P_ID x)
#define SPARSE_P_SLICE_OVER_(...)              SPARSE_P_SLICE_OVER__(__VA_ARGS__)
#define SPARSE_P_SLICE_OVER__(A, last, per, window)                                                                         \
    , (SPARSE_P_SLICE_LAST(A, last), per, SPARSE_P_SLICE_OF_WINDOW(A, window))
#define SPARSE_P_SLICE_LAST(A, x)          SPARSE_P_SLICE_LAST_(A, SPARSE_P_ID x)
#define SPARSE_P_SLICE_LAST_(...)          SPARSE_P_SLICE_LAST__(__VA_ARGS__)
#define SPARSE_P_SLICE_LAST__(A, which, x) (which, SPARSE_P_SLICE_PARENTS_##which(A, x))
/* These terms are not written out: only HAS_GAPS looks at them. The subsection has declared an array of them already. */
#define SPARSE_P_SLICE_PARENTS_0searched(A, x)   SPARSE_P_SLICE_SEARCHED(A, SPARSE_P_ID x)
#define SPARSE_P_SLICE_SEARCHED(...)             SPARSE_P_SLICE_SEARCHED_(__VA_ARGS__)
#define SPARSE_P_SLICE_SEARCHED_(A, from, terms) (from, SPARSE_P_SLICE_WITHIN(~, terms))
#define SPARSE_P_SLICE_PARENTS_0beyond(A, from)  from
#define SPARSE_P_SLICE_PARENTS_0across(A, from)  from
#define SPARSE_P_SLICE_PARENTS_0alone(A, up)     up
#define SPARSE_P_SLICE_PARENTS_0located          SPARSE_P_SLICE_OF_WINDOW
#define SPARSE_P_SLICE_OF_WINDOW(A, x)           SPARSE_P_SLICE_OF_WINDOW_(A, SPARSE_P_ID x)
#define SPARSE_P_SLICE_OF_WINDOW_(...)           SPARSE_P_SLICE_OF_WINDOW__(__VA_ARGS__)
#define SPARSE_P_SLICE_OF_WINDOW__(A, up, size, shift, terms, less)                                                         \
    (up, (), sparse_slice_coordinate(shift, sparse_l_##A##up##_slice),                                                      \
     SPARSE_P_SLICE_WITHIN(sparse_l_##A##up##_slice, terms), sparse_slice_steps(less, sparse_l_##A##up##_slice))

/* >>sums of operands
   Levels whose subscript is a sum of indices. The functions are in sparse_formats.h, >>sums. For example,

     y(i) += x(i + p) * h(p)      loops (i, p), operands all((x, SVEC, plus(i, p)), (h, VEC, p)), with a sparse vector x

   The single level of x then has two walks:

     loop i    level 1s, a subsection: visits each i for which x stores any of the coordinates i, i + 1, ... i + p_size - 1
     loop p    level 1, a window: visits the positions of x whose coordinates are in [i, i + p_size); p is the distance of
               such a coordinate from i */
/* The rows of two ranges: a slice of a level, and the window of a level over a sum. */
#define SPARSE_P_RANGE_0sliced_LO    , SPARSE_P_LO_WINDOW
#define SPARSE_P_RANGE_0sliced_HI    , SPARSE_P_HI_WINDOW
#define SPARSE_P_RANGE_0sliced_BEGIN , SPARSE_P_BEGIN_SLICED
#define SPARSE_P_RANGE_0sliced_SPAN  , SPARSE_P_SPAN_WINDOW
#define SPARSE_P_BEGIN_SLICED(A, n, role, above, pos, m, parent, guard)                                                     \
    SPARSE_P_BEGIN_SLICED_(A, n, role, above, pos, parent, SPARSE_P_ID m)
#define SPARSE_P_BEGIN_SLICED_(...) SPARSE_P_BEGIN_SLICED__(__VA_ARGS__)
#define SPARSE_P_BEGIN_SLICED__(A, n, role, above, pos, parent, format, m, apart)                                           \
    const sparse_p_window sparse_l_##A##n##_window =                                                                        \
        sparse_p_window_sliced(sparse_l_##A##n##_crd, sizeof *sparse_l_##A##n##_crd, apart,                                 \
                               SPARSE_P_SEARCH(A, n, role, above, pos, parent, format, m, 0), sparse_l_##A##n##_slice);

#define SPARSE_P_RANGE_0window_LO    , SPARSE_P_LO_WINDOW
#define SPARSE_P_RANGE_0window_HI    , SPARSE_P_HI_WINDOW
#define SPARSE_P_RANGE_0window_BEGIN , SPARSE_P_BEGIN_WINDOW
#define SPARSE_P_RANGE_0window_SPAN  , SPARSE_P_SPAN_WINDOW
#define SPARSE_P_RANGE_0window_LOOSE , 1

#define SPARSE_P_RANGE_0sweep_LO                 , SPARSE_P_LO_WINDOW
#define SPARSE_P_RANGE_0sweep_HI                 , SPARSE_P_HI_WINDOW
#define SPARSE_P_RANGE_0sweep_BEGIN              , SPARSE_P_BEGIN_WINDOW
#define SPARSE_P_RANGE_0sweep_SPAN               , SPARSE_P_SPAN_WINDOW
#define SPARSE_P_LIMIT_OF_WINDOW(A, n)           sparse_p_window_limit(sparse_l_##A##n##_window)
#define SPARSE_P_LO_WINDOW(A, n, pos, m, parent) sparse_p_window_begin(sparse_l_##A##n##_window)
#define SPARSE_P_HI_WINDOW(A, n, pos, m, parent)                                                                            \
    sparse_p_window_end(sparse_l_##A##n##_crd, sizeof *sparse_l_##A##n##_crd, sparse_l_##A##n##_window)
#define SPARSE_P_HI_SHIFTED(A, n, pos, m, parent)          SPARSE_P_LIMIT_OF_WINDOW(A, n)
#define SPARSE_P_SPAN_WINDOW(A, n, pos, format, m, parent) sparse_p_window_most(sparse_l_##A##n##_window)
#define SPARSE_P_BEGIN_WINDOW(A, n, role, above, pos, m, parent, guard)                                                     \
    SPARSE_P_BEGIN_WINDOW_(A, n, role, above, pos, parent, SPARSE_P_ID m)
#define SPARSE_P_BEGIN_WINDOW_(...) SPARSE_P_BEGIN_WINDOW__(__VA_ARGS__)
#define SPARSE_P_BEGIN_WINDOW__(A, n, role, above, pos, parent, format, m, stride, from, offset, c, i, pad)                 \
    const sparse_p_window sparse_l_##A##n##_window = sparse_p_window_of(                                                    \
        sparse_l_##A##n##_crd, sizeof *sparse_l_##A##n##_crd, stride,                                                       \
        SPARSE_P_SEARCH(A, n, role, above, pos, parent, format, m, from), offset, c, pad, sparse_l_##i##_size);

#define SPARSE_P_CRD_0v1_NUMBER     , 1
#define SPARSE_P_CRD_0v1_SLICED     , 0v1
#define SPARSE_P_CRD_0v1_COORDINATE , SPARSE_P_CRD_IN_WINDOW
#define SPARSE_P_CRD_0v1_SEEK       , SPARSE_P_SEEK_IN_WINDOW
#define SPARSE_P_CRD_0v1_ON         , SPARSE_P_ON_WINDOW
#define SPARSE_P_CRD_0v1_NEXT       , SPARSE_P_NEXT_IN_WINDOW

#define SPARSE_P_CRD_0v2_NUMBER     , 2
#define SPARSE_P_CRD_0v2_SLICED     , 0v2
#define SPARSE_P_CRD_0v2_COORDINATE , SPARSE_P_CRD_IN_WINDOW
#define SPARSE_P_CRD_0v2_SEEK       , SPARSE_P_SEEK_IN_WINDOW_APART
#define SPARSE_P_CRD_0v2_ON         , SPARSE_P_ON_WINDOW
#define SPARSE_P_CRD_0v2_NEXT       , SPARSE_P_NEXT_IN_WINDOW

#define SPARSE_P_SLICED_AT(A, n, p, stride) SPARSE_P_SLICED_BY(A, n, p, SPARSE_P_STRIDE(stride))
#define SPARSE_P_SLICED_BY(A, n, p, number) SPARSE_P_CRD_AT(sparse_l_##A##n##_crd, p, number, 0)
#define SPARSE_P_CRD_IN_WINDOW(A, n, p, crd, m, parent, stride, offset)                                                     \
    SPARSE_P_WIDE_##crd(sparse_p_window_index((size_t)SPARSE_P_SLICED_AT(A, n, p, stride), sparse_l_##A##n##_window))
#define SPARSE_P_ON_WINDOW(A, n, crd, stride)                                                                               \
    sparse_p_window_has((size_t)SPARSE_P_SLICED_AT(A, n, sparse_l_p##A##n, stride), sparse_l_##A##n##_window)
#define SPARSE_P_SEEK_IN_WINDOW(A, n, i, crd, m, parent, stride, head, offset)                                              \
    (sparse_p_window_reaches(i, sparse_l_##A##n##_window) &&                                                                \
     sparse_p_seek_##crd(sparse_l_##A##n##_crd, &sparse_l_p##A##n, sparse_l_e##A##n,                                        \
                         sparse_p_window_coordinate(i, sparse_l_##A##n##_window)))
#define SPARSE_P_SEEK_IN_WINDOW_APART(A, n, i, crd, m, parent, stride, head, offset)                                        \
    (sparse_p_window_reaches(i, sparse_l_##A##n##_window) &&                                                                \
     sparse_p_seek_aos_##crd(sparse_l_##A##n##_crd, SPARSE_P_STRIDE(stride), 0, &sparse_l_p##A##n, sparse_l_e##A##n,        \
                             sparse_p_window_coordinate(i, sparse_l_##A##n##_window)))
#define SPARSE_P_NEXT_IN_WINDOW(A, n, crd, stride, p)                                                                       \
    sparse_p_window_next(sparse_l_##A##n##_crd, sizeof *sparse_l_##A##n##_crd, SPARSE_P_STRIDE(stride), p,                  \
                         sparse_l_e##A##n, sparse_l_##A##n##_window)
/* SEARCH(...) -> lo, hi: the range of positions in which a window or its subsections are searched. That is the range below
   the parent. If an outer loop is over subsections of the level, the range begins at the current subsection. */
#define SPARSE_P_SEARCH(A, n, role, above, pos, parent, format, m, from)                                                    \
    SPARSE_P_CAT(SPARSE_P_SEARCH_, SPARSE_P_SEARCHES(from))                                                                 \
    (A, n, SPARSE_P_IF_IN(role, above), above, pos, parent, format, m, from)
#define SPARSE_P_SEARCHES(from)   SPARSE_P_BY_PAREN(SPARSE_P_SEARCHES_, from)(from)
#define SPARSE_P_SEARCHES_0(from) SPARSE_P_NZ(from)
#define SPARSE_P_SEARCHES_1(from) 2
#define SPARSE_P_SEARCH_2(A, n, if_in, above, pos, parent, format, m, from)                                                 \
    if_in(A, above,                                                                                                         \
          sparse_p_segments_near(&SPARSE_P_SPREAD_OF(A, SPARSE_P_ID from), SPARSE_P_PARENT(A, n),                           \
                                 SPARSE_P_RANGE_CELL(LO, format)(A, n, pos, m, parent))),                                   \
        if_in(A, above, SPARSE_P_RANGE_CELL(HI, format)(A, n, pos, m, parent))
#define SPARSE_P_SPREAD_OF(A, n)  SPARSE_P_SPREAD_OF_(A, n)
#define SPARSE_P_SPREAD_OF_(A, n) sparse_l_##A##n##_subsection
#define SPARSE_P_SEARCH_0(A, n, if_in, above, pos, parent, format, m, from)                                                 \
    if_in(A, above, SPARSE_P_RANGE_CELL(LO, format)(A, n, pos, m, parent)),                                                 \
        if_in(A, above, SPARSE_P_RANGE_CELL(HI, format)(A, n, pos, m, parent))
#define SPARSE_P_SEARCH_1(A, n, if_in, above, pos, parent, format, m, from)                                                 \
    if_in(A, above, sparse_p_subsection_begin(&sparse_l_##A##from##_subsection)),                                           \
        if_in(A, above, sparse_p_subsection_limit(&sparse_l_##A##from##_subsection))

#define SPARSE_P_RANGE_0subsection_LO                          , SPARSE_P_LO_SUBSECTION
#define SPARSE_P_RANGE_0subsection_HI                          , SPARSE_P_HI_SUBSECTION
#define SPARSE_P_RANGE_0subsection_BEGIN                       , SPARSE_P_BEGIN_SUBSECTION
#define SPARSE_P_RANGE_0subsection_SPAN                        , SPARSE_P_SPAN_SUBSECTION
#define SPARSE_P_LO_SUBSECTION(A, n, pos, m, parent)           sparse_p_subsection_from(&sparse_l_##A##n##_subsection, 0)
#define SPARSE_P_HI_SUBSECTION(A, n, pos, m, parent)           sparse_p_subsection_count(&sparse_l_##A##n##_subsection)
#define SPARSE_P_SPAN_SUBSECTION(A, n, pos, format, m, parent) sparse_p_subsections_most(&sparse_l_##A##n##_subsection)
#define SPARSE_P_BEGIN_SUBSECTION(A, n, role, above, pos, m, parent, guard)                                                 \
    SPARSE_P_BEGIN_SUBSECTION_(A, n, role, above, pos, parent, SPARSE_P_ID m)
#define SPARSE_P_BEGIN_SUBSECTION_(...) SPARSE_P_BEGIN_SUBSECTION__(__VA_ARGS__)
#define SPARSE_P_BEGIN_SUBSECTION__(A, n, role, above, pos, parent, what, level, format, m, stride, from, offset, c, i,     \
                                    terms, pad)                                                                             \
    SPARSE_P_SUBSECTION_TERMS(A, n, terms)                                                                                  \
    sparse_p_subsections sparse_l_##A##n##_subsection = SPARSE_P_SIFT(                                                      \
        SPARSE_P_HAS_GAPS((0none, ~), terms), subsections, sparse_l_##A##n##_terms,                                         \
        sparse_p_subsections_of(sparse_l_##A##level##_crd, sizeof *sparse_l_##A##level##_crd, SPARSE_P_STRIDE(stride),      \
                                SPARSE_P_SEARCH(A, level, role, above, pos, parent, SPARSE_P_SEARCHED_IN(format), m, from), \
                                SPARSE_P_CAT(SPARSE_P_OFFSET_IN_, SPARSE_P_LEVEL_CELL(ALL, format))(                        \
                                    A, level, SPARSE_P_IF_IN(role, above), above, offset),                                  \
                                c, pad, SPARSE_P_EXTENT(terms), sparse_l_##i##_size));
#define SPARSE_P_SUBSECTION_TERMS(A, n, terms)                                                                              \
    SPARSE_P_CAT(SPARSE_P_SUBSECTION_TERMS_, SPARSE_P_HAS_GAPS((0none, ~), terms))(A, n, terms)
/* SEARCHED_IN, OFFSET_IN: a bitmap is searched by its positions, which are coordinates, counted from the first position
   below the parent. So that position is added to OFFSET. */
#define SPARSE_P_SEARCHED_IN(format)   SPARSE_P_CAT(SPARSE_P_SEARCHED_IN_, SPARSE_P_LEVEL_CELL(ALL, format))(format)
#define SPARSE_P_SEARCHED_IN_1(format) format

#define SPARSE_P_SEARCHED_IN_0(format)                   bitmap
#define SPARSE_P_OFFSET_IN_1(A, n, if_in, above, offset) offset
#define SPARSE_P_OFFSET_IN_0(A, n, if_in, above, offset)                                                                    \
    (offset) + (if_in(A, above, SPARSE_P_PARENT(A, n) * sparse_l_##A##n##_size))
#define SPARSE_P_SUBSECTION_TERMS_0(A, n, terms)
#define SPARSE_P_SUBSECTION_TERMS_1(A, n, terms) SPARSE_P_TERMS(sparse_l_##A##n##_terms, terms)
/* TERMS(name, terms): an array with the terms of inner loops. If a term has a coefficient, the sums of these terms leave
   gaps, and SIEVE skips coordinates that lie in a gap. EXTENT(terms): how many coordinates the terms span */
#define SPARSE_P_TERMS(name, terms)      const sparse_p_term name[] = {SPARSE_P_EACHD(SPARSE_P_TERM_VALUE, , terms){0, 0}};
#define SPARSE_P_TERM_VALUE(z, term)     SPARSE_P_TERM_VALUE_ term
#define SPARSE_P_TERM_VALUE_(c, i)       {SPARSE_P_FACTOR(c), sparse_l_##i##_size},
#define SPARSE_P_TERM_GAP(z, term)       SPARSE_P_TERM_GAP_ term
#define SPARSE_P_TERM_GAP_(c, i)         SPARSE_P_ID c
#define SPARSE_P_EXTENT(terms)           SPARSE_P_FOLDF(SPARSE_P_REACH, (, 1 SPARSE_P_ID terms))
#define SPARSE_P_SIFT(is, what, gaps, x) SPARSE_P_CAT(SPARSE_P_SIFT_, is)(what, gaps, x)
#define SPARSE_P_SIFT_0(what, gaps, x)   x
#define SPARSE_P_SIFT_1(what, gaps, x)   sparse_p_##what##_among(gaps, x)

#define SPARSE_P_RANGE_0spread_LO                , SPARSE_P_LO_SPREAD
#define SPARSE_P_RANGE_0spread_HI                , SPARSE_P_HI_SPREAD
#define SPARSE_P_RANGE_0spread_BEGIN             , SPARSE_P_BEGIN_SPREAD
#define SPARSE_P_RANGE_0spread_SPAN              , SPARSE_P_SPAN_SPREAD
#define SPARSE_P_HI_SPREAD(A, n, pos, m, parent) SPARSE_P_SPREAD_SIZE(SPARSE_P_ID m)
#define SPARSE_P_LO_SPREAD(A, n, pos, m, parent) sparse_p_segments_from(&sparse_l_##A##n##_subsection, 0)
#define SPARSE_P_SPAN_SPREAD(A, n, pos, format, m, parent)                                                                  \
    sparse_p_segments_most(&sparse_l_##A##n##_subsection, SPARSE_P_SPREAD_SIZE(SPARSE_P_ID m))
#define SPARSE_P_SPREAD_SIZE(...)                                                     SPARSE_P_SPREAD_SIZE_(__VA_ARGS__)
#define SPARSE_P_SPREAD_SIZE_(what, level, per, m, parents, shift, c, i, terms, less) sparse_l_##i##_size
#define SPARSE_P_BEGIN_SPREAD(A, n, role, above, pos, m, parent, guard)                                                     \
    SPARSE_P_BEGIN_SPREAD_(A, n, role, above, SPARSE_P_ID m)
#define SPARSE_P_BEGIN_SPREAD_(...) SPARSE_P_BEGIN_SPREAD__(__VA_ARGS__)
#define SPARSE_P_BEGIN_SPREAD__(A, n, role, above, what, level, per, m, parents, shift, c, i, terms, less)                  \
    SPARSE_P_BEGIN_BELOW((A, n, SPARSE_P_IF_IN(role, above), above), A, n, level, per, m, shift, c, i, terms, less,         \
                         SPARSE_P_ID parents)
#define SPARSE_P_BEGIN_BELOW(...) SPARSE_P_BEGIN_BELOW_(__VA_ARGS__)
#define SPARSE_P_BEGIN_BELOW_(at, A, n, level, per, m, shift, c, i, terms, less, over, last)                                \
    SPARSE_P_EACHH(SPARSE_P_PARENTS_OVER, (SPARSE_P_ID at, m), over)                                                        \
    SPARSE_P_GAPS(at, , last, terms, sparse_l_##i##_size)                                                                   \
    size_t sparse_l_##A##n##_kept[SPARSE_SPREAD_KEPT];                                                                      \
    sparse_p_segments sparse_l_##A##n##_subsection = SPARSE_P_SIFT(                                                         \
        SPARSE_P_HAS_GAPS(last, terms), segments, &sparse_l_##A##n##_gaps,                                                  \
        SPARSE_P_CAT(SPARSE_P_SPREAD_IN_, SPARSE_P_NZ(m))(                                                                  \
            sparse_l_##A##n##_kept, A, level, per, m, SPARSE_P_PARENTS(at, last), shift, c, less, SPARSE_P_EXTENT(terms)));
#define SPARSE_P_SPREAD_IN_0(kept, A, level, per, m, ...)                                                                   \
    sparse_p_segments_of(kept, SPARSE_P_SPREAD_POS_##per(A, level), sparse_l_##A##level##_crd,                              \
                         sizeof *sparse_l_##A##level##_crd, __VA_ARGS__)
#define SPARSE_P_SPREAD_POS_0(A, level) NULL, 0, sparse_l_##A##level##_size
#define SPARSE_P_SPREAD_POS_1(A, level) sparse_l_##A##level##_pos, sizeof *sparse_l_##A##level##_pos, 1
#define SPARSE_P_SPREAD_POS_2(A, level) sparse_l_##A##level##_pos, sizeof *sparse_l_##A##level##_pos, 2
/* In a batch, pos has one element more than there are parents. So the pos of a batch is shifted by one element for each
   batch before it. */
#define SPARSE_P_SPREAD_IN_1(kept, A, level, per, m, ...)                                                                   \
    sparse_p_segments_in_batch(sparse_l_##A##level##_part *sparse_l_p##A##m,                                                \
                               sparse_p_segments_of(kept, sparse_l_##A##level##_pos + (2 - per) * sparse_l_p##A##m,         \
                                                    sizeof *sparse_l_##A##level##_pos, per, sparse_l_##A##level##_crd,      \
                                                    sizeof *sparse_l_##A##level##_crd, __VA_ARGS__))
#define SPARSE_P_PARENTS_OVER(at, x) SPARSE_P_PARENTS_OVER_(SPARSE_P_ID at, SPARSE_P_ID x)
#define SPARSE_P_PARENTS_OVER_(...)  SPARSE_P_PARENTS_OVER__(__VA_ARGS__)
#define SPARSE_P_PARENTS_OVER__(A, n, if_in, above, m, last, per, window)                                                   \
    SPARSE_P_BY_PAREN(SPARSE_P_PARENTS_OVER_, per)((A, n, if_in, above), last, A, n, m, per, SPARSE_P_ID window)
#define SPARSE_P_PARENTS_OVER_0(at, last, A, n, m, per, ...) SPARSE_P_PARENTS_ACROSS(at, last, A, n, __VA_ARGS__)
#define SPARSE_P_PARENTS_OVER_1(at, last, A, n, m, per, ...)                                                                \
    SPARSE_P_PARENTS_STORED(at, last, A, n, m, SPARSE_P_ID per, __VA_ARGS__)
#define SPARSE_P_PARENTS_STORED(...) SPARSE_P_PARENTS_STORED_(__VA_ARGS__)
#define SPARSE_P_PARENTS_STORED_(at, last, A, n, m, per, up, size, shift, terms, less)                                      \
    SPARSE_P_GAPS(at, up, last, terms, 0)                                                                                   \
    const sparse_p_segments sparse_l_##A##n##_in##up =                                                                      \
        SPARSE_P_SIFT(SPARSE_P_HAS_GAPS(last, terms), segments, &sparse_l_##A##n##_gaps##up,                                \
                      SPARSE_P_CAT(SPARSE_P_SPREAD_IN_, SPARSE_P_NZ(m))(NULL, A, up, per, m, SPARSE_P_PARENTS(at, last),    \
                                                                        shift, 0, less, SPARSE_P_EXTENT(terms)));
#define SPARSE_P_PARENTS_ACROSS(...) SPARSE_P_PARENTS_ACROSS_(__VA_ARGS__)
#define SPARSE_P_PARENTS_ACROSS_(at, last, A, n, up, size, shift, terms, less)                                              \
    SPARSE_P_GAPS(at, up, last, terms, 0)                                                                                   \
    const sparse_p_segments sparse_l_##A##n##_in##up =                                                                      \
        SPARSE_P_SIFT(SPARSE_P_HAS_GAPS(last, terms), segments, &sparse_l_##A##n##_gaps##up,                                \
                      sparse_p_segments_across(SPARSE_P_PARENTS(at, last), SPARSE_P_DIM_OF(A, up, size), shift, less,       \
                                               SPARSE_P_EXTENT(terms)));
#define SPARSE_P_PARENTS(at, x)                           SPARSE_P_PARENTS_(SPARSE_P_ID at, SPARSE_P_ID x)
#define SPARSE_P_PARENTS_(...)                            SPARSE_P_PARENTS__(__VA_ARGS__)
#define SPARSE_P_PARENTS__(A, n, if_in, above, which, x)  SPARSE_P_PARENTS_##which(A, n, if_in, above, x)
#define SPARSE_P_PARENTS_0searched(A, n, if_in, above, x) SPARSE_P_PARENTS_SEARCHED(A, n, if_in, above, SPARSE_P_ID x)
#define SPARSE_P_PARENTS_SEARCHED(...)                    SPARSE_P_PARENTS_SEARCHED_(__VA_ARGS__)
#define SPARSE_P_PARENTS_SEARCHED_(A, n, if_in, above, from, terms)                                                         \
    sparse_p_parents_between(                                                                                               \
        if_in(A, above, sparse_p_subsection_begin(&sparse_l_##A##from##_subsection)),                                       \
        if_in(A, above, sparse_p_subsection_end(&sparse_l_##A##from##_subsection, sparse_l_p##A##from)))
#define SPARSE_P_PARENTS_0beyond(A, n, if_in, above, from)                                                                  \
    sparse_p_parents_below(&sparse_l_##A##from##_subsection, sparse_l_p##A##from,                                           \
                           if_in(A, above, sparse_p_segments_end(&sparse_l_##A##from##_subsection)))
#define SPARSE_P_PARENTS_0across(A, n, if_in, above, from)                                                                  \
    sparse_p_parents_below(&sparse_l_##A##n##_in##from, 0, sparse_p_segments_end(&sparse_l_##A##n##_in##from))
#define SPARSE_P_PARENTS_0alone(A, n, if_in, above, up)                                                                     \
    sparse_p_parents_between(if_in(A, above, SPARSE_P_PARENT(A, up)), if_in(A, above, SPARSE_P_PARENT(A, up) + 1))
#define SPARSE_P_PARENTS_0located(A, n, if_in, above, x) SPARSE_P_PARENTS_LOCATED(A, n, if_in, above, SPARSE_P_ID x)
#define SPARSE_P_PARENTS_LOCATED(...)                    SPARSE_P_PARENTS_LOCATED_(__VA_ARGS__)
#define SPARSE_P_PARENTS_LOCATED_(A, n, if_in, above, up, size, shift, terms, less)                                         \
    sparse_p_parents_between(                                                                                               \
        if_in(A, above, SPARSE_P_PARENT(A, up) * SPARSE_P_DIM_OF(A, up, size) + sparse_p_first_within(shift, less)),        \
        if_in(A, above,                                                                                                     \
              SPARSE_P_PARENT(A, up) * SPARSE_P_DIM_OF(A, up, size) +                                                       \
                  sparse_p_end_within(shift, SPARSE_P_EXTENT(terms), less, SPARSE_P_DIM_OF(A, up, size))))
/* GAPS(at, UP, LAST, TERMS, size): declares a filter for coordinates, if the sums of TERMS, or of the terms in LAST, leave
   gaps. The filter is for the spread, if UP is empty, or else for level UP among the parents of the spread. `at` is (A,
   NUMBER of the spread, IF_IN, ABOVE). `size` is the number of offsets of the spread, or 0. */
#define SPARSE_P_GAPS(at, up, last, terms, size)                                                                            \
    SPARSE_P_CAT(SPARSE_P_GAPS_, SPARSE_P_HAS_GAPS(last, terms))(SPARSE_P_ID at, up, terms, size, SPARSE_P_ID last)
#define SPARSE_P_GAPS_0(...)
#define SPARSE_P_GAPS_1(...) SPARSE_P_GAPS_1_(__VA_ARGS__)
#define SPARSE_P_GAPS_1_(A, n, if_in, above, up, terms, size, which, x)                                                     \
    SPARSE_P_TERMS(sparse_l_##A##n##_terms##up, terms)                                                                      \
    SPARSE_P_FIRST_TERMS_##which(sparse_l_##A##n##_first##up, x) const sparse_p_gaps sparse_l_##A##n##_gaps##up =           \
        sparse_p_gaps_of(sparse_l_##A##n##_terms##up,                                                                       \
                         SPARSE_P_SIEVE_##which(A, sparse_l_##A##n##_first##up, if_in, above, x), size);
#define SPARSE_P_FIRST_TERMS_0searched(name, x)
#define SPARSE_P_FIRST_TERMS_0located(name, x) SPARSE_P_TERMS(name, SPARSE_P_LAST_TERMS_0located(x))
#define SPARSE_P_FIRST_TERMS_0beyond(name, x)
#define SPARSE_P_FIRST_TERMS_0across(name, x)
#define SPARSE_P_FIRST_TERMS_0alone(name, x)
#define SPARSE_P_SIEVE_0searched(A, first, if_in, above, x) SPARSE_P_SIEVE_SEARCHED(A, SPARSE_P_ID x)
#define SPARSE_P_SIEVE_SEARCHED(...)                        SPARSE_P_SIEVE_SEARCHED_(__VA_ARGS__)
#define SPARSE_P_SIEVE_SEARCHED_(A, from, terms)                                                                            \
    sparse_p_subsection_sieve(&sparse_l_##A##from##_subsection, sparse_l_p##A##from)
#define SPARSE_P_SIEVE_0located(A, first, if_in, above, x) SPARSE_P_SIEVE_LOCATED(A, first, if_in, above, SPARSE_P_ID x)
#define SPARSE_P_SIEVE_LOCATED(...)                        SPARSE_P_SIEVE_LOCATED_(__VA_ARGS__)
#define SPARSE_P_SIEVE_LOCATED_(A, first, if_in, above, up, size, shift, terms, less)                                       \
    sparse_p_sieve_of(first, NULL, 0, 1, if_in(A, above, SPARSE_P_PARENT(A, up) * SPARSE_P_DIM_OF(A, up, size) + (shift)),  \
                      less)
#define SPARSE_P_SIEVE_0beyond(A, first, if_in, above, x) sparse_p_sieve_of(NULL, NULL, 0, 1, 0, 0)
#define SPARSE_P_SIEVE_0across                            SPARSE_P_SIEVE_0beyond
#define SPARSE_P_SIEVE_0alone                             SPARSE_P_SIEVE_0beyond
#define SPARSE_P_HAS_GAPS(last, terms)                                                                                      \
    SPARSE_P_IS_ANY(SPARSE_P_EACHD(SPARSE_P_TERM_GAP, , terms)                                                              \
                        SPARSE_P_EACHD(SPARSE_P_TERM_GAP, , SPARSE_P_LAST_TERMS(last)))
#define SPARSE_P_LAST_TERMS(last)                                 SPARSE_P_LAST_TERMS_(SPARSE_P_ID last)
#define SPARSE_P_LAST_TERMS_(...)                                 SPARSE_P_LAST_TERMS__(__VA_ARGS__)
#define SPARSE_P_LAST_TERMS__(which, x)                           SPARSE_P_LAST_TERMS_##which(x)
#define SPARSE_P_LAST_TERMS_0searched(x)                          SPARSE_P_SECOND x
#define SPARSE_P_LAST_TERMS_0located(x)                           SPARSE_P_LAST_TERMS_LOCATED x
#define SPARSE_P_LAST_TERMS_LOCATED(up, size, shift, terms, less) terms
#define SPARSE_P_LAST_TERMS_0none(x)                              ()
#define SPARSE_P_LAST_TERMS_0beyond(x)                            ()
#define SPARSE_P_LAST_TERMS_0across(x)                            ()
#define SPARSE_P_LAST_TERMS_0alone(x)                             ()
#define SPARSE_P_DIM_OF(A, n, i)                                  SPARSE_P_BY_PAREN(SPARSE_P_DIM_OF_, i)(A, n, i)
#define SPARSE_P_DIM_OF_0(A, n, i)                                sparse_l_##i##_size
#define SPARSE_P_DIM_OF_1(A, n, i)                                sparse_l_##A##n##_size

#define SPARSE_P_CRD_0across_COORDINATE            , SPARSE_P_CRD_OFFSET
#define SPARSE_P_CRD_0across_SEEK                  , SPARSE_P_SEEK_ACROSS
#define SPARSE_P_CRD_0across_NEXT                  , SPARSE_P_NEXT_ACROSS
#define SPARSE_P_NEXT_ACROSS(A, n, crd, stride, p) sparse_p_segments_from(&sparse_l_##A##n##_subsection, p)
#define SPARSE_P_SEEK_ACROSS(A, n, i, crd, m, parent, stride, head, offset)                                                 \
    sparse_p_segments_seek(&sparse_l_##A##n##_subsection, &sparse_l_p##A##n, sparse_l_e##A##n, i)

#define SPARSE_P_CRD_0offset_COORDINATE            , SPARSE_P_CRD_OFFSET
#define SPARSE_P_CRD_0offset_SEEK                  , SPARSE_P_SEEK_OFFSET
#define SPARSE_P_CRD_0offset_NEXT                  , SPARSE_P_NEXT_OFFSET
#define SPARSE_P_NEXT_OFFSET(A, n, crd, stride, p) sparse_p_subsection_from(&sparse_l_##A##n##_subsection, p)

#define SPARSE_P_CRD_OFFSET(A, head, p, crd, m, parent, stride, offset) p
#define SPARSE_P_SEEK_OFFSET(A, n, i, crd, m, parent, stride, head, offset)                                                 \
    sparse_p_subsection_seek(&sparse_l_##A##n##_subsection, &sparse_l_p##A##n, sparse_l_e##A##n, i)
/* A dense level over a sum that may lie outside the dimension: a position counts if its coordinate is inside. */
#define SPARSE_P_LEVEL_0shifted_BATCHED , 0shifted

#define SPARSE_P_RANGE_0shifted_LO               , SPARSE_P_LO_WINDOW
#define SPARSE_P_RANGE_0shifted_HI               , SPARSE_P_HI_SHIFTED
#define SPARSE_P_RANGE_0shifted_0slice_arrays    , SPARSE_P_ARRAYS_SIZE
#define SPARSE_P_RANGE_0shifted_0slice_arguments , SPARSE_P_ARGUMENTS_SIZE
#define SPARSE_P_RANGE_0shifted_BEGIN            , SPARSE_P_BEGIN_SHIFTED
#define SPARSE_P_RANGE_0shifted_SPAN             , SPARSE_P_SPAN_WINDOW

#define SPARSE_P_CRD_0shifted_NUMBER     , 1
#define SPARSE_P_CRD_0shifted_PLAIN      , 2
#define SPARSE_P_CRD_0shifted_SLICED     , 0shifted
#define SPARSE_P_CRD_0shifted_COORDINATE , SPARSE_P_CRD_SHIFTED
#define SPARSE_P_CRD_0shifted_SEEK       , SPARSE_P_SEEK_SHIFTED
#define SPARSE_P_CRD_0shifted_ON         , SPARSE_P_ON_SHIFTED
#define SPARSE_P_CRD_0shifted_NEXT       , SPARSE_P_NEXT_SHIFTED

#define SPARSE_P_LEVEL_0shifted_batch_WITHIN  , batch
#define SPARSE_P_LEVEL_0shifted_batch_BATCHED , 0shifted_batch

#define SPARSE_P_RANGE_0shifted_batch_LO               , SPARSE_P_LO_WINDOW
#define SPARSE_P_RANGE_0shifted_batch_HI               , SPARSE_P_HI_SHIFTED
#define SPARSE_P_RANGE_0shifted_batch_0slice_arrays    , SPARSE_P_ARRAYS_SIZE
#define SPARSE_P_RANGE_0shifted_batch_0slice_arguments , SPARSE_P_ARGUMENTS_SIZE
#define SPARSE_P_RANGE_0shifted_batch_BEGIN            , SPARSE_P_BEGIN_SHIFTED
#define SPARSE_P_RANGE_0shifted_batch_SPAN             , SPARSE_P_SPAN_WINDOW

/* The coordinates of 0shifted_batch are computed like those of 0shifted. */
#define SPARSE_P_STRIDE_0shifted_batch ~, 0shifted, 1, 0shifted
#define SPARSE_P_BEGIN_SHIFTED(A, n, role, above, pos, m, parent, guard)                                                    \
    SPARSE_P_BEGIN_SHIFTED_(A, n, role, above, SPARSE_P_ID m)
#define SPARSE_P_BEGIN_SHIFTED_(...) SPARSE_P_BEGIN_SHIFTED__(__VA_ARGS__)
#define SPARSE_P_BEGIN_SHIFTED__(A, n, role, above, format, m, stride, from, offset, c, i, pad)                             \
    SPARSE_P_SHIFTED_WINDOW(A, n, role, above, offset, c, pad, sparse_l_##i##_size)
#define SPARSE_P_SHIFTED_WINDOW(A, n, role, above, offset, stride, pad, size)                                               \
    const sparse_p_window sparse_l_##A##n##_window =                                                                        \
        sparse_p_window_shifted(SPARSE_P_IF_IN(role, above)(A, above, SPARSE_P_PARENT(A, n) * sparse_l_##A##n##_size),      \
                                sparse_l_##A##n##_size, offset, stride, pad, size);
#define SPARSE_P_CRD_SHIFTED(A, head, p, crd, m, parent, stride, offset)                                                    \
    sparse_p_window_index(p, sparse_l_##A##head##_window)
#define SPARSE_P_SEEK_SHIFTED(A, n, i, crd, m, parent, stride, head, offset)                                                \
    sparse_p_window_find(i, &sparse_l_p##A##n, sparse_l_e##A##n, sparse_l_##A##n##_window)
#define SPARSE_P_ON_SHIFTED(A, n, crd, stride)    sparse_p_window_has(sparse_l_p##A##n, sparse_l_##A##n##_window)
#define SPARSE_P_NEXT_SHIFTED(A, n, crd, step, p) sparse_p_window_step(p, sparse_l_e##A##n, sparse_l_##A##n##_window)
/* A bitmap over a sum, or in a slice: a position counts if its coordinate is inside and its bit is set. */
#define SPARSE_P_LEVEL_0shifted_bitmap_ALL , 0

#define SPARSE_P_RANGE_0shifted_bitmap_LO               , SPARSE_P_LO_WINDOW
#define SPARSE_P_RANGE_0shifted_bitmap_HI               , SPARSE_P_HI_SHIFTED
#define SPARSE_P_RANGE_0shifted_bitmap_0slice_arrays    , SPARSE_P_ARRAYS_CRD_SIZE
#define SPARSE_P_RANGE_0shifted_bitmap_0slice_arguments , SPARSE_P_ARGUMENTS_CRD_SIZE
#define SPARSE_P_RANGE_0shifted_bitmap_BEGIN            , SPARSE_P_BEGIN_SHIFTED
#define SPARSE_P_RANGE_0shifted_bitmap_SPAN             , SPARSE_P_SPAN_WINDOW
#define SPARSE_P_PER_PARENT_0shifted_bitmap0unique      (0)

#define SPARSE_P_RANGE_0sliced_bitmap_LO    , SPARSE_P_LO_WINDOW
#define SPARSE_P_RANGE_0sliced_bitmap_HI    , SPARSE_P_HI_SHIFTED
#define SPARSE_P_RANGE_0sliced_bitmap_BEGIN , SPARSE_P_BEGIN_SLICED_BITMAP
#define SPARSE_P_RANGE_0sliced_bitmap_SPAN  , SPARSE_P_SPAN_WINDOW
#define SPARSE_P_BEGIN_SLICED_BITMAP(A, n, role, above, pos, m, parent, guard)                                              \
    SPARSE_P_SHIFTED_WINDOW(A, n, role, above, sparse_l_##A##n##_slice.offset, sparse_l_##A##n##_slice.stride, 0,           \
                            sparse_l_##A##n##_slice.size)

#define SPARSE_P_CRD_0shifted_bitmap_PLAIN      , 2
#define SPARSE_P_CRD_0shifted_bitmap_SLICED     , 0shifted_bitmap
#define SPARSE_P_CRD_0shifted_bitmap_COORDINATE , SPARSE_P_CRD_SHIFTED
#define SPARSE_P_CRD_0shifted_bitmap_SEEK       , SPARSE_P_SEEK_SHIFTED_BIT
#define SPARSE_P_CRD_0shifted_bitmap_ON         , SPARSE_P_ON_SHIFTED_BIT
#define SPARSE_P_CRD_0shifted_bitmap_NEXT       , SPARSE_P_NEXT_SHIFTED_BIT
#define SPARSE_P_CRD_0shifted_bitmap_FIRST      , SPARSE_P_FIRST_SHIFTED_BIT
#define SPARSE_P_SEEK_SHIFTED_BIT(A, n, i, bits, m, parent, stride, head, offset)                                           \
    (SPARSE_P_SEEK_SHIFTED(A, n, i, bits, m, parent, stride, head, offset) && SPARSE_P_BIT(A, n, bits, stride))
#define SPARSE_P_ON_SHIFTED_BIT(A, n, bits, stride)                                                                         \
    (SPARSE_P_ON_SHIFTED(A, n, bits, stride) && SPARSE_P_BIT(A, n, bits, stride))
#define SPARSE_P_NEXT_SHIFTED_BIT(A, n, bits, stride, p)                                                                    \
    sparse_p_window_bit_##bits(sparse_l_##A##n##_crd, p, sparse_l_e##A##n, sparse_l_##A##n##_window)
#define SPARSE_P_FIRST_SHIFTED_BIT(A, n, bits, stride)                                                                      \
    sparse_l_p##A##n = SPARSE_P_NEXT_SHIFTED_BIT(A, n, bits, stride, sparse_l_p##A##n);

/* >>lattice
   Computes what a loop iterates over. Input: a tree, and the number of a loop. Output: a drive, which says what the loop
   iterates over; then a plan, which adds everything else that the loop needs.

     y += A * x           loop 1, i   (FULL, 1, (), (), ())              every i, as the first level of CSR is dense
                          loop 2, j   (ONE, 1, (, A2), (), ())           the j that A stores; A2: iterator of level 2 of A
     C = A + B            loop 2, j   (MERGE, 1, (, A2, B2), (), ())     the j that A stores, or B, or both
     C = A * B            loop 2, j   (BOTH, 1, (, A2, B2), (), ())      the j that both store
     A * x, x sparse in a bitmap      (ONE, 0, (, A2), (, x1), ())       the j that A stores; x1 follows: it is looked up

   DRIVE(d, tree) -> (KIND, EXACT, (drivers), (followers), (flags)): how loop d runs. EXACT is 1 if the expression is live
   wherever the loop iterates. Otherwise the body has to test DEAD first. Only FLAG and MERGE have flags: conditions that
   are known before the loop. If one of them holds, the loop visits every coordinate. A flag comes from an operand that is
   dense at this loop, and that an outer loop has found absent or present. An iterator describes level NUMBER of an operand,
     (stored, name, NUMBER, ROLE, ABOVE, value, POS, CRD, LAST, FORMAT, N, WALK, PARENT, HEAD, STRIDE, OFFSET) */
#define SPARSE_P_DRIVE_where(d, n)           SPARSE_P_CAT(SPARSE_P_MADE_, SPARSE_P_CMP(d, n))
#define SPARSE_P_DRIVE_0leaf(d, record)      SPARSE_P_DRIVE_0leaf_(d, SPARSE_P_ID record)
#define SPARSE_P_DRIVE_0leaf_(...)           SPARSE_P_DRIVE_0leaf__(__VA_ARGS__)
#define SPARSE_P_DRIVE_0leaf__(d, what, ...) SPARSE_P_DRIVE_##what(d, __VA_ARGS__)
#define SPARSE_P_DRIVE_0scalar(d, role, ...) SPARSE_P_MEMBER_CELL(DRIVE, role)
#define SPARSE_P_DRIVE_0tensor(d, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)     \
    SPARSE_P_CAT(SPARSE_P_DRIVE_ANY_, SPARSE_P_NZ_##sparse)(d, role, name, value, pos, crd, nlev, walks)
#define SPARSE_P_DRIVE_0sliced             SPARSE_P_DRIVE_0tensor
#define SPARSE_P_DRIVE_0mirrored           SPARSE_P_DRIVE_0tensor
#define SPARSE_P_DRIVE_0current            SPARSE_P_DRIVE_0tensor
#define SPARSE_P_DRIVE_ANY_0(d, role, ...) SPARSE_P_MEMBER_CELL(DRIVE, role)
#define SPARSE_P_DRIVE_ANY_1(d, role, name, value, pos, crd, nlev, walks)                                                   \
    SPARSE_P_DRIVE_0tensor_(role, name, value, pos, crd, nlev, SPARSE_P_SEEN(d, role, walks))

/* SEEN(d, ROLE, walks) -> NUMBER, ABOVE, ITERATOR, BEFORE, FINAL. NUMBER is the sparse level at loop d, or 0. ABOVE is
   the last sparse level above it, and ITERATOR says how it is walked. BEFORE is the last sparse level of the loops
   outside d, or 0. FINAL is 0 if a sparse level comes in a loop inside d, else 1. BEFORE and FINAL matter only if the
   operand may be absent. */
#define SPARSE_P_SEEN(d, role, walks)                                                                                       \
    SPARSE_P_UNPACK(SPARSE_P_SECOND(~SPARSE_P_EACHF(SPARSE_P_SEEN_HERE, d, walks), (0, 0, ()))),                            \
        SPARSE_P_CAT(SPARSE_P_SEEN_AROUND_, SPARSE_P_MEMBER_CELL(MAYBE, role))(d, walks)
#define SPARSE_P_SEEN_AROUND_0(d, walks) 0, 1
#define SPARSE_P_SEEN_AROUND_1(d, walks)                                                                                    \
    SPARSE_P_FOLDF(SPARSE_P_RIGHT, (, 0 SPARSE_P_EACHF(SPARSE_P_SEEN_BEFORE, d, walks))),                                   \
        SPARSE_P_SECOND(~SPARSE_P_EACHF(SPARSE_P_SEEN_AFTER, d, walks), 1)
#define SPARSE_P_RIGHT(a, b)     b
#define SPARSE_P_SEEN_HERE(d, x) SPARSE_P_SEEN_HERE_(d, SPARSE_P_ID x)
#define SPARSE_P_SEEN_HERE_(...) SPARSE_P_SEEN_HERE__(__VA_ARGS__)
#define SPARSE_P_SEEN_HERE__(d, number, placed, above, iterator)                                                            \
    SPARSE_P_CAT(SPARSE_P_HERE_, SPARSE_P_CMP(placed, d))((number, above, iterator))
#define SPARSE_P_SEEN_BEFORE(d, x)                     SPARSE_P_SEEN_BEFORE_(d, SPARSE_P_ID x)
#define SPARSE_P_SEEN_BEFORE_(...)                     SPARSE_P_SEEN_BEFORE__(__VA_ARGS__)
#define SPARSE_P_SEEN_BEFORE__(d, number, placed, ...) SPARSE_P_CAT(SPARSE_P_BEFORE_, SPARSE_P_CMP(placed, d))(number)
#define SPARSE_P_SEEN_AFTER(d, x)                      SPARSE_P_SEEN_AFTER_(d, SPARSE_P_ID x)
#define SPARSE_P_SEEN_AFTER_(...)                      SPARSE_P_SEEN_AFTER__(__VA_ARGS__)
#define SPARSE_P_SEEN_AFTER__(d, number, placed, ...)  SPARSE_P_CAT(SPARSE_P_AFTER_, SPARSE_P_CMP(placed, d))(0)
#define SPARSE_P_HERE_0before(x)
#define SPARSE_P_HERE_0here(x) , x
#define SPARSE_P_HERE_0after(x)
#define SPARSE_P_BEFORE_0before(x) , x
#define SPARSE_P_BEFORE_0here(x)
#define SPARSE_P_BEFORE_0after(x)
#define SPARSE_P_AFTER_0before(x)
#define SPARSE_P_AFTER_0here(x)
#define SPARSE_P_AFTER_0after(x)     , x
#define SPARSE_P_DRIVE_0tensor_(...) SPARSE_P_DRIVE_0tensor__(__VA_ARGS__)
#define SPARSE_P_DRIVE_0tensor__(role, name, value, pos, crd, nlev, number, above, iterator, before, final)                 \
    SPARSE_P_CAT3(SPARSE_P_DRIVE_, role, SPARSE_P_NZ_##number)                                                              \
    (name, before, final,                                                                                                   \
     SPARSE_P_ITERATOR(name, number, role, above, value, pos, crd,                                                          \
                       SPARSE_P_CAT(SPARSE_P_LAST_IF_, SPARSE_P_NZ(SPARSE_P_OR0(number)))(number, nlev),                    \
                       SPARSE_P_ID iterator))
#define SPARSE_P_ITERATOR(...) SPARSE_P_ITERATOR_(__VA_ARGS__)
#define SPARSE_P_ITERATOR_(name, number, role, above, value, pos, crd, last, format, n, walk, parent, head, stride, offset) \
    (0stored, name, number, role, above, value, pos, crd, last, format, n, walk, parent, head, stride, offset)
#define SPARSE_P_LAST_IF_0(number, nlev) 0before
#define SPARSE_P_LAST_IF_1(number, nlev) SPARSE_P_CMP(number, nlev)
/* Roles must and update: the operand is stored wherever the body runs. It drives loops at which it is sparse, and no test
   of it is needed. */
#define SPARSE_P_DRIVE_0must0(name, before, final, it)   (0FULL, 1, (), (), ())
#define SPARSE_P_DRIVE_0must1(name, before, final, it)   (0ONE, 1, (, it), (), ())
#define SPARSE_P_DRIVE_0update0(name, before, final, it) (0FULL, 1, (), (), ())
#define SPARSE_P_DRIVE_0update1(name, before, final, it) (0ONE, 1, (, it), (), ())
/* Role may: if the operand is present, a level that is dense at loop d has every coordinate. A flag says whether it is
   present, if an outer loop has decided that. */
#define SPARSE_P_DRIVE_0may0(name, before, final, it)                                                                       \
    SPARSE_P_CAT(SPARSE_P_DRIVE_PAST, SPARSE_P_NZ_##before)(SPARSE_P_CAT3(sparse_l_in, name, before))
#define SPARSE_P_DRIVE_0may1(name, before, final, it) (0ONE, 1, (, it), (), ())
/* Role not: only the last sparse level of the operand shows whether an entry is stored. So the operand never drives a
   loop, but always follows. */
#define SPARSE_P_DRIVE_0not0(name, before, final, it)                                                                       \
    SPARSE_P_CAT3(SPARSE_P_DRIVE_PAST, SPARSE_P_NZ_##before, SPARSE_P_FINAL_##final)                                        \
    (!SPARSE_P_CAT3(sparse_l_in, name, before))
#define SPARSE_P_DRIVE_0not1(name, before, final, it) (0FULL, SPARSE_P_NOT_##final, (), (, it), ())
#define SPARSE_P_DRIVE_PAST0(flag)                    (0FULL, 1, (), (), ())
#define SPARSE_P_DRIVE_PAST1(flag)                    (0FLAG, 1, (), (), (, flag))
#define SPARSE_P_DRIVE_PAST00(flag)                   (0FULL, 1, (), (), ())
#define SPARSE_P_DRIVE_PAST10(flag)                   (0FULL, 1, (), (), ())
#define SPARSE_P_FINAL_0                              0
#define SPARSE_P_FINAL_1
#define SPARSE_P_NOT_0 1
#define SPARSE_P_NOT_1 0

/* The intersection of two parts. Their kinds decide which part drives: a single iterator is preferred to a merge, and a
   sparse part to a full one. */
#define SPARSE_P_DRIVE_all(u, v)                          SPARSE_P_DRIVE_all_(SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_DRIVE_all_(...)                          SPARSE_P_DRIVE_all__(__VA_ARGS__)
#define SPARSE_P_DRIVE_all__(ku, xu, du, fu, tu, kv, ...) SPARSE_P_ALL_CELL(kv, ku)(ku, xu, du, fu, tu, kv, __VA_ARGS__)
/* TABLE ALL: which part drives the loop over the intersection of two parts. The row is the kind of the first part, and the
   column the kind of the second part:

                   FULL    FLAG    ONE     BOTH    MERGE
         FULL      first   second  second  second  second
         FLAG      first   flags   SECOND  SECOND  SECOND
         ONE       first   FIRST   pair    SECOND  FIRST
         BOTH      first   FIRST   FIRST   FIRST   FIRST
         MERGE     first   FIRST   SECOND  SECOND  FIRST

   first, second: this part drives. The other part is FULL: it has every coordinate, so it removes none.
   FIRST, SECOND: this part drives, and the iterators of the other part follow.
   pair: both parts have one iterator. MEETS decides whether both drive or one of them.
   flags: every coordinate, if a flag of each part holds.
   rows: 0FULL 0FLAG 0ONE 0BOTH 0MERGE
     0FULL        the second part is FULL
     0FLAG        the second part is FLAG
     0ONE         the second part is ONE
     0BOTH        the second part is BOTH
     0MERGE       the second part is MERGE */
#define SPARSE_P_ALL_CELL(column, row) SPARSE_P_CELL(SPARSE_P_ALL_##row##_##column SPARSE_P_ALL_default_##column, ~)
#define SPARSE_P_ALL_default_0FULL     , SPARSE_P_ALL_FIRST_ALONE
#define SPARSE_P_ALL_default_0FLAG     , ~
#define SPARSE_P_ALL_default_0ONE      , ~
#define SPARSE_P_ALL_default_0BOTH     , SPARSE_P_ALL_SECOND
#define SPARSE_P_ALL_default_0MERGE    , SPARSE_P_ALL_FIRST

#define SPARSE_P_ALL_0FULL_0FLAG  , SPARSE_P_ALL_SECOND_ALONE
#define SPARSE_P_ALL_0FULL_0ONE   , SPARSE_P_ALL_SECOND_ALONE
#define SPARSE_P_ALL_0FULL_0BOTH  , SPARSE_P_ALL_SECOND_ALONE
#define SPARSE_P_ALL_0FULL_0MERGE , SPARSE_P_ALL_SECOND_ALONE

#define SPARSE_P_ALL_0FLAG_0FLAG  , SPARSE_P_ALL_FLAGS
#define SPARSE_P_ALL_0FLAG_0ONE   , SPARSE_P_ALL_SECOND
#define SPARSE_P_ALL_0FLAG_0MERGE , SPARSE_P_ALL_SECOND

#define SPARSE_P_ALL_0ONE_0FLAG , SPARSE_P_ALL_FIRST
#define SPARSE_P_ALL_0ONE_0ONE  , SPARSE_P_ALL_PAIR

#define SPARSE_P_ALL_0BOTH_0FLAG , SPARSE_P_ALL_FIRST
#define SPARSE_P_ALL_0BOTH_0ONE  , SPARSE_P_ALL_FIRST
#define SPARSE_P_ALL_0BOTH_0BOTH , SPARSE_P_ALL_FIRST

#define SPARSE_P_ALL_0MERGE_0FLAG , SPARSE_P_ALL_FIRST
#define SPARSE_P_ALL_0MERGE_0ONE  , SPARSE_P_ALL_SECOND
#define SPARSE_P_ALL_FIRST_ALONE(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                    \
    (ku, SPARSE_P_AND_##xu##xv, du, (SPARSE_P_ID fu SPARSE_P_ID fv), tu)
#define SPARSE_P_ALL_SECOND_ALONE(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                   \
    (kv, SPARSE_P_AND_##xu##xv, dv, (SPARSE_P_ID fu SPARSE_P_ID fv), tv)
#define SPARSE_P_ALL_FLAGS(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                          \
    (0FLAG, 0, (), (SPARSE_P_ID fu SPARSE_P_ID fv), (, ((SPARSE_P_ONE_OF(tu)) && (SPARSE_P_ONE_OF(tv)))))
#define SPARSE_P_ALL_FIRST(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                          \
    (ku, 0, du, (SPARSE_P_ID fu SPARSE_P_ID dv SPARSE_P_ID fv), tu)
#define SPARSE_P_ALL_SECOND(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                         \
    (kv, 0, dv, (SPARSE_P_ID du SPARSE_P_ID fu SPARSE_P_ID fv), tv)
#define SPARSE_P_ALL_PAIR(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                           \
    SPARSE_P_CAT3(SPARSE_P_ALL_PAIR, SPARSE_P_MEETS du, SPARSE_P_MEETS dv)                                                  \
    (ku, xu, du, fu, tu, kv, xv, dv, fv, tv)
#define SPARSE_P_ALL_PAIR11(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                         \
    (0BOTH, SPARSE_P_AND_##xu##xv, (SPARSE_P_ID du SPARSE_P_ID dv), (SPARSE_P_ID fu SPARSE_P_ID fv), ())
#define SPARSE_P_ALL_PAIR10 SPARSE_P_ALL_SECOND
#define SPARSE_P_ALL_PAIR01 SPARSE_P_ALL_FIRST
#define SPARSE_P_ALL_PAIR00 SPARSE_P_ALL_FIRST
#define SPARSE_P_ALL_PAIR02 SPARSE_P_ALL_FIRST
#define SPARSE_P_ALL_PAIR12 SPARSE_P_ALL_FIRST
#define SPARSE_P_ALL_PAIR20 SPARSE_P_ALL_SECOND
#define SPARSE_P_ALL_PAIR21 SPARSE_P_ALL_SECOND
#define SPARSE_P_ALL_PAIR22 SPARSE_P_ALL_FIRST
/* MEETS(, iterator) -> how the iterator takes part in an intersection. 1: its coordinates are unique, ordered and
   contiguous in memory; two iterators of this sort advance together. 2: the position follows from the coordinate, as in a
   bitmap, so the other iterator drives and this one is looked up. 0: this iterator drives, because the other one is faster
   to search. */
#define SPARSE_P_MEETS(z, it) SPARSE_P_MEETS_ it
#define SPARSE_P_MEETS_(what, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head, stride, ...)         \
    SPARSE_P_CAT3(SPARSE_P_MEETS_, SPARSE_P_WALK_CELL(PLAIN, walk), SPARSE_P_CRD_CELL(PLAIN, stride))
#define SPARSE_P_MEETS_00 0
#define SPARSE_P_MEETS_01 0
#define SPARSE_P_MEETS_02 2
#define SPARSE_P_MEETS_10 0
#define SPARSE_P_MEETS_11 1
#define SPARSE_P_MEETS_12 2
#define SPARSE_P_AND_00   0
#define SPARSE_P_AND_01   0
#define SPARSE_P_AND_10   0
#define SPARSE_P_AND_11   1

/* The union of two parts. It is full if one of them is full. Otherwise it is a merge of their drivers. */
#define SPARSE_P_DRIVE_any(u, v)                          SPARSE_P_DRIVE_any_(SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_DRIVE_any_(...)                          SPARSE_P_DRIVE_any__(__VA_ARGS__)
#define SPARSE_P_DRIVE_any__(ku, xu, du, fu, tu, kv, ...) SPARSE_P_ANY_CELL(kv, ku)(ku, xu, du, fu, tu, kv, __VA_ARGS__)
/* TABLE ANY: the loop over the union of two parts. If one part is FULL, so is the loop, and sparse operands of the other
   part follow. Two parts that are FLAG yield a FLAG. All other pairs yield a MERGE of their drivers.
   rows: 0FULL 0FLAG 0ONE 0BOTH 0MERGE
     0FULL        the second part is FULL
     0FLAG        the second part is FLAG
     0ONE         the second part is ONE
     0BOTH        the second part is BOTH
     0MERGE       the second part is MERGE */
#define SPARSE_P_ANY_CELL(column, row) SPARSE_P_CELL(SPARSE_P_ANY_##row##_##column SPARSE_P_ANY_default_##column, ~)
#define SPARSE_P_ANY_default_0FULL     , SPARSE_P_ANY_MERGE
#define SPARSE_P_ANY_default_0FLAG     , SPARSE_P_ANY_MERGE
#define SPARSE_P_ANY_default_0ONE      , SPARSE_P_ANY_MERGE
#define SPARSE_P_ANY_default_0BOTH     , SPARSE_P_ANY_MERGE
#define SPARSE_P_ANY_default_0MERGE    , SPARSE_P_ANY_MERGE

#define SPARSE_P_ANY_0FULL_0FULL  , SPARSE_P_ANY_BOTH_FULL
#define SPARSE_P_ANY_0FULL_0FLAG  , SPARSE_P_ANY_FIRST_FULL
#define SPARSE_P_ANY_0FULL_0ONE   , SPARSE_P_ANY_FIRST_FULL
#define SPARSE_P_ANY_0FULL_0BOTH  , SPARSE_P_ANY_FIRST_FULL
#define SPARSE_P_ANY_0FULL_0MERGE , SPARSE_P_ANY_FIRST_FULL

#define SPARSE_P_ANY_0FLAG_0FULL , SPARSE_P_ANY_SECOND_FULL
#define SPARSE_P_ANY_0FLAG_0FLAG , SPARSE_P_ANY_FLAGS

#define SPARSE_P_ANY_0ONE_0FULL , SPARSE_P_ANY_SECOND_FULL

#define SPARSE_P_ANY_0BOTH_0FULL , SPARSE_P_ANY_SECOND_FULL

#define SPARSE_P_ANY_0MERGE_0FULL , SPARSE_P_ANY_SECOND_FULL
#define SPARSE_P_ANY_BOTH_FULL(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                      \
    (0FULL, SPARSE_P_OR_##xu##xv, (), (SPARSE_P_ID fu SPARSE_P_ID fv), ())
#define SPARSE_P_ANY_FIRST_FULL(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                     \
    (0FULL, xu, (), (SPARSE_P_ID fu SPARSE_P_ID dv SPARSE_P_ID fv), ())
#define SPARSE_P_ANY_SECOND_FULL(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                    \
    (0FULL, xv, (), (SPARSE_P_ID du SPARSE_P_ID fu SPARSE_P_ID fv), ())
#define SPARSE_P_ANY_FLAGS(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                          \
    (0FLAG, SPARSE_P_AND_##xu##xv, (), (SPARSE_P_ID fu SPARSE_P_ID fv), (SPARSE_P_ID tu SPARSE_P_ID tv))
#define SPARSE_P_ANY_MERGE(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                          \
    SPARSE_P_ANY_MERGE_(xu, SPARSE_P_MERGED_##ku(du, fu), tu, xv, SPARSE_P_MERGED_##kv(dv, fv), tv)
#define SPARSE_P_ANY_MERGE_(...) SPARSE_P_ANY_MERGE__(__VA_ARGS__)
#define SPARSE_P_ANY_MERGE__(xu, wu, du, fu, tu, xv, wv, dv, fv, tv)                                                        \
    (0MERGE, SPARSE_P_AND4(xu, wu, xv, wv), (SPARSE_P_ID du SPARSE_P_ID dv), (SPARSE_P_ID fu SPARSE_P_ID fv),               \
     (SPARSE_P_ID tu SPARSE_P_ID tv))
/* MERGED_kind(drivers, followers) -> EXACT, (drivers), (followers): a drive that becomes part of a merge. Of the two
   iterators of BOTH, only the first drives; the second follows. */
#define SPARSE_P_MERGED_0FLAG(d, f)         1, d, f
#define SPARSE_P_MERGED_0ONE(d, f)          1, d, f
#define SPARSE_P_MERGED_0MERGE(d, f)        1, d, f
#define SPARSE_P_MERGED_0BOTH(d, f)         SPARSE_P_MERGED_0BOTH_(f, SPARSE_P_ID d)
#define SPARSE_P_MERGED_0BOTH_(...)         SPARSE_P_MERGED_0BOTH__(__VA_ARGS__)
#define SPARSE_P_MERGED_0BOTH__(f, z, a, b) 0, (, a), (, b SPARSE_P_ID f)
#define SPARSE_P_AND4(a, b, c, d)           SPARSE_P_AND4_(a, b, c, d)

#define SPARSE_P_AND4_(a, b, c, d) SPARSE_P_CAT(SPARSE_P_AND_, SPARSE_P_CAT(SPARSE_P_AND_##a##b, SPARSE_P_AND_##c##d))
#define SPARSE_P_OR_00             0
#define SPARSE_P_OR_01             1
#define SPARSE_P_OR_10             1
#define SPARSE_P_OR_11             1
/* ONE_OF((, u, v)) -> u || v */
#define SPARSE_P_ONE_OF(list)  SPARSE_P_FOLDF(SPARSE_P_OR_TEXT, list)
#define SPARSE_P_OR_TEXT(u, v) u || v

/* DEAD(d, tree) -> (, condition), or () if there is nothing to test. If the condition holds, the facts known at loop d
   show that the expression is dead. The condition names only optional operands, because all others have been tested
   before. */
#define SPARSE_P_DEAD_where                 SPARSE_P_DRIVE_where
#define SPARSE_P_DEAD_0leaf(d, record)      SPARSE_P_DEAD_0leaf_(d, SPARSE_P_ID record)
#define SPARSE_P_DEAD_0leaf_(...)           SPARSE_P_DEAD_0leaf__(__VA_ARGS__)
#define SPARSE_P_DEAD_0leaf__(d, what, ...) SPARSE_P_DEAD_##what(d, __VA_ARGS__)
#define SPARSE_P_DEAD_0scalar(d, role, ...) SPARSE_P_MEMBER_CELL(DEAD, role)
#define SPARSE_P_DEAD_0tensor(d, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)      \
    SPARSE_P_CAT(SPARSE_P_DEAD_ANY_, SPARSE_P_NZ_##sparse)(d, role, name, walks)
#define SPARSE_P_DEAD_0sliced                     SPARSE_P_DEAD_0tensor
#define SPARSE_P_DEAD_0mirrored                   SPARSE_P_DEAD_0tensor
#define SPARSE_P_DEAD_0current                    SPARSE_P_DEAD_0tensor
#define SPARSE_P_DEAD_ANY_0(d, role, ...)         SPARSE_P_MEMBER_CELL(DEAD, role)
#define SPARSE_P_DEAD_ANY_1(d, role, name, walks) SPARSE_P_DEAD_0tensor_(role, name, SPARSE_P_SEEN(d, role, walks))
#define SPARSE_P_DEAD_0tensor_(...)               SPARSE_P_DEAD_0tensor__(__VA_ARGS__)
#define SPARSE_P_DEAD_0tensor__(role, name, number, above, iterator, before, final)                                         \
    SPARSE_P_CAT3(SPARSE_P_DEAD_, role, SPARSE_P_NZ_##number)(name, number, before, final)
#define SPARSE_P_DEAD_0must0(name, number, before, final)   ()
#define SPARSE_P_DEAD_0must1(name, number, before, final)   ()
#define SPARSE_P_DEAD_0update0(name, number, before, final) ()
#define SPARSE_P_DEAD_0update1(name, number, before, final) ()
#define SPARSE_P_DEAD_0may0(name, number, before, final)                                                                    \
    SPARSE_P_CAT(SPARSE_P_DEAD_IF_NOT_, SPARSE_P_NZ(before))(SPARSE_P_CAT3(sparse_l_in, name, before))
#define SPARSE_P_DEAD_0may1(name, number, before, final) SPARSE_P_DEAD_IF_NOT_1(sparse_l_in##name##number)
#define SPARSE_P_DEAD_0not0(name, number, before, final)                                                                    \
    SPARSE_P_CAT3(SPARSE_P_DEAD_IF_IN_, final, SPARSE_P_NZ(before))(SPARSE_P_CAT3(sparse_l_in, name, before))
#define SPARSE_P_DEAD_0not1(name, number, before, final)                                                                    \
    SPARSE_P_CAT3(SPARSE_P_DEAD_IF_IN_, final, 1)(sparse_l_in##name##number)
#define SPARSE_P_DEAD_IF_NOT_0(in) ()
#define SPARSE_P_DEAD_IF_NOT_1(in) (, !in)
#define SPARSE_P_DEAD_IF_IN_00(in) ()
#define SPARSE_P_DEAD_IF_IN_01(in) ()
#define SPARSE_P_DEAD_IF_IN_11(in) (, in)
#define SPARSE_P_DEAD_all(u, v)    SPARSE_P_CAT3(SPARSE_P_DEAD_ALL_, SPARSE_P_IS_ANY u, SPARSE_P_IS_ANY v)(u, v)
#define SPARSE_P_DEAD_ALL_00(u, v) ()
#define SPARSE_P_DEAD_ALL_01(u, v) v
#define SPARSE_P_DEAD_ALL_10(u, v) u
#define SPARSE_P_DEAD_ALL_11(u, v) (, (SPARSE_P_TEXT u || SPARSE_P_TEXT v))
#define SPARSE_P_DEAD_any(u, v)    SPARSE_P_CAT3(SPARSE_P_DEAD_ANY_, SPARSE_P_IS_ANY u, SPARSE_P_IS_ANY v)(u, v)
#define SPARSE_P_DEAD_ANY_00(u, v) ()
#define SPARSE_P_DEAD_ANY_01(u, v) ()
#define SPARSE_P_DEAD_ANY_10(u, v) ()
#define SPARSE_P_DEAD_ANY_11(u, v) (, (SPARSE_P_TEXT u && SPARSE_P_TEXT v))
#define SPARSE_P_TEXT(z, text)     text

/* TABLE KIND: how a loop runs, by its kind of drive
   rows: 0FULL 0FLAG 0ONE 0BOTH 0MERGE 0RANGE 0WITHIN 0POINT 0LET
     HEAD         the head of the loop
     INNER        the whole loop, if it is the innermost
     ITEMS        (i, drivers, flags) -> the iterators or flags that the loop runs over
     MOST         (i, items) -> an upper bound of its number of iterations
     EVERY        1 if it visits every coordinate
     PARTLY       0 if it always visits every coordinate; 1 if drivers or flags decide
     CLAMPED      the macro that plans such a loop along a diagonal
     APART        (, driver) -> 1 if no two iterations have the same coordinate
     ROOM         where an output gets room for the entries of the loop. 0here: before the loop. 0around: before the loop
                  around it, because this loop has a single iteration
     0in_order    (kernel, i, drivers) -> the error if the loop runs in order, or nothing. Column ERRORS of table PASS
                  selects this column or one of the next five
     0unrolled    the error if it is unrolled
     0beside      the error if its iterations run in parallel
     0level       the error if its iterations run in parallel inside a loop that all threads run
     0tiled       the error if it is tiled
     0downwards   the error if it runs downwards */
#define SPARSE_P_KIND_WHY(column, kind)  SPARSE_P_KIND_CELL(column, kind)
#define SPARSE_P_KIND_CELL(column, row)  SPARSE_P_CELL(SPARSE_P_KIND_##row##_##column SPARSE_P_KIND_default_##column, ~)
#define SPARSE_P_KIND_default_HEAD       , ~
#define SPARSE_P_KIND_default_INNER      , SPARSE_P_INNER_LOOP
#define SPARSE_P_KIND_default_ITEMS      , ~
#define SPARSE_P_KIND_default_MOST       , SPARSE_P_MOST_SIZE
#define SPARSE_P_KIND_default_EVERY      , 0
#define SPARSE_P_KIND_default_PARTLY     , 1
#define SPARSE_P_KIND_default_CLAMPED    , SPARSE_P_CLAMP_RANGE
#define SPARSE_P_KIND_default_APART      , SPARSE_P_APART_NOT
#define SPARSE_P_KIND_default_ROOM       , 0here
#define SPARSE_P_KIND_default_0in_order  , SPARSE_P_DROP
#define SPARSE_P_KIND_default_0unrolled  , SPARSE_P_ERROR_UNROLLED
#define SPARSE_P_KIND_default_0beside    , SPARSE_P_DROP
#define SPARSE_P_KIND_default_0level     , SPARSE_P_DROP
#define SPARSE_P_KIND_default_0tiled     , SPARSE_P_ERROR_TILED
#define SPARSE_P_KIND_default_0downwards , SPARSE_P_DROP

#define SPARSE_P_KIND_0FULL_HEAD      , SPARSE_P_HEAD_FULL
#define SPARSE_P_KIND_0FULL_ITEMS     , SPARSE_P_ITEMS_DRIVERS
#define SPARSE_P_KIND_0FULL_EVERY     , 1
#define SPARSE_P_KIND_0FULL_PARTLY    , 0
#define SPARSE_P_KIND_0FULL_APART     , SPARSE_P_APART_ALL
#define SPARSE_P_KIND_0FULL_0unrolled , SPARSE_P_DROP
#define SPARSE_P_KIND_0FULL_0tiled    , SPARSE_P_DROP

#define SPARSE_P_KIND_0FLAG_HEAD   , SPARSE_P_HEAD_FULL
#define SPARSE_P_KIND_0FLAG_ITEMS  , SPARSE_P_ITEMS_DRIVERS
#define SPARSE_P_KIND_0FLAG_EVERY  , 1
#define SPARSE_P_KIND_0FLAG_0tiled , SPARSE_P_DROP

#define SPARSE_P_KIND_0ONE_HEAD       , SPARSE_P_HEAD_ONE
#define SPARSE_P_KIND_0ONE_ITEMS      , SPARSE_P_ITEMS_DRIVERS
#define SPARSE_P_KIND_0ONE_MOST       , SPARSE_P_MOST_SUM
#define SPARSE_P_KIND_0ONE_CLAMPED    , SPARSE_P_CLAMP_DRIVERS
#define SPARSE_P_KIND_0ONE_APART      , SPARSE_P_APART_BY_WALK
#define SPARSE_P_KIND_0ONE_0unrolled  , SPARSE_P_ERROR_LANES
#define SPARSE_P_KIND_0ONE_0beside    , SPARSE_P_ERROR_BESIDE
#define SPARSE_P_KIND_0ONE_0level     , SPARSE_P_ERROR_LEVEL
#define SPARSE_P_KIND_0ONE_0downwards , SPARSE_P_ERROR_DOWN

#define SPARSE_P_KIND_0BOTH_HEAD       , SPARSE_P_HEAD_BOTH
#define SPARSE_P_KIND_0BOTH_ITEMS      , SPARSE_P_ITEMS_DRIVERS
#define SPARSE_P_KIND_0BOTH_MOST       , SPARSE_P_MOST_LEAST
#define SPARSE_P_KIND_0BOTH_CLAMPED    , SPARSE_P_CLAMP_DRIVERS
#define SPARSE_P_KIND_0BOTH_0downwards , SPARSE_P_ERROR_DOWN

#define SPARSE_P_KIND_0MERGE_HEAD       , SPARSE_P_HEAD_MERGE
#define SPARSE_P_KIND_0MERGE_INNER      , SPARSE_P_INNER_PHASES
#define SPARSE_P_KIND_0MERGE_ITEMS      , SPARSE_P_ITEMS_MERGED
#define SPARSE_P_KIND_0MERGE_MOST       , SPARSE_P_MOST_SUM
#define SPARSE_P_KIND_0MERGE_CLAMPED    , SPARSE_P_CLAMP_DRIVERS
#define SPARSE_P_KIND_0MERGE_0in_order  , SPARSE_P_ERROR_MERGED
#define SPARSE_P_KIND_0MERGE_0beside    , SPARSE_P_ERROR_MERGED_BESIDE
#define SPARSE_P_KIND_0MERGE_0level     , SPARSE_P_ERROR_MERGED_LEVEL
#define SPARSE_P_KIND_0MERGE_0downwards , SPARSE_P_ERROR_MERGED_DOWN

#define SPARSE_P_KIND_0RANGE_HEAD  , SPARSE_P_HEAD_RANGE
#define SPARSE_P_KIND_0RANGE_ITEMS , SPARSE_P_ITEMS_FLAGS

#define SPARSE_P_KIND_0WITHIN_HEAD  , SPARSE_P_HEAD_WITHIN
#define SPARSE_P_KIND_0WITHIN_ITEMS , SPARSE_P_ITEMS_FLAGS

#define SPARSE_P_KIND_0POINT_HEAD  , SPARSE_P_HEAD_POINT
#define SPARSE_P_KIND_0POINT_ITEMS , SPARSE_P_ITEMS_FLAGS
#define SPARSE_P_KIND_0POINT_MOST  , SPARSE_P_MOST_ONE
#define SPARSE_P_KIND_0POINT_ROOM  , 0around

#define SPARSE_P_KIND_0LET_HEAD  , SPARSE_P_HEAD_LET
#define SPARSE_P_KIND_0LET_ITEMS , SPARSE_P_ITEMS_FLAGS
#define SPARSE_P_KIND_0LET_MOST  , SPARSE_P_MOST_ONE
#define SPARSE_P_KIND_0LET_ROOM  , 0around

/* APART_...(, driver) -> 1 if no two iterations have the same coordinate */
#define SPARSE_P_APART_ALL()          1
#define SPARSE_P_APART_NOT(...)       0
#define SPARSE_P_APART_BY_WALK(z, it) SPARSE_P_APART_BY_WALK_ it
#define SPARSE_P_APART_BY_WALK_(what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)                       \
    SPARSE_P_WALK_CELL(APART, walk)

/* PLAN((letters, tree, WAY), loop) -> , (d, i, strategy, (dead), KIND, (drivers), (followers), (flags)): everything that is
   needed to write loop d. If i runs along diagonals, FULL becomes RANGE, and the flags are the indices that i determines.
   The loop over one of these is a POINT: it has one coordinate, and all sparse operands are looked up there. */
#define SPARSE_P_PLAN(c, l) SPARSE_P_PLAN_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_PLAN_(...) SPARSE_P_PLAN__(__VA_ARGS__)
#define SPARSE_P_PLAN__(letters, tree, way, key, strategy, variable, kind, i, c)                                            \
    SPARSE_P_PLAN3(variable, SPARSE_P_STRATEGY_CELL(way, strategy), SPARSE_P_POS(key, letters), tree,                       \
                   SPARSE_P_BY_##kind(strategy), c)
#define SPARSE_P_BY_0dim(strategy)     SPARSE_P_STRATEGY_CELL(PLANS, strategy)
#define SPARSE_P_BY_floordiv(strategy) SPARSE_P_PLAN_PLAIN
#define SPARSE_P_BY_mod(strategy)      SPARSE_P_PLAN_PLAIN
#define SPARSE_P_BY_count(strategy)    SPARSE_P_PLAN_PLAIN
#define SPARSE_P_BY_minus(strategy)    SPARSE_P_PLAN_PLAIN
#define SPARSE_P_BY_0along(strategy)   SPARSE_P_PLAN_ALONG
#define SPARSE_P_BY_0sum(strategy)     SPARSE_P_PLAN_SUM
#define SPARSE_P_BY_0within(strategy)  SPARSE_P_PLAN_WITHIN
#define SPARSE_P_PLAN3(i, strategy, d, tree, by, c)                                                                         \
    SPARSE_P_PLAN4(by, c, i, strategy, d, tree, SPARSE_P_UNPACK(SPARSE_P_VISIT(SPARSE_P_DRIVE, d, tree)))
#define SPARSE_P_PLAN4(by, ...) by(__VA_ARGS__)
#define SPARSE_P_PLAN_PLAIN(c, i, strategy, d, tree, kind, exact, drivers, followers, flags)                                \
    , (d, i, strategy, SPARSE_P_DEAD_IF_##exact(d, tree), kind, drivers, followers, flags)
#define SPARSE_P_PLAN_ALONG(c, i, ...)                                                                                      \
    SPARSE_P_PLAN_CLAMPED(0RANGE, (SPARSE_P_EACHF(SPARSE_P_OUTSIDE, i, c)), c, i, __VA_ARGS__)
/* PLAN_WITHIN plans a loop over the positions i_inner in blocks of an index that runs along diagonals. Here c is (block
   size, i, others). */
#define SPARSE_P_PLAN_WITHIN(c, i, ...) SPARSE_P_PLAN_CLAMPED(0WITHIN, (SPARSE_P_BEYOND(SPARSE_P_ID c)), c, i, __VA_ARGS__)
#define SPARSE_P_PLAN_CLAMPED(range, outside, c, i, strategy, d, tree, kind, exact, drivers, followers, flags)              \
    SPARSE_P_KIND_CELL(CLAMPED, kind)                                                                                       \
    (range, outside, c, d, i, strategy, SPARSE_P_DEAD_IF_##exact(d, tree), kind, drivers, followers, flags)
#define SPARSE_P_CLAMP_RANGE(range, outside, c, d, i, strategy, dead, kind, drivers, followers, ...)                        \
    , (d, i, strategy, dead, range, (), followers, c)
#define SPARSE_P_CLAMP_DRIVERS(range, outside, c, d, i, strategy, dead, kind, drivers, followers, flags)                    \
    , (d, i, strategy, (, SPARSE_P_FOLDF(SPARSE_P_OR_TEXT, (SPARSE_P_ID outside SPARSE_P_ID dead))), kind, drivers,         \
       followers, flags)
#define SPARSE_P_OUTSIDE(i, j) , j##_diagonal + i + 1 - sparse_l_##i##_size >= sparse_l_##j##_size
#define SPARSE_P_BEYOND(...)   SPARSE_P_BEYOND_(__VA_ARGS__)
#define SPARSE_P_BEYOND_(c, i, others)                                                                                      \
    , i##_block *c + i##_inner >= sparse_l_##i##_size SPARSE_P_EACHF(SPARSE_P_OUTSIDE_BLOCK, (c, i), others)
#define SPARSE_P_OUTSIDE_BLOCK(c, j) SPARSE_P_OUTSIDE_BLOCK_(j, SPARSE_P_ID c)
#define SPARSE_P_OUTSIDE_BLOCK_(...) SPARSE_P_OUTSIDE_BLOCK__(__VA_ARGS__)
#define SPARSE_P_OUTSIDE_BLOCK__(j, c, i)                                                                                   \
    , j##_diagonal + (i##_block * c + i##_inner) + 1 - sparse_l_##i##_size >= sparse_l_##j##_size
#define SPARSE_P_PLAN_SUM(c, j, strategy, d, tree, kind, exact, drivers, followers, ...)                                    \
    , (d, j, strategy, SPARSE_P_CAT(SPARSE_P_DEAD_AT_, SPARSE_P_KIND_CELL(EVERY, kind))(exact, d, tree), 0POINT, (),        \
       (SPARSE_P_ID drivers SPARSE_P_ID followers), (, c))
/* let(u, e): the loop has the single coordinate e, if e is within the dimension. */
#define SPARSE_P_PLAN_LET_SIZED(c, ...) SPARSE_P_PLAN_LET(SPARSE_P_FIRST c, __VA_ARGS__)
#define SPARSE_P_PLAN_LET(e, u, strategy, d, tree, kind, exact, drivers, followers, ...)                                    \
    , (d, u, strategy, SPARSE_P_CAT(SPARSE_P_DEAD_AT_, SPARSE_P_KIND_CELL(EVERY, kind))(exact, d, tree), 0LET, (),          \
       (SPARSE_P_ID drivers SPARSE_P_ID followers), (, e))
#define SPARSE_P_DEAD_AT_0(exact, d, tree) SPARSE_P_VISIT(SPARSE_P_DEAD, d, tree)
#define SPARSE_P_DEAD_AT_1(exact, d, tree) SPARSE_P_DEAD_IF_##exact(d, tree)
#define SPARSE_P_DEAD_IF_0(d, tree)        SPARSE_P_VISIT(SPARSE_P_DEAD, d, tree)
#define SPARSE_P_DEAD_IF_1(d, tree)        ()

/* >>emptying
   Clears an array that held a row. The loops that filled the row run again and clear entry by entry. If the row filled more
   than a quarter of the array, the whole array is cleared instead. For a workspace w that holds row i of A:

     if (A2_pos[i + 1] - A2_pos[i] > w_count / 4) for (size_t w_n = 0; w_n < w_count; w_n++) w_val[w_n] = 0;
     else for (size_t pA2 = A2_pos[i]; pA2 < A2_pos[i + 1]; pA2++) w_val[A2_crd[pA2]] = 0; */
/* EMPTIED_AS(w, k, plans): the loops that clear w. If they are a single loop over entries, the code chooses at run time
   between this loop and clearing the whole array. */
#define SPARSE_P_EMPTIED_AS(operand, k, plans)                                                                              \
    SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_EMPTIED_BY_, SPARSE_P_COUNT(~SPARSE_P_ID plans)), SPARSE_P_DROP)                  \
    (operand, SPARSE_P_UNPACK(SPARSE_P_AT_LIST(1, plans))) { SPARSE_P_NEST_PARTS(k, plans) }
#define SPARSE_P_EMPTIED_BY_1         ~, SPARSE_P_EMPTIED_BY_LOOP
#define SPARSE_P_EMPTIED_BY_LOOP(...) SPARSE_P_EMPTIED_BY_LOOP_(__VA_ARGS__)
#define SPARSE_P_EMPTIED_BY_LOOP_(operand, d, i, strategy, dead, kind, drivers, followers, flags)                           \
    SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_EMPTIED_BY_, kind), SPARSE_P_DROP)(operand, i, SPARSE_P_AT_LIST(1, drivers))
#define SPARSE_P_EMPTIED_BY_0ONE                    ~, SPARSE_P_EMPTIED_BY_ENTRIES
#define SPARSE_P_EMPTIED_BY_ENTRIES(operand, i, it) SPARSE_P_EMPTIED_BY_ENTRIES_(operand, i, it, SPARSE_P_UNPACK(it))
#define SPARSE_P_EMPTIED_BY_ENTRIES_(...)           SPARSE_P_EMPTIED_BY_ENTRIES__(__VA_ARGS__)
/* The number of entries must be known before the loop. It is known if the loop visits all positions below a parent. */
#define SPARSE_P_EMPTIED_BY_ENTRIES__(operand, i, it, what, A, n, role, above, value, pos, crd, last, format, ...)          \
    SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_EMPTIED_BY_, format), SPARSE_P_DROP)(i, (, it), SPARSE_P_ID operand)
#define SPARSE_P_EMPTIED_BY_compressed ~, SPARSE_P_EMPTIED_AT_ONCE
#define SPARSE_P_EMPTIED_AT_ONCE(...)  SPARSE_P_EMPTIED_AT_ONCE_(__VA_ARGS__)
#define SPARSE_P_EMPTIED_AT_ONCE_(i, drivers, what, role, w, type, value, ...)                                              \
    if (SPARSE_P_MOST_SUM(i, drivers) > sparse_l_##w##_count / 4)                                                           \
        SPARSE_P_FILL_EACH(w, val, , SPARSE_P_INITIAL(value, ()))                                                           \
    else

/* >>prefetch
   Prefetches elements in loops prefetch(k), SPARSE_PREFETCH iterations ahead: the elements of operands that index k leads
   to. Input: the loops and the plans. Output: text for the beginning of the loops. As an example, take

     C(i,k) += A(i,j) * B(j,k)      loops (i, prefetch(j), k), all matrices in CSR

   Loop j reads the column j that A stores 8 positions later, and prefetches the first entry of row j of B. It also reads
   the column 16 positions later, and prefetches the positions where that row of B begins. */
/* AHEAD(loops, plans) -> , plan ...: the plans of the loops prefetch(k) */
#define SPARSE_P_AHEAD(loops, plans)                                                                                        \
    SPARSE_P_CAT(SPARSE_P_AHEAD_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_TO_PREFETCH, , loops)))                           \
    (loops, plans)
#define SPARSE_P_TO_PREFETCH(c, l) SPARSE_P_TO_PREFETCH_ l
#define SPARSE_P_TO_PREFETCH_(key, strategy, ...)                                                                           \
    SPARSE_P_CAT(SPARSE_P_TO_PREFETCH_, SPARSE_P_STRATEGY_CELL(AHEAD, strategy))(key)
#define SPARSE_P_TO_PREFETCH_0(i)
#define SPARSE_P_TO_PREFETCH_1(i) , i
#define SPARSE_P_AHEAD_0(loops, plans)
#define SPARSE_P_AHEAD_1(loops, plans)                                                                                      \
    SPARSE_P_EACHG(SPARSE_P_ITS_PLAN, ((SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTER, , loops))), (SPARSE_P_TAIL plans)),   \
                   (SPARSE_P_EACHF(SPARSE_P_TO_PREFETCH, , loops)))
#define SPARSE_P_ITS_PLAN(c, i)                SPARSE_P_ITS_PLAN_(i, SPARSE_P_ID c)
#define SPARSE_P_ITS_PLAN_(...)                SPARSE_P_ITS_PLAN__(__VA_ARGS__)
#define SPARSE_P_ITS_PLAN__(i, letters, plans) , SPARSE_P_AT(SPARSE_P_POS(i, letters), plans)

/* PREFETCHES(leaves, plan) -> , (N, (), text). Loop N, over one operand alone, reads the coordinate k that comes
   SPARSE_PREFETCH iterations later (near). If an operand has positions to fetch, it also reads the coordinate that comes
   twice as many iterations later (far). Then it prefetches from each operand that has a dense level over this index. If a
   compressed level follows, it prefetches the positions at far. At near, the positions have arrived by now, so it
   prefetches the first coordinate and value. If no sparse level follows, it prefetches the first value. */
#define SPARSE_P_PREFETCHES(c, plan) SPARSE_P_PREFETCHES_(SPARSE_P_ID c, SPARSE_P_ID plan)
#define SPARSE_P_PREFETCHES_(...)    SPARSE_P_PREFETCHES__(__VA_ARGS__)
#define SPARSE_P_PREFETCHES__(leaves, plans, d, i, strategy, dead, kind, drivers, ...)                                      \
    SPARSE_P_PREFETCHED(leaves, d, i, drivers, (SPARSE_P_EACHE(SPARSE_P_FINDS, (d, i), plans)))
#define SPARSE_P_PREFETCHED(leaves, d, i, drivers, lets)                                                                    \
    , SPARSE_P_FETCHED(leaves, d, i, drivers, (SPARSE_P_EACHE(SPARSE_P_REACHED_BUT, (d, i, lets), leaves)))                 \
          SPARSE_P_CAT(SPARSE_P_FOUND_, SPARSE_P_IS_ANY lets)(leaves, d, i, lets)
#define SPARSE_P_FETCHED(leaves, d, i, drivers, reached)                                                                    \
    (d, (), SPARSE_P_COMING(leaves, d, i, drivers, reached) SPARSE_P_EACHG(SPARSE_P_TAKEN, , reached))
#define SPARSE_P_COMING(leaves, d, i, drivers, reached)                                                                     \
    SPARSE_P_EACHE(SPARSE_P_SIBLINGS, d, leaves)                                                                            \
    SPARSE_P_EACHG(SPARSE_P_COMES, i, drivers)                                                                              \
    SPARSE_P_CAT(SPARSE_P_COME_LATER_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_SEGMENTS_AMONG, , reached)))(i, drivers)
#define SPARSE_P_COME_LATER_0(i, drivers)
#define SPARSE_P_COME_LATER_1(i, drivers)                SPARSE_P_EACHG(SPARSE_P_COMES_LATER, i, drivers)
#define SPARSE_P_TAKEN(c, reached)                       SPARSE_P_TAKEN_ reached
#define SPARSE_P_TAKEN_(bytes, positions, text)          text
#define SPARSE_P_BYTES_AMONG(c, reached)                 SPARSE_P_BYTES_AMONG_ reached
#define SPARSE_P_BYTES_AMONG_(bytes, positions, text)    SPARSE_P_ID bytes
#define SPARSE_P_SEGMENTS_AMONG(c, reached)              SPARSE_P_SEGMENTS_AMONG_ reached
#define SPARSE_P_SEGMENTS_AMONG_(bytes, positions, text) SPARSE_P_ID positions
#define SPARSE_P_COMES(i, it)                            SPARSE_P_IT(SPARSE_P_COMES, i, it)
#define SPARSE_P_COMES_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                            \
    SPARSE_UNUSED const size_t sparse_l_##i##_near =                                                                        \
        SPARSE_P_CRD(A, sparse_p_min(sparse_l_p##A##n + SPARSE_PREFETCH, sparse_l_g##A##n - 1), crd, __VA_ARGS__);
#define SPARSE_P_COMES_LATER(i, it) SPARSE_P_IT(SPARSE_P_COMES_LATER, i, it)
#define SPARSE_P_COMES_LATER_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                      \
    const size_t sparse_l_##i##_far =                                                                                       \
        SPARSE_P_CRD(A, sparse_p_min(sparse_l_p##A##n + 2 * SPARSE_PREFETCH, sparse_l_g##A##n - 1), crd, __VA_ARGS__);
/* FOUND_1(leaves, d, i, (, (LOOP, u, MOVES) ...)) -> , (LOOP, (), text) ...: prefetches elements at indices that let(u, e)
   computes. MOVES is 1 if e begins with i, as in let(u, i - p). Then u moves as i does: the distance from u to u_near_i
   equals the distance from i to i_near. For an operand that is dense over such indices, the address is near_A2_i, and the
   prefetch stands in the loop in which the last of these indices becomes known. The kernel never evaluates e for a later i,
   because e may be valid for stored coordinates only. */
#define SPARSE_P_FINDS(c, plan) SPARSE_P_FINDS_(SPARSE_P_ID c, SPARSE_P_ID plan)
#define SPARSE_P_FINDS_(...)    SPARSE_P_FINDS__(__VA_ARGS__)
#define SPARSE_P_FINDS__(d, i, e, u, strategy, dead, kind, drivers, followers, text)                                        \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_FINDS_, SPARSE_P_CMP(d, e), kind), SPARSE_P_DROP)(e, u, i, SPARSE_P_TEXT text)
#define SPARSE_P_FINDS_0before0LET       ~, SPARSE_P_ITS_FIND
#define SPARSE_P_ITS_FIND(e, u, i, text) , (e, u, SPARSE_P_BY_PAREN(SPARSE_P_MOVES_, text)(i, text))
#define SPARSE_P_MOVES_0(i, text)        SPARSE_P_COUNT(~SPARSE_P_SAME(i, text))
#define SPARSE_P_MOVES_1(i, text)        0
#define SPARSE_P_FOUND_0(leaves, d, i, lets)
#define SPARSE_P_FOUND_1(leaves, d, i, lets)                                                                                \
    SPARSE_P_FOUND_FROM(leaves, d, i, lets, (, d SPARSE_P_EACHE(SPARSE_P_FIND_LOOP, , lets)),                               \
                        (i SPARSE_P_EACHE(SPARSE_P_FIND_INDEX, , lets)))
#define SPARSE_P_FIND_LOOP(c, find)       SPARSE_P_FIND_LOOP_ find
#define SPARSE_P_FIND_LOOP_(e, u, moves)  , e
#define SPARSE_P_FIND_INDEX(c, find)      SPARSE_P_FIND_INDEX_ find
#define SPARSE_P_FIND_INDEX_(e, u, moves) , u
#define SPARSE_P_FOUND_FROM(...)          SPARSE_P_FOUND_FROM_(__VA_ARGS__)
#define SPARSE_P_FOUND_FROM_(leaves, d, i, lets, loops, letters)                                                            \
    , (d, (), SPARSE_P_EACHF(SPARSE_P_FOUND_IN, (d, i, lets, loops, letters), leaves))SPARSE_P_EACHE(                       \
          SPARSE_P_FOUND_AT, (leaves, i, lets, loops, letters), lets)
#define SPARSE_P_FOUND_AT(c, find) SPARSE_P_FOUND_AT_(SPARSE_P_ID c, SPARSE_P_ID find)
#define SPARSE_P_FOUND_AT_(...)    SPARSE_P_FOUND_AT__(__VA_ARGS__)
#define SPARSE_P_FOUND_AT__(leaves, i, lets, loops, letters, e, u, moves)                                                   \
    , (e, (), SPARSE_UNUSED const size_t sparse_l_##u##_near_##i = u SPARSE_P_CAT(SPARSE_P_MOVED_, moves)(i);               \
       SPARSE_P_EACHF(SPARSE_P_FOUND_IN, (e, i, lets, loops, letters), leaves))
#define SPARSE_P_MOVED_0(i)
#define SPARSE_P_MOVED_1(i) +(sparse_l_##i##_near - i)
/* REACHED_AHEAD(d, i, leaves, plans) -> a list that is not empty if loop d has anything to prefetch */
#define SPARSE_P_REACHED_AHEAD(...) SPARSE_P_REACHED_AHEAD_(__VA_ARGS__)
#define SPARSE_P_REACHED_AHEAD_(d, i, leaves, plans)                                                                        \
    SPARSE_P_EACHE(SPARSE_P_REACHED, (d, i), leaves)                                                                        \
    SPARSE_P_EACHE(SPARSE_P_IS_FOUND, (SPARSE_P_EACHF(SPARSE_P_FINDS, (d, i), plans)), leaves)
/* REACHED_BUT((d, i, lets), record): REACHED for all operands except those for which IS_FOUND holds */
#define SPARSE_P_REACHED_BUT(c, record) SPARSE_P_REACHED_BUT_(SPARSE_P_ID c, record)
#define SPARSE_P_REACHED_BUT_(...)      SPARSE_P_REACHED_BUT__(__VA_ARGS__)
#define SPARSE_P_REACHED_BUT__(d, i, lets, record)                                                                          \
    SPARSE_P_CAT(SPARSE_P_REACHED_BUT_, SPARSE_P_IS_ANY(SPARSE_P_IS_FOUND(lets, record)))((d, i), record)
#define SPARSE_P_REACHED_BUT_0(c, record) SPARSE_P_REACHED(c, record)
#define SPARSE_P_REACHED_BUT_1(c, record)
/* IS_FOUND(lets, record) -> , 1 if all levels of the operand are dense and over one index each, and let() computes one of
   these indices */
#define SPARSE_P_IS_FOUND(lets, record)      SPARSE_P_IS_FOUND_(lets, SPARSE_P_ID record)
#define SPARSE_P_IS_FOUND_(...)              SPARSE_P_IS_FOUND__(__VA_ARGS__)
#define SPARSE_P_IS_FOUND__(lets, what, ...) SPARSE_P_IS_FOUND_##what(lets, __VA_ARGS__)
#define SPARSE_P_IS_FOUND_0scalar(...)
#define SPARSE_P_IS_FOUND_0assembled(...)
#define SPARSE_P_IS_FOUND_0sliced(...)
#define SPARSE_P_IS_FOUND_0current  SPARSE_P_IS_FOUND_0tensor
#define SPARSE_P_IS_FOUND_0mirrored SPARSE_P_IS_FOUND_0tensor
#define SPARSE_P_IS_FOUND_0tensor(lets, role, A, type, value, pos, crd, indices, levels, ...)                               \
    SPARSE_P_CAT3(SPARSE_P_IS_FOUND_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_IS_NOT_FOUND, , levels)),                     \
                  SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_IS_FOUND_BY, lets, levels)))
#define SPARSE_P_IS_FOUND_00
#define SPARSE_P_IS_FOUND_01 , 1
#define SPARSE_P_IS_FOUND_10
#define SPARSE_P_IS_FOUND_11
#define SPARSE_P_IS_NOT_FOUND(c, level) SPARSE_P_IS_NOT_FOUND_ level
#define SPARSE_P_IS_NOT_FOUND_(n, storage, letter, placed, j, ...)                                                          \
    SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_PLAIN_, storage, SPARSE_P_IS_PAREN(j)), (, 1)))
#define SPARSE_P_PLAIN_0dense0                                           ~, ()
#define SPARSE_P_IS_FOUND_BY(lets, level)                                SPARSE_P_IS_FOUND_BY_(lets, SPARSE_P_ID level)
#define SPARSE_P_IS_FOUND_BY_(...)                                       SPARSE_P_IS_FOUND_BY__(__VA_ARGS__)
#define SPARSE_P_IS_FOUND_BY__(lets, n, storage, letter, placed, j, ...) SPARSE_P_BY_PAREN(SPARSE_P_IS_FOUND_BY_, j)(lets, j)
#define SPARSE_P_IS_FOUND_BY_0(lets, j)                                  SPARSE_P_EACHH(SPARSE_P_FIND_IS, j, lets)
#define SPARSE_P_IS_FOUND_BY_1(lets, j)
#define SPARSE_P_FIND_IS(j, find)          SPARSE_P_FIND_IS_(j, SPARSE_P_ID find)
#define SPARSE_P_FIND_IS_(...)             SPARSE_P_FIND_IS__(__VA_ARGS__)
#define SPARSE_P_FIND_IS__(j, e, u, moves) SPARSE_P_CAT(SPARSE_P_FIND_IS_, moves)(j, u)
#define SPARSE_P_FIND_IS_0(j, u)
#define SPARSE_P_FIND_IS_1(j, u) SPARSE_P_SAME(j, u)
/* FOUND_IN((e, i, lets, loops, letters), record): the part of the address that becomes known in loop e, for an operand for
   which IS_FOUND holds */
#define SPARSE_P_FOUND_IN(c, record) SPARSE_P_FOUND_IN_(SPARSE_P_ID c, record)
#define SPARSE_P_FOUND_IN_(...)      SPARSE_P_FOUND_IN__(__VA_ARGS__)
#define SPARSE_P_FOUND_IN__(e, i, lets, loops, letters, record)                                                             \
    SPARSE_P_CAT(SPARSE_P_FOUND_IN_, SPARSE_P_IS_ANY(SPARSE_P_IS_FOUND(lets, record)))(e, i, loops, letters, record)
#define SPARSE_P_FOUND_IN_0(e, i, loops, letters, record)
#define SPARSE_P_FOUND_IN_1(e, i, loops, letters, record) SPARSE_P_FOUND_IN_1_(e, i, loops, letters, SPARSE_P_ID record)
#define SPARSE_P_FOUND_IN_1_(...)                         SPARSE_P_FOUND_IN_1__(__VA_ARGS__)
#define SPARSE_P_FOUND_IN_1__(e, i, loops, letters, what, role, A, type, value, pos, crd, indices, levels, walks, nlev,     \
                              ...)                                                                                          \
    SPARSE_P_EACHG(SPARSE_P_FOUND_LEVEL, (e, i, loops, letters, A, SPARSE_P_HAS_ARRAY(value), levels, nlev), levels)
#define SPARSE_P_FOUND_LEVEL(c, level) SPARSE_P_FOUND_LEVEL_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_FOUND_LEVEL_(...)     SPARSE_P_FOUND_LEVEL__(__VA_ARGS__)
#define SPARSE_P_FOUND_LEVEL__(e, i, loops, letters, A, array, levels, nlev, n, storage, letter, placed, j, ...)            \
    SPARSE_P_AT_LOOP(placed, e)(SPARSE_P_FOUND_LEVEL_HERE)(e, i, loops, letters, A, array, levels, nlev, n, j)
#define SPARSE_P_FOUND_LEVEL_HERE(e, i, loops, letters, A, array, levels, nlev, n, j)                                       \
    SPARSE_UNUSED const size_t sparse_l_near_##A##n##_##i =                                                                 \
        SPARSE_P_CAT(SPARSE_P_FOUND_BELOW_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(A, i, SPARSE_P_DEC_##n, j, loops, levels)        \
            SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_FOUND_BY_, SPARSE_P_POS(j, letters)), SPARSE_P_BY_LET)(i, j);             \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_FOUND_ALL_, SPARSE_P_CMP(n, nlev), array), SPARSE_P_DROP)                        \
    (e, i, letters, A, n, nlev, levels)
#define SPARSE_P_FOUND_BY_0      ~, SPARSE_P_BY_ITSELF
#define SPARSE_P_FOUND_BY_1      ~, SPARSE_P_BY_COMING
#define SPARSE_P_BY_ITSELF(i, j) j
#define SPARSE_P_BY_COMING(i, j) sparse_l_##i##_near
#define SPARSE_P_BY_LET(i, j)    sparse_l_##j##_near_##i
#define SPARSE_P_FOUND_BELOW_0(A, i, m, j, loops, levels)
#define SPARSE_P_FOUND_BELOW_1(A, i, m, j, loops, levels)                                                                   \
    SPARSE_P_FOUND_ABOVE(A, i, m, loops, SPARSE_P_UNPACK(SPARSE_P_AT_LIST(m, levels))) * sparse_l_##j##_size +
#define SPARSE_P_FOUND_ABOVE(...) SPARSE_P_FOUND_ABOVE_(__VA_ARGS__)
#define SPARSE_P_FOUND_ABOVE_(A, i, m, loops, n, storage, letter, placed, ...)                                              \
    SPARSE_P_CAT(SPARSE_P_FOUND_ABOVE_, SPARSE_P_IS_ANY(SPARSE_P_EACHH(SPARSE_P_LOOP_IS, placed, loops)))(A, i, m)
#define SPARSE_P_FOUND_ABOVE_0(A, i, m)                         sparse_l_p##A##m
#define SPARSE_P_FOUND_ABOVE_1(A, i, m)                         sparse_l_near_##A##m##_##i
#define SPARSE_P_LOOP_IS(placed, e)                             SPARSE_P_AT_LOOP(placed, e)(SPARSE_P_ID)(, 1)
#define SPARSE_P_FOUND_ALL_0here1                               ~, SPARSE_P_FOUND_VALUE
#define SPARSE_P_FOUND_ALL_0before1                             ~, SPARSE_P_FOUND_ROW
#define SPARSE_P_FOUND_VALUE(e, i, letters, A, n, nlev, levels) SPARSE_P_ASK(A##_val, sparse_l_near_##A##n##_##i)
#define SPARSE_P_FOUND_ROW(e, i, letters, A, n, nlev, levels)                                                               \
    SPARSE_P_ROW_FOUND(e, i, letters, A, n, nlev, SPARSE_P_UNPACK(SPARSE_P_AT(n, (SPARSE_P_TAIL(SPARSE_P_TAIL levels)))))
#define SPARSE_P_ROW_FOUND(...) SPARSE_P_ROW_FOUND_(__VA_ARGS__)
#define SPARSE_P_ROW_FOUND_(e, i, letters, A, n, nlev, m, storage, letter, placed, k, ...)                                  \
    SPARSE_P_UNPACK(                                                                                                        \
        SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_CAT3(SPARSE_P_ROW_FOUND_, SPARSE_P_CMP(placed, e), SPARSE_P_CMP(m, nlev)),    \
                                     SPARSE_P_NZ(SPARSE_P_POS(k, letters)))(A, i, n, k),                                    \
                        ()))
#define SPARSE_P_ROW_FOUND_0after0here0(A, i, n, k)                                                                         \
    ~, (SPARSE_P_ASK_DENSE_ROW(A##_val, sparse_l_near_##A##n##_##i * sparse_l_##k##_size,                                   \
                               (sparse_l_near_##A##n##_##i + 1) * sparse_l_##k##_size))
/* LANES_AHEAD(plan, plan, k): the loops LANES(...), which run several iterations at once. For each of these iterations,
   the code first prefetches what prefetch() requests. */
#define SPARSE_P_LANES_AHEAD(...) SPARSE_P_LANES_AHEAD_(__VA_ARGS__)
#define SPARSE_P_LANES_AHEAD_(p, q, leaves, outs, statement, made)                                                          \
    SPARSE_P_LANES(SPARSE_P_FETCH_AHEAD(leaves, made, SPARSE_P_ID p), leaves, outs, statement, (), SPARSE_P_ID p,           \
                   SPARSE_P_ID q)
/* ROWS_FAR(leaves, plan) -> (), or (, bytes ..., (N, (), text)): what loop N over entries prefetches although the line
   does not request it. It does so if the dense rows that the loop reaches are together larger than a cache. In the plan,
   this list stands where a MERGE has its flags. */
#define SPARSE_P_ROWS_FAR(leaves, d, i, strategy, kind, drivers)                                                            \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_ROWS_FAR_, strategy, kind), SPARSE_P_NO_ROWS)(leaves, d, i, drivers)
#define SPARSE_P_NO_ROWS(leaves, d, i, drivers) ()
#if SPARSE_CACHE > 0
    #define SPARSE_P_ROWS_FAR_0sequential0ONE ~, SPARSE_P_ROWS_AHEAD
#endif
#define SPARSE_P_ROWS_AHEAD(leaves, d, i, drivers)                                                                          \
    SPARSE_P_ROWS_AMONG(leaves, d, i, drivers, (SPARSE_P_EACHE(SPARSE_P_REACHED, (d, i), leaves)))
#define SPARSE_P_ROWS_AMONG(leaves, d, i, drivers, reached)                                                                 \
    SPARSE_P_ROWS_OF((SPARSE_P_EACHG(SPARSE_P_BYTES_AMONG, , reached)), SPARSE_P_FETCHED(leaves, d, i, drivers, reached))
#define SPARSE_P_ROWS_OF(bytes, made)   SPARSE_P_CAT(SPARSE_P_ROWS_OF_, SPARSE_P_IS_ANY bytes)(bytes, made)
#define SPARSE_P_ROWS_OF_0(bytes, made) ()
#define SPARSE_P_ROWS_OF_1(bytes, made) (, bytes, (, made))
/* LANES_FAR(plan, plan, k): the loops LANES(...), which run several iterations at once and prefetch the rows of ROWS_FAR */
#define SPARSE_P_LANES_FAR(...) SPARSE_P_LANES_FAR_(__VA_ARGS__)
#define SPARSE_P_LANES_FAR_(p, q, leaves, outs, statement, made)                                                            \
    SPARSE_P_LANES(SPARSE_P_FETCH_FAR(leaves, SPARSE_P_ID p), leaves, outs, statement, made, SPARSE_P_ID p, SPARSE_P_ID q)
#define SPARSE_P_FETCH_FAR(...) SPARSE_P_FETCH_FAR_(__VA_ARGS__)
#define SPARSE_P_FETCH_FAR_(leaves, d, i, strategy, dead, kind, drivers, followers, far)                                    \
    SPARSE_P_CAT(SPARSE_P_FETCH_FAR_, SPARSE_P_IS_ANY far)(leaves, (d, i, strategy, dead, kind, drivers, ~), SPARSE_P_ID far)
#define SPARSE_P_FETCH_FAR_0(leaves, p, far)
#define SPARSE_P_FETCH_FAR_1(...) SPARSE_P_FETCH_FAR_ROWS(__VA_ARGS__)
#define SPARSE_P_FETCH_FAR_ROWS(leaves, p, z, bytes, made)                                                                  \
    if (SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, bytes) > SPARSE_CACHE) SPARSE_P_FETCH_AHEAD(leaves, made, SPARSE_P_ID p)
/* STORED_FAR((walked, leaves), plan) -> nothing, or , (0, (), text), (N, (), text). Loop N is over entries, and around
   other loops. If the stored rows that it reaches take more bytes than a cache holds, it prefetches them although the line
   does not request it. The kernel tests this once, before all loops. Loop N may be over a workspace, but the rows cannot
   belong to one, because workspaces do not exist yet at that point. */
#define SPARSE_P_STORED_FAR(c, plan) SPARSE_P_STORED_FAR_(SPARSE_P_ID c, SPARSE_P_ID plan)
#define SPARSE_P_STORED_FAR_(...)    SPARSE_P_STORED_FAR__(__VA_ARGS__)
#define SPARSE_P_STORED_FAR__(walked, leaves, d, i, strategy, dead, kind, drivers, ...)                                     \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_STORED_FAR_, strategy, kind), SPARSE_P_DROP)(walked, leaves, d, i, drivers)
#if SPARSE_CACHE > 0
    #define SPARSE_P_STORED_FAR_0sequential0ONE ~, SPARSE_P_STORED_AHEAD
#endif
#define SPARSE_P_STORED_AHEAD(walked, leaves, d, i, drivers)                                                                \
    SPARSE_P_CAT(SPARSE_P_STORED_BY_ENTRIES_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_BY_OFFSETS, , drivers)))              \
    (walked, leaves, d, i, drivers)
#define SPARSE_P_STORED_BY_ENTRIES_1(walked, leaves, d, i, drivers)
#define SPARSE_P_STORED_BY_ENTRIES_0(walked, leaves, d, i, drivers)                                                         \
    SPARSE_P_STORED_AMONG(walked, d, i, drivers, (SPARSE_P_EACHE(SPARSE_P_REACHED, (d, i), leaves)))
#define SPARSE_P_STORED_AMONG(walked, d, i, drivers, reached)                                                               \
    SPARSE_P_STORED_OF((SPARSE_P_EACHG(SPARSE_P_SEGMENTS_AMONG, , reached)), walked, d, i, drivers, reached)
#define SPARSE_P_STORED_OF(bytes, ...) SPARSE_P_CAT(SPARSE_P_STORED_OF_, SPARSE_P_IS_ANY bytes)(bytes, __VA_ARGS__)
#define SPARSE_P_STORED_OF_0(bytes, walked, d, i, drivers, reached)
#define SPARSE_P_STORED_OF_1(bytes, walked, d, i, drivers, reached)                                                         \
    , (0, (), const bool sparse_l_##i##_ahead = sparse_p_above(SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, bytes), SPARSE_CACHE);),  \
        (d, (),                                                                                                             \
         SPARSE_P_IF_AHEAD(i, (SPARSE_P_COMING(walked, d, i, drivers, reached)),                                            \
                           (SPARSE_P_EACHG(SPARSE_P_TAKEN, , reached))))
#define SPARSE_P_IF_AHEAD(i, coming, taken)                                                                                 \
    if (sparse_l_##i##_ahead) {                                                                                             \
        SPARSE_P_ID coming if (!sparse_p_beside(i, sparse_l_##i##_near)) { SPARSE_P_ID taken }                              \
    }
#define SPARSE_P_FETCH_AHEAD(...) SPARSE_P_FETCH_AHEAD_(__VA_ARGS__)
#define SPARSE_P_FETCH_AHEAD_(leaves, made, d, i, strategy, dead, kind, drivers, ...)                                       \
    SPARSE_P_LANE_LOOP(i)                                                                                                   \
    {                                                                                                                       \
        SPARSE_P_EACHG(SPARSE_P_LANES_END, i, drivers)                                                                      \
        SPARSE_P_LANE_##kind(i, drivers) SPARSE_P_ENTER(d, 0some, leaves) SPARSE_P_EACHB(SPARSE_P_MAKE, d, made)            \
    }
#define SPARSE_P_LANES_END(i, it)                SPARSE_P_IT(SPARSE_P_LANES_END, i, it)
#define SPARSE_P_LANES_END_0stored(i, A, n, ...) SPARSE_UNUSED const size_t sparse_l_e##A##n = sparse_l_##i##_end;
/* SIBLINGS(d, record): declares gA2, the end of the positions of A that may be read ahead in loop d. The range does not end
   with the current row: it includes the rows that follow in the level above. So a loop over short rows prefetches for
   these, too. */
#define SPARSE_P_SIBLINGS(d, record)      SPARSE_P_SIBLINGS_(d, SPARSE_P_ID record)
#define SPARSE_P_SIBLINGS_(...)           SPARSE_P_SIBLINGS__(__VA_ARGS__)
#define SPARSE_P_SIBLINGS__(d, what, ...) SPARSE_P_SIBLINGS_##what(d, __VA_ARGS__)
#define SPARSE_P_SIBLINGS_0scalar(...)
#define SPARSE_P_SIBLINGS_0assembled(...)
#define SPARSE_P_SIBLINGS_0tensor(d, role, A, type, value, pos, crd, indices, levels, walks, ...)                           \
    SPARSE_P_EACHF(SPARSE_P_SIBLINGS_AT, (d, role, A, pos, ((0, 0no, ~, 0, ~, ~)SPARSE_P_ID levels)), walks)
#define SPARSE_P_SIBLINGS_0sliced     SPARSE_P_SIBLINGS_0tensor
#define SPARSE_P_SIBLINGS_0mirrored   SPARSE_P_SIBLINGS_0tensor
#define SPARSE_P_SIBLINGS_0current    SPARSE_P_SIBLINGS_0tensor
#define SPARSE_P_SIBLINGS_AT(c, walk) SPARSE_P_SIBLINGS_AT_(SPARSE_P_ID c, SPARSE_P_ID walk)
#define SPARSE_P_SIBLINGS_AT_(...)    SPARSE_P_SIBLINGS_AT__(__VA_ARGS__)
#define SPARSE_P_SIBLINGS_AT__(d, role, A, pos, levels, n, placed, above, iterator)                                         \
    SPARSE_P_CAT(SPARSE_P_SIBLINGS_AT_, SPARSE_P_CMP(placed, d))                                                            \
    (role, A, n, pos, SPARSE_P_FIRST iterator, SPARSE_P_UNPACK(SPARSE_P_AT(n, levels)))
#define SPARSE_P_SIBLINGS_AT_0before(...)
#define SPARSE_P_SIBLINGS_AT_0after(...)
/* Subsections, which are numbered 1s, 2s, ..., are left out: no loop over them prefetches. */
#define SPARSE_P_SIBLINGS_AT_0here(role, A, n, ...)                                                                         \
    SPARSE_P_CAT(SPARSE_P_SIBLINGS_END_, SPARSE_P_NZ(SPARSE_P_OR0(n)))(role, A, n, __VA_ARGS__)
#define SPARSE_P_SIBLINGS_END_0(...)
#define SPARSE_P_SIBLINGS_END_1(role, A, n, pos, format, m, storage, letter, placed, variable, ...)                         \
    SPARSE_UNUSED const size_t sparse_l_g##A##n =                                                                           \
        SPARSE_P_SECOND(SPARSE_P_GO_ON_##role##_##format(A, n, pos, m, storage, variable), sparse_l_e##A##n);
#define SPARSE_P_GO_ON_0must_compressed(A, n, pos, m, storage, variable)                                                    \
    SPARSE_P_GO_ON_BELOW_##storage(A, n, pos, m, variable)
#define SPARSE_P_GO_ON_0update_compressed SPARSE_P_GO_ON_0must_compressed
#define SPARSE_P_GO_ON_BELOW_0dense(A, n, pos, m, i)                                                                        \
    ~, SPARSE_P_WIDE_##pos(sparse_l_##A##n##_pos[sparse_l_p##A##m - i + sparse_l_##i##_size])
#define SPARSE_P_GO_ON_BELOW_0sparse(A, n, pos, m, i) ~, SPARSE_P_WIDE_##pos(sparse_l_##A##n##_pos[sparse_l_e##A##m])

/* REACHED((d, i), record) -> , ((, bytes), (, bytes), text). text prefetches the elements of the operand that index i leads
   to. The first bytes are the size of all dense rows of the operand, if it has such rows. The second bytes are the size of
   all entries in its compressed rows. They are known if the level over i is the first level, and are 0 otherwise. */
#define SPARSE_P_REACHED(c, record)         SPARSE_P_REACHED_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_REACHED_(...)              SPARSE_P_REACHED__(__VA_ARGS__)
#define SPARSE_P_REACHED__(d, i, what, ...) SPARSE_P_REACHED_##what(d, i, __VA_ARGS__)
#define SPARSE_P_REACHED_0scalar(...)
#define SPARSE_P_REACHED_0assembled(...)
#define SPARSE_P_REACHED_0sliced(...)
#define SPARSE_P_REACHED_0current  SPARSE_P_REACHED_0tensor
#define SPARSE_P_REACHED_0mirrored SPARSE_P_REACHED_0tensor
#define SPARSE_P_REACHED_0tensor(d, i, role, A, type, value, pos, crd, indices, levels, walks, nlev, ...)                   \
    SPARSE_P_EACHF(SPARSE_P_REACHED_AT, (d, i, A, value, pos, (SPARSE_P_TAIL levels), walks, nlev), levels)
#define SPARSE_P_REACHED_AT(c, level) SPARSE_P_REACHED_AT_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_REACHED_AT_(...)     SPARSE_P_REACHED_AT__(__VA_ARGS__)
#define SPARSE_P_REACHED_AT__(d, i, A, value, pos, levels, walks, nlev, n, storage, letter, placed, j, ...)                 \
    SPARSE_P_REACHED_BY(SPARSE_P_BY_PAREN(SPARSE_P_BY_INDEX_, j)(i, j), d, i, j, A, value, pos, levels, walks, nlev, n,     \
                        storage, placed)
#define SPARSE_P_REACHED_BY(...) SPARSE_P_REACHED_BY_(__VA_ARGS__)
#define SPARSE_P_REACHED_BY_(by, d, i, j, A, value, pos, levels, walks, nlev, n, storage, placed)                           \
    SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_THROUGH_##storage, SPARSE_P_CMP(placed, d),                      \
                                                  by)(by, i, j, A, value, pos, levels, walks, nlev, n),                     \
                                    ()))
/* BY_INDEX(i, j) -> 1 if j is i, 2 if i is the blocks of j, and 0 otherwise. In cases 1 and 2, a dense level over j is
   prefetched at NEAR and FAR, for as many coordinates as an iteration covers. In case 2 the level must be the first,
   because other levels are located inside of the blocks. */
#define SPARSE_P_BY_INDEX_0(i, j)                                                                                           \
    SPARSE_P_CAT3(SPARSE_P_BY_INDEX_, SPARSE_P_COUNT(~SPARSE_P_SAME(i, j)), SPARSE_P_COUNT(~SPARSE_P_SAME(i, j##_block)))
#define SPARSE_P_BY_INDEX_00               0
#define SPARSE_P_BY_INDEX_10               1
#define SPARSE_P_BY_INDEX_01               2
#define SPARSE_P_BY_INDEX_1(i, j)          0
#define SPARSE_P_NEAR_BY_1(i, j)           sparse_l_##i##_near
#define SPARSE_P_NEAR_BY_2(i, j)           sparse_l_##i##_near *sparse_l_##j##_inner_size
#define SPARSE_P_FAR_BY_1(i, j)            sparse_l_##i##_far
#define SPARSE_P_FAR_BY_2(i, j)            sparse_l_##i##_far *sparse_l_##j##_inner_size
#define SPARSE_P_MANY_BY_1(j)              1
#define SPARSE_P_MANY_BY_2(j)              sparse_l_##j##_inner_size
#define SPARSE_P_THROUGH_0dense0here1(...) ~, (SPARSE_P_THROUGH(__VA_ARGS__))
#define SPARSE_P_THROUGH_0dense0after2(by, i, j, A, value, pos, levels, walks, nlev, n)                                     \
    ~, (SPARSE_P_CAT(SPARSE_P_THROUGH_BLOCKS_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(by, i, j, A, value, pos, levels, walks, nlev, \
                                                                              n))
#define SPARSE_P_THROUGH_BLOCKS_0 SPARSE_P_THROUGH
#define SPARSE_P_THROUGH_BLOCKS_1(...)
#define SPARSE_P_THROUGH(by, i, j, A, value, pos, levels, walks, nlev, n)                                                   \
    SPARSE_P_CAT(SPARSE_P_THROUGH_, SPARSE_P_CMP(n, nlev))(by, i, j, A, value, pos, levels, walks, nlev, n)
#define SPARSE_P_THROUGH_0here(by, i, j, A, value, pos, levels, walks, nlev, n)                                             \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_VALUES_AHEAD_, SPARSE_P_HAS_ARRAY(value), by), SPARSE_P_DROP)                    \
    (A, SPARSE_P_THERE(A, n, j, SPARSE_P_NEAR_BY_##by(i, j)), SPARSE_P_MANY_BY_##by(j))
#define SPARSE_P_VALUES_AHEAD_11           ~, SPARSE_P_VALUE_AHEAD
#define SPARSE_P_VALUES_AHEAD_12           ~, SPARSE_P_VALUES_AHEAD
#define SPARSE_P_VALUE_AHEAD(A, at, many)  , ((), (), SPARSE_P_ASK(A##_val, at))
#define SPARSE_P_VALUES_AHEAD(A, at, many) , ((), (), SPARSE_P_ASK_DENSE_ROW(A##_val, at, at + many))
#define SPARSE_P_THROUGH_0before(by, i, j, A, value, pos, levels, walks, nlev, n)                                           \
    SPARSE_P_BELOW_IT(by, i, j, A, value, pos, walks, nlev, n, SPARSE_P_UNPACK(SPARSE_P_AT(n, (SPARSE_P_TAIL levels))))
#define SPARSE_P_BELOW_IT(...) SPARSE_P_BELOW_IT_(__VA_ARGS__)
#define SPARSE_P_BELOW_IT_(by, i, j, A, value, pos, walks, nlev, n, m, storage, letter, placed, k, ...)                     \
    SPARSE_P_UNPACK(                                                                                                        \
        SPARSE_P_SECOND(SPARSE_P_BELOW_IT_##storage(by, i, j, A, value, pos, walks, SPARSE_P_CMP(m, nlev), n, m, k), ()))
/* If the level below is dense, and the last: prefetches a row of values, or the rows of a block. */
#define SPARSE_P_BELOW_IT_0dense(by, i, j, A, value, pos, walks, last, n, m, k)                                             \
    ~, (SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_DENSE_ROWS_, last, SPARSE_P_HAS_ARRAY(value)), SPARSE_P_DROP)(               \
           A, j, k, SPARSE_P_THERE(A, n, j, SPARSE_P_NEAR_BY_##by(i, j)), SPARSE_P_MANY_BY_##by(j)))
#define SPARSE_P_DENSE_ROWS_0here1 ~, SPARSE_P_DENSE_ROWS
#define SPARSE_P_DENSE_ROWS(A, j, k, at, many)                                                                              \
    , ((, sparse_l_##j##_size * sparse_l_##k##_size * sizeof *sparse_l_##A##_val), (),                                      \
       SPARSE_P_ASK_DENSE_ROW(A##_val, (at)*sparse_l_##k##_size, (at + many) * sparse_l_##k##_size))
/* If the level below is compressed: prefetches positions, a coordinate, and also a value if the level is the last. */
#define SPARSE_P_BELOW_IT_0sparse(by, i, j, A, value, pos, walks, last, n, m, k)                                            \
    ~, (SPARSE_P_EACHG(SPARSE_P_SEGMENT_OF, (by, i, j, A, value, pos, last, n, m), walks))
#define SPARSE_P_SEGMENT_OF(c, walk) SPARSE_P_SEGMENT_OF_(SPARSE_P_ID c, SPARSE_P_ID walk)
#define SPARSE_P_SEGMENT_OF_(...)    SPARSE_P_SEGMENT_OF__(__VA_ARGS__)
#define SPARSE_P_SEGMENT_OF__(by, i, j, A, value, pos, last, n, m, number, placed, above, iterator)                         \
    SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_SEGMENT_OF_, SPARSE_P_CMP(number, m), SPARSE_P_FIRST iterator)(  \
                                        A, value, pos, last, j, n, m, SPARSE_P_THERE(A, n, j, SPARSE_P_NEAR_BY_##by(i, j)), \
                                        SPARSE_P_THERE(A, n, j, SPARSE_P_FAR_BY_##by(i, j))),                               \
                                    ()))
#define SPARSE_P_SEGMENT_OF_0herecompressed(A, value, pos, last, j, n, m, near, far)                                        \
    ~, (, ((),                                                                                                              \
           (, SPARSE_P_CAT(SPARSE_P_SEGMENT_BYTES_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(                                         \
                  A, pos, j, m, SPARSE_P_SEGMENT_ENTRY(SPARSE_P_CAT(last, SPARSE_P_HAS_ARRAY(value)), A, m))),              \
           SPARSE_P_ASK(A##m##_pos, far) SPARSE_P_ASK_ROW(A##m##_crd, SPARSE_P_WIDE_##pos(sparse_l_##A##m##_pos[near]),     \
                                                          SPARSE_P_WIDE_##pos(sparse_l_##A##m##_pos[near + 1]))             \
               SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_ASK_LAST_, last, SPARSE_P_HAS_ARRAY(value)),                          \
                               SPARSE_P_DROP)(A, SPARSE_P_WIDE_##pos(sparse_l_##A##m##_pos[near]),                          \
                                              SPARSE_P_WIDE_##pos(sparse_l_##A##m##_pos[near + 1]))))
#define SPARSE_P_SEGMENT_BYTES_0(A, pos, j, m, entry)                                                                       \
    SPARSE_P_WIDE_##pos(sparse_l_##A##m##_pos[sparse_l_##j##_size]) * (entry)
#define SPARSE_P_SEGMENT_BYTES_1(A, pos, j, m, entry) 0
#define SPARSE_P_SEGMENT_ENTRY(key, A, m)                                                                                   \
    sizeof *sparse_l_##A##m##_crd SPARSE_P_SECOND(SPARSE_P_CAT(SPARSE_P_SEGMENT_ENTRY_, key), SPARSE_P_DROP)(A)
#define SPARSE_P_SEGMENT_ENTRY_0here1     ~, SPARSE_P_AND_VALUE
#define SPARSE_P_AND_VALUE(A)             +sizeof *sparse_l_##A##_val
#define SPARSE_P_ASK_LAST_0here1          ~, SPARSE_P_ASK_VALUES
#define SPARSE_P_ASK_VALUES(A, from, to)  SPARSE_P_ASK_ROW(A##_val, from, to)
#define SPARSE_P_ASK(array, at)           sparse_p_prefetch(sparse_l_##array, at, sizeof *sparse_l_##array);
#define SPARSE_P_ASK_ROW(array, from, to) sparse_p_prefetch_row(sparse_l_##array, from, to, sizeof *sparse_l_##array);
#define SPARSE_P_ASK_DENSE_ROW(array, from, to)                                                                             \
    sparse_p_prefetch_dense_row(sparse_l_##array, from, to, sizeof *sparse_l_##array);
/* THERE(A, n, i, k_near): the position of coordinate k_near in the dense level n over i */
#define SPARSE_P_THERE(A, n, i, at)   SPARSE_P_CAT(SPARSE_P_THERE_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(A, n, i, at)
#define SPARSE_P_THERE_0(A, n, i, at) at
#define SPARSE_P_THERE_1(A, n, i, at) SPARSE_P_PARENT(A, n) * sparse_l_##i##_size + at

/* >>drives of level types
   Loops with code of their own for levels of one type. For example, a delta level stores the distance of each coordinate
   from the one before it. So its loop adds up distances:

     for (size_t pA2 = A2_pos[pA1]; pA2 < eA2; pA2++) { sA2 += distance at pA2 + 1; const size_t j = sA2; ... } */
/* COO: the innermost loop, over the last level, notices where its segment ends, and passes this position to the loop around
   it. Otherwise the outer loop would search for the end first, and for short segments it would mispredict a branch twice.
   The code still contains the search, for statements that leave the loop early. If no statement does, compilers remove the
   search, because its result is overwritten. */
#define SPARSE_P_VIA_0aos1      ~, 0entry, 1
#define SPARSE_P_VIA_singleton1 ~, 0entry, 1
#define SPARSE_P_DRIVE_BY_0entry(strategy, i, A, n, role, above, pos, crd, format, m, walk, parent, head, stride, offset)   \
    SPARSE_P_CAT(SPARSE_P_DRIVE_BY_,                                                                                        \
                 SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_ENTRY_##strategy##role##parent, SPARSE_P_WALK_CELL(SEGMENTS, walk), \
                                               SPARSE_P_WALK_CELL(ALL, walk)),                                              \
                                 SPARSE_P_WALK_CELL(SEGMENTS, walk)))                                                       \
    (strategy, i, A, n, role, above, pos, crd, format, m, walk, parent, head, stride, offset)                               \
        SPARSE_P_CAT(SPARSE_P_ON_, SPARSE_P_WALK_CELL(ALL, walk))(A, n, crd, stride)
#define SPARSE_P_ENTRY_0innermost0must0nonunique01   ~, 0while
#define SPARSE_P_ENTRY_0innermost0update0nonunique01 ~, 0while
#define SPARSE_P_DRIVE_BY_0while(strategy, i, A, n, role, above, pos, crd, format, m, walk, parent, head, stride, offset)   \
    SPARSE_P_WHILE_SAME(A, n, SPARSE_P_DEC_##n, SPARSE_P_ABOVE_##format(n, head, stride, offset))                           \
    SPARSE_UNUSED const size_t i = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, format, m, walk, parent, head, stride, offset);
#define SPARSE_P_ABOVE_0aos(n, head, stride, offset)      head, stride, SPARSE_P_DEC_##offset
#define SPARSE_P_ABOVE_singleton(n, head, stride, offset) SPARSE_P_DEC_##n, 1, 0
#define SPARSE_P_WHILE_SAME(...)                          SPARSE_P_WHILE_SAME_(__VA_ARGS__)
#define SPARSE_P_WHILE_SAME_(A, n, m, head, stride, offset)                                                                 \
    SPARSE_UNUSED const size_t sparse_l_e##A##n = sparse_l_q##A##m;                                                         \
    for (size_t sparse_l_p##A##n = sparse_l_p##A##m;                                                                        \
         (sparse_l_p##A##n < sparse_l_e##A##m &&                                                                            \
          SPARSE_P_CRD_AT(sparse_l_##A##head##_crd, sparse_l_p##A##n, stride, offset) ==                                    \
              SPARSE_P_CRD_AT(sparse_l_##A##head##_crd, sparse_l_p##A##m, stride, offset)) ||                               \
         (sparse_l_q##A##m = sparse_l_p##A##n, false);                                                                      \
         sparse_l_p##A##n++) {
/* delta: the current coordinate is kept in a variable. */
#define SPARSE_P_VIA_delta1 ~, delta, 1
#define SPARSE_P_DRIVE_BY_delta(strategy, i, A, n, role, above, pos, crd, format, bits, ...)                                \
    const size_t sparse_l_e##A##n = SPARSE_P_HI(A, n, role, above, pos, format, bits, __VA_ARGS__);                         \
    size_t sparse_l_s##A##n = SIZE_MAX;                                                                                     \
    for (size_t sparse_l_p##A##n = SPARSE_P_LO(A, n, role, above, pos, format, bits, __VA_ARGS__);                          \
         sparse_l_p##A##n < sparse_l_e##A##n; sparse_l_p##A##n++) {                                                         \
        sparse_l_s##A##n += sparse_p_packed(sparse_l_##A##n##_crd, crd, bits, sparse_l_p##A##n) + 1;                        \
        SPARSE_UNUSED const size_t i = sparse_l_s##A##n;
/* bitmap, bitmask: the remaining bits of the current word are kept in a variable. */
#define SPARSE_P_VIA_bitmap1 ~, bitmap, 1
#define SPARSE_P_DRIVE_BY_bitmap(strategy, i, A, n, role, above, pos, crd, ...)                                             \
    const size_t sparse_l_e##A##n = SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__);                                       \
    sparse_bits_##crd sparse_l_b##A##n =                                                                                    \
        sparse_p_bits_of_##crd(sparse_l_##A##n##_crd, SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__), sparse_l_e##A##n);  \
    for (size_t sparse_l_p##A##n = 0;                                                                                       \
         sparse_p_take_bit_##crd(sparse_l_##A##n##_crd, &sparse_l_b##A##n, &sparse_l_p##A##n, sparse_l_e##A##n);) {         \
        SPARSE_UNUSED const size_t i = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, __VA_ARGS__);
#define SPARSE_P_VIA_bitmask1 ~, bitmask, 1
#define SPARSE_P_DRIVE_BY_bitmask(strategy, i, A, n, role, above, pos, crd, ...)                                            \
    SPARSE_UNUSED const size_t sparse_l_e##A##n = SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__);                         \
    sparse_masked_##crd sparse_l_b##A##n =                                                                                  \
        sparse_p_masked_##crd(sparse_l_##A##n##_crd, SPARSE_P_LO(A, n, role, above, pos, bitmap, 0, ~, ~, ~),               \
                              SPARSE_P_HI(A, n, role, above, pos, bitmap, 0, ~, ~, ~));                                     \
    for (size_t sparse_l_p##A##n = SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__), sparse_l_s##A##n = 0;                  \
         sparse_p_take_masked_##crd(&sparse_l_b##A##n, &sparse_l_s##A##n); sparse_l_p##A##n++) {                            \
        SPARSE_UNUSED const size_t i = sparse_l_s##A##n;

/* >>outputs
   Reads the output of a kernel line, and writes what loops do with an output that is assembled. Input: (C, CSR, i, j).
   Output: a record like the records of operands. In the record of an output with sparse levels, a list of steps replaces
   the walks: for each level, a HOW says what the loop at this level does.
     (assembled, write, C, csr, double, 32, 32, (, i, j), (levels), (, (1, dense, ...), (2, last, ...)), 2, 2, 2, 2, 2,
      append, 2)

   The mode of this output is `append`: in the loops (i, j), the kernel visits coordinates in the order in which they are
   stored. In the loops (i, k, j) of a product, the mode is `expand`: the entries of the last levels go to a workspace of
   the builder, and loop i moves them from there into C in order. */
/* OUTPUT(letters, out) -> WRITTEN, INITIAL, leaf. WRITTEN is 0 for update(...), like for like(...), and 1 for any other
   output. For like(...), the leaf is (pair, output, pattern). INITIAL has (, value) or () for each output. */
#define SPARSE_P_OUTPUT(letters, out) SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_, out)(letters, out)
#define SPARSE_P_OUTPUT_1(letters, out)                                                                                     \
    SPARSE_P_CAT3(SPARSE_P_OUTPUT_LIST_, SPARSE_P_IS_OUTPUT(SPARSE_P_FIRST out),                                            \
                  SPARSE_P_IS_PAREN(SPARSE_P_SECOND(SPARSE_P_ID out, ~)))                                                   \
    (letters, out)
#define SPARSE_P_OUTPUT_LIST_00(letters, out) 1, (, ())SPARSE_P_LEAF_NODE(SPARSE_P_LEAF((0write, letters), out))
#define SPARSE_P_OUTPUT_LIST_01               SPARSE_P_OUTPUT_LIST_11
#define SPARSE_P_OUTPUT_LIST_10               SPARSE_P_OUTPUT_LIST_11
#define SPARSE_P_OUTPUT_LIST_11(letters, out)                                                                               \
    1, (SPARSE_P_EACHB(SPARSE_P_OUTPUT_FROM, , (, SPARSE_P_ID out))),                                                       \
        (all SPARSE_P_EACHB(SPARSE_P_OUTPUT_OF, letters, (, SPARSE_P_ID out)))
/* IS_OUTPUT((y, VEC, i)) -> 1, IS_OUTPUT(from(0, y, VEC, i)) -> 1, IS_OUTPUT(y) -> 0 */
#define SPARSE_P_IS_OUTPUT(x)   SPARSE_P_BY_PAREN(SPARSE_P_IS_OUTPUT_, x)(x)
#define SPARSE_P_IS_OUTPUT_1(x) 1
#define SPARSE_P_IS_OUTPUT_0(x) SPARSE_P_IS_PAREN(SPARSE_P_OUT_KNOWN_##x)
/* For an output in a list: OUTPUT_OF(letters, output) -> , leaf. OUTPUT_FROM(, output) -> , its initial value. update(...)
   and like(...) must not stand in a list. */
#define SPARSE_P_OUTPUT_OF(letters, out)    SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_OF_, out)(letters, out)
#define SPARSE_P_OUTPUT_OF_1(letters, out)  , (0leaf, SPARSE_P_ALONE((0write, letters), out))
#define SPARSE_P_OUTPUT_OF_0(letters, out)  SPARSE_P_CAT(SPARSE_P_OUTPUT_OF_0, SPARSE_P_IS_OUTPUT_0(out))(letters, out)
#define SPARSE_P_OUTPUT_OF_00(letters, out) , (0leaf, (0refused, 0unknown, ~))
#define SPARSE_P_OUTPUT_OF_01(letters, out) SPARSE_P_OUTPUT_LISTED(letters, SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_LISTED(...)         SPARSE_P_OUTPUT_LISTED_(__VA_ARGS__)

#define SPARSE_P_OUTPUT_LISTED_(letters, written, role, initial, out) SPARSE_P_OUTPUT_LISTED_##written(letters, out)
#define SPARSE_P_OUTPUT_LISTED_1                                      SPARSE_P_OUTPUT_OF_1
#define SPARSE_P_OUTPUT_LISTED_0                                      SPARSE_P_OUTPUT_OF_00
#define SPARSE_P_OUTPUT_LISTED_like                                   SPARSE_P_OUTPUT_OF_00
#define SPARSE_P_OUTPUT_FROM(c, out)                                  SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_FROM_, out)(out)
#define SPARSE_P_OUTPUT_FROM_1(out)                                   , ()

#define SPARSE_P_OUTPUT_FROM_0(out)          SPARSE_P_CAT(SPARSE_P_OUTPUT_FROM_0, SPARSE_P_IS_OUTPUT_0(out))(out)
#define SPARSE_P_OUTPUT_FROM_00(out)         , ()
#define SPARSE_P_OUTPUT_FROM_01(out)         , SPARSE_P_THIRD(SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_0(letters, out)      SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_WORD_, SPARSE_P_OUT_KNOWN_##out)(letters, out)
#define SPARSE_P_OUTPUT_WORD_0(letters, out) 1, (, ()), (0leaf, (0refused, 0unknown, ~))
#define SPARSE_P_OUTPUT_WORD_1(letters, out) SPARSE_P_OUTPUT_AS(letters, SPARSE_P_OUT_##out)
#define SPARSE_P_OUTPUT_AS(...)              SPARSE_P_OUTPUT_AS_(__VA_ARGS__)
#define SPARSE_P_OUTPUT_AS_(letters, written, role, initial, out)                                                           \
    SPARSE_P_BY_PAREN(SPARSE_P_OUTPUT_AS_, role)(letters, written, role, initial, out)
#define SPARSE_P_OUTPUT_AS_0(letters, written, role, initial, out)                                                          \
    written, (, initial), (0leaf, SPARSE_P_LEAF((role, letters), out))
#define SPARSE_P_OUTPUT_AS_1(letters, written, pattern, initial, out)                                                       \
    written, (, initial),                                                                                                   \
        (0pair, (0leaf, SPARSE_P_LIKE(SPARSE_P_FIRST pattern, SPARSE_P_LEAF((0update, letters), out))),                     \
         (0leaf, SPARSE_P_LEAF((0must, letters), pattern)))
#define SPARSE_P_OUT_KNOWN_update
#define SPARSE_P_OUT_KNOWN_from
#define SPARSE_P_OUT_KNOWN_like
#define SPARSE_P_OUT_update(...)        0, 0update, (), (__VA_ARGS__)
#define SPARSE_P_OUT_from(initial, ...) 1, 0write, (, initial), (__VA_ARGS__)
#define SPARSE_P_OUT_like(...)                                                                                              \
    SPARSE_P_CAT(SPARSE_P_OUT_LIKE_, SPARSE_P_COUNT_(~, __VA_ARGS__, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 1, ~))    \
    (__VA_ARGS__)
#define SPARSE_P_OUT_LIKE_1(...)       like, (SPARSE_P_FIRST(__VA_ARGS__), ), (), ()
#define SPARSE_P_OUT_LIKE_3(A, C, ...) like, (A, __VA_ARGS__), (), (C, __VA_ARGS__)
/* LIKE(A, record) -> the record of an output whose values have the positions of the values of A */
#define SPARSE_P_LIKE(A, record)       SPARSE_P_LIKE_(A, SPARSE_P_ID record)
#define SPARSE_P_LIKE_(...)            SPARSE_P_LIKE__(__VA_ARGS__)
#define SPARSE_P_LIKE__(A, what, ...)  SPARSE_P_LIKE_##what(A, __VA_ARGS__)
#define SPARSE_P_LIKE_0odd(A, ...)     (0odd, __VA_ARGS__)
#define SPARSE_P_LIKE_0refused(A, ...) (0refused, __VA_ARGS__)
#define SPARSE_P_LIKE_0scalar(A, ...)  (0refused, 0unknown, ~)
#define SPARSE_P_LIKE_0tensor(A, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,           \
                              described, fixed)                                                                             \
    SPARSE_P_CAT(SPARSE_P_LIKE_FIXED_, SPARSE_P_IS_ANY fixed)                                                               \
    (A, name, type, value, pos, crd, indices, levels, nlev, placed, described)
#define SPARSE_P_LIKE_FIXED_1(A, name, ...) (0refused, 0fixed, name)
#define SPARSE_P_LIKE_FIXED_0(A, name, type, value, pos, crd, indices, levels, nlev, placed, described)                     \
    (0tensor, 0like, name, type, value, pos, crd, indices, (SPARSE_P_EACHF(SPARSE_P_LIKE_LEVEL, A, levels)), (), nlev,      \
     placed, 0, described, ())
#define SPARSE_P_LIKE_OF_0(A, variable)  variable
#define SPARSE_P_LIKE_OF_1(A, variable)  A
#define SPARSE_P_LIKE_LEVEL(A, level)    SPARSE_P_LIKE_LEVEL_(A, SPARSE_P_ID level)
#define SPARSE_P_LIKE_LEVEL_(...)        SPARSE_P_LIKE_LEVEL__(__VA_ARGS__)
#define SPARSE_P_LIKE_STORAGE_0(storage) storage
#define SPARSE_P_LIKE_STORAGE_1(storage) 0like
#define SPARSE_P_LIKE_LEVEL__(A, number, storage, letter, placed, variable, part)                                           \
    , (number, SPARSE_P_CAT(SPARSE_P_LIKE_STORAGE_, SPARSE_P_STORAGE_CELL(WALKED, storage))(storage), letter, placed,       \
       SPARSE_P_CAT(SPARSE_P_LIKE_OF_, SPARSE_P_STORAGE_CELL(WALKED, storage))(A, variable), part)

/* An output with sparse levels is assembled, and its record is
     (assembled, write, name, type, value, POS, CRD, (, indices), (, levels), (, steps), NLEV, PLACED, LAST, PREFIX, KNOWN,
      MODE, (descriptor))

   LAST is the number of its last sparse level. KNOWN is the loop in which the coordinates of levels 1 to LAST are known.
   PREFIX is the number of levels, from the first on, whose loops are the outer loops of the line in the same order. Loops
   let(...) do not count here, because they run once. In these levels, the loops visit coordinates in order, and each
   coordinate once. MODE is one of
     append   PREFIX is LAST, and there is one value below it: entries are appended in the order in which they are visited
     list     the levels after the prefix are neither unique nor ordered, as in COO: entries are appended in any order.
              PREFIX is then set to LAST
     block    PREFIX is LAST, with dense levels below it: a block of values is appended, and accumulated in place
     expand   all other outputs: entries go into a workspace over the levels after PREFIX

   A step is what the loops do for one level, (NUMBER, HOW, KNOWN, VARIABLE, ROWS, COUNT, HEAD, STRIDE, OFFSET). The
   position in the level becomes known at loop KNOWN, and the position in the level above at loop ROWS, or 0. COUNT is own
   if the level counts its coordinates, or all if it has as many coordinates as level LAST. HOW is
     dense    a dense level above LAST: its position is computed
     entry    a compressed level above LAST: its coordinate is appended if anything is below it
     coo      a level of COO above LAST: its coordinate is stored together with the coordinate of LAST
     last     level LAST, in modes append and block
     beside   a level of COO above LAST, in mode list
     listed   level LAST, in mode list
     first    the first level of the workspace
     next     any other level of the workspace
     below    a dense level below LAST: its position is computed
     never    the level cannot be assembled: an error of the level says why */
#define SPARSE_P_ASSEMBLED(role, placed, last, nlev, levels, unique, head, aos, batch, name, type, value, pos, crd,         \
                           indices, described, fixed, passed)                                                               \
    SPARSE_P_CAT(SPARSE_P_ASSEMBLED_FIXED_, SPARSE_P_IS_ANY fixed)                                                          \
    (last, placed, nlev, levels, head, aos, name, type, value, pos, crd, indices, described, passed)
#define SPARSE_P_ASSEMBLED_FIXED_1(last, placed, nlev, levels, head, aos, name, ...) (0refused, 0fixed, name)
#define SPARSE_P_ASSEMBLED_FIXED_0(last, placed, nlev, levels, head, aos, name, type, value, pos, crd, indices, described,  \
                                   passed)                                                                                  \
    SPARSE_P_ASSEMBLED_(name, type, value, pos, crd, indices, described, placed, last, nlev, levels, head, aos,             \
                        SPARSE_P_FOLDF(SPARSE_P_IN_PREFIX,                                                                  \
                                       (, (0, 0go, 0not, 0, 0, 0)SPARSE_P_EACHF(SPARSE_P_AT_ITS_LOOP, passed, levels))))
#define SPARSE_P_AT_ITS_LOOP(passed, level) SPARSE_P_AT_ITS_LOOP_(passed, SPARSE_P_ID level)
#define SPARSE_P_AT_ITS_LOOP_(...)          SPARSE_P_AT_ITS_LOOP__(__VA_ARGS__)
#define SPARSE_P_AT_ITS_LOOP__(passed, number, storage, letter, loop, placed, above, format, unique, order, ...)            \
    , (number, SPARSE_P_SECOND(SPARSE_P_LISTS_##unique##order, 0no), loop,                                                  \
       SPARSE_P_CAT(SPARSE_P_PASSED_AT_, SPARSE_P_NZ_##loop)(loop, passed))
#define SPARSE_P_PASSED_AT_0(loop, passed)   12, 12
#define SPARSE_P_PASSED_AT_1(loop, passed)   SPARSE_P_UNPACK(SPARSE_P_AT_LIST(loop, passed))
#define SPARSE_P_LISTS_0nonunique0nonordered ~, 0yes
/* OUT_LOOPS(letters, loops) -> the loops of an output */
#define SPARSE_P_OUT_LOOPS(letters, loops)                                                                                  \
    SPARSE_P_CAT(SPARSE_P_OUT_LOOPS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_LETS, , loops)))(letters, loops)
#define SPARSE_P_OUT_LOOPS_0(letters, loops) letters
#define SPARSE_P_OUT_LOOPS_1(letters, loops)                                                                                \
    (letters, 0valid,                                                                                                       \
     SPARSE_P_FIRST(SPARSE_P_UNPACK(                                                                                        \
         SPARSE_P_FOLDF(SPARSE_P_PASSES, (, ((), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ~, ~))SPARSE_P_ID loops)))))
#define SPARSE_P_LETS(c, l)                SPARSE_P_LETS_ l
#define SPARSE_P_LETS_(key, strategy, ...) SPARSE_P_CAT(SPARSE_P_LETS_, SPARSE_P_IS_LET(strategy))
#define SPARSE_P_LETS_0
#define SPARSE_P_LETS_1           , ~
#define SPARSE_P_IS_LET(strategy) SPARSE_P_SECOND(SPARSE_P_LET_IS_##strategy, 0)
#define SPARSE_P_LET_IS_let       ~, 1
#define SPARSE_P_LET_IS_0let      ~, 1
#define SPARSE_P_PASSES(u, v)     SPARSE_P_PASSES_(SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_PASSES_(...)     SPARSE_P_PASSES__(__VA_ARGS__)
#define SPARSE_P_PASSES__(list, digits, key, strategy, ...)                                                                 \
    SPARSE_P_PASSES_BY(SPARSE_P_CAT(SPARSE_P_PASSES_, SPARSE_P_IS_LET(strategy)), list, SPARSE_P_ID digits)
#define SPARSE_P_PASSES_BY(m, ...)         m(__VA_ARGS__)
#define SPARSE_P_PASSES_0(list, d, e, ...) ((SPARSE_P_ID list, (d, e)), (e, __VA_ARGS__))
#define SPARSE_P_PASSES_1(list, d, ...)    ((SPARSE_P_ID list, (d, d)), (d, __VA_ARGS__))
/* IN_PREFIX((PREFIX, go | stop, LIST, m, OUTER, PASSED), (n, yes | no, LOOP, BEFORE, UP_TO)) -> the state after level n.
   OUTER is the loop of the level above. The prefix goes on if LOOP, the loop of level n, is inside OUTER, and only loops
   let(...) are between them: then PASSED, which is UP_TO of the level above, equals BEFORE. Level n is yes if it is neither
   unique nor ordered. LIST is yes if all levels after the first m are. */
#define SPARSE_P_IN_PREFIX(u, v) SPARSE_P_IN_PREFIX_(SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_IN_PREFIX_(...) SPARSE_P_IN_PREFIX__(__VA_ARGS__)
#define SPARSE_P_IN_PREFIX__(prefix, so_far, list, m, outer, passed, n, lists, loop, before, up_to)                         \
    (SPARSE_P_CAT3(SPARSE_P_PREFIX_, so_far,                                                                                \
                   SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_GOES_, SPARSE_P_CMP(outer, loop), SPARSE_P_CMP(passed, before)),  \
                                   0stop))(prefix, n),                                                                      \
     SPARSE_P_SECOND(SPARSE_P_LIST_##list##lists##so_far, SPARSE_P_LIST_NEVER)(prefix, m), loop, up_to)
#define SPARSE_P_GOES_0before0here            ~, 0go
#define SPARSE_P_PREFIX_0go0go(prefix, n)     n, 0go
#define SPARSE_P_PREFIX_0go0stop(prefix, n)   prefix, 0stop
#define SPARSE_P_PREFIX_0stop0go(prefix, n)   prefix, 0stop
#define SPARSE_P_PREFIX_0stop0stop(prefix, n) prefix, 0stop
#define SPARSE_P_LIST_0not0no0go              ~, SPARSE_P_LIST_NONE
#define SPARSE_P_LIST_0not0no0stop            ~, SPARSE_P_LIST_NONE
#define SPARSE_P_LIST_0not0yes0go             ~, SPARSE_P_LIST_BEGINS
#define SPARSE_P_LIST_0yes0yes0go             ~, SPARSE_P_LIST_GOES_ON
#define SPARSE_P_LIST_0yes0yes0stop           ~, SPARSE_P_LIST_GOES_ON
#define SPARSE_P_LIST_NONE(prefix, m)         0not, 0
#define SPARSE_P_LIST_BEGINS(prefix, m)       0yes, prefix
#define SPARSE_P_LIST_GOES_ON(prefix, m)      0yes, m
#define SPARSE_P_LIST_NEVER(prefix, m)        0never, 0
#define SPARSE_P_ASSEMBLED_(name, type, value, pos, crd, indices, described, placed, last, nlev, levels, head, aos, prefix) \
    SPARSE_P_ASSEMBLED3(name, type, value, pos, crd, indices, described, placed, last, nlev, levels, head, aos,             \
                        SPARSE_P_APART(SPARSE_P_UNPACK(prefix), last, SPARSE_P_CMP(last, nlev)),                            \
                        (SPARSE_P_EACHF(SPARSE_P_LOOP_OF, , levels)))
#define SPARSE_P_LOOP_OF(c, level)                            SPARSE_P_LOOP_OF_ level
#define SPARSE_P_LOOP_OF_(number, storage, letter, loop, ...) , loop
/* APART(PREFIX, so_far, LIST, m, OUTER, PASSED, last, when) -> PREFIX, in | listed, m. The result is listed if the levels
   after the first m are a list, and no level is below them. */
#define SPARSE_P_APART(...) SPARSE_P_APART_(__VA_ARGS__)
#define SPARSE_P_APART_(prefix, so_far, list, m, outer, passed, last, when)                                                 \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_APART, list, when), SPARSE_P_APART_NO_LIST)(prefix, m, last)
#define SPARSE_P_APART_NO_LIST(prefix, m, last) prefix, 0in, prefix
#define SPARSE_P_APART0yes0here                 ~, SPARSE_P_APART_LIST
#define SPARSE_P_APART_LIST(prefix, m, last)    last, 0listed, m
#define SPARSE_P_ASSEMBLED3(...)                SPARSE_P_ASSEMBLED4(__VA_ARGS__)
#define SPARSE_P_ASSEMBLED4(name, type, value, pos, crd, indices, described, placed, last, nlev, levels, head, aos, prefix, \
                            way, ordered, order)                                                                            \
    (0assembled, 0write, name, type, value, pos, crd, indices, (SPARSE_P_EACHF(SPARSE_P_SLIM, , levels)),                   \
     (SPARSE_P_EACHF(SPARSE_P_STEP_OF, (nlev, head, aos, last, prefix, way, ordered, order), levels)), nlev, placed, last,  \
     prefix, SPARSE_P_SECOND(~SPARSE_P_EACHF(SPARSE_P_KNOWN, last, levels)),                                                \
     SPARSE_P_CAT3(SPARSE_P_MODE_##way##_, SPARSE_P_CMP(prefix, last), SPARSE_P_CMP(last, nlev)), described)
#define SPARSE_P_KNOWN(last, level) SPARSE_P_KNOWN_(last, SPARSE_P_ID level)
#define SPARSE_P_KNOWN_(...)        SPARSE_P_KNOWN__(__VA_ARGS__)
#define SPARSE_P_KNOWN__(last, number, storage, letter, loop, placed, ...)                                                  \
    SPARSE_P_CAT(SPARSE_P_HERE_, SPARSE_P_CMP(number, last))(placed)
#define SPARSE_P_MODE_0in_0before0before 0expand
#define SPARSE_P_MODE_0in_0before0here   0expand
#define SPARSE_P_MODE_0in_0here0before   0block
#define SPARSE_P_MODE_0in_0here0here     0append
#define SPARSE_P_MODE_0in_0after0before  0block
#define SPARSE_P_MODE_0in_0after0here    0append
#define SPARSE_P_MODE_0listed_0here0here 0list
#define SPARSE_P_STEP_OF(c, level)       SPARSE_P_STEP_OF_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_STEP_OF_(...)           SPARSE_P_STEP_OF__(__VA_ARGS__)
#define SPARSE_P_STEP_OF__(nlev, head, aos, last, prefix, way, ordered, loops, number, storage, letter, loop, placed,       \
                           above, format, unique, order, n, variable, part, over, parent)                                   \
    , (number,                                                                                                              \
       SPARSE_P_HOW(SPARSE_P_CAT3(SPARSE_P_HOW_, SPARSE_P_CMP(number, last),                                                \
                                  SPARSE_P_CAT3(SPARSE_P_AMONG_, way, SPARSE_P_CMP(number, ordered))),                      \
                    SPARSE_P_CAT(SPARSE_P_BUILT_, parent)(format), unique, SPARSE_P_CMP(SPARSE_P_DEC_##number, prefix)),    \
       placed, variable,                                                                                                    \
       SPARSE_P_ROWS(SPARSE_P_CAT(SPARSE_P_BUILT_, parent)(format),                                                         \
                     SPARSE_P_OR0(SPARSE_P_AT_LIST(SPARSE_P_DEC_##number, loops)),                                          \
                     SPARSE_P_CMP(SPARSE_P_DEC_##number, prefix)),                                                          \
       SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_COUNTS_, unique, SPARSE_P_CMP(number, last)), 0own),                          \
       SPARSE_P_CAT3(SPARSE_P_ADDRESS_, aos, SPARSE_P_CMP(number, head))(number, head, nlev))
#define SPARSE_P_HOW(how, ...)            how(__VA_ARGS__)
#define SPARSE_P_COUNTS_0unique0here      ~, all
#define SPARSE_P_COUNTS_0nonunique0before ~, all
#define SPARSE_P_COUNTS_0nonunique0here   ~, all
/* HOW_xy(kind, unique, z): x, y and z are before, here or after. x compares the level with LAST, y compares it with
   PREFIX or is listed, and z compares the level above with PREFIX. */
#define SPARSE_P_AMONG_0in0before                    0before
#define SPARSE_P_AMONG_0in0here                      0here
#define SPARSE_P_AMONG_0in0after                     0after
#define SPARSE_P_AMONG_0listed0before                0before
#define SPARSE_P_AMONG_0listed0here                  0here
#define SPARSE_P_AMONG_0listed0after                 0listed
#define SPARSE_P_HOW_0before0listed(kind, unique, z) SPARSE_P_HOW_BESIDE_##kind
#define SPARSE_P_HOW_0here0listed(kind, unique, z)   SPARSE_P_HOW_LISTED_##kind
#define SPARSE_P_HOW_BESIDE_0compressed              0beside
#define SPARSE_P_HOW_BESIDE_0singleton               0beside
#define SPARSE_P_HOW_BESIDE_0none                    0never
#define SPARSE_P_HOW_LISTED_0compressed              0listed
#define SPARSE_P_HOW_LISTED_0singleton               0listed
#define SPARSE_P_HOW_LISTED_0none                    0never
#define SPARSE_P_HOW_0before0before(kind, unique, z) SPARSE_P_HOW_ABOVE_##kind##unique
#define SPARSE_P_HOW_0before0here(kind, unique, z)   SPARSE_P_HOW_ABOVE_##kind##unique
#define SPARSE_P_HOW_0before0after(kind, unique, z)  SPARSE_P_CAT(SPARSE_P_HOW_EXPANDED_##kind, z)
#define SPARSE_P_HOW_0here0before(kind, unique, z)   SPARSE_P_HOW_LAST_##kind
#define SPARSE_P_HOW_0here0here(kind, unique, z)     SPARSE_P_HOW_LAST_##kind
#define SPARSE_P_HOW_0here0after(kind, unique, z)    SPARSE_P_CAT(SPARSE_P_HOW_EXPANDED_##kind, z)
#define SPARSE_P_HOW_0after0before(kind, unique, z)  0below
#define SPARSE_P_HOW_0after0here(kind, unique, z)    0below
#define SPARSE_P_HOW_0after0after(kind, unique, z)   0below
#define SPARSE_P_HOW_ABOVE_0dense0unique             dense
#define SPARSE_P_HOW_ABOVE_0compressed0unique        0entry
#define SPARSE_P_HOW_ABOVE_0compressed0nonunique     0coo
#define SPARSE_P_HOW_ABOVE_0singleton0unique         0coo
#define SPARSE_P_HOW_ABOVE_0singleton0nonunique      0coo
#define SPARSE_P_HOW_ABOVE_0none0unique              0never
#define SPARSE_P_HOW_ABOVE_0none0nonunique           0never
#define SPARSE_P_HOW_LAST_0compressed                0last
#define SPARSE_P_HOW_LAST_0singleton                 0last
#define SPARSE_P_HOW_LAST_0none                      0never
#define SPARSE_P_HOW_EXPANDED_0dense0here            0first
#define SPARSE_P_HOW_EXPANDED_0dense0after           0next
#define SPARSE_P_HOW_EXPANDED_0compressed0here       0first
#define SPARSE_P_HOW_EXPANDED_0compressed0after      0next
#define SPARSE_P_HOW_EXPANDED_0singleton0here        0first
#define SPARSE_P_HOW_EXPANDED_0singleton0after       0next
#define SPARSE_P_HOW_EXPANDED_0none0here             0never
#define SPARSE_P_HOW_EXPANDED_0none0after            0never
/* BUILT: the type with which a level is assembled, given its format and whether the level above is unique. It is dense,
   compressed, singleton, or none. */
#define SPARSE_P_BUILT_0unique(format)    SPARSE_P_LEVEL_CELL(BUILT, format)
#define SPARSE_P_BUILT_0nonunique(format) SPARSE_P_LEVEL_CELL(BUILT_BELOW, format)
#define SPARSE_P_BUILT_0neither           SPARSE_P_BUILT_0nonunique
/* ROWS(kind, loop, when) -> loop, the loop over the level above, if the level is compressed and the level above is in the
   prefix; otherwise 0 */
#define SPARSE_P_ROWS(kind, loop, when)        SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_ROWS_, kind, when)(loop), 0)
#define SPARSE_P_ROWS_0compressed0before(loop) ~, loop
#define SPARSE_P_ROWS_0compressed0here(loop)   ~, loop

/* The builder A_to assembles an output A. nA is the number of coordinates so far in its last sparse level. in_A says
   whether the current entry is stored. has_A says whether the statement wants the entry to be stored. */
/* TABLE MODE: what loops do with the entries of an assembled output
   rows: 0append 0list 0block 0expand
     RESERVE      before loop KNOWN, or the loop around it: reserves room for all entries that the loop may append
     BEGIN        where the coordinates of an entry become known
     FETCH        at the beginning of the statement: reads the value of the entry
     PUT_BACK     at the end of the statement: writes the value back, unless it stays in a register in between
     COMMIT       where the entry is complete
     GATHER       at the end of an iteration of the last loop above a workspace: moves the entries into the output
     PARENT       passes the position in the level above to the workspace
     COORDINATE   passes the coordinate in a level of COO above to the workspace
     ENTRIES      how many coordinates the last level has; a counter in a register if they come in order
     EXPANDS      (prefix) -> the first level of the workspace, counted from 1, or 0
     COUNT        the text after the loops */
/* TABLE HOW: what an assembled output does for one of its levels, where the level's coordinate is known
   rows: dense 0entry 0coo 0last 0beside 0listed 0first 0next 0below 0never
     ENTER        makes its position known
     LEAVE        appends the coordinate if entries were appended below it
     BELOW        makes positions below the last sparse level known, after BEGIN of table MODE
     ARRAY        declares the array of coordinates, if the level has its own
     PUT          stores the coordinate in that array
     ORDER        0ordered if entries have to be visited in order, else 0any
     ROWS         ends the rows before this position, in the next level; after 0entry, LEAVE does so */
#define SPARSE_P_MODE_CELL(column, row)  SPARSE_P_CELL(SPARSE_P_MODE_##row##_##column SPARSE_P_MODE_default_##column, ~)
#define SPARSE_P_MODE_default_RESERVE    , ~
#define SPARSE_P_MODE_default_BEGIN      , ~
#define SPARSE_P_MODE_default_FETCH      , ~
#define SPARSE_P_MODE_default_PUT_BACK   , ~
#define SPARSE_P_MODE_default_COMMIT     , ~
#define SPARSE_P_MODE_default_GATHER     , SPARSE_P_DROP
#define SPARSE_P_MODE_default_PARENT     , SPARSE_P_DROP
#define SPARSE_P_MODE_default_COORDINATE , SPARSE_P_DROP
#define SPARSE_P_MODE_default_ENTRIES    , SPARSE_P_ENTRIES_HERE
#define SPARSE_P_MODE_default_EXPANDS    , SPARSE_P_EXPANDS_NOT
#define SPARSE_P_MODE_default_COUNT      , SPARSE_P_COUNT_ENTRIES

#define SPARSE_P_MODE_0append_RESERVE  , SPARSE_P_RESERVE_ENTRIES
#define SPARSE_P_MODE_0append_BEGIN    , SPARSE_P_BEGIN_ENTRY
#define SPARSE_P_MODE_0append_FETCH    , SPARSE_P_DROP
#define SPARSE_P_MODE_0append_PUT_BACK , SPARSE_P_DROP
#define SPARSE_P_MODE_0append_COMMIT   , SPARSE_P_COMMIT_ENTRY

#define SPARSE_P_MODE_0list_RESERVE  , SPARSE_P_RESERVE_ENTRIES
#define SPARSE_P_MODE_0list_BEGIN    , SPARSE_P_BEGIN_ENTRY
#define SPARSE_P_MODE_0list_FETCH    , SPARSE_P_DROP
#define SPARSE_P_MODE_0list_PUT_BACK , SPARSE_P_DROP
#define SPARSE_P_MODE_0list_COMMIT   , SPARSE_P_COMMIT_ENTRY

#define SPARSE_P_MODE_0block_RESERVE  , SPARSE_P_RESERVE_BLOCKS
#define SPARSE_P_MODE_0block_BEGIN    , SPARSE_P_BEGIN_BLOCK
#define SPARSE_P_MODE_0block_FETCH    , SPARSE_P_FETCH
#define SPARSE_P_MODE_0block_PUT_BACK , SPARSE_P_PUT_BACK
#define SPARSE_P_MODE_0block_COMMIT   , SPARSE_P_COMMIT_BLOCK

#define SPARSE_P_MODE_0expand_RESERVE    , SPARSE_P_RESERVE_WORKSPACE
#define SPARSE_P_MODE_0expand_BEGIN      , SPARSE_P_BEGIN_SLOT
#define SPARSE_P_MODE_0expand_FETCH      , SPARSE_P_FETCH
#define SPARSE_P_MODE_0expand_PUT_BACK   , SPARSE_P_PUT_BACK_IN
#define SPARSE_P_MODE_0expand_COMMIT     , SPARSE_P_COMMIT_SLOT
#define SPARSE_P_MODE_0expand_GATHER     , SPARSE_P_GATHER
#define SPARSE_P_MODE_0expand_PARENT     , SPARSE_P_SET_PARENT
#define SPARSE_P_MODE_0expand_COORDINATE , SPARSE_P_SET_COORDINATE
#define SPARSE_P_MODE_0expand_ENTRIES    , SPARSE_P_ENTRIES_THERE
#define SPARSE_P_MODE_0expand_EXPANDS    , SPARSE_P_EXPANDS_AFTER
#define SPARSE_P_MODE_0expand_COUNT      , SPARSE_P_GATHER_LAST
#define SPARSE_P_HOW_CELL(column, row)   SPARSE_P_CELL(SPARSE_P_HOW_##row##_##column SPARSE_P_HOW_default_##column, ~)
#define SPARSE_P_HOW_default_ENTER       , ~
#define SPARSE_P_HOW_default_LEAVE       , SPARSE_P_DROP
#define SPARSE_P_HOW_default_BELOW       , SPARSE_P_DROP
#define SPARSE_P_HOW_default_ARRAY       , SPARSE_P_DROP
#define SPARSE_P_HOW_default_PUT         , SPARSE_P_DROP
#define SPARSE_P_HOW_default_ORDER       , 0any
#define SPARSE_P_HOW_default_ROWS        , SPARSE_P_DROP

#define SPARSE_P_HOW_dense_ENTER , SPARSE_P_ENTER_LOCATED
#define SPARSE_P_HOW_dense_ORDER , 0ordered
#define SPARSE_P_HOW_dense_ROWS  , SPARSE_P_POSITIONS

#define SPARSE_P_HOW_0entry_ENTER , SPARSE_P_ENTER_ENTRY
#define SPARSE_P_HOW_0entry_LEAVE , SPARSE_P_LEAVE_ENTRY
#define SPARSE_P_HOW_0entry_ORDER , 0ordered

#define SPARSE_P_HOW_0coo_ENTER , SPARSE_P_ENTER_COO
#define SPARSE_P_HOW_0coo_ARRAY , SPARSE_P_ARRAY_TO
#define SPARSE_P_HOW_0coo_PUT   , SPARSE_P_PUT_CRD
#define SPARSE_P_HOW_0coo_ORDER , 0ordered

#define SPARSE_P_HOW_0last_ENTER , SPARSE_P_ENTER_LAST
#define SPARSE_P_HOW_0last_ARRAY , SPARSE_P_ARRAY_TO
#define SPARSE_P_HOW_0last_PUT   , SPARSE_P_PUT_CRD
#define SPARSE_P_HOW_0last_ORDER , 0ordered

#define SPARSE_P_HOW_0beside_ENTER , SPARSE_P_ENTER_COO
#define SPARSE_P_HOW_0beside_ARRAY , SPARSE_P_ARRAY_TO
#define SPARSE_P_HOW_0beside_PUT   , SPARSE_P_PUT_CRD

#define SPARSE_P_HOW_0listed_ENTER , SPARSE_P_ENTER_LAST
#define SPARSE_P_HOW_0listed_ARRAY , SPARSE_P_ARRAY_TO
#define SPARSE_P_HOW_0listed_PUT   , SPARSE_P_PUT_CRD

#define SPARSE_P_HOW_0first_ENTER , SPARSE_P_ENTER_FIRST

#define SPARSE_P_HOW_0next_ENTER , SPARSE_P_ENTER_NEXT

#define SPARSE_P_HOW_0below_ENTER , SPARSE_P_DROP
#define SPARSE_P_HOW_0below_BELOW , SPARSE_P_LOCATE_BELOW

#define SPARSE_P_HOW_0never_ENTER , SPARSE_P_DROP

#define SPARSE_P_ENTER_0assembled(d, phase, mode, A, value, pos, crd, steps, nlev, placed, last, prefix, known, room)       \
    SPARSE_P_EACHF(SPARSE_P_STEP_IN, (d, A, pos, mode, prefix, last, steps), steps)                                         \
    SPARSE_P_AT_LOOP(known, d)                                                                                              \
    (SPARSE_P_MODE_CELL(BEGIN, mode))(A, value, last, prefix) SPARSE_P_EACHF(SPARSE_P_STEP_BELOW, (d, A), steps)            \
        SPARSE_P_AT_LOOP(placed, d)(SPARSE_P_MODE_CELL(FETCH, mode))(A, value, nlev)
#define SPARSE_P_LEAVE_0assembled(d, mode, A, value, pos, crd, steps, nlev, placed, last, prefix, known, room)              \
    SPARSE_P_AT_LOOP(placed, d)                                                                                             \
    (SPARSE_P_MODE_CELL(PUT_BACK, mode))(A, value, nlev)                                                                    \
        SPARSE_P_AT_LOOP(known, d)(SPARSE_P_MODE_CELL(COMMIT, mode))(A, value, crd, last, steps, prefix)SPARSE_P_EACHF(     \
            SPARSE_P_STEP_OUT, (d, A, pos, crd, mode, prefix, last, steps), steps)
/* HAS_OUT declares has_C before the statement, for an output C that is assembled, and saves the value of C. IN_OUT follows
   the statement. If the statement has set has_C to false, IN_OUT restores the value of C. Then the entry is stored only if
   another visit of its coordinates stores it. */
#define SPARSE_P_HAS_OUT(c, record)                  SPARSE_P_HAS_OUT_ record
#define SPARSE_P_HAS_OUT_(what, role, A, value, ...) SPARSE_P_HAS_OUT_##what(A, value)
#define SPARSE_P_HAS_OUT_0tensor(A, value)
#define SPARSE_P_HAS_OUT_0assembled(A, value)                                                                               \
    const SPARSE_P_VISIBLE(value) sparse_l_##A##_before = A;                                                                \
    bool has_##A = true;
#define SPARSE_P_IN_OUT(c, record)           SPARSE_P_IN_OUT_ record
#define SPARSE_P_IN_OUT_(what, role, A, ...) SPARSE_P_IN_OUT_##what(A)
#define SPARSE_P_IN_OUT_0tensor(A)
#define SPARSE_P_IN_OUT_0assembled(A)                                                                                       \
    if (!has_##A) A = sparse_l_##A##_before;                                                                                \
    sparse_l_in_##A = sparse_l_in_##A || has_##A;

/* ENTRIES_COUNT(MODE, A, level, last) -> how many coordinates a level has: its own count, or the count of the last level */
#define SPARSE_P_ENTRIES_0own(mode, A, level, last) *sparse_p_count(sparse_l_##A##_to, level)
#define SPARSE_P_ENTRIES_all(mode, A, level, last)  SPARSE_P_MODE_CELL(ENTRIES, mode)(A, last)
#define SPARSE_P_ENTRIES_HERE(A, last)              sparse_l_n##A
#define SPARSE_P_ENTRIES_THERE(A, last)             *sparse_p_count(sparse_l_##A##_to, last)
#define SPARSE_P_EXPANDS_NOT(prefix)                0
#define SPARSE_P_EXPANDS_AFTER(prefix)              prefix + 1

/* ROOM_0here, ROOM_0around(d, k) -> k. ROOM_0around changes the outputs that get room before loop d: they get it before the
   loop around d. */
#define SPARSE_P_ROOM_OF(d, i, strategy, dead, kind, ...) SPARSE_P_KIND_CELL(ROOM, kind)
#define SPARSE_P_ROOM_0here(d, ...)                       (__VA_ARGS__)
#define SPARSE_P_ROOM_0around(...)                        SPARSE_P_ROOM_AROUND(__VA_ARGS__)

#define SPARSE_P_ROOM_AROUND(d, leaves, outs, ...) (leaves, (SPARSE_P_EACHE(SPARSE_P_GROW_AROUND, d, outs)), __VA_ARGS__)
#define SPARSE_P_GROW_AROUND(d, place)             SPARSE_P_GROW_AROUND_(d, SPARSE_P_ID place)
#define SPARSE_P_GROW_AROUND_(...)                 SPARSE_P_GROW_AROUND__(__VA_ARGS__)
#define SPARSE_P_GROW_AROUND__(d, what, ...)       SPARSE_P_GROW_AROUND_##what(d, __VA_ARGS__)
#define SPARSE_P_GROW_AROUND_0tensor(d, ...)       , (0tensor, __VA_ARGS__)
#define SPARSE_P_GROW_AROUND_0assembled(d, mode, A, value, pos, crd, steps, nlev, placed, last, prefix, known, room)        \
    , (0assembled, mode, A, value, pos, crd, steps, nlev, placed, last, prefix, known,                                      \
       SPARSE_P_CAT(SPARSE_P_GROW_AT_, SPARSE_P_CMP(room, d))(room))
#define SPARSE_P_GROW_AT_0before(room) room
#define SPARSE_P_GROW_AT_0here(room)   SPARSE_P_DEC_##room
/* ROOM_1(d, i, KIND, drivers, flags, outs): reserves room for the outputs that grow in loop d */
#define SPARSE_P_GROWS(c, place)   SPARSE_P_GROWS_ place
#define SPARSE_P_GROWS_(what, ...) SPARSE_P_GROWS_##what
#define SPARSE_P_GROWS_0tensor
#define SPARSE_P_GROWS_0assembled , 0grows
#define SPARSE_P_ROOM_0(...)
#define SPARSE_P_ROOM_1(d, i, kind, drivers, flags, outs)                                                                   \
    SPARSE_P_EACHE(SPARSE_P_RESERVE, (d, i, kind, SPARSE_P_ITEMS(kind, i, drivers, flags)), outs)
#define SPARSE_P_RESERVE(c, place)                       SPARSE_P_RESERVE_(SPARSE_P_ID c, SPARSE_P_ID place)
#define SPARSE_P_RESERVE_(...)                           SPARSE_P_RESERVE__(__VA_ARGS__)
#define SPARSE_P_RESERVE__(d, i, kind, items, what, ...) SPARSE_P_RESERVE_##what(d, i, kind, items, __VA_ARGS__)
#define SPARSE_P_RESERVE_0tensor(...)
#define SPARSE_P_RESERVE_0assembled(d, i, kind, items, mode, A, value, pos, crd, steps, nlev, placed, last, prefix, known,  \
                                    room)                                                                                   \
    SPARSE_P_AT_LOOP(room, d)                                                                                               \
    (SPARSE_P_MODE_CELL(RESERVE, mode))(i, kind, items, A, value, crd, steps, prefix)
#define SPARSE_P_RESERVE_WORKSPACE(i, kind, items, A, value, crd, steps, prefix)                                            \
    if (!sparse_p_expand(sparse_l_##A##_to, sparse_l_n##A, SPARSE_P_KIND_CELL(MOST, kind)(i, items), &sparse_l_##A##_init)) \
        return sparse_p_result(sparse_l_##A##_to);                                                                          \
    SPARSE_P_AT_LOOP(prefix, 0)                                                                                             \
    (SPARSE_P_LESS_EMPTIED)(A) const unsigned sparse_l_##A##_how = sparse_p_how(sparse_l_##A##_to);                         \
    SPARSE_P_ELEMENT(value) *SPARSE_RESTRICT const sparse_l_##A##_val =                                                     \
        (SPARSE_P_ELEMENT(value) *)sparse_p_values(sparse_l_##A##_to);                                                      \
    unsigned char *SPARSE_RESTRICT const sparse_l_##A##_vacant = sparse_p_vacant(sparse_l_##A##_to);                        \
    size_t *SPARSE_RESTRICT const sparse_l_##A##_added = sparse_p_added(sparse_l_##A##_to);
/* A workspace over all levels may be a list, which the builder empties while the loops run. The count of entries in it is
   adjusted here. */
#define SPARSE_P_LESS_EMPTIED(A) sparse_l_n##A -= sparse_p_emptied(sparse_l_##A##_to);
#define SPARSE_P_RESERVE_ENTRIES(i, kind, items, A, value, crd, steps, prefix)                                              \
    SPARSE_P_RESERVE_BLOCKS(i, kind, items, A, value, crd, steps, prefix)                                                   \
    const size_t sparse_l_##A##_room = sparse_p_room(sparse_l_##A##_to);
#define SPARSE_P_RESERVE_BLOCKS(i, kind, items, A, value, crd, steps, prefix)                                               \
    if (!sparse_p_reserve(sparse_l_##A##_to, sparse_l_n##A, SPARSE_P_KIND_CELL(MOST, kind)(i, items)))                      \
        return sparse_p_result(sparse_l_##A##_to);                                                                          \
    SPARSE_P_EACHF(SPARSE_P_COORDINATES_OF, (A, crd), steps)                                                                \
    SPARSE_P_ELEMENT(value) *SPARSE_RESTRICT const sparse_l_##A##_val =                                                     \
        (SPARSE_P_ELEMENT(value) *)sparse_p_val_of(sparse_p_made(sparse_l_##A##_to));
/* A level whose OFFSET is not 0 shares the coordinate array of the level above. */
#define SPARSE_P_COORDINATES_OF(c, step) SPARSE_P_COORDINATES_OF_(SPARSE_P_ID c, SPARSE_P_ID step)
#define SPARSE_P_COORDINATES_OF_(...)    SPARSE_P_COORDINATES_OF__(__VA_ARGS__)
#define SPARSE_P_COORDINATES_OF__(A, crd, n, how, known, i, rows, count, head, stride, offset)                              \
    SPARSE_P_AT_LOOP(offset, 0)(SPARSE_P_HOW_CELL(ARRAY, how))(A, crd, n)
#define SPARSE_P_ARRAY_TO(A, bits, n)                                                                                       \
    uint##bits##_t *SPARSE_RESTRICT const sparse_l_##A##n##_crd =                                                           \
        (uint##bits##_t *)sparse_p_crd_of(sparse_p_made(sparse_l_##A##_to), n);
/* STEP_IN((d, A, POS, MODE, PREFIX, LAST, steps), step): computes positions at the start of the body of loop d */
#define SPARSE_P_STEP_IN(c, step) SPARSE_P_STEP_IN_(SPARSE_P_ID c, SPARSE_P_ID step)
#define SPARSE_P_STEP_IN_(...)    SPARSE_P_STEP_IN__(__VA_ARGS__)
#define SPARSE_P_STEP_IN__(d, A, pos, mode, prefix, last, steps, n, how, known, i, rows, count, ...)                        \
    SPARSE_P_AT_LOOP(rows, d)                                                                                               \
    (SPARSE_P_NEW_ROW)(SPARSE_P_AT_LIST(SPARSE_P_DEC_##n, steps), A, pos, n, SPARSE_P_ENTRIES_##count(mode, A, n, last))    \
        SPARSE_P_AT_LOOP(known, d)(SPARSE_P_HOW_CELL(ENTER, how))(A, n, i, mode, prefix, last)
#define SPARSE_P_NEW_ROW(above, ...) SPARSE_P_NEW_ROW_(SPARSE_P_SECOND above, __VA_ARGS__)
#define SPARSE_P_NEW_ROW_(...)       SPARSE_P_NEW_ROW__(__VA_ARGS__)
#define SPARSE_P_NEW_ROW__(how, ...) SPARSE_P_HOW_CELL(ROWS, how)(__VA_ARGS__)
#define SPARSE_P_POSITIONS(A, pos, n, so_far)                                                                               \
    if (!sparse_p_close_rows(sparse_l_##A##_to, n, SPARSE_P_CAT3(sparse_l_p, A, SPARSE_P_DEC_##n), so_far, pos))            \
        return sparse_p_result(sparse_l_##A##_to);
#define SPARSE_P_ENTER_LOCATED(A, n, i, mode, prefix, last)                                                                 \
    SPARSE_P_LOCATED(A, n, i) SPARSE_P_AT_LOOP(n, prefix)(SPARSE_P_MODE_CELL(PARENT, mode))(A, n)
#define SPARSE_P_ENTER_ENTRY(A, n, i, mode, prefix, last)                                                                   \
    SPARSE_UNUSED const size_t sparse_l_p##A##n = *sparse_p_count(sparse_l_##A##_to, n);                                    \
    const size_t sparse_l_b##A##n = SPARSE_P_ENTRIES_all(mode, A, n, last);                                                 \
    SPARSE_P_AT_LOOP(n, prefix)(SPARSE_P_MODE_CELL(PARENT, mode))(A, n)
#define SPARSE_P_ENTER_COO(A, n, i, mode, prefix, last) SPARSE_P_MODE_CELL(COORDINATE, mode)(A, n, i)
#define SPARSE_P_ENTER_LAST(A, n, i, mode, prefix, last)                                                                    \
    SPARSE_UNUSED const size_t sparse_l_p##A##n = SPARSE_P_ENTRIES_all(mode, A, n, last);
#define SPARSE_P_ENTER_FIRST(A, n, i, mode, prefix, last) const size_t sparse_l_k##A##n = i;
#define SPARSE_P_ENTER_NEXT(A, n, i, mode, prefix, last)                                                                    \
    const size_t sparse_l_k##A##n = SPARSE_P_CAT3(sparse_l_k, A, SPARSE_P_DEC_##n) * sparse_l_##i##_size + i;
#define SPARSE_P_STEP_BELOW(c, step)                       SPARSE_P_STEP_BELOW_(SPARSE_P_ID c, SPARSE_P_ID step)
#define SPARSE_P_STEP_BELOW_(...)                          SPARSE_P_STEP_BELOW__(__VA_ARGS__)
#define SPARSE_P_STEP_BELOW__(d, A, n, how, known, i, ...) SPARSE_P_AT_LOOP(known, d)(SPARSE_P_HOW_CELL(BELOW, how))(A, n, i)
#define SPARSE_P_LOCATE_BELOW(A, n, i)                     SPARSE_P_LOCATED(A, n, i)
#define SPARSE_P_SET_PARENT(A, n)                          sparse_p_set_parent(sparse_l_##A##_to, sparse_l_p##A##n);
#define SPARSE_P_SET_COORDINATE(A, n, i)                   sparse_p_set_coordinate(sparse_l_##A##_to, n, i);

#define SPARSE_P_BEGIN_ENTRY(A, value, last, prefix)                                                                        \
    bool sparse_l_in_##A = false;                                                                                           \
    SPARSE_P_VISIBLE(value) A = SPARSE_P_DECODE(value, sparse_l_##A##_init);
#define SPARSE_P_BEGIN_BLOCK(A, value, last, prefix)                                                                        \
    bool sparse_l_in_##A = false;                                                                                           \
    const size_t sparse_l_##A##_block = sparse_p_block(sparse_l_##A##_to);                                                  \
    for (size_t sparse_l_n = 0; sparse_l_n < sparse_l_##A##_block; sparse_l_n++)                                            \
        sparse_l_##A##_val[sparse_l_n##A * sparse_l_##A##_block + sparse_l_n] = sparse_l_##A##_init;
#define SPARSE_P_BEGIN_SLOT(A, value, last, prefix)                                                                         \
    bool sparse_l_in_##A = false;                                                                                           \
    const size_t sparse_l_p##A##last = SPARSE_P_CAT(SPARSE_P_SLOT_, SPARSE_P_NZ(prefix))(A, last);
#define SPARSE_P_SLOT_1(A, last) sparse_p_slot(sparse_l_##A##_to, sparse_l_##A##_how, sparse_l_k##A##last)
#define SPARSE_P_SLOT_0(A, last)                                                                                            \
    sparse_p_slot_in_order(sparse_l_##A##_to, sparse_l_##A##_how, sparse_l_##A##_added, sparse_l_n##A, sparse_l_k##A##last)
#define SPARSE_P_FETCH(A, value, n) SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
/* An entry with has_A = false leaves the workspace unchanged. In a masked product, most entries are like this. */
#define SPARSE_P_PUT_BACK_IN(A, value, n)                                                                                   \
    if (sparse_l_in_##A) sparse_l_##A##_val[sparse_l_p##A##n] = SPARSE_P_ENCODE(value, A);
/* The code has no branch on has_A: an entry with has_A = false is written, but not counted, so the next entry overwrites
   it. */
#define SPARSE_P_COMMIT_ENTRY(A, value, crd, last, steps, prefix)                                                           \
    if (sparse_l_n##A < sparse_l_##A##_room) {                                                                              \
        SPARSE_P_EACHF(SPARSE_P_PUT, (A, crd), steps)                                                                       \
        sparse_l_##A##_val[sparse_l_n##A] = SPARSE_P_ENCODE(value, A);                                                      \
    }                                                                                                                       \
    sparse_l_n##A += sparse_l_in_##A;
#define SPARSE_P_COMMIT_BLOCK(A, value, crd, last, steps, prefix)                                                           \
    SPARSE_P_EACHF(SPARSE_P_PUT, (A, crd), steps)                                                                           \
    sparse_l_n##A += sparse_l_in_##A;
#define SPARSE_P_COMMIT_SLOT(A, value, crd, last, steps, prefix)                                                            \
    if (sparse_l_in_##A)                                                                                                    \
        sparse_l_n##A = SPARSE_P_CAT(SPARSE_P_ADD_, SPARSE_P_NZ(prefix))(sparse_l_##A##_added, sparse_l_##A##_vacant,       \
                                                                         sparse_l_##A##_how, sparse_l_n##A,                 \
                                                                         sparse_l_k##A##last, sparse_l_p##A##last);
#define SPARSE_P_ADD_1        sparse_p_add_to_workspace
#define SPARSE_P_ADD_0        sparse_p_add_in_order
#define SPARSE_P_PUT(c, step) SPARSE_P_PUT_(SPARSE_P_ID c, SPARSE_P_ID step)
#define SPARSE_P_PUT_(...)    SPARSE_P_PUT__(__VA_ARGS__)
#define SPARSE_P_PUT__(A, crd, level, how, known, i, rows, count, head, stride, offset)                                     \
    SPARSE_P_HOW_CELL(PUT, how)(sparse_l_##A##head##_crd, sparse_l_n##A, crd, i, stride, offset)
#define SPARSE_P_PUT_CRD(array, p, crd, i, stride, offset) SPARSE_P_CRD_AT(array, p, stride, offset) = (uint##crd##_t)i;
#define SPARSE_P_GATHER(A)                                                                                                  \
    if (!sparse_p_compress(sparse_l_##A##_to, sparse_l_n##A, &sparse_l_##A##_init))                                         \
        return sparse_p_result(sparse_l_##A##_to);                                                                          \
    sparse_l_n##A = 0;
/* STEP_OUT((d, A, POS, CRD, MODE, PREFIX, LAST, steps), step): appends coordinates at the end of the body of loop d */
#define SPARSE_P_STEP_OUT(c, step) SPARSE_P_STEP_OUT_(SPARSE_P_ID c, SPARSE_P_ID step)
#define SPARSE_P_STEP_OUT_(...)    SPARSE_P_STEP_OUT__(__VA_ARGS__)
#define SPARSE_P_STEP_OUT__(d, A, pos, crd, mode, prefix, last, steps, n, how, known, i, rows, count, ...)                  \
    SPARSE_P_AT_LOOP(known, d)(SPARSE_P_STEP_ENDS)(A, n, i, pos, crd, mode, prefix, last, steps, how)
#define SPARSE_P_STEP_ENDS(A, n, i, pos, crd, mode, prefix, last, steps, how)                                               \
    SPARSE_P_AT_LOOP(n, prefix)                                                                                             \
    (SPARSE_P_MODE_CELL(GATHER, mode))(A) SPARSE_P_HOW_CELL(LEAVE, how)(A, n, i, pos, crd, mode, last, steps)
#define SPARSE_P_LEAVE_ENTRY(A, n, i, pos, crd, mode, last, steps)                                                          \
    SPARSE_P_LEAVE_ENTRY_(A, n, i, pos, crd, mode, last, SPARSE_P_UNPACK(SPARSE_P_AT_LIST(SPARSE_P_INC_##n, steps)))
#define SPARSE_P_LEAVE_ENTRY_(...) SPARSE_P_LEAVE_ENTRY__(__VA_ARGS__)
#define SPARSE_P_LEAVE_ENTRY__(A, n, i, pos, crd, mode, last, next, how, known, j, rows, count, ...)                        \
    if (SPARSE_P_ENTRIES_all(mode, A, n, last) > sparse_l_b##A##n &&                                                        \
        !sparse_p_append(                                                                                                   \
            sparse_l_##A##_to, n, i, crd,                                                                                   \
            SPARSE_P_CAT(SPARSE_P_BELOW_, SPARSE_P_NZ(rows))(SPARSE_P_ENTRIES_##count(mode, A, next, last), pos)))          \
        return sparse_p_result(sparse_l_##A##_to);
#define SPARSE_P_BELOW_0(below, pos) 0, 0
#define SPARSE_P_BELOW_1(below, pos) below, pos

/* For each assembled output. BUILDER declares its builder. BUILDER_OF_PART declares the builder of one part. START(, ((,
   x), record)) begins the assembly, and END ends it. */
#define SPARSE_P_BUILDER(c, record)           SPARSE_P_BUILDER_ record
#define SPARSE_P_BUILDER_(what, role, A, ...) SPARSE_P_BUILDER_##what(A)
#define SPARSE_P_BUILDER_0scalar(A)
#define SPARSE_P_BUILDER_0tensor(A)
#define SPARSE_P_BUILDER_0assembled(A)                                                                                      \
    sparse_p_builder sparse_l_##A##_builder, *const sparse_l_##A##_to = &sparse_l_##A##_builder;                            \
    sparse_p_set_whole(sparse_l_##A##_to);
#define SPARSE_P_AGAIN(c, record)           SPARSE_P_AGAIN_ record
#define SPARSE_P_AGAIN_(what, role, A, ...) SPARSE_P_AGAIN_##what(A)
#define SPARSE_P_AGAIN_0scalar(A)
#define SPARSE_P_AGAIN_0tensor(A)
#define SPARSE_P_AGAIN_0assembled(A)                  sparse_p_runs_again(&sparse_l_##A##_builder) ||
#define SPARSE_P_BUILDER_OF_PART(c, record)           SPARSE_P_BUILDER_OF_PART_ record
#define SPARSE_P_BUILDER_OF_PART_(what, role, A, ...) SPARSE_P_BUILDER_OF_PART_##what(A)
#define SPARSE_P_BUILDER_OF_PART_0scalar(A)
#define SPARSE_P_BUILDER_OF_PART_0tensor(A)
#define SPARSE_P_BUILDER_OF_PART_0assembled(A) sparse_p_builder *const sparse_l_##A##_to = &sparse_l_all[sparse_l_part];
#define SPARSE_P_START(c, begun)               SPARSE_P_START_ begun
#define SPARSE_P_START_(initial, what, ...)    SPARSE_P_START_##what(initial, __VA_ARGS__)
#define SPARSE_P_START_0scalar(...)
#define SPARSE_P_START_0tensor(...)
#define SPARSE_P_START_0assembled(initial, role, A, type, value, pos, crd, indices, levels, steps, nlev, placed, last,      \
                                  prefix, known, mode, described)                                                           \
    const SPARSE_P_ELEMENT(value) sparse_l_##A##_initially = SPARSE_P_INITIAL(value, initial);                              \
    sparse_l_made = sparse_p_first_error(                                                                                   \
        sparse_l_made,                                                                                                      \
        sparse_p_builder_begin(sparse_l_##A##_to, sparse_l_over, sparse_l_size, A, sparse_l_operand, sparse_l_operands,     \
                               SPARSE_P_OUTPUT_PLAN(pos)(&type##_encoding, SPARSE_P_MODE_CELL(EXPANDS, mode)(prefix)),      \
                               sparse_l_fixed, &sparse_l_##A##_initially));
#define SPARSE_P_END(c, record)           SPARSE_P_END_ record
#define SPARSE_P_END_(what, role, A, ...) SPARSE_P_END_##what(A)
#define SPARSE_P_END_0scalar(A)
#define SPARSE_P_END_0tensor(A)
#define SPARSE_P_END_0assembled(A)                                                                                          \
    sparse_l_made = sparse_p_first_error(sparse_l_made, sparse_p_builder_end(sparse_l_##A##_to, sparse_l_looped));
#define SPARSE_P_COUNT_ENTRIES(A, last, prefix) *sparse_p_count(sparse_l_##A##_to, last) = sparse_l_n##A;
#define SPARSE_P_GATHER_LAST(A, last, prefix)   SPARSE_P_AT_LOOP(prefix, 0)(SPARSE_P_GATHER)(A)

/* A workspace that is stored sparsely, where((w, SVEC, j), ...), is an output of its own loops. Each iteration of the loops
   around them rebuilds it. After its own loops, the workspace is an operand. It has dense and compressed levels. */
/* BUILT_LEVEL((kernel, name), walk) -> , "sentence" unless the level is compressed, unique and in order.
   WHERE_BESIDE((kernel, WAY, loops), where) -> , "sentence" if several threads would share the workspace. */
#define SPARSE_P_BUILT_LEVEL(c, walk) SPARSE_P_BUILT_LEVEL_(SPARSE_P_ID c, SPARSE_P_ID walk)
#define SPARSE_P_BUILT_LEVEL_(...)    SPARSE_P_BUILT_LEVEL__(__VA_ARGS__)
#define SPARSE_P_BUILT_LEVEL__(kernel, name, n, placed, above, walked)                                                      \
    SPARSE_P_BUILT_LEVEL3(kernel, name, SPARSE_P_ID walked)
#define SPARSE_P_BUILT_LEVEL3(...) SPARSE_P_BUILT_LEVEL4(__VA_ARGS__)
#define SPARSE_P_BUILT_LEVEL4(kernel, name, format, n, walk, ...)                                                           \
    SPARSE_P_CAT3(SPARSE_P_BUILT_LEVEL_, SPARSE_P_SECOND(SPARSE_P_IS_BUILT_##format, 0), SPARSE_P_WALK_CELL(PLAIN, walk))   \
    (kernel, name)
#define SPARSE_P_IS_BUILT_compressed ~, 1
#define SPARSE_P_BUILT_LEVEL_11(kernel, name)
#define SPARSE_P_BUILT_LEVEL_10(kernel, name)                                                                               \
    , (#kernel ": workspace " #name " has other levels than dense ones and compressed ones that are unique and "            \
               "ordered")
#define SPARSE_P_BUILT_LEVEL_01 SPARSE_P_BUILT_LEVEL_10
#define SPARSE_P_BUILT_LEVEL_00 SPARSE_P_BUILT_LEVEL_10
/* SUM_ERROR: only a workspace that is a dense vector may be read at a sum of indices. It is written at a single other
   index. HELD_FITS checks that the sum does not exceed the range of that index. */
#define SPARSE_P_SUBSCRIPTS(what, role, name, type, value, pos, crd, indices, ...) indices
#define SPARSE_P_SUM_ERROR(kernel, name, indices, made, nlev, sparse)                                                       \
    SPARSE_P_CAT3(SPARSE_P_SUM_ERROR_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SUM, , indices)),                         \
                  SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SUM, , made)                                                   \
                                      SPARSE_P_CAT(SPARSE_P_OVER_, SPARSE_P_NZ(SPARSE_P_DEC_##nlev))                        \
                                          SPARSE_P_CAT(SPARSE_P_OVER_, SPARSE_P_NZ_##sparse)))                              \
    (kernel, name)
#define SPARSE_P_OVER_0
#define SPARSE_P_OVER_1 , ~
#define SPARSE_P_SUM_ERROR_00(kernel, name)
#define SPARSE_P_SUM_ERROR_01(kernel, name)
#define SPARSE_P_SUM_ERROR_10(kernel, name)
#define SPARSE_P_SUM_ERROR_11(kernel, name)                                                                                 \
    , (#kernel ": workspace " #name " has a sum as a subscript, which only a dense vector has, as let(s, sum)")
#define SPARSE_P_HELD_FITS(letters, initial, out, name, type, value, pos, crd, indices, ...)                                \
    SPARSE_P_CAT(SPARSE_P_FITS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SUM, , indices)))                               \
    (letters, SPARSE_P_SUBSCRIPTS out, name, indices)
#define SPARSE_P_FITS_0(letters, made, name, indices)
#define SPARSE_P_FITS_1(letters, made, name, indices)                                                                       \
    const ptrdiff_t sparse_l_##name##_sum[] = {SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_NUMBERS_OF, , indices))};              \
    const sparse_result sparse_l_##name##_fits = sparse_p_sum_fits(                                                         \
        sparse_l_over, sparse_l_size, sparse_l_##name##_sum, SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE, letters, made)));  \
    if (sparse_l_##name##_fits != SPARSE_OK) return sparse_l_##name##_fits;
#define SPARSE_P_WHERE_BESIDE(c, where) SPARSE_P_WHERE_BESIDE_(SPARSE_P_ID c, SPARSE_P_ID where)
#define SPARSE_P_WHERE_BESIDE_(...)     SPARSE_P_WHERE_BESIDE__(__VA_ARGS__)
#define SPARSE_P_WHERE_BESIDE__(kernel, way, outer, n, tree, loops, letters, leaves, written, initial, out, operand, ...)   \
    SPARSE_P_IF_BEFORE(0, SPARSE_P_CAT(SPARSE_P_TOGETHER_, SPARSE_P_COPIES_IN(way, n, outer)))                              \
    (SPARSE_P_WORKS_FOR(0beside, SPARSE_P_WORKS_AS operand))(kernel, SPARSE_P_THIRD operand)                                \
        SPARSE_P_CAT(SPARSE_P_IF_SHARES_, SPARSE_P_SHARES_OF(outer))(                                                       \
            SPARSE_P_WORKS_FOR(0shared, SPARSE_P_WORKS_AS operand))(kernel, SPARSE_P_THIRD operand)
#define SPARSE_P_IF_SHARES_0(m)    SPARSE_P_DROP
#define SPARSE_P_IF_SHARES_1(m)    m
#define SPARSE_P_ARRAY_SHARED(...) SPARSE_P_ARRAY_SHARED_(__VA_ARGS__)
#define SPARSE_P_ARRAY_SHARED_(kernel, name)                                                                                \
    , (#kernel ": workspace " #name " is an array, which the shares of a parallel sum would write at the same time")
/* TOGETHER_n, for the result n of COPIES_IN: 1 if several threads run the same loops */
#define SPARSE_P_TOGETHER_0        0
#define SPARSE_P_TOGETHER_1        1
#define SPARSE_P_TOGETHER_2        1
#define SPARSE_P_TOGETHER_3        0
#define SPARSE_P_BUILT_BESIDE(...) SPARSE_P_BUILT_BESIDE_(__VA_ARGS__)
#define SPARSE_P_BUILT_BESIDE_(kernel, name)                                                                                \
    , (#kernel ": workspace " #name                                                                                         \
               " is stored sparsely and made in a parallel loop, for which the output has to be assembled")
/* The parameters, arguments and code of a kernel for a sparse workspace: row 0built of table WORKS. */
#define SPARSE_P_BUILT_BY(...)                               2
#define SPARSE_P_BUILT_PARAMETER(c, initial, out, name, ...) , sparse_p_builder *const sparse_l_##name##_to
#define SPARSE_P_BUILT_ARGUMENT(c, initial, out, name, ...)  , &sparse_l_##name##_builder
#define SPARSE_P_BUILT_BEGIN(c, initial, out, ...)                                                                          \
    SPARSE_P_BUILT_BEGIN_(SPARSE_P_ID c, initial, SPARSE_P_EXPANDS_OF out, __VA_ARGS__)
#define SPARSE_P_EXPANDS_OF(what, role, name, type, value, pos, crd, indices, levels, steps, nlev, placed, last, prefix,    \
                            known, mode, described)                                                                         \
    SPARSE_P_MODE_CELL(EXPANDS, mode)(prefix)
#define SPARSE_P_BUILT_BEGIN_(...) SPARSE_P_BUILT_BEGIN__(__VA_ARGS__)
#define SPARSE_P_BUILT_BEGIN__(letters, copies, result, initial, first, name, type, value, pos, crd, indices, levels,       \
                               walks, nlev, placed, sparse, described, fixed)                                               \
    SPARSE_P_DECLARE_ENCODING(type, value, described, where, name)                                                          \
    sparse_p_builder sparse_l_##name##_builder;                                                                             \
    sparse_tensor sparse_l_##name##_made;                                                                                   \
    const sparse_p_operand sparse_l_##name##_operand = {&type##_encoding, &sparse_l_##name##_made,                          \
                                                        SPARSE_P_EACHF(SPARSE_P_QUOTE, , indices), SPARSE_ASSEMBLES, NULL}; \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_initially = SPARSE_P_INITIAL(value, initial);                           \
    result = sparse_p_begin_built(result, &sparse_l_##name##_builder, &sparse_l_##name##_made, &sparse_l_##name##_operand,  \
                                  sparse_l_over, sparse_l_size, sparse_l_operand,                                           \
                                  SPARSE_P_OUTPUT_PLAN(pos)(&type##_encoding, first), &sparse_l_##name##_initially);
#define SPARSE_P_BUILT_END(c, initial, out, name, ...) sparse_p_end_built(&sparse_l_##name##_builder);
#define SPARSE_P_OWN_BY_2(...)
#define SPARSE_P_MADE_BY_2(n, initial, copies, operand, places, out, statement, plans, record)                              \
    , (n, (),                                                                                                               \
       SPARSE_P_BUILDING(SPARSE_P_ID operand, {SPARSE_P_ACCUMULATE(0, (initial, SPARSE_P_ID record)) SPARSE_P_NEST_READING( \
                                                  n, (places, out, statement, ()), plans) SPARSE_P_ACCUMULATED(, record)}))
#define SPARSE_P_BUILDING(...) SPARSE_P_BUILDING_(__VA_ARGS__)
#define SPARSE_P_BUILDING_(what, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,           \
                           described, fixed, ...)                                                                           \
    sparse_p_build_anew(sparse_l_##name##_to);                                                                              \
    __VA_ARGS__                                                                                                             \
    if (!sparse_p_is_built(sparse_l_##name##_to)) return sparse_p_result(sparse_l_##name##_to);                             \
    SPARSE_P_EACHF(SPARSE_P_BUILT_ARRAYS, (name, pos, crd), walks)                                                          \
    const SPARSE_P_ELEMENT(value) *SPARSE_RESTRICT const sparse_l_##name##_val =                                            \
        (const SPARSE_P_ELEMENT(value) *)sparse_p_val_of(sparse_p_made(sparse_l_##name##_to));
#define SPARSE_P_BUILT_ARRAYS(c, walk) SPARSE_P_BUILT_ARRAYS_(SPARSE_P_ID c, SPARSE_P_ID walk)
#define SPARSE_P_BUILT_ARRAYS_(...)    SPARSE_P_BUILT_ARRAYS__(__VA_ARGS__)
#define SPARSE_P_BUILT_ARRAYS__(A, pos, crd, n, placed, above, iterator)                                                    \
    const uint##pos##_t *SPARSE_RESTRICT const sparse_l_##A##n##_pos =                                                      \
        (const uint##pos##_t *)sparse_p_pos_of(sparse_p_made(sparse_l_##A##_to), n);                                        \
    const uint##crd##_t *SPARSE_RESTRICT const sparse_l_##A##n##_crd =                                                      \
        (const uint##crd##_t *)sparse_p_crd_of(sparse_p_made(sparse_l_##A##_to), n);

/* >>workspaces
   Workspaces are intermediate results that loops of their own compute. MTTKRP with the loops (i, k, j) and the operands

     all(where((w, VEC, j), (l, j), all((B, CSF, i, k, l), (D, MAT, l, j)), w += B * D), (C, MAT, k, j))

   computes w(j) with the loops (l, j) in each iteration of loop k, and then loop j of the kernel reads w:

     for i  for k { w = 0;  for l  for j  w(j) += B(i,k,l) * D(l,j);  for j  A(i,j) += w(j) * C(k,j); }

   This is the where of concrete index notation (Kjolstad et al. 2019). A workspace must stand directly in the all() of a
   kernel. It is computed in loop N: the innermost loop over an index that its operands have, and its own loops do not. Its
   node is

     (where, N, tree, (, loops), (letters), (, leaves), WRITTEN, (INITIAL), node as an output, record as an operand,
      (statement), (, plans))

   N is 0 if no loop is around it. The letters are the indices of the kernel, then the indices of its own loops. So its
   own loops are numbered after all loops of the kernel. An index of the kernel that the workspace cannot use is 0 there:
   its loop is inside loop N, or the workspace has its own loop over the index. In the loops up to N, the tree of the
   workspace is a part of the tree of the kernel. In the loops after N, w is an operand. */
#define SPARSE_P_MADE_0before 0in
#define SPARSE_P_MADE_0here   0in
#define SPARSE_P_MADE_0after  0out

/* HAS_WHERE(operands) -> 1 if one of them is a workspace, 2 if one of the arguments is no operand at all */
#define SPARSE_P_HAS_WHERE(in)                 SPARSE_P_HAS_WHERE_(SPARSE_P_WHERE_IN_##in, 2, , ~)
#define SPARSE_P_HAS_WHERE_(...)               SPARSE_P_HAS_WHERE__(__VA_ARGS__)
#define SPARSE_P_HAS_WHERE__(z, is, rest, ...) SPARSE_P_CAT(SPARSE_P_HAS_WHERE_, SPARSE_P_ENDS(rest))(is)
#define SPARSE_P_HAS_WHERE_0(is)               0
#define SPARSE_P_HAS_WHERE_1(is)               is
#define SPARSE_P_WHERE_IN_any(...)             ~, 0,
#define SPARSE_P_WHERE_IN_none(...)            ~, 0,

#define SPARSE_P_WHERE_IN_all(...)       ~, SPARSE_P_CAT(SPARSE_P_WHERE_IN_, SPARSE_P_FEW((, __VA_ARGS__)))((, __VA_ARGS__)),
#define SPARSE_P_WHERE_IN_0few(children) SPARSE_P_SECOND(~SPARSE_P_EACHB(SPARSE_P_IF_WHERE, , children), 0)

#define SPARSE_P_WHERE_IN_0many(children) 0
#define SPARSE_P_IF_WHERE(c, x)           SPARSE_P_CAT(SPARSE_P_IF_WHERE_, SPARSE_P_IS_WHERE(x))
#define SPARSE_P_IF_WHERE_0
#define SPARSE_P_IF_WHERE_1    , 1
#define SPARSE_P_IF_WHERE_2    , 2
#define SPARSE_P_IS_WHERE(x)   SPARSE_P_BY_PAREN(SPARSE_P_IS_WHERE_, x)(x)
#define SPARSE_P_IS_WHERE_1(x) 0
#define SPARSE_P_IS_WHERE_0(x) SPARSE_P_THIRD(SPARSE_P_KNOWN_##x, 2, 2)
/* CHILDREN(all(u, v)) -> (, u, v) */
#define SPARSE_P_CHILDREN(in)         SPARSE_P_CHILDREN_OF_##in
#define SPARSE_P_CHILDREN_OF_all(...) (, __VA_ARGS__)

/* CHILD(letters, x) -> , node */
#define SPARSE_P_CHILD(letters, x)   SPARSE_P_CAT(SPARSE_P_CHILD_, SPARSE_P_IS_WHERE(x))(letters, x)
#define SPARSE_P_CHILD_0(letters, x) SPARSE_P_PARSE1((0must, letters), x)
#define SPARSE_P_CHILD_2(letters, x) SPARSE_P_PARSE1_00odd(letters, x)
#define SPARSE_P_CHILD_1(letters, x) SPARSE_P_CAT(SPARSE_P_CHILD_ALONE_, SPARSE_P_IS_ALONE(SPARSE_P_GIVES_##x))(letters, x)

#define SPARSE_P_CHILD_ALONE_0(letters, x) , (0leaf, (0refused, 0adjoined, ~))
#define SPARSE_P_CHILD_ALONE_1(letters, x) SPARSE_P_WHERE(letters, SPARSE_P_UNPACK(SPARSE_P_GIVES_##x))
#define SPARSE_P_GIVES_where(...)          (__VA_ARGS__)
#define SPARSE_P_WHERE(...)                SPARSE_P_WHERE_(__VA_ARGS__)
#define SPARSE_P_WHERE_(letters, ...)                                                                                       \
    SPARSE_P_CAT(SPARSE_P_WHERE_ENDS_, SPARSE_P_ENDS(SPARSE_P_FOURTH(__VA_ARGS__, , , , ~)))                                \
    (letters, __VA_ARGS__)
#define SPARSE_P_WHERE_ENDS_1(...) , (0leaf, (0refused, 0short, ~))
#define SPARSE_P_WHERE_ENDS_0(letters, ...)                                                                                 \
    SPARSE_P_CAT(SPARSE_P_WHERE_, SPARSE_P_LOOPS_ARE(SPARSE_P_SECOND(__VA_ARGS__)))(letters, __VA_ARGS__)
#define SPARSE_P_WHERE_0no(...)   , (0leaf, (0refused, 0short, ~))
#define SPARSE_P_WHERE_0two(...)  , (0leaf, (0refused, 0short, ~))
#define SPARSE_P_WHERE_0many(...) , (0leaf, (0refused, 0loops, ~))
#define SPARSE_P_WHERE_0few(letters, out, loops, in, ...)                                                                   \
    SPARSE_P_BY_PAREN(SPARSE_P_WHERE_FROM_, in)(letters, out, loops, in, __VA_ARGS__)
#define SPARSE_P_WHERE_FROM_1(...) , (0leaf, (0refused, 0word, ~))
#define SPARSE_P_WHERE_FROM_0(letters, out, loops, in, ...)                                                                 \
    SPARSE_P_WHERE_OVER(letters, (SPARSE_P_EACHF(SPARSE_P_LOOP, , (, SPARSE_P_ID loops))), out, in, (__VA_ARGS__))
#define SPARSE_P_WHERE_OVER(letters, loops, out, in, statement)                                                             \
    SPARSE_P_WHERE_OWN(letters, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTER, , loops))), loops, out, in, statement)
#define SPARSE_P_WHERE_OWN(letters, own, ...)                                                                               \
    SPARSE_P_WHERE_ONCE((SPARSE_P_EACHF(SPARSE_P_OWN_TWICE, own, (, SPARSE_P_ID own))), letters, own, __VA_ARGS__)
#define SPARSE_P_OWN_TWICE(own, i)                                                                                          \
    SPARSE_P_IF_MANY(SPARSE_P_AMOUNT(~SPARSE_P_EACHG(SPARSE_P_SAME, i, (, SPARSE_P_ID own))), i)
#define SPARSE_P_WHERE_ONCE(twice, ...)   SPARSE_P_CAT(SPARSE_P_WHERE_ONCE_, SPARSE_P_IS_ANY twice)(twice, __VA_ARGS__)
#define SPARSE_P_WHERE_ONCE_1(twice, ...) , (0leaf, (0refused, 0twice, SPARSE_P_FIRST_ERROR(twice)))
#define SPARSE_P_WHERE_ONCE_0(twice, letters, own, ...)                                                                     \
    SPARSE_P_WHERE_AT(letters, own, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_NOT_AMONG, own, (, SPARSE_P_ID letters)))),      \
                      __VA_ARGS__)
#define SPARSE_P_NOT_AMONG(own, i) SPARSE_P_CAT(SPARSE_P_OTHER_, SPARSE_P_NZ(SPARSE_P_POS(i, own)))(i)
#define SPARSE_P_OTHER_0(i)        , i
#define SPARSE_P_OTHER_1(i)        , 0
#define SPARSE_P_WHERE_AT(letters, own, others, loops, out, in, statement)                                                  \
    SPARSE_P_WHERE_INSIDE(letters, own, others,                                                                             \
                          SPARSE_P_VISIT(SPARSE_P_PLACED, , SPARSE_P_SECOND(~SPARSE_P_PARSE2_00((0must, others), in))),     \
                          loops, out, in, statement)
/* PLACED: the innermost loop at which a level of the tree becomes known */
#define SPARSE_P_PLACED_0leaf(c, record) SPARSE_P_PLACED_ record
#define SPARSE_P_PLACED_(what, ...)      SPARSE_P_PLACED_##what(__VA_ARGS__)
#define SPARSE_P_PLACED_0scalar(...)     0
#define SPARSE_P_PLACED_0odd(...)        0

#define SPARSE_P_PLACED_0refused(...)                                                                         0
#define SPARSE_P_PLACED_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, ...) placed

#define SPARSE_P_PLACED_0sliced   SPARSE_P_PLACED_0tensor
#define SPARSE_P_PLACED_0mirrored SPARSE_P_PLACED_0tensor
#define SPARSE_P_PLACED_0current  SPARSE_P_PLACED_0tensor
#define SPARSE_P_PLACED_all(u, v) SPARSE_P_CAT(SPARSE_P_LATER_, SPARSE_P_CMP(v, u))(v, u)
#define SPARSE_P_PLACED_any       SPARSE_P_PLACED_all
#define SPARSE_P_WHERE_INSIDE(letters, own, others, n, ...)                                                                 \
    SPARSE_P_WHERE_IN(                                                                                                      \
        letters, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_UP_TO, (n, others), (, SPARSE_P_ID others))), SPARSE_P_ID own), n,  \
        __VA_ARGS__)
#define SPARSE_P_UP_TO(c, i)            SPARSE_P_UP_TO_(SPARSE_P_ID c, i)
#define SPARSE_P_UP_TO_(...)            SPARSE_P_UP_TO__(__VA_ARGS__)
#define SPARSE_P_UP_TO__(n, letters, i) SPARSE_P_CAT(SPARSE_P_UP_TO_, SPARSE_P_CMP(SPARSE_P_POS(i, letters), n))(i)
#define SPARSE_P_UP_TO_0before(i)       , i
#define SPARSE_P_UP_TO_0here(i)         , i
#define SPARSE_P_UP_TO_0after(i)        , 0
#define SPARSE_P_WHERE_IN(outer, letters, n, loops, out, in, statement)                                                     \
    SPARSE_P_WHERE_NODE(n, SPARSE_P_SECOND(~SPARSE_P_PARSE2_00((0must, letters), in)), loops, letters,                      \
                        SPARSE_P_OUTPUT(letters, SPARSE_P_TWOFOLD(SPARSE_P_MADE_AT, out)),                                  \
                        SPARSE_P_LEAF((0must, outer), SPARSE_P_AS_OPERAND(SPARSE_P_TWOFOLD(SPARSE_P_READ_AT, out))),        \
                        statement)
/* TWOFOLD(MADE_AT, (w, ROW, let(s, sum))) -> (w, ROW, s), the index at which w is written. TWOFOLD(READ_AT, (w, ROW,
   let(s, sum))) -> (w, ROW, sum), the sum at which it is read. */
#define SPARSE_P_TWOFOLD(m, out)     SPARSE_P_BY_PAREN(SPARSE_P_TWOFOLD_, out)(m, out)
#define SPARSE_P_TWOFOLD_0(m, out)   out
#define SPARSE_P_TWOFOLD_1(m, out)   (SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_TWOFOLD_OF, m, (, SPARSE_P_ID out))))
#define SPARSE_P_TWOFOLD_OF(m, x)    , SPARSE_P_BY_PAREN(SPARSE_P_TWOFOLD_OF_, x)(m, x)
#define SPARSE_P_TWOFOLD_OF_1(m, x)  x
#define SPARSE_P_TWOFOLD_OF_0(m, x)  SPARSE_P_BY_PAREN(SPARSE_P_TWOFOLD_OF_0, SPARSE_P_TWOFOLD_IS_##x)(m, x)
#define SPARSE_P_TWOFOLD_OF_00(m, x) x
#define SPARSE_P_TWOFOLD_OF_01(m, x) m(SPARSE_P_UNPACK(SPARSE_P_TWOFOLD_IS_##x))
#define SPARSE_P_TWOFOLD_IS_let(...) (__VA_ARGS__)
#define SPARSE_P_MADE_AT(...)        SPARSE_P_FIRST(__VA_ARGS__)
#define SPARSE_P_READ_AT(...)        SPARSE_P_READ_AT_(__VA_ARGS__)
#define SPARSE_P_READ_AT_(s, ...)                                                                                           \
    SPARSE_P_CAT(SPARSE_P_READ_AT_, SPARSE_P_IS_LETTER(SPARSE_P_FIRST(__VA_ARGS__)))(s, __VA_ARGS__)
#define SPARSE_P_READ_AT_0(s, ...) __VA_ARGS__
#define SPARSE_P_READ_AT_1(s, ...) let(s, __VA_ARGS__)
#define SPARSE_P_AS_OPERAND(out)   SPARSE_P_BY_PAREN(SPARSE_P_AS_OPERAND_, out)(out)
#define SPARSE_P_AS_OPERAND_1(out) out
#define SPARSE_P_AS_OPERAND_0(out) SPARSE_P_SECOND(SPARSE_P_AS_OPERAND_##out, (()))

#define SPARSE_P_AS_OPERAND_from(initial, ...) ~, (__VA_ARGS__)
#define SPARSE_P_WHERE_NODE(...)               SPARSE_P_WHERE_NODE_(__VA_ARGS__)
#define SPARSE_P_WHERE_NODE_(n, tree, loops, letters, written, initial, out, operand, statement)                            \
    , (where, n, tree, loops, letters, SPARSE_P_VISIT(SPARSE_P_FLAT, , tree), written, initial,                             \
       SPARSE_P_WIDENED_NODE(SPARSE_P_HOLDS_WIDER(loops, SPARSE_P_ID out), SPARSE_P_ID out),                                \
       SPARSE_P_WIDENED(SPARSE_P_HOLDS_WIDER(loops, SPARSE_P_ID out), SPARSE_P_ID operand), statement)
/* HOLDS_WIDER(loops, node as an output) -> 1 if a workspace holds values of 8 and 16 bits in a wider type. A scalar does
   so, and an array if its loops add to its elements over an index. A workspace that is stored sparsely has values of its
   own type. */
#define SPARSE_P_HOLDS_WIDER(...) SPARSE_P_HOLDS_WIDER_(__VA_ARGS__)
#define SPARSE_P_HOLDS_WIDER_(loops, node, ...)                                                                             \
    SPARSE_P_SECOND(SPARSE_P_HOLDS_WIDER_##node, SPARSE_P_ALWAYS_0)(loops, __VA_ARGS__)
#define SPARSE_P_HOLDS_WIDER_0leaf               ~, SPARSE_P_HOLDS_WIDER_LEAF
#define SPARSE_P_HOLDS_WIDER_LEAF(loops, record) SPARSE_P_HOLDS_WIDER_AS(loops, SPARSE_P_ID record)
#define SPARSE_P_HOLDS_WIDER_AS(...)             SPARSE_P_HOLDS_WIDER_AS_(__VA_ARGS__)
#define SPARSE_P_HOLDS_WIDER_AS_(loops, what, ...)                                                                          \
    SPARSE_P_SECOND(SPARSE_P_HOLDS_WIDER_##what, SPARSE_P_ALWAYS_0)(loops, __VA_ARGS__)
#define SPARSE_P_ALWAYS_0(...)       0
#define SPARSE_P_ALWAYS_1(...)       1
#define SPARSE_P_HOLDS_WIDER_0scalar ~, SPARSE_P_ALWAYS_1
#define SPARSE_P_HOLDS_WIDER_0tensor ~, SPARSE_P_HOLDS_WIDER_ARRAY
#define SPARSE_P_HOLDS_WIDER_ARRAY(loops, role, name, type, value, pos, crd, indices, ...)                                  \
    SPARSE_P_IS_ANY(SPARSE_P_EACHH(SPARSE_P_IS_SUMMED_INTO, indices, loops))
/* IS_SUMMED_INTO(indices, loop) -> , ~ if the index of the loop is not among `indices` */
#define SPARSE_P_IS_SUMMED_INTO(indices, l) SPARSE_P_IS_SUMMED_INTO_(indices, SPARSE_P_ID l)
#define SPARSE_P_IS_SUMMED_INTO_(...)       SPARSE_P_IS_SUMMED_INTO__(__VA_ARGS__)
#define SPARSE_P_IS_SUMMED_INTO__(indices, key, strategy, variable, kind, i, ...)                                           \
    SPARSE_P_CAT(SPARSE_P_LACKS_,                                                                                           \
                 SPARSE_P_NZ(SPARSE_P_POS(i, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTERS_IN, , indices))))))
/* WIDENED(1, record) -> the record with the wider type, WIDENED(0, record) -> the record unchanged */
#define SPARSE_P_WIDENED_NODE(...)                  SPARSE_P_WIDENED_NODE_(__VA_ARGS__)
#define SPARSE_P_WIDENED_NODE_(is, ...)             SPARSE_P_CAT(SPARSE_P_WIDENED_NODE_, is)(__VA_ARGS__)
#define SPARSE_P_WIDENED_NODE_0(...)                (__VA_ARGS__)
#define SPARSE_P_WIDENED_NODE_1(leaf, record)       (leaf, SPARSE_P_WIDENED(1, SPARSE_P_ID record))
#define SPARSE_P_WIDENED(...)                       SPARSE_P_WIDENED_(__VA_ARGS__)
#define SPARSE_P_WIDENED_(is, ...)                  SPARSE_P_CAT(SPARSE_P_WIDENED_, is)(__VA_ARGS__)
#define SPARSE_P_WIDENED_0(...)                     (__VA_ARGS__)
#define SPARSE_P_WIDENED_1(what, ...)               SPARSE_P_WIDENED_##what(__VA_ARGS__)
#define SPARSE_P_WIDENED_0scalar(role, name, value) (0scalar, role, name, SPARSE_P_WIDER(value))
#define SPARSE_P_WIDENED_0tensor(role, name, type, value, ...)                                                              \
    (0tensor, role, name, type, SPARSE_P_WIDER(value), __VA_ARGS__)
#define SPARSE_P_WIDER(value)           SPARSE_P_SECOND(SPARSE_P_WIDER_THAN_##value, value)
#define SPARSE_P_WIDER_THAN_sparse_f16  ~, float
#define SPARSE_P_WIDER_THAN_sparse_bf16 ~, float
#define SPARSE_P_WIDER_THAN_int8_t      ~, int32_t
#define SPARSE_P_WIDER_THAN_uint8_t     ~, int32_t
#define SPARSE_P_WIDER_THAN_int16_t     ~, int32_t
#define SPARSE_P_WIDER_THAN_uint16_t    ~, int32_t
/* PLANNED(, where) -> , where with its plans */
#define SPARSE_P_PLANNED(c, where) SPARSE_P_PLANNED_ where
#define SPARSE_P_PLANNED_(n, tree, loops, letters, leaves, written, initial, out, ...)                                      \
    SPARSE_P_PLANNED_OF(n, tree, SPARSE_P_EFFECTIVE(loops, (, SPARSE_P_OUTPUT_RECORD out)), letters, leaves, written,       \
                        initial, out, __VA_ARGS__)
#define SPARSE_P_PLANNED_OF(n, tree, loops, letters, ...)                                                                   \
    , (n, tree, loops, letters, __VA_ARGS__, (SPARSE_P_EACHH(SPARSE_P_PLAN, (letters, tree, 0in_place), loops)))

/* WHERES(, node) -> , node without the word, if it is a workspace */
#define SPARSE_P_WHERES(c, node)    SPARSE_P_WHERES_ node
#define SPARSE_P_WHERES_(word, ...) SPARSE_P_WHERES_##word(__VA_ARGS__)
#define SPARSE_P_WHERES_where(...)  , (__VA_ARGS__)
#define SPARSE_P_WHERES_all(...)
#define SPARSE_P_WHERES_any(...)
#define SPARSE_P_WHERES_0leaf(record) SPARSE_P_WHERES_LEAF record
#define SPARSE_P_WHERES_LEAF(what, ...)

/* Two lists for a workspace. WHERE_BASES: the indices of its loops. WHERE_ATTRIBUTE: the attributes that its loops need
   on the function. */
#define SPARSE_P_WHERE_BASES(c, where)                 SPARSE_P_WHERE_BASES_ where
#define SPARSE_P_WHERE_BASES_(n, tree, loops, ...)     SPARSE_P_EACHF(SPARSE_P_BASE, , loops)
#define SPARSE_P_WHERE_ATTRIBUTE(c, where)             SPARSE_P_WHERE_ATTRIBUTE_ where
#define SPARSE_P_WHERE_ATTRIBUTE_(n, tree, loops, ...) SPARSE_P_EACHF(SPARSE_P_ATTRIBUTE, , loops)
/* UNITE((i, j), k) -> (i, j, k), but UNITE((i, j), i) -> (i, j) */
#define SPARSE_P_UNITE(letters, i)   SPARSE_P_CAT(SPARSE_P_UNITE_, SPARSE_P_NZ(SPARSE_P_POS(i, letters)))(letters, i)
#define SPARSE_P_UNITE_0(letters, i) (SPARSE_P_ID letters, i)
#define SPARSE_P_UNITE_1(letters, i) letters
/* NEST_PARTS(k, plans): the loop nest of a workspace. If its loops divide an index, the sizes of the parts come first. */
#define SPARSE_P_NEST_PARTS(k, plans) SPARSE_P_NEST_PARTS_(k, SPARSE_P_FIRST k, plans)
#define SPARSE_P_NEST_PARTS_(k, places, plans)                                                                              \
    SPARSE_P_CAT(SPARSE_P_NEST_PARTS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_BLOCK, , places)))(k, places, plans)
#define SPARSE_P_NEST_PARTS_0(k, places, plans) SPARSE_P_NEST(k, plans)
#define SPARSE_P_NEST_PARTS_1(k, places, plans)                                                                             \
    {                                                                                                                       \
        SPARSE_P_EACHF(SPARSE_P_BLOCK_OF_PLACE, , places)                                                                   \
        SPARSE_P_NEST(k, plans)                                                                                             \
    }
#define SPARSE_P_IS_BLOCK(c, place)   SPARSE_P_IS_BLOCK_ place
#define SPARSE_P_IS_BLOCK_(what, ...) SPARSE_P_IS_BLOCK_##what
#define SPARSE_P_IS_BLOCK_0tensor
#define SPARSE_P_IS_BLOCK_0current
#define SPARSE_P_IS_BLOCK_0assembled
#define SPARSE_P_IS_BLOCK_0block            , ~
#define SPARSE_P_BLOCK_OF_PLACE(c, place)   SPARSE_P_BLOCK_OF_PLACE_ place
#define SPARSE_P_BLOCK_OF_PLACE_(what, ...) SPARSE_P_BLOCK_OF_##what(__VA_ARGS__)
#define SPARSE_P_BLOCK_OF_0tensor(...)
#define SPARSE_P_BLOCK_OF_0current(...)
#define SPARSE_P_BLOCK_OF_0assembled(...)
#define SPARSE_P_BLOCK_OF_0block(d, i, c)                                                                                   \
    SPARSE_P_BLOCKS_SIZE(i, c)                                                                                              \
    SPARSE_P_INNER_SIZE(i, c) const bool sparse_l_##i##_whole = !SPARSE_P_FOR_SIZE && sparse_l_##i##_size % c == 0;
/* NEST_READING(N, k, plans): NEST_PARTS for loops that run the statement of the workspace. The kernel reads the values that
   become known in loop N only after the workspace is computed, see ENTER. So if an operand of the workspace has such a
   value, like d(i) in sums of P(i,j) * d(i), it is read here. */
#define SPARSE_P_NEST_READING(n, k, plans) SPARSE_P_NEST_READING_(n, k, SPARSE_P_FIRST k, plans)
#define SPARSE_P_NEST_READING_(n, k, places, plans)                                                                         \
    SPARSE_P_CAT(SPARSE_P_NEST_READING_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_IS_KNOWN_AT, n, places)))                  \
    (n, k, places, plans)
#define SPARSE_P_NEST_READING_0(n, k, places, plans) SPARSE_P_NEST_PARTS(k, plans)
#define SPARSE_P_NEST_READING_1(n, k, places, plans)                                                                        \
    {                                                                                                                       \
        SPARSE_P_EACHE(SPARSE_P_READ_LEAF, (n, 0some), places)                                                              \
        SPARSE_P_NEST_PARTS(k, plans)                                                                                       \
    }
/* IS_KNOWN_AT(N, place) -> , ~ if the value of the tensor becomes known in loop N */
#define SPARSE_P_IS_KNOWN_AT(n, place)       SPARSE_P_IS_KNOWN_AT_(n, SPARSE_P_ID place)
#define SPARSE_P_IS_KNOWN_AT_(...)           SPARSE_P_IS_KNOWN_AT__(__VA_ARGS__)
#define SPARSE_P_IS_KNOWN_AT__(n, what, ...) SPARSE_P_SECOND(SPARSE_P_IS_KNOWN_AT_##what, SPARSE_P_DROP)(n, __VA_ARGS__)
#define SPARSE_P_IS_KNOWN_AT_0tensor         ~, SPARSE_P_TENSOR_KNOWN_AT
#define SPARSE_P_TENSOR_KNOWN_AT(n, role, name, value, levels, nlev, placed, sparse)                                        \
    SPARSE_P_AT_LOOP(placed, n)(SPARSE_P_ITEM)(~)
/* SAME_PARTS(, where) -> && 2 == 2 ...: SAME_BLOCKS for the loops of a workspace */
#define SPARSE_P_SAME_PARTS(c, where) SPARSE_P_SAME_PARTS_ where
#define SPARSE_P_SAME_PARTS_(n, tree, loops, letters, leaves, ...)                                                          \
    SPARSE_P_CAT(SPARSE_P_SAME_BLOCKS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_PARTLY, , loops)))(loops, leaves)
/* WHERE_PLACE: the place (see >>loops) of a workspace as an operand */
#define SPARSE_P_WHERE_PLACE(c, where) SPARSE_P_WHERE_PLACE_ where

#define SPARSE_P_WHERE_PLACE_(n, tree, loops, letters, leaves, written, initial, out, operand, ...) SPARSE_P_PLACE(, operand)

/* INDICES(, record) -> , (, i, j) */
#define SPARSE_P_INDICES(c, record)  SPARSE_P_INDICES_ record
#define SPARSE_P_INDICES_(what, ...) SPARSE_P_INDICES_OF_##what(__VA_ARGS__)
#define SPARSE_P_INDICES_OF_0scalar(...)
#define SPARSE_P_INDICES_OF_0odd(...)
#define SPARSE_P_INDICES_OF_0refused(...)
#define SPARSE_P_INDICES_OF_0tensor(role, name, type, value, pos, crd, indices, ...)                                        \
    , (SPARSE_P_EACHF(SPARSE_P_LETTERS_IN, , indices))
/* LETTERS_IN(, i) -> , i  LETTERS_IN(, sum) -> , i, p */
#define SPARSE_P_LETTERS_IN(c, x)            SPARSE_P_BY_PAREN(SPARSE_P_LETTERS_IN_, x)(x)
#define SPARSE_P_LETTERS_IN_0(x)             , x
#define SPARSE_P_LETTERS_IN_1(x)             SPARSE_P_EACHG(SPARSE_P_LETTER_OF_TERM, , SPARSE_P_TERMS_OF x)
#define SPARSE_P_LETTER_OF_TERM(z, term)     SPARSE_P_LETTER_OF_TERM_ term
#define SPARSE_P_LETTER_OF_TERM_(loop, c, i) , i
/* PLAINLY_HAS(i, indices) -> 1 if i is one of the indices, and not only a term of a sum, else 0 */
#define SPARSE_P_PLAINLY_HAS(i, indices) SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_PLAINLY_IS, i, indices))
#define SPARSE_P_PLAINLY_IS(i, x)        SPARSE_P_BY_PAREN(SPARSE_P_PLAINLY_IS_, x)(i, x)
#define SPARSE_P_PLAINLY_IS_0            SPARSE_P_SAME
#define SPARSE_P_PLAINLY_IS_1(i, sum)
#define SPARSE_P_INDICES_OF_0assembled(...)
#define SPARSE_P_INDICES_OF_0sliced   SPARSE_P_INDICES_OF_0tensor
#define SPARSE_P_INDICES_OF_0mirrored SPARSE_P_INDICES_OF_0tensor
#define SPARSE_P_INDICES_OF_0current  SPARSE_P_INDICES_OF_0tensor
/* MADE((WAY, loops, plans), where) -> , (N, (end), text): text sets w to its initial value and runs its loops. A sparse
   workspace is rebuilt, see >>building in sparse_formats.h.

   If the loops of w visit only some elements, and no loop of the kernel visits every coordinate of an index of w, setting
   all of w would take too long. Then w is zero before the first iteration. At the end of each iteration of loop N, its
   loops run again and clear the elements that they have set.

   OWN((WAY, loops, plans), where) -> , (, text): the code with which each thread of a team begins. */
#define SPARSE_P_MADE(c, where) SPARSE_P_MADE_(SPARSE_P_MADE_BY_, SPARSE_P_ID c, SPARSE_P_ID where)
#define SPARSE_P_OWN(c, where)  SPARSE_P_MADE_(SPARSE_P_OWN_BY_, SPARSE_P_ID c, SPARSE_P_ID where)
#define SPARSE_P_MADE_(...)     SPARSE_P_MADE__(__VA_ARGS__)
#define SPARSE_P_MADE__(by, way, outer, around, n, tree, loops, letters, leaves, written, initial, out, operand, statement, \
                        plans)                                                                                              \
    SPARSE_P_MADE3(by, way, outer, around, n, (SPARSE_P_EACHF(SPARSE_P_BLOCK, letters, loops)), leaves, initial, out,       \
                   SPARSE_P_CAT(SPARSE_P_AS_MADE_, SPARSE_P_WORKS_AS operand)(out, operand), statement, plans)
/* AS_MADE: the record of a workspace, for the code that writes it. An array has the index at which it is written, even if
   it is read at a sum. */
#define SPARSE_P_AS_MADE_0scalar(out, operand) operand
#define SPARSE_P_AS_MADE_0built(out, operand)  operand
#define SPARSE_P_AS_MADE_0tensor(out, operand) SPARSE_P_OUTPUT_RECORD out
#define SPARSE_P_MADE3(by, way, outer, around, n, blocks, leaves, initial, out, operand, statement, plans)                  \
    SPARSE_P_CAT(by,                                                                                                        \
                 SPARSE_P_WORKS_FOR(0made, SPARSE_P_WORKS_AS operand)(n, SPARSE_P_SECOND initial, operand, plans, around))  \
    (n, SPARSE_P_SECOND initial, SPARSE_P_COPIES_IN(way, n, outer), operand,                                                \
     (SPARSE_P_ID blocks SPARSE_P_EACHE(SPARSE_P_PLACE, , leaves) SPARSE_P_OUTPUT_PLACE out), (SPARSE_P_OUTPUT_PLACE out),  \
     statement, plans, SPARSE_P_OUTPUT_RECORD out)
/* TABLE WORKS: what a workspace is: a scalar, a tensor (an array), or built (stored sparsely)
   rows: 0scalar 0tensor 0built
     0parameter   a parameter of the function with the loops
     0argument    the argument for that parameter
     0begin       what the kernel does before the loops
     0end         what the kernel does after the loops
     0made        (N, initial, w, plans, plans of the kernel) -> which row of MADE_BY applies
     0ahead       (w) -> , w if loops over it can look ahead
     0beside      (kernel, w) -> , "sentence" if each thread would need its own workspace, which is not possible
     0shared      (kernel, w) -> , "sentence" if each share of a sum would need its own workspace
     0clear       clears the workspace of a thread that makes parts of an output, before its first part
     0fits        (letters, ...) -> the check that a sum of indices stays in the array, before anything changes */
#define SPARSE_P_WORKS_FOR(column, row)   SPARSE_P_WORKS_CELL(column, row)
#define SPARSE_P_WORKS_CELL(column, row)  SPARSE_P_CELL(SPARSE_P_WORKS_##row##_##column SPARSE_P_WORKS_default_##column, ~)
#define SPARSE_P_WORKS_default_0parameter , SPARSE_P_DROP
#define SPARSE_P_WORKS_default_0argument  , SPARSE_P_DROP
#define SPARSE_P_WORKS_default_0begin     , SPARSE_P_DROP
#define SPARSE_P_WORKS_default_0end       , SPARSE_P_DROP
#define SPARSE_P_WORKS_default_0made      , ~
#define SPARSE_P_WORKS_default_0ahead     , SPARSE_P_DROP
#define SPARSE_P_WORKS_default_0beside    , SPARSE_P_DROP
#define SPARSE_P_WORKS_default_0shared    , SPARSE_P_DROP
#define SPARSE_P_WORKS_default_0clear     , SPARSE_P_DROP
#define SPARSE_P_WORKS_default_0fits      , SPARSE_P_DROP

#define SPARSE_P_WORKS_0scalar_0made , SPARSE_P_IS_EMPTIED

#define SPARSE_P_WORKS_0tensor_0shared    , SPARSE_P_ARRAY_SHARED
#define SPARSE_P_WORKS_0tensor_0parameter , SPARSE_P_HELD_PARAMETER
#define SPARSE_P_WORKS_0tensor_0argument  , SPARSE_P_HELD_ARGUMENT
#define SPARSE_P_WORKS_0tensor_0begin     , SPARSE_P_HELD_BEGIN
#define SPARSE_P_WORKS_0tensor_0end       , SPARSE_P_HELD_END
#define SPARSE_P_WORKS_0tensor_0made      , SPARSE_P_IS_EMPTIED
#define SPARSE_P_WORKS_0tensor_0clear     , SPARSE_P_HELD_CLEAR
#define SPARSE_P_WORKS_0tensor_0fits      , SPARSE_P_HELD_FITS

#define SPARSE_P_WORKS_0built_0shared    , SPARSE_P_ARRAY_SHARED
#define SPARSE_P_WORKS_0built_0parameter , SPARSE_P_BUILT_PARAMETER
#define SPARSE_P_WORKS_0built_0argument  , SPARSE_P_BUILT_ARGUMENT
#define SPARSE_P_WORKS_0built_0begin     , SPARSE_P_BUILT_BEGIN
#define SPARSE_P_WORKS_0built_0end       , SPARSE_P_BUILT_END
#define SPARSE_P_WORKS_0built_0made      , SPARSE_P_BUILT_BY
#define SPARSE_P_WORKS_0built_0ahead     , SPARSE_P_ITEM
#define SPARSE_P_WORKS_0built_0beside    , SPARSE_P_BUILT_BESIDE
/* WORKS_AS record -> the row of table WORKS */
#define SPARSE_P_WORKS_AS(what, ...)   SPARSE_P_WORKS_AS_##what(__VA_ARGS__)
#define SPARSE_P_WORKS_AS_0scalar(...) 0scalar
#define SPARSE_P_WORKS_AS_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)     \
    SPARSE_P_CAT(SPARSE_P_WORKS_AS_, SPARSE_P_NZ_##sparse)
#define SPARSE_P_WORKS_AS_0            0tensor
#define SPARSE_P_WORKS_AS_1            0built
#define SPARSE_P_WHERE_AHEAD(c, where) SPARSE_P_WHERE_AHEAD_ where
#define SPARSE_P_WHERE_AHEAD_(n, tree, loops, letters, leaves, written, initial, out, operand, ...)                         \
    SPARSE_P_WORKS_FOR(0ahead, SPARSE_P_WORKS_AS operand)(operand)
#define SPARSE_P_MADE_BY_0(n, initial, copies, operand, places, out, statement, plans, record)                              \
    SPARSE_P_HELD(0before, SPARSE_P_DROP, copies, operand),                                                                 \
        (n, (),                                                                                                             \
         SPARSE_P_HELD(0inside, SPARSE_P_DROP, copies, operand) SPARSE_P_FILL_WORK(initial, SPARSE_P_ID operand)            \
             SPARSE_P_NEST_READING(n, (places, out, statement, ()), plans))
#define SPARSE_P_MADE_BY_1(n, initial, copies, operand, places, out, statement, plans, record)                              \
    SPARSE_P_HELD(0before, SPARSE_P_FILL_EACH, copies, operand),                                                            \
        SPARSE_P_EMPTIED_BY(n, SPARSE_P_SCATTERS(operand, plans), copies, operand, places, out, statement, plans)
#define SPARSE_P_EMPTIED_BY(n, scatters, copies, operand, places, out, statement, plans)                                    \
    (n, (SPARSE_P_EMPTIED_AS(operand, (places, out, (scatters SPARSE_P_EMPTY_WORK(SPARSE_P_ID operand)), ()), plans)),      \
     SPARSE_P_HELD(0inside, SPARSE_P_FILL_EACH, copies,                                                                     \
                   operand){SPARSE_P_NEST_READING(n, (places, out, (scatters SPARSE_P_ID statement), ()), plans)})
/* SCATTERS(operand, plans) -> a statement that prevents vectorisation of the loop, if the innermost loop is over an index of
   w and visits only some coordinates: vectors do not speed up scattered stores */
#define SPARSE_P_SCATTERS(operand, plans)                                                                                   \
    SPARSE_P_CAT(SPARSE_P_SCATTERS_, SPARSE_P_IS_ANY(SPARSE_P_OVER_SOME(SPARSE_P_SECOND(~SPARSE_P_INDICES(, operand), ()),  \
                                                                        SPARSE_P_FOLDF(SPARSE_P_RIGHT, plans))))
#define SPARSE_P_SCATTERS_0
#define SPARSE_P_SCATTERS_1                                 sparse_p_one_by_one();
#define SPARSE_P_OWN_BY_0(n, initial, copies, operand, ...) SPARSE_P_HELD(0teamed, SPARSE_P_DROP, copies, operand)
#define SPARSE_P_OWN_BY_1(n, initial, copies, operand, ...) SPARSE_P_HELD(0teamed, SPARSE_P_FILL_EACH, copies, operand)
/* IS_EMPTIED(N, initial, operand, plans, plans of the kernel) -> 1 if the loops of w run again to clear it, see MADE; else
   0 */
#define SPARSE_P_IS_EMPTIED(n, initial, operand, plans, around)                                                             \
    SPARSE_P_OR0(SPARSE_P_IF_BEFORE(SPARSE_P_IS_ANY initial, SPARSE_P_NZ(n))(SPARSE_P_EMPTIED)(                             \
        SPARSE_P_SECOND(~SPARSE_P_INDICES(, operand), ()), plans, around))
#define SPARSE_P_EMPTIED(indices, plans, around)                                                                            \
    SPARSE_P_IF_BEFORE(SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_OVER_EVERY, indices, around)),                               \
                       SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_OVER_SOME, indices, plans)))                                 \
    (SPARSE_P_ID)(1)
/* OVER_SOME -> , if the loop of the plan is over one of the indices and visits only some coordinates. OVER_EVERY -> , if it
   visits every coordinate. */
#define SPARSE_P_OVER_SOME(indices, plan)  SPARSE_P_OVER(0, indices, SPARSE_P_ID plan)
#define SPARSE_P_OVER_EVERY(indices, plan) SPARSE_P_OVER(1, indices, SPARSE_P_ID plan)
#define SPARSE_P_OVER(...)                 SPARSE_P_OVER_(__VA_ARGS__)
#define SPARSE_P_OVER_(every, indices, d, i, strategy, dead, kind, ...)                                                     \
    SPARSE_P_AT_LOOP(every, SPARSE_P_KIND_CELL(EVERY, kind))(SPARSE_P_EACHG)(SPARSE_P_SAME, i, indices)
#define SPARSE_P_OUTPUT_PLACE(leaf, record)     SPARSE_P_PLACE(, record)
#define SPARSE_P_FILL_WORK(...)                 SPARSE_P_FILL_WORK_(__VA_ARGS__)
#define SPARSE_P_FILL_WORK_(initial, what, ...) SPARSE_P_FILL_WORK_##what(initial, __VA_ARGS__)
#define SPARSE_P_FILL_WORK_0scalar(initial, role, name, value)                                                              \
    SPARSE_P_VISIBLE(value) name = SPARSE_P_DECODE(value, SPARSE_P_INITIAL(value, initial));
#define SPARSE_P_FILL_WORK_0tensor(initial, role, name, type, value, ...)                                                   \
    SPARSE_P_FILL_EACH(name, val, , SPARSE_P_INITIAL(value, initial))
#define SPARSE_P_FILL_EACH(name, array, copies, initial)                                                                    \
    for (size_t sparse_l_##name##_n = 0; sparse_l_##name##_n < sparse_l_##name##_count copies; sparse_l_##name##_n++)       \
        sparse_l_##name##_##array[sparse_l_##name##_n] = initial;
/* HELD(where, clear, copies, w) -> the declarations of an array w: the number and the address of its values. `where` is a
   column of table HELD, copies a row. If `clear` is FILL_EACH, the values are cleared, too. */
/* TABLE HELD: which of these declarations stand where. A row is the result of COPIES_IN.
   rows: 0 1 2 3
     0before      before the loops: , (0, (), text)
     0inside      inside loop N: text
     0teamed      for each thread of a team: , (, text) */
#define SPARSE_P_HELD_CELL(column, row) SPARSE_P_CELL(SPARSE_P_HELD_##row##_##column SPARSE_P_HELD_default_##column, ~)
#define SPARSE_P_HELD_default_0before   , ()
#define SPARSE_P_HELD_default_0inside   , ()
#define SPARSE_P_HELD_default_0teamed   , ()

#define SPARSE_P_HELD_0_0before , (, SPARSE_P_SIZE_OF, SPARSE_P_ONE_COPY, SPARSE_P_CLEAR)

#define SPARSE_P_HELD_1_0before , (, SPARSE_P_SIZE_OF, SPARSE_P_CLEAR_ALL)
#define SPARSE_P_HELD_1_0inside , (, SPARSE_P_OWN_COPY)

#define SPARSE_P_HELD_2_0teamed , (, SPARSE_P_SIZE_OF, SPARSE_P_OWN_COPY, SPARSE_P_CLEAR)

#define SPARSE_P_HELD_3_0before        , (, SPARSE_P_SIZE_OF, SPARSE_P_ONE_COPY)
#define SPARSE_P_WRAP_HELD_0before     SPARSE_P_HELD_BEFORE
#define SPARSE_P_WRAP_HELD_0inside     SPARSE_P_ID
#define SPARSE_P_WRAP_HELD_0teamed     SPARSE_P_HELD_TEAMED
#define SPARSE_P_HELD_BEFORE(...)      , (0, (), __VA_ARGS__)
#define SPARSE_P_HELD_TEAMED(...)      , (, __VA_ARGS__)
#define SPARSE_P_HELD_FOR(column, row) SPARSE_P_HELD_CELL(column, row)
#define SPARSE_P_HELD(where, clear, copies, w)                                                                              \
    SPARSE_P_HELD_(clear, SPARSE_P_WRAP_HELD_##where, SPARSE_P_HELD_FOR(where, copies), SPARSE_P_ID w)
#define SPARSE_P_HELD_(...)                            SPARSE_P_HELD__(__VA_ARGS__)
#define SPARSE_P_HELD__(clear, wrap, parts, what, ...) SPARSE_P_HELD_##what(clear, wrap, parts, __VA_ARGS__)
#define SPARSE_P_HELD_0scalar(clear, wrap, parts, role, name, value)
#define SPARSE_P_HELD_0tensor(clear, wrap, parts, role, name, type, value, pos, crd, indices, ...)                          \
    SPARSE_P_CAT(SPARSE_P_HELD_IF_, SPARSE_P_IS_ANY parts)                                                                  \
    (wrap)(SPARSE_P_EACHE(SPARSE_P_HELD_PART, (clear, name, value, indices), parts))
#define SPARSE_P_HELD_IF_0(wrap) SPARSE_P_DROP
#define SPARSE_P_HELD_IF_1(wrap) wrap
#define SPARSE_P_HELD_PART(c, m) m c
#define SPARSE_P_SIZE_OF(clear, name, value, indices)                                                                       \
    SPARSE_UNUSED const size_t sparse_l_##name##_count =                                                                    \
        SPARSE_P_FOLDF(SPARSE_P_TIMES_TEXT, (SPARSE_P_EACHF(SPARSE_P_SIZE_NAME, , indices)));
#define SPARSE_P_ONE_COPY(clear, name, value, indices)                                                                      \
    SPARSE_P_ELEMENT(value) *SPARSE_RESTRICT const sparse_l_##name##_val = sparse_l_##name##_work;
#define SPARSE_P_OWN_COPY(clear, name, value, indices)                                                                      \
    SPARSE_P_ELEMENT(value) *SPARSE_RESTRICT const sparse_l_##name##_val =                                                  \
        sparse_l_##name##_work + sparse_p_thread() * sparse_l_##name##_count;
#define SPARSE_P_CLEAR(clear, name, value, indices)     clear(name, val, , SPARSE_P_INITIAL(value, ()))
#define SPARSE_P_CLEAR_ALL(clear, name, value, indices) clear(name, work, *sparse_p_threads(), SPARSE_P_INITIAL(value, ()))
/* The statement that clears one element of a workspace that its loops clear. */
#define SPARSE_P_EMPTY_WORK(...)                                 SPARSE_P_EMPTY_WORK_(__VA_ARGS__)
#define SPARSE_P_EMPTY_WORK_(what, role, name, type, value, ...) name = SPARSE_P_DECODE(value, SPARSE_P_INITIAL(value, ()))
#define SPARSE_P_TIMES_TEXT(u, v)                                u *v
#define SPARSE_P_SIZE_NAME(c, i)                                 , sparse_l_##i##_size
/* COPIES_IN(WAY, N, loops) -> how many copies of a workspace there are
     0   one, for all threads
     1   one for each thread, because the workspace is made inside a parallel loop
     2   one for each thread, where the threads begin as a team: that loop is outermost, or independent
     3   one for each thread, where the output is assembled in parts. Each thread calls the loops with its own workspace. It
         is zero before the first part of the thread, and after each part. */
#define SPARSE_P_COPIES_IN(way, n, loops)                                                                                   \
    SPARSE_P_COPIES_IN_(way, n, loops, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTER, , loops))))
#define SPARSE_P_COPIES_IN_(way, n, loops, letters)                                                                         \
    SPARSE_P_SECOND(~SPARSE_P_EACHF(SPARSE_P_EACH_IN, (way, n, letters), loops), 0)
#define SPARSE_P_EACH_IN(c, l) SPARSE_P_EACH_IN_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_EACH_IN_(...) SPARSE_P_EACH_IN__(__VA_ARGS__)
#define SPARSE_P_EACH_IN__(way, n, letters, key, strategy, ...)                                                             \
    SPARSE_P_EACH_##way(SPARSE_P_STRATEGY_CELL(BESIDE, strategy), n, SPARSE_P_POS(key, letters))
#define SPARSE_P_EACH_0assembled(beside, n, at) SPARSE_P_CAT(SPARSE_P_EACH_PART_, beside)
#define SPARSE_P_EACH_PART_0
#define SPARSE_P_EACH_PART_1                   , 3
#define SPARSE_P_EACH_0in_place(beside, n, at) SPARSE_P_CAT(SPARSE_P_EACH_, beside)(n, at)
#define SPARSE_P_EACH_0(n, at)
#define SPARSE_P_EACH_1(n, at)                                                                                              \
    SPARSE_P_CAT(SPARSE_P_UP_TO_, SPARSE_P_CMP(at, n))(SPARSE_P_CAT(SPARSE_P_EACH_, SPARSE_P_CMP(at, 1)))
/* In a loop that all threads run, each thread has its own workspace. */
#define SPARSE_P_EACH_2(n, at) SPARSE_P_EACH_1(n, 1)
#define SPARSE_P_EACH_0here    2
#define SPARSE_P_EACH_0after   1

/* >>loops
   Writes the loop nest of a kernel: one loop for each index, outermost first. Input: the plans and the leaves. For y += A *
   x with A in CSR, the output is

     for (size_t i = 0; i < i_size; i++) {
         const size_t eA2 = A2_pos[i + 1];
         for (size_t pA2 = A2_pos[i]; pA2 < eA2; pA2++) {
             const size_t j = A2_crd[pA2];
             y += A * x;
         }
     }

   tests/golden has many more. The macros pass k = ((, places), (, outputs), (statement), (, made)) from loop to loop. A
   place has those fields of a leaf that loops need,

     (tensor, ROLE, name, value, (, levels), NLEV, PLACED, SPARSE)
     (assembled, MODE, name, value, POS, CRD, (, steps), NLEV, PLACED, LAST, PREFIX, KNOWN, ROOM)

   ROOM is the loop before which the output reserves room. The outputs are places, too. An item of `made` is (N, (end),
   text): text stands at the beginning of the body of loop N, and end at its end. For example, text computes a workspace. */
#define SPARSE_P_PLACE(c, record)  SPARSE_P_PLACE_ record
#define SPARSE_P_PLACE_(what, ...) SPARSE_P_PLACE_##what(__VA_ARGS__)
#define SPARSE_P_PLACE_0scalar(role, name, value)
#define SPARSE_P_PLACE_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)        \
    , (0tensor, role, name, value, levels, nlev, placed, sparse)
#define SPARSE_P_PLACE_0assembled(role, name, type, value, pos, crd, indices, levels, steps, nlev, placed, last, prefix,    \
                                  known, mode, described)                                                                   \
    , (0assembled, mode, name, value, pos, crd, steps, nlev, placed, last, prefix, known, known)

#define SPARSE_P_PLACE_0sliced   SPARSE_P_PLACE_0tensor
#define SPARSE_P_PLACE_0mirrored SPARSE_P_PLACE_0tensor
#define SPARSE_P_PLACE_0current(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, described, \
                                fixed, x, innermost)                                                                        \
    , (0current, role, name, value, levels, nlev, placed, sparse, innermost)

/* BEGIN(i, iterator): the declarations that the range and the coordinates of an iterator need, before the loop starts */
#define SPARSE_P_BEGIN(i, it) SPARSE_P_IT(SPARSE_P_BEGIN, i, it)
#define SPARSE_P_BEGIN_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, ...)                   \
    SPARSE_P_RANGE_CELL(BEGIN, format)(A, n, role, above, pos, m, parent, SPARSE_P_IF_IN(role, above))
/* LO, HI: the range of an iterator below its parent. The range is empty if an optional parent is absent. */
#define SPARSE_P_LO(A, n, role, above, pos, format, m, walk, parent, ...)                                                   \
    SPARSE_P_IF_IN(role, above)                                                                                             \
    (A, above, SPARSE_P_RANGE_CELL(LO, format)(A, n, pos, m, parent))
#define SPARSE_P_HI(A, n, role, above, pos, format, m, walk, parent, ...)                                                   \
    SPARSE_P_IF_IN(role, above)                                                                                             \
    (A, above, SPARSE_P_RANGE_CELL(HI, format)(A, n, pos, m, parent))
/* CRD(A, p, CRD, ...): the coordinate at position p */
#define SPARSE_P_CRD(A, p, crd, format, m, walk, parent, head, stride, offset)                                              \
    SPARSE_P_CRD_CELL(COORDINATE, stride)(A, head, p, crd, m, parent, stride, offset)
/* SEEK_TO(A, n, CRD, i, ...): advances to coordinate i, and returns whether the level stores it */
#define SPARSE_P_SEEK_TO(A, n, crd, i, format, m, walk, parent, head, stride, offset)                                       \
    SPARSE_P_CRD_CELL(SEEK, stride)(A, n, i, crd, m, parent, stride, head, offset)
/* ON_0 skips a position that does not count. ON_1 does nothing, because all positions count. */
#define SPARSE_P_ON_1(A, n, crd, stride)
#define SPARSE_P_ON_0(A, n, crd, stride)                                                                                    \
    if (!SPARSE_P_CRD_CELL(ON, stride)(A, n, crd, stride)) continue;
/* NEXT: advances to the next position, or to the end q of the segment. SEGMENT: the end of the segment. In a level without
   order, equal coordinates are rarely neighbours. So each position is a segment of its own there: a search would only cost
   mispredicted branches. */
#define SPARSE_P_NEXT(A, n, crd, format, m, walk, parent, head, stride, ...)                                                \
    SPARSE_P_CAT(SPARSE_P_NEXT_, SPARSE_P_WALK_CELL(SEGMENTS, walk))(A, n, crd, stride)
#define SPARSE_P_NEXT_0(A, n, crd, stride) sparse_l_p##A##n++
#define SPARSE_P_NEXT_1(A, n, crd, stride) sparse_l_p##A##n = sparse_l_q##A##n
#define SPARSE_P_NEXT_2(A, n, crd, stride)                                                                                  \
    sparse_l_p##A##n = SPARSE_P_CRD_CELL(NEXT, stride)(A, n, crd, stride, sparse_l_p##A##n + 1)
#define SPARSE_P_SEGMENT(A, n, crd, format, m, walk, parent, head, stride, offset)                                          \
    SPARSE_P_WALK_CELL(END, walk)(A, n, crd, head, stride, offset)
#define SPARSE_P_SEGMENT_END_NEXT(A, n, crd, ...) sparse_l_p##A##n + 1
#define SPARSE_P_SEGMENT_END_EQUAL(A, n, crd, head, stride, offset)                                                         \
    sparse_p_segment_##crd(sparse_l_##A##head##_crd, SPARSE_P_STRIDE(stride), offset, sparse_l_p##A##n, sparse_l_e##A##n)
#define SPARSE_P_IF_IN(role, above)    SPARSE_P_CAT3(SPARSE_P_IF_IN_, SPARSE_P_MEMBER_CELL(MAYBE, role), SPARSE_P_NZ(above))
#define SPARSE_P_IF_IN_00(A, above, x) x
#define SPARSE_P_IF_IN_01(A, above, x) x
#define SPARSE_P_IF_IN_10(A, above, x) x
#define SPARSE_P_IF_IN_11(A, above, x) sparse_l_in##A##above ? x : 0

/* Each of the following macros takes (index, iterator). */
#define SPARSE_P_IT(m, i, it)          SPARSE_P_IT_(m, i, SPARSE_P_ID it)
#define SPARSE_P_IT_(...)              SPARSE_P_IT__(__VA_ARGS__)
#define SPARSE_P_IT__(m, i, what, ...) m##_##what(i, __VA_ARGS__)

#define SPARSE_P_RANGE(i, it) SPARSE_P_IT(SPARSE_P_RANGE, i, it)
#define SPARSE_P_RANGE_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                            \
    size_t sparse_l_p##A##n = SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__);                                             \
    const size_t sparse_l_e##A##n = SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__);
#define SPARSE_P_RANGE_0full(i, A, n, flags)                                                                                \
    size_t sparse_l_p##A##n = 0;                                                                                            \
    const size_t sparse_l_e##A##n = SPARSE_P_ONE_OF(flags) ? sparse_l_##n##_size : 0;

#define SPARSE_P_FOLLOWERS(i, followers)                                                                                    \
    SPARSE_P_EACHG(SPARSE_P_BEGIN, i, followers) SPARSE_P_EACHG(SPARSE_P_RANGE, i, followers)
/* STEP: a follower advances to the coordinate of the loop. */
#define SPARSE_P_STEP(i, it) SPARSE_P_IT(SPARSE_P_STEP, i, it)
#define SPARSE_P_STEP_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                             \
    SPARSE_P_CAT(SPARSE_P_STEP_, SPARSE_P_MEMBER_CELL(MAYBE, role))                                                         \
    (sparse_l_in##A##n, sparse_l_p##A##n, sparse_l_e##A##n, SPARSE_P_SEEK_TO(A, n, crd, i, __VA_ARGS__))                    \
        SPARSE_P_FOLLOWED(role, A, n, crd, __VA_ARGS__)
/* FOLLOWED: if a follower has segments, this declares the end of its current segment. */
#define SPARSE_P_FOLLOWED(role, A, n, crd, format, m, walk, ...)                                                            \
    SPARSE_P_CAT(SPARSE_P_FOLLOWED_, SPARSE_P_WALK_CELL(SEGMENTS, walk))                                                    \
    (role, A, n, crd, format, m, walk, __VA_ARGS__)
#define SPARSE_P_FOLLOWED_0(role, A, n, ...)
#define SPARSE_P_FOLLOWED_2(role, A, n, ...)
#define SPARSE_P_FOLLOWED_1(role, A, n, ...)                                                                                \
    SPARSE_UNUSED size_t sparse_l_q##A##n =                                                                                 \
        sparse_l_p##A##n < sparse_l_e##A##n ? SPARSE_P_SEGMENT(A, n, __VA_ARGS__) : sparse_l_e##A##n;
#define SPARSE_P_STEP_0(in, p, e, seek)                                                                                     \
    if (!seek) {                                                                                                            \
        if (p == e) break;                                                                                                  \
        continue;                                                                                                           \
    }
#define SPARSE_P_STEP_1(in, p, e, seek) SPARSE_UNUSED const bool in = seek;
/* In a loop over all coordinates, a sparse follower waits: nA2 is its next coordinate, or a smaller number if that
   coordinate has not been read yet. wA2 is the position of the next coordinate. The loop reads nothing of the follower
   until it arrives at nA2. */
#define SPARSE_P_AWAIT(i, it) SPARSE_P_IT(SPARSE_P_AWAIT, i, it)
#define SPARSE_P_AWAIT_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head, stride, offset)  \
    SPARSE_P_CAT(SPARSE_P_AWAIT_, SPARSE_P_IS_PAREN(SPARSE_P_CRD_CELL(AWAIT, stride)))                                      \
    (i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head, stride, offset)
#define SPARSE_P_AWAIT_1 SPARSE_P_RANGE_0stored
#define SPARSE_P_AWAIT_0(i, A, n, role, above, value, pos, crd, last, ...)                                                  \
    size_t sparse_l_w##A##n = SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__), sparse_l_n##A##n = 0;                       \
    const size_t sparse_l_e##A##n = SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__);
#define SPARSE_P_MEET(i, it) SPARSE_P_IT(SPARSE_P_MEET, i, it)
#define SPARSE_P_MEET_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head, stride, offset)   \
    SPARSE_P_CAT(SPARSE_P_MEET_, SPARSE_P_IS_PAREN(SPARSE_P_CRD_CELL(AWAIT, stride)))                                       \
    (i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head, stride, offset)
#define SPARSE_P_MEET_1 SPARSE_P_STEP_0stored
#define SPARSE_P_MEET_0(i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head, stride, offset)         \
    SPARSE_UNUSED const bool sparse_l_in##A##n = SPARSE_P_CRD_CELL(AWAIT, stride)(A, n, i, crd, stride, head, offset);      \
    SPARSE_UNUSED const size_t sparse_l_p##A##n = sparse_l_w##A##n - sparse_l_in##A##n;                                     \
    SPARSE_P_FOLLOWED(role, A, n, crd, format, m, walk, parent, head, stride, offset)
/* STEP_ALONE: a follower advances to the coordinate of the loop, from the beginning of its range, because iterations are
   independent. No state is carried from one iteration to the next, and no iteration may end the loop. */
#define SPARSE_P_STEP_ALONE(i, it) SPARSE_P_IT(SPARSE_P_STEP_ALONE, i, it)
#define SPARSE_P_STEP_ALONE_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                       \
    SPARSE_P_BEGIN_0stored(i, A, n, role, above, value, pos, crd, last, __VA_ARGS__)                                        \
        SPARSE_P_RANGE_0stored(i, A, n, role, above, value, pos, crd, last, __VA_ARGS__)                                    \
            SPARSE_P_CAT(SPARSE_P_STEP_ALONE_,                                                                              \
                         SPARSE_P_MEMBER_CELL(MAYBE, role))(sparse_l_in##A##n, SPARSE_P_SEEK_TO(A, n, crd, i, __VA_ARGS__)) \
                SPARSE_P_FOLLOWED(role, A, n, crd, __VA_ARGS__)
#define SPARSE_P_STEP_ALONE_0(in, seek)                                                                                     \
    if (!seek) continue;
#define SPARSE_P_STEP_ALONE_1(in, seek) SPARSE_UNUSED const bool in = seek;

/* SURE: an optional operand that drives a loop alone is present in its body. */
#define SPARSE_P_SURE(i, it)                      SPARSE_P_IT(SPARSE_P_SURE, i, it)
#define SPARSE_P_SURE_0stored(i, A, n, role, ...) SPARSE_P_SURE_##role(sparse_l_in##A##n)
#define SPARSE_P_SURE_0must(in)
#define SPARSE_P_SURE_0update(in)
#define SPARSE_P_SURE_0may(in) SPARSE_UNUSED const bool in = true;

/* TEST(dead): leaves the iteration if the expression is dead here */
#define SPARSE_P_TEST(dead) SPARSE_P_CAT(SPARSE_P_TEST_, SPARSE_P_IS_ANY dead)(dead)
#define SPARSE_P_TEST_0(dead)
#define SPARSE_P_TEST_1(dead)                                                                                               \
    if (SPARSE_P_TEXT dead) continue;

/* OPEN(k, plan): the head of a loop, and the beginning of its body */
#define SPARSE_P_OPEN(k, plan)      SPARSE_P_BEGIN_LOOP(plan) SPARSE_P_OPEN_BODY(k, plan)
#define SPARSE_P_OPEN_BODY(k, plan) SPARSE_P_OPEN_(SPARSE_P_ID k, SPARSE_P_ID plan)
#define SPARSE_P_OPEN_(...)         SPARSE_P_OPEN__(__VA_ARGS__)
/* BEGIN_LOOP(plan): the declarations that the drivers of the loop need */
#define SPARSE_P_BEGIN_LOOP(plan)                                      SPARSE_P_BEGIN_LOOP_ plan
#define SPARSE_P_BEGIN_LOOP_(d, i, strategy, dead, kind, drivers, ...) SPARSE_P_EACHG(SPARSE_P_BEGIN, i, drivers)
#define SPARSE_P_OPEN__(leaves, outs, statement, made, d, i, strategy, dead, kind, drivers, followers, flags)               \
    SPARSE_P_CAT(SPARSE_P_ROOM_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_GROWS, , outs)))                                   \
    (d, i, kind, drivers, flags, outs)                                                                                      \
        SPARSE_P_KIND_CELL(HEAD, kind)(i, strategy, dead, SPARSE_P_ITEMS(kind, i, drivers, flags), followers)               \
            SPARSE_P_PROGRESS(d, 0at, i) SPARSE_P_ENTER(d, 0some, leaves) SPARSE_P_EACHB(SPARSE_P_MAKE, d, made)
/* PROGRESS(d, how, i) -> a call of SPARSE_PROGRESS, which the program may define, if d is the outermost loop. If `how` is
   0at, the call is at coordinate i. If iterations run in parallel, the call precedes those iterations that begin at
   coordinate (0FULL) or position (0ONE) sparse_l_i_next. */
#ifdef SPARSE_PROGRESS
    #define SPARSE_P_PROGRESS(d, how, i) SPARSE_P_AT_LOOP(1, d)(SPARSE_P_PROGRESS_##how)(i)
    #define SPARSE_P_PROGRESS_0at(i)     SPARSE_PROGRESS(i, sparse_l_##i##_size);
    #define SPARSE_P_PROGRESS_0FULL(i)   SPARSE_PROGRESS(sparse_l_##i##_next, sparse_l_##i##_size);
    #define SPARSE_P_PROGRESS_0ONE(i)    SPARSE_PROGRESS(sparse_l_##i##_next, sparse_l_##i##_end);
#else
    #define SPARSE_P_PROGRESS(d, how, i)
#endif
/* MAKE(d, (N, (end), text)) -> text, if N is loop d. UNMAKE -> end, for the end of the iterations of loop N */
#define SPARSE_P_MAKE(d, made)            SPARSE_P_MAKE_(d, SPARSE_P_ID made)
#define SPARSE_P_MAKE_(...)               SPARSE_P_MAKE__(__VA_ARGS__)
#define SPARSE_P_MAKE__(d, n, end, ...)   SPARSE_P_AT_LOOP(n, d)(SPARSE_P_ID)(__VA_ARGS__)
#define SPARSE_P_UNMAKE(d, made)          SPARSE_P_UNMAKE_(d, SPARSE_P_ID made)
#define SPARSE_P_UNMAKE_(...)             SPARSE_P_UNMAKE__(__VA_ARGS__)
#define SPARSE_P_UNMAKE__(d, n, end, ...) SPARSE_P_AT_LOOP(n, d)(SPARSE_P_ID) end
/* ITEMS: the iterators of a merge, which are the drivers. If there are flags, an iterator follows that visits every
   coordinate if any of the flags holds. */
#define SPARSE_P_ITEMS(kind, i, drivers, flags)   SPARSE_P_KIND_CELL(ITEMS, kind)(i, drivers, flags)
#define SPARSE_P_ITEMS_DRIVERS(i, drivers, flags) drivers
#define SPARSE_P_ITEMS_FLAGS(i, drivers, flags)   flags
#define SPARSE_P_ITEMS_MERGED(i, drivers, flags)  SPARSE_P_CAT(SPARSE_P_ITEMS_, SPARSE_P_IS_ANY flags)(i, drivers, flags)
#define SPARSE_P_ITEMS_0(i, drivers, flags)       drivers
#define SPARSE_P_ITEMS_1(i, drivers, flags)       (SPARSE_P_ID drivers, (0full, 0full, i, flags))

/* TABLE PASS: how a planned loop is written, by its strategy
   rows: 0sequential simd unroll 0ahead 0innermost 0ahead_unroll parallel parallel_sum independent 0team 0part tile down
     BEFORE       (lo, hi) -> the text before a loop over coordinates
     DRIVING      (lo, hi) -> the text before a loop over the entries of an operand
     INSIDE       the text at the beginning of its body
     FROM         (i, lo, hi) -> where it begins: at lo, at its share or tile, or where an unrolled loop has ended
     TO           (i, lo, hi) -> where it ends
     RUN          (i, from, to) -> the head of the loop: upwards, or downwards
     ALONE        1 if iterations are independent, so that each iteration searches its followers from the beginning
     ERRORS       the column of table KIND that says why the loop cannot be written in this way
     UNROLLS      1 if it is unrolled, 2 if it prefetches, too
     BREAKS       1 if it may be left before its end */
#define SPARSE_P_PASS_CELL(column, row) SPARSE_P_CELL(SPARSE_P_PASS_##row##_##column SPARSE_P_PASS_default_##column, ~)
#define SPARSE_P_PASS_default_BEFORE    , SPARSE_P_DROP
#define SPARSE_P_PASS_default_DRIVING   , SPARSE_P_DROP
#define SPARSE_P_PASS_default_INSIDE    , SPARSE_P_DROP
#define SPARSE_P_PASS_default_FROM      , SPARSE_P_FROM_LO
#define SPARSE_P_PASS_default_TO        , SPARSE_P_TO_HI
#define SPARSE_P_PASS_default_RUN       , SPARSE_P_RUN_UP
#define SPARSE_P_PASS_default_ALONE     , 0
#define SPARSE_P_PASS_default_ERRORS    , ~
#define SPARSE_P_PASS_default_UNROLLS   , 0
#define SPARSE_P_PASS_default_BREAKS    , 0

#define SPARSE_P_PASS_0sequential_ERRORS , 0in_order
#define SPARSE_P_PASS_0sequential_BREAKS , 1

#define SPARSE_P_PASS_simd_DRIVING , SPARSE_P_VECTORIZED
#define SPARSE_P_PASS_simd_INSIDE  , SPARSE_P_REASSOCIATED
#define SPARSE_P_PASS_simd_ERRORS  , 0in_order

#define SPARSE_P_PASS_unroll_FROM    , SPARSE_P_FROM_NEXT
#define SPARSE_P_PASS_unroll_TO      , SPARSE_P_TO_END
#define SPARSE_P_PASS_unroll_ERRORS  , 0unrolled
#define SPARSE_P_PASS_unroll_UNROLLS , 1

#define SPARSE_P_PASS_0ahead_ERRORS , 0in_order
#define SPARSE_P_PASS_0ahead_BREAKS , 1

#define SPARSE_P_PASS_0innermost_ERRORS , 0in_order
#define SPARSE_P_PASS_0innermost_BREAKS , 1
#define SPARSE_P_INNERMOST_0sequential  ~, 0innermost

#define SPARSE_P_PASS_0ahead_unroll_FROM    , SPARSE_P_FROM_NEXT
#define SPARSE_P_PASS_0ahead_unroll_TO      , SPARSE_P_TO_END
#define SPARSE_P_PASS_0ahead_unroll_ERRORS  , 0unrolled
#define SPARSE_P_PASS_0ahead_unroll_UNROLLS , 2

#define SPARSE_P_PASS_parallel_BEFORE  , SPARSE_P_PARALLEL
#define SPARSE_P_PASS_parallel_DRIVING , SPARSE_P_PARALLEL
#define SPARSE_P_PASS_parallel_ALONE   , 1
#define SPARSE_P_PASS_parallel_ERRORS  , 0beside

#define SPARSE_P_PASS_0team_BEFORE  , SPARSE_P_AMONG
#define SPARSE_P_PASS_0team_DRIVING , SPARSE_P_AMONG
#define SPARSE_P_PASS_0team_ALONE   , 1
#define SPARSE_P_PASS_0team_ERRORS  , 0beside

#define SPARSE_P_PASS_independent_BEFORE  , SPARSE_P_SHARED_OUT
#define SPARSE_P_PASS_independent_DRIVING , SPARSE_P_SHARED_OUT
#define SPARSE_P_PASS_independent_ALONE   , 1
#define SPARSE_P_PASS_independent_ERRORS  , 0level

#define SPARSE_P_PASS_0part_FROM   , SPARSE_P_FROM_SHARE
#define SPARSE_P_PASS_0part_TO     , SPARSE_P_TO_SHARE
#define SPARSE_P_PASS_0part_ERRORS , 0beside

#define SPARSE_P_PASS_parallel_sum_FROM   , SPARSE_P_FROM_SHARE
#define SPARSE_P_PASS_parallel_sum_TO     , SPARSE_P_TO_SHARE
#define SPARSE_P_PASS_parallel_sum_ERRORS , 0beside

#define SPARSE_P_PASS_tile_FROM   , SPARSE_P_FROM_TILE
#define SPARSE_P_PASS_tile_TO     , SPARSE_P_TO_TILE
#define SPARSE_P_PASS_tile_ERRORS , 0tiled

#define SPARSE_P_PASS_down_RUN         , SPARSE_P_RUN_DOWN
#define SPARSE_P_PASS_down_ALONE       , 1
#define SPARSE_P_PASS_down_ERRORS      , 0downwards
#define SPARSE_P_RUN_UP(i, from, to)   for (size_t i = from; i < to; i++)
#define SPARSE_P_RUN_DOWN(i, from, to) for (size_t i = to; i-- > from;)
#define SPARSE_P_VECTORIZED(...)       SPARSE_P_VECTORIZE
#define SPARSE_P_REASSOCIATED()        SPARSE_P_REASSOCIATE
#define SPARSE_P_FROM_LO(i, lo, hi)    lo
#define SPARSE_P_FROM_NEXT(i, lo, hi)  sparse_l_##i##_next
#define SPARSE_P_FROM_SHARE(i, lo, hi) sparse_p_share(lo, hi, sparse_l_part, sparse_l_parts)
#define SPARSE_P_FROM_TILE(i, lo, hi)  sparse_l_##i##_tile
#define SPARSE_P_TO_HI(i, lo, hi)      hi
#define SPARSE_P_TO_END(i, lo, hi)     sparse_l_##i##_end
#define SPARSE_P_TO_SHARE(i, lo, hi)   sparse_p_share(lo, hi, sparse_l_part + 1, sparse_l_parts)
#define SPARSE_P_TO_TILE(i, lo, hi)    sparse_l_##i##_end
/* With CARRY_1 and FOLLOW_1, each iteration searches its followers from the beginning. Otherwise, followers continue at
   the position of the last iteration. */
#define SPARSE_P_CARRY_0(i, followers) SPARSE_P_FOLLOWERS(i, followers)
#define SPARSE_P_CARRY_1(i, followers)
#define SPARSE_P_FOLLOW_0(i, followers) SPARSE_P_EACHG(SPARSE_P_STEP, i, followers)
#define SPARSE_P_FOLLOW_1(i, followers) SPARSE_P_EACHG(SPARSE_P_STEP_ALONE, i, followers)
#define SPARSE_P_EXPECT_0(i, followers)                                                                                     \
    SPARSE_P_EACHG(SPARSE_P_BEGIN, i, followers) SPARSE_P_EACHG(SPARSE_P_AWAIT, i, followers)
#define SPARSE_P_EXPECT_1(i, followers)
#define SPARSE_P_SEE_0(i, followers) SPARSE_P_EACHG(SPARSE_P_MEET, i, followers)
#define SPARSE_P_SEE_1(i, followers) SPARSE_P_EACHG(SPARSE_P_STEP_ALONE, i, followers)

/* PASS(strategy, i, lo, hi): the head of a loop of i over [lo, hi) */
#define SPARSE_P_PASS(strategy, i, lo, hi)                                                                                  \
    SPARSE_P_PASS_CELL(BEFORE, strategy)                                                                                    \
    (lo, hi) SPARSE_P_PASS_CELL(RUN, strategy)(i, SPARSE_P_PASS_CELL(FROM, strategy)(i, lo, hi),                            \
                                               SPARSE_P_PASS_CELL(TO, strategy)(i, lo, hi))
#define SPARSE_P_HEAD_FULL(i, strategy, dead, drivers, followers)                                                           \
    SPARSE_P_HEAD_BETWEEN(i, strategy, dead, 0, sparse_l_##i##_size, followers)
#define SPARSE_P_HEAD_BETWEEN(i, strategy, dead, lo, hi, followers)                                                         \
    SPARSE_P_CAT(SPARSE_P_EXPECT_, SPARSE_P_PASS_CELL(ALONE, strategy))(i, followers) SPARSE_P_PASS(strategy, i, lo, hi)    \
    {                                                                                                                       \
        SPARSE_P_PASS_CELL(INSIDE, strategy)                                                                                \
        () SPARSE_P_CAT(SPARSE_P_SEE_, SPARSE_P_PASS_CELL(ALONE, strategy))(i, followers) SPARSE_P_TEST(dead)
/* Along a diagonal, i runs over those coordinates for which j is within its dimension, too. j has a single coordinate
   there. */
#define SPARSE_P_HEAD_RANGE(i, strategy, dead, others, followers)                                                           \
    const size_t sparse_l_##i##_first =                                                                                     \
        SPARSE_P_FOLDF(SPARSE_P_MAX_TEXT, (SPARSE_P_EACHF(SPARSE_P_ALONG_FIRST, i, others)));                               \
    const size_t sparse_l_##i##_end = SPARSE_P_FOLDF(SPARSE_P_MIN_TEXT, (SPARSE_P_EACHF(SPARSE_P_ALONG_END, i, others)));   \
    SPARSE_P_HEAD_BETWEEN(i, strategy, dead, sparse_l_##i##_first, sparse_l_##i##_end, followers)
#define SPARSE_P_HEAD_WITHIN(i, strategy, dead, block, followers)                                                           \
    SPARSE_P_HEAD_WITHIN_(i, strategy, dead, followers, SPARSE_P_ID block)
#define SPARSE_P_HEAD_WITHIN_(...) SPARSE_P_HEAD_WITHIN__(__VA_ARGS__)
#define SPARSE_P_HEAD_WITHIN__(inner, strategy, dead, followers, c, i, others)                                              \
    const size_t sparse_l_##inner##_first = sparse_p_within(                                                                \
        SPARSE_P_FOLDF(SPARSE_P_MAX_TEXT, (SPARSE_P_EACHF(SPARSE_P_ALONG_FIRST, i, others))), i##_block, c);                \
    const size_t sparse_l_##inner##_end =                                                                                   \
        sparse_p_within(SPARSE_P_FOLDF(SPARSE_P_MIN_TEXT, (SPARSE_P_EACHF(SPARSE_P_ALONG_END, i, others))), i##_block, c);  \
    SPARSE_P_HEAD_BETWEEN(inner, strategy, dead, sparse_l_##inner##_first, sparse_l_##inner##_end, followers)
#define SPARSE_P_ALONG_FIRST(i, j) , sparse_p_diagonal_first(j##_diagonal, sparse_l_##i##_size)
#define SPARSE_P_ALONG_END(i, j)   , sparse_p_diagonal_end(j##_diagonal, sparse_l_##i##_size, sparse_l_##j##_size)
#define SPARSE_P_MAX_TEXT(u, v)    sparse_p_max(u, v)
#define SPARSE_P_HEAD_POINT(j, strategy, dead, others, followers)                                                           \
    {                                                                                                                       \
        SPARSE_UNUSED const size_t j = SPARSE_P_POINT(j, SPARSE_P_ID others);                                               \
        SPARSE_P_EACHG(SPARSE_P_STEP_ALONE, j, followers) SPARSE_P_TEST(dead)
#define SPARSE_P_HEAD_LET(u, strategy, dead, e, followers)                                                                  \
    const size_t sparse_l_##u##_at = (size_t)(SPARSE_P_TEXT e);                                                             \
    for (size_t u = sparse_l_##u##_at; u < sparse_l_##u##_size && u == sparse_l_##u##_at; u++) {                            \
        SPARSE_P_EACHG(SPARSE_P_STEP_ALONE, u, followers) SPARSE_P_TEST(dead)
#define SPARSE_P_POINT(...)      SPARSE_P_POINT_(__VA_ARGS__)
#define SPARSE_P_POINT_(j, z, i) j##_diagonal + i + 1 - sparse_l_##i##_size

#define SPARSE_P_HEAD_ONE(i, strategy, dead, drivers, followers)                                                            \
    SPARSE_P_HEAD_ONE_(i, strategy,                                                                                         \
                       SPARSE_P_CAT3(SPARSE_P_ALONE_IF_, SPARSE_P_PASS_CELL(ALONE, strategy), SPARSE_P_ORDERED drivers),    \
                       dead, drivers, followers)
#define SPARSE_P_HEAD_ONE_(...) SPARSE_P_HEAD_ONE__(__VA_ARGS__)
#define SPARSE_P_HEAD_ONE__(i, strategy, alone, dead, drivers, followers)                                                   \
    SPARSE_P_CARRY_##alone(i, followers) SPARSE_P_EACHG(SPARSE_P_DRIVER, (i, strategy), drivers)                            \
        SPARSE_P_FOLLOW_##alone(i, followers) SPARSE_P_TEST(dead)
#define SPARSE_P_ALONE_IF_00ordered   0
#define SPARSE_P_ALONE_IF_00unordered 1
#define SPARSE_P_ALONE_IF_10ordered   1
#define SPARSE_P_ALONE_IF_10unordered 1
/* ORDERED(, iterator) -> ordered | unordered */
#define SPARSE_P_ORDERED(z, it) SPARSE_P_ORDERED_ it
#define SPARSE_P_ORDERED_(what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)                             \
    SPARSE_P_WALK_CELL(ORDER, walk)
#define SPARSE_P_DRIVER(c, it)             SPARSE_P_DRIVER_(SPARSE_P_ID c, it)
#define SPARSE_P_DRIVER_(...)              SPARSE_P_DRIVER__(__VA_ARGS__)
#define SPARSE_P_DRIVER__(i, strategy, it) SPARSE_P_DRIVE_LOOP(strategy, i, SPARSE_P_ID it) SPARSE_P_SURE(i, it)
/* DRIVE_LOOP: visits position by position, with an ordinary for loop, or segment by segment. */
#define SPARSE_P_DRIVE_LOOP(...) SPARSE_P_DRIVE_LOOP_(__VA_ARGS__)
#define SPARSE_P_DRIVE_LOOP_(strategy, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head,    \
                             stride, offset)                                                                                \
    SPARSE_P_CAT(SPARSE_P_DRIVE_BY_, SPARSE_P_SECOND(SPARSE_P_VIA(strategy, format), SPARSE_P_WALK_CELL(SEGMENTS, walk)))   \
    (strategy, i, A, n, role, above, pos, crd, format, m, walk, parent, head, stride, offset) SPARSE_P_CAT(                 \
        SPARSE_P_ON_, SPARSE_P_THIRD(SPARSE_P_VIA(strategy, format), ~, SPARSE_P_WALK_CELL(ALL, walk)))(A, n, crd, stride)
/* VIA(strategy, format) -> ~, how, 1 if the format has a form of loop of its own, and the loop may be left before its end */
#define SPARSE_P_VIA(strategy, format) SPARSE_P_CAT3(SPARSE_P_VIA_, format, SPARSE_P_PASS_CELL(BREAKS, strategy))
#define SPARSE_P_DRIVE_BY_0(strategy, i, A, n, role, above, pos, crd, ...)                                                  \
    const size_t sparse_l_e##A##n =                                                                                         \
        SPARSE_P_PASS_CELL(TO, strategy)(i, SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__),                               \
                                         SPARSE_P_END_OF(strategy, A, n, role, above, pos, __VA_ARGS__));                   \
    SPARSE_P_PASS_CELL(DRIVING, strategy)                                                                                   \
    (SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__), sparse_l_e##A##n) SPARSE_P_PASS_CELL(RUN, strategy)(                 \
        sparse_l_p##A##n,                                                                                                   \
        SPARSE_P_PASS_CELL(FROM, strategy)(i, SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__),                             \
                                           SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__)),                               \
        sparse_l_e##A##n)                                                                                                   \
    {                                                                                                                       \
        SPARSE_P_PASS_CELL(INSIDE, strategy)                                                                                \
        () SPARSE_UNUSED const size_t i = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, __VA_ARGS__);                              \
        SPARSE_P_LEAVE_AT_END(strategy, i, __VA_ARGS__)
/* END_OF: the end of the positions of the loop. If the loop is left as soon as a coordinate is too large, this is an upper
   bound only, and LEAVE_AT_END leaves the loop. */
#define SPARSE_P_END_OF(strategy, A, n, role, above, pos, format, m, walk, ...)                                             \
    SPARSE_P_CAT(SPARSE_P_END_OF_, SPARSE_P_LEAVES_AT_END(strategy, format))                                                \
    (A, n, role, above, pos, format, m, walk, __VA_ARGS__)
#define SPARSE_P_END_OF_0                                                       SPARSE_P_HI
#define SPARSE_P_END_OF_1(A, n, role, above, pos, format, m, walk, parent, ...) SPARSE_P_LIMIT_OF_WINDOW(A, n)
#define SPARSE_P_LEAVE_AT_END(strategy, i, format, m, walk, ...)                                                            \
    SPARSE_P_CAT(SPARSE_P_LEAVE_AT_END_, SPARSE_P_LEAVES_AT_END(strategy, format))(i)
#define SPARSE_P_LEAVE_AT_END_0(i)
#define SPARSE_P_LEAVE_AT_END_1(i)                                                                                          \
    if (i >= sparse_l_##i##_size) break;
#define SPARSE_P_LEAVES_AT_END(strategy, format)                                                                            \
    SPARSE_P_CAT3(SPARSE_P_AND_, SPARSE_P_PASS_CELL(BREAKS, strategy), SPARSE_P_RANGE_CELL(LOOSE, format))
#define SPARSE_P_DRIVE_BY_2(strategy, i, A, n, role, above, pos, crd, ...)                                                  \
    const size_t sparse_l_e##A##n = SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__);                                       \
    for (size_t sparse_l_p##A##n = SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__); sparse_l_p##A##n < sparse_l_e##A##n;   \
         SPARSE_P_NEXT(A, n, crd, __VA_ARGS__)) {                                                                           \
        SPARSE_UNUSED const size_t i = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, __VA_ARGS__);
#define SPARSE_P_DRIVE_BY_1(strategy, i, A, n, role, above, pos, crd, ...)                                                  \
    const size_t sparse_l_e##A##n = SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__);                                       \
    for (size_t sparse_l_p##A##n = SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__), sparse_l_q##A##n = 0;                  \
         sparse_l_p##A##n < sparse_l_e##A##n; sparse_l_p##A##n = sparse_l_q##A##n) {                                        \
        SPARSE_UNUSED const size_t i = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, __VA_ARGS__);                                 \
        sparse_l_q##A##n = SPARSE_P_SEGMENT(A, n, crd, __VA_ARGS__);

#define SPARSE_P_HEAD_BOTH(i, strategy, dead, drivers, followers)                                                           \
    SPARSE_P_CAT(SPARSE_P_HEAD_BOTH_, SPARSE_P_PASS_CELL(ERRORS, strategy))                                                 \
    (i, strategy, dead, drivers, followers)
#define SPARSE_P_HEAD_BOTH_0in_order(i, strategy, dead, drivers, followers)                                                 \
    SPARSE_P_FOLLOWERS(i, followers)                                                                                        \
    SPARSE_P_EACHG(SPARSE_P_RANGE, i, drivers)                                                                              \
    SPARSE_P_TWO(SPARSE_P_COMMON, i, SPARSE_P_ID drivers)                                                                   \
    SPARSE_P_EACHG(SPARSE_P_SURE, i, drivers)                                                                               \
    SPARSE_P_EACHG(SPARSE_P_STEP, i, followers)                                                                             \
    SPARSE_P_TEST(dead)
#define SPARSE_P_HEAD_BOTH_0downwards SPARSE_P_HEAD_BOTH_0beside
#define SPARSE_P_HEAD_BOTH_0level     SPARSE_P_HEAD_BOTH_0beside
/* If iterations are independent, the first iterator drives. The second one follows, and an iteration counts only if it is
   present. */
#define SPARSE_P_HEAD_BOTH_0beside(i, strategy, dead, drivers, followers)                                                   \
    SPARSE_P_BOTH_PARALLEL(i, strategy, dead, followers, SPARSE_P_ID drivers)
#define SPARSE_P_BOTH_PARALLEL(...) SPARSE_P_BOTH_PARALLEL_(__VA_ARGS__)
#define SPARSE_P_BOTH_PARALLEL_(i, pass, dead, followers, z, u, v)                                                          \
    SPARSE_P_HEAD_ONE(i, pass, SPARSE_P_DEAD_all(dead, SPARSE_P_NOT_IN v), (, u), (, v SPARSE_P_ID followers))
#define SPARSE_P_NOT_IN(what, A, n, role, ...) SPARSE_P_DEAD_##role##1(A, n, 0, 1)
#define SPARSE_P_COMMON(i, A, n, acrd, B, m, bcrd)                                                                          \
    sparse_p_search sparse_l_s##A##n = {sparse_l_p##A##n, sparse_l_p##B##m, 0, 0, true};                                    \
    sparse_p_matches sparse_l_b##A##n;                                                                                      \
    while (sparse_p_more_matches_##acrd##_##bcrd(sparse_l_##A##n##_crd, sparse_l_e##A##n, sparse_l_##B##m##_crd,            \
                                                 sparse_l_e##B##m, &sparse_l_s##A##n, &sparse_l_b##A##n))                   \
        while (sparse_p_intersect_##acrd##_##bcrd(sparse_l_##A##n##_crd, &sparse_l_p##A##n, sparse_l_e##A##n,               \
                                                  sparse_l_##B##m##_crd, &sparse_l_p##B##m, sparse_l_e##B##m,               \
                                                  &sparse_l_s##A##n, &sparse_l_b##A##n)) {                                  \
            SPARSE_UNUSED const size_t i = SPARSE_P_WIDE_##acrd(sparse_l_##A##n##_crd[sparse_l_p##A##n]);

/* TWO(f, i, , u, v) -> f(i, A, n, acrd, B, m, bcrd): calls f with the operand, the level and the coordinate width of two
   iterators */
#define SPARSE_P_TWO(...)            SPARSE_P_TWO_(__VA_ARGS__)
#define SPARSE_P_TWO_(f, i, z, u, v) SPARSE_P_TWO__(f, i, SPARSE_P_ARRAY_OF u, SPARSE_P_ARRAY_OF v)

#define SPARSE_P_TWO__(f, ...)                                           f(__VA_ARGS__)
#define SPARSE_P_ARRAY_OF(what, A, n, role, above, value, pos, crd, ...) A, n, crd

/* A merge visits the least of the current coordinates of its iterators. Then it advances all iterators that were at this
   coordinate. An iterator past its end is at the coordinate SIZE_MAX, which no level has. */
#define SPARSE_P_HEAD_MERGE(i, strategy, dead, items, followers)                                                            \
    SPARSE_P_FOLLOWERS(i, followers)                                                                                        \
    SPARSE_P_EACHG(SPARSE_P_MERGE_0RANGE, i, items)                                                                         \
    for (; SPARSE_P_FOLDF(SPARSE_P_OR_TEXT, (SPARSE_P_EACHG(SPARSE_P_ALIVE, i, items)));                                    \
         SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_ADVANCE, i, items))) {                                                       \
        SPARSE_P_EACHG(SPARSE_P_COORDINATE_OR_END, i, items)                                                                \
        SPARSE_P_LEAST(i, items)                                                                                            \
        SPARSE_P_EACHG(SPARSE_P_ARRIVE, i, items)                                                                           \
        SPARSE_P_EACHG(SPARSE_P_STEP, i, followers)                                                                         \
        SPARSE_P_TEST(dead)
#define SPARSE_P_MERGE_0RANGE(i, it) SPARSE_P_RANGE(i, it) SPARSE_P_IT(SPARSE_P_IN, i, it)
#define SPARSE_P_IN_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head, stride, ...)        \
    SPARSE_P_CRD_CELL(FIRST, stride)(A, n, crd, stride) size_t sparse_l_in##A##n = 0;                                       \
    SPARSE_P_CAT(SPARSE_P_IN_, SPARSE_P_WALK_CELL(SEGMENTS, walk))(A, n)
#define SPARSE_P_IN_0(A, n)
#define SPARSE_P_IN_2(A, n)
#define SPARSE_P_IN_1(A, n)              size_t sparse_l_q##A##n = sparse_l_p##A##n;
#define SPARSE_P_IN_0full(i, A, n, ...)  size_t sparse_l_in##A##n = 0;
#define SPARSE_P_ALIVE(i, it)            SPARSE_P_ALIVE_ it
#define SPARSE_P_ALIVE_(what, A, n, ...) , sparse_l_p##A##n < sparse_l_e##A##n
#define SPARSE_P_ADVANCE(i, it)          SPARSE_P_IT(SPARSE_P_ADVANCE, i, it)
#define SPARSE_P_ADVANCE_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head, stride, ...)   \
    , sparse_l_p##A##n SPARSE_P_CAT3(SPARSE_P_ADVANCE_, SPARSE_P_WALK_CELL(SEGMENTS, walk),                                 \
                                     SPARSE_P_WALK_CELL(ALL, walk))(A, n, crd, stride)
#define SPARSE_P_ADVANCE_01(A, n, crd, stride) += sparse_l_in##A##n
#define SPARSE_P_ADVANCE_11(A, n, crd, stride) = sparse_l_q##A##n
#define SPARSE_P_ADVANCE_00(A, n, crd, stride)                                                                              \
    = SPARSE_P_CRD_CELL(NEXT, stride)(A, n, crd, stride, sparse_l_p##A##n + sparse_l_in##A##n)
#define SPARSE_P_ADVANCE_21                    SPARSE_P_ADVANCE_00
#define SPARSE_P_ADVANCE_10(A, n, crd, stride) = SPARSE_P_CRD_CELL(NEXT, stride)(A, n, crd, stride, sparse_l_q##A##n)
#define SPARSE_P_ADVANCE_0full(i, A, n, ...)   , sparse_l_p##A##n += sparse_l_in##A##n
#define SPARSE_P_COORDINATE(i, it)             SPARSE_P_IT(SPARSE_P_COORDINATE, i, it)
#define SPARSE_P_COORDINATE_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                       \
    const size_t sparse_l_##i##A = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, __VA_ARGS__);
#define SPARSE_P_COORDINATE_0full(i, A, n, ...) const size_t sparse_l_##i##A = sparse_l_p##A##n;
#define SPARSE_P_COORDINATE_OR_END(i, it)       SPARSE_P_IT(SPARSE_P_COORDINATE_OR_END, i, it)
#define SPARSE_P_COORDINATE_OR_END_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                \
    const size_t sparse_l_##i##A =                                                                                          \
        sparse_l_p##A##n < sparse_l_e##A##n ? SPARSE_P_CRD(A, sparse_l_p##A##n, crd, __VA_ARGS__) : SIZE_MAX;
#define SPARSE_P_COORDINATE_OR_END_0full(i, A, n, ...)                                                                      \
    const size_t sparse_l_##i##A = sparse_l_p##A##n < sparse_l_e##A##n ? sparse_l_p##A##n : SIZE_MAX;
#define SPARSE_P_LEAST(i, items)                                                                                            \
    SPARSE_UNUSED const size_t i = SPARSE_P_FOLDF(SPARSE_P_MIN_TEXT, (SPARSE_P_EACHG(SPARSE_P_ITS_COORDINATE, i, items)));
#define SPARSE_P_MIN_TEXT(u, v)                       sparse_p_min(u, v)
#define SPARSE_P_ITS_COORDINATE(i, it)                SPARSE_P_IT(SPARSE_P_ITS_COORDINATE, i, it)
#define SPARSE_P_ITS_COORDINATE_0stored(i, A, n, ...) , sparse_l_##i##A
#define SPARSE_P_ITS_COORDINATE_0full(i, A, n, ...)   , sparse_l_##i##A
#define SPARSE_P_ARRIVE(i, it)                        SPARSE_P_IT(SPARSE_P_ARRIVE, i, it)
#define SPARSE_P_ARRIVE_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, ...)                          \
    sparse_l_in##A##n = sparse_l_##i##A == i;                                                                               \
    SPARSE_P_CAT(SPARSE_P_ARRIVE_, SPARSE_P_WALK_CELL(SEGMENTS, walk))                                                      \
    (A, n, crd, format, m, walk, __VA_ARGS__)
#define SPARSE_P_ARRIVE_0(A, n, ...)
#define SPARSE_P_ARRIVE_2(A, n, ...)
#define SPARSE_P_ARRIVE_1(A, n, ...)                                                                                        \
    sparse_l_q##A##n = sparse_l_in##A##n ? SPARSE_P_SEGMENT(A, n, __VA_ARGS__) : sparse_l_p##A##n;
#define SPARSE_P_ARRIVE_0full(i, A, n, ...) sparse_l_in##A##n = sparse_l_##i##A == i;
/* ARRIVE_OF_n does what ARRIVE does, but without branches, which would be mispredicted. The time depends on the chain of
   operations from one coordinate to the next. To keep it short, two or three coordinates are compared with each other, and
   not with the least. */
#define SPARSE_P_ARRIVE_OF_2(i, items)     SPARSE_P_ARRIVE_ALIVE(2, i, items)
#define SPARSE_P_ARRIVE_OF_3(i, items)     SPARSE_P_ARRIVE_ALIVE(3, i, items)
#define SPARSE_P_ARRIVE_OF_0many(i, items) SPARSE_P_EACHG(SPARSE_P_ARRIVE_BRANCHLESS, i, items)
#define SPARSE_P_ARRIVE_ALIVE(n, i, items)                                                                                  \
    SPARSE_P_ARRIVE_ALIVE_(n SPARSE_P_EACHG(SPARSE_P_ITS_FLAG, i, items) SPARSE_P_EACHG(SPARSE_P_ITS_COORDINATE, i, items))
#define SPARSE_P_TWO_OR_THREE(...)                                                                                          \
    SPARSE_P_COUNT_(~__VA_ARGS__, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many,       \
                    0many, 3, 2, ~, ~, ~)
#define SPARSE_P_ARRIVE_ALIVE_(...)     SPARSE_P_ARRIVE_ALIVE__(__VA_ARGS__)
#define SPARSE_P_ARRIVE_ALIVE__(n, ...) SPARSE_P_ARRIVE_ALIVE_##n(__VA_ARGS__)
#define SPARSE_P_ARRIVE_ALIVE_2(inA, inB, iA, iB)                                                                           \
    inA = sparse_p_branchless(iA <= iB);                                                                                    \
    inB = sparse_p_branchless(iB <= iA);
#define SPARSE_P_ARRIVE_ALIVE_3(inA, inB, inC, iA, iB, iC)                                                                  \
    inA = sparse_p_branchless((iA <= iB) & (iA <= iC));                                                                     \
    inB = sparse_p_branchless((iB <= iA) & (iB <= iC));                                                                     \
    inC = sparse_p_branchless((iC <= iA) & (iC <= iB));
#define SPARSE_P_ARRIVE_BRANCHLESS(i, it)                SPARSE_P_IT(SPARSE_P_ARRIVE_BRANCHLESS, i, it)
#define SPARSE_P_ARRIVE_BRANCHLESS_0stored(i, A, n, ...) sparse_l_in##A##n = sparse_p_branchless(sparse_l_##i##A == i);
#define SPARSE_P_ARRIVE_BRANCHLESS_0full                 SPARSE_P_ARRIVE_BRANCHLESS_0stored
/* ARRIVED: the end of a segment, for a level with several positions of the same coordinate */
#define SPARSE_P_ARRIVED(i, it) SPARSE_P_IT(SPARSE_P_ARRIVED, i, it)
#define SPARSE_P_ARRIVED_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, ...)                         \
    SPARSE_P_CAT(SPARSE_P_ARRIVE_, SPARSE_P_WALK_CELL(SEGMENTS, walk))                                                      \
    (A, n, crd, format, m, walk, __VA_ARGS__)
#define SPARSE_P_ARRIVED_0full(i, A, n, flags)
#define SPARSE_P_ITS_FLAG(i, it)            SPARSE_P_ITS_FLAG_ it
#define SPARSE_P_ITS_FLAG_(what, A, n, ...) , sparse_l_in##A##n

/* INNER(k, plan): the whole innermost loop. A merge becomes several loops, its phases:
     ALL_ALIVE  all iterators have more entries: no bound is tested, and the only branch is the one for equal coordinates
     SOME       with three iterators or more: at least two of them have more entries
     REST       one iterator has more entries; each visits its rest
   If one of two iterators is far behind, it runs alone for a while (RUNS). A `break` in the statement has to end all
   phases: it skips the increment of its loop, which would set i_on again. */
#define SPARSE_P_INNER(k, plan) SPARSE_P_BEGIN_LOOP(plan) SPARSE_P_INNER_(SPARSE_P_ID k, SPARSE_P_ID plan)
#define SPARSE_P_INNER_(...)    SPARSE_P_INNER__(__VA_ARGS__)
#define SPARSE_P_INNER__(leaves, outs, statement, made, d, i, strategy, dead, kind, drivers, followers, flags)              \
    SPARSE_P_CAT(SPARSE_P_ROOM_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_GROWS, , outs)))                                   \
    (d, i, kind, drivers, flags, outs) SPARSE_P_KIND_CELL(INNER, kind)(d, i, strategy, leaves, outs, statement, dead, kind, \
                                                                       SPARSE_P_ITEMS(kind, i, drivers, flags), followers)
#define SPARSE_P_INNER_LOOP(d, i, strategy, leaves, outs, statement, dead, kind, drivers, followers)                        \
    SPARSE_P_KIND_CELL(HEAD, kind)                                                                                          \
    (i, SPARSE_P_SECOND(SPARSE_P_INNERMOST_##strategy, strategy), dead, drivers, followers)                                 \
        SPARSE_P_BODY(d, 0some, leaves, outs, statement)                                                                    \
    }
#define SPARSE_P_INNER_PHASES(d, i, strategy, leaves, outs, statement, dead, kind, items, followers)                        \
    SPARSE_P_FOLLOWERS(i, followers)                                                                                        \
    SPARSE_P_EACHG(SPARSE_P_MERGE_0RANGE, i, items)                                                                         \
    bool sparse_l_##i##_on = true;                                                                                          \
    SPARSE_P_CAT(SPARSE_P_MERGE_, SPARSE_P_TWO_OR_THREE(SPARSE_P_ID items))                                                 \
    (d, i, leaves, outs, (sparse_l_##i##_on = false; SPARSE_P_ID statement), dead, items, followers)
#define SPARSE_P_MERGE_2(d, i, leaves, outs, statement, dead, items, followers)                                             \
    SPARSE_P_CAT(SPARSE_P_PAIR_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_NO_LIST, i, items)))                               \
    (d, i, leaves, outs, statement, dead, items, followers)
#define SPARSE_P_PAIR_1(d, i, leaves, outs, statement, dead, items, followers)                                              \
    SPARSE_P_ALL_ALIVE_1(d, i, leaves, outs, statement, dead, items, followers)                                             \
    SPARSE_P_EACHH(SPARSE_P_REST, (d, i, leaves, outs, statement, dead, items, followers), items)
#define SPARSE_P_MERGE_3 SPARSE_P_MERGE_0many
#define SPARSE_P_MERGE_0many(d, i, leaves, outs, statement, dead, items, followers)                                         \
    SPARSE_P_CAT(SPARSE_P_ALL_ALIVE_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_NO_LIST, i, items)))                          \
    (d, i, leaves, outs, statement, dead, items, followers)                                                                 \
        SPARSE_P_SOME(d, i, leaves, outs, statement, dead, items, followers)                                                \
            SPARSE_P_EACHH(SPARSE_P_REST, (d, i, leaves, outs, statement, dead, items, followers), items)
#define SPARSE_P_ALL_ALIVE_1(d, i, leaves, outs, statement, dead, items, followers)                                         \
    for (; SPARSE_P_ALL_MORE(i, items);                                                                                     \
         SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_ADVANCE, i, items)), sparse_l_##i##_on = true) {                             \
        SPARSE_P_STEP_OF_ALL(d, i, leaves, outs, statement, dead, items, followers)                                         \
    }
#define SPARSE_P_ALL_MORE(i, items)                                                                                         \
    SPARSE_P_FOLDF(SPARSE_P_AND_TEXT, (SPARSE_P_EACHG(SPARSE_P_ALIVE, i, items))) && sparse_l_##i##_on
/* NO_LIST(i, iterator) -> , ~ unless the iterator is over an array of distinct coordinates. If all iterators are, the loop
   first advances all of them together while their coordinates are equal, using a branch that is predicted well if the
   patterns agree. Then it takes a number of steps without a branch. This number doubles each time, unless the coordinates
   stayed equal for long. */
#define SPARSE_P_NO_LIST(i, it)       SPARSE_P_NO_LIST_ it
#define SPARSE_P_NO_LIST_(what, ...)  SPARSE_P_NO_LIST_##what(what, __VA_ARGS__)
#define SPARSE_P_NO_LIST_0stored(...) SPARSE_P_CAT(SPARSE_P_NO_LIST_, SPARSE_P_MEETS_(__VA_ARGS__))
#define SPARSE_P_NO_LIST_0full(...)   , ~
#define SPARSE_P_NO_LIST_0            , ~
#define SPARSE_P_NO_LIST_1
#define SPARSE_P_NO_LIST_2 , ~
#define SPARSE_P_ALL_ALIVE_0(d, i, leaves, outs, statement, dead, items, followers)                                         \
    size_t sparse_l_##i##_steps = SPARSE_P_ABREAST;                                                                         \
    while (SPARSE_P_ALL_MORE(i, items)) {                                                                                   \
        const size_t sparse_l_##i##_from = SPARSE_P_AT_FIRST items;                                                         \
        SPARSE_P_TOGETHER(d, i, leaves, outs, statement, dead, items, followers)                                            \
        sparse_l_##i##_steps =                                                                                              \
            SPARSE_P_AT_FIRST items - sparse_l_##i##_from < SPARSE_P_ABREAST ? 2 * sparse_l_##i##_steps : SPARSE_P_ABREAST; \
        SPARSE_P_STEPS(sparse_l_##i##_steps, d, i, leaves, outs, statement, dead, items, followers)                         \
    }
#define SPARSE_P_AT_FIRST(z, u, ...)        SPARSE_P_AT_FIRST_ u
#define SPARSE_P_AT_FIRST_(what, A, n, ...) sparse_l_p##A##n
#define SPARSE_P_TOGETHER(d, i, leaves, outs, statement, dead, items, followers)                                            \
    SPARSE_P_EACHG(SPARSE_P_PRESENT, i, items)                                                                              \
    for (; SPARSE_P_ALL_MORE(i, items) SPARSE_P_AGREE(i, SPARSE_P_ID items);                                                \
         SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_FORTH, i, items)), sparse_l_##i##_on = true) {                               \
        SPARSE_UNUSED const size_t i = SPARSE_P_HERE(SPARSE_P_SECOND items);                                                \
        SPARSE_P_EACHG(SPARSE_P_STEP, i, followers) SPARSE_P_TEST(dead) SPARSE_P_BODY(d, 0some, leaves, outs, statement)    \
    }
#define SPARSE_P_PRESENT(i, it)            SPARSE_P_PRESENT_ it
#define SPARSE_P_PRESENT_(what, A, n, ...) sparse_l_in##A##n = 1;
#define SPARSE_P_FORTH(i, it)              SPARSE_P_FORTH_ it
#define SPARSE_P_FORTH_(what, A, n, ...)   , sparse_l_p##A##n++
#define SPARSE_P_AGREE(...)                SPARSE_P_AGREE_(__VA_ARGS__)
#define SPARSE_P_AGREE_(i, z, u, ...)      SPARSE_P_EACHG(SPARSE_P_EQUALS, SPARSE_P_HERE(u), (, __VA_ARGS__))
#define SPARSE_P_EQUALS(coordinate, it)    &&coordinate == SPARSE_P_HERE(it)
#define SPARSE_P_HERE(it)                  SPARSE_P_HERE_ it
#define SPARSE_P_HERE_(what, A, n, role, above, value, pos, crd, ...)                                                       \
    SPARSE_P_WIDE_##crd(sparse_l_##A##n##_crd[sparse_l_p##A##n])
#define SPARSE_P_STEPS(count, d, i, leaves, outs, statement, dead, items, followers)                                        \
    for (size_t sparse_l_##i##_left = count; sparse_l_##i##_left > 0 && SPARSE_P_ALL_MORE(i, items);                        \
         sparse_l_##i##_left-- SPARSE_P_EACHG(SPARSE_P_ADVANCE, i, items), sparse_l_##i##_on = true) {                      \
        SPARSE_P_STEP_OF_ALL(d, i, leaves, outs, statement, dead, items, followers)                                         \
    }
#define SPARSE_P_STEP_OF_ALL(d, i, leaves, outs, statement, dead, items, followers)                                         \
    SPARSE_P_EACHG(SPARSE_P_COORDINATE, i, items)                                                                           \
    SPARSE_P_LEAST(i, items)                                                                                                \
    SPARSE_P_CAT(SPARSE_P_ARRIVE_OF_, SPARSE_P_TWO_OR_THREE(SPARSE_P_ID items))                                             \
    (i, items) SPARSE_P_EACHG(SPARSE_P_ARRIVED, i, items) SPARSE_P_EACHG(SPARSE_P_STEP, i, followers) SPARSE_P_TEST(dead)   \
        SPARSE_P_EACHG(SPARSE_P_READ, i, items) SPARSE_P_EACHG(SPARSE_P_READ_IF_IN, i, followers)                           \
            SPARSE_P_BODY(d, 0alive, leaves, outs, statement)
#define SPARSE_P_AND_TEXT(u, v)  u &&v
#define SPARSE_P_PLUS_TEXT(u, v) u + v
/* If one of two arrays is far behind, its iterator runs alone up to the coordinate of the other one. This is omitted if a
   follower must be present. */
#define SPARSE_P_PAIR_0(d, i, leaves, outs, statement, dead, items, followers)                                              \
    while ((SPARSE_P_FOLDF(SPARSE_P_OR_TEXT, (SPARSE_P_EACHG(SPARSE_P_ALIVE, i, items)))) && sparse_l_##i##_on) {           \
        SPARSE_P_TOGETHER(d, i, leaves, outs, statement, dead, items, followers)                                            \
        if (SPARSE_P_TWO(SPARSE_P_ABREAST_OF_TWO, i, SPARSE_P_ID items)) {                                                  \
            SPARSE_P_STEPS(SPARSE_P_ABREAST, d, i, leaves, outs, statement, dead, items, followers)                         \
            continue;                                                                                                       \
        }                                                                                                                   \
        SPARSE_P_RUNS(d, i, leaves, outs, statement, dead, items, followers, SPARSE_P_ID items)                             \
    }
#define SPARSE_P_ABREAST_OF_TWO(i, A, n, acrd, B, m, bcrd)                                                                  \
    sparse_p_abreast_##acrd##_##bcrd(sparse_l_##A##n##_crd, sparse_l_p##A##n, sparse_l_e##A##n, sparse_l_##B##m##_crd,      \
                                     sparse_l_p##B##m, sparse_l_e##B##m)
#define SPARSE_P_RUNS(...) SPARSE_P_RUNS_(__VA_ARGS__)
#define SPARSE_P_RUNS_(d, i, leaves, outs, statement, dead, items, followers, z, u, v)                                      \
    SPARSE_P_RUN(d, i, leaves, outs, statement, dead, items, followers, u, v)                                               \
    SPARSE_P_RUN(d, i, leaves, outs, statement, dead, items, followers, v, u)
#define SPARSE_P_RUN(d, i, leaves, outs, statement, dead, items, followers, u, v)                                           \
    SPARSE_P_COORDINATE_OR_END(i, v)                                                                                        \
    SPARSE_P_ABSENT(i, v)                                                                                                   \
    SPARSE_P_RUN_OF(i SPARSE_P_ITS_COORDINATE(i, v), SPARSE_P_ID u)                                                         \
    SPARSE_P_EACHG(SPARSE_P_STEP, i, followers)                                                                             \
    SPARSE_P_TEST(dead)                                                                                                     \
    SPARSE_P_BODY(d, 0some, leaves, outs, statement)                                                                        \
    }
#define SPARSE_P_RUN_OF(...) SPARSE_P_RUN_OF_(__VA_ARGS__)
#define SPARSE_P_RUN_OF_(i, its, what, A, n, role, above, value, pos, crd, ...)                                             \
    sparse_l_in##A##n = 1;                                                                                                  \
    for (; sparse_l_p##A##n < sparse_l_e##A##n && sparse_l_##A##n##_crd[sparse_l_p##A##n] < its && sparse_l_##i##_on;       \
         sparse_l_p##A##n++, sparse_l_##i##_on = true) {                                                                    \
        SPARSE_UNUSED const size_t i = SPARSE_P_WIDE_##crd(sparse_l_##A##n##_crd[sparse_l_p##A##n]);
#define SPARSE_P_SOME(d, i, leaves, outs, statement, dead, items, followers)                                                \
    for (; SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, (SPARSE_P_EACHG(SPARSE_P_IS_ALIVE, i, items))) > 1 && sparse_l_##i##_on;      \
         SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_ADVANCE, i, items)), sparse_l_##i##_on = true) {                             \
        SPARSE_P_EACHG(SPARSE_P_COORDINATE_OR_END, i, items)                                                                \
        SPARSE_P_LEAST(i, items)                                                                                            \
        SPARSE_P_EACHG(SPARSE_P_ARRIVE, i, items)                                                                           \
        SPARSE_P_EACHG(SPARSE_P_STEP, i, followers)                                                                         \
        SPARSE_P_TEST(dead)                                                                                                 \
        SPARSE_P_BODY(d, 0some, leaves, outs, statement)                                                                    \
    }
#define SPARSE_P_IS_ALIVE(i, it)            SPARSE_P_IS_ALIVE_ it
#define SPARSE_P_IS_ALIVE_(what, A, n, ...) , (sparse_l_p##A##n < sparse_l_e##A##n)
#define SPARSE_P_REST(c, it)                SPARSE_P_REST_(it, SPARSE_P_ID c)
#define SPARSE_P_REST_(...)                 SPARSE_P_REST__(__VA_ARGS__)
#define SPARSE_P_REST__(it, d, i, leaves, outs, statement, dead, items, followers)                                          \
    SPARSE_P_EACHG(SPARSE_P_ABSENT, i, items)                                                                               \
    SPARSE_P_IT(SPARSE_P_REST, i, it)                                                                                       \
    SPARSE_P_EACHG(SPARSE_P_STEP, i, followers)                                                                             \
    SPARSE_P_TEST(dead)                                                                                                     \
    SPARSE_P_BODY(d, 0some, leaves, outs, statement)                                                                        \
    }
#define SPARSE_P_ABSENT(i, it)            SPARSE_P_ABSENT_ it
#define SPARSE_P_ABSENT_(what, A, n, ...) sparse_l_in##A##n = 0;
#define SPARSE_P_REST_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, ...)                            \
    sparse_l_in##A##n = 1;                                                                                                  \
    for (; sparse_l_p##A##n < sparse_l_e##A##n && sparse_l_##i##_on;                                                        \
         SPARSE_P_NEXT(A, n, crd, format, m, walk, __VA_ARGS__), sparse_l_##i##_on = true) {                                \
        SPARSE_UNUSED const size_t i = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, format, m, walk, __VA_ARGS__);                \
        SPARSE_P_REST_ON(A, n, crd, format, m, walk, __VA_ARGS__)
#define SPARSE_P_REST_ON(A, n, crd, format, m, walk, parent, head, stride, offset)                                          \
    SPARSE_P_CAT(SPARSE_P_REST_BY_, SPARSE_P_WALK_CELL(SEGMENTS, walk))                                                     \
    (A, n, crd, format, m, walk, parent, head, stride, offset)                                                              \
        SPARSE_P_CAT(SPARSE_P_ON_, SPARSE_P_WALK_CELL(ALL, walk))(A, n, crd, stride)
#define SPARSE_P_REST_BY_0(A, n, ...)
#define SPARSE_P_REST_BY_2(A, n, ...)
#define SPARSE_P_REST_BY_1(A, n, ...) sparse_l_q##A##n = SPARSE_P_SEGMENT(A, n, __VA_ARGS__);
#define SPARSE_P_REST_0full(i, A, n, flags)                                                                                 \
    for (; sparse_l_p##A##n < sparse_l_e##A##n && sparse_l_##i##_on; sparse_l_p##A##n++, sparse_l_##i##_on = true) {        \
        SPARSE_UNUSED const size_t i = sparse_l_p##A##n;
/* READ: a value that is read in any case, and used only if it is needed. This avoids a branch. */
#define SPARSE_P_READ(i, it)                                                    SPARSE_P_IT(SPARSE_P_READ, i, it)
#define SPARSE_P_READ_0stored(i, A, n, role, above, value, pos, crd, last, ...) SPARSE_P_READ_##last(A, n, value)
#define SPARSE_P_READ_0full(i, A, n, flags)
#define SPARSE_P_READ_0before(A, n, value)
#define SPARSE_P_READ_0here(A, n, value)                                                                                    \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) sparse_l_##A##_at = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);   \
    sparse_p_keep(&sparse_l_##A##_at, &sparse_l_##A##_fill, sizeof sparse_l_##A##_at, sparse_l_in##A##n);
#define SPARSE_P_READ_IF_IN(i, it) SPARSE_P_IT(SPARSE_P_READ_IF_IN, i, it)
#define SPARSE_P_READ_IF_IN_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                       \
    SPARSE_P_CAT3(SPARSE_P_READ_IF_IN_, role, last)(A, n, value)
#define SPARSE_P_READ_IF_IN_0not0before(A, n, value)
#define SPARSE_P_READ_IF_IN_0not0here(A, n, value)
#define SPARSE_P_READ_IF_IN_0may0before(A, n, value)
#define SPARSE_P_READ_IF_IN_0may0here(A, n, value)                                                                          \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) sparse_l_##A##_at =                                                         \
        sparse_l_in##A##n ? SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]) : sparse_l_##A##_fill;

/* BODY(d, phase, leaves, outs, (statement)): the positions and values that become known in loop d, the statement, and the
   stores */
#define SPARSE_P_BODY(d, phase, leaves, outs, statement)                                                                    \
    SPARSE_P_ENTER(d, phase, leaves)                                                                                        \
    SPARSE_P_EACHE(SPARSE_P_HAS_OUT, , outs)                                                                                \
    SPARSE_P_ID statement;                                                                                                  \
    SPARSE_P_EACHE(SPARSE_P_IN_OUT, , outs)                                                                                 \
    SPARSE_P_LEAVE(d, outs)                                                                                                 \
    SPARSE_P_RENEW(d, leaves, outs)
/* ENTER(d, phase, places): the positions and values that become known in loop d. If the loops compute workspaces, (0made,
   places, made) replaces places. The workspaces are then computed after the positions are known, and before values are
   read. Values that were read earlier would occupy registers meanwhile. */
#define SPARSE_P_ENTER(d, phase, leaves)                                                                                    \
    SPARSE_P_CAT(SPARSE_P_ENTER_PLACES_, SPARSE_P_FIRST leaves)(d, phase, SPARSE_P_ID leaves)
#define SPARSE_P_ENTER_PLACES_(d, phase, ...) SPARSE_P_EACHE(SPARSE_P_ENTER_LEAF, (d, phase), (__VA_ARGS__))
#define SPARSE_P_ENTER_PLACES_0made(...)      SPARSE_P_ENTER_MADE(__VA_ARGS__)
#define SPARSE_P_ENTER_MADE(d, phase, z, places, made)                                                                      \
    SPARSE_P_EACHE(SPARSE_P_FIND_LEAF, (d, phase), places)                                                                  \
    SPARSE_P_EACHB(SPARSE_P_MAKE, d, made) SPARSE_P_EACHE(SPARSE_P_READ_LEAF, (d, phase), places)
#define SPARSE_P_PLACES_IN(leaves)                 SPARSE_P_CAT(SPARSE_P_PLACES_IN_, SPARSE_P_FIRST leaves)(leaves)
#define SPARSE_P_PLACES_IN_(leaves)                leaves
#define SPARSE_P_PLACES_IN_0made(leaves)           SPARSE_P_SECOND leaves
#define SPARSE_P_ENTER_LEAF(c, record)             SPARSE_P_ENTER_LEAF_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_ENTER_LEAF_(...)                  SPARSE_P_ENTER_LEAF__(__VA_ARGS__)
#define SPARSE_P_ENTER_LEAF__(d, phase, what, ...) SPARSE_P_ENTER_##what(d, phase, __VA_ARGS__)
#define SPARSE_P_FIND_LEAF(c, record)              SPARSE_P_FIND_LEAF_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_FIND_LEAF_(...)                   SPARSE_P_FIND_LEAF__(__VA_ARGS__)
#define SPARSE_P_FIND_LEAF__(d, phase, what, ...)                                                                           \
    SPARSE_P_SECOND(SPARSE_P_FIND_LEAF_##what, SPARSE_P_ENTER_##what)(d, phase, __VA_ARGS__)
#define SPARSE_P_FIND_LEAF_0tensor    ~, SPARSE_P_FIND_TENSOR
#define SPARSE_P_READ_LEAF(c, record) SPARSE_P_READ_LEAF_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_READ_LEAF_(...)      SPARSE_P_READ_LEAF__(__VA_ARGS__)
#define SPARSE_P_READ_LEAF__(d, phase, what, ...)                                                                           \
    SPARSE_P_SECOND(SPARSE_P_READ_LEAF_##what, SPARSE_P_DROP)(d, phase, __VA_ARGS__)
#define SPARSE_P_READ_LEAF_0tensor ~, SPARSE_P_READ_TENSOR
/* In a loop over the positions in a block, the index is computed here. In the last block, it may be outside the dimension:
   then the iteration is skipped. */
#define SPARSE_P_ENTER_0block(d, phase, at, i, c) SPARSE_P_AT_LOOP(at, d)(SPARSE_P_WHOLE_OF_BLOCK)(i, c)
#define SPARSE_P_ENTER_count(d, phase, at, i, c)
#define SPARSE_P_ENTER_0inner(d, phase, at, i, c) SPARSE_P_AT_LOOP(at, d)(SPARSE_P_WHOLE_OF)(i, c)
#define SPARSE_P_WHOLE_OF(i, c)                   SPARSE_UNUSED const size_t i = i##_block * c + i##_inner;
/* Code that is compiled for size tests each index, and omits the test whether the blocks fill the dimension. */
#if SPARSE_P_FOR_SIZE
    #define SPARSE_P_NOT_WHOLE(whole) ((void)(whole), true) &&
#else
    #define SPARSE_P_NOT_WHOLE(whole) !whole &&
#endif
#define SPARSE_P_WHOLE_OF_BLOCK(i, c)                                                                                       \
    SPARSE_P_WHOLE_OF(i, c)                                                                                                 \
    if (SPARSE_P_NOT_WHOLE(sparse_l_##i##_whole) i >= sparse_l_##i##_size) continue;
#define SPARSE_P_ENTER_0tensor(...) SPARSE_P_FIND_TENSOR(__VA_ARGS__) SPARSE_P_READ_TENSOR(__VA_ARGS__)
#define SPARSE_P_FIND_TENSOR(d, phase, role, name, value, levels, nlev, placed, sparse)                                     \
    SPARSE_P_EACHF(SPARSE_P_LOCATE, (d, name), levels)
#define SPARSE_P_READ_TENSOR(d, phase, role, name, value, levels, nlev, placed, sparse)                                     \
    SPARSE_P_AT_LOOP(placed, d)(SPARSE_P_VALUE)(role, phase, name, value, nlev, sparse)
/* current(z, x, ...) reads its element in the innermost loop, if the element depends on that loop. Otherwise it is read
   once before the innermost loop, and again after each statement whose output may be that element; RENEW(d, leaves, outs)
   does this. A read in each iteration would have to wait for the write of the iteration before. */
#define SPARSE_P_ENTER_0current(d, phase, role, name, value, levels, nlev, placed, sparse, innermost)                       \
    SPARSE_P_EACHF(SPARSE_P_LOCATE, (d, name), levels)                                                                      \
    SPARSE_P_CAT(SPARSE_P_CURRENT_AT_, SPARSE_P_IS_HELD(role, placed, innermost))                                           \
    (d, role, name, value, nlev, placed, sparse, innermost)
#define SPARSE_P_IS_HELD(role, placed, innermost)                                                                           \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_IS_HELD_, role, SPARSE_P_CMP(placed, innermost)), 0)
#define SPARSE_P_IS_HELD_0must0before ~, 1
#define SPARSE_P_CURRENT_AT_0(d, role, name, value, nlev, placed, sparse, innermost)                                        \
    SPARSE_P_AT_LOOP(innermost, d)(SPARSE_P_VALUE)(role, 0some, name, value, nlev, sparse)
#define SPARSE_P_CURRENT_AT_1(d, role, name, value, nlev, placed, sparse, innermost)                                        \
    SPARSE_P_AT_LOOP(placed, d)                                                                                             \
    (SPARSE_P_CURRENT_NOW)(name, value, nlev) SPARSE_P_AT_LOOP(innermost, d)(SPARSE_P_CURRENT_HELD)(name, value)
#define SPARSE_P_CURRENT_NOW(A, value, n)                                                                                   \
    SPARSE_P_VISIBLE(value) sparse_l_##A##_now = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_CURRENT_HELD(A, value) SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A = sparse_l_##A##_now;
#define SPARSE_P_RENEW(d, leaves, outs) SPARSE_P_RENEW_AMONG(d, SPARSE_P_PLACES_IN(leaves), outs)
#define SPARSE_P_RENEW_AMONG(d, leaves, outs)                                                                               \
    SPARSE_P_CAT(SPARSE_P_RENEW_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_IS_CURRENT, , leaves)))(d, leaves, outs)
#define SPARSE_P_RENEW_0(d, leaves, outs)
#define SPARSE_P_RENEW_1(d, leaves, outs)                                                                                   \
    SPARSE_P_EACHE(                                                                                                         \
        SPARSE_P_RENEW_LEAF,                                                                                                \
        (d, SPARSE_P_AMOUNT(~SPARSE_P_EACHE(SPARSE_P_WRITTEN, , outs)), (SPARSE_P_EACHE(SPARSE_P_WRITTEN_AT, d, outs))),    \
        leaves)
/* WRITTEN: the outputs that are tensors. WRITTEN_AT: (name, levels) of those outputs that are written in loop d. */
#define SPARSE_P_WRITTEN(c, record)         SPARSE_P_WRITTEN_ record
#define SPARSE_P_WRITTEN_(what, ...)        SPARSE_P_SECOND(SPARSE_P_WRITTEN_##what, SPARSE_P_DROP)(~)
#define SPARSE_P_WRITTEN_0tensor            ~, SPARSE_P_ITEM
#define SPARSE_P_WRITTEN_AT(d, record)      SPARSE_P_WRITTEN_AT_(d, SPARSE_P_ID record)
#define SPARSE_P_WRITTEN_AT_(...)           SPARSE_P_WRITTEN_AT__(__VA_ARGS__)
#define SPARSE_P_WRITTEN_AT__(d, what, ...) SPARSE_P_SECOND(SPARSE_P_WRITTEN_AT_##what, SPARSE_P_DROP)(d, __VA_ARGS__)
#define SPARSE_P_WRITTEN_AT_0tensor         ~, SPARSE_P_WRITTEN_HERE
#define SPARSE_P_WRITTEN_HERE(d, role, name, value, levels, nlev, placed, sparse)                                           \
    SPARSE_P_AT_LOOP(placed, d)(SPARSE_P_ITEM)((name, nlev))
#define SPARSE_P_RENEW_LEAF(c, record) SPARSE_P_RENEW_LEAF_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_RENEW_LEAF_(...)      SPARSE_P_RENEW_LEAF__(__VA_ARGS__)
#define SPARSE_P_RENEW_LEAF__(d, amount, written, what, ...)                                                                \
    SPARSE_P_SECOND(SPARSE_P_RENEW_##what, SPARSE_P_DROP)(d, amount, written, __VA_ARGS__)
#define SPARSE_P_RENEW_0current ~, SPARSE_P_RENEW_HELD
#define SPARSE_P_RENEW_HELD(d, amount, written, role, name, value, levels, nlev, placed, sparse, innermost)                 \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_RENEW_, SPARSE_P_IS_HELD(role, placed, innermost), SPARSE_P_CMP(placed, d)),     \
                    SPARSE_P_DROP)                                                                                          \
    (name, value, nlev, amount, written)
#define SPARSE_P_RENEW_10before ~, SPARSE_P_RENEW_AT
#define SPARSE_P_RENEW_AT(name, value, nlev, amount, written)                                                               \
    SPARSE_P_EACHF(SPARSE_P_CAT(SPARSE_P_RENEW_BY_, amount), (name, value, nlev), written)
/* current(...) has read the element that an output writes, if both positions are equal. If the line has several outputs,
   the arrays must be equal, too. */
#define SPARSE_P_RENEW_BY_0one(c, x) SPARSE_P_RENEW_BY_ONE(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_RENEW_BY_ONE(...)   SPARSE_P_RENEW_BY_ONE_(__VA_ARGS__)
#define SPARSE_P_RENEW_BY_ONE_(A, value, n, x, m)                                                                           \
    if (sparse_l_p##x##m == sparse_l_p##A##n) sparse_l_##A##_now = SPARSE_P_LOAD(value, SPARSE_P_ENCODE(value, x));
#define SPARSE_P_RENEW_BY_0many(c, x) SPARSE_P_RENEW_BY_MANY(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_RENEW_BY_MANY(...)   SPARSE_P_RENEW_BY_MANY_(__VA_ARGS__)
#define SPARSE_P_RENEW_BY_MANY_(A, value, n, x, m)                                                                          \
    if ((const void *)sparse_l_##x##_val == (const void *)sparse_l_##A##_val && sparse_l_p##x##m == sparse_l_p##A##n)       \
        sparse_l_##A##_now = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_LOCATE(c, level) SPARSE_P_LOCATE_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LOCATE_(...)     SPARSE_P_LOCATE__(__VA_ARGS__)
#define SPARSE_P_LOCATE__(d, A, number, storage, letter, placed, i, part)                                                   \
    SPARSE_P_AT_LOOP(placed, d)(SPARSE_P_STORAGE_CELL(LOCATE, storage))(A, number, i)
#define SPARSE_P_LOCATE_IN_SLICE(A, n, i) SPARSE_P_LOCATE_SUM(A, n, (sparse_slice_coordinate(i, sparse_l_##A##n##_slice)))
#define SPARSE_P_LOCATE_SUM_IN_SLICE(A, n, sum)                                                                             \
    SPARSE_P_LOCATE_SUM(A, n, (sparse_slice_coordinate(SPARSE_P_ID sum, sparse_l_##A##n##_slice)))
/* A level of an output that is like A has the position of the level of A. */
#define SPARSE_P_LOCATE_LIKE(C, n, A) SPARSE_UNUSED const size_t sparse_l_p##C##n = sparse_l_p##A##n;
/* In a level over a sum, the sum takes the place of the loop variable. */
#define SPARSE_P_LOCATE_SUM(A, n, sum)                                                                                      \
    SPARSE_UNUSED const size_t sparse_l_p##A##n =                                                                           \
        SPARSE_P_CAT(SPARSE_P_POSITION_OF_SUM_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(A, n, SPARSE_P_ID sum);
#define SPARSE_P_POSITION_OF_SUM_0(A, n, sum) sum
#define SPARSE_P_POSITION_OF_SUM_1(A, n, sum) SPARSE_P_PARENT(A, n) * sparse_l_##A##n##_size + sum
#define SPARSE_P_LOCATED(A, n, i)             SPARSE_UNUSED const size_t sparse_l_p##A##n = SPARSE_P_POSITION(A, n, i);
#define SPARSE_P_POSITION(A, n, i)            SPARSE_P_CAT(SPARSE_P_POSITION_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(A, n, i)
#define SPARSE_P_POSITION_0(A, n, i)          i
#define SPARSE_P_POSITION_1(A, n, i)          SPARSE_P_PARENT(A, n) * sparse_l_##i##_size + i
#define SPARSE_P_VALUE(role, phase, A, value, n, sparse)                                                                    \
    SPARSE_P_CAT3(SPARSE_P_VALUE_, role, SPARSE_P_NZ_##sparse)(phase, A, value, n, sparse)
#define SPARSE_P_VALUE_0must0(phase, A, value, n, sparse)                                                                   \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0must1(phase, A, value, n, sparse)                                                                   \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0write0(phase, A, value, n, sparse)                                                                  \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0like0(phase, A, value, n, sparse)                                                                   \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0update0(phase, A, value, n, sparse)                                                                 \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0update1(phase, A, value, n, sparse)                                                                 \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0may0(phase, A, value, n, sparse)                                                                    \
    SPARSE_UNUSED const bool has_##A = true;                                                                                \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0may1(phase, A, value, n, sparse)                                                                    \
    SPARSE_UNUSED const bool has_##A = sparse_l_in##A##sparse;                                                              \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A =                                                                         \
        SPARSE_P_CAT3(SPARSE_P_VALUE_AT_, phase, SPARSE_P_CMP(sparse, n))(A, n, value);
/* An operand in none() that is inside any() may be present where the body runs. */
#define SPARSE_P_VALUE_0not0                             SPARSE_P_VALUE_0may0
#define SPARSE_P_VALUE_0not1(phase, A, value, n, sparse) SPARSE_P_VALUE_0may1(0some, A, value, n, sparse)
#define SPARSE_P_VALUE_AT_0some0before(A, n, value)                                                                         \
    has_##A ? SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]) : sparse_l_##A##_fill
#define SPARSE_P_VALUE_AT_0some0here(A, n, value)                                                                           \
    has_##A ? SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]) : sparse_l_##A##_fill
#define SPARSE_P_VALUE_AT_0alive0before(A, n, value)                                                                        \
    has_##A ? SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]) : sparse_l_##A##_fill
#define SPARSE_P_VALUE_AT_0alive0here(A, n, value) sparse_l_##A##_at
/* LEAVE: writes a value that was accumulated in a register back to its element */
#define SPARSE_P_LEAVE(d, outs)             SPARSE_P_EACHE(SPARSE_P_LEAVE_LEAF, d, outs)
#define SPARSE_P_LEAVE_LEAF(d, record)      SPARSE_P_LEAVE_LEAF_(d, SPARSE_P_ID record)
#define SPARSE_P_LEAVE_LEAF_(...)           SPARSE_P_LEAVE_LEAF__(__VA_ARGS__)
#define SPARSE_P_LEAVE_LEAF__(d, what, ...) SPARSE_P_LEAVE_##what(d, __VA_ARGS__)
#define SPARSE_P_LEAVE_0tensor(d, role, name, value, levels, nlev, placed, sparse)                                          \
    SPARSE_P_AT_LOOP(placed, d)(SPARSE_P_PUT_BACK)(name, value, nlev)
#define SPARSE_P_PUT_BACK(A, value, n) sparse_l_##A##_val[sparse_l_p##A##n] = SPARSE_P_ENCODE(value, A);

/* MOST_...: an upper bound of the number of iterations of the loop */
#define SPARSE_P_MOST_SIZE(i, items)        sparse_l_##i##_size
#define SPARSE_P_MOST_ONE(i, items)         1
#define SPARSE_P_MOST_SUM(i, items)         SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, (SPARSE_P_EACHG(SPARSE_P_SPAN, i, items)))
#define SPARSE_P_MOST_LEAST(i, items)       SPARSE_P_FOLDF(SPARSE_P_MIN_TEXT, (SPARSE_P_EACHG(SPARSE_P_SPAN, i, items)))
#define SPARSE_P_SPAN(i, it)                SPARSE_P_IT(SPARSE_P_SPAN, i, it)
#define SPARSE_P_SPAN_0full(i, A, n, flags) , (SPARSE_P_ONE_OF(flags) ? sparse_l_##n##_size : 0)
#define SPARSE_P_SPAN_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                             \
    , SPARSE_P_CAT(SPARSE_P_SPAN_IN_, SPARSE_P_CAT3(SPARSE_P_AND_, SPARSE_P_MEMBER_CELL(MAYBE, role), SPARSE_P_NZ(above)))( \
          A, above, SPARSE_P_SPAN_OF(A, n, pos, __VA_ARGS__))
#define SPARSE_P_SPAN_IN_0(A, above, x) x
#define SPARSE_P_SPAN_IN_1(A, above, x) (sparse_l_in##A##above ? x : 0)
#define SPARSE_P_SPAN_OF(A, n, pos, format, m, walk, parent, ...)                                                           \
    SPARSE_P_RANGE_CELL(SPAN, format)(A, n, pos, format, m, parent)

/* CLOSE(k, plan): the end of the body of a loop */
#define SPARSE_P_CLOSE(k, plan) SPARSE_P_CLOSE_(SPARSE_P_ID k, SPARSE_P_FIRST plan)
#define SPARSE_P_CLOSE_(...)    SPARSE_P_CLOSE__(__VA_ARGS__)
#define SPARSE_P_CLOSE__(leaves, outs, statement, made, d)                                                                  \
    SPARSE_P_EACHB(SPARSE_P_UNMAKE, d, made)                                                                                \
    SPARSE_P_LEAVE(d, outs)                                                                                                 \
    SPARSE_P_RENEW(d, leaves, outs)                                                                                         \
    }

/* NEST_OF(places, outs, statement, plans, WAY, loops, wheres, leaves): the loop nest, with the workspaces that are made in
   it. If the outermost loop is parallel, each thread clears its own workspaces before it takes iterations. If the second
   loop is independent(i), all threads run the first loop, and wait for each other after each of its iterations. */
#define SPARSE_P_NEST_OF(places, outs, statement, plans, way, loops, wheres, leaves)                                        \
    SPARSE_P_NEST_OVER(places, outs, statement, plans, way, loops, wheres, leaves,                                          \
                       (SPARSE_P_ID leaves SPARSE_P_EACHE(SPARSE_P_WHERE_AHEAD, , wheres)))
#define SPARSE_P_NEST_OVER(places, outs, statement, plans, way, loops, wheres, leaves, walked)                              \
    SPARSE_P_NEST_AHEAD(places, outs, statement, plans, way, loops, wheres,                                                 \
                        (SPARSE_P_EACHD(SPARSE_P_PREFETCHES, (walked, plans), (SPARSE_P_AHEAD(loops, plans)))               \
                             SPARSE_P_EACHD(SPARSE_P_STORED_FAR, (walked, leaves), plans)))
#define SPARSE_P_NEST_AHEAD(places, outs, statement, plans, way, loops, wheres, ahead)                                      \
    SPARSE_P_CAT(SPARSE_P_NEST_OF_,                                                                                         \
                 SPARSE_P_IS_ANY(SPARSE_P_ID wheres SPARSE_P_ID ahead SPARSE_P_EACHF(SPARSE_P_TEAMED, , loops)))            \
    (places, outs, statement, plans, way, loops, wheres, ahead)
#define SPARSE_P_NEST_OF_0(places, outs, statement, plans, way, loops, wheres, ahead)                                       \
    SPARSE_P_NEST((places, outs, statement, ()), plans)
#define SPARSE_P_NEST_OF_1(places, outs, statement, plans, way, loops, wheres, ahead)                                       \
    SPARSE_P_NEST_BY((SPARSE_P_EACHA(SPARSE_P_OWN, (way, loops, plans), wheres) SPARSE_P_EACHF(SPARSE_P_TEAMED, , loops)),  \
                     (SPARSE_P_ID places SPARSE_P_EACHE(SPARSE_P_WHERE_PLACE, , wheres)), outs, statement, ahead,           \
                     (SPARSE_P_EACHA(SPARSE_P_MADE, (way, loops, plans), wheres)), plans)
#define SPARSE_P_NEST_BY(own, ...) SPARSE_P_CAT(SPARSE_P_NEST_BY_, SPARSE_P_IS_ANY own)(own, __VA_ARGS__)
#define SPARSE_P_NEST_BY_0(own, places, outs, statement, ahead, made, plans)                                                \
    SPARSE_P_EACHB(SPARSE_P_MAKE, 0, ahead)                                                                                 \
    SPARSE_P_EACHB(SPARSE_P_MAKE, 0, made) SPARSE_P_NEST_MAKING(places, outs, statement, ahead, made, plans)
#define SPARSE_P_NEST_BY_1(own, places, outs, statement, ahead, made, plans)                                                \
    SPARSE_P_EACHB(SPARSE_P_MAKE, 0, ahead) SPARSE_P_EACHB(SPARSE_P_MAKE, 0, made) SPARSE_P_ALL_THREADS                     \
    {                                                                                                                       \
        SPARSE_P_EACHB(SPARSE_P_OWN_TEXT, , own)                                                                            \
        SPARSE_P_NEST_MAKING(places, outs, statement, ahead, made, (SPARSE_P_EACHF(SPARSE_P_IN_TEAM, , plans)))             \
    }
/* TEAMED(, loop) -> , (, ) if the loop is independent(i): its threads form a team although there is no workspace */
#define SPARSE_P_TEAMED(c, l)                SPARSE_P_TEAMED_ l
#define SPARSE_P_TEAMED_(key, strategy, ...) SPARSE_P_CAT(SPARSE_P_TEAMED_, SPARSE_P_STRATEGY_CELL(BESIDE, strategy))
#define SPARSE_P_TEAMED_0
#define SPARSE_P_TEAMED_1
#define SPARSE_P_TEAMED_2         , (, )
#define SPARSE_P_OWN_TEXT(c, own) SPARSE_P_TEXT own
#define SPARSE_P_IN_TEAM(c, plan) SPARSE_P_IN_TEAM_ plan
#define SPARSE_P_IN_TEAM_(d, i, strategy, ...)                                                                              \
    , (d, i, SPARSE_P_CAT(SPARSE_P_IN_TEAM_, SPARSE_P_CMP(d, 1))(strategy), __VA_ARGS__)
#define SPARSE_P_IN_TEAM_0here(strategy)  SPARSE_P_SECOND(SPARSE_P_TEAM_OF_##strategy, strategy)
#define SPARSE_P_TEAM_OF_parallel         ~, 0team
#define SPARSE_P_IN_TEAM_0after(strategy) strategy
/* Prefetches of the innermost loop stand before the statement. Workspaces are passed together with the places, see ENTER. */
#define SPARSE_P_NEST_MAKING(places, outs, statement, ahead, made, loops)                                                   \
    SPARSE_P_NEST((SPARSE_P_CAT(SPARSE_P_PLACES_AND_, SPARSE_P_IS_ANY made)(places, made), outs,                            \
                   (SPARSE_P_EACHB(SPARSE_P_MAKE, SPARSE_P_COUNT(~SPARSE_P_ID loops), ahead) SPARSE_P_ID statement),        \
                   (SPARSE_P_ID ahead SPARSE_P_EACHB(SPARSE_P_END_OF_MADE, , made))),                                       \
                  loops)
#define SPARSE_P_PLACES_AND_0(places, made) places
#define SPARSE_P_PLACES_AND_1(places, made) (0made, places, made)
#define SPARSE_P_END_OF_MADE(c, made)       SPARSE_P_END_OF_MADE_ made
#define SPARSE_P_END_OF_MADE_(n, end, ...)  , (n, end, )
/* UNROLLS plan -> 1 if the loop is unrolled, 2 if it prefetches, too */
#define SPARSE_P_UNROLLS(d, i, strategy, ...) SPARSE_P_PASS_CELL(UNROLLS, strategy)
/* LAST(k, plan, plan): the two innermost loops. If the outer one is unrolled, SPARSE_UNROLL of its iterations, its lanes,
   run together in each iteration of the inner loop (unroll and jam). The remaining iterations run one by one. An output
   over the inner loop is then read and written once for all lanes. Sums are computed in the same order as without
   unrolling. `continue` ends the iteration of a lane, and `break` ends all remaining iterations of the lane. The elements
   that lanes prefetch are prefetched before the inner loop. */
#define SPARSE_P_LAST(k, p, q)                                                                                              \
    SPARSE_P_LAST_(SPARSE_P_CAT(SPARSE_P_ROOM_, SPARSE_P_ROOM_OF q)(SPARSE_P_FIRST q, SPARSE_P_ID k), p, q)
#define SPARSE_P_LAST_(k, p, q)                                                                                             \
    SPARSE_P_BEGIN_LOOP(p)                                                                                                  \
    SPARSE_P_CAT(SPARSE_P_LANES_, SPARSE_P_UNROLLS p)                                                                       \
    (k, p, q) SPARSE_P_OPEN_BODY(k, p) SPARSE_P_INNER(k, q) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_LANES_0(k, p, q)
#define SPARSE_P_LANES_1(k, p, q) SPARSE_P_LANES_FAR(p, q, SPARSE_P_ID k)
#define SPARSE_P_LANES_2(k, p, q) SPARSE_P_LANES_AHEAD(p, q, SPARSE_P_ID k)
#define SPARSE_P_LANE_LOOP(i)                                                                                               \
    for (unsigned sparse_l_##i##_lane = 0; sparse_l_##i##_lane < SPARSE_UNROLL; sparse_l_##i##_lane++)
#define SPARSE_P_LANES(...) SPARSE_P_LANES_(__VA_ARGS__)
#define SPARSE_P_LANES_(ahead, leaves, outs, statement, made, d, i, strategy, dead, kind, drivers, followers, flags, ...)   \
    SPARSE_P_LANES_HOLDING(ahead, SPARSE_P_LANED_ALL((d, i), leaves), (SPARSE_P_EACHE(SPARSE_P_LANED, (d, i), outs)),       \
                           statement, made, d, i, kind, drivers, __VA_ARGS__)
#define SPARSE_P_LANES_HOLDING(ahead, leaves, outs, ...)                                                                    \
    SPARSE_P_LANES_OVER(ahead, leaves, outs, (SPARSE_P_EACHE(SPARSE_P_HOLDINGS, , outs)), __VA_ARGS__)
#define SPARSE_P_LANES_OVER(ahead, leaves, outs, held, statement, made, d, i, kind, drivers, e, j, jstrategy, jdead, jkind, \
                            jdrivers, jfollowers, jflags)                                                                   \
    size_t sparse_l_##i##_next = SPARSE_P_LANES_FROM_##kind(i, drivers);                                                    \
    for (; sparse_l_##i##_end - sparse_l_##i##_next >= SPARSE_UNROLL; sparse_l_##i##_next += SPARSE_UNROLL) {               \
        unsigned sparse_l_##i##_left = 0;                                                                                   \
        SPARSE_P_PROGRESS(d, kind, i)                                                                                       \
        SPARSE_P_EACHE(SPARSE_P_LANED_ARRAY, , held)                                                                        \
        SPARSE_P_EACH_LANE(SPARSE_P_LANED_LOAD, i, kind, drivers, held)                                                     \
        ahead SPARSE_P_PASS(jstrategy, j, 0, sparse_l_##j##_size) SPARSE_P_LANES_UNROLLED SPARSE_P_LANE_LOOP(i)             \
        {                                                                                                                   \
            SPARSE_P_PASS_CELL(INSIDE, jstrategy)() if (sparse_l_##i##_left >> sparse_l_##i##_lane & 1u) continue;          \
            SPARSE_P_LANE_##kind(i, drivers) SPARSE_P_ENTER(d, 0some, leaves)                                               \
                SPARSE_P_EACHB(SPARSE_P_MAKE, d, made) bool sparse_l_##i##_more = true;                                     \
            for (; sparse_l_##i##_more; sparse_l_##i##_more = false) {                                                      \
                SPARSE_P_BODY(e, 0some, leaves, outs, statement)                                                            \
            }                                                                                                               \
            if (sparse_l_##i##_more) sparse_l_##i##_left |= 1u << sparse_l_##i##_lane;                                      \
            SPARSE_P_LEAVE(d, outs)                                                                                         \
        }                                                                                                                   \
        SPARSE_P_EACH_LANE(SPARSE_P_LANED_STORE, i, kind, drivers, held)                                                    \
    }
/* LANED((d, i), record) -> , record. If each lane has an element of its own in an output, like y(i), it holds that element
   in y_lanes[i_lane] during the inner loop, and the record becomes (0laned, i, y, ...). In the array of the output, the
   element would be written in each iteration, because the compiler does not know that lanes write different elements.
   Values of narrow types would be rounded each time. */
#define SPARSE_P_LANED(c, record) SPARSE_P_LANED_(SPARSE_P_ID c, record, SPARSE_P_ID record)
#define SPARSE_P_LANED_(...)      SPARSE_P_LANED__(__VA_ARGS__)
#define SPARSE_P_LANED__(d, i, record, what, ...)                                                                           \
    SPARSE_P_SECOND(SPARSE_P_LANED_##what, SPARSE_P_LANED_NOT)(d, i, record, __VA_ARGS__)
#define SPARSE_P_LANED_NOT(d, i, record, ...) , record
#define SPARSE_P_LANED_0tensor                ~, SPARSE_P_LANED_TENSOR
#define SPARSE_P_LANED_TENSOR(d, i, record, role, name, value, levels, nlev, placed, sparse)                                \
    SPARSE_P_SECOND(SPARSE_P_CAT3(SPARSE_P_LANED_, role, SPARSE_P_CMP(placed, d)), SPARSE_P_LANED_NOT)                      \
    (d, i, record, name, value, levels, nlev)
#define SPARSE_P_LANED_0write0here                                     ~, SPARSE_P_LANED_OUTPUT
#define SPARSE_P_LANED_0like0here                                      ~, SPARSE_P_LANED_OUTPUT
#define SPARSE_P_LANED_0update0here                                    ~, SPARSE_P_LANED_OUTPUT
#define SPARSE_P_LANED_OUTPUT(d, i, record, name, value, levels, nlev) , (0laned, i, name, value, levels, nlev, d)
/* LANED_ALL: LANED for all places, which may stand with workspaces, see ENTER */
#define SPARSE_P_LANED_ALL(c, leaves) SPARSE_P_CAT(SPARSE_P_LANED_ALL_, SPARSE_P_FIRST leaves)(c, SPARSE_P_ID leaves)

#define SPARSE_P_LANED_ALL_(c, ...)               (SPARSE_P_EACHE(SPARSE_P_LANED, c, (__VA_ARGS__)))
#define SPARSE_P_LANED_ALL_0made(...)             SPARSE_P_LANED_BESIDE(__VA_ARGS__)
#define SPARSE_P_LANED_BESIDE(c, z, places, made) (z, (SPARSE_P_EACHE(SPARSE_P_LANED, c, places)), made)
#define SPARSE_P_ENTER_0laned(d, phase, i, A, value, levels, n, at)                                                         \
    SPARSE_P_AT_LOOP(at, d)(SPARSE_P_LANED_VALUE)(i, A, value)
#define SPARSE_P_LANED_VALUE(i, A, value)                                                                                   \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = sparse_l_##A##_lanes[sparse_l_##i##_lane];
#define SPARSE_P_LEAVE_0laned(d, i, A, value, levels, n, at) SPARSE_P_AT_LOOP(at, d)(SPARSE_P_LANED_PUT_BACK)(i, A)
#define SPARSE_P_LANED_PUT_BACK(i, A)                        sparse_l_##A##_lanes[sparse_l_##i##_lane] = A;
#define SPARSE_P_HAS_OUT_0laned(...)
#define SPARSE_P_IN_OUT_0laned(...)
/* HOLDINGS(, record) -> , (i, y, ...) if lanes hold the elements of the output y. EACH_LANE(m, i, KIND, drivers, holdings)
   executes m for each lane and each of these outputs. */
#define SPARSE_P_HOLDINGS(c, record)  SPARSE_P_HOLDINGS_ record
#define SPARSE_P_HOLDINGS_(what, ...) SPARSE_P_SECOND(SPARSE_P_HOLDINGS_##what, SPARSE_P_DROP)((__VA_ARGS__))
#define SPARSE_P_HOLDINGS_0laned      ~, SPARSE_P_ITEM
#define SPARSE_P_EACH_LANE(m, i, kind, drivers, held)                                                                       \
    SPARSE_P_CAT(SPARSE_P_EACH_LANE_, SPARSE_P_IS_ANY held)(m, i, kind, drivers, held)
#define SPARSE_P_EACH_LANE_0(m, i, kind, drivers, held)
#define SPARSE_P_EACH_LANE_1(m, i, kind, drivers, held)                                                                     \
    SPARSE_P_LANES_UNROLLED SPARSE_P_LANE_LOOP(i) { SPARSE_P_LANE_##kind(i, drivers) SPARSE_P_EACHE(m, , held) }
#define SPARSE_P_LANED_ARRAY(c, held)           SPARSE_P_LANED_ARRAY_ held
#define SPARSE_P_LANED_ARRAY_(i, A, value, ...) SPARSE_P_VISIBLE(value) sparse_l_##A##_lanes[SPARSE_UNROLL];
#define SPARSE_P_LANED_LOAD(c, held)            SPARSE_P_LANED_LOAD_ held
#define SPARSE_P_LANED_LOAD_(i, A, value, levels, n, d)                                                                     \
    SPARSE_P_EACHF(SPARSE_P_LOCATE, (d, A), levels)                                                                         \
    sparse_l_##A##_lanes[sparse_l_##i##_lane] = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_LANED_STORE(c, held) SPARSE_P_LANED_STORE_ held
#define SPARSE_P_LANED_STORE_(i, A, value, levels, n, d)                                                                    \
    SPARSE_P_EACHF(SPARSE_P_LOCATE, (d, A), levels)                                                                         \
    sparse_l_##A##_val[sparse_l_p##A##n] = SPARSE_P_ENCODE(value, sparse_l_##A##_lanes[sparse_l_##i##_lane]);
/* UNASKED(leaves, plan) -> the plan of a loop that is unrolled although the line does not request it, with the elements
   that it prefetches */
#define SPARSE_P_UNASKED(leaves, d, i, strategy, dead, kind, drivers, followers)                                            \
    (d, i, SPARSE_P_UNASKED_##strategy, dead, kind, drivers, followers,                                                     \
     SPARSE_P_ROWS_FAR(leaves, d, i, strategy, kind, drivers))
#define SPARSE_P_UNASKED_0sequential          unroll
#define SPARSE_P_UNASKED_0ahead               0ahead_unroll
#define SPARSE_P_LANES_FROM_0FULL(i, drivers) 0, sparse_l_##i##_end = sparse_l_##i##_size
#define SPARSE_P_LANES_FROM_0ONE(i, drivers)  SPARSE_P_EACHG(SPARSE_P_LANES_OF, i, drivers)
#define SPARSE_P_LANES_OF(i, it)              SPARSE_P_IT(SPARSE_P_LANES_OF, i, it)
#define SPARSE_P_LANES_OF_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                         \
    SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__), sparse_l_##i##_end = SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__)
#define SPARSE_P_LANE_0FULL(i, drivers) SPARSE_UNUSED const size_t i = sparse_l_##i##_next + sparse_l_##i##_lane;
#define SPARSE_P_LANE_0ONE(i, drivers)  SPARSE_P_EACHG(SPARSE_P_LANE, i, drivers)
#define SPARSE_P_LANE(i, it)            SPARSE_P_IT(SPARSE_P_LANE, i, it) SPARSE_P_SURE(i, it)
#define SPARSE_P_LANE_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                             \
    const size_t sparse_l_p##A##n = sparse_l_##i##_next + sparse_l_##i##_lane;                                              \
    SPARSE_UNUSED const size_t i = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, __VA_ARGS__);                                     \
    SPARSE_P_LANE_ON(A, n, crd, __VA_ARGS__)
#define SPARSE_P_LANE_ON(A, n, crd, format, m, walk, parent, head, stride, ...)                                             \
    SPARSE_P_CAT(SPARSE_P_ON_, SPARSE_P_WALK_CELL(ALL, walk))(A, n, crd, stride)

/* NEST(k, (, plan, plan)): the loop nest */
#define SPARSE_P_NEST(k, loops)        SPARSE_P_NEST_(k, SPARSE_P_ID loops)
#define SPARSE_P_NEST_(k, ...)         SPARSE_P_BY_COUNT(SPARSE_P_NEST_, __VA_ARGS__)(k, __VA_ARGS__)
#define SPARSE_P_NEST_1(k, z, p)       SPARSE_P_INNER(k, p)
#define SPARSE_P_NEST_2(k, z, p, q)    SPARSE_P_LAST(k, p, q)
#define SPARSE_P_NEST_3(k, z, p, ...)  SPARSE_P_OPEN(k, p) SPARSE_P_NEST_2(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_4(k, z, p, ...)  SPARSE_P_OPEN(k, p) SPARSE_P_NEST_3(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_5(k, z, p, ...)  SPARSE_P_OPEN(k, p) SPARSE_P_NEST_4(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_6(k, z, p, ...)  SPARSE_P_OPEN(k, p) SPARSE_P_NEST_5(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_7(k, z, p, ...)  SPARSE_P_OPEN(k, p) SPARSE_P_NEST_6(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_8(k, z, p, ...)  SPARSE_P_OPEN(k, p) SPARSE_P_NEST_7(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_9(k, z, p, ...)  SPARSE_P_OPEN(k, p) SPARSE_P_NEST_8(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_10(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_9(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_11(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_10(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_12(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_11(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)

/* >>mirrors
   Operands that store one triangle: symmetric(A, TYPE, i, j). The statement runs a second time for each entry, with i and j
   exchanged, unless they are equal. Input: the leaves and the statement. Output: a longer statement; the loops do not
   change. In spmv, y += A * x becomes

     if (i != j) {
         const size_t i_mirror = j, j_mirror = i;
         const size_t i = i_mirror, j = j_mirror;
         double y = y_val[i];
         const double x = x_val[j];
         bool mirrored = true;
         for (; mirrored; mirrored = false) y += A * x;
         y_val[i] = y;
         if (mirrored) break;
     }
     y += A * x;

   In the block, i, j and everything that depends on them belong to the mirror image. The inner loop runs once. A continue
   in the statement ends only this loop. A break leaves mirrored true, so that the second break ends the loop of the kernel.
   Outside of the block, y is another element of the output, because i is not j. */
/* MIRROR(, record) -> , (name, type, value, SIGN, (i, j)) for an operand that stores one triangle. The last field is no if
   the operand has fewer than two indices, or sums among them. */
#define SPARSE_P_MIRROR(c, record)  SPARSE_P_MIRROR_ record
#define SPARSE_P_MIRROR_(what, ...) SPARSE_P_SECOND(SPARSE_P_MIRROR_##what, SPARSE_P_DROP)(__VA_ARGS__)
#define SPARSE_P_MIRROR_0mirrored   ~, SPARSE_P_MIRROR_OF
#define SPARSE_P_MIRROR_OF(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, described,      \
                           fixed, sign)                                                                                     \
    , (name, type, value, sign, SPARSE_P_PAIR_OF(indices))
#define SPARSE_P_PAIR_OF(indices)                                                                                           \
    SPARSE_P_CAT(SPARSE_P_PAIR_OF_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_IS_SUM, , indices)))(indices)
#define SPARSE_P_PAIR_OF_1(indices) 0no
#define SPARSE_P_PAIR_OF_0(indices) SPARSE_P_SECOND(~SPARSE_P_LAST_TWO(SPARSE_P_PAIR, ~, SPARSE_P_ID indices), 0no)
#define SPARSE_P_PAIR(c, i, j, ...) , (i, j)
/* EXCHANGED((, b, i, j)) -> (, b, j, i) */
#define SPARSE_P_EXCHANGED(indices)       SPARSE_P_LAST_TWO(SPARSE_P_EXCHANGED_, ~, SPARSE_P_ID indices)
#define SPARSE_P_EXCHANGED_(c, i, j, ...) (__VA_ARGS__, j, i)
/* WITH_MIRROR(loops, leaves, outs, (statement)) -> (block statement) */
#define SPARSE_P_WITH_MIRROR(loops, leaves, outs, statement)                                                                \
    SPARSE_P_WITH_MIRROR_(SPARSE_P_SECOND(~SPARSE_P_EACHE(SPARSE_P_MIRROR, , leaves), ~), loops, leaves, outs, statement)
#define SPARSE_P_WITH_MIRROR_(mirror, loops, leaves, outs, statement)                                                       \
    SPARSE_P_BY_PAREN(SPARSE_P_WITH_MIRROR_, mirror)(mirror, loops, leaves, outs, statement)
#define SPARSE_P_WITH_MIRROR_0(mirror, loops, leaves, outs, statement) statement
#define SPARSE_P_WITH_MIRROR_1(mirror, loops, leaves, outs, statement)                                                      \
    SPARSE_P_MIRROR_AT(SPARSE_P_ID mirror, loops, leaves, outs, statement)
#define SPARSE_P_MIRROR_AT(...) SPARSE_P_MIRROR_AT_(__VA_ARGS__)
#define SPARSE_P_MIRROR_AT_(A, type, value, sign, pair, loops, leaves, outs, statement)                                     \
    SPARSE_P_MIRROR_IN(A, type, value, sign, SPARSE_P_ID pair, (SPARSE_P_EACHE(SPARSE_P_MIRROR_PLACE, (pair, 0), leaves)),  \
                       (SPARSE_P_EACHE(SPARSE_P_MIRROR_PLACE, (pair, SPARSE_P_COUNT(~SPARSE_P_ID loops)), outs)),           \
                       SPARSE_P_FOLDF(SPARSE_P_RIGHT, loops), statement)
#define SPARSE_P_MIRROR_IN(...) SPARSE_P_MIRROR_IN_(__VA_ARGS__)
#define SPARSE_P_MIRROR_IN_(A, type, value, sign, i, j, places, outs, innermost, statement)                                 \
    (if (i != j) {                                                                                                          \
        const size_t sparse_l_##i##_mirror = j, sparse_l_##j##_mirror = i;                                                  \
        SPARSE_P_SIGN_CELL(TURNED, sign)                                                                                    \
        (A, type, value) SPARSE_P_HIDING SPARSE_UNUSED const size_t i = sparse_l_##i##_mirror;                              \
        SPARSE_UNUSED const size_t j = sparse_l_##j##_mirror;                                                               \
        SPARSE_P_SIGN_CELL(READ, sign)(A, value) SPARSE_P_ENTER(1, 0some, places) bool sparse_l_mirrored = true;            \
        for (; sparse_l_mirrored; sparse_l_mirrored = false) {                                                              \
            SPARSE_P_ID statement;                                                                                          \
            SPARSE_P_LEAVE(2, outs)                                                                                         \
            SPARSE_P_LEAVE(3, outs)                                                                                         \
        }                                                                                                                   \
        SPARSE_P_EACHE(SPARSE_P_MIRROR_KEPT, , outs)                                                                        \
        SPARSE_P_LEAVE(1, outs)                                                                                             \
        SPARSE_P_HIDDEN                                                                                                     \
        SPARSE_P_MIRROR_ENDS innermost                                                                                      \
    } SPARSE_P_ID statement)
/* No break may leave a loop whose iterations run in parallel. */
#define SPARSE_P_MIRROR_ENDS(key, strategy, ...)                                                                            \
    SPARSE_P_CAT(SPARSE_P_MIRROR_ENDS_, SPARSE_P_STRATEGY_CELL(BESIDE, strategy))
#define SPARSE_P_MIRROR_ENDS_0                                                                                              \
    if (sparse_l_mirrored) break;
#define SPARSE_P_MIRROR_ENDS_1
/* TABLE SIGN: the mirror image of an entry
   rows: 0symmetric 0skew 0hermitian
     TURNED   declares A_mirror, if it differs from the entry itself
     READ     declares A, within the block
     ASKS     checks, before the kernel, that the values have a type for which this is possible */
#define SPARSE_P_SIGN_CELL(column, row) SPARSE_P_CELL(SPARSE_P_SIGN_##row##_##column SPARSE_P_SIGN_default_##column, ~)
#define SPARSE_P_SIGN_default_TURNED    , ~
#define SPARSE_P_SIGN_default_ASKS      , SPARSE_P_DROP
#define SPARSE_P_SIGN_default_READ      , SPARSE_P_MIRROR_READ

#define SPARSE_P_SIGN_0symmetric_TURNED , SPARSE_P_DROP
#define SPARSE_P_SIGN_0symmetric_READ   , SPARSE_P_DROP

#define SPARSE_P_SIGN_0skew_TURNED , SPARSE_P_MIRROR_NEGATED
#define SPARSE_P_SIGN_0skew_ASKS   , SPARSE_P_MIRROR_OF_SIGNED

#define SPARSE_P_SIGN_0hermitian_TURNED , SPARSE_P_MIRROR_CONJUGATED
#define SPARSE_P_SIGN_0hermitian_ASKS   , SPARSE_P_MIRROR_OF_NUMBERS
#define SPARSE_P_MIRROR_READ(A, value)  SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A = sparse_l_##A##_mirror;
#define SPARSE_P_MIRROR_NEGATED(A, type, value)                                                                             \
    const SPARSE_P_VISIBLE(value) sparse_l_##A##_mirror = (SPARSE_P_VISIBLE(value)) - A;
#define SPARSE_P_MIRROR_CONJUGATED(A, type, value)                                                                          \
    SPARSE_P_VISIBLE(value) sparse_l_##A##_mirror = A;                                                                      \
    sparse_p_conjugate(&sparse_l_##A##_mirror, &type##_encoding);
#define SPARSE_P_MIRROR_OF_NUMBERS(A, value)                                                                                \
    SPARSE_P_STATIC_ASSERT(SPARSE_KIND(SPARSE_P_VISIBLE(value)) != SPARSE_OPAQUE,                                           \
                           "hermitian(" #A ", ...) has values of a real or complex type of C");
#define SPARSE_P_MIRROR_OF_SIGNED(A, value)                                                                                 \
    SPARSE_P_STATIC_ASSERT(SPARSE_KIND(SPARSE_P_VISIBLE(value)) < SPARSE_U8 ||                                              \
                               SPARSE_KIND(SPARSE_P_VISIBLE(value)) > SPARSE_U64,                                           \
                           "skew(" #A ", ...) has values of a type with negative numbers");
/* MIRROR_PLACE(((i, j), N), record) -> , place of an operand or output in the block of the mirror image. N is the number of
   loops, or 0 for operands. The result is empty for a tensor with neither i nor j, unless it is an output that becomes
   known in the innermost loop. The field PLACED of the place is
     1   for all tensors but the following: all positions are known at the beginning of the block; outputs are written at
         its end
     2   for an output that becomes known in the innermost loop: it is written after the statement, so a continue leaves it
         unchanged
     3   for such an output with neither i nor j: both statements write the same element. It is written after the first
         statement and then read again, so that a continue in either statement undoes that statement alone */
#define SPARSE_P_MIRROR_PLACE(c, record) SPARSE_P_MIRROR_PLACE_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_MIRROR_PLACE_(...)      SPARSE_P_MIRROR_PLACE__(__VA_ARGS__)
#define SPARSE_P_MIRROR_PLACE__(pair, n, what, ...)                                                                         \
    SPARSE_P_SECOND(SPARSE_P_MIRROR_PLACE_##what, SPARSE_P_DROP)(pair, n, __VA_ARGS__)
#define SPARSE_P_MIRROR_PLACE_0tensor ~, SPARSE_P_MIRROR_PLACE_OF
#define SPARSE_P_MIRROR_PLACE_0sliced ~, SPARSE_P_MIRROR_PLACE_OF
#define SPARSE_P_MIRROR_PLACE_OF(pair, n, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,  \
                                 ...)                                                                                       \
    SPARSE_P_CAT(SPARSE_P_MIRROR_PLACE_, SPARSE_P_HAS_EITHER(pair, indices))                                                \
    (role, name, value, levels, nlev, SPARSE_P_CAT(SPARSE_P_MIRROR_IN_LOOP_, SPARSE_P_CMP(placed, n)), sparse)
#define SPARSE_P_MIRROR_IN_LOOP_0before 1
#define SPARSE_P_MIRROR_IN_LOOP_0here   2
#define SPARSE_P_MIRROR_IN_LOOP_0after  1
#define SPARSE_P_MIRROR_PLACE_0(role, name, value, levels, nlev, placed, sparse)                                            \
    SPARSE_P_CAT(SPARSE_P_MIRROR_SAME_, placed)(role, name, value, nlev, sparse)
#define SPARSE_P_MIRROR_SAME_1(role, name, value, nlev, sparse)
#define SPARSE_P_MIRROR_SAME_2(role, name, value, nlev, sparse) , (0tensor, role, name, value, (), nlev, 3, sparse)
#define SPARSE_P_MIRROR_KEPT(c, place)                          SPARSE_P_MIRROR_KEPT_ place
#define SPARSE_P_MIRROR_KEPT_(what, role, name, value, levels, nlev, placed, sparse)                                        \
    SPARSE_P_AT_LOOP(placed, 3)(SPARSE_P_TAKE_AGAIN)(name, value, nlev)
#define SPARSE_P_TAKE_AGAIN(A, value, n) A = SPARSE_P_DECODE(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_MIRROR_PLACE_1(role, name, value, levels, nlev, placed, sparse)                                            \
    , (0tensor, role, name, value, (SPARSE_P_EACHF(SPARSE_P_MIRROR_LEVEL, , levels)), nlev, placed, sparse)
#define SPARSE_P_MIRROR_LEVEL(c, level) SPARSE_P_MIRROR_LEVEL_ level
#define SPARSE_P_MIRROR_LEVEL_(number, storage, letter, placed, variable, part)                                             \
    , (number, storage, letter, 1, variable, part)
/* HAS_EITHER((i, j), indices) -> 1 if i or j is in one of the subscripts */
#define SPARSE_P_HAS_EITHER(pair, indices)                                                                                  \
    SPARSE_P_HAS_EITHER_(SPARSE_P_ID pair, (SPARSE_P_EACHF(SPARSE_P_LETTERS_IN, , indices)))
#define SPARSE_P_HAS_EITHER_(...) SPARSE_P_HAS_EITHER__(__VA_ARGS__)
#define SPARSE_P_HAS_EITHER__(i, j, letters)                                                                                \
    SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_SAME, i, letters) SPARSE_P_EACHF(SPARSE_P_SAME, j, letters))

/* >>emit
   Writes the functions of a kernel. Input: all results of the stages. Output: two functions. For spmv these are
     static inline sparse_result spmv_loops(size_t i_size, size_t j_size, double *y_val, const uint32_t *A2_pos, ...)
     static inline sparse_result spmv(vec *y, const csr *A, const vec *x)
   The second one checks its operands, see >>binding in sparse_formats.h, and calls the first one with their sizes and
   arrays. */
/* clang-format off */
/* EMIT: the loops, as a function of sizes and arrays, and the kernel, which checks its operands and calls that function */
#define SPARSE_P_EMIT(kernel, loops, letters, blocks, outs, plans, leaves, statement)                        \
    SPARSE_P_EMIT_AS(SPARSE_P_WAY_OF(outs), kernel, loops, letters, blocks, outs, plans,                     \
                     leaves, SPARSE_P_ID statement)
#define SPARSE_P_EMIT_AS(...) SPARSE_P_EMIT_AS_(__VA_ARGS__)
#define SPARSE_P_EMIT_AS_(way, kernel, loops, letters, blocks, outs, plans, leaves, statement, initial,      \
                          wheres, bases)                                                                     \
    (1 SPARSE_P_CAT(SPARSE_P_SAME_BLOCKS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_PARTLY, , loops)))(loops, leaves)        \
         SPARSE_P_EACHA(SPARSE_P_SAME_PARTS, , wheres))),                                                                   \
        #kernel ": the loops and the levels of an operand divide an index into different parts");            \
    SPARSE_P_EACHE(SPARSE_P_TYPED, kernel, leaves)                                                                 \
    SPARSE_P_FOR_TARGETS SPARSE_P_TUNED SPARSE_P_EACHF(SPARSE_P_ATTRIBUTE, , loops)                                         \
    SPARSE_P_EACHE(SPARSE_P_WHERE_ATTRIBUTE, , wheres) static inline sparse_result                           \
    kernel##_loops(SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE_PARAMETER, , (, SPARSE_P_ID letters))          \
                                 SPARSE_P_EACHE(SPARSE_P_ARRAYS, , leaves)                                   \
                                 SPARSE_P_EACHE(SPARSE_P_WORK_PARAMETERS, , wheres)                           \
                                 SPARSE_P_EACHF(SPARSE_P_PART_PARAMETER, way, loops)                         \
                                 SPARSE_P_EACHF(SPARSE_P_WHOLE_PARAMETER, , blocks)))                        \
    {                                                                                                        \
        SPARSE_P_EACHF(SPARSE_P_BLOCK_SIZE, , loops)                                                         \
        SPARSE_P_EACHE(SPARSE_P_CURRENT_VALUES, , leaves)                                                    \
        SPARSE_P_EACHE(SPARSE_P_FILL_OF, , leaves)                                                           \
        SPARSE_P_EACHE(SPARSE_P_ACCUMULATE, SPARSE_P_SHARES_OF(loops), SPARSE_P_BEGUN(initial, outs))        \
        SPARSE_P_CAT(SPARSE_P_OPEN_SHARES_, SPARSE_P_SHARES_OF(loops))                                       \
        SPARSE_P_EACHE(SPARSE_P_BEGIN_SHARE, SPARSE_P_SHARES_OF(loops), outs)                                \
        SPARSE_P_EACHF(SPARSE_P_AROUND, , loops)                                                             \
        SPARSE_P_NEST_OF((SPARSE_P_ID blocks SPARSE_P_EACHE(SPARSE_P_PLACE, , leaves)),                                     \
         (SPARSE_P_EACHE(SPARSE_P_PLACE, , outs)), SPARSE_P_WITH_MIRROR(loops, leaves, outs, statement),     \
         SPARSE_P_DEFAULTS((wheres, outs,                                                                                   \
                            (SPARSE_P_LAST_TWO(SPARSE_P_ASKED, ~, SPARSE_P_ID loops)                                        \
                             SPARSE_P_EACHE(SPARSE_P_IS_CURRENT, , leaves) SPARSE_P_EACHE(SPARSE_P_MIRROR, , leaves)),      \
                            leaves), plans), way, loops, wheres, leaves)                                                    \
        SPARSE_P_EACHF(SPARSE_P_AROUND_END, , loops)                                                         \
        SPARSE_P_EACHE(SPARSE_P_END_SHARE, SPARSE_P_SHARES_OF(loops), outs)                                  \
        SPARSE_P_CAT(SPARSE_P_CLOSE_SHARES_, SPARSE_P_SHARES_OF(loops))                                      \
        SPARSE_P_EACHE(SPARSE_P_ADD_SHARES, SPARSE_P_SHARES_OF(loops), outs)                                 \
        SPARSE_P_EACHE(SPARSE_P_ACCUMULATED, , outs)                                                         \
        return SPARSE_OK;                                                                                    \
    }                                                                                                        \
    SPARSE_P_EMIT_##way(kernel, loops, letters, blocks, outs, leaves, SPARSE_P_BEGUN(initial, outs), wheres)
#define SPARSE_P_EMIT_0in_place(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                  \
    SPARSE_NODISCARD SPARSE_UNUSED SPARSE_P_TUNED SPARSE_P_CAT(SPARSE_P_FLAT_, SPARSE_P_IS_ANY blocks)(loops, wheres)       \
    static inline sparse_result kernel(SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves)))                         \
    {                                                                                                                       \
        SPARSE_P_BIND(kernel, letters, loops, leaves, wheres)                                                               \
        SPARSE_P_EACHE(SPARSE_P_PATTERN, , outs)                                                             \
        SPARSE_P_WORK(letters, loops, wheres)                                                                \
        SPARSE_P_EACHE(SPARSE_P_FILL, , begun)                                                               \
        SPARSE_P_EACHF(SPARSE_P_RANGE_KNOWN, letters, loops) /* comes last: no call follows that might change the sizes */ \
        sparse_result sparse_l_looped;                                                                                \
        SPARSE_P_CAT(SPARSE_P_CALL_, SPARSE_P_IS_ANY blocks)                                                 \
        (sparse_l_looped =, kernel, letters, blocks, SPARSE_P_CALL_ARGUMENTS(letters, leaves, 0in_place, loops, wheres)) \
        SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                          \
        return sparse_l_looped;                                                                                       \
    }
/* kernel() allocates the arrays of its assembled output. kernel_into() fills arrays of the caller. */
#define SPARSE_P_EMIT_0assembled(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                 \
    SPARSE_UNUSED SPARSE_P_TUNED static inline sparse_result                                               \
    kernel##_assemble(bool sparse_l_fixed SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves))                               \
    {                                                                                                        \
        SPARSE_P_BIND(kernel, letters, loops, leaves, wheres)                                                               \
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
    }                                                                                                        \
    SPARSE_P_CAT(SPARSE_P_COUNTING_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_IN_PLACE, , outs)))(kernel, outs, leaves)
/* kernel_needs() runs kernel_into() without arrays, and counts the bytes that it takes from an arena. It does not exist if
   such a run would change other outputs. */
#define SPARSE_P_COUNTING_1(kernel, outs, leaves)
#define SPARSE_P_COUNTING_0(kernel, outs, leaves)                                                            \
    SPARSE_NODISCARD SPARSE_UNUSED static inline sparse_result                                               \
    kernel##_needs(sparse_needs *sparse_l_needs SPARSE_P_EACHE(SPARSE_P_PARAMETER, , leaves))                \
    {                                                                                                        \
        sparse_tensor *const sparse_l_output[] = {SPARSE_P_EACHE(SPARSE_P_OUTPUT_TENSOR, , outs) NULL};      \
        sparse_p_taken sparse_l_count;                                                                       \
        const sparse_result sparse_l_begun = sparse_p_begin_count(sparse_l_needs, &sparse_l_count, sparse_l_output); \
        if (sparse_l_begun != SPARSE_OK) return sparse_l_begun;                                              \
        return sparse_p_end_count(sparse_l_needs, &sparse_l_count, sparse_l_output,                          \
                                  kernel##_assemble(true SPARSE_P_EACHE(SPARSE_P_NAME_OF, , leaves)));       \
    }
#define SPARSE_P_IN_PLACE(c, record)                SPARSE_P_IN_PLACE_ record
#define SPARSE_P_IN_PLACE_(what, ...)               SPARSE_P_IN_PLACE_##what
#define SPARSE_P_IN_PLACE_0scalar                   , ~
#define SPARSE_P_IN_PLACE_0tensor                   , ~
#define SPARSE_P_IN_PLACE_0assembled
#define SPARSE_P_OUTPUT_TENSOR(c, record)           SPARSE_P_OUTPUT_TENSOR_ record
#define SPARSE_P_OUTPUT_TENSOR_(what, role, A, ...) (sparse_tensor *)(void *)A,
#define SPARSE_P_ASSEMBLE(in_parts, ...) SPARSE_P_CAT(SPARSE_P_ASSEMBLE_, in_parts)(__VA_ARGS__)
#define SPARSE_P_ASSEMBLE_0(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                     \
    SPARSE_P_EACHE(SPARSE_P_BUILDER, , outs)                                                                 \
    sparse_result sparse_l_had = SPARSE_OK;                                                                  \
    SPARSE_P_EACHE(SPARSE_P_BEGIN_WORK, (letters, 1, sparse_l_had), wheres)                                     \
    sparse_result sparse_l_ended;                                                                            \
    do {                                                                                                     \
        SPARSE_P_ASSEMBLE_PART(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                  \
        sparse_l_ended = sparse_l_made;                                                                      \
    } while (SPARSE_P_EACHE(SPARSE_P_AGAIN, , outs) false);                                                  \
    SPARSE_P_EACHE(SPARSE_P_END_WORK, , wheres)                                                              \
    return sparse_l_ended;
/* The kernel assembles the output in parts. Each part has its own builder. The loop over the parts may run on several
   threads, and each thread has its own workspaces. */
#define SPARSE_P_ASSEMBLE_1(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                     \
    sparse_p_builder sparse_l_one, *sparse_l_all = &sparse_l_one;                                                           \
    const size_t sparse_l_parts = sparse_p_divide(&sparse_l_all, sparse_p_assembled(sparse_l_operand), sparse_l_fixed);     \
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
    return sparse_p_join(sparse_l_all, sparse_l_parts);
/* After an error in the workspaces or in the loops, the loops are not called again: they may have left the workspaces in
   any state. */
#define SPARSE_P_ASSEMBLE_PART(kernel, loops, letters, blocks, outs, leaves, begun, wheres)                  \
    sparse_result sparse_l_made = sparse_l_had;                                                              \
    SPARSE_P_EACHE(SPARSE_P_START, , begun)                                                                  \
    SPARSE_P_CAT(SPARSE_P_CALL_, SPARSE_P_IS_ANY blocks)                                                     \
    (if (sparse_l_made == SPARSE_OK) sparse_l_made =, kernel, letters, blocks,                                              \
     SPARSE_P_CALL_ARGUMENTS(letters, leaves, 0assembled, loops, wheres))                                     \
    const sparse_result sparse_l_looped = sparse_l_made;                                                                    \
    SPARSE_P_EACHE(SPARSE_P_END, , outs)
/* BIND: the sizes of the loops. Operands of fixed sizes become local tensors, which compilers remove. If all operands have
   fixed sizes, the sizes are constants, and nothing is checked when the kernel is called. */
#define SPARSE_P_BIND(kernel, letters, loops, leaves, wheres)                                                               \
    SPARSE_P_BIND_OF(kernel, letters, loops, leaves, wheres, (SPARSE_P_EACHE(SPARSE_P_FIXED_LEAF, , leaves)))
#define SPARSE_P_BIND_OF(kernel, letters, loops, leaves, wheres, fixed)                                                     \
    SPARSE_P_EACHA(SPARSE_P_VIEW_FIXED, , fixed)                                                                            \
    SPARSE_P_EACHA(SPARSE_P_SAME_SIZES, (kernel, fixed), fixed)                                                             \
    SPARSE_P_CAT3(SPARSE_P_BIND_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_NOT_FIXED, , leaves)),                            \
                  SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_RANGED, , loops)))                                             \
    (kernel, letters, loops, leaves, wheres, fixed)
#define SPARSE_P_BIND_00(kernel, letters, loops, leaves, wheres, fixed)                                                     \
    SPARSE_UNUSED const sparse_p_operand sparse_l_operand[] = {                                                             \
        {NULL, NULL, "", SPARSE_READS SPARSE_P_OPERAND_NAME(#kernel)}};                                                     \
    SPARSE_UNUSED const size_t sparse_l_size[] = {                                                                          \
        SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE_FIXED, fixed, (, SPARSE_P_ID letters)))};                                \
    SPARSE_P_EACHE(SPARSE_P_CURRENT_TENSOR, kernel, leaves)                                                                 \
    SPARSE_P_EACHF(SPARSE_P_SIZE_KNOWN, (kernel, fixed), (, SPARSE_P_ID letters))                                           \
    SPARSE_P_EACHA(SPARSE_P_SUMS_FIT, (kernel, fixed), fixed)                                                               \
    SPARSE_P_EACHE(SPARSE_P_WORK_FITS, letters, wheres)
#define SPARSE_P_BIND_01                   SPARSE_P_BIND_11
#define SPARSE_P_BIND_10                   SPARSE_P_BIND_11
#define SPARSE_P_IS_RANGED(c, l)           SPARSE_P_IS_RANGED_ l
#define SPARSE_P_IS_RANGED_(key, strategy, ...) SPARSE_P_CAT(SPARSE_P_IS_RANGED_, SPARSE_P_STRATEGY_CELL(RANGES, strategy))
#define SPARSE_P_IS_RANGED_0
#define SPARSE_P_IS_RANGED_1               , ~
#define SPARSE_P_IS_RANGED_2               , ~
#define SPARSE_P_IS_RANGED_3               , ~
#define SPARSE_P_BIND_11(kernel, letters, loops, leaves, wheres, fixed)                                                     \
    SPARSE_UNUSED const char *const sparse_l_over = SPARSE_P_EACHF(SPARSE_P_QUOTE, , (, SPARSE_P_ID letters));              \
    SPARSE_P_EACHE(SPARSE_P_CURRENT_TENSOR, kernel, leaves)                                                                 \
    SPARSE_P_EACHE(SPARSE_P_APPLY, SPARSE_P_DECLARE, leaves)                                                               \
    SPARSE_P_EACHF(SPARSE_P_RANGE_OF_LOOP, , loops)                                                          \
    SPARSE_UNUSED const sparse_p_operand sparse_l_operand[] = {SPARSE_P_TAIL(SPARSE_P_EACHE(SPARSE_P_OPERAND, , leaves)     \
                                                             SPARSE_P_EACHF(SPARSE_P_RANGE_OPERAND, , loops))}; \
    SPARSE_UNUSED const size_t sparse_l_operands = sizeof sparse_l_operand / sizeof *sparse_l_operand;                      \
    size_t sparse_l_size[SPARSE_P_COUNT(SPARSE_P_ID letters) + 1];                                                    \
    SPARSE_P_BIND_SIZES(kernel, letters, loops, leaves)                                                                     \
    SPARSE_P_EACHE(SPARSE_P_WORK_FITS, letters, wheres)
#define SPARSE_P_BIND_ALL(kernel, letters, loops, leaves)                                                                   \
    const sparse_result sparse_l_result = sparse_p_bind(SPARSE_P_KERNEL_NAME(kernel), sparse_l_over, sparse_l_size,         \
                                                        sparse_l_operand, sparse_l_operands);                               \
    if (SPARSE_P_RATHER_NOT(sparse_l_result != SPARSE_OK, SPARSE_P_CHANCE(SPARSE_P_ID letters))) return sparse_l_result;
/* clang-format on */
#if SPARSE_EXPLAIN
    #define SPARSE_P_KERNEL_NAME(kernel) #kernel
#else
    #define SPARSE_P_KERNEL_NAME(kernel) NULL
#endif
/* BIND_SIZES: the sizes of the loops, from the operands. A table describes the operands, and one function checks the tables
   of all kernels. If a program for a controller omits checks, the kernel reads and compares the sizes itself, which needs
   less code. Sums of indices always need the table, because their sizes must be computed. */
#if SPARSE_FREESTANDING && SPARSE_CHECKS < 2 && !SPARSE_EXPLAIN
    #define SPARSE_P_BIND_SIZES(kernel, letters, loops, leaves)                                                             \
        SPARSE_P_CAT(SPARSE_P_BIND_SIZES_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_APPLY, SPARSE_P_DECLARE, leaves)))       \
        (kernel, letters, loops, leaves)
    #define SPARSE_P_BIND_SIZES_1 SPARSE_P_BIND_ALL
    #define SPARSE_P_BIND_SIZES_0(kernel, letters, loops, leaves)                                                           \
        bool sparse_l_known[SPARSE_P_COUNT(SPARSE_P_ID letters) + 1];                                                       \
        for (size_t sparse_l_at = 0; sparse_l_at < sizeof sparse_l_known; sparse_l_at++)                                    \
            sparse_l_size[sparse_l_at] = SIZE_MAX, sparse_l_known[sparse_l_at] = false;                                     \
        SPARSE_P_EACHE(SPARSE_P_READ_SIZES, letters, leaves)                                                                \
        SPARSE_P_EACHF(SPARSE_P_READ_RANGE, letters, loops)
#else
    #define SPARSE_P_BIND_SIZES SPARSE_P_BIND_ALL
#endif
/* FIXED_LEAF(, record) -> , (role, name, type, (, (index, size))) for an operand of fixed sizes */
#define SPARSE_P_FIXED_LEAF(c, record)  SPARSE_P_FIXED_LEAF_ record
#define SPARSE_P_FIXED_LEAF_(what, ...) SPARSE_P_FIXED_LEAF_##what(__VA_ARGS__)
#define SPARSE_P_FIXED_LEAF_0scalar(...)
#define SPARSE_P_FIXED_LEAF_0assembled(...)
#define SPARSE_P_FIXED_LEAF_0sliced(...)
#define SPARSE_P_FIXED_LEAF_0current(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,       \
                                     described, fixed, x, ...)                                                              \
    SPARSE_P_CAT(SPARSE_P_FIXED_LEAF_, SPARSE_P_IS_ANY fixed)(0current, name, type, indices, fixed)
/* A symmetric operand must be square: a second leaf has its last two indices in reverse order. */
#define SPARSE_P_FIXED_LEAF_0mirrored(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,      \
                                      described, fixed, sign)                                                               \
    SPARSE_P_CAT(SPARSE_P_FIXED_LEAF_, SPARSE_P_IS_ANY fixed)                                                               \
    (role, name, type, indices, fixed)                                                                                      \
        SPARSE_P_CAT(SPARSE_P_FIXED_LEAF_, SPARSE_P_IS_ANY fixed)(0current, name, type, SPARSE_P_EXCHANGED(indices), fixed)
#define SPARSE_P_FIXED_LEAF_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,        \
                                    described, fixed)                                                                       \
    SPARSE_P_CAT(SPARSE_P_FIXED_LEAF_, SPARSE_P_IS_ANY fixed)(role, name, type, indices, fixed)
#define SPARSE_P_FIXED_LEAF_0(role, name, type, indices, fixed)
#define SPARSE_P_FIXED_LEAF_1(role, name, type, indices, fixed)                                                             \
    , (role, name, type, SPARSE_P_ZIP(SPARSE_P_ID indices SPARSE_P_ID fixed))
/* NOT_FIXED(, record) -> , ~ for a tensor whose sizes are not fixed */
#define SPARSE_P_NOT_FIXED(c, record)  SPARSE_P_NOT_FIXED_ record
#define SPARSE_P_NOT_FIXED_(what, ...) SPARSE_P_NOT_FIXED_##what(__VA_ARGS__)
#define SPARSE_P_NOT_FIXED_0scalar(...)
#define SPARSE_P_NOT_FIXED_0assembled(...) , ~
#define SPARSE_P_NOT_FIXED_0sliced(...)    , ~
#define SPARSE_P_NOT_FIXED_0current(...)
#define SPARSE_P_NOT_FIXED_0mirrored(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,       \
                                     described, fixed, sign)                                                                \
    SPARSE_P_CAT(SPARSE_P_NOT_FIXED_, SPARSE_P_IS_ANY fixed)
#define SPARSE_P_NOT_FIXED_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,         \
                                   described, fixed)                                                                        \
    SPARSE_P_CAT(SPARSE_P_NOT_FIXED_, SPARSE_P_IS_ANY fixed)
#define SPARSE_P_NOT_FIXED_0 , ~
#define SPARSE_P_NOT_FIXED_1
/* VIEW_FIXED(, leaf): declares an operand of fixed sizes as a tensor, under the name that it has in the kernel */
#define SPARSE_P_VIEW_FIXED(c, leaf)    SPARSE_P_VIEW_FIXED_ leaf
#define SPARSE_P_VIEW_FIXED_(role, ...) SPARSE_P_SECOND(SPARSE_P_NO_VIEW_##role, SPARSE_P_VIEW_FIXED_OF)(role, __VA_ARGS__)
#define SPARSE_P_NO_VIEW_0current       ~, SPARSE_P_DROP
#define SPARSE_P_VIEW_FIXED_OF(role, name, type, sizes)                                                                     \
    sparse_tensor sparse_l_##name##_view = SPARSE_P_ZEROS;                                                                  \
    sparse_p_view_of_##type(sparse_l_##name##_fixed, &sparse_l_##name##_view);                                              \
    SPARSE_UNUSED SPARSE_P_ROLE_CELL(ACCESS, role)                                                                          \
    sparse_tensor *const name = &sparse_l_##name##_view;
/* FIXED_SIZE(i, fixed) -> the size of an index, from the first operand of fixed sizes that has it, or 0 */
#define SPARSE_P_FIXED_SIZE(i, fixed)                  (SPARSE_P_EACHE(SPARSE_P_SIZE_IN, i, fixed) 0)
#define SPARSE_P_SIZE_IN(i, leaf)                      SPARSE_P_SIZE_IN_(i, SPARSE_P_ID leaf)
#define SPARSE_P_SIZE_IN_(...)                         SPARSE_P_SIZE_IN__(__VA_ARGS__)
#define SPARSE_P_SIZE_IN__(i, role, name, type, sizes) SPARSE_P_EACHG(SPARSE_P_SIZE_IF, i, sizes)
#define SPARSE_P_SIZE_IF(i, pair)                      SPARSE_P_SIZE_IF_(i, SPARSE_P_ID pair)
#define SPARSE_P_SIZE_IF_(...)                         SPARSE_P_SIZE_IF__(__VA_ARGS__)
#define SPARSE_P_SIZE_IF__(i, x, size)                 SPARSE_P_BY_PAREN(SPARSE_P_SIZE_IF_, x)(i, x, size)
#define SPARSE_P_SIZE_IF_1(i, x, size)
#define SPARSE_P_SIZE_IF_0(i, x, size) SPARSE_P_IFEQ(i, x, sizeof(char) ? (size_t)(size) :)
#define SPARSE_P_SIZE_FIXED(fixed, i)  , SPARSE_P_FIXED_SIZE(i, fixed)
/* Each size of an index must equal the size that the first operand gives it. */
#define SPARSE_P_SAME_SIZES(c, leaf) SPARSE_P_SAME_SIZES_(SPARSE_P_ID c, SPARSE_P_ID leaf)
#define SPARSE_P_SAME_SIZES_(...)    SPARSE_P_SAME_SIZES__(__VA_ARGS__)
#define SPARSE_P_SAME_SIZES__(kernel, fixed, role, name, type, sizes)                                                       \
    SPARSE_P_EACHB(SPARSE_P_SAME_SIZE_IN, (kernel, fixed, name), sizes)
#define SPARSE_P_SAME_SIZE_IN(c, pair) SPARSE_P_SAME_SIZE_IN_(SPARSE_P_ID c, SPARSE_P_ID pair)
#define SPARSE_P_SAME_SIZE_IN_(...)    SPARSE_P_SAME_SIZE_IN__(__VA_ARGS__)
#define SPARSE_P_SAME_SIZE_IN__(kernel, fixed, name, x, size)                                                               \
    SPARSE_P_BY_PAREN(SPARSE_P_SAME_SIZE_IN_, x)(kernel, fixed, name, x, size)
#define SPARSE_P_SAME_SIZE_IN_1(kernel, fixed, name, x, size)
#define SPARSE_P_SAME_SIZE_IN_0(kernel, fixed, name, x, size)                                                               \
    SPARSE_P_STATIC_ASSERT((size_t)(size) == SPARSE_P_FIXED_SIZE(x, fixed),                                                 \
                           #kernel ": index " #x " has another fixed size in " #name " than in an operand before it");
#define SPARSE_P_SIZE_KNOWN(c, i) SPARSE_P_SIZE_KNOWN_(SPARSE_P_ID c, i)
#define SPARSE_P_SIZE_KNOWN_(...) SPARSE_P_SIZE_KNOWN__(__VA_ARGS__)
#define SPARSE_P_SIZE_KNOWN__(kernel, fixed, i)                                                                             \
    SPARSE_P_STATIC_ASSERT(SPARSE_P_FIXED_SIZE(i, fixed) > 0,                                                               \
                           #kernel ": no operand of fixed sizes has index " #i " by itself: write range(" #i ", size)");
/* Sums of indices must stay within the dimensions. */
#define SPARSE_P_SUMS_FIT(c, leaf) SPARSE_P_SUMS_FIT_(SPARSE_P_ID c, SPARSE_P_ID leaf)
#define SPARSE_P_SUMS_FIT_(...)    SPARSE_P_SUMS_FIT__(__VA_ARGS__)
#define SPARSE_P_SUMS_FIT__(kernel, fixed, role, name, type, sizes)                                                         \
    SPARSE_P_EACHB(SPARSE_P_SUM_FITS, (kernel, fixed, name), sizes)
#define SPARSE_P_SUM_FITS(c, pair) SPARSE_P_SUM_FITS_(SPARSE_P_ID c, SPARSE_P_ID pair)
#define SPARSE_P_SUM_FITS_(...)    SPARSE_P_SUM_FITS__(__VA_ARGS__)
#define SPARSE_P_SUM_FITS__(kernel, fixed, name, x, size)                                                                   \
    SPARSE_P_BY_PAREN(SPARSE_P_SUM_FITS_, x)(kernel, fixed, name, x, size)
#define SPARSE_P_SUM_FITS_0(kernel, fixed, name, x, size)
#define SPARSE_P_SUM_FITS_1(kernel, fixed, name, x, size) SPARSE_P_SUM_FITS3(kernel, fixed, name, size, SPARSE_P_ID x)
#define SPARSE_P_SUM_FITS3(...)                           SPARSE_P_SUM_FITS4(__VA_ARGS__)
#define SPARSE_P_SUM_FITS4(kernel, fixed, name, size, edge, terms, constants, written)                                      \
    SPARSE_P_CAT(SPARSE_P_SUM_FITS_, edge)                                                                                  \
    (kernel, fixed, name, size, terms,                                                                                      \
     SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, (, 0 SPARSE_P_EACHG(SPARSE_P_SIGNED, , constants))))
#define SPARSE_P_SUM_FITS_0padded(kernel, fixed, name, size, terms, constant)
#define SPARSE_P_SUM_FITS_0valid(kernel, fixed, name, size, terms, constant)                                                \
    SPARSE_P_STATIC_ASSERT((constant) >= 0 &&                                                                               \
                               (constant)SPARSE_P_EACHD(SPARSE_P_LAST_OF_TERM, fixed, terms) < (ptrdiff_t)(size),           \
                           #kernel ": a sum of indices leaves " #name ", whose size is fixed");
#define SPARSE_P_LAST_OF_TERM(fixed, term) SPARSE_P_LAST_OF_TERM_(fixed, SPARSE_P_ID term)
#define SPARSE_P_LAST_OF_TERM_(...)        SPARSE_P_LAST_OF_TERM__(__VA_ARGS__)
#define SPARSE_P_LAST_OF_TERM__(fixed, loop, c, i)                                                                          \
    +(ptrdiff_t)(SPARSE_P_FACTOR(c)) * ((ptrdiff_t)SPARSE_P_FIXED_SIZE(i, fixed) - 1)
#define SPARSE_P_READ_SIZES(letters, record)            SPARSE_P_READ_SIZES_(letters, SPARSE_P_ID record)
#define SPARSE_P_READ_SIZES_(...)                       SPARSE_P_READ_SIZES__(__VA_ARGS__)
#define SPARSE_P_READ_SIZES__(letters, what, role, ...) SPARSE_P_READ_SIZES_##what(letters, role, __VA_ARGS__)
#define SPARSE_P_READ_SIZES_0scalar(letters, role, ...)
#define SPARSE_P_READ_SIZES_0assembled(letters, role, ...)
#define SPARSE_P_READ_SIZES_0tensor(letters, role, name, type, value, pos, crd, indices, ...)                               \
    if (SPARSE_P_ROLE_CELL(TOLD, role) != SPARSE_COPIES) {                                                                  \
        const size_t *sparse_l_dim = sparse_p_dims_of(name);                                                                \
        SPARSE_P_EACHF(SPARSE_P_READ_SIZE, letters, indices)                                                                \
    }
#define SPARSE_P_READ_SIZES_0current SPARSE_P_READ_SIZES_0tensor
#define SPARSE_P_READ_SIZES_0mirrored(letters, role, name, type, value, pos, crd, indices, ...)                             \
    SPARSE_P_READ_SIZES_0tensor(letters, role, name, type, value, pos, crd, indices, ~)                                     \
        SPARSE_P_READ_SIZES_0tensor(letters, role, name, type, value, pos, crd, SPARSE_P_EXCHANGED(indices), ~)
#define SPARSE_P_READ_SIZES_0sliced(letters, role, name, type, value, pos, crd, indices, ...)                               \
    {                                                                                                                       \
        const sparse_slice *sparse_l_dim = sparse_l_##name##_slice;                                                         \
        if (SPARSE_CHECKS >= 1) {                                                                                           \
            const sparse_result sparse_l_sliced =                                                                           \
                sparse_check_slices((const sparse_tensor *)(const void *)name, sparse_l_dim);                               \
            if (sparse_l_sliced != SPARSE_OK) return sparse_l_sliced;                                                       \
        }                                                                                                                   \
        SPARSE_P_EACHF(SPARSE_P_READ_SLICE, letters, indices)                                                               \
    }
#define SPARSE_P_READ_SIZE(letters, i)  SPARSE_P_TAKE_SIZE(SPARSE_P_POS(i, letters) - 1, *sparse_l_dim++)
#define SPARSE_P_READ_SLICE(letters, i) SPARSE_P_TAKE_SIZE(SPARSE_P_POS(i, letters) - 1, sparse_l_dim++->size)
#define SPARSE_P_TAKE_SIZE(at, its)                                                                                         \
    {                                                                                                                       \
        const sparse_result sparse_l_taken = sparse_p_take_size(&sparse_l_size[at], &sparse_l_known[at], its);              \
        if (sparse_l_taken != SPARSE_OK) return sparse_l_taken;                                                             \
    }
#define SPARSE_P_READ_RANGE(letters, l) SPARSE_P_READ_RANGE_(letters, SPARSE_P_ID l)
#define SPARSE_P_READ_RANGE_(...)       SPARSE_P_READ_RANGE__(__VA_ARGS__)
#define SPARSE_P_READ_RANGE__(letters, key, strategy, variable, kind, i, ...)                                               \
    SPARSE_P_CAT(SPARSE_P_READ_RANGE_, SPARSE_P_STRATEGY_CELL(RANGES, strategy))(letters, i)
#define SPARSE_P_READ_RANGE_0(letters, i)
#define SPARSE_P_READ_RANGE_1(letters, i) SPARSE_P_TAKE_SIZE(SPARSE_P_POS(i, letters) - 1, sparse_l_##i##_range)
#define SPARSE_P_READ_RANGE_2             SPARSE_P_READ_RANGE_1
#define SPARSE_P_READ_RANGE_3(letters, i)
#define SPARSE_P_CALL_ARGUMENTS(letters, leaves, way, loops, wheres)                                                        \
    (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_SIZE, letters, (, SPARSE_P_ID letters))                                          \
                       SPARSE_P_EACHE(SPARSE_P_ARGUMENTS, , leaves) SPARSE_P_EACHE(SPARSE_P_WORK_ARGUMENTS, , wheres)       \
                           SPARSE_P_EACHF(SPARSE_P_PART_OF, way, loops)))
/* What the functions contain for a workspace: the parameter of the loops, the argument, and the code that allocates and
   frees its memory. A scalar workspace is a local variable of the loops. */
#define SPARSE_P_WORK_PARAMETERS(c, where) SPARSE_P_WORK_PART(0parameter, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_ARGUMENTS(c, where)  SPARSE_P_WORK_PART(0argument, c, SPARSE_P_ID where)
#define SPARSE_P_BEGIN_WORK(c, where)      SPARSE_P_WORK_PART(0begin, c, SPARSE_P_ID where)
#define SPARSE_P_CLEAR_WORK(c, where)      SPARSE_P_WORK_PART(0clear, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_FITS(letters, where) SPARSE_P_WORK_PART(0fits, letters, SPARSE_P_ID where)
#define SPARSE_P_END_WORK(c, where)        SPARSE_P_WORK_PART(0end, c, SPARSE_P_ID where)
#define SPARSE_P_WORK_PART(...)            SPARSE_P_WORK_PART_(__VA_ARGS__)
#define SPARSE_P_WORK_PART_(column, c, n, tree, loops, letters, leaves, written, initial, out, operand, ...)                \
    SPARSE_P_WORK_PART3(SPARSE_P_WORKS_FOR(column, SPARSE_P_WORKS_AS operand), c, SPARSE_P_SECOND initial,                  \
                        SPARSE_P_OUTPUT_RECORD out, SPARSE_P_ID operand)
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
    result = sparse_p_allocate_workspace(                                                                                   \
        result, &sparse_l_##name##_work, sizeof(SPARSE_P_ELEMENT(value)), sparse_l_##name##_sizes,                          \
        sizeof sparse_l_##name##_sizes / sizeof *sparse_l_##name##_sizes, sparse_l_operand);
#define SPARSE_P_HELD_CLEAR(c, initial, out, name, type, value, ...)                                                        \
    sparse_p_clear_workspace(&sparse_l_##name##_work, sizeof(SPARSE_P_ELEMENT(value)));
#define SPARSE_P_HELD_END(c, initial, out, name, type, value, ...)                                                          \
    sparse_p_end_workspace(&sparse_l_##name##_work, sizeof(SPARSE_P_ELEMENT(value)), sparse_l_operand);
/* WORK: the workspaces of a kernel. If there is no memory for them, the kernel returns before it changes anything. */
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
#define SPARSE_P_COPIES_FOR_(key, strategy, ...) SPARSE_P_CAT(SPARSE_P_COPIES_, SPARSE_P_STRATEGY_CELL(BESIDE, strategy))
#define SPARSE_P_COPIES_0
#define SPARSE_P_COPIES_1 , sparse_p_threads()
#define SPARSE_P_COPIES_2 , sparse_p_threads()
/* The loops of a part of an output receive two numbers: the number of the part, and how many parts there are. */
#define SPARSE_P_PART_PARAMETER(way, l) SPARSE_P_PART_PARAMETER_(way, SPARSE_P_ID l)
#define SPARSE_P_PART_PARAMETER_(...)   SPARSE_P_PART_PARAMETER__(__VA_ARGS__)
#define SPARSE_P_PART_PARAMETER__(way, key, strategy, ...)                                                                  \
    SPARSE_P_CAT3(SPARSE_P_PART_PARAMETER_, way, SPARSE_P_STRATEGY_CELL(BESIDE, strategy))
#define SPARSE_P_PART_PARAMETER_0in_place0
#define SPARSE_P_PART_PARAMETER_0in_place1
#define SPARSE_P_PART_PARAMETER_0in_place2
#define SPARSE_P_PART_PARAMETER_0assembled0
#define SPARSE_P_PART_PARAMETER_0assembled1 , const size_t sparse_l_part, const size_t sparse_l_parts
#define SPARSE_P_PART_OF(way, l)            SPARSE_P_PART_OF_(way, SPARSE_P_ID l)
#define SPARSE_P_PART_OF_(...)              SPARSE_P_PART_OF__(__VA_ARGS__)
#define SPARSE_P_PART_OF__(way, key, strategy, ...)                                                                         \
    SPARSE_P_CAT3(SPARSE_P_PART_OF_, way, SPARSE_P_STRATEGY_CELL(BESIDE, strategy))
#define SPARSE_P_PART_OF_0in_place0
#define SPARSE_P_PART_OF_0in_place1
#define SPARSE_P_PART_OF_0in_place2
#define SPARSE_P_PART_OF_0assembled0
#define SPARSE_P_PART_OF_0assembled1             , sparse_l_part, sparse_l_parts
#define SPARSE_P_NAME_OF(c, record)              SPARSE_P_NAME_OF_ record
#define SPARSE_P_NAME_OF_(what, role, name, ...) SPARSE_P_NAME_OF_##what(name, __VA_ARGS__)
#define SPARSE_P_NAME_OF_0scalar(name, ...)      , name
#define SPARSE_P_NAME_OF_0assembled(name, ...)   , name
#define SPARSE_P_NAME_OF_0sliced(name, ...)      , name, sparse_l_##name##_slice
#define SPARSE_P_NAME_OF_0tensor(name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, described,      \
                                 fixed)                                                                                     \
    , SPARSE_P_CAT(SPARSE_P_PARAMETER_FIXED_, SPARSE_P_IS_ANY fixed)(name)
/* WAY_OF((, record)) -> assembled if an output is assembled, else in_place */
#define SPARSE_P_WAY_OF(outs)    SPARSE_P_SECOND(~SPARSE_P_EACHE(SPARSE_P_WAY, , outs), 0in_place)
#define SPARSE_P_WAY(c, record)  SPARSE_P_WAY_ record
#define SPARSE_P_WAY_(what, ...) SPARSE_P_WAY_##what
#define SPARSE_P_WAY_0scalar
#define SPARSE_P_WAY_0tensor
#define SPARSE_P_WAY_0assembled , 0assembled
/* BEGUN((, (), (, x)), (, (tensor, ...), (scalar, ...))) -> (, ((), tensor, ...), ((, x), scalar, ...)) */
#define SPARSE_P_BEGUN(initials, outs) (SPARSE_P_BEGUN_(SPARSE_P_COUNT(~SPARSE_P_ID outs), outs, SPARSE_P_TAIL initials))
#define SPARSE_P_BEGUN_(n, ...)        SPARSE_P_CAT(SPARSE_P_BEGUN_, n)(__VA_ARGS__)

#define SPARSE_P_BEGUN_REST(z, record, ...)   (z, __VA_ARGS__)
#define SPARSE_P_BEGUN_AT(outs, x)            SPARSE_P_BEGUN_BY(x, SPARSE_P_ID outs, ~)
#define SPARSE_P_BEGUN_BY(...)                SPARSE_P_BEGUN_BY_(__VA_ARGS__)
#define SPARSE_P_BEGUN_BY_(x, z, record, ...) , (x, SPARSE_P_ID record)
#define SPARSE_P_BEGUN_1(outs, x)             SPARSE_P_BEGUN_AT(outs, x)

#define SPARSE_P_BEGUN_2(outs, x, ...)  SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_1(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_3(outs, x, ...)  SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_2(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_4(outs, x, ...)  SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_3(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_5(outs, x, ...)  SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_4(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_6(outs, x, ...)  SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_5(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_7(outs, x, ...)  SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_6(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_8(outs, x, ...)  SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_7(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_9(outs, x, ...)  SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_8(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_10(outs, x, ...) SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_9(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_11(outs, x, ...) SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_10(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_12(outs, x, ...) SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_11(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_13(outs, x, ...) SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_12(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_14(outs, x, ...) SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_13(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
#define SPARSE_P_BEGUN_15(outs, x, ...) SPARSE_P_BEGUN_AT(outs, x) SPARSE_P_BEGUN_14(SPARSE_P_BEGUN_REST outs, __VA_ARGS__)
/* INITIAL(double, (, x)) -> x, INITIAL(double, ()) -> 0 */
#define SPARSE_P_INITIAL(value, initial)   SPARSE_P_CAT(SPARSE_P_INITIAL_, SPARSE_P_IS_ANY initial)(value, initial)
#define SPARSE_P_INITIAL_0(value, initial) SPARSE_ZERO(SPARSE_P_ELEMENT(value))
#define SPARSE_P_INITIAL_1(value, initial) SPARSE_P_ENCODE(value, SPARSE_P_TEXT initial)
/* TABLE ROLE: what a tensor is to the caller, by its role
   rows: 0must 0may 0not 0write 0update 0like
     ACCESS       const, or nothing: the qualifier of its values and storage
     WRITTEN      1 if it is an output
     TOLD         the access that the table of checks records
     FILL         what the loops know before they begin: that it is present, or its value where it is absent */
#define SPARSE_P_ROLE_CELL(column, row) SPARSE_P_CELL(SPARSE_P_ROLE_##row##_##column SPARSE_P_ROLE_default_##column, ~)
#define SPARSE_P_ROLE_default_ACCESS    , ~
#define SPARSE_P_ROLE_default_WRITTEN   , ~
#define SPARSE_P_ROLE_default_TOLD      , ~
#define SPARSE_P_ROLE_default_FILL      , ~

#define SPARSE_P_ROLE_0must_ACCESS  , const
#define SPARSE_P_ROLE_0must_WRITTEN , 0
#define SPARSE_P_ROLE_0must_TOLD    , SPARSE_READS
#define SPARSE_P_ROLE_0must_FILL    , SPARSE_P_IS_THERE

#define SPARSE_P_ROLE_0may_ACCESS  , const
#define SPARSE_P_ROLE_0may_WRITTEN , 0
#define SPARSE_P_ROLE_0may_TOLD    , SPARSE_READS
#define SPARSE_P_ROLE_0may_FILL    , SPARSE_P_IS_MAYBE

#define SPARSE_P_ROLE_0not_ACCESS  , const
#define SPARSE_P_ROLE_0not_WRITTEN , 0
#define SPARSE_P_ROLE_0not_TOLD    , SPARSE_READS
#define SPARSE_P_ROLE_0not_FILL    , SPARSE_P_IS_MAYBE

#define SPARSE_P_ROLE_0write_ACCESS  ,
#define SPARSE_P_ROLE_0write_WRITTEN , 1
#define SPARSE_P_ROLE_0write_TOLD    , SPARSE_WRITES
#define SPARSE_P_ROLE_0write_FILL    , SPARSE_P_DROP

#define SPARSE_P_ROLE_0update_ACCESS  ,
#define SPARSE_P_ROLE_0update_WRITTEN , 1
#define SPARSE_P_ROLE_0update_TOLD    , SPARSE_UPDATES
#define SPARSE_P_ROLE_0update_FILL    , SPARSE_P_IS_THERE

#define SPARSE_P_ROLE_0like_ACCESS  ,
#define SPARSE_P_ROLE_0like_WRITTEN , 1
#define SPARSE_P_ROLE_0like_TOLD    , SPARSE_COPIES
#define SPARSE_P_ROLE_0like_FILL    , SPARSE_P_DROP
/* FILL_OF(, record): if an operand may be absent, declares the value that it has there. Otherwise, declares has_A = true. */
#define SPARSE_P_FILL_OF(c, record)        SPARSE_P_FILL_OF_ record
#define SPARSE_P_FILL_OF_(what, role, ...) SPARSE_P_FILL_OF_##what(role, __VA_ARGS__)
#define SPARSE_P_FILL_OF_0scalar(role, name, value)                                                                         \
    SPARSE_P_CAT(SPARSE_P_FILL_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name)
#define SPARSE_P_FILL_SCALAR_0(name) SPARSE_P_IS_THERE(name, ~)
#define SPARSE_P_FILL_SCALAR_1(name)
#define SPARSE_P_FILL_OF_0assembled(role, ...)
#define SPARSE_P_FILL_OF_0tensor(role, ...) SPARSE_P_ROLE_CELL(FILL, role)(__VA_ARGS__)
#define SPARSE_P_FILL_OF_0sliced            SPARSE_P_FILL_OF_0tensor
#define SPARSE_P_FILL_OF_0mirrored          SPARSE_P_FILL_OF_0tensor
#define SPARSE_P_FILL_OF_0current           SPARSE_P_FILL_OF_0tensor
#define SPARSE_P_IS_THERE(name, ...)        SPARSE_UNUSED const bool has_##name = true;
#define SPARSE_P_IS_MAYBE(name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)                   \
    SPARSE_P_CAT(SPARSE_P_FILL_IF_, SPARSE_P_NZ_##sparse)(name, type, value)
#define SPARSE_P_FILL_IF_0(name, type, value)
#define SPARSE_P_FILL_IF_1(name, type, value)                                                                               \
    SPARSE_P_DECLARE_FILL(type, SPARSE_P_ELEMENT(value))                                                                    \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) sparse_l_##name##_fill = SPARSE_P_DECODE(value, type##_fill);
/* PATTERN(, record): for like(A, C, ...), gives C the pattern of A, with zeros as values */
#define SPARSE_P_PATTERN(c, record)        SPARSE_P_PATTERN_ record
#define SPARSE_P_PATTERN_(what, role, ...) SPARSE_P_PATTERN_##what##_##role(__VA_ARGS__)
#define SPARSE_P_PATTERN_0scalar_0write(...)
#define SPARSE_P_PATTERN_0tensor_0write(...)
#define SPARSE_P_PATTERN_0tensor_0update(...)
#define SPARSE_P_PATTERN_0tensor_0like(name, type, value, ...)                                                              \
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
#define SPARSE_P_FILL_0tensor1(initial, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,          \
                               described, fixed)                                                                            \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_initially = SPARSE_P_ENCODE(value, SPARSE_P_TEXT initial);              \
    SPARSE_P_CAT(SPARSE_P_FILL_FIXED_, SPARSE_P_IS_ANY fixed)(name, value)
#define SPARSE_P_FILL_FIXED_0(name, value)                                                                                  \
    sparse_p_fill_values(name, &sparse_l_##name##_initially, sizeof sparse_l_##name##_initially);
#define SPARSE_P_FILL_FIXED_1(name, value)                                                                                  \
    for (size_t sparse_l_at = 0; sparse_l_at < sparse_l_##name##_view.val.length; sparse_l_at++)                            \
        ((SPARSE_P_ELEMENT(value) *)sparse_p_val_of(name))[sparse_l_at] = sparse_l_##name##_initially;
#define SPARSE_P_QUOTE(c, i)          SPARSE_P_BY_PAREN(SPARSE_P_QUOTE_, i)(i)
#define SPARSE_P_QUOTE_0(i)           #i
#define SPARSE_P_QUOTE_1(i)           "+"
#define SPARSE_P_SIZE_PARAMETER(c, i) , SPARSE_UNUSED const size_t sparse_l_##i##_size
#define SPARSE_P_SIZE(letters, i)     , sparse_l_size[SPARSE_P_POS(i, letters) - 1]
/* If the line has blocks or slices, the loops are compiled twice. One copy is for the case that blocks fill the dimension,
   and rows fill the slices. It needs fewer tests than the other one. */
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
/* BLOCK_SIZE(, loop): declares the number of iterations of a loop over a part of an index */
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
/* SAME_BLOCKS_1(loops, leaves) -> && 2 == 2 ...: true if the loops and the levels divide each index by the same number */
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
#define SPARSE_P_SAME_IN_0mirrored           SPARSE_P_SAME_IN_0tensor
#define SPARSE_P_SAME_IN_0current            SPARSE_P_SAME_IN_0tensor
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

/* What the kernel and its loops declare and pass for each operand. Each macro is (c, record) -> text, and depends on the
   kind and the role of the operand. */

/* ARRAYS: the parameters of the loops for an operand. A scalar or dense output: , double *y_val. A tensor in CSR: , const
   uint32_t *A2_pos, const uint32_t *A2_crd, const double *A_val */
#define SPARSE_P_ARRAYS(c, record)          SPARSE_P_ARRAYS_OF record
#define SPARSE_P_ARRAYS_OF(what, role, ...) SPARSE_P_ARRAYS_##what(role, __VA_ARGS__)
#define SPARSE_P_ARRAYS_0scalar(role, name, value)                                                                          \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name, value)
#define SPARSE_P_ARRAYS_SCALAR_0(name, value)       , SPARSE_UNUSED SPARSE_P_VISIBLE(value) name
#define SPARSE_P_ARRAYS_SCALAR_1(name, value)       , value *SPARSE_RESTRICT sparse_l_##name##_val
#define SPARSE_P_ARRAYS_0tensor(role, ...)          SPARSE_P_ARRAYS_(SPARSE_P_ROLE_CELL(ACCESS, role), __VA_ARGS__)
#define SPARSE_P_ARRAYS_0assembled(role, name, ...) , sparse_p_builder *const sparse_l_##name##_to
#define SPARSE_P_ARRAYS_0sliced(role, ...)          SPARSE_P_ARRAYS_SLICED(__VA_ARGS__)
#define SPARSE_P_ARRAYS_0mirrored                   SPARSE_P_ARRAYS_0tensor
#define SPARSE_P_ARRAYS_0current(role, name, type, value, pos, crd, indices, levels, walks, ...)                            \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_SIZE, (name, SPARSE_P_ARRAYS_OWN_SIZE, ~), levels)                                        \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARRAYS, (name, pos, crd), walks)
/* ARRAYS_SLICED: these parameters for a slice: , const size_t A1_size, const sparse_slice A1_slice, ..., const sparse_slice
   A2_slice, const double *A_val */
#define SPARSE_P_ARRAYS_SLICED(name, type, value, pos, crd, indices, levels, walks, ...)                                    \
    SPARSE_P_EACHF(SPARSE_P_SLICE_PARAMETER, name, levels)                                                                  \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARRAYS, (name, pos, crd), walks)                                                          \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_VAL_, SPARSE_P_HAS_ARRAY(value))(const, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_SLICE_PARAMETER(A, level)                     SPARSE_P_SLICE_PARAMETER_(A, SPARSE_P_ID level)
#define SPARSE_P_SLICE_PARAMETER_(...)                         SPARSE_P_SLICE_PARAMETER__(__VA_ARGS__)
#define SPARSE_P_SLICE_PARAMETER__(A, n, storage, letter, ...) SPARSE_P_SLICE_PARAMETER_##storage(A, n)
#define SPARSE_P_SLICE_PARAMETER_0dense_slice(A, n)                                                                         \
    , SPARSE_UNUSED const size_t sparse_l_##A##n##_size, const sparse_slice sparse_l_##A##n##_slice
#define SPARSE_P_SLICE_PARAMETER_0sparse(A, n)    , const sparse_slice sparse_l_##A##n##_slice
#define SPARSE_P_SLICE_PARAMETER_0dense_sum_slice SPARSE_P_SLICE_PARAMETER_0dense_slice
#define SPARSE_P_SLICE_PARAMETER_0sparse_sum      SPARSE_P_SLICE_PARAMETER_0sparse
#define SPARSE_P_SLICE_ARRAYS(c, level)           SPARSE_P_SLICE_ARRAYS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARRAYS_(...)               SPARSE_P_SLICE_ARRAYS__(__VA_ARGS__)
#define SPARSE_P_SLICE_ARRAYS__(A, pos, crd, n, placed, above, iterator)                                                    \
    SPARSE_P_ARRAYS_IN(0slice_arrays, SPARSE_P_FIRST(SPARSE_P_UNPACK(SPARSE_P_SECOND iterator)))(A, ~, n, pos, crd)
#define SPARSE_P_ARRAYS_(access, name, type, value, pos, crd, indices, levels, walks, ...)                                  \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_SIZE, (name, SPARSE_P_ARRAYS_OWN_SIZE, ~), levels)                                        \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARRAYS, (name, pos, crd), walks)                                                          \
    SPARSE_P_CAT(SPARSE_P_ARRAYS_VAL_, SPARSE_P_HAS_ARRAY(value))(access, SPARSE_P_ELEMENT(value), name)
/* LEVEL_SIZE: the parameter for the size of a level, if positions are computed from it (column SIZED of table STORAGE) */
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
    SPARSE_P_ARRAYS_IN(0arrays, SPARSE_P_FIRST iterator)(A, ~, n, pos, crd)
#define SPARSE_P_LEVEL_ARRAYS_1 SPARSE_P_SLICE_ARRAYS__
/* ARRAYS_IN(column, format) -> the cell of table RANGE */
#define SPARSE_P_ARRAYS_IN(column, format) SPARSE_P_RANGE_CELL(column, format)

/* ARGUMENTS: the arguments for the parameters that ARRAYS declares, taken from the tensors */
#define SPARSE_P_ARGUMENTS(c, record)          SPARSE_P_ARGUMENTS_OF record
#define SPARSE_P_ARGUMENTS_OF(what, role, ...) SPARSE_P_ARGUMENTS_##what(role, __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_0scalar(role, name, value)                                                                       \
    SPARSE_P_CAT(SPARSE_P_ARGUMENTS_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name, value)
#define SPARSE_P_ARGUMENTS_SCALAR_0(name, value)       , SPARSE_P_DECODE(value, name)
#define SPARSE_P_ARGUMENTS_SCALAR_1(name, value)       , name
#define SPARSE_P_ARGUMENTS_0tensor(role, ...)          SPARSE_P_ARGUMENTS_(SPARSE_P_ROLE_CELL(ACCESS, role), __VA_ARGS__)
#define SPARSE_P_ARGUMENTS_0assembled(role, name, ...) , sparse_l_##name##_to
#define SPARSE_P_ARGUMENTS_0sliced(role, ...)          SPARSE_P_ARGUMENTS_SLICED(__VA_ARGS__)
#define SPARSE_P_ARGUMENTS_0mirrored                   SPARSE_P_ARGUMENTS_0tensor
#define SPARSE_P_ARGUMENTS_0current(role, name, type, value, pos, crd, indices, levels, walks, ...)                         \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_SIZE, (name, SPARSE_P_ARGUMENTS_SIZE, type), levels)                                      \
    SPARSE_P_EACHF(SPARSE_P_LEVEL_ARGUMENTS, (name, type, pos, crd), walks)
#define SPARSE_P_ARGUMENTS_SLICED(name, type, value, pos, crd, indices, levels, walks, ...)                                 \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARGUMENT, (name, type), levels)                                                           \
    SPARSE_P_EACHF(SPARSE_P_SLICE_ARGUMENTS, (name, type, pos, crd), walks)                                                 \
    SPARSE_P_CAT(SPARSE_P_ARGUMENTS_VAL_, SPARSE_P_HAS_ARRAY(value))(const, SPARSE_P_ELEMENT(value), name)
#define SPARSE_P_SLICE_ARGUMENT(c, level) SPARSE_P_SLICE_ARGUMENT_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARGUMENT_(...)     SPARSE_P_SLICE_ARGUMENT__(__VA_ARGS__)

#define SPARSE_P_SLICE_ARGUMENT__(A, type, n, storage, letter, ...) SPARSE_P_SLICE_ARGUMENT_##storage(A, type, n)
#define SPARSE_P_SLICE_ARGUMENT_0dense_slice(A, type, n)                                                                    \
    , sparse_p_lvl_of(A, n), sparse_l_##A##_slice[sparse_p_dim_of(&type##_encoding, n)]
#define SPARSE_P_SLICE_ARGUMENT_0sparse(A, type, n) , sparse_l_##A##_slice[sparse_p_dim_of(&type##_encoding, n)]
#define SPARSE_P_SLICE_ARGUMENT_0dense_sum_slice    SPARSE_P_SLICE_ARGUMENT_0dense_slice
#define SPARSE_P_SLICE_ARGUMENT_0sparse_sum         SPARSE_P_SLICE_ARGUMENT_0sparse
#define SPARSE_P_SLICE_ARGUMENTS(c, level)          SPARSE_P_SLICE_ARGUMENTS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_SLICE_ARGUMENTS_(...)              SPARSE_P_SLICE_ARGUMENTS__(__VA_ARGS__)
#define SPARSE_P_SLICE_ARGUMENTS__(A, type, pos, crd, n, placed, above, iterator)                                           \
    SPARSE_P_ARRAYS_IN(0slice_arguments, SPARSE_P_FIRST(SPARSE_P_UNPACK(SPARSE_P_SECOND iterator)))(A, type, n, pos, crd)
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
    SPARSE_P_ARRAYS_IN(0arguments, SPARSE_P_FIRST iterator)(A, type, n, pos, crd)
#define SPARSE_P_LEVEL_ARGUMENTS_1 SPARSE_P_SLICE_ARGUMENTS__

/* PARAMETER: the parameter of the kernel for an operand: , vec *y or , const csr *A or , double alpha */
#define SPARSE_P_PARAMETER(c, record)          SPARSE_P_PARAMETER_OF record
#define SPARSE_P_PARAMETER_OF(what, role, ...) SPARSE_P_PARAMETER_##what(role, __VA_ARGS__)
#define SPARSE_P_PARAMETER_0scalar(role, name, value)                                                                       \
    SPARSE_P_CAT(SPARSE_P_PARAMETER_SCALAR_, SPARSE_P_ROLE_CELL(WRITTEN, role))(name, value)
#define SPARSE_P_PARAMETER_SCALAR_0(name, value) , value name
#define SPARSE_P_PARAMETER_SCALAR_1(name, value) , value *name
#define SPARSE_P_PARAMETER_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,         \
                                   described, fixed)                                                                        \
    , SPARSE_P_ROLE_CELL(ACCESS, role) type *SPARSE_P_CAT(SPARSE_P_PARAMETER_FIXED_, SPARSE_P_IS_ANY fixed)(name)
#define SPARSE_P_PARAMETER_FIXED_0(name)                     name
#define SPARSE_P_PARAMETER_FIXED_1(name)                     sparse_l_##name##_fixed
#define SPARSE_P_PARAMETER_0assembled(role, name, type, ...) , type *name
#define SPARSE_P_PARAMETER_0current(...)
#define SPARSE_P_PARAMETER_0mirrored(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,       \
                                     described, fixed, sign)                                                                \
    SPARSE_P_PARAMETER_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, described,  \
                               fixed)
#define SPARSE_P_PARAMETER_0sliced(role, name, type, ...) , const type *name, const sparse_slice *sparse_l_##name##_slice

/* OPERAND: a row of the table that sparse_p_bind checks: , {&csr_encoding, A, "ij", reads} */
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
#define SPARSE_P_OPERAND_0current(role, name, type, value, pos, crd, indices, ...)                                          \
    SPARSE_P_OPERAND_(SPARSE_CURRENT, name, type, value, pos, crd, indices, ~)                                              \
    SPARSE_P_SUMS_ROW(name, indices)
/* A symmetric operand must be square: a second row of the table has its last two indices in reverse order. */
#define SPARSE_P_OPERAND_0mirrored(role, name, type, value, pos, crd, indices, ...)                                         \
    SPARSE_P_OPERAND_(SPARSE_READS, name, type, value, pos, crd, indices, ~)                                                \
    SPARSE_P_OPERAND_(SPARSE_READS, name, type, value, pos, crd, SPARSE_P_EXCHANGED(indices), ~)
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
/* TYPED(kernel, record) stands before the function of the kernel. It declares the type of an operand, and refuses the line
   if SPARSE_TENSOR gave another descriptor to this type. DECLARE stands in the function, and declares the sums of indices
   of the operand as numbers. */
#define SPARSE_P_TYPED(kernel, record)      SPARSE_P_TYPED_(kernel, SPARSE_P_ID record)
#define SPARSE_P_TYPED_(...)                SPARSE_P_TYPED__(__VA_ARGS__)
#define SPARSE_P_TYPED__(kernel, what, ...) SPARSE_P_TYPED_##what(kernel, __VA_ARGS__, ~)
#define SPARSE_P_TYPED_0scalar(...)
#define SPARSE_P_TYPED_0sliced  SPARSE_P_TYPED_0tensor
#define SPARSE_P_TYPED_0current SPARSE_P_TYPED_0tensor
#define SPARSE_P_TYPED_0tensor(kernel, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,     \
                               described, ...)                                                                              \
    SPARSE_P_DECLARE_TYPE(type, value, described, kernel, name)
#define SPARSE_P_TYPED_0assembled(kernel, role, name, type, value, pos, crd, indices, levels, steps, nlev, placed, last,    \
                                  prefix, known, mode, described, ...)                                                      \
    SPARSE_P_DECLARE_TYPE(type, value, described, kernel, name)
#define SPARSE_P_TYPED_0mirrored(kernel, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,   \
                                 described, fixed, sign, ...)                                                               \
    SPARSE_P_DECLARE_TYPE(type, value, described, kernel, name) SPARSE_P_SIGN_CELL(ASKS, sign)(name, value)
#define SPARSE_P_DECLARE(what, ...) SPARSE_P_DECLARE_##what(__VA_ARGS__)
#define SPARSE_P_DECLARE_0scalar(role, name, value)
#define SPARSE_P_DECLARE_0sliced   SPARSE_P_DECLARE_0tensor
#define SPARSE_P_DECLARE_0mirrored SPARSE_P_DECLARE_0tensor
#define SPARSE_P_DECLARE_0current  SPARSE_P_DECLARE_0tensor
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

/* For current(z, x, ...). CURRENT_VALUES declares the array of z: it must be derived from the pointer of x, which is
   restrict. CURRENT_TENSOR declares the tensor z, and checks that x has the same type. IS_CURRENT(, record) -> , ~ */
#define SPARSE_P_IS_CURRENT(c, record)          SPARSE_P_IS_CURRENT_ record
#define SPARSE_P_IS_CURRENT_(what, ...)         SPARSE_P_SECOND(SPARSE_P_IS_CURRENT_##what, SPARSE_P_DROP)()
#define SPARSE_P_IS_CURRENT_0current            ~, SPARSE_P_ONE_COMMA
#define SPARSE_P_ONE_COMMA()                    , ~
#define SPARSE_P_CURRENT_VALUES(c, record)      SPARSE_P_IF_CURRENT(SPARSE_P_CURRENT_VALUES_, c, SPARSE_P_ID record)
#define SPARSE_P_CURRENT_TENSOR(kernel, record) SPARSE_P_IF_CURRENT(SPARSE_P_CURRENT_TENSOR_, kernel, SPARSE_P_ID record)
#define SPARSE_P_IF_CURRENT(...)                SPARSE_P_IF_CURRENT_(__VA_ARGS__)
#define SPARSE_P_IF_CURRENT_(m, c, what, ...)   SPARSE_P_SECOND(SPARSE_P_IF_CURRENT_##what(m), SPARSE_P_DROP)(c, __VA_ARGS__)
#define SPARSE_P_IF_CURRENT_0current(m)         ~, m
#define SPARSE_P_CURRENT_VALUES_(c, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,        \
                                 described, fixed, x, ...)                                                                  \
    const SPARSE_P_ELEMENT(value) *const sparse_l_##name##_val = sparse_l_##x##_val;
#define SPARSE_P_CURRENT_TENSOR_(kernel, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse,   \
                                 described, fixed, x, ...)                                                                  \
    SPARSE_P_CAT(SPARSE_P_CURRENT_TENSOR_, SPARSE_P_IS_ANY fixed)                                                           \
    (x, sparse_l_##x##_fixed, name, type,                                                                                   \
     #kernel ": current(" #name ", " #x ", ...): " #x " is not an output of type " #type)
#define SPARSE_P_CURRENT_TENSOR_0(x, fixed, name, type, text)                                                               \
    SPARSE_P_CURRENT_TYPE(x, type, text) const type *const name = (const type *)x;
#define SPARSE_P_CURRENT_TENSOR_1(x, fixed, name, type, text)                                                               \
    SPARSE_P_CURRENT_TYPE(fixed, type, text) SPARSE_UNUSED const sparse_tensor *const name = x;
#if defined(__cplusplus)
template <class type> char sparse_p_is_same(type *, type *);
long sparse_p_is_same(void *, const void *);
    #define SPARSE_P_CURRENT_TYPE(x, type, text)                                                                            \
        static_assert(sizeof(sparse_p_is_same(static_cast<type *>(NULL), x)) == 1, text);
#else
    #define SPARSE_P_CURRENT_TYPE(x, type, text) _Static_assert(_Generic((x), type * : 1, default : 0), text);
#endif

/* SHARES_OF(loops) -> 1 if a loop runs in shares, as parallel_sum(i) does. There are SPARSE_P_SUM_SHARES shares, however
   many threads run. Each share adds up from zero, through all tiles, and the sums of the shares are added to the output in
   order. So the result has the same bits for any number of threads. */
#define SPARSE_P_SHARES_OF(loops)                SPARSE_P_SECOND(~SPARSE_P_EACHF(SPARSE_P_SHARES_FOR, , loops), 0)
#define SPARSE_P_SHARES_FOR(c, l)                SPARSE_P_SHARES_FOR_ l
#define SPARSE_P_SHARES_FOR_(key, strategy, ...) SPARSE_P_CAT(SPARSE_P_SHARES_FOR_, SPARSE_P_STRATEGY_CELL(SHARES, strategy))
#define SPARSE_P_SHARES_FOR_0
#define SPARSE_P_SHARES_FOR_1 , 1
#define SPARSE_P_OPEN_SHARES_0
#define SPARSE_P_OPEN_SHARES_1                                                                                              \
    const size_t sparse_l_parts = SPARSE_P_SUM_SHARES;                                                                      \
    SPARSE_P_PARALLEL_PARTS                                                                                                 \
    for (size_t sparse_l_part = 0; sparse_l_part < sparse_l_parts; sparse_l_part++) {
#define SPARSE_P_CLOSE_SHARES_0
#define SPARSE_P_CLOSE_SHARES_1              }
#define SPARSE_P_BEGIN_SHARE(shares, record) SPARSE_P_CAT(SPARSE_P_BEGIN_SHARE_, shares)(SPARSE_P_ID record)
#define SPARSE_P_BEGIN_SHARE_0(...)
#define SPARSE_P_BEGIN_SHARE_1(...)                      SPARSE_P_BEGIN_SHARE_1_(__VA_ARGS__)
#define SPARSE_P_BEGIN_SHARE_1_(what, role, name, value) SPARSE_P_VISIBLE(value) name = SPARSE_ZERO(SPARSE_P_VISIBLE(value));
#define SPARSE_P_END_SHARE(shares, record)               SPARSE_P_CAT(SPARSE_P_END_SHARE_, shares)(SPARSE_P_ID record)
#define SPARSE_P_END_SHARE_0(...)
#define SPARSE_P_END_SHARE_1(...)                      SPARSE_P_END_SHARE_1_(__VA_ARGS__)
#define SPARSE_P_END_SHARE_1_(what, role, name, value) sparse_l_##name##_share[sparse_l_part] = name;
#define SPARSE_P_ADD_SHARES(shares, record)            SPARSE_P_CAT(SPARSE_P_ADD_SHARES_, shares)(SPARSE_P_ID record)
#define SPARSE_P_ADD_SHARES_0(...)
#define SPARSE_P_ADD_SHARES_1(...) SPARSE_P_ADD_SHARES_1_(__VA_ARGS__)
#define SPARSE_P_ADD_SHARES_1_(what, role, name, value)                                                                     \
    SPARSE_P_VISIBLE(value) name = sparse_l_##name##_begun;                                                                 \
    for (size_t sparse_l_part = 0; sparse_l_part < sparse_l_parts; sparse_l_part++)                                         \
        name += sparse_l_##name##_share[sparse_l_part];
/* ACCUMULATE: a scalar output is summed in a register. It is read before the loops and written after them. */
#define SPARSE_P_ACCUMULATE(shares, begun) SPARSE_P_CAT(SPARSE_P_ACCUMULATE_IN_, shares) begun
#define SPARSE_P_ACCUMULATE_IN_0(initial, what, role, ...)                                                                  \
    SPARSE_P_CAT3(SPARSE_P_ACCUMULATE_, what, SPARSE_P_IS_ANY initial)(initial, __VA_ARGS__)
#define SPARSE_P_ACCUMULATE_IN_1(initial, what, role, name, value)                                                          \
    const SPARSE_P_VISIBLE(value) sparse_l_##name##_begun =                                                                 \
        SPARSE_P_CAT(SPARSE_P_BEGUN_WITH_, SPARSE_P_IS_ANY initial)(initial, name, value);                                  \
    SPARSE_P_VISIBLE(value) sparse_l_##name##_share[SPARSE_P_SUM_SHARES];
#define SPARSE_P_BEGUN_WITH_0(initial, name, value) SPARSE_P_DECODE(value, *sparse_l_##name##_val)
#define SPARSE_P_BEGUN_WITH_1(initial, name, value) SPARSE_P_TEXT initial
#define SPARSE_P_ACCUMULATE_0scalar0(initial, name, value)                                                                  \
    SPARSE_P_VISIBLE(value) name = SPARSE_P_DECODE(value, *sparse_l_##name##_val);
#define SPARSE_P_ACCUMULATE_0scalar1(initial, name, value) SPARSE_P_VISIBLE(value) name = SPARSE_P_TEXT initial;
#define SPARSE_P_ACCUMULATE_0tensor0(...)
#define SPARSE_P_ACCUMULATE_0tensor1(...)
#define SPARSE_P_ACCUMULATE_0assembled1 SPARSE_P_ACCUMULATE_0assembled0
#define SPARSE_P_ACCUMULATE_0assembled0(initial, name, type, value, pos, crd, indices, levels, steps, nlev, placed, last,   \
                                        prefix, known, mode, described)                                                     \
    const SPARSE_P_ELEMENT(value) sparse_l_##name##_init = SPARSE_P_INITIAL(value, initial);                                \
    size_t sparse_l_n##name = 0;
#define SPARSE_P_ACCUMULATED(c, record)            SPARSE_P_ACCUMULATED_OF_A record
#define SPARSE_P_ACCUMULATED_OF_A(what, role, ...) SPARSE_P_ACCUMULATED_##what(__VA_ARGS__)
#define SPARSE_P_ACCUMULATED_0scalar(name, value)  *sparse_l_##name##_val = SPARSE_P_ENCODE(value, name);
#define SPARSE_P_ACCUMULATED_0tensor(...)
#define SPARSE_P_ACCUMULATED_0assembled(name, type, value, pos, crd, indices, levels, steps, nlev, placed, last, prefix,    \
                                        known, mode, described)                                                             \
    SPARSE_P_MODE_CELL(COUNT, mode)(name, last, prefix)

/* >>checks
   Reports mistakes in a kernel line, one sentence for each kind of mistake. For an operand (A, CSR, i, i), the list of
   errors is

     , ("spmv: operand A: index i is repeated; the loop let(u, i) makes an index u of it, too")

   The compiler prints the first sentence of the list. ERRORS(kernel, loops, letters, outs, leaves, names of workspaces)
   yields the list. It is empty if the line is correct. */
#define SPARSE_P_LOOP_ERRORS(kernel, loops, letters)                                                                        \
    SPARSE_P_EACHE(SPARSE_P_BLOCK_ERROR, (kernel, letters), loops)                                                          \
    SPARSE_P_EACHE(SPARSE_P_LOOP_ERROR, (kernel, letters), (, SPARSE_P_ID letters))
#define SPARSE_P_LOOP_COUNT(kernel, letters) SPARSE_P_BY_TWELVE(SPARSE_P_LOOP_COUNT_, SPARSE_P_ID letters)(kernel)
#define SPARSE_P_LOOP_COUNT_1(kernel)
#define SPARSE_P_LOOP_COUNT_0(kernel) , (#kernel ": more than 12 loops")
#define SPARSE_P_LOOP_ERROR(c, l)     SPARSE_P_LOOP_ERROR_(SPARSE_P_ID c, l)
#define SPARSE_P_LOOP_ERROR_(...)     SPARSE_P_LOOP_ERROR__(__VA_ARGS__)
#define SPARSE_P_LOOP_ERROR__(kernel, letters, l)                                                                           \
    SPARSE_P_IF_MANY(SPARSE_P_AMOUNT(~SPARSE_P_EACHF(SPARSE_P_SAME, l, (, SPARSE_P_ID letters))),                           \
                     #kernel ": two loops have the index " #l)
/* BLOCK_ERROR((kernel, letters), loop): the loop over the blocks of an index must be outside the loop over the positions
   in a block */
#define SPARSE_P_BLOCK_ERROR(c, l) SPARSE_P_BLOCK_ERROR_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_BLOCK_ERROR_(...) SPARSE_P_BLOCK_ERROR__(__VA_ARGS__)
#define SPARSE_P_BLOCK_ERROR__(kernel, letters, key, strategy, variable, kind, i, c)                                        \
    SPARSE_P_BLOCK_ERROR_##kind(kernel, letters, i, c)                                                                      \
        SPARSE_P_STRATEGY_CELL(PLACE, strategy)(kernel, SPARSE_P_POS(key, letters), letters, key, c)
#define SPARSE_P_PLACE_INNERMOST(kernel, d, letters, i, c)                                                                  \
    SPARSE_P_CAT(SPARSE_P_INNERMOST_, SPARSE_P_CMP(d, SPARSE_P_COUNT(~, SPARSE_P_ID letters)))(kernel, i)
#define SPARSE_P_PLACE_OUTERMOST(kernel, d, letters, i, c) SPARSE_P_CAT(SPARSE_P_OUTERMOST_, SPARSE_P_CMP(d, 1))(kernel, i)

#define SPARSE_P_PLACE_SECOND(kernel, d, letters, i, c) SPARSE_P_CAT(SPARSE_P_PLACE_SECOND_, SPARSE_P_CMP(d, 2))(kernel, i)
#define SPARSE_P_PLACE_SECOND_0here(kernel, i)
#define SPARSE_P_PLACE_SECOND_0before(kernel, i)                                                                            \
    , (#kernel ": independent(" #i ") must be the second loop: the first one runs in order")
#define SPARSE_P_PLACE_SECOND_0after          SPARSE_P_PLACE_SECOND_0before
#define SPARSE_P_OUTERMOST_0before(kernel, i) /* not an index, which is refused */
#define SPARSE_P_OUTERMOST_0here(kernel, i)
#define SPARSE_P_OUTERMOST_0after(kernel, i) , (#kernel ": parallel_sum(" #i ") must be the outermost loop")
#define SPARSE_P_PLACE_AROUND(kernel, d, letters, i, c)                                                                     \
    SPARSE_P_CAT(SPARSE_P_AROUND_, SPARSE_P_CMP(SPARSE_P_CAT(SPARSE_P_INC_, d), SPARSE_P_COUNT(~, SPARSE_P_ID letters)))    \
    (kernel, i)
#define SPARSE_P_AROUND_0here(kernel, i)
#define SPARSE_P_AROUND_0before(kernel, i) , (#kernel ": unroll(" #i ") must be the loop around the innermost")
#define SPARSE_P_AROUND_0after             SPARSE_P_AROUND_0before
#define SPARSE_P_PLACE_ALONG(kernel, d, letters, i, c)                                                                      \
    SPARSE_P_PLACE_INNERMOST(kernel, SPARSE_P_CAT(SPARSE_P_INC_, d), letters, i, c)
#define SPARSE_P_INNERMOST_0here(kernel, i)
#define SPARSE_P_INNERMOST_0before(kernel, i) , (#kernel ": simd(" #i ") must be the innermost loop")
/* A strategy that needs a number but has none. c is the word of the strategy. */
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
/* The loop over j that a diagonal adds counts, too. */
#define SPARSE_P_BLOCK_ERROR_minus(kernel, letters, j, i)                                                                   \
    SPARSE_P_LOOP_COUNT(kernel, letters)                                                                                    \
    SPARSE_P_CAT3(SPARSE_P_DIAGONAL_, SPARSE_P_CMP(SPARSE_P_POS(j##_diagonal, letters), SPARSE_P_POS(i, letters)),          \
                  SPARSE_P_NZ(SPARSE_P_POS(j, letters)))                                                                    \
    (kernel, j, i)
#define SPARSE_P_DIAGONAL_0before1(kernel, j, i)
#define SPARSE_P_DIAGONAL_0before0(kernel, j, i)                                                                            \
    , (#kernel ": the loop minus(" #j ", " #i ") needs the loop " #i " inside it; there " #j " follows from both")
#define SPARSE_P_DIAGONAL_0after0 SPARSE_P_DIAGONAL_0before0
#define SPARSE_P_DIAGONAL_0after1 SPARSE_P_DIAGONAL_0before0
#define SPARSE_P_BLOCK_ORDER_0before(kernel, i, c)
#define SPARSE_P_BLOCK_ORDER_0here(kernel, i, c)                                                                            \
    , (#kernel ": the loop floordiv(" #i ", " #c ") needs the loop mod(" #i ", " #c ") inside it")
#define SPARSE_P_BLOCK_ORDER_0after SPARSE_P_BLOCK_ORDER_0here
#define SPARSE_P_BLOCK_PAIR_1(kernel, i, c)
#define SPARSE_P_BLOCK_PAIR_0(kernel, i, c)                                                                                 \
    , (#kernel ": the loop mod(" #i ", " #c ") needs the loop floordiv(" #i ", " #c ") around it")
/* IF_0(n, text) -> , (text) if n is 0, and nothing if n is 1. AMOUNT(~, ~) -> 0none, 0one or 0many, which selects a
   macro. */
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
#define SPARSE_P_LEAF_COUNT_0many(kernel) , (#kernel ": more than 16 operands")
#define SPARSE_P_ERRORS(kernel, loops, letters, outs, leaves, works)                                                        \
    SPARSE_P_EACHE(SPARSE_P_LEAF_ERRORS, (kernel, letters), leaves)                                                         \
    SPARSE_P_EACHH(SPARSE_P_UNBOUND,                                                                                        \
                   (kernel, (SPARSE_P_EACHE(SPARSE_P_INDICES, , leaves) SPARSE_P_EACHF(SPARSE_P_RANGED, , loops))), loops)  \
    SPARSE_P_NAME_ERRORS(kernel, (SPARSE_P_EACHE(SPARSE_P_LETTERED, , leaves) SPARSE_P_ID works))                           \
    SPARSE_P_EACHH(SPARSE_P_STRATEGY_ERRORS, (kernel, outs), loops)                                                         \
    SPARSE_P_CAT(SPARSE_P_TEAM_ERRORS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_TEAMED, , loops)))                          \
    (kernel, loops, outs, leaves) SPARSE_P_CAT(                                                                             \
        SPARSE_P_CURRENT_ERRORS_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_IS_CURRENT, , leaves)))(kernel, outs, loops)      \
        SPARSE_P_MIRROR_ERRORS(kernel, loops, outs, leaves, works)                                                          \
            SPARSE_P_CAT(SPARSE_P_ERRORS_OF_DERIVED_,                                                                       \
                         SPARSE_P_IS_ANY(SPARSE_P_EACHH(SPARSE_P_IS_DERIVED, , loops)))(kernel, leaves, loops)

#define SPARSE_P_LEAF_ERRORS(c, record)                    SPARSE_P_LEAF_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_LEAF_ERRORS_(...)                         SPARSE_P_LEAF_ERRORS__(__VA_ARGS__)
#define SPARSE_P_LEAF_ERRORS__(kernel, letters, what, ...) SPARSE_P_LEAF_ERRORS_##what(kernel, letters, __VA_ARGS__)
#define SPARSE_P_LEAF_ERRORS_0scalar(kernel, letters, role, name, value)                                                    \
    SPARSE_P_NAME_ERROR(kernel, letters, name)                                                                              \
    SPARSE_P_CAT(SPARSE_P_TYPE_ERROR_, SPARSE_P_IS_LETTER(value))                                                           \
    (kernel, letters, name, value) SPARSE_P_SCALAR_ERROR_##role(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0must(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0may(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0not(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0write(kernel, name)
#define SPARSE_P_SCALAR_ERROR_0update(kernel, name) , (#kernel ": update and like are of tensors, and " #name " is a scalar")
/* If the encoding is missing, as in (y, i), i is read as a type. i is an error only if it is an index: the name of a type
   may have one letter, too. */
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
#define SPARSE_P_NO_TYPE_0(name, value) "operand " #name ": " #value " is not the descriptor of a storage type"
#define SPARSE_P_NO_TYPE_1(name, value) "operand " #name " has no type: write (" #name ", double), or (" #name ", VEC, i)"

#define SPARSE_P_LEAF_ERRORS_0refused(kernel, letters, why, ...) , SPARSE_P_REFUSED_##why(kernel, __VA_ARGS__)
#define SPARSE_P_REFUSED_0deep(kernel, ...)                      (#kernel ": all, any and none nest more than three deep")
#define SPARSE_P_REFUSED_0adjoined(kernel, ...)                  (#kernel ": a comma is missing between two operands")
#define SPARSE_P_REFUSED_0many(kernel, ...)                      (#kernel ": more than 16 operands")
#define SPARSE_P_REFUSED_0loops(kernel, ...)                     (#kernel ": more than 12 loops")
#define SPARSE_P_REFUSED_0twice(kernel, i)                       (#kernel ": two loops have the index " #i)
#define SPARSE_P_REFUSED_0word(kernel, ...)                                                                                 \
    (#kernel ": the operands must be all(...), any(...) or none(...) of operands in parentheses,"                           \
             " or, directly in all(...), a workspace where(...)")
#define SPARSE_P_REFUSED_0views(kernel, ...)                                                                                \
    (#kernel ": an operand has one of the words slice, padded, current, symmetric, skew and hermitian")
#define SPARSE_P_REFUSED_0output_missing(kernel, ...)                                                                       \
    (#kernel ": what an output has at this moment is current(name, output, TYPE, indices)")
#define SPARSE_P_REFUSED_0half(kernel, name)                                                                                \
    (#kernel ": operand " #name " stores one triangle, and must stand in all(...), not in any(...) or none(...)")
#define SPARSE_P_REFUSED_0short(kernel, ...)                                                                                \
    (#kernel ": a workspace must be where((name, TYPE, indices), (loops), operands, statement)")
#define SPARSE_P_REFUSED_0fixed(kernel, name)                                                                               \
    (#kernel ": the sizes of " #name " are fixed, so it is neither assembled, sliced, nor given the pattern of an operand")
#define SPARSE_P_REFUSED_0unknown(kernel, ...)                                                                              \
    (#kernel ": the output must be (name, TYPE, indices), from(value, name, TYPE, indices), a list of these"                \
             " in parentheses, update(name, TYPE, indices) or like(pattern, name, TYPE, indices)")
#define SPARSE_P_REFUSED_0named(kernel, name) (#kernel ": " SPARSE_P_CAT(SPARSE_P_NOT_NAMED_, SPARSE_P_ENDS(name))(name))

#define SPARSE_P_NOT_NAMED_0(name) #name " is not a name; a macro, such as I of <complex.h>, cannot name an operand"
#define SPARSE_P_NOT_NAMED_1(name) "an operand has no name: write (x, double), or (x, VEC, i)"
/* Two operands may have the same name of one letter. Only names of one letter can be compared here. */
#define SPARSE_P_LETTERED(c, record)               SPARSE_P_LETTERED_ record
#define SPARSE_P_LETTERED_(what, ...)              SPARSE_P_LETTERED_##what(__VA_ARGS__)
#define SPARSE_P_LETTERED_0scalar(role, name, ...) , name
#define SPARSE_P_LETTERED_0tensor                  SPARSE_P_LETTERED_0scalar
#define SPARSE_P_LETTERED_0assembled               SPARSE_P_LETTERED_0scalar
#define SPARSE_P_LETTERED_0sliced                  SPARSE_P_LETTERED_0scalar
#define SPARSE_P_LETTERED_0current                 SPARSE_P_LETTERED_0scalar
#define SPARSE_P_LETTERED_0mirrored                SPARSE_P_LETTERED_0scalar
#define SPARSE_P_LETTERED_0odd(...)
#define SPARSE_P_LETTERED_0refused(...)
#define SPARSE_P_NAME_ERRORS(kernel, names) SPARSE_P_EACHE(SPARSE_P_NAMED_TWICE, (kernel, names), names)
#define SPARSE_P_NAMED_TWICE(c, name)       SPARSE_P_NAMED_TWICE_(SPARSE_P_ID c, name)
#define SPARSE_P_NAMED_TWICE_(...)          SPARSE_P_NAMED_TWICE__(__VA_ARGS__)
#define SPARSE_P_NAMED_TWICE__(kernel, names, name)                                                                         \
    SPARSE_P_IF_MANY(SPARSE_P_AMOUNT(~SPARSE_P_EACHF(SPARSE_P_SAME, name, names)),                                          \
                     #kernel ": two operands have the name " #name)
#define SPARSE_P_LEAF_ERRORS_0tensor(kernel, letters, role, name, type, value, pos, crd, indices, levels, walks, nlev,      \
                                     placed, sparse, described, fixed)                                                      \
    SPARSE_P_TENSOR_ERRORS(kernel, letters, role, name, type, value, indices, levels, described)                            \
    SPARSE_P_CAT(SPARSE_P_WALK_ERRORS_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_IS_SUM, , indices)))(kernel, name, walks)
#define SPARSE_P_TENSOR_ERRORS(kernel, letters, role, name, type, value, indices, levels, described)                        \
    SPARSE_P_NAME_ERROR(kernel, letters, name)                                                                              \
    SPARSE_P_RANK_ERROR(kernel, name, type, SPARSE_P_COUNT(~SPARSE_P_ID indices), SPARSE_P_RANK_OF described)               \
    SPARSE_P_EACHG(SPARSE_P_INDEX_ERRORS, (kernel, letters, name), indices)                                                 \
    SPARSE_P_EACHG(SPARSE_P_LEVEL_ERRORS, (kernel, letters, role, name), levels)                                            \
    SPARSE_P_CAT(SPARSE_P_VALUE_ERROR_, SPARSE_P_HAS_ARRAY(value))(role, kernel, name, type)
#define SPARSE_P_RANK_OF(pos, crd, encoding, sizes) SPARSE_P_COUNT(~, SPARSE_P_UNPACK(SPARSE_P_FIRST encoding))
#define SPARSE_P_RANK_ERROR(...)                    SPARSE_P_RANK_ERROR_(__VA_ARGS__)
#define SPARSE_P_RANK_ERROR_(kernel, name, type, count, rank)                                                               \
    SPARSE_P_IF_0(SPARSE_P_IS_ANY(SPARSE_P_SAME(count, rank)), #kernel                                                      \
                  ": operand " #name " has the wrong number of indices: its storage type " #type " has rank " #rank)
#define SPARSE_P_VALUE_ERROR_1(role, kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0(role, kernel, name, type) SPARSE_P_VALUE_ERROR_0_##role(kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0_0must(kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0_0may(kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0_0not(kernel, name, type)
#define SPARSE_P_VALUE_ERROR_0_0write(kernel, name, type)                                                                   \
    , (#kernel ": output " #name " cannot be written: its storage type " #type " has a constant for a "                     \
               "value")
#define SPARSE_P_VALUE_ERROR_0_0built  SPARSE_P_VALUE_ERROR_0_0write
#define SPARSE_P_VALUE_ERROR_0_0update SPARSE_P_VALUE_ERROR_0_0write
#define SPARSE_P_VALUE_ERROR_0_0like   SPARSE_P_VALUE_ERROR_0_0write
#define SPARSE_P_LEAF_ERRORS_0current(kernel, letters, role, name, type, value, pos, crd, indices, levels, walks, nlev,     \
                                      placed, sparse, described, fixed, x, innermost)                                       \
    SPARSE_P_LEAF_ERRORS_0tensor(kernel, letters, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed,  \
                                 sparse, described, fixed)
#define SPARSE_P_LEAF_ERRORS_0mirrored(kernel, letters, role, name, type, value, pos, crd, indices, levels, walks, nlev,    \
                                       placed, sparse, described, fixed, sign)                                              \
    SPARSE_P_LEAF_ERRORS_0tensor(kernel, letters, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed,  \
                                 sparse, described, fixed)
#define SPARSE_P_LEAF_ERRORS_0assembled(kernel, letters, role, name, type, value, pos, crd, indices, levels, steps, nlev,   \
                                        placed, last, prefix, known, mode, described)                                       \
    SPARSE_P_TENSOR_ERRORS(kernel, letters, 0built, name, type, value, indices, levels, described)
/* If a level is over a sum, or in a slice, its coordinates must be in order. */
#define SPARSE_P_WALK_ERRORS_0(kernel, name, walks)
#define SPARSE_P_WALK_ERRORS_1(kernel, name, walks)                                                                         \
    SPARSE_P_EACHG(SPARSE_P_WALK_ERROR, (kernel, name, "a sum", "sums"), walks)
#define SPARSE_P_LEAF_ERRORS_0sliced(kernel, letters, role, name, type, value, pos, crd, indices, levels, walks, nlev,      \
                                     placed, sparse, described)                                                             \
    SPARSE_P_TENSOR_ERRORS(kernel, letters, role, name, type, value, indices, levels, described)                            \
    SPARSE_P_EACHG(SPARSE_P_WALK_ERROR, (kernel, name, "a slice", "slices"), walks)
#define SPARSE_P_WALK_ERROR(c, walk) SPARSE_P_WALK_ERROR_(SPARSE_P_ID c, SPARSE_P_ID walk)
#define SPARSE_P_WALK_ERROR_(...)    SPARSE_P_WALK_ERROR__(__VA_ARGS__)
#define SPARSE_P_WALK_ERROR__(kernel, name, one, many, number, placed, above, iterator)                                     \
    SPARSE_P_BY_PAREN(SPARSE_P_WALK_ERROR_, SPARSE_P_SECOND iterator)(kernel, name, one, many, SPARSE_P_ID iterator)
#define SPARSE_P_WALK_ERROR_0(kernel, name, ...)
#define SPARSE_P_WALK_ERROR_1(...) SPARSE_P_WALK_ERROR_IN(__VA_ARGS__)
#define SPARSE_P_WALK_ERROR_IN(kernel, name, one, many, format, n, walk, parent, head, stride, ...)                         \
    SPARSE_P_CAT(SPARSE_P_WALK_ERROR_OF_, SPARSE_P_HAS_COORDINATE(stride))                                                  \
    (kernel, name, one, many, walk)
#define SPARSE_P_WALK_ERROR_OF_0(kernel, name, one, many, walk)                                                             \
    , (#kernel ": operand " #name ": " many " are of levels that store coordinates, and this level type does not")
#define SPARSE_P_WALK_ERROR_OF_1(kernel, name, one, many, walk)                                                             \
    SPARSE_P_CAT3(SPARSE_P_IF_LOOSE_, SPARSE_P_WALK_CELL(ORDER, walk), SPARSE_P_WALK_CELL(ONCE, walk))(kernel, name, one)
#define SPARSE_P_IF_LOOSE_0ordered1(kernel, name, one)
#define SPARSE_P_IF_LOOSE_0ordered0(kernel, name, one)                                                                      \
    , (#kernel ": operand " #name ": " one " needs levels that are ordered, the last of them unique")
#define SPARSE_P_IF_LOOSE_0unordered1 SPARSE_P_IF_LOOSE_0ordered0
#define SPARSE_P_IF_LOOSE_0unordered0 SPARSE_P_IF_LOOSE_0ordered0
#define SPARSE_P_INDEX_ERRORS(c, l)   SPARSE_P_INDEX_ERRORS_(SPARSE_P_ID c, l)
#define SPARSE_P_INDEX_ERRORS_(...)   SPARSE_P_INDEX_ERRORS__(__VA_ARGS__)
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
    , (#kernel ": operand " #name ": " SPARSE_P_CAT(SPARSE_P_NO_TERM_, SPARSE_P_ENDS i) i)
#define SPARSE_P_NO_TERM_0(...)                                                                                             \
    #__VA_ARGS__ " is no term of a sum: these are indices, times(2, i), and constants in parentheses"
#define SPARSE_P_NO_TERM_1                               SPARSE_P_NO_INDEX_1
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
#define SPARSE_P_NO_INDEX_0(l) #l " is no index: these are letters a to z, and sums, as plus(i, (-1))"
#define SPARSE_P_NO_INDEX_1(l) "an index is missing"
#define SPARSE_P_INDEX_ERROR_1(kernel, letters, name, l)                                                                    \
    SPARSE_P_IF_0(SPARSE_P_NZ(SPARSE_P_POS(l, letters)), #kernel ": operand " #name ": no loop over index " #l)
#define SPARSE_P_LEVEL_ERRORS(c, level) SPARSE_P_LEVEL_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LEVEL_ERRORS_(...)     SPARSE_P_LEVEL_ERRORS__(__VA_ARGS__)
#define SPARSE_P_LEVEL_ERRORS__(kernel, letters, role, name, number, storage, i, placed, variable, part)                    \
    SPARSE_P_STORAGE_FOR(SPARSE_P_COLUMN_FOR_##role, storage)(kernel, letters, name, i, part)
#define SPARSE_P_ERROR_TYPE(kernel, letters, name, i, part)                                                                 \
    , (#kernel ": operand " #name ": kernels over this level type are not available")
#define SPARSE_P_ERROR_REPEATED(kernel, letters, name, i, part)                                                             \
    , (#kernel ": operand " #name ": index " #i " is repeated; the loop let(u, " #i ") makes an index u of it, too")
/* If the levels have an index in blocks, the message names the loops that it needs. */
#define SPARSE_P_ERROR_BLOCKS(kernel, letters, name, i, part) SPARSE_P_ERROR_BLOCKS_(kernel, name, i, SPARSE_P_ID part)
#define SPARSE_P_ERROR_BLOCKS_(...)                           SPARSE_P_ERROR_BLOCKS__(__VA_ARGS__)
#define SPARSE_P_ERROR_BLOCKS__(kernel, name, i, kind, ...)                                                                 \
    SPARSE_P_SECOND(SPARSE_P_BLOCKS_OF_##kind, SPARSE_P_ERROR_NO_BLOCKS)(kernel, name, i, __VA_ARGS__)
#define SPARSE_P_BLOCKS_OF_floordiv ~, SPARSE_P_ERROR_IN_BLOCKS
#define SPARSE_P_BLOCKS_OF_mod      ~, SPARSE_P_ERROR_IN_BLOCKS
#define SPARSE_P_ERROR_IN_BLOCKS(kernel, name, i, c)                                                                        \
    , (#kernel ": operand " #name ": index " #i " is in blocks in its levels, which need the loops floordiv(" #i ", " #c    \
               ") and mod(" #i ", " #c ")")
#define SPARSE_P_ERROR_NO_BLOCKS(kernel, name, i, ...)                                                                      \
    , (#kernel ": operand " #name ": index " #i " is in blocks in the loops, but not in its levels")
#define SPARSE_P_ERROR_IS_DEALT(kernel, letters, name, i, part)                                                             \
    , (#kernel ": operand " #name " stores each row in several slots (" #i                                                  \
               "): it may stand in all(...), but not below any(...) or none(...)")
#define SPARSE_P_ERROR_DERIVED(kernel, letters, name, i, part)                                                              \
    , (#kernel ": output " #name " is dense, and its levels store " #i                                                      \
               ": only an output with a sparse level can be converted from another order")
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
/* UNBOUND: an index that no tensor has would have no size. An output that is yet to be assembled gives no size, either.
   `indices` is a list of the index lists of the tensors. */
#define SPARSE_P_UNBOUND(c, l) SPARSE_P_UNBOUND_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_UNBOUND_(...) SPARSE_P_UNBOUND__(__VA_ARGS__)
#define SPARSE_P_UNBOUND__(kernel, indices, key, strategy, variable, kind, l, c)                                            \
    SPARSE_P_IF_0(SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_HAS, l, indices)), #kernel ": no operand has the index " #l)
/* A loop range(p, 3) brings its own size. */
#define SPARSE_P_RANGED(c, l) SPARSE_P_RANGED_ l
#define SPARSE_P_RANGED_(key, strategy, variable, kind, i, ...)                                                             \
    SPARSE_P_CAT(SPARSE_P_RANGED_, SPARSE_P_STRATEGY_CELL(RANGES, strategy))(i)
#define SPARSE_P_RANGED_0(i)
#define SPARSE_P_RANGED_1(i) , (, i)
#define SPARSE_P_RANGED_2(i) , (, i)
#define SPARSE_P_RANGED_3(i)
/* HAS(i, (, i, j)) -> a comma   HAS(k, (, i, j)) -> none */
#define SPARSE_P_HAS(l, indices) SPARSE_P_EACHF(SPARSE_P_SAME, l, indices)
/* Iterations that run in parallel must write to different elements. */
#define SPARSE_P_STRATEGY_ERRORS(c, l) SPARSE_P_STRATEGY_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_STRATEGY_ERRORS_(...) SPARSE_P_STRATEGY_ERRORS__(__VA_ARGS__)
#define SPARSE_P_STRATEGY_ERRORS__(kernel, leaves, key, strategy, variable, kind, i, ...)                                   \
    SPARSE_P_STRATEGY_CELL(OUTPUTS, strategy)(kernel, leaves, i)
#define SPARSE_P_OUTPUTS_SUMMED(kernel, outs, i) SPARSE_P_EACHE(SPARSE_P_SUMMED, (kernel, i), outs)
#define SPARSE_P_SUMMED(c, record)               SPARSE_P_SUMMED_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_SUMMED_(...)                    SPARSE_P_SUMMED__(__VA_ARGS__)
#define SPARSE_P_SUMMED__(kernel, i, what, ...)  SPARSE_P_SUMMED_##what(kernel, i, __VA_ARGS__)
#define SPARSE_P_SUMMED_0scalar(...)
#define SPARSE_P_SUMMED_0odd(...)
#define SPARSE_P_SUMMED_0refused(...)
#define SPARSE_P_SUMMED_0tensor(kernel, i, role, name, ...)                                                                 \
    , (#kernel ": parallel_sum(" #i "): the output " #name " is a tensor, and not the sum that its shares are added to")
#define SPARSE_P_SUMMED_0assembled                   SPARSE_P_SUMMED_0tensor
#define SPARSE_P_OUTPUTS_TILED(kernel, outs, i)      SPARSE_P_EACHE(SPARSE_P_NOT_ORDERED, (kernel, tile(i)), outs)
#define SPARSE_P_OUTPUTS_DOWN(kernel, outs, i)       SPARSE_P_EACHE(SPARSE_P_NOT_ORDERED, (kernel, down(i)), outs)
#define SPARSE_P_NOT_ORDERED(c, record)              SPARSE_P_NOT_ORDERED_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_NOT_ORDERED_(...)                   SPARSE_P_NOT_ORDERED__(__VA_ARGS__)
#define SPARSE_P_NOT_ORDERED__(kernel, i, what, ...) SPARSE_P_NOT_ORDERED_##what(kernel, i, __VA_ARGS__)
#define SPARSE_P_NOT_ORDERED_0scalar(...)
#define SPARSE_P_NOT_ORDERED_0tensor(...)
#define SPARSE_P_NOT_ORDERED_0odd(...)
#define SPARSE_P_NOT_ORDERED_0refused(...)
#define SPARSE_P_NOT_ORDERED_0assembled(kernel, i, role, name, ...)                                                         \
    , (#kernel ": " #i ": the output " #name " is assembled, in the order of its loops")
#define SPARSE_P_OUTPUTS_INDEPENDENT(kernel, outs, i) SPARSE_P_EACHE(SPARSE_P_NOT_ORDERED, (kernel, independent(i)), outs)
#define SPARSE_P_OUTPUTS_SHARED(kernel, outs, i)                                                                            \
    SPARSE_P_EACHE(SPARSE_P_SHARED, (kernel, parallel(i), i), outs)                                                         \
    SPARSE_P_CAT(SPARSE_P_PARTED_, SPARSE_P_THIRD(~SPARSE_P_EACHE(SPARSE_P_BUILT, , outs), 0no, 0no))                       \
    (kernel, i)
#define SPARSE_P_PARTED_0no(kernel, i)
#define SPARSE_P_PARTED_0built(kernel, i) , (#kernel ": parallel(" #i "): a parallel loop can assemble only one output")
/* BUILT(, record) -> , built if the output is assembled */
#define SPARSE_P_BUILT(c, record)  SPARSE_P_BUILT_ record
#define SPARSE_P_BUILT_(what, ...) SPARSE_P_BUILT_##what
#define SPARSE_P_BUILT_0scalar
#define SPARSE_P_BUILT_0odd
#define SPARSE_P_BUILT_0refused
#define SPARSE_P_BUILT_0tensor
#define SPARSE_P_BUILT_0assembled                                   , 0built
#define SPARSE_P_SHARED(c, record)                                  SPARSE_P_SHARED_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_SHARED_(...)                                       SPARSE_P_SHARED__(__VA_ARGS__)
#define SPARSE_P_SHARED__(kernel, loop, i, what, ...)               SPARSE_P_SHARED_##what(kernel, loop, i, __VA_ARGS__)
#define SPARSE_P_SHARED_0scalar(kernel, loop, i, role, name, value) SPARSE_P_SHARED_BY(kernel, loop, i, name)
#define SPARSE_P_SHARED_0tensor(kernel, loop, i, role, name, type, value, pos, crd, indices, ...)                           \
    SPARSE_P_CAT(SPARSE_P_SHARED_, SPARSE_P_PLAINLY_HAS(i, indices))(kernel, loop, i, name)
#define SPARSE_P_SHARED_0refused(kernel, loop, i, ...)
#define SPARSE_P_SHARED_0odd(kernel, loop, i, ...)
/* The parts of an assembled output are concatenated in order, so each part must have a range of the outermost level. */
#define SPARSE_P_SHARED_0assembled(kernel, loop, i, role, name, type, value, pos, crd, indices, levels, steps, nlev,        \
                                   placed, last, prefix, ...)                                                               \
    SPARSE_P_CAT(SPARSE_P_PARTS_, SPARSE_P_NZ_##prefix)(kernel, loop, i, name, SPARSE_P_FIRST(SPARSE_P_TAIL steps))
#define SPARSE_P_PARTS_1(kernel, loop, i, name, step) SPARSE_P_PARTS_OF(kernel, loop, i, name, SPARSE_P_ID step)
#define SPARSE_P_PARTS_OF(...)                        SPARSE_P_PARTS_OF_(__VA_ARGS__)
#define SPARSE_P_PARTS_OF_(kernel, loop, i, name, n, how, known, variable, ...)                                             \
    SPARSE_P_CAT(SPARSE_P_PARTS_BY_, SPARSE_P_COUNT(~SPARSE_P_BY_PAREN(SPARSE_P_PARTS_AT_, variable)(i, variable)))         \
    (kernel, loop, i, name, ~)
#define SPARSE_P_PARTS_AT_0(i, variable) SPARSE_P_SAME(i, variable) SPARSE_P_SAME(i##_block, variable)
#define SPARSE_P_PARTS_AT_1(i, sum)
#define SPARSE_P_PARTS_BY_1(kernel, loop, i, name, step)
#define SPARSE_P_PARTS_BY_0 SPARSE_P_PARTS_0
#define SPARSE_P_PARTS_0(kernel, loop, i, name, step)                                                                       \
    , (#kernel ": " #loop ": the output " #name                                                                             \
               " is assembled, so only the outermost loop, over its outermost level, can be parallel")
#define SPARSE_P_SHARED_1(kernel, loop, i, name)
#define SPARSE_P_SHARED_0 SPARSE_P_SHARED_BY
#define SPARSE_P_SHARED_BY(kernel, loop, i, name)                                                                           \
    , (#kernel ": " #loop ": the output " #name " does not have the index " #i                                              \
               ", so iterations would write to the same place")

/* independent(i) distributes iterations to all threads, so no other loop may be distributed. Each output must have the
   index i, so that iterations write different elements. If an operand stores one triangle, outputs with one of its indices
   are exempt: independent(i) is then the user's promise that iterations write different elements. */
#define SPARSE_P_TEAM_ERRORS_0(kernel, loops, outs, leaves)
#define SPARSE_P_TEAM_ERRORS_1(kernel, loops, outs, leaves)                                                                 \
    SPARSE_P_TEAM_ERRORS_BESIDE(SPARSE_P_SECOND(~SPARSE_P_EACHE(SPARSE_P_MIRROR, , leaves), ~), kernel, loops, outs)
#define SPARSE_P_TEAM_ERRORS_BESIDE(mirror, kernel, loops, outs)                                                            \
    SPARSE_P_EACHH(SPARSE_P_TEAM_ERROR,                                                                                     \
                   (kernel, SPARSE_P_CAT(SPARSE_P_TEAM_OUTS_, SPARSE_P_IS_PAREN(mirror))(mirror, outs)), loops)
#define SPARSE_P_TEAM_OUTS_0(mirror, outs)                           outs
#define SPARSE_P_TEAM_OUTS_1(mirror, outs)                           SPARSE_P_TEAM_OUTS_BESIDE(outs, SPARSE_P_ID mirror)
#define SPARSE_P_TEAM_OUTS_BESIDE(...)                               SPARSE_P_TEAM_OUTS_BESIDE_(__VA_ARGS__)
#define SPARSE_P_TEAM_OUTS_BESIDE_(outs, A, type, value, sign, pair) (SPARSE_P_EACHE(SPARSE_P_UNLESS_IN, pair, outs))
/* UNLESS_IN((i, j), record) -> , record, or nothing if it is a tensor with i or j */
#define SPARSE_P_UNLESS_IN(pair, record) SPARSE_P_UNLESS_IN_(pair, record, SPARSE_P_ID record)
#define SPARSE_P_UNLESS_IN_(...)         SPARSE_P_UNLESS_IN__(__VA_ARGS__)
#define SPARSE_P_UNLESS_IN__(pair, record, what, ...)                                                                       \
    SPARSE_P_SECOND(SPARSE_P_UNLESS_IN_##what, SPARSE_P_STAYS)(pair, record, __VA_ARGS__)
#define SPARSE_P_UNLESS_IN_0tensor        ~, SPARSE_P_UNLESS_TENSOR
#define SPARSE_P_STAYS(pair, record, ...) , record
#define SPARSE_P_UNLESS_TENSOR(pair, record, role, name, type, value, pos, crd, indices, ...)                               \
    SPARSE_P_CAT(SPARSE_P_UNLESS_, SPARSE_P_BY_PAREN(SPARSE_P_IN_PAIR_, pair)(pair, indices))(record)
#define SPARSE_P_IN_PAIR_0(pair, indices) 0
#define SPARSE_P_IN_PAIR_1                SPARSE_P_HAS_EITHER
#define SPARSE_P_UNLESS_0(record)         , record
#define SPARSE_P_UNLESS_1(record)
#define SPARSE_P_TEAM_ERROR(c, l) SPARSE_P_TEAM_ERROR_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_TEAM_ERROR_(...) SPARSE_P_TEAM_ERROR__(__VA_ARGS__)
#define SPARSE_P_TEAM_ERROR__(kernel, outs, key, strategy, variable, kind, i, c)                                            \
    SPARSE_P_STRATEGY_CELL(TEAM, strategy)(kernel, outs, i)
#define SPARSE_P_TEAM_SHARED(kernel, outs, i) SPARSE_P_EACHE(SPARSE_P_SHARED, (kernel, independent(i), i), outs)
#define SPARSE_P_TEAM_PARALLEL(kernel, outs, i)                                                                             \
    , (#kernel ": parallel(" #i "): independent(...) distributes its iterations to all threads; leave parallel out")

/* If a line reads what it has written, its loops must run in order, and it must write in place. */
#define SPARSE_P_CURRENT_ERRORS_0(kernel, outs, loops)
#define SPARSE_P_CURRENT_ERRORS_1(kernel, outs, loops)                                                                      \
    SPARSE_P_EACHH(SPARSE_P_CURRENT_LOOP, kernel, loops) SPARSE_P_EACHE(SPARSE_P_CURRENT_OUTPUT, kernel, outs)
#define SPARSE_P_CURRENT_LOOP(kernel, l) SPARSE_P_CURRENT_LOOP_(kernel, SPARSE_P_ID l)
#define SPARSE_P_CURRENT_LOOP_(...)      SPARSE_P_CURRENT_LOOP__(__VA_ARGS__)
#define SPARSE_P_CURRENT_LOOP__(kernel, key, strategy, variable, kind, i, c)                                                \
    SPARSE_P_STRATEGY_CELL(CURRENT, strategy)                                                                               \
    (kernel, i) SPARSE_P_SECOND(SPARSE_P_CURRENT_LOOP_##kind(i, c), SPARSE_P_DROP)(kernel, i, c)
#define SPARSE_P_CURRENT_LOOP_count(i, c)    ~, SPARSE_P_CURRENT_COUNT
#define SPARSE_P_CURRENT_LOOP_minus(i, c)    ~, SPARSE_P_CURRENT_MINUS
#define SPARSE_P_CURRENT_PARALLEL(kernel, i) SPARSE_P_CURRENT_OUT_OF_ORDER(kernel, parallel(i))
#define SPARSE_P_CURRENT_SUMMED(kernel, i)   SPARSE_P_CURRENT_OUT_OF_ORDER(kernel, parallel_sum(i))
#define SPARSE_P_CURRENT_SIMD(kernel, i)     SPARSE_P_CURRENT_OUT_OF_ORDER(kernel, simd(i))
#define SPARSE_P_CURRENT_UNROLL(kernel, i)   SPARSE_P_CURRENT_OUT_OF_ORDER(kernel, unroll(i))
#define SPARSE_P_CURRENT_TILE(kernel, i)     SPARSE_P_CURRENT_OUT_OF_ORDER(kernel, tile(i))
#define SPARSE_P_CURRENT_COUNT(kernel, i, c) SPARSE_P_CURRENT_OUT_OF_ORDER(kernel, count(i, c))
#define SPARSE_P_CURRENT_MINUS(kernel, j, i) SPARSE_P_CURRENT_OUT_OF_ORDER(kernel, minus(j, i))
#define SPARSE_P_CURRENT_OUT_OF_ORDER(kernel, loop)                                                                         \
    , (#kernel ": " #loop ": the line reads current(...), so its iterations have to run one after the other, in order")
#define SPARSE_P_CURRENT_OUTPUT(kernel, record) SPARSE_P_CURRENT_OUTPUT_(kernel, SPARSE_P_ID record)
#define SPARSE_P_CURRENT_OUTPUT_(...)           SPARSE_P_CURRENT_OUTPUT__(__VA_ARGS__)
#define SPARSE_P_CURRENT_OUTPUT__(kernel, what, role, ...)                                                                  \
    SPARSE_P_SECOND(SPARSE_P_CURRENT_OF_##what##role, SPARSE_P_DROP)(kernel, __VA_ARGS__)
#define SPARSE_P_CURRENT_OF_0assembled0write ~, SPARSE_P_CURRENT_ANEW
#define SPARSE_P_CURRENT_OF_0tensor0like     ~, SPARSE_P_CURRENT_ANEW
#define SPARSE_P_CURRENT_ANEW(kernel, name, ...)                                                                            \
    , (#kernel ": output " #name " is built while the loops run; current(...) reads outputs that are dense, or "            \
               "update(...)")

/* If an operand stores one triangle, mirror images visit its indices at any coordinate and in any order. So operands and
   outputs that have one of these indices must be dense. */
#define SPARSE_P_MIRROR_ERRORS(kernel, loops, outs, leaves, works)                                                          \
    SPARSE_P_MIRROR_ERRORS_OF((SPARSE_P_EACHE(SPARSE_P_MIRROR, , leaves)), kernel, loops, leaves, works)
#define SPARSE_P_MIRROR_ERRORS_OF(mirrors, ...)                                                                             \
    SPARSE_P_CAT(SPARSE_P_MIRROR_ERRORS_, SPARSE_P_AMOUNT(~SPARSE_P_ID mirrors))(mirrors, __VA_ARGS__)
#define SPARSE_P_MIRROR_ERRORS_0none(mirrors, ...)
#define SPARSE_P_MIRROR_ERRORS_0many(mirrors, kernel, ...)                                                                  \
    , (#kernel ": two operands store one triangle, and a line can have one of them")
#define SPARSE_P_MIRROR_ERRORS_0one(mirrors, ...) SPARSE_P_MIRROR_ERRORS_ONE(SPARSE_P_SECOND mirrors, __VA_ARGS__)
#define SPARSE_P_MIRROR_ERRORS_ONE(mirror, ...)   SPARSE_P_MIRROR_ERRORS_BY(SPARSE_P_ID mirror, __VA_ARGS__)
#define SPARSE_P_MIRROR_ERRORS_BY(...)            SPARSE_P_MIRROR_ERRORS_BY_(__VA_ARGS__)
#define SPARSE_P_MIRROR_ERRORS_BY_(A, type, value, sign, pair, ...)                                                         \
    SPARSE_P_BY_PAREN(SPARSE_P_MIRROR_ERRORS_BY_, pair)(A, pair, __VA_ARGS__)
#define SPARSE_P_MIRROR_ERRORS_BY_0(A, pair, kernel, ...)                                                                   \
    , (#kernel ": operand " #A " stores one triangle, so its last two indices must be letters")
#define SPARSE_P_MIRROR_ERRORS_BY_1(A, pair, kernel, loops, leaves, works)                                                  \
    SPARSE_P_EACHE(SPARSE_P_MIRROR_BESIDE, (kernel, A, pair), leaves)                                                       \
    SPARSE_P_CAT(SPARSE_P_MIRROR_WORKS_, SPARSE_P_IS_ANY works)                                                             \
    (kernel, A) SPARSE_P_EACHH(SPARSE_P_MIRROR_LOOP, (kernel, A, SPARSE_P_ID pair), loops)
#define SPARSE_P_MIRROR_WORKS_0(kernel, A)
#define SPARSE_P_MIRROR_WORKS_1(kernel, A) SPARSE_P_MIRROR_NOT_WITH(kernel, A, where(...))
#define SPARSE_P_MIRROR_NOT_WITH(kernel, A, word)                                                                           \
    , (#kernel ": operand " #A " stores one triangle, and a line with it cannot have " #word)
#define SPARSE_P_MIRROR_BESIDE(c, record) SPARSE_P_MIRROR_BESIDE_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_MIRROR_BESIDE_(...)      SPARSE_P_MIRROR_BESIDE__(__VA_ARGS__)
#define SPARSE_P_MIRROR_BESIDE__(kernel, A, pair, what, ...)                                                                \
    SPARSE_P_SECOND(SPARSE_P_MIRROR_BESIDE_##what, SPARSE_P_DROP)(kernel, A, pair, __VA_ARGS__)
#define SPARSE_P_MIRROR_BESIDE_0tensor          ~, SPARSE_P_MIRROR_TENSOR
#define SPARSE_P_MIRROR_BESIDE_0sliced          ~, SPARSE_P_MIRROR_TENSOR
#define SPARSE_P_MIRROR_BESIDE_0assembled       ~, SPARSE_P_MIRROR_NOT_DENSE
#define SPARSE_P_MIRROR_BESIDE_0current         ~, SPARSE_P_MIRROR_CURRENT
#define SPARSE_P_MIRROR_CURRENT(kernel, A, ...) SPARSE_P_MIRROR_NOT_WITH(kernel, A, current(...))
#define SPARSE_P_MIRROR_TENSOR(kernel, A, pair, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed,    \
                               sparse, ...)                                                                                 \
    SPARSE_P_CAT(SPARSE_P_MIRROR_TENSOR_, SPARSE_P_HAS_EITHER(pair, indices))                                               \
    (kernel, A, pair, role, name, indices, levels, walks)
#define SPARSE_P_MIRROR_TENSOR_0(...)
#define SPARSE_P_MIRROR_TENSOR_1(kernel, A, pair, role, name, indices, levels, walks)                                       \
    SPARSE_P_CAT(SPARSE_P_MIRROR_SUMS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SUM, , indices)))                        \
    (kernel, A, pair, role, name, levels, walks)
#define SPARSE_P_MIRROR_SUMS_0(kernel, A, pair, role, name, levels, walks)                                                  \
    SPARSE_P_CAT(SPARSE_P_MIRROR_DENSE_,                                                                                    \
                 SPARSE_P_IS_ANY(SPARSE_P_UNPACK(walks) SPARSE_P_EACHF(SPARSE_P_IS_PART, , levels)))                        \
    (kernel, A, pair, role, name)
#define SPARSE_P_MIRROR_SUMS_1(kernel, A, pair, role, name, ...)                                                            \
    , (#kernel ": operand " #A " stores one triangle, and the subscripts of " #name " beside it must be letters")
#define SPARSE_P_MIRROR_DENSE_0(kernel, A, pair, role, name)
#define SPARSE_P_MIRROR_DENSE_1(...) SPARSE_P_MIRROR_NOT_DENSE(__VA_ARGS__, ~)
#define SPARSE_P_MIRROR_NOT_DENSE(kernel, A, pair, role, name, ...)                                                         \
    , (#kernel ": operand " #A " stores one triangle, and beside it " #name " must be dense, without blocks")
#define SPARSE_P_IS_PART(c, level)                                         SPARSE_P_IS_PART_ level
#define SPARSE_P_IS_PART_(number, storage, letter, placed, variable, part) SPARSE_P_IS_MAPPED4 part
/* Errors of loops whose iterations run in parallel, and of coordinates that let(...) computes. */
#define SPARSE_P_MIRROR_LOOP(c, l) SPARSE_P_MIRROR_LOOP_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_MIRROR_LOOP_(...) SPARSE_P_MIRROR_LOOP_OF(__VA_ARGS__)
#define SPARSE_P_MIRROR_LOOP_OF(kernel, A, i, j, key, strategy, variable, kind, k, c)                                       \
    SPARSE_P_STRATEGY_CELL(MIRROR, strategy)(kernel, A, k, SPARSE_P_IS_ANY(SPARSE_P_SAME(i, k) SPARSE_P_SAME(j, k)))
#define SPARSE_P_MIRROR_LET(kernel, A, k, either)      SPARSE_P_MIRROR_NOT_WITH(kernel, A, let(...))
#define SPARSE_P_MIRROR_SIMD(kernel, A, k, either)     SPARSE_P_MIRROR_APART(kernel, A, k, simd)
#define SPARSE_P_MIRROR_PARALLEL(kernel, A, k, either) SPARSE_P_CAT(SPARSE_P_MIRROR_APART_, either)(kernel, A, k, parallel)
#define SPARSE_P_MIRROR_INDEPENDENT(kernel, A, k, either)                                                                   \
    SPARSE_P_CAT(SPARSE_P_MIRROR_APART_, either)(kernel, A, k, independent)
#define SPARSE_P_MIRROR_UNROLL(kernel, A, k, either) SPARSE_P_CAT(SPARSE_P_MIRROR_APART_, either)(kernel, A, k, unroll)
#define SPARSE_P_MIRROR_APART_0(kernel, A, k, word)
#define SPARSE_P_MIRROR_APART_1 SPARSE_P_MIRROR_APART
#define SPARSE_P_MIRROR_APART(kernel, A, k, word)                                                                           \
    , (#kernel ": " #word "(" #k "): operand " #A                                                                           \
               " stores one triangle, so iterations add to the same elements; leave " #word                                 \
               " out, or store both triangles")

/* Errors of loops over slices and diagonals. Several iterations reach the same rows, so they cannot run in parallel. Only
   one operand may be stored in slices. */
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
    SPARSE_P_STRATEGY_CELL(DERIVED, strategy)(kernel, "minus(" #j ", " #i ")")
#define SPARSE_P_DERIVED_ERRORS_count(kernel, leaves, strategy, i, c)                                                       \
    SPARSE_P_STRATEGY_CELL(DERIVED, strategy)                                                                               \
    (kernel, "count(" #i ", " #c ")")                                                                                       \
        SPARSE_P_UNLESS_ONE(SPARSE_P_AMOUNT(~SPARSE_P_EACHE(SPARSE_P_DEALT, i##_count, leaves)),                            \
                            #kernel ": the loop count(" #i ", " #c ") needs one operand that is stored so, and no other")
#define SPARSE_P_DERIVED_SUMMED(kernel, loop)                                                                               \
    , (#kernel ": parallel_sum(" loop "): loops over diagonals or slices have no shares; put it on another loop")
#define SPARSE_P_DERIVED_INDEPENDENT(kernel, loop)                                                                          \
    , (#kernel ": independent(" loop "): its iterations visit the same rows, so they would write to the same element")
#define SPARSE_P_DERIVED_SHARED(kernel, loop)                                                                               \
    , (#kernel ": parallel(" loop "): its iterations visit the same rows, so they would write to the same element")
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
#define SPARSE_P_DEALT_0current(...)
#define SPARSE_P_DEALT_0mirrored                                SPARSE_P_DEALT_0tensor
#define SPARSE_P_DEALT_LEVEL(v, level)                          SPARSE_P_DEALT_LEVEL_(v, SPARSE_P_ID level)
#define SPARSE_P_DEALT_LEVEL_(...)                              SPARSE_P_DEALT_LEVEL__(__VA_ARGS__)
#define SPARSE_P_DEALT_LEVEL__(v, number, storage, letter, ...) SPARSE_P_SAME(v, letter)

/* PLAN_ERROR((kernel, outs), plan) -> , ("sentence"): the error if the lattice of the loop does not permit its strategy */
#define SPARSE_P_PLAN_ERROR(c, plan) SPARSE_P_PLAN_ERROR_(SPARSE_P_ID c, SPARSE_P_ID plan)
#define SPARSE_P_PLAN_ERROR_(...)    SPARSE_P_PLAN_ERROR__(__VA_ARGS__)
#define SPARSE_P_PLAN_ERROR__(kernel, outs, d, i, strategy, dead, kind, drivers, followers, ...)                            \
    SPARSE_P_EACHG(SPARSE_P_FOLLOW_ERROR, (kernel, i), followers)                                                           \
    SPARSE_P_EACHE(SPARSE_P_APPEND_ERROR, (kernel, i, drivers), outs)                                                       \
    SPARSE_P_KIND_WHY(SPARSE_P_PASS_CELL(ERRORS, strategy), kind)                                                           \
    (kernel, i, drivers)
/* Appended entries must be visited in order, and each entry once. */
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

/* ORDER_ERRORS(kernel, plans, leaves) -> , ("sentence"): if a line reads what it has written, it must visit entries in
   order */
#define SPARSE_P_ORDER_ERRORS(kernel, plans, leaves)                                                                        \
    SPARSE_P_CAT(SPARSE_P_ORDER_ERRORS_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_IS_CURRENT, , leaves)))(kernel, plans)
#define SPARSE_P_ORDER_ERRORS_0(kernel, plans)
#define SPARSE_P_ORDER_ERRORS_1(kernel, plans) SPARSE_P_EACHH(SPARSE_P_ORDER_ERROR, kernel, plans)
#define SPARSE_P_ORDER_ERROR(kernel, plan)     SPARSE_P_ORDER_ERROR_(kernel, SPARSE_P_ID plan)
#define SPARSE_P_ORDER_ERROR_(...)             SPARSE_P_ORDER_ERROR__(__VA_ARGS__)
#define SPARSE_P_ORDER_ERROR__(kernel, d, i, strategy, dead, kind, drivers, ...)                                            \
    SPARSE_P_EACHG(SPARSE_P_OUT_OF_ORDER, (kernel, i), drivers)
#define SPARSE_P_OUT_OF_ORDER(c, it) SPARSE_P_OUT_OF_ORDER_(SPARSE_P_ID c, SPARSE_P_ID it)
#define SPARSE_P_OUT_OF_ORDER_(...)  SPARSE_P_OUT_OF_ORDER__(__VA_ARGS__)
#define SPARSE_P_OUT_OF_ORDER__(kernel, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)            \
    SPARSE_P_CAT(SPARSE_P_IF_, SPARSE_P_WALK_CELL(ORDER, walk))(kernel, i, A)
#define SPARSE_P_IF_0ordered(kernel, i, A)
#define SPARSE_P_IF_0unordered(kernel, i, A)                                                                                \
    , (#kernel ": operand " #A " does not store " #i " in order, and the line reads current(...), whose loops run in "      \
               "order")

/* PREFETCH_ERRORS(kernel, loops, plans, leaves) -> , ("sentence"): a prefetching loop must be over one operand, whose next
   coordinates it can read, and there must be elements to prefetch */
#define SPARSE_P_PREFETCH_ERRORS(kernel, loops, plans, leaves)                                                              \
    SPARSE_P_EACHD(SPARSE_P_PREFETCH_ERROR, (kernel, (leaves, plans)), (SPARSE_P_AHEAD(loops, plans)))
#define SPARSE_P_PREFETCH_ERROR(c, plan) SPARSE_P_PREFETCH_ERROR_(SPARSE_P_ID c, SPARSE_P_ID plan)
#define SPARSE_P_PREFETCH_ERROR_(...)    SPARSE_P_PREFETCH_ERROR__(__VA_ARGS__)
#define SPARSE_P_PREFETCH_ERROR__(kernel, of, d, i, strategy, dead, kind, drivers, ...)                                     \
    SPARSE_P_PREFETCH_ERROR_##kind(kernel, of, d, i, drivers)
#define SPARSE_P_PREFETCH_ERROR_0ONE(kernel, of, d, i, drivers)                                                             \
    SPARSE_P_CAT(SPARSE_P_PREFETCH_ERROR_OVER_, SPARSE_P_IS_ANY(SPARSE_P_EACHG(SPARSE_P_BY_OFFSETS, , drivers)))            \
    (kernel, of, d, i)
/* BY_OFFSETS(, driver) -> , 1 if the driver visits subsections: the loop cannot read ahead, because it searches each of
   them */
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
/* A loop can be unrolled only if its walk goes from one position to the next: lanes are consecutive positions. */
#define SPARSE_P_ERROR_LANES(kernel, i, drivers) SPARSE_P_EACHG(SPARSE_P_LANE_ERROR, (kernel, i), drivers)
#define SPARSE_P_LANE_ERROR(c, it)               SPARSE_P_LANE_ERROR_(SPARSE_P_ID c, SPARSE_P_ID it)
#define SPARSE_P_LANE_ERROR_(...)                SPARSE_P_LANE_ERROR__(__VA_ARGS__)
#define SPARSE_P_LANE_ERROR__(kernel, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)              \
    SPARSE_P_CAT(SPARSE_P_LANE_ERROR_, SPARSE_P_NZ(SPARSE_P_WALK_CELL(SEGMENTS, walk)))(kernel, i, A)
#define SPARSE_P_LANE_ERROR_0(kernel, i, A)
#define SPARSE_P_LANE_ERROR_1(kernel, i, A)                                                                                 \
    , (#kernel ": unroll(" #i "): operand " #A " stores several positions with one " #i)
#define SPARSE_P_ERROR_BESIDE(kernel, i, drivers) SPARSE_P_EACHG(SPARSE_P_PARALLEL_ERROR, (kernel, parallel(i), i), drivers)
#define SPARSE_P_ERROR_LEVEL(kernel, i, drivers)                                                                            \
    SPARSE_P_EACHG(SPARSE_P_PARALLEL_ERROR, (kernel, independent(i), i), drivers)
#define SPARSE_P_ERROR_MERGED_BESIDE(kernel, i, drivers) SPARSE_P_ERROR_MERGED_PARALLEL(kernel, parallel(i))
#define SPARSE_P_ERROR_MERGED_LEVEL(kernel, i, drivers)  SPARSE_P_ERROR_MERGED_PARALLEL(kernel, independent(i))
#define SPARSE_P_ERROR_MERGED_PARALLEL(kernel, loop)                                                                        \
    , (#kernel ": " #loop ": the loop merges sparse operands, so its iterations depend on each other")
#define SPARSE_P_ERROR_MERGED_DOWN(kernel, i, drivers)                                                                      \
    , (#kernel ": down(" #i "): the loop merges sparse operands, which runs upwards")
#define SPARSE_P_ERROR_DOWN(kernel, i, drivers) SPARSE_P_EACHG(SPARSE_P_DOWN_ERROR, (kernel, i), drivers)
#define SPARSE_P_DOWN_ERROR(c, it)              SPARSE_P_DOWN_ERROR_(SPARSE_P_ID c, SPARSE_P_ID it)
#define SPARSE_P_DOWN_ERROR_(...)               SPARSE_P_DOWN_ERROR__(__VA_ARGS__)
#define SPARSE_P_DOWN_ERROR__(kernel, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)              \
    SPARSE_P_CAT(SPARSE_P_DOWN_ERROR_, SPARSE_P_NZ(SPARSE_P_WALK_CELL(SEGMENTS, walk)))(kernel, i, A)
#define SPARSE_P_DOWN_ERROR_0(kernel, i, A)
#define SPARSE_P_DOWN_ERROR_1(kernel, i, A)                                                                                 \
    , (#kernel ": down(" #i "): operand " #A " finds one position from the one before it, so the loop runs upwards")
#define SPARSE_P_ERROR_TILED(kernel, i, drivers) , (#kernel ": tile(" #i "): the loop has to be over all coordinates")

/* UNROLL_ERRORS(kernel, outs, wheres, loops, (, plan, plan)) -> , ("sentence"). unroll(i) runs several iterations of i
   inside the innermost loop. So the innermost loop must visit all coordinates, whatever i is. No two of these iterations
   may write the same element, and none may build a workspace. */
#define SPARSE_P_UNROLL_ERRORS(kernel, outs, wheres, loops, plans)                                                          \
    SPARSE_P_CAT(SPARSE_P_UNROLL_ERRORS_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_TO_UNROLL, , loops)))                     \
    ((kernel, outs, wheres), plans)
/* TO_UNROLL(, loop) -> , unroll if this is the strategy of the loop */
#define SPARSE_P_TO_UNROLL(c, l)                SPARSE_P_TO_UNROLL_ l
#define SPARSE_P_TO_UNROLL_(key, strategy, ...) SPARSE_P_CAT(SPARSE_P_TO_UNROLL_, SPARSE_P_STRATEGY_CELL(UNROLLS, strategy))
#define SPARSE_P_TO_UNROLL_0
#define SPARSE_P_TO_UNROLL_1 , unroll
#define SPARSE_P_UNROLL_ERRORS_0(c, plans)
#define SPARSE_P_UNROLL_ERRORS_1(c, plans) SPARSE_P_LAST_TWO(SPARSE_P_UNROLLED, c, SPARSE_P_ID plans)
/* LAST_TWO(m, c, , p, q, r) -> m(c, q, r, , p): the last two items come first. With fewer than two items, it yields
   nothing. */
#define SPARSE_P_LAST_TWO(m, c, ...) SPARSE_P_CAT(SPARSE_P_LAST_TWO_, SPARSE_P_COUNT(~__VA_ARGS__))(m, c, __VA_ARGS__)
#define SPARSE_P_LAST_TWO_1(m, c, z, p)
#define SPARSE_P_LAST_TWO_2(m, c, z, p, q) m(c, p, q, z)

#define SPARSE_P_LAST_TWO_3(m, c, z, p, q, r)                             m(c, q, r, z, p)
#define SPARSE_P_LAST_TWO_4(m, c, z, p, q, r, s)                          m(c, r, s, z, p, q)
#define SPARSE_P_LAST_TWO_5(m, c, z, p, q, r, s, t)                       m(c, s, t, z, p, q, r)
#define SPARSE_P_LAST_TWO_6(m, c, z, p, q, r, s, t, u)                    m(c, t, u, z, p, q, r, s)
#define SPARSE_P_LAST_TWO_7(m, c, z, p, q, r, s, t, u, v)                 m(c, u, v, z, p, q, r, s, t)
#define SPARSE_P_LAST_TWO_8(m, c, z, p, q, r, s, t, u, v, w)              m(c, v, w, z, p, q, r, s, t, u)
#define SPARSE_P_LAST_TWO_9(m, c, z, p, q, r, s, t, u, v, w, x)           m(c, w, x, z, p, q, r, s, t, u, v)
#define SPARSE_P_LAST_TWO_10(m, c, z, p, q, r, s, t, u, v, w, x, y)       m(c, x, y, z, p, q, r, s, t, u, v, w)
#define SPARSE_P_LAST_TWO_11(m, c, z, p, q, r, s, t, u, v, w, x, y, i)    m(c, y, i, z, p, q, r, s, t, u, v, w, x)
#define SPARSE_P_LAST_TWO_12(m, c, z, p, q, r, s, t, u, v, w, x, y, i, j) m(c, i, j, z, p, q, r, s, t, u, v, w, x, y)

#define SPARSE_P_UNROLLED(c, p, q, ...) SPARSE_P_UNROLLED_(SPARSE_P_ID c, SPARSE_P_ID p, SPARSE_P_ID q)
#define SPARSE_P_UNROLLED_(...)         SPARSE_P_UNROLLED__(__VA_ARGS__)
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
    , (#kernel ": unroll(" #i "): each iteration makes workspace " #w ", so iterations cannot run together")
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
    SPARSE_P_CAT3(m, SPARSE_P_PLAINLY_HAS(j, indices),                                                                      \
                  SPARSE_P_CAT3(SPARSE_P_AND_, apart, SPARSE_P_PLAINLY_HAS(i, indices)))                                    \
    (kernel, i, j, name)
/* In loops inside of KNOWN, the entry of an assembled output is known, and its value is updated in place, as in a tensor. */
#define SPARSE_P_WITHOUT_0assembled(m, kernel, d, i, j, apart, role, name, type, value, pos, crd, indices, levels, steps,   \
                                    nlev, placed, last, prefix, known, ...)                                                 \
    SPARSE_P_CAT(SPARSE_P_WITHOUT_, SPARSE_P_CMP(known, d))                                                                 \
    (m, kernel, d, i, j, apart, role, name, type, value, pos, crd, indices, levels)
#define SPARSE_P_WITHOUT_0before                                        SPARSE_P_WITHOUT_0tensor
#define SPARSE_P_WITHOUT_0here                                          SPARSE_P_ONE_BY_ONE
#define SPARSE_P_WITHOUT_0after                                         SPARSE_P_ONE_BY_ONE
#define SPARSE_P_ONE_BY_ONE(m, kernel, d, i, j, apart, role, name, ...) m##0(kernel, i, name)

#define SPARSE_P_WITHOUT_0(kernel, i, name) SPARSE_P_NOT_ORDERED_0assembled(kernel, unroll(i), ~, name, ~)
#define SPARSE_P_WITHOUT_11(kernel, i, j, name)
#define SPARSE_P_WITHOUT_10(kernel, i, j, name)
#define SPARSE_P_WITHOUT_01(kernel, i, j, name)
#define SPARSE_P_WITHOUT_00(kernel, i, j, name)                                                                             \
    , (#kernel ": unroll(" #i "): the output " #name " needs the index " #j " of the innermost loop, or " #i                \
               ", and that once at each coordinate")
/* DEFAULTS((wheres, outs, asked, leaves), plans) -> plans. The loop around the innermost is unrolled without unroll(...),
   if
     - the innermost loop visits all coordinates,
     - the loop around it visits all coordinates, or those that one operand stores,
     - each output has the index of exactly one of these two loops,
     - ASKED yields nothing for them, and the line has no workspace, no current(...) and no symmetric operand.
   This is faster: an output is read and written once for several terms, or several independent sums are computed at once. */
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
    ((SPARSE_P_ID before,                                                                                                   \
      SPARSE_P_UNASKED(SPARSE_P_WHOLE_ROWS(leaves, SPARSE_P_ID q), d, i, strategy, dead, kind, drivers, followers), q))
#define SPARSE_P_GAINS_0 SPARSE_P_ITEM
/* WHOLE_ROWS(leaves, inner plan) -> the leaves whose rows may be prefetched: none if the inner loop is tiled. A prefetch
   loads the first cache lines of a row, and only the first tile needs these lines. */
#define SPARSE_P_WHOLE_ROWS(...)                          SPARSE_P_WHOLE_ROWS_(__VA_ARGS__)
#define SPARSE_P_WHOLE_ROWS_(leaves, d, i, strategy, ...) SPARSE_P_SECOND(SPARSE_P_WHOLE_ROWS_##strategy, leaves)
#define SPARSE_P_WHOLE_ROWS_tile                          ~, ()
#define SPARSE_P_GAINS_1(plans)
/* ASKED(, outer loop, inner loop) -> , if the words of the line on these loops prevent the unrolling by DEFAULTS. These
   words do not: prefetch on the outer loop; prefetch, simd and tile on the inner one. simd and unrolling together are
   faster than either. */
#define SPARSE_P_ASKED(c, l, m, ...)              SPARSE_P_ASKED_ l SPARSE_P_ASKED_INNER_ m
#define SPARSE_P_ASKED_(key, strategy, ...)       SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_ASKED_##strategy, (, ~)))
#define SPARSE_P_ASKED_0sequential                ~, ()
#define SPARSE_P_ASKED_prefetch                   ~, ()
#define SPARSE_P_ASKED_INNER_(key, strategy, ...) SPARSE_P_UNPACK(SPARSE_P_SECOND(SPARSE_P_ASKED_INNER_##strategy, (, ~)))
#define SPARSE_P_ASKED_INNER_0sequential          ~, ()
#define SPARSE_P_ASKED_INNER_prefetch             ~, ()
#define SPARSE_P_ASKED_INNER_simd                 ~, ()
#define SPARSE_P_ASKED_INNER_tile                 ~, ()
#define SPARSE_P_UNPAID_0(...)                    , ~
#define SPARSE_P_UNPAID_00(...)                   , ~
#define SPARSE_P_UNPAID_01(...)
#define SPARSE_P_UNPAID_10(...)
#define SPARSE_P_UNPAID_11(...) , ~
/* FOLLOW_ERROR: co-iteration needs coordinates in order, and one entry at each coordinate. */
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
#define SPARSE_P_PARALLEL_ERROR__(kernel, loop, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)    \
    SPARSE_P_CAT3(SPARSE_P_PARALLEL_ERROR_, SPARSE_P_WALK_CELL(APART, walk), SPARSE_P_WALK_CELL(ALONE, walk))               \
    (kernel, loop, i, A)
#define SPARSE_P_PARALLEL_ERROR_11(kernel, loop, i, A)
#define SPARSE_P_PARALLEL_ERROR_10(kernel, loop, i, A)                                                                      \
    , (#kernel ": " #loop ": operand " #A " stores " #i " as differences or bits, which are read one after the other")
#define SPARSE_P_PARALLEL_ERROR_01(kernel, loop, i, A)                                                                      \
    , (#kernel ": " #loop ": operand " #A " may store " #i " more than once, so iterations would write to the same place")

/* WHERE_ERRORS((kernel, letters), where) -> , "sentence" ... */
#define SPARSE_P_WHERE_ERRORS(c, where) SPARSE_P_WHERE_ERRORS_(SPARSE_P_ID c, SPARSE_P_ID where)
#define SPARSE_P_WHERE_ERRORS_(...)     SPARSE_P_WHERE_ERRORS__(__VA_ARGS__)
#define SPARSE_P_WHERE_ERRORS__(kernel, outer, n, tree, loops, letters, leaves, written, initial, out, operand, statement)  \
    SPARSE_P_LOOP_ERRORS(kernel, loops, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTER, , loops))))                          \
    SPARSE_P_LOOP_COUNT(kernel, letters)                                                                                    \
    SPARSE_P_EACHE(SPARSE_P_WORK_LOOP, (kernel, n, outer), loops)                                                           \
    SPARSE_P_CAT(SPARSE_P_LEAF_COUNT_, SPARSE_P_FEW(leaves))                                                                \
    (kernel) SPARSE_P_EACHE(SPARSE_P_LEAF_ERRORS, (kernel, letters), leaves)                                                \
        SPARSE_P_EACHE(SPARSE_P_MIRROR_MADE, kernel, leaves)                                                                \
            SPARSE_P_WORK_ERRORS(kernel, written, n, letters, outer, SPARSE_P_ID out, SPARSE_P_ID operand)                  \
                SPARSE_P_LEAF_ERRORS((kernel, outer), operand) SPARSE_P_EACHH(                                              \
                    SPARSE_P_UNBOUND,                                                                                       \
                    (kernel, (SPARSE_P_EACHE(SPARSE_P_INDICES, , leaves) SPARSE_P_EACHF(SPARSE_P_RANGED, , loops))), loops)
#define SPARSE_P_MIRROR_MADE(kernel, record) SPARSE_P_MIRROR_MADE_(kernel, SPARSE_P_ID record)
#define SPARSE_P_MIRROR_MADE_(...)           SPARSE_P_MIRROR_MADE__(__VA_ARGS__)
#define SPARSE_P_MIRROR_MADE__(kernel, what, ...)                                                                           \
    SPARSE_P_SECOND(SPARSE_P_MIRROR_MADE_##what, SPARSE_P_DROP)(kernel, __VA_ARGS__)
#define SPARSE_P_MIRROR_MADE_0mirrored                   ~, SPARSE_P_MIRROR_MADE_OF
#define SPARSE_P_MIRROR_MADE_OF(kernel, role, name, ...) SPARSE_P_MIRROR_NOT_WITH(kernel, name, where(...))
/* WHERE_PLAN_ERRORS: the errors of the plans of a workspace */
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
    SPARSE_P_WORK_LOOP_##kind(kernel, i) SPARSE_P_STRATEGY_CELL(WORK, strategy)(kernel, i) SPARSE_P_CAT3(                   \
        SPARSE_P_WORK_LOOP_, SPARSE_P_NZ(SPARSE_P_POS(key, outer)), SPARSE_P_CMP(SPARSE_P_POS(key, outer), n))(kernel, i)
#define SPARSE_P_WORK_LOOP_0dim(kernel, i)
#define SPARSE_P_WORK_LOOP_0bad(kernel, i)
#define SPARSE_P_WORK_LOOP_floordiv(kernel, i)
#define SPARSE_P_WORK_LOOP_mod(kernel, i)
#define SPARSE_P_WORK_LOOP_count(kernel, i)                                                                                 \
    , (#kernel ": the loops of a workspace run over whole indices or blocks of them, and " #i " is divided in another way")
#define SPARSE_P_WORK_LOOP_minus       SPARSE_P_WORK_LOOP_count
#define SPARSE_P_WORK_AHEAD(kernel, i) , (#kernel ": prefetch(" #i "): a loop of a workspace cannot fetch ahead")
#define SPARSE_P_WORK_TILED(kernel, i) , (#kernel ": tile(" #i "): a loop of a workspace cannot be tiled; one around it can")
#define SPARSE_P_WORK_DOWN(kernel, i)                                                                                       \
    , (#kernel ": down(" #i "): a loop of a workspace runs upwards; one around it can run down")
#define SPARSE_P_WORK_SUMMED(kernel, i)                                                                                     \
    , (#kernel ": parallel_sum(" #i "): a loop of a workspace cannot be parallel; one around it can")
#define SPARSE_P_WORK_INDEPENDENT(kernel, i)                                                                                \
    , (#kernel ": independent(" #i "): a loop of a workspace cannot be parallel; one around it can")
#define SPARSE_P_WORK_BESIDE(kernel, i)                                                                                     \
    , (#kernel ": parallel(" #i "): a loop of a workspace cannot be parallel; one around it can")
#define SPARSE_P_WORK_LOOP_00before(kernel, i)
#define SPARSE_P_WORK_LOOP_00here(kernel, i)
#define SPARSE_P_WORK_LOOP_10after(kernel, i)
#define SPARSE_P_WORK_LOOP_10here(kernel, i)                                                                                \
    , (#kernel ": a workspace has a loop over " #i " and is made inside one over " #i)
#define SPARSE_P_WORK_LOOP_10before SPARSE_P_WORK_LOOP_10here
/* WORK_ERRORS: a workspace must be a scalar, or its indices must belong to loops inside the loop in which it is made. */
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
#define SPARSE_P_WORK_INDEX_0after(kernel, name, i)
#define SPARSE_P_WORK_INDEX_0here(kernel, name, i)                                                                          \
    , (#kernel ": workspace " #name " has the index " #i ", and no loop over it comes after it is made")
#define SPARSE_P_WORK_INDEX_0before SPARSE_P_WORK_INDEX_0here

#endif /* SPARSE_LATTICE_H */
