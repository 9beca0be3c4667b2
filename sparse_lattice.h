/* sparse_lattice.h: from a kernel line to loops, in the preprocessor.

   Part of the sparse kit; include "sparse.h". This header knows tokens and loops, and nothing of how tensors are
   stored, or how results come to be: that is in sparse_formats.h, >>levels, >>levels of operands and >>building.
   What becomes of

     (i, j), (y, VEC, i), all((A, CSR, i, j), (x, VEC, j)), y += A * x

     tree    (all, leaf A, leaf x): the operands as they are needed, all(...) an intersection, any(...) a union,
             none(...) a complement. A leaf is a record: each level with the loop at which its position is known
     drive   the tree, folded for one loop: what drives it, and what follows. Over i nothing that is sparse: FULL.
             Over j: ONE, the second level of A; x is dense there, and located
     plan    a drive and all else that has to be known to write the loop: strategy, tests, checks
     nest    the loops, from their plans; the statement; what an output takes in

   The drive of a loop is the iteration lattice of the papers (Kjolstad et al. 2017, section 5; document 000,
   "iteration lattices"; merge lattice in document 002) of the expression at that index, as far as loops differ:

     FULL    every coordinate: the expression can be nonzero where nothing is stored
     ONE     one lattice point, one operand: its stored coordinates
     BOTH    one lattice point, two operands: their common coordinates
     MERGE   several lattice points: the coordinates stored in any of several operands. A loop for each point
             becomes a phase: while all have more, while some have, what is left of each
     RANGE   FULL along a diagonal, where the other index is within its dimension too; WITHIN: in blocks
     POINT   that other index: one coordinate, which follows from the loops around it
     LET     one coordinate as well, which the line computes from them

   Operands that are stored sparsely at this index without driving the loop follow it by seeking. An absent operand
   is an empty range at all deeper levels, so every loop is written once.

   A thing of a kind (level type, walk, storage, loop, strategy, mode of assembly) is one row with named columns,
   KIND_ROW_word; `grep '_ROW_'` finds the rooms.

   Contents (search for the anchors)
     >>configuration  switches with their defaults
     >>toolkit     token pasting, rows, comparing
     >>operands    the tree of a kernel line and its leaves; their levels are those of >>levels of operands,
                   in sparse_formats.h
     >>lattice     which iterators drive the loop over an index, which follow, what must be tested
     >>workspaces  what a kernel computes on the way: where()
     >>loops       the loop nest
     >>tables      what the toolkit counts, compares and maps with
*/
#ifndef SPARSE_LATTICE_H
#define SPARSE_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version, and as one number for #if: 10203 is 1.2.3. */
#define SPARSE_VERSION_MAJOR 0
#define SPARSE_VERSION_MINOR 2
#define SPARSE_VERSION_PATCH 0
#define SPARSE_VERSION       (SPARSE_VERSION_MAJOR * 10000 + SPARSE_VERSION_MINOR * 100 + SPARSE_VERSION_PATCH)

/* >>configuration
   NAME                  default  meaning
   SPARSE_FREESTANDING   0        1: no <stdlib.h>, <string.h>; memory comes from hooks only, and the
                                  program supplies memcpy, memmove, memset and memcmp */
#ifndef SPARSE_FREESTANDING
    #define SPARSE_FREESTANDING 0
#endif
/* SPARSE_UNROLL         4        iterations of a loop unroll(i) that run side by side, 1 to 16; with 1, as where
                                  the compiler optimises for size, none do so without the word */
#ifndef SPARSE_UNROLL
    #define SPARSE_UNROLL 4
#endif
/* SPARSE_PREFETCH       8        how many iterations ahead a loop prefetch(k) looks */
#ifndef SPARSE_PREFETCH
    #define SPARSE_PREFETCH 8
#endif
/* SPARSE_PREFETCH_LINES 8        of each row that it then asks for, how many lines of 64 bytes */
#ifndef SPARSE_PREFETCH_LINES
    #define SPARSE_PREFETCH_LINES 8
#endif
/* SPARSE_CACHE    8388608        bytes of dense operands above which a loop that runs iterations side by side asks for their
                                  rows ahead without the word; 0: never, as where there is no operating system */
#if !defined(SPARSE_CACHE) && SPARSE_FREESTANDING
    #define SPARSE_CACHE 0
#elif !defined(SPARSE_CACHE)
    #define SPARSE_CACHE 8388608
#endif
/* SPARSE_CHECKS         2        what a kernel checks of its operands when it is called. What goes unchecked
   has to hold, or the kernel reads and writes outside of the arrays:
     2  all: null pointers, encodings, arrays that are missing, sizes, slices, aliases
     1  sizes and slices. Lets through null pointers, tensors of another encoding or without one, without
        storage, or with incomplete batches, and outputs that share memory with other operands
     0  nothing. Lets through sizes that differ and slices out of range as well
   Outputs are allocated in any case, and memory that is not there is told of. Where SPARSE_DECLARE is defined,
   the setting of the file with SPARSE_IMPLEMENTATION counts, for all kernels of the program. */
#ifndef SPARSE_CHECKS
    #define SPARSE_CHECKS 2
#endif
/* SPARSE_EXPLAIN        1        is what a failed check found kept, for sparse_explain? Freestanding programs: 0. Define it
   alike in all files of a linked program */
#ifndef SPARSE_EXPLAIN
    #if SPARSE_FREESTANDING
        #define SPARSE_EXPLAIN 0
    #else
        #define SPARSE_EXPLAIN 1
    #endif
#endif
/* SPARSE_DIRECT         1        conversions of rows, blocks, diagonals and grids have loops of their own; 0, where the
   compiler optimises for size: all go through one sorted list, a third of the code. Linked programs: as SPARSE_CHECKS */
#if !defined(SPARSE_DIRECT) && defined(__OPTIMIZE_SIZE__)
    #define SPARSE_DIRECT 0
#elif !defined(SPARSE_DIRECT)
    #define SPARSE_DIRECT 1
#endif
/* SPARSE_TERSE          1        gcc tells of a mistake in a statement without the expansions of 50 macros that led
   there, as of headers of the system, whose own warnings it keeps to itself. 0: with all of both */
#ifndef SPARSE_TERSE
    #define SPARSE_TERSE 1
#endif
/* SPARSE_TARGETS        none     "avx512f", "avx2", "default": the loops of every kernel are compiled for each of these
   processors, and those for the best that the machine is are run: what a program that others run has to do */
/* IS_SWITCH(0), IS_SWITCH(1) -> 1, IS_SWITCH(2) -> 2, IS_SWITCH(yes) -> a name, which #if takes for 0, as it would the word */
#define SPARSE_P_IS_SWITCH(x)  SPARSE_P_IS_SWITCH_(x)
#define SPARSE_P_IS_SWITCH_(x) SPARSE_P_IS_SWITCH_##x
#define SPARSE_P_IS_SWITCH_0   1
#define SPARSE_P_IS_SWITCH_1   1
#define SPARSE_P_IS_SWITCH_2   2
#if SPARSE_P_IS_SWITCH(SPARSE_FREESTANDING) * SPARSE_P_IS_SWITCH(SPARSE_DIRECT) * SPARSE_P_IS_SWITCH(SPARSE_TERSE) *        \
        SPARSE_P_IS_SWITCH(SPARSE_EXPLAIN) !=                                                                               \
    1
    #error "SPARSE_FREESTANDING, SPARSE_DIRECT, SPARSE_EXPLAIN and SPARSE_TERSE have to be 0 or 1"
#elif SPARSE_P_IS_SWITCH(SPARSE_CHECKS) < 1 || SPARSE_UNROLL < 1 || SPARSE_UNROLL > 16 ||                                   \
    (SPARSE_PREFETCH | SPARSE_PREFETCH_LINES | SPARSE_CACHE) < 0
    #error "SPARSE_CHECKS is 0 to 2, SPARSE_UNROLL 1 to 16, SPARSE_PREFETCH, SPARSE_PREFETCH_LINES, SPARSE_CACHE 0 or more"
#endif
/* What is not there ends the compiler, which an error alone does not: thousands of others would hide it. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
    #error sparse: C11 or later is needed, as by -std=c11
    #include <sparse_needs_C11>
#endif
#if !SPARSE_FREESTANDING
    #include <stdlib.h>
    #include <string.h>
#else
    #ifdef __cplusplus
extern "C" {
    #endif
void *(memcpy)(void *to, const void *from, size_t bytes);
void *(memmove)(void *to, const void *from, size_t bytes);
void *(memset)(void *to, int byte, size_t bytes);
int(memcmp)(const void *a, const void *b, size_t bytes);
    #ifdef __cplusplus
}
    #endif
#endif

#if SPARSE_TERSE && defined(__GNUC__) && !defined(__clang__)
    #pragma GCC system_header
#endif

/* What C and C++ spell differently, or only some compilers know. SPARSE_UNUSED and SPARSE_NODISCARD may be
   given from outside, to print expanded code without them. */
#ifdef __cplusplus
    #define SPARSE_P_ALIGNOF(type) alignof(type)
#else
    #define SPARSE_P_ALIGNOF(type) _Alignof(type)
#endif
#if defined(__GNUC__)
    #ifndef SPARSE_UNUSED
        #define SPARSE_UNUSED __attribute__((__unused__))
    #endif
    #define SPARSE_RESTRICT    __restrict
    #define SPARSE_P_INLINE    static inline __attribute__((__always_inline__))
    #define SPARSE_P_PURE      __attribute__((__pure__))
    #define SPARSE_P_RARELY(x) __builtin_expect(x, 0)
    #if defined(__has_builtin)
        #if __has_builtin(__builtin_expect_with_probability)
            #define SPARSE_P_RATHER_NOT(x, chance) __builtin_expect_with_probability(x, 0, chance)
        #endif
    #endif
#else
    #ifndef SPARSE_UNUSED
        #define SPARSE_UNUSED
    #endif
    #ifdef __cplusplus
        #define SPARSE_RESTRICT
    #else
        #define SPARSE_RESTRICT restrict
    #endif
    #define SPARSE_P_INLINE static inline
    #define SPARSE_P_PURE
    #define SPARSE_P_RARELY(x) (x)
#endif
#if !defined(SPARSE_P_RATHER_NOT) /* with the chance that it is not */
    #define SPARSE_P_RATHER_NOT(x, chance) SPARSE_P_RARELY(x)
#endif
/* A result that is ignored warns; (void)call() says that it does not matter. Where it can, the type says so,
   for every function that returns it; gcc asks for that of each function in C, in front of all else. */
#if defined(__clang__)
    #define SPARSE_P_NODISCARD_TYPE __attribute__((__warn_unused_result__))
#elif defined(__cplusplus) && defined(__GNUC__)
    #define SPARSE_P_NODISCARD_TYPE [[__nodiscard__]]
#else
    #define SPARSE_P_NODISCARD_TYPE
    #if defined(__GNUC__) && __GNUC__ >= 10 && !defined(SPARSE_NODISCARD)
        #define SPARSE_NODISCARD __extension__ [[__nodiscard__]]
    #endif
#endif
#ifndef SPARSE_NODISCARD
    #define SPARSE_NODISCARD
#endif
/* Functions that are not inlined, and not emitted where they are not used: for speed, even where all that call them
   are for size, and for size, where they are inlined after all if that makes less code. Without optimisation gcc emits
   what is not `inline`; with it, it warns of what is that and noinline. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
    #define SPARSE_P_OUTLINE SPARSE_UNUSED static __attribute__((__noinline__, __hot__))
    #ifdef __OPTIMIZE_SIZE__
        #define SPARSE_P_COLD SPARSE_UNUSED static __attribute__((__cold__))
    #else
        #define SPARSE_P_COLD SPARSE_UNUSED static __attribute__((__noinline__, __cold__))
    #endif
#else
    #define SPARSE_P_OUTLINE SPARSE_UNUSED static inline
    #define SPARSE_P_COLD    SPARSE_UNUSED static inline
#endif

/* >>toolkit
   A word that stands for a kind of thing, and is pasted to the name of the row that tells what such a thing
   does, is a preprocessing number: 0dim, 0FULL, SPARSE_P_KIND_ROW_0FULL. No macro of a program can have such a
   name; comments leave the 0 out. The words of the kernel line itself are as users write them. Locals of the functions that
   kernels become begin with sparse_l_, which tests/expand.sh leaves out as well: no operand, index or macro can meet them. */
#define SPARSE_P_ID(...)              __VA_ARGS__
#define SPARSE_P_UNPACK(x)            SPARSE_P_ID x              /* (a, b) -> a, b, where x is yet to be expanded */
#define SPARSE_P_CAT(...)             SPARSE_P_CAT_(__VA_ARGS__) /* (x, 1) -> x1 */
#define SPARSE_P_CAT_(a, b)           a##b
#define SPARSE_P_CAT3(...)            SPARSE_P_CAT3_(__VA_ARGS__)
#define SPARSE_P_CAT3_(a, b, c)       a##b##c
#define SPARSE_P_FIRST(...)           SPARSE_P_FIRST_(__VA_ARGS__, ~)
#define SPARSE_P_FIRST_(a, ...)       a
#define SPARSE_P_SECOND(...)          SPARSE_P_SECOND_(__VA_ARGS__, ~)
#define SPARSE_P_SECOND_(a, b, ...)   b
#define SPARSE_P_THIRD(...)           SPARSE_P_THIRD_(__VA_ARGS__, ~)
#define SPARSE_P_THIRD_(a, b, c, ...) c
/* COUNT(~, a, b) -> 2: the number of items of a list; a list is written with a comma before each item */
#define SPARSE_P_COUNT(...)                                                        SPARSE_P_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define SPARSE_P_COUNT_(z, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ...) q
/* BY_COUNT(m_, , a, b)(...) -> m_2(...), as CAT of COUNT at less cost */
#define SPARSE_P_BY_COUNT(m, ...)                                                                                           \
    SPARSE_P_BY_COUNT_(m, __VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define SPARSE_P_BY_COUNT_(m, z, a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q, r, ...) m##r
/* IS_PAREN((x)) -> 1, IS_PAREN(x) -> 0 */
#define SPARSE_P_IS_PAREN(x) SPARSE_P_SECOND(SPARSE_P_PROBE x, 0)
#define SPARSE_P_PROBE(...)  ~, 1, ~
/* BY_PAREN(m_, (x)) -> m_1, BY_PAREN(m_, x) -> m_0, as CAT of IS_PAREN at less cost */
#define SPARSE_P_BY_PAREN(m, x)            SPARSE_P_BY_PAREN_(m, SPARSE_P_PROBE x, 0, ~)
#define SPARSE_P_BY_PAREN_(...)            SPARSE_P_BY_PAREN__(__VA_ARGS__)
#define SPARSE_P_BY_PAREN__(m, z, is, ...) m##is
/* ENDS() -> 1, ENDS(x) -> 0, ENDS((x)) -> 0: is there nothing more; and of what begins with a list,
   IS_ALONE((x)) -> 1, IS_ALONE((x) (y)) -> 0: or is a comma missing */
#define SPARSE_P_ENDS(x)     SPARSE_P_BY_PAREN(SPARSE_P_ENDS_, x)(x)
#define SPARSE_P_ENDS_0(x)   SPARSE_P_SECOND(SPARSE_P_PROBE x(), 0)
#define SPARSE_P_ENDS_1(x)   0
#define SPARSE_P_IS_ALONE(x) SPARSE_P_ENDS(SPARSE_P_DROP x)
#define SPARSE_P_DROP(...)
/* TIDY(list) -> the same, at less cost. What a macro expands to comes between tokens of padding, a pair for each macro on
   the way, which gcc carries along from then on, but drops around an argument: lists that go far are made of arguments. */
#define SPARSE_P_TIDY(list)                                          SPARSE_P_TIDY_(SPARSE_P_ID list)
#define SPARSE_P_TIDY_(...)                                          SPARSE_P_BY_COUNT(SPARSE_P_TIDY_, __VA_ARGS__)(__VA_ARGS__)
#define SPARSE_P_TIDY_0(z)                                           ()
#define SPARSE_P_TIDY_1(z, a)                                        (, a)
#define SPARSE_P_TIDY_2(z, a, b)                                     (, a, b)
#define SPARSE_P_TIDY_3(z, a, b, c)                                  (, a, b, c)
#define SPARSE_P_TIDY_4(z, a, b, c, d)                               (, a, b, c, d)
#define SPARSE_P_TIDY_5(z, a, b, c, d, e)                            (, a, b, c, d, e)
#define SPARSE_P_TIDY_6(z, a, b, c, d, e, f)                         (, a, b, c, d, e, f)
#define SPARSE_P_TIDY_7(z, a, b, c, d, e, f, g)                      (, a, b, c, d, e, f, g)
#define SPARSE_P_TIDY_8(z, a, b, c, d, e, f, g, h)                   (, a, b, c, d, e, f, g, h)
#define SPARSE_P_TIDY_9(z, a, b, c, d, e, f, g, h, i)                (, a, b, c, d, e, f, g, h, i)
#define SPARSE_P_TIDY_10(z, a, b, c, d, e, f, g, h, i, j)            (, a, b, c, d, e, f, g, h, i, j)
#define SPARSE_P_TIDY_11(z, a, b, c, d, e, f, g, h, i, j, k)         (, a, b, c, d, e, f, g, h, i, j, k)
#define SPARSE_P_TIDY_12(z, a, b, c, d, e, f, g, h, i, j, k, l)      (, a, b, c, d, e, f, g, h, i, j, k, l)
#define SPARSE_P_TIDY_13(z, a, b, c, d, e, f, g, h, i, j, k, l, ...) (, a, b, c, d, e, f, g, h, i, j, k, l, __VA_ARGS__)
#define SPARSE_P_TIDY_14                                             SPARSE_P_TIDY_13
#define SPARSE_P_TIDY_15                                             SPARSE_P_TIDY_13
#define SPARSE_P_TIDY_16                                             SPARSE_P_TIDY_13
/* PLAIN_LIST((, i, j)) -> (i, j) */
#define SPARSE_P_PLAIN_LIST(list) (SPARSE_P_TAIL list)
/* IS_LISTED((A, CSR, i)) -> 1, of (A), (A) B and A -> 0: is it a list of several, like an operand, and nothing else */
#define SPARSE_P_IS_LISTED(x)    SPARSE_P_BY_PAREN(SPARSE_P_IS_LISTED_, x)(x)
#define SPARSE_P_IS_LISTED_0(x)  0
#define SPARSE_P_IS_LISTED_1(x)  SPARSE_P_CAT(SPARSE_P_IS_LISTED_1, SPARSE_P_IS_ALONE(x))(x)
#define SPARSE_P_IS_LISTED_10(x) 0
#define SPARSE_P_IS_LISTED_11(x) SPARSE_P_IS_ANY x
/* IS_ANY(, x) -> 1, IS_ANY() -> 0: is a list non-empty */
#define SPARSE_P_IS_ANY(...) SPARSE_P_COUNT_(~__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, ~)
/* NZ(2) -> 1, NZ(0) -> 0 */
#define SPARSE_P_NZ(n) SPARSE_P_CAT(SPARSE_P_NZ_, n)
/* CELL(COLUMN, row) -> that cell: a row, KIND_ROW_word, tells what a thing of a kind does, in columns whose
   names are macros that take a row apart. That all rows are there is seen by tests/tables.sh. */
#define SPARSE_P_CELL(column, row) column row
/* AT_LOOP(at, d)(m)(...) -> m(...) if at is d, else nothing: what is written in one loop only */
#define SPARSE_P_AT_LOOP(at, d) SPARSE_P_CAT(SPARSE_P_AT_LOOP_, SPARSE_P_CMP(at, d))
#define SPARSE_P_AT_LOOP_0b(m)  SPARSE_P_DROP
#define SPARSE_P_AT_LOOP_0h(m)  m
#define SPARSE_P_AT_LOOP_0a(m)  SPARSE_P_DROP
/* IF_BEFORE(a, b)(m)(...) -> m(...) if a < b, else nothing */
#define SPARSE_P_IF_BEFORE(a, b) SPARSE_P_CAT(SPARSE_P_IF_BEFORE_, SPARSE_P_CMP(a, b))
#define SPARSE_P_IF_BEFORE_0b(m) m
#define SPARSE_P_IF_BEFORE_0h(m) SPARSE_P_DROP
#define SPARSE_P_IF_BEFORE_0a(m) SPARSE_P_DROP
/* IFEQ(i, i, t) -> t, IFEQ(i, j, t) -> nothing */
#define SPARSE_P_IFEQ(a, b, t)  SPARSE_P_IFEQ_(a, b, t)
#define SPARSE_P_IFEQ_(a, b, t) SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##b, t, , ~)
/* SAME(i, i) -> ~, ~  SAME(i, j) -> one token: a comma for each pair that is the same, for COUNT(~ ...) and IS_ANY(...) */
#define SPARSE_P_SAME(...)   SPARSE_P_SAME_(__VA_ARGS__)
#define SPARSE_P_SAME_(a, b) SPARSE_P_EQ_##a##_##b
/* OR0() -> 0, OR0(3) -> 3 */
#define SPARSE_P_OR0(n)   SPARSE_P_OR0__(n)
#define SPARSE_P_OR0__(n) SPARSE_P_OR0_##n
/* IS_LETTER(i) -> 1, IS_LETTER(row) -> 0, IS_LETTER(f(i)) -> 0, IS_LETTER(i j) -> 0, IS_LETTER((i)) -> 0 */
#define SPARSE_P_IS_LETTER(x)              SPARSE_P_BY_PAREN(SPARSE_P_IS_LETTER_, x)(x)
#define SPARSE_P_IS_LETTER_1(x)            0
#define SPARSE_P_IS_LETTER_0(x)            SPARSE_P_IS_LETTER_(SPARSE_P_LETTER_IS_##x, 0, ~)
#define SPARSE_P_IS_LETTER_(...)           SPARSE_P_IS_LETTER__(__VA_ARGS__)
#define SPARSE_P_IS_LETTER__(z, rest, ...) SPARSE_P_ENDS(rest)
/* CMP(1, 2) -> b */
#define SPARSE_P_CMP(...)   SPARSE_P_CMP_(__VA_ARGS__)
#define SPARSE_P_CMP_(a, b) SPARSE_P_CELL(SPARSE_P_NTH_##b, SPARSE_P_CMP_##a)
/* SPARSE_ZERO(type): the zero of any value type, a struct of the user's included; ZEROS: its initialiser */
#ifdef __cplusplus
template <class type> inline type sparse_p_zero() { return type(); }
    #define SPARSE_ZERO(type) (sparse_p_zero<type>())
    #define SPARSE_P_ZEROS                                                                                                  \
        {                                                                                                                   \
        }
#else
    #define SPARSE_ZERO(type) ((type){0})
    #define SPARSE_P_ZEROS                                                                                                  \
        {                                                                                                                   \
            0                                                                                                               \
        }
#endif
/* SPARSE_P_REASSOCIATING: a function in which sums may be reassociated, SPARSE_P_REASSOCIATE: a block of it,
   SPARSE_P_VECTORIZE: before a loop over stored coordinates. gcc is told that gathers are worth it, as it
   counts them as dear for most processors; clang, not to unroll, as rows are short. */
#if defined(__clang__)
    #define SPARSE_P_REASSOCIATING
    #define SPARSE_P_REASSOCIATE _Pragma("clang fp reassociate(on)")
    #define SPARSE_P_VECTORIZE   _Pragma("clang loop interleave_count(1) unroll(disable)")
#elif defined(__GNUC__)
    #if defined(__x86_64__) && defined(__AVX2__)
        #define SPARSE_P_GATHERS , __target__("tune=skylake-avx512")
    #else
        #define SPARSE_P_GATHERS
    #endif
    #define SPARSE_P_REASSOCIATING                                                                                          \
        __attribute__((__optimize__("associative-math", "no-signed-zeros", "no-trapping-math") SPARSE_P_GATHERS))
    #define SPARSE_P_REASSOCIATE
    #define SPARSE_P_VECTORIZE
#else
    #define SPARSE_P_REASSOCIATING
    #define SPARSE_P_REASSOCIATE
    #define SPARSE_P_VECTORIZE
#endif
#define SPARSE_P_PRAGMA(...) _Pragma(#__VA_ARGS__)
/* SPARSE_P_FOR_TARGETS: loops, for the processors that the program names; clang combines that with no other attribute */
#ifdef SPARSE_TARGETS
    #define SPARSE_P_FOR_TARGETS __attribute__((__target_clones__(SPARSE_TARGETS)))
#else
    #define SPARSE_P_FOR_TARGETS SPARSE_NODISCARD SPARSE_UNUSED
#endif
/* SPARSE_P_TUNED: a kernel in which gcc vectorises dense loops of any length and unrolls those of a few iterations, as
   at -O3, where that pays; at -O2 it does the first only where the length is a known multiple of a vector, the
   second only where the code does not grow; and puts no iterations side by side of its own, as it gathers their rows.
   SPARSE_P_CHANCE: that a kernel with these indices comes to its loops. gcc gives registers to what runs most, but up to 12
   takes what runs 32 times as often as its function for rare, as a product of 64 bits overflows: the more loops, the less
   likely, down to 1 of 10,000, the least that gcc knows; what is `hot` is not compiled for size for that.
   SPARSE_P_LANES_UNROLLED: before the loop over iterations that run side by side, which are to be unrolled first.
   SPARSE_P_KNOWING: a kernel that knows a size, which gcc would otherwise lose where it folds it with one that is the same
   but for that. SPARSE_P_FLATTENED: one that calls its loops in two places, in each of which gcc knows whether blocks are
   whole only where the loops are a part of it. The same sums, in the same order. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
    #define SPARSE_P_TUNED                                                                                                  \
        __attribute__((__hot__, __optimize__("vect-cost-model=dynamic,peel-loops,no-loop-unroll-and-jam")))
    #define SPARSE_P_CHANCE(...)    (.5 / (1 << (SPARSE_P_COUNT(__VA_ARGS__) < 4 ? 3 * SPARSE_P_COUNT(__VA_ARGS__) : 12)))
    #define SPARSE_P_KNOWING        __attribute__((__no_icf__))
    #define SPARSE_P_FLATTENED      __attribute__((__flatten__))
    #define SPARSE_P_UNROLL_BY(n)   SPARSE_P_PRAGMA(GCC unroll n)
    #define SPARSE_P_LANES_UNROLLED SPARSE_P_UNROLL_BY(SPARSE_UNROLL)
#else
    #define SPARSE_P_TUNED
    #define SPARSE_P_CHANCE(...) 0.75
    #define SPARSE_P_KNOWING
    #define SPARSE_P_FLATTENED
    #define SPARSE_P_LANES_UNROLLED
#endif
/* SPARSE_P_PARALLEL(lo, hi): the loop that follows, over [lo, hi), may run on several threads, which take the next few
   iterations whenever they have done theirs: rows may be long where one begins, and short where another does. In two
   steps: a team of threads, and SPARSE_P_AMONG them the loop */
#if defined(_OPENMP)
    #define SPARSE_P_PARALLEL(lo, hi) SPARSE_P_PRAGMA(omp parallel for schedule(dynamic, sparse_p_few(lo, hi)))
    #define SPARSE_P_PARALLEL_PARTS     _Pragma("omp parallel for schedule(dynamic, 1)")
    #define SPARSE_P_ALL_THREADS        _Pragma("omp parallel")
    #define SPARSE_P_THREADS_FOR(parts) SPARSE_P_PRAGMA(omp parallel if (parts > 1))
    #define SPARSE_P_PARTS_AMONG        _Pragma("omp for schedule(dynamic, 1)")
    #define SPARSE_P_AMONG(lo, hi) SPARSE_P_PRAGMA(omp for schedule(dynamic, sparse_p_few(lo, hi)))
#else
    #define SPARSE_P_PARALLEL(lo, hi)
    #define SPARSE_P_PARALLEL_PARTS
    #define SPARSE_P_ALL_THREADS
    #define SPARSE_P_THREADS_FOR(parts)
    #define SPARSE_P_PARTS_AMONG
    #define SPARSE_P_AMONG(lo, hi)
#endif

/* >>operands
   A parsed tree: a node is (all | any, child, ...), a leaf is (leaf, record). A record is

     (tensor, ROLE, name, type, value, POS, CRD, (, indices), (, levels), (, walks), NLEV, PLACED, SPARSE, RANK)
     (sliced, ...)   the same of slice(A, TYPE, i, j); (assembled, ...): see >>building in sparse_formats.h
     (scalar, ROLE, name, value)

   ROLE is M: stored wherever the body runs; O: optional, below any(); N: below none(); W: written;
   U: updated in place; K: like an operand, the next one. PLACED is the loop at which the value's position
   becomes known, SPARSE the number of the last sparse level. A level is (NUMBER, STORAGE, letter, PLACED,
   VARIABLE, PART): how it is stored, D dense, S sparse, or what else has a STORAGE_ROW in sparse_formats.h; the
   loop at which its position becomes known, that of its index or of the level above it if that is later; the
   variable of the loop over it, and the part of the index that this is. Each sparse level has a walk,
   (NUMBER, PLACED, ABOVE, (FORMAT, N, WALK, PARENT, HEAD, STRIDE, OFFSET)): the last sparse level above it, and

     FORMAT   where the range below a parent begins and ends, a RANGE_ROW of sparse_formats.h: compressed, aos, ...
     N        of structured(n, m); the number of the last batch level; the loop over slices
     WALK     a WALK_ROW of sparse_formats.h. p: unique and ordered; s: segments of equal coordinates; d: duplicates
              in the last level; x, y, z: the same where coordinates are not ordered; others: slices and sums
     PARENT   the WALK of the level above
     HEAD     the coordinate of position p is A{HEAD}_crd[STRIDE * p + OFFSET] */

/* POS(j, (i, j, k)) -> 2, or 0: of up to 4 indices no more are compared than there are */
#define SPARSE_P_POS(a, list) SPARSE_P_OR0(SPARSE_P_POS_(a, SPARSE_P_ID list))
#define SPARSE_P_POS_(...)                                                                                                  \
    SPARSE_P_BY_COUNT_(SPARSE_P_POS_, __VA_ARGS__, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 4, 3, 2, 1, 0, ~)                    \
    (__VA_ARGS__, 0, 0, 0, 0)
#define SPARSE_P_POS_1(a, p, ...) SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##p, 1, , ~)
#define SPARSE_P_POS_2(a, p, q, ...)                                                                                        \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##p, 1, , ~) SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##q, 2, , ~)
#define SPARSE_P_POS_3(a, p, q, r, ...)                                                                                     \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##p, 1, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##q, 2, , ~) SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##r, 3, , ~)
#define SPARSE_P_POS_4(a, p, q, r, s, ...)                                                                                  \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##p, 1, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##q, 2, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##r, 3, , ~) SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##s, 4, , ~)
#define SPARSE_P_POS_8(a, p, q, r, s, t, u, v, w, ...)                                                                      \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##p, 1, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##q, 2, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##r, 3, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##s, 4, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##t, 5, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##u, 6, , ~)                                                                           \
    SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##v, 7, , ~) SPARSE_P_THIRD(SPARSE_P_EQ_##a##_##w, 8, , ~)
/* AT(2, (i, j)) -> j, AT(0, ...) -> nothing */
#define SPARSE_P_AT(n, list)  SPARSE_P_AT_(n, SPARSE_P_ID list, , , , , , , , )
#define SPARSE_P_AT_(...)     SPARSE_P_AT__(__VA_ARGS__)
#define SPARSE_P_AT__(n, ...) SPARSE_P_CAT(SPARSE_P_AT_, n)(__VA_ARGS__)
/* the same of a list with a comma before each item */
#define SPARSE_P_AT_LIST(n, list) SPARSE_P_AT(n, (SPARSE_P_TAIL list))
#define SPARSE_P_AT_0(...)
#define SPARSE_P_AT_1(a, ...)                      a
#define SPARSE_P_AT_2(a, b, ...)                   b
#define SPARSE_P_AT_3(a, b, c, ...)                c
#define SPARSE_P_AT_4(a, b, c, d, ...)             d
#define SPARSE_P_AT_5(a, b, c, d, e, ...)          e
#define SPARSE_P_AT_6(a, b, c, d, e, f, ...)       f
#define SPARSE_P_AT_7(a, b, c, d, e, f, g, ...)    g
#define SPARSE_P_AT_8(a, b, c, d, e, f, g, h, ...) h

/* PARSE1((ROLE, loops), x) -> , tree of x; PARSE1_00: of all(), any() or none(), which operands as a whole are */
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
/* slice(A, TYPE, i, j) and padded(A, TYPE, i, j) are leaves */
#define SPARSE_P_VIEW_slice(...)  0slice, (__VA_ARGS__)
#define SPARSE_P_VIEW_padded(...) 0padded, (__VA_ARGS__)
#define SPARSE_P_PARSE1_01(c, x)  SPARSE_P_LEAF_NODE(SPARSE_P_VIEW_LEAF(c, SPARSE_P_VIEW_##x))
#define SPARSE_P_PARSE2_01(c, x)  SPARSE_P_LEAF_NODE(SPARSE_P_VIEW_LEAF(c, SPARSE_P_VIEW_##x))
#define SPARSE_P_PARSE3_01(c, x)  SPARSE_P_LEAF_NODE(SPARSE_P_VIEW_LEAF(c, SPARSE_P_VIEW_##x))
#define SPARSE_P_PARSE4_01(c, x)  SPARSE_P_LEAF_NODE(SPARSE_P_VIEW_LEAF(c, SPARSE_P_VIEW_##x))
#define SPARSE_P_PARSE1_0(c, x)   SPARSE_P_BY_PAREN_(SPARSE_P_PARSE1_0, SPARSE_P_KNOWN_##x, 0odd, ~)(c, x)
#define SPARSE_P_PARSE2_0(c, x)   SPARSE_P_BY_PAREN_(SPARSE_P_PARSE2_0, SPARSE_P_KNOWN_##x, 0odd, ~)(c, x)
#define SPARSE_P_PARSE3_0(c, x)   SPARSE_P_BY_PAREN_(SPARSE_P_PARSE3_0, SPARSE_P_KNOWN_##x, 0odd, ~)(c, x)
/* of a word that is none, which is pasted once: what cannot be pasted is told of by the compiler each time */
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
/* WORD(all(u, v)) -> all, (, u, v); of anything unknown -> word, ~; where a comma is missing -> adjoined, ~ */
#define SPARSE_P_WORD(x)                                   SPARSE_P_WORD_IS(SPARSE_P_KNOWN_##x, 0, 0, 0, ~)(x)
#define SPARSE_P_WORD_IS(...)                              SPARSE_P_WORD_IS_(__VA_ARGS__)
#define SPARSE_P_WORD_IS_(z, view, where, tree, rest, ...) SPARSE_P_CAT3(SPARSE_P_WORD_, tree, SPARSE_P_ENDS(rest))
#define SPARSE_P_WORD_00(x)                                0word, ~
#define SPARSE_P_WORD_10(x)                                0adjoined, ~
#define SPARSE_P_WORD_11(x)                                SPARSE_P_WORD_##x
/* KNOWN_word: 1 if it is a view, 1 if a workspace, and 1 if a tree, behind which comes what follows it */
#define SPARSE_P_KNOWN_all(...)    ~, 0, 0, 1,
#define SPARSE_P_KNOWN_any(...)    ~, 0, 0, 1,
#define SPARSE_P_KNOWN_none(...)   ~, 0, 0, 1,
#define SPARSE_P_KNOWN_slice(...)  ~, 1, 0, 0, ~
#define SPARSE_P_KNOWN_padded(...) ~, 1, 0, 0, ~
#define SPARSE_P_KNOWN_where(...)  ~, 0, 1, 0, ~
#define SPARSE_P_WORD_all(...)     all, (, __VA_ARGS__)
#define SPARSE_P_WORD_any(...)     any, (, __VA_ARGS__)
#define SPARSE_P_WORD_none(...)    none, (, __VA_ARGS__)
/* FEW((, u, v)) -> few, or many (more than fit into the tables), or no (not a list) */
#define SPARSE_P_FEW(children)   SPARSE_P_BY_PAREN(SPARSE_P_FEW_, children)(children)
#define SPARSE_P_FEW_0(children) 0no
#define SPARSE_P_FEW_1(children) SPARSE_P_FEW_OF children
#define SPARSE_P_FEW_OF(z, ...)                                                                                             \
    SPARSE_P_FEW_OR(SPARSE_P_COUNT_(__VA_ARGS__, 0many, 0many, 0many, 0many, 0many, 0few, 0few, 0few, 0few, 0few, 0few,     \
                                    0few, 0few, 0few, 0few, 0few, 0few, ~))
#define SPARSE_P_FEW_OR(x)     SPARSE_P_SECOND(SPARSE_P_FEW_MANY x, x) /* x: an item of so many */
#define SPARSE_P_FEW_MANY(...) ~, 0many
/* What an operand is in the tree, or an output beside it, is one row, MEMBER_ROW_role; what it is to the caller, ROLE_ROW:
     MAYBE    1 if it may be absent where the body runs
     DRIVE, DEAD  where it is dense: what drives a loop (it is stored everywhere, its complement nowhere), and what
              makes its iterations void
     RECORD   of one that is sparse
     LISTED   why a list in place of its name is refused */
#define SPARSE_P_MEMBER_CELL(column, role)                         SPARSE_P_CELL(SPARSE_P_MEMBER_##column, SPARSE_P_MEMBER_ROW_##role)
#define SPARSE_P_MEMBER_ROW_0M                                     (0, (0FULL, 1, (), (), ()), (), SPARSE_P_RECORD_TENSOR, 0word)
#define SPARSE_P_MEMBER_ROW_0O                                     (1, (0FULL, 1, (), (), ()), (), SPARSE_P_RECORD_TENSOR, 0word)
#define SPARSE_P_MEMBER_ROW_0N                                     (1, (0FULL, 0, (), (), ()), (, true), SPARSE_P_RECORD_TENSOR, 0word)
#define SPARSE_P_MEMBER_ROW_0U                                     (0, (0FULL, 1, (), (), ()), (), SPARSE_P_RECORD_TENSOR, 0unknown)
#define SPARSE_P_MEMBER_ROW_0W                                     (0, (0FULL, 1, (), (), ()), (), SPARSE_P_ASSEMBLED, 0unknown)
#define SPARSE_P_MEMBER_MAYBE(maybe, drive, dead, record, listed)  maybe
#define SPARSE_P_MEMBER_DRIVE(maybe, drive, dead, record, listed)  drive
#define SPARSE_P_MEMBER_DEAD(maybe, drive, dead, record, listed)   dead
#define SPARSE_P_MEMBER_RECORD(maybe, drive, dead, record, listed) record
#define SPARSE_P_MEMBER_LISTED(maybe, drive, dead, record, listed) listed
/* what a connective becomes, and the role of its operands, by its own: below none() its complement (De Morgan) */
#define SPARSE_P_UNDER_all_0M  all, 0M
#define SPARSE_P_UNDER_all_0O  all, 0O
#define SPARSE_P_UNDER_all_0N  any, 0N
#define SPARSE_P_UNDER_any_0M  any, 0O
#define SPARSE_P_UNDER_any_0O  any, 0O
#define SPARSE_P_UNDER_any_0N  all, 0N
#define SPARSE_P_UNDER_none_0M all, 0N
#define SPARSE_P_UNDER_none_0O all, 0N
#define SPARSE_P_UNDER_none_0N any, 0O

/* LEAF((ROLE, loops), (A, type, encoding, value, POS, CRD, i, j)) -> record */
#define SPARSE_P_LEAF(c, x) SPARSE_P_LEAF_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_LEAF_(...) SPARSE_P_LEAF__(__VA_ARGS__, , , ~)
#define SPARSE_P_LEAF__(role, loops, name, value, enc, ...)                                                                 \
    SPARSE_P_CAT3(SPARSE_P_LEAF_, SPARSE_P_BY_PAREN(SPARSE_P_NAME_IS_, name)(name), SPARSE_P_IS_PAREN(enc))                 \
    (role, loops, name, value, enc, __VA_ARGS__)
/* NAME_IS(A) -> 0, int -> 1, (A) -> 2, slice(A) -> 3, "A" -> 2: what cannot be pasted is an error to the compiler,
   and left as it was, so that what is pasted tells that this is no name; and behind it, that something follows, as in A(i) */
#define SPARSE_P_NAME_IS_0(name)                 SPARSE_P_SECOND(SPARSE_P_KEYWORD_##name, 0)
#define SPARSE_P_NAME_IS_1(name)                 2
#define SPARSE_P_NAME_ENDS                       , 2
#define SPARSE_P_LEAF_20(role, loops, name, ...) (0refused, SPARSE_P_NAMED(role, name), name)
#define SPARSE_P_LEAF_21(role, loops, name, ...) (0refused, SPARSE_P_NAMED(role, name), name)
/* NAMED(M, (A, CSR, i)) -> word, NAMED(M, (1.0f)) -> named: why what is in parentheses is no name */
#define SPARSE_P_NAMED(role, name)               SPARSE_P_CAT(SPARSE_P_NAMED_, SPARSE_P_IS_LISTED(name))(role)
#define SPARSE_P_NAMED_0(role)                   0named
#define SPARSE_P_NAMED_1(role)                   SPARSE_P_MEMBER_CELL(LISTED, role)
#define SPARSE_P_KEYWORD_slice(...)              ~, 3,
#define SPARSE_P_KEYWORD_padded(...)             ~, 3,
#define SPARSE_P_LEAF_30(role, loops, name, ...) (0refused, SPARSE_P_NAMED_1(role), name)
#define SPARSE_P_LEAF_31                         SPARSE_P_LEAF_30
#define SPARSE_P_LEAF_10                         SPARSE_P_LEAF_00
#define SPARSE_P_LEAF_00(role, loops, name, value, ...)                                                                     \
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
#define SPARSE_P_LEAF_OF_1(role, loops, name, type, ...) (0odd, role, name, type) /* the levels are not one encoding */
#define SPARSE_P_LEAF_OF_0(role, loops, name, type, enc, value, pos, crd, ...)                                              \
    SPARSE_P_TENSOR_LEAF(role, loops, name, type, value, SPARSE_P_BITS_##pos, SPARSE_P_BITS_##crd,                          \
                         SPARSE_P_DROP_LAST3(__VA_ARGS__), SPARSE_P_ID enc)
/* the width in bits; 0 is that of size_t */
#define SPARSE_P_BITS_8  8
#define SPARSE_P_BITS_16 16
#define SPARSE_P_BITS_32 32
#define SPARSE_P_BITS_64 64
#if SIZE_MAX > 0xffffffff
    #define SPARSE_P_BITS_0 64
#else
    #define SPARSE_P_BITS_0 32
#endif
#define SPARSE_P_TENSOR_LEAF(...) SPARSE_P_TENSOR_LEAF_(__VA_ARGS__)
#define SPARSE_P_TENSOR_LEAF_(role, loops, name, type, value, pos, crd, indices, dims, ...)                                 \
    SPARSE_P_TENSOR_LEAF3(role, loops, name, type, value, pos, crd,                                                         \
                          (SPARSE_P_EACHG(SPARSE_P_SUBSCRIPT, loops, (, SPARSE_P_ID indices))), dims, __VA_ARGS__)
#define SPARSE_P_TENSOR_LEAF3(role, loops, name, type, value, pos, crd, indices, dims, ...)                                 \
    SPARSE_P_RECORD(role,                                                                                                   \
                    SPARSE_P_FOLDA(SPARSE_P_LEVEL,                                                                          \
                                   (, (0, 0, 0, (), 0u, 0, 0no, (0root, 0))SPARSE_P_EACHF(                                  \
                                          SPARSE_P_RAW_LEVEL, (dims, indices, SPARSE_P_ORDER_OF loops), (, __VA_ARGS__)))), \
                    name, type, value, pos, crd, indices, SPARSE_P_COUNT(~, SPARSE_P_ID dims), SPARSE_P_PASSED_OF loops)
/* A subscript is a letter, or a sum (EDGE, (, terms), (, constants), (, terms as written)): EDGE is valid or padded; a term
   is (LOOP, (, COEFFICIENT), letter), without a coefficient if that is 1, and terms come in the order of their loops; what
   is no term has loop 0, and is in parentheses. In the terms of document 004, section 4: those of the loops around are
   resolved, and those within are the unresolved set. What is in parentheses alone, a sum of constants, is refused.
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
#define SPARSE_P_SUM_plus(...)            SPARSE_P_CAT(SPARSE_P_SUM_PLUS_, SPARSE_P_ENDS(SPARSE_P_FIRST(__VA_ARGS__)))(__VA_ARGS__)
#define SPARSE_P_SUM_PLUS_0(...)          (, __VA_ARGS__)
#define SPARSE_P_SUM_PLUS_1(...)          ()
#define SPARSE_P_SUM_                     ~, 2,
#define SPARSE_P_SUM_times(...)           (, times(__VA_ARGS__))
#define SPARSE_P_SUM_OF(...)              SPARSE_P_SUM_OF_(__VA_ARGS__)
#define SPARSE_P_SUM_OF_(edge, loops, x)                                                                                    \
    SPARSE_P_SUM_OF3(edge, (SPARSE_P_EACHF(SPARSE_P_TERM, loops, x)), (SPARSE_P_EACHF(SPARSE_P_ADDED, , x)))
#define SPARSE_P_SUM_OF3(edge, terms, constants)                                                                            \
    , (edge, (SPARSE_P_EACHF(SPARSE_P_IN_ORDER, terms, (, 1, 2, 3, 4, 5, 6, 7, 8))), constants, terms)
#define SPARSE_P_IN_ORDER(terms, d) SPARSE_P_EACHH(SPARSE_P_TERM_AT, d, terms)
#define SPARSE_P_TERM_AT(d, term)   SPARSE_P_CAT(SPARSE_P_HERE_, SPARSE_P_CMP(SPARSE_P_FIRST term, d))(term)
#define SPARSE_P_ADDED(c, t)        SPARSE_P_BY_PAREN(SPARSE_P_ADDED_, t)(t)
#define SPARSE_P_ADDED_0(t)
#define SPARSE_P_ADDED_1(t)     , SPARSE_P_ID t
#define SPARSE_P_TERM(loops, t) SPARSE_P_BY_PAREN(SPARSE_P_TERM_, t)(loops, t)
#define SPARSE_P_TERM_1(loops, t)
#define SPARSE_P_TERM_0(loops, t)                      SPARSE_P_BY_PAREN(SPARSE_P_TERM_0, SPARSE_P_TIMES_OF_##t)(loops, t)
#define SPARSE_P_TERM_02(loops, t)                     , (0, (), (t))
#define SPARSE_P_TERM_00(loops, t)                     SPARSE_P_CAT(SPARSE_P_TERM_00, SPARSE_P_IS_LETTER(t))(loops, t)
#define SPARSE_P_TERM_000(loops, t)                    , (0, (), (t))
#define SPARSE_P_TERM_001(loops, i)                    , (SPARSE_P_POS(i, loops), (), i)
#define SPARSE_P_TERM_01(loops, t)                     SPARSE_P_TERM_TIMES(loops, t, SPARSE_P_UNPACK(SPARSE_P_TIMES_OF_##t), (), ~, ~)
#define SPARSE_P_TIMES_OF_                             ~, 2,
#define SPARSE_P_TIMES_OF_times(...)                   (__VA_ARGS__)
#define SPARSE_P_TERM_TIMES(...)                       SPARSE_P_TERM_TIMES_(__VA_ARGS__)
#define SPARSE_P_TERM_TIMES_(loops, t, c, i, end, ...) SPARSE_P_BY_PAREN(SPARSE_P_TERM_OF_, end)(loops, t, c, i)
#define SPARSE_P_TERM_OF_0(loops, t, c, i)             , (0, (), (t))
#define SPARSE_P_TERM_OF_1(loops, t, c, i)             SPARSE_P_CAT(SPARSE_P_TERM_TIMES_, SPARSE_P_IS_LETTER(i))(loops, t, c, i)
#define SPARSE_P_TERM_TIMES_0(loops, t, c, i)          , (0, (), (t))
#define SPARSE_P_TERM_TIMES_1(loops, t, c, i)          SPARSE_P_BY_PAREN(SPARSE_P_TERM_BY_, c)(SPARSE_P_POS(i, loops), c, i)
#define SPARSE_P_TERM_BY_1(loop, c, i)                 , (loop, (, c), i)
/* times(0, i) is no term, if there is a loop over i */
#define SPARSE_P_TERM_BY_0(loop, c, i)                                                                                      \
    SPARSE_P_CAT3(SPARSE_P_TERM_BY_, SPARSE_P_IS_LETTER_(SPARSE_P_PUT_IN_PARENTHESES_##c, 0, ~), SPARSE_P_NZ(loop))         \
    (loop, c, i)
#define SPARSE_P_PUT_IN_PARENTHESES_0 ~,
#define SPARSE_P_TERM_BY_00           SPARSE_P_TERM_BY_1
#define SPARSE_P_TERM_BY_01           SPARSE_P_TERM_BY_1
#define SPARSE_P_TERM_BY_10           SPARSE_P_TERM_BY_1
#define SPARSE_P_TERM_BY_11(loop, c, i)
/* SANE(i) -> i, SANE(sum) -> the letter that resolves it, SANE(row) -> 0: that is refused by name later */
#define SPARSE_P_SANE(x)    SPARSE_P_BY_PAREN(SPARSE_P_SANE_, x)(x)
#define SPARSE_P_SANE_0(x)  SPARSE_P_CAT(SPARSE_P_SANE_0, SPARSE_P_IS_LETTER(x))(x)
#define SPARSE_P_SANE_00(x) 0
#define SPARSE_P_SANE_01(x) x
#define SPARSE_P_SANE_1(x)  SPARSE_P_THIRD(SPARSE_P_UNPACK(SPARSE_P_LAST_TERM(x)), ~)
/* IS_SUM(, sum) -> , ~ and IS_SUM(, i) -> no comma, for IS_ANY */
#define SPARSE_P_IS_SUM(c, x) SPARSE_P_IS_SUM_ x
#define SPARSE_P_IS_SUM_(...) , ~
/* LAST_TERM(sum) -> the term that resolves it, whose loop is inside those of all others */
#define SPARSE_P_LAST_TERM(x)                                  SPARSE_P_FOLDF(SPARSE_P_RIGHT, (, (0, (), 0)SPARSE_P_UNPACK(SPARSE_P_TERMS_OF x)))
#define SPARSE_P_TERMS_OF(edge, terms, constants, written)     terms
#define SPARSE_P_CONSTANTS_OF(edge, terms, constants, written) constants
/* OFFSET((, u, v), constants) -> the sum of what is there, or 0 */
#define SPARSE_P_OFFSET(items, constants)                                                                                   \
    SPARSE_P_OFFSET_((SPARSE_P_CAT(SPARSE_P_FORTH_, SPARSE_P_IS_ANY constants)(constants) SPARSE_P_ID items))
#define SPARSE_P_OFFSET_(items)  SPARSE_P_CAT(SPARSE_P_OFFSET_, SPARSE_P_IS_ANY items)(items)
#define SPARSE_P_OFFSET_0(items) 0
#define SPARSE_P_OFFSET_1(items) SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, items)
#define SPARSE_P_FORTH_0(constants)
#define SPARSE_P_FORTH_1(constants) , sparse_p_forth(SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, constants))
/* PAD(constants) -> by how much they go below zero */
#define SPARSE_P_PAD(constants)   SPARSE_P_CAT(SPARSE_P_PAD_, SPARSE_P_IS_ANY constants)(constants)
#define SPARSE_P_PAD_0(constants) 0
#define SPARSE_P_PAD_1(constants) sparse_p_back(SPARSE_P_FOLDF(SPARSE_P_PLUS_TEXT, constants))
/* PRODUCT((, 2), i) -> (size_t)(2) * i, PRODUCT((), i) -> i; FACTOR: the coefficient */
#define SPARSE_P_PRODUCT(c, i)   SPARSE_P_CAT(SPARSE_P_PRODUCT_, SPARSE_P_IS_ANY c)(c, i)
#define SPARSE_P_PRODUCT_0(c, i) i
#define SPARSE_P_PRODUCT_1(c, i) (size_t)(SPARSE_P_TEXT c) * i
#define SPARSE_P_FACTOR(c)       SPARSE_P_CAT(SPARSE_P_FACTOR_, SPARSE_P_IS_ANY c)(c)
#define SPARSE_P_FACTOR_0(c)     1
#define SPARSE_P_FACTOR_1(c)     SPARSE_P_TEXT c
/* TERM_TEXT(, term) -> , product; TERM_BEFORE(d, term): if its loop is outside loop d; REACH_AFTER: , (c, i) if inside */
#define SPARSE_P_TERM_TEXT(z, term)           SPARSE_P_TERM_TEXT_ term
#define SPARSE_P_TERM_TEXT_(loop, c, i)       , SPARSE_P_PRODUCT(c, i)
#define SPARSE_P_TERM_BEFORE(d, term)         SPARSE_P_TERM_BEFORE_(d, SPARSE_P_ID term)
#define SPARSE_P_TERM_BEFORE_(...)            SPARSE_P_TERM_BEFORE__(__VA_ARGS__)
#define SPARSE_P_TERM_BEFORE__(d, loop, c, i) SPARSE_P_CAT(SPARSE_P_BEFORE_, SPARSE_P_CMP(loop, d))(SPARSE_P_PRODUCT(c, i))
#define SPARSE_P_REACH_AFTER(d, term)         SPARSE_P_REACH_AFTER_(d, SPARSE_P_ID term)
#define SPARSE_P_REACH_AFTER_(...)            SPARSE_P_REACH_AFTER__(__VA_ARGS__)
#define SPARSE_P_REACH_AFTER__(d, loop, c, i) SPARSE_P_CAT(SPARSE_P_AFTER_, SPARSE_P_CMP(loop, d))((c, i))
/* REACH(u, (c, i)) -> how many coordinates c * i spans, beyond u of them */
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
                               indices, rank, passed)                                                                       \
    SPARSE_P_TENSOR_RECORD(                                                                                                 \
        role, name, type, value, pos, crd, SPARSE_P_TIDY(indices),                                                          \
        SPARSE_P_TIDY((SPARSE_P_EACHF(SPARSE_P_SLIM, , levels))),                                                           \
        SPARSE_P_TIDY(SPARSE_P_CAT(SPARSE_P_WALKS_OF_, SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_IS_SUM, , indices)))(        \
            levels, batch, (SPARSE_P_EACHF(SPARSE_P_WALK, (nlev, head, aos, batch), levels)))),                             \
        nlev, placed, above, rank)
#define SPARSE_P_TENSOR_RECORD(...) SPARSE_P_TENSOR_RECORD_(__VA_ARGS__)
#define SPARSE_P_TENSOR_RECORD_(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, rank)      \
    (0tensor, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, rank)
/* SLIM(, state of a level) -> , level */
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

/* VISIT(op, c, tree): folds a tree, op_leaf(c, record) at the leaves, op_all(u, v) or op_any(u, v) at
   the nodes. The operands of none() have role N, and none() has become the all() of their complements. */
#define SPARSE_P_VISIT(op, c, tree)          SPARSE_P_SECOND(SPARSE_P_VISIT0((op, c), tree))
#define SPARSE_P_VISIT0(c, x)                , SPARSE_P_VISIT0_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT0_(...)                SPARSE_P_VISIT0__(__VA_ARGS__)
#define SPARSE_P_VISIT0__(op, c, word, ...)  SPARSE_P_VISIT0_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT0_0leaf(op, c, record) op##_0leaf(c, record)
#define SPARSE_P_VISIT0_all(op, c, ...)      SPARSE_P_FOLDA(op##_all, (SPARSE_P_EACHA(SPARSE_P_VISIT1, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT0_any(op, c, ...)      SPARSE_P_FOLDA(op##_any, (SPARSE_P_EACHA(SPARSE_P_VISIT1, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT1(c, x)                , SPARSE_P_VISIT1_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT1_(...)                SPARSE_P_VISIT1__(__VA_ARGS__)
#define SPARSE_P_VISIT1__(op, c, word, ...)  SPARSE_P_VISIT1_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT1_0leaf(op, c, record) op##_0leaf(c, record)
#define SPARSE_P_VISIT1_all(op, c, ...)      SPARSE_P_FOLDB(op##_all, (SPARSE_P_EACHB(SPARSE_P_VISIT2, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT1_any(op, c, ...)      SPARSE_P_FOLDB(op##_any, (SPARSE_P_EACHB(SPARSE_P_VISIT2, (op, c), (, __VA_ARGS__))))
/* a workspace counts as the operands that it is made of, or as an operand itself: op_where(c, N) -> in, out */
#define SPARSE_P_VISIT1_where(op, c, n, tree, loops, letters, leaves, written, initial, out, operand, ...)                  \
    SPARSE_P_CAT(SPARSE_P_VISIT1_where_, op##_where(c, n))(op, c, tree, operand)
#define SPARSE_P_VISIT1_where_0in(op, c, tree, operand)  SPARSE_P_VISIT2_(op, c, SPARSE_P_ID tree)
#define SPARSE_P_VISIT1_where_0out(op, c, tree, operand) op##_0leaf(c, operand)
#define SPARSE_P_VISIT2(c, x)                            , SPARSE_P_VISIT2_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT2_(...)                            SPARSE_P_VISIT2__(__VA_ARGS__)
#define SPARSE_P_VISIT2__(op, c, word, ...)              SPARSE_P_VISIT2_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT2_0leaf(op, c, record)             op##_0leaf(c, record)
#define SPARSE_P_VISIT2_all(op, c, ...)                  SPARSE_P_FOLDC(op##_all, (SPARSE_P_EACHC(SPARSE_P_VISIT3, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT2_any(op, c, ...)                  SPARSE_P_FOLDC(op##_any, (SPARSE_P_EACHC(SPARSE_P_VISIT3, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT3(c, x)                            , SPARSE_P_VISIT3_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT3_(...)                            SPARSE_P_VISIT3__(__VA_ARGS__)
#define SPARSE_P_VISIT3__(op, c, word, ...)              SPARSE_P_VISIT3_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT3_0leaf(op, c, record)             op##_0leaf(c, record)
#define SPARSE_P_VISIT3_all(op, c, ...)                  SPARSE_P_FOLDD(op##_all, (SPARSE_P_EACHD(SPARSE_P_VISIT4, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT3_any(op, c, ...)                  SPARSE_P_FOLDD(op##_any, (SPARSE_P_EACHD(SPARSE_P_VISIT4, (op, c), (, __VA_ARGS__))))
#define SPARSE_P_VISIT4(c, x)                            , SPARSE_P_VISIT4_(SPARSE_P_ID c, SPARSE_P_ID x)
#define SPARSE_P_VISIT4_(...)                            SPARSE_P_VISIT4__(__VA_ARGS__)
#define SPARSE_P_VISIT4__(op, c, word, ...)              SPARSE_P_VISIT4_##word(op, c, __VA_ARGS__)
#define SPARSE_P_VISIT4_0leaf(op, c, record)             op##_0leaf(c, record)

/* FLAT: the leaves of a tree, in order -> (, record, record) */
#define SPARSE_P_FLAT_0leaf(c, record) (, record)
#define SPARSE_P_FLAT_all(u, v)        (SPARSE_P_ID u SPARSE_P_ID v)
#define SPARSE_P_FLAT_any(u, v)        (SPARSE_P_ID u SPARSE_P_ID v)
#define SPARSE_P_FLAT_where(c, n)      0in

/* >>lattice
   DRIVE(d, tree) -> (KIND, EXACT, (drivers), (followers), (flags)): how loop d runs. EXACT is 1 if the
   expression is live wherever the loop comes by, else the body has to test DEAD first. The flags of FLAG, and
   of a MERGE, are conditions known before the loop under any of which every coordinate is visited: an operand
   that is dense here but optional at an outer loop. An iterator is
   (stored, name, NUMBER, ROLE, ABOVE, value, POS, CRD, LAST, FORMAT, N, WALK, PARENT, HEAD, STRIDE, OFFSET):
   level NUMBER of an operand. */
#define SPARSE_P_DRIVE_where(d, n)           SPARSE_P_CAT(SPARSE_P_MADE_, SPARSE_P_CMP(d, n))
#define SPARSE_P_DRIVE_0leaf(d, record)      SPARSE_P_DRIVE_0leaf_(d, SPARSE_P_ID record)
#define SPARSE_P_DRIVE_0leaf_(...)           SPARSE_P_DRIVE_0leaf__(__VA_ARGS__)
#define SPARSE_P_DRIVE_0leaf__(d, what, ...) SPARSE_P_DRIVE_##what(d, __VA_ARGS__)
#define SPARSE_P_DRIVE_0scalar(d, role, ...) SPARSE_P_MEMBER_CELL(DRIVE, role)
#define SPARSE_P_DRIVE_0tensor(d, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)     \
    SPARSE_P_CAT(SPARSE_P_DRIVE_ANY_, SPARSE_P_NZ_##sparse)(d, role, name, value, pos, crd, nlev, walks)
#define SPARSE_P_DRIVE_0sliced             SPARSE_P_DRIVE_0tensor
#define SPARSE_P_DRIVE_ANY_0(d, role, ...) SPARSE_P_MEMBER_CELL(DRIVE, role)
#define SPARSE_P_DRIVE_ANY_1(d, role, name, value, pos, crd, nlev, walks)                                                   \
    SPARSE_P_DRIVE_0tensor_(role, name, value, pos, crd, nlev, SPARSE_P_SEEN(d, role, walks))

/* SEEN(d, ROLE, walks) -> NUMBER, ABOVE, ITERATOR, BEFORE, FINAL: the sparse level at loop d, or 0, the last
   sparse level above it, and how it is walked; the last sparse level of the loops before d, or 0; 1 unless a
   sparse level comes later. The last two are asked for only where an operand may be absent. */
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
#define SPARSE_P_HERE_0b(x)
#define SPARSE_P_HERE_0h(x) , x
#define SPARSE_P_HERE_0a(x)
#define SPARSE_P_BEFORE_0b(x) , x
#define SPARSE_P_BEFORE_0h(x)
#define SPARSE_P_BEFORE_0a(x)
#define SPARSE_P_AFTER_0b(x)
#define SPARSE_P_AFTER_0h(x)
#define SPARSE_P_AFTER_0a(x)         , x
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
#define SPARSE_P_LAST_IF_0(number, nlev) 0b
#define SPARSE_P_LAST_IF_1(number, nlev) SPARSE_P_CMP(number, nlev)
/* stored wherever the body runs: drives where it is sparse, and is there for sure below */
#define SPARSE_P_DRIVE_0M0(name, before, final, it) (0FULL, 1, (), (), ())
#define SPARSE_P_DRIVE_0M1(name, before, final, it) (0ONE, 1, (, it), (), ())
#define SPARSE_P_DRIVE_0U0(name, before, final, it) (0FULL, 1, (), (), ())
#define SPARSE_P_DRIVE_0U1(name, before, final, it) (0ONE, 1, (, it), (), ())
/* optional: below the levels where it may be absent, full if it is not */
#define SPARSE_P_DRIVE_0O0(name, before, final, it)                                                                         \
    SPARSE_P_CAT(SPARSE_P_DRIVE_PAST, SPARSE_P_NZ_##before)(SPARSE_P_CAT3(sparse_l_in, name, before))
#define SPARSE_P_DRIVE_0O1(name, before, final, it) (0ONE, 1, (, it), (), ())
/* complement: known only at its last sparse level, followed everywhere */
#define SPARSE_P_DRIVE_0N0(name, before, final, it)                                                                         \
    SPARSE_P_CAT3(SPARSE_P_DRIVE_PAST, SPARSE_P_NZ_##before, SPARSE_P_FINAL_##final)                                        \
    (!SPARSE_P_CAT3(sparse_l_in, name, before))
#define SPARSE_P_DRIVE_0N1(name, before, final, it) (0FULL, SPARSE_P_NOT_##final, (), (, it), ())
#define SPARSE_P_DRIVE_PAST0(flag)                  (0FULL, 1, (), (), ())
#define SPARSE_P_DRIVE_PAST1(flag)                  (0FLAG, 1, (), (), (, flag))
#define SPARSE_P_DRIVE_PAST00(flag)                 (0FULL, 1, (), (), ())
#define SPARSE_P_DRIVE_PAST10(flag)                 (0FULL, 1, (), (), ())
#define SPARSE_P_FINAL_0                            0
#define SPARSE_P_FINAL_1
#define SPARSE_P_NOT_0 1
#define SPARSE_P_NOT_1 0

/* The intersection of two parts: L or R drives alone and the other follows, B: both drive. Which one
   drives follows from their kinds: a single iterator before a merge, anything sparse before a full one. */
#define SPARSE_P_DRIVE_all(u, v) SPARSE_P_DRIVE_all_(SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_DRIVE_all_(...) SPARSE_P_DRIVE_all__(__VA_ARGS__)
#define SPARSE_P_DRIVE_all__(ku, xu, du, fu, tu, kv, ...)                                                                   \
    SPARSE_P_CELL(SPARSE_P_WITH_##kv, SPARSE_P_ALL_ROW_##ku)(ku, xu, du, fu, tu, kv, __VA_ARGS__)
/* of each kind with each, in this order: FULL, FLAG, ONE, BOTH, MERGE */
#define SPARSE_P_WITH_0FULL(full, flag, one, both, merge)  full
#define SPARSE_P_WITH_0FLAG(full, flag, one, both, merge)  flag
#define SPARSE_P_WITH_0ONE(full, flag, one, both, merge)   one
#define SPARSE_P_WITH_0BOTH(full, flag, one, both, merge)  both
#define SPARSE_P_WITH_0MERGE(full, flag, one, both, merge) merge
#define SPARSE_P_ALL_ROW_0FULL                                                                                              \
    (SPARSE_P_ALL_0FULL, SPARSE_P_ALL_FREE_R, SPARSE_P_ALL_FREE_R, SPARSE_P_ALL_FREE_R, SPARSE_P_ALL_FREE_R)
#define SPARSE_P_ALL_ROW_0FLAG  (SPARSE_P_ALL_FREE_L, SPARSE_P_ALL_0FLAG0S, SPARSE_P_ALL_0R, SPARSE_P_ALL_0R, SPARSE_P_ALL_0R)
#define SPARSE_P_ALL_ROW_0ONE   (SPARSE_P_ALL_FREE_L, SPARSE_P_ALL_0L, SPARSE_P_ALL_B, SPARSE_P_ALL_0R, SPARSE_P_ALL_0L)
#define SPARSE_P_ALL_ROW_0BOTH  (SPARSE_P_ALL_FREE_L, SPARSE_P_ALL_0L, SPARSE_P_ALL_0L, SPARSE_P_ALL_0L, SPARSE_P_ALL_0L)
#define SPARSE_P_ALL_ROW_0MERGE (SPARSE_P_ALL_FREE_L, SPARSE_P_ALL_0L, SPARSE_P_ALL_0R, SPARSE_P_ALL_0R, SPARSE_P_ALL_0L)
#define SPARSE_P_ALL_0FULL(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                          \
    (0FULL, SPARSE_P_AND_##xu##xv, (), (SPARSE_P_ID fu SPARSE_P_ID fv), ())
#define SPARSE_P_ALL_FREE_L(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                         \
    (ku, SPARSE_P_AND_##xu##xv, du, (SPARSE_P_ID fu SPARSE_P_ID fv), tu)
#define SPARSE_P_ALL_FREE_R(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                         \
    (kv, SPARSE_P_AND_##xu##xv, dv, (SPARSE_P_ID fu SPARSE_P_ID fv), tv)
#define SPARSE_P_ALL_0FLAG0S(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                        \
    (0FLAG, 0, (), (SPARSE_P_ID fu SPARSE_P_ID fv), (, ((SPARSE_P_ONE_OF(tu)) && (SPARSE_P_ONE_OF(tv)))))
#define SPARSE_P_ALL_0L(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                             \
    (ku, 0, du, (SPARSE_P_ID fu SPARSE_P_ID dv SPARSE_P_ID fv), tu)
#define SPARSE_P_ALL_0R(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                             \
    (kv, 0, dv, (SPARSE_P_ID du SPARSE_P_ID fu SPARSE_P_ID fv), tv)
#define SPARSE_P_ALL_B(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                              \
    SPARSE_P_CAT3(SPARSE_P_ALL_B, SPARSE_P_MEETS du, SPARSE_P_MEETS dv)                                                     \
    (ku, xu, du, fu, tu, kv, xv, dv, fv, tv)
#define SPARSE_P_ALL_B11(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                            \
    (0BOTH, SPARSE_P_AND_##xu##xv, (SPARSE_P_ID du SPARSE_P_ID dv), (SPARSE_P_ID fu SPARSE_P_ID fv), ())
#define SPARSE_P_ALL_B10 SPARSE_P_ALL_0R
#define SPARSE_P_ALL_B01 SPARSE_P_ALL_0L
#define SPARSE_P_ALL_B00 SPARSE_P_ALL_0L
#define SPARSE_P_ALL_B02 SPARSE_P_ALL_0L
#define SPARSE_P_ALL_B12 SPARSE_P_ALL_0L
#define SPARSE_P_ALL_B20 SPARSE_P_ALL_0R
#define SPARSE_P_ALL_B21 SPARSE_P_ALL_0R
#define SPARSE_P_ALL_B22 SPARSE_P_ALL_0L
/* MEETS(, iterator) -> 1 if its coordinates are unique, ordered, and one after the other in memory; 2 if their positions
   follow from them, so that the other one drives and it is looked up; else 0, and it drives, as the other is searched faster */
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

/* The union of two parts: full if one of them is, else a merge of what drives them. */
#define SPARSE_P_DRIVE_any(u, v) SPARSE_P_DRIVE_any_(SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_DRIVE_any_(...) SPARSE_P_DRIVE_any__(__VA_ARGS__)
#define SPARSE_P_DRIVE_any__(ku, xu, du, fu, tu, kv, ...)                                                                   \
    SPARSE_P_CELL(SPARSE_P_WITH_##kv, SPARSE_P_ANY_ROW_##ku)(ku, xu, du, fu, tu, kv, __VA_ARGS__)
#define SPARSE_P_ANY_ROW_0FULL                                                                                              \
    (SPARSE_P_ANY_0FULL, SPARSE_P_ANY_0FULL_0L, SPARSE_P_ANY_0FULL_0L, SPARSE_P_ANY_0FULL_0L, SPARSE_P_ANY_0FULL_0L)
#define SPARSE_P_ANY_ROW_0FLAG                                                                                              \
    (SPARSE_P_ANY_0FULL_0R, SPARSE_P_ANY_0FLAG0S, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE)
#define SPARSE_P_ANY_ROW_0ONE                                                                                               \
    (SPARSE_P_ANY_0FULL_0R, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE)
#define SPARSE_P_ANY_ROW_0BOTH                                                                                              \
    (SPARSE_P_ANY_0FULL_0R, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE)
#define SPARSE_P_ANY_ROW_0MERGE                                                                                             \
    (SPARSE_P_ANY_0FULL_0R, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE, SPARSE_P_ANY_0MERGE)
#define SPARSE_P_ANY_0FULL(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                          \
    (0FULL, SPARSE_P_OR_##xu##xv, (), (SPARSE_P_ID fu SPARSE_P_ID fv), ())
#define SPARSE_P_ANY_0FULL_0L(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                       \
    (0FULL, xu, (), (SPARSE_P_ID fu SPARSE_P_ID dv SPARSE_P_ID fv), ())
#define SPARSE_P_ANY_0FULL_0R(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                       \
    (0FULL, xv, (), (SPARSE_P_ID du SPARSE_P_ID fu SPARSE_P_ID fv), ())
#define SPARSE_P_ANY_0FLAG0S(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                        \
    (0FLAG, SPARSE_P_AND_##xu##xv, (), (SPARSE_P_ID fu SPARSE_P_ID fv), (SPARSE_P_ID tu SPARSE_P_ID tv))
#define SPARSE_P_ANY_0MERGE(ku, xu, du, fu, tu, kv, xv, dv, fv, tv)                                                         \
    SPARSE_P_ANY_0MERGE_(xu, SPARSE_P_MERGED_##ku(du, fu), tu, xv, SPARSE_P_MERGED_##kv(dv, fv), tv)
#define SPARSE_P_ANY_0MERGE_(...) SPARSE_P_ANY_0MERGE__(__VA_ARGS__)
#define SPARSE_P_ANY_0MERGE__(xu, wu, du, fu, tu, xv, wv, dv, fv, tv)                                                       \
    (0MERGE, SPARSE_P_AND4(xu, wu, xv, wv), (SPARSE_P_ID du SPARSE_P_ID dv), (SPARSE_P_ID fu SPARSE_P_ID fv),               \
     (SPARSE_P_ID tu SPARSE_P_ID tv))
/* what part of a merge a drive becomes -> EXACT, (drivers), (followers): of two iterators, one drives */
#define SPARSE_P_MERGED_0FLAG(d, f)         1, d, f
#define SPARSE_P_MERGED_0ONE(d, f)          1, d, f
#define SPARSE_P_MERGED_0MERGE(d, f)        1, d, f
#define SPARSE_P_MERGED_0BOTH(d, f)         SPARSE_P_MERGED_0BOTH_(f, SPARSE_P_ID d)
#define SPARSE_P_MERGED_0BOTH_(...)         SPARSE_P_MERGED_0BOTH__(__VA_ARGS__)
#define SPARSE_P_MERGED_0BOTH__(f, z, a, b) 0, (, a), (, b SPARSE_P_ID f)
#define SPARSE_P_AND4(a, b, c, d)           SPARSE_P_AND4_(a, b, c, d)
#define SPARSE_P_AND4_(a, b, c, d)          SPARSE_P_CAT(SPARSE_P_AND_, SPARSE_P_CAT(SPARSE_P_AND_##a##b, SPARSE_P_AND_##c##d))
#define SPARSE_P_OR_00                      0
#define SPARSE_P_OR_01                      1
#define SPARSE_P_OR_10                      1
#define SPARSE_P_OR_11                      1
/* ONE_OF((, u, v)) -> u || v */
#define SPARSE_P_ONE_OF(list)  SPARSE_P_FOLDF(SPARSE_P_OR_TEXT, list)
#define SPARSE_P_OR_TEXT(u, v) u || v

/* DEAD(d, tree) -> (, condition), or () if there is nothing to test: where, for all that is known at loop d,
   the expression is dead, in terms of the presence of the optional operands; the others were tested before */
#define SPARSE_P_DEAD_where                 SPARSE_P_DRIVE_where
#define SPARSE_P_DEAD_0leaf(d, record)      SPARSE_P_DEAD_0leaf_(d, SPARSE_P_ID record)
#define SPARSE_P_DEAD_0leaf_(...)           SPARSE_P_DEAD_0leaf__(__VA_ARGS__)
#define SPARSE_P_DEAD_0leaf__(d, what, ...) SPARSE_P_DEAD_##what(d, __VA_ARGS__)
#define SPARSE_P_DEAD_0scalar(d, role, ...) SPARSE_P_MEMBER_CELL(DEAD, role)
#define SPARSE_P_DEAD_0tensor(d, role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)      \
    SPARSE_P_CAT(SPARSE_P_DEAD_ANY_, SPARSE_P_NZ_##sparse)(d, role, name, walks)
#define SPARSE_P_DEAD_0sliced                     SPARSE_P_DEAD_0tensor
#define SPARSE_P_DEAD_ANY_0(d, role, ...)         SPARSE_P_MEMBER_CELL(DEAD, role)
#define SPARSE_P_DEAD_ANY_1(d, role, name, walks) SPARSE_P_DEAD_0tensor_(role, name, SPARSE_P_SEEN(d, role, walks))
#define SPARSE_P_DEAD_0tensor_(...)               SPARSE_P_DEAD_0tensor__(__VA_ARGS__)
#define SPARSE_P_DEAD_0tensor__(role, name, number, above, iterator, before, final)                                         \
    SPARSE_P_CAT3(SPARSE_P_DEAD_, role, SPARSE_P_NZ_##number)(name, number, before, final)
#define SPARSE_P_DEAD_0M0(name, number, before, final) ()
#define SPARSE_P_DEAD_0M1(name, number, before, final) ()
#define SPARSE_P_DEAD_0U0(name, number, before, final) ()
#define SPARSE_P_DEAD_0U1(name, number, before, final) ()
#define SPARSE_P_DEAD_0O0(name, number, before, final)                                                                      \
    SPARSE_P_CAT(SPARSE_P_DEAD_IF_NOT_, SPARSE_P_NZ(before))(SPARSE_P_CAT3(sparse_l_in, name, before))
#define SPARSE_P_DEAD_0O1(name, number, before, final) SPARSE_P_DEAD_IF_NOT_1(sparse_l_in##name##number)
#define SPARSE_P_DEAD_0N0(name, number, before, final)                                                                      \
    SPARSE_P_CAT3(SPARSE_P_DEAD_IF_IN_, final, SPARSE_P_NZ(before))(SPARSE_P_CAT3(sparse_l_in, name, before))
#define SPARSE_P_DEAD_0N1(name, number, before, final)                                                                      \
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

/* How a loop runs is one row, KIND_ROW_kind:
     HEAD     its head; INNER: the innermost loop, whole
     ITEMS    what drives it, of drivers and flags
     MOST     how often it runs, at most
     EVERY    1 if it comes by every coordinate, and PARTLY: 0 if nothing else decides that
     CLAMPED  what it becomes along a diagonal
     APART    do no two iterations have the same coordinate? of the drivers
     ROOM     where room is made for what it adds to an output: 0here, before it, or, of one coordinate, 0around: before the
              loop around it, for all iterations of that
     0in_order, 0unrolled, 0beside, 0tiled   why it cannot be passed over so, see PASS_ROW */
#define SPARSE_P_KIND_CELL(column, kind) SPARSE_P_CELL(SPARSE_P_KIND_##column, SPARSE_P_KIND_ROW_##kind)
#define SPARSE_P_KIND_ROW_0FULL                                                                                             \
    (SPARSE_P_HEAD_FULL, SPARSE_P_INNER_LOOP, SPARSE_P_ITEMS_DRIVERS, SPARSE_P_MOST_SIZE, 1, 0, SPARSE_P_CLAMP_RANGE,       \
     SPARSE_P_APART_ALL, 0here, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_KIND_ROW_0FLAG                                                                                             \
    (SPARSE_P_HEAD_FULL, SPARSE_P_INNER_LOOP, SPARSE_P_ITEMS_DRIVERS, SPARSE_P_MOST_SIZE, 1, 1, SPARSE_P_CLAMP_RANGE,       \
     SPARSE_P_APART_NOT, 0here, SPARSE_P_DROP, SPARSE_P_ERROR_UNROLLED, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_KIND_ROW_0ONE                                                                                              \
    (SPARSE_P_HEAD_ONE, SPARSE_P_INNER_LOOP, SPARSE_P_ITEMS_DRIVERS, SPARSE_P_MOST_SUM, 0, 1, SPARSE_P_CLAMP_DRIVERS,       \
     SPARSE_P_APART_BY_WALK, 0here, SPARSE_P_DROP, SPARSE_P_ERROR_LANES, SPARSE_P_ERROR_BESIDE, SPARSE_P_ERROR_TILED)
#define SPARSE_P_KIND_ROW_0BOTH                                                                                             \
    (SPARSE_P_HEAD_BOTH, SPARSE_P_INNER_LOOP, SPARSE_P_ITEMS_DRIVERS, SPARSE_P_MOST_LEAST, 0, 1, SPARSE_P_CLAMP_DRIVERS,    \
     SPARSE_P_APART_NOT, 0here, SPARSE_P_DROP, SPARSE_P_ERROR_UNROLLED, SPARSE_P_DROP, SPARSE_P_ERROR_TILED)
#define SPARSE_P_KIND_ROW_0MERGE                                                                                            \
    (SPARSE_P_HEAD_MERGE, SPARSE_P_INNER_PHASES, SPARSE_P_ITEMS_MERGED, SPARSE_P_MOST_SUM, 0, 1, SPARSE_P_CLAMP_DRIVERS,    \
     SPARSE_P_APART_NOT, 0here, SPARSE_P_ERROR_MERGED, SPARSE_P_ERROR_UNROLLED, SPARSE_P_ERROR_MERGED_BESIDE,               \
     SPARSE_P_ERROR_TILED)
#define SPARSE_P_KIND_ROW_0RANGE                                                                                            \
    (SPARSE_P_HEAD_RANGE, SPARSE_P_INNER_LOOP, SPARSE_P_ITEMS_FLAGS, SPARSE_P_MOST_SIZE, 0, 1, SPARSE_P_CLAMP_RANGE,        \
     SPARSE_P_APART_NOT, 0here, SPARSE_P_DROP, SPARSE_P_ERROR_UNROLLED, SPARSE_P_DROP, SPARSE_P_ERROR_TILED)
#define SPARSE_P_KIND_ROW_0WITHIN                                                                                           \
    (SPARSE_P_HEAD_WITHIN, SPARSE_P_INNER_LOOP, SPARSE_P_ITEMS_FLAGS, SPARSE_P_MOST_SIZE, 0, 1, SPARSE_P_CLAMP_RANGE,       \
     SPARSE_P_APART_NOT, 0here, SPARSE_P_DROP, SPARSE_P_ERROR_UNROLLED, SPARSE_P_DROP, SPARSE_P_ERROR_TILED)
#define SPARSE_P_KIND_ROW_0POINT                                                                                            \
    (SPARSE_P_HEAD_POINT, SPARSE_P_INNER_LOOP, SPARSE_P_ITEMS_FLAGS, SPARSE_P_MOST_ONE, 0, 1, SPARSE_P_CLAMP_RANGE,         \
     SPARSE_P_APART_NOT, 0around, SPARSE_P_DROP, SPARSE_P_ERROR_UNROLLED, SPARSE_P_DROP, SPARSE_P_ERROR_TILED)
#define SPARSE_P_KIND_ROW_0LET                                                                                              \
    (SPARSE_P_HEAD_LET, SPARSE_P_INNER_LOOP, SPARSE_P_ITEMS_FLAGS, SPARSE_P_MOST_ONE, 0, 1, SPARSE_P_CLAMP_RANGE,           \
     SPARSE_P_APART_NOT, 0around, SPARSE_P_DROP, SPARSE_P_ERROR_UNROLLED, SPARSE_P_DROP, SPARSE_P_ERROR_TILED)
#define SPARSE_P_KIND_HEAD(head, inner, items, most, every, partly, clamped, apart, ...)       head
#define SPARSE_P_KIND_INNER(head, inner, items, most, every, partly, clamped, apart, ...)      inner
#define SPARSE_P_KIND_ITEMS(head, inner, items, most, every, partly, clamped, apart, ...)      items
#define SPARSE_P_KIND_MOST(head, inner, items, most, every, partly, clamped, apart, ...)       most
#define SPARSE_P_KIND_EVERY(head, inner, items, most, every, partly, clamped, apart, ...)      every
#define SPARSE_P_KIND_PARTLY(head, inner, items, most, every, partly, clamped, apart, ...)     partly
#define SPARSE_P_KIND_CLAMPED(head, inner, items, most, every, partly, clamped, apart, ...)    clamped
#define SPARSE_P_KIND_APART(head, inner, items, most, every, partly, clamped, apart, ...)      apart
#define SPARSE_P_KIND_ROOM(head, inner, items, most, every, partly, clamped, apart, room, ...) room
#define SPARSE_P_KIND_0in_order(h, n, i, m, e, p, c, a, r, in_order, unrolled, beside, tiled)  in_order
#define SPARSE_P_KIND_0unrolled(h, n, i, m, e, p, c, a, r, in_order, unrolled, beside, tiled)  unrolled
#define SPARSE_P_KIND_0beside(h, n, i, m, e, p, c, a, r, in_order, unrolled, beside, tiled)    beside
#define SPARSE_P_KIND_0tiled(h, n, i, m, e, p, c, a, r, in_order, unrolled, beside, tiled)     tiled

/* APART_KIND(, driver) -> 1 if no two iterations have the same coordinate */
#define SPARSE_P_APART_ALL()          1
#define SPARSE_P_APART_NOT(...)       0
#define SPARSE_P_APART_BY_WALK(z, it) SPARSE_P_APART_BY_WALK_ it
#define SPARSE_P_APART_BY_WALK_(what, A, n, role, above, value, pos, crd, last, format, m, walk, ...)                       \
    SPARSE_P_WALK_CELL(APART, walk)

/* PLAN((letters, tree), (i, strategy)) -> , (d, i, strategy, (dead), KIND, (drivers), (followers), (flags)):
   all that has to be known to write loop d. Of an index i that runs along diagonals, FULL becomes RANGE,
   whose flags are the indices that follow from it; these are a POINT, at which whatever is sparse is looked up. */
#define SPARSE_P_PLAN(c, l) SPARSE_P_PLAN_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_PLAN_(...) SPARSE_P_PLAN__(__VA_ARGS__)
#define SPARSE_P_PLAN__(letters, tree, way, key, strategy, variable, kind, i, c)                                            \
    SPARSE_P_PLAN3(variable, SPARSE_P_CELL(SPARSE_P_ASKS_##way, SPARSE_P_ASKS_ROW_##strategy), SPARSE_P_POS(key, letters),  \
                   tree, SPARSE_P_BY_##kind(strategy), c)
#define SPARSE_P_BY_0dim(strategy)     SPARSE_P_ASKS_CELL(PLANS, strategy)
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
/* the same for the places i_inner in blocks of i; c is (block size, i, others) */
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
/* let(u, e): the one coordinate e, if it is within the dimension */
#define SPARSE_P_PLAN_LET_SIZED(c, ...) SPARSE_P_PLAN_LET(SPARSE_P_FIRST c, __VA_ARGS__)
#define SPARSE_P_PLAN_LET(e, u, strategy, d, tree, kind, exact, drivers, followers, ...)                                    \
    , (d, u, strategy, SPARSE_P_CAT(SPARSE_P_DEAD_AT_, SPARSE_P_KIND_CELL(EVERY, kind))(exact, d, tree), 0LET, (),          \
       (SPARSE_P_ID drivers SPARSE_P_ID followers), (, e))
#define SPARSE_P_DEAD_AT_0(exact, d, tree) SPARSE_P_VISIT(SPARSE_P_DEAD, d, tree)
#define SPARSE_P_DEAD_AT_1(exact, d, tree) SPARSE_P_DEAD_IF_##exact(d, tree)
#define SPARSE_P_DEAD_IF_0(d, tree)        SPARSE_P_VISIT(SPARSE_P_DEAD, d, tree)
#define SPARSE_P_DEAD_IF_1(d, tree)        ()

/* >>workspaces
   where((w, ROW, j), (l, j), operands, statement), directly in the all() of a kernel, is a workspace w(j)
   that loops of its own make: inside the innermost loop over an index that its operands have and its loops do
   not, for every iteration anew (the where of concrete index notation, Kjolstad et al. 2019). Its node is

     (where, N, tree, (, loops), (letters), (, leaves), WRITTEN, (INITIAL), node as an output,
      record as an operand, (statement), (, plans))

   N is the number of the loop inside which it is made, or 0. Its own loops are numbered after all of the
   kernel; its letters are those of the kernel's loops up to N, and its own, each in the place of its number.
   In the loops up to N its tree is part of the kernel's; after them w is an operand that is stored everywhere. */
#define SPARSE_P_MADE_0b 0in
#define SPARSE_P_MADE_0h 0in
#define SPARSE_P_MADE_0a 0out

/* HAS_WHERE(operands) -> 1 if there is a workspace among them, 2 if there is what is no operand at all */
#define SPARSE_P_HAS_WHERE(in)                 SPARSE_P_HAS_WHERE_(SPARSE_P_WHERE_IN_##in, 2, , ~)
#define SPARSE_P_HAS_WHERE_(...)               SPARSE_P_HAS_WHERE__(__VA_ARGS__)
#define SPARSE_P_HAS_WHERE__(z, is, rest, ...) SPARSE_P_CAT(SPARSE_P_HAS_WHERE_, SPARSE_P_ENDS(rest))(is)
#define SPARSE_P_HAS_WHERE_0(is)               0
#define SPARSE_P_HAS_WHERE_1(is)               is
#define SPARSE_P_WHERE_IN_any(...)             ~, 0,
#define SPARSE_P_WHERE_IN_none(...)            ~, 0,
#define SPARSE_P_WHERE_IN_all(...)             ~, SPARSE_P_CAT(SPARSE_P_WHERE_IN_, SPARSE_P_FEW((, __VA_ARGS__)))((, __VA_ARGS__)),
#define SPARSE_P_WHERE_IN_0few(children)       SPARSE_P_SECOND(~SPARSE_P_EACHB(SPARSE_P_IF_WHERE, , children), 0)
#define SPARSE_P_WHERE_IN_0many(children)      0
#define SPARSE_P_IF_WHERE(c, x)                SPARSE_P_CAT(SPARSE_P_IF_WHERE_, SPARSE_P_IS_WHERE(x))
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
#define SPARSE_P_CHILD(letters, x)         SPARSE_P_CAT(SPARSE_P_CHILD_, SPARSE_P_IS_WHERE(x))(letters, x)
#define SPARSE_P_CHILD_0(letters, x)       SPARSE_P_PARSE1((0M, letters), x)
#define SPARSE_P_CHILD_2(letters, x)       SPARSE_P_PARSE1_00odd(letters, x)
#define SPARSE_P_CHILD_1(letters, x)       SPARSE_P_CAT(SPARSE_P_CHILD_ALONE_, SPARSE_P_IS_ALONE(SPARSE_P_GIVES_##x))(letters, x)
#define SPARSE_P_CHILD_ALONE_0(letters, x) , (0leaf, (0refused, 0adjoined, ~))
#define SPARSE_P_CHILD_ALONE_1(letters, x) SPARSE_P_WHERE(letters, SPARSE_P_UNPACK(SPARSE_P_GIVES_##x))
#define SPARSE_P_GIVES_where(...)          (__VA_ARGS__)
#define SPARSE_P_WHERE(...)                SPARSE_P_WHERE_(__VA_ARGS__)
#define SPARSE_P_WHERE_(letters, ...)                                                                                       \
    SPARSE_P_CAT(SPARSE_P_WHERE_ENDS_, SPARSE_P_ENDS(SPARSE_P_FOURTH(__VA_ARGS__, , , , ~)))                                \
    (letters, __VA_ARGS__)
#define SPARSE_P_FOURTH(...)              SPARSE_P_FOURTH_(__VA_ARGS__)
#define SPARSE_P_FOURTH_(a, b, c, d, ...) d
#define SPARSE_P_WHERE_ENDS_1(...)        , (0leaf, (0refused, 0short, ~))
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
    SPARSE_P_WHERE_AT(letters, own, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_NOT_AMONG, own, (, SPARSE_P_ID letters)))),      \
                      __VA_ARGS__)
#define SPARSE_P_NOT_AMONG(own, i) SPARSE_P_CAT(SPARSE_P_OTHER_, SPARSE_P_NZ(SPARSE_P_POS(i, own)))(i)
#define SPARSE_P_OTHER_0(i)        , i
#define SPARSE_P_OTHER_1(i)        , 0
#define SPARSE_P_WHERE_AT(letters, own, others, loops, out, in, statement)                                                  \
    SPARSE_P_WHERE_INSIDE(letters, own, others,                                                                             \
                          SPARSE_P_VISIT(SPARSE_P_PLACED, , SPARSE_P_SECOND(~SPARSE_P_PARSE2_00((0M, others), in))), loops, \
                          out, in, statement)
/* PLACED: the last loop at which a tree needs a level */
#define SPARSE_P_PLACED_0leaf(c, record)                                                                      SPARSE_P_PLACED_ record
#define SPARSE_P_PLACED_(what, ...)                                                                           SPARSE_P_PLACED_##what(__VA_ARGS__)
#define SPARSE_P_PLACED_0scalar(...)                                                                          0
#define SPARSE_P_PLACED_0odd(...)                                                                             0
#define SPARSE_P_PLACED_0refused(...)                                                                         0
#define SPARSE_P_PLACED_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, ...) placed
#define SPARSE_P_PLACED_0sliced                                                                               SPARSE_P_PLACED_0tensor
#define SPARSE_P_PLACED_all(u, v)                                                                             SPARSE_P_CAT(SPARSE_P_LATER_, SPARSE_P_CMP(v, u))(v, u)
#define SPARSE_P_PLACED_any                                                                                   SPARSE_P_PLACED_all
#define SPARSE_P_WHERE_INSIDE(letters, own, others, n, ...)                                                                 \
    SPARSE_P_WHERE_IN(                                                                                                      \
        letters, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_UP_TO, (n, others), (, SPARSE_P_ID others))), SPARSE_P_ID own), n,  \
        __VA_ARGS__)
#define SPARSE_P_UP_TO(c, i)            SPARSE_P_UP_TO_(SPARSE_P_ID c, i)
#define SPARSE_P_UP_TO_(...)            SPARSE_P_UP_TO__(__VA_ARGS__)
#define SPARSE_P_UP_TO__(n, letters, i) SPARSE_P_CAT(SPARSE_P_UP_TO_, SPARSE_P_CMP(SPARSE_P_POS(i, letters), n))(i)
#define SPARSE_P_UP_TO_0b(i)            , i
#define SPARSE_P_UP_TO_0h(i)            , i
#define SPARSE_P_UP_TO_0a(i)            , 0
#define SPARSE_P_WHERE_IN(outer, letters, n, loops, out, in, statement)                                                     \
    SPARSE_P_WHERE_NODE(n, SPARSE_P_SECOND(~SPARSE_P_PARSE2_00((0M, letters), in)), loops, letters,                         \
                        SPARSE_P_OUTPUT(letters, SPARSE_P_TWOFOLD(SPARSE_P_MADE_AT, out)),                                  \
                        SPARSE_P_LEAF((0M, outer), SPARSE_P_AS_OPERAND(SPARSE_P_TWOFOLD(SPARSE_P_READ_AT, out))),           \
                        statement)
/* TWOFOLD(MADE_AT, (w, ROW, let(s, sum))) -> (w, ROW, s), TWOFOLD(READ_AT, the same) -> (w, ROW, sum) */
#define SPARSE_P_TWOFOLD(m, out)               SPARSE_P_BY_PAREN(SPARSE_P_TWOFOLD_, out)(m, out)
#define SPARSE_P_TWOFOLD_0(m, out)             out
#define SPARSE_P_TWOFOLD_1(m, out)             (SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_TWOFOLD_OF, m, (, SPARSE_P_ID out))))
#define SPARSE_P_TWOFOLD_OF(m, x)              , SPARSE_P_BY_PAREN(SPARSE_P_TWOFOLD_OF_, x)(m, x)
#define SPARSE_P_TWOFOLD_OF_1(m, x)            x
#define SPARSE_P_TWOFOLD_OF_0(m, x)            SPARSE_P_BY_PAREN(SPARSE_P_TWOFOLD_OF_0, SPARSE_P_TWOFOLD_IS_##x)(m, x)
#define SPARSE_P_TWOFOLD_OF_00(m, x)           x
#define SPARSE_P_TWOFOLD_OF_01(m, x)           m(SPARSE_P_UNPACK(SPARSE_P_TWOFOLD_IS_##x))
#define SPARSE_P_TWOFOLD_IS_let(...)           (__VA_ARGS__)
#define SPARSE_P_MADE_AT(...)                  SPARSE_P_FIRST(__VA_ARGS__)
#define SPARSE_P_READ_AT(...)                  SPARSE_P_READ_AT_(__VA_ARGS__)
#define SPARSE_P_READ_AT_(s, ...)              SPARSE_P_CAT(SPARSE_P_READ_AT_, SPARSE_P_IS_LETTER(__VA_ARGS__))(s, __VA_ARGS__)
#define SPARSE_P_READ_AT_0(s, ...)             __VA_ARGS__
#define SPARSE_P_READ_AT_1(s, ...)             let(s, __VA_ARGS__)
#define SPARSE_P_AS_OPERAND(out)               SPARSE_P_BY_PAREN(SPARSE_P_AS_OPERAND_, out)(out)
#define SPARSE_P_AS_OPERAND_1(out)             out
#define SPARSE_P_AS_OPERAND_0(out)             SPARSE_P_SECOND(SPARSE_P_AS_OPERAND_##out, (()))
#define SPARSE_P_AS_OPERAND_from(initial, ...) ~, (__VA_ARGS__)
#define SPARSE_P_WHERE_NODE(...)               SPARSE_P_WHERE_NODE_(__VA_ARGS__)
#define SPARSE_P_WHERE_NODE_(n, tree, loops, letters, written, initial, out, operand, statement)                            \
    , (where, n, tree, loops, letters, SPARSE_P_VISIT(SPARSE_P_FLAT, , tree), written, initial, out, operand, statement)
/* PLANNED(, where) -> , where with its plans */
#define SPARSE_P_PLANNED(c, where) SPARSE_P_PLANNED_ where
#define SPARSE_P_PLANNED_(n, tree, loops, letters, ...)                                                                     \
    , (n, tree, loops, letters, __VA_ARGS__, (SPARSE_P_EACHH(SPARSE_P_PLAN, (letters, tree, 0in_place), loops)))

/* WHERES(, node) -> , node without the word, if it is a workspace */
#define SPARSE_P_WHERES(c, node)    SPARSE_P_WHERES_ node
#define SPARSE_P_WHERES_(word, ...) SPARSE_P_WHERES_##word(__VA_ARGS__)
#define SPARSE_P_WHERES_where(...)  , (__VA_ARGS__)
#define SPARSE_P_WHERES_all(...)
#define SPARSE_P_WHERES_any(...)
#define SPARSE_P_WHERES_0leaf(record) SPARSE_P_WHERES_LEAF record
#define SPARSE_P_WHERES_LEAF(what, ...)

/* of a workspace: its loops' indices; what its loops need of the function */
#define SPARSE_P_WHERE_BASES(c, where)                 SPARSE_P_WHERE_BASES_ where
#define SPARSE_P_WHERE_BASES_(n, tree, loops, ...)     SPARSE_P_EACHF(SPARSE_P_BASE, , loops)
#define SPARSE_P_WHERE_ATTRIBUTE(c, where)             SPARSE_P_WHERE_ATTRIBUTE_ where
#define SPARSE_P_WHERE_ATTRIBUTE_(n, tree, loops, ...) SPARSE_P_EACHF(SPARSE_P_ATTRIBUTE, , loops)
/* UNITE((i, j), k) -> (i, j, k) */
#define SPARSE_P_UNITE(letters, i)   SPARSE_P_CAT(SPARSE_P_UNITE_, SPARSE_P_NZ(SPARSE_P_POS(i, letters)))(letters, i)
#define SPARSE_P_UNITE_0(letters, i) (SPARSE_P_ID letters, i)
#define SPARSE_P_UNITE_1(letters, i) letters
/* a record of w as an operand -> , place */
#define SPARSE_P_WHERE_PLACE(c, where)                                                              SPARSE_P_WHERE_PLACE_ where
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
/* PLAIN(indices) -> (i, 0): 0 for a sum */
#define SPARSE_P_PLAIN(indices)    (SPARSE_P_TAIL(SPARSE_P_EACHG(SPARSE_P_PLAIN_INDEX, , indices)))
#define SPARSE_P_PLAIN_INDEX(c, x) SPARSE_P_BY_PAREN(SPARSE_P_PLAIN_INDEX_, x)(x)
#define SPARSE_P_PLAIN_INDEX_0(x)  , x
#define SPARSE_P_PLAIN_INDEX_1(x)  , 0
#define SPARSE_P_INDICES_OF_0assembled(...)
#define SPARSE_P_INDICES_OF_0sliced SPARSE_P_INDICES_OF_0tensor
/* MADE((WAY, loops, plans), where) -> , (N, (end), text): w begins with its initial value, and its loops run. Where they are
   driven over an index of w, and the kernel does not run over all of it, w is zero from the start, and emptied at the end of
   each iteration of loop N by its loops, which come by the same places: it costs as much time as it holds. A sparse one is
   built anew, see >>building in sparse_formats.h. OWN(the same) -> , (, text): what each thread of a team begins with. */
#define SPARSE_P_MADE(c, where) SPARSE_P_MADE_(SPARSE_P_MADE_BY_, SPARSE_P_ID c, SPARSE_P_ID where)
#define SPARSE_P_OWN(c, where)  SPARSE_P_MADE_(SPARSE_P_OWN_BY_, SPARSE_P_ID c, SPARSE_P_ID where)
#define SPARSE_P_MADE_(...)     SPARSE_P_MADE__(__VA_ARGS__)
#define SPARSE_P_MADE__(by, way, outer, around, n, tree, loops, letters, leaves, written, initial, out, operand, statement, \
                        plans)                                                                                              \
    SPARSE_P_MADE3(by, way, outer, around, n, leaves, initial, out,                                                         \
                   SPARSE_P_CAT(SPARSE_P_AS_MADE_, SPARSE_P_WORKS_AS operand)(out, operand), statement, plans)
/* an array has the index that it is made with, whatever it is read at */
#define SPARSE_P_AS_MADE_0scalar(out, operand) operand
#define SPARSE_P_AS_MADE_0built(out, operand)  operand
#define SPARSE_P_AS_MADE_0tensor(out, operand) SPARSE_P_OUTPUT_RECORD out
#define SPARSE_P_MADE3(by, way, outer, around, n, leaves, initial, out, operand, statement, plans)                          \
    SPARSE_P_CAT(by,                                                                                                        \
                 SPARSE_P_WORKS_CELL(MADE, SPARSE_P_WORKS_AS operand)(n, SPARSE_P_SECOND initial, operand, plans, around))  \
    (n, SPARSE_P_SECOND initial, SPARSE_P_COPIES_IN(way, n, outer), operand,                                                \
     (SPARSE_P_EACHE(SPARSE_P_PLACE, , leaves) SPARSE_P_OUTPUT_PLACE out), (SPARSE_P_OUTPUT_PLACE out), statement, plans,   \
     SPARSE_P_OUTPUT_RECORD out)
/* What a workspace is, scalar, tensor (an array) or built (stored sparsely), is one row, WORKS_ROW_kind:
     PARAMETER, ARGUMENT  of the loops; BEGIN, END: what the kernel does around them
     MADE     (N, initial, w, plans, plans of the kernel) -> which of MADE_BY is to be
     AHEAD    , w if loops over it can look ahead
     BESIDE   , "sentence" if each thread needed one of its own
     CLEAR    what a thread that makes parts of an output does with its own before the first
     FITS     (letters, ...): what is checked before anything changes */
#define SPARSE_P_WORKS_CELL(column, as) SPARSE_P_CELL(SPARSE_P_WORKS_##column, SPARSE_P_CAT(SPARSE_P_WORKS_ROW_, as))
#define SPARSE_P_WORKS_ROW_0scalar                                                                                          \
    (SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_IS_EMPTIED, SPARSE_P_DROP, SPARSE_P_DROP,         \
     SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_WORKS_ROW_0tensor                                                                                          \
    (SPARSE_P_HELD_PARAMETER, SPARSE_P_HELD_ARGUMENT, SPARSE_P_HELD_BEGIN, SPARSE_P_HELD_END, SPARSE_P_IS_EMPTIED,          \
     SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_HELD_CLEAR, SPARSE_P_HELD_FITS)
#define SPARSE_P_WORKS_ROW_0built                                                                                           \
    (SPARSE_P_BUILT_PARAMETER, SPARSE_P_BUILT_ARGUMENT, SPARSE_P_BUILT_BEGIN, SPARSE_P_BUILT_END, SPARSE_P_BUILT_BY,        \
     SPARSE_P_ITEM, SPARSE_P_BUILT_BESIDE, SPARSE_P_DROP, SPARSE_P_DROP)
#define SPARSE_P_WORKS_PARAMETER(parameter, argument, begin, end, made, ahead, beside, clear, fits) parameter
#define SPARSE_P_WORKS_ARGUMENT(parameter, argument, begin, end, made, ahead, beside, clear, fits)  argument
#define SPARSE_P_WORKS_BEGIN(parameter, argument, begin, end, made, ahead, beside, clear, fits)     begin
#define SPARSE_P_WORKS_END(parameter, argument, begin, end, made, ahead, beside, clear, fits)       end
#define SPARSE_P_WORKS_MADE(parameter, argument, begin, end, made, ahead, beside, clear, fits)      made
#define SPARSE_P_WORKS_AHEAD(parameter, argument, begin, end, made, ahead, beside, clear, fits)     ahead
#define SPARSE_P_WORKS_BESIDE(parameter, argument, begin, end, made, ahead, beside, clear, fits)    beside
#define SPARSE_P_WORKS_CLEAR(parameter, argument, begin, end, made, ahead, beside, clear, fits)     clear
#define SPARSE_P_WORKS_FITS(parameter, argument, begin, end, made, ahead, beside, clear, fits)      fits
/* WORKS_AS record -> which of them */
#define SPARSE_P_WORKS_AS(what, ...)   SPARSE_P_WORKS_AS_##what(__VA_ARGS__)
#define SPARSE_P_WORKS_AS_0scalar(...) 0scalar
#define SPARSE_P_WORKS_AS_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)     \
    SPARSE_P_CAT(SPARSE_P_WORKS_AS_, SPARSE_P_NZ_##sparse)
#define SPARSE_P_WORKS_AS_0            0tensor
#define SPARSE_P_WORKS_AS_1            0built
#define SPARSE_P_WHERE_AHEAD(c, where) SPARSE_P_WHERE_AHEAD_ where
#define SPARSE_P_WHERE_AHEAD_(n, tree, loops, letters, leaves, written, initial, out, operand, ...)                         \
    SPARSE_P_WORKS_CELL(AHEAD, SPARSE_P_WORKS_AS operand)(operand)
#define SPARSE_P_MADE_BY_0(n, initial, copies, operand, places, out, statement, plans, record)                              \
    SPARSE_P_HELD(SPARSE_P_BEFORE, SPARSE_P_DROP, copies, operand),                                                         \
        (n, (),                                                                                                             \
         SPARSE_P_HELD(SPARSE_P_INSIDE, SPARSE_P_DROP, copies, operand) SPARSE_P_FILL_WORK(initial, SPARSE_P_ID operand)    \
             SPARSE_P_NEST((places, out, statement, ()), plans))
#define SPARSE_P_MADE_BY_1(n, initial, copies, operand, places, out, statement, plans, record)                              \
    SPARSE_P_HELD(SPARSE_P_BEFORE, SPARSE_P_FILL_EACH, copies, operand),                                                    \
        SPARSE_P_EMPTIED_BY(n, SPARSE_P_SCATTERS(operand, plans), copies, operand, places, out, statement, plans)
#define SPARSE_P_EMPTIED_BY(n, scatters, copies, operand, places, out, statement, plans)                                    \
    (n, (SPARSE_P_EMPTIED_AS(operand, (places, out, (scatters SPARSE_P_EMPTY_WORK(SPARSE_P_ID operand)), ()), plans)),      \
     SPARSE_P_HELD(SPARSE_P_INSIDE, SPARSE_P_FILL_EACH, copies,                                                             \
                   operand){SPARSE_P_NEST((places, out, (scatters SPARSE_P_ID statement), ()), plans)})
/* SCATTERS(operand, plans) -> what keeps stores one by one, if the innermost loop is driven, and over an index of w */
#define SPARSE_P_SCATTERS(operand, plans)                                                                                   \
    SPARSE_P_CAT(SPARSE_P_SCATTERS_, SPARSE_P_IS_ANY(SPARSE_P_OVER_SOME(SPARSE_P_SECOND(~SPARSE_P_INDICES(, operand), ()),  \
                                                                        SPARSE_P_FOLDF(SPARSE_P_RIGHT, plans))))
#define SPARSE_P_SCATTERS_0
#define SPARSE_P_SCATTERS_1                                 sparse_p_one_by_one();
#define SPARSE_P_OWN_BY_0(n, initial, copies, operand, ...) SPARSE_P_HELD(SPARSE_P_TEAMED, SPARSE_P_DROP, copies, operand)
#define SPARSE_P_OWN_BY_1(n, initial, copies, operand, ...)                                                                 \
    SPARSE_P_HELD(SPARSE_P_TEAMED, SPARSE_P_FILL_EACH, copies, operand)
/* IS_EMPTIED(N, initial, operand, plans, plans of the kernel) -> 1 or 0 */
#define SPARSE_P_IS_EMPTIED(n, initial, operand, plans, around)                                                             \
    SPARSE_P_OR0(SPARSE_P_IF_BEFORE(SPARSE_P_IS_ANY initial, SPARSE_P_NZ(n))(SPARSE_P_EMPTIED)(                             \
        SPARSE_P_SECOND(~SPARSE_P_INDICES(, operand), ()), plans, around))
#define SPARSE_P_EMPTIED(indices, plans, around)                                                                            \
    SPARSE_P_IF_BEFORE(SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_OVER_EVERY, indices, around)),                               \
                       SPARSE_P_IS_ANY(SPARSE_P_EACHF(SPARSE_P_OVER_SOME, indices, plans)))                                 \
    (SPARSE_P_ID)(1)
/* of a plan -> a comma if its loop is over one of the indices, and driven; and comes by every coordinate */
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
/* HELD(WHERE, clear, copies, w) -> the values of an array: how many they are, where, and, with FILL_EACH, that they are cleared.
   HELD_ROW_copies: what of that comes BEFORE the loops: , (0, (), text), INSIDE loop N: text, TEAMED, per thread: , (, text) */
#define SPARSE_P_HELD_ROW_0                     ((, SPARSE_P_SIZE_OF, SPARSE_P_ONE_COPY, SPARSE_P_CLEAR), (), ())
#define SPARSE_P_HELD_ROW_1                     ((, SPARSE_P_SIZE_OF, SPARSE_P_CLEAR_ALL), (, SPARSE_P_OWN_COPY), ())
#define SPARSE_P_HELD_ROW_2                     ((), (), (, SPARSE_P_SIZE_OF, SPARSE_P_OWN_COPY, SPARSE_P_CLEAR))
#define SPARSE_P_HELD_ROW_3                     ((, SPARSE_P_SIZE_OF, SPARSE_P_ONE_COPY), (), ())
#define SPARSE_P_BEFORE(before, inside, teamed) SPARSE_P_HELD_BEFORE, before
#define SPARSE_P_INSIDE(before, inside, teamed) SPARSE_P_ID, inside
#define SPARSE_P_TEAMED(before, inside, teamed) SPARSE_P_HELD_TEAMED, teamed
#define SPARSE_P_HELD_BEFORE(...)               , (0, (), __VA_ARGS__)
#define SPARSE_P_HELD_TEAMED(...)               , (, __VA_ARGS__)
#define SPARSE_P_HELD(where, clear, copies, w)                                                                              \
    SPARSE_P_HELD_(clear, SPARSE_P_CELL(where, SPARSE_P_CAT(SPARSE_P_HELD_ROW_, copies)), SPARSE_P_ID w)
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
/* what empties a place of one that is emptied */
#define SPARSE_P_EMPTY_WORK(...)                                 SPARSE_P_EMPTY_WORK_(__VA_ARGS__)
#define SPARSE_P_EMPTY_WORK_(what, role, name, type, value, ...) name = SPARSE_P_DECODE(value, SPARSE_P_INITIAL(value, ()))
#define SPARSE_P_TIMES_TEXT(u, v)                                u *v
#define SPARSE_P_SIZE_NAME(c, i)                                 , sparse_l_##i##_size
/* COPIES_IN(WAY, N, loops) -> 0: threads have one workspace; 1: a copy each, as it is made inside a parallel loop; 2: the
   same where that loop is outermost, and threads begin as a team; 3: the output is assembled in parts, and each thread
   calls the loops with a workspace of its own, which is zero when it comes to its first part, and again after each. */
#define SPARSE_P_COPIES_IN(way, n, loops)                                                                                   \
    SPARSE_P_COPIES_IN_(way, n, loops, (SPARSE_P_TAIL(SPARSE_P_EACHF(SPARSE_P_LETTER, , loops))))
#define SPARSE_P_COPIES_IN_(way, n, loops, letters)                                                                         \
    SPARSE_P_SECOND(~SPARSE_P_EACHF(SPARSE_P_EACH_IN, (way, n, letters), loops), 0)
#define SPARSE_P_EACH_IN(c, l) SPARSE_P_EACH_IN_(SPARSE_P_ID c, SPARSE_P_ID l)
#define SPARSE_P_EACH_IN_(...) SPARSE_P_EACH_IN__(__VA_ARGS__)
#define SPARSE_P_EACH_IN__(way, n, letters, key, strategy, ...)                                                             \
    SPARSE_P_EACH_##way(SPARSE_P_ASKS_CELL(BESIDE, strategy), n, SPARSE_P_POS(key, letters))
#define SPARSE_P_EACH_0assembled(beside, n, at) SPARSE_P_CAT(SPARSE_P_EACH_PART_, beside)
#define SPARSE_P_EACH_PART_0
#define SPARSE_P_EACH_PART_1                   , 3
#define SPARSE_P_EACH_0in_place(beside, n, at) SPARSE_P_CAT(SPARSE_P_EACH_, beside)(n, at)
#define SPARSE_P_EACH_0(n, at)
#define SPARSE_P_EACH_1(n, at)                                                                                              \
    SPARSE_P_CAT(SPARSE_P_UP_TO_, SPARSE_P_CMP(at, n))(SPARSE_P_CAT(SPARSE_P_EACH_, SPARSE_P_CMP(at, 1)))
#define SPARSE_P_EACH_0h 2
#define SPARSE_P_EACH_0a 1

/* >>loops
   The loop nest of a kernel, k = ((, places), (, outputs), (statement), (, made)): one loop per index,
   outermost first. What is made is (N, (end), text): text inside loop N, as the making of a workspace, and an end.
   A place is what of a leaf is needed here, (tensor, ROLE, name, value, (, levels), NLEV, PLACED, SPARSE) or
   (assembled, MODE, name, value, POS, CRD, (, steps), NLEV, PLACED, LAST, PREFIX, KNOWN, ROOM): ROOM is
   the loop before which it grows. */
#define SPARSE_P_PLACE(c, record)  SPARSE_P_PLACE_ record
#define SPARSE_P_PLACE_(what, ...) SPARSE_P_PLACE_##what(__VA_ARGS__)
#define SPARSE_P_PLACE_0scalar(role, name, value)
#define SPARSE_P_PLACE_0tensor(role, name, type, value, pos, crd, indices, levels, walks, nlev, placed, sparse, ...)        \
    , (0tensor, role, name, value, levels, nlev, placed, sparse)
#define SPARSE_P_PLACE_0assembled(role, name, type, value, pos, crd, indices, levels, steps, nlev, placed, last, prefix,    \
                                  known, mode, rank)                                                                        \
    , (0assembled, mode, name, value, pos, crd, steps, nlev, placed, last, prefix, known, known)

#define SPARSE_P_PLACE_0sliced SPARSE_P_PLACE_0tensor

/* the parts of an iterator (stored, A, 2, ...): position pA2 in [LO, eA2), coordinate CRD, presence inA2 */
#define SPARSE_P_PARENT(A, n)        SPARSE_P_CAT(SPARSE_P_PARENT_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(p, A, SPARSE_P_DEC_##n)
#define SPARSE_P_PARENT_NEXT(A, n)   SPARSE_P_CAT(SPARSE_P_PARENT_NEXT_, SPARSE_P_NZ(SPARSE_P_DEC_##n))(A, n)
#define SPARSE_P_PARENT_END(A, n)    SPARSE_P_PARENT_1(q, A, SPARSE_P_DEC_##n)
#define SPARSE_P_PARENT_0(p, A, n)   0
#define SPARSE_P_PARENT_1(p, A, n)   SPARSE_P_CAT3(sparse_l_##p, A, n)
#define SPARSE_P_PARENT_NEXT_0(A, n) 1
#define SPARSE_P_PARENT_NEXT_1(A, n) SPARSE_P_PARENT(A, n) + 1
/* WIDE_64(x): a 64-bit position or coordinate; the tensor has been found to fit into size_t */
#define SPARSE_P_WIDE_8(x)  x
#define SPARSE_P_WIDE_16(x) x
#define SPARSE_P_WIDE_32(x) x
#define SPARSE_P_WIDE_64(x) (size_t) x
/* BEGIN(i, iterator): what its range and coordinates need, before it is walked */
#define SPARSE_P_BEGIN(i, it) SPARSE_P_IT(SPARSE_P_BEGIN, i, it)
#define SPARSE_P_BEGIN_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, parent, ...)                   \
    SPARSE_P_RANGE_CELL(BEGIN, format)(A, n, role, above, pos, m, parent)
/* LO, HI: the range of an iterator below its parent; empty if an optional parent is absent */
#define SPARSE_P_LO(A, n, role, above, pos, format, m, walk, parent, ...)                                                   \
    SPARSE_P_IF_IN(role, above)                                                                                             \
    (A, above, SPARSE_P_RANGE_CELL(LO, format)(A, n, pos, m, parent))
#define SPARSE_P_HI(A, n, role, above, pos, format, m, walk, parent, ...)                                                   \
    SPARSE_P_IF_IN(role, above)                                                                                             \
    (A, above, SPARSE_P_RANGE_CELL(HI, format)(A, n, pos, m, parent))
/* CRD(A, p, CRD, ...): the coordinate at position p */
#define SPARSE_P_CRD(A, p, crd, format, m, walk, parent, head, stride, offset)                                              \
    SPARSE_P_CRD_CELL(CRD, stride)(A, head, p, crd, m, parent, stride, offset)
/* SEEK(A, n, CRD, i, ...): moves up to coordinate i and tells whether it is there */
#define SPARSE_P_SEEK_TO(A, n, crd, i, format, m, walk, parent, head, stride, offset)                                       \
    SPARSE_P_CRD_CELL(SEEK, stride)(A, n, i, crd, m, parent, stride, head, offset)
/* ON_1: nothing; ON_0: passes over a position that does not count */
#define SPARSE_P_ON_1(A, n, crd, stride)
#define SPARSE_P_ON_0(A, n, crd, stride)                                                                                    \
    if (!SPARSE_P_CRD_CELL(ON, stride)(A, n, crd, stride)) continue;
/* NEXT: on to the next position, or to the end q of the segment; SEGMENT: that end. Where coordinates come in any order,
   neighbours agree by chance: looking for that would only cost branches that nobody can predict. */
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
    sparse_p_segment_##crd(sparse_l_##A##head##_crd, SPARSE_P_CRD_CELL(NUMBER, stride), offset, sparse_l_p##A##n,           \
                           sparse_l_e##A##n)
#define SPARSE_P_IF_IN(role, above)    SPARSE_P_CAT3(SPARSE_P_IF_IN_, SPARSE_P_MEMBER_CELL(MAYBE, role), SPARSE_P_NZ(above))
#define SPARSE_P_IF_IN_00(A, above, x) x
#define SPARSE_P_IF_IN_01(A, above, x) x
#define SPARSE_P_IF_IN_10(A, above, x) x
#define SPARSE_P_IF_IN_11(A, above, x) sparse_l_in##A##above ? x : 0

/* each of the following takes (index, iterator) */
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
/* a follower moves up to the coordinate of the loop */
#define SPARSE_P_STEP(i, it) SPARSE_P_IT(SPARSE_P_STEP, i, it)
#define SPARSE_P_STEP_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                             \
    SPARSE_P_CAT(SPARSE_P_STEP_, SPARSE_P_MEMBER_CELL(MAYBE, role))                                                         \
    (sparse_l_in##A##n, sparse_l_p##A##n, sparse_l_e##A##n, SPARSE_P_SEEK_TO(A, n, crd, i, __VA_ARGS__))                    \
        SPARSE_P_FOLLOWED(role, A, n, crd, __VA_ARGS__)
/* a follower that has segments knows where the one that it stands at ends */
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
/* Where every coordinate comes, one whose coordinates have to be read is awaited: nA2 is at most its next coordinate, and
   wA2 the position of that. */
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
/* the same where the iterations are independent: no state is carried, nothing may break */
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

/* presence of an optional operand that drives alone */
#define SPARSE_P_SURE(i, it)                      SPARSE_P_IT(SPARSE_P_SURE, i, it)
#define SPARSE_P_SURE_0stored(i, A, n, role, ...) SPARSE_P_SURE_##role(sparse_l_in##A##n)
#define SPARSE_P_SURE_0M(in)
#define SPARSE_P_SURE_0U(in)
#define SPARSE_P_SURE_0O(in) SPARSE_UNUSED const bool in = true;

/* TEST(dead): leaves the iteration if the expression is dead here */
#define SPARSE_P_TEST(dead) SPARSE_P_CAT(SPARSE_P_TEST_, SPARSE_P_IS_ANY dead)(dead)
#define SPARSE_P_TEST_0(dead)
#define SPARSE_P_TEST_1(dead)                                                                                               \
    if (SPARSE_P_TEXT dead) continue;

/* OPEN(k, plan): the head of a loop, and what its body starts with */
#define SPARSE_P_OPEN(k, plan)      SPARSE_P_BEGIN_LOOP(plan) SPARSE_P_OPEN_BODY(k, plan)
#define SPARSE_P_OPEN_BODY(k, plan) SPARSE_P_OPEN_(SPARSE_P_ID k, SPARSE_P_ID plan)
#define SPARSE_P_OPEN_(...)         SPARSE_P_OPEN__(__VA_ARGS__)
/* BEGIN_LOOP(plan): what its drivers need */
#define SPARSE_P_BEGIN_LOOP(plan)                                      SPARSE_P_BEGIN_LOOP_ plan
#define SPARSE_P_BEGIN_LOOP_(d, i, strategy, dead, kind, drivers, ...) SPARSE_P_EACHG(SPARSE_P_BEGIN, i, drivers)
#define SPARSE_P_OPEN__(leaves, outs, statement, made, d, i, strategy, dead, kind, drivers, followers, flags)               \
    SPARSE_P_CAT(SPARSE_P_ROOM_, SPARSE_P_IS_ANY(SPARSE_P_EACHE(SPARSE_P_GROWS, , outs)))                                   \
    (d, i, kind, drivers, flags, outs)                                                                                      \
        SPARSE_P_KIND_CELL(HEAD, kind)(i, strategy, dead, SPARSE_P_ITEMS(kind, i, drivers, flags), followers)               \
            SPARSE_P_ENTER(d, 0some, leaves) SPARSE_P_EACHB(SPARSE_P_MAKE, d, made)
/* MAKE(d, (N, (end), text)) -> text, inside loop N; UNMAKE -> end, at the end of its iterations */
#define SPARSE_P_MAKE(d, made)            SPARSE_P_MAKE_(d, SPARSE_P_ID made)
#define SPARSE_P_MAKE_(...)               SPARSE_P_MAKE__(__VA_ARGS__)
#define SPARSE_P_MAKE__(d, n, end, ...)   SPARSE_P_AT_LOOP(n, d)(SPARSE_P_ID)(__VA_ARGS__)
#define SPARSE_P_UNMAKE(d, made)          SPARSE_P_UNMAKE_(d, SPARSE_P_ID made)
#define SPARSE_P_UNMAKE_(...)             SPARSE_P_UNMAKE__(__VA_ARGS__)
#define SPARSE_P_UNMAKE__(d, n, end, ...) SPARSE_P_AT_LOOP(n, d)(SPARSE_P_ID) end
/* the iterators of a merge: the drivers and, if there are flags, one that is full under any of them */
#define SPARSE_P_ITEMS(kind, i, drivers, flags)   SPARSE_P_KIND_CELL(ITEMS, kind)(i, drivers, flags)
#define SPARSE_P_ITEMS_DRIVERS(i, drivers, flags) drivers
#define SPARSE_P_ITEMS_FLAGS(i, drivers, flags)   flags
#define SPARSE_P_ITEMS_MERGED(i, drivers, flags)  SPARSE_P_CAT(SPARSE_P_ITEMS_, SPARSE_P_IS_ANY flags)(i, drivers, flags)
#define SPARSE_P_ITEMS_0(i, drivers, flags)       drivers
#define SPARSE_P_ITEMS_1(i, drivers, flags)       (SPARSE_P_ID drivers, (0full, 0full, i, flags))

/* How a planned loop is passed over is one row, PASS_ROW_strategy:
     BEFORE(lo, hi)   what comes before a loop over coordinates, and DRIVING, before one over what an operand stores
     INSIDE   at the start of its body
     FROM, TO(i, lo, hi)  all of its range, its share of it, a tile, or what its unrolled part left
     ALONE    1 if iterations are independent, so that followers begin afresh
     ERRORS   the column of KIND_ROW that says why that cannot be; UNROLLS: 1 if the loop is, 2
              if it fetches ahead besides
     BREAKS   1 if it may be left before its end */
#define SPARSE_P_PASS_CELL(column, strategy) SPARSE_P_CELL(SPARSE_P_PASS_##column, SPARSE_P_PASS_ROW_##strategy)
#define SPARSE_P_PASS_ROW_0sequential                                                                                       \
    (SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_FROM_LO, SPARSE_P_TO_HI, 0, 0in_order, 0, 1)
#define SPARSE_P_PASS_ROW_simd                                                                                              \
    (SPARSE_P_DROP, SPARSE_P_VECTORIZED, SPARSE_P_REASSOCIATED, SPARSE_P_FROM_LO, SPARSE_P_TO_HI, 0, 0in_order, 0, 0)
#define SPARSE_P_PASS_ROW_unroll                                                                                            \
    (SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_FROM_NEXT, SPARSE_P_TO_END, 0, 0unrolled, 1, 0)
#define SPARSE_P_PASS_ROW_0ahead       SPARSE_P_PASS_ROW_0sequential
#define SPARSE_P_PASS_ROW_0innermost   SPARSE_P_PASS_ROW_0sequential
#define SPARSE_P_INNERMOST_0sequential ~, 0innermost
#define SPARSE_P_PASS_ROW_0ahead_unroll                                                                                     \
    (SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_FROM_NEXT, SPARSE_P_TO_END, 0, 0unrolled, 2, 0)
#define SPARSE_P_PASS_ROW_parallel                                                                                          \
    (SPARSE_P_PARALLEL, SPARSE_P_PARALLEL, SPARSE_P_DROP, SPARSE_P_FROM_LO, SPARSE_P_TO_HI, 1, 0beside, 0, 0)
#define SPARSE_P_PASS_ROW_0team                                                                                             \
    (SPARSE_P_AMONG, SPARSE_P_AMONG, SPARSE_P_DROP, SPARSE_P_FROM_LO, SPARSE_P_TO_HI, 1, 0beside, 0, 0)
#define SPARSE_P_PASS_ROW_0part                                                                                             \
    (SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_FROM_SHARE, SPARSE_P_TO_SHARE, 0, 0beside, 0, 0)
#define SPARSE_P_PASS_ROW_tile                                                                                              \
    (SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_DROP, SPARSE_P_FROM_TILE, SPARSE_P_TO_TILE, 0, 0tiled, 0, 0)
#define SPARSE_P_PASS_BEFORE(before, driving, inside, from, to, alone, errors, unrolls, breaks)  before
#define SPARSE_P_PASS_DRIVING(before, driving, inside, from, to, alone, errors, unrolls, breaks) driving
#define SPARSE_P_PASS_INSIDE(before, driving, inside, from, to, alone, errors, unrolls, breaks)  inside
#define SPARSE_P_PASS_FROM(before, driving, inside, from, to, alone, errors, unrolls, breaks)    from
#define SPARSE_P_PASS_TO(before, driving, inside, from, to, alone, errors, unrolls, breaks)      to
#define SPARSE_P_PASS_ALONE(before, driving, inside, from, to, alone, errors, unrolls, breaks)   alone
#define SPARSE_P_PASS_ERRORS(before, driving, inside, from, to, alone, errors, unrolls, breaks)  errors
#define SPARSE_P_PASS_UNROLLS(before, driving, inside, from, to, alone, errors, unrolls, breaks) unrolls
#define SPARSE_P_PASS_BREAKS(before, driving, inside, from, to, alone, errors, unrolls, breaks)  breaks
#define SPARSE_P_VECTORIZED(...)                                                                 SPARSE_P_VECTORIZE
#define SPARSE_P_REASSOCIATED()                                                                  SPARSE_P_REASSOCIATE
#define SPARSE_P_FROM_LO(i, lo, hi)                                                              lo
#define SPARSE_P_FROM_NEXT(i, lo, hi)                                                            sparse_l_##i##_next
#define SPARSE_P_FROM_SHARE(i, lo, hi)                                                           sparse_p_share(lo, hi, sparse_l_part, sparse_l_parts)
#define SPARSE_P_FROM_TILE(i, lo, hi)                                                            sparse_l_##i##_tile
#define SPARSE_P_TO_HI(i, lo, hi)                                                                hi
#define SPARSE_P_TO_END(i, lo, hi)                                                               sparse_l_##i##_end
#define SPARSE_P_TO_SHARE(i, lo, hi)                                                             sparse_p_share(lo, hi, sparse_l_part + 1, sparse_l_parts)
#define SPARSE_P_TO_TILE(i, lo, hi)                                                              sparse_l_##i##_end
/* followers go on from where the last iteration left them, or begin afresh */
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
    (lo, hi) for (size_t i = SPARSE_P_PASS_CELL(FROM, strategy)(i, lo, hi);                                                 \
                  i < SPARSE_P_PASS_CELL(TO, strategy)(i, lo, hi); i++)
#define SPARSE_P_HEAD_FULL(i, strategy, dead, drivers, followers)                                                           \
    SPARSE_P_HEAD_BETWEEN(i, strategy, dead, 0, sparse_l_##i##_size, followers)
#define SPARSE_P_HEAD_BETWEEN(i, strategy, dead, lo, hi, followers)                                                         \
    SPARSE_P_CAT(SPARSE_P_EXPECT_, SPARSE_P_PASS_CELL(ALONE, strategy))(i, followers) SPARSE_P_PASS(strategy, i, lo, hi)    \
    {                                                                                                                       \
        SPARSE_P_PASS_CELL(INSIDE, strategy)                                                                                \
        () SPARSE_P_CAT(SPARSE_P_SEE_, SPARSE_P_PASS_CELL(ALONE, strategy))(i, followers) SPARSE_P_TEST(dead)
/* along a diagonal, i runs where j is within its dimension as well; there j is a point */
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
/* position by position, in the form of loop that everybody knows, or segment by segment */
#define SPARSE_P_DRIVE_LOOP(...) SPARSE_P_DRIVE_LOOP_(__VA_ARGS__)
#define SPARSE_P_DRIVE_LOOP_(strategy, i, what, A, n, role, above, value, pos, crd, last, format, m, walk, parent, head,    \
                             stride, offset)                                                                                \
    SPARSE_P_CAT(SPARSE_P_DRIVE_BY_, SPARSE_P_SECOND(SPARSE_P_VIA(strategy, format), SPARSE_P_WALK_CELL(SEGMENTS, walk)))   \
    (strategy, i, A, n, role, above, pos, crd, format, m, walk, parent, head, stride, offset) SPARSE_P_CAT(                 \
        SPARSE_P_ON_, SPARSE_P_THIRD(SPARSE_P_VIA(strategy, format), ~, SPARSE_P_WALK_CELL(ALL, walk)))(A, n, crd, stride)
/* VIA(strategy, format) -> ~, how, 1: a format that has a loop of its own, where that may be left before its end */
#define SPARSE_P_VIA(strategy, format) SPARSE_P_CAT3(SPARSE_P_VIA_, format, SPARSE_P_PASS_CELL(BREAKS, strategy))
#define SPARSE_P_DRIVE_BY_0(strategy, i, A, n, role, above, pos, crd, ...)                                                  \
    const size_t sparse_l_e##A##n =                                                                                         \
        SPARSE_P_PASS_CELL(TO, strategy)(i, SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__),                               \
                                         SPARSE_P_END_OF(strategy, A, n, role, above, pos, __VA_ARGS__));                   \
    SPARSE_P_PASS_CELL(DRIVING, strategy)                                                                                   \
    (SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__),                                                                      \
     sparse_l_e##A##n) for (size_t sparse_l_p##A##n =                                                                       \
                                SPARSE_P_PASS_CELL(FROM, strategy)(i, SPARSE_P_LO(A, n, role, above, pos, __VA_ARGS__),     \
                                                                   SPARSE_P_HI(A, n, role, above, pos, __VA_ARGS__));       \
                            sparse_l_p##A##n < sparse_l_e##A##n; sparse_l_p##A##n++)                                        \
    {                                                                                                                       \
        SPARSE_P_PASS_CELL(INSIDE, strategy)                                                                                \
        () SPARSE_UNUSED const size_t i = SPARSE_P_CRD(A, sparse_l_p##A##n, crd, __VA_ARGS__);                              \
        SPARSE_P_LEAVE_AT_END(strategy, i, __VA_ARGS__)
/* END_OF: where such a loop ends, at the latest, and LEAVE_AT_END: where it has come too far */
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
/* independent iterations: the first drives, the second follows, and has to be there, too */
#define SPARSE_P_HEAD_BOTH_0beside(i, strategy, dead, drivers, followers)                                                   \
    SPARSE_P_BOTH_PARALLEL(i, strategy, dead, followers, SPARSE_P_ID drivers)
#define SPARSE_P_BOTH_PARALLEL(...) SPARSE_P_BOTH_PARALLEL_(__VA_ARGS__)
#define SPARSE_P_BOTH_PARALLEL_(i, pass, dead, followers, z, u, v)                                                          \
    SPARSE_P_HEAD_ONE(i, pass, SPARSE_P_DEAD_all(dead, SPARSE_P_NOT_IN v), (, u), (, v SPARSE_P_ID followers))
#define SPARSE_P_NOT_IN(what, A, n, role, ...) SPARSE_P_DEAD_##role##1(A, n, 0, 1)
#define SPARSE_P_COMMON(i, uwhat, A, n, arole, aabove, avalue, apos, acrd, alast, aformat, am, awalk, aparent, ahead,       \
                        astride, aoffset, vwhat, B, m, brole, babove, bvalue, bpos, bcrd, ...)                              \
    sparse_p_search sparse_l_s##A##n = {sparse_l_p##A##n, sparse_l_p##B##m, 0, 0, true};                                    \
    sparse_p_matches sparse_l_b##A##n;                                                                                      \
    while (sparse_p_more_matches_##acrd##_##bcrd(sparse_l_##A##n##_crd, sparse_l_e##A##n, sparse_l_##B##m##_crd,            \
                                                 sparse_l_e##B##m, &sparse_l_s##A##n, &sparse_l_b##A##n))                   \
        while (sparse_p_intersect_##acrd##_##bcrd(sparse_l_##A##n##_crd, &sparse_l_p##A##n, sparse_l_e##A##n,               \
                                                  sparse_l_##B##m##_crd, &sparse_l_p##B##m, sparse_l_e##B##m,               \
                                                  &sparse_l_s##A##n, &sparse_l_b##A##n)) {                                  \
            SPARSE_UNUSED const size_t i = SPARSE_P_WIDE_##acrd(sparse_l_##A##n##_crd[sparse_l_p##A##n]);

/* TWO(f, i, , u, v) -> f(i, u, v), records taken apart */
#define SPARSE_P_TWO(...)            SPARSE_P_TWO_(__VA_ARGS__)
#define SPARSE_P_TWO_(f, i, z, u, v) SPARSE_P_TWO__(f, i, SPARSE_P_ID u, SPARSE_P_ID v)
#define SPARSE_P_TWO__(f, ...)       f(__VA_ARGS__)

/* A merge visits the least coordinate of those that its iterators are at, and moves on all that were there.
   An iterator past its end is at the coordinate SIZE_MAX, which no level has. */
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
#define SPARSE_P_TAIL(...)           SPARSE_P_TAIL_(__VA_ARGS__)
#define SPARSE_P_TAIL_(z, ...)       __VA_ARGS__
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
/* the same where a branch would be mispredicted; the chain from one coordinate to the next is what counts, so
   two or three of them are compared with each other and not with the least */
#define SPARSE_P_ARRIVE_OF_2(i, items)     SPARSE_P_ARRIVE_ALIVE(2, i, items)
#define SPARSE_P_ARRIVE_OF_3(i, items)     SPARSE_P_ARRIVE_ALIVE(3, i, items)
#define SPARSE_P_ARRIVE_OF_0many(i, items) SPARSE_P_EACHG(SPARSE_P_ARRIVE_BRANCHLESS, i, items)
#define SPARSE_P_ARRIVE_ALIVE(n, i, items)                                                                                  \
    SPARSE_P_ARRIVE_ALIVE_(n SPARSE_P_EACHG(SPARSE_P_ITS_FLAG, i, items) SPARSE_P_EACHG(SPARSE_P_ITS_COORDINATE, i, items))
#define SPARSE_P_TWO_OR_THREE(...)                                                                                          \
    SPARSE_P_COUNT_(~__VA_ARGS__, ~, ~, ~, ~, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 0many, 3, 2, ~, ~, ~)
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
/* where a segment ends, of a level below which a workspace has another */
#define SPARSE_P_ARRIVED(i, it) SPARSE_P_IT(SPARSE_P_ARRIVED, i, it)
#define SPARSE_P_ARRIVED_0stored(i, A, n, role, above, value, pos, crd, last, format, m, walk, ...)                         \
    SPARSE_P_CAT(SPARSE_P_ARRIVE_, SPARSE_P_WALK_CELL(SEGMENTS, walk))                                                      \
    (A, n, crd, format, m, walk, __VA_ARGS__)
#define SPARSE_P_ARRIVED_0full(i, A, n, flags)
#define SPARSE_P_ITS_FLAG(i, it)            SPARSE_P_ITS_FLAG_ it
#define SPARSE_P_ITS_FLAG_(what, A, n, ...) , sparse_l_in##A##n

/* INNER(k, plan): the innermost loop, whole. A merge is split into the phase in which all iterators are alive, which tests no
   bound and takes no branch on the data but where all agree, a phase in which at least two are, and one for what is left of
   each. Of two iterators the one that is far behind runs alone. A break in the statement, which no increment of its loop
   follows, ends all phases: i_on. */
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
/* NO_LIST(i, iterator) -> , ~ unless it stores one coordinate after the other, without duplicates. Lists are run through
   together while their coordinates are equal, a branch that is foreseen where patterns agree; then come some steps without
   branches, each time twice as many unless they went together for long. */
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
/* Of two, the one that is far behind runs alone, up to the coordinate of the other; none follows that has to be there. */
#define SPARSE_P_PAIR_0(d, i, leaves, outs, statement, dead, items, followers)                                              \
    while ((SPARSE_P_FOLDF(SPARSE_P_OR_TEXT, (SPARSE_P_EACHG(SPARSE_P_ALIVE, i, items)))) && sparse_l_##i##_on) {           \
        SPARSE_P_TOGETHER(d, i, leaves, outs, statement, dead, items, followers)                                            \
        if (SPARSE_P_TWO(SPARSE_P_ABREAST_OF_TWO, i, SPARSE_P_ID items)) {                                                  \
            SPARSE_P_STEPS(SPARSE_P_ABREAST, d, i, leaves, outs, statement, dead, items, followers)                         \
            continue;                                                                                                       \
        }                                                                                                                   \
        SPARSE_P_RUNS(d, i, leaves, outs, statement, dead, items, followers, SPARSE_P_ID items)                             \
    }
#define SPARSE_P_ABREAST_OF_TWO(i, uwhat, A, n, arole, aabove, avalue, apos, acrd, alast, aformat, am, awalk, aparent,      \
                                ahead, astride, aoffset, vwhat, B, m, brole, babove, bvalue, bpos, bcrd, ...)               \
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
/* values that can be read before it is known whether they are wanted: no branch */
#define SPARSE_P_READ(i, it)                                                    SPARSE_P_IT(SPARSE_P_READ, i, it)
#define SPARSE_P_READ_0stored(i, A, n, role, above, value, pos, crd, last, ...) SPARSE_P_READ_##last(A, n, value)
#define SPARSE_P_READ_0full(i, A, n, flags)
#define SPARSE_P_READ_0b(A, n, value)
#define SPARSE_P_READ_0h(A, n, value)                                                                                       \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) sparse_l_##A##_at = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);   \
    sparse_p_keep(&sparse_l_##A##_at, &sparse_l_##A##_fill, sizeof sparse_l_##A##_at, sparse_l_in##A##n);
#define SPARSE_P_READ_IF_IN(i, it) SPARSE_P_IT(SPARSE_P_READ_IF_IN, i, it)
#define SPARSE_P_READ_IF_IN_0stored(i, A, n, role, above, value, pos, crd, last, ...)                                       \
    SPARSE_P_CAT3(SPARSE_P_READ_IF_IN_, role, last)(A, n, value)
#define SPARSE_P_READ_IF_IN_0N0b(A, n, value)
#define SPARSE_P_READ_IF_IN_0N0h(A, n, value)
#define SPARSE_P_READ_IF_IN_0O0b(A, n, value)
#define SPARSE_P_READ_IF_IN_0O0h(A, n, value)                                                                               \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) sparse_l_##A##_at =                                                         \
        sparse_l_in##A##n ? SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]) : sparse_l_##A##_fill;

/* BODY(d, phase, leaves, outs, (statement)): positions and values that are known here, the statement, the
 * stores */
#define SPARSE_P_BODY(d, phase, leaves, outs, statement)                                                                    \
    SPARSE_P_ENTER(d, phase, leaves)                                                                                        \
    SPARSE_P_EACHE(SPARSE_P_HAS_OUT, , outs)                                                                                \
    SPARSE_P_ID statement;                                                                                                  \
    SPARSE_P_EACHE(SPARSE_P_IN_OUT, , outs)                                                                                 \
    SPARSE_P_LEAVE(d, outs)
#define SPARSE_P_ENTER(d, phase, leaves)           SPARSE_P_EACHE(SPARSE_P_ENTER_LEAF, (d, phase), leaves)
#define SPARSE_P_ENTER_LEAF(c, record)             SPARSE_P_ENTER_LEAF_(SPARSE_P_ID c, SPARSE_P_ID record)
#define SPARSE_P_ENTER_LEAF_(...)                  SPARSE_P_ENTER_LEAF__(__VA_ARGS__)
#define SPARSE_P_ENTER_LEAF__(d, phase, what, ...) SPARSE_P_ENTER_##what(d, phase, __VA_ARGS__)
/* inside a block the index itself is known; a block at the edge may reach beyond the dimension */
#define SPARSE_P_ENTER_0block(d, phase, at, i, c) SPARSE_P_AT_LOOP(at, d)(SPARSE_P_WHOLE_OF_BLOCK)(i, c)
#define SPARSE_P_ENTER_count(d, phase, at, i, c)
#define SPARSE_P_ENTER_0inner(d, phase, at, i, c) SPARSE_P_AT_LOOP(at, d)(SPARSE_P_WHOLE_OF)(i, c)
#define SPARSE_P_WHOLE_OF(i, c)                   SPARSE_UNUSED const size_t i = i##_block * c + i##_inner;
#define SPARSE_P_WHOLE_OF_BLOCK(i, c)                                                                                       \
    SPARSE_P_WHOLE_OF(i, c)                                                                                                 \
    if (!sparse_l_##i##_whole && i >= sparse_l_##i##_size) continue;
#define SPARSE_P_ENTER_0tensor(d, phase, role, name, value, levels, nlev, placed, sparse)                                   \
    SPARSE_P_EACHF(SPARSE_P_LOCATE, (d, name), levels)                                                                      \
    SPARSE_P_AT_LOOP(placed, d)(SPARSE_P_VALUE)(role, phase, name, value, nlev, sparse)
#define SPARSE_P_LOCATE(c, level) SPARSE_P_LOCATE_(SPARSE_P_ID c, SPARSE_P_ID level)
#define SPARSE_P_LOCATE_(...)     SPARSE_P_LOCATE__(__VA_ARGS__)
#define SPARSE_P_LOCATE__(d, A, number, storage, letter, placed, i, part)                                                   \
    SPARSE_P_AT_LOOP(placed, d)(SPARSE_P_STORAGE_CELL(LOCATE, storage))(A, number, i)
#define SPARSE_P_LOCATE_IN_SLICE(A, n, i) SPARSE_P_LOCATE_SUM(A, n, (sparse_slice_coordinate(i, sparse_l_##A##n##_slice)))
#define SPARSE_P_LOCATE_SUM_IN_SLICE(A, n, sum)                                                                             \
    SPARSE_P_LOCATE_SUM(A, n, (sparse_slice_coordinate(SPARSE_P_ID sum, sparse_l_##A##n##_slice)))
/* a level of an output that is like A: where A is */
#define SPARSE_P_LOCATE_LIKE(C, n, A) SPARSE_UNUSED const size_t sparse_l_p##C##n = sparse_l_p##A##n;
/* over a sum, which stands where the variable does */
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
#define SPARSE_P_VALUE_0M0(phase, A, value, n, sparse)                                                                      \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0M1(phase, A, value, n, sparse)                                                                      \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0W0(phase, A, value, n, sparse)                                                                      \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0K0(phase, A, value, n, sparse)                                                                      \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0U0(phase, A, value, n, sparse)                                                                      \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0U1(phase, A, value, n, sparse)                                                                      \
    SPARSE_UNUSED SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0O0(phase, A, value, n, sparse)                                                                      \
    SPARSE_UNUSED const bool has_##A = true;                                                                                \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A = SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]);
#define SPARSE_P_VALUE_0O1(phase, A, value, n, sparse)                                                                      \
    SPARSE_UNUSED const bool has_##A = sparse_l_in##A##sparse;                                                              \
    SPARSE_UNUSED const SPARSE_P_VISIBLE(value) A =                                                                         \
        SPARSE_P_CAT3(SPARSE_P_VALUE_AT_, phase, SPARSE_P_CMP(sparse, n))(A, n, value);
/* below any(), what is in none() may be there */
#define SPARSE_P_VALUE_0N0                             SPARSE_P_VALUE_0O0
#define SPARSE_P_VALUE_0N1(phase, A, value, n, sparse) SPARSE_P_VALUE_0O1(0some, A, value, n, sparse)
#define SPARSE_P_VALUE_AT_0some0b(A, n, value)                                                                              \
    has_##A ? SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]) : sparse_l_##A##_fill
#define SPARSE_P_VALUE_AT_0some0h(A, n, value)                                                                              \
    has_##A ? SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]) : sparse_l_##A##_fill
#define SPARSE_P_VALUE_AT_0alive0b(A, n, value)                                                                             \
    has_##A ? SPARSE_P_LOAD(value, sparse_l_##A##_val[sparse_l_p##A##n]) : sparse_l_##A##_fill
#define SPARSE_P_VALUE_AT_0alive0h(A, n, value) sparse_l_##A##_at
/* LEAVE: what was accumulated in a register goes back to its place */
#define SPARSE_P_LEAVE(d, outs)             SPARSE_P_EACHE(SPARSE_P_LEAVE_LEAF, d, outs)
#define SPARSE_P_LEAVE_LEAF(d, record)      SPARSE_P_LEAVE_LEAF_(d, SPARSE_P_ID record)
#define SPARSE_P_LEAVE_LEAF_(...)           SPARSE_P_LEAVE_LEAF__(__VA_ARGS__)
#define SPARSE_P_LEAVE_LEAF__(d, what, ...) SPARSE_P_LEAVE_##what(d, __VA_ARGS__)
#define SPARSE_P_LEAVE_0tensor(d, role, name, value, levels, nlev, placed, sparse)                                          \
    SPARSE_P_AT_LOOP(placed, d)(SPARSE_P_PUT_BACK)(name, value, nlev)
#define SPARSE_P_PUT_BACK(A, value, n) sparse_l_##A##_val[sparse_l_p##A##n] = SPARSE_P_ENCODE(value, A);

/* how often the loop runs at most */
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
#define SPARSE_P_SPAN_BETWEEN(A, n, pos, format, m, parent)                                                                 \
    sparse_p_span(SPARSE_P_RANGE_CELL(LO, format)(A, n, pos, m, parent),                                                    \
                  SPARSE_P_RANGE_CELL(HI, format)(A, n, pos, m, parent))

/* CLOSE(k, plan): what the body of a loop ends with */
#define SPARSE_P_CLOSE(k, plan) SPARSE_P_CLOSE_(SPARSE_P_ID k, SPARSE_P_FIRST plan)
#define SPARSE_P_CLOSE_(...)    SPARSE_P_CLOSE__(__VA_ARGS__)
#define SPARSE_P_CLOSE__(leaves, outs, statement, made, d)                                                                  \
    SPARSE_P_EACHB(SPARSE_P_UNMAKE, d, made)                                                                                \
    SPARSE_P_LEAVE(d, outs)                                                                                                 \
    }

/* NEST_OF_1(places, outs, statement, plans, WAY, loops, wheres, leaves): the loop nest, with what is made in it. Where the
   outermost loop is parallel, each thread finds, and clears, workspaces of its own before it takes iterations. */
#define SPARSE_P_IS_MADE(wheres, loops) SPARSE_P_IS_ANY(SPARSE_P_ID wheres SPARSE_P_EACHF(SPARSE_P_TO_PREFETCH, , loops))
#define SPARSE_P_NEST_OF_0(places, outs, statement, plans, way, loops, wheres, leaves)                                      \
    SPARSE_P_NEST((places, outs, statement, ()), plans)
#define SPARSE_P_NEST_OF_1(places, outs, statement, plans, way, loops, wheres, leaves)                                      \
    SPARSE_P_NEST_BY(                                                                                                       \
        (SPARSE_P_EACHA(SPARSE_P_OWN, (way, loops, plans), wheres)),                                                        \
        (SPARSE_P_ID places SPARSE_P_EACHE(SPARSE_P_WHERE_PLACE, , wheres)), outs, statement,                               \
        (SPARSE_P_EACHD(SPARSE_P_PREFETCHES, ((SPARSE_P_ID leaves SPARSE_P_EACHE(SPARSE_P_WHERE_AHEAD, , wheres)), plans),  \
                        (SPARSE_P_AHEAD(loops, plans))) SPARSE_P_EACHA(SPARSE_P_MADE, (way, loops, plans), wheres)),        \
        plans)
#define SPARSE_P_NEST_BY(own, ...) SPARSE_P_CAT(SPARSE_P_NEST_BY_, SPARSE_P_IS_ANY own)(own, __VA_ARGS__)
#define SPARSE_P_NEST_BY_0(own, places, outs, statement, made, plans)                                                       \
    SPARSE_P_EACHB(SPARSE_P_MAKE, 0, made) SPARSE_P_NEST_MAKING(places, outs, statement, made, plans)
#define SPARSE_P_NEST_BY_1(own, places, outs, statement, made, plans)                                                       \
    SPARSE_P_EACHB(SPARSE_P_MAKE, 0, made) SPARSE_P_ALL_THREADS                                                             \
    {                                                                                                                       \
        SPARSE_P_EACHB(SPARSE_P_OWN_TEXT, , own)                                                                            \
        SPARSE_P_NEST_MAKING(places, outs, statement, made, (SPARSE_P_EACHF(SPARSE_P_IN_TEAM, , plans)))                    \
    }
#define SPARSE_P_OWN_TEXT(c, own) SPARSE_P_TEXT own
#define SPARSE_P_IN_TEAM(c, plan) SPARSE_P_IN_TEAM_ plan
#define SPARSE_P_IN_TEAM_(d, i, strategy, ...)                                                                              \
    , (d, i, SPARSE_P_CAT(SPARSE_P_IN_TEAM_, SPARSE_P_CMP(d, 1))(strategy), __VA_ARGS__)
#define SPARSE_P_IN_TEAM_0h(strategy) 0team
#define SPARSE_P_IN_TEAM_0a(strategy) strategy
/* one that is made inside all loops comes before the statement */
#define SPARSE_P_NEST_MAKING(places, outs, statement, made, loops)                                                          \
    SPARSE_P_NEST((places, outs,                                                                                            \
                   (SPARSE_P_EACHB(SPARSE_P_MAKE, SPARSE_P_COUNT(~SPARSE_P_ID loops), made) SPARSE_P_ID statement), made),  \
                  loops)
/* UNROLLS plan -> 1 if it is to be unrolled */
#define SPARSE_P_UNROLLS(d, i, strategy, ...) SPARSE_P_PASS_CELL(UNROLLS, strategy)
/* LAST(k, plan, plan): the two innermost loops. If the outer one is unrolled, SPARSE_UNROLL of its iterations run side by
   side in each iteration of the inner one, as long as there are as many: an output over that loop is then read and written
   once for all of them (unroll and jam). The same sums are made in the same order. What continue and break end is an
   iteration of a lane, and all that are left of it. What they fetch ahead is fetched before the inner loop. */
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
#define SPARSE_P_LANES_(ahead, leaves, outs, statement, made, d, i, strategy, dead, kind, drivers, followers, flags, e, j,  \
                        jstrategy, jdead, jkind, jdrivers, jfollowers, jflags)                                              \
    size_t sparse_l_##i##_next = SPARSE_P_LANES_FROM_##kind(i, drivers);                                                    \
    for (; sparse_l_##i##_end - sparse_l_##i##_next >= SPARSE_UNROLL; sparse_l_##i##_next += SPARSE_UNROLL) {               \
        unsigned sparse_l_##i##_left = 0;                                                                                   \
        ahead SPARSE_P_PASS(jstrategy, j, 0, sparse_l_##j##_size) SPARSE_P_LANES_UNROLLED SPARSE_P_LANE_LOOP(i)             \
        {                                                                                                                   \
            if (sparse_l_##i##_left >> sparse_l_##i##_lane & 1u) continue;                                                  \
            SPARSE_P_LANE_##kind(i, drivers) SPARSE_P_ENTER(d, 0some, leaves)                                               \
                SPARSE_P_EACHB(SPARSE_P_MAKE, d, made) bool sparse_l_##i##_more = true;                                     \
            for (; sparse_l_##i##_more; sparse_l_##i##_more = false) {                                                      \
                SPARSE_P_BODY(e, 0some, leaves, outs, statement)                                                            \
            }                                                                                                               \
            if (sparse_l_##i##_more) sparse_l_##i##_left |= 1u << sparse_l_##i##_lane;                                      \
            SPARSE_P_LEAVE(d, outs)                                                                                         \
        }                                                                                                                   \
    }
/* UNASKED(leaves, plan) -> the plan of such a loop that is unrolled without being asked to, with what it asks for ahead */
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
#define SPARSE_P_NEST(k, loops)       SPARSE_P_NEST_(k, SPARSE_P_ID loops)
#define SPARSE_P_NEST_(k, ...)        SPARSE_P_BY_COUNT(SPARSE_P_NEST_, __VA_ARGS__)(k, __VA_ARGS__)
#define SPARSE_P_NEST_1(k, z, p)      SPARSE_P_INNER(k, p)
#define SPARSE_P_NEST_2(k, z, p, q)   SPARSE_P_LAST(k, p, q)
#define SPARSE_P_NEST_3(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_2(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_4(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_3(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_5(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_4(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_6(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_5(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_7(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_6(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)
#define SPARSE_P_NEST_8(k, z, p, ...) SPARSE_P_OPEN(k, p) SPARSE_P_NEST_7(k, z, __VA_ARGS__) SPARSE_P_CLOSE(k, p)

/* >>tables
   What the toolkit counts, compares and maps with. */

/* EACHx(m, c, (, u, v)) -> m(c, u) m(c, v). One family per depth of nesting: a macro cannot re-enter itself. A call
   that begins with the list, EACHx_ list, is ended by what follows it, so that the items change hands as seldom as can
   be: that is most of what a kernel line costs the preprocessor. */
/* clang-format off */
#define SPARSE_P_EACHA(m, c, list) SPARSE_P_EACHA_ list m, c)
#define SPARSE_P_EACHA_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_EACHA_16, SPARSE_P_EACHA_15, SPARSE_P_EACHA_14,                   \
    SPARSE_P_EACHA_13, SPARSE_P_EACHA_12, SPARSE_P_EACHA_11, SPARSE_P_EACHA_10, SPARSE_P_EACHA_9,            \
    SPARSE_P_EACHA_8, SPARSE_P_EACHA_7, SPARSE_P_EACHA_6, SPARSE_P_EACHA_5, SPARSE_P_EACHA_4,                \
    SPARSE_P_EACHA_3, SPARSE_P_EACHA_2, SPARSE_P_EACHA_1, SPARSE_P_EACHA_0, ~)(__VA_ARGS__,
#define SPARSE_P_EACHA_0(z, m, c)
#define SPARSE_P_EACHA_1(z, x1, m, c) m(c, x1)
#define SPARSE_P_EACHA_2(z, x1, x2, m, c) m(c, x1) m(c, x2)
#define SPARSE_P_EACHA_3(z, x1, x2, x3, m, c) m(c, x1) m(c, x2) m(c, x3)
#define SPARSE_P_EACHA_4(z, x1, x2, x3, x4, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4)
#define SPARSE_P_EACHA_5(z, x1, x2, x3, x4, x5, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5)
#define SPARSE_P_EACHA_6(z, x1, x2, x3, x4, x5, x6, m, c)                                                    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6)
#define SPARSE_P_EACHA_7(z, x1, x2, x3, x4, x5, x6, x7, m, c)                                                \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7)
#define SPARSE_P_EACHA_8(z, x1, x2, x3, x4, x5, x6, x7, x8, m, c)                                            \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8)
#define SPARSE_P_EACHA_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, m, c)                                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9)
#define SPARSE_P_EACHA_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, m, c)                                  \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)
#define SPARSE_P_EACHA_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, m, c)                             \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)
#define SPARSE_P_EACHA_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, m, c)                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)     \
    m(c, x12)
#define SPARSE_P_EACHB(m, c, list) SPARSE_P_EACHB_ list m, c)
#define SPARSE_P_EACHB_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_EACHB_16, SPARSE_P_EACHB_15, SPARSE_P_EACHB_14,                   \
    SPARSE_P_EACHB_13, SPARSE_P_EACHB_12, SPARSE_P_EACHB_11, SPARSE_P_EACHB_10, SPARSE_P_EACHB_9,            \
    SPARSE_P_EACHB_8, SPARSE_P_EACHB_7, SPARSE_P_EACHB_6, SPARSE_P_EACHB_5, SPARSE_P_EACHB_4,                \
    SPARSE_P_EACHB_3, SPARSE_P_EACHB_2, SPARSE_P_EACHB_1, SPARSE_P_EACHB_0, ~)(__VA_ARGS__,
#define SPARSE_P_EACHB_0(z, m, c)
#define SPARSE_P_EACHB_1(z, x1, m, c) m(c, x1)
#define SPARSE_P_EACHB_2(z, x1, x2, m, c) m(c, x1) m(c, x2)
#define SPARSE_P_EACHB_3(z, x1, x2, x3, m, c) m(c, x1) m(c, x2) m(c, x3)
#define SPARSE_P_EACHB_4(z, x1, x2, x3, x4, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4)
#define SPARSE_P_EACHB_5(z, x1, x2, x3, x4, x5, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5)
#define SPARSE_P_EACHB_6(z, x1, x2, x3, x4, x5, x6, m, c)                                                    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6)
#define SPARSE_P_EACHB_7(z, x1, x2, x3, x4, x5, x6, x7, m, c)                                                \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7)
#define SPARSE_P_EACHB_8(z, x1, x2, x3, x4, x5, x6, x7, x8, m, c)                                            \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8)
#define SPARSE_P_EACHB_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, m, c)                                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9)
#define SPARSE_P_EACHB_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, m, c)                                  \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)
#define SPARSE_P_EACHB_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, m, c)                             \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)
#define SPARSE_P_EACHB_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, m, c)                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)     \
    m(c, x12)
#define SPARSE_P_EACHC(m, c, list) SPARSE_P_EACHC_ list m, c)
#define SPARSE_P_EACHC_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_EACHC_16, SPARSE_P_EACHC_15, SPARSE_P_EACHC_14,                   \
    SPARSE_P_EACHC_13, SPARSE_P_EACHC_12, SPARSE_P_EACHC_11, SPARSE_P_EACHC_10, SPARSE_P_EACHC_9,            \
    SPARSE_P_EACHC_8, SPARSE_P_EACHC_7, SPARSE_P_EACHC_6, SPARSE_P_EACHC_5, SPARSE_P_EACHC_4,                \
    SPARSE_P_EACHC_3, SPARSE_P_EACHC_2, SPARSE_P_EACHC_1, SPARSE_P_EACHC_0, ~)(__VA_ARGS__,
#define SPARSE_P_EACHC_0(z, m, c)
#define SPARSE_P_EACHC_1(z, x1, m, c) m(c, x1)
#define SPARSE_P_EACHC_2(z, x1, x2, m, c) m(c, x1) m(c, x2)
#define SPARSE_P_EACHC_3(z, x1, x2, x3, m, c) m(c, x1) m(c, x2) m(c, x3)
#define SPARSE_P_EACHC_4(z, x1, x2, x3, x4, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4)
#define SPARSE_P_EACHC_5(z, x1, x2, x3, x4, x5, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5)
#define SPARSE_P_EACHC_6(z, x1, x2, x3, x4, x5, x6, m, c)                                                    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6)
#define SPARSE_P_EACHC_7(z, x1, x2, x3, x4, x5, x6, x7, m, c)                                                \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7)
#define SPARSE_P_EACHC_8(z, x1, x2, x3, x4, x5, x6, x7, x8, m, c)                                            \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8)
#define SPARSE_P_EACHC_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, m, c)                                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9)
#define SPARSE_P_EACHC_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, m, c)                                  \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)
#define SPARSE_P_EACHC_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, m, c)                             \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)
#define SPARSE_P_EACHC_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, m, c)                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)     \
    m(c, x12)
#define SPARSE_P_EACHD(m, c, list) SPARSE_P_EACHD_ list m, c)
#define SPARSE_P_EACHD_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_EACHD_16, SPARSE_P_EACHD_15, SPARSE_P_EACHD_14,                   \
    SPARSE_P_EACHD_13, SPARSE_P_EACHD_12, SPARSE_P_EACHD_11, SPARSE_P_EACHD_10, SPARSE_P_EACHD_9,            \
    SPARSE_P_EACHD_8, SPARSE_P_EACHD_7, SPARSE_P_EACHD_6, SPARSE_P_EACHD_5, SPARSE_P_EACHD_4,                \
    SPARSE_P_EACHD_3, SPARSE_P_EACHD_2, SPARSE_P_EACHD_1, SPARSE_P_EACHD_0, ~)(__VA_ARGS__,
#define SPARSE_P_EACHD_0(z, m, c)
#define SPARSE_P_EACHD_1(z, x1, m, c) m(c, x1)
#define SPARSE_P_EACHD_2(z, x1, x2, m, c) m(c, x1) m(c, x2)
#define SPARSE_P_EACHD_3(z, x1, x2, x3, m, c) m(c, x1) m(c, x2) m(c, x3)
#define SPARSE_P_EACHD_4(z, x1, x2, x3, x4, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4)
#define SPARSE_P_EACHD_5(z, x1, x2, x3, x4, x5, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5)
#define SPARSE_P_EACHD_6(z, x1, x2, x3, x4, x5, x6, m, c)                                                    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6)
#define SPARSE_P_EACHD_7(z, x1, x2, x3, x4, x5, x6, x7, m, c)                                                \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7)
#define SPARSE_P_EACHD_8(z, x1, x2, x3, x4, x5, x6, x7, x8, m, c)                                            \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8)
#define SPARSE_P_EACHD_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, m, c)                                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9)
#define SPARSE_P_EACHD_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, m, c)                                  \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)
#define SPARSE_P_EACHD_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, m, c)                             \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)
#define SPARSE_P_EACHD_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, m, c)                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)     \
    m(c, x12)
#define SPARSE_P_EACHE(m, c, list) SPARSE_P_EACHE_ list m, c)
#define SPARSE_P_EACHE_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_EACHE_16, SPARSE_P_EACHE_15, SPARSE_P_EACHE_14,                   \
    SPARSE_P_EACHE_13, SPARSE_P_EACHE_12, SPARSE_P_EACHE_11, SPARSE_P_EACHE_10, SPARSE_P_EACHE_9,            \
    SPARSE_P_EACHE_8, SPARSE_P_EACHE_7, SPARSE_P_EACHE_6, SPARSE_P_EACHE_5, SPARSE_P_EACHE_4,                \
    SPARSE_P_EACHE_3, SPARSE_P_EACHE_2, SPARSE_P_EACHE_1, SPARSE_P_EACHE_0, ~)(__VA_ARGS__,
#define SPARSE_P_EACHE_0(z, m, c)
#define SPARSE_P_EACHE_1(z, x1, m, c) m(c, x1)
#define SPARSE_P_EACHE_2(z, x1, x2, m, c) m(c, x1) m(c, x2)
#define SPARSE_P_EACHE_3(z, x1, x2, x3, m, c) m(c, x1) m(c, x2) m(c, x3)
#define SPARSE_P_EACHE_4(z, x1, x2, x3, x4, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4)
#define SPARSE_P_EACHE_5(z, x1, x2, x3, x4, x5, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5)
#define SPARSE_P_EACHE_6(z, x1, x2, x3, x4, x5, x6, m, c)                                                    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6)
#define SPARSE_P_EACHE_7(z, x1, x2, x3, x4, x5, x6, x7, m, c)                                                \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7)
#define SPARSE_P_EACHE_8(z, x1, x2, x3, x4, x5, x6, x7, x8, m, c)                                            \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8)
#define SPARSE_P_EACHE_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, m, c)                                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9)
#define SPARSE_P_EACHE_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, m, c)                                  \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)
#define SPARSE_P_EACHE_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, m, c)                             \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)
#define SPARSE_P_EACHE_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, m, c)                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)     \
    m(c, x12)
#define SPARSE_P_EACHF(m, c, list) SPARSE_P_EACHF_ list m, c)
#define SPARSE_P_EACHF_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_EACHF_16, SPARSE_P_EACHF_15, SPARSE_P_EACHF_14,                   \
    SPARSE_P_EACHF_13, SPARSE_P_EACHF_12, SPARSE_P_EACHF_11, SPARSE_P_EACHF_10, SPARSE_P_EACHF_9,            \
    SPARSE_P_EACHF_8, SPARSE_P_EACHF_7, SPARSE_P_EACHF_6, SPARSE_P_EACHF_5, SPARSE_P_EACHF_4,                \
    SPARSE_P_EACHF_3, SPARSE_P_EACHF_2, SPARSE_P_EACHF_1, SPARSE_P_EACHF_0, ~)(__VA_ARGS__,
#define SPARSE_P_EACHF_0(z, m, c)
#define SPARSE_P_EACHF_1(z, x1, m, c) m(c, x1)
#define SPARSE_P_EACHF_2(z, x1, x2, m, c) m(c, x1) m(c, x2)
#define SPARSE_P_EACHF_3(z, x1, x2, x3, m, c) m(c, x1) m(c, x2) m(c, x3)
#define SPARSE_P_EACHF_4(z, x1, x2, x3, x4, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4)
#define SPARSE_P_EACHF_5(z, x1, x2, x3, x4, x5, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5)
#define SPARSE_P_EACHF_6(z, x1, x2, x3, x4, x5, x6, m, c)                                                    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6)
#define SPARSE_P_EACHF_7(z, x1, x2, x3, x4, x5, x6, x7, m, c)                                                \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7)
#define SPARSE_P_EACHF_8(z, x1, x2, x3, x4, x5, x6, x7, x8, m, c)                                            \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8)
#define SPARSE_P_EACHF_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, m, c)                                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9)
#define SPARSE_P_EACHF_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, m, c)                                  \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)
#define SPARSE_P_EACHF_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, m, c)                             \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)
#define SPARSE_P_EACHF_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, m, c)                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)     \
    m(c, x12)
#define SPARSE_P_EACHG(m, c, list) SPARSE_P_EACHG_ list m, c)
#define SPARSE_P_EACHG_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_EACHG_16, SPARSE_P_EACHG_15, SPARSE_P_EACHG_14,                   \
    SPARSE_P_EACHG_13, SPARSE_P_EACHG_12, SPARSE_P_EACHG_11, SPARSE_P_EACHG_10, SPARSE_P_EACHG_9,            \
    SPARSE_P_EACHG_8, SPARSE_P_EACHG_7, SPARSE_P_EACHG_6, SPARSE_P_EACHG_5, SPARSE_P_EACHG_4,                \
    SPARSE_P_EACHG_3, SPARSE_P_EACHG_2, SPARSE_P_EACHG_1, SPARSE_P_EACHG_0, ~)(__VA_ARGS__,
#define SPARSE_P_EACHG_0(z, m, c)
#define SPARSE_P_EACHG_1(z, x1, m, c) m(c, x1)
#define SPARSE_P_EACHG_2(z, x1, x2, m, c) m(c, x1) m(c, x2)
#define SPARSE_P_EACHG_3(z, x1, x2, x3, m, c) m(c, x1) m(c, x2) m(c, x3)
#define SPARSE_P_EACHG_4(z, x1, x2, x3, x4, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4)
#define SPARSE_P_EACHG_5(z, x1, x2, x3, x4, x5, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5)
#define SPARSE_P_EACHG_6(z, x1, x2, x3, x4, x5, x6, m, c)                                                    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6)
#define SPARSE_P_EACHG_7(z, x1, x2, x3, x4, x5, x6, x7, m, c)                                                \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7)
#define SPARSE_P_EACHG_8(z, x1, x2, x3, x4, x5, x6, x7, x8, m, c)                                            \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8)
#define SPARSE_P_EACHG_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, m, c)                                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9)
#define SPARSE_P_EACHG_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, m, c)                                  \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)
#define SPARSE_P_EACHG_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, m, c)                             \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)
#define SPARSE_P_EACHG_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, m, c)                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)     \
    m(c, x12)
#define SPARSE_P_EACHH(m, c, list) SPARSE_P_EACHH_ list m, c)
#define SPARSE_P_EACHH_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_EACHH_16, SPARSE_P_EACHH_15, SPARSE_P_EACHH_14,                   \
    SPARSE_P_EACHH_13, SPARSE_P_EACHH_12, SPARSE_P_EACHH_11, SPARSE_P_EACHH_10, SPARSE_P_EACHH_9,            \
    SPARSE_P_EACHH_8, SPARSE_P_EACHH_7, SPARSE_P_EACHH_6, SPARSE_P_EACHH_5, SPARSE_P_EACHH_4,                \
    SPARSE_P_EACHH_3, SPARSE_P_EACHH_2, SPARSE_P_EACHH_1, SPARSE_P_EACHH_0, ~)(__VA_ARGS__,
#define SPARSE_P_EACHH_0(z, m, c)
#define SPARSE_P_EACHH_1(z, x1, m, c) m(c, x1)
#define SPARSE_P_EACHH_2(z, x1, x2, m, c) m(c, x1) m(c, x2)
#define SPARSE_P_EACHH_3(z, x1, x2, x3, m, c) m(c, x1) m(c, x2) m(c, x3)
#define SPARSE_P_EACHH_4(z, x1, x2, x3, x4, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4)
#define SPARSE_P_EACHH_5(z, x1, x2, x3, x4, x5, m, c) m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5)
#define SPARSE_P_EACHH_6(z, x1, x2, x3, x4, x5, x6, m, c)                                                    \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6)
#define SPARSE_P_EACHH_7(z, x1, x2, x3, x4, x5, x6, x7, m, c)                                                \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7)
#define SPARSE_P_EACHH_8(z, x1, x2, x3, x4, x5, x6, x7, x8, m, c)                                            \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8)
#define SPARSE_P_EACHH_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, m, c)                                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9)
#define SPARSE_P_EACHH_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, m, c)                                  \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10)
#define SPARSE_P_EACHH_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, m, c)                             \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)
#define SPARSE_P_EACHH_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, m, c)                        \
    m(c, x1) m(c, x2) m(c, x3) m(c, x4) m(c, x5) m(c, x6) m(c, x7) m(c, x8) m(c, x9) m(c, x10) m(c, x11)     \
    m(c, x12)

/* FOLDx(op, (, u, v, w)) -> op(op(u, v), w) */
#define SPARSE_P_FOLDA(op, list) SPARSE_P_FOLDA_ list op)
#define SPARSE_P_FOLDA_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_FOLDA_16, SPARSE_P_FOLDA_15, SPARSE_P_FOLDA_14,                   \
    SPARSE_P_FOLDA_13, SPARSE_P_FOLDA_12, SPARSE_P_FOLDA_11, SPARSE_P_FOLDA_10, SPARSE_P_FOLDA_9,            \
    SPARSE_P_FOLDA_8, SPARSE_P_FOLDA_7, SPARSE_P_FOLDA_6, SPARSE_P_FOLDA_5, SPARSE_P_FOLDA_4,                \
    SPARSE_P_FOLDA_3, SPARSE_P_FOLDA_2, SPARSE_P_FOLDA_1, SPARSE_P_FOLDA_0, ~)(__VA_ARGS__,
#define SPARSE_P_FOLDA_1(z, x1, op) x1
#define SPARSE_P_FOLDA_2(z, x1, x2, op) op(x1, x2)
#define SPARSE_P_FOLDA_3(z, x1, x2, x3, op) op(op(x1, x2), x3)
#define SPARSE_P_FOLDA_4(z, x1, x2, x3, x4, op) op(op(op(x1, x2), x3), x4)
#define SPARSE_P_FOLDA_5(z, x1, x2, x3, x4, x5, op) op(op(op(op(x1, x2), x3), x4), x5)
#define SPARSE_P_FOLDA_6(z, x1, x2, x3, x4, x5, x6, op) op(op(op(op(op(x1, x2), x3), x4), x5), x6)
#define SPARSE_P_FOLDA_7(z, x1, x2, x3, x4, x5, x6, x7, op) op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7)
#define SPARSE_P_FOLDA_8(z, x1, x2, x3, x4, x5, x6, x7, x8, op)                                              \
    op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8)
#define SPARSE_P_FOLDA_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, op)                                          \
    op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9)
#define SPARSE_P_FOLDA_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, op)                                    \
    op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10)
#define SPARSE_P_FOLDA_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, op)                               \
    op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11)
#define SPARSE_P_FOLDA_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, op)                          \
    op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12)
#define SPARSE_P_FOLDB(op, list) SPARSE_P_FOLDB_ list op)
#define SPARSE_P_FOLDB_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_FOLDB_16, SPARSE_P_FOLDB_15, SPARSE_P_FOLDB_14,                   \
    SPARSE_P_FOLDB_13, SPARSE_P_FOLDB_12, SPARSE_P_FOLDB_11, SPARSE_P_FOLDB_10, SPARSE_P_FOLDB_9,            \
    SPARSE_P_FOLDB_8, SPARSE_P_FOLDB_7, SPARSE_P_FOLDB_6, SPARSE_P_FOLDB_5, SPARSE_P_FOLDB_4,                \
    SPARSE_P_FOLDB_3, SPARSE_P_FOLDB_2, SPARSE_P_FOLDB_1, SPARSE_P_FOLDB_0, ~)(__VA_ARGS__,
#define SPARSE_P_FOLDB_1(z, x1, op) x1
#define SPARSE_P_FOLDB_2(z, x1, x2, op) op(x1, x2)
#define SPARSE_P_FOLDB_3(z, x1, x2, x3, op) op(op(x1, x2), x3)
#define SPARSE_P_FOLDB_4(z, x1, x2, x3, x4, op) op(op(op(x1, x2), x3), x4)
#define SPARSE_P_FOLDB_5(z, x1, x2, x3, x4, x5, op) op(op(op(op(x1, x2), x3), x4), x5)
#define SPARSE_P_FOLDB_6(z, x1, x2, x3, x4, x5, x6, op) op(op(op(op(op(x1, x2), x3), x4), x5), x6)
#define SPARSE_P_FOLDB_7(z, x1, x2, x3, x4, x5, x6, x7, op) op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7)
#define SPARSE_P_FOLDB_8(z, x1, x2, x3, x4, x5, x6, x7, x8, op)                                              \
    op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8)
#define SPARSE_P_FOLDB_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, op)                                          \
    op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9)
#define SPARSE_P_FOLDB_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, op)                                    \
    op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10)
#define SPARSE_P_FOLDB_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, op)                               \
    op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11)
#define SPARSE_P_FOLDB_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, op)                          \
    op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12)
#define SPARSE_P_FOLDC(op, list) SPARSE_P_FOLDC_ list op)
#define SPARSE_P_FOLDC_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_FOLDC_16, SPARSE_P_FOLDC_15, SPARSE_P_FOLDC_14,                   \
    SPARSE_P_FOLDC_13, SPARSE_P_FOLDC_12, SPARSE_P_FOLDC_11, SPARSE_P_FOLDC_10, SPARSE_P_FOLDC_9,            \
    SPARSE_P_FOLDC_8, SPARSE_P_FOLDC_7, SPARSE_P_FOLDC_6, SPARSE_P_FOLDC_5, SPARSE_P_FOLDC_4,                \
    SPARSE_P_FOLDC_3, SPARSE_P_FOLDC_2, SPARSE_P_FOLDC_1, SPARSE_P_FOLDC_0, ~)(__VA_ARGS__,
#define SPARSE_P_FOLDC_1(z, x1, op) x1
#define SPARSE_P_FOLDC_2(z, x1, x2, op) op(x1, x2)
#define SPARSE_P_FOLDC_3(z, x1, x2, x3, op) op(op(x1, x2), x3)
#define SPARSE_P_FOLDC_4(z, x1, x2, x3, x4, op) op(op(op(x1, x2), x3), x4)
#define SPARSE_P_FOLDC_5(z, x1, x2, x3, x4, x5, op) op(op(op(op(x1, x2), x3), x4), x5)
#define SPARSE_P_FOLDC_6(z, x1, x2, x3, x4, x5, x6, op) op(op(op(op(op(x1, x2), x3), x4), x5), x6)
#define SPARSE_P_FOLDC_7(z, x1, x2, x3, x4, x5, x6, x7, op) op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7)
#define SPARSE_P_FOLDC_8(z, x1, x2, x3, x4, x5, x6, x7, x8, op)                                              \
    op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8)
#define SPARSE_P_FOLDC_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, op)                                          \
    op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9)
#define SPARSE_P_FOLDC_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, op)                                    \
    op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10)
#define SPARSE_P_FOLDC_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, op)                               \
    op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11)
#define SPARSE_P_FOLDC_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, op)                          \
    op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12)
#define SPARSE_P_FOLDD(op, list) SPARSE_P_FOLDD_ list op)
#define SPARSE_P_FOLDD_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_FOLDD_16, SPARSE_P_FOLDD_15, SPARSE_P_FOLDD_14,                   \
    SPARSE_P_FOLDD_13, SPARSE_P_FOLDD_12, SPARSE_P_FOLDD_11, SPARSE_P_FOLDD_10, SPARSE_P_FOLDD_9,            \
    SPARSE_P_FOLDD_8, SPARSE_P_FOLDD_7, SPARSE_P_FOLDD_6, SPARSE_P_FOLDD_5, SPARSE_P_FOLDD_4,                \
    SPARSE_P_FOLDD_3, SPARSE_P_FOLDD_2, SPARSE_P_FOLDD_1, SPARSE_P_FOLDD_0, ~)(__VA_ARGS__,
#define SPARSE_P_FOLDD_1(z, x1, op) x1
#define SPARSE_P_FOLDD_2(z, x1, x2, op) op(x1, x2)
#define SPARSE_P_FOLDD_3(z, x1, x2, x3, op) op(op(x1, x2), x3)
#define SPARSE_P_FOLDD_4(z, x1, x2, x3, x4, op) op(op(op(x1, x2), x3), x4)
#define SPARSE_P_FOLDD_5(z, x1, x2, x3, x4, x5, op) op(op(op(op(x1, x2), x3), x4), x5)
#define SPARSE_P_FOLDD_6(z, x1, x2, x3, x4, x5, x6, op) op(op(op(op(op(x1, x2), x3), x4), x5), x6)
#define SPARSE_P_FOLDD_7(z, x1, x2, x3, x4, x5, x6, x7, op) op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7)
#define SPARSE_P_FOLDD_8(z, x1, x2, x3, x4, x5, x6, x7, x8, op)                                              \
    op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8)
#define SPARSE_P_FOLDD_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, op)                                          \
    op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9)
#define SPARSE_P_FOLDD_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, op)                                    \
    op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10)
#define SPARSE_P_FOLDD_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, op)                               \
    op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11)
#define SPARSE_P_FOLDD_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, op)                          \
    op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12)
#define SPARSE_P_FOLDF(op, list) SPARSE_P_FOLDF_ list op)
#define SPARSE_P_FOLDF_(...)                                                                                 \
    SPARSE_P_COUNT_(~__VA_ARGS__, SPARSE_P_FOLDF_16, SPARSE_P_FOLDF_15, SPARSE_P_FOLDF_14,                   \
    SPARSE_P_FOLDF_13, SPARSE_P_FOLDF_12, SPARSE_P_FOLDF_11, SPARSE_P_FOLDF_10, SPARSE_P_FOLDF_9,            \
    SPARSE_P_FOLDF_8, SPARSE_P_FOLDF_7, SPARSE_P_FOLDF_6, SPARSE_P_FOLDF_5, SPARSE_P_FOLDF_4,                \
    SPARSE_P_FOLDF_3, SPARSE_P_FOLDF_2, SPARSE_P_FOLDF_1, SPARSE_P_FOLDF_0, ~)(__VA_ARGS__,
#define SPARSE_P_FOLDF_1(z, x1, op) x1
#define SPARSE_P_FOLDF_2(z, x1, x2, op) op(x1, x2)
#define SPARSE_P_FOLDF_3(z, x1, x2, x3, op) op(op(x1, x2), x3)
#define SPARSE_P_FOLDF_4(z, x1, x2, x3, x4, op) op(op(op(x1, x2), x3), x4)
#define SPARSE_P_FOLDF_5(z, x1, x2, x3, x4, x5, op) op(op(op(op(x1, x2), x3), x4), x5)
#define SPARSE_P_FOLDF_6(z, x1, x2, x3, x4, x5, x6, op) op(op(op(op(op(x1, x2), x3), x4), x5), x6)
#define SPARSE_P_FOLDF_7(z, x1, x2, x3, x4, x5, x6, x7, op) op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7)
#define SPARSE_P_FOLDF_8(z, x1, x2, x3, x4, x5, x6, x7, x8, op)                                              \
    op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8)
#define SPARSE_P_FOLDF_9(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, op)                                          \
    op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9)
#define SPARSE_P_FOLDF_10(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, op)                                    \
    op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10)
#define SPARSE_P_FOLDF_11(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, op)                               \
    op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11)
#define SPARSE_P_FOLDF_12(z, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, op)                          \
    op(op(op(op(op(op(op(op(op(op(op(x1, x2), x3), x4), x5), x6), x7), x8), x9), x10), x11), x12)
/* clang-format on */

/* index names: EQ_a_a -> ~, ~ ; any other pair stays one token */
#define SPARSE_P_EQ_a_a                   ~, ~
#define SPARSE_P_EQ_b_b                   ~, ~
#define SPARSE_P_EQ_c_c                   ~, ~
#define SPARSE_P_EQ_d_d                   ~, ~
#define SPARSE_P_EQ_e_e                   ~, ~
#define SPARSE_P_EQ_f_f                   ~, ~
#define SPARSE_P_EQ_g_g                   ~, ~
#define SPARSE_P_EQ_h_h                   ~, ~
#define SPARSE_P_EQ_i_i                   ~, ~
#define SPARSE_P_EQ_j_j                   ~, ~
#define SPARSE_P_EQ_k_k                   ~, ~
#define SPARSE_P_EQ_l_l                   ~, ~
#define SPARSE_P_EQ_m_m                   ~, ~
#define SPARSE_P_EQ_n_n                   ~, ~
#define SPARSE_P_EQ_o_o                   ~, ~
#define SPARSE_P_EQ_p_p                   ~, ~
#define SPARSE_P_EQ_q_q                   ~, ~
#define SPARSE_P_EQ_r_r                   ~, ~
#define SPARSE_P_EQ_s_s                   ~, ~
#define SPARSE_P_EQ_t_t                   ~, ~
#define SPARSE_P_EQ_u_u                   ~, ~
#define SPARSE_P_EQ_v_v                   ~, ~
#define SPARSE_P_EQ_w_w                   ~, ~
#define SPARSE_P_EQ_x_x                   ~, ~
#define SPARSE_P_EQ_y_y                   ~, ~
#define SPARSE_P_EQ_z_z                   ~, ~
#define SPARSE_P_EQ_A_A                   ~, ~
#define SPARSE_P_EQ_B_B                   ~, ~
#define SPARSE_P_EQ_C_C                   ~, ~
#define SPARSE_P_EQ_D_D                   ~, ~
#define SPARSE_P_EQ_E_E                   ~, ~
#define SPARSE_P_EQ_F_F                   ~, ~
#define SPARSE_P_EQ_G_G                   ~, ~
#define SPARSE_P_EQ_H_H                   ~, ~
#define SPARSE_P_EQ_I_I                   ~, ~
#define SPARSE_P_EQ_J_J                   ~, ~
#define SPARSE_P_EQ_K_K                   ~, ~
#define SPARSE_P_EQ_L_L                   ~, ~
#define SPARSE_P_EQ_M_M                   ~, ~
#define SPARSE_P_EQ_N_N                   ~, ~
#define SPARSE_P_EQ_O_O                   ~, ~
#define SPARSE_P_EQ_P_P                   ~, ~
#define SPARSE_P_EQ_Q_Q                   ~, ~
#define SPARSE_P_EQ_R_R                   ~, ~
#define SPARSE_P_EQ_S_S                   ~, ~
#define SPARSE_P_EQ_T_T                   ~, ~
#define SPARSE_P_EQ_U_U                   ~, ~
#define SPARSE_P_EQ_V_V                   ~, ~
#define SPARSE_P_EQ_W_W                   ~, ~
#define SPARSE_P_EQ_X_X                   ~, ~
#define SPARSE_P_EQ_Y_Y                   ~, ~
#define SPARSE_P_EQ_Z_Z                   ~, ~
#define SPARSE_P_LETTER_IS_a              ~,
#define SPARSE_P_LETTER_IS_b              ~,
#define SPARSE_P_LETTER_IS_c              ~,
#define SPARSE_P_LETTER_IS_d              ~,
#define SPARSE_P_LETTER_IS_e              ~,
#define SPARSE_P_LETTER_IS_f              ~,
#define SPARSE_P_LETTER_IS_g              ~,
#define SPARSE_P_LETTER_IS_h              ~,
#define SPARSE_P_LETTER_IS_i              ~,
#define SPARSE_P_LETTER_IS_j              ~,
#define SPARSE_P_LETTER_IS_k              ~,
#define SPARSE_P_LETTER_IS_l              ~,
#define SPARSE_P_LETTER_IS_m              ~,
#define SPARSE_P_LETTER_IS_n              ~,
#define SPARSE_P_LETTER_IS_o              ~,
#define SPARSE_P_LETTER_IS_p              ~,
#define SPARSE_P_LETTER_IS_q              ~,
#define SPARSE_P_LETTER_IS_r              ~,
#define SPARSE_P_LETTER_IS_s              ~,
#define SPARSE_P_LETTER_IS_t              ~,
#define SPARSE_P_LETTER_IS_u              ~,
#define SPARSE_P_LETTER_IS_v              ~,
#define SPARSE_P_LETTER_IS_w              ~,
#define SPARSE_P_LETTER_IS_x              ~,
#define SPARSE_P_LETTER_IS_y              ~,
#define SPARSE_P_LETTER_IS_z              ~,
#define SPARSE_P_EQ_a_block_a_block       ~, ~
#define SPARSE_P_EQ_b_block_b_block       ~, ~
#define SPARSE_P_EQ_c_block_c_block       ~, ~
#define SPARSE_P_EQ_d_block_d_block       ~, ~
#define SPARSE_P_EQ_e_block_e_block       ~, ~
#define SPARSE_P_EQ_f_block_f_block       ~, ~
#define SPARSE_P_EQ_g_block_g_block       ~, ~
#define SPARSE_P_EQ_h_block_h_block       ~, ~
#define SPARSE_P_EQ_i_block_i_block       ~, ~
#define SPARSE_P_EQ_j_block_j_block       ~, ~
#define SPARSE_P_EQ_k_block_k_block       ~, ~
#define SPARSE_P_EQ_l_block_l_block       ~, ~
#define SPARSE_P_EQ_m_block_m_block       ~, ~
#define SPARSE_P_EQ_n_block_n_block       ~, ~
#define SPARSE_P_EQ_o_block_o_block       ~, ~
#define SPARSE_P_EQ_p_block_p_block       ~, ~
#define SPARSE_P_EQ_q_block_q_block       ~, ~
#define SPARSE_P_EQ_r_block_r_block       ~, ~
#define SPARSE_P_EQ_s_block_s_block       ~, ~
#define SPARSE_P_EQ_t_block_t_block       ~, ~
#define SPARSE_P_EQ_u_block_u_block       ~, ~
#define SPARSE_P_EQ_v_block_v_block       ~, ~
#define SPARSE_P_EQ_w_block_w_block       ~, ~
#define SPARSE_P_EQ_x_block_x_block       ~, ~
#define SPARSE_P_EQ_y_block_y_block       ~, ~
#define SPARSE_P_EQ_z_block_z_block       ~, ~
#define SPARSE_P_EQ_a_count_a_count       ~, ~
#define SPARSE_P_EQ_b_count_b_count       ~, ~
#define SPARSE_P_EQ_c_count_c_count       ~, ~
#define SPARSE_P_EQ_d_count_d_count       ~, ~
#define SPARSE_P_EQ_e_count_e_count       ~, ~
#define SPARSE_P_EQ_f_count_f_count       ~, ~
#define SPARSE_P_EQ_g_count_g_count       ~, ~
#define SPARSE_P_EQ_h_count_h_count       ~, ~
#define SPARSE_P_EQ_i_count_i_count       ~, ~
#define SPARSE_P_EQ_j_count_j_count       ~, ~
#define SPARSE_P_EQ_k_count_k_count       ~, ~
#define SPARSE_P_EQ_l_count_l_count       ~, ~
#define SPARSE_P_EQ_m_count_m_count       ~, ~
#define SPARSE_P_EQ_n_count_n_count       ~, ~
#define SPARSE_P_EQ_o_count_o_count       ~, ~
#define SPARSE_P_EQ_p_count_p_count       ~, ~
#define SPARSE_P_EQ_q_count_q_count       ~, ~
#define SPARSE_P_EQ_r_count_r_count       ~, ~
#define SPARSE_P_EQ_s_count_s_count       ~, ~
#define SPARSE_P_EQ_t_count_t_count       ~, ~
#define SPARSE_P_EQ_u_count_u_count       ~, ~
#define SPARSE_P_EQ_v_count_v_count       ~, ~
#define SPARSE_P_EQ_w_count_w_count       ~, ~
#define SPARSE_P_EQ_x_count_x_count       ~, ~
#define SPARSE_P_EQ_y_count_y_count       ~, ~
#define SPARSE_P_EQ_z_count_z_count       ~, ~
#define SPARSE_P_EQ_a_diagonal_a_diagonal ~, ~
#define SPARSE_P_EQ_b_diagonal_b_diagonal ~, ~
#define SPARSE_P_EQ_c_diagonal_c_diagonal ~, ~
#define SPARSE_P_EQ_d_diagonal_d_diagonal ~, ~
#define SPARSE_P_EQ_e_diagonal_e_diagonal ~, ~
#define SPARSE_P_EQ_f_diagonal_f_diagonal ~, ~
#define SPARSE_P_EQ_g_diagonal_g_diagonal ~, ~
#define SPARSE_P_EQ_h_diagonal_h_diagonal ~, ~
#define SPARSE_P_EQ_i_diagonal_i_diagonal ~, ~
#define SPARSE_P_EQ_j_diagonal_j_diagonal ~, ~
#define SPARSE_P_EQ_k_diagonal_k_diagonal ~, ~
#define SPARSE_P_EQ_l_diagonal_l_diagonal ~, ~
#define SPARSE_P_EQ_m_diagonal_m_diagonal ~, ~
#define SPARSE_P_EQ_n_diagonal_n_diagonal ~, ~
#define SPARSE_P_EQ_o_diagonal_o_diagonal ~, ~
#define SPARSE_P_EQ_p_diagonal_p_diagonal ~, ~
#define SPARSE_P_EQ_q_diagonal_q_diagonal ~, ~
#define SPARSE_P_EQ_r_diagonal_r_diagonal ~, ~
#define SPARSE_P_EQ_s_diagonal_s_diagonal ~, ~
#define SPARSE_P_EQ_t_diagonal_t_diagonal ~, ~
#define SPARSE_P_EQ_u_diagonal_u_diagonal ~, ~
#define SPARSE_P_EQ_v_diagonal_v_diagonal ~, ~
#define SPARSE_P_EQ_w_diagonal_w_diagonal ~, ~
#define SPARSE_P_EQ_x_diagonal_x_diagonal ~, ~
#define SPARSE_P_EQ_y_diagonal_y_diagonal ~, ~
#define SPARSE_P_EQ_z_diagonal_z_diagonal ~, ~
#define SPARSE_P_EQ_1_1                   ~, ~
#define SPARSE_P_EQ_2_2                   ~, ~
#define SPARSE_P_EQ_3_3                   ~, ~
#define SPARSE_P_EQ_4_4                   ~, ~
#define SPARSE_P_EQ_5_5                   ~, ~
#define SPARSE_P_EQ_6_6                   ~, ~
#define SPARSE_P_EQ_7_7                   ~, ~
#define SPARSE_P_EQ_8_8                   ~, ~

/* CMP(a, b) -> b(efore), h(ere) or a(fter): a against b, of 0 to 8 */
#define SPARSE_P_NTH_0(n0, n1, n2, n3, n4, n5, n6, n7, n8) n0
#define SPARSE_P_NTH_1(n0, n1, n2, n3, n4, n5, n6, n7, n8) n1
#define SPARSE_P_NTH_2(n0, n1, n2, n3, n4, n5, n6, n7, n8) n2
#define SPARSE_P_NTH_3(n0, n1, n2, n3, n4, n5, n6, n7, n8) n3
#define SPARSE_P_NTH_4(n0, n1, n2, n3, n4, n5, n6, n7, n8) n4
#define SPARSE_P_NTH_5(n0, n1, n2, n3, n4, n5, n6, n7, n8) n5
#define SPARSE_P_NTH_6(n0, n1, n2, n3, n4, n5, n6, n7, n8) n6
#define SPARSE_P_NTH_7(n0, n1, n2, n3, n4, n5, n6, n7, n8) n7
#define SPARSE_P_NTH_8(n0, n1, n2, n3, n4, n5, n6, n7, n8) n8
#define SPARSE_P_CMP_0                                     (0h, 0b, 0b, 0b, 0b, 0b, 0b, 0b, 0b)
#define SPARSE_P_CMP_1                                     (0a, 0h, 0b, 0b, 0b, 0b, 0b, 0b, 0b)
#define SPARSE_P_CMP_2                                     (0a, 0a, 0h, 0b, 0b, 0b, 0b, 0b, 0b)
#define SPARSE_P_CMP_3                                     (0a, 0a, 0a, 0h, 0b, 0b, 0b, 0b, 0b)
#define SPARSE_P_CMP_4                                     (0a, 0a, 0a, 0a, 0h, 0b, 0b, 0b, 0b)
#define SPARSE_P_CMP_5                                     (0a, 0a, 0a, 0a, 0a, 0h, 0b, 0b, 0b)
#define SPARSE_P_CMP_6                                     (0a, 0a, 0a, 0a, 0a, 0a, 0h, 0b, 0b)
#define SPARSE_P_CMP_7                                     (0a, 0a, 0a, 0a, 0a, 0a, 0a, 0h, 0b)
#define SPARSE_P_CMP_8                                     (0a, 0a, 0a, 0a, 0a, 0a, 0a, 0a, 0h)

/* MINUS(a, b) -> a - b, of 1 to 8 */
#define SPARSE_P_MINUS(a, b) SPARSE_P_CELL(SPARSE_P_AT_##a, SPARSE_P_LESS_##b)
#define SPARSE_P_LESS_1      (0, 1, 2, 3, 4, 5, 6, 7, ~)
#define SPARSE_P_LESS_2      (~, 0, 1, 2, 3, 4, 5, 6, ~)
#define SPARSE_P_LESS_3      (~, ~, 0, 1, 2, 3, 4, 5, ~)
#define SPARSE_P_LESS_4      (~, ~, ~, 0, 1, 2, 3, 4, ~)
#define SPARSE_P_LESS_5      (~, ~, ~, ~, 0, 1, 2, 3, ~)
#define SPARSE_P_LESS_6      (~, ~, ~, ~, ~, 0, 1, 2, ~)
#define SPARSE_P_LESS_7      (~, ~, ~, ~, ~, ~, 0, 1, ~)
#define SPARSE_P_LESS_8      (~, ~, ~, ~, ~, ~, ~, 0, ~)

/* OR0_ -> 0, OR0_n -> n; INC_n -> n + 1; DEC_n -> n - 1; NZ_n -> 1, NZ_0 -> 0 */
#define SPARSE_P_OR0_  0
#define SPARSE_P_OR0_0 0
#define SPARSE_P_OR0_1 1
#define SPARSE_P_OR0_2 2
#define SPARSE_P_OR0_3 3
#define SPARSE_P_OR0_4 4
#define SPARSE_P_OR0_5 5
#define SPARSE_P_OR0_6 6
#define SPARSE_P_OR0_7 7
#define SPARSE_P_OR0_8 8
/* the subsections of a level, which are no level */
#define SPARSE_P_OR0_1s 0
#define SPARSE_P_OR0_2s 0
#define SPARSE_P_OR0_3s 0
#define SPARSE_P_OR0_4s 0
#define SPARSE_P_OR0_5s 0
#define SPARSE_P_OR0_6s 0
#define SPARSE_P_OR0_7s 0
#define SPARSE_P_DEC_1  0
#define SPARSE_P_DEC_2  1
#define SPARSE_P_DEC_3  2
#define SPARSE_P_DEC_4  3
#define SPARSE_P_DEC_5  4
#define SPARSE_P_DEC_6  5
#define SPARSE_P_DEC_7  6
#define SPARSE_P_DEC_8  7
#define SPARSE_P_INC_0  1
#define SPARSE_P_INC_1  2
#define SPARSE_P_INC_2  3
#define SPARSE_P_INC_3  4
#define SPARSE_P_INC_4  5
#define SPARSE_P_INC_5  6
#define SPARSE_P_INC_6  7
#define SPARSE_P_INC_7  8
#define SPARSE_P_NZ_0   0
#define SPARSE_P_NZ_1   1
#define SPARSE_P_NZ_2   1
#define SPARSE_P_NZ_3   1
#define SPARSE_P_NZ_4   1
#define SPARSE_P_NZ_5   1
#define SPARSE_P_NZ_6   1
#define SPARSE_P_NZ_7   1
#define SPARSE_P_NZ_8   1
#define SPARSE_P_NZ_1s  1
#define SPARSE_P_NZ_2s  1
#define SPARSE_P_NZ_3s  1
#define SPARSE_P_NZ_4s  1
#define SPARSE_P_NZ_5s  1
#define SPARSE_P_NZ_6s  1
#define SPARSE_P_NZ_7s  1

/* words that no operand can have for a name */
#define SPARSE_P_KEYWORD_          ~, 2,
#define SPARSE_P_KEYWORD__Bool     ~, 1,
#define SPARSE_P_KEYWORD_auto      ~, 1,
#define SPARSE_P_KEYWORD_bool      ~, 1,
#define SPARSE_P_KEYWORD_break     ~, 1,
#define SPARSE_P_KEYWORD_case      ~, 1,
#define SPARSE_P_KEYWORD_char      ~, 1,
#define SPARSE_P_KEYWORD_const     ~, 1,
#define SPARSE_P_KEYWORD_continue  ~, 1,
#define SPARSE_P_KEYWORD_default   ~, 1,
#define SPARSE_P_KEYWORD_do        ~, 1,
#define SPARSE_P_KEYWORD_double    ~, 1,
#define SPARSE_P_KEYWORD_else      ~, 1,
#define SPARSE_P_KEYWORD_enum      ~, 1,
#define SPARSE_P_KEYWORD_extern    ~, 1,
#define SPARSE_P_KEYWORD_float     ~, 1,
#define SPARSE_P_KEYWORD_for       ~, 1,
#define SPARSE_P_KEYWORD_goto      ~, 1,
#define SPARSE_P_KEYWORD_if        ~, 1,
#define SPARSE_P_KEYWORD_inline    ~, 1,
#define SPARSE_P_KEYWORD_int       ~, 1,
#define SPARSE_P_KEYWORD_long      ~, 1,
#define SPARSE_P_KEYWORD_register  ~, 1,
#define SPARSE_P_KEYWORD_restrict  ~, 1,
#define SPARSE_P_KEYWORD_return    ~, 1,
#define SPARSE_P_KEYWORD_short     ~, 1,
#define SPARSE_P_KEYWORD_signed    ~, 1,
#define SPARSE_P_KEYWORD_sizeof    ~, 1,
#define SPARSE_P_KEYWORD_static    ~, 1,
#define SPARSE_P_KEYWORD_struct    ~, 1,
#define SPARSE_P_KEYWORD_switch    ~, 1,
#define SPARSE_P_KEYWORD_typedef   ~, 1,
#define SPARSE_P_KEYWORD_union     ~, 1,
#define SPARSE_P_KEYWORD_unsigned  ~, 1,
#define SPARSE_P_KEYWORD_void      ~, 1,
#define SPARSE_P_KEYWORD_volatile  ~, 1,
#define SPARSE_P_KEYWORD_while     ~, 1,
#define SPARSE_P_KEYWORD_int8_t    ~, 1,
#define SPARSE_P_KEYWORD_int16_t   ~, 1,
#define SPARSE_P_KEYWORD_int32_t   ~, 1,
#define SPARSE_P_KEYWORD_int64_t   ~, 1,
#define SPARSE_P_KEYWORD_ptrdiff_t ~, 1,
#define SPARSE_P_KEYWORD_size_t    ~, 1,
#define SPARSE_P_KEYWORD_uint8_t   ~, 1,
#define SPARSE_P_KEYWORD_uint16_t  ~, 1,
#define SPARSE_P_KEYWORD_uint32_t  ~, 1,
#define SPARSE_P_KEYWORD_uint64_t  ~, 1,

/* PLUS_n -> + n, or nothing */
#define SPARSE_P_PLUS_0
#define SPARSE_P_PLUS_1 +1
#define SPARSE_P_PLUS_2 +2
#define SPARSE_P_PLUS_3 +3
#define SPARSE_P_PLUS_4 +4
#define SPARSE_P_PLUS_5 +5
#define SPARSE_P_PLUS_6 +6
#define SPARSE_P_PLUS_7 +7

#endif /* SPARSE_LATTICE_H */
